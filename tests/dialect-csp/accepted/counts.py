#: a condition on both sides
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m > 0:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if 0 < m:
                y[m, :] = rows.get()
            else:
                y[m, :] = 0.0

#: a condition beside a shorter loop
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(1, M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if m != 0:
                y[m, :] = rows.get()
            else:
                y[m, :] = 0.0

#: the first, the last, and those between
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    ends = channel(f32, 1, N, capacity=2)
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m == 0 or m == M - 1:
                ends.put(x[m, :])
            else:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if m == 0:
                y[m, :] = ends.get()
            elif m < M - 1:
                y[m, :] = rows.get() * 2.0
            else:
                y[m, :] = ends.get()

#: a condition on a loop that counts down
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M - 1, -1, -1):
            if m > 0 and not m == M - 1:
                rows.put(x[m, :])

    @process
    def store() -> None:
        y[0, :] = 0.0
        for m in range(M):
            if 0 < M - 1 - m < M - 1:
                y[M - 1 - m, :] = rows.get()
            else:
                y[M - 1 - m, :] = 0.0

#: a condition on two loops
@pipeline
def w(x: In[Tensor[f32, M, M, N]], y: Out[Tensor[f32, M, M, N]]) -> None:
    rows = channel(f32, 1, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(M):
                if k <= m:
                    rows.put(x[m, k, :])

    @process
    def store() -> None:
        for m in range(M):
            for k in range(M):
                if m >= k:
                    y[m, k, :] = rows.get()
                else:
                    y[m, k, :] = 0.0

#: a product of sizes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, 1, capacity=1)

    @process
    def load() -> None:
        for k in range(M * N):
            rows.put(x[k // N, k % N])

    @process
    def store() -> None:
        for k in range(N * M):
            y[k // N, k % N] = rows.get()

#: a product that ends a loop early
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, 1, capacity=1)

    @process
    def load() -> None:
        for k in range(2 * M * N):
            if k < M * N:
                rows.put(x[k // N, k % N])

    @process
    def store() -> None:
        for k in range(M * N):
            y[k // N, k % N] = rows.get()

#: half of a size, and what is left
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M // 2):
            rows.put(x[m, :])
        for m in range(M // 2, M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()

#: a tensor handed over at an event, which two meet
@pipeline
def w(x: In[Tensor[f32, M, N]], h: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    done = event(readers=2)

    @process
    def first() -> None:
        for i in tiles(M, 8):
            h[i, :] = x[i, :]
        done.put()

    @process
    def second() -> None:
        done.get()
        for i in tiles(M, 8):
            y[i, :] = h[i, :]

    @process
    def third() -> None:
        done.get()
        for i in tiles(M, 8):
            z[i, :] = h[i, :] * 2.0

#: items that travel together: four rows are one item
@pipeline
def w(x: In[Tensor[f32, M, 4, N]], y: Out[Tensor[f32, M, 4, N]]) -> None:
    rows = channel(f32, 1, 4, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :, :])

    @process
    def store() -> None:
        for m in range(M):
            four = rows.get()
            y[m, :, :] = four

#: parts of tensors, and a process that binds their names
@pipeline
def w(x: In[Tensor[f32, 4 * M, P * N]], y: Out[Tensor[f32, 4 * M, P * N]]) -> None:
    lanes = channels((4, P), f32, tiles(M, 8), N, capacity=1)

    @process(grid=(4, P), args=(shard(x, S(0), S(1)),))
    def load(M_: int, h: int, rows: In[Tensor[f32, M, N]]) -> None:
        for m in tiles(M, 8):
            x = rows[m, :]
            lanes[M_, h].put(x + rows[m, 0:1])

    @process(grid=(4, P), args=(shard(y, S(0), S(1)),))
    def store(g: int, h: int, y: Out[Tensor[f32, M, N]]) -> None:
        for m in tiles(M, 8):
            y[m, :] = lanes[g, h].get()

#: a loop whose variable counts the parts
@pipeline
def w(x: In[Tensor[f32, 4 * M, N]], y: Out[Tensor[f32, 4 * M, N]]) -> None:
    lanes = channels(4, f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        for g in range(4):
            for m in tiles(M, 8):
                lanes[g].put(x[g * M + m, :])

    @process(grid=4)
    def store(g: int) -> None:
        for m in tiles(M, 8):
            y[g * M + m, :] = lanes[g].get()

#: places that share a part, and store what their index says
@pipeline
def w(x: In[Tensor[f32, 8 * M, N]], y: Out[Tensor[f32, 8 * M, N]]) -> None:
    @process(grid=(2, 4), args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(i: int, j: int, x: In[Tensor[f32, 4 * M, N]], y: Out[Tensor[f32, 4 * M, N]]) -> None:
        for m in tiles(M, 8):
            y[j * M + m, :] = x[j * M + m, :]

#: both ends of a loop, the last one first
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)
    rim = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m < M - 1:
                rows.put(x[m, :])
            if m > 0:
                rim.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if not m == M - 1:
                y[m, :] = rows.get()
            else:
                y[m, :] = 0.0
            if 1 <= m:
                _ = rim.get()

#: both ends of a loop, one of them a condition on the other
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m == 0:
                rows.put(x[m, :])
            if m == M - 1:
                rows.put(x[m, :])
            if m > 0 and m < M - 1:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if m == M - 1:
                y[m, :] = rows.get()
            elif m == 0 or m > 0:
                y[m, :] = rows.get() * 2.0
            if 0 <= m <= 1 - M:
                _ = rows.get()

#: a condition on a size
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        if M > 4:
            for m in range(M):
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if not M < 5:
                y[m, :] = rows.get()
            else:
                y[m, :] = x[m, :]

#: conditions on two sizes
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if M > N or m == N:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if N != m and M <= N:
                y[m, :] = x[m, :]
            else:
                y[m, :] = rows.get()

#: a condition on half of a size
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M // 2):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if m < M // 2:
                y[m, :] = rows.get()
            else:
                y[m, :] = 0.0

#: every other iteration
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    even = channel(f32, 1, N, capacity=1)
    odd = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if m % 2 == 0:
                even.put(x[m, :])
            else:
                odd.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            if m % 2 == 1:
                y[m, :] = odd.get()
            else:
                y[m, :] = even.get()

#: an item that is kept for the next iteration
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        row = rows.get()
        for m in range(M):
            y[m, :] = row * 2.0
            if m < M - 1:
                row = rows.get()

#: an item that is used behind the condition it is got under
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(2, f32, 1, N, capacity=1)

    @process(grid=2)
    def load(g: int) -> None:
        for m in range(M):
            lanes[g].put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            total = lanes[0].get()
            for g in range(1, 2):
                total = total + lanes[g].get()
            if m == 0:
                y[m, :] = total
            else:
                y[m, :] = total * 0.5

#: dealt out in turn, where the last turn is not whole
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    todo = channels(4, f32, 1, N, capacity=1)
    done = channels(4, f32, 1, N, capacity=1)

    @process
    def deal() -> None:
        for m in range((M + 3) // 4):
            for g in range(4):
                if 4 * m + g < M:
                    todo[g].put(x[4 * m + g, :])

    @process(grid=4)
    def work(g: int) -> None:
        for _m in range((M + 3 - g) // 4):
            done[g].put(todo[g].get() * 2.0)

    @process
    def gather() -> None:
        for m in range(M):
            for g in range(4):
                if m % 4 == g:
                    y[m, :] = done[g].get()

#: the last iteration apart
@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(K):
            for i in tiles(M, 8):
                rows.put(x[i, :])

    @process
    def store() -> None:
        for k in range(K - 1):
            for i in tiles(M, 8):
                _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = rows.get()
