"""What cores are fed and hand on: tensors that the host makes, streams, FIFOs and channels.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by their names in `rule=`.

    convert a tile of another dtype
    stream  a tensor and how a column's transfer goes through it
    object  a stream and a core, or a channel and a tile
    channel as of csp: a channel, an array of them, or one of these
"""

from typing import Any

import htp
from htp import Element, Extent, Index
from htp_aie import machine


@htp.intrinsic(name="aie.pack", rule="stream", effects="", spaces="memory", cost="0")
def pack(dtype: type[Element], extents: tuple[int, ...], *tensors: tuple[Element, int, tuple[tuple[int, int, int, int], ...]]) -> Any:
    """A tensor that the host makes of others before it starts, so that what cores want together comes together. For each of these it is said
    where its elements go: to `at`, in elements of `dtype` from the first, and along loops of (size, dimension, step, stride), outermost first:
    each iteration is `step` further in the dimension of the tensor, or in none of them where that is -1, and `stride` further in what is made.
    Elements beyond the tensor's end, and those that nothing goes to, are zeros. An element of more bytes takes several.

    >>> gain_shift = pack(f32, (192,), (gain, 0, ((96, 0, 1, 1),)), (shift, 96, ((96, 0, 1, 1),)))
    """
    return machine.pack(dtype, extents, *tensors)


@htp.intrinsic(name="aie.counts", rule="stream", effects="", spaces="memory", cost="0")
def counts(dtype: type[Element], extents: tuple[int, ...]) -> Any:
    """A tensor that the host makes before it starts, whose elements are 0, 1, 2 and so on.

    >>> numbers = counts(i32, (1, 64))
    """
    return machine.counts(dtype, extents)


@htp.intrinsic(name="aie.pad", rule="stream", effects="", spaces="memory", cost="0")
def pad(tensor: Element, padded: tuple[int, ...], *, pieces: tuple[int, ...] = (), fill: str = "zeros") -> Any:
    """A tensor as the device sees it: padded with zeros, or with the `"least"` or `"greatest"` of its dtype as `fill` says. What is stored to
    the padding is dropped. With `pieces`, each dimension is cut into so many alike before it is padded, and each of these is padded.

    >>> x_padded = pad(x, (40, 64))
    """
    return machine.pad(tensor, padded, pieces, fill)


@htp.intrinsic(name="aie.unpack", rule="convert", effects="write", spaces="core", cost="size(target)")
def unpack(target: Element, block: Element, first: int) -> None:
    """The elements of a block from `first` on, in order, of the block's dtype or of one with more bytes.

    >>> unpack(shift_tile, block, 96)
    """
    machine.unpack(target, block, first)


@htp.intrinsic(name="aie.feed", rule="stream", effects="", spaces="memory", cost="0")
def feed(tensor: Element, padded: tuple[int, ...], block: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str | tuple[str, ...], depth: int, *, start: int = 0, column: int = 0, link: str = "", pieces: tuple[int, ...] = (), fill: str = "zeros") -> Any:
    """A stream from a tensor to the cores. The tensor is padded with zeros, or with the `"least"` or `"greatest"` of its dtype as `fill` says; each column's transfer goes through it in `order`, of (size,
    stride) from the outermost dimension to the innermost, `apart` elements further than the column's before it. What comes is cut into
    blocks, which go to the cores of the column in turn (`share="each"`) or each to all of them (`"all"`); a core holds `depth` of
    them at most. With `"rows"` there is a transfer for each row of cores instead, and its blocks go to that row's core of every column. `share` may name a core instead, or several, each of which gets them all: then there is one transfer, through the shim of `column`. It begins `start` elements from the first.
    With `pieces`, each dimension is cut into so many alike before it is padded, and each of these is padded.
    Streams of one `link` pass a memory tile together: of several cores, by one channel of the shim, a block of each in turn; of the same cores, by one channel of these.
    What named cores get in blocks of the matrix units has a link, if need be alone: the memory tile makes the blocks of rows.

    >>> x_in = feed(x, (40, 64), (8, 64), ((1, 512), (512, 1)), 512, "each", 2)
    """
    return machine.feed(tensor, padded, block, order, apart, share, depth, start, column, link, pieces, fill)


@htp.intrinsic(name="aie.collect", rule="stream", effects="write", spaces="memory", cost="0")
def collect(tensor: Element, padded: tuple[int, ...], block: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str, depth: int, *, start: int = 0, column: int = 0, link: str = "", pieces: tuple[int, ...] = ()) -> Any:
    """A stream from the cores to a tensor, as `feed` the other way round; what falls into the padding is dropped.

    >>> y_out = collect(y, (40, 64), (8, 64), ((1, 512), (512, 1)), 512, "each", 2)
    """
    return machine.collect(tensor, padded, block, order, apart, share, depth, start, column, link, pieces)


@htp.intrinsic(name="aie.fifo", rule="object", effects="", spaces="core", cost="0")
def fifo(dtype: type[Element], block: tuple[int, ...], producer: str, consumer: str | tuple[str, ...], depth: int) -> Any:
    """A stream from one core to another, or to each of several, by their names; `depth` blocks are on the way at most.

    >>> rows = fifo(f32, (8, 64), "split", "merge", 2)
    """
    return machine.fifo(dtype, block, producer, consumer, depth)


@htp.intrinsic(name="aie.channel", rule="channel", effects="", spaces="", cost="0")
def channel(dtype: type[Element], *extents: Extent, capacity: int, readers: int = 1) -> Any:
    """A channel between processes that holds `capacity` tiles. Before it is known which core does what.

    >>> rows = channel(f32, 8, N, capacity=2)
    """
    return machine.channel(dtype, extents, capacity, readers)


@htp.intrinsic(name="aie.channels", rule="channel", effects="", spaces="", cost="0")
def channels(array: int | tuple[int, ...], dtype: type[Element], *extents: Extent, capacity: int) -> Any:
    """An array of such channels.

    >>> across = channels((4, 5), f32, 8, 8, capacity=2)
    """
    from htp_csp.channels import new_array

    return new_array(array, dtype, extents, capacity)


@htp.intrinsic(name="aie.lane", rule="channel", effects="", spaces="", cost="1")
def lane(array: Any, *index: Index) -> Any:
    """One channel of an array.

    >>> east = lane(across, i, j + 1)
    """
    return array[index]


@htp.intrinsic(name="aie.put", rule="object", effects="put", spaces="core", cost="size(item)")
def put(to: Any, item: Element) -> None:
    """Adds a tile to a channel; waits while it is full.

    >>> put(rows, row)
    """
    to.put(type(item).of(item.data.copy(), item.depth))


@htp.intrinsic(name="aie.get", rule="object", effects="write", spaces="core", cost="size(target)")
def get(target: Element, source: Any) -> None:
    """Takes the next tile of a channel; waits while there is none.

    >>> get(row, rows)
    """
    machine.write("get", target, source.get())


@htp.intrinsic(name="aie.drop", rule="object", effects="get", spaces="", cost="1")
def drop(source: Any) -> None:
    """Takes the next tile of a channel and leaves it; waits while there is none.

    >>> drop(rows)
    """
    source.get()


@htp.intrinsic(name="aie.acquire", rule="object", effects="", spaces="core", cost="0")
def acquire(stream: Any, core: Any) -> Any:
    """The next block of a stream at a core: of one that feeds it, what has come; of one that collects, one whose elements are not written yet.

    >>> row = acquire(x_in, core)
    """
    return machine.acquire(stream, core)


@htp.intrinsic(name="aie.release", rule="object", effects="read write", spaces="core", cost="0")
def release(stream: Any, core: Any) -> None:
    """Releases the block that was acquired first: it may be overwritten, or goes on its way.

    >>> release(x_in, core)
    """
    machine.release(stream, core)
