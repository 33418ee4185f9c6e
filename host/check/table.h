// host/check/table.h — the checks, from checks.def.
#pragma once

#include "host/diag/diagnostic.h"

#include <array>
#include <span>
#include <string_view>

namespace htp {

// In the order in which a plugin goes through them.
enum class CheckPhase : uint8_t { file, manifest, terms, python, elf, abi, entry, units, behaviour };
inline constexpr std::array<std::string_view, 9> check_phases = {"file", "manifest", "terms", "python",   "elf",
                                                                 "abi",  "entry",    "units", "behaviour"};

enum class CheckId : uint8_t {
#define HTP_CHECK(id, ...) id,
#define HTP_CHECK_OF(id, ...) id,
#include "host/check/checks.def"
  count
};

struct CheckInfo {
  CheckId id;
  std::string_view name;
  CheckPhase phase;
  Severity severity;      // of a failure
  std::string_view kinds; // of the units it is about, blank separated; empty: the plugin
  std::string_view what;  // it asks, in one line
  std::string_view codes; // the diagnostics that fail it, blank separated
  std::string_view phase_name() const { return check_phases[static_cast<size_t>(phase)]; }
};

// By CheckId; those of one phase stand together, the phases in order.
std::span<const CheckInfo> all_checks();
inline const CheckInfo &check_info(CheckId id) { return all_checks()[static_cast<size_t>(id)]; }
const CheckInfo *find_check(std::string_view name);
// The check that a diagnostic fails; null when it fails none.
const CheckInfo *check_of(std::string_view code);

} // namespace htp
