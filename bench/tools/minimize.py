#!/usr/bin/python3
"""How small `htp-host minimize --keeps differs` makes programs that a faulty pass miscompiles, and how long it takes.

    bench/tools/minimize.py build/plain [--target cpu|a2a3|aie] [--seconds 60] [--of 16] [--seed 1] [--jobs 1]

A faulty pass takes one operation for another, everywhere in the typed stage. Programs and faults are drawn by a seed; those that a fault does not change are passed over.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULTS = {
    "operands of sub": ('case ast.Call(func=ast.Attribute(attr="sub"), args=[a, b]):', "node.args = [b, a]"),
    "operands of div": ('case ast.Call(func=ast.Attribute(attr="div"), args=[a, b]):', "node.args = [b, a]"),
    "sub for add": ('case ast.Call(func=ast.Attribute(attr="add") as called):', 'called.attr = "sub"'),
    "add for mul": ('case ast.Call(func=ast.Attribute(attr="mul") as called):', 'called.attr = "add"'),
    "min for max": ('case ast.Call(func=ast.Attribute(attr="reduce_max") as called):', 'called.attr = "reduce_min"'),
    "tanh for exp": ('case ast.Call(func=ast.Attribute(attr="exp") as called):', 'called.attr = "tanh"'),
    "a larger start": ('case ast.Call(func=ast.Attribute(attr="zeros") as called, args=[dtype, *extents]):', 'called.attr, node.args = "full", [dtype, ast.Constant(1.0), *extents]'),
}
PASS = """import ast


def change(tree, c):
    for node in ast.walk(tree):
        match node:
            {case}
                {change}
"""
MANIFEST = """htp_manifest: 1
plugin:
  id: acme.faulty
  version: "1.0.0"
  doc: a pass that has a fault
python:
  module: faulty
  path: .
units:
  - kind: pass
    name: faulty.change
    doc: changes what is computed
    code: faulty:change
    requires:
      - Tile.Typed
  - kind: pipeline
    name: faulty.default
    passes:
      - faulty.change
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--of", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    programs = sorted(path for path in (ROOT / "examples").glob("*/*.py") if path.stem == path.parent.name)
    pairs = [(program, fault) for program in programs for fault in FAULTS]
    random.Random(options.seed).shuffle(pairs)
    lines: list[int] = []
    for program, fault in pairs:
        if len(lines) == options.of:
            break
        with tempfile.TemporaryDirectory() as folder:
            answer = minimized(options, program, fault, Path(folder))
        if answer is not None:
            lines.append(answer["lines"])
            print(f"{program.stem:24} {fault:16} {answer['lines']:3} lines of {len(program.read_text().splitlines()):3}, {answer['candidates']:4} candidates, {answer['seconds']:5.1f} s", flush=True)
    print(f"{sum(one <= 15 for one in lines)} of {len(lines)} have 15 lines or fewer")
    return 0


def minimized(options: argparse.Namespace, program: Path, fault: str, folder: Path) -> dict[str, float] | None:
    plugin = folder / "plugins/faulty"
    plugin.mkdir(parents=True)
    case, change = FAULTS[fault]
    (plugin / "faulty.py").write_text(PASS.format(case=case, change=change))
    (plugin / "htp-plugin.yaml").write_text(MANIFEST)
    (folder / "profile.yaml").write_text(f"htp_profile: 1\ntarget: {options.target}\npipeline: faulty.default\nsearch:\n  - plugins\n")
    command = [options.build / "bin/htp-host", "--json", "--plugins", folder / "profile.yaml", "minimize", program, "--keeps", "differs", "-o", folder / "small", "--seconds", str(options.seconds)]
    if options.target == "aie":
        names = [line.split(" = ")[0] for line in program.read_text().splitlines() if " = htp.dim(" in line]
        command += [word for name in names for word in ("--set", f"{name}=32")]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    answer: dict[str, float] = json.loads(done.stdout)
    return {**answer, "seconds": time.monotonic() - begin}


if __name__ == "__main__":
    raise SystemExit(main())
