// Integers: shifts and bits, and division by powers of two, which has no instruction.
#include "lowering/lowering.h"

#include <bit>

namespace htp::a2a3 {

namespace {
int64_t bits_of(std::string_view dtype) { return dtype_named(dtype) ? dtype_named(dtype)->bytes * 8 : 0; }
} // namespace

std::optional<int64_t> Lowering::whole_number(Node n) const {
  int64_t value = 0;
  return n && c.integer(n, &value) ? std::optional(value) : std::nullopt;
}

void Lowering::bits() {
  const bool one = instruction_ == "tnot";
  Node a = arguments_[0], b = one ? HTP_NONE : arguments_[1];
  if (!one && !tile_of(a)) std::swap(a, b);
  const auto left = tile_of(a), right = tile_of(b);
  if (!left) {
    fail();
    return;
  }
  const std::string w(instruction_);
  const auto scratch = [&] { return temporary(target_, type_); };
  if (one) {
    instruction(w, {name(target_), whole(a, type_)});
  } else if (!right && type_.dtype == "bool_") {
    refuse(Refusal(diag::mask_number, handler_.intrinsic, c.show(b)));
  } else if (!right) {
    std::vector<uint32_t> operands{name(target_), whole(a, type_), copy(b)};
    if (w == "txor") operands.push_back(name(scratch()));
    instruction(w + "s", std::move(operands));
  } else if (type_.dtype == "bool_" && w == "txor") { // one of them, and not both
    const std::string both = scratch(), either = scratch();
    const Node p = whole(a, type_), q = whole(b, type_);
    instruction("tand", {name(both), p, q});
    instruction("tnot", {name(both), name(both)});
    instruction("tor", {name(either), copy(p), copy(q)});
    instruction("tand", {name(target_), name(either), name(both)});
  } else {
    std::vector<uint32_t> operands{name(target_), whole(a, type_), whole(b, type_)};
    if (w == "txor") operands.push_back(name(scratch()));
    instruction(w, std::move(operands));
  }
}

// By a number of places within the dtype, or by a tile of them.
void Lowering::shift() {
  const auto left = tile_of(arguments_[0]), right = tile_of(arguments_[1]);
  const std::string w(instruction_);
  if (!left) {
    refuse(Refusal(diag::shifted_number, handler_.intrinsic, c.show(arguments_[0])));
    return;
  }
  if (right) return instruction(w, {name(target_), whole(arguments_[0], type_), whole(arguments_[1], type_)});
  const auto places = whole_number(arguments_[1]);
  const int64_t width = bits_of(type_.dtype);
  if (!places) {
    refuse(Refusal(diag::shift_count, handler_.intrinsic, c.show(arguments_[1])));
    return;
  }
  if (*places >= 0 && *places < width)
    return instruction(w + "s", {name(target_), copy(arguments_[0]), c.integer_node(*places, origin_)});
  if (w == "tshl" || type_.dtype[0] == 'u') return instruction("texpands", {name(target_), c.integer_node(0, origin_)});
  instruction(w + "s", {name(target_), copy(arguments_[0]), c.integer_node(width - 1, origin_)});
}

// Of i32 by a power of two: a shift, and what it loses.
void Lowering::divide() {
  const auto left = tile_of(arguments_[0]);
  const auto by = whole_number(arguments_[1]);
  const bool down = instruction_ == "floordiv" || instruction_ == "mod",
             rest = instruction_ == "mod" || instruction_ == "rem";
  if (!left || !by || *by < 1 || *by > INT32_MAX || !std::has_single_bit(static_cast<uint64_t>(*by))) {
    const std::string divisor = by                       ? std::to_string(*by) + ".0"
                                : tile_of(arguments_[1]) ? "cast(d, f32)"
                                                         : c.show(arguments_[1]);
    const std::string quotient =
        std::string("cast(") + (down ? "floor" : "trunc") + "(cast(x, f32) / " + divisor + "), i32)";
    refuse(Refusal(diag::division, c.show(arguments_[1]))
               .with("divide floats, below 2 ** 24 exactly: `" +
                     (rest ? "x - " + quotient + " * " +
                                 (by                       ? std::to_string(*by)
                                  : tile_of(arguments_[1]) ? "d"
                                                           : divisor)
                           : quotient) +
                     "`"));
    return;
  }
  const Node x = arguments_[0];
  const auto n = [&](int64_t k) { return c.integer_node(k, origin_); };
  const auto with = [&](std::string_view instruction_name, const Node &a, const Node &b) {
    std::string to = temporary(target_, type_);
    instruction(instruction_name, {name(to), a, b});
    return to;
  };
  std::string up; // x, rounded up by one less than the number where it is below 0
  if (!down) {
    const std::string sign = with("tshrs", copy(x), n(31)), more = with("tands", name(sign), n(*by - 1));
    up = with("tadd", name(more), copy(x));
  }
  const int places = std::countr_zero(static_cast<uint64_t>(*by));
  if (!rest) return instruction("tshrs", {name(target_), down ? copy(x) : name(up), n(places)});
  if (down) return instruction("tands", {name(target_), copy(x), n(*by - 1)});
  const std::string quotient = with("tshrs", name(up), n(places)), product = with("tmuls", name(quotient), n(*by));
  instruction("tsub", {name(target_), copy(x), name(product)});
}

} // namespace htp::a2a3
