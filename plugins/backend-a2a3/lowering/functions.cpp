// Functions that have no instruction of their own, in those that there are.
#include "lowering/lowering.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <span>

namespace htp::a2a3 {

void Lowering::power() {
  const auto base = tile_of(arguments_[0]);
  const std::string exponent = arguments_[1] ? c.show(arguments_[1]) : std::string();
  double real = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), real);
  const bool known = !exponent.empty() && exponent.find_first_not_of("0123456789.-") == std::string::npos;
  constexpr int64_t most = 64; // a product for each bit, and one for each that is set
  if (!base || !known) {
    refuse("a power whose exponent is no number", "where the base is above 0: `exp(log(x) * y)`");
  } else if (real == -0.5) { // -0 counts as +0
    instruction("tadds", {name(target_), copy(arguments_[0]), number(0)});
    instruction("trsqrt", {name(target_), name(target_)});
  } else if (real == 0.5) { // so does it here, and of -inf it is inf
    const std::string mask = temporary(target_, like(type_, "bool_")), root = temporary(target_, type_);
    instruction("tadds", {name(root), copy(arguments_[0]), number(0)});
    instruction("tsqrt", {name(root), name(root)});
    instruction("tcmps",
                {name(mask), copy(arguments_[0]), c.parse("float('-inf')", origin_), c.string_node("NE", origin_)});
    instruction("tsels", {name(target_), name(mask), name(root), name(choosing()), c.parse("float('inf')", origin_)});
  } else if (real == std::floor(real) && std::fabs(real) <= most && real != 0) {
    const auto n = static_cast<uint64_t>(std::fabs(real));
    const bool inverse = real < 0;
    const std::string to = inverse ? temporary(target_, type_) : target_;
    // By squares, from the highest bit on.
    bool first = true;
    for (int bit = static_cast<int>(std::bit_width(n)) - 2; bit >= 0; --bit) {
      const Node now = first ? copy(arguments_[0]) : name(to);
      instruction("tmul", {name(to), now, copy_of(c, now, origin_)});
      if (n >> bit & 1) instruction("tmul", {name(to), name(to), copy(arguments_[0])});
      first = false;
    }
    if (first)
      instruction(inverse ? "trecip" : "tmov", {name(target_), copy(arguments_[0])});
    else if (inverse)
      instruction("trecip", {name(target_), name(to)});
  } else {
    refuse("a power of `" + exponent + "`", "where the base is above 0: `exp(log(x) * " + exponent + ")`");
  }
}

void Lowering::sigmoid() {
  const std::string below = temporary(target_, type_);
  instruction("tmins", {name(below), copy(arguments_[0]), number(0)});
  instruction("texp", {name(below), name(below)});
  instruction("tabs", {name(target_), copy(arguments_[0])});
  instruction("tneg", {name(target_), name(target_)});
  instruction("texp", {name(target_), name(target_)});
  instruction("tadds", {name(target_), name(target_), number(1)});
  instruction("tdiv", {name(target_), name(below), name(target_)});
}

void Lowering::tanh() {
  instruction("tmuls", {name(target_), copy(arguments_[0]), number(2)});
  instruction("texp", {name(target_), name(target_)});
  instruction("tadds", {name(target_), name(target_), number(1)});
  instruction("tdivs", {name(target_), number(-2), name(target_)});
  instruction("tadds", {name(target_), name(target_), number(1)});
}

void Lowering::erf() {
  static constexpr double above[] = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
                                     -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                     -1.60960333262415e-02};
  static constexpr double below[] = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                     -7.37332916720468e-03, -1.42647390514189e-02};
  const std::string x = temporary(target_, type_), square = temporary(target_, type_),
                    divisor = temporary(target_, type_);
  instruction("tmins", {name(x), copy(arguments_[0]), number(4)});
  instruction("tmaxs", {name(x), name(x), number(-4)});
  instruction("tmul", {name(square), name(x), name(x)});
  const auto polynomial = [&](const std::string &to, std::span<const double> factors) {
    instruction("tmuls", {name(to), name(square), number(factors[0])});
    for (const double factor : factors.subspan(1, factors.size() - 2)) {
      instruction("tadds", {name(to), name(to), number(factor)});
      instruction("tmul", {name(to), name(to), name(square)});
    }
    instruction("tadds", {name(to), name(to), number(factors.back())});
  };
  polynomial(target_, above);
  instruction("tmul", {name(target_), name(target_), name(x)});
  polynomial(divisor, below);
  instruction("tdiv", {name(target_), name(target_), name(divisor)});
}

void Lowering::sine(bool cosine) {
  // pi in parts of 7 bits and the rest: products of a part with a number of 17 bits are exact.
  static constexpr double parts[] = {3.15625, -0.0146484375, -8.940696716308594e-06, 3.178651e-08};
  static constexpr double factors[] = {2.6343369e-06, -1.9822613e-04, 8.3332416e-03, -1.6666666e-01};
  Type whole = type_;
  whole.dtype = "i32";
  const std::string turns = temporary(target_, type_), count = temporary(target_, whole),
                    rest = temporary(target_, type_), part = temporary(target_, type_);
  const Node mode = c.string_node("RINT", origin_);
  const auto rounded = [&] {
    instruction("tcvt", {name(count), name(turns), mode});
    instruction("tcvt", {name(turns), name(count), copy_of(c, mode, origin_)});
  };
  instruction("tmuls", {name(turns), copy(arguments_[0]), number(0.31830987334251404)});
  if (cosine) instruction("tadds", {name(turns), name(turns), number(0.5)});
  rounded();
  if (cosine) instruction("tadds", {name(turns), name(turns), number(-0.5)});
  // NaN where there are more turns than the parts suffice for: 2 ** 16 overflow.
  instruction("tmuls", {name(rest), copy(arguments_[0]), number(1.652762664e+33)});
  instruction("tsub", {name(rest), name(rest), name(rest)});
  instruction("tadd", {name(rest), name(rest), copy(arguments_[0])});
  for (const double p : parts) {
    instruction("tmuls", {name(part), name(turns), number(p)});
    instruction("tsub", {name(rest), name(rest), name(part)});
  }
  // sin(r) of -pi/2 to pi/2, which changes its sign with each turn.
  instruction("tmul", {name(part), name(rest), name(rest)});
  instruction("tmuls", {name(target_), name(part), number(factors[0])});
  for (const double factor : std::span(factors).subspan(1)) {
    instruction("tadds", {name(target_), name(target_), number(factor)});
    instruction("tmul", {name(target_), name(target_), name(part)});
  }
  instruction("tmul", {name(target_), name(target_), name(rest)});
  instruction("tadd", {name(target_), name(target_), name(rest)});
  // The turns less the next even number: 0, or 1 or -1 where they are odd.
  if (cosine) instruction("tadds", {name(turns), name(turns), number(0.5)});
  instruction("tmuls", {name(rest), name(turns), number(0.5)});
  instruction("tcvt", {name(count), name(rest), copy_of(c, mode, origin_)});
  instruction("tcvt", {name(rest), name(count), copy_of(c, mode, origin_)});
  instruction("tmuls", {name(rest), name(rest), number(-2)});
  instruction("tadd", {name(turns), name(turns), name(rest)});
  instruction("tmul", {name(turns), name(turns), name(turns)});
  instruction("tmuls", {name(turns), name(turns), number(-2)});
  instruction("tadds", {name(turns), name(turns), number(1)});
  instruction("tmul", {name(target_), name(target_), name(turns)});
}

} // namespace htp::a2a3
