// The functions: each is the operations that C++ makes of it, in their order. What is written in one statement is a
// chain, so that there is one order.
#include "htp_cpp/decompose.h"

#include <bit>
#include <cmath>
#include <span>

namespace htp::sdk::decompose {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// What a step is made of, and where steps go; a number goes nowhere.
struct Term {
  Steps *steps = nullptr;
  Operand operand{};

  Term(Steps &all, Operand o) : steps(&all), operand(o) {}
  Term(double number) : operand{.kind = Operand::Kind::number, .number = number} {}
};
Term step(Basic basic, std::initializer_list<Term> of) {
  Steps *steps = nullptr;
  Step made{basic};
  for (const Term &t : of) {
    if (t.steps) steps = t.steps;
    made.of.push_back(t.operand);
  }
  steps->push_back(std::move(made));
  return {*steps, {.kind = Operand::Kind::step, .step = steps->size() - 1}};
}
Term operator+(const Term &a, const Term &b) { return step(Basic::add, {a, b}); }
Term operator-(const Term &a, const Term &b) { return step(Basic::sub, {a, b}); }
Term operator*(const Term &a, const Term &b) { return step(Basic::mul, {a, b}); }
Term operator/(const Term &a, const Term &b) { return step(Basic::div, {a, b}); }
Term operator-(const Term &a) { return step(Basic::neg, {a}); }
Term operator<(const Term &a, const Term &b) { return step(Basic::lt, {a, b}); }
Term operator==(const Term &a, const Term &b) { return step(Basic::eq, {a, b}); }
Term operator!=(const Term &a, const Term &b) { return step(Basic::ne, {a, b}); }
Term absolute(const Term &a) { return step(Basic::absolute, {a}); }
Term minimum(const Term &a, const Term &b) { return step(Basic::minimum, {a, b}); }
Term maximum(const Term &a, const Term &b) { return step(Basic::maximum, {a, b}); }
Term exp(const Term &a) { return step(Basic::exp, {a}); }
Term log(const Term &a) { return step(Basic::log, {a}); }
Term sqrt(const Term &a) { return step(Basic::sqrt, {a}); }
Term rsqrt(const Term &a) { return step(Basic::rsqrt, {a}); }
Term reciprocal(const Term &a) { return step(Basic::reciprocal, {a}); }
Term whole(const Term &a) { return step(Basic::whole, {a}); }
Term where(const Term &mask, const Term &a, const Term &b) { return step(Basic::where, {mask, a, b}); }

// From the factor of the highest power on; each is a product, and what is added.
Term polynomial(const Term &x, std::span<const double> factors) {
  Term all = x * factors[0];
  for (const double factor : factors.subspan(1, factors.size() - 2)) all = (all + factor) * x;
  return all + factors.back();
}

// ── each function ───────────────────────────────────────────────────────────────────────────────────────────────────

// exp(min(x, 0)) / (1 + exp(-|x|)): no exponential is infinite.
Term sigmoid(const Term &x) {
  const Term below = exp(minimum(x, 0));
  const Term more = exp(-absolute(x)) + 1;
  return below / more;
}
Term sigmoid_by_one_exp(const Term &x) {
  const Term e = exp(-x);
  return reciprocal(Term(1) + e);
}

// Cephes' polynomial where |x| is below 0.625, and 1 - 2 / (exp(2 * |x|) + 1) with the sign of x.
Term tanh(const Term &x) {
  static constexpr double near[] = {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1,
                                    -3.33332819422e-1};
  const Term minus = -x;
  const Term below = x < 0;
  const Term size = where(below, minus, x);
  const Term e = exp(size + size) + 1;
  const Term half = reciprocal(e);
  const Term rest = half + half;
  const Term far = Term(1) - rest;
  const Term minus_far = -far;
  const Term signed_far = where(below, minus_far, far);
  const Term square = x * x;
  const Term close = polynomial(square, near) * square * x + x;
  const Term is_close = size < 0.625;
  const Term either = where(is_close, close, signed_far);
  const Term is_zero = x == 0;
  return where(is_zero, x, either);
}
Term tanh_by_one_exp(const Term &x) {
  const Term e = exp(x * 2) + 1;
  return Term(-2) / e + 1;
}

Term erf(const Term &argument) {
  static constexpr double above[] = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
                                     -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                     -1.60960333262415e-02};
  static constexpr double below[] = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                     -7.37332916720468e-03, -1.42647390514189e-02};
  const Term x = maximum(minimum(argument, 4), -4);
  const Term square = x * x;
  const Term dividend = polynomial(square, above) * x;
  const Term divisor = polynomial(square, below);
  return dividend / divisor;
}

Term sine(const Term &x, bool cosine) {
  // pi in pieces of 7 bits and the rest: products of a piece with a number of 17 bits are exact.
  static constexpr double pieces[] = {3.15625, -0.0146484375, -8.940696716308594e-06, 3.178651e-08};
  static constexpr double factors[] = {2.6343369e-06, -1.9822613e-04, 8.3332416e-03, -1.6666666e-01};
  Term turns = x * 0.31830987334251404;
  if (cosine) turns = turns + 0.5;
  turns = whole(turns);
  if (cosine) turns = turns + -0.5;
  // NaN where there are more turns than the pieces suffice for: 2 ** 16 overflow.
  const Term far = x * 1.652762664e+33;
  Term rest = (far - far) + x;
  for (const double piece : pieces) {
    const Term taken = turns * piece;
    rest = rest - taken;
  }
  // sin(rest) of -pi/2 to pi/2, which changes its sign with each turn.
  const Term square = rest * rest;
  const Term small = polynomial(square, factors) * square * rest + rest;
  // The turns less the next even number: 0, or 1 or -1 where they are odd.
  if (cosine) turns = turns + 0.5;
  const Term even = whole(turns * 0.5) * -2;
  const Term odd = turns + even;
  const Term sign = odd * odd * -2 + 1;
  return small * sign;
}
Term sin(const Term &x) { return sine(x, false); }
Term cos(const Term &x) { return sine(x, true); }

// Where the other factor is 0, x is no infinity.
Term silu(const Term &x) {
  const Term s = sigmoid(x);
  const Term finite = maximum(x, -200);
  return finite * s;
}
Term gelu(const Term &x) {
  const Term finite = maximum(x, -8);
  const Term s = erf(finite * 0.7071067811865476) + 1;
  return finite * 0.5 * s;
}

// What is lost when 1 is added is what `log` is multiplied with (Kahan).
Term log1p(const Term &x) {
  const Term sum = x + 1;
  const Term back = sum - 1;
  const Term l = log(sum);
  const Term mended = x / back * l;
  const Term lost = back == 0;
  const Term either = where(lost, x, mended);
  const Term endless = x == inf;
  return where(endless, x, either);
}
Term softplus(const Term &x) {
  const Term less = log1p(exp(-absolute(x)));
  const Term above = maximum(x, 0);
  return above + less;
}

// exp(a) * exp(b) * exp(a), where a is exact: half of the whole number times a piece of log(2) that has 15 bits.
Term exp2(const Term &argument) {
  const Term x = minimum(maximum(argument, -400), 400);
  const Term half = whole(x * 0.5);
  const Term twice = half + half;
  const Term fraction = (x - twice) * 0.6931471805599453;
  const Term low = twice * 1.42860682030941723212e-6;
  const Term e = exp(half * 0.693145751953125);
  const Term rest = exp(low + fraction);
  return e * rest * e;
}

Term rsqrt_by_sqrt(const Term &x) { return reciprocal(sqrt(x)); }

// From 2 ** 23 on all are whole; these, and what is no number, stay. What is whole keeps the sign of its zero.
Term floor(const Term &x) {
  const Term nearest = whole(x);
  const Term above = x < nearest;
  const Term lower = nearest - 1;
  const Term down = where(above, lower, nearest);
  const Term is_whole = x == down;
  const Term kept = where(is_whole, x, down);
  const Term small = absolute(x) < 8388608;
  return where(small, kept, x);
}
Term ceil(const Term &x) { return -floor(-x); }
// A whole number without its sign, with that of x: -0 is below +0 as its reciprocal is.
Term with_sign(const Term &x, const Term &size, const Term &found) {
  const Term minus = -found;
  const Term below = reciprocal(x) < 0;
  const Term either = where(below, minus, found);
  const Term small = size < 8388608;
  return where(small, either, x);
}
Term round(const Term &x) {
  const Term size = absolute(x);
  return with_sign(x, size, whole(size));
}
Term trunc(const Term &x) {
  const Term size = absolute(x);
  const Term nearest = whole(size);
  const Term above = size < nearest;
  const Term lower = nearest - 1;
  return with_sign(x, size, where(above, lower, nearest));
}

// By squares, from the highest bit on.
Term product(const Term &x, uint64_t n) {
  Term all = x;
  for (int bit = static_cast<int>(std::bit_width(n)) - 2; bit >= 0; --bit) {
    all = all * all;
    if (n >> bit & 1) all = all * x;
  }
  return all;
}

} // namespace

Decomposition of(Function f) {
  Decomposition d;
  const Term x(d.steps, {});
  const auto fill = [&](const Term &, double ulps, double off, double least, double most) {
    d.ulps = ulps, d.absolute = off, d.least = least, d.most = most;
  };
  const auto rsqrt = rsqrt_by_sqrt;
  switch (f) {
#define FUNCTION(name, ulps, off, least, most, what)                                                                   \
  case Function::name:                                                                                                 \
    fill(name(x), ulps, off, least, most);                                                                             \
    break;
#include "htp_cpp/decompose.def"
  }
  return d;
}

std::optional<Decomposition> power(double exponent) {
  constexpr double most = 64; // a product for each bit, and one for each that is set
  Decomposition d;
  const Term x(d.steps, {});
  const double size = std::fabs(exponent);
  d.ulps = 2;
  if (exponent == -0.5 || exponent == 0.5) { // of -inf it is 0, or inf
    const bool inverse = exponent < 0;
    const Term root = inverse ? rsqrt(x + 0) : sqrt(x + 0);
    const Term finite = x != -inf;
    where(finite, root, inverse ? Term(0) : Term(inf));
  } else if (exponent == std::floor(exponent) && size >= 1 && size <= most) {
    const Term all = product(x, static_cast<uint64_t>(size));
    if (exponent < 0) reciprocal(all);
    d.ulps = size;
  } else {
    return std::nullopt;
  }
  return d;
}

} // namespace htp::sdk::decompose
