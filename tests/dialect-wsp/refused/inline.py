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
#> 19:5 error wsp.inline-two-stores: `h` is not inlined: several statements store to it
#>   8:5 and here
#>   hint: store to it in one statement

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
#> 18:5 error wsp.inline-unstored: `h` is not inlined: nothing is stored to it
#>   3:5 bound here
#>   hint: take the directive and the buffer out

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
#> 11:5 error wsp.inline-no-loop: `h` is not inlined: it is stored to outside of loops of its own
#>   4:5 stored here
#>   hint: store to it in a loop over `P` that does nothing else

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
#> 18:5 error wsp.inline-ordered: `h` is not inlined: the loop `p` that computes it is ordered
#>   4:14 this one
#>   hint: use `P`, where iterations are independent

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
#> 20:5 error wsp.inline-statement: `h` is not inlined: a statement that is no assignment computes it
#>   7:13 this is none
#>   hint: compute it by assignments, as with `where`

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
#> 19:5 error wsp.inline-other-store: `h` is not inlined: its loops store to something else as well
#>   7:13 stored here
#>   hint: give each loops of its own

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
#> 18:5 error wsp.inline-other-blocks: `h` is not inlined: it is computed at `q` along dimension 1, and read at `:`
#>   12:30 read here
#>   hint: read it as it is computed: by blocks, or by `:`

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
#> 18:5 error wsp.inline-unread: `h` is not inlined: nothing reads it
#>   3:5 bound here
#>   hint: take the directive and the buffer out

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
#> 19:5 error wsp.inline-source-written: `h` is not inlined: it is computed from `x`, which is written besides
#>   8:5 written here
#>   hint: read from a tensor that nothing writes

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
#> 19:5 error wsp.inline-outer-value: `h` is not inlined: it is computed from `one`, which is bound outside of its loops
#>   8:27 read here
#>   hint: bind it inside of its loops

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
#> 19:5 error wsp.inline-shared-loop: `h` is not inlined: its loops hold other statements
#>   5:9 this stands there too
#>   hint: give it loops of its own

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
#> 12:5 error wsp.inline-block-value: `h` is not inlined: it is read at `i + 1`, and its value depends on the block `p` besides
#>   5:44 here
#>   hint: read it at a block of a loop

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
#> 13:5 error wsp.inline-other-blocks: `h` is not inlined: it is computed at `:` along dimension 1, and read at `1:`
#>   8:20 read here
#>   hint: read it as it is computed: by blocks, or by `:`

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
#> 13:5 error wsp.inline-other-blocks: `h` is not inlined: it is computed at `:` along dimension 1, and read at `j`
#>   8:23 read here
#>   hint: read it as it is computed: by blocks, or by `:`

#: inline of what is stored along one of its loops
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        for q in P(N):
            h[p, :] = x[p, :] + 1.0
    for i in P(M):
        y[i, :] = h[i, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 5:9 error wsp.same-element: iterations of loop `q` may write the same element of `h`
#>   6:13 written here
#>   hint: index what is stored with the loop's block, or use `seq`
#> 13:5 error wsp.inline-index: `h` is not inlined: `q`, a loop that computes it, does not index it once
#>   6:13 stored here
#>   hint: index it by the block of each loop around

#: inline of what is stored at a row
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, 0] = x[p, 0] + 1.0
    for i in P(M):
        y[i, :] = x[i, :] + h[i, 0]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 12:5 error wsp.inline-other-index: `h` is not inlined: it is stored to at `0`, neither a block of its loops nor `:`
#>   5:14 here
#>   hint: index it by the block of each loop around, and `:`

#: inline of what a call reads as a whole
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + 1.0
    for i in P(M):
        y[i, :] = load(h, i, 0, i, N)


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 12:5 error wsp.inline-call: `h` is not inlined: it is an operand as a whole
#>   7:19 read here
#>   hint: read it by index: `h[i, :]`

#: inline of what a condition reads
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = x[p, :] + 1.0
    for i in P(M):
        n = 0
        while holds(h[0, 0] > 0.0) and n < 4:
            n += 1
        y[i, :] = h[i, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 15:5 error wsp.inline-condition: `h` is not inlined: a condition reads it
#>   8:21 read here
#>   hint: bind it to a name before, and let the condition read that
