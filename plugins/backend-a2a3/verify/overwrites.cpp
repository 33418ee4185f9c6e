// Which stores may write what a store of the same pipe wrote before: a pipe begins its transfers in order, and does not
// end them in order.
//
// A store's place along a dimension lies between linear forms over sizes and how often the loops around it went round.
// Two stores meet unless some dimension keeps them apart, in whatever iterations the later one comes after the earlier
// one: in a later iteration of one of the loops around both, those around that being in the same one, or in the same
// one of all.
//
// What a store's bounds are outside of some of its loops is made once for the store, and then compared as numbers, so
// that pairs of stores cost little. Whether a pair meets is asked when somebody needs it: all of them are as many as
// the square of the stores.
#include "analyses/program.h"

#include "htp_cpp/ints.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>

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

// A linear form: what it is made of but for the number that is added, by its number in `Parts`, and that number.
struct Bound {
  uint32_t part;
  int64_t offset;
  int64_t each; // how much more it is in the next round of the innermost loop that is left
};
using Bounds = std::vector<Bound>;

// What linear forms are made of, each once.
class Parts {
public:
  // `round`: the symbol that counts the rounds of the innermost loop.
  Bound of(const IntExpr &form, const std::string &round) {
    const MaybeInt rest = form - IntExpr(form.offset());
    const IntExpr &part = rest ? *rest : form;
    const auto [it, fresh] = numbers_.try_emplace(part, static_cast<uint32_t>(parts_.size()));
    if (fresh) parts_.push_back(part);
    return {it->second, rest ? form.offset() : 0, round.empty() ? 0 : form.coefficient(round)};
  }
  // Whether `above` is never less than `below`, all sizes and rounds being 0 or more.
  bool covers(uint32_t above, uint32_t below) const {
    if (above == below) return true;
    const auto [it, fresh] = covers_.try_emplace(uint64_t{above} << 32 | below);
    if (fresh) {
      const MaybeInt more = parts_[above] - parts_[below];
      const auto from_0 = [](const std::string &) { return sdk::IntRange{.least = 0}; };
      it->second = more && more->range(from_0).least.value_or(-1) >= 0;
    }
    return it->second;
  }

private:
  std::map<IntExpr, uint32_t> numbers_;
  std::vector<IntExpr> parts_;
  mutable std::unordered_map<uint64_t, bool> covers_;
};

struct Round { // of a loop around a store
  Node loop;
  std::string name, symbol;
  MaybeInt start;
  Forms stop;
  int64_t step;
};
// A store's bounds along a dimension, once some of its loops are left.
struct Extent {
  bool exact = false; // whether it is known where it begins
  Bounds first, last; // it begins at one of these or behind, and ends at one of those or before
};
struct Store {
  Node node;
  const Tensor *tensor;
  Pipe pipe;
  std::vector<Node> loops;
  std::vector<std::pair<Node, bool>> ways; // of branches around it
  std::set<Node> last;                     // loops of whose last iterations it is one
  std::vector<std::vector<Extent>> places; // outside of the loops from the k-th on: of each dimension
};

constexpr size_t most_forms = 8;

} // namespace

class Overwrites {
public:
  // Gives the stores of the kernel their numbers in it.
  static void find(const Context &c, Node root, const Program &program, Kernel &kernel);
  // Whether the later one may write what the earlier one wrote.
  bool meet(uint32_t earlier, uint32_t later) const {
    const Store &a = stores_[earlier], &b = stores_[later];
    if (a.tensor != b.tensor || a.pipe != b.pipe || a.places[0].size() != b.places[0].size()) return false;
    size_t common = 0;
    while (common < std::min(a.loops.size(), b.loops.size()) && a.loops[common] == b.loops[common]) ++common;
    for (size_t level = 0; level < common; ++level)
      if (!(a.last.contains(a.loops[level]) && b.last.contains(a.loops[level])) && !apart(a, b, level + 1, true))
        return true;
    const bool other_way = std::any_of(a.ways.begin(), a.ways.end(), [&](const auto &way) {
      return std::find(b.ways.begin(), b.ways.end(), std::pair(way.first, !way.second)) != b.ways.end();
    });
    // A store is the same one in the same iteration of all loops.
    return earlier < later && !other_way && !apart(a, b, common, false);
  }

private:
  class Reader;

  // Whether `above` is not less than `below`, where the innermost loop that is left is any number of rounds further in
  // what `further` says, 1 in the first, -1 in the second, 0 in none.
  bool behind(const Bound &above, const Bound &below, int further) const {
    int64_t more = 0;
    if (__builtin_sub_overflow(above.offset, below.offset, &more)) return false;
    if (further) { // one round at least
      int64_t each = 0;
      if (__builtin_mul_overflow(further > 0 ? above.each : below.each, int64_t{further}, &each) || each < 0 ||
          __builtin_add_overflow(more, each, &more))
        return false;
    }
    return more >= 0 && parts_.covers(above.part, below.part);
  }
  // Whether the later one writes elsewhere outside of the loops from `first` on, where it is in a later iteration of
  // the loop around these, or in the same one.
  bool apart(const Store &earlier, const Store &later, size_t first, bool further) const {
    const auto beyond = [&](const Bounds &high, const Bounds &low, int sign) {
      return std::any_of(high.begin(), high.end(), [&](const Bound &least) {
        return std::any_of(low.begin(), low.end(),
                           [&](const Bound &most) { return behind(least, most, further ? sign : 0); });
      });
    };
    for (size_t d = 0; d < earlier.places[first].size(); ++d) {
      const Extent &a = earlier.places[first][d], &b = later.places[first][d];
      if (a.exact && b.exact && (beyond(b.first, a.last, 1) || beyond(a.first, b.last, -1))) return true;
    }
    return false;
  }

  Parts parts_;
  std::vector<Store> stores_; // in the order of the program
};

bool Statement::overwrites(const Statement &before) const {
  return stores && stores == before.stores && stores->meet(before.store_number, store_number);
}

// Reads where stores write.
class Overwrites::Reader {
public:
  Reader(const Context &context, Node root, const Program &program, Overwrites &overwrites)
      : c(context), constants_(context, root), p(program), o_(overwrites) {}

  void collect(const std::vector<Statement> &body, Values known, const std::vector<Round> &loops,
               const std::vector<std::pair<Node, bool>> &ways, const std::set<Node> &last) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) {
        known[s.name] = s.tensor ? Value{} : value(s.value, known);
      } else if (s.kind == Statement::Kind::loop) {
        Round r{s.node, s.name, "#" + std::to_string(symbols_++), IntExpr(), {}, 1};
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
          taken.emplace_back(s.node, way);
          auto ends = last;
          for (const Round &r : loops)
            if (way && is_last(s.test, r, known)) ends.insert(r.loop);
          collect(way ? s.body : s.otherwise, where(s.test, way, known), loops, taken, ends);
        }
      } else if (s.kind == Statement::Kind::instruction && s.instruction == "tstore") {
        Store store{s.node, s.tensor, s.pipe(), {}, ways, last, {}};
        for (const Round &r : loops) store.loops.push_back(r.loop);
        store.places.resize(loops.size() + 1);
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
          for (size_t first = 0; first <= loops.size(); ++first)
            store.places[first].push_back(extent(begin.exact, end, loops, first));
        }
        o_.stores_.push_back(std::move(store));
      }
    }
  }

private:
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
    if (!end || end.op() != HTP_Add || c.name_of(end.left()) != r.name) return false;
    const Value at = value(end.left(), known), n = value(end.right(), known), all = value(k.comparators()[0], known);
    if (!at.exact || !all.exact || !n.other || n.number != r.step) return false;
    return all.exact - at.exact - n.other == 0;
  }
  // Nothing of what is not affine.
  static Value exactly(const MaybeInt &form) { return form && form->affine() ? Value{form, {*form}} : Value{}; }

  Extent extent(const MaybeInt &begin, const Forms &end, const std::vector<Round> &loops, size_t first) const {
    Extent e;
    if (!begin) return e;
    e.exact = true;
    const auto add = [&](const IntExpr &bound, bool most, Bounds &to) {
      for (const IntExpr &form : without(loops, first, bound, most))
        to.push_back(o_.parts_.of(form, first ? loops[first - 1].symbol : std::string()));
    };
    add(*begin, false, e.first);
    for (const IntExpr &form : end) add(form, true, e.last);
    return e;
  }
  // A bound over what is around the loops from `first` on: in their first round, or their last.
  static Forms without(const std::vector<Round> &loops, size_t first, const IntExpr &bound, bool most) {
    Forms forms{bound};
    for (size_t k = loops.size(); k-- > first;) {
      const Round &r = loops[k];
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

  const Context &c;
  sdk::Constants constants_;
  const Program &p;
  Overwrites &o_;
  size_t symbols_ = 0;
};

namespace {

void mark(std::vector<Statement> &body, const std::shared_ptr<const Overwrites> &stores,
          const std::unordered_map<Node, uint32_t> &numbers) {
  for (Statement &s : body) {
    if (const auto it = numbers.find(s.node); it != numbers.end() && s.kind == Statement::Kind::instruction)
      s.stores = stores, s.store_number = it->second;
    mark(s.body, stores, numbers), mark(s.otherwise, stores, numbers);
  }
}

} // namespace

void Overwrites::find(const Context &c, Node root, const Program &program, Kernel &kernel) {
  const auto made = std::make_shared<Overwrites>();
  Reader(c, root, program, *made).collect(kernel.body, {}, {}, {}, {});
  std::unordered_map<Node, uint32_t> numbers;
  for (uint32_t k = 0; k < made->stores_.size(); ++k) numbers.emplace(made->stores_[k].node, k);
  if (!numbers.empty()) mark(kernel.body, made, numbers);
}

void find_overwrites(const Context &c, Node root, Program &program) {
  for (Kernel &k : program.kernels) Overwrites::find(c, root, program, k);
}

} // namespace htp::a2a3
