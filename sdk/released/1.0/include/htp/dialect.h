/* htp/dialect.h — a dialect: Python constructs that mean something. Its module, intrinsics and passes are units of
 * their own; the dialect itself says which functions of a program are its, and refuses what its language has not. */
#ifndef HTP_DIALECT_H
#define HTP_DIALECT_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_DIALECT "htp.dialect/1"

typedef struct htp_dialect {
  htp_head head;
  const char *module;            /* the Python module whose import enables it: "htp_tile"                */
  const char *const *decorators; /* names in that module that mark an entry ("kernel"), null-terminated  */
  /* Checks the user's module at `root` right after parsing: every construct the language has not is reported at its
   * node, in one sentence. May be null.                                                               [compile] */
  htp_status (*check)(const htp_host *host, htp_ctx *ctx, htp_node root);
} htp_dialect;

HTP_END
#endif
