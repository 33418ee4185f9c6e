// htp_kernel.h: how a kernel reads its arguments, and short names for the tiles it uses. Argument k is a tensor for k < tensors, else a scalar.
//   -DHTP_CONTRACT=202603               pto-runtime/2026-03, host_build_graph: a tensor is its address
//   -DHTP_CONTRACT=202603 -DHTP_RUNTIME_TRB   the same, tensormap_and_ringbuffer: a tensor is a descriptor
//   -DHTP_CONTRACT=202608               simpler/2026-08, both runtimes: a tensor is a descriptor
// Of a descriptor of pto-runtime/2026-03 the part of the tensor that the task is given is passed over: places are those of the whole.
// Where it is not told, it is the one whose headers are there: no runtime's own tool tells it.
#pragma once

#ifndef HTP_CONTRACT
#if __has_include("tensor_pool.h")
#define HTP_CONTRACT 202603
#define HTP_RUNTIME_TRB
#elif __has_include("tensor.h")
#define HTP_CONTRACT 202608
#else
#define HTP_CONTRACT 202603
#endif
#endif
#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__ [aicore]
#endif

#if HTP_CONTRACT == 202608
#include "tensor.h"
#elif defined(HTP_RUNTIME_TRB)
#include "tensor.h"
#endif

#if HTP_CONTRACT == 202608
#define HTP_TENSOR(T, k)                                                                                               \
  (reinterpret_cast<__gm__ T *>(reinterpret_cast<__gm__ ChipTensor *>(args[k])->buffer.addr) +                         \
   reinterpret_cast<__gm__ ChipTensor *>(args[k])->start_offset)
#elif defined(HTP_RUNTIME_TRB)
#define HTP_TENSOR(T, k) (reinterpret_cast<__gm__ T *>(reinterpret_cast<__gm__ TensorData *>(args[k])->buffer.addr))
#else
#define HTP_TENSOR(T, k) (reinterpret_cast<__gm__ T *>(args[k]))
#endif
#define HTP_SCALAR(k) (static_cast<int64_t>(args[k]))
#define HTP_VALUE(tensor, k) (static_cast<int64_t>((tensor)[k]))
#ifndef HTP_INSIDE // that an index is inside of a dimension: HTP's simulator holds it, a processor does not
#define HTP_INSIDE(tensor, dimension, start, stop, size) static_cast<void>(0)
#endif

// Rows of a tensor that lie `ld` elements apart; a tile with room for R x C elements, of which the constructor's count; and a column of R.
template <typename T>
using HtpRows = pto::GlobalTensor<T, pto::Shape<1, 1, 1, pto::DYNAMIC, pto::DYNAMIC>, pto::Stride<1, 1, 1, pto::DYNAMIC, 1>>;
template <typename T> AICORE inline HtpRows<T> htp_rows(__gm__ T *first, int64_t rows, int64_t columns, int64_t ld) {
  return HtpRows<T>(first, pto::Shape<1, 1, 1, pto::DYNAMIC, pto::DYNAMIC>(1, 1, 1, rows, columns),
                    pto::Stride<1, 1, 1, pto::DYNAMIC, 1>(1, 1, 1, ld, 1));
}
template <typename T, int R, int C>
using HtpTile = pto::Tile<pto::TileType::Vec, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R>
using HtpColumn = pto::Tile<pto::TileType::Vec, T, R, 1, pto::BLayout::ColMajor, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C, pto::PadValue P>
using HtpPadded = pto::Tile<pto::TileType::Vec, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC, pto::SLayout::NoneBox, 512, P>;

// The same seen by columns, which lie `ld` elements apart; and tiles of the cube's memories.
template <typename T>
using HtpColumns = pto::GlobalTensor<T, pto::Shape<1, 1, 1, pto::DYNAMIC, pto::DYNAMIC>, pto::Stride<1, 1, 1, 1, pto::DYNAMIC>, pto::Layout::DN>;
template <typename T> AICORE inline HtpColumns<T> htp_columns(__gm__ T *first, int64_t rows, int64_t columns, int64_t ld) {
  return HtpColumns<T>(first, pto::Shape<1, 1, 1, pto::DYNAMIC, pto::DYNAMIC>(1, 1, 1, rows, columns),
                       pto::Stride<1, 1, 1, 1, pto::DYNAMIC>(1, 1, 1, 1, ld));
}
template <typename T, int R, int C>
using HtpMat = pto::Tile<pto::TileType::Mat, T, R, C, pto::BLayout::ColMajor, pto::DYNAMIC, pto::DYNAMIC, pto::SLayout::RowMajor, 512>;
template <typename T, int R, int C>
using HtpMatZn = pto::Tile<pto::TileType::Mat, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC, pto::SLayout::ColMajor, 512>;
template <typename T, int R, int C> using HtpMatNd = pto::Tile<pto::TileType::Mat, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C> using HtpBias = pto::Tile<pto::TileType::Bias, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C> using HtpScaling = pto::Tile<pto::TileType::Scaling, T, R, C, pto::BLayout::RowMajor, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C> using HtpLeft = pto::TileLeft<T, R, C, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C> using HtpRight = pto::TileRight<T, R, C, pto::DYNAMIC, pto::DYNAMIC>;
template <typename T, int R, int C> using HtpAcc = pto::TileAcc<T, R, C, pto::DYNAMIC, pto::DYNAMIC>;

AICORE inline int64_t htp_min(int64_t a, int64_t b) { return a < b ? a : b; }
AICORE inline int64_t htp_max(int64_t a, int64_t b) { return a < b ? b : a; }
// As Python's // and %.
AICORE inline int64_t htp_floordiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
AICORE inline int64_t htp_mod(int64_t a, int64_t b) { return a - htp_floordiv(a, b) * b; }

#if defined(__CPU_SIM) && !defined(HTP_SIMULATOR)
// The instruction set's own simulation counts the bits of a mask on from row to row, by the columns that are valid; the processors begin each row of it with a row of
// its tile. Both do the same where all columns are valid, so they are while a mask is made of a number or chosen by. What is chosen beyond those that count is not used.
template <typename Mask, typename X> inline void htp_compare(Mask &mask, X &x, typename X::DType number, pto::CmpMode mode) {
  const unsigned columns = mask.GetValidCol();
  mask.SetValidCol(X::Cols / 8);
  pto::TCMPS(mask, x, number, mode);
  mask.SetValidCol(columns);
}
template <typename X, typename Mask, typename Work> inline void htp_select(X &target, Mask &mask, X &a, X &b, Work &work) {
  const unsigned columns = target.GetValidCol(), bits = mask.GetValidCol();
  target.SetValidCol(X::Cols);
  mask.SetValidCol(X::Cols / 8);
  pto::TSEL(target, mask, a, b, work);
  target.SetValidCol(columns);
  mask.SetValidCol(bits);
}
// Its sum of rows asks that what is summed up have room for as many rows as the result: one row has one, and its sum a line of 32 bytes.
template <typename Y, typename X, typename Work> inline void htp_rowsum(Y &target, X &x, Work &work) {
  if constexpr (Y::Rows == X::Rows) {
    pto::TROWSUM(target, x, work);
  } else {
    static_assert(X::Rows < Y::Rows);
    HtpTile<typename X::DType, Y::Rows, X::Cols> roomy(x.GetValidRow(), x.GetValidCol());
    roomy.data() = x.data();
    pto::TROWSUM(target, roomy, work);
  }
}
// It has one way to convert, and does not say whether what is too large wraps around.
#define TCVT(to, from, mode, ...) pto::TCVT(to, from, mode)
#define TROWSUM(...) htp_rowsum(__VA_ARGS__)
#define TCMPS(...) htp_compare(__VA_ARGS__)
#define TSEL(...) htp_select(__VA_ARGS__)
#endif
