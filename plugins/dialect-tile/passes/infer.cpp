// tile.infer: the first binding of each name carries its type.
#include "language/check.h"
#include "language/layouts.h"
#include "passes/passes.h"
#include "passes/typist.h"
#include "rules/rules.h"
#include "verify/memory.h"

#include "htp_cpp/loops.h"

#include <set>

#include <utility>

namespace htp::tile {

Result infer(const Context &c, Node root, Node &out) {
  const Module module(c, root);
  const Node function = c.entry_function(root);
  if (!function || !module.decorated(function, "htp_tile.kernel")) {
    c.report(diag::no_kernel, function, c.entry()).hint("decorate it with `@kernel` of htp_tile");
    return HTP_FAILED;
  }
  const Result result = Typist(module, function).run(out);
  if (result != HTP_OK) return result;
  check_memory(Module(c, out), c.entry_function(out));
  return c.result();
}

namespace {
std::set<std::string, std::less<>> locals(const Reader &r, Node function) {
  std::set<std::string, std::less<>> result;
  r.each(function, [&](Node n) {
    if (auto name = r.as<ast::Name>(n); name && name.ctx() == HTP_STORE) result.emplace(name.id());
    if (auto a = r.as<ast::arg>(n)) result.emplace(a.arg());
  });
  return result;
}
} // namespace

Typist::Typist(const Module &module, Node function)
    : m_(module), c(module.c), function_(function), imports_(module.c, module.root, locals(module.c, function)) {}

Result Typist::run(Node &out) {
  parameters();
  const auto statements = body(c.get<ast::FunctionDef>(function_).body());
  const Node function = with_list(c, function_, HTP_FIELD(FunctionDef, body), statements);
  out = function == function_ ? m_.root : imports_.apply(with_statement(c, m_.root, function_, function));
  return failed_ ? HTP_FAILED : c.result();
}

void Typist::parameters() {
  auto a = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args());
  for (const Nodes list : {a.posonlyargs(), a.args()})
    for (const Node n : list) {
      auto p = c.get<ast::arg>(n);
      const auto type = normal(p.annotation());
      Node annotation = p.annotation();
      if (type) {
        annotation = write_type(c, *type, n);
      } else if (auto direction = c.as<ast::Subscript>(annotation); direction && !direction_of(c, annotation).empty()) {
        annotation = direction.slice(); // another dialect's tensor
      }
      names_[std::string(p.arg())] = {annotation, n};
    }
}

std::vector<uint32_t> Typist::body(Nodes statements) {
  std::vector<uint32_t> result;
  for (const Node s : statements) result.push_back(statement(s));
  return result;
}

Node Typist::statement(Node n) {
  switch (c.kind(n)) {
  case HTP_For: return loop(n);
  case HTP_While: return with_list(c, n, HTP_FIELD(While, body), body(c.get<ast::While>(n).body()));
  case HTP_If: return branch(n);
  case HTP_Assign: {
    auto a = c.get<ast::Assign>(n);
    return binding(n, a.targets()[0], HTP_NONE, a.value());
  }
  case HTP_AnnAssign: {
    auto a = c.get<ast::AnnAssign>(n);
    return binding(n, a.target(), a.annotation(), a.value());
  }
  case HTP_Expr:
    if (const Node e = c.get<ast::Expr>(n).value(); c.is(e, HTP_Call)) type_of_call(e);
    return n;
  default: return n;
  }
}

Node Typist::loop(Node n) {
  auto f = c.get<ast::For>(n);
  if (const Node item = item_of(f.iter())) {
    names_[std::string(c.name_of(f.target()))] = {item, f.target()};
    const Node tiles = loop_forms(c, m_.names, f.iter()).range;
    cut_[std::string(c.name_of(f.target()))] = c.name_of(c.get<ast::Call>(tiles).args()[0]);
  }
  return with_list(c, n, HTP_FIELD(For, body), body(f.body()));
}

Node Typist::branch(Node n) {
  auto b = c.get<ast::If>(n);
  const auto then = body(b.body()), other = body(b.orelse());
  return with_list(c, with_list(c, n, HTP_FIELD(If, body), then), HTP_FIELD(If, orelse), other);
}

Node Typist::binding(Node n, Node target, Node annotation, Node value) {
  const std::string name(c.name_of(target));
  const bool before = std::exchange(failed_, false);
  Node type = type_of(value);
  if (!type && (failed_ || refused(value))) unknown_.insert(name);
  failed_ |= before;
  if (!type) return n;
  if (annotation) type = agree(target, annotation, type);
  if (const Node copy = copied(value, type); copy != value) {
    n = with_slot(c, n, c.is(n, HTP_Assign) ? HTP_FIELD(Assign, value) : HTP_FIELD(AnnAssign, value), copy);
    value = copy;
  }
  const auto [it, first] = names_.try_emplace(name, Known{type, target});
  if (!first) {
    if (!same(it->second.type, type))
      c.report(diag::retyped, target, name, c.show(type), c.show(it->second.type))
          .label(it->second.where, "first bound here")
          .hint("use another name");
    return n;
  }
  if (annotation) {
    const Node spelled = spell(type, annotation);
    return c.show(spelled) == c.show(annotation) ? n : with_slot(c, n, HTP_FIELD(AnnAssign, annotation), spelled);
  }
  // The statement keeps its comments: it is the same one with an annotation.
  return with_comments_of(
      c, n,
      c.make(make::AnnAssign{.target = target, .annotation = spell(type, value), .value = value, .simple = 1}, n));
}

// A second name of a tile is a value of its own, `cast(a, dtype)` to the dtype it has: every name is bound by an
// intrinsic.
Node Typist::copied(Node value, Node type) {
  const auto t = c.is(value, HTP_Name) ? read_type(c, type) : std::nullopt;
  if (!t || t->form != "Tile") return value;
  return c.call(imports_.module("htp_tile", "tile") + ".cast",
                {value, c.path(imports_.name("htp", t->dtype, "htp"), value)}, value);
}

Node Typist::type_of(Node value) {
  if (c.is(value, HTP_Call)) return type_of_call(value);
  return known(value);
}

Node Typist::known(Node e) const {
  if (c.is(e, HTP_BinOp)) return moved(e);
  const auto it = names_.find(c.name_of(e));
  return it == names_.end() ? HTP_NONE : it->second.type;
}

// A block that is moved or spread. What a call makes of a block, `len(i)`, is an int.
Node Typist::moved(Node e) const {
  Node block = HTP_NONE;
  c.each(e, [&](Node n) {
    if (c.is(n, HTP_Name) && read_block(c, known(n))) block = n;
    return !c.is(n, HTP_Call);
  });
  return block ? write_moved(c, std::string(c.name_of(block)), e) : HTP_NONE;
}

// The owner's typing rule is given the annotation of each argument: the positional ones as they stand, then those by
// keyword in the intrinsic's own order.
Node Typist::type_of_call(Node call) {
  auto k = c.get<ast::Call>(call);
  const std::string path = m_.path(k.func());
  uint32_t index = 0;
  const htp_intrinsics *set = path.empty() ? nullptr : c.host()->intrinsic(c.ctx(), str(path), &index);
  if (!set) return HTP_NONE; // arithmetic of ints
  const htp_intrinsic &row = set->rows[index];
  bool silent = false;
  for (const Node a : k.args()) silent |= refused(a);
  for (const Node w : k.keywords()) silent |= refused(c.get<ast::keyword>(w).value());
  if (silent) return failed_ = true, HTP_NONE;
  std::vector<Node> types;
  for (const Node a : k.args()) types.push_back(known(a));
  uint32_t p = 0;
  while (p < row.parameter_count && !is_variadic(row.parameters[p])) ++p;
  if (*row.effects && p < row.parameter_count) within_buffer(k.args(), p, types);
  p = 0;
  for (size_t at = 0; at < k.args().size() && p < row.parameter_count && !row.parameters[p].keyword_only; ++p)
    at = is_variadic(row.parameters[p]) ? k.args().size() : at + 1;
  for (; p < row.parameter_count; ++p) {
    types.push_back(HTP_NONE);
    for (const Node w : k.keywords())
      if (auto word = c.get<ast::keyword>(w); word.arg() == row.parameters[p].name) types.back() = known(word.value());
  }
  const Node type = c.host()->infer(c.ctx(), str(row.name), call, types.data(), static_cast<uint32_t>(types.size()));
  failed_ |= !type;                                  // the rule said why
  return c.is(type, HTP_Constant) ? HTP_NONE : type; // `None`: no result
}

void Typist::within_buffer(Nodes arguments, size_t first, std::vector<Node> &types) const {
  const auto tensor = types.empty() || !types[0] ? std::nullopt : read_type(c, types[0]);
  if (!tensor || arguments.size() != first + tensor->rank()) return;
  for (size_t d = 0; d < tensor->rank(); ++d) {
    const std::string &dimension = tensor->extents[d].name;
    if (!cut_.contains(dimension)) continue;
    for (std::string block(c.name_of(arguments[first + d])); !block.empty();) {
      if (block == dimension) types[first + d] = write_block(c, tensor->extents[d], arguments[first + d]);
      const auto outer = cut_.find(block);
      block = outer == cut_.end() || outer->second == block ? std::string() : outer->second;
    }
  }
}

// `Block[M]`: a block of the dim, however deep it was cut.
Node Typist::item_of(Node iter) {
  auto k = c.as<ast::Call>(iter);
  if (!k || k.args().empty()) return HTP_NONE;
  const std::string path = m_.path(k.func());
  if (path.starts_with("htp.")) return item_of(k.args()[0]);
  if (path != "htp_tile.tiles") return HTP_NONE;
  if (const Node outer = known(k.args()[0])) return outer;
  if (const auto size = m_.integer(k.args()[0])) return write_block(c, Extent::of(*size), iter);
  return write_block(c, {std::string(c.name_of(k.args()[0])), 0}, iter);
}

std::optional<Type> Typist::normal(Node annotation) {
  if (!annotation) return std::nullopt;
  auto type = read_type(c, annotation);
  if (!type) return std::nullopt;
  for (Extent &e : type->extents)
    if (const Node definition = e.name.empty() ? HTP_NONE : m_.definition(e.name); definition && !m_.is_dim(e.name))
      if (const auto size = m_.integer(c.name(e.name, annotation))) e = Extent::of(*size);
  if (is_layout(m_, type->layout)) type->layout = canonical_layout(m_, type->layout, imports_.module("htp", "htp"));
  return type;
}

bool Typist::same(Node a, Node b) {
  const auto x = normal(a), y = normal(b);
  return x && y ? same_type(c, *x, *y) : c.show(a) == c.show(b);
}

// A user's annotation agrees with what was inferred; it may add a layout and a space.
Node Typist::agree(Node target, Node annotation, Node inferred) {
  auto written = normal(annotation), found = normal(inferred);
  if (!written || !found) {
    if (c.show(annotation) != c.show(inferred))
      c.report(diag::annotation_mismatch, annotation, c.name_of(target), c.show(annotation), c.show(inferred));
    return inferred;
  }
  if (written->layout && !found->layout) found->layout = written->layout;
  if (written->space && !found->space) found->space = written->space;
  if (!same_type(c, *written, *found)) {
    auto report =
        c.report(diag::annotation_mismatch, annotation, c.name_of(target), c.show(annotation), text_of(c, *found));
    if (written->form == found->form) report.fix(annotation, text_of(c, *found), "write the type that it has");
  }
  return write_type(c, *found, annotation);
}

// The annotation as this module spells it. Another plugin's type is spelled by its owner.
Node Typist::spell(Node type, Node origin) {
  const auto t = read_type(c, type);
  if (t && t->form.empty()) return c.path(imports_.name("htp", t->dtype, "htp"), origin); // a token
  if (!t || (t->form != "Tile" && t->form != "Tensor")) return copy_of(c, type, origin);
  return write_type(c, *t, origin, imports_.name("htp_tile", t->form, "tile"), imports_.name("htp", t->dtype, "htp"));
}

} // namespace htp::tile
