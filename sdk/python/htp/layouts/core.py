"""The core layout constructor, and the canonical form that every layout has.

The logical index of an element, row-major, is cut into digits; each moves the element by its step along named axes. A digit of a power
of two may combine a step for each of its bits by exclusive or instead: that is a swizzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd, prod
from typing import Literal, TypeAlias

from htp.errors import HtpError

Term: TypeAlias = "tuple[int, int, str] | tuple[int, tuple[int, ...], str] | tuple[int, Mapping[str, int]] | tuple[int, tuple[Mapping[str, int], ...]]"
"""(extent, stride, "axis"), or {"axis": stride} for several; a tuple of steps, one for each bit, is combined by exclusive or."""

Op: TypeAlias = Literal["sum", "max", "min"]
Place: TypeAlias = tuple[tuple[str, int], ...]
"""How far along each axis, in the axes' order; an axis that is not named is at 0."""


def place(along: Iterable[tuple[str, int]]) -> Place:
    """The sum of these distances."""
    at: dict[str, int] = {}
    for axis, n in along:
        at[axis] = at.get(axis, 0) + n
    return tuple(sorted((axis, n) for axis, n in at.items() if n != 0))


def times(a: Place, n: int) -> Place:
    return place((axis, at * n) for axis, at in a)


def exclusive(a: Place, b: Place) -> Place:
    first, second = dict(a), dict(b)
    return place((axis, first.get(axis, 0) ^ second.get(axis, 0)) for axis in first.keys() | second.keys())


def either(a: Place, b: Place) -> Place:
    first, second = dict(a), dict(b)
    return place((axis, first.get(axis, 0) | second.get(axis, 0)) for axis in first.keys() | second.keys())


def apart(a: Place, b: Place) -> bool:
    """Whether they share no bit of an axis, so that + is exclusive or."""
    second = dict(b)
    return all(n & second.get(axis, 0) == 0 for axis, n in a)


@dataclass(frozen=True)
class Digit:
    """`extent` values that move by a step each, or whose bits have a step each."""

    extent: int
    steps: tuple[Place, ...]

    @property
    def is_xor(self) -> bool:
        return len(self.steps) > 1

    def at(self, value: int) -> Place:
        if not self.is_xor:
            return times(self.steps[0], value)
        found: Place = ()
        for bit, step in enumerate(self.steps):
            if value >> bit & 1:
                found = exclusive(found, step)
        return found

    def __repr__(self) -> str:
        return f"({self._words()})"

    def _words(self) -> str:
        axes = sorted({axis for step in self.steps for axis, _ in step})
        if len(axes) > 1:
            words = [_dict(step) for step in self.steps]
        else:
            words = [str(dict(step).get(axes[0], 0) if axes else 0) for step in self.steps]
        moved = _tuple(words) if self.is_xor else words[0]
        return f"{self.extent}, {moved}" + (f', "{axes[0] if axes else "m"}"' if len(axes) <= 1 else "")


@dataclass(frozen=True)
class Layout:
    """A layout in its canonical form. Layouts that mean the same are equal values; `repr` is the constructor expression."""

    terms: tuple[Digit, ...]
    replicate: tuple[Digit, ...] = ()
    pending: tuple[tuple[str, Digit], ...] = ()
    offset: Place = ()

    @property
    def size(self) -> int:
        """How many elements it places."""
        return prod(digit.extent for digit in self.terms)

    def at(self, index: int) -> dict[str, int]:
        """Where the element's first copy lies.

        >>> layout(((4, 1, "core"), (8, 16, "m"))).at(9)
        {'core': 1, 'm': 16}
        """
        found = self.offset
        for digit in reversed(self.terms):
            found = place((*found, *digit.at(index % digit.extent)))
            index //= digit.extent
        return dict(found)

    def places(self, index: int) -> list[dict[str, int]]:
        """Where all its copies and parts lie.

        >>> layout(((8, 1, "m"),), replicate=((2, 1, "x"),)).places(3)
        [{'m': 3}, {'m': 3, 'x': 1}]
        """
        copies = (*self.replicate, *(digit for _, digit in self.pending))
        moved = product(*([digit.at(d) for d in range(digit.extent)] for digit in copies))
        first = tuple(self.at(index).items())
        return [dict(place((*first, *(step for steps in copy for step in steps)))) for copy in moved]

    def __repr__(self) -> str:
        words = [_tuple([repr(digit) for digit in self.terms])]
        if self.replicate:
            words.append(f"replicate={_tuple([repr(digit) for digit in self.replicate])}")
        if self.pending:
            words.append("pending=" + _tuple([f'({digit._words()}, "{op}")' for op, digit in self.pending]))
        if self.offset:
            words.append(f"offset={_dict(self.offset)}")
        return f"htp.layout({', '.join(words)})"


@dataclass(frozen=True)
class Space:
    """A memory space of the target's hardware model, by its name there."""

    name: str

    def __repr__(self) -> str:
        return f'htp.space("{self.name}")'


def layout(
    terms: Sequence[Term],
    *,
    replicate: Sequence[Term] = (),
    pending: Sequence[tuple[int, int, str, Op]] = (),
    offset: Mapping[str, int] | None = None,
) -> Layout:
    """A layout of the core algebra: the logical index, cut row-major by the extents, moves by each digit's step along its axis;
    `replicate` says where copies lie, `pending` where parts lie that are still to be combined, `offset` where the first element is.

    >>> layout(((8, 64, "m"), (64, 1, "m")))
    htp.layout(((512, 1, "m"),))
    >>> layout(((4, 1, "core"), (8, 8, "m")), replicate=((2, 1, "x"),), offset={"m": 3})
    htp.layout(((4, 1, "core"), (8, 8, "m")), replicate=((2, 1, "x"),), offset={"m": 3})
    """
    parts = []
    for item in pending:
        if not isinstance(item, tuple) or len(item) < 3 or not isinstance(item[-1], str):
            raise HtpError('what is pending is (extent, stride, "axis", "op")')
        parts.append((item[-1], _digit(item[:-1])))
    return made([_digit(term) for term in terms], [_digit(term) for term in replicate], parts, place((offset or {}).items()))


def made(terms: Iterable[Digit], replicate: Iterable[Digit] = (), pending: Iterable[tuple[str, Digit]] = (), offset: Place = ()) -> Layout:
    """The canonical form of these digits."""
    terms, replicate, pending = list(terms), list(replicate), list(pending)
    everything = [*terms, *replicate, *(digit for _, digit in pending)]
    for digit in everything:
        _check(digit)
    copies = [*replicate, *(digit for _, digit in pending)]
    if any(digit.is_xor for digit in copies):
        raise HtpError("copies lie at regular distances, not at exclusive ors")
    if not _distinct(copies):
        raise HtpError("two copies of one element have one position")
    kept, offset = _copies(replicate, offset)
    parts: list[tuple[str, Digit]] = []
    for op in sorted({op for op, _ in pending}):
        digits, offset = _copies([digit for other, digit in pending if other == op], offset)
        parts += ((op, digit) for digit in digits)
    return Layout(tuple(_digits(terms)), tuple(kept), tuple(parts), offset)


def space(name: str) -> Space:
    """A memory space, for the last place of a type: `Tile[f32, 64, 64, htp.space("ub")]`."""
    return Space(name)


def _tuple(words: list[str]) -> str:
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"


def _dict(along: Place) -> str:
    return "{" + ", ".join(f'"{axis}": {n}' for axis, n in along) + "}"


def _digit(term: object) -> Digit:
    """A digit as it is written."""
    wrong = HtpError('a digit of a layout is (extent, stride, "axis")')
    if not isinstance(term, tuple) or len(term) not in (2, 3) or not isinstance(term[0], int):
        raise wrong
    axis = term[2] if len(term) == 3 else None
    steps = []
    for step in term[1] if isinstance(term[1], tuple) else (term[1],):
        if isinstance(axis, str) and isinstance(step, int):
            steps.append(place([(axis, step)]))
        elif axis is None and isinstance(step, Mapping):
            steps.append(place(step.items()))
        else:
            raise wrong
    return Digit(term[0], tuple(steps) if steps or term[0] != 1 else ((),))


def _check(digit: Digit) -> None:
    if digit.extent < 1:
        raise HtpError(f"an extent is at least 1, not {digit.extent}")
    if not digit.steps:
        raise HtpError("a digit has a step")
    if digit.is_xor and digit.extent != 1 << len(digit.steps):
        raise HtpError(f"an extent of {digit.extent} with {len(digit.steps)} steps: there is one step for each bit")
    if digit.is_xor and any(n < 0 for step in digit.steps for _, n in step):
        raise HtpError("steps that are combined bit by bit are not negative")


def _split(digit: Digit) -> list[Digit]:
    """Digits that are independent of each other, highest first: where lower steps share no bit with higher ones + is exclusive or."""
    if not digit.is_xor:
        return [digit]
    found: list[Digit] = []
    block: list[Place] = []
    below: Place = ()
    for k, step in enumerate(digit.steps):
        block.append(step)
        below = either(below, step)
        if all(apart(below, above) for above in digit.steps[k + 1 :]):
            found.insert(0, Digit(1 << len(block), tuple(block)))
            block = []
    return found


def _digits(terms: Iterable[Digit]) -> list[Digit]:
    found: list[Digit] = []
    for digit in (part for term in terms for part in _split(term)):
        if digit.extent == 1:
            continue
        last = found[-1] if found else None
        if last and not last.is_xor and not digit.is_xor and last.steps[0] == times(digit.steps[0], digit.extent):
            found[-1] = Digit(last.extent * digit.extent, digit.steps)
        else:
            found.append(digit)
    return found


MOST_COPIES = 1 << 16
"""That are looked at one by one."""


def _distinct(copies: list[Digit]) -> bool:
    """Whether no two copies lie in one place."""
    copies = [digit for digit in copies if digit.extent > 1]
    if any(not digit.steps[0] for digit in copies):
        return False
    if all(len(digit.steps[0]) == 1 for digit in copies):
        # Along each axis the steps go beyond all that the shorter ones reach.
        reached: dict[str, int] = {}
        beyond = True
        for axis, n, extent in sorted((digit.steps[0][0][0], abs(digit.steps[0][0][1]), digit.extent) for digit in copies):
            beyond &= n > reached.get(axis, 0)
            reached[axis] = reached.get(axis, 0) + n * (extent - 1)
        if beyond:
            return True
    count = prod(digit.extent for digit in copies)
    if count > MOST_COPIES:
        raise HtpError(f"more than {MOST_COPIES} copies whose positions overlap are not distinguished")
    places: set[Place] = {()}
    for digit in copies:
        places = {place((*at, *digit.at(d))) for at in places for d in range(digit.extent)}
    return len(places) == count


def _copies(digits: list[Digit], offset: Place) -> tuple[list[Digit], Place]:
    """The canonical digits of a set of copies: in each direction the steps and the ends that no other digit goes on from, paired by a
    rule. What points down is turned, which moves the offset."""
    lines: dict[Place, tuple[list[int], list[int]]] = {}
    for digit in digits:
        if digit.extent == 1:
            continue
        step = digit.steps[0]
        common = gcd(*(n for _, n in step))
        if step[0][1] < 0:
            offset = place((*offset, *times(step, digit.extent - 1)))
            step = times(step, -1)
        steps, ends = lines.setdefault(tuple((axis, n // common) for axis, n in step), ([], []))
        steps.append(common)
        ends.append(common * digit.extent)
    found: list[Digit] = []
    for direction, (steps, ends) in sorted(lines.items()):
        for start in sorted(steps):
            if start in ends:
                ends.remove(start)
                steps.remove(start)
        pairs = _paired(sorted(steps), sorted(ends))
        found += (Digit(end // start, (times(direction, start),)) for start, end in pairs or [])
    return found, offset


def _paired(steps: list[int], ends: list[int]) -> list[tuple[int, int]] | None:
    """Each step with an end that it divides: the largest step first, with the nearest end that leaves the others theirs."""
    if not steps:
        return []
    step = steps[-1]
    for end in sorted(set(ends)):
        if end % step == 0 and end > step:
            left = ends.copy()
            left.remove(end)
            rest = _paired(steps[:-1], left)
            if rest is not None:
                return [(step, end), *rest]
    return None
