// host/resolve/resolve.h — which plugins and units take part. Pure: manifests, needs and wishes in, a resolution or a
// conflict out; the answer does not depend on the order of anything in the input. explain.h turns both into sentences.
//
// A set of units is a solution when
//   - the target's backend, the pipeline with every pass that it names, every wished plugin (in its range) and a
//   provider of every need are in it;
//   - a unit comes with its plugin, and each plugin in one version;
//   - each `requires` and `contract` of its units is met by a unit in it. A state is met by a unit that provides it and
//   whose
//     own states are met first (invalidation is the planner's business), or, when it is `initial`, by its verifier;
//   - nothing in it conflicts, and no two plugins bring a unit of the same kind and name.
// A capability's version is the version of the plugin that declares it (of a provider in that plugin: its own). A unit
// with variables stands for all its instances.
//
// Of all solutions the preferred one is taken: leave out what is not preferred by the request (`prefer`), then what
// lies in later search folders, then older versions, then later names; so it is also inclusion-minimal and everything
// in it is needed. Then wants, unit by unit and in their order: one is granted when the preferred solution that grants
// it still has the unit that wants it, and takes no plugin in another version than `prefer` says for its sake. At last
// the other units of the chosen plugins come along, backends excepted, where their static requirements are met and
// nothing conflicts. docs/decisions/0004 says why.
#pragma once

#include "host/base/expected.h"
#include "host/manifest/manifest.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp {

// A plugin that was found. Manifests must outlive every result, which points into them.
struct Candidate {
  const Manifest *manifest = nullptr;
  uint32_t folder = 0;  // the search folder it was found in: earlier ones are preferred
  std::string rejected; // why it cannot take part ("built for ABI 2, this host has 1"); empty: it can
};

struct Universe {
  std::vector<Candidate> plugins;
  const Manifest *sdk = nullptr; // sdk_manifest(): always there
  // Whether a candidate's manifest is not the user's to change, so that no fix does. Asked of few; empty: none.
  std::function<bool(const Candidate &)> fixed = {};
};

// What the program asks for: `Python.Module(name=htp_tile)` because of "`import htp_tile`".
struct Need {
  Requirement requirement;
  Span span;
  std::string phrase;
};

struct Request {
  Text target;                           // a backend unit; empty value: none is asked for
  Text pipeline;                         // a pipeline unit; empty value: the passes are planned
  std::vector<PluginWish> wishes;        // plugins that must take part
  std::vector<Need> needs;               // round two (R10) asks again with more
  std::set<std::string> absent;          // initial states known not to hold of this source, by canonical text
  std::map<std::string, Version> prefer; // plugin id → version, kept where it can be: a lock, or what is loaded already
  uint32_t conflicts = 200000; // that the whole search may run into; never seconds, so that all machines agree
};

// Why a unit takes part. Several units may need the same one.
struct Reason {
  enum class Kind : uint8_t { target, pipeline, wish, need, requirement, contract, step, want, along };
  Kind kind{};
  uint32_t index = 0;     // of the wish, of the need, or of the unit in Resolution::units that asks
  std::string capability; // canonical text of what is asked, if it is a capability
  Span span;              // where it is asked
};

using Binding = std::map<std::string, Value>; // variable → value

struct ChosenUnit {
  const Manifest *manifest = nullptr;
  const Unit *unit = nullptr;
  std::vector<Binding> instances; // of a unit with variables, those that are needed
  std::vector<Reason> reasons;
};

struct ChosenPlugin {
  const Manifest *manifest = nullptr;
  uint32_t folder = 0;
  std::vector<uint32_t> units; // in Resolution::units
  std::vector<Reason> reasons; // of the plugin itself: wishes, and versions that are asked of it
};

// A provider of something needed that was not taken; a want that was not granted; a unit that did not come along.
struct PassedOver {
  enum class Why : uint8_t {
    another_version,
    another_provider,
    rejected,
    out_of_range,
    impossible,
    requires_unmet,
    conflicts,
    not_granted
  };
  const Manifest *manifest = nullptr;
  const Unit *unit = nullptr; // null: the plugin as a whole
  // Of another_provider: what decided for the one that was taken.
  enum class Because : uint8_t { needed_anyway, locked, folder, newer, name, company };
  Why why{};
  std::string detail;                  // the capability, the version or the reason that decided
  std::string taken;                   // of another_provider: "`fast` of acme.fast 1.2"
  std::vector<std::string> there = {}; // of requires_unmet: who provides it and takes no part, "acme.base 2.0"
  Because because{};
};

struct Resolution {
  std::vector<ChosenPlugin> plugins; // by id
  std::vector<ChosenUnit> units;     // by plugin id, then in manifest order
  std::vector<Term> installed;       // static capabilities the units provide, ground, by text
  std::set<std::string> states;      // names of all declared state capabilities
  std::vector<Term>
      initial; // states to check on the source before planning: those declared initial with a verifier here
  const Unit *backend = nullptr;       // of the target
  const Unit *pipeline = nullptr;      // that the request names
  std::vector<PassedOver> passed_over; // what was left out for it, where that was asked
};

// ── Why there is none ───────────────────────────────────────────────────────────────────────────────────────────────

// One line or rule that cannot stand together with the others. Without any one of a conflict's causes there is a
// solution.
struct Cause {
  enum class Kind : uint8_t {
    target,          // the request wants backend `subject`
    pipeline,        // the request wants pipeline `subject`
    wish,            // the request wants plugin `subject`
    need,            // the program needs `subject`
    requirement,     // `unit` of `plugin` requires `subject`
    contract,        // backend `unit` of `plugin` wants `subject` of the last stage
    step,            // pipeline `unit` of `plugin` names the pass `subject`
    invalidates,     // pass `unit` of `plugin` takes away `subject`, which `wanted_by` want
    conflict,        // `unit` of `plugin` conflicts with `subject`, a term
    plugin_conflict, // `plugin` (or its `unit`) conflicts with `subject`, a plugin
    one_version,     // only one version of plugin `subject` can be loaded
    same_name,       // two plugins bring a unit named `subject`
  };
  // What is at fault with a thing that is asked for; `unavailable`: it is there, and other causes keep it out.
  enum class Fault : uint8_t {
    unavailable,
    undeclared,
    unknown_parameter,
    bad_value,
    unknown_unit,
    missing_parameter,
    no_provider,
    out_of_range,
    not_initial,
    circular,
    cannot_run // passes that would bring it have causes of their own
  };
  // Something that would serve but for another cause or its version.
  struct Option {
    std::string plugin, version, unit;
    std::string rejected; // not empty: it was kept out before the search
    bool out_of_range = false;
    std::string provides; // what it provides instead (no match); empty: what is asked
    Span span;
  };
  Kind kind{};
  Fault fault{};
  std::string plugin, unit, subject, phrase; // phrase: of a need
  std::string offender, expected;            // the name, parameter or value that is at fault; what the value may be
  std::string owner;                         // whose version is out of range, and which there are
  std::vector<std::string> suggestions;      // for what is misspelled
  std::vector<std::string> versions;         // of `plugin` that say so
  std::vector<Span> locations;               // one for each version
  std::vector<Option> options;
  std::vector<std::string> wanted_by; // passes; "": the contract
};

// One change of what is asked, or of what there is. A line that stands in several versions of a plugin is changed in
// all.
struct Change {
  enum class Kind : uint8_t {
    respell,  // the line says `wrong` where `right` was meant
    retarget, // ask for the target `subject` instead
    relax,    // ask for `subject` without its range
    install,  // a plugin that provides `subject`
    drop,     // do without the line
  };
  Kind kind{};
  Cause::Kind of{}; // what is changed; the line is told as a cause is
  std::string plugin, unit, subject, phrase;
  std::vector<std::string> there; // of `relax`: what there is, "acme.spatial 1.4"
  std::vector<Span> locations;
  std::string wrong = {}, right = {}; // of `respell`
};

// Changes that together, and no fewer of them, leave a solution. Smaller ones come first.
struct Fix {
  std::vector<Change> changes;
};

struct Conflict {
  enum class Of : uint8_t {
    plugins,     // no set of them serves the request
    unreachable, // no pass leads to `states`
    invalidated  // each of `states` can be had, but no order of passes keeps them
  };
  std::vector<Cause> causes; // the request's first
  std::vector<Fix> fixes;    // any one of them will do, were the other conflicts not there
  Of of = Of::plugins;
  std::vector<std::string> states;
};

// Why there is no resolution.
struct Refusal {
  std::vector<Conflict> conflicts; // each minimal, and apart from those before it
  bool undecided = false;          // no answer within Request::conflicts
  uint32_t expansions = 0;         // no order of passes was found within so many
};

// `with_passed_over`: also what it was chosen over, which asks for each provider whether it could have been had.
Expected<Resolution, Refusal> resolve(const Universe &universe, const Request &request, bool with_passed_over = false);

// That alone.
std::vector<PassedOver> passed_over(const Universe &universe, const Request &request);

} // namespace htp
