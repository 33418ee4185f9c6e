"""What a package hands to a machine with an NPU: its host program against a stand-in for XRT, and its recipe against the options of each version's aiecc."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

import htp
import htp_aie
import numpy as np
from case import ROOT, Case, last

HERE = Path(__file__).resolve().parent

# What a host program is given of aiecc, by version: text up to 2408, bytes since.
FORMS = {"2408": "text", "v1.0": "bytes", "2608": "bytes"}
WORDS = (0x06030100, 0x105, 0, 0xFFFFFFFF, 0x0A000000)

# What each version's compiler is called, and those of its options that recipes may use: those with a value, and those without.
AIECC = {
    "2408": ("aiecc.py", {"--peano", "--xclbin-name", "--npu-insts-name"},
             {"--no-compile-host", "--no-xchesscc", "--no-xbridge", "--aie-generate-xclbin", "--aie-generate-npu", "--basic-alloc-scheme"}),
    "v1.0": ("aiecc.py", {"--peano", "--xclbin-name", "--npu-insts-name", "--alloc-scheme"},
             {"--no-compile-host", "--no-xchesscc", "--no-xbridge", "--aie-generate-xclbin", "--aie-generate-npu-insts"}),
    "2608": ("aiecc", {"--peano", "--xclbin-name", "--npu-insts-name", "--alloc-scheme"}, {"--get-xclbin", "--get-npu-insts"}),
}  # fmt: skip
TOOL = '#!/bin/sh\n{ echo "$(basename "$0")"; pwd; for a; do echo "$a"; done; echo; } >> "$CALLS"\n'


def words(form: str) -> bytes:
    return "".join(f"{w:08X}\n" for w in WORDS).encode() if form == "text" else struct.pack(f"<{len(WORDS)}I", *WORDS)


PIECES = """import htp
from htp import In, Out, f32
from htp_csp import S, pipeline, process, shard
from htp_tile import Tensor, tiles


@pipeline
def pieces(x: In[Tensor[f32, 26, 20]], y: Out[Tensor[f32, 26, 20]]) -> None:
    @process(grid=(2, 2), args=(shard(x, S(0), S(1)), shard(y, S(0), S(1))))
    def work(p: int, q: int, x: In[Tensor[f32, 13, 10]], y: Out[Tensor[f32, 13, 10]]) -> None:
        for i in tiles(13, 8):
            for j in tiles(10, 8):
                y[i, j] = x[i, j] + x[i, j]
"""


class Package(Case):
    def of(self, version: str, name: str = "gelu", *sizes: str) -> Path:
        return self.example(name, *(sizes or ("--set", "M=11", "--set", "N=70")), profile=self.profile(mlir_aie=f'"{version}"'))

    def test_a_host_program_reads_what_its_version_s_compiler_writes(self) -> None:
        texts: dict[str, Path] = {}
        for version, form in FORMS.items():
            package = self.of(version)
            text = (package / "codegen/aie/host.cpp").read_text()
            program = texts.get(form)
            if program is None:
                program = texts[form] = self.folder / f"host-{form}"
                subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", HERE / "xrt", "-x", "c++", "-", "-o", program], input=text, text=True, check=True)
            (self.folder / "x.bin").write_bytes(struct.pack("<770f", *range(770)))
            for given, right in ((words(form), True), (words("text" if form == "bytes" else "bytes"), False), (b"", False)):
                for left in ("KERNEL", "y.bin"):
                    (self.folder / left).unlink(missing_ok=True)
                (self.folder / "insts").write_bytes(given)
                done = subprocess.run([program, "final.xclbin", "insts"], cwd=self.folder, capture_output=True, text=True)
                if not right:
                    self.assertEqual((done.returncode, (self.folder / "KERNEL").exists()), (1, False), done.stderr)
                    self.assertIn("insts holds no instructions as MLIR-AIE", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                first, *rooms = (self.folder / "KERNEL").read_text().split("\n")
                self.assertEqual(first, "MLIR_AIE 3 1 1 5 " + " ".join(map(str, WORDS)))
                padded = 4 * 16 * 128
                self.assertEqual(rooms, [f"3 2 {padded}", f"4 2 {padded}"])
                # Lines of 70 lie in lines of 128, the rest is zeros; and they come back so.
                seen = struct.unpack(f"<{16 * 128}f", (self.folder / "SEEN").read_bytes())
                self.assertEqual(seen, tuple(float(70 * r + c) if r < 11 and c < 70 else 0.0 for r in range(16) for c in range(128)))
                self.assertEqual((self.folder / "y.bin").read_bytes(), (self.folder / "x.bin").read_bytes())

    def test_a_host_program_fills_up_each_piece(self) -> None:
        done = self.compile(PIECES)
        self.assertEqual(done.returncode, 0, done.stderr)
        package, program = self.folder / "package", self.folder / "host"
        x, y = json.loads((package / "codegen/aie/mapping.json").read_text())["parameters"]
        self.assertEqual([(one["extents"], one["padded"], one["pieces"]) for one in (x, y)], [([26, 20], [32, 32], [2, 2])] * 2)
        subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", HERE / "xrt", package / "codegen/aie/host.cpp", "-o", program], check=True)
        given = np.arange(1, 521, dtype=np.float32).reshape(26, 20)
        (self.folder / "x.bin").write_bytes(given.tobytes())
        (self.folder / "insts").write_bytes(words("bytes"))
        subprocess.run([program, "final.xclbin", "insts"], cwd=self.folder, check=True)
        filled = np.pad(given.reshape(2, 13, 2, 10), ((0, 0), (0, 3), (0, 0), (0, 6)))
        self.assertEqual((self.folder / "SEEN").read_bytes(), filled.tobytes())
        self.assertEqual((self.folder / "y.bin").read_bytes(), given.tobytes())

    def test_a_host_program_lays_out_what_transfers_do_not_follow(self) -> None:
        # Elements of four bytes are followed wherever they lie; of shorter ones two side by side are a transfer's least, and a swizzle has no strides.
        for dtype, layout, follows in (
            ("f32", "htp.layouts.ordered((32, 64), (1, 0))", True),
            ("f32", "htp.layouts.strided((32, 64), (72, 1))", True),
            ("f32", "htp.layouts.packed((32, 64), (4, 8), (1, 0), (0, 1))", True),
            ("i16", "htp.layouts.strided((32, 64), (72, 1))", True),
            ("i16", "htp.layouts.ordered((32, 64), (1, 0))", False),
            ("f32", "htp.layouts.swizzle(htp.layouts.ordered((32, 64), (0, 1)), 2, 0, 4)", False),
        ):
            with self.subTest(f"{dtype} {layout}"):
                shutil.rmtree(self.folder / "package", ignore_errors=True)
                parameter = f"[Tensor[{dtype}, 32, 64, {layout}]]"
                done = self.compile(f"import htp\nfrom htp import In, Out, f32, i16\nfrom htp_tile import Tensor, kernel, tiles\n\n\n@kernel\ndef twice(x: In{parameter}, y: Out{parameter}) -> None:\n    for i in tiles(32, 8):\n        y[i, :] = x[i, :] * 2\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                package, program = self.folder / "package", self.folder / "host"
                mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
                self.assertEqual([one.get("as_it_lies", False) for one in mapping["parameters"]], [follows, follows])
                subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", HERE / "xrt", package / "codegen/aie/host.cpp", "-o", program], check=True)
                x = np.arange(1, 2049, dtype=np.float32 if dtype == "f32" else np.int16).reshape(32, 64)
                lies = eval(layout, {"htp": htp})
                places = htp.layouts.places(lies, x.shape)
                storage = np.zeros(int(places.max()) + 1, x.dtype)
                storage[places] = x
                (self.folder / "x.bin").write_bytes(storage.tobytes())
                (self.folder / "insts").write_bytes(words("bytes"))
                subprocess.run([program, "final.xclbin", "insts"], cwd=self.folder, check=True)
                self.assertEqual((self.folder / "SEEN").read_bytes(), (storage if follows else x).tobytes())
                self.assertEqual((self.folder / "y.bin").read_bytes(), storage.tobytes())

    def test_a_host_program_packs_tensors_as_the_stage_says(self) -> None:
        # Rows that are filled up, and a row beside them; elements of four bytes among ones of one; zeros around a tensor, a number, and
        # what counts.
        for name, sizes, wanted in (
            ("linear_relu", {"M": 20, "N": 70, "K": 40}, ["bias"]),
            ("int8_gemm", {"M": 40, "N": 40, "K": 70}, ["a", "row_scale", "column_scale"]),
            ("conv2d", {"H": 9, "W": 17, "OH": 5, "OW": 9}, ["x", "w", "bias"]),
            ("soft_threshold", {"N": 100}, ["by"]),
            ("counted", {"M": 20, "N": 40}, ["places"]),
        ):
            with self.subTest(name):
                shutil.rmtree(self.folder / "package", ignore_errors=True)
                package = self.of("v1.0", name, *(word for dim, size in sizes.items() for word in ("--set", f"{dim}={size}")))
                program = self.folder / name
                subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", HERE / "xrt", package / "codegen/aie/host.cpp", "-o", program], check=True)
                generator, tensors = np.random.default_rng(3), {}
                mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
                for one in mapping["parameters"]:
                    if one["direction"] == "out":
                        continue
                    dtype = getattr(htp, one["dtype"])
                    if one.get("counts"):
                        tensors[one["name"]] = htp_aie.counts(dtype, tuple(one["extents"]))
                        continue
                    values = generator.integers(-100, 100, one["extents"]).astype(np.int8 if one["dtype"] == "i8" else np.float32)
                    tensors[one["name"]] = dtype.in_memory(values, one["name"]) if one["extents"] else dtype.parameter(values)
                    (self.folder / f"{one['name']}.bin").write_bytes(values.tobytes())
                (self.folder / "insts").write_bytes(words("bytes"))
                subprocess.run([program, "final.xclbin", "insts"], cwd=self.folder, check=True)
                stage = last(package) / "program.py"
                packed = re.findall(r"^ *(\w+) = (aie\.pack\(.*\))$", stage.read_text(), re.MULTILINE)
                handed = [one["name"] for one in mapping["parameters"] if "padded" in one]
                self.assertEqual(set(wanted), set(wanted) & set(re.findall(r"\w+", " ".join(text for _, text in packed))))
                for number, (_, text) in enumerate(packed, len(handed)):
                    made = eval(text, {"aie": htp_aie, "htp": htp, "f32": htp.f32, "i8": htp.i8, "i32": htp.i32, **tensors})
                    self.assertEqual((self.folder / f"ROOM{number}").read_bytes(), made.data.tobytes())

    def test_a_recipe_says_to_each_compiler_what_it_knows(self) -> None:
        tools = self.folder / "tools"
        (tools / "bin").mkdir(parents=True)
        for name in ("aiecc.py", "aiecc", "aie-opt", "g++", "bin/clang++"):
            (tools / name).write_text(TOOL)
            (tools / name).chmod(0o755)
        for version, (compiler, valued, plain) in AIECC.items():
            package = self.of(version, "external_kernel", "--set", "M=64", "--set", "N=32")
            calls = self.folder / f"calls-{version}"
            environment = {"PATH": f"{tools}:{os.environ['PATH']}", "PEANO_INSTALL_DIR": str(tools), "CALLS": str(calls), "CXX": "g++"}
            subprocess.run(["sh", package / "build/build.sh"], env=environment, check=True)
            (kernel, _, *kernel_words), (name, where, *arguments), (host, _, *host_words) = [c.split("\n") for c in calls.read_text().strip().split("\n\n")]
            self.assertEqual((kernel, name, host), ("clang++", compiler, "g++"))
            self.assertEqual(where, str(package / "build"))
            self.assertEqual(kernel_words[:1] + kernel_words[-4:], ["--target=aie2-none-unknown-elf", "-c", str(package / "codegen/aie/scaled.cc"), "-o", "scaled.o"])
            self.assertEqual(kernel_words[kernel_words.index("-I") + 1], f"{tools}/../include")
            given = {}
            rest = iter(arguments)
            for a in rest:
                option, _, value = a.partition("=")
                if option in valued:
                    given[option] = value or next(rest)
                else:
                    self.assertIn(a, plain | {str(package / "codegen/aie/aie.mlir")}, version)
            self.assertLessEqual(plain - {"--basic-alloc-scheme"}, set(arguments))
            written = "insts.txt" if FORMS[version] == "text" else "insts.bin"
            self.assertEqual(given, {"--peano": str(tools), "--xclbin-name": "final.xclbin", "--npu-insts-name": written})
            self.assertIn(f"host final.xclbin {written}", (package / "codegen/aie/host.cpp").read_text())
            self.assertEqual(host_words[2:], [str(package / "codegen/aie/host.cpp"), "-o", "external_kernel", "-lxrt_coreutil"])

    def test_products_that_a_compiler_does_not_bring_to_the_matrix_units_are_told(self) -> None:
        sizes = [word for size in ("M=64", "N=64", "K=64") for word in ("--set", size)]
        for version, name, dtype in (("v1.0", "gemm_requant", "i8"), ("2608", "gemm_requant", ""), ("2608", "gemm_i16", "i16"), ("2608", "gemm_bf16", "")):
            done = self.compile(ROOT / f"examples/{name}/{name}.py", *sizes, profile=self.profile(mlir_aie=f'"{version}"'))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("aie.mmul(", (self.folder / "package/codegen/aie/aie.mlir").read_text())
            if dtype:
                self.assertIn(f"note[aie.matrix-units]: the compiler of MLIR-AIE {version} does not bring this product, of {dtype}, to the matrix units", done.stderr)
                self.assertIn("hint: set `mlir_aie: 2608` for products of i8 and bf16" if dtype == "i8" else "hint: multiply i8 or bf16 with `mlir_aie: 2608`, or call a function in C++", done.stderr)
            else:
                self.assertNotIn("aie.matrix-units", done.stderr)

    def test_products_of_vectors_say_why(self) -> None:
        bound = """from htp_wsp import P, Schedule, schedule, seq, workload
@workload
def program({signature}) -> None:
    for i in P(64):
        for j in P(64):
            acc = zeros({sums}, i, j)
            for k in seq(60):
                acc = matmul({a}, {b}, acc)
            c[i, j] = {end}
@schedule(program)
def in_rows(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 32)
    s.tile("k", {depth})
    s.bind("i", level="core")
"""
        free = bound[: bound.index("@schedule")].replace("@workload", "@kernel").replace("P(64)", "tiles(64, 16)").replace("seq(60)", "tiles(60, 20)")
        head = "import htp\nfrom htp import In, Out, bf16, f32, i8, i16, i32\nfrom htp_tile import Tensor, kernel, matmul, reduce_max, tiles, transpose, zeros\n"
        for dtype, sums, depth, b, end, row, why, hint in (
            ("i8", "i32", 20, "b[k, j]", "acc", "multiples", "of i8, its tiles are 16 by 32, 20 deep, and blocks of matrix units 4 by 8, 8 deep", "choose blocks that are: `tiles(M, 8)`, `tiles(N, 16)`, `tiles(K, 32)`"),
            ("f32", "f32", 20, "b[k, j]", "acc", "dtype", "matrix units multiply i8, i16 and bf16, and this is f32", "cast the operands, `cast(x, bf16)`, and accumulate in f32"),
            ("i32", "i32", 20, "b[k, j]", "acc", "dtype", "matrix units multiply i8, i16 and bf16, and this is i32", "use i8 or i16, and accumulate in i32"),
            ("i16", "i16", 20, "b[k, j]", "acc", "accumulator", "of i16, it is accumulated in i16, and matrix units accumulate in i32", "begin with `zeros(i32, i, j)`, and cast the result"),
            ("i16", "i32", 20, "b[k, j]", "acc - reduce_max(acc, axis=1)", "in-rows", "`aie.reduce_max(reduce_max, acc, 1)` has a tile of it in rows", "do that in a second kernel"),
            ("i16", "i32", 20, "transpose(b[j, k])", "acc", "transposed", "`aie.transpose(transpose, b_tile)` has a tile of it in rows", "add a tensor as large as the result in a second kernel, or hand the operand over transposed"),
        ):
            with self.subTest(why):
                signature = f"a: In[Tensor[{dtype}, 64, 60]], b: In[Tensor[{dtype}, {'64, 60' if 'transpose' in b else '60, 64'}]], c: Out[Tensor[{sums}, 64, 64]]"
                for version in ("v1.0", "2608"):
                    done = self.compile(head + (free if "reduce_max" in end else bound).format(signature=signature, sums=sums, a="a[i, k]", b=b, end=end, depth=depth), profile=self.profile(mlir_aie=f'"{version}"'))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    code = {"in-rows": "tile-in-rows", "transposed": "transposed-tile"}.get(row, f"unit-{row}")
                    self.assertIn(f"note[aie.{code}]: this product goes by vectors: {why}\n", done.stderr)
                    self.assertIn("program.py:11:17\n", done.stderr)
                    self.assertIn(hint, done.stderr)

    def test_products_of_pipelines_go_by_the_matrix_units(self) -> None:
        head = "import htp\nfrom htp import In, Out, i8, i32\nfrom htp_csp import channel, pipeline, process\nfrom htp_tile import Tensor, Tile, external, matmul, reduce_max, tiles, zeros\n\n\n"
        inner = ["for i in tiles(64, 16):", "    for j in tiles(64, 16):", "        acc = zeros(i32, i, j)", "        for k in tiles(64, 32):", "            acc = matmul(a[i, k], b[k, j], acc)", "        c[i, j] = acc"]
        arguments = "(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:\n"
        grid = head + "@pipeline\ndef product" + arguments + "    @process\n    def one() -> None:\n" + "".join(f"        {line}\n" for line in inner)
        done = self.compile(grid, profile=self.profile(mlir_aie='"2608"'))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.folder / "package/codegen/aie/aie.mlir").read_text()
        self.assertIn("aie.mmul(", text)
        for fifo, order in (("a_in(%memory_0 dimensionsToStream", "[<size = 4, stride = 128>, <size = 4, stride = 8>, <size = 4, stride = 32>, <size = 8, stride = 1>]"), ("c_out_rows(%memory_0 dimensionsToStream", "[<size = 4, stride = 64>, <size = 4, stride = 8>, <size = 2, stride = 32>, <size = 8, stride = 1>]")):
            self.assertIn(f"aie.objectfifo @{fifo} {order}", text)
        self.assertIn("aie.objectfifo.link [@a_in_rows] -> [@a_in] ([] [])", text)
        done = self.compile(head.replace("external,", "external, kernel,") + "@kernel\ndef product" + arguments + "".join(f"    {line}\n" for line in inner), profile=self.profile(mlir_aie='"2608"'))
        self.assertNotIn("goes by vectors", done.stderr)
        self.assertIn("aie.mmul(", (self.folder / "package/codegen/aie/aie.mlir").read_text())
        # What is done with a tile otherwise, here or behind a channel, keeps it in rows.
        there = grid.replace("c[i, j] = acc", "sums.put(acc)").replace("    @process\n", "    sums = channel(i32, tiles(64, 16), tiles(64, 16), capacity=2)\n\n    @process\n", 1)
        there = there.replace("tiles(64, 16), tiles(64, 16)", "tiles(64, 16), tiles(64, 32)").replace("for j in tiles(64, 16)", "for j in tiles(64, 32)")
        there += "\n    @process\n    def two() -> None:\n        for i in tiles(64, 16):\n            for j in tiles(64, 32):\n                got = sums.get()\n                c[i, j] = got - reduce_max(got, axis=1)\n"
        for program, word in ((grid.replace("c[i, j] = acc", "c[i, j] = acc - reduce_max(acc, axis=1)"), "aie.reduce_max(reduce_max, acc, 1)"), (there, "aie.reduce_max(reduce_max, got, 1)")):
            done = self.compile(program, profile=self.profile(mlir_aie='"2608"'))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"note[aie.tile-in-rows]: this product goes by vectors: `{word}` has a tile of it in rows\n", done.stderr)
            self.assertIn("hint: do that in a second kernel\n", done.stderr)
        # What the device has no room for in blocks goes in rows, and where tiles go along with smaller ones.
        both = "(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], bias: In[Tensor[i32, 1, 64]], c: Out[Tensor[i32, 64, 64]])"
        for program, why, hint in (
            (grid.replace(arguments, f"{both} -> None:\n").replace("= acc\n", "= acc + bias[:, j]\n"), "of i8, its tiles in blocks would be refused, `aie.channels`\n", "let another process load what is not multiplied, and do what it is for, with a channel between\n"),
            ((HERE / "programs/units_beside.py").read_text().replace('htp.dim("N")', "16"), "a tile of 6 by 16 that shares rows or columns with it is not made of whole blocks of 4 by 4\n", "choose blocks that are multiples of these, in whatever is computed with its accumulator and operands\n"),
        ):
            done = self.compile(program, profile=self.profile(mlir_aie='"2608"'))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"this product goes by vectors: {why}", done.stderr)
            self.assertIn(f"hint: {hint}", done.stderr)
            self.assertEqual(done.stderr.count("goes by vectors"), 1)
        # A part that a tile of other extents is copied from lies in that one's blocks.
        stage = last(self.example("gemm_i4", "--set", "M=128", "--set", "N=64", "--set", "GROUPS=1")) / "program.py"
        for text in ("aie.feed(a, (128, 1, 2, 8), (1, 8, 1, 4, 8), ((2, 0), (2, 8), (8, 64), (1, 8), (4, 16), (8, 1))", "aie.buffer(i8, 8, 1, 4, 8)", "aie.mmul(acc, reshape, shr)"):
            self.assertIn(text, stage.read_text())
        (self.folder / "product.cc").write_text('extern "C" void product(const signed char *, const signed char *, int *, int, int, int) {}\n')
        function = '@external(htp.text("product.cc"), updates="sums")\ndef multiplied(a: Tile[i8, R, K], b: Tile[i8, K, C], sums: Tile[i32, R, C]) -> Tile[i32, R, C]:\n    return matmul(a, b, sums)\n\n\n'
        sizes = "".join(f'{name} = htp.dim("{name}")\n' for name in "RKC")
        done = self.compile(grid.replace("matmul(a[i, k]", "multiplied(a[i, k]").replace("@pipeline", f"{sizes}\n\n{function}@pipeline"), profile=self.profile(mlir_aie='"2608"'))
        self.assertEqual((done.returncode, "goes by vectors" in done.stderr), (0, False), done.stderr)

    def test_operations_stand_below_their_line_of_the_last_stage(self) -> None:
        package = self.of("v1.0")
        stage = last(package)
        lines = (stage / "program.py").read_text().splitlines()
        cited = re.findall(r"// program\.py:(\d+): (.*)", (package / "codegen/aie/aie.mlir").read_text())
        self.assertTrue(cited)
        for number, text in cited:
            self.assertIn(text, lines[int(number) - 1])

    def test_each_operation_says_where_it_comes_from(self) -> None:
        for version in FORMS:
            package = self.of(version)
            text = (package / "codegen/aie/aie.mlir").read_text()
            places = {name: (file, int(line), int(column)) for name, file, line, column in re.findall(r'^#(n\d+) = loc\("\d+"\("(.*)":(\d+):(\d+)\)\)$', text, re.MULTILINE)}
            cited, said = 0, 0
            for line in text.splitlines():
                if above := re.match(r" *// program\.py:(\d+): (.*)", line):
                    said = int(above[1])
                elif line.startswith(("#", "//")):
                    continue
                elif (place := re.search(r" loc\(#(n\d+)\)$", line)):
                    file, row, column = places[place[1]]
                    stage = (package / file).read_text().splitlines()
                    self.assertRegex(stage[row - 1][column - 1 :], r"^[a-z@]")
                    self.assertIn(stage[row - 1][: column - 1].strip(), ("",))
                    if re.search(r"arith\.(add|mul|div|sub)f|vector\.(load|store)", line):
                        cited += 1
                        self.assertEqual(row, said, line)
                elif re.search(r"\baiex?\.[a-z]", line):
                    self.assertRegex(line, "aie.device|aie.core|runtime_sequence")  # where their regions end
            self.assertGreater(cited, 20)
            self.assertTrue(places)


if __name__ == "__main__":
    unittest.main()
