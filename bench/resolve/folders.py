#!/usr/bin/env python3
"""What `htp-host plan` takes, as a whole process, over more and more plugins in folders: processor time beyond the same command with 10 plugins.

    bench/resolve/folders.py build/release/bin/htp-host [--sizes 100,1000,10000] [--seeds 3]

A universe is dense: each plugin is there in two versions; each version's unit requires the capabilities of two others, and so many of a hundred of these
requirements (column `ranged`) are of one version only; one version of ten conflicts with a version of another. A pipeline names ten units.
With few ranges there is a plan, with many there is none, and the answer is why. Plugins are found once before (their index is warm); `cold` is the first run.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "examples/vector_add/vector_add.py"
TURNS = 5
SETTLED = 2.2  # seconds: what was written later than that is read each time


def universe(folder: Path, plugins: int, ranged: int, seed: int, passes: list[str]) -> None:
    """Folders of plugins, and a profile whose pipeline names ten of them before `passes`."""
    rng = random.Random(f"{plugins} {ranged} {seed}")
    for number in range(plugins):
        for version in (1, 2):
            home = folder / f"found/p{number}-{version}"
            home.mkdir(parents=True)
            (home / f"acme_p{number}.py").write_text("def run(root, context):\n    return root\n")
            others = [(number + 1 + rng.randrange(plugins - 1)) % plugins for _ in range(2)]
            asked = [f"Acme.P{other}" + (rng.choice(["@<2", "@>=2"]) if rng.randrange(100) < ranged else "") for other in others]
            lines = ["htp_manifest: 1", "plugin:", f"  id: acme.p{number}", f'  version: "{version}.0.0"']
            lines += ["python:", f"  module: acme_p{number}", "  path: .", "declares:", f"  - name: Acme.P{number}", "    is: static"]
            lines += ["units:", "  - kind: pass", f"    name: acme.p{number}.unit", f"    code: acme_p{number}:run"]
            lines += ["    provides:", f"      - Acme.P{number}", "    requires:", *(f"      - {term}" for term in asked)]
            if rng.randrange(10) == 0:
                lines += ["    conflicts:", f"      - acme.p{(number + 1 + rng.randrange(plugins - 1)) % plugins}@{rng.choice(['<2', '>=2'])}"]
            (home / "htp-plugin.yaml").write_text("\n".join(lines) + "\n")
    names = [f"acme.p{number}.unit" for number in rng.sample(range(plugins), min(10, plugins))] + passes
    home = folder / "found/way"
    home.mkdir()
    pipeline = ["htp_manifest: 1", "plugin:", "  id: acme.way", '  version: "1.0.0"', "units:", "  - kind: pipeline", "    name: acme.way"]
    (home / "htp-plugin.yaml").write_text("\n".join([*pipeline, "    passes:", *(f"      - {name}" for name in names)]) + "\n")
    (folder / "profile.yaml").write_text("htp_profile: 1\ntarget: cpu\npipeline: acme.way\n")


def taken(host: Path, folder: Path) -> tuple[float, int]:
    """Milliseconds of processor time of one `plan`, with its exit code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [host, "--plugins", "profile.yaml", "--plugin-path", "found", "plan", PROGRAM]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=Path)
    parser.add_argument("--sizes", default="100,1000", help="manifests of a universe")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    host = given.host.resolve()
    passes = ["cpu.select", "cpu.serialize_copies", "cpu.rename_rebindings", "cpu.widen_blocks", "cpu.loops", "cpu.drop_redundant_stores", "cpu.pack_panels", "cpu.unroll_and_jam", "cpu.stream_rows"]
    print("manifests ranged seed   cold ms   warm ms   beyond 10   answer")
    for ranged in (0, 30, 40, 60):
        for seed in range(given.seeds):
            base = 0.0
            for manifests in (10, *map(int, given.sizes.split(","))):
                with tempfile.TemporaryDirectory() as name:
                    universe(Path(name), manifests // 2, ranged, seed, passes)
                    time.sleep(SETTLED)
                    cold, code = taken(host, Path(name))
                    warm = statistics.median(taken(host, Path(name))[0] for _ in range(TURNS))
                base = base or warm
                print(f"{manifests:9} {ranged:6} {seed:4} {cold:9.1f} {warm:9.1f} {warm - base:11.1f}   {['a plan', 'why not'][code]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
