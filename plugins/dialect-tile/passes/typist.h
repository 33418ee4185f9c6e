// tile.infer at work: the type of every name, each from its intrinsic's owner.
#pragma once

#include "diagnostics.h"
#include "language/module.h"

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
  // The annotation of what `value` gives; 0 for ints, and after a diagnostic.
  Node type_of(Node value);
  Node type_of_call(Node call);
  // The block type of a loop's items; 0 for the ints of `range`.
  Node item_of(Node iter);
  // Where a buffer's dimension is a block, that block and those cut from it are blocks of it.
  void within_buffer(Nodes arguments, size_t first, std::vector<Node> &types) const;
  Node known(Node e) const;
  Node moved(Node e) const;
  bool refused(Node e) const { return unknown_.contains(c.name_of(e)); }
  // Constants of the module written out, the layout canonical.
  std::optional<Type> normal(Node annotation);
  Node agree(Node target, Node annotation, Node inferred);
  Node spell(Node type, Node origin);
  bool same(Node a, Node b);

  const Module &m_;
  const Context &c;
  const Node function_;
  Imports imports_;
  std::map<std::string, Known, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> cut_; // a block → what its loop cuts, by name
  std::set<std::string, std::less<>> unknown_; // names bound to what was refused: what reads them is not told again
  bool failed_ = false;
};

} // namespace htp::tile
