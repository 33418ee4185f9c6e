// my-plugin.share: the entry's blocks as text, through the other compiler, and back.
#include "my_plugin.h"

#include <map>

namespace htp_my_plugin {
namespace {

constexpr const char script[] =
#include "share.inc"
    ;

} // namespace

bool Share::claims(const Context &c, Node statement) {
  const auto function = c.as<ast::FunctionDef>(statement);
  return function && function.name() == c.entry();
}

Result Share::leave(const Context &c, Node region, htp_str &text) {
  std::string lines;
  for (const auto &block : blocks_of(c, region)) {
    lines += "block\n";
    for (const Binding &b : block) lines += b.name + " = " + b.call + "\n";
  }
  text = str(c.text(c.intern(lines))); // the host keeps it
  return c.result();
}

Result Share::transform(const Context &c, std::string_view text, htp_str &result) {
  const htp_str command[] = {str("python3"), str("-I"), str("-c"), str(script)};
  htp_tool_result ended{};
  if (c.host()->run_tool(c.ctx(), command, 4, {}, str(text), &ended) != HTP_OK) return HTP_FAILED; // the host said why
  result = ended.out;
  if (ended.exit_status != 0)
    c.report(diag::tool_failed, HTP_NONE, ended.exit_status)
        .note(std::string(view(ended.err)))
        .hint("run `tools/share.py` by hand on the text that the package keeps");
  return c.result();
}

// A line whose right side is a name alone says that the two are the same: the binding goes, and its uses take the
// other.
std::vector<uint32_t> Share::enter(const Context &c, Node region, std::string_view text) {
  std::map<std::string, std::string> same;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    const std::string_view right = line.substr(equals + 3);
    if (right.find('(') == std::string_view::npos) same.emplace(line.substr(0, equals), right);
  }
  std::map<Node, bool> dropped;
  for (const auto &block : blocks_of(c, region))
    for (const Binding &b : block) dropped[c.get<ast::AnnAssign>(b.statement).target()] = same.contains(b.name);
  const auto expression = [&](Node n) {
    const auto first = same.find(std::string(c.name_of(n)));
    return first == same.end() || dropped.contains(n) ? n : c.name(first->second, n);
  };
  const auto statement = [&](Node s, std::vector<uint32_t> &) {
    const auto binding = c.as<ast::AnnAssign>(s);
    const auto drop = binding ? dropped.find(binding.target()) : dropped.end();
    return drop != dropped.end() && drop->second;
  };
  return {rewrite(c, region, expression, statement)};
}

} // namespace htp_my_plugin
