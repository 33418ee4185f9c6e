"""Random products by letters, rolls and pads, in plain Python and compiled, against NumPy's.

    random_letters.py --host build/dev/bin/htp-host [--from 0] [--count 2]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp.testing import import_program

ROOT = Path(__file__).resolve().parents[2]
SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "M": 6}
STATEMENTS = 12


def program(seed: int) -> tuple[str, dict[str, tuple[int, ...]], dict[str, Any]]:
    """A kernel, the shapes of its parameters, and what each output is of the inputs."""
    rng = random.Random(seed)
    shapes: dict[str, tuple[int, ...]] = {}
    types: dict[str, str] = {}
    body, oracle = [], {}

    def tensor(name: str, letters: str, extra: int = 0, axis: int = -1) -> str:
        shapes[name] = tuple(SIZES[letter] + (extra if k == axis else 0) for k, letter in enumerate(letters)) or (1,)
        extents = [(letter if letter == "M" else str(SIZES[letter])) + (f" + {extra}" if k == axis and extra else "") for k, letter in enumerate(letters)]
        types[name] = ", ".join(extents or ["1"])
        return f"{name}[{', '.join([':'] * max(1, len(letters)))}]"

    for number in range(STATEMENTS):
        x, y, z = f"x{number}", f"y{number}", f"z{number}"
        letters = [letter for letter in SIZES]
        left = "".join(rng.sample(letters, rng.randint(1, 3)))
        kind = rng.random()
        if kind < 0.7:
            right = "".join(rng.sample(letters, rng.randint(1, 3)))
            both = sorted(set(left + right))
            result = "".join(rng.sample(both, rng.randint(0, min(4, len(both)))))
            spec = f"{left},{right}->{result}"
            body.append(f'    {tensor(z, result)} = einsum("{spec}", {tensor(x, left)}, {tensor(y, right)})')
            oracle[z] = lambda given, spec=spec, x=x, y=y: np.einsum(spec, given[x], given[y])
            continue
        axis = rng.randrange(len(left))
        shown = axis - len(left) if rng.random() < 0.3 else axis
        if kind < 0.85:
            shift = rng.randint(-9, 9)
            body.append(f"    {tensor(z, left)} = roll({tensor(x, left)}, {shift}, axis={shown})")
            oracle[z] = lambda given, x=x, shift=shift, axis=axis: np.roll(given[x], shift, axis)
        else:
            widths = (rng.randint(0, 3), rng.randint(0, 3))
            body.append(f"    {tensor(z, left, sum(widths), axis)} = pad({tensor(x, left)}, {widths}, axis={shown}, value=2.5)")
            all_widths = [widths if k == axis else (0, 0) for k in range(len(left))]
            oracle[z] = lambda given, x=x, widths=all_widths: np.pad(given[x], widths, constant_values=2.5)
    parameters = ", ".join(f"{name}: {'Out' if name in oracle else 'In'}[Tensor[f32, {types[name]}]]" for name in shapes)
    head = '"""Random."""\n\nimport htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, einsum, kernel, pad, roll\n\nM = htp.dim("M")\n\n\n@kernel\n'
    return f"{head}def k({parameters}, m: In[Tensor[f32, M]], n: Out[Tensor[f32, M]]) -> None:\n    n[:] = m[:]\n" + "\n".join(body) + "\n", shapes, oracle


def wrong(host: Path, folder: Path, seed: int) -> list[str]:
    text, shapes, oracle = program(seed)
    path, package = folder / f"letters_{seed}.py", folder / f"letters_{seed}.htp"
    path.write_text(text)
    made = subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", path, "-o", package], capture_output=True, text=True, cwd=folder)
    if made.returncode:
        return [f"is refused: {made.stderr[:600]}"]
    rng = np.random.default_rng(seed)
    given = {name: rng.integers(-4, 5, shape).astype(np.float32) for name, shape in shapes.items()}
    m = np.ones(SIZES["M"], np.float32)
    found = []
    with htp.bind(package) as native:
        for what, run in (("plain Python", import_program(text, "letters").k), ("the package", native)):
            arrays = {name: np.zeros_like(array) if name in oracle else array for name, array in given.items()}
            run(**arrays, m=m, n=m.copy())
            for name, of in oracle.items():
                if not np.array_equal(arrays[name], of(given).reshape(arrays[name].shape)):  # small ints: every order gives the same
                    found.append(f"{what} gives another {name}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--count", type=int, default=2)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.start, given.start + given.count):
            if found := wrong(given.host.resolve(), Path(folder), seed):
                failed += 1
                print(f"FAILED seed {seed}", *found[:3], program(seed)[0], sep="\n    ")
    print(f"{given.count - failed} passed, {failed} failed, of {STATEMENTS} statements each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
