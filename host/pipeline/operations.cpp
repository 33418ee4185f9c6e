#include "host/pipeline/operations.h"

#include <algorithm>

namespace htp {

using Json = nlohmann::ordered_json;

namespace {

// Whether the backend has the intrinsic, or a handler whose target set it has: one for any backend requires it.
bool is_had(const Registry &registry, const std::string &intrinsic, const std::string &backend, unsigned depth = 0) {
  if (registry.in_target_set(intrinsic, backend)) return true;
  const Registry::Handler *handler = depth < 16 ? registry.handler(intrinsic, backend) : nullptr;
  if (!handler) return false;
  const Unit &unit = *handler->ref->unit;
  if (!unit.backend.value.starts_with('$')) return true;
  return std::all_of(unit.requires_.begin(), unit.requires_.end(), [&](const Requirement &requirement) {
    return std::any_of(requirement.alternatives.begin(), requirement.alternatives.end(), [&](const Term &term) {
      const auto op = term.arguments.find("op");
      return term.name != "Intrinsic.Handler" || op == term.arguments.end() || op->second.values.empty() ||
             is_had(registry, op->second.values[0].text, backend, depth + 1);
    });
  });
}

} // namespace

std::vector<Operation> operations_of(const Registry &registry) {
  std::vector<Operation> operations;
  for (const UnitRef *set : registry.of(UnitKind::intrinsics)) {
    const auto *table = static_cast<const htp_intrinsics *>(set->interface);
    for (uint32_t i = 0; i < table->count; ++i) {
      Operation operation{set, &table->rows[i], {}};
      for (const UnitRef *ref : registry.of(UnitKind::backend))
        if (const std::string &backend = ref->unit->name.value; is_had(registry, operation.row->name, backend))
          operation.backends.push_back(backend);
      operations.push_back(std::move(operation));
    }
  }
  std::stable_partition(operations.begin(), operations.end(), [](const Operation &operation) {
    const std::vector<Unit> &units = operation.set->plugin->manifest().units;
    return std::any_of(units.begin(), units.end(), [](const Unit &u) { return u.kind == UnitKind::dialect; });
  });
  return operations;
}

std::string signature_of(const htp_intrinsic &row) {
  std::string text = std::string(row.name) + "(";
  bool keyword_only = false;
  for (uint32_t i = 0; i < row.parameter_count; ++i) {
    const htp_parameter &p = row.parameters[i];
    text += i ? ", " : "";
    if (p.keyword_only && !keyword_only) text += "*, ";
    keyword_only |= p.keyword_only != 0;
    text += std::string(p.name) + ": " + p.annotation + (p.default_value ? " = " + std::string(p.default_value) : "");
  }
  return text + ") -> " + row.result;
}

Json describe(const Operation &operation) {
  const htp_intrinsic &row = *operation.row;
  Json parameters = Json::array();
  for (uint32_t i = 0; i < row.parameter_count; ++i) {
    const htp_parameter &p = row.parameters[i];
    parameters.push_back({{"name", p.name},
                          {"annotation", p.annotation},
                          {"default", p.default_value ? Json(p.default_value) : Json()},
                          {"keyword_only", p.keyword_only != 0}});
  }
  return {{"name", row.name},
          {"python", row.python},
          {"plugin", operation.set->plugin->manifest().id.value},
          {"signature", signature_of(row)},
          {"parameters", parameters},
          {"result", row.result},
          {"rule", row.rule},
          {"effects", row.effects},
          {"spaces", row.spaces},
          {"cost", row.cost},
          {"operator", row.method ? Json(row.method) : Json()},
          {"doc", row.doc},
          {"backends", operation.backends}};
}

} // namespace htp
