"""Packages of the examples by target, and what the validators say of pairs of their stages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/backend-aie"), str(ROOT / "tests/support")]
import sized  # noqa: E402

BACKENDS = {"cpu": "cpu", "a2a3sim": "a2a3", "aie": "aie"}
FEW = frozenset("softmax flash_attention gemm gemm_wsp layernorm vector_add attention_wsp quantize causal_flash attention_pipeline conv2d".split())
"""What a slice compiles."""

Pair = tuple[Path, Path]


@dataclass(frozen=True)
class Package:
    """A compiled example: its target, and its stages' programs in order."""

    target: str
    stages: tuple[Path, ...]

    @property
    def pairs(self) -> list[Pair]:
        """Each use of a pass: the program before it and after it."""
        return list(zip(self.stages, self.stages[1:]))


def packages(host: Path, targets: list[str], folder: Path, *, few: bool) -> list[Package]:
    """The examples that compile for the targets, in this folder; those that are there are not compiled again."""
    found = []
    for target in targets:
        into = folder / target
        if not into.exists():
            into.mkdir(parents=True)
            for program in programs(target, folder / "sources"):
                if few and program.stem.split("_M")[0].split("_S")[0] not in FEW:
                    continue
                entries = re.findall(r"^@(?:kernel|workload|schedule|pipeline).*\ndef (\w+)", program.read_text(), re.MULTILINE)
                command = [host, "--plugins", ROOT / f"manifests/{target}.yaml", "compile", program, "-o", into / program.stem, "-q"]
                done = subprocess.run([*map(str, command), *(["--entry", entries[-1]] if entries else [])], capture_output=True, text=True)
                if done.returncode:
                    print(f"{target}: {program.name} is left out, it does not compile: {refusal(done.stderr)}")
        for package in sorted(into.iterdir()):
            found.append(Package(target, tuple(sorted(package.glob("ir/stages/*/program.py")))))
    return found


def refusal(text: str) -> str:
    """The first error of a compile, with its code."""
    lines = [line.strip() for line in text.splitlines() if "error" in line]
    return lines[0][:160] if lines else text.strip()[-160:] or "it ended without a word"


def programs(target: str, folder: Path) -> list[Path]:
    """The examples, the dialects' and the backend's; of AI Engines, at the sizes of tests/backend-aie/programs.txt."""
    if target == "aie":
        folder.mkdir(parents=True, exist_ok=True)
        return [sized.sized(name, sizes, folder) for name, *sizes in sized.ROWS]
    folders = ("examples/*", "plugins/dialect-*/examples", f"plugins/backend-{BACKENDS[target]}/examples")
    return sorted(path for one in folders for path in ROOT.glob(f"{one}/*.py"))


def validated(tool: Path, asked: list[tuple[Package, list[Pair]]]) -> dict[Path, dict[str, Any]]:
    """What the validators say of pairs, by the second of each; a package's own stages tell them the profile."""
    lines = [
        json.dumps({"profile": str(ROOT / f"manifests/{package.target}.yaml"), "plugin_path": str(tool.resolve().parents[1] / "plugins"),
                    "stage": str(package.stages[0].parent), "pairs": [[str(a), str(b)] for a, b in pairs]})
        for package, pairs in asked
    ]
    with tempfile.TemporaryFile("w+") as given:
        given.write("\n".join(lines) + "\n")
        given.seek(0)
        done = subprocess.run([str(tool)], stdin=given, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    answers = map(json.loads, done.stdout.splitlines())
    return {Path(answer["after"]): answer for answer in answers}
