#include <Python.h>

#include "host/parse/python_error.h"

#include "host/base/memory.h"
#include "host/parse/decode.h"

#include <algorithm>

namespace htp {

namespace {

std::string text_of(PyObject *object) {
  PyObject *text = object ? PyObject_Str(object) : nullptr;
  const char *utf8 = text ? PyUnicode_AsUTF8(text) : nullptr;
  std::string made = utf8 ? utf8 : "";
  PyErr_Clear();
  Py_XDECREF(text);
  return made;
}

std::string text_attribute(PyObject *error, const char *name) {
  PyObject *value = PyObject_GetAttrString(error, name);
  std::string made = value && PyUnicode_Check(value) ? text_of(value) : "";
  PyErr_Clear();
  Py_XDECREF(value);
  return made;
}

// 0 when it is absent, None or out of range.
long int_attribute(PyObject *error, const char *name) {
  PyObject *value = PyObject_GetAttrString(error, name);
  const long made = value && PyLong_Check(value) ? PyLong_AsLong(value) : 0;
  PyErr_Clear();
  Py_XDECREF(value);
  return std::max(made, 0L);
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// CPython's location of a syntax error: 1-based characters of a line; clamped to the text. An error inside an f-string
// is told relative to the replacement field's own text, `(` put before it: that text is looked for in the line.
Span location_of(PyObject *error, const SourceRef &source) {
  const std::string shown = trimmed(text_attribute(error, "text"));
  const long last = source->line_count();
  const long number = int_attribute(error, "lineno");
  if (number == 0) return {source};
  auto line = static_cast<uint32_t>(std::min(number, last));
  // What is wrong at the end of the file is told of the line after the last.
  while (number > last && line > 1 && source->line(line).empty()) --line;
  const std::string_view text = source->line(line);
  const auto size = static_cast<uint32_t>(text.size());
  if (number > last) return {source, line, size, line, size + 1};

  long offset = int_attribute(error, "offset"), end_offset = int_attribute(error, "end_offset");
  long end_number = int_attribute(error, "end_lineno");
  const bool synthetic =
      shown.size() > 2 && shown.front() == '(' && shown.back() == ')' && text.find(shown) == text.npos;
  if (synthetic) {
    const std::string field = shown.substr(1, shown.size() - 2);
    const size_t at = text.find(field);
    if (at == text.npos || text.find(field, at + 1) != text.npos || offset < 2) {
      const auto begin = static_cast<uint32_t>(std::min(text.find_first_not_of(" \t\f"), text.size()));
      return {source, line, begin, line, std::max(begin + 1, size)};
    }
    const auto begin = static_cast<uint32_t>(at) + byte_column(field, offset - 1);
    const auto end = static_cast<uint32_t>(at) + byte_column(field, std::max(end_offset - 1, offset));
    return {source, line, begin, line, std::max(end, begin + 1)};
  }
  const uint32_t col = byte_column(text, offset);
  if (end_number == 0 || end_number < number || (end_number == number && end_offset <= offset))
    return {source, line, col, line, col + 1};
  end_number = std::min(end_number, last);
  const auto end_line = static_cast<uint32_t>(end_number);
  const uint32_t end_col = byte_column(source->line(end_line), end_offset);
  return {source, line, col, end_line, end_line == line ? std::max(end_col, col + 1) : end_col};
}

// CPython's messages in the style of ours: lower case but for code, no final period; what it suggests becomes a hint.
struct Message {
  std::string text, hint;
};

void lower_first(std::string &text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
}

Message message_of(std::string text) {
  Message made;
  for (const std::string_view opening : {". Perhaps ", ". Maybe ", ". Did you mean ", "; maybe "}) {
    const size_t at = text.find(opening);
    if (at == text.npos) continue;
    made.hint = text.substr(at + 2);
    text.erase(at);
    break;
  }
  if (text.ends_with('.')) text.pop_back();
  lower_first(text);
  lower_first(made.hint);
  made.text = std::move(text);
  if (made.hint.empty())
    made.hint = "programs are read by CPython " PY_VERSION "'s own parser: its grammar is the rule";
  return made;
}

// With less left, Python's MemoryError is what it says; else the parser says by it that it nests too deeply.
constexpr uint64_t little_memory = 16u << 20;

void report_depth(const Span &span, Diagnostics &diagnostics) {
  diagnostics.report(diag::parse_too_deep, span).hint("name a part of it, or build the value in a loop");
}

} // namespace

bool python_error_is_depth() {
  return PyErr_Occurred() && address_space_left() > little_memory &&
         (PyErr_ExceptionMatches(PyExc_MemoryError) || PyErr_ExceptionMatches(PyExc_RecursionError));
}

void report_python_error(const SourceRef &source, const Span &deep, Diagnostics &diagnostics) {
  const bool depth = python_error_is_depth();
  PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &error, &trace);
  PyErr_NormalizeException(&type, &error, &trace);
  if (depth) {
    report_depth(deep, diagnostics);
  } else if (error && PyErr_GivenExceptionMatches(error, PyExc_SyntaxError)) {
    const std::string said = text_attribute(error, "msg");
    const Span span = location_of(error, source);
    if (said == "too many nested parentheses" || said == "too many levels of indentation") {
      report_depth(span, diagnostics);
    } else {
      Message message = message_of(said);
      diagnostics.report(diag::parse_syntax, span, message.text).hint(std::move(message.hint));
    }
  } else {
    diagnostics.report(diag::parse_refused, Span{source}, text_of(error))
        .hint("try again, or try with a part of the program");
  }
  PyErr_Clear();
  Py_XDECREF(type);
  Py_XDECREF(error);
  Py_XDECREF(trace);
}

} // namespace htp
