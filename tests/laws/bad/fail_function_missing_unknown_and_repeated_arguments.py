import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


def helper(v, w):
    return v * w


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        a = helper(x[i, :])
        b = helper(x[i, :], z=2.0, w=2.0)
        d = helper(x[i, :], v=2.0, w=2.0)
        y[i, :] = helper(*x[i, :])

# kind: a function of the file; missing, unknown and repeated arguments
# options: --entry k
# expect: tile.missing-argument 16
# text: `helper` needs the argument `w`
# expect: tile.unknown-keyword 17
# text: `helper` has no parameter `z`
# expect: tile.repeated-argument 18
# text: `helper` got the argument `v` twice
# expect: tile.missing-argument 19
# text: `helper` needs the argument `v`
# expect: tile.missing-argument 19
# text: `helper` needs the argument `w`
# expect: tile.unsupported 19
# text: the tile language has no `*` unpacking
