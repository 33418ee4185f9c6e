// plugins/backend-a2a3/analyses/operands.h — what operands.def says, as tables.
#pragma once

#include <string_view>

namespace htp::a2a3 {

struct Class {
  std::string_view name, dtypes;
};
inline constexpr Class classes[] = {
#define CLASS(name, dtypes) {name, " " dtypes " "},
#include "analyses/operands.def"
};
inline constexpr Class conversions[] = {
#define CONVERSION(dtype, to) {dtype, " " to " "},
#include "analyses/operands.def"
};
inline constexpr std::string_view apart_instructions[] = {
#define APART(instruction) instruction,
#include "analyses/operands.def"
};
// The modes of an instruction, each between blanks; empty where it takes none.
constexpr std::string_view modes_of(std::string_view name) {
#define MODE(instruction, modes)                                                                                       \
  if (name == instruction) return " " modes " ";
#include "analyses/operands.def"
  return {};
}
// Rules whose results have another shape than what they are made of, or other places in it.
inline constexpr std::string_view apart_rules[] = {"convert", "compare", "rows",      "columns", "turn",
                                                   "places",  "blocks",  "scattered", "sorted",  "beside"};

} // namespace htp::a2a3
