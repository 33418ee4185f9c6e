// plugins/backend-aie/emit/elements.h — what a core computes with, in upstream dialects: numbers, or as many of them as
// a vector register holds.
#pragma once

#include "emit.h"

namespace htp::aie {

inline constexpr int64_t register_bytes = 64;

struct Lanes {
  const DType *dtype = nullptr;
  int64_t count = 1; // 1: a number
  std::string text() const {
    return count == 1 ? std::string(dtype->text)
                      : "vector<" + std::to_string(count) + "x" + std::string(dtype->text) + ">";
  }
  Lanes of(const DType &other) const { return {&other, count}; }
};

// What elements of a dtype are in a register: of masks, bits.
const DType &held(const DType &dtype);

// A tile as loads and stores see it: dimensions may lie in one.
struct View {
  std::string value;
  std::vector<int64_t> extents;
  const DType *dtype = nullptr;
  // Of a strip: where it begins in the first dimension, and how long that is in memory.
  std::string first{};
  int64_t in_memory = 0;
  int64_t offset = 0; // of its first element in what was acquired with it
  std::string type() const;
};
using Index = std::vector<std::string>;

// A number of a dtype, as MLIR has it.
std::string literal_of(double value, const DType &dtype);

class Elements {
public:
  Elements(Lines &writer, Needs &needs) : w_(writer), needs_(needs) {}

  std::string fresh(std::string_view stem = "%v") { return std::string(stem) + std::to_string(next_++); }
  // Numbers of names that others have in the same body.
  unsigned next() const { return next_; }
  void go_on_from(unsigned next) { next_ = next; }
  // A number of type index.
  std::string number(int64_t n) {
    needs_.numbers.insert(n);
    return "%c" + std::to_string(n);
  }
  static std::string list(const Index &index) {
    return join(index, ", ", [](const std::string &i) { return i; });
  }

  // The same elements with some neighbouring dimensions as one, `groups` of how many.
  View collapse(const View &view, const std::vector<size_t> &groups);
  std::string load(const View &view, const Index &index, int64_t lanes = 1);
  void store(const std::string &value, const View &view, const Index &index, int64_t lanes = 1);

  std::string op(std::string_view name, const std::vector<std::string> &operands, const std::string &type);
  std::string convert(std::string_view name, const std::string &x, const std::string &from, const std::string &to);
  std::string constant(double value, const Lanes &lanes);
  std::string spread(const std::string &x, const Lanes &lanes);
  // The number of lanes, each of which has one of these.
  std::string deal(const std::string &x, const Lanes &lanes, const std::vector<int64_t> &from);
  // As tile.cast: to whole numbers toward zero, the nearest there is, of NaN 0.
  std::string cast(const std::string &x, const Lanes &from, const DType &to);
  // What an operation makes of operands, rounded once.
  std::string compute(std::string_view operation, const std::vector<std::string> &operands, const Lanes &lanes);
  // A mask. Of NaN only `ne` holds.
  std::string compare(std::string_view operation, const std::vector<std::string> &operands, const Lanes &lanes);
  // Of a mask and two others, the one where it holds.
  std::string choose(const std::vector<std::string> &operands, const Lanes &lanes);
  // The larger, or the smaller, of x and a number that is not NaN: NaN where x is, and zeros by their signs.
  std::string limit(std::string_view operation, const std::string &x, const std::string &number, bool negative,
                    const Lanes &lanes);
  // Masks between memory, where one is a byte, and registers; what is no mask stays.
  std::string bits_of(const std::string &x, const Lanes &lanes);
  std::string bytes_of(const std::string &x, const Lanes &lanes);
  // All lanes as one number: `operation` is add, maximum or minimum.
  std::string combine(std::string_view operation, const std::string &x, const Lanes &lanes);

protected:
  Lines &w_;
  Needs &needs_;

private:
  Index placed(const View &view, Index index);
  static std::string bits(const Lanes &lanes) {
    return lanes.count == 1 ? "i1" : "vector<" + std::to_string(lanes.count) + "xi1>";
  }
  std::string select(const std::string &bit, const std::string &yes, const std::string &no, const Lanes &lanes);
  // Of one number by a call; of more in place, so that turns of a loop may overlap.
  std::string call(std::string_view function, const std::vector<std::string> &operands, const Lanes &lanes);
  std::string constant(const std::string &value_and_type);
  unsigned next_ = 0;
};

} // namespace htp::aie
