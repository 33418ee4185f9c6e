// plugins/backend-aie/spreading/grid_read.h — what of a kernel decides whether it is products by the matrix units, and
// how it goes over the whole array.
#pragma once

#include "spreading/grid.h"

namespace htp::aie {

// A product of the kernel: an operand with the rows of the sums, one with their columns, either of them turned, and
// what they are added up in.
struct Term {
  const Access *a = nullptr, *b = nullptr;
  std::string a_tile, b_tile, sums;
  bool a_turned = false, b_turned = false;
  Node multiplied = HTP_NONE, loop = HTP_NONE; // where blocks of K are gone through
};

// Which elements of the sums a tile that is loaded beside the blocks counts for, or what is computed of such.
enum class Line : uint8_t { none, columns, rows, one };

// Products of one size that are made of the same blocks of rows and of columns, and what is done with the sums'
// elements one by one.
struct Products {
  Product product;
  std::vector<Term> terms;
  const Access *c = nullptr;
  int i = -1, j = -1, batch = -1;           // loops of rows, of columns, and of products one after the other
  bool packs_a = false, packs_b = false;    // by the host
  std::vector<Item> lines;                  // what is computed of what comes with them, before the products
  std::vector<Item> before, behind;         // the loops of the products
  std::string stored;                       // the tile that is stored, but for dimensions of 1
  std::map<std::string, std::string> taken; // values that have the memory of sums: which

  const Term *of_sums(std::string_view tile) const {
    for (const Term &t : terms)
      if (t.sums == tile) return &t;
    return nullptr;
  }
  // The sums whose memory a tile has, or that it is; null for others.
  const std::string *sums_at(const std::string &tile) const {
    const auto it = taken.find(tile);
    const Term *t = of_sums(it == taken.end() ? tile : it->second);
    return t ? &t->sums : nullptr;
  }
};

// What a tile counts for in products.
Line line_of(const Kernel &kernel, const Products &found, std::string_view tile);

// Whether a kernel is such products. Where it has a product that the units could do and is not, `why` says what keeps
// it from being spread so.
bool read_products(const Kernel &kernel, const Device &device, Products &found, Refused &why);

} // namespace htp::aie
