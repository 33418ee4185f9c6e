"""Runs the cores of a device that have bodies of their own in plain Python: one at a time, each until it has to wait, in an order that is the
same every time; `htp.timing(seed)` has another one. What they compute does not depend on it."""

from __future__ import annotations

import contextvars
import random
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from htp import HtpError, asynchronous

if TYPE_CHECKING:
    from htp_aie.machine import Core


class _Stopped(BaseException):
    """Ends the threads of a device at which something went wrong."""


class Worker:
    """A core that runs, in a thread of its own, while the crew lets it."""

    def __init__(self, crew: Crew, core: Core, body: Callable[[Core], None]) -> None:
        self.core = core
        self.ready: Callable[[], bool] | None = None
        self.what = ""
        self.ended = False
        self.go = threading.Semaphore(0)
        self._crew, self._body = crew, body
        self.thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,), name=core.name, daemon=True)

    def _run(self) -> None:
        self.go.acquire()
        try:
            if not self._crew.stopped:
                self._body(self.core)
        except _Stopped:
            pass
        except BaseException as error:  # raised by the thread that ran the device
            self._crew.failure = self._crew.failure or error
        self.ended = True
        self._crew.back.release()


class Crew:
    """The cores of one run of a device."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []
        self.back = threading.Semaphore(0)
        self.stopped = False
        self.failure: BaseException | None = None
        self._now: Worker | None = None

    def cores(self) -> Iterator[Core]:
        return (worker.core for worker in self.workers)

    def add(self, core: Core, body: Callable[[Core], None]) -> None:
        self.workers.append(Worker(self, core, body))

    def now(self) -> str:
        """Who runs."""
        if self._now is None:
            raise HtpError("channels are for cores with bodies of their own: `@aie.core()`")
        return self._now.core.name

    def wait(self, what: str, ready: Callable[[], bool]) -> None:
        """Lets others run until `ready` holds."""
        worker = self._now
        if worker is None:
            raise HtpError("streams between cores are for cores with bodies of their own: `@aie.core()`")
        if ready():
            return
        worker.what, worker.ready = what, ready
        self.back.release()
        worker.go.acquire()
        if self.stopped:
            raise _Stopped
        worker.ready = None

    def run(self) -> None:
        """Runs all of them to their end."""
        seed = asynchronous.seed()
        chance = random.Random(seed) if seed is not None else None
        for worker in self.workers:
            worker.thread.start()
        try:
            while left := [worker for worker in self.workers if not worker.ended]:
                able = [worker for worker in left if worker.ready is None or worker.ready()]
                if not able:
                    raise HtpError("nobody can go on: " + "; ".join(worker.what for worker in left))
                self._resume(chance.choice(able) if chance else able[0])
                if self.failure is not None:
                    raise self.failure
        finally:
            self.stopped = True
            for worker in self.workers:
                if not worker.ended:
                    self._resume(worker)

    def _resume(self, worker: Worker) -> None:
        self._now = worker
        worker.go.release()
        self.back.acquire()
        self._now = None
