"""simt.stage_products: what the rows and columns of a product share goes through memory of the group, and each lane sums a tile of its own.

    for lane in htp.parallel(range(256), level="lane"):       for lane in …: sums[lane, u, v] = acc[p, q]
        for p in range(lane // 16, i_n, 16):                  for r_at in range(0, k_n, 16):
            for q in range(lane % 16, j_n, 16):                   for lane in …: rows[p, r] = a[i_at + p, k_at + r_at + r], or 0
                acc_at = cpu.get(acc, p, q)                       for lane in …: columns[r, q] = b[k_at + r_at + r, j_at + q], or 0
                for r in range(k_n):                     →        for lane in …:
                    a_tile = cpu.get(a, i_at + p, k_at + r)           for r in range(16):
                    b_tile = cpu.get(b, k_at + r, j_at + q)               for u in htp.unrolled(range(4)):
                    acc_at = cpu.fma(a_tile, b_tile, acc_at)                  for v in htp.unrolled(range(4)):
                cpu.put(acc, acc_at, p, q)                                        sums[lane, u, v] += rows[…] * columns[…]
                                                              for lane in …: acc[p, q] = sums[lane, u, v]

An element of an operand is loaded once for all lanes that need it, and read from shared memory once for all sums of a lane. Beyond the
block's end operands are 0, so that no lane goes another way in the inner loops.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .forms import Module, assign, binary, level_of, load, names_in, number, range_of, size_of, statements, store, target_of

if TYPE_CHECKING:
    from htp.extend import Context

SIDE, STEP, MOST_SUMS = 16, 16, 64
"""Lanes along rows and along columns; how far a step goes along the sum; how many sums a lane has at most."""


def run(tree: ast.Module, c: Context) -> ast.Module:
    stager = Stager(tree, c)
    stager.host(stager.m.entry.body)
    return tree


def is_staged(tree: ast.Module, c: Context) -> bool:
    """The verifier of what this pass provides: a product that is left is one whose operands do not fit."""
    stager = Stager(copy.deepcopy(tree), c)
    before = ast.dump(stager.m.entry)
    stager.host(stager.m.entry.body)
    if ast.dump(stager.m.entry) != before:
        c.report(stager.m.entry, "simt.not-staged", "a product's operands fit memory of the group", hint="begin from the stage before `simt.stage_products`")
        return False
    return True


@dataclass
class Side:
    """The rows, or the columns, of a product: the loop's variable, where it ends, the operand's load, and how many a lane has at most."""

    name: str
    stop: ast.expr
    load: ast.Call
    tile: int


@dataclass
class Product:
    """The nest of a product, and what it consists of."""

    lane: str
    rows: Side
    columns: Side
    step: str
    length: ast.expr
    body: list[ast.stmt]
    before: list[ast.stmt]
    behind: list[ast.stmt]
    total: str


class Stager:
    def __init__(self, tree: ast.Module, c: Context) -> None:
        self.c = c
        self.m = Module(tree, c.entry)
        self.capacity = int(c.hardware("spaces.shared.capacity") or 0) - 1024
        self.used = 0

    def host(self, body: list[ast.stmt]) -> None:
        for s in body:
            if isinstance(s, ast.For) and level_of(s) == "group":
                self.used = sum(self.bytes_of(t) for t in statements([s]))
                self.block(s.body)
            else:
                for inside in ("body", "orelse"):
                    self.host(getattr(s, inside, []))

    def bytes_of(self, s: ast.stmt) -> int:
        if not isinstance(s, ast.AnnAssign) or "'shared'" not in ast.unparse(s.annotation) or not isinstance(s.value, ast.Call):
            return 0
        product = size_of(ast.unparse(s.value.args[0]).split(".")[-1])
        for e in s.value.args[1:]:
            product *= self.m.number(e) or 0
        return product

    def block(self, body: list[ast.stmt]) -> None:
        at = 0
        while at < len(body):
            s = body[at]
            product = self.product(s) if level_of(s) == "lane" else None
            if product is not None and isinstance(s, ast.For) and (made := self.staged(product)):
                body[at : at + 1] = [ast.copy_location(t, s) for t in made]
                at += len(made)
                continue
            if level_of(s) != "lane":
                for inside in ("body", "orelse"):
                    self.block(getattr(s, inside, []))
            at += 1

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def product(self, s: ast.stmt) -> Product | None:
        match s:
            case ast.For(target=ast.Name(lane), body=[ast.For(target=ast.Name(p)) as rows]):
                pass
            case _:
                return None
        match rows.body:
            case [ast.For(target=ast.Name(q)) as columns]:
                pass
            case _:
                return None
        sums = [t for t in columns.body if isinstance(t, ast.For)]
        if len(sums) != 1 or any(isinstance(t, (ast.If, ast.While)) for t in columns.body):
            return None
        match sums[0]:
            case ast.For(target=ast.Name(r), iter=ast.Call(args=[length]), body=body) if not {p, q} & names_in(length):
                pass
            case _:
                return None
        tall, wide = self.tile_of(rows, f"{lane} // {SIDE}"), self.tile_of(columns, f"{lane} % {SIDE}")
        if tall is None or wide is None or tall[1] * wide[1] > MOST_SUMS:
            return None
        at = columns.body.index(sums[0])
        bound = [target_of(t) for t in body]
        if not all(bound) or any(hasattr(t, "body") for t in body):
            return None
        read_first: set[str] = set()
        done: set[str] = set()
        for t in body:
            value = getattr(t, "value", None)
            read_first |= (names_in(value) if value is not None else set()) - done
            done.add(target_of(t))
        carried = [name for name in bound if name in read_first]
        if len(set(carried)) != 1 or bound[-1] != carried[0]:
            return None
        of_rows: list[ast.Call] = []
        of_columns: list[ast.Call] = []
        for t in body:
            for call in ast.walk(t):
                if self.m.called(call) != "get" or not isinstance(call, ast.Call):
                    continue
                index = {n for e in call.args[1:] for n in names_in(e)}
                if call.keywords or r not in index or (p in index) == (q in index):
                    return None
                (of_rows if p in index else of_columns).append(call)
        before, behind = columns.body[:at], columns.body[at + 1 :]
        outside = {target_of(t) for t in before} - {carried[0]}
        if len(of_rows) != 1 or len(of_columns) != 1 or outside & read_first or not any(target_of(t) == carried[0] for t in before):
            return None
        if any(not target_of(t) for t in before):  # what is written before the sum
            return None
        return Product(
            lane, Side(p, tall[0], of_rows[0], tall[1]), Side(q, wide[0], of_columns[0], wide[1]), r, length, body, before, behind, carried[0]
        )

    def tile_of(self, loop: ast.For, start: str) -> tuple[ast.expr, int] | None:
        """Where `range(lane // 16, i_n, 16)` ends, and how many iterations a lane has of it at most: a power of two."""
        match loop.iter:
            case ast.Call(func=ast.Name("range"), args=[first, stop, ast.Constant(value=step)]) if step == SIDE and ast.unparse(first) == start:
                most = self.m.most(stop)
                if most is None:
                    return None
                tiles = -(-most // SIDE)
                return stop, 1 << max(0, tiles - 1).bit_length()
        return None

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def staged(self, x: Product) -> list[ast.stmt]:
        m, c = self.m, self.c
        tall, wide, lanes = x.rows.tile, x.columns.tile, SIDE * SIDE
        row_dtype, column_dtype = (self.dtype_of(side.load, x) for side in (x.rows, x.columns))
        total_dtype = m.dtypes[x.total]
        needs = STEP * SIDE * (tall * size_of(_plain(row_dtype)) + wide * size_of(_plain(column_dtype)))
        if self.used + needs > self.capacity:
            return []
        self.used += needs
        sums, rows, columns, r_at = (
            c.fresh(stem) for stem in (x.total + "_sums", "rows_of_" + _memory(x.rows.load), "columns_of_" + _memory(x.columns.load), x.step + "_at")
        )
        lane, u, v = x.lane, c.fresh("u"), c.fresh("v")
        p, r, length = x.rows.name, x.step, x.length
        out: list[ast.stmt] = [
            self.private(sums, total_dtype, [lanes, tall, wide]),
            m.alloc(rows, row_dtype, [number(tall * SIDE), number(STEP)], "shared"),
            m.alloc(columns, column_dtype, [number(STEP), number(wide * SIDE)], "shared"),
        ]
        at = [load(lane), load(u), load(v)]

        def tiles(body: list[ast.stmt], guarded: bool) -> list[ast.stmt]:
            """A body for each sum of a lane; where it needs the element's place, for those that there are."""

            def one(index: str, side: Side, start: ast.expr, inside: list[ast.stmt]) -> list[ast.stmt]:
                if guarded:
                    place = binary(start, "+", binary(load(index), "*", number(SIDE)))
                    there = _Replaced({side.name: place})
                    test = ast.Compare(left=place, ops=[ast.Lt()], comparators=[copy.deepcopy(side.stop)])
                    inside = [ast.If(test=test, body=[there.visit(s) for s in inside], orelse=[])]
                over = ast.Call(func=ast.Attribute(value=load(m.htp), attr="unrolled", ctx=ast.Load()), args=[range_of(number(side.tile))], keywords=[])
                return [ast.For(target=store(index), iter=over, body=inside, orelse=[])]

            inner = one(v, x.columns, binary(load(lane), "%", number(SIDE)), body)
            return one(u, x.rows, binary(load(lane), "//", number(SIDE)), inner)

        begin = [*copy.deepcopy(x.before), m.put(sums, load(x.total), *copy.deepcopy(at))]
        out.append(m.lanes(lane, lanes, tiles(begin, True)))
        step: list[ast.stmt] = [
            self.filled(rows, x.rows, row_dtype, x, r_at, False),
            self.filled(columns, x.columns, column_dtype, x, r_at, True),
        ]
        body: list[ast.stmt] = []
        for t in copy.deepcopy(x.body):
            for call in ast.walk(t):
                if m.called(call) == "get" and isinstance(call, ast.Call):
                    of_rows = p in {n for e in call.args[1:] for n in names_in(e)}
                    start, index = (binary(load(lane), "//", number(SIDE)), u) if of_rows else (binary(load(lane), "%", number(SIDE)), v)
                    place = binary(start, "+", binary(load(index), "*", number(SIDE)))
                    call.args = [load(rows), place, load(r)] if of_rows else [load(columns), load(r), place]
            body.append(t)
        body = [assign(x.total, m.get(sums, *copy.deepcopy(at)), total_dtype), *body, m.put(sums, load(x.total), *copy.deepcopy(at))]
        inner: list[ast.stmt] = [ast.For(target=store(r), iter=range_of(number(STEP)), body=tiles(body, False), orelse=[])]
        step.append(m.lanes(lane, lanes, inner))
        out.append(ast.For(target=store(r_at), iter=range_of(number(0), copy.deepcopy(length), number(STEP)), body=step, orelse=[]))
        others = [t for t in copy.deepcopy(x.before) if target_of(t) != x.total]
        end = [*others, assign(x.total, m.get(sums, *copy.deepcopy(at)), total_dtype), *x.behind]
        out.append(m.lanes(lane, lanes, tiles(end, True)))
        return out

    def private(self, name: str, dtype: ast.expr, extents: list[int]) -> ast.stmt:
        return self.m.alloc(name, dtype, [number(e) for e in extents], "private")

    def filled(self, to: str, side: Side, dtype: ast.expr, x: Product, r_at: str, sum_first: bool) -> ast.stmt:
        """Lanes that load an operand's elements, one after the other as they lie, and 0 where there is none."""
        m = self.m
        lane, value = self.c.fresh("lane"), self.c.fresh(_memory(side.load) + "_at")
        name, r, count = side.name, x.step, side.tile * SIDE
        outer, inner = ((r, STEP), (name, count)) if sum_first else ((name, count), (r, STEP))
        fetch = copy.deepcopy(side.load)
        fetch.args[1:] = [_Replaced({r: binary(load(r_at), "+", load(r))}).visit(i) for i in fetch.args[1:]]
        tests = [
            ast.Compare(left=load(name), ops=[ast.Lt()], comparators=[copy.deepcopy(side.stop)]),
            ast.Compare(left=binary(load(r_at), "+", load(r)), ops=[ast.Lt()], comparators=[copy.deepcopy(x.length)]),
        ]
        inside: list[ast.stmt] = [
            assign(value, m.call("splat", dtype, ast.Constant(0)), dtype),
            ast.If(test=ast.BoolOp(op=ast.And(), values=tests), body=[assign(value, fetch)], orelse=[]),
            m.put(to, load(value), load(r), load(name)) if sum_first else m.put(to, load(value), load(name), load(r)),
        ]
        across = inner[1]  # lanes along the inner loop, whose elements lie side by side
        down = SIDE * SIDE // across
        within = ast.For(target=store(inner[0]), iter=range_of(binary(load(lane), "%", number(across)), number(inner[1]), number(across)), body=inside, orelse=[])
        loop = ast.For(target=store(outer[0]), iter=range_of(binary(load(lane), "//", number(across)), number(outer[1]), number(down)), body=[within], orelse=[])
        return m.lanes(lane, SIDE * SIDE, [loop])

    def dtype_of(self, call: ast.Call, x: Product) -> ast.expr:
        return next(self.m.dtypes[target_of(t)] for t in x.body if any(n is call for n in ast.walk(t)))


def _memory(call: ast.Call) -> str:
    return call.args[0].id if isinstance(call.args[0], ast.Name) else "operand"


def _plain(dtype: ast.expr) -> str:
    return ast.unparse(dtype).split(".")[-1]


class _Replaced(ast.NodeTransformer):
    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.names.get(node.id, node))
