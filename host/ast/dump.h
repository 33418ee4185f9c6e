// host/ast/dump.h — a tree as `ast.dump` prints it.
#pragma once

#include <htp/ast.h>

#include <optional>
#include <string>

namespace htp {

struct DumpOptions {
  bool attributes = false;             // line numbers and columns too (include_attributes=True)
  std::optional<unsigned> indent = {}; // blanks a level; nothing: all on one line
  uint8_t python = 11;                 // the minor version whose grammar is meant: later fields are left out
};

// Byte for byte what CPython's `ast.dump` gives for the same tree.
std::string dump(const htp_store &store, htp_node root, const DumpOptions &options = {});

} // namespace htp
