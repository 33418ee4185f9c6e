// host/editor/analysis.h — what the compiler finds in a program that is being written: an entry at a time, so that what
// did not change is not asked again.
//
// A unit is an entry with the statements that take part in its compile; the other lines of its text are empty, so that
// every location is one of the document. What was found is kept by the text of these statements, wherever they stand.
#pragma once

#include "host/editor/job.h"
#include "host/editor/program.h"
#include "host/pipeline/inputs.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace htp::editor {

// A type that a stage spells: of a name where it is bound, or of an expression that a pass gave a name to.
struct Typed {
  Stretch at;
  bool name = false;
  std::string type, pass; // "Tile[f32, i, N]", the pass of the first stage that has it
};

struct Unit {
  std::string entry;
  bool whole = false; // not compiled, but checked and planned: what stands outside of all entries is looked at
  struct Part {
    uint32_t first = 0, last = 0; // lines
    bool operator==(const Part &) const = default;
  };
  std::vector<Part> parts; // in the text's order
  std::string key, text;
};

struct Findings {
  std::vector<Unit::Part> parts; // as they stood
  bool is_entry = true;
  Diagnostics diagnostics;
  std::vector<Typed> types;
  std::vector<InputFile> files; // besides the program: what they were
};

// The units of a program: its entries, and the whole where something is outside of all of them.
std::vector<Unit> units_of(const Program &program, const std::set<std::string> &dialect_modules);

// Compiles units to the last stage. What was resolved and loaded for one serves the next of the same needs: plugins'
// libraries, which survived their probe, stay loaded where `warm` was called. Their units run where `look_at` is
// called, in a job.
class Analyst {
public:
  Analyst();
  ~Analyst();
  // Chooses and loads for what such a unit needs.
  void warm(const Unit &unit, const CompileRequest &request);
  // Says a line of what was found, and lines of where it is.
  void look_at(const Unit &unit, const CompileRequest &request, const Job::Say &say);

private:
  struct State;
  std::unique_ptr<State> state_;
};

// What such a line says; nothing when it is none. `source` is the program's text that spans point into.
struct Said {
  std::string key;
  Findings findings;
};
std::optional<Said> said_in(const std::string &line, const SourceRef &source);

// The same findings where the statements stand now.
void move_to(const std::vector<Unit::Part> &parts, Findings &findings);

} // namespace htp::editor
