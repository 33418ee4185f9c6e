"""Ctrl-C and TERM end htp-host together with the tools it runs and what they started, and it says so with exit code 130.

    interrupt_test.py --host build/dev/bin/htp-host --build build/dev
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = '#!/bin/sh\ncase "$1" in --version) echo 1; exit;; esac\nsleep 600 & echo $$ $! > "$PIDS.new"; mv "$PIDS.new" "$PIDS"; wait\n'
FAULTY = "import htp\nfrom htp_faulty import entry\n\n@entry\ndef main() -> None:\n    x = 1 + 2\n"


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def within(seconds: float, holds: object) -> bool:
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    host, build = options.host.resolve(), options.build.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for tool in ("compiler", "no-such-tool-anywhere"):
            (folder / tool).write_text(TOOL)
            (folder / tool).chmod(0o755)
        (folder / "faulty.yaml").write_text(f"htp_profile: 1\ntarget: faulty\nsearch:\n  - {build}/fixtures/faulty\noptions:\n  faulty.pass:\n    fault: tool\n")
        (folder / "a.py").write_text(FAULTY)
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "PATH": f"{folder}:{os.environ['PATH']}", "CC": "compiler"}
        compiled = [host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", ROOT / "examples/vector_add/vector_add.py", "-o", folder / "package"]
        subprocess.run(compiled, env=environment, check=True, stdout=subprocess.DEVNULL)
        commands: list[tuple[list[str | Path], str]] = [
            (["build", folder / "package"], "interrupted\n"),
            (["run", folder / "package"], "interrupted\n"),
            (["--plugins", folder / "faulty.yaml", "compile", folder / "a.py", "-o", folder / "none"], "interrupted; nothing was changed\n"),
        ]
        for number, (command, said) in enumerate(commands):
            for sent in (signal.SIGINT, signal.SIGTERM):
                pids = folder / f"pids-{number}-{sent}"
                process = subprocess.Popen([host, *command], env={**environment, "PIDS": str(pids)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                started = within(60, lambda: pids.exists() or process.poll() is not None) and pids.exists()
                process.send_signal(sent)
                try:
                    out, err = process.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
                running = [int(pid) for pid in pids.read_text().split()] if started else []
                gone = within(10, lambda: not any(map(alive, running)))
                for pid in filter(alive, running):
                    os.kill(pid, signal.SIGKILL)
                if not (started and gone and process.returncode == 130 and err == said and out == "") or (folder / "none").exists():
                    failed += 1
                    print(f"FAILED {command[0]} {sent.name}: started {started}, all gone {gone}, exit {process.returncode}, said {out!r} {err!r}")
    print("all passed" if not failed else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
