"""A product of whole matrices, whose rows may be long: what all rows share is packed then."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def whole_product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    c[:, :] = a[:, :] @ b[:, :]
