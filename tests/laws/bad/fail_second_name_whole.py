import htp
from htp import In, Out, f32
from htp_tile import kernel, load, Tensor, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = whole
    y[:, :] = load(x, rows, whole)

# kind: an assignment; a whole dimension
# expect: tile.no-second-name 11
# text: a whole dimension gets no second name
