import htp
from htp import In, Out, f32
from htp_tile import gather, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = gather(x[:, :], x[:, :], axis=1)

# kind: gather; f32 for the places
# expect: tile.wrong-dtype 11
# text: `tile.gather` takes an integer dtype, not f32
