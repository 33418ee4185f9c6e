with (): pass
with (a, b)[0]: pass
with a() as (b, c), d as [e, f], g as h.i, j as k[l]: pass
with (yield_): pass
with (a if b else c) as d: pass


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────────────────
