"""A package that was changed, listed anew: what a forger does."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def sign(package: Path, manifest: dict[str, Any] | None = None) -> None:
    """Writes the manifest, its own or a given one, with the digests of the files as they are now."""
    manifest = manifest or json.loads((package / "manifest.json").read_text())
    roles = {one["path"]: one["role"] for one in manifest["outputs"]}
    listed = []
    for path in sorted(path for path in package.rglob("*") if path.is_file()):
        name = path.relative_to(package).as_posix()
        if name != "manifest.json" and not name.startswith(("logs/", "build/bin/")):
            role = roles.get(name) or ("stage" if name.endswith("program.py") else "stage-info")
            listed.append({"path": name, "role": role, "sha256": _digest(path), "size": path.stat().st_size})
    manifest["outputs"] = listed
    for stage in manifest["stages"]:
        stage["sha256"] = _digest(package / stage["path"])
    (package / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
