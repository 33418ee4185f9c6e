"""The intrinsics of channels: each declared once, as a typed function whose body is its meaning.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the names in `rule=`:

    channel   a channel of the named dtype and extents; what a process puts or gets has these extents, or a block of them
    lane      a channel of the array
    put       nothing; the item has the extents named
    drop      nothing
    close     nothing
    more      an int, which has no type
    get       a tile of the channel's dtype and of the extents named
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import htp
from htp import Block, Element, Extent, Index
from htp_csp.channels import Channel, Channels, new_array, new_channel, new_event


@htp.intrinsic(name="csp.channel", rule="channel", effects="", spaces="", cost="0")
def channel(dtype: type[Element], *extents: Extent | Iterable[Block], capacity: int, readers: int = 1, checked: bool = False) -> Channel[Element]:
    """A channel of the pipeline whose body this stands in, which holds `capacity` tiles; each of `readers` processes gets every one.

    An extent is an int, a dim, or `tiles(M, 8)`: the items are the blocks of a loop over it. Capacity 0 is a rendezvous: a put ends when
    the item has been got. Data may decide how many items go through a `checked` channel, which its writer closes.

    >>> rows = channel(f32, tiles(M, 8), N, capacity=2)
    """
    return new_channel(dtype, extents, capacity, readers, checked)


@htp.intrinsic(name="csp.channels", rule="channel", effects="", spaces="", cost="0")
def channels(array: int | tuple[int, ...], dtype: type[Element], *extents: Extent | Iterable[Block], capacity: int, checked: bool = False) -> Channels[Element]:
    """An array of such channels, one writer and one reader each.

    >>> across = channels((4, 5), f32, 8, 8, capacity=2)
    """
    return new_array(array, dtype, extents, capacity, checked)


@htp.intrinsic(name="csp.event", rule="channel", effects="", spaces="", cost="0")
def event(*, readers: int = 1) -> Channel[Any]:
    """A rendezvous without an item: `put()` and `get()` end when both have come.

    >>> done = event()
    """
    return new_event(readers)


@htp.intrinsic(name="csp.lane", rule="lane", effects="", spaces="", cost="1")
def lane(array: Channels[Element], *place: Index) -> Channel[Element]:
    """One channel of an array.

    >>> east = lane(across, i, j + 1)  # or across[i, j + 1]
    """
    return array[cast("tuple[int, ...]", place)]


@htp.intrinsic(name="csp.put", rule="put", effects="put", spaces="", cost="size(item)")
def put(to: Channel[Element], item: Element, *extents: Extent) -> None:
    """Adds a tile to a channel; waits while it is full.

    >>> put(rows, row, i, N)  # or rows.put(row)
    """
    to.put(item)


@htp.intrinsic(name="csp.get", rule="get", effects="get", spaces="", cost="size(result)")
def get(source: Channel[Element], *extents: Extent) -> Element:
    """Takes the next tile of a channel; waits while there is none.

    >>> row = get(rows, i, N)  # or rows.get()
    """
    return source.get_of(extents)


@htp.intrinsic(name="csp.drop", rule="drop", effects="get", spaces="", cost="1")
def drop(source: Channel[Any]) -> None:
    """Takes the next tile of a channel and leaves it; waits while there is none.

    >>> drop(rows)  # or _ = rows.get()
    """
    source.get()


@htp.intrinsic(name="csp.close", rule="close", effects="put", spaces="", cost="1")
def close(to: Channel[Any]) -> None:
    """Ends a checked channel: nothing is put behind it.

    >>> close(kept)  # or kept.close()
    """
    to.close()


@htp.intrinsic(name="csp.more", rule="more", effects="get", spaces="", cost="1")
def more(source: Channel[Any]) -> bool:
    """Whether a checked channel has another item; waits until there is one, or the channel is closed.

    >>> some = more(kept)  # or for row in kept
    """
    return source.more()


@htp.intrinsic(name="csp.signal", rule="put", effects="put", spaces="", cost="1")
def signal(to: Channel[Any]) -> None:
    """Comes to a rendezvous; waits until the other has come.

    >>> signal(done)  # or done.put()
    """
    to.put()


@htp.intrinsic(name="csp.meet", rule="put", effects="get", spaces="", cost="1")
def meet(source: Channel[Any]) -> None:
    """Comes to a rendezvous from its other side.

    >>> meet(done)  # or done.get()
    """
    source.get()
