#include <Python.h>

#include "host/parse/import.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>

namespace htp {

namespace {

// What the import knows of one of CPython's AST classes: its number in the node table, or its operator or context.
struct ClassInfo {
  PyTypeObject *type = nullptr;
  uint16_t kind = 0;
  uint32_t symbol = 0; // htp_op or htp_expr_ctx
  unsigned field_count = 0;
  std::array<PyObject *, 8> names{};
  std::array<uint8_t, 8> types{};
};

class Importer {
public:
  Importer(const ImportOptions &options, Store &store) : options_(options), store_(store) {
    for (size_t i = 0; i < location_names_.size(); ++i)
      location_names_[i] = PyUnicode_InternFromString(LocationNames[i]);
    pending_.reserve(256);
  }
  ~Importer() {
    for (const Pending &p : pending_) Py_DECREF(p.object);
    for (PyObject *name : location_names_) Py_XDECREF(name);
    for (const ClassInfo &info : classes_)
      for (unsigned f = 0; f < info.field_count; ++f) Py_XDECREF(info.names[f]);
  }
  Importer(const Importer &) = delete;
  Importer &operator=(const Importer &) = delete;

  htp_node run(PyObject *tree) {
    // Slot 0 of the store is never read: the root's id may be written there and cleared again.
    push(tree, 0);
    Py_DECREF(tree);
    htp_node root = 0;
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      const htp_node n = import_node(next.object);
      Py_DECREF(next.object);
      if (n == 0) return 0;
      if (next.slot == 0)
        root = n;
      else
        store_.set_slot(next.slot, n);
    }
    return root;
  }

private:
  static constexpr std::array LocationNames{"lineno", "col_offset", "end_lineno", "end_col_offset"};

  struct Pending {
    PyObject *object; // owned
    uint32_t slot;    // where its id goes
  };

  void push(PyObject *object, uint32_t slot) {
    Py_INCREF(object);
    pending_.push_back({object, slot});
  }

  // ── classes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  const ClassInfo *class_of(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    size_t at = (reinterpret_cast<uintptr_t>(type) >> 4) * 0x9e3779b97f4a7c15u >> 56;
    while (table_[at] && table_[at]->type != type) at = (at + 1) % table_.size();
    if (!table_[at]) table_[at] = learn(type);
    return table_[at];
  }

  ClassInfo *learn(PyTypeObject *type) {
    const char *dot = std::strrchr(type->tp_name, '.');
    const std::string_view name = dot ? dot + 1 : type->tp_name;
    ClassInfo &info = classes_.emplace_back();
    info.type = type;
    info.kind = kind_named(name);
    if (info.kind == 0) {
      info.symbol = name == "Load"    ? +HTP_LOAD
                    : name == "Store" ? +HTP_STORE
                    : name == "Del"   ? +HTP_DEL
                                      : op_named(name);
      if (info.symbol == 0) PyErr_Format(PyExc_SystemError, "unknown class of node `%s`", type->tp_name);
      return &info;
    }
    for (const htp_field_info &field : kind_fields(info.kind)) {
      info.types[info.field_count] = field.type;
      info.names[info.field_count++] = PyUnicode_InternFromString(field.name);
    }
    return &info;
  }

  // ── nodes ───────────────────────────────────────────────────────────────────────────────────────────────────────

  // Reads an instance's attributes in the order CPython sets them; out of order, or without a plain dictionary, by
  // name.
  class Attributes {
  public:
    explicit Attributes(PyObject *object) : object_(object) {
      const Py_ssize_t offset = Py_TYPE(object)->tp_dictoffset;
      if (offset > 0) dict_ = *reinterpret_cast<PyObject **>(reinterpret_cast<char *>(object) + offset);
    }
    // Borrowed; null when there is none.
    PyObject *get(PyObject *name) {
      if (!dict_) {
        PyObject *value = PyObject_GetAttr(object_, name);
        if (!value) PyErr_Clear();
        Py_XDECREF(value); // the instance still holds it
        return value;
      }
      PyObject *key = nullptr, *value = nullptr;
      const Py_ssize_t before = at_;
      if (PyDict_Next(dict_, &at_, &key, &value) && key == name) return value;
      at_ = before;
      return PyDict_GetItemWithError(dict_, name);
    }

  private:
    PyObject *object_, *dict_ = nullptr;
    Py_ssize_t at_ = 0;
  };

  htp_node import_node(PyObject *object) {
    const ClassInfo &info = *class_of(object);
    if (info.kind == 0) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "an operator stands where a node should");
      return 0;
    }
    const htp_node n = store_.open_node(info.kind, options_.locations ? options_.file : 0, {});
    if (n == 0) return 0;
    if (options_.origin) store_.set_origin(n, options_.origin);
    const uint32_t first = store_.at(n).slots;
    const size_t below = pending_.size();
    Attributes attributes(object);
    for (unsigned f = 0; f < info.field_count; ++f)
      if (PyObject *value = attributes.get(info.names[f]); value && !import_field(info.types[f], value, first + f))
        return 0;
    if (options_.locations) {
      std::array<uint32_t, 4> location{};
      for (size_t i = 0; i < location.size(); ++i) {
        PyObject *value = attributes.get(location_names_[i]);
        if (!value) break;
        location[i] = static_cast<uint32_t>(PyLong_AsLong(value));
      }
      if (location[0] != 0) store_.set_location(n, options_.file, {location[0], location[1], location[2], location[3]});
    }
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(below), pending_.end());
    return n;
  }

  // Writes one slot; child nodes are left pending. False when the store is full or a Python error is set.
  bool import_field(uint8_t type, PyObject *value, uint32_t slot) {
    if (value == Py_None && type != HTP_FIELD_CONST) return true;
    switch (type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT: push(value, slot); return true;
    case HTP_FIELD_LIST:
    case HTP_FIELD_LISTN:
    case HTP_FIELD_STRS:
    case HTP_FIELD_OPS: return import_list(type, value, slot);
    case HTP_FIELD_STR:
    case HTP_FIELD_STRN: return put(slot, string(value));
    case HTP_FIELD_INT: store_.set_slot(slot, static_cast<uint32_t>(PyLong_AsLong(value))); return true;
    case HTP_FIELD_OP:
    case HTP_FIELD_CTX: return put(slot, class_of(value)->symbol);
    default: return put(slot, constant(value));
    }
  }

  bool import_list(uint8_t type, PyObject *value, uint32_t slot) {
    if (!PyList_Check(value)) return put(slot, 0);
    const Py_ssize_t count = PyList_GET_SIZE(value);
    if (count == 0) return true;
    const uint32_t list = store_.open_list(static_cast<size_t>(count));
    if (!put(slot, list)) return false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject *item = PyList_GET_ITEM(value, i);
      const auto at = static_cast<uint32_t>(list + 1 + i);
      const uint8_t item_type = type == HTP_FIELD_STRS  ? HTP_FIELD_STR
                                : type == HTP_FIELD_OPS ? HTP_FIELD_OP
                                                        : HTP_FIELD_OPT;
      if (!import_field(item_type, item, at)) return false;
    }
    return true;
  }

  bool put(uint32_t slot, uint32_t value) {
    if (value == 0) return false;
    store_.set_slot(slot, value);
    return true;
  }

  // ── text and constants ──────────────────────────────────────────────────────────────────────────────────────────

  uint32_t string(PyObject *value) {
    Py_ssize_t size = 0;
    if (const char *text = PyUnicode_AsUTF8AndSize(value, &size))
      return store_.string({text, static_cast<size_t>(size)});
    PyErr_Clear(); // lone surrogates; Python's own codecs are not there before its start-up is finished
    std::string made;
    for (Py_ssize_t i = 0, count = PyUnicode_GET_LENGTH(value); i < count; ++i)
      append_utf8(made, PyUnicode_READ_CHAR(value, i));
    return store_.string(made);
  }

  static void append_utf8(std::string &out, uint32_t c) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xC0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xE0 | (c >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | (c >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  uint32_t constant(PyObject *value) {
    if (PyUnicode_Check(value)) {
      const uint32_t text = string(value);
      return text ? store_.constant(HTP_CONST_STR, store_.text(text)) : 0;
    }
    if (PyBool_Check(value)) return store_.constant(value == Py_True ? HTP_CONST_TRUE : HTP_CONST_FALSE);
    if (PyLong_Check(value)) {
      int overflow = 0;
      const long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
      if (overflow == 0) return store_.constant(HTP_CONST_INT, {}, small);
      PyObject *digits = PyObject_Str(value);
      if (!digits) return 0;
      const uint32_t text = string(digits);
      Py_DECREF(digits);
      return text ? store_.constant(HTP_CONST_INT, store_.text(text)) : 0;
    }
    if (PyFloat_Check(value)) return store_.constant(HTP_CONST_FLOAT, {}, 0, PyFloat_AS_DOUBLE(value));
    if (PyComplex_Check(value)) return store_.constant(HTP_CONST_COMPLEX, {}, 0, PyComplex_ImagAsDouble(value));
    if (PyBytes_Check(value))
      return store_.constant(HTP_CONST_BYTES, {PyBytes_AS_STRING(value), static_cast<size_t>(PyBytes_GET_SIZE(value))});
    if (value == Py_None) return store_.constant(HTP_CONST_NONE);
    if (value == Py_Ellipsis) return store_.constant(HTP_CONST_ELLIPSIS);
    PyErr_Format(PyExc_SystemError, "unknown class of constant `%s`", Py_TYPE(value)->tp_name);
    return 0;
  }

  const ImportOptions options_;
  Store &store_;
  std::deque<ClassInfo> classes_;
  std::array<ClassInfo *, 256> table_{};
  std::array<PyObject *, 4> location_names_{};
  std::vector<Pending> pending_;
};

} // namespace

htp_node import_tree(PyObject *tree, const ImportOptions &options, Store &store) {
  return Importer(options, store).run(tree);
}

} // namespace htp
