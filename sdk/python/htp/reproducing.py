"""What htp-host keeps of a compile or a run that failed inside: a folder with a script that shows it again.

A program stays as it is. Of a run the arrays, which may be private, are not kept: the call has their sizes, and random values by a seed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from htp import runner
from htp.agreement import find_modules, program_at
from htp.errors import Refused
from htp.minimizing import fails_inside, quoted, script, siblings, write
from htp.testing import stages_of

WANTED = "fails inside"


def reproduce(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        out = (_compile if request["command"] == "compile" else _run)(request, Path(request["output"]))
        return json.dumps({"text": "", "result": {"folder": str(out)}, "diagnostics": []})
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


def _compile(request: Mapping[str, Any], out: Path) -> Path:
    asked = {**request, "keeps": "crashes"}
    write(out, request["text"], request["name"], siblings(asked, request["text"]), script(asked, WANTED))
    return out


def _run(request: Mapping[str, Any], out: Path) -> Path:
    """Each call of a package has a folder of its own."""
    find_modules(request["modules"])
    package = Path(request["package"])
    entry = program_at(stages_of(package)[0])
    given = runner.read_arrays(request["inputs"]) if request["inputs"] else {}
    words = ["--entry", request["entry"]] if request["entry"] else []
    words += [word for name, size in runner.sizes_of(entry, given, request).items() for word in ("--dim", f"{name}={size}")]
    words += [word for name, value in request["args"].items() for word in ("--arg", f"{name}={value}")]
    options = ["--plugins", request["profile"]] if request["profile"] else []
    options += [word for folder in request["plugin_path"] for word in ("--plugin-path", str(Path(folder).resolve()))]
    line = " ".join(map(quoted, [*options, "run", "package", *words, "--seed", str(request["seed"])]))
    out = out.with_name(f"{out.name}-{hashlib.sha256(line.encode(errors='replace')).hexdigest()[:8]}")
    try:
        out.mkdir(parents=True, exist_ok=True)
        shutil.copytree(package, out / "package", dirs_exist_ok=True)
        (out / "reproduce.sh").write_text(f'#!/bin/sh\n# Ends with 0 when the run {WANTED}. HTP_HOST is the htp-host that is asked. The arrays are random, of the sizes of those that it was called with.\nexport HTP_REPRODUCE=off\nhost=${{HTP_HOST:-htp-host}}\ncd "$(dirname "$0")" || exit 2\n"$host" {line}\n{fails_inside()}')
    except (OSError, shutil.Error) as error:
        raise Refused("io.unwritable", out, error) from None
    return out
