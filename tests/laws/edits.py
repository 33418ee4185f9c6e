"""Seeded edits of a stage's text, as a person makes them by hand: what changes what it computes, and what cannot.

An edit is of one of KINDS, drawn first, so that the rare ones are as frequent as the common; the place and what stands there after it are drawn next. One that
*keeps* the meaning is such by Python's own rules, whatever the stage says: comments, line breaks, names of locals, the order of the operands of `+`, of what is
computed one after the other and does not depend. Any other may change it, and sometimes by accident does not.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import htp

DTYPES = ("f32", "f16", "bf16", "i32", "i16", "i8", "u8", "i64", "f64", "bool_")
_OPERATORS = {"+": "-*", "-": "+*", "*": "+-", "//": "*%", "%": "/*"}
_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Edit:
    """A stage with one thing changed."""

    kind: str
    keeps: bool
    line: int
    what: str
    text: str


Change = tuple[int, int, str]
"""Bytes that another text takes the place of."""


class Stage:
    """A stage's text, with the places of what can be edited: not its header, docstring and imports."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.bytes = text.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(text)
        self.top = [node for node in self.tree.body if not _is_head(node)]
        self.nodes = [node for top in self.top for node in ast.walk(top)]
        self.statements = [(statement, body) for top in self.top for statement, body in _statements(top)]
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.kinds = _kinds(self.top)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The bytes of a node."""
        place = vars(node)
        return self.starts[place["lineno"] - 1] + place["col_offset"], self.starts[place["end_lineno"] - 1] + place["end_col_offset"]

    def lines(self, statement: ast.stmt) -> tuple[int, int]:
        """The bytes of a statement's lines, with what is above it of decorators."""
        first = min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])
        assert statement.end_lineno is not None
        return self.starts[first - 1], self.starts[statement.end_lineno]

    def of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.bytes[start:end].decode()

    def replaced(self, node: ast.AST, new: str) -> list[Change]:
        return [(*self.span(node), new)]

    def after(self, changes: list[Change]) -> str:
        """The text with changes, which do not overlap."""
        changed = self.bytes
        for start, end, new in sorted(changes, reverse=True):
            changed = changed[:start] + new.encode() + changed[end:]
        return changed.decode()


def _is_head(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Expr) and (isinstance(node.value, ast.Constant) or ast.unparse(node.value).startswith("htp.stage(")))


def _statements(top: ast.stmt) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """Those inside a function, each with the list that it stands in."""
    for node in ast.walk(top):
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list) and not isinstance(node, ast.Module):
                yield from ((statement, body) for statement in body)


def _kinds(top: list[ast.stmt]) -> dict[str, str]:
    """What each name stands for, as far as text tells: its annotation, the word that made it, an int."""
    found: dict[str, str] = {}
    for node in (node for one in top for node in ast.walk(one)):
        if isinstance(node, ast.arg) and node.annotation is not None:
            found[node.arg] = re.sub(r"^(In|Out|InOut)\[(.*)\]$", r"\2", ast.unparse(node.annotation))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = ast.unparse(node.annotation)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            word = ast.unparse(node.value.func) if isinstance(node.value, ast.Call) else "int"
            found.setdefault(node.targets[0].id, "int" if word in ("min", "max", "htp.dim") else word)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            found[node.target.id] = "int"
    return found


# ── edits that may change what is computed ──


def _deleted(stage: Stage, draw: random.Random) -> list[Change]:
    statement, body = draw.choice(stage.statements)
    start, end = stage.lines(statement)
    return [(start, end, "")] if len(body) > 1 else stage.replaced(statement, "pass")


def _twice(stage: Stage, draw: random.Random) -> list[Change]:
    start, end = stage.lines(draw.choice(stage.statements)[0])
    return [(end, end, stage.bytes[start:end].decode())]


def _exchanged(stage: Stage, draw: random.Random) -> list[Change]:
    return _swapped(stage, *draw.choice([pair for _, body in stage.statements for pair in zip(body, body[1:])]))


def _moved(stage: Stage, draw: random.Random) -> list[Change]:
    """A statement is taken to another place in its block."""
    statement, body = draw.choice([one for one in stage.statements if len(one[1]) > 2])
    other = draw.choice([one for one in body if one is not statement])
    start, end = stage.lines(statement)
    to = stage.lines(other)[draw.randrange(2)]
    return [(start, end, ""), (to, to, stage.bytes[start:end].decode())] if to not in (start, end) else []


def _swapped(stage: Stage, one: ast.stmt, other: ast.stmt) -> list[Change]:
    (a, b), (c, d) = stage.lines(one), stage.lines(other)
    return [(a, b, stage.bytes[c:d].decode()), (c, d, stage.bytes[a:b].decode())]


def _constants(stage: Stage, kind: type) -> list[ast.Constant]:
    return [node for node in stage.nodes if isinstance(node, ast.Constant) and type(node.value) is kind]


def _int(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice(_constants(stage, int))
    value = node.value
    assert isinstance(value, int)
    others = sorted({value + 1, value - 1, 2 * value, value // 2, 0, value + 32, 4096, -value} - {value})
    other = draw.choice(others)
    return stage.replaced(node, str(other) if other >= 0 else f"({other})")


def _float(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice(_constants(stage, float))
    return stage.replaced(node, draw.choice([f"(-{stage.of(node)})", f"({stage.of(node)} * 2)", "0.0", "3.5"]))


def _flag(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice(_constants(stage, bool))
    return stage.replaced(node, str(not node.value))


def _string(stage: Stage, draw: random.Random) -> list[Change]:
    strings = _constants(stage, str)
    node = draw.choice(strings)
    return stage.replaced(node, draw.choice(sorted({repr(one.value) for one in strings} | {"'other'", "''"})))


def _name(stage: Stage, draw: random.Random) -> list[Change]:
    """A name takes the place of another one, which stands for the like as a rule."""
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.Name) and node.id in stage.kinds])
    like = [name for name, kind in stage.kinds.items() if kind == stage.kinds[node.id] and name != node.id]
    return stage.replaced(node, draw.choice(like if like and draw.random() < 0.8 else sorted(stage.kinds)))


def _dtype(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.Name) and node.id in DTYPES])
    new = draw.choice(DTYPES)
    imports = [] if re.search(rf"^from htp import .*\b{new}\b", stage.text, re.MULTILINE) else [stage.bytes.find(b"from htp import ") + len("from htp import ")]
    return stage.replaced(node, new) + [(at, at, f"{new}, ") for at in imports]


def _operator(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice([node for node in stage.nodes if isinstance(node, (ast.BinOp, ast.Compare))])
    left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.left, node.comparators[0])
    start, end = stage.span(left)[1], stage.span(right)[0]
    between = stage.bytes[start:end].decode()
    old = between.strip(" ()")
    others = [one for one in _COMPARED if one != old] if isinstance(node, ast.Compare) else [one.replace("/", "//") for one in _OPERATORS.get(old, "+")]
    return [(start, end, between.replace(old, draw.choice(others)))]


def _operands(stage: Stage, draw: random.Random) -> list[Change]:
    """Two operands change places."""
    pairs = [pair for node in stage.nodes if isinstance(node, ast.Call) for pair in zip(node.args, node.args[1:])]
    pairs += [(node.left, node.right) for node in stage.nodes if isinstance(node, ast.BinOp)]
    one, other = draw.choice(pairs)
    return stage.replaced(one, stage.of(other)) + stage.replaced(other, stage.of(one))


def _argument(stage: Stage, draw: random.Random) -> list[Change]:
    """An argument less, or one twice."""
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.Call) and len(node.args) > 1])
    last = node.args[-1]
    if draw.random() < 0.5:
        return [(stage.span(node.args[-2])[1], stage.span(last)[1], "")]
    return stage.replaced(last, f"{stage.of(last)}, {stage.of(last)}")


def _keyword(stage: Stage, draw: random.Random) -> list[Change]:
    """A keyword less."""
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.Call) and node.keywords and node.args])
    which = draw.randrange(len(node.keywords))
    before = node.keywords[which - 1] if which else node.args[-1]
    return [(stage.span(before)[1], stage.span(node.keywords[which])[1], "")]


def _word(stage: Stage, draw: random.Random) -> list[Change]:
    """Another word of the target's: one that stands in the stage, or any."""
    functions = [node.func for node in stage.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)]
    node = draw.choice([one for one in functions if ast.unparse(one) in htp.INTRINSICS])
    prefix = ast.unparse(node.value)
    here = sorted({one.attr for one in functions if ast.unparse(one.value) == prefix} - {node.attr})
    any_ = sorted(name.removeprefix(f"{prefix}.") for name in htp.INTRINSICS if name.startswith(f"{prefix}."))
    start, end = stage.span(node)
    return [(start, end, f"{prefix}.{draw.choice(here if here and draw.random() < 0.5 else any_)}")]


def _condition(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice([node for node in stage.nodes if isinstance(node, (ast.If, ast.While, ast.IfExp))])
    return stage.replaced(node.test, draw.choice([f"not ({stage.of(node.test)})", "True", "False"]))


def _loop(stage: Stage, draw: random.Random) -> list[Change]:
    """A loop may run otherwise: its marks go, or it gets one."""
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.For)])
    iterated = node.iter
    if isinstance(iterated, ast.Call) and ast.unparse(iterated.func).startswith("htp.") and iterated.args:
        return stage.replaced(iterated, stage.of(iterated.args[0]))
    return stage.replaced(iterated, f"htp.{draw.choice(['parallel', 'vectorized', 'unrolled'])}({stage.of(iterated)})")


def _decorator(stage: Stage, draw: random.Random) -> list[Change]:
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.FunctionDef) and node.decorator_list])
    decorator = draw.choice(node.decorator_list)
    assert decorator.end_lineno is not None
    return [(stage.starts[decorator.lineno - 1], stage.starts[decorator.end_lineno], "")]


# ── edits that keep it ──


def _comment(stage: Stage, draw: random.Random) -> list[Change]:
    statement, _ = draw.choice(stage.statements)
    start, _ = stage.lines(statement)
    indent = " " * statement.col_offset
    return [(start, start, draw.choice([f"{indent}# by hand\n", "\n", f"# {stage.of(statement).splitlines()[0]}\n"]))]


def _renamed(stage: Stage, draw: random.Random) -> list[Change]:
    """A local gets another name, wherever it stands. What is nobody's local, or is spoken of in a string, keeps its own."""
    stored = {node.id for node in stage.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not isinstance(stage.parents.get(stage.parents.get(node, node)), ast.Module)}
    others = {node.arg for node in stage.nodes if isinstance(node, (ast.arg, ast.keyword))} | {node.name for node in stage.nodes if isinstance(node, ast.FunctionDef)}
    others |= {target.id for top in stage.top if isinstance(top, (ast.Assign, ast.AnnAssign)) for target in ast.walk(top) if isinstance(target, ast.Name)}
    spoken = " ".join(str(node.value) for node in _constants(stage, str))
    name = draw.choice(sorted(name for name in stored - others if not re.search(rf"\b{name}\b", spoken)))
    new = draw.choice([f"{name}_by_hand", f"a{len(name)}_{name}", "zz"])
    return [change for node in stage.nodes if isinstance(node, ast.Name) and node.id == name for change in stage.replaced(node, new)]


def _commuted(stage: Stage, draw: random.Random) -> list[Change]:
    """The operands of a sum, a product, a comparison, or of min and max of ints change places."""
    sums: list[ast.BinOp] = [node for node in stage.nodes if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult))]
    chosen: list[ast.Call] = [node for node in stage.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) == 2]
    compared: list[ast.Compare] = [node for node in stage.nodes if isinstance(node, ast.Compare) and len(node.ops) == 1]
    every: list[ast.BinOp | ast.Call | ast.Compare] = [*sums, *chosen, *compared]
    node = draw.choice(every)
    if isinstance(node, ast.Call):
        return stage.replaced(node, f"{ast.unparse(node.func)}({stage.of(node.args[1])}, {stage.of(node.args[0])})")
    left, right = ast.unparse(node.left), ast.unparse(node.right if isinstance(node, ast.BinOp) else node.comparators[0])
    if isinstance(node, ast.Compare):
        sign = _MIRRORED[ast.unparse(node)[len(left) :].split()[0]]
        return stage.replaced(node, f"{right} {sign} {left}")
    return stage.replaced(node, f"({right}) {'+' if isinstance(node.op, ast.Add) else '*'} ({left})")


def _independent(stage: Stage, draw: random.Random) -> list[Change]:
    """Two computations, one after the other, that do not use each other, change places."""
    pairs = [pair for _, body in stage.statements for pair in zip(body, body[1:]) if all(map(_computes, pair)) and not _uses(*pair) and not _uses(*pair[::-1])]
    return _swapped(stage, *draw.choice(pairs))


def _computes(statement: ast.stmt) -> bool:
    """Whether it gives one name a value, and does nothing else."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target if isinstance(statement, ast.AnnAssign) else None
    if not isinstance(target, ast.Name):
        return False
    words = [ast.unparse(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return all(word in ("min", "max") or (word in htp.INTRINSICS and htp.INTRINSICS[word].effects in ("", "read")) for word in words)


def _uses(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether a name that one gives a value to stands in the other."""
    given = {node.id for node in ast.walk(one) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return any(isinstance(node, ast.Name) and node.id in given for node in ast.walk(other))


def _spelt(stage: Stage, draw: random.Random) -> list[Change]:
    """A number in another form."""
    node = draw.choice(_constants(stage, int))
    return stage.replaced(node, draw.choice([hex, bin])(int(str(node.value))))


def _wrapped(stage: Stage, draw: random.Random) -> list[Change]:
    """A call's arguments on lines of their own, or in more parentheses."""
    node = draw.choice([node for node in stage.nodes if isinstance(node, ast.Call) and node.args])
    if draw.random() < 0.5:
        argument = draw.choice(node.args)
        return stage.replaced(argument, f"({stage.of(argument)})")
    at = stage.span(draw.choice(node.args))[0]
    return [(at, at, "\n        ")]


KEEPING: dict[str, Callable[[Stage, random.Random], list[Change]]] = {
    "comment": _comment,
    "renamed": _renamed,
    "commuted": _commuted,
    "independent": _independent,
    "spelt": _spelt,
    "wrapped": _wrapped,
}
CHANGING: dict[str, Callable[[Stage, random.Random], list[Change]]] = {
    "deleted": _deleted,
    "twice": _twice,
    "exchanged": _exchanged,
    "moved": _moved,
    "int": _int,
    "float": _float,
    "flag": _flag,
    "string": _string,
    "name": _name,
    "dtype": _dtype,
    "operator": _operator,
    "operands": _operands,
    "argument": _argument,
    "keyword": _keyword,
    "word": _word,
    "condition": _condition,
    "loop": _loop,
    "decorator": _decorator,
}
KEPT = 0.25
"""The share of edits that keep the meaning."""


def edits(text: str, seed: str, count: int, only: frozenset[str] = frozenset()) -> Iterator[Edit]:
    """So many edits of a stage, each by itself, no two alike, of some kinds only or of all; fewer where there are none left."""
    stage = Stage(text)
    draw = random.Random(seed)
    seen = {text}
    for _ in range(20 * count):
        if len(seen) > count:
            return
        keeps = draw.random() < KEPT
        kinds = KEEPING if keeps else CHANGING
        kind = draw.choice(list(kinds))
        if only and kind not in only:
            continue
        try:
            changes = kinds[kind](stage, draw)
            changed = stage.after(changes)
            ast.parse(changed)
        except (IndexError, SyntaxError):  # there is no such place, or it is no Python then
            continue
        if changed in seen:
            continue
        seen.add(changed)
        first = min(change[0] for change in changes)
        line = stage.bytes[:first].count(b"\n") + 1
        yield Edit(kind, keeps, line, _what(text, changed), changed)


def _what(before: str, after: str) -> str:
    """The lines that differ, as a person sees them."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return f"`{' ⏎ '.join(line.strip() for line in old[:4])}` made `{' ⏎ '.join(line.strip() for line in new[:4])}`"
