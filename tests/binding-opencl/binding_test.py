"""What the binding says where a package cannot be run, and that it runs what it says."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import htp
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import opencl  # noqa: E402

HOST = Path(os.environ["HTP_HOST"])
LACKS = opencl.missing()
DEVICE = unittest.skipIf(LACKS, f"skipped: this machine has not {LACKS}")

DOUBLE = """import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def double(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] + x[i]


@kernel
def chosen(rows: In[Tensor[i32, M]], x: In[Tensor[f32, N, 8]], y: Out[Tensor[f32, M, 8]]) -> None:
    for i in tiles(M, 4):
        y[i, :] = x[rows[i], :]
"""


class Binding(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "program.py").write_text(DOUBLE)

    def compiled(self, entry: str = "double", options: str = "") -> Path:
        profile = self.folder / "profile.yaml"
        profile.write_text("htp_profile: 1\ntarget: opencl\n" + options)
        package = self.folder / "package"
        command = [HOST, "--plugins", profile, "compile", self.folder / "program.py", "--entry", entry, "-o", package]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return package

    def run_of(self, package: Path, options: str = "") -> subprocess.CompletedProcess[str]:
        profile = self.folder / "run.yaml"
        profile.write_text("htp_profile: 1\ntarget: opencl\n" + options)
        return subprocess.run([HOST, "--plugins", profile, "run", package, "--dim", "N=100"], capture_output=True, text=True)

    def test_without_a_library(self) -> None:
        done = self.run_of(self.compiled(), "options:\n  opencl.binding:\n    library: libNowhere.so.9\n")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("error[opencl.no-library]: no OpenCL is installed: libNowhere.so.9", done.stderr)
        self.assertIn("apt-get install ocl-icd-libopencl1 pocl-opencl-icd", done.stderr)

    def test_a_library_of_something_else(self) -> None:
        done = self.run_of(self.compiled(), "options:\n  opencl.binding:\n    library: libm.so.6\n")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("error[opencl.no-library]: no OpenCL is installed: libm.so.6 has no cl", done.stderr)

    @DEVICE
    def test_no_device_of_that_name(self) -> None:
        done = self.run_of(self.compiled(), "options:\n  opencl.binding:\n    device: Nobody's\n")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("error[opencl.no-device]: OpenCL has no device called `Nobody's`", done.stderr)

    @DEVICE
    def test_more_lanes_than_the_device_has(self) -> None:
        lanes = "hardware:\n  levels:\n    lane:\n      count: 65536\noptions:\n  simt.map_lanes:\n    lanes: 65536\n"
        done = self.run_of(self.compiled(options=lanes))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("error[opencl.too-many-lanes]: `double_0` has work-groups of 65536 lanes, and the device takes ", done.stderr)

    @DEVICE
    def test_runs_and_again(self) -> None:
        package = self.compiled()
        for _ in range(2):
            done = self.run_of(package)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("y: f32 100", done.stdout)

    @DEVICE
    def test_an_index_outside_of_a_tensor_stops_at_its_line(self) -> None:
        with htp.bind(self.compiled("chosen"), plugin_path=[HOST.parents[1] / "plugins"]) as opened:
            (routine,) = opened.routines.values()
            x, y = np.arange(40, dtype=np.float32).reshape(5, 8), np.zeros((3, 8), np.float32)
            routine(np.array([4, 0, 2], np.int32), x, y)
            np.testing.assert_array_equal(y, x[[4, 0, 2]])
            for wrong in (5, -1, 1 << 30):
                with self.assertRaises(htp.Diagnosed) as raised:
                    routine(np.array([4, wrong, 2], np.int32), x, y)
                self.assertIn("opencl.outside", raised.exception.rendered)
                self.assertIn(f"index {wrong} is outside", raised.exception.rendered)
                self.assertIn("y[i, :] = x[rows[i], :]", raised.exception.rendered)

    @DEVICE
    def test_nothing_to_do(self) -> None:
        with htp.bind(self.compiled(), plugin_path=[HOST.parents[1] / "plugins"]) as opened:
            (routine,) = opened.routines.values()
            routine(np.zeros(0, np.float32), np.zeros(0, np.float32))

    @DEVICE
    def test_the_same_kernels_from_several_threads(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        with htp.bind(self.compiled(), plugin_path=[HOST.parents[1] / "plugins"]) as opened:
            (routine,) = opened.routines.values()

            def once(n: int) -> bool:
                x, y = np.full(1000 + n, n, np.float32), np.zeros(1000 + n, np.float32)
                routine(x, y)
                return bool((y == 2 * n).all())

            with ThreadPoolExecutor(4) as pool:
                self.assertTrue(all(pool.map(once, range(40))))


if __name__ == "__main__":
    unittest.main()
