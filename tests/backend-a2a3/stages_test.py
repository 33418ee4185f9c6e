"""Stages for A2 and A3 that were edited: what does not hold is refused at its line, and what is said to help does."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import HEAD, PROFILE, ROOT, Case, host


def edited(text: str, hint: str) -> str:
    """A stage with what a hint says done: statements written, changed or taken out, by their lines."""
    lines = text.splitlines(keepends=True)
    if hint == "write `pto.drain()` as the kernel's last statement":
        last = max(n for n, line in enumerate(lines) if "pto." in line)
        kernel = next(n for n in range(last, 0, -1) if "with pto." in lines[n])
        indent = re.match(" *", lines[kernel])
        return "".join([*lines[: last + 1], (indent[0] if indent else "") + "    pto.drain()\n", *lines[last + 1 :]])
    taken = re.fullmatch(r"take line (\d+), `.*`, out", hint)
    changed = re.fullmatch(r"let line (\d+), `.*`, be `(.*)`", hint)
    written = re.findall(r"`([^`]*)` (before|behind) (?:the loop of |the `if` of )?line (\d+)(?:, `[^`]*`)?", hint)
    if taken:
        lines[int(taken[1]) - 1] = ""
    elif changed:
        at = int(changed[1]) - 1
        lines[at] = lines[at][: -len(lines[at].lstrip())] + changed[2] + "\n"
    else:
        if not written:
            return text  # it says no more than how
        for statement, where, number in sorted(written, key=lambda one: -int(one[2])):
            at = int(number) - 1
            indent = lines[at][: -len(lines[at].lstrip())]
            end = at + (where == "behind")
            while where == "behind" and lines[at].rstrip().endswith(":") and end < len(lines) and lines[end].startswith((indent + " ", indent + "else:")):
                end += 1
            lines.insert(end, indent + statement + "\n")
    return "".join(lines)


class Verifier(Case):
    """Stages without one flag, one barrier or the drain, or with another event or place."""

    def told(self, stage: Path, text: str) -> str:
        """What is said of a stage with this text; nothing where it compiles."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(stage, Path(folder) / stage.name)
            (Path(folder) / stage.name / "program.py").write_text(text)
            done = host("--plugins", PROFILE, "compile", "--from-stage", Path(folder) / stage.name, "-o", Path(folder) / "again")
            return "" if done.returncode == 0 else done.stderr

    def refused(self, stage: Path, text: str) -> bool:
        return "pipeline.not-held" in self.told(stage, text)

    def edit(self, package: Path, stage: str, old: str, new: str) -> str:
        (made,) = package.glob(f"ir/stages/*-a2a3.{stage}")
        text = (made / "program.py").read_text()
        self.assertIn(old, text)
        said = self.told(made, text.replace(old, new, 1))
        self.assertRegex(said, r"\Aerror\[a2a3\.", "the reason comes first")
        self.assertRegex(said, r"= note: this stage says `[^`]*` holds, but it does not: .* \[pipeline\.not-held\]\n")
        return said

    def test_sizes_that_do_not_fit_are_told_at_their_lines(self) -> None:
        product = self.example("half_gemm")
        for old, new, what, hint in (
            ("j_n = min(16, N - j_at)", "j_n = min(15, N - j_at)", "`j_n` is up to 15, and blocks of `j_at` begin 16 apart", "let both be one number: `j_n = min(16, N - j_at)`"),
            ("range(0, K, 32)", "range(0, K, 64)", "`k_n` is up to 32, and blocks of `k_at` begin 64 apart", "let both be one number: `k_n = min(64, K - k_at)`"),
            ("a_tile_mat = pto.tile(f16, 16, 32", "a_tile_mat = pto.tile(f16, 16, 16", "`a_tile_mat` has room for 16 columns, and `k_n` is up to 32", "give it room for 32 columns, or let fewer be valid"),
            ("b_tile_right = pto.tile(f16, 32, 16", "b_tile_right = pto.tile(f16, 32, 48", "the rooms of `a_tile_left`, 16 x 32, and `b_tile_right`, 32 x 48, make no product of `acc`, 16 x 16",
             "let the tiles have room for m x k, k x n and m x n: here `b_tile_right` for 32 x 16, and `a_tile_left` for 16 x 32"),
            ("i_least = max(8, ", "i_least = max(9, ", "parts of `i_part` are 9 long where", "let a part be so many whole blocks: a multiple of 8"),
            ("i_step = max(i_least, ", "i_step = min(0, ", "parts of `i_part` are 0 long where", "let a part have a block at least, of 64 for example: `max(64, min(0, (M + i_least * i_parts - 1) // (i_least * i_parts) * i_least))`"),
        ):
            with self.subTest(new):
                said = self.edit(product, "place", old, new)
                self.assertIn(f"error[a2a3.operands]: {what}", said)
                self.assertIn(f"= hint: {hint}\n", said)
        shutil.rmtree(product)
        rows = self.example("softmax")
        said = self.edit(rows, "order", "work_1 = pto.tile(f32, 8, 1024", "work_1 = pto.tile(f32, 8, 2048")
        self.assertRegex(said, r"error\[a2a3\.operands\]: `pto\.trowsum` works in `work_1`, where it reads `e`\n")
        self.assertIn("= hint: give `work_1` bytes of its own: another `at=`\n", said)
        said = self.edit(rows, "order", "pto.trowexpandsub(sub, row, reduce_max)", "pass")
        self.assertIn("error[a2a3.operands]: `pto.texp` reads `sub`, and nothing has written it before\n", said)

    def test_every_line_of_order_counts(self) -> None:
        mutants: list[tuple[str, Path, str]] = []
        for name in ("axpy", "softmax", "custom_pass", "gelu", "half_gemm", "transpose", "clip"):
            package = self.example(name)
            (made,) = package.glob("ir/stages/*-a2a3.order")
            stage = Path(shutil.copytree(made, self.folder / name / made.name))
            lines = (stage / "program.py").read_text().splitlines(keepends=True)
            self.assertFalse(self.refused(stage, "".join(lines)), f"{name}, as it was")
            for number, line in enumerate(lines):
                if re.match(r" +pto\.(set_flag|wait_flag|pipe_barrier|drain)\(", line):
                    changed = ["", line + line, re.sub(r"(\d \+ )?(turn\w*|\d)\)", "6)" if "7)" in line else "7)", line)] if "flag" in line else [""]
                    for other in changed:
                        text = "".join([*lines[:number], other, *lines[number + 1 :]])
                        mutants.append((f"{name}: line {number + 1} is {other!r}", stage, text))

        def judge(mutant: tuple[int, tuple[str, Path, str]]) -> str:
            number, (name, stage, text) = mutant
            said = self.told(stage, text)
            hint = re.search("= hint: (.*)", said)
            if "pipeline.not-held" not in said or not hint:
                return f"{name}\n{said}"
            if number % 6 and not os.environ.get("HTP_LONG"):
                return ""
            still = self.told(stage, edited(text, hint[1]))
            return f"{name}\n{hint[1]}\n{still}" if still else ""

        with ThreadPoolExecutor(os.cpu_count()) as workers:
            wrong = [one for one in workers.map(judge, enumerate(mutants)) if one]
        self.assertEqual("\n".join(wrong), "")
        self.assertGreaterEqual(len(mutants), 200)

    def test_stages_hold_what_they_say(self) -> None:
        package = self.example("gemm")
        for stage, old, new, told in (
            ("split", "    with pto.one_by_one('aic'):\n", "    for n in range(1):\n", "error[a2a3.not-split]: this stands in no kernel"),
            ("place", "space='acc'", "space='mat', layout='zn'", "error[a2a3.operands]: `pto.tmatmul_acc` writes `acc` in L1, and sums lie in L0C"),
            ("place", "    for i_part in range(0, M, i_step):\n", "    for i_part in range(1, M, i_step):\n", "error[a2a3.not-placed]"),
        ):
            with self.subTest(stage=stage, new=new):
                (made,) = package.glob(f"ir/stages/*-a2a3.{stage}")
                folder = Path(shutil.copytree(made, self.folder / f"edited-{len(list(self.folder.iterdir()))}" / made.name))
                text = (folder / "program.py").read_text()
                self.assertEqual(text.count(old), 1)
                (folder / "program.py").write_text(text.replace(old, new))
                done = host("--plugins", PROFILE, "compile", "--from-stage", folder, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1)
                self.assertIn(told, done.stderr)

    def test_operands_of_tiles_without_places(self) -> None:
        program = "import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel, maximum, tiles\n\nM = htp.dim(\"M\")\nN = htp.dim(\"N\")\n\n\n@kernel\n"
        program += "def program(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n"
        program += "    for i in tiles(M, 8):\n        for j in tiles(N, 64):\n            y[i, j] = maximum(x[i, j], z[i, j])\n"
        done = self.compile(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        for call, message, hint in (
            ("pto.tmax(maximum, x_tile)", "`pto.tmax` takes 3 operands, and is given 2", "like this: `pto.tmax(y, a, b)`"),
            ("pto.txor(maximum, x_tile, z_tile)", "`pto.txor` takes 4 operands, and is given 3", "like this: `pto.txor(either, a, b, work)`"),
            ("pto.tfmod(x_tile, x_tile, z_tile)", "`pto.tfmod` writes `x_tile` where it reads `x_tile`", "let it write to a tile of its own: `other = pto.tile(f32, i, j)`"),
            ("pto.tcmp(maximum, x_tile, z_tile, 'LT')", "`pto.tcmp` does not take `maximum`, a tile of f32", "it writes bool_: declare the tile so"),
            ("pto.taxpy(maximum, x_tile, 2.0)", "`pto.taxpy` reads `maximum`, and nothing has written it before", "fill it, `pto.texpands(maximum, 0)`, or load it before"),
            ("pto.tmuladddst(maximum, x_tile, z_tile)", "`pto.tmuladddst` reads `maximum`, and nothing has written it before", "fill it"),
            ("pto.ttrans(maximum, x_tile, z_tile)", "`pto.ttrans` of `maximum`, i x j, and `x_tile`, i x j", "let rows of the one and columns of the other agree, where they are declared"),
            ("pto.tload(maximum, x, j, i)", "`j` of `x` is of another length than `maximum`, i x j", "give both the same extents"),
            ("pto.tload(maximum, x, i + 1, j)", "`i + 1` leaves `x`, which has M there", "end at M"),
            ("pto.tmaximum(maximum, x_tile)", "`pto.tmaximum` is no instruction", "`htp-host ops` lists them"),
            ("pto.texp(maximum, w)", "`w` is no tile that is declared before, and no number", "declare it: `w = pto.tile(…)`"),
            ("pto.texp(w, x_tile)", "`pto.texp` of `w`, which is no tile that is declared before", "declare it: `w = pto.tile(…)`"),
            ("pto.tload(maximum, w, i, j)", "`w` is no tensor", "like this: `pto.tload(row, x, slice(i_at, i_at + i_n), whole)`"),
            ("pto.tload(maximum, x, i)", "`pto.tload` of `x` has not an index for each of its 2 dimensions", "like this"),
            ("acc = pto.tile(f32, i, j, space='acc'); pto.tmov(maximum, acc)", "`pto.tmov` of `acc` in L0C to `maximum` in the unified buffer: there is no way from the one to the other",
             "it goes through global memory: `g = pto.gm(f32, rows, columns)` before the kernels, `pto.tstore(g, acc, …)` here"),
        ):
            with self.subTest(call):
                said = self.edit(self.folder / "package", "select", "pto.tmax(maximum, x_tile, z_tile)", call)
                self.assertRegex(said, re.escape(message) + r"\n  --> .*program.py:21:")
                self.assertIn(f"= hint: {hint}", said)
        said = self.edit(self.folder / "package", "split", "pto.tmax(maximum, x_tile, z_tile)", "pto.tmatmul(maximum, x_tile, z_tile)")
        self.assertIn("error[a2a3.operands]: `pto.tmatmul` is an instruction of cube cores, in a kernel for vector cores\n", said)
        said = self.edit(self.folder / "package", "split", "maximum = pto.tile(f32, i, j)", "maximum = pto.tile(f32, i, j, space='mat')")
        self.assertIn("`maximum`, a tile in L1, which vector cores do not have\n", said)

    def test_places_and_flags_that_no_core_has(self) -> None:
        package = self.example("vector_add")
        tile, event = "at=512 + turn * 256", "pto.set_flag('MTE2', 'V', turn)"
        for old, new, message, hint in (
            (tile, "at=516 + turn * 256", "`b_tile` begins at byte 516 of the unified buffer, which is no multiple of 32", "let it begin at 512 or 544"),
            (tile, "at=512 + turn * 260", "the two places of `b_tile` are 260 bytes apart, which is no multiple of 32", "let them be apart by what it takes, or more: `at=512 + turn * 256`"),
            (tile, "at=188416", "`b_tile` ends at byte 188672 of the unified buffer, which has 188416", "let it begin at 188160 or before"),
            (", " + tile, "", "a tile without a place: `pto.tile(f32, 1, 64, valid=(1, i_n))`", "say where it begins: `at=512` is behind the others"),
            ("add = pto.tile(f32, 1, 64", "add = pto.tile(f32, 1, 60", "rows of `add` take 240 bytes, and the unified buffer has multiples of 32 bytes", "declare it as 1 x 64 of f32, of which `valid=` says what counts"),
            ("add = pto.tile(f32, 1, 64", "add = pto.tile(f32, 1024, 64", "which has 188416", "cut its block: it takes 262400 bytes wherever it begins"),
            ("add = pto.tile(f32, 1, 64", "add = pto.tile(f32, n, 64", "`add` does not say for how many rows and columns it has room", "give both as numbers"),
            (tile, "at=512, space='l2'", "`'l2'` is no memory of a core", 'they are "ub", "mat", "left", "right", "acc", "bias", "scaling"'),
            (event, "pto.set_flag('MTE5', 'V', turn)", "`'MTE5'` is no pipe", "they are 'MTE2', 'MTE1', 'M', 'FIX', 'V', 'MTE3', 'S'"),
            (event, "pto.set_flag('MTE2', 'V', 9)", "`9` is no event: between two pipes they are 0 to 7", "give one of these, or a number and the turn of a loop around: `2 + turn`"),
            (event, "pto.set_flag('MTE2', 'V')", "`pto.set_flag` takes two pipes and an event", "like this: `pto.set_flag('MTE2', 'V', 0)`"),
            (event, "pto.pipe_barrier()", "`pto.pipe_barrier` takes a pipe", "like this: `pto.pipe_barrier('V')`"),
            ("            pto.drain()\n", "", "the kernel ends before what it stores has left", "write `pto.drain()` as the kernel's last statement"),
        ):
            with self.subTest(new):
                said = self.edit(package, "order", old, new)
                self.assertIn(message + "\n", said)
                self.assertIn(f"= hint: {hint}", said)

    def test_bytes_that_another_tile_was_written_to(self) -> None:
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, 1]]) -> None:\n    for i in tiles(M, 8):\n        top = full(f32, -1e30, i, 1)\n        by = g[i, :]\n"
                            "        for j in tiles(N, 64):\n            top = maximum(top, reduce_max(exp(x[i, j] * by), axis=1))\n        y[i, :] = top\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = (self.folder / "package").glob("ir/stages/*-a2a3.place")
        text = (stage / "program.py").read_text()
        at = dict(re.findall(r"(\w+) = pto\.tile\(.*, at=(\d+)(?: \+ turn \* 2048)?\)", text))
        at["x_tile"] = str(int(at["x_tile"]) + 2048)  # its second place, of every other turn
        behind = str(max(map(int, at.values())) + 4096)
        for tile, word, others in (("top", "tmax", ("exp", "reduce_max", "work", "x_tile")), ("by", "trowexpandmul", ("exp", "work", "x_tile"))):
            line = re.search(rf"{tile} = pto\.tile\(.*, at=", text)
            assert line
            for other in others:
                with self.subTest(tile=tile, other=other):
                    said = self.told(stage, text.replace(f"{line[0]}{at[tile]})", f"{line[0]}{at[other]})"))
                    self.assertRegex(said, rf"error\[a2a3\.operands\]: `pto\.{word}` reads `{tile}`, where `\w+` has been written since\n  --> ")
                    self.assertIn("bytes of its own: another `at=`", said)
            self.assertEqual(self.told(stage, text.replace(f"{line[0]}{at[tile]})", f"{line[0]}{behind})")), "")

    def test_memories_that_have_no_way(self) -> None:
        package = self.example("half_gemm")
        for old, new, message, hint in (
            ("pto.tstore(c, acc", "u = pto.tile(f32, 16, 16, valid=(i_n, j_n), at=0); pto.tmov(u, acc); pto.tstore(c, acc", "`pto.tmov` of `acc` in L0C to `u` in the unified buffer: there is no way from the one to the other",
             "it goes through global memory: `g = pto.gm(f32, rows, columns)` before the kernels, `pto.tstore(g, acc, …)` here, and `pto.tload(u, g, …)` in a kernel behind, `with pto.aiv():`"),
            ("pto.tmov(a_tile_left, a_tile_mat)", "pto.tmov(a_tile_left, acc)", "`pto.tmov` of `acc` in L0C to `a_tile_left` in L0A: there is no way", "it goes through L1: `pto.tmov(block, acc)` to a tile of f16 or bf16 there"),
            ("pto.tmov(a_tile_left, a_tile_mat)", "pto.tmov(acc, a_tile_mat)", "in L1 to `acc` in L0C: there is no way", "sums are made there: `pto.tmatmul(acc, left, right)`"),
            ("pto.tmov(a_tile_left, a_tile_mat)", "pto.tmov(a_tile_mat, a_tile_left)", "in L0A to `a_tile_mat` in L1: there is no way", "L1 is loaded from global memory"),
            ("pto.tmov(b_tile_right, b_tile_mat)", "pto.tmov(b_tile_right, b_tile_mat); pto.tmov(a_tile_left, b_tile_right)", "in L0B to `a_tile_left` in L0A: there is no way", 'it is loaded to L1, `space="mat"`, and moved from there'),
            ("pto.tmov(a_tile_left, a_tile_mat)", "pto.tadd(a_tile_left, a_tile_left, a_tile_left)", "`pto.tadd` is an instruction of vector cores, in a kernel for cube cores", "let it stand in a kernel `with pto.aiv():`"),
            ("pto.tload(a_tile_mat, a,", "pto.tload(acc, a,", "`pto.tload` loads `acc` to L0C, and a cube core loads to L1 alone", 'load a tile of `space="mat"`, and move it: `pto.tmov(acc, block)`'),
            ("pto.tstore(c, acc,", "pto.tstore(c, a_tile_mat,", "`pto.tstore` stores `a_tile_mat` from L1, and a cube core stores sums alone", 'store a tile of `space="acc"`'),
            ("pto.tmatmul_acc(acc, a_tile_left, b_tile_right)", "pto.tmatmul_acc(acc, a_tile_mat, b_tile_right)", "`pto.tmatmul_acc` reads `a_tile_mat` in L1, and takes it in L0A", 'move it: `pto.tmov(other, a_tile_mat)` to a tile of `space="left"`'),
        ):
            with self.subTest(new):
                said = self.edit(package, "place", old, new)
                self.assertIn("error[a2a3.operands]: ", said)
                self.assertIn(message, said)
                self.assertIn(f"= hint: {hint}", said)

    def test_what_two_pipes_touch(self) -> None:
        """Neither flag stands there: both are named, and where."""
        package = self.example("axpy")
        (made,) = package.glob("ir/stages/*-a2a3.order")
        text = re.sub(r" +pto\.(set|wait)_flag\('MTE2', 'V', .*\)\n", "", (made / "program.py").read_text())
        said = self.told(made, text)
        hint = re.search("= hint: (.*)", said)
        self.assertRegex(hint[1] if hint else "", r"write `pto\.set_flag\('MTE2', 'V', 0\)` behind line \d+, `pto\.tload.*` and `pto\.wait_flag\('MTE2', 'V', 0\)` before line \d+, `pto\.t")

    def test_places_overlap_nowhere(self) -> None:
        package = self.example("vector_add")
        (stage,) = package.glob("ir/stages/*-a2a3.order")
        text = (stage / "program.py").read_text()
        for other in ("516 + turn * 256", "-32 + turn * 256", "188416 + turn * 256", "256 + turn * 256", "512 + turn * 260", "512", "512 + 1 * 256"):
            with self.subTest(other):
                self.assertTrue(self.refused(stage, text.replace("at=512 + turn * 256", f"at={other}")))


    def test_operands_that_no_core_takes(self) -> None:
        """Of a stage that is written by hand, at the line that is wrong, with what helps."""
        signature = "x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 64, 64]]"
        result = "u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)"
        for of, call, message, hint in (
            ("u = pto.tile(f32, 64, 64, valid=(64, 64), at=8192)", "pto.texp(u, t)", "`pto.texp` writes `u` over a part of `t`, which it still reads", "let both begin"),
            ("u = pto.tile(f32, 64, 64, valid=(64, 64), at=0)", "pto.trecip(u, t)", "`pto.trecip` writes `u` where it reads `t`", "give `u` bytes of its own"),
            ("u = pto.tile(f32, 64, 32, valid=(64, 32), at=16384)", "pto.texp(u, t)", "`pto.texp` of `u`, 64 x 32, and `t`, 64 x 64", "give both the same"),
            ("u = pto.tile(f16, 64, 64, valid=(64, 64), at=16384)", "pto.texp(u, t)", "`pto.texp` of `u`, a tile of f16, and `t`, one of f32", "declare both"),
            ("u = pto.tile(i8, 64, 64, valid=(64, 64), at=16384)", "pto.tadd(u, u, u)", "`pto.tadd` does not take `u`, a tile of i8", "it writes f16 f32 i16 i32: declare the tile so"),
            ("u = pto.tile(i32, 64, 64, valid=(64, 64), at=16384)", "pto.tcvt(u, t, 'RIGHT')", "`pto.tcvt` knows no `RIGHT`", "it takes one of NONE RINT TRUNC FLOOR CEIL"),
            ("u = pto.tile(bool_, 64, 256, valid=(64, 64), at=16384)", "pto.tcmps(u, t, 0, '<')", "`pto.tcmps` knows no `<`", "it takes one of EQ NE LT LE GT GE"),
            (result, "pto.tgather(u, t, 'P11')", "`pto.tgather` knows no `P11`", "it takes one of P0101"),
            (result, "pto.tadd(u, t)", "`pto.tadd` takes 3 operands, and is given 2", "like this: `pto.tadd(y, a, b)`"),
            (result, "pto.tadd(u, t, 1.0)", "`b` of `pto.tadd` is a tile, and `1.0` is none", "like this"),
            (result, "pto.tload(t, x, slice(1, 65), slice(0, 64))", "`slice(1, 65)` leaves `x`, which has 64 there", "end at 64"),
            (result, "pto.tload(t, x, slice(0, 32), slice(0, 64))", "`slice(0, 32)` of `x` is of another length than `t`, 64 x 64", "give both"),
        ):
            with self.subTest(call=call, of=of), tempfile.TemporaryDirectory() as folder:
                body = ["t = pto.tile(f32, 64, 64, valid=(64, 64), at=0)", "pto.tload(t, x, slice(0, 64), slice(0, 64))", of, "pto.pipe_barrier('ALL')", call, "pto.drain()"]
                header = "htp.stage(number=6, after='a2a3.order', holds=['Codegen.Ready(target=a2a3)'], then=[], entry='f', target='a2a3')"
                text = f"import htp\n{header}\nfrom htp import In, Out, bool_, f16, f32, i32, i8\nfrom htp_tile import Tensor, kernel\nimport htp_pto as pto\n\n\n"
                text += f"@kernel\ndef f({signature}) -> None:\n    with pto.aiv():\n" + "".join(f"        {line}\n" for line in body)
                (Path(folder) / "program.py").write_text(text)
                done = host("--plugins", PROFILE, "compile", "--from-stage", folder, "-o", Path(folder) / "again")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[a2a3.operands]: {message}\n", done.stderr)
                self.assertIn(call, done.stderr)
                self.assertIn(f"= hint: {hint}", done.stderr)


if __name__ == "__main__":
    unittest.main()
