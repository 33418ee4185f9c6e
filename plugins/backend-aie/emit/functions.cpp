// Functions of f32, in arithmetic that every core has: the table is of text for one number, emitted for as many at once
// as programs call them with.
#include "analyses/effort.h"
#include "emit.h"

#include "htp_cpp/decompose.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

namespace htp::aie {

namespace {

namespace decompose = sdk::decompose;

struct Function {
  std::string_view name;
  std::vector<std::string_view> calls; // others, which stand before it
  std::string text;
};

// exp and log reduce the argument and evaluate a polynomial; square roots and reciprocals, of what is
// at least 1, go by Newton's steps. Each is exact to a few units in the last place, for zeros, infinities and denormals
// too; NaN stays NaN.
const std::vector<Function> &written() {
  static const std::vector<Function> all{
      {"absolute", {}, R"(func.func private @htp_absolute(%x: f32) -> f32 {
  %mask = arith.constant 2147483647 : i32
  %bits = arith.bitcast %x : f32 to i32
  %rest = arith.andi %bits, %mask : i32
  %r = arith.bitcast %rest : i32 to f32
  return %r : f32
})"},
      {"maximum", {}, R"(func.func private @htp_maximum(%a: f32, %b: f32) -> f32 {
  %more = arith.cmpf ogt, %a, %b : f32
  %m = arith.select %more, %a, %b : f32
  %same = arith.cmpf oeq, %a, %b : f32
  %x = arith.bitcast %a : f32 to i32
  %y = arith.bitcast %b : f32 to i32
  %signs = arith.andi %x, %y : i32
  %equal = arith.bitcast %signs : i32 to f32
  %n = arith.select %same, %equal, %m : f32
  %nan = arith.cmpf uno, %a, %b : f32
  %s = arith.addf %a, %b : f32
  %r = arith.select %nan, %s, %n : f32
  return %r : f32
})"},
      {"minimum", {}, R"(func.func private @htp_minimum(%a: f32, %b: f32) -> f32 {
  %less = arith.cmpf olt, %a, %b : f32
  %m = arith.select %less, %a, %b : f32
  %same = arith.cmpf oeq, %a, %b : f32
  %x = arith.bitcast %a : f32 to i32
  %y = arith.bitcast %b : f32 to i32
  %signs = arith.ori %x, %y : i32
  %equal = arith.bitcast %signs : i32 to f32
  %n = arith.select %same, %equal, %m : f32
  %nan = arith.cmpf uno, %a, %b : f32
  %s = arith.addf %a, %b : f32
  %r = arith.select %nan, %s, %n : f32
  return %r : f32
})"},
      // The whole part of what x is without its sign, and one more where what is left is above a limit, one for even
      // whole parts and one for odd ones; of what is so large that it is whole, and of NaN, x.
      {"whole", {}, R"(func.func private @htp_whole(%x: f32, %even: f32, %odd: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0 : i32
  %one_bit = arith.constant 1 : i32
  %mask = arith.constant 2147483647 : i32
  %sign_bit = arith.constant -2147483648 : i32
  %all_whole = arith.constant 8388608.0 : f32
  %bits = arith.bitcast %x : f32 to i32
  %without = arith.andi %bits, %mask : i32
  %sign = arith.andi %bits, %sign_bit : i32
  %size = arith.bitcast %without : i32 to f32
  %small = arith.cmpf olt, %size, %all_whole : f32
  %a = arith.select %small, %size, %zero : f32
  %n = arith.fptosi %a : f32 to i32
  %t = arith.sitofp %n : i32 to f32
  %left = arith.subf %a, %t : f32
  %last = arith.andi %n, %one_bit : i32
  %is_odd = arith.cmpi ne, %last, %none : i32
  %limit = arith.select %is_odd, %odd, %even : f32
  %more = arith.cmpf ogt, %left, %limit : f32
  %next = arith.addf %t, %one : f32
  %w = arith.select %more, %next, %t : f32
  %w_bits = arith.bitcast %w : f32 to i32
  %signed_bits = arith.ori %w_bits, %sign : i32
  %signed = arith.bitcast %signed_bits : i32 to f32
  %r = arith.select %small, %signed, %x : f32
  return %r : f32
})"},
      {"trunc", {"whole"}, R"(func.func private @htp_trunc(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %r = func.call @htp_whole(%x, %one, %one) : (f32, f32, f32) -> f32
  return %r : f32
})"},
      {"floor", {"whole"}, R"(func.func private @htp_floor(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %negative = arith.cmpf olt, %x, %zero : f32
  %limit = arith.select %negative, %zero, %one : f32
  %r = func.call @htp_whole(%x, %limit, %limit) : (f32, f32, f32) -> f32
  return %r : f32
})"},
      {"ceil", {"whole"}, R"(func.func private @htp_ceil(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %positive = arith.cmpf ogt, %x, %zero : f32
  %limit = arith.select %positive, %zero, %one : f32
  %r = func.call @htp_whole(%x, %limit, %limit) : (f32, f32, f32) -> f32
  return %r : f32
})"},
      // Halves to even: above odd ones a half is more than the limit, the float below a half.
      {"round", {"whole"}, R"(func.func private @htp_round(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %below_half = arith.constant 0.49999997 : f32
  %r = func.call @htp_whole(%x, %half, %below_half) : (f32, f32, f32) -> f32
  return %r : f32
})"},
      {"reciprocal", {}, R"(func.func private @htp_reciprocal(%d: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %large = arith.constant 18446744073709551616.0 : f32
  %down = arith.constant 2.3283064365386962890625e-10 : f32
  %most = arith.constant 1.329227995784915872903807060280344576e36 : f32
  %magic = arith.constant 2129859015 : i32
  %is_large = arith.cmpf ogt, %d, %large : f32
  %factor = arith.select %is_large, %down, %one : f32
  %less = arith.mulf %d, %factor : f32
  %is_most = arith.cmpf ogt, %less, %most : f32
  %x = arith.select %is_most, %most, %less : f32
  %bits = arith.bitcast %x : f32 to i32
  %guess = arith.subi %magic, %bits : i32
  %y0 = arith.bitcast %guess : i32 to f32
  %a1 = arith.mulf %x, %y0 : f32
  %b1 = arith.subf %two, %a1 : f32
  %y1 = arith.mulf %y0, %b1 : f32
  %a2 = arith.mulf %x, %y1 : f32
  %b2 = arith.subf %two, %a2 : f32
  %y2 = arith.mulf %y1, %b2 : f32
  %a3 = arith.mulf %x, %y2 : f32
  %b3 = arith.subf %two, %a3 : f32
  %y3 = arith.mulf %y2, %b3 : f32
  %r = arith.mulf %y3, %factor : f32
  return %r : f32
})"},
      {"exp", {}, R"(func.func private @htp_exp(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %most = arith.constant 104.0 : f32
  %least = arith.constant -104.0 : f32
  %half = arith.constant 0.5 : f32
  %minus_half = arith.constant -0.5 : f32
  %log2e = arith.constant 1.44269504088896341 : f32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %p0 = arith.constant 1.9875691500e-4 : f32
  %p1 = arith.constant 1.3981999507e-3 : f32
  %p2 = arith.constant 8.3334519073e-3 : f32
  %p3 = arith.constant 4.1665795894e-2 : f32
  %p4 = arith.constant 1.6666665459e-1 : f32
  %p5 = arith.constant 5.0000001201e-1 : f32
  %bias = arith.constant 127 : i32
  %place = arith.constant 23 : i32
  %one_bit = arith.constant 1 : i32
  %nan = arith.cmpf uno, %x, %x : f32
  %above = arith.cmpf ogt, %x, %most : f32
  %a = arith.select %above, %most, %x : f32
  %below = arith.cmpf olt, %a, %least : f32
  %b = arith.select %below, %least, %a : f32
  %d = arith.select %nan, %zero, %b : f32
  %t = arith.mulf %d, %log2e : f32
  %negative = arith.cmpf olt, %t, %zero : f32
  %nudge = arith.select %negative, %minus_half, %half : f32
  %t1 = arith.addf %t, %nudge : f32
  %n = arith.fptosi %t1 : f32 to i32
  %nf = arith.sitofp %n : i32 to f32
  %high = arith.mulf %nf, %ln2_high : f32
  %low = arith.mulf %nf, %ln2_low : f32
  %r0 = arith.subf %d, %high : f32
  %r = arith.subf %r0, %low : f32
  %m0 = arith.mulf %p0, %r : f32
  %s0 = arith.addf %m0, %p1 : f32
  %m1 = arith.mulf %s0, %r : f32
  %s1 = arith.addf %m1, %p2 : f32
  %m2 = arith.mulf %s1, %r : f32
  %s2 = arith.addf %m2, %p3 : f32
  %m3 = arith.mulf %s2, %r : f32
  %s3 = arith.addf %m3, %p4 : f32
  %m4 = arith.mulf %s3, %r : f32
  %s4 = arith.addf %m4, %p5 : f32
  %rr = arith.mulf %r, %r : f32
  %m5 = arith.mulf %s4, %rr : f32
  %s5 = arith.addf %m5, %r : f32
  %y = arith.addf %s5, %one : f32
  %n1 = arith.shrsi %n, %one_bit : i32
  %n2 = arith.subi %n, %n1 : i32
  %e1 = arith.addi %n1, %bias : i32
  %e2 = arith.addi %n2, %bias : i32
  %b1 = arith.shli %e1, %place : i32
  %b2 = arith.shli %e2, %place : i32
  %f1 = arith.bitcast %b1 : i32 to f32
  %f2 = arith.bitcast %b2 : i32 to f32
  %y1 = arith.mulf %y, %f1 : f32
  %y2 = arith.mulf %y1, %f2 : f32
  %result = arith.select %nan, %x, %y2 : f32
  return %result : f32
})"},
      {"log", {}, R"(func.func private @htp_log(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %inf = arith.constant 0x7F800000 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %no = arith.constant 0x7FC00000 : f32
  %smallest = arith.constant 1.17549435e-38 : f32
  %scale = arith.constant 8388608.0 : f32
  %root = arith.constant 0.707106781186547524 : f32
  %ln2_high = arith.constant 0.693359375 : f32
  %ln2_low = arith.constant -2.12194440e-4 : f32
  %p0 = arith.constant 7.0376836292e-2 : f32
  %p1 = arith.constant -1.1514610310e-1 : f32
  %p2 = arith.constant 1.1676998740e-1 : f32
  %p3 = arith.constant -1.2420140846e-1 : f32
  %p4 = arith.constant 1.4249322787e-1 : f32
  %p5 = arith.constant -1.6668057665e-1 : f32
  %p6 = arith.constant 2.0000714765e-1 : f32
  %p7 = arith.constant -2.4999993993e-1 : f32
  %p8 = arith.constant 3.3333331174e-1 : f32
  %none = arith.constant 0 : i32
  %scaled = arith.constant -23 : i32
  %place = arith.constant 23 : i32
  %bias = arith.constant 126 : i32
  %one_bit = arith.constant 1 : i32
  %fraction = arith.constant 8388607 : i32
  %halves = arith.constant 1056964608 : i32
  %tiny = arith.cmpf olt, %x, %smallest : f32
  %big = arith.mulf %x, %scale : f32
  %xs = arith.select %tiny, %big, %x : f32
  %e0 = arith.select %tiny, %scaled, %none : i32
  %bits = arith.bitcast %xs : f32 to i32
  %raised = arith.shrsi %bits, %place : i32
  %e1 = arith.subi %raised, %bias : i32
  %e2 = arith.addi %e1, %e0 : i32
  %low_bits = arith.andi %bits, %fraction : i32
  %in_half = arith.ori %low_bits, %halves : i32
  %m0 = arith.bitcast %in_half : i32 to f32
  %short = arith.cmpf olt, %m0, %root : f32
  %e3 = arith.subi %e2, %one_bit : i32
  %e = arith.select %short, %e3, %e2 : i32
  %twice = arith.addf %m0, %m0 : f32
  %m1 = arith.select %short, %twice, %m0 : f32
  %m = arith.subf %m1, %one : f32
  %ef = arith.sitofp %e : i32 to f32
  %z = arith.mulf %m, %m : f32
  %q0 = arith.mulf %p0, %m : f32
  %s0 = arith.addf %q0, %p1 : f32
  %q1 = arith.mulf %s0, %m : f32
  %s1 = arith.addf %q1, %p2 : f32
  %q2 = arith.mulf %s1, %m : f32
  %s2 = arith.addf %q2, %p3 : f32
  %q3 = arith.mulf %s2, %m : f32
  %s3 = arith.addf %q3, %p4 : f32
  %q4 = arith.mulf %s3, %m : f32
  %s4 = arith.addf %q4, %p5 : f32
  %q5 = arith.mulf %s4, %m : f32
  %s5 = arith.addf %q5, %p6 : f32
  %q6 = arith.mulf %s5, %m : f32
  %s6 = arith.addf %q6, %p7 : f32
  %q7 = arith.mulf %s6, %m : f32
  %s7 = arith.addf %q7, %p8 : f32
  %q8 = arith.mulf %s7, %m : f32
  %y0 = arith.mulf %q8, %z : f32
  %low = arith.mulf %ef, %ln2_low : f32
  %y1 = arith.addf %y0, %low : f32
  %hz = arith.mulf %half, %z : f32
  %y2 = arith.subf %y1, %hz : f32
  %y3 = arith.addf %m, %y2 : f32
  %high = arith.mulf %ef, %ln2_high : f32
  %y = arith.addf %y3, %high : f32
  %is_inf = arith.cmpf oeq, %x, %inf : f32
  %r0 = arith.select %is_inf, %inf, %y : f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %r1 = arith.select %is_zero, %minus_inf, %r0 : f32
  %is_negative = arith.cmpf ult, %x, %zero : f32
  %r = arith.select %is_negative, %no, %r1 : f32
  return %r : f32
})"},
      // Of what is neither denormal nor huge: the others are scaled by whoever calls.
      {"rsqrt_of_normal", {}, R"(func.func private @htp_rsqrt_of_normal(%x: f32) -> f32 {
  %magic = arith.constant 1597463007 : i32
  %one_bit = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %more = arith.constant 1.5 : f32
  %bits = arith.bitcast %x : f32 to i32
  %shifted = arith.shrsi %bits, %one_bit : i32
  %guess = arith.subi %magic, %shifted : i32
  %y0 = arith.bitcast %guess : i32 to f32
  %hx = arith.mulf %half, %x : f32
  %a1 = arith.mulf %hx, %y0 : f32
  %b1 = arith.mulf %a1, %y0 : f32
  %d1 = arith.subf %more, %b1 : f32
  %y1 = arith.mulf %y0, %d1 : f32
  %a2 = arith.mulf %hx, %y1 : f32
  %b2 = arith.mulf %a2, %y1 : f32
  %d2 = arith.subf %more, %b2 : f32
  %y2 = arith.mulf %y1, %d2 : f32
  %a3 = arith.mulf %hx, %y2 : f32
  %b3 = arith.mulf %a3, %y2 : f32
  %d3 = arith.subf %more, %b3 : f32
  %y3 = arith.mulf %y2, %d3 : f32
  %a4 = arith.mulf %hx, %y3 : f32
  %b4 = arith.mulf %a4, %y3 : f32
  %d4 = arith.subf %more, %b4 : f32
  %y4 = arith.mulf %y3, %d4 : f32
  return %y4 : f32
})"},
      {"rsqrt", {"rsqrt_of_normal"}, R"(func.func private @htp_rsqrt(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %no = arith.constant 0x7FC00000 : f32
  %inf_bits = arith.constant 2139095040 : i32
  %sign_bit = arith.constant -2147483648 : i32
  %small = arith.constant 1.0e-30 : f32
  %up = arith.constant 1.099511627776e12 : f32
  %root_up = arith.constant 1048576.0 : f32
  %tiny = arith.cmpf olt, %x, %small : f32
  %factor = arith.select %tiny, %up, %one : f32
  %back = arith.select %tiny, %root_up, %one : f32
  %xs = arith.mulf %x, %factor : f32
  %y0 = func.call @htp_rsqrt_of_normal(%xs) : (f32) -> f32
  %y = arith.mulf %y0, %back : f32
  %is_inf = arith.cmpf oeq, %x, %inf : f32
  %r0 = arith.select %is_inf, %zero, %y : f32
  %is_negative = arith.cmpf ult, %x, %zero : f32
  %r1 = arith.select %is_negative, %no, %r0 : f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %x_bits = arith.bitcast %x : f32 to i32
  %sign = arith.andi %x_bits, %sign_bit : i32
  %endless_bits = arith.ori %sign, %inf_bits : i32
  %endless = arith.bitcast %endless_bits : i32 to f32
  %r = arith.select %is_zero, %endless, %r1 : f32
  return %r : f32
})"},
      {"sqrt", {"rsqrt_of_normal"}, R"(func.func private @htp_sqrt(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %inf = arith.constant 0x7F800000 : f32
  %no = arith.constant 0x7FC00000 : f32
  %small = arith.constant 1.0e-20 : f32
  %up = arith.constant 1.152921504606846976e18 : f32
  %root_down = arith.constant 9.313225746154785e-10 : f32
  %tiny = arith.cmpf olt, %x, %small : f32
  %factor = arith.select %tiny, %up, %one : f32
  %back = arith.select %tiny, %root_down, %one : f32
  %xs = arith.mulf %x, %factor : f32
  %y = func.call @htp_rsqrt_of_normal(%xs) : (f32) -> f32
  %s0 = arith.mulf %xs, %y : f32
  %ss = arith.mulf %s0, %s0 : f32
  %left = arith.subf %xs, %ss : f32
  %hy = arith.mulf %half, %y : f32
  %more = arith.mulf %hy, %left : f32
  %s1 = arith.addf %s0, %more : f32
  %s = arith.mulf %s1, %back : f32
  %is_zero = arith.cmpf oeq, %x, %zero : f32
  %r0 = arith.select %is_zero, %x, %s : f32
  %is_inf = arith.cmpf oeq, %x, %inf : f32
  %r1 = arith.select %is_inf, %inf, %r0 : f32
  %is_negative = arith.cmpf ult, %x, %zero : f32
  %r = arith.select %is_negative, %no, %r1 : f32
  return %r : f32
})"},
  };
  return all;
}

// Basic operations in arith, and those that are functions.
constexpr std::pair<decompose::Basic, std::string_view> operations[] = {
    {decompose::Basic::add, "arith.addf"},     {decompose::Basic::sub, "arith.subf"},
    {decompose::Basic::mul, "arith.mulf"},     {decompose::Basic::div, "arith.divf"},
    {decompose::Basic::neg, "arith.negf"},     {decompose::Basic::eq, "arith.cmpf oeq,"},
    {decompose::Basic::lt, "arith.cmpf olt,"}, {decompose::Basic::ne, "arith.cmpf une,"},
    {decompose::Basic::where, "arith.select"}};
constexpr std::pair<decompose::Basic, std::string_view> functions_of[] = {
    {decompose::Basic::absolute, "absolute"}, {decompose::Basic::exp, "exp"},
    {decompose::Basic::log, "log"},           {decompose::Basic::maximum, "maximum"},
    {decompose::Basic::minimum, "minimum"},   {decompose::Basic::reciprocal, "reciprocal"},
    {decompose::Basic::rsqrt, "rsqrt"},       {decompose::Basic::sqrt, "sqrt"},
    {decompose::Basic::whole, "round"}};

// Those that the SDK says in other operations.
Function decomposed(std::string_view name, decompose::Function function) {
  using decompose::Basic;
  using decompose::Operand;
  Function f{name, {}, {}};
  const decompose::Steps steps = decompose::of(function).steps;
  std::string constants, body;
  std::map<double, std::string> numbers;
  const auto value = [&](const Operand &o) {
    if (o.kind == Operand::Kind::argument) return std::string("%x");
    if (o.kind == Operand::Kind::step) return "%v" + std::to_string(o.step);
    const auto [it, fresh] = numbers.emplace(o.number, "%n" + std::to_string(numbers.size()));
    if (fresh) {
      std::array<char, 32> digits{};
      std::string text(digits.data(), std::to_chars(digits.begin(), digits.end(), o.number).ptr);
      if (text.find('.') == text.npos) text.insert(std::min(text.find('e'), text.size()), ".0");
      constants += "  " + it->second + " = arith.constant " + text + " : f32\n";
    }
    return it->second;
  };
  for (size_t k = 0; k < steps.size(); ++k) {
    const Basic basic = steps[k].basic;
    const std::string of = join(steps[k].of, ", ", value);
    std::string line;
    for (const auto &[one, operation] : operations)
      if (one == basic) line = std::string(operation) + " " + of + " : f32";
    for (const auto &[one, called] : functions_of)
      if (one == basic) {
        if (std::ranges::find(f.calls, called) == f.calls.end()) f.calls.push_back(called);
        line = "func.call @htp_" + std::string(called) + "(" + of + ") : (" +
               join(steps[k].of, ", ", [](const Operand &) { return "f32"; }) + ") -> f32";
      }
    body += "  %v" + std::to_string(k) + " = " + line + "\n";
  }
  f.text = "func.func private @htp_" + std::string(name) + "(%x: f32) -> f32 {\n" + constants + body + "  return %v" +
           std::to_string(steps.size() - 1) + " : f32\n}";
  return f;
}

const std::vector<Function> &functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> found = written();
    found.push_back(decomposed("sigmoid", decompose::Function::sigmoid_by_one_exp));
    found.push_back(decomposed("tanh", decompose::Function::tanh));
    return found;
  }();
  return all;
}

} // namespace

std::string for_lanes(std::string_view text, int64_t lanes) {
  std::string out;
  if (lanes == 1) return std::string(text);
  const std::string count = std::to_string(lanes);
  const bool chooses = text.starts_with("arith.select "), constant = text.starts_with("arith.constant ");
  for (size_t k = 0; k < text.size();) {
    const std::string_view rest = text.substr(k);
    if ((rest.starts_with("f32") || rest.starts_with("i32")) && k > 0 && text[k - 1] == ' ') {
      if (chooses) out += "vector<" + count + "xi1>, "; // by as many conditions
      out += "vector<" + count + "x" + std::string(rest.substr(0, 3)) + ">";
      k += 3;
    } else if (constant && k == 15) {
      const size_t end = text.find(' ', k);
      out += "dense<" + std::string(text.substr(k, end - k)) + ">";
      k = end;
    } else {
      out += text[k++];
    }
  }
  return out;
}

std::string_view function_text(std::string_view name) {
  for (const Function &f : functions())
    if (f.name == name) return f.text;
  return {};
}

namespace {
Effort of_function(std::string_view name) {
  Effort sum;
  for (std::string_view rest = function_text(name); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto has = [&](std::string_view op) { return line.find(op) != line.npos; };
    if (const size_t call = line.find("func.call @htp_"); call != line.npos)
      sum += of_function(line.substr(call + 15, line.find('(') - call - 15));
    else if (has("arith.mulf"))
      sum.products += 16;
    else if (has("arith.divf"))
      sum.divisions += 16;
    else if (has(" = ") && !has("arith.constant") && !has("arith.bitcast"))
      ++sum.operations;
  }
  return sum;
}
} // namespace

Effort effort_of(std::string_view operation, const DType &of, const DType &to, bool with_number) {
  // Narrow numbers go by more at a time; what is calculated in f32 is rounded to them.
  const double size = static_cast<double>(of.bytes) / 4;
  if (operation == "copy" || operation == "fill") return {};
  if (operation == "cast") {
    if (of.real && !to.real) return {10}; // limits are looked at on both sides
    return {of.real == to.real && to.bytes > of.bytes ? 0 : static_cast<double>(to.bytes) / 4};
  }
  if (!of.real) return operation == "mul" ? Effort{0, 16 * size} : Effort{size};
  Effort e{to.bytes < 4 ? 0.5 : 0};
  if (operation == "mul")
    e.products += 16;
  else if (operation == "div")
    e.divisions += 16;
  else if (with_number && (operation == "maximum" || operation == "minimum"))
    e.operations += 2;
  else if (!function_text(operation).empty())
    e += of_function(operation);
  else
    ++e.operations;
  return e;
}

std::set<std::string> with_called(const std::set<std::string> &named) {
  auto all = named;
  for (const Function &f : functions() | std::views::reverse)
    if (all.contains(std::string(f.name))) all.insert(f.calls.begin(), f.calls.end());
  return all;
}

void write_functions(Writer &w, const Needs &needs) {
  const auto wanted = with_called(needs.functions);
  for (const Function &f : functions()) {
    if (!wanted.contains(std::string(f.name))) continue;
    for (std::string_view rest = f.text; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      w.line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

} // namespace htp::aie
