// Names in MLIR: Python's may have letters that MLIR's have not.
#include "emit.h"

#include <algorithm>

namespace htp::aie {

namespace {
bool plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char ch) { return static_cast<unsigned char>(ch) < 0x80; });
}
} // namespace

SymbolNames::SymbolNames(Program &p) {
  const auto each = [&](const auto &visit) {
    for (Stream &s : p.streams) visit(s.name), visit(s.link);
    for (Core &core : p.cores) {
      for (Tile &t : core.tiles) visit(t.name);
      for (Tile &t : core.strips) visit(t.name);
    }
  };
  const auto take = [&](const std::string &name) { taken_.insert(name); };
  each(take);
  take(p.name);
  for (const Parameter &q : p.parameters) take(q.name);
  for (const External &e : p.externals) take(e.name);
  each([&](std::string &name) { name = of(name); });
  of(p.name);
  for (const Parameter &q : p.parameters) of(q.name);
}

const std::string &SymbolNames::of(const std::string &name) {
  const auto [it, fresh] = names_.try_emplace(name, name);
  if (!fresh || plain(name)) return it->second;
  std::string text;
  for (const char ch : name)
    if (static_cast<unsigned char>(ch) < 0x80)
      text += ch;
    else if ((static_cast<unsigned char>(ch) & 0xC0) != 0x80) // the first byte of a letter
      text += '_';
  it->second = text;
  for (int n = 1; !taken_.insert(it->second).second; ++n) it->second = text + "_" + std::to_string(n);
  return it->second;
}

} // namespace htp::aie
