import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    if "yes":
        pass
    y[:, :] = x[:, :]

# kind: if; a string
# expect: tile.int-expected 11
# text: `'yes'` is not an int
