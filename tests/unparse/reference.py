"""What CPython itself says of Python files, as a stream for tests/unparse. For each file that it can read, two records,
each a line `kind path size` and `size` bytes: `text`, what `ast.unparse` gives (`none` and why, when it refuses the tree);
`comments`, those that `tokenize` finds, one a line (`?` when it does not get to the end). A comment that names another
encoding than utf-8 is told as it is after the text was decoded to that."""
import ast
import gc
import io
import pathlib
import re
import sys
import tokenize
import warnings


def unparsed(tree: ast.Module) -> tuple[str, str]:
    try:
        return "text", ast.unparse(tree)
    except ValueError as error:
        return "none", str(error)


def comments(source: bytes) -> str:
    found, encoding = [], ""
    try:
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type == tokenize.ENCODING:
                encoding = token.string
            if token.type == tokenize.COMMENT:
                text = token.string
                if token.start[0] <= 2 and not encoding.startswith("utf-8"):
                    text = re.sub(r"(coding[:=][ \t]*)[-\w.]+", r"\1utf-8", text)
                found.append(text)
    except (tokenize.TokenError, IndentationError):
        return "?"
    return "\n".join(found)


def write(kind: str, path: pathlib.Path, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    sys.stdout.buffer.write(f"{kind} {path} {len(data)}\n".encode() + data)


def main() -> None:
    first, step, roots = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    warnings.simplefilter("ignore")
    gc.disable()
    own, *others = ([root] if root.is_file() else sorted(root.rglob("*.py")) for root in map(pathlib.Path, roots))
    for path in own + [path for files in others for path in files][first::step]:
        source = path.read_bytes()
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        kind, text = unparsed(tree)
        write(kind, path, text)
        write("comments", path, comments(source))


main()
