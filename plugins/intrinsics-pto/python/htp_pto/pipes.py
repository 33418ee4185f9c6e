"""What orders the pipes of a core."""

import htp
from htp_pto import machine


@htp.intrinsic(name="pto.set_flag", rule="order", effects="write", spaces="", cost="0")
def set_flag(source: str, destination: str, event: int) -> None:
    """Sets a flag between two pipes when all earlier instructions of the source have ended.

    >>> set_flag("MTE2", "V", 0)
    """
    machine.set_flag(source, destination, event)


@htp.intrinsic(name="pto.wait_flag", rule="order", effects="write", spaces="", cost="0")
def wait_flag(source: str, destination: str, event: int) -> None:
    """The destination goes on when the source has set the flag, which it is no more then.

    >>> wait_flag("MTE2", "V", 0)
    """
    machine.wait_flag(source, destination, event)


@htp.intrinsic(name="pto.pipe_barrier", rule="order", effects="write", spaces="", cost="0")
def pipe_barrier(pipe: str) -> None:
    """A pipe goes on when its earlier instructions have ended; "ALL" are all pipes, each when those of all have.

    >>> pipe_barrier("V")
    """
    machine.pipe_barrier(pipe)


@htp.intrinsic(name="pto.drain", rule="order", effects="write", spaces="", cost="0")
def drain() -> None:
    """The kernel ends when everything that it stores has left: its last instruction.

    >>> drain()
    """
    machine.drain()
