f'an f-string {statement}'
x = (f"a{b}"
     f"c{d}")


# ── definitions ─────────────────────────────────────────────────────────────────────────────────────────────────────
def f(): pass
def f(a, b=1, /, c=2, *d, e, f=3, **g): return
def f(a: int = 1, *args: *Ts, b: str = "x", **kw: dict) -> (yield_): return a, b
