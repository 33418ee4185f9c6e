"""Random kernels with buffers: what the compiler says of them is held against running them. Accepted without a warning, a kernel reads
nothing of a buffer that it has not stored before, at any size; of a store that is said to be read by nothing, what is left out changes no result.

    random_buffers.py --host build/dev/bin/htp-host [--from 0] [--count 60]
"""

from __future__ import annotations

import argparse
import json
import random
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
from htp_tile import Tensor, buffer, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
'''
SIZES = [(1, 1), (1, 7), (7, 1), (3, 4), (8, 8), (9, 5), (12, 13)]


class Kernel:
    """One program, which begins with its buffers and ends with storing all of the output."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.names = 0
        self.tensors = ["y", *(f"b{k}" for k in range(self.rng.choice([1, 1, 2])))]

    def text(self) -> str:
        for buffer in self.tensors[1:]:
            self.line(1, f"{buffer} = buffer(f32, M, N)")
        for tensor in self.tensors:
            if self.rng.random() < 0.8:
                self.filled(1, tensor, [":", ":"])
        for _ in range(self.rng.randint(1, 4)):
            self.part(1, [":", ":"], 0)
        self.lines.append(f"    y[:, :] = {self.rng.choice(self.tensors)}[:, :]")
        return HEAD + "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def filled(self, depth: int, tensor: str, index: list[str]) -> None:
        """Most often all of it is stored, by loops over its dimensions, or over blocks of blocks."""
        rng = self.rng
        for d in rng.sample([0, 1], 2):
            while not index[d].startswith("n") and rng.random() < 0.5:
                self.names += 1
                over = "MN"[d] if index[d] == ":" else index[d]
                blocks = over in "MN" and rng.random() < 0.3
                index[d] = f"n{self.names}" if blocks else f"t{self.names}"
                self.line(depth, f"for {index[d]} in {f'range({over})' if blocks else f'tiles({over}, {rng.choice([1, 2, 3, 8])})'}:")
                depth += 1
        if rng.random() < 0.1:
            self.line(depth, "if M != 3:")
            depth += 1
        self.line(depth, f"{tensor}[{', '.join(index)}] = {rng.choice(['1.0', 'x[' + ', '.join(index) + ']'])}")

    def part(self, depth: int, index: list[str], loops: int) -> None:
        """A loop over a dimension, or over a block of one, around one to three parts; or a branch; or a store."""
        rng = self.rng
        dimensions = [d for d, how in enumerate(index) if how == ":" or how.startswith("t")]
        if dimensions and loops < 3 and rng.random() < (0.8 if loops == 0 else 0.4):
            d = rng.choice(dimensions)
            self.names += 1
            if index[d] != ":" or rng.random() < 0.7:
                name = f"t{self.names}"
                self.line(depth, f"for {name} in tiles({'MN'[d] if index[d] == ':' else index[d]}, {rng.choice([1, 2, 3, 4, 8])}):")
            else:
                name = f"n{self.names}"
                form = rng.choice(["range({0})"] * 4 + ["range(1, {0})", "range({0} - 1, -1, -1)", "range(min({0}, 6))"])
                self.line(depth, f"for {name} in {form.format('MN'[d])}:")
            for _ in range(rng.choice([1, 1, 2, 3])):
                self.part(depth + 1, [name if at == d else how for at, how in enumerate(index)], loops + 1)
        elif rng.random() < 0.15:
            ints = [how for how in index if how.startswith("n")] + ["M", "N"]
            self.line(depth, f"if {rng.choice(ints)} {rng.choice(['<', '!=', '=='])} {rng.choice([*ints, '3'])}:")
            self.store(depth + 1, index)
            if rng.random() < 0.5:
                self.line(depth, "else:")
                self.store(depth + 1, index)
        else:
            self.store(depth, index)

    def store(self, depth: int, index: list[str]) -> None:
        """Of what is read at the same place, or at all of a dimension that the loops around go over."""
        rng = self.rng
        words = [how if how == ":" or rng.random() < 0.85 else ":" for how in index]
        target = rng.choice(self.tensors)
        source = rng.choice(["1.0", "x", *self.tensors, *self.tensors])
        value = source if source == "1.0" else f"{source}[{', '.join(words)}] + 1.0"
        self.line(depth, f"{target}[{', '.join(words)}] = {value}")


def results(text: str, name: str) -> list[Any]:
    entry = entry_of(import_program(text, name))
    found = []
    for rows, columns in SIZES:
        x, y = np.ones((rows, columns), np.float32), np.zeros((rows, columns), np.float32)
        try:
            entry(x, y)
        except htp.HtpError as error:
            found.append(type(error).__name__)
            continue
        found.append(y)
    return found


def same(a: Any, b: Any) -> bool:
    return a == b if isinstance(a, str) or isinstance(b, str) else bool(np.array_equal(a, b, equal_nan=True))


def wrong(host: Path, folder: Path, seed: int) -> tuple[str, list[str]]:
    """What was said of one program (accepted, refused, open), and where that is wrong."""
    path = folder / f"k{seed}.py"
    text = Kernel(seed).text()
    path.write_text(text)
    done = subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "--json", "compile", path, "-o", folder / f"out{seed}"], capture_output=True, text=True)
    diagnostics = json.loads(done.stdout)["diagnostics"]
    all_of_it = results(text, path.stem)
    found = []
    for d in diagnostics:
        if d["code"] == "tile.dead-store":
            lines, at = text.splitlines(), d["place"]["line"] - 1
            lines[at] = lines[at][: len(lines[at]) - len(lines[at].lstrip())] + "pass"
            less = results("\n".join(lines) + "\n", path.stem)
            found += [f"what `{text.splitlines()[at].strip()}` stores is read at {size}" for size, a, b in zip(SIZES, all_of_it, less) if not same(a, b)]
    codes = {d["code"] for d in diagnostics}
    if codes & {"tile.unwritten-buffer", "tile.maybe-unwritten-buffer"}:
        return "refused" if done.returncode else "open", found
    if done.returncode != 0:
        return "refused", found
    for size, y in zip(SIZES, all_of_it):
        if not isinstance(y, str) and np.isnan(y).any():
            found.append(f"at {size} it reads what was not stored")
    return "accepted", found


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
    return 1 if failed or min(said.get("accepted", 0), said.get("refused", 0) + said.get("open", 0)) < given.count // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
