"""What tests of the backend for AI Engines have in common: programs, profiles, and what the host says of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import sized

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "manifests/aie.yaml"

HEAD = """import htp
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8
from htp_tile import Tensor, cast, exp, kernel, matmul, maximum, reduce_max, reduce_sum, sin, tiles, zeros

M = 100
N = 130
K = htp.dim("K")


@kernel
"""


def host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["HTP_HOST"], *map(str, arguments)], capture_output=True, text=True)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def profile(self, *, pass_options: dict[str, object] | None = None, **options: object) -> Path:
        """A profile with options of the backend, and of the pass that spreads."""
        text = "htp_profile: 1\ntarget: aie\noptions:\n"
        for unit, values in (("aie", options), ("aie.spread", pass_options or {})):
            text += f"  {unit}:\n" + "".join(f"    {name}: {value}\n" for name, value in values.items()) if values else ""
        (self.folder / "profile.yaml").write_text(text)
        return self.folder / "profile.yaml"

    def compile(self, program: Path | str, *options: str | Path, profile: Path = PROFILE) -> subprocess.CompletedProcess[str]:
        if isinstance(program, str):
            (self.folder / "program.py").write_text(program)
            program = self.folder / "program.py"
        return host("--plugins", profile, "compile", program, "-o", self.folder / "package", *options)

    def example(self, name: str, *options: str, profile: Path = PROFILE) -> Path:
        program = sized.beside(name)
        for module in re.findall(r"^from (\w+) import", program.read_text(), re.MULTILINE):
            if (ROOT / f"examples/{module}/{module}.py").exists():  # the workload of a schedule stands beside it
                shutil.copy(ROOT / f"examples/{module}/{module}.py", self.folder)
                program = Path(shutil.copy(program, self.folder))
        done = self.compile(program, "--verify-each", *options, profile=profile)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "package"

    def module(self, name: str, *options: str, profile: Path = PROFILE) -> str:
        return plain(self.example(name, *options, profile=profile))


def last(package: Path) -> Path:
    """A package's last stage: what is emitted is of it."""
    return max((package / "ir/stages").iterdir())


def plain(package: Path) -> str:
    """A package's module without where its lines come from."""
    text = (package / "codegen/aie/aie.mlir").read_text()
    return re.sub(r"^#n.*\n", "", re.sub(r" loc\(#n\d+\)$", "", text, flags=re.MULTILINE), flags=re.MULTILINE)


PIPELINE = """import htp
from htp import In, Out, f32
from htp_csp import channel, channels, event, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = 200
N = 16


@pipeline
"""
