import htp
from htp import In, Out, f32
from htp_tile import kernel, sort, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = sort(x[:, :], axis=1, descending="yes")

# kind: sort; a string for descending
# expect: tile.not-literal 11
# text: `descending` of `tile.sort` must be known when compiling, not `'yes'`
