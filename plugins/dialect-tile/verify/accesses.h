// The accesses of a kernel in the order of its text, and what that order and the loops around them show, which is most
// of what is asked: no sets of ints are needed then (verify/ints.h).
#pragma once

#include "language/module.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::tile {

class Accesses {
public:
  Accesses(const Module &module, Node function);

  // Whether each store to the tensor is certain to be read, or to be left in an output, at some sizes. Of a tensor that
  // is not stored to it is.
  bool all_used(std::string_view tensor) const;
  bool all_used() const; // of all tensors
  // Whether all that is read of the tensor has certainly been stored to before, at all sizes, or was there before the
  // kernel.
  bool all_stored(std::string_view tensor) const;
  bool all_stored() const;

private:
  // What statements stand in: the function, a loop, a way of a branch …
  struct Scope {
    size_t parent = 0, depth = 0;
    // Of a loop that goes over all of an extent, or over all of a block, and that runs where there are elements at all:
    // its variable, and the extent as it is written or the loop that makes the block.
    bool plain = false, blocks = false;
    std::string variable{}, over{};
    size_t from = 0;
  };
  static constexpr size_t none = SIZE_MAX;
  struct Access {
    bool reads = false, writes = false, made = false;
    bool known = false; // the indices say what it touches, and all of that is written, or read
    bool all = false;   // it touches all of the tensor
    std::vector<Node> indices{};
    size_t time = 0; // of its statement
    size_t scope = 0;
    size_t before = none; // the last of the tensor's that was no read
  };
  struct Tensor {
    bool given = false, left = false;   // it is there before the kernel, and when that has ended
    std::vector<std::string> extents{}; // as they are written; empty: not known
    std::vector<Access> accesses{};
    size_t changed = none; // the last that was no read
  };

  void block(Nodes statements);
  void statement(Node n);
  void loop(Node n);
  void inside(Scope scope, Nodes statements);
  void binding(Node target, Node value);
  void calls(Node n);
  void call(Node n);
  void add(Tensor &tensor, Access access);
  std::string extent(Node n) const;
  std::string extent(const std::string &name, int64_t size) const;

  bool contains(size_t scope, size_t inner) const;
  size_t common(size_t a, size_t b) const;
  size_t scope_of(Node name, size_t from) const;
  bool plain_up_to(size_t scope, size_t outer) const;
  // The dimension is gone over as a whole by loops around `a` within `outer`, which are put to `used`.
  bool covers(const Tensor &tensor, const Access &a, size_t dimension, size_t outer, std::vector<size_t> &used) const;
  bool same_index(const Access &a, const Access &b, size_t dimension, size_t outer) const;
  bool is_whole(Node index) const;
  bool reaches(const Tensor &tensor, const Access &store, const Access &read) const;
  bool fills(const Tensor &tensor, const Access &store, const Access &read) const;
  bool used(const Tensor &tensor) const;
  bool stored(const Tensor &tensor) const;

  const Module &m_;
  const Context &c;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::set<std::string, std::less<>> assigned_; // names that are not bound by loops alone
  std::vector<Scope> scopes_{Scope{}};
  size_t scope_ = 0, time_ = 0;
  bool readable_ = true; // all statements are understood
};

} // namespace htp::tile
