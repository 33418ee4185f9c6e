/* htp/handlers.h — how calls of intrinsics become calls of a backend's target set (R8). Anyone may ship one for
 * anyone's intrinsic and backend. */
#ifndef HTP_HANDLERS_H
#define HTP_HANDLERS_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_HANDLERS "htp.handlers/1"

typedef struct htp_handler {
  const char *intrinsic; /* "tile.exp"                                                             */
  const char *backend;   /* "cpu"; "$B", as in the manifest: whichever the compile is for          */
} htp_handler;

/* What a handler is given: the statement `target: type = intrinsic(arguments)` in canonical form. */
typedef struct htp_handler_call {
  htp_node statement; /* an AnnAssign, or an Expr for an intrinsic with no result               */
  htp_node call;
  htp_node type;             /* the result's annotation; 0 for none                                    */
  const htp_node *arguments; /* in the intrinsic's parameter order; 0 = default                        */
  const htp_node *types;     /* their annotations; 0 = compile-time value                              */
  uint32_t count;
  uint32_t reserved;
} htp_handler_call;

typedef struct htp_handlers {
  htp_head head;
  const htp_handler *rows;
  uint32_t count;
  uint32_t reserved;
  /* Rewrites the statement: returns a list id (host->list) of statements, one of which binds the same target,
   * in terms of the target set, or of intrinsics with a handler (each then all of a statement's value: it is
   * rewritten in turn); new names come from host->fresh. 0 after a diagnostic.                            [compile] */
  uint32_t (*rewrite)(const htp_host *host, htp_ctx *ctx, uint32_t index, const htp_handler_call *call);
} htp_handlers;

HTP_END
#endif
