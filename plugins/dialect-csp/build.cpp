// build.cpp — from a pipeline to its network: what each process does with channels, in terms of sizes and loops.
#include "items.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/writer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace htp::csp {

namespace {

constexpr size_t most_processes = 100'000;
constexpr size_t most_parts = 8;      // of a loop, by conditions on its variable
constexpr size_t most_numbers = 4096; // iterations that are distinguished, of loops in each other
constexpr int64_t most_turns = 16;    // of iterations that differ by what is left of them over a number

// One instance of a process.
class Building : Items {
public:
  // `channels`: of the network, and behind them the checked ones.
  Building(const Context &context, const Program &program, const std::map<std::string, size_t, std::less<>> &channels,
           Built &built, Values indices, Form form)
      : Items(context, program, std::move(indices)), channels_(channels), calls_(built.calls), built_(built),
        counted_(form == Form::counted), calls_before_(built.calls.size()) {}

  bool steps(Nodes statements, std::vector<Step> &into) {
    around_.push_back({statements});
    bool good = true;
    for (size_t k = 0; k < statements.size() && good; ++k) {
      around_.back().at = k;
      good = statement(statements[k], into);
    }
    around_.pop_back();
    return good;
  }

private:
  bool statement(Node s, std::vector<Step> &into) {
    if (counted_ && !used(s)) return false;
    if (c.is(s, HTP_For)) return loop(s, into);
    if (c.is(s, HTP_If)) return branch(s, into);
    if (c.is(s, HTP_While)) {
      auto w = c.get<ast::While>(s);
      std::vector<Step> body;
      const size_t uses = uses_;
      if (!operations(w.test(), body)) return false;
      if (uses_ > uses) return c.report(diag::rate_of_data, w.test(), "while"), false;
      if (!perhaps(w.body(), body)) return false;
      if (!body.empty()) return c.report(diag::rate_of_data, s, "while"), false;
      return true;
    }
    return operations(s, into);
  }

  // The operations of a statement in the order Python makes them: arguments before the call.
  bool operations(Node n, std::vector<Step> &into) {
    auto call = c.as<ast::Call>(n);
    auto method = call ? c.as<ast::Attribute>(call.func()) : ast::Attribute{};
    auto at = method ? c.as<ast::Subscript>(method.value()) : ast::Subscript{};
    const ChannelDeclaration *declared = method ? p_.channel(c.name_of(at ? at.value() : method.value())) : nullptr;
    const bool puts = method && method.attr() == "put", gets = method && method.attr() == "get";
    const bool closes = declared && method.attr() == "close";
    if (closes && !declared->checked) return not_checked(n, *declared, "closed");
    if (declared && !puts && !gets && !closes)
      return c.report(diag::no_method, n, declared->name, method.attr()), false;
    if (!declared && (puts || gets)) return c.report(diag::no_channel, method.value(), c.show(method.value())), false;
    if (!declared) {
      if (const ChannelDeclaration *value = p_.channel(c.name_of(n)))
        return c.report(diag::channel_value, n, value->name), false;
      bool good = true;
      const size_t before = into.size() + uses_;
      c.children(n, [&](Node inner) { good = good && operations(inner, into); });
      if (good && into.size() + uses_ > before && (c.is(n, HTP_BoolOp) || c.is(n, HTP_IfExp)))
        return c.report(diag::rate_of_data, n,
                        c.is(n, HTP_IfExp)                      ? "if"
                        : c.get<ast::BoolOp>(n).op() == HTP_And ? "and"
                                                                : "or"),
               false;
      return good;
    }
    const size_t items = puts && declared->dtype ? 1 : 0;
    if (call.args().size() != items || !call.keywords().empty())
      return c.report(items ? diag::no_item_put : diag::no_arguments, n, c.show(call.func()))
                 .label(declared->call, "declared here"),
             false;
    for (const Node item : call.args())
      if (!operations(item, into)) return false;
    const auto channel = channel_of(method.value());
    if (!channel) return false;
    if (declared->checked) {
      use(*channel, puts ? Use::Kind::put : gets ? Use::Kind::get : Use::Kind::close, n);
      return true;
    }
    Step step{.kind = puts ? StepKind::put : StepKind::get, .channel = *channel, .id = calls_.size()};
    for (const Node extent : declared->extents) {
      if (p_.names.called(extent) != "htp_tile.tiles") continue;
      const auto over = std::find_if(cuts_.rbegin(), cuts_.rend(),
                                     [&](const auto &cut) { return p_.same_blocks(c, cut.first, extent); });
      if (over == cuts_.rend())
        return c.report(diag::no_block, n, declared->name, c.show(extent)).label(declared->call, "declared here"),
               false;
      step.blocks.push_back(over->second);
    }
    into.push_back(std::move(step));
    calls_.push_back(n);
    return true;
  }

  bool not_checked(Node where, const ChannelDeclaration &declared, std::string_view what) {
    c.report(diag::not_checked, where, declared.name, what).label(declared.call, "declared here");
    return false;
  }

  // The number of a channel, or of a checked one among the checked; nothing after a report.
  std::optional<size_t> channel_of(Node n) {
    const auto [declared, index] = reference(c, p_, n);
    const auto name = index                     ? channel_at(*declared, index)
                      : declared->array.empty() ? std::optional(declared->name)
                                                : std::nullopt;
    const auto channel = name ? channels_.find(*name) : channels_.end();
    if (channel == channels_.end()) return c.report(diag::no_such_channel, n, c.show(n)), std::nullopt;
    return channel->second - (declared->checked ? built_.network.channels.size() : 0);
  }

  void use(size_t stream, Use::Kind kind, Node where) {
    ++uses_;
    if (counted_)
      built_.streams[stream].uses.push_back({kind, built_.network.processes.size() - 1, where, perhaps_ == 0});
  }

  // What may run once, several times or never.
  bool perhaps(Nodes statements, std::vector<Step> &into) {
    ++perhaps_;
    const bool good = steps(statements, into);
    --perhaps_;
    return good;
  }

  // for row in kept
  bool items(ast::For f) {
    const ChannelDeclaration &declared = *reference(c, p_, f.iter()).channel;
    if (!declared.checked) return not_checked(f.iter(), declared, "looped over");
    if (c.name_of(f.target()).empty())
      return c.report(diag::bad_items, f.target(), c.show(f.iter()), "gives each item one name")
                 .hint("a loop has one name: `for row in " + c.show(f.iter()) + ":`"),
             false;
    if (!f.orelse().empty())
      return c.report(diag::bad_items, f.orelse()[0], c.show(f.iter()), "has no `else`")
                 .hint("write it behind the loop"),
             false;
    const auto channel = channel_of(f.iter());
    if (!channel) return false;
    const bool first = uses_ == 0 && calls_.size() == calls_before_ && perhaps_ == 0;
    use(*channel, Use::Kind::items, f.iter());
    const size_t uses = uses_, at = built_.streams[*channel].uses.size();
    if (const Node leaves = leaving(f.body())) {
      if (c.is(leaves, HTP_Continue))
        c.report(diag::bad_items, leaves, c.show(f.iter()), "has no `continue`")
            .hint("write what comes behind it into an `if`");
      else
        c.report(diag::left_early, leaves, c.show(f.iter()));
      return false;
    }
    std::vector<Step> body;
    if (!perhaps(f.body(), body)) return false;
    if (!body.empty()) return c.report(diag::rate_of_data, f.iter(), "for"), false;
    if (counted_) built_.streams[*channel].uses[at - 1].drains = first && uses_ == uses;
    return true;
  }

  // `lanes[i, 0]` of an array, where the indices are known of this instance.
  std::optional<std::string> channel_at(const ChannelDeclaration &declared, Node index) {
    auto tuple = c.as<ast::Tuple>(index);
    const Nodes each = tuple ? tuple.elts() : Nodes(&index, 1);
    if (each.size() != declared.array.size()) return std::nullopt;
    std::string name = declared.name;
    for (size_t d = 0; d < each.size(); ++d) {
      const auto at = linear(each[d]);
      const auto number = at ? at->constant() : std::nullopt;
      if (!number || *number < 0 || *number >= declared.array[d]) return std::nullopt;
      name += (d ? ", " : "[") + std::to_string(*number);
    }
    return name + "]";
  }

  bool loop(Node s, std::vector<Step> &into) {
    auto f = c.get<ast::For>(s);
    if (reference(c, p_, f.iter()).channel) return items(f);
    if (!operations(f.iter(), into)) return false; // once, before its iterations
    const std::string variable(c.name_of(f.target()));
    const LoopForms forms = loop_forms(c, p_.names, f.iter());
    auto range = c.as<ast::Call>(forms.range);
    const auto ints = ints_;
    const auto blocks = blocks_;
    const auto cuts = cuts_;
    if (const auto values = range ? numbers(range) : std::nullopt;
        values && uses_channels(f.body()) && steers(f.body(), variable))
      return each(*values, variable, f, forms, into);
    std::vector<Step> made;
    bool known = true, good = true;
    const size_t uses = uses_;
    ++perhaps_;
    if (const auto counted = range ? count(range) : std::nullopt) {
      const int64_t turns = counted_ ? turns_of(f.body(), variable) : 1;
      good = turns > 1
                 ? in_turn(f, variable, *counted, turns, made)
                 : iterations(f, variable, *counted, {}, TripCount{{counted->times}}, counted_ ? most_parts : 0, made);
    } else {
      Step step{.kind = StepKind::loop, .variable = own(variable)};
      known = range && blocks_of(range, forms.range, variable, step);
      good = steps(f.body(), step.body);
      if (!step.body.empty()) made.push_back(std::move(step));
    }
    --perhaps_;
    ints_ = ints;
    blocks_ = blocks;
    cuts_ = cuts;
    if (!good) return false;
    if (forms.parallel && uses_ > uses) return c.report(diag::parallel, f.iter(), variable), false;
    if (made.empty()) return true;
    if (const Node leaves = leaving(f.body())) return c.report(diag::rate_of_data, leaves, "break"), false;
    if (forms.parallel)
      return c.report(diag::parallel, f.iter(), variable)
                 .label(calls_[first_call(made.front())], "a channel is used here"),
             false;
    if (!known) return c.report(diag::rate_of_data, f.iter(), "for"), false;
    std::move(made.begin(), made.end(), std::back_inserter(into));
    return true;
  }

  // What ends a loop, or an iteration of it, early; HTP_NONE if nothing does.
  Node leaving(Nodes statements) const {
    Node found = HTP_NONE;
    for (const Node s : statements) {
      if (c.is(s, HTP_Break) || c.is(s, HTP_Continue)) found = s;
      if (auto branch = c.as<ast::If>(s); branch && !found)
        found = leaving(branch.body()) ? leaving(branch.body()) : leaving(branch.orelse());
    }
    return found;
  }

  // The numbers that a loop counts, where they are few and known when compiling.
  std::optional<std::vector<int64_t>> numbers(ast::Call range) {
    if (c.name_of(range.func()) != "range" || range.args().empty() || range.args().size() > 3) return std::nullopt;
    std::vector<int64_t> bounds;
    for (const Node n : range.args()) {
      const auto value = linear(n);
      if (!value || !value->constant()) return std::nullopt;
      bounds.push_back(*value->constant());
    }
    if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
    const int64_t stride = bounds.size() > 2 ? bounds[2] : 1;
    if (stride == 0) return std::nullopt;
    std::vector<int64_t> found;
    for (int64_t at = bounds[0]; stride > 0 ? at < bounds[1] : at > bounds[1]; at += stride) {
      if (found.size() * copies_ == most_numbers) return std::nullopt;
      found.push_back(at);
    }
    return found;
  }

  bool uses_channels(Nodes statements) const {
    bool found = false;
    for (const Node s : statements)
      c.each(s, [&](Node n) { found = found || (c.is(n, HTP_Name) && p_.channel(c.name_of(n))); });
    return found;
  }

  // Whether a variable says which channels are used: by an index of an array, or a condition.
  bool steers(Nodes statements, const std::string &variable) const {
    bool found = false;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        if (auto at = c.as<ast::Subscript>(n); at && p_.channel(c.name_of(at.value())))
          found = found || mentions(at.slice(), variable);
        if (auto branch = c.as<ast::If>(n)) found = found || mentions(branch.test(), variable);
      });
    return found;
  }

  // A loop over numbers, one iteration after the other.
  bool each(const std::vector<int64_t> &values, const std::string &variable, ast::For f, const LoopForms &forms,
            std::vector<Step> &into) {
    const size_t before = into.size(), uses = uses_;
    const auto indices = indices_;
    const size_t copies = copies_;
    copies_ *= std::max<size_t>(values.size(), 1);
    bool good = true;
    for (size_t k = 0; k < values.size() && good; ++k) {
      indices_[variable] = values[k];
      turning_[f.node] = {variable, values.size() > 1 ? values[1] - values[0] : 1,
                          IntExpr(static_cast<int64_t>(values.size() - k) - 1)};
      good = steps(f.body(), into);
    }
    turning_.erase(f.node);
    indices_ = indices;
    copies_ = copies;
    if (good && forms.parallel && uses_ > uses) return c.report(diag::parallel, f.iter(), variable), false;
    if (!good || into.size() == before) return good;
    if (const Node leaves = leaving(f.body())) return c.report(diag::rate_of_data, leaves, "break"), false;
    if (forms.parallel)
      return c.report(diag::parallel, f.iter(), variable)
                 .label(calls_[first_call(into[before])], "a channel is used here"),
             false;
    return true;
  }

  static size_t first_call(const Step &step) { return is_loop(step) ? first_call(step.body.front()) : step.id; }

  // Loops in each other may have one name in Python: here each has its own.
  std::string own(const std::string &name) { return name + "#" + std::to_string(variables_++); }

  // A loop over ints: its variable is `first` in iteration 0, and grows by `stride`.
  struct Counted {
    IntExpr first;
    int64_t stride = 1;
    IntExpr times;
  };
  std::optional<Counted> count(ast::Call range) {
    if (c.name_of(range.func()) != "range" || range.args().empty() || range.args().size() > 3) return std::nullopt;
    const Nodes a = range.args();
    const MaybeInt start = a.size() > 1 ? linear(a[0]) : IntExpr(), stop = linear(a[a.size() > 1 ? 1 : 0]);
    const auto stride = a.size() > 2 ? p_.constants.integer(a[2]) : std::optional<int64_t>(1);
    if (!stride || *stride == 0) return std::nullopt;
    const MaybeInt times = ceil_div(*stride > 0 ? stop - start : start - stop, std::abs(*stride));
    return times ? std::optional(Counted{*start, *stride, *times}) : std::nullopt;
  }

  bool blocks_of(ast::Call range, Node range_node, const std::string &variable, Step &step) {
    ints_.erase(variable);
    blocks_.erase(variable);
    if (p_.names.qualified(range.func()) != "htp_tile.tiles" || range.args().size() != 2) return false;
    const auto size = p_.constants.integer(range.args()[1]);
    const auto of = extent(range.args()[0]);
    if (!size || *size < 1 || !of) return false;
    for (const IntExpr &one : of->least_of) {
      const MaybeInt times = ceil_div(one, *size);
      if (!times) return false;
      step.times.least_of.push_back(*times);
    }
    cuts_.emplace_back(range_node, step.variable);
    TripCount length{{*size}};
    for (const IntExpr &one : of->least_of) {
      const MaybeInt rest = one - IntExpr::symbol(step.variable) * *size;
      if (!plain(one) || !rest) return true; // how long its blocks are is not known
      length.least_of.push_back(*rest);
    }
    blocks_[variable] = std::move(length);
    return true;
  }

  // ── conditions on a loop's variable ──

  // Of `m % 2`, where it chooses which channels are used, 2.
  int64_t turns_of(Nodes body, const std::string &variable) {
    int64_t turns = 1;
    for (const Node s : body)
      c.each(s, [&](Node n) {
        auto i = c.as<ast::If>(n);
        if (!i || (!uses_channels(i.body()) && !uses_channels(i.orelse()))) return;
        c.each(i.test(), [&](Node e) {
          auto b = c.as<ast::BinOp>(e);
          const auto of = b && b.op() == HTP_Mod ? p_.constants.integer(b.right()) : std::nullopt;
          if (of && *of > 1 && mentions(b.left(), variable)) turns = std::lcm(turns, std::min(*of, most_turns + 1));
        });
      });
    return turns > most_turns ? 1 : turns;
  }

  bool mentions(Node n, const std::string &variable) const {
    bool found = false;
    c.each(n, [&](Node e) { found = found || (c.is(e, HTP_Name) && c.name_of(e) == variable); });
    return found;
  }

  // A loop's iterations in groups of so many, of which each knows its position in the group.
  bool in_turn(ast::For f, const std::string &variable, const Counted &counted, int64_t turns,
               std::vector<Step> &into) {
    const MaybeInt groups = ceil_div(counted.times, turns);
    if (!groups) return c.report(diag::rate_of_data, f.iter(), "for"), false;
    Step step{.kind = StepKind::loop, .variable = own(""), .times = {{*groups}}};
    const auto known = known_;
    known_.push_back(IntExpr::symbol(step.variable));
    blocks_.erase(variable);
    bool good = true;
    for (int64_t turn = 0; turn < turns && good; ++turn) {
      const MaybeInt now = known_.back() * IntExpr(turns) + turn;
      ints_[variable] = counted.first + now * IntExpr(counted.stride);
      const MaybeInt behind = counted.times - (now + 1); // how many iterations come behind this one
      turning_[f.node] = {variable, counted.stride, behind};
      good = behind && guarded(turn ? AllOf{*behind} : AllOf{}, f.body(), step.body, own(variable), *now);
    }
    known_ = known;
    turning_.erase(f.node);
    if (!step.body.empty()) into.push_back(std::move(step));
    return good;
  }

  // The iterations of a loop over ints. Where a condition on its variable chooses which channels are used, those before
  // and those from the iteration on in which it changes are loops of their own, one behind the other.
  bool iterations(ast::For f, const std::string &variable, const Counted &whole, const IntExpr &before,
                  const TripCount &times, size_t pieces, std::vector<Step> &into) {
    Step step{.kind = StepKind::loop, .variable = own(variable), .before = before, .times = times};
    const IntExpr now = IntExpr::symbol(step.variable);
    ints_.erase(variable);
    blocks_.erase(variable);
    const bool once = std::ranges::count(times.least_of, IntExpr(1)) > 0;
    const MaybeInt at = once ? before : before + now; // of the whole loop's iterations
    ints_[variable] = whole.first + at * IntExpr(whole.stride);
    turning_[f.node] = {variable, whole.stride, whole.times - (at + 1)};
    const auto known = known_;
    known_.push_back(now);
    for (const IntExpr &one : times.least_of)
      if (const MaybeInt left = one - (once ? IntExpr() : now) - 1; left && plain(one)) known_.push_back(*left);
    const bool whole_loop = times.least_of.size() == 1 && plain(times.least_of[0]) && pieces > 0;
    const MaybeInt change = whole_loop ? changes(f.body(), step.variable, times.least_of[0]) : std::nullopt;
    const bool good = change || steps(f.body(), step.body);
    known_ = known;
    turning_.erase(f.node);
    if (!change) {
      if (!step.body.empty()) into.push_back(std::move(step));
      return good;
    }
    const IntExpr &all = times.least_of[0];
    const MaybeInt rest = all - change, first = before + change;
    if (!rest || !first) return c.report(diag::rate_of_data, f.iter(), "for"), false;
    const auto least = [&](const IntExpr &one, bool is_less) {
      return is_less ? TripCount{{one}} : TripCount{{all, one}};
    };
    return iterations(f, variable, whole, before, least(*change, positive(rest)), pieces - 1, into) &&
           iterations(f, variable, whole, *first, least(*rest, positive(change)), pieces - 1, into);
  }

  // The first iteration in which a condition in the body is another than before, where all of its sides are known.
  MaybeInt changes(Nodes body, const std::string &now, const IntExpr &times) {
    MaybeInt found;
    const auto consider = [&](const MaybeInt &at) {
      // Neither at the beginning nor behind the end; and what comes from it on is counted right.
      if (found || positive(-at) || positive(at - times)) return;
      if (positive(at) || positive(1 + at - times)) found = at;
    };
    const auto compared = [&](Node left, Node right) {
      const auto a = linear(left), b = linear(right);
      if (!a || !b || !plain(*a) || !plain(*b)) return;
      const MaybeInt difference = a - b;
      const int64_t own = difference ? difference->coefficient(now) : 0;
      if (own != 1 && own != -1) return;
      const MaybeInt same = IntExpr::symbol(now) - difference * IntExpr(own); // where both sides are equal
      consider(same);
      consider(same + 1);
    };
    for (const Node s : body)
      c.each(s, [&](Node n) {
        auto i = c.as<ast::If>(n);
        if (!i || (!uses_channels(i.body()) && !uses_channels(i.orelse()))) return;
        c.each(i.test(), [&](Node e) {
          auto k = c.as<ast::Compare>(e);
          for (size_t at = 0; k && at < k.comparators().size(); ++at)
            compared(at ? k.comparators()[at - 1] : k.left(), k.comparators()[at]);
        });
      });
    return found;
  }

  // ── branches ──

  // A branch on sizes and loops' variables is loops of one iteration or none, a way each; one that depends on data does
  // the same with channels both ways.
  bool branch(Node s, std::vector<Step> &into) {
    auto i = c.get<ast::If>(s);
    if (!operations(i.test(), into)) return false;
    if (const auto way = holds(i.test())) return steps(*way ? i.body() : i.orelse(), into);
    if (!uses_channels(i.body()) && !uses_channels(i.orelse())) return steps(i.body(), into) && steps(i.orelse(), into);
    const auto yes = cases(i.test(), true), no = cases(i.test(), false);
    if (yes && no) {
      std::vector<Step> made;
      for (const AllOf &one : *yes)
        if (!guarded(one, i.body(), made)) return false;
      for (const AllOf &one : *no)
        if (!guarded(one, i.orelse(), made)) return false;
      if (made.size() == 2 && yes->size() == 1 && no->size() == 1 && same(made[0].body, made[1].body))
        made = std::vector<Step>(made[0].body);
      std::move(made.begin(), made.end(), std::back_inserter(into));
      return true;
    }
    std::vector<Step> then, other;
    if (!perhaps(i.body(), then) || !perhaps(i.orelse(), other)) return false;
    if (!same(then, other)) return c.report(diag::rate_of_data, i.test(), "if"), false;
    into.insert(into.end(), then.begin(), then.end());
    return true;
  }

  // What runs where all of these are at least 0.
  bool guarded(const AllOf &all, Nodes statements, std::vector<Step> &into) {
    return all.empty() ? steps(statements, into) : guarded(all, statements, into, own(""), {});
  }
  bool guarded(const AllOf &all, Nodes statements, std::vector<Step> &into, const std::string &variable,
               const IntExpr &before) {
    Step step{.kind = StepKind::loop, .variable = variable, .before = before, .times = {{1}}};
    const auto known = known_;
    bool never = false;
    for (const IntExpr &one : all) {
      never = never || positive(-MaybeInt(one) - 1);
      if (positive(one)) continue;
      const MaybeInt times = one + 1;
      if (!times) return c.report(diag::rate_of_data, statements.empty() ? HTP_NONE : statements[0], "if"), false;
      step.times.least_of.push_back(*times);
      if (plain(one)) known_.push_back(one);
    }
    const bool good = never || perhaps(statements, step.body);
    known_ = known;
    if (!step.body.empty()) into.push_back(std::move(step));
    return good;
  }

  static bool same(const std::vector<Step> &a, const std::vector<Step> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Step &x, const Step &y) {
      return x.kind == y.kind && x.channel == y.channel && x.times == y.times && same(x.body, y.body);
    });
  }

  const std::map<std::string, size_t, std::less<>> &channels_;
  std::vector<Node> &calls_;
  Built &built_;
  const bool counted_;        // in that form
  const size_t calls_before_; // of other processes
  size_t uses_ = 0;           // of checked channels, so far
  size_t perhaps_ = 0;        // the number of loops and branches around
  size_t copies_ = 1;         // of what is read now: iterations of loops around that are distinguished
  std::vector<std::pair<Node, std::string>> cuts_; // `tiles(…)` of the loops around, and the network's variables
  size_t variables_ = 0;
};

} // namespace

std::optional<Built> build(const Context &c, const Program &program, Form form) {
  Built built;
  std::map<std::string, size_t, std::less<>> channels;
  for (const bool checked : {false, true})
    for (const ChannelDeclaration &declared : program.channels)
      if (declared.checked == checked)
        each_position(declared.array, [&](const std::vector<int64_t> &at) {
          const std::string name = named_position(declared.name, at);
          channels.emplace(name, channels.size());
          if (checked) return built.streams.push_back({name, &declared});
          built.network.channels.push_back({name, declared.capacity});
          built.of.push_back(&declared);
        });
  bool good = form == Form::written || stores_apart(c, program);
  for (const ProcessDeclaration &declared : program.processes) {
    if (!good) break;
    each_position(declared.grid, [&](const std::vector<int64_t> &at) {
      Values indices;
      for (size_t d = 0; d < at.size(); ++d) indices[declared.indices[d]] = at[d];
      Process &process = built.network.processes.emplace_back(Process{named_position(declared.name, at), {}});
      Building building(c, program, channels, built, std::move(indices), form);
      good = building.steps(c.get<ast::FunctionDef>(declared.function).body(), process.steps);
      return good && built.network.processes.size() < most_processes;
    });
  }
  return good ? std::optional(std::move(built)) : std::nullopt;
}

} // namespace htp::csp
