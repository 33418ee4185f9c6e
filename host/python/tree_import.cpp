#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host/python/tree.h"

#include "host/ast/walk.h"
#include "host/python/unit_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

namespace htp {

namespace {

constexpr unsigned deepest = 3000; // programs may be 2500

// Names are identifiers but for these: module paths and free text.
bool is_free_text(uint16_t kind, std::string_view field) {
  return kind == HTP_alias || kind == HTP_TypeIgnore || field == "type_comment" || field == "kind" ||
         (kind == HTP_ImportFrom && field == "module");
}

// The context of what stands in a field: 0 where it is that of the node around it.
uint32_t context_of(uint16_t kind, std::string_view field) {
  if (field == "targets") return kind == HTP_Delete ? HTP_DEL : HTP_STORE;
  if (field == "target" || field == "optional_vars" || (kind == HTP_TypeAlias && field == "name")) return HTP_STORE;
  const bool inherits = ((kind == HTP_Tuple || kind == HTP_List) && field == "elts") || kind == HTP_Starred;
  return inherits ? 0 : HTP_LOAD;
}

std::string type_name(PyObject *object) {
  const std::string name = Py_TYPE(object)->tp_name;
  return name.substr(name.rfind('.') + 1);
}

class ObjectImporter {
public:
  ObjectImporter(htp_node before, const TreeObjects &objects, const Comments &comments, Store &store,
                 std::optional<BadTree> &bad)
      : before_(before), objects_(objects), comments_(comments), store_(store), bad_(bad), tools_(InUnits::tools()) {}

  htp_node run(PyObject *tree, uint16_t wanted) {
    find_kept(tree);
    const Step root{nullptr, {}, -1, HTP_LOAD};
    const htp_node made = child(tree, before_, root);
    if (!made) return HTP_NONE;
    if (wanted && store_.kind(made) != wanted) return fail(root, before_, "is a `" + type_name(tree) + "`");
    for (const auto &[n, old] : replacing_)
      if (!used_.contains(old)) keep_comments(n, old);
    return wanted && !names_are_bound(made) ? HTP_NONE : made;
  }

private:
  // The way to where we are.
  struct Step {
    const Step *up;
    std::string_view field;
    Py_ssize_t index;
    uint32_t context; // that an expression there has
  };
  // Of a long way its two ends.
  static std::string text(const Step &last) {
    std::vector<std::string> parts;
    for (const Step *step = &last; step->up; step = step->up)
      parts.push_back(std::string(step->field) + (step->index < 0 ? "" : fmt::format("[{}]", step->index)));
    parts.emplace_back("Module");
    std::reverse(parts.begin(), parts.end());
    if (parts.size() <= 12) return fmt::format("{}", fmt::join(parts, "."));
    const auto begin = parts.begin();
    return fmt::format("{}…{}", fmt::join(begin, begin + 4, "."), fmt::join(parts.end() - 3, parts.end(), "."));
  }
  htp_node fail(const Step &at, htp_node near, std::string why) {
    if (!bad_) bad_ = BadTree{text(at), std::move(why), near};
    PyErr_Clear();
    return HTP_NONE;
  }

  // The fields of an object that is a node; the values are kept by it.
  Object get(PyObject *object, PyObject *name) {
    Object value(PyObject_GetAttr(object, name));
    if (!value) PyErr_Clear();
    return value;
  }
  uint16_t kind_of(PyObject *object) const {
    const auto found = tools_.kinds.find(Py_TYPE(object));
    return found == tools_.kinds.end() ? uint16_t{0} : found->second;
  }

  // Nodes whose own objects are still in the tree: no other object becomes them.
  void find_kept(PyObject *tree) {
    std::vector<Object> pending;
    std::unordered_set<PyObject *> seen;
    const auto push = [&](PyObject *object) {
      if (kind_of(object) && seen.insert(object).second) pending.push_back(Object::borrowed(object));
    };
    push(tree);
    while (!pending.empty()) {
      const Object object = std::move(pending.back());
      pending.pop_back();
      if (const htp_node n = objects_.node(object.get())) kept_.insert(n);
      for (PyObject *name : tools_.classes[kind_of(object.get())].names) {
        if (!name) continue;
        const Object value = get(object.get(), name);
        if (value && PyList_Check(value.get()))
          for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value.get()); ++i) push(PyList_GET_ITEM(value.get(), i));
        else if (value)
          push(value.get());
      }
    }
  }

  // `stood` is the node that stood there before, or that the one around it comes from.
  htp_node child(PyObject *object, htp_node stood, const Step &at) {
    const uint16_t kind = kind_of(object);
    if (!kind) {
      if (object == Py_None) return fail(at, stood, "is None");
      return fail(at, stood, fmt::format("is a `{}`, which is no node of Python's grammar", type_name(object)));
    }
    if (active_.size() >= deepest) return fail(at, stood, fmt::format("is nested more than {} deep", deepest));
    if (!active_.insert(object).second) return fail(at, stood, "contains itself");
    const htp_node made = node(object, kind, stood, at);
    active_.erase(object);
    return made;
  }

  htp_node node(PyObject *object, uint16_t kind, htp_node stood, const Step &at) {
    const htp_node own = objects_.node(object), copied = own ? own : objects_.copied_from(object);
    // The node this one becomes another version of: its own or, of an object that a unit made, the one it replaces.
    // Each may come once: within one stage a node has one parent.
    htp_node base = own;
    if (!base && copied && store_.kind(copied) == kind && !kept_.contains(copied)) base = copied;
    if (base && (store_.kind(base) != kind || !used_.insert(base).second)) base = HTP_NONE;
    const htp_node origin = copied ? copied : stood;

    const auto fields = kind_fields(kind);
    std::array<uint32_t, 8> slots{};
    for (unsigned f = 0; f < fields.size(); ++f) {
      if (!tools_.classes[kind].names[f]) continue;
      const Object value = get(object, tools_.classes[kind].names[f]);
      if (!value) return fail(at, origin, fmt::format("is a `{}` without `{}`", type_name(object), fields[f].name));
      const uint32_t context = fields[f].type == HTP_FIELD_CTX ? 0 : context_of(kind, fields[f].name);
      const Step step{&at, fields[f].name, -1, context ? context : at.context};
      if (!this->field(kind, fields[f], value.get(), base ? store_.slot(base, f) : 0, origin, step, slots[f]))
        return HTP_NONE;
    }
    htp_node made = negative_ ? store_.node(kind, Slots(slots.data(), fields.size()), origin)
                    : base    ? store_.with(base, Slots(slots.data(), fields.size()))
                              : store_.node(kind, Slots(slots.data(), fields.size()), origin);
    if (!made) return fail(at, origin, "is wrong: " + store_.reason());
    if (negative_) {
      negative_ = false;
      made = store_.node(HTP_UnaryOp, {HTP_USub, made}, origin);
    }
    if (made != own) learn_new(made, kind, copied, origin);
    if (const auto comment = comments_.find(object); comment != comments_.end())
      made = store_.comment(made, comment->second);
    return made;
  }

  void learn_new(htp_node made, uint16_t kind, htp_node copied, htp_node origin) {
    if (kind == HTP_Name && store_.slot(made, HTP_FIELD(Name, ctx)) == HTP_LOAD)
      loads_.emplace_back(store_.slot(made, HTP_FIELD(Name, id)), origin);
    const auto is_statement = [&](htp_node n) { return kind_info(store_.kind(n)).group == HTP_GROUP_STMT; };
    if (copied && is_statement(made) && is_statement(copied) && store_.kind(copied) != kind)
      replacing_.emplace_back(made, copied);
  }

  // A statement of another kind in the place of `old` gets its comments; those within its block went with that.
  void keep_comments(htp_node n, htp_node old) {
    if (!store_.at(old).note || store_.at(n).note || !used_.insert(old).second) return;
    const htp_trivia &its = store_.trivia_at(store_.at(old).note);
    const htp_trivia kept{its.leading, 0, its.trailing, 0, 0};
    store_.set_note(n, store_.add_trivia(kept));
  }

  // ── fields ──

  bool field(uint16_t kind, const htp_field_info &info, PyObject *value, uint32_t old, htp_node origin, const Step &at,
             uint32_t &slot) {
    const bool none = value == Py_None;
    switch (info.type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT:
      if (none && info.type == HTP_FIELD_OPT) return true;
      return (slot = child(value, old ? old : origin, at)) != 0;
    case HTP_FIELD_LIST:
    case HTP_FIELD_LISTN:
    case HTP_FIELD_STRS:
    case HTP_FIELD_OPS: return list(kind, info, value, old, origin, at, slot);
    case HTP_FIELD_STRN:
      if (none) return true;
      [[fallthrough]];
    case HTP_FIELD_STR: return (slot = name(kind, info, value, origin, at)) != 0;
    case HTP_FIELD_INT: {
      const long number = none ? 0 : PyLong_Check(value) ? PyLong_AsLong(value) : -2;
      if (number < -1 || number > INT32_MAX) return fail(at, origin, "is no small integer");
      slot = static_cast<uint32_t>(static_cast<int32_t>(number));
      return true;
    }
    case HTP_FIELD_OP: return (slot = symbol(tools_.operators, value, "operator", origin, at)) != 0;
    case HTP_FIELD_CTX: return (slot = context(value, origin, at)) != 0;
    default: return (slot = constant(value, origin, at)) != 0;
    }
  }

  bool list(uint16_t kind, const htp_field_info &info, PyObject *value, uint32_t old, htp_node origin, const Step &at,
            uint32_t &slot) {
    if (!PyList_Check(value)) return fail(at, origin, fmt::format("is a `{}`, not a list", type_name(value)));
    std::vector<uint32_t> items;
    const Slots stood = store_.items(old);
    const std::vector<uint32_t> before(stood.begin(), stood.end());
    const Py_ssize_t count = PyList_GET_SIZE(value);
    const bool same = info.type <= HTP_FIELD_LISTN && before.size() == static_cast<size_t>(count);
    for (Py_ssize_t i = 0; i < count; ++i) {
      const Object item = Object::borrowed(PyList_GET_ITEM(value, i));
      const Step step{at.up, at.field, i, at.context};
      const uint32_t there = same ? before[static_cast<size_t>(i)] : 0;
      uint32_t made = 0;
      switch (info.type) {
      case HTP_FIELD_STRS: made = name(kind, info, item.get(), origin, step); break;
      case HTP_FIELD_OPS: made = symbol(tools_.operators, item.get(), "operator", origin, step); break;
      default:
        if (item.get() == Py_None && info.type == HTP_FIELD_LISTN) {
          items.push_back(0);
          continue;
        }
        made = child(item.get(), there ? there : origin, step);
      }
      if (!made) return false;
      items.push_back(made);
    }
    slot = store_.list(items);
    return items.empty() || slot || fail(at, origin, store_.reason());
  }

  uint32_t symbol(const std::unordered_map<PyTypeObject *, uint32_t> &symbols, PyObject *value, const char *what,
                  htp_node origin, const Step &at) {
    const auto found = symbols.find(Py_TYPE(value));
    if (found != symbols.end()) return found->second;
    return fail(at, origin,
                PyType_Check(value) ? fmt::format("is the class of an {}, not one of it: add `()`", what)
                                    : fmt::format("is a `{}`, which is no {}", type_name(value), what));
  }

  // Text does not say it, so nobody else would see that it is wrong.
  uint32_t context(PyObject *value, htp_node origin, const Step &at) {
    const uint32_t given = symbol(tools_.contexts, value, "context", origin, at), wanted = at.context;
    if (!given || given == wanted) return given;
    return fail(at, origin,
                fmt::format("is `{}()`, and `{}()` is wanted there", type_name(value),
                            type_name(tools_.context_of.at(wanted))));
  }

  uint32_t name(uint16_t kind, const htp_field_info &info, PyObject *value, htp_node origin, const Step &at) {
    if (!PyUnicode_Check(value)) return fail(at, origin, fmt::format("is a `{}`, not a str", type_name(value)));
    if (!is_free_text(kind, info.name) && !PyUnicode_IsIdentifier(value))
      return fail(at, origin, fmt::format("is `{}`, which is no name", text_of(value)));
    const uint32_t made = string(value);
    return made ? made : fail(at, origin, store_.reason());
  }

  uint32_t string(PyObject *value) {
    const Object bytes(PyUnicode_AsEncodedString(value, "utf-8", "surrogatepass"));
    if (!bytes) return 0;
    return store_.string({PyBytes_AS_STRING(bytes.get()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.get()))});
  }

  uint32_t constant(PyObject *value, htp_node origin, const Step &at) {
    const auto made = [&](uint32_t id) { return id ? id : fail(at, origin, store_.reason()); };
    if (PyUnicode_Check(value)) {
      const uint32_t text = string(value);
      return made(text ? store_.constant(HTP_CONST_STR, std::string(store_.text(text))) : 0);
    }
    if (PyBool_Check(value)) return made(store_.constant(value == Py_True ? HTP_CONST_TRUE : HTP_CONST_FALSE));
    if (PyLong_Check(value)) {
      const Object digits(PyNumber_ToBase(value, 10));
      std::string text = text_of(digits.get());
      negative_ = text.starts_with('-'); // Python's grammar has none: it is an operator before a constant
      return made(store_.constant(HTP_CONST_INT, negative_ ? text.substr(1) : text));
    }
    if (PyFloat_Check(value)) {
      const double number = PyFloat_AS_DOUBLE(value);
      if (std::isnan(number)) return fail(at, origin, "is NaN, which no literal spells: use `htp.nan`");
      negative_ = std::signbit(number);
      return made(store_.constant(HTP_CONST_FLOAT, {}, 0, std::fabs(number)));
    }
    if (PyComplex_Check(value)) {
      if (PyComplex_RealAsDouble(value) != 0 || std::signbit(PyComplex_ImagAsDouble(value)))
        return fail(at, origin, "is a complex number that no literal spells");
      return made(store_.constant(HTP_CONST_COMPLEX, {}, 0, PyComplex_ImagAsDouble(value)));
    }
    if (PyBytes_Check(value))
      return made(
          store_.constant(HTP_CONST_BYTES, {PyBytes_AS_STRING(value), static_cast<size_t>(PyBytes_GET_SIZE(value))}));
    if (value == Py_None) return made(store_.constant(HTP_CONST_NONE));
    if (value == Py_Ellipsis) return made(store_.constant(HTP_CONST_ELLIPSIS));
    return fail(at, origin, fmt::format("is a `{}`, which no literal spells", type_name(value)));
  }

  // ── names ──

  // What binds a name anywhere in the tree.
  bool names_are_bound(htp_node root) {
    if (loads_.empty()) return true;
    std::set<uint32_t> known;
    const auto learn = [&](htp_node tree, bool loads) {
      for (const htp_node n : preorder(*store_.abi(), tree)) {
        const uint16_t kind = store_.kind(n);
        if (kind == HTP_Name && !loads && store_.slot(n, HTP_FIELD(Name, ctx)) == HTP_LOAD) continue;
        if (kind == HTP_Attribute || kind == HTP_keyword || kind == HTP_ImportFrom) continue;
        if (kind == HTP_alias) {
          const uint32_t as = store_.slot(n, HTP_FIELD(alias, asname));
          const std::string name(store_.text(as ? as : store_.slot(n, HTP_FIELD(alias, name))));
          if (name == "*") return false;
          known.insert(store_.string(name.substr(0, name.find('.'))));
          continue;
        }
        const auto fields = kind_fields(kind);
        for (unsigned f = 0; f < fields.size(); ++f) {
          const uint32_t slot = store_.slot(n, f);
          if (fields[f].type == HTP_FIELD_STRS)
            for (const uint32_t name : store_.items(slot)) known.insert(name);
          else if (fields[f].type == HTP_FIELD_STR || fields[f].type == HTP_FIELD_STRN)
            known.insert(slot);
        }
      }
      return true;
    };
    // What the program used before is not for this unit to answer for.
    if (!learn(root, false) || (before_ && !learn(before_, true))) return true;
    for (const auto &[name, origin] : loads_) {
      const std::string text(store_.text(name));
      if (known.contains(name) || PyDict_GetItemString(PyEval_GetBuiltins(), text.c_str())) continue;
      bad_ = BadTree{"a new `Name`", fmt::format("uses `{}`, which nothing binds", text), origin};
      return false;
    }
    return true;
  }

  const htp_node before_;
  const TreeObjects &objects_;
  const Comments &comments_;
  Store &store_;
  std::optional<BadTree> &bad_;
  const UnitTools &tools_;
  std::unordered_set<htp_node> kept_, used_;
  std::unordered_set<PyObject *> active_;
  std::vector<std::pair<uint32_t, htp_node>> loads_;     // name and origin of new uses
  std::vector<std::pair<htp_node, htp_node>> replacing_; // new statements of another kind than what they stand for
  bool negative_ = false;                                // the constant just read is one with a minus before it
};

} // namespace

htp_node import_objects(PyObject *tree, htp_node before, uint16_t wanted, const TreeObjects &objects,
                        const Comments &comments, Store &store, std::optional<BadTree> &bad) {
  return ObjectImporter(before, objects, comments, store, bad).run(tree, wanted);
}

} // namespace htp
