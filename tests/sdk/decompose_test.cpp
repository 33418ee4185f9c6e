// Functions in basic operations, run in f32 as IEEE 754 has them, beside what they are in long double: random numbers
// of all sizes, those around 1, and edges. What the table says of errors holds, and is not much more than there is.
#include "htp_cpp/decompose.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>

namespace {

namespace decompose = htp::sdk::decompose;
using namespace decompose;
using Kind = Operand::Kind;

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

float nearest(double x) { return static_cast<float>(x); }
bool less(float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

float made(Basic basic, const std::array<float, 3> &of) {
  const auto [a, b, c] = of;
  switch (basic) {
  case Basic::absolute: return std::fabs(a);
  case Basic::add: return a + b;
  case Basic::div: return a / b;
  case Basic::eq: return a == b;
  case Basic::exp: return nearest(std::exp(double{a}));
  case Basic::log: return nearest(std::log(double{a}));
  case Basic::lt: return a < b;
  case Basic::maximum: return a != a || b != b ? nan : less(a, b) ? b : a;
  case Basic::minimum: return a != a || b != b ? nan : less(a, b) ? a : b;
  case Basic::mul: return a * b;
  case Basic::ne: return a != b;
  case Basic::neg: return -a;
  case Basic::reciprocal: return 1 / a;
  case Basic::rsqrt: return nearest(1 / std::sqrt(double{a}));
  case Basic::sqrt: return std::sqrt(a);
  case Basic::sub: return a - b;
  case Basic::where: return a != 0 ? b : c;
  case Basic::whole: return std::fabs(a) < 0x1p31f ? std::nearbyint(a) + 0.0F : a < 0 ? -0x1p31f : 0x1p31f;
  }
  return nan;
}

// Each result in a place: of its own, or in a buffer.
float run(const Steps &steps, float x, const Buffers *buffers = nullptr) {
  std::vector<float> places(buffers ? buffers->masks.size() : steps.size());
  float result = x;
  for (size_t k = 0; k < steps.size(); ++k) {
    std::array<float, 3> of{};
    for (size_t o = 0; o < steps[k].of.size(); ++o) {
      const Operand &operand = steps[k].of[o];
      of[o] = operand.kind == Kind::argument ? x
              : operand.kind == Kind::number ? nearest(operand.number)
                                             : places[buffers ? buffers->of[operand.step] : operand.step];
    }
    result = places[buffers ? buffers->of[k] : k] = made(steps[k].basic, of);
  }
  return result;
}

// A unit in the last place of the float that is nearest to a number.
long double unit_of(long double exact) {
  const auto size = std::fabs(static_cast<float>(exact));
  if (!(size < inf)) return std::ldexp(1.0L, 104);
  return std::nextafter(size, inf) == inf ? std::ldexp(1.0L, 104)
                                          : static_cast<long double>(std::nextafter(size, inf)) - size;
}

struct Row {
  std::string name;
  Decomposition made;
  long double (*exact)(long double);
};

long double exact_sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double exact_silu(long double x) { return x < -10000 ? -0.0L : x / (1 + std::exp(-x)); }
long double exact_gelu(long double x) { return x < -100 ? -0.0L : x * std::erfc(-x * std::sqrt(0.5L)) / 2; }
long double exact_softplus(long double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
long double exact_rsqrt(long double x) { return 1 / std::sqrt(x); }

std::vector<Row> rows() {
  const auto row = [](std::string name, Function f, long double (*exact)(long double)) {
    return Row{std::move(name), decompose::of(f), exact};
  };
  std::vector<Row> all{
      row("sigmoid", Function::sigmoid, exact_sigmoid),
      row("sigmoid_by_one_exp", Function::sigmoid_by_one_exp, exact_sigmoid),
      row("tanh", Function::tanh, std::tanh),
      row("tanh_by_one_exp", Function::tanh_by_one_exp, std::tanh),
      row("erf", Function::erf, std::erf),
      row("sin", Function::sin, std::sin),
      row("cos", Function::cos, std::cos),
      row("silu", Function::silu, exact_silu),
      row("gelu", Function::gelu, exact_gelu),
      row("softplus", Function::softplus, exact_softplus),
      row("log1p", Function::log1p, std::log1p),
      row("exp2", Function::exp2, std::exp2),
      row("rsqrt", Function::rsqrt, exact_rsqrt),
      row("floor", Function::floor, std::floor),
      row("ceil", Function::ceil, std::ceil),
      row("round", Function::round, std::nearbyint),
      row("trunc", Function::trunc, std::trunc),
      {"power 2", *power(2), [](long double x) { return x * x; }},
      {"power 7", *power(7), [](long double x) { return std::pow(x, 7.0L); }},
      {"power -3", *power(-3), [](long double x) { return 1 / (x * x * x); }},
      {"power 64", *power(64), [](long double x) { return std::pow(x, 64.0L); }},
      {"power 0.5", *power(0.5), [](long double x) { return std::pow(x, 0.5L); }},
      {"power -0.5", *power(-0.5), [](long double x) { return std::pow(x + 0, -0.5L); }},
  };
  return all;
}

std::vector<float> arguments() {
  std::vector<float> all{0,      -0.0F, 1,  -1,    0.5F,   -0.5F, 1.5F, 2.5F, -2.5F,
                         0.625F, 4,     -4, 88.5F, -88.5F, 104,   -104, inf,  -inf};
  for (const float x :
       {std::numeric_limits<float>::min(), std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min(),
        8388607.5F, 8388608.0F, 16777215.0F, 2147483648.0F, 205887.0F, 1e10F})
    for (const float sign : {1.0F, -1.0F})
      for (const float to : {-inf, inf}) all.insert(all.end(), {sign * x, std::nextafter(sign * x, to)});
  std::mt19937 random(7);
  for (int k = 0; k < 60'000; ++k) {
    const float any = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (any == any) all.push_back(any);
    for (const float most : {1.0F, 8.0F, 120.0F, 205887.0F})
      all.push_back(std::uniform_real_distribution<float>(-most, most)(random));
  }
  return all;
}

// ── properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

TEST(Decompose, IsOffByWhatTheTableSays) {
  const std::vector<float> all = arguments();
  for (const Row &row : rows()) {
    SCOPED_TRACE(row.name);
    long double most = 0; // of what is allowed
    for (const float x : all) {
      if (x < row.made.least || x > row.made.most) continue;
      const float got = run(row.made.steps, x);
      const long double exact = row.exact(x);
      if (exact != exact) {
        EXPECT_NE(got, got) << x;
        continue;
      }
      if (row.name == "power -3" && std::fabs(std::log2(std::fabs(exact))) > 125)
        continue; // of products that do not fit
      const long double unit = unit_of(exact),
                        allowed = std::max(row.made.ulps * unit, static_cast<long double>(row.made.absolute));
      const auto rounded = static_cast<float>(exact);
      if (got == rounded) {
        const bool zeros = got == 0 && row.made.absolute == 0;
        ASSERT_TRUE(!zeros || std::signbit(got) == std::signbit(rounded)) << x;
        continue;
      }
      EXPECT_TRUE(std::isfinite(x)) << x << ": " << got;
      // What is infinite counts as what comes after the largest number.
      const long double off = std::fabs((std::isinf(got) ? std::copysign(0x1p128L, got) : got) -
                                        (std::isinf(rounded) ? std::copysign(0x1p128L, rounded) : exact));
      EXPECT_LE(off, allowed) << x << ": " << got << ", and not " << static_cast<double>(exact) << ", off by "
                              << static_cast<double>(off / unit) << " units";
      most = std::max(most, off / allowed);
      if (!(off <= allowed)) break;
    }
    EXPECT_TRUE(most > 0.4L || (row.made.ulps == 0 && row.made.absolute == 0) || row.name.starts_with("power"))
        << "the table may say less: of its error there is " << static_cast<double>(most);
  }
}

TEST(Decompose, NaNStaysNaN) {
  for (const Row &row : rows()) {
    const float got = run(row.made.steps, nan);
    EXPECT_NE(got, got) << row.name;
  }
  for (const Function f : {Function::sin, Function::cos})
    for (const float x : {inf, -inf, 1e6F, -1e6F}) {
      const float got = run(decompose::of(f).steps, x);
      EXPECT_NE(got, got) << x;
    }
}

TEST(Decompose, PowersAreWholeNumbersOrHalves) {
  for (const double exponent : {0.0, 0.25, 2.5, 65.0, -65.0, 1e300, double{inf}, double{nan}})
    EXPECT_FALSE(power(exponent)) << exponent;
  EXPECT_TRUE(power(1)->steps.empty());
  EXPECT_EQ(power(-1)->steps.size(), 1U);
  for (int n = 2; n <= 64; ++n)
    EXPECT_EQ(power(n)->steps.size(),
              static_cast<size_t>(std::bit_width(unsigned(n)) + std::popcount(unsigned(n)) - 2));
}

// What ends does not have a buffer any more, and what does not end keeps its own.
TEST(Decompose, StepsShareBuffers) {
  const std::vector<float> all = arguments();
  for (const Row &row : rows())
    for (const bool in_place : {true, false}) {
      SCOPED_TRACE(row.name);
      const auto apart = [&](Basic b) { return !in_place || b == Basic::reciprocal; };
      const Buffers buffers = buffers_of(row.made.steps, apart);
      ASSERT_EQ(buffers.of.size(), row.made.steps.size());
      EXPECT_LE(buffers.masks.size(), 7U);
      for (size_t k = 0; k < buffers.of.size(); ++k) {
        const Step &s = row.made.steps[k];
        ASSERT_EQ(buffers.masks[buffers.of[k]], makes_mask(s.basic));
        for (const Operand &o : s.of)
          ASSERT_TRUE(!apart(s.basic) || o.kind != Kind::step || buffers.of[o.step] != buffers.of[k]);
      }
      for (size_t k = 0; k < all.size(); k += 97)
        ASSERT_EQ(std::bit_cast<uint32_t>(run(row.made.steps, all[k])),
                  std::bit_cast<uint32_t>(run(row.made.steps, all[k], &buffers)))
            << all[k];
    }
  EXPECT_EQ(buffers_of(decompose::of(Function::sigmoid).steps, [](Basic) { return false; }).masks.size(), 2U);
  EXPECT_EQ(buffers_of(decompose::of(Function::tanh_by_one_exp).steps, [](Basic) { return false; }).masks.size(), 1U);
}

} // namespace
