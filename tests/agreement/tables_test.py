"""Tables that two plugins have, each its own, since no plugin reads another's files: what one says is what the other does."""

from __future__ import annotations

import hashlib
import re
import unittest
from pathlib import Path
from typing import TypeVar

from htp_pto import dtypes

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"


def rows(file: str, macro: str) -> list[tuple[str, ...]]:
    """What stands between the parentheses of a table's rows, the comma between two of them apart."""
    text = re.sub(r"(?m)^//.*$", "", (PLUGINS / file).read_text())
    return [tuple(re.findall(r'"[^"]*"|[^,\s"]+', row)) for row in re.findall(rf"(?m)^{macro}\((.*)\)$", text)]


class Ascend(unittest.TestCase):
    def test_dtypes_are_those_of_the_instructions(self) -> None:
        wanted = {name: " ".join(one.name for one in kind.__constraints__) for name, kind in vars(dtypes).items() if isinstance(kind, TypeVar)}
        self.assertEqual({name.strip('"'): kinds.strip('"') for name, kinds in rows("backend-a2a3/analyses/operands.def", "CLASS")}, wanted)

    def test_conversions_are_those_of_the_instructions(self) -> None:
        said = {name.strip('"'): to.strip('"') for name, to in rows("backend-a2a3/analyses/operands.def", "CONVERSION")}
        self.assertEqual(said, dtypes.CONVERSIONS)

    def test_commits_are_those_that_are_simulated(self) -> None:
        said = rows("backend-a2a3/runtime/commits.def", "COMMIT")
        self.assertEqual(len(said), 3)
        self.assertEqual(said, rows("binding-a2a3sim/simulator/commits.def", "COMMIT"))

    def test_fixed_texts_are_known(self) -> None:
        known = rows("binding-a2a3sim/verify/texts.def", "TEXT")
        for path in ("build/build.sh", "kernels/htp_kernel.h"):
            digest = hashlib.sha256((PLUGINS / "backend-a2a3/runtime" / Path(path).name).read_bytes()).hexdigest()
            self.assertIn((f'"{path}"', f'"{digest}"'), known, f'add TEXT("{path}", "{digest}") to binding-a2a3sim/verify/texts.def')

    def test_forms_are_those_that_are_filled(self) -> None:
        for name in ("kernel_config.py.in", "golden.py.in"):
            self.assertEqual((PLUGINS / "binding-a2a3sim/verify" / name).read_text(), (PLUGINS / "backend-a2a3/runtime" / name).read_text())


class Engines(unittest.TestCase):
    def test_blocks_are_chosen_by_the_costs_of_the_simulation(self) -> None:
        for macro, columns in (("DEVICE_COST", 6), ("MACS", 4), ("COST", 2)):
            said = [row[:columns] for row in rows("backend-aie/analyses/costs.def", macro)]
            simulated = [row[:columns] for row in rows("binding-aiesim/model/costs.def", macro)]
            self.assertTrue(said)
            for row in said:
                self.assertIn(row, simulated)


if __name__ == "__main__":
    unittest.main()
