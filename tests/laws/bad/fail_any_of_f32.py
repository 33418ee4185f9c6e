import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, reduce_any, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, 1]]) -> None:
    y[:, :] = reduce_any(x[:, :], axis=1)

# kind: reduce_any; f32
# expect: tile.wrong-dtype 11
# text: `tile.reduce_any` takes bool_, not f32
