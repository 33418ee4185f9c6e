"""The pages of docs/ that htp-host itself knows: diagnostics and intrinsics of the host and the plugins of this build, and the checks of a plugin.

    reference_test.py --host build/dev/bin/htp-host       (with HTP_UPDATE=1 it writes them)
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"


def intrinsics(host: Path) -> str:
    """Every intrinsic, by prefix, as its declaration in Python has it."""
    rows: list[dict[str, Any]] = json.loads(answer(host, "--json", "ops"))["intrinsics"]
    page = "# Intrinsics\n\nEvery intrinsic of the plugins found, from its declaration in Python. `htp-host ops show NAME` prints one. This page is generated.\n"
    for prefix, members in groupby(sorted(rows, key=itemgetter("name")), lambda row: str(row["name"]).partition(".")[0]):
        page += f"\n## {prefix}\n"
        for row in members:
            text, _, example = row["doc"].partition("\n\n>>> ")
            page += f"\n### `{row['name']}`\n\n```python\n{row['signature']}\n```\n\n{text.strip()}\n"
            if example:
                page += f"\n```python\n{example.strip()}\n```\n"
            written = f" Written as the operator `{row['operator']}`." if row["operator"] else ""
            page += f"\nIn Python `{row['python']}`.{written} Backends: {', '.join(row['backends']) or 'none'}.\n"
    return page


def capabilities(host: Path) -> str:
    """Every capability of the SDK and the plugins: what it says, who provides it, needs it, ends it and checks it."""
    answered = json.loads(answer(host, "--json", "plugins", "list"))
    units = [(plugin["id"], unit) for plugin in answered["plugins"] for unit in plugin["units"]]
    page = "# Capabilities\n\nWhat plugins require and provide, by the plugin that owns the word. A *static* capability says that something is installed, a *state*\nthat something holds of a whole stage; an *initial* state is checked on the program as written. This page is generated.\n"
    for owner, declared in [("the SDK", answered["sdk"]), *((f"`{plugin['id']}` {plugin['version']}", plugin["declares"]) for plugin in sorted(answered["plugins"], key=itemgetter("id")))]:
        page += f"\n## {owner}\n" if declared else ""
        for row in declared:
            parameters = ", ".join(f"{parameter['name']}: {parameter['type']}" for parameter in row["parameters"])
            page += f"\n### `{row['name']}{f'({parameters})' if parameters else ''}`\n\n{'Initial state' if row['initial'] else row['is'].capitalize()}: {row['doc']}.\n"
            for verb, key in (("Provided", "provides"), ("Required", "requires"), ("Wanted", "wants"), ("Ended", "invalidates"), ("Verified", "verifies")):
                found = sorted({f"`{unit['name']}`" for _, unit in units for term in unit[key] if re.search(rf"(?<![\w.]){re.escape(row['name'])}(?![\w.])", term)})
                page += f"{verb} by {', '.join(found)}.\n" if found else ""
            page += "".join(f"\n- `{parameter['name']}`: {parameter['doc']}" for parameter in row["parameters"] if parameter["doc"])
            page = page.rstrip("\n") + "\n"
    return page


def checks(host: Path) -> str:
    """Every check of `plugins check`, by phase."""
    rows: list[dict[str, Any]] = json.loads(answer(host, "--json", "plugins", "check", "--list"))["checks"]
    page = (
        "# The checks of a plugin\n\n`htp-host plugins check [PATH|PROFILE]` asks these of each plugin, phase by phase; a phase is asked when those it builds on found no error. "
        "Foreign code runs in child processes alone. Verdicts are remembered by content. `--only NAME` asks one check or phase, `--reproduce SEED` replays a made-up case. "
        "This page is generated.\n\n"
        f"There are {len(rows)} checks. What a plugin's units do is tried on the programs under `examples:` of the manifests found.\n"
    )
    for phase, members in groupby(rows, key=itemgetter("phase")):
        page += f"\n## {phase}\n"
        for row in members:
            kind = " A warning." if row["severity"] == "warning" else ""
            units = f" Of units of kind {', '.join(row['kinds'].split())}." if row["kinds"] else ""
            page += f"\n### `{row['name']}`\n\n{row['what'][0].upper()}{row['what'][1:]}.{units}{kind}\n"
            page += f"\n{row['explanation']}\n" if row["explanation"] else f"\nReported as {', '.join(f'`{code}`' for code in row['codes'])}.\n"
    return page


def answer(host: Path, *arguments: str) -> str:
    return subprocess.run([host, *arguments], check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    old = 0
    pages = {"reference/diagnostics.md": answer(host, "explain"), "reference/intrinsics.md": intrinsics(host), "reference/capabilities.md": capabilities(host), "extending/checks.md": checks(host)}
    for name, text in pages.items():
        page = DOCS / name
        if os.environ.get("HTP_UPDATE"):
            page.write_text(text)
        there = page.read_text() if page.exists() else ""
        if there != text:
            old += 1
            print(f"{page} is not what the plugins say; run scripts/generate-docs")
            sys.stdout.writelines(list(difflib.unified_diff(there.splitlines(True), text.splitlines(True), "page", "now"))[:60])
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
