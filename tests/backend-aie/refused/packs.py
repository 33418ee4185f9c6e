import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_mean, sqrt, tiles

M = 8
WIDTH = 96
EPSILON = 1e-5


@kernel
def layernorm(
    x: In[Tensor[f32, M, WIDTH]],
    scale: In[Tensor[f32, 1, WIDTH]],
    shift: In[Tensor[f32, 1, WIDTH]],
    y: Out[Tensor[f32, M, WIDTH]],
) -> None:
    for i in tiles(M, 4):
        row = x[i, :]
        centred = row - reduce_mean(row, axis=1)
        variance = reduce_mean(centred * centred, axis=1)
        y[i, :] = centred / sqrt(variance + EPSILON) * scale[:, :] + shift[:, :]

#: a pack that ends behind its tensor
#! old: (shift, 96,
#! new: (shift, 97,
#> 15:75 error aie.packed-end: `shift` ends at element 192 of the packed tensor, which has 192
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease its offset, its sizes or its strides

#: a pack of an output
#! old: (shift, 96,
#! new: (y, 96,
#> 15:75 error aie.packed-tensor: `(y, 96, ((96, 1, 1, 1),))` is not a packed tensor with its offset and loops
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `(gain, 0, ((96, 0, 1, 1),))`

#: a pack without loops
#! old: (shift, 96, ((96, 1, 1, 1),))
#! new: (shift, 96)
#> 15:75 error aie.packed-tensor: `(shift, 96)` is not a packed tensor with its offset and loops
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `(gain, 0, ((96, 0, 1, 1),))`

#: a pack along a dimension that there is not
#! old: (shift, 96, ((96, 1,
#! new: (shift, 96, ((96, 2,
#> 15:88 error aie.packed-loop: `(96, 2, 1, 1)` is not a loop of a packed tensor `shift`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write four numbers such as `(96, 0, 1, 1)`

#: a loop of three numbers
#! old: (shift, 96, ((96, 1, 1, 1),))
#! new: (shift, 96, ((96, 1, 1),))
#> 15:88 error aie.packed-loop: `(96, 1, 1)` is not a loop of a packed tensor `shift`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write four numbers such as `(96, 0, 1, 1)`

#: a pack of a dtype that streams do not have
#! old: aie.pack(f32, (192,)
#! new: aie.pack(htp.f16, (192,)
#> 15:9 error aie.stream-dtype: `htp.f16` is not a dtype of streams
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one of these

#: an offset beyond the block
#! old: scale_shift_block, 96)
#! new: scale_shift_block, 97)
#> 24:13 error aie.unequal-tiles: the tiles of `aie.unpack(shift_tile, scale_shift_block, 97)` differ: `shift_tile` is f32 of 1 by 96, `scale_shift_block` is f32 of 192
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: an offset below 0
#! old: scale_shift_block, 96)
#! new: scale_shift_block, -1)
#> 24:13 error aie.unequal-tiles: the tiles of `aie.unpack(shift_tile, scale_shift_block, -1)` differ: `shift_tile` is f32 of 1 by 96, `scale_shift_block` is f32 of 192
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: an unpack of what is not packed
#! old: unpack(shift_tile, scale_shift_block
#! new: unpack(shift_tile, shift_tile
#> 24:13 error aie.unequal-tiles: the tiles of `aie.unpack(shift_tile, shift_tile, 96)` differ: `shift_tile` is f32 of 1 by 96, `shift_tile` is f32 of 1 by 96
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: two elements at one offset
#! old: (shift, 96,
#! new: (shift, 95,
#> 15:9 error aie.packed-twice: an element of `shift` lies where another one does in `scale_shift`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: increase an offset or a stride

#: an element that is left behind
#! old: (shift, 96, ((96,
#! new: (shift, 96, ((95,
#> 15:9 error aie.packed-short: elements of `shift` are missing from `scale_shift`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let sizes and steps reach each element

#: a pack of no tensor
#! old: aie.pack(f32, (192,), (scale, 0, ((96, 1, 1, 1),)), (shift, 96, ((96, 1, 1, 1),)))
#! new: aie.pack(f32, (192,))
#> 15:9 error aie.pack-arguments: `scale_shift = aie.pack(f32, (192,))` does not take a dtype, extents and tensors
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.pack(f32, (96,), (gain, 0, ((96, 0, 1, 1),)))`

#: counts of a tensor
#! old: aie.pack(f32, (192,), (scale, 0, ((96, 1, 1, 1),)), (shift, 96, ((96, 1, 1, 1),)))
#! new: aie.counts(f32, (192,), scale)
#> 15:9 error aie.counts-arguments: `scale_shift = aie.counts(f32, (192,), scale)` does not take a dtype and extents alone
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.counts(i32, (64,))`

#: a loop of a packed tensor with a step that is no number
#! old: ((96, 1, 1, 1),)), (shift
#! new: ((96, 1, WIDTH, 1),)), (shift
#> 15:65 error aie.packed-loop: `WIDTH` is not a loop of a packed tensor `scale`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write four numbers such as `(96, 0, 1, 1)`

#: a pack that begins beyond all elements
#! old: (shift, 96,
#! new: (shift, 9223372036854775807,
#> 15:75 error aie.packed-tensor: `(shift, 9223372036854775807, ((96, 1, 1, 1),))` is not a packed tensor with its offset and loops
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `(gain, 0, ((96, 0, 1, 1),))`

#: a buffer of more elements than are counted
#! old: aie.buffer(f32, 1, 96)
#! new: aie.buffer(f32, 4294967296, 4294967296)
#> 21:13 error aie.many-elements: `scale_tile` has more than 2**40 elements, (4294967296, 4294967296)
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease its extents

#: an unpack that begins beyond all elements
#! old: aie.unpack(shift_tile, scale_shift_block, 96)
#! new: aie.unpack(shift_tile, scale_shift_block, 9223372036854775807)
#> 24:13 error aie.unequal-tiles: the tiles of `aie.unpack(shift_tile, scale_shift_block, 9223372036854775807)` differ: `shift_tile` is f32 of 1 by 96, `scale_shift_block` is f32 of 192
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it
