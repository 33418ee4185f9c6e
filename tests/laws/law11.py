"""Law 11: every annotation acts. A layout, a memory space, a level or a loop form that is added to a program, or taken from it, changes what is emitted, or
is refused with a code, or is spoken of at its line, or asks for what is done anyway (annotations.py says of each that may why). Ignored fails.

    law11.py --host build/plain/bin/htp-host [PROGRAM.py …]     (every example, for every target: of a slice of them a few annotations, by turns)
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotations import Edit, edits, sized
from driver import ROOT, Report, call, main, options, slice_of, taken
from programs import entry_of, function_of, import_program

TARGETS = ("cpu", "a2a3", "aie")
FEW = 4
"""Annotations that a program is given for each target in a slice."""
MISTAKEN = ("parse.", "tile.annotation-mismatch", "tile.unknown-name", "tile.bad-annotation", "tile.retyped")
"""Codes of edits that make no sense there: a type that is another one, a name that is not known yet."""


@dataclass(frozen=True)
class Outcome:
    """What came of a compile: what is emitted, or that it was refused; and the codes of all that was said, with the lines."""

    emitted: dict[str, str] | None
    said: frozenset[tuple[str, int]]

    @property
    def codes(self) -> set[str]:
        return {code for code, _ in self.said}


def compiled(folder: Path, program: Path, entry: str, target: str) -> Outcome:
    """What a target makes of a program."""
    package = folder / "package"
    host = options().host
    assert host is not None
    done = call([host, "--plugins", target, "--json", "compile", program, "--entry", entry, "-o", package])
    answer: dict[str, Any] = json.loads(done.stdout)
    said = set()
    for diagnostic in answer["diagnostics"]:
        for place in (diagnostic.get("place"), *(label["place"] for label in diagnostic["labels"])):
            lines = range(place["line"], place["end_line"] + 1) if place and Path(place["file"]).name == program.name else ()
            said |= {(diagnostic["code"], line) for line in lines} or {(diagnostic["code"], 0)}
    return Outcome(_emitted(package) if done.returncode == 0 else None, frozenset(said))


def _emitted(package: Path) -> dict[str, str]:
    """Code, recipes and orders of passes, without what cites lines of the last stage."""
    texts = {}
    for path in sorted([*package.glob("codegen/**/*"), *package.glob("build/*")]):
        if path.suffix not in (".c", ".h", ".cpp", ".mlir", ".py", ".sh") and path.name != "recipe.json":
            continue
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\bloc\([^\n]*|^#[^\n]*|\bstages/\S+", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        texts[str(path.relative_to(package))] = re.sub(r"\s+", " ", text)
    return texts


def types_of(package: Path) -> dict[str, str]:
    """The types that tile.infer gives to names."""
    for stage in package.glob("ir/stages/*-tile.infer/program.py"):
        tree = ast.parse(stage.read_text())
        return {node.target.id: ast.unparse(node.annotation) for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return {}


def judged(edit: Edit, before: Outcome, now: Outcome) -> str:
    """What is wrong with what an annotation does; empty where it acts."""
    if now.emitted is None:
        return "" if now.codes else "it is refused, and nothing is said"
    if now.emitted != before.emitted or edit.anyway:
        return ""
    here = [{code for code, line in outcome.said if line == edit.line} for outcome in (before, now)]
    return "" if here[0] != here[1] else "it is ignored"


def check_program(folder: Path, program: Path, turn: int, report: Report) -> None:
    """One program for each target."""
    text = sized(program.read_text())
    copy = folder / program.name
    copy.write_text(text)
    sys.path[:0] = [str(folder), str(program.parent)]
    try:
        entry = entry_of(import_program(text, program.stem, copy))
        function = function_of(entry, ast.parse(text))
    except Exception:  # of another file's workload; or sizes are no dims: the other laws run it
        return
    finally:
        del sys.path[:2]
    for beside in program.parent.glob("*"):
        if beside.is_file() and not (folder / beside.name).exists():
            (folder / beside.name).write_bytes(beside.read_bytes())
    for target in TARGETS:
        copy.write_text(text)
        before = compiled(folder, copy, entry.name, target)
        if before.emitted is None:
            continue
        given = edits(text, function, entry, types_of(folder / "package"), target)
        step = 1 if slice_of()[1] == 1 else max(len(given) // FEW, 1)
        for edit in given[turn % step :: step]:
            copy.write_text(edit.text if "import htp\n" in text else edit.text.replace("from htp", "import htp; from htp", 1))
            now = compiled(folder, copy, entry.name, target)
            if now.emitted is None and any(code.startswith(MISTAKEN) for code in now.codes):
                continue
            with report.checking(f"{program.stem} for {target}: {edit.what}"):
                report.all(why for why in [judged(edit, before, now)] if why)


def check(folder: Path, report: Report) -> None:
    """Each program."""
    found = sorted([*ROOT.glob("examples/*/*.py"), *ROOT.glob("plugins/*/examples/*.py")])
    for number, program in enumerate(_named or taken(found)):
        (folder / str(number)).mkdir()
        check_program(folder / str(number), program, slice_of()[0] + number, report)


_named = [Path(argument).resolve() for argument in sys.argv[1:] if argument.endswith(".py")]
"""Programs that the command line names: these alone, and all of what they may carry."""

if __name__ == "__main__":
    if _named:
        os.environ.pop("HTP_SLICE", None)
        sys.argv[1:] = [argument for argument in sys.argv[1:] if not argument.endswith(".py")]
    sys.exit(main(__doc__, None, more=check))
