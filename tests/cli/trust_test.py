"""Who may provide which plugins: what is neither of HTP's own build, nor signed by who may provide it, nor named by the user takes no part; what was
changed since it was built, signed or trusted is not loaded; and what a package's log names, nobody did.

    trust_test.py --host build/dev/bin/htp-host --build build/dev
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from given import ADD, pem

ROOT = Path(__file__).resolve().parents[2]
HOST, BUILD = Path(), Path()
EVIL = """htp_manifest: 1
plugin:
  id: {id}
  version: "1.0.0"
declares:
  - name: {name}
    is: state
units:
  - kind: verifier
    name: evil.verifier
    code: evil:verify
    verifies:
      - {name}
python:
  module: evil
  path: .
"""
KEY = re.compile(r"^key ([0-9a-f]{64})$", re.MULTILINE)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "HTP_TRUST": str(self.folder / "trust.yaml")}
        (self.folder / "a.py").write_text(ADD)
        self.program = HOST

    def run_host(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(self.program), *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL)

    def ok(self, *words: object) -> str:
        done = self.run_host(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def refused(self, code: str, *words: object) -> str:
        done = self.run_host(*words)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"error[{code}]", done.stderr)
        return done.stderr

    def at_terminal(self, answer: str, *words: object) -> tuple[str, int]:
        ours, theirs = pty.openpty()
        done = subprocess.Popen([str(self.program), *map(str, words)], cwd=self.folder, env=self.environment, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        os.write(ours, answer.encode())
        found = b""
        try:
            while part := os.read(ours, 65536):
                found += part
        except OSError:  # how a terminal whose last writer is gone ends
            pass
        os.close(ours)
        return found.decode(), done.wait()

    def fold(self) -> Path:
        """A plugin of a stranger's, in Python, and a program that it compiles."""
        self.ok("plugins", "new", "acme-fold", "--kind", "pass", "--language", "python")
        return self.folder / "acme-fold"

    def key(self, name: str = "acme", seed: int = 1) -> Path:
        path = self.folder / f"{name}.pem"
        path.write_text(pem(bytes([seed]) * 32))
        return path

    def sign(self, plugin: Path, *more: object) -> str:
        self.ok("plugins", "sign", plugin, "--key", self.key(), *more)
        found = KEY.search((plugin / "htp-plugin.sig").read_text())
        assert found
        return found[1]

    def installed(self) -> Path:
        """htp-host in a place of its own, where nobody names the folder of plugins."""
        prefix = self.folder / "prefix"
        for part in ("bin", "plugins", "lib/htp"):
            (prefix / part).mkdir(parents=True)
        shutil.copy(HOST, prefix / "bin/htp-host")
        shutil.copy(BUILD / "lib/htp/own-plugins", prefix / "lib/htp/own-plugins")
        for plugin in ("dialect-tile", "dialect-wsp", "dialect-csp", "backend-cpu"):
            shutil.copytree(BUILD / "plugins" / plugin, prefix / "plugins" / plugin)
        (prefix / "share").mkdir()
        shutil.copytree(BUILD / "share/htp", prefix / "share/htp")
        self.program = prefix / "bin/htp-host"
        return prefix / "plugins"


class OwnIds(Case):
    def test_another_build_of_an_own_plugin_is_refused(self) -> None:
        fake = shutil.copytree(BUILD / "plugins/backend-cpu", self.folder / "fake/backend-cpu")
        manifest = fake / "htp-plugin.yaml"
        manifest.write_text(manifest.read_text().replace('version: "0.1.0"', 'version: "9.9.9"'))
        told = self.refused("trust.owned-id", "--plugins", "cpu", "--plugin-path", "fake", "compile", "a.py")
        self.assertIn("`htp.backend-cpu` 9.9.9 is neither", told)
        self.assertIn("= hint: give it an id of your own", told)
        self.assertFalse((self.folder / "a.htp").exists())
        # A profile that the user names is no more than the folder that it names.
        (self.folder / "p.yaml").write_text("htp_profile: 1\ntarget: cpu\nsearch:\n  - fake\nplugins:\n  - htp.backend-cpu @>=9\n")
        told = self.run_host("--plugins", "p.yaml", "compile", "a.py")
        self.assertEqual(told.returncode, 1)
        self.assertIn("cannot take part: `htp.backend-cpu` 9.9.9 is neither", told.stderr)
        # What would have run its code later does not either.
        self.ok("--plugins", "cpu", "compile", "a.py")
        self.refused("trust.owned-id", "--plugin-path", "fake", "run", "a.htp")
        # Who may provide it is said by whoever has the trust file.
        key = self.sign(fake, "--publisher", "me")
        self.refused("trust.owned-id", "--plugins", "cpu", "--plugin-path", "fake", "compile", "a.py")
        (self.folder / "trust.yaml").write_text(f'htp_trust: 1\npublishers:\n  - name: me\n    key: "{key}"\n    provides:\n      - htp.backend-cpu\n')
        self.assertIn("signed by me, who may provide it", self.ok("plugins", "verify", fake))

    def test_own_plugins_are_as_they_were_built(self) -> None:
        plugins = self.installed()
        self.environment["HTP_CACHE"] = "off"  # what was compiled before runs nothing
        self.ok("--plugins", "cpu", "compile", "a.py")
        self.assertIn("of HTP's own build", self.ok("plugins", "verify", plugins / "dialect-tile"))
        for what, change in (("changed", lambda path: path.write_bytes(path.read_bytes() + b"\n")), ("added", lambda path: path.with_name("sitecustomize.py").write_text("print()\n"))):
            for path in (plugins / "dialect-tile").glob("python/htp_tile/__init__.py"):
                text = path.read_bytes()
                change(path)
                told = self.refused("trust.changed", "--plugins", "cpu", "compile", "a.py", "-o", "other")
                self.assertIn(f"was {what}", told)
                path.write_bytes(text)
        (plugins / "dialect-tile/python/htp_tile/sitecustomize.py").unlink()
        library = plugins / "dialect-tile/libhtp_dialect_tile.so"
        library.write_bytes(library.read_bytes() + b"\n")
        self.assertIn("is not what was built: `libhtp_dialect_tile.so` was changed", self.refused("trust.changed", "--plugins", "cpu", "compile", "a.py", "-o", "other"))

    def test_a_changed_copy_hides_no_good_one(self) -> None:
        copy = shutil.copytree(BUILD / "plugins/dialect-tile", self.folder / "copies/dialect-tile")
        (copy / "libhtp_dialect_tile.so").write_bytes((copy / "libhtp_dialect_tile.so").read_bytes() + b"\n")
        told = self.ok("--plugin-path", "copies", "plugins", "show", "htp.dialect-tile")
        self.assertIn("warning[trust.changed]", told)
        self.assertIn(f"in {BUILD}/plugins/dialect-tile", told)

    def test_own_names_are_not_declared_by_others(self) -> None:
        for id, name in (("evil.tile", "Tile.Typed"), ("evil.cpu", "Backend.Cpu")):
            folder = self.folder / f"evil/{id}"
            folder.mkdir(parents=True)
            (folder / "htp-plugin.yaml").write_text(EVIL.format(id=id, name=name))
        told = self.ok("--plugins", "cpu", "--plugin-path", "evil", "compile", "a.py")
        self.assertIn("warning[trust.owned-name]: the capability `Tile.Typed` of plugin `evil.tile` begins with a word of `htp.*`", told)
        self.assertIn("evil/evil.tile/htp-plugin.yaml:6:11", told)
        self.assertIn("the capability `Backend.Cpu` of plugin `evil.cpu`", told)

    def test_owned_ids_and_names_of_a_trust_file(self) -> None:
        self.fold()
        (self.folder / "trust.yaml").write_text("htp_trust: 1\nowned:\n  - ids: acme.*\n    names:\n      - AcmeFold\n")
        told = self.run_host("--plugins", "acme-fold/profile.yaml", "compile")
        self.assertEqual(told.returncode, 1)
        self.assertIn("trust.owned-id", told.stderr)
        manifest = self.folder / "acme-fold/htp-plugin.yaml"
        manifest.write_text(manifest.read_text().replace("id: acme.fold", "id: other.fold"))
        self.assertIn("trust.owned-name", self.run_host("--plugins", "acme-fold/profile.yaml", "compile").stderr)


class Named(Case):
    def test_what_nobody_named_is_trusted_first(self) -> None:
        fold = self.fold()
        profile = "htp_profile: 1\ntarget: cpu\nprogram: acme-fold/examples/average.py\npipeline: acme-fold.cpu\n"
        (self.folder / "p.yaml").write_text(profile)
        (self.folder / "wish.yaml").write_text(profile + "plugins:\n  - acme.fold\n")
        plugins = self.installed()
        there = shutil.copytree(fold, plugins / "acme-fold")
        told = self.run_host("--plugins", "p.yaml", "compile", "-o", "out")
        self.assertEqual(told.returncode, 1)
        self.assertIn("has no signature, and nobody named its folder", told.stderr)
        self.assertIn(f"`htp-host plugins trust {there}`", told.stderr)
        self.assertFalse((self.folder / "out").exists())
        self.ok("--plugins", "cpu", "compile", "a.py")  # which does without it says nothing of it
        self.assertNotIn("trust", self.ok("--plugins", "cpu", "plan", "a.py"))
        self.ok("--plugins", "wish.yaml", "compile", "-o", "out")
        self.ok("--plugins", "p.yaml", "--plugin-path", fold, "compile", "-o", "out")
        # As it is.
        self.refused("trust.no-signature", "plugins", "verify", there)
        told = self.refused("trust.not-asked", "plugins", "trust", there)
        expect = re.findall(r"--expect ([0-9a-f]{64})", told)[0]
        self.refused("trust.unexpected", "plugins", "trust", there, "--expect", "0" * 64)
        self.ok("plugins", "trust", there, "--expect", expect)
        self.assertIn("as it was when you trusted it", self.ok("plugins", "verify", there))
        self.ok("--plugins", "p.yaml", "compile", "-o", "out")
        python = there / "python/acme_fold.py"
        python.write_text(python.read_text() + "\n")
        self.assertEqual(self.run_host("--plugins", "p.yaml", "compile", "-o", "out").returncode, 1)
        python.write_text(python.read_text()[:-1])
        self.assertIn("not trusted any more", self.ok("plugins", "trust", "--revoke", "acme.fold"))
        self.assertEqual(self.run_host("--plugins", "p.yaml", "compile", "-o", "out").returncode, 1)

    def test_a_name_is_of_a_profile_of_htp_wherever_one_works(self) -> None:
        self.fold()
        (self.folder / "cpu").write_text("htp_profile: 1\ntarget: cpu\npipeline: acme-fold.cpu\nsearch:\n  - acme-fold\n")
        self.ok("--plugins", "cpu", "compile", "a.py")
        plugins = json.loads((self.folder / "a.htp/manifest.json").read_text())["plugins"]
        self.assertNotIn("acme.fold", [plugin["id"] for plugin in plugins])
        (self.folder / "cpu").unlink()
        (self.folder / "cpu").mkdir()
        self.ok("--plugins", "cpu", "compile", "a.py")

    def test_a_log_names_nothing(self) -> None:
        self.fold()
        self.ok("--plugins", "acme-fold/profile.yaml", "compile", "--stages", "last", "-o", "out")
        told = self.run_host("stages", "out")
        self.assertEqual(told.returncode, 1)
        self.assertIn("plugin `acme.fold` in", told.stderr)
        self.assertIn("has no signature, and nobody named its folder", told.stderr)
        self.assertIn("--plugins", told.stderr)
        self.ok("--plugins", "acme-fold/profile.yaml", "stages", "out")

    def test_a_terminal_is_asked(self) -> None:
        fold = self.fold()
        told, code = self.at_terminal("n\n", "plugins", "trust", fold)
        self.assertEqual(code, 1)
        self.assertIn("it rewrites programs: acme-fold.reciprocals", told)
        self.assertIn("trust it as it is? [y/N]", told)
        self.assertIn("trust.not-trusted", told)
        self.assertFalse((self.folder / "trust.yaml").exists())
        told, code = self.at_terminal("y\n", "plugins", "trust", fold)
        self.assertEqual(code, 0, told)
        self.assertIn("plugin acme.fold", self.ok("plugins", "trust"))

    def test_there_is_no_place_for_a_trust_file(self) -> None:
        fold = self.fold()
        self.environment = {name: value for name, value in self.environment.items() if name not in ("HTP_TRUST", "HOME", "XDG_CONFIG_HOME")}
        self.refused("trust.no-file", "plugins", "trust", fold)
        # Of a path that is relative any folder that one works in could say who is trusted.
        for name in ("HOME", "XDG_CONFIG_HOME"):
            self.environment[name] = "here"
            self.refused("trust.no-file", "plugins", "trust", fold)


class Signed(Case):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = self.fold()
        self.compile = ["--plugins", "acme-fold/profile.yaml", "compile", "-o", "out"]

    def test_by_a_publisher_who_is_trusted(self) -> None:
        key = self.sign(self.plugin)
        told = self.ok(*self.compile)
        self.assertIn(f"warning[trust.unknown-key]: plugin `acme.fold` is signed by `acme`, with a key that nobody said to trust: {key}", told)
        self.assertIn("`htp-host plugins trust acme-fold/.`", told)
        self.refused("trust.unknown-key", "plugins", "verify", "acme-fold")
        self.assertIn(f"--expect {key}", self.refused("trust.not-asked", "plugins", "trust", "acme-fold"))
        self.ok("plugins", "trust", "acme-fold", "--expect", key)
        self.assertNotIn("trust", self.ok(*self.compile))
        self.assertIn("signed by acme, who may provide it", self.ok("plugins", "verify", "acme-fold"))
        answer = json.loads(self.ok("plugins", "verify", "acme-fold", "--json"))
        self.assertEqual((answer["standing"], answer["publisher"], answer["key"]), ("signed", "acme", key))
        self.assertIn({"what": "rewrites programs", "units": ["acme-fold.reciprocals"]}, answer["plugin"]["may"])
        # Where nobody names it, too.
        plugins = self.installed()
        shutil.copytree(self.plugin, plugins / "acme-fold")
        (self.folder / "p.yaml").write_text("htp_profile: 1\ntarget: cpu\nprogram: acme-fold/examples/average.py\npipeline: acme-fold.cpu\n")
        self.ok("--plugins", "p.yaml", "compile", "-o", "out")
        # Another key of the same name.
        self.ok("plugins", "sign", "acme-fold", "--key", self.key("other", 2))
        self.refused("trust.other-key", "plugins", "trust", "acme-fold")
        # No more.
        self.sign(self.plugin)
        self.ok("plugins", "trust", "--revoke", "acme")
        self.assertIn("trust.revoked-key", self.run_host(*self.compile).stderr)
        self.assertEqual(self.run_host(*self.compile).returncode, 1)
        self.refused("trust.revoked-key", "plugins", "trust", "acme-fold")
        self.refused("trust.not-known", "plugins", "trust", "--revoke", "nobody")
        self.assertIn(f"revoked key {key}", self.ok("plugins", "trust"))

    def test_by_a_publisher_of_the_profile(self) -> None:
        key = self.sign(self.plugin)
        profile = self.plugin / "profile.yaml"
        text = profile.read_text()
        profile.write_text(text + f'publishers:\n  - name: acme\n    key: "{key}"\n    provides:\n      - acme.fold\n')
        self.assertNotIn("trust", self.ok(*self.compile))
        profile.write_text(text + f'publishers:\n  - name: acme\n    key: "{key}"\n    provides:\n      - acme.other\n')
        self.assertIn("`acme` signed `acme.fold`, and may provide `acme.other` alone", self.run_host(*self.compile).stderr)
        self.refused("trust.not-provided", "--plugins", "acme-fold/profile.yaml", "plugins", "verify", "acme-fold")

    def test_what_was_changed_after_it_was_signed(self) -> None:
        self.sign(self.plugin)
        changes = {
            "htp-plugin.yaml": "`htp-plugin.yaml` was changed",
            "python/acme_fold.py": "`python/acme_fold.py` was changed",
            "python/more.py": "`python/more.py` was added",
            "libmore.so": "`libmore.so` was added",
        }
        for name, said in changes.items():
            with self.subTest(name):
                path = self.plugin / name
                before = path.read_text() if path.exists() else None
                path.write_text((before or "") + "# more\n")
                self.assertIn(said, self.refused("trust.changed", "plugins", "verify", "acme-fold"))
                done = self.run_host(*self.compile)  # named, and refused all the same
                self.assertEqual(done.returncode, 1)
                self.assertIn(said, done.stderr)
                path.unlink()
                if before is not None:
                    path.write_text(before)
        (self.plugin / "README.md").write_text("of no account")
        self.ok(*self.compile)

    def test_python_is_signed_however_its_folder_is_spelled(self) -> None:
        manifest, python = self.plugin / "htp-plugin.yaml", self.plugin / "python/acme_fold.py"
        text, module = manifest.read_text(), python.read_text()
        for spelled in ("python/", "./python", "./python//", "python/.", "modules.zip"):
            with self.subTest(spelled):
                manifest.write_text(text.replace("path: python", f"path: {spelled}"))
                if spelled.endswith(".zip"):
                    python = self.plugin / spelled
                    with zipfile.ZipFile(python, "w") as archive:
                        archive.writestr("acme_fold.py", module)
                self.sign(self.plugin)
                name = python.relative_to(self.plugin)
                before = python.read_bytes()
                python.write_bytes(before + b"# more\n")
                self.assertIn(f"`{name}` was changed", self.refused("trust.changed", "plugins", "verify", "acme-fold"))
                python.write_bytes(before)
        manifest.write_text(text.replace("path: python", "path: ./"))
        self.sign(self.plugin)
        (self.plugin / "more.py").write_text("")
        self.assertIn("`more.py` was added", self.refused("trust.changed", "plugins", "verify", "acme-fold"))

    def test_tuning_runs_no_python_that_was_changed_or_is_not_needed(self) -> None:
        self.sign(self.plugin)
        python = self.plugin / "python/acme_fold.py"
        seen = self.folder / "seen"
        run = f"open({str(seen)!r}, 'w').close()\n"
        (self.folder / "a.py").write_text(ADD.replace("import htp\n", "import htp\nimport acme_fold\n", 1) + "\nSIZE = htp.choice(4, 8)\n")
        (self.folder / "p.yaml").write_text("htp_profile: 1\ntarget: cpu\nsearch:\n  - acme-fold\n")
        tune = ["--plugins", "p.yaml", "tune", "a.py", "--dim", "N=8", "--budget", "1"]
        self.ok(*tune)
        text = python.read_text()
        python.write_text(text + run)
        self.refused("trust.changed", *tune)
        self.assertFalse(seen.exists())
        # Whatever a plugin's folder holds is no module of a program that does without it.
        python.write_text(text)
        (self.plugin / "python/acme_helpers.py").write_text(run)
        (self.plugin / "htp-plugin.sig").unlink()
        (self.folder / "a.py").write_text("import acme_helpers\n" + ADD + "\nSIZE = htp.choice(4, 8)\n")
        self.run_host(*tune)
        (self.folder / "a.py").write_text(ADD + "\nSIZE = htp.choice(4, 8)\n")
        self.ok(*tune)
        self.assertFalse(seen.exists())

    def test_a_library_that_was_changed(self) -> None:
        plugin = shutil.copytree(BUILD / "fixtures/plugins/ok", self.folder / "libraries/ok")
        self.sign(plugin)
        (self.folder / "p.yaml").write_text("htp_profile: 1\ntarget: cpu\nsearch:\n  - libraries\nplugins:\n  - test.ok\n")
        self.ok("--plugins", "p.yaml", "compile", "a.py")
        library = next(plugin.glob("*.so"))
        library.write_bytes(library.read_bytes() + b"\n")
        told = self.refused("trust.changed", "--plugins", "p.yaml", "compile", "a.py", "-o", "other")
        self.assertIn(f"plugin `test.ok` is not what was signed: `{library.name}` was changed", told)

    def test_a_signature_that_is_none(self) -> None:
        self.sign(self.plugin)
        path = self.plugin / "htp-plugin.sig"
        text = path.read_text()
        for changed in ("", text[:-2], text.replace("publisher acme", "publisher emca"), text.replace("0.1.0", "0.1.1"), text + "more\n", text.replace("signature 1", "signature 2")):
            path.write_text(changed)
            self.refused("trust.bad-signature", "plugins", "verify", "acme-fold")
            self.assertEqual(self.run_host(*self.compile).returncode, 1)

    def test_a_key_that_is_none(self) -> None:
        (self.folder / "none.pem").write_text("secret\n")
        self.assertIn("`none.pem` cannot sign", self.refused("trust.no-key", "plugins", "sign", "acme-fold", "--key", "none.pem"))
        self.refused("trust.no-key", "plugins", "sign", "acme-fold", "--key", "nowhere.pem")
        self.refused("trust.nothing-to-sign", "plugins", "sign", ".", "--key", self.key())
        self.assertFalse((self.plugin / "htp-plugin.sig").exists())

    def test_packages(self) -> None:
        self.ok("--plugins", "cpu", "compile", "a.py", "-o", "pkg")
        before = {path: path.read_bytes() for path in sorted((self.folder / "pkg").rglob("*")) if path.is_file()}
        self.refused("trust.no-signature", "plugins", "verify", "pkg")
        self.assertEqual(self.run_host("plugins", "sign", "pkg", "--key", self.key()).returncode, 2)  # whose it is
        self.ok("plugins", "sign", "pkg", "--key", self.key(), "--publisher", "acme")
        self.assertEqual(before, {path: path.read_bytes() for path in sorted((self.folder / "pkg").rglob("*")) if path.is_file()})
        self.refused("trust.unknown-key", "plugins", "verify", "pkg")
        self.ok("plugins", "trust", "acme-fold", "--expect", self.sign(self.plugin))
        self.assertIn("signed by acme", self.ok("plugins", "verify", "pkg"))
        self.ok("--plugins", "cpu", "compile", "a.py", "-o", "pkg", "--stages", "last")
        self.refused("trust.package-changed", "plugins", "verify", "pkg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST, BUILD = options.host.resolve(), options.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
