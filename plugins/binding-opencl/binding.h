// plugins/binding-opencl/binding.h — packages of contract opencl/1, and the verbs over them.
#pragma once

#include "htp_cpp/ints.h"
#include "htp_cpp/plugin.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp::opencl {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// An int over sizes, or a condition: a number, a name, or an operation and its operands.
struct Int {
  std::string op, name; // of a number both are empty
  int64_t number = 0;
  std::vector<Int> of;
};

struct Parameter {
  std::string name, direction;
  int64_t bytes = 0; // of an element
  std::vector<Int> extents;
  std::vector<int64_t> steps; // in elements; none: row-major
  bool is_int = false;        // its value is an int of the program
};

// What the host does; of a launch the kernel, of a loop and a branch what is within.
struct Step {
  std::string what, name;
  Int value, start, stop, step;
  int64_t bytes = 0;
  std::vector<Int> extents; // of a launch: how many work-groups along each dimension
  std::vector<Step> steps, otherwise;
  int64_t lanes = 0;
  std::vector<std::string> memories, ints;
  bool checked = false;
};

struct Check {
  std::string what, memory;
  int64_t place = 0, dimension = 0;
};

struct Package {
  std::string entry, source;
  std::vector<Parameter> parameters;
  std::vector<std::string> dims;
  std::vector<Check> checks;
  std::vector<Step> steps;
};
// Nothing after a diagnostic.
std::optional<Package> read_package(const Context &c);

// opencl.binding
struct Binding {
  static Result validate(const Context &c);
  static Result build(const Context &c, htp_str &built);
  static Result load(const Context &c, std::string_view built, void *&loaded);
  static Result run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink);
  static void unload(void *loaded);
};

} // namespace htp::opencl
