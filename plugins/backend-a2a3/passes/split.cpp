// a2a3.split: a program as kernels, in turn on vector and on cube cores.
//
// Every instruction belongs to a turn, the first in which all it reads is there: even turns are those of vector cores,
// odd ones of cube cores. A kernel is the program with the instructions of one turn alone, in the loops they stand in.
// What one kernel makes and a later one reads goes through global memory, with a dimension for each loop that it is
// made in; what is loaded from a tensor that nobody writes is loaded where it is needed.
//
// Casts and transposes that only a product needs stand in its kernel, and so does a cast of its result before the
// store: a2a3.stage_operands leaves them to the way through the core's memories.
#include "analyses/layouts.h"
#include "analyses/turns.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

class Splitting : TurnFinder {
public:
  using TurnFinder::TurnFinder;

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    if (!find()) return HTP_NONE;
    if (single_) {
      f.body = {kernel(false, std::move(f.body))};
      return c.with(function_, f);
    }
    f.body.assign(buffers_.begin(), buffers_.end());
    for (const Value &v : values_)
      if (!v.memory.empty()) f.body.push_back(memory(v));
    int last = 0;
    for (const Instruction &i : instructions_) last = std::max(last, i.turn);
    for (turn_ = 0; turn_ <= last; ++turn_) {
      tiles_.clear(), named_.clear();
      std::vector<uint32_t> body = without_unused(block(0));
      if (!body.empty()) f.body.push_back(kernel(turn_ % 2 == 1, std::move(body)));
    }
    return c.errors() ? HTP_NONE : c.with(function_, f);
  }

private:
  Node memory(const Value &v) {
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const std::string &d : v.dims) parts.push_back(c.parse(d, origin));
    return c.assign(v.memory, HTP_NONE, c.call("pto.gm", std::move(parts), origin), origin);
  }

  // ── kernels ──

  Node kernel(bool cube, std::vector<uint32_t> body) {
    std::vector<uint32_t> kind;
    if (cube) kind.push_back(c.string_node("aic", function_));
    const Node item =
        c.make(make::withitem{.context_expr = c.call("pto.one_by_one", std::move(kind), function_)}, function_);
    return c.make(make::With{.items = {item}, .body = std::move(body)}, function_);
  }
  Node statement(const std::string &instruction, std::vector<uint32_t> operands, Node origin) {
    return c.statement(c.call("pto." + instruction, std::move(operands), origin), origin);
  }

  // Without the ints that nothing here needs.
  std::vector<uint32_t> without_unused(std::vector<uint32_t> body) const {
    if (integers_.empty()) return body;
    for (bool changed = true; changed;) {
      changed = false;
      std::set<std::string, std::less<>> used;
      for (const Node s : body)
        c.each(s, [&](Node n) {
          if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) used.emplace(name.id());
        });
      for (uint32_t &s : body)
        s = rewrite(
            c, s, [](Node n) { return n; },
            [&](Node n, std::vector<uint32_t> &) {
              auto a = c.as<ast::Assign>(n);
              const bool unused =
                  a && integers_.contains(c.name_of(a.targets()[0])) && !used.contains(c.name_of(a.targets()[0]));
              changed |= unused;
              return unused;
            });
    }
    return body;
  }

  // What of a loop's body belongs to this turn.
  std::vector<uint32_t> block(size_t loop) {
    std::vector<uint32_t> out;
    const std::vector<size_t> body = items_[loop].body;
    bool worth = false;
    for (size_t place = 0; place < body.size(); ++place) {
      worth |= across(loop, place, out);
      const Item item = items_[body[place]];
      switch (item.kind) {
      case Item::Kind::tile: declared(item.what, out); break;
      case Item::Kind::integer:
        out.push_back(c.assign(c.name_of(c.get<ast::Assign>(item.node).targets()[0]), HTP_NONE,
                               copy_of(c, c.get<ast::Assign>(item.node).value(), item.node), item.node));
        break;
      case Item::Kind::instruction: worth |= instruction_here(item.what, out); break;
      case Item::Kind::loop: {
        auto inner = block(body[place]);
        if (inner.empty()) break;
        worth = true;
        out.push_back(repeat(item, std::move(inner)));
        break;
      }
      case Item::Kind::branch: worth |= choice(item, block(body[place]), out);
      }
    }
    if (!worth) out.clear();
    return out;
  }
  // A branch, or the `else` of the one that was written last.
  bool choice(const Item &item, std::vector<uint32_t> body, std::vector<uint32_t> &out) {
    if (body.empty()) return false;
    auto before = out.empty() ? c.as<ast::If>(HTP_NONE) : c.as<ast::If>(out.back());
    if (item.otherwise && before && chosen_ == item.node) {
      out.back() = with_list(c, out.back(), HTP_FIELD(If, orelse), body);
      return true;
    }
    Node test = copy_of(c, c.get<ast::If>(item.node).test(), item.node);
    if (item.otherwise) test = c.make(make::UnaryOp{.op = HTP_Not, .operand = test}, item.node);
    out.push_back(c.make(make::If{.test = test, .body = std::move(body)}, item.node));
    chosen_ = item.node;
    return true;
  }
  Node repeat(const Item &l, std::vector<uint32_t> body) {
    const Node iter = c.get<ast::For>(l.node).iter();
    const bool form = loop_forms(c, names_, iter).pipelined; // which is the only one that what follows asks for
    return c.make(make::For{.target = c.name(l.variable, l.node, HTP_STORE),
                            .iter = copy_of(c, form ? iter : l.range, l.node),
                            .body = std::move(body)},
                  l.node);
  }

  bool needed_here(const Value &v) const {
    return std::any_of(v.readers.begin(), v.readers.end(), [&](size_t r) { return instructions_[r].turn == turn_; });
  }
  // Stores what later turns need, and loads what earlier ones made.
  bool across(size_t loop, size_t place, std::vector<uint32_t> &out) {
    bool worth = false;
    for (size_t k = 0; k < values_.size(); ++k) {
      const Value &v = values_[k];
      if (v.crosses != place || items_[v.item].parent != loop) continue;
      const Node origin = items_[v.item].node;
      if (v.turn == turn_) {
        std::vector<uint32_t> operands{c.name(v.memory, origin), c.name(v.name, origin)};
        for (const std::string &i : v.index) operands.push_back(c.parse(i, origin));
        out.push_back(statement("tstore", std::move(operands), origin));
        worth = true;
      } else if (v.turn < turn_ && needed_here(v)) {
        declare_here(k, out);
        std::vector<uint32_t> operands{c.name(v.name, origin), c.name(v.memory, origin)};
        for (const std::string &i : v.index) operands.push_back(c.parse(i, origin));
        out.push_back(statement("tload", std::move(operands), origin));
        worth = true;
      }
    }
    return worth;
  }
  // A tile stands where the program has it in the kernel that writes it.
  void declared(size_t k, std::vector<uint32_t> &out) {
    const Value &v = values_[k];
    if (v.turn == turn_ && !v.writers.empty() && !anywhere(v)) declare_here(k, out);
  }
  void declare_here(size_t k, std::vector<uint32_t> &out) {
    if (tiles_.insert(k).second) declare(values_[k].name, values_[k], out);
  }
  void declare(const std::string &name, const Value &v, std::vector<uint32_t> &out) {
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const Node e : v.extents) parts.push_back(copy_of(c, e, origin));
    std::vector<uint32_t> keywords = keywords_of(c, c.get<ast::Assign>(origin).value());
    out.push_back(c.assign(name, HTP_NONE, c.call("pto.tile", std::move(parts), origin, std::move(keywords)), origin));
  }

  bool instruction_here(size_t n, std::vector<uint32_t> &out) {
    const Instruction i = instructions_[n];
    const Node origin = items_[i.item].node;
    if (i.product != SIZE_MAX) {
      if (instructions_[i.product].turn != turn_) return false;
      declare_here(i.writes, out), out.push_back(copy(i, origin));
      return true;
    }
    if (i.dropped) return false;
    if (i.writes != SIZE_MAX && anywhere(values_[i.writes])) {
      if (!needed_here(values_[i.writes])) return false;
      declare_here(i.writes, out), out.push_back(copy(i, origin));
      return true;
    }
    if (i.turn != turn_) return false;
    if (i.multiplies()) {
      product(n, out);
      return true;
    }
    if (i.work != SIZE_MAX) declare_here(i.work, out);
    out.push_back(copy(i, origin));
    return true;
  }
  Node copy(const Instruction &i, Node origin) {
    std::vector<uint32_t> operands;
    for (const Node o : i.operands) operands.push_back(copy_of(c, o, origin));
    return c.statement(c.call("pto." + i.name, std::move(operands), origin, keywords_of(c, i.call)), origin);
  }

  void product(size_t n, std::vector<uint32_t> &out) {
    const Instruction &i = instructions_[n];
    const auto &[left, right] = operands_.at(n);
    const Node origin = items_[i.item].node;
    const std::string a = multiplied(left, origin, out), b = multiplied(right, origin, out);
    out.push_back(statement(i.name, {copy_of(c, i.operands[0], origin), c.name(a, origin), c.name(b, origin)}, origin));
  }
  // The tile that a product multiplies, behind the casts and transposes that lead to it.
  std::string multiplied(const MatrixOperand &f, Node origin, std::vector<uint32_t> &out) {
    std::string name = values_[f.value].name;
    for (const size_t n : f.way) {
      const Instruction &i = instructions_[n];
      const Value &to = values_[i.writes];
      const std::string next = named_.insert(to.name).second ? to.name : c.fresh(to.name);
      declare(next, to, out);
      if (i.work != SIZE_MAX) declare_here(i.work, out);
      std::vector<uint32_t> operands{c.name(next, origin), c.name(name, origin)};
      for (size_t k = 2; k < i.operands.size(); ++k) operands.push_back(copy_of(c, i.operands[k], origin));
      out.push_back(statement(i.name, std::move(operands), origin));
      name = next;
    }
    return name;
  }

  std::set<size_t> tiles_;                   // declared in the kernel that is written
  std::set<std::string, std::less<>> named_; // of those, on the way to a product
  Node chosen_ = HTP_NONE;                   // the `if` whose body was written last
  int turn_ = 0;
};

} // namespace

Node split(const Context &c, Node root) {
  Splitting splitting(c, root, c.entry_function(root));
  const Node changed = splitting.run();
  return !changed || c.errors() ? HTP_NONE : with_statement(c, root, c.entry_function(root), changed);
}

} // namespace htp::a2a3
