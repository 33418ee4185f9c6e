// Intrinsics that are no instructions: functions of values, and what makes tiles, buffers and tensors.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

Value Reader::intrinsic(const std::string &of, const std::string &name, const Given &g, Node n) {
  if (of == "tile" || of == "cpu")
    if (const auto made = of_values(of, name, g, n)) return *made;
  if (of == "pto" || of == "aie")
    if (const auto made = of_memories(of, name, g, n)) return *made;
  if (of == "csp" || of == "aie" || of == "cpu")
    if (const auto made = channels(of, name, g, n)) return *made;
  if (of == "aie")
    if (const auto made = streams(name, g, n)) return *made;
  if (of == "pto" || of == "aie")
    if (const auto made = of_machine(of, name, g, n)) return *made;
  fail(n, "`" + of + "." + name + "` has no meaning here");
}

std::optional<Value> Reader::of_values(const std::string &of, const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  if (const Function *f = function_named(name)) return value(function(name, arguments(f->parameters, g, n), n));
  if (name == "load") {
    no_more(g, {"outside"}, n);
    if (positional.empty()) fail(n, "a load of nothing");
    const int m = memory_of(positional[0]);
    const auto outside = g.named.find("outside");
    return value(load_from(m, scalars_.contains(m) ? scalar_index(positional) : indices(positional.subspan(1), m),
                           outside == g.named.end() ? 0 : term(outside->second), n));
  }
  if (name == "store" || name == "scatter_add") {
    no_more(g, {}, n);
    if (positional.size() < 2) fail(n, "a store of nothing");
    const int m = memory_of(positional[0]);
    store(m, term(positional[1]), indices(positional.subspan(2), m), n, name == "store" ? "update" : "scatter_add");
    return value(t.symbol("None"));
  }
  if (of == "cpu")
    if (const auto made = of_elements(name, g, n)) return *made;
  if (name == "zeros" || name == "full") {
    no_more(g, {}, n);
    const size_t first = name == "zeros" ? 1 : 2;
    if (positional.size() < first) fail(n, "a tile without a dtype");
    std::vector<Term> extents;
    for (const Node e : positional.subspan(first)) extents.push_back(extent_of(term(e), e));
    return value(full(dtype_of(positional[0]), first == 1 ? t.integer(0) : term(positional[1]), std::move(extents)));
  }
  if (name == "cast") {
    no_more(g, {"rounding", "dtype"}, n);
    if (positional.size() != 2) fail(n, "a cast without a dtype");
    const auto rounding = g.named.find("rounding");
    return value(
        cast(term(positional[0]), dtype_of(positional[1]), rounding == g.named.end() ? 0 : term(rounding->second), n));
  }
  if (name == "buffer") {
    no_more(g, {}, n);
    if (positional.empty()) fail(n, "a buffer without a dtype");
    return allocated(dtype_of(positional[0]), positional.subspan(1), n);
  }
  if (name == "iota") {
    no_more(g, {"axis"}, n);
    const auto axis = g.named.find("axis");
    if (positional.empty() || axis == g.named.end()) fail(n, "an iota without an axis");
    return value(counting(dtype_of(positional[0]), positional.subspan(1), axis->second, n));
  }
  if (name == "call") return value(apart_call(g, 0, n));
  if (name == "index" || name == "holds" || (of == "cpu" && name == "position")) {
    no_more(g, {}, n);
    if (positional.size() != 1) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    const Term x = term(positional[0]);
    const Type type = t.type_of(x);
    if (!type.known()) fail(n, "an operand's type is not known here");
    return value(t.apply("element", {x}, {type.dtype == "bool_" ? "truth" : "int", {}}));
  }
  if (name == "reshape") {
    no_more(g, {}, n);
    if (positional.size() < 2) fail(n, "a reshape without extents");
    const Term x = term(positional[0]);
    Type type = t.type_of(x);
    if (!type.known()) fail(n, "an operand's type is not known here");
    type.extents.clear();
    for (const Node e : positional.subspan(1)) type.extents.push_back(extent_of(term(e), e));
    return value(reshaped(x, type.extents));
  }
  if (name == "gather") {
    const auto args = arguments("x index axis", g, n);
    const Type x = t.type_of(args[0]), index = t.type_of(args[1]);
    auto axis = t.constant(args[2]);
    if (!x.known() || !index.known() || !axis || *axis < 0 || static_cast<size_t>(*axis) >= x.extents.size() ||
        x.extents.size() != index.extents.size())
      fail(n, "a gather of what is not known here");
    Type type = x;
    type.extents[static_cast<size_t>(*axis)] = index.extents[static_cast<size_t>(*axis)];
    return value(
        t.apply("gather", {args[0], args[1], t.integer(*axis - static_cast<int64_t>(x.extents.size()))}, type));
  }
  return std::nullopt;
}

Term Reader::counting(const std::string &dtype, Nodes extents, Node axis, Node n) {
  Type type{dtype, {}};
  const auto at = t.constant(term(axis));
  if (!at || *at < 0 || static_cast<size_t>(*at) >= extents.size()) fail(n, "an axis that is not known here");
  Term from = t.integer(0);
  std::vector<Term> args{t.symbol(type.dtype)};
  for (const Node e : extents) {
    const Term x = term(e);
    if (t.is(x, Op::block) && type.extents.size() == static_cast<size_t>(*at)) {
      from = t.at(x).args[0];
      if (t.constant(t.at(x).args[2]) != 1) fail(n, "an iota of a block that is spread");
    }
    type.extents.push_back(extent_of(x, e));
  }
  args.push_back(from);
  args.push_back(t.integer(*at - static_cast<int64_t>(type.extents.size())));
  add_shape(args, type.extents);
  return t.apply("iota", std::move(args), type);
}

Term Reader::apart_call(const Given &g, size_t first, Node n) {
  no_more(g, {"result"}, n);
  if (g.positional.size() <= first || !c.is(g.positional[first], HTP_Name)) fail(n, "a call of nothing");
  const auto it = globals_.find(c.name_of(g.positional[first]));
  if (it == globals_.end() || !it->second.function) fail(n, "a call of what is no function");
  // It is called as it was declared, and gives what it says.
  const auto f = c.get<ast::FunctionDef>(it->second.function);
  if (f.returns()) annotation(f.returns());
  for (const Node a : c.get<ast::arguments>(f.args()).args())
    if (const Node of = c.get<ast::arg>(a).annotation()) annotation(of);
  const Given operands{{g.positional.begin() + static_cast<std::ptrdiff_t>(first) + 1, g.positional.end()}, {}};
  const auto asked = g.named.find("result");
  const Term which = asked == g.named.end() ? t.integer(0) : term(asked->second);
  const Value made = own(it->second.function, operands, n);
  if (made.memory >= 0 || !made.term) fail(n, "a function whose result has no meaning here");
  const auto k = t.constant(which);
  if (!t.is(made.term, Op::tuple)) {
    if (k != 0) fail(n, "a result that there is not");
    return made.term;
  }
  const auto results = t.at(made.term).args;
  if (!k || *k < 0 || static_cast<size_t>(*k) >= results.size()) fail(n, "a result that there is not");
  return results[static_cast<size_t>(*k)];
}

std::optional<Value> Reader::of_elements(const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  const auto ints = [&](Nodes nodes, int m) {
    auto index = indices(nodes, m);
    for (size_t k = 0; k < index.size(); ++k)
      if (!t.is(index[k], Op::slice) || !is_one(t.at(index[k]).args[1])) fail(nodes[k], "an index that is not an int");
    return index;
  };
  if (name == "alloc") {
    no_more(g, {}, n);
    if (positional.empty()) fail(n, "a buffer without a dtype");
    return allocated(dtype_of(positional[0]), positional.subspan(1), n);
  }
  if (name == "splat" || (name == "index" && positional.size() == 2)) {
    no_more(g, {}, n);
    if (positional.size() != 2) fail(n, "a scalar of nothing");
    const std::string dtype = dtype_of(positional[0]);
    const Term x = term(positional[1]);
    if (!is_number(x) && !t.is_int(x)) fail(n, "a scalar of what is not a number");
    if (name == "splat" && is_number(x)) return value(full(dtype, x, {}));
    return value(t.apply("index", {t.symbol(dtype), x}, {dtype, {}}));
  }
  if (name == "get") {
    no_more(g, {"outside"}, n);
    if (positional.empty()) fail(n, "an element of nothing");
    const int m = memory_of(positional[0]);
    const auto index = scalars_.contains(m) ? scalar_index(positional) : ints(positional.subspan(1), m);
    const auto k = static_cast<size_t>(m);
    reads_.insert(m);
    if (!g.named.contains("outside")) stays(index, memories_[k].type, n);
    t.type(s->holds[k], memories_[k].type);
    std::vector<Term> args{s->holds[k]};
    for (const Term i : index) args.push_back(t.at(i).args[0]);
    if (const auto outside = g.named.find("outside"); outside != g.named.end())
      args.push_back(t.make(Op::tuple, "outside", {term(outside->second)}));
    return value(t.apply("get", std::move(args), {memories_[k].type.dtype, {}}));
  }
  if (name == "put") {
    no_more(g, {}, n);
    if (positional.size() < 2) fail(n, "an element of nothing");
    const int m = memory_of(positional[0]);
    const Term x = term(positional[1]);
    store(m, x, ints(positional.subspan(2), m), n);
    return value(t.symbol("None"));
  }
  return std::nullopt;
}

std::optional<Value> Reader::of_memories(const std::string &of, const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  if (of == "pto" && name == "tile") {
    no_more(g, {"valid", "at", "space", "layout"}, n);
    if (positional.empty()) fail(n, "a tile without a dtype");
    Value v = allocated(dtype_of(positional[0]), positional.subspan(1), n);
    // First what is asked of the reader: it may move memories.
    const auto asked = [&](std::string_view keyword) {
      const auto it = g.named.find(keyword);
      return it == g.named.end() ? Term{0} : term(it->second);
    };
    const Term space = asked("space"), layout = asked("layout"), at = asked("at"), valid = asked("valid");
    Memory &m = memories_[static_cast<size_t>(v.memory)];
    for (Term &o : m.origins) o = t.integer(0);
    m.space = space ? t.at(space).tag : "ub";
    if (layout) m.layout = t.at(layout).tag;
    if (at) place(m, at, n);
    if (const Term x = valid) {
      if (!t.is(x, Op::tuple) || t.at(x).args.size() != m.type.extents.size())
        fail(n, "a tile whose valid extents are not known");
      const auto counted = t.at(x).args;
      for (size_t k = 0; k < counted.size(); ++k)
        if (!bounded(counted[k], m.type.extents[k]) && !assume_bounded(counted[k], m.type.extents[k]))
          fail(n, "what counts of a tile is not shown to fit into it");
      m.type.extents = counted;
      std::vector<Term> args{t.symbol("htp." + m.type.dtype)};
      args.insert(args.end(), m.type.extents.begin(), m.type.extents.end());
      s->holds[static_cast<size_t>(v.memory)] = t.apply("nothing", std::move(args), m.type);
    }
    clobber(v.memory);
    return v;
  }
  if ((of == "pto" && name == "gm") || (of == "aie" && name == "buffer")) {
    no_more(g, {}, n);
    if (positional.empty()) fail(n, "a buffer without a dtype");
    Value v = allocated(dtype_of(positional[0]), positional.subspan(1), n);
    if (of == "aie")
      for (Term &o : memories_[static_cast<size_t>(v.memory)].origins) o = t.integer(0);
    return v;
  }
  if (of == "aie" && name == "pad") return padded(g, n);
  if (of == "aie" && name == "pack") return packed(g, n);
  if (of == "aie" && name == "counts") return counts(g, n);
  if (of == "aie" && name == "strip") {
    no_more(g, {}, n);
    if (positional.size() != 3) fail(n, "a strip of nothing");
    const int whole = memory_of(positional[0]);
    const Term size = term(positional[1]), at = term(positional[2]);
    std::vector<Term> extents = memories_[static_cast<size_t>(whole)].type.extents, offset(extents.size());
    if (extents.empty() || !t.is_int(at) || t.constant(size).value_or(0) < 1) fail(n, "a strip of nothing");
    extents[0] = size;
    for (Term &o : offset) o = t.integer(0);
    offset[0] = t.mul(at, size);
    return Value{0, part_of(whole, std::move(extents), std::move(offset)), HTP_NONE};
  }
  return std::nullopt;
}

} // namespace htp::validator
