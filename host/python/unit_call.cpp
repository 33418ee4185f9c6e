#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host/python/unit_call.h"

#include "host/base/hash.h"
#include "host/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <deque>

namespace htp {

namespace {

std::string_view view(htp_str text) { return {text.data, text.size}; }
htp_str str(std::string_view text) { return {text.data(), text.size()}; }

UnitCode code_of(const Manifest &plugin, const Unit &unit) {
  UnitCode code;
  const size_t colon = unit.code.value.find(':');
  code.module = unit.code.value.substr(0, colon);
  code.function = unit.code.value.substr(colon + 1);
  for (const Unit &other : plugin.units)
    code.bare = code.bare && !other.code.value.starts_with(plugin.python_module.value + ":");
  code.sources = read_python(plugin);
  Sha256 digest;
  for (const PythonSource &source : code.sources)
    for (const std::string &part : {source.path, source.text.value_or("")})
      digest.add(std::to_string(part.size())).add(":").add(part);
  code.alias = "htp_unit_" + digest.hex().substr(0, 16);
  return code;
}

PyObject *files_of(const UnitCode &code) {
  Object files(PyDict_New());
  for (const PythonSource &source : code.sources) {
    if (!source.text) continue;
    const Object row(Py_BuildValue("(Ny#)", make_text(source.path), source.text->data(),
                                   static_cast<Py_ssize_t>(source.text->size())));
    const Object name(make_text(source.name));
    if (!files || !row || !name || PyDict_SetItem(files.get(), name.get(), row.get()) != 0) return nullptr;
  }
  return files.release();
}

// A text argument that the host can take; false with a TypeError.
bool take_text(PyObject *object, std::string &text) {
  if (!PyUnicode_Check(object)) return PyErr_Format(PyExc_TypeError, "a str is wanted, not %R", object), false;
  text = text_of(object);
  return true;
}

} // namespace

UnitCall::UnitCall(const Manifest &plugin, const Unit &unit, Diagnostics &diagnostics)
    : plugin_(plugin), unit_(unit), diagnostics_(diagnostics), code_(code_of(plugin, unit)) {}

// ── the host's functions, as the unit calls them ────────────────────────────────────────────────────────────────────

PyMethodDef UnitCall::methods[] = {
    {"arguments", do_arguments, METH_NOARGS, nullptr},
    {"loaded", do_loaded, METH_O, nullptr},
    {"report", do_report, METH_VARARGS, nullptr},
    {"fresh", do_fresh, METH_O, nullptr},
    {"comment", do_comment, METH_VARARGS, nullptr},
    {"analysis", do_analysis, METH_O, nullptr},
    {"hardware", do_hardware, METH_O, nullptr},
    {"random", do_random, METH_NOARGS, nullptr},
    {"read", do_read, METH_O, nullptr},
    {"log", do_log, METH_VARARGS, nullptr},
};

PyObject *UnitCall::stop() {
  told_ = true;
  PyErr_SetNone(InUnits::tools().cancelled);
  return nullptr;
}

PyObject *UnitCall::do_arguments(PyObject *self, PyObject *) { return self_of(self)->arguments(); }

PyObject *UnitCall::do_loaded(PyObject *self, PyObject *location) {
  const char *path = nullptr;
  unsigned line = 0;
  if (location != Py_None && !PyArg_ParseTuple(location, "sI", &path, &line)) return nullptr;
  UnitCall &call = *self_of(self);
  call.function_ = path ? call.in_file(path, line, 0, line, UINT_MAX) : call.unit_.code.span;
  Py_RETURN_NONE;
}

PyObject *UnitCall::do_report(PyObject *self, PyObject *arguments) {
  UnitCall &call = *self_of(self);
  unsigned severity = 0;
  PyObject *code = nullptr, *text = nullptr, *node = nullptr, *labels = nullptr, *notes = nullptr, *hints = nullptr;
  if (!PyArg_ParseTuple(arguments, "IOOOOOO", &severity, &code, &text, &node, &labels, &notes, &hints)) return nullptr;
  std::string code_text, message;
  if (!take_text(code, code_text) || !take_text(text, message)) return nullptr;
  std::deque<std::string> texts;
  std::vector<htp_label> label_rows;
  std::vector<htp_str> note_rows, hint_rows;
  const auto keep = [&](PyObject *object) {
    return take_text(object, texts.emplace_back()) ? std::optional(str(texts.back())) : std::nullopt;
  };
  const auto all = [&](PyObject *from, std::vector<htp_str> &rows) {
    const Object list(PySequence_Fast(from, "a sequence of texts is wanted"));
    for (Py_ssize_t i = 0; list && i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
      const auto kept = keep(PySequence_Fast_GET_ITEM(list.get(), i));
      if (!kept) return false;
      rows.push_back(*kept);
    }
    return static_cast<bool>(list);
  };
  if (!all(notes, note_rows) || !all(hints, hint_rows)) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_Size(labels); ++i) {
    PyObject *where = nullptr, *label = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GetItem(labels, i), "OO", &where, &label)) return nullptr;
    const auto kept = keep(label);
    if (!kept) return nullptr;
    label_rows.push_back({call.objects_->origin(where), *kept});
  }
  htp_diagnostic d{};
  d.size = sizeof d;
  d.severity = severity;
  d.code = code_text.c_str();
  d.message = str(message);
  d.node = node == Py_None ? HTP_NONE : call.objects_->origin(node);
  d.labels = label_rows.data();
  d.label_count = static_cast<uint32_t>(label_rows.size());
  d.notes = note_rows.data();
  d.note_count = static_cast<uint32_t>(note_rows.size());
  d.hints = hint_rows.data();
  d.hint_count = static_cast<uint32_t>(hint_rows.size());
  const PythonCall &host = call.program_->call;
  host.host.diag(host.ctx, &d);
  Py_RETURN_NONE;
}

PyObject *UnitCall::do_log(PyObject *self, PyObject *arguments) {
  unsigned level = 0;
  PyObject *text = nullptr;
  std::string taken;
  if (!PyArg_ParseTuple(arguments, "IO", &level, &text) || !take_text(text, taken)) return nullptr;
  const PythonCall &call = self_of(self)->program_->call;
  call.host.log(call.ctx, level, str(taken));
  Py_RETURN_NONE;
}

PyObject *UnitCall::do_fresh(PyObject *self, PyObject *stem) {
  const PythonCall &call = self_of(self)->program_->call;
  std::string text;
  if (!take_text(stem, text)) return nullptr;
  const uint32_t name = call.host.fresh(call.ctx, str(text));
  return make_text(call.store.text(name));
}

PyObject *UnitCall::do_comment(PyObject *self, PyObject *arguments) {
  UnitCall &call = *self_of(self);
  PyObject *node = nullptr, *text = nullptr;
  std::string comment;
  if (!PyArg_ParseTuple(arguments, "OO", &node, &text) || !take_text(text, comment)) return nullptr;
  call.commented_.push_back(Object::borrowed(node));
  call.comments_[node] = std::move(comment);
  Py_RETURN_NONE;
}

PyObject *UnitCall::value(const htp_value &value) {
  switch (value.type) {
  case HTP_VALUE_INT: return PyLong_FromLongLong(value.u.i);
  case HTP_VALUE_FLOAT: return PyFloat_FromDouble(value.u.f);
  case HTP_VALUE_STR: return make_text(view(value.u.s));
  case HTP_VALUE_NODE: return Object::borrowed(objects_->object(value.u.n)).release();
  default: break;
  }
  Object list(PyList_New(value.count));
  for (uint32_t i = 0; list && i < value.count; ++i) {
    PyObject *const item = this->value(value.u.items[i]);
    if (!item) return nullptr;
    PyList_SET_ITEM(list.get(), i, item);
  }
  return list.release();
}

PyObject *UnitCall::do_analysis(PyObject *self, PyObject *name) {
  UnitCall &unit = *self_of(self);
  const PythonCall &call = unit.program_->call;
  std::string id;
  if (!take_text(name, id)) return nullptr;
  const htp_table *table = nullptr;
  {
    const InHost host(*unit.units_);
    table = call.host.analysis(call.ctx, id.c_str(), unit.program_->root);
  }
  if (!table) return unit.stop();
  Object values(PyDict_New());
  for (size_t i = 0; values && i < table->count; ++i) {
    PyObject *const key = unit.objects_->known(table->rows[i].key);
    if (!key) continue; // of no node of this program
    const Object item(unit.value(table->rows[i].value));
    if (!item || PyDict_SetItem(values.get(), key, item.get()) != 0) return nullptr;
  }
  return values.release();
}

PyObject *UnitCall::do_hardware(PyObject *self, PyObject *path) {
  const PythonCall &call = self_of(self)->program_->call;
  std::string text;
  if (!take_text(path, text)) return nullptr;
  const htp_str fact = call.host.hardware(call.ctx, text.c_str());
  if (!fact.data) Py_RETURN_NONE;
  return make_text(view(fact));
}

PyObject *UnitCall::do_random(PyObject *self, PyObject *) {
  const PythonCall &call = self_of(self)->program_->call;
  return PyLong_FromUnsignedLongLong(call.host.random(call.ctx));
}

PyObject *UnitCall::do_read(PyObject *self, PyObject *path) {
  UnitCall &unit = *self_of(self);
  const PythonCall &call = unit.program_->call;
  std::string text;
  if (!take_text(path, text)) return nullptr;
  htp_str bytes{};
  if (call.host.read_file(call.ctx, str(text), &bytes) != HTP_OK) return unit.stop();
  return PyBytes_FromStringAndSize(bytes.data, static_cast<Py_ssize_t>(bytes.size));
}

// ── the call ────────────────────────────────────────────────────────────────────────────────────────────────────────

Object UnitCall::function(std::string_view name) {
  for (PyMethodDef &method : methods)
    if (method.ml_name == name) return Object(PyCFunction_New(&method, self_.get()));
  return Object();
}

PyObject *UnitCall::options() const {
  const PythonCall &call = program_->call;
  Object all(PyDict_New());
  for (const OptionDecl &option : unit_.options) {
    const std::string text(view(call.host.option(call.ctx, option.name.value.c_str())));
    Object value;
    switch (option.type) {
    case OptionDecl::Type::integer: value = Object(PyLong_FromString(text.c_str(), nullptr, 10)); break;
    case OptionDecl::Type::number: value = Object(PyFloat_FromDouble(std::strtod(text.c_str(), nullptr))); break;
    case OptionDecl::Type::boolean: value = Object(PyBool_FromLong(text == "true")); break;
    case OptionDecl::Type::string: value = Object(make_text(text)); break;
    }
    const Object name(make_text(option.name.value));
    if (!all || !value || !name || PyDict_SetItem(all.get(), name.get(), value.get()) != 0) return nullptr;
  }
  return all.release();
}

// (tree, context)
PyObject *UnitCall::arguments() {
  const PythonCall &call = program_->call;
  PyObject *const tree = objects_->object(program_->root);
  if (!tree) return nullptr;
  const Object host(PyModule_New("host"));
  for (const char *name : {"report", "fresh", "comment", "analysis", "hardware", "random", "read", "log"}) {
    const Object made = function(name);
    if (!host || !made || PyObject_SetAttrString(host.get(), name, made.get()) != 0) return nullptr;
  }
  constexpr std::pair<Severity, const char *> severities[] = {
      {Severity::error, "error"}, {Severity::warning, "warning"}, {Severity::note, "note"}};
  const Object diagnostics(PyDict_New());
  for (const DiagnosticDecl &d : plugin_.diagnostics)
    for (const auto &[severity, name] : severities)
      if (d.severity == severity) {
        const Object text(make_text(name));
        if (!text || PyDict_SetItemString(diagnostics.get(), d.name.value.c_str(), text.get()) != 0) return nullptr;
      }
  PyObject *const options = this->options();
  if (!options) return nullptr;
  const Object context(PyObject_CallFunction(InUnits::tools().context, "ONNNNNO", host.get(),
                                             make_text(unit_.name.value), make_text(view(call.host.target(call.ctx))),
                                             make_text(view(call.host.entry(call.ctx))), make_text(program_->term),
                                             options, diagnostics.get()));
  return context ? Py_BuildValue("(OO)", tree, context.get()) : nullptr;
}

htp_status UnitCall::run(const Program *program, const std::function<bool(PyObject *)> &take) {
  program_ = program;
  function_ = unit_.code.span;
  const InUnits units;
  if (!units) {
    diagnostics_.report(diag::python_failed, {}, "the embedded interpreter", InUnits::reason());
    return HTP_INTERNAL;
  }
  units_ = &units;
  if (program) objects_.emplace(program->call.store);
  self_ = Object(PyCapsule_New(this, nullptr, nullptr));
  Object answer;
  {
    std::optional<CancelWatch> watch;
    if (program) watch.emplace(program->call.host, program->call.ctx);
    PyObject *const files = files_of(code_);
    const Object loaded = function("loaded"), arguments = function("arguments");
    answer = Object(PyObject_CallFunction(InUnits::tools().call, "NNONNNOO", make_text(code_.alias),
                                          make_text(plugin_.python_module.value), code_.bare ? Py_True : Py_False,
                                          files, make_text(code_.module), make_text(code_.function), loaded.get(),
                                          program ? arguments.get() : Py_None));
  }
  const htp_status status = conclude(answer.get(), take);
  // Objects go while their interpreter is here.
  answer = Object();
  commented_.clear();
  objects_.reset();
  self_ = Object();
  units_ = nullptr;
  return status;
}

htp_status UnitCall::conclude(PyObject *answer, const std::function<bool(PyObject *)> &take) {
  const bool cancelled = program_ && program_->call.host.cancelled(program_->call.ctx);
  const char *how = nullptr;
  PyObject *what = nullptr, *printed = nullptr;
  if (!answer || !PyArg_ParseTuple(answer, "sOO", &how, &what, &printed)) {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Object own_type(type), own_value(value), own_trace(trace);
    if (cancelled) return HTP_CANCELLED; // it came when the unit was done
    diagnostics_.report(diag::python_failed, unit_.code.span, unit_.name.value, text_of(value));
    return HTP_INTERNAL;
  }
  const std::string_view result = how;
  if (result == "cancelled") return told_ && !cancelled ? HTP_FAILED : HTP_CANCELLED;
  report_printed(printed);
  if (result == "missing") return report_missing(what), HTP_INTERNAL;
  if (result == "failed") return report_failure(what), HTP_INTERNAL;
  return !take || take(what) ? HTP_OK : HTP_FAILED;
}

// ── what went wrong ─────────────────────────────────────────────────────────────────────────────────────────────────

Span UnitCall::location_of(htp_node n) const {
  const Store &store = program_->call.store;
  for (; n; n = store.at(n).origin)
    if (Span span = store.span(n); span && span.line) return span;
  return {};
}

Span UnitCall::in_file(const char *path, unsigned line, unsigned col, unsigned end_line, unsigned end_col) const {
  for (const PythonSource &source : code_.sources) {
    if (source.path != path || !source.text) continue;
    const auto file = std::make_shared<SourceFile>(source.path, *source.text);
    const auto width = [&](unsigned number) { return static_cast<unsigned>(file->line(number).size()); };
    if (col == 0 && end_col == UINT_MAX) // a whole line, without its indentation
      col = static_cast<unsigned>(std::min<size_t>(file->line(line).find_first_not_of(" \t"), width(line)));
    end_col = std::min(end_col, width(end_line));
    if (end_line == line && end_col <= col) end_col = col + 1;
    return {file, line, col, end_line, end_col};
  }
  return unit_.code.span;
}

void UnitCall::report_missing(PyObject *what) {
  int exists = 0;
  PyObject *names = nullptr;
  if (!PyArg_ParseTuple(what, "pO", &exists, &names)) return PyErr_Clear();
  Diagnostic &d = diagnostics_.report(exists ? diag::python_not_a_function : diag::python_no_function, unit_.code.span,
                                      unit_.name.value, code_.module, code_.function);
  std::vector<std::string> known;
  for (Py_ssize_t i = 0; i < PyList_Size(names); ++i) known.push_back(text_of(PyList_GetItem(names, i)));
  if (const auto near = did_you_mean(code_.function, known); !near.empty())
    d.hint(fmt::format("did you mean `{}:{}`?", code_.module, near));
  else if (!known.empty())
    d.hint(fmt::format("the module's functions are {}", fmt::join(known, ", ")));
  else
    d.hint(fmt::format("define it: `def {}(tree, c): …`", code_.function));
}

void UnitCall::report_failure(PyObject *told) {
  int refused = 0;
  const char *kind = nullptr, *message = nullptr, *trace = nullptr, *instead = nullptr;
  PyObject *location = nullptr, *nodes = nullptr;
  if (!PyArg_ParseTuple(told, "pssOssO", &refused, &kind, &message, &location, &trace, &instead, &nodes)) {
    diagnostics_.report(diag::python_failed, unit_.code.span, unit_.name.value, "its exception cannot be shown");
    return PyErr_Clear();
  }
  const std::string_view type = kind;
  std::string reason = fmt::format("{}{}{}", type, *message ? ": " : "", message);
  bool unreadable = false;
  if (type == "ModuleNotFoundError")
    for (const PythonSource &source : code_.sources) {
      std::string module = source.name.substr(0, source.name.size() - 3);
      std::replace(module.begin(), module.end(), '/', '.');
      if (source.text || reason.find("'" + module + "'") == reason.npos) continue;
      reason = fmt::format("`{}` cannot be read: {}", source.path, source.why);
      unreadable = true;
    }
  const char *path = nullptr;
  unsigned line = 0, col = 0, end_line = 0, end_col = 0;
  Span span = unit_.code.span;
  const bool placed =
      location != Py_None && PyArg_ParseTuple(location, "sIIII", &path, &line, &col, &end_line, &end_col);
  if (placed) span = in_file(path, line, col, end_line, end_col);
  PyErr_Clear();
  const bool importing = function_.file == unit_.code.span.file && function_.line == unit_.code.span.line;
  Diagnostic *d = nullptr;
  if (refused)
    d = &diagnostics_.report(diag::python_not_allowed, span, unit_.name.value, message);
  else if (importing)
    d = &diagnostics_.report(diag::python_not_imported, span, code_.module, unit_.name.value, reason);
  else
    d = &diagnostics_.report(diag::python_raised, span, unit_.name.value, reason);
  if (importing && placed) d->label(unit_.code.span, "asked for here");
  // Where in the program it was.
  for (Py_ssize_t i = 0; program_ && objects_ && i < PyList_Size(nodes); ++i)
    if (const Span at = location_of(objects_->origin(PyList_GetItem(nodes, i)))) {
      d->label(at, "while it was at this");
      break;
    }
  d->note(trace);
  if (*instead)
    d->hint(instead);
  else if (unreadable)
    d->hint("check that the file is there, and that you may read it");
  else if (importing && (type == "ModuleNotFoundError" || type == "ImportError"))
    d->hint(fmt::format("a unit may import the standard library and its plugin's own module, `{}`",
                        plugin_.python_module.value));
  else if (type == "SystemExit")
    d->hint("return, or report why not by `c.report(node, code, text)`");
  else if (type == "RecursionError")
    d->hint("programs are nested at most 2500 deep; does the function come back to the same node?");
}

void UnitCall::report_printed(PyObject *printed) {
  std::string text = text_of(printed);
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty()) diagnostics_.report(diag::python_printed, unit_.code.span, unit_.name.value).note(text);
}

} // namespace htp
