#include "passes/row_nests.h"

#include "lowering/loops/uses.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/races.h"

#include <algorithm>

namespace htp::cpu {

RowNests::RowNests(const Context &context, Node root, Node function)
    : c(context), names_(context, root), constants_(context, root), root_(root), function_(function),
      dims_(dims_of(context, names_, root)) {
  c.each(function, [&](Node n) {
    if (c.is(n, HTP_FunctionDef) && n != function)
      c.each(n, [&](Node inner) {
        if (c.is(inner, HTP_For)) processes_.insert(inner);
      });
    if (auto a = c.as<ast::Assign>(n)) bound_[std::string(loops::bound_name(c, n))].push_back(a.value());
    if (auto f = c.as<ast::For>(n)) bound_[std::string(c.name_of(f.target()))].push_back(HTP_NONE);
  });
}

std::optional<int64_t> RowNests::most(Node n) const {
  if (const auto known = constants_.integer(n)) return known;
  const auto it = bound_.find(c.name_of(n));
  if (c.name_of(n).empty() || it == bound_.end()) return std::nullopt;
  std::optional<int64_t> most;
  for (const Node value : it->second) {
    auto call = c.as<ast::Call>(value);
    if (!call || c.name_of(call.func()) != "min") return std::nullopt;
    std::optional<int64_t> limit;
    for (const Node each : call.args())
      if (const auto known = constants_.integer(each)) limit = known;
    if (!limit) return std::nullopt;
    most = std::max(most.value_or(*limit), *limit);
  }
  return most;
}

RowNest RowNests::of(Node s) const {
  RowNest nest;
  auto loop = c.as<ast::For>(s);
  // Loops of processes stay as they are: other processes may read a tensor while its rows are written.
  if (!loop || c.name_of(loop.target()).empty() || processes_.contains(s)) return {};
  const LoopForms forms = loop_forms(c, names_, loop.iter());
  if (forms.vectorized || forms.unrolled || forms.pipelined || !(nest.count = whole_range(forms.range))) return {};
  nest.loop = s;
  nest.row = c.name_of(loop.target());
  nest.wrappers = forms.wrappers;
  return shares(nest) && independent(nest) ? nest : RowNest();
}

Node RowNests::whole_range(Node range) const {
  auto call = c.as<ast::Call>(range);
  return call && c.name_of(call.func()) == "range" && call.args().size() == 1 ? call.args()[0] : HTP_NONE;
}

bool RowNests::mentions(Node n, const NameSet &names) const {
  bool found = false;
  c.each(n, [&](Node e) { found = found || names.contains(c.name_of(e)); });
  return found;
}

NameSet RowNests::varying(const RowNest &nest) const {
  NameSet names{std::string(nest.row)};
  size_t before;
  do {
    before = names.size();
    c.each(nest.loop, [&](Node s) {
      const std::string_view bound = loops::bound_name(c, s);
      if (!bound.empty() && mentions(loops::value_of(c, s), names)) names.emplace(bound);
    });
  } while (names.size() != before);
  return names;
}

// Whether each row adds to a sum of its own, in a loop in which all rows load the same elements along the vectors.
bool RowNests::shares(const RowNest &nest) const {
  const NameSet rows = varying(nest);
  bool found = false;
  return of_form(c.get<ast::For>(nest.loop).body(), rows, {}, found) && found;
}

// `column`: the variable of the loop on vectors around.
bool RowNests::of_form(Nodes body, const NameSet &rows, const NameSet &column, bool &found) const {
  NameSet here;
  bool common = false, gathers = false;
  for (const Node s : body) {
    if (auto loop = c.as<ast::For>(s)) {
      const LoopForms forms = loop_forms(c, names_, loop.iter());
      const bool vectors = column.empty() && forms.vectorized && forms.wrappers.size() == 1;
      if ((!vectors && (column.empty() || !forms.wrappers.empty())) || mentions(loop.iter(), rows)) return false;
      const NameSet inner = vectors ? NameSet{std::string(c.name_of(loop.target()))} : column;
      if (!of_form(loop.body(), rows, inner, found)) return false;
      continue;
    }
    if (!c.is(s, HTP_Assign) && !c.is(s, HTP_AnnAssign) && !c.is(s, HTP_Expr)) return false;
    const Node value = loops::value_of(c, s);
    const std::string called = names_.called(value);
    const std::string_view intrinsic = cpu_intrinsic(called);
    if (intrinsic == "alloc" || intrinsic == "order" || loops::is_channel_intrinsic(intrinsic)) return false;
    const std::string name(loops::bound_name(c, s));
    const bool varies = mentions(value, rows);
    if (!varies && intrinsic == "get" && mentions(value, column)) common = true;
    if (varies && !name.empty() && !here.contains(name) && mentions(value, NameSet{name})) gathers = true;
    if (!name.empty()) here.insert(name);
  }
  found = found || (common && gathers);
  return true;
}

bool RowNests::independent(const RowNest &nest) const {
  return find_races(c, names_, root_, function_, nest.loop, {}).empty();
}

Node RowNests::substituted(Node n, std::string_view name, const std::function<Node(Node)> &sum) const {
  std::set<Node> made;
  return rewrite(
      c, n,
      [&](Node e) {
        if (c.name_of(e) == name) return *made.insert(sum(e)).first;
        auto outer = c.as<ast::BinOp>(e);
        if (!outer || outer.op() != HTP_Add || !made.contains(outer.right())) return e;
        auto inner = c.get<ast::BinOp>(outer.right());
        return c.binary(c.binary(outer.left(), HTP_Add, inner.left(), e), HTP_Add, inner.right(), e);
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

Node RowNests::untyped(Node statement) const {
  const auto plain = [&](Node s) {
    auto typed = c.as<ast::AnnAssign>(s);
    return typed ? c.make(make::Assign{.targets = {typed.target()}, .value = typed.value()}, s) : s;
  };
  return plain(rewrite(
      c, clone(c, statement), [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        const Node own = plain(s);
        return own != s && (out.push_back(own), true);
      }));
}

} // namespace htp::cpu
