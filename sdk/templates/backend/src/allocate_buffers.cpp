// my-plugin.allocate_buffers: each tile gets an offset in the scratchpad. Tiles that are not live at once may have the
// same bytes.
//
// A dim's size is known when the program runs. So offsets are made for the largest size at which all tiles fit, and the
// program says which that is: `my_plugin.limit(N, 1016)`.
#include "htp_cpp/edit.h"
#include "htp_cpp/memory_plan.h"
#include "my_plugin.h"

#include <set>

namespace htp_my_plugin {
namespace {

using Limits = std::map<std::string, int64_t, std::less<>>;

class Allocator {
public:
  Allocator(const Context &context, const Kernel &kernel) : c(context), k_(kernel), pad_(scratchpad(context)) {
    for (const TileValue &v : k_.program.values)
      for (const IntExpr &e : v.extents)
        for (const std::string &name : e.names())
          if (k_.program.is_dim(name)) dims_.insert(name);
  }

  // The largest common limit of the dims that tiles have, by halves; no dim is larger than what int32 counts.
  bool run() {
    int64_t fits = dims_.empty() ? 1 : 0, not_any_more = int64_t{1} << 31;
    if (!plan(1)) return false;
    while (fits + 1 < not_any_more && !dims_.empty()) {
      const int64_t between = fits + (not_any_more - fits) / 2;
      (plan(between) ? fits : not_any_more) = between;
    }
    return plan(fits);
  }

  // The function with its tiles allocated, and the limits before everything.
  Node rewritten(Node root) const {
    std::map<Node, const TileValue *> tiles; // by the statement
    std::map<std::string_view, size_t> numbers;
    for (size_t v = 0; v < k_.program.values.size(); ++v)
      tiles[k_.program.values[v].node] = &k_.program.values[v], numbers[k_.program.values[v].name] = v;
    const Node function = k_.program.node;
    Node result = rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const auto it = tiles.find(s);
          if (it == tiles.end()) return false;
          const size_t number = numbers.at(it->second->name);
          auto call = c.read<ast::Call>(c.get<ast::AnnAssign>(s).value());
          const Node old = c.get<ast::AnnAssign>(s).value();
          call.func = c.path("my_plugin.buffer", old);
          call.keywords = {keyword("at", plan_.offsets[number], old), keyword("nbytes", requests_[number].bytes, old)};
          out.push_back(with_value(c, s, c.with(old, call)));
          return true;
        });
    if (!result) return HTP_NONE; // the host has reported why
    std::vector<uint32_t> body;
    const Nodes statements = c.get<ast::FunctionDef>(result).body();
    size_t first = 0;
    const Node text = statements.empty() ? HTP_NONE : statements[0];
    if (auto doc = c.as<ast::Expr>(text); doc && c.is(doc.value(), HTP_Constant)) body.push_back(statements[first++]);
    for (const std::string &dim : dims_)
      body.push_back(c.statement(
          c.call("my_plugin.limit", {c.name(dim, function), c.integer_node(limit_, function)}, function), function));
    body.insert(body.end(), statements.begin() + static_cast<std::ptrdiff_t>(first), statements.end());
    result = with_list(c, result, HTP_FIELD(FunctionDef, body), body);
    return result ? with_statement(c, root, function, result) : HTP_NONE;
  }

private:
  bool plan(int64_t limit) {
    Limits limits;
    for (const std::string &dim : dims_) limits[dim] = limit;
    std::vector<MemoryRequest> requests;
    for (const TileValue &v : k_.program.values) {
      const auto bytes = bytes_of(k_, v, limits);
      if (!bytes) return false;
      requests.push_back({*bytes, v.begin, v.end});
    }
    auto plan = plan_memory(requests, {pad_.capacity, pad_.alignment});
    if (!plan) return false;
    plan_ = std::move(*plan), requests_ = std::move(requests), limit_ = limit;
    return true;
  }
  Node keyword(std::string_view name, int64_t value, Node origin) const {
    return c.make(make::keyword{.arg = std::string(name), .value = c.integer_node(value, origin)}, origin);
  }

  const Context &c;
  const Kernel &k_;
  Scratchpad pad_;
  std::set<std::string, std::less<>> dims_; // that tiles have
  std::vector<MemoryRequest> requests_;
  MemoryPlan plan_;
  int64_t limit_ = 0;
};

} // namespace

Result allocate_buffers(const Context &c, Node root, Node &out) {
  const auto kernel = read_kernel(c, root, Form::selected, [&](Node where, const std::string &what) {
    c.report(diag::no_form, where, what).hint("`target: cpu` takes all programs");
  });
  if (!kernel) return HTP_FAILED;
  Allocator allocator(c, *kernel);
  if (!allocator.run()) {
    c.report(diag::no_memory, kernel->program.node, scratchpad(c).capacity).hint("make its blocks smaller");
    return HTP_FAILED;
  }
  out = allocator.rewritten(root);
  return out ? c.result() : HTP_FAILED;
}

} // namespace htp_my_plugin
