"""The product of two matrices over a mesh of 2 x 2 devices: the types say which device has what, and the compiler holds the program to it."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul

ROWS = 64
COLUMNS = 48
DEPTH = 32
X = 2
Y = 2


@kernel
def sharded_gemm(
    a: In[Tensor[f32, ROWS, DEPTH, htp.layouts.shard((ROWS, DEPTH), ("x", None), mesh={"x": X, "y": Y})]],
    b: In[Tensor[f32, DEPTH, COLUMNS, htp.layouts.shard((DEPTH, COLUMNS), (None, "y"), mesh={"x": X, "y": Y})]],
    bias: In[Tensor[f32, ROWS, COLUMNS, htp.layouts.shard((ROWS, COLUMNS), ("x", "y"), mesh={"x": X, "y": Y})]],
    c: Out[Tensor[f32, ROWS, COLUMNS, htp.layouts.shard((ROWS, COLUMNS), ("x", "y"), mesh={"x": X, "y": Y})]],
) -> None:
    c[:, :] = matmul(a[:, :], b[:, :]) + bias[:, :]
