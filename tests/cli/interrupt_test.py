"""Ctrl-C and TERM end htp-host, whatever it does, with the tools it runs and what they started: exit code 130, and nothing half-written.

    interrupt_test.py --host build/dev/bin/htp-host --build build/dev [--trials 40 --seed 1]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPU, A2A3 = ROOT / "manifests/cpu.yaml", ROOT / "manifests/a2a3.yaml"
TOOL = '#!/bin/sh\ncase "$1" in --version) echo 1; exit;; esac\nsleep 600 & echo $$ $! > "$PIDS.new"; mv "$PIDS.new" "$PIDS"; : > "${TMPDIR:-/tmp}/half"; wait\n'
FAULTY = "import htp\nfrom htp_faulty import entry\n\n@entry\ndef main() -> None:\n    x = 1 + 2\n"
HEAD = "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, exp, kernel, tiles\n\nM = htp.dim('M')\n\n"
LIMIT = 0.3
"""From the signal to the end, in seconds, where nobody else has the processor."""
LONGEST = 5.0


def chain(steps: int, *, head: str = HEAD, work: str = "a {sign} {number}.5") -> str:
    """A kernel of so many operations, each on the one before."""
    lines = [f"        a = {work.format(sign='+-*'[k % 3], number=k % 7 + 1)}\n" for k in range(steps)]
    return f"{head}@kernel\ndef chain(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:\n    for i in tiles(M, 8):\n        a = x[i, :]\n{''.join(lines)}        y[i, :] = a\n"


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def of_marker(marker: str) -> list[int]:
    """The processes with this in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            pass
    return [pid for pid in found if alive(pid)]


def within(seconds: float, holds: object) -> bool:
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def stretch() -> float:
    """How many times longer than alone something takes here now."""
    begin, took = time.perf_counter(), time.process_time()
    while time.process_time() - took < 0.05:
        pass
    return (time.perf_counter() - begin) / (time.process_time() - took)


def contents(folder: Path) -> dict[str, str]:
    """Each file beneath, with its digest."""
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.rglob("*")) if file.is_file()}


class Tests:
    def __init__(self, host: Path, build: Path, folder: Path) -> None:
        self.host = host
        self.build = build
        self.folder = folder
        self.failed = 0

    def fail(self, said: str) -> None:
        self.failed += 1
        print(f"FAILED {said}")

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.temporary), "HTP_CACHE": str(self.folder / "cache"), "CI": "1", **more}

    @property
    def temporary(self) -> Path:
        made = self.folder / "temporary"
        made.mkdir(exist_ok=True)
        return made

    def done(self, *words: object) -> None:
        subprocess.run([self.host, *words], env=self.environment(), check=True, stdout=subprocess.DEVNULL)

    # ── tools, and what they started ──

    def tools(self) -> None:
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ("compiler", "no-such-tool-anywhere"):
            (tools / tool).write_text(TOOL)
            (tools / tool).chmod(0o755)
        profile, package = self.folder / "faulty.yaml", self.folder / "package"
        profile.write_text(f"htp_profile: 1\ntarget: faulty\nsearch:\n  - {self.build}/fixtures/faulty\noptions:\n  faulty.pass:\n    fault: tool\n")
        (self.folder / "a.py").write_text(FAULTY)
        environment = self.environment(PATH=f"{tools}:{os.environ['PATH']}", CC="compiler")
        self.done("--plugins", CPU, "compile", ROOT / "examples/vector_add/vector_add.py", "-o", package)
        commands: list[tuple[list[str | Path], str]] = [
            (["build", package], "interrupted\n"),
            (["run", package], "interrupted\n"),
            (["--plugins", profile, "compile", self.folder / "a.py", "-o", self.folder / "none"], "interrupted; nothing was changed\n"),
        ]
        for number, (command, said) in enumerate(commands):
            for sent in (signal.SIGINT, signal.SIGTERM):
                pids = self.folder / f"pids-{number}-{sent}"
                process = subprocess.Popen([self.host, *command], env={**environment, "PIDS": str(pids)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
                left = [file.name for file in self.temporary.iterdir()]
                if not (started and gone and process.returncode == 130 and err == said and out == "") or (self.folder / "none").exists() or left:
                    self.fail(f"{command[0]} {sent.name}: started {started}, all gone {gone}, exit {process.returncode}, said {out!r} {err!r}, left {left}")

    # ── at any moment ──

    def moments(self, trials: int, seed: int) -> None:
        """Signals at random moments of long work, over an old output."""
        chosen = random.Random(seed)
        late = []
        for long in self.long_work():
            late += [self.interrupted(long, chosen) for _ in range(trials)]
        usual = statistics.median(late)
        print(f"{len(late)} interrupts; from the signal to the end {usual:.3f} s as a rule, {max(late):.3f} s at most, by a share of the processor")
        if usual > LIMIT or max(late) > LONGEST:
            self.fail(f"ends {usual:.3f} s after the signal as a rule and {max(late):.3f} s at most")

    def long_work(self) -> list[Long]:
        inputs = self.folder / "inputs"
        inputs.mkdir()
        (inputs / "long.py").write_text(chain(4000))
        (inputs / "many.py").write_text(chain(60))
        choices = ", ".join(map(str, range(1, 60)))
        (inputs / "choices.py").write_text(
            f"{HEAD}ROWS = htp.choice({choices})\n\n@kernel\ndef add(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:\n"
            "    for i in tiles(M, ROWS):\n        y[i, :] = x[i, :] + 1.0\n"
        )
        package = self.folder / "work.htp"
        self.done("--plugins", CPU, "compile", inputs / "many.py", "-o", package)
        self.done("build", package)
        old = ROOT / "examples/vector_add/vector_add.py"
        out = self.folder / "out"
        return [
            Long("compile", ["--plugins", CPU, "compile", inputs / "long.py", "-o", out / "package"], 2.0, [["--plugins", CPU, "compile", old, "-o", out / "package"]]),
            Long("compile a2a3", ["--plugins", A2A3, "compile", inputs / "long.py", "-o", out / "package"], 4.0, [["--plugins", A2A3, "compile", old, "-o", out / "package"]]),
            Long("plan", ["--plugins", CPU, "plan", inputs / "long.py"], 1.0),
            Long("build", ["build", package, "--into", out / "built"], 1.0, [["build", package, "--into", out / "built"]], new_cache=True),
            Long("run", ["run", package, "--dim", "M=400000", "--outputs", out / "out.npz"], 3.0, [["run", package, "--dim", "M=8", "--outputs", out / "out.npz"]]),
            Long("bench", ["bench", package, "--dim", "M=40000", "--seconds", "9"], 3.0),
            Long("tune", ["--plugins", CPU, "tune", inputs / "choices.py", "--budget", "60", "--dim", "M=4096", "--kept", out / "kept.json", "-o", out / "best.py"], 3.0, kept=True),
            Long("simulate", ["--plugins", CPU, "simulate", ROOT / "examples/attention_pipeline/attention_pipeline.py", "--dim", "S=2048", "--dim", "T=4096", "--choose-capacities", "--trace", out / "trace.json"], 0.5),
            Long("check", ["plugins", "check", self.build / "plugins/backend-cpu"], 4.0),
        ]

    def interrupted(self, long: Long, chosen: random.Random) -> float:
        """How long after the signal the command ended."""
        out = self.folder / "out"
        subprocess.run(["rm", "-rf", out], check=True)
        out.mkdir()
        for words in long.before:
            self.done(*words)
        before = contents(out)
        sent, moment = chosen.choice((signal.SIGINT, signal.SIGTERM)), chosen.uniform(0.02, long.seconds)
        cache = tempfile.mkdtemp(dir=self.folder) if long.new_cache else str(self.folder / "cache")
        marker = f"HTP_MARKER={chosen.random()}"
        name, _, value = marker.partition("=")
        slow = stretch()
        process = subprocess.Popen([self.host, *long.words], env=self.environment(**{name: value, "HTP_CACHE": cache}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=out)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            pass
        begin = time.monotonic()
        process.send_signal(sent)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
        took = time.monotonic() - begin
        told = f"{long.name} {sent.name} after {moment:.3f} s"
        if process.returncode not in (130, 0, -sent):  # it may have ended by itself just before, or not begun to take signals
            self.fail(f"{told}: exit {process.returncode}, {err!r}")
        if process.returncode == 130 and not err.endswith(("interrupted\n", "interrupted; nothing was changed\n", "did not stop by itself\n")) and not long.kept:
            self.fail(f"{told}: said {err!r}")
        after = contents(out)
        if process.returncode != 0 and after != before and not long.kept:
            self.done(*long.words)
            if after != contents(out):  # it had just been done
                self.fail(f"{told}: before {sorted(before)}, then {sorted(after)}, changed {[f for f in before if after.get(f) != before[f]]}")
        if not within(5, lambda: not of_marker(marker)):
            self.fail(f"{told}: still running {of_marker(marker)}")
        left = [file.name for file in self.temporary.iterdir()]
        if left:
            self.fail(f"{told}: left {left}")
            subprocess.run(["rm", "-rf", self.temporary], check=True)
        return took / max(slow, stretch())


@dataclass
class Long:
    """A command that takes about so long, and those that make the output which it would replace."""

    name: str
    words: list[str | Path]
    seconds: float
    before: list[list[str | Path]] = field(default_factory=list)
    new_cache: bool = False
    kept: bool = False
    """It keeps what it knows, and answers with it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        tests = Tests(options.host.resolve(), options.build.resolve(), Path(name))
        tests.tools()
        print(f"seed {options.seed}")
        tests.moments(options.trials, options.seed)
    print("all passed" if not tests.failed else f"{tests.failed} failed")
    return 1 if tests.failed else 0


if __name__ == "__main__":
    sys.exit(main())
