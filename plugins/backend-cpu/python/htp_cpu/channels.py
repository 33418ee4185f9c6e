"""Intrinsics of the CPU for processes and what goes between them."""

from typing import Any

import htp
from htp import Element, Extent, Index


@htp.intrinsic(name="cpu.channel", rule="channel", effects="", spaces="", cost="0")
def channel(dtype: type[Element], *extents: Extent, capacity: int, readers: int = 1, checked: bool = False) -> Any:
    """A channel between processes that holds `capacity` tiles.

    >>> rows = channel(f32, 8, N, capacity=2)
    """
    from htp_csp.channels import new_channel

    return new_channel(dtype, extents, capacity, readers, checked)


@htp.intrinsic(name="cpu.channels", rule="channel", effects="", spaces="", cost="0")
def channels(array: int | tuple[int, ...], dtype: type[Element], *extents: Extent, capacity: int, checked: bool = False) -> Any:
    """An array of such channels.

    >>> across = channels((4, 5), f32, 8, 8, capacity=2)
    """
    from htp_csp.channels import new_array

    return new_array(array, dtype, extents, capacity, checked)


@htp.intrinsic(name="cpu.event", rule="channel", effects="", spaces="", cost="0")
def event(*, readers: int = 1) -> Any:
    """A rendezvous, whose slots hold nothing.

    >>> done = event()
    """
    from htp_csp.channels import new_event

    return new_event(readers)


@htp.intrinsic(name="cpu.lane", rule="channel", effects="", spaces="", cost="1")
def lane(array: Any, *index: Index) -> Any:
    """One channel of an array.

    >>> east = lane(across, i, j + 1)
    """
    return array[index]


@htp.intrinsic(name="cpu.claim", rule="slot", effects="put", spaces="", cost="1")
def claim(to: Any, *extents: Extent) -> Any:
    """The channel's next free slot, to be filled; waits while there is none.

    >>> slot = claim(rows, i, N)
    """
    return to.claim(extents)


@htp.intrinsic(name="cpu.publish", rule="put", effects="put", spaces="", cost="1")
def publish(to: Any) -> None:
    """Gives the slot that was claimed to the readers.

    >>> publish(rows)
    """
    to.publish()


@htp.intrinsic(name="cpu.front", rule="slot", effects="get", spaces="", cost="1")
def front(source: Any, *extents: Extent) -> Any:
    """The slot with the next item; waits while there is none.

    >>> slot = front(rows, i, N)
    """
    return source.front(extents)


@htp.intrinsic(name="cpu.release", rule="put", effects="get", spaces="", cost="1")
def release(source: Any) -> None:
    """The item at the front was used.

    >>> release(rows)
    """
    source.release()


@htp.intrinsic(name="cpu.drop", rule="put", effects="get", spaces="", cost="1")
def drop(source: Any) -> None:
    """Waits for the next item, which is not used.

    >>> drop(rows)
    """
    source.get()


@htp.intrinsic(name="cpu.close", rule="put", effects="put", spaces="", cost="1")
def close(to: Any) -> None:
    """Ends a checked channel: nothing is put behind it.

    >>> close(kept)
    """
    to.close()


@htp.intrinsic(name="cpu.more", rule="more", effects="get", spaces="", cost="1")
def more(source: Any) -> bool:
    """Whether a checked channel has another item; waits until there is one, or the channel is closed.

    >>> some = more(kept)
    """
    return bool(source.more())


@htp.intrinsic(name="cpu.signal", rule="put", effects="put", spaces="", cost="1")
def signal(to: Any) -> None:
    """Comes to a rendezvous; waits until the other side has come.

    >>> signal(done)
    """
    to.put()


@htp.intrinsic(name="cpu.meet", rule="put", effects="get", spaces="", cost="1")
def meet(source: Any) -> None:
    """Comes to a rendezvous from its other side.

    >>> meet(done)
    """
    source.get()
