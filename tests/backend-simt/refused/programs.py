import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, kernel, tiles, topk

M = htp.dim("M")
N = htp.dim("N")


#: processes and their channel
@pipeline
def f(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    blocks = channel(f32, tiles(N, 8), capacity=2)

    @process
    def read() -> None:
        for i in tiles(N, 8):
            blocks.put(x[i])

    @process
    def write() -> None:
        for i in tiles(N, 8):
            y[i] = blocks.get()
#> 3:14 error cpu.no-handler: `csp.channel` has no handler for opencl
#>   hint: write it without this intrinsic: `htp-host ops show csp.channel` says which targets have it
#> 8:13 error cpu.no-handler: `csp.put` has no handler for opencl
#>   hint: write it without this intrinsic: `htp-host ops show csp.put` says which targets have it
#> 13:20 error cpu.no-handler: `csp.get` has no handler for opencl
#>   hint: write it without this intrinsic: `htp-host ops show csp.get` says which targets have it

#: processes without channels
@pipeline
def f(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    @process
    def double() -> None:
        for i in tiles(N, 8):
            y[i] = x[i] * 2.0
#> 4:5 error simt.process: the process `double` runs beside others
#>   hint: write a kernel, whose loops become work-groups

#: an order
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = topk(x[i, :], 4, axis=1)
#> 4:19 error cpu.no-handler: `tile.topk` has no handler for opencl
#>   hint: write it without this intrinsic: `htp-host ops show tile.topk` says which targets have it
