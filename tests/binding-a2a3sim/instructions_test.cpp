// What single instructions compute, by element, beside what C++ computes.
#include "simulated.h"

#include "tests/backend-cpu/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace htp::test {
namespace {

constexpr int rows = 16, columns = 61, pitch = 64;

struct Inputs {
  std::vector<float> x, y;
  float a(int r, int c) const { return x[static_cast<size_t>(r * pitch + c)]; }
  float b(int r, int c) const { return y[static_cast<size_t>(r * pitch + c)]; }
  template <class F> float of_row(int r, F f) const {
    float v = a(r, 0);
    for (int c = 1; c < columns; ++c) v = f(v, a(r, c));
    return v;
  }
  template <class F> float of_column(int c, F f) const {
    float v = b(0, c);
    for (int r = 1; r < rows; ++r) v = f(v, b(r, c));
    return v;
  }
};
using I = const Inputs &;

struct Row {
  const char *text; // what it does, to d
  std::function<float(I, int, int)> is;
};

float larger(float a, float b) { return std::max(a, b); }
float smaller(float a, float b) { return std::min(a, b); }
float sum(float a, float b) { return a + b; }
float product(float a, float b) { return a * b; }
float nearest(double v, float step) {
  return static_cast<float>(std::nearbyint(v / static_cast<double>(step)) * static_cast<double>(step));
}
// Rounded to the bits that f16 and bf16 have, of numbers in their normal range.
float to_bits(float v, int bits) {
  int exponent = 0;
  std::frexp(v, &exponent);
  return v == 0 ? v : nearest(static_cast<double>(v), std::ldexp(1.0f, exponent - bits));
}

const Row table[] = {
    {"TADD(d, a, b)", [](I i, int r, int c) { return i.a(r, c) + i.b(r, c); }},
    {"TSUB(d, a, b)", [](I i, int r, int c) { return i.a(r, c) - i.b(r, c); }},
    {"TMUL(d, a, b)", [](I i, int r, int c) { return i.a(r, c) * i.b(r, c); }},
    {"TDIV(d, a, b)", [](I i, int r, int c) { return i.a(r, c) / i.b(r, c); }},
    {"TMAX(d, a, b)", [](I i, int r, int c) { return std::max(i.a(r, c), i.b(r, c)); }},
    {"TMIN(d, a, b)", [](I i, int r, int c) { return std::min(i.a(r, c), i.b(r, c)); }},
    {"TADDS(d, a, 1.5f)", [](I i, int r, int c) { return i.a(r, c) + 1.5f; }},
    {"TSUBS(d, a, 1.5f)", [](I i, int r, int c) { return i.a(r, c) - 1.5f; }},
    {"TMULS(d, a, 3)", [](I i, int r, int c) { return i.a(r, c) * 3; }},
    {"TDIVS(d, a, 3)", [](I i, int r, int c) { return i.a(r, c) / 3; }},
    {"TDIVS(d, 3, a)", [](I i, int r, int c) { return 3 / i.a(r, c); }},
    {"TMAXS(d, a, 0.5f)", [](I i, int r, int c) { return std::max(i.a(r, c), 0.5f); }},
    {"TMINS(d, a, 0.5f)", [](I i, int r, int c) { return std::min(i.a(r, c), 0.5f); }},
    {"TLRELU(d, a, 0.25f)", [](I i, int r, int c) { return i.a(r, c) > 0 ? i.a(r, c) : i.a(r, c) * 0.25f; }},
    {"TMOV(d, b); then(); TAXPY(d, a, 2.0f)", [](I i, int r, int c) { return i.b(r, c) + i.a(r, c) * 2; }},
    {"TEXP(d, a)", [](I i, int r, int c) { return std::exp(i.a(r, c)); }},
    {"TABS(t, a); then(); TLOG(d, t)", [](I i, int r, int c) { return std::log(std::fabs(i.a(r, c))); }},
    {"TABS(t, a); then(); TSQRT(d, t)", [](I i, int r, int c) { return std::sqrt(std::fabs(i.a(r, c))); }},
    {"TABS(t, a); then(); TRSQRT(d, t)", [](I i, int r, int c) { return 1 / std::sqrt(std::fabs(i.a(r, c))); }},
    {"TRECIP(d, a)", [](I i, int r, int c) { return 1 / i.a(r, c); }},
    {"TNEG(d, a)", [](I i, int r, int c) { return -i.a(r, c); }},
    {"TRELU(d, a)", [](I i, int r, int c) { return std::max(i.a(r, c), 0.0f); }},
    {"TEXPANDS(d, 7.5f)", [](I, int, int) { return 7.5f; }},
    {"TROWSUM(column, a, t); then(); TROWEXPAND(d, column)", [](I i, int r, int) { return i.of_row(r, sum); }},
    {"TROWMAX(column, a, t); then(); TROWEXPAND(d, column)", [](I i, int r, int) { return i.of_row(r, larger); }},
    {"TROWMIN(column, a, t); then(); TROWEXPAND(d, column)", [](I i, int r, int) { return i.of_row(r, smaller); }},
    {"TROWPROD(column, a, t); then(); TROWEXPAND(d, column)", [](I i, int r, int) { return i.of_row(r, product); }},
    {"TCOLSUM(row, b); then(); TCOLEXPAND(d, row)", [](I i, int, int c) { return i.of_column(c, sum); }},
    {"TCOLMAX(row, b); then(); TCOLEXPAND(d, row)", [](I i, int, int c) { return i.of_column(c, larger); }},
    {"TCOLMIN(row, b); then(); TCOLEXPAND(d, row)", [](I i, int, int c) { return i.of_column(c, smaller); }},
    {"TROWMAX(column, a, t); then(); TROWEXPANDADD(d, b, column)",
     [](I i, int r, int c) { return i.b(r, c) + i.of_row(r, larger); }},
    {"TROWMAX(column, a, t); then(); TROWEXPANDSUB(d, b, column)",
     [](I i, int r, int c) { return i.b(r, c) - i.of_row(r, larger); }},
    {"TROWMAX(column, a, t); then(); TROWEXPANDMUL(d, b, column)",
     [](I i, int r, int c) { return i.b(r, c) * i.of_row(r, larger); }},
    {"TROWMAX(column, a, t); then(); TROWEXPANDDIV(d, b, column)",
     [](I i, int r, int c) { return i.b(r, c) / i.of_row(r, larger); }},
    {"TROWMAX(column, a, t); then(); TROWEXPANDEXPDIF(d, b, column)",
     [](I i, int r, int c) { return std::exp(i.b(r, c) - i.of_row(r, larger)); }},
    {"TCOLMAX(row, b); then(); TCOLEXPANDSUB(d, a, row)",
     [](I i, int r, int c) { return i.a(r, c) - i.of_column(c, larger); }},
    {"TCOLMAX(row, b); then(); TCOLEXPANDDIV(d, a, row)",
     [](I i, int r, int c) { return i.a(r, c) / i.of_column(c, larger); }},
    {"TROWARGMAX(place, a, t); then(); TROWEXPAND(whole, place); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int) {
       int best = 0;
       for (int c = 1; c < columns; ++c)
         if (i.a(r, c) > i.a(r, best)) best = c;
       return static_cast<float>(best);
     }},
    {"TCVT(whole, a, RoundMode::CAST_RINT); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return std::nearbyint(i.a(r, c)); }},
    {"TCVT(whole, a, RoundMode::CAST_ROUND); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return std::round(i.a(r, c)); }},
    {"TCVT(whole, a, RoundMode::CAST_FLOOR); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return std::floor(i.a(r, c)); }},
    {"TCVT(whole, a, RoundMode::CAST_CEIL); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return std::ceil(i.a(r, c)); }},
    {"TCVT(whole, a, RoundMode::CAST_TRUNC); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return std::trunc(i.a(r, c)); }},
    {"TCVT(small, a, RoundMode::CAST_RINT); then(); TCVT(d, small, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return to_bits(i.a(r, c), 11); }},
    {"TCVT(brief, a, RoundMode::CAST_RINT); then(); TCVT(d, brief, RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return to_bits(i.a(r, c), 8); }},
    {"TCVT(small, a, RoundMode::CAST_RINT); then(); TADDS(small, small, half(0.3f)); then(); TCVT(d, small, "
     "RoundMode::CAST_NONE)",
     [](I i, int r, int c) { return to_bits(to_bits(i.a(r, c), 11) + to_bits(0.3f, 11), 11); }},
    {"TCMP(mask, a, b, CmpMode::LT); then(); TSEL(d, mask, a, b, t)",
     [](I i, int r, int c) { return std::min(i.a(r, c), i.b(r, c)); }},
    {"TCMPS(mask, a, 1.0f, CmpMode::GE); then(); TSEL(d, mask, b, a, t)",
     [](I i, int r, int c) { return i.a(r, c) >= 1 ? i.b(r, c) : i.a(r, c); }},
    {"TCMPS(mask, a, 1.0f, CmpMode::NE); then(); TSELS(d, mask, a, t, 9.0f)",
     [](I i, int r, int c) { return i.a(r, c) != 1 ? i.a(r, c) : 9; }},
    {"TFILLPAD(padded, a); then(); TMOV(t, a); then(); TROWMAX(column, padded, brief); then(); TROWEXPAND(d, column)",
     [](I i, int r, int) { return i.of_row(r, larger); }},
    {"set_flag(PIPE_V, PIPE_S, EVENT_ID2); wait_flag(PIPE_V, PIPE_S, EVENT_ID2); TCI(counts, 5); set_flag(PIPE_S, "
     "PIPE_V, EVENT_ID1); wait_flag(PIPE_S, PIPE_V, EVENT_ID1); TCVT(row, counts, RoundMode::CAST_NONE); then(); "
     "TCOLEXPAND(d, row)",
     [](I, int, int c) { return static_cast<float>(5 + c); }},
    {"TCVT(whole, a, RoundMode::CAST_RINT); then(); TADDS(whole, whole, 40); then(); TSHLS(whole, whole, 2); then(); "
     "TANDS(whole, whole, 0x3c); then(); TCVT(d, whole, RoundMode::CAST_NONE)",
     [](I i, int r, int c) {
       return static_cast<float>(((static_cast<int>(std::nearbyint(i.a(r, c))) + 40) << 2) & 0x3c);
     }},
};

// The 61 columns of a in the order that sorting each 32 of them gives: the largest first.
float sorted(I i, int r, int c) {
  std::vector<float> block;
  for (int k = c / 32 * 32; k < std::min(columns, c / 32 * 32 + 32); ++k) block.push_back(i.a(r, k));
  std::sort(block.begin(), block.end(), std::greater<>());
  return block[static_cast<size_t>(c % 32)];
}

const Row moved[] = {
    {"TMULADDDST(d, a, b)", [](I i, int r, int c) { return i.b(r, c) + i.a(r, c) * i.b(r, c); }},
    {"TFUSEDMULADD(d, a, b)", [](I i, int r, int c) { return i.b(r, c) * i.a(r, c) + i.b(r, c); }},
    {"TPARTADD(d, a, part)", [](I i, int r, int c) { return r < 9 && c < 40 ? i.a(r, c) + i.b(r, c) : i.a(r, c); }},
    {"TPARTMAX(d, part, a)",
     [](I i, int r, int c) { return r < 9 && c < 40 ? std::max(i.a(r, c), i.b(r, c)) : i.a(r, c); }},
    {"TPARTMIN(d, a, part)",
     [](I i, int r, int c) { return r < 9 && c < 40 ? std::min(i.a(r, c), i.b(r, c)) : i.a(r, c); }},
    {"TPARTMUL(d, a, part)", [](I i, int r, int c) { return r < 9 && c < 40 ? i.a(r, c) * i.b(r, c) : i.a(r, c); }},
    {"TCONCAT(d, left, right)", [](I i, int r, int c) { return c < 24 ? i.b(r, c) : i.b(r, c - 24); }},
    {"TTRI<Rows, 0>(d, 3)", [](I, int r, int c) { return c <= r + 3 ? 1.0f : 0.0f; }},
    {"TTRI<Rows, 1>(d, -2)", [](I, int r, int c) { return c >= r - 2 ? 1.0f : 0.0f; }},
    {"TEXPANDS(places, 7); then(); TGATHER(d, b, places, working)", [](I i, int, int) { return i.b(0, 7); }},
    {"TSORT32(pairs, a, places, t); then(); TGATHER<Full, Pairs, MaskPattern::P0101>(full, pairs); then(); "
     "TMOV(d, whole_of_full)",
     [](I i, int r, int c) { return sorted(i, r, c); }},
};

// What moves elements: packages/instructions, with more tiles.
TEST(A2A3Sim, InstructionsMoveElements) {
  std::string body = R"(using Half = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  Half part(9, 40), left(vr, 24), right(vr, vc - 24), whole_of_full(vr, vc);
  using Pairs = Tile<TileType::Vec, T, R, 2 * C, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using Full = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, R, C>;
  Pairs pairs(vr, 2 * vc);
  Pairs pairs_of_all(vr, 2 * C);
  Full full;
  Tile<TileType::Vec, uint32_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> places(vr, vc), working(vr, vc);
  TASSIGN(part, 4096), TASSIGN(left, 4096), TASSIGN(right, 4096), TASSIGN(pairs, 40960), TASSIGN(pairs_of_all, 40960);
  TASSIGN(full, 57344), TASSIGN(whole_of_full, 57344), TASSIGN(places, 65536), TASSIGN(working, 73728);
  )";
  for (const Row &row : moved) {
    std::string text = row.text;
    if (const size_t at = text.find("<Full, Pairs"); at != std::string::npos) {
      // All of the pairs are picked from: those behind the valid ones are zeros.
      text = "TEXPANDS(pairs_of_all, 0.0f); then(); " + text;
      text.replace(text.find("(full, pairs)"), 13, "(full, pairs_of_all)");
    }
    body += (text.rfind("TMUL", 0) == 0 || text.rfind("TFUSED", 0) == 0 ? "TMOV(d, b); then(); " : "") + text +
            "; store();\n  ";
  }
  Simulated s("instructions");
  s.change("kernels/aiv/all.cpp", "/* what is tested */", body);
  const std::string number = std::to_string(std::size(moved));
  s.change("registry.json", "\"least\": 1", "\"least\": " + number + ", \"most\": " + number);
  Inputs in;
  for (int k = 0; k < rows * pitch; ++k) {
    in.x.push_back(static_cast<float>((k * 7919) % 1777 - 888) / 200 + 0.001f);
    in.y.push_back(static_cast<float>((k * 104729) % 1553 - 776) / 128 + 0.003f);
  }
  const auto count = static_cast<int64_t>(std::size(moved));
  Array<float> x({rows, pitch}), y({rows, pitch}), z({count, rows, pitch}, -1);
  x.data = in.x, y.data = in.y;
  x.tensor.data = x.data.data(), y.tensor.data = y.data.data();
  ASSERT_TRUE(s.run({x.as("x"), y.as("y"), z.as("z")})) << s.said();
  for (int64_t k = 0; k < count; ++k)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const float got = z.data[static_cast<size_t>((k * rows + r) * pitch + c)], wanted = moved[k].is(in, r, c);
        ASSERT_NEAR(got, wanted, std::fabs(wanted) * 1e-6f) << moved[k].text << " at " << r << ", " << c;
      }
}

TEST(A2A3Sim, InstructionsComputeWhatTheySay) {
  std::string body;
  for (const Row &row : table) body += std::string(row.text) + "; store();\n  ";
  Simulated s("instructions");
  s.change("kernels/aiv/all.cpp", "/* what is tested */", body);
  const std::string number = std::to_string(std::size(table));
  s.change("registry.json", "\"least\": 1", "\"least\": " + number + ", \"most\": " + number);
  Inputs in;
  for (int k = 0; k < rows * pitch; ++k) {
    in.x.push_back(static_cast<float>((k * 7919) % 1777 - 888) / 200 + 0.001f);
    in.y.push_back(static_cast<float>((k * 104729) % 1553 - 776) / 128 + 0.003f);
  }
  in.x[0] = 0.5f, in.x[1] = 1.5f, in.x[2] = -2.5f, in.x[3] = 1.0f;
  const auto count = static_cast<int64_t>(std::size(table));
  Array<float> x({rows, pitch}), y({rows, pitch}), z({count, rows, pitch}, -1);
  x.data = in.x, y.data = in.y;
  x.tensor.data = x.data.data(), y.tensor.data = y.data.data();
  ASSERT_TRUE(s.run({x.as("x"), y.as("y"), z.as("z")})) << s.said();
  for (int64_t k = 0; k < count; ++k)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < pitch; ++c) {
        const float got = z.data[static_cast<size_t>((k * rows + r) * pitch + c)];
        const float wanted = c < columns ? table[k].is(in, r, c) : -1;
        ASSERT_NEAR(got, wanted, std::fabs(wanted) * 1e-6f) << table[k].text << " at " << r << ", " << c;
      }
}

} // namespace
} // namespace htp::test
