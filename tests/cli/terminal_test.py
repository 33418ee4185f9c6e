"""What a terminal is sent: nothing of a plugin's or a program's text that it would obey, and no row that nobody wrote."""

import argparse
import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

MANIFEST = """htp_manifest: 1
plugin:
  id: stranger.words
  version: "1.0.0"
  doc: "before\\e]0;title\\a\\nhtp.forged             9.9.9    after"
declares:
  - name: Words.Here
    is: static
    doc: "said\\e[2J\\nWords.Forged static: more"
"""
HOST = ""


def at_terminal(*words: object, **environment: str) -> str:
    ours, theirs = pty.openpty()
    done = subprocess.Popen([HOST, *map(str, words)], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env={**os.environ, **environment})
    os.close(theirs)
    found = b""
    try:
        while part := os.read(ours, 65536):
            found += part
    except OSError:  # how a terminal whose last writer is gone ends
        pass
    os.close(ours)
    done.wait()
    return found.decode()


class Terminal(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "stranger").mkdir()
        (self.folder / "stranger/htp-plugin.yaml").write_text(MANIFEST)

    def test_text_of_a_manifest_is_neither_obeyed_nor_a_row(self) -> None:
        for command in (["plugins", "list"], ["plugins", "show", "stranger.words"]):
            with self.subTest(command):
                told = at_terminal("--color", "never", "--plugin-path", self.folder, *command)
                self.assertIn("before␛]0;title␇", told)
                self.assertNotIn("\x1b", told)
                self.assertNotIn("\a", told)
                self.assertFalse([line for line in told.splitlines() if "orged" in line])

    def test_a_flag_comes_before_the_environment_and_that_before_what_is_usual(self) -> None:
        def coloured(*words: str, **environment: str) -> bool:
            return "\x1b[" in at_terminal(*words, "explain", "no.code", **{"TERM": "xterm", **environment})

        self.assertTrue(coloured())
        self.assertFalse(coloured(NO_COLOR="1"))
        self.assertFalse(coloured(TERM="dumb"))
        self.assertTrue(coloured("--color", "always", NO_COLOR="1"))
        self.assertFalse(coloured("--color", "never"))

        def logged(*words: str, **environment: str) -> str:
            environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), **environment}
            return subprocess.run([HOST, *words, "cache", "stats"], capture_output=True, text=True, check=True, env=environment).stderr

        self.assertEqual(logged(), "")
        self.assertIn("htp-host begins", logged(HTP_LOG="info"))
        self.assertEqual(logged("--log-level", "error", HTP_LOG="info"), "")
        self.assertIn("htp-host begins", logged("-v", HTP_LOG="error"))

    def test_a_program_is_shown_and_a_pipe_has_its_bytes(self) -> None:
        program = self.folder / "a.py"
        program.write_bytes(b"x = 1  # \x1b[2J\n")
        self.assertIn("x = 1  # ␛[2J", at_terminal("--color", "never", "ast", program))
        done = subprocess.run([HOST, "ast", program], stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout, program.read_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", required=True)
    given, rest = parser.parse_known_args()
    HOST = given.host
    unittest.main(argv=[__file__, *rest])
