"""What the island refuses: the programs of refused/, which are stages of explicit loops.

    refused_test.py --host build/dev/bin/htp-host [NAME …]

A case says how its loops go to MLIR: `#! claim:`, `#! form:`, `#! pipeline:`; by `#! prints:`, a command, what becomes of mlir-opt's output on its way
back; and by `#! tool:` what stands in its place.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import refused  # noqa: E402
from loops import HEAD, options, profile_text, tool_beside  # noqa: E402


def compiled(case: refused.Case, work: Path) -> refused.Compile:
    """From the stage on, through MLIR."""
    given = case.settings
    (work / "stage").mkdir()
    (work / "stage/program.py").write_text(HEAD + case.program)
    (work / "profile.yaml").write_text(profile_text(given.get("claim", "entry"), given.get("form", "scf"), given.get("pipeline")))
    environment = {}
    if script := given.get("prints", given.get("tool")):
        piped = f'"$MLIR" "$@" | {script}' if "prints" in given else script
        environment = {"PATH": tool_beside(work, piped)}
    return refused.Compile(["--json", "--plugins", work / "profile.yaml", "compile", "--from-stage", work / "stage", "--verify-each"], environment, HEAD.count("\n"))


if __name__ == "__main__":
    given, names = options(__doc__).parse_known_args()
    sys.exit(refused.main(given.host.resolve(), Path(__file__).resolve().parent / "refused", compiled, names))
