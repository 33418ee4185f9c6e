import htp
from htp import In, Out, bool_, i32
from htp_tile import argmax, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[bool_, M, N]], y: Out[Tensor[i32, M, 1]]) -> None:
    y[:, :] = argmax(x[:, :], axis=1)

# kind: argmax; masks
# expect: tile.wrong-dtype 11
# text: `tile.argmax` takes a number, not bool_
