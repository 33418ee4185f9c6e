"""Random stages of explicit loops. Without a pass they come back from MLIR as the same statements; with passes they compute the same bits at
the same places, and now and then on the CPU too.

    random_loops.py --host build/dev/bin/htp-host [--from 1000] [--count 500]
"""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
from htp.errors import HtpError
from htp.testing import Case, entry_of, import_program, outcomes
from loops import HEAD, NOTHING, Compiler, options, without_header

PIPELINES = (
    "builtin.module(func.func(canonicalize,cse,loop-invariant-code-motion,cse))",
    "builtin.module(func.func(cse))",
    "builtin.module(func.func(loop-invariant-code-motion,control-flow-sink))",
    "builtin.module(sccp,func.func(canonicalize,scf-for-loop-range-folding,cse))",
)

AFFINE = (
    "builtin.module(func.func(affine-loop-fusion{mode=greedy},affine-scalrep,canonicalize,cse))",
    "builtin.module(func.func(affine-loop-invariant-code-motion,affine-loop-unroll{unroll-factor=3},canonicalize))",
    "builtin.module(func.func(affine-loop-tile{tile-size=3},affine-simplify-structures,cse))",
    "builtin.module(func.func(affine-super-vectorize{virtual-vector-size=4},canonicalize,cse))",
    "builtin.module(func.func(affine-loop-normalize,affine-loop-coalescing,canonicalize,cse))",
    "builtin.module(func.func(affine-parallelize,canonicalize,cse))",
)

LINALG = (
    NOTHING,
    "builtin.module(func.func(convert-linalg-to-loops,canonicalize,cse))",
    "builtin.module(func.func(convert-linalg-to-affine-loops,canonicalize,cse))",
    "builtin.module(func.func(linalg-generalize-named-ops,canonicalize,convert-linalg-to-parallel-loops,cse))",
)

PARAMETERS = "x: In[Tensor[f32, N]], k: In[Tensor[i32, N]], y: InOut[Tensor[f32, N]], z: InOut[Tensor[i32, N]]"
FLOATS, INTS = ("add", "sub", "mul", "minimum", "maximum"), ("add", "sub", "mul", "minimum", "maximum", "bit_and", "bit_or", "bit_xor")


class Writer:
    """One stage, statement by statement; every name is bound before it is read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.depth = 0

    def say(self, line: str) -> None:
        self.lines.append("    " * (self.depth + 1) + line)

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def index(self, ints: list[str]) -> str:
        """Within 0 to 6, which every size has."""
        r = self.random
        choice = r.randrange(4)
        if choice == 0 or not ints:
            return str(r.randrange(7))
        if choice == 1:
            return f"({r.choice(ints)} * {r.randrange(1, 4)} - {r.choice(ints)}) % 7"
        if choice == 2:
            return f"max(0, min(6, {r.choice(ints)} - {r.randrange(3)}))"
        return f"({r.choice(ints)} + {r.randrange(9)}) // {r.randrange(2, 5)} % 7"

    def condition(self, ints: list[str]) -> str:
        r = self.random
        one = [f"{r.choice(ints)} % {r.randrange(2, 4)} == {r.randrange(2)}" if ints else "N > 9" for _ in range(r.randrange(1, 3))]
        if r.randrange(4) == 0:
            one[0] = f"not {r.choice(ints) if ints else 'N'} < {r.randrange(5)}"
        return one[0] if len(one) == 1 else f"{one[0]} {r.choice(('and', 'or'))} {one[1]}"

    def value(self, floats: list[str], integers: list[str], truths: list[str], ints: list[str]) -> None:
        """Binds a new scalar."""
        r = self.random
        choice = r.randrange(8)
        if choice == 0 or not floats:
            name = self.name("v")
            self.say(f"{name}: f32 = cpu.get({r.choice('xy')}, {self.index(ints)})")
            floats.append(name)
        elif choice == 1 or not integers:
            name = self.name("n")
            self.say(f"{name}: i32 = cpu.get({r.choice('kz')}, {self.index(ints)})")
            integers.append(name)
        elif choice == 2:
            name = self.name("m")
            self.say(f"{name}: bool_ = cpu.{r.choice(('lt', 'le', 'gt', 'ge', 'eq', 'ne'))}({r.choice(floats)}, {r.choice((*floats, '0.5'))})")
            truths.append(name)
        elif choice == 3 and truths:
            name = self.name("w")
            self.say(f"{name}: f32 = cpu.where({r.choice(truths)}, {r.choice(floats)}, {r.choice((*floats, '0.25'))})")
            floats.append(name)
        elif choice == 4:
            name = self.name("i")
            self.say(f"{name}: i32 = cpu.{r.choice(INTS)}({r.choice(integers)}, {r.choice((*integers, '3'))})")
            integers.append(name)
        elif choice == 5:
            name = self.name("c")
            self.say(f"{name}: f32 = cpu.cast({r.choice(integers)}, f32)")
            floats.append(name)
        elif choice == 6:
            name = self.name("o")
            self.say(f"{name}: f32 = cpu.{r.choice(('neg', 'absolute', 'floor', 'tanh', 'sigmoid'))}({r.choice(floats)})")
            floats.append(name)
        else:
            name = self.name("f")
            self.say(f"{name}: f32 = cpu.{r.choice(FLOATS)}({r.choice(floats)}, {r.choice((*floats, '1.5', '0.1'))})")
            floats.append(name)

    def block(self, floats: list[str], integers: list[str], truths: list[str], ints: list[str], totals: list[str]) -> None:
        """A few statements, and at least one that shows; `totals`: what may be bound again here."""
        r = self.random
        floats, integers, truths, ints = list(floats), list(integers), list(truths), list(ints)
        for _ in range(r.randrange(1, 5)):
            choice = r.randrange(9)
            if choice == 0 and self.depth < 3:
                self.loop(floats, integers, truths, ints, totals)
            elif choice == 1 and self.depth < 4:
                self.say(f"if {self.condition(ints)}:")
                self.inside(floats, integers, truths, ints, totals)
                if r.randrange(2):
                    self.say("else:")
                    self.inside(floats, integers, truths, ints, totals)
            elif choice == 2 and totals and floats:
                total = r.choice(totals)
                self.say(f"{total} = cpu.{r.choice(FLOATS)}({total}, {r.choice(floats)})")
            elif choice == 3 and ints:
                name = self.name("a")
                self.say(f"{name} = min({r.randrange(2, 6)}, N - {r.choice(ints)})")
                ints.append(name)
            else:
                self.value(floats, integers, truths, ints)
        if integers and r.randrange(3) == 0:
            self.say(f"cpu.put(z, {r.choice(integers)}, {self.index(ints)})")
        else:
            self.say(f"cpu.put(y, {r.choice((*floats, '0.75'))}, {self.index(ints)})")

    def inside(self, floats: list[str], integers: list[str], truths: list[str], ints: list[str], totals: list[str]) -> None:
        self.depth += 1
        self.block(floats, integers, truths, ints, totals)
        self.depth -= 1

    def loop(self, floats: list[str], integers: list[str], truths: list[str], ints: list[str], totals: list[str]) -> None:
        r = self.random
        name, total = self.name("p"), self.name("total")
        sums = r.randrange(2) == 0
        if sums:
            self.say(f"{total}: f32 = cpu.splat(f32, {r.choice(('0', '1.0', '-1e309'))})")
        span = r.choice(("N", "5", "1, 6", "0, N, 3", f"{r.choice(ints)}, 7" if ints else "4"))
        form = "{}" if sums or totals else r.choice(("{}", "htp.vectorized({})", "htp.unrolled({})"))
        self.say(f"for {name} in {form.format(f'range({span})')}:")
        self.depth += 1
        known = list(floats)
        if sums:
            self.value(known, list(integers), list(truths), [*ints, name])
            self.say(f"{total} = cpu.{r.choice(FLOATS)}({total}, {known[-1] if known else '1.0'})")
        self.block(known, integers, truths, [*ints, name], [*totals, total] if sums else totals)
        self.depth -= 1
        if sums:
            self.say(f"cpu.put(y, {total}, {self.index(ints)})")
            floats.append(total)

    def run(self) -> str:
        floats: list[str] = []
        for _ in range(self.random.randrange(1, 4)):
            self.loop(floats, [], [], [], [])
        return HEAD + f"@kernel\ndef f({PARAMETERS}) -> None:\n" + "\n".join(self.lines) + "\n"


def computed(text: str, size: int) -> list[Any]:
    """What a stage leaves in y and z."""
    generator = np.random.default_rng(size)
    arrays = (generator.standard_normal(size).astype(np.float32), generator.integers(-50, 50, size).astype(np.int32),
              generator.standard_normal(size).astype(np.float32), generator.integers(-50, 50, size).astype(np.int32))  # fmt: skip
    with np.errstate(all="ignore"):
        entry = entry_of(import_program(text, "f"))
        return [np.asarray(a) for a in outcomes(entry, [Case("", arrays)])[0].arrays[2:]]


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--count", type=int, default=24)
    given = parser.parse_args()
    compiler = Compiler(given.host)
    failed = shorter = 0
    for seed in range(given.start, given.start + given.count):
        text = Writer(seed).run()
        found = []
        back = compiler(text, NOTHING)
        if back.code:
            found.append(back.said)
        elif back.stage.split() != without_header(text).split():
            found.append("without a pass it comes back as\n" + back.stage)
        for pipeline, form in ((PIPELINES[seed % len(PIPELINES)], "scf"), (AFFINE[seed % len(AFFINE)], "affine"), (LINALG[seed % len(LINALG)], "linalg")):
            done = compiler(text, pipeline, form=form, claim="loops" if form == "affine" else "entry")
            if done.code:
                found.append(f"{pipeline}: {done.said}")
                continue
            shorter += form == "scf" and done.stage.count("\n") < text.count("\n") - 1
            for size in (7, 13):
                try:
                    outcome = computed(done.stage, size)
                except HtpError as error:
                    found.append(f"{pipeline}: {error}\n{done.stage}")
                    continue
                for name, wanted, given_back in zip("yz", computed(text, size), outcome):
                    same = (wanted == given_back) | ((wanted != wanted) & (given_back != given_back))
                    if not same.all():
                        found.append(f"{pipeline}: {name} of {size} is {given_back}, not {wanted}\n{done.stage}")
            if seed % 10 == 0 and not found:
                ran = subprocess.run([given.host, "run", done.package, "--dim", "N=13"], capture_output=True, text=True)
                if ran.returncode:
                    found.append(ran.stderr)
        if found:
            failed += 1
            print(f"FAILED seed {seed}", text, *found, sep="\n", flush=True)
    print(f"{given.count - failed} passed, {failed} failed; {shorter} became shorter")
    return 1 if failed or shorter < given.count // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
