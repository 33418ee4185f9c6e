// plugins/backend-aie/spreading/grid.h — a product of matrices over the whole array: blocks of rows for each column of
// cores, blocks of columns for each row of them.
#pragma once

#include "analyses/effort.h"
#include "spreading/sharing.h"

namespace htp::aie {

// c[M, N] = a[M, K] b[K, N], as far as its sizes matter; or what is made of several, each with sums of its own.
struct Product {
  int64_t rows = 0, columns = 0, depth = 0;
  int64_t bytes = 1, sum_bytes = 4, out_bytes = 4; // of an element of the operands, of the sums, of the result
  int64_t scratch_bytes = 0;                       // that an element takes on its way from the sums to the result
  Effort finish;                                   // of sixteen elements on this way, beside being loaded and stored
  int64_t panel = 0; // b lies in panels of so many columns, b[N / panel, K, panel], and c is c[M, N / panel, panel]
  // What the host packs comes in blocks as cores want them, one more each where other operands come with it: how
  // many bytes of these an operand's row or column has, and its tiles in a core with what is computed of them.
  struct Packed {
    bool by_host = false;
    int64_t tensors = 0, bytes = 0, tile_bytes = 0, single_bytes = 0; // the last: of tiles of one element
  } with_a, with_b;
  const Unit *unit = nullptr;
  int64_t terms = 1, batches = 1;        // products of the same blocks; and such one after the other
  int64_t own_rows = 0, own_columns = 0; // of the program's own blocks
};

// Cores, and blocks of `m` by `n` that each of them makes at a time, `k` products deep; `m` goes by strips.
struct Grid {
  int64_t columns = 1, rows = 1, m = 0, n = 0, k = 0, strip = 0, out_depth = 2;
  double share = 0;       // predicted: of the products that all cores of the device could do meanwhile
  std::string_view bound; // what most of the time goes by
  bool found() const { return m > 0; }
};
// The one that is predicted to be over first, by the costs that modules are predicted by (costs.def);
// of several the one with fewer cores, then with less in their memory. None where nothing fits, and where cores that
// have whole products of a batch to do, by the program's blocks, are over before.
Grid search_grid(const Product &product, const Device &device, int64_t columns);

// `with aie.device(…):` of a kernel that is products by the matrix units and what is done with its elements, after a
// note that says why it is so; nothing, and no report, where it is another one. Then `why` says what keeps a product
// that the units could do from it.
Node on_grid(const Kernel &kernel, const Device &device, int64_t columns, Refused &why);

} // namespace htp::aie
