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

std::string whole_of(const Program &p, const Stream &s, int64_t transfer) {
  if (!p.alike) return p.linked_at_shim(s) ? s.link : s.name;
  // `x_in_1` may be another stream, whose first transfer is not the first core of this one's second.
  const size_t digits = s.name.find_last_not_of("0123456789");
  const bool numbered = digits + 1 < s.name.size() && s.name[digits] == '_';
  return s.name + (numbered ? "_at_" : "_") + std::to_string(transfer);
}

std::string branch_of(const Program &p, const Stream &s, int64_t transfer, int64_t row) {
  if (!p.alike) return p.linked_at_core(s) ? s.link : s.name;
  const std::string at = whole_of(p, s, transfer);
  return p.through_memory(s) ? at + (s.each ? "_" + std::to_string(row) : "_all") : at;
}

std::string fifo_of(const Program &p, const Stream &s, int64_t column, int64_t row) {
  return branch_of(p, s, s.by_row ? row : column, row);
}

bool calls(const std::vector<Statement> &body, const External &external) {
  return std::any_of(body.begin(), body.end(),
                     [&](const Statement &s) { return s.external == &external || calls(s.body, external); });
}
const External *external_of(const Program &p, const std::vector<Statement> &body) {
  for (const External &e : p.externals)
    if (calls(body, e)) return &e;
  return nullptr;
}
namespace {
// Functions of one text are of one file, which bears the first one's name.
std::string file_of(const Program &p, const External &external) {
  for (const External &e : p.externals)
    if (e.source == external.source) return e.name;
  return external.name;
}
} // namespace
std::string source_of(const Program &p, const External &external) { return file_of(p, external) + ".cc"; }
std::string object_of(const Program &p, const External &external) { return file_of(p, external) + ".o"; }

std::string buffer_of(const Tile &t, int64_t column, int64_t row) {
  return t.name + "_at_" + std::to_string(column) + "_" + std::to_string(row);
}

std::string quoted(std::string_view text) {
  std::string q = "\"";
  for (const char ch : text) (q += ch == '"' || ch == '\\' ? "\\" : "") += ch;
  return q + "\"";
}

} // namespace htp::aie
