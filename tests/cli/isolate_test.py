"""`compile --isolate`: plugins run in a process of their own. The package and what is said are those of a compile without it; whatever a plugin
does to its process, htp-host says so, and writes nothing.

    isolate_test.py --host build/dev/bin/htp-host --build build/dev
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

from given import FAULTY
from interrupt_test import of_marker, within

ROOT = Path(__file__).resolve().parents[2]
HOST, BUILD = Path(), Path()
PROFILES = ["cpu", "a2a3sim", "aie"]


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.marker = Path(folder.name), uuid.uuid4().hex
        self.environment = {**os.environ, "HTP_CACHE": "off", "MARKER": self.marker}

    def host(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([HOST, *arguments], capture_output=True, text=True, cwd=self.folder, env=self.environment)

    def faulty(self, fault: str) -> list[str | Path]:
        profile, program = self.folder / "faulty.yaml", self.folder / "main.py"
        profile.write_text(f"htp_profile: 1\ntarget: faulty\nisolate: true\nsearch:\n  - {BUILD}/fixtures/faulty\noptions:\n  faulty.pass:\n    fault: {fault}\n")
        program.write_text(FAULTY)
        return ["--plugins", profile, "compile", program, "-o", self.folder / "out"]


class Same(Case):
    def test_the_package_is_the_one_that_is_made_without(self) -> None:
        program = ROOT / "examples/vector_add/vector_add.py"
        for target in PROFILES:
            said = []
            for name, *more in (("without",), ("within", "--isolate")):
                done = self.host("--json", "--plugins", ROOT / f"manifests/{target}.yaml", "compile", program, "--set", "N=4096", "-o", name, *more)
                self.assertEqual(done.returncode, 0, done.stderr)
                said.append(json.loads(done.stdout))
            self.assertEqual(said[0]["digest"], said[1]["digest"])
            self.assertEqual({*said[0]["seconds"], "isolate"}, {*said[1]["seconds"]})
            (self.folder / "without").rename(self.folder / f"{target}-without")
            (self.folder / "within").rename(self.folder / f"{target}-within")

    def test_what_is_refused_is_said_in_the_same_words(self) -> None:
        programs = sorted((ROOT / "tests/laws/bad").glob("*.py"))[::40]
        self.assertGreater(len(programs), 5)
        for program in programs:
            profile = ROOT / "manifests/cpu.yaml"
            without, within_ = (self.host("--plugins", profile, "compile", program, "-o", "out", *more) for more in ((), ("--isolate",)))
            said = re.sub(r"(?m)^note\[pipeline.less-isolated\]: .*\n(  .*\n)*\n?", "", within_.stderr)  # of an older kernel
            self.assertEqual((without.returncode, without.stderr), (within_.returncode, said), program)

    def test_a_note_of_a_stage_shows_its_line(self) -> None:
        """A source that is no file, a stage's text, is handed over with what is said of it."""
        done = self.host(*self.faulty("snippet"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(" --> <snippet>:1:1\n  |\n1 | 1 +\n", done.stderr)


class Ends(Case):
    def check(self, fault: str, *words: str) -> None:
        begun = time.monotonic()
        done = self.host(*self.faulty(fault))
        self.assertEqual(done.returncode, 3, done.stderr)
        for one in words:
            self.assertIn(one, done.stderr)
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["faulty.yaml", "main.py"])
        self.assertTrue(within(5, lambda: not of_marker(self.marker)), of_marker(self.marker))
        self.assertLess(time.monotonic() - begun, 60)

    def test_it_is_said_who_ended_the_process_and_how(self) -> None:
        at = "error[pipeline.isolated-died]: plugin `test.faulty` ended the process that compiled, in `faulty.pass`: "
        for fault, how in (("crash", "killed by SIGSEGV"), ("abort", "killed by SIGABRT"), ("exit", "it called exit(0)"), ("_exit", "it ended the process with status 0"), ("divide", "killed by SIGFPE")):
            with self.subTest(fault):
                self.check(fault, at + how)
                self.setUp()

    def test_processes_that_it_leaves_are_ended(self) -> None:
        self.check("leave", "error[pipeline.left-process]: `faulty.pass` of plugin `test.faulty` started a process, and left it")

    def test_it_cannot_end_who_watches_over_it(self) -> None:
        self.check("kill-host", "error[pipeline.isolated-")

    def test_what_it_writes_for_the_host_is_no_answer(self) -> None:
        self.check("forge", "error[pipeline.isolated-answer]: what the isolated compile handed over does not hold: its `")

    def test_what_throws_is_told_as_without(self) -> None:
        self.check("throw", "error[plugin.exception]: the plugin failed: out of tiles\n", "= note: in unit `faulty.pass`\n")

    def test_an_interrupt_ends_it(self) -> None:
        for one in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([HOST, *self.faulty("spin")], stderr=subprocess.DEVNULL, cwd=self.folder, env=self.environment, start_new_session=True)
            self.assertTrue(within(20, lambda: len(of_marker(self.marker)) >= 3))  # it, who watches, what compiles
            time.sleep(0.5)
            sent = time.monotonic()
            process.send_signal(one)
            self.assertEqual(process.wait(20), 130)
            self.assertLess(time.monotonic() - sent, 5)
            self.assertTrue(within(5, lambda: not of_marker(self.marker)))
            self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    given, rest = parser.parse_known_args()
    HOST, BUILD = given.host.resolve(), given.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
