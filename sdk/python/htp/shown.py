"""What a compile did, for people: stages as text and side by side in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class ShownStage:
    """A stage of a package: `print(stage)` shows its Python."""

    name: str
    """"04-cpu.loops"."""
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<stage {self.name}, {self.text.count(chr(10))} lines>"

    def _repr_html_(self) -> str:
        return f"<b>{html.escape(self.name)}</b><pre>{html.escape(self.text)}</pre>"


class Stages:
    """Stages in their order: by number, by name (`stages["cpu.loops"]`), or one after the other."""

    def __init__(self, stages: list[ShownStage]) -> None:
        self._stages = stages

    def __len__(self) -> int:
        return len(self._stages)

    def __iter__(self) -> Iterator[ShownStage]:
        return iter(self._stages)

    def __getitem__(self, which: int | str) -> ShownStage:
        if isinstance(which, int):
            return self._stages[which]
        for stage in self._stages:
            if which in (stage.name, stage.name.partition("-")[2]):
                return stage
        raise KeyError(f"there is no stage {which}: there are {', '.join(stage.name for stage in self._stages)}")

    def __str__(self) -> str:
        return "\n".join(f"# ── {stage.name} ──\n{stage.text}" for stage in self._stages)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self._stages))}]"

    def _repr_html_(self) -> str:
        cells = "".join(f'<td style="vertical-align:top;text-align:left">{stage._repr_html_()}</td>' for stage in self._stages)
        return f"<table><tr>{cells}</tr></table>"


def stages_of(folder: Path) -> Stages:
    found = sorted(folder.glob("ir/stages/*/program.py"), key=lambda path: path.parent.name)
    return Stages([ShownStage(path.parent.name, path.read_text("utf-8")) for path in found])


def explained(folder: Path, entry: str) -> str:
    """What was compiled for what, by which plugins, and what each pass did."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    identity = manifest["identity"]
    lines = [f"{entry}, compiled for {identity['target']}"]
    lines += [f"  with {name} = {value}" for name, value in identity.get("set", {}).items()]
    lines += [f"  by {plugin['id']} {plugin['version']}" for plugin in manifest["plugins"]]
    lines.append("passes, and what each changed:")
    for line in (folder / "ir/pass_trace.jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        changed = ", ".join(event["changed"]) or "nothing"
        lines.append(f"  {event['pass']}: {changed}")
        lines += [f"    {said['code']}: {said['message']}" for said in event["diagnostics"]]
    lines.append(f"package: {folder}")
    return "\n".join(lines)
