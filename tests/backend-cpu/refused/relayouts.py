import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout


#: a value in another order
@kernel
def f(x: In[Tensor[f32, 8, 64]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = relayout(relayout(x[:, :], htp.layouts.ordered((8, 64), (1, 0))) * 2.0, htp.layouts.ordered((8, 64), (0, 1)))
#> 3:42 note cpu.free-relayout: a `relayout` to `htp.layout(((8, 1, "m"), (64, 8, "m")))` moves nothing
#>   hint: nothing is to be done: it costs nothing
#> 3:87 note cpu.free-relayout: a `relayout` to `htp.layout(((512, 1, "m"),))` moves nothing
#>   hint: nothing is to be done: it costs nothing

#: values on devices
@kernel
def f(x: In[Tensor[f32, 8, 64, htp.layouts.shard((8, 64), ("x", None), mesh={"x": 4})]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = relayout(x[:, :], htp.layouts.shard((8, 64), (None, "x"), mesh={"x": 4}))
#> 2:32 note tile.one-device: `x` is spread over `x`, and cpu is one device, which holds all of it
#>   hint: nothing is to be done; arrays are given whole, row-major
