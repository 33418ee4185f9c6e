"""Compiling programs for A2 and A3 in a folder of a test's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "manifests/a2a3sim.yaml"
PROGRAMS = [name.rpartition("/")[2] for name in (Path(__file__).parent / "programs.txt").read_text().split()]

HEAD = """import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, u8, u16, u32
from htp_tile import Tensor, Tile, argmax, argtopk, buffer, cast, erf, exp, full, gather, index, iota, kernel, load, matmul, maximum, reduce_max, reduce_mean, reduce_min, reduce_sum, rsqrt, scan_sum, sin, cos, tiles, topk, transpose, where, whole, zeros

M = htp.dim("M")
N = htp.dim("N")
B = htp.dim("B")


@kernel
"""


def host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["HTP_HOST"], *map(str, arguments)], capture_output=True, text=True)


def ordered(package: Path) -> Path:
    """The stage with the order of the pipes: the last one, whichever pass left it."""
    return max(package.glob("ir/stages/*"))


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, program: Path | str, *options: str | Path) -> subprocess.CompletedProcess[str]:
        if isinstance(program, str):
            (self.folder / "program.py").write_text(program)
            program = self.folder / "program.py"
        return host("--plugins", PROFILE, "compile", program, "-o", self.folder / "package", *options)

    def ran(self, **inputs: np.ndarray) -> subprocess.CompletedProcess[str]:
        np.savez(self.folder / "in.npz", **inputs)
        return host("run", self.folder / "package", "--inputs", self.folder / "in.npz", "--outputs", self.folder / "out.npz")

    def example(self, name: str) -> Path:
        done = self.compile(ROOT / (f"examples/{name}.py" if "/" in name else f"examples/{name}/{name}.py"), "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "package"
