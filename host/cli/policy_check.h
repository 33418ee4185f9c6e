// host/cli/policy_check.h — what was changed between two programs, packages or plugins, held against a change policy.
#pragma once

#include "host/cli/command.h"
#include "host/manifest/manifest.h"

#include <optional>
#include <string>

namespace htp {

// The change policy in a file. Nothing after a report.
std::optional<ChangePolicy> policy_at(const std::string &path, Diagnostics &diagnostics);

// {"text", "result"}: each change between the two, and whether the policy allows it; each that it does not is reported.
// Nothing after another report.
std::optional<nlohmann::ordered_json> check_changes(const ChangePolicy &policy, const std::string &a,
                                                    const std::string &b, const Arguments &arguments,
                                                    Diagnostics &diagnostics);

// Whether the command line has two of what is compared; reported.
bool two_given(const Arguments &arguments, Diagnostics &diagnostics);

} // namespace htp
