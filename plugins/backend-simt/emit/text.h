// plugins/backend-simt/emit/text.h — how a language of work-groups spells things, and what a kernel's text needs.
#pragma once

#include "model/program.h"

#include "htp_cpp/writer.h"

#include <set>
#include <string>

namespace htp::simt {

// A number as a literal of a dtype; of a narrow float rounded to it.
std::string literal(const Value &number, const DType *dtype);

// Functions that kernels call, of runtime/prelude.cl: each is there once, with what it needs.
class Prelude {
public:
  // The function's name, of an operation of the table whose spelling is `-`: "htp_maximum_f32".
  std::string function(std::string_view operation, const DType *dtype);
  std::string use(const std::string &section); // a section by its name
  // A function that rounds f32 or f64 to a narrow float in a direction: "down", "up", "toward_zero".
  std::string directed(const DType *from, const DType *to, std::string_view way);
  std::string text() const;
  bool uses_doubles() const { return doubles_; }
  void note(const DType *dtype) { doubles_ |= dtype->name == "f64"; }

private:
  std::set<std::string> sections_;
  std::set<std::string> made_; // lines that instantiate a section's macro
  bool doubles_ = false;
};

// An index that the sizes do not show to be inside, and what stops the program.
struct Check {
  std::string what; // index, position
  std::string memory;
  int64_t dimension = 0;
  size_t place = 0; // the statement's number, in the last stage
};

// What one grid is as a kernel: its name, its arguments in order, and how many work-groups and lanes.
struct Kernel {
  std::string name;
  std::vector<const Memory *> memories;
  std::vector<std::string> ints;
  bool checks = false;
  std::vector<const Statement *> groups; // the loops of the grid
  int64_t lanes = 1;
  Node node = HTP_NONE;
};

struct Emitted {
  std::string text;            // kernel.cl
  std::vector<Kernel> kernels; // in the order of the program
  std::vector<Check> checks;
};
Emitted emit_kernels(const Context &c, Node root, const Program &program);

// What the host does: launch.json.
std::string launch_text(const Context &c, Node root, const Program &program, const Emitted &emitted);

} // namespace htp::simt
