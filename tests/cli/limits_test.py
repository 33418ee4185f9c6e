"""Where the system gives no more, commands end with a diagnostic and an exit code of their own, and what was there before is whole: too little
memory, files that may grow no more, full disks, a working folder that is gone.

    limits_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPU = ROOT / "manifests/cpu.yaml"
PROGRAM = ROOT / "examples/vector_add/vector_add.py"
PIPELINE = ROOT / "examples/attention_pipeline/attention_pipeline.py"
HOST = Path()
MIB = 1 << 20


class Limits(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.package = self.folder / "package"
        self.run_host("--plugins", CPU, "compile", PROGRAM, "-o", self.package, code=0)
        self.run_host("build", self.package, code=0)

    def run_host(self, *words: object, code: int | None = None, memory: int = 0, file: int = 0, cwd: Path | None = None, cache: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            if file:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))

        environment = {**os.environ, "HTP_CACHE": cache or str(self.folder / "cache"), "CI": "1", **variables}
        done = subprocess.run([HOST, *map(str, words)], capture_output=True, text=True, env=environment, preexec_fn=limit, cwd=cwd or self.folder, timeout=120)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def assertTold(self, done: subprocess.CompletedProcess[str], what: str) -> None:
        """A success, or a diagnostic: no crash, no traceback, no word of C++."""
        self.assertIn(done.returncode, (0, 1, 3), f"{what}: {done.stderr}")
        if done.returncode:
            self.assertRegex(done.stderr, r"(?m)^error\[[a-z.-]+\]: ", what)
        self.assertNotRegex(done.stderr, r"Fatal Python|Traceback|bad_alloc|terminate called|File \"", what)

    def test_memory(self) -> None:
        commands: dict[str, list[object]] = {
            "compile": ["--plugins", CPU, "compile", PROGRAM, "-o", self.folder / "made"],
            "plan": ["--plugins", CPU, "plan", PROGRAM],
            "build": ["build", self.package],
            "run": ["run", self.package],
            "simulate": ["--plugins", CPU, "simulate", PIPELINE, "--dim", "S=64", "--dim", "T=64"],
            "plugins list": ["plugins", "list"],
            "ops": ["ops"],
        }
        enough = dict.fromkeys(commands, 0)
        for size in (*range(24, 160, 16), 200, 300):
            for name, words in commands.items():
                done = self.run_host(*words, memory=size * MIB, cache="off" if name in ("compile", "build") else "")
                if done.returncode == 127 or "error while loading shared libraries" in done.stderr:  # the loader had none
                    continue
                self.assertTold(done, f"{name} with {size} MiB")
                enough[name] = enough[name] or (size if done.returncode == 0 else 0)
        for name, size in enough.items():
            self.assertTrue(size, f"{name} takes more than 300 MiB of address space")

    def test_memory_in_json(self) -> None:
        done = self.run_host("--json", "--plugins", CPU, "compile", PROGRAM, "-o", self.folder / "made", memory=44 * MIB, cache="off")
        self.assertEqual([d["code"] for d in json.loads(done.stdout)["diagnostics"]], ["parse.no-interpreter"])
        told = set()
        for size in range(22, 40, 2):
            done = self.run_host("--json", "build", self.package, memory=size * MIB, cache="off")
            if "error while loading shared libraries" in done.stderr:
                continue
            if done.stdout:
                told |= {d["code"] for d in json.loads(done.stdout)["diagnostics"]}
            else:  # it could not even read its arguments
                self.assertTrue(done.stderr.startswith("error[cli.no-memory]: "), f"{size} MiB: {done.stderr}")
        self.assertIn("cli.no-memory", told)

    def test_files_that_may_grow_no_more(self) -> None:
        old = self.folder / "old"
        self.run_host("run", self.package, "--dim", "N=8", "--outputs", self.folder / "old.npz", "--trace", self.folder / "trace.json", code=0)
        self.run_host("--plugins", CPU, "compile", ROOT / "examples/softmax/softmax.py", "-o", old, code=0)
        before = self.contents()
        for limit in (1, 100, 1000, 5000):
            for words in (
                ["run", self.package, "--dim", "N=100000", "--outputs", self.folder / "old.npz", "--trace", self.folder / "trace.json"],
                ["--plugins", CPU, "compile", PROGRAM, "-o", old],
            ):
                done = self.run_host(*words, file=limit)
                self.assertTold(done, f"{words} with files of {limit} bytes")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(self.contents(), before)

    def contents(self) -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in sorted(self.folder.rglob("*")) if file.is_file() and "cache" not in file.parts}

    def test_a_full_disk(self) -> None:
        done = self.run_host("run", self.package, "--outputs", "/dev/full", code=1)
        self.assertRegex(done.stderr, r"^error\[io.unwritable\]: cannot write `/dev/full`: No space left on device")
        self.assertTold(done, "a full disk")
        done = self.run_host("--sarif", "/dev/full", "--plugins", CPU, "plan", PROGRAM)
        self.assertIn("No space left on device", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_a_disk_that_a_compiler_finds_full(self) -> None:
        compiler = self.folder / "bin/cc"
        compiler.parent.mkdir()
        compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit\necho "fatal error: error closing $TMPDIR/x.s: No space left on device" >&2\nexit 1\n')
        compiler.chmod(0o755)
        done = self.run_host("run", self.package, "--dim", "N=8", PATH=str(compiler.parent), TMPDIR=str(self.folder), cache=str(self.folder / "fresh"), code=1)
        self.assertRegex(done.stderr, rf"^error\[io.unwritable\]: cannot write `{self.folder}[^`]*`: No space left on device\n  = note: `cc` stopped: fatal error")
        self.assertIn("name another folder: `TMPDIR` for what is temporary, `HTP_CACHE` for what is built", done.stderr)

    def test_long_sums(self) -> None:
        """As long as Python's own parser takes them."""
        text = PROGRAM.read_text()
        program = self.folder / "long.py"
        for terms in (1000, 2400):
            program.write_text(text + "\n\nSUM = " + " + ".join(["1"] * terms) + "\n")
            for target in ("cpu", "a2a3sim"):
                self.run_host("--plugins", ROOT / f"manifests/{target}.yaml", "compile", program, "-o", self.folder / "long", code=0)
        self.assertIn("a[i] + b[i]", text)
        program.write_text(text.replace("a[i] + b[i]", "a[i] + b[i]" + " + a[i] - a[i]" * 600))
        self.run_host("--plugins", CPU, "compile", program, "-o", self.folder / "long", code=0)

    def test_a_stack_that_may_not_grow(self) -> None:
        program = self.folder / "long.py"
        program.write_text(PROGRAM.read_text() + "\n\nSUM = " + " + ".join(["1"] * 1000) + "\n")
        words = [HOST, "--plugins", CPU, "compile", program, "-o", self.folder / "long"]
        done = subprocess.run(["sh", "-c", 'ulimit -s 8192; exec "$@"', "sh", *map(str, words)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"^error\[pipeline\.too-deep\]: the program is nested 100\d levels deep; 5\d\d is the most that can be compiled")

    def test_a_folder_that_is_gone(self) -> None:
        gone = self.folder / "gone"
        gone.mkdir()
        script = 'rmdir "$PWD" && exec "$@"'
        for words in (["--plugins", CPU, "compile", PROGRAM, "-o", "htp-made-nowhere"], ["run", self.package, "--outputs", "htp-made-nowhere.npz"]):
            gone.mkdir(exist_ok=True)
            done = subprocess.run(["sh", "-c", script, "sh", HOST, *map(str, words)], capture_output=True, text=True, cwd=gone, env={**os.environ, "HTP_CACHE": "off"})
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertTrue(done.stderr.startswith("error[cli.no-folder]: "), done.stderr)
            self.assertFalse([name for name in os.listdir("/") if re.match("htp-made", name)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
