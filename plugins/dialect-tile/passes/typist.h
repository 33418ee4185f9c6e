// tile.infer at work: the type of every name, each from its intrinsic's owner.
#pragma once

#include "diagnostics.h"
#include "language/module.h"
#include "rules/rules.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <map>
#include <set>

namespace htp::tile {

class Typist {
public:
  Typist(const Module &module, Node function);
  // The module with every first binding annotated; the same node when all were.
  Result run(Node &out);

private:
  struct Known {
    Node type;  // an annotation: Tile[…], Tensor[…], Block[…] of the extent it was cut from, or another plugin's
    Node where; // the first binding
  };

  void parameters();
  std::vector<uint32_t> body(Nodes statements);
  Node statement(Node n);
  Node binding(Node n, Node target, Node annotation, Node value);
  Node loop(Node n);
  Node branch(Node n);
  Node copied(Node value, Node type);
  // What operands may be that only a program's text says: an int is a tile of the dtype that the others have, and what
  // is stored has the dimensions that the index has. Statements that make it so stand before.
  Node spelled_out(Node value);
  Node mean(Node call);
  // compound.cpp: what stands for a roll, a pad, a product by letters; 0 of another intrinsic.
  Node compound(Node value, const htp_intrinsic &row);
  Node rolled(const Call &call);
  Node padded(const Call &call);
  Node by_letters(const Call &call);
  Node tile_call(std::string_view intrinsic, std::vector<uint32_t> arguments, Node origin, int64_t axis = -1);
  Node step(std::string_view intrinsic, std::vector<uint32_t> arguments, Node origin, int64_t axis = -1);
  Node dtype_node(const std::string &dtype, Node origin);
  Node without_rest(Node call);
  bool keeps_blocks(Node call, Node type) const;
  // A name for what a call of an intrinsic gives; `row` is the intrinsic's where the call may have blocks as indices.
  Node made(std::string_view stem, std::string_view intrinsic, Node value, const htp_intrinsic *row = nullptr);
  // The annotation of what `value` gives; 0 for ints, and after a diagnostic.
  Node type_of(Node value);
  Node type_of_call(Node call);
  // The block type of a loop's items; 0 for the ints of `range`.
  Node item_of(Node iter);
  // The annotations of an intrinsic's positional arguments.
  std::vector<Node> types_of(const htp_intrinsic &row, Nodes arguments) const;
  // Where a buffer's dimension is a block, that block and those cut from it are blocks of it.
  void within_buffer(Nodes arguments, size_t first, std::vector<Node> &types) const;
  // A block of an int is one that is moved, to wherever it is: whether that is inside is asked when the program runs.
  void anywhere(Nodes arguments, size_t first, std::vector<Node> &types) const;
  Node known(Node e) const;
  // A call that indexes a tensor, its slices with both bounds: what is left out is the dimension's.
  // And negative constants as what they stand for, `...` as the dimensions that are left.
  Node bounded(Node call);
  Node bounded(Node slice, const Extent &dimension, bool memory, bool counts);
  Node going_up(Node call);
  Node begin_of(const Extent &dimension, bool memory, Node origin) const;
  Node end_of(const Extent &dimension, bool memory, Node origin) const;
  Node from_end(Node n, const Extent &dimension, bool memory) const;
  bool is_none(Node n) const;
  bool has_length(Nodes arguments, size_t at) const;
  // Whether an extent, or a length, stays what it is, and the target takes what only the run says; reported where not.
  bool stays(Node at, const MaybeInt &extent, const std::string &instead = {}) const;
  bool stay(const htp_intrinsic &row, Node call) const; // the extents that a call names
  bool natural(const std::string &name) const { return m_.is_dim(name) || cut_.contains(name); }
  std::string chosen_from_all(Nodes arguments, size_t at, const SliceCall &s) const;
  Node moved(Node e) const;
  bool refused(Node e) const { return unknown_.contains(c.name_of(e)); }
  // Constants of the module written out, the layout canonical.
  std::optional<Type> normal(Node annotation);
  Node agree(Node target, Node annotation, Node inferred);
  // Whether a name is bound here to what it was bound to first but for where that lies, which was not declared there:
  // then it is where this does from the beginning.
  bool lies_so(const std::string &name, Node first, Node now);
  Node spell(Node type, Node origin);
  bool same(Node a, Node b);
  std::string without_modules(Node annotation) const;

  const Module &m_;
  const Context &c;
  const Node function_;
  Imports imports_;
  std::map<std::string, Known, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> cut_;         // a block → what its loop cuts, by name
  std::map<std::string, std::vector<Node>, std::less<>> bound_; // every name of the function → where it is bound
  std::set<std::string, std::less<>> unknown_; // names bound to what was refused: what reads them is not reported again
  std::map<std::string, Node, std::less<>> layouts_; // of names that are first bound to what has none
  std::vector<Node> unmet_;                          // layouts of tiles that nothing else says
  std::vector<uint32_t> before_;                     // what stands before the statement at hand
  std::vector<Node> types_;                          // of the arguments of the call that was typed last
  Node typed_ = HTP_NONE;                            // and what it gives
  bool failed_ = false;
};

} // namespace htp::tile
