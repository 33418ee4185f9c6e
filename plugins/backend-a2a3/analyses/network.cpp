#include "analyses/network.h"

#include "htp_cpp/grids.h"
#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::a2a3 {

Network::Network(const Context &context, Node root, Node function)
    : c(context), names_(context, root), constants_(context, root), function_(function) {
  c.each(function_, [&](Node n) {
    if (auto v = c.as<ast::Name>(n); v && v.ctx() == HTP_STORE) bound_.emplace(v.id());
    if (auto a = c.as<ast::arg>(n)) bound_.emplace(a.arg());
  });
}

bool Network::refuse(Node where, const Refusal &why) const {
  why.report(c, where);
  return false;
}

// ── reading ──

bool Network::read(std::vector<uint32_t> &rest) {
  std::vector<uint32_t> functions;
  for (const Node s : c.get<ast::FunctionDef>(function_).body()) {
    auto a = c.as<ast::AnnAssign>(s);
    if (c.is(s, HTP_FunctionDef))
      functions.push_back(s);
    else if (!a || !declare(names_.called(a.value()), c.name_of(a.target()), s))
      rest.push_back(s);
  }
  for (const Node f : functions)
    if (!read_process(f)) return false;
  for (auto &[name, channel] : channels_) find_item_loops(channel);
  return true;
}

bool Network::declare(const std::string &called, std::string_view name, Node statement) {
  const bool array = called == "htp_csp.channels";
  if (called == "htp_csp.event") return events_.emplace(name), true;
  if (!array && called != "htp_csp.channel") return false;
  const Nodes operands = c.get<ast::Call>(c.get<ast::AnnAssign>(statement).value()).args();
  channels_[std::string(name)] = {.name = std::string(name),
                                  .statement = statement,
                                  .dtype = operands[array],
                                  .lanes = array ? constants_.integer(operands[0]).value_or(1) : 0};
  return true;
}

bool Network::read_process(Node function) {
  auto f = c.get<ast::FunctionDef>(function);
  Process process{function};
  if (f.args())
    for (const Node a : c.get<ast::arguments>(f.args()).args()) process.indices.emplace_back(c.get<ast::arg>(a).arg());
  for (const Node d : f.decorator_list()) {
    auto call = c.as<ast::Call>(d);
    if (!call || names_.called(d) != "htp_csp.process") continue;
    for (const Node k : call.keywords())
      if (c.get<ast::keyword>(k).arg() == "grid") {
        const Node grid = c.get<ast::keyword>(k).value();
        auto several = c.as<ast::Tuple>(grid);
        const std::vector<uint32_t> extents =
            several ? std::vector<uint32_t>(several.elts().begin(), several.elts().end()) : std::vector<uint32_t>{grid};
        for (const Node e : extents) process.grid.push_back(constants_.integer(e).value_or(1));
      }
  }
  processes_.push_back(std::move(process));
  std::vector<Node> around;
  return read(f.body(), around);
}

bool Network::read(Nodes statements, std::vector<Node> &around) {
  for (const Node s : statements) {
    if (auto l = c.as<ast::For>(s)) {
      around.push_back(s);
      if (!read(l.body(), around)) return false;
      around.pop_back();
      continue;
    }
    if (auto i = c.as<ast::If>(s)) {
      around.push_back(s);
      if (!read(i.body(), around) || !read(i.orelse(), around)) return false;
      around.pop_back();
      continue;
    }
    auto a = c.as<ast::AnnAssign>(s);
    auto b = c.as<ast::Assign>(s);
    auto e = c.as<ast::Expr>(s);
    if (!a && !b && !e) {
      bool uses = false;
      c.each(s, [&](Node n) { uses |= names_.called(n).starts_with("htp_csp."); });
      if (uses) return refuse(s, Refusal(diag::statement, c.show(s)));
      continue;
    }
    const Node value = a ? a.value() : b ? b.value() : e.value();
    const std::string called = names_.called(value);
    if (!called.starts_with("htp_csp.")) continue;
    if (called == "htp_csp.lane" && a) {
      const Nodes operands = c.get<ast::Call>(value).args();
      if (operands.size() != 2) return refuse(s, Refusal(diag::statement, c.show(s)));
      lane_of_[std::string(c.name_of(a.target()))] = {std::string(c.name_of(operands[0])), operands[1]};
      lane_statements_.insert(s);
    } else if (!read_use(s, value, called, around)) {
      return refuse(s, Refusal(diag::statement, c.show(s)));
    }
  }
  return true;
}

bool Network::read_use(Node statement, Node value, const std::string &called, const std::vector<Node> &around) {
  const Nodes operands = c.get<ast::Call>(value).args();
  if (operands.empty()) return false;
  const std::string given(c.name_of(operands[0]));
  const size_t process = processes_.size() - 1;
  if (called == "htp_csp.signal" || called == "htp_csp.meet") {
    (called == "htp_csp.signal" ? signalled_ : met_)[given].insert(process);
    return events_.contains(given);
  }
  const auto lane = lane_of_.find(given);
  const auto channel = channels_.find(lane == lane_of_.end() ? given : lane->second.first);
  const bool put = called == "htp_csp.put", drop = called == "htp_csp.drop";
  if (channel == channels_.end() || (put || drop) != c.is(statement, HTP_Expr)) return false;
  if (!put && !drop && called != "htp_csp.get") return false;
  use_of_[statement] = {channel->first, channel->second.uses.size()};
  channel->second.uses.push_back({.statement = statement,
                                  .call = value,
                                  .lane = lane == lane_of_.end() ? HTP_NONE : lane->second.second,
                                  .process = process,
                                  .put = put,
                                  .drop = drop,
                                  .around = around});
  return true;
}

// What is dropped has no extents: its loops are of items where they are over the blocks that others put.
void Network::find_item_loops(Channel &channel) const {
  std::set<std::string> ranges;
  for (const bool drops : {false, true})
    for (const Use &use : channel.uses) {
      if (use.drop != drops) continue;
      const Nodes items = extents(use);
      for (const Node l : use.around) {
        if (!c.is(l, HTP_For) || !is_blocks(l)) continue;
        const bool of = std::any_of(items.begin(), items.end(), [&](Node e) { return is_of(e, variable_of(l), use); });
        if (of || (drops && ranges.contains(c.show(range_of(l))))) {
          channel.of_items.insert(l);
          ranges.insert(c.show(range_of(l)));
        }
      }
    }
}

std::pair<const Channel *, size_t> Network::use_of(Node statement) const {
  const auto it = use_of_.find(statement);
  if (it == use_of_.end()) return {nullptr, 0};
  return {&channels_.find(it->second.first)->second, it->second.second};
}

std::set<std::pair<size_t, size_t>> Network::meetings() const {
  std::set<std::pair<size_t, size_t>> all;
  for (const auto &[event, behind] : met_)
    if (const auto it = signalled_.find(event); it != signalled_.end())
      for (const size_t before : it->second)
        for (const size_t b : behind) all.emplace(before, b);
  return all;
}

Node Network::range_of(Node loop) const { return loop_forms(c, names_, c.get<ast::For>(loop).iter()).range; }
bool Network::is_blocks(Node loop) const { return names_.called(range_of(loop)) == "htp_tile.tiles"; }

Node Network::loop_of(std::string_view name, const Use &use) const {
  for (const Node l : use.around)
    if (c.is(l, HTP_For) && variable_of(l) == name) return l;
  return HTP_NONE;
}
std::string Network::whole_of(const std::string &extent, const Use &use) const {
  const Node l = loop_of(extent, use);
  return l && is_blocks(l) ? whole_of(c.show(c.get<ast::Call>(range_of(l)).args()[0]), use) : extent;
}
bool Network::is_of(Node extent, const std::string &variable, const Use &use) const {
  for (std::string name(c.name_of(extent)); !name.empty();) {
    if (name == variable) return true;
    const Node l = loop_of(name, use);
    name = l && is_blocks(l) ? std::string(c.name_of(c.get<ast::Call>(range_of(l)).args()[0])) : std::string();
  }
  return false;
}

// ── what is known ──

std::optional<int64_t> Network::value(Node n, const Values &values) const {
  if (const auto it = values.find(c.name_of(n)); it != values.end()) return it->second;
  if (const auto whole = constants_.integer(n)) return whole;
  if (auto b = c.as<ast::BinOp>(n)) {
    const auto l = value(b.left(), values), r = value(b.right(), values);
    if (!l || !r) return std::nullopt;
    const bool down = *r != 0 && *l % *r != 0 && (*l < 0) != (*r < 0); // Python rounds towards minus infinity
    switch (b.op()) {
    case HTP_Add: return *l + *r;
    case HTP_Sub: return *l - *r;
    case HTP_Mult: return *l * *r;
    case HTP_FloorDiv: return *r ? std::optional(*l / *r - down) : std::nullopt;
    case HTP_Mod: return *r ? std::optional(*l % *r + (down ? *r : 0)) : std::nullopt;
    default: return std::nullopt;
    }
  }
  if (auto u = c.as<ast::UnaryOp>(n)) {
    const auto of = value(u.operand(), values);
    if (!of || (u.op() != HTP_Not && u.op() != HTP_USub)) return std::nullopt;
    return u.op() == HTP_Not ? !*of : -*of;
  }
  if (auto b = c.as<ast::BoolOp>(n)) {
    const bool all = b.op() == HTP_And;
    bool sure = true;
    for (const Node part : b.values()) {
      const auto p = value(part, values);
      if (p && (*p != 0) != all) return !all;
      sure &= p.has_value();
    }
    return sure ? std::optional<int64_t>(all) : std::nullopt;
  }
  auto k = c.as<ast::Compare>(n);
  if (!k) return std::nullopt;
  Node left = k.left();
  for (size_t at = 0; at < k.ops().size(); ++at) {
    const Node right = k.comparators()[at];
    const auto l = value(left, values), r = value(right, values);
    if (!l || !r) return std::nullopt;
    bool holds = false;
    switch (k.ops()[at]) {
    case HTP_Eq: holds = *l == *r; break;
    case HTP_NotEq: holds = *l != *r; break;
    case HTP_Lt: holds = *l < *r; break;
    case HTP_LtE: holds = *l <= *r; break;
    case HTP_Gt: holds = *l > *r; break;
    case HTP_GtE: holds = *l >= *r; break;
    default: return std::nullopt;
    }
    if (!holds) return 0;
    left = right;
  }
  return 1;
}

std::vector<Values> Network::places(size_t process) const {
  const Process &p = processes_[process];
  std::vector<Values> all;
  if (p.grid.size() != p.indices.size()) return {{}};
  each_position(p.grid, [&](const std::vector<int64_t> &at) {
    Values &values = all.emplace_back();
    for (size_t k = 0; k < at.size(); ++k) values[p.indices[k]] = at[k];
  });
  return all;
}

std::optional<std::vector<int64_t>> Network::known(Node loop, const Values &values) const {
  auto call = c.as<ast::Call>(range_of(loop));
  if (!call || c.name_of(call.func()) != "range" || call.args().empty()) return std::nullopt;
  std::vector<int64_t> bounds;
  for (const Node a : call.args())
    if (const auto n = value(a, values))
      bounds.push_back(*n);
    else
      return std::nullopt;
  const int64_t first = bounds.size() > 1 ? bounds[0] : 0, end = bounds.size() > 1 ? bounds[1] : bounds[0],
                step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) return std::nullopt;
  std::vector<int64_t> all;
  for (int64_t n = first; step > 0 ? n < end : n > end; n += step) all.push_back(n);
  return all;
}

std::vector<Values> Network::values_at(const Use &use) const {
  std::vector<Values> all = places(use.process);
  for (size_t k = 0; k < use.around.size(); ++k) {
    const Node s = use.around[k], inside = k + 1 < use.around.size() ? use.around[k + 1] : use.statement;
    std::vector<Values> more;
    for (const Values &v : all) {
      if (auto choice = c.as<ast::If>(s)) {
        const auto holds = value(choice.test(), v);
        const bool taken = std::ranges::find(choice.body(), inside) != choice.body().end();
        if (!holds || (*holds != 0) == taken) more.push_back(v);
        continue;
      }
      const auto turns = known(s, v);
      if (!turns) more.push_back(v);
      if (turns)
        for (const int64_t n : *turns) (more.emplace_back(v))[variable_of(s)] = n;
    }
    all = std::move(more);
  }
  return all;
}

std::optional<int64_t> Network::lane(const Use &use, const Values &values) const {
  return use.lane ? value(use.lane, values) : 0;
}

} // namespace htp::a2a3
