"""Law 10: host/ knows no dialect, type or target; a plugin sees only the SDK and leaves no undefined symbol outside its libraries.

    law10.py --host build/dev/bin/htp-host       (the plugins are those of the same build)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from driver import ROOT, Report, main, options

FOREIGN = {"tile", "wsp", "csp", "cpu", "aie", "pto", "a2a3", "a2a3sim", "cuda", "npu"}
PLANTED = {"int cpu_x;": ["cpu_x"], "htp_tile_x();": ["htp_tile_x"], "TileSize s;": ["TileSize"], "IS_NPU": ["IS_NPU"], 'f("tile.infer")': ["tile.infer"],
           'HTP_ROW("htp_wsp")': ["htp_wsp"], "// tile": [], 'g("for instance tile.infer")': [], "compile(subtile, input)": []}  # fmt: skip
LIBRARIES = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2", "libisl.so.23"}
SANITIZERS = re.compile(r"lib(?:asan|ubsan|tsan)\.so\.\d+")


def check(folder: Path, report: Report) -> None:
    """The sources and the plugins; no example has a part in it."""
    with report.checking("a foreign word is found where it stands, and nowhere else"):
        report.all(f"in `{text}` {_words(text)} are found" for text, words in PLANTED.items() if _words(text) != words)
    for source in sorted((ROOT / "host").rglob("*")):
        if source.suffix in (".h", ".cpp", ".def", ".inc"):
            with report.checking(f"{source.relative_to(ROOT)} knows no dialect or target"):
                report.all(_words(source.read_text()))
    for source in sorted((ROOT / "plugins").rglob("*")):
        if source.suffix in (".h", ".cpp"):
            with report.checking(f"{source.relative_to(ROOT)} sees only the SDK"):
                report.all(line for line in source.read_text().splitlines() if re.match(r'\s*#include\s+["<](?:host|sdk|\.\./\.\.)/', line))
    host = options().host
    assert host is not None
    libraries = sorted((host.parent.parent / "plugins").rglob("*.so"))
    with report.checking("the plugins of this build are found"):
        report.all(() if libraries else [f"none beside {host}"])
    for library in libraries:
        with report.checking(f"{library.name} leaves nothing undefined and exports one symbol"):
            report.all(_symbols(library))


def _words(text: str) -> list[str]:
    """Names of which a part is foreign, comments aside; a string may have one in an example, but may not be one."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    strings = [literal for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) if re.fullmatch(r"[\w.]+", literal)]
    names = re.findall(r"\w+", re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text))
    return sorted({name for name in strings + names if any(part.lower() in FOREIGN for part in re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+", name))})


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
    sys.exit(main(__doc__, lambda package, report: None, check))
