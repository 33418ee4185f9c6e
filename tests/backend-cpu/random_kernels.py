"""Random kernels against the interpreter: the last stage under plain Python, and the built package, give what the program as
written gives. What fails is left beside its seed.

    random_kernels.py --host build/dev/bin/htp-host [--from 0] [--count 20] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "laws"))

import driver
import law2
import law5
from programs import cases, entry_of, import_program, outcomes, stages_of

Shape = tuple[str, ...]

HEAD = '''"""A random kernel."""

import htp
from htp import In, InOut, Out, f16, f32, f64, i32
from htp_tile import (
    Tensor, absolute, argmax, argmin, argsort, cast, full, gather, kernel, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, scan_max,
    scan_sum, sigmoid, sort, tanh, tiles, transpose, where,
)

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(
    x0: In[Tensor[{d}, M, N]], x1: In[Tensor[{d}, M, N]], v: In[Tensor[{d}, 1, N]], u: In[Tensor[{d}, M, 1]],
    io: InOut[Tensor[{d}, M, N]], sq: InOut[Tensor[{d}, M, M]],
    y: Out[Tensor[{d}, M, N]], r: Out[Tensor[{d}, M, 1]], cs: Out[Tensor[{d}, 1, N]],
) -> None:
'''


def joined(a: Shape, b: Shape) -> Shape | None:
    """The shape two tiles broadcast to."""
    if any(p != q and "1" not in (p, q) for p, q in zip(a, b)):
        return None
    return tuple(q if p == "1" else p for p, q in zip(a, b))


def index(extent: str) -> str:
    return ":" if extent in ("M", "N") else extent


class Kernel:
    """One random program; `env` maps a tile's name to its shape, `mutable` are names that later statements bind again."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.dtype = self.rng.choice(["f32", "f32", "f64", "i32", "f16"])
        self.lines: list[str] = []
        self.depth = 1
        self.names = 0

    def text(self) -> str:
        for _ in range(self.rng.randint(1, 2)):
            self.rows()
        env: dict[str, Shape] = {"w": ("M", "N")}
        self.line(f"w = {self.rng.choice(['x0', 'io'])}[:, :]")
        self.block(env, "M", "N", 1, [])
        self.line("cs[0, :] = reduce_max(w, axis=0)")
        if self.rng.random() < 0.5:
            self.line("sq[:, :] = transpose(sq[:, :]) + sq[:, :]")
        for name in ("io", "sq"):  # what is never written is refused as InOut
            if not any(line.lstrip().startswith(f"{name}[") for line in self.lines):
                self.line(f"{name}[:, :] = {name}[:, :]")
        return HEAD.format(d=self.dtype) + "\n".join(self.lines) + "\n"

    def formed(self, iterations: str) -> str:
        """Mostly as they are, or with a word for how they run."""
        form = self.rng.random()
        return f"htp.pipelined({iterations}, depth={self.rng.randint(2, 3)})" if form < 0.2 else f"htp.unrolled({iterations})" if form < 0.3 else iterations

    def rows(self) -> None:
        rows = f"tiles(M, {self.rng.choice([1, 4, 8, 13])})"
        self.line(f"for i in {f'htp.parallel({rows})' if self.rng.random() < 0.3 else self.formed(rows)}:")
        self.depth += 1
        env: dict[str, Shape] = {}
        self.load(env, "i", "N")
        self.load(env, "i", "N")
        self.block(env, "i", "N", 0, [])
        whole = [n for n, s in env.items() if joined(s, ("i", "N")) == ("i", "N")]
        narrow = [n for n, s in env.items() if s == ("i", "1")]
        self.line(f"y[i, :] = {self.rng.choice(whole or ['x0[i, :]'])}")
        self.line(f"r[i, 0] = {self.rng.choice(narrow or ['reduce_max(x0[i, :], axis=1)'])}")
        self.depth -= 1

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def name(self, env: dict[str, Shape], shape: Shape, mutable: list[str]) -> str:
        """Mostly a new one; sometimes one of the same shape, bound anew."""
        same = [n for n, s in env.items() if s == shape and n not in mutable]
        if same and self.rng.random() < 0.15:
            return self.rng.choice(same)
        self.names += 1
        env[f"t{self.names}"] = shape
        return f"t{self.names}"

    def load(self, env: dict[str, Shape], rows: str, columns: str) -> None:
        form = self.rng.random()
        if form < 0.2:
            name, value = self.name(env, ("1", columns), []), f"v[:, {index(columns)}]"
        elif form < 0.4:
            name, value = self.name(env, (rows, "1"), []), f"u[{index(rows)}, :]"
        else:
            name, value = self.name(env, (rows, columns), []), f"{self.rng.choice(['x0', 'x1', 'io'])}[{index(rows)}, {index(columns)}]"
        self.line(f"{name} = {value}")

    def statement(self, env: dict[str, Shape], rows: str, columns: str, mutable: list[str]) -> None:
        rng = self.rng
        form = rng.random()
        if form < 0.2 or len(env) < 2:
            return self.load(env, rows, columns)
        a, b = rng.choice(list(env)), rng.choice(list(env))
        shape = joined(env[a], env[b])
        value: tuple[Shape, str] | None = None
        if form < 0.55 and shape:
            word = rng.choice(["{} + {}", "{} - {}", "{} * {}", "minimum({}, {})", "maximum({}, {})"])
            value = shape, word.format(a, b)
        elif form < 0.62:
            words = ["absolute({})", "-{}"] + (["sigmoid({})", "tanh({})"] if self.dtype[0] == "f" else [])
            value = env[a], rng.choice(words).format(a)
        elif form < 0.7 and shape:
            value = shape, f"where({a} > {b}, {a}, {rng.choice(['1', b])})"
        elif form < 0.8:
            axis = rng.randrange(2)
            kept = list(env[a])
            kept[axis] = "1"
            value = tuple(kept), f"reduce_{rng.choice(['sum', 'max', 'min'])}({a}, axis={axis})"
            if rng.random() < 0.3:
                word = rng.choice(["scan_sum({}, axis={})", "scan_max({}, axis={})", "sort({}, axis={})", "sort({}, axis={}, descending=True)"])
                value = env[a], word.format(a, axis)
            elif rng.random() < 0.2 and env[a][axis] == env[b][axis] != "1" and joined(env[a], env[b]):
                value = env[a], f"gather({a}, argsort(full(i32, 1, {', '.join(env[a])}), axis={axis}), axis={axis})"
            elif rng.random() < 0.2:  # of what no rounding has touched
                value = tuple(kept), f"cast({rng.choice(['argmax', 'argmin'])}({rng.choice(['x0[{0}, {1}]', 'x1[{0}, {1}]']).format(index(rows), index(columns))}, axis={axis}), {self.dtype})"
                if joined(value[0], (rows, columns)) != (rows, columns):
                    return
                value = (("1", columns), (rows, "1"))[axis], value[1]
        elif form < 0.85:
            value = env[a][::-1], f"transpose({a})"
            if rng.random() < 0.4:
                value = env[a], f"reshape(reshape({a}, 1, {env[a][0]}, 1, {env[a][1]}), {', '.join(env[a])})"
        elif form < 0.91:
            if env[a][1] != env[b][0]:
                return
            result = (env[a][0], env[b][1])
            into = [n for n, s in env.items() if s == result]
            value = result, f"matmul({a}, {b}{', ' + rng.choice(into) if into and rng.random() < 0.5 else ''})"
        elif form < 0.97:
            return self.accumulate(env, a, mutable)
        elif joined(env[a], (rows, columns)) == (rows, columns):
            return self.line(f"io[{index(rows)}, {index(columns)}] = {a}")
        if value:
            self.line(f"{self.name(env, value[0], mutable)} = {value[1]}")

    def accumulate(self, env: dict[str, Shape], a: str, mutable: list[str]) -> None:
        carried = [m for m in mutable if m in env and joined(env[m], env[a]) == env[m]]
        if carried:
            m = self.rng.choice(carried)
            self.line(self.rng.choice([f"{m} = {m} + {a}", f"{m} = {m} - {a}", f"{m} = maximum({a}, {m})"]))
        else:
            name = self.name(env, env[a], list(env))
            self.line(f"{name} = full({self.dtype}, {self.rng.choice([0, 1, 2])}, {', '.join(env[a])})")
            mutable.append(name)

    def block(self, env: dict[str, Shape], rows: str, columns: str, depth: int, mutable: list[str]) -> None:
        for _ in range(self.rng.randint(3, 8)):
            self.statement(env, rows, columns, mutable)
        if depth < 2 and self.rng.random() < 0.6:
            variable, inner = "jlm"[depth], columns
            if self.rng.random() < 0.6:
                cut = "N" if columns == "N" else columns
                self.line(f"for {variable} in {self.formed(f'tiles({cut}, {self.rng.choice([2, 3, 4, 7, 16, 33])})')}:")
                inner = variable
            else:
                self.line(f"for {variable} in {self.formed(f'range({self.rng.randint(1, 3)})')}:")
            self.depth += 1
            visible = {n: s for n, s in env.items() if inner == columns or columns not in s}
            self.block(visible, rows, inner, depth + 1, list(visible) if self.rng.random() < 0.3 else list(mutable))
            self.depth -= 1
        for _ in range(self.rng.randint(1, 4)):
            self.statement(env, rows, columns, mutable)


def check(package: Path, report: driver.Report) -> None:
    stages = stages_of(package)
    source, last = (entry_of(import_program(stage.read_text(), name)) for stage, name in ((stages[0], "first"), (stages[-1], "last")))
    for outcome in outcomes(source, list(cases(source, sizes={1: [(5,)], 2: [(9, 21)]}))):
        with report.checking(f"the last stage at {outcome.case.name}"):
            arrays = outcome.case.fresh(last)
            last(*arrays)
            report.all(law2.compare(last, arrays, outcome))
    law5.check(package, report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--profile", type=Path, default=driver.ROOT / "manifests/cpu.yaml")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="where the programs of failed seeds go")
    arguments = parser.parse_args()
    driver._options = driver.Options(arguments.host, arguments.profile, ())
    report = driver.Report()
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            program, package = Path(folder) / f"seed{seed}.py", Path(folder) / f"seed{seed}"
            program.write_text(Kernel(seed).text())
            failed = report.failed
            said = "\n".join(driver.options().compile(program, package))
            if said:
                # What the language refuses is no kernel; the backend takes all it allows.
                refused += 1
                with report.checking(f"seed {seed}: only the language refuses"):
                    report.all([] if "error[tile." in said and "error[cpu." not in said else said.splitlines())
            else:
                check(package, report)
            if report.failed > failed and arguments.keep:
                (arguments.keep / program.name).write_text(program.read_text())
    print(f"{report.passed} passed, {report.failed} failed; {refused} of {arguments.count} programs were refused by the language")
    return 1 if report.failed or refused * 2 > arguments.count else 0


if __name__ == "__main__":
    sys.exit(main())
