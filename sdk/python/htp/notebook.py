"""`%%htp` in a notebook: runs a cell, and shows the stages of the kernels that it defines side by side.

    %load_ext htp.notebook

    %%htp cpu tile.infer cpu.loops
    @kernel
    def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None: ...

The first word is the target; the others are the stages to show, by number, pass or both, else all of them.
"""

from __future__ import annotations

import ast
import functools
import shlex
from typing import Any, Callable, Protocol

from htp.entry import Entry
from htp.errors import HtpError
from htp.jit import Compiled
from htp.shown import Stages


class Shell(Protocol):
    """What is used of IPython's shell."""

    user_ns: dict[str, Any]

    def run_cell(self, raw_cell: str) -> Any: ...

    def register_magic_function(self, func: Callable[..., Any], magic_kind: str, magic_name: str) -> None: ...


class Cell:
    """The stages of what a cell defined, an entry below the other."""

    def __init__(self, entries: dict[str, Stages]) -> None:
        self.entries = entries

    def __repr__(self) -> str:
        return "\n".join(f"# ── {name} ──\n{stages}" for name, stages in self.entries.items())

    def _repr_html_(self) -> str:
        return "".join(f"<h4>{name}</h4>{stages._repr_html_()}" for name, stages in self.entries.items())


def show(shell: Shell, line: str, cell: str) -> Cell | None:
    """`%%htp`; nothing where the cell failed, of which the shell has told."""
    target, *wanted = shlex.split(line) or [""]
    if not target:
        raise HtpError("`%%htp` takes a target, and the stages to show: `%%htp cpu tile.infer`")
    if not getattr(shell.run_cell(cell), "success", True):
        return None
    shown: dict[str, Stages] = {}
    for name in [one.name for one in ast.parse(cell).body if isinstance(one, ast.FunctionDef)]:
        entry = shell.user_ns.get(name)
        if isinstance(entry, Entry):
            entry = entry.compile(target)
        if not isinstance(entry, Compiled):
            continue
        stages = entry.stages()
        shown[name] = Stages([stages[int(which) if which.isdigit() and len(which) == 1 else which] for which in wanted]) if wanted else stages
    if not shown:
        raise HtpError("the cell defines no kernel, workload or pipeline")
    return Cell(shown)


def load_ipython_extension(shell: Shell) -> None:
    """For `%load_ext htp.notebook`."""
    shell.register_magic_function(functools.partial(show, shell), "cell", "htp")
