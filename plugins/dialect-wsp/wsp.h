// wsp.h — the parts of dialect-wsp.
#pragma once

#include "htp_cpp/constants.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/races.h"
#include "htp_cpp/refusal.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

#include <set>

namespace htp::wsp {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// ── what is read of a program ───────────────────────────────────────────────────────────────────────────────────────

struct DirectiveKind {
  std::string_view name, positional, keywords, example;
};
const DirectiveKind *directive_kind(std::string_view name);
std::vector<std::string> directive_names();

// A text of a directive and the expression it came from, which may stand in the call of a combination.
struct Name {
  Node at = HTP_NONE;
  std::string text;
};

// One line of a schedule: `s.tile("i", 64, 16)`. In a combination, what its parameters stand for is put in.
struct Directive {
  Node call = HTP_NONE;
  Node via = HTP_NONE; // the schedule's call of the combination that it stands in; 0: it stands in the schedule
  const DirectiveKind *kind = nullptr;
  std::vector<Name> names; // positional loops and tensors
  std::vector<Node> sizes; // positional sizes
  std::map<std::string, Name, std::less<>> texts;
  std::map<std::string, Node, std::less<>> numbers;

  std::string_view name() const { return kind->name; }
};

// The workload that is compiled, and its schedule.
struct Program {
  Names names;
  Node workload = HTP_NONE;                  // a FunctionDef; 0: the entry is no workload
  Node schedule = HTP_NONE;                  // 0: there is none
  std::vector<Directive> directives = {};    // in the order in which they are applied
  std::vector<std::string> passed_over = {}; // the workload's schedules, where it has several and none is chosen
};

// Finds them. Reports directives that are none when `report` is set, and leaves them out.
Program read_program(const Context &c, Node root, bool report);
// The workload that an entry calls by a function of the module, which is one or a schedule of one; no workload when the
// function is neither.
Program read_called(const Context &c, Node root, Node function);
// The name that `@schedule(name)` is given; 0 when the function is no schedule.
Node scheduled(const Context &c, const Names &names, Node function);
// A function of straight-line directives that schedules call: its first parameter is a `Schedule`.
bool is_combination(const Context &c, const Names &names, Node function);

// The module with every directive applied to the workload; 0 after a report.
Node applied(const Context &c, Node root, const Program &p);
// The workload with tile's loops over blocks for P and seq, of `size` where nothing says one. `tile`: the module's
// name.
Node with_tiles(const Context &c, const Names &names, Node workload, const std::string &tile, int64_t size);

// ── loops ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// A loop of the workload: `for i in P(M, 64)` or `seq(M)`, beneath loop forms or not.
struct Loop {
  Node statement = HTP_NONE, call = HTP_NONE; // the For; the call of P or seq
  std::string variable;
  LoopForms forms;
  bool ordered = false;                    // seq
  Node extent = HTP_NONE, size = HTP_NONE; // what it cuts; 0: the size is open
};
std::vector<Loop> loops_of(const Context &c, const Names &names, Node workload);
const Loop *find_loop(const std::vector<Loop> &loops, std::string_view variable);

// The workload with loops over ranges, `P(1, N - 1)`, as loops from 0 on.
Node without_ranges(const Context &c, const Names &names, Node root, Node workload);

// Reports the promises that the workload's loops break: `P` over iterations that are not independent.
void check_promises(const Context &c, const Names &names, Node root, Node workload);

// What stands in the way of running two pieces in another order: a name or a tensor, and where both touch it.
struct Conflict {
  std::string name;
  Node first = HTP_NONE, second = HTP_NONE;
  bool first_writes = false, second_writes = false;
};

// Where two statements stand to each other.
struct Siblings {
  bool together = false, in_order = false; // in one block; the first before the second
  std::vector<Node> between;
  bool adjacent() const { return together && in_order && between.empty(); }
};

// ── applying directives ─────────────────────────────────────────────────────────────────────────────────────────────

// The workload while directives change it, one after the other.
class Transform {
public:
  Transform(const Context &context, const Names &known, Node module, Node function)
      : c(context), names(known), root(module), constants(context, module),
        imports(context, module, locals(context, function)), workload(function) {}

  // Applies one. False after a report; the workload is as it was then.
  bool apply(const Directive &d);

  const Context &c;
  const Names &names;
  const Node root;
  const Constants constants;
  Imports imports; // what the workload needs now
  Node workload;

  // ── for the directives ──
  std::vector<Loop> loops() const { return loops_of(c, names, workload); }
  // The loop of that name; nothing after a report.
  std::optional<Loop> loop(const Directive &d, const Name &name) const;
  // A loop's size as a number; nothing while it is open.
  std::optional<int64_t> size_of(const Loop &loop) const;
  // How many iterations of a pipelined loop overlap.
  int64_t depth_of(const Loop &loop) const;
  // The most iterations a loop can have; nothing when that is not known when compiling.
  std::optional<int64_t> most_iterations(const Loop &loop) const;
  // The sizes of a directive; empty after a report.
  std::vector<int64_t> sizes(const Directive &d) const;
  std::optional<int64_t> number(const Directive &d, std::string_view keyword, int64_t least) const;
  // Names the workload binds, and where first.
  std::map<std::string, Node> bound() const;
  std::string free_name(const std::string &stem) const;
  // Puts statements in the place of one.
  void replace(Node statement, const std::vector<uint32_t> &by);
  std::vector<Dependence> dependences(Node loop) const;
  // Wraps what a loop runs over: `htp.parallel(…)`.
  void wrap(const Loop &loop, std::string_view form, std::vector<uint32_t> keywords = {});

  // ── who touches what ──
  Siblings siblings(Node first, Node second) const;
  // The blocks inside a loop that its variable, or blocks cut from it, stand for.
  std::set<std::string> blocks_of(Node loop, const std::string &variable) const;
  std::vector<TensorAccess> accesses(Node statement) const;
  // The first call of an intrinsic.
  Node calls(Node statement, std::string_view intrinsic) const;
  // Why the second may not run before all of the first has. Of loops over the same blocks, whose variables are given,
  // iterations of the same number stay in order.
  // `but` is a tensor that does not count.
  std::optional<Conflict> conflict(Node first, Node second, const std::string &first_variable = {},
                                   const std::string &second_variable = {}, const std::string &but = {}) const;
  Node renamed(Node n, const std::map<std::string, std::string> &to) const;
  // The second loop, for a place behind the first one's body.
  Node apart(Node first, Node second) const;
  // The type of a parameter or a buffer; nothing when the name is neither.
  std::optional<Type> tensor_type(std::string_view name) const;
  // The same; nothing after a report.
  std::optional<Type> tensor(const Directive &d, const Name &name) const;
  // The statement that makes a buffer; 0 for a parameter.
  Node buffer_binding(std::string_view name) const;

private:
  static std::set<std::string, std::less<>> locals(const Context &c, Node function);
  std::set<std::string> missing_; // loops there would be if the directives that were refused had been applied
};

// A report about a directive; one that stands in a combination is reported with the call that leads there.
inline void about(const Directive &d, Report &&report) {
  if (d.via) report.label(d.via, "called here");
}
inline void about(const Directive &d, Report &report) { about(d, std::move(report)); }

// Offers another name in the place of one that stands in a directive as it is; not of one that is put together, or so
// short that any other is near.
void offer(const Context &c, Report &report, const Name &name, const std::string &instead);
// Names a dependence between a loop's iterations, with both its ends.
void explain(Report &report, const Dependence &d);

// Puts `count` of a loop's blocks at a time into a loop around it, whose name is the next that is free; the last may be
// fewer. False after a report.
bool group(Transform &t, const Directive &d, const Loop &loop, int64_t count);

#define DIRECTIVE(name, ...) bool apply_##name(Transform &t, const Directive &d);
#include "directives.def"
#undef DIRECTIVE

// ── units ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// Reports what depends on the sizes of blocks that the workload leaves open.
void check_own_blocks(const Context &c, const Program &p, Node root);
// Whether something does, or depends on the size that the workload gives to a loop's blocks.
bool depends_on_size(const Context &c, const Program &p, Node root, Node loop);
// dialect
Result check(const Context &c, Node root);
// passes
Result apply(const Context &c, Node root, Node &out);
Result lower(const Context &c, Node root, Node &out);
Result expand(const Context &c, Node root, Node &out);
// analysis
Result tasks(const Context &c, Node root, const Sink &sink);
// verifiers
Result is_workload(const Context &c, std::string_view term, Node root);
Result is_scheduled(const Context &c, std::string_view term, Node root);

} // namespace htp::wsp
