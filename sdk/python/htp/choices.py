"""Choices: constants of a module that have alternatives, for `htp-host tune` to try."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T", bool, int, float, str)


def choice(first: T, *others: T) -> T:
    """A constant of the module with alternatives, `ROWS = htp.choice(16, 8, 32)`: the first, unless `--set ROWS=8` says otherwise."""
    return first
