"""What the simulated array refuses: packages whose module, or `mapping.json`, somebody changed, which are then run.

    refused_test.py --host build/dev/bin/htp-host [NAME …]

The cases of refused/ have no programs: `#! program:` is one of those that the backend is tested with, and its sizes, `#! columns:` those of the array that it may have. In
the file of its package that `#! file:` names `#! new:` takes the place of `#! old:`, a regular expression, with `\\n` for a new line; or the package has no file `#! without:`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import sized
from simulated import ROOT, removed, replaced
from tools import missing

sys.path.insert(0, str(ROOT / "tests/support"))

import refused  # noqa: E402


class Packages:
    """Of each program and number of columns one, compiled once."""

    def __init__(self, host: Path, folder: Path) -> None:
        self.host, self.folder, self.lock = host, folder, Lock()

    def package(self, program: str, columns: str) -> Path:
        name, *sizes = program.split()
        work = self.folder / re.sub(r"\W", "_", f"{program} {columns}")
        with self.lock:
            if not work.exists():
                work.mkdir()
                (work / "profile.yaml").write_text(f"htp_profile: 1\ntarget: aie\noptions:\n  aie.spread:\n    columns: {columns}\n")
                subprocess.run([self.host, "--plugins", work / "profile.yaml", "compile", sized.sized(name, sizes, work), "-o", work / "package"], check=True, capture_output=True)
        return work / "package"

    def run_of(self, case: refused.Case, work: Path) -> refused.Compile:
        given = case.settings
        package = Path(shutil.copytree(self.package(given.get("program", "softmax M=37 N=20"), given.get("columns", "1")), work / "changed"))
        command = refused.Compile(["--json", "--plugins", ROOT / "manifests/aie.yaml", "run", package], {"HTP_AIE_OPT": ""}, 0, writes=False)
        if "without" in given:
            removed(package, "codegen/aie/" + given["without"])
            return command
        path = "codegen/aie/" + given.get("file", "aie.mlir")
        before = (package / path).read_text()
        after = re.sub(given["old"], given.get("new", "").replace("\\n", "\n"), before, count=1, flags=re.MULTILINE)
        if after == before:
            raise SystemExit(f"{case.title}: the package has no `{given['old']}`")
        replaced(package, path, after)
        return command


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    given, names = parser.parse_known_args()
    with TemporaryDirectory() as folder:
        packages = Packages(given.host.resolve(), Path(folder))
        sys.exit(refused.main(packages.host, Path(__file__).parent / "refused", packages.run_of, names))
