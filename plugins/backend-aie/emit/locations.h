// plugins/backend-aie/emit/locations.h — where operations come from: statements of the last stage, as MLIR's locations.
#pragma once

#include "aie.h"

#include "htp_cpp/writer.h"

#include <map>
#include <set>

namespace htp::aie {

// A statement is `#n213`, its number in the last stage, which stands for that number and for a line and column of the
// stage's file.
class Locations {
public:
  Locations() = default; // no tree that was read from the stage's text: nothing has a line
  Locations(const Context &c, Node root);

  // ` loc(#n213)`; empty where a node has no line.
  std::string of(Node n);
  // What the names that were given stand for.
  void write(Writer &w) const;

private:
  struct PackedTensor {
    std::string file;
    uint32_t line, column;
  };
  std::map<Node, size_t> numbers_;
  std::map<size_t, PackedTensor> locations_;
  std::set<size_t> given_;
};

// Lines of operations, each with the location of the statement that they come from.
class Lines {
public:
  Lines(Writer &writer, Locations &locations) : w_(writer), locations_(locations) {}

  // What follows comes from this statement.
  void from(Node n) { at_ = locations_.of(n); }
  template <class... P> void line(const P &...pieces) { w_.line(pieces..., at_); }
  template <class... P> [[nodiscard]] Writer::Block block(const std::string &tail, const P &...head) {
    return w_.block(tail.empty() ? tail : tail + at_, head...);
  }
  template <class... P> void comment(const P &...pieces) { w_.line("// ", pieces...); }

private:
  Writer &w_;
  Locations &locations_;
  std::string at_;
};

} // namespace htp::aie
