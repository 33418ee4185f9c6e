// host/pipeline/history.h — the nodes of a package's stages, each with the node of the stage before that it was made of
// (R2, R3): what tools follow from an emitted line back to the user's.
#pragma once

#include "host/package/reader.h"

#include <optional>
#include <string>
#include <vector>

namespace htp {

// Lines from 1, columns in bytes from 0.
struct Extent {
  uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

struct HistoryNode {
  const char *kind = ""; // "Assign"
  Extent at;             // in its stage's program.py; line 0: nowhere
  int64_t before = -1;   // its number in the stage before that the history has; -1: of nothing there
  uint32_t parent = 0;   // the number of what it is within; the root's own
  bool statement = false;
};

struct HistoryStage {
  std::string id, pass, path;     // "02", "tile.infer", "ir/stages/02-tile.infer/program.py"
  std::vector<std::string> lines; // of program.py
  std::vector<HistoryNode> nodes; // preorder: `NN:k` is nodes[k]
  std::vector<std::string> holds; // what holds of it
  // The number of the statement that begins at a line, or is around it; nothing where there is none.
  std::optional<size_t> statement_at(uint32_t line) const;
};

struct History {
  struct Source {
    std::string file; // a file's name, without folders
    Extent at;
  };
  std::vector<HistoryStage> stages;
  std::vector<std::optional<Source>> sources; // of the nodes of the first stage

  // Where the user wrote what a node of a stage was made of; nothing where a pass made it of nothing.
  std::optional<Source> source_of(size_t stage, size_t node) const;
};

// Of the stages that the package keeps, their programs parsed and numbered again; reported.
std::optional<History> read_history(const Package &package, Diagnostics &diagnostics);

} // namespace htp
