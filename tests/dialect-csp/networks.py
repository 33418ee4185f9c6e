"""Random networks of processes and channels, as pipelines that compile, and what becomes of them at small sizes.

A network is made from one choreography, which says who passes what to whom, one item after the other: what a process does is its part of that, so the
network ends at all sizes, whatever the capacities. Then a process may write its part in another way that does the same. What mistakes make of a network
is in `mistakes.py`.

`search` is the oracle: it looks at all states. `play` makes the moves in one order, for sizes at which there are too many states.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

SIZES = ("M", "N")


@dataclass(frozen=True)
class Op:
    """A put or a get; `channel` with its index in an array, `lanes[i + 1]`."""

    channel: str
    puts: bool


@dataclass(frozen=True)
class For:
    """A loop, `over` as Python writes it."""

    variable: str
    over: str
    body: tuple[Node, ...]


@dataclass(frozen=True)
class If:
    """A branch."""

    test: str
    then: tuple[Node, ...]
    other: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Item:
    """Of a choreography: an item passes through a channel."""

    channel: str


Node = Op | For | If | Item
Part = tuple[Node, ...]


@dataclass(frozen=True)
class Channel:
    """Declared by `channel`, an array by `channels`."""

    capacity: int
    readers: int = 1
    array: tuple[int, ...] = ()


@dataclass(frozen=True)
class Process:
    """With a grid its indices are called i, j."""

    does: Part
    grid: tuple[int, ...] = ()


@dataclass(frozen=True)
class Network:
    """Channels and processes by their names."""

    channels: Mapping[str, Channel]
    processes: Mapping[str, Process]

    def text(self) -> str:
        """The pipeline `w`."""
        lines = []
        for name, channel in self.channels.items():
            array = f"{channel.array}, " if channel.array else ""
            readers = f", readers={channel.readers}" if channel.readers > 1 else ""
            lines.append(f"    {name} = channel{'s' if array else ''}({array}f32, 1, 1, capacity={channel.capacity}{readers})")
        for name, process in self.processes.items():
            grid = f"(grid={process.grid})" if process.grid else ""
            parameters = ", ".join(f"{index}: int" for index in "ij"[: len(process.grid)])
            lines += ["", f"    @process{grid}", f"    def {name}({parameters}) -> None:", *written(process.does, 2, called)]
        return HEAD + "\n".join(lines) + "\n"


HEAD = """import htp
from htp import In, Out, f32
from htp_csp import channel, channels, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = x[m, :]

"""


def called(op: Op) -> str:
    """An operation in a pipeline."""
    return f"{op.channel}.put(zeros(f32, 1, 1))" if op.puts else f"_ = {op.channel}.get()"


def written(part: Part, depth: int, operation: Callable[[Op], str]) -> list[str]:
    """Python's lines."""
    pad = "    " * depth
    lines: list[str] = []
    for node in part:
        match node:
            case Op():
                lines.append(pad + operation(node))
            case For(variable, over, body):
                lines += [f"{pad}for {variable} in {over}:", *written(body, depth + 1, operation)]
            case If(test, then, other):
                lines += [f"{pad}if {test}:", *written(then, depth + 1, operation)]
                lines += [f"{pad}else:", *written(other, depth + 1, operation)] if other else []
    return lines or [pad + "pass"]


# ── what becomes of them ──


@dataclass(frozen=True)
class Unrolled:
    """A network at sizes: what each process does, one operation after the other."""

    capacities: list[int]
    readers: list[list[int]]
    processes: list[list[tuple[int, bool]]]


Maker = Callable[[Mapping[str, int]], Unrolled]


def unroller(network: Network) -> Maker:
    """Unrolls it at sizes; LookupError where a channel is used that is not there."""
    functions = []
    for process in network.processes.values():
        places: list[tuple[int, ...]] = [()]
        for extent in process.grid:
            places = [(*place, k) for place in places for k in range(extent)]
        lines = ["def each(M, N, i=0, j=0):", "    if False: yield", *written(process.does, 1, yielded)]
        names: dict[str, object] = {"tiles": lambda size, block: range(-(-size // block))}
        exec("\n".join(lines), names)  # noqa: S102
        functions += [(names["each"], place) for place in places]

    def at(sizes: Mapping[str, int]) -> Unrolled:
        number: dict[object, int] = {}
        made = Unrolled([], [], [])
        for p, (each, place) in enumerate(functions):
            done = []
            for channel, puts in each(sizes["M"], sizes["N"], *place):  # type: ignore[operator]
                if channel not in number:
                    name, *index = channel
                    declared = network.channels[name]
                    if not all(0 <= k < extent for k, extent in zip(index, declared.array, strict=True)):
                        raise LookupError(channel)
                    number[channel] = len(made.capacities)
                    made.capacities.append(declared.capacity)
                    made.readers.append([])
                if not puts and p not in made.readers[number[channel]]:
                    made.readers[number[channel]].append(p)
                done.append((number[channel], puts))
            made.processes.append(done)
        return made

    return at


def yielded(op: Op) -> str:
    """An operation as `unroller` takes it."""
    name, _, index = op.channel.partition("[")
    return f"yield ({name!r}, {index[:-1]}{',' if index else ''}), {op.puts}"


# Of each process how many operations are behind it, and of each channel whether an item of a rendezvous is offered.
State = tuple[tuple[int, ...], tuple[int, ...]]


class Moves:
    """The moves of a network at sizes."""

    def __init__(self, of: Unrolled) -> None:
        self.of = of
        self.before: list[list[list[int]]] = [self._counts(done) for done in of.processes]
        self.writers = {channel: p for p, done in enumerate(of.processes) for channel, puts in done if puts}
        self.first: State = (tuple(0 for _ in of.processes), tuple(0 for _ in of.capacities))

    def _counts(self, done: Sequence[tuple[int, bool]]) -> list[list[int]]:
        counts = [[0] * len(self.of.capacities)]
        for channel, _ in done:
            counts.append(counts[-1].copy())
            counts[-1][channel] += 1
        return counts

    def after(self, state: State, p: int) -> State | None:
        """The state when a process has moved; nothing when it has to wait, or is at its end."""
        at, offered = state
        if at[p] == len(self.of.processes[p]):
            return None
        channel, puts = self.of.processes[p][at[p]]

        def on(q: int) -> int:
            return self.before[q][at[q]][channel]

        went = (*at[:p], at[p] + 1, *at[p + 1 :])
        if not puts:
            there = on(self.writers[channel]) + offered[channel] if channel in self.writers else 0
            return (went, offered) if on(p) < there else None
        had = min((on(q) for q in self.of.readers[channel]), default=0)
        if capacity := self.of.capacities[channel]:
            return (went, offered) if on(p) - had < capacity else None

        def change(to: int) -> tuple[int, ...]:
            return (*offered[:channel], to, *offered[channel + 1 :])

        if not offered[channel]:
            return at, change(1)
        return (went, change(0)) if had == on(p) + 1 else None

    def ended(self, state: State) -> bool:
        """Whether all have ended, and got what was put."""
        return all(n == len(done) for n, done in zip(state[0], self.of.processes, strict=True)) and all(
            self.before[q][-1][channel] == self.before[p][-1][channel] for channel, p in self.writers.items() for q in self.of.readers[channel] or [len(self.before) - 1]
        )


def search(of: Unrolled, most: int = 4000) -> bool | None:
    """Whether it ends, whoever is faster: of all states; nothing when there are more."""
    moves = Moves(of)
    seen = {moves.first}
    open_ = [moves.first]
    while open_:
        state = open_.pop()
        following = [after for p in range(len(of.processes)) if (after := moves.after(state, p))]
        if not following and not moves.ended(state):
            return False
        for after in following:
            if after not in seen:
                if len(seen) == most:
                    return None
                seen.add(after)
                open_.append(after)
    return True


def play(of: Unrolled) -> bool:
    """Whether it ends in one order."""
    moves = Moves(of)
    state: State | None = moves.first
    now = moves.first
    moved = True
    while moved:
        moved = False
        for p in range(len(of.processes)):
            while (state := moves.after(now, p)) is not None:
                now, moved = state, True
    return moves.ended(now)


def ends(network: Network, small: int = 3, large: int = 7) -> bool:
    """Whether it ends at small sizes: all states up to `small`, one order up to `large`, and both agree."""
    at = unroller(network)
    writers: dict[int, int] = {}
    for m in range(1, large + 1):
        for n in range(1, large + 1):
            try:
                of = at({"M": m, "N": n})
            except LookupError:
                return False
            writers = {}
            if any(puts and writers.setdefault(channel, p) != p for p, done in enumerate(of.processes) for channel, puts in done):
                return False
            once = play(of)
            always = search(of) if m <= small and n <= small else None
            if always is not None and always != once:
                raise AssertionError(f"an order decides at M = {m}, N = {n}:\n{network.text()}")
            if not once:
                return False
    return True


def unused(network: Network, most: int = 7) -> set[str]:
    """The channels that nobody uses at small sizes: behind a condition that never holds. They are refused, and rightly."""
    left = set(network.channels)
    for process in network.processes.values():
        names: dict[str, object] = {"tiles": lambda size, block: range(-(-size // block))}
        lines = ["def each(M, N, i=0, j=0):", "    if False: yield", *written(process.does, 1, yielded)]
        exec("\n".join(lines), names)  # noqa: S102
        for m in range(1, most + 1):
            for n in range(1, most + 1):
                for i in range(max(process.grid[:1], default=1)):
                    for j in range(max(process.grid[1:], default=1)):
                        left -= {channel[0] for channel, _ in names["each"](m, n, i, j)}  # type: ignore[operator]
    return left


# ── choreographies ──


@dataclass
class Drawing:
    """What a choreography may be made of."""

    rng: random.Random
    loops: bool = False
    conditions: bool = False
    processes: int = 3
    channels: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """By name: the writer and the readers."""
    variables: int = 0

    def network(self, processes: int) -> Network:
        """A network whose processes write their parts as it comes."""
        rng = self.rng
        names = [f"p{k}" for k in range(processes)]
        for k in range(rng.randint(max(1, processes - 1), processes + 2)):
            writer, *others = rng.sample(names, processes)
            self.channels[f"c{k}"] = (writer, tuple(others[: 2 if processes > 2 and rng.random() < 0.1 else 1]))
        whole = self.part(3 if self.loops else 1, ())
        parts = {name: tuple(self.project(whole, name)) for name in names}
        used = {channel for part in parts.values() for channel in channels_in(part)}
        channels = {name: Channel(rng.choice([0, 1, 1, 2, 4]), len(ends[1])) for name, ends in self.channels.items() if name in used}
        return Network(channels, {name: Process(self.rewritten(part)) for name, part in parts.items() if part})

    def part(self, depth: int, scope: tuple[tuple[str, str], ...]) -> Part:
        """Some of a choreography, in loops over these: their variables, and what they go up to."""
        rng = self.rng
        made: list[Node] = []
        for _ in range(rng.randint(1, 2) if depth < 3 and self.loops else rng.randint(2, 3)):
            draw = rng.random()
            if depth and self.conditions and draw < 0.35:
                other = self.part(depth - 1, scope) if rng.random() < 0.5 else ()
                made.append(If(self.condition(scope), self.part(depth - 1, scope), other))
            elif depth and self.loops and draw < 0.65:
                variable = f"v{self.variables}"
                self.variables += 1
                over, inner = self.range(scope, variable)
                made.append(For(variable, over, self.part(depth - 1, scope + inner)))
            else:
                made.append(Item(rng.choice(list(self.channels))))
        return tuple(made)

    def range(self, scope: tuple[tuple[str, str], ...], variable: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What a loop goes over, and what its variable goes up to, if that is an int."""
        rng = self.rng
        ends_ = ["M", "N", "M", "N", "2", "3", "M + 1", "2 * M", "M // 2", "(N + 1) // 2"]
        ends_ += [text for outer, end in scope for text in (outer, f"{outer} + 1", f"{end} - {outer}")]
        end = rng.choice(ends_)
        draw = rng.random()
        if draw < 0.06:
            return f"tiles({rng.choice(SIZES)}, {rng.choice([2, 3])})", ()
        if draw < 0.12:
            return f"range({rng.choice([1, 2])}, {end})", ((variable, end),)
        if draw < 0.18:
            return f"range(0, {end}, {rng.choice([2, 3])})", ((variable, end),)
        return f"range({end})", ((variable, end),)

    def condition(self, scope: tuple[tuple[str, str], ...]) -> str:
        """A condition on sizes, and on variables of the loops around."""
        rng = self.rng
        size, other = rng.sample(SIZES, 2)
        simple = [f"{size} % 2 == 0", f"{size} % 3 == {rng.randint(0, 2)}", f"{size} > {rng.randint(1, 4)}", f"{size} < {other}", f"{size} == {rng.randint(1, 3)}",
                  f"{size} // 2 > {rng.randint(0, 1)}", f"{size} + 1 >= {other}"]  # fmt: skip
        if scope and rng.random() < 0.7:
            variable, end = rng.choice(scope)
            k = rng.choice([2, 3])
            simple = [f"{variable} > 0", f"{variable} + 1 < {end}", f"{variable} % {k} == {rng.randrange(k)}", f"{variable} < {rng.randint(1, 3)}", f"{variable} != {rng.randint(0, 2)}",
                      f"{variable} < {size}", f"({variable} + {size}) % 2 == 0"]  # fmt: skip
            simple += [f"{variable} <= {outer}" for outer, _ in scope if outer != variable]
        first = rng.choice(simple)
        draw = rng.random()
        if draw < 0.08:
            return f"{first} and {rng.choice(simple)}"
        if draw < 0.16:
            return f"{first} or {rng.choice(simple)}"
        return f"not {first}" if draw < 0.2 else first

    def project(self, part: Part, name: str) -> Iterator[Node]:
        """What a process does of it."""
        for node in part:
            match node:
                case Item(channel):
                    writer, readers = self.channels[channel]
                    if name in (writer, *readers):
                        yield Op(channel, name == writer)
                case For(variable, over, body):
                    if inner := tuple(self.project(body, name)):
                        yield For(variable, over, inner)
                case If(test, then, other):
                    yes, no = tuple(self.project(then, name)), tuple(self.project(other, name))
                    if yes:
                        yield If(test, yes, no)
                    elif no:
                        yield If(f"not ({test})", no)

    def rewritten(self, part: Part) -> Part:
        """The same, written in another way here and there."""
        made: list[Node] = []
        for node in part:
            if isinstance(node, For):
                made += self._loop(replace(node, body=self.rewritten(node.body)))
            elif isinstance(node, If):
                made += self._branch(replace(node, then=self.rewritten(node.then), other=self.rewritten(node.other)))
            else:
                made.append(node)
        return tuple(made)

    def _loop(self, node: For) -> list[Node]:
        rng, v, body = self.rng, node.variable, node.body
        if rng.random() > 0.15 or not (ranged := re.fullmatch(r"range\(([^,]*)\)", node.over)):
            return [node]
        end = ranged[1]
        if end.isdigit():
            return [one for k in range(int(end)) for one in put_for(body, v, str(k))]
        half = f"({end}) // 2"
        choices: list[list[Node]] = [[For(v, f"range({half})", body), For(v, f"range({half}, {end})", body)], [For(v, f"range(1, {end} + 1)", put_for(body, v, f"({v} - 1)"))]]
        if not uses(body, v):
            choices.append([For(v, f"range({half})", body), For(v, f"range({half})", body), For(v, f"range(({end}) % 2)", body)])
            choices.append([For(v, f"range({half})", body + body), For(v, f"range(({end}) % 2)", body)])
        if end in ("M", "N", "M + 1", "2 * M"):
            choices.append([*put_for(body, v, "0"), For(v, f"range(1, {end})", body)])
            choices.append([For(v, f"range({end} - 1)", body), *put_for(body, v, f"({end} - 1)")])
        if self.conditions:
            choices.append([For(v, f"range({half})", put_for(body, v, f"(2 * {v})") + put_for(body, v, f"(2 * {v} + 1)")), If(f"({end}) % 2 == 1", put_for(body, v, f"({end} - 1)"))])
        return rng.choice(choices)

    def _branch(self, node: If) -> list[Node]:
        if self.rng.random() > 0.15:
            return [node]
        if not node.other:
            test, _, also = node.test.partition(" and ")
            return [If(test, (If(also, node.then),))] if also and " or " not in node.test and "(" not in node.test else [node]
        if self.rng.random() < 0.5:
            return [If(f"not ({node.test})", node.other, node.then)]
        return [If(node.test, node.then), If(f"not ({node.test})", node.other)]


def put_for(part: Part, variable: str, by: str) -> Part:
    """With another int for a variable."""

    def change(text: str) -> str:
        return re.sub(rf"\b{variable}\b", by, text)

    made: list[Node] = []
    for node in part:
        match node:
            case For(name, over, body):
                made.append(For(name, change(over), put_for(body, variable, by)))
            case If(test, then, other):
                made.append(If(change(test), put_for(then, variable, by), put_for(other, variable, by)))
            case _:
                made.append(node)
    return tuple(made)


def uses(part: Part, variable: str) -> bool:
    """Whether a part depends on a variable."""
    return put_for(part, variable, "0") != part


def channels_in(part: Part) -> Iterator[str]:
    """The channels that a part uses."""
    for node in part:
        match node:
            case For(_, _, body):
                yield from channels_in(body)
            case If(_, then, other):
                yield from channels_in(then + other)
            case Op(channel):
                yield channel


# ── the kinds ──


def flat(rng: random.Random) -> Network:
    """Operations in a row: moves that a network could make, so capacities are needed."""
    names = [f"p{k}" for k in range(rng.randint(2, 4))]
    channels: dict[str, tuple[Channel, str, str]] = {}
    for k in range(rng.randint(1, 5)):
        room = Channel(rng.randint(1, 3))
        writer, reader = rng.sample(names, 2)
        channels[f"c{k}"] = room, writer, reader
    does: dict[str, list[Node]] = {name: [] for name in names}
    held = dict.fromkeys(channels, 0)
    for move in range(rng.randint(4, 16), -20, -1):
        there = [name for name in channels if move > 0 or held[name]]
        if not there:
            break
        name = rng.choice(there)
        channel, writer, reader = channels[name]
        puts = move > 0 and held[name] < channel.capacity and rng.random() < 0.6
        if puts or held[name]:
            does[writer if puts else reader].append(Op(name, puts))
            held[name] += 1 if puts else -1
    used = {name for part in does.values() for name in channels_in(tuple(part))}
    return Network({name: channel for name, (channel, *_) in channels.items() if name in used}, {name: Process(tuple(part)) for name, part in does.items() if part})


def loops(rng: random.Random) -> Network:
    """Loops in loops, without conditions."""
    return Drawing(rng, loops=True).network(rng.randint(2, 4))


def conditions(rng: random.Random) -> Network:
    """Conditions on sizes and on variables of loops."""
    return Drawing(rng, loops=True, conditions=True).network(rng.randint(2, 4))


def pairs(rng: random.Random) -> Network:
    """Two processes, of loops and conditions."""
    return Drawing(rng, loops=True, conditions=rng.random() < 0.5).network(2)


def grids(rng: random.Random) -> Network:
    """Processes at the places of a grid: rows, arrays, those who deal out and those who gather."""
    rows, columns = rng.randint(2, 3), rng.randint(2, 3)
    capacity = rng.choice([0, 1, 2])
    shape = rng.choice(["row", "array", "dealt", "ring"])

    def turns(*body: Node) -> Part:
        """A cell's work: what repeats it is the same at all places."""
        inner: Part = body
        if layers > 1:
            inner = (For("b", f"range({second})", inner),)
        return (For("a", f"range({first})", inner),)

    layers = rng.randint(1, 2)
    first, second = rng.choice(["M", "M + 1", "2 * N", "M // 2"]), rng.choice(["N", "2", "a + 1"])

    def get(channel: str) -> Node:
        return Op(channel, False)

    def put(channel: str) -> Node:
        return Op(channel, True)

    if shape == "row":
        inside = If(f"i < {rows - 1}", (put("lanes[i + 1]"),)) if rng.random() < 0.5 else put("lanes[i + 1]")
        last = () if isinstance(inside, If) else (("last", Process(turns(get(f"lanes[{rows}]")))),)
        cells = ("cell", Process(turns(get("lanes[i]"), inside), (rows,)))
        return Network({"lanes": Channel(capacity, array=(rows + 1,))}, dict((("first", Process(turns(put("lanes[0]")))), cells, *last)))
    if shape == "array":
        cell = turns(If("j > 0", (get("right[i, j]"),)), If("i > 0", (get("down[i, j]"),)), If(f"j < {columns - 1}", (put("right[i, j + 1]"),)), If(f"i < {rows - 1}", (put("down[i + 1, j]"),)))
        size = (rows, columns)
        return Network({"right": Channel(capacity, array=size), "down": Channel(capacity, array=size)}, {"cell": Process(cell, size)})
    if shape == "dealt":
        every = rng.random() < 0.5

        def deal(op: Node) -> Part:
            if every:
                return (For("a", "range(M)", (For("k", f"range({rows})", (op,)),)),)
            return (For("a", f"range((M + {rows - 1}) // {rows})", (For("k", f"range({rows})", (If(f"{rows} * a + k < M", (op,)),)),)),)

        work = For("a", "range(M)" if every else f"range((M + {rows - 1} - i) // {rows})", (get("todo[i]"), put("done[i]")))
        room = Channel(capacity, array=(rows,))
        return Network({"todo": room, "done": room}, {"deal": Process(deal(put("todo[k]"))), "work": Process((work,), (rows,)), "gather": Process(deal(get("done[k]")))})
    begin, here = If("i == 0", (put("ring[1]"), get("ring[0]")), (get("ring[i]"), put(f"ring[(i + 1) % {rows}]"))), Channel(capacity, array=(rows,))
    return Network({"ring": here}, {"cell": Process(turns(begin), (rows,))})


KINDS: dict[str, Callable[[random.Random], Network]] = {"flat": flat, "grids": grids, "loops": loops, "conditions": conditions, "pairs": pairs}
