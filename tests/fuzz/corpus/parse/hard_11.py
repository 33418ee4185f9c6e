x: 'a' = b'c'
global_ = 0
raise
raise A
raise A from None
raise A(b) from (c if d else e)
return_ = 1
with a: pass
with a as b, c as d: pass
with (a, b) as c: pass
with (a, b), c: pass
with a, (b, c): pass
with (a): pass
with (a as b, c as d,): pass
with (*a, b): pass
