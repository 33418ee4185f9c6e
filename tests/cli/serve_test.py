"""`report --serve`: what a browser gets of a program that changes, and nothing else.

    serve_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HOST = Path()
SOON = 60.0
PROGRAM = """
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles
from constants import FACTOR

N = htp.dim("N")


@kernel
def scaled(a: In[Tensor[f32, N]], b: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        b[i] = a[i] * FACTOR
"""


class Serving:
    """A server, and what its events say."""

    def __init__(self, folder: Path, *words: str) -> None:
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "HTP_TRUST": str(folder / "trust.yaml"), "TMPDIR": str(folder / "tmp")}
        (folder / "tmp").mkdir(exist_ok=True)
        self.process = subprocess.Popen([HOST, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stderr is not None
        ready, _, _ = select.select([self.process.stderr], [], [], SOON)
        line = self.process.stderr.readline().decode() if ready else ""
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
        if not match:
            self.process.kill()
            raise AssertionError(f"no address: {line!r} {self.process.communicate()[1][-400:]!r}")
        self.port = int(match[1])

    def get(self, path: str, host: str = "") -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SOON)
        try:
            connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{self.port}"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def states(self) -> Iterator[dict[str, Any]]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=SOON) as connection:
            connection.sendall(f"GET /events HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode())
            for line in connection.makefile("rb"):
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """The states up to one of which it holds."""
        seen = []
        for state in self.states():
            seen.append(state)
            if holds(state):
                return seen
        raise AssertionError(f"the events end: {seen[-1:]}")

    def end(self, sign: int = signal.SIGINT) -> tuple[int, float, str]:
        begin = time.monotonic()
        self.process.send_signal(sign)
        _, said = self.process.communicate(timeout=SOON)
        return self.process.returncode, time.monotonic() - begin, said.decode()


class Served(unittest.TestCase):
    def setUp(self) -> None:
        self.held = tempfile.TemporaryDirectory()
        self.folder = Path(self.held.name).resolve() / "a folder"
        self.folder.mkdir()
        self.program = self.folder / "scaled.py"
        self.program.write_text(PROGRAM)
        (self.folder / "constants.py").write_text("FACTOR = 2.0\n")

    def tearDown(self) -> None:
        self.held.cleanup()

    def test_follows_a_program(self) -> None:
        served = Serving(self.folder, "--plugins", "cpu", "report", "--serve", "scaled.py", "--values", "--dim", "N=128")
        try:
            done = served.until(lambda state: not state["working"])[-1]
            self.assertEqual((done["failed"], done["page"]), ("", 1))
            self.assertIn("tile.infer", [one["name"] for one in done["passes"]])
            self.assertEqual(done["planned"], len(done["passes"]))
            status, frame = served.get("/")
            self.assertEqual(status, 200)
            self.assertIn("<title>scaled.py</title>", frame)
            page = served.get("/page?1")[1]
            self.assertIn("b[i] = a[i] * 2.0", page.replace("FACTOR", "2.0"))
            self.assertIn('"sizes":{"N":128}', page)
            # A file that it takes in changes, the program breaks, and is mended.
            (self.folder / "constants.py").write_text("FACTOR = 3.5\n")
            self.assertEqual(served.until(lambda state: state.get("page") == 2 and not state["working"])[-1]["failed"], "")
            self.assertIn("3.5", served.get("/page")[1])
            self.program.write_text(PROGRAM.replace("a[i] *", "missing[i] *"))
            broken = served.until(lambda state: state["failed"] != "")[-1]
            self.assertIn("`missing`", broken["failed"])
            self.assertIn("scaled.py:13", broken["failed"])
            self.assertIn("3.5", served.get("/page")[1])
            self.program.write_text(PROGRAM)
            self.assertEqual(served.until(lambda state: state.get("page") == 3 and not state["working"])[-1]["failed"], "")
            # Only what is meant, and only for who asks this machine.
            self.assertEqual(served.get("/../scaled.py")[0], 404)
            self.assertEqual(served.get("/constants.py")[0], 404)
            self.assertEqual(served.get("/page", f"evil.example:{served.port}")[0], 403)
            self.assertEqual(served.get("/events", "evil.example")[0], 403)
        finally:
            code, took, said = served.end()
        self.assertEqual(code, 130, said)
        self.assertLess(took, 20)
        self.assertNotIn("Traceback", said)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_of_a_package(self) -> None:
        compiled = subprocess.run([HOST, "--plugins", "cpu", "compile", "scaled.py", "-q"], cwd=self.folder, env={**os.environ, "HTP_CACHE": str(self.folder / "cache")}, capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        served = Serving(self.folder, "report", "--serve", "scaled.htp", "-o", "kept.html")
        try:
            self.assertEqual(served.until(lambda state: not state["working"])[-1]["failed"], "")
            self.assertEqual(served.get("/page")[1], (self.folder / "kept.html").read_text())
        finally:
            self.assertEqual(served.end(signal.SIGTERM)[0], 130)

    def test_what_is_refused(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            for words, code in (
                (("--plugins", "cpu", "report", "--serve", "scaled.py", "--port", port), "error[report.no-port]: the port"),
                (("report", "--serve", "nothing.py"), "error[io.unreadable]"),
                (("report", "scaled.htp", "--port", "80"), "error[report.only-serve]: `--port` is for `--serve` of a program or a package"),
                (("report", "scaled.htp", "--set", "A=1"), "error[report.only-serve]: `--set` is for `--serve` of a program"),
            ):
                done = subprocess.run([HOST, *words], cwd=self.folder, capture_output=True, text=True, timeout=SOON)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(code, done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
