import htp
from htp import In, InOut, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for n in htp.parallel(range(N)):
        for j in range(n):
            y[j] = x[j]

# kind: htp.parallel; ints up to the loop's own
# expect: tile.same-element 10
# text: two iterations of the parallel loop `n` write the same element of `y`, as `n = 1` and `n = 2` meet at `y[0]` when N = 3
