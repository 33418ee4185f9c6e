// host/python/tree.h — a program as Python's own `ast` objects, and back. Every object knows the node it stands for, so
// that what a unit left alone keeps its id, and what it made has an origin. For files that include Python.h.
#pragma once

#include "host/ast/store.h"
#include "host/python/object.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace htp {

// The objects of one call of a unit. The caller is InUnits.
class TreeObjects {
public:
  explicit TreeObjects(const Store &store) : store_(store) {}
  ~TreeObjects();
  TreeObjects(const TreeObjects &) = delete;
  TreeObjects &operator=(const TreeObjects &) = delete;

  // The object of a node, made with those below it when it is not there yet; borrowed. Null with a Python error set.
  PyObject *object(htp_node n);
  // The object of a node, where there is one; borrowed.
  PyObject *known(htp_node n) const;

  // The node that an object stands for: its own, 0 when a unit made it.
  htp_node node(PyObject *object) const;
  // The node that its location was copied from (`ast.copy_location`); 0 when it has none of ours.
  htp_node copied_from(PyObject *object) const;
  // Either of these.
  htp_node origin(PyObject *object) const;

private:
  PyObject *make(htp_node n);
  PyObject *field(const htp_field_info &info, uint32_t value);
  PyObject *constant(uint32_t constant);
  bool set_location(PyObject *object, htp_node n);

  const Store &store_;
  std::unordered_map<htp_node, PyObject *> objects_; // owned
  std::unordered_map<PyObject *, htp_node> nodes_;
  std::unordered_map<PyObject *, htp_node> lines_; // the objects under `lineno`, owned
};

// Why a tree that a unit gave back is no program.
struct BadTree {
  std::string where; // "Module.body[2].value"
  std::string why;
  htp_node near = HTP_NONE; // what stands, or stood, there
};

// Comments that a unit put before statements.
using Comments = std::unordered_map<PyObject *, std::string>;

// The node of a tree that a unit gave back for the one at `before`: nodes it left alone keep their ids, those it
// changed or made have what they stand for as their origin, and the comments of the statements they replace. Every name
// that a new node uses must be bound somewhere in the tree. `wanted` is the kind of its root, 0 for any expression.
// Nothing and a reason when it is no tree of Python's. The caller is InUnits.
htp_node import_objects(PyObject *tree, htp_node before, uint16_t wanted, const TreeObjects &objects,
                        const Comments &comments, Store &store, std::optional<BadTree> &bad);

} // namespace htp
