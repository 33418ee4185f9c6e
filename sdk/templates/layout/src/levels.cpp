// `levels(board=4, chip=8)`: parallel units, outermost first. In the core algebra each level is an iter of stride 1 on
// an axis of its own: `htp.layout(((4, 1, 'core'), (8, 1, 'lane')))`.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

struct Level {
  std::string name;
  int64_t units;
};

// Nothing after a report.
std::vector<Level> levels_of(const Context &c, Node layout) {
  std::vector<Level> levels;
  const auto report = [&](Node where) {
    c.report(diag::bad_level, where, c.show(where)).hint("for instance `board=4`");
  };
  const auto call = c.as<ast::Call>(layout);
  if (!call) return {};
  for (const Node argument : call.args()) report(argument);
  for (const Node k : call.keywords()) {
    const auto keyword = c.get<ast::keyword>(k);
    int64_t units = 0;
    if (!c.integer(keyword.value(), &units) || units < 1) report(k);
    levels.push_back({std::string(keyword.arg()), units});
  }
  return c.errors() ? std::vector<Level>{} : levels;
}

std::string listed(std::string list, const std::string &item) { return list + (list.empty() ? "" : ", ") + item; }

} // namespace

// Without the levels of one unit, which do nothing.
Node Levels::canonical(const Context &c, Node layout) {
  std::string text;
  for (const Level &level : levels_of(c, layout))
    if (level.units > 1) text = listed(text, level.name + "=" + std::to_string(level.units));
  return c.errors() ? HTP_NONE : c.parse(c.show(c.get<ast::Call>(layout).func()) + "(" + text + ")", layout);
}

Node Levels::to_core(const Context &c, Node layout) {
  std::string iters;
  for (const Level &level : levels_of(c, layout))
    iters += "(" + std::to_string(level.units) + ", 1, '" + level.name + "'), ";
  return c.errors() || iters.empty() ? HTP_NONE : c.parse("htp.layout((" + iters + "))", layout);
}

// A core layout is one of levels when each of its iters has stride 1 and an axis; else there is nothing to say.
Node Levels::from_core(const Context &c, Node core) {
  const auto call = c.as<ast::Call>(core);
  if (!call || call.args().size() != 1 || !call.keywords().empty()) return HTP_NONE;
  const auto iters = c.as<ast::Tuple>(call.args()[0]);
  if (!iters) return HTP_NONE;
  std::string text;
  for (const Node n : iters.elts()) {
    const auto iter = c.as<ast::Tuple>(n);
    int64_t units = 0, stride = 0;
    std::string_view axis;
    if (!iter || iter.elts().size() != 3 || !c.integer(iter.elts()[0], &units) || !c.integer(iter.elts()[1], &stride) ||
        stride != 1 || !c.string(iter.elts()[2], &axis))
      return HTP_NONE;
    text = listed(text, std::string(axis) + "=" + std::to_string(units));
  }
  return c.parse("levels(" + text + ")", core);
}

// Two layouts meet when they are the same but for levels of one unit.
Node Levels::join(const Context &c, Node a, Node b) {
  const Node left = canonical(c, a), right = canonical(c, b);
  return left && right && c.show(left) == c.show(right) ? left : HTP_NONE;
}

} // namespace htp_my_plugin
