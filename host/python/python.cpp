#define PY_SSIZE_T_CLEAN
#include "host/python/object.h"

#include "host/python/python.h"

#include "host/base/confined.h"
#include "host/base/fs.h"
#include "host/base/interrupt.h"
#include "host/base/memory.h"
#include "host/parse/interpreter.h"

#include <unistd.h>

#include <new>

namespace htp {

// A text is taken as it is: `str` of it would look for interrupts, and lose an answer that is there.
std::string text_of(PyObject *object) {
  const bool is_text = object && PyUnicode_Check(object);
  const Object text(is_text ? Py_NewRef(object) : object ? PyObject_Str(object) : nullptr);
  const Object bytes(text ? PyUnicode_AsEncodedString(text.get(), "utf-8", "surrogatepass") : nullptr);
  if (!bytes) PyErr_Clear();
  return bytes ? std::string(PyBytes_AS_STRING(bytes.get()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.get()))) : "";
}

PyObject *make_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
}

namespace {

// With less left, whatever Python raises is for want of it: a library that cannot be mapped is an ImportError.
constexpr uint64_t little_memory = 24u << 20;

// What the loader and the C library say of it, in the text of whatever is raised: of a large library there may be more
// left than that.
bool lacks_memory(std::string_view text) {
  return text.find("failed to map segment") != text.npos || text.find("Cannot allocate memory") != text.npos;
}

void report_exception(const std::string &what, Diagnostics &diagnostics) {
  if (PyErr_ExceptionMatches(PyExc_MemoryError) || address_space_left() < little_memory) {
    PyErr_Clear();
    throw std::bad_alloc();
  }
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Object own_type(type), own_value(value), own_trace(trace);
  if (lacks_memory(text_of(value))) throw std::bad_alloc();
  const std::string kind = type ? reinterpret_cast<PyTypeObject *>(type)->tp_name : "";
  Diagnostic &d = diagnostics.report(diag::python_failed, {}, what, text_of(value));
  // An error that HTP's own package raises is a sentence for the user; anything else is told where it came from.
  if (kind.find("HtpError") != std::string::npos || !trace) return;
  d.note("raised as " + kind);
  const Object module(PyImport_ImportModule("traceback"));
  const Object lines(module ? PyObject_CallMethod(module.get(), "format_tb", "O", trace) : nullptr);
  for (Py_ssize_t i = 0; lines && i < PyList_Size(lines.get()); ++i) d.note(text_of(PyList_GetItem(lines.get(), i)));
  PyErr_Clear();
}

bool set_path(const std::vector<std::string> &path) {
  PyObject *list = PySys_GetObject("path"); // borrowed
  if (!list) return false;
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const Object folder(PyUnicode_FromStringAndSize(it->data(), static_cast<Py_ssize_t>(it->size())));
    if (!folder || PyList_Insert(list, 0, folder.get()) != 0) return false;
  }
  const Object packages(PyUnicode_FromString("/usr/lib/python3/dist-packages"));
  return packages && PyList_Append(list, packages.get()) == 0;
}

// Python's `tempfile` puts what it makes beneath the folder.
bool set_temporary(const std::string &folder) {
  const Object module(PyImport_ImportModule("tempfile")), path(make_text(folder));
  return module && path && PyObject_SetAttrString(module.get(), "tempdir", path.get()) == 0;
}

// An interrupt is a KeyboardInterrupt in what Python runs. (What is confined is ended from outside.)
bool raise_on_interrupt() {
  if (confined()) return true;
  const Object module(PyImport_ImportModule("signal"));
  const Object handler(module ? PyObject_GetAttrString(module.get(), "default_int_handler") : nullptr);
  const Object done(handler ? PyObject_CallMethod(module.get(), "signal", "iO", SIGINT, handler.get()) : nullptr);
  if (done) tell_of_interrupt([] { PyErr_SetInterruptEx(SIGINT); });
  return done.get() != nullptr;
}

} // namespace

std::optional<std::string> call_python(const std::string &module, const std::string &function,
                                       const std::string &request, const std::vector<std::string> &path,
                                       Diagnostics &diagnostics) {
  Interpreter interpreter;
  if (!interpreter || !interpreter.finish() || !set_path(path)) {
    diagnostics.report(diag::python_failed, {}, "the embedded interpreter", Interpreter::reason());
    return std::nullopt;
  }
  const auto temporary = TemporaryFolder::make();
  if (!temporary) {
    diagnostics.report(diag::io_unwritable, {}, temporary.error().path, temporary.error().reason);
    return std::nullopt;
  }
  if (!set_temporary(temporary->path()) || !raise_on_interrupt()) {
    report_exception(module + "." + function, diagnostics);
    return std::nullopt;
  }
  const Object imported(PyImport_ImportModule(module.c_str()));
  const Object result(imported ? PyObject_CallMethod(imported.get(), function.c_str(), "s#", request.data(),
                                                     static_cast<Py_ssize_t>(request.size()))
                               : nullptr);
  if (!result) {
    report_exception(module + "." + function, diagnostics);
    return std::nullopt;
  }
  return text_of(result.get());
}

std::vector<std::string> python_folders() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0) return {};
  const std::string program(path, static_cast<size_t>(size));
  const std::string bin = program.substr(0, program.rfind('/'));
  std::vector<std::string> result;
  for (const char *folder : {"/../python", "/../lib/htp/python", "/../lib/python3/dist-packages"})
    if (exists(bin + folder + "/htp/__init__.py")) result.push_back(bin + folder);
  return result;
}

} // namespace htp
