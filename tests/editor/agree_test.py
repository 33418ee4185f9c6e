"""What an editor is told of a program is what a compile says: each example, and each bad program of the laws.

    agree_test.py --host build/plain/bin/htp-host [--every 12]

The compile is asked of the entry that it chooses, or of each where it asks which. What it says of the program's lines an editor has to say
at the same lines, by the same codes; of an example, which compiles, an editor says nothing that is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from client import Client

ROOT = Path(__file__).resolve().parents[2]
wrong: list[str] = []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--every", type=int, default=12, help="one of so many programs")
    asked = parser.parse_args()
    host = asked.host.resolve()
    programs = [*sorted((ROOT / "examples").glob("*/*.py")), *sorted((ROOT / "tests/laws/bad").glob("*.py"))][:: asked.every]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "HTP_CACHE": f"{name}/cache", "HTP_TRUST": f"{name}/trust.yaml", "CI": "1"}
        client = Client(host, folder)
        client.initialize(profile="cpu")

        def compiled(program: Path, *more: str) -> list[dict[str, Any]]:
            line = [host, "--json", "--plugins", "cpu", "compile", program, "-o", folder / "package", *more]
            done = subprocess.run(line, capture_output=True, text=True, cwd=folder, env=environment, timeout=120)
            return json.loads(done.stdout)["diagnostics"]

        for program in programs:
            try:
                text = program.read_bytes().decode()
            except UnicodeDecodeError:
                continue  # an editor has none such
            uri = program.as_uri()
            client.versions[uri] = 1
            client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
            shown = client.checked(uri, 60)
            told = compiled(program)
            if any(one["code"] in ("pipeline.which-entry", "pipeline.no-entry", "csp.which-schedule") for one in told):
                client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
                continue
            here = {(one["code"], one["range"]["start"]["line"] + 1) for one in shown}
            wanted = {(one["code"], one["place"]["line"]) for one in told if one["severity"] == "error" and one["place"] and one["place"].get("line") and one["place"]["file"].endswith(program.name)}
            if not wanted <= here:
                wrong.append(f"{program.name}: {sorted(wanted)}, and an editor is told {sorted(here)}")
            example = "examples" in program.parts  # in others an entry that the compile did not choose may be wrong
            if example and not any(one["severity"] == "error" for one in told) and any(one["severity"] == 1 for one in shown):
                wrong.append(f"{program.name} compiles, and an editor is told {sorted(here)}")
            if told and any(one["severity"] == "error" for one in told) and not any(one["severity"] == 1 for one in shown):
                wrong.append(f"{program.name} does not compile ({told[0]['code']}), and an editor is told nothing")
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        if client.close() != 0:
            wrong.append("it does not end")
    print("\n".join(wrong) or f"{len(programs)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
