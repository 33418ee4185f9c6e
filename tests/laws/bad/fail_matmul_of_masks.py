import htp
from htp import In, Out, bool_
from htp_tile import kernel, matmul, Tensor

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[bool_, M, K]], b: In[Tensor[bool_, K, N]], c: Out[Tensor[bool_, M, N]]) -> None:
    c[:, :] = matmul(a[:, :], b[:, :])

# kind: matmul; masks
# expect: tile.wrong-dtype 12
# text: `tile.matmul` takes a number, not bool_
# expect: tile.wrong-dtype 12
# text: `tile.matmul` takes a number, not bool_
