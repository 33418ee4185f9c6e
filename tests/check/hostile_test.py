"""Hostile behaviour of a plugin's units, a row each: what `compile` says of it, and `plugins check`. Whatever it does, the command ends, names who did it,
and leaves neither a package nor a process. As root, and as a user without rights.

    hostile_test.py --host build/plain/bin/htp-host --build build/plain [NAME …]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TOY = Path(__file__).resolve().parent / "toy"
HOST, BUILD = Path(), Path()
NOBODY = 65534
UNIT = r"`toy\.[\w-]+`"
OURS = r"plugin `test\.toy`"


@dataclass
class Row:
    """One behaviour: a BREAK of toy.c."""

    code: int  # of compile
    said: str  # the code of its diagnostic, or of a warning; and what stands in its message
    words: str
    check: str  # the check that fails, and no other
    package: bool = False  # whether there is one all the same


ROWS = {
    "survives": Row(3, "cli.plugin-crashes", f"{OURS} crashed, in {UNIT}: Segmentation fault", "survives"),
    "leaves_the_process": Row(3, "cli.plugin-exits", f"{OURS} ended the process, in {UNIT}", "leaves-the-process"),
    "contains_exceptions": Row(3, "pipeline.threw", f"an exception came out of {UNIT} of {OURS}: out of toys", "contains-exceptions"),
    "forks_once": Row(3, "pipeline.left-process", f"{UNIT} of {OURS} started a process, and left it", "ends-threads"),
    "keeps_host": Row(3, "pipeline.changed-host", f"{UNIT} of {OURS} wrote into the host: into the table of functions", "keeps-host"),
    "keeps_head": Row(3, "pipeline.changed-host", f"{UNIT} of {OURS} wrote into the host: into the tree's head", "keeps-host"),
    "keeps_arithmetic": Row(0, "pipeline.changed-arithmetic", f"{UNIT} of {OURS} left floating point rounding another way", "keeps-arithmetic", True),
    "keeps_folder": Row(0, "pipeline.changed-folder", f"{UNIT} of {OURS} left another working folder", "keeps-folder", True),
    "traps": Row(0, "pipeline.changed-arithmetic", f"{UNIT} of {OURS} left floating point trapping exceptions", "keeps-arithmetic", True),
}


def processes(mark: str) -> list[str]:
    """The processes that have the mark in their environment, dead ones that nobody waited for too."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            ours = mark.encode() in (process / "environ").read_bytes()
            found += [f"{process.name} {(process / 'cmdline').read_bytes()[:80]!r}"] if ours else []
        except OSError:
            continue
    return found


class Trial:
    """One plugin in a folder of its own, tried by a user."""

    def __init__(self, folder: Path, library: str, user: int) -> None:
        self.folder, self.user = folder, user
        self.mark = f"HTP_HOSTILE={library}-{os.getpid()}-{time.monotonic_ns()}"
        plugin = folder / "toy"
        shutil.copytree(TOY, plugin, ignore=shutil.ignore_patterns("*.c", "*.cpp", "__pycache__"))
        shutil.copy(BUILD / "fixtures/check" / library / "libtoy.so", plugin / "libtoy.so")
        (folder / "toy.yaml").write_text("htp_profile: 1\ntarget: toy\npipeline: toy.default\nsearch:\n  - .\n")
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, user, user)
            path.chmod(0o755 if path.is_dir() else 0o644)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        name, _, value = self.mark.partition("=")
        variables = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "NO_COLOR": "1", "CI": "1", name: value}
        process = subprocess.Popen(
            [HOST, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, env=variables, user=self.user, group=self.user, extra_groups=[], start_new_session=True
        )
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += "\nit did not end"
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def left(self) -> str:
        """What is still there, after a moment: a process that is killed takes one."""
        for _ in range(100):
            if not (found := processes(self.mark)):
                return ""
            time.sleep(0.01)
        return f"there is still {found}"

    def compiled(self, row: Row, *words: str) -> str:
        done = self.run("--plugins", "toy.yaml", "--json", "compile", *words, "toy/examples/main.py", "-o", "out")
        wrong = []
        if done.returncode != row.code:
            wrong.append(f"exit {done.returncode}")
        try:
            said = {d["code"]: d["message"] for d in reversed(json.loads(done.stdout)["diagnostics"])}
        except (ValueError, KeyError):
            return f"exit {done.returncode}, no answer: {done.stdout[:300]!r} {done.stderr[-600:]!r}"
        if not re.fullmatch(row.words, said.get(row.said, "")):
            wrong.append(f"says {said}")
        if (self.folder / "out").exists() != row.package:
            wrong.append("there is a package" if not row.package else "there is no package")
        wrong += [text for text in [self.left()] if text]
        wrong += [f"{path.name} is left" for path in self.folder.iterdir() if path.name not in ("toy", "toy.yaml", "cache", "out")]
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return "; ".join(wrong)

    def checked(self, row: Row) -> str:
        done = self.run("--json", "plugins", "check", "toy")
        try:
            checks = json.loads(done.stdout)["plugins"][0]["checks"]
        except (ValueError, KeyError, IndexError):
            return f"exit {done.returncode}, no answer: {done.stdout[:300]!r} {done.stderr[-600:]!r}"
        failed = [check["name"] for check in checks if check["verdict"] in ("failed", "warned")]
        wrong = [] if failed == [row.check] and done.returncode in (1, 3) else [f"exit {done.returncode}, failed {failed}"]
        wrong += [text for text in [self.left()] if text]
        return "; ".join(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    global HOST, BUILD
    HOST, BUILD = arguments.host.resolve(), arguments.build.resolve()
    users = [0, NOBODY] if os.getuid() == 0 else [os.getuid()]
    failures = 0
    for name, row in ROWS.items():
        if arguments.names and name not in arguments.names:
            continue
        for user in users:
            with tempfile.TemporaryDirectory(prefix="hostile ") as where:
                trial = Trial(Path(where), name, user)
                for way, wrong in {"compile": trial.compiled(row), "check": trial.checked(row)}.items():
                    print(f"{'FAILED ' if wrong else 'ok     '} {name}, {way}, as {'root' if user == 0 else 'nobody'}{': ' + wrong if wrong else ''}", flush=True)
                    failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
