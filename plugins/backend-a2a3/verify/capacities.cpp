// Whether sizes that a placed kernel names fit each other: what is valid of a tile its capacity, blocks the steps of
// their loops and of tasks, and capacities of operands a product.
#include "analyses/program.h"

#include <algorithm>
#include <array>

namespace htp::a2a3 {

namespace {

class Capacities {
public:
  Capacities(const Context &context, Node root, const Program &program)
      : c(context), constants_(context, root), p(program) {}

  bool run() {
    return std::all_of(p.groups.begin(), p.groups.end(),
                       [&](const Group &g) {
                         return std::all_of(g.parts.begin(), g.parts.end(),
                                            [&](const PartOf &one) { return advances(one); });
                       }) &&
           std::all_of(p.kernels.begin(), p.kernels.end(), [&](const Kernel &k) {
             most_.clear(), steps_.clear(), positive_.clear();
             parts_ = &p.groups[k.group].parts;
             return (!k.lane || advances(*k.lane)) && block(k.body);
           });
  }

private:
  bool no(Node where, const Refusal &why, const std::string &note = {}) const {
    why.report(c, where, note);
    return false;
  }
  bool block(const std::vector<Statement> &body) {
    return std::all_of(body.begin(), body.end(), [&](const Statement &s) { return statement(s); });
  }
  bool statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::loop: {
      most_.erase(s.name), steps_.erase(s.name);
      const auto step = s.step ? constants_.integer(s.step) : std::nullopt;
      if (step) steps_[s.name] = *step;
      positive_.erase(s.name);
      if (!s.start || constants_.integer(s.start).value_or(-1) >= 0 || is_part(c.name_of(s.start)))
        positive_.insert(s.name);
      return (!step || whole(s, *step)) && block(s.body);
    }
    case Statement::Kind::branch: return block(s.body) && block(s.otherwise);
    case Statement::Kind::integer: return integer(s);
    case Statement::Kind::tile: return tile(*s.tile);
    case Statement::Kind::instruction: return product(s);
    default: return true;
    }
  }

  // Whether it is where a task's part begins.
  bool is_part(std::string_view name) const {
    const auto begins = [&](const PartOf &one) { return one.name == name; };
    return std::any_of(parts_->begin(), parts_->end(), begins) ||
           std::any_of(p.kernels.begin(), p.kernels.end(), [&](const Kernel &k) { return k.lane && begins(*k.lane); });
  }

  // The largest value that an int is known to have.
  std::optional<int64_t> most(Node n) const {
    if (const auto value = constants_.integer(n)) return value;
    if (const auto it = most_.find(std::string(c.name_of(n))); it != most_.end()) return it->second;
    // What an extent has left behind an index.
    if (auto rest = c.as<ast::BinOp>(n); rest && rest.op() == HTP_Sub && positive_.contains(c.name_of(rest.right())))
      return most(rest.left());
    auto call = c.as<ast::Call>(n);
    if (!call || c.name_of(call.func()) != "min" || call.args().size() != 2) return std::nullopt;
    const auto a = most(call.args()[0]), b = most(call.args()[1]);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  // `i_n = min(8, M - i_at)`: a block is as long as its loop steps.
  bool integer(const Statement &s) {
    most_.erase(s.name);
    if (s.tensor) return true;
    if (const auto value = most(s.value)) most_[s.name] = *value;
    auto call = c.as<ast::Call>(s.value);
    if (!call || c.name_of(call.func()) != "min" || call.args().size() != 2) return true;
    auto rest = c.as<ast::BinOp>(call.args()[1]);
    const auto size = constants_.integer(call.args()[0]);
    if (!size || !rest || rest.op() != HTP_Sub) return true;
    const auto step = steps_.find(std::string(c.name_of(rest.right())));
    if (step == steps_.end() || step->second == *size) return true;
    return no(s.node, Refusal(diag::block_step, s.name, *size, step->first, step->second)
                          .with("let both be one number: `" + s.name + " = min(" + std::to_string(step->second) + ", " +
                                c.show(call.args()[1]) + ")`"));
  }
  bool tile(const Tile &t) const {
    for (const auto &[valid, capacity, which] :
         {std::tuple(t.valid_rows, t.rows, "rows"), std::tuple(t.valid_columns, t.columns, "columns")}) {
      const auto size = most(valid);
      if (!size || *size <= capacity) continue;
      return no(t.node,
                Refusal(diag::valid_extent, t.name, capacity, which, *size)
                    .with("declare it with " + std::to_string(*size) + " " + which + ", or let fewer be valid"));
    }
    return true;
  }
  bool product(const Statement &s) const {
    if ((s.instruction != "tmatmul" && s.instruction != "tmatmul_acc") || s.operands.size() < 2) return true;
    const Tile *a = s.operands[0].tile, *b = s.operands[1].tile, *to = s.tile;
    if (!a || !b || (a->columns == b->rows && a->rows == to->rows && b->columns == to->columns)) return true;
    const auto differ = [&](const Tile &x, const Tile &y) {
      return Refusal(diag::sizes, s.instruction, x.name, x.rows, x.columns, y.name, y.rows, y.columns);
    };
    return no(s.node, (a->columns != b->rows ? differ(*a, *b)
                       : a->rows != to->rows ? differ(*a, *to)
                                             : differ(*b, *to))
                          .with("declare m x k, k x n and m x n: here `" + b->name + "` as " +
                                std::to_string(a->columns) + " x " + std::to_string(to->columns) + ", and `" + a->name +
                                "` as " + std::to_string(to->rows) + " x " + std::to_string(a->columns)));
  }

  // ── tasks ──

  using Values = std::map<std::string, int64_t, std::less<>>;
  std::optional<int64_t> value(Node n, const Values &values) const {
    if (const auto number = constants_.integer(n)) return number;
    if (const auto it = values.find(c.name_of(n)); it != values.end()) return it->second;
    std::array<Node, 2> of{};
    std::string op;
    if (auto b = c.as<ast::BinOp>(n)) {
      of = {b.left(), b.right()};
      op = b.op() == HTP_Add        ? "+"
           : b.op() == HTP_Sub      ? "-"
           : b.op() == HTP_Mult     ? "*"
           : b.op() == HTP_FloorDiv ? "//"
           : b.op() == HTP_Mod      ? "%"
                                    : "";
    } else if (auto k = c.as<ast::Call>(n); k && k.args().size() == 2) {
      of = {k.args()[0], k.args()[1]};
      op = std::string(c.name_of(k.func()));
    }
    const auto x = of[0] ? value(of[0], values) : std::nullopt, y = of[1] ? value(of[1], values) : std::nullopt;
    if (!x || !y || ((op == "//" || op == "%") && *y <= 0)) return std::nullopt;
    const int64_t quotient = op == "//" || op == "%" ? *x / *y - (*x % *y < 0) : 0;
    int64_t result = 0;
    if (op == "+") return __builtin_add_overflow(*x, *y, &result) ? std::nullopt : std::optional(result);
    if (op == "-") return __builtin_sub_overflow(*x, *y, &result) ? std::nullopt : std::optional(result);
    if (op == "*") return __builtin_mul_overflow(*x, *y, &result) ? std::nullopt : std::optional(result);
    if (op == "//") return quotient;
    if (op == "%") return *x - quotient * *y;
    if (op == "min") return std::min(*x, *y);
    if (op == "max") return std::max(*x, *y);
    return std::nullopt;
  }
  // Whether something holds of the ints of all sizes that are tried.
  template <class F> bool always(const F &holds) const {
    constexpr int64_t sizes[] = {1, 16, 33, 64, 257, 1000, 4096, 10007};
    for (const int64_t first : sizes)
      for (const int64_t others : sizes) {
        Values values;
        for (const std::string &d : p.numbers()) values[d] = values.empty() ? first : others;
        for (const auto &[name, made] : p.ints)
          if (const auto v = value(made, values)) values[name] = *v;
        if (!holds(values)) return false;
      }
    return true;
  }
  // Where it is stated how long parts are.
  Node stated_at(const PartOf &part) const {
    const auto it = std::find_if(p.ints.begin(), p.ints.end(), [&](const auto &i) { return i.first == part.by; });
    return it == p.ints.end() ? part.step : it->second;
  }
  // A loop of tasks comes to its end.
  bool advances(const PartOf &part) const {
    return always([&](const Values &values) {
      const auto by = value(part.step, values), stop = value(part.stop, values);
      return !by || *by > 0 || (stop && *stop <= 0) ||
             no(stated_at(part),
                Refusal(diag::endless_tasks, part.name, *by)
                    .with("let a task have a block at least, of 64 for example: `max(64, " + c.show(stated_at(part)) +
                          ")`"),
                sized(values));
    });
  }
  // A loop over a part of the tasks: parts are made of whole blocks.
  bool whole(const Statement &loop, int64_t step) const {
    const auto part = std::find_if(parts_->begin(), parts_->end(),
                                   [&](const PartOf &one) { return loop.start && c.name_of(loop.start) == one.name; });
    return part == parts_->end() || always([&](const Values &values) {
             const auto by = value(part->step, values), stop = value(part->stop, values);
             return !by || !stop || *by % step == 0 || *by >= *stop ||
                    no(stated_at(*part),
                       Refusal(diag::task_blocks, part->name, *by, loop.name, step)
                           .with("let a task have a multiple of " + std::to_string(step)),
                       sized(values));
           });
  }
  std::string sized(const Values &values) const {
    std::string all;
    for (const std::string &d : p.numbers())
      all += (all.empty() ? "where `" : ", `") + d + "` is " + std::to_string(values.find(d)->second);
    return all;
  }

  const Context &c;
  sdk::Constants constants_;
  const Program &p;
  const std::vector<PartOf> *parts_ = nullptr;  // around the kernel
  std::map<std::string, int64_t> most_, steps_; // of ints; of loops' variables, by how much they step
  std::set<std::string, std::less<>> positive_; // loops' variables that are at least 0
};

} // namespace

bool check_capacities(const Context &c, Node root, const Program &program) {
  return Capacities(c, root, program).run();
}

} // namespace htp::a2a3
