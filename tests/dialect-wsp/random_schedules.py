"""Random schedules over several workloads. One that is refused says why, with a hint; one that is taken computes, at every stage under plain
Python and on the CPU, what the workload does: the same bits where no sum is cut, else by the one bound. It stores nothing that nobody reads.

    random_schedules.py --host build/dev/bin/htp-host [--from 1000] [--count 500]     HTP_LONG=1: at least 1,000 that are taken
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import htp
from htp import native
from htp.testing import cases, compare, entry_of, import_program, outcomes, stages_of

ROOT = Path(__file__).resolve().parents[2]
LONG = os.environ.get("HTP_LONG") == "1"

HEAD = '''import htp
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, absolute, buffer, cast, exp, full, iota, matmul, maximum, minimum, reduce_max, reduce_sum, rsqrt, scan_sum, transpose, where, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


'''


@dataclass(frozen=True)
class Workload:
    """A workload, its loops and tensors, and whether no schedule changes a bit of what it computes."""

    text: str
    exact: bool

    @property
    def loops(self) -> list[str]:
        return re.findall(r"for (\w+) in", self.text)

    @property
    def nests(self) -> list[list[str]]:
        """The loops that stand one behind the other, each with the first one inside it."""
        found: list[list[str]] = []
        for indent, name in re.findall(r"^( +)for (\w+) in", self.text, re.MULTILINE):
            if len(indent) == 4:
                found.append([name])
            elif len(found[-1]) == 1:
                found[-1].append(name)
        return found

    @property
    def buffers(self) -> list[str]:
        return re.findall(r"(\w+) = buffer", self.text)

    @property
    def tensors(self) -> list[str]:
        return re.findall(r"(\w+): (?:In|Out|InOut)\[", self.text) + re.findall(r"(\w+) = buffer", self.text)


WORKLOADS = {
    "gemm": Workload('''@workload
def work(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc
''', exact=False),
    "softmax": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        top = full(f32, -htp.inf, i, 1)
        for j in seq(N):
            top = maximum(top, reduce_max(x[i, j], axis=1))
        total = zeros(f32, i, 1)
        for k in seq(N):
            e = exp(x[i, k] - top)
            total = total + reduce_sum(e, axis=1)
        for q in P(N):
            e = exp(x[i, q] - top)
            y[i, q] = e / total
'''.replace("-htp.inf", "-3.0e38"), exact=False),
    "chain": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], s: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    g = buffer(f32, M, N)
    for i in P(M):
        for j in P(N):
            t = x[i, j] * 2.0
            h[i, j] = t + s[i, j]
    for p in P(M):
        for q in P(N):
            t = absolute(h[p, q])
            g[p, q] = minimum(t, s[p, q])
    for u in P(M):
        for v in P(N):
            y[u, v] = g[u, v] * h[u, v] + x[u, v]
''', exact=True),
    "rows": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, N, M]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = y[i, j] * 0.5 + x[i, j]
    for p in P(N):
        for q in P(M):
            z[p, q] = transpose(y[q, p]) + transpose(y[q, 0])
    for u in P(N):
        for v in P(M):
            z[u, v] = maximum(z[u, v], transpose(x[v, u])) if False else maximum(transpose(y[v, u]), transpose(x[v, u]))
'''.replace("maximum(z[u, v], transpose(x[v, u])) if False else ", ""), exact=True),
    "running": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for j in P(N):
        for t in range(M):
            y[t, j] = x[t, j] * 3.0
    for p in P(M):
        for q in P(N):
            y[p, q] = absolute(x[p, q]) + x[p, q]
''', exact=True),
    "normed": Workload('''@workload
def work(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    scale = buffer(f32, M, 1)
    for p in P(M):
        row = x[p, :]
        scale[p, :] = rsqrt(reduce_sum(row * row, axis=1) + 1.0)
    h = buffer(f32, M, K)
    for q in P(M):
        for r in P(K):
            t = x[q, r] * 0.5
            h[q, r] = t + x[q, r]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], w[k, j], acc)
            y[i, j] = acc * scale[i, :]
''', exact=False),
    "attention": Workload('''@workload
def work(q: In[Tensor[f32, M, 16]], k: In[Tensor[f32, N, 16]], v: In[Tensor[f32, N, 16]], o: Out[Tensor[f32, M, 16]]) -> None:
    for i in P(M):
        top = full(f32, -3.0e38, i, 1)
        total = zeros(f32, i, 1)
        acc = zeros(f32, i, 16)
        for j in seq(N):
            s = matmul(q[i, :], transpose(k[j, :])) * 0.25
            now = maximum(top, reduce_max(s, axis=1))
            e = exp(s - now)
            old = exp(top - now)
            total = total * old + reduce_sum(e, axis=1)
            acc = matmul(e, v[j, :], acc * old)
            top = now
        o[i, :] = acc / total
''', exact=False),
    "prefix": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        before = zeros(f32, i, 1)
        for j in seq(N):
            y[i, j] = scan_sum(x[i, j], axis=1) + before
            before = before + reduce_sum(x[i, j], axis=1)
''', exact=False),
    "stencil": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 4, N]]) -> None:
    g = buffer(f32, M, N)
    for a in P(M):
        for b in P(N):
            t = absolute(x[a, b])
            g[a, b] = t + 1.0
    h = buffer(f32, M - 2, N)
    for p in P(M - 2):
        for q in P(N):
            h[p, q] = minimum(g[p, q], g[p + 2, q]) * g[p + 1, q]
    for i in P(M - 4):
        for j in P(N):
            y[i, j] = h[i + 2, j] - h[1 + i, j]
''', exact=True),
    "rowwise": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for i in P(M):
        t = x[i, :] * 2.0
        h[i, :] = t + w[:, :]
    for p in P(M):
        for q in P(N):
            y[p, q] = minimum(h[p, q], x[p, q]) * h[p, q]
''', exact=True),
    "inside": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(1, M - 1):
        for j in P(2, N - 1):
            t = x[i - 1, j] + x[i + 1, j - 2]
            y[i, j] = t * 0.5 + y[i, j]
    for p in P(0, M):
        for q in P(N):
            z[p, q] = y[p, q] - x[p, q]
''', exact=True),
    "numbered": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(1, M):
        for j in P(2, N - 1):
            y[i, j] = where(iota(i32, i, 1, axis=0) >= iota(i32, 1, j, axis=1), x[i - 1, j], y[i, j])
    for p in P(M):
        t = zeros(f32, p, 1)
        for q in seq(N):
            t = maximum(t, reduce_max(y[p, q] * cast(iota(i32, 1, q, axis=1), f32), axis=1))
        z[p, :] = t
''', exact=True),
    "columns": Workload('''@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 1, N)
    h[:, :] = 0.0
    for i in seq(M):
        for j in P(N):
            h[:, j] = h[:, j] + reduce_sum(x[i, j], axis=0)
    for p in P(M):
        for q in P(N):
            y[p, q] = x[p, q] + h[:, q]
''', exact=False),
}  # fmt: skip

SIZES = {2: [(9, 21), (40, 70), (1, 1)], 3: [(5, 19, 9), (33, 17, 40)]}
EVEN = [1, 2, 3, 4, 7, 8, 16, 24, 32, 48, 64]


class Lines:
    """A schedule's lines as they come to mind: mostly of loops and tensors that are there, or that a line before made."""

    def __init__(self, rng: random.Random, workload: Workload) -> None:
        self.rng = rng
        self.workload = workload
        self.loops = workload.loops
        self.tensors = workload.tensors
        self.made: list[str] = []

    def loop(self) -> str:
        if self.rng.random() < 0.02:
            return "nowhere"
        if self.made and self.rng.random() < 0.4:
            return self.rng.choice(self.made)
        return self.rng.choice(self.loops)

    def tile(self, loop: str) -> str:
        sizes = sorted(self.rng.sample(EVEN, self.rng.randint(1, 3)), reverse=self.rng.random() < 0.95)
        self.made += [f"{loop}_{level}" for level in range(len(sizes) - 1)]
        return f's.tile("{loop}", {", ".join(map(str, sizes))})'

    def together(self) -> list[str]:
        """A nest put together with the one behind it, or into it: what lines at random seldom are."""
        rng, nests = self.rng, self.workload.nests
        first = rng.randrange(len(nests) - 1)
        one, other = nests[first], nests[first + 1]
        size = rng.choice(EVEN)
        word = rng.choice(["fuse", "compute_at", "inline"] if self.workload.buffers else ["fuse"])
        if word == "inline":
            return [f's.inline("{rng.choice(self.workload.buffers)}")']
        if word == "compute_at":
            smaller = [f's.tile("{one[0]}", {rng.choice([n for n in EVEN if n <= size])})'] if rng.random() < 0.5 else []
            return [f's.tile("{other[0]}", {size})', *smaller, f's.compute_at("{one[0]}", at="{other[0]}")']
        found = [f's.tile("{one[0]}", {size})', f's.tile("{other[0]}", {size})', f's.fuse("{one[0]}", "{other[0]}")']
        if len(one) == len(other) == 2 and rng.random() < 0.5:
            found += [f's.tile("{one[1]}", {size})', f's.tile("{other[1]}", {size})', f's.fuse("{one[1]}", "{other[1]}")']
        return found

    def line(self) -> str:
        rng, loop = self.rng, self.loop
        space = rng.choice(["", "", ', space="memory"', ', space="stack"'])
        tensor = rng.choice(self.tensors)
        one = loop()
        match rng.choice(["tile", "split", "split", "reorder", "reorder", "fuse", "fuse", "compute_at", "compute_at", "inline", "cache", "pack",
                                         "prefetch", "buffer", "parallel", "bind", "vectorize", "unroll", "pipeline", "double_buffer"]):  # fmt: skip
            case "tile":
                return self.tile(one)
            case "split":
                self.made.append(f"{one}_0")
                return f's.split("{one}", {rng.choice(EVEN)})'
            case "reorder":
                others = {one, *(loop() for _ in range(rng.randint(1, 2)))}
                return f"s.reorder({', '.join(repr(name) for name in rng.sample(sorted(others), len(others)))})"
            case "fuse":
                return f's.fuse("{one}", "{loop()}")'
            case "compute_at":
                return f's.compute_at("{one}", at="{loop()}")'
            case "inline":
                return f's.inline("{tensor}")'
            case "cache" | "pack" | "prefetch" as copy:
                self.tensors.append(f"{tensor}_local")
                return f's.{copy}("{tensor}", at="{one}"{space})'
            case "buffer":
                return f's.buffer("{tensor}", space="{rng.choice(["stack", "memory"])}")'
            case "bind":
                return f's.bind("{one}", level="core")'
            case "pipeline":
                return f's.pipeline("{one}", depth={rng.randint(2, 3)})'
            case word:
                return f's.{word}("{one}")'
        raise AssertionError


@functools.cache
def idle(text: str) -> frozenset[str]:
    """What is said of the workload without a schedule: of tensors that are stored to, and nothing reads it."""
    with tempfile.TemporaryDirectory() as folder:
        return frozenset(str(d["message"]) for d in compiled(f"{HEAD}{text}\n\n@schedule(work)\ndef plan(s: Schedule) -> None:\n    pass\n", Path(folder)))


def compiled(text: str, folder: Path, known: frozenset[str] = frozenset()) -> list[dict[str, object]]:
    """Compiles into the folder's `package`; the errors when it is refused, and stores that nothing reads, but for what is known of them."""
    program = folder / "program.py"
    program.write_text(text)
    try:
        _, said = native.compiled(program, profile=ROOT / "manifests/cpu.yaml", out=folder / "package", entry="plan", plugin_path=PLUGINS)
    except htp.Diagnosed as error:
        return [dict(d) for d in error.diagnostics if d["severity"] == "error"]
    return [dict(d) for d in said if d["code"] == "tile.dead-store" and d["message"] not in known]


def written(workload: Workload, lines: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines or ["pass"])
    return f"{HEAD}{workload.text}\n\n@schedule(work)\ndef plan(s: Schedule) -> None:\n{body}"


def taken(workload: Workload, rng: random.Random, folder: Path, said: Counter[str], wrong: list[str]) -> list[str]:
    """Lines that the compiler takes: what it refuses is left out, and what it says of that is looked at."""
    maker = Lines(rng, workload)
    if len(workload.nests) > 1 and rng.random() < 0.4:
        lines = maker.together()
        done = {name for line in lines for name in re.findall(r'"(\w+)"', line)}
        lines += [maker.tile(loop) for loop in workload.loops if loop not in done and rng.random() < 0.5]
        lines += [maker.line() for _ in range(rng.randint(0, 6))]
    else:
        lines = [maker.tile(loop) for loop in workload.loops if rng.random() < 0.5]
        lines += [maker.line() for _ in range(rng.randint(3, 14))]
    while True:
        text = written(workload, lines)
        errors = compiled(text, folder, idle(workload.text))
        if not errors:
            return lines
        first = text.splitlines().index("def plan(s: Schedule) -> None:") + 2
        refused = set()
        for error in errors:
            said[str(error["code"])] += 1
            place = error.get("place")
            number = int(place["line"]) - first if isinstance(place, dict) else -1
            if not str(error["code"]).startswith("wsp.") or not error["hints"] or not 0 <= number < len(lines):
                wrong.append(f"{error['code']} at {place}: {error['message']}")
                return lines
            refused.add(number)
        lines = [line for number, line in enumerate(lines) if number not in refused]


def differences(workload: Workload, folder: Path) -> list[str]:
    """Where a stage, or the CPU, does not compute what the workload does."""
    plain = entry_of(import_program(HEAD + workload.text, "workload"), "work")
    expected = outcomes(plain, list(cases(plain, edges=False, sizes=SIZES)))
    found = []

    def check(what: str, entry: htp.Signature, run: object, exact: bool) -> None:
        for outcome in expected:
            arrays = outcome.case.fresh(entry)
            run(*arrays)  # type: ignore[operator]
            found.extend(f"{what}: {difference}" for difference in compare(entry, arrays, outcome))
            if exact and any(a.tobytes() != b.tobytes() for a, b in zip(arrays, outcome.arrays)):
                found.append(f"{what} at {outcome.case.name}: other bits")

    for stage in stages_of(folder / "package"):
        entry = entry_of(import_program(stage.read_text(), stage.parent.name))
        check(stage.parent.name, entry, entry.run, workload.exact)
    with htp.bind(folder / "package", plugin_path=PLUGINS) as package:
        (routine,) = package.routines.values()
        check("the CPU", routine, routine, workload.exact)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1050 if LONG else 28)
    given = parser.parse_args()
    global PLUGINS
    PLUGINS = [given.host.resolve().parent.parent / "plugins"]
    said: Counter[str] = Counter()
    used: Counter[str] = Counter()
    failed = empty = 0
    for seed in range(given.first, given.first + given.count):
        rng = random.Random(seed)
        name, workload = list(WORKLOADS.items())[seed % len(WORKLOADS)]
        with tempfile.TemporaryDirectory() as temporary:
            folder, wrong = Path(temporary), list[str]()
            lines: list[str] = []
            try:
                lines = taken(workload, rng, folder, said, wrong)
                wrong += [] if wrong else differences(workload, folder)
            except Exception as error:  # whatever a stage raises shows that it is no program
                wrong.append(f"{type(error).__name__}: {error}")
            used.update(line[2 : line.index("(")] for line in lines)
            empty += not lines
            if wrong:
                failed += 1
                print(f"FAILED seed {seed}, {name}:", *lines, *wrong[:6], sep="\n    ", flush=True)
    print(f"{given.count - failed} passed, {failed} failed; {given.count - empty} with directives: {dict(used.most_common())}")
    print(f"refused: {dict(said.most_common())}")
    return 1 if failed or empty * 2 > given.count else 0


PLUGINS: list[Path] = []

if __name__ == "__main__":
    sys.exit(main())
