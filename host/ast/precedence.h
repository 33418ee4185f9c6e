// host/ast/precedence.h — how tightly an expression binds: what decides where parentheses stand.
#pragma once

#include <htp/ast.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace htp {

enum class Precedence : uint8_t {
  named = 1, // x := y
  tuple,     // x, y
  yield,     // yield, yield from
  test,      // if-else, lambda; what most contexts ask for
  or_,
  and_,
  not_,
  cmp, // < > == in is …
  bor,
  bxor,
  band,
  shift,
  arith,
  term,
  factor, // unary + - ~
  power,
  await_,
  atom
};

constexpr Precedence tighter(Precedence p) {
  return p == Precedence::atom ? p : static_cast<Precedence>(static_cast<uint8_t>(p) + 1);
}

struct Operator {
  std::string_view text; // with the blanks around it
  Precedence level = Precedence::atom;
};

inline constexpr auto OperatorTable = [] {
  std::array<Operator, HTP_NotIn + 1> table{};
#define HTP_OPERATOR(op, text, level) table[HTP_##op] = {text, Precedence::level};
#include "host/ast/precedence.def"
  return table;
}();

// A number that is no operator is written as nothing.
constexpr const Operator &operator_row(uint32_t op) { return OperatorTable[op < OperatorTable.size() ? op : 0]; }

} // namespace htp
