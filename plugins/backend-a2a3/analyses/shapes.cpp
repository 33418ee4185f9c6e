#include "analyses/shapes.h"

namespace htp::a2a3 {

namespace {
struct InstructionRow {
  std::string_view name, dtypes;
};
constexpr InstructionRow instructions[] = {
#define INSTRUCTION(name, dtypes) {name, " " dtypes " "},
#include "analyses/instructions.def"
};

constexpr DType dtypes[] = {{"i8", "int8_t", 1},       {"u8", "uint8_t", 1},   {"i16", "int16_t", 2},
                            {"u16", "uint16_t", 2},    {"i32", "int32_t", 4},  {"u32", "uint32_t", 4},
                            {"i64", "int64_t", 8},     {"u64", "uint64_t", 8}, {"f16", "half", 2},
                            {"bf16", "bfloat16_t", 2}, {"f32", "float", 4}};
} // namespace

Shape shape_of(const std::vector<Extent> &extents) {
  std::vector<size_t> left;
  for (size_t d = 0; d < extents.size(); ++d)
    if (!extents[d].is(1)) left.push_back(d);
  Shape s;
  if (left.empty()) {
    s.kind = Kind::single;
  } else if (left.back() + 1 != extents.size()) {
    if (left.size() == 1) s.kind = Kind::column, s.rows = extents[left[0]];
  } else if (left.size() == 1) {
    s.kind = Kind::row, s.columns = extents[left[0]];
  } else if (left.size() == 2) {
    s.kind = Kind::matrix, s.rows = extents[left[0]], s.columns = extents[left[1]];
  }
  return s;
}

const DType *dtype_named(std::string_view name) {
  for (const DType &d : dtypes)
    if (d.name == name) return &d;
  return nullptr;
}

bool calculates(std::string_view instruction, std::string_view dtype) {
  for (const InstructionRow &i : instructions)
    if (i.name == instruction) return i.dtypes.find(" " + std::string(dtype) + " ") != std::string_view::npos;
  return false;
}

} // namespace htp::a2a3
