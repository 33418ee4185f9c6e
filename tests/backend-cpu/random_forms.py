"""Random forms of indices and shapes against NumPy: slices of tensors and tiles, negative and open indices, dimensions that are merged and
split; in every other program also what is as long as an int says, of the call, of data, of a loop. The program as written, each of its stages and
the built package give what NumPy gives.

    random_forms.py --host build/plain/bin/htp-host [--from 0] [--count 20] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "laws"))

import htp
from htp.testing import entry_of, import_program

HEAD = '''"""A random program of indices and shapes."""

import htp
from htp import In, InOut, i32
from htp_tile import Tensor, buffer, index, iota, kernel, reduce_sum, reshape, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")
H = htp.dim("H")
LAST = -1


@kernel
def k({parameters}) -> None:
'''
LEAST = {"M": 2, "N": 3, "H": 2, "i": 1, "j": 0, "n": 0, "r": 0, "g": 1}
MOST = {"n": "N", "r": "M", "g": "H", "j": "M"}  # of what only the run knows: an int of the call, one of data, the least of two
BLOCKS = (["i"], ["j"])
SIZES = [(2, 3, 2), (5, 4, 3), (3, 7, 4)]
TENSORS = {
    "a": [["M"], ["N"]],
    "b": [["4", "H"]],
    "c": [["M"], ["2", "N"]],
    "d": [["3"], ["M"], ["N"]],
    "w": [["M"], ["H"], ["3"], ["2"]],
}
RUN_TIME = re.compile(r"\b[nrgj]\b")
Dims = list[list[str]]  # of each dimension its factors; what is a difference is one factor


def text(dim: list[str]) -> str:
    """An extent as it is written, numbers as one."""
    number = math.prod(int(f) for f in dim if f.isdigit())
    names = [f if f.isidentifier() else f"({f})" for f in dim if not f.isdigit()]
    if len(names) == 1 and number == 1 and len([f for f in dim if not f.isdigit()]) == 1:
        return next(f for f in dim if not f.isdigit())
    return " * ".join(([str(number)] if number != 1 or not names else []) + names)


def most(dim: list[str]) -> str:
    """The same of sizes alone: what has room for it."""
    return text([RUN_TIME.sub(lambda m: MOST[m.group()], f.split(" - ")[0]) if RUN_TIME.search(f) else f for f in dim])


def least(dim: list[str]) -> int:
    return math.prod(0 if re.search(r" - \(?[nrg]", f) else eval(f, {}, LEAST) for f in dim)


class Program:
    """Lines of a kernel, and beside each the same of NumPy."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.oracle: list[str] = []
        self.outputs: list[Dims] = []
        self.names = 0
        self.count = 3 + seed % 3
        self.given = seed % 2
        self.run_time = seed % 2 == 1

    def text(self) -> str:
        if self.run_time:
            self.lines += ["    r = index(lens[0])", "    g = min(index(lens[1]), H)"]
        for _ in range(self.count):
            self.value()
        parameters = [f"{name}: In[Tensor[i32, {', '.join(map(text, dims))}]]" for name, dims in TENSORS.items()]
        parameters += ["lens: In[Tensor[i32, 2]]", "p: int", "n: int"]
        parameters += [f"y{n}: InOut[Tensor[i32, {', '.join(map(most, dims))}]]" for n, dims in enumerate(self.outputs)]
        return HEAD.format(parameters=", ".join(parameters)) + "\n".join(self.lines) + "\n"

    def value(self) -> None:
        """A value that some forms are applied to, and a tensor that it goes to."""
        rng = self.rng
        tensor = rng.choice(list(TENSORS))
        block = rng.random() < 0.4 and TENSORS[tensor][0] == ["M"]
        dims: Dims = [list(d) for d in TENSORS[tensor]]
        indent, first = "    ", (":", ":")
        kernel = numpy = tensor
        if block:
            length = "r" if self.run_time and rng.random() < 0.7 else "M"
            dims[0] = ["j" if length == "r" else "i"]
            self.lines.append(f"    for {dims[0][0]} in tiles({length}, {rng.choice([1, 2, 3])}):")
            indent += "    "
            first = (dims[0][0], ":")
            if length == "r":
                first = rng.choice([("j", ":r"), ("j + M - r", "M - r:"), ("j.start:j.stop", ":r")])
            if length == "r" and rng.random() < 0.3:  # of a tile
                self.names += 1
                self.lines.append(f"{indent}t{self.names} = {tensor}[{', '.join(':' for _ in dims)}]")
                kernel = f"t{self.names}"
        index, plain, dims = self.index(dims, block, first)
        kernel, numpy = f"{kernel}[{index}]", f"{numpy}[{plain}]"
        for _ in range(rng.randint(1, 4)):
            kernel, numpy, dims = self.form(kernel, numpy, dims, block, indent)
        self.outputs.append([["M"] if d == ["i"] else d for d in dims])
        out = f"y{len(self.outputs) - 1}"
        run_time = [bool(RUN_TIME.search(text(d))) for d in dims]
        at = ", ".join(d[0] if d in BLOCKS else f":{text(d)}" if n else ":" for d, n in zip(dims, run_time))
        if not block and not any(run_time) and rng.random() < 0.3:
            at = "..."
        self.lines.append(f"{indent}{out}[{at}] = {kernel}")
        self.oracle.append(f"{out}[{', '.join(f':{self.shape([d])}' if n else ':' for d, n in zip(dims, run_time))}] = {numpy}")

    @staticmethod
    def shape(dims: Dims) -> str:
        """The extents as NumPy has them, of all blocks together."""
        return ", ".join({"i": "M", "j": "r"}.get(d[0], text(d)) for d in dims)

    def form(self, kernel: str, numpy: str, dims: Dims, block: bool, indent: str) -> tuple[str, str, Dims]:
        rng = self.rng
        if rng.random() < 0.5:  # a name of its own
            self.names += 1
            self.lines.append(f"{indent}t{self.names} = {kernel}")
            kernel = f"t{self.names}"
        kind = rng.choice(["reshape", "reshape", "index", "index", "index", "add", "sum", "transpose", *["count"] * self.run_time])
        if kind == "reshape":
            after = self.regrouped(dims)
            extents = list(map(text, after))
            rest = [n for n, d in enumerate(after) if d not in BLOCKS]
            if rest and rng.random() < 0.3:
                extents[rng.choice(rest)] = "-1"
            return f"reshape({kernel}, {', '.join(extents)})", f"({numpy}).reshape({self.shape(after)})", after
        if kind == "index":
            index, plain, after = self.index(dims, block, (":", ":"))
            return f"{kernel}[{index}]", f"({numpy})[{plain}]", after
        if kind == "add":
            by = rng.randint(1, 9)
            return f"({kernel} * {by} + 1)", f"({numpy}) * {by} + 1", dims
        if kind == "count":
            axis = rng.randrange(len(dims))
            extents = ", ".join(text(d) if n == axis else "1" for n, d in enumerate(dims))
            zeros = f" + zeros(i32, {', '.join(map(text, dims))})" if rng.random() < 0.3 else ""
            count = f"np.arange({self.shape([dims[axis]])}, dtype=np.int32).reshape({', '.join('-1' if n == axis else '1' for n in range(len(dims)))})"
            return f"({kernel} + iota(i32, {extents}, axis={axis}){zeros})", f"(({numpy}) + {count})", dims
        axes = [n for n, d in enumerate(dims) if d not in BLOCKS]
        if kind == "sum" and axes:
            axis = rng.choice(axes)
            return f"reduce_sum({kernel}, axis={axis})", f"np.sum({numpy}, axis={axis}, keepdims=True, dtype=np.int32)", dims[:axis] + [["1"]] + dims[axis + 1 :]
        if kind == "transpose" and len(dims) > 1:
            return f"transpose({kernel})", f"np.swapaxes({numpy}, -1, -2)", dims[:-2] + [dims[-1], dims[-2]]
        return kernel, numpy, dims

    def regrouped(self, dims: Dims) -> Dims:
        """The same factors in other groups; blocks and differences stay alone."""
        after: Dims = []
        run: list[str] = []

        def close() -> None:
            while run:
                size = self.rng.randint(1, len(run))
                after.append(run[:size])
                del run[:size]

        for dim in dims:
            if dim in BLOCKS or not all(f.isalnum() for f in dim) or len(RUN_TIME.findall(text(dim))) > 1:
                close()
                after.append(dim)
            else:
                if any(RUN_TIME.search(f) for f in run) and RUN_TIME.search(text(dim)):  # of two that may be below 0
                    close()
                run.extend(f for f in dim if f != "1")
        close()
        if self.rng.random() < 0.2 or not after:
            after.insert(self.rng.randint(0, len(after)), ["1"])
        return after

    def index(self, dims: Dims, block: bool, first: tuple[str, str]) -> tuple[str, str, Dims]:
        """An index for each dimension, as a program and as NumPy has it, and the extents that it selects; `first` is of a block."""
        parts, plain, after = [], [], []
        for dim in dims:
            if dim in BLOCKS:
                parts.append(first[0]), plain.append(first[1]), after.append(dim)
                continue
            one, same, extent = self.part(dim)
            parts.append(one), plain.append(same), after.append(extent)
        wholes = [len(list(group)) for key, group in itertools.groupby(parts, lambda p: p == ":") if key]
        if wholes and self.rng.random() < 0.25:  # `...` for a run of whole ones
            first = next(n for n, p in enumerate(parts) if p == ":")
            run = wholes[0]
            parts[first : first + run] = ["..."]
        return ", ".join(parts), ", ".join(plain), after

    def part(self, dim: list[str]) -> tuple[str, str, list[str]]:
        rng, size, shown = self.rng, least(dim), text(dim)
        lone = dim if len(dim) == 1 else None

        def shorter(by: int) -> list[str]:
            if all(f.isdigit() for f in dim):
                return [str(math.prod(map(int, dim)) - by)]
            return [f"{shown} - {by}"]

        forms: list[tuple[str, str, list[str]]] = [(":", ":", dim)] * 4
        if self.run_time and shown in ("M", "N", "H"):
            length = next(name for name, of in MOST.items() if of == shown)
            forms += [(f":{length}", f":{length}", [length])] * 3
            forms += [(f"{length}:", f"{length}:", [f"{shown} - {length}"]), (f"{shown} - {length}:", f"{shown} - {length}:", [length])]
            forms += [(f":{length}:2", f":{length}:2", [f"({length} + 1) // 2"])]
        if size < 1:
            return rng.choice([*forms, ("::-1", "::-1", dim)])
        given = self.given  # the int of the call is an index of each of these
        for at in ("0", "-1", "LAST", str(size - 1), str(-size), *["p"] * (size > given)):
            bound = f"{at}:({at}) + 1 or None" if at != "p" else "p:p + 1"
            forms.append((at, bound.replace("LAST", "-1"), ["1"]))
        if size > 1:
            forms += [("1:", "1:", shorter(1)), (":-1", ":-1", shorter(1)), (":LAST", ":-1", shorter(1)), ("p:p + 1", "p:p + 1", ["1"])]
            forms += [("-2:", "-2:", ["2"]), ("-2:-1", "-2:-1", ["1"]), (":2", ":2", ["2"])]
        if size > given + 1:
            forms += [("p:p + 2", "p:p + 2", ["2"])]
        if size > 2:
            forms += [("1:-1", "1:-1", shorter(2)), ("1:3", "1:3", ["2"]), ("-3::2", "-3::2", ["2"])]
        if lone is None and dim[0].isdigit() and len(dim) == 2 and int(dim[0]) > 1:
            forms += [(f":{dim[1]}", f":{dim[1]}", [dim[1]]), (f"{dim[1]}:2 * {dim[1]}", f"{dim[1]}:2 * {dim[1]}", [dim[1]])]
            forms += [(f"::{dim[0]}", f"::{dim[0]}", [dim[1]]), (f"1::{dim[0]}", f"1::{dim[0]}", [dim[1]])]
        forms += [("::-1", "::-1", dim)] * 2
        if size > 2:
            forms += [("2::-1", "2::-1", ["3"]), ("2:0:-1", "2:0:-1", ["2"]), (":-3:-1", ":-3:-1", ["2"]), ("2::-2", "2::-2", ["2"])]
        return rng.choice(forms)


def run(program: Program, module: Any, call: Any, sizes: tuple[int, int, int], seed: int) -> list[str]:
    """What differs from NumPy at these sizes."""
    M, N, H = sizes
    known = {"M": M, "N": N, "H": H}
    data = np.random.default_rng(seed)
    shape = lambda dims: tuple(eval(text(d), {}, known) for d in dims)
    p = program.given
    known |= {"n": int(data.integers(0, N + 1)), "r": int(data.integers(0, M + 1)), "g": int(data.integers(1, H + 1))}
    lens = np.array([known["r"], known["g"] if known["g"] < H else H + 5], np.int32)
    arrays = {name: data.integers(-99, 99, shape(dims)).astype(np.int32) for name, dims in TENSORS.items()}
    room = lambda dims: tuple(eval(most(d), {}, known) for d in dims)
    made = [np.full(room(dims), 7777, np.int32) for dims in program.outputs]
    wanted = {f"y{n}": np.full(room(dims), 7777, np.int32) for n, dims in enumerate(program.outputs)}
    for line in program.oracle:
        exec(line, {"np": np, "p": p, **known, **arrays, **wanted})
    call(*arrays.values(), lens, p, known["n"], *made)
    return [f"{name} at {sizes}: {got.tolist()} is not {wanted[name].tolist()}" for name, got in zip(wanted, made) if not np.array_equal(got, wanted[name])]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        for seed in range(given.first, given.first + given.count):
            program = Program(seed)
            file = folder / f"forms_{seed}.py"
            file.write_text(program.text())
            wrong: list[str] = []
            where = "plain Python"
            try:
                module = import_program(file.read_text(), file.stem)
                for sizes in SIZES:
                    wrong += run(program, module, entry_of(module), sizes, seed)
                where = "compile"
                package = folder / f"forms_{seed}.package"
                htp.compile_program(file, target="cpu", out=package)
                where = "package"
                with htp.bind(package) as bound:
                    for sizes in SIZES:
                        wrong += [f"package: {one}" for one in run(program, module, bound, sizes, seed)]
                for stage in sorted((package / "ir" / "stages").iterdir()):
                    where = stage.name
                    staged = import_program((stage / "program.py").read_text(), f"{file.stem}_{stage.name}")
                    wrong += [f"{where}: {one}" for one in run(program, staged, entry_of(staged), SIZES[seed % 3], seed)]
            except (htp.HtpError, htp.CompileError) as error:
                wrong.append(f"{where}: {error}")
            if wrong:
                failed += 1
                print(f"seed {seed}:\n{file.read_text()}\n" + "\n".join(wrong[:3]), flush=True)
    print(f"{given.count} programs, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
