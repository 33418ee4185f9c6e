"""Copies that are begun and waited for. When a copy happens between the two is not said, so here a run chooses.

    with htp.timing("early"):       # when it is begun
    with htp.timing("late"):        # when it is waited for: what runs outside of any `with`
    with htp.timing(7):             # at random, by a seed: at some beginning or waiting between the two

A dialect whose programs do several things at the same time takes the seed too: `seed()`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from htp.errors import HtpError


class Token:
    """A copy on its way, or one that was waited for."""

    __slots__ = ("_copy", "_waited")

    def __init__(self, copy: Callable[[], None]) -> None:
        self._copy: Callable[[], None] | None = copy
        self._waited = False

    def _happen(self) -> None:
        copy, self._copy = self._copy, None
        if copy is not None:
            copy()


class _Order:
    seed: int | None = None

    def begun(self, token: Token) -> None:
        pass

    def waited(self) -> None:
        pass


class _Early(_Order):
    def begun(self, token: Token) -> None:
        token._happen()


class _Random(_Order):
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = random.Random(seed)
        self._pending: list[Token] = []

    def begun(self, token: Token) -> None:
        self._pending.append(token)
        self.waited()

    def waited(self) -> None:
        self._random.shuffle(self._pending)
        for _ in range(self._random.randint(0, len(self._pending))):
            self._pending.pop()._happen()


_order: ContextVar[_Order] = ContextVar("order", default=_Order())
_begun: ContextVar[list[Token]] = ContextVar("begun")


@contextmanager
def timing(which: str | int) -> Iterator[None]:
    """When things happen whose time is not said: copies "early", "late", or all at random by a seed."""
    if isinstance(which, str) and which not in ("early", "late"):
        raise HtpError(f'things happen "early", "late" or by a seed, not {which!r}')
    before = _order.set(_Random(which) if isinstance(which, int) else _Early() if which == "early" else _Order())
    try:
        yield
    finally:
        _order.reset(before)


def begin(copy: Callable[[], None]) -> Token:
    """The token of a copy that happens from now on."""
    token = Token(copy)
    if (begun := _begun.get(None)) is not None:
        begun.append(token)
    _order.get().begun(token)
    return token


@contextmanager
def all_waited() -> Iterator[None]:
    """What is begun within has been waited for at its end."""
    tokens: list[Token] = []
    before = _begun.set(tokens)
    try:
        yield
    finally:
        _begun.reset(before)
    if left := sum(not token._waited for token in tokens):
        raise HtpError(f"{left} of {len(tokens)} copies were begun and not waited for")


def wait(token: Token) -> None:
    """Goes on when the copy has happened."""
    if not isinstance(token, Token):
        raise HtpError(f"`wait` takes the token of a copy, not {token!r}")
    if token._waited:
        raise HtpError("this copy has been waited for")
    token._waited = True
    _order.get().waited()
    token._happen()


def barrier() -> None:
    """Goes on when all copies have happened that this call began, and nothing waited for."""
    _order.get().waited()
    for token in _begun.get([]):
        token._waited = True
        token._happen()


def seed() -> int | None:
    """The seed of the order that is asked for, if it is a random one."""
    return _order.get().seed
