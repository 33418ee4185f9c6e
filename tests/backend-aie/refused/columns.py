import htp
from htp import In, Out, bf16, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, matmul, tiles, zeros

M = 32


@pipeline
def units_column(a: In[Tensor[bf16, M, 32]], b: In[Tensor[bf16, 32, 16]], scale: In[Tensor[bf16, M, 1]], c: Out[Tensor[f32, M, 16]]) -> None:
    sums = channel(f32, tiles(M, 16), 16, capacity=2)

    @process
    def product() -> None:
        for i in tiles(M, 16):
            sums.put(matmul(a[i, :], b[:, :], zeros(f32, i, 16)))

    @process
    def scaled() -> None:
        for i in tiles(M, 16):
            c[i, :] = sums.get() * cast(scale[i, :], f32)

#: blocks in the link of another tensor
#! old: link='b_in_rows'
#! new: link='a_in_rows'
#> 16:9 error aie.blocked-link: `a_in` is reordered in blocks, and shares its link
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a link of its own: `link='a_in_rows'`
