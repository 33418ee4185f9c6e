"""Loops one after the other are families of tasks, and what a loop sums up over its blocks each task sums up for its part: by hand, and on random programs, whose
results are held against plain Python and whose edges against what their tasks touch."""

from __future__ import annotations

import random
import unittest

import graphs_test
import numpy as np
from case import HEAD
from programs import cases, entry_of, import_program

PROGRAMS = 10
WIDTH = 40
OF_TWO_SIZES = HEAD.replace("\n\n\n@kernel", '\nK = htp.dim("K")\n\n\n@kernel')
SIZES = ((0, 64), (0, 400), (5, 130), (300, 40))
"""Of K and M: loops over K, or over fewer, go round no times for some of them."""
BETWEEN = """def program(x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, K, 64]], t: InOut[Tensor[f32, M, 64]], u: InOut[Tensor[f32, K, 64]], y: InOut[Tensor[f32, M, 64]]) -> None:
    for i in tiles(M, 16):
        t[i, :] = x[i, :] * 2.0
    for k in tiles(EXTENT, 16):
        u[k, :] = w[k, :] * t[0, :]
    for j in tiles(M, 32):
        if EXTENT > 0:
            y[j, :] = t[j, :] + u[0, :]
        else:
            y[j, :] = t[j, :] * 3.0
"""


def random_program(of: random.Random) -> str:
    """Loops over rows of `x`, or of `z`, of which there may be none; each may sum up, take the largest, and store rows; what was summed up is used by what follows."""
    lines, known, accumulators, outputs, rows = [], ["w[:, :]"], [], [], []
    numbers = iter(range(99))
    for _ in range(of.randint(1, 3)):
        name = f"a{next(numbers)}"
        way = of.choice(("sum", "max", "min"))
        start = {"sum": f"zeros(f32, 1, {WIDTH})", "max": f"full(f32, -3.0, 1, {WIDTH})", "min": f"full(f32, 3.0, 1, {WIDTH})"}[way]
        accumulators.append((name, way))
        lines.append(f"    {name} = {start}\n")
    while accumulators or not rows:
        extent = of.choice("MMK")
        lines.append(f"    for i in tiles({extent}, {of.choice((4, 8, 16))}):\n        v = {'x' if extent == 'M' else 'z'}[i, :] {of.choice('+-*')} {of.choice(known)}\n")
        own = [name for name, of_rows in rows if of_rows == extent]
        if own and of.random() < 0.4:
            lines.append(f"        v = v - {of.choice(own)}[i, :]\n")
        taken = [accumulators.pop() for _ in range(min(len(accumulators), of.randint(0, 2)))]
        for name, way in taken:
            reduced = f"reduce_{way}(v, axis=0)"
            lines.append(f"        {name} = " + {"sum": f"{name} + {reduced}", "max": f"maximum({name}, {reduced})", "min": f"minimum({name}, {reduced})"}[way] + "\n")
        if not taken or of.random() < 0.5:
            target = f"y{next(numbers)}"
            rows.append((target, extent))
            lines.append(f"        {target}[i, :] = v * 0.5\n")
        for name, _ in taken:
            known.append(name)
            if of.random() < 0.3:
                lines.append(f"    b{name} = {name} * 0.25\n")
                known.append(f"b{name}")
            if of.random() < 0.7:
                outputs.append(f"s{name}")
                lines.append(f"    s{name}[:, :] = {of.choice(known)} + {name}\n")
    parameters = ", ".join([f"{name}: {'InOut' if name in ''.join(lines).replace(f'{name}[i, :] =', '') else 'Out'}[Tensor[f32, {extent}, {WIDTH}]]" for name, extent in rows] + [f"{name}: Out[Tensor[f32, 1, {WIDTH}]]" for name in outputs])
    head = OF_TWO_SIZES.replace("maximum, ", "maximum, minimum, ")
    return head + f"def program(x: In[Tensor[f32, M, {WIDTH}]], z: In[Tensor[f32, K, {WIDTH}]], w: In[Tensor[f32, 1, {WIDTH}]], {parameters}) -> None:\n" + "".join(lines)


def random_overwriting(of: random.Random) -> str:
    """Loops over M, K or fewer, which read and write the same tensors over and over: what one needs of another it needs by way of a third too, where that has tasks."""
    names = {"M": ("x0", "x1"), "K": ("u0",)}
    lines = []
    for extent in ("M", of.choice(("K", "K - 8")), *of.choices(("M", "M", "K", "K - 8"), k=3)):
        own, other = names[extent[0]], names["K" if extent == "M" else "M"]
        target, source, beside = of.choice(own), of.choice(own), of.choice(other)
        lines.append(f"    for i in tiles({extent}, {of.choice((8, 16, 32))}):\n")
        first, second = f"{target}[i, :] = {source}[i, :] * 0.5 + {beside}[0, :] * 0.25\n", f"{target}[i, :] = {source}[i, :] * 0.5\n"
        if extent != "M":
            lines.append(f"        {first}")
        elif of.random() < 0.5:
            lines.append(f"        if K > 0:\n            {first}        else:\n            {second}")
        else:
            lines.append(f"        {second}")
    text = "".join(lines)
    parameters = [f"{name}: {'InOut' if f'{name}[i, :] =' in text else 'In'}[Tensor[f32, {extent}, {WIDTH}]]" for extent in names for name in names[extent]]
    return OF_TWO_SIZES + f"def program({', '.join(parameters)}) -> None:\n" + text


class Families(graphs_test.Graphs):
    def test_examples(self) -> None:
        """Those of the graphs' test are enough."""

    def computes(self, text: str, sizes: tuple[tuple[int, ...], ...], name: str) -> None:
        """A compiled program's results are those of plain Python, within what sums of so many may differ."""
        done = self.compile(text, "--verify-each")
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        entry = entry_of(import_program(text, "program"))
        for size in sizes:
            case = next(iter(cases(entry, edges=False, sizes={len(size): [size]})))
            arrays = {parameter.name: array for parameter, array in zip(entry.parameters, case.arrays)}
            wanted = {key: value.copy() for key, value in arrays.items()}
            entry(*wanted.values())
            given = {p.name: arrays[p.name] for p in entry.parameters if p.direction != "Out"}
            done = self.ran(**given)
            self.assertEqual(done.returncode, 0, f"{name} at {size}: {done.stderr}")
            made = np.load(self.folder / "out.npz")
            for key in made.files:
                np.testing.assert_allclose(made[key], wanted[key], rtol=1e-4, atol=1e-3, err_msg=f"{name} at {size}: {key}")

    def test_random_programs(self) -> None:
        for seed in range(PROGRAMS):
            with self.subTest(seed):
                self.computes(random_program(random.Random(seed)), ((0, 37), (37, 1), (50, 430)), f"seed {seed}")
                self.holds(f"seed {seed}", (0, 400))
                self.holds(f"seed {seed}", (130, 261))

    def orders(self, text: str, name: str) -> None:
        """A program of M and K computes what plain Python does, and its tasks are ordered, where loops over K go round no times too."""
        self.computes(text, SIZES, name)
        for size in SIZES:
            self.holds(f"{name} at {size}", size)

    def test_families_without_tasks(self) -> None:
        """A loop that goes round no times does not order those before and behind it."""
        for extent in ("K", "K - 40"):
            with self.subTest(extent):
                self.orders(OF_TWO_SIZES + BETWEEN.replace("EXTENT", extent), extent)

    def test_random_overwriting(self) -> None:
        for seed in range(PROGRAMS):
            with self.subTest(seed):
                self.orders(random_overwriting(random.Random(seed)), f"seed {seed}")

    def test_loops_without_rounds(self) -> None:
        """What stands before and behind a loop is in order where the data says that it goes round no times."""
        text = HEAD + """def program(x: In[Tensor[f32, M, 64]], n: In[Tensor[i32, 1]], w: In[Tensor[f32, 1, 64]], s: Out[Tensor[f32, 1, 64]]) -> None:
    v = w[:, :]
    a = zeros(f32, 1, 64)
    for k in range(index(n[0])):
        a = a + x[k, :]
    s[:, :] = a + v
"""
        self.assertEqual(self.compile(text).returncode, 0)
        x, w = np.random.default_rng(0).standard_normal((2, 37, 64)).astype(np.float32)
        for rounds in (0, 1, 5):
            done = self.ran(x=x, n=np.array([rounds], np.int32), w=w[:1])
            self.assertEqual(done.returncode, 0, done.stderr)
            np.testing.assert_allclose(np.load(self.folder / "out.npz")["s"], x[:rounds].sum(axis=0, keepdims=True) + w[:1], rtol=1e-4, atol=1e-3)

    def test_what_lies_between_is_enough(self) -> None:
        """Where a loop between two goes round whenever they do, the later one waits for that alone."""
        self.assertEqual(self.compile(HEAD + BETWEEN.split("\n", 1)[0].replace("K,", "M,") + BETWEEN[BETWEEN.index("\n"):].replace("if EXTENT > 0:", "if M > 0:").replace("EXTENT", "M")).returncode, 0)
        for path in ("pto-runtime-2026-03/host_build_graph.cpp", "simpler-2026-08/orchestration.cpp"):
            text = (self.folder / "package/codegen/a2a3/orchestration" / path).read_text()
            self.assertEqual(text.count("task_1[n]"), 1, text)


if __name__ == "__main__":
    unittest.main()
