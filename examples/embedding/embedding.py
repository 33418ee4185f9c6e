"""The rows of a table that tokens name, in half precision, and the position of each token added to its row."""

import htp
from htp import In, Out, f16, i32
from htp_tile import Tensor, kernel, tiles

S = htp.dim("S")
V = htp.dim("V")
D = htp.dim("D")


@kernel
def embedding(
    tokens: In[Tensor[i32, S]], table: In[Tensor[f16, V, D]], position: In[Tensor[f16, S, D]], y: Out[Tensor[f16, S, D]]
) -> None:
    for i in tiles(S, 16):
        y[i, :] = table[tokens[i], :] + position[i, :]
