/* htp/intrinsics.h — a set of intrinsics. Each is declared once, as a typed Python function with the decorator
 * `@htp.intrinsic(...)` in the plugin's Python module; the build reads that file (never runs it) and writes the table
 * that stands here (`htp-host plugins intrinsics FILE.py`). `plugins check` compares the two. */
#ifndef HTP_INTRINSICS_H
#define HTP_INTRINSICS_H
#include "htp/host.h"
HTP_BEGIN

#define HTP_EXT_INTRINSICS "htp.intrinsics/1"

typedef struct htp_parameter {
  const char *name;          /* "*index" takes all further positional arguments                        */
  const char *annotation;    /* as written                                                             */
  const char *default_value; /* as written; null = required                                            */
  uint32_t keyword_only;
} htp_parameter;

typedef struct htp_intrinsic {
  const char *name;    /* "tile.exp"                                                             */
  const char *python;  /* "htp_tile.exp"                                                         */
  const char *method;  /* "__add__" and the like: the operator that names it; null               */
  const char *rule;    /* typing rule, the owner's word ("elementwise")                          */
  const char *effects; /* "" (pure), "read", "write", "read write"                               */
  const char *spaces;  /* memory spaces it may touch, blank separated; ""                        */
  const char *cost;    /* cost expression over the operand shapes; ""                            */
  const char *result;  /* result annotation as written                                           */
  const char *doc;     /* the docstring                                                          */
  const htp_parameter *parameters;
  uint32_t parameter_count;
  uint32_t line;      /* of the def, in the Python file                                         */
  const char *digest; /* sha256 of the def's canonical text                                     */
} htp_intrinsic;

typedef struct htp_intrinsics {
  htp_head head;
  const htp_intrinsic *rows;
  uint32_t count;
  uint32_t reserved;
  /* The type of a call of row `index`; see htp_host.infer.                                            [compile] */
  htp_node (*infer)(const htp_host *host, htp_ctx *ctx, uint32_t index, htp_node call, const htp_node *types,
                    uint32_t count);
} htp_intrinsics;

HTP_END
#endif
