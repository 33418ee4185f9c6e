"""Routines: functions over whole signals."""

from collections.abc import Callable

import htp


class Routine(htp.Entry):
    """A function over signals, called with NumPy arrays."""


def routine(function: Callable[..., None]) -> Routine:
    """Makes a function whose parameters are In and Out signals a routine."""
    return Routine(function)
