// verify/stage.h — what a kernel must be: the C++ that the last stage's program says, line by line.
#pragma once

#include "program.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::a2a3sim {

// A loop around kernels, with constants for their names.
struct StageLoop {
  std::string name;
  Expr stop = {}, step = {};
};
// A kernel as a stage says it.
struct StageKernel {
  struct Argument {
    std::string name, dtype; // dtype: of a tensor
    bool tensor = false, reads = false, writes = false;
  };
  struct Row { // of its text, and the program's line that says it
    std::string text;
    int line;
  };
  int line = 0; // where it begins
  bool cube = false;
  std::vector<Argument> arguments;
  struct Index { // that only a call knows, of a dimension of a tensor; from: the inputs and ints that it is made of
    std::string tensor;
    size_t dimension;
    std::set<std::string> from;
  };
  std::vector<Index> indices; // in their order
  std::vector<Row> rows;
  std::vector<Statement> body;       // what the rows read as
  std::vector<StageLoop> loops = {}; // of tasks around it, outermost first
  int group = 0;                     // the line of the outermost one; 0: none
  std::vector<program::Py> statements = {};
};
struct StageTensor {
  std::string name, direction, dtype;   // direction: "in", "out", "inout"; of what lies between kernels empty
  std::vector<std::string> extents;     // in C++
  std::vector<std::string> python = {}; // and in Python, of parameters
  std::vector<Expr> shape = {};         // and as expressions
  bool scalar = false;                  // handed over by value
  std::vector<int64_t> steps = {};      // elements along each dimension, where it does not lie row-major
  std::vector<int64_t> sizes = {};      // its extents then
};
// An int before the kernels, with constants for their names.
struct StageInt {
  std::string name;
  Expr value = {};
};
struct Stage {
  std::vector<StageInt> ints;
  std::map<std::string, int64_t> constants; // whole ones
  std::vector<StageTensor> tensors;
  std::vector<std::string> dims, int_parameters, signature; // signature: all parameters, in their order
  // What a call says in numbers: its sizes and its ints.
  std::vector<std::string> numbers() const {
    std::vector<std::string> all = dims;
    all.insert(all.end(), int_parameters.begin(), int_parameters.end());
    return all;
  }
  std::vector<StageKernel> kernels;
};
// An extent as the registry writes it, without blanks: a number, a dimension or int by its name, or `["*",a,b]`.
std::string registry_extent(const Expr &e, const Stage &stage);
// `forms`: the aliases and functions of the kernels' header. Throws NotRead, with the program's line.
Stage read_stage(const std::string &program, const std::string &entry, const Unit &forms);

// The first thing that a kernel's text says otherwise. `is`: its line; `wanted`: what should stand there, empty where
// nothing should.
struct Difference {
  int is = 0;
  StageKernel::Row wanted;
};
std::optional<Difference> difference(const std::vector<Statement> &is, const StageKernel &expected);
// Whether both say the same.
bool alike(const std::vector<Statement> &a, const std::vector<Statement> &b);

} // namespace htp::a2a3sim
