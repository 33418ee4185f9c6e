/* htp/host.h — what the host does for a plugin during a compile.
 *
 * Every callback of a plugin receives `const htp_host *host` and `htp_ctx *ctx`, and passes `ctx` back unchanged.
 * Plugins touch the world only through these functions (R16): what they read, run or ask is recorded with its
 * digest, so that a compile can be cached, replayed and reproduced.
 */
#ifndef HTP_HOST_H
#define HTP_HOST_H

#include "htp/ast.h"
#include "htp/diag.h"

HTP_BEGIN

struct htp_intrinsics;
struct htp_handlers;
struct htp_layout_facet;

/* One row of an analysis table; see analysis.h. */
typedef enum htp_value_type {
  HTP_VALUE_INT = 1,
  HTP_VALUE_FLOAT,
  HTP_VALUE_STR,
  HTP_VALUE_NODE,
  HTP_VALUE_LIST
} htp_value_type;
typedef struct htp_value {
  uint32_t type;  /* htp_value_type */
  uint32_t count; /* of items, for a list */
  union {
    int64_t i;
    double f;
    htp_str s;
    htp_node n;
    const struct htp_value *items;
  } u;
} htp_value;
typedef struct htp_row {
  htp_node key;
  htp_value value;
} htp_row;
typedef struct htp_table {
  const htp_row *rows;
  size_t count;
} htp_table; /* sorted by key */

/* How much a line of the log matters.                                                          Since 1.1. */
typedef enum htp_log_level {
  HTP_LOG_TRACE = 0,
  HTP_LOG_DEBUG,
  HTP_LOG_INFO,
  HTP_LOG_WARNING,
  HTP_LOG_ERROR
} htp_log_level;

/* A tool the host ran: its exit status and what it wrote, borrowed until the callback returns. */
typedef struct htp_tool_result {
  int exit_status;
  htp_str out, err;
} htp_tool_result;

struct htp_host {
  htp_head head;

  /* ── the tree ──────────────────────────────────────────────────────────────────────────────────────────── */

  /* The store of this compile. Plain data; re-read its pointers' counts after building.            [compile] */
  const htp_store *(*store)(htp_ctx *ctx);

  /* Makes a node. `slots` has kind's field_count entries in field order. `origin` is the node it stands for (0: none);
   * span and file are taken from it. Returns 0 and reports `pipeline.bad-node` when a slot is not of its type. */
  htp_node (*node)(htp_ctx *ctx, uint32_t kind, const uint32_t *slots, uint32_t slot_count, htp_node origin);
  /* A copy of `n` with other slots, keeping its span, its trivia and its literal form; origin is `n`. */
  htp_node (*with)(htp_ctx *ctx, htp_node n, const uint32_t *slots, uint32_t slot_count);
  /* Makes a list; an empty one is 0. */
  uint32_t (*list)(htp_ctx *ctx, const uint32_t *items, uint32_t count);
  /* Interns text (UTF-8; surrogates as surrogatepass). */
  uint32_t (*string)(htp_ctx *ctx, htp_str text);
  /* Interns a constant. For HTP_CONST_INT give the digits in `text` or, when empty, `i`. */
  uint32_t (*constant)(htp_ctx *ctx, uint32_t type, htp_str text, int64_t i, double f);
  /* Parses a Python expression or statements into the store: for annotations, snippets, tests. Nodes have no span;
   * returns an expression node, or a Module for statements. 0 and a diagnostic when it does not parse. */
  htp_node (*parse_expr)(htp_ctx *ctx, htp_str source, htp_node origin);
  htp_node (*parse_body)(htp_ctx *ctx, htp_str source, htp_node origin);
  /* The canonical source text of a node (no trivia, `ast.unparse`'s form). Borrowed until the callback returns.
   * Null and `pipeline.bad-node` when a tree that was built cannot be written as Python. */
  htp_str (*unparse)(htp_ctx *ctx, htp_node n);
  /* A name (string id) made from `stem` that does not occur in the program this callback was given and was not handed
   * out before in this callback: `stem`, else `stem_1`, `stem_2` … Deterministic. */
  uint32_t (*fresh)(htp_ctx *ctx, htp_str stem);
  /* Leading comment lines for a statement a pass made: `text` holds lines without `#`. Returns a node equal to `n`
   * with the comment. */
  htp_node (*comment)(htp_ctx *ctx, htp_node n, htp_str text);

  /* ── what this compile is about ────────────────────────────────────────────────────────────────────────── */

  /* The value of an option of the unit being called, from manifest defaults and the profile; as canonical text.
   * {null,0} when the unit declares no such option. */
  htp_str (*option)(htp_ctx *ctx, const char *name);
  htp_str (*target)(htp_ctx *ctx); /* the profile's target, e.g. the backend unit's name */
  htp_str (*entry)(htp_ctx *ctx);  /* the entry's function name in the module */
  /* A target fact from the backend's hardware model, by dotted path ("vector.f32.lanes"); of a branch ("levels") the
   * names below it, blank separated and sorted; {null,0} if absent. */
  htp_str (*hardware)(htp_ctx *ctx, const char *path);

  /* ── other extensions, through the host ────────────────────────────────────────────────────────────────── */

  /* The analysis table `id` of the tree at `root`, computed by its owner now or remembered. Null after reporting a
   * diagnostic. Borrowed until the callback returns. */
  const htp_table *(*analysis)(htp_ctx *ctx, const char *id, htp_node root);
  /* The intrinsic a dotted Python name stands for ("htp_tile.exp") or its own name ("tile.exp"); null if none.
   * `index` receives its row in the set. */
  const struct htp_intrinsics *(*intrinsic)(htp_ctx *ctx, htp_str name, uint32_t *index);
  /* The type of a call of that intrinsic, by the owner's typing rule: an annotation expression node. `types[k]` is
   * the annotation of argument k (positional, then keywords in the intrinsic's own order; 0 = absent or untyped
   * compile-time value). 0 after a diagnostic. */
  htp_node (*infer)(htp_ctx *ctx, htp_str intrinsic, htp_node call, const htp_node *types, uint32_t count);
  /* The handler set that rewrites `intrinsic` for `backend`; null if none is loaded. `index`: its row. */
  const struct htp_handlers *(*handler)(htp_ctx *ctx, htp_str intrinsic, htp_str backend, uint32_t *index);
  /* Whether `intrinsic` is in the target set of `backend`. */
  int (*in_target_set)(htp_ctx *ctx, htp_str intrinsic, htp_str backend);
  /* The layout facet whose constructor is `name`; null if none. */
  const struct htp_layout_facet *(*layout)(htp_ctx *ctx, htp_str name);
  /* The join of two layouts (annotation expressions) by their facets, directly or through the core algebra; 0
   * after a diagnostic that names both when they are incompatible. Either may be 0 (no layout). */
  htp_node (*layout_join)(htp_ctx *ctx, htp_node a, htp_node b, htp_node where);

  /* ── saying something ──────────────────────────────────────────────────────────────────────────────────── */

  /* Reports a diagnostic; everything is copied. See diag.h.                                                    */
  void (*diag)(htp_ctx *ctx, const htp_diagnostic *diagnostic);
  /* Progress of long work, 0..1, with a few words; may be called often. */
  void (*progress)(htp_ctx *ctx, double fraction, htp_str what);
  /* Non-zero when the compile should stop soon; return HTP_CANCELLED then.                              [any] */
  int (*cancelled)(htp_ctx *ctx);

  /* ── handing something over, and the world ─────────────────────────────────────────────────────────────── */

  /* A file of the package: `path` lies beneath codegen/<target>/, except that "build/…" is the package's own build
   * folder (the recipe); `role` says what it is ("source", "header", "recipe", "signature"). Copied. A path that is
   * absolute, has `..` or was given before is refused. */
  htp_status (*artifact)(htp_ctx *ctx, htp_str path, htp_str role, htp_str bytes);
  /* Reads a file (relative to the package when bound, to the program when compiling); recorded with its digest. */
  htp_status (*read_file)(htp_ctx *ctx, htp_str path, htp_str *bytes);
  /* Runs a tool: argv[0] by PATH, no shell, standard input from `input`; recorded. HTP_FAILED with a diagnostic
   * when it cannot be started; its own exit status is the caller's to judge. */
  htp_status (*run_tool)(htp_ctx *ctx, const htp_str *argv, uint32_t argc, htp_str directory, htp_str input,
                         htp_tool_result *result);
  /* A folder of the content cache for `key` (64 hex digits); the plugin may have files written there by tools.
   * `*fresh` is 1 when it is new (and empty): fill it, then call `cache_keep`; a folder never kept is removed. */
  htp_status (*cache_folder)(htp_ctx *ctx, htp_str key, htp_str *folder, int *fresh);
  htp_status (*cache_keep)(htp_ctx *ctx, htp_str key);
  /* SHA-256 of bytes, 64 hex digits, borrowed until the callback returns.                                      */
  htp_str (*sha256)(htp_ctx *ctx, htp_str bytes);
  /* Bytes from the compile's seeded generator (profile `seed`, default 0). */
  uint64_t (*random)(htp_ctx *ctx);
  /* A variable the profile lets through (`environment:`); {null,0} else. */
  htp_str (*environment)(htp_ctx *ctx, const char *name);

  /* ── since 1.1 ─────────────────────────────────────────────────────────────────────────────────────────── */

  /* A line of the log, under the unit's name: for who looks for how something came about (`htp-host --log-level`; from
   * HTP_LOG_INFO on also the package's logs/compile.log). Copied. What a user must know is a diagnostic. */
  void (*log)(htp_ctx *ctx, uint32_t level, htp_str text);
  /* Whether a line of that level goes anywhere: ask before what is costly to put in words. */
  int (*logs)(htp_ctx *ctx, uint32_t level);
  /* While a binding traces: an event as its sink takes it, with the statement that it belongs to; `at` is a node as
   * that of a diagnostic, 0 for none. Copied. */
  void (*event)(htp_ctx *ctx, htp_node at, htp_str name, htp_str track, double begin_us, double duration_us);
};

HTP_END
#endif
