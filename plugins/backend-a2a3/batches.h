// plugins/backend-a2a3/batches.h — dimensions before the last two, which a tile in a core's memory does not have.
#pragma once

#include "a2a3.h"

namespace htp::a2a3 {

// The module with `for b in tiles(B, 4)` as `for b in range(B)` where b is the first of more than two extents of a
// tile, or of a tile to index with, and the first wherever it is one: each operation treats the indices of b apart
// then.
Node with_single_batches(const Context &c, Node root);

// The module with `for i in tiles(M, 1)` as `for i in range(M)` where i is no block of columns: a tile of one row has
// no room for more then.
Node with_single_rows(const Context &c, Node root);

// The module with loops whose bodies compute element by element along a whole dimension of unknown size in parts of it:
// `for columns in tiles(N, 256)`.
Node with_rows_in_parts(const Context &c, Node root);

// The module with rows that are reduced in as many passes over parts of them as they ask for, where they are longer
// than the unified buffer takes: `if N <= 1024:` in one pass, `else:` in several.
Node with_rows_in_passes(const Context &c, Node root);

// The module of instructions with results written where they are moved to, and products that are added to zero as they
// are.
Node with_results_in_place(const Context &c, Node root);

// The module with what is loaded twice from one place of an input loaded once, where nothing is multiplied.
Node with_shared_loads(const Context &c, Node root);

// The module whose outputs go both ways where data decides what is written: what is not keeps what it had. Of
// instructions.
Node with_kept_outputs(const Context &c, Node root);

// The module whose tiles that a body binds again have a name for each binding, where something is multiplied.
Node with_own_names(const Context &c, Node root);

// The module without branches that a constant decides, and with one comparison after the other.
Node with_decided_branches(const Context &c, Node root);

// The module with casts of i8 to i32 in two steps, but for those that products take, and with what is made whole to be
// cast rounded by the cast.
Node with_whole_casts(const Context &c, Node root);

// The module with `min` and `max` of two ints each, and with loops that go upwards.
Node with_plain_ints(const Context &c, Node root);

// The module with all memory beside the parameters at the beginning of the entry: what is made for a block has a place
// for each of them.
Node with_whole_buffers(const Context &c, Node root);

// Indices of stores that are ints as `int(h)`, by which handlers tell them from blocks, and back; and extents of counts
// that are no blocks.
Node with_marked_indices(const Context &c, Node root, bool marked);

// Instructions that a program writes itself: whether there are any, whether they write to tiles of their own, which are
// what they are behind a2a3.select, without a type.
bool has_words(const Context &c, Node root);
bool check_words(const Context &c, Node root);
Node with_plain_tiles(const Context &c, Node root);

} // namespace htp::a2a3
