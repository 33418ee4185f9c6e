import htp
from htp import In, Out, f32, i32
from htp_aie import call
from htp_tile import Tensor, Tile, cast, external, kernel, tiles

R = htp.dim("R")


@external(htp.text("two.cc"))
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


@external(htp.text("two.cc"))
def split(x: Tile[f32, R, 16]) -> tuple[Tile[f32, R, 16], Tile[f32, R, 16]]:
    return x + x, x * x


@external(htp.text("two.cc"))
def scaled(x: Tile[f32, R, 16], by: f32, times: Tile[f32, 1, 16]) -> Tile[f32, R, 16]:
    return x * by * times


def plain(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x

#: a function of two sizes
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = doubled(x[i, :]) + doubled(w[:, :])
#> 4:38 error aie.two-sizes: `doubled` is called with tiles of different extents
#>   hint: call it with tiles of one size, or write a second function

#: a tile of other extents
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], 2.0, x[i, :])
#> 4:40 error tile.external-call: `scaled` takes a `Tile[f32, 1, 16]` here, not a `Tile[f32, i, 16]`
#>   note: `R` is i here
#>   hint: give it what its signature says, or write the signature for what it is given: a dim of its own stands for any extent

#: a tile that has the extents of the signature
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], 2.0, w[:, :])
#> compiles

#: a tile of another dtype
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = cast(doubled(cast(x[i, :], i32)), f32)
#> 4:32 error tile.external-call: `doubled` takes a `Tile[f32, R, 16]` here, not a `Tile[i32, i, 16]`
#>   hint: give it what its signature says, or write the signature for what it is given: a dim of its own stands for any extent

#: a number for a tile
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], 2.0, 1.0)
#> 4:40 error tile.external-operand: `scaled` takes a `Tile[f32, 1, 16]` here, and `1.0` is not a tile
#>   note: `R` is i here
#>   hint: load a tile (`x[i, :]`), or make one with `full`

#: a tile for a number
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], w[:, :], w[:, :])
#> 4:35 error tile.external-number: `scaled` takes a number of `f32` here, not `Tile[f32, 1, 16]`
#>   hint: give it a number, or declare the parameter a tile and load it: `Tile[f32, 1]`

#: too few arguments
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :])
#> 4:19 error tile.external-count: arguments of `scaled`: 1 given, 3 expected
#>   hint: give it an argument for each parameter of its signature

#: a keyword argument
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], 2.0, times=w[:, :])
#> 4:40 error tile.external-keywords: `scaled` is compiled apart, and takes no keyword arguments
#>   hint: write the arguments in order

#: arguments in order
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = scaled(x[i, :], 2.0, w[:, :])
#> compiles

#: a call of the target of a function that is not compiled apart
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        t = x[i, :] + 1.0
        call(t, plain, x[i, :])
        y[i, :] = t
#> 5:17 error tile.not-external: `plain` is not a function of the module under `@external`
#>   hint: write `@external(htp.text("scaled.cc"))` above its signature in the module
