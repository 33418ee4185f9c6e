// plugins/backend-aie/spreading/padding.h — what a ragged block is filled up with, and whether that counts.
#pragma once

#include "spreading/kernel.h"

namespace htp::aie {

// What a core does, by its tiles and operations: what is known of loops is what they are called here.
struct Filled {
  struct Tile {
    const DType *dtype = nullptr; // null: none that cores calculate with
    std::vector<int> loops;       // whose block an extent is, or -1
  };
  struct Operation {
    Node node = HTP_NONE;
    std::string name;
    std::vector<Node> operands; // the first is written
  };
  std::map<std::string, Tile, std::less<>> tiles;
  std::vector<std::pair<std::string, size_t>> loaded; // of tensors, by their numbers
  std::vector<Operation> operations;
  std::set<int> ragged; // loops
};
// The first operation that would count what blocks are filled up with, and the loop whose blocks those are.
struct Counted {
  Node by = HTP_NONE;
  int loop = -1;
  std::string how{}; // the operation's name
};
// What tensors are filled up with, by their numbers, so that nothing counts it: it stays as it is where that does. What
// does count it else.
Counted choose_fills(const Context &c, Node root, const std::vector<Filled> &all, std::vector<Fill> &fills);
// The same of a kernel, whose parameters then say it.
Counted choose_fills(Kernel &kernel);
// What there is to do about it, as a hint.
std::string hint_for(const Counted &counted, int64_t extent, int64_t block);

} // namespace htp::aie
