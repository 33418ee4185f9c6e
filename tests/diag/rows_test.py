"""Each row of a plugin's table of diagnostics is reported by a kept program, and says what is the case by itself.

A row is reported by a program of `tests/PLUGIN/refused` or `tests/laws/bad`; where more than a program is needed, a package that is run or a command, by a test of its owner.
A row that nothing can bring about is listed here, with the reason. No row is one of many different sentences, written where they are reported, and no row of the
host says nothing itself (`diag/coverage` asks for the tests of those).
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TESTS = {
    "a2a3": ["backend-a2a3"],
    "a2a3sim": ["binding-a2a3sim", "backend-a2a3"],
    "aie": ["backend-aie"],
    "aiesim": ["binding-aiesim"],
    "cpu": ["backend-cpu/diagnostics_test.cpp", "cli/golden"],
    "csp": ["dialect-csp", "cli/golden"],
    "mlir": ["island-mlir"],
    "opencl": ["binding-opencl"],
    "simt": ["backend-simt"],
    "tile": ["dialect-tile", "pipeline", "check", "cli"],
    "wsp": ["dialect-wsp", "cli"],
}
"""By the owner of a code: the tests in whose text it may stand instead."""

UNREACHED = {
    "mlir.not-ready": "the verifier of `Codegen.Ready(target=cpu)` refuses such a stage before",
    "mlir.no-statement": "an error of the island",
    "a2a3.malformed-call": "the tile language refuses such a call before; `check/own` makes them at random",
    "a2a3.no-entry": "the host refuses an entry that there is not",
    "aie.no-entry": "the host refuses an entry that there is not",
    "aie.not-tile": "the languages refuse what is not a tile before",
    "aie.operand-count": "the tile language refuses such a call before",
    "aie.reassigned": "the tile language refuses such an assignment before",
    "aie.axis": "the tile language refuses such an axis before",
    "aie.parameter": "the tile language refuses such a parameter before",
    "aie.grid": "the language of processes refuses such a grid before",
    "aie.channel-index": "the language of processes refuses such a channel before",
    "aie.memory-tile-full": "no program is kept yet",
    "aie.program-memory": "no program is kept yet",
    "simt.no-entry": "the host refuses an entry that there is not",
    "opencl.bad-package": "the host refuses a package whose files were changed",
    "opencl.build-failed": "no device at hand refuses what is emitted",
    "opencl.call-failed": "no device at hand fails",
    "opencl.too-large": "no machine holds such arguments",
    "aiesim.no-symbol": "the build makes a function of each core",
    "aiesim.python-ended": "no test has a body that ends Python",
    "aiesim.unpredicted-count": "the module's reader takes a number there alone",
    "aiesim.not-loadable": "no test calls a package from Python",
    "aiesim.differs": "no test calls a package from Python",
}
"""Codes that nothing is known to bring about, and why."""

SENTENCES = 5
"""So many texts of several words may be arguments of one row: words for a kind of thing, as `a constant of the module`."""


def rows() -> Iterator[tuple[Path, str, str, str]]:
    """Of every plugin: its folder, and of each row the name, the code and the message."""
    for table in sorted(ROOT.glob("plugins/**/diagnostics.def")):
        plugin = ROOT / "plugins" / table.relative_to(ROOT / "plugins").parts[0]
        found = re.findall(r'^DIAG\((\w+),\s*"([^"]+)",\s*\w+,\s*"((?:[^"\\]|\\.)*)"', table.read_text(), re.MULTILINE)
        assert found, table
        for name, code, message in found:
            yield plugin, name, code, message


def wordless_of_the_host() -> list[str]:
    """The codes of the host's rows that say nothing themselves."""
    tables = "".join(table.read_text() for table in sorted(ROOT.glob("host/*/diagnostics.def")))
    found = re.findall(r'^HTP_DIAG\(\w+,\s*"([^"]+)",\s*\w+,\s*"((?:[^"\\]|\\.)*)"', tables, re.MULTILINE)
    assert len(found) > 100, len(found)
    return [code for code, message in found if not re.search("[a-z]", message)]


def reported() -> set[str]:
    """The codes that kept programs are refused with."""
    codes = set()
    for path in ROOT.glob("tests/*/refused/*.py"):
        codes |= set(re.findall(r"^#> \S+ (?:error|fault|warning|note) (\S+):", path.read_text(), re.MULTILINE))
    for path in ROOT.glob("tests/laws/bad/*.py"):
        codes |= set(re.findall(r"^# expect: (\S+) \d+$", path.read_text(errors="replace"), re.MULTILINE))
    return codes


def tested(owner: str) -> str:
    """The text of the owner's tests."""
    files = [file for name in TESTS.get(owner, []) for path in [ROOT / "tests" / name] for file in (path.rglob("*") if path.is_dir() else [path])]
    return "\n".join(file.read_text(errors="replace") for file in files if file.is_file())


def sentences(plugin: Path) -> dict[str, set[str]]:
    """By the row's name: texts of several words that it is given where it is reported."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in (*plugin.rglob("*.cpp"), *plugin.rglob("*.h")):
        text = file.read_text()
        for use in re.finditer(r"\bdiag::(\w+)\b", text):
            arguments = re.split(r"\.(?:hint|note|label|with|fix)\(", text[use.end() : text.find(";", use.end())])[0]
            found[use[1]] |= {literal for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', arguments) if len(re.findall("[a-z]+ ", literal)) > 1}
    return found


def main() -> int:
    """Tells what is not as it should be."""
    bad = []
    by_programs = reported()
    texts = {owner: tested(owner) for owner in TESTS}
    codes = set()
    for plugin in {plugin for plugin, *_ in rows()}:
        for name, texts_of in sentences(plugin).items():
            if len(texts_of) > SENTENCES:
                bad.append(f"{plugin.name}: `{name}` is a row for {len(texts_of)} different sentences: {sorted(texts_of)}")
    for _, name, code, message in rows():
        codes.add(code)
        known = code in by_programs or re.search(re.escape(code) + r"(?![-\w])", texts.get(code.partition(".")[0], ""))
        if known and code in UNREACHED:
            bad.append(f"`{code}` is reported, and listed as one that nothing brings about")
        elif not known and code not in UNREACHED:
            bad.append(f"`{code}` is reported by no program of a refused/ and by no test")
        if message == "{}":
            bad.append(f"`{code}` says nothing itself: its message is `{{}}`")
    bad += [f"`{code}` says nothing itself" for code in wordless_of_the_host()]
    bad += [f"`{code}` is in no table" for code in sorted(UNREACHED.keys() - codes)]
    print(*bad, f"{len(codes)} rows, {len(bad)} faults", sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
