"""What the tests of the island share: stages of explicit loops, compiled from there on with passes of MLIR."""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

HEADER = "htp.stage(number=4, after='cpu.loops', holds=['Codegen.Ready(target=cpu)', 'Tile.Inlined', 'Tile.Kernel'], then=['mlir.passes', 'cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')"

HEAD = f'''import htp
{HEADER}
from htp import In, InOut, Out, f16, f32, f64, i8, i16, i32, i64, bool_, u8
from htp_tile import Tensor, kernel, Tile
import htp_cpu as cpu

M = htp.dim("M")
N = htp.dim("N")
K = 3


'''

NOTHING = "builtin.module()"


@dataclass(frozen=True)
class Compiled:
    """What became of a compile."""

    code: int
    said: str
    package: Path

    @property
    def stage(self) -> str:
        """What came back from MLIR, without its header."""
        (path,) = self.package.glob("ir/stages/*-mlir.passes/program.py")
        return without_header(path.read_text())

    def text(self, which: str) -> str:
        """What went out (`in`) and what came back (`out`)."""
        (path,) = self.package.glob(f"ir/stages/*-mlir.passes/region-0.{which}.mlir")
        return path.read_text()


def without_header(text: str) -> str:
    """A stage without the line that says which one it is."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("htp.stage("))


def profile_text(claim: str, form: str, pipeline: str | None) -> str:
    """A profile that takes loops through MLIR."""
    options = f"    claim: {claim}\n    form: {form}\n" + (f"    pipeline: {pipeline}\n" if pipeline is not None else "")
    return f"htp_profile: 1\ntarget: cpu\npipeline: mlir.cpu\noptions:\n  mlir.passes:\n{options}"


def tool_beside(folder: Path, script: str) -> str:
    """A PATH on which mlir-opt-19 is a shell script in the folder. The true one is `$MLIR`."""
    true = subprocess.run(["/bin/sh", "-c", "command -v mlir-opt-19"], capture_output=True, text=True, check=True).stdout.strip()
    tool = folder / "mlir-opt-19"
    tool.write_text(f"#!/bin/sh\nMLIR={true}\n{script}\n")
    tool.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


class Compiler:
    """htp-host, in a folder to work in."""

    def __init__(self, host: Path) -> None:
        self.host = host.resolve()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)

    def __call__(self, stage: str, pipeline: str | None = None, *, claim: str = "entry", form: str = "scf", path: str | None = None) -> Compiled:
        """Compiles on from a stage; `path`: what stands before the usual PATH, or all of it where it begins with `=`."""
        folder, profile, package = self.folder / "stage", self.folder / "profile.yaml", self.folder / "package"
        folder.mkdir(exist_ok=True)
        (folder / "program.py").write_text(stage)
        profile.write_text(profile_text(claim, form, pipeline))
        subprocess.run(["rm", "-rf", package], check=True)
        environment = dict(os.environ)
        if path is not None:
            environment["PATH"] = path[1:] if path.startswith("=") else f"{path}:{environment['PATH']}"
        command = [self.host, "--plugins", profile, "compile", "--from-stage", folder, "--verify-each", "-o", package]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment)
        return Compiled(done.returncode, done.stderr, package)

    def tool(self, script: str) -> str:
        """A folder with another mlir-opt-19: a shell script. The true one is `$MLIR`."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        tool_beside(folder, script)
        return str(folder)


def options(description: str | None) -> argparse.ArgumentParser:
    """The command line of a test."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    return parser
