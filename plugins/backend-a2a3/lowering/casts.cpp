// Other dtypes: conversions, which go from one to another by those that there are, and whole numbers of floats.
#include "lowering/lowering.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace htp::a2a3 {

namespace {

struct Cast {
  std::string_view from, to, mode;
};
// What one instruction converts. Integers of floats stop at the ends, narrower ones of integers wrap around.
constexpr Cast casts[] = {{"f16", "f32", "NONE"},   {"bf16", "f32", "NONE"}, {"f32", "f16", "RINT"},
                          {"f32", "bf16", "RINT"},  {"i32", "f32", "RINT"},  {"f32", "i32", "TRUNC"},
                          {"f32", "i16", "TRUNC"},  {"i16", "f32", "NONE"},  {"i16", "f16", "RINT"},
                          {"f16", "i32", "TRUNC"},  {"f16", "i16", "TRUNC"}, {"f16", "i8", "TRUNC"},
                          {"f16", "u8", "TRUNC"},   {"i8", "f16", "NONE"},   {"u8", "f16", "NONE"},
                          {"bf16", "i32", "TRUNC"}, {"i32", "i16", "NONE"}};
// The next dtype on the way from one to another; i32 to bf16 would be rounded twice.
constexpr Cast ways[] = {{"i8", "*", "f16"},    {"u8", "*", "f16"},   {"f32", "i8", "i16"}, {"f32", "u8", "i16"},
                         {"i16", "i8", "f16"},  {"i16", "u8", "f16"}, {"i32", "i8", "i16"}, {"i32", "u8", "i16"},
                         {"i32", "f16", "f32"}, {"bf16", "*", "f32"}, {"f16", "*", "f32"},  {"i16", "*", "f32"}};
struct Rounding {
  std::string_view rounding, mode;
};
constexpr Rounding roundings[] = {{"nearest", "RINT"}, {"toward_zero", "TRUNC"}, {"down", "FLOOR"}, {"up", "CEIL"}};

bool is_byte(std::string_view dtype) { return dtype == "i8" || dtype == "u8"; }
const Cast *find(std::span<const Cast> all, std::string_view from, std::string_view to) {
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Cast &k) { return k.from == from && (k.to == to || k.to == "*"); });
  return it == all.end() ? nullptr : &*it;
}

// The dtypes from one to another, without the first; none: there is no way.
std::vector<std::string_view> way(std::string_view from, std::string_view to) {
  std::vector<std::string_view> steps;
  while (from != to && steps.size() < 4) {
    const Cast *next = find(casts, from, to) ? nullptr : find(ways, from, to);
    if (!next && !find(casts, from, to)) return {};
    steps.push_back(from = next ? next->mode : to);
  }
  return from == to ? steps : std::vector<std::string_view>();
}

// What a program declares instead of integers that nothing converts.
std::string near(std::string_view dtype) { return dtype[0] == 'f' ? "f32" : dtype == "u16" ? "i16" : "i32"; }

} // namespace

void Lowering::cast() {
  const auto from = tile_of(arguments_[0]);
  if (!from) {
    fail();
    return;
  }
  std::string_view rounding, mode;
  if (arguments_.size() > 2 && arguments_[2]) c.string(arguments_[2], &rounding);
  for (const Rounding &r : roundings)
    if (r.rounding == rounding) mode = r.mode;
  const std::string_view to = type_.dtype;
  std::string dtype = from->dtype, now(c.name_of(arguments_[0]));
  if (dtype == to && calculates("tmov", to)) return instruction("tmov", {name(target_), copy(arguments_[0])});
  if (dtype == "bool_") {
    dtype = calculates("tsel", to) ? to : "f16"; // of 1 and 0
    const std::string one = temporary(target_, like(*from, dtype.c_str())),
                      chosen = dtype == to ? target_ : temporary(target_, like(*from, dtype.c_str()));
    instruction("texpands", {name(one), number(1)});
    const Node work = name(choosing());
    instruction("tsels", {name(chosen), copy(arguments_[0]), name(one), work, c.integer_node(0, origin_)});
    if (dtype == to) return;
    now = chosen;
  }
  if (is_byte(dtype) && is_byte(to) && dtype != to) { // by i16, where what does not fit wraps around
    for (const std::string_view step : {"f16", "i16"}) {
      const std::string made = temporary(target_, like(*from, std::string(step).c_str()));
      instruction("tcvt", {name(made), name(now), c.string_node(step == "f16" ? "NONE" : "TRUNC", origin_)});
      now = made, dtype = step;
    }
  }
  const bool whole = is_float(dtype) && !is_float(to), byte_product = dtype == "i8" && to == "i32";
  const auto steps = byte_product ? std::vector<std::string_view>{to} : way(dtype, to);
  const auto exact = [&] { return dtype_named(dtype)->bytes < dtype_named(to)->bytes; };
  if (steps.empty() || (!whole && !mode.empty() && mode != "RINT" && !exact())) {
    failed_ = true;
    if (!calculates("tload", dtype)) return; // which its load tells
    const std::string wanted(to);
    if (!steps.empty())
      refuse(Refusal(diag::rounding, dtype, to, rounding));
    else if (!way("f32", to).empty() && !way(dtype, "f32").empty())
      refuse(Refusal(diag::conversion, handler_.intrinsic, dtype, to)
                 .with("cast in two steps: `cast(cast(x, f32), " + wanted + ")`"));
    else
      refuse(Refusal(diag::conversion, handler_.intrinsic, dtype, to)
                 .with(way("f32", to).empty() && to != "f32"
                           ? "cast to `" + near(to) + "`, and declare what it is stored to so: nothing converts to " +
                                 wanted
                           : "declare it `" + near(dtype) + "`, and convert arrays before the call: nothing converts " +
                                 dtype));
    return;
  }
  if (!is_float(dtype) && !is_float(to) && dtype_named(to)->bytes < dtype_named(dtype)->bytes)
    now = wrapped(now, like(*from, dtype.c_str()), to);
  bool rounded = !is_float(from->dtype); // is what is whole already
  for (size_t k = 0; k < steps.size(); ++k) {
    const std::string made =
        k + 1 == steps.size() ? target_ : temporary(target_, like(*from, std::string(steps[k]).c_str()));
    const Cast *direct = find(casts, dtype, steps[k]);
    std::string_view by = direct ? direct->mode : "NONE";
    if (is_float(dtype) && !is_float(steps[k])) {
      by = rounded ? "RINT" : mode.empty() ? by : mode;
      rounded = true;
    }
    instruction("tcvt", {name(made), name(now), c.string_node(by, origin_)});
    now = made, dtype = steps[k];
  }
}

// Integers as a narrower dtype has them: what does not fit wraps around.
std::string Lowering::wrapped(const std::string &from, const Type &type, std::string_view to) {
  const std::string fits = temporary(target_, like(type, type.dtype.c_str()));
  const int64_t width = static_cast<int64_t>(dtype_named(type.dtype)->bytes) * 8,
                bits = static_cast<int64_t>(dtype_named(to)->bytes) * 8;
  if (to[0] == 'u') {
    instruction("tands", {name(fits), name(from), c.integer_node((int64_t{1} << bits) - 1, origin_)});
  } else {
    instruction("tshls", {name(fits), name(from), c.integer_node(width - bits, origin_)});
    instruction("tshrs", {name(fits), name(fits), c.integer_node(width - bits, origin_)});
  }
  return fits;
}

// Whole numbers: below 2 ** 23, the i32 that the element is rounded to, with its sign also where that is 0. From 2 **
// 23 on all are whole; these, and what is no number, stay.
void Lowering::round_off() {
  const Node x = arguments_[0];
  const Type mask = like(type_, "bool_");
  const std::string n = temporary(target_, like(type_, "i32")), whole = temporary(target_, type_),
                    below = temporary(target_, type_), other = temporary(target_, type_),
                    value = temporary(target_, type_), small = temporary(target_, mask),
                    negative = temporary(target_, mask);
  const auto string = [&](std::string_view text) { return c.string_node(text, origin_); };
  instruction("tabs", {name(value), copy(x)}); // x itself is asked: i32 has no such numbers as large ones
  instruction("tcmps", {name(small), name(value), number(8388608), string("LT")});
  instruction("tcvt", {name(n), copy(x), string(instruction_)});
  instruction("tcvt", {name(whole), name(n), string("RINT")});
  instruction("tabs", {name(whole), name(whole)});
  instruction("tneg", {name(below), name(whole)});
  instruction("trecip", {name(other), copy(x)}); // -0 is below 0 as this is
  instruction("tcmps", {name(negative), name(other), number(0), string("LT")});
  instruction("tsel", {name(value), name(negative), name(below), name(whole), name(choosing())});
  instruction("tsel", {name(target_), name(small), name(value), copy(x), name(choosing())});
}

std::string Lowering::dtype_hint(std::string_view dtype) {
  if (dtype == "f64") return "declare it `f32`, and convert arrays before the call: these cores have no f64";
  if (dtype.starts_with("f8"))
    return "declare it `f16` or `i8`, and convert arrays before the call: these cores have no 8-bit floats";
  if (dtype == "i64" || dtype == "u64" || dtype == "u32") return "declare it `i32`, which these cores calculate with";
  if (dtype == "u16") return "declare it `i16`, which these cores calculate with";
  if (dtype == "bool_") return "declare it `i32`, and compare: `x != 0`";
  return "calculate in f32: `cast(x, f32)`, and cast the result back";
}

} // namespace htp::a2a3
