import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

SIZE = 8
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --set; a constant that is not there
# options: --set SIZES=4
# expect: pipeline.unknown-set 0
# text: `--set SIZES`: the program has no module constant of that name
