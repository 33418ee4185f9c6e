"""What `htp-host report --serve` does: compiles a program each time it changes, and shows the compile while it runs and the page that comes of it, to a browser
on this machine."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from htp.errors import Refused

LOOKED: Final = 0.2
"""Seconds between two looks at the files."""
LINES: Final = 200
"""Of what a failed compile says, that are shown."""
ADDRESS: Final = "127.0.0.1"


def serve(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}. Ends by an interrupt."""
    request: dict[str, Any] = json.loads(request_text)
    pages, diagnostics = 0, list[dict[str, Any]]()
    try:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a browser that goes away ends one answer, not all
        with tempfile.TemporaryDirectory(prefix="htp-serve-") as folder:
            live = Live(request, Path(folder))
            try:
                _serve(live)
            finally:
                pages = live.pages
    except KeyboardInterrupt:
        pass
    except Refused as error:
        diagnostics.append(error.diagnostic())
    return json.dumps({"text": "", "result": {"pages": pages}, "diagnostics": diagnostics})


def _serve(live: Live) -> None:
    try:
        server = _Server(live)
    except (OSError, OverflowError) as error:
        raise Refused("report.no-port", live.request["port"], getattr(error, "strerror", None) or "ports are 0 to 65535") from None
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    try:
        print(f"http://{ADDRESS}:{server.server_port}/", "Ctrl-C ends it.", sep="\n", file=sys.stderr, flush=True)
        live.follow()
    finally:
        live.close()
        server.shutdown()
        server.server_close()


class Live:
    """What the browser is shown: a state, which grows by events, and the last page that there was."""

    def __init__(self, request: Mapping[str, Any], folder: Path) -> None:
        self.request = request
        self.folder = folder
        self.given = Path(request["given"])
        self.page = b""
        self.pages = 0
        self.ended = False
        self.state: dict[str, Any] = {}
        self.changed = threading.Condition()
        self._running: subprocess.Popen[str] | None = None
        self._files: set[Path] = {self.given if request["compiles"] else self.given / "manifest.json"}

    def follow(self) -> None:
        """Compiles, shows, and waits for a change, until an interrupt."""
        while True:
            before = self._stamps()
            self._made()
            before = {**self._stamps(), **before}  # what changed while it was compiled counts
            while all(before.get(path) == stamp for path, stamp in self._stamps().items()):
                time.sleep(LOOKED)

    def close(self) -> None:
        with self.changed:
            self.ended = True
            self.changed.notify_all()
        if self._running is not None:
            _end(self._running)

    def _stamps(self) -> dict[Path, tuple[int, int] | None]:
        """When each file that was read was changed last. A file that is being replaced may be missing for a moment."""
        stamps: dict[Path, tuple[int, int] | None] = {}
        for path in self._files:
            try:
                of = path.stat()
                stamps[path] = (of.st_mtime_ns, of.st_size)
            except OSError:
                stamps[path] = None
        return stamps

    def _tell(self, **news: Any) -> None:
        with self.changed:
            self.state = {**self.state, **news, "number": self.state.get("number", 0) + 1}
            self.changed.notify_all()

    def _made(self) -> None:
        begin = time.monotonic()
        self._tell(working=True, passes=[], planned=0, failed="", seconds=0.0)
        package, said = self.given, ""
        if self.request["compiles"]:
            package = self.folder / "package"
            status, said = self._run([*self.request["compile"], "-o", str(package)], self._follow_log)
            self._watch(package)
        else:
            status = 0
        page = Path(self.request["output"] or self.folder / "page.html")
        if status == 0:
            status, said = self._run([*self.request["report"], str(package), "-o", str(page)], None)
        if status == 0:
            with self.changed:
                self.page = page.read_bytes()
                self.pages += 1
        self._tell(working=False, failed="" if status == 0 else said or f"it ended with {status}", seconds=time.monotonic() - begin, page=self.pages)

    def _watch(self, package: Path) -> None:
        """The program, and the files beside it that it takes in."""
        self._files = {self.given}
        try:
            inputs = json.loads((package / "manifest.json").read_text())["inputs"]
        except (OSError, ValueError, KeyError):
            return
        self._files |= {path for one in inputs if (path := (self.given.parent / one["path"])).is_file()}

    def _run(self, arguments: list[str], follow: Any) -> tuple[int, str]:
        """Runs the host, with a process group of its own; its exit status and what it said."""
        log = self.folder / "log.jsonl"
        log.write_bytes(b"")
        command = [self.request["host"], "--color", "never", "--log-level", "info", "--log-file", str(log), *arguments]
        with (self.folder / "said").open("w+b") as said:
            running = self._running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, text=True, start_new_session=True)
            try:
                read = 0
                while running.poll() is None:
                    read = follow(log, read) if follow else 0
                    time.sleep(0.02)
                if follow:
                    follow(log, read)
            finally:
                _end(running)
                self._running = None
            said.seek(0)
            text = said.read(1 << 20).decode(errors="replace")
        return running.returncode, "\n".join(text.splitlines()[:LINES])

    def _follow_log(self, log: Path, read: int) -> int:
        """Tells of what the log has since `read` bytes."""
        data = log.read_bytes()[read:]
        whole = data[: data.rfind(b"\n") + 1]
        news: dict[str, Any] = {}
        for line in whole.splitlines():
            one = json.loads(line)
            if one.get("what") == "passes planned":
                news["planned"] = len(str(one.get("passes", "")).split())
            elif one.get("what") == "done" and "changed" in one:
                news.setdefault("passes", list(self.state["passes"])).append({"name": one["phase"], "ms": float(one.get("ms", 0)), "changed": one["changed"] in ("yes", True)})
        if news:
            self._tell(**news)
        return read + len(whole)


def _end(process: subprocess.Popen[str]) -> None:
    """With all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, live: Live) -> None:
        self.live = live
        self.frame = str(live.request["page"]).encode()
        super().__init__((ADDRESS, int(live.request["port"])), _Answers)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a browser that broke off: nothing that a person could mend


class _Answers(BaseHTTPRequestHandler):
    """Three things: the frame, the page in it, and the events. Nothing of the file system."""

    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = 60  # of a connection that asks nothing

    def do_GET(self) -> None:
        host = self.headers.get("Host", "")
        if not re.fullmatch(rf"(127\.0\.0\.1|localhost):{self.server.server_port}", host):  # a name that somebody else made lead here
            self.send_error(403)
        elif self.path == "/":
            self._send(self.server.frame)
        elif self.path.partition("?")[0] == "/page":
            with self.server.live.changed:
                page = self.server.live.page
            self._send(page)
        elif self.path == "/events":
            self._events()
        else:
            self.send_error(404)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def _events(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        live, told = self.server.live, 0
        try:
            while True:
                with live.changed:
                    live.changed.wait_for(lambda: live.ended or live.state.get("number", 0) > told, 15)
                    state, ended = live.state, live.ended
                if ended:
                    return
                fresh = state.get("number", 0) > told
                told = state.get("number", 0)
                self.wfile.write(f"data: {json.dumps(state)}\n\n".encode() if fresh else b": here\n\n")
                self.wfile.flush()
        except OSError:  # the browser went away
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass
