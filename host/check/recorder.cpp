#include "host/check/recorder.h"

#include "host/pipeline/registry.h"

#include <array>
#include <map>

namespace htp {

namespace {

// ── writing down ──

struct Notes {
  const Registry *registry = nullptr;
  htp_node root = HTP_NONE;
  std::vector<RecordedInfer> infers;
  std::vector<RecordedRewrite> rewrites;
};
Notes *notes = nullptr;

std::vector<htp_node> list(const htp_node *items, uint32_t count) {
  return items ? std::vector<htp_node>(items, items + count) : std::vector<htp_node>{};
}

// The set's unit, by its interface.
const UnitRef *ref_of(UnitKind kind, const void *interface) {
  for (const UnitRef *ref : notes->registry->of(kind))
    if (ref->interface == interface) return ref;
  return nullptr;
}

htp_node note_infer(htp_ctx *ctx, htp_str name, htp_node call, const htp_node *types, uint32_t count) {
  const Registry::Intrinsic *found = notes->registry->intrinsic({name.data, name.size});
  const htp_node result = host_table().infer(ctx, name, call, types, count);
  if (const UnitRef *ref = found ? ref_of(UnitKind::intrinsics, found->set) : nullptr)
    notes->infers.push_back({ref, found->index, notes->root, call, list(types, count), result});
  return result;
}

// A handler set is the plugin's own data, so what stands for it here has a function of its own for each set.
constexpr size_t most_sets = 16;
struct Stand {
  const htp_handlers *own = nullptr;
  htp_handlers shown{};
};
std::array<Stand, most_sets> stands;

template <size_t I>
uint32_t note_rewrite(const htp_host *host, htp_ctx *ctx, uint32_t index, const htp_handler_call *call) {
  const htp_handlers &own = *stands[I].own;
  if (const UnitRef *ref = ref_of(UnitKind::handlers, &own))
    notes->rewrites.push_back({ref, index, notes->root, call->statement, call->call, call->type,
                               list(call->arguments, call->count), list(call->types, call->count)});
  return own.rewrite(host, ctx, index, call);
}

template <size_t... I> constexpr auto rewriters(std::index_sequence<I...>) {
  return std::array<decltype(htp_handlers::rewrite), sizeof...(I)>{note_rewrite<I>...};
}
constexpr auto rewrite_of = rewriters(std::make_index_sequence<most_sets>());

const htp_handlers *note_handler(htp_ctx *ctx, htp_str intrinsic, htp_str backend, uint32_t *index) {
  const htp_handlers *own = host_table().handler(ctx, intrinsic, backend, index);
  if (!own) return nullptr;
  for (size_t i = 0; i < most_sets; ++i) {
    Stand &stand = stands[i];
    if (!stand.own) {
      stand.own = own;
      stand.shown = *own;
      stand.shown.rewrite = rewrite_of[i];
    }
    if (stand.own == own) return &stand.shown;
  }
  return own;
}

// ── failing ──

uint64_t calls_left = 0;
const char *failed_function = nullptr;

template <class R> R failure() {
  if constexpr (std::is_same_v<R, htp_status>)
    return HTP_FAILED;
  else
    return R{};
}

void say(htp_ctx *ctx, const char *function) {
  Diagnostic d;
  d.code = "check.survives-failures";
  d.message = std::string("`") + function + "` fails on purpose";
  ctx->diagnostics.add(std::move(d));
}

template <auto Member, const auto &Name> struct Failing;
template <class R, class... A, R (*htp_host::*Member)(htp_ctx *, A...), const auto &Name> struct Failing<Member, Name> {
  static R call(htp_ctx *ctx, A... arguments) {
    if (calls_left != 0 && --calls_left == 0) {
      failed_function = Name;
      say(ctx, Name);
      return failure<R>();
    }
    return (host_table().*Member)(ctx, arguments...);
  }
};

// What may fail: making things (memory ends), and asking the world or others.
#define HTP_MAY_FAIL(X)                                                                                                \
  X(node)                                                                                                              \
  X(with)                                                                                                              \
  X(parse_expr)                                                                                                        \
  X(parse_body)                                                                                                        \
  X(unparse)                                                                                                           \
  X(comment)                                                                                                           \
  X(hardware)                                                                                                          \
  X(analysis)                                                                                                          \
  X(infer)                                                                                                             \
  X(handler)                                                                                                           \
  X(layout_join)                                                                                                       \
  X(artifact)                                                                                                          \
  X(read_file)                                                                                                         \
  X(run_tool)                                                                                                          \
  X(cache_folder)                                                                                                      \
  X(cache_keep)                                                                                                        \
  X(environment)

#define HTP_NAME(f) constexpr const char name_##f[] = #f;
HTP_MAY_FAIL(HTP_NAME)
#undef HTP_NAME

htp_host failing_table() {
  htp_host table = host_table();
#define HTP_FAILS(f) table.f = Failing<&htp_host::f, name_##f>::call;
  HTP_MAY_FAIL(HTP_FAILS)
#undef HTP_FAILS
  return table;
}

} // namespace

htp_handler_call RecordedRewrite::call() const {
  return {statement, call_node, type, arguments.data(), types.data(), static_cast<uint32_t>(arguments.size()), 0};
}

Recorder::Recorder() {
  notes = new Notes;
  stands = {};
}
Recorder::~Recorder() { delete std::exchange(notes, nullptr); }

void Recorder::begin(const Registry &registry, htp_node root) {
  notes->registry = &registry;
  notes->root = root;
}

const htp_host *Recorder::table() const {
  static const htp_host table = [] {
    htp_host own = host_table();
    own.infer = note_infer;
    own.handler = note_handler;
    return own;
  }();
  return &table;
}

const std::vector<RecordedInfer> &Recorder::infers() const { return notes->infers; }
const std::vector<RecordedRewrite> &Recorder::rewrites() const { return notes->rewrites; }

FailingHost::FailingHost(uint64_t left) {
  calls_left = left;
  failed_function = nullptr;
}
FailingHost::~FailingHost() { calls_left = 0; }
const htp_host *FailingHost::table() const {
  static const htp_host table = failing_table();
  return &table;
}
const char *FailingHost::failed() const { return failed_function; }

} // namespace htp
