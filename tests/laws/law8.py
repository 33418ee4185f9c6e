"""Law 8: bad input of any kind gets a diagnostic with a code, a place and a hint, and never a crash or a partial package.

Each case is a program tests/laws/bad/fail_NAME.py (or warn_NAME.py, which compiles) whose last lines say what it is and what must be told:

    # kind: load; a block of another dim         the construct and what it is about; no two cases share these and the first code
    # options: --set SIZE=0                      for htp-host compile
    # expect: tile.shape-mismatch 14             one for each error: its code, the line it points at,
    # text: extents `i` and `j` differ …         and its words

Those of tests/dialect-*/refused are of different kinds as well: a file is about a construct, a case's first line says what of it.

Every error has a hint. What has fix-its is mended by them: applied, round after round, they leave nothing of what they were offered for, and
where all errors have one the program compiles, but for a value that a cast to the wider dtype leaves too wide for where it is stored: no fix-it
narrows one. Every code that a program can bring about has a case, which tests/diag/rows_test.py asks; HTP_UPDATE=1 writes what is told.

    law8.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml]
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from driver import ROOT, Report, call, main, settings, taken

BAD = Path(__file__).resolve().parent / "bad"
LEAST = 300
ROUNDS = 4


@dataclass(frozen=True)
class Case:
    """A program of the corpus, and what it says of itself."""

    path: Path
    kind: str
    options: list[str]
    expected: list[tuple[str, int, str]]

    @property
    def warns(self) -> bool:
        return self.path.name.startswith("warn_")


def read(path: Path) -> Case:
    """A case by its last lines."""
    text = path.read_text(encoding="utf-8", errors="replace")
    told = re.findall(r"^# expect: (\S+) (\d+)\n# text: (.*)$", text, re.MULTILINE)
    kind = re.search(r"^# kind: (.+; .+)$", text, re.MULTILINE)
    options = re.search(r"^# options: (.*)$", text, re.MULTILINE)
    return Case(path, kind[1] if kind else "", options[1].split() if options else [], [(code, int(line), words) for code, line, words in told])


def check(folder: Path, report: Report) -> None:
    """The corpus; no example has a part in it."""
    cases = [read(path) for path in sorted(BAD.glob("*.py"))]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        some = taken(cases) if "HTP_EVERY" in os.environ else cases  # what sanitizers make slow
        for case, found in zip(some, workers.map(_told, some)):
            with report.checking(f"{case.path.name}: is refused as it says"):
                report.all(found)
    with report.checking("the corpus has cases of different kinds"):
        report.all(_kinds(cases))
    with report.checking("the dialects' refused programs are of different kinds"):
        report.all(_refused_kinds())


def _compile(program: Path, options: list[str], out: Path) -> tuple[int, str, list[Any]]:
    done = call([*settings(), "--json", "compile", program, *options, "-o", out])
    try:
        return done.returncode, done.stderr, json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        return done.returncode, done.stdout + done.stderr, []


def _line(diagnostic: Any) -> int:
    return int((diagnostic.get("place") or {}).get("line", 0))


def _told(case: Case) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        status, said, diagnostics = _compile(case.path, case.options, out)
        found = []
        if status != (0 if case.warns else 1):
            return [f"exit {status}", *said.splitlines()[:10]]
        if not case.warns and list(Path(folder).iterdir()):
            found.append("something was written")
        if "Traceback" in said:
            found.append("a Python traceback is shown")
        kept = [d for d in diagnostics if case.warns or d["severity"] == "error"]
        told = sorted((d["code"], _line(d), d["message"].replace(str(case.path), case.path.name)) for d in kept)
        if os.environ.get("HTP_UPDATE"):
            _update(case, told)
        elif told != sorted(case.expected):
            found += [f"told {one}" for one in told if one not in case.expected]
            found += [f"not told {one}" for one in case.expected if one not in told]
        found += [f"`{d['code']}` says nothing" for d in kept if not d["message"]]
        found += [f"`{d['code']}` has no hint" for d in kept if not d["hints"] and not d.get("alternatives")]
        if any(d["fixes"] for d in kept):
            found += _mended(case, kept, Path(folder))
        return found


def _mended(case: Case, diagnostics: list[Any], folder: Path) -> list[str]:
    """Applies the fix-its until there are none."""
    without = Counter((d["code"], d["message"]) for d in diagnostics if not d["fixes"])
    program = folder / case.path.name
    program.write_bytes(case.path.read_bytes())
    for _ in range(ROUNDS):
        edits = [edit for d in diagnostics if d["fixes"] for edit in d["fixes"][0]["edits"]]
        if not edits:
            break
        program.write_text(_edited(program.read_text(), edits))
        status, said, diagnostics = _compile(program, case.options, folder / "mended")
        if status not in (0, 1):
            return [f"mended, it ends with {status}", *said.splitlines()[:10]]
        diagnostics = [d for d in diagnostics if d["severity"] == "error"]
    left = Counter((d["code"], d["message"]) for d in diagnostics if d["fixes"] or not _too_wide(d))
    return [f"mended, it still has `{code}`: {words}" for code, words in left - without]


def _too_wide(diagnostic: Any) -> bool:
    return diagnostic["code"] == "tile.dtype-mismatch" and bool(re.match(r"`tile\.(store|copy_async|scatter_add)`", diagnostic["message"]))


def _edited(text: str, edits: list[Any]) -> str:
    """The text with the edits made, from the last to the first; of two that overlap the first counts."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    spans: list[tuple[int, int, str]] = []
    for edit in edits:
        place = edit["place"]
        begin, end = starts[place["line"] - 1] + place["column"] - 1, starts[place["end_line"] - 1] + place["end_column"] - 1
        if not any(begin < other_end and other_begin < end for other_begin, other_end, _ in spans):
            spans.append((begin, end, edit["text"]))
    for begin, end, new in sorted(spans, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _update(case: Case, told: list[tuple[str, int, str]]) -> None:
    text = case.path.read_bytes().decode(errors="surrogateescape")
    text = re.sub(r"^# (?:expect|text): .*\n", "", text, flags=re.MULTILINE)
    for code, line, words in sorted(told, key=lambda one: (one[1], one[0])):
        text += f"# expect: {code} {line}\n# text: {words}\n"
    case.path.write_bytes(text.encode(errors="surrogateescape"))


def _kinds(cases: list[Case]) -> list[str]:
    found = [] if len(cases) >= LEAST else [f"{len(cases)} cases, not {LEAST}"]
    found += [f"{case.path.name} says no kind: `# kind: CONSTRUCT; OPERANDS`" for case in cases if not case.kind]
    found += [f"{case.path.name} expects nothing" for case in cases if not case.expected]
    found += [f"{case.path.name} is no fail_*.py or warn_*.py" for case in cases if not case.path.name.startswith(("fail_", "warn_"))]
    first: dict[tuple[str, str], Path] = {}
    for case in cases:
        if case.expected:
            other = first.setdefault((case.expected[0][0], case.kind), case.path)
            if other is not case.path:
                found.append(f"{case.path.name} is of the kind of {other.name}: {case.kind}")
    return found


def _refused_kinds() -> list[str]:
    """Cases of the dialects' own tests that share construct, words and codes, or the program itself."""
    found = []
    kinds: dict[tuple[str, ...], str] = {}
    programs: dict[tuple[str, str], str] = {}
    for path in sorted(ROOT.glob("tests/dialect-*/refused/*.py")):
        dialect = path.parents[1].name
        for case in re.split(r"^#: ", path.read_text(), flags=re.MULTILINE)[1:]:
            title, program = case.split("\n", 1)
            codes = sorted(set(re.findall(r"^#> \d+:\d+ (?:error|warning|note) (\S+):", case, re.MULTILINE)))
            here = f"{dialect}/{path.name}: {title}"
            if not codes:
                found.append(f"{here}: nothing is said of it")
            for other in (kinds.setdefault((dialect, path.stem, title, *codes), here), programs.setdefault((dialect, _program(program)), here)):
                if other is not here:
                    found.append(f"{here}: the same as {other}")
    return found + ([] if len(kinds) >= LEAST else [f"{len(kinds)} kinds, not {LEAST}"])


def _program(case: str) -> str:
    """What the case compiles, without what is said of it."""
    return "\n".join(line for line in case.splitlines() if line and not line.startswith("#>"))


if __name__ == "__main__":
    sys.exit(main(__doc__, None, check))
