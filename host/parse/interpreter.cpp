#include <Python.h>

#include "host/parse/interpreter.h"

#include <mutex>

// CPython's own second half of a start-up with `_init_main = 0`; declared in its headers for 3.11.
namespace htp {

namespace {

std::mutex start_mutex;
std::string start_reason;
bool started_here = false, finished = false;

std::string text_of(const PyStatus &status) {
  return std::string(status.func ? status.func : "python") + ": " + (status.err_msg ? status.err_msg : "did not start");
}

// Leaves the interpreter without the lock held.
bool start() {
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;
#ifdef __SANITIZE_ADDRESS__
  before.allocator = PYMEM_ALLOCATOR_MALLOC; // so that the sanitizer sees every object
#endif
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
    status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
  }
  if (PyStatus_Exception(status)) {
    start_reason = text_of(status);
    return false;
  }
  started_here = true;
  PyEval_SaveThread();
  return true;
}

} // namespace

Interpreter::Interpreter() {
  {
    const std::lock_guard lock(start_mutex);
    if (!Py_IsInitialized() && !(started_here || start())) return;
  }
  state_ = PyGILState_Ensure();
  held_ = true;
}

Interpreter::~Interpreter() {
  if (held_) PyGILState_Release(static_cast<PyGILState_STATE>(state_));
}

const std::string &Interpreter::reason() { return start_reason; }

bool Interpreter::finish() {
  if (!held_) return false;
  if (!started_here || finished) return true;
  const PyStatus status = _Py_InitializeMain();
  if (PyStatus_Exception(status)) {
    start_reason = text_of(status);
    return false;
  }
  finished = true;
  return true;
}

} // namespace htp
