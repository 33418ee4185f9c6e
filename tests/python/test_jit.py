"""Calls that compile: programs of files, of cells and of `exec`, what makes them compile again, arrays of all kinds, threads, errors."""

import ctypes
import importlib
import linecache
import os
import re
import subprocess
import sys
import tempfile
import threading
import traceback
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp import native, sources
from htp.arrays import meets_itself
from htp.sources import program_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from slices import taken  # noqa: E402

PROGRAM = '''
import os, sys, htp, numpy as np
from htp import In, InOut, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles
from beside import OFFSET, shifted

M, N = htp.dim("M"), htp.dim("N")
SCALE = 2.0


def scaled(row: f32) -> f32:
    return shifted(row * SCALE)


@htp.jit(target="cpu")
@kernel
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Each element, scaled."""
    for i in tiles(M, 8):
        y[i, :] = scaled(x[i, :])


@kernel
def halves(rate: f32, steps: int, x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]], total: Out[Tensor[f32, 1]]) -> None:
    for i in tiles(N, 1024):
        for _ in range(steps):
            y[i] = y[i] * rate + x[i]
    total[:] = rate


x, y = np.zeros(3), [row for row in range(3)]
i = os.getpid()
print("loaded", file=sys.stderr) if os.environ.get("TELL") else None
'''
BESIDE = """
from htp import f32

OFFSET = 0.0


def shifted(v: f32) -> f32:
    return v + OFFSET
"""


def frames(call: Any) -> int:
    """How deep what it raises was raised: 2 in the call itself."""
    try:
        call()
    except htp.HtpError as error:
        return len(traceback.extract_tb(error.__traceback__))
    raise AssertionError("nothing was raised")


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="with a space ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.environ["HTP_CACHE"] = str(self.folder / "cache")
        (self.folder / "program.py").write_text(PROGRAM)
        (self.folder / "beside.py").write_text(BESIDE)
        sys.path.insert(0, str(self.folder))
        self.addCleanup(lambda: [sys.path.remove(str(self.folder)), *(sys.modules.pop(name, None) for name in ("program", "beside"))])
        linecache.clearcache()
        import program

        self.program: Any = program
        self.x = np.random.default_rng(0).standard_normal((5, 7)).astype(np.float32)

    def agree(self, compiled: Any, *arguments: Any) -> Any:
        """What it gives, after that was held against plain Python."""
        given = compiled(*arguments)
        self.assertTrue(np.array_equal(given, compiled.entry(*arguments)))
        return given

    def test_a_kernel_calls_one_of_another_file(self) -> None:
        """Each file has a dim of the name; in the one that is called it is what it is given, and so where both are compiled as one program."""
        head = "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, buffer, kernel, tiles\n"
        called = head + (
            "M, N = htp.dim('M'), htp.dim('N')\n\n\n@kernel\ndef grown(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n"
            "    for p in range(M):\n        if p == 3:\n            break\n        y[p, :] = x[p, :] + N\n    for p in range(3, M):\n        y[p, :] = 0.0\n"
        )
        calling = head + (
            "from program_called import grown\nN = htp.dim('N')\nM = htp.dim('M')\n\n\n@kernel\n"
            "def twice_grown(x: In[Tensor[f32, N, M]], y: Out[Tensor[f32, N, M]]) -> None:\n    h = buffer(f32, N, M)\n    grown(x, h)\n    grown(x=h, y=y)\n"
        )
        (self.folder / "program_called.py").write_text(called)
        (self.folder / "program_calling.py").write_text(calling)
        self.addCleanup(lambda: [sys.modules.pop(name, None) for name in ("program_called", "program_calling")])
        program_calling: Any = importlib.import_module("program_calling")

        package = htp.compile_program(self.folder / "program_calling.py", target="cpu", out=self.folder / "calling.htp")
        native = program_calling.twice_grown.compile("cpu")
        with htp.bind(package) as bound:
            for rows in (0, 2, 3, 5):
                x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
                expected = np.where(np.arange(rows)[:, None] < 3, x + 8, 0.0)
                for call in (program_calling.twice_grown, native, bound):
                    np.testing.assert_array_equal(call(x), expected)

    def test_a_call_compiles_and_gives_what_was_not_given(self) -> None:
        y = self.agree(self.program.twice, self.x)
        self.assertTrue(np.array_equal(y, self.x * 2))
        self.assertIsNone(self.program.twice(self.x, y))
        self.assertIsNone(self.program.twice(x=self.x, y=y))
        self.assertTrue(np.array_equal(self.program.twice(x=self.x), y))
        self.assertEqual((self.program.twice.__name__, self.program.twice.__doc__), ("twice", "Each element, scaled."))
        self.assertIn("00-source", [stage.name for stage in self.program.twice.stages()])
        self.assertNotIn("jit", str(self.program.twice.stages()["source"]))
        self.assertIn("cpu.loops", self.program.twice.explain())
        self.assertIn("<td", self.program.twice._repr_html_())
        os.environ["HTP_INTERPRET"] = "1"
        try:
            with unittest.mock.patch.object(type(self.program.twice.entry), "run", side_effect=AssertionError("plain")):
                with self.assertRaisesRegex(AssertionError, "plain"):
                    self.program.twice(self.x)
        finally:
            del os.environ["HTP_INTERPRET"]
        self.assertGreater(self.program.twice.bench(self.x, y, seconds=0.01).median, 0)

    def test_numbers_and_several_outputs(self) -> None:
        halves = self.program.halves.compile("cpu")
        x, y, z = self.x[0].copy(), np.ones(7, np.float32), np.ones(7, np.float32)
        total = halves(0.5, 3, x, y)
        expected = self.program.halves(0.5, 3, x, z)
        self.assertTrue(np.array_equal(y, z) and np.array_equal(total, expected) and total.shape == (1,))
        self.assertIsNone(halves(np.float32(0.5), 3, x, y, total))
        for call in (halves, self.program.halves):
            for steps in (np.int32(3), np.int64(3), np.uint8(3), np.uint64(3)):
                self.assertTrue(np.array_equal(call(0.5, steps, x, np.ones(7, np.float32)), total))
            for steps in (np.float32(3), np.bool_(True), np.uint64(2**63)):
                with self.assertRaises(htp.HtpError):
                    call(0.5, steps, x, np.ones(7, np.float32))
        for wrong in ((0.5, 3.0, x, y), (0.5, True, x, y), (0.5, 2**63, x, y), ("a", 3, x, y), (0.5, 3, x, x), (0.5, 3, x)):
            messages = []
            for call in (halves, self.program.halves):
                with self.assertRaises(htp.HtpError) as caught:
                    call(*wrong)
                messages.append(str(caught.exception))
            self.assertEqual(*messages)

    def test_each_input_that_changes_is_compiled_anew(self) -> None:
        twice, x, seen = self.program.twice, self.x, {}

        def holds(what: str, factor: float, plus: float) -> None:
            y = self.agree(twice, x)
            self.assertTrue(np.array_equal(y, x * np.float32(factor) + np.float32(plus)), what)
            seen.setdefault(twice.folder, what)

        holds("as written", 2, 0)
        self.program.SCALE = 3.0
        holds("a constant", 3, 0)
        sys.modules["beside"].OFFSET = 1.0  # type: ignore[attr-defined]
        holds("a constant of another file", 3, 1)
        self.program.SCALE = 2.0
        sys.modules["beside"].OFFSET = 0.0  # type: ignore[attr-defined]
        holds("back", 2, 0)
        text = "from htp import f32\n\ndef scaled(v: f32) -> f32:\n    return v * 5.0\n"
        linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
        space: dict[str, Any] = {}
        exec(compile(text, "<cell 1>", "exec"), space)
        self.program.scaled = space["scaled"]
        holds("a function", 5, 0)
        self.assertEqual(len(seen), 4, seen)

    def test_whatever_is_rebound_is_what_plain_python_reads_or_refused(self) -> None:
        """Of each thing that is read, in whatever way it was bound: a call after it was bound anew is as plain Python's, or is refused."""
        (self.folder / "again.py").write_text("from beside import OFFSET, shifted\nfrom htp_tile import exp\n")
        (self.folder / "elsewhere.py").write_text("from htp import f32\n\n\ndef shifted(v: f32) -> f32:\n    return v * 3.0\n")
        (self.folder / "bound.py").write_text(
            "import math, htp\nfrom htp import In, Out, f16, f32\nfrom htp_tile import Tensor, cast, kernel, tanh, tiles\nfrom again import OFFSET, exp, shifted\n"
            "L = htp.dim('L')\nA, B = 2.0, 3.0\nC = A * 2 + 1\nTILE = (8, 16)\nROOT = math.sqrt(A * 8)\nNEG, (P, Q) = -1.0, (1.0, 2.0)\nLEN = len(TILE)\nLOW = float('-inf')\nTEXT = 'a'\n"
            "if True:\n    IN_IF = 4.0\n\n\n"
            "def minus(v: f32, k: float = NEG, *, j: float = 2.0 * A) -> f32:\n    return v * k + j\n\n\n"
            "def made(c):\n    def plus(v: f32) -> f32:\n        return v + c\n"
            "    @kernel\n    def cell(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n        for i in tiles(L, 8):\n            y[i] = plus(x[i]) * c\n"
            "    def put(v):\n        nonlocal c\n        c = v\n    return cell, put\n\n\n"
            "cell, put = made(2.0)\n"
            + "".join(
                f"\n\n@kernel\ndef k{k}(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, {by}):\n        y[i] = {value}\n"
                for k, (by, value) in enumerate(
                    [
                        ("8", "x[i] * A + B"), ("8", "x[i] * C"), ("TILE[0]", "x[i]"), ("8", "x[i] * ROOT"), ("8", "minus(x[i])"), ("8", "exp(x[i])"),
                        ("8", "shifted(x[i])"), ("8", "x[i] + OFFSET"), ("8", "cast(cast(x[i], f16), f32)"), ("LEN", "x[i] * math.pi"), ("8", "x[i] * P + IN_IF"), ("8", "x[i] + LOW"),
                        ("8", "x[i] - float('inf')"),
                    ]
                )
            )
        )  # fmt: skip
        import again, beside, bound, elsewhere  # noqa: E401
        import htp_tile

        self.addCleanup(lambda: [sys.modules.pop(name, None) for name in ("again", "bound", "elsewhere")])
        entries = [value for value in vars(bound).values() if isinstance(value, htp.Entry)]
        self.assertEqual(len(entries), 14)
        compiled = [entry.compile("cpu") for entry in entries]
        x = np.array([0.1, -1.5, 2.25], np.float32)

        def outcomes(calls: list[Any]) -> list[Any]:
            found: list[Any] = []
            for call in calls:
                try:
                    found.append(call(x).tolist())
                except Exception as error:
                    found.append(error)
            return found

        def agree(what: str) -> list[str]:
            refused: list[str] = []
            expected = outcomes(entries)
            for entry, wanted, given in zip(entries, expected, outcomes(compiled)):
                if isinstance(given, Exception):
                    self.assertIsInstance(given, htp.HtpError, (what, entry.name, given))
                    refused.append(f"{entry.name}: {given}")
                else:
                    self.assertTrue(np.allclose(wanted, given, 1e-6), (what, entry.name, wanted, given))
            return refused

        self.assertEqual(agree("as written"), [])

        def rebound(space: Any, name: str, value: Any, refused: int = 0) -> None:
            before = getattr(space, name, self)
            setattr(space, name, value)
            try:
                said = agree(f"{name} = {value}")
                self.assertEqual(len(said), refused, (name, said))
            finally:
                setattr(space, name, before) if before is not self else delattr(space, name)
            self.assertEqual(agree(f"{name} as it was"), [])

        for name, value in {"A": 9.0, "B": 8.0, "C": 7.0, "TILE": (4, 2), "ROOT": 6.0, "NEG": 5.0, "P": 4.0, "LEN": 3, "LOW": 0.5, "IN_IF": 2.0, "OFFSET": 1.0}.items():
            rebound(bound, name, value)
        rebound(beside, "OFFSET", 11.0)
        rebound(again, "OFFSET", 12.0)
        rebound(bound, "exp", htp_tile.tanh)
        rebound(again, "exp", htp_tile.tanh)
        rebound(bound, "shifted", elsewhere.shifted)
        rebound(beside, "shifted", elsewhere.shifted)
        rebound(bound.minus, "__defaults__", (6.0,))
        rebound(bound.minus, "__kwdefaults__", {"j": 0.5})
        rebound(bound.minus, "__kwdefaults__", {}, 1)
        rebound(bound.minus, "__code__", (lambda v, k=0, *, j=0: v).__code__, 1)
        rebound(bound, "f16", htp.bf16, 1)
        rebound(bound, "cast", lambda value, _: value, 1)
        rebound(bound.math, "pi", 3.0, 1)
        rebound(bound, "math", bound.htp, 1)
        rebound(bound, "A", np.zeros(3), 1)
        rebound(bound, "float", lambda text: 1.0, 2)
        for value in (9.0, 2.0, 3.0):
            bound.put(value)
            self.assertEqual(agree(f"a cell of {value}"), [])
        exact = [program_of(entry).path.parent == self.folder for entry in entries]
        self.assertEqual([entry.name for entry, same in zip(entries, exact) if not same], ["cell", "k3", "k10"])

    def test_a_constant_that_is_given_and_those_computed_of_it(self) -> None:
        (self.folder / "derived.py").write_text(
            "import math, htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles\nL = htp.dim('L')\nA = 4.0\nB = A * 2\nC = math.sqrt(B)\n"
            + "".join(
                f"@kernel\ndef of_{c}(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, 8):\n        y[i] = x[i] * A + {c}\n" for c in "BC"
            )
        )
        import derived

        self.addCleanup(lambda: sys.modules.pop("derived"))
        x = np.ones(1, np.float32)
        self.assertEqual(derived.of_B.compile("cpu", A=5.0)(x), 15)
        self.assertEqual(derived.of_C.compile("cpu", A=5.0, C=1.0)(x), 6)
        self.assertEqual(htp.bind(htp.compile_program(derived.of_C))(x), np.float32(4 + 8**0.5))
        with self.assertRaisesRegex(htp.HtpError, "`A=…`: `C` is computed of it, and is compiled with the value that it has: give `C` too"):
            derived.of_C.compile("cpu", A=5.0)(x)

    def test_a_script_that_binds_anew(self) -> None:
        script = self.folder / "script.py"
        script.write_text(
            "import numpy as np, htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles\nL = htp.dim('L')\nA = 2.0\n@htp.jit()\n@kernel\n"
            "def go(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, 8):\n        y[i] = x[i] * A\n"
            "x = np.ones(1, 'f4')\nprint(go(x))\nA = 3.0\nprint(go(x))\nfor A in (4.0, 5.0):\n    print(go(x))\n"
        )
        done = subprocess.run([sys.executable, script], capture_output=True, text=True)
        self.assertEqual(done.stdout, "[2.]\n[3.]\n[4.]\n[5.]\n", done.stderr)

    def test_files_that_change_are_compiled_anew_and_what_did_not_is_found(self) -> None:
        run = "import numpy as np, program\nprint(program.twice(np.ones((1, 1), np.float32))[0, 0], program.twice.folder)"

        def call(**environment: str) -> list[str]:
            done = subprocess.run([sys.executable, "-c", run], cwd=self.folder, env={**os.environ, **environment}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.split(" ", 1)

        first = call()
        self.assertEqual((first[0], call()), ("2.0", first))
        (self.folder / "program.py").write_text(PROGRAM.replace("SCALE = 2.0", "SCALE = 4.0"))
        second = call()
        self.assertEqual(second[0], "4.0")
        (self.folder / "beside.py").write_text(BESIDE.replace("OFFSET = 0.0", "OFFSET = 0.5"))
        third = call()
        self.assertEqual(third[0], "4.5")
        (self.folder / "program.py").write_text(PROGRAM)
        (self.folder / "beside.py").write_text(BESIDE)
        self.assertEqual(call(), first)
        self.assertEqual(call(HTP_CACHE="off")[0], "2.0")
        self.assertEqual(len({first[1], second[1], third[1]}), 3)
        self.assertEqual(call(HTP_INTERPRET="1", HTP_CACHE="off")[0], "2.0")
        kept = Path(first[1].strip()) / "codegen/cpu/kernel.c"
        kept.write_text(kept.read_text().replace("* 2.0f", "* 9.0f"))
        self.assertEqual(call(), first)  # what was tampered with is made again
        self.assertNotIn("9.0f", kept.read_text())

    def test_a_file_that_changed_since_it_was_loaded_is_not_taken_for_what_runs(self) -> None:
        (self.folder / "program.py").write_text(PROGRAM.replace("scaled(x[i, :])", "scaled(x[i, :]) * 2.0"))
        with self.assertRaisesRegex(htp.HtpError, "has changed since `twice` was read from it: load it again"):
            self.program.twice(self.x)

    def test_sizes_and_constants_only_when_asked(self) -> None:
        plain = self.program.twice.entry
        fixed = plain.compile("cpu", N=7, SCALE=8.0)
        self.assertTrue(np.array_equal(fixed(self.x), self.x * 8))
        with self.assertRaisesRegex(htp.HtpError, "has size 6 in dimension 1, and its type says 7"):
            fixed(self.x[:, :6].copy())
        self.assertEqual(plain.compile("cpu")(self.x[:, :6].copy()).shape, (5, 6))
        with self.assertRaises(htp.CompileError) as caught:
            plain.compile("cpu", K=3)(self.x)
        self.assertIn("`K=…`: the program has no module constant of that name", str(caught.exception))
        with self.assertRaises(htp.CompileError):
            plain.compile("nowhere")(self.x)
        with self.assertRaisesRegex(htp.HtpError, "give `target`, or a `profile`"):
            plain.compile("cpu", profile="cpu")
        with self.assertRaisesRegex(htp.HtpError, r"`htp.jit` is called"):
            htp.jit(plain)  # type: ignore[arg-type]
        with self.assertRaisesRegex(htp.HtpError, r"stands above `@kernel`"):
            htp.jit("cpu")(lambda: None)  # type: ignore[arg-type]

    def test_a_path_or_an_entry_without_profile_or_folder(self) -> None:
        plain = self.folder / "plain.py"
        text = PROGRAM.replace("import os, sys, htp, numpy as np", "import htp").partition("\n\nx, y = np")[0] + "\n"
        plain.write_text(text)
        by_path = htp.compile_program(plain, entry="twice")
        by_entry = htp.compile_program(self.program.twice, target="cpu")
        for package in (by_path, by_entry):
            with htp.bind(package) as bound:
                self.assertTrue(np.array_equal(bound(self.x), self.x * 2))
        self.assertEqual(htp.compile_program(plain, entry="twice", target="cpu"), by_path)

    def test_the_examples(self) -> None:
        """Each entry's program is found where it stands."""
        for path in sorted(Path(os.environ["HTP_SOURCE_DIR"]).glob("examples/*/*.py")):
            sys.path.insert(0, str(path.parent))
            found = __import__(path.stem)
            for entry in [value for value in vars(found).values() if isinstance(value, htp.Entry) and value.__module__ == path.stem]:
                self.assertEqual(program_of(entry).path, path)
            sys.path.remove(str(path.parent))

    def test_programs_that_are_written_out_compile_to_the_same(self) -> None:
        """Examples, as if no file said them: what is put together of what runs gives the same code."""

        def code(package: Path) -> list[str]:
            return [re.sub(r"//.*|program.py:[0-9]+", "", path.read_text()) for path in sorted(package.glob("codegen/cpu/*.c"))]

        for path in taken(sorted(Path(os.environ["HTP_SOURCE_DIR"]).glob("examples/*/*.py"))):
            sys.path.insert(0, str(path.parent))
            found = __import__(path.stem)
            for entry in [value for value in vars(found).values() if isinstance(value, htp.Entry) and value.__module__ == path.stem]:
                try:
                    expected = htp.compile_program(entry)
                except htp.CompileError:
                    continue  # of another target, or a part of another entry
                original = sources._said_by_file
                sources._said_by_file = lambda function, text: False
                try:
                    written = program_of(entry)
                finally:
                    sources._said_by_file = original
                self.assertNotEqual(written.path, path)
                self.assertEqual(code(native.compiled(written.path, profile="cpu", out=None, entry=written.entry)[0]), code(expected), written.path.read_text())
            sys.path.remove(str(path.parent))

    def test_words_of_other_libraries(self) -> None:
        (self.folder / "numpyish.py").write_text(
            "import htp\nimport numpy as np\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles\nL = htp.dim('L')\n@htp.jit()\n@kernel\n"
            "def go(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, 8):\n        y[i] = np.exp(x[i])\n"
        )
        import numpyish

        with self.assertRaisesRegex(htp.HtpError, r"numpyish.py:10: `np.exp` is of numpy, .*: write `exp`, of htp_tile"):
            numpyish.go(self.x[0].copy())

    def test_what_is_read_through_a_file(self) -> None:
        """A package has it, of the file as it is; a call would not see when it is rebound."""
        head = "import beside\nimport htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles\nL = htp.dim('L')\n@kernel\n"
        (self.folder / "through.py").write_text(
            head + "def go(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, 8):\n        y[i] = beside.shifted(x[i]) + beside.OFFSET\n"
        )
        self.addCleanup(lambda: sys.modules.pop("through", None))
        through: Any = importlib.import_module("through")
        x = self.x[0].copy()
        with htp.bind(htp.compile_program(self.folder / "through.py", target="cpu", out=self.folder / "through.htp")) as bound:
            np.testing.assert_array_equal(bound(x), through.go(x))
        with self.assertRaisesRegex(htp.HtpError, r"through.py:9: a call does not see when `beside.[a-zA-Z]+` is rebound: write `from beside import"):
            through.go.compile("cpu")(x)

    def test_a_star_in_a_file(self) -> None:
        (self.folder / "stars.py").write_text(
            "import htp\nimport numpy\nfrom htp import *\nfrom htp_tile import *\nL = htp.dim('L')\n@htp.jit()\n@kernel\n"
            "def go(x: In[Tensor[f32, L]], y: Out[Tensor[f32, L]]) -> None:\n    for i in tiles(L, 8):\n        y[i] = exp(x[i])\n"
        )
        import stars

        self.assertTrue(np.allclose(stars.go(self.x[0].copy()), np.exp(self.x[0])))

    def test_typed_programs(self) -> None:
        cells = [
            "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import *\n",
            'K = htp.dim("K")\nBY = 3.0\n',
            "def times(v: f32) -> f32:\n    return v * BY\n",
            "@htp.jit()\n@kernel\ndef go(x: In[Tensor[f32, K]], y: Out[Tensor[f32, K]]) -> None:\n    for i in tiles(K, 8):\n        y[i] = times(x[i])\n",
        ]
        x = self.x[0].copy()
        notebook: dict[str, Any] = {}
        for k, cell in enumerate(cells):
            linecache.cache[f"<cell {k}>"] = (len(cell), None, cell.splitlines(True), f"<cell {k}>")
            exec(compile(cell, f"<cell {k}>", "exec"), notebook)
        self.assertTrue(np.array_equal(self.agree(notebook["go"], x), x * 3))
        notebook["BY"] = 4.0
        self.assertTrue(np.array_equal(self.agree(notebook["go"], x), x * 4))
        whole = "\n".join(cells)
        executed: dict[str, Any] = {}
        exec(whole, executed)
        self.assertTrue(np.array_equal(self.agree(executed["go"], x), x * 3))

        def made(by: float) -> Any:
            K = executed["K"]
            f32, Tensor, In, Out, kernel, tiles = htp.f32, htp.Tensor, htp.In, htp.Out, executed["kernel"], executed["tiles"]
            text = "def inner(k):\n    @kernel\n    def go(x: In[Tensor[f32, K]], y: Out[Tensor[f32, K]]) -> None:\n        for i in tiles(K, 8):\n            y[i] = x[i] * k\n    return go\n"
            space = {"K": K, "f32": f32, "Tensor": Tensor, "In": In, "Out": Out, "kernel": kernel, "tiles": tiles}
            linecache.cache["<inner>"] = (len(text), None, text.splitlines(True), "<inner>")
            exec(compile(text, "<inner>", "exec"), space)
            return space["inner"](by).compile("cpu")  # type: ignore[operator]

        five, six = made(5.0), made(6.0)
        self.assertTrue(np.array_equal(five(x), x * 5) and np.array_equal(six(x), x * 6))

    def test_a_prompt(self) -> None:
        typed = "import htp, numpy as np\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles\nN = htp.dim('N')\n"
        typed += '@htp.jit()\n@kernel\ndef inc(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n    for i in tiles(N, 8):\n        y[i] = x[i] + 1.0\n\nprint("got", inc(np.zeros(3, "f4")))\n'
        home = {**os.environ, "HOME": str(self.folder)}  # which gets a history
        done = subprocess.run(["script", "-qec", f"{sys.executable} -q", "/dev/null"], input=typed + "exit()\n", capture_output=True, text=True, timeout=60, env=home)
        self.assertIn("got [1. 1. 1.]", done.stdout)
        piped = subprocess.run([sys.executable, "-i", "-q"], input=typed, capture_output=True, text=True, timeout=60, env={**home, "HOME": str(self.folder / "other")})
        self.assertIn("the text of `inc` is not kept here (<stdin>): write it in a file, or in a notebook", piped.stderr)

    def test_errors_have_kinds_and_no_frames_of_ours(self) -> None:
        self.program.twice(self.x)
        call = self.program.twice.package.routines["twice"].function()
        self.assertEqual(frames(lambda: call(self.x.astype(np.float64))), 2)
        self.assertEqual(frames(lambda: self.program.twice(self.x.astype(np.float64))), 3)
        with self.assertRaises(htp.RunError) as refused:
            self.program.twice(self.x, np.empty((5, 8), np.float32))
        self.assertNotIsInstance(refused.exception, htp.CompileError)
        self.assertTrue(str(refused.exception).startswith("error[bind.wrong-extent]: dimension 1 of argument `y` is 8, expected 7\n"))
        self.assertEqual(refused.exception.diagnostics[0]["code"], "bind.wrong-extent")
        self.assertEqual(htp.CompileError.__module__, "htp")

    def test_a_fault_as_it_runs(self) -> None:
        text = (
            "import htp\nfrom htp import In, Out, f32, i32\nfrom htp_tile import *\nN = htp.dim('N')\nM = htp.dim('M')\n@kernel\n"
            "def pick(at: int, x: In[Tensor[f32, M]], y: Out[Tensor[f32, N]]) -> None:\n    for i in tiles(N, 1):\n        y[i] = x[at + i]\n"
        )
        space: dict[str, Any] = {}
        exec(text, space)
        pick = space["pick"].compile("cpu")
        x, y = self.x[0].copy(), np.empty(3, np.float32)
        pick(1, x, y)
        self.assertTrue(np.array_equal(y, x[1:4]))
        with self.assertRaises(htp.RunError) as caught:
            pick(100, x, y)
        self.assertIn("error[cpu.outside]", str(caught.exception))
        self.assertIn("x[at + i]", str(caught.exception))

    def test_no_compiler(self) -> None:
        run = "import numpy as np, program\nprogram.twice(np.ones((1, 1), np.float32))"
        done = subprocess.run([sys.executable, "-c", run], cwd=self.folder, env={**os.environ, "PATH": "/nowhere"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("htp.PackageError: error[cpu.no-compiler]", done.stderr)
        self.assertIn("apt-get install gcc", done.stderr)

    def test_threads(self) -> None:
        twice, wrong = self.program.twice, []

        def work(seed: int) -> None:
            x = np.random.default_rng(seed).standard_normal((64, 33)).astype(np.float32)
            y = np.empty_like(x)
            for _ in range(300):
                twice(x, y)
                if not np.array_equal(y, x * 2) or not np.array_equal(twice(x), y):
                    wrong.append(seed)
                try:
                    twice(x, y[:5])
                    wrong.append(seed)
                except htp.RunError:
                    pass

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_the_fast_way_takes_what_the_other_does(self) -> None:
        """Random calls, many of them wrong: accepted or refused alike, with the same words and the same results."""
        text = (
            "import htp\nfrom htp import In, InOut, Out, f32, i16\nfrom htp_tile import *\nM, N = htp.dim('M'), htp.dim('N')\n@kernel\n"
            "def k(a: In[Tensor[f32, M, N]], s: i16, b: InOut[Tensor[f32, M, N]], n: int, c: Out[Tensor[i16, N]], d: Out[Tensor[f32, M, 3]]) -> None:\n"
            "    for i in tiles(M, 8):\n        b[i, :] = b[i, :] + a[i, :]\n        d[i, :] = full(f32, 1.5, i, 3)\n    c[:] = s + 1\n"
        )
        space: dict[str, Any] = {}
        exec(text, space)
        routine = space["k"].compile("cpu").package.routines["k"]
        fast, other = routine.function(), routine._any
        generator = np.random.default_rng(7)

        def pick(*of: Any) -> Any:
            return of[generator.integers(len(of))]

        def array(shape: list[int], dtype: str) -> Any:
            shape = [extent if generator.random() < 0.97 else int(generator.integers(0, 5)) for extent in shape][: pick(9, 9, 9, 9, 9, 9, 9, 9, 1)]
            made = generator.integers(0, 9, [2 * extent for extent in shape]).astype(dtype if generator.random() < 0.97 else pick("f8", "i2", ">f4", "f4"))
            view = made[tuple(slice(0, extent) for extent in shape)]
            return view.copy(order=pick("C", "C", "C", "C", "C", "F")) if generator.random() < 0.95 else view

        taken = 0
        for _ in range(600):
            m, n = (int(pick(0, 1, 2, 5)) for _ in range(2))
            given: dict[str, Any] = {"a": array([m, n], "f4"), "s": pick(3, 3, 3, -(2**15), 2**15, 1.0, True, np.int16(4)), "b": array([m, n], "f4")}
            given |= {"n": pick(1, 1, 2**63, False, 0.5), "c": array([n], "i2"), "d": array([m, 3], "f4")}
            if generator.random() < 0.1:
                given["b"] = pick(given["a"], given["a"][:1], given["d"])
            names = [name for name in given if name not in ("c", "d") or generator.random() < 0.7]
            if generator.random() < 0.05:
                names.remove(pick(*names))
            whole = len(names) == len(given)
            count = int(pick(0, len(names), generator.integers(len(names) + 1)))
            behind = {name: name for name in names[count:]} if whole else {name: name for name in names if name in ("c", "d") or names.index(name) >= count}
            positional = [name for name in names if name not in behind]
            outcomes = []
            for call in (fast, other):
                copies = {name: value.copy(order="A") if isinstance(value, np.ndarray) and value.base is None else value for name, value in given.items()}
                try:
                    result = call(*(copies[name] for name in positional), **{name: copies[name] for name in behind})
                    taken += call is fast
                except htp.HtpError as error:
                    result = f"{type(error)}: {error}"
                outcomes.append((repr(result), repr(copies["b"]), *(repr(copies[name]) for name in ("c", "d") if name in names and not isinstance(result, str))))
            if any(np.shares_memory(given["b"], given[name]) for name in ("a", "d")) or given["b"].base is not None:
                outcomes = [(outcome[0],) if "Error" in outcome[0] else outcome[:1] for outcome in outcomes]
            self.assertEqual(*outcomes, (positional, behind, given))
        self.assertGreater(taken, 60)

    def test_the_command_line(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "HTP_HOST"}
        done = subprocess.run([sys.executable, "-m", "htp", "--version"], env=environment, capture_output=True, text=True)
        self.assertTrue(done.stdout.startswith("htp-host "), done)
        self.assertEqual(subprocess.run([sys.executable, "-m", "htp", "nonsense"], env=environment, capture_output=True).returncode, 2)

    def test_a_copy_of_the_process_leaves_the_package(self) -> None:
        run = (
            "import os, sys, numpy as np, program\nx = np.ones((1, 1), np.float32)\nprogram.twice(x)\nfolder = program.twice.folder\n"
            "child = os.fork()\nif child == 0:\n    program.twice(x)\n    sys.exit(0)\nos.waitpid(child, 0)\nprint(folder.is_dir(), folder)"
        )
        done = subprocess.run([sys.executable, "-c", run], cwd=self.folder, env={**os.environ, "HTP_CACHE": "off"}, capture_output=True, text=True)
        there, folder = done.stdout.split(" ", 1)
        self.assertEqual(there, "True", done)
        self.assertFalse(Path(folder.strip()).exists())

    def test_a_closed_package_refuses(self) -> None:
        package = htp.bind(htp.compile_program(self.program.twice))
        function = package.routines["twice"].function()
        function(self.x)
        package.close()
        for call in (function, package):
            with self.assertRaisesRegex(htp.HtpError, "belongs to a package that is closed"):
                call(self.x)


class Arrays(unittest.TestCase):
    """Arguments that are no NumPy arrays, or lie otherwise: what is written arrives."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        os.environ["HTP_CACHE"] = str(Path(cls.folder.name) / "cache")
        text = (
            "import htp\nfrom htp import In, InOut, Out, f32, bf16, bool_\nfrom htp_tile import *\nM = htp.dim('M')\nN = htp.dim('N')\n@kernel\n"
            "def add(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:\n"
            "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + y[i, :]\n        z[i, :] = y[i, :] * 2.0\n"
        )
        space: dict[str, Any] = {}
        exec(text, space)
        cls.plain = space["add"]
        cls.native = cls.plain.compile("cpu")
        cls.copying = cls.plain.compile("cpu", copy=True)

    folder: tempfile.TemporaryDirectory[str]
    plain: Any
    native: Any
    copying: Any

    def three(self) -> list[Any]:
        return [np.arange(12, dtype=np.float32).reshape(3, 4) + k for k in range(3)]

    def holds(self, call: Any, wrap: Any, read: Any = lambda array: array) -> None:
        expected = self.three()
        self.plain(*expected)
        arrays = [wrap(array) for array in self.three()]
        call(*arrays)
        for array, wanted in zip(arrays, expected):
            self.assertTrue(np.array_equal(read(array), wanted))

    def test_who_gives_memory(self) -> None:
        class ByDlpack:
            def __init__(self, array: Any) -> None:
                self.array = array

            def __dlpack__(self, stream: Any = None) -> Any:
                return self.array.__dlpack__()

            def __dlpack_device__(self) -> Any:
                return self.array.__dlpack_device__()

        class ByInterface:
            def __init__(self, array: Any) -> None:
                self.array, self.__array_interface__ = array, array.__array_interface__

        for call in (self.native, self.plain):
            self.holds(call, ByDlpack, lambda one: one.array)
            self.holds(call, ByInterface, lambda one: one.array)
            self.holds(call, memoryview, np.asarray)

    def test_buffers_that_leave_out_strides(self) -> None:
        """ctypes gives none, whoever asks; and its types say what their bytes mean."""

        def in_c(array: Any, kind: Any = ctypes.c_float) -> Any:
            made = (kind * 4 * 3)()
            np.asarray(made)[...] = array
            return made

        for call in (self.native, self.plain, self.copying):
            self.holds(call, in_c, np.asarray)
            x, y, z = self.three()
            self.assertTrue(np.array_equal(call(in_c(x), in_c(y)), self.plain(x, y)))
            for wrong in ((ctypes.c_float * 12)(), ctypes.c_float(1), (ctypes.c_float * 4 * 0)(), in_c(x, ctypes.c_int32), in_c(x, ctypes.c_float.__ctype_be__), bytearray(48)):
                with self.assertRaises(htp.HtpError):
                    call(wrong, y, z)
            again = in_c(x)
            with self.assertRaisesRegex(htp.HtpError, "share memory"):
                call(again, again, z)

    def test_arrays_that_mean_more_than_their_memory(self) -> None:
        x, y, z = self.three()
        for call in (self.native, self.plain, self.copying):
            with self.assertRaisesRegex(htp.HtpError, r"`x` is a masked array, and a call has no masks: give `x.filled\(…\)`, or `x.data`"):
                call(np.ma.array(x, mask=x > 2), y, z)
            for row in (np.lib.stride_tricks.as_strided(z, (3, 4), (0, 4)), np.lib.stride_tricks.as_strided(z, (3, 4), (8, 4))):
                with self.assertRaisesRegex(htp.HtpError, "`z` is written, and an array whose elements share memory is given: give it one of its own"):
                    call(x, y, row)
        for shape, steps in (((2, 3), (12, 8)), ((2, 3), (8, 12)), ((3, 2), (8, 12)), ((3, 2), (8, 16)), ((2, 2), (6, 4)), ((3, 1), (4, 0)), ((0, 3), (0, 0)), ((), ())):
            one = np.lib.stride_tricks.as_strided(np.zeros(99, np.float32), shape, steps)
            bytes = [at + k for index in np.ndindex(*shape) for at in [sum(i * s for i, s in zip(index, steps))] for k in range(4)]
            self.assertEqual(meets_itself(one), len(set(bytes)) < len(bytes), (shape, steps))

    def test_who_says_nonsense_of_its_memory(self) -> None:
        class Of:
            def __init__(self, **said: Any) -> None:
                vars(self).update(said)

        class Capsule:
            def __init__(self, capsule: Any, device: Any) -> None:
                self.capsule, self.device = capsule, device

            def __dlpack__(self, stream: Any = None) -> Any:
                return self.capsule

            def __dlpack_device__(self) -> Any:
                return self.device

        x, y, z = self.three()
        interfaces: list[Any] = [3, {}, {"shape": (-3, 4), "typestr": "<f4", "data": (x.ctypes.data, False), "version": 3}, {"shape": (3, 4), "typestr": "<q9", "data": (0, False), "version": 3}]
        for call in (self.native, self.plain):
            for said in interfaces:
                with self.assertRaises(htp.HtpError):
                    call(Of(__array_interface__=said), y, z)
            for capsule, device in (("hey", (1, 0)), (None, (1, 0)), (x.__dlpack__(), ()), (x.__dlpack__(), "cpu"), (x.__dlpack__(), None)):
                with self.assertRaisesRegex(htp.HtpError, "`x` is not given as DLPack"):
                    call(Capsule(capsule, device), y, z)

    def test_what_lies_otherwise_is_copied_when_asked(self) -> None:
        ways: list[Any] = [np.asfortranarray, lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: np.ascontiguousarray(a[::-1])[::-1]]
        for wrap in ways:
            self.holds(self.copying, wrap)
            self.holds(self.plain, wrap)
            with self.assertRaises(htp.HtpError):
                self.native(*map(wrap, self.three()))
        packed = np.zeros(3 * 4 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(3, 4)
        packed[...] = self.three()[0]
        self.assertFalse(packed.flags.aligned)
        x, y, z = self.three()
        self.copying(packed, y, z)
        with self.assertRaises(htp.HtpError):
            self.native(packed, y, z)

    def test_what_cannot_be_given(self) -> None:
        x, y, z = self.three()
        frozen = z.copy()
        frozen.flags.writeable = False

        class Elsewhere:
            def __dlpack_device__(self) -> Any:
                return 2, 0

            def __dlpack__(self, stream: Any = None) -> Any:
                raise AssertionError("not asked for")

        for call in (self.native, self.plain):
            for wrong, message in (
                ((x, y, frozen), "`z` is written, and a read-only array is given"),
                ((x, y, memoryview(frozen)), "`z` is written, and a read-only array is given"),
                ((Elsewhere(), y, z), r"`x` lies on a device \(DLPack's type 2\)"),
                ((x, y, "no"), "`z` is an array, and str is given"),
                ((x.astype(">f4"), y, z), "an array of >f4 is given"),
                ((x.astype("f8"), y, z), "an array of float64 is given"),
            ):
                with self.assertRaisesRegex(htp.HtpError, message):
                    call(*wrong)
            with self.assertRaises(htp.HtpError):
                call(x, x, z)
            with self.assertRaises(htp.HtpError):
                call(x, y, y[:3])
        whole = np.zeros((6, 4), np.float32)
        self.native(whole[:3], whole[3:], z)  # beside each other

    def test_torch(self) -> None:
        try:
            import torch
        except ImportError:
            self.skipTest("python3-torch is not installed")
        for call in (self.native, self.plain):
            self.holds(call, torch.from_numpy, lambda tensor: tensor.numpy())
            x, y, _ = map(torch.from_numpy, self.three())
            self.assertIsInstance(call(x, y), torch.Tensor)
            with self.assertRaisesRegex(htp.HtpError, "`x` is not given as DLPack"):
                call(x.clone().requires_grad_(), y)
            with self.assertRaisesRegex(htp.HtpError, "`x` lies on a device|`x` is not given as DLPack"):
                call(x.to("meta"), y)
        space: dict[str, Any] = {}
        text = (
            "import htp\nfrom htp import In, Out, bf16, bool_\nfrom htp_tile import *\nM, N = htp.dim('M'), htp.dim('N')\n@kernel\n"
            "def chosen(x: In[Tensor[bf16, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:\n"
            "    for i in tiles(M, 8):\n        y[i, :] = where(m[i, :], x[i, :], 0.0)\n"
        )
        exec(text, space)
        halves, mask = torch.randn(5, 6).to(torch.bfloat16), torch.rand(5, 6) > 0.5
        expected = torch.where(mask, halves, torch.zeros_like(halves))
        for call in (space["chosen"].compile("cpu"), space["chosen"]):
            y = call(halves, mask)
            self.assertTrue(y.dtype is torch.bfloat16 and bool((y == expected).all()))
            z = torch.zeros_like(halves)
            call(halves, mask, z)
            self.assertTrue(bool((z == expected).all()))
            self.assertEqual(tuple(call(halves[:0], mask[:0]).shape), (0, 6))
            with self.assertRaisesRegex(htp.HtpError, "`m` is of bool_"):
                call(halves, mask.to(torch.uint8))


if __name__ == "__main__":
    unittest.main()
