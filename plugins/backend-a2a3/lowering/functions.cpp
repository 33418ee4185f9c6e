// Functions that have no instruction of their own, in those that there are: the SDK's decompositions.
#include "lowering/lowering.h"

#include <charconv>
#include <cmath>

namespace htp::a2a3 {

namespace {

using sdk::decompose::Basic;

std::string_view name_of_basic(Basic basic) {
  switch (basic) {
  case Basic::absolute: return "abs";
  case Basic::add: return "add";
  case Basic::div: return "div";
  case Basic::eq: return "EQ";
  case Basic::exp: return "exp";
  case Basic::log: return "log";
  case Basic::lt: return "LT";
  case Basic::maximum: return "max";
  case Basic::minimum: return "min";
  case Basic::mul: return "mul";
  case Basic::ne: return "NE";
  case Basic::neg: return "neg";
  case Basic::reciprocal: return "recip";
  case Basic::rsqrt: return "rsqrt";
  case Basic::sqrt: return "sqrt";
  case Basic::sub: return "sub";
  case Basic::where: return "sel";
  case Basic::whole: return "RINT";
  }
  return {};
}

} // namespace

void Lowering::decomposed(const sdk::decompose::Steps &steps) {
  if (steps.empty()) return instruction("tmov", {name(target_), copy(arguments_[0])});
  const sdk::decompose::Buffers buffers = buffers_of(steps, [](Basic b) { return b == Basic::reciprocal; });
  std::vector<std::string> tiles;
  for (size_t b = 0; b < buffers.masks.size(); ++b)
    tiles.push_back(b == buffers.of.back() ? target_
                                           : temporary(target_, buffers.masks[b] ? like(type_, "bool_") : type_));
  const auto is_number = [](const sdk::decompose::Operand &o) {
    return o.kind == sdk::decompose::Operand::Kind::number;
  };
  const auto operand = [&](const sdk::decompose::Operand &o) -> Node {
    if (o.kind == sdk::decompose::Operand::Kind::step) return name(tiles[buffers.of[o.step]]);
    if (!is_number(o)) return copy(arguments_[0]);
    if (std::isinf(o.number)) return c.parse(o.number < 0 ? "float('-inf')" : "float('inf')", origin_);
    return number(o.number);
  };
  std::string count; // i32, which whole numbers go by
  for (size_t k = 0; k < steps.size(); ++k) {
    const Basic basic = steps[k].basic;
    const std::string to = tiles[buffers.of[k]], text(name_of_basic(basic));
    const auto &of = steps[k].of;
    if (basic == Basic::whole) {
      if (count.empty()) count = temporary(target_, like(type_, "i32"));
      instruction("tcvt", {name(count), operand(of[0]), c.string_node(text, origin_)});
      instruction("tcvt", {name(to), name(count), c.string_node(text, origin_)});
    } else if (basic == Basic::where) {
      const bool by_number = is_number(of[2]);
      const Node a = is_number(of[1]) ? whole(operand(of[1]), type_) : operand(of[1]), b = operand(of[2]),
                 work = name(choosing());
      if (by_number)
        instruction("tsels", {name(to), operand(of[0]), a, work, b});
      else
        instruction("tsel", {name(to), operand(of[0]), a, b, work});
    } else if (makes_mask(basic)) {
      instruction(is_number(of[1]) ? "tcmps" : "tcmp",
                  {name(to), operand(of[0]), operand(of[1]), c.string_node(text, origin_)});
    } else if (of.size() == 1) {
      instruction("t" + text, {name(to), operand(of[0])});
    } else if (is_number(of[0]) && basic == Basic::sub) { // n - x is -x + n
      instruction("tneg", {name(to), operand(of[1])});
      instruction("tadds", {name(to), name(to), operand(of[0])});
    } else if (is_number(of[0]) && basic != Basic::div) {
      instruction("t" + text + "s", {name(to), operand(of[1]), operand(of[0])});
    } else {
      const bool by_number = is_number(of[0]) || is_number(of[1]);
      instruction("t" + text + (by_number ? "s" : ""), {name(to), operand(of[0]), operand(of[1])});
    }
  }
}

void Lowering::decomposed(sdk::decompose::Function f) { decomposed(sdk::decompose::of(f).steps); }

void Lowering::power() {
  const auto base = tile_of(arguments_[0]);
  const std::string exponent = arguments_[1] ? c.show(arguments_[1]) : std::string();
  double real = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), real);
  const bool known = !exponent.empty() && exponent.find_first_not_of("0123456789.-") == std::string::npos;
  if (!base || !known) {
    refuse(Refusal(diag::power, exponent));
  } else if (const auto found = sdk::decompose::power(real)) {
    decomposed(found->steps);
  } else {
    refuse(Refusal(diag::power, exponent).with("where the base is above 0: `exp(log(x) * " + exponent + ")`"));
  }
}

} // namespace htp::a2a3
