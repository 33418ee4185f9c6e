/* htp/entry.h — a plugin's one exported symbol: constant data that says what it is. The host reads it, compares it with
 * the manifest, and calls nothing before everything fits. There is no init function: units are pure functions of their
 * context, so there is nothing to set up and nothing to tear down. */
#ifndef HTP_ENTRY_H
#define HTP_ENTRY_H
#include "htp/diag.h"
HTP_BEGIN

typedef struct htp_unit {
  const char *kind;      /* HTP_EXT_PASS …: "htp.pass/1"                                        */
  const char *name;      /* as in the manifest: "tile.infer"                                     */
  const void *interface; /* htp_pass …; starts with an htp_head                                  */
} htp_unit;

typedef struct htp_entry {
  htp_head head; /* layout: HTP_LAYOUT_ALL, the hash over every struct of the SDK        */
  uint32_t abi_major, abi_minor;
  const char *id;      /* "htp.dialect-tile"                                                   */
  const char *version; /* "0.1.0"                                                              */
  const htp_unit *units;
  uint32_t unit_count;
  uint32_t diag_count;
  const htp_diag_info *diagnostics;
} htp_entry;

/* The symbol. `extern const` data, no code runs to read it. */
#define HTP_ENTRY_SYMBOL "htp_plugin_entry"
extern HTP_EXPORT const htp_entry htp_plugin_entry;

HTP_END
#endif
