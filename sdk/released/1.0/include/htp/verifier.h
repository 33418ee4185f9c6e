/* htp/verifier.h — a unit that checks whether one state capability holds of a program. Every state capability has one;
 * resuming, `--verify-each` and the tests run it. */
#ifndef HTP_VERIFIER_H
#define HTP_VERIFIER_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_VERIFIER "htp.verifier/1"

typedef struct htp_verifier {
  htp_head head;
  /* Does the capability (`term`, canonical spelling, variables bound: "Codegen.Ready(target=cpu)") hold of `root`?
   * HTP_OK: yes. HTP_FAILED: no; a note diagnostic names the first node that breaks it.               [compile] */
  htp_status (*verify)(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root);
} htp_verifier;

HTP_END
#endif
