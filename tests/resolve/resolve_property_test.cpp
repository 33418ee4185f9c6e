// Law 7: the resolver agrees with an oracle that looks at every set, in any input order; every cause is necessary.
// HTP_SEED and HTP_CASES change which universes are made up, and how many. Fixes, what is passed over and other orders
// of the input are looked at in one of twenty; with HTP_LONG in all.
#include "host/resolve/explain.h"
#include "tests/resolve/build.h"
#include "tests/resolve/change.h"
#include "tests/resolve/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <random>

namespace htp::test {
namespace {

uint32_t setting(const char *name, uint32_t otherwise) {
  const char *value = std::getenv(name);
  return value ? static_cast<uint32_t>(std::strtoul(value, nullptr, 10)) : otherwise;
}

// A made-up universe of a few plugins, and something asked of it.
struct World {
  std::deque<Manifest> manifests;
  Manifest sdk;
  Universe universe;
  Request request;
};

class Maker {
public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  World make() {
    World world;
    world.sdk.id = text("htp.sdk");
    world.sdk.version = version("1.0");
    world.sdk.declares = {with_parameter("Sdk.Thing"), capability("Sdk.Ready", true)};
    uint32_t const ids = ids_ = 2 + pick(3);
    size_t budget = 8; // of instances, so that the oracle comes to an end
    for (uint32_t id = 0; id < ids; ++id) {
      uint32_t const versions = 1 + (pick(3) == 0);
      for (uint32_t v = 0; v < versions; ++v) world.manifests.push_back(plugin(id, v, budget));
    }
    for (const Manifest &manifest : world.manifests)
      world.universe.plugins.push_back({&manifest, pick(3), one_in(12) ? "built for another ABI" : ""});
    world.universe.sdk = nullptr;
    ask(world, ids);
    return world;
  }

private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool one_in(uint32_t n) { return pick(n) == 0; }

  static CapabilityDecl with_parameter(const std::string &name) {
    CapabilityDecl declared = capability(name);
    declared.parameters = {a_or_b("k")};
    return declared;
  }

  std::string argument(bool variable) {
    if (variable) return "$T";
    switch (pick(5)) {
    case 0: return "a";
    case 1: return "b";
    case 2: return "{a, b}";
    default: return one_in(2) ? "*" : "a";
    }
  }
  std::string capability_name(bool state, bool declared) {
    std::string const owner = one_in(6) ? "Sdk" : "P" + std::to_string(pick(declared ? ids_ : 4));
    if (owner == "Sdk") return state ? "Sdk.Ready" : "Sdk.Thing";
    return owner + (state ? "." + std::string(1, static_cast<char>('R' + pick(3))) : pick(2) ? ".Thing" : ".Other");
  }
  static bool parametrised(const std::string &name) { return name.ends_with(".Thing") || name.ends_with(".R"); }

  std::string asked_term(bool state, bool variable) {
    std::string text = capability_name(state, variable);
    if (parametrised(text) && !one_in(4)) text += "(k=" + argument(variable) + ")";
    if (one_in(7)) text += one_in(2) ? "@>=2" : "@<2";
    return text;
  }
  Requirement asked(bool states, bool variable) {
    std::string text = asked_term(states && one_in(2), variable);
    if (one_in(5)) text += " | " + asked_term(states && one_in(2), variable);
    return requirement(text);
  }
  Term provided(bool state, bool variable) {
    std::string text = capability_name(state, variable);
    if (parametrised(text)) text += variable ? "(k=$T)" : one_in(2) ? "(k=a)" : "(k=b)";
    return term(text);
  }

  Manifest plugin(uint32_t id, uint32_t v, size_t &budget) {
    Manifest manifest;
    std::string const name = "p" + std::to_string(id);
    manifest.id = text(name);
    manifest.version = version(v == 0 ? "1.0" : "2.0");
    std::string const prefix = "P" + std::to_string(id);
    manifest.declares = {with_parameter(prefix + ".Thing"), capability(prefix + ".Other")};
    CapabilityDecl r = capability(prefix + ".R", true, id % 2 == 0);
    r.parameters = {a_or_b("k")};
    manifest.declares.push_back(r);
    manifest.declares.push_back(capability(prefix + ".S", true, true));
    manifest.declares.push_back(capability(prefix + ".T", true));
    uint32_t const units = 1 + pick(3);
    for (uint32_t u = 0; u < units && budget > 0; ++u) {
      manifest.units.push_back(make_unit(u));
      size_t const cost = manifest.units.back().doc.empty() ? 1 : 2;
      if (cost > budget) {
        manifest.units.pop_back();
        break;
      }
      budget -= cost;
    }
    if (one_in(12)) manifest.conflicts.push_back(wish());
    return manifest;
  }

  PluginWish wish() {
    PluginWish result{"p" + std::to_string(pick(4)), {}, {}};
    if (one_in(2)) result.range = range(one_in(2) ? ">=2" : "<2");
    return result;
  }

  Unit make_unit(uint32_t u) {
    constexpr UnitKind kinds[] = {UnitKind::pass,    UnitKind::pass,     UnitKind::dialect,
                                  UnitKind::backend, UnitKind::verifier, UnitKind::pipeline};
    UnitKind const kind = kinds[one_in(8) ? 5 : pick(5)];
    Unit result = unit(kind, "u" + std::to_string(one_in(3) ? 0 : 1 + pick(4)));
    result.name.value += std::to_string(u); // of its own within its plugin
    bool const variable = one_in(5);
    bool const pass = kind == UnitKind::pass;
    if (variable) result.doc = "generic";
    for (uint32_t n = pick(3); n > 0; --n) result.requires_.push_back(asked(pass || one_in(4), variable));
    for (uint32_t n = 1 + pick(2); n > 0; --n)
      if (kind == UnitKind::pipeline)
        result.passes.push_back(text(pass_name()));
      else if (kind == UnitKind::verifier)
        result.verifies.push_back(provided(true, false));
      else
        result.provides.push_back(provided(pass, variable));
    if (kind == UnitKind::backend)
      for (uint32_t n = pick(3); n > 0; --n) result.contract.push_back(asked(true, false));
    if (one_in(6)) result.wants.push_back(asked(false, variable));
    if (one_in(8)) result.wants.push_back(asked(true, variable));
    if (one_in(6)) result.conflicts.push_back(term(asked_term(one_in(3), false)));
    if (one_in(14)) result.plugin_conflicts.push_back(wish());
    return result;
  }

  // Often one that there is: names end in the number of the unit in its plugin.
  std::string pass_name() { return "u" + std::to_string(one_in(3) ? 0 : 1 + pick(4)) + std::to_string(pick(3)); }

  // Two plugins with a unit of one kind and name, both of them asked for.
  void make_twins(World &world) {
    for (const char *id : {"p0", "p1"}) {
      std::string const provided = (id[1] == '0' ? "P0" : "P1") + std::string(".Other");
      for (Manifest &manifest : world.manifests) {
        if (manifest.id != id || manifest.units.empty()) continue;
        Unit &twin = manifest.units.front();
        twin.kind = UnitKind::dialect;
        twin.name = text("twin");
        twin.contract.clear();
        twin.verifies.clear();
        twin.provides.push_back(term(provided));
      }
      world.request.needs.push_back({requirement(provided), {}, "twin " + provided});
    }
  }

  void ask(World &world, uint32_t ids) {
    if (one_in(15)) make_twins(world);
    std::vector<std::string> backends;
    for (const Manifest &manifest : world.manifests)
      for (const Unit &each : manifest.units)
        if (each.kind == UnitKind::backend) backends.push_back(each.name.value);
    if (!backends.empty() && !one_in(4))
      world.request.target = text(backends[pick(static_cast<uint32_t>(backends.size()))]);
    if (one_in(40)) world.request.target = text("nothing");
    std::vector<std::string> pipelines;
    for (const Manifest &manifest : world.manifests)
      for (const Unit &each : manifest.units)
        if (each.kind == UnitKind::pipeline) pipelines.push_back(each.name.value);
    if (!pipelines.empty() && !one_in(3))
      world.request.pipeline = text(pipelines[pick(static_cast<uint32_t>(pipelines.size()))]);
    if (one_in(40)) world.request.pipeline = text("nothing");
    if (one_in(4)) world.request.wishes.push_back(wish());
    for (uint32_t n = pick(3); n > 0; --n)
      world.request.needs.push_back({asked(one_in(3), false), {}, "need " + std::to_string(n)});
    if (one_in(4)) world.request.prefer["p" + std::to_string(pick(ids))] = version(one_in(3) ? "2.0" : "1.0");
    if (one_in(5)) world.request.absent.insert("P0.S");
  }

  std::mt19937 random_;
  uint32_t ids_ = 0;
};

std::string answer_text(const Universe &universe, const Request &request) {
  auto const answer = resolve(universe, request);
  if (answer) return explain_text(*answer, passed_over(universe, request), request, nullptr);
  return explain_json(answer.error());
}

bool blames(const Cause &cause, const Oracle::Line &line) {
  return cause.kind == line.kind && cause.plugin == line.plugin && cause.unit == line.unit &&
         cause.subject == line.subject;
}

void check_causes(const Oracle &oracle, const std::vector<Cause> &causes) {
  auto only = [&](const Cause *without) {
    return [&causes, without](const Oracle::Line &line) {
      return std::any_of(causes.begin(), causes.end(),
                         [&](const Cause &c) { return &c != without && blames(c, line); });
    };
  };
  EXPECT_FALSE(oracle.solvable(only(nullptr))) << "the causes leave a solution:\n" << text_of(causes);
  for (const Cause &cause : causes)
    EXPECT_TRUE(oracle.solvable(only(&cause))) << "not necessary: " << text_of({cause}) << "of\n" << text_of(causes);
}

// Each fix, made for real, leaves a solution, and no part of it does. Gives the number of conflicts with a fix.
uint32_t check_fixes(const World &world, const Refusal &refusal) {
  uint32_t fixed = 0;
  for (const Conflict &conflict : refusal.conflicts) {
    Request own = world.request; // without what the other conflicts ask for
    for (const Conflict &other : refusal.conflicts)
      if (&other != &conflict) leave_out(other.causes, own);
    for (const Fix &fix : conflict.fixes) {
      auto solves = [&](const std::vector<Change> &changes) {
        Changed const changed(world.universe, own, changes);
        return static_cast<bool>(resolve(changed.universe, changed.request));
      };
      EXPECT_FALSE(fix.changes.empty());
      Changed const changed(world.universe, own, fix.changes);
      for (size_t m = 0; m < world.universe.plugins.size(); ++m) // what was right stays right
        for (size_t u = 0; u < changed.manifests[m].units.size(); ++u)
          if (unbound_variables(world.universe.plugins[m].manifest->units[u]).empty()) {
            const Unit &unit = changed.manifests[m].units[u];
            EXPECT_TRUE(unbound_variables(unit).empty()) << "breaks " << unit.name.value << ": " << text_of(fix);
          }
      EXPECT_TRUE(solves(fix.changes)) << "does not help: " << text_of(fix)
                                       << answer_text(changed.universe, changed.request);
      for (size_t i = 0; i < fix.changes.size(); ++i) {
        std::vector<Change> fewer = fix.changes;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
        EXPECT_FALSE(solves(fewer)) << "more than is needed: " << text_of(fix) << " without " << i;
      }
    }
    fixed += !conflict.fixes.empty();
  }
  return fixed;
}

void check_resolution(const Oracle &oracle, const Resolution &resolution, const std::vector<PassedOver> &left) {
  // Everything is asked for by something that is asked for.
  std::set<uint32_t> reached;
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t u = 0; u < resolution.units.size(); ++u)
      for (const Reason &reason : resolution.units[u].reasons) {
        bool const from_request = reason.kind <= Reason::Kind::need || reason.kind == Reason::Kind::along;
        if (!reached.contains(u) && (from_request || reached.contains(reason.index))) grew = reached.insert(u).second;
      }
  }
  EXPECT_EQ(reached.size(), resolution.units.size()) << "something nobody needs";
  for (const ChosenPlugin &plugin : resolution.plugins)
    for (const Unit &unit : plugin.manifest->units) {
      bool const chosen = std::any_of(plugin.units.begin(), plugin.units.end(),
                                      [&](uint32_t u) { return resolution.units[u].unit == &unit; });
      bool const passed = std::any_of(left.begin(), left.end(), [&](const PassedOver &p) {
        return p.unit == &unit && (p.why == PassedOver::Why::requires_unmet || p.why == PassedOver::Why::conflicts);
      });
      EXPECT_TRUE(chosen != passed || unit.kind == UnitKind::backend) << unit.name.value;
      EXPECT_TRUE(!chosen || oracle.is_static_met(resolution, unit)) << unit.name.value;
    }
}

TEST(ResolveProperty, AgreesWithTheOracle) {
  uint32_t const seed = setting("HTP_SEED", 1), cases = setting("HTP_CASES", 10000);
  uint32_t solved = 0, wanted = 0, generic = 0, several = 0, together = 0, told = 0, fixed = 0;
  std::map<Change::Kind, uint32_t> changes;
  std::map<Cause::Kind, uint32_t> kinds;
  for (uint32_t i = 0; i < cases && !HasFailure(); ++i) {
    SCOPED_TRACE("HTP_SEED=" + std::to_string(seed + i) + " HTP_CASES=1");
    World world = Maker(seed + i).make();
    world.universe.sdk = &world.sdk;
    bool const in_full = cases == 1 || i % 20 == 0 || std::getenv("HTP_LONG");
    Oracle const oracle(world.universe, world.request);
    auto const answer = resolve(world.universe, world.request);
    auto const expected = oracle.preferred();
    ASSERT_EQ(static_cast<bool>(answer), expected.has_value()) << answer_text(world.universe, world.request);
    if (answer) {
      ++solved;
      ASSERT_EQ(oracle.text(*answer), oracle.text(expected->set));
      ASSERT_FALSE(oracle.smaller(*expected));
      if (in_full) check_resolution(oracle, *answer, passed_over(world.universe, world.request));
      wanted += !expected->granted.empty();
      for (const ChosenUnit &unit : answer->units) generic += !unit.instances.empty();
    } else {
      ASSERT_FALSE(answer.error().undecided);
      for (const Conflict &conflict : answer.error().conflicts) {
        check_causes(oracle, conflict.causes);
        for (const Fix &fix : conflict.fixes) {
          together += fix.changes.size() > 1;
          for (const Change &change : fix.changes) ++changes[change.kind];
        }
      }
      if (in_full) told += static_cast<uint32_t>(answer.error().conflicts.size());
      if (in_full) fixed += check_fixes(world, answer.error());
      const std::vector<Cause> &causes = answer.error().conflicts.front().causes;
      several += causes.size() > 2;
      for (const Cause &cause : causes) ++kinds[cause.kind];
    }
    if (!in_full) continue;
    std::string const text = answer_text(world.universe, world.request);
    std::mt19937 random(seed + i);
    for (int order = 0; order < 3; ++order) {
      std::shuffle(world.universe.plugins.begin(), world.universe.plugins.end(), random);
      std::shuffle(world.request.needs.begin(), world.request.needs.end(), random);
      std::shuffle(world.request.wishes.begin(), world.request.wishes.end(), random);
      ASSERT_EQ(answer_text(world.universe, world.request), text);
    }
  }
  if (cases < 1000) return;
  // What was made up is worth the name: both answers, every kind of cause and of change.
  EXPECT_GT(solved, cases / 10);
  EXPECT_GT(cases - solved, cases / 10);
  EXPECT_GT(wanted, 0U);
  EXPECT_GT(generic, 0U);
  EXPECT_GT(several, cases / 50);
  for (int kind = 0; kind <= static_cast<int>(Cause::Kind::same_name); ++kind) {
    if (kind == static_cast<int>(Cause::Kind::invalidates)) continue; // of the order of passes
    EXPECT_GT(kinds[static_cast<Cause::Kind>(kind)], 0U) << "no cause of kind " << kind;
  }
  for (int kind = 0; kind <= static_cast<int>(Change::Kind::drop); ++kind)
    EXPECT_GT(changes[static_cast<Change::Kind>(kind)], 0U) << "no change of kind " << kind;
  EXPECT_GT(together, 0U);
  EXPECT_GT(fixed, told - told / 10); // a target alone is not to be fixed, and some take more changes than are tried
  RecordProperty("solved", static_cast<int>(solved));
}

} // namespace
} // namespace htp::test
