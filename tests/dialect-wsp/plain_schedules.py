"""Schedules under plain Python: what they keep, and what is refused before any compiler sees it."""

from __future__ import annotations

import unittest
from types import ModuleType

from htp import HtpError
from htp.testing import import_program

HEAD = """import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")


@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i] * 2.0


@schedule(w)
def plan(s: Schedule) -> None:
"""


def program(body: str, behind: str = "") -> ModuleType:
    return import_program(HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + behind, "plan")


class PlainSchedules(unittest.TestCase):
    def kept(self, module: ModuleType) -> list[tuple[str, str, tuple[int | str, ...]]]:
        return [(d.name, d.loop, d.values) for d in module.plan.schedule.directives]

    def test_directives_are_kept_in_order(self) -> None:
        self.assertEqual(self.kept(program('s.tile("i", 32, 8)\ns.parallel("i_0")')), [("tile", "i", (32, 8)), ("parallel", "i_0", ())])

    def test_a_combination_may_stand_behind_the_schedule(self) -> None:
        behind = '\n\nSIZE = 16\n\n\ndef blocks(s: Schedule) -> None:\n    s.tile("i", SIZE)\n'
        self.assertEqual(self.kept(program("blocks(s)", behind)), [("tile", "i", (16,))])

    def test_a_name_that_is_nowhere_is_told_when_the_schedule_is_asked_for(self) -> None:
        with self.assertRaisesRegex(NameError, "blocks"):
            self.kept(program("blocks(s)"))

    def test_what_cannot_be_meant_is_refused_at_once(self) -> None:
        for body, said in [
            ('s.tile("j", 8)', "`w` has no loop `j`: it has i"),
            ('s.tile("i", 0)', "`tile` of loop `i` takes one size or more, each at least 1"),
            ('s.tile("i", 8)\ns.tile("i", 4)', "loop `i` is tiled twice"),
            ('s.unroll("i", factor=1)', "`unroll` of loop `i` takes a factor of at least 2, not 1"),
            ('s.pipeline("i", depth=1)', "`pipeline` of loop `i` takes a depth of at least 2, not 1"),
            ('s.cache("z", at="i")', "`w` has no tensor `z`: it has x, y"),
        ]:
            with self.subTest(body), self.assertRaisesRegex(HtpError, said):
                program(body)

    def test_override_takes_the_place_of_what_it_overrides(self) -> None:
        self.assertEqual(self.kept(program('s.tile("i", 8)\ns.parallel("i")\ns.tile("i", 4, override=True)')), [("tile", "i", (4,)), ("parallel", "i", ())])


if __name__ == "__main__":
    unittest.main()
