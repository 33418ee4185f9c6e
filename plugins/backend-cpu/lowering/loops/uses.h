// plugins/backend-cpu/lowering/loops/uses.h — where a kernel's names are bound and used: what decides between a value
// that stays in a loop and a buffer that outlives it.
#pragma once

#include "cpu.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp::cpu::loops {

// An intrinsic of the target set for channels between processes.
bool is_channel_intrinsic(std::string_view intrinsic);
// A statement that computes with tiles: a call of the target set, but for what makes a buffer, or one tile given
// another name.
bool is_tile_statement(const Reader &t, const Names &names, Node statement);
// One that gives an int or a truth value, which the statements behind it may index with: it ends its segment.
bool gives_int(const Reader &t, const Names &names, Node statement);
// The name a statement binds; empty if none.
std::string_view bound_name(const Reader &t, Node statement);
// The value an assignment or expression statement is about; 0 for others.
Node value_of(const Reader &t, Node statement);

// A segment is a run of tile statements that follow one another in one block.
class Uses {
public:
  Uses(const Reader &t, const Names &names, Node function);

  // Bound once, and used nowhere but in the segment that binds it.
  bool local(std::string_view name) const;
  // Bound once, and every use stands in the block of its binding or inside it.
  bool scoped(std::string_view name) const;
  unsigned bindings(std::string_view name) const;
  Node binding(std::string_view name) const; // the first statement that binds it
  bool is_tile(std::string_view name) const;
  // Every name in the expression is bound at most once, so that its value may be taken later.
  bool stable(Node expression) const;
  // Tile names that need their buffer before this statement: it is in the innermost block that holds all their uses.
  const std::vector<std::string> &buffers_before(Node statement) const;

private:
  struct Step {
    unsigned block;
    Node statement;
  };
  struct Name {
    unsigned bindings = 0;
    std::vector<Step> first; // the way from the function's body to the first occurrence
    size_t common = 0;       // how many of its blocks all occurrences share
    size_t bound_depth = 0;  // of the first binding
    Node binding = HTP_NONE;
    std::set<unsigned> segments;
    bool tile = false;
  };
  void block(Nodes statements);
  void statement(Node s, unsigned segment);
  void occurrence(std::string_view name, bool binds, bool tile, unsigned segment);
  void names_in(Node expression, unsigned segment);

  const Reader &t_;
  const Names &imports_;
  std::map<std::string, Name, std::less<>> names_;
  std::map<Node, std::vector<std::string>> before_;
  std::vector<Step> path_;
  unsigned blocks_ = 0, segments_ = 0;
};

} // namespace htp::cpu::loops
