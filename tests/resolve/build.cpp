#include "tests/resolve/build.h"

#include "host/diag/render.h"

#include <gtest/gtest.h>

namespace htp::test {

Requirement requirement(const std::string &text) {
  Diagnostics diagnostics;
  auto parsed = parse_requirement(text, {}, diagnostics);
  EXPECT_TRUE(parsed) << text << render_text(diagnostics, {});
  return parsed ? *parsed : Requirement{};
}
Term term(const std::string &text) {
  Diagnostics diagnostics;
  auto parsed = parse_term(text, {}, diagnostics);
  EXPECT_TRUE(parsed) << text << render_text(diagnostics, {});
  return parsed ? *parsed : Term{};
}
Version version(const std::string &text) { return *Version::parse(text); }
VersionRange range(const std::string &text) { return term("X.Y@" + text).range; }
Text text(const std::string &value) { return {value, {}}; }

Unit unit(UnitKind kind, const std::string &name) {
  Unit result;
  result.kind = kind;
  result.name = text(name);
  return result;
}

CapabilityDecl capability(const std::string &name, bool state, bool initial) {
  return {text(name), state, initial, {}, ""};
}

ParameterDecl a_or_b(const std::string &name) {
  return {text(name), ParameterDecl::Type::enumeration, {"a", "b"}, {}, ""};
}

std::string text_of(const std::vector<Cause> &causes) {
  std::string out;
  for (const Cause &cause : causes)
    out += std::to_string(static_cast<int>(cause.kind)) + "/" + std::to_string(static_cast<int>(cause.fault)) + " " +
           cause.plugin + " " + cause.unit + " " + cause.subject + " " + cause.phrase + "\n";
  return out;
}

} // namespace htp::test
