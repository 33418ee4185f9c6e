"""What tests of the simulator have in common: packages, runs of them, and changes to their files."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np
import sized

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = [Path(os.environ["HTP_LIBRARY"]).resolve().parents[1] / "plugins"]
MODULE = "codegen/aie/aie.mlir"
AIE_OPT = os.environ.pop("HTP_AIE_OPT", "")  # it is of one version, and asked where modules are written for that


def replaced(package: Path, path: str, text: str) -> None:
    """Writes another text to a file of a package, and its digest to the manifest."""
    (package / path).write_text(text)
    manifest = json.loads((package / "manifest.json").read_text())
    (row,) = [row for row in manifest["outputs"] if row["path"] == path]
    row.update(sha256=hashlib.sha256(text.encode()).hexdigest(), size=len(text.encode()))
    (package / "manifest.json").write_text(json.dumps(manifest, indent=2))


def removed(package: Path, path: str) -> None:
    """Takes a file out of a package, and out of the manifest."""
    (package / path).unlink()
    manifest = json.loads((package / "manifest.json").read_text())
    manifest["outputs"] = [row for row in manifest["outputs"] if row["path"] != path]
    (package / "manifest.json").write_text(json.dumps(manifest, indent=2))


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def profile(self, **options: dict[str, object]) -> Path:
        text = "htp_profile: 1\ntarget: aie\noptions:\n"
        for unit, values in options.items():
            text += f"  {unit.replace('_', '.')}:\n" + "".join(f"    {name}: {value}\n" for name, value in values.items())
        path = self.folder / f"profile{len(list(self.folder.iterdir()))}.yaml"
        path.write_text(text)
        return path

    def package(self, name: str, *sizes: str, profile: Path = ROOT / "manifests/aie.yaml") -> Path:
        program = sized.sized(name, list(sizes), self.folder)
        out = self.folder / f"package{len(list(self.folder.iterdir()))}"
        done = subprocess.run([os.environ["HTP_HOST"], "--plugins", profile, "compile", program, "-o", out], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def run_package(self, package: Path, profile: Path | None = None) -> list[Any]:
        """What a package makes of random arrays; an exception with the diagnostics where it is refused."""
        with htp.bind(package, profile=profile, plugin_path=PLUGINS) as opened:
            (routine,) = opened.routines.values()
            generator = np.random.default_rng(1)
            arrays = []
            for parameter in routine.parameters:
                dtype = getattr(htp, parameter.type.dtype.name)
                extents = [int(extent) for extent in parameter.type.extents]
                values = generator.standard_normal(extents) if dtype.element.kind == "f" else generator.integers(-100, 100, extents)
                arrays.append(dtype.encode(np.full(extents, dtype.poison, dtype.element) if parameter.direction == "Out" else values.astype(dtype.element)))
            routine(*arrays)
        return arrays
