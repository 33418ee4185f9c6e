"""Programs that are refused, and what is said of them: the files of `tests/PLUGIN/refused`, compiled with htp-host.

A case is a line `#: what it is`, lines `#! key: value` for how it is compiled, a program, and what is said, with lines counted from the program's first one:

    #> 3:9 error aie.no-handler: `tile.sort` has no words on aie
    #>   2:5 a label
    #>   note: a note
    #>   hint: what would help

`#> compiles` stands behind a program that follows the hint of the case before. HTP_UPDATE=1 writes what is said.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """One program, how it is compiled, and what is said of it."""

    file: Path
    name: str
    settings: dict[str, str]
    program: str
    said: str

    @property
    def title(self) -> str:
        return f"{self.file.name}: {self.name}"


@dataclass(frozen=True)
class Compile:
    """How htp-host is called: its arguments, without the command's output, and what is different in its environment."""

    arguments: list[str | Path]
    environment: dict[str, str]
    lines: int
    """of the file before the case's own program"""
    writes: bool = True
    """a package, where `-o` says"""


def cases(folder: Path) -> Iterator[Case]:
    """Those of all files of a folder."""
    for file in sorted(folder.glob("*.py")):
        for text in re.split(r"^#: ", file.read_text(), flags=re.MULTILINE)[1:]:
            name, rest = text.split("\n", 1)
            settings = dict(re.findall(r"^#! (\S+): (.*)$", rest, re.MULTILINE))
            lines = [line for line in rest.splitlines(keepends=True) if not line.startswith("#! ")]
            yield Case(file, name, settings, "".join(x for x in lines if not x.startswith("#> ")).strip("\n") + "\n", "".join(x for x in lines if x.startswith("#> ")))


def main(host: Path, folder: Path, compile_of: Callable[[Case, Path], Compile], names: list[str]) -> int:
    """Compiles each case, those whose title has one of the names; tells what is not as it says. 1 where something is not."""
    chosen = [case for case in cases(folder) if not names or any(name in case.title for name in names)]

    def said(case: Case) -> tuple[str, list[str]]:
        with tempfile.TemporaryDirectory() as work:
            return _said(host, compile_of(case, Path(work)), Path(work))

    bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for case, (text, wrong) in zip(chosen, workers.map(said, chosen)):
            if text != case.said and os.environ.get("HTP_UPDATE"):
                _update(case, text)
            elif text != case.said:
                wrong.append(f"said:\n{text}expected:\n{case.said}")
            bad += bool(wrong)
            for one in wrong:
                print(f"{case.title}: {one}", file=sys.stderr)
    print(f"{len(chosen)} cases, {bad} not as they say")
    return 1 if bad or not chosen else 0


def _said(host: Path, how: Compile, work: Path) -> tuple[str, list[str]]:
    done = subprocess.run([str(x) for x in (host, *how.arguments, *(["-o", work / "package"] if how.writes else []))], capture_output=True, text=True, env={**os.environ, **how.environment})
    try:
        diagnostics = json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        return "", [f"exit {done.returncode}: {done.stderr[-2000:]}"]
    wrong = []
    failed = [d for d in diagnostics if d["severity"] == "error" or d.get("fault")]
    if (done.returncode == 0) != (not failed) or done.returncode not in (0, 1, 3):
        wrong.append(f"exit {done.returncode}")
    if done.returncode and (work / "package").exists():
        wrong.append("a package was written")
    wrong += [f"`{d['code']}` has no hint" for d in failed if not d["hints"] and not d.get("alternatives")]
    lines = "".join(_text(d, how.lines) for d in diagnostics).splitlines()
    return "".join(f"#> {line}\n" for line in lines or ["compiles"]), wrong


def _text(d: Any, lines: int) -> str:
    def place(span: Any) -> str:
        return f"{span['line'] - lines}:{span['column']}" if span and "line" in span else "-"

    text = f"{place(d['place'])} {'fault' if d.get('fault') else d['severity']} {d['code']}: {_line(d['message'])}\n"
    text += "".join(f"  {place(x['place'])} {_line(x['text'])}\n" for x in d["labels"])
    text += "".join(f"  note: {_line(x)}\n" for x in d["notes"])
    return text + "".join(f"  hint: {_line(x)}\n" for x in d["hints"])


def _line(text: str) -> str:
    first, *rest = text.splitlines() or [""]
    return first + " …" * bool(rest)


def _update(case: Case, said: str) -> None:
    text = case.file.read_text()
    head, tail = text.split(f"#: {case.name}\n", 1)
    own, *others = re.split(r"^(?=#: )", tail, maxsplit=1, flags=re.MULTILINE)
    kept = "".join(line for line in own.splitlines(keepends=True) if not line.startswith("#> ")).rstrip("\n")
    case.file.write_text(f"{head}#: {case.name}\n{kept}\n{said}" + ("\n" + others[0] if others else ""))
