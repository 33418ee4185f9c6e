"""Parses through the library in this very interpreter, and in several threads; run with `-W error`."""
import ast
import ctypes
import gc
import sys
import threading
import warnings

library = ctypes.CDLL(sys.argv[1])
library.dump_text.restype = ctypes.c_size_t


def dump(text: str) -> str:
    out = ctypes.create_string_buffer(1 << 16)
    size = library.dump_text(text.encode(), out, ctypes.c_size_t(len(out)))
    return out.raw[:size].decode()


TEXT = "def f(a, b=1):\n    return {a: f'{b!r}'}\n"
expected = ast.dump(ast.parse(TEXT))
filters = list(warnings.filters)
assert dump(TEXT) == expected
# The user's filters make warnings errors; the parser's own are none of theirs.
assert dump("x = '\\d'").startswith("Module("), dump("x = '\\d'")
assert dump("x = = 1") == "parse.syntax: not Python: invalid syntax"
assert warnings.filters == filters and gc.isenabled() and sys.get_int_max_str_digits() == 4300

wrong = []
threads = [threading.Thread(target=lambda: [wrong.append(1) for _ in range(50) if dump(TEXT) != expected]) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong
