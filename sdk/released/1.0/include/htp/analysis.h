/* htp/analysis.h — a unit that derives a table node → value from a tree. Its id is the unit's name ("acme.cost"); the
 * schema and version of its values stand in the manifest. Any plugin reads it by host->analysis(ctx, id, root). */
#ifndef HTP_ANALYSIS_H
#define HTP_ANALYSIS_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_ANALYSIS "htp.analysis/1"

/* Receives the rows, in any order; the host sorts and keeps them. A key may come once. */
typedef struct htp_sink {
  void *to;
  void (*row)(void *to, htp_node key, const htp_value *value);
} htp_sink;

typedef struct htp_analysis {
  htp_head head;
  /* A pure function of the tree at `root`, the target and the options.                                [compile] */
  htp_status (*run)(const htp_host *host, htp_ctx *ctx, htp_node root, const htp_sink *sink);
} htp_analysis;

HTP_END
#endif
