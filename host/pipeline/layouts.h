// host/pipeline/layouts.h — layout expressions that meet, joined by the facets of the loaded plugins.
#pragma once

#include <htp/ast.h>

struct htp_ctx;

namespace htp {

// The join of two layout expressions by their facets; see htp_host.layout_join.
htp_node join_layout_expressions(htp_ctx &ctx, htp_node a, htp_node b, htp_node where);

} // namespace htp
