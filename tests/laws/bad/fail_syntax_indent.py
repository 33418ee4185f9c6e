import htp


def k():
return 1

# kind: a module; a body that is not indented
# expect: parse.syntax 5
# text: not Python: expected an indented block after function definition on line 4
