#: parallel of a fused loop with a sum behind
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
    s.parallel("j")
#> 12:16 error wsp.unknown-loop: `w` has no loop `j`
#>   hint: did you mean `i`?
