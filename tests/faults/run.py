"""Seeds each fault of faults.py in a copy of the tree, and runs the tests that are to find it: what shows that the short suite finds as much.

    run.py [--check] [NAME …]      every fault, or those whose name begins so; --check: only whether 40 stand once in the tree

The copy is build/faults/tree, with a plain build of its own. Tests that never end find a fault too. What was found of a fault is kept in build/faults/found.json and not asked again until its
row changes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from faults import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("host", "plugins", "sdk/include", "sdk/lib", "sdk/python")
COPY = ROOT / "build/faults/tree"
FOUND = ROOT / "build/faults/found.json"
LEAST = 40


def tracked(*folders: str) -> list[str]:
    """The files of the tree."""
    return subprocess.run(["git", "ls-files", "--", *folders], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def places() -> dict[str, list[str]]:
    """The files in which each fault's text stands, once for each time."""
    texts = {name: (ROOT / name).read_text(errors="replace") for name in tracked(*FOLDERS) if name.endswith((".cpp", ".h", ".py", ".def", ".c"))}
    return {fault.name: [name for name, text in texts.items() for _ in range(text.count(fault.old))] for fault in FAULTS}


def run(*command: str | Path, slice: str = "0/4") -> bool:
    done = subprocess.run(list(map(str, command)), cwd=COPY, capture_output=True, text=True, env={**os.environ, "HTP_SLICE": slice})
    return done.returncode == 0


def copied() -> None:
    """Brings the copy up to the tree: only what differs is written, so that ninja builds only that."""
    wanted = tracked()
    for name in wanted:
        source, there = ROOT / name, COPY / name
        if source.is_symlink() or not source.exists():
            continue
        if not there.exists() or there.read_bytes() != source.read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, there)
    for there in [path for path in COPY.rglob("*") if path.is_file() and path.relative_to(COPY).parts[0] != "build"]:
        if str(there.relative_to(COPY)) not in set(wanted):
            there.unlink()


def seeded(fault: Fault, file: Path) -> str:
    """What becomes of one fault: "caught", "missed", or what is wrong with the row."""
    text = file.read_text()
    file.write_text(text.replace(fault.old, fault.new))
    try:
        if fault.targets and not run("ninja", "-C", "build/plain", *fault.targets.split()):
            return "does not build"
        return "missed" if run("ctest", "--preset", "plain", "--timeout", "400", "-R", fault.tests, slice=fault.slice) else "caught"
    finally:
        file.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    where = places()
    stale = [f"{name}: it stands {len(files)} times in the tree, not once: {' '.join(files)}" for name, files in where.items() if len(files) != 1]
    print(*stale, sep="\n", end="\n" if stale else "")
    if given.check or len(FAULTS) - len(stale) < LEAST:
        print(f"{len(FAULTS) - len(stale)} faults stand in the tree, at least {LEAST} are to")
        return 1 if len(FAULTS) - len(stale) < LEAST else 0
    COPY.mkdir(parents=True, exist_ok=True)
    copied()
    if not run("cmake", "--preset", "plain") or not run("ninja", "-C", "build/plain"):
        print("the tree does not build without a fault")
        return 3
    found = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    for fault in FAULTS:
        key = repr(fault)
        if found.get(key) != "caught" and len(where[fault.name]) == 1 and (not given.names or fault.name.startswith(tuple(given.names))):
            found[key] = seeded(fault, COPY / where[fault.name][0])
            FOUND.write_text(json.dumps(found, indent=1))
            print(f"{found[key]}: {fault.name}", flush=True)
    asked = [found[repr(fault)] for fault in FAULTS if repr(fault) in found]
    print(f"{asked.count('caught')} caught, {len(asked) - asked.count('caught')} not, of {len(FAULTS)}")
    return 0 if all(verdict == "caught" for verdict in asked) else 1


if __name__ == "__main__":
    sys.exit(main())
