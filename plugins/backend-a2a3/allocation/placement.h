// plugins/backend-a2a3/allocation/placement.h — a kernel over blocks as one over ints, whose tiles have their bytes.
#pragma once

#include "allocation/memory.h"
#include "analyses/indices.h"

#include <optional>

namespace htp::a2a3 {

class Placement {
public:
  // Reads which loops around the kernels are of tasks.
  Placement(const Context &context, Node root);

  // The function with kernels in loops of tasks as they were before: 0 after a report.
  Node with_kernels(const std::function<Node(Node)> &changed);
  // The function over ints, of kernels that `placed` gives.
  Node over_ints(const std::function<Node(Node)> &placed);

  // Gives the tiles of a kernel their addresses; of the last one that was tried `placed` makes statements. Each begins
  // with the names that were free when the last one was accepted.
  Memory::Fit attempt(Node kernel);
  void accept() { names_taken_ = used_; }
  const Memory &memory() const { return memory_; }
  const Indices &indices() const { return indices_; }
  // The last kernel that was tried, as another one that does the same, where that fits as well and is as it should.
  // Whichever of both is given back is the one that was tried last.
  Node better(Node kernel, Node other, Memory::Fit &fit, const std::function<bool(const Memory &)> &fine);
  Node placed(Node kernel);
  // Names that each attempt takes anew.
  std::string named(const std::string &stem);
  // What a loop's range goes over: of a part, or a lane, what the loop of tasks does.
  std::string extent_of(Node range) const;
  // Forgets what names were taken since the last kernel was accepted.
  void restart() { used_ = names_taken_; }
  // Loops whose iterations shall overlap and do not are reported.
  bool overlaps() const;

  const Context &c;
  const Names names;
  const sdk::Constants constants;

private:
  // What a loop in a kernel goes over of a loop of tasks: its part, or of that a lane.
  struct Own {
    const PartLoop *part = nullptr;
    PartLoop own;
  };

  void read(Nodes statements);
  bool mentions(Node s, std::string_view name) const;
  size_t families_with(std::string_view name) const;
  const Own *own_of(Node range) const;
  std::vector<uint32_t> tasks(Nodes statements, const std::function<Node(Node)> &placed, Nodes memories);
  bool refuse(Node where, const Refusal &why) const;
  Node each_way(Node s, const std::function<Node(Node)> &changed);
  Node sized(Node memory);
  std::vector<uint32_t> block(Nodes statements);
  void loop(Node s, std::vector<uint32_t> &out);
  Node over_ints(Node s);
  MostOf most_of(Node extent) const;
  Node valid_of(Node extent) const;
  void declare(Node s, ast::Assign a);
  void use(Node call);
  Node with_places(Node s);

  Node function_;
  Indices indices_;
  std::map<std::string, Own, std::less<>> parts_; // loops of tasks, by their variables
  Memory memory_;                                 // of the kernel that was tried
  std::vector<uint32_t> body_;                    // over ints
  std::map<std::string, Node> pipelined_;         // loops whose iterations shall overlap and do not so far
  std::vector<size_t> around_;                    // loops, by their place in memory_.loops
  std::map<std::string, size_t, std::less<>> by_name_;
  std::map<Node, size_t> by_statement_, by_loop_;
  std::map<std::string, int64_t, std::less<>> sizes_; // that the branches around are taken up to
  std::vector<sdk::BranchWay> ways_;                  // of the branches around
  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, size_t> used_, names_taken_;
  unsigned clock_ = 0;
};

} // namespace htp::a2a3
