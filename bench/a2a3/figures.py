"""What the cycle model says of compiled packages beside what is published of the processors, and how long compiling and simulating take.

    /usr/bin/python3 bench/a2a3/figures.py build/release       HTP_LONG=1: with products of 6144 and 7680, which take minutes

Prints a table for each bar, and ends with status 1 where one is missed. The model itself is held against what is published by tests/binding-a2a3sim/cycles_test.cpp, which has
kernels written by hand as the published ones are; its tables are printed where the build has it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
COSTS = {name: float(value) for name, value in re.findall(r"COST\((\w+), +([\d.]+),", (ROOT / "plugins/binding-a2a3sim/machine/costs.def").read_text())}
PRODUCTS = {1536: (38.8, 54.5), 3072: (206.7, 79.0), 6144: (1506.0, 86.7), 7680: (3168.0, 80.6)}
"""m = k = n: microseconds and per cent of them that the cube works, on 24 cores."""
ATTENTION = {1024: 21.0, 2048: 32.4, 4096: 88.9}
"""Keys, and as many queries: microseconds."""
missed = []


def verdict(fine: bool, what: str) -> str:
    if not fine:
        missed.append(what)
    return "reached" if fine else "MISSED"


def host(build: Path, *arguments: str | Path, **environment: str) -> float:
    """CPU seconds of a command, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([build / "bin/htp-host", *arguments], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(build: Path, folder: Path, program: str, **sizes: int) -> dict[str, Any]:
    """A compiled package's report."""
    profile, package, built = folder / "profile.yaml", folder / program, folder / "built"
    said = " ".join(f"{name}={size}" for name, size in sizes.items())
    profile.write_text(f"htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: {said}\n")
    host(build, "--plugins", ROOT / "manifests/a2a3sim.yaml", "compile", HERE / f"{program}.py", "-o", package)
    host(build, "--plugins", profile, "build", package, "--into", built)
    read: dict[str, Any] = json.loads((built / "report.json").read_text())
    return read


def pipes(read: dict[str, Any]) -> dict[str, float]:
    """Cycles that the pipes of the busiest core work."""
    return {row["pipe"]: row["cycles"] for row in read["pipes"] if row["core"] == read["bound"]["core"]}


def per_cycle(rate: str) -> float:
    """Bytes."""
    return COSTS[rate] * 2**30 / (COSTS["clock"] * 1e6)


def products(build: Path, folder: Path) -> None:
    print("f16 product on 24 cores: a task's schedule beside the roofline of its tiles, and the run beside what is published")
    print(f"{'m=k=n':>6} {'cycles':>9} {'roofline':>9} {'of it':>6}   {'us':>7} {'published':>9}   {'cube %':>6} {'published':>9}")
    for size, (published, cube) in PRODUCTS.items():
        if size > 3072 and not os.environ.get("HTP_LONG"):
            continue
        read = report(build, folder, "wide", M=size, N=size, K=size)
        tasks = len(read["tasks"])
        verdict(tasks == 24, f"product of {size}: {tasks} tasks for 24 cores")
        blocks = (size // 128) * (size // 256) // tasks
        loaded = blocks * (128 + 256) * size * 2 / per_cycle("gm_to_l1")
        multiplied = blocks * 128 * 256 * size / COSTS["cube_rate"]
        cycles, roofline = read["tasks"][0]["cycles"], max(loaded, multiplied)
        us, busy = read["microseconds"], 100 * pipes(read)["M"] / COSTS["clock"] / read["microseconds"]
        of_it = verdict(roofline / cycles >= 0.95, f"product of {size}: {100 * roofline / cycles:.1f} % of the roofline")
        print(f"{size:6} {cycles:9.0f} {roofline:9.0f} {100 * roofline / cycles:5.1f}%   {us:7.1f} {published:9.1f}   {busy:6.1f} {cube:9.1f}   {of_it}")


def addition(build: Path, folder: Path) -> None:
    size = 6 * 2**22  # as many tasks of 64 blocks as cores, twice
    read = report(build, folder, "addition", N=size)
    cores = sum(row["pipe"] == "MTE2" for row in read["pipes"])
    bound = max(2 * 4 * size / cores / per_cycle("gm_to_ub"), 4 * size / cores / per_cycle("ub_to_gm"))
    over = 100 * (read["cycles"] / bound - 1)
    said = verdict(over <= 10, f"addition: {over:.1f} % above the bandwidth bound")
    print(f"\naddition of {size} f32 on {cores} cores: {read['cycles']:.0f} cycles, bandwidth bound {bound:.0f}, {over:+.1f} %   {said}")


def attention(build: Path, folder: Path) -> None:
    print("\nattention, one head of 128: what is compiled beside what is published of a kernel written by hand")
    print(f"{'keys':>6} {'us':>7} {'published':>9}")
    for keys, published in ATTENTION.items():
        us = report(build, folder, "attention", Q=keys, K=keys)["microseconds"]
        print(f"{keys:6} {us:7.1f} {published:9.1f}   {100 * (us / published - 1):+.0f} %")


def model(build: Path) -> None:
    test = build / "bin/test_binding_a2a3sim"
    if not test.exists():
        print(f"\nthe model: not held against what is published: there is no {test}")
        return
    for name, what in (("Products", "products"), ("Attention", "attention, by its vector part and fitted to none of these")):
        done = subprocess.run([test, f"--gtest_filter=A2A3Cycles.{name}AsPublished"], capture_output=True, text=True)
        print(f"\nthe model of the published kernel: {what}")
        print("\n".join(line for line in done.stdout.splitlines() if re.match(r" *(keys|m=k=n|\d+) ", line)))
        print(verdict(done.returncode == 0, f"the model of published {name.lower()}"))


def times(build: Path, folder: Path) -> None:
    import numpy as np

    profile = ROOT / "manifests/a2a3sim.yaml"
    program = ROOT / "examples/flash_attention/flash_attention.py"
    compiled = min(host(build, "--plugins", profile, "compile", program, "-o", folder / "flash", HTP_CACHE="off") for _ in range(5))
    print(f"\ncompiling flash attention: {1000 * compiled:.0f} ms CPU   {verdict(compiled <= 0.15, 'compiling flash attention')} (150)")
    random = np.random.default_rng(1)
    np.savez(folder / "in.npz", **{name: random.standard_normal((512, 512)).astype(np.float16) for name in "ab"})
    host(build, "--plugins", profile, "compile", HERE / "product.py", "-o", folder / "product")
    host(build, "--plugins", profile, "build", folder / "product")
    ran = min(host(build, "--plugins", profile, "run", folder / "product", "--inputs", folder / "in.npz", "--outputs", folder / "out.npz") for _ in range(2))
    print(f"simulating a product of 512: {ran:.1f} s CPU   {verdict(ran <= 5, 'simulating a product of 512')} (5)")


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        products(build, folder)
        addition(build, folder)
        attention(build, folder)
        model(build)
        times(build, folder)
    print("\n" + ("missed: " + "; ".join(missed) if missed else "all reached"))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
