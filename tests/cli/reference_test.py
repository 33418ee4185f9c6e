"""The pages of docs/reference that htp-host itself knows: diagnostics and intrinsics of the host and the plugins of this build.

    reference_test.py --host build/dev/bin/htp-host       (with HTP_UPDATE=1 it writes them)
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).resolve().parents[2] / "docs/reference"


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


def answer(host: Path, *arguments: str) -> str:
    return subprocess.run([host, *arguments], check=True, capture_output=True, text=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    old = 0
    for name, text in (("diagnostics.md", answer(host, "explain")), ("intrinsics.md", intrinsics(host))):
        page = REFERENCE / name
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
