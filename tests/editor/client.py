"""A small client of the Language Server Protocol over standard input and output, for tests and benchmarks."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any, Callable


class Client:
    """A server and what it said. Positions are the protocol's: lines and UTF-16 columns from 0."""

    def __init__(self, host: Path, folder: Path, *options: str, environment: dict[str, str] | None = None) -> None:
        own = {**os.environ, "HTP_CACHE": str(folder / "cache"), "HTP_TRUST": str(folder / "trust.yaml"), "CI": "1", **(environment or {})}
        self.process = subprocess.Popen([host, *options, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=own)
        self.folder = folder
        self.count = 0
        self.buffer = b""
        self.answers: dict[Any, dict[str, Any]] = {}
        self.told: list[dict[str, Any]] = []  # notifications, in their order
        self.diagnostics: dict[str, dict[str, Any]] = {}  # uri → the last publishDiagnostics
        self.versions: dict[str, int] = {}
        self.whole: dict[str, int] = {}  # uri → the last version that was looked at to the end

    # ── messages ──

    def raw(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def message(self, seconds: float) -> dict[str, Any] | None:
        """The next message; nothing when none came in time, or the server ended."""
        until = time.monotonic() + seconds
        output = self.process.stdout.fileno()
        while True:
            head = self.buffer.find(b"\r\n\r\n")
            if head >= 0:
                size = int(self.buffer[:head].split(b":")[1])
                if len(self.buffer) >= head + 4 + size:
                    body = self.buffer[head + 4 : head + 4 + size]
                    self.buffer = self.buffer[head + 4 + size :]
                    return self._take(json.loads(body))
            left = until - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                return None
            data = os.read(output, 1 << 16)
            if not data:
                return None
            self.buffer += data

    def _take(self, message: dict[str, Any]) -> dict[str, Any]:
        if "method" in message:
            self.told.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]
            if message["method"] == "$/htp/checked":
                self.whole[message["params"]["uri"]] = message["params"]["version"]
        else:
            self.answers[message.get("id")] = message
        return message

    def wait(self, holds: Callable[[], Any], seconds: float = 30) -> Any:
        until = time.monotonic() + seconds
        while not (found := holds()):
            left = until - time.monotonic()
            if left <= 0 or self.message(left) is None:
                if found := holds():
                    return found
                raise TimeoutError(f"nothing came; it ended with {self.process.poll()}")
        return found

    def answer(self, asked: int, seconds: float = 60) -> dict[str, Any]:
        return self.wait(lambda: self.answers.pop(asked, None), seconds)

    def ask(self, method: str, params: Any, seconds: float = 60) -> Any:
        """The result; of a refusal the whole answer."""
        found = self.answer(self.begin(method, params), seconds)
        return found["result"] if "result" in found else found

    # ── the session ──

    def initialize(self, **options: Any) -> dict[str, Any]:
        capabilities = {"workspace": {"inlayHint": {"refreshSupport": False}}, "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
        found = self.ask("initialize", {"processId": os.getpid(), "rootUri": self.folder.as_uri(), "capabilities": capabilities, "initializationOptions": options})
        self.notify("initialized", {})
        return found

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "python") -> str:
        uri = self.uri(name)
        self.versions[uri] = 1
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> int:
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": list(changes)})
        return self.versions[uri]

    def checked(self, uri: str, seconds: float = 30) -> list[dict[str, Any]]:
        """The diagnostics of the document's last version, once it was looked at to the end."""
        wanted = self.versions[uri]
        self.wait(lambda: self.whole.get(uri) == wanted, seconds)
        return self.diagnostics[uri]["diagnostics"]

    def at(self, uri: str, line: int, character: int) -> dict[str, Any]:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def close(self) -> int:
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(20)


def units(text: str) -> int:
    """Columns of UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def position(text: str, offset: int) -> dict[str, int]:
    before = text[:offset]
    start = before.rfind("\n") + 1
    return {"line": before.count("\n"), "character": units(before[start:])}


def find(text: str, part: str, nth: int = 0) -> dict[str, int]:
    at = -1
    for _ in range(nth + 1):
        at = text.index(part, at + 1)
    return position(text, at)


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    def offset(where: dict[str, int]) -> int:
        lines = text.split("\n")
        line = lines[where["line"]].encode("utf-16-le")[: 2 * where["character"]].decode("utf-16-le") if where["line"] < len(lines) else ""
        return sum(len(one) + 1 for one in lines[: where["line"]]) + len(line)

    for edit in sorted(edits, key=lambda one: offset(one["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text
