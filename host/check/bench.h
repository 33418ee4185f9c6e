// host/check/bench.h — a plugin's units on a bench: example programs compiled with it, and each call that a compile of
// them makes of a unit, to be made again under other circumstances.
#pragma once

#include "host/base/confined.h"
#include "host/check/made_up.h"
#include "host/check/subject.h"
#include "host/check/watch.h"
#include "host/pipeline/compilation.h"
#include "host/pipeline/context.h"

#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace htp {

// An example program, compiled for a target with the plugin taking part.
struct Sample {
  std::string program; // its path
  std::string target;
  std::unique_ptr<Compilation> made;
};

// What a unit answered, as far as it can be compared.
struct Answer {
  htp_status status = HTP_OK;
  htp_node out = HTP_NONE; // a pass's tree
  std::string text;        // all of it: the tree's text, the table's rows, the files
  bool threw = false;      // an exception came through the C interface
  Diagnostics said;
};

struct CallOptions {
  const htp_host *host = nullptr; // null: the usual one
  bool cancelled = false;
  std::string told = {}; // the circumstances, should it die
  Dice *dice = nullptr;  // changes what else it is given, where that is more than a program
};

// One call of a unit of the plugin, with everything it was given.
struct Call {
  const UnitRef *ref = nullptr;
  const Sample *sample = nullptr;
  std::string what;               // "`run` of pass `acme.fold`"
  htp_node root = HTP_NONE;       // the program it is about
  std::vector<std::string> holds; // states the callee may count on
  bool any_tree = false;          // may be given any program, not only one where those hold
  std::function<void(htp_ctx &, htp_node root, const CallOptions &, Answer &)> go;
  htp_node after = HTP_NONE; // of a pass: the tree that it made in the compile
  htp_node given = HTP_NONE; // of a handler: the statement; of a typing rule: the call
  uint32_t row = 0;          // of these: which
};

class Bench {
public:
  Bench(const Subject &checked, ConfinedVoice &own);

  // Compiles the example programs, each tried in a child first. Reports those of the plugin itself that do not compile.
  void prepare(Findings &findings);
  // Every call that the compiles of the samples make of the plugin's units; of one kind of unit when given.
  const std::vector<Call> &calls();
  std::vector<const Call *> calls_of(UnitKind kind);
  // Of these units no further call is made: what is wrong with them is known.
  void leave_out(const std::set<std::string> &units);
  bool was_left_out(const std::string &unit) const { return left_out_.contains(unit); }
  // One of each unit, and of each row of a table.
  std::vector<const Call *> one_each();

  Answer run(const Call &call, htp_node root, const CallOptions &options = {}) const;
  Answer run(const Call &call) const { return run(call, call.root); }
  // Whether the states hold of the program, by their verifiers.
  bool all_hold(const Sample &sample, const std::vector<std::string> &states, htp_node root) const;

  // The failure of a check for a unit, told once for each; null when it was told.
  Finding *fail(Findings &findings, CheckId check, const Unit *unit, const Sample *sample, std::string message) const;
  bool own(const UnitRef &ref) const { return ref.plugin->manifest().id.value == subject.manifest.id.value; }

  const Subject &subject;
  ConfinedVoice *voice; // of the process that it is in
  mutable Cache cache;
  std::vector<Sample> samples;
  Baseline baseline; // of the process, before any of the plugin ran

private:
  // What an example is compiled with besides a target: a pipeline by name, a capability that is wanted; or neither.
  struct Way {
    std::string pipeline = {}, need = {};
  };
  std::unique_ptr<Compilation> compile(const std::string &program, const std::string &target, const Way &way,
                                       Diagnostics &said) const;
  bool attempt(const std::string &path, bool own, const Way &way, size_t &foreign, Findings &findings);
  void collect(const Sample &sample);
  std::vector<Call> calls_;
  bool collected_ = false;
  std::set<std::string> left_out_;
};

// Everything at `root` that a plugin could have changed where it stands: places, slots, texts.
std::string image_of(const Store &store, htp_node root);
std::string text_of(const Store &store, htp_node root);
// "plugin.code: message", a line each.
std::string lines_of(const Diagnostics &said);
// The first line of each that differs from the other's.
std::pair<std::string, std::string> first_difference_of(const std::string &a, const std::string &b);

} // namespace htp
