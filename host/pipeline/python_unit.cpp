#include "host/pipeline/python_unit.h"

#include "host/pipeline/context.h"
#include "host/python/units.h"

#include <htp/layout_hash.h>

namespace htp {

namespace {

PythonCall call_of(const htp_host *host, htp_ctx *ctx) {
  const UnitRef *ref = ctx->registry->find(ctx->unit->kind, ctx->unit->name.value);
  return {ref->plugin->manifest(), *ref->unit, *host, ctx, ctx->store, ctx->diagnostics};
}

htp_status run_pass(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node *out) {
  return run_python_pass(call_of(host, ctx), root, *out);
}
htp_status run_analysis(const htp_host *host, htp_ctx *ctx, htp_node root, const htp_sink *sink) {
  return run_python_analysis(call_of(host, ctx), root, *sink);
}
htp_status run_verifier(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root) {
  return run_python_verifier(call_of(host, ctx), {term.data, term.size}, root);
}

const htp_pass pass{{sizeof(htp_pass), 1, HTP_LAYOUT_PASS}, run_pass};
const htp_analysis analysis{{sizeof(htp_analysis), 1, HTP_LAYOUT_ANALYSIS}, run_analysis};
const htp_verifier verifier{{sizeof(htp_verifier), 1, HTP_LAYOUT_VERIFIER}, run_verifier};

} // namespace

const void *python_interface(UnitKind kind) {
  switch (kind) {
  case UnitKind::pass: return &pass;
  case UnitKind::analysis: return &analysis;
  case UnitKind::verifier: return &verifier;
  default: return nullptr; // no other kind has `code`
  }
}

} // namespace htp
