// Where the items of a channel lie: what is put into it, and got from it, counted.
#include "analyses/network.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {
constexpr size_t most_dimensions = 5; // of a tensor that a transfer reaches

// With all sizes at least 1.
bool at_least(const IntExpr &e, int64_t number) {
  return e.range([](const std::string &) { return sdk::IntRange{.least = 1}; }).least.value_or(number - 1) >= number;
}

// At least as many as both, of numbers that are not negative: of each product as many as one of them has.
MaybeInt enough_for(const IntExpr &a, const IntExpr &b) {
  const MaybeInt more = b - a;
  MaybeInt all = more ? MaybeInt(a) : std::nullopt;
  for (const auto &[product, factor] : more ? more->terms() : IntExpr::Terms())
    if (factor > 0) all = all + IntExpr::product(product) * IntExpr(factor);
  return all;
}

} // namespace

MaybeInt Network::number(Node n, const Values &values) const {
  if (const auto known = value(n, values)) return IntExpr(*known);
  if (c.is(n, HTP_Name)) return IntExpr::symbol(std::string(c.name_of(n)));
  if (auto b = c.as<ast::BinOp>(n); b && (b.op() == HTP_Add || b.op() == HTP_Sub || b.op() == HTP_Mult)) {
    const MaybeInt l = number(b.left(), values), r = number(b.right(), values);
    return b.op() == HTP_Add ? l + r : b.op() == HTP_Sub ? l - r : l * r;
  }
  const Node plain = rewrite(
      c, n,
      [&](Node e) {
        const auto it = c.is(e, HTP_Name) ? values.find(c.name_of(e)) : values.end();
        return it == values.end() ? e : c.integer_node(it->second, e);
      },
      [](Node, std::vector<uint32_t> &) { return false; });
  std::set<std::string> names;
  c.each(plain, [&](Node e) {
    if (c.is(e, HTP_Name)) names.emplace(c.name_of(e));
  });
  return IntExpr::other("(" + c.show(plain) + ")", std::move(names));
}

MaybeInt Network::extent(Node loop, const Values &values) const {
  auto call = c.as<ast::Call>(range_of(loop));
  if (!call || call.args().empty()) return std::nullopt;
  const Nodes a = call.args();
  if (is_blocks(loop)) return number(a[0], values);
  if (c.name_of(call.func()) != "range") return std::nullopt;
  return a.size() > 1 ? number(a[1], values) - number(a[0], values) : number(a[0], values);
}

std::optional<std::string> Network::may_be_empty(Node loop) const {
  const auto all = extent(loop, {});
  return !all || at_least(*all, 1) ? std::nullopt : std::optional(all->text());
}

MaybeInt Network::rounds(Node loop, const Values &values) const {
  const auto all = extent(loop, values);
  if (!all) return std::nullopt;
  if (const auto turns = known(loop, values)) return IntExpr(static_cast<int64_t>(turns->size()));
  const Nodes a = c.get<ast::Call>(range_of(loop)).args();
  const auto step = is_blocks(loop) ? constants_.integer(a[1]) : a.size() > 2 ? value(a[2], values) : 1;
  if (!step || *step < 1) return std::nullopt;
  return ceil_div(at_least(*all, 0) ? all : most({0, all}), *step);
}

MaybeInt Network::before(Node loop, const Values &values) const {
  auto call = c.as<ast::Call>(range_of(loop));
  if (!call || call.args().empty()) return std::nullopt;
  const std::string v = variable_of(loop);
  const Nodes a = call.args();
  if (is_blocks(loop)) {
    const auto size = constants_.integer(a[1]);
    if (!size || *size < 1) return std::nullopt;
    return floor_div(IntExpr::other(v + ".start", {v}), *size);
  }
  const auto step = a.size() > 2 ? value(a[2], values) : 1;
  if (c.name_of(call.func()) != "range" || !step || *step < 1) return std::nullopt;
  const IntExpr at = IntExpr::symbol(v);
  return floor_div(a.size() > 1 ? at - number(a[0], values) : at, *step);
}

bool Network::project(Nodes statements, const Side &side, const Values &values, std::vector<Step> &into,
                      Reached *until) {
  const Node target = until ? until->next() : HTP_NONE;
  return std::ranges::all_of(
      statements, [&](Node s) { return project(s, side, values, into, until && s == target ? until : nullptr); });
}

bool Network::project(Node statement, const Side &side, const Values &values, std::vector<Step> &into, Reached *until) {
  const auto &uses = side.channel.uses;
  const auto fail = [&] { return uncounted_ = statement, false; };
  if (!until && std::none_of(uses.begin(), uses.end(), [&](const Use &u) {
        return u.put == side.put &&
               (u.statement == statement || std::ranges::find(u.around, statement) != u.around.end());
      }))
    return true;
  if (until && statement != until->use.statement) ++until->entered;
  if (auto choice = c.as<ast::If>(statement)) {
    const auto holds = value(choice.test(), values);
    if (holds && !until) return project(*holds ? choice.body() : choice.orelse(), side, values, into, nullptr);
    const bool taken = !until || std::ranges::find(choice.body(), until->next()) != choice.body().end();
    if (!holds) {
      const auto one = count(choice.body(), side, values), other = count(choice.orelse(), side, values);
      if (!one || !other) return false;
      if (*one != *other) return fail();
    }
    return project(taken ? choice.body() : choice.orelse(), side, values, into, until);
  }
  if (auto loop = c.as<ast::For>(statement)) {
    const bool steps_in = until && statement == until->within;
    if (side.channel.of_items.contains(statement) && !steps_in) return project(loop.body(), side, values, into, until);
    const std::string variable = variable_of(statement);
    if (const auto turns = steps_in ? std::nullopt : known(statement, values)) {
      const auto at = until ? values.find(variable) : values.end();
      if (until && at == values.end()) return fail();
      return std::ranges::all_of(*turns, [&](int64_t n) {
        Values inside = values;
        inside[variable] = n;
        return project(loop.body(), side, inside, into, until && n == at->second ? until : nullptr);
      });
    }
    Step step{.kind = sdk::dataflow::StepKind::loop, .id = loops_.size(), .variable = variable};
    loops_.push_back(statement);
    if (until) {
      until->at.push_back(into.size());
      until->iterations.push_back(before(statement, values));
      if (steps_in) until->depth = until->at.size();
    }
    if (!project(loop.body(), side, values, step.body, until)) return false;
    const auto times = rounds(statement, values);
    if (!times && !steps_in && count(loop.body(), side, values) != 0) return fail();
    step.times = {{times.value_or(0)}};
    into.push_back(std::move(step));
    return true;
  }
  if (until) until->at.push_back(into.size());
  const Use &use = uses[use_of(statement).second];
  const auto which = lane(use, values);
  if (!which) return fail();
  if (*which == side.lane || until) into.push_back(sdk::dataflow::put(*which == side.lane ? 0 : 1));
  return true;
}

namespace {
// All names are sizes, or begin at one.
const sdk::dataflow::Counted in_lane{0, sdk::dataflow::StepKind::put,
                                     [](const std::string &) { return sdk::IntRange{.least = 1}; }};
} // namespace

MaybeInt Network::counted(const MaybeInt &found, sdk::dataflow::Irregular irregular) {
  if (!found && irregular) uncounted_ = loops_[irregular->id];
  return found;
}

MaybeInt Network::count(Nodes statements, const Side &side, const Values &values) {
  std::vector<Step> steps;
  sdk::dataflow::Irregular irregular = nullptr;
  if (!project(statements, side, values, steps, nullptr)) return std::nullopt;
  const MaybeInt found = rate(steps, in_lane, &irregular);
  return counted(found, irregular);
}

MaybeInt Network::count_before(const Use &use, Node within, const Side &side, const Values &values) {
  std::vector<Step> steps;
  Reached until{use, within};
  sdk::dataflow::Irregular irregular = nullptr;
  const Nodes all = c.get<ast::FunctionDef>(processes_[use.process].function).body();
  if (!project(all, side, values, steps, &until)) return std::nullopt;
  const MaybeInt found =
      sdk::dataflow::count_before(steps, until.at, until.depth, in_lane, until.iterations, &irregular);
  return counted(found, irregular);
}

MaybeInt Network::fit(const std::vector<std::pair<Values, IntExpr>> &counts) const {
  if (counts.empty()) return 0;
  const auto &[first, at_first] = counts.front();
  std::map<std::string, IntExpr> slopes;
  for (const auto &[name, at] : first)
    for (const auto &[values, n] : counts) {
      Values same = values;
      same[name] = at;
      const int64_t step = values.find(name)->second - at;
      if (same != first || step == 0) continue;
      const MaybeInt more = step > 0 ? n - at_first : at_first - n;
      const MaybeInt slope = more && more->divides_evenly(step) ? floor_div(more, std::abs(step)) : std::nullopt;
      if (!slope) return std::nullopt;
      slopes[name] = *slope;
      break;
    }
  MaybeInt written = at_first;
  for (const auto &[name, slope] : slopes)
    written = written + slope * (IntExpr::symbol(name) - IntExpr(first.find(name)->second));
  for (const auto &[values, n] : counts) {
    MaybeInt here = at_first;
    for (const auto &[name, slope] : slopes)
      here = here + slope * (IntExpr(values.find(name)->second) - IntExpr(first.find(name)->second));
    if (here != n) return std::nullopt;
  }
  return written;
}

std::vector<Node> Network::loops_around(const Channel &channel, const Use &use) const {
  std::vector<Node> loops;
  for (const Node s : use.around)
    if (c.is(s, HTP_For) && !channel.of_items.contains(s)) loops.push_back(s);
  return loops;
}

std::map<size_t, Node> Network::in_step(const Channel &channel, size_t level, IntExpr &times) {
  std::map<size_t, Node> loops;
  for (const Use &use : channel.uses) {
    const std::vector<Node> around = loops_around(channel, use);
    if (around.size() <= level) return {};
    const auto [it, fresh] = loops.emplace(use.process, around[level]);
    if (it->second != around[level]) return {};
  }
  MaybeInt all;
  std::map<int64_t, IntExpr> each; // of a lane, what is put or got in one iteration
  for (const Use &use : channel.uses) {
    const Node loop = loops.at(use.process);
    const bool outer_known = std::ranges::any_of(use.around, [&](Node s) { return s == loop; });
    if (!outer_known) return {};
    std::map<Values, std::map<int64_t, size_t>> seen; // of a lane, in how many iterations of those around it is used
    for (Values values : values_at(use)) {
      // What is known outside of the loop, and its own variable.
      bool inside = false;
      for (const Node s : use.around) {
        if (inside && c.is(s, HTP_For)) values.erase(variable_of(s));
        inside |= s == loop;
      }
      const auto go = rounds(loop, values);
      if (!go || (all && *all != *go)) return {};
      all = go;
      for (const std::string &name : go->names())
        if (!is_module_level(name)) return {};
      const auto turns = known(loop, values);
      if (turns) values.erase(variable_of(loop));
      if (seen.contains(values)) continue;
      auto &used = seen[values];
      for (const int64_t n : turns ? *turns : std::vector<int64_t>{0}) {
        Values here = values;
        if (turns) here[variable_of(loop)] = n;
        for (int64_t l = 0; l < std::max<int64_t>(1, channel.lanes); ++l) {
          const auto some = count(c.get<ast::For>(loop).body(), {channel, use.put, l}, here);
          if (!some) return {};
          if (some == 0) continue;
          ++used[l];
          const auto [it, fresh] = each.emplace(l, *some);
          if (it->second != *some) return {};
        }
      }
      for (const auto &[l, iterations] : used)
        if (turns && iterations != turns->size()) return {};
    }
  }
  if (!all) return {};
  times = *all;
  return loops;
}

size_t Network::ones(const Channel &channel) const {
  for (const Use &use : channel.uses) {
    if (!use.put) continue;
    const Nodes all = extents(use);
    size_t n = 0;
    while (n + 1 < all.size() && constants_.integer(all[n]) == 1) ++n;
    return n;
  }
  return 0;
}

std::optional<Slots> Network::slots(const Channel &channel) {
  Slots slots;
  slots.at.resize(channel.uses.size());
  size_t dimensions = (channel.lanes ? 1 : 0) + 1; // with that of what is counted
  for (const Use &use : channel.uses)
    if (use.put) dimensions = std::max(dimensions, (channel.lanes ? 1 : 0) + 1 + extents(use).size() - ones(channel));
  std::map<size_t, Node> within;
  for (size_t level = 0; dimensions + level < most_dimensions; ++level) {
    IntExpr times;
    const auto loops = in_step(channel, level, times);
    if (loops.empty()) break;
    slots.rounds.push_back(times);
    within = loops;
    for (size_t u = 0; u < channel.uses.size(); ++u) {
      const Node loop = loops.at(channel.uses[u].process);
      slots.at[u].loops.push_back(loop);
      slots.at[u].rounds.push_back(before(loop, {}).value_or(0));
    }
  }
  uncounted_ = HTP_NONE;
  const auto fail = [&](const Use &use, const DiagKind &row) {
    refuse(uncounted_ ? uncounted_ : use.statement, Refusal(row, channel.name));
    return std::nullopt;
  };
  for (size_t u = 0; u < channel.uses.size(); ++u) {
    const Use &use = channel.uses[u];
    const Node inner = within.contains(use.process) ? within.at(use.process) : HTP_NONE;
    std::vector<std::pair<Values, IntExpr>> counts;
    for (const Values &values : values_at(use)) {
      const Side side{channel, use.put, lane(use, values).value_or(0)};
      const auto n = count_before(use, inner, side, values);
      const auto all = count(inner ? c.get<ast::For>(inner).body()
                                   : c.get<ast::FunctionDef>(processes_[use.process].function).body(),
                             side, values);
      const MaybeInt items = !all || !use.put ? slots.items : enough_for(slots.items, *all);
      if (!n || !all || !items || !std::ranges::all_of(all->names(), [&](auto &name) { return is_module_level(name); }))
        return fail(use, c.is(uncounted_, HTP_If) ? diag::item_branch : diag::item_count);
      counts.emplace_back(values, *n);
      slots.items = *items;
    }
    const auto at = fit(counts);
    if (!at) return fail(use, diag::uneven_items);
    slots.at[u].item = *at;
  }
  return slots;
}

} // namespace htp::a2a3
