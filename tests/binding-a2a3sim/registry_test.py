"""Every value of a package's registry, every line of its recipe, and what its tasks are told to read and write, is held against the program: whichever is changed, nothing is built."""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "manifests/a2a3sim.yaml"
EXAMPLES = ("gated_mlp", "softmax", "embedding", "attention_wsp")
BOTH_WAYS = "softmax"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where values stand that are no lists or objects, and lists from which something can be taken."""
    if isinstance(value, dict):
        return [leaf for key, one in value.items() for leaf in leaves(one, (*path, key))]
    if isinstance(value, list):
        inner = [leaf for k, one in enumerate(value) for leaf in leaves(one, (*path, k))]
        return inner + [(*path, "less")] * bool(value)
    return [path]


def changed(registry: Any, path: tuple[Any, ...]) -> Any:
    made = copy.deepcopy(registry)
    at = made
    for key in path[:-1]:
        at = at[key]
    if path[-1] == "less":
        at.pop()
    else:
        value = at[path[-1]]
        at[path[-1]] = value + 1 if isinstance(value, int) else value + "x"
    return made


TEXTS = (
    ("codegen/a2a3/kernels/htp_kernel.h", "#pragma once", "#pragma once ", "a2a3sim.foreign-header"),
    ("build/build.sh", "#!", "# !", "a2a3sim.foreign-recipe"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "extern ", "#define MORE 1\nextern ", "a2a3sim.kernel-line"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "extern ", "// \\\nextern ", "a2a3sim.joined-lines"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "extern ", "static int more(int a) { return a; }\nextern ", "a2a3sim.more-functions"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "EVENT_ID7);\n}", "EVENT_ID7);\n  pipe_barrier(PIPE_ALL);\n}", "a2a3sim.further-line"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "TADD(", "TSUB(", "a2a3sim.other-line"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "// program.py:32", "// program.py:33", "a2a3sim.cited-line"),
    ("codegen/a2a3/kernels/aiv/vector_add.cpp", "TADD(", "@ TADD(", "a2a3sim.unread-line"),
    ("codegen/a2a3/kernel_config.py", "kernel", "other", "a2a3sim.made-otherwise"),
    ("codegen/a2a3/orchestration/pto-runtime-2026-03/tensormap_and_ringbuffer.cpp", "a_shape, 1, DataType::FLOAT32", "a_shape, 1, DataType::INT32", "a2a3sim.described"),
    ("ir/stages/LAST/program.py", "with pto.aiv():", "with pto.other():", "a2a3sim.stage-line"),
    ("ir/stages/LAST/program.py", "    i_step = max(", "    with pto.aiv():\n        pto.drain()\n    i_step = max(", "a2a3sim.kernel-count"),
    ("codegen/a2a3/orchestration/simpler-2026-08/orchestration.cpp", "a < b ? b : a", "a > b ? b : a", "a2a3sim.helper-differs"),
)
"""Of the package of `vector_add`: a file, what stands in it, what takes its place there, and the code that it is refused with."""


VALUES: tuple[tuple[str, Callable[[Any], Any], str], ...] = (
    ("vector_add", lambda r: r.update(more=1), "a2a3sim.registry-unknown"),
    ("vector_add", lambda r: r["contracts"].pop(0), "a2a3sim.registry-contracts"),
    ("vector_add", lambda r: r["contracts"][0].update(isa="0"), "a2a3sim.registry-commit"),
    ("vector_add", lambda r: r["entry"]["parameters"][0].update(direction="inout"), "a2a3sim.registry-differs"),
    ("vector_add", lambda r: r["entry"]["limits"].extend([{"extent": "N", "least": 0}] * 2), "a2a3sim.limit-twice"),
    ("vector_add", lambda r: r["entry"]["limits"].append({"extent": "N", "least": 5}), "a2a3sim.limit-tight"),
    ("vector_add", lambda r: r["kernels"][0]["memory"][0].update(last=1), "a2a3sim.tile-live"),
    ("vector_add", lambda r: r["kernels"][0]["memory"].append({**r["kernels"][0]["memory"][0], "offset": 4096}), "a2a3sim.tile-registered"),
    ("vector_add", lambda r: r["kernels"][0]["events"][0].update(set=[1]), "a2a3sim.registry-events"),
    ("softmax", lambda r: r["entry"]["limits"].clear(), "a2a3sim.limit-loose"),
)
"""An example, what is changed in its registry, and the code that it is refused with."""


def given_both_ways(package: Path, registry: Any) -> list[tuple[str, str, str]]:
    """Each tensor of a task said to be read and written, in the registry and in the orchestrations."""
    cases = []
    for k, kernel in enumerate(registry["kernels"]):
        for n, argument in enumerate(kernel["args"]):
            if argument.get("direction", "inout") != "inout":
                other = copy.deepcopy(registry)
                other["kernels"][k]["args"][n]["direction"] = "inout"
                cases.append((f"kernels.{k}.args.{n} inout", "codegen/a2a3/registry.json", json.dumps(other)))
    for file in sorted((package / "codegen/a2a3/orchestration").rglob("*.cpp")):
        text = file.read_text()
        for said in re.finditer(r"(?<=\.add_)(?:in|out)put(?=\()|(?<=make_)(?:in|out)put(?=_param\()", text):
            name = str(file.relative_to(package))
            cases.append((f"{name}:{text.count(chr(10), 0, said.start()) + 1} inout", name, text[: said.start()] + "inout" + text[said.end() :]))
    return cases


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", required=True)
    parser.add_argument("--all", action="store_true", help="not every 25th one")
    arguments = parser.parse_args()

    def host(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([arguments.host, *map(str, words)], capture_output=True, text=True)

    def compiled(folder: Path, name: str) -> Path:
        """The package of an example."""
        package = folder / name
        if not package.exists():
            done = host("--plugins", PROFILE, "compile", ROOT / f"examples/{name}/{name}.py", "-o", package)
            assert done.returncode == 0, done.stderr
        return package

    def refused(package: Path, file: str, text: str | None) -> str:
        """What is said of it with another text of a file, whose digest fits, or without the file; nothing where it is built."""
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(shutil.copytree(package, Path(folder) / "package"))
            manifest = json.loads((copied / "manifest.json").read_text())
            if text is None:
                (copied / file).unlink()
                manifest["outputs"] = [output for output in manifest["outputs"] if output["path"] != file]
            else:
                (copied / file).write_text(text)
                for output in (*manifest["outputs"], *manifest["stages"]):
                    if output["path"] == file:
                        output["sha256"] = hashlib.sha256(text.encode()).hexdigest()
                        if "size" in output:
                            output["size"] = len(text.encode())
            (copied / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
            done = host("build", copied, "--into", Path(folder) / "built")
            assert done.returncode in (0, 1), done.stderr
            assert "changed-file" not in done.stderr, done.stderr
            return done.stderr if done.returncode else ""

    def built(package: Path, file: str, text: str) -> bool:
        return not refused(package, file, text)

    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        package = compiled(Path(folder), "vector_add")
        for file, old, new, code in TEXTS:
            file = file.replace("LAST", max(stage.name for stage in (package / "ir/stages").iterdir()))
            text = (package / file).read_text()
            assert old in text, (file, old)
            said = refused(package, file, text.replace(old, new, 1))
            assert f"error[{code}]" in said, (code, said)
        for path in (package / "codegen").rglob("*.*"):
            said = refused(package, str(path.relative_to(package)), None)
            assert re.search(r"error\[a2a3sim\.(missing-file|foreign-header)\]", said), (path, said)
            assert path.suffix != ".py" or "error[a2a3sim.missing-file]" in said, said
        file = "codegen/a2a3/registry.json"
        for name in sorted({name for name, *_ in VALUES}):
            package = compiled(Path(folder), name)
            for _, change, code in [row for row in VALUES if row[0] == name]:
                registry = json.loads((package / file).read_text())
                change(registry)
                said = refused(package, file, json.dumps(registry))
                assert f"error[{code}]" in said, (code, said)
        for name in EXAMPLES:
            package = compiled(Path(folder), name)
            registry = json.loads((package / file).read_text())
            assert built(package, file, json.dumps(registry)), "as it was"
            paths = [path for path in leaves(registry) if path != ("entry", "limits", "less")]  # a size of 0 may be right
            cases = [(f"{name} {'.'.join(map(str, path))}", file, json.dumps(changed(registry, path))) for path in paths]
            if name == EXAMPLES[0]:
                (recipe,) = (output["path"] for output in json.loads((package / "manifest.json").read_text())["outputs"] if output["path"].endswith("build.sh"))
                lines = (package / recipe).read_text().splitlines(keepends=True)
                cases += [(f"{name} build.sh:{k + 1}", recipe, "".join([*lines[:k], *lines[k + 1 :]])) for k in range(0, len(lines), 1 if arguments.all else 10)]
            cases = cases if arguments.all else cases[::25]
            if name == BOTH_WAYS or arguments.all:
                cases += given_both_ways(package, registry)
            count += len(cases)
            with ThreadPoolExecutor(2) as workers:
                for case, yes in zip(cases, workers.map(lambda case: built(package, *case[1:]), cases)):
                    if yes:
                        wrong.append(case[0])
                        print("built:", case[0], flush=True)
    print(f"{count} changes, {len(wrong)} of them built")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
