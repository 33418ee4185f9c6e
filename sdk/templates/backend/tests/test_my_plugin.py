"""What is emitted, that it runs and is right on every example and at every edge, and what is refused with which message."""

import unittest
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp import EdgeCase, testing

PROJECT = Path(__file__).resolve().parents[1]
PROGRAMS = sorted((PROJECT / "examples").glob("*.py"))
SOFTMAX = (PROJECT / "examples/softmax.py").read_text()
NAMES = '''
import htp
from htp import InOut, f32
from htp_tile import Tensor, kernel, tiles, transpose, matmul

N = htp.dim("N")


@kernel
def names(int: InOut[Tensor[f32, N, 8]]) -> None:
    """Names that C has taken; tiles that are written where they are read."""
    for i in htp.parallel(tiles(N, 16)):
        a = transpose(int[i, :])
        a = -2.5 * a + a
        b = matmul(transpose(a), a)
        c = int[i, :] - 1
        c = matmul(b, c)
        c = matmul(c, matmul(transpose(c), c))
        int[i, :] = c
'''


PICK = """
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def pick(x: In[Tensor[f32, M]], y: Out[Tensor[f32, N]]) -> None:
    for p in range(N):
        y[p] = x[p]
"""
REFUSED = {
    "exp -> erf": "error[my-plugin.no-handler]: `tile.erf` has no handler for my-plugin",
    "f32 -> f16": "error[my-plugin.no-form]: the backend has no form for `x`, a tensor of f16",
    "tiles(M, 8) -> tiles(M, 1000000)": "error[my-plugin.no-memory]: the kernel's tiles do not fit 65536 bytes of scratchpad",
}
EDITED = {
    "at=0, nbytes -> at=64, nbytes": "`row` lies where `reduce_max` is still needed",
    "at=0, nbytes -> at=1, nbytes": "`row` begins at byte 1 of a scratchpad of 65536, whose tiles begin at multiples of 64",
    "my_plugin.limit(N, 1 -> my_plugin.limit(N, 2": "bytes, and has",
    "my_plugin.exp(e, sub) -> my_plugin.exp(e, reduce_max)\n        my_plugin.exp(reduce_max, e)": "the operands of `my_plugin.exp(reduce_max, e)`",
}
CALLS = [
    ((4, 5), (4, 6), "dimension 1 of argument `y` is 6, expected 5"),
    ((4, 4000), (4, 4000), "`N` is 4000, and tiles fit the scratchpad up to"),
]


def edge_programs() -> Iterator[tuple[str, list[list[EdgeCase]]]]:
    """For each dtype a kernel with an output for each operation of the table of meanings that the backend has, and the cases of each loop."""
    handled = {line.split('"')[1].removeprefix("tile.") for line in (PROJECT / "src/handlers.def").read_text().splitlines() if line.startswith("HANDLER")}
    dtypes = {line[6:].split(",")[0] for line in (PROJECT / "src/dtypes.def").read_text().splitlines() if line.startswith("DTYPE")}
    chosen = [case for case in htp.edge_cases() if case.op in handled and {case.dtype.name, case.result.name} <= dtypes and "rounding" not in case.words]

    def operands(case: EdgeCase) -> str:
        return repr([operand.tobytes() for operand in case.operands])

    for dtype, found in groupby(sorted(chosen, key=lambda case: (case.dtype.name, operands(case))), lambda case: case.dtype.name):
        loops = [list(cases) for _, cases in groupby(found, operands)]
        parameters, lines = [], []
        for n, cases in enumerate(loops):
            rank = cases[0].operands[0].ndim
            index = "i, :" if rank == 2 else "i"
            parameters += [f"x{n}_{k}: In[Tensor[{dtype}, N{n}{', 3' * (rank - 1)}]]" for k in range(len(cases[0].operands))]
            parameters += [f"y{n}_{k}: Out[Tensor[{case.result.name}, N{n}{', 1' * (rank - 1)}]]" for k, case in enumerate(cases)]
            lines.append(f"    for i in tiles(N{n}, 64):")
            for k, case in enumerate(cases):
                arguments = [f"x{n}_{operand}[{index}]" for operand in range(len(case.operands))]
                arguments += [case.result.name] * (case.op == "cast") + ["axis=1"] * (rank == 2)
                lines.append(f"        y{n}_{k}[{index}] = tile.{case.op}({', '.join(arguments)})")
        dims = "\n".join(f'N{n} = htp.dim("N{n}")' for n in range(len(loops)))
        head = f"import htp\nimport htp_tile as tile\nfrom htp import In, Out, {', '.join(sorted(dtypes))}\nfrom htp_tile import Tensor, kernel, tiles\n{dims}\n"
        yield head + f"\n@kernel\ndef edges_of_{dtype}({', '.join(parameters)}) -> None:\n" + "\n".join(lines) + "\n", loops


def wrong(case: EdgeCase, output: Any) -> list[str]:
    """Where a result is not the table's: to the bit where there is one right result, but for the sign and payload of a NaN."""
    if not case.exact:
        return htp.differences(output, case.expected, case.result, 1)
    bits = f"u{output.dtype.itemsize}"
    same = output.view(bits) == case.expected.view(bits)
    if case.result.element.kind == "f":
        same |= np.isnan(output) & np.isnan(case.expected)
    return [f"{[operand[at[0]].tolist() for operand in case.operands]} gives {output[tuple(at)]}" for at in np.argwhere(~same)]


class Backend(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_every_example_means_the_same_on_every_stage_and_on_the_target(self) -> None:
        self.assertGreaterEqual(len(PROGRAMS), 15)
        for program in PROGRAMS:
            with self.subTest(program.stem):
                package = self.compile(program)
                self.assert_agrees(package, runs=False, sizes=testing.FEW)
                self.assert_equals_interpreter(package)

    def test_names_and_tiles(self) -> None:
        self.assert_agrees(self.compile(NAMES))

    def test_every_operation_is_right_at_its_edges(self) -> None:
        for program, loops in edge_programs():
            dtype = loops[0][0].dtype.name
            with self.subTest(dtype), self.bound(self.compile(program)) as routine:
                outputs = [[np.zeros_like(case.expected) for case in cases] for cases in loops]
                routine(*(array for cases, results in zip(loops, outputs) for array in [*cases[0].operands, *results]))
                for cases, results in zip(loops, outputs):
                    for case, output in zip(cases, results):
                        self.assertEqual([], wrong(case, output), f"{case.op} of {dtype} to {case.result.name}")

    def test_the_c_cites_the_last_stage(self) -> None:
        package = self.compile(PROJECT / "examples/softmax.py")
        code = (package.folder / "codegen/my-plugin/kernel.c").read_text()
        last = package.stage("my-plugin.allocate_buffers").splitlines()
        lines = code.splitlines()
        number = next(k for k, line in enumerate(lines) if "exp(" in line and "t_" in line)
        cited = next(line for line in reversed(lines[: number + 1]) if "program.py:" in line)
        self.assertIn("my_plugin.exp(", last[int(cited.rpartition(":")[2]) - 1])

    def test_tiles_share_the_scratchpad(self) -> None:
        stage = self.compile(PROJECT / "examples/softmax.py").stage("my-plugin.allocate_buffers")
        offsets = [line.partition("at=")[2].partition(",")[0] for line in stage.splitlines() if "my_plugin.buffer(" in line]
        self.assertLess(len(set(offsets)), len(offsets))


    def test_what_has_no_form_is_refused(self) -> None:
        for change, message in REFUSED.items():
            old, _, new = change.partition(" -> ")
            self.assertIn(old, SOFTMAX)
            with self.subTest(change):
                self.assertIn(message, self.refused(SOFTMAX.replace(old, new)))

    def test_edited_stages_are_held_against_the_contract(self) -> None:
        package = self.compile(PROJECT / "examples/softmax.py")
        (allocated,) = package.folder.glob("ir/stages/*-my-plugin.allocate_buffers")
        text = (allocated / "program.py").read_text()
        for change, message in EDITED.items():
            old, _, new = change.partition(" -> ")
            self.assertIn(old, text)
            (allocated / "program.py").write_text(text.replace(old, new))
            with self.subTest(change):
                done = testing.run_host("--plugins", self.profile, "compile", "--from-stage", allocated, "-o", package.folder.parent / "edited")
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)

    def test_calls_that_do_not_fit_are_refused(self) -> None:
        with self.bound(self.compile(PROJECT / "examples/softmax.py")) as softmax:
            for x, y, message in CALLS:
                with self.subTest(message), self.assertRaisesRegex(htp.HtpError, message):
                    softmax(np.zeros(x, np.float32), np.zeros(y, np.float32))
        with self.bound(self.compile(PICK)) as pick, self.assertRaisesRegex(htp.HtpError, "indexes outside of its tensor"):
            pick(np.zeros(3, np.float32), np.zeros(5, np.float32))


if __name__ == "__main__":
    unittest.main()
