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
  std::vector<Node> lines;                  // what is computed of what comes with them, before the products
  std::vector<Item> before, behind;         // the loops of the products
  std::string stored;                       // the tile that is stored, but for dimensions of 1
  std::map<std::string, std::string> taken; // values that lie where sums did: which

  const Term *of_sums(std::string_view tile) const {
    for (const Term &t : terms)
      if (t.sums == tile) return &t;
    return nullptr;
  }
  // The sums in whose place a tile lies, or that it is; null for others.
  const std::string *sums_at(const std::string &tile) const {
    const auto it = taken.find(tile);
    const Term *t = of_sums(it == taken.end() ? tile : it->second);
    return t ? &t->sums : nullptr;
  }
};

// What words and loads of a kernel say.
class Statements {
public:
  explicit Statements(const Kernel &kernel) : c(kernel.c), k_(kernel) {}
  const Access *access_of(Node statement) const;
  ast::Call call_of(Node statement) const { return c.get<ast::Call>(c.get<ast::Expr>(statement).value()); }
  std::string intrinsic_of(Node statement) const;
  const Buffer *buffer(Node name) const;
  std::string target_of(Node statement) const; // of a buffer, a word or a load
  Line line_of(const Products &found, Node name) const;

protected:
  const Context &c;
  const Kernel &k_;
};

// Whether a kernel is such products. Where it has a product that the units could do and is not, `why` says what keeps
// it from being spread so.
bool read_products(const Kernel &kernel, const Device &device, Products &found, Refused &why);

} // namespace htp::aie
