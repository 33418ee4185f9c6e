#include "memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace htp::a2a3sim {

namespace {
// A quiet NaN as f32, f16 and bf16; a number that no program means as an integer.
constexpr uint8_t poison = 0xff;
} // namespace

Memory::Memory(std::string n, uint64_t bytes)
    : name(std::move(n)), size(bytes), lines((bytes + line_bytes - 1) / line_bytes),
      storage_(new uint8_t[(lines.size() + 1) * line_bytes]) {
  const auto address = reinterpret_cast<uintptr_t>(storage_.get());
  data = storage_.get() + (line_bytes - address % line_bytes) % line_bytes;
  std::memset(data, poison, lines.size() * line_bytes);
}

void Memory::forget() {
  for (Line &line : lines) line.written = 0, line.accesses.clear();
  std::memset(data, poison, size);
}

void Memory::written(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end; ++at) lines[at / line_bytes].written |= uint64_t{1} << at % line_bytes;
}

uint64_t Memory::unwritten() const {
  uint64_t missing = 0;
  (spread.bytes ? spread : Spread{size}).runs([&](uint64_t begin, uint64_t bytes) {
    for (uint64_t at = begin; at < begin + bytes;) {
      const uint64_t first = at % line_bytes, n = std::min(line_bytes - first, begin + bytes - at);
      const uint64_t mask = (n == line_bytes ? ~uint64_t{0} : (uint64_t{1} << n) - 1) << first;
      missing += n - static_cast<uint64_t>(std::popcount(lines[at / line_bytes].written & mask));
      at += n;
    }
  });
  return missing;
}

uint64_t Memory::stray() const {
  uint64_t all = 0;
  for (const Line &line : lines) all += static_cast<uint64_t>(std::popcount(line.written));
  return all - ((spread.bytes ? spread.held() : size) - unwritten());
}

uint64_t bytes_of(Type type) {
  switch (type) {
  case Type::i8:
  case Type::u8: return 1;
  case Type::f16:
  case Type::bf16:
  case Type::i16:
  case Type::u16: return 2;
  case Type::i64:
  case Type::u64: return 8;
  default: return 4;
  }
}

const char *name_of(Type type) {
  constexpr const char *names[] = {"none", "f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"};
  return names[static_cast<size_t>(type)];
}
const char *name_of(Space space) {
  constexpr const char *names[] = {"Vec", "Mat", "Left", "Right", "Acc", "Bias", "Scaling"};
  return names[static_cast<size_t>(space)];
}
const char *memory_of(Space space) {
  constexpr const char *names[] = {"UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
  return names[static_cast<size_t>(space)];
}
uint64_t capacity_of(Space space) {
  constexpr uint64_t kilobytes[] = {192, 512, 64, 64, 128, 1, 2};
  return kilobytes[static_cast<size_t>(space)] << 10;
}
const char *name_of(Pipe pipe) {
  constexpr const char *names[] = {"S", "V", "MTE1", "MTE2", "MTE3", "M", "ALL", "FIX"};
  return pipe < htp_sim::pipe_count ? names[pipe] : "?";
}
const char *name_of(Op op) {
  static constexpr const char *names[] = {
#define PTO(name, ...) #name,
#include "instructions.def"
  };
  return names[static_cast<size_t>(op)];
}

uint64_t element_offset(const Operand &t, int64_t r, int64_t c) {
  const auto size = static_cast<int64_t>(bytes_of(t.type));
  if (t.box == htp_sim::Box::none)
    return static_cast<uint64_t>((t.row_major ? r * t.columns + c : c * t.rows + r) * size);
  const int64_t box_r = r / t.box_rows, box_c = c / t.box_columns, in_r = r % t.box_rows, in_c = c % t.box_columns;
  const int64_t box = t.row_major ? box_r * (t.columns / t.box_columns) + box_c : box_c * (t.rows / t.box_rows) + box_r;
  const int64_t inner = t.box == htp_sim::Box::rows ? in_r * t.box_columns + in_c : in_c * t.box_rows + in_r;
  return static_cast<uint64_t>((box * t.box_rows * t.box_columns + inner) * size);
}

// The five dimensions: of ND the last is the column and the others together the row, of DN the fourth is the row and
// the others together the column; NZ is (outer, column of boxes, row of boxes, row, column).
int64_t element_of_global(const Operand &g, int64_t r, int64_t c) {
  const int64_t *shape = g.shape, *stride = g.stride;
  int64_t at[5];
  switch (g.layout) {
  case htp_sim::Global::nd:
    at[4] = c, at[3] = r % shape[3], r /= shape[3], at[2] = r % shape[2], r /= shape[2], at[1] = r % shape[1],
    at[0] = r / shape[1];
    break;
  case htp_sim::Global::dn:
    at[3] = r, at[4] = c % shape[4], c /= shape[4], at[2] = c % shape[2], c /= shape[2], at[1] = c % shape[1],
    at[0] = c / shape[1];
    break;
  default:
    at[4] = c % shape[4], c /= shape[4], at[1] = c % shape[1], at[0] = c / shape[1], at[2] = r / shape[3],
    at[3] = r % shape[3];
  }
  int64_t element = 0;
  for (int k = 0; k < 5; ++k) element += at[k] * stride[k];
  return element;
}
int64_t global_rows(const Operand &g) {
  const int64_t *s = g.shape;
  return g.layout == htp_sim::Global::nd   ? s[0] * s[1] * s[2] * s[3]
         : g.layout == htp_sim::Global::dn ? s[3]
                                           : s[2] * s[3];
}
int64_t global_columns(const Operand &g) {
  const int64_t *s = g.shape;
  return g.layout == htp_sim::Global::nd   ? s[4]
         : g.layout == htp_sim::Global::dn ? s[0] * s[1] * s[2] * s[4]
                                           : s[0] * s[1] * s[4];
}

} // namespace htp::a2a3sim
