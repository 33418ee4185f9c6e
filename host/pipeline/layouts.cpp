#include "host/pipeline/layouts.h"

#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/pipeline/context.h"
#include "host/pipeline/in_unit.h"
#include "host/pipeline/tree.h"

#include <htp_cpp/constants.h>
#include <htp_cpp/layout/annotation.h>

namespace htp {

namespace {

const Registry::Layout *facet_of(htp_ctx &ctx, htp_node layout) {
  if (ctx.store.kind(layout) != HTP_Call) return nullptr;
  const std::string name =
      qualified_name(ctx.store, imports_of(ctx.store, ctx.root), ctx.store.slot(layout, HTP_FIELD(Call, func)));
  return ctx.registry->layout(name.empty() ? dotted_name(ctx.store, ctx.store.slot(layout, HTP_FIELD(Call, func)))
                                           : name);
}

} // namespace

bool check_layouts(const Store &store, htp_node module, Diagnostics &diagnostics) {
  const sdk::Reader reader(store.abi());
  const sdk::Constants constants(reader, module);
  const std::vector<Imported> imports = imports_of(store, module);
  const size_t errors = diagnostics.errors();
  reader.each(module, [&](htp_node n) {
    const auto call = reader.as<sdk::ast::Call>(n);
    const std::string name = call ? qualified_name(store, imports, call.func()) : std::string();
    if (name != "htp.layout" && !name.starts_with("htp.layouts.")) return true;
    const auto layout = sdk::read_layout(reader, n, [&](htp_node e) { return constants.integer(e); });
    if (!layout && !sdk::run_time_steps(reader, n, [&](htp_node e) { return constants.integer(e); }))
      diagnostics.report(diag::pipeline_bad_layout, store.span(n), unparse(*store.abi(), n), layout.reason());
    return false;
  });
  return diagnostics.errors() == errors;
}

htp_node join_layout_expressions(htp_ctx &ctx, htp_node a, htp_node b, htp_node where) {
  if (!a || !b) return a ? a : b;
  const htp_host &host = *ctx.host;
  const Registry::Layout *fa = facet_of(ctx, a), *fb = facet_of(ctx, b);
  const auto show = [&](htp_node n) { return std::string(host.unparse(&ctx, n).data, host.unparse(&ctx, n).size); };
  const auto refuse = [&](std::string_view hint) {
    Diagnostic &d = ctx.diagnostics.report(diag::pipeline_layouts_differ, ctx.store.span(where), show(a), show(b));
    d.hint(std::string(hint));
    return htp_node{HTP_NONE};
  };
  if (!fa || !fb) {
    if (same_tree(*ctx.store.abi(), a, b)) return a;
    return refuse("no loaded plugin brings a layout facet for `" + show(fa ? b : a) + "`");
  }
  const auto in = [&](const Registry::Layout &of, auto call) {
    return in_unit(ctx, *of.ref, false, htp_node{HTP_NONE}, [&] { return call(*of.facet); });
  };
  if (fa == fb) {
    const htp_node joined = in(*fa, [&](const htp_layout_facet &facet) { return facet.join(&host, &ctx, a, b); });
    return joined ? joined : refuse("give one of them the other's layout first");
  }
  // Two notations meet in the core algebra.
  const htp_node core_a = in(*fa, [&](const htp_layout_facet &facet) { return facet.to_core(&host, &ctx, a); });
  const htp_node core_b = in(*fb, [&](const htp_layout_facet &facet) { return facet.to_core(&host, &ctx, b); });
  if (!core_a || !core_b) return HTP_NONE;
  return same_tree(*ctx.store.abi(), core_a, core_b) ? a : refuse("they mean different things in the core algebra");
}

} // namespace htp
