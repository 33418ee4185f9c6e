// host/ast/kinds.h — the node table at run time, generated from sdk/include/htp/nodes.def.
#pragma once

#include <htp/ast.h>

#include <span>
#include <string_view>

namespace htp {

// Rows by number, HTP_KIND_LIMIT of them; unused numbers have no name.
const htp_kind_info *kind_table();

inline const htp_kind_info &kind_info(uint32_t kind) { return kind_table()[kind < HTP_KIND_LIMIT ? kind : 0]; }
inline std::span<const htp_field_info> kind_fields(uint32_t kind) {
  const htp_kind_info &info = kind_info(kind);
  return {info.fields, info.field_count};
}
// The kind of that name in CPython's grammar; 0 if there is none.
uint16_t kind_named(std::string_view name);

// CPython's class name of an operator ("Add") and back; empty, 0 if there is none.
std::string_view op_name(uint32_t op);
uint32_t op_named(std::string_view name);

// Whether a node of kind `child` may stand in slot `field` of a node of kind `parent`, as CPython's grammar has it.
bool kind_accepts(uint32_t parent, unsigned field, uint32_t child);

// Whether operator `op` may stand in an OP or OPS slot of `kind`: And in BoolOp, Add in BinOp, Lt in Compare …
bool kind_accepts_op(uint32_t kind, uint32_t op);

} // namespace htp
