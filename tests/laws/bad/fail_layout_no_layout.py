import htp
from htp import In, Out, f32
from htp_tile import kernel, relayout, Tensor


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.swizzle(htp.layouts.ordered((3, 64), (0, 1)), 1, 0, 7)]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = relayout(x[:, :], 3)

# kind: a layout; no layout
# options: --entry k
# expect: tile.bad-layout 7
# text: `htp.layouts.swizzle(htp.layouts.ordered((3, 64), (0, 1)), 1, 0, 7)` is no layout: a swizzle works on bits, and 192 elements lie at steps that are no bits: extents and strides are to be powers of two
# expect: tile.bad-layout 8
# text: `3` is no layout: a layout is written with a constructor: htp.layout(((64, 64, "m"), (64, 1, "m")))
