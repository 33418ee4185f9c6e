"""Random kernels whose loops are left by `break`, `continue` and `return`, and have an `else`, in every mix, in the kernel and in functions that
it calls: what the package computes is held against the same statements over NumPy arrays, without HTP, and against plain Python.

    random_flow.py --host build/dev/bin/htp-host [--from 0] [--count 4]
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp.testing import import_program

ROOT = Path(__file__).resolve().parents[2]
HEAD = '''"""A random kernel."""

import htp
from htp import In, InOut, i32
from htp_tile import Tensor, index, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
'''
FUNCTIONS = 6


class Flow:
    """One function's statements. `rows` and `columns` are the loop variables that index each dimension, `blocks` those of blocks of columns."""

    def __init__(self, rng: random.Random, valued: bool) -> None:
        self.rng, self.valued = rng, valued
        self.lines: list[str] = []
        self.names = 0
        self.rows: list[str] = ["0"]
        self.columns: list[str] = ["0"]
        self.blocks: list[str] = []
        self.left = 14 if valued else 30

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def condition(self) -> str:
        rng = self.rng
        row, column = rng.choice(self.rows), rng.choice(self.columns)
        simple = [
            f"index(x[{row}, {column}]) {rng.choice(['>', '<', '=='])} {rng.randint(-2, 6)}",
            f"c % {rng.randint(2, 4)} == {rng.randint(0, 1)}",
            f"{rng.choice(self.rows + self.columns)} {rng.choice(['==', '<', '>='])} {rng.randint(0, 3)}",
            f"N > {rng.randint(1, 5)}",
        ]
        one = rng.choice(simple)
        if rng.random() < 0.25:
            one = f"{one} {rng.choice(['and', 'or'])} {rng.choice(simple)}"
        return f"not ({one})" if rng.random() < 0.15 else one

    def work(self, depth: int) -> None:
        rng = self.rng
        match rng.randint(0, 3):
            case 0:
                self.line(depth, f"c += {rng.randint(1, 3)}")
            case 1 if self.blocks:
                self.line(depth, f"y[{rng.choice(self.rows)}, {rng.choice(self.blocks)}] += {rng.randint(1, 5)}")
            case 2:
                self.line(depth, f"c = c % 7 + {rng.choice(self.rows + self.columns)}")
            case _:
                self.line(depth, f"y[{rng.choice(self.rows)}, {rng.choice(self.columns)}] += c")

    def jump(self, depth: int, loops: int) -> bool:
        """A statement that leaves; whether there is one."""
        rng = self.rng
        kinds = ["break", "continue"] * 2 * (loops > 0) + ["return"] * (not self.valued or not loops)
        if not kinds:
            return False
        kind = rng.choice(kinds)
        if kind == "return" and self.valued:
            kind = f"return c + {rng.randint(0, 9)}"
        self.line(depth, kind)
        return True

    def block(self, depth: int, loops: int) -> bool:
        """Statements; whether the last one leaves on each way."""
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            self.left -= 1
            choice = rng.random()
            if choice < 0.35 or self.left < 0:
                self.work(depth)
            elif choice < 0.7 or depth > 6:
                self.branch(depth, loops)
            elif not self.valued:
                self.loop(depth, loops)
            else:
                self.branch(depth, loops)
        return rng.random() < 0.3 and depth > 1 and self.jump(depth, loops)

    def branch(self, depth: int, loops: int) -> None:
        rng = self.rng
        self.line(depth, f"if {self.condition()}:")
        kind = rng.random()
        if kind < 0.25:  # a name that both ways bind, one of which may leave
            bound = self.name("t")
            self.line(depth + 1, f"{bound} = {rng.randint(1, 3)}")
            self.line(depth + 1, f"if {self.condition()}:")
            self.work(depth + 2)
            self.jump(depth + 2, loops)
            self.line(depth, "else:")
            self.line(depth + 1, f"{bound} = c % 5")
            self.line(depth, f"c = c % 50 + {bound}")
            return
        if kind < 0.6:
            if rng.random() < 0.5:
                self.work(depth + 1)
            if not self.jump(depth + 1, loops):
                self.work(depth + 1)
        else:
            self.block(depth + 1, loops)
        if rng.random() < 0.35:
            self.line(depth, "else:")
            self.block(depth + 1, loops)

    def loop(self, depth: int, loops: int) -> None:
        rng = self.rng
        variable = self.name("v")
        kind = rng.randint(0, 5)
        around = (list(self.rows), list(self.columns), list(self.blocks))
        if kind == 0:
            self.line(depth, f"{variable} = 0")
            self.line(depth, f"while {variable} < {rng.randint(2, 5)}" + (f" and ({self.condition()}):" if rng.random() < 0.4 else ":"))
            self.line(depth + 1, f"{variable} += 1")
        elif kind == 1:
            self.line(depth, f"for {variable} in tiles(N, 3):")
            self.blocks.append(variable)
        else:
            dimension, into = (("M", self.rows), ("N", self.columns))[kind % 2]
            self.line(depth, f"for {variable} in range({rng.choice([dimension, f'{dimension} - 1, -1, -1', f'0, {dimension}, 2'])}):")
            into.append(variable)
        self.block(depth + 1, loops + 1)
        self.rows, self.columns, self.blocks = around
        if rng.random() < 0.25:
            self.line(depth, "else:")
            self.work(depth + 1)


def program(seed: int) -> tuple[str, str]:
    """Functions and a kernel that calls them: for HTP, and for NumPy alone."""
    rng = random.Random(seed)
    parts: list[tuple[str, list[str]]] = []
    for number in range(FUNCTIONS):
        valued = number == 0
        flow = Flow(rng, valued)
        flow.line(1, "c = 0" if not valued else "c = n % 9")
        flow.block(1, 0)
        if valued:
            flow.line(1, "return c")
        parts.append((f"f{number}", flow.lines))
    calls = [f"    n = f0(x, y, {rng.randint(0, 9)})", "    y[0, 0] += n"]
    calls += [f"    f{number}(x, y)" for number in range(1, FUNCTIONS)]
    flow = Flow(rng, False)
    flow.line(1, "c = 0")
    flow.block(1, 0)
    calls += flow.lines
    text = HEAD
    for name, lines in parts:
        text += f"\n\ndef {name}(x: Tensor[i32, M, N], y: Tensor[i32, M, N]" + (", n: int) -> int:\n" if name == "f0" else ") -> None:\n")
        text += "\n".join(lines) + "\n"
    kernel = "\n\n@kernel\ndef k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[i32, M, N]]) -> None:\n" + "\n".join(calls) + "\n"
    plain = text[len(HEAD) :].replace("Tensor[i32, M, N]", "object") + "\n\ndef k(x, y):\n" + "\n".join(calls) + "\n"
    return text + kernel, plain


def blocks(extent: int, size: int) -> list[slice]:
    return [slice(begin, min(begin + size, extent)) for begin in range(0, extent, size)]


def wrong(host: Path, folder: Path, seed: int) -> list[str]:
    text, plain = program(seed)
    path = folder / f"flow_{seed}.py"
    path.write_text(text)
    package = folder / f"flow_{seed}.htp"
    made = subprocess.run(
        [host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", path, "-o", package], capture_output=True, text=True, cwd=folder
    )
    if made.returncode:  # that a loop ends, or what a function returns, may be more than is looked at
        codes = set(re.findall(r"error\[([\w.-]+)\]", made.stderr))
        return [] if codes <= {"tile.endless", "tile.early-return"} else [f"is refused: {made.stderr[:600]}"]
    entry: Any = import_program(text, f"flow_{seed}").k
    rng = np.random.default_rng(seed)
    found = []
    with htp.bind(package) as run:
        for rows, columns in [(1, 1), (1, 6), (4, 1), (3, 5), (5, 8)]:
            x = rng.integers(-3, 8, (rows, columns)).astype(np.int32)
            y = rng.integers(0, 9, (rows, columns)).astype(np.int32)
            expected, python, native = y.copy(), y.copy(), y.copy()
            names: dict[str, Any] = {"M": rows, "N": columns, "index": int, "tiles": blocks}
            exec(plain, names)  # noqa: S102: what this file wrote
            names["k"](x, expected)
            entry(x, python)
            run(x, native)
            for what, result in (("plain Python", python), ("the package", native)):
                if not np.array_equal(expected, result):
                    found.append(f"at {rows} x {columns} {what} gives {result.tolist()}, and NumPy {expected.tolist()}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--count", type=int, default=4)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.start, given.start + given.count):
            if found := wrong(given.host.resolve(), Path(folder), seed):
                failed += 1
                print(f"FAILED seed {seed}", *found[:3], program(seed)[0], sep="\n    ")
    print(f"{given.count - failed} passed, {failed} failed, of {FUNCTIONS + 1} functions each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
