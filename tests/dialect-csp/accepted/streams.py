#: a filter, called twice
@pipeline
def keep(source: Channel[f32], sink: Channel[f32]) -> None:
    @process
    def choose() -> None:
        for row in source:
            if holds(row > 0.0):
                sink.put(row)
        sink.close()


@pipeline
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, 1]]) -> None:
    rows = channel(f32, 1, capacity=2, checked=True)
    some = channel(f32, 1, capacity=0, checked=True)
    few = channel(f32, 1, capacity=1, checked=True)
    keep(rows, some)
    keep(some, few)

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m])
        rows.close()

    @process
    def add() -> None:
        total = zeros(f32, 1)
        for row in few:
            total = total + row
        y[0] = total

#: workers, and lanes of an array
@pipeline
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, 1]]) -> None:
    todo = channels((2, 2), f32, 1, capacity=2, checked=True)
    done = channels((2, 2), f32, 1, capacity=1)

    @process
    def deal() -> None:
        for m in range(M):
            for i in range(2):
                for j in range(2):
                    if holds(x[m] > i * 2 + j):
                        todo[i, j].put(x[m])
        for i in range(2):
            for j in range(2):
                todo[i, j].close()

    @process(grid=(2, 2))
    def work(i: int, j: int) -> None:
        total = zeros(f32, 1)
        for one in todo[i, j]:
            total = total + one
        done[i, j].put(total)

    @process
    def gather() -> None:
        total = zeros(f32, 1)
        for i in range(2):
            for j in range(2):
                total = total + done[i, j].get()
        y[0] = total

#: as often as an item says, to two readers
@pipeline
def w(x: In[Tensor[i32, M]], y: Out[Tensor[i32, 1]], z: Out[Tensor[i32, 1]]) -> None:
    runs = channel(i32, 1, capacity=2)
    all = channel(i32, 1, capacity=2, readers=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            runs.put(x[m])

    @process
    def decode() -> None:
        for _m in range(M):
            for _k in range(index(runs.get())):
                all.put(zeros(i32, 1) + 1)
        all.close()

    @process
    def count() -> None:
        n = zeros(i32, 1)
        for one in all:
            n = n + one
        y[0] = n

    @process
    def weigh() -> None:
        n = zeros(i32, 1)
        for one in all:
            n = n * 2 + one
        z[0] = n
