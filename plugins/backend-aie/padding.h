// plugins/backend-aie/padding.h — what a ragged block is filled up with, and whether that counts.
#pragma once

#include "kernel.h"

namespace htp::aie {

// What a core does, by its tiles and words: what is known of loops is what they are called here.
struct Filled {
  struct Tile {
    const DType *dtype = nullptr; // null: none that cores calculate with
    std::vector<int> loops;       // whose block an extent is, or -1
  };
  struct Word {
    Node node = HTP_NONE;
    std::string name;
    std::vector<Node> operands; // the first is written
  };
  std::map<std::string, Tile, std::less<>> tiles;
  std::set<std::string, std::less<>> loaded; // of tensors, which zeros fill up
  std::vector<Word> words;
  std::set<int> ragged; // loops
};
// The first word that would count what blocks are filled up with, and the loop whose blocks those are.
struct Counted {
  Node word = HTP_NONE;
  int loop = -1;
};
Counted counted(const Context &c, Node root, const Filled &filled);
Counted counted(const Kernel &kernel);

} // namespace htp::aie
