// What a module's text becomes for MLIR, and which places of the user's its lines come from.
#include "reader/module.h"

#include <charconv>

namespace htp::aiesim {

std::string cores_text(const Module &m) {
  std::string text =
      "module {\nfunc.func private @htp_acquire(i32, i32) -> i32\nfunc.func private @htp_release(i32, i32)\n"
      "func.func private @htp_within(index, index, index, index)\n"
      "func.func private @htp_turn()\n";
  for (size_t k = 0; k < m.views.size(); ++k)
    text += "func.func private @htp_view_" + std::to_string(k) + "(i32, i32) -> " + m.views[k].text + "\n";
  text += m.functions;
  for (const Buffer &b : m.buffers)
    text += "memref.global \"private\" @htp_buffer_" + b.name + " : " + b.type.text + " = uninitialized\n";
  for (const Core &c : m.cores) {
    text += "func.func @" + c.symbol + "() {\n";
    for (const Buffer &b : m.buffers)
      if (b.tile == c.tile)
        text += "%" + b.name + " = memref.get_global @htp_buffer_" + b.name + " : " + b.type.text + "\n";
    text += c.body + "}\n";
  }
  return text + "}\n" + m.places;
}

namespace {

// Of what stands behind the name: `"213"("program.py":21:13)`.
std::optional<Cited> place_from(std::string_view text) {
  Cited p;
  const auto number = [&](size_t &to) {
    const auto done = std::from_chars(text.data(), text.data() + text.size(), to);
    text.remove_prefix(static_cast<size_t>(done.ptr - text.data()));
    return done.ec == std::errc();
  };
  const auto take = [&](std::string_view what) {
    if (!text.starts_with(what)) return false;
    text.remove_prefix(what.size());
    return true;
  };
  if (!take("\"") || !number(p.node) || !take("\"(\"")) return std::nullopt;
  p.file = std::string(text.substr(0, text.find('"')));
  text.remove_prefix(p.file.size());
  if (!take("\":") || !number(p.line)) return std::nullopt;
  return p;
}

} // namespace

std::optional<Cited> cited_at(const std::string &module, size_t line) {
  size_t at = 0;
  for (; line > 1; --line) {
    at = module.find('\n', at);
    if (at == module.npos) return std::nullopt;
    ++at;
  }
  const std::string_view text = std::string_view(module).substr(at, module.find('\n', at) - at);
  const size_t begin = text.rfind(" loc(#");
  if (line == 0 || begin == text.npos) return std::nullopt;
  const std::string mark = "\n" + std::string(text.substr(begin + 5, text.find(')', begin) - begin - 5)) + " = loc(";
  const size_t found = module.find(mark);
  return found == module.npos ? std::nullopt : place_from(std::string_view(module).substr(found + mark.size()));
}

std::optional<Cited> cited_in(const std::string &module, std::string_view message) {
  constexpr std::string_view mark = " = loc(";
  for (size_t at = module.find(mark); at != module.npos; at = module.find(mark, at + 1)) {
    const auto p = place_from(std::string_view(module).substr(at + mark.size()));
    if (!p) continue;
    // Where two statements begin in a line, the first is as good.
    const std::string line = ":" + std::to_string(p->line) + ":";
    if (message.find(p->file + line) != message.npos || message.find(p->file + "\"" + line) != message.npos) return p;
  }
  return std::nullopt;
}

} // namespace htp::aiesim
