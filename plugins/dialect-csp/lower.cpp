// csp.lower: the pipeline becomes a kernel whose body has processes. Methods of channels become calls that name what an
// item's extents are in the process; names of different processes become different.
#include "check.h"

#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::csp {

namespace {

class Lowering {
public:
  Lowering(const Context &context, const Program &program, Node root, bool shown)
      : c(context), p_(program), root_(root), shown_(shown),
        imports_(context, root, bound_in(context, program.function)), csp_(imports_.module("htp_csp", "csp")),
        taken_(outside()) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(p_.function);
    for (uint32_t &s : f.body)
      for (const ProcessDeclaration &declared : p_.processes)
        if (s == declared.function) {
          s = process(declared);
          break;
        }
    for (const ChannelDeclaration &declared : p_.channels)
      for (uint32_t &s : f.body)
        if (auto a = c.as<ast::Assign>(s); a && a.value() == declared.call)
          s = with_slot(c, s, HTP_FIELD(Assign, value), with_capacity(declared));
    if (!p_.checked)
      f.decorator_list.front() = shown_ ? proved(f.decorator_list.front()) : unproved(f.decorator_list.front());
    f.decorator_list.push_back(c.path(imports_.module("htp_tile", "tile") + ".kernel", f.decorator_list.front()));
    auto m = c.read<ast::Module>(root_);
    std::replace(m.body.begin(), m.body.end(), uint32_t{p_.function}, uint32_t{c.with(p_.function, f)});
    return drop_unused_imports(c, imports_.apply(c.with(root_, m)),
                               [](std::string_view path) { return path.starts_with("htp_csp"); });
  }

private:
  // Names that are the pipeline's own: its parameters, channels and processes.
  std::set<std::string, std::less<>> outside() const {
    std::set<std::string, std::less<>> names = bound_in(c, c.get<ast::FunctionDef>(p_.function).args());
    for (const ChannelDeclaration &declared : p_.channels) names.insert(declared.name);
    for (const ProcessDeclaration &declared : p_.processes) names.insert(declared.name);
    return names;
  }

  // @csp.pipeline(ends="M >= 1 and N >= 1"): what was shown, and for which sizes.
  Node proved(Node mark) const {
    auto call = c.as<ast::Call>(mark);
    std::string sizes;
    for (const std::string &dim : p_.dims) sizes += (sizes.empty() ? "" : " and ") + dim + " >= 1";
    const Node ends =
        c.make(make::keyword{.arg = "ends", .value = c.string_node(sizes.empty() ? "always" : sizes, mark)}, mark);
    return c.make(make::Call{.func = copy_of(c, call ? call.func() : mark, mark), .args = {}, .keywords = {ends}},
                  mark);
  }

  // @csp.pipeline(checked=True): each run checks it.
  Node unproved(Node mark) const {
    const Node checked = c.make(
        make::keyword{.arg = "checked", .value = c.make(make::Constant{.value = Literal::boolean(true)}, mark)}, mark);
    return c.make(make::Call{.func = copy_of(c, mark, mark), .args = {}, .keywords = {checked}}, mark);
  }

  // What an item needs at most: of `tiles(M, 8)` 8. An array of channels has one dimension.
  Node with_capacity(const ChannelDeclaration &declared) const {
    Node call = declared.call;
    if (auto k = c.read<ast::Call>(call); !declared.array.empty() && c.is(k.args[0], HTP_Tuple)) {
      k.args[0] = c.integer_node(position_count(declared.array), call);
      call = c.with(call, k);
    }
    return rewrite(
        c, call, [&](Node e) { return p_.names.called(e) == "htp_tile.tiles" ? c.get<ast::Call>(e).args()[1] : e; },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  Node process(const ProcessDeclaration &declared) {
    auto f = c.read<ast::FunctionDef>(declared.function);
    std::map<std::string, std::string, std::less<>> renamed;
    std::set<std::string, std::less<>> mine = bound_in(c, f.args);
    for (const Node s : f.body) mine.merge(bound_in(c, s));
    mine.erase("_"); // what is dropped
    for (const std::string &name : mine) {
      if (taken_.insert(name).second) continue;
      std::string other = declared.name + "_" + name;
      while (mine.contains(other) || !taken_.insert(other).second) other += "_";
      renamed.emplace(name, other);
    }
    f.args = with_names(c, f.args, renamed);
    for (uint32_t &s : f.body) s = with_names(c, s, renamed);
    std::vector<Node> loops;
    for (uint32_t &s : f.body) s = statement(s, loops);
    return c.with(declared.function, f);
  }

  // `loops` are those around, outermost first.
  Node statement(Node s, std::vector<Node> &loops) {
    if (auto f = c.as<ast::For>(s); f && reference(c, p_, f.iter()).channel) return items(s, loops);
    if (c.is(s, HTP_While)) {
      auto w = c.read<ast::While>(s);
      w.test = expression(w.test, loops);
      for (uint32_t &inner : w.body) inner = statement(inner, loops);
      return c.with(s, w);
    }
    if (c.is(s, HTP_For)) {
      auto f = c.read<ast::For>(s);
      f.iter = expression(f.iter, loops);
      loops.push_back(s);
      for (uint32_t &inner : f.body) inner = statement(inner, loops);
      loops.pop_back();
      return c.with(s, f);
    }
    if (c.is(s, HTP_If)) {
      auto i = c.read<ast::If>(s);
      i.test = expression(i.test, loops);
      for (std::vector<uint32_t> *body : {&i.body, &i.orelse})
        for (uint32_t &inner : *body) inner = statement(inner, loops);
      return c.with(s, i);
    }
    // _ = rows.get()  →  csp.drop(rows)
    if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == "_")
      if (const Node get = call(a.value(), loops); get != a.value()) {
        auto k = c.get<ast::Call>(get);
        if (k.args().size() > 0 && last_component(c.dotted(k.func())) == "get")
          return c.statement(c.call(csp_ + ".drop", {k.args()[0]}, a.value()), s);
      }
    return expression(s, loops);
  }

  // for row in kept:            while csp.more(kept):
  //     …                  →        row = csp.get(kept, 1, N)
  //                                 …
  Node items(Node s, std::vector<Node> &loops) {
    auto f = c.get<ast::For>(s);
    const auto [declared, index] = reference(c, p_, f.iter());
    std::vector<uint32_t> arguments{lane(f.iter())};
    const bool drops = c.name_of(f.target()) == "_";
    for (const Node extent : drops ? std::vector<Node>() : declared->extents)
      arguments.push_back(copy_of(c, extent, s));
    const Node got = c.call(csp_ + (drops ? ".drop" : ".get"), arguments, f.iter());
    make::While w{.test = c.call(csp_ + ".more", {lane(f.iter())}, f.iter()),
                  .body = {drops ? c.statement(got, s) : c.assign(c.name_of(f.target()), HTP_NONE, got, s)}};
    for (const Node inner : f.body()) w.body.push_back(statement(inner, loops));
    return c.make(std::move(w), s);
  }

  // lanes[i, 0]  →  csp.lane(lanes, i * 4 + 0)
  Node lane(Node channel) {
    const auto [declared, index] = reference(c, p_, channel);
    auto at = c.as<ast::Subscript>(channel);
    if (!at) return copy_of(c, channel, channel);
    auto tuple = c.as<ast::Tuple>(index);
    const Node one[] = {index};
    const Nodes each = tuple ? tuple.elts() : Nodes(one);
    Node position = each[0];
    for (size_t d = 1; d < each.size(); ++d)
      position = c.binary(c.binary(position, HTP_Mult, c.integer_node(declared->array[d], channel), channel), HTP_Add,
                          each[d], channel);
    return c.call(csp_ + ".lane", {at.value(), position}, channel);
  }

  Node expression(Node n, const std::vector<Node> &loops) {
    return rewrite(
        c, n, [&](Node e) { return call(e, loops); }, [](Node, std::vector<uint32_t> &) { return false; });
  }

  Node call(Node e, const std::vector<Node> &loops) {
    const Operation made = operation(c, p_, e);
    const ChannelDeclaration *declared = made.channel;
    const bool put = made.puts;
    if (!declared) return e;
    auto k = c.get<ast::Call>(e);
    const Node channel = c.get<ast::Attribute>(k.func()).value();
    std::vector<uint32_t> arguments{c.is(channel, HTP_Subscript) ? lane(channel) : channel};
    for (const Node item : k.args()) arguments.push_back(item);
    if (made.closes) return c.call(csp_ + ".close", arguments, e);
    if (!declared->dtype) return c.call(csp_ + (put ? ".signal" : ".meet"), arguments, e);
    for (const Node extent : declared->extents) arguments.push_back(extent_here(c, p_, extent, e, loops));
    return c.call(csp_ + (put ? ".put" : ".get"), arguments, e);
  }

  const Context &c;
  const Program &p_;
  const Node root_;
  const bool shown_; // that it ends, at all sizes
  Imports imports_;
  const std::string csp_;
  std::set<std::string, std::less<>> taken_; // names that another process may not bind
};

} // namespace

Result lower(const Context &c, Node root, Node &out) {
  const Program program = read_program(c, root);
  if (!program.function) return c.report(diag::not_pipeline, c.entry_function(root), c.entry()), HTP_FAILED;
  if (c.errors()) return HTP_FAILED;
  const auto built = build(c, program);
  if (!built) return HTP_FAILED;
  const bool shown = check_network(c, program, *built);
  if (c.errors()) return HTP_FAILED;
  out = Lowering(c, program, root, shown).run();
  return c.result();
}

} // namespace htp::csp
