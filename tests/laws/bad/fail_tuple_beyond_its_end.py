import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")
SIZES = (64, 16)


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, SIZES[2]):
        y[i] = x[i] * 2.0

# kind: a tuple's element; an int beyond its end
# expect: tile.no-element 11
# text: `SIZES` has 2 elements, and none at 2
