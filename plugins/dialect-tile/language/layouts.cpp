#include "language/layouts.h"

#include "diagnostics.h"

#include "htp_cpp/layout/annotation.h"

#include <algorithm>
#include <set>

namespace htp::tile {

namespace {
layout::Result<layout::Layout> meant(const Module &module, Node n) {
  return sdk::read_layout(module.c, n, [&](Node expression) { return module.integer(expression); });
}

std::string single_quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return text;
}
} // namespace

namespace {
// Why elements do not lie where it says; empty when they do.
std::string misplaced(const layout::Layout &layout) {
  const layout::Reach reach = layout::reach_of(layout.fields());
  if (layout.replicate().empty() && (layout.offset() + reach.low).negative())
    return "some of its elements lie before the beginning";
  constexpr int64_t most = int64_t{1} << 16; // that are looked at one by one
  const bool straight = std::ranges::none_of(layout.terms(), &layout::Term::is_xor);
  auto distinct = straight ? layout::canonical::distinct(layout.terms()) : std::nullopt;
  if (!straight && layout.size() <= most) {
    std::set<layout::Point> places;
    for (int64_t k = 0; k < layout.size(); ++k) places.insert(layout.at(k));
    distinct = static_cast<int64_t>(places.size()) == layout.size();
  }
  return distinct.value_or(true) ? "" : "two of its elements have one position";
}
} // namespace

bool is_layout(const Module &module, Node n) {
  auto k = module.c.as<ast::Call>(n);
  const std::string path = k ? module.path(k.func()) : std::string();
  return path == "htp.layout" || path.starts_with("htp.layouts.");
}

void check_layout(const Module &module, Node n) {
  const Context &c = module.c;
  if (!is_layout(module, n) && c.is(n, HTP_Call) && !module.path(c.get<ast::Call>(n).func()).empty()) return;
  const auto layout = meant(module, n);
  const std::string why = layout ? misplaced(*layout) : layout.reason();
  if (!why.empty()) c.report(diag::bad_layout, n, c.show(n), why);
}

std::optional<std::vector<std::string>> dims_of_steps(const Module &module, Node n) {
  if (!is_layout(module, n)) return std::nullopt;
  const auto steps = sdk::run_time_steps(module.c, n, [&](Node e) { return module.integer(e); });
  if (!steps) return std::nullopt;
  std::vector<std::string> dims;
  for (const sdk::RunTimeStep &step : *steps)
    if (!step.dim.empty()) dims.push_back(step.dim);
  return dims;
}

namespace {
// A layout whose steps a call says, of a tensor of these extents.
void check_run_time_steps(const Module &module, Node n, Nodes extents, std::string_view shown) {
  const Context &c = module.c;
  const auto call = c.get<ast::Call>(n);
  const Nodes shape = c.get<ast::Tuple>(call.args()[0]).elts();
  bool same = shape.size() == extents.size();
  for (size_t k = 0; same && k < shape.size(); ++k) {
    const auto a = module.integer(shape[k]), b = module.integer(extents[k]);
    same = a || b ? a == b : c.show(shape[k]) == c.show(extents[k]);
  }
  if (!same) {
    c.report(diag::steps_shape, n, c.show(call.args()[0]), shown);
    return;
  }
  for (const Node step : c.get<ast::Tuple>(call.args()[1]).elts()) {
    const auto size = module.integer(step);
    if (size ? *size < 1 : !module.is_dim(c.name_of(step))) c.report(diag::bad_step, step, c.show(step));
  }
}
} // namespace

void check_layout_of(const Module &module, Node n, Nodes extents, std::string_view shown) {
  const Context &c = module.c;
  if (dims_of_steps(module, n)) return check_run_time_steps(module, n, extents, shown);
  const size_t errors = c.errors();
  check_layout(module, n);
  const auto layout = is_layout(module, n) ? meant(module, n) : layout::Result<layout::Layout>(layout::No{});
  if (c.errors() != errors || !layout) return;
  int64_t size = 1;
  std::string any;
  for (const Node extent : extents) {
    const auto number = module.integer(extent);
    if (number && *number > 0)
      size = layout::times(size, *number);
    else
      any += (any.empty() ? "as many as `" : ", `") + c.show(extent) + "`";
  }
  if (any.empty() && size == layout->size()) return;
  c.report(diag::layout_size, n, layout->size(), shown, any.empty() ? std::to_string(size) : any + " says")
      .hint(any.empty() ? "give a layout whose extents are those of the tensor"
                        : "give the dimensions that a layout speaks of as ints");
}

Node canonical_layout(const Module &module, Node n, const std::string &htp) {
  if (!is_layout(module, n)) return n;
  const auto layout = meant(module, n);
  if (!layout) return n; // refused already
  const Node canonical = module.c.parse(htp + layout::write(*layout).substr(3), n);
  return single_quoted(module.c.show(canonical)) == single_quoted(module.c.show(n)) ? n : canonical;
}

} // namespace htp::tile
