import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in seq("M"):
        y[:, :] = x[:, :]

# kind: seq; a string
# expect: tile.bad-extent 12
# text: `'M'` is not an extent: an int, a dim or a block
