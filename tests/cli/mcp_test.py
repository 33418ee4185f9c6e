"""`htp-host mcp` as an agent meets it: tools with schemas, an edit that is verified, and messages that are none.

    mcp_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
WANTED = {"compile", "stages", "explain", "verify", "diff", "bench", "ops", "edit"}
wrong: list[str] = []


def expect(holds: object, what: str) -> None:
    if not holds:
        wrong.append(what)


class Server:
    def __init__(self, host: Path, folder: Path, *options: str) -> None:
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "HTP_TRUST": str(folder / "trust.yaml"), "CI": "1"}
        self.process = subprocess.Popen([host, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment)
        self.count = 0

    def raw(self, line: bytes) -> None:
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.count += 1
        self.raw(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}).encode())
        found = self.answer()
        expect(found.get("id") == self.count and found.get("jsonrpc") == "2.0", f"{method}: {found}")
        return found

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        found = self.ask("tools/call", name=name, arguments=arguments)
        return found.get("result") or found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gemm.py").write_text((ROOT / "examples/gemm/gemm.py").read_text())
        server = Server(host, folder)
        begun = server.ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "test", "version": "1"})["result"]
        expect(begun["protocolVersion"] == "2025-03-26" and "tools" in begun["capabilities"], f"initialize: {begun}")
        expect(server.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-06-18", "an unknown version is not answered with the newest")
        server.raw(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')  # is not answered
        expect(server.ask("ping")["result"] == {}, "ping")
        tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
        expect(WANTED <= set(tools), f"tools: {sorted(tools)}")
        for tool in tools.values():
            jsonschema.Draft7Validator.check_schema(tool["inputSchema"])
            expect(tool["description"] and all(one["description"] for one in tool["inputSchema"]["properties"].values()), f"{tool['name']} is not described")
        expect(tools["stages"]["inputSchema"]["required"] == ["package"] and {"program", "out", "plugins", "set"} <= set(tools["compile"]["inputSchema"]["properties"]), "schemas are not those of the options")

        # The loop: compile, read, change, ask, measure.
        made = server.call("compile", program="gemm.py", plugins="cpu", out="gemm.htp")
        expect(not made["isError"] and made["structuredContent"]["schema"] == "htp.compile/1", f"compile: {made}")
        stage = server.call("stages", package="gemm.htp", stage="source")["structuredContent"]["stages"][0]["program"]
        expect("tiles(K, 64)" in stage, f"stages: {stage}")
        edited = server.call("edit", package="gemm.htp", stage="source", replace=["tiles(K, 64)", "tiles(K, 32)"], out="better.htp")
        expect(not edited["isError"] and edited["structuredContent"]["changed"], f"edit: {edited}")
        same = server.call("diff", package=["gemm.htp", "better.htp"], seconds=1, semantic=True)
        expect(not same["isError"] and same["structuredContent"]["results"]["same"] and same["structuredContent"]["program"], f"diff: {same}")
        spoilt = server.call("edit", package="gemm.htp", stage="source", replace=["matmul(a[i, k]", "matmul(a[i, k] * 2.0"], out="worse.htp")
        expect(not spoilt["isError"], f"edit: {spoilt}")
        expect(server.call("diff", package=["gemm.htp", "worse.htp"], seconds=1, semantic=True)["structuredContent"]["results"]["same"] is False, "an edit that spoils the program differs from nothing")
        expect(server.call("edit", package="gemm.htp", stage="source", replace=["nowhere", "x"], out="x.htp")["isError"], "an edit of nothing is none")
        expect(not server.call("explain", code="gemm.htp:kernel.c:30")["isError"], "explain")
        # Values are values, whatever they begin with.
        expect(server.call("stages", package="--help")["isError"] and server.call("compile", program="--plugins=x", out="--json", plugins="cpu")["isError"], "a value became an option")
        expect(not (folder / "--json").exists(), "a refused compile wrote")

        # What is no message, and what is no call.
        for line, code in (
            (b"{", -32700), (b"[" * 100000, -32700), (b"\xff\xfe{}", -32700), (b"[]", -32600), (b"1", -32600), (b"{}", -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601), (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602),
            (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}', -32602), (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ops","arguments":[]}}', -32602),
            (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stages","arguments":{}}}', -32602),
            (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stages","arguments":{"package":{}}}}', -32602),
            (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stages","arguments":{"package":"a\\u0000b"}}}', -32602),
            (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stages","arguments":{"package":"a","key":"/etc"}}}', -32602),
        ):
            server.raw(line)
            found = server.answer()
            expect(found.get("error", {}).get("code") == code, f"{line[:80]!r}: {found}")
        chosen = random.Random(7)
        whole = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "nobody", "arguments": {"package": "x"}}}).encode()
        for _ in range(400):
            bad = bytearray(whole)
            for _ in range(chosen.randint(1, 6)):
                at = chosen.randrange(len(bad))
                bad[at : at + chosen.randint(0, 3)] = bytes(chosen.choice(b'{}[]",:\\0e\xc3\x28') for _ in range(chosen.randint(0, 3)))
            server.raw(bytes(bad).replace(b"\n", b" "))
        expect(server.process.poll() is None, "bad messages end it")
        server.raw(b'{"jsonrpc":"2.0","id":"the end","method":"ping"}')
        for _ in range(1000):
            if server.answer().get("id") == "the end":
                break
        else:
            wrong.append("it does not answer behind bad messages")

        # A call that is taken back is ended and not answered; one behind it is.
        begin = time.monotonic()
        server.raw(b'{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"bench","arguments":{"package":"gemm.htp","seconds":300}}}')
        server.raw(b'{"jsonrpc":"2.0","id":"behind","method":"tools/call","params":{"name":"bench","arguments":{"package":"gemm.htp","seconds":300}}}')
        server.raw(b'{"jsonrpc":"2.0","id":"next","method":"ping"}')
        time.sleep(0.5)
        for id in (b"behind", b"long", b"never"):
            server.raw(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"' + id + b'"}}')
        expect(server.answer().get("id") == "next" and time.monotonic() - begin < 100, "a call is not taken back")
        server.process.stdin.close()
        expect(server.process.wait(20) == 0, f"it ends with {server.process.returncode}: {server.process.stderr.read()[-400:]!r}")
        limited = Server(host, folder, "--seconds", "1")
        text = limited.call("bench", package="gemm.htp", seconds=300)
        expect(text["isError"] and text["content"][0]["text"] == "it took longer than 1 s, and was ended", f"limit: {text}")
        limited.process.stdin.close()
        (folder / "own.yaml").write_text("htp_profile: 1\ntarget: cpu\n")
        (folder / "broken/one").mkdir(parents=True)
        (folder / "broken/one/htp-plugin.yaml").write_text("htp_manifest: 1\n")
        own = Server(host, folder, "--plugins", "own.yaml", "--plugin-path", "broken")
        expect("broken/one" in own.call("doctor")["content"][0]["text"], "the server's --plugin-path is not that of a call")
        expect("broken/one" not in own.call("doctor", plugin_path=[])["content"][0]["text"], "a call's own --plugin-path is not the first")
        expect(not own.call("compile", program="gemm.py", out="own.htp")["isError"], "the server's --plugins is not that of a call")
        expect(own.call("compile", program="gemm.py", out="own.htp", plugins="no.yaml")["isError"], "a call's own profile is not the first")
        own.process.stdin.close()
    print("\n".join(wrong) or f"{len(tools)} tools, and what is no message is refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
