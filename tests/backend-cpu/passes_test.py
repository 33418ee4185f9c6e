"""What each pass makes of a program: one in which it has something to do, a line that it made, and one that it took away.

    passes_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOST = Path()

AHEAD = "plugins/backend-cpu/examples/ahead.py"
PASSES: dict[str, tuple[str, str, str]] = {
    "cpu.select": ("examples/softmax/softmax.py", r"e: Tile\[f32, i, N\] = cpu\.exp\(sub\)$", r"tile\.exp"),
    "cpu.serialize_copies": (AHEAD, r"^        cpu\.store\(rows, x_tile, 0, tile\.whole\)$", r"copy_async|cpu\.wait"),
    "cpu.rename_rebindings": (AHEAD, r"row_1: Tile\[f32, 1, 64\] = cpu\.mul\(row, row\)$", r"row = cpu\.mul\(row, row\)"),
    "cpu.widen_blocks": ("examples/gemm/gemm.py", r"for i in tile\.tiles\(M, 256\):\n +for j in tile\.tiles\(N, 64\):$", r"tile\.tiles\(M, 16\)"),
    "cpu.loops": ("examples/softmax/softmax.py", r"for q in htp\.vectorized\(range\(N\)\):$", r"tile\.tiles"),
    "cpu.drop_redundant_stores": ("plugins/backend-cpu/examples/halves.py", "", r"cpu\.put\(total, total_at, p, 0\)\n +total_at = "),
    "cpu.pack_panels": ("examples/gemm/gemm.py", r"^ +if N >= 1024:\n +b_panel: Tile\[f32, 64, 64\] = cpu\.alloc\(f32, 64, 64\)$", ""),
    "cpu.unroll_and_jam": ("examples/gemm/gemm.py", r"for p in range\(0, i_n - 7, 8\):$", r"for p in range\(i_n\):\n.*\n +acc_at: f32 = cpu\.get"),
    "cpu.stream_rows": ("plugins/backend-cpu/examples/whole_product.py", r"for r in range\(0, K - 3, 4\):$", ""),
}


class Passes(unittest.TestCase):
    def test_each_pass_has_a_program_that_it_changes(self) -> None:
        manifest = (ROOT / "plugins/backend-cpu/htp-plugin.yaml").read_text()
        self.assertEqual(list(PASSES), re.findall(r"^  - kind: pass\n    name: (\S+)$", manifest, re.MULTILINE))
        for name, (program, made, gone) in PASSES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                package = Path(folder) / "package"
                subprocess.run([HOST, "--plugins", ROOT / "manifests/cpu.yaml", "compile", "--verify-each", ROOT / program, "-o", package], check=True, capture_output=True)
                events = [json.loads(line) for line in (package / "ir/pass_trace.jsonl").read_text().splitlines()]
                (event,) = (one for one in events if one["pass"] == name)
                self.assertEqual(event["stage_after"], event["stage_before"] + 1)
                before, after = (next(package.glob(f"ir/stages/{event[end]:02}-*/program.py")).read_text() for end in ("stage_before", "stage_after"))
                for pattern, there in ((made, (False, True)), (gone, (True, False))):
                    if pattern:
                        self.assertEqual(tuple(re.search(pattern, text, re.MULTILINE) is not None for text in (before, after)), there, pattern)

    def test_loops_go_along_what_lies_side_by_side(self) -> None:
        head = "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, tiles, transpose\n\n\n@kernel\n"
        columns, rows = (f"[Tensor[f32, 48, 64, htp.layouts.ordered((48, 64), {order})]]" for order in ((1, 0), (0, 1)))
        turned = "[Tensor[f32, 64, 48]]"
        for x, y, value, vectors in (
            (columns, columns, "y[i, :] = x[i, :] * 2.0", True),
            (rows, rows, "y[i, :] = x[i, :] * 2.0", True),
            (columns, turned, "y[:, i] = transpose(x[i, :])", True),
            (rows, turned, "y[:, i] = transpose(x[i, :])", False),  # one of them is gone across
        ):
            with self.subTest(x=x, value=value), tempfile.TemporaryDirectory() as folder:
                program, package = Path(folder) / "program.py", Path(folder) / "package"
                program.write_text(f"{head}def k(x: In{x}, y: Out{y}) -> None:\n    for i in tiles(48, 16):\n        {value}\n")
                subprocess.run([HOST, "--plugins", ROOT / "manifests/cpu.yaml", "compile", "--verify-each", program, "-o", package], check=True, capture_output=True)
                text = (package / "codegen/cpu/kernel.c").read_text()
                self.assertEqual(("htp_load_f32v" in text, "htp_store_f32v" in text), (vectors, vectors), text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    given, rest = parser.parse_known_args()
    HOST = given.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
