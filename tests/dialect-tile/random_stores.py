"""Random kernels that store: what the compiler proves of their outputs is held against running them. Accepted without a warning, a kernel
writes every element at every size; refused, it leaves out the very element that the message names, at the sizes that it names.

    random_stores.py --host build/dev/bin/htp-host [--from 0] [--count 60]
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
from typing import Any

import htp
import numpy as np
from htp.testing import entry_of, import_program

ROOT = Path(__file__).resolve().parents[2]
HEAD = '''"""A random kernel."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
'''
SIZES = [(1, 1), (1, 7), (7, 1), (3, 4), (8, 8), (9, 5), (12, 13), (17, 16), (4, 19)]


class Kernel:
    """One program; `rows` and `columns` are what indexes each dimension where a statement stands."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.names = 0

    def text(self) -> str:
        for _ in range(self.rng.randint(1, 2)):
            self.loops(1, ["M", "N"])
        return HEAD + "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def loops(self, depth: int, index: list[str]) -> None:
        """A loop over a dimension, or over what is left of it, and so on; then a store, perhaps in branches."""
        rng = self.rng
        open_dimensions = [d for d, how in enumerate(index) if how in ("M", "N") or how.startswith("b")]
        if open_dimensions and depth < 5 and rng.random() < 0.75:
            d = rng.choice(open_dimensions)
            self.names += 1
            if index[d].startswith("b") or rng.random() < 0.5:
                name = f"b{self.names}"
                self.line(depth, f"for {name} in tiles({index[d]}, {rng.choice([1, 2, 3, 4, 5, 8])}):")
            else:
                name, dim = f"n{self.names}", index[d]
                stop = rng.choice([dim] * 4 + [f"{dim} - 1", f"{dim} // 2", f"min({dim}, 6)"])
                form = rng.choice(["range({stop})"] * 4 + ["range(1, {stop})", "range(0, {stop}, 2)", "range({stop} - 1, -1, -1)"])
                self.line(depth, f"for {name} in {form.format(stop=stop)}:")
            return self.loops(depth + 1, [name if at == d else how for at, how in enumerate(index)])
        if depth < 6 and rng.random() < 0.3:
            ints = [how for how in index if how.startswith("n")] + ["M", "N"]
            a, b = rng.choice(ints), rng.choice([*ints, "3", "8"])
            square = f" * {rng.choice(ints)}" if rng.random() < 0.4 else ""  # of which is not known when it holds
            self.line(depth, f"if {a}{square} {rng.choice(['<', '<=', '!=', '==', '>='])} {b}:")
            self.branch(depth + 1, index)
            if rng.random() < 0.7:
                self.line(depth, "else:")
                self.branch(depth + 1, index)
            return None
        return self.store(depth, index)

    def branch(self, depth: int, index: list[str]) -> None:
        if self.rng.random() < 0.3:
            return self.loops(depth, index)
        self.store(depth, index)
        return None

    def store(self, depth: int, index: list[str]) -> None:
        words = []
        for how, dim in zip(index, "MN"):
            form = self.rng.random()
            words.append(":" if how in "MN" else f"{dim} - 1 - {how}" if how.startswith("n") and form < 0.2 else how)
        self.line(depth, f"y[{', '.join(words)}] = 1.0")


def wrong(host: Path, folder: Path, seed: int) -> tuple[str, list[str]]:
    """What was said of one program (proved, refused, open), and where that is wrong."""
    path = folder / f"k{seed}.py"
    path.write_text(Kernel(seed).text())
    done = subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "--json", "compile", path, "-o", folder / f"out{seed}"], capture_output=True, text=True)
    entry = entry_of(import_program(path.read_text(), path.stem))
    diagnostics = json.loads(done.stdout)["diagnostics"]
    for d in diagnostics:
        at = re.search(r"not written at \[(\d+), (\d+)\]", d["message"])
        if d["code"] == "tile.unwritten-output" and at:
            sizes = {dim: int(size) for dim, size in re.findall(r"([MN]) = (\d+)", d["message"])}
            left = _left(entry, sizes.get("M", 1), sizes.get("N", 1))
            return "refused", [] if left is None or left[int(at[1]), int(at[2])] else [d["message"]]
    if done.returncode != 0:
        return "refused", [] if any(d["code"] in ("tile.outside", "tile.index-range") for d in diagnostics) else [done.stdout]
    if any(d["code"] in ("tile.maybe-unwritten", "tile.unwritten-empty") for d in diagnostics):
        return "open", []
    found = []
    for rows, columns in SIZES:
        left = _left(entry, rows, columns)
        if left is not None and left.any():
            found.append(f"at M={rows}, N={columns} {int(left.sum())} elements are left out")
    return "proved", found


def _left(entry: htp.Entry, rows: int, columns: int) -> Any:
    """A mask of what a call leaves unwritten; nothing when an index goes outside, where the program stops."""
    arrays = [np.zeros((rows, columns), np.float32) for _ in range(2)]
    try:
        return entry.unwritten(*arrays)["y"]
    except htp.HtpError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--count", type=int, default=60)
    given = parser.parse_args()
    said: dict[str, int] = {}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.start, given.start + given.count):
            answer, found = wrong(given.host.resolve(), Path(folder), seed)
            said[answer] = said.get(answer, 0) + 1
            if found:
                failed += 1
                print(f"FAILED seed {seed}, {answer}", *found[:4], Kernel(seed).text(), sep="\n    ")
    print(f"{given.count - failed} passed, {failed} failed;", ", ".join(f"{count} {answer}" for answer, count in sorted(said.items())))
    return 1 if failed or min(said.get("proved", 0), said.get("refused", 0)) < given.count // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
