"""Random pipelines of checked channels, some with counted ones beside them, whose processes do as data says: plain Python, the compiled package and a search of all states say the same. What
is said to end for all data ends for all that is drawn; a deadlock is found exactly where there is one, and each wait that is named is one of it.

    random_streams.py --host build/dev/bin/htp-host [--from 1000] [--count 500] [--run 50]
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import htp
import numpy as np
from htp import HtpError
from htp_csp import Deadlock

Data: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"
LONG = os.environ.get("HTP_LONG") == "1"
SIZE = 8  # of the data that decides
MOST_STATES = 60_000


@dataclass
class Statement:
    """`kind` is put, get, close; take: a loop over a channel; if: where data is above 0; for: as often as it says."""

    kind: str
    at: int = 0  # the channel, or the element of the data
    body: list[Statement] = field(default_factory=list)


@dataclass
class Network:
    """Processes, and of each channel its capacity, its writer and its reader; of a channel that is not checked the number of its items is known."""

    processes: list[list[Statement]]
    channels: list[tuple[int, int, int]]
    counted: set[int]

    def text(self) -> str:
        """The program."""
        outputs = ", ".join(f"y{p}: Out[Tensor[i32, 1]]" for p in range(len(self.processes)))
        lines = [
            "import htp\nfrom htp import In, Out, i32\nfrom htp_csp import channel, pipeline, process\nfrom htp_tile import Tensor, full, holds, index\n\n",
            f"@pipeline\ndef w(d: In[Tensor[i32, {SIZE}]], {outputs}) -> None:",
            *(f"    c{c} = channel(i32, 1, capacity={capacity}{'' if c in self.counted else ', checked=True'})" for c, (capacity, _, _) in enumerate(self.channels)),
        ]
        for p, statements in enumerate(self.processes):
            lines += ["", "    @process", f"    def p{p}() -> None:", f"        acc = full(i32, {p + 1}, 1)"]
            self._write(statements, "        ", lines, 0)
            lines.append(f"        y{p}[0] = acc")
        return "\n".join(lines) + "\n"

    def _write(self, statements: list[Statement], indent: str, lines: list[str], depth: int) -> None:
        for s in statements:
            match s.kind:
                case "put":
                    lines += [f"{indent}c{s.at}.put(acc)", f"{indent}acc = acc * 5 + 1"]
                case "get":
                    lines.append(f"{indent}acc = acc * 3 + c{s.at}.get()")
                case "close":
                    lines.append(f"{indent}c{s.at}.close()")
                case "take":
                    lines += [f"{indent}for t{depth} in c{s.at}:", f"{indent}    acc = acc * 7 + t{depth}"]
                case "if":
                    lines.append(f"{indent}if holds(d[{s.at}] > 0):")
                case "for":
                    lines.append(f"{indent}for _k{depth} in range(index(d[{s.at}])):")
            if s.kind in ("if", "for", "take"):
                self._write(s.body, indent + "    ", lines, depth + 1)
                if not s.body and s.kind != "take":
                    lines.append(f"{indent}    pass")


class Drawing:
    """Draws networks: most of them acyclic, with a put and a get of each channel somewhere."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def network(self) -> Network:
        rng = self._rng
        count = rng.randint(2, 4)
        channels = []
        for _ in range(rng.randint(1, 4)):
            writer = rng.randrange(count)
            reader = rng.choice([p for p in range(count) if p != writer])
            if reader < writer and rng.random() < 0.8:  # seldom backward
                writer, reader = reader, writer
            channels.append((rng.choice([0, 1, 1, 2, 3]), writer, reader))
        counted = {c for c in range(len(channels)) if len(channels) > 1 and rng.random() < 0.25}
        items = {c: rng.randint(1, 2) for c in sorted(counted)}
        processes = []
        for p in range(count):
            reads = [c for c, (_, _, reader) in enumerate(channels) if reader == p]
            writes = [c for c, (_, writer, _) in enumerate(channels) if writer == p]
            known = [Statement("get" if c in reads else "put", c) for c in reads + writes if c in counted for _ in range(items[c])]
            reads = [c for c in reads if c not in counted]
            writes = [c for c in writes if c not in counted]
            takes = [self._take(c, writes) if rng.random() < 0.85 else self._gets(c) for c in reads]
            puts = [self._around(Statement("put", c)) for c in writes if rng.random() < 0.8]
            statements = takes + puts + known
            rng.shuffle(statements)
            for c in writes:  # behind the last put
                last = max((k for k, s in enumerate(statements) if self._puts(s, c)), default=-1)
                statements.insert(rng.choice([last + 1, len(statements)]), Statement("close", c))
            processes.append(statements)
        return Network(processes, channels, counted)

    def _puts(self, s: Statement, c: int) -> bool:
        return (s.kind == "put" and s.at == c) or any(self._puts(inner, c) for inner in s.body)

    def _around(self, s: Statement) -> Statement:
        for _ in range(self._rng.randint(0, 2)):
            s = Statement(self._rng.choice(["if", "for", "for"]), self._rng.randrange(SIZE), [s])
        return s

    def _take(self, c: int, writes: list[int]) -> Statement:
        body = [self._around(Statement("put", w)) if self._rng.random() < 0.7 else Statement("put", w) for w in writes if self._rng.random() < 0.5]
        return Statement("take", c, body)

    def _gets(self, c: int) -> Statement:
        return self._around(Statement("get", c))


# ── what is to happen: a search of all states, apart from all that is tested ──

Code = list[tuple[str, int]]


def code_of(statements: list[Statement], data: list[int], code: Code) -> Code:
    """The operations of a process with these data, and of loops over channels `more`, which goes on where the channel has ended, and `goto`."""
    for s in statements:
        match s.kind:
            case "if":
                if data[s.at] > 0:
                    code_of(s.body, data, code)
            case "for":
                for _ in range(data[s.at]):
                    code_of(s.body, data, code)
            case "take":
                start = len(code)
                code += [("more", s.at), ("else", 0), ("take", s.at)]
                code_of(s.body, data, code)
                code.append(("goto", start))
                code[start + 1] = ("else", len(code))
            case _:
                code.append((s.kind, s.at))
    return code


State = tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...]]


class Search:
    """All states that a network comes to: where its processes are, what its channels hold, and which rendezvous are offered an item."""

    def __init__(self, network: Network, data: list[int]) -> None:
        self.channels = network.channels
        self.code = [code_of(statements, data, []) for statements in network.processes]
        self.close = {c: (w, len(self.code[w]) if c in network.counted else self.code[w].index(("close", c))) for c, (_, w, _) in enumerate(network.channels)}
        self.deadlocks: set[frozenset[tuple[int, str, int]]] = set()

    def outcome(self) -> str | None:
        """ends, left, past or deadlock, the same in each order; nothing where there are too many states."""
        first: State = (tuple(0 for _ in self.code), tuple(0 for _ in self.channels), tuple(False for _ in self.channels))
        seen, todo, outcomes = {first}, [first], set()
        while todo:
            state = todo.pop()
            following, past = self._moves(state)
            if past:
                outcomes.add("past")
                continue
            if not following:
                outcomes.add(self._last(state))
            for other in following:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
            if len(seen) > MOST_STATES:
                return None
        assert len(outcomes) == 1, outcomes
        return outcomes.pop()

    def _last(self, state: State) -> str:
        at, held, _ = state
        waits = frozenset((p, *self.code[p][at[p]]) for p in range(len(self.code)) if at[p] < len(self.code[p]))
        if waits:
            self.deadlocks.add(waits)
            return "deadlock"
        return "left" if any(held) else "ends"

    def _moves(self, state: State) -> tuple[list[State], bool]:
        at, held, offered = state
        found = []
        for p, code in enumerate(self.code):
            if at[p] == len(code):
                continue
            kind, c = code[at[p]]
            to, change, offer = at[p] + 1, 0, None
            if kind == "goto":
                to = c
            elif kind == "put":
                capacity = self.channels[c][0]
                if capacity == 0 and offered[c]:
                    if held[c]:
                        continue
                    offer = False
                elif held[c] >= max(capacity, 1):
                    continue
                else:
                    change = 1
                    if capacity == 0:
                        offer, to = True, at[p]
            elif kind in ("more", "get", "take"):
                writer, close = self.close[c]
                if held[c] == 0 and at[writer] <= close:
                    continue
                if kind == "more":
                    to = at[p] + 2 if held[c] else code[at[p] + 1][1]
                elif held[c] == 0:
                    return [], True
                else:
                    change = -1
            now, holds, offers = list(at), list(held), list(offered)
            now[p] = to
            if change:
                holds[c] += change
            if offer is not None:
                offers[c] = offer
            found.append((tuple(now), tuple(holds), tuple(offers)))
        return found, False


# ── what does happen ──


def in_plain_python(text: str, folder: Path, name: str, data: Data, count: int, order: int) -> tuple[str, list[int], set[tuple[int, str, int]]]:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs = [np.zeros(1, np.int32) for _ in range(count)]
    try:
        if order:
            with htp.timing(order):
                module.w(data, *outputs)
        else:
            module.w(data, *outputs)
    except Deadlock as stuck:
        return "deadlock", [], {(int(name[1:]), action, int(channel[1:])) for name, action, channel, _, _ in stuck.waiting}
    except HtpError as error:
        return "past" if "has closed: it has had all" in str(error) else "left" if "at the end" in str(error) else str(error), [], set()
    return "ends", [int(y[0]) for y in outputs], set()


def compiled(host: Path, package: Path, folder: Path, data: Data, count: int) -> tuple[str, list[int], set[tuple[int, str, int]]]:
    np.savez(folder / "in.npz", d=data)
    out = folder / "out.npz"
    out.unlink(missing_ok=True)
    ran = subprocess.run(
        [host, "run", package, "--inputs", folder / "in.npz", "--outputs", out, "-q"], capture_output=True, text=True, timeout=60, check=False
    )
    if ran.returncode == 0:
        values = np.load(out)
        return "ends", [int(values[f"y{p}"][0]) for p in range(count)], set()
    code = re.search(r"error\[([a-z0-9.-]+)\]", ran.stderr + ran.stdout)
    said = {"cpu.stuck": "deadlock", "cpu.past-end": "past", "cpu.left-over": "left"}.get(code.group(1) if code else "", ran.stderr + ran.stdout)
    waits = re.findall(r"`p(\d+)` waits for (an item of|capacity in|a reader of) `c(\d+)`", ran.stderr + ran.stdout)
    return said, [], {(int(p), "get" if what == "an item of" else "put", int(c)) for p, what, c in waits}


def named(waits: frozenset[tuple[int, str, int]]) -> set[tuple[int, str, int]]:
    return {(p, "put" if kind == "put" else "get", c) for p, kind, c in waits}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1500 if LONG else 60)
    parser.add_argument("--run", type=int, default=300 if LONG else 14, help="of these, how many are built and run")
    given = parser.parse_args()
    host = given.host.resolve()
    seen: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cpu.yaml").write_text("htp_profile: 1\ntarget: cpu\n")
        ran = 0
        for seed in range(given.first, given.first + given.count):
            rng = random.Random(f"streams {seed}")
            network = Drawing(rng).network()
            text, count = network.text(), len(network.processes)
            (folder / "w.py").write_text(text)
            package = folder / "w.htp"
            made = subprocess.run([host, "--plugins", folder / "cpu.yaml", "compile", folder / "w.py", "-o", package], capture_output=True, text=True, check=False)
            code = re.search(r"error\[([a-z0-9.-]+)\]", made.stderr)
            shown = made.returncode == 0 and "ends='always'" in (package / "ir/stages/01-csp.lower/program.py").read_text()
            seen["shown" if shown else code.group(1) if code else "checked"] += 1
            stuck = made.returncode and code and code.group(1) in ("csp.deadlock", "csp.waits-for-itself")
            for _ in range(3 if stuck else 0):
                if Search(network, [rng.choice([0, 0, 1, 2, 3]) for _ in range(SIZE)]).outcome() == "ends":
                    stuck = False
            if made.returncode and not stuck and (not code or code.group(1) != "csp.endless"):
                wrong += 1
                print(f"{seed}: refused\n{text}{made.stderr}", flush=True)
                continue
            if made.returncode:
                continue
            ran += 1
            for k in range(8 if shown else 4):
                data = [rng.choice([0, 0, 1, 2, 3]) for _ in range(SIZE)] if k else [1] * SIZE
                search = Search(network, data)
                expected = search.outcome()
                if expected is None:
                    continue
                seen[expected] += 1
                if shown and expected != "ends":
                    wrong += 1
                    print(f"{seed}: said to end, and comes to {expected} with {data}\n{text}", flush=True)
                array = np.array(data, np.int32)
                plain = in_plain_python(text, folder, f"w_{seed}_{k}", array, count, k // 2)
                waits = {wait for each in search.deadlocks for wait in named(each)}
                if plain[0] != expected or plain[2] != waits:
                    wrong += 1
                    print(f"{seed}: {expected} {waits}, and in plain Python {plain} with {data}\n{text}", flush=True)
                if ran > given.run:
                    continue
                again = compiled(host, package, folder, array, count)
                seen["run"] += 1
                if again[0] != expected or again[1] != plain[1] or (expected == "deadlock" and not (again[2] and again[2] <= waits)):
                    wrong += 1
                    print(f"{seed}: {plain} {waits}, and compiled {again} with {data}\n{text}", flush=True)
    print(dict(seen.most_common()))
    few = [kind for kind in ("ends", "deadlock", "past", "left", "shown", "checked") if seen[kind] < given.count // 30]
    if few:
        print("too few:", few)
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
