// Exceptions stop in the plugin: each callback of each kind of unit turns one into a diagnostic.
#include "htp/htp.h"
#include "tests/load/fixture.h"

#include <functional>

namespace htp {
namespace {

// What the shims ask of a host: the store, and to be told.
class Listener {
public:
  Listener() {
    host.store = [](htp_ctx *) -> const htp_store * { return &store; };
    host.diag = [](htp_ctx *ctx, const htp_diagnostic *d) {
      *reinterpret_cast<std::string *>(ctx) += std::string(d->code) +
                                               (d->severity == HTP_FAULT ? " fault: " : " no fault: ") +
                                               std::string(d->message.data, d->message.size) + "\n";
    };
  }
  // What is said while `f` runs.
  std::string hears(const std::function<void()> &f) {
    heard.clear();
    f();
    return heard;
  }

  htp_host host{};
  std::string heard;
  htp_ctx *ctx() { return reinterpret_cast<htp_ctx *>(&heard); }

private:
  static inline htp_store store{};
};

TEST(Throws, EveryCallbackOfEveryKind) {
  const Manifest manifest = fixture("throws");
  Diagnostics diagnostics;
  LoadOptions options;
  options.probe_timeout = std::chrono::minutes(1);
  const auto plugins = load(manifest, options, diagnostics);
  ASSERT_EQ(plugins.size(), 1u) << text(diagnostics);
  const auto unit = [&]<class T>(UnitKind kind, const T *&interface) {
    interface = static_cast<const T *>(plugins[0].interface(kind, "test." + std::string(unit_kind_name(kind))));
    ASSERT_NE(interface, nullptr) << unit_kind_name(kind);
  };
  const htp_dialect *dialect;
  const htp_intrinsics *intrinsics;
  const htp_handlers *handlers;
  const htp_layout_facet *layout;
  const htp_analysis *analysis;
  const htp_pass *pass;
  const htp_island *island;
  const htp_backend *backend;
  const htp_binding *binding;
  const htp_verifier *verifier;
  unit(UnitKind::dialect, dialect);
  unit(UnitKind::intrinsics, intrinsics);
  unit(UnitKind::handlers, handlers);
  unit(UnitKind::layout, layout);
  unit(UnitKind::analysis, analysis);
  unit(UnitKind::pass, pass);
  unit(UnitKind::island, island);
  unit(UnitKind::backend, backend);
  unit(UnitKind::binding, binding);
  unit(UnitKind::verifier, verifier);

  Listener listener;
  const htp_host *const h = &listener.host;
  htp_ctx *const x = listener.ctx();
  const htp_str text{"", 0};
  htp_str out{};
  htp_node node = 0;
  void *loaded = nullptr;
  const htp_sink sink{};
  const htp_trace_sink trace{};
  const htp_handler_call call{};
  struct Callback {
    const char *name;
    std::function<int64_t()> run;
    int64_t failed;
  };
  const Callback callbacks[] = {
      {"dialect.check", [&] { return dialect->check(h, x, 0); }, HTP_INTERNAL},
      {"intrinsics.infer", [&] { return intrinsics->infer(h, x, 0, 0, nullptr, 0); }, 0},
      {"handlers.rewrite", [&] { return handlers->rewrite(h, x, 0, &call); }, 0},
      {"layout.canonical", [&] { return layout->canonical(h, x, 0); }, 0},
      {"layout.to_core", [&] { return layout->to_core(h, x, 0); }, 0},
      {"layout.from_core", [&] { return layout->from_core(h, x, 0); }, 0},
      {"layout.join", [&] { return layout->join(h, x, 0, 0); }, 0},
      {"analysis.run", [&] { return analysis->run(h, x, 0, &sink); }, HTP_INTERNAL},
      {"pass.run", [&] { return pass->run(h, x, 0, &node); }, HTP_INTERNAL},
      {"island.claims", [&] { return island->claims(h, x, 0); }, 0},
      {"island.leave", [&] { return island->leave(h, x, 0, &out); }, HTP_INTERNAL},
      {"island.transform", [&] { return island->transform(h, x, text, &out); }, HTP_INTERNAL},
      {"island.enter", [&] { return island->enter(h, x, 0, text); }, 0},
      {"backend.emit", [&] { return backend->emit(h, x, 0); }, HTP_INTERNAL},
      {"binding.validate", [&] { return binding->validate(h, x); }, HTP_INTERNAL},
      {"binding.build", [&] { return binding->build(h, x, &out); }, HTP_INTERNAL},
      {"binding.load", [&] { return binding->load(h, x, text, &loaded); }, HTP_INTERNAL},
      {"binding.run", [&] { return binding->run(h, x, nullptr, text, nullptr, 0); }, HTP_INTERNAL},
      {"binding.trace", [&] { return binding->trace(h, x, nullptr, text, nullptr, 0, &trace); }, HTP_INTERNAL},
      {"verifier.verify", [&] { return verifier->verify(h, x, text, 0); }, HTP_INTERNAL},
  };
  for (const Callback &callback : callbacks) {
    int64_t answer = -1;
    const std::string said = listener.hears([&] { answer = callback.run(); });
    EXPECT_EQ(answer, callback.failed) << callback.name;
    EXPECT_EQ(said, callback.name == std::string("verifier.verify")
                        ? "plugin.exception fault: the plugin failed with an unknown exception\n"
                        : "plugin.exception fault: the plugin failed: out of luck\n")
        << callback.name;
  }
}

} // namespace
} // namespace htp
