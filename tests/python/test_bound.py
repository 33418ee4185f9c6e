"""The compiler from Python, with the real library and what README.md says to put on PYTHONPATH: no profile to bind with, no plugin path."""

import os
import tempfile
import unittest
from pathlib import Path

import htp
import numpy as np

ROOT, BUILD = (Path(os.environ[name]) for name in ("HTP_SOURCE_DIR", "HTP_BINARY_DIR"))


class Bound(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.environ["HTP_CACHE"] = str(self.folder / "cache")

    def test_the_plugins_beside_the_library_are_found(self) -> None:
        package = htp.compile_program(ROOT / "examples/vector_add/vector_add.py", profile=ROOT / "manifests/cpu.yaml", out=self.folder / "out")
        a, b = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
        c = np.empty_like(a)
        with htp.bind(package) as vector_add:
            vector_add(a, b, c)
        self.assertTrue(np.array_equal(c, a + b))

    def test_a_plugin_that_is_not_found_is_asked_for_in_words_of_python(self) -> None:
        profile, program = self.folder / "p.yaml", self.folder / "a.py"
        profile.write_text(f"htp_profile: 1\ntarget: faulty\nsearch:\n  - {BUILD}/fixtures/faulty\n")
        program.write_text("import htp\nfrom htp_faulty import entry\n\n@entry\ndef main() -> None:\n    x = 1 + 2\n")
        package = htp.compile_program(program, profile=profile, out=self.folder / "out")
        with self.assertRaises(htp.CompileError) as caught:
            htp.bind(package)
        self.assertIn("error[bind.no-binding]", str(caught.exception))
        self.assertIn(f"searched `{BUILD}/plugins`; give `plugin_path=[", str(caught.exception))
        htp.bind(package, plugin_path=[BUILD / "fixtures/faulty"]).close()


if __name__ == "__main__":
    unittest.main()
