"""The program of an entry that is there as an object: the file that it was defined in, or its text put together from what it uses.

What runs in this process is the truth. A file is taken where it says what the entry and all it reaches are now; else (typed at a prompt, in a
notebook, by `exec`; a constant or a function that was rebound since) the definitions are written out, each as it is.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import importlib.util
import inspect
import linecache
import math
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


Watched = tuple[tuple[Callable[[str], object], str, object], ...]
"""What gives the value of a name, the name, and its value: of modules, of cells, of functions."""


def same(watched: Watched) -> bool:
    """Whether all have the values that they had."""
    try:
        for value, name, before in watched:
            if value(name) is not before:
                return False
    except ValueError:  # a cell that holds nothing now
        return False
    return True


@dataclass(frozen=True)
class Program:
    """What is compiled, and the names whose values it was made of."""

    path: Path
    entry: str
    watched: Watched
    written: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Of constants that are written out with their values: what their file computes them of."""

    def current(self) -> bool:
        """Whether all of them still have the same values."""
        return same(self.watched)

    def compiled(self, *, target: str | None, profile: Any, **options: Any) -> Path:
        from htp import native

        chosen = options.get("set") or {}
        for name, of in self.written.items():
            if name not in chosen and (given := of & set(chosen)):
                raise HtpError(f"`{min(given)}=…`: `{name}` is computed of it, and is compiled with the value that it has: give `{name}` too")
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
    return Program(folder / f"{function.__name__}.py", function.__name__, watched, gathered.computed)


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
    computed: dict[str, frozenset[str]] = field(default_factory=dict)
    taken: dict[str, object] = field(default_factory=dict)
    watched: list[tuple[Callable[[str], object], str, object]] = field(default_factory=list)
    faithful: bool = True

    def text(self) -> str:
        blocks = ["\n".join(dict.fromkeys(self.imports.values())), "\n".join(self.values.values()), *self.functions.values()]
        return "\n\n\n".join(block for block in blocks if block) + "\n"

    def function(self, name: str, value: Any) -> None:
        function = function_of(value)
        if function.__name__ != name or function.__code__.co_name != name:
            own = function.__name__ if function.__name__ != name else function.__code__.co_name
            raise HtpError(f"`{name}` is another name of `{own}`: a program calls a function by the name it was defined with")
        text = source_of(function)
        self.faithful &= _said_by_file(function, text)
        module = function.__globals__
        self.watched.append((functools.partial(getattr, function), "__code__", function.__code__))
        text = self.defaults(function, text)
        for path in _texts_of(text):
            beside = Path(module.get("__file__") or "").parent / path
            try:
                self.files[path] = beside.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise HtpError(f"`htp.text({path!r})` of `{name}`: {error}") from None
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        for used in _names(text):
            if used in cells:
                try:
                    value = cells[used].cell_contents
                except ValueError:
                    raise HtpError(f"`{function.__name__}` names `{used}`, which is bound to nothing yet") from None
                self.watched.append((functools.partial(getattr, cells[used]), "cell_contents", value))
                self.take(used, value, None)
            elif used in module:
                _refuse_library(function, text, used, module[used])
                self.attributes(text, used, module[used])
                self.take(used, module[used], module)
            elif hasattr(builtins, used):
                self.watched.append((module.get, used, None))
            elif used != name:
                raise HtpError(f"`{function.__name__}` names `{used}`, which is defined neither in its module nor in its closure: write it at module level")
        self.functions[name] = text

    def defaults(self, function: types.FunctionType, text: str) -> str:
        """The text with the defaults that its parameters have now."""
        (tree,) = ast.parse(text).body
        assert isinstance(tree, ast.FunctionDef)
        named = {arg.arg: node for arg, node in zip(tree.args.kwonlyargs, tree.args.kw_defaults) if node is not None}
        now, of_names = function.__defaults__ or (), function.__kwdefaults__ or {}
        if len(now) != len(tree.args.defaults) or of_names.keys() != named.keys():
            raise HtpError(f"`{function.__name__}` has defaults for other parameters than its text: define it anew")
        if now or of_names:
            self.watched += [(functools.partial(getattr, function), part, getattr(function, part)) for part in ("__defaults__", "__kwdefaults__")]
        for node, value in sorted([*zip(tree.args.defaults, now), *((node, of_names[arg]) for arg, node in named.items())], key=_last_first):
            said = _gives(function.__globals__, node, value)
            self.faithful &= said
            if said and isinstance(node, ast.Constant):
                continue
            if _is_constant(value):
                text = _replaced(text, node, _literal(value))
            elif not (isinstance(node, ast.Name) and function.__globals__.get(node.id) is value):
                raise HtpError(f"a default of `{function.__name__}` is {type(value).__name__}, `{ast.unparse(node)}`, which cannot be written out: give it in each call")
        return text

    def attributes(self, text: str, name: str, value: object) -> None:
        """What a text reads of Python's `math`: it is compiled as what it was."""
        if value is not math:
            return
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                if getattr(math, node.attr, None) is not _MATH.get(node.attr):
                    raise HtpError(f"`{ast.unparse(node)}` is not what Python has by that name: bind it to a name of the module")
                self.watched.append((vars(math).get, node.attr, _MATH.get(node.attr)))

    def take(self, name: str, value: Any, module: dict[str, Any] | None) -> None:
        if module is not None:
            self.watched.append((module.get, name, value))
        self.faithful &= module is not None and _said(module, name, value)
        if name in self.taken:
            there = self.taken[name]
            same_dim = isinstance(there, Dim) and isinstance(value, Dim) and there.name == value.name
            if there is not value and not same_dim and not (_is_constant(value) and _alike_values(there, value)):
                raise HtpError(f"`{name}` is one thing here and another there: a program has one module, give one of them another name")
            return
        self.taken[name] = value
        if isinstance(value, types.ModuleType):
            self.imports[name] = f"import {value.__name__}" + (f" as {name}" if value.__name__ != name else "")
        elif isinstance(value, Dim):
            self.imports["htp"] = "import htp"
            self.values[name] = f'{name} = htp.dim("{value.name}")'
        elif _is_constant(value):
            self.values[name] = f"{name} = {_literal(value)}"
            self.computed[name] = frozenset(_behind(module or {}, name) - {name})
        elif (found := _import_of(name, value)) is not None:
            if " as " in found and hasattr(value, "storage"):  # a compile knows it by its name alone
                raise HtpError(f"`{name}` is the dtype `{value.__name__}`, and a program has dtypes by their own names: write `{value.__name__}`")
            self.imports[name] = found
        elif isinstance(value, types.FunctionType) or hasattr(value, "parameters"):
            self.function(name, value)
        else:
            raise HtpError(f"`{name}` is {type(value).__name__}, which cannot be written out as a module's constant: write the program in a file")


_MATH = dict(vars(math))


def _last_first(default: tuple[ast.expr, object]) -> tuple[int, int]:
    return -default[0].lineno, -default[0].col_offset


def _replaced(text: str, node: ast.expr, by: str) -> str:
    """The text with other words where a node of it stands."""
    lines = [line.encode() for line in text.split("\n")]
    begin, end = (sum(len(line) + 1 for line in lines[: row - 1]) + column for row, column in ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)))
    whole = b"\n".join(lines)
    return (whole[:begin] + by.encode() + whole[end:]).decode()


def _refuse_library(function: types.FunctionType, text: str, name: str, value: object) -> None:
    """Refuses a word of another library, `np.exp`, where it stands; the compiler would only see an import that nothing provides."""
    if not isinstance(value, types.ModuleType) or value.__name__.partition(".")[0] in ("htp", "math") or value.__name__.startswith("htp_"):
        return
    beside = os.path.dirname(str(function.__globals__.get("__file__", "")))
    own = os.path.dirname(str(getattr(value, "__file__", ""))) == beside  # a file of the program
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            if own:  # what a call looks at again are names of modules
                line = function.__code__.co_firstlineno + node.lineno - 1
                raise HtpError(f"{function.__code__.co_filename}:{line}: a call does not see when `{ast.unparse(node)}` is rebound: write `from {value.__name__} import {node.attr}`, and `{node.attr}`")
            modules = [one for one in sorted(sys.modules) if one.startswith("htp_") and "." not in one and hasattr(sys.modules[one], node.attr)]
            there = f": write `{node.attr}`, of {modules[0]}" if modules else ": `htp-host ops` lists what there is"
            line = function.__code__.co_firstlineno + node.lineno - 1
            raise HtpError(f"{function.__code__.co_filename}:{line}: `{ast.unparse(node)}` is of {value.__name__}, and a program has the words of its dialects{there}")


def _is_constant(value: object) -> bool:
    return isinstance(value, (bool, int, float, str)) or (type(value) is tuple and all(map(_is_constant, value)))


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({''.join(f'{_literal(one)}, ' for one in value).rstrip(' ') if len(value) == 1 else ', '.join(map(_literal, value))})"
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else f'float("{float.__repr__(value)}")'
    kind: Any = next(kind for kind in (bool, int, str) if isinstance(value, kind))
    return str(kind.__repr__(value))


def _import_of(name: str, value: Any) -> str | None:
    """How a word of HTP or of a dialect is imported: of a package that was installed, not of a program's own modules."""
    own = getattr(value, "__module__", None) or type(value).__module__
    top = own.partition(".")[0]
    called = getattr(value, "__name__", name)
    dialects = sorted(module for module in sys.modules if module.startswith("htp_") and "." not in module)
    for module in dict.fromkeys((top, *dialects, "htp")):
        if not _is_installed(module):
            continue
        for word in dict.fromkeys((name, called)):
            if getattr(sys.modules.get(module), word, None) is value:
                return f"from {module} import {word}" + (f" as {name}" if word != name else "")
    return None


def _is_installed(module: str) -> bool:
    return module == "htp" or module.startswith("htp_") or "site-packages" in str(getattr(sys.modules.get(module), "__file__", ""))


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
        for part in (*tree.decorator_list, tree.args, *([tree.returns] if tree.returns else []))
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
    """Whether the function's file defines it at module level, and nothing else of that name, with this text."""
    tree = _module_text(function.__code__.co_filename)
    if tree is None or any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body):
        return False  # what a star brings no compile sees
    found = [node for node in tree.body if function.__name__ in _binds(node)]
    return len(found) == 1 and isinstance(found[0], ast.FunctionDef) and ast.dump(found[0]) == ast.dump(ast.parse(text).body[0])


def _binds(node: ast.AST) -> Iterator[str]:
    """The names of the module that a statement binds, or may bind."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        if isinstance(name := getattr(node, "name", None) or getattr(node, "rest", None), str):
            yield name  # `except E as name`, `case name`
        for child in ast.iter_child_nodes(node):
            yield from _binds(child)


def _said(module: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether the module's file gives the name this value, by the one statement that binds it: what is compiled of the file has it then."""
    tree = _module_text(str(module.get("__file__", "")))
    found = [node for node in tree.body if name in _binds(node)] if tree is not None else []
    if len(found) != 1:
        return False
    (node,) = found
    if isinstance(node, ast.FunctionDef):
        function = inspect.unwrap(getattr(value, "entry", value))
        return isinstance(function, types.FunctionType) and function.__globals__ is module and function.__name__ == name  # its text is looked at apart
    if isinstance(node, ast.Import):
        alias = next(alias for alias in node.names if name in _binds(alias))
        return sys.modules.get(alias.name if alias.asname else name) is value
    if isinstance(node, ast.ImportFrom):
        alias = next(alias for alias in node.names if name in _binds(alias))
        try:
            origin = importlib.util.resolve_name("." * node.level + (node.module or ""), module.get("__package__"))
        except ImportError:
            return False
        other = sys.modules.get(origin)
        if other is None or getattr(other, alias.name, None) is not value:
            return False
        return _is_installed(origin.partition(".")[0]) or _said(vars(other), alias.name, value)
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return _gives(module, node.value, value)
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    (target,) = node.targets
    if isinstance(target, ast.Name):
        return _gives(module, node.value, value)
    if not isinstance(target, ast.Tuple) or not isinstance(node.value, ast.Tuple) or len(target.elts) != len(node.value.elts):
        return False
    given = [one for to, one in zip(target.elts, node.value.elts) if isinstance(to, ast.Name) and to.id == name]
    return len(given) == 1 and _gives(module, given[0], value)


def _behind(module: Mapping[str, Any], name: str) -> set[str]:
    """The names that the module's file computes a constant of, and those behind them."""
    tree = _module_text(str(module.get("__file__", "")))
    found, open = set[str](), [name]
    while tree is not None and open:
        name = open.pop()
        for node in tree.body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) and name in _binds(node):
                read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
                open += read - found
                found |= read
    return found


_COMPUTED = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.Subscript, ast.operator, ast.unaryop, ast.expr_context)
"""What a compile computes too; of all else the value is written out."""
_PURE = ("float", "len")


def _gives(module: Mapping[str, Any], expression: ast.expr, value: object) -> bool:
    """Whether an expression of the module's file still gives the value, by what the file itself says: arithmetic, and nothing else."""
    if isinstance(expression, ast.Call) and ast.unparse(expression.func) in ("htp.choice", "choice") and expression.args:
        expression = expression.args[0]
    if isinstance(value, Dim):
        return isinstance(expression, ast.Call) and ast.unparse(expression) in (f"htp.dim({value.name!r})", f"dim({value.name!r})")
    try:
        if not all(_is_sure(module, part) for part in ast.walk(expression)):
            return False
        found = eval(compile(ast.Expression(expression), "<constant>", "eval"), dict(module))
    except Exception:
        return False
    return _alike_values(found, value)


def _is_sure(module: Mapping[str, Any], part: ast.AST) -> bool:
    """Whether what this part of an expression reads is what the file says."""
    if isinstance(part, ast.Name):
        return _said(module, part.id, module[part.id]) if part.id in module else part.id in _PURE
    if isinstance(part, ast.Attribute):
        of_math = isinstance(part.value, ast.Name) and module.get(part.value.id) is math
        return of_math and part.attr in _MATH and getattr(math, part.attr, None) is _MATH[part.attr]
    if isinstance(part, ast.Call):
        return not part.keywords and isinstance(part.func, ast.Name) and part.func.id in _PURE and part.func.id not in module
    return isinstance(part, _COMPUTED)


def _alike_values(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)
