// Arguments against an entry's typed signature.
#include "host/bind/signature.h"
#include "tensors.h"

#include <gtest/gtest.h>

namespace htp::test {
namespace {

class Arguments : public testing::Test {
protected:
  // What a call of such parameters says; empty where the arguments fit.
  std::string call(std::vector<PackageManifest::Parameter> parameters, const std::vector<htp_argument> &given) {
    PackageManifest::Entry entry{"k", std::move(parameters), "None"};
    Store store;
    Diagnostics diagnostics;
    const Signature signature(entry, store);
    const auto place = [](const std::string &parameter) {
      return Span{std::make_shared<SourceFile>(parameter + ".py", ""), 1, 0, 1, 0};
    };
    const auto arguments = signature.arguments(given, place, diagnostics);
    EXPECT_EQ(arguments.has_value(), diagnostics.errors() == 0);
    order.clear();
    if (arguments)
      for (const htp_argument &a : *arguments) order += a.name;
    std::string text;
    for (const Diagnostic &d : diagnostics.list()) {
      text += (d.span ? d.span.file->path + ": " : "") + d.code + ": " + d.message + "\n";
      for (const std::string &note : d.notes) text += "  note: " + note + "\n";
      for (const std::string &hint : d.hints) text += "  hint: " + hint + "\n";
    }
    return text;
  }
  std::string call(const std::vector<htp_argument> &given) { return call(copy, given); }

  const std::vector<PackageManifest::Parameter> copy{{"x", "in", "Tensor[f32, M, N]"},
                                                     {"y", "out", "Tensor[f32, M, N]"}};
  Array<float> x{{3, 5}}, y{{3, 5}};
  std::string order; // the names of what the binding is given
};

TEST_F(Arguments, FitInAnyOrder) {
  EXPECT_EQ(call({y.as("y"), x.as("x")}), "");
  EXPECT_EQ(order, "xy");
}

TEST_F(Arguments, AreThoseOfTheParameters) {
  EXPECT_EQ(call({x.as("x")}),
            "y.py: bind.missing-argument: `k` is not given `y`\n  hint: its parameters are `x`, `y`\n");
  EXPECT_EQ(call({x.as("x"), y.as("z")}),
            "bind.unknown-argument: `k` has no parameter `z`\n  hint: its parameters are `x`, `y`\n");
  EXPECT_EQ(call({x.as("x"), x.as("x")}), "x.py: bind.given-twice: `k` is given `x` twice\n");
  EXPECT_EQ(call({{nullptr, &x.tensor, 0, 0}}),
            "bind.unknown-argument: `k` has no parameter ``\n  hint: its parameters are `x`, `y`\n");
  EXPECT_EQ(call({}, {}), "");
}

TEST_F(Arguments, HaveTheirDtypeAndRank) {
  EXPECT_EQ(call({{"x", nullptr, 3, 0}, y.as("y")}),
            "x.py: bind.not-an-array: argument `x` is no array\n  hint: pass an array for `x: Tensor[f32, M, N]`\n");
  EXPECT_EQ(call({{"n", "value", "int"}}, {{"n", nullptr, 3, 0}}),
            "n.py: bind.not-an-array: argument `n` is no array\n"
            "  hint: pass an array of one element, without dimensions, for `n: int`\n");
  const Array<double> wide({3, 5});
  EXPECT_EQ(
      call({wide.as("x"), y.as("y")}),
      "x.py: bind.wrong-dtype: argument `x` has dtype `f64`, expected `f32`\n  hint: convert it before the call\n");
  x.tensor.dtype.lanes = 4;
  EXPECT_EQ(call({x.as("x"), y.as("y")}), "x.py: bind.wrong-dtype: argument `x` has dtype 4 lanes of `f32`, expected "
                                          "`f32`\n  hint: convert it before the call\n");
  x.tensor.dtype = {kDLFloat, 4, 1};
  EXPECT_EQ(call({x.as("x"), y.as("y")}), "x.py: bind.wrong-dtype: argument `x` has dtype code 2 of 4 bits, expected "
                                          "`f32`\n  hint: convert it before the call\n");
  const Array<float> flat({15});
  EXPECT_EQ(call({flat.as("x"), y.as("y")}), "x.py: bind.wrong-rank: argument `x` has 1 dimensions, expected 2\n"
                                             "  hint: `x` is declared `Tensor[f32, M, N]`\n");
  // A scalar has one element and no dimension.
  Array<float> scale({});
  Array<int64_t> count({}), counts({1});
  const std::vector<PackageManifest::Parameter> scalars{{"s", "value", "htp.f32"}, {"n", "value", "int"}};
  EXPECT_EQ(call(scalars, {scale.as("s"), count.as("n")}), "");
  EXPECT_EQ(call(scalars, {scale.as("s"), counts.as("n")}),
            "n.py: bind.wrong-rank: argument `n` has 1 dimensions, expected 0\n  hint: `n` is declared `int`\n");
  EXPECT_EQ(
      call(scalars, {scale.as("s"), scale.as("n")}),
      "n.py: bind.wrong-dtype: argument `n` has dtype `f32`, expected `i64`\n  hint: convert it before the call\n");
}

TEST_F(Arguments, GiveADimOneSize) {
  const Array<float> other({3, 6});
  EXPECT_EQ(call({x.as("x"), other.as("y")}), "y.py: bind.wrong-extent: dimension 1 of argument `y` is 6, expected 5\n"
                                              "  note: `N` is 5 by dimension 1 of `x`\n"
                                              "  hint: `y` is declared `Tensor[f32, M, N]`\n");
  EXPECT_EQ(call({{"x", "in", "Tensor[f32, 3, 4]"}}, {x.as("x")}),
            "x.py: bind.wrong-extent: dimension 1 of argument `x` is 5, expected 4\n"
            "  hint: `x` is declared `Tensor[f32, 3, 4]`\n");
}

TEST_F(Arguments, HaveExtentsThatAreMadeOfDims) {
  const auto one = [&](const std::string &type, int64_t m, int64_t n) {
    const Array<float> array({m, n});
    return call({{"a", "in", type}}, {array.as("a")});
  };
  // Where nothing else does, an extent gives a dim its size.
  EXPECT_EQ(one("Tensor[f32, (4 * M) + 2, M]", 14, 3), "");
  EXPECT_EQ(one("Tensor[f32, (4 * M) + 2, 2 * N]", 14, 6), "");
  EXPECT_EQ(one("Tensor[f32, (4 * M) + 2, M]", 15, 3),
            "a.py: bind.wrong-extent: dimension 0 of argument `a` is 15, expected `4 * M + 2`, which is 14\n"
            "  hint: `a` is declared `Tensor[f32, (4 * M) + 2, M]`\n");
  EXPECT_EQ(one("Tensor[f32, (4 * M) + 2, 1]", 15, 1),
            "a.py: bind.wrong-extent: dimension 0 of argument `a` is 15, expected a multiple of 4 and 2\n"
            "  hint: `a` is declared `Tensor[f32, (4 * M) + 2, 1]`\n");
  EXPECT_EQ(one("Tensor[f32, M + 7, 1]", 5, 1),
            "a.py: bind.wrong-extent: dimension 0 of argument `a` is 5, expected at least 7\n"
            "  hint: `a` is declared `Tensor[f32, M + 7, 1]`\n");
  EXPECT_EQ(one("Tensor[f32, M, ((2 * M) + 1) // 3]", 4, 3), "");
  EXPECT_EQ(one("Tensor[f32, M, ((2 * M) + 1) // 3]", 4, 2),
            "a.py: bind.wrong-extent: dimension 1 of argument `a` is 2, expected `(2 * M + 1) // 3`, which is 3\n"
            "  hint: `a` is declared `Tensor[f32, M, ((2 * M) + 1) // 3]`\n");
  EXPECT_EQ(one("Tensor[f32, M, M % 3]", 5, 2), "");
  EXPECT_EQ(one("Tensor[f32, M, 9223372036854775807 * M]", 2, 2),
            "a.py: bind.wrong-extent: dimension 1 of argument `a` is 2, expected `9223372036854775807 * M`\n"
            "  hint: `a` is declared `Tensor[f32, M, 9223372036854775807 * M]`\n");
  const Array<float> small({2}), quotient({3});
  const std::vector<PackageManifest::Parameter> ratio{
      {"a", "in", "Tensor[f32, M]"}, {"b", "in", "Tensor[f32, M // K]"}, {"c", "in", "Tensor[f32, K]"}};
  const Array<float> seven({7});
  EXPECT_EQ(call(ratio, {seven.as("a"), quotient.as("b"), small.as("c")}), "");
  const Array<float> none({0});
  EXPECT_EQ(call(ratio, {seven.as("a"), quotient.as("b"), none.as("c")}),
            "b.py: bind.wrong-extent: dimension 0 of argument `b` is 3, expected `M // K`\n"
            "  hint: `b` is declared `Tensor[f32, M // K]`\n");
}

TEST_F(Arguments, LieAsTheirTypesSay) {
  const std::vector<PackageManifest::Parameter> laid_out{
      {"x", "in", "Tensor[f32, 3, 5, htp.layout(((3, 1, \"m\"), (5, 3, \"m\")))]"},
      {"y", "out", "Tensor[f32, 3, 5, htp.layout(((3, 8, \"m\"), (5, 1, \"m\")))]"}};
  Array<float> wide{{3, 8}};
  EXPECT_EQ(call(laid_out, {x.as("x"), y.as("y")}),
            "x.py: bind.other-layout: argument `x` lies as `htp.layout(((15, 1, \"m\"),))`, expected "
            "`htp.layout(((3, 1, \"m\"), (5, 3, \"m\")))`\n  hint: a copy that lies so: `numpy.asfortranarray(x)`\n");
  x.strides = {1, 3}, x.tensor.strides = x.strides.data();
  EXPECT_EQ(call(laid_out, {x.as("x"), y.as("y")}),
            "y.py: bind.other-layout: argument `y` lies as `htp.layout(((15, 1, \"m\"),))`, expected "
            "`htp.layout(((3, 8, \"m\"), (5, 1, \"m\")))`\n"
            "  hint: a copy that lies so: `htp.layouts.array(x, htp.layout(((3, 8, \"m\"), (5, 1, \"m\"))))`\n");
  wide.tensor.shape[1] = 5, wide.strides = {8, 1}, wide.tensor.strides = wide.strides.data();
  EXPECT_EQ(call(laid_out, {x.as("x"), wide.as("y")}), "");
}

// Steps that are dims have the values that a call's arrays have.
TEST_F(Arguments, LieAsACallSays) {
  const std::vector<PackageManifest::Parameter> by_call{
      {"x", "in", "Tensor[f32, M, N, htp.layouts.strided((M, N), (S, 1))]"},
      {"y", "out", "Tensor[f32, M, N, htp.layouts.strided((M, N), (S, T))]"}};
  const auto called = [&](std::vector<int64_t> of_x, std::vector<int64_t> of_y) {
    Array<float> a({3, 64}), b({3, 64});
    a.tensor.shape[1] = b.tensor.shape[1] = 5;
    a.strides = std::move(of_x), a.tensor.strides = a.strides.data();
    b.strides = std::move(of_y), b.tensor.strides = b.strides.data();
    return call(by_call, {a.as("x"), b.as("y")});
  };
  EXPECT_EQ(called({5, 1}, {5, 1}), "");
  EXPECT_EQ(called({16, 1}, {16, 2}), "");
  EXPECT_EQ(called({1, 1}, {1, 3}), ""); // what is only read may lie over itself
  EXPECT_EQ(called({5, 1}, {6, 1}),
            "y.py: bind.other-step: elements of dimension 0 of argument `y` are 6 apart, expected 5\n"
            "  note: `S` is 5 by the steps of `x`\n"
            "  hint: `y` is declared `Tensor[f32, M, N, htp.layouts.strided((M, N), (S, T))]`\n");
  const std::string same = "expected `htp.layouts.strided((M, N), (S, ";
  EXPECT_EQ(called({5, 2}, {5, 1}),
            "x.py: bind.other-layout: argument `x` lies as `strides of (5, 2)`, " + same +
                "1))`\n  note: elements of dimension 1 are 2 apart, and its type says 1\n"
                "  note: its elements lie at 0 2 4 6 8; 5 7 9 11 13; 10 12 14 16 18\n"
                "  hint: a copy that lies so: `htp.layouts.array(x, htp.layouts.strided((3, 5), (5, 1)))`\n");
  EXPECT_NE(called({-5, 1}, {5, 1}).find("note: dimension 0 runs backwards"), std::string::npos);
  EXPECT_NE(called({4, 1}, {4, 1}).find("note: it is written, and elements of dimension 0 meet others"),
            std::string::npos);
}

// In blocks: the storage, an array of one dimension.
TEST_F(Arguments, AreStoragesWhereNoStepsAreSaid) {
  const std::vector<PackageManifest::Parameter> blocks{
      {"x", "in", "Tensor[f32, 4, 4, htp.layout(((2, 8, \"m\"), (2, 2, \"m\"), (2, 4, \"m\"), (2, 1, \"m\")))]"}};
  const Array<float> rows({4, 4}), storage({16}), shorter({15});
  EXPECT_EQ(call(blocks, {storage.as("x")}), "");
  EXPECT_EQ(
      call(blocks, {rows.as("x")}),
      "x.py: bind.other-layout: argument `x` lies as `htp.layout(((16, 1, \"m\"),))`, expected "
      "`htp.layout(((2, 8, \"m\"), (2, 2, \"m\"), (2, 4, \"m\"), (2, 1, \"m\")))`\n"
      "  hint: give its storage, an array of 16 elements: `htp.layouts.array(x, htp.layout(((2, 8, \"m\"), (2, 2, "
      "\"m\"), (2, 4, \"m\"), (2, 1, \"m\"))))`\n");
  EXPECT_NE(call(blocks, {shorter.as("x")}).find("bind.wrong-extent: dimension 0 of argument `x` is 15, expected 16"),
            std::string::npos);
}

// Packages of hosts that wrote the user's own notation.
TEST_F(Arguments, LieRowMajorWhereTheManifestIsOld) {
  EXPECT_EQ(call({{"x", "in", "Tensor[f32, 3, 5, htp.layouts.ordered((3, 5), (1, 0))]"},
                  {"y", "out", "Tensor[f32, 3, 5, htp.layouts.shard((ROWS, 5), ('x', None), mesh={'x': 3})]"}},
                 {x.as("x"), y.as("y")}),
            "");
}

TEST_F(Arguments, OfRowsBesideEachOtherShareNothing) {
  const auto rows = [](const std::string &name, const char *direction) {
    return PackageManifest::Parameter{name, direction, "Tensor[f32, 3, 4, htp.layout(((3, 8, \"m\"), (4, 1, \"m\")))]"};
  };
  Array<float> left{{3, 8}}, right{{3, 8}};
  for (Array<float> *a : {&left, &right})
    a->tensor.shape[1] = 4, a->strides = {8, 1}, a->tensor.strides = a->strides.data();
  right.tensor.data = left.tensor.data;
  right.tensor.byte_offset = 4 * sizeof(float);
  EXPECT_EQ(call({rows("x", "in"), rows("y", "out")}, {left.as("x"), right.as("y")}), "");
  right.tensor.byte_offset = 3 * sizeof(float);
  EXPECT_EQ(call({rows("x", "in"), rows("y", "out")}, {left.as("x"), right.as("y")}),
            "y.py: bind.aliased: arguments `x` and `y` overlap in memory\n"
            "  hint: pass a copy of one; `y` is written\n");
}

TEST_F(Arguments, LieInMemory) {
  x.strides = {1, 3}, x.tensor.strides = x.strides.data();
  EXPECT_EQ(call({x.as("x"), y.as("y")}), "x.py: bind.not-contiguous: argument `x` is not contiguous\n");
  x.strides = {5, 1};
  EXPECT_EQ(call({x.as("x"), y.as("y")}), "");
  x.tensor.device.device_type = 2;
  EXPECT_EQ(call({x.as("x"), y.as("y")}), "x.py: bind.wrong-device: argument `x` lies on a device (DLPack's type 2), "
                                          "expected this machine's memory\n");
  Array<float> more({4, 5});
  more.shape[0] = 3, more.tensor.data = reinterpret_cast<char *>(more.data.data()) + 1;
  EXPECT_EQ(call({more.as("x"), y.as("y")}),
            "x.py: bind.misaligned: argument `x` is not aligned to its elements of 4 bytes\n");
  more.tensor.byte_offset = 3;
  EXPECT_EQ(call({more.as("x"), y.as("y")}), "");
}

TEST_F(Arguments, AreWellFormed) {
  x.shape[0] = -3;
  EXPECT_EQ(call({x.as("x"), y.as("y")}),
            "x.py: bind.malformed-array: argument `x` is no valid array: dimension 0 is -3\n");
  x.shape = {int64_t{1} << 40, int64_t{1} << 40}, x.tensor.shape = x.shape.data();
  EXPECT_EQ(call({x.as("x"), y.as("y")}),
            "x.py: bind.malformed-array: argument `x` is no valid array: it has more bytes "
            "than memory has addresses\n");
  x.shape = {3, 5}, x.tensor.shape = x.shape.data(), x.tensor.data = nullptr;
  EXPECT_EQ(call({x.as("x"), y.as("y")}),
            "x.py: bind.malformed-array: argument `x` is no valid array: it has elements, and no address\n");
  // What has no element needs none, and lies in any order.
  x.shape = {0, 5}, x.strides = {1, 7}, x.tensor.shape = x.shape.data(), x.tensor.strides = x.strides.data();
  const Array<float> none({0, 5});
  EXPECT_EQ(call({x.as("x"), none.as("y")}), "");
}

TEST_F(Arguments, ShareNoMemoryThatIsWritten) {
  EXPECT_EQ(call({y.as("x"), y.as("y")}), "y.py: bind.aliased: arguments `x` and `y` overlap in memory\n"
                                          "  hint: pass a copy of one; `y` is written\n");
  const std::vector<PackageManifest::Parameter> reads{{"x", "in", "Tensor[f32, M, N]"},
                                                      {"y", "in", "Tensor[f32, M, N]"}};
  EXPECT_EQ(call(reads, {y.as("x"), y.as("y")}), "");
  // The last row of one is the first of the other.
  Array<float> rows({5, 4});
  std::vector<int64_t> shape{3, 4};
  DLTensor first = rows.tensor, last = rows.tensor;
  first.shape = last.shape = shape.data();
  last.byte_offset = 2 * 4 * sizeof(float);
  const std::vector<PackageManifest::Parameter> both{{"x", "inout", "Tensor[f32, M, N]"},
                                                     {"y", "in", "Tensor[f32, M, N]"}};
  EXPECT_EQ(
      call(both, {{"x", &first, 0, 0}, {"y", &last, 0, 0}}),
      "x.py: bind.aliased: arguments `x` and `y` overlap in memory\n  hint: pass a copy of one; `x` is written\n");
  shape[0] = 2;
  EXPECT_EQ(call(both, {{"x", &first, 0, 0}, {"y", &last, 0, 0}}), "");
}

// A layout and a space say nothing of a call; a type that is no array's is for its binding.
TEST_F(Arguments, OfOtherTypes) {
  EXPECT_EQ(call({{"x", "in", "htp_tile.Tensor[htp.f32, M, N, Sharded(S(0), R), space('L1')]"}}, {x.as("x")}), "");
  EXPECT_EQ(call({{"x", "in", "Queue[Ticket, 4]"}}, {{"x", nullptr, 3, 0}}), "");
  EXPECT_EQ(call({{"x", "in", "not a type"}}, {{"x", nullptr, 3, 0}}), "");
}

} // namespace
} // namespace htp::test
