"""`htp.layouts` and the C++ library: every notation means the same to both, and to what its definition says of every element.

HTP_LONG=1 in the environment: many more cases.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import random
import re
import subprocess
import tempfile
import unittest
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from pathlib import Path

import htp
from htp.layouts import Layout, Nest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/layouts.md"
LONG = os.environ.get("HTP_LONG") == "1"


def cases(short: int) -> int:
    return max(100_000, 20 * short) if LONG else short


def ask(questions: Sequence[Sequence[object]]) -> list[str]:
    """What the C++ library answers."""
    text = "".join("\t".join(map(str, words)) + "\n" for words in questions)
    said = subprocess.run([os.environ["HTP_LAYOUT_SAY"]], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == len(questions)
    return said


def meant(text: str) -> str:
    """What an expression means to the Python package, in the words of the C++ library."""
    try:
        return repr(eval(text, {"htp": htp}))
    except htp.HtpError as error:
        return f"no: {error}"


def coordinates(shape: Sequence[int]) -> list[tuple[int, ...]]:
    return list(product(*map(range, shape)))


def only(**along: int) -> dict[str, int]:
    return {axis: n for axis, n in along.items() if n}


# ── each notation by its definition: an expression, and where it puts the element at coordinates ──


def power(r: random.Random, most: int) -> int:
    return 1 << r.randint(0, most)


def shape_of(r: random.Random, dims: int = 3) -> list[int]:
    return [r.choice([1, 2, 3, 4, 8]) for _ in range(r.randint(1, dims))]


Where = Callable[[tuple[int, ...]], "set[tuple[tuple[str, int], ...]]"]
Case = tuple[str, Sequence[int], Where]


def memory(at: Callable[[tuple[int, ...]], int]) -> Where:
    return lambda c: {tuple(only(m=at(c)).items())}


def strided(r: random.Random) -> Case:
    shape = shape_of(r)
    strides, offset = [r.randint(-3, 20) for _ in shape], r.choice([0, 0, 5])
    text = f"htp.layouts.strided({tuple(shape)}, {tuple(strides)}, offset={offset})"
    return text, shape, memory(lambda c: offset + sum(a * s for a, s in zip(c, strides)))


def ordered(r: random.Random) -> Case:
    shape = shape_of(r)
    order = r.sample(range(len(shape)), len(shape))

    def at(c: tuple[int, ...]) -> int:
        address = 0
        for k in order:
            address = address * shape[k] + c[k]
        return address

    return f"htp.layouts.ordered({tuple(shape)}, {tuple(order)})", shape, memory(at)


def packed(r: random.Random) -> Case:
    block = [r.choice([1, 2, 3, 4]) for _ in range(r.randint(1, 2))]
    blocks = [r.choice([1, 2, 3]) for _ in block]
    outer, inner = (r.sample(range(len(block)), len(block)) for _ in range(2))

    def at(c: tuple[int, ...]) -> int:
        address = 0
        for order, extents, values in ((outer, blocks, [a // b for a, b in zip(c, block)]), (inner, block, [a % b for a, b in zip(c, block)])):
            for k in order:
                address = address * extents[k] + values[k]
        return address

    shape = [a * b for a, b in zip(block, blocks)]
    return f"htp.layouts.packed({tuple(shape)}, {tuple(block)}, {tuple(outer)}, {tuple(inner)})", shape, memory(at)


def mode(r: random.Random, depth: int) -> tuple[Nest, Nest]:
    if depth == 0 or r.random() < 0.5:
        return r.choice([1, 2, 3, 4]), r.choice([0, 1, 2, 4, 8, 16, 5])
    items = [mode(r, depth - 1) for _ in range(r.randint(1, 2))]
    return tuple(shape for shape, _ in items), tuple(stride for _, stride in items)


def size_of(shape: Nest) -> int:
    return prod(map(size_of, shape)) if isinstance(shape, tuple) else shape


def address(shape: Nest, stride: Nest, at: int) -> int:
    if not isinstance(shape, tuple) or not isinstance(stride, tuple):
        assert isinstance(stride, int)
        return at * stride
    total = 0
    for inner, step in zip(shape, stride):
        total += address(inner, step, at % size_of(inner))
        at //= size_of(inner)
    return total


def cute(r: random.Random) -> Case:
    modes = [mode(r, 2) for _ in range(r.randint(1, 2))]
    shape, stride = tuple(m[0] for m in modes), tuple(m[1] for m in modes)
    text = f"htp.layouts.cute({shape}, {stride})"
    return text, [size_of(m) for m in shape], memory(lambda c: sum(address(a, b, x) for a, b, x in zip(shape, stride, c)))


def swizzle(r: random.Random) -> Case:
    shape = [power(r, 3), power(r, 4)]
    bits = r.randint(1, 3)
    base, shift = r.randint(0, 3), r.randint(bits, 4)
    mask = ((1 << bits) - 1) << (base + shift)

    def at(c: tuple[int, ...]) -> int:
        linear = c[0] * shape[1] + c[1]
        return linear ^ (linear & mask) >> shift

    return f"htp.layouts.swizzle(htp.layouts.ordered({tuple(shape)}, (0, 1)), {bits}, {base}, {shift})", shape, memory(at)


def linear(r: random.Random) -> Case:
    shape = [power(r, 2), power(r, 3)]
    bases = [(1 << k, 0) for k in range(shape[0].bit_length() - 1)] + [(0, 1 << k) for k in range(shape[1].bit_length() - 1)]
    r.shuffle(bases)
    for k in range(1, len(bases)):
        if r.random() < 0.3:
            bases[k] = (bases[k][0] ^ bases[0][0], bases[k][1] ^ bases[0][1])
    bases += [(0, 0)] * r.randint(0, 1)
    units: dict[str, tuple[tuple[int, int], ...]] = {"register": (), "lane": (), "warp": ()}
    for basis in bases:
        unit = r.choice(list(units))
        units[unit] = (*units[unit], basis)
    held: dict[tuple[int, ...], set[tuple[tuple[str, int], ...]]] = {}
    for places in product(*(range(1 << len(unit)) for unit in units.values())):
        row = column = 0
        for place, held_by in zip(places, units.values()):
            for k, (a, b) in enumerate(held_by):
                if place >> k & 1:
                    row, column = row ^ a, column ^ b
        held.setdefault((row, column), set()).add(tuple(sorted(only(**dict(zip(units, places))).items())))
    return f"htp.layouts.linear({units}, {tuple(shape)})", shape, lambda c: held[c]


def shard(r: random.Random) -> Case:
    mesh = {"x": r.choice([1, 2, 3]), "y": r.choice([2, 4])}
    shape = [r.choice([4, 12, 24]) for _ in range(r.randint(1, 2))]
    cut: list[tuple[str, ...]] = [() for _ in shape]
    pending = {}
    for axis in r.sample(list(mesh), 2):
        where = r.randint(0, len(shape) + 1)
        if where < len(shape) and shape[where] % prod(mesh[a] for a in (*cut[where], axis)) == 0:
            cut[where] += (axis,)
        elif where == len(shape):
            pending[axis] = "sum"
    words = tuple(None if not axes else axes[0] if len(axes) == 1 else axes for axes in cut)
    inner = [extent // prod(mesh[axis] for axis in axes) for extent, axes in zip(shape, cut)]
    column = r.random() < 0.5
    local = f", local=htp.layouts.ordered({tuple(inner)}, {tuple(reversed(range(len(inner))))})" if column else ""
    text = f"htp.layouts.shard({tuple(shape)}, {words}, mesh={mesh}, pending={pending}{local})"

    def where_is(c: tuple[int, ...]) -> set[tuple[tuple[str, int], ...]]:
        at: dict[str, list[int]] = {axis: list(range(count)) for axis, count in mesh.items()}
        address = 0
        for k in reversed(range(len(shape))) if column else range(len(shape)):
            device = c[k] // inner[k]
            for axis in reversed(cut[k]):
                at[axis] = [device % mesh[axis]]
                device //= mesh[axis]
            address = address * inner[k] + c[k] % inner[k]
        return {tuple(sorted(only(m=address, x=x, y=y).items())) for x in at["x"] for y in at["y"]}

    return text, shape, where_is


def levels(r: random.Random) -> Case:
    shape = [r.randint(1, 4), r.randint(1, 4)]
    return f"htp.layouts.levels(core={shape[0]}, lane={shape[1]})", shape, lambda c: {tuple(only(core=c[0], lane=c[1]).items())}


NOTATIONS = [strided, ordered, packed, cute, swizzle, linear, shard, levels]


def expression(r: random.Random) -> str:
    """A core layout, not canonical, with all that there is."""

    def step(low: int) -> dict[str, int]:
        return {r.choice("mxy"): r.randint(low, 9) for _ in range(r.choice([1, 1, 1, 2]))}

    def term(most: int) -> object:
        if r.random() < 0.3 and most:
            bits = r.randint(2, 3)
            if r.random() < 0.5:
                return 1 << bits, tuple(r.randint(0, 9) for _ in range(bits)), r.choice("mx")
            return 1 << bits, tuple(step(0) for _ in range(bits))
        return (r.randint(1, 4), r.randint(-3, 8), r.choice("mx")) if r.random() < 0.7 else (r.randint(1, 4), step(-3))

    terms = tuple(term(1) for _ in range(r.randint(0, 3)))
    replicate = tuple(term(0) for _ in range(r.choice([0, 0, 1, 2])))
    pending = tuple((r.randint(1, 3), r.randint(-4, 30), r.choice("xy"), r.choice(["sum", "max"])) for _ in range(r.choice([0, 0, 1, 2])))
    offset = step(-3) if r.random() < 0.4 else {}
    return f"htp.layout({terms}, replicate={replicate}, pending={pending}, offset={offset})"


CORE = "htp.layout(((4, 1, 'x'), (8, 2, 'm')), replicate=((2, 1, 'y'),), pending=((2, 1, 'z', 'sum'),), offset={'m': 3})"


def broken(r: random.Random, text: str) -> str:
    """A call of a constructor with something wrong: an argument less, twice, too many, by another name, or of another type."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    other = ast.parse(r.choice(["None", "3", "-1", "'x'", "()", "(2, 'x')", "((2,),)", "{'x': 2}", "{'z': 'sum'}", "htp.layouts.levels(core=2)"]), mode="eval").body
    name = r.choice(["shape", "mesh", "cut", "offset", "pending", "local", "terms", "units", "layout", "other"])
    change = r.randrange(6)
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    if change == 0 and given:
        one = r.choice(given)
        call.args = [a for a in call.args if a is not one]
        call.keywords = [k for k in call.keywords if k is not one]
    elif change == 1:
        call.args.append(r.choice(call.args) if call.args and r.random() < 0.5 else other)
    elif change == 2:
        call.keywords.append(ast.keyword(name, other))
    elif change == 3 and call.args:
        call.args[r.randrange(len(call.args))] = other
    elif change == 4 and call.keywords:
        r.choice(call.keywords).value = other
    elif call.keywords:
        r.choice(call.keywords).arg = name
    return ast.unparse(call)


class Agreement(unittest.TestCase):
    def test_core_layouts_have_the_same_canonical_form(self) -> None:
        texts = [expression(random.Random(n)) for n in range(cases(3000))]
        for text, said in zip(texts, ask([("read", text) for text in texts])):
            self.assertEqual(said, meant(text), text)
            if not said.startswith("no: "):
                self.assertEqual(meant(said), said)

    def test_notations_mean_what_their_definition_says(self) -> None:
        for notation in NOTATIONS:
            made = [notation(random.Random(n)) for n in range(cases(300))]
            for (text, shape, where), said in zip(made, ask([("read", text) for text, _, _ in made])):
                self.assertEqual(said, meant(text), text)
                layout = eval(said, {"htp": htp})
                for index, c in enumerate(coordinates(shape)):
                    places = {tuple(sorted(place.items())) for place in layout.places(index)}
                    self.assertEqual(places, where(c), f"{text} at {c}")

    def test_notations_lead_back(self) -> None:
        for notation, word, more in ((cute, "cute", ()), (swizzle, "cute", ()), (strided, "strided", ()), (linear, "linear", ())):
            made = [notation(random.Random(n)) for n in range(cases(300))]
            said = ask([(word, text, (*shape,), *more) for text, shape, _ in made])
            back = 0
            for (text, _, _), again in zip(made, said):
                if again.startswith("no: "):
                    continue
                back += 1
                self.assertEqual(meant(again), meant(text), f"{text} as {again}")
            self.assertGreater(back, len(made) // 2, notation.__name__)

    def test_what_is_refused_is_refused_alike(self) -> None:
        texts = [
            "htp.layout(((0, 1, 'm'),))", "htp.layout(((4, 1),))", "htp.layout(((8, (1, 2), 'm'),))", "htp.layout(((4, (1, -2), 'm'),))",
            "htp.layout((), replicate=((2, 0, 'x'),))", "htp.layout((), replicate=((2, 1, 'x'), (2, 1, 'x')))", "htp.layout((), pending=((2, 1),))",
            "htp.layout((), replicate=((4, (1, 3), 'x'),))", "htp.layout((), replicate=((1024, 5, 'x'), (1024, 3, 'x')))",
            "htp.layouts.strided((4, 4), (1,))", "htp.layouts.ordered((4, 4), (0, 0))", "htp.layouts.packed((6, 4), (4, 2), (0, 1), (0, 1))",
            "htp.layouts.packed((6, 4), (4,), (0, 1), (0, 1))", "htp.layouts.cute((4, 4), (1, (2,)))", "htp.layouts.cute((4, 4), (1,))",
            "htp.layouts.swizzle(htp.layouts.ordered((3, 64), (0, 1)), 1, 0, 7)", "htp.layouts.swizzle(htp.layouts.ordered((8, 64), (0, 1)), 3, 3, 2)",
            "htp.layouts.swizzle(htp.layouts.strided((8, 64), (64, 1), offset=5), 3, 3, 3)",
            "htp.layouts.linear({'lane': ((1,),)}, (6,))", "htp.layouts.linear({'lane': ((1, 0),)}, (2, 2))", "htp.layouts.linear({'lane': ((2,),)}, (2,))",
            "htp.layouts.linear({'lane': ((1,),), 'warp': ((1,),)}, (2,))", "htp.layouts.linear({'lane': ((1, 0),)}, (2,))",
            "htp.layouts.shard((10,), ('x',), mesh={'x': 4})", "htp.layouts.shard((8,), ('z',), mesh={'x': 4})",
            "htp.layouts.shard((8, 8), ('x', 'x'), mesh={'x': 4})", "htp.layouts.shard((8, 8), ('x',), mesh={'x': 4})",
            "htp.layouts.shard((8,), ('m',), mesh={'m': 4})",
        ]  # fmt: skip
        for text, said in zip(texts, ask([("read", text) for text in texts])):
            self.assertTrue(said.startswith("no: "), f"{text} is {said}")
            self.assertEqual(said, meant(text), text)


    def test_calls_that_python_does_not_make_are_refused(self) -> None:
        texts = [broken(random.Random(n), r.choice(NOTATIONS)(r)[0] if n % 5 else CORE) for n, r in ((n, random.Random(n)) for n in range(cases(2000)))]
        refused = 0
        for text, said in zip(texts, ask([("read", text) for text in texts])):
            try:
                made = repr(eval(text, {"htp": htp}))
            except Exception as error:
                self.assertTrue(said.startswith("no: "), f"{text} is {said}, and Python says {error}")
                refused += 1
            else:
                if not said.startswith("no: "):
                    self.assertEqual(said, made, text)
        self.assertGreater(refused, len(texts) // 2)


class Algebra(unittest.TestCase):
    """Operations of the C++ library by enumeration in Python."""

    def places(self, layout: Layout, index: int) -> set[tuple[tuple[str, int], ...]]:
        return {tuple(sorted(place.items())) for place in layout.places(index)}

    def check(self, questions: list[tuple[object, ...]], expected: Callable[[tuple[object, ...], Layout], bool], least: float) -> None:
        said = ask(questions)
        made = 0
        for question, text in zip(questions, said):
            if text.startswith("no: "):
                continue
            made += 1
            self.assertTrue(expected(question, eval(text, {"htp": htp})), f"{question}: {text}")
        self.assertGreater(made, len(questions) * least)

    def test_permute_and_slice(self) -> None:
        turned: list[tuple[object, ...]] = []
        parts: list[tuple[object, ...]] = []
        for n in range(cases(400)):
            r = random.Random(n)
            text, shape, _ = r.choice(NOTATIONS)(r)
            turned.append(("permute", text, (*shape,), (*r.sample(range(len(shape)), len(shape)),)))
            extents = [r.choice([e for e in range(1, extent + 1) if extent % e == 0]) for extent in shape]
            starts = [r.randrange(0, extent, take) for extent, take in zip(shape, extents)]
            parts.append(("slice", text, (*shape,), (*starts,), (*extents,), (1,) * len(shape)))

        def index_of(shape: Sequence[int], c: Sequence[int]) -> int:
            index = 0
            for extent, at in zip(shape, c):
                index = index * extent + at
            return index

        def is_turned(question: tuple[object, ...], layout: Layout) -> bool:
            _, text, shape, order = question
            assert isinstance(shape, tuple) and isinstance(order, tuple)
            of = eval(str(text), {"htp": htp})
            for index, c in enumerate(coordinates([shape[k] for k in order])):
                origin = [0] * len(c)
                for k, at in zip(order, c):
                    origin[k] = at
                if self.places(layout, index) != self.places(of, index_of(shape, origin)):
                    return False
            return True

        def is_part(question: tuple[object, ...], layout: Layout) -> bool:
            _, text, shape, starts, extents, _ = question
            assert isinstance(shape, tuple) and isinstance(starts, tuple) and isinstance(extents, tuple)
            of = eval(str(text), {"htp": htp})
            return all(
                self.places(layout, index) == self.places(of, index_of(shape, [a + b for a, b in zip(starts, c)]))
                for index, c in enumerate(coordinates(extents))
            )

        self.check(turned, is_turned, 0.9)
        self.check(parts, is_part, 0.8)

    def test_compose_and_invert(self) -> None:
        questions: list[tuple[object, ...]] = []
        for n in range(cases(400)):
            r = random.Random(n)
            text, shape, _ = r.choice(NOTATIONS)(r)
            size = prod(shape)
            stride = r.choice([k for k in range(1, size + 1) if size % k == 0])
            count = r.randint(1, size // stride)
            questions.append(("compose", text, f"htp.layout((({count}, {stride}, 'i'),), offset={{'i': {r.choice([0, size - 1 - stride * (count - 1)])}}})"))

        def is_composed(question: tuple[object, ...], layout: Layout) -> bool:
            a, b = (eval(str(text), {"htp": htp}) for text in question[1:])
            return all(self.places(layout, x) == self.places(a, b.at(x).get("i", 0)) for x in range(b.size))

        self.check(questions, is_composed, 0.6)
        made = [r.choice([ordered, packed, swizzle, shard])(r) for r in map(random.Random, range(cases(300)))]
        inverted = 0
        for (text, _, _), said in zip(made, ask([("invert", text) for text, _, _ in made])):
            if said.startswith("no: "):
                continue
            inverted += 1
            inverse, _, addresses = said.split("\t")
            layout, back = eval(text, {"htp": htp}), eval(inverse, {"htp": htp})
            for index in range(layout.size):
                for place in layout.places(index):
                    self.assertEqual(back.at(place.get("x", 0) * int(addresses) + place.get("m", 0)).get("i", 0), index, text)
        self.assertGreater(inverted, len(made) // 3)


class Package(unittest.TestCase):
    def test_examples(self) -> None:
        for name in ("core", "memory", "linear", "distribution", "hardware", "arrays"):
            result = doctest.testmod(importlib.import_module(f"htp.layouts.{name}"))
            self.assertEqual(result.failed, 0, name)
            self.assertGreater(result.attempted, 0, name)

    def test_the_page(self) -> None:
        text = PAGE.read_text()
        python = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
        examples = doctest.DocTestParser().get_doctest(python, {}, "layouts.md", str(PAGE), 0)
        self.assertGreater(len(examples.examples), 5)
        self.assertEqual(doctest.DocTestRunner().run(examples).failed, 0)
        (source,), (printed,) = (re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) for kind in ("cpp", "text"))
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "layouts.cpp"
            program.write_text(source)
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", f"-I{ROOT / 'sdk/include'}", program, "-o", program.with_suffix("")], check=True)
            said = subprocess.run([program.with_suffix("")], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, printed)

    def test_layouts_are_values(self) -> None:
        a, b = htp.layout(((8, 64, "m"), (64, 1, "m"))), htp.layouts.ordered((8, 64), (0, 1))
        self.assertEqual((a, hash(a), repr(a)), (b, hash(b), repr(b)))
        self.assertNotEqual(a, htp.layouts.ordered((8, 64), (1, 0)))
        self.assertEqual(a.at(65), {"m": 65})


if __name__ == "__main__":
    unittest.main()
