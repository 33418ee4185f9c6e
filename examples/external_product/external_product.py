"""A product of i8, shifted back to i8 beside the largest sum of each row: blocks added up in place and rows narrowed by functions in C++."""

import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, Tile, cast, external, kernel, matmul, reduce_max, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
R = htp.dim("R")
C = htp.dim("C")
D = htp.dim("D")


@external(htp.text("product.cc"), updates="sums")
def multiplied(a: Tile[i8, R, D], b: Tile[i8, D, C], sums: Tile[i32, R, C]) -> Tile[i32, R, C]:
    return matmul(a, b, sums)


@external(htp.text("product.cc"))
def narrowed(sums: Tile[i32, R, C], by: i32) -> tuple[Tile[i8, R, C], Tile[i32, R, 1]]:
    return cast(sums >> by, i8), reduce_max(sums, axis=1)


@kernel
def external_product(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i8, M, N]], top: Out[Tensor[i32, M, 1]]) -> None:
    for i in tiles(M, 8):
        sums = zeros(i32, i, N)
        for k in tiles(K, 16):
            sums = multiplied(a[i, k], b[k, :], sums)
        low, most = narrowed(sums, 7)
        c[i, :] = low
        top[i, :] = most
