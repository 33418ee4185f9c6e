// my_plugin.h — the units of the plugin, and what they share.
#pragma once

#include "htp_cpp/plugin.h"
#include "htp_cpp/tile_program.h"

namespace htp_my_plugin {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// A dtype that tiles and tensors may have.
struct DType {
  std::string_view name, c; // "f32", "float"
  int64_t bytes;
  uint8_t code; // DLPack's
};
const DType *dtype_named(std::string_view name);

// ── passes ──
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);
Result select(const Context &c, Node root, Node &out);
Result allocate_buffers(const Context &c, Node root, Node &out);

// ── the contract: what a program is when it can be emitted ──
enum class Form : uint8_t { selected, allocated };
// The bytes of a tile in the scratchpad.
struct Allocation {
  int64_t offset = 0, bytes = 0;
};
struct Kernel {
  TileProgram program;
  std::map<const TileValue *, Allocation> allocations; // of an allocated program
  std::map<std::string, int64_t, std::less<>> largest; // dims that tiles have, and the largest size that fits
};
// Nothing after `no_form` was called with a node, and what it is.
std::optional<Kernel> read_kernel(const Context &c, Node root, Form form, const NotOfForm &no_form);
Result is_selected(const Context &c, std::string_view term, Node root);
Result is_ready(const Context &c, std::string_view term, Node root);

// Which operand's dimension goes along each dimension of a target; nothing where they do not fit. -1: along none.
using Along = std::vector<int>;
std::optional<Along> broadcast(const std::vector<IntExpr> &from, const std::vector<IntExpr> &to);
// What an index takes of each dimension; how many elements there are of some extents.
std::vector<IntExpr> counts_of(const std::vector<TileIndex> &index);
MaybeInt elements_of(const std::vector<IntExpr> &extents);
// The dimensions that a reduction or a transpose names; nothing where the tile has none such.
std::optional<std::vector<size_t>> axes_of(const Context &c, Node axes, size_t rank);
// What an intrinsic of intrinsics.def computes in C: of elements, "div_$(a, b)", or along axes. Null: it is none of
// these.
enum class Gives : uint8_t { same, mask }; // a tile of the operands' dtype, or of truth values
struct Elementwise {
  std::string_view name;
  Gives gives;
  std::string_view c;
};
struct Reduction {
  std::string_view name, first, next;
};
const Elementwise *elementwise(const TileStatement &s);
const Reduction *reduction(const TileStatement &s);

// The most bytes that a tile takes, where dims that tiles have are no larger than these.
std::optional<int64_t> bytes_of(const Kernel &kernel, const TileValue &tile,
                                const std::map<std::string, int64_t, std::less<>> &largest);
// The scratchpad of the hardware model.
struct Scratchpad {
  int64_t capacity, alignment;
};
Scratchpad scratchpad(const Context &c);

// ── out of the compiler ──
Result emit(const Context &c, Node root);

// ── and into a machine ──
// A dim is what is left of an extent of a tensor, without `offset`, divided by `factor`.
struct Dim {
  std::string name;
  size_t tensor = 0, axis = 0;
  int64_t factor = 1, offset = 0, largest = 0; // 0: any
};
struct Parameter {
  std::string name, direction, dtype;
  size_t rank = 0;
};
struct Signature {
  std::string entry;
  std::vector<Dim> dims;
  std::vector<Parameter> parameters;
};
// The dims of a kernel's signature; nothing where one is in no extent by itself.
std::optional<std::vector<Dim>> dims_of(const Kernel &kernel);

struct Loaded {
  void *library = nullptr;
  Signature signature;
  int64_t (*call)(void *const *tensors, const int64_t *dims) = nullptr;
  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded();
};
// my-plugin.binding
struct Binding {
  static Result validate(const Context &c);
  static Result build(const Context &c, htp_str &built);
  static Result load(const Context &c, std::string_view built, void *&loaded);
  static Result run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink);
  static void unload(void *loaded) { delete static_cast<Loaded *>(loaded); }
};

} // namespace htp_my_plugin
