// htp_sim.h — what crosses from a simulated kernel to the machine that simulates it: plain data. A kernel's text is
// compiled against thin headers that describe each instruction's operands and hand them over; what it means, whether it
// is legal, and when it runs is the machine's.
#pragma once

#include <cstdint>

namespace htp_sim {

struct Where {
  const char *file;
  int line;
};

enum class Type : uint8_t { none, f32, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64 };
enum class Space : uint8_t { vec, mat, left, right, acc, bias, scaling };
enum class Kind : uint8_t { none, tile, global, integer, real };
enum class Box : uint8_t { none, rows, columns }; // how elements lie within a box
enum class Global : uint8_t { nd, dn, nz };
enum Pipe : uint8_t { PIPE_S_, PIPE_V_, PIPE_MTE1_, PIPE_MTE2_, PIPE_MTE3_, PIPE_M_, PIPE_ALL_, PIPE_FIX_, pipe_count };

// One operand: a tile, a slice of global memory, or a number.
struct Operand {
  Kind kind = Kind::none;
  Type type = Type::none;
  // a tile
  Space space = Space::vec;
  bool row_major = true; // of its boxes, or of its elements when it has none
  Box box = Box::none;
  bool assigned = false;
  int32_t rows = 0, columns = 0, valid_rows = 0, valid_columns = 0;
  int32_t box_rows = 1, box_columns = 1;
  uint64_t offset = 0; // in bytes, in its space
  uint64_t pad = 0;    // pto::PadValue
  // global memory
  Global layout = Global::nd;
  void *address = nullptr;
  int64_t shape[5] = {}, stride[5] = {};
  // a number
  int64_t integer = 0;
  double real = 0;
  Where where = {nullptr, 0};
};

enum class Op : uint16_t {
#define PTO(name, ...) name,
#include "instructions.def"
  count
};
enum Option : uint32_t { adds = 1, relu = 2, descending = 4 };

// The machine as the kernel sees it; bound before the kernel is called (htp_bind.h).
struct Machine {
  void *core;
  void (*issue)(void *core, Op op, const Operand *operands, uint32_t count, uint32_t options, Where where);
  void (*set_flag)(void *core, int from, int to, int id, Where where);
  void (*wait_flag)(void *core, int from, int to, int id, Where where);
  void (*barrier)(void *core, int pipe, Where where);
  // A scalar's access to an element of a tile: a value is read into, or written from `bytes`.
  void (*element)(void *core, const Operand &tile, uint64_t index, int write, void *bytes, Where where);
  // An index start:stop is not inside of a tensor's dimension of that size.
  void (*outside)(void *core, const char *tensor, int dimension, int64_t start, int64_t stop, int64_t size,
                  Where where);
};

} // namespace htp_sim
