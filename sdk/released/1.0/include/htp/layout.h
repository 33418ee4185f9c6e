/* htp/layout.h — a layout facet: one notation for layouts as a view of the core algebra (R14). A layout crosses every
 * boundary as its canonical constructor expression, a call of the facet's constructor. The core form is the SDK's
 * `htp.layout(((extent, stride, "axis"), …), replicate=((extent, stride, "axis"), …), offset={…})`. */
#ifndef HTP_LAYOUT_FACET_H
#define HTP_LAYOUT_FACET_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_LAYOUT "htp.layout/1"

typedef struct htp_layout_facet {
  htp_head head;
  const char *constructor; /* its Python name: "htp_acme.hierarchy"                                  */
  const char *facet;       /* "distribution", "memory", "hardware" or the owner's word               */
  /* The canonical form of a layout expression of this facet; 0 after a diagnostic (bad extents …).    [compile] */
  htp_node (*canonical)(const htp_host *host, htp_ctx *ctx, htp_node layout);
  /* To and from the core form. from_core returns 0 without a diagnostic when this facet cannot say it. */
  htp_node (*to_core)(const htp_host *host, htp_ctx *ctx, htp_node layout);
  htp_node (*from_core)(const htp_host *host, htp_ctx *ctx, htp_node core);
  /* The layout both operands can be seen as; 0 without a diagnostic when there is none. */
  htp_node (*join)(const htp_host *host, htp_ctx *ctx, htp_node a, htp_node b);
} htp_layout_facet;

HTP_END
#endif
