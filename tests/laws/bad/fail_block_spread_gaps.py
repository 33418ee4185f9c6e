import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 16, N]]) -> None:
    for i in tiles(8, 4):
        y[i * 2, :] = x[i, :]

# kind: store; a spread block leaves gaps
# expect: tile.unwritten-output 9
# text: `y` is an output, and is not written at [1, 0] when N = 1
