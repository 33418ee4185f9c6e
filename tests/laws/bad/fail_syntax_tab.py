import htp


def k():
    if True:
	return 1

# kind: a module; tabs and spaces
# expect: parse.syntax 6
# text: not Python: inconsistent use of tabs and spaces in indentation
