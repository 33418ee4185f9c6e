// The planner against a breadth-first search over sets of states that shares nothing with it: length, order, why not.
// HTP_SEED and HTP_CASES change which passes are made up, and how many times.
#include "host/resolve/planner.h"
#include "tests/resolve/build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>

namespace htp::test {
namespace {

uint32_t setting(const char *name, uint32_t otherwise) {
  const char *value = std::getenv(name);
  return value ? static_cast<uint32_t>(std::strtoul(value, nullptr, 10)) : otherwise;
}

struct World {
  std::deque<Unit> passes;
  Unit pipeline;
  PlanRequest request;
};

World make(uint32_t seed) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  uint32_t const states = 3 + pick(5);
  auto state = [&](bool asked, bool variable) {
    std::string name = "S.S" + std::to_string(pick(states));
    if (name != "S.S0" && name != "S.S1") return name;
    if (variable) return name + "(k=$T)";
    if (asked && pick(4) == 0) return name + (pick(2) ? "(k={a, b})" : "");
    return name + (pick(2) ? "(k=a)" : "(k=b)");
  };
  World world;
  uint32_t const count = 2 + pick(6);
  bool const invalidating = pick(4) != 0;
  for (uint32_t p = 0; p < count; ++p) {
    Unit pass = unit(UnitKind::pass, "p" + std::to_string((p * 5) % 8));
    bool const variable = pick(5) == 0;
    for (uint32_t n = pick(3); n > 0; --n)
      pass.requires_.push_back(
          requirement(state(true, variable) + (pick(5) == 0 ? " | " + state(true, variable) : "")));
    if (pick(6) == 0) pass.requires_.push_back(requirement(pick(2) ? "Is.There(k=a)" : "Is.There(k=$T) | S.S2"));
    for (uint32_t n = 1 + pick(2); n > 0; --n) pass.provides.push_back(term(state(false, variable)));
    if (invalidating)
      for (uint32_t n = pick(3); n > 0; --n) pass.invalidates.push_back(term(state(pick(2) == 0, variable)));
    world.passes.push_back(std::move(pass));
  }
  // Never runs, but names every value: variables range over what stands somewhere.
  Unit values = unit(UnitKind::pass, "q");
  for (const char *text : {"S.Never", "Is.There(k={a, b}) | S.Never"}) values.requires_.push_back(requirement(text));
  for (const char *text : {"S.S0(k=a)", "S.S0(k=b)", "S.S1(k=a)", "S.S1(k=b)"}) values.provides.push_back(term(text));
  world.passes.push_back(values);
  world.request.states.insert("S.Never");
  for (const Unit &pass : world.passes) world.request.passes.push_back(&pass);
  for (uint32_t s = 0; s < states; ++s) world.request.states.insert("S.S" + std::to_string(s));
  for (uint32_t n = pick(3); n > 0; --n) world.request.start.push_back(term(state(false, false)));
  for (uint32_t n = 1 + pick(3); n > 0; --n) world.request.goals.push_back(requirement(state(true, false)));
  if (pick(2)) world.request.installed.push_back(term("Is.There(k=a)"));
  if (pick(3) == 0) {
    world.pipeline = unit(UnitKind::pipeline, "template");
    for (uint32_t n = 1 + pick(3); n > 0; --n)
      world.pipeline.passes.push_back(text("p" + std::to_string((pick(count) * 5) % 8)));
  }
  return world;
}

// Every pass with every binding, as sets of names.
struct Action {
  uint32_t pass;
  std::string name;
  std::vector<std::set<std::string>> needs;
  std::set<std::string> adds;
  std::vector<std::pair<uint32_t, std::string>> deletes; // by the line of `invalidates`
};
using States = std::set<std::string>;

class Oracle {
public:
  explicit Oracle(const PlanRequest &request) : request_(request) {
    for (const char *k : {"a", "b"})
      for (const std::string &name : request.states)
        universe_.insert(name == "S.S0" || name == "S.S1" ? name + "(k=" + k + ")" : name);
    for (uint32_t p = 0; p < request.passes.size(); ++p) {
      const Unit &pass = *request.passes[p];
      bool variable = false;
      for (const Requirement &r : pass.requires_) variable = variable || r.text().find('$') != std::string::npos;
      for (const auto *list : {&pass.provides, &pass.invalidates})
        for (const Term &t : *list) variable = variable || t.text().find('$') != std::string::npos;
      for (const char *value : {"a", "b"}) {
        if (!variable && value[0] == 'b') continue;
        Action action{p, pass.name.value + (variable ? std::string(" T=") + value : ""), {}, {}, {}};
        bool possible = true;
        for (const Requirement &r : pass.requires_) {
          if (installed(r, value)) continue;
          action.needs.push_back(any_of(r, value));
          possible = possible && !action.needs.back().empty();
        }
        for (const Term &t : pass.provides)
          for (const std::string &s : universe_)
            if (covers(t, value, s)) action.adds.insert(s);
        for (uint32_t d = 0; d < pass.invalidates.size(); ++d)
          for (const std::string &s : universe_)
            if (covers(pass.invalidates[d], value, s)) action.deletes.emplace_back(d, s);
        if (possible) actions_.push_back(std::move(action));
      }
    }
    std::sort(actions_.begin(), actions_.end(), [](const Action &a, const Action &b) { return a.name < b.name; });
  }

  using Deletes = std::function<bool(uint32_t pass, uint32_t line)>;
  static bool all(uint32_t, uint32_t) { return true; }

  // The names of the first of the shortest orders. `goals`: by text, "" the pipeline.
  std::optional<std::vector<std::string>> shortest(const std::set<std::string> &goals, const Deletes &deletes) const {
    using Node = std::pair<States, uint32_t>; // and the step of the pipeline that is next
    std::map<Node, std::vector<std::string>> seen;
    std::deque<Node> queue;
    Node start;
    for (const Term &t : request_.start) start.first.insert(t.text());
    seen[start] = {};
    queue.push_back(start);
    while (!queue.empty()) {
      Node const node = queue.front();
      queue.pop_front();
      std::vector<std::string> const path = seen.at(node);
      if (reached(node.first, node.second, goals)) return path;
      for (const Action &action : actions_) {
        bool runs = true;
        for (const auto &need : action.needs)
          runs = runs &&
                 std::any_of(need.begin(), need.end(), [&](const std::string &s) { return node.first.contains(s); });
        if (!runs) continue;
        Node next = node;
        for (const auto &[line, s] : action.deletes)
          if (deletes(action.pass, line)) next.first.erase(s);
        next.first.insert(action.adds.begin(), action.adds.end());
        for (uint32_t step : {1U, 0U}) {
          Node reached_node = next;
          if (step) {
            if (!request_.pipeline || node.second >= request_.pipeline->passes.size()) continue;
            if (request_.pipeline->passes[node.second] != request_.passes[action.pass]->name.value) continue;
            ++reached_node.second;
          }
          if (seen.contains(reached_node)) continue;
          std::vector<std::string> longer = path;
          longer.push_back(action.name);
          seen[reached_node] = std::move(longer);
          queue.push_back(reached_node);
        }
      }
    }
    return std::nullopt;
  }

  std::set<std::string> goals() const {
    std::set<std::string> texts;
    for (const Requirement &r : request_.goals) texts.insert(r.text());
    if (request_.pipeline) texts.insert("");
    return texts;
  }

private:
  // Values of `t`, with its variable bound, against "S.S0(k=a)".
  static bool covers(const Term &t, const std::string &value, const std::string &state) {
    if (state.substr(0, state.find('(')) != t.name) return false;
    auto k = t.arguments.find("k");
    if (k == t.arguments.end() || k->second.form == Argument::Form::any || state.find('(') == std::string::npos)
      return true;
    std::string const has(1, state[state.find('=') + 1]);
    if (k->second.form == Argument::Form::variable) return has == value;
    return std::any_of(k->second.values.begin(), k->second.values.end(), [&](const Value &v) { return v.text == has; });
  }
  std::set<std::string> any_of(const Requirement &r, const std::string &value) const {
    std::set<std::string> result;
    for (const Term &t : r.alternatives)
      for (const std::string &s : universe_)
        if (covers(t, value, s)) result.insert(s);
    return result;
  }
  bool installed(const Requirement &r, const std::string &value) const {
    for (const Term &t : r.alternatives)
      for (const Term &there : request_.installed)
        if (t.name == there.name && covers(t, value, there.text())) return true;
    return false;
  }
  bool reached(const States &states, uint32_t step, const std::set<std::string> &goals) const {
    if (goals.contains("") && request_.pipeline && step < request_.pipeline->passes.size()) return false;
    for (const Requirement &r : request_.goals) {
      if (!goals.contains(r.text())) continue;
      std::set<std::string> const any = any_of(r, "");
      if (std::none_of(any.begin(), any.end(), [&](const std::string &s) { return states.contains(s); })) return false;
    }
    return true;
  }

  const PlanRequest &request_;
  std::set<std::string> universe_;
  std::vector<Action> actions_;
};

std::string names_of(const PassPlan &plan) {
  std::string out;
  for (const PlannedPass &pass : plan.passes) {
    out += pass.unit->name.value;
    for (const auto &[variable, value] : pass.binding) out += " " + variable + "=" + value.spelling();
    out += "\n";
  }
  return out;
}

// Each state somebody uses held from where it was brought to where it is used.
void check_links(const PassPlan &plan) {
  auto holds_at = [&](const std::string &state, size_t before) {
    const std::vector<Term> &terms = before == 0 ? plan.start : plan.passes[before - 1].holds;
    return std::any_of(terms.begin(), terms.end(), [&](const Term &t) { return t.text() == state; });
  };
  auto check = [&](const Supply &supply, size_t from) {
    ASSERT_FALSE(supply.used_by.empty());
    for (uint32_t user : supply.used_by) {
      ASSERT_LE(user, plan.passes.size());
      for (size_t at = from; at <= user; ++at)
        EXPECT_TRUE(holds_at(supply.capability.text(), at)) << supply.capability.text();
    }
  };
  for (const Supply &supply : plan.source) check(supply, 0);
  for (size_t p = 0; p < plan.passes.size(); ++p)
    for (const Supply &supply : plan.passes[p].supplies) check(supply, p + 1);
}

void check_failure(const Oracle &oracle, const World &world, const PlanFailure &failure) {
  auto const none = [](uint32_t, uint32_t) { return false; };
  if (failure.kind == PlanFailure::Kind::unreachable) {
    EXPECT_FALSE(oracle.shortest(oracle.goals(), none)) << "can be had, were nothing taken away";
    ASSERT_FALSE(failure.chain.empty());
    return;
  }
  ASSERT_EQ(failure.kind, PlanFailure::Kind::invalidated);
  EXPECT_TRUE(oracle.shortest(oracle.goals(), none));
  std::set<std::string> goals(failure.goals.begin(), failure.goals.end());
  if (world.request.pipeline && oracle.shortest(goals, Oracle::all))
    goals.insert(""); // then it is the pipeline, with them
  auto only = [&](const PlanFailure::Threat *without) {
    return [&, without](uint32_t pass, uint32_t line) {
      const Unit &unit = *world.request.passes[pass];
      return std::any_of(failure.threats.begin(), failure.threats.end(), [&](const PlanFailure::Threat &threat) {
        return &threat != without && threat.pass == unit.name.value && threat.state == unit.invalidates[line].text();
      });
    };
  };
  EXPECT_FALSE(oracle.shortest(goals, only(nullptr))) << "the threats leave an order";
  for (const PlanFailure::Threat &threat : failure.threats)
    EXPECT_TRUE(oracle.shortest(goals, only(&threat)))
        << "not necessary: " << threat.pass << " invalidates " << threat.state;
}

TEST(PlannerProperty, AgreesWithBreadthFirstSearch) {
  uint32_t const seed = setting("HTP_SEED", 1), cases = setting("HTP_CASES", 3000);
  std::map<int, uint32_t> failures;
  uint32_t planned = 0, longest = 0, bound = 0;
  for (uint32_t i = 0; i < cases && !HasFailure(); ++i) {
    SCOPED_TRACE("HTP_SEED=" + std::to_string(seed + i) + " HTP_CASES=1");
    World world = make(seed + i);
    if (!world.pipeline.passes.empty()) world.request.pipeline = &world.pipeline;
    Oracle const oracle(world.request);
    auto const expected = oracle.shortest(oracle.goals(), Oracle::all);
    auto const plan = plan_passes(world.request);
    ASSERT_EQ(static_cast<bool>(plan), expected.has_value());
    if (!plan) {
      check_failure(oracle, world, plan.error());
      ++failures[static_cast<int>(plan.error().kind)];
      continue;
    }
    ++planned;
    std::string names;
    for (const std::string &name : *expected) names += name + "\n";
    ASSERT_EQ(names_of(*plan), names);
    EXPECT_TRUE(plan->proven);
    check_links(*plan);
    longest = std::max(longest, static_cast<uint32_t>(expected->size()));
    for (const PlannedPass &pass : plan->passes) bound += !pass.binding.empty();
    std::mt19937 random(seed + i);
    std::shuffle(world.request.passes.begin(), world.request.passes.end(), random);
    std::shuffle(world.request.goals.begin(), world.request.goals.end(), random);
    ASSERT_EQ(names_of(*plan_passes(world.request)), names);
    world.request.budget = 3; // too little: then a longer order, and by how much at most
    if (auto const hasty = plan_passes(world.request); hasty && !hasty->proven) {
      EXPECT_GE(hasty->passes.size(), expected->size());
      EXPECT_LE(hasty->passes.size(), expected->size() + hasty->within);
    }
  }
  if (cases < 1000) return;
  EXPECT_GT(planned, cases / 5);
  EXPECT_GT(longest, 4U);
  EXPECT_GT(bound, 20U);
  EXPECT_GT(failures[static_cast<int>(PlanFailure::Kind::unreachable)], cases / 20);
  EXPECT_GT(failures[static_cast<int>(PlanFailure::Kind::invalidated)], cases / 100);
}

} // namespace
} // namespace htp::test
