// plugins/backend-aie/emit/computing.h — what a core computes between its acquires and releases, as functions of tiles.
#pragma once

#include "elements.h"

#include <functional>

namespace htp::aie {

// Statements that are one loop: operations on single elements whose tiles go alike, or one statement of another kind.
struct Chain {
  std::vector<const Statement *> statements;
  size_t first = 0;  // dimensions from this on are one run
  int64_t lanes = 0; // 0: not of single elements
};
std::vector<Chain> chains_of(const std::vector<const Statement *> &statements);
// Tiles that never leave the registers of a chain, and have no memory.
std::set<const Tile *> in_registers(const Core &core);

// Whether a statement computes and nothing else, with all that stands in it.
bool only_computes(const Statement &s);
// The tile that lies in memory: of a strip, the one that it is of.
inline const Tile *lying(const Tile &t) { return t.whole ? t.whole : &t; }
// A tile's name as a value, apart from those that are made here: they end with a digit, but for two.
std::string value_of(const Tile &t);
// That tile as it comes to a function.
View lying_view(const Program &p, const Tile &t);

// The body of a function, whose parameters have the tiles' names; `turns` are those of the loops around, by their
// variables.
class Computing : Elements {
public:
  Computing(Lines &lines, Needs &needs, const Context &context, const Program &program,
            const std::set<const Tile *> &registers, std::map<std::string, std::string> turns)
      : Elements(lines, needs), c(context), p(program), registers_(registers), turns_(std::move(turns)) {}
  void block(const std::vector<const Statement *> &statements);
  // In the body of a core, whose values have other names.
  using Names = std::function<std::string(const Tile &)>;
  unsigned block(const std::vector<const Statement *> &statements, const Names &names, unsigned next) {
    names_ = names;
    go_on_from(next);
    block(statements);
    return this->next();
  }

private:
  View view(const Tile &t);
  View last_as_one(const View &v, size_t first);
  void cite(const Statement &s);

  void chain(const Chain &chain);
  static bool limits(const Statement &s);
  std::string limit(const Statement &s, const std::vector<std::string> &operands, const Lanes &lanes);
  void transpose(const Statement &s);
  void unpack(const Statement &s);
  void reduce(const Statement &s);
  void multiply(const Statement &s);
  void multiply_blocks(const Statement &s);
  void rows_of(const Statement &s, const Index &outer, int64_t rows, int64_t depth, int64_t together);
  std::string along(const View &from, const Index &outer, const std::string &at, const std::string &begin,
                    std::string_view operation, const Lanes &lanes, int64_t first, int64_t end, int64_t step);

  Writer::Block loop_of(const std::string &name, int64_t end, int64_t begin = 0, int64_t step = 1) {
    return w_.block("}", "scf.for ", name, " = ", number(begin), " to ", number(end), " step ", number(step), " {");
  }
  // Calls `inside` in loops over `extents`, of which those of 1 need none.
  template <class F> void nest(const std::vector<int64_t> &extents, const F &inside, Index index = {}) {
    if (index.size() == extents.size()) return inside(index);
    const int64_t extent = extents[index.size()];
    if (extent == 1) {
      index.push_back(number(0));
      return nest(extents, inside, std::move(index));
    }
    index.push_back(fresh("%i"));
    auto loop = loop_of(index.back(), extent);
    nest(extents, inside, std::move(index));
  }
  // Calls `inside` with an index and the number of elements from there, in loops over 0 to `extent`.
  template <class F> void run(int64_t extent, int64_t lanes, const F &inside) {
    const int64_t whole = lanes > 1 ? extent / lanes * lanes : 0;
    if (whole) {
      const std::string at = fresh("%i");
      auto loop = loop_of(at, whole, 0, lanes);
      inside(at, lanes);
    }
    if (whole == extent) return;
    if (extent == 1) return inside(number(0), int64_t{1});
    const std::string at = fresh("%i");
    auto loop = loop_of(at, extent, whole);
    inside(at, int64_t{1});
  }
  static Index with(Index index, const std::string &last) {
    index.push_back(last);
    return index;
  }

  const Context &c;
  const Program &p;
  const std::set<const Tile *> &registers_;
  std::map<std::string, std::string> turns_;
  std::set<const Statement *> cited_;
  Names names_ = value_of;
};
// ProductForm by the matrix units are short, and follow one another: a call would be felt. They are functions
// nevertheless where a core has no memory for as many copies as its loops become.
bool in_place(const std::vector<const Statement *> &statements);

// The functions of a module, each of which stands there once however many cores call it.
class Functions {
public:
  Functions(const Context &context, const Program &program, Locations &locations);
  struct Call {
    std::string name;
    std::vector<const Tile *> tiles; // in memory, in the order of its parameters
    std::vector<std::string> turns;  // and the variables of the loops around
  };
  // For what some statements of a core compute.
  const Call &of(const std::vector<const Statement *> &statements, const std::set<const Tile *> &registers);
  void write(Writer &w);
  // What one takes of a core's program memory, with what it calls.
  int64_t bytes(const std::string &name) const { return bytes_.at(name); }

private:
  const Context &c;
  const Program &p;
  Locations &locations_;
  NameTable names_;
  std::map<const Statement *, Call> calls_;    // by the first
  std::map<std::string, std::string> by_text_; // names, by what they do wherever it comes from
  std::vector<std::string> texts_;
  std::map<std::string, int64_t> bytes_;
  Needs needs_;
};

} // namespace htp::aie
