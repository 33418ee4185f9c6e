import htp
from htp import In, InOut, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] -= 1.0

# kind: +=; to a store
# expect: tile.bad-target 12
# text: `y[i, :]` of an augmented assignment cannot be assigned to
