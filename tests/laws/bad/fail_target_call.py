import htp
from htp import In, InOut, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        i.start -= 1

# kind: +=; to an attribute
# expect: tile.bad-target 12
# text: `i.start` of an augmented assignment cannot be assigned to
