"""Cold compiles by two builds of HTP, in turns: processor time of the whole process, and bytes of a kept stage.

    /usr/bin/python3 bench/compile/beside.py OLD/build/release/bin/htp-host NEW/build/release/bin/htp-host [--pairs 11] [--folder /dev/shm]

Each compile is of a text that nobody compiled before, so that only what was found out about plugins and manifests is remembered. Both builds compile their own tree's examples, with
sizes set for aie, which asks for them. Files are written beneath `--folder`: making them takes a third of the time on a disk, and next to none in memory.
"""

import argparse
import os
import random
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = ("vector_add", "softmax", "flash_attention")
TARGETS = ("cpu", "a2a3sim", "aie")
SIZES = {"M": 64, "N": 1024, "S": 64, "T": 64, "D": 64, "H": 2}


def program(root: Path, name: str, target: str) -> str:
    """The example as the target takes it, and as it never was before."""
    text = (root / f"examples/{name}/{name}.py").read_text()
    if target == "aie":
        for size, value in SIZES.items():
            text = re.sub(rf'^{size} = htp.dim\("{size}"\)', f"{size} = {value if name == 'vector_add' else min(value, 64)}", text, flags=re.MULTILINE)
    return f"# {random.random()}\n{text}"


def compiled(host: Path, name: str, target: str, folder: Path) -> tuple[float, float]:
    """Milliseconds of a processor of one compile, and the bytes of a stage on average."""
    root = host.resolve().parents[3]
    with tempfile.TemporaryDirectory(dir=folder) as own:
        source, out = Path(own) / f"{name}.py", Path(own) / "out"
        source.write_text(program(root, name, target))
        environment = {**os.environ, "HTP_CACHE": str(folder / f"cache{abs(hash(host))}")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command: list[str | Path] = [host, "--plugins", root / f"manifests/{target}.yaml", "compile", source, "-o", out]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise RuntimeError(done.stderr)
        stages = list((out / "ir/stages").iterdir())
        size = sum(file.stat().st_size for stage in stages for file in stage.iterdir())
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), size / len(stages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print(f"{'program':<16} {'target':<8} {'old ms':>7} {'new ms':>7} {'of pairs':>8} {'old B':>7} {'new B':>7}")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for target in TARGETS:
            for name in PROGRAMS:
                compiled(given.old, name, target, Path(folder)), compiled(given.new, name, target, Path(folder))
                pairs = [(compiled(given.old, name, target, Path(folder)), compiled(given.new, name, target, Path(folder))) for _ in range(given.pairs)]
                old, new = (statistics.median(pair[k][0] for pair in pairs) for k in (0, 1))
                ratio = statistics.median(after[0] / before[0] for before, after in pairs)
                print(f"{name:<16} {target:<8} {old:7.1f} {new:7.1f} {ratio:8.2f} {pairs[0][0][1]:7.0f} {pairs[0][1][1]:7.0f}", flush=True)


if __name__ == "__main__":
    main()
