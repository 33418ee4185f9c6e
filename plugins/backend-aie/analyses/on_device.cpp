#include "analyses/on_device.h"

#include "htp_cpp/imports.h"
#include "htp_cpp/names.h"

namespace htp::aie {

namespace {
constexpr std::pair<std::string_view, int64_t Choices::*> chosen_numbers[] = {{"processes", &Choices::processes},
                                                                              {"cores", &Choices::cores},
                                                                              {"slack", &Choices::slack},
                                                                              {"depth", &Choices::depth}};
constexpr std::pair<std::string_view, bool Choices::*> chosen_truths[] = {
    {"neighbours", &Choices::neighbours},  {"interleaved", &Choices::interleaved},
    {"pad_rows", &Choices::pad_rows},      {"align_loads", &Choices::align_loads},
    {"sort_loads", &Choices::sort_loads},  {"pack_loads", &Choices::pack_loads},
    {"packs_apart", &Choices::packs_apart}};
} // namespace

std::optional<OnDevice> on_device(const Context &c, const Names &names, Node function) {
  OnDevice on;
  for (const Node s : c.get<ast::FunctionDef>(function).body()) {
    if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) continue;
    if (on.with || !c.is(s, HTP_With)) return std::nullopt;
    on.with = s;
  }
  auto with = c.as<ast::With>(on.with);
  if (!with || with.items().size() != 1) return std::nullopt;
  on.call = c.get<ast::withitem>(with.items()[0]).context_expr();
  auto call = c.as<ast::Call>(on.call);
  std::string_view device;
  if (!call || names.called(on.call) != "htp_aie.device" || call.args().size() != 1 ||
      !c.string(call.args()[0], &device))
    return std::nullopt;
  on.device = std::string(device);
  for (const Node w : call.keywords()) {
    auto keyword = c.get<ast::keyword>(w);
    int64_t number = 0;
    if (keyword.arg() == "columns") c.integer(keyword.value(), &on.columns);
    if (keyword.arg() == "rows") c.integer(keyword.value(), &on.rows);
    for (const auto &[name, member] : chosen_numbers)
      if (keyword.arg() == name && c.integer(keyword.value(), &number)) on.choices.*member = number;
    for (const auto &[name, member] : chosen_truths)
      if (auto k = c.as<ast::Constant>(keyword.value()); k && keyword.arg() == name)
        on.choices.*member = k.value().type == HTP_CONST_TRUE;
    if (auto groups = c.as<ast::Tuple>(keyword.value()); groups && keyword.arg() == "pack_loads")
      for (const Node n : groups.elts()) {
        auto group = c.as<ast::Tuple>(n);
        std::vector<std::string> &tiles = on.choices.packs.emplace_back();
        std::string_view tile;
        for (const Node e : group ? group.elts() : Nodes())
          if (c.string(e, &tile)) tiles.emplace_back(tile);
      }
  }
  auto last = c.as<ast::FunctionDef>(with.body().empty() ? HTP_NONE : with.body().back());
  for (const Node d : last ? last.decorator_list() : Nodes())
    on.named = on.named || names.called(d) == "htp_aie.core" || names.called(d) == "htp_aie.dma";
  return on;
}

bool loads_tensors(const Context &c, const Names &names, const OnDevice &on) {
  bool found = false;
  c.each(on.with, [&](Node n) {
    if (found) return false;
    const std::string called = names.called(n);
    found = called == "htp_aie.load" || called == "htp_aie.store";
    return !found;
  });
  return found;
}

bool has_named_cores(const Context &c, const Names &names, Node root) {
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, names, function) : std::nullopt;
  return on && on->named;
}

Node device_around(const Context &c, const OnDevice &device, std::vector<uint32_t> body, Node origin) {
  std::string text = "aie.device('" + device.device + "', columns=" + std::to_string(device.columns) +
                     ", rows=" + std::to_string(device.rows);
  const Choices none;
  for (const auto &[name, member] : chosen_numbers)
    if (device.choices.*member != none.*member)
      text += ", " + std::string(name) + "=" + std::to_string(device.choices.*member);
  for (const auto &[name, member] : chosen_truths)
    if (device.choices.*member != none.*member)
      text += ", " + std::string(name) + (device.choices.*member ? "=True" : "=False");
  if (!device.choices.packs.empty()) {
    text += ", pack_loads=(";
    for (const std::vector<std::string> &group : device.choices.packs) {
      text += "(";
      for (const std::string &tile : group)
        text += "'" + tile + (&tile == &group.back() && group.size() > 1 ? "'" : "', ");
      text += "), ";
    }
    text += ")";
  }
  text += ")";
  const Node item = c.make(make::withitem{.context_expr = c.parse(text, origin)}, origin);
  return c.make(make::With{.items = {item}, .body = std::move(body)}, origin);
}

Node with_body(const Context &c, Node function, Node statement) {
  auto f = c.read<ast::FunctionDef>(function);
  std::vector<uint32_t> statements;
  for (const Node s : f.body)
    if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) statements.push_back(s);
  statements.push_back(statement);
  f.body = statements;
  return c.with(function, f);
}

Node without_languages(const Context &c, Node root) {
  return drop_unused_imports(c, root, [](std::string_view path) {
    return path == "htp_tile" || path.starts_with("htp_tile.") || path == "htp_csp" || path.starts_with("htp_csp.");
  });
}

} // namespace htp::aie
