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

#: a function of two sizes
@kernel
def program(x: In[Tensor[f32, 32, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, 32, 16]]) -> None:
    for i in tiles(32, 8):
        y[i, :] = doubled(x[i, :]) + doubled(w[:, :])
#> 4:38 error aie.two-sizes: `doubled` is called with tiles of different extents
#>   hint: call it with tiles of one size, or write a second function
