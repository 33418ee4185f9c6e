// What is found when several units could be meant.
#include "host/pipeline/registry.h"

#include "tests/load/fixture.h"

#include <tuple>

namespace htp {
namespace {

class RegistryTest : public testing::Test {
protected:
  Manifest manifest_ = fixture("registry");
  Diagnostics diagnostics_;
  std::vector<LoadedPlugin> plugins_ = load(manifest_, {}, diagnostics_);
  Registry registry_{plugins_, {}};
};

std::string name_of(const UnitRef *ref) { return ref ? ref->unit->name.value : "none"; }

TEST_F(RegistryTest, AVerifierIsForItsOwnTerms) {
  EXPECT_EQ(text(diagnostics_), "");
  EXPECT_EQ(name_of(registry_.verifier("Codegen.Ready(target=one)")), "test.one");
  EXPECT_EQ(name_of(registry_.verifier("Codegen.Ready(target=two)")), "none");
  EXPECT_EQ(name_of(registry_.verifier("Test.Done(of=two)")), "test.each");
  EXPECT_EQ(name_of(registry_.verifier("Test.Other")), "none");
}

TEST_F(RegistryTest, OfTwoHandlersTheFirstByNameIsUsedAndTheOtherTold) {
  const Registry::Handler *handler = registry_.handler("test.f", "one");
  ASSERT_NE(handler, nullptr);
  EXPECT_EQ(name_of(handler->ref), "test.first");
  EXPECT_EQ(registry_.handler("test.h", "one"), nullptr);
  registry_.report_shadowed(diagnostics_);
  EXPECT_EQ(
      text(diagnostics_),
      "11 pipeline.shadowed-handler: `test.first` and `test.second` both handle `test.f` for "
      "`one`; the first is used\n  hint: name the plugin whose handler is meant under `plugins:` in the profile\n");
  ASSERT_EQ(diagnostics_.list()[0].labels.size(), 1u);
  EXPECT_EQ(diagnostics_.list()[0].labels[0].span.line, 16u);
}

TEST_F(RegistryTest, AHandlerForAnyBackendStandsBehindOneForThisBackend) {
  for (const auto &[intrinsic, backend, found] :
       {std::tuple("test.f", "one", "test.first"), {"test.f", "two", "test.any"}, {"test.g", "one", "test.any"}}) {
    const Registry::Handler *handler = registry_.handler(intrinsic, backend);
    ASSERT_NE(handler, nullptr) << intrinsic << " for " << backend;
    EXPECT_EQ(name_of(handler->ref), found) << intrinsic << " for " << backend;
  }
}

} // namespace
} // namespace htp
