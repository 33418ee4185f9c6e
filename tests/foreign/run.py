"""The foreign plugin, as its author has it: built against the installed SDK alone, outside HTP's tree, then checked and put through the laws.

    run.py --build build/dev        (the build is installed into a temporary prefix)
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LAWS = HERE.parent / "laws"


def run(what: str, command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Runs a step; the first that fails ends the test."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        print(f"FAILED {what}: exit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-6000:]}")
        sys.exit(1)
    print(f"ok      {what}", flush=True)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    with tempfile.TemporaryDirectory(prefix="foreign ") as folder:
        prefix, source, own = Path(folder) / "prefix", Path(folder) / "acme", Path(folder) / "build"
        run("the SDK and the host install", ["cmake", "--install", build, "--prefix", prefix])
        # Nothing of HTP's tree is in reach: the project is copied away, and so is the dialect it must do without.
        shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("__pycache__", "run.py"))
        for wsp in prefix.rglob("dialect-wsp"):
            shutil.rmtree(wsp)
        run("configures against the installed SDK", ["cmake", "-S", source, "-B", own, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release"])
        run("builds", ["cmake", "--build", own])
        host, plugins = prefix / "bin/htp-host", own / "plugins"
        for plugin in ("acme", "acme-tools", "acme-loops"):
            symbols = run(f"{plugin}: symbols", ["nm", "-D", "--defined-only", *(plugins / plugin).glob("*.so")]).stdout
            exported = [line.split()[-1].split("@")[0] for line in symbols.splitlines() if line.split()[-2] not in ("A", "a")]
            if exported != ["htp_plugin_entry"]:
                print(f"FAILED {plugin} exports {exported}")
                return 1
            run(f"{plugin}: plugins check", [host, "--plugin-path", plugins, "plugins", "check", plugins / plugin])
        program, package = source / "examples/chain/chain.py", Path(folder) / "chain"
        use = [host, "--plugins", source / "profile.yaml", "--plugin-path", plugins]
        run("compiles with --verify-each", [*use, "compile", program, "--verify-each", "-o", package])
        manifest = json.loads((package / "manifest.json").read_text())
        names = [plugin["id"] for plugin in manifest["plugins"]]
        passes = [entry["name"] for entry in manifest["plan"]["passes"]]
        expected = ["acme.blocks", "acme-tools.spread"]
        last = (package / manifest["stages"][-1]["path"]).read_text()
        checks = {
            "no dialect but tile and acme takes part": not any("wsp" in name or "csp" in name for name in names),
            "both plugins take part": {"acme.signals", "acme.tools"} <= set(names),
            "the pipeline's passes run, in its order": [name for name in passes if name in expected] == expected,
            "the option reaches the pass": "tiles(N, 64)" in (package / manifest["stages"][1]["path"]).read_text(),
            "the analysis was read: the loop is spread": "htp.parallel(" in last,
            "the handler rewrote the intrinsic": "swish(" not in last.split("def chain", 1)[1] and "cpu.exp(" in last,
            "the intrinsic's own dtype rule held": any("Tile[f32, i] = " in text and "swish(" in text for text in stage_texts(package, manifest)),
            "the layout went along": any("hierarchy(board=4, chip=8)]" in line and ": Tile[" in line for text in stage_texts(package, manifest) for line in text.splitlines()),
            "its Python module is recorded": any(plugin.get("python", {}).get("module") == "htp_acme" for plugin in manifest["plugins"] if plugin["id"] == "acme.signals"),
        }
        for what, holds in checks.items():
            print(f"{'ok     ' if holds else 'FAILED '} {what}")
        if not all(checks.values()):
            return 1
        for target in ("a2a3", "aie", "acme-loops"):
            if target != "acme-loops" and not any(prefix.rglob(f"backend-{target}")):
                continue
            other = Path(folder) / f"{target}.yaml"
            other.write_text(f"htp_profile: 1\ntarget: {target}\nset:\n  N: 1024\n")
            run(f"the handler serves {target} too", [host, "--plugins", other, "--plugin-path", plugins, "compile", program, "-o", Path(folder) / target])
        # The machine of acme-loops takes what the CPU's passes make: loops over elements, of words that the handler for any backend led to.
        listing = (Path(folder) / "acme-loops/codegen/acme-loops/loops.txt").read_text()
        for line in ("  loop p htp.vectorized(range(256))", "    exp swish_power swish_scaled", "    put y sub i_at + p"):
            if line not in listing.splitlines():
                print(f"FAILED `{line}` is in the listing of acme-loops:\n{listing}")
                return 1
        print("ok      a backend is given the loops of cpu.loops")
        mixed = source / "mixed.py"
        mixed.write_text(program.read_text().replace("y: Out[Signal[f32, N, hierarchy(board=4, chip=8)]]", "y: Out[Signal[f32, N, hierarchy(board=2, chip=16)]]").replace("- swish(k[:])", "- swish(k[:]) + y[:]").replace("y: Out", "y: htp.InOut"))
        refused = subprocess.run([str(word) for word in [*use, "compile", mixed, "-o", Path(folder) / "mixed"]], capture_output=True, text=True)
        if refused.returncode != 1 or "pipeline.layouts-differ" not in refused.stderr:
            print(f"FAILED layouts that differ are refused: exit {refused.returncode}\n{refused.stderr}")
            return 1
        print("ok      layouts that differ are refused")
        paths = [*prefix.rglob("lib/**/htp_tile"), *prefix.rglob("lib/**/htp_cpu"), plugins / "acme/python/htp_acme", *prefix.rglob("**/htp/py.typed")]
        folders = {str(path.parent.parent if path.name == "py.typed" else path.parent) for path in paths}
        library = next(prefix.rglob("libhtp.so"))
        environment = {**os.environ, "PYTHONPATH": ":".join(sorted(folders)), "HTP_LIBRARY": str(library), "PYTHONDONTWRITEBYTECODE": "1"}
        for law in ("law2", "law3", "law4", "law5"):
            command: list[str | Path] = ["/usr/bin/python3", f"{law}.py", "--host", host, "--profile", source / "profile.yaml", "--plugin-path", plugins]
            if law == "law5":
                command += ["--plugin-path", next(prefix.rglob("backend-cpu")).parent]
            run(law, [*command, program], cwd=LAWS, env=environment)
        trees = run("law 1: the tree is CPython's", [host, "ast", "--dump", program]).stdout
        reference = run("law 1: ast.dump", ["/usr/bin/python3", "-c", "import ast, sys; print(ast.dump(ast.parse(open(sys.argv[1]).read()), indent=2))", program]).stdout
        if trees != reference:
            print("FAILED law 1")
            return 1
    print("all passed")
    return 0


def stage_texts(package: Path, manifest: dict[str, list[dict[str, str]]]) -> list[str]:
    return [(package / stage["path"]).read_text() for stage in manifest["stages"]]


if __name__ == "__main__":
    sys.exit(main())
