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


def random_program(of: random.Random) -> str:
    """Loops over rows of `x`; each may sum up, take the largest, and store rows; what was summed up is used by what follows."""
    lines, known, accumulators, outputs, rows = [], ["w[:, :]"], [], [], []
    numbers = iter(range(99))
    for _ in range(of.randint(1, 3)):
        name = f"a{next(numbers)}"
        way = of.choice(("sum", "max", "min"))
        start = {"sum": f"zeros(f32, 1, {WIDTH})", "max": f"full(f32, -3.0, 1, {WIDTH})", "min": f"full(f32, 3.0, 1, {WIDTH})"}[way]
        accumulators.append((name, way))
        lines.append(f"    {name} = {start}\n")
    while accumulators or not rows:
        lines.append(f"    for i in tiles(M, {of.choice((4, 8, 16))}):\n        v = x[i, :] {of.choice('+-*')} {of.choice(known)}\n")
        if rows and of.random() < 0.4:
            lines.append(f"        v = v - {of.choice(rows)}[i, :]\n")
        taken = [accumulators.pop() for _ in range(min(len(accumulators), of.randint(0, 2)))]
        for name, way in taken:
            reduced = f"reduce_{way}(v, axis=0)"
            lines.append(f"        {name} = " + {"sum": f"{name} + {reduced}", "max": f"maximum({name}, {reduced})", "min": f"minimum({name}, {reduced})"}[way] + "\n")
        if not taken or of.random() < 0.5:
            target = f"y{next(numbers)}"
            rows.append(target)
            lines.append(f"        {target}[i, :] = v * 0.5\n")
        for name, _ in taken:
            known.append(name)
            if of.random() < 0.3:
                lines.append(f"    b{name} = {name} * 0.25\n")
                known.append(f"b{name}")
            if of.random() < 0.7:
                outputs.append(f"s{name}")
                lines.append(f"    s{name}[:, :] = {of.choice(known)} + {name}\n")
    parameters = ", ".join([f"{name}: {'InOut' if name in ''.join(lines).replace(f'{name}[i, :] =', '') else 'Out'}[Tensor[f32, M, {WIDTH}]]" for name in rows] + [f"{name}: Out[Tensor[f32, 1, {WIDTH}]]" for name in outputs])
    head = HEAD.replace("maximum, ", "maximum, minimum, ")
    return head + f"def program(x: In[Tensor[f32, M, {WIDTH}]], w: In[Tensor[f32, 1, {WIDTH}]], {parameters}) -> None:\n" + "".join(lines)


class Families(graphs_test.Graphs):
    def test_examples(self) -> None:
        """Those of the graphs' test are enough."""

    def computes(self, text: str, sizes: tuple[int, ...], name: str) -> None:
        """A compiled program's results are those of plain Python, within what sums of so many may differ."""
        done = self.compile(text, "--verify-each")
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        entry = entry_of(import_program(text, "program"))
        for rows in sizes:
            case = next(iter(cases(entry, edges=False, sizes={1: [(rows,)]})))
            arrays = {parameter.name: array for parameter, array in zip(entry.parameters, case.arrays)}
            wanted = {key: value.copy() for key, value in arrays.items()}
            entry(*wanted.values())
            given = {p.name: arrays[p.name] for p in entry.parameters if p.direction != "Out"}
            done = self.ran(**given)
            self.assertEqual(done.returncode, 0, f"{name} at {rows}: {done.stderr}")
            made = np.load(self.folder / "out.npz")
            for key in made.files:
                np.testing.assert_allclose(made[key], wanted[key], rtol=1e-4, atol=1e-3, err_msg=f"{name} at {rows}: {key}")

    def test_random_programs(self) -> None:
        for seed in range(PROGRAMS):
            with self.subTest(seed):
                self.computes(random_program(random.Random(seed)), (1, 37, 430), f"seed {seed}")
                self.holds(f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
