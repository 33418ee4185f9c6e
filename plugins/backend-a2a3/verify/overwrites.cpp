// Which stores may write what a store of the same pipe wrote before: a pipe begins its transfers in order, and does not
// end them in order.
//
// A store's place along a dimension lies between linear forms over sizes and how often the loops around it went round.
// Two stores meet unless some dimension keeps them apart, in whatever iterations the later one comes after the earlier
// one: in a later iteration of one of the loops around both, those around that being in the same one, or in the same
// one of all.
#include "analyses/program.h"

#include "htp_cpp/ints.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace htp::a2a3 {

namespace {

// Affine: of sizes by their names, of rounds by `#` and a number.
using Forms = std::vector<IntExpr>;

// An int: what it is, and what it is at most. `min(8, N - at)` is the other where it is not the number.
struct Value {
  MaybeInt exact;
  Forms most;
  std::optional<int64_t> number = {};
  MaybeInt other = {};
};
using Values = std::map<std::string, Value, std::less<>>;

struct Round { // of a loop around a store
  const Statement *loop;
  std::string symbol;
  MaybeInt start;
  Forms stop;
  int64_t step;
};
struct Store {
  const Statement *statement;
  std::vector<Round> loops;
  std::vector<std::pair<const Statement *, bool>> ways; // of branches around it
  std::set<const Statement *> last;                     // loops of whose last iterations it is one
  std::vector<Value> begin;                             // of each dimension
  std::vector<Forms> end;
};

constexpr size_t most_forms = 8;

class Overwrites {
public:
  Overwrites(const Context &context, Node root, const Program &program, Kernel &kernel)
      : c(context), constants_(context, root), p(program) {
    collect(kernel.body, {}, {}, {}, {});
    std::map<Node, std::set<Node>> found;
    for (const Store &earlier : stores_)
      for (const Store &later : stores_)
        if (meet(earlier, later)) found[later.statement->node].insert(earlier.statement->node);
    mark(kernel.body, found);
  }

private:
  void mark(std::vector<Statement> &body, const std::map<Node, std::set<Node>> &found) {
    for (Statement &s : body) {
      if (const auto it = found.find(s.node); it != found.end() && s.instruction == "tstore") s.overwrites = it->second;
      mark(s.body, found), mark(s.otherwise, found);
    }
  }

  // ── places ──

  Value value(Node n, const Values &known) const {
    if (const auto number = constants_.integer(n)) return exactly(*number);
    if (const std::string name(c.name_of(n)); !name.empty()) {
      if (const auto it = known.find(name); it != known.end()) return it->second;
      if (std::find(p.dims.begin(), p.dims.end(), name) != p.dims.end() || p.has_int(name))
        return exactly(IntExpr::symbol(name));
      return {};
    }
    if (auto k = c.as<ast::Call>(n); k && k.args().size() == 2 && c.name_of(k.func()) == "min") {
      Value least;
      for (const Node a : k.args()) {
        Value one = value(a, known);
        if (const auto number = one.exact ? one.exact->constant() : std::nullopt)
          least.number = number;
        else
          least.other = one.exact;
        for (IntExpr &form : one.most)
          if (least.most.size() < most_forms) least.most.push_back(std::move(form));
      }
      return least;
    }
    auto b = c.as<ast::BinOp>(n);
    if (!b) return {};
    const Value left = value(b.left(), known), right = value(b.right(), known);
    const auto by = right.exact ? right.exact->constant() : std::nullopt;
    if (b.op() == HTP_Mult) return exactly(left.exact * right.exact);
    if (b.op() == HTP_FloorDiv) return exactly(floor_div(left.exact, by.value_or(0)));
    if (b.op() != HTP_Add && b.op() != HTP_Sub) return {};
    const bool adds = b.op() == HTP_Add;
    Value result{.exact = adds ? left.exact + right.exact : left.exact - right.exact, .most = {}};
    const Forms less = adds ? right.most : right.exact ? Forms{*right.exact} : Forms{};
    for (const IntExpr &a : left.most)
      for (const IntExpr &o : less)
        if (const MaybeInt most = adds ? a + o : a - o; most && result.most.size() < most_forms)
          result.most.push_back(*most);
    return result;
  }
  // What is known where a condition holds, or does not.
  Values where(Node test, bool holds, Values known) const {
    auto k = c.as<ast::Compare>(test);
    const auto op = k && k.ops().size() == 1 ? static_cast<htp_op>(k.ops()[0]) : HTP_Is;
    const auto it = op == (holds ? HTP_NotEq : HTP_Eq) ? known.find(c.name_of(k.left())) : known.end();
    if (it == known.end() || !it->second.number || constants_.integer(k.comparators()[0]) != it->second.number)
      return known;
    it->second.exact = it->second.other;
    return known;
  }
  // `at + n == K`, where `n = min(64, K - at)` and `at` goes on by 64.
  bool is_last(Node test, const Round &r, const Values &known) const {
    auto k = c.as<ast::Compare>(test);
    auto end = k && k.ops().size() == 1 && static_cast<htp_op>(k.ops()[0]) == HTP_Eq ? c.as<ast::BinOp>(k.left())
                                                                                     : c.as<ast::BinOp>(HTP_NONE);
    if (!end || end.op() != HTP_Add || c.name_of(end.left()) != r.loop->name) return false;
    const Value at = value(end.left(), known), n = value(end.right(), known), all = value(k.comparators()[0], known);
    if (!at.exact || !all.exact || !n.other || n.number != r.step) return false;
    return all.exact - at.exact - n.other == 0;
  }
  // Nothing of what is not affine.
  static Value exactly(const MaybeInt &form) { return form && form->affine() ? Value{form, {*form}} : Value{}; }

  void collect(const std::vector<Statement> &body, Values known, const std::vector<Round> &loops,
               const std::vector<std::pair<const Statement *, bool>> &ways, const std::set<const Statement *> &last) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) {
        known[s.name] = s.tensor ? Value{} : value(s.value, known);
      } else if (s.kind == Statement::Kind::loop) {
        Round r{&s, "#" + std::to_string(symbols_++), IntExpr(), {}, 1};
        if (s.start) r.start = value(s.start, known).exact;
        r.stop = value(s.stop, known).most;
        if (s.step) r.step = constants_.integer(s.step).value_or(0);
        Values inner = known;
        inner[s.name] = {};
        if (r.step > 0) inner[s.name] = exactly(r.start + IntExpr::symbol(r.symbol) * IntExpr(r.step));
        std::vector<Round> around = loops;
        around.push_back(std::move(r));
        collect(s.body, std::move(inner), around, ways, last);
      } else if (s.kind == Statement::Kind::branch) {
        for (const bool way : {true, false}) {
          auto taken = ways;
          taken.emplace_back(&s, way);
          auto ends = last;
          for (const Round &r : loops)
            if (way && is_last(s.test, r, known)) ends.insert(r.loop);
          collect(way ? s.body : s.otherwise, where(s.test, way, known), loops, taken, ends);
        }
      } else if (s.kind == Statement::Kind::instruction && s.instruction == "tstore") {
        Store store{&s, loops, ways, last, {}, {}};
        for (const Node i : s.index) {
          Value begin;
          Forms end;
          if (const auto slice = read_slice(c, i)) {
            begin = value(slice->start, known), end = value(slice->stop, known).most;
          } else if (!c.dotted(i).ends_with(".whole")) {
            begin = value(i, known);
            for (const IntExpr &form : begin.most)
              if (const MaybeInt behind = form + 1) end.push_back(*behind);
          }
          store.begin.push_back(std::move(begin));
          store.end.push_back(std::move(end));
        }
        stores_.push_back(std::move(store));
      }
    }
  }

  // ── apart ──

  // A bound over what is around the loops from `first` on: in their first round, or their last.
  static Forms without(const Store &s, size_t first, const IntExpr &bound, bool most) {
    Forms forms{bound};
    for (size_t k = s.loops.size(); k-- > first;) {
      const Round &r = s.loops[k];
      Forms next;
      for (const IntExpr &form : forms) {
        const int64_t factor = form.coefficient(r.symbol);
        const MaybeInt rest = form.with({{r.symbol, 0}});
        if (!factor || (factor > 0) != most) {
          if (rest) next.push_back(*rest);
        } else if (factor % r.step == 0) {
          for (const IntExpr &stop : r.stop)
            if (const MaybeInt last = rest + (stop - r.start - 1) * IntExpr(factor / r.step);
                last && next.size() < most_forms)
              next.push_back(*last);
        }
      }
      forms = std::move(next);
    }
    return forms;
  }
  // Whether `above` is not less than `below`, all sizes and rounds being 0 or more, where a loop is any number of
  // rounds further in what `further` says, 1 in the first, -1 in the second.
  static bool behind(const IntExpr &above, const IntExpr &below, const Round *loop, int further) {
    MaybeInt difference = above - below;
    if (loop) {
      const MaybeInt each = IntExpr((further > 0 ? above : below).coefficient(loop->symbol)) * IntExpr(further);
      if (!each || *each->constant() < 0) return false;
      difference = difference + each; // one round at least
    }
    const auto from_0 = [](const std::string &) { return sdk::IntRange{.least = 0}; };
    return difference && difference->range(from_0).least.value_or(-1) >= 0;
  }
  // Whether the later one, in a later iteration of the loop `level` around both, or, that being as many as there are,
  // in the same of all, writes elsewhere.
  static bool apart(const Store &earlier, const Store &later, size_t level, size_t common) {
    const Round *loop = level < common ? &earlier.loops[level] : nullptr;
    const size_t first = loop ? level + 1 : common;
    for (size_t d = 0; d < earlier.begin.size(); ++d) {
      const auto &a = earlier.begin[d].exact, &b = later.begin[d].exact;
      if (!a || !b) continue;
      const auto beyond = [&](const Store &high, const IntExpr &begin, const Store &low, const Forms &ends,
                              int further) {
        for (const IntExpr &least : without(high, first, begin, false))
          for (const IntExpr &end : ends)
            for (const IntExpr &most : without(low, first, end, true))
              if (behind(least, most, loop, further)) return true;
        return false;
      };
      if (beyond(later, *b, earlier, earlier.end[d], 1) || beyond(earlier, *a, later, later.end[d], -1)) return true;
    }
    return false;
  }
  static bool meet(const Store &earlier, const Store &later) {
    if (earlier.statement->tensor != later.statement->tensor || earlier.statement->pipe() != later.statement->pipe() ||
        earlier.begin.size() != later.begin.size())
      return false;
    size_t common = 0;
    while (common < std::min(earlier.loops.size(), later.loops.size()) &&
           earlier.loops[common].loop == later.loops[common].loop)
      ++common;
    for (size_t level = 0; level < common; ++level)
      if (!(earlier.last.contains(earlier.loops[level].loop) && later.last.contains(earlier.loops[level].loop)) &&
          !apart(earlier, later, level, common))
        return true;
    const bool other_way = std::any_of(earlier.ways.begin(), earlier.ways.end(), [&](const auto &way) {
      return std::find(later.ways.begin(), later.ways.end(), std::pair(way.first, !way.second)) != later.ways.end();
    });
    // A store is the same one in the same iteration of all loops.
    return &earlier < &later && !other_way && !apart(earlier, later, common, common);
  }

  const Context &c;
  sdk::Constants constants_;
  const Program &p;
  size_t symbols_ = 0;
  std::vector<Store> stores_; // in the order of the program
};

} // namespace

void find_overwrites(const Context &c, Node root, Program &program) {
  for (Kernel &k : program.kernels) Overwrites(c, root, program, k);
}

} // namespace htp::a2a3
