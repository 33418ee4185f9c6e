// Values that are never below zero: by what computes them, and by all bindings of the names among them.
#include "language/signs.h"

#include <cmath>

namespace htp::tile {
namespace {

constexpr unsigned most_rounds = 8; // of a name bound before what it is made of; beyond these nothing is known

bool is_even(double number) { return std::fmod(number, 2) == 0; }

} // namespace

bool Signs::never_below_zero(Node e) {
  if (!std::exchange(read_, true)) read_names();
  return of_names(e);
}

std::vector<Node> Signs::operands(Node e) const {
  if (auto b = c.as<ast::BinOp>(e)) return {b.left(), b.right()};
  if (auto a = c.as<ast::AugAssign>(e)) return {a.target(), a.value()};
  if (auto k = c.as<ast::Call>(e)) return {k.args().begin(), k.args().end()};
  if (auto s = c.as<ast::Subscript>(e)) return {s.value()};
  return {};
}

bool Signs::of_names(Node e) const {
  if (names_.contains(c.name_of(e))) return true;
  const auto it = meanings_.find(e);
  if (it == meanings_.end()) return false;
  const Meaning &m = it->second;
  if (m.row) return of_call(m.row->name, operands(e));
  return m.sort == Sort::dim || (m.value && !std::signbit(m.value->as_double()));
}

bool Signs::of_call(std::string_view intrinsic, const std::vector<Node> &of) const {
  const auto number = [&](size_t i) -> std::optional<double> {
    const auto it = meanings_.find(of[i]);
    return it != meanings_.end() && it->second.value ? std::optional(it->second.value->as_double()) : std::nullopt;
  };
  const auto is = [&](auto... names) { return ((intrinsic == names) || ...); };
  if (is("tile.exp", "tile.absolute", "tile.sigmoid", "tile.zeros")) return true;
  if (is("tile.sqrt", "tile.rsqrt", "tile.reduce_sum", "tile.reduce_mean", "tile.reduce_min", "tile.scan_sum",
         "tile.transpose", "tile.reshape", "tile.extract"))
    return !of.empty() && of_names(of[0]);
  if (is("tile.where")) return of.size() == 3 && of_names(of[1]) && of_names(of[2]);
  if (is("tile.full")) return of.size() > 1 && of_names(of[1]);
  if (of.size() != 2) return false;
  if (is("tile.pow") && number(1) && is_even(*number(1))) return true;
  if (is("tile.mul") && !c.name_of(of[0]).empty() && c.name_of(of[0]) == c.name_of(of[1])) return true;
  if (is("tile.maximum") && (number(0).value_or(0) > 0 || number(1).value_or(0) > 0)) return true;
  if (is("tile.pow")) return of_names(of[0]);
  if (is("tile.add", "tile.div", "tile.maximum", "tile.minimum", "tile.mul")) return of_names(of[0]) && of_names(of[1]);
  return false;
}

// All names that are bound are taken to be, and those dropped that one binding does not let be, until none is.
void Signs::read_names() {
  std::vector<std::pair<std::string, Node>> bindings; // a name, and the value; 0: it is none of these
  const auto bind = [&](Node target, Node value) {
    c.each(target, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE)
        bindings.emplace_back(name.id(), n == target ? value : HTP_NONE);
    });
  };
  c.each(function_, [&](Node n) {
    if (auto a = c.as<ast::Assign>(n))
      for (const Node target : a.targets()) bind(target, a.value());
    else if (auto d = c.as<ast::AnnAssign>(n))
      bind(d.target(), d.value());
    else if (auto g = c.as<ast::AugAssign>(n))
      bind(g.target(), n);
    else if (auto f = c.as<ast::For>(n))
      bind(f.target(), HTP_NONE);
    else if (auto p = c.as<ast::arg>(n))
      bindings.emplace_back(p.arg(), HTP_NONE);
  });
  for (const auto &[name, value] : bindings) names_.insert(name);
  for (unsigned round = 0; round < most_rounds; ++round) {
    bool dropped = false;
    for (const auto &[name, value] : bindings)
      if (names_.contains(name) && !(value && of_names(value))) names_.erase(name), dropped = true;
    if (!dropped) return;
  }
  names_.clear();
}

} // namespace htp::tile
