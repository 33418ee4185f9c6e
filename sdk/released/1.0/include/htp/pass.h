/* htp/pass.h — a unit that rewrites the tree. Its name, contract (requires, provides, invalidates) and options stand
 * in the manifest; here is only what it does. */
#ifndef HTP_PASS_H
#define HTP_PASS_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_PASS "htp.pass/1"

typedef struct htp_pass {
  htp_head head;
  /* Reads the module at `root` and stores the new module in `*out` (may be `root`: nothing to do). Nodes reachable
   * from `root` stay valid and unchanged. On anything but HTP_OK `*out` is ignored. The result must be a valid Python
   * program that computes what the old one did. Sees nothing but the tree, the target, its options and analyses (R4).
   *                                                                                                  [compile] */
  htp_status (*run)(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node *out);
} htp_pass;

HTP_END
#endif
