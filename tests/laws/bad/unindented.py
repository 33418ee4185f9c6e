import htp
def f():
return 1

# expect: parse.syntax 3
