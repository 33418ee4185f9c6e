/* htp/island.h — an excursion to another compiler that returns to Python. The host drives it as a pass: for each region
 * the island claims, it is exported to text, transformed, and imported again; both texts are kept beside the stage. */
#ifndef HTP_ISLAND_H
#define HTP_ISLAND_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_ISLAND "htp.island/1"

typedef struct htp_island {
  htp_head head;
  const char *suffix; /* of the exported text: ".mlir"                                        */
  /* Whether the statement or function `n` is a region to export; called for each statement, outermost first; a claimed
   * region's inside is not asked again.                                                               [compile] */
  int (*claims)(const htp_host *host, htp_ctx *ctx, htp_node n);
  /* Writes the region as text: into `*text`, borrowed until the next call on this ctx. */
  htp_status (*leave)(const htp_host *host, htp_ctx *ctx, htp_node region, htp_str *text);
  /* The other compiler, usually host->run_tool: text in, text out. */
  htp_status (*transform)(const htp_host *host, htp_ctx *ctx, htp_str text, htp_str *result);
  /* Reads the text back: a list id of the statements that replace the region; 0 after a diagnostic. */
  uint32_t (*enter)(const htp_host *host, htp_ctx *ctx, htp_node region, htp_str text);
} htp_island;

HTP_END
#endif
