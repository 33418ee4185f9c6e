import htp
x = (1,
y = 2

# expect: parse.syntax 2
