"""The program of an entry that is there as an object: the file that it was defined in, or its text put together from what it uses.

What runs in this process is the truth. A file is taken where it says what the entry and all it reaches are now; else (typed at a prompt, in a
notebook, by `exec`; a constant or a function that was rebound since) the definitions are written out, each as it is.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import linecache
import os
import sys
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from htp.dims import Dim
from htp.errors import HtpError


@dataclass(frozen=True)
class Program:
    """What is compiled, and the names whose values it was made of."""

    path: Path
    entry: str
    watched: tuple[tuple[dict[str, Any], str, object], ...]

    def current(self) -> bool:
        """Whether all of them still have the same values."""
        return all(space.get(name) is value for space, name, value in self.watched)

    def compiled(self, *, target: str | None, profile: Any, **options: Any) -> Path:
        from htp import native

        return native.compiled(self.path, profile=profile or target or "cpu", entry=self.entry, only_entry=True, **options)[0]


def function_of(entry: Any) -> types.FunctionType:
    """The function that was written: of a schedule its directives, of a pipeline its body."""
    found = inspect.unwrap(entry)
    if not isinstance(found, types.FunctionType):
        raise HtpError(f"{entry!r} is no entry of a program: an entry is a function under `@kernel` or the like")
    return found


def program_of(entry: Any) -> Program:
    """The program of an entry, as all that it reaches is now."""
    entry = getattr(entry, "entry", entry)  # of what `htp.jit` made
    function = function_of(entry)
    gathered = _Gathered()
    gathered.function(function.__name__, entry)
    watched = tuple(gathered.watched)
    file = function.__code__.co_filename
    if gathered.faithful and os.path.isfile(file):
        return Program(Path(os.path.abspath(file)), function.__name__, watched)
    files = {f"{function.__name__}.py": gathered.text(), **gathered.files}
    folder = _typed() / hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return Program(folder / f"{function.__name__}.py", function.__name__, watched)


def _typed() -> Path:
    """Where texts are kept that have no file, so that what is said of them can show their lines."""
    chosen, shared = os.environ.get("HTP_CACHE", ""), os.environ.get("XDG_CACHE_HOME", "")
    if chosen != "off":
        folder = Path(chosen or (Path(shared) / "htp" if shared.startswith("/") else Path.home() / ".cache/htp")) / "typed"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            pass
    import tempfile

    return Path(_kept.setdefault("folder", tempfile.TemporaryDirectory(prefix="htp-typed")).name)


_kept: dict[str, Any] = {}


@dataclass
class _Gathered:
    """Definitions, those first that others read, and whether the files that they are in still say the same."""

    imports: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """Those beside a program that it has as texts, `htp.text("scaled.cc")`."""
    taken: dict[str, object] = field(default_factory=dict)
    watched: list[tuple[dict[str, Any], str, object]] = field(default_factory=list)
    faithful: bool = True

    def text(self) -> str:
        blocks = ["\n".join(dict.fromkeys(self.imports.values())), "\n".join(self.values.values()), *self.functions.values()]
        return "\n\n\n".join(block for block in blocks if block) + "\n"

    def function(self, name: str, value: Any) -> None:
        function = function_of(value)
        text = source_of(function)
        if function.__name__ != name:
            raise HtpError(f"`{name}` is another name of `{function.__name__}`: a program calls a function by the name it was defined with")
        self.faithful &= _said_by_file(function, text)
        module = function.__globals__
        for path in _texts_of(text):
            beside = Path(module.get("__file__") or "").parent / path
            try:
                self.files[path] = beside.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise HtpError(f"`htp.text({path!r})` of `{name}`: {error}") from None
        cells = dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in function.__closure__ or ())))
        for used in _names(text):
            if used in cells:
                self.take(used, cells[used], None)
            elif used in module:
                _refuse_library(function, text, used, module[used])
                self.take(used, module[used], module)
            elif not hasattr(builtins, used) and used != name:
                raise HtpError(f"`{function.__name__}` names `{used}`, which is defined neither in its module nor in its closure: write it at module level")
        self.functions[name] = text

    def take(self, name: str, value: Any, module: dict[str, Any] | None) -> None:
        if module is not None:
            self.watched.append((module, name, value))
        else:
            self.faithful = False
        if name in self.taken:
            if self.taken[name] is not value:
                raise HtpError(f"`{name}` is one thing here and another there: a program has one module, give one of them another name")
            return
        self.taken[name] = value
        if isinstance(value, types.ModuleType):
            self.imports[name] = f"import {value.__name__}" + (f" as {name}" if value.__name__ != name else "")
        elif isinstance(value, Dim):
            self.imports["htp"] = "import htp"
            self.values[name] = f'{name} = htp.dim("{value.name}")'
        elif isinstance(value, (bool, int, float, str)):
            self.values[name] = f"{name} = {_literal(value)}"
            self.faithful &= module is not None and _constant_said(module, name, value)
        elif (found := _import_of(name, value)) is not None:
            self.imports[name] = found
        elif isinstance(value, types.FunctionType) or hasattr(value, "parameters"):
            self.function(name, value)
        else:
            raise HtpError(f"`{name}` is {type(value).__name__}, which cannot be written out as a module's constant: write the program in a file")


def _refuse_library(function: types.FunctionType, text: str, name: str, value: object) -> None:
    """Refuses a word of another library, `np.exp`, where it stands; the compiler would only see an import that nothing provides."""
    if not isinstance(value, types.ModuleType) or value.__name__.partition(".")[0] in ("htp", "math") or value.__name__.startswith("htp_"):
        return
    beside = os.path.dirname(str(function.__globals__.get("__file__", "")))
    if os.path.dirname(str(getattr(value, "__file__", ""))) == beside:
        return  # a file of the program
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            modules = [one for one in sorted(sys.modules) if one.startswith("htp_") and "." not in one and hasattr(sys.modules[one], node.attr)]
            there = f": write `{node.attr}`, of {modules[0]}" if modules else ": `htp-host ops` lists what there is"
            line = function.__code__.co_firstlineno + node.lineno - 1
            raise HtpError(f"{function.__code__.co_filename}:{line}: `{ast.unparse(node)}` is of {value.__name__}, and a program has the words of its dialects{there}")


def _literal(value: bool | int | float | str) -> str:
    if isinstance(value, float) and value != value:
        return 'float("nan")'
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return repr(value)


def _import_of(name: str, value: Any) -> str | None:
    """How a word of HTP or of a dialect is imported: of a package that was installed, not of a program's own modules."""
    own = getattr(value, "__module__", None) or type(value).__module__
    top = own.partition(".")[0]
    called = getattr(value, "__name__", name)
    dialects = sorted(module for module in sys.modules if module.startswith("htp_") and "." not in module)
    for module in dict.fromkeys((top, *dialects, "htp")):
        if not (module == "htp" or module.startswith("htp_") or "site-packages" in str(getattr(sys.modules.get(module), "__file__", ""))):
            continue
        for word in dict.fromkeys((name, called)):
            if getattr(sys.modules.get(module), word, None) is value:
                return f"from {module} import {word}" + (f" as {name}" if word != name else "")
    return None


def _texts_of(text: str) -> list[str]:
    """The paths in `htp.text("…")`."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and ast.unparse(node.func) in ("htp.text", "text") and len(node.args) == 1]
    return [node.args[0].value for node in calls if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)]


def _names(text: str) -> Iterator[str]:
    """The names that a function's text reads and does not bind itself, its decorators and annotations included."""
    (tree,) = ast.parse(text).body
    read = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    assert isinstance(tree, ast.FunctionDef)
    outside = {
        node.id
        for part in (*tree.decorator_list, *(a.annotation for a in tree.args.args if a.annotation), *([tree.returns] if tree.returns else []))
        for node in ast.walk(part)
        if isinstance(node, ast.Name)
    }
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    yield from dict.fromkeys(name for name in read if name not in bound or name in outside)


# ── texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


_texts: dict[types.CodeType, str] = {}
"""Of functions that no file holds: the text that was run."""


def remember(function: Callable[..., Any]) -> None:
    """Keeps the text that is being run, where that is no file: what `exec` was given, what was typed at a prompt."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not code.co_filename.startswith("<") or linecache.getlines(code.co_filename):
        return
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not (frame.f_code.co_filename == code.co_filename and frame.f_code.co_name == "<module>"):
        frame = frame.f_back
    if frame is None:
        return
    around = frame.f_back
    given = [value for space in ((around.f_locals, around.f_globals) if around else ()) for value in list(space.values()) if isinstance(value, str)]
    for text in (*given, *_typed_lines(code.co_name)):
        if f"def {code.co_name}" not in text:
            continue
        for mode in ("exec", "single"):
            try:
                same = _alike(compile(text, code.co_filename, mode, dont_inherit=True), frame.f_code)
            except (SyntaxError, ValueError):
                continue
            if same:
                _texts[code] = text
                return


def _typed_lines(name: str) -> Iterator[str]:
    """What was typed last, as the prompt's history has it: from each line on that may begin a definition."""
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    lines = [readline.get_history_item(k) or "" for k in range(max(1, count - 400), count + 1)]
    for first in range(len(lines) - 1, -1, -1):
        if lines[first].startswith(("@", "def ")):
            for last in range(len(lines), first, -1):
                yield "\n".join(lines[first:last]) + "\n"


def source_of(function: types.FunctionType) -> str:
    """The text of a definition, decorators included."""
    code = function.__code__
    known = _texts.get(code) or next((text for other, text in _texts.items() if other.co_filename == code.co_filename and _has(text, code)), None)
    if known is not None:
        for node in ast.walk(ast.parse(known)):
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                return textwrap.dedent("\n".join(known.splitlines()[first - 1 : node.end_lineno])).rstrip()
    linecache.checkcache(code.co_filename)
    try:
        text = textwrap.dedent(inspect.getsource(function)).rstrip()
    except (OSError, TypeError):
        for text in _typed_lines(code.co_name):
            if _has(text, code):
                return text.rstrip()
        raise HtpError(f"the text of `{function.__name__}` is not kept here ({code.co_filename}): write it in a file, or in a notebook") from None
    if not _has("".join(linecache.getlines(code.co_filename)), code) and not _has(text, code):
        raise HtpError(f"`{code.co_filename}` has changed since `{function.__name__}` was read from it: load it again")
    return text


def _has(text: str, code: types.CodeType) -> bool:
    """Whether the text, a module's or of the function alone, defines a function with this code. What one alone has of the functions around it are
    parameters of one around it here."""
    try:
        tree = ast.parse(text)
        if code.co_freevars and len(tree.body) == 1 and isinstance(tree.body[0], ast.FunctionDef) and tree.body[0].name == code.co_name:
            (around,) = ast.parse(f"def around({', '.join(code.co_freevars)}): pass").body
            assert isinstance(around, ast.FunctionDef)
            around.body, tree.body = tree.body, [around]
        made = compile(tree, code.co_filename, "exec", dont_inherit=True, flags=code.co_flags & _FUTURE)
    except (SyntaxError, ValueError):
        return False
    return any(_alike(one, code) for one in _codes(made))


_FUTURE = 0x1000000  # `from __future__ import annotations`, of the module around


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _alike(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two codes do the same, wherever they stand."""
    same = all(getattr(one, part) == getattr(other, part) for part in ("co_name", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars"))
    return same and _constants_alike(one.co_consts, other.co_consts)


def _constants_alike(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(
        _alike(a, b) if isinstance(a, types.CodeType) and isinstance(b, types.CodeType) else type(a) is type(b) and repr(a) == repr(b)
        for a, b in zip(one, other)
    )


# ── whether a file says the same ────────────────────────────────────────────────────────────────────────────────────────


def _module_text(file: str) -> ast.Module | None:
    try:
        return ast.parse(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError):
        return None


def _said_by_file(function: types.FunctionType, text: str) -> bool:
    """Whether the function's file defines it at module level, last of that name, with this text."""
    tree = _module_text(function.__code__.co_filename)
    if tree is None or any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body):
        return False  # what a star brings no compile sees
    last = next((node for node in reversed(tree.body) if function.__name__ in _binds(node)), None)
    return isinstance(last, ast.FunctionDef) and ast.dump(last) == ast.dump(ast.parse(text).body[0])


def _binds(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]


def _constant_said(module: Mapping[str, Any], name: str, value: object) -> bool:
    """Whether the module's file gives the name this value: by a literal, or by an expression that still does."""
    tree = _module_text(str(module.get("__file__", "")))
    node = None if tree is None else next((node for node in reversed(tree.body) if name in _binds(node)), None)
    for one in tree.body if tree is not None and node is None else ():
        if isinstance(one, ast.ImportFrom) and not one.level:
            for alias in one.names:
                if name == (alias.asname or alias.name):
                    other = sys.modules.get(one.module or "")
                    return other is not None and getattr(other, alias.name, None) is value and _constant_said(vars(other), alias.name, value)
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return False
    if isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name):
        return True
    expression = node.value
    if isinstance(expression, ast.Call) and ast.unparse(expression.func) in ("htp.choice", "choice") and expression.args:
        expression = expression.args[0]
    simple = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    if not all(isinstance(part, simple) for part in ast.walk(expression)):
        return True
    try:
        found = eval(compile(ast.Expression(expression), "<constant>", "eval"), dict(module))  # arithmetic, and nothing else
    except Exception:
        return False
    return type(found) is type(value) and repr(found) == repr(value)
