import htp

8rows = 3

# kind: a module; a number that begins a name
# expect: parse.syntax 3
# text: not Python: invalid decimal literal
