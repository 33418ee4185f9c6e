// acme.blocks: `y[:] = f(x[:])` over signals becomes a loop over blocks in a kernel over tensors.
#include "acme.h"

namespace acme {

namespace {

// In[Signal[f32, N]] → In[tile.Tensor[f32, N]]
Node as_tensor(const Context &c, const Names &names, Node annotation, const std::string &tile) {
  return htp::sdk::rewrite(
      c, annotation, [&](Node n) { return names.qualified(n) == "htp_acme.Signal" ? c.path(tile + ".Tensor", n) : n; },
      [](Node, std::vector<uint32_t> &) { return false; });
}

} // namespace

Result blocks(const Context &c, Node root, Node &out) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const std::string tile = c.fresh("tile"), block = c.fresh("i");
  auto f = c.read<ast::FunctionDef>(function);

  auto arguments = c.read<ast::arguments>(f.args);
  Node extent = HTP_NONE;
  for (uint32_t &p : arguments.args) {
    auto a = c.read<ast::arg>(p);
    if (!extent) extent = words_of(c, c.get<ast::Subscript>(a.annotation).slice())[1];
    a.annotation = as_tensor(c, names, a.annotation, tile);
    p = c.with(p, a);
  }
  f.args = c.with(f.args, arguments);

  // The docstring stays where it is; the rest goes into the loop.
  std::vector<uint32_t> head, inside;
  for (const Node s : f.body) {
    std::string_view doc;
    auto e = c.as<ast::Expr>(s);
    if (inside.empty() && e && c.string(e.value(), &doc)) {
      head.push_back(s);
      continue;
    }
    inside.push_back(htp::sdk::rewrite(
        c, s,
        [&](Node n) {
          auto subscript = c.as<ast::Subscript>(n);
          if (!subscript || !c.is(subscript.slice(), HTP_Slice)) return n;
          auto m = c.read<ast::Subscript>(n);
          m.slice = c.name(block, n);
          return c.with(n, m);
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  }
  const Node iter = c.call(
      tile + ".tiles", {c.parse(c.show(extent), function), c.integer_node(c.option_int("block"), function)}, function);
  head.push_back(
      c.make(make::For{.target = c.name(block, function, HTP_STORE), .iter = iter, .body = inside}, function));
  f.body = head;
  for (uint32_t &d : f.decorator_list)
    if (names.qualified(d) == "htp_acme.routine") d = c.path(tile + ".kernel", d);
  const Node kernel = c.with(function, f);

  auto module = c.read<ast::Module>(root);
  const Node import =
      c.make(make::Import{.names = {c.make(make::alias{.name = "htp_tile", .asname = tile}, root)}}, HTP_NONE);
  std::vector<uint32_t> body;
  bool imported = false;
  for (const Node s : module.body) {
    body.push_back(s == function ? kernel : s);
    if (!imported && c.is(s, HTP_Import)) body.push_back(import), imported = true;
  }
  module.body = body;
  out = c.with(root, module);
  return c.result();
}

} // namespace acme
