// my-plugin.blocks: `y[:] = f(x[:])` becomes `for i in tiles(N, 256): y[i] = f(x[i])` in a kernel.
#include "htp_cpp/imports.h"
#include "my_plugin.h"

namespace htp_my_plugin {

Result blocks(const Context &c, Node root, Node &out) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const std::string tile = c.fresh("tile"), block = c.fresh("i");
  auto f = c.read<ast::FunctionDef>(function);

  const auto expression = [&](Node n) {
    if (const auto subscript = c.as<ast::Subscript>(n); subscript && whole_index(c, subscript.slice())) {
      auto m = c.read<ast::Subscript>(n);
      m.slice = c.name(block, n);
      return c.with(n, m);
    }
    return n;
  };
  const auto statement = [](Node, std::vector<uint32_t> &) { return false; };
  std::vector<uint32_t> head, inside; // a docstring stays in front of the loop
  for (const Node s : f.body) (c.is(s, HTP_Expr) ? head : inside).push_back(rewrite(c, s, expression, statement));

  const Node first = c.get<ast::arguments>(f.args).args()[0];
  const auto vector = vector_of(c, first); // MyPlugin.Whole says that it is one
  const Node extent = c.parse(vector->extents[0].text(), function);
  const Node iterable = c.call(tile + ".tiles", {extent, c.integer_node(c.option_int("block"), function)}, function);
  const Node target = c.name(block, function, HTP_STORE);
  head.push_back(c.make(make::For{.target = target, .iter = iterable, .body = inside}, function));
  f.body = head;
  for (uint32_t &d : f.decorator_list)
    if (names.qualified(d) == "htp_my_plugin.whole") d = c.path(tile + ".kernel", d);
  const Node kernel = c.with(function, f);

  auto module = c.read<ast::Module>(root);
  const Node alias = c.make(make::alias{.name = "htp_tile", .asname = tile}, HTP_NONE);
  std::vector<uint32_t> body;
  bool imported = false;
  for (const Node s : module.body) {
    body.push_back(s == function ? kernel : s);
    if (!imported && c.is(s, HTP_Import)) {
      body.push_back(c.make(make::Import{.names = {alias}}, HTP_NONE));
      imported = true;
    }
  }
  module.body = body;
  out = drop_unused_imports(c, c.with(root, module),
                            [](std::string_view name) { return name.starts_with("htp_my_plugin"); });
  return c.result();
}

} // namespace htp_my_plugin
