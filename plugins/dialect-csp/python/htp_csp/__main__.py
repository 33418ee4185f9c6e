"""Runs a pipeline of a program in plain Python, in an order that is given: how a deadlock that the compiler tells is replayed.

    python3 -m htp_csp PROGRAM.py PIPELINE M=2 N=3 --order 'load*2 cell[0,1] store'

Sizes that are not named are 1; inputs are random. The order's processes make a move each, `load*2` two; behind it they go on as always.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from htp import HtpError
from htp.dims import gives
from htp.testing import cases, import_program
from htp_csp.pipelines import Pipeline
from htp_csp.scheduler import following


def moves(order: str) -> list[str]:
    """`load*2 cell[0,1]`: load, load, cell[0, 1]"""
    found = []
    for move in order.split():
        name, _, times = move.partition("*")
        if times and not times.isdecimal():
            raise HtpError(f"`{move}` is no process and how often it moves: `load*2`")
        found += [name.replace(",", ", ")] * int(times or 1)
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m htp_csp", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("pipeline")
    parser.add_argument("sizes", nargs="*", metavar="NAME=SIZE")
    parser.add_argument("--order", default="", help="processes, each for one move: 'load*2 store'")
    given = parser.parse_args(arguments)
    sys.path.insert(0, str(given.program.resolve().parent))
    try:
        module = import_program(given.program.read_text(), str(given.program))
        pipeline = getattr(module, given.pipeline, None)
        if not isinstance(pipeline, Pipeline):
            there = ", ".join(f"`{name}`" for name, value in vars(module).items() if isinstance(value, Pipeline))
            raise HtpError(f"{given.program} has no pipeline `{given.pipeline}`: it has {there or 'none'}")
        names = sorted({found[0] for parameter in pipeline.parameters for extent in parameter.type.extents if (found := gives(extent))})
        sizes = dict.fromkeys(names, 1)
        for size in given.sizes:
            match = re.fullmatch(r"(\w+)=([1-9]\d*)", size)
            if match is None or match[1] not in sizes:
                raise HtpError(f"`{size}` is no size of `{given.pipeline}`: {' '.join(f'{name}=1' for name in names) or 'it has none'}")
            sizes[match[1]] = int(match[2])
        (case,) = cases(pipeline, edges=False, sizes={len(names): [tuple(sizes.values())]})
        with following(moves(given.order)):
            pipeline(*case.fresh(pipeline))
    except (HtpError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"`{given.pipeline}` comes to its end at {', '.join(f'{name} = {size}' for name, size in sizes.items()) or 'any size'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
