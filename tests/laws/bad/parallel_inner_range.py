import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def work(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in htp.parallel(range(N)):
        for k in range(i):
            y[k] = x[k]

# expect: tile.dependent-iterations 10
