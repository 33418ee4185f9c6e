"""Runs units that are written in Python, in an interpreter that runs nothing else (host/python/unit_interpreter.h).

Each plugin's module is made of the bytes that the host has read, under a name of its own, so that two plugins may have modules of
one name and a user's own are never met. While a unit's code runs, an audit hook refuses what would let the world in (R16).
"""

import _frozen_importlib
import _thread
import ast
import builtins
import io
import os
import posix
import sys
import types

FILE = "<htp>"

# Modules that a unit has no use for but to look at the world; what it does instead.
REFUSED_MODULES = {
    **dict.fromkeys(("time", "datetime", "calendar", "sched"), "what is compiled does not depend on when"),
    **dict.fromkeys(("random", "secrets", "uuid", "tempfile"), "ask the host: `c.random()` is seeded by the profile"),
    **dict.fromkeys(("threading", "_thread", "multiprocessing", "concurrent", "asyncio", "signal"), "a unit runs on one thread"),
    **dict.fromkeys(("subprocess", "pty", "socket", "ssl", "http", "urllib", "ctypes", "mmap", "fcntl"), "a unit sees its program only"),
    **dict.fromkeys(("platform", "getpass", "pwd", "locale"), "what is compiled is the same on every machine"),
}  # fmt: skip

# Families of audit events that are refused while a unit runs, by what it did.
REFUSED_EVENTS = {
    "open": "opens a file",
    "os": "asks the system",
    "pathlib": "looks at files",
    "glob": "looks at files",
    "shutil": "touches files",
    "tempfile": "makes a file",
    "fcntl": "asks the system",
    "mmap": "maps memory",
    "socket": "opens a connection",
    "subprocess": "starts a process",
    "ctypes": "calls foreign code",
    "signal": "takes signals",
    "resource": "asks the system",
    "sqlite3": "opens a file",
    "time": "waits",
    "_thread": "starts a thread",
    "builtins.input": "reads the terminal",
    "builtins.breakpoint": "waits at the terminal",
}


class NotAllowed(Exception):
    """What a unit may not do; the second argument says what to do instead."""

    def __str__(self):
        return self.args[0]


class Cancelled(BaseException):
    """Raised in a running unit when the compile is cancelled."""


class Line(int):
    """A line number that knows its node by what it is: `ast.copy_location` copies it, and so says what a node was made from."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return int, (int(self),)


class State(_thread._local):
    """Of this thread, while it runs a unit."""

    guarded = False
    printed = None


state = State()


class Unguarded:
    def __enter__(self):
        self.before, state.guarded = state.guarded, False

    def __exit__(self, *_):
        state.guarded = self.before


def audit(event, args):
    if not state.guarded:
        return
    what = REFUSED_EVENTS.get(event) or REFUSED_EVENTS.get(event.partition(".")[0])
    if what is None:
        return
    about = f" `{args[0]}`" if event == "open" and args else "" if event == "open" else f" (`{event}`)"
    raise NotAllowed(what + about, "`c.read(path)` reads a file beneath the program's folder, and the package records it" if event == "open" else "")


def refuse_exit(*_):
    raise NotAllowed("ends the process", "return, raise, or `c.report(…)`")


class Plugin:
    """One plugin's module: its files by name, beneath one alias."""

    def __init__(self, alias, module, bare, files):
        self.alias, self.module, self.bare = alias, module, bare
        self.files = files  # name beneath the module's folder → (path, bytes)
        self.paths = {path for path, _ in files.values()}
        package = types.ModuleType(alias)
        package.__path__ = []
        sys.modules[alias] = package


plugins = {}  # by alias


class Source:
    """The loader of one file."""

    def __init__(self, path, text):
        self.path, self.text = path, text

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = self.path
        before, state.guarded = state.guarded, True
        try:
            exec(compile(self.text, self.path, "exec", dont_inherit=True), module.__dict__)
        finally:
            state.guarded = before

    def get_source(self, name):
        return self.text.decode("utf-8", "replace")


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        alias, _, rest = name.partition(".")
        plugin = plugins.get(alias)
        if plugin is None:
            return None
        # The package's own text is for programs, and often imports what only those need.
        if rest == plugin.module and plugin.bare:
            return _frozen_importlib.ModuleSpec(name, Source(FILE, b""), is_package=True)
        for suffix in ("/__init__.py", ".py"):
            file = rest.replace(".", "/") + suffix
            if file in plugin.files:
                found, text = plugin.files[file]
                return _frozen_importlib.ModuleSpec(name, Source(found, text), origin=found, is_package=suffix != ".py")
        return None


plain_import = builtins.__import__


def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
    asker = plugins.get(str((globals or {}).get("__name__", "")).partition(".")[0])
    top = name.partition(".")[0]
    if asker is not None and level == 0:
        if top == asker.module:
            found = plain_import(f"{asker.alias}.{name}", globals, locals, fromlist, 0)
            return found if fromlist else getattr(found, top)
        if top in REFUSED_MODULES:
            raise NotAllowed(f"imports `{name}`", REFUSED_MODULES[top])
    with Unguarded():  # but for the plugin's own text, see Source
        return plain_import(name, globals, locals, fromlist, level)


class Printed(io.TextIOBase):
    """Standard output and error: what a unit prints is kept for the host to tell."""

    def writable(self):
        return True

    def write(self, text):
        if state.printed is not None:
            state.printed.append(text)
        return len(text)


def prepare(extend):
    """Once, before anything else runs here."""
    sys.dont_write_bytecode = True
    sys.setrecursionlimit(20000)  # a visitor of a program as deep as they may be
    library = os.path.dirname(os.__file__)
    sys.path[:] = [path for path in sys.path if path == library or os.path.basename(path) == "lib-dynload"]
    os.environ._data.clear()
    posix.environ.clear()
    for module in (os, posix):
        module._exit = module.abort = refuse_exit
    sys.stdin, sys.stdout, sys.stderr = None, Printed(), Printed()
    sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None
    # Of the authoring package only what units are written with.
    package, module = types.ModuleType("htp"), types.ModuleType("htp.extend")
    package.__path__ = []
    sys.modules["htp"], sys.modules["htp.extend"], package.extend = package, module, module
    exec(compile(extend, "<htp.extend>", "exec", dont_inherit=True), module.__dict__)
    sys.meta_path.insert(0, Finder)
    builtins.__import__ = guarded_import
    sys.addaudithook(audit)
    return module.Context


def failure(error, plugin):
    """What is to be told of an exception: its kind and message, the location in the plugin's files, the traceback, what instead, and the
    nodes that the plugin's functions had at hand, innermost first."""
    import linecache
    import traceback

    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in (FILE, "<frozen importlib._bootstrap>"):
        trace = trace.tb_next
    nodes, place = [], None
    for frame, _ in traceback.walk_tb(trace):
        path = frame.f_code.co_filename
        if path in plugin.paths:
            linecache.lazycache(path, {"__name__": path, "__loader__": Source(path, next(t for p, t in plugin.files.values() if p == path))})
            nodes[:0] = [v for v in frame.f_locals.values() if isinstance(v, ast.AST) and not isinstance(v, ast.Module)]
    for entry in traceback.extract_tb(trace):
        if entry.filename in plugin.paths:
            place = (entry.filename, entry.lineno, entry.colno or 0, entry.end_lineno or entry.lineno, entry.end_colno or 0)
    if isinstance(error, SyntaxError) and error.filename in plugin.paths and error.lineno:
        place = (error.filename, error.lineno, max((error.offset or 1) - 1, 0), error.lineno, max((error.end_offset or 0) - 1, 0))
    told = traceback.TracebackException(type(error), error, trace)
    told.stack[:] = [entry for entry in told.stack if entry.filename != FILE]
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    own = f"{plugin.alias}."  # the host's name for it
    instead = error.args[1] if isinstance(error, NotAllowed) else ""
    for path in plugin.paths:
        linecache.cache.pop(path, None)
    return (isinstance(error, NotAllowed), type(error).__name__, message.replace(own, ""), place, "".join(told.format()).rstrip().replace(own, ""), instead, nodes)


def call(alias, module, bare, files, name, function, loaded, arguments):
    """Runs `function` of `name`, of the plugin, on what `arguments()` gives. Returns (how, what, printed): how is "done" with the result,
    "missing" where there is no such function, "failed" with what `failure` tells, or "cancelled". `loaded` is given the function
    before it runs; with no `arguments` it is not run."""
    plugin = plugins.get(alias)
    if plugin is None:
        plugin = plugins[alias] = Plugin(alias, module, bare, files)
    outer = state.guarded, state.printed
    state.printed = printed = []
    try:
        try:
            plain_import(f"{alias}.{name}")
            found = getattr(sys.modules[f"{alias}.{name}"], function, None)
            if not callable(found):
                names = [key for key, value in vars(sys.modules[f"{alias}.{name}"]).items() if isinstance(value, types.FunctionType)]
                return "missing", (found is not None, names), ""
            code = getattr(found, "__code__", None)
            loaded(None if code is None or code.co_filename not in plugin.paths else (code.co_filename, code.co_firstlineno))
            if arguments is None:
                return "done", None, "".join(printed)
            given = arguments()
            state.guarded = True
            return "done", found(*given), "".join(printed)
        finally:
            state.guarded = False
    except Cancelled:
        return "cancelled", None, ""
    except BaseException as error:
        return "failed", failure(error, plugin), "".join(printed)
    finally:
        state.guarded, state.printed = outer
