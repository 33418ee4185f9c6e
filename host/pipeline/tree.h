// host/pipeline/tree.h — small questions about a program's tree that the host itself asks.
#pragma once

#include "host/ast/store.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp {

// Where a node stands for the user: its own location, else that of what it was made from.
Span location_of(const Store &store, htp_node n);

// A copy of the subtree whose nodes stand where `origin` stands.
htp_node copy_tree(Store &store, htp_node root, htp_node origin);

// Which of the store's strings are identifiers that occur in the subtree, as a name, parameter, attribute, definition
// or import.
std::vector<bool> names_in(const Store &store, htp_node root);

// Module-level imports: local name → qualified name ("e" → "htp_tile.exp").
struct Imported {
  std::string module; // "htp_tile", also for `from htp_tile import …`
  std::string name;   // empty for `import htp_tile`
  std::string local;
  htp_node statement;
  friend bool operator==(const Imported &, const Imported &) = default;
};
std::vector<Imported> imports_of(const Store &store, htp_node module);
// "htp_tile.exp" for a name or dotted chain whose head is imported; empty otherwise.
std::string qualified_name(const Store &store, const std::vector<Imported> &imports, htp_node expression);

// Two expressions of the same one have the same qualified name; 0 of those that are neither `a` nor `a.b`.
uint64_t name_key(const Store &store, htp_node expression);

// `a.b.c` for a Name or a chain of attributes over one; else empty.
std::string dotted_name(const Store &store, htp_node expression);

// A call's keyword argument, 0 if absent.
htp_node keyword_of(const Store &store, htp_node call, std::string_view name);
// The text of a string constant; nothing for anything else.
std::optional<std::string> string_of(const Store &store, htp_node expression);
// The texts of a list display of string constants.
std::optional<std::vector<std::string>> strings_of(const Store &store, htp_node expression);

// The deepest nesting below `root`, without recursion.
size_t depth_of(const Store &store, htp_node root);

} // namespace htp
