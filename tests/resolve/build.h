// tests/resolve/build.h — manifests and requests out of a few words, for tests that make them up.
#pragma once

#include "host/manifest/manifest.h"
#include "host/resolve/planner.h"
#include "host/resolve/resolve.h"

#include <memory>
#include <string>
#include <vector>

namespace htp::test {

Requirement requirement(const std::string &text);
Term term(const std::string &text);
Version version(const std::string &text);
VersionRange range(const std::string &text); // ">=1,<2"
Text text(const std::string &value);

Unit unit(UnitKind kind, const std::string &name);
CapabilityDecl capability(const std::string &name, bool state = false, bool initial = false);
// An enumeration of a and b.
ParameterDecl a_or_b(const std::string &name);

// Prints a conflict's causes, one a line: for comparison.
std::string text_of(const std::vector<Cause> &causes);

} // namespace htp::test
