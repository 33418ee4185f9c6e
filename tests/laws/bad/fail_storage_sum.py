import htp
from htp import In, Out, f8e4m3
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f8e4m3, N]], y: Out[Tensor[f8e4m3, N]]) -> None:
    y[:] = x[:] + x[:]

# kind: +; f8e4m3, which is for storage
# expect: tile.wrong-dtype 10
# text: `tile.add` takes a dtype to calculate with, not f8e4m3
