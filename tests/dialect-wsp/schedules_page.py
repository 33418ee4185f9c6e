"""docs/schedules.md: in each section about a directive every second block is what `wsp.apply` makes of the one before. Without the directive the next
stage and the emitted code are others, and with it every stage and the CPU compute the same. HTP_UPDATE=1 writes the second blocks.

    schedules_page.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import htp
from htp.testing import cases, compare, entry_of, import_program, outcomes, stages_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/schedules.md"
SIZES = {2: [(9, 21), (70, 40)], 3: [(5, 19, 9), (33, 17, 70)]}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def compiled(text: str, folder: Path, plugins: list[Path]) -> Path:
    program = folder / "program.py"
    program.write_text(text)
    return htp.compile_program(program, profile=ROOT / "manifests/cpu.yaml", out=folder / "package", entry="plan", plugin_path=plugins)


def stage(package: Path, name: str) -> str:
    """The program after the pass, which leaves no stage of its own where it changes nothing."""
    events = [json.loads(line) for line in (package / "ir/pass_trace.jsonl").read_text().splitlines()]
    (number,) = (event["stage_after"] for event in events if event["pass"] == name)
    (found,) = package.glob(f"ir/stages/{number:02}-*/program.py")
    return found.read_text()


def code(package: Path) -> str:
    """What is emitted, without the lines of the program that it cites."""
    return re.sub(r" *// program.py:\d+", "", (package / "codegen/cpu/kernel.c").read_text())


def workload_of(text: str) -> str:
    tree = ast.parse(text)
    (found,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and ast.unparse(node.decorator_list[0]) == "workload"]
    return "\n".join(text.splitlines()[found.decorator_list[0].lineno - 1 : found.end_lineno]) + "\n"


def wrong_results(package: Path, plugins: list[Path]) -> list[str]:
    stages = stages_of(package)
    first = entry_of(import_program(stages[0].read_text(), "first"))
    found = []
    with htp.bind(package, plugin_path=plugins) as opened:
        (routine,) = opened.routines.values()
        runs = [(path.parent.name, entry_of(import_program(path.read_text(), "stage"))) for path in stages[1:]]
        for outcome in outcomes(first, list(cases(first, edges=False, sizes=SIZES))):
            for name, entry in [*runs, ("the CPU", routine)]:
                arrays = outcome.case.fresh(entry)
                entry(*arrays)
                found += [f"{name}: {difference}" for difference in compare(entry, arrays, outcome)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    plugins = [parser.parse_args().host.resolve().parent.parent / "plugins"]
    text = PAGE.read_text()
    sections = re.split(r"^(?=## `)", text, flags=re.MULTILINE)
    head = BLOCK.search(sections[0])
    assert head
    failed = 0
    for number, section in enumerate(sections[1:], 1):
        name = section[4 : section.index("`", 4)]
        blocks = BLOCK.findall(section)
        wrong = []
        for before, after in zip(blocks[::2], blocks[1::2], strict=True):
            with tempfile.TemporaryDirectory() as with_it, tempfile.TemporaryDirectory() as without_it:
                package = compiled(head[1] + "\n\n" + before, Path(with_it), plugins)
                lines = [line for line in before.splitlines() if f"s.{name}(" not in line]
                plain = compiled(head[1] + "\n\n" + "\n".join(lines) + "\n    pass\n", Path(without_it), plugins)
                made = workload_of(stage(package, "wsp.apply"))
                if os.environ.get("HTP_UPDATE"):
                    sections[number] = sections[number].replace(f"```python\n{after}```", f"```python\n{made}```")
                elif made != after:
                    wrong += ["the page shows", *after.splitlines(), "and this is made", *made.splitlines()]
                if made == workload_of(stage(plain, "wsp.apply")):
                    wrong.append("the workload is the same without it")
                if code(package) == code(plain):
                    wrong.append("the emitted code is the same without it")
                wrong += wrong_results(package, plugins)
        if wrong:
            failed += 1
            print(f"FAILED {name}:", *wrong, sep="\n    ", flush=True)
    names = set(re.findall(r"^DIRECTIVE\((\w+)", (ROOT / "plugins/dialect-wsp/directives.def").read_text(), re.MULTILINE))
    missing = names - set(re.findall(r"^## `(\w+)`$", text, re.MULTILINE))
    if missing:
        failed += 1
        print(f"FAILED the page lacks {', '.join(sorted(missing))}")
    if os.environ.get("HTP_UPDATE"):
        PAGE.write_text("".join(sections))
    print(f"{len(sections) - 1} directives, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
