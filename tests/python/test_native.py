"""The way to libhtp: what crosses the C interface, by a library that answers as sdk/include/htp/capi.h says.

The library doubles its first array into its second, and refuses what the test asks it to refuse; the real one is law 5's.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np

ROOT = Path(__file__).resolve().parents[2]

DOUBLE = r"""
#include <htp/capi.h>
#include <stdlib.h>
#include <string.h>
static char *copy(const char *text) { return strcpy(malloc(strlen(text) + 1), text); }
static int live;
int htp_api_compile(const char *request, char **response) {
  if (strstr(request, "refused.py")) {
    *response = copy("{\"rendered\": \"error[tile.x]: no; give `--plugin-path DIR`, `--entry e`\", \"diagnostics\": [{\"code\": \"tile.x\"}]}");
    return 1;
  }
  *response = copy("{\"package\": \"there\", \"diagnostics\": []}");
  return strstr(request, "\"TILE\": \"32\"") && strstr(request, "\"entry\": \"e\"") && strstr(request, "plugins") ? 0 : 1;
}
int htp_api_open(const char *request, void **handle, char **response) {
  (void)request;
  *handle = &live, live = 1;
  *response = copy("{\"modules\": [], \"entries\": [{\"name\": \"double\", \"parameters\": ["
    "{\"name\": \"x\", \"direction\": \"in\", \"type\": \"Tensor[f32, M, N]\"},"
    "{\"name\": \"y\", \"direction\": \"out\", \"type\": \"Tensor[f32, M, N]\"}]}]}");
  return 0;
}
int htp_api_run(void *handle, const char *request, DLTensor **arrays, unsigned count, char **response) {
  const DLTensor *x = arrays[0], *y = arrays[1];
  if (handle != &live || count != 2 || !strstr(request, "\"double\"") || x->dtype.code != kDLFloat || x->dtype.bits != 32 ||
      x->ndim != 2 || x->device.device_type != kDLCPU) {
    *response = copy("{\"rendered\": \"bad\", \"diagnostics\": []}");
    return 3;
  }
  for (int64_t i = 0; i < x->shape[0]; ++i)
    for (int64_t j = 0; j < x->shape[1]; ++j)
      ((float *)y->data)[i * y->strides[0] + j * y->strides[1]] = 2 * ((float *)x->data)[i * x->strides[0] + j * x->strides[1]];
  *response = copy("{\"diagnostics\": []}");
  return 0;
}
void htp_api_close(void *handle) { *(int *)handle = 0; }
void htp_api_free(char *response) { free(response); }
"""


class Native(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        source = Path(cls.folder.name, "double.c")
        source.write_text(DOUBLE)
        library = Path(cls.folder.name, "libdouble.so")
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT}/sdk/include", "-o", library, source], check=True)
        os.environ["HTP_LIBRARY"] = str(library)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()
        del os.environ["HTP_LIBRARY"]

    def test_compiling(self) -> None:
        out = htp.compile_program("p.py", profile="cpu.yaml", out="out", entry="e", set={"TILE": 32}, plugin_path=["plugins"])
        self.assertEqual(out, Path("there"))

    def test_a_refusal_carries_the_diagnostics(self) -> None:
        with self.assertRaises(htp.CompileError) as caught:
            htp.compile_program("refused.py", profile="cpu.yaml", out="out")
        self.assertEqual(str(caught.exception), 'error[tile.x]: no; give `plugin_path=["DIR"]`, `entry="e"`')
        self.assertEqual(caught.exception.diagnostics, [{"code": "tile.x"}])

    def test_running_in_place(self) -> None:
        with htp.bind("there") as package:
            x: Any = np.arange(12, dtype=np.float32).reshape(2, 6)
            y = np.zeros((2, 6), np.float32)
            package.double(x, y)
            self.assertTrue(np.array_equal(y, 2 * x))
            package(x=x, y=y)

    def test_arguments_are_checked_before_they_cross(self) -> None:
        with htp.bind("there") as package:
            x = np.zeros((2, 3), np.float32)
            refused: list[tuple[str, list[Any]]] = [
                ("`double` takes 2 arguments (x, y), and 3 are given", [x, x, x]),
                ("`double` takes 2 arguments (x, y), and 0 are given", []),
                ("`y` is of f32 (float32), and an array of int32 is given", [x, x.astype(np.int32)]),
                ("`y` has strides that are no whole elements: give `numpy.ascontiguousarray(y)`", [x, np.zeros((2, 3), "u2, f4")["f1"]]),
            ]
            for message, arguments in refused:
                with self.assertRaises(htp.HtpError) as caught:
                    package(*arguments)
                self.assertEqual(str(caught.exception), message)
            with self.assertRaises(AttributeError) as missing:
                package.other(x)
            self.assertEqual(str(missing.exception), "the package has no entry `other`: it has double")
        with self.assertRaises(htp.HtpError) as closed:
            package.double(x, x.copy())
        self.assertEqual(str(closed.exception), "`double` belongs to a package that is closed")


if __name__ == "__main__":
    unittest.main()
