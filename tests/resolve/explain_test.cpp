// Explanations of what is hard to write down as a case, and the JSON form once in full.
#include "host/diag/render.h"
#include "host/resolve/explain.h"
#include "host/resolve/no_order.h"
#include "tests/resolve/build.h"

#include <gtest/gtest.h>

#include <deque>

namespace htp::test {
namespace {

std::string told(const PlanRequest &request, const PlanFailure &failure) {
  Diagnostics diagnostics;
  report(no_order(request, failure, {}), Request{}, diagnostics);
  return render_text(diagnostics, {});
}

TEST(Explain, NoOrderFoundWithinTheBudget) {
  // States that exclude each other, so that counting up through all of them is the only way.
  std::vector<Unit> bits;
  PlanRequest request;
  constexpr int kBits = 6;
  auto state = [](int bit, bool up) { return "Bit." + std::string(up ? "Up" : "Down") + std::to_string(bit); };
  for (int bit = 0; bit < kBits; ++bit) {
    Unit pass = unit(UnitKind::pass, "flip" + std::to_string(bit));
    pass.requires_.push_back(requirement(state(bit, false)));
    for (int lower = 0; lower < bit; ++lower) pass.requires_.push_back(requirement(state(lower, true)));
    pass.provides.push_back(term(state(bit, true)));
    pass.invalidates.push_back(term(state(bit, false)));
    for (int lower = 0; lower < bit; ++lower) {
      pass.provides.push_back(term(state(lower, false)));
      pass.invalidates.push_back(term(state(lower, true)));
    }
    bits.push_back(pass);
    request.start.push_back(term(state(bit, false)));
    request.goals.push_back(requirement(state(bit, true)));
    for (bool up : {false, true}) request.states.insert(state(bit, up));
  }
  for (const Unit &bit : bits) request.passes.push_back(&bit);

  request.budget = 20;
  auto const hasty = plan_passes(request);
  ASSERT_FALSE(hasty);
  EXPECT_EQ(hasty.error().kind, PlanFailure::Kind::budget);
  EXPECT_EQ(told(request, hasty.error()),
            R"(error[resolve.no-order-found]: no order of passes was found among the first 20
  = hint: a `pipeline` in the profile that names the passes leaves less to search

1 error
)");

  request.budget = 20000;
  auto const patient = plan_passes(request);
  ASSERT_TRUE(patient);
  EXPECT_EQ(patient->passes.size(), (size_t{1} << kBits) - 1);
  EXPECT_TRUE(patient->proven);
}

TEST(Explain, PipelineThatCannotRun) {
  Unit const pass = [] {
    Unit made = unit(UnitKind::pass, "acme.pack");
    made.requires_.push_back(requirement("Acme.Split"));
    made.provides.push_back(term("Acme.Packed"));
    return made;
  }();
  Unit pipeline = unit(UnitKind::pipeline, "acme.default");
  pipeline.passes.push_back(text("acme.pack"));
  PlanRequest request;
  request.passes = {&pass};
  request.states = {"Acme.Split", "Acme.Packed"};
  request.pipeline = &pipeline;
  auto const plan = plan_passes(request);
  ASSERT_FALSE(plan);
  EXPECT_EQ(told(request, plan.error()), R"(error[resolve.unreachable]: no pass leads to `Acme.Split`
  = note: `acme.pack` requires `Acme.Split`, which does not hold of this source, and which no pass brings
  = fix: any one of these changes helps
         - leave `pipeline: acme.default` out of the profile, so that the passes are planned
         - install a plugin that provides `Acme.Split`
         - drop the requirement `Acme.Split` of `acme.pack`

1 error
)");
}

TEST(Explain, PreferredVersionsAreKept) {
  std::vector<Manifest> manifests;
  for (const char *v : {"1.0", "2.0", "3.0"}) {
    Manifest manifest;
    manifest.id = text("acme.base");
    manifest.version = version(v);
    manifest.declares = {capability("Acme.Base")};
    manifest.units = {unit(UnitKind::dialect, "base")};
    manifest.units.back().provides.push_back(term("Acme.Base"));
    manifests.push_back(manifest);
  }
  Manifest const sdk;
  Universe universe;
  universe.sdk = &sdk;
  for (const Manifest &manifest : manifests) universe.plugins.push_back({&manifest, 0, ""});
  Request request;
  request.needs.push_back({requirement("Acme.Base"), {}, "the test"});
  request.prefer["acme.base"] = version("2.0");
  auto const resolution = resolve(universe, request);
  ASSERT_TRUE(resolution);
  EXPECT_EQ(explain_text(*resolution, passed_over(universe, request), request, nullptr), R"(plugins
  acme.base 2.0
    dialect `base`: the test needs `Acme.Base`
passed over
  acme.base 1.0: version 2.0 was taken
  acme.base 3.0: version 2.0 was taken
)");
  EXPECT_EQ(explain_json(*resolution, passed_over(universe, request), request, nullptr), R"({
  "schema": "htp.plan/1",
  "plugins": [
    {
      "id": "acme.base",
      "version": "2.0",
      "reasons": [],
      "units": [
        {
          "kind": "dialect",
          "name": "base",
          "instances": [],
          "reasons": [
            {
              "text": "the test needs `Acme.Base`",
              "place": null
            }
          ]
        }
      ]
    }
  ],
  "passed_over": [
    {
      "plugin": "acme.base",
      "version": "1.0",
      "unit": null,
      "why": "another-version",
      "text": "version 2.0 was taken"
    },
    {
      "plugin": "acme.base",
      "version": "3.0",
      "unit": null,
      "why": "another-version",
      "text": "version 2.0 was taken"
    }
  ],
  "order": null
}
)");
}

TEST(Explain, UnitsWithTooManyInstances) {
  Manifest manifest;
  manifest.id = text("acme.hostile");
  manifest.version = version("1.0");
  manifest.declares = {capability("Acme.Wide")};
  for (const char *name : {"a", "b", "c", "d", "e", "f"})
    manifest.declares.back().parameters.push_back({text(name), ParameterDecl::Type::integer, {}, {}, ""});
  manifest.units = {unit(UnitKind::dialect, "wide"), unit(UnitKind::dialect, "values")};
  manifest.units[0].provides.push_back(term("Acme.Wide(a=$A, b=$B, c=$C, d=$D, e=$E, f=$F)"));
  for (int i = 0; i < 9; ++i) {
    std::string const n = std::to_string(i);
    manifest.units[1].invalidates.push_back(
        term("Acme.Wide(a=" + n + ", b=" + n + ", c=" + n + ", d=" + n + ", e=" + n + ", f=" + n + ")"));
  }
  Manifest const sdk;
  Universe universe{{{&manifest, 0, ""}}, &sdk};
  Request request;
  request.needs.push_back({requirement("Acme.Wide"), {}, "the test"});
  auto const resolution = resolve(universe, request);
  ASSERT_FALSE(resolution);
  Diagnostics diagnostics;
  report(resolution.error(), request, diagnostics);
  EXPECT_EQ(render_text(diagnostics, {}),
            R"(error[resolve.unmet-need]: the test needs `Acme.Wide`, which no plugin provides
  = hint: acme.hostile 1.0 provides it, but cannot take part: its variables have too many values to look at
  = fix: any one of these changes helps
         - install a plugin that provides `Acme.Wide`
         - do without the test

1 error
)");
}

// Six pigeons, five holes: nobody sees quickly that they do not fit.
TEST(Explain, UndecidedWithinTheLimit) {
  constexpr int kHoles = 5;
  std::deque<Manifest> manifests;
  Manifest sdk;
  for (int i = 0; i <= kHoles; ++i) sdk.declares.push_back(capability("Pigeon.P" + std::to_string(i)));
  for (int j = 0; j < kHoles; ++j) sdk.declares.push_back(capability("Hole.H" + std::to_string(j)));
  Universe universe{{}, &sdk};
  Request request;
  for (int i = 0; i <= kHoles; ++i) {
    std::string const pigeon = "Pigeon.P" + std::to_string(i);
    request.needs.push_back({requirement(pigeon), {}, "pigeon"});
    for (int j = 0; j < kHoles; ++j) {
      std::string const hole = "Hole.H" + std::to_string(j);
      Manifest &manifest = manifests.emplace_back();
      manifest.id = text("p" + std::to_string(i) + "h" + std::to_string(j));
      manifest.version = version("1");
      manifest.units = {unit(UnitKind::dialect, manifest.id.value)};
      manifest.units.back().provides = {term(pigeon), term(hole)};
      manifest.units.back().conflicts = {term(hole)};
      universe.plugins.push_back({&manifest, 0, ""});
    }
  }
  request.conflicts = 10;
  auto const hasty = resolve(universe, request);
  ASSERT_FALSE(hasty);
  EXPECT_TRUE(hasty.error().undecided);
  Diagnostics diagnostics;
  report(hasty.error(), request, diagnostics);
  EXPECT_EQ(render_text(diagnostics, {}),
            R"(error[resolve.undecided]: no answer was found among the first 10 conflicts of the search
  = hint: name plugins with their versions under the profile's `plugins`

1 error
)");
  EXPECT_EQ(explain_json(hasty.error()), "{\n  \"undecided\": \"plugins\"\n}\n");
  request.conflicts = 1000000;
  auto const patient = resolve(universe, request);
  ASSERT_FALSE(patient);
  EXPECT_FALSE(patient.error().undecided);
  EXPECT_EQ(patient.error().conflicts.size(), 1U);
}

} // namespace
} // namespace htp::test
