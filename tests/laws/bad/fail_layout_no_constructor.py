import htp
from htp import In, Out, f32
from htp_tile import kernel, relayout, Tensor
SIZE = 8


@kernel
def k(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    a = relayout(x[:, :], htp.layouts.rows(8, 64))
    b = relayout(a, htp.layout(((htp.dim("M"), 64, "m"), (64, 1, "m"))))
    y[:, :] = relayout(x[:, :], htp.layout(((SIZE, 64, "m"), (SIZE * 8, 1, "m"))))

# kind: a layout; no constructor
# options: --entry k
# expect: tile.bad-layout 9
# text: `htp.layouts.rows(8, 64)` is no layout: `htp.layouts.rows` is no constructor of layouts
# expect: tile.bad-layout 10
# text: `htp.layout(((htp.dim('M'), 64, 'm'), (64, 1, 'm')))` is no layout: a digit of a layout is (extent, stride, "axis")
