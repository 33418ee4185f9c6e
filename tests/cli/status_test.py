"""docs/reference/status.md: which example each target does, at what sizes, and why not.

    status_test.py --host build/dev/bin/htp-host       (with HTP_UPDATE=1 it writes the page)

What the laws run is known from the targets' lists of programs; what is in none of these is compiled here, to see which diagnostic refuses it.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/backend-aie"))

from sized import ROWS  # noqa: E402

PAGE = ROOT / "docs/reference/status.md"
TARGETS = ("cpu", "a2a3", "aie", "opencl")
LISTED = {
    "a2a3": {name.rpartition("/")[2] for name in (ROOT / "tests/backend-a2a3/programs.txt").read_text().split()},
    "aie": {name for name, *_ in ROWS},
    "opencl": {name.rpartition("/")[2] for name in (ROOT / "tests/backend-simt/programs.txt").read_text().split()},
}
"""Of the examples those that law 2 runs on the target, or law 5 on a device of OpenCL; on the CPU it runs all."""
DTYPES = "f64 f32 f16 bf16 f8e4m3 f8e5m2 i64 i32 i16 i8 u64 u32 u16 u8 bool_".split()
FORMS = {"kernel": "kernel", "workload": "workload", "schedule": "schedule", "pipeline": "pipeline"}
SIZE = 64
"""Of each dimension, where an AI Engine's program asks for one and no list says which."""


def examples() -> list[Path]:
    return sorted(path for path in ROOT.glob("examples/*/*.py") if re.search(r"^@", path.read_text(), re.MULTILINE))


def words(path: Path) -> tuple[str, str]:
    """What a program is made of: the forms of its entries and functions, and the dtypes that it names."""
    text = path.read_text()
    forms = [form for word, form in FORMS.items() if re.search(rf"^@{word}\b", text, re.MULTILINE)]
    return ", ".join(forms), ", ".join(dtype for dtype in DTYPES if re.search(rf"\b{dtype}\b", text.partition('"""')[2].partition('"""')[2]))


def cell(host: Path, path: Path, target: str) -> str:
    """`runs`, `compiles`, or the code of the first error."""
    if target == "cpu" or path.stem in LISTED[target]:
        return "runs"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = path
        if target == "aie":
            for file in path.parent.iterdir():
                if file.suffix in (".py", ".cc"):
                    (folder / file.name).write_text(re.sub(r'^(\w+) = htp\.dim\("\w+"\)$', rf"\1 = {SIZE}", file.read_text(), flags=re.MULTILINE))
            program = folder / path.name
        command = [host, "--plugins", ROOT / f"manifests/{target}.yaml", "compile", program, "-o", folder / "package", "-q"]
        entries = re.findall(r"^@(?:kernel|workload|schedule|pipeline).*\ndef (\w+)", path.read_text(), re.MULTILINE)
        done = subprocess.run([*map(str, command), *(["--entry", entries[-1]] if entries else [])], capture_output=True, text=True)
    found = re.search(r"^error\[([\w.-]+)\]", done.stderr, re.MULTILINE)
    return "compiles" if done.returncode == 0 else f"`{found[1]}`" if found else f"exit {done.returncode}"


def page(host: Path) -> str:
    rows = [(path, [*words(path), *(cell(host, path, target) for target in TARGETS)]) for path in examples()]
    text = "# What each target does\n\nThe examples, by target: *runs* means that law 2 runs it there in every whole test, at sizes that divide evenly and at others, against plain Python; "
    text += "*compiles* that it compiles. A code names the first diagnostic that refuses it: `htp-host explain CODE` says why. `a2a3` and `aie` run on models of the machines, `opencl` by law 5 where a driver is. "
    text += "AI Engines compile for given sizes: where no test says which, each dimension has 64. This page is generated.\n\n"
    for number, target in enumerate(TARGETS, 2):
        done = [path for path, cells in rows if cells[number] in ("runs", "compiles")]
        text += f"- `{target}`: {len(done)} of {len(rows)}\n"
    text += "\n| example | what | dtypes | " + " | ".join(f"`{target}`" for target in TARGETS) + " |\n" + "| --- " * (3 + len(TARGETS)) + "|\n"
    for path, cells in rows:
        where = path.parent.name if path.parent.name == path.stem else f"{path.parent.name}/{path.stem}"
        text += f"| [{where}](../../examples/{path.parent.name}/) | " + " | ".join(cells) + " |\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    now = page(parser.parse_args().host.resolve())
    if os.environ.get("HTP_UPDATE"):
        PAGE.write_text(now)
    there = PAGE.read_text() if PAGE.exists() else ""
    if there == now:
        return 0
    print(f"{PAGE} is not what compiles now; run scripts/generate-docs")
    sys.stdout.writelines(list(difflib.unified_diff(there.splitlines(True), now.splitlines(True), "page", "now"))[:60])
    return 1


if __name__ == "__main__":
    sys.exit(main())
