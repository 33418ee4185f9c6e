#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host/python/tree.h"

#include "host/python/unit_interpreter.h"

namespace htp {

TreeObjects::~TreeObjects() {
  for (const auto &[n, object] : objects_) Py_DECREF(object);
  for (const auto &[line, n] : lines_) Py_DECREF(line);
}

PyObject *TreeObjects::known(htp_node n) const {
  const auto found = objects_.find(n);
  return found == objects_.end() ? nullptr : found->second;
}

htp_node TreeObjects::node(PyObject *object) const {
  const auto found = nodes_.find(object);
  return found == nodes_.end() ? HTP_NONE : found->second;
}

htp_node TreeObjects::copied_from(PyObject *object) const {
  const Object line(PyObject_GetAttr(object, InUnits::tools().location_names[0]));
  if (!line) PyErr_Clear();
  const auto found = lines_.find(line.get());
  return found == lines_.end() ? HTP_NONE : found->second;
}

htp_node TreeObjects::origin(PyObject *object) const {
  const htp_node own = node(object);
  return own ? own : copied_from(object);
}

PyObject *TreeObjects::object(htp_node n) {
  if (PyObject *made = known(n)) return made;
  return make(n);
}

PyObject *TreeObjects::make(htp_node n) {
  const uint16_t kind = store_.kind(n);
  const auto &classes = InUnits::tools().classes;
  if (kind >= classes.size() || !classes[kind].type) { // of a newer Python
    const char *const name = kind < store_.abi()->kind_count ? store_.abi()->kinds[kind].name : nullptr;
    PyErr_Format(PyExc_NotImplementedError, "this Python has no `%s`", name ? name : "such node");
    return nullptr;
  }
  const AstClass &made_of = classes[kind];
  PyObject *const object = PyObject_CallNoArgs(made_of.type);
  if (!object) return nullptr;
  objects_[n] = object;
  nodes_[object] = n;
  const auto fields = kind_fields(kind);
  for (unsigned f = 0; f < fields.size(); ++f) {
    if (!made_of.names[f]) continue;
    const Object value(field(fields[f], store_.slot(n, f)));
    if (!value || PyObject_SetAttr(object, made_of.names[f], value.get()) != 0) return nullptr;
  }
  return !made_of.has_location || set_location(object, n) ? object : nullptr;
}

// Nodes that passes made stand where the user's text stands that they were made from.
bool TreeObjects::set_location(PyObject *object, htp_node n) {
  const UnitTools &tools = InUnits::tools();
  htp_node at = n;
  while (store_.at(at).line == 0 && store_.at(at).origin) at = store_.at(at).origin;
  const htp_record &location = store_.at(at);
  const std::array<uint32_t, 4> numbers{location.line, location.col, location.end_line, location.end_col};
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Object number(i == 0 ? PyObject_CallFunction(tools.line, "I", numbers[i])
                               : PyLong_FromUnsignedLong(numbers[i]));
    if (!number || PyObject_SetAttr(object, tools.location_names[i], number.get()) != 0) return false;
    if (i == 0) lines_[Object::borrowed(number.get()).release()] = n;
  }
  return true;
}

PyObject *TreeObjects::field(const htp_field_info &info, uint32_t value) {
  const UnitTools &tools = InUnits::tools();
  switch (info.type) {
  case HTP_FIELD_NODE:
  case HTP_FIELD_OPT: return value ? Object::borrowed(object(value)).release() : Object::borrowed(Py_None).release();
  case HTP_FIELD_LIST:
  case HTP_FIELD_LISTN:
  case HTP_FIELD_STRS:
  case HTP_FIELD_OPS: {
    const Slots items = store_.items(value);
    Object list(PyList_New(static_cast<Py_ssize_t>(items.size())));
    const uint8_t type = info.type == HTP_FIELD_STRS  ? HTP_FIELD_STR
                         : info.type == HTP_FIELD_OPS ? HTP_FIELD_OP
                                                      : HTP_FIELD_OPT;
    for (size_t i = 0; list && i < items.size(); ++i) {
      PyObject *const item = field({info.name, type, 0}, items[i]);
      if (!item) return nullptr;
      PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), item);
    }
    return list.release();
  }
  case HTP_FIELD_STR:
  case HTP_FIELD_STRN: return value ? make_text(store_.text(value)) : Object::borrowed(Py_None).release();
  case HTP_FIELD_INT: return PyLong_FromLong(static_cast<int32_t>(value));
  case HTP_FIELD_OP: return Object::borrowed(tools.operator_of.at(value)).release();
  case HTP_FIELD_CTX: return Object::borrowed(tools.context_of.at(value)).release();
  default: return constant(value);
  }
}

PyObject *TreeObjects::constant(uint32_t constant) {
  const htp_const &c = store_.constant_at(constant);
  switch (c.type) {
  case HTP_CONST_TRUE: return Object::borrowed(Py_True).release();
  case HTP_CONST_FALSE: return Object::borrowed(Py_False).release();
  case HTP_CONST_ELLIPSIS: return Object::borrowed(Py_Ellipsis).release();
  case HTP_CONST_INT:
    if (c.u.i >= 0) return PyLong_FromLongLong(c.u.i);
    return PyLong_FromString(std::string(store_.text(c.text)).c_str(), nullptr, 10);
  case HTP_CONST_FLOAT: return PyFloat_FromDouble(c.u.f);
  case HTP_CONST_COMPLEX: return PyComplex_FromDoubles(0, c.u.f);
  case HTP_CONST_STR: return make_text(store_.text(c.text));
  case HTP_CONST_BYTES:
    return PyBytes_FromStringAndSize(store_.text(c.text).data(), static_cast<Py_ssize_t>(store_.text(c.text).size()));
  default: return Object::borrowed(Py_None).release();
  }
}

} // namespace htp
