import htp
from htp import Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: "matrix", y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; a string
# expect: tile.bad-annotation 10
# text: `'matrix'` is not the type of a kernel's parameter
