"""What `htp-host graph` says of random workloads: their tasks, run in any order that the dependences allow, compute the same bits; and no
dependence is told that touches nothing both use.

    tasks.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from htp.testing import import_program

ROOT = Path(__file__).resolve().parents[2]
TENSORS = "abcd"
HEAD = """import htp
from htp import In, InOut, f32
from htp_tile import Tensor, reduce_max
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w({parameters}) -> None:
"""
# Of tasks: what is stored, and from what; {n} is the loop's own number. In the last what is read is not what is stored.
FORMS = [
    "for p{n} in P(M):\n        {y}[p{n}, :] = {x}[p{n}, :] * 0.5 + {z}[p{n}, :]",
    "for p{n} in P(M):\n        for q{n} in P(N):\n            {y}[p{n}, q{n}] = {x}[p{n}, q{n}] - {z}[p{n}, q{n}]",
    "for p{n} in P(N):\n        {y}[:, p{n}] = {x}[:, p{n}] * 0.25",
    "{y}[:, :] = {x}[:, :] + 1.0",
    "v{n} = reduce_max({x}[:, :], axis=0)\n    for p{n} in P(M):\n        {y}[p{n}, :] = v{n} * 0.125",
]


def program(parts: list[str]) -> str:
    stored = {t for t in TENSORS for part in parts if re.search(rf"\b{t}\[[^=]*\] = ", part)}
    parameters = ", ".join(f"{t}: {'InOut' if t in stored else 'In'}[Tensor[f32, M, N]]" for t in TENSORS)
    return HEAD.format(parameters=parameters) + "".join(f"    {part}\n" for part in parts)


def graph(host: Path, text: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.py"
        path.write_text(text)
        command = [str(host), "--plugins", str(ROOT / "manifests/cpu.yaml"), "--json", "graph", str(path), "--stage", "source"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=os.environ)
        assert done.returncode == 0, done.stdout + done.stderr + text
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def computed(text: str) -> list[bytes]:
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal((7, 5)).astype(np.float32) for _ in TENSORS]
    import_program(text, "w").w(*arrays)
    return [array.tobytes() for array in arrays]


def check(host: Path, seed: int) -> int:
    """One random workload; how many dependences it has."""
    rng = random.Random(seed)
    parts: list[str] = []
    for n in range(rng.randint(3, 6)):
        form = rng.choice(FORMS)
        y, *others = rng.sample(TENSORS, 3)
        if form != FORMS[-1] and rng.random() < 0.4:
            others[0] = y  # its own block
        parts.append(form.format(n=n, y=y, x=others[0], z=others[1]))
    text = program(parts)
    told = graph(host, text)
    # A part that binds a value first is two tasks, or one with the statements before it.
    statements = [line for part in parts for line in _statements(part)]
    tasks = told["tasks"]
    groups: list[list[str]] = []
    rest = list(statements)
    for task in tasks:
        loop = task["kind"] == "loop"
        take = 1 if loop else next((k for k, s in enumerate(rest) if s.startswith("for ")), len(rest))
        groups.append(rest[:take])
        rest = rest[take:]
    assert not rest, (text, tasks)
    number = {task["id"]: k for k, task in enumerate(tasks)}
    before = {k: set[int]() for k in number.values()}
    for edge in told["dependences"]:
        assert number[edge["from"]] < number[edge["to"]], edge
        assert not edge["carried"], edge
        first, second = (tasks[number[edge[end]]] for end in ("from", "to"))
        if edge["of"] in TENSORS:
            assert edge["of"] in first["writes"] + first["reads"] and edge["of"] in second["writes"] + second["reads"], edge
            assert edge["of"] in first["writes"] + second["writes"], edge
        before[number[edge["to"]]].add(number[edge["from"]])
    wanted = computed(text)
    for _ in range(3):
        order: list[int] = []
        while len(order) < len(tasks):
            order.append(rng.choice([k for k in before if k not in order and before[k] <= set(order)]))
        again = program([statement for k in order for statement in groups[k]])
        assert computed(again) == wanted, f"in the order {[k + 1 for k in order]} it computes something else:\n{text}\n{again}"
    return sum(len(needed) for needed in before.values())


def _statements(part: str) -> list[str]:
    lines = part.split("\n")
    found: list[str] = []
    for line in lines:
        if line.startswith("     ") or (found and line.startswith("        ")):
            found[-1] += "\n" + line
        else:
            found.append(line.strip())
    return found


def sensitive(host: Path) -> None:
    """A dependence that was left out would be seen: two tasks that need each other, exchanged, compute something else."""
    first = "for p in P(M):\n        b[p, :] = a[p, :] * 0.5"
    second = "for q in P(M):\n        c[q, :] = b[q, :] + 1.0"
    text = program([first, second])
    edges = [(e["from"], e["to"], e["of"], e["kind"], e["needs"]) for e in graph(host, text)["dependences"]]
    assert edges == [("1", "2", "b", "flow", "same")], edges
    assert computed(text) != computed(program([second, first]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500 if os.environ.get("HTP_LONG") == "1" else 15)
    options = parser.parse_args()
    host = options.host.resolve()
    sensitive(host)
    edges = sum(check(host, seed) for seed in range(options.first, options.first + options.count))
    assert edges > options.count, edges
    print(f"{options.count} workloads with {edges} dependences, in 3 orders each: the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
