#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host/python/unit_interpreter.h"

#include "embedded.h"

namespace htp {

namespace {

std::mutex start_mutex;
std::string start_reason;
UnitTools unit_tools;
PyThreadState *first_state = nullptr; // keeps the interpreter while no unit runs

// CPython does not end while another interpreter is there; by then no thread of it runs but this one.
PyObject *end_units(PyObject *, PyObject *) {
  if (PyThreadState *const first = std::exchange(first_state, nullptr)) {
    PyThreadState *const outer = PyThreadState_Swap(first);
    unit_tools.interpreter = nullptr;
    start_reason = "python: it ends";
    Py_EndInterpreter(first);
    PyThreadState_Swap(outer);
  }
  Py_RETURN_NONE;
}

// In the process's interpreter.
bool end_with_process() {
  static PyMethodDef definition{"end_units", end_units, METH_NOARGS, nullptr};
  const Object module(PyImport_ImportModule("atexit")), function(PyCFunction_New(&definition, nullptr));
  const Object done(module && function ? PyObject_CallMethod(module.get(), "register", "O", function.get()) : nullptr);
  if (!done) PyErr_Clear();
  return static_cast<bool>(done);
}

PyObject *make_instance(PyObject *type) { return type ? PyObject_CallNoArgs(type) : nullptr; }

// What the interpreter needs of CPython's grammar; all of it lives as long as the process.
bool learn_classes(UnitTools &tools) {
  for (uint32_t kind = 1; kind < HTP_KIND_LIMIT; ++kind) {
    const htp_kind_info &info = kind_info(kind);
    PyObject *type = info.name ? PyObject_GetAttrString(tools.ast, info.name) : nullptr;
    PyErr_Clear(); // a kind of a later grammar
    if (!type) continue;
    AstClass &made = tools.classes[kind];
    made.type = type;
    made.has_location = PyObject_HasAttrString(type, "end_lineno") != 0; // optional, so the class has it
    tools.kinds[reinterpret_cast<PyTypeObject *>(type)] = static_cast<uint16_t>(kind);
    for (unsigned f = 0; f < info.field_count; ++f)
      if (info.fields[f].since <= PY_MINOR_VERSION) made.names[f] = PyUnicode_InternFromString(info.fields[f].name);
  }
  const auto learn = [&](const char *name, uint32_t value, auto &values, auto &instances) {
    PyObject *type = PyObject_GetAttrString(tools.ast, name);
    if (!type) return false;
    values[reinterpret_cast<PyTypeObject *>(type)] = value;
    return (instances[value] = make_instance(type)) != nullptr;
  };
  bool good = true;
  for (uint32_t op = 1; op <= HTP_NotIn; ++op)
    if (const std::string name(op_name(op)); !name.empty())
      good = good && learn(name.c_str(), op, tools.operators, tools.operator_of);
  const std::pair<const char *, uint32_t> contexts[] = {{"Load", HTP_LOAD}, {"Store", HTP_STORE}, {"Del", HTP_DEL}};
  for (const auto &[name, value] : contexts) good = good && learn(name, value, tools.contexts, tools.context_of);
  size_t at = 0;
  for (const char *name : {"lineno", "col_offset", "end_lineno", "end_col_offset"})
    tools.location_names[at++] = PyUnicode_InternFromString(name);
  return good;
}

bool prepare(UnitTools &tools) {
  PyObject *module = PyModule_New("htp_units");
  PyObject *names = module ? PyModule_GetDict(module) : nullptr;
  const Object code(names ? Py_CompileString(units_text, "<htp>", Py_file_input) : nullptr);
  if (!code || PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins()) != 0) return false;
  const Object ran(PyEval_EvalCode(code.get(), names, names));
  if (!ran) return false;
  const auto named = [&](const char *name) { return Object::borrowed(PyDict_GetItemString(names, name)).release(); };
  tools.ast = named("ast");
  tools.call = named("call");
  tools.line = named("Line");
  tools.cancelled = named("Cancelled");
  const Object ready(named("prepare"));
  tools.context = ready ? PyObject_CallFunction(ready.get(), "s", extend_text) : nullptr;
  return tools.context && tools.ast && tools.call && tools.line && tools.cancelled && learn_classes(tools);
}

// The caller holds the lock of the process's interpreter, whose state of this thread is current again afterwards.
bool start(Interpreter &process) {
  if (unit_tools.interpreter) return true;
  if (!start_reason.empty()) return false;
  if (!process.finish()) {
    start_reason = Interpreter::reason();
    return false;
  }
  PyThreadState *const outer = PyThreadState_Get();
  PyThreadState *const first = end_with_process() ? Py_NewInterpreter() : nullptr;
  if (!first) {
    start_reason = "python: no other interpreter could be made";
    PyThreadState_Swap(outer);
    return false;
  }
  if (prepare(unit_tools)) {
    unit_tools.interpreter = first->interp;
    first_state = first;
  } else {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Object own_type(type), own_value(value), own_trace(trace);
    start_reason = "python: " + text_of(value);
  }
  PyThreadState_Swap(outer);
  return unit_tools.interpreter != nullptr;
}

} // namespace

InUnits::InUnits() {
  if (!process_) {
    start_reason = Interpreter::reason();
    return;
  }
  {
    // Starting gives the lock up now and then; who waits for that must not hold it.
    std::unique_lock lock(start_mutex, std::defer_lock);
    Py_BEGIN_ALLOW_THREADS;
    lock.lock();
    Py_END_ALLOW_THREADS;
    if (!start(process_)) return;
  }
  outer_ = PyThreadState_Get();
  state_ = PyThreadState_New(unit_tools.interpreter);
  if (state_) PyThreadState_Swap(state_);
}

InUnits::~InUnits() {
  if (!state_) return;
  PyThreadState_Clear(state_);
  PyThreadState_Swap(outer_);
  PyThreadState_Delete(state_);
}

const std::string &InUnits::reason() { return start_reason; }
const UnitTools &InUnits::tools() { return unit_tools; }

// ── cancelling ──────────────────────────────────────────────────────────────────────────────────────────────────────

CancelWatch::CancelWatch(const htp_host &host, htp_ctx *ctx) {
  watcher_ = std::thread([this, &host, ctx, thread = PyThread_get_thread_ident()] { watch(host, ctx, thread); });
}

CancelWatch::~CancelWatch() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  Py_BEGIN_ALLOW_THREADS; // it may wait for the lock
  watcher_.join();
  Py_END_ALLOW_THREADS;
}

// Again and again: a unit that catches everything is told again.
void CancelWatch::watch(const htp_host &host, htp_ctx *ctx, unsigned long thread) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return done_; })) {
    if (!host.cancelled(ctx)) continue;
    lock.unlock();
    PyThreadState *const state = PyThreadState_New(unit_tools.interpreter);
    PyEval_AcquireThread(state);
    PyThreadState_SetAsyncExc(thread, unit_tools.cancelled);
    PyThreadState_Clear(state);
    PyThreadState_DeleteCurrent();
    lock.lock();
  }
}

} // namespace htp
