"""The ABI gate lets pass what may change, and nothing else."""

from __future__ import annotations

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

SDK = Path(__file__).resolve().parents[2] / "sdk"
sys.path.insert(0, str(SDK / "abi"))
import gate  # noqa: E402

LAST = gate.released()[-1]
NEXT = (LAST[0], LAST[1] + 1)


class Gate(unittest.TestCase):
    def faults(self, version: tuple[int, int], header: str = "pass.h", old: str = "", new: str = "") -> str:
        """What the gate says of headers of that version, with one thing changed."""
        with tempfile.TemporaryDirectory() as folder:
            include = Path(folder) / "include"
            shutil.copytree(gate.kept(LAST) / "include", include)
            text = (include / "htp" / header).read_text()
            self.assertIn(old, text)
            (include / "htp" / header).write_text(text.replace(old, new, 1))
            abi = (include / "htp/abi.h").read_text()
            for word, before, after in (("MAJOR", LAST[0], version[0]), ("MINOR", LAST[1], version[1])):
                abi = abi.replace(f"#define HTP_ABI_{word} {before}\n", f"#define HTP_ABI_{word} {after}\n")
            (include / "htp/abi.h").write_text(abi)
            return "\n".join(gate.faults(include, gate.kept(LAST) / "layout.def"))

    def test_today_s_headers_keep_what_was_released(self) -> None:
        self.assertEqual([], gate.faults(SDK / "include", SDK / "layout.def"))

    def test_the_release_is_what_it_was(self) -> None:
        self.assertEqual("", self.faults(LAST))

    def test_a_member_in_the_middle(self) -> None:
        change = {"old": "  htp_status (*run)", "new": "  uint64_t flags;\n  htp_status (*run)"}
        said = self.faults(LAST, **change)
        self.assertIn("htp_pass.run is elsewhere", said)
        self.assertIn("raise HTP_ABI_MINOR", said)
        self.assertIn("htp_pass.run is elsewhere", self.faults(NEXT, **change))
        self.assertEqual("", self.faults((LAST[0] + 1, 0), **change))

    def test_a_member_at_the_end_is_another_minor_version(self) -> None:
        change = {"old": "} htp_pass;", "new": "  void *more;\n} htp_pass;"}
        self.assertEqual("", self.faults(NEXT, **change))
        if shutil.which("abidiff"):
            self.assertIn("htp_pass", self.faults(LAST, **change))

    @unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed")
    def test_another_type_of_the_same_size(self) -> None:
        self.assertIn("htp_handlers", self.faults(LAST, "handlers.h", "  uint32_t reserved;\n  /* Rewrites", "  float reserved;\n  /* Rewrites"))

    @unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed")
    def test_another_number_of_a_name(self) -> None:
        self.assertIn("HTP_CANCELLED", self.faults(LAST, "abi.h", "HTP_CANCELLED = 2", "HTP_CANCELLED = 7"))

    @unittest.skipUnless(shutil.which("abidiff"), "abidiff is not installed")
    def test_another_parameter_of_a_function(self) -> None:
        self.assertIn("htp_api_open", self.faults(LAST, "capi.h", "void **handle, char", "void *handle, char"))

    def test_another_hash(self) -> None:
        self.assertIn("the layout hash is", self.faults(LAST, "layout_hash.h", "HTP_LAYOUT_ALL UINT64_C(0x", "HTP_LAYOUT_ALL UINT64_C(0xf"))

    def test_versions_follow_each_other(self) -> None:
        self.assertIn(f"{NEXT[0]}.{NEXT[1] + 1} does not follow {LAST[0]}.{LAST[1]}", self.faults((NEXT[0], NEXT[1] + 1)))
        self.assertIn("was released", self.faults((LAST[0] - 1, 0)))


if __name__ == "__main__":
    unittest.main()
