// Which sizes and ints a package's kernels can do with, as the registry lists them.
#include "emit.h"

#include "htp_cpp/ints.h"

#include <algorithm>
#include <set>
#include <utility>

namespace htp::a2a3 {

namespace {

// An affine sum without its number; what is added comes first.
std::string json_of(const IntExpr &sum) {
  std::string all;
  for (const bool adds : {true, false})
    for (const auto &[product, n] : sum.terms()) {
      if (product.empty() || (n > 0) != adds) continue;
      const std::string name = quoted(product[0]->text), times = std::to_string(n).substr(adds ? 0 : 1);
      const std::string one = times == "1" ? name : "[\"*\", " + times + ", " + name + "]";
      all = all.empty() && adds
                ? one
                : std::string(adds ? "[\"+\", " : "[\"-\", ") + (all.empty() ? "0" : all) + ", " + one + "]";
    }
  return all;
}

class LimitFinder {
public:
  LimitFinder(const Context &context, const Ints &ints, const Program &program)
      : c(context), ints_(ints), p(program), numbers_(program.numbers()) {}

  Limits run() {
    for (const Kernel &k : p.kernels) {
      std::map<std::string, Range> loops;
      for (const PartOf &part : loops_of(p, k)) // which cover all of it
        loops[part.name] = {IntExpr(), std::nullopt, sum(part.stop, loops)};
      values_.clear(), rests_.clear(), given_.clear();
      given_.insert(p.int_parameters.begin(), p.int_parameters.end());
      held(k.body, {}, {});
      looped(k.body);
      indexed(k.body, loops, false);
    }
    for (size_t k = p.parameters; k < p.tensors.size(); ++k)
      for (const Node extent : p.tensors[k].extents)
        if (ints_.only_names(extent, numbers_) && (!ints_.only_names(extent, p.dims) || subtracts(extent)))
          least(ints_.json(extent), 1);
    return std::move(limits_);
  }

private:
  void least(const std::string &extent, int64_t size) {
    const auto [it, fresh] = limits_.emplace(extent, Limit{size});
    it->second.least = std::max(it->second.least, size);
  }

  // That it is not negative; nothing to ask where that is more than any int.
  void ask(const IntExpr &value) {
    if (const auto number = -MaybeInt(value.offset())) least(json_of(value), *number->constant());
  }

  // ── sizes ──

  bool subtracts(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) {
      auto b = c.as<ast::BinOp>(e);
      found |= b && b.op() == HTP_Sub;
    });
    return found;
  }

  // A dimension that a loop counts to beside something is there; and a sum has a first product.
  void looped(const std::vector<Statement> &body) {
    const auto works = [](const Statement &s) {
      return s.kind == Statement::Kind::loop || s.kind == Statement::Kind::branch ||
             s.kind == Statement::Kind::instruction;
    };
    const bool beside = std::count_if(body.begin(), body.end(), works) > 1;
    for (const Statement &s : body) {
      looped(s.otherwise);
      if (s.kind == Statement::Kind::branch) looped(s.body);
      if (s.kind != Statement::Kind::loop) continue;
      if (beside && c.is(s.stop, HTP_Name) && ints_.only_names(s.stop, p.dims)) least(ints_.json(s.stop), 1);
      if (beside && sums_up(s.body)) goes_round(s);
      looped(s.body);
    }
  }
  void goes_round(const Statement &s) {
    const MaybeInt first = s.start ? sum(s.start, {}) : IntExpr(), stop = sum(s.stop, {}), times = stop - first;
    if (times) {
      if (const MaybeInt more = times - 1; more && !times->constant()) ask(*more);
    } else if (first == 0 && !stop && ints_.only_names(s.stop, numbers_)) {
      least(ints_.json(s.stop), 1);
    }
  }

  // Whether a product begins a sum there.
  static bool sums_up(const std::vector<Statement> &body) {
    return std::any_of(body.begin(), body.end(), [](const Statement &s) {
      return (s.kind == Statement::Kind::instruction && s.test) || sums_up(s.body) || sums_up(s.otherwise);
    });
  }

  // What tiles hold of the sizes, but where a branch is only taken up to what they hold, or from 1 on. `known`: sums
  // that are not negative there.
  void held(const std::vector<Statement> &body, const std::pair<std::string, int64_t> &up_to,
            const std::vector<IntExpr> &known) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::branch) {
        for (const bool otherwise : {true, false}) {
          std::vector<IntExpr> also = known;
          decided(s.test, !otherwise, also);
          const auto size = otherwise ? std::nullopt : most_of_size(c, s.test);
          held(otherwise ? s.otherwise : s.body, size.value_or(up_to), also);
        }
        continue;
      }
      held(s.body, up_to, known);
      if (s.kind != Statement::Kind::tile) continue;
      const Tile &t = *s.tile;
      for (const auto &[extent, capacity] : {std::pair(t.valid_rows, t.rows), std::pair(t.valid_columns, t.columns)}) {
        const bool less = !up_to.first.empty() && c.name_of(extent) == up_to.first && capacity >= up_to.second;
        if (less || !ints_.only_names(extent, numbers_)) continue;
        const std::string of = ints_.json(extent);
        least(of, smallest(sum(extent, {}), known));
        int64_t &most = limits_.at(of).most;
        most = std::min(most, capacity);
      }
    }
  }
  // The least that a call may make of a tile's extent: 1, but where tests see to that anything that sizes make of it.
  int64_t smallest(const MaybeInt &extent, const std::vector<IntExpr> &known) const {
    const MaybeInt over = extent - 1;
    const auto implies = [&](const IntExpr &k) {
      const MaybeInt rest = *over - k;
      return rest && rest->constant().value_or(-1) >= 0;
    };
    if (!over || std::none_of(known.begin(), known.end(), implies)) return 1;
    const auto grows = [](const auto &term) { return term.second > 0 || term.first.empty(); };
    const auto names = extent->names();
    const bool sizes = std::all_of(names.begin(), names.end(), [&](const std::string &name) {
      return std::find(p.dims.begin(), p.dims.end(), name) != p.dims.end();
    });
    const auto &terms = extent->terms();
    return sizes && std::all_of(terms.begin(), terms.end(), grows) ? std::min<int64_t>(extent->offset(), 1) : 1;
  }
  // The sums that are not negative where a test holds, or where it does not.
  void decided(Node test, bool holds, std::vector<IntExpr> &known) const {
    if (auto all = c.as<ast::BoolOp>(test); all && (all.op() == HTP_And) == holds)
      for (const Node n : all.values()) decided(n, holds, known);
    auto k = c.as<ast::Compare>(test);
    if (!k || k.ops().size() != 1) return;
    const MaybeInt a = sum(k.left(), {}), o = sum(k.comparators()[0], {});
    const auto op = static_cast<htp_op>(k.ops()[0]);
    const bool more = op == HTP_Gt || op == HTP_GtE, less = op == HTP_Lt || op == HTP_LtE;
    if (!more && !less) return;
    const MaybeInt over = more == holds ? a - o : o - a; // a test that fails turns it round, and its strictness
    const bool strict = (op == HTP_Gt || op == HTP_Lt) == holds;
    if (const MaybeInt sure = over - (strict ? 1 : 0)) known.push_back(*sure);
  }

  // ── ints ──

  // Of a loop's variable: the least one and the last one, and, where it steps by blocks, where the last of these ends.
  struct Range {
    MaybeInt first, last, end;
  };
  using Ranges = std::map<std::string, Range>;

  // A sum of sizes, ints and loops' variables; the rest of a block, `min(64, M - i_at)`, is what `i_at` lacks to the
  // end.
  MaybeInt sum(Node n, const Ranges &loops) const {
    if (!n) return std::nullopt;
    const auto whole = [](const std::optional<sdk::Number> &number) {
      return number && !number->real ? MaybeInt(number->i) : std::nullopt;
    };
    sdk::IntMeanings meanings;
    meanings.name = [&](std::string_view id) -> MaybeInt {
      if (const MaybeInt number = whole(ints_.constants().named(id))) return number;
      const std::string name(id);
      if (const auto it = values_.find(name); it != values_.end()) return sum(it->second, loops);
      const bool known = loops.contains(name) || rests_.contains(name) ||
                         std::find(numbers_.begin(), numbers_.end(), name) != numbers_.end();
      return known ? MaybeInt(IntExpr::symbol(name)) : std::nullopt;
    };
    meanings.other = [&](Node e) { return whole(ints_.number(e)); };
    const MaybeInt read = read_int(c, n, meanings);
    return read && read->affine() ? read : std::nullopt;
  }
  // The least or the largest value of a sum, by sizes and ints alone.
  MaybeInt bound(MaybeInt of, const Ranges &loops, bool largest) const {
    for (const auto &[rest, block] : rests_) { // a block's first index and its rest are where it ends
      const int64_t times = of ? of->coefficient(rest) : 0;
      if (times == 0) continue;
      const auto loop = loops.find(block);
      if (loop == loops.end() || !loop->second.end || of->coefficient(block) != times || (times > 0) != largest)
        return std::nullopt;
      of = of->with({{rest, 0}, {block, 0}}) + loop->second.end * IntExpr(times);
    }
    for (size_t rounds = 0; of && rounds <= loops.size(); ++rounds) {
      const auto it = std::ranges::find_if(loops, [&](const auto &loop) { return of->uses(loop.first); });
      if (it == loops.end()) return of;
      const auto &[variable, range] = *it;
      const int64_t times = of->coefficient(variable);
      of = of->with({{variable, 0}}) + ((times > 0) == largest ? range.last : range.first) * IntExpr(times);
    }
    return std::nullopt;
  }
  bool of_ints(const MaybeInt &sum) const {
    return sum && std::any_of(p.int_parameters.begin(), p.int_parameters.end(),
                              [&](const std::string &name) { return sum->uses(name); });
  }
  // Whether an int of the call or data are in it.
  bool of_given(Node n) const {
    bool found = false;
    if (n) c.each(n, [&](Node e) { found |= c.is(e, HTP_Name) && given_.contains(std::string(c.name_of(e))); });
    return found;
  }
  // That it is not negative.
  void never_negative(const MaybeInt &value) {
    if (value && !value->constant()) ask(*value);
  }

  // What indices ask of the sizes and ints that they are made of, where every call comes by. `perhaps`: an int says how
  // often.
  void indexed(const std::vector<Statement> &body, Ranges loops, bool perhaps) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) integer(s, loops);
      if (s.kind == Statement::Kind::branch) { // what both ways ask for
        const Limits before = limits_;
        indexed(s.body, loops, perhaps);
        const Limits one = std::exchange(limits_, before);
        indexed(s.otherwise, loops, perhaps);
        std::erase_if(limits_, [&](const auto &l) { return !one.contains(l.first); });
        for (auto &[extent, limit] : limits_) limit.least = std::min(limit.least, one.at(extent).least);
      } else if (s.kind == Statement::Kind::loop) {
        Ranges inner = loops;
        inner[s.name] = range_of(s, loops);
        indexed(s.body, inner, perhaps || of_given(s.start) || of_given(s.stop));
      } else if (s.tensor && (s.kind == Statement::Kind::instruction || s.kind == Statement::Kind::integer)) {
        for (size_t d = 0; d < s.index.size(); ++d) index(s.index[d], s.tensor->extents[d], loops, perhaps);
      }
    }
  }
  void integer(const Statement &s, const Ranges &loops) {
    values_.erase(s.name), rests_.erase(s.name), given_.erase(s.name);
    if (s.tensor || of_given(s.value)) given_.insert(s.name);
    if (s.tensor) return;
    auto least = c.as<ast::Call>(s.value);
    if (sum(s.value, loops)) {
      values_[s.name] = s.value;
    } else if (least && c.name_of(least.func()) == "min" && least.args().size() == 2) {
      auto rest = c.as<ast::BinOp>(least.args()[1]);
      if (rest && rest.op() == HTP_Sub && loops.contains(std::string(c.name_of(rest.right()))))
        rests_[s.name] = std::string(c.name_of(rest.right()));
    }
  }
  MaybeInt bound_of(Node n, const Ranges &loops, bool largest) const {
    auto least = c.as<ast::Call>(n);
    // Of `min(i_part + i_step, M)` parts cover all.
    if (least && c.name_of(least.func()) == "min" && least.args().size() == 2) n = least.args()[1];
    const auto value = sum(n, loops);
    return bound(value, loops, largest);
  }
  Range range_of(const Statement &loop, const Ranges &loops) const {
    Range r;
    r.first = loop.start ? bound_of(loop.start, loops, false) : IntExpr();
    r.end = bound_of(loop.stop, loops, true);
    const auto step = loop.step ? ints_.number(loop.step) : std::nullopt;
    if (r.end && (!loop.step || (step && step->i == 1))) r.last = r.end - 1;
    return r;
  }
  void index(Node n, Node extent, const Ranges &loops, bool perhaps) {
    const auto slice = read_slice(c, n);
    if (!slice && c.dotted(n).ends_with(".whole")) return;
    const auto size = sum(extent, {}), first = sum(slice ? slice->start : n, loops),
               last = sum(slice ? slice->stop : n, loops);
    // A loop that goes round no times asks for nothing.
    if (perhaps && (of_ints(first) || of_ints(last))) return;
    never_negative(bound(first, loops, false));
    const MaybeInt end = bound(last, loops, true) + (slice ? 0 : 1);
    if (size)
      never_negative(size - end);
    else if (end && end->constant() && ints_.only_names(extent, p.dims))
      least(ints_.json(extent), *end->constant());
  }

  const Context &c;
  const Ints &ints_;
  const Program &p;
  const std::vector<std::string> numbers_;
  std::map<std::string, Node> values_;       // ints of a kernel that are sums
  std::map<std::string, std::string> rests_; // and those that are the rest of a block, by the block's loop
  std::set<std::string> given_;              // and those that the call's ints, or data, are in
  Limits limits_;
};

} // namespace

Limits limits_of(const Context &c, const Ints &ints, const Program &p) { return LimitFinder(c, ints, p).run(); }

} // namespace htp::a2a3
