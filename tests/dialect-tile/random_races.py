"""Random parallel loops: what the compiler says of their iterations is held against running them. Those of a kernel that is accepted touch no place
twice, at any size that is tried; of one that is refused, two meet at the sizes that the message names. Of the rest, which run in order, it is
counted how many touch no place twice.

    random_races.py --host build/dev/bin/htp-host [--from 0] [--count 50]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import htp
import numpy as np
from htp.races import Race
from htp.testing import entry_of, import_program

ROOT = Path(__file__).resolve().parents[2]
HEAD = '''"""A random parallel loop."""

import htp
from htp import InOut, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(y: InOut[Tensor[f32, 6 * M + 60]], z: InOut[Tensor[f32, 3 * M + 60, N + 6]], s: int) -> None:
'''
SIZES = [(1, 1), (2, 3), (5, 2), (8, 8), (11, 4)]


class Loop:
    """One program with one parallel loop, `p`; `ints` are the ints at hand, and `blocks` the blocks."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.around = self.rng.random() < 0.3
        self.stride = self.rng.choice([1, 2, 3, 4])

    def text(self) -> str:
        rng = self.rng
        depth, ints, blocks = 1, ["s"], []
        self.line(1, "y[0] = 0.0")
        self.line(1, "z[0, 0] = 0.0")
        if self.around:
            self.line(depth, "for o in range(3):")
            depth, ints = 2, [*ints, "o"]
        if rng.random() < 0.7:
            self.line(depth, f"for p in htp.parallel({rng.choice(['range(M)'] * 3 + ['range(1, M)', 'range(0, M, 2)', 'range(M - 1, -1, -1)', 'range(4)'])}):")
            ints = [*ints, "p", "p", "p"]
        else:
            self.line(depth, f"for p in htp.parallel(tiles(M, {rng.choice([1, 2, 3, 4])})):")
            ints, blocks = [*ints, "p.start"], ["p"]
        self.body(depth + 1, ints, blocks, rng.randint(0, 2))
        return HEAD + "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def body(self, depth: int, ints: list[str], blocks: list[str], statements: int) -> None:
        rng = self.rng
        for _ in range(statements):
            form = rng.random()
            name = f"q{len(self.lines)}"
            if form < 0.2 and depth < 5:
                low, high = rng.choice([("0", "3"), ("0", "2"), ("0", "N"), ("0", rng.choice(ints)), (rng.choice(ints), "M")])
                self.line(depth, f"for {name} in range({low}, {high}):")
                self.body(depth + 1, [*ints, name, name], blocks, rng.randint(1, 2))
            elif form < 0.3 and depth < 5 and blocks:
                self.line(depth, f"for {name} in tiles({rng.choice(blocks)}, 2):")
                self.body(depth + 1, [*ints, f"{name}.start"], [*blocks, name, name], 1)
            elif form < 0.45 and depth < 5:
                a, b = rng.choice(ints), rng.choice([*ints, "M", "2", "M - 1"])
                self.line(depth, f"if {a} {rng.choice(['<', '<=', '!=', '==', '>='])} {b}:")
                self.body(depth + 1, ints, blocks, 1)
                if rng.random() < 0.5:
                    self.line(depth, "else:")
                    self.body(depth + 1, ints, blocks, 1)
            elif form < 0.55:
                self.line(depth, f"{name} = {self.affine(ints)}")
                ints = [*ints, name]
            else:
                self.touch(depth, ints, blocks)
        self.touch(depth, ints, blocks)

    def affine(self, ints: list[str]) -> str:
        rng = self.rng
        a = rng.choice(ints)
        return rng.choice([a, f"2 * {a}", f"2 * {a} + 1", f"3 * {a} + {rng.choice(ints)}", f"{a} + {rng.choice(ints)}", f"{a} // 2", f"{a} % 3", f"{a} + M", f"{a} - 1", f"M - {a}", f"{a} * N"])

    def place(self, ints: list[str], blocks: list[str]) -> str:
        rng = self.rng
        own = rng.randrange(self.stride)
        if rng.random() < 0.75:  # a way that keeps iterations apart, unless something else gets there
            if blocks:
                return f"{rng.choice(blocks)} * {self.stride} + {own}"
            return rng.choice([f"{self.stride} * p + {own}"] * 3 + [f"{self.stride} * p : {self.stride} * p + {self.stride}", f"{self.stride} * (M - p) + {own}"])
        if blocks and rng.random() < 0.6:
            block = rng.choice(blocks)
            return rng.choice([f"{block} + 2", f"{block} * 2", f"{block} * 2 + 1", f"{block} + M", f"{block} + 1"])
        at = self.affine(ints)
        return rng.choice([at] * 3 + [f"{at} : {at} + 2", f"2 * ({at}) : 2 * ({at}) + 2"])

    def touch(self, depth: int, ints: list[str], blocks: list[str]) -> None:
        rng = self.rng
        at = self.place(ints, blocks)
        if rng.random() < 0.65:
            self.line(depth, f"y[{at}] = 1.0" if rng.random() < 0.6 else f"z[{at}, {rng.choice([':', '0', rng.choice(ints)])}] = 1.0")
        else:
            self.line(depth, f"{f't{len(self.lines)}'} = {rng.choice(['y', 'y', 'z'])}[{at}]".replace("= z[" + at, f"= z[{at}, {rng.choice([':', '1'])}"))


def wrong(host: Path, folder: Path, seed: int) -> tuple[str, list[str]]:
    """What was said of one program, and where that is wrong."""
    path = folder / f"k{seed}.py"
    path.write_text(Loop(seed).text())
    done = subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "--json", "compile", path, "-o", folder / f"out{seed}"], capture_output=True, text=True)
    entry = entry_of(import_program(path.read_text(), path.stem))
    diagnostics = json.loads(done.stdout)["diagnostics"]
    codes = {d["code"]: d["message"] for d in diagnostics}
    if message := codes.get("tile.same-element", codes.get("tile.reads-written", codes.get("tile.carried", codes.get("tile.escapes")))):
        sizes = {name: int(size) for name, size in re.findall(r"\b([MNs]) = (-?\d+)", message.partition(" when ")[2])}
        met = _races(entry, sizes.get("M", 1), sizes.get("N", 1), sizes.get("s", 0))
        return "refused", [] if met is None or met else [message]
    if done.returncode != 0:
        return "no program", [] if set(codes) & {"tile.outside", "tile.index-range", "tile.bad-slice"} else [done.stdout]
    runs = [_races(entry, rows, columns, s) for rows, columns in SIZES for s in (0, 1, 3)]
    found = [str(met[0]) for met in runs if met]
    if "tile.maybe-dependent-iterations" in codes:
        return "in order" if found else "in order, without need", []
    return "accepted", found


def _races(entry: htp.Entry, rows: int, columns: int, s: int) -> list[Race] | None:
    """What meets in a call; nothing when an index goes outside, where the program stops."""
    try:
        return entry.races(np.zeros(6 * rows + 60, np.float32), np.zeros((3 * rows + 60, columns + 6), np.float32), s)
    except htp.HtpError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--count", type=int, default=50)
    given = parser.parse_args()
    said: dict[str, int] = {}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.start, given.start + given.count):
            answer, found = wrong(given.host.resolve(), Path(folder), seed)
            said[answer] = said.get(answer, 0) + 1
            if found:
                failed += 1
                print(f"FAILED seed {seed}, {answer}", *found[:4], Loop(seed).text(), sep="\n    ")
    print(f"{given.count - failed} passed, {failed} failed;", ", ".join(f"{count} {answer}" for answer, count in sorted(said.items())))
    return 1 if failed or min(said.get("accepted", 0), said.get("refused", 0)) < given.count // 12 else 0


if __name__ == "__main__":
    sys.exit(main())
