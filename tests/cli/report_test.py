"""Pages of `htp-host report`: whole, escaped, quick and small; and drawn in a browser where there is one.

    report_test.py --host build/dev/bin/htp-host [--pictures FOLDER]

Without a Chromium on PATH (or in HTP_CHROMIUM) the second half is skipped, and says so; what a page holds does not rest on it.
"""

from __future__ import annotations

import argparse
import ast
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import browser
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SIZES = {"aie": {"flash_attention": ["S=256", "T=256"], "gemm": ["M=256", "N=256", "K=256"], "attention_pipeline": ["S=256", "T=256"]}}
PAGES = [(target, name) for target in ("cpu", "a2a3sim", "aie") for name in ("flash_attention", "megakernel", "gemm", "attention_pipeline") if target != "aie" or name != "megakernel"] + [("cpu", "sharded_gemm")]
SHOWN = {"megakernel": {"tasks"}, "attention_pipeline": {"network", "planned"}, "sharded_gemm": {"layouts"}}
MOST_BYTES, MOST_SECONDS = 3 << 20, 1.0

HOSTILE = '''"""</script><img src=x onerror="window.pwned = 1"><!-- <script> "' & {{data}} \\u2028"""
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")  # <script>window.pwned = 2</script>


@kernel
def add(a: In[Tensor[f32, N]], b: Out[Tensor[f32, N]]) -> None:
    """]]></style></script><svg onload="window.pwned = 3">"""
    for i in tiles(N, 64):
        b[i] = a[i] + a[i]  # --><iframe src="https://example.invalid/">
'''
TRACE = {"traceEvents": [{"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "</script><b>lane"}}, {"name": '"><img src=x onerror=window.pwned=4>', "ph": "X", "ts": 1.0, "dur": 5.0, "pid": 1, "tid": 1}]}

BLANKS = """(() => {
  const found = [], walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (/^(undefined|null|NaN|\\[object .*)$|cannot be drawn/.test(walk.currentNode.data.trim())) found.push(walk.currentNode.parentNode.outerHTML.slice(0, 200));
  return found.join(' ');
})()"""
"""Texts that a missing value leaves behind."""

wrong: list[str] = []


def expect(holds: object, what: str) -> None:
    if not holds:
        wrong.append(what)


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if tag == "script":
            self.scripts.append("" if values.get("id") == "data" else "code")
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values.get("content") or ""
        self.elsewhere += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "action", "data") and value]

    def handle_data(self, text: str) -> None:
        if self.tags and self.tags[-1] == "script" and self.scripts[-1] == "code":
            self.scripts[-1] = "code" + text if text.strip() else self.scripts[-1]


def data_of(page: str) -> dict[str, Any]:
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))


# ── what a page holds, against the package, read here once more ──
LEAVES = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def nodes_of(program: str) -> list[ast.AST]:
    """A stage's nodes in HTP's order: parents first, without its header."""
    module = ast.parse(program)
    module.body = [s for s in module.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and ast.unparse(s.value.func) == "htp.stage")]
    order: list[ast.AST] = []

    def walk(node: ast.AST) -> None:
        if isinstance(node, LEAVES):
            return
        order.append(node)
        for child in ast.iter_child_nodes(node):
            walk(child)

    walk(module)
    return order


def check_stages(name: str, package: Path, data: dict[str, Any]) -> None:
    lines, before, source = data["lines"], [], []
    for k, stage in enumerate(data["stages"]):
        folder = package / Path(stage["path"]).parent
        program = (folder / "program.py").read_text()
        expect("\n".join(lines[n] for n in stage["lines"]) + "\n" == program, f"{name}: stage {stage['id']} is another text")
        nodes = nodes_of(program)
        numbers: list[Any] = []
        for one in json.loads((folder / "origin.json").read_text())["nodes"]:
            numbers += [one] if k == 0 or isinstance(one, int) else [one[0] + n if one[0] >= 0 else -1 for n in range(one[1])]
        if len(numbers) != len(nodes):
            wrong.append(f"{name}: stage {stage['id']}: {len(numbers)} origins of {len(nodes)} nodes")
            return
        last, ours = nodes, source
        source = [(one[1] if one else 0) for one in numbers] if k == 0 else [ours[n] if n >= 0 else 0 for n in numbers]
        made, users = [0] * len(stage["lines"]), [0] * len(stage["lines"])
        for n, node in enumerate(nodes):
            line = getattr(node, "lineno", 0)
            if line and k and not made[line - 1] and numbers[n] >= 0:
                made[line - 1] = getattr(before[numbers[n]], "lineno", 0)
            if line and not users[line - 1]:
                users[line - 1] = source[n]
        expect(stage.get("before", made) == made, f"{name}: stage {stage['id']}: other lines before")
        expect(stage["source"] == users, f"{name}: stage {stage['id']}: other lines of the user's")
        before = last
    for file in data["emitted"]:
        if "lines" in file:
            text = (package / file["path"]).read_text()
            expect([lines[n] for n in file["lines"]] == text.split("\n")[: len(file["lines"])], f"{name}: {file['path']} is another text")
            for at, cited in enumerate(file["cites"]):
                if direct := re.search(r"program\.py\"?:(\d+)", lines[file["lines"][at]]):
                    expect(cited == int(direct[1]), f"{name}: {file['path']}:{at + 1} cites {cited}")
                expect(0 <= cited <= len(data["stages"][-1]["lines"]), f"{name}: {file['path']}:{at + 1} cites no line")


def check_layouts(name: str, data: dict[str, Any]) -> None:
    sys.path.insert(0, str(ROOT / "sdk/python"))
    import htp

    for layout in data["layouts"]:
        meant = eval(layout["text"], {"htp": htp})
        shown = len(next(iter(layout["axes"].values()), []))
        expect(shown == min(meant.size, 4096), f"{name}: {layout['text']} shows {shown} elements")
        for k in range(shown):
            at = {axis: of[k] for axis, of in layout["axes"].items() if of[k]}
            expect(at == {axis: n for axis, n in meant.at(k).items() if n}, f"{name}: {layout['text']}: element {k} at {at}")


def check_page(name: str, page: str, like: list[str] | None = None) -> list[str]:
    tags = Tags()
    tags.feed(page)
    expect(tags.tags.count("script") == 2 and len(tags.scripts) == 2, f"{name}: {tags.tags.count('script')} scripts")
    expect(not tags.elsewhere, f"{name}: something from elsewhere: {tags.elsewhere}")
    code = re.search(r"<script>(.*)</script>\n</body>", page, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    expect(f"'sha256-{digest}'" in tags.policy and "default-src 'none'" in tags.policy, f"{name}: its policy does not know its script")
    expect(not re.search(r"https?://(?!www\.w3\.org/2000/svg)", code), f"{name}: its script speaks of the network")
    expect("innerHTML" not in code and "document.write" not in code and "eval(" not in code, f"{name}: text may become tags")
    expect(like is None or tags.tags == like, f"{name}: other tags than a harmless program's: {tags.tags}")
    return tags.tags


def look(pages: dict[str, Path], hostile: Path, pictures: Path | None) -> None:
    program = browser.find()
    if not program:
        print("skipped: no Chromium is on PATH (Debian: `chromium-headless-shell`), so no page was drawn")
        return
    b = browser.Browser(program)
    try:
        for name, path in pages.items():
            for form, dark, width in (("light", False, 1440), ("dark", True, 1440), ("phone", True, 390)):
                b.open(path, width=width, height=900, dark=dark, phone=width < 800)
                expect(b.run("document.documentElement.dataset.ready") == "yes", f"{name} {form}: it was not drawn")
                expect(not (said := b.complaints()), f"{name} {form}: {said}")
                expect(not (found := b.run(BLANKS)), f"{name} {form}: not drawn: {found}")
                expect(b.run("document.documentElement.scrollWidth") <= width, f"{name} {form}: wider than the screen")
                expect(b.run("[...document.querySelectorAll('#nav a')].every((a) => document.querySelector(a.getAttribute('href')).getBoundingClientRect().height > 40)"), f"{name} {form}: an empty part")
                luminance = b.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, c) => a + +c, 0)")
                expect((luminance < 200) == dark, f"{name} {form}: the ground is {luminance}")
                if pictures:
                    b.picture(pictures / f"{name}-{form}.png")
        # The keys, a line's history, the switches.
        b.open(pages["a2a3sim-flash_attention"])
        selected = "document.querySelector('.list .on .name').textContent"
        expect(b.run("document.querySelectorAll('.code.split td.added').length > 0 && document.querySelectorAll('.code.split td.gone').length > 0"), "nothing stands side by side")
        first = b.run(selected)
        b.key("j")
        second = b.run(selected)
        b.key("k")
        expect(first != second and b.run(selected) == first, f"j and k: {first}, {second}, {b.run(selected)}")
        for _ in range(30):
            b.key("j")
        last = b.run("data.passes.filter((one) => one.changes).pop().name")
        expect(b.run(selected) == last and b.run("document.querySelector('.list .on').getBoundingClientRect().bottom <= document.querySelector('.list').getBoundingClientRect().bottom"), "j does not end at the last pass")
        b.click("#passes .code tr.can:nth-child(5)")
        expect(b.run("document.querySelectorAll('.chain .yours').length") == 1, "a line has no history")
        few = b.run("document.querySelectorAll('.list button').length")
        b.key("c")
        expect(b.run("document.querySelectorAll('.list button').length") == b.run("data.passes.length") + 1 > few, "c does not show all passes")
        b.key("u")
        expect(b.run("!document.querySelector('.code.split')"), "u does not go to one column")
        ground = "getComputedStyle(document.body).backgroundColor"
        light = b.run(ground)
        b.key("t")
        expect(b.run(ground) != light, "t does not change the theme")
        b.key("?")
        expect(b.run("document.getElementById('help').open"), "? does not help")
        b.open(hostile)
        expect(b.run("document.documentElement.dataset.ready") == "yes", "the hostile page was not drawn")
        expect(b.run("window.pwned === undefined && !document.querySelector('main img, main iframe, main script') && document.querySelectorAll('script').length === 2"), "a program's text became a part of the page")
        expect(b.run("document.querySelector('#passes').innerText.includes('</script>')"), "a program's text is not shown as it is")
        expect(not (said := b.complaints()), f"the hostile page: {said}")
    finally:
        b.close()


ROWS = """
import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def rows(a: In[Tensor[f32, N]], b: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        row = a[i] * 2.0
        b[i] = row / a[i]
"""


def check_values(folder: Path, run: Any) -> None:
    """What lines make, of a call whose numbers are known here."""
    (folder / "rows.py").write_text(ROWS)
    run("--plugins", "cpu", "compile", "rows.py", "-q")
    np.savez(folder / "in.npz", a=np.concatenate([np.arange(1, 65), np.zeros(6)]).astype(np.float32))
    answer = json.loads(run("report", "rows.htp", "--values", "--inputs", "in.npz", "-o", "values.html", "--json"))
    expect("values" in answer["shows"], f"values: {answer['shows']}")
    data = data_of((folder / "values.html").read_text())
    values, last = data["values"], data["stages"][-1]
    expect(values["sizes"] == {"N": 70}, f"values: sizes {values['sizes']}")
    expect(list(values["stages"]) == [f"{stage['id']}-{stage['pass']}" for stage in data["stages"]], "values: other stages")
    first = values["stages"]["00-source"]["rows"]
    line = ROWS.splitlines().index("        row = a[i] * 2.0") + 1
    source = [data["lines"][n] for n in data["stages"][0]["lines"]]
    expect([(source[row["line"] - 1].strip(), row["times"], row["value"], row["not_finite"]) for row in first] == [("row = a[i] * 2.0", 2, "f32 64, 2…128", 0)], f"values: {first}, line {line}")
    counted = {row["times"] for row in values["stages"][f"{last['id']}-{last['pass']}"]["rows"]}
    expect(70 in counted, f"values: the last stage's elements: {counted}")
    run("report", "rows.htp", "--inputs", "in.npz", "-o", "again.html")
    expect((folder / "again.html").read_bytes() == (folder / "values.html").read_bytes(), "values: arrays without `--values` show none")
    run("report", "rows.htp", "--values", "--inputs", "nothing.npz", "-o", "none.html", code=1)
    expect(not (folder / "none.html").exists(), "values: a page of arrays that are not there")


def check_verdicts(folder: Path, run: Any) -> None:
    """What verify said of each pass, and only of this package."""
    verdicts = run("verify", "rows.htp", "--json")
    (folder / "verify.json").write_text(verdicts)
    run("report", "rows.htp", "--verify", "verify.json", "-o", "verdicts.html")
    data = data_of((folder / "verdicts.html").read_text())
    expect(data["verified"]["passes"] == json.loads(verdicts)["passes"], "verdicts: others than verify's")
    expect({one["verdict"] for one in data["verified"]["passes"]} <= {"agrees", "changes nothing"}, f"verdicts: {data['verified']}")
    for words in (("plain.htp", "--verify", "verify.json"), ("rows.htp", "--verify", "t.json")):
        run("report", *words, "-o", "none.html", code=1)
    expect(not (folder / "none.html").exists(), "verdicts of another package on a page")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, help="write a picture of each page there")
    options = parser.parse_args()
    host = options.host.resolve()
    plugins = host.parent.parent / "plugins"
    pages: dict[str, Path] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "HTP_TRUST": str(folder / "trust.yaml"), "CI": "1"}

        def run(*words: object, code: int = 0) -> str:
            done = subprocess.run([host, *map(str, words)], capture_output=True, text=True, cwd=folder, env=environment)
            expect(done.returncode == code, f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr[-600:]}")
            return done.stdout

        for target, example in PAGES:
            if target != "cpu" and not (plugins / ("binding-aiesim" if target == "aie" else "backend-a2a3")).is_dir():
                continue
            what, package = f"{target}-{example}", folder / f"{target}-{example}.htp"
            run("--plugins", target, "compile", EXAMPLES / example / f"{example}.py", "-o", package, "-q", *(word for size in SIZES.get(target, {}).get(example, []) for word in ("--set", size)))
            pages[what] = folder / f"{what}.html"
            begin = time.monotonic()
            answer = json.loads(run("report", package, "-o", pages[what], "--json"))
            took = time.monotonic() - begin
            size = pages[what].stat().st_size
            expect(took <= MOST_SECONDS * (8 if "sanitize" in str(host) else 3), f"{what}: {took:.2f} s")  # a busy machine is slower
            expect(size == answer["bytes"] <= MOST_BYTES, f"{what}: {size} bytes")
            page = pages[what].read_text()
            check_page(what, page)
            data = data_of(page)
            check_stages(what, package, data)
            check_layouts(what, data)
            wanted = {"stages", "passes", "emitted"} | ({"views"} if target != "cpu" else set()) | SHOWN.get(example, set())
            if target == "a2a3sim":
                wanted -= {"network", "planned"}
            expect(wanted <= set(answer["shows"]), f"{what}: shows {answer['shows']}")
            print(f"{what}: {size / 1024:.0f} KiB, {took:.2f} s")
        (folder / "plain.py").write_text(re.sub(r'"""\]\]>.*"""', '"""x"""', HOSTILE.replace(HOSTILE.splitlines()[0], '"""x"""')).replace("# --><", "# "))
        (folder / "a<b>&'q'.py").write_text(HOSTILE)
        (folder / "t.json").write_text(json.dumps(TRACE))
        (folder / "plain.json").write_text(json.dumps({"traceEvents": []}))
        run("--plugins", "cpu", "compile", "plain.py", "-o", "plain.htp", "-q")
        run("--plugins", "cpu", "compile", "a<b>&'q'.py", "-o", "hostile <i>.htp", "-q")
        run("report", "plain.htp", "-q")
        like = check_page("plain", (folder / "plain.html").read_text())
        run("report", "hostile <i>.htp", "--trace", "t.json", "-o", "hostile.html")
        check_page("hostile", (folder / "hostile.html").read_text(), like)
        # A package that keeps fewer stages, whose profile is known; and one of which nobody knows it.
        run("--plugins", "cpu", "compile", "plain.py", "-o", "last.htp", "-q", "--stages", "last")
        run("report", "last.htp", "-o", "last.html")
        expect(len(data_of((folder / "last.html").read_text())["stages"]) == len(data_of((folder / "plain.html").read_text())["stages"]), "stages that a package leaves out are not made again")
        (folder / "last.htp/logs/sources.json").unlink()
        answer = json.loads(run("report", "last.htp", "-o", "last.html", "--json"))
        expect(len(data_of((folder / "last.html").read_text())["stages"]) == 2 and len(answer["missing"]) == 2, f"a package alone: {answer}")
        check_values(folder, run)
        check_verdicts(folder, run)
        run("report", "plain.htp", "-o", "again.html", "-q")
        expect((folder / "again.html").read_bytes() == (folder / "plain.html").read_bytes(), "another page of the same package")
        look(pages, folder / "hostile.html", options.pictures)
    print("\n".join(wrong) or f"{len(pages)} pages, whole and escaped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
