#include "vector.h"

#include "c.h"

#include <algorithm>

namespace htp::cpu::ready {

bool mentions(const Reader &t, Node expression, std::string_view name) {
  if (!expression) return false;
  bool found = false;
  t.each(expression, [&](Node n) { found = found || t.name_of(n) == name; });
  return found;
}

bool unit_stride(const Reader &t, Node index, std::string_view variable) {
  if (t.name_of(index) == variable) return true;
  auto sum = t.as<ast::BinOp>(index);
  if (!sum) return false;
  if (sum.op() == HTP_Add && !mentions(t, sum.left(), variable)) return unit_stride(t, sum.right(), variable);
  if ((sum.op() == HTP_Add || sum.op() == HTP_Sub) && !mentions(t, sum.right(), variable))
    return unit_stride(t, sum.left(), variable);
  return false;
}

namespace {

// Of 32 vector registers: the others hold what is loaded. Where there are 16 it is half of them.
constexpr unsigned registers_for_sums = 24;

class Planner {
public:
  Planner(const Reader &reader, const Unproved &unproved, const Statement &loop)
      : t(reader), unproved_(unproved), loop_(loop) {}

  std::optional<VectorPlan> run(unsigned vector_bytes) {
    if (loop_.step) return std::nullopt;
    declare(loop_.body);
    size_t before;
    do {
      before = plan_.varying.size();
      if (!spread(loop_.body)) return std::nullopt;
    } while (plan_.varying.size() != before);
    if (!check(loop_.body, false)) return std::nullopt;
    unsigned widest = 1;
    for (const Scalar *s : plan_.varying) widest = std::max(widest, computed(s->dtype)->bytes);
    for (const Memory *m : touched_) widest = std::max(widest, computed(m->dtype)->bytes);
    plan_.lanes = vector_bytes / widest;
    // Several vectors in flight hide the latency of what each adds to; more copies of a long body only cost space, and
    // more sums than registers hold go to memory in each iteration.
    plan_.copies = inner_loops_ || (!plan_.reductions.empty() && statements_ <= 8) ? 4 : 1;
    plan_.few = plan_.copies;
    if (const unsigned sums = sums_in(loop_.body)) {
      plan_.copies = std::clamp(registers_for_sums / sums, 1u, plan_.copies);
      plan_.few = std::clamp(registers_for_sums / 2 / sums, 1u, plan_.few);
    }
    if (plan_.lanes < 2) return std::nullopt;
    plan_.repeatable =
        std::ranges::none_of(ways_, [](const auto &way) { return way.second.written && way.second.read; });
    plan_.loop = loop_.node;
    return plan_;
  }

private:
  void declare(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.target && s.declares) inside_.insert(s.target);
      declare(s.body);
    }
  }

  bool varies(const Value &v) const { return v.kind == Value::Kind::scalar && plan_.varying.contains(v.scalar); }

  // Which scalars differ from lane to lane.
  bool spread(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      bool varying = false;
      switch (s.kind) {
      case Statement::Kind::branch:
      case Statement::Kind::repeat:
      case Statement::Kind::leave:
      case Statement::Kind::order:
      case Statement::Kind::alloc: return false;
      case Statement::Kind::integer:
        if (!s.declares || mentions(t, s.test, loop_.name)) return false;
        for (const Value &v : s.operands)
          if (varies(v)) return false;
        break;
      case Statement::Kind::loop:
        if (mentions(t, s.start, loop_.name) || mentions(t, s.stop, loop_.name) || mentions(t, s.step, loop_.name))
          return false;
        if (!spread(s.body)) return false;
        break;
      case Statement::Kind::get:
        for (const Node i : s.index) varying |= mentions(t, i, loop_.name);
        for (const Value &v : s.operands)
          if (varies(v)) return false;
        break;
      default:
        // Nor has rounding a float in a direction.
        if (!s.rounding.empty() && s.rounding != "nearest" && s.target->dtype->kind == Class::floating) return false;
        // The order of values has no vector form.
        if (s.operation && (s.operation->name == "above" || s.operation->name == "below")) return false;
        // Rounding a double to 16 bits once has no vector form.
        if (s.operation && s.operation->form == Form::cast && s.dtype->bytes == 8 && s.target->dtype->narrow())
          return false;
        for (const Value &v : s.operands) {
          varying |= varies(v);
          if (v.kind != Value::Kind::integer || !mentions(t, v.node, loop_.name)) continue;
          if (!unit_stride(t, v.node, loop_.name) || unproved_.overflows_in(t, v.node)) return false;
          varying = true;
        }
      }
      if (s.target && varying) plan_.varying.insert(s.target);
    }
    return true;
  }

  // Scalars that a loop inside adds to.
  unsigned sums_in(const std::vector<Statement> &body) const {
    std::set<const Scalar *> sums;
    const auto visit = [&](auto &&self, const std::vector<Statement> &of, bool inner) -> void {
      for (const Statement &s : of) {
        if (inner && s.target && !s.declares && plan_.varying.contains(s.target)) sums.insert(s.target);
        self(self, s.body, inner || s.kind == Statement::Kind::loop);
      }
    };
    visit(visit, body, false);
    return static_cast<unsigned>(sums.size());
  }

  // Consecutive elements along the dimension whose elements lie so; or, for a read, the same element in every lane.
  bool access(const Statement &s, bool writes) {
    std::optional<size_t> along; // the dimension
    for (size_t d = 0; d < s.index.size(); ++d) {
      if (!mentions(t, s.index[d], loop_.name)) continue;
      if (along || !s.memory->unit(d) || !unit_stride(t, s.index[d], loop_.name)) return false;
      if (unproved_.indices.contains(s.index[d]) || unproved_.overflows_in(t, s.index[d])) return false;
      along = d;
    }
    if (writes && !along) return false;
    // Where something is written, all accesses stand at the same index along the loop, so that no lane meets another's:
    // whatever the other indices are, which are the same in all lanes.
    std::string way = along ? std::to_string(*along) + ": " + text(s.index[*along]) : "";
    if (!along)
      for (const Node i : s.index) way += text(i) + ",";
    Ways &ways = ways_[s.memory];
    ways.at.insert(way);
    (writes ? ways.written : ways.read) = true;
    if (along) touched_.insert(s.memory);
    return !ways.written || ways.at.size() == 1;
  }
  std::string text(Node n) const {
    std::string r = std::to_string(t.kind(n)) + "(" + std::string(t.name_of(n));
    int64_t value;
    if (t.integer(n, &value)) r += std::to_string(value);
    if (auto b = t.as<ast::BinOp>(n)) r += std::to_string(b.op());
    t.children(n, [&](Node c) { r += text(c); });
    return r + ")";
  }

  bool check(const std::vector<Statement> &body, bool nested) {
    for (const Statement &s : body) {
      ++statements_;
      if (s.kind == Statement::Kind::loop) {
        inner_loops_ = true;
        if (!check(s.body, true)) return false;
        continue;
      }
      if (s.kind == Statement::Kind::get && !access(s, false)) return false;
      if (s.kind == Statement::Kind::put && !access(s, true)) return false;
      for (size_t k = 0; k < s.operands.size(); ++k)
        if (const Value &v = s.operands[k]; v.kind == Value::Kind::scalar && !inside_.contains(v.scalar))
          ++reads_[v.scalar];
      if (s.target && !inside_.contains(s.target) && !(reduces(s) && !nested)) return false;
    }
    // A scalar that is gathered is read by nothing else.
    if (!nested)
      for (const Reduction &r : plan_.reductions)
        if (reads_[r.scalar] != 1) return false;
    return true;
  }

  bool reduces(const Statement &s) {
    if (s.kind != Statement::Kind::compute || plan_.reduction(s.target)) return false;
    const std::string_view operation = s.operation->name;
    const bool fma = operation == "fma";
    if (!fma && operation != "add" && operation != "mul" && operation != "maximum" && operation != "minimum")
      return false;
    size_t own = 0, other_varying = 0;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const bool self = s.operands[k].kind == Value::Kind::scalar && s.operands[k].scalar == s.target;
      if (self && (!fma || k == 2)) ++own;
      if (!self && varies(s.operands[k])) ++other_varying;
    }
    if (own != 1 || other_varying == 0 || s.target->dtype->narrow()) return false;
    plan_.reductions.push_back({s.target, fma ? "add" : std::string(operation)});
    return true;
  }

  const Reader &t;
  const Unproved &unproved_;
  const Statement &loop_;
  VectorPlan plan_;
  std::set<const Scalar *> inside_;
  std::set<const Memory *> touched_;
  struct Ways {
    std::set<std::string> at; // the indices that tell lanes apart
    bool read = false, written = false;
  };
  std::map<const Memory *, Ways> ways_;
  std::map<const Scalar *, unsigned> reads_;
  size_t statements_ = 0;
  bool inner_loops_ = false;
};

} // namespace

std::optional<VectorPlan> plan_vectors(const Reader &t, const Unproved &unproved, const Statement &loop,
                                       unsigned vector_bytes) {
  return Planner(t, unproved, loop).run(vector_bytes);
}

} // namespace htp::cpu::ready
