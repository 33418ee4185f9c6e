#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host/python/units.h"

#include "host/python/unit_call.h"

#include <fmt/format.h>

#include <deque>

namespace htp {

namespace {

// Takes a value of an analysis into what lives as long as `texts` and `lists`.
class Values {
public:
  Values(const PythonCall &call, UnitCall &unit) : call_(call), unit_(unit) {}

  std::string why;

  bool take(PyObject *object, htp_node key, htp_value &to) {
    if (PyBool_Check(object) || PyLong_Check(object)) {
      int overflow = 0;
      to.type = HTP_VALUE_INT;
      to.u.i = PyLong_AsLongLongAndOverflow(object, &overflow);
      return !overflow || refuse("an int of more than 64 bits");
    }
    if (PyFloat_Check(object)) {
      to.type = HTP_VALUE_FLOAT;
      to.u.f = PyFloat_AS_DOUBLE(object);
      return true;
    }
    if (PyUnicode_Check(object)) {
      to.type = HTP_VALUE_STR;
      const std::string &text = texts_.emplace_back(text_of(object));
      to.u.s = {text.data(), text.size()};
      return true;
    }
    if (PyList_Check(object) || PyTuple_Check(object)) {
      const Object items(PySequence_Fast(object, ""));
      std::vector<htp_value> &list = lists_.emplace_back(static_cast<size_t>(PySequence_Fast_GET_SIZE(items.get())));
      for (size_t i = 0; i < list.size(); ++i)
        if (!take(PySequence_Fast_GET_ITEM(items.get(), static_cast<Py_ssize_t>(i)), key, list[i])) return false;
      to.type = HTP_VALUE_LIST;
      to.count = static_cast<uint32_t>(list.size());
      to.u.items = list.data();
      return true;
    }
    if (!InUnits::tools().kinds.contains(Py_TYPE(object))) return refuse(std::string("a ") + Py_TYPE(object)->tp_name);
    to.type = HTP_VALUE_NODE;
    to.u.n = unit_.objects().node(object);
    if (to.u.n) return true;
    std::optional<BadTree> bad;
    to.u.n = import_objects(object, key, 0, unit_.objects(), {}, call_.store, bad);
    return to.u.n || refuse(bad->where + " " + bad->why);
  }

private:
  bool refuse(std::string what) {
    why = std::move(what);
    return false;
  }

  const PythonCall &call_;
  UnitCall &unit_;
  std::deque<std::string> texts_;
  std::deque<std::vector<htp_value>> lists_;
};

std::string type_text(PyObject *object) {
  return object == Py_None ? "None" : fmt::format("a `{}`", Py_TYPE(object)->tp_name);
}

} // namespace

htp_status run_python_pass(const PythonCall &call, htp_node root, htp_node &out) {
  UnitCall unit(call.plugin, call.unit, call.diagnostics);
  const UnitCall::Program program{call, {}, root};
  return unit.run(&program, [&](PyObject *given) {
    // A pass that only changes what it was given may give nothing.
    PyObject *const tree = given == Py_None ? unit.objects().known(root) : given;
    const auto kind = InUnits::tools().kinds.find(Py_TYPE(tree));
    if (kind == InUnits::tools().kinds.end() || kind->second != HTP_Module)
      return unit.refuse(diag::python_bad_result, HTP_NONE, unit.name(), type_text(given), "the new `ast.Module`");
    std::optional<BadTree> bad;
    out = import_objects(tree, root, HTP_Module, unit.objects(), unit.comments(), call.store, bad);
    return out || unit.refuse(diag::python_bad_tree, bad->near, unit.name(), bad->where, bad->why);
  });
}

htp_status run_python_analysis(const PythonCall &call, htp_node root, const htp_sink &sink) {
  UnitCall unit(call.plugin, call.unit, call.diagnostics);
  const UnitCall::Program program{call, {}, root};
  return unit.run(&program, [&](PyObject *given) {
    const auto wrong = [&](const std::string &what) {
      return unit.refuse(diag::python_bad_result, HTP_NONE, unit.name(), what,
                         "a dict from nodes of the program to values");
    };
    if (!PyDict_Check(given)) return wrong(type_text(given));
    Values values(call, unit);
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(given, &at, &key, &value);) {
      const htp_node n = unit.objects().node(key);
      if (!n) return wrong(fmt::format("a dict with {} among its keys", type_text(key)));
      htp_value row{};
      if (!values.take(value, n, row)) return wrong(fmt::format("a dict with {} among its values", values.why));
      sink.row(sink.to, n, &row);
    }
    return true;
  });
}

htp_status run_python_verifier(const PythonCall &call, std::string_view term, htp_node root) {
  UnitCall unit(call.plugin, call.unit, call.diagnostics);
  const UnitCall::Program program{call, term, root};
  bool holds = false;
  const htp_status status = unit.run(&program, [&](PyObject *given) {
    holds = given == Py_True;
    return PyBool_Check(given) ||
           unit.refuse(diag::python_bad_result, HTP_NONE, unit.name(), type_text(given), "True or False");
  });
  return status == HTP_OK && !holds ? HTP_FAILED : status;
}

void release_unit_memory() {
  const InUnits inside;
  if (!inside) return;
  PyGC_Collect();
  PyType_ClearCache(); // of names by their address, so that one made anew in each call fills another slot
}

bool check_python_units(const Manifest &plugin, Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errors();
  for (const Unit &unit : plugin.units)
    if (!unit.code.value.empty()) UnitCall(plugin, unit, diagnostics).run(nullptr, {});
  return diagnostics.errors() == errors;
}

} // namespace htp
