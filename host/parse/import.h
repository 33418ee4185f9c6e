// host/parse/import.h — CPython's AST objects into the store, driven by the node table.
#pragma once

#include "host/ast/store.h"

struct _object; // PyObject

namespace htp {

struct ImportOptions {
  uint16_t file = 0;          // of the store; the nodes' locations are in it
  bool locations = true;      // false: nodes have none
  htp_node origin = HTP_NONE; // of every node
};

// Takes over `tree` (a reference to an ast.AST object; its objects are freed on the way) and answers the node of its
// root. Ids are given in preorder, fields in the table's order. 0 when the store is full (`store.reason()`) or a Python
// error is set. The caller holds the Interpreter.
htp_node import_tree(_object *tree, const ImportOptions &options, Store &store);

} // namespace htp
