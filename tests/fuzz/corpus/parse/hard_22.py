def f():
    yield; yield a; yield a, b; x = yield; x = yield a; x = yield from b; x += yield; (yield); (yield).a; f((yield)); f((yield a), b)
    yield (yield); yield from (yield from a); await_ = [(yield)]; return (yield)
    global a, b
    def g():
        nonlocal c


