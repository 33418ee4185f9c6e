// The layout facet `hierarchy(board=4, chip=8)`: parallel units, outermost first. In the core algebra each level is an
// iter of stride 1 on an axis of its own.
#include "acme.h"

namespace acme {

namespace {

struct Level {
  std::string name;
  int64_t count;
};

// Nothing after a report.
std::vector<Level> levels_of(const Context &c, Node layout) {
  std::vector<Level> levels;
  auto call = c.as<ast::Call>(layout);
  if (!call) return {};
  for (const Node a : call.args()) c.report(diag::bad_level, a, c.show(a));
  for (const Node k : call.keywords()) {
    auto keyword = c.get<ast::keyword>(k);
    int64_t count = 0;
    if (!c.integer(keyword.value(), &count) || count < 1) c.report(diag::bad_level, k, c.show(k));
    levels.push_back({std::string(keyword.arg()), count});
  }
  return c.errors() ? std::vector<Level>{} : levels;
}

} // namespace

Node Hierarchy::to_core(const Context &c, Node layout) {
  std::string iters;
  const auto levels = levels_of(c, layout);
  if (levels.empty()) return HTP_NONE;
  for (const Level &l : levels) iters += "(" + std::to_string(l.count) + ", 1, '" + l.name + "'), ";
  return c.parse("htp.layout((" + iters + "))", layout);
}

Node Hierarchy::from_core(const Context &c, Node core) {
  auto call = c.as<ast::Call>(core);
  auto iters = call && call.args().size() == 1 && call.keywords().empty() ? c.as<ast::Tuple>(call.args()[0])
                                                                          : ast::Tuple{&c, HTP_NONE};
  if (!iters) return HTP_NONE;
  std::string levels;
  for (const Node n : iters.elts()) {
    auto iter = c.as<ast::Tuple>(n);
    int64_t count = 0, stride = 0;
    std::string_view axis;
    if (!iter || iter.elts().size() != 3 || !c.integer(iter.elts()[0], &count) || !c.integer(iter.elts()[1], &stride) ||
        stride != 1 || !c.string(iter.elts()[2], &axis))
      return HTP_NONE;
    levels += std::string(levels.empty() ? "" : ", ") + std::string(axis) + "=" + std::to_string(count);
  }
  return c.parse("hierarchy(" + levels + ")", core);
}

// Levels of one unit do nothing.
Node Hierarchy::canonical(const Context &c, Node layout) {
  std::string text;
  for (const Level &l : levels_of(c, layout))
    if (l.count > 1) text += std::string(text.empty() ? "" : ", ") + l.name + "=" + std::to_string(l.count);
  return c.errors() ? HTP_NONE : c.parse(c.show(c.get<ast::Call>(layout).func()) + "(" + text + ")", layout);
}

Node Hierarchy::join(const Context &c, Node a, Node b) {
  const Node ca = canonical(c, a), cb = canonical(c, b);
  return ca && cb && c.show(ca) == c.show(cb) ? a : HTP_NONE;
}

} // namespace acme
