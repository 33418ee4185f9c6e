import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, scatter_add, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], b: In[Tensor[i32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        scatter_add(x, y[i], b[i])

# kind: scatter_add; to an In
# expect: tile.never-written 9
# text: `y` is an output, and nothing is stored to it
# expect: tile.read-output 11
# text: `y` is an output and is read here
# expect: tile.written-input 11
# text: `x` is an input and is written here
