"""Deadlocks that the compiler tells are replayed in plain Python by the command it names: they block there, at the same puts and gets."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOST = Path()


def programs() -> list[tuple[str, str]]:
    """The cases of refused/deadlocks.py whose messages name a command, with the head that refused_test.cpp gives them."""
    found = re.search(r'head = R"\((.*?)\)"', (HERE / "refused_test.cpp").read_text(), re.DOTALL)
    assert found is not None
    cases = re.split(r"^#: (.*)\n", (HERE / "refused" / "deadlocks.py").read_text(), flags=re.MULTILINE)[1:]
    return [(title, found[1] + case) for title, case in zip(cases[::2], cases[1::2]) if "to replay it" in case]


class Replay(unittest.TestCase):
    def replayed(self, title: str, text: str, folder: Path) -> None:
        program = folder / "program.py"
        program.write_text(text)
        profile = folder / "cpu.yaml"
        profile.write_text("htp_profile: 1\ntarget: cpu\n")
        compiled = subprocess.run([HOST, "--plugins", profile, "compile", "program.py", "--entry", "w", "-o", "out"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 1, title)
        told = re.findall(r"`(\S+?|\w+\[[\d, ]+\])` waits to (put|get) (?:into|from) `(.+?)`,", compiled.stderr)
        self.assertTrue(told, compiled.stderr)
        command = re.search(r"to replay it: python3 (-m htp_csp .*)", compiled.stderr)
        assert command is not None, compiled.stderr
        run = subprocess.run([sys.executable, *shlex.split(command[1])], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("nobody can go on", run.stderr)
        blocked = set(re.findall(r"`([^`]+)` waits to (put|get) (?:into|from) `([^`]+)` \(", run.stderr))
        self.assertLessEqual(set(told), blocked, title)

    def test_each_deadlock_blocks_where_it_is_told(self) -> None:
        chosen = programs()
        self.assertGreater(len(chosen), 8)
        for title, text in chosen:
            with self.subTest(title), tempfile.TemporaryDirectory() as folder:
                self.replayed(title, text, Path(folder))

    def test_another_order_is_refused_where_it_cannot_be(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_text(GOOD)
            for order, said in ORDERS.items():
                run = subprocess.run([sys.executable, "-m", "htp_csp", program, "w", "M=2", "--order", order], capture_output=True, text=True)
                self.assertEqual((run.returncode, (run.stderr + run.stdout).strip()), (0 if "comes to its end" in said else 1, said), order)


GOOD = """
import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")


@pipeline
def w(x: In[Tensor[f32, M, 4]], y: Out[Tensor[f32, M, 4]]) -> None:
    rows = channel(f32, 1, 4, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()
"""

ORDERS = {
    "load store load": "`w` comes to its end at M = 2",
    "load*2": "move 1 of the order is of `load`, which waits to put into `rows` (full, 1 of 1)",
    "load store load store*2": "move 4 of the order is of `store`, which has ended",
    "other": "move 0 of the order is of `other`, and the processes are `load`, `store`",
    "load*x": "`load*x` is no process and how often it moves: `load*2`",
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=Path, required=True)
    given, rest = parser.parse_known_args()
    HOST = given.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
