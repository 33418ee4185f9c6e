#include "uses.h"

#include <algorithm>

namespace htp::cpu::loops {

Node value_of(const Reader &t, Node s) {
  if (auto a = t.as<ast::AnnAssign>(s)) return a.value();
  if (auto b = t.as<ast::Assign>(s)) return b.value();
  if (auto e = t.as<ast::Expr>(s)) return e.value();
  return HTP_NONE;
}

std::string_view bound_name(const Reader &t, Node s) {
  if (auto a = t.as<ast::AnnAssign>(s)) return t.name_of(a.target());
  if (auto g = t.as<ast::AugAssign>(s)) return t.name_of(g.target());
  if (auto b = t.as<ast::Assign>(s)) return b.targets().size() == 1 ? t.name_of(b.targets()[0]) : std::string_view();
  return {};
}

bool is_channel_intrinsic(std::string_view intrinsic) {
  static constexpr std::string_view names[] = {"channel", "channels", "event",  "lane", "claim", "publish", "front",
                                               "release", "drop",     "signal", "meet", "close", "more"};
  return std::find(std::begin(names), std::end(names), intrinsic) != std::end(names);
}

bool is_tile_statement(const Reader &t, const Names &names, Node s) {
  const Node value = value_of(t, s);
  if (auto call = t.as<ast::Call>(value)) {
    const std::string qualified = names.qualified(call.func());
    const std::string_view intrinsic = cpu_intrinsic(qualified);
    return !intrinsic.empty() && intrinsic != "buffer" && !is_channel_intrinsic(intrinsic);
  }
  if (auto a = t.as<ast::AnnAssign>(s))
    return t.is(value, HTP_Name) && read_type(t, names, a.annotation()).form == Type::Form::tile;
  return false;
}

bool gives_int(const Reader &t, const Names &names, Node s) {
  const std::string called = names.called(value_of(t, s));
  return called == "htp_cpu.position" || called == "htp_cpu.holds" || called == "htp_cpu.more";
}

Uses::Uses(const Reader &t, const Names &names, Node function) : t_(t), imports_(names) {
  block(t.get<ast::FunctionDef>(function).body());
  for (const auto &[name, info] : names_)
    if (info.tile && !local(name) && info.common > 0) before_[info.first[info.common - 1].statement].push_back(name);
}

bool Uses::local(std::string_view name) const {
  const auto it = names_.find(name);
  return it != names_.end() && it->second.bindings == 1 && it->second.segments.size() == 1;
}

bool Uses::scoped(std::string_view name) const {
  const auto it = names_.find(name);
  return it != names_.end() && it->second.bindings == 1 && it->second.common >= it->second.bound_depth;
}

unsigned Uses::bindings(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? 0 : it->second.bindings;
}

bool Uses::is_tile(std::string_view name) const {
  const auto it = names_.find(name);
  return it != names_.end() && it->second.tile;
}

Node Uses::binding(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? HTP_NONE : it->second.binding;
}

bool Uses::stable(Node expression) const {
  bool fine = true;
  t_.each(expression, [&](Node n) {
    if (t_.is(n, HTP_Name)) fine = fine && bindings(t_.name_of(n)) <= 1;
  });
  return fine;
}

const std::vector<std::string> &Uses::buffers_before(Node statement) const {
  static const std::vector<std::string> none;
  const auto it = before_.find(statement);
  return it == before_.end() ? none : it->second;
}

void Uses::occurrence(std::string_view name, bool binds, bool tile, unsigned segment) {
  auto it = names_.find(name);
  if (it == names_.end()) {
    it = names_.try_emplace(std::string(name)).first;
    it->second.first = path_;
    it->second.common = path_.size();
  }
  Name &info = it->second;
  if (binds && info.bindings++ == 0) {
    info.bound_depth = path_.size();
    info.binding = path_.back().statement;
  }
  info.tile |= tile;
  info.segments.insert(segment);
  size_t shared = 0;
  while (shared < info.common && shared < path_.size() && info.first[shared].block == path_[shared].block) ++shared;
  info.common = shared;
}

void Uses::names_in(Node expression, unsigned segment) {
  if (!expression) return;
  t_.each(expression, [&](Node n) {
    if (t_.is(n, HTP_Name)) occurrence(t_.name_of(n), false, false, segment);
  });
}

void Uses::statement(Node s, unsigned segment) {
  path_.back().statement = s;
  if (auto loop = t_.as<ast::For>(s)) {
    names_in(loop.iter(), segment);
    occurrence(t_.name_of(loop.target()), true, false, segment);
    block(loop.body());
    block(loop.orelse());
    return;
  }
  if (auto loop = t_.as<ast::While>(s)) {
    names_in(loop.test(), segment);
    block(loop.body());
    return;
  }
  if (auto inner = t_.as<ast::FunctionDef>(s)) {
    block(inner.body());
    return;
  }
  if (auto branch = t_.as<ast::If>(s)) {
    names_in(branch.test(), segment);
    block(branch.body());
    block(branch.orelse());
    return;
  }
  names_in(value_of(t_, s), segment);
  if (auto g = t_.as<ast::AugAssign>(s)) names_in(g.value(), segment);
  if (const auto name = bound_name(t_, s); !name.empty())
    occurrence(name, true, is_tile_statement(t_, imports_, s) && !gives_int(t_, imports_, s), segment);
}

void Uses::block(Nodes statements) {
  path_.push_back({++blocks_, HTP_NONE});
  bool tiles = false;
  for (const Node s : statements) {
    if (!is_tile_statement(t_, imports_, s) || !tiles) ++segments_;
    tiles = is_tile_statement(t_, imports_, s) && !gives_int(t_, imports_, s);
    statement(s, segments_);
  }
  path_.pop_back();
}

} // namespace htp::cpu::loops
