#include <Python.h>

#include "host/parse/parse.h"

#include "host/parse/decode.h"
#include "host/parse/import.h"
#include "host/parse/interpreter.h"
#include "host/parse/python_error.h"

#include <algorithm>
#include <cstring>

namespace htp {

namespace {

// While a text is parsed: no garbage collector, which would visit all the tree's objects again and again; integers of
// any length; and no warnings of the parser's, which the user's own filters could make errors or hand to the user's
// code.
class ParseScope {
public:
  ParseScope() : collected_(PyGC_Disable()) {
    if (PyObject *limit = call("get_int_max_str_digits", nullptr)) {
      digits_ = PyLong_AsLong(limit);
      Py_DECREF(limit);
    }
    set_digits(0);
    silence();
  }
  ~ParseScope() {
    if (filters_ && PyList_GET_SIZE(filters_) > 0 && PyList_GET_ITEM(filters_, 0) == ignore_)
      PyList_SetSlice(filters_, 0, 1, nullptr);
    Py_XDECREF(filters_);
    Py_XDECREF(ignore_);
    if (digits_ >= 0) set_digits(digits_);
    if (collected_) PyGC_Enable();
  }
  ParseScope(const ParseScope &) = delete;
  ParseScope &operator=(const ParseScope &) = delete;

private:
  static PyObject *call(const char *name, PyObject *argument) {
    PyObject *function = PySys_GetObject(name);
    PyObject *result = function ? PyObject_CallFunctionObjArgs(function, argument, nullptr) : nullptr;
    if (!result) PyErr_Clear();
    return result;
  }
  static void set_digits(long digits) {
    PyObject *limit = PyLong_FromLong(digits);
    Py_XDECREF(call("set_int_max_str_digits", limit));
    Py_XDECREF(limit);
  }

  // Puts "ignore all" ahead of the filters of `warnings`; where nobody imported that, the parser's are ignored anyway.
  void silence() {
    PyObject *warnings = PyDict_GetItemString(PyImport_GetModuleDict(), "warnings");
    filters_ = warnings ? PyObject_GetAttrString(warnings, "filters") : nullptr;
    ignore_ = Py_BuildValue("(sOOOi)", "ignore", Py_None, PyExc_Warning, Py_None, 0);
    if (filters_ && !(PyList_Check(filters_) && ignore_ && PyList_Insert(filters_, 0, ignore_) == 0))
      Py_CLEAR(filters_);
    PyErr_Clear();
  }

  int collected_;
  long digits_ = -1;
  PyObject *filters_ = nullptr, *ignore_ = nullptr;
};

// CPython's tree of a text that is UTF-8 already. No file has the name that is given, so that its error messages are
// made from this text alone.
PyObject *compile(const char *text, int start) {
  PyCompilerFlags flags = {PyCF_ONLY_AST | PyCF_SOURCE_IS_UTF8 | PyCF_IGNORE_COOKIE, PY_MINOR_VERSION};
  PyObject *name = PyUnicode_FromString("");
  PyObject *tree = name ? Py_CompileStringObject(text, name, start, &flags, -1) : nullptr;
  Py_XDECREF(name);
  return tree;
}

// Whether a line begins a statement of the module, rather than going on with one.
bool begins_statement(std::string_view line) {
  if (line.empty() || strchr(" \t\f#)]}", line[0])) return false;
  for (const std::string_view keyword : {"else", "elif", "except", "finally"})
    if (line.starts_with(keyword)) return false;
  return true;
}

// The module's first statement that alone is nested too deeply. Python does not say where, so they are tried one by
// one.
Span find_too_deep(const SourceRef &source) {
  const uint32_t lines = source->line_count();
  for (uint32_t first = 1; first <= lines;) {
    uint32_t next = first + 1;
    const bool decorated = source->line(first).starts_with("@");
    while (next <= lines && (!begins_statement(source->line(next)) || (decorated && next == first + 1))) ++next;
    const size_t begin = source->offset(first, 0);
    const std::string part = source->text.substr(begin, source->offset(next, 0) - begin);
    PyObject *tree = compile(part.c_str(), Py_file_input);
    const bool deep = python_error_is_depth();
    Py_XDECREF(tree);
    PyErr_Clear();
    if (deep) return {source, first, 0, first, static_cast<uint32_t>(source->line(first).size())};
    first = next;
  }
  return {source};
}

constexpr const char *no_interpreter_hint = "allow more memory (`ulimit -v unlimited`), or reinstall Python 3.11";

htp_node parse(const SourceRef &text, int start, const ImportOptions &options, Diagnostics &diagnostics, Store &store) {
  const ParseScope scope;
  PyObject *tree = compile(text->text.c_str(), start);
  const htp_node root = tree ? import_tree(tree, options, store) : 0;
  if (root != 0) return root;
  if (PyErr_Occurred()) {
    Span deep{text};
    if (python_error_is_depth()) {
      PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
      PyErr_Fetch(&type, &error, &trace);
      deep = find_too_deep(text);
      PyErr_Restore(type, error, trace);
    }
    report_python_error(text, deep, diagnostics);
  } else {
    diagnostics.report(diag::parse_too_large, Span{text}, store.reason()).hint("split the program into several");
  }
  return 0;
}

htp_node parse_snippet(std::string_view text, int start, htp_node origin, Diagnostics &diagnostics, Store &store) {
  Interpreter python;
  const auto source = std::make_shared<const SourceFile>("<snippet>", std::string(text));
  if (!python) {
    diagnostics.report(diag::parse_no_interpreter, Span{}, Interpreter::reason()).hint(no_interpreter_hint);
    return 0;
  }
  const SourceRef decoded = decode_source(source, python, diagnostics);
  return decoded ? parse(decoded, start, {.locations = false, .origin = origin}, diagnostics, store) : 0;
}

} // namespace

htp_node parse_tree(const SourceRef &source, Diagnostics &diagnostics, Store &store) {
  Interpreter python;
  if (!python) {
    diagnostics.report(diag::parse_no_interpreter, Span{source}, Interpreter::reason()).hint(no_interpreter_hint);
    return 0;
  }
  const SourceRef text = decode_source(source, python, diagnostics);
  if (!text) return 0;
  const uint16_t file = store.add_file(text);
  if (file == 0) {
    diagnostics.report(diag::parse_too_large, Span{text}, store.reason()).hint("split the program into several");
    return 0;
  }
  return parse(text, Py_file_input, {.file = file}, diagnostics, store);
}

htp_node parse_expression(std::string_view text, htp_node origin, Diagnostics &diagnostics, Store &store) {
  const htp_node root = parse_snippet(text, Py_eval_input, origin, diagnostics, store);
  return root ? HTP_FIELDS(Expression, store.abi(), root)->body : 0;
}

htp_node parse_statements(std::string_view text, htp_node origin, Diagnostics &diagnostics, Store &store) {
  return parse_snippet(text, Py_file_input, origin, diagnostics, store);
}

} // namespace htp
