"""What `simulate` predicts of programs for AI Engines, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unittest
from typing import Any

import sized
from simulated import ROOT, Case
from tools import missing


BY_VECTORS = """import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload


@workload
def by_vectors(a: In[Tensor[i8, 64, 60]], b: In[Tensor[i8, 60, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    for i in P(64):
        for j in P(64):
            acc = zeros(i32, i, j)
            for k in seq(60):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(by_vectors)
def in_rows(s: Schedule) -> None:
    s.tile("i", 16)
    s.tile("j", 32)
    s.tile("k", 20)
    s.bind("i", level="core")
"""


class Predictions(Case):
    """`simulate` through the model of the module's cycles; its figures beside published ones are in model_test.cpp."""

    def simulate(self, *options: str, name: str = "gemm", sizes: tuple[str, ...] = ("M=128", "N=64", "K=128")) -> Any:
        program = sized.sized(name, list(sizes), self.folder)
        return subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/aie.yaml", "simulate", program, *options], capture_output=True, text=True)

    def test_what_is_told(self) -> None:
        svg, trace = self.folder / "array.svg", self.folder / "trace.json"
        done = self.simulate("--json", "--svg", str(svg), "--trace", str(trace))
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(told["by"], "aiesim.simulation")
        self.assertTrue(told["notes"][0].startswith("bound: "), told["notes"])
        # Parts are of the whole time, as in the table, and the device's start is in it.
        short = json.loads(self.simulate("--json", name="vector_add", sizes=("N=64",)).stdout)
        for one in (told, short):
            works = re.search(r"`([^`]+)` is at work for (\d+) % of the time", one["notes"][0])
            assert works, one["notes"]
            self.assertEqual(int(works[2]), int(100 * next(p["busy"] for p in one["processes"] if p["name"] == works[1]) / one["seconds"] + 0.5))
        self.assertRegex(short["notes"][0], r"; before all that the device starts, [89]\d % of the time$")
        self.assertNotIn("svg", told)
        cores = [one for one in told["processes"] if one["name"].startswith("core ")]
        self.assertTrue(cores)
        for one in told["processes"]:
            self.assertLessEqual(one["busy"] + one["full"] + one["empty"], told["seconds"] * 1.000001, one)
            self.assertLessEqual(one["critical"], told["seconds"])
        # What is critical adds up to the run, without the start.
        chain = sum(one["critical"] for one in told["processes"])
        self.assertGreater(chain, 0.9 * max(one["end"] for one in told["processes"]))
        picture = svg.read_text()
        for core in cores:
            self.assertIn(core["name"], picture)
        work = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X" and event["name"] == "work"]
        rows = {event["args"]["name"]: event["tid"] for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "M" and event["name"] == "thread_name"}
        busy = sum(event["dur"] for event in work if event["tid"] == rows[cores[0]["name"]]) / 1e6
        self.assertAlmostEqual(busy, cores[0]["busy"], delta=1e-9 + 1e-3 * cores[0]["busy"])

    def test_every_program_is_predicted(self) -> None:
        for name, *sizes in sized.rows():
            done = self.simulate("--json", name=name, sizes=tuple(sizes))
            self.assertEqual(done.returncode, 0, f"{name} {sizes}: {done.stderr}")
            told = json.loads(done.stdout)
            self.assertGreater(told["seconds"], 52e-6, name)  # what a start takes
            self.assertTrue(told["notes"][0].startswith("bound: "), name)

    LARGE = """import htp
from htp import In, Out, bf16, f32, i8, i32
from htp_tile import Tensor, cast, kernel, matmul, tiles, zeros


@kernel
def large(a: In[Tensor[{dtype}, 3840, 3840]], b: In[Tensor[{dtype}, 3840, 3840]], c: Out[Tensor[{dtype}, 3840, 3840]]) -> None:
    for i in tiles(3840, 32):
        for j in tiles(3840, 32):
            acc = zeros({sums}, i, j)
            for k in tiles(3840, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = cast({result}, {dtype})
"""

    def test_large_products_are_near_what_the_array_could_do(self) -> None:
        # Of 512 products of i8 a cycle and core, and 128 of bf16, by the costs that were there before: see docs/aie.md.
        for dtype, sums, result, least, bound in (("i8", "i32", "acc >> 7", 0.57, "the host's memory"), ("bf16", "f32", "acc", 0.84, "the cores")):
            (self.folder / "large.py").write_text(self.LARGE.format(dtype=dtype, sums=sums, result=result))
            profile = self.profile(**{"aie.spread": {"device": "npu2"}})
            done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "simulate", self.folder / "large.py", "--json"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            notes = json.loads(done.stdout)["notes"]
            self.assertIn(f"bound: {bound}", notes[0])
            share = float(re.search(r"([\d.]+) % of what the device's cores could do", notes[1]).group(1)) / 100  # type: ignore[union-attr]
            self.assertGreater(share, least)

    def test_what_comes_beside_a_product_costs_little(self) -> None:
        # A bias row and SiLU, and a bias that is added before the sums are shifted; the same without has 69 % and 47 % (docs/aie.md).
        small = self.LARGE.replace("3840", "2048").replace("b: In[", "bias: In[Tensor[{sums}, 2048]], b: In[").replace("matmul, tiles", "matmul, sigmoid, tiles")
        for dtype, sums, result, least in (("bf16", "f32", "(acc + bias[j]) * sigmoid(acc + bias[j])", 65), ("i8", "i32", "(acc + bias[j]) >> 7", 46)):
            (self.folder / "large.py").write_text(small.format(dtype=dtype, sums=sums, result=result))
            profile = self.profile(**{"aie.spread": {"device": "npu2"}})
            done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "simulate", self.folder / "large.py", "--json"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(float(re.search(r"([\d.]+) % of what the device's cores could do", done.stdout).group(1)), least)  # type: ignore[union-attr]

    def test_operations_count_against_what_is_multiplied(self) -> None:
        # Elements that are widened for a product of vectors are what they were; matrix units are named where the module has them.
        # Where there are several dtypes, those that most products are of, by how often each is made, come first.
        for name, sizes, dtype, units in (("gated_by_vectors", (), r"i8; beside them [\d.e-]+ T in f32", False), ("gemm_i8", ("M=64", "N=64", "K=64"), "i8", True), ("by_vectors", (), "i8", False), ("gemm", ("M=64", "N=64", "K=64"), "f32", False)):
            if name.endswith("by_vectors"):
                path = self.folder / "by_vectors.py"
                gated = BY_VECTORS.replace("Out, i8", "Out, f32, i8").replace("Tensor, matmul", "Tensor, cast, matmul, sigmoid, tanh").replace("c: Out[Tensor[i32", "c: Out[Tensor[f32")
                gated = gated.replace("c[i, j] = acc", "z = cast(acc, f32) * 0.01\n            c[i, j] = z * sigmoid(z) + tanh(z)")
                path.write_text(gated if name == "gated_by_vectors" else BY_VECTORS)
                done = subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/aie.yaml", "simulate", path, "--json"], capture_output=True, text=True)
            else:
                done = self.simulate("--json", name=name, sizes=sizes)
            self.assertEqual(done.returncode, 0, done.stderr)
            notes = json.loads(done.stdout)["notes"]
            self.assertRegex(notes[1], f"of what the device's cores could do in {dtype}$")
            self.assertEqual("matrix units" in notes[2], units, notes[2])

    def test_weights_in_panels_reach_what_is_practical(self) -> None:
        # 51 * 10^12 operations a second are what `xrt-smi validate` reaches, and the best published product has 75 % of them.
        profile = self.profile(**{"aie.spread": {"device": "npu2"}})
        sizes = [word for size in ("M=3840", "J=40", "K=14976") for word in ("--set", size)]
        done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "simulate", ROOT / "examples/gemm_panels/gemm_panels.py", *sizes, "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        bound, rate = json.loads(done.stdout)["notes"][:2]
        self.assertRegex(bound, r"bound: the cores, .* which goes by its loads")
        self.assertGreater(float(rate.split(" T operations")[0]), 0.75 * 51)

    def test_a_larger_product_takes_longer_and_a_depth_of_one_too(self) -> None:
        first = json.loads(self.simulate("--json").stdout)
        larger = json.loads(self.simulate("--json", sizes=("M=128", "N=64", "K=256")).stdout)
        self.assertGreater(larger["seconds"], first["seconds"])
        adds = json.loads(self.simulate("--json", name="vector_add", sizes=("N=65536",)).stdout)
        fifo = next(one["declared"] for one in adds["channels"] if one["capacity"] == 2)
        shallow = json.loads(self.simulate("--json", "--capacity", f"{fifo}=1", name="vector_add", sizes=("N=65536",)).stdout)
        self.assertGreaterEqual(shallow["seconds"], adds["seconds"])

    def test_what_more_room_would_change_is_tried(self) -> None:
        wide = ("M=2048", "N=2048", "K=2048")
        full = self.simulate(name="gemm_requant", sizes=wide)
        self.assertIn("is full; faster readers would shorten it, and its tile has no memory for more\n", full.stdout)
        # What one wants first comes first, and of long tables the rows that weigh most.
        first = full.stdout.split("\n\n")[0].splitlines()
        self.assertEqual([line.split(":")[0] for line in first], ["gemm_requant", "what takes the time", "what holds it up", "bound", *first[4:5][0].split(":")[:1], "assumed", "the host's memory"])
        self.assertRegex(full.stdout, r"\n\d+ more: `--json` has all\n")
        self.assertLess(full.stdout.count("\n"), 40)

    def test_refusals(self) -> None:
        done = self.simulate("--capacity", "nobody=2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aiesim.unknown-fifo]: the module has no FIFO `nobody`", done.stderr)
        done = self.simulate("--capacity", "x_in_0=4", name="gelu", sizes=("M=512", "N=128"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aiesim.capacity]: `x_in_0`: depth 4 requested, 2 available\n", done.stderr)
        self.assertIn("v = x[i, j]", done.stderr)
        self.assertIn("hint: `--capacity x_in_0=2` is the most", done.stderr)
        self.assertEqual(self.simulate("--capacity", "x_in_0=2", name="gelu", sizes=("M=512", "N=128")).returncode, 0)
        profile = self.folder / "clock.yaml"
        profile.write_text("htp_profile: 1\ntarget: aie\noptions:\n  aiesim.simulation:\n    megahertz: -4\n")
        wrong = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "simulate", self.folder / "gelu_M512_N128.py"], capture_output=True, text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertIn("error[aiesim.megahertz]: `megahertz` of `aiesim.simulation` is -4", wrong.stderr)
        # The same profile may be meant for `compile` and for `simulate`.
        profile.write_text(profile.read_text().replace("-4", "1000"))
        done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "compile", self.folder / "gelu_M512_N128.py", "-o", self.folder / "clocked"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.simulate("--choose-capacities")
        self.assertIn("error[aiesim.no-choice]", done.stderr)


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    unittest.main()
