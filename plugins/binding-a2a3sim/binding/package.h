// binding/package.h — a package of contract a2a3/1: what its registry says, and the verbs.
#pragma once

#include "tasks.h"

#include "htp/binding.h"
#include "htp_cpp/plugin.h"

#include <cstring>
#include <memory>
#include <optional>
#include <span>

namespace htp::a2a3sim {

using namespace htp::sdk;

// An extent: a number, a dimension, or two extents and an operator.
struct Extents {
  int64_t fixed = -1;
  size_t dim = 0;
  std::string op = {};
  std::vector<Extents> of = {};
};
struct Parameter {
  std::string name, direction, dtype;
  std::vector<Extents> dims;
  std::vector<int64_t> steps = {}; // elements along each dimension, where it does not lie row-major
};
struct Limit { // what the kernels' tiles hold, and what indices ask of ints
  Extents extent;
  int64_t least = 0, most = INT64_MAX;
};
struct Source {                   // of one library
  std::string path, symbol, text; // text: with all that it includes
  bool orchestration = false, vector = false;
  int func_id = 0;
  std::string name;
};
struct Package {
  std::string contract, entry, config;
  std::vector<std::string> dims; // what a call says in numbers: its sizes, then its ints
  size_t ints = 0;               // how many of them are ints
  bool is_int(size_t dim) const { return dim >= dims.size() - ints; }
  std::vector<Limit> limits;
  std::vector<Parameter> parameters;
  std::vector<Source> sources; // the orchestration first
};

// The user's own checkouts of the task runtime and of the instruction set, by HTP_PTO_RUNTIME and HTP_PTO_ISA.
struct Checkouts {
  std::string runtime, isa;
  std::string contract; // that the runtime speaks
  std::string flavour;  // which of its runtimes
  explicit operator bool() const { return !runtime.empty(); }
};

// Reads the registry and the sources of the contract that the option names, or that the checkouts speak; nothing after
// a report.
std::optional<Package> read_package(const Context &c);
// The last stage's program and its path in the package, both empty where it has no stages; false after a report.
bool read_program(const Context &c, std::string &path, std::string &program);
// A file of codegen/a2a3.
bool read_package_file(const Context &c, const std::string &path, std::string &bytes);
// An extent as the registry writes it; false when it is none.
template <class Json>
bool read_extent(const Json &d, const std::vector<std::string> &dims, Extents &e, unsigned depth = 0);
// The value of an extent; nothing where a divisor is 0 or a number too large.
std::optional<int64_t> value_of(const Extents &e, const std::vector<int64_t> &dims);
// Whether what the package's files say is right, whatever wrote them; false after a report.
bool verify(const Context &c, const Package &package);
// When what runs with these sizes, by the package's texts and the cycle model; false after a report.
bool measure(const Context &c, const Package &package, const std::vector<int64_t> &dims, Timeline &timeline,
             std::map<std::string, Timeline> &others);
// Writes report.json and report.svg to a folder, with the sizes that the option `report` names.
Result write_report(const Context &c, const Package &package, const std::string &folder);
Result build(const Context &c, htp_str *built);
// With the option `device`: images and an orchestration for the processors themselves.
Result build_for_device(const Context &c, htp_str *built);

// Runs a tool; false when it could not be started.
bool run_tool(const Context &c, const std::vector<std::string> &argv, const std::string &folder, std::string_view input,
              htp_tool_result &result);
struct Compiler {
  std::string program, identity; // identity: what `--version` says
};
bool find_compiler(const Context &c, Compiler &compiler);

// Nothing where the variables are not set; a report where they do not name checkouts that can be used.
Result find_checkouts(const Context &c, Checkouts &checkouts);
// Folders of the runtime's libraries and of the driver.
struct Runtime {
  std::string libraries, driver;
};
// Builds both; nothing after a report.
std::optional<Runtime> build_runtime(const Context &c, const Checkouts &checkouts, const Compiler &compiler);
// What a source of the package is compiled with for the real runtime.
std::vector<std::string> runtime_flags(const Context &c, const Checkouts &checkouts, const Source &source,
                                       const Compiler &compiler);
// Writes the headers that these flags look for to a folder; false after a report.
bool lay_out_headers(const Context &c, const std::string &folder);
// The library of the k-th source, in the folder of what was built.
std::string library_name(size_t k);

// The arguments in the order of the parameters, and the sizes of dimensions.
struct Arguments {
  struct Tensor {
    void *data;
    Spread spread;
    std::vector<uint32_t> shape; // as a runtime is told of it
    // Writes its elements, and nothing between them, from memory that lies alike.
    void put(const void *from) const {
      spread.runs([&](uint64_t begin, uint64_t bytes) {
        std::memcpy(static_cast<uint8_t *>(data) + begin, static_cast<const uint8_t *>(from) + begin, bytes);
      });
    }
  };
  std::vector<Tensor> tensors;
  std::vector<uint64_t> dims;
  struct Scalar { // handed over by value: the one element of its parameter
    uint8_t bytes[8];
    int64_t extent;
    DLTensor tensor;
  };
  std::vector<std::unique_ptr<Scalar>> scalars = {};
};
// The package on the real runtime; outputs are written in place.
struct Arguments;
Result run_on_runtime(const Context &c, const Package &package, const std::string &built, const Checkouts &checkouts,
                      const Arguments &arguments);

// Why a call is refused whose sizes or ints a limit keeps out: what they are, and which ones the limit lets through.
Refusal beyond(const Package &package, const Limit &limit, const std::vector<int64_t> &dims, int64_t value);
// Nothing after a report: of sizes and ints that are outside of what the package is compiled for.
std::optional<Arguments> read_arguments(const Context &c, const Package &package, std::span<const htp_argument> given);

template <class Json>
bool read_extent(const Json &d, const std::vector<std::string> &dims, Extents &e, unsigned depth) {
  if (d.is_number_integer() && d.template get<int64_t>() >= 0) return e.fixed = d.template get<int64_t>(), true;
  if (d.is_string()) {
    for (e.dim = 0; e.dim < dims.size(); ++e.dim)
      if (dims[e.dim] == d.template get<std::string>()) return true;
  } else if (d.is_array() && d.size() == 3 && d[0].is_string() && depth < 64) {
    e.op = d[0].template get<std::string>();
    e.of.resize(2);
    return (e.op == "+" || e.op == "-" || e.op == "*" || e.op == "//" || e.op == "%" || e.op == "min" ||
            e.op == "max") &&
           read_extent(d[1], dims, e.of[0], depth + 1) && read_extent(d[2], dims, e.of[1], depth + 1);
  }
  return false;
}

struct DTypeRow {
  const char *name;
  uint8_t code, bits; // DLPack's
  uint8_t data_type;  // of contract simpler/2026-08
};
const DTypeRow *dtype_row(std::string_view name);

struct Simulated {
  static Result validate(const Context &c);
  static Result build(const Context &c, htp_str &built);
  static Result load(const Context &c, std::string_view built, void *&loaded);
  static Result run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink);
  static void unload(void *loaded);
};

} // namespace htp::a2a3sim
