// plugins/backend-aie/analyses/blocks.h — which tiles lie in blocks, so that products go by the matrix units.
#pragma once

#include "analyses/program.h"

#include <map>
#include <set>

namespace htp::aie {

struct Block { // rows and columns
  int64_t rows = 0, columns = 0;
  bool operator==(const Block &) const = default;
};

// A product that the matrix units of a device do at once.
struct Unit {
  std::string_view device, dtype, sums;
  int64_t rows, depth, columns;
  bool contracted;
};
const Unit *unit_of(std::string_view device, std::string_view dtype, std::string_view sums);

// What is to be laid out: tiles and the blocks of streams, by name, and what is done with them.
struct Layout {
  struct Tile {
    std::vector<int64_t> extents;
    std::string dtype;
  };
  struct Use { // of the target first
    std::string operation;
    std::vector<std::string> tiles; // empty: a number
    Node node = HTP_NONE;
  };
  std::map<std::string, Tile, std::less<>> tiles;
  std::vector<Use> uses;
};
struct Blocks {
  std::map<std::string, Block, std::less<>> of; // tiles that lie in blocks
  std::set<Node> products;                      // which then are of blocks
  // What keeps another product in rows: a statement that does, a tile that is no multiple of its blocks, or blocks
  // that are not alike.
  struct Kept {
    Node by = HTP_NONE;
    std::string tile;
    Block one, other;
  };
  std::map<Node, Kept> kept;
};
// Products that the units of a device do, as long as whatever else is done with their operands is done element by
// element with others that lie as they do.
Blocks blocks_of(std::string_view device, const Layout &layout);
// The entry with what the products that the units do need in blocks: blocks of streams, what goes from
// core to core, and buffers; and one of these products. Nothing where they do none.
struct UnitBlocks {
  Node entry = HTP_NONE;
  const Statement *product = nullptr;
};
UnitBlocks with_unit_blocks(const Context &c, const Program &p, Node entry);
// What keeps a product of named cores in rows; nothing where its tiles may lie in blocks.
Refusal kept_in_rows(const Context &c, const Program &p, Node product);
// (…, m, n) as (…, m/r, n/c, r, c), and (n) as one row.
std::vector<int64_t> in_blocks(std::vector<int64_t> extents, const Block &block);

} // namespace htp::aie
