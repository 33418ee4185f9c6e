// host/python/unit_call.h — one call of a unit's function: what it is given, the functions of the host that it may
// call, and what is said when it fails. Include <Python.h> before.
#pragma once

#include "host/python/tree.h"
#include "host/python/unit_interpreter.h"
#include "host/python/units.h"

#include <functional>
#include <optional>

namespace htp {

// What one unit's code is.
struct UnitCode {
  std::string module, function;
  bool bare = true; // the package around the module is not run
  std::vector<PythonSource> sources;
  std::string alias; // the module's bytes, as a name
};

// One call, from the host's side to the unit's and back.
class UnitCall {
public:
  UnitCall(const Manifest &plugin, const Unit &unit, Diagnostics &diagnostics);

  // Of the program at `root`, for `term`; without a call only the module is imported. Gives what the function gave.
  struct Program {
    const PythonCall &call;
    std::string_view term;
    htp_node root;
  };
  htp_status run(const Program *program, const std::function<bool(PyObject *)> &take);

  // What went wrong with what the unit gave, at its function.
  template <size_t N, class... A> bool refuse(const DiagKind<N> &kind, htp_node near, A &&...arguments) {
    Diagnostic &d = diagnostics_.report(kind, function_, std::forward<A>(arguments)...);
    if (const Span at = location_of(near)) d.label(at, "for this");
    return false;
  }

  TreeObjects &objects() { return *objects_; }
  const Comments &comments() const { return comments_; }
  const std::string &name() const { return unit_.name.value; }

private:
  htp_status conclude(PyObject *answer, const std::function<bool(PyObject *)> &take);
  void report_missing(PyObject *what);
  void report_failure(PyObject *told);
  void report_printed(PyObject *printed);
  Span in_file(const char *path, unsigned line, unsigned col, unsigned end_line, unsigned end_col) const;
  Span location_of(htp_node n) const;

  PyObject *arguments();
  PyObject *options() const;
  Object function(std::string_view name);

  // The functions of htp.extend.Host, and those of the call itself; `self` is a capsule with the call.
  static UnitCall *self_of(PyObject *self) { return static_cast<UnitCall *>(PyCapsule_GetPointer(self, nullptr)); }
  static PyObject *do_arguments(PyObject *self, PyObject *);
  static PyObject *do_loaded(PyObject *self, PyObject *location);
  static PyObject *do_report(PyObject *self, PyObject *arguments);
  static PyObject *do_fresh(PyObject *self, PyObject *stem);
  static PyObject *do_comment(PyObject *self, PyObject *arguments);
  static PyObject *do_analysis(PyObject *self, PyObject *name);
  static PyObject *do_hardware(PyObject *self, PyObject *path);
  static PyObject *do_random(PyObject *self, PyObject *);
  static PyObject *do_read(PyObject *self, PyObject *path);
  static PyObject *do_log(PyObject *self, PyObject *arguments);
  static PyMethodDef methods[];

  PyObject *value(const htp_value &value);
  PyObject *stop(); // the host has said why, or was cancelled: unwinds the unit

  const Manifest &plugin_;
  const Unit &unit_;
  Diagnostics &diagnostics_;
  const UnitCode code_;
  const Program *program_ = nullptr;
  const InUnits *units_ = nullptr;
  std::optional<TreeObjects> objects_;
  Comments comments_;
  std::vector<Object> commented_; // keeps what `comments_` names
  Object self_;
  Span function_;     // where it is defined
  bool told_ = false; // a function of the host has reported why the unit is being unwound
};

} // namespace htp
