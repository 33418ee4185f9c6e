import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if f32:
        pass
    y[:, :] = x[:, :]

# kind: if; a dtype
# expect: tile.int-expected 11
# text: `f32` is not an int
