"""Programs that become smaller (`htp.shrinking`): what is tried is Python, and reaches what has to stay."""

from __future__ import annotations

import ast
import copy
import time
import unittest
from collections.abc import Sequence
from pathlib import Path

from htp.minimizing import Shown, smallest
from htp.shrinking import KINDS, size_of, unbound

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*/*.py"))


class Asked(Shown):
    """Says itself of a program whether it shows what is wanted: that a text stands in it, and that it is a pipeline still."""

    def __init__(self, wanted: str) -> None:
        super().__init__({}, Path("."), [])
        self.text = wanted

    def keep(self, texts: Sequence[str]) -> list[bool]:
        self.asked += len(texts)
        return [self.text in text and "@pipeline" in text for text in texts]


class Shrinking(unittest.TestCase):
    def test_most_changes_give_a_smaller_program(self) -> None:
        made = 0
        for path in EXAMPLES[::7]:
            tree = ast.parse(path.read_text())
            for kind in KINDS:
                for change in list(kind(tree))[::5]:
                    candidate = copy.deepcopy(tree)
                    try:
                        if not change(candidate):
                            continue
                        smaller = ast.parse(ast.unparse(ast.fix_missing_locations(candidate)))
                    except (SyntaxError, AttributeError, IndexError, TypeError, ValueError):
                        continue  # as `minimize` passes over it
                    made += size_of(smaller) < size_of(tree)
        self.assertGreater(made, 400)

    def test_a_pipeline_loses_its_channels_and_processes(self) -> None:
        for name, wanted in (("attention_pipeline", "exp("), ("attention_stages", "matmul("), ("split_merge", "reduce_sum(")):
            path = next(path for path in EXAMPLES if path.stem == name)
            small = smallest(path.read_text(), Asked(wanted), time.monotonic() + 60, lambda _: None)
            self.assertIn(wanted, small)
            self.assertLessEqual(len(small.splitlines()), 15, small)
            self.assertFalse(unbound(ast.parse(small)), small)

    def test_what_names_nothing_is_no_candidate(self) -> None:
        self.assertEqual(unbound(ast.parse("import a\ndef f(x):\n    y = x + a.b\n    return y + z + len(x)\n")), {"z"})
        self.assertEqual(unbound(ast.parse("from a import *\nb()\n")), set())

    def test_size_counts_nodes_before_digits(self) -> None:
        self.assertLess(size_of(ast.parse("x = 100")), size_of(ast.parse("x = 1 + 1")))
        self.assertLess(size_of(ast.parse("x = 1")), size_of(ast.parse("x = 100")))


if __name__ == "__main__":
    unittest.main()
