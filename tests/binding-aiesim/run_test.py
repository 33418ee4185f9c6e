"""Packages of AI Engines on the simulated array: the text of the module is what runs, so what is changed in it shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np
import sized
from htp import testing
from simulated import AIE_OPT, MODULE, PLUGINS, ROOT, Case, replaced
from tools import missing


class Externals(Case):
    """Functions that are compiled apart: their text in the package is what runs."""

    def test_the_text_in_the_package_is_run(self) -> None:
        package = self.package("external_kernel", "M=64", "N=32")
        x, w, y = self.run_package(package)
        np.testing.assert_array_equal(y, np.maximum((x + np.float32(1)) * w, np.float32(0)))
        text = (package / "codegen/aie/scaled.cc").read_text()
        replaced(package, "codegen/aie/scaled.cc", text.replace("product < 0 ? 0 : product", "product"))
        x, w, y = self.run_package(package, self.profile(aiesim_binding={"compared": 0}))
        np.testing.assert_array_equal(y, (x + np.float32(1)) * w)

    def told(self, name: str, sizes: list[str], source: str, old: str, new: str) -> str:
        package = self.package(name, *sizes)
        text = (package / f"codegen/aie/{source}").read_text()
        self.assertIn(old, text)
        replaced(package, f"codegen/aie/{source}", text.replace(old, new, 1))
        with self.assertRaises(htp.Diagnosed) as raised:
            self.run_package(package)
        return raised.exception.rendered

    def test_what_differs_from_its_body_is_told(self) -> None:
        sizes = ["M=64", "N=32", "K=64"]
        told = self.told("external_kernel", ["M=64", "N=32"], "scaled.cc", "x[r * columns + c] * by[c]", "x[r * columns + c] * by[c] + (r == 2 && c == 5 ? 0.5f : 0)")
        self.assertRegex(told, r"error\[aiesim.meaning\]: `scaled` of `scaled.cc` gives [-\d.e]+ at \[2, 5\], and its Python body gives [-\d.e]+\n +--> .*external_kernel_M64_N32\.py:\d+:1")
        self.assertIn("of this run; they may differ by", told)
        told = self.told("external_product", sizes, "multiplied.cc", "sums[r * columns + c] += ", "sums[r * columns + c] = ")
        self.assertRegex(told, r"`multiplied` of `multiplied.cc` gives -?\d+ at \[0, 0\], and its Python body gives -?\d+")
        told = self.told("external_product", sizes, "multiplied.cc", "sum > most[r]", "sum < most[r]")
        self.assertRegex(told, r"`narrowed` of `multiplied.cc` gives -?\d+ at \[\d+, 0\] of result 2, and its Python body gives -?\d+")
        self.assertIn("where whole numbers agree exactly", told)

    def test_no_python_of_a_plugin_that_was_not_chosen_runs(self) -> None:
        (program,) = [sized.sized("external_kernel", ["M=64", "N=32"], self.folder)]
        package, found = self.folder / "alone.package", self.folder / "found"
        htp.compile_program(program, profile=ROOT / "manifests/aie.yaml", out=package, plugin_path=PLUGINS)
        (found / "stranger/python/stranger").mkdir(parents=True)
        (found / "stranger/htp-plugin.yaml").write_text("htp_manifest: 1\nplugin:\n  id: stranger.words\n  version: '1.0.0'\n  doc: words\npython:\n  module: stranger\n  path: python\n")
        (found / "stranger/python/stranger/__init__.py").write_text("")
        (found / "stranger/python/sitecustomize.py").write_text(f"open({str(self.folder / 'ran')!r}, 'w')\n")
        run = [os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/aie.yaml", "--plugin-path", found]
        self.assertIn("stranger.words", subprocess.run([*run, "plugins", "list"], capture_output=True, text=True).stdout)
        done = subprocess.run([*run, "run", package], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.folder / "ran").exists())

    def test_a_body_that_fails_is_told(self) -> None:
        (program,) = [sized.sized("external_kernel", ["M=64", "N=32"], self.folder)]
        program.write_text(program.read_text().replace("maximum(x * by, 0.0)", "maximum(x.nothing * by, 0.0)"))
        package = self.folder / "failing.package"
        htp.compile_program(program, profile=ROOT / "manifests/aie.yaml", out=package, plugin_path=PLUGINS)
        done = subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/aie.yaml", "run", package], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[aiesim.not-compared]: what `scaled` gives in C++ cannot be compared with its Python body, which fails\n  --> ", done.stderr)

    def test_what_cpp_takes_otherwise_is_told(self) -> None:
        for source, old, new, words in (
            ("scaled", "const float *x", "const int16_t *x", "argument-type]: argument 1 of `scaled` in `scaled.cc` is not `const float *`"),
            ("scaled", "float *result", "const float *other, float *result", "argument-count]: `scaled` of `scaled.cc` does not take 5 arguments"),
            ("scaled", "int32_t rows", "float rows", "argument-type]: argument 4 of `scaled` in `scaled.cc` is not `int32_t`"),
        ):
            told = self.told("external_kernel", ["M=64", "N=32"], f"{source}.cc", old, new)
            self.assertIn(f"error[aiesim.{words}", told)
            self.assertRegex(told, r"--> .*external_kernel_M64_N32\.py:\d+:1\n")
        told = self.told("external_product", ["M=64", "N=32", "K=64"], "multiplied.cc", "int8_t *low", "int16_t *low")
        self.assertIn("argument 3 of `narrowed` in `multiplied.cc` is not `int8_t *`", told)
        told = self.told("external_product", ["M=64", "N=32", "K=64"], "multiplied.cc", "int32_t by", "int64_t by")
        self.assertIn("argument 2 of `narrowed` in `multiplied.cc` is not `int32_t`", told)

    def test_what_is_no_cpp_is_told(self) -> None:
        package = self.package("external_kernel", "M=64", "N=32")
        replaced(package, "codegen/aie/scaled.cc", "#include <aie_api/aie.hpp>\n")
        with self.assertRaises(htp.Diagnosed) as raised:
            self.run_package(package)
        for words in ("aiesim.external", "`scaled.cc` is not compiled by `clang-19`, for this machine", "aie_api/aie.hpp"):
            self.assertIn(words, str(raised.exception))

    def test_what_cpp_says_is_told_at_the_declaration(self) -> None:
        changes = ((r"for \(int32_t r", "four (int32_t r", "aiesim.external", "scaled.cc:", "mend what it says"), ("scaled\\(", "scald(", "aiesim.no-function", "`scaled.cc` has no function `scaled` that a core could call", 'extern "C"'))
        for old, new, *words in changes:
            package = self.package("external_kernel", "M=64", "N=32")
            text = (package / "codegen/aie/scaled.cc").read_text()
            replaced(package, "codegen/aie/scaled.cc", re.sub(old, new, text))
            with self.assertRaises(htp.Diagnosed) as raised:
                self.run_package(package)
            for word in words:
                self.assertIn(word, raised.exception.rendered)
            self.assertRegex(raised.exception.rendered, r"--> .*external_kernel_M64_N32\.py:\d+:1\n")

    def refused(self, body: str, *words: str, **options: object) -> str:
        """What is told of a package whose C++ does other things before its own."""
        package = self.package("external_kernel", "M=64", "N=32")
        text = (package / "codegen/aie/scaled.cc").read_text()
        replaced(package, "codegen/aie/scaled.cc", text.replace("  for (int32_t r = 0;", body + "\n  for (int32_t r = 0;", 1))
        with self.assertRaises(htp.Diagnosed) as raised:
            self.run_package(package, self.profile(aiesim_binding=options) if options else None)
        for word in words:
            self.assertIn(word, str(raised.exception))
        return raised.exception.rendered

    def test_what_crashes_is_told(self) -> None:
        self.refused("*(volatile int *)0 = 1;", "aiesim.crashed", "`scaled` of `scaled.cc` does not come back: Segmentation fault")
        self.refused("__builtin_trap();", "aiesim.crashed", "`scaled` of `scaled.cc` does not come back: ")

    def test_what_never_ends_is_told(self) -> None:
        self.refused("for (volatile int k = 0;;) k = k + 1;", "aiesim.endless", "`scaled` of `scaled.cc` has not come back for 1 seconds", seconds=1)

    def test_what_leaves_its_tiles_is_told(self) -> None:
        # 8 by 32 floats end at a multiple of 64 bytes: what is behind them is a page that cannot be touched, even to read.
        self.refused("for (int k = 0; k < 16; ++k) result[rows * columns + k] = 1;", "aiesim.crashed")
        self.refused("result[0] = ((volatile const float *)x)[rows * columns];", "aiesim.crashed")
        self.refused("result[-1] = 1;", "aiesim.call-writes", "calls `scaled`, which writes in front of its result")
        told = self.refused("((float *)by)[3] = 1;", "aiesim.call-writes", "calls `scaled`, which writes to its argument 2")
        self.assertRegex(told, r"--> .*external_kernel_M64_N32\.py:\d+:1\n")
        self.assertIn("= hint: write to its results, each as long as its tile, and to what `updates` of `@external` names, alone\n", told)

    def test_what_writes_behind_an_odd_tile_is_told(self) -> None:
        package = self.package("external_kernel", "M=8", "N=20")  # 8 by 20 floats are 10 times 64 bytes, a row of factors is 80 bytes
        text = (package / "codegen/aie/scaled.cc").read_text()
        replaced(package, "codegen/aie/scaled.cc", text.replace("  for (int32_t r = 0;", "  ((float *)by)[columns] = 1;\n  for (int32_t r = 0;", 1))
        with self.assertRaises(htp.Diagnosed) as raised:
            self.run_package(package)
        self.assertIn("calls `scaled`, which writes behind its argument 2", str(raised.exception))

    def test_an_object_that_nobody_links_is_told(self) -> None:
        package = self.package("external_kernel", "M=64", "N=32")
        replaced(package, MODULE, (package / MODULE).read_text().replace('} {link_with = "scaled.o"}', "}"))
        with self.assertRaises(htp.Diagnosed) as raised:
            self.run_package(package)
        self.assertIn("`@scaled` is called, and the core links no object that has it", str(raised.exception))


SIGNS = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tanh, tiles


@kernel
def signs(x: In[Tensor[f32, 4, 20]], y: Out[Tensor[f32, 4, 20]]) -> None:
    for i in tiles(4, 1):
        y[i, :] = tanh(x[i, :])
"""


class Functions(Case):
    def test_tanh_keeps_the_sign_of_a_zero(self) -> None:
        (self.folder / "signs.py").write_text(SIGNS)  # 20: a register of 16, and 4 one by one
        package = self.folder / "signs.package"
        htp.compile_program(self.folder / "signs.py", profile=ROOT / "manifests/aie.yaml", out=package, plugin_path=PLUGINS)
        x = np.tile(np.array([0.0, -0.0, 1e-45, -1e-45, np.inf, -np.inf, 0.5, -0.5, 1e-30, -1e-30], np.float32), 8).reshape(4, 20)
        y = np.full_like(x, np.nan)
        with htp.bind(package, plugin_path=PLUGINS) as opened:
            opened.routines["signs"](x, y)
        np.testing.assert_array_equal(np.signbit(y), np.signbit(x))
        np.testing.assert_allclose(y, np.tanh(x.astype(np.float64)), rtol=1e-6, atol=1e-44)


class Schedules(Case):
    def test_twenty_orders_give_the_same(self) -> None:
        expected = {}
        for name, *sizes in sized.rows():
            package = self.package(name, *sizes)
            for seed in (0, 20):
                results = [array.tobytes() for array in self.run_package(package, self.profile(aiesim_binding={"schedules": 20, "seed": seed}))]
                self.assertEqual(expected.setdefault((name, *sizes), results), results)

    def test_a_product_in_strips(self) -> None:
        package = self.package("gemm_i16", "M=900", "N=900", "K=96")
        stage = max((package / "ir/stages").iterdir()) / "program.py"
        for loop in ("for i in range(6)", "for k in range(4)", "for strip in range(5)", "for row in range(10)"):
            self.assertIn(loop, stage.read_text())
        with htp.bind(package, profile=self.profile(aiesim_binding={"schedules": 20}), plugin_path=PLUGINS) as opened:
            (routine,) = opened.routines.values()
            generator = np.random.default_rng(2)
            a, b, c = generator.integers(-100, 100, (900, 96), np.int16), generator.integers(-100, 100, (96, 900), np.int16), np.zeros((900, 900), np.int32)
            routine(a, b, c)
            np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))

    def test_products_that_would_overfill_program_memory_are_called(self) -> None:
        # Compilers before 2608 write loops over fifos down as often as their depths say; 2608 keeps them, and the product in its place.
        sizes, results = ("M=192", "N=96", "K=320"), []
        for version, called in (("v1.0", True), ("2608", False)):
            profile = self.profile(aie={"mlir_aie": version})
            program = sized.sized("int8_gemm", list(sizes), self.folder)
            done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "compile", program, "-o", self.folder / version], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("aie.program-memory", done.stderr)
            self.assertEqual("func.call @do_mmul" in (self.folder / version / "codegen/aie/aie.mlir").read_text(), called)
            results.append([array.tobytes() for array in self.run_package(self.folder / version)])
        self.assertEqual(results[0], results[1])

    def test_versions_that_are_trusted_run_alike(self) -> None:
        results = []
        for version in ("v1.0", "2608"):
            results.append([array.tobytes() for array in self.run_package(self.package("vector_add", "N=1000", profile=self.profile(aie={"mlir_aie": version})))])
        self.assertEqual(results[0], results[1])


MAXIMA = """import htp
from htp import In, Out, DTYPE
from htp_tile import Tensor, kernel, reduce_max, reduce_min, tiles

M = 21
N = 33


@kernel
def maxima(x: In[Tensor[DTYPE, M, N]], y: Out[Tensor[DTYPE, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = BODY
"""


class Maxima(Case):
    """What blocks and rows are filled up with is no element of a maximum: all of these are below 0."""

    def test_of_rows_that_are_filled_up(self) -> None:
        for dtype in (htp.i8, htp.i16, htp.i32, htp.f32, htp.bf16):
            for body in ("reduce_max(x[i, :], axis=1)", "-reduce_min(-x[i, :], axis=1)"):
                path = self.folder / "maxima.py"
                path.write_text(MAXIMA.replace("DTYPE", dtype.name).replace("BODY", body))
                package = self.folder / f"package{len(list(self.folder.iterdir()))}"
                htp.compile_program(path, profile=ROOT / "manifests/aie.yaml", out=package, plugin_path=PLUGINS)
                x = np.random.default_rng(1).integers(-100, -1, (21, 33))
                y = dtype.encode(np.zeros((21, 1), dtype.element))
                with htp.bind(package, plugin_path=PLUGINS) as opened:
                    opened.routines["maxima"](dtype.encode(x.astype(dtype.element)), y)
                np.testing.assert_array_equal(np.asarray(dtype.decode(y)).astype(np.int64)[:, 0], x.max(axis=1), f"{dtype.name}: {body}")


class Sized(Case):
    """A package has sizes that the program leaves open."""

    def test_it_runs_with_the_entry_of_the_program_as_written(self) -> None:
        path = ROOT / "examples/vector_add/vector_add.py"
        entry = testing.entry_of(testing.import_program(path.read_text(), "vector_add", path))
        arrays: list[Any] = [np.arange(1000, dtype=np.float32), np.ones(1000, np.float32), np.zeros(1000, np.float32)]
        testing.Package(self.package("vector_add", "N=1000")).run(entry, arrays)
        np.testing.assert_array_equal(arrays[2], arrays[0] + 1)


class Options(Case):
    """What is asked of a run and cannot be had is refused."""

    def test_no_order_at_all_is_refused(self) -> None:
        package = self.package("vector_add", "N=64")
        self.run_package(package, self.profile(aiesim_binding={"schedules": 1}))
        for schedules in (0, -3):
            with self.assertRaisesRegex(htp.HtpError, rf"aiesim.schedules.*`schedules` of `aiesim.binding` is {schedules}"):
                self.run_package(package, self.profile(aiesim_binding={"schedules": schedules}))

    def test_a_run_has_no_timeline(self) -> None:
        package, trace = self.package("vector_add", "N=64"), self.folder / "trace.json"
        done = subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/aie.yaml", "run", package, "--trace", trace], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[aiesim.no-trace]: a run on the simulated array has no timeline", done.stderr)
        self.assertIn("simulate PROGRAM --trace FILE", done.stderr)
        self.assertFalse(trace.exists())


class Written(Case):
    """Modules of tests/binding-aiesim/modules, with ops that no example's package has: they take the place of a package's own."""

    def written(self, name: str, *changes: tuple[str, str]) -> Path:
        package = self.package("vector_add", "N=128")
        text = (Path(__file__).parent / f"modules/{name}.mlir").read_text()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        replaced(package, MODULE, text)
        mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
        for parameter in mapping["parameters"]:
            parameter["padded"] = [128]
        replaced(package, "codegen/aie/mapping.json", json.dumps(mapping))
        return package

    def test_vectors_and_bf16(self) -> None:
        with htp.bind(self.written("vectors"), plugin_path=PLUGINS) as opened:
            (routine,) = opened.routines.values()
            x, y, z = np.arange(128, dtype=np.float32), np.linspace(-1, 1, 128, dtype=np.float32), np.zeros(128, np.float32)
            routine(x, y, z)
            np.testing.assert_array_equal(z, x + y)
            x[5] = 257  # which bf16 does not have
            routine(x, y, z)
            self.assertEqual(z[5], np.float32(256) + y[5])

    def test_vectors_that_leave_a_buffer(self) -> None:
        for old, new in (("to %c32 step %c16", "to %c32 step %c1"), ("%i = %c0 to %c2", "%i = %c1 to %c16")):
            package = self.written("vectors", (old, new))
            with self.assertRaises(htp.Diagnosed) as caught:
                self.run_package(package)
            self.assertIn("the core at (0, 2) reads or writes outside of a buffer", caught.exception.rendered)


class Peer(Case):
    """MLIR-AIE's own aie-opt, by HTP_AIE_OPT: how it is called and what is told, with a stand-in; and the real one, where there is one."""

    STAND_IN = """#!/bin/sh
    if [ "$1" = --version ]; then echo "stand-in $0"; exit 0; fi
    printf '%s\\n' "$*" >> "{log}"
    text=$(cat)
    case "$*" in *{refuses}*) echo "error: '{refuses}' says no" >&2; exit 1;; esac
    case "$text" in *aie.device*) ;; *) echo "no device" >&2; exit 1;; esac
    printf '%s\\n// %s\\n' "$text" "$1"
    """

    def run_with(self, tool: str, package: Path, verb: str = "run") -> Any:
        environment = {**os.environ, "HTP_AIE_OPT": tool}
        return subprocess.run([os.environ["HTP_HOST"], verb, package], capture_output=True, text=True, env=environment)

    def stand_in(self, refuses: str) -> tuple[str, Path]:
        tool, log = self.folder / f"aie-opt-{refuses}", self.folder / f"log-{refuses}"
        tool.write_text(textwrap.dedent(self.STAND_IN).format(log=log, refuses=refuses))
        tool.chmod(0o755)
        return str(tool), log

    def test_the_pipeline_of_the_version_that_the_module_is_for(self) -> None:
        for version, own in (("v1.0", "aie-register-objectFifos"), ("2608", "aie-objectFifo-unroll")):
            package = self.package("vector_add", "N=1000", profile=self.profile(aie={"mlir_aie": version}))
            tool, log = self.stand_in("nothing")
            log.unlink(missing_ok=True)
            done = self.run_with(tool, package)
            self.assertEqual(done.returncode, 0, done.stderr)
            calls = log.read_text().splitlines()
            self.assertEqual(len(calls), 4, calls)
            self.assertEqual(calls[0], "-")
            for call, part in zip(calls[1:], (own, "aie-create-pathfinder-flows", "aie-dma-to-npu"), strict=True):
                self.assertTrue(call.startswith("--pass-pipeline=builtin.module("), call)
                self.assertIn(part, call)
            self.assertEqual(self.run_with(tool, package).returncode, 0)
            self.assertEqual(len(log.read_text().splitlines()), 4, "what was agreed to once is asked again")

    def test_what_it_refuses_is_told_with_its_words(self) -> None:
        package = self.package("vector_add", "N=1000")
        for refuses, when in (("aie-assign-lock-ids", "given addresses"), ("aie-create-pathfinder-flows", "routed"), ("aie-dma-to-npu", "given NPU instructions")):
            done = self.run_with(self.stand_in(refuses)[0], package)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"error[aiesim.peer-refused]: `aie-opt` refused the module when it was to be {when}, with status 1", done.stderr)
            self.assertIn(f"error: '{refuses}' says no", done.stderr)

    def test_one_that_is_not_there(self) -> None:
        done = self.run_with("/nowhere/aie-opt", self.package("vector_add", "N=1000"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aiesim.no-peer]: `HTP_AIE_OPT` names `/nowhere/aie-opt`, which cannot be started", done.stderr)

    def test_one_that_tells_no_version(self) -> None:
        done = self.run_with("/bin/false", self.package("vector_add", "N=1000"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aiesim.peer-version]: `HTP_AIE_OPT` names `/bin/false`, whose `--version` ends with status 1\n", done.stderr)

    def test_one_that_answers_nothing(self) -> None:
        done = self.run_with("/bin/true", self.package("vector_add", "N=1000"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aiesim.no-peer-answer]: `HTP_AIE_OPT` names `/bin/true`, which printed no module when one was to be read and verified", done.stderr)

    def test_the_real_one(self) -> None:
        tool = AIE_OPT
        if not tool:
            self.skipTest("skipped: HTP_AIE_OPT names no aie-opt")
        for version in ("2408", "v1.0", "2608"):  # the one that it is of reads what is written for it
            profile = self.profile(aie={"mlir_aie": f'"{version}"'})
            module = self.package("vector_add", "N=1000", profile=profile) / MODULE
            if subprocess.run([tool, module], capture_output=True).returncode == 0:
                break
        else:
            self.fail(f"{tool} reads no version's module")
        for name, *sizes in sized.ROWS:
            done = self.run_with(tool, self.package(name, *sizes, profile=profile), "build")
            self.assertEqual(done.returncode, 0, f"{name} {sizes}: {done.stderr}")


class Refusals(Case):
    """Packages that were changed: what refused/ has not."""

    def refused(self, code: str, text: str, old: str, new: str, *, path: str = MODULE, name: str = "softmax", sizes: tuple[str, ...] = ("M=37", "N=20"), count: int = 1, columns: int = 1, at: str = "") -> None:
        package = self.package(name, *sizes, profile=self.profile(**{"aie.spread": {"columns": columns}}))
        before = (package / path).read_text()
        after = re.sub(old, new, before, count=count, flags=re.MULTILINE)
        self.assertNotEqual(before, after, old)
        replaced(package, path, after)
        with self.assertRaises(htp.Diagnosed) as caught:
            self.run_package(package)
        self.assertIn(code, {str(one["code"]) for one in caught.exception.diagnostics}, caught.exception.rendered)
        self.assertIn(text, caught.exception.rendered)
        if at:  # the user's line that the module's comes from
            self.assertRegex(caught.exception.rendered, r"--> .*softmax_M37_N20\.py:\d+:\d+\n.*\n.*" + re.escape(at))

    def test_what_is_packed_of_tensors_that_are_not_there(self) -> None:
        path, name, sizes = "codegen/aie/mapping.json", "layernorm", ("M=8",)
        for old, new in (('"tensor": "shift"', '"tensor": "y"'), ('"tensor": "shift"', '"tensor": "nobody"'), ('"at": 96', '"at": 97'), ('"at": 96', '"at": "96"'), (r"\[96, 1, 1, 1\]", "[96, 2, 1, 1]"), (r"\[96, 1, 1, 1\]", "[96, 1, 1]"), (r"96, \"along\": \[\[96, 1, 1, 1\]", '96, "along": [[96, 1, 1, 2]'), (r'"dtype": "f32", "extents": \[192\]', '"dtype": "f16", "extents": [192]')):
            self.refused("aiesim.bad-packing", "a packed tensor in `mapping.json` has elements outside of itself or of its tensors", old, new, path=path, name=name, sizes=sizes)
        self.refused("aiesim.other-buffers", "takes other buffers than", r'"extents": \[192\]', '"extents": [193]', path=path, name=name, sizes=sizes)

    def test_parts_that_are_no_words(self) -> None:
        package = self.package("odd_lines", "M=32", "N=31", profile=self.profile(**{"aie.spread": {"columns": 1}}))
        text = (package / MODULE).read_text()
        for old, new in (("memref<2x31xbf16>", "memref<1x31xbf16>"), ("memref<248xbf16>", "memref<124xbf16>"), ("[0, 62, 124, 186]", "[0, 31, 62, 93]")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        replaced(package, MODULE, text)
        with self.assertRaises(htp.Diagnosed) as caught:
            self.run_package(package)
        self.assertIn("error[aiesim.block-bytes]", caught.exception.rendered)
        self.assertIn("blocks of `@x_in_0_0` are 62 bytes, no multiple of 4", caught.exception.rendered)

    def changed(self, name: str, sizes: tuple[str, ...], old: str, new: str) -> str:
        """What is told of a module that was changed; empty if it runs."""
        package = self.package(name, *sizes)
        before = (package / MODULE).read_text()
        after = re.sub(old, new, before, count=1)
        self.assertNotEqual(before, after, old)
        replaced(package, MODULE, after)
        try:
            self.run_package(package)
        except htp.Diagnosed as error:
            return str(error)
        return ""

    def test_parts_of_neighbours_lie_to_the_west(self) -> None:
        depth = r"(\(%core_2_0, \{%core_1_0\}), \d+ : i32"
        self.assertIn("the tile (1, 2) needs ", self.changed("reduction", ("M=3", "N=1024"), depth, r"\1, 60 : i32"))

    def test_a_number_is_no_depth_at_a_core_that_takes_one_at_a_time(self) -> None:
        depth = r"(@skipped\(.*), \[3, 3\]"
        self.assertIn("17 descriptors", self.changed("split_merge", ("M=37",), depth, r"\1, [15, 15]"))
        self.assertEqual(self.changed("split_merge", ("M=37",), depth, r"\1, 15 : i32"), "")

    def test_another_order_gives_other_results(self) -> None:
        sizes = ("M=64", "N=32", "K=64")
        package = self.package("gemm_i8", *sizes, profile=self.profile(**{"aie.spread": {"columns": 1}}))
        expected = [array.tobytes() for array in self.run_package(package)]
        text = (package / MODULE).read_text()
        replaced(package, MODULE, re.sub(r"<size = 8, stride = 128>, <size = 4, stride = 8>", "<size = 4, stride = 8>, <size = 8, stride = 128>", text, count=1))
        self.assertNotEqual(expected, [array.tobytes() for array in self.run_package(package)])

    def test_links_that_race(self) -> None:
        self.refused("aiesim.untrusted-links", "joins or distributes", r"\] \(\[\] \[.*$", "] ()")
        # They are built all the same: another version's peer may be asked of them. What 2408 joins is sent as a whole.
        product = self.package("gemm_i8", "M=64", "N=64", "K=64", profile=self.profile(aie={"mlir_aie": '"2408"'}))
        self.assertRegex((product / MODULE).read_text(), r"@c_out_0\(%memory_0 toStream \[<size = 2, stride = 128>")
        build = subprocess.run([os.environ["HTP_HOST"], "build", product], capture_output=True, text=True, env={**os.environ, "HTP_AIE_OPT": ""})
        self.assertEqual(0, build.returncode, build.stderr)
        package = self.package("softmax", "M=37", "N=20", profile=self.profile(aie={"mlir_aie": '"2408"'}))
        self.assertIn("] ()", (package / MODULE).read_text())
        build, done = (subprocess.run([os.environ["HTP_HOST"], verb, package], capture_output=True, text=True, env={**os.environ, "HTP_AIE_OPT": ""}) for verb in ("build", "run"))
        self.assertEqual((0, 1), (build.returncode, done.returncode), build.stderr)
        self.assertIn("error[aiesim.untrusted-links]: modules for MLIR-AIE 2408 are not run", done.stderr)

    def test_arguments(self) -> None:
        package = self.package("vector_add", "N=64")
        x = np.zeros(64, np.float32)
        with htp.bind(package, plugin_path=PLUGINS) as opened:
            (routine,) = opened.routines.values()
            with self.assertRaises(htp.HtpError):
                routine(x, x.copy(), np.zeros(65, np.float32))
            with self.assertRaises(htp.HtpError):
                routine(x, x.copy(), np.zeros(64, np.float64))

    def test_tools_that_are_not_there_are_named(self) -> None:
        package = self.package("vector_add", "N=64")
        environment = {**os.environ, "PATH": str(self.folder), "HTP_CACHE": "off"}
        done = subprocess.run([os.environ["HTP_HOST"], "run", package], capture_output=True, text=True, env=environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("aiesim.no-tool", done.stderr)
        self.assertIn("`mlir-opt-19` cannot be started", done.stderr)


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    unittest.main()
