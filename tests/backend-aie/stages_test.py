"""Pipelines on AI Engines, and stages that somebody edited: what a verifier says of each thing in them."""

from __future__ import annotations

import json
import re
import shutil
import unittest
from pathlib import Path

from case import PIPELINE, PROFILE, Case, host, last


class Edited(Case):
    def edit_refused(self, made: Path, text: str, old: str, new: str, code: str, *said: str) -> None:
        """What a stage is told that somebody edited: what is wrong there, with the number and its limit."""
        self.assertIn(old, text)
        stage = Path(shutil.copytree(made, self.folder / "edited" / made.name, dirs_exist_ok=True))
        (stage / "program.py").write_text(text.replace(old, new, 1))
        done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
        self.assertEqual(done.returncode, 1, f"{old} → {new}")
        self.assertIn("pipeline.not-held", done.stderr)
        self.assertIn(code, done.stderr)
        for text in said:
            self.assertIn(text, done.stderr)


class Pipelines(Edited):
    """A core for each process that computes."""

    def test_what_is_loaded_twice_comes_once(self) -> None:
        program = PIPELINE + """def twice(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def work() -> None:
        for m in tiles(M, 8):
            y[m, :] = x[m, :] * x[m, :] + x[m, :] + z[m, :]
"""
        self.assertEqual(self.compile(program).returncode, 0)
        stage = last(self.folder / "package") / "program.py"
        self.assertEqual(stage.read_text().count("aie.feed("), 2)

    def stage(self, name: str, *options: str, profile: Path = PROFILE) -> str:
        made = last(self.example(name, *options, profile=profile))
        return (made / "program.py").read_text()

    def test_processes_that_only_move_need_no_core(self) -> None:
        package = self.example("line_buffers", "--set", "M=8", "--set", "N=16")
        mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
        self.assertEqual([core["process"] for core in mapping["cores"]], ["blur", "sharpen"])

    def test_neighbours_share_memory(self) -> None:
        package = self.example("resample", "--set", "M=8", "--set", "N=16")
        fifos = json.loads((package / "codegen/aie/fifos.json").read_text())["fifos"]
        between = {fifo["stream"]: (fifo["depth"], fifo["shares_memory"]) for fifo in fifos if "tensor" not in fifo}
        self.assertEqual(between, {"twos": (2, True), "threes": (3, True), "again": (2, True)})

    def test_rates_are_how_many_parts_are_held(self) -> None:
        text = self.module("resample", "--set", "M=8", "--set", "N=16")
        self.assertRegex(text, r"acquire @twos \(Consume, 2\)[^\n]*\n[^\n]*\[1\] : ")

    def test_what_does_not_depend_on_a_loop_comes_once(self) -> None:
        text = self.module("gemm_chain", "--set", "M=64")
        self.assertEqual(len(re.findall(r"dma_memcpy_nd \(%b\[0, 0, 0, \d+\]\[1, 1, 1, 256\]", text)), 4)
        self.assertEqual(len(re.findall(r"= aie\.core\(", text)), 4)

    def test_what_several_cores_load_alike_is_one_stream(self) -> None:
        text = self.module("gemm_grid", "--set", "K=64")
        ends = [len(found.split(",")) for found in re.findall(r"objectfifo @[ab]_in\w*\(%shim_\d, {([^}]*)}", text)]
        self.assertEqual(sorted(ends), [2, 2, 2, 2, 4, 4])

    def test_a_channel_with_less_room_than_asked_for_is_told(self) -> None:
        pipeline = PIPELINE + """def doubled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity={capacity})

    @process
    def first() -> None:
        for m in range(M):
            rows.put(x[m, :] * 2.0)

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = rows.get() + 1.0
"""
        for capacity, depth in ((16, 16), (400, 16)):
            shutil.rmtree(self.folder / "package", ignore_errors=True)
            done = self.compile(pipeline.format(capacity=capacity))
            self.assertEqual(done.returncode, 0, done.stderr)
            stage = last(self.folder / "package") / "program.py"
            self.assertIn(f"rows = aie.fifo(f32, (1, 16), 'first', 'second', {depth})", stage.read_text())
            self.assertEqual("warning[aie.room]: `rows` is to have room for 400 items, and has room for 16" in done.stderr, capacity == 400, done.stderr)

    def test_columns_are_an_option(self) -> None:
        profile = self.profile(pass_options={"device": "npu2", "columns": 3})
        self.assertIn("aie.device('npu2', columns=3, rows=4)", self.stage("resample", "--set", "M=8", "--set", "N=16", profile=profile))

    def refused(self, code: str, text: str, body: str) -> None:
        done = self.compile(PIPELINE + body)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"error[{code}]: {text}", done.stderr)

    def test_forms_that_are_not_there(self) -> None:
        self.refused("aie.no-handler", "`csp.event` has no words on aie", """def told(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def first() -> None:
        y[0:100, :] = x[0:100, :] * 2.0
        done.put()

    @process
    def second() -> None:
        done.get()
        y[100:200, :] = x[100:200, :] * 2.0
""")  # fmt: skip

    def test_edited_stages_are_refused(self) -> None:
        package = self.example("resample", "--set", "M=8", "--set", "N=16")
        for name, code, changes in (
            ("aie.spread", "aie.not-streamed", (("'up', 'down', 3)", "'up', 'down', 1)", "the cores get stuck: "), ("'up', 'down', 3)", "'up', 'scale', 3)", "stands where `aie.acquire` of a stream of this core must"),
                                                ("@aie.core()", "@aie.core(0, 2)", "has a place before `aie.place` gave it one"))),
            ("aie.route_shims", "aie.not-ready", (("@aie.core(0, 2)", "@aie.core(0, 9)", "is placed at (0, 9), and npu1 has cores in columns 0 to 3 and rows 2 to 5"), ("@aie.core(0, 2)", "@aie.core(0, 3)", "is placed where `"),
                                            ("column=0)", "column=7)", "passes the shim of column 7, and the device has columns 0 to 3"))),
        ):  # fmt: skip
            (made,) = package.glob(f"ir/stages/*-{name}")
            text = (made / "program.py").read_text()
            for old, new, said in changes:
                self.edit_refused(made, text, old, new, code, said)



TWO = """import htp
from htp import In, Out, i16, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, maximum, reduce_sum

N = 10


@pipeline
def two(x: In[Tensor[i16, 12, N]], y: Out[Tensor[i16, 6, N]], t: Out[Tensor[i32, 6, 1]]) -> None:
    rows = channel(i16, 1, N, capacity=3)

    @process
    def first() -> None:
        for m in range(12):
            rows.put(x[m, :] * 3)

    @process
    def second() -> None:
        for m in range(6):
            p = rows.get()
            q = rows.get()
            y[m, :] = maximum(p, q)
            t[m, :] = reduce_sum(cast(q, i32), axis=1)
"""


class Meaning(Edited):
    """Edits after which cores would make something else than the stage under Python, or than anybody wrote."""

    def test_what_a_core_does_is_there(self) -> None:
        self.assertEqual(self.compile(TWO).returncode, 0)
        made = last(self.folder / "package")
        text = (made / "program.py").read_text()
        rows, cast = "rows = aie.fifo(i16, (1, 10), 'first', 'second', 3)", "                aie.cast(cast, q)\n"
        for old, new, *said in (
            # Numbers, and operations, that the dtype has not.
            ("x_tile, 3)", "x_tile, 3.5)", "`3.5` is a float, and no number of i16\n", "write a whole number from -32768 to 32767"),
            ("x_tile, 3)", "x_tile, 100000)", "`100000` is no number of i16, which holds -32768 to 32767\n"),
            ("aie.mul(mul, x_tile, 3)", "aie.exp(mul, x_tile)", "a core does not compute `exp` of i16\n", "it does of f32 and bf16"),
            ("aie.mul(mul, x_tile, 3)", "aie.div(mul, x_tile, 3)", "a core does not compute `div` of i16\n", "it does of f32 and bf16"),
            ("aie.mul(mul, x_tile, 3)", "aie.shr(mul, x_tile, -1)", "elements of i16 are shifted by 0 to 15, and not by `-1`\n"),
            ("aie.mul(mul, x_tile, 3)", "aie.shl(mul, x_tile, 40)", "elements of i16 are shifted by 0 to 15, and not by `40`\n", "write a number from 0 to 15"),
            # Parts that are given back, and tiles that nothing is in.
            (f"{cast}                aie.release(rows, core)\n", f"                aie.release(rows, core)\n{cast}", "`q`, a part of `rows`, was given back before this\n", "write `aie.release(rows, core)` behind its last use"),
            (cast, "", "`cast` is read, and nothing was written to it\n", "write to `cast` before it is read"),
            ("aie.maximum(maximum, p, q)", "pass", "`maximum`, a part of `y_out`, is given, and nothing was written to it\n", "write to `maximum` before it is released"),
            ("aie.maximum(maximum, p, q)", "aie.maximum(maximum, maximum, q)", "`maximum` is read, a part of `y_out` that this core gives, and nothing was written to it\n"),
            (rows, rows.replace("'first', 'second'", "'second', 'first'"), "`p` is read, a part of `rows` that this core gives, and nothing was written to it\n", "of a fifo's two cores the first gives, and the second reads"),
            # What is collected, from where to where.
            ("aie.collect(t, (6, 1), (1, 1), ((6, 1),)", "aie.collect(t, (6, 1), (1, 1), ((6, 0),)", "no core writes element 1 of `t`\n", "let the orders of its streams come to each element"),
            ("((60, 1),), 0, 'second', 2, start=0", "((50, 1),), 0, 'second', 2, start=10", "no core writes element 0 of `y`\n"),
            ("y_out = aie.collect(y, (6, 10), (1, 10), ((60, 1),)", "y_out = aie.collect(x, (12, 10), (1, 10), ((60, 1),)", "`x` is an `In`, and a collect writes its tensor\n", "collect an `Out` or an `InOut`"),
            # What one end gives is not what the other takes: more room would not help.
            ("range(12)", "range(11)", "the cores get stuck: `second` waits for a part of `rows`, of which no more comes\n", "q = aie.acquire(rows, core)", "say as many parts at both ends"),
            ("range(6)", "range(5)", "the cores get stuck: `second` takes 10 parts of `rows`, and 12 come\n", rows, "say as many parts at both ends"),
        ):  # fmt: skip
            self.edit_refused(made, text, old, new, "aie.not-ready", *said)

    def test_a_part_that_a_turn_gives_back_is_gone_in_the_next_one(self) -> None:
        self.assertEqual(self.compile(TWO).returncode, 0)
        made = last(self.folder / "package")
        text = (made / "program.py").read_text()
        body = """            for m in range(12):
                x_tile = aie.acquire(x_in, core)
                mul = aie.acquire(rows, core)
                aie.mul(mul, x_tile, 3)
                aie.release(x_in, core)
                aie.release(rows, core)
"""
        again = """            x_tile = aie.acquire(x_in, core)
            for m in range(11):
                mul = aie.acquire(rows, core)
                aie.mul(mul, x_tile, 3)
                aie.release(x_in, core)
                aie.release(rows, core)
                next = aie.acquire(x_in, core)
            last = aie.acquire(rows, core)
            aie.mul(last, next, 3)
            aie.release(x_in, core)
            aie.release(rows, core)
"""
        self.edit_refused(made, text, body, again, "aie.not-ready", "aie.mul(mul, x_tile, 3)", "`x_tile`, a part of `x_in`, was given back before this\n")


class Verifier(Edited):
    """Stages that were edited: `holds` is asked before anything goes on."""

    def test_edited_stages_are_refused(self) -> None:
        package = self.example("vector_add", "--set", "N=1000")
        made = last(package)
        text = (made / "program.py").read_text()
        self.assertIn("'each', 2)", text)
        for old, new, *said in (
            ("columns=4", "columns=5", "the transfer ends at element 1279 of `a`, whose last one, padded, is 1023"),
            ("(1024,), (64,)", "(1024,), (63,)", "the order moves 256 elements, which are no parts of 63 for 2 rows\n", "the product of its sizes is a multiple of 126"),
            ("(1024,), (64,)", "(900,), (64,)", "`a` has 1000 elements in dimension 0, and is padded to 900"),
            ("'each', 2)", "'each', 99)", "`a_in` is to have room for 99 parts, and a stream has room for 1 to 16", "16 is the most"),
            ("'each', 2)", "'each', 12)", "44 descriptors of every other channel of a memory tile are wanted, and it has 24"),
            ("(1024,), (64,)", "(1024,), (2, 8, 2, 2)", "a part of 2 by 8 by 2 by 2 lies in blocks, and the order does not end with these"),
            ("            for i in range(2):", "            for i in range(a):", "`range(a)` stands where `range` of a number above 0 must"),
            ("            for i in range(2):", "            for i in range(3):", "`a_in` has 2 parts for each core, and a core acquires 3"),
            ("                aie.release(a_in, core)\n", "                aie.release(a, core)\n", "`aie.release(a, core)` stands where `aie.release` of a stream of this core must"),
            ("                aie.release(a_in, core)\n", "", "a turn of this loop acquires another number of parts of `a_in` than it releases"),
            ("a_tile, b_tile)", "a_tile, c)", "`c` is neither a tile of this core nor a number"),
            ("columns=4, rows=2", "columns=9, rows=2", "the transfer ends at "),
        ):  # fmt: skip
            self.edit_refused(made, text, old, new, "aie.not-streamed", *said)

    def test_columns_that_write_the_same_are_refused(self) -> None:
        package = self.example("vector_add", "--set", "N=1000")
        made, code = last(package), "aie.not-streamed"
        text = (made / "program.py").read_text()
        self.edit_refused(made, text, "aie.collect(c, (1024,), (64,), ((256, 1),), 256", "aie.collect(c, (1024,), (64,), ((256, 1),), 128", code, "`c_out` of column 0 and `c_out` of column 1 both write element 128 of `c`\n", "the distance between columns that writes each element once is 256")
        self.edit_refused(made, text, "aie.collect(c, (1024,), (64,), ((256, 1),), 256", "aie.collect(c, (1024,), (64,), ((128, 2),), 256", code, "a core acquires 2")
        self.edit_refused(made, text, "aie.collect(c, (1024,), (64,), ((256, 1),), 256", "aie.collect(c, (1024,), (64,), ((2, 0), (128, 1)), 256", code, "no column writes element 128 of `c`\n", "let the order and the distance between columns come to each element once")

    def test_cores_that_write_the_same_are_refused(self) -> None:
        program = PIPELINE.replace("from htp_csp import", "from htp_csp import R, S, shard,") + """def halves(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=2, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def half(g: int, x: In[Tensor[f32, 100, N]], y: Out[Tensor[f32, 100, N]]) -> None:
        for m in range(100):
            y[m, :] = x[m, :] * 2.0
"""
        self.assertEqual(self.compile(program).returncode, 0)
        made = last(self.folder / "package")
        text = (made / "program.py").read_text()
        old = "y_out_1 = aie.collect(y, (200, 16), (1, 16), ((1600, 1),), 0, 'half_1', 2, start=1600"
        self.edit_refused(made, text, old, old.replace("start=1600", "start=1584"), "aie.not-ready", "`y_out` and `y_out_1` both write element 1584 of `y`\n", "give each its own part: another `start`")

    def test_blocks_that_pass_no_memory_tile_are_refused(self) -> None:
        package = self.example("units_grid", "--set", "K=64")
        made = last(package)
        text = (made / "program.py").read_text()
        self.edit_refused(made, text, ", link='a_in_rows'", "", "aie.not-ready", "`a_in` has parts in blocks, and passes no memory tile, which makes them of rows\n", "say a link, `link='a_in_rows'`")
        self.edit_refused(made, text, "((2, 32), (4, 256), (4, 8), (4, 64), (8, 1))", "((2, 32), (4, 256), (4, 8), (8, 1), (4, 64))", "aie.not-ready", "a part of 4 by 4 by 4 by 8 lies in blocks, and the order does not end with these")
        self.edit_refused(made, text, "aie.collect(c, (64, 64), (4, 2, 4, 8), ((4, 256), (2, 8), (4, 64), (8, 1))", "aie.collect(c, (64, 64), (16, 16), ((16, 64), (16, 1))", "aie.not-ready", "the tiles of `aie.mmul(acc, a_tile, b_tile)` do not fit each other")

        for name, said in (("a_in", "the name of something else\n"), ("c_out", "the name of something else\n"), ('a in"', "no name of letters, digits and `_`\n")):
            self.edit_refused(made, text, "link='a_in_rows'", f"link={name!r}", "aie.not-ready", f"`link='{name}'` is {said}", "name it `a_in_rows`")
        column = self.example("units_column", "--set", "M=32")
        made = last(column)
        text = (made / "program.py").read_text()
        self.assertRegex(text, r"aie\.feed\(scale, \(32, 1\), \(4, 1, 4, 1\), .*, 'scaled', 2, start=0, column=")
        self.edit_refused(made, text, "link='b_in_rows'", "link='a_in_rows'", "aie.not-ready", "`a_in` lies in blocks, which a memory tile makes of one tensor's rows\n", "give it a link of its own: `link='a_in_rows'`")

    def test_parts_that_are_no_words_are_refused(self) -> None:
        package = self.example("odd_bytes", "--set", "M=4", "--set", "N=5")
        made = last(package)
        text = (made / "program.py").read_text()
        for old, new in (("low, (4, 5), (4, 5)", "low, (4, 5), (2, 5)"), ("(4, 1), (4, 1)", "(4, 1), (2, 1)"), ("i32, 4, 5", "i32, 2, 5")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.edit_refused(made, text, "aie.feed(x, (4, 5), (4, 5), ", "aie.feed(x, (4, 5), (2, 5), ", "aie.not-streamed", "the transfers of `x` cannot be programmed: parts of 2 by 5 elements are 10 bytes, which are no multiple of 4")

    def test_edited_packs_are_refused(self) -> None:
        package = self.example("layernorm", "--set", "M=8")
        made = last(package)
        text = (made / "program.py").read_text()
        for old, new in (
            ("(shift, 96, ", "(shift, 97, "),
            ("(shift, 96, ", "(y, 96, "),
            ("(shift, 96, ((96, 1, 1, 1),))", "(shift, 96)"),
            ("(shift, 96, ((96, 1,", "(shift, 96, ((96, 2,"),
            ("(shift, 96, ((96, 1, 1, 1),))", "(shift, 96, ((96, 1, 1),))"),
            ("aie.pack(f32, (192,)", "aie.pack(htp.f16, (192,)"),
            ("scale_shift_part, 96)", "scale_shift_part, 97)"),
            ("scale_shift_part, 96)", "scale_shift_part, -1)"),
            ("unpack(shift_tile, scale_shift_part", "unpack(shift_tile, shift_tile"),
        ):
            self.assertIn(old, text)
            stage = Path(shutil.copytree(made, self.folder / "edited" / made.name, dirs_exist_ok=True))
            (stage / "program.py").write_text(text.replace(old, new, 1))
            done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
            self.assertEqual(done.returncode, 1, f"{old} → {new}")
            self.assertIn("aie.not-streamed", done.stderr)

    def test_edited_strips_and_shares_are_refused(self) -> None:
        package = self.example("gemm_i8", "--set", "M=64", "--set", "N=64", "--set", "K=64")
        made = last(package)
        text = (made / "program.py").read_text()
        for old, new in (
            ("aie.strip(acc, 1, row)", "aie.strip(acc, 9, row)"),
            ("aie.strip(acc, 1, row)", "aie.strip(acc, 0, row)"),
            ("aie.strip(acc, 1, row)", "aie.strip(acc, 1, 0)"),
            ("aie.strip(acc, 1, row)", "aie.strip(c, 1, row)"),
            ("'rows', 2)", "'row', 2)"),
            ("'each', 2)", "'rows', 2)"),
        ):
            self.assertIn(old, text)
            stage = Path(shutil.copytree(made, self.folder / "edited" / made.name, dirs_exist_ok=True))
            (stage / "program.py").write_text(text.replace(old, new, 1))
            done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
            self.assertEqual(done.returncode, 1, f"{old} → {new}")
            self.assertIn("aie.not-streamed", done.stderr)

    def test_a_portable_intrinsic_is_no_word_of_the_target(self) -> None:
        package = self.example("vector_add", "--set", "N=1000")
        (made,) = package.glob("ir/stages/*-aie.select")
        stage = Path(shutil.copytree(made, self.folder / "edited" / made.name))
        text = (stage / "program.py").read_text()
        (stage / "program.py").write_text(text.replace("aie.add(add, a_tile, b_tile)", "add = tile.add(a_tile, b_tile)"))
        done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
        self.assertEqual(done.returncode, 1)
        self.assertIn("aie.not-selected", done.stderr)


if __name__ == "__main__":
    unittest.main()
