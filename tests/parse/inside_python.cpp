// The parser as a library within somebody's Python: a shared object with CPython's symbols undefined (R18).
#include "host/ast/dump.h"
#include "host/parse/parse.h"

#include <cstring>

extern "C" __attribute__((visibility("default"))) size_t dump_text(const char *text, char *out, size_t room) {
  htp::Store store;
  htp::Diagnostics diagnostics;
  const htp_node root = htp::parse_tree(std::make_shared<const htp::SourceFile>("p.py", text), diagnostics, store);
  const std::string said =
      root ? htp::dump(*store.abi(), root) : diagnostics.list()[0].code + ": " + diagnostics.list()[0].message;
  const size_t size = said.size() < room ? said.size() : room;
  std::memcpy(out, said.data(), size);
  return size;
}
