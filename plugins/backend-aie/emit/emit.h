// plugins/backend-aie/emit/emit.h — the texts of a package.
#pragma once

#include "analyses/device.h"
#include "analyses/transfers.h"
#include "locations.h"

#include <map>
#include <set>

namespace htp::aie {

// What differs between versions of MLIR-AIE in the ops that modules are made of.
struct Version {
  std::string_view name, sequence; // the dialect of `runtime_sequence`
  bool plain_links, counted_transfers, new_devices;
  bool short_loops;                        // its compiler takes loops of fifos that it unrolls whole
  bool text_instructions;                  // what aiecc writes for the NPU: words in text, or their bytes
  std::string_view instructions, compiler; // the file of these, and aiecc with its options
};
const Version *version_named(std::string_view name);

// What is named in a module, by letters that MLIR's names have and apart from each other: streams and tiles are named
// so in the program, the entry and its parameters keep their names and are asked for.
class SymbolNames {
public:
  SymbolNames() = default;
  explicit SymbolNames(Program &p);
  const std::string &of(const std::string &name);

private:
  std::map<std::string, std::string, std::less<>> names_;
  std::set<std::string, std::less<>> taken_;
};

// The symbol at the shim of one of a stream's transfers, by columns or by rows: `x_in_0`; of a stream of cores that
// have names, its own.
std::string whole_of(const Program &p, const Stream &s, int64_t transfer);
// The symbols at cores: `x_in_0_1` of transfer 0, core 1 of the column; of one that several cores share, `x_in_0_all`.
std::string branch_of(const Program &p, const Stream &s, int64_t transfer, int64_t row);
std::string fifo_of(const Program &p, const Stream &s, int64_t column, int64_t row);
// Whether statements call a function that is compiled apart; the first that they do, or null; its text in the package,
// and what that is compiled to.
bool calls(const std::vector<Statement> &body, const External &external);
const External *external_of(const Program &p, const std::vector<Statement> &body);
std::string source_of(const Program &p, const External &external);
std::string object_of(const Program &p, const External &external);
std::string buffer_of(const Tile &t, int64_t column, int64_t row);
std::string memref(const std::vector<int64_t> &extents, const DType &dtype);

// What a function refers to: numbers of type index, constants with their types, and functions of one number.
struct Needs {
  std::set<int64_t> numbers;
  std::vector<std::string> constants;
  std::set<std::string> functions;
};
class Functions;
enum class ProductForm : uint8_t { in_place, called };
// The body of a core.
void write_core(Lines &w, Functions &functions, const Context &c, const Program &p, const Core &core, int64_t column,
                int64_t row, ProductForm products, bool short_loops);
// Functions of f32, and all that they call.
std::set<std::string> with_called(const std::set<std::string> &functions);
void write_functions(Writer &w, const Needs &needs);
// One function's text, for one number; and of a line of it, that for as many at once.
std::string_view function_text(std::string_view name);
std::string for_lanes(std::string_view text, int64_t lanes);

// Notes of products that are slower than the matrix units would be.
void report_products(const Context &c, const Program &p, const Version &v);

// What the host hands over, and which tile does what; each stream.
std::string mapping_text(const Program &p, const Version &v, const Plan &plan);
std::string fifos_text(const Program &p);
std::string host_text(const Program &p, const Version &v, const Plan &plan);
std::string recipe_text(const Program &p, const Version &v);

std::string quoted(std::string_view text);

} // namespace htp::aie
