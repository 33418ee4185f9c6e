"""What bash, zsh and fish offer for a command line that is being written: what each of them says, run on the script that `manual --completion` prints."""

import argparse
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

HOST = ""

OFFERED = {
    "": ["compile", "plugins", "--plugins", "--json"],
    "comp": ["compile"],
    "compile --st": ["--stages"],
    "compile a.py --stages ": ["changed", "last"],
    "plugins ": ["list", "check", "graph", "--json"],
    "plugins li": ["list"],
    "plugins new --language ": ["c++", "python"],
    "--color ": ["auto", "always", "never"],
    "--json compile --fr": ["--from-stage"],
}
"""What is written behind `htp-host `, and some of what must be offered."""
NOT_OFFERED = {"compile --": "--completion", "plugins ": "compile", "compile a.py --stages ": "--entry", "manual --": "--entry"}

BASH = """
COMP_WORDS=({words}); COMP_CWORD={last}
_htp_host
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
_describe() {{ for offer in "${{(@P)3}}"; do print -r -- "${{offer%%:*}}"; done }}
_files() {{ }}
compdef() {{ }}
. {script}
words=({words}); CURRENT=$(( {last} + 1 ))
_htp-host
"""
FISH = ". {script}; complete -C {line}"


def asked(shell: str, script: Path, written: str) -> list[str]:
    """What the shell offers; of zsh, whose widgets need a terminal, what the function offers before it is matched with what is written."""
    words = ["htp-host", *written.split(" ")]
    filled = {"script": shlex.quote(str(script)), "words": shlex.join(words), "last": len(words) - 1, "line": shlex.quote("htp-host " + written)}
    if shell == "bash":
        command = ["bash", "--norc", "-c", f". {filled['script']}" + BASH.format(**filled)]
    elif shell == "zsh":
        command = ["zsh", "-f", "-c", ZSH.format(**filled)]
    else:
        command = ["fish", "--no-config", "-c", FISH.format(**filled)]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(command, env={**os.environ, "HOME": home}, cwd=home, capture_output=True, text=True, timeout=60, check=False)
    assert not done.stderr, done.stderr
    found = [line.split("\t")[0] for line in done.stdout.splitlines()]
    return [offer for offer in found if offer.startswith(words[-1])]


class Completion(unittest.TestCase):
    def offered(self, shell: str, script: Path) -> None:
        for written, offers in OFFERED.items():
            with self.subTest(shell=shell, written=written):
                found = asked(shell, script, written)
                self.assertEqual([offer for offer in offers if offer not in found and not (shell == "fish" and self.hidden(written, offer))], [])
        for written, offer in NOT_OFFERED.items():
            with self.subTest(shell=shell, written=written):
                self.assertNotIn(offer, asked(shell, script, written))

    @staticmethod
    def hidden(written: str, offer: str) -> bool:
        """fish offers options only where one has been begun."""
        return offer.startswith("-") and not written.split(" ")[-1].startswith("-")

    def test_each_shell(self) -> None:
        for shell in ("bash", "zsh", "fish"):
            with tempfile.TemporaryDirectory() as folder:
                script = Path(folder) / f"completion.{shell}"
                script.write_text(subprocess.run([HOST, "manual", "--completion", shell], capture_output=True, text=True, check=True).stdout)
                subprocess.run([shell, "-n", script], check=True)
                self.offered(shell, script)

    def test_a_shell_that_is_not_known(self) -> None:
        done = subprocess.run([HOST, "manual", "--completion", "tcsh"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("`--completion tcsh`: expected one of bash, zsh, fish", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", required=True)
    given, rest = parser.parse_known_args()
    HOST = given.host
    unittest.main(argv=["completion_test.py", *rest])
