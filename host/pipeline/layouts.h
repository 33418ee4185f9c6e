// host/pipeline/layouts.h — layout expressions: whether they mean something, and those that meet, joined by the facets
// of the loaded plugins.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"

struct htp_ctx;

namespace htp {

// Whether each call of `htp.layout` and of the constructors of `htp.layouts` is a layout, as Python finds when it runs
// the module; false after a report. Of a program as written its dialect says more.
bool check_layouts(const Store &store, htp_node module, Diagnostics &diagnostics);

// The join of two layout expressions by their facets; see htp_host.layout_join.
htp_node join_layout_expressions(htp_ctx &ctx, htp_node a, htp_node b, htp_node where);

} // namespace htp
