"""What CPython's own `ast` says of the standard library, as a stream for tests/parse: for each file a line `kind path size`,
then `size` bytes: its dump with positions, or of a file that CPython refuses the line of the error (0: it has none)."""
import ast
import gc
import pathlib
import sys
import warnings


def main() -> None:
    first, step, root = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    warnings.simplefilter("ignore")
    sys.set_int_max_str_digits(0)
    gc.disable()
    for path in sorted(root.rglob("*.py"))[first::step]:
        try:
            kind, text = "tree", ast.dump(ast.parse(path.read_bytes()), include_attributes=True)
        except SyntaxError as error:
            kind, text = "refused", str(error.lineno or 0)
        except ValueError:
            kind, text = "refused", "0"
        data = text.encode("utf-8", "surrogatepass")
        sys.stdout.buffer.write(f"{kind} {path} {len(data)}\n".encode() + data)


main()
