// Operands of different dtypes: what is reported of them, and which of them a fix-it casts without changing its value.
#include "rules/rules.h"

#include "language/check.h"

#include <initializer_list>

namespace htp::tile {
namespace {

int bits_of(std::string_view dtype) {
  const size_t digits = dtype.find_first_of("0123456789");
  return digits == std::string_view::npos ? 0 : std::stoi(std::string(dtype.substr(digits)));
}

bool is_unsigned(std::string_view dtype) { return dtype.starts_with("u"); }

// How many bits of an integer a float has.
int digits_of(std::string_view dtype) {
  return dtype == "f64" ? 53 : dtype == "f32" ? 24 : dtype == "f16" ? 11 : dtype == "bf16" ? 8 : 0;
}

// What a cast changes: "`cast(x, i8)` wraps around".
std::string loss(std::string_view from, std::string_view to) {
  const DtypeClass kind = dtype_class(from), into = dtype_class(to);
  if (holds_all(to, from)) return "keeps each value";
  if (into == DtypeClass::boolean) return "asks whether it is not zero";
  if (kind == DtypeClass::boolean) return "makes it 0 or 1";
  if (into == DtypeClass::integer) return kind == DtypeClass::integer ? "wraps around" : "cuts fractions off";
  return kind == DtypeClass::integer ? "rounds large ones" : "rounds";
}

// The narrowest dtype that holds all values of both; empty where there is none, and for masks.
std::string_view wide_enough(std::string_view a, std::string_view b) {
  for (const std::string_view wide : {"i16", "i32", "i64", "f16", "bf16", "f32", "f64"})
    if (holds_all(wide, a) && holds_all(wide, b)) return wide;
  return {};
}

// Where a value of a narrow dtype was added up, and so may have wrapped around or been rounded: how to add up in a
// wider one instead. Empty for other values.
std::string added_up_wider(const Call &call, std::string_view parameter, const Type &type) {
  const bool integer = dtype_class(type.dtype) == DtypeClass::integer;
  if (bits_of(type.dtype) > 16 || (!integer && dtype_class(type.dtype) != DtypeClass::floating)) return {};
  // A type was given to what it is of: the call that made the value.
  Node made = call.annotation(parameter);
  while (made && !call.c.is(made, HTP_Call)) made = call.c.record(made).origin;
  auto k = call.c.as<ast::Call>(made);
  if (!k || k.args().empty()) return {};
  const std::string name = last_component(call.c.dotted(k.func())), wide = !integer                  ? "f32"
                                                                           : is_unsigned(type.dtype) ? "u32"
                                                                                                     : "i32";
  const std::string was = integer ? "its sums wrap around in " + type.dtype : "its sums were rounded to " + type.dtype;
  if (name == "matmul" && k.args().size() == 2 && k.keywords().empty())
    return was + "; add up in " + wide + ": `matmul(" + call.shown(k.args()[0]) + ", " + call.shown(k.args()[1]) +
           ", zeros(" + wide + ", " + shape_text(type.extents) + "))`";
  if (integer && (name == "reduce_sum" || name == "reduce_prod" || name == "scan_sum"))
    return was + "; add up in " + wide + ": `" + name + "(cast(" + call.shown(k.args()[0]) + ", " + wide + "), …)`";
  return {};
}

std::string cast_of(const Call &call, Node n, const std::string &dtype) {
  return "cast(" + call.shown(n) + ", " + dtype + ")";
}

} // namespace

bool holds_all(std::string_view wide, std::string_view dtype) {
  if (wide == dtype) return true;
  const DtypeClass kind = dtype_class(dtype), into = dtype_class(wide);
  const int bits = bits_of(dtype);
  if (kind == DtypeClass::integer && into == DtypeClass::integer)
    return bits_of(wide) > bits && (is_unsigned(dtype) || !is_unsigned(wide));
  if (kind == DtypeClass::integer && into == DtypeClass::floating)
    return bits - (is_unsigned(dtype) ? 0 : 1) <= digits_of(wide);
  return (kind == DtypeClass::floating || kind == DtypeClass::storage) && into == DtypeClass::floating &&
         bits_of(wide) > bits;
}

void report_operands(const Call &call, std::string_view first, const Type &a, std::string_view second, const Type &b) {
  const Node one = call.argument(first), other = call.argument(second);
  auto report = call.c.report(diag::dtype_mismatch, other, call.row.name, a.dtype, b.dtype);
  report.label(one, "this is " + a.dtype);
  const bool narrow_other = holds_all(a.dtype, b.dtype);
  const std::string to_first = cast_of(call, other, a.dtype), to_second = cast_of(call, one, b.dtype);
  for (const auto &[name, type] : {std::pair{first, &a}, std::pair{second, &b}})
    if (const std::string wider = added_up_wider(call, name, *type); !wider.empty())
      return void(report.hint(wider + ", and cast that"));
  if (narrow_other)
    return void(report.hint("cast one side: `" + to_first + "`").fix(other, to_first, "cast it to " + a.dtype));
  if (holds_all(b.dtype, a.dtype))
    return void(report.hint("cast one side: `" + to_second + "`").fix(one, to_second, "cast it to " + b.dtype));
  const std::string_view both = wide_enough(a.dtype, b.dtype);
  report.hint("cast the side that is meant: `" + to_first + "` " + loss(b.dtype, a.dtype) + ", `" + to_second + "` " +
              loss(a.dtype, b.dtype) + (both.empty() ? "" : "; " + std::string(both) + " holds both"));
}

void report_stored(const Call &call, const Type &target, std::string_view value, const Type &type) {
  const Node n = call.argument(value);
  auto report = call.c.report(diag::dtype_mismatch, n, call.row.name, target.dtype, type.dtype);
  if (const std::string wider = added_up_wider(call, value, type); !wider.empty()) return void(report.hint(wider));
  const std::string whole = cast_of(call, n, target.dtype);
  if (holds_all(target.dtype, type.dtype))
    return void(report.hint("cast it: `" + whole + "`").fix(n, whole, "cast it to " + target.dtype));
  report.hint("cast it: `" + whole + "` " + loss(type.dtype, target.dtype) + "; or store to a tensor of " + type.dtype);
}

} // namespace htp::tile
