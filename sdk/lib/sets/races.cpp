// The walk over a loop's iterations that find_races makes, and what it asks of isl.
#include "htp_cpp/races.h"

#include "htp_cpp/affine.h"
#include "htp_cpp/constants.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace htp::sdk {

namespace {

class Races {
public:
  Races(const Context &context, const Names &names, Node module, Node function, Node loop,
        std::initializer_list<std::string_view> blocks)
      : c(context), names_(names), constants_(context, module), function_(function), loop_(loop),
        int_expressions_(context, names, function), blocks_(blocks.begin(), blocks.end()),
        independence_(context, names, function, loop, blocks) {
    std::set<std::string_view> named;
    c.each(function, [&](Node n) { named.insert(c.name_of(n)); });
    for (const std::string &name : dims_of(c, names, module))
      if (named.contains(name)) sizes_.emplace_back(name);
  }

  // In source order; a tensor is named once.
  std::vector<Race> find() {
    std::vector<Race> result;
    std::set<std::string> judged;
    for (const Dependence &d : independence_.find()) {
      if (d.kind == Dependence::carried || d.kind == Dependence::escapes) {
        result.push_back({d, true});
      } else if (judged.insert(d.name).second) {
        if (auto race = judge(d)) result.push_back(*race);
      }
    }
    return result;
  }

private:
  struct Range {
    IntValue start, stop;
  };
  struct Reason {
    Node where = HTP_NONE;
    std::string text;
  };
  // What an access touches, by the sizes and by the variables of its iteration.
  struct Touched {
    Node at;
    std::string tensor;
    bool writes;
    IntSet elements;
    Reason unknown;
  };
  struct Scope {
    std::map<std::string, IntValue, std::less<>> ints;
    std::map<std::string, Range, std::less<>> blocks;
    IntSet reached;
    Reason unknown; // why fewer iterations may get there
  };
  struct Iteration {
    std::vector<Touched> touched;
    Range own; // of an int its value and the next one
    std::string variable;
    Reason unknown;
  };

  // ── the question ────────────────────────────────────────────────────────────────────────────────────────────────

  std::optional<Race> judge(const Dependence &d) {
    isl_.next_question();
    asked_ = d.name;
    const Iteration one = iteration("'"), other = iteration("''");
    std::optional<Race> open;
    if (!here_) { // the walk does not go where the loop stands
      open = Race{d};
      open->why = "what stands around it";
      return open;
    }
    for (const bool reads : {false, true})
      for (const Touched &a : one.touched)
        for (const Touched &b : other.touched) {
          if (!a.writes && !b.writes) continue;
          if ((a.writes && b.writes) == reads) continue;
          isl_.next_question();
          const IntSet meet = a.elements & b.elements & (one.own.stop <= other.own.start);
          const Answer none = meet.empty();
          if (none == Answer::yes) continue;
          Race race{{reads ? Dependence::reads_written : Dependence::same_element, d.name, a.writes ? b.at : a.at,
                     a.writes ? a.at : b.at}};
          const Reason &why = a.unknown.where ? a.unknown : b.unknown.where ? b.unknown : one.unknown;
          if (none == Answer::no && !why.where) {
            if (auto example = meeting(meet, one, other, d.name)) {
              race.sure = true;
              race.example = *example;
              return race;
            }
          }
          race.unknown = why.where;
          race.why = why.where ? why.text : "the sizes and loops around it, which are too involved";
          if (!open) open = race;
        }
    return open;
  }

  std::optional<std::string> meeting(const IntSet &meet, const Iteration &one, const Iteration &other,
                                     const std::string &tensor) {
    std::vector<std::string> order = sizes_;
    for (const std::string &v : around_) order.push_back(v);
    order.insert(order.end(), {one.variable, other.variable});
    for (size_t d = 0; d < most_dimensions_; ++d) order.push_back(element(d));
    IntSet ordinary = meet;
    for (const std::string &size : sizes_) ordinary = ordinary & (isl_.variable(size) >= isl_.number(1));
    const auto point = ordinary.empty() == Answer::no ? ordinary.point(order) : meet.point(order);
    if (!point) return std::nullopt;
    const std::string name(c.name_of(c.get<ast::For>(loop_).target()));
    const auto at = [&](const std::string &v) {
      const auto it = point->find(v);
      return it == point->end() ? std::string("0") : std::to_string(it->second);
    };
    std::string element_text, when;
    for (size_t d = 0; d < dimensions_[tensor]; ++d) element_text += (d ? ", " : "") + at(element(d));
    const auto add = [&](const std::string &v, const std::string &shown) {
      if (const auto it = point->find(v); it != point->end())
        when += (when.empty() ? " when " : ", ") + shown + " = " + std::to_string(it->second);
    };
    for (const std::string &size : sizes_) add(size, size);
    for (const std::string &given : ints_) add(given, given);
    for (const std::string &v : around_) add(v, v.substr(0, v.find('#')));
    const bool blocks = !cut(c.get<ast::For>(loop_).iter()).empty();
    const std::string first =
        blocks ? "the blocks from " + at(one.variable) : "`" + name + " = " + at(one.variable) + "`";
    const std::string second = blocks ? "from " + at(other.variable) : "`" + name + " = " + at(other.variable) + "`";
    return first + " and " + second + " meet at `" + tensor + "[" + element_text + "]`" + when;
  }

  static std::string element(size_t d) { return "[" + std::to_string(d) + "]"; }

  // ── the walk ────────────────────────────────────────────────────────────────────────────────────────────────────

  // What one iteration touches; the names of its own are distinguished from another's by the mark.
  Iteration iteration(const std::string &mark) {
    mark_.clear();
    fresh_ = 0;
    around_.clear();
    result_ = {};
    extents_.clear();
    bound_.clear();
    inside_.clear();
    scope_ = Scope{{}, {}, isl_.all(), {}};
    c.each(function_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bound_[std::string(name.id())];
      if (auto a = c.as<ast::AugAssign>(n)) bound_[std::string(c.name_of(a.target()))] += 2;
      if (auto a = c.as<ast::arg>(n)) parameter(a);
    });
    c.each(loop_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) inside_.emplace(name.id());
    });
    for (const std::string &dim : sizes_)
      if (!bound_.contains(dim)) scope_.reached = scope_.reached & (isl_.variable(dim) >= isl_.number(0));
    here_ = false;
    loop_mark_ = mark;
    (void)statements(c.get<ast::FunctionDef>(function_).body());
    return result_;
  }

  void parameter(ast::arg a) {
    bound_.try_emplace(std::string(a.arg()), 0);
    const auto type = read_type(c, a.annotation());
    if (last_component(c.dotted(a.annotation())) == "int") {
      if (std::find(sizes_.begin(), sizes_.end(), a.arg()) == sizes_.end()) ints_.emplace(a.arg());
      return;
    }
    if (!type || type->extents.empty()) return;
    std::vector<std::optional<Range>> extents;
    for (const Extent &e : type->extents) {
      const Node n = e.name.empty() ? HTP_NONE : c.parse(e.name, a.node);
      Reason inexact;
      const auto size = n ? value(n, inexact) : std::optional(isl_.number(e.size));
      extents.push_back(size && !inexact.where ? std::optional(Range{isl_.number(0), *size}) : std::nullopt);
    }
    extents_.insert_or_assign(std::string(a.arg()), std::move(extents));
  }

  // Whether the loop was among them: what stands behind it does not matter.
  bool statements(Nodes list) {
    for (const Node s : list)
      if (statement(s)) return true;
    return false;
  }

  bool statement(Node s) {
    if (auto f = c.as<ast::For>(s)) {
      if (here_) accesses(f.iter());
      const Scope before = scope_;
      const bool own = s == loop_;
      if (own) mark_ = loop_mark_, here_ = true;
      enter(f, own);
      const bool found = statements(f.body()) || own;
      if (found) return true;
      if (!here_) around_.pop_back();
      leave(before);
      return false;
    }
    if (auto process = c.as<ast::FunctionDef>(s)) {
      const Scope before = scope_;
      if (statements(process.body())) return true;
      leave(before);
      return false;
    }
    if (auto w = c.as<ast::While>(s)) {
      const Scope before = scope_;
      unknown({w.test(), "how often this loop runs"});
      if (here_) accesses(w.test());
      if (statements(w.body())) return true;
      leave(before);
      return false;
    }
    if (auto i = c.as<ast::If>(s)) {
      if (here_) accesses(i.test());
      const Scope before = scope_;
      Reason inexact;
      const auto holds = condition(i.test(), inexact);
      if (!holds) inexact = {i.test(), "whether this holds"};
      if (holds) scope_.reached = before.reached & *holds;
      if (inexact.where) unknown(inexact);
      if (statements(i.body())) return true;
      leave(before);
      if (holds) scope_.reached = before.reached - *holds;
      if (inexact.where) unknown(inexact);
      if (statements(i.orelse())) return true;
      leave(before);
      return false;
    }
    auto plain = c.as<ast::Assign>(s);
    auto typed = c.as<ast::AnnAssign>(s);
    if (here_) accesses(s);
    if (plain || typed) bind(plain ? plain.targets()[0] : typed.target(), plain ? plain.value() : typed.value());
    return false;
  }
  void leave(const Scope &before) { scope_ = before; }
  void unknown(const Reason &why) {
    if (!scope_.unknown.where) scope_.unknown = why;
  }

  // What a loop's variable stands for.
  void enter(ast::For f, bool own) {
    const std::string name(c.name_of(f.target()));
    const Node iter = loop_forms(c, names_, f.iter()).range;
    auto call = c.as<ast::Call>(iter);
    const std::string variable = name + "#" + std::to_string(fresh_++) + mark_;
    const IntValue at = isl_.variable(variable);
    if (!here_) around_.push_back(variable);
    scope_.ints.erase(name), scope_.blocks.erase(name);
    bool known = false;
    Range range{at, at + isl_.number(1)};
    if (const std::string cuts = cut(f.iter()); !cuts.empty())
      known = block(call.args(), cuts, at, variable, range), scope_.blocks.insert_or_assign(name, range);
    else if (call && c.name_of(call.func()) == "range" && !bound_.contains("range"))
      known = counts(call.args(), at), scope_.ints.insert_or_assign(name, at);
    else
      scope_.ints.insert_or_assign(name, at);
    if (reassigned(f)) scope_.ints.erase(name), scope_.blocks.erase(name), known = false;
    if (!known) unknown({iter, "where this loop runs"});
    if (own) result_.own = range, result_.variable = variable, result_.unknown = scope_.unknown;
  }
  bool reassigned(ast::For f) const {
    bool again = false;
    for (const Node s : f.body())
      c.each(s, [&](Node n) {
        auto name = c.as<ast::Name>(n);
        again |= name && name.ctx() == HTP_STORE && name.id() == c.name_of(f.target());
      });
    return again;
  }

  // The qualified name of what cuts blocks, if the loop runs over those.
  std::string cut(Node iter) const {
    auto call = c.as<ast::Call>(loop_forms(c, names_, iter).range);
    const std::string path = call && !call.args().empty() ? names_.qualified(call.func()) : std::string();
    return blocks_.contains(path) ? path : std::string();
  }

  // Blocks of a size that is said stand on a grid; of those that are not, one ends where the next begins or before.
  bool block(Nodes arguments, const std::string &path, const IntValue &at, const std::string &variable, Range &range) {
    Reason inexact;
    const auto around = block_of(arguments[0]);
    const auto extent = around ? std::nullopt : value(arguments[0], inexact);
    const auto size = arguments.size() == 2 ? constants_.integer(arguments[1]) : std::nullopt;
    const IntValue start = around ? around->start : isl_.number(0);
    if (last_component(path) == "tiles" && size && *size >= 1 && (around || extent)) {
      const IntValue stop = around ? around->stop : *extent;
      scope_.reached = scope_.reached & (at >= start) & (at < stop) & ((at - start) % *size == isl_.number(0));
      range = {at, least(at + isl_.number(*size), stop)};
      if (inexact.where) unknown(inexact);
      return true;
    }
    range = {at, isl_.variable(variable + ".stop")};
    scope_.reached = scope_.reached & (range.start < range.stop);
    if (around) scope_.reached = scope_.reached & (at >= around->start) & (range.stop <= around->stop);
    return false;
  }

  bool counts(Nodes arguments, const IntValue &at) {
    if (arguments.empty() || arguments.size() > 3) return false;
    Reason inexact;
    const auto start = arguments.size() > 1 ? value(arguments[0], inexact) : isl_.number(0);
    const auto stop = value(arguments[arguments.size() > 1 ? 1 : 0], inexact);
    const auto step = arguments.size() > 2 ? constants_.integer(arguments[2]) : std::optional<int64_t>(1);
    if (!start || !stop || !step || *step == 0 || *step == INT64_MIN) return false;
    IntSet &reached = scope_.reached;
    reached = reached & (*step > 0 ? at >= *start : at <= *start) & (*step > 0 ? at < *stop : at > *stop);
    if (*step != 1 && *step != -1) reached = reached & ((at - *start) % (*step < 0 ? -*step : *step) == isl_.number(0));
    if (inexact.where) unknown(inexact);
    return true;
  }

  void bind(Node target, Node v) {
    const std::string name(c.name_of(target));
    if (name.empty()) return;
    scope_.ints.erase(name);
    auto call = c.as<ast::Call>(v);
    if (call && last_component(c.dotted(call.func())) == "buffer") {
      std::vector<std::optional<Range>> extents;
      for (const Node e : call.args().subspan(std::min<size_t>(1, call.args().size()))) {
        Reason inexact;
        const auto around = block_of(e);
        const auto size = around ? std::nullopt : value(e, inexact);
        extents.push_back(around                   ? around
                          : size && !inexact.where ? std::optional(Range{isl_.number(0), *size})
                                                   : std::nullopt);
      }
      extents_.insert_or_assign(name, std::move(extents));
      return;
    }
    if (bound_[name] != 1 ||
        (call && c.name_of(call.func()) != "min" && c.name_of(call.func()) != "max" && c.name_of(call.func()) != "len"))
      return;
    Reason inexact;
    if (const auto x = value(v, inexact); x && !inexact.where) scope_.ints.insert_or_assign(name, *x);
  }

  // ── accesses ────────────────────────────────────────────────────────────────────────────────────────────────────

  void accesses(Node root) {
    c.each(root, [&](Node n) {
      const auto a = tensor_access(c, names_, n);
      if (!a || a->tensor != asked_) return; // what another tensor's elements are is not asked, and costs isl's steps
      const auto extents = extents_.find(a->tensor);
      Touched touched{n, a->tensor, a->writes, scope_.reached, scope_.unknown};
      const size_t rank = extents == extents_.end() ? a->index.size() : extents->second.size();
      dimensions_[a->tensor] = rank;
      most_dimensions_ = std::max(most_dimensions_, rank);
      for (size_t d = 0; d < rank; ++d) {
        const IntValue at = isl_.variable(element(d));
        if (const auto range = extents == extents_.end() ? std::nullopt : extents->second[d])
          touched.elements = touched.elements & (at >= range->start) & (at < range->stop);
        else if (!touched.unknown.where)
          touched.unknown = {n, "how large `" + a->tensor + "` is"};
        Reason inexact;
        if (d < a->index.size()) index(a->index[d], at, touched.elements, inexact);
        if (inexact.where && !touched.unknown.where) touched.unknown = inexact;
      }
      result_.touched.push_back(std::move(touched));
    });
  }

  // Narrows the elements to what an index selects.
  void index(Node n, const IntValue &at, IntSet &elements, Reason &inexact) {
    if (last_component(c.dotted(n)) == "whole") return;
    if (auto s = c.as<ast::Slice>(n)) return slice(s.lower(), s.upper(), s.step(), at, elements, inexact);
    if (const auto s = read_slice(c, n)) return slice(s->start, s->stop, s->step, at, elements, inexact);
    if (const auto moved = spread(n, inexact)) {
      elements = elements & (at >= moved->first.start * moved->times + moved->by) &
                 (at <= (moved->first.stop - isl_.number(1)) * moved->times + moved->by);
      if (moved->times > 1) elements = elements & ((at - moved->by) % moved->times == isl_.number(0));
    } else if (const auto one = value(n, inexact)) {
      if (one->constant().value_or(0) < 0) // from the end
        inexact = {n, "which index this is"};
      else
        elements = elements & (at == *one);
    } else if (!inexact.where) {
      inexact = {n, "which index this is"};
    }
  }
  void slice(Node lower, Node upper, Node stride, const IntValue &at, IntSet &elements, Reason &inexact) {
    const auto start = lower ? value(lower, inexact) : std::optional(isl_.number(0));
    const auto stop = upper ? value(upper, inexact) : std::nullopt;
    const auto step = stride ? constants_.integer(stride) : std::optional<int64_t>(1);
    const auto from_end = [](const auto &bound) { return bound && bound->constant().value_or(0) < 0; };
    if (from_end(start) || from_end(stop) || step.value_or(1) < 1) {
      inexact = {lower ? lower : upper ? upper : stride, "which indices these are"};
      return;
    }
    if (start) elements = elements & (at >= *start);
    if (stop) elements = elements & (at < *stop);
    if (start && step && *step > 1) elements = elements & ((at - *start) % *step == isl_.number(0));
    if ((!start || (upper && !stop) || !step || *step < 1) && !inexact.where)
      inexact = {lower, "which indices these are"};
  }

  std::optional<Range> block_of(Node n) const {
    const auto it = scope_.blocks.find(c.name_of(n));
    return it == scope_.blocks.end() ? std::nullopt : std::optional(it->second);
  }
  // A block's indices, each times an int of at least 1, and moved.
  struct Spread {
    Range first;
    int64_t times = 1;
    IntValue by;
  };
  std::optional<Spread> spread(Node n, Reason &inexact) {
    if (const auto block = block_of(n)) return Spread{*block, 1, isl_.number(0)};
    auto b = c.as<ast::BinOp>(n);
    if (!b) return std::nullopt;
    auto left = spread(b.left(), inexact);
    auto result = left ? left : spread(b.right(), inexact);
    const auto other = result ? value(left ? b.right() : b.left(), inexact) : std::nullopt;
    if (!other) return std::nullopt;
    if (b.op() == HTP_Add) return result->by = result->by + *other, result;
    if (b.op() == HTP_Sub && left) return result->by = result->by - *other, result;
    const auto factor = other->constant();
    if (b.op() != HTP_Mult || !factor || *factor < 1) return std::nullopt;
    result->by = result->by * *factor;
    result->times *= *factor;
    return result;
  }

  // ── ints ────────────────────────────────────────────────────────────────────────────────────────────────────────

  // An int by the sizes and variables; what is not affine in them is a variable of its own, which is reported. What the
  // loop does not change has one value in all its iterations.
  std::optional<IntValue> value(Node n, Reason &inexact) {
    if (const std::string_view name = c.name_of(n); !name.empty()) {
      if (const auto it = scope_.ints.find(name); it != scope_.ints.end()) return it->second;
      if (scope_.blocks.contains(name)) return std::nullopt;
      const bool local = bound_.contains(std::string(name));
      if (const auto k = local ? std::nullopt : constants_.named(name); k && !k->real) return isl_.number(k->i);
      if (std::find(sizes_.begin(), sizes_.end(), name) != sizes_.end() || ints_.contains(name))
        return isl_.variable(std::string(name));
      return opaque(n, inexact);
    }
    if (const auto k = c.is(n, HTP_Constant) ? constants_.integer(n) : std::nullopt) return isl_.number(*k);
    if (auto u = c.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) {
      const auto x = value(u.operand(), inexact);
      return x && u.op() == HTP_USub ? isl_.number(0) - *x : x;
    }
    if (auto call = c.as<ast::Call>(n)) {
      const std::string_view name = c.name_of(call.func());
      const auto around = call.args().size() == 1 ? block_of(call.args()[0]) : std::nullopt;
      if (name == "len" && around) return around->stop - around->start;
      if ((name == "min" || name == "max") && call.args().size() > 1 && !bound_.contains(std::string(name))) {
        auto result = value(call.args()[0], inexact);
        for (const Node a : call.args().subspan(1)) {
          const auto x = value(a, inexact);
          if (!result || !x) return std::nullopt;
          result = name == "min" ? least(*result, *x) : most(*result, *x);
        }
        return result;
      }
      return opaque(n, inexact);
    }
    if (auto a = c.as<ast::Attribute>(n)) {
      if (const auto around = block_of(a.value())) {
        if (a.attr() == "start") return around->start;
        if (a.attr() == "stop") return around->stop;
      }
      return opaque(n, inexact);
    }
    auto b = c.as<ast::BinOp>(n);
    if (!b) return opaque(n, inexact);
    Reason both = inexact;
    const auto left = value(b.left(), both), right = value(b.right(), both);
    if (!left || !right) return std::nullopt;
    std::optional<IntValue> result;
    const auto by = right->constant(), times = left->constant();
    if (b.op() == HTP_Add) result = *left + *right;
    if (b.op() == HTP_Sub) result = *left - *right;
    if (b.op() == HTP_Mult && (by || times)) result = by ? *left * *by : *right * *times;
    if (b.op() == HTP_FloorDiv && by && *by >= 1) result = *left / *by;
    if (b.op() == HTP_Mod && by && *by >= 1) result = *left % *by;
    if (!result) return opaque(n, inexact);
    inexact = both;
    return result;
  }

  std::optional<IntValue> opaque(Node n, Reason &inexact) {
    bool same = int_expressions_.is_int(n), number = true;
    c.each(n, [&](Node inner) {
      if (auto name = c.as<ast::Name>(inner)) same = same && !inside_.contains(std::string(name.id()));
      if (c.is(inner, HTP_Call) || c.is(inner, HTP_Subscript)) same = false;
      if (auto k = c.as<ast::Constant>(inner)) number = number && k.value().type != HTP_CONST_STR;
    });
    if (!number) return std::nullopt;
    if (!inexact.where) inexact = {n, "what this stands for"};
    return isl_.variable(same ? c.show(n) : "?" + std::to_string(fresh_++) + mark_);
  }

  std::optional<IntSet> condition(Node n, Reason &inexact) {
    if (auto b = c.as<ast::BoolOp>(n)) {
      IntSet result = b.op() == HTP_And ? isl_.all() : isl_.none();
      for (const Node v : b.values()) {
        const auto one = condition(v, inexact);
        if (!one) return std::nullopt;
        result = b.op() == HTP_And ? result & *one : result | *one;
      }
      return result;
    }
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
      const auto one = condition(u.operand(), inexact);
      return one ? std::optional(isl_.all() - *one) : std::nullopt;
    }
    auto k = c.as<ast::Compare>(n);
    if (!k) return std::nullopt;
    IntSet result = isl_.all();
    Node before = k.left();
    for (size_t i = 0; i < k.ops().size(); ++i) {
      const auto x = value(before, inexact), y = value(k.comparators()[i], inexact);
      if (!x || !y) return std::nullopt;
      switch (k.ops()[i]) {
      case HTP_Lt: result = result & (*x < *y); break;
      case HTP_LtE: result = result & (*x <= *y); break;
      case HTP_Gt: result = result & (*x > *y); break;
      case HTP_GtE: result = result & (*x >= *y); break;
      case HTP_Eq: result = result & (*x == *y); break;
      case HTP_NotEq: result = result & (*x != *y); break;
      default: return std::nullopt;
      }
      before = k.comparators()[i];
    }
    return result;
  }

  const Context &c;
  const Names &names_;
  const Constants constants_;
  const Node function_, loop_;
  const IntExpressions int_expressions_;
  const std::set<std::string, std::less<>> blocks_;
  Independence independence_;
  Affine isl_;
  std::string asked_;                         // the tensor in question
  std::vector<std::string> sizes_;            // the module's dims
  std::set<std::string, std::less<>> ints_;   // parameters that are ints
  std::map<std::string, unsigned> bound_;     // by the function, how often
  std::set<std::string, std::less<>> inside_; // bound by the loop
  std::map<std::string, std::vector<std::optional<Range>>, std::less<>> extents_;
  std::map<std::string, size_t> dimensions_;
  size_t most_dimensions_ = 0;
  std::vector<std::string> around_; // the variables of the loops around
  Scope scope_;
  Iteration result_;
  std::string mark_, loop_mark_;
  size_t fresh_ = 0;
  bool here_ = false; // in the loop
};

} // namespace

std::vector<Race> find_races(const Context &context, const Names &names, Node module, Node function, Node loop,
                             std::initializer_list<std::string_view> blocks) {
  return Races(context, names, module, function, loop, blocks).find();
}

} // namespace htp::sdk
