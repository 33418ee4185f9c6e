"""What the compiler gives to a unit that is written in Python: a pass, an analysis or a verifier.

A unit is a function of the program, a tree of Python's own `ast` objects, and of this context:

    def run(tree: ast.Module, c: Context) -> ast.Module

A pass gives the new module (the one it got, changed in place, will do), an analysis a dict from nodes to values, a verifier
whether `c.term` holds. A unit sees nothing else: files, clocks, randomness and the environment are the host's to give.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Protocol

__all__ = ["Context", "Host"]

Scalar = int | float | bool | str
SEVERITIES = {"error": 1, "warning": 2, "note": 3}
LEVELS = ("trace", "debug", "info", "warning", "error")


class Host(Protocol):
    """The functions of the compiler behind a context."""

    def report(
        self,
        severity: int,
        code: str,
        text: str,
        node: ast.AST | None,
        labels: Sequence[tuple[ast.AST, str]],
        notes: Sequence[str],
        hints: Sequence[str],
    ) -> None: ...
    def fresh(self, stem: str) -> str: ...
    def comment(self, node: ast.stmt, text: str) -> None: ...
    def analysis(self, name: str) -> dict[ast.AST, object]: ...
    def hardware(self, path: str) -> str | None: ...
    def random(self) -> int: ...
    def read(self, path: str) -> bytes: ...
    def log(self, level: int, text: str) -> None: ...


class Context:
    """One call of a unit: what the compile is about, and what a unit may ask of it."""

    def __init__(
        self, host: Host, unit: str, target: str, entry: str, term: str, options: Mapping[str, Scalar], diagnostics: Mapping[str, str]
    ) -> None:
        self._host = host
        self._diagnostics = diagnostics
        self.unit = unit
        self.target = target
        """The backend that is compiled for."""
        self.entry = entry
        """The name of the function in the module that is compiled."""
        self.term = term
        """Of a verifier: the state it is asked about."""
        self.options = options
        """The unit's options, as the manifest declares them and the profile sets them."""

    def report(
        self,
        node: ast.AST | None,
        code: str,
        text: str,
        *,
        hint: str | None = None,
        notes: Sequence[str] = (),
        labels: Sequence[tuple[ast.AST, str]] = (),
    ) -> None:
        """Reports a diagnostic that the plugin's manifest declares under `diagnostics:`, at a node of the program (or at what a new
        node was made from). After an error the compile stops when the unit returns.

        >>> c.report(call, "acme.too-wide", "`e` is wider than a vector", hint="split the loop")
        """
        if code not in self._diagnostics:
            known = ", ".join(self._diagnostics) or "none"
            raise ValueError(f"the manifest declares no diagnostic `{code}` under `diagnostics:`, but {known}")
        hints = [] if hint is None else [hint]
        self._host.report(SEVERITIES[self._diagnostics[code]], code, text, node, tuple(labels), tuple(notes), hints)

    def log(self, text: str, level: str = "debug") -> None:
        """A line of the log, for who looks for how something came about: `htp-host --log-level debug`. From "info" on it is also in the
        package's `logs/compile.log`. What the user must know is a diagnostic."""
        if level not in LEVELS:
            raise ValueError(f"`{level}` is no level of the log: {', '.join(LEVELS)}")
        self._host.log(LEVELS.index(level), text)

    def fresh(self, stem: str) -> str:
        """A name that the program has not: `stem`, else `stem_1`, `stem_2` …"""
        return self._host.fresh(stem)

    def comment(self, node: ast.stmt, text: str) -> None:
        """Puts a comment before the statement; `text` is without `#`."""
        self._host.comment(node, text)

    def analysis(self, name: str) -> dict[ast.AST, object]:
        """The values of an analysis, anyone's, by the nodes of the program as the unit was given it."""
        return self._host.analysis(name)

    def hardware(self, path: str) -> Scalar | None:
        """A fact of the backend's hardware model, `vector.bytes`; None where it says nothing. Of a branch: the names below it."""
        text = self._host.hardware(path)
        if text is None or text in ("true", "false"):
            return None if text is None else text == "true"
        for kind in (int, float):
            try:
                number: int | float = kind(text)
                return number
            except ValueError:
                pass
        return text

    def random(self) -> int:
        """64 bits from the compile's seeded generator; `random.Random` can be seeded with it."""
        return self._host.random()

    def read(self, path: str) -> bytes:
        """A file beneath the program's folder; the compile depends on it from then on."""
        return self._host.read(path)
