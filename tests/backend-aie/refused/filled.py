import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, cast, kernel, maximum, minimum, reduce_min, tiles, where

M = 16
N = 32

#: five tensors, of which one is filled up with the greatest number, and so not packed with others
@kernel
def smallest(p0: In[Tensor[bf16, M, N]], p1: In[Tensor[f32, M, N]], p2: In[Tensor[bf16, M, 1]], p3: In[Tensor[f32, M, N]], p4: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 13):
        given = p0[i, :]
        other = p1[i, :]
        column = p2[i, :]
        total = column + cast(p3[i, :], bf16)
        row = p4[:, :]
        greater = total >= given
        least = reduce_min(total, axis=0)
        largest = maximum(column, cast(row, bf16))
        y[i, :] = where(~greater, cast(given, f32), minimum(other, cast(largest, f32)))
#> 8:9 error aie.channels: 5 input channels of a core are wanted, and it has 2: `p0` in, `p1` in, `p2` in, `p3` in, `p4` in
#>   hint: divide the work between two processes of a pipeline: the first hands what it made to the second by a channel, `channels((4, 2), i32, 16, 16, capacity=2)` for a grid of 4 by 2, which takes none between neighbours, and the second loads and stores the rest
