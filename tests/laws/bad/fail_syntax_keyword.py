import htp

lambda = 3

# kind: a module; a keyword as a name
# expect: parse.syntax 3
# text: not Python: invalid syntax
