"""What the backend refuses: the programs of refused/, and stages of theirs that somebody edited.

    refused_test.py --host build/dev/bin/htp-host [NAME …]

A file's head, what stands before its first case, stands before the program of each. A case without a program edits a stage of the head: in the last one,
or the one that `#! stage:` names, `#! new:`, or nothing, takes the place of `#! old:`, with `\\n` for a new line. `#! options:` are more arguments of the compile.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import refused  # noqa: E402

PROFILE = HERE.parents[1] / "manifests/aie.yaml"


class Stages:
    """Of each file: its head, and where its cases edit a stage, the package of it, compiled once."""

    def __init__(self, host: Path, folder: Path) -> None:
        self.host, self.folder, self.lock = host, folder, Lock()
        self.heads = {file: file.read_text().split("\n#: ", 1)[0] + "\n" for file in (HERE / "refused").glob("*.py")}

    def named(self, file: Path, name: str) -> Path:
        package = self.folder / file.stem / "package"
        with self.lock:
            if not package.exists():
                program = written(package.parent, self.heads[file])
                subprocess.run([self.host, "--plugins", PROFILE, "compile", program, "-o", package], check=True, capture_output=True)
        return max((package / "ir/stages").glob(f"*-{name}"))


def written(work: Path, program: str) -> Path:
    """A program, beside the functions in C++ that it may call."""
    work.mkdir(exist_ok=True)
    for source in (HERE / "refused").glob("*.cc"):
        shutil.copy(source, work)
    (work / "program.py").write_text(program)
    return work / "program.py"


def compile_of(stages: Stages, case: refused.Case, work: Path) -> refused.Compile:
    given, head = case.settings, stages.heads[case.file]
    arguments = ["--json", "--plugins", PROFILE, "compile"]
    if "old" not in given:
        return refused.Compile([*arguments, written(work, head + case.program), *given.get("options", "").split()], {}, head.count("\n"))
    stage = Path(shutil.copytree(stages.named(case.file, given.get("stage", "*")), work / "stage"))
    text = (stage / "program.py").read_text()
    old, new = (given.get(key, "").replace("\\n", "\n") for key in ("old", "new"))
    if old not in text:
        raise SystemExit(f"{case.title}: the stage has no `{old}`")
    (stage / "program.py").write_text(text.replace(old, new, 1))
    return refused.Compile([*arguments, "--from-stage", stage], {}, 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    given, names = parser.parse_known_args()
    with TemporaryDirectory() as folder:
        stages = Stages(given.host.resolve(), Path(folder))
        return refused.main(given.host.resolve(), HERE / "refused", lambda case, work: compile_of(stages, case, work), names)


if __name__ == "__main__":
    sys.exit(main())
