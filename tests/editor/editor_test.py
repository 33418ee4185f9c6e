"""`htp-host lsp` as an editor meets it: what is typed is checked, explained, completed, found, renamed and mended.

    editor_test.py --host build/plain/bin/htp-host
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import session
from client import Client, applied, find, position, units

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
from given import FAULTY  # noqa: E402

wrong: list[str] = []

PROGRAM = '''"""Größe, 倍, 🙂."""; import htp

from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_max, reduce_sum, tiles
from beside import twice

M = htp.dim("M")
N = htp.dim("N")


@kernel
def softmax(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        größe = 1; row = x[i, :]; e = exp(row - reduce_max(row, axis=1)) * größe
        y[i, :] = e / reduce_sum(e, axis=1)


@kernel
def scaled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = twice(x[i, :])
'''
BESIDE = '''"""What several programs use."""


def twice(x):
    return x * 2.0
'''
MANY = {"start": {"line": 0, "character": 0}, "end": {"line": 10000, "character": 0}}


def expect(holds: object, what: str) -> None:
    if not holds:
        wrong.append(what)


def codes(list_: list[dict[str, Any]]) -> list[str]:
    return [one["code"] for one in list_]


def replaced(text: str, old: str, new: str, nth: int = 0) -> tuple[str, dict[str, Any]]:
    at = -1
    for _ in range(nth + 1):
        at = text.index(old, at + 1)
    return session.edit(text, at, at + len(old), new)


def hover(client: Client, uri: str, text: str, part: str, nth: int = 0, into: int = 0) -> str:
    where = find(text, part, nth)
    found = client.ask("textDocument/hover", client.at(uri, where["line"], where["character"] + into))
    return found["contents"]["value"] if found else ""


def labels(client: Client, uri: str, text: str, part: str) -> dict[str, dict[str, Any]]:
    at = position(text, text.index(part) + len(part))
    return {one["label"]: one for one in client.ask("textDocument/completion", client.at(uri, **at))}


def check_program(client: Client, folder: Path) -> None:
    (folder / "beside.py").write_text(BESIDE)
    text = PROGRAM
    uri = client.open("program.py", text)
    found = client.checked(uri, 60)
    expect(found == [], f"the program is refused: {found}")

    # Types, also behind letters that take two units.
    expect("row: Tile[f32, i, N]" in hover(client, uri, text, "row ="), f"hover of a tile: {hover(client, uri, text, 'row =')}")
    expect("e: Tile[f32, i, N]" in hover(client, uri, text, "e = exp"), "hover behind letters of two units")
    expect("Tile[f32, i, 1]" in hover(client, uri, text, "reduce_sum(e"), "hover of a call does not say what it gives")
    expect("Tile[f32, i, N]" in hover(client, uri, text, "row - reduce", into=4), "hover of an operator")
    of_exp = hover(client, uri, text, "exp(row")
    expect("def exp(x: Floating) -> Floating" in of_exp and ">>> y = exp(x)" in of_exp and "handled by" in of_exp, f"hover of an intrinsic: {of_exp}")
    expect("x: In[Tensor[f32, M, N]]" in hover(client, uri, text, "x[i, :]"), "hover of a parameter")
    expect(client.ask("textDocument/hover", client.at(uri, 2, 0)) is None, "hover of a keyword")
    hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": MANY})
    line = text.split("\n")[13]
    expect({(one["label"], one["position"]["character"]) for one in hints} >= {(": Tile[f32, i, N]", units(line.split(" = x")[0])), (": Tile[f32, i, N]", units(line.split(" = exp")[0]))}, f"inlay hints: {hints}")
    expect("authoring" in hover(client, uri, text, "import htp", into=8).lower() or hover(client, uri, text, "htp.dim", into=5), "hover behind letters of two units")

    # Completion.
    text_, change = replaced(text, "e = exp(row", "e = ex(row")
    client.change(uri, change)
    offered = labels(client, uri, text_, "e = ex")
    expect("exp" in offered and "def exp" in offered["exp"].get("detail", "") and "row" in offered, f"completion: {sorted(offered)[:20]}")
    expect(offered.get("exp2" if "exp2" in offered else "erf", {}).get("additionalTextEdits"), "what is not imported is offered without its import")
    added = applied(text_, offered["erf"]["additionalTextEdits"])
    expect("reduce_sum, tiles, erf\n" in added, f"the import that completion adds: {added.splitlines()[3]}")
    found = client.checked(uri)
    expect(any("ex" in one["message"] and one["range"]["start"]["line"] == 13 for one in found), f"a wrong name: {found}")
    expect(found[0]["range"]["start"]["character"] == find(text_, "ex(row")["character"], f"columns are those of UTF-16: {found[0]['range']}")

    # What it offers to mend, applied, is mended.
    actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": found[0]["range"], "context": {"diagnostics": found}})
    if actions:
        mended = applied(text_, actions[0]["edit"]["changes"][uri])
        expect(mended == text, f"the fix-it: {actions[0]}")
    expect(actions, "a slip is not mended")
    client.change(uri, {"text": text})
    expect(client.checked(uri) == [], "what was mended is still refused")

    # A mistake in one kernel does not hide what is known of another, and comes and goes with the text.
    text_, change = replaced(text, "y[i, :] = e /", "y[k, :] = e /")
    client.change(uri, change)
    found = client.checked(uri)
    expect(len(found) == 1 and found[0]["range"]["start"]["line"] == 14, f"a mistake: {found}")
    text_, change = replaced(text_, "\n\n@kernel\ndef softmax", "\n# größer 🙂\n\n\n@kernel\ndef softmax")
    client.change(uri, change)
    found = client.checked(uri)
    expect(len(found) == 1 and found[0]["range"]["start"]["line"] == 16, f"diagnostics move with their lines: {found}")
    client.change(uri, {"text": text})
    expect(client.checked(uri) == [], "it stays")
    text_, change = replaced(text, "import htp\n", "import htp ==\n")
    client.change(uri, change)
    expect(codes(client.checked(uri)) == ["parse.syntax"], "no Python")
    client.change(uri, {"text": text})
    client.checked(uri)

    # A file beside it, changed in the editor and not saved.
    other = client.open("beside.py", BESIDE)
    client.checked(other)
    changed, change = replaced(BESIDE, "x * 2.0", "x * nothing")
    client.change(other, change)
    client.wait(lambda: client.diagnostics[uri]["diagnostics"], 30)
    expect(any("beside.py:5" in one["message"] for one in client.diagnostics[uri]["diagnostics"]), f"a file beside it: {client.diagnostics[uri]}")
    client.change(other, {"text": BESIDE})
    client.wait(lambda: not client.diagnostics[uri]["diagnostics"], 30)

    # Definitions.
    where = find(text, "twice(x")
    there = client.ask("textDocument/definition", client.at(uri, **where))
    expect(there["uri"] == other and there["range"]["start"] == {"line": 3, "character": 4}, f"definition in a file beside it: {there}")
    there = client.ask("textDocument/definition", client.at(uri, **find(text, "exp(row")))
    expect(there["uri"].endswith("htp_tile/elementwise.py"), f"definition of an intrinsic: {there}")
    there = client.ask("textDocument/definition", client.at(uri, **find(text, "row - ")))
    expect(there["range"]["start"] == find(text, "row ="), f"definition of a name: {there}")

    # Renaming keeps the program; what it cannot keep it refuses.
    renamed = client.ask("textDocument/rename", {**client.at(uri, **find(text, "row =")), "newName": "line"})
    expect(applied(text, renamed["changes"][uri]) == text.replace("row", "line"), f"rename: {renamed}")
    renamed = client.ask("textDocument/rename", {**client.at(uri, **find(text, "M = ")), "newName": "rows"})
    expect('rows = htp.dim("rows")' in applied(text, renamed["changes"][uri]), f"rename of a dim: {renamed}")
    for part, name in (("row =", "e"), ("row =", "x"), ("row =", "for"), ("row =", "1a"), ("exp(row", "other"), ("row =", "reduce_max")):
        refused = client.ask("textDocument/rename", {**client.at(uri, **find(text, part)), "newName": name})
        expect("error" in refused, f"rename of {part} to {name}: {refused}")
    outline = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    expect([one["name"] for one in outline] == ["M", "N", "softmax", "scaled"], f"outline: {outline}")
    expect(len(client.ask("textDocument/references", {**client.at(uri, **find(text, "row =")), "context": {"includeDeclaration": True}})) == 3, "references")

    # Lenses and their commands, of a text that is not saved.
    lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    expect(len(lenses) == 6, f"lenses: {len(lenses)}")
    by_title = {one["command"]["title"]: one["command"] for one in reversed(lenses)}
    arguments = by_title["show stage"]["arguments"]
    shown = client.ask("workspace/executeCommand", {"command": "htp.showStage", "arguments": [{**arguments[0], "stage": "02", "line": 13}]})
    expect("row: Tile[f32, i, N] = tile.load" in "".join(shown["text"].split("\n")[shown["line"] : shown["line"] + 4]), f"show stage: {shown.get('line')} {shown.get('name')}")
    shown = client.ask("workspace/executeCommand", {"command": "htp.showEmitted", "arguments": arguments})
    expect(any(one["text"] for one in shown["files"]), f"show emitted code: {shown}")
    for bad in ({"command": "htp.nothing", "arguments": arguments}, {"command": "htp.showStage", "arguments": []}, {"command": "htp.showStage", "arguments": [{"uri": "file:///nowhere.py"}]}, {"command": "htp.showStage", "arguments": [{**arguments[0], "stage": "99"}]}):
        refused = client.ask("workspace/executeCommand", bad)
        expect("error" in refused, f"{bad}: {refused}")
    ran = client.ask("workspace/executeCommand", {"command": "htp.run", "arguments": [{**arguments[0], "dims": {"M": 8, "N": 16}}]}, 120)
    expect(ran.get("exitCode") == 0, f"run: {ran}")

    # No entry, no diagnostics; closed, none are left.
    plain = client.open("plain.py", "import os\nprint(os)\n")
    expect(client.checked(plain) == [], "a plain program")
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.wait(lambda: client.diagnostics[uri]["diagnostics"] == [], 10)
    expect("error" in client.ask("textDocument/hover", client.at(uri, 0, 0)), "a closed document is answered for")


SCHEDULED = '''import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")


@workload
def gemm(a: In[Tensor[f32, M, M]], b: In[Tensor[f32, M, M]], c: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        for j in P(M):
            acc = zeros(f32, i, j)
            for k in seq(M):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(gemm)
def blocked(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.tile("j", 64)
    s.tile("k", 64)
'''


def check_schedule(client: Client) -> None:
    uri = client.open("scheduled.py", SCHEDULED)
    expect(client.checked(uri) == [], f"a workload: {client.diagnostics[uri]}")
    text, change = replaced(SCHEDULED, 's.tile("j"', 's.tile("z"')
    client.change(uri, change)
    found = client.checked(uri)
    expect(found and found[0]["range"]["start"]["line"] == 21, f"a wrong schedule: {found}")
    offered = labels(client, uri, text, '16)\n    s.')
    expect({"tile", "split", "bind"} <= set(offered), f"directives: {sorted(offered)}")
    expect("def tile" in offered["tile"]["detail"], f"a directive: {offered['tile']}")


MANIFEST = """htp_manifest: 1
plugin:
  id: acme.fold
  version: "0.1.0"
declares:
  - name: Acme.Folded
    is: statee
    doc: größer 🙂
units:
  - kind: dialect
    name: fold
    requires:
      - Nowhere.Declared
"""


def check_manifests(client: Client, folder: Path) -> None:
    uri = client.open("acme/htp-plugin.yaml", MANIFEST, "yaml")
    found = client.checked(uri)
    expect([one["range"]["start"]["line"] for one in found] == [6], f"a manifest: {found}")
    text = MANIFEST.replace("statee", "state").replace("Acme.Folded", "Acme.Folded")
    client.change(uri, {"text": text})
    found = client.checked(uri)
    expect(any(one["range"]["start"]["line"] == 12 for one in found), f"what its terms mean: {found}")

    def keys(line: int, before: str) -> set[str]:
        typed, change = session.edit(text, at := sum(len(one) + 1 for one in text.split("\n")[:line]), at, before + "\n")
        client.change(uri, change)
        found = {one["label"] for one in client.ask("textDocument/completion", client.at(uri, line, len(before)))}
        client.change(uri, {"text": text})
        return found

    top, plugin, unit, kinds = keys(14, ""), keys(4, "  "), keys(11, "    "), keys(9, "  - kind: ")
    expect({"python", "conflicts"} <= top and "units" not in top, f"keys of a manifest: {top}")
    expect({"library", "doc"} <= plugin and "id" not in plugin, f"keys of `plugin`: {plugin}")
    expect({"provides", "doc"} <= unit and not {"kind", "requires"} & unit, f"keys of a unit: {unit}")
    expect({"dialect", "pass", "backend"} <= kinds, f"kinds of a unit: {kinds}")
    profile = "htp_profile: 1\ntargett: x\n"
    uri = client.open("one.yaml", profile, "yaml")
    expect(client.checked(uri) != [], "a wrong profile")
    offered = client.ask("textDocument/completion", client.at(uri, 2, 0))
    expect({"target", "plugins", "search"} <= {one["label"] for one in offered}, f"keys of a profile: {offered}")


def check_profiles(host: Path, folder: Path) -> None:
    """Another target; and one that there is not."""
    client = Client(host, folder)
    client.initialize(profile="nowhere-at-all.yaml")
    uri = client.open("program.py", PROGRAM)
    expect(client.checked(uri), "a profile that is not there")
    expect(any(one["method"] == "window/showMessage" for one in client.told), "it is not shown")
    client.notify("workspace/didChangeConfiguration", {"settings": {"htp": {"profile": "cpu"}}})
    client.versions[uri] = 1
    client.whole.clear()
    expect(client.checked(uri) == [], f"after another profile: {client.diagnostics[uri]}")
    client.notify("workspace/didChangeConfiguration", {"settings": {"htp": {"set": {"M": 64, "Q": 1}}}})
    client.whole.clear()
    expect(client.checked(uri) == [], f"with sizes: {client.diagnostics[uri]}")
    shown = client.ask("workspace/executeCommand", {"command": "htp.showStage", "arguments": [{"uri": uri, "entry": "softmax", "stage": "00"}]})
    expect("M = 64" in shown.get("text", ""), f"a size that is set: {shown}")
    expect(client.close() == 0, "it ends")


def check_crash(host: Path, folder: Path) -> None:
    """A plugin that crashes, exits or hangs ends its own process; the server says so, and goes on."""
    fixture = host.parent.parent / "fixtures/faulty"
    for fault, reason in (("crash", "killed by SIGSEGV"), ("exit", "it called exit()")):
        profile = folder / f"{fault}.yaml"
        profile.write_text(f"htp_profile: 1\ntarget: faulty\nsearch:\n  - {fixture}\noptions:\n  faulty.pass:\n    fault: {fault}\n")
        client = Client(host, folder, "--plugins", str(profile))
        client.initialize()
        uri = client.open("faulty.py", FAULTY)
        found = client.checked(uri)
        expect(codes(found) == ["editor.analysis-ended"] and reason in found[0]["message"] and "faulty.pass" in found[0]["message"], f"{fault}: {found}")
        client.change(uri, {"text": "# again\n" + FAULTY})
        expect(codes(client.checked(uri)) == ["editor.analysis-ended"], f"{fault}: it is looked at again")
        client.notify("workspace/didChangeConfiguration", {"settings": {"htp": {"profile": "cpu"}}})
        other = client.open("program.py", PROGRAM)
        expect(client.checked(other) == [], f"after it: {client.diagnostics[other]}")
        client.process.stdin.close()  # the client is gone
        expect(client.process.wait(20) == 1, "a stream that ends without `exit`")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    with tempfile.TemporaryDirectory(prefix="größe 🙂 ") as name:
        folder = Path(name)
        client = Client(host, folder)
        begun = client.initialize()
        expect(begun["capabilities"]["textDocumentSync"]["change"] == 2 and begun["serverInfo"]["name"] == "htp-host", f"initialize: {begun}")
        check_program(client, folder)
        check_schedule(client)
        check_manifests(client, folder)
        expect(client.close() == 0, f"it ends with {client.process.returncode}: {client.process.stderr.read()[-400:]!r}")
        check_profiles(host, folder)
        check_crash(host, folder)
        client = Client(host, folder)
        client.initialize()
        client.process.send_signal(signal.SIGINT)
        expect(client.process.wait(20) == 130, f"interrupted it ends with {client.process.returncode}")
    print("\n".join(wrong) or "an editor finds what it asks for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
