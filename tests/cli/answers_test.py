"""What each command answers with --json is as its schema in manifests/schema/answers says, and each command has one.

    answers_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from given import STUCK_RING, pem

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "manifests/schema"
EXAMPLES = ROOT / "examples"
CPU = f"--plugins {ROOT}/manifests/cpu.yaml"
GEMM = f"{CPU} tune {EXAMPLES}/gemm_tune/gemm_tune.py --dim M=32 --dim N=32 --dim K=32"
RATES = f"{CPU} simulate {EXAMPLES}/rates/rates.py --dim M=8 --dim N=8"
TASKS = f"{CPU} graph {EXAMPLES}/rmsnorm_matmul_wsp/rmsnorm_matmul_wsp.py --entry fused"

COMMANDS: dict[str, list[str]] = {
    "compile": [f"{CPU} compile {EXAMPLES}/softmax/softmax.py -o package", f"{CPU} compile {EXAMPLES}/softmax/softmax.py -o package", f"{CPU} compile nowhere.py"],
    "build": ["build package", "build nowhere"],
    "run": ["run package --dim M=4 --dim N=8", "run package --dim M=4 --dim N=8 --check", "run package --dim M=4 --dim N=8 --trace t.json", "run package"],
    "bench": ["bench package --dim M=4 --dim N=8 --seconds 0 --against package", "bench package --seconds 0 --work 7", "bench nowhere"],
    "verify": ["verify package --dim M=4 --dim N=8", "verify package --seconds 1", "verify nowhere"],
    "diff": ["diff package package --semantic --seconds 1", "diff package", "diff package nowhere"],
    "policy-check": ["policy-check --policy c.yaml package package", "policy-check --policy nowhere package package"],
    "promote-plan": ["promote-plan --policy c.yaml package package", "promote-plan --policy c.yaml package nowhere"],
    "doctor": ["doctor", "doctor --plugins cpu", "doctor --plugin-path nowhere"],
    "workflow-state": ["workflow-state package", "workflow-state nowhere"],
    "replay": ["replay package --dim M=4 --dim N=8", "replay package --stage source --node 0", "replay nowhere"],
    "bisect": ["bisect package --oracle false", "bisect package --oracle false --entry softmax", "bisect package --seconds 1"],
    "minimized": ["minimize a.py --keeps true -o small --seconds 1", f"{CPU} minimize {EXAMPLES}/softmax/softmax.py --keeps crashes"],
    "tuned": [f"{GEMM} --budget 2", f"{GEMM} --budget 1", f"{CPU} tune nowhere.py"],
    "simulation": [RATES, f"{RATES} --capacity twos=3", f"{RATES} --choose-capacities", f"{CPU} simulate {EXAMPLES}/softmax/softmax.py"],
    "task-graph": [TASKS, f"{TASKS} --stage source", f"{CPU} graph {EXAMPLES}/softmax/softmax.py"],
    "deadlock": ["--plugins p.yaml graph stuck.py --entry ring --deadlock", "--plugins p.yaml graph stuck.py --entry backwards --deadlock", f"{CPU} graph {EXAMPLES}/rates/rates.py --deadlock"],
    "plan": [f"{CPU} plan {EXAMPLES}/softmax/softmax.py", "--plugins q.yaml plan a.py"],
    "stages": ["stages package", "stages package tile.infer", "stages package --diff source tile.infer", "stages nowhere"],
    "report": ["report package -o page.html", "report package --dim Q=8", "report nowhere"],
    "edit": ["edit package source --replace tiles(M, tiles(M, -o edited", "edit package source --replace nowhere x -o edited", "edit nowhere source --replace a b -o edited"],
    "mcp": ["mcp --list"],
    "lsp": ["lsp --list"],
    "fmt": ["fmt a.py --diff", "fmt nowhere.py"],
    "ast": ["ast a.py", "ast a.py --dump", "ast nowhere.py"],
    "ops": ["ops", "ops show tile.matmul", "ops show tile.matmull"],
    "plugins": ["plugins list"],
    "plugin": ["plugins show htp.backend-cpu", "plugins show htp.dialect-wsp", "plugins show htp.nobody"],
    "plugin-check": ["plugins check PLUGINS/dialect-wsp --only file", "plugins check nowhere"],
    "plugin-new": ["plugins new acme-x --kind pass --into made", "plugins new acme-x --kind pass --into made", "plugins new acme-y --kind pass --language python --into made"],
    "plugins-lock": ["plugins lock p.yaml", "plugins lock p.yaml", "plugins lock nowhere.yaml"],
    "plugin-sign": ["plugins sign made/acme-x --key key.pem", "plugins sign package --key key.pem --publisher acme", "plugins sign package --key key.pem", "plugins sign made --key key.pem"],
    "plugin-verify": ["plugins verify PLUGINS/dialect-tile", "plugins verify made/acme-y", "plugins verify package"],
    "trust": ["plugins trust", "plugins trust --revoke " + "a" * 64, "plugins trust made/acme-y", "plugins trust nowhere"],
    "plugins-graph": ["plugins graph", "plugins graph p.yaml", "plugins graph -o graph.json", "plugins graph nowhere.yaml"],
    "plugin-intrinsics": [f"plugins intrinsics {ROOT}/tests/check/toy/python/htp_toy/intrinsics.py -o table.inc", "plugins intrinsics nowhere.py"],
    "cache": ["cache stats", "cache gc", "cache gc --unused 0 --most 1KiB", "cache gc --most none"],
    "explain": ["explain tile.shape-mismatch", "explain", "explain package:00:20", "explain package:kernel.c:9", "explain package:softmax.py:15 --dim M=8", "explain package:99:1", "explain tile.nothing"],
    "manual": ["manual", "manual --completion zsh"],
    "usage": ["complie", ""],
}
"""Command lines by the name of their answer; the last one fails where a command can."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    schemas = {name: json.loads((SCHEMAS / f"answers/{name}.schema.json").read_text()) for name in COMMANDS}
    wrong = []
    declared = set(re.findall(r'^HTP_COMMAND\("[^"]*", \w+, "htp\.([\w-]+)/\d+"', (ROOT / "host/cli/commands.def").read_text(), re.MULTILINE))
    for name in sorted(declared - set(COMMANDS)):
        wrong.append(f"the answer {name} has no schema, or is not asked for here")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "c.yaml").write_text("htp_changes: 1\n")
        (folder / "p.yaml").write_text("htp_profile: 1\ntarget: cpu\n")
        (folder / "q.yaml").write_text("htp_profile: 1\ntarget: cpuu\n")
        (folder / "a.py").write_text((EXAMPLES / "vector_add/vector_add.py").read_text())
        (folder / "stuck.py").write_text(STUCK_RING)
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "HTP_TRUST": str(folder / "trust.yaml"), "CI": "1"}
        (folder / "key.pem").write_text(pem(bytes(32)))
        for kind, lines in COMMANDS.items():
            jsonschema.Draft7Validator.check_schema(schemas[kind])
            check = jsonschema.Draft7Validator(schemas[kind], resolver=jsonschema.RefResolver(f"{SCHEMAS.as_uri()}/answers/{kind}.schema.json", schemas[kind]))
            for line in lines:
                words = [*line.replace("PLUGINS", str(host.parent.parent / "plugins")).split(), "--json"]
                done = subprocess.run([host, *words], capture_output=True, text=True, cwd=folder, env=environment)
                try:
                    answer = json.loads(done.stdout)
                except ValueError:
                    wrong.append(f"{line}: no JSON: {done.stdout[:200]!r} {done.stderr[-500:]!r}")
                    continue
                if answer.get("exit_code") != done.returncode:
                    wrong.append(f"{line}: exit {done.returncode}, and its answer says {answer.get('exit_code')}")
                wrong += [f"{line}: at {'/'.join(map(str, error.absolute_path)) or 'the top'}: {error.message[:300]}" for error in list(check.iter_errors(answer))[:3]]
    print("\n".join(wrong) or f"{sum(map(len, COMMANDS.values()))} answers, each as its schema says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
