"""Which libhtp.so the package takes: by a rule that a build with sanitizers, or a newer one, does not change."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "sdk/python/htp"


class Chosen(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name).resolve()

    def package(self, place: str) -> Path:
        shutil.copytree(SOURCE, self.tree / place / "htp", ignore=shutil.ignore_patterns("__pycache__"))
        return self.tree / place

    def library(self, place: str, sanitize: str | None = None) -> Path:
        path = self.tree / place / "libhtp.so"
        path.parent.mkdir(parents=True)
        path.touch()
        if sanitize is not None:
            (path.parents[1] / "CMakeCache.txt").write_text(f"A:BOOL=ON\nHTP_SANITIZE:BOOL={sanitize}\n")
        return path

    def chosen(self, *path: Path, **environment: str) -> str:
        """The library that a Python with these folders on its path takes, or what it says."""
        told = {name: value for name, value in os.environ.items() if name not in ("HTP_LIBRARY", "PYTHONPATH")}
        told |= {"PYTHONPATH": ":".join(map(str, path))} | environment
        program = "import htp.native as n\ntry: print(n._library_path())\nexcept n.HtpError as e: print(e)"
        return subprocess.run([sys.executable, "-c", program], env=told, capture_output=True, text=True, check=True).stdout.strip()

    def test_in_the_source_tree_release_is_taken_and_never_a_build_with_sanitizers(self) -> None:
        package = self.package("sdk/python")
        dev = self.library("build/dev/lib", "address;undefined")
        self.assertEqual(
            self.chosen(package),
            f"libhtp.so is not found beside {package}/htp, in the build that PYTHONPATH has plugins of, or in build/*; "
            f"{dev} is built with sanitizers: build HTP with scripts/demo, or set HTP_LIBRARY to its path",
        )
        other = self.library("build/a/lib", "OFF")
        self.assertEqual(self.chosen(package), str(other))
        release = self.library("build/release/lib", "")
        os.utime(other, (2**31, 2**31))
        self.assertEqual(self.chosen(package), str(release))

    def test_the_build_whose_plugins_are_on_the_path_goes_first(self) -> None:
        package = self.package("sdk/python")
        self.library("build/release/lib", "")
        own = self.library("elsewhere/lib", "")
        self.assertEqual(self.chosen(package, self.tree / "elsewhere/plugins/backend-cpu/python"), str(own))

    def test_beside_the_installed_package_goes_before_all_but_the_variable(self) -> None:
        package = self.package("lib/python3/dist-packages")
        own = self.library("lib/x86_64-linux-gnu")
        self.library("elsewhere/lib", "")
        self.assertEqual(self.chosen(package, self.tree / "elsewhere/plugins/backend-cpu/python"), str(own))
        told = self.library("told/lib", "address")
        self.assertEqual(self.chosen(package, HTP_LIBRARY=str(told)), str(told))
        self.assertEqual(self.chosen(package, HTP_LIBRARY="/none"), "HTP_LIBRARY names /none, which is not a file")

    def test_beside_the_package_of_a_build(self) -> None:
        package = self.package("build/mine/python")
        own = self.library("build/mine/lib", "")
        self.library("build/release/lib", "")
        self.assertEqual(self.chosen(package), str(own))


if __name__ == "__main__":
    unittest.main()
