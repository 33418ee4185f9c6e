"""What each pass makes of a program: one in which it has something to do, a line that it made, and one that it took away."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from pathlib import Path

import sized
from case import PROFILE, ROOT, Case, host

PASSES: dict[str, tuple[str, str, str]] = {
    "aie.fold_branches": ("masked_softmax M=20 N=40", "", r"^ +if "),
    "aie.forward_caches": ("softmax_wsp M=37 N=96", r"tile\.load\(x, i, j\)$", r"tile\.buffer\("),
    "aie.select": ("softmax M=37 N=100", r"^        reduce_max = aie\.buffer\(f32, i, 1\)\n        aie\.reduce_max\(reduce_max, row, 1\)$", r"tile\.reduce_max"),
    "aie.legalize_calls": ("in_place M=16", r"aie\.copy\(twice, more\)\n +aie\.call\(twice, doubled, twice\)", r"aie\.call\(twice, doubled, more\)"),
    "aie.lower_iota": ("masked_softmax M=20 N=40", r"places = aie\.counts\(i32, \(", r"aie\.iota\("),
    "aie.spread_stores": ("repeated M=16 N=32", r"aie\.copy\(mul_spread, mul\)\n +aie\.store\(y, mul_spread, i, \w+\.whole\)", r"aie\.store\(y, mul, "),
    "aie.spread": ("softmax M=37 N=100", r"with aie\.device\('npu1', columns=3, rows=2\):\n        for i in htp\.parallel\(tile\.tiles\(37, 8\), level='core'\):$", r"^    for i"),
    "aie.instantiate": ("grid_shards M=16 N=32", r"^        @aie\.core\(\)\n        def \w+_0_1\(core: aie\.Core\)", r"@process\(grid="),
    "aie.fuse_processes": ("gemm_places K=64", r"aie\.matmul\(acc_1, a_tile_1, b_tile_1\)", r"@aie\.core\(on='\w+'\)"),
    "aie.share_loads": ("sobel M=6", r"aie\.sub\(sub_2, x_tile_5, x_tile_1\)", r"aie\.load\(x_tile_6, x, m \+ 2, j\)"),
    "aie.drop_channels": ("systolic K=64", "", r"aie\.put\(across_3, x\)"),
    "aie.make_host_tensors": ("scaled_stages M=5 N=32", r"scale_packed = aie\.pack\(f32, \(2,\), \(scale, 0, \(\)\), \(bias, 1, \(\)\)\)", r"aie\.load\(scale_tile, scale, "),
    "aie.offload_copies": ("line_buffers M=9 N=20", r"@aie\.dma\(\)\n        def load\(", r"@aie\.core\(\)\n        def load\("),
    "aie.pad_blocks": ("split_merge M=37", r"x_padded = aie\.pad\(x, \(40, 16\)\)$", r"aie\.load\(row, x, i, aie\.whole\)"),
    "aie.pad_rows": ("ragged_rows M=3 N=33", r"w_padded = aie\.pad\(w, \(34,\)\)$", r", pad_rows=True\):$"),
    "aie.normalize_loops": ("split_merge M=37", r"for i in range\(5\):\n +row = aie\.buffer\(f32, 8, 16\)\n +aie\.load\(row, x_padded, slice\(8 \* i, 8 \* i \+ 8\), aie\.whole\)", r"tile\.tiles\(37, 8\)"),
    "aie.align_loads": ("shifted_bytes M=5 N=24", r"aie\.load\(x_line, x_padded, m \+ r, slice\(8 \* j, 8 \* j \+ 12\)\)\n +aie\.unpack\(x_tile, x_line, 0\)", r", align_loads=True"),
    "aie.sort_loads": ("sobel M=6", r"aie\.load\(x_tile_1, x, m, slice\(5 \* j, 5 \* j \+ 5\)\)\n +x_tile(_\d)? = aie\.buffer\(f32, 1, 5\)\n +aie\.load", r", sort_loads=True\)"),
    "aie.pack_loads": ("conv2d H=9 W=17 OH=5 OW=9", r"aie\.load\(w_bias_block, w_bias, 3 \* r \+ s, aie\.whole\)\n +aie\.unpack\(w_tile, w_bias_block, 0\)", r"aie\.load\(w_tile, w, r, s, "),
    "aie.insert_streams": ("softmax M=37 N=100", r"x_in = aie\.feed\(x, \(48, 100\), \(8, 100\), ", r"aie\.load\("),
    "aie.elide_copies": ("rates M=5 N=32", r"first = aie\.acquire\(twos, core\)$", r"aie\.copy\(first, twos_block\)$"),
    "aie.inline_loops": ("softmax M=37 N=100", r"for core in aie\.cores\(\):\n            row = aie\.acquire\(x_in, core\)$", r"for i in range\(1\):"),
    "aie.use_matrix_units": ("units_grid K=64", r"aie\.mmul\(acc, a_tile, b_tile\)", r"aie\.matmul\("),
    "aie.link_streams": ("gemm_places K=64", r"link='c_out_link'", ""),
    "aie.place": ("rates M=5 N=32", r"@aie\.core\(0, 2\)", r"@aie\.core\(\)"),
    "aie.route_shims": ("rates M=5 N=32", r", column=0\)$", ""),
}


class Passes(Case):
    def test_each_pass_has_a_program_that_it_changes(self) -> None:
        manifest = (ROOT / "plugins/backend-aie/htp-plugin.yaml").read_text()
        self.assertEqual(list(PASSES), re.findall(r"^  - kind: pass\n    name: (\S+)$", manifest, re.MULTILINE))
        for name, (row, made, gone) in PASSES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                program, *sizes = row.split()
                self.assertIn([program, *sizes], sized.ROWS)
                done = self.compile(sized.sized(program, sizes, Path(folder)), "--verify-each")
                self.assertEqual(done.returncode, 0, done.stderr)
                package = self.folder / "package"
                events = [json.loads(line) for line in (package / "ir/pass_trace.jsonl").read_text().splitlines()]
                (event,) = (one for one in events if one["pass"] == name)
                self.assertEqual(event["stage_after"], event["stage_before"] + 1)
                before, after = (next(package.glob(f"ir/stages/{event[end]:02}-*/program.py")).read_text() for end in ("stage_before", "stage_after"))
                for pattern, there in ((made, (False, True)), (gone, (True, False))):
                    if pattern:
                        self.assertEqual(tuple(re.search(pattern, text, re.MULTILINE) is not None for text in (before, after)), there, pattern)

    def test_a_stage_on_which_a_pass_has_something_to_do_does_not_hold_what_it_provides(self) -> None:
        for name, code in (("aie.fold_branches", "aie.branch-left"), ("aie.forward_caches", "aie.cache-left"), ("aie.legalize_calls", "aie.call-update")):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                program, *sizes = PASSES[name][0].split()
                self.assertEqual(self.compile(sized.sized(program, sizes, Path(folder))).returncode, 0)
                (after,) = self.folder.glob(f"package/ir/stages/*-{name}/program.py")
                (before,) = self.folder.glob(f"package/ir/stages/{int(after.parent.name[:2]) - 1:02}-*/program.py")
                (header,) = re.findall(r"^htp\.stage\(.*$", after.read_text(), re.MULTILINE)
                after.write_text(re.sub(r"^htp\.stage\(.*$", lambda _: header, before.read_text(), flags=re.MULTILINE))
                done = host("--plugins", PROFILE, "compile", "--from-stage", after.parent, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1)
                self.assertIn("pipeline.not-held", done.stderr)
                self.assertIn(f"error[{code}]", done.stderr)


if __name__ == "__main__":
    unittest.main()
