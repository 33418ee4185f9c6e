"""What `htp-host bisect` does: finds the first pass whose stage computes something else than the source, and which of its changes do it."""

from __future__ import annotations

import difflib
import json
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from htp.agreement import PATIENCE, Calls, Verdict, called_alike, calls_of, difference, find_modules, held, held_on_target, program_at, source_at
from htp.errors import Refused
from htp.nodes import statements_by_line
from htp.testing import Outcome, entry_of, import_program, stages_of

SECONDS: Final = 20.0
"""That it takes as a rule: half for stages, half for the changes of one."""
SHOWN: Final = 6
"""Changes that are told."""
SKIP: Final = 125
"""By this exit code an oracle says that it cannot tell, as of `git bisect run`."""


def bisect(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        return _bisect(request)
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


@dataclass
class Found:
    """The first stage that is not as it should be, or the target."""

    kind: str
    """"differs", "claim", "oracle", "target" or "source"."""
    stage: str
    why: str
    outcome: Outcome | None = None


def _bisect(request: Mapping[str, Any]) -> str:
    find_modules(request["modules"])
    seconds = float(request.get("seconds") or SECONDS)
    begin = time.monotonic()
    folder = Path(request["package"])
    paths = {path.parent.name: path for path in stages_of(Path(request["stages"]))}
    names = list(paths)
    calls = Calls(None, [], [])
    looked = f"{len(paths)} stages, by the oracle,"
    if request.get("oracle"):
        found = _by_oracle(request["oracle"], paths)
    else:
        source = source_at(stages_of(Path(request["good"]))[0] if request.get("good") else paths[names[0]], request.get("entry", ""))
        if request.get("good") and not called_alike(other := program_at(paths[names[0]]), source):
            raise Refused("bisect.other-program", folder, repr(other), repr(source))
        calls = calls_of(source, request, begin + seconds * 0.1, paths.values())
        if not calls.outcomes:
            raise Refused("bisect.no-call", calls.refused[-1] if calls.refused else source.name)
        found = _by_calls(paths, source.name, calls, begin + seconds * 0.5, whole=not request.get("good"))
        found = _earlier(found, request.get("broken"), names)
        if not found:
            verdict = held_on_target(folder, source.name, request, calls, begin + seconds)
            found = Found("target", "", verdict.differs[0], verdict.outcome) if verdict.differs else None
            looked = f"{len(paths)} stages, " + (f"and not the target ({verdict.unshown})," if verdict.unshown else "and the target,") + f" in {calls.described()}"
    if not found:
        raise Refused("bisect.nothing-differs", folder, looked)
    return _told(folder, paths, found, calls, request, time.monotonic() + seconds * 0.5)


def _by_calls(paths: Mapping[str, Path], name: str, calls: Calls, end: float, whole: bool) -> Found | None:
    later = list(paths.items())[1:] if whole else list(paths.items())
    for number, (stage, path) in enumerate(later):
        share = max(end - time.monotonic(), 0.0) / (len(later) - number)
        try:
            verdict = held(program_at(path), calls, time.monotonic() + share)
        except Refused as error:
            verdict = Verdict(differs=[str(error).partition(": ")[2]])
        if verdict.differs or verdict.unshown:
            return Found("differs" if number or whole else "source", stage, (verdict.differs or [verdict.unshown])[0], verdict.outcome or calls.outcomes[0])
    return None


def _earlier(found: Found | None, broken: Mapping[str, str] | None, names: Sequence[str]) -> Found | None:
    """What comes first: the stage that differs, or the one of which something that it says does not hold."""
    if broken and (not found or names.index(broken["stage"]) < names.index(found.stage)):
        return Found("claim", broken["stage"], broken["why"])
    return found


def _by_oracle(command: str, paths: Mapping[str, Path]) -> Found | None:
    judged = 0
    for number, (stage, path) in enumerate(paths.items()):
        try:
            done = subprocess.run(["sh", "-c", f'{command} "$1"', "sh", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError as error:
            raise Refused("bisect.bad-oracle", command, f"no shell runs it: {error}") from None
        if done.returncode in (126, 127) or done.returncode < 0 or done.returncode > 128:
            raise Refused("bisect.bad-oracle", command, f"it ends with {done.returncode}")
        judged += done.returncode != SKIP
        if done.returncode in (0, SKIP):
            continue
        return Found("oracle" if number else "source", stage, f"`{command}` ends with {done.returncode}")
    if not judged:
        raise Refused("bisect.bad-oracle", command, "it cannot tell of any stage")
    return None


# ── which changes of the pass ──


@dataclass(frozen=True)
class Change:
    """Lines of the stage before that the pass made others; 0-based, ends open."""

    before: tuple[int, int]
    after: tuple[int, int]


def _changes(was: Sequence[str], is_: Sequence[str]) -> list[Change]:
    matcher = difflib.SequenceMatcher(None, was, is_, autojunk=False)
    found = []
    for word, a, b, c, d in matcher.get_opcodes():
        if word == "equal" or any("htp.stage(" in line for line in [*was[a:b], *is_[c:d]]):
            continue
        if word == "replace" and b - a == d - c:  # line by line
            found += [Change((a + k, a + k + 1), (c + k, c + k + 1)) for k in range(b - a)]
        else:
            found.append(Change((a, b), (c, d)))
    return found


def _applied(was: Sequence[str], is_: Sequence[str], chosen: Sequence[Change]) -> str:
    lines: list[str] = []
    at = 0
    for change in sorted(chosen, key=lambda one: one.before):
        lines += [*was[at : change.before[0]], *is_[change.after[0] : change.after[1]]]
        at = change.before[1]
    return "\n".join([*lines, *was[at:]]) + "\n"


def fewest(changes: list[Change], fails: Callable[[list[Change]], bool], end: float) -> list[Change]:
    """Few of the changes that fail by themselves: none of them can be left out (delta debugging; of what it cannot tell it takes neither side)."""
    parts = 2
    while len(changes) > 1 and time.monotonic() < end:
        size = max(len(changes) // parts, 1)
        split = [changes[k : k + size] for k in range(0, len(changes), size)]
        smaller = _first_that(fails, split, end) if parts <= len(changes) else None
        if smaller is not None:
            changes, parts = smaller, 2
            continue
        rests = [[one for other in split if other is not part for one in other] for part in split]
        smaller = _first_that(fails, rests, end) if len(split) > 2 else None
        if smaller is not None:
            changes, parts = smaller, max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(parts * 2, len(changes))
    return changes


def _first_that(fails: Callable[[list[Change]], bool], candidates: list[list[Change]], end: float) -> list[Change] | None:
    for one in candidates:
        if time.monotonic() > end:
            return None
        if fails(one):
            return one
    return None


def narrowed(before: Path, after: Path, outcome: Outcome, end: float) -> tuple[list[Change], list[str], list[str]]:
    """The changes from one stage to the next that make this call differ, with the lines of both."""
    was, is_ = before.read_text().splitlines(), after.read_text().splitlines()
    wanted = _result(after.read_text(), outcome)

    def fails(chosen: list[Change]) -> bool:
        return _result(_applied(was, is_, chosen), outcome) == wanted

    changes = _changes(was, is_)
    return (fewest(changes, fails, end) if wanted != "agrees" and fails(changes) else changes), was, is_


def _result(text: str, outcome: Outcome) -> str:
    """How a program does in a call: "agrees", "differs", or the kind of what it raises."""
    try:
        entry = entry_of(import_program(text, "<mixed>"))
        arrays = outcome.case.fresh(entry)
    except Exception as error:
        return type(error).__name__
    found = difference(entry, outcome, patience=PATIENCE / 10)
    if not found:
        return "agrees"
    raised = found[0].startswith(f"at {outcome.case.name}: ")
    word = found[0].removeprefix(f"at {outcome.case.name}: ").split(":")[0] if raised else ""
    return word if word.isidentifier() and word[:1].isupper() else "differs"


# ── the answer ──


def _told(folder: Path, paths: Mapping[str, Path], found: Found, calls: Calls, request: Mapping[str, Any], end: float) -> str:
    manifest = json.loads((folder / "manifest.json").read_text())
    result: dict[str, Any] = {"kind": found.kind, "why": found.why, "calls": calls.described() if calls.outcomes else ""}
    if found.kind == "target":
        text = f"{folder.name}: every stage agrees with the source; on the target `{manifest['target']['backend']}` it differs\n  {found.why}\nwhat was made of the last stage does it: the emitter of `{manifest['target']['backend']}`, or the tools that build it\n"
    elif found.kind == "source":
        result["stage"] = found.stage
        text = f"{folder.name}: `{found.stage}`, the program that it was compiled from, is not as it should be\n  {found.why}\n"
    else:
        made_by = found.stage.partition("-")[2]
        plugin = next((one for one in manifest["plan"]["passes"] if one["name"] == made_by), {"plugin": "", "version": "", "why": ""})
        result |= {"stage": found.stage, "pass": made_by, "plugin": plugin["plugin"], "version": plugin["version"], "why_it_ran": plugin["why"]}
        what = {"differs": "the first stage that computes something else", "oracle": "the first stage that the oracle refuses", "claim": "the first stage that is not what it says"}[found.kind]
        text = f"{folder.name}: `{made_by}` of {plugin['plugin']} {plugin['version']} made `{found.stage}`, {what}\n  {found.why}\n"
        if found.kind == "differs" and found.outcome is not None:
            before = paths[list(paths)[list(paths).index(found.stage) - 1]]
            changes, was, is_ = narrowed(before, paths[found.stage], found.outcome, end)
            rows = _change_rows(changes, was, is_, found.stage, paths[found.stage].read_text())
            result["changes"] = [row for row in rows if not _imports(row)] or rows
            text += _change_text(result["changes"], f"ir/stages/{found.stage}/program.py")
        if plugin["why"]:
            text += f"why it ran: {plugin['why']}\n"
    if request.get("good"):
        others = _other_plugins(json.loads((Path(request["good_package"]) / "manifest.json").read_text()), manifest)
        result["other_plugins"] = others
        text += "".join(f"{line}\n" for line in others)
    return json.dumps({"text": text, "result": result, "diagnostics": []})


def _change_rows(changes: Sequence[Change], was: Sequence[str], is_: Sequence[str], stage: str, text: str) -> list[dict[str, Any]]:
    number = stage.partition("-")[0]
    nodes = statements_by_line(text)
    rows = []
    for change in changes:
        line = change.after[0] + 1
        row: dict[str, Any] = {"line": line, "was": list(was[slice(*change.before)]), "is": list(is_[slice(*change.after)])}
        if line in nodes and row["is"]:
            row["node"] = f"{number}:{nodes[line]}"
        rows.append(row)
    return rows


def _imports(row: Mapping[str, Any]) -> bool:
    """Whether a change is of imports alone, which others need to run."""
    return all(re.match(r"\s*(from \S+ )?import ", line) for line in [*row["was"], *row["is"]])


def _change_text(rows: Sequence[Mapping[str, Any]], path: str) -> str:
    text = "this change does it:\n" if len(rows) == 1 else f"these {len(rows)} changes do it:\n"
    for row in rows[:SHOWN]:
        text += f"  {path}:{row['line']}" + (f", node {row['node']}" if "node" in row else "") + "\n"
        text += "".join(f"    {sign} {line.strip()}\n" for sign, line in [*(("-", line) for line in row["was"][:4]), *(("+", line) for line in row["is"][:4])])
    if len(rows) > SHOWN:
        text += f"  and {len(rows) - SHOWN} more\n"
    return text


def _other_plugins(good: Mapping[str, Any], bad: Mapping[str, Any]) -> list[str]:
    were = {plugin["id"]: plugin for plugin in good["plugins"]}
    lines = []
    for plugin in bad["plugins"]:
        was = were.get(plugin["id"])
        if was is None:
            lines.append(f"`{plugin['id']}` {plugin['version']} took part in it alone")
        elif plugin != was:
            lines.append(f"`{plugin['id']}` {plugin['version']} is another build than {was['version']}, which made the first" if plugin["version"] == was["version"] else f"`{plugin['id']}` is {plugin['version']} here and {was['version']} in the first")
    return lines
