"""The tasks that each orchestration text makes wait for what they need, and for nothing else.

What a task needs follows from what it touches: the last stage is run under plain Python, and each kernel's loads and stores are noted. Of two tasks that touch
the same element, one of them writing, the later one in the program waits for the earlier one. What the texts make of it is what the verifier reads in them:
`build` reports it for all of them."""

from __future__ import annotations

import ast
import json
import operator
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np
from case import HEAD, ROOT, Case, ordered
from htp_pto import machine

sys.path[:0] = [str(ROOT / "tests/laws"), str(ROOT / "tests/support")]
from inputs import TASKS  # noqa: E402
from programs import cases, entry_of, import_program  # noqa: E402
from slices import taken  # noqa: E402

NAMES = (Path(__file__).parent / "programs.txt").read_text().split()
SIZES = {0: [()], 1: [(400,)], 2: [(130, 261)], 3: [(129, 70, 67)], 4: [(3, 40, 9, 20)]}
OWN = {"gemm_chain": [(150,)], "gemm_grid": [(150,)], "gemm_places": [(150,)], **{name: sizes[-1:] for name, sizes in TASKS.items()}, "axpy": [(20000,)], "attention": [(700, 3)], "gemm_i4": [(33, 37, 1)], "fused": [(2, 700, 3)], "rmsnorm_matmul_apart": [(2, 700, 3)]}
"""So large that there are several tasks of what has parts, and no larger: plain Python is at it for minutes."""
PROGRAMS = 25
KEPT = 16
"""Edges of a task that tensormap_and_ringbuffer of pto-runtime/2026-03 keeps: it drops others without a word."""
SLOWER = 1.03
"""How much longer than the fastest text any text's tasks may take, by the edges alone."""


class Touched:
    """What each task of a run touches: for each kernel, in the order of the program, tensors and the elements that it reads and writes."""

    def __init__(self, text: str) -> None:
        self.lines = sorted(node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.With))
        self.tasks: list[tuple[int, dict[int, list[tuple[tuple[tuple[int, int], ...], bool]]]]] = []
        self.alive: dict[int, Any] = {}

    def run(self, entry: Any, arrays: tuple[Any, ...], file: str) -> None:
        first, touch, value, gm = machine.Core.__post_init__, machine.Core.touch, machine.value, machine.gm
        noted = self

        def begins(core: machine.Core) -> None:
            first(core)
            frame = sys._getframe()
            while frame.f_code.co_filename != file:
                assert frame.f_back is not None
                frame = frame.f_back
            noted.tasks.append((noted.lines.index(frame.f_lineno), {}))

        def touches(core: machine.Core, pipe: str, instruction: str, touched: Any) -> None:
            every = list(touched)
            for region, writes in every:
                if isinstance(region.memory, int):
                    noted.tasks[-1][1].setdefault(region.memory, []).append((region.ranges, writes))
            touch(core, pipe, instruction, every)

        def reads(instruction: str, source: Any, index: tuple[int, ...]) -> int:
            if machine.core():
                at = tuple(operator.index(n) for n in index)
                noted.tasks[-1][1].setdefault(id(source), []).append((tuple((n, n + 1) for n in at), False))
            return value(instruction, source, index)

        def made(dtype: Any, extents: Any) -> Any:
            tensor = gm(dtype, extents)
            noted.alive[id(tensor)] = tensor
            return tensor

        machine.Core.__post_init__, machine.Core.touch, machine.value, machine.gm = begins, touches, reads, made  # type: ignore[method-assign]
        try:
            entry(*arrays)
        finally:
            machine.Core.__post_init__, machine.Core.touch, machine.value, machine.gm = first, touch, value, gm  # type: ignore[method-assign]

    def needs(self) -> np.ndarray:
        """Which task, by its row, touches what an earlier one, by its column, touches too, where one of them writes."""
        count = len(self.tasks)
        needed = np.zeros((count, count), bool)
        for memory in {memory for _, touched in self.tasks for memory in touched}:
            every = [ranges for _, touched in self.tasks for ranges, _ in touched.get(memory, [])]
            shape = tuple(max(ranges[d][1] for ranges in every) for d in range(len(every[0])))
            masks = np.zeros((2, count, *shape), np.float32)
            for task, (_, touched) in enumerate(self.tasks):
                for ranges, writes in touched.get(memory, []):
                    masks[(int(writes), task, *(slice(*range_) for range_ in ranges))] = 1
            read, written = masks.reshape(2, count, -1)
            met = written @ (read + written).T > 0
            needed |= met | met.T
        return np.tril(needed, -1)


def reached(edges: np.ndarray) -> np.ndarray:
    """What a task comes behind, by any way: edges lead to earlier tasks."""
    all_ways = edges.copy()
    for task in range(len(edges)):
        for earlier in np.flatnonzero(edges[task]):
            all_ways[task] |= all_ways[earlier]
    return all_ways


class Graphs(Case):
    def graphs(self, sizes: dict[str, int]) -> dict[str, dict[str, Any]]:
        """What the package's texts make, by their path; without a compiler, which nothing here runs."""
        compiler, profile = self.folder / "compiler", self.folder / "report.yaml"
        compiler.write_text("#!/bin/sh\necho none\n")
        compiler.chmod(0o755)
        chosen = " ".join(f"{name}={size}" for name, size in sizes.items())
        profile.write_text("htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: " + (chosen or '" "') + "\n")
        done = subprocess.run(
            [os.environ["HTP_HOST"], "--plugins", profile, "build", self.folder / "package", "--into", self.folder / "built"],
            capture_output=True,
            text=True,
            env={**os.environ, "CXX": str(compiler)},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads((self.folder / "built/report.json").read_text())
        return {graph["source"].removeprefix("orchestration/"): graph for graph in report["orchestrations"]}

    def holds(self, name: str, size: tuple[int, ...] | None = None) -> None:
        """Every text's edges are those of the program, and none takes longer than another by them."""
        stage = ordered(self.folder / "package") / "program.py"
        entry = entry_of(import_program(stage.read_text(), stage.parent.name))
        sizes = {len(size): [size]} if size else {len(OWN[entry.name][0]): OWN[entry.name]} if entry.name in OWN else SIZES
        case = next(iter(cases(entry, edges=False, sizes=sizes)))
        touched = Touched(stage.read_text())
        touched.run(entry, case.arrays, stage.parent.name)
        needed = touched.needs()
        ways = reached(needed)
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())["entry"]
        given = dict(part.split("=") for part in case.name.split(", ") if part)
        given |= {row["name"]: int(array) for row in registry["ints"] for p, array in zip(entry.parameters, case.arrays) if p.name == row["name"]}
        ends: dict[str, float] = {}
        families = sum(isinstance(node, ast.For) for function in ast.parse(stage.read_text()).body if isinstance(function, ast.FunctionDef) for node in function.body) or 1
        families += families and any(isinstance(node, ast.With) for function in ast.parse(stage.read_text()).body if isinstance(function, ast.FunctionDef) for node in function.body)
        for path, graph in self.graphs(given).items():
            order = {}  # by its number there: the task's number in the program
            seen: dict[int, int] = {}
            by_kernel: dict[int, list[int]] = {}
            for number, (kernel, _) in enumerate(touched.tasks):
                by_kernel.setdefault(kernel, []).append(number)
            for task in graph["tasks"]:
                turn = seen[task["func_id"]] = seen.get(task["func_id"], -1) + 1
                order[task["task"]] = by_kernel[task["func_id"]][turn]
            self.assertEqual(len(order), len(touched.tasks), f"{name}: {path}")
            edges = np.zeros_like(needed)
            for task in graph["tasks"]:
                for earlier in task["after"]:
                    edges[order[task["task"]], order[earlier]] = True
            self.assertFalse((needed & ~reached(edges)).any(), f"{name}: {path}: a task does not wait for what it needs")
            idle = np.array([not any(touches.values()) for _, touches in touched.tasks])  # behind the end of what there is to do
            # Where tasks of one family wait for all of another that runtime would drop edges, and its tasks follow one another.
            if path.endswith("2026-03/tensormap_and_ringbuffer.cpp"):
                self.assertLessEqual(max(len(task["after"]) for task in graph["tasks"]), KEPT, f"{name}: {path}")
                if families > 1:
                    continue
            extra = np.argwhere(edges & ~ways & ~idle & ~idle[:, None] & ~self.between_families(touched, ways))
            self.assertFalse(extra.size, f"{name}: {path}: {len(extra)} edges that the program lacks, such as {extra[:1].tolist()} of {len(order)} tasks")
            ends[path] = graph["cycles"]
        self.assertEqual(len(ends), 3 if families == 1 else 2)
        self.assertLessEqual(max(ends.values()), SLOWER * min(ends.values()), f"{name}: {ends}")

    def between_families(self, touched: Touched, ways: np.ndarray) -> np.ndarray:
        """Where a task of one family needs a task of another, each of its tasks may wait for all of these."""
        rows = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())["tasks"]
        group = [row.get("for", [{}])[0].get("part", "") for row in rows]
        kernels = np.array([kernel for kernel, _ in touched.tasks])
        between = np.zeros_like(ways)
        for later in range(len(rows)):
            for earlier in range(later):
                pair = np.ix_(kernels == later, kernels == earlier)
                between[pair] = group[later] != group[earlier] and ways[pair].any()
        return between

    def test_examples(self) -> None:
        for name in taken(NAMES):
            with self.subTest(name):
                self.example(name)
                self.holds(name)

    def test_random_programs(self) -> None:
        """Chains of products and sums over blocks of rows, which read and write tensors in any order."""
        for seed in range(PROGRAMS):
            with self.subTest(seed):
                done = self.compile(random_program(random.Random(seed)))
                if "a2a3.feeds-itself" in done.stderr:
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                self.holds(f"seed {seed}")


def random_program(of: random.Random) -> str:
    """One or two loops over blocks of rows; in each, products of what is loaded and what was made before, stored in any order to tensors that are both read and written."""
    width, rows = of.choice((16, 40, 64)), of.choice((8, 16, 32))
    names = [f"t{k}" for k in range(of.randint(2, 4))]
    lines, numbers, stored = [], iter(range(99)), set()
    for _ in range(of.randint(1, 2)):
        lines.append("    for i in tiles(M, ROWS):\n")
        values: list[str] = []
        open_names = set(names)
        targets = of.sample(names, of.randint(1, len(names)))
        while targets:
            operands = values[-2:] + [f"{name}[i, :]" for name in sorted(open_names)]
            a, b = of.choice(operands), of.choice(operands)
            value = f"matmul({a}, w[:, :])" if of.random() < 0.5 else f"{a} {of.choice('+-*')} {b}"
            values.append(f"v{next(numbers)}")
            lines.append(f"        {values[-1]} = {value}\n")
            if of.random() < 0.6 and len(values) > 1:
                target = targets.pop()
                open_names.discard(target)
                stored.add(target)
                lines.append(f"        {target}[i, :] = {of.choice(values)} * 0.25\n")
    parameters = "".join(f"{name}: {'InOut' if name in stored else 'In'}[Tensor[f32, M, {width}]], " for name in names)
    return HEAD.replace("\n\n\n@kernel", f"\nROWS = {rows}\n\n\n@kernel") + f"def program({parameters}w: In[Tensor[f32, {width}, {width}]]) -> None:\n" + "".join(lines)


if __name__ == "__main__":
    unittest.main()
