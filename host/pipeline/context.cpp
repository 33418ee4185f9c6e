#include "host/pipeline/context.h"

#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/beneath.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/process.h"
#include "host/log/log.h"
#include "host/parse/parse.h"
#include "host/pipeline/in_unit.h"
#include "host/pipeline/layouts.h"
#include "host/pipeline/tree.h"

#include <fmt/ranges.h>
#include <htp/layout_hash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace htp;

namespace {

std::string_view view(htp_str s) { return {s.data, s.size}; }
htp_str str(std::string_view s) { return {s.data(), s.size()}; }

void report_bad_node(htp_ctx *ctx, htp_node origin, std::string_view why) {
  ctx->diagnostics.report(diag::pipeline_bad_node, location_of(ctx->store, origin),
                          ctx->unit ? ctx->unit->name.value : "a plugin", why);
}

// ── the tree ──

const htp_store *get_store(htp_ctx *ctx) { return ctx->store.abi(); }

htp_node make_node(htp_ctx *ctx, uint32_t kind, const uint32_t *slots, uint32_t count, htp_node origin) {
  const htp_node n = ctx->store.node(kind, Slots(slots, count), origin);
  if (!n) report_bad_node(ctx, origin, ctx->store.reason());
  return n;
}

htp_node with_slots(htp_ctx *ctx, htp_node n, const uint32_t *slots, uint32_t count) {
  const htp_node r = ctx->store.is_node(n) ? ctx->store.with(n, Slots(slots, count)) : HTP_NONE;
  if (!r) report_bad_node(ctx, n, ctx->store.reason());
  return r;
}

uint32_t make_list(htp_ctx *ctx, const uint32_t *items, uint32_t count) { return ctx->store.list(Slots(items, count)); }
uint32_t make_string(htp_ctx *ctx, htp_str text) { return ctx->store.string(view(text)); }
uint32_t make_constant(htp_ctx *ctx, uint32_t type, htp_str text, int64_t i, double f) {
  return ctx->store.constant(type, view(text), i, f);
}

// Parsing the same snippet again copies the tree of the first time.
htp_node parse_snippet(htp_ctx *ctx, htp_str source, htp_node origin, bool expression) {
  htp_node &parsed = ctx->snippets[(expression ? "e" : "s") + std::string(view(source))];
  if (parsed) return copy_tree(ctx->store, parsed, origin);
  return parsed = expression ? parse_expression(view(source), origin, ctx->diagnostics, ctx->store)
                             : parse_statements(view(source), origin, ctx->diagnostics, ctx->store);
}
htp_node parse_expr(htp_ctx *ctx, htp_str source, htp_node origin) { return parse_snippet(ctx, source, origin, true); }
htp_node parse_body(htp_ctx *ctx, htp_str source, htp_node origin) { return parse_snippet(ctx, source, origin, false); }

htp_str unparse_node(htp_ctx *ctx, htp_node n) {
  UnparseFailure failure;
  UnparseOptions options;
  options.failure = &failure;
  std::string text = unparse(*ctx->store.abi(), n, options);
  if (!failure.reason) return ctx->keep(std::move(text));
  report_bad_node(ctx, n, failure.reason);
  return {};
}

uint32_t fresh_name(htp_ctx *ctx, htp_str stem) {
  if (!ctx->names) ctx->names = names_in(ctx->store, ctx->root);
  const std::string base(view(stem));
  unsigned &next = ctx->next_numbers.try_emplace(base, 1).first->second;
  std::vector<bool> &used = *ctx->names;
  for (std::string name = base;; name = base + "_" + std::to_string(next++)) {
    const uint32_t id = ctx->store.string(name);
    if (id >= used.size()) used.resize(id + size_t{1});
    if (!used[id]) return used[id] = true, id;
  }
}

htp_node add_comment(htp_ctx *ctx, htp_node n, htp_str text) { return ctx->store.comment(n, view(text)); }

// ── what this compile is about ──

htp_str find_in(htp_ctx *ctx, const std::map<std::string, std::string> &map, const char *key) {
  const auto it = map.find(key);
  return it == map.end() ? htp_str{nullptr, 0} : ctx->keep(it->second);
}
htp_str get_option(htp_ctx *ctx, const char *name) {
  const auto it = ctx->settings.options.find(ctx->unit ? ctx->unit->name.value : "");
  return it == ctx->settings.options.end() ? htp_str{nullptr, 0} : find_in(ctx, it->second, name);
}
htp_str get_target(htp_ctx *ctx) { return str(ctx->settings.target); }
htp_str get_entry(htp_ctx *ctx) { return str(ctx->settings.entry); }
htp_str get_hardware(htp_ctx *ctx, const char *path) {
  const auto &facts = ctx->settings.hardware;
  if (facts.contains(path)) return find_in(ctx, facts, path);
  // A branch: the names below it.
  const std::string prefix = std::string(path) + ".";
  std::string names, last;
  for (auto it = facts.lower_bound(prefix); it != facts.end() && it->first.starts_with(prefix); ++it) {
    const std::string name = it->first.substr(prefix.size(), it->first.find('.', prefix.size()) - prefix.size());
    if (name != last) names += (names.empty() ? "" : " ") + name;
    last = name;
  }
  return names.empty() ? htp_str{nullptr, 0} : ctx->keep(std::move(names));
}

// ── other extensions ──

// Calls into another unit as that unit, and comes back.
template <class F> auto as_unit(htp_ctx *ctx, const Unit *unit, F f) {
  const Unit *caller = std::exchange(ctx->unit, unit);
  const uint64_t random = std::exchange(ctx->random_state, ctx->random_of(*unit));
  auto result = f();
  ctx->unit = caller;
  ctx->random_state = random;
  return result;
}

void add_row(void *to, htp_node key, const htp_value *value) { static_cast<Analysed *>(to)->add(key, *value); }

const htp_table *get_analysis(htp_ctx *ctx, const char *id, htp_node root) {
  const auto key = std::make_pair(std::string(id), root);
  const auto fail = [&](std::string_view why) {
    ctx->diagnostics.report(diag::pipeline_analysis_failed, {}, id, why);
    return nullptr;
  };
  if (const auto known = ctx->analyses.find(key); known != ctx->analyses.end())
    return known->second ? &known->second->table() : fail("it asks for itself");
  const UnitRef *ref = ctx->registry->find(UnitKind::analysis, id);
  if (!ref) {
    ctx->missing.push_back(
        {"Analysis.Table(id=" + std::string(id) + ")", location_of(ctx->store, root), ctx->unit->name.value});
    ctx->diagnostics.report(diag::pipeline_no_analysis, {}, ctx->unit ? ctx->unit->name.value : "a plugin", id);
    return nullptr;
  }
  ctx->analyses[key] = nullptr; // under way
  auto analysed = std::make_unique<Analysed>();
  const size_t errors = ctx->diagnostics.errors();
  const htp_sink sink{analysed.get(), add_row};
  const auto *interface = static_cast<const htp_analysis *>(ref->interface);
  const htp_status status = as_unit(ctx, ref->unit, [&] {
    return in_unit(*ctx, *ref, true, HTP_FAILED, [&] { return interface->run(ctx->host, ctx, root, &sink); });
  });
  ctx->analyses.erase(key);
  if (ctx->diagnostics.errors() != errors) return nullptr;
  if (status != HTP_OK) return fail("it does not say why");
  const auto table = analysed->finish(ref->unit->values.value);
  if (!table) return fail(table.error());
  ctx->analyses[key] = std::move(analysed);
  return *table;
}

const htp_intrinsics *get_intrinsic(htp_ctx *ctx, htp_str name, uint32_t *index) {
  const Registry::Intrinsic *found = ctx->registry->intrinsic(view(name));
  if (!found) return nullptr;
  *index = found->index;
  return found->set;
}

htp_node infer_call(htp_ctx *ctx, htp_str intrinsic, htp_node call, const htp_node *types, uint32_t count) {
  const Registry::Intrinsic *found = ctx->registry->intrinsic(view(intrinsic));
  if (!found) {
    ctx->diagnostics.report(diag::pipeline_no_intrinsic, location_of(ctx->store, call), view(intrinsic));
    return HTP_NONE;
  }
  return as_unit(ctx, found->ref->unit, [&] {
    return in_unit(*ctx, *found->ref, false, htp_node{HTP_NONE},
                   [&] { return found->set->infer(ctx->host, ctx, found->index, call, types, count); });
  });
}

// The first call of an intrinsic in the tree that the unit was given: whose handler is missing is asked for there.
void find_call(const htp_ctx &ctx, std::string_view intrinsic, Missing &missing) {
  const auto imports = imports_of(ctx.store, ctx.root);
  for (const htp_node n : preorder(*ctx.store.abi(), ctx.root)) {
    if (ctx.store.kind(n) != HTP_Call) continue;
    const htp_node function = ctx.store.slot(n, HTP_FIELD(Call, func));
    const Registry::Intrinsic *found = ctx.registry->intrinsic(qualified_name(ctx.store, imports, function));
    if (!found || found->row().name != intrinsic) continue;
    missing.span = location_of(ctx.store, n);
    missing.phrase = "`" + dotted_name(ctx.store, function) + "(…)`";
    return;
  }
}

const htp_handlers *get_handler(htp_ctx *ctx, htp_str intrinsic, htp_str backend, uint32_t *index) {
  const Registry::Handler *found = ctx->registry->handler(view(intrinsic), view(backend));
  if (!found) {
    Missing missing{"Intrinsic.Handler(op=\"" + std::string(view(intrinsic)) +
                        "\", backend=" + std::string(view(backend)) + ")",
                    {},
                    ctx->unit->name.value};
    find_call(*ctx, view(intrinsic), missing);
    ctx->missing.push_back(std::move(missing));
    return nullptr;
  }
  *index = found->index;
  return found->set;
}

int is_in_target_set(htp_ctx *ctx, htp_str intrinsic, htp_str backend) {
  return ctx->registry->in_target_set(view(intrinsic), view(backend));
}

const htp_layout_facet *get_layout(htp_ctx *ctx, htp_str name) {
  const Registry::Layout *found = ctx->registry->layout(view(name));
  return found ? found->facet : nullptr;
}

htp_node join_layouts(htp_ctx *ctx, htp_node a, htp_node b, htp_node where) {
  return join_layout_expressions(*ctx, a, b, where);
}

// ── saying something ──

Severity severity_of(uint32_t severity) {
  switch (severity) {
  case HTP_WARNING: return Severity::warning;
  case HTP_NOTE: return Severity::note;
  case HTP_FAULT: return Severity::fault;
  default: return Severity::error;
  }
}

void add_diagnostic(htp_ctx *ctx, const htp_diagnostic *d) {
  Diagnostic result;
  result.code = d->code ? d->code : "plugin.exception";
  result.severity = severity_of(d->severity);
  result.message = std::string(view(d->message));
  const auto location = [&](htp_node n) {
    if (ctx->settings.location) return ctx->settings.location(n);
    if (ctx->emitting && n) // what was read again stands in the last stage: the user's line is that of what it was
      if (Span span = location_of(ctx->store, ctx->store.at(n).origin)) return span;
    return location_of(ctx->store, n);
  };
  result.span = location(d->node);
  // One line may stand at several locations of a later stage: what is wrong with it is reported once.
  const auto same = [&](const Diagnostic &told) {
    return result.span && told.code == result.code && told.message == result.message &&
           told.span.file == result.span.file && told.span.line == result.span.line && told.span.col == result.span.col;
  };
  const auto &told = ctx->diagnostics.list();
  if (std::any_of(told.begin(), told.end(), same)) return;
  for (uint32_t i = 0; i < d->label_count; ++i)
    if (Span span = location(d->labels[i].node); span || !ctx->settings.location)
      result.label(std::move(span), std::string(view(d->labels[i].text)));
  for (uint32_t i = 0; i < d->note_count; ++i) result.note(std::string(view(d->notes[i])));
  for (uint32_t i = 0; i < d->hint_count; ++i) result.hint(std::string(view(d->hints[i])));
  FixIt fix{std::string(view(d->edit_title)), {}};
  for (uint32_t i = 0; i < d->edit_count; ++i)
    if (Span span = location_of(ctx->store, d->edits[i].node))
      fix.edits.push_back({span, std::string(view(d->edits[i].text))});
  if (!fix.edits.empty()) result.fix(std::move(fix));
  if (result.code == "plugin.exception" && ctx->unit) { // it knows no location
    if (!result.span) result.span = ctx->unit->name.span;
    result.note("in unit `" + ctx->unit->name.value + "`");
    result.hint("report it to the plugin's author, with the program that shows it");
  }
  ctx->diagnostics.add(std::move(result));
}

void report_progress(htp_ctx *ctx, double fraction, htp_str what) {
  if (ctx->progress) ctx->progress(fraction, view(what));
}

int is_cancelled(htp_ctx *ctx) { return ctx->cancel && *ctx->cancel; }

// ── handing over, and the world ──

htp_status add_artifact(htp_ctx *ctx, htp_str path, htp_str role, htp_str bytes) {
  const std::string name(view(path));
  const bool taken =
      std::any_of(ctx->artifacts.begin(), ctx->artifacts.end(), [&](const PackageFile &f) { return f.path == name; });
  const char *why = !ctx->emitting      ? "only a backend hands files over, when it emits"
                    : !is_beneath(name) ? "it must be relative, without `..`"
                    : taken             ? "it was handed over before"
                                        : nullptr;
  if (why) {
    ctx->diagnostics.report(diag::pipeline_bad_artifact, {}, ctx->unit ? ctx->unit->name.value : "a plugin", name, why);
    return HTP_FAILED;
  }
  ctx->artifacts.push_back({name, std::string(view(role)), std::string(view(bytes))});
  return HTP_OK;
}

htp_status read_for_plugin(htp_ctx *ctx, htp_str path, htp_str *bytes) {
  const std::string name(view(path));
  if (!is_beneath(name)) {
    ctx->diagnostics.report(diag::io_unreadable, {}, name,
                            "plugins read only beneath the program's or the package's folder");
    return HTP_FAILED;
  }
  auto read = ctx->settings.read ? ctx->settings.read(name) : read_beneath(ctx->settings.read_folder, name);
  if (!read) {
    ctx->diagnostics.report(diag::io_unreadable, {}, read.error().path, read.error().reason);
    return HTP_FAILED;
  }
  ctx->recorded.push_back({name, "read", sha256(*read)});
  *bytes = ctx->keep(std::move(*read));
  return HTP_OK;
}

namespace {
// This process's environment, in which Python finds what lies in the folders.
std::vector<std::string> with_python_path(const std::vector<std::string> &folders) {
  std::string path = "PYTHONPATH=";
  for (const std::string &folder : folders) path += folder + ":";
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable)
    if (const std::string_view one = *variable; one.starts_with("PYTHONPATH="))
      path += std::string(one.substr(one.find('=') + 1)) + ":";
    else
      variables.emplace_back(one);
  path.pop_back();
  variables.push_back(std::move(path));
  return variables;
}
} // namespace

// The folder whose disk a tool found full, by its own words: where its temporary files go, or where it writes.
std::string full_folder(const std::string &directory, const ProcessResult &ran) {
  if (ran.exit_status == 0 || ran.err.find(std::strerror(ENOSPC)) == std::string::npos) return {};
  const auto free_at = [](const std::string &folder) {
    std::error_code failed;
    const auto space = std::filesystem::space(folder, failed);
    return failed ? std::numeric_limits<uintmax_t>::max() : space.available;
  };
  return !directory.empty() && free_at(directory) < free_at(temporary_place()) ? directory : temporary_place();
}

htp_status run_for_plugin(htp_ctx *ctx, const htp_str *argv, uint32_t argc, htp_str directory, htp_str input,
                          htp_tool_result *result) {
  ProcessRequest request;
  for (uint32_t i = 0; i < argc; ++i) request.argv.emplace_back(view(argv[i]));
  request.directory = std::string(view(directory));
  request.input = std::string(view(input));
  request.timeout = ctx->settings.tool_timeout;
  if (!ctx->settings.python_path.empty()) request.environment = with_python_path(ctx->settings.python_path);
  auto ran = run_process(request);
  if (!ran) {
    ctx->diagnostics.report(diag::pipeline_no_tool, {}, request.argv.empty() ? "" : request.argv[0], ran.error());
    return HTP_FAILED;
  }
  if (ran->timed_out) {
    ctx->diagnostics.report(diag::pipeline_tool_timeout, {}, request.argv[0], request.timeout.count());
    return HTP_FAILED;
  }
  if (const std::string full = full_folder(request.directory, *ran); !full.empty()) {
    ctx->diagnostics.report(diag::io_unwritable, {}, full, std::strerror(ENOSPC))
        .note(fmt::format("`{}` stopped: {}", request.argv[0], ran->err))
        .hint("free some, or name another folder: `TMPDIR` for what is temporary, `HTP_CACHE` for what is built");
    return HTP_FAILED;
  }
  log(LogLevel::debug, "tool ran",
      {{"command", fmt::format("{}", fmt::join(request.argv, " "))}, {"status", ran->exit_status}});
  ctx->recorded.push_back({request.argv[0], "tool", sha256(ran->out)});
  *result = {ran->exit_status, ctx->keep(std::move(ran->out)), ctx->keep(std::move(ran->err))};
  return HTP_OK;
}

htp_status open_cache_folder(htp_ctx *ctx, htp_str key, htp_str *folder, int *fresh) {
  auto opened = ctx->cache.folder(view(key));
  if (!opened) {
    ctx->diagnostics.report(diag::io_unwritable, {}, ctx->cache.enabled() ? ctx->cache.path() : "/tmp",
                            "no folder can be made for what is built");
    return HTP_FAILED;
  }
  log(LogLevel::debug, opened->fresh ? "not in the cache" : "in the cache", {{"folder", opened->path}});
  *folder = ctx->keep(std::move(opened->path));
  *fresh = opened->fresh;
  return HTP_OK;
}
htp_status keep_cache_folder(htp_ctx *ctx, htp_str key) { return ctx->cache.keep(view(key)) ? HTP_OK : HTP_FAILED; }

htp_str hash_bytes(htp_ctx *ctx, htp_str bytes) { return ctx->keep(sha256(view(bytes))); }

// splitmix64
uint64_t next_random(htp_ctx *ctx) {
  uint64_t z = ctx->random_state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

htp_str get_environment(htp_ctx *ctx, const char *name) {
  if (!ctx->settings.any_environment && !ctx->settings.environment.contains(name)) return {nullptr, 0};
  const char *value = environment(name);
  if (!value) {
    ctx->recorded.push_back({name, "environment", ""}); // that there is none was read too
    return {nullptr, 0};
  }
  ctx->recorded.push_back({name, "environment", sha256(value)});
  return ctx->keep(value);
}

bool is_log_level(uint32_t level) { return level <= HTP_LOG_ERROR; }
static_assert(static_cast<uint32_t>(LogLevel::error) == HTP_LOG_ERROR);

void log_for_plugin(htp_ctx *ctx, uint32_t level, htp_str text) {
  if (is_log_level(level))
    log_from(ctx->unit ? ctx->unit->name.value : "a plugin", static_cast<LogLevel>(level), view(text));
}

void take_event(htp_ctx *ctx, htp_node at, htp_str name, htp_str track, double begin_us, double duration_us) {
  if (ctx->event) ctx->event(at, view(name), view(track), begin_us, duration_us);
}

int logs_for_plugin(htp_ctx *, uint32_t level) { return is_log_level(level) && logs(static_cast<LogLevel>(level)); }

} // namespace

htp_ctx::htp_ctx(Store &s, Diagnostics &d, Cache &c, ContextSettings set)
    : store(s), diagnostics(d), cache(c), settings(std::move(set)) {}

void htp_ctx::enter(const Unit &of, htp_node at) {
  unit = &of;
  root = at;
  scratch.clear();
  names.reset();
  next_numbers.clear();
  random_state = random_of(of);
  if (progress) progress(done, of.name.value);
}

uint64_t htp_ctx::random_of(const Unit &of) const {
  uint64_t state = settings.seed ^ 0xcbf29ce484222325ULL;
  for (const char c : of.name.value) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; // FNV-1a
  return state;
}

htp_str htp_ctx::keep(std::string text) { return str(scratch.emplace_back(std::move(text))); }

namespace htp {

namespace {

const htp_host functions{
    .head = {sizeof(htp_host), 1, HTP_LAYOUT_HOST},
    .store = get_store,
    .node = make_node,
    .with = with_slots,
    .list = make_list,
    .string = make_string,
    .constant = make_constant,
    .parse_expr = parse_expr,
    .parse_body = parse_body,
    .unparse = unparse_node,
    .fresh = fresh_name,
    .comment = add_comment,
    .option = get_option,
    .target = get_target,
    .entry = get_entry,
    .hardware = get_hardware,
    .analysis = get_analysis,
    .intrinsic = get_intrinsic,
    .infer = infer_call,
    .handler = get_handler,
    .in_target_set = is_in_target_set,
    .layout = get_layout,
    .layout_join = join_layouts,
    .diag = add_diagnostic,
    .progress = report_progress,
    .cancelled = is_cancelled,
    .artifact = add_artifact,
    .read_file = read_for_plugin,
    .run_tool = run_for_plugin,
    .cache_folder = open_cache_folder,
    .cache_keep = keep_cache_folder,
    .sha256 = hash_bytes,
    .random = next_random,
    .environment = get_environment,
    .log = log_for_plugin,
    .logs = logs_for_plugin,
    .event = take_event,
};

constexpr size_t page_size = 4096; // at least; what is mapped is rounded up
static_assert(sizeof(htp_host) <= page_size);

htp_host *table_in_a_page_of_its_own() {
  void *const page = ::mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(page, &functions, sizeof functions);
  ::mprotect(page, page_size, PROT_READ);
  return static_cast<htp_host *>(page);
}

htp_host *table() {
  static htp_host *const one = table_in_a_page_of_its_own();
  return one;
}

} // namespace

const htp_host &host_table() { return *table(); }

bool restore_host_table() {
  if (std::memcmp(table(), &functions, sizeof functions) == 0) return false;
  ::mprotect(table(), page_size, PROT_READ | PROT_WRITE);
  std::memcpy(table(), &functions, sizeof functions);
  ::mprotect(table(), page_size, PROT_READ);
  return true;
}

} // namespace htp
