import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")
FACTORS = (0.5, 2.0)


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        for n in range(2):
            y[i] = x[i] * FACTORS[n]

# kind: a tuple's element; a loop's int
# expect: tile.not-constant 13
# text: the place of an element of `FACTORS` must be a compile-time int, not `n`
