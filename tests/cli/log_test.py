"""The log: what it says of a compile and of a run, where it goes, and that it changes nothing.

    log_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOST = Path()
PROGRAM = ROOT / "examples/vector_add/vector_add.py"


class Log(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="log of ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache")}
        self.environment.pop("HTP_LOG", None)

    def host(self, *arguments: str | Path, exit: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [HOST, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env={**self.environment, **environment})
        self.assertEqual(done.returncode, exit, done.stdout + done.stderr)
        return done

    def compile(self, *before: str, out: str = "out", program: Path = PROGRAM, **environment: str) -> str:
        return self.host(*before, "--plugins", "cpu", "compile", program, "-o", out, **environment).stderr

    def lines(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def test_a_package_keeps_how_it_was_made(self) -> None:
        self.assertEqual(self.compile(), "")
        lines = self.lines("out/logs/compile.log")
        for line in lines:
            self.assertEqual(list(line)[:3], ["time", "level", "from"])
            self.assertIn(line["level"], ("info", "warning", "error"))
        chosen = [line["plugin"] for line in lines if line["what"] == "plugin chosen"]
        manifest = json.loads((self.folder / "out/manifest.json").read_text())
        self.assertEqual(chosen, sorted(plugin["id"] for plugin in manifest["plugins"]))
        (planned,) = (line["passes"].split() for line in lines if line["what"] == "passes planned")
        done = [line for line in lines if line["what"] == "done"]
        self.assertEqual([line["phase"] for line in done if "changed" in line], planned)
        stages = [line["stage"] for line in done if "stage" in line]
        self.assertEqual(stages, sorted(f"ir/stages/{path.name}" for path in (self.folder / "out/ir/stages").iterdir())[1:])
        for phase in ("inputs", "parse", "resolve", "load", "emit"):
            self.assertEqual(len([line for line in done if line["phase"] == phase]), 1, phase)
        self.assertEqual([line["what"] for line in lines if line.get("phase") == "cache"][0], "not compiled before with these inputs")

    def test_it_says_what_the_cache_had(self) -> None:
        program = self.folder / "add.py"
        program.write_text(PROGRAM.read_text())
        (self.folder / "data.txt").write_text("1")
        self.compile(program=program)
        self.assertIn("cache: compiled before key=", self.compile("-v", out="again", program=program))
        self.assertIn("compiled before", (self.folder / "again/logs/compile.log").read_text())
        program.write_text(PROGRAM.read_text() + "\n# more\n")
        self.assertIn("cache: not compiled before with these inputs key=", self.compile("-v", out="other", program=program))

    def test_the_log_changes_nothing(self) -> None:
        self.compile(HTP_CACHE="off")
        said = self.compile("--log-level", "trace", out="loud", HTP_CACHE="off")
        self.assertEqual((self.folder / "out/manifest.json").read_bytes(), (self.folder / "loud/manifest.json").read_bytes())
        for words in ("folder searched folder=", "plugin found plugin=htp.dialect-tile ", "needed capability=", "passed over plugin=", "library opened", "artifact file="):
            self.assertIn(words, said)
        answer = self.host("-v", "--json", "--plugins", "cpu", "compile", PROGRAM, "-o", "out")
        self.assertEqual(json.loads(answer.stdout)["exit_code"], 0)
        self.assertIn(" info    ", answer.stderr)

    def test_levels(self) -> None:
        self.assertNotIn(" debug ", self.compile("-v"))
        self.assertEqual(self.compile("--log-level", "warning"), "")
        self.assertEqual(self.compile("--log-level", "off", HTP_LOG="debug"), "")
        self.assertIn(" debug ", self.compile(HTP_LOG="debug"))
        self.assertNotIn(" debug ", self.compile("-v", HTP_LOG="debug"))

    def test_a_file_gets_lines_of_json_after_those_it_has(self) -> None:
        said = self.compile("--log-file", "a log.jsonl")
        first = self.lines("a log.jsonl")
        self.assertEqual((said, first[0]["what"], first[0]["command"]), ("", "htp-host begins", "compile"))
        self.assertIn("debug", {line["level"] for line in first})
        self.compile("--log-file", "a log.jsonl", "--log-level", "info")
        self.assertEqual({line["level"] for line in self.lines("a log.jsonl")[len(first) :]}, {"info"})
        self.host("run", "out", "--dim", "N=8", HTP_LOG="debug:run.jsonl")
        run = self.lines("run.jsonl")
        self.assertEqual([line["phase"] for line in run if line["what"] == "done" and line["phase"] in ("bind", "build", "run")], ["bind", "build", "run"])
        (ran,) = (line for line in run if line["what"] == "binding chosen")
        self.assertEqual(ran["contract"], json.loads((self.folder / "out/manifest.json").read_text())["target"]["contract"])

    def test_an_isolated_compile_logs_as_another_does(self) -> None:
        self.compile(out="without", HTP_CACHE="off")
        said = self.host("-v", "--plugins", "cpu", "compile", "--isolate", PROGRAM, "-o", "within", HTP_CACHE="off").stderr
        def what(name: str) -> list[tuple[str, str]]:
            return [(line.get("phase", ""), line["what"]) for line in self.lines(f"{name}/logs/compile.log")]
        self.assertEqual([line for line in what("within") if line[0] != "isolate"], what("without"))
        self.assertEqual(said.count("plugin chosen"), (self.folder / "within/logs/compile.log").read_text().count("plugin chosen"))

    def test_a_full_disk_ends_the_log_and_nothing_else(self) -> None:
        self.assertEqual(self.compile("--log-file", "/dev/full"), "warning: the log `/dev/full` is not complete: No space left on device\n")
        self.assertTrue((self.folder / "out/manifest.json").exists())

    def test_what_is_wrong_with_where_it_goes(self) -> None:
        done = self.host("--log-file", "/dev/null/log.jsonl", "plugins", "list", exit=1)
        self.assertIn("error[cli.no-log]: the log cannot be written to `/dev/null/log.jsonl`: ", done.stderr)
        self.assertIn("hint: name a file that may be written to", done.stderr)
        done = self.host("plugins", "list", exit=1, HTP_LOG="loud")
        self.assertIn("error[cli.bad-log]: `HTP_LOG` is `loud`", done.stderr)
        self.assertIn("note: it begins with a level: trace, debug, info, warning, error or off", done.stderr)
        done = self.host("--log-level", "loud", "plugins", "list", exit=2)
        self.assertIn("error[cli.bad-value]: `--log-level loud`: expected one of trace, debug, info, warning, error, off", done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=Path, required=True)
    given, rest = parser.parse_known_args()
    global HOST
    HOST = given.host.resolve()
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
