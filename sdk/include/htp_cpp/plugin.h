// htp_cpp/plugin.h — writing a plugin in C++: units as plain functions, exceptions stopped at the border, diagnostics
// from a table. A whole plugin:
//
//   #include "htp_cpp/plugin.h"
//   using namespace htp::sdk;
//   namespace {
//   Result run(const Context &c, Node root, Node &out) { out = rewrite(…); return c.result(); }
//   const htp_unit units[] = {pass_unit<run>("acme.fold")};
//   }
//   HTP_PLUGIN("acme.fold", "1.0.0", units, diagnostics)
#pragma once

#include "htp/entry.h"
#include "htp/htp.h"
#include "htp/layout_hash.h"
#include "htp/note.h"
#include "htp_cpp/tree.h"

#include <array>
#include <charconv>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htp::sdk {

using Result = htp_status;

// ── diagnostics ─────────────────────────────────────────────────────────────────────────────────────────────────────

// One row of a plugin's table. Tables are .def files of
//   DIAG(name, "owner.kebab-name", error|fault|warning|note, "message with {} for arguments", "explanation"[, "hint"])
// The hint is for reports that have none of their own. They are included twice: by HTP_DIAGNOSTICS_KINDS (the names
// code uses) and HTP_DIAGNOSTICS_ROWS (the table the entry carries).
struct DiagKind {
  const char *code;
  uint32_t severity;
  const char *summary;
  const char *hint = nullptr;
};
inline constexpr uint32_t error = HTP_ERROR, warning = HTP_WARNING, note = HTP_NOTE, fault = HTP_FAULT;

inline std::string to_text(std::string_view s) { return std::string(s); }
inline std::string to_text(const char *s) { return s; }
inline std::string to_text(const std::string &s) { return s; }
template <class I>
requires std::is_integral_v<I> std::string to_text(I value) { return std::to_string(value); }

// Replaces each `{}` by the next argument.
inline std::string format(std::string_view pattern, std::initializer_list<std::string> arguments) {
  std::string result;
  auto next = arguments.begin();
  for (size_t at = 0; at < pattern.size(); ++at) {
    if (pattern.compare(at, 2, "{}") == 0 && next != arguments.end()) {
      result += *next++;
      ++at;
    } else {
      result += pattern[at];
    }
  }
  return result;
}

// A diagnostic under construction; reported when it goes out of scope, at the end of the full expression:
//   c.report(diag::dtype_mismatch, node, "f32", "f16").label(decl, "declared here").hint("cast one side");
class Report {
public:
  Report(const htp_host *host, htp_ctx *ctx, const DiagKind &kind, Node where, std::string message)
      : host_(host), ctx_(ctx), kind_(kind), where_(where), message_(std::move(message)) {}
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;
  ~Report() {
    htp_diagnostic d{};
    d.size = sizeof d;
    d.severity = kind_.severity;
    d.code = kind_.code;
    d.message = str(message_);
    d.node = where_;
    std::vector<htp_label> labels;
    for (const auto &[n, text] : labels_) labels.push_back({n, str(text)});
    std::vector<htp_edit> edits;
    for (const auto &[n, text] : edits_) edits.push_back({n, str(text)});
    if (hints_.empty() && kind_.hint) hints_.emplace_back(kind_.hint);
    const auto notes = strings(notes_), hints = strings(hints_);
    d.labels = labels.data(), d.label_count = static_cast<uint32_t>(labels.size());
    d.notes = notes.data(), d.note_count = static_cast<uint32_t>(notes.size());
    d.hints = hints.data(), d.hint_count = static_cast<uint32_t>(hints.size());
    d.edits = edits.data(), d.edit_count = static_cast<uint32_t>(edits.size());
    d.edit_title = str(edit_title_);
    host_->diag(ctx_, &d);
  }

  Report &label(Node n, std::string text) { return labels_.emplace_back(n, std::move(text)), *this; }
  Report &note(std::string text) { return notes_.push_back(std::move(text)), *this; }
  Report &hint(std::string text) { return hints_.push_back(std::move(text)), *this; }
  // Replace the source of `n` by `text`; the fix-it's title is that of the last call.
  Report &fix(Node n, std::string text, std::string title) {
    edit_title_ = std::move(title);
    return edits_.emplace_back(n, std::move(text)), *this;
  }

private:
  static std::vector<htp_str> strings(const std::vector<std::string> &list) {
    std::vector<htp_str> result;
    for (const auto &s : list) result.push_back(str(s));
    return result;
  }
  const htp_host *host_;
  htp_ctx *ctx_;
  DiagKind kind_;
  Node where_;
  std::string message_, edit_title_;
  std::vector<std::pair<Node, std::string>> labels_, edits_;
  std::vector<std::string> notes_, hints_;
};

// ── the context of one callback ─────────────────────────────────────────────────────────────────────────────────────

class Context : public Tree {
public:
  Context(const htp_host *host, htp_ctx *ctx) : Tree(host, ctx) {}

  template <class... A> Report report(const DiagKind &kind, Node where, const A &...arguments) const {
    if (kind.severity == HTP_ERROR || kind.severity == HTP_FAULT) ++errors_;
    return Report(host(), ctx(), kind, where, format(kind.summary, {to_text(arguments)...}));
  }
  // HTP_FAILED when an error was reported through this context, else HTP_OK.
  Result result() const { return errors_ ? HTP_FAILED : HTP_OK; }
  size_t errors() const { return errors_; }

  std::string_view option(const char *name) const { return view(host()->option(ctx(), name)); }
  int64_t option_int(const char *name) const {
    const std::string_view text = option(name);
    int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  std::string_view target() const { return view(host()->target(ctx())); }
  std::string_view entry() const { return view(host()->entry(ctx())); }
  std::string_view hardware(const char *path) const { return view(host()->hardware(ctx(), path)); }
  // The names below a branch of the hardware model: of "levels".
  std::vector<std::string> hardware_names(const char *path) const {
    std::vector<std::string> names;
    for (std::string_view rest = hardware(path); !rest.empty();) {
      const size_t end = std::min(rest.find(' '), rest.size());
      if (end) names.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
  }
  bool cancelled() const { return host()->cancelled(ctx()) != 0; }
  // Whether a line of the log of that level goes anywhere; a host of 1.0 has none.
  bool logs(htp_log_level level = HTP_LOG_DEBUG) const {
    return host()->head.size > offsetof(htp_host, logs) && host()->logs(ctx(), level) != 0;
  }
  // While a binding traces: an event of a statement, which a host of 1.0 does not take. False: it is for the sink.
  bool event(Node at, std::string_view name, std::string_view track, double begin_us, double duration_us) const {
    if (host()->head.size <= offsetof(htp_host, event)) return false;
    host()->event(ctx(), at, str(name), str(track), begin_us, duration_us);
    return true;
  }
  void log(htp_log_level level, std::string_view text) const {
    if (logs(level)) host()->log(ctx(), level, str(text));
  }
  // The row of an intrinsic by its Python path or own name; null if there is none.
  const htp_intrinsic *intrinsic(std::string_view name) const {
    uint32_t index = 0;
    const htp_intrinsics *set = host()->intrinsic(ctx(), str(name), &index);
    return set ? &set->rows[index] : nullptr;
  }
  Result artifact(std::string_view path, std::string_view role, std::string_view bytes) const {
    return host()->artifact(ctx(), str(path), str(role), str(bytes));
  }
  // The module's function definition of that name; 0 if none.
  Node function(Node module, std::string_view name) const {
    Node found = HTP_NONE;
    if (auto m = as<ast::Module>(module))
      for (const Node s : m.body())
        if (auto f = as<ast::FunctionDef>(s); f && f.name() == name) found = s; // the last one counts, as in Python
    return found;
  }
  Node entry_function(Node module) const { return function(module, entry()); }

private:
  mutable size_t errors_ = 0;
};

// Runs f, which may throw, and turns an exception into a diagnostic: nothing of C++ crosses the border.
template <class R, class F> R guarded(const htp_host *host, htp_ctx *ctx, R failed, F &&f) noexcept {
  try {
    return f();
  } catch (const std::exception &e) {
    Report(host, ctx, {"plugin.exception", HTP_FAULT, ""}, HTP_NONE, std::string("the plugin failed: ") + e.what());
  } catch (...) {
    Report(host, ctx, {"plugin.exception", HTP_FAULT, ""}, HTP_NONE, "the plugin failed with an unknown exception");
  }
  return failed;
}

template <class T> constexpr htp_head head(uint64_t layout) { return {static_cast<uint32_t>(sizeof(T)), 1, layout}; }

// ── units ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// Result run(const Context &, Node root, Node &out)
template <auto Run> inline constexpr htp_pass pass_interface{
    head<htp_pass>(HTP_LAYOUT_PASS), [](const htp_host *h, htp_ctx *x, htp_node root, htp_node *out) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Run(Context(h, x), root, *out); });
    }};
template <auto Run> constexpr htp_unit pass_unit(const char *name) {
  return {HTP_EXT_PASS, name, &pass_interface<Run>};
}

// Result verify(const Context &, std::string_view term, Node root)
template <auto Verify> inline constexpr htp_verifier verifier_interface{
    head<htp_verifier>(HTP_LAYOUT_VERIFIER), [](const htp_host *h, htp_ctx *x, htp_str term, htp_node root) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Verify(Context(h, x), view(term), root); });
    }};
template <auto Verify> constexpr htp_unit verifier_unit(const char *name) {
  return {HTP_EXT_VERIFIER, name, &verifier_interface<Verify>};
}

// Receives an analysis' rows.
class Sink {
public:
  explicit Sink(const htp_sink *sink) : sink_(sink) {}
  void integer(Node key, int64_t value) const { row(key, {.type = HTP_VALUE_INT, .count = 0, .u = {.i = value}}); }
  void real(Node key, double value) const { row(key, {.type = HTP_VALUE_FLOAT, .count = 0, .u = {.f = value}}); }
  void string(Node key, std::string_view value) const {
    row(key, {.type = HTP_VALUE_STR, .count = 0, .u = {.s = str(value)}});
  }
  void node(Node key, Node value) const { row(key, {.type = HTP_VALUE_NODE, .count = 0, .u = {.n = value}}); }

private:
  void row(Node key, const htp_value &value) const { sink_->row(sink_->to, key, &value); }
  const htp_sink *sink_;
};
// Result run(const Context &, Node root, const Sink &)
template <auto Run> inline constexpr htp_analysis analysis_interface{
    head<htp_analysis>(HTP_LAYOUT_ANALYSIS), [](const htp_host *h, htp_ctx *x, htp_node root, const htp_sink *sink) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Run(Context(h, x), root, Sink(sink)); });
    }};
template <auto Run> constexpr htp_unit analysis_unit(const char *name) {
  return {HTP_EXT_ANALYSIS, name, &analysis_interface<Run>};
}

// Node infer(const Context &, const htp_intrinsic &, Node call, Nodes types). `Rows` is the generated table:
//   #include "intrinsics.inc"   defines  constexpr htp_intrinsic intrinsic_rows[]
template <const auto &Rows, auto Infer> inline constexpr htp_intrinsics intrinsics_interface{
    head<htp_intrinsics>(HTP_LAYOUT_INTRINSICS), Rows, static_cast<uint32_t>(std::size(Rows)), 0,
    [](const htp_host *h, htp_ctx *x, uint32_t index, htp_node call, const htp_node *types, uint32_t count) {
      return guarded(h, x, htp_node{HTP_NONE},
                     [&] { return Infer(Context(h, x), Rows[index], call, Nodes(types, count)); });
    }};
template <const auto &Rows, auto Infer> constexpr htp_unit intrinsics_unit(const char *name) {
  return {HTP_EXT_INTRINSICS, name, &intrinsics_interface<Rows, Infer>};
}

// std::vector<uint32_t> rewrite(const Context &, const htp_handler &, const htp_handler_call &); empty after a
// diagnostic
template <const auto &Rows, auto Rewrite> inline constexpr htp_handlers handlers_interface{
    head<htp_handlers>(HTP_LAYOUT_HANDLERS), Rows, static_cast<uint32_t>(std::size(Rows)), 0,
    [](const htp_host *h, htp_ctx *x, uint32_t index, const htp_handler_call *call) {
      return guarded(h, x, uint32_t{0}, [&] {
        const Context c(h, x);
        return c.make_list(Rewrite(c, Rows[index], *call));
      });
    }};
template <const auto &Rows, auto Rewrite> constexpr htp_unit handlers_unit(const char *name) {
  return {HTP_EXT_HANDLERS, name, &handlers_interface<Rows, Rewrite>};
}

// `decorators` is a null-terminated array; Result check(const Context &, Node root)
template <const auto &Module, const auto &Decorators, auto Check> inline constexpr htp_dialect dialect_interface{
    head<htp_dialect>(HTP_LAYOUT_DIALECT), Module, Decorators, [](const htp_host *h, htp_ctx *x, htp_node root) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Check(Context(h, x), root); });
    }};
template <const auto &Module, const auto &Decorators, auto Check> constexpr htp_unit dialect_unit(const char *name) {
  return {HTP_EXT_DIALECT, name, &dialect_interface<Module, Decorators, Check>};
}

// `TargetSet` is a null-terminated sorted array; Result emit(const Context &, Node root)
template <const auto &TargetSet, auto Emit> inline constexpr htp_backend backend_interface{
    head<htp_backend>(HTP_LAYOUT_BACKEND), TargetSet, [](const htp_host *h, htp_ctx *x, htp_node root) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Emit(Context(h, x), root); });
    }};
template <const auto &TargetSet, auto Emit> constexpr htp_unit backend_unit(const char *name) {
  return {HTP_EXT_BACKEND, name, &backend_interface<TargetSet, Emit>};
}

// The kinds of more than one function are given as a type with static members, each with the context first.
//
//   struct Hierarchy {
//     static constexpr const char *constructor = "htp_acme.hierarchy", *facet = "hardware";
//     static Node canonical(const Context &, Node layout);
//     static Node to_core(const Context &, Node layout);
//     static Node from_core(const Context &, Node core);
//     static Node join(const Context &, Node a, Node b);
//   };
template <class T> inline constexpr htp_layout_facet layout_interface{
    head<htp_layout_facet>(HTP_LAYOUT_LAYOUT_FACET),
    T::constructor,
    T::facet,
    [](const htp_host *h, htp_ctx *x, htp_node layout) {
      return guarded(h, x, htp_node{HTP_NONE}, [&] { return T::canonical(Context(h, x), layout); });
    },
    [](const htp_host *h, htp_ctx *x, htp_node layout) {
      return guarded(h, x, htp_node{HTP_NONE}, [&] { return T::to_core(Context(h, x), layout); });
    },
    [](const htp_host *h, htp_ctx *x, htp_node core) {
      return guarded(h, x, htp_node{HTP_NONE}, [&] { return T::from_core(Context(h, x), core); });
    },
    [](const htp_host *h, htp_ctx *x, htp_node a, htp_node b) {
      return guarded(h, x, htp_node{HTP_NONE}, [&] { return T::join(Context(h, x), a, b); });
    }};
template <class T> constexpr htp_unit layout_unit(const char *name) {
  return {HTP_EXT_LAYOUT, name, &layout_interface<T>};
}

//   struct Fold {
//     static constexpr const char *suffix = ".txt";
//     static bool claims(const Context &, Node);
//     static Result leave(const Context &, Node region, htp_str &text);        // borrowed as htp/island.h says
//     static Result transform(const Context &, std::string_view text, htp_str &result);
//     static std::vector<uint32_t> enter(const Context &, Node region, std::string_view text); // empty after a
//     diagnostic
//   };
template <class T> inline constexpr htp_island island_interface{
    head<htp_island>(HTP_LAYOUT_ISLAND),
    T::suffix,
    [](const htp_host *h, htp_ctx *x, htp_node n) {
      return guarded(h, x, 0, [&] { return T::claims(Context(h, x), n) ? 1 : 0; });
    },
    [](const htp_host *h, htp_ctx *x, htp_node region, htp_str *text) {
      return guarded(h, x, HTP_INTERNAL, [&] { return T::leave(Context(h, x), region, *text); });
    },
    [](const htp_host *h, htp_ctx *x, htp_str text, htp_str *result) {
      return guarded(h, x, HTP_INTERNAL, [&] { return T::transform(Context(h, x), view(text), *result); });
    },
    [](const htp_host *h, htp_ctx *x, htp_node region, htp_str text) {
      return guarded(h, x, uint32_t{0}, [&] {
        const Context c(h, x);
        const std::vector<uint32_t> statements = T::enter(c, region, view(text));
        return statements.empty() ? 0 : c.make_list(statements);
      });
    }};
template <class T> constexpr htp_unit island_unit(const char *name) {
  return {HTP_EXT_ISLAND, name, &island_interface<T>};
}

//   struct Acme {
//     static Result validate(const Context &);
//     static Result build(const Context &, htp_str &built);
//     static Result load(const Context &, std::string_view built, void *&loaded);
//     // `sink` is null unless events are wanted
//     static Result run(const Context &, void *loaded, std::string_view entry, const htp_argument *arguments,
//                       uint32_t count, const htp_trace_sink *sink);
//     static void unload(void *loaded); // there is nobody to tell of an exception: the process ends
//   };
template <class T> inline constexpr htp_binding binding_interface{
    head<htp_binding>(HTP_LAYOUT_BINDING),
    [](const htp_host *h, htp_ctx *x) {
      return guarded(h, x, HTP_INTERNAL, [&] { return T::validate(Context(h, x)); });
    },
    [](const htp_host *h, htp_ctx *x, htp_str *built) {
      return guarded(h, x, HTP_INTERNAL, [&] { return T::build(Context(h, x), *built); });
    },
    [](const htp_host *h, htp_ctx *x, htp_str built, void **loaded) {
      return guarded(h, x, HTP_INTERNAL, [&] { return T::load(Context(h, x), view(built), *loaded); });
    },
    [](const htp_host *h, htp_ctx *x, void *loaded, htp_str entry, const htp_argument *arguments, uint32_t count) {
      return guarded(h, x, HTP_INTERNAL,
                     [&] { return T::run(Context(h, x), loaded, view(entry), arguments, count, nullptr); });
    },
    [](const htp_host *h, htp_ctx *x, void *loaded, htp_str entry, const htp_argument *arguments, uint32_t count,
       const htp_trace_sink *sink) {
      return guarded(h, x, HTP_INTERNAL,
                     [&] { return T::run(Context(h, x), loaded, view(entry), arguments, count, sink); });
    },
    [](void *loaded) noexcept { T::unload(loaded); },
    nullptr,
    nullptr};
template <class T> constexpr htp_unit binding_unit(const char *name) {
  return {HTP_EXT_BINDING, name, &binding_interface<T>};
}

} // namespace htp::sdk

// The names code uses for a diagnostics table: namespace diag { inline constexpr DiagKind name{…}; }
#define HTP_DIAGNOSTICS_KIND(name, code, severity, summary, explanation, ...)                                          \
  inline constexpr ::htp::sdk::DiagKind name{code, ::htp::sdk::severity, summary __VA_OPT__(, ) __VA_ARGS__};
#define HTP_DIAGNOSTICS_ROW(name, code, severity, summary, explanation, ...)                                           \
  {code, ::htp::sdk::severity, summary, explanation},

// The one exported symbol, and the note that says the same to who does not load it (htp/note.h): `id` and `version` are
// string literals. `units` and `rows` are arrays (`std::array` too, which may be empty) of htp_unit and htp_diag_info.
#define HTP_PLUGIN(id, version, units, rows)                                                                           \
  HTP_PLUGIN_NOTE(id, version);                                                                                        \
  extern "C" HTP_EXPORT constexpr htp_entry htp_plugin_entry{::htp::sdk::head<htp_entry>(HTP_LAYOUT_ALL),              \
                                                             HTP_ABI_MAJOR,                                            \
                                                             HTP_ABI_MINOR,                                            \
                                                             id,                                                       \
                                                             version,                                                  \
                                                             std::data(units),                                         \
                                                             static_cast<uint32_t>(std::size(units)),                  \
                                                             static_cast<uint32_t>(std::size(rows)),                   \
                                                             std::data(rows)};
