"""Philox 4x32-10 of htp_tile against the known answers of Random123, in plain Python and compiled."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import htp
import numpy as np
from htp.testing import import_program

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = '''"""Four random numbers of a counter and a key."""

import htp
from htp import In, Out, f32, u32
from htp_tile import Tensor, kernel, philox, tiles, uniform

N = htp.dim("N")


@kernel
def k(counter: In[Tensor[u32, N, 4]], key: In[Tensor[u32, N, 2]], y: Out[Tensor[u32, N, 4]], z: Out[Tensor[f32, N, 1]]) -> None:
    for i in tiles(N, 8):
        y[i, 0], y[i, 1], y[i, 2], y[i, 3] = philox(counter[i, 0], counter[i, 1], counter[i, 2], counter[i, 3], key[i, 0], key[i, 1])
        z[i, :] = uniform(y[i, 0])
'''
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0), (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    counter, key, expected = (np.array([row[part] for row in KNOWN], np.uint32) for part in range(3))
    with tempfile.TemporaryDirectory() as folder:
        program, package = Path(folder) / "philox.py", Path(folder) / "philox.htp"
        program.write_text(PROGRAM)
        subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", package], check=True, capture_output=True)
        with htp.bind(package) as native:
            for run in (import_program(PROGRAM, "philox").k, native):
                y, z = np.zeros((3, 4), np.uint32), np.zeros((3, 1), np.float32)
                run(counter, key, y, z)
                assert np.array_equal(y, expected), [[hex(value) for value in row] for row in y]
                assert np.array_equal(z[:, 0], ((expected[:, 0] >> 8) * 2.0**-24).astype(np.float32)), z
    print("3 known answers, in plain Python and compiled")


if __name__ == "__main__":
    main()
