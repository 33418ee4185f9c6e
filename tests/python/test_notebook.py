"""`%%htp`: a cell is run, and the stages of its kernels are shown side by side; in a shell of ours, and in IPython's where there is one."""

from __future__ import annotations

import linecache
import os
import tempfile
import unittest
from types import SimpleNamespace
from typing import Any, Callable

from htp.errors import HtpError
from htp.notebook import Cell, load_ipython_extension

CELL = '''import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * 2.0
'''


class Shell:
    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {"__name__": "__main__"}
        self.magics: dict[str, Callable[..., Any]] = {}
        self.count = 0

    def run_cell(self, raw_cell: str) -> Any:
        self.count += 1
        name = f"<cell {self.count}>"
        linecache.cache[name] = (len(raw_cell), None, raw_cell.splitlines(keepends=True), name)
        try:
            exec(compile(raw_cell, name, "exec"), self.user_ns)
        except ZeroDivisionError:
            return SimpleNamespace(success=False)
        return SimpleNamespace(success=True)

    def register_magic_function(self, func: Callable[..., Any], magic_kind: str, magic_name: str) -> None:
        assert magic_kind == "cell"
        self.magics[magic_name] = func


class Magic(unittest.TestCase):
    def setUp(self) -> None:
        self.shell = Shell()
        load_ipython_extension(self.shell)
        self.magic = self.shell.magics["htp"]

    def test_all_stages_stand_side_by_side(self) -> None:
        shown = self.magic("cpu", CELL)
        self.assertIsInstance(shown, Cell)
        page = shown._repr_html_()
        self.assertEqual(page.count("<table>"), 1)
        self.assertGreater(page.count("<td"), 3)
        self.assertIn("Tile[f32, i, N]", page)
        self.assertIn("double", self.shell.user_ns)

    def test_stages_are_chosen(self) -> None:
        shown = self.magic("cpu tile.infer 0", CELL)
        self.assertEqual([stage.name for stage in shown.entries["double"]], ["02-tile.infer", "00-source"])
        self.assertIn("tile.load", repr(shown))
        with self.assertRaises(KeyError):
            self.magic("cpu nothing", CELL)

    def test_what_is_wrong_is_said(self) -> None:
        self.assertIsNone(self.magic("cpu", "1 / 0\n"))
        for line, cell in (("", CELL), ("cpu", "x = 1\n")):
            with self.assertRaises(HtpError):
                self.magic(line, cell)

    def test_ipython_takes_it(self) -> None:
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("there is no IPython")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.environ["IPYTHONDIR"] = folder.name
        shell = InteractiveShell()
        self.addCleanup(shell.history_manager.end_session)
        shell.run_line_magic("load_ext", "htp.notebook")
        shown = shell.run_cell_magic("htp", "cpu tile.infer", CELL)
        self.assertIn("tile.load", repr(shown))


if __name__ == "__main__":
    unittest.main()
