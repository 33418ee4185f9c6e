"""Law 10: host/ knows no dialect, type or target; a plugin sees only the SDK and leaves no undefined symbol outside its libraries.

    law10.py --host build/dev/bin/htp-host       (the plugins are those of the same build)

What a plugin sees is asked of the build itself: of what ninja makes its library, and what the compiler said that it read for each object. These are files of the
plugin's own folder, of the SDK, and of the system. What is made when CMake runs is made of what the folder's CMakeLists.txt names, and that leaves the folder nowhere.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from driver import ROOT, Report, main, options

FOREIGN = {"tile", "wsp", "csp", "cpu", "aie", "pto", "a2a3", "a2a3sim", "cuda", "npu"}
PLANTED = {"int cpu_x;": ["cpu_x"], "htp_tile_x();": ["htp_tile_x"], "TileSize s;": ["TileSize"], "IS_NPU": ["IS_NPU"], 'f("tile.infer")': ["tile.infer"],
           'HTP_ROW("htp_wsp")': ["htp_wsp"], "// tile": [], 'g("for instance tile.infer")': [], "compile(subtile, input)": []}  # fmt: skip
LIBRARIES = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "libisl.so.23"}
SANITIZERS = re.compile(r"lib(?:asan|ubsan|tsan)\.so\.\d+")
SDK = ("sdk/include", "sdk/lib", "sdk/plugin.map")
TOOL = "bin/htp-host"  # writes tables of intrinsics
OUTWARD = re.compile(r"\.\./|\b(?!CMAKE_CURRENT_)\w+_(?:SOURCE|BINARY)_DIR\b")
CMAKE = {"file(READ ../two/x.h text)": 1, "configure_file(${PROJECT_SOURCE_DIR}/plugins/two/x.h x.h)": 1, "file(READ ${two_BINARY_DIR}/x.inc text)": 1,
         "file(READ runtime/x.h text)": 0, "set(to ${CMAKE_CURRENT_BINARY_DIR}/x.h) # not ../two": 0}  # fmt: skip


def check(folder: Path, report: Report) -> None:
    """The sources and the plugins; no example has a part in it."""
    with report.checking("a foreign word is found where it stands, and nowhere else"):
        report.all(f"in `{text}` {_words(text)} are found" for text, words in PLANTED.items() if _words(text) != words)
    for source in sorted((ROOT / "host").rglob("*")):
        if source.suffix in (".h", ".cpp", ".def", ".inc"):
            with report.checking(f"{source.relative_to(ROOT)} knows no dialect or target"):
                report.all(_words(source.read_text()))
    with report.checking("a plugin that sees more than the SDK is found"):
        report.all(_planted(folder))
    for file in sorted((ROOT / "plugins").glob("*/CMakeLists.txt")):
        with report.checking(f"{file.relative_to(ROOT)} stays in its folder"):
            report.all(_outward(file.read_text()))
    host = options().host
    assert host is not None
    build = host.resolve().parent.parent
    libraries = sorted((build / "plugins").rglob("*.so"))
    with report.checking("the plugins of this build are found"):
        report.all(() if libraries else [f"none beside {host}"])
    made = Build(ROOT, build, libraries)
    for library in libraries:
        with report.checking(f"{library.name} is made of its own files and the SDK"):
            report.all(made.foreign(library))
        with report.checking(f"{library.name} leaves nothing undefined and exports one symbol"):
            report.all(_symbols(library))


def _words(text: str) -> list[str]:
    """Names of which a part is foreign, comments aside; a string may have one in an example, but may not be one."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    strings = [literal for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) if re.fullmatch(r"[\w.]+", literal)]
    names = re.findall(r"\w+", re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text))
    return sorted({name for name in strings + names if any(part.lower() in FOREIGN for part in re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+", name))})


def _outward(text: str) -> list[str]:
    """The lines of a CMakeLists.txt that name a file outside of its folder, comments aside."""
    return [line.strip() for line in re.sub(r'(?m)(?:^|\s)#[^"\n]*$', "", text).splitlines() if OUTWARD.search(line)]


class Build:
    """What ninja makes of what, and what the compiler said that it read for each object."""

    def __init__(self, tree: Path, build: Path, libraries: Iterable[Path]) -> None:
        self.tree, self.build = tree, build
        self.names: dict[Path, str] = {}
        self.made: dict[Path, list[Path]] = {}
        self.read: dict[Path, list[Path]] = {}
        self.names = {self._file(name): name for line in self._ninja("targets", ["all"]).splitlines() for name in [line.rpartition(": ")[0]]}
        known = self.names.keys() - {build / TOOL}
        left = set(libraries)
        while left:
            for block in re.split(r"\n(?=\S)", self._ninja("query", sorted(left))):
                target, *lines = block.partition("\n  outputs:")[0].splitlines()
                self.made[self._file(target.removesuffix(":"))] = [self._file(line[4:].removeprefix("| ")) for line in lines
                                                                   if line.startswith("    ") and not line.startswith("    || ")]  # fmt: skip
            for block in re.split(r"\n+(?=\S)", self._ninja("deps", sorted(file for file in left if file.suffix == ".o"))):
                target, *lines = block.rstrip().splitlines() or [""]
                self.read[self._file(target.partition(": ")[0])] = [self._file(line.strip()) for line in lines]
            left = {file for files in [*self.made.values(), *self.read.values()] for file in files if file in known} - self.made.keys()

    def foreign(self, library: Path) -> list[str]:
        """What a plugin's library is made of that is neither its own, nor of the SDK, nor of the system."""
        name = library.parent.name
        fine = [self.build / "plugins" / name, self.tree / "plugins" / name, *(self.tree / part for part in SDK)]
        seen: set[Path] = {self.build / TOOL}
        left, found = {library}, []
        while left:
            seen |= left
            for file in sorted(left):
                inside = file.is_relative_to(self.tree) or file.is_relative_to(self.build)
                if file not in self.made and inside and not any(file.is_relative_to(place) for place in fine):
                    found.append(f"reads {os.path.relpath(file, self.tree)}")
                if file in self.made and file.suffix == ".o" and not self.read.get(file):
                    found.append(f"{os.path.relpath(file, self.build)} has not been compiled")
            left = {of for file in left for of in [*self.made.get(file, ()), *self.read.get(file, ())]} - seen
        return found

    def _ninja(self, tool: str, names: Iterable[Path | str]) -> str:
        targets = [self.names[name] if isinstance(name, Path) else name for name in names]
        if not targets:
            return ""
        return subprocess.run(["ninja", "-t", tool, *targets], cwd=self.build, capture_output=True, text=True, check=True).stdout

    def _file(self, name: str) -> Path:
        return Path(os.path.normpath(self.build / name))


def _planted(folder: Path) -> list[str]:
    """A plugin of one file in order, and five that are not: what a build of them is said to have, against what it has."""
    tree = folder.resolve() / "planted"
    build = tree / "build"
    texts = {
        "sdk/include/sdk.h": "", "host/room.h": "", "plugins/two/two.h": "", "plugins/two/two.c": "int two;", "plugins/one/own.h": '#include "made.inc"',
        "build/plugins/one/made.inc": "",
        "plugins/one/fine.c": '#include "own.h"\n#include "sdk.h"\n#include <limits.h>\nint one;',
        "plugins/one/other.c": '#include "../two/two.h"\nint one;', "plugins/one/host.c": '#include "host/room.h"\nint one;',
        "build/plugins/one/batch.c": '#include "../../../plugins/one/own.h"\n#include "../../../plugins/one/other.c"',
        "plugins/one/never.c": "int one;",
    }  # fmt: skip
    sources = {"fine": "../plugins/one/fine.c", "other": "../plugins/one/other.c", "host": "../plugins/one/host.c", "batch": "plugins/one/batch.c",
               "linked": "../plugins/two/two.c", "never": "../plugins/one/never.c"}  # fmt: skip
    rules = "rule cc\n  command = cc -I../sdk/include -I.. -Iplugins/one -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\n"
    rules += "rule link\n  command = ld -r $in -o $out\n"
    for name, source in sources.items():
        place = "two" if name == "linked" else "one"
        rules += f"build plugins/{place}/{name}.o: cc {source}\nbuild plugins/one/{name}.so: link plugins/{place}/{name}.o | ../sdk/plugin.map\n"
    for path, text in {**texts, "sdk/plugin.map": "", "build/build.ninja": rules}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    subprocess.run(["ninja", *(f"plugins/one/{name}.so" for name in sources if name != "never")], cwd=build, capture_output=True, check=True)
    wanted = {"fine": [], "other": ["reads plugins/two/two.h"], "host": ["reads host/room.h"], "batch": ["reads plugins/two/two.h"],
              "linked": ["reads plugins/two/two.c"], "never": ["plugins/one/never.o has not been compiled"]}  # fmt: skip
    libraries = {name: build / f"plugins/one/{name}.so" for name in sources}
    made = Build(tree, build, libraries.values())
    found = {name: made.foreign(library) for name, library in libraries.items()}
    wrong = [f"of `{name}` is said {found[name]}" for name in sources if found[name] != wanted[name]]
    return wrong + [f"of `{text}` is said {_outward(text)}" for text, count in CMAKE.items() if len(_outward(text)) != count]


def _symbols(library: Path) -> list[str]:
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    found = [f"needs {name}" for name in sorted(needed - LIBRARIES) if not SANITIZERS.fullmatch(name)]
    exported = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1].split("@")[0] for line in exported.splitlines() if line.split()[-2] not in "Aa"]
    if [name for name in names if not name.startswith(("__odr_asan", "_ZTI", "_ZTS"))] != ["htp_plugin_entry"]:
        found.append(f"exports {names}")
    undefined = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    found += [f"leaves {line.split()[-1]} undefined" for line in undefined.splitlines() if re.search(r"\bU (?:htp_|Py|_Py|_ZN3htp)", line)]
    return found


if __name__ == "__main__":
    sys.exit(main(__doc__, None, check))
