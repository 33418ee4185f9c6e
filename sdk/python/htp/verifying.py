"""What `htp-host verify` does with arrays: every stage of a package, and the package on its target, held against its source on made calls."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from htp.agreement import Calls, Verdict, calls_of, find_modules, held, held_on_target, program_at, source_at
from htp.errors import Refused
from htp.testing import stages_of

SECONDS: Final = 10.0
"""That it takes as a rule."""


def verify(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        return _verify(request)
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


def _verify(request: Mapping[str, Any]) -> str:
    folder, stages = Path(request["package"]), Path(request["stages"])
    find_modules(request["modules"])
    seconds = float(request.get("seconds") or SECONDS)
    begin = time.monotonic()
    paths = {path.parent.name: path for path in stages_of(stages)}
    source = source_at(next(iter(paths.values())), request.get("entry", ""))
    calls = calls_of(source, request, begin + seconds * 0.15, paths.values())
    verdicts = _stages(paths, source.name, calls, begin + seconds * 0.75)
    on_target = _answer(held_on_target(folder, source.name, request, calls, begin + seconds))
    passes = _passes(stages, verdicts)
    diagnostics: list[dict[str, Any]] = []
    for one in passes:
        if one["verdict"] == "differs":
            diagnostics.append(Refused("verify.differs", f"after `{one['pass']}`", one["why"], hint=f"`htp-host bisect {folder}` finds the statements").diagnostic())
            break
        if one["verdict"] == "not shown":
            diagnostics.append(Refused("verify.not-shown", f"`{one['pass']}`", one["why"]).diagnostic())
    if on_target["verdict"] == "differs" and not diagnostics:
        diagnostics.append(Refused("verify.differs", "on the target", on_target["why"]).diagnostic())
    if on_target["verdict"] == "not shown" and not diagnostics:
        diagnostics.append(Refused("verify.not-shown", "the package on its target", on_target["why"], hint="verify it where its target is and what builds for it").diagnostic())
    return json.dumps(
        {
            "text": _text(passes, on_target, calls),
            "result": {"calls": calls.described(), "passes": passes, "on_target": on_target},
            "diagnostics": diagnostics,
        }
    )


def _stages(paths: Mapping[str, Path], name: str, calls: Calls, end: float) -> dict[str, Verdict]:
    """Of each stage but the first; what is left of the time is shared among those that are left."""
    verdicts: dict[str, Verdict] = {}
    later = list(paths.items())[1:]
    for number, (stage, path) in enumerate(later):
        share = max(end - time.monotonic(), 0.0) / (len(later) - number)
        try:
            verdicts[stage] = held(program_at(path, name if _has(path, name) else None), calls, time.monotonic() + share)
        except Refused as error:
            verdicts[stage] = Verdict(differs=[str(error).partition(": ")[2]])
    return verdicts


def _has(path: Path, name: str) -> bool:
    return f"def {name}(" in path.read_text()


def _answer(verdict: Verdict) -> dict[str, Any]:
    if verdict.differs:
        return {"verdict": "differs", "calls": verdict.calls, "why": verdict.differs[0]}
    if verdict.unshown:
        return {"verdict": "not shown", "calls": verdict.calls, "why": verdict.unshown}
    return {"verdict": "agrees", "calls": verdict.calls}


def _passes(folder: Path, verdicts: Mapping[str, Verdict]) -> list[dict[str, Any]]:
    """A row for each pass that ran, in order."""
    rows: list[dict[str, Any]] = []
    by_number = {int(stage.partition("-")[0]): stage for stage in verdicts}
    for line in (folder / "ir/pass_trace.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["stage_after"] == event["stage_before"]:
            rows.append({"pass": event["pass"], "verdict": "changes nothing"})
        else:
            stage = by_number[event["stage_after"]]
            rows.append({"pass": event["pass"], "stage": stage, **_answer(verdicts[stage])})
    return rows


def _text(passes: list[dict[str, Any]], on_target: dict[str, Any], calls: Calls) -> str:
    rows = [(one["pass"], one) for one in passes if one["verdict"] != "changes nothing"] + [("on the target", on_target)]
    width = max(len(name) for name, _ in rows)
    text = "".join(f"  {name:<{width}}  {_words(one)}\n" for name, one in rows)
    idle = sum(one["verdict"] == "changes nothing" for one in passes)
    if idle:
        text += f"  {'and ' + str(idle) + ' more':<{width}}  {'changes' if idle == 1 else 'change'} nothing\n"
    return f"held against the source by {calls.described()}:\n{text}"


def _words(one: dict[str, Any]) -> str:
    if one["verdict"] == "agrees":
        return f"agrees in {one['calls']} call{'s' * (one['calls'] != 1)}"
    return f"{one['verdict'].upper() if one['verdict'] == 'differs' else one['verdict']}: {one['why']}"
