"""`htp-host doctor`: what of a machine works, what is missing, and the command that brings it.

    doctor_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

MANIFEST = """htp_manifest: 1
plugin:
  id: acme.tools
  version: "1.0.0"
  doc: what a machine may have
tools:
  - name: weaver
    doc: weaves
    programs:
      - no-such-weaver
      - weave
    variable: WEAVER
    install: apt-get install weaver
  - name: yarn
    doc: a checkout of yarn
    variable: YARN
    holds:
      - red/ball.txt
    optional: true
  - name: loom
    doc: a machine
    devices:
      - {device}
    optional: true
"""


class DoctorTest(unittest.TestCase):
    host: Path

    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory(prefix="a b")
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        (self.folder / "plugins/tools").mkdir(parents=True)
        (self.folder / "bin").mkdir()
        self.write("plugins/tools/htp-plugin.yaml", MANIFEST.format(device=self.folder / "loom"))

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name: str, script: str) -> None:
        self.write(f"bin/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)

    def doctor(self, *words: object, code: int | None = None, **variables: str) -> str:
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", **variables}
        done = subprocess.run([self.host, "doctor", *map(str, words)], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.said = done.stderr
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def rows(self, *words: object, **variables: str) -> dict[str, dict[str, Any]]:
        answer = json.loads(self.doctor("--json", "--plugin-path", "plugins", *words, **variables))
        return {row["what"]: row for section in answer["sections"] for row in section["findings"]}

    def test_this_machine_works(self) -> None:
        text = self.doctor(code=0)
        for line in ("  works    Python: 3.11", "  works    NumPy: 1.", "target cpu compiles and runs\n  works    C compiler: cc: ", "  works    htp.dialect-tile 0."):
            self.assertIn(line, text)

    def test_a_tool_is_found_by_name_and_by_its_variable(self) -> None:
        self.assertEqual(self.rows()["weaver"], {"what": "weaver", "state": "absent", "found": "none of no-such-weaver, weave starts: weaves", "mend": "apt-get install weaver"})
        self.program("weave", "echo weave 1.2")
        self.assertEqual(self.rows()["weaver"]["found"], "weave: weave 1.2")
        self.program("mine", "echo mine 3 >&2")
        self.assertEqual(self.rows(WEAVER="mine")["weaver"]["found"], "mine: mine 3")
        self.program("mine", "exit 1")
        self.assertEqual(self.rows(WEAVER="mine")["weaver"], {"what": "weaver", "state": "wrong", "found": "`WEAVER` names `mine`, which does not start", "mend": "unset WEAVER, or let it name a program that does"})

    def test_what_a_tool_says_is_shown_escaped(self) -> None:
        self.program("weave", "printf 'weave \\033]0;x\\007 1\\nsecond line'")
        self.assertEqual(self.rows()["weaver"]["found"], "weave: weave ␛]0;x␇ 1")

    def test_a_folder_holds_what_it_should(self) -> None:
        self.assertEqual(self.rows()["yarn"]["found"], "`YARN` is not set: a checkout of yarn")
        row = self.rows(YARN=str(self.folder))["yarn"]
        self.assertEqual((row["state"], row["found"]), ("wrong", f"`YARN` names `{self.folder}`, which holds no red/ball.txt"))
        self.write("red/ball.txt", "")
        self.assertEqual(self.rows(YARN=str(self.folder))["yarn"]["state"], "works")

    def test_a_device_is_a_file(self) -> None:
        self.assertEqual(self.rows()["loom"]["state"], "absent")
        self.write("loom", "")
        self.assertEqual(self.rows()["loom"]["found"], str(self.folder / "loom"))

    def test_a_target_that_cannot_run(self) -> None:
        text = self.doctor(code=0, CC="nothing")
        self.assertIn("target cpu compiles; what it makes cannot be run here\n  wrong    C compiler: `CC` names `nothing`, which does not start\n           unset CC, or let it name a program that does\n", text)
        self.doctor("--plugins", "cpu", code=1, CC="nothing")
        self.doctor("--plugins", "cpu", code=0)

    def test_a_broken_manifest_and_a_plugin_that_does_not_load(self) -> None:
        self.write("plugins/broken/htp-plugin.yaml", MANIFEST.replace("acme.tools", "acme.broken").replace("  doc: what", "  dok: what").format(device="x"))
        self.write("plugins/empty/htp-plugin.yaml", 'htp_manifest: 1\nplugin:\n  id: acme.empty\n  version: "1.0.0"\n  library: nothing.so\n')
        rows = self.rows()
        self.assertIn("its manifest is broken: ", rows["acme.broken"]["found"])
        self.assertEqual(rows["acme.broken"]["mend"], "htp-host plugins check plugins/broken")
        self.assertEqual(rows["acme.empty 1.0.0"]["state"], "wrong")
        self.doctor("--plugin-path", "plugins", code=1)

    def test_a_profile_is_written_and_compiles(self) -> None:
        self.assertIn("here.yaml: a profile of the target ", self.doctor("--profile", "here.yaml", code=0))
        self.assertIn("htp_profile: 1\ntarget: ", (self.folder / "here.yaml").read_text())
        self.write("double.py", "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel\n\nN = htp.dim(\"N\")\n\n\n@kernel\ndef double(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n    y[:] = x[:] * 2.0\n")
        done = subprocess.run([self.host, "--plugins", "here.yaml", "run", self.compiled()], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.doctor("--profile", "here.yaml", code=0)  # its own
        self.write("mine.yaml", "# mine\n")
        (self.folder / "link.yaml").symlink_to("here.yaml")
        for name in ("mine.yaml", "link.yaml", "plugins"):
            self.doctor("--profile", name, code=1)
            self.assertIn(f"error[cli.in-the-way]: `{name}` is there already\n", self.said)
        self.assertEqual((self.folder / "mine.yaml").read_text(), "# mine\n")
        self.doctor("--profile", "nowhere/here.yaml", code=1)
        self.assertIn("error[io.unwritable]", self.said)
        self.doctor("--plugins", "cpu", "--profile", "no.yaml", code=1, CC="nothing")
        self.assertIn("error[cli.no-target-works]: no profile is written: no target works here", self.said)
        self.assertFalse((self.folder / "no.yaml").exists())

    def compiled(self) -> Path:
        subprocess.run([self.host, "--plugins", "here.yaml", "compile", "double.py", "-o", "double.htp", "-q"], cwd=self.folder, check=True)
        return self.folder / "double.htp"

    def test_what_htp_host_itself_needs(self) -> None:
        text = self.doctor(HTP_CACHE="off")
        self.assertIn("  absent   cache: `HTP_CACHE` is off: everything is compiled each time\n", text)
        text = self.doctor(code=1, TMPDIR="/nowhere")
        self.assertIn("  wrong    temporary files: /nowhere: No such file or directory\n           let `TMPDIR` name a folder that can be written\n", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    DoctorTest.host = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
