#: who waits for itself
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def alone() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 8:13 error csp.waits-for-itself: `alone` waits for itself at M = 17
#>   8:13 `alone` waits to put into `rows`, which is full: 2 of 2, in iteration 2 of `i`
#>   note: under plain Python every order of the processes comes to this at M = 17; one of them: `alone` puts into `rows` in line 8 (1 of 2), `alone` puts into `rows` in line 8 (2 of 2)
#>   note: to replay it: python3 -m htp_csp program.py w M=17 --order 'alone*2'
#>   hint: `rows` with `capacity=3` is enough at M = 17, and not at all sizes: get from it earlier

#: two channels have to grow
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=1)
    b = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for k in range(3):
            a.put(zeros(f32, 1, N))
        for k in range(2):
            b.put(zeros(f32, 1, N))
        a.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
        _ = b.get()
        _ = b.get()
        for k in range(4):
            _ = a.get()
#> 9:13 error csp.deadlock: `load` and `store` wait for each other
#>   9:13 `load` waits to put into `a`, which is full: 1 of 1, in iteration 1 of `k`
#>   18:13 `store` waits to get from `b`, which is empty
#>   note: under plain Python every order of the processes comes to this; one of them: `load` puts into `a` in line 9 (1 of 1)
#>   note: to replay it: python3 -m htp_csp program.py w --order 'load'
#>   hint: `a` with `capacity=3` is enough

#: the last before the first
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    total = channel(f32, 8, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
        total.put(zeros(f32, 8, 1))

    @process
    def store() -> None:
        _ = total.get()
        for i in tiles(M, 8):
            y[i, :] = rows.get()
#> 9:13 error csp.deadlock: `load` and `store` wait for each other at M = 17
#>   9:13 `load` waits to put into `rows`, which is full: 2 of 2, in iteration 2 of `i`
#>   14:13 `store` waits to get from `total`, which is empty
#>   note: under plain Python every order of the processes comes to this at M = 17; one of them: `load` puts into `rows` in line 9 (1 of 2), `load` puts into `rows` in line 9 (2 of 2)
#>   note: to replay it: python3 -m htp_csp program.py w M=17 --order 'load*2'
#>   hint: `rows` with `capacity=3` is enough at M = 17, and not at all sizes: get from it earlier

#: each waits for the other
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, capacity=1)
    b = channel(f32, 1, capacity=1)

    @process
    def one() -> None:
        t = a.get()
        b.put(t)

    @process
    def other() -> None:
        t = b.get()
        a.put(t)
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 8:13 error csp.deadlock: `one` and `other` wait for each other
#>   8:13 `one` waits to get from `a`, which is empty
#>   13:13 `other` waits to get from `b`, which is empty
#>   note: no capacity helps: each gets before it puts
#>   note: under plain Python every order of the processes comes to this, before anything moves
#>   note: to replay it: python3 -m htp_csp program.py w
#>   hint: put what the others wait for before you get what depends on it

#: rendezvous in another order
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = event()
    b = event()

    @process
    def one() -> None:
        a.put()
        b.put()

    @process
    def other() -> None:
        b.get()
        a.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 8:9 error csp.deadlock: `one` and `other` wait for each other
#>   8:9 `one` waits to put into `a`, which nobody gets from yet
#>   13:9 `other` waits to get from `b`, which is empty
#>   note: under plain Python every order of the processes comes to this; one of them: `one` puts into `a` in line 8
#>   note: to replay it: python3 -m htp_csp program.py w --order 'one'
#>   hint: let both come to `a` before what they wait for

#: a ring of a grid
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    ring = channels(P, f32, 1, capacity=1)

    @process(grid=P)
    def turn(k: int) -> None:
        t = ring[k].get()
        ring[(k + 1) % P].put(t)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
#> 7:13 error csp.deadlock: `turn[0]`, `turn[2]` and `turn[1]` wait for each other
#>   7:13 `turn[0]` waits to get from `ring[0]`, which is empty
#>   7:13 `turn[2]` waits to get from `ring[2]`, which is empty
#>   7:13 `turn[1]` waits to get from `ring[1]`, which is empty
#>   note: no capacity helps: each gets before it puts
#>   note: under plain Python every order of the processes comes to this, before anything moves
#>   note: to replay it: python3 -m htp_csp program.py w
#>   hint: put what the others wait for before you get what depends on it

#: split and merge
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, tiles(M, 8), N, capacity=1)
    b = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def split() -> None:
        for i in tiles(M, 8):
            a.put(x[i, :])
        for i in tiles(M, 8):
            b.put(x[i, :])

    @process
    def merge() -> None:
        for i in tiles(M, 8):
            y[i, :] = a.get() + b.get()
#> 9:13 error csp.deadlock: `split` and `merge` wait for each other at M = 17
#>   9:13 `split` waits to put into `a`, which is full: 1 of 1, in iteration 2 of `i`
#>   16:33 `merge` waits to get from `b`, which is empty, in iteration 0 of `i`
#>   note: under plain Python every order of the processes comes to this at M = 17; one of them: `split` puts into `a` in line 9 (1 of 1), `merge` gets from `a` in line 16 (0 of 1), `split` puts into `a` in line 9 (1 of 1)
#>   note: to replay it: python3 -m htp_csp program.py w M=17 --order 'split merge split'
#>   hint: `a` with `capacity=2` is enough at M = 17, and not at all sizes: get from it earlier

#: in a late iteration
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=0)
    b = channel(f32, 1, N, capacity=0)

    @process
    def load() -> None:
        for m in range(M):
            if m == 1000:
                a.put(x[m, :])
                b.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = x[m, :]
            if m == 1000:
                _ = b.get()
                _ = a.get()
#> 10:17 error csp.deadlock: `load` and `store` wait for each other at M = 1001
#>   10:17 `load` waits to put into `a`, which nobody gets from yet, in iteration 1000 of `m`
#>   18:21 `store` waits to get from `b`, which is empty, in iteration 1000 of `m`
#>   note: under plain Python every order of the processes comes to this at M = 1001; one of them: `load` puts into `a` in line 10
#>   note: to replay it: python3 -m htp_csp program.py w M=1001 --order 'load'
#>   hint: `a` with `capacity=1` is enough

#: more than a large channel holds
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, tiles(M, 8), N, capacity=300)
    b = channel(f32, 1, N, capacity=40)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            a.put(x[i, :])
        for n in range(N):
            b.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for n in range(N):
            _ = b.get()
        for i in tiles(M, 8):
            y[i, :] = a.get()
#> 9:13 error csp.deadlock: `load` and `store` wait for each other at M = 2401, N = 1
#>   9:13 `load` waits to put into `a`, which is full: 300 of 300, in iteration 300 of `i`
#>   16:17 `store` waits to get from `b`, which is empty, in iteration 0 of `n`
#>   note: under plain Python every order of the processes comes to this at M = 2401, N = 1; one of them: 296 moves, then `load` puts into `a` in line 9 (297 of 300), `load` puts into `a` in line 9 (298 of 300), `load` puts into `a` in line 9 (299 of 300), `load` puts into `a` in line 9 (300 of 300)
#>   note: to replay it: python3 -m htp_csp program.py w M=2401 N=1 --order 'load*300'
#>   hint: `a` with `capacity=301` is enough at M = 2401, N = 1, and not at all sizes: get from it earlier

#: every other iteration
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=1)
    b = channel(f32, 1, N, capacity=0)

    @process
    def load() -> None:
        for m in range(M):
            if m % 2 == 1:
                a.put(x[m, :])
        for m in range(M // 2):
            b.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = x[m, :]
            if m % 2 == 1:
                _ = b.get()
                _ = a.get()
#> 10:17 error csp.deadlock: `load` and `store` wait for each other at M = 4
#>   10:17 `load` waits to put into `a`, which is full: 1 of 1, in iteration 3 of `m`
#>   19:21 `store` waits to get from `b`, which is empty, in iteration 1 of `m`
#>   note: under plain Python every order of the processes comes to this at M = 4; one of them: `load` puts into `a` in line 10 (1 of 1)
#>   note: to replay it: python3 -m htp_csp program.py w M=4 --order 'load'
#>   hint: `a` with `capacity=2` is enough at M = 4, and not at all sizes: get from it earlier
