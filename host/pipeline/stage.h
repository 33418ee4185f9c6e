// host/pipeline/stage.h — a stage: a program between two passes, as files that say everything (R1, R2).
#pragma once

#include "host/ast/store.h"
#include "host/ast/unparse.h"
#include "host/diag/diagnostic.h"
#include "host/package/writer.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp {

// `htp.stage(number=2, after="tile.infer", holds=[…], then=[…], entry="softmax", target="cpu")`, the statement a stage
// opens with. It is not part of the tree passes see.
struct StageHeader {
  unsigned number = 0;            // of the stages before it
  std::string after;              // the pass that made it; "source" for the first
  std::vector<std::string> holds; // state capabilities, sorted
  std::vector<std::string> then;  // the passes planned to follow
  std::string entry, target;
  Span span; // where it stands, of a stage that was read
};

struct Stage {
  htp_node root = HTP_NONE;
  StageHeader header;
  // What held of it in the end: beyond its header, what passes provided that left it as it was.
  std::vector<std::string> held;
  std::string text;           // program.py
  std::string id() const;     // "03"
  std::string folder() const; // "ir/stages/03-tile.infer"
};

// The module with the header in it, and with `import htp` when that is missing: what is printed.
htp_node with_header(Store &store, htp_node root, const StageHeader &header);
std::string render_stage(Store &store, htp_node root, const StageHeader &header, UnparseFailure *failure = nullptr);

// The same module with `import htp` right after its docstring and `from __future__` imports, or wherever it has it;
// every stage needs it.
htp_node with_import(Store &store, htp_node module);

// Takes the header off a parsed stage. Nothing, without a report, when there is none; nothing and a report when it is
// malformed.
struct ParsedStage {
  StageHeader header;
  htp_node root;
};
std::optional<ParsedStage> take_header(Store &store, htp_node module, const SourceRef &source,
                                       Diagnostics &diagnostics);

// stage.json and state.json describe the stage for tools, origin.json maps its nodes to the stage before it in the
// package; deleting them loses nothing. `previous` is null for the first stage, whose nodes map to lines of the source
// files.
std::vector<PackageFile> stage_files(const Store &store, const Stage &stage, const Stage *previous);

// What a pass did to the tree, for the trace: nodes new, gone and kept, and the functions it touched.
struct StageChange {
  size_t before = 0, after = 0, kept = 0;
  std::vector<std::string> functions; // module-level definitions that differ
};
StageChange change_between(const Store &store, htp_node before, htp_node after);

} // namespace htp
