x = a if b else c if d else e
x = (a if b else c) if d else e
x = a if (b if c else d) else e
x = lambda: (yield)
x = (lambda x: x)(y), (lambda: lambda: 0)()(), lambda *, a: a, lambda *a, b=1, **c: (a, b, c), lambda a, /, b: 0
x = lambda a=lambda: 0: a, (lambda: a) if b else (lambda: c)
