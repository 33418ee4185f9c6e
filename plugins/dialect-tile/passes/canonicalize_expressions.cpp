// Expressions in canonical form.
#include "language/layouts.h"
#include "passes/canonicalizer.h"
#include "passes/rebuild.h"

#include "htp_cpp/types.h"

#include <cmath>

namespace htp::tile {

const Meaning &Canonicalizer::meaning(Node e) const {
  static const Meaning nothing{};
  const auto it = meanings_.find(e);
  return it == meanings_.end() ? nothing : it->second;
}

std::string Canonicalizer::claim(std::string_view stem) {
  std::string name(stem);
  unsigned &next = next_.try_emplace(name, 1).first->second;
  while (!taken_.insert(name).second) name = std::string(stem) + "_" + std::to_string(next++);
  return name;
}

// `tile.exp` for htp_tile.exp: the module is imported under the first component of the intrinsic's own name.
std::string Canonicalizer::spelled(const htp_intrinsic &row) {
  const std::string_view python = row.python, name = row.name;
  const size_t dot = python.rfind('.');
  return imports_.module(std::string(python.substr(0, dot)), std::string(name.substr(0, name.find('.')))) +
         std::string(python.substr(dot));
}

std::string Canonicalizer::own(std::string_view name) {
  return imports_.module("htp_tile", "tile") + "." + std::string(name);
}

std::string_view Canonicalizer::root_of(Node e, const Meaning &meaning) {
  if (!meaning.row || std::string_view(meaning.row->name) != "tile.pow") return {};
  const auto of = signs_.operands(e);
  if (of.size() != 2) return {};
  const auto &exponent = this->meaning(of[1]).value;
  if (!exponent || std::fabs(exponent->as_double()) != 0.5 || !signs_.never_below_zero(of[0])) return {};
  return exponent->as_double() > 0 ? "sqrt" : "rsqrt";
}

std::string Canonicalizer::stem(Node e, const Meaning &meaning) {
  if (const auto root = root_of(e, meaning); !root.empty()) return std::string(root);
  Node tensor = HTP_NONE;
  if (auto s = c.as<ast::Subscript>(e)) tensor = s.value();
  if (auto k = c.as<ast::Call>(e); k && std::string_view(meaning.row->name) == "tile.load" && !k.args().empty())
    tensor = k.args()[0];
  if (tensor && c.is(tensor, HTP_Name)) return std::string(c.name_of(tensor)) + "_tile";
  return last_component(meaning.row->name);
}

Node Canonicalizer::operand(Node e) {
  const Meaning &m = meaning(e);
  if (m.row) {
    const Node call = value(e);
    const std::string name = claim(stem(e, m));
    out_->push_back(c.assign(name, HTP_NONE, call, e));
    return c.name(name, e);
  }
  if (m.sort == Sort::number && m.value) return folded(e, *m.value);
  if (is_scalar(e)) { // its element is a tile, loaded where it is used
    const std::string name = claim(std::string(c.name_of(e)) + "_tile");
    out_->push_back(c.assign(name, HTP_NONE, c.call(own("load"), {e, c.integer_node(0, e)}, e), e));
    return c.name(name, e);
  }
  return plain(e);
}

bool Canonicalizer::is_scalar(Node e) const {
  return c.is(e, HTP_Name) && meaning(e).sort == Sort::tile && scalars_.contains(c.name_of(e));
}

// A literal stays as it was written; what is computed of literals and constants becomes one.
Node Canonicalizer::folded(Node e, const Number &number) {
  Node digits = e;
  if (auto u = c.as<ast::UnaryOp>(e); u && u.op() == HTP_USub) digits = u.operand();
  return c.is(digits, HTP_Constant) ? e : literal(c, number, e);
}

Node Canonicalizer::extent(Node e) const {
  if (!c.is(e, HTP_BinOp)) return e;
  bool constants = false;
  c.each(e, [&](Node n) {
    const std::string_view name = c.name_of(n);
    constants |= !name.empty() && !bound_.contains(name) && m_.kind_of(name) == Module::Kind::constant;
  });
  const auto sum = constants ? m_.sum(e) : std::nullopt;
  return sum ? write_extent(c, Extent::of(*sum), e) : e;
}

Node Canonicalizer::annotation(Node n) const {
  auto outer = c.as<ast::Subscript>(n);
  auto inner = outer ? c.as<ast::Subscript>(outer.slice()) : ast::Subscript{};
  auto tuple = inner ? c.as<ast::Tuple>(inner.slice()) : ast::Tuple{};
  if (!tuple) return n;
  std::vector<uint32_t> parts;
  for (const Node part : tuple.elts()) parts.push_back(extent(part));
  const Node whole = with_list(c, tuple.node, HTP_FIELD(Tuple, elts), parts);
  return with_slot(c, n, HTP_FIELD(Subscript, slice), with_slot(c, inner.node, HTP_FIELD(Subscript, slice), whole));
}

Node Canonicalizer::value(Node e) {
  const Meaning &m = meaning(e);
  if (const auto root = root_of(e, m); !root.empty()) return c.call(own(root), {operand(signs_.operands(e)[0])}, e);
  switch (c.kind(e)) {
  case HTP_Call: return call(e, m);
  case HTP_BinOp: {
    auto b = c.get<ast::BinOp>(e);
    const Node left = operand(b.left());
    return call_of(e, m, {left, operand(b.right())});
  }
  case HTP_UnaryOp: return call_of(e, m, {operand(c.get<ast::UnaryOp>(e).operand())});
  case HTP_Compare: {
    auto k = c.get<ast::Compare>(e);
    const Node left = operand(k.left());
    return call_of(e, m, {left, operand(k.comparators()[0])});
  }
  case HTP_Subscript: {
    auto s = c.get<ast::Subscript>(e);
    const bool tile = std::string_view(m.row->name) == "tile.extract";
    std::vector<uint32_t> arguments{tile ? operand(s.value()) : plain(s.value())};
    indices(s.slice(), arguments);
    return call_of(e, m, std::move(arguments));
  }
  default: return plain(e);
  }
}

Node Canonicalizer::call_of(Node e, const Meaning &meaning, std::vector<uint32_t> arguments) {
  return c.call(spelled(*meaning.row), std::move(arguments), e);
}

Node Canonicalizer::call(Node e, const Meaning &meaning) {
  auto k = c.get<ast::Call>(e);
  const htp_intrinsic &row = *meaning.row;
  std::vector<uint32_t> arguments, keywords;
  const bool memory = *row.effects != '\0';                                   // which names what it loads from
  if (std::string_view(row.name) == "tile.call" && m_.path(k.func()).empty()) // of a function by its name
    arguments.push_back(c.name(c.name_of(k.func()), k.func()));
  uint32_t at = 0; // the parameter that an argument is for
  for (const Node a : k.args()) {
    const bool sized =
        at < row.parameter_count && is_variadic(row.parameters[at]) && parameter_name(row.parameters[at]) == "extents";
    arguments.push_back(memory && arguments.empty() && is_scalar(a) ? plain(a) : index(sized ? extent(a) : a));
    if (at < row.parameter_count && !is_variadic(row.parameters[at])) ++at;
  }
  for (const Node w : k.keywords())
    keywords.push_back(with_slot(c, w, HTP_FIELD(keyword, value), index(c.get<ast::keyword>(w).value())));
  // What may stand by position does, as far as nothing is left out before it.
  for (auto p = static_cast<uint32_t>(arguments.size()); p < row.parameter_count; ++p) {
    if (row.parameters[p].keyword_only || is_variadic(row.parameters[p])) break;
    const auto given = std::find_if(keywords.begin(), keywords.end(), [&](Node w) {
      return c.get<ast::keyword>(w).arg() == parameter_name(row.parameters[p]);
    });
    if (given == keywords.end()) break;
    arguments.push_back(c.get<ast::keyword>(*given).value());
    keywords.erase(given);
  }
  const std::string name = spelled(row);
  if (c.dotted(k.func()) != name) e = with_slot(c, e, HTP_FIELD(Call, func), c.path(name, k.func()));
  e = with_list(c, e, HTP_FIELD(Call, args), arguments);
  return one_axis_each(with_list(c, e, HTP_FIELD(Call, keywords), keywords), row);
}

// `reduce_sum(x, axis=(0, 1))` is one call after the other; the last is given.
Node Canonicalizer::one_axis_each(Node e, const htp_intrinsic &row) {
  auto k = c.get<ast::Call>(e);
  for (const Node w : k.keywords()) {
    auto axes = c.as<ast::Tuple>(c.get<ast::keyword>(w).value());
    if (!axes) continue;
    Node last = HTP_NONE;
    for (const Node axis : axes.elts()) {
      std::vector<uint32_t> arguments(k.args().begin(), k.args().end());
      if (last) {
        const std::string name = claim(last_component(row.name));
        out_->push_back(c.assign(name, HTP_NONE, last, e));
        arguments[0] = c.name(name, e);
      }
      const Node keywords[] = {
          with_slot(c, w, HTP_FIELD(keyword, value), folded(axis, Number::integer(*m_.integer(axis))))};
      last = with_list(c, with_list(c, e, HTP_FIELD(Call, args), arguments), HTP_FIELD(Call, keywords), keywords);
    }
    return last;
  }
  return e;
}

void Canonicalizer::indices(Node slice, std::vector<uint32_t> &arguments) {
  if (auto t = c.as<ast::Tuple>(slice))
    for (const Node i : t.elts()) arguments.push_back(index(i));
  else
    arguments.push_back(index(slice));
}

// An argument in general: operands, and the compile-time values among them.
Node Canonicalizer::index(Node e) {
  if (is_ellipsis(c, e)) return e;
  if (c.is(e, HTP_Slice)) return c.path(own("whole"), e);
  if (read_slice(c, e)) {
    std::vector<uint32_t> parts;
    for (const Node part : c.get<ast::Call>(e).args()) parts.push_back(index(part));
    return with_list(c, e, HTP_FIELD(Call, args), parts);
  }
  if (is_layout(m_, e)) return canonical_layout(m_, e, imports_.module("htp", "htp"));
  if (auto several = c.as<ast::Tuple>(e)) {
    std::vector<uint32_t> parts;
    for (const Node part : several.elts()) parts.push_back(index(part));
    return with_list(c, e, HTP_FIELD(Tuple, elts), parts);
  }
  if (meaning(e).sort == Sort::whole) {
    const std::string whole = own("whole");
    return c.dotted(e) == whole ? e : c.path(whole, e);
  }
  if (const auto constant = meaning(e).row ? std::nullopt : m_.integer(e)) return folded(e, Number::integer(*constant));
  return operand(e);
}

// `htp.parallel(tile.tiles(extent, size), …)`.
Node Canonicalizer::iteration(Node iter) {
  auto k = c.get<ast::Call>(iter);
  const std::string path = m_.path(k.func());
  std::vector<uint32_t> arguments;
  std::string name;
  if (path == "htp_tile.tiles") {
    name = own("tiles");
    for (const Node a : k.args()) arguments.push_back(index(a));
    for (const char *name : {"extent", "size"})
      for (const Node w : k.keywords())
        if (auto given = c.get<ast::keyword>(w); given.arg() == name) arguments.push_back(index(given.value()));
    iter = with_list(c, iter, HTP_FIELD(Call, keywords), {});
  } else if (path.starts_with("htp.")) {
    name = imports_.module("htp", "htp") + path.substr(3);
    arguments.push_back(iteration(k.args()[0]));
    std::vector<uint32_t> keywords;
    for (const Node w : k.keywords())
      keywords.push_back(with_slot(c, w, HTP_FIELD(keyword, value), index(c.get<ast::keyword>(w).value())));
    iter = with_list(c, iter, HTP_FIELD(Call, keywords), keywords);
  } else {
    for (const Node a : k.args()) arguments.push_back(index(a));
  }
  if (!name.empty() && c.dotted(k.func()) != name)
    iter = with_slot(c, iter, HTP_FIELD(Call, func), c.path(name, k.func()));
  return with_list(c, iter, HTP_FIELD(Call, args), arguments);
}

// Whether an intrinsic stands in the expression.
bool Canonicalizer::computes(Node e) const {
  bool any = false;
  c.each(e, [&](Node n) { any |= meaning(n).row != nullptr; });
  return any;
}

Node Canonicalizer::plain(Node e) {
  if (computes(e)) return named_inside(e);
  return rewrite(
      c, e,
      [&](Node n) -> Node {
        if (c.is(n, HTP_Compare) || c.is(n, HTP_Subscript) || c.is(n, HTP_Call)) // of the module's texts and tuples
          if (const Meaning &m = meaning(n); m.sort == Sort::number && m.value) return folded(n, *m.value);
        const auto it = c.is(n, HTP_Name) ? bound_.find(c.name_of(n)) : bound_.end();
        if (it == bound_.end() || it->first == it->second) return n;
        return with_slot(c, n, HTP_FIELD(Name, id), c.intern(it->second));
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

// Arithmetic of ints in which intrinsics stand: each gets a name before it.
Node Canonicalizer::named_inside(Node e) {
  if (meaning(e).row) return operand(e);
  return with_each_child(c, e, [&](Node child) { return plain(child); });
}

} // namespace htp::tile
