// wsp.h — the parts of dialect-wsp.
#pragma once

#include "htp_cpp/constants.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/writer.h"

#include <set>

namespace htp::wsp {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// One line of a schedule: `s.tile("i", 64, 16)`.
struct Directive {
  Node statement = HTP_NONE, call = HTP_NONE;
  std::string name, loop, level;
  std::vector<Node> sizes;
};

// The workload that is compiled, and its schedule.
struct Program {
  Names names;
  Node workload = HTP_NONE; // a FunctionDef; 0: the entry is no workload
  Node schedule = HTP_NONE; // 0: there is none
  std::vector<Directive> directives;
};

// Finds them. Reports directives that are none when `report` is set, and leaves them out.
Program read_program(const Context &c, Node root, bool report);

// A loop of the workload: `for i in P(M)` or `seq(M)`, beneath loop forms or not.
struct Loop {
  Node statement = HTP_NONE, call = HTP_NONE; // the For; the call of P or seq
  std::string variable;
  bool parallel = false, ordered = false; // in htp.parallel; seq
};
std::vector<Loop> loops_of(const Context &c, const Names &names, Node workload);
const Loop *find_loop(const std::vector<Loop> &loops, std::string_view variable);

// Reports why iterations of the loop are not independent; says nothing when they are. `where` is the directive or the
// loop.
void check_independent(const Context &c, const Names &names, Node workload, const Loop &loop, Node where);

// The block sizes of a tile directive, or nothing after a report.
std::vector<int64_t> sizes_of(const Context &c, Node root, const Directive &directive, bool report);

// The module with `workload` and `schedule` (when there is one) replaced; 0 leaves the statement out.
Node with_functions(const Context &c, Node root, const Program &program, Node workload, Node schedule);
// The schedule's function without the directives that `done` names; `pass` when nothing is left.
Node without_directives(const Context &c, const Program &program, const std::set<std::string> &done);

// dialect
Result check(const Context &c, Node root);
// passes
Result tile(const Context &c, Node root, Node &out);
Result bind(const Context &c, Node root, Node &out);
Result lower(const Context &c, Node root, Node &out);
// verifiers
Result is_workload(const Context &c, std::string_view term, Node root);
Result is_tiled(const Context &c, std::string_view term, Node root);
Result is_bound(const Context &c, std::string_view term, Node root);

} // namespace htp::wsp
