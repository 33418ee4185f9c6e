#: dtypes
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :] + h[i, :]
        y[i, :] = x[i, :]
#> 4:23 error tile.dtype-mismatch: `tile.add` expects f32, got f16
#>   4:13 this is f32
#>   hint: cast one side: `cast(h[i, :], f32)`

#: stored dtype
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = h[i, :]
        y[i, :] = x[i, :]
#> 4:19 error tile.dtype-mismatch: `tile.store` expects f32, got f16
#>   hint: cast it: `cast(h[i, :], f32)`

#: float literal of ints
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = n[i, :] * 0.5
        y[i, :] = x[i, :]
#> 4:23 error tile.literal-dtype: the literal 0.5 is not a value of i32
#>   hint: write an int in the range of i32

#: literal out of range
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = n[i, :] + 2147483648
        y[i, :] = x[i, :]
#> 4:23 error tile.literal-dtype: the literal 2147483648 is not a value of i32
#>   hint: write an int in the range of i32

#: stored literal
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = where(m[i, :], n[i, :], -2147483649)
        y[i, :] = x[i, :]
#> 4:37 error tile.literal-dtype: the literal -2147483649 is not a value of i32
#>   hint: write an int in the range of i32

#: exp of ints
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = exp(n[i, :])
        y[i, :] = x[i, :]
#> 4:17 error tile.wrong-dtype: `tile.exp` takes a floating-point dtype, not i32
#>   hint: cast it: `cast(n[i, :], f32)`

#: sum of masks
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = m[i, :] + m[i, :]
        y[i, :] = x[i, :]
#> 4:13 error tile.wrong-dtype: `tile.add` takes a number, not bool_
#>   hint: cast it: `cast(m[i, :], f32)`

#: where on numbers
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = where(x[i, :], 1.0, x[i, :])
        y[i, :] = x[i, :]
#> 4:19 error tile.wrong-dtype: `tile.where` takes bool_, not f32
#>   hint: compare: `x[i, :] != 0`

#: extents
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(M, 8):
            v = x[i, :] + x[j, :]
        y[i, :] = x[i, :]
#> 5:27 error tile.shape-mismatch: extents `i` and `j` differ at dimension 0 of `tile.add`
#>   hint: index both operands with the same block, or make one extent 1

#: ranks
@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :] + w[i]
        y[i, :] = x[i, :]
#> 4:23 error tile.shape-mismatch: extents `N` and `i` differ at dimension 1 of `tile.add`
#>   hint: the last extents stand under each other: `i, N` and `i`; `reshape` puts extents of 1 elsewhere

#: stored extents
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[0, :] + x[:, :]
        y[i, :] = x[i, :]
#> 4:19 error tile.shape-mismatch: extents `i` and `M` differ at dimension 0 of `tile.store`
#>   hint: the index selects `i, N`, the value has `M, N`

#: stored rank
@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = w[i]
        y[i, :] = x[i, :]
#> 4:19 error tile.shape-mismatch: extents `N` and `i` differ at dimension 1 of `tile.store`
#>   hint: the index selects `i, N`, the value has `i`

#: axis
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = reduce_sum(x[i, :], axis=2)
        y[i, :] = x[i, :]
#> 4:38 error tile.bad-axis: `Tile[f32, i, N]` has no axis 2
#>   hint: axes count from 0, or with a minus sign from the end

#: matmul extents
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = matmul(x[i, :], x[i, :])
        y[i, :] = x[i, :]
#> 4:29 error tile.shape-mismatch: extents `N` and `i` differ at dimension 1 of `tile.matmul`
#>   hint: an m x k and a k x n tile are multiplied: here `Tile[f32, i, N]` and `Tile[f32, i, N]`
#>   hint: turn the second: `transpose(x[i, :])`

#: matmul dtypes
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = matmul(x[i, :], transpose(h[i, :]))
        y[i, :] = x[i, :]
#> 4:29 error tile.dtype-mismatch: `tile.matmul` expects f32, got f16
#>   4:20 this is f32
#>   hint: cast one side: `cast(transpose(h[i, :]), f32)`

#: matmul accumulator dtype
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        acc = zeros(f16, i, i)
        acc = matmul(x[i, :], transpose(x[i, :]), acc)
        y[i, :] = x[i, :]
#> 5:51 error tile.dtype-mismatch: `tile.matmul` expects f32, got f16
#>   hint: what is added up in has the operands' dtype, or a wider one that holds all they do: `zeros(f32, i, i)`

#: matmul accumulator extents
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        acc = zeros(f32, i, N)
        acc = matmul(x[i, :], transpose(x[i, :]), acc)
        y[i, :] = x[i, :]
#> 5:51 error tile.shape-mismatch: extents `i` and `N` differ at dimension 1 of `tile.matmul`
#>   hint: the accumulator has the extents of the result: `i, i`

#: matmul ranks
@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = matmul(w[i], w[i])
        y[i, :] = x[i, :]
#> 4:20 error tile.rank-mismatch: `tile.matmul` needs tiles of 2 dimensions, not `Tile[f32, i]`
#>   hint: load it with as many, or put in dimensions of extent 1: `reshape(w[i], 1, i)`

#: transpose rank
@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = transpose(w[i])
        y[i, :] = x[i, :]
#> 4:23 error tile.rank-mismatch: `tile.transpose` needs tiles of 2 dimensions, not `Tile[f32, i]`
#>   hint: load a slice with that many dimensions; an int index keeps its dimension, with extent 1

#: retyped
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = x[i, :]
        v = reduce_sum(v, axis=1)
        y[i, :] = x[i, :]
#> 5:9 error tile.retyped: `v` is `Tile[f32, i, 1]` here and `Tile[f32, i, N]` where it was first bound
#>   4:9 first bound here
#>   hint: bind it first with the extents that it has here, or use another name

#: accumulator that changes
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = zeros(f32, i, 1)
        for j in tiles(N, 8):
            v = v + x[i, j]
        y[i, :] = x[i, :]
#> 6:13 error tile.retyped: `v` is `Tile[f32, i, j]` here and `Tile[f32, i, 1]` where it was first bound
#>   4:9 first bound here
#>   hint: bind it first with the extents that it has here, or use another name

#: annotation
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v: Tile[f16, i, N] = x[i, :]
        y[i, :] = x[i, :]
#> 4:12 error tile.annotation-mismatch: `v` is annotated `Tile[f16, i, N]`, but its value is `Tile[f32, i, N]`
#>   hint: correct the annotation, or leave it out

#: annotation of extents
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v: Tile[f32, i, M] = x[i, :]
        y[i, :] = x[i, :]
#> 4:12 error tile.annotation-mismatch: `v` is annotated `Tile[f32, i, M]`, but its value is `Tile[f32, i, N]`
#>   hint: correct the annotation, or leave it out

#: zero extent
@kernel
def k(x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = zeros(f32, i, 0)
        y[i, :] = x[i, :]
#> 4:27 error tile.bad-extent: `0` is not an extent: an int, a dim or a block
#>   hint: an extent is 1 or more, and this is 0

#: bits of floats
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] & x[i, :]
#> 4:19 error tile.wrong-dtype: `tile.bit_and` takes an integer dtype or bool_, not f32
#>   hint: both are other than 0: `(x[i, :] != 0.0) & (x[i, :] != 0.0)`, a mask

#: shifted floats
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] << 2
#> 4:19 error tile.wrong-dtype: `tile.shl` takes an integer dtype, not f32
#>   hint: cast it: `cast(x[i, :], i32)`

#: a mask with a number
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where((x[i, :] > 0.0) & 2, x[i, :], 0.0)
#> 4:43 error tile.literal-dtype: the literal 2 is not a bool_
#>   hint: cast the tile, or write another literal

#: reshape to other elements
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = reshape(x[i, :] * 2.0, N, i)
        y[i, :] = x[i, :]
#> 4:13 error tile.reshape-mismatch: `Tile[f32, i, N]` has not the elements of `N, i`, or not in that order
#>   hint: a block stays a dimension of its own, in its place; `transpose` changes the order

#: reshape of ints
@kernel
def k(x: In[Tensor[f32, M, 12]], y: Out[Tensor[f32, M, 12]]) -> None:
    for i in tiles(M, 8):
        v = reshape(x[i, :], i, 5, 2)
        y[i, :] = x[i, :]
#> 4:13 error tile.reshape-mismatch: `Tile[f32, i, 12]` has not the elements of `i, 5, 2`, or not in that order
#>   4:21 this is `Tile[f32, i, 12]`
#>   hint: keep the product of the extents, at all sizes: a parameter of `4 * N` elements may be cut into `N, 4`; `transpose` changes the order

#: reshape to a part that divides at some sizes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = reshape(x[:, :], M, N // 4, 4)
    y[:, :] = x[:, :]
#> 3:9 error tile.reshape-mismatch: `Tile[f32, M, N]` has not the elements of `M, N // 4, 4`, or not in that order
#>   3:17 this is `Tile[f32, M, N]`
#>   hint: keep the product of the extents, at all sizes: a parameter of `4 * N` elements may be cut into `N, 4`; `transpose` changes the order

#: reshape to what is left where nothing is
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = reshape(x[:, :], -1, 4)
    y[:, :] = x[:, :]
#> 3:26 error tile.no-extent-left: `-1` stands for what is left of `Tile[f32, M, N]` beside `4`, and that is no extent at all sizes
#>   hint: name the extents, with the product of those before at all sizes

#: reshape to what is left twice
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = reshape(x[:, :], -1, -1)
    y[:, :] = x[:, :]
#> 3:30 error tile.bad-extent: `-1` is not an extent: an int, a dim or a block
#>   hint: name a dim (`M = htp.dim("M")`), a block of an outer loop or an int of 1 or more

#: reshape to what is left of a block and a dimension
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        v = reshape(x[i, :], -1)
        y[i, :] = x[i, :]
#> 4:13 error tile.reshape-mismatch: `Tile[f32, i, N]` has not the elements of `N * i`, or not in that order
#>   hint: a block stays a dimension of its own, in its place; `transpose` changes the order

#: reshape to extents that have one product only where none is below 0
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    v = reshape(zeros(f32, M - 2, N - 2), (M - 2) * (N - 2))
    y[:, :] = x[:, :]
#> 3:9 error tile.reshape-mismatch: `Tile[f32, M - 2, N - 2]` has not the elements of `M * N - 2 * M - 2 * N + 4`, or not in that order
#>   3:17 this is `Tile[f32, M - 2, N - 2]`
#>   hint: keep the product of the extents, at all sizes: a parameter of `4 * N` elements may be cut into `N, 4`; `transpose` changes the order

#: reshape to nothing
@kernel
def k(x: In[Tensor[f32, M, 12]], y: Out[Tensor[f32, M, 12]]) -> None:
    for i in tiles(M, 8):
        v = reshape(x[i, :], i, 12, 0)
        y[i, :] = x[i, :]
#> 4:37 error tile.bad-extent: `0` is not an extent: an int, a dim or a block
#>   hint: an extent is 1 or more, and this is 0

#: argmax of a mask
@kernel
def k(x: In[Tensor[bool_, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argmax(x[i, :], axis=1)
#> 4:26 error tile.wrong-dtype: `tile.argmax` takes a number, not bool_
#>   hint: cast it: `cast(x[i, :], f32)`

#: argmax stored as a float
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argmax(x[i, :], axis=1)
#> 4:19 error tile.dtype-mismatch: `tile.store` expects f32, got i32
#>   hint: cast it: `cast(argmax(x[i, :], axis=1), f32)` rounds large ones; or store to a tensor of i32

#: argmin beyond the last axis
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = argmin(x[i, :], axis=2)
#> 4:40 error tile.bad-axis: `Tile[f32, i, N]` has no axis 2
#>   hint: axes count from 0, or with a minus sign from the end

#: scan along what is no axis
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = scan_sum(x[i, :], axis=-3)
#> 4:42 error tile.bad-axis: `Tile[f32, i, N]` has no axis -3
#>   hint: axes count from 0, or with a minus sign from the end

#: scan along an axis that changes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for a in range(2):
            y[i, :] = scan_max(x[i, :], axis=a)
#> 5:46 error tile.not-constant: `axis` of `tile.scan_max` must be a compile-time int, not `a`
#>   hint: write an int, or a constant of the module

#: scan of a whole tensor
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = scan_max(x, axis=1)
#> 3:24 error tile.whole-tensor: `x` is a tensor in memory, not a tile
#>   hint: load a tile: `x[…]`, one index for each dimension

#: any of numbers
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = reduce_any(x[i, :], axis=1)
#> 4:30 error tile.wrong-dtype: `tile.reduce_any` takes bool_, not f32
#>   hint: compare: `x[i, :] != 0`

#: sum of 8-bit floats
@kernel
def k(x: In[Tensor[f8e4m3, M, N]], y: Out[Tensor[f8e4m3, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + x[i, :]
#> 4:19 error tile.wrong-dtype: `tile.add` takes a dtype to calculate with, not f8e4m3
#>   hint: cast it: `cast(x[i, :], f32)`

#: exp of 8-bit floats
@kernel
def k(x: In[Tensor[f8e4m3, M, N]], y: Out[Tensor[f8e4m3, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = exp(x[i, :])
#> 4:23 error tile.wrong-dtype: `tile.exp` takes a floating-point dtype, not f8e4m3
#>   hint: cast it: `cast(x[i, :], f32)`

#: 8-bit floats of two kinds
@kernel
def k(x: In[Tensor[f8e4m3, M, N]], y: Out[Tensor[f8e5m2, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
#> 4:19 error tile.dtype-mismatch: `tile.store` expects f8e5m2, got f8e4m3
#>   hint: cast it: `cast(x[i, :], f8e5m2)` rounds; or store to a tensor of f8e4m3

#: a rounding that is none
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16, rounding="away")
#> 4:47 error tile.bad-rounding: `cast` has no rounding 'away'
#>   hint: write "nearest", "toward_zero", "down" or "up"

#: a rounding of integers
@kernel
def k(x: In[Tensor[i32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16, rounding="down")
#> 4:47 error tile.idle-rounding: a cast to f16 from i32 takes no rounding
#>   hint: leave `rounding` out

#: a rounding to truth
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], bool_, rounding="nearest")
#> 4:49 error tile.idle-rounding: a cast to bool_ from f32 takes no rounding
#>   hint: leave `rounding` out

#: a rounding by position
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], f16, "down")
#> 4:19 error tile.too-many-arguments: `tile.cast` takes at most 2 positional arguments, not 3
#>   hint: `rounding` goes by keyword: `rounding='down'`

#: an accumulator of bf16 for f16
@kernel
def k(h: In[Tensor[f16, M, N]], y: Out[Tensor[bf16, M, M]]) -> None:
    y[:, :] = matmul(h[:, :], transpose(h[:, :]), zeros(bf16, M, M))
#> 3:51 error tile.dtype-mismatch: `tile.matmul` expects f16, got bf16
#>   hint: what is added up in has the operands' dtype, or a wider one that holds all they do: `zeros(f16, M, M)`

#: axes that are named twice
@kernel
def k(x: In[Tensor[f32, 4, M, N]], y: Out[Tensor[f32, M, 4, N]]) -> None:
    y[:, :, :] = transpose(x[:, :, :], (1, 0, 1))
#> 3:40 error tile.bad-axes: (1, 0, 1) does not name each axis of `Tile[f32, 4, M, N]` once
#>   hint: name each axis once, as `(1, 0, 2)` of three; without axes the last two are swapped

#: axes of which one is left out
@kernel
def k(x: In[Tensor[f32, 4, M, N]], y: Out[Tensor[f32, M, 4, N]]) -> None:
    y[:, :, :] = transpose(x[:, :, :], axes=(1, 0))
#> 3:45 error tile.bad-axes: (1, 0) does not name each axis of `Tile[f32, 4, M, N]` once
#>   hint: name each axis once, as `(1, 0, 2)` of three; without axes the last two are swapped

#: axes that are no constants
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]) -> None:
    for n in range(2):
        y[:, :] = transpose(x[:, :], (n, 0))
#> 4:39 error tile.not-constant: `axes` of `tile.transpose` must be a compile-time int, not `n`
#>   hint: write an int, or a constant of the module

#: two literals that are ints, chosen for floats
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = where(x[i, :] > 0, 1, 0)
#> 4:19 error tile.dtype-mismatch: `tile.store` expects f32, got i32
#>   hint: cast it: `cast(where(x[i, :] > 0, 1, 0), f32)` rounds large ones; or store to a tensor of i32

#: an output that is read where it may not have been stored
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
        y[i, :] = y[i, :] + y[0:1, :] + y[M - 1, :]
#> 5:41 error tile.read-output: `y` is an output and is read here
#>   2:33 declared `Out` here
#>   4:9 stored here
#>   hint: store to all that is read before, at every size, or declare it `InOut[…]`

#: what was added up in a narrow dtype is not cast to a wider one afterwards
@kernel
def k(a: In[Tensor[u8, M, N]], h: In[Tensor[f16, M, N]], s: In[Tensor[f32, M]], y: Out[Tensor[f32, M, M]], z: Out[Tensor[f32, M, M]], w: Out[Tensor[i32, M, 1]]) -> None:
    t = matmul(a[:, :], transpose(a[:, :]))
    y[:, :] = t * s[:]
    z[:, :] = h[:, :] @ transpose(h[:, :])
    w[:, :] = reduce_sum(a[:, :], axis=1)
#> 4:19 error tile.dtype-mismatch: `tile.mul` expects u8, got f32
#>   4:15 this is u8
#>   hint: its sums wrap around in u8; add up in u32: `matmul(a[:, :], transpose(a[:, :]), zeros(u32, M, M))`, and cast that
#> 5:15 error tile.dtype-mismatch: `tile.store` expects f32, got f16
#>   hint: its sums were rounded to f16; add up in f32: `matmul(h[:, :], transpose(h[:, :]), zeros(f32, M, M))`
#> 6:15 error tile.dtype-mismatch: `tile.store` expects i32, got u8
#>   hint: its sums wrap around in u8; add up in u32: `reduce_sum(cast(a[:, :], u32), …)`

#: the narrower operand is widened, and neither where both lose something
@kernel
def k(h: In[Tensor[f16, M, N]], b: In[Tensor[bf16, M, N]], u: In[Tensor[u8, M, N]], n: In[Tensor[i32, M, N]], m: In[Tensor[bool_, M, N]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = h[:, :] * x[:, :]
    y[:, :] = u[:, :] * x[:, :]
    y[:, :] = n[:, :] * x[:, :]
    y[:, :] = cast(h[:, :] * b[:, :], f32)
    y[:, :] = cast(m[:, :] == u[:, :], f32)
    y[:, :] = m[:, :]
#> 3:25 error tile.dtype-mismatch: `tile.mul` expects f16, got f32
#>   3:15 this is f16
#>   hint: cast one side: `cast(h[:, :], f32)`
#> 4:25 error tile.dtype-mismatch: `tile.mul` expects u8, got f32
#>   4:15 this is u8
#>   hint: cast one side: `cast(u[:, :], f32)`
#> 5:25 error tile.dtype-mismatch: `tile.mul` expects i32, got f32
#>   5:15 this is i32
#>   hint: cast the side that is meant: `cast(x[:, :], i32)` cuts fractions off, `cast(n[:, :], f32)` rounds large ones; f64 holds both
#> 6:30 error tile.dtype-mismatch: `tile.mul` expects f16, got bf16
#>   6:20 this is f16
#>   hint: cast the side that is meant: `cast(b[:, :], f16)` rounds, `cast(h[:, :], bf16)` rounds; f32 holds both
#> 7:31 error tile.dtype-mismatch: `tile.eq` expects bool_, got u8
#>   7:20 this is bool_
#>   hint: cast the side that is meant: `cast(u[:, :], bool_)` asks whether it is not zero, `cast(m[:, :], u8)` makes it 0 or 1
#> 8:15 error tile.dtype-mismatch: `tile.store` expects f32, got bool_
#>   hint: cast it: `cast(m[:, :], f32)` makes it 0 or 1; or store to a tensor of bool_

#: a float of an int that is known when the program runs
@kernel
def k(x: In[Tensor[f32, M, N]], n: int, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * N**-0.5
    y[:, :] = x[:, :] * (1.0 / N)
    y[:, :] = x[:, :] * (n * 0.5)
    y[:, :] = x[:, :] * (1 / N)
    y[:, :] = x[:, :] / sqrt(N)
#> 3:28 error tile.int-expected: `-0.5` is not an int
#>   hint: ints and floats meet in a tile: `rsqrt(full(f32, N, 1, 1))`, of one element, which is used with any other
#> 4:26 error tile.int-expected: `1.0` is not an int
#>   hint: ints and floats meet in a tile: `1.0 / full(f32, N, 1, 1)`, of one element, which is used with any other
#> 5:30 error tile.int-expected: `0.5` is not an int
#>   hint: ints and floats meet in a tile: `full(f32, n, 1, 1) * 0.5`, of one element, which is used with any other
#> 6:26 error tile.int-operator: ints of a kernel have no operator `/`
#>   hint: `/` gives a float, and `1 // N` an int, rounded down; as a float: `1 / full(f32, N, 1, 1)`
#> 7:30 error tile.not-a-tile: the argument `x` of `tile.sqrt` is not a tile: `N`
#>   hint: an int as a tile of one element: `full(f32, N, 1, 1)`

#: operands and values that are turned
@kernel
def k(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, N, K]], v: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, N, M]], u: Out[Tensor[f32, K, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            y[i, j] = matmul(x[i, :], w[j, :])
            z[j, i] = v[i, j]
    u[:, :] = matmul(x[:, :], v[:, :])
#> 5:39 error tile.shape-mismatch: extents `K` and `j` differ at dimension 1 of `tile.matmul`
#>   hint: an m x k and a k x n tile are multiplied: here `Tile[f32, i, K]` and `Tile[f32, j, K]`
#>   hint: turn the second: `transpose(w[j, :])`
#> 6:23 error tile.shape-mismatch: extents `j` and `i` differ at dimension 0 of `tile.store`
#>   hint: the index selects `j, i`, the value has `i, j`
#>   hint: turn it: `transpose(v[i, j])`
#> 7:31 error tile.shape-mismatch: extents `K` and `M` differ at dimension 1 of `tile.matmul`
#>   hint: an m x k and a k x n tile are multiplied: here `Tile[f32, M, K]` and `Tile[f32, M, N]`
#>   hint: turn the first: `transpose(x[:, :])`
