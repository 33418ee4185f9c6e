#: no bound
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        while True:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.endless: this `while` may run for ever
#>   hint: count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each

#: a half that may be all
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    low = 0
    high = N
    while low < high:
        middle = (low + high) // 2
        if middle > 3:
            low = middle
        else:
            high = middle
#> 6:5 error tile.endless: this `while` may run for ever
#>   6:11 an iteration may leave `low < high` no nearer to its end
#>   hint: count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each

#: more ways than are looked at, of which one goes back
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    n = 0
    a = 0
    while n < 8:
        n += 1
        if M > 1:
            a += 1
        if M > 2:
            a += 1
        if M > 3:
            a += 1
        if M > 4:
            a += 1
        if M > 5:
            a += 1
        if M > 6:
            n -= 1
#> 6:5 error tile.endless: this `while` may run for ever
#>   6:11 an iteration may leave `n < 8` no nearer to its end
#>   hint: count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each

#: a mask
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        n = 0
        while n < 8 and x[i, :] > 0.0:
            n += 1
        y[i, :] = x[i, :]
#> 5:25 error tile.runtime-if: `while` on a tile: `x[i, :] > 0.0` holds a value for each element
#>   hint: go on while it holds anywhere: `holds(reduce_any(…, axis=0))`

#: a name bound inside
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        n = 0
        while n < 8:
            row = x[i, :]
            n += 1
        y[i, :] = row
#> 8:19 error tile.maybe-unbound: `row` is bound only inside a `while`
#>   6:13 bound here
#>   hint: bind it before the `while`
