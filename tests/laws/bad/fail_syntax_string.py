import htp

name = "N

# kind: a module; an unclosed string
# expect: parse.syntax 3
# text: not Python: unterminated string literal (detected at line 3)
