"""What a plugin does to the process that compiles with it is told as that; and a verdict is of what is there now.

    ends_test.py --host build/dev/bin/htp-host --build build/dev
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOY = Path(__file__).resolve().parent / "toy"
HOST, BUILD = Path(), Path()


class Ends(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ends ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plugin = self.folder / "toy"
        shutil.copytree(TOY, self.plugin, ignore=shutil.ignore_patterns("*.c", "*.cpp", "__pycache__"))
        os.chmod(self.plugin, 0o755)
        (self.folder / "toy.yaml").write_text("htp_profile: 1\ntarget: toy\npipeline: toy.default\nsearch:\n  - .\n")

    def library(self, name: str) -> Path:
        return BUILD / "fixtures/check" / name / "libtoy.so"

    def run_host(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "NO_COLOR": "1", "CI": "1"}
        return subprocess.run([HOST, *words], capture_output=True, text=True, env=environment, cwd=self.folder)

    def compiled(self, broken: str, *words: str) -> subprocess.CompletedProcess[str]:
        shutil.copy(self.library(broken), self.plugin / "libtoy.so")
        return self.run_host("--plugins", "toy.yaml", *words, "compile", "toy/examples/main.py", "-o", "out")

    def test_nothing_is_wrong_with_it(self) -> None:
        done = self.compiled("none")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "out\n", ""))

    def test_a_plugin_that_exits_is_named(self) -> None:
        done = self.compiled("leaves_the_process")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^error\[cli\.plugin-exits\]: plugin `test\.toy` ended the process, in `toy\.\w+`\n")
        self.assertIn("= hint: report it to the author of the plugin", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_plugin_that_exits_is_named_in_json(self) -> None:
        done = self.compiled("leaves_the_process", "--json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual([d["code"] for d in json.loads(done.stdout)["diagnostics"]], ["cli.plugin-exits"])

    def test_a_plugin_that_crashes_is_named(self) -> None:
        done = self.compiled("survives")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^error\[cli\.plugin-crashes\]: plugin `test\.toy` crashed, in `toy\.\w+`: Segmentation fault\n")
        self.assertTrue(done.stderr.startswith("error[cli.plugin-crashes]: "))
        self.assertIn("= hint: `htp-host --plugins toy.yaml plugins check test.toy` runs its units apart and says more", done.stderr)
        done = self.run_host("--plugins", "toy.yaml", "plugins", "check", "test.toy", "--only", "survives")
        self.assertIn("FAILED   survives", done.stdout, done.stderr)
        done = self.run_host("--plugins", "toy.yaml", "plugins", "check", "test.toi")
        self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (1, "error[io.unreadable]: cannot read `test.toi`: No such file or directory"))

    def test_who_does_not_stop_is_ended_and_told(self) -> None:
        shutil.copy(self.library("comes_to_an_end"), self.plugin / "libtoy.so")
        self.run_host("--plugins", "toy.yaml", "plan", "toy/examples/main.py")  # so that its library is known
        words = [HOST, "--plugins", "toy.yaml", "compile", "toy/examples/main.py", "-o", "out"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self.folder, env={**os.environ, "HTP_CACHE": str(self.folder / "cache"), "CI": "1"}) as process:
            assert process.stderr is not None
            self.wait_until_asleep(process)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)
            self.assertRegex(process.stderr.read(), r"^interrupted: `toy\.\w+` of plugin `test\.toy` did not stop by itself\n$")

    def wait_until_asleep(self, process: subprocess.Popen[str]) -> None:
        """Until it has taken no time for a while."""
        taken, since = "", time.monotonic()
        while time.monotonic() < since + 0.7:
            self.assertIsNone(process.poll())
            now = " ".join(Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13])
            if now != taken:
                taken, since = now, time.monotonic()
            time.sleep(0.02)

    def test_what_a_plugin_prints_is_no_answer(self) -> None:
        done = self.compiled("quiet", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["exit_code"]), (0, 0))
        self.assertIn("here I am", done.stderr)

    def test_a_link_that_leads_elsewhere_is_judged_anew(self) -> None:
        for name in ("none", "survives"):
            shutil.copy(self.library(name), self.plugin / f"{name}.so")
        verdicts = []
        for name in ("none", "survives", "none"):
            (self.plugin / "libtoy.so").unlink(missing_ok=True)
            (self.plugin / "libtoy.so").symlink_to(f"{name}.so")
            verdicts.append(self.run_host("plugins", "check", "toy").returncode)
        self.assertEqual([code != 0 for code in verdicts], [False, True, False])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    arguments = parser.parse_args()
    HOST, BUILD = arguments.host.resolve(), arguments.build.resolve()
    os.environ["CHECK_TABLE"] = str(BUILD / "tests/check")
    unittest.main(argv=sys.argv[:1])
