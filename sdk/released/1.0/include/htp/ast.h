/* htp/ast.h — the tree as plain data: CPython's grammar in an append-only store.
 *
 * A node is a uint32 id into a store. A stage is {store, root}. Nodes are never changed after they are made, only
 * added (through the host's builder functions in host.h), so an id stays valid for the life of the store and two
 * stages that share an id share that subtree untouched. Within one stage a node has one parent. Ids never leave
 * the process: files name a node `NN:k` (stage, preorder).
 *
 * Reading needs no call: records, slots, strings and constants are arrays whose addresses never move while the
 * store lives; their counts grow. Strides are read from the store, so records may grow in later minor versions.
 * A kind that a plugin does not know (from a newer Python) is opaque: its slots are described by `kinds` all the
 * same.                                                                                                   [compile]
 */
#ifndef HTP_AST_H
#define HTP_AST_H

#include "htp/abi.h"

HTP_BEGIN

/* Node kinds: HTP_While, HTP_Call … numbered by nodes.def. */
enum htp_kind {
  HTP_KIND_NONE = 0,
#define HTP_NODE(number, name, group, fields) HTP_##name = number,
#include "htp/nodes.def"
#include "htp/nodes_end.def"
  HTP_KIND_LIMIT = 143
};

/* A kind's slots under their field names: HTP_FIELDS(While, store, n)->test. `past` only keeps a struct without
 * fields legal C and is never read. */
#define NODE(f) uint32_t f;
#define OPT(f) uint32_t f;
#define LIST(f) uint32_t f;
#define LISTN(f) uint32_t f;
#define STR(f) uint32_t f;
#define STRN(f) uint32_t f;
#define STRS(f) uint32_t f;
#define INT(f) uint32_t f;
#define OP(f) uint32_t f;
#define OPS(f) uint32_t f;
#define CTX(f) uint32_t f;
#define CONST(f) uint32_t f;
#define SINCE(minor, field) field
#define HTP_NODE(number, name, group, fields)                                                                          \
  typedef struct htp_fields_##name {                                                                                   \
    fields uint32_t past;                                                                                              \
  } htp_fields_##name;
#include "htp/nodes.def"
#include "htp/nodes_end.def"

#define HTP_FIELDS(Kind, store, n)                                                                                     \
  ((const htp_fields_##Kind *)(const void *)((store)->slots + htp_at((store), (n))->slots))
/* The slot number of a field, for the builder functions of host.h. */
#define HTP_FIELD(Kind, field) ((unsigned)(offsetof(htp_fields_##Kind, field) / sizeof(uint32_t)))

typedef enum htp_group {
  HTP_GROUP_MOD = 1,
  HTP_GROUP_STMT,
  HTP_GROUP_EXPR,
  HTP_GROUP_PATTERN,
  HTP_GROUP_TYPEPARAM,
  HTP_GROUP_OTHER
} htp_group;

/* What a slot holds. */
typedef enum htp_field_type {
  HTP_FIELD_NODE = 1, /* a node id                                                                      */
  HTP_FIELD_OPT,      /* a node id or 0                                                                 */
  HTP_FIELD_LIST,     /* a list id (0 = empty) of node ids                                              */
  HTP_FIELD_LISTN,    /* a list id of node ids, 0 among them meaning None                               */
  HTP_FIELD_STR,      /* a string id                                                                    */
  HTP_FIELD_STRN,     /* a string id or 0 (None)                                                        */
  HTP_FIELD_STRS,     /* a list id of string ids                                                        */
  HTP_FIELD_INT,      /* an int32                                                                       */
  HTP_FIELD_OP,       /* an htp_op                                                                      */
  HTP_FIELD_OPS,      /* a list id of htp_op                                                            */
  HTP_FIELD_CTX,      /* an htp_expr_ctx                                                                */
  HTP_FIELD_CONST     /* a constant id                                                                  */
} htp_field_type;

typedef enum htp_expr_ctx { HTP_LOAD = 1, HTP_STORE = 2, HTP_DEL = 3 } htp_expr_ctx;

typedef enum htp_op {
  HTP_And = 1,
  HTP_Or,
  HTP_Add = 10,
  HTP_Sub,
  HTP_Mult,
  HTP_MatMult,
  HTP_Div,
  HTP_Mod,
  HTP_Pow,
  HTP_LShift,
  HTP_RShift,
  HTP_BitOr,
  HTP_BitXor,
  HTP_BitAnd,
  HTP_FloorDiv,
  HTP_Invert = 30,
  HTP_Not,
  HTP_UAdd,
  HTP_USub,
  HTP_Eq = 40,
  HTP_NotEq,
  HTP_Lt,
  HTP_LtE,
  HTP_Gt,
  HTP_GtE,
  HTP_Is,
  HTP_IsNot,
  HTP_In,
  HTP_NotIn
} htp_op;

/* One node. Lines are 1-based, columns 0-based UTF-8 byte offsets, both as CPython gives them; all four are 0 for
 * a node that no source text stands for. */
typedef struct htp_record {
  uint16_t kind;  /* enum htp_kind                                                                  */
  uint16_t file;  /* index into the store's files; 0 = made by a pass                               */
  uint32_t slots; /* index of the node's first slot in htp_store.slots                              */
  uint32_t line, col, end_line, end_col;
  uint32_t origin; /* the node this one was made from; 0 when it was parsed                          */
  uint32_t note;   /* for a statement, ExceptHandler, match_case or Module: index into htp_store.trivia; for Constant
                      and JoinedStr: string id of the literal as written; 0 = none                   */
} htp_record;

typedef enum htp_const_type {
  HTP_CONST_NONE = 1,
  HTP_CONST_TRUE,
  HTP_CONST_FALSE,
  HTP_CONST_ELLIPSIS,
  HTP_CONST_INT,     /* `text` holds the decimal digits (never negative); `i` its value when it fits, else -1 */
  HTP_CONST_FLOAT,   /* `f`                                                                            */
  HTP_CONST_COMPLEX, /* `f` is the imaginary part; literals have no real part                          */
  HTP_CONST_STR,     /* `text`, UTF-8 with surrogatepass                                               */
  HTP_CONST_BYTES    /* `text`, raw                                                                    */
} htp_const_type;

typedef struct htp_const {
  uint32_t type; /* htp_const_type                                                                 */
  uint32_t text; /* string id or 0                                                                 */
  union {
    int64_t i;
    double f;
  } u;
} htp_const;

typedef struct htp_string {
  uint32_t offset, size;
} htp_string;

/* Comments and blank lines kept with a statement, an `except` or `case` clause, or the module. Each list id holds
 * string ids, one a line, with the leading `#` and without indentation; the empty string is a blank line. An `else:`
 * or `finally:` line has trivia of its own, which its statement's refers to. */
typedef struct htp_trivia {
  uint32_t leading;   /* list id: the lines before it                                                   */
  uint32_t inner;     /* list id: the lines at the end of its own block (the first, of a statement with
                         more than one)                                                                 */
  uint32_t trailing;  /* string id or 0: the comment on the line where it, or its header, ends          */
  uint32_t orelse;    /* index into htp_store.trivia for its `else:` line and block; 0 = none           */
  uint32_t finalbody; /* the same for `finally:`                                                        */
} htp_trivia;

typedef struct htp_field_info {
  const char *name;
  uint8_t type;  /* htp_field_type                                                                 */
  uint8_t since; /* Python 3.since has it; 0 = all                                                 */
} htp_field_info;

/* How a kind's children follow one another in the source. */
typedef enum htp_order {
  HTP_ORDER_FIELDS = 0, /* as the fields stand                                                          */
  HTP_ORDER_SPANS = 1   /* by position: Dict, arguments, Call, IfExp, decorated definitions …           */
} htp_order;

typedef struct htp_kind_info {
  const char *name; /* CPython's name; null when the number is unused                                 */
  uint8_t group;    /* htp_group                                                                      */
  uint8_t field_count;
  uint8_t order; /* htp_order                                                                      */
  uint8_t reserved;
  const htp_field_info *fields;
} htp_kind_info;

typedef struct htp_file_info {
  htp_str path; /* as the user named it; for messages only                                        */
  htp_str text; /* its whole text, UTF-8, newlines normalised                                     */
} htp_file_info;

struct htp_store {
  htp_head head;
  const void *records; /* htp_record at records + id * record_stride; id 0 is never a node         */
  uint32_t record_stride;
  uint32_t record_count; /* ids below this exist                                                     */
  const uint32_t *slots;
  const htp_const *consts;
  const htp_string *strings;
  const char *bytes; /* strings' text                                                            */
  const htp_trivia *trivia;
  const htp_file_info *files;
  uint32_t file_count;
  uint32_t kind_count; /* kinds[k] for k < kind_count                                              */
  const htp_kind_info *kinds;
};

/* ── reading ─────────────────────────────────────────────────────────────────────────────────────────────── */

static inline const htp_record *htp_at(const htp_store *s, htp_node n) {
  return (const htp_record *)((const char *)s->records + (size_t)n * s->record_stride);
}
static inline uint16_t htp_kind_of(const htp_store *s, htp_node n) { return n ? htp_at(s, n)->kind : 0; }

/* The slot `field` (HTP_While_test …) of a node, raw. */
static inline uint32_t htp_slot(const htp_store *s, htp_node n, unsigned field) {
  return s->slots[htp_at(s, n)->slots + field];
}
/* A list: its length, and its items. List 0 is empty. */
static inline uint32_t htp_list_size(const htp_store *s, uint32_t list) { return list ? s->slots[list] : 0; }
static inline const uint32_t *htp_list_items(const htp_store *s, uint32_t list) { return s->slots + list + 1; }

static inline htp_str htp_text(const htp_store *s, uint32_t string) {
  htp_str r;
  r.data = s->bytes + s->strings[string].offset;
  r.size = s->strings[string].size;
  return r;
}

HTP_END
#endif
