// Places that are no block of a loop: `i + 1`, `3`. What is computed block by block is computed there too where only
// indices depend on the block.
#pragma once

#include "wsp.h"

namespace htp::wsp {

// Whether an index is arithmetic over blocks and ints.
bool is_place(const Transform &t, Node index);
// Where the block `variable` is used for something else than to index; 0: nowhere beneath `n`.
Node beyond_indices(const Transform &t, Node n, const std::string &variable);
// `n` with places where the names of blocks stand.
Node with_places(const Context &c, Node n, const std::map<std::string, Node> &places);

// What a consumer reads of a buffer around its own block: `h[i, :] + h[i + 2, :]`.
struct Halo {
  std::string buffer;
  size_t dimension = 0;
  int64_t low = 0, high = 0;       // the nearest and the farthest index, from the block's own on
  TensorAccess store;              // the producer's
  std::vector<TensorAccess> reads; // the consumer's
};
// Nothing where the consumer needs its own block alone, or what it needs is not seen.
std::optional<Halo> halo_of(const Transform &t, const Loop &producer, const Loop &consumer);
// Each iteration of the consumer computes its own block and what is around it, in a buffer of its own.
bool compute_with_halo(Transform &t, const Directive &d, const Loop &producer, const Loop &consumer, const Halo &halo);

} // namespace htp::wsp
