"""Loops of few rounds: MLIR-AIE v1.0's compiler loses its place behind a loop of fifos that it unrolls whole, so none is left to it; every version computes the same.

    HTP_SEED=N takes other programs.
"""

from __future__ import annotations

import math
import os
import random
import re
import shutil
import unittest

import numpy as np
import sized
from case import PIPELINE, Case, host, plain

N = 16


def program(rounds: list[int], capacity: int, both: bool) -> str:
    """A producer and a consumer whose loops go `rounds` times each, one behind the other; `both`: two channels meet, of different capacities."""
    channels = f"    rows = channel(f32, 1, {N}, capacity={capacity})\n" + (f"    more = channel(f32, 1, {N}, capacity={capacity + 1})\n" if both else "")
    put = "            rows.put(x[m + {first}, :] * {k}.5)\n" + ("            more.put(x[m + {first}, :] + {k}.0)\n" if both else "")
    get = "            c = rows.get()\n            y[m + {first}, :] = c + {k}.0" + (" + more.get()\n" if both else "\n")
    firsts = [sum(rounds[:k]) for k in range(len(rounds))]

    def loops(body: str) -> str:
        return "".join(f"        for m in range({times}):\n" + body.format(first=first, k=k + 1) for k, (times, first) in enumerate(zip(rounds, firsts)))

    signature = f"x: In[Tensor[f32, {sum(rounds)}, {N}]], y: Out[Tensor[f32, {sum(rounds)}, {N}]]"
    return f"{PIPELINE}def program({signature}) -> None:\n{channels}\n    @process\n    def first() -> None:\n{loops(put)}\n    @process\n    def second() -> None:\n{loops(get)}"


def expected(x: np.ndarray, rounds: list[int], both: bool) -> np.ndarray:
    parts, at = [], 0
    for k, times in enumerate(rounds):
        part = x[at : at + times]
        parts.append(part * np.float32(k + 1.5) + np.float32(k + 1) + (part + np.float32(k + 1) if both else np.float32(0)))
        at += times
    return np.concatenate(parts)


def loops_of_fifos(text: str) -> list[tuple[int, list[int]]]:
    """Of each loop of a module that acquires: how often it goes round, and the depths of these fifos. The loop of all calls is none of them."""
    depths = {name: int(depth) for name, depth in re.findall(r"aie\.objectfifo @(\w+)\(.*?, (\d+) : i32\)", text)}
    depths |= {name: int(depth) for name, depth in re.findall(r"aie\.objectfifo @(\w+)\(.*?, \[(?:\d+, )*(\d+)\]\)", text)}
    found: list[tuple[int, list[int]]] = []
    around: list[tuple[int, list[int]] | None] = []
    for line in text.splitlines():
        line = line.strip()
        if line == "}" or line.startswith("} "):
            loop = around.pop()
            if loop is not None and loop[1]:
                found.append(loop)
        elif acquired := re.search(r"objectfifo\.acquire @(\w+)", line):
            if around and around[-1] is not None:
                around[-1][1].append(depths[acquired[1]])
        if line.endswith("{"):
            loop_line = re.match(r"scf\.for %\w+ = %c0 to %c(\d+) step %c1 \{", line)
            around.append((int(loop_line[1]), []) if loop_line else None)
    return found


class Rounds(Case):
    def seeded(self) -> list[tuple[list[int], int, bool]]:
        pick = random.Random(int(os.environ.get("HTP_SEED", "1")))
        fixed = [([5, 2], 2, False), ([4, 3], 2, False), ([1, 1], 1, False), ([7, 8], 3, False)]  # on v1.0, the first two and the last ended it
        return fixed + [([pick.randint(1, 9) for _ in range(pick.randint(1, 3))], pick.randint(1, 4), pick.random() < 0.4) for _ in range(6)]

    def none_short(self, loops: list[tuple[int, list[int]]]) -> None:
        for times, depths in loops:
            factor = math.lcm(*depths)
            self.assertGreaterEqual(times, 2 * factor)
            self.assertLess(times % factor, 2)

    def test_no_loop_of_any_program_is(self) -> None:
        for name, *sizes in sized.rows():
            for device in ("npu1", "npu2"):
                with self.subTest(name, sizes=sizes, device=device):
                    done = self.compile(sized.sized(name, sizes, self.folder), profile=self.profile(pass_options={"device": device}))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.none_short(loops_of_fifos(plain(self.folder / "package")))
                    shutil.rmtree(self.folder / "package")

    def test_no_loop_of_v1_is_unrolled_whole(self) -> None:
        short = 0
        for rounds, capacity, both in self.seeded():
            with self.subTest(rounds=rounds, capacity=capacity, both=both):
                counts = {}
                for version in ("2408", "v1.0", "2608"):
                    done = self.compile(program(rounds, capacity, both), profile=self.profile(mlir_aie=f'"{version}"'))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    counts[version] = loops_of_fifos(plain(self.folder / "package"))
                    shutil.rmtree(self.folder / "package")
                self.none_short(counts["v1.0"])
                self.assertEqual(counts["2408"], counts["2608"])
                short += len(counts["v1.0"]) < len(counts["2408"])
        self.assertGreater(short, 4)

    def test_what_is_written_out_computes_the_same(self) -> None:
        for rounds, capacity, both in self.seeded():
            with self.subTest(rounds=rounds, capacity=capacity, both=both):
                done = self.compile(program(rounds, capacity, both), "--verify-each")
                self.assertEqual(done.returncode, 0, done.stderr)
                x = np.random.default_rng(7).standard_normal((sum(rounds), N), dtype=np.float32)
                np.savez(self.folder / "in.npz", x=x)
                done = host("run", self.folder / "package", "--inputs", self.folder / "in.npz", "--outputs", self.folder / "out.npz", "-q")
                self.assertEqual(done.returncode, 0, done.stderr)
                np.testing.assert_allclose(np.load(self.folder / "out.npz")["y"], expected(x, rounds, both), rtol=1e-6, atol=1e-6)
                shutil.rmtree(self.folder / "package")


if __name__ == "__main__":
    unittest.main()
