// host/check/finding.h — what a check says of a plugin, as data that goes from a child process to its parent and into
// the cache.
#pragma once

#include "host/base/confined.h"
#include "host/check/table.h"
#include "host/manifest/manifest.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace htp {

// Why a check failed.
struct Finding {
  CheckId check;
  std::string unit;            // the unit it is about; empty: the plugin
  std::string program;         // the example it was seen on; empty: none
  std::string expected, found; // empty where the message says it all
  Diagnostic diagnostic;       // code, location, message
  bool late = false;           // no answer in time, which a machine that is busy makes too
};

// Why a check was not asked though its phase was.
struct Absence {
  CheckId check;
  std::string why;
};

struct Findings {
  std::vector<Finding> failed;
  std::vector<Absence> absent;
  std::set<CheckId> answered; // those that came to their end, whatever it was

  // Reports `check.name` at the unit's line, or the plugin's. The reference is good until the next one.
  Finding &fail(CheckId check, const Manifest &manifest, const Unit *unit, std::string message);
  // A diagnostic of another component; false when it fails no check.
  bool take(const Diagnostic &diagnostic);
  void not_asked(CheckId check, std::string why) { absent.push_back({check, std::move(why)}); }
  void answer(std::span<const CheckId> checks) { answered.insert(checks.begin(), checks.end()); }
  void answer(std::initializer_list<CheckId> checks) { answered.insert(checks); }
  void answer(CheckPhase phase); // all of it
};

// The check that a unit failed by the way in which the process ended that it ran in; nothing where that is in order.
std::optional<CheckId> failed_by(const ConfinedEnd &end);

// The plugin's unit that a child's last message names: where it was.
const Unit *named_in(std::string_view place, const Manifest &manifest);

// Places cross as paths; they are read again on the other side.
nlohmann::ordered_json to_json(const Findings &findings);
// False when it is none.
bool from_json(const nlohmann::ordered_json &json, Findings &findings);
// A line of text, as confined work hands it over; and all such lines of what it handed over.
std::string line_of(const Findings &findings);
void take_lines(std::string_view answer, Findings &findings);

} // namespace htp
