"""What `run --trace` tells of a pipeline: a track for each process, on which it works or waits from its beginning to its end, each span at a line of that process;
who waits waits at a put or a get of the channel that is named, or a loop over it. Nothing of it depends on which of them is faster.

    traces.py --host build/dev/bin/htp-host [NAME …]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TRACED = {
    "attention_pipeline": "S=40 T=60",
    "rates": "M=40 N=200",
    "scatter_gather": "M=40 N=64",
    "systolic": "",
    "nested_pipelines": "",
    "fewer_processes": "",
    "stream_quantise": "M=100 N=64",
    "run_lengths": "R=40 M=50 N=64",
    "work_farm": "M=40 N=64",
}
"""Examples, and sizes; a rendezvous, broadcasts, arrays, grids, schedules, nested pipelines and checked channels are among them."""
WAITS = re.compile(r"waits for (an item of|capacity in|a reader of) `([A-Za-z_0-9]+)(\[[0-9, ]+\])?`")


def processes_of(source: str) -> dict[str, list[tuple[int, int]]]:
    """The lines of each process, by its name; of several pipelines it may be several."""
    found = defaultdict(list)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any("process" in ast.unparse(mark) for mark in node.decorator_list):
            found[node.name].append((min(mark.lineno for mark in node.decorator_list), node.end_lineno or 0))
    return found


def statement_at(source: str, line: int) -> str:
    """The innermost statement that stands there, as text."""
    over = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)]
    return ast.unparse(max(over, key=lambda node: (node.lineno, -(node.end_lineno or 0))))


def faults(program: Path, events: list[dict[str, Any]]) -> list[str]:
    source = program.read_text()
    tracks = {event["tid"]: event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    spans = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            spans[tracks[event["tid"]]].append(event)
    wrong = []
    whole = spans.pop("cpu", [])
    if len(whole) != 1:
        return [f"{len(whole)} events of the whole run"]
    if len(spans) < 2:
        wrong.append("no track for each process")
    lines = [line for several in processes_of(source).values() for line in several]
    for track, own in spans.items():
        at = own[0]["ts"]
        for span in own:
            if abs(span["ts"] - at) > 0.002:
                wrong.append(f"{track}: a gap before {span}")
            at = span["ts"] + span["dur"]
            if "args" not in span:
                wrong.append(f"{track}: no line of {span}")
                continue
            line = span["args"]["line"]
            if not any(first <= line <= last for first, last in lines):
                wrong.append(f"{track}: line {line} is in no process: {span}")
            if waits := WAITS.fullmatch(span["name"]):
                text, channel = statement_at(source, line), waits[2]
                called = ".get()" if waits[1] == "an item of" else ".put("
                if waits[1] == "an item of" and re.match(rf"for \w+ in {channel}\b", text):
                    continue
                # A channel that was given to a pipeline has another name there.
                if called not in text or (f"{channel}{called}" not in text and f"{channel}[" not in text and "Channel" not in source):
                    wrong.append(f"{track}: {span['name']} at line {line}: {text}")
            elif span["name"] != "works":
                wrong.append(f"{track}: what is {span}?")
        if own[0]["ts"] + 0.002 < whole[0]["ts"] or at > whole[0]["ts"] + whole[0]["dur"] + 0.002:
            wrong.append(f"{track}: outside of the run")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    failed, waits = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in given.names or TRACED:
            program = ROOT / f"examples/{name}/{name}.py"
            package, trace = Path(folder) / f"{name}.htp", Path(folder) / f"{name}.json"
            sizes = [word for size in TRACED.get(name, "").split() for word in ("--dim", size)]
            compiles: list[str | Path] = ["--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", package]
            runs: list[str | Path] = ["run", package, *sizes, "--trace", trace]
            for command in (compiles, runs):
                done = subprocess.run([given.host, *command], capture_output=True, text=True, check=False, env={**os.environ})
                if done.returncode:
                    raise RuntimeError(f"{name}: {done.stderr}")
            events = json.loads(trace.read_text())["traceEvents"]
            waits += sum("waits" in event["name"] for event in events)
            for text in faults(program, events)[:8]:
                failed += 1
                print(f"{name}: {text}")
    print(f"{waits} waits, {failed} faults")
    if not waits:
        raise AssertionError("nobody ever waited")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
