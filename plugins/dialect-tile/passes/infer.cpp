// tile.infer: the first binding of each name carries its type.
#include "language/check.h"
#include "language/external.h"
#include "language/layouts.h"
#include "passes/passes.h"
#include "passes/typist.h"
#include "rules/rules.h"
#include "verify/buffers.h"
#include "verify/memory.h"
#include "verify/stores.h"
#include "verify/target.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/reshape.h"

#include <algorithm>
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
  const Module typed(c, out);
  const Node entry = c.entry_function(out);
  const Accesses accesses(typed, entry);
  check_memory(typed, entry);
  check_buffers(typed, entry, accesses);
  check_stores(typed, entry, accesses);
  check_target(typed, entry);
  return c.result();
}

namespace {
// Whether a layout speaks of devices alone, whatever lies in each: no memory of the target is in question then.
bool is_of_devices(const Context &c, Node expression) {
  const auto layout = read_layout(c, expression);
  if (!layout) return false;
  const auto units = layout::units_of(*layout), levels = c.hardware_names("levels");
  return !units.empty() && std::ranges::none_of(units, [&](const std::string &axis) {
    return std::ranges::find(levels, axis) != levels.end();
  });
}

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
    : m_(module), c(module.c), function_(function), imports_(module.c, module.root, locals(module.c, function)) {
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound_[std::string(name.id())].push_back(n);
    if (auto a = c.as<ast::arg>(n)) bound_[std::string(a.arg())].push_back(n);
  });
}

Result Typist::run(Node &out) {
  std::vector<uint32_t> statements;
  for (size_t known = 0;;
       known = layouts_.size()) { // what a name is bound to later says where it lies from the first on
    names_.clear(), cut_.clear(), unknown_.clear(), before_.clear(), unmet_.clear();
    parameters();
    statements = body(c.get<ast::FunctionDef>(function_).body());
    if (layouts_.size() == known || failed_ || c.errors()) break;
  }
  for (const Node layout : unmet_) c.report(diag::tile_layout, layout, c.show(layout), c.target());
  const Node function = with_list(c, function_, HTP_FIELD(FunctionDef, body), statements);
  out = function == function_ ? m_.root : imports_.apply(with_statement(c, m_.root, function_, function));
  return failed_ ? HTP_FAILED : c.result();
}

void Typist::parameters() {
  auto a = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args());
  for (const Nodes list : {a.posonlyargs(), a.args()})
    for (const Node n : list) {
      auto p = c.get<ast::arg>(n);
      auto type = normal(p.annotation());
      Node annotation = p.annotation();
      if (annotation && m_.is_int(annotation)) continue; // ints have no type
      if (type && type->form.empty()) type->form = "Tensor", type->extents = {Extent::of(1)};
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
  std::vector<uint32_t> outer = std::exchange(before_, {});
  for (const Node s : statements) {
    const Node typed = statement(s);
    result.insert(result.end(), before_.begin(), before_.end());
    before_.clear();
    result.push_back(typed);
  }
  before_ = std::move(outer);
  return result;
}

Node Typist::statement(Node n) {
  switch (c.kind(n)) {
  case HTP_For: return loop(n);
  case HTP_While: return with_list(c, n, HTP_FIELD(While, body), body(c.get<ast::While>(n).body()));
  case HTP_If: return branch(n);
  case HTP_FunctionDef: return with_list(c, n, HTP_FIELD(FunctionDef, body), body(c.get<ast::FunctionDef>(n).body()));
  case HTP_Assign: {
    auto a = c.get<ast::Assign>(n);
    return binding(n, a.targets()[0], HTP_NONE, a.value());
  }
  case HTP_AnnAssign: {
    auto a = c.get<ast::AnnAssign>(n);
    return binding(n, a.target(), a.annotation(), a.value());
  }
  case HTP_Expr: {
    const Node e = c.get<ast::Expr>(n).value();
    if (!c.is(e, HTP_Call)) return n;
    if (const Node up = going_up(e); up != e) return statement(with_slot(c, n, HTP_FIELD(Expr, value), up));
    if (const Node whole = bounded(e); whole != e) return statement(with_slot(c, n, HTP_FIELD(Expr, value), whole));
    const bool before = std::exchange(failed_, false);
    type_of_call(e);
    if (!failed_) n = with_slot(c, n, HTP_FIELD(Expr, value), spelled_out(e));
    failed_ |= before;
    return n;
  }
  default: return n;
  }
}

Node Typist::loop(Node n) {
  auto f = c.get<ast::For>(n);
  const size_t errors = c.errors();
  if (const Node item = item_of(f.iter())) {
    names_[std::string(c.name_of(f.target()))] = {item, f.target()};
    const Node tiles = loop_forms(c, m_.names, f.iter()).range;
    cut_[std::string(c.name_of(f.target()))] = c.name_of(c.get<ast::Call>(tiles).args()[0]);
  } else if (c.errors() != errors) {
    unknown_.emplace(c.name_of(f.target()));
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
  if (const Node up = going_up(value); up != value) {
    n = with_value(c, n, up);
    value = up;
  }
  if (const Node whole = bounded(value); whole != value) {
    n = with_value(c, n, whole);
    value = whole;
  }
  const bool before = std::exchange(failed_, false);
  Node type = type_of(value);
  if (!type && (failed_ || refused(value))) unknown_.insert(name);
  failed_ |= before;
  if (!type) return n;
  if (const Node explicit_value = spelled_out(value); explicit_value != value) {
    n = with_value(c, n, explicit_value);
    value = explicit_value;
  }
  if (const auto layout = layouts_.find(name); layout != layouts_.end() && !names_.contains(name))
    if (auto placed = read_type(c, type); placed && !placed->layout) {
      placed->layout = layout->second;
      type = write_type(c, *placed, target);
    }
  if (annotation) type = agree(target, annotation, type);
  if (const Node copy = copied(value, type); copy != value) {
    n = with_slot(c, n, c.is(n, HTP_Assign) ? HTP_FIELD(Assign, value) : HTP_FIELD(AnnAssign, value), copy);
    value = copy;
  }
  const auto [it, first] = names_.try_emplace(name, Known{type, target});
  if (!first) {
    if (!same(it->second.type, type) && !lies_so(name, it->second.type, type)) {
      const auto now = read_type(c, type), first_type = read_type(c, it->second.type);
      const bool tiles = now && first_type && now->form == "Tile" && first_type->form == "Tile";
      c.report(diag::retyped, target, name, c.show(type), c.show(it->second.type))
          .label(it->second.where, "first bound here")
          .hint(!tiles || (now->dtype != first_type->dtype && now->extents != first_type->extents) ? "use another name"
                : now->extents == first_type->extents && now->dtype == first_type->dtype
                    ? "`relayout` it, or use another name"
                : now->extents != first_type->extents
                    ? "bind it first with the extents that it has here, or use another name"
                    : "cast it to " + first_type->dtype + ", or use another name");
    }
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

bool Typist::lies_so(const std::string &name, Node first, Node now) {
  auto before = normal(first);
  const auto type = normal(now);
  if (!before || !type || before->layout || !type->layout || type->form != "Tile") return false;
  before->layout = type->layout;
  if (!same_type(c, *before, *type)) return false;
  layouts_.try_emplace(name, type->layout); // of two that differ the next round tells
  return true;
}

Node Typist::made(std::string_view stem, std::string_view intrinsic, Node value, const htp_intrinsic *row) {
  const std::string name = c.fresh(std::string(stem));
  const Nodes arguments = c.get<ast::Call>(value).args();
  std::vector<Node> types;
  if (row)
    types = types_of(*row, arguments);
  else
    for (const Node a : arguments) types.push_back(known(a));
  const Node annotation =
      spell(c.host()->infer(c.ctx(), str(intrinsic), value, types.data(), static_cast<uint32_t>(types.size())), value);
  names_[name] = {annotation, value};
  before_.push_back(c.assign(name, annotation, value, value));
  return c.name(name, value);
}

Node Typist::spelled_out(Node value) {
  auto k = c.as<ast::Call>(value);
  const std::string path = k ? m_.path(k.func()) : std::string();
  const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
  if (!row) return value;
  if (path == "htp_tile.reduce_mean") return mean(value);
  if (const Node made = compound(value, *row)) return made;
  if (path == "htp_tile.reshape") return without_rest(value);
  std::optional<Type> like; // what an int becomes: of the dtype of a tile, or of what is stored to
  for (const Node a : k.args())
    if (const auto t = read_type(c, known(a)); t && (!like || like->dtype == "bool_")) like = t;
  if (!like) return value;
  const auto is_literal = [&](Node a) {
    auto u = c.as<ast::UnaryOp>(a);
    return c.is(u ? u.operand() : a, HTP_Constant) || !m_.path(a).empty();
  };
  const auto stored = has_name(row->effects, "write") ? stored_as(Call(c, *row, value, types_)) : std::nullopt;
  std::vector<uint32_t> arguments(k.args().begin(), k.args().end());
  const std::string tile = imports_.module("htp_tile", "tile");
  for (size_t p = 0; p < arguments.size() && p < row->parameter_count && !is_variadic(row->parameters[p]); ++p) {
    const Node a = arguments[p];
    const auto t = read_type(c, known(a));
    if (t && parameter_name(row->parameters[p]) == "value" && stored) {
      std::vector<uint32_t> of{a};
      for (const Extent &e : *stored) of.push_back(write_extent(c, e, a));
      arguments[p] = made(c.name_of(a), "tile.reshape", c.call(tile + ".reshape", of, a));
    } else if (!t && takes_ints(*row, row->parameters[p]) && !is_literal(a)) {
      const Node dtype = c.path(imports_.name("htp", like->dtype, "htp"), a);
      const std::string stem = c.is(a, HTP_Name) ? std::string(c.name_of(a)) : "int";
      arguments[p] =
          made(stem + "_" + like->dtype, "tile.full", c.call(tile + ".full", {dtype, a, c.integer_node(1, a)}, a));
    }
  }
  return with_list(c, value, HTP_FIELD(Call, args), arguments);
}

// A mean is a sum that is divided by how many there are; of narrow floats in f32, which is rounded once.
Node Typist::mean(Node call) {
  auto k = c.get<ast::Call>(call);
  const auto type = read_type(c, known(k.args()[0]));
  int64_t axis = 0;
  for (const Node w : k.keywords()) c.integer(c.get<ast::keyword>(w).value(), &axis);
  const Extent along = type->extents[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(type->rank()) : axis)];
  const std::string tile = imports_.module("htp_tile", "tile");
  const bool narrow = type->dtype == "f16" || type->dtype == "bf16";
  const std::string wide = narrow ? "f32" : type->dtype;
  const auto dtype = [&](const std::string &name) { return c.path(imports_.name("htp", name, "htp"), call); };
  const Node x = k.args()[0];
  const std::string stem = c.is(x, HTP_Name) ? std::string(c.name_of(x)) : "x";
  const Node operand = narrow ? made(stem + "_f32", "tile.cast", c.call(tile + ".cast", {x, dtype("f32")}, call)) : x;
  const Node arguments[] = {operand};
  Node sum = with_slot(c, call, HTP_FIELD(Call, func), c.path(tile + ".reduce_sum", call));
  sum = made("total", "tile.reduce_sum", with_list(c, sum, HTP_FIELD(Call, args), arguments));
  const Node count = write_extent(c, along, call);
  const auto range_of = [&](const std::string &name) {
    return IntRange{natural(name) ? std::optional(0) : std::nullopt};
  };
  const MaybeInt size = m_.sum(count);
  const bool below_0 = !size || size->range(range_of).least.value_or(-1) < 0; // then there are none
  const Node counted = cut_.contains(along.name) ? c.call("len", {count}, call)
                       : below_0                 ? c.call("max", {count, c.integer_node(0, call)}, call)
                                                 : count;
  const Node by =
      made("count", "tile.full", c.call(tile + ".full", {dtype(wide), counted, c.integer_node(1, call)}, call));
  const Node quotient = c.call(tile + ".div", {sum, by}, call);
  return narrow ? c.call(tile + ".cast", {made("mean", "tile.div", quotient), dtype(type->dtype)}, call) : quotient;
}

// `reshape(x, -1, 4)` with the extent that is left.
Node Typist::without_rest(Node call) {
  auto k = c.get<ast::Call>(call);
  std::vector<uint32_t> arguments(k.args().begin(), k.args().end());
  int64_t size = 0;
  for (size_t at = 1; at < arguments.size(); ++at)
    if (c.integer(arguments[at], &size) && size == -1)
      arguments[at] = write_extent(c, read_type(c, typed_)->extents[at - 1], arguments[at]);
  return with_list(c, call, HTP_FIELD(Call, args), arguments);
}

// A block's indices stay a dimension of their own: what a loop's iterations do does not mix by how long a block is.
bool Typist::keeps_blocks(Node call, Node type) const {
  const auto from = read_type(c, known(c.get<ast::Call>(call).args()[0])), to = read_type(c, type);
  const auto counts = [&](const Type &t) {
    std::vector<IntExpr> all;
    for (const Extent &e : t.extents) {
      const MaybeInt count = m_.sum(write_extent(c, e, call));
      all.push_back(clamped(count ? *count : IntExpr::other(e.text(), {e.text()}),
                            [&](const std::string &name) { return natural(name); }));
    }
    return all;
  };
  const auto before = counts(*from), after = counts(*to);
  const auto groups = reshape_groups(before, after);
  const auto cut = [&](const IntExpr &e) {
    return std::ranges::any_of(e.names(), [&](const std::string &name) { return cut_.contains(name); });
  };
  if (!groups) { // of ints that are below 0 when the program runs there are no elements, and their product has some
    c.report(diag::reshape_mismatch, call, text_of(c, *from), shape_text(to->extents));
    return false;
  }
  for (const ReshapeGroup &g : *groups) {
    if (g.from.size() + g.to.size() == 2) continue;
    if (std::ranges::none_of(g.from, [&](size_t d) { return cut(before[d]); }) &&
        std::ranges::none_of(g.to, [&](size_t d) { return cut(after[d]); }))
      continue;
    c.report(diag::reshape_mismatch, call, text_of(c, *from), shape_text(to->extents))
        .hint("a block stays a dimension of its own, in its place; `transpose` changes the order");
    return false;
  }
  return true;
}

Node Typist::type_of(Node value) {
  if (c.is(value, HTP_Call)) return type_of_call(value);
  return known(value);
}

Node Typist::known(Node e) const {
  if (c.is(e, HTP_BinOp)) return moved(e);
  if (const auto s = read_slice(c, e)) {
    const MaybeInt length = s->start ? slice_length(c, *s, m_.ints()) : std::nullopt;
    return length ? write_span(c, Extent::of(*length), e) : HTP_NONE;
  }
  if (const auto it = names_.find(c.name_of(e)); it != names_.end()) return it->second.type;
  const Node function = m_.kind_of(c.name_of(e)) == Module::Kind::function ? m_.definition(c.name_of(e)) : HTP_NONE;
  return function && m_.is_external(function) ? write_signature(c, types_of_external(m_, function), e) : HTP_NONE;
}

// Whether sizes alone say how many indices a slice has; reported when they do not.
bool Typist::has_length(Nodes arguments, size_t at) const {
  const Node slice = arguments[at];
  const auto length = read_span(c, known(slice));
  if (length && length->name.empty() && length->size > 0) return true;
  const SliceCall s = *read_slice(c, slice);
  const std::string chosen = chosen_from_all(arguments, at, s);
  const std::string instead = chosen.empty() ? "" : "take the whole dimension, and choose: `" + chosen + "`";
  if (length && !length->name.empty()) return stays(slice, m_.sum(write_extent(c, *length, slice)), instead);
  const std::string shown = length                     ? length->text()
                            : m_.integer(s.start) == 0 ? c.show(s.stop)
                                                       : c.show(s.stop) + " - " + c.show(s.start);
  c.report(diag::bad_extent, slice, shown)
      .hint(length ? "a slice has 1 index or more" : "bind its bounds to names on lines before, `last = …`");
  return false;
}

bool Typist::stays(Node at, const MaybeInt &extent, const std::string &instead) const {
  size_t run_time = 0;
  for (const std::string &name : extent ? extent->names() : std::set<std::string>{c.show(at)}) {
    if (m_.is_dim(name)) continue;
    const auto bound = bound_.find(name);
    if (bound == bound_.end() || names_.contains(name)) {
      c.report(diag::bad_extent, at, extent ? extent->text() : name)
          .hint("bind what is computed to a name on a line before, `length = …`, and use that");
      return false;
    }
    if (bound->second.size() > 1) {
      auto report = c.report(diag::changing_extent, at, extent->text(), name);
      for (const Node n : bound->second) report.label(n, "bound here");
      return false;
    }
    ++run_time;
  }
  if (!run_time || c.hardware("extents.run_time") == "taken") return true;
  auto report = c.report(diag::run_time_extent, at, extent->text(), c.target());
  if (!instead.empty()) report.hint(instead);
  if (run_time > 1) report.hint("ints in the bounds cancel, as in `p:p + 8`, of what is read once, `p = index(t[b])`");
  return false;
}

bool Typist::stay(const htp_intrinsic &row, Node call) const {
  const Nodes arguments = c.get<ast::Call>(call).args();
  size_t first = 0;
  while (first < row.parameter_count && !is_variadic(row.parameters[first])) ++first;
  if (first == row.parameter_count || parameter_name(row.parameters[first]) != "extents") return true;
  for (const Node n : arguments.subspan(std::min(first, arguments.size())))
    if (!m_.integer(n) && !read_block(c, known(n)) && !stays(n, m_.sum(n))) return false;
  return true;
}

// `where(iota(i32, 1, N, axis=1) < n, x[i, :], 0)` for what was meant by `x[i, :n]`; empty where that is no load of
// this form.
std::string Typist::chosen_from_all(Nodes arguments, size_t at, const SliceCall &s) const {
  const auto tensor = read_type(c, known(arguments[0]));
  if (!tensor || at == 0 || arguments.size() != tensor->rank() + 1 || (s.step && m_.integer(s.step) != 1)) return {};
  std::string index, extents;
  for (size_t d = 0; d < tensor->rank(); ++d) {
    const Node n = arguments[d + 1];
    const bool whole = d + 1 == at || last_component(c.dotted(n)) == "whole";
    if (d + 1 != at && read_slice(c, n)) return {};
    index += (d ? ", " : "") + (whole ? ":" : c.show(n));
    extents += ", " + (d + 1 == at ? tensor->extents[d].text() : "1");
  }
  if (cut_.contains(tensor->extents[at - 1].name)) return {};
  const std::string counted = "iota(i32" + extents + ", axis=" + std::to_string(at - 1) + ")";
  const auto bound = [&](Node n) { return c.is(n, HTP_BinOp) ? "(" + c.show(n) + ")" : c.show(n); };
  const std::string from = counted + " >= " + bound(s.start), to = counted + " < " + bound(s.stop);
  const bool first = m_.integer(s.start) == 0, last = c.show(s.stop) == tensor->extents[at - 1].text();
  return "where(" +
         (first  ? to
          : last ? from
                 : "(" + from + ") & (" + to + ")") +
         ", " + std::string(c.name_of(arguments[0])) + "[" + index + "], 0)";
}

Node Typist::bounded(Node call) {
  auto k = c.as<ast::Call>(call);
  const std::string path = k ? m_.path(k.func()) : std::string();
  const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
  const bool indexes = row && (*row->effects || row->rule == std::string_view("extract"));
  if (!indexes || k.args().empty()) return call;
  const auto type = read_type(c, known(k.args()[0]));
  size_t first = 0;
  while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
  if (!type || first == row->parameter_count || first > k.args().size()) return call;
  std::vector<uint32_t> arguments;
  for (const Node a : k.args()) {
    const size_t others = k.args().size() - first - 1;
    if (arguments.size() < first || !is_ellipsis(c, a) || others > type->rank())
      arguments.push_back(a);
    else
      for (size_t left = type->rank() - others; left--;)
        arguments.push_back(c.path(imports_.module("htp_tile", "tile") + ".whole", a));
  }
  const bool outside = std::ranges::any_of(k.keywords(), [&](Node w) { // which is where negative indices are then
    return c.get<ast::keyword>(w).arg() == "outside" && !is_none(c.get<ast::keyword>(w).value());
  });
  const bool memory = type->form == "Tensor";
  for (size_t d = 0; d < type->rank() && first + d < arguments.size(); ++d) {
    uint32_t &index = arguments[first + d];
    if (read_slice(c, index))
      index = bounded(index, type->extents[d], memory, !outside);
    else if (!outside)
      index = from_end(index, type->extents[d], memory);
  }
  return with_list(c, call, HTP_FIELD(Call, args), arguments);
}

// What goes down, `x[a:b:-2]`, is the slice `x[b + 1:a + 1]`, of which a slice of the tile goes from its last element
// to its first: memory is only gone through upwards. What is stored is turned before.
Node Typist::going_up(Node call) {
  auto k = c.as<ast::Call>(call);
  const std::string path = k ? m_.path(k.func()) : std::string();
  const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
  const bool slices = row && row->rule == std::string_view("extract");
  if (!row || !(slices || *row->effects) || k.args().empty()) return call;
  const auto type = read_type(c, known(k.args()[0]));
  size_t first = 0;
  while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
  const auto down = [&](Node n) {
    const auto s = read_slice(c, n);
    return s && s->step && m_.integer(s->step).value_or(1) < 0;
  };
  if (!type || first == row->parameter_count || std::ranges::none_of(k.args(), down)) return call;
  call = bounded(call);
  k = c.get<ast::Call>(call);
  if (k.args().size() != first + type->rank()) return call; // reported as that
  const bool memory = type->form == "Tensor";
  const std::string tile = imports_.module("htp_tile", "tile");
  std::vector<uint32_t> arguments(k.args().begin(), k.args().end()), turned;
  bool whole = true; // all else of a tile: then there is nothing to slice before
  for (size_t d = 0; d < type->rank(); ++d) {
    uint32_t &index = arguments[first + d];
    const Node all = c.path(tile + ".whole", index);
    if (!down(index)) {
      whole = whole && last_component(c.dotted(index)) == "whole";
      turned.push_back(all);
      continue;
    }
    const SliceCall s = *read_slice(c, index);
    const MaybeInt start = m_.sum(s.start), before = s.stop ? m_.sum(s.stop) : MaybeInt(IntExpr(-1));
    const MaybeInt begin = m_.sum(begin_of(type->extents[d], memory, index)),
                   end = m_.sum(end_of(type->extents[d], memory, index));
    const MaybeInt low = before + IntExpr(1), high = start + IntExpr(1), last = high - low - IntExpr(1);
    if (!last || !begin || !end) return call;
    const bool every = *low == *begin && *high == *end;
    whole = whole && every;
    index = every ? all : c.call("slice", {c.parse(low->text(), index), c.parse(high->text(), index)}, index);
    turned.push_back(c.call("slice",
                            {c.parse(last->text(), index), c.make(make::Constant{.value = Literal{}}, index),
                             c.integer_node(*m_.integer(s.step), index)},
                            index));
  }
  const auto extract = [&](Node of) {
    std::vector<uint32_t> operands{of};
    operands.insert(operands.end(), turned.begin(), turned.end());
    return c.call(tile + ".extract", std::move(operands), call);
  };
  const bool by_tile = std::any_of(arguments.begin() + static_cast<ptrdiff_t>(first), arguments.end(), [&](Node n) {
    const auto index = read_type(c, known(n));
    return index && index->form == "Tile";
  });
  if (slices && whole) return extract(arguments[0]);
  if (has_name(row->effects, "write")) {
    const Node value = arguments[1];
    if (const auto stored = read_type(c, known(value)); stored && stored->form == "Tile") {
      if (by_tile || stored->rank() > type->rank()) return call; // the rule reports it
      turned.erase(turned.begin(), turned.end() - static_cast<ptrdiff_t>(stored->rank()));
      for (size_t d = 0; d < stored->rank(); ++d)
        if (stored->extents[d].is(1)) turned[d] = c.path(tile + ".whole", call); // which repeats
      arguments[1] = made(c.name_of(value), "tile.extract", extract(value));
    }
    return with_list(c, call, HTP_FIELD(Call, args), arguments);
  }
  if (by_tile) return call;
  const Node up = with_list(c, call, HTP_FIELD(Call, args), arguments);
  return extract(made(std::string(c.name_of(arguments[0])) + "_up", row->name, up, row));
}

bool Typist::is_none(Node n) const {
  auto constant = c.as<ast::Constant>(n);
  return constant && constant.value().type == HTP_CONST_NONE;
}

// Where a dimension begins and ends: a buffer's of a block with that block, a tile's at 0 and as long as it is.
Node Typist::begin_of(const Extent &dimension, bool memory, Node origin) const {
  return memory && cut_.contains(dimension.name) ? c.parse(dimension.name + ".start", origin)
                                                 : c.integer_node(0, origin);
}
Node Typist::end_of(const Extent &dimension, bool memory, Node origin) const {
  if (!cut_.contains(dimension.name)) return write_extent(c, dimension, origin);
  return c.parse(memory ? dimension.name + ".stop" : "len(" + dimension.name + ")", origin);
}

// A negative constant as what it stands for, `N - 1` for -1.
Node Typist::from_end(Node n, const Extent &dimension, bool memory) const {
  int64_t at = 0;
  if (!c.integer(n, &at) || at >= 0) return n;
  const MaybeInt sum = m_.sum(end_of(dimension, memory, n)) + IntExpr(at);
  if (!sum || sum->constant().value_or(0) < 0) return n; // the rule reports it
  return c.parse(sum->text(), n);
}

Node Typist::bounded(Node slice, const Extent &dimension, bool memory, bool counts) {
  SliceCall s = *read_slice(c, slice);
  const auto bound = [&](Node n) { return counts ? from_end(n, dimension, memory) : n; };
  const auto one_less = [&](Node n) {
    const MaybeInt sum = m_.sum(n) - IntExpr(1);
    return sum ? c.parse(sum->text(), slice) : n;
  };
  const Node begin = begin_of(dimension, memory, slice), end = end_of(dimension, memory, slice);
  if (s.step && m_.integer(s.step).value_or(1) < 0) { // what is before the first has no int from 0 on
    s.start = s.start ? bound(s.start) : one_less(end);
    s.stop = s.stop ? bound(s.stop) : m_.integer(begin) == 0 ? HTP_NONE : one_less(begin);
    const std::vector<uint32_t> parts{s.start, s.stop ? s.stop : c.make(make::Constant{.value = Literal{}}, slice),
                                      s.step};
    const auto same = c.get<ast::Call>(slice).args();
    return same.size() == 3 && s.start == same[0] && (s.stop ? s.stop == same[1] : is_none(same[1]))
               ? slice
               : c.call("slice", parts, slice);
  }
  s.start = s.start ? bound(s.start) : begin;
  s.stop = s.stop ? bound(s.stop) : end;
  const bool each = !s.step || m_.integer(s.step) == 1;
  const MaybeInt start = m_.sum(s.start), stop = m_.sum(s.stop);
  if (!start || !stop) return slice;
  // From a block's begin to its end, moved or not, it is that block.
  for (const auto &[name, of] : cut_) {
    const MaybeInt by = start - IntExpr::other(name + ".start", {name});
    const MaybeInt last = stop - IntExpr::other(name + ".stop", {name});
    if (!each || !by || by != last || by->uses(name)) continue;
    if (start->text().find(name + ".start") == std::string::npos) continue;
    if (by->constant() == 0) return c.name(name, slice);
    return c.binary(c.name(name, slice), HTP_Add, c.parse(by->text(), slice), slice);
  }
  std::vector<uint32_t> parts{s.start, s.stop};
  if (!each) parts.push_back(s.step);
  const auto same = c.get<ast::Call>(slice).args();
  if (std::equal(same.begin(), same.end(), parts.begin(), parts.end())) return slice;
  const Node result = c.call("slice", parts, slice);
  return result;
}

// A block that is moved or spread. What a call makes of a block, `len(i)`, is an int, and so is `i.start`.
Node Typist::moved(Node e) const {
  Node block = HTP_NONE;
  c.each(e, [&](Node n) {
    if (c.is(n, HTP_Name) && read_block(c, known(n))) block = n;
    return !c.is(n, HTP_Call) && !c.is(n, HTP_Attribute);
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
  const bool one_value = path == "htp_tile.load" || path == "htp_tile.extract"; // before the indices
  for (size_t at = 0; at < k.args().size(); ++at)
    if (read_slice(c, k.args()[at]) && !has_length(one_value ? k.args() : k.args().subspan(at, 1), one_value ? at : 0))
      return failed_ = true, HTP_NONE;
  if (!stay(row, call)) return failed_ = true, HTP_NONE;
  std::vector<Node> types = types_of(row, k.args());
  uint32_t p = 0;
  for (size_t at = 0; at < k.args().size() && p < row.parameter_count && !row.parameters[p].keyword_only; ++p)
    at = is_variadic(row.parameters[p]) ? k.args().size() : at + 1;
  for (; p < row.parameter_count; ++p) {
    types.push_back(HTP_NONE);
    for (const Node w : k.keywords())
      if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == row.parameters[p].name)
        types.back() = known(keyword.value());
  }
  const Node type = c.host()->infer(c.ctx(), str(row.name), call, types.data(), static_cast<uint32_t>(types.size()));
  types_ = std::move(types);
  typed_ = type;
  failed_ |= !type || (path == "htp_tile.reshape" && !keeps_blocks(call, type)); // the rule reported why
  return c.is(type, HTP_Constant) ? HTP_NONE : type;                             // `None`: no result
}

std::vector<Node> Typist::types_of(const htp_intrinsic &row, Nodes arguments) const {
  std::vector<Node> types;
  for (const Node a : arguments) types.push_back(known(a));
  uint32_t p = 0;
  while (p < row.parameter_count && !is_variadic(row.parameters[p])) ++p;
  if (p == row.parameter_count || !has_name(row.parameters[p].annotation, "Index")) return types;
  anywhere(arguments, p, types);
  if (*row.effects) within_buffer(arguments, p, types);
  return types;
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

void Typist::anywhere(Nodes arguments, size_t first, std::vector<Node> &types) const {
  const auto indexed = types.empty() || !types[0] ? std::nullopt : read_type(c, types[0]);
  if (!indexed || arguments.size() != first + indexed->rank()) return;
  for (size_t d = 0; d < indexed->rank(); ++d) {
    const auto of = read_block(c, types[first + d]);
    if (of && !of->name.empty() && !m_.of_dims(write_extent(c, *of, function_)) && !(*of == indexed->extents[d]))
      types[first + d] = write_moved(c, std::string(c.name_of(arguments[first + d])), arguments[first + d]);
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
  const auto sum = m_.sum(k.args()[0]);
  if (!m_.integer(k.args()[0]) && !stays(k.args()[0], sum)) return HTP_NONE;
  return sum ? write_block(c, Extent::of(*sum), iter) : HTP_NONE;
}

std::optional<Type> Typist::normal(Node annotation) {
  if (!annotation) return std::nullopt;
  auto type = read_type(c, annotation);
  if (!type) return std::nullopt;
  for (Extent &e : type->extents)
    if (!e.name.empty() && !m_.is_dim(e.name))
      if (const auto sum = m_.sum(write_extent(c, e, annotation))) e = Extent::of(*sum);
  if (is_layout(m_, type->layout)) type->layout = canonical_layout(m_, type->layout, imports_.module("htp", "htp"));
  return type;
}

bool Typist::same(Node a, Node b) {
  const auto x = normal(a), y = normal(b);
  return x && y ? same_type(c, *x, *y) : c.show(a) == c.show(b);
}

// A type of another plugin's, however its intrinsics are reached.
std::string Typist::without_modules(Node annotation) const {
  return c.show(rewrite(
      c, annotation,
      [&](Node n) {
        auto a = c.as<ast::Attribute>(n);
        return a ? c.name(a.attr(), n) : n;
      },
      [](Node, std::vector<uint32_t> &) { return false; }));
}

// A user's annotation agrees with what was inferred; it may add a layout and a space. Where a tile lies in a memory
// follows from the tensors that it is made of and stored to, so a layout of that kind is one that is found as well.
Node Typist::agree(Node target, Node annotation, Node inferred) {
  auto written = normal(annotation), found = normal(inferred);
  const bool own = found && (found->form.empty() || found->form == "Tile" || found->form == "Tensor");
  if (!written || !own) {
    if (without_modules(annotation) != without_modules(inferred))
      c.report(diag::annotation_mismatch, annotation, c.name_of(target), c.show(annotation), c.show(inferred));
    return annotation;
  }
  if (written->layout && !found->layout) {
    if (found->form != "Tile" || lays_out_tiles(c) || is_of_devices(c, written->layout))
      found->layout = written->layout;
    else
      unmet_.push_back(read_type(c, annotation)->layout), written->layout = HTP_NONE;
  }
  if (!written->layout) written->layout = found->layout; // nothing is declared of it
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
