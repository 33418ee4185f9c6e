// host/pipeline/operations.h — the intrinsics of a set of plugins, as `htp-host ops` and htp.introspect tell them.
#pragma once

#include "host/pipeline/registry.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace htp {

struct Operation {
  const UnitRef *set = nullptr; // who declares it
  const htp_intrinsic *row = nullptr;
  std::vector<std::string> backends; // that can run it: by a handler, or because it is of their target set
};

// All of them, set by set, each in its table's order: what programs are written with, by plugins that bring a dialect,
// before those of target sets. Borrowed from the registry.
std::vector<Operation> operations_of(const Registry &registry);

// `tile.exp(x: Floating) -> Floating`
std::string signature_of(const htp_intrinsic &row);

// {"name", "python", "plugin", "signature", "parameters", "result", "rule", "effects", "spaces", "cost", "operator",
// "doc", "backends"}
nlohmann::ordered_json describe(const Operation &operation);

} // namespace htp
