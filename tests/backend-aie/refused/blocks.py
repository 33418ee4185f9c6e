import htp
from htp import In, Out, i8, i32
from htp_csp import pipeline, process
from htp_tile import Tensor, matmul, tiles, zeros


@pipeline
def f(a: In[Tensor[i8, 64, 64]], b: In[Tensor[i8, 64, 64]], c: Out[Tensor[i32, 64, 64]]) -> None:
    @process
    def one() -> None:
        for i in tiles(64, 16):
            for j in tiles(64, 16):
                acc = zeros(i32, i, j)
                for k in tiles(64, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                c[i, j] = acc

#: rows by twos
#! stage: aie.elide_copies
#! old: (16, 64), (32, 1)
#! new: (8, 128), (2, 64), (32, 1)
#> 25:25 note aie.uneven-rows: this product goes by vectors: the blocks of `a` are not made of rows that are equally far apart
#>   hint: load it by blocks of its last two dimensions
