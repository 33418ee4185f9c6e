import htp
from htp import In, Out, f32
from htp_tile import Tensor, Tile, external, kernel, tiles

R = htp.dim("R")


@external(htp.text("two.cc"))
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


@external(htp.text("two.cc"))
def split(x: Tile[f32, R, 16]) -> tuple[Tile[f32, R, 16], Tile[f32, R, 16]]:
    return x + x, x * x


@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        a, b = split(x[i, :])
        y[i, :] = doubled(a) + b + w[:, :]

#: a call of what is not compiled apart
#! old: aie.call(call, doubled, a)
#! new: aie.call(call, program, a)
#> 48:28 error aie.not-external: `program` is not a function under `@external`
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `@external(htp.text("f.cc"))` above its signature

#: a call with too few operands
#! old: aie.call(call, doubled, a)
#! new: aie.call(call, doubled)
#> 48:13 error aie.other-signature: the operands of `aie.call(call, doubled)` do not fit its signature
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it what its signature says

#: a call with a number for a tile
#! old: aie.call(call, doubled, a)
#! new: aie.call(call, doubled, 1)
#> 48:13 error aie.other-signature: the operands of `aie.call(call, doubled, 1)` do not fit its signature
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it what its signature says

#: a call that writes to what it reads
#! old: aie.call(call, doubled, a)
#! new: aie.call(a, doubled, a)
#> 48:13 error aie.call-aliases: `aie.call(a, doubled, a)` writes to a tile that it reads
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the result to another tile

#: a call without its second result
#! old:             aie.call(b, split, operand, result=1)\n
#> 47:13 error aie.call-results: `split` does not write all results of one call, one after the other
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write them beside each other

#: a result below 0
#! old: split, operand, result=0
#! new: split, operand, result=-1
#> 44:41 error aie.result-number: `result=-1` is not the number of a result
#>   note: this stage says `Aie.LoopsInlined` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `result=` and a number from 0 on
