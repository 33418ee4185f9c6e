"""Runs the processes of a pipeline in plain Python: one at a time, each until it has to wait, in an order that is the same every time.

What a pipeline computes does not depend on the order; `htp.timing(seed)` runs it in another one, to try, and `following(order)` in one that is given.
"""

from __future__ import annotations

import contextvars
import random
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from htp import asynchronous
from htp.errors import HtpError

if TYPE_CHECKING:
    from htp_csp.channels import Channel

_current: ContextVar[Crew | None] = ContextVar("htp_csp_crew", default=None)
_task: ContextVar[Task | None] = ContextVar("htp_csp_task", default=None)
_order: ContextVar[Sequence[str]] = ContextVar("htp_csp_order", default=())


class Deadlock(HtpError):
    """Nobody can go on. `waiting` has each process that is left, what it does at which channel, and the file and line."""

    def __init__(self, text: str, waiting: list[tuple[str, str, str, str, int]]) -> None:
        super().__init__(text)
        self.waiting = waiting


@contextmanager
def following(order: Sequence[str]) -> Iterator[None]:
    """Pipelines that are called inside begin with one move of each process that `order` names, one after the other.

    A move is a put or a get; a put of a rendezvous is two, one to offer the item and one to go on when it has been got.
    """
    token = _order.set(order)
    try:
        yield
    finally:
        _order.reset(token)


class _Stopped(BaseException):
    """Ends the threads of a pipeline that somebody else has ended."""


class Task:
    """A process that runs, in a thread of its own, while the scheduler lets it."""

    def __init__(self, crew: Crew, name: str, body: Callable[[], None]) -> None:
        self.name = name
        self.ready: Callable[[], bool] | None = None  # it waits until this holds
        self.at: tuple[Channel[Any], str] | None = None  # for what
        self.ended = False
        self._crew = crew
        self._go = threading.Semaphore(0)
        context = contextvars.copy_context()
        context.run(_task.set, self)
        self._thread = threading.Thread(target=context.run, args=(self._run, body), name=name, daemon=True)

    def wait(self, channel: Channel[Any], action: str, ready: Callable[[], bool]) -> None:
        """Lets others run until `ready` holds."""
        if ready() and not self._crew.restless():
            return
        self.at, self.ready = (channel, action), ready
        self._crew.back.release()
        self._go.acquire()
        if self._crew.stopped:
            raise _Stopped
        self.at = self.ready = None

    def resume(self) -> None:
        """Runs it until it waits or ends."""
        if not self._thread.is_alive() and not self.ended:
            self._thread.start()
        else:
            self._go.release()
        self._crew.back.acquire()

    def where(self) -> tuple[str, int]:
        """The user's line that it waits at."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        while frame is not None and (frame.f_code.co_filename == threading.__file__ or frame.f_globals.get("__package__") == __package__):
            frame = frame.f_back
        return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)

    def _run(self, body: Callable[[], None]) -> None:
        try:
            with np.errstate(all="ignore"), asynchronous.all_waited():  # NumPy's is of a thread; a barrier is for what the process began
                body()
        except _Stopped:
            pass
        except BaseException as error:  # raised by the thread that called the pipeline
            self._crew.failure = self._crew.failure or error
        self.ended = True
        self._crew.back.release()

    def __str__(self) -> str:
        return self.name


class Crew:
    """The processes and channels of one call of a pipeline."""

    def __init__(self, body: Callable[..., None]) -> None:
        self.code = body.__code__
        self.prefix = ""  # of what a pipeline declares that this one's calls
        self.bodies: dict[int, tuple[str, FrameType]] = {}  # of pipelines that have declared something, this one's first, with their prefixes
        self.tasks: list[Task] = []
        self.channels: list[Channel[Any]] = []
        self.back = threading.Semaphore(0)
        self.stopped = False
        self.failure: BaseException | None = None
        seed = asynchronous.seed()
        self._instances: dict[str, int] = {}
        self._order = _order.get() if _task.get() is None else ()
        self._following = False
        self._random = random.Random(seed) if seed is not None else None

    @staticmethod
    def current(name: str) -> Crew:
        crew = _current.get()
        if crew is None or _task.get() is not None:
            raise HtpError(f"`{name}` stands in the body of a pipeline, outside of its processes")
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not crew.is_body(frame):
            frame = frame.f_back
        if frame is not None:
            crew.bodies.setdefault(id(frame), (crew.prefix, frame))
        return crew

    @staticmethod
    def gathering() -> Crew | None:
        """The crew of the pipeline whose body runs; none in a process."""
        return None if _task.get() is not None else _current.get()

    @contextmanager
    def nested(self, name: str, body: Callable[..., None]) -> Iterator[None]:
        """What is declared inside belongs to a pipeline of that name, which becomes a part of this one."""
        outer = self.code, self.prefix
        self._instances[name] = times = self._instances.get(name, 0) + 1
        self.code, self.prefix = body.__code__, f"{self.prefix}{name}_{f'{times}_' if times > 1 else ''}"
        try:
            yield
        finally:
            self.code, self.prefix = outer

    def is_body(self, frame: FrameType) -> bool:
        return frame.f_code is self.code

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """What is declared inside is of this crew."""
        token = _current.set(self)
        outer = _task.set(None)
        try:
            yield
        finally:
            _task.reset(outer)
            _current.reset(token)

    def names(self) -> Iterator[tuple[str, object]]:
        """The names in the pipeline's body, and in those that it calls: who declared something comes first."""
        for prefix, frame in self.bodies.values():
            for name, value in frame.f_locals.items():
                yield prefix + name, value

    def add(self, name: str, body: Callable[[], None]) -> None:
        self.tasks.append(Task(self, name, body))

    def task(self, name: str) -> Task:
        task = _task.get()
        if task is None:
            raise HtpError(f"{name} stands in a process")
        return task

    def restless(self) -> bool:
        """Whether a process gives way though it could go on."""
        return self._following or self._random is not None and self._random.random() < 0.5

    def moved(self, channel: Channel[Any]) -> None:
        """Something was put or got: who waits at the channel may go on."""
        for task in self._waiting.pop(channel, []):
            self._ready.append(task)

    def run(self) -> None:
        """Runs all processes to their end."""
        self._ready = deque(self.tasks)
        self._waiting: dict[Channel[Any], list[Task]] = {}
        try:
            if self._order:
                self._follow()
            while self._ready:
                task = self._next()
                if task.ready is not None and not task.ready():
                    assert task.at is not None
                    self._waiting.setdefault(task.at[0], []).append(task)
                    continue
                self._resume(task)
                if not task.ended:
                    self._ready.append(task)
            if any(not task.ended for task in self.tasks):
                raise self._deadlock()
            self._left()
        finally:
            self._stop()

    def _resume(self, task: Task) -> None:
        task.resume()
        if self.failure is not None:
            raise self.failure

    def _follow(self) -> None:
        """Each process to its first move, and then the moves of the order."""
        self._following = True
        for task in self.tasks:
            self._resume(task)
        named = {task.name: task for task in self.tasks}
        for number, name in enumerate(self._order):
            if name not in named:
                raise HtpError(f"move {number} of the order is of `{name}`, and the processes are {', '.join(f'`{task}`' for task in self.tasks)}")
            task = named[name]
            if task.at is None or task.ready is None:
                raise HtpError(f"move {number} of the order is of `{name}`, which has ended")
            channel, action = task.at
            if not task.ready():
                raise HtpError(f"move {number} of the order is of `{name}`, which waits to {action} {_way(action)} `{channel}` ({channel.state(task)})")
            self._resume(task)
        self._following = False
        self._ready = deque(task for task in self.tasks if not task.ended)

    def _next(self) -> Task:
        if self._random is not None:
            self._ready.rotate(-self._random.randrange(len(self._ready)))
        return self._ready.popleft()

    def _stop(self) -> None:
        self.stopped = True
        for task in self.tasks:
            if task._thread.is_alive() and not task.ended:
                task.resume()

    def _deadlock(self) -> Deadlock:
        waiting = []
        lines = []
        for task in self.tasks:
            if task.ended or task.at is None:
                continue
            channel, action = task.at
            file, line = task.where()
            waiting.append((task.name, action, channel.name, file, line))
            lines.append(f"`{task}` waits to {action} {_way(action)} `{channel}` ({channel.state(task)}) at line {line}{self._other(channel, action)}")
        return Deadlock("nobody can go on: " + "; ".join(lines), waiting)

    def _other(self, channel: Channel[Any], action: str) -> str:
        """Who would have to move."""
        others = [str(task) for task in channel.getters] if action == "put" else [str(channel.writer)] if channel.writer else []
        ended = [name for name in others if any(task.name == name and task.ended for task in self.tasks)]
        if ended:
            return f", and {' and '.join(f'`{name}`' for name in ended)} {'has' if len(ended) == 1 else 'have'} ended"
        return ""

    def _left(self) -> None:
        for channel in self.channels:
            if channel.held:
                got = min(channel.getters.values(), default=0)
                raise HtpError(f"`{channel}` holds {channel.held} items at the end: `{channel.writer}` put {channel.puts}, and {got} were got")


def _way(action: str) -> str:
    return "into" if action == "put" else "from"
