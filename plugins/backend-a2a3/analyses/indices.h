// plugins/backend-a2a3/analyses/indices.h — blocks as ints: where one begins, how many rows it has, and what a
// transfer's index is of them.
#pragma once

#include "analyses/tasks.h"

#include <map>

namespace htp::a2a3 {

// A block of a loop: the ints that say where it begins and how much of it there is, and the most.
struct Block {
  std::string at, count;
  int64_t most = 0;
  const PartLoop *part = nullptr; // of which it lies in a part
};

// Expressions over the blocks and ints of the loops around, which whoever goes over the loops keeps here.
class Indices {
public:
  Indices(const Context &context, const Names &names, const sdk::Constants &constants, Node function)
      : c(context), names_(names), constants_(constants), function_(function) {}

  std::map<std::string, Block, std::less<>> blocks;
  std::map<std::string, const PartLoop *, std::less<>> counted;  // ints of loops that have parts
  std::map<std::string, std::vector<const PartLoop *>> memories; // between kernels, and which parts dimensions go with

  std::set<std::string, std::less<>> tasks; // loops of tasks, which are ints

  std::string text_of_extent(Node n) const;
  // The most that a block of `size` has of an extent.
  int64_t most_of(Node extent, int64_t size) const;
  static std::string end_of(const PartLoop &p) { return "min(" + p.name + " + " + p.step + ", " + p.extent + ")"; }
  // `i.start`, `i.stop`, `len(i)` in an expression, as ints: with `own`, of what lies between kernels, of which a task
  // has its part alone.
  Node ints(Node n, bool own = false) const;
  // An instruction over ints: of a transfer's index, blocks are slices. What has no form is refused.
  Node indexed(Node call);

private:
  std::string begin_of(const Block &b, bool own) const;
  // The block of an index that is one, or one and an int more or less; else the index itself.
  Node block_in(Node n, std::string &further) const;
  // The extent of a dimension of a parameter.
  std::string extent_of(Node tensor, size_t dim) const;
  // Which parts an index goes with.
  const PartLoop *part_of(Node n) const;
  // Whether it asks for more of a block than where it begins and how long it is.
  bool mentions_block(Node n) const;

  const Context &c;
  const Names &names_;
  const sdk::Constants &constants_;
  Node function_;
};

} // namespace htp::a2a3
