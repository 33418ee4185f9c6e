import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = (x[i, :] > 0) | len(i)

# kind: |; a mask with a length
# expect: tile.wrong-dtype 12
# text: `tile.bit_or` takes masks, not an int
