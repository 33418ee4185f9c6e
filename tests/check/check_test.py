"""Each check finds what is broken for it, and nothing else: a loop over the table of `htp-host plugins check --list`.

    check_test.py --host build/dev/bin/htp-host --build build/dev [CHECK …]      (without names, the slice of this run)
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
from typing import Any

from fixtures import FIXTURES, MANIFEST, Fixture, build_toy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from slices import taken  # noqa: E402

TOY = Path(__file__).resolve().parent / "toy"
COMPILE = ["cc", "-shared", "-fPIC", "-O0", "-fvisibility=hidden", "-D_GNU_SOURCE"]


# Failures that say which unit it was.
NAMES_THE_UNIT = ("comes-to-an-end", "survives", "leaves-the-process")
# What cannot be asked once a check has failed is never said to be fine.
NOT_ASKED = {
    "manifest-yaml": ["manifest-keys", "documented", "terms-declared", "python-there", "note"],
    "private-files": ["library-found", "shared-library", "units-present"],
    "python-there": ["python-parses", "python-imports", "unloads"],
    "python-parses": ["python-imports", "python-quiet", "python-units", "unloads"],
    "python-imports": ["python-quiet", "python-units"],
    "shared-library": ["note", "abi-version", "units-present", "survives"],
    "survives": ["stateless", "answers-cancel"],
}


def make(name: str, fixture: Fixture, folder: Path, host: Path, build: Path) -> Path:
    """The plugin of one fixture, in FOLDER/toy."""
    plugin = folder / "toy"
    shutil.copytree(TOY, plugin, ignore=shutil.ignore_patterns("*.c", "*.cpp", "__pycache__"))
    os.chmod(plugin, 0o755)
    for file, old, new in fixture.edits:
        path = plugin / file
        if not old:
            path.write_text(new)
            continue
        text = path.read_text()
        assert old in text, f"{name}: {file} has no {old!r}"
        path.write_text(text.replace(old, new, 1))
    if fixture.rebuild:
        subprocess.run([host, "plugins", "intrinsics", plugin / "python/htp_toy/intrinsics.py", "-o", folder / "intrinsics.inc"], check=True)
        define = f"-DBREAK_{fixture.library}=1"
        include = Path(__file__).resolve().parents[2] / "sdk/include"
        subprocess.run([*COMPILE, define, f"-I{folder}", f"-I{include}", TOY / "toy.c", "-o", plugin / "libtoy.so", "-lm"], check=True)
    elif fixture.flags:
        build_toy(plugin, f"-DBREAK_{fixture.library}=1", *fixture.flags)
    else:
        shutil.copy(build / "fixtures/check" / fixture.library / "libtoy.so", plugin / "libtoy.so")
    if fixture.make:
        fixture.make(plugin)
    if fixture.beside:
        (folder / "beside").mkdir()
        (folder / "beside" / MANIFEST).write_text(fixture.beside)
    return plugin


def ask(host: Path, plugin: Path, variables: dict[str, str]) -> tuple[dict[str, Any], str]:
    """The answer of `plugins check`, and what it shows on standard error."""
    environment = {**os.environ, "HTP_CACHE": "off", "NO_COLOR": "1", "CI": "1"} | {name: value.replace("FOLDER", str(plugin)) for name, value in variables.items()}
    done = subprocess.run([host, "--plugin-path", plugin.parent, "--json", "plugins", "check", plugin], capture_output=True, text=True, env=environment)
    return json.loads(done.stdout), done.stderr


def judge(name: str, severity: str, answer: dict[str, Any]) -> str:
    """Why the answer is not that this check failed and no other; empty when it is."""
    checks = {check["name"]: check for check in answer["plugins"][0]["checks"]}
    broken = sorted(check["name"] for check in checks.values() if check["verdict"] in ("failed", "warned"))
    if name == "none":
        absent = sorted(check["name"] for check in checks.values() if check["verdict"] != "ok")
        return "" if not broken and not absent and answer["exit_code"] == 0 else f"broken: {broken}, not asked: {absent}"
    if broken != [name]:
        return f"broken: {broken}"
    if checks[name]["verdict"] != ("failed" if severity == "error" else "warned"):
        return f"the verdict is {checks[name]['verdict']}"
    if (answer["exit_code"] != 0) != (severity == "error"):
        return f"the exit code is {answer['exit_code']}"
    for other in NOT_ASKED.get(name, []):
        if checks[other]["verdict"] != "skipped" or not checks[other]["why"]:
            return f"{other} was not asked, and is said to be {checks[other]['verdict']}"
    reasons = checks[name].get("reasons", [])
    if not reasons or not all(reason["code"] and reason["message"] for reason in reasons):
        return "there is no reason"
    if name in NAMES_THE_UNIT and (reasons[0].get("unit") not in reasons[0]["message"] or "examples/main.py: " not in reasons[0]["message"]):
        return f"the unit and where it was are not named: {reasons[0]}"
    if reasons[0]["code"] == "check." + name and "place" not in reasons[0]:
        return "the reason has no place"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("checks", nargs="*")
    arguments = parser.parse_args()
    host, build = arguments.host.resolve(), arguments.build.resolve()
    os.environ["CHECK_TABLE"] = str(build / "tests/check")
    listed = json.loads(subprocess.run([host, "--json", "plugins", "check", "--list"], check=True, capture_output=True, text=True).stdout)["checks"]
    names = {check["name"]: check["severity"] for check in listed}
    failures = []
    for stranger in sorted({key.partition('/')[0] for key in FIXTURES} - set(names)):
        failures.append(f"{stranger}: there is no such check")
    keys = ["none", *names, *(key for key in FIXTURES if "/" in key)]
    asked = [key for key in keys if key.partition("/")[0] in arguments.checks] if arguments.checks else taken(keys, lambda key: key == "none")
    for key in keys:
        name = key.partition("/")[0]
        fixture = FIXTURES.get(key) or Fixture(library=name.replace("-", "_"))
        if not fixture.rebuild and not (build / "fixtures/check" / fixture.library).exists():
            failures.append(f"{key}: it has no fixture")
            continue
        if key not in asked:
            continue
        with tempfile.TemporaryDirectory(prefix="check ") as where:
            answer, said = ask(host, make(name, fixture, Path(where), host, build), fixture.environment)
        why = judge(name, names.get(name, ""), answer) if answer.get("plugins") else "no answer: " + said[-2000:]
        print(f"{'FAILED ' if why else 'ok     '} {key}{': ' + why if why else ''}", flush=True)
        if why:
            failures.append(f"{key}: {why}")
            for check in (answer.get("plugins") or [{"checks": []}])[0]["checks"]:
                for reason in check.get("reasons", []):
                    print(f"          {check['name']}: {json.dumps(reason)[:600]}")
    print("\n".join(["", *failures]) if failures else f"\n{len(asked)} fixtures of {len(names)} checks: each fails its check and no other")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
