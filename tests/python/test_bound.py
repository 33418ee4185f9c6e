"""The compiler from Python, with the real library and what README.md says to put on PYTHONPATH: no profile to bind with, no plugin path."""

import hashlib
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np

ROOT, BUILD = (Path(os.environ[name]) for name in ("HTP_SOURCE_DIR", "HTP_BINARY_DIR"))


class Bound(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.environ["HTP_CACHE"] = str(self.folder / "cache")

    def test_the_plugins_beside_the_library_are_found(self) -> None:
        package = htp.compile_program(ROOT / "examples/vector_add/vector_add.py", profile=ROOT / "manifests/cpu.yaml", out=self.folder / "out")
        a, b = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
        c = np.empty_like(a)
        with htp.bind(package) as vector_add:
            vector_add(a, b, c)
        self.assertTrue(np.array_equal(c, a + b))

    def test_a_package_that_computes_something_else_is_told(self) -> None:
        htp.compile_program(ROOT / "examples/vector_add/vector_add.py", profile="cpu", out=self.folder / "out")
        run = [os.environ["HTP_HOST"], "run", str(self.folder / "out"), "--dim", "N=9", "--check"]
        done = subprocess.run(run, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("c: agrees with plain Python, bit for bit\n", done.stdout)
        kernel, manifest = self.folder / "out/codegen/cpu/kernel.c", self.folder / "out/manifest.json"
        changed, told = kernel.read_text().replace("a_tile + b_tile", "a_tile - b_tile"), json.loads(manifest.read_text())
        kernel.write_text(changed)
        (output,) = (one for one in told["outputs"] if one["path"] == "codegen/cpu/kernel.c")
        output |= {"sha256": hashlib.sha256(changed.encode()).hexdigest(), "size": len(changed.encode())}
        manifest.write_text(json.dumps(told, indent=2) + "\n")
        done = subprocess.run(run, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("error[run.differs]: the package computes something else than plain Python does: at vector_add: c[0]: ", done.stderr)
        self.assertIn("every stage agrees with the source: what differs was made of the last one", done.stderr)
        self.assertNotIn("agrees with plain Python", done.stdout)

    def test_the_host_holds_arguments_against_the_signature(self) -> None:
        package = htp.compile_program(ROOT / "examples/softmax/softmax.py", profile=ROOT / "manifests/cpu.yaml", out=self.folder / "out")
        x = np.zeros((2, 3), np.float32)
        refused: list[tuple[str, list[Any]]] = [
            ("error[bind.wrong-extent]: dimension 1 of argument `y` is 4, expected 3", [x, np.zeros((2, 4), np.float32)]),
            ("error[bind.not-contiguous]: argument `x` is not contiguous", [np.zeros((3, 2), np.float32).T, x]),
            ("error[bind.not-contiguous]: argument `y` is not contiguous", [x, np.zeros((2, 6), np.float32)[:, ::2]]),
        ]
        with htp.bind(package) as softmax:
            for message, arguments in refused:
                with self.assertRaises(htp.RunError) as caught:
                    softmax(*arguments)
                self.assertTrue(str(caught.exception).startswith(message), str(caught.exception))
                self.assertIn("softmax.py:", str(caught.exception))  # where the parameter stands
        with htp.bind(package) as softmax:
            softmax.routines["softmax"].name = "other"
            with self.assertRaises(htp.RunError) as caught:
                softmax(x, x.copy())
            self.assertTrue(str(caught.exception).startswith("error[bind.unknown-entry]: the package has no entry `other`\n  = hint: it has `softmax`"))

    def test_arrays_lie_as_the_signature_says(self) -> None:
        package = htp.compile_program(ROOT / "examples/column_gemm/column_gemm.py", profile=ROOT / "manifests/cpu.yaml", out=self.folder / "out")
        a, b, bias = (np.arange(rows * columns, dtype=np.float32).reshape(rows, columns) % 7 for rows, columns in ((48, 40), (40, 36), (1, 36)))
        padded = np.zeros((48, 64), np.float32)
        with htp.bind(package) as column_gemm:
            layout = column_gemm.routines["column_gemm"].parameters[0].type.layout
            self.assertEqual(layout, htp.layouts.ordered((48, 40), (1, 0)))
            column_gemm(np.asfortranarray(a), htp.layouts.array(b, htp.layouts.ordered((40, 36), (1, 0))), bias, padded[:, :36])
            self.assertTrue(np.array_equal(padded[:, :36], a @ b + bias))
            self.assertFalse(padded[:, 36:].any())
            with self.assertRaises(htp.RunError) as caught:
                column_gemm(a, np.asfortranarray(b), bias, padded[:, :36])
            self.assertIn("numpy.asfortranarray(x)", str(caught.exception))
            with self.assertRaises(htp.RunError) as caught:
                column_gemm(np.asfortranarray(a), np.asfortranarray(b), bias, np.zeros((48, 36), np.float32))
            self.assertIn("htp.layouts.array(x, htp.layout(((48, 64,", str(caught.exception))

    def test_inputs_of_a_file_are_laid_out(self) -> None:
        htp.compile_program(ROOT / "examples/column_gemm/column_gemm.py", profile="cpu", out=self.folder / "out")
        given = {"a": np.eye(48, 40, dtype=np.float32), "b": np.arange(1440, dtype=np.float32).reshape(40, 36), "bias": np.zeros((1, 36), np.float32)}
        np.savez(self.folder / "in.npz", **given)
        run = [os.environ["HTP_HOST"], "run", self.folder / "out", "--inputs", self.folder / "in.npz", "--outputs", self.folder / "out.npz", "--check"]
        done = subprocess.run(list(map(str, run)), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(np.array_equal(np.load(self.folder / "out.npz")["c"][:40], given["b"]))

    def test_a_plugin_that_is_not_found_is_asked_for_in_words_of_python(self) -> None:
        profile, program = self.folder / "p.yaml", self.folder / "a.py"
        profile.write_text(f"htp_profile: 1\ntarget: faulty\nsearch:\n  - {BUILD}/fixtures/faulty\n")
        program.write_text("import htp\nfrom htp_faulty import entry\n\n@entry\ndef main() -> None:\n    x = 1 + 2\n")
        package = htp.compile_program(program, profile=profile, out=self.folder / "out")
        with self.assertRaises(htp.PackageError) as caught:
            htp.bind(package)
        self.assertIn("error[bind.no-binding]", str(caught.exception))
        self.assertIn(f"searched `{BUILD}/plugins`; give `plugin_path=[", str(caught.exception))
        htp.bind(package, plugin_path=[BUILD / "fixtures/faulty"]).close()

    def test_places_that_are_outside_stop_a_package_as_they_stop_a_program(self) -> None:
        program = self.folder / "rows.py"
        program.write_text(ROWS)
        source: Any = {}
        exec(compile(ROWS, "rows.py", "exec"), source)
        package = htp.compile_program(program, profile=ROOT / "manifests/cpu.yaml", out=self.folder / "out")
        x = np.arange(20, dtype=np.float32).reshape(4, 5)
        good: Any = {"x": x, "rows": np.array([3, 0, 3], np.int32), "places": np.array([[4], [0], [1], [2]], np.int64), "at": np.array([1], np.uint64)}
        bad: Any = {"rows": (4, -1), "places": (5, -1), "at": (3, 2**64 - 1)}
        with htp.bind(package) as compiled:
            for run in (source["rows"], compiled):
                y, z, w = np.empty((3, 5), np.float32), np.empty((4, 1), np.float32), x.copy()
                run(*good.values(), y, z, w)
                self.assertEqual([y[:, 0].tolist(), z[:, 0].tolist()], [[15, 0, 15], [8, 10, 22, 34]])
                self.assertEqual(w[:, 0].tolist(), [1, 5, 10, 17])
                for name, values in bad.items():
                    for value in values:
                        wrong = {key: array.copy() for key, array in good.items()}
                        wrong[name].flat[0] = value
                        told = "does not fit in 64 bits" if run is compiled and value > 2**63 else "outside"
                        with self.assertRaisesRegex(htp.HtpError, told):
                            run(*wrong.values(), y, z, w)


ROWS = '''
import htp
from htp import In, InOut, Out, f32, i32, i64, u64
from htp_tile import Tensor, gather, index, kernel, scatter_add, tiles, whole

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def rows(
    x: In[Tensor[f32, M, N]], rows: In[Tensor[i32, K]], places: In[Tensor[i64, M, 1]], at: In[Tensor[u64, 1]],
    y: Out[Tensor[f32, K, N]], z: Out[Tensor[f32, M, 1]], w: InOut[Tensor[f32, M, N]],
) -> None:
    for i in tiles(K, 2):
        y[i, :] = x[rows[i], :]
        scatter_add(w, 1.0, rows[i], whole)
    for i in tiles(M, 3):
        z[i, :] = gather(x[i, :] * 2.0, places[i, :], axis=1)
    place = index(at[0])
    y[place, :] = x[0, :]
'''


if __name__ == "__main__":
    unittest.main()
