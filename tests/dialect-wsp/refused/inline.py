#: inline of a parameter
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("y")
#> 11:14 error wsp.not-a-buffer: `y` is no buffer of the workload's own
#>   2:33 a parameter
#>   hint: make a copy of a parameter with `cache`, or write `h = buffer(f32, M, N)` in the workload

#: inline of no tensor
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("t")
#> 11:14 error wsp.unknown-tensor: `w` has no tensor `t`
#>   hint: did you mean `x`?

#: inline of what is stored twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    h[0, :] = x[0, :]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is stored to in several places
#>   8:5 and here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is never stored
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in seq(K):
            t = exp(x[p, q])
            c[p, 0] = reduce_sum(t, axis=1)
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: nothing is stored to it
#>   3:5 bound here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is not in a loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h[:, :] = exp(x[:, :])
    for i in P(M):
        y[i, :] = h[i, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 11:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is not stored to in a loop of its own
#>   4:5 stored here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed in an ordered loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in seq(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: a loop around is ordered
#>   4:14 this one
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed with a sum
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            for o in seq(K):
                t = t + x[p, o]
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 20:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is not computed by assignments alone
#>   7:13 this is none
#>   hint: `compute_at` moves the loop as it is

#: inline beside another store
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            c[p, q] = t
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: something else is stored beside it
#>   7:13 stored here
#>   hint: `compute_at` moves the loop as it is

#: inline of a block read whole
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, :], b[:, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed by blocks along dimension 1, and read in another way
#>   12:30 read here
#>   hint: `compute_at` moves the loop as it is

#: inline of what nothing reads
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: nothing reads it
#>   3:5 bound here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed from something that changes
@workload
def w(x: InOut[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    x[0, 0] = 1.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: what it is computed from, `x`, may be written between
#>   8:5 written here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed from a name
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    one = zeros(f32, 1, 1) + 1.0
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t + one
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed from `one`, which is bound outside
#>   8:27 read here
#>   hint: `compute_at` moves the loop as it is

#: inline twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
    s.inline("h")
#> 19:14 error wsp.unknown-tensor: `w` has no tensor `h`
#>   hint: did you mean `b`?

#: inline of what stands beside others
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        c[p, 0] = x[p, 0]
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: its loops hold other things as well
#>   5:9 this stands there too
#>   hint: `compute_at` moves the loop as it is

#: inline of what counts along the block that is read moved
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 1, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + full(f32, 1.0, p, N)
    for i in P(M - 1):
        y[i, :] = h[i, :] + h[i + 1, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 12:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is read at `i + 1`, and not only indices depend on the block `p`
#>   5:44 here
#>   hint: `compute_at` moves the loop as it is

#: inline of a part that is read in another part
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + 1.0
    for i in P(M):
        y[i, 0] = 0.0
        y[i, 1:] = h[i, 1:]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 13:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed whole along dimension 1, and read in another way
#>   8:20 read here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is summed along rows, and read by blocks
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] / reduce_sum(x[p, :], axis=1)
    for i in P(M):
        for j in P(N):
            y[i, j] = h[i, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 13:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed whole along dimension 1, and read in another way
#>   8:23 read here
#>   hint: `compute_at` moves the loop as it is
