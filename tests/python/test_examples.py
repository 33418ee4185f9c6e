"""Every example has a README, and what it says to do works."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, BUILD = (Path(os.environ[name]) for name in ("HTP_SOURCE_DIR", "HTP_BINARY_DIR"))
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import taken  # noqa: E402


class Readme(unittest.TestCase):
    def test_each_is_followed(self) -> None:
        examples = taken(sorted({path.parent for path in ROOT.glob("examples/*/*.py")}))
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "examples").symlink_to(ROOT / "examples")
            (Path(folder) / "manifests").symlink_to(ROOT / "manifests")
            environment = {**os.environ, "HTP_CACHE": folder + "/cache"}
            for example in examples:
                with self.subTest(example=example.name):
                    text = (example / "README.md").read_text()
                    assigned = ""  # by the snippets before: a reader stays in one shell
                    for language, snippet in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
                        snippet = snippet.replace("build/release", str(BUILD))
                        if language == "sh":
                            snippet = assigned + snippet
                            assigned = "".join(re.findall(r"^\w+=.*\n", snippet, re.MULTILINE))
                        command = ["/usr/bin/python3", "-c"] if language == "python" else ["/bin/sh", "-euc"]
                        done = subprocess.run([*command, snippet], cwd=folder, env=environment, capture_output=True, text=True)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_demo_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = ["/usr/bin/python3", "scripts/demo.py", str(BUILD / "bin" / "htp-host"), folder + "/a demo"]
            done = subprocess.run(command, cwd=ROOT, env={**os.environ, "HTP_CACHE": folder + "/cache"}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stderr, "")
            self.assertIn("rounding allows", done.stdout)


if __name__ == "__main__":
    unittest.main()
