def f(*, a): return *a, b
def f(a, /): return (a)
def f(a, /, *, b): ...
async def f():
    await a; await b ** c; (await d).e; await f(); -await g; await (await h)
    async for a, b in c: pass
    async with a as b, c: pass
    return [a async for b in c if await d]
