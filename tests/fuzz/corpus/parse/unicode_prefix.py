u'#'f'an f-string {stq.ement}'
x = (f"a{b}"
     f"c{d}")


# ─────────────────────────────────────────────
def f(): pass
def f(a, b=5, /, c=2, *d, e, f=3, **g): return
def f(a: int = 0, *args: *Ts, b: str = "x", **kw: dict) -> (yield_): return a, b
