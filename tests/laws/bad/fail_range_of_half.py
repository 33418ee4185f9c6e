import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    for n in range(M / 2):
        y[n, :] = x[n, :]

# kind: range; a division
# expect: tile.int-operator 12
# text: ints of a kernel have no operator `/`
