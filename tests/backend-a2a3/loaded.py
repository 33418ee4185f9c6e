"""A program whose instructions read what is loaded, as it is: moved, turned, compared and chosen."""

import htp
import htp_pto as pto
from htp import In, Out, bool_, f32, u8
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def loaded(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], turned: Out[Tensor[f32, N, M]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 16):
            moved = pto.tile(f32, i, j)
            pto.tmov(moved, x[i, j])
            both = pto.tile(f32, i, j)
            pto.tpartadd(both, moved, z[i, j])
            less = pto.tile(bool_, i, j)
            pto.tcmp(less, x[i, j], z[i, j], "LT")
            chosen = pto.tile(f32, i, j)
            mask_work = pto.tile(u8, 1, 32)
            pto.tsel(chosen, less, x[i, j], both, mask_work)
            y[i, j] = chosen
            other = pto.tile(f32, j, i)
            work = pto.tile(f32, 16, 16)
            pto.ttrans(other, x[i, j], work)
            turned[j, i] = other
