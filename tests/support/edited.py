"""Programs and stages that are refused: what a file of `tests/PLUGIN/refused` has for a backend.

A file's head, what stands before its first case, stands before the program of each. A head with a header, `htp.stage(…)`, is that of stages that are written by hand.
A case without a program edits a stage of the head: in the last one, or the one that `#! stage:` names, `#! new:`, or nothing, takes the place of `#! old:`, with `\\n`
for a new line. `#! options:` are more arguments of the compile.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import refused


class Stages:
    """Of each file: its head, and where its cases edit a stage, the package of it, compiled once."""

    def __init__(self, host: Path, profile: Path, cases: Path, folder: Path) -> None:
        self.host, self.profile, self.cases, self.folder, self.lock = host, profile, cases, folder, Lock()
        self.heads = {file: file.read_text().split("\n#: ", 1)[0] + "\n" for file in cases.glob("*.py")}

    def named(self, file: Path, name: str) -> Path:
        package = self.folder / file.stem / "package"
        with self.lock:
            if not package.exists():
                program = self.written(package.parent, self.heads[file])
                subprocess.run([self.host, "--plugins", self.profile, "compile", program, "-o", package], check=True, capture_output=True)
        return max((package / "ir/stages").glob(f"*-{name}"))

    def written(self, work: Path, program: str) -> Path:
        """A program, beside the functions in C++ that it may call."""
        work.mkdir(exist_ok=True)
        for source in self.cases.glob("*.cc"):
            shutil.copy(source, work)
        (work / "program.py").write_text(program)
        return work / "program.py"

    def compile_of(self, case: refused.Case, work: Path) -> refused.Compile:
        given, head = case.settings, self.heads[case.file]
        arguments = ["--json", "--plugins", self.profile, "compile"]
        if "old" in given:
            return refused.Compile([*arguments, "--from-stage", self.edited(case, work / "stage")], {}, 0)
        program = self.written(work / "program", head + case.program)
        from_stage = ["--from-stage", program.parent] if "htp.stage(" in head else [program]
        return refused.Compile([*arguments, *from_stage, *given.get("options", "").split()], {}, head.count("\n"))

    def edited(self, case: refused.Case, to: Path) -> Path:
        given = case.settings
        stage = Path(shutil.copytree(self.named(case.file, given.get("stage", "*")), to))
        text = (stage / "program.py").read_text()
        old, new = (given.get(key, "").replace("\\n", "\n") for key in ("old", "new"))
        if old not in text:
            raise SystemExit(f"{case.title}: the stage has no `{old}`")
        (stage / "program.py").write_text(text.replace(old, new, 1))
        return stage


def main(doc: str | None, profile: Path, cases: Path) -> int:
    """Compiles the cases of a folder, those that the arguments name."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    given, names = parser.parse_known_args()
    host = given.host.resolve()
    with TemporaryDirectory() as folder:
        return refused.main(host, cases, Stages(host, profile, cases, Path(folder)).compile_of, names)
