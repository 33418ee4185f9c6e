"""Entries that are compiled when they are called: `@htp.jit(target="cpu")` above `@kernel`, or `softmax.compile(target="cpu")`."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from htp.entry import Entry, Signature
from htp.errors import Diagnosed, HtpError
from htp.shown import Stages, explained
from htp.sources import Program, Watched, program_of, same

Paths = Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Timing:
    """How long calls took: of each batch the mean of its calls, in seconds."""

    batches: tuple[float, ...]
    calls: int
    """In a batch."""

    @property
    def median(self) -> float:
        return statistics.median(self.batches)

    @property
    def least(self) -> float:
        return min(self.batches)

    def __repr__(self) -> str:
        from htp.runner import shown_time

        return f"<{shown_time(self.median)} a call, {shown_time(self.least)} at least; {len(self.batches)} batches of {self.calls}>"


class Compiled(Signature):
    """An entry for a target. The first call compiles it; the package lies in the content cache, which is asked each time: it gives what the
    sources say now. What the entry reads of its module is looked at in each call: when it was rebound, the next call compiles again.

    With `HTP_INTERPRET=1` in the environment a call is plain Python, for a debugger.
    """

    def __init__(
        self,
        entry: Entry,
        target: str | None,
        profile: str | os.PathLike[str] | None,
        set: Mapping[str, object],
        plugin_path: Paths,
        copy: bool,
    ) -> None:
        super().__init__(entry.name, entry.parameters)
        self.entry = entry
        self.__doc__ = entry.__doc__
        self.__module__ = entry.__module__
        self.__name__ = entry.name
        self.target = target or ("" if profile else "cpu")
        self._profile, self._set, self._plugin_path, self._copy = profile, dict(set), plugin_path, copy
        self._lock = threading.Lock()
        self._program: Program | None = None
        self._package: Any = None
        self._ready: tuple[Any, Watched] | None = None
        """What a call goes to, as long as what was read has its values: one pair, which threads see whole."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Outputs that are not given are made, and are what the call gives."""
        ready = self._ready
        if ready is not None and not _interprets() and same(ready[1]):
            return ready[0](*arguments, **named)
        if _interprets():
            return self.entry(*arguments, **named)
        try:
            function = self._compiled()
        except HtpError as error:
            raise error.with_traceback(None) from None
        return function(*arguments, **named)

    @property
    def package(self) -> Any:
        """The opened package."""
        self._compiled()
        return self._package

    @property
    def folder(self) -> Path:
        """The package's folder, in the content cache."""
        folder: Path = self.package.folder
        return folder

    def stages(self) -> Stages:
        """The program after each pass that changed it."""
        found: Stages = self._open().stages()
        return found

    def explain(self) -> str:
        """What was compiled for what, by which plugins, and what each pass did; of a program that is refused, why."""
        try:
            return explained(self._open().folder, self.name)
        except Diagnosed as error:
            return error.rendered

    def bench(self, *arguments: Any, seconds: float = 0.2, **named: Any) -> Timing:
        """How long such a call takes, Python's part included; arrays that it changes are changed."""
        function = self._compiled()
        function(*arguments, **named)
        clock = time.perf_counter
        calls, end = 1, clock() + seconds
        batches: list[float] = []
        while not batches or clock() < end or len(batches) < 5:
            begin = clock()
            for _ in range(calls):
                function(*arguments, **named)
            took = clock() - begin
            if took < 1e-3 and not batches:
                calls *= 2
            else:
                batches.append(took / calls)
        return Timing(tuple(batches), calls)

    def compile(self, target: str | None = None, **options: Any) -> Compiled:
        return compiled_entry(self.entry, target, **options)

    def run(self, *arguments: Any, **named: Any) -> Any:
        """The entry's run in plain Python."""
        return self.entry.run(*arguments, **named)

    def _compiled(self) -> Any:
        with self._lock:
            package = self._opened()
            if self._ready is None:
                assert self._program is not None
                self._ready = package.routines[self.name].function() if self.name in package.routines else package, self._program.watched
            return self._ready[0]

    def _open(self) -> Any:
        with self._lock:
            return self._opened()

    def _opened(self) -> Any:
        from htp import native

        if self._package is None or self._program is None or not self._program.current():
            program = program_of(self.entry)
            folder = program.compiled(target=self.target, profile=self._profile, out=None, set=self._set, plugin_path=self._plugin_path)
            package = native.bind(folder, profile=self._profile or self.target, plugin_path=self._plugin_path, copy=self._copy)
            self._ready, self._package, self._program = None, package, program
        return self._package

    def _repr_html_(self) -> str:
        import html

        try:
            return f"<code>{html.escape(Signature.__repr__(self))}</code>{self.stages()._repr_html_()}"
        except Diagnosed as error:
            return f"<pre>{html.escape(error.rendered)}</pre>"

    def __repr__(self) -> str:
        return f"{Signature.__repr__(self)[:-1]} for {self.target or self._profile}>"


_environment: Any = getattr(os.environ, "_data", {})
"""What `os.environ` is a view of, where it is one: asked in each call, so without what the view costs."""
_INTERPRET = b"HTP_INTERPRET"


def _interprets() -> bool:
    return _INTERPRET in _environment and os.environ.get("HTP_INTERPRET", "") not in ("", "0")


def compiled_entry(
    entry: Entry,
    target: str | None = None,
    *,
    profile: str | os.PathLike[str] | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Paths = (),
    copy: bool = False,
    **sizes: object,
) -> Compiled:
    """See `Entry.compile`."""
    if target is not None and profile is not None:
        raise HtpError("give `target`, or a `profile`, which names one")
    return Compiled(entry, target, profile, {**(set or {}), **sizes}, plugin_path, copy)


def jit(
    target: str | None = None,
    *,
    profile: str | os.PathLike[str] | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Paths = (),
    copy: bool = False,
    **sizes: object,
) -> Callable[[Entry], Compiled]:
    """Above `@kernel` or the like: calls run compiled for the target, the first of them compiles.

    `**sizes` and `set` give dims their sizes and the module's constants other values; else one package serves all sizes. With `copy` arrays that lie
    otherwise than their types say are copied, else refused. A compile of the file, and each stage, leaves this decorator out.
    """
    if isinstance(target, Signature) or callable(target):
        raise HtpError('`htp.jit` is called: `@htp.jit(target="cpu")`')

    def above(entry: Entry) -> Compiled:
        if not isinstance(entry, Entry):
            raise HtpError("`@htp.jit(…)` stands above `@kernel` or the like, which says what the function is")
        return compiled_entry(entry, target, profile=profile, set=set, plugin_path=plugin_path, copy=copy, **sizes)

    return above
