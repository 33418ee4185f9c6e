/* htp/diag.h — diagnostics as data. A code is `owner.kebab-name` and stands in its owner's table, so that
 * `htp-host explain CODE` knows it. Messages: lower case, no final period, code in backticks, the situation as the
 * user sees it; what would help goes into a hint. */
#ifndef HTP_DIAG_H
#define HTP_DIAG_H

#include "htp/ast.h"

HTP_BEGIN

/* An error is the input's fault, HTP_FAULT an error that is a tool's or a plugin's: told alike, but a command then ends
 * with 3 instead of 1. */
typedef enum htp_severity { HTP_ERROR = 1, HTP_WARNING = 2, HTP_NOTE = 3, HTP_FAULT = 4 } htp_severity;

/* One row of a plugin's diagnostics table. */
typedef struct htp_diag_info {
  const char *code;        /* "tile.unwritten-output"                                  */
  uint32_t severity;       /* htp_severity                                             */
  const char *summary;     /* the message with {0}, {1} … for its arguments            */
  const char *explanation; /* Markdown: what it means, an example, the fix             */
} htp_diag_info;

/* A place with words. `node` is followed back to the user's own line by the host. */
typedef struct htp_label {
  htp_node node;
  htp_str text;
} htp_label;

/* Replace the source text of `node` by `text`; for tools, so only when one is sure. */
typedef struct htp_edit {
  htp_node node;
  htp_str text;
} htp_edit;

typedef struct htp_diagnostic {
  uint32_t size; /* sizeof(htp_diagnostic)                                   */
  uint32_t severity;
  const char *code;
  htp_str message;
  htp_node node; /* where; 0 = the whole program                             */
  const htp_label *labels;
  uint32_t label_count;
  uint32_t note_count;
  const htp_str *notes;
  const htp_str *hints;
  uint32_t hint_count;
  uint32_t edit_count;
  const htp_edit *edits; /* one fix-it                                               */
  htp_str edit_title;
} htp_diagnostic;

HTP_END
#endif
