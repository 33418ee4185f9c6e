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

    def built(package: Path, file: str, text: str) -> bool:
        """Whether it is built with another text of a file, whose digest fits."""
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(shutil.copytree(package, Path(folder) / "package"))
            (copied / file).write_text(text)
            manifest = json.loads((copied / "manifest.json").read_text())
            for output in manifest["outputs"]:
                if output["path"] == file:
                    output["sha256"], output["size"] = hashlib.sha256(text.encode()).hexdigest(), len(text.encode())
            (copied / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
            done = host("build", copied, "--into", Path(folder) / "built")
            assert done.returncode in (0, 1), done.stderr
            assert "changed-file" not in done.stderr, done.stderr
            return done.returncode == 0

    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in EXAMPLES:
            package = Path(folder) / name
            done = host("--plugins", PROFILE, "compile", ROOT / f"examples/{name}/{name}.py", "-o", package)
            assert done.returncode == 0, done.stderr
            file = "codegen/a2a3/registry.json"
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
