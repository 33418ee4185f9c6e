import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

def helper():
    pass


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * helper

# kind: a name; a function of the file
# expect: tile.not-a-value 14
# text: `helper` is a function, not a value of the tile language
