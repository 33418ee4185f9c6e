"""The limits of the array: what is beyond one is refused before anything is emitted, with what is exhausted, where, and what would help; and
what is said to help does."""

from __future__ import annotations

import random
import re
import shutil
import unittest
from dataclasses import dataclass
from pathlib import Path

from case import HEAD, PIPELINE, PROFILE, ROOT, Case, host, last


@dataclass
class Limit:
    """A program beyond it, what is said of that, and one within."""

    what: str
    code: str
    told: str  # what is exhausted and who wants it, as a pattern
    at: str  # in the line that is shown
    hint: str
    beyond: str
    within: str
    device: str = "npu1"  # on which the second one is


def kernel(signature: str, body: str) -> str:
    return f"{HEAD}def program({signature}) -> None:\n{body}"


def tensors(ins: str, outs: str = "", extents: str = "M, N") -> str:
    return ", ".join([f"{name}: In[Tensor[f32, {extents}]]" for name in ins] + [f"{name}: Out[Tensor[f32, {extents}]]" for name in outs])


def rows(text: str) -> str:
    return f"    for i in tiles(M, 4):\n        {text}\n"


def processes(name: str, signature: str, *blocks: str) -> str:
    return f"{PIPELINE}def {name}({signature}) -> None:\n" + "\n".join(blocks) + "\n"


def process(name: str, *lines: str, grid: str = "") -> str:
    return f"    @process{grid}\n    def {name}({'p: int' if grid else ''}) -> None:\n" + "".join(f"        {line}\n" for line in lines)


def written(count: int) -> str:
    return processes(
        "many", tensors("x", "y"), *(f"    c{k} = channel(f32, 1, N, capacity=2)" for k in range(count - 1)), "",
        *(process(f"work{k}", "for m in range(M):", (f"    row = c{k - 1}.get() * 2.0" if k else "    row = x[m, :] * 2.0"), (f"    c{k}.put(row)" if k < count - 1 else "    y[m, :] = row")) for k in range(count)),
    )  # fmt: skip


def told(capacity: int) -> str:
    return processes(
        "apart", tensors("x", "yz"), f"    rows = channel(f32, 1, N, capacity={capacity}, readers=2)\n",
        process("first", "for m in range(M):", "    rows.put(x[m, :] * 2.0)"),
        process("second", "for m in range(M):", "    y[m, :] = rows.get() + 1.0"),
        process("third", "for m in range(M):", "    z[m, :] = rows.get() + 2.0"),
    )  # fmt: skip


def beside(count: int) -> str:
    every = range(count)
    return processes(
        "many", tensors("x", "y"), *(f"    c{k} = channel(f32, 1, N, capacity=2)" for k in every), "",
        process("first", "for m in range(M):", "    row = x[m, :]", *(f"    c{k}.put(row * {k}.5)" for k in every)),
        process("second", "for m in range(M):", "    y[m, :] = " + " + ".join(f"c{k}.get()" for k in every)),
    )  # fmt: skip


def uneven(*capacities: int) -> str:
    every = range(len(capacities))
    return processes(
        "uneven", tensors("x", "y"), *(f"    c{k} = channel(f32, 1, N, capacity={capacities[k]})" for k in every), "",
        process("first", "for m in range(M):", "    row = x[m, :]", *(f"    c{k}.put(row * {k}.5)" for k in every)),
        process("second", "for m in range(M):", "    y[m, :] = " + " + ".join(f"c{k}.get()" for k in every)),
    )  # fmt: skip


def late(order: str) -> str:
    outer, inner = ("m in range(M)", "k in range(2)") if order == "rows" else ("k in range(2)", "m in range(M)")
    add = ["total = zeros(f32, 1, N)", f"for {outer}:", *(["    row = x[m, :]", f"    for {inner}:", "        total = total + row * w[k, :]"] if order == "rows" else ["    by = w[k, :]", f"    for {inner}:", "        total = total + x[m, :] * by"])]
    return processes("late", "x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 2, N]], y: Out[Tensor[f32, 1, N]]" if order != "rows" else "x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 2, N]], y: Out[Tensor[f32, M, N]]",
                     process("work", *add, *(["for m in range(M):", "    y[m, :] = total"] if order == "rows" else ["y[0, :] = total"])))  # fmt: skip


def sharded(lines: str = "") -> str:
    return f"""{PIPELINE.replace("from htp_csp import", "from htp_csp import R, S, Schedule, schedule, shard,")}def sharded(x: In[Tensor[f32, 16 * M, N]], w: In[Tensor[f32, 16 * M, N]], y: Out[Tensor[f32, 16 * M, N]]) -> None:
    @process(grid=16, args=(shard(x, S(0), R), shard(w, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for m in tiles(M, 8):
            y[m, :] = x[m, :] * w[m, :]
{lines}"""


BUNDLED = '''

@schedule(sharded)
def fewer(s: Schedule) -> None:
    s.bundle("work", 2)
'''

WIDE = f"""{HEAD}def program(x: In[Tensor[f32, M, 500]], b: In[Tensor[f32, 500, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 4):
        for j in tiles(N, BLOCK):
            y[i, j] = matmul(x[i, :], b[:, j], zeros(f32, i, j))
"""

ROOMY = PIPELINE + """def roomy(x: In[Tensor[f32, M, 4000]], y: Out[Tensor[f32, M, 4000]]) -> None:
    a = channel(f32, 1, 4000, capacity=CAPACITY)

    @process
    def p() -> None:
        for m in range(M):
            a.put(x[m, :] + 1.0)

    @process
    def q() -> None:
        for m in range(M):
            y[m, :] = a.get() * 2.0
"""

LIMITS = [
    Limit("memory, of a channel", "aie.core-memory-full", "the blocks of streams and the tiles of `p` take 128000 bytes of a core's memory, and it has 64512: `a`, `x_in`", "def p()",
          "`a` takes the most, 6 items of 16000 bytes: reduce its capacity, `capacity=2`", ROOMY.replace("CAPACITY", "6"), ROOMY.replace("CAPACITY", "2")),
    Limit("memory, of tensors that come by one channel", "aie.core-memory-full", "the blocks of streams and the tiles of `program` take 83200 bytes of a core's memory, and it has 64512: `a` in, `b_c` in, `y` out", "a[i, :]",
          "`a` takes the most, 16640 bytes for 32 by 130 elements: cut its dimensions into smaller blocks, `for i in tiles(100, 8)` and `a[i, :]`",
          kernel(tensors("abc", "y"), rows("y[i, :] = a[i, :] + b[i, :] + c[i, :]").replace("4)", "32)")),
          kernel(tensors("abc", "y"), rows("y[i, :] = a[i, :] + b[i, :] + c[i, :]").replace("4)", "8)"))),
    Limit("memory, of a tensor that a loop over the other one's rows goes through whole", "aie.core-memory-full", r"the blocks of streams and the tiles of `program` take \d+ bytes of a core's memory, and it has 64512: `x` in, `b` in, `y` out", "x[i, :]",
          "`b` takes the most, 200000 bytes for 500 by 100 elements: cut its dimensions into smaller blocks, `for j in tiles(130, 8)` and `b[:, j]`",
          WIDE.replace("BLOCK", "100"), WIDE.replace("BLOCK", "8")),
    Limit("program memory", "aie.program-memory-full", r"`first` takes about \d+ bytes of a core's program memory, and it has 16384\n(.*\n)*.*a loop is unrolled 200 times, "
          r"for the depths of its FIFOs are 2 \(`x_in`\), 7 \(`c0`\), 9 \(`c1`\), 5 \(`c2`\), 8 \(`c3`\), 11 \(`c4`\)", "row = x[m, :]",
          "give channels that meet in a loop one capacity, which divides its iterations, or set `mlir_aie: 2608`", uneven(7, 9, 5, 8, 11), uneven(8, 8, 8, 8, 8)),
    Limit("output channels of a core", "aie.channels", "3 output channels of a core are wanted, and it has 2: `x` out, `y` out, `z` out", "z[i, :]",
          "divide the work between two processes of a pipeline",
          kernel(tensors("a", "xyz"), rows("x[i, :] = a[i, :] + 1.0\n        y[i, :] = a[i, :] + 2.0\n        z[i, :] = a[i, :] + 3.0")),
          processes("program", tensors("a", "xyz"), "    more = channel(f32, 1, N, capacity=2)\n",
                    process("first", "for m in range(M):", "    row = a[m, :]", "    x[m, :] = row + 1.0", "    y[m, :] = row + 2.0", "    more.put(row + 3.0)"),
                    process("second", "for m in range(M):", "    z[m, :] = more.get() + 0.0"))),
    Limit("memory of a core", "aie.core-memory-full", "the blocks of streams and the tiles of `program` take 104000 bytes of a core's memory, and it has 64512: `x` in, `y` out", "x[i, :]",
          "`x` takes the most, 52000 bytes for 100 by 130 elements: cut its dimensions into smaller blocks, `for i in tiles(100, 16)` and `x[i, :]`",
          kernel(tensors("x", "y"), rows("y[i, :] = exp(x[i, :])").replace("4)", "100)")),
          kernel(tensors("x", "y"), rows("y[i, :] = exp(x[i, :])"))),
    Limit("tensors of the host", "aie.too-many-arguments", "`program` has 6 tensors, and a runtime sequence takes 5", "def program",
          "join tensors of one dtype into one, or split the kernel in two",
          kernel(tensors("abcd", "ef"), rows("e[i, :] = a[i, :] + b[i, :]\n        f[i, :] = a[i, :]")),
          kernel(tensors("ab", "ef"), rows("e[i, :] = a[i, :] + b[i, :]\n        f[i, :] = a[i, :]"))),
    Limit("steps of a transfer", "aie.line-bytes", "the transfers of `x` go through lines of 1 elements, no multiple of 4 bytes", "x[:, j]",
          "choose blocks whose last dimension is longer, or a multiple of 4 bytes",
          kernel("x: In[Tensor[i8, M, 128]], y: Out[Tensor[i8, M, 128]]", "    for j in tiles(128, 1):\n        y[:, j] = x[:, j] + reduce_max(x[:, j], axis=1)\n"),
          kernel("x: In[Tensor[i8, M, 128]], y: Out[Tensor[i8, M, 128]]", "    for j in tiles(128, 4):\n        y[:, j] = x[:, j] + reduce_max(x[:, j], axis=1)\n")),
    Limit("cores", "aie.too-many-cores", "`many` needs 17 cores, one for each process, and npu1 has 16", "def many",
          "npu2 has 32 cores", written(17), written(17), device="npu2"),
    Limit("channels of the memory tiles", "aie.channels", "36 channels of the memory tiles of npu1 are wanted, and it has 24: `y_out`, .* and 36 more", "x[m, :]",
          "let instances of a grid share a core: `s.bundle", sharded(), sharded(BUNDLED)),
    Limit("channels of the memory tiles, and a larger device", "aie.channels", "36 channels of the memory tiles of npu1", "x[m, :]", "npu2 has 48", sharded(), sharded(), device="npu2"),
    Limit("descriptors of a core", "aie.descriptors", "17 descriptors of the core of `first` are wanted, and it has 16: `rows`, `x_in`", "x[m, :]",
          "reduce the capacity of channels, `capacity=2`", told(15), told(2)),
    Limit("locks of a core", "aie.locks", "18 locks of the core of `first` are wanted, and it has 16: `c0`, ", "x[m, :]",
          "join channels of one dtype into one", beside(8), beside(6)),
    Limit("rounds that wait for each other", "aie.deadlock", "`work` is deadlocked: it waits for a block of `x_in`, which is empty", "def late",
          "increase the capacity of the channels", late("rows"), late("weights")),
]  # fmt: skip


class Limits(Case):
    def test_each_is_told_and_has_a_way_out(self) -> None:
        for limit in LIMITS:
            with self.subTest(limit.what):
                done = self.compile(limit.beyond)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, rf"error\[{re.escape(limit.code)}\]: {limit.told}")
                (place,) = re.findall(r"^ *--> \S*program\.py:(\d+):\d+$", done.stderr, re.MULTILINE)[:1]
                self.assertIn(limit.at, limit.beyond.splitlines()[int(place) - 1])
                self.assertRegex(done.stderr, rf"= hint: .*{re.escape(limit.hint)}")
                self.assertFalse((self.folder / "package").exists())
                done = self.compile(limit.within, "--verify-each", profile=self.profile(pass_options={"device": limit.device}))
                self.assertEqual(done.returncode, 0, done.stderr)
                shutil.rmtree(self.folder / "package")

    def test_a_program_that_may_be_too_long_is_told(self) -> None:
        done = self.compile(uneven(3, 3, 3))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"warning\[aie\.program-memory\]: `first` takes about \d+ bytes of a core's program memory, and it has 16384\n(.*\n)*.*a loop is unrolled \d+ times, for the depths of its FIFOs are ")
        for capacities, profile in (((4, 4, 4), PROFILE), ((3, 4, 5), self.profile(mlir_aie='"2608"'))):  # which keeps loops
            done = self.compile(uneven(*capacities), profile=profile)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            shutil.rmtree(self.folder / "package")
        long = kernel("x: In[Tensor[bf16, 777]], y: Out[Tensor[bf16, 777]]", "    for i in tiles(777, 100):\n        t = x[i]\n        y[i] = t * (1.0 + tanh(0.8 * (t + 0.04 * t * t * t)))\n")
        done = self.compile(long.replace("import In,", "import bf16, In,", 1).replace("htp_tile import ", "htp_tile import tanh, ", 1))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hint: divide the computation between two processes of a pipeline, with a channel between", done.stderr)
        # A loop that is written out, and what it does without its first turn.
        inside = "    t = zeros(f32, 1, 9)\n    for m in range(12):\n        if m > 0:\n            t = t * 0.5 + x[m, :]\n        else:\n            t = x[m, :]\n        y[m, :] = t\n    s[:, :] = t\n"
        outside = "    t = x[0, :]\n    y[0, :] = t\n    for m in range(1, 12):\n        t = t * 0.5 + x[m, :]\n        y[m, :] = t\n    s[:, :] = t\n"
        rows = "x: In[Tensor[f32, 12, 9]], y: Out[Tensor[f32, 12, 9]], s: Out[Tensor[f32, 1, 9]]"
        done = self.compile(kernel(rows, inside))
        self.assertIn("hint: a loop is unrolled where an `if`, or an index of channels, differs between iterations: do those that differ outside of it, as the first before `for m in range(1, M)`\n", done.stderr)
        done = self.compile(kernel(rows, outside))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    # What no program brings about, since the compiler takes fewer cores first, a stage that was edited does.
    def test_a_memory_tile_has_half_of_its_descriptors_for_every_other_channel(self) -> None:
        package = self.example("vector_add", "--set", "N=1000")
        made = last(package)
        text = (made / "program.py").read_text()
        for depth, fits in ((5, True), (6, False)):  # two parts each are distributed
            stage = Path(shutil.copytree(made, self.folder / "edited" / made.name, dirs_exist_ok=True))
            (stage / "program.py").write_text(text.replace("'each', 2)", f"'each', {depth})", 1))
            done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / f"depth{depth}")
            self.assertEqual(done.returncode == 0, fits, done.stderr)
        self.assertIn("error[aie.descriptors]: 26 descriptors of every other channel of a memory tile are wanted, and it has 24: `a` in", done.stderr)
        module = (self.folder / "depth5/codegen/aie/aie.mlir").read_text()
        self.assertIn("aie.objectfifo @a_in_0_0(%memory_0, {%core_0_0}, [5, 5])", module)


def crossing(before: int, after: int, room: int) -> str:
    """One gives so many to `a` and then to `b`, the other takes from `b` first."""
    return processes(
        "crossing", tensors("x", "y", "1, N"), f"    a = channel(f32, 1, N, capacity={room})", f"    b = channel(f32, 1, N, capacity={after})\n",
        process("first", "row = x[0, :]", f"for k in range({before}):", "    a.put(row * 2.0)", f"for k in range({after}):", "    b.put(row * 3.0)"),
        process("second", "total = zeros(f32, 1, N)", f"for k in range({after}):", "    total = total + b.get()", f"for k in range({before}):", "    total = total + a.get()", "y[0, :] = total"),
    )  # fmt: skip


def ring(count: int, room: int, gives_first: bool) -> str:
    """Each takes from the one before it and gives to the next one; somebody has to give first."""
    last = count - 1
    begin = ["r0.put(x[0, :] * 2.0)", f"y[0, :] = r{last}.get()"] if gives_first else [f"row = r{last}.get()", "r0.put(row + x[0, :])", "y[0, :] = row"]
    return processes(
        "ring", tensors("x", "y", "1, N"), *(f"    r{k} = channel(f32, 1, N, capacity={room})" for k in range(count)), "",
        process("p0", *begin), *(process(f"p{k}", f"r{k}.put(r{k - 1}.get() + 1.0)") for k in range(1, count)),
    )  # fmt: skip


class Deadlocks(Case):
    """Seeded designs: those that get stuck are refused before anything is emitted, and no others."""

    def test_designs_that_get_stuck_are_refused(self) -> None:
        generator = random.Random(5)
        stuck = 0
        for seed in range(40):
            if seed % 2:
                before, after, room = generator.randint(1, 6), generator.randint(1, 3), generator.randint(1, 4)
                sticks, text, what = before > room, crossing(before, after, room), f"{before} before {after}, room for {room}"
            else:
                count, room, gives = generator.randint(2, 5), generator.randint(1, 3), generator.random() < 0.5
                sticks, text, what = not gives, ring(count, room, gives), f"a ring of {count}, room for {room}"
            stuck += sticks
            with self.subTest(f"{seed}: {what}"):
                done = self.compile(text)
                self.assertEqual(done.returncode, int(sticks), done.stderr)
                self.assertEqual((self.folder / "package").exists(), not sticks)
                if sticks:
                    self.assertRegex(done.stderr, r"error\[(csp|aie)\.deadlock\]")
                else:
                    shutil.rmtree(self.folder / "package")
        self.assertGreater(stuck, 10)


if __name__ == "__main__":
    unittest.main()
