"""`htp-host lsp` and what is no message: every stream of bytes is answered or ends it in order, and none is a crash.

    messages_test.py --host build/plain/bin/htp-host [--streams 600] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from client import Client

ROOT = Path(__file__).resolve().parents[2]
wrong: list[str] = []
TEXT = 'import htp\nfrom htp import In, Out, f32\nfrom htp_tile import Tensor, kernel\n\nM = htp.dim("M")\n\n\n@kernel\ndef k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:\n    "größer 🙂"\n    y[:] = x[:]\n'
URI = "file:///tmp/nowhere/k.py"


def framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def request(id_: Any, method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def notification(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def session() -> list[dict[str, Any]]:
    document = {"uri": URI}
    at = {"textDocument": document, "position": {"line": 9, "character": 8}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    return [
        request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
        notification("initialized", {}),
        notification("textDocument/didOpen", {"textDocument": {**document, "languageId": "python", "version": 1, "text": TEXT}}),
        notification("textDocument/didChange", {"textDocument": {**document, "version": 2}, "contentChanges": [{"range": whole, "text": TEXT}, {"range": {"start": {"line": 9, "character": 13}, "end": {"line": 10, "character": 4}}, "text": "🙂"}, {"text": TEXT}]}),
        *(request(10 + k, f"textDocument/{method}", at) for k, method in enumerate(("hover", "completion", "definition", "references", "documentHighlight", "prepareRename"))),
        request(20, "textDocument/rename", {**at, "newName": "z"}),
        request(21, "textDocument/inlayHint", {"textDocument": document, "range": whole}),
        request(22, "textDocument/codeAction", {"textDocument": document, "range": whole, "context": {"diagnostics": []}}),
        request(23, "textDocument/codeLens", {"textDocument": document}),
        request(24, "textDocument/documentSymbol", {"textDocument": document}),
        request("text", "workspace/executeCommand", {"command": "htp.nothing", "arguments": [{"uri": URI}]}),
        notification("$/cancelRequest", {"id": 24}),
        notification("textDocument/didClose", {"textDocument": document}),
        request(30, "shutdown", None),
        notification("exit", None),
    ]


ODD: tuple[Any, ...] = (None, True, -1, 0, 2**31, 2**63, 2**64, 1e300, "", "x", "\x00", "🙂" * 50, [], {}, [[]], {"line": -1}, {"line": 2**40, "character": 2**40}, {"line": 1.5, "character": "x"})


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        found += paths(one, (*at, key))
    return found


def mutated(messages: list[dict[str, Any]], chosen: random.Random) -> tuple[bytes, bool]:
    """A session in which values are others, messages are missing, twice or out of order, or bytes are spoilt; and whether its end ends the server."""
    kind = chosen.choices(("values", "order", "bytes", "frames"), (60, 30, 6, 4))[0]
    ends = kind in ("bytes", "frames") or chosen.random() < 0.05
    messages = json.loads(json.dumps(messages if ends else messages[2:-2]))
    if kind == "values":
        for _ in range(chosen.randint(1, 4)):
            one = chosen.choice(messages)
            path = chosen.choice(paths(one))
            if not path:
                continue
            at = one
            for key in path[:-1]:
                at = at[key] if isinstance(at, (dict, list)) and (key in at if isinstance(at, dict) else isinstance(key, int) and key < len(at)) else {}
            if isinstance(at, dict) and chosen.random() < 0.3:
                at.pop(path[-1], None)
            elif isinstance(at, dict) or (isinstance(at, list) and isinstance(path[-1], int) and path[-1] < len(at)):
                at[path[-1]] = chosen.choice(ODD)
    if kind == "order":
        for _ in range(chosen.randint(1, 5)):
            k = chosen.randrange(len(messages))
            action = chosen.randrange(3)
            if action == 0:
                messages.pop(k)
            elif action == 1:
                messages.insert(k, json.loads(json.dumps(chosen.choice(messages))))
            else:
                messages.append(messages.pop(k))
            if not messages:
                break
    stream = b"".join(framed(one) for one in messages)
    if kind == "bytes":
        data = bytearray(stream)
        for _ in range(chosen.randint(1, 8)):
            k = chosen.randrange(len(data))
            data[k : k + chosen.randint(0, 3)] = bytes(chosen.choice(b'{}[]",:\\0e\xc3\x28\x00\r\n') for _ in range(chosen.randint(0, 3)))
        stream = bytes(data)
    if kind == "frames":
        bad = chosen.choice((b"Content-Length: 5\r\n\r\n{", b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: 300000000\r\n\r\nx", b"nothing\r\n\r\n", b"\r\n\r\n", b"Content-Length: 2\n\n{}", b"Content-Length: 200002\r\n\r\n" + b"[" * 100001 + b"]" * 100001, b"x" * 10000, b"content-length:2\r\nContent-Type: x\r\n\r\n[]"))
        cuts = [0]
        for one in messages:
            cuts.append(cuts[-1] + len(framed(one)))
        k = chosen.choice(cuts)
        stream = stream[:k] + bad + stream[k:]
    return stream, ends


def answers(output: bytes) -> list[dict[str, Any]]:
    found = []
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        size = int(head.split(b":")[1])
        found.append(json.loads(rest[:size]))
        output = rest[size:]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--streams", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chosen = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        environment = {**os.environ, "HTP_CACHE": str(Path(name) / "cache"), "HTP_TRUST": str(Path(name) / "trust.yaml"), "CI": "1"}
        line = [asked.host.resolve(), "lsp"]

        def run(stream: bytes) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run(line, input=stream, capture_output=True, cwd=name, env=environment, timeout=120)

        whole = run(b"".join(framed(one) for one in session()))
        said = {one["id"]: one for one in answers(whole.stdout) if "id" in one and "method" not in one}
        if whole.returncode != 0 or set(said) != {1, *range(10, 16), *range(20, 25), "text", 30}:
            wrong.append(f"a session: {whole.returncode} {sorted(map(str, said))} {whole.stderr[-300:]!r}")
        for bad, code in (
            (framed(request(5, "textDocument/hover", {})), -32002),
            (framed(request(5, "nothing", {})), -32601),
            (b"Content-Length: 1\r\n\r\n{", -32700),
            (framed([]), -32600),
            (framed({"jsonrpc": "1.0", "id": 5, "method": "initialize"}), -32600),
            (framed(request(5, "initialize", [])), -32602),
            (b"Content-Length: 99999999\r\n\r\n", -32600),
            (b"no header\r\n\r\n", -32700),
        ):
            found = answers(run(bad).stdout)
            if not found or found[0].get("error", {}).get("code") != code:
                wrong.append(f"{bad[:60]!r}: {found}")
        server: Client | None = None
        for k in range(asked.streams):
            stream, ends = mutated(session(), chosen)
            if server is None:
                server = Client(line[0], Path(name))
                server.initialize()
            try:
                server.raw(stream)
                if ends:
                    server.process.stdin.close()
                    while server.message(60):
                        pass
                else:
                    server.answers.pop(f"after {k}", None)
                    server.send(request(f"after {k}", "nothing", None))
                    server.wait(lambda: f"after {k}" in server.answers or server.process.poll() is not None, 60)
            except BrokenPipeError:
                ends = True  # it ended before it read all of it
            except (TimeoutError, ValueError, IndexError) as error:
                wrong.append(f"stream {k}: {type(error).__name__} {stream[:300]!r}")
                break
            for one in (*server.answers.values(), *server.told):
                if one.get("jsonrpc") != "2.0" or not ({"result", "error", "method"} & set(one)):
                    wrong.append(f"stream {k}: {one}")
            server.answers.clear()
            server.told.clear()
            if ends or server.process.poll() is not None:
                if server.process.wait(60) not in (0, 1):
                    wrong.append(f"stream {k}: it ended with {server.process.returncode}: {server.process.stderr.read()[-300:]!r} {stream[:300]!r}")
                server = None
        if server and server.close() != 0:
            wrong.append(f"it ends with {server.process.returncode}")
    print("\n".join(wrong[:20]) or f"{asked.streams} streams")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
