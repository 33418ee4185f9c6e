// my_plugin.h — the unit of the plugin: its verbs, and what they hand on.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// What the package says of itself, in codegen/cpu/signature.json and build/recipe.json.
struct Parameter {
  std::string name;
  std::vector<std::string> dims; // a dimension's name, or its number
};
struct Entry {
  std::string name, symbol;
  std::vector<std::string> dims; // in the order that the call takes them
  std::vector<Parameter> parameters;
};
struct Recipe {
  std::vector<std::string> flags;
  std::vector<std::pair<std::string, std::string>> sources; // file name, text
};
// Nothing after a diagnostic.
std::vector<Entry> read_entries(const Context &c);
Recipe read_recipe(const Context &c);

// What `load` opened. It does not change afterwards: runs may go on at once.
using Call = int (*)(void *const *tensors, const int64_t *dims);
struct Loaded {
  void *library = nullptr;
  std::vector<std::pair<Entry, Call>> entries;
  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded();
};

// my-plugin.debug
struct Debug {
  static Result validate(const Context &c);
  static Result build(const Context &c, htp_str &built);
  static Result load(const Context &c, std::string_view built, void *&loaded);
  static Result run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink);
  static void unload(void *loaded) { delete static_cast<Loaded *>(loaded); }
};

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

} // namespace htp_my_plugin
