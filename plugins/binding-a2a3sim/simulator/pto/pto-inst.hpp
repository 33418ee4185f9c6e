// pto/pto-inst.hpp — the tile instruction set as kernels use it, for HTP's simulator. Written from the published interface; each instruction is
// a row of instructions.def. Operands are erased to plain data here, so a kernel compiles fast and all checks name its own line.
#pragma once

#include "htp_bind.h"
#include "htp_sim_float.h"

#include <initializer_list>
#include <type_traits>

#define HTP_SIMULATOR // not the instruction set's own simulation
#define AICORE
#define __aicore__
#define __gm__
#define __ubuf__
#define __global__
#define __tf__
#define PTO_INST inline

using pipe_t = int;
using event_t = int;
enum : int { PIPE_S, PIPE_V, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M, PIPE_ALL, PIPE_FIX };
enum : int { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

struct half {
  uint16_t bits = 0;
  half() = default;
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>> half(N n) : bits(htp_sim::narrow_half(static_cast<float>(n))) {}
  operator float() const { return htp_sim::widen_half(bits); }
};
struct bfloat16_t {
  uint16_t bits = 0;
  bfloat16_t() = default;
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>> bfloat16_t(N n) : bits(htp_sim::narrow_bfloat(static_cast<float>(n))) {}
  operator float() const { return htp_sim::widen_bfloat(bits); }
};
using float16_t = half;

namespace pto {

inline constexpr int DYNAMIC = -1;

enum class TileType { Vec, Mat, Left, Right, Acc, Bias, Scaling };
enum class BLayout { RowMajor, ColMajor };
enum class SLayout { NoneBox, RowMajor, ColMajor };
enum class Layout { ND, DN, NZ };
enum class PadValue : uint64_t { Null, Zero, Max, Min };
enum class CompactMode { Null, Normal };
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_ROUND, CAST_FLOOR, CAST_CEIL, CAST_TRUNC, CAST_ODD };
enum class SaturationMode : uint8_t { ON, OFF };
enum class CmpMode : uint8_t { EQ, NE, LT, LE, GT, GE };
enum class MaskPattern : uint8_t { P0101 = 1, P1010 = 2, P0001 = 3, P0010 = 4, P0100 = 5, P1000 = 6, P1111 = 7 };
enum class AtomicType : uint8_t { AtomicNone, AtomicAdd };
enum class ReluPreMode : uint8_t { NoRelu, NormalRelu };

struct TileConfig {
  static constexpr int fractalABSize = 512, fractalCSize = 1024;
};

template <class T> constexpr htp_sim::Type type_of() {
  using htp_sim::Type;
  if constexpr (std::is_same_v<T, float>) return Type::f32;
  else if constexpr (std::is_same_v<T, half>) return Type::f16;
  else if constexpr (std::is_same_v<T, bfloat16_t>) return Type::bf16;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return std::is_signed_v<T> ? Type::i8 : Type::u8;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 2) return std::is_signed_v<T> ? Type::i16 : Type::u16;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? Type::i32 : Type::u32;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? Type::i64 : Type::u64;
  else static_assert(sizeof(T) == 0, "tiles hold f32, f16, bf16 or integers");
}

template <TileType Loc_, class Element, int Rows_, int Cols_, BLayout BFractal = BLayout::RowMajor, int RowValid = Rows_, int ColValid = Cols_,
          SLayout SFractal = SLayout::NoneBox, int SFractalSize = TileConfig::fractalABSize, auto PadVal_ = PadValue::Null,
          CompactMode Compact = CompactMode::Null>
struct Tile {
  using DType = Element;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_, Cols = Cols_, ValidRow = RowValid, ValidCol = ColValid, Numel = Rows * Cols;
  static constexpr bool isRowMajor = BFractal == BLayout::RowMajor, isBoxedLayout = SFractal != SLayout::NoneBox;
  static constexpr auto PadVal = PadVal_;
  static constexpr int narrow = 32 / static_cast<int>(sizeof(Element));
  static constexpr int InnerRows = !isBoxedLayout ? 1 : SFractalSize == 1024 || SFractal == SLayout::RowMajor ? 16 : narrow;
  static constexpr int InnerCols = !isBoxedLayout ? 1 : SFractalSize == 1024 || SFractal == SLayout::ColMajor ? 16 : narrow;
  static_assert(Rows > 0 && Cols > 0 && ValidRow <= Rows && ValidCol <= Cols && ValidRow != 0 && ValidCol != 0, "the valid extents lie in the tile, and is not empty");
  static_assert(SFractalSize == 512 || SFractalSize == 1024, "boxes are of 512 or 1024 bytes");
  static_assert(isBoxedLayout || (isRowMajor ? Cols : Rows) * sizeof(Element) % 32 == 0, "a row (or column, of a ColMajor tile) is a multiple of 32 bytes");
  static_assert(Loc == TileType::Vec || Rows == 1 || Rows % InnerRows == 0, "the rows are a multiple of the box's");
  static_assert(Cols % InnerCols == 0, "the columns are a multiple of the box's");

  Tile() { set(ValidRow, ValidCol); }
  template <int R = ValidRow, int C = ValidCol, class = std::enable_if_t<R == DYNAMIC && C == DYNAMIC>> Tile(unsigned rows, unsigned columns) {
    set(static_cast<int>(rows), static_cast<int>(columns));
  }
  template <int R = ValidRow, int C = ValidCol, class = std::enable_if_t<(R == DYNAMIC) != (C == DYNAMIC)>> explicit Tile(unsigned extent) {
    R == DYNAMIC ? set(static_cast<int>(extent), C) : set(R, static_cast<int>(extent));
  }
  unsigned GetValidRow() const { return static_cast<unsigned>(tile.valid_rows); }
  unsigned GetValidCol() const { return static_cast<unsigned>(tile.valid_columns); }
  void SetValidRow(unsigned rows) { tile.valid_rows = static_cast<int>(rows); }
  void SetValidCol(unsigned columns) { tile.valid_columns = static_cast<int>(columns); }
  void SetValidShape(unsigned rows, unsigned columns) { SetValidRow(rows), SetValidCol(columns); }
  Element GetValue(uint32_t index, const char *file = __builtin_FILE(), int line = __builtin_LINE()) const {
    Element value;
    htp_sim::machine->element(htp_sim::machine->core, tile, index, 0, &value, {file, line});
    return value;
  }
  void SetValue(uint32_t index, Element value, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    htp_sim::machine->element(htp_sim::machine->core, tile, index, 1, &value, {file, line});
  }

  htp_sim::Operand tile;

private:
  void set(int rows, int columns) {
    tile.kind = htp_sim::Kind::tile;
    tile.type = type_of<Element>();
    tile.space = static_cast<htp_sim::Space>(Loc);
    tile.row_major = isRowMajor;
    tile.box = static_cast<htp_sim::Box>(SFractal);
    tile.rows = Rows, tile.columns = Cols;
    tile.box_rows = InnerRows, tile.box_columns = InnerCols;
    if (Loc == TileType::Left && Rows == 1) tile.box = htp_sim::Box::none, tile.box_rows = tile.box_columns = 1; // as TGEMV takes it
    tile.pad = static_cast<uint64_t>(PadVal);
    tile.valid_rows = rows, tile.valid_columns = columns;
  }
};

template <class T, int R, int C, int VR = R, int VC = C>
using TileLeft = Tile<TileType::Left, T, R, C, BLayout::RowMajor, VR, VC, SLayout::RowMajor, 512>;
template <class T, int R, int C, int VR = R, int VC = C>
using TileRight = Tile<TileType::Right, T, R, C, BLayout::RowMajor, VR, VC, SLayout::ColMajor, 512>;
template <class T, int R, int C, int VR = R, int VC = C>
using TileAcc = Tile<TileType::Acc, T, R, C, BLayout::ColMajor, VR, VC, SLayout::RowMajor, 1024>;

// Five numbers, of which DYNAMIC ones are given to the constructor, in their order.
template <int64_t... N> struct Five {
  static_assert(sizeof...(N) == 5);
  static constexpr int64_t fixed[5] = {N...};
  static constexpr int dynamic = ((N == DYNAMIC) + ...);
  int64_t value[5] = {(N == DYNAMIC ? 1 : N)...};
  Five() = default;
  template <class... I, class = std::enable_if_t<sizeof...(I) == 5 || (sizeof...(I) > 0 && sizeof...(I) == dynamic)>> Five(I... given) {
    const int64_t values[] = {static_cast<int64_t>(given)...};
    for (int at = 0, next = 0; at < 5; ++at)
      if (fixed[at] == DYNAMIC) value[at] = values[sizeof...(I) == 5 ? at : next++];
  }
};
template <int64_t A = 1, int64_t B = 1, int64_t C = 1, int64_t D = 1, int64_t E = 1> struct Shape : Five<A, B, C, D, E> {
  using Five<A, B, C, D, E>::Five;
};
template <int64_t A = 1, int64_t B = 1, int64_t C = 1, int64_t D = 1, int64_t E = 1> struct Stride : Five<A, B, C, D, E> {
  using Five<A, B, C, D, E>::Five;
};

template <class Element, class Shape_, class Stride_, Layout Layout_ = Layout::ND> struct GlobalTensor {
  using DType = Element;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;
  GlobalTensor(Element *data, const Shape &shape = {}, const Stride &stride = {}) {
    global.kind = htp_sim::Kind::global;
    global.type = type_of<std::remove_const_t<Element>>();
    global.layout = static_cast<htp_sim::Global>(Layout_);
    global.assigned = true;
    global.address = const_cast<std::remove_const_t<Element> *>(data);
    for (int k = 0; k < 5; ++k) global.shape[k] = shape.value[k], global.stride[k] = stride.value[k];
  }
  int64_t GetShape(int dim) const { return global.shape[dim]; }
  int64_t GetStride(int dim) const { return global.stride[dim]; }
  Element *data() const { return static_cast<Element *>(global.address); }

  htp_sim::Operand global;
};

// Any operand, and where the instruction stands.
struct Arg {
  htp_sim::Operand operand;
  Arg() = default;
  template <class T> Arg(const T &value, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    if constexpr (requires { value.tile; }) {
      operand = value.tile;
    } else if constexpr (requires { value.global; }) {
      operand = value.global;
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      operand.kind = htp_sim::Kind::integer;
      operand.integer = static_cast<int64_t>(value);
      operand.real = static_cast<double>(operand.integer);
    } else {
      operand.kind = htp_sim::Kind::real;
      operand.real = static_cast<double>(static_cast<float>(value));
      operand.integer = operand.real >= -9e18 && operand.real <= 9e18 ? static_cast<int64_t>(operand.real) : 0;
    }
    operand.where = {file, line};
  }
};

inline void issue(htp_sim::Op op, uint32_t options, std::initializer_list<const Arg *> arguments) {
  htp_sim::Operand operands[8];
  uint32_t count = 0;
  for (const Arg *a : arguments)
    if (a->operand.kind != htp_sim::Kind::none) operands[count++] = a->operand;
  htp_sim::machine->issue(htp_sim::machine->core, op, operands, count, options, operands[0].where);
}

#define PTO(name, pipe, roles, family, dtypes)                                                                                                   \
  inline void name(const Arg &a, const Arg &b, const Arg &c = {}, const Arg &d = {}, const Arg &e = {}, const Arg &f = {}) {                     \
    issue(htp_sim::Op::name, 0, {&a, &b, &c, &d, &e, &f});                                                                                       \
  }
#include "instructions.def"

// The forms with template arguments.
template <class TileData, class GlobalData, AtomicType atomic, ReluPreMode relu = ReluPreMode::NoRelu>
void TSTORE(GlobalData &global, TileData &tile, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Arg a(global, file, line), b(tile, file, line);
  issue(htp_sim::Op::TSTORE, (atomic == AtomicType::AtomicAdd ? htp_sim::adds : 0u) | (relu == ReluPreMode::NormalRelu ? htp_sim::relu : 0u), {&a, &b});
}
template <class D, class S, MaskPattern pattern>
void TGATHER(D &to, S &from, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Arg a(to, file, line), b(from, file, line), c(pattern, file, line);
  issue(htp_sim::Op::TGATHER_PATTERN, 0, {&a, &b, &c});
}
template <MaskPattern pattern, class D, class S>
void TSCATTER(D &to, S &from, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Arg a(to, file, line), b(from, file, line), c(pattern, file, line);
  issue(htp_sim::Op::TSCATTER_PATTERN, 0, {&a, &b, &c});
}
template <class TileData, int side> void TTRI(TileData &tile, int diagonal, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Arg a(tile, file, line), b(diagonal, file, line), c(side, file, line);
  issue(htp_sim::Op::TTRI, 0, {&a, &b, &c});
}
template <class TileData, class T, int descending>
void TCI(TileData &tile, T start, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  const Arg a(tile, file, line), b(start, file, line);
  issue(htp_sim::Op::TCI, descending ? htp_sim::descending : 0u, {&a, &b});
}

// ── bindings of tiles to memory, views ──────────────────────────────────────────────────────────────────────────────

template <class T, class Address> void TASSIGN(T &object, Address address) {
  if constexpr (requires { object.tile; }) {
    object.tile.offset = static_cast<uint64_t>(address);
    object.tile.assigned = true;
  } else {
    object.global.address = const_cast<std::remove_const_t<typename T::DType> *>(address);
  }
}
template <auto Address, class T> void TASSIGN(T &tile) { TASSIGN(tile, Address); }
template <class D, class S> void TRESHAPE(D &to, const S &from) {
  static_assert(D::Loc == S::Loc && D::Numel * sizeof(typename D::DType) == S::Numel * sizeof(typename S::DType), "the same bytes of one space");
  static_assert(D::isBoxedLayout == S::isBoxedLayout, "boxes stay boxes");
  to.tile.offset = from.tile.offset;
  to.tile.assigned = from.tile.assigned;
}
template <class D, class S> void TSUBVIEW(D &to, const S &from, uint16_t row, uint16_t column) {
  static_assert(D::Loc == S::Loc && !S::isBoxedLayout && !D::isBoxedLayout && S::isRowMajor, "of tiles without boxes, row by row");
  to.tile.offset = from.tile.offset + (static_cast<uint64_t>(row) * S::Cols + column) * sizeof(typename S::DType);
  to.tile.assigned = from.tile.assigned;
}

} // namespace pto

// An index that comes from data.
#define HTP_INSIDE(tensor, dimension, start, stop, size) htp_inside(#tensor, dimension, start, stop, size)
inline void htp_inside(const char *tensor, int dimension, int64_t start, int64_t stop, int64_t size, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (start < 0 || stop > size) htp_sim::machine->outside(htp_sim::machine->core, tensor, dimension, start, stop, size, {file, line});
}

// ── synchronisation ─────────────────────────────────────────────────────────────────────────────────────────────────

inline void set_flag(pipe_t from, pipe_t to, int id, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  htp_sim::machine->set_flag(htp_sim::machine->core, from, to, id, {file, line});
}
inline void wait_flag(pipe_t from, pipe_t to, int id, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  htp_sim::machine->wait_flag(htp_sim::machine->core, from, to, id, {file, line});
}
inline void pipe_barrier(pipe_t pipe, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  htp_sim::machine->barrier(htp_sim::machine->core, pipe, {file, line});
}
