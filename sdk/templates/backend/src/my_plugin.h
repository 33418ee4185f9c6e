// my_plugin.h — the units of the plugin, and what they share.
#pragma once

#include "htp_cpp/plugin.h"

#include <functional>
#include <optional>

namespace htp_my_plugin {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// ── to the target set ──
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);
Result select(const Context &c, Node root, Node &out);

// ── the contract: what a program is when it can be emitted ──
struct Vector {
  std::string direction, name, length; // "In", "x", "N"
};
struct Operation {
  Node statement;
  std::string target;                // the name it binds, or the vector it stores to
  bool first;                        // whether it is the name's first binding
  std::string word;                  // "mul", "store"
  std::vector<std::string> operands; // names and numbers
};
struct Loop {
  Node statement;
  std::string index, length;
  std::vector<Operation> body;
};
struct Kernel {
  std::string name;
  std::vector<Vector> vectors;
  std::vector<std::string> dims; // the lengths that are names, as the call takes them
  std::vector<Loop> loops;
};
// Nothing after `no_form` was called with a node, and what it is.
using NoForm = std::function<void(Node, const std::string &)>;
std::optional<Kernel> read_kernel(const Context &c, Node root, const NoForm &no_form);
Result is_ready(const Context &c, std::string_view term, Node root);

// ── out of the compiler ──
Result emit(const Context &c, Node root);

// ── and into a machine ──
struct Signature {
  std::string entry;
  std::vector<std::string> dims;
  std::vector<Vector> vectors;
};
using Call = void (*)(void *const *vectors, const int64_t *dims);
struct Loaded {
  void *library = nullptr;
  Signature signature;
  Call call = nullptr;
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
