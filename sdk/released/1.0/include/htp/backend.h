/* htp/backend.h — a backend: a target set of intrinsics, a hardware model (manifest data) and an emitter. */
#ifndef HTP_BACKEND_H
#define HTP_BACKEND_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_BACKEND "htp.backend/1"

typedef struct htp_backend {
  htp_head head;
  const char *const *target_set; /* intrinsic names it emits, null-terminated, sorted                   */
  /* Emits the program at `root` (which holds what the backend's contract wants): artifacts by host->artifact. Emitted
   * text cites lines of the last stage's program.py, which are the spans of the nodes at `root` (R2): the host re-reads
   * the last stage before it calls this.                                                              [compile] */
  htp_status (*emit)(const htp_host *host, htp_ctx *ctx, htp_node root);
} htp_backend;

HTP_END
#endif
