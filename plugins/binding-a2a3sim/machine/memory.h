// machine/memory.h — memory that knows of each byte whether it was written, and who touched it since. All memories, on
// chip and off, are made of lines of 64 bytes.
#pragma once

#include "refusals.h"

#include "htp_cpp/layout/array.h"
#include "htp_sim.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace htp::a2a3sim {

using htp_sim::Kind;
using htp_sim::Op;
using htp_sim::Operand;
using htp_sim::Pipe;
using htp_sim::Space;
using htp_sim::Type;
using htp_sim::Where;

inline constexpr uint64_t line_bytes = 64;

// Who touched some bytes of a line: the `number`-th operation of a pipe of a task.
struct Access {
  uint32_t task = 0, number = 0;
  uint8_t pipe = 0;
  bool write = false;
  Op op{};
  Where where{};
  uint64_t bytes = 0; // which of the line, a bit each
};
struct Line {
  uint64_t written = 0;         // which bytes hold a value
  std::vector<Access> accesses; // that are not known to be over for all that may come
};

// Where the elements of a tensor lie in its bytes: one behind the other, or with steps between them.
struct Spread {
  uint64_t bytes = 0; // from the first to the last
  std::vector<int64_t> shape = {}, steps = {};
  uint64_t element = 1;

  static Spread strided(std::vector<int64_t> shape, std::vector<int64_t> steps, uint64_t element) {
    const auto span = static_cast<uint64_t>(layout::array_span(steps, shape));
    return {span * element, std::move(shape), std::move(steps), element};
  }
  // Calls f(begin, bytes) for each run of bytes that elements lie in.
  template <class F> void runs(F &&f) const {
    if (bytes == 0) return;
    if (steps.empty()) return f(uint64_t{0}, bytes);
    size_t line = shape.size(); // the dimension whose elements lie side by side
    for (size_t k = 0; k < shape.size(); ++k)
      if (steps[k] == 1 && shape[k] > 1) line = k;
    std::vector<int64_t> at(shape.size());
    for (bool more = true; more;) {
      int64_t first = 0;
      for (size_t k = 0; k < shape.size(); ++k) first += at[k] * steps[k];
      f(static_cast<uint64_t>(first) * element,
        (line < shape.size() ? static_cast<uint64_t>(shape[line]) : 1) * element);
      more = false;
      for (size_t k = shape.size(); k-- > 0 && !more;)
        if (k != line && ++at[k] < shape[k])
          more = true;
        else
          at[k] = 0;
    }
  }
  // The bytes of elements alone.
  uint64_t held() const {
    uint64_t sum = 0;
    runs([&](uint64_t, uint64_t n) { sum += n; });
    return sum;
  }
};

// Bytes behind an address: a space of a core, or one tensor in global memory.
struct Memory {
  std::string name;
  uint64_t size = 0;
  std::vector<Line> lines;
  uint8_t *data = nullptr; // 64-byte aligned
  Spread spread;           // of a tensor: its elements; without any, all bytes

  Memory(std::string name, uint64_t size);
  Memory(Memory &&) = default;
  Memory &operator=(Memory &&) = default;
  void forget(); // nothing is written any more; what was there is poison
  void written(uint64_t begin, uint64_t end);
  // How many bytes of its elements were never written, and how many between them were.
  uint64_t unwritten() const;
  uint64_t stray() const;

private:
  std::unique_ptr<uint8_t[]> storage_;
};

uint64_t bytes_of(Type type);
const char *name_of(Type type);
const char *name_of(Space space);
const char *memory_of(Space space); // the memory that a tile's space is
uint64_t capacity_of(Space space);
const char *name_of(Pipe pipe);
const char *name_of(Op op);

// A byte offset of an element of a tile, within the tile.
uint64_t element_offset(const Operand &tile, int64_t row, int64_t column);
// The offset of an element in global memory, in elements.
int64_t element_of_global(const Operand &global, int64_t row, int64_t column);
int64_t global_rows(const Operand &global);
int64_t global_columns(const Operand &global);

// A rectangle of a tile's elements.
struct Extent {
  int64_t rows = 0, columns = 0, row = 0, column = 0; // row, column: where it begins
};

// Calls f(begin, bytes) for each run of bytes that these elements of a tile lie in, as offsets in its space.
template <class F> void runs_of_tile(const Operand &t, const Extent &e, F &&f) {
  const uint64_t size = bytes_of(t.type);
  const bool by_rows = t.box == htp_sim::Box::none ? t.row_major : t.box == htp_sim::Box::rows;
  // How many elements lie behind each other, and where the next such run begins.
  const int64_t pitch = t.box == htp_sim::Box::none ? (by_rows ? t.columns : t.rows)
                        : by_rows                   ? t.box_columns
                                                    : t.box_rows;
  const int64_t outer = by_rows ? e.rows : e.columns, inner = by_rows ? e.columns : e.rows,
                first = by_rows ? e.column : e.row;
  if (t.box == htp_sim::Box::none && inner == pitch) // the rows lie behind each other
    return f(t.offset + element_offset(t, e.row, e.column), static_cast<uint64_t>(outer * inner) * size);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = first, n = 0; i < first + inner; i += n) {
      n = std::min(pitch - i % pitch, first + inner - i);
      f(t.offset + (by_rows ? element_offset(t, e.row + o, i) : element_offset(t, i, e.column + o)),
        static_cast<uint64_t>(n) * size);
    }
}

// The same of global memory, as addresses.
template <class F> void runs_of_global(const Operand &g, int64_t rows, int64_t columns, F &&f) {
  const int64_t size = static_cast<int64_t>(bytes_of(g.type));
  const auto at = [&](int64_t r, int64_t c) {
    return static_cast<uint8_t *>(g.address) + element_of_global(g, r, c) * size;
  };
  const bool by_columns = g.layout == htp_sim::Global::dn; // a column is contiguous
  const int64_t inner = by_columns ? rows : g.layout == htp_sim::Global::nz ? g.shape[4] : columns;
  const bool compact = g.stride[by_columns ? 3 : 4] == 1;
  if (by_columns) {
    for (int64_t c = 0; c < columns; ++c)
      if (compact)
        f(at(0, c), static_cast<uint64_t>(inner * size));
      else
        for (int64_t r = 0; r < rows; ++r) f(at(r, c), static_cast<uint64_t>(size));
    return;
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; c += compact ? inner : 1)
      f(at(r, c), static_cast<uint64_t>((compact ? std::min(inner, columns - c) : 1) * size));
}

} // namespace htp::a2a3sim
