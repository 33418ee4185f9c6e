"""What `--stages last` leaves out, and that nothing else differs: the rest of the package, how it runs, the stages when they are asked for.

    kept_stages_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import htp

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [("softmax", "cpu"), ("gemm_wsp", "cpu"), ("softmax", "a2a3")]
HOST = Path()


def programs() -> list[tuple[str, str]]:
    """Those whose backend this build has: a sanitized one may lack some."""
    return [(name, target) for name, target in PROGRAMS if list((HOST.parent.parent / f"plugins/backend-{target}").glob("*.so"))]


def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([HOST, *map(str, words)], capture_output=True, text=True)


class KeptStages(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compile(self, program: Path, target: str, out: str, *options: str) -> Path:
        done = call("--plugins", ROOT / f"manifests/{target}.yaml", "compile", program, "-o", self.folder / out, *options)
        self.assertEqual(0, done.returncode, done.stderr)
        return self.folder / out

    def both(self, name: str, target: str) -> tuple[Path, Path]:
        """The example's package with every stage, and with the first and the last."""
        program = ROOT / f"examples/{name}/{name}.py"
        return self.compile(program, target, "all"), self.compile(program, target, "two", "--stages", "last")

    def manifest(self, package: Path) -> Any:
        return json.loads((package / "manifest.json").read_text())

    def test_only_the_stages_between_are_left_out(self) -> None:
        for name, target in programs():
            with self.subTest(name, target=target):
                every, two = map(self.manifest, self.both(name, target))
                self.assertEqual(("changed", "last"), (every["stages_kept"], two["stages_kept"]))
                self.assertLess(2, len(every["stages"]))
                self.assertEqual([every["stages"][0], every["stages"][-1]], two["stages"])
                kept = {str(Path(stage["path"]).parent) for stage in two["stages"]}
                self.assertEqual(
                    [row for row in every["outputs"] if str(Path(row["path"]).parent) in kept or not row["path"].startswith("ir/stages/")],
                    # origin.json of the last stage leads to the first instead of the stage before.
                    [{**row, **self._origin(every, row)} for row in two["outputs"]],
                )
                for manifest in (every, two):
                    for key in ("stages_kept", "stages", "outputs"):
                        del manifest[key]
                self.assertEqual(every, two)

    @staticmethod
    def _origin(every: Any, row: Any) -> Any:
        return next(other for other in every["outputs"] if other["path"] == row["path"]) if row["path"].endswith("/origin.json") else {}

    def test_what_is_left_out_is_made_again(self) -> None:
        for name, target in programs():
            with self.subTest(name, target=target):
                every, two = self.both(name, target)
                before = {path: path.read_bytes() for path in two.rglob("*") if path.is_file()}
                stages = [stage["id"] for stage in self.manifest(every)["stages"]]
                for words in ([], [stages[1]], ["--diff", stages[1], stages[-1]]):
                    wanted, found = (call("--json", "stages", package, *words) for package in (every, two))
                    self.assertEqual((0, wanted.stdout), (found.returncode, found.stdout), found.stderr)
                self.assertEqual(before, {path: path.read_bytes() for path in two.rglob("*") if path.is_file()})

    def test_the_first_stage_alone_gives_the_package_again(self) -> None:
        _, two = self.both("softmax", "cpu")
        shutil.copytree(two / "ir/stages/00-source", self.folder / "alone")
        again = self.folder / "again"
        done = call("--plugins", ROOT / "manifests/cpu.yaml", "compile", "--from-stage", self.folder / "alone", "--stages", "last", "-o", again)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(self.manifest(two)["stages"], self.manifest(again)["stages"])
        kernels = [{path.name: path.read_text() for path in sorted((package / "codegen").rglob("*.c"))} for package in (two, again)]
        self.assertEqual(kernels[0], kernels[1])
        self.assertTrue(kernels[0])

    def test_the_same_anywhere(self) -> None:
        _, two = self.both("softmax", "cpu")
        shutil.copy(ROOT / "examples/softmax/softmax.py", self.folder)
        moved = self.compile(self.folder / "softmax.py", "cpu", "elsewhere/package", "--stages", "last")
        self.assertEqual((two / "manifest.json").read_bytes(), (moved / "manifest.json").read_bytes())

    def test_a_package_that_was_moved_needs_a_profile(self) -> None:
        _, two = self.both("softmax", "cpu")
        shutil.rmtree(two / "logs")
        done = call("stages", two, "tile.infer")
        self.assertEqual(1, done.returncode)
        self.assertIn("error[pipeline.stages-lost]", done.stderr)
        done = call("--plugins", ROOT / "manifests/cpu.yaml", "stages", two, "tile.infer")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("after='tile.infer'", done.stdout)

    def test_a_profile_and_python_ask_for_it_too(self) -> None:
        program = ROOT / "examples/softmax/softmax.py"
        profile = self.folder / "p.yaml"
        profile.write_text("htp_profile: 1\ntarget: cpu\nstages: last\n")
        plugins = [HOST.parent.parent / "plugins"]
        for out, options, count in (("a", {}, 2), ("b", {"stages": "changed"}, 4)):
            package = htp.compile_program(program, profile=profile, out=self.folder / out, plugin_path=plugins, **options)  # type: ignore[arg-type]
            self.assertLessEqual(count, len(self.manifest(package)["stages"]))
            self.assertEqual(count == 2, len(self.manifest(package)["stages"]) == 2)
        with self.assertRaisesRegex(htp.CompileError, "`stages` is `first`"):
            htp.compile_program(program, profile=profile, out=self.folder / "c", stages="first")  # type: ignore[arg-type]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
