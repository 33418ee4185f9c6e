"""`htp.layouts`' operations, which libhtp answers: each is what its definition says of every element. HTP_LONG=1: many more cases."""

from __future__ import annotations

import os
import random
import unittest
from itertools import product
from math import prod

import htp
from htp.layouts import Layout, Notation

L = htp.layouts
CASES = 2000 if os.environ.get("HTP_LONG") == "1" else 60


def some_shape(r: random.Random, dims: int = 3) -> list[int]:
    return [r.choice([1, 2, 3, 4]) for _ in range(r.randint(1, dims))]


def some(r: random.Random, shape: list[int]) -> Layout:
    """In memory in some order, cut over devices or not."""
    if r.random() < 0.5:
        return L.ordered(shape, r.sample(range(len(shape)), len(shape)))
    cut = [axis if extent % 2 == 0 else None for axis, extent in zip(r.sample(["x", "y", "z"], len(shape)), shape)]
    return L.shard(shape, cut, mesh={"x": 2, "y": 2, "z": 2})


def index(shape: list[int], at: tuple[int, ...]) -> int:
    found = 0
    for extent, n in zip(shape, at):
        found = found * extent + n
    return found


def meant(notation: Notation) -> Layout:
    made = eval(repr(notation), {"htp": htp})
    assert isinstance(made, Layout)
    return made


class Algebra(unittest.TestCase):
    def each(self) -> list[tuple[random.Random, list[int], Layout]]:
        found = []
        for n in range(CASES):
            r = random.Random(n)
            shape = some_shape(r)
            found.append((r, shape, some(r, shape)))
        return found

    def test_permute(self) -> None:
        for r, shape, layout in self.each():
            order = r.sample(range(len(shape)), len(shape))
            turned = L.permute(layout, shape, order)
            now = [shape[k] for k in order]
            for at in product(*map(range, now)):
                before = tuple(at[order.index(k)] for k in range(len(shape)))
                self.assertEqual(turned.places(index(now, at)), layout.places(index(shape, before)), (shape, order))

    def test_slice(self) -> None:
        for r, shape, layout in self.each():
            starts = [r.randrange(extent) for extent in shape]
            steps = [r.randint(1, 2) for _ in shape]
            extents = [r.randint(1, (extent - 1 - start) // step + 1) for extent, start, step in zip(shape, starts, steps)]
            try:
                part = L.slice(layout, shape, starts, extents, steps)
            except htp.HtpError as error:  # three of four rows over two devices
                self.assertRegex(str(error), "do not fit|meet in a digit", (shape, starts, extents, steps))
                continue
            for at in product(*map(range, extents)):
                there = tuple(start + step * n for start, step, n in zip(starts, steps, at))
                self.assertEqual(part.places(index(extents, at)), layout.places(index(shape, there)))

    def test_compose_and_product(self) -> None:
        for r, shape, layout in self.each():
            picked = r.randint(1, prod(shape))
            inner = htp.layout(((picked, 1, "i"),), offset={"i": r.randint(0, prod(shape) - picked)})
            try:
                outer = L.compose(layout, inner)
            except htp.HtpError as error:
                self.assertRegex(str(error), "do not fit|meet in a digit")
            else:
                for n in range(picked):
                    self.assertEqual(outer.places(n), layout.places(inner.at(n).get("i", 0)))
            block = L.ordered((2, 3), (1, 0))
            both = L.product(layout, block)
            for n in range(prod(shape)):
                for m in range(6):
                    first, within = layout.at(n), block.at(m).get("m", 0)
                    self.assertEqual(both.at(6 * n + m), {a: at for a, at in {**first, "m": 6 * first.get("m", 0) + within}.items() if at})

    def test_blocks_are_products_by_dimension(self) -> None:
        self.assertEqual(L.blocked(L.ordered((2, 2), (0, 1)), (2, 2), L.ordered((2, 2), (0, 1)), (2, 2)), L.packed((4, 4), (2, 2), (0, 1), (0, 1)))

    def test_invert(self) -> None:
        for _, shape, layout in self.each():
            axes = sorted({axis for n in range(prod(shape)) for place in layout.places(n) for axis in place})
            back, space = L.invert(layout, axes)
            for n in range(prod(shape)):
                for place in layout.places(n):
                    self.assertEqual(back.at(index([space[axis] for axis in axes], tuple(place.get(axis, 0) for axis in axes))).get("i", 0), n)

    def test_notations_lead_back(self) -> None:
        for r, shape, layout in self.each():
            if all(axis == "m" for n in range(prod(shape)) for axis in layout.at(n)) and not layout.replicate:
                self.assertEqual(meant(L.as_cute(layout, shape)), layout)
                self.assertEqual(meant(L.as_strided(layout, shape)), layout)
            else:
                self.assertEqual(meant(L.as_shard(layout, shape, {"x": 2, "y": 2, "z": 2})), layout)
            bits = [1 << r.randint(0, 2) for _ in range(2)]
            warp = L.ordered(bits, r.sample([0, 1], 2))
            self.assertEqual(meant(L.as_linear(warp, bits, ("m",))), L.linear(L.as_linear(warp, bits, ("m",)).arguments[0], bits))  # type: ignore[arg-type]
        self.assertEqual(repr(L.as_levels(L.levels(core=4, lane=8))), "htp.layouts.levels(core=4, lane=8)")
        swizzled = L.swizzle(L.cute((8, 64), (64, 1)), 3, 3, 3)
        self.assertEqual(meant(L.as_cute(swizzled, (8, 64))), swizzled)
        self.assertEqual(L.as_cute(swizzled, (8, 64)).arguments[1:], (3, 3, 3))

    def test_relayouts_lead_from_one_to_the_other(self) -> None:
        mesh = {"x": 2, "y": 2, "z": 2}
        for r, shape, before in self.each():
            after = L.shard(shape, [None for _ in shape], mesh=mesh)
            if before.places(0) == [{}]:  # on one device
                continue
            steps = L.relayout(before, after, shape, itemsize=2)
            for one, other in zip(steps, steps[1:]):
                self.assertEqual(one.after, other.before)
            if steps:
                self.assertEqual((steps[0].before, steps[-1].after), (before, after))
            self.assertEqual(not steps, before == after)
            self.assertTrue(all(step.bytes >= 0 and step.kind in repr(step) for step in steps))

    def test_what_cannot_be_said_has_a_reason(self) -> None:
        rows = L.ordered((8, 64), (0, 1))
        for ask, why in (
            (lambda: L.permute(rows, (8, 64), (1, 1)), "an order names each dimension of the layout's shape once"),
            (lambda: L.slice(rows, (8, 64), (4, 0), (8, 64)), "dimension 0 of 8 has no indices from 4 to 11"),
            (lambda: L.compose(rows, rows), "the inner layout gives no indices: those are on the axis \"i\""),
            (lambda: L.as_strided(L.shard((8, 64), ("x", None), mesh={"x": 4}), (8, 64)), "x"),
            (lambda: L.permute(rows, (8, 64), ("a",)), "the request is not of the form"),  # type: ignore[arg-type]
        ):
            with self.subTest(why), self.assertRaisesRegex(htp.HtpError, why):
                ask()


if __name__ == "__main__":
    unittest.main()
