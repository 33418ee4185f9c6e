"""Nothing that computes something else is proved: seeded mutants of stages, held against the stage before them.

    mutants_test.py --pairs build/dev/bin/validator_pairs --host build/dev/bin/htp-host [--count N] [--seed N] [--target NAME]…

A mutant has swapped operands, another constant, operation or dtype, a statement less, or two statements in another order. Those that are *proved* to
compute what the stage before computes are run, both of them, on the inputs of law 2: that they never differ is the test. `HTP_LONG` tries more.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/laws"), str(ROOT / "tests/support"), str(ROOT / "tests/validator")]
from packages import Package, packages, validated  # noqa: E402

OTHER = {"add": "sub", "sub": "add", "mul": "add", "div": "mul", "maximum": "minimum", "minimum": "maximum", "exp": "log", "reduce_sum": "reduce_max",
         "reduce_max": "reduce_sum", "tadd": "tsub", "tsub": "tadd", "tmul": "tadd", "tmax": "tmin", "tmin": "tmax", "texp": "tabs", "lt": "le", "le": "lt",
         "gt": "ge", "ge": "gt", "trowsum": "trowmax", "trowmax": "trowsum", "tmatmul": "tmatmul_acc", "tmatmul_acc": "tmatmul", "min": "max", "max": "min",
         "zeros": "full", "tadds": "tmuls", "tmuls": "tadds", "store": "scatter_add", "trowexpandsub": "trowexpandadd", "trowexpanddiv": "trowexpandmul"}
DTYPES = {"f32": "f16", "f16": "f32", "bf16": "f32", "i32": "i16", "i8": "i16", "f64": "f32"}


def mutations(tree: ast.Module) -> Iterator[tuple[str, ast.AST, object]]:
    """What can be changed, and how: a word, a node, and what more it takes to do it."""
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                for k in range(len(node.args) - 1):
                    if ast.dump(node.args[k]) != ast.dump(node.args[k + 1]):
                        yield "swap", node, k
                if name in OTHER and OTHER[name] != "full":
                    yield "operation", node, OTHER[name]
                for k in range(len(node.args)):
                    yield "argument", node, k
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                yield "constant", node, None
            if isinstance(node, ast.BinOp):
                yield "sides", node, None
            if isinstance(node, ast.Compare):
                yield "compare", node, None
            if isinstance(node, ast.Name) and node.id in DTYPES:
                yield "dtype", node, None
            for field in ("body", "orelse"):
                body = getattr(node, field, None)
                if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                    for k in range(len(body)):
                        yield "drop", node, (field, k)
                        if k:
                            yield "order", node, (field, k)
                        yield "twice", node, (field, k)


def mutate(text: str, rng: random.Random) -> tuple[str, str]:
    """A mutant of a stage, and what it is."""
    tree = ast.parse(text)
    what, node, more = rng.choice(list(mutations(tree)))
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Call):
        if what == "swap":
            node.args[more], node.args[more + 1] = node.args[more + 1], node.args[more]
        elif what == "argument":
            names = [other.id for other in ast.walk(tree) if isinstance(other, ast.Name)]
            node.args[more] = ast.Name(rng.choice(names), ast.Load())
        elif isinstance(node.func, ast.Attribute):
            node.func.attr = more
        else:
            node.func.id = more
    elif what == "constant":
        node.value = rng.choice([node.value + 1, node.value - 1, node.value * 2, 0])
    elif what == "sides":
        node.left, node.right = node.right, node.left
    elif what == "compare":
        node.ops = [rng.choice([ast.Lt(), ast.LtE(), ast.Eq(), ast.NotEq(), ast.GtE()])]
    elif what == "dtype":
        node.id = DTYPES[node.id]
    else:
        field, k = more
        body = getattr(node, field)
        if what == "drop":
            body[k : k + 1] = [] if len(body) > 1 else [ast.Pass()]
        elif what == "twice":
            body.insert(k, body[k])
        else:
            body[k - 1], body[k] = body[k], body[k - 1]
    return ast.unparse(ast.fix_missing_locations(tree)), f"{what} at line {line}"


def differs(before: str, after: str, assumptions: list[str]) -> str:
    """How two programs differ when they run at sizes that are assumed; empty: they do not, as far as that shows."""
    import htp
    from programs import SIZES, cases, compare, entry_of, import_program, outcomes

    source = entry_of(import_program(before, "before"))
    chosen = list(cases(source, edges=False, sizes={rank: sizes[:3] for rank, sizes in SIZES.items()}))
    sizes = [text for text in assumptions if " <= " in text]
    for outcome in outcomes(source, chosen):
        if not all(eval(text, {"min": min, "max": max}, dict(outcome.run.sizes)) for text in sizes):
            continue
        try:
            entry = entry_of(import_program(after, "after"))
            arrays = outcome.case.fresh(entry)
            with htp.timing("late"):
                entry.run(*arrays)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        for difference in compare(entry, arrays, outcome):
            return str(difference)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000 if "HTP_LONG" in os.environ else 240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", choices=("cpu", "a2a3sim", "aie"))
    parser.add_argument("--kept", type=Path, help="a folder of packages by target, compiled before")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chosen: list[Package] = packages(given.host, given.target or ["cpu", "a2a3sim", "aie"], given.kept or folder / "packages", few=given.kept is None)
        originals = validated(given.pairs, [(package, package.pairs) for package in chosen])
        proved = [(package, pair) for package in chosen for pair in package.pairs if originals[pair[1]]["proved"]]
        made: dict[Path, tuple[Path, str]] = {}
        asked: dict[Package, list[tuple[Path, Path]]] = {}
        for number in range(given.count):
            package, (before, after) = rng.choice(proved)
            text, what = mutate(after.read_text(), rng)
            path = folder / f"{number}.py"
            path.write_text(text)
            made[path] = (after, what)
            asked.setdefault(package, []).append((before, path))
        answers = validated(given.pairs, list(asked.items()))
        kept = wrong = 0
        kinds: Counter[str] = Counter()
        for pairs in asked.values():
            for before, path in pairs:
                after, what = made[path]
                if not answers[path]["proved"]:
                    kinds[what.split()[0]] += 1
                    continue
                kept += 1
                difference = differs(before.read_text(), path.read_text(), answers[path]["assumptions"])
                if difference:
                    wrong += 1
                    print(f"FAILED {after}: {what} is proved, and differs: {difference}")
    print(f"{len(made)} mutants of {len(proved)} proved uses: {len(made) - kept} not shown, {kept} proved, of which {wrong} differ; not shown: {dict(kinds.most_common())}")
    return 1 if wrong or not made else 0


if __name__ == "__main__":
    sys.exit(main())
