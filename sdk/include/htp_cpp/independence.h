// htp_cpp/independence.h — whether a loop's iterations can run in any order, and why not: names that one iteration
// leaves to another, and tensors that two of them touch at one element. Conservative: what is not seen to be apart is
// reported. Compiled into the plugin from the SDK's library, `htp::lib`.
#pragma once

#include "htp_cpp/loops.h"
#include "htp_cpp/plugin.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

struct Dependence {
  enum Kind {
    carried,      // a name is read before the iteration binds it
    escapes,      // a name the iterations bind is read behind the loop (reported when it is not carried)
    same_element, // a store that the loop's own index does not keep apart
    reads_written // a load from a tensor that the loop writes, at what another iteration may write
  } kind;
  std::string name;
  Node at;
  Node from = HTP_NONE; // the other end: where the name is bound, or a store that meets `at`
};

// An expression that reads or writes a tensor: `x[i, :]`, or a call of an intrinsic with such an effect.
struct TensorAccess {
  Node at;
  std::string tensor;
  bool writes;
  std::vector<Node> index;
};
std::optional<TensorAccess> tensor_access(const Context &c, const Names &names, Node n);

// What statements do with names: those they read before they surely bind them, and those they surely bind.
struct Flow {
  std::map<std::string, Node> exposed;
  std::set<std::string> bound;
};
class Flows {
public:
  explicit Flows(const Context &context) : c(context) {}

  Flow of(Nodes statements) const;
  static void merge(Flow &into, const std::map<std::string, Node> &exposed);

private:
  void reads(Node n, Flow &flow) const;
  void binds(Node target, Flow &flow) const;

  const Context &c;
};

// Which expressions of a function are ints, by what its names are bound to: a tile of integers is none, and stands for
// many positions where it is an index.
class IntExpressions {
public:
  IntExpressions(const Context &context, const Names &names, Node function);

  bool is_int(Node n) const;

private:
  bool is_int(Node n, std::set<std::string> &asked) const;

  const Context &c;
  const Names &names_;
  std::map<std::string, std::vector<Node>, std::less<>> bound_; // to what; HTP_NONE: an int by itself
};

class Independence {
public:
  // `loop` is a For in `function`; `blocks` are the calls whose loops cut their first argument into blocks
  // ("htp_tile.tiles"). The loop's own index is its variable, and every block cut from that.
  Independence(const Context &context, const Names &names, Node function, Node loop,
               std::initializer_list<std::string_view> blocks)
      : c(context), names_(names), function_(function), loop_(loop), blocks_(blocks.begin(), blocks.end()) {}

  // The first of each kind for each name, in source order.
  std::vector<Dependence> find() const;

private:
  const Context &c;
  const Names &names_;
  Node function_, loop_;
  std::set<std::string, std::less<>> blocks_;
};

} // namespace htp::sdk
