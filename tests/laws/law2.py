"""Law 2: every stage runs as plain Python and gives the results of stage 0, and every stage *is* the program.

    law2.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]     all examples without programs
    law2.py --package OUT …                                                                packages that are there already
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import htp
import numpy as np
from driver import Report, main, slice_of
from elements import quick
from mutate import heads, mutants
from programs import Outcome, cases, compare, entry_of, import_program, outcomes, stages_of

FEW = 1000
"""Iterations up to which an element at a time is quick under plain Python."""
LONGEST_LITERAL = 48
"""Characters of text, or digits of a number, beyond which a literal is data rather than a name or a number."""
LONGEST_DISPLAY = 16
"""Elements of a list, tuple, set or dict of constants beyond which it is data."""


def check(package: Path, report: Report) -> None:
    """The whole law, on one package."""
    stages = stages_of(package)
    texts = {path.parent.name: path.read_text() for path in stages}
    first, *_ = texts
    source = entry_of(import_program(texts[first], first))
    chosen = list(cases(source))
    expected = outcomes(source, chosen)
    modules = _plugin_modules(package)
    names = list(texts)
    following = dict(zip(names, names[1:]))
    for stage, text in texts.items():
        with report.checking(f"{package.name} {stage}: imports only htp and its plugins"):
            report.all(_foreign_imports(text, modules))
        with report.checking(f"{package.name} {stage}: holds no data that stage 0 lacks"):
            report.all(_long_literals(text) - _long_literals(texts[first]))
        entry = None
        orders: list[str | int] = ["late", "early", 0, 1] if "copy_async" in text or "@process" in text or "csp.process" in text else ["late"]
        with report.checking(f"{package.name} {stage}: gives the results of stage 0"):
            entry = entry_of(import_program(text, stage))
            fast = quick(text, entry.name) if _goes_by_elements(text) else None
            some = expected if fast or not _goes_by_elements(text) else few(expected)
            for number, outcome in enumerate(some):  # in one order at each size, and in the others by turns
                if fast is not None and (_steps(outcome) <= FEW or "HTP_LONG" in os.environ):
                    report.all(_differences(entry, outcome, orders[0], also=fast))
                    continue
                for order in dict.fromkeys((orders[0], orders[number % len(orders)])):
                    report.all(_differences(fast or entry, outcome, order))
        if entry is not None:
            with report.checking(f"{package.name} {stage}: is the program"):
                report.all(survivors(text, entry, redundant=thinned(text, texts.get(following.get(stage, ""), text))))


def _goes_by_elements(text: str) -> bool:
    """Whether a stage spells out its loops over elements."""
    return ".get(" in text or ".put(" in text


def _steps(outcome: Outcome) -> int:
    """About how many times the innermost loop goes round, at least."""
    return max(math.prod(outcome.run.sizes.values()), *(int(array.size) for array in outcome.arrays))


def few(expected: list[Outcome]) -> list[Outcome]:
    """The calls at which such a stage runs that cannot be made faster: in a slice (HTP_SLICE) those that are quick and by turns one of the larger ones, else all."""
    turn, step = slice_of()
    sizes = [_steps(outcome) for outcome in expected]
    large = [number for number, size in enumerate(sizes) if size > FEW]
    chosen = large[turn % len(large)] if large else None
    return expected if step == 1 else [outcome for number, outcome in enumerate(expected) if sizes[number] <= FEW or number == chosen]


def _differences(entry: htp.Entry, expected: Outcome, order: str | int, also: htp.Entry | None = None) -> list[str]:
    """Where a stage's results are others than stage 0's; and whether the stage rewritten to run faster gives the same bits."""
    arrays = expected.case.fresh(entry)
    with htp.timing(order):
        entry.run(*arrays)
    found = [f"with timing {order!r}: {difference}" for difference in compare(entry, arrays, expected)]
    if also is not None:
        others = expected.case.fresh(entry)
        also.run(*others)
        found += [f"at {expected.case.name}: elements.py gives other bits" for one, other in zip(arrays, others) if _bits(one) != _bits(other)]
    return found


def thinned(text: str, following: str) -> bool:
    """Whether the next stage is this one with statements left out and nothing else, but that flags may be numbered anew. Which of two statements that can
    stand for each other is redundant, is what it decides; what it keeps is mutated there."""
    ours, others = (Counter(re.sub(r"\b\d+\b", "0", head) for head in heads(one)) for one in (text, following))
    return ours != others and not others - ours


def survivors(text: str, entry: htp.Entry, *, redundant: bool = False) -> list[str]:
    """The mutants of a stage that give its results all the same: none, if it is the program. `redundant` statements may be left out."""
    chosen = list(cases(entry, edges=False))
    few = sorted(outcomes(entry, chosen[:4]), key=lambda outcome: int(sum(array.size for array in outcome.arrays)))  # most show at the smallest
    beyond = lines_beyond(text, max((extent for case in chosen for array in case.arrays for extent in array.shape), default=0))
    made = (mutant for mutant in mutants(text, entry.name) if not (redundant and mutant.deletes) and mutant.line not in beyond)
    left = [mutant for mutant in made if not _killed(mutant.code, entry.name, few)]
    more = outcomes(entry, chosen[4:]) if left else []  # sizes at which loops go round more often
    left = [mutant for mutant in left if not _killed(mutant.code, entry.name, more)]
    with _other_poison():  # of two values one may be what is always stored
        left = [mutant for mutant in left if not _killed(mutant.code, entry.name, few + more)]
    return [f"line {mutant.line}: it computes the same {mutant.what}" for mutant in left]


@contextmanager
def _other_poison() -> Iterator[None]:
    poison = htp.bool_.poison
    htp.bool_.poison = not poison
    try:
        yield
    finally:
        htp.bool_.poison = poison


def lines_beyond(text: str, most: int) -> set[int]:
    """The lines that run where a size is larger than `most` only: in `if N >= 1024:`, what is packed where rows are long. `LONG_ROWS` has programs that go there."""
    lines: set[int] = set()
    for branch in ast.walk(ast.parse(text)):
        if not isinstance(branch, ast.If):
            continue
        tests = branch.test.values if isinstance(branch.test, ast.BoolOp) and isinstance(branch.test.op, ast.And) else [branch.test]
        for test in tests:
            match test:
                case ast.Compare(left=ast.Name(), ops=[ast.GtE()], comparators=[ast.Constant(value=int(least))]) if least > most:
                    lines.update(range(branch.body[0].lineno, (branch.body[-1].end_lineno or 0) + 1))
    return lines


def _killed(code: CodeType, name: str, right: list[Outcome]) -> bool:
    for outcome in right:
        try:
            entry = entry_of(import_program(code, "<mutant>"), name)
            arrays = outcome.case.fresh(entry)
            entry.run(*arrays)
        except Exception:  # whatever a broken program raises shows that it is broken
            return True
        if any(_bits(actual) != _bits(wanted) for actual, wanted in zip(arrays, outcome.arrays)):
            return True
    return False


def _bits(array: Any) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def _plugin_modules(package: Path) -> set[str]:
    """The Python modules of the plugins that took part, as the package records them."""
    manifest = package / "manifest.json"
    if not manifest.exists():
        return {"htp_tile", "htp_wsp", "htp_cpu"}
    plugins = json.loads(manifest.read_text())["plugins"]
    return {plugin["python"]["module"] for plugin in plugins if plugin.get("python")}


def _foreign_imports(text: str, modules: set[str]) -> list[str]:
    allowed = {"htp", "__future__", "math"} | modules
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append((node.lineno, node.module or "."))
        elif isinstance(node, ast.Name) and node.id in ("exec", "eval", "compile", "__import__", "open", "globals", "getattr"):
            names.append((node.lineno, node.id))
    return [f"line {line}: {name}" for line, name in names if name.split(".")[0] not in allowed]


def _long_literals(text: str) -> set[str]:
    found = set()
    module = ast.parse(text)
    module.body = [statement for statement in module.body if not ast.unparse(statement).startswith("htp.stage(")]  # the header says what follows
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and node.value is not None and len(_shown(node.value)) > LONGEST_LITERAL:
            found.add(_shown(node.value))
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)) and len(node.elts) > LONGEST_DISPLAY:
            if all(isinstance(element, (ast.Constant, ast.UnaryOp)) for element in node.elts):
                found.add(ast.unparse(node))
        elif isinstance(node, ast.Dict) and len(node.keys) > LONGEST_DISPLAY:
            found.add(ast.unparse(node))
    return found


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    sys.exit(main(__doc__, check))
