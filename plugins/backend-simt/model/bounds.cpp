#include "bounds.h"

#include "htp_cpp/affine.h"

namespace htp::simt {

namespace {

// Goes through the program with the set of values that its ints can have there. Each binding of an int is a variable of
// its own.
class Bounds {
public:
  Bounds(const Context &context, Node root, const Program &program)
      : c(context), numbers_(context, root), p(program), domain_(isl_.all()) {
    find_changing(p.body);
    for (const std::string &d : p.dims) domain_ = domain_ & (isl_.variable(d) >= isl_.number(0));
  }

  std::set<Node> run() {
    block(p.body);
    return std::move(unproved_);
  }

private:
  void find_changing(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer && !s.declares) changing_.insert(s.name);
      find_changing(s.body), find_changing(s.orelse);
    }
  }

  std::string fresh(const std::string &name) { return names_[name] = name + "#" + std::to_string(++count_); }

  IntValue value(Node n) {
    IntMeanings meanings;
    meanings.choices = true;
    meanings.name = [&](std::string_view name) -> MaybeInt {
      if (const auto it = names_.find(name); it != names_.end()) return IntExpr::symbol(it->second);
      if (changing_.contains(name)) return IntExpr::symbol(fresh(std::string(name))); // whatever it is
      if (const auto number = numbers_.integer(c.name(name, n))) return IntExpr(*number);
      return IntExpr::symbol(std::string(name));
    };
    const MaybeInt read = read_int(c, n, meanings);
    return read ? to_value(isl_, *read) : isl_.variable(fresh("?"));
  }

  // The values for which a condition holds; all where it is no comparison.
  IntSet test(Node n, bool holds) {
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return test(u.operand(), !holds);
    if (auto b = c.as<ast::BoolOp>(n); b && (b.op() == HTP_And) == holds) {
      IntSet all = isl_.all();
      for (const Node v : b.values()) all = all & test(v, holds);
      return all;
    }
    auto cmp = c.as<ast::Compare>(n);
    if (!cmp || cmp.ops().size() != 1) return isl_.all();
    const IntValue a = value(cmp.left()), b = value(cmp.comparators()[0]);
    switch (static_cast<htp_op>(cmp.ops()[0])) {
    case HTP_Eq: return holds ? a == b : a != b;
    case HTP_NotEq: return holds ? a != b : a == b;
    case HTP_Lt: return holds ? a < b : a >= b;
    case HTP_LtE: return holds ? a <= b : a > b;
    case HTP_Gt: return holds ? a > b : a <= b;
    case HTP_GtE: return holds ? a >= b : a < b;
    default: return isl_.all();
    }
  }

  void block(const std::vector<Statement> &body) {
    const auto names = names_;
    const IntSet around = domain_;
    for (const Statement &s : body) statement(s);
    names_ = names, domain_ = around;
  }

  void statement(const Statement &s) {
    using Kind = Statement::Kind;
    const IntSet around = domain_;
    if (s.kind == Kind::loop || s.kind == Kind::lanes || s.kind == Kind::group) {
      const IntValue start = s.start ? value(s.start) : isl_.number(0), stop = value(s.stop);
      const auto step = s.step ? numbers_.integer(s.step) : 1;
      const auto before = names_;
      const IntValue v = isl_.variable(fresh(s.name));
      if (step && *step > 0) {
        domain_ = domain_ & (v >= start) & (v < stop);
        if (*step > 1) domain_ = domain_ & ((v - start) % *step == isl_.number(0));
      } else if (step && *step < 0) {
        domain_ = domain_ & (v <= start) & (v > stop);
      }
      block(s.body);
      names_ = before;
      domain_ = around;
    } else if (s.kind == Kind::branch || s.kind == Kind::repeat) {
      domain_ = domain_ & test(s.test, true);
      block(s.body);
      domain_ = around;
      if (s.kind == Kind::branch) domain_ = domain_ & test(s.test, false);
      block(s.orelse);
      domain_ = around;
    } else if (s.kind == Kind::integer && !changing_.contains(s.name)) {
      const IntValue is = s.test ? value(s.test) : IntValue(), limit = s.limit ? value(s.limit) : IntValue();
      const IntValue v = isl_.variable(fresh(s.name));
      if (s.test) domain_ = domain_ & (v == is);
      if (s.limit) domain_ = domain_ & (v >= isl_.number(0)) & (v < limit);
    }
    if (!s.memory || s.kind == Kind::alloc) return;
    for (size_t d = 0; d < s.index.size(); ++d) {
      isl_.next_question();
      const IntValue at = value(s.index[d]), extent = value(s.memory->extents[d]);
      if (domain_.within((at >= isl_.number(0)) & (at < extent)) != Answer::yes) unproved_.insert(s.index[d]);
    }
  }

  const Context &c;
  const Numbers numbers_;
  const Program &p;
  Affine isl_;
  IntSet domain_;
  std::map<std::string, std::string, std::less<>> names_; // an int → its variable
  std::set<std::string, std::less<>> changing_;           // ints that are bound again: nothing is known of them
  size_t count_ = 0;
  std::set<Node> unproved_;
};

} // namespace

std::set<Node> unproved_indices(const Context &c, Node root, const Program &program) {
  return Bounds(c, root, program).run();
}

} // namespace htp::simt
