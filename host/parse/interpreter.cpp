#include <Python.h>

#include "host/parse/interpreter.h"

#include "host/base/memory.h"

#include <cstdlib>
#include <mutex>

namespace htp {

namespace {

// Where it finds too little, Python ends the process in the middle of its start-up: more than that takes is asked for.
constexpr uint64_t to_start = 24u << 20;

std::mutex start_mutex;
std::string start_reason;

bool has_memory() {
  if (address_space_left() >= to_start) return true;
  start_reason = "there is too little memory";
  return false;
}

bool tried = false, started_here = false, finished = false;
#ifdef __SANITIZE_ADDRESS__
bool counted = true; // the sanitizer sees every object
#else
bool counted = false;
#endif

std::string text_of(const PyStatus &status) {
  return std::string(status.func ? status.func : "python") + ": " + (status.err_msg ? status.err_msg : "did not start");
}

// A codec search function: asks the standard library's `encodings`, which can be imported once the start-up is
// finished.
PyObject *find_codec(PyObject *, PyObject *name) {
  PyObject *encodings = PyImport_ImportModule("encodings");
  PyObject *codec = encodings ? PyObject_CallMethod(encodings, "search_function", "O", name) : nullptr;
  Py_XDECREF(encodings);
  return codec;
}

// Registers `find_codec`. The registry of codecs imports `encodings` on its first use, and is of no use for ever when
// that fails, as it would in the first half of the start-up; so its first use is here, with an empty module of that
// name.
bool prepare_codecs() {
  static PyMethodDef definition{"find_codec", find_codec, METH_O, nullptr};
  PyObject *function = PyImport_AddModule("encodings") ? PyCFunction_New(&definition, nullptr) : nullptr;
  const bool done =
      function && PyCodec_Register(function) == 0 && PyDict_DelItemString(PyImport_GetModuleDict(), "encodings") == 0;
  Py_XDECREF(function);
  if (!done) PyErr_Clear();
  return done;
}

// Leaves the interpreter without the lock held.
bool start() {
  tried = true;
  if (!has_memory()) return false;
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;
  if (counted) before.allocator = PYMEM_ALLOCATOR_MALLOC;
  PyStatus status = Py_PreInitialize(&before);
  if (!PyStatus_Exception(status)) {
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    config.use_hash_seed = 1;
    config.hash_seed = 0;
    config.write_bytecode = 0;
    config.pathconfig_warnings = 0;
    config._init_main = 0;
    // With a folder in it PATH is not searched: whatever `python3` stands there is not ours.
    status = PyConfig_SetString(&config, &config.program_name, L"" HTP_PYTHON);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
  }
  if (PyStatus_Exception(status)) {
    start_reason = text_of(status);
    return false;
  }
  started_here = prepare_codecs();
  if (!started_here) start_reason = "python: no registry of codecs";
  PyEval_SaveThread();
  return started_here;
}

} // namespace

Interpreter::Interpreter() {
  {
    const std::lock_guard lock(start_mutex);
    if (!started_here && (tried || (!Py_IsInitialized() && !start()))) return;
  }
  state_ = PyGILState_Ensure();
  held_ = true;
}

Interpreter::~Interpreter() {
  if (held_) PyGILState_Release(static_cast<PyGILState_STATE>(state_));
}

void Interpreter::count_objects() { counted = true; }

const std::string &Interpreter::reason() { return start_reason; }

bool Interpreter::finish() {
  if (!held_) return false;
  if (!started_here || finished) return true;
  if (!has_memory()) return false;
  // NumPy's OpenBLAS starts a thread for each core when it is loaded, and ends the process by SIGINT where it may not.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
  const PyStatus status = _Py_InitializeMain();
  if (PyStatus_Exception(status)) {
    start_reason = text_of(status);
    return false;
  }
  finished = true;
  return true;
}

} // namespace htp
