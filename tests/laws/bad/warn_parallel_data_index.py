import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, index, kernel

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M]], places: In[Tensor[i32, M]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.parallel(range(M)):
        y[index(places[p])] = x[p]


# kind: htp.parallel; a place that data says
# expect: tile.maybe-dependent-iterations 11
# text: the parallel loop `p` runs in order: that no two iterations touch the same element of `y` was not shown
# expect: tile.not-affine 12
# text: index `index(places[p])` was not shown to be inside dimension 0: it is not affine in the sizes and loops
