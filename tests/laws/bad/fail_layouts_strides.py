import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout


@kernel
def k(x: In[Tensor[f32, 8, 8]], y: Out[Tensor[f32, 8, 8]]) -> None:
    a = relayout(x[:, :], htp.layout(((8, 8, "m"), (8, 1, "m"))))
    b = relayout(x[:, :], htp.layout(((8, 1, "m"), (8, 8, "m"))))
    y[:, :] = a + b

# kind: +; row-major with column-major
# expect: tile.layout-mismatch 10
# text: `tile.add` expects the layout `htp.layout(((64, 1, "m"),))`, got `htp.layout(((8, 1, "m"), (8, 8, "m")))`
