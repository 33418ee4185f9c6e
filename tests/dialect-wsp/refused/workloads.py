#: carried
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in P(M):
        acc = acc + x[i, :]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   5:9 bound here
#>   5:15 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried by an augmented assignment
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in P(M):
        acc += x[i, :]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   5:9 bound here
#>   5:9 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried through an inner loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, 1)
    for i in P(M):
        for j in seq(N):
            acc = acc + x[i, j]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   6:13 bound here
#>   6:19 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried when a branch is not taken
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = zeros(f32, 1, N)
    for i in P(M):
        if M > 4:
            v = x[i, :]
        y[i, :] = v
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `v` is carried from one to the next
#>   6:13 bound here
#>   7:19 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: read behind the loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for i in P(M):
        last = x[i, :]
        y[i, :] = last
    y[0, :] = last
#> 4:5 error wsp.escapes: iterations of loop `i` all bind `last`, and it is read behind the loop
#>   5:9 bound here
#>   7:15 read here, behind the loop
#>   hint: store it inside the loop, or use `seq`

#: read in the next turn of an outer loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for k in seq(M):
        y[k, :] = last
        for i in P(M):
            last = x[0, :]
#> 6:9 error wsp.escapes: iterations of loop `i` all bind `last`, and it is read behind the loop
#>   7:13 bound here
#>   5:19 read here, behind the loop
#>   hint: store it inside the loop, or use `seq`

#: same place
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, :] = x[i, :]
#> 4:9 error wsp.same-place: iterations of loop `j` may write the same place of `y`
#>   5:13 written here
#>   hint: index what is stored with the loop's block, or use `seq`

#: same place by a call
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        store(y, x[i, :], 0, slice)
#> 3:5 error wsp.same-place: iterations of loop `i` may write the same place of `y`
#>   4:9 written here
#>   hint: index what is stored with the loop's block, or use `seq`

#: two stores apart by different dimensions
@workload
def w(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, 0] = x[i, 0]
        y[0, i] = x[0, i]
#> 3:5 error wsp.same-place: iterations of loop `i` may write the same place of `y`
#>   4:9 written here
#>   5:9 and here
#>   hint: index what is stored with the loop's block, or use `seq`

#: reads what others write
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = y[0, :] + x[i, :]
#> 3:5 error wsp.reads-written: iterations of loop `i` may read what others write to `y`
#>   4:9 written here
#>   4:19 read here
#>   hint: read it at the loop's own block, or use `seq`

#: loop without an extent
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P():
        y[i, :] = x[i, :]
#> 3:5 error wsp.bad-loop: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i in P()`
#>   hint: write `for i in P(M):` or `for k in seq(K):`

#: two targets
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i, j in P(M):
        y[i, :] = x[i, :]
#> 3:5 error wsp.bad-loop: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i, j in P(M)`
#>   hint: write `for i in P(M):` or `for k in seq(K):`

#: what the tile language has not
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        while True:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.endless: this `while` may run for ever
#>   hint: count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each

#: a sum along its own blocks
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        row = x[i, :]
        y[i, :] = row - reduce_sum(row * 2.0, axis=0)
#> 5:25 error wsp.own-block: `reduce_sum` runs along the blocks of `i`, which have any size
#>   3:14 `P`: blocks of any size
#>   hint: take the whole dimension, `:`, or carry the result through a `seq` loop
