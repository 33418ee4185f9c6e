"""Runs a law over the examples that the target can do, each at the sizes of programs.txt, and over the backend's own: a package for an NPU is
compiled for one size of each dimension.

    sized.py law2.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import taken  # noqa: E402

ROWS = [line.split() for line in (Path(__file__).parent / "programs.txt").read_text().splitlines() if line and not line.startswith("#")]


def rows() -> list[list[str]]:
    """The rows of programs.txt that this run takes."""
    return taken(ROWS)


def beside(name: str) -> Path:
    """A program of these tests, or an example."""
    program = Path(__file__).parent / f"programs/{name}.py"
    return program if program.exists() else ROOT / f"examples/{name}/{name}.py"


def sized(name: str, sizes: list[str], folder: Path) -> Path:
    """A copy of an example, or of a program beside this file, whose dimensions have sizes, as `--set` gives them."""
    text = beside(name).read_text()
    path = folder / ("_".join([name, *sizes]).replace("=", "") + ".py")
    for module in re.findall(r"^from (\w+) import", text, re.MULTILINE):  # the workload of a schedule
        if (ROOT / f"examples/{module}/{module}.py").exists():
            workload = sized(module, sizes, folder)
            text, sizes = text.replace(f"from {module} import", f"from {workload.stem} import"), []
    for size in sizes:
        dim, number = size.split("=")
        text, times = re.subn(rf'^{dim} = htp\.dim\("{dim}"\)$', f"{dim} = {number}", text, flags=re.MULTILINE)
        assert times == 1, (name, dim)
    path.write_text(text)
    for source in [*(ROOT / f"examples/{name}").glob("*.cc"), *Path(__file__).parent.glob(f"programs/{name}.cc")]:
        shutil.copy(source, folder)  # what it calls that is compiled apart
    return path


def main() -> int:
    law, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        programs = [sized(name, sizes, Path(folder)) for name, *sizes in ROWS] + sorted(ROOT.glob("plugins/backend-aie/examples/*.py"))
        command = [sys.executable, ROOT / "tests/laws" / law, "--profile", ROOT / "manifests/aie.yaml", *options, *programs]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
