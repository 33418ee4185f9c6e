"""The files that the cases of cli_test.py begin with: programs, profiles, manifests, locks."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ADD = (ROOT / "examples/vector_add/vector_add.py").read_text()
GEMM = (ROOT / "examples/gemm/gemm.py").read_text()
SCALED = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def scaled(scale: f32, more: int, x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        y[i] = x[i] * scale + more
"""
NARROWED = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def narrowed(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N - 4]]) -> None:
    for i in tiles(N - 4, 8):
        y[i] = x[i]
"""
CHECKED = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


def taken(x: Tensor[f32, N], at: int) -> f32:
    return x[at]


@kernel
def checked(x: In[Tensor[f32, N]], n: int, m: int, y: Out[Tensor[f32, 3]]) -> None:
    y[0] = taken(x, n * n)
    y[1] = x[
        N - 1 - n // m
    ]
    y[2] = 0.0
    for k in range(m):
        if k * n > N:
            y[2] = x[k]
"""
RESTS = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def rests(x: In[Tensor[f32, N]], n: int, m: int, y: Out[Tensor[f32, 2]]) -> None:
    y[0] = x[n % 3 * 4611686018427387904 // 4611686018427387904]
    y[1] = x[n % m * -4611686018427387905 // -4611686018427387905]
"""
FAULTY = '''import htp
from htp_faulty import entry

@entry
def main() -> None:
    x = 1 + 2
'''
TASKS = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, exp, reduce_sum, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def tasks(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M - 2, N]], z: Out[Tensor[f32, 1, N]]) -> None:
    h = buffer(f32, M, N)
    for p in P(M):
        h[p, :] = exp(x[p, :])
    for i in P(M - 2):
        y[i, :] = h[i, :] + h[i + 2, :]
    s = zeros(f32, 1, N)
    for k in seq(M):
        s = s + reduce_sum(h[k, :], axis=0)
    z[:, :] = s


@schedule(tasks)
def cut(s: Schedule) -> None:
    s.tile("p", 16)
    s.tile("i", 16)
    s.bind("i", level="core")
"""
CPU = "htp_profile: 1\ntarget: cpu\n"


def faulty(options: str = "") -> str:
    return "htp_profile: 1\ntarget: faulty\nsearch:\n  - BUILD/fixtures/faulty\n" + options


def fault(unit: str, what: str) -> str:
    return faulty(f"options:\n  {unit}:\n    fault: {what}\n")


# A plugin of data alone, found beside the profile, and a lock that it differs from.
MADE = """htp_manifest: 1
plugin:
  id: made.up
  version: "1.0"
  doc: made up
declares:
  - name: Made.Up
    is: static
    doc: made up
units:
  - kind: intrinsics
    name: made.set
    members:
      - made.add
  - kind: backend
    name: made
    target_set:
      - made.set
    contract:
      - Made.Up
    provides:
      - Package.Contract(id="made/1")
  - kind: dialect
    name: made.up
    wants:
      - Made.More
    provides:
      - Made.Up
"""
# A target whose contract two plugins serve, each with a unit of the same name.
TARGET_ALONE = MADE.split("  - kind: dialect\n")[0]
TWIN = """htp_manifest: 1
plugin:
  id: made.{0}
  version: "1.0"
  doc: made up
units:
  - kind: dialect
    name: made.given
    provides:
      - Made.Up
"""
LOCKED = {"p.yaml": "htp_profile: 1\ntarget: made\nsearch:\n  - .\n", "a.py": "x = 1\n", "made/htp-plugin.yaml": MADE}
LOCK = """htp_lock: 1
plugins:
  - id: made.up
    version: "{version}"
    manifest: "{digest}"
    library: "{digest}"
    needed:
      - path: "libgone.so"
        sha256: "{digest}"
"""

# The same with Python, of which one file was changed, one is gone and one is new.
MADE_PYTHON = MADE.replace("declares:", "python:\n  module: made\n  path: python\ndeclares:", 1)
LOCKED_PYTHON = {
    **LOCKED,
    "made/htp-plugin.yaml": MADE_PYTHON,
    "made/python/made/__init__.py": "x = 1\n",
    "made/python/made/fresh.py": "",
    "p.lock.yaml": f"""htp_lock: 1
plugins:
  - id: made.up
    version: "1.0"
    manifest: "{hashlib.sha256(MADE_PYTHON.encode()).hexdigest()}"
    python:
      - path: "made/__init__.py"
        sha256: "{"b" * 64}"
      - path: "made/gone.py"
        sha256: "{"b" * 64}"
""",
}
# A pipeline of a plugin of data alone.
PIPELINE = """htp_manifest: 1
plugin:
  id: made.order
  version: "1.0"
  doc: made up
units:
  - kind: pipeline
    name: order.wrong
    passes:
      - cpu.loops
      - cpu.select
"""
# A pass that takes away what the target wants, at the end of a pipeline.
SPOILING = """htp_manifest: 1
plugin:
  id: made.spoil
  version: "1.0"
  doc: made up
python:
  module: made
  path: python
units:
  - kind: pass
    name: made.spoil
    doc: made up
    code: made:spoil
    requires:
      - Codegen.Ready(target=cpu)
    invalidates:
      - Codegen.Ready(target=cpu)
      - Cpu.Selected
      - Tile.Kernel
      - Tile.Canonical
      - Tile.Typed
  - kind: pipeline
    name: made.order
    doc: made up
    passes:
      - cpu.loops
      - made.spoil
"""
IDLE = SPOILING[: SPOILING.index("  - kind: pipeline")].replace("Codegen.Ready(target=cpu)\n    inv", "A2a3.Placed\n    inv")
HERE_TOO = CPU + "search:\n  - .\n"

# Three processes, of which the second has most to do.
PIPELINE_PROGRAM = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def scaled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=3)
    parts = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def normalise() -> None:
        for i in tiles(M, 8):
            e = exp(rows.get())
            parts.put(e / reduce_sum(e, axis=1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = parts.get()
"""
# Two rows are put before the first is got.
TWO_FIRST = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def two_first(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    sums = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
            rows.put(x[i, :] * 2.0)
            sums.put(x[i, :] * 3.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            total = sums.get()
            y[i, :] = total + rows.get() + rows.get()
"""
# From row 20 on each waits for the other.
STUCK_LATE = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline(checked=True)
def late(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    asked = channel(f32, 1, N, capacity=1)
    answers = channel(f32, 1, N, capacity=1)

    @process
    def ask() -> None:
        for m in range(M):
            if m == 20 and M + N == 156:
                y[m, :] = answers.get()
                asked.put(x[m, :])
            else:
                asked.put(x[m, :])
                y[m, :] = answers.get()

    @process
    def answer() -> None:
        for _m in range(M):
            answers.put(asked.get() * 2.0)
"""
# Rows go one way or another; who joins them takes the one way first.
TWO_WAYS = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, full, holds

M = htp.dim("M")


@pipeline
def two_ways(x: In[Tensor[f32, M]], limit: f32, y: Out[Tensor[f32, 1]]) -> None:
    low = channel(f32, 1, capacity=2, checked=True)
    high = channel(f32, 1, capacity=2, checked=True)

    @process
    def split() -> None:
        for m in range(M):
            if holds(x[m] < limit):
                low.put(x[m])
            else:
                high.put(x[m])
        low.close()
        high.close()

    @process
    def join() -> None:
        total = full(f32, 0.0, 1)
        for a in low:
            total = total + a
        for b in high:
            total = total * 0.5 + b
        y[0] = total
"""
# Beside a channel of which data decides how much it carries two get before they put.
BESIDE = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, holds, zeros

M = htp.dim("M")


@pipeline
def beside(x: In[Tensor[f32, M]], y: Out[Tensor[f32, 1]]) -> None:
    kept = channel(f32, 1, capacity=2, checked=True)
    a = channel(f32, 1, capacity=1)
    b = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            if holds(x[m] > 0):
                kept.put(x[m])
            a.put(b.get())
        kept.close()

    @process
    def add() -> None:
        total = zeros(f32, 1)
        for m in range(M):
            b.put(a.get())
        for row in kept:
            total = total + row
        y[0] = total
"""
# As often as it is told, where there may be fewer.
ONE_MORE = """import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, full

M = htp.dim("M")


@pipeline
def one_more(x: In[Tensor[f32, M]], count: int, y: Out[Tensor[f32, 1]]) -> None:
    given = channel(f32, 1, capacity=2, checked=True)

    @process
    def load() -> None:
        for m in range(M):
            given.put(x[m])
        given.close()

    @process
    def add() -> None:
        total = full(f32, 0.0, 1)
        for _n in range(count):
            total = total + given.get()
        y[0] = total
"""
# A ring of which each place gets before it puts, beside processes that end; two that as one wait for themselves.
STUCK_RING = """import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, pipeline, process, schedule
from htp_tile import Tensor, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def ring(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lanes = channels(3, f32, 1, 1, capacity=1)
    rows = channel(f32, 1, N, capacity=2)

    @process(grid=3)
    def cell(i: int) -> None:
        for _m in range(M):
            _ = lanes[i].get()
            lanes[(i + 1) % 3].put(zeros(f32, 1, 1))

    @process
    def load() -> None:
        for m in range(M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()


@pipeline
def two(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    asked = channel(f32, 1, N, capacity=1)
    answers = channel(f32, 1, N, capacity=1)

    @process
    def ask() -> None:
        for m in range(M):
            asked.put(x[m, :])
            y[m, :] = answers.get()

    @process
    def answer() -> None:
        for _m in range(M):
            answers.put(asked.get() * 2.0)


@schedule(two)
def backwards(s: Schedule) -> None:
    s.chain("ask", "answer")
"""
# A simulation that is none, by a plugin without a library.
NO_SIMULATION = """htp_manifest: 1
plugin:
  id: made.simulation
  version: "1.0"
  doc: made up
python:
  module: told
  path: .
units:
  - kind: analysis
    name: told.simulation
    doc: tells nothing of use
    code: told:tell
    provides:
      - Simulation.Model(target=faulty)
    values: string
"""

PLUGIN = """htp_manifest: 1
plugin:
  id: my.{0}
  version: "1.0.0"
  doc: a pipeline
units:
  - kind: pipeline
    name: my.{0}
    doc: passes in a row
    passes:
      - tile.infer
"""


def pem(seed: bytes) -> str:
    """A private key of Ed25519 made of 32 bytes, as `openssl genpkey` writes one."""
    body = base64.b64encode(bytes.fromhex("302e020100300506032b657004220420") + seed).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
