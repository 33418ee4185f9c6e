import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout


@kernel
def k(x: In[Tensor[f32, 8, 8]], y: Out[Tensor[f32, 8, 8]]) -> None:
    a = relayout(x[:, :], htp.layout(((8, 8, "m"), (8, 1, "m"))))
    b = relayout(x[:, :], htp.layout(((8, 8, "chips"), (8, 1, "chips"))))
    y[:, :] = a * b

# kind: *; an axis m with an axis chips
# expect: tile.layout-mismatch 10
# text: `tile.mul` expects the layout `htp.layout(((64, 1, "m"),))`, got `htp.layout(((64, 1, "chips"),))`
