"""How long an editor waits for the diagnostics of what was typed: a recorded session of edits on a program.

    bench/editor/latency.py --host build/plain/bin/htp-host [--lines 500] [--edits 200] [--seed 7] [--plugins PROFILE]

Each edit is sent, and timed until the diagnostics of that version are there; then comes the next. Also what a hover behind it takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/editor"))

import session  # noqa: E402
from client import Client, find  # noqa: E402


def shown(name: str, seconds: list[float]) -> str:
    if not seconds:
        return f"{name:<22} none"
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{name:<22} {len(ordered):>4}  median {statistics.median(ordered) * 1e3:6.1f} ms   p95 {p95 * 1e3:6.1f} ms   max {ordered[-1] * 1e3:6.1f} ms"


def processor(process: int) -> float:
    """Seconds of a processor that it took, with what it started and is over."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--plugins", default="")
    asked = parser.parse_args()
    text = session.program(asked.lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        client = Client(asked.host.resolve(), folder, *(["--plugins", asked.plugins] if asked.plugins else []))
        client.initialize()
        begun = time.monotonic()
        uri = client.open("kernels.py", text)
        client.checked(uri)
        opened = time.monotonic() - begun
        typed = session.Session(text, asked.seed)
        spent = processor(client.process.pid)
        by_kind: dict[str, list[float]] = {}
        hovers: list[float] = []
        for _ in range(asked.edits):
            change = typed.step()
            begun = time.monotonic()
            client.change(uri, change)
            client.checked(uri)
            by_kind.setdefault(typed.kind, []).append(time.monotonic() - begun)
            where = find(typed.text, "row = ")
            begun = time.monotonic()
            client.ask("textDocument/hover", client.at(uri, **where))
            hovers.append(time.monotonic() - begun)
        spent = processor(client.process.pid) - spent
        client.close()
    everything = [one for kind in by_kind.values() for one in kind]
    print(f"{asked.lines} lines, {text.count('@kernel')} kernels; opened in {opened * 1e3:.0f} ms")
    print(shown("all edits", everything))
    for kind in sorted(by_kind):
        print(shown("  " + kind, by_kind[kind]))
    print(shown("hover", hovers))
    print(f"an edit and a hover take {spent / asked.edits * 1e3:.1f} ms of a processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
