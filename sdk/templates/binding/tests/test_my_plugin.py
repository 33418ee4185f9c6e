"""Packages are built for the debugger, and compute what they should."""

import json
import unittest
from pathlib import Path

import numpy as np

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]


class Debugging(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def setUp(self) -> None:
        self.package = self.compile(PROJECT / "examples/clamp.py")

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.package)

    def test_what_is_built_has_source_and_symbols(self) -> None:
        built = self.package.folder.parent / "built"
        done = testing.run_host("build", self.package.folder, "--into", built)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn(b".debug_info", (built / "kernel.so").read_bytes())
        self.assertIn("clamp", (built / "kernel.c").read_text())

    def test_a_run_can_be_traced(self) -> None:
        trace = self.package.folder.parent / "trace.json"
        done = testing.run_host("run", self.package.folder, "--trace", trace)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("clamp", {event["name"] for event in json.loads(trace.read_text())["traceEvents"]})

    def test_arrays_of_another_dtype_are_refused(self) -> None:
        inputs = self.package.folder.parent / "in.npz"
        np.savez(inputs, x=np.zeros((3, 4), np.float64))
        done = testing.run_host("run", self.package.folder, "--inputs", inputs)
        self.assertEqual(1, done.returncode)
        self.assertIn("`x`", done.stderr)

    def test_a_package_without_its_sources_is_refused(self) -> None:
        (self.package.folder / "codegen/cpu/kernel.c").unlink()
        done = testing.run_host("build", self.package.folder)
        self.assertEqual(1, done.returncode)


if __name__ == "__main__":
    unittest.main()
