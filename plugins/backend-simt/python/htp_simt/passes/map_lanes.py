"""simt.map_lanes: loops over elements become a grid of work-groups, and loops over the lanes of each.

    for i_at in range(0, M, 8):                     for i_at in htp.parallel(range(0, M, 8), level="group"):
        i_n = min(8, M - i_at)                          i_n = min(8, M - i_at)
        for p in range(i_n):                    →       for p in htp.parallel(range(8), level="group"):
            m = cpu.splat(f32, -1e309)                      if p < i_n:
            for q in htp.vectorized(range(N)):                  m = cpu.splat(f32, -1e309)
                v = cpu.get(x, i_at + p, q)                     parts = cpu.alloc(f32, 256)                  # shared
                m = cpu.maximum(m, v)                           for lane in htp.parallel(range(256), level="lane"):
            …                                                       m_part = cpu.splat(f32, -1e309)
                                                                    for q in range(lane, N, 256):
                                                                        v = cpu.get(x, i_at + p, q)
                                                                        m_part = cpu.maximum(m_part, v)
                                                                    cpu.put(parts, m_part, lane)
                                                                m = cpu.maximum(m, simt.reduce_max(parts))

Outer loops whose iterations are independent are the grid; loops within them, the innermost of consecutive elements, go over lanes, and
what they sum up each lane sums by itself first. What is between is uniform: each lane computes it. Which iterations are independent the
analysis `simt.dependences` says.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .forms import (
    Module, assign, binary, bounds_of, expression, least, load, names_in, number, range_of, size_of, statements, target_of,
)  # fmt: skip

if TYPE_CHECKING:
    from htp.extend import Context

# What loops may sum up by lanes: the collective that joins the lanes' parts, and what each lane begins with.
REDUCTIONS: dict[str, tuple[str, Callable[[str], str]]] = {
    "add": ("reduce_sum", lambda dtype: "-0.0" if _floats(dtype) else "0"),
    "fma": ("reduce_sum", lambda dtype: "-0.0" if _floats(dtype) else "0"),
    "mul": ("reduce_prod", lambda _: "1"),
    "maximum": ("reduce_max", lambda dtype: "-1e309" if _floats(dtype) else str(_range(dtype)[0])),
    "minimum": ("reduce_min", lambda dtype: "1e309" if _floats(dtype) else str(_range(dtype)[1])),
    "bit_or": ("reduce_any", lambda _: "False"),
    "bit_and": ("reduce_all", lambda _: "True"),
}
JOINED_BY = {"fma": "add"}


def _floats(dtype: str) -> bool:
    return dtype.startswith(("f", "bf"))


def _range(dtype: str) -> tuple[int, int]:
    bits = int(dtype[1:])
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def run(tree: ast.Module, c: Context) -> ast.Module:
    return Mapper(tree, c).run()


class NotUniform(Exception):
    """What the host would need to know stands in memory of the device."""


@dataclass
class Grid:
    """The work-groups that a body is for."""

    coordinates: list[tuple[ast.expr, ast.expr]] = field(default_factory=list)
    """Of each loop of the grid how many iterations it has, and which one it is: ints."""
    hoisted: list[ast.stmt] = field(default_factory=list)
    """Allocations before it."""
    rows: dict[str, list[ast.expr]] = field(default_factory=dict)
    """Buffers in memory of the device that all groups share: the indices that make an element a group's own."""
    shared: int = 0
    """Bytes."""


class Mapper:
    def __init__(self, tree: ast.Module, c: Context) -> None:
        self.c = c
        self.m = Module(tree, c.entry)
        self.dependences = {loop: str(text).split("\n") if text else [] for loop, text in c.analysis("simt.dependences").items()}
        self.lanes = int(c.options["lanes"])
        self.shared = int(c.hardware("spaces.shared.capacity") or 0)
        self.private = int(c.options["private"])
        self.bound = self.m.ints
        self.bindings = Counter(target_of(s) for s in ast.walk(self.m.entry) if isinstance(s, ast.stmt))
        self.grid = Grid()

    def run(self) -> ast.Module:
        body = self.m.entry.body
        for s in body:
            if isinstance(s, ast.FunctionDef):
                self.c.report(s, "simt.process", f"the process `{s.name}` runs beside others", hint="write a kernel, whose loops become work-groups")
                return self.m.tree
        first = 1 if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else 0
        self.m.entry.body = body[:first] + self.host(body[first:])
        return self.m.tree

    # ── which loops are what ──────────────────────────────────────────────────────────────────────────────────────────

    def sums(self, loop: ast.For) -> dict[str, str] | None:
        """Of a loop whose iterations may go to lanes: what they sum up, and by which operation. None of another."""
        found: dict[str, str] = {}
        for text in self.dependences.get(loop, ["unknown"]):
            kind, _, name = text.partition(" ")
            operation = self.operation(loop, name) if kind == "carried" else ""
            if not operation:
                return None
            found[name] = operation
        return found

    def independent(self, loop: ast.stmt) -> bool:
        return isinstance(loop, ast.For) and self.sums(loop) == {}

    def operation(self, loop: ast.For, name: str) -> str:
        """How a scalar is summed up: `name = op(name, …)` and nothing else of it in the loop."""
        dtype = self.m.dtypes.get(name)
        operations = set()
        for s in statements(loop.body):
            if isinstance(s, (ast.For, ast.If, ast.While)):
                head = s.iter if isinstance(s, ast.For) else s.test
                if name in names_in(head):
                    return ""
                continue
            if name not in names_in(s):
                continue
            match s:
                case ast.Assign(targets=[ast.Name(target)], value=ast.Call(args=arguments) as call) if target == name:
                    own = [k for k, a in enumerate(arguments) if name in names_in(a)]
                    wanted = [2] if self.m.called(call) == "fma" else [0] if own == [0] else [1]
                    if own != wanted or not isinstance(arguments[own[0]], ast.Name):
                        return ""
                    operations.add(self.m.called(call))
                case _:
                    return ""
        joined = {JOINED_BY.get(o, o) for o in operations}
        if len(joined) != 1 or dtype is None or not operations <= set(REDUCTIONS):
            return ""
        only = joined.pop()
        if only in ("bit_or", "bit_and") and ast.unparse(dtype).split(".")[-1] != "bool_":
            return ""
        return only

    def vectorized(self, loop: ast.For) -> bool:
        return "vectorized" in self.m.form(loop)[0]

    def goes_inside(self, body: list[ast.stmt], around: int | None = None) -> bool:
        """Whether there is a loop within that lanes take better: of consecutive elements, and of more than the iterations around it."""
        for s in statements(body):
            if isinstance(s, ast.For) and self.vectorized(s) and self.sums(s) is not None:
                most = self.most_iterations(s)
                if most is None or around is None or most > around:
                    return True
        return False

    def has_lanes(self, body: list[ast.stmt]) -> bool:
        return any(isinstance(s, ast.For) and self.sums(s) is not None for s in statements(body))

    def band(self, loop: ast.For) -> tuple[list[ast.For], list[ast.stmt]]:
        """Loops around one another of which all may go to lanes, and what they are around."""
        loops: list[ast.For] = []
        body: list[ast.stmt] = [loop]
        while len(body) == 1 and isinstance(body[0], ast.For) and self.sums(body[0]) is not None:
            around = {n for l in loops for n in self.sums(l) or {}}
            if set(self.sums(body[0]) or {}) - around and loops:
                break
            loops.append(body[0])
            body = body[0].body
        return loops, body

    # ── ints ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def most_iterations(self, loop: ast.For) -> int | None:
        start, stop, step = bounds_of(self.m.form(loop)[1])
        by = self.m.number(step)
        if by is None or by < 1:
            return None
        most = self.m.most(stop if self.m.number(start) == 0 else ast.BinOp(left=stop, op=ast.Sub(), right=start))
        return None if most is None else max(0, -(-most // by))

    def iterations(self, band: list[ast.For]) -> int | None:
        """How many iterations loops around one another have together, at most; none where nobody knows."""
        product = 1
        for loop in band:
            most = self.most_iterations(loop)
            if most is None:
                return None
            product *= most
        return product

    def known_to_host(self, e: ast.expr) -> bool:
        """Whether an int is made of sizes and of what the host counts."""
        return all(name in ("min", "max") or name in self.host_ints or self._is_global(name) for name in names_in(e))

    def _is_global(self, name: str) -> bool:
        return name not in self.bound and name not in self.variables

    # ── the host's statements ─────────────────────────────────────────────────────────────────────────────────────────

    def host(self, body: list[ast.stmt]) -> list[ast.stmt]:
        self.variables = {s.target.id for s in ast.walk(self.m.entry) if isinstance(s, ast.For) and isinstance(s.target, ast.Name)}
        self.host_ints: set[str] = set()
        return self.host_block(body)

    def host_block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Grids one after another, and what decides how often. Statements that belong together for a scalar's sake are one group's."""
        out: list[ast.stmt] = []
        at = 0
        while at < len(body):
            s = body[at]
            if not self.for_device(s):
                out += self.host_statement(s)
                at += 1
                continue
            end = at + 1
            bound = {t for s in statements(body[at:end]) if (t := target_of(s))}
            for k in range(at + 1, len(body)):
                if self.for_device(body[k]) and k == end or names_in(body[k]) & bound:
                    bound |= {t for s in statements(body[end : k + 1]) if (t := target_of(s))}
                    end = k + 1
            out += self.one_group(body[at:end])
            at = end
        return out

    def for_device(self, s: ast.stmt) -> bool:
        """Whether a statement needs a work-group around it that it does not make itself."""
        match s:
            case ast.For():
                if self.independent(s):
                    return False
                return self.sums(s) is not None or not self.hosts(s)
            case ast.If(test=test):
                return not self.known_to_host(test) or any(self.for_device(t) for t in [*s.body, *s.orelse])
            case ast.Assign(value=value):
                return self.bindings[target_of(s)] > 1 or self.m.is_scalar(target_of(s)) or isinstance(value, ast.Call) and bool(self.m.called(value)) or not self.known_to_host(value)
            case ast.AnnAssign(value=ast.Call() as call):
                return self.m.called(call) != "alloc" or not all(self.known_to_host(e) for e in call.args[1:])
            case ast.Pass():
                return False
        return True

    def hosts(self, loop: ast.For) -> bool:
        """Whether the host can count a loop, with grids within it."""
        if not all(self.known_to_host(e) for e in self.m.form(loop)[1].args):
            return False
        self.host_ints.add(loop.target.id if isinstance(loop.target, ast.Name) else "")
        inner = {t for s in statements(loop.body) if (t := target_of(s)) and not self.m.is_scalar(t)}
        self.host_ints |= inner
        fine = self.has_lanes(loop.body) and not any(self.for_device(s) for s in loop.body)
        if not fine:
            self.host_ints -= inner
        return fine

    def host_statement(self, s: ast.stmt) -> list[ast.stmt]:
        match s:
            case ast.For() if self.independent(s):
                return self.make_grid(s)
            case ast.For():
                s.iter = self.m.form(s)[1]
                s.body = self.host_block(s.body)
            case ast.If():
                s.body, s.orelse = self.host_block(s.body), self.host_block(s.orelse)
            case ast.Assign():
                self.host_ints.add(target_of(s))
        return [s]

    def one_group(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """What no loop spreads over a grid: a group of lanes does it."""
        self.grid = Grid()
        name = self.c.fresh("group")
        inside = self.group_block(body)
        loop = self.m.parallel(name, range_of(ast.Constant(1)), "group", inside)
        return [*self.grid.hoisted, self.with_rows(ast.copy_location(loop, body[0]))]

    def make_grid(self, loop: ast.For) -> list[ast.stmt]:
        self.grid = Grid()
        made = self.chain(loop)
        return [*self.grid.hoisted, self.with_rows(made)]

    def chain(self, loop: ast.For) -> ast.stmt:
        """The loops of the grid, one within another."""
        band, inner = self.band(loop)
        start, stop, step = bounds_of(self.m.form(loop)[1])
        if not self.goes_inside(inner) and not self.has_lanes(inner) and all(self.independent(l) for l in band):
            return self.spread(band, inner)
        assert isinstance(loop.target, ast.Name)
        known = all(self.known_to_host(e) for e in (start, stop, step))
        if not known:
            return self.only(loop)
        count = ceil_div(binary(stop, "-", start), step)
        self.grid.coordinates.append((count, divided(binary(load(loop.target.id), "-", start), step)))
        leading = 0
        while leading < len(loop.body) and self.leads(loop.body[leading]):
            leading += 1
        rest = loop.body[leading:]
        if len(rest) == 1 and isinstance(rest[0], ast.For) and self.independent(rest[0]) and len(self.grid.coordinates) < 3 and all(self.known_to_host(e) for e in bounds_of(self.m.form(rest[0])[1])):
            body = [*loop.body[:leading], self.chain(rest[0])]
        else:
            body = self.group_block(loop.body)
        return ast.copy_location(self.m.parallel(loop.target.id, range_of(start, stop, step), "group", body), loop)

    def only(self, loop: ast.For) -> ast.stmt:
        """A loop that no grid can have: within the groups that there are, or in one."""
        body = self.group_block([loop])
        if self.grid.coordinates:
            return body[0] if len(body) == 1 else ast.If(test=ast.Constant(True), body=body, orelse=[])
        return self.m.parallel(self.c.fresh("group"), range_of(ast.Constant(1)), "group", body)

    def leads(self, s: ast.stmt) -> bool:
        """Whether a statement may stand between two loops of a grid: it only computes."""
        match s:
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                return self.m.called(value) not in ("alloc", "get", "position", "holds")
        return False

    def spread(self, band: list[ast.For], inner: list[ast.stmt]) -> ast.stmt:
        """Loops that are nothing but elements: a block of them for each group."""
        sizes = self.sizes(band)
        loops: list[tuple[str, ast.Call]] = []
        for loop, size in zip(band, sizes):
            assert isinstance(loop.target, ast.Name)
            start, stop, step = bounds_of(self.m.form(loop)[1])
            most = self.most_iterations(loop)
            whole = (most is not None and most <= max(size * 4, 1)) or not all(self.known_to_host(e) for e in (start, stop, step))
            if whole or len(loops) == 3:
                continue
            name = self.c.fresh(loop.target.id + "_at")
            block = binary(number(size), "*", step)
            loops.append((name, range_of(start, stop, block)))
            loop.iter = range_of(load(name), least(binary(load(name), "+", block), stop), step)
            self.grid.coordinates.append((ceil_div(binary(stop, "-", start), block), divided(binary(load(name), "-", start), block)))
        body: list[ast.stmt] = self.over_lanes(band, inner, sizes, {})
        for name, over in reversed(loops):
            body = [ast.copy_location(self.m.parallel(name, over, "group", body), band[0])]
        if not loops and not self.grid.coordinates:
            body = [ast.copy_location(self.m.parallel(self.c.fresh("group"), range_of(ast.Constant(1)), "group", body), band[0])]
        return body[0]

    def with_rows(self, s: ast.stmt) -> ast.stmt:
        """The indices of a group before those of the buffers that all groups have one memory for."""
        for node in ast.walk(s):
            match node:
                case ast.Call(args=[ast.Name(memory), *_]) if memory in self.grid.rows and self.m.called(node) in ("get", "put"):
                    at = 1 if self.m.called(node) == "get" else 2
                    node.args[at:at] = copy.deepcopy(self.grid.rows[memory])
        return s

    # ── a group's statements ──────────────────────────────────────────────────────────────────────────────────────────

    def group_block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            match s:
                case ast.For():
                    out += self.group_loop(s)
                case ast.If() | ast.While():
                    s.body, s.orelse = self.group_block(s.body), self.group_block(s.orelse)
                    out.append(s)
                case ast.AnnAssign(value=ast.Call() as call) if self.m.called(call) == "alloc":
                    out += self.memory(s, [])
                case ast.Expr(value=ast.Call() as call) if self.m.called(call) == "put":
                    out.append(self.one_lane([s]))
                case _:
                    out.append(s)
        return out

    def group_loop(self, loop: ast.For) -> list[ast.stmt]:
        band, inner = self.band(loop)
        if not band:
            if not self.has_lanes(loop.body):
                return self.serial(loop)
        elif not self.goes_inside(inner, self.iterations(band)):
            sums = {n: o for l in band for n, o in (self.sums(l) or {}).items()}
            return self.over_lanes(band, inner, self.sizes(band), sums)
        loop.iter = self.m.form(loop)[1]
        loop.body = self.group_block(loop.body)
        return [loop]

    def serial(self, loop: ast.For) -> list[ast.stmt]:
        """A loop whose iterations follow each other: one lane writes, and what it carries all know behind it."""
        if not any(self.m.called(getattr(s, "value", None)) in ("put", "order") for s in statements(loop.body)):
            loop.iter = self.m.form(loop)[1]
            return [loop]
        carried = [text.partition(" ")[2] for text in self.dependences.get(loop, []) if text.startswith(("carried", "escapes"))]
        if not all(self.m.is_scalar(name) for name in carried):  # ints are known to all
            loop.iter = self.m.form(loop)[1]
            loop.body = self.group_block(loop.body)
            return [loop]
        before: list[ast.stmt] = []
        begin: list[ast.stmt] = []
        end: list[ast.stmt] = []
        behind: list[ast.stmt] = []
        own_of: dict[str, str] = {}
        for name in carried:
            dtype = self.m.dtypes[name]
            cell, own = self.c.fresh(name + "_cell"), self.c.fresh(name + "_own")
            before.append(self.m.alloc(cell, dtype, [ast.Constant(1)], "shared"))
            begin.append(assign(own, load(name), dtype))
            end.append(self.m.put(cell, load(own), ast.Constant(0)))
            behind.append(assign(name, self.m.get(cell, ast.Constant(0))))
            own_of[name] = own
        body = [*begin, Rename(own_of).visit(loop), *end]
        return [*before, ast.copy_location(self.one_lane(body), loop), *behind]

    def one_lane(self, body: list[ast.stmt]) -> ast.stmt:
        return ast.copy_location(self.m.lanes(self.c.fresh("lane"), 1, self.lane_block(body, "")), body[0])

    # ── lanes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def sizes(self, band: list[ast.For]) -> list[int]:
        """How many lanes go along each loop: the innermost first, whose elements lie side by side."""
        most_of = [self.most_iterations(loop) for loop in band]
        if len(band) == 2 and self.lanes == 256 and all(most is not None and most >= 32 for most in most_of):
            return [16, 16]  # as square as can be: rows and columns of a product are shared by as many lanes
        left, found = self.lanes, []
        for k, loop in enumerate(reversed(band)):
            most = self.most_iterations(loop)
            size = min(left, 1 << max(0, (most - 1)).bit_length()) if most is not None else left if k or len(band) == 1 else min(left, max(1, self.lanes // 4))
            found.append(size)
            left //= size
        return found[::-1]

    def over_lanes(self, band: list[ast.For], inner: list[ast.stmt], sizes: list[int], sums: dict[str, str]) -> list[ast.stmt]:
        lane = self.c.fresh("lane")
        count = 1
        for size in sizes:
            count *= size
        before: list[ast.stmt] = []
        begin: list[ast.stmt] = []
        end: list[ast.stmt] = []
        behind: list[ast.stmt] = []
        parts_of: dict[str, str] = {}
        for name, operation in sums.items():
            dtype = self.m.dtypes[name]
            text = ast.unparse(dtype).split(".")[-1]
            parts, part, joined = (self.c.fresh(name + tail) for tail in ("_parts", "_part", "_all"))
            collective, identity = REDUCTIONS[operation]
            before.append(self.m.alloc(parts, dtype, [ast.Constant(count)], "shared"))
            begin.append(assign(part, self.m.call("splat", dtype, expression(identity(text))), dtype))
            end.append(self.m.put(parts, load(part), load(lane)))
            behind.append(assign(joined, self.m.collective(collective, load(parts)), dtype))
            behind.append(assign(name, self.m.call(operation, load(name), load(joined))))
            parts_of[name] = part
            self.grid.shared += count * size_of(text)
        body = self.lane_block(inner, lane)
        if parts_of:
            renamed = Rename(parts_of)
            body = [renamed.visit(s) for s in body]
        stride = count
        for loop, size in zip(band, sizes):
            stride //= size
        for loop, size in reversed(list(zip(band, sizes))):
            start, stop, step = bounds_of(self.m.form(loop)[1])
            at: ast.expr = load(lane)
            if stride > 1:
                at = binary(at, "//", number(stride))
            if stride * size < count:
                at = binary(at, "%", number(size))
            stride *= size
            over = range_of(binary(start, "+", binary(at, "*", step)) if size > 1 else start, stop, binary(number(size), "*", step))
            assert isinstance(loop.target, ast.Name)
            body = [ast.copy_location(ast.For(target=loop.target, iter=over, body=body, orelse=[]), loop)]
        loop = ast.copy_location(self.m.lanes(lane, count, [*begin, *body, *end]), band[0])
        return [*before, loop, *behind]

    def lane_block(self, body: list[ast.stmt], lane: str) -> list[ast.stmt]:
        """What one lane does: loops without forms, and buffers of its own."""
        out: list[ast.stmt] = []
        for s in body:
            if isinstance(s, ast.For):
                s.iter = self.m.form(s)[1]
            if isinstance(s, (ast.For, ast.If, ast.While)):
                s.body, s.orelse = self.lane_block(s.body, lane), self.lane_block(s.orelse, lane)
            if isinstance(s, ast.AnnAssign) and self.m.called(s.value) == "alloc":
                out += self.memory(s, [load(lane)] if lane else [], private=True)
            else:
                out.append(s)
        return out

    def memory(self, s: ast.AnnAssign, lane: list[ast.expr], private: bool = False) -> list[ast.stmt]:
        """Where a buffer lies: in memory of the group, or of the lane, where it fits; else in the device's, a slice for each of them."""
        assert isinstance(s.target, ast.Name) and isinstance(s.value, ast.Call)
        name, dtype, extents = s.target.id, s.value.args[0], s.value.args[1:]
        bytes_ = size_of(ast.unparse(dtype).split(".")[-1])
        for e in extents:
            known = self.m.number(e)
            bytes_ = bytes_ * known if known is not None and bytes_ >= 0 else -1
        if 0 <= bytes_ <= (self.private if private else self.shared - 2048 - self.grid.shared):
            if not private:
                self.grid.shared += bytes_
            return [ast.copy_location(self.m.alloc(name, dtype, extents, "private" if private else "shared"), s)]
        rows = [*(copy.deepcopy(count) for count, _ in self.grid.coordinates), *(ast.Constant(self.lanes) for _ in lane)]
        longest = [e if self.known_to_host(e) else number(most) if (most := self.m.most(e)) is not None else None for e in extents]
        if None in longest or name in self.grid.rows or not all(self.known_to_host(e) for e in rows):
            text = ast.unparse(s.value)
            self.c.report(s, "simt.no-memory", f"`{name}` is a buffer whose size only a work-group knows", notes=[f"it is `{text}`"], hint="give its dimensions sizes that do not depend on a loop")
            return [s]
        self.grid.rows[name] = [*(at for _, at in self.grid.coordinates), *lane]
        self.grid.hoisted.append(ast.copy_location(self.m.alloc(name, dtype, [*rows, *(e for e in longest if e is not None)], "global"), s))
        return []


class Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self.names:
            node.id = self.names[node.id]
        return node


def ceil_div(a: ast.expr, b: ast.expr) -> ast.expr:
    if isinstance(b, ast.Constant) and b.value == 1:
        return a
    if isinstance(a, ast.Constant) and isinstance(b, ast.Constant):
        return ast.Constant(-(-a.value // b.value))
    return binary(binary(a, "+", binary(b, "-", ast.Constant(1))), "//", b)


def divided(a: ast.expr, b: ast.expr) -> ast.expr:
    return binary(a, "//", b)
