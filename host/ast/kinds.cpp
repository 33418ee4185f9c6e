#include "host/ast/kinds.h"

#include <array>
#include <cstring>

namespace htp {

namespace {

constexpr unsigned MaxFields = 8;

struct FieldList {
  std::array<htp_field_info, MaxFields> rows{};
  uint8_t count = 0, pending_since = 0;

  constexpr FieldList add(const char *name, htp_field_type type) const {
    FieldList next = *this;
    next.rows[next.count++] = {name, static_cast<uint8_t>(type), pending_since};
    next.pending_since = 0;
    return next;
  }
  constexpr FieldList since(uint8_t minor) const {
    FieldList next = *this;
    next.pending_since = minor;
    return next;
  }
};

constexpr auto FieldLists = [] {
  std::array<FieldList, HTP_KIND_LIMIT> all{};
#define NODE(f) .add(#f, HTP_FIELD_NODE)
#define OPT(f) .add(#f, HTP_FIELD_OPT)
#define LIST(f) .add(#f, HTP_FIELD_LIST)
#define LISTN(f) .add(#f, HTP_FIELD_LISTN)
#define STR(f) .add(#f, HTP_FIELD_STR)
#define STRN(f) .add(#f, HTP_FIELD_STRN)
#define STRS(f) .add(#f, HTP_FIELD_STRS)
#define INT(f) .add(#f, HTP_FIELD_INT)
#define OP(f) .add(#f, HTP_FIELD_OP)
#define OPS(f) .add(#f, HTP_FIELD_OPS)
#define CTX(f) .add(#f, HTP_FIELD_CTX)
#define CONST(f) .add(#f, HTP_FIELD_CONST)
#define SINCE(minor, field) .since(minor) field
#define HTP_NODE(number, name, group, fields) all[number] = FieldList() fields;
#include <htp/nodes.def>
#include <htp/nodes_end.def>
  return all;
}();

// Kinds whose fields do not stand in the order of the source.
constexpr uint8_t order_of(uint32_t kind) {
  switch (kind) {
  case HTP_FunctionDef:
  case HTP_AsyncFunctionDef:
  case HTP_ClassDef:
  case HTP_Dict:
  case HTP_IfExp:
  case HTP_Call:
  case HTP_arguments:
  case HTP_MatchMapping: return HTP_ORDER_SPANS;
  default: return HTP_ORDER_FIELDS;
  }
}

constexpr auto Kinds = [] {
  std::array<htp_kind_info, HTP_KIND_LIMIT> all{};
#define HTP_NODE(number, name, group, fields)                                                                          \
  all[number] = {                                                                                                      \
      #name, HTP_GROUP_##group, FieldLists[number].count, order_of(number), 0, FieldLists[number].rows.data()};
#include <htp/nodes.def>
#include <htp/nodes_end.def>
  return all;
}();

// What stands in a slot of nodes: one kind (0: any of the group).
struct Accepts {
  uint8_t group = 0, kind = 0;
};

constexpr bool is(const char *a, std::string_view b) { return std::string_view(a) == b; }

constexpr Accepts accepts_of(uint32_t kind, const htp_field_info &field) {
  constexpr auto only = [](uint8_t k) { return Accepts{HTP_GROUP_OTHER, k}; };
  constexpr Accepts expr{HTP_GROUP_EXPR, 0}, stmt{HTP_GROUP_STMT, 0}, pattern{HTP_GROUP_PATTERN, 0};
  const bool list = field.type == HTP_FIELD_LIST;
  const char *name = field.name;
  if (list && (is(name, "body") || is(name, "orelse") || is(name, "finalbody"))) return stmt;
  if (is(name, "type_ignores")) return only(HTP_TypeIgnore);
  if (is(name, "type_params")) return {HTP_GROUP_TYPEPARAM, 0};
  if (is(name, "handlers")) return only(HTP_ExceptHandler);
  if (is(name, "keywords")) return only(HTP_keyword);
  if (is(name, "generators")) return only(HTP_comprehension);
  if (is(name, "items")) return only(HTP_withitem);
  if (is(name, "cases")) return only(HTP_match_case);
  if (list && is(name, "names")) return only(HTP_alias);
  if (is(name, "pattern") || is(name, "patterns") || is(name, "kwd_patterns")) return pattern;
  if (kind == HTP_arguments && !is(name, "kw_defaults") && !is(name, "defaults")) return only(HTP_arg);
  if (is(name, "args") && !list) return only(HTP_arguments);
  return expr;
}

constexpr auto AcceptsTable = [] {
  std::array<std::array<Accepts, MaxFields>, HTP_KIND_LIMIT> all{};
  for (uint32_t kind = 0; kind < HTP_KIND_LIMIT; ++kind)
    for (unsigned f = 0; f < FieldLists[kind].count; ++f) {
      const uint8_t type = FieldLists[kind].rows[f].type;
      if (type == HTP_FIELD_NODE || type == HTP_FIELD_OPT || type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN)
        all[kind][f] = accepts_of(kind, FieldLists[kind].rows[f]);
    }
  return all;
}();

constexpr auto OpNames = [] {
  std::array<std::string_view, HTP_NotIn + 1> names{};
#define HTP_OP_NAME(op) names[HTP_##op] = #op;
  // clang-format off
  HTP_OP_NAME(And)
  HTP_OP_NAME(Or)
  HTP_OP_NAME(Add) HTP_OP_NAME(Sub) HTP_OP_NAME(Mult) HTP_OP_NAME(MatMult) HTP_OP_NAME(Div) HTP_OP_NAME(Mod)
      HTP_OP_NAME(Pow) HTP_OP_NAME(LShift) HTP_OP_NAME(RShift) HTP_OP_NAME(BitOr) HTP_OP_NAME(BitXor)
          HTP_OP_NAME(BitAnd) HTP_OP_NAME(FloorDiv) HTP_OP_NAME(Invert) HTP_OP_NAME(Not) HTP_OP_NAME(UAdd)
              HTP_OP_NAME(USub) HTP_OP_NAME(Eq) HTP_OP_NAME(NotEq) HTP_OP_NAME(Lt) HTP_OP_NAME(LtE) HTP_OP_NAME(Gt)
                  HTP_OP_NAME(GtE) HTP_OP_NAME(Is) HTP_OP_NAME(IsNot) HTP_OP_NAME(In) HTP_OP_NAME(NotIn)
  // clang-format on
#undef HTP_OP_NAME
                      return names;
}();

} // namespace

const htp_kind_info *kind_table() { return Kinds.data(); }

uint16_t kind_named(std::string_view name) {
  for (uint16_t kind = 1; kind < HTP_KIND_LIMIT; ++kind)
    if (Kinds[kind].name && name == Kinds[kind].name) return kind;
  return 0;
}

std::string_view op_name(uint32_t op) { return op < OpNames.size() ? OpNames[op] : std::string_view(); }

uint32_t op_named(std::string_view name) {
  for (uint32_t op = 1; op < OpNames.size(); ++op)
    if (OpNames[op] == name && !name.empty()) return op;
  return 0;
}

bool kind_accepts(uint32_t parent, unsigned field, uint32_t child) {
  if (parent >= HTP_KIND_LIMIT || field >= MaxFields) return false;
  const Accepts accepts = AcceptsTable[parent][field];
  return accepts.group != 0 && kind_info(child).group == accepts.group && (accepts.kind == 0 || accepts.kind == child);
}

bool kind_accepts_op(uint32_t kind, uint32_t op) {
  if (op_name(op).empty()) return false;
  switch (kind) {
  case HTP_BoolOp: return op <= HTP_Or;
  case HTP_BinOp:
  case HTP_AugAssign: return op >= HTP_Add && op <= HTP_FloorDiv;
  case HTP_UnaryOp: return op >= HTP_Invert && op <= HTP_USub;
  case HTP_Compare: return op >= HTP_Eq;
  default: return false;
  }
}

} // namespace htp
