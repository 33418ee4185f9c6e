"""Programs that bring the edges of the table of meanings to a backend: one for each dtype and number of operands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import htp
import htp_tile
import numpy as np
from htp import EdgeCase


@dataclass(frozen=True)
class Program:
    """A kernel with one output for each case; the cases share their operands."""

    name: str
    cases: tuple[EdgeCase, ...]

    @property
    def source(self) -> str:
        dtypes = sorted({case.dtype.name for case in self.cases} | {case.result.name for case in self.cases})
        rank = self.cases[0].operands[0].ndim
        extents = ", 3" if rank == 2 else ""
        operands = [f"x{number}" for number in range(len(self.cases[0].operands))]
        dtype = self.cases[0].dtype.name
        index = "i, :" if rank == 2 else "i"
        lines = [
            f'"""{self.name}."""',
            "",
            "import htp",
            "import htp_tile as tile",
            f"from htp import In, Out, {', '.join(dtypes)}",
            "from htp_tile import Tensor, kernel, tiles",
            "",
            'N = htp.dim("N")',
            "",
            "",
            "@kernel",
            f"def {self.name}(",
            *(f"    {operand}: In[Tensor[{dtype}, N{extents}]]," for operand in operands),
            *(
                f"    y{number}: Out[Tensor[{case.result.name}, N{''.join(f', {size}' for size in case.expected.shape[1:])}]],"
                for number, case in enumerate(self.cases)
            ),
            ") -> None:",
            "    for i in tiles(N, 64):",
            *(f"        t{operand} = {operand}[{index}]" for operand in operands),
        ]
        for number, case in enumerate(self.cases):
            arguments = [f"t{operand}" for operand in operands]
            arguments += [case.result.name] if case.op == "cast" else ["axis=1"] if rank == 2 else []
            arguments += [case.words] if case.words else []
            lines.append(f"        y{number}[{index}] = tile.{case.op}({', '.join(arguments)})")
        return "\n".join(lines) + "\n"

    def arrays(self, entry: htp.Signature) -> list[Any]:
        """The arguments of the kernel: operands, and poisoned outputs."""
        found = list(self.cases[0].operands)
        for case in self.cases:
            poison = case.result.encode(np.full(case.expected.shape, case.result.poison, case.result.element))
            found.append(poison)
        return found

    def results(self, arrays: list[Any]) -> Iterator[tuple[EdgeCase, Any]]:
        """Each case with what the kernel made of it."""
        yield from zip(self.cases, arrays[len(self.cases[0].operands) :])


def programs() -> Iterator[Program]:
    """Every edge of every operation that the tile language has."""
    known = {name.removeprefix("tile.") for name in htp.INTRINSICS if name.startswith("tile.")}
    assert htp_tile.add is not None
    chosen = [case for case in htp.edge_cases() if case.op in known]

    def kind(case: EdgeCase) -> tuple[str, str]:
        if case.operands[0].ndim == 2:
            return case.dtype.name, "rows" if case.exact else case.op.rpartition("_")[2] + "s"
        return case.dtype.name, "casts" if case.op == "cast" else f"operands_{len(case.operands)}"

    for (dtype, word), cases in groupby(sorted(chosen, key=kind), kind):
        yield Program(f"{word}_of_{dtype}", tuple(cases))


def wrong(case: EdgeCase, actual: Any) -> list[str]:
    """Where a result is not the table's: to the bit where there is one right result, but for the sign and payload of a NaN."""
    if not case.exact:
        return htp.differences(actual, case.expected, case.result, 1)
    got, right = case.result.decode(actual), case.result.decode(case.expected)
    same = (actual == case.expected) if case.result.element.kind != "f" else _bits(got) == _bits(right)
    if case.result.element.kind == "f":
        same |= np.isnan(got) & np.isnan(right)
    operands = [case.dtype.decode(operand) for operand in case.operands]
    return [f"{[operand[at[0]].tolist() for operand in operands]} gives {got[tuple(at)]!r}, not {right[tuple(at)]!r}" for at in np.argwhere(~same)]


def _bits(data: Any) -> Any:
    return np.ascontiguousarray(data).view(f"u{data.dtype.itemsize}")
