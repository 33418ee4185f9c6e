// The walk through a workload that finds what depends on the sizes of its blocks: statements in own.cpp, expressions in
// own_expressions.cpp.
#pragma once

#include "own.h"

namespace htp::wsp {

class OwnBlocks {
public:
  // Of the loops that have a size, `also` is taken as open.
  OwnBlocks(const Context &context, const Program &program, Node root, Node also, bool report)
      : c(context), p(program), root_(root), also_(also), constants_(context, root), report_(report) {}

  // Whether something depends on the sizes.
  bool run();

private:
  using Names = std::map<std::string, Value, std::less<>>;

  struct Write {
    std::string index;         // as text
    std::set<std::string> own; // the open loops whose blocks it is made of
    bool plain;                // these blocks as they are
  };
  // A loop over blocks of any size.
  struct Open {
    Node statement, call;
    std::string variable, parent; // the latter: what it cuts, when that is open
    bool ordered;
    std::set<std::string> bound;                           // names that its body binds
    std::map<std::string, std::vector<Write>> writes = {}; // of tensors that are there before
  };
  Names &here();
  // ── what is reported
  // ──────────────────────────────────────────────────────────────────────────────────────────────────

  void depends(Node n, const DiagKind &row, const Value &v, const std::string &name = {});
  // ── loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  const Open *open(std::string_view variable) const;
  // The loop's variable, and those of the open loops whose blocks it cuts.
  std::set<std::string> chain(const std::string &variable) const;
  std::optional<Open> opened(Node statement);
  void loop(Node statement);
  Value so_far(const Value &before, const std::string &name, const Open &o) const;
  // Behind a loop's blocks: all of them together.
  void end(Nodes body, const std::set<std::string> &carried, const Names &before, const Names &contents);
  // What a name that is carried holds behind the loop.
  void after(Value &v, const std::string &name, const Value &before, Node at, const Names &ended);
  // A loop that runs as often whatever the sizes are.
  void repeated(Node range, Nodes body, std::string_view variable);
  static void merge(Names &into, const Names &other);
  void steady(Node n, const DiagKind &row);
  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(Nodes statements);
  void statement(Node n);
  void bind(Node target, const Value &v, Node value);
  // ── tensors ───────────────────────────────────────────────────────────────────────────────────────────────────────

  std::vector<Node> indices(Node slice) const;
  // The open loops of whose blocks an index is made, by the tiles in it or by itself.
  std::string block_of(Node index);
  Write write(const std::vector<Node> &index);
  // The loops from here on see more of the tensor than one block's.
  size_t outside(const std::string &tensor) const;
  static std::vector<const Write *> own(const std::vector<Write> &writes, const Open &o);
  Value load(Node n, const std::string &tensor, const std::vector<Node> &index);
  void store(Node n, const std::string &tensor, const std::vector<Node> &index, const Value &v, bool adds);
  void steady_index(Node n);
  void named_dimension(Node n);
  Shape extents(const std::vector<Node> &of);
  Value extract(Node n, const Value &of, const std::vector<Node> &index);
  Shape reshaped(const Shape &before, Shape after, const std::vector<Node> &named) const;
  // ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

  static std::string_view operator_name(htp_op op);
  Value subscript(Node n);
  // Notes what a value needs to be right.
  Value owing(Value v);
  // An expression and what its names stand for.
  std::string identity(Node n) const;
  Value expression(Node n);
  Value evaluated(Node n);
  Value call(Node n);
  Value other_call(Node n, const std::vector<Node> &arguments);
  bool keyword_of(Node n, std::string_view name, int64_t &value) const;
  // What runs along a `P` loop's blocks is refused where it stands: nothing puts it together again.
  bool unordered(Node n, const std::string &variable);
  Value product(Node n, const std::vector<Value> &operands);
  // Along an axis, or along several one after the other.
  Value along_axis(Node n, std::string_view rule, const std::string &operation, std::vector<Value> operands);
  Value along(Node n, Node given, std::string_view rule, const std::string &operation,
              const std::vector<Value> &operands);

  const Context &c;
  const Program &p;
  const Node root_, also_;
  const Constants constants_;
  const bool report_;
  int rehearsing_ = 0; // what is seen only prepares for seeing it again
  bool found_ = false;
  std::set<Node> reported_;
  std::vector<Names> scopes_{1};
  Names contents_;                                      // of tensors
  std::map<std::string, size_t, std::less<>> made_;     // a tensor → in how many open loops it is made
  std::map<std::string, Shape, std::less<>> extents_;   // of buffers
  std::map<std::string, size_t, std::less<>> versions_; // of names and tensors: how often they were bound
  std::map<std::string, std::string> owed_;             // what is reported of names in the blocks of the loop at hand
  std::vector<Open> stack_;
};

} // namespace htp::wsp
