"""What `htp-host run` does with arrays, by a library that answers as sdk/include/htp/capi.h says: its entry writes what the test has in
its first input to all of its first output, and leaves the second alone."""

import json
import os
import resource
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from htp import runner
from htp.errors import Refused

ROOT = Path(__file__).resolve().parents[2]

FILL = r"""
#include <htp/capi.h>
#include <stdlib.h>
#include <string.h>
static char *copy(const char *text) { return strcpy(malloc(strlen(text) + 1), text); }
int htp_api_compile(const char *request, char **response) { (void)request; *response = copy("{}"); return 1; }
int htp_api_open(const char *request, void **handle, char **response) {
  (void)request;
  *handle = 0;
  *response = copy("{\"modules\": [], \"entries\": [{\"name\": \"fill\", \"parameters\": ["
    "{\"name\": \"x\", \"direction\": \"in\", \"type\": \"Tensor[f32, N]\"},"
    "{\"name\": \"y\", \"direction\": \"out\", \"type\": \"Tensor[f32, N]\"},"
    "{\"name\": \"n\", \"direction\": \"out\", \"type\": \"Tensor[i32, N]\"},"
    "{\"name\": \"h\", \"direction\": \"out\", \"type\": \"Tensor[bf16, N]\"}]}]}");
  return 0;
}
int htp_api_run(void *handle, const char *request, DLTensor **arrays, unsigned count, char **response) {
  (void)handle, (void)count;
  memcpy(arrays[1]->data, arrays[0]->data, (size_t)arrays[0]->shape[0] * 4);
  *response = copy(strstr(request, "\"times\": 1") ? "{\"seconds\": [0.25]}" : "{}");
  return 0;
}
void htp_api_close(void *handle) { (void)handle; }
void htp_api_free(char *response) { free(response); }
"""
PROGRAM = """import htp
from htp import In, Out, bf16, f32, i32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")

@kernel
def fill(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], n: Out[Tensor[i32, N]], h: Out[Tensor[bf16, N]]) -> None:
    for i in tiles(N, 8):
        y[i] = {}
"""
ENTRY = "the entry is fill(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], n: Out[Tensor[i32, N]], h: Out[Tensor[bf16, N]])"


class Runner(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source, library = Path(cls.folder.name, "fill.c"), Path(cls.folder.name, "libfill.so")
        source.write_text(FILL)
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT}/sdk/include", "-o", library, source], check=True)
        os.environ["HTP_LIBRARY"] = str(library)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()
        del os.environ["HTP_LIBRARY"]

    def file(self, name: str) -> str:
        return str(Path(self.folder.name, name))

    def run_it(self, **request: Any) -> dict[str, Any]:
        whole = {"package": "p", "profile": "", "plugin_path": [], "entry": "", "inputs": "", "outputs": "", "trace": "", "record": "", "seed": 0, "check": False, "args": {}, "dims": {}}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            answer: dict[str, Any] = json.loads(runner.run(json.dumps(whole | request)))
        return answer

    def refused(self, code: str, *arguments: str, hint: str = "", **request: Any) -> None:
        self.assertEqual(self.run_it(**request)["diagnostics"], [{"code": code, "arguments": list(arguments), "hints": [hint] if hint else []}])

    def test_what_is_not_written_shows(self) -> None:
        self.run_it(dims={"N": 3}, outputs=self.file("out.npz"))
        with np.load(self.file("out.npz")) as out:
            self.assertTrue(np.isfinite(out["y"]).all())
            self.assertEqual(out["n"].tolist(), [-0x55555556] * 3)
            self.assertTrue(np.isnan((out["h"].astype(np.uint32) << 16).view(np.float32)).all())

    def test_a_file_is_written_as_a_whole_or_not_at_all(self) -> None:
        again = "the entry has run; give a file in a folder that exists and may be written"
        out = Path(self.file("kept.npz"))
        out.write_bytes(b"before")
        out.chmod(0o640)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        try:
            self.refused("io.unwritable", str(out), "File too large", hint=again, dims={"N": 100_000}, outputs=str(out))
            self.refused("io.unwritable", f"{out}2", "File too large", hint=again, dims={"N": 100_000}, outputs=f"{out}2")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.assertEqual(out.read_bytes(), b"before")
        self.assertEqual([path.name for path in out.parent.iterdir() if "kept" in path.name], ["kept.npz"])
        self.refused("io.unwritable", "/dev/full", "No space left on device", hint=again, dims={"N": 9}, outputs="/dev/full")
        self.run_it(dims={"N": 3}, outputs=str(out))
        self.assertEqual(out.stat().st_mode & 0o777, 0o640)
        self.assertNotEqual(out.read_bytes(), b"before")

    def package(self, *stages: str) -> str:
        """A package whose entry, by these stages, stores that of `x` to `y`."""
        folder = tempfile.mkdtemp(dir=self.folder.name)
        for number, stored in enumerate(stages):
            stage = Path(folder, f"ir/stages/{number:02}-pass{number}")
            stage.mkdir(parents=True)
            (stage / "program.py").write_text(PROGRAM.format(stored))
        return folder

    def test_outputs_are_held_against_plain_python(self) -> None:
        done = self.run_it(package=self.package("x[i]"), check=True)
        self.assertEqual(done["differs"], [])
        self.assertIn("y: agrees with plain Python, bit for bit\n", done["text"])
        self.assertTrue(done["result"]["agrees"])
        for stages, told in (
            (("x[i] + 1.0", "x[i] + 1.0"), "every stage agrees with the source: what differs was made of the last one"),
            (("x[i] + 1.0", "x[i] + 1.0", "x[i]"), "`02-pass2` is the first stage that differs"),
        ):
            done = self.run_it(package=self.package(*stages), check=True)
            self.assertRegex(done["differs"][0], r"^at fill: y\[0\]: .*, expected ")
            self.assertEqual(done["differs"][-1], told)
            self.assertFalse(done["result"]["agrees"])
            self.assertNotIn("agrees with", done["text"])

    def test_a_source_that_does_not_run_is_told(self) -> None:
        self.refused("run.stage-fails", "00-pass0", "NameError: name 'z' is not defined", package=self.package("z[i]"), check=True)

    def test_empty_arrays(self) -> None:
        answer = self.run_it(dims={"N": 0})
        self.assertEqual(answer["result"]["sizes"], {"N": 0})
        self.assertIn("y: f32 0, empty", answer["text"])

    def test_outputs_among_the_inputs_are_poisoned_too(self) -> None:
        np.savez(self.file("in.npz"), x=np.zeros(2, np.float32), n=np.ones(2, np.int32))
        self.run_it(inputs=self.file("in.npz"), outputs=self.file("out.npz"))
        with np.load(self.file("out.npz")) as out:
            self.assertEqual(out["n"].tolist(), [-0x55555556] * 2)

    def test_infinities_are_told_without_a_warning(self) -> None:
        np.savez(self.file("in.npz"), x=np.array([np.inf, -np.inf], np.float32))
        text = self.run_it(inputs=self.file("in.npz"))["text"]
        self.assertIn("y: f32 2, min -inf, max inf, mean nan: [inf, -inf]\n", text)
        self.assertIn("h: bf16 2, min nan, max nan, mean nan: [nan, nan]\n", text)

    def test_files_that_hold_no_arrays(self) -> None:
        np.savez(self.file("in.npz"), x=np.zeros(1000, np.float32))
        whole = Path(self.file("in.npz")).read_bytes()
        cut = self.file("cut.npz")
        for size in (0, 3, 100, len(whole) // 2, len(whole) - 1):
            Path(cut).write_bytes(whole[:size])
            (found,) = self.run_it(inputs=cut)["diagnostics"]
            self.assertEqual((found["code"], found["arguments"][0]), ("run.not-npz", cut))
        np.save(self.file("x.npy"), np.zeros(3, np.float32))
        self.refused("run.not-npz", self.file("x.npy"), "it is a single array (.npy)", inputs=self.file("x.npy"))
        self.refused("io.unreadable", self.file("none"), "No such file or directory", inputs=self.file("none"))
        Path(self.file("empty")).mkdir()
        self.refused("run.no-calls", self.file("empty"), inputs=self.file("empty"))

    def test_damaged_bytes_are_refused(self) -> None:
        np.savez_compressed(self.file("in.npz"), x=np.arange(1000, dtype=np.float32))
        whole = Path(self.file("in.npz")).read_bytes()
        for place in range(0, len(whole), 7):
            Path(self.file("bad.npz")).write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            answer = self.run_it(inputs=self.file("bad.npz"))
            self.assertTrue(answer["text"] or answer["diagnostics"][0]["code"].startswith(("run.", "io.")))

    def test_arguments_that_do_not_fit(self) -> None:
        (found,) = self.run_it(dims={"N": 99999999999})["diagnostics"]
        self.assertEqual((found["code"], found["arguments"][:2]), ("run.too-large", ["N=99999999999", "1303.85"]))
        self.refused("run.unknown-dim", "fill", "M", hint="it has N", dims={"M": 1})
        with self.assertRaises(Refused) as raised:
            runner.sizes_of(SimpleNamespace(name="fill", parameters=[]), {}, {"dims": {"M": 1}})  # type: ignore[arg-type]
        self.assertEqual(raised.exception.hint, "leave `--dim` out: its sizes were given when it was compiled")
        self.refused("run.unknown-scalar", "fill", "s", hint="leave `--arg` out: its parameters are arrays", args={"s": "1"})
        np.savez(self.file("in.npz"), x=np.zeros(3, np.float64))
        self.refused("run.bad-arguments", "fill", "`x` is of f32 (float32), and an array of float64 is given", hint=ENTRY, inputs=self.file("in.npz"))
        self.refused("run.dim-differs", "N", "4", "3", inputs=self.file("in.npz"), dims={"N": 4})
        np.savez(self.file("in.npz"), x=np.zeros(3, np.float32), z=np.zeros(3, np.float32))
        self.refused("run.unknown-input", self.file("in.npz"), "z", "fill", hint=ENTRY, inputs=self.file("in.npz"))
        np.savez(self.file("in.npz"))
        self.refused("run.missing-input", "x", inputs=self.file("in.npz"))
        with self.assertRaises(Refused) as caught:
            runner.routine_of(SimpleNamespace(routines={"one": None, "two": None}), "")  # type: ignore[arg-type]
        self.assertEqual((caught.exception.code, caught.exception.arguments), ("run.which-entry", ["one, two"]))
        self.refused("bind.unknown-entry", "file", hint="it has fill", entry="file")
        self.refused("io.unwritable", "/none/out.npz", "No such file or directory", hint="the entry has run; give a file in a folder that exists and may be written",
                     outputs="/none/out.npz")


if __name__ == "__main__":
    unittest.main()
