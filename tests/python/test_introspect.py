"""The language as data: htp.introspect over this build's libhtp."""

import os
import unittest
from pathlib import Path

import htp
from htp import introspect

ROOT = Path(os.environ["HTP_SOURCE_DIR"])
PROFILE = ROOT / "manifests/cpu.yaml"
GOOD = (ROOT / "examples/vector_add/vector_add.py").read_text()


class Operations(unittest.TestCase):
    def test_all_are_listed(self) -> None:
        names = [operation.name for operation in introspect.operations(profile=PROFILE)]
        self.assertEqual(len(names), len(set(names)))
        for name in ("tile.load", "tile.matmul", "cpu.exp"):
            self.assertIn(name, names)

    def test_one_is_described(self) -> None:
        matmul = introspect.operation("tile.matmul", profile=PROFILE)
        self.assertEqual(matmul, introspect.operation("htp_tile.matmul", profile=PROFILE))
        self.assertEqual([parameter.name for parameter in matmul.parameters], ["a", "b", "acc"])
        self.assertIn("cpu", matmul.backends)
        self.assertIn("matmul(", matmul.signature)
        self.assertIn(">>>", matmul.doc)

    def test_the_last_word_is_enough(self) -> None:
        self.assertEqual(introspect.operation("alloc", profile=PROFILE).name, "cpu.alloc")
        self.assertEqual(introspect.operation("exp", profile=PROFILE).name, "tile.exp")  # as `ops show exp`
        with self.assertRaisesRegex(htp.HtpError, r"there is no intrinsic `nothing`"):
            introspect.operation("nothing", profile=PROFILE)

    def test_a_missing_profile_is_told(self) -> None:
        with self.assertRaisesRegex(htp.CompileError, "nowhere.yaml"):
            introspect.operations(profile="nowhere.yaml")

    def test_schemas(self) -> None:
        schema = introspect.operation("tile.reduce_sum", profile=PROFILE).schema()
        self.assertEqual(schema["title"], "tile.reduce_sum")
        self.assertEqual(schema["required"], ["x", "axis"])
        self.assertEqual(schema["properties"]["axis"], {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}, "minItems": 1}]})
        self.assertEqual(introspect.operation("tile.cast", profile=PROFILE).schema()["properties"]["dtype"]["enum"][0], "bool_")
        self.assertEqual(introspect.operation("tile.load", profile=PROFILE).schema()["properties"]["index"]["type"], "array")


class Validate(unittest.TestCase):
    def test_a_good_program_has_no_errors(self) -> None:
        self.assertEqual([d for d in introspect.validate(GOOD, profile=PROFILE) if d["severity"] == "error"], [])

    def test_a_bad_one_is_told_with_its_place(self) -> None:
        said = introspect.validate(GOOD.replace("kernel, tiles", "kernel, tilse"), profile=PROFILE)
        self.assertTrue(said)
        self.assertEqual(said[0]["place"]["file"], "program.py")

    def test_text_that_is_no_python(self) -> None:
        (said,) = introspect.validate("def (:\n", profile=PROFILE)
        self.assertEqual((said["severity"], said["place"]["line"]), ("error", 1))

    def test_an_entry_is_chosen(self) -> None:
        (said,) = introspect.validate(GOOD, profile=PROFILE, entry="other")
        self.assertEqual(said["code"], "pipeline.unknown-entry")


if __name__ == "__main__":
    unittest.main()
