#: letters that are none
from htp_tile import einsum


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = einsum("mn,mn", x[:, :], x[:, :])
    b = einsum("mn->mn", x[:, :], x[:, :])
    d = einsum("mn,mn,mn->mn", x[:, :], x[:, :])
    e = einsum("mm,mn->mn", x[:, :], x[:, :])
    f = einsum("m.,mn->mn", x[:, :], x[:, :])
    g = einsum("mn,mn->mk", x[:, :], x[:, :])
    h = einsum(",mn->mn", x[:, :], x[:, :])
    y[:, :] = x[:, :]
#> 6:16 error tile.bad-letters: `'mn,mn'` is no product by letters: no `->` says what the result has
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 7:16 error tile.bad-letters: `'mn->mn'` is no product by letters: it has two operands, and a `,` between them
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 8:16 error tile.bad-letters: `'mn,mn,mn->mn'` is no product by letters: it has two operands, and a `,` between them
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 9:16 error tile.bad-letters: `'mm,mn->mn'` is no product by letters: `m` stands twice in `mm`
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 10:16 error tile.bad-letters: `'m.,mn->mn'` is no product by letters: a dimension is a letter, and `.` is none
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 11:16 error tile.bad-letters: `'mn,mn->mk'` is no product by letters: no operand has `k`
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`
#> 12:16 error tile.bad-letters: `',mn->mn'` is no product by letters: an operand has no letter
#>   hint: write a letter for each dimension: `einsum("mk,kn->mn", a, b)`

#: operands that the letters are not of
from htp_tile import einsum


@kernel
def k(x: In[Tensor[f32, M, N]], z: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = einsum("mn,n->mn", x[:, :], x[:, :])
    b = einsum("mn,mn->mn", x[:, :], z[:, :])
    d = einsum("mk,kn->mn", x[:, :], x[:, :])
    y[:, :] = x[:, :]
#> 6:37 error tile.rank-mismatch: `tile.einsum` needs tiles of 1 dimensions, not `Tile[f32, M, N]`
#>   hint: load a slice with that many dimensions; an int index keeps its dimension, with extent 1
#> 7:38 error tile.dtype-mismatch: `tile.einsum` expects f32, got i32
#>   7:29 this is f32
#>   hint: cast the side that is meant: `cast(z[:, :], f32)` rounds large ones, `cast(x[:, :], i32)` cuts fractions off; f64 holds both
#> 8:38 error tile.shape-mismatch: extents `N` and `M` differ at dimension 0 of `tile.einsum`
#>   hint: both are `k`, and one extent

#: rolls and pads
from htp_tile import pad, roll


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a = roll(x[i, :], 1 << 30, axis=0)
        b = roll(x[i, :], 1, axis=2)
        d = pad(x[i, :], (1, -1), axis=1)
        e = pad(x[i, :], (1, 1, 1), axis=1)
        f = pad(x[i, :], (1, 1), axis=0)
        y[i, :] = x[i, :]
#> 7:27 error tile.bad-shift: `roll` moves by less than 2**30 elements, not by 1073741824
#>   hint: move by less
#> 8:35 error tile.bad-axis: `Tile[f32, i, N]` has no axis 2
#>   hint: axes count from 0, or with a minus sign from the end
#> 9:26 error tile.bad-widths: `(1, -1)` is not two widths of 0 or more
#>   hint: write two ints: `pad(x, (1, 1), axis=1)`
#> 10:26 error tile.bad-widths: `(1, 1, 1)` is not two widths of 0 or more
#>   hint: write two ints: `pad(x, (1, 1), axis=1)`
#> 11:17 error tile.padded-block: `pad` along the block `i`, whose last one is shorter
#>   hint: pad along a whole dimension, `x[i, :]`, or load with what is outside: `load(x, i - 1, whole, outside=0)`

#: of what lies in a layout
from htp_tile import roll


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layout(((8, 1, "m"), (64, 8, "m")))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = roll(x[:, :], 1, axis=1)
#> 6:20 error tile.compound-layout: `tile.roll` of `x[:, :]`, which lies in a layout of its own
#>   hint: relayout it first, or write it with intrinsics
