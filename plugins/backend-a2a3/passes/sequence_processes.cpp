#include "passes/passes.h"

#include "analyses/network.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <tuple>

namespace htp::a2a3 {

namespace {

using Renaming = std::map<std::string, std::string, std::less<>>;
using Graph = std::vector<std::set<size_t>>; // of each, what is before it

class Sequence {
public:
  Sequence(const Context &context, Node root, Node function)
      : c(context), names_(context, root), root_(root), function_(function), imports_(context, root, {}),
        network_(context, root, function) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> body;
    if (!network_.read(body)) return HTP_NONE;
    if (network_.processes().empty()) return root_;
    places_before();
    find_circles();
    for (const auto &[name, channel] : network_.channels())
      if (!connect(channel, body)) return HTP_NONE;
    if (!order(body) || c.errors()) return HTP_NONE;
    f.body = body;
    std::erase_if(f.decorator_list, [&](Node d) {
      auto call = c.as<ast::Call>(d);
      return names_.qualified(call ? call.func() : d) == "htp_csp.pipeline";
    });
    return drop_unused_imports(c, imports_.apply(with_statement(c, root_, function_, c.with(function_, f))),
                               [](std::string_view path) { return path.starts_with("htp_csp"); });
  }

private:
  // ── the order ──

  // The first of those that are left of which all that is before is done, if there is one.
  static std::optional<size_t> ready(const Graph &before, const std::set<size_t> &done) {
    for (size_t k = 0; k < before.size(); ++k)
      if (!done.contains(k) && std::ranges::includes(done, before[k])) return k;
    return std::nullopt;
  }
  Nodes body_of(size_t process) const { return c.get<ast::FunctionDef>(network_.processes()[process].function).body(); }

  struct Place {
    size_t process = 0;
    Values at{};
  };
  // Of each place of a process, which ones put what it gets, or come to an event before it.
  void places_before() {
    for (size_t p = 0; p < network_.processes().size(); ++p)
      for (const Values &at : network_.places(p)) all_.push_back({p, at});
    std::map<std::pair<std::string, int64_t>, std::pair<std::set<size_t>, std::set<size_t>>> ends; // who puts, and gets
    for (const auto &[name, channel] : network_.channels())
      for (const Use &use : channel.uses)
        for (const Values &values : network_.values_at(use))
          for (size_t k = 0; k < all_.size(); ++k)
            if (all_[k].process == use.process && std::ranges::includes(values, all_[k].at)) {
              auto &[put, got] = ends[{name, network_.lane(use, values).value_or(0)}];
              (use.put ? put : got).insert(k);
            }
    Graph &before = waits_ = Graph(all_.size());
    for (const auto &[lane, both] : ends)
      for (const size_t k : both.second) before[k].insert(both.first.begin(), both.first.end());
    for (const auto &[first, second] : network_.meetings())
      for (size_t a = 0; a < all_.size(); ++a)
        for (size_t b = 0; b < all_.size(); ++b)
          if (all_[a].process == first && all_[b].process == second) before[b].insert(a);
  }

  // Which processes are before each, and which ones get from each other: what is done together.
  void find_circles() {
    const size_t count = network_.processes().size();
    before_.resize(count);
    together_.resize(count);
    for (size_t k = 0; k < waits_.size(); ++k)
      for (const size_t b : waits_[k]) before_[all_[k].process].insert(all_[b].process);
    Graph all = before_; // through others too
    for (size_t k = 0; k < count; ++k)
      for (auto &of : all)
        if (of.contains(k)) of.insert(all[k].begin(), all[k].end());
    for (size_t p = 0; p < count; ++p)
      for (size_t q = 0; q < count; ++q)
        if (all[p].contains(q) && all[q].contains(p)) together_[p].insert(q);
    Graph outside = before_;
    for (size_t p = 0; p < count; ++p) {
      for (const size_t q : together_[p]) outside[p].insert(before_[q].begin(), before_[q].end());
      std::erase_if(outside[p], [&](size_t b) { return together_[p].contains(b); });
    }
    before_ = outside;
    for (size_t p = 0; p < count; ++p)
      if (together_[p].size() > 1 && *together_[p].begin() == p && !in_order(together_[p])) join(together_[p]);
  }

  // Processes behind those that they get from or meet, else as they stand. Of those that get from each other, or from
  // themselves, each place is by itself; of another process the places are iterations of a loop.
  bool order(std::vector<uint32_t> &body) {
    std::set<size_t> done;
    while (const auto p = ready(before_, done)) {
      if (in_turn(together_[*p])) {
        in_places(*p, body);
        done.insert(*p);
      } else {
        if (!one_by_one(together_[*p], body)) return false;
        done.insert(together_[*p].begin(), together_[*p].end());
      }
    }
    return true;
  }

  // Whether each place of a process gets from places before it alone: iterations of loops over them are in order.
  bool in_turn(const std::set<size_t> &together) const {
    if (together.size() > 1) return false;
    for (size_t k = 0; k < waits_.size(); ++k)
      for (const size_t b : waits_[k])
        if (together.contains(all_[k].process) && all_[b].process == all_[k].process && b >= k) return false;
    return true;
  }

  // A process, in loops over its places.
  void in_places(size_t p, std::vector<uint32_t> &body) {
    const Process &process = network_.processes()[p];
    std::vector<uint32_t> all = block(body_of(p));
    for (size_t k = process.indices.size(); k-- > 0 && !all.empty();) {
      const Node of = process.function;
      all = {c.make(make::For{.target = c.name(process.indices[k], of, HTP_STORE),
                              .iter = c.call("range", {c.integer_node(process.grid[k], of)}, of),
                              .body = all},
                    of)};
    }
    body.insert(body.end(), all.begin(), all.end());
  }

  // The places of processes, each behind those that it gets from, as far as there is such an order.
  std::vector<size_t> sorted(const std::set<size_t> &processes) const {
    std::set<size_t> done;
    for (size_t k = 0; k < all_.size(); ++k)
      if (!processes.contains(all_[k].process)) done.insert(k);
    Graph before = waits_;
    for (auto &of : before) std::erase_if(of, [&](size_t b) { return !processes.contains(all_[b].process); });
    std::vector<size_t> order;
    while (const auto k = ready(before, done)) {
      order.push_back(*k);
      done.insert(*k);
    }
    return order;
  }
  bool in_order(const std::set<size_t> &processes) const {
    return sorted(processes).size() ==
           static_cast<size_t>(std::ranges::count_if(all_, [&](auto &k) { return processes.contains(k.process); }));
  }
  std::string_view name_of(size_t process) const {
    return c.get<ast::FunctionDef>(network_.processes()[process].function).name();
  }
  bool one_by_one(const std::set<size_t> &processes, std::vector<uint32_t> &body) {
    const size_t first = *processes.begin();
    if (const auto it = joined_.find(first); it != joined_.end()) return in_one_loop(it->second, body);
    if (!in_order(processes))
      return network_.refuse(network_.processes()[first].function,
                             processes.size() > 1
                                 ? Refusal(diag::circular, name_of(first), name_of(*processes.rbegin()))
                                 : Refusal(diag::circular_instances, name_of(first)));
    for (const size_t k : sorted(processes)) {
      const auto &[p, at] = all_[k];
      const std::vector<uint32_t> some = at.empty() ? block(body_of(p)) : at_place(block(body_of(p), at), at);
      body.insert(body.end(), some.begin(), some.end());
    }
    return true;
  }

  // ── processes that get from each other ──

  // Their loops as one: statements of their bodies, each get behind its put, and what each item is called where it is
  // got.
  struct Joined {
    std::vector<Node> loops{}; // the first one's variable is that of all
    std::vector<std::pair<size_t, Node>> statements{};
    std::vector<Node> before{}, behind{};
  };
  void join(const std::set<size_t> &processes) {
    Joined all;
    std::vector<std::vector<Node>> left;
    for (const size_t p : processes) {
      if (!network_.processes()[p].indices.empty()) return;
      Node loop = HTP_NONE;
      for (const Node s : body_of(p))
        if (uses(s, processes)) {
          if (loop || !c.is(s, HTP_For)) return;
          loop = s;
        } else {
          (loop ? all.behind : all.before).push_back(s);
        }
      if (!loop || (!all.loops.empty() && c.show(network_.range_of(loop)) != c.show(network_.range_of(all.loops[0]))))
        return;
      all.loops.push_back(loop);
      const Nodes body = c.get<ast::For>(loop).body();
      left.emplace_back(body.rbegin(), body.rend());
    }
    std::map<std::pair<std::string, int64_t>, size_t> put;          // how many into a lane
    std::map<std::tuple<size_t, std::string, int64_t>, size_t> got; // by a process
    std::map<std::tuple<std::string, int64_t, size_t>, Node> items; // the put of each
    std::map<Node, std::vector<Node>> gets;                         // of each put
    for (bool more = true; more;) {
      more = false;
      for (size_t k = 0; k < left.size() && !more; ++k) {
        if (left[k].empty()) continue;
        const Node s = left[k].back();
        const auto [channel, u] = network_.use_of(s);
        if (!channel && uses(s, processes)) return; // it stands in a loop or a branch
        if (channel && within(*channel, processes)) {
          const Use &use = channel->uses[u];
          const auto lane = use.lane ? network_.value(use.lane, {}) : 0;
          if (!lane || use.drop || (!use.put && !c.is(s, HTP_AnnAssign))) return;
          if (use.put) {
            items[{channel->name, *lane, put[{channel->name, *lane}]++}] = s;
          } else {
            size_t &n = got[{k, channel->name, *lane}];
            const auto it = items.find({channel->name, *lane, n});
            if (it == items.end()) continue; // not yet
            gets[it->second].push_back(s);
            ++n;
          }
        }
        all.statements.emplace_back(k, s);
        left[k].pop_back();
        more = true;
      }
    }
    for (const auto &rest : left)
      if (!rest.empty()) return;
    for (const auto &[name, channel] : network_.channels())
      if (within(channel, processes)) in_one_.insert(name);
    gets_.merge(gets);
    joined_[*processes.begin()] = std::move(all);
  }
  // Whether all who use a channel are among some processes, and whether a statement uses such a channel.
  static bool within(const Channel &channel, const std::set<size_t> &processes) {
    return std::ranges::all_of(channel.uses, [&](const Use &u) { return processes.contains(u.process); });
  }
  bool uses(Node s, const std::set<size_t> &processes) const {
    bool found = false;
    c.each(s, [&](Node n) {
      const Channel *channel = network_.use_of(n).first;
      found |= channel && within(*channel, processes);
    });
    return found;
  }
  bool in_one_loop(const Joined &all, std::vector<uint32_t> &body) {
    const auto add = [](std::vector<uint32_t> &to, const std::vector<uint32_t> &more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    add(body, block(all.before));
    const std::string variable = network_.variable_of(all.loops[0]);
    std::vector<uint32_t> inner;
    for (const auto &[k, s] : all.statements) {
      const std::string own = network_.variable_of(all.loops[k]);
      for (const Node one : block(std::vector<Node>{s})) inner.push_back(with_names(one, {{own, variable}}));
      const auto it = gets_.find(s);
      if (it == gets_.end()) continue;
      // An item is there for whoever gets it as soon as it is put.
      for (const Node get : it->second) {
        const Channel &channel = *network_.use_of(get).first;
        if (loads_.contains(channel.name)) continue;
        const Node item = c.get<ast::Call>(c.get<ast::Expr>(s).value()).args()[1];
        const size_t reader = channel.uses[network_.use_of(get).second].process;
        std::vector<uint32_t> operands{copy_of(c, item, get), copy_of(c, channel.dtype, get)};
        const Node moved = with_value(c, get, c.call(module() + ".cast", std::move(operands), get));
        inner.push_back(with_names(moved, {{variable_in(all, reader), variable}}));
      }
    }
    body.push_back(with_list(c, all.loops[0], HTP_FIELD(For, body), inner));
    add(body, block(all.behind));
    return true;
  }
  // What the variable of the loop is called in a process.
  std::string variable_in(const Joined &all, size_t process) const {
    for (const Node s : body_of(process))
      if (std::ranges::find(all.loops, s) != all.loops.end()) return network_.variable_of(s);
    return {};
  }

  // Statements at a place: its indices as ints, and names of their own.
  std::vector<uint32_t> at_place(const std::vector<uint32_t> &statements, const Values &at) {
    Renaming own;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        auto v = c.as<ast::Name>(n);
        if (v && v.ctx() == HTP_STORE) own.emplace(v.id(), "");
      });
    for (auto &[name, fresh] : own) fresh = c.fresh(name);
    std::vector<uint32_t> all;
    for (const Node s : statements)
      all.push_back(rewrite(
          c, s,
          [&](Node n) {
            if (const auto whole = c.is(n, HTP_BinOp) ? network_.value(n, {}) : std::nullopt)
              return c.integer_node(*whole, n);
            auto v = c.as<ast::Name>(n);
            if (!v) return n;
            if (const auto it = at.find(v.id()); it != at.end()) return c.integer_node(it->second, n);
            const auto it = own.find(v.id());
            return it == own.end() ? n : c.name(it->second, n, v.ctx());
          },
          [](Node, std::vector<uint32_t> &) { return false; }));
    return all;
  }

  // ── channels ──

  // Memory for what is put; or the load that is put.
  bool connect(const Channel &channel, std::vector<uint32_t> &body) {
    const auto put = std::ranges::find_if(channel.uses, [](const Use &u) { return u.put; });
    if (put == channel.uses.end()) return true;
    auto slots = network_.slots(channel);
    if (!slots) return false;
    if (forwards(channel, *slots) || in_one_.contains(channel.name)) return true;

    const Node of = channel.statement;
    std::vector<uint32_t> extents{copy_of(c, channel.dtype, of)};
    const auto extent = [&](const std::string &text) { extents.push_back(c.parse(text, of)); };
    if (channel.lanes) extent(std::to_string(channel.lanes));
    for (const IntExpr &n : slots->rounds) extent(n.text());
    const bool several = slots->items != 1;
    if (several) extent(slots->items.text());
    const size_t ones = network_.ones(channel);
    for (const Node e : operands(*put).subspan(ones)) extent(network_.whole_of(c.show(e), *put));
    auto &places = places_[channel.name];
    for (size_t u = 0; u < channel.uses.size(); ++u) {
      const Use &use = channel.uses[u];
      const Slots::At &at = slots->at[u];
      auto &place = places.emplace_back();
      if (channel.lanes) place.push_back(network_.lane(use));
      for (const IntExpr &n : at.rounds) place.push_back(n.text());
      if (several) place.push_back(at.item.text());
      for (const Node e : operands(use).subspan(use.drop ? 0 : ones)) {
        const std::string text = c.show(e);
        place.push_back(text == network_.whole_of(text, use) ? module() + ".whole" : text);
      }
    }
    const Node type = c.make(make::Subscript{.value = c.path(module() + ".Tensor", of),
                                             .slice = c.make(make::Tuple{.elts = extents, .ctx = HTP_LOAD}, of),
                                             .ctx = HTP_LOAD},
                             of);
    std::vector<uint32_t> sizes;
    for (const Node e : extents) sizes.push_back(copy_of(c, e, of));
    body.push_back(c.assign(channel.name, type, c.call(module() + ".buffer", std::move(sizes), of), of));
    return true;
  }
  std::string module() { return imports_.module("htp_tile", "tile"); }
  Nodes operands(const Use &use) const { return network_.extents(use); }
  Node with_names(Node n, const Renaming &renamed) const {
    return rewrite(
        c, n,
        [&](Node e) {
          const auto it = c.is(e, HTP_Name) ? renamed.find(c.name_of(e)) : renamed.end();
          return it == renamed.end() ? e : c.parse(it->second, e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // Variables around the put, as what they are at a get of the same item.
  Renaming at_get(const Channel &channel, const Slots &slots, size_t put, size_t get) const {
    Renaming renamed;
    const Use &from = channel.uses[put], &to = channel.uses[get];
    const auto means = [&](const std::string &here, const std::string &there) {
      if (std::ranges::all_of(here, [](char x) { return std::isalnum(static_cast<unsigned char>(x)) || x == '_'; }) &&
          !std::isdigit(static_cast<unsigned char>(here[0])))
        renamed.emplace(here, there);
    };
    if (from.lane) means(network_.lane(from), network_.lane(to));
    const Slots::At &a = slots.at[put], &b = slots.at[get];
    for (size_t k = 0; k < a.loops.size(); ++k) {
      const bool same = c.show(network_.range_of(a.loops[k])) == c.show(network_.range_of(b.loops[k]));
      if (same) means(network_.variable_of(a.loops[k]), network_.variable_of(b.loops[k]));
      if (!same) means(a.rounds[k].text(), b.rounds[k].text());
    }
    if (slots.items != 1) means(a.item.text(), b.item.text());
    if (to.drop) return renamed;
    const Nodes extents = operands(from), there = operands(to);
    for (size_t d = 0; d < extents.size(); ++d)
      if (network_.loop_of(c.name_of(extents[d]), from)) means(c.show(extents[d]), c.show(there[d]));
    return renamed;
  }

  // Whether what is put is a place of an input, which can be loaded where it is got as well.
  bool forwards(const Channel &channel, const Slots &slots) {
    size_t put = channel.uses.size();
    for (size_t u = 0; u < channel.uses.size(); ++u)
      if (channel.uses[u].put && std::exchange(put, u) != channel.uses.size()) return false;
    const Use &use = channel.uses[put];
    const std::string value(c.name_of(c.get<ast::Call>(use.call).args()[1]));
    unsigned bound = 0, used = 0;
    Node load = HTP_NONE;
    c.each(network_.processes()[use.process].function, [&](Node n) {
      auto a = c.as<ast::AnnAssign>(n);
      if (a && c.name_of(a.target()) == value) load = n;
      auto name = c.as<ast::Name>(n);
      if (name && name.id() == value) ++(name.ctx() == HTP_STORE ? bound : used);
    });
    auto a = c.as<ast::AnnAssign>(load);
    if (value.empty() || bound != 1 || used != 1 || !a || names_.called(a.value()) != "htp_tile.load") return false;
    auto call = c.get<ast::Call>(a.value());
    if (!call.keywords().empty() || !is_input(c.name_of(call.args()[0]))) return false;
    std::vector<Node> loads(channel.uses.size());
    for (size_t u = 0; u < channel.uses.size(); ++u) {
      const Use &get = channel.uses[u];
      if (get.put || get.drop) continue;
      if (!c.is(get.statement, HTP_AnnAssign)) return false;
      const Renaming renamed = at_get(channel, slots, put, u);
      for (const Node i : call.args().subspan(1)) {
        bool known = true;
        c.each(i, [&](Node n) {
          const auto name = c.name_of(n);
          if (c.is(n, HTP_Name) && !renamed.contains(name) && !network_.is_module_level(name)) known = false;
        });
        if (!known) return false;
      }
      const auto extents = [&](Node statement, const Renaming &names) {
        std::string text;
        if (const auto type = read_type(c, c.get<ast::AnnAssign>(statement).annotation()))
          for (const Extent &e : type->extents) {
            const auto it = names.find(e.name);
            text += (it == names.end() ? e.text() : it->second) + ", ";
          }
        return text;
      };
      if (extents(load, renamed) != extents(get.statement, {})) return false;
      loads[u] = with_names(a.value(), renamed);
    }
    loads_[channel.name] = std::move(loads);
    dropped_.insert(load);
    return true;
  }
  bool is_input(std::string_view name) const {
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
      if (auto p = c.get<ast::arg>(n); p.arg() == name) {
        auto s = c.as<ast::Subscript>(p.annotation());
        return s && names_.qualified(s.value()) == "htp.In";
      }
    return false;
  }

  // ── statements ──

  // What is left of a process, without loops and branches in which nothing is.
  std::vector<uint32_t> block(Nodes statements, const Values &at = {}) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        const std::vector<uint32_t> inner = block(l.body(), at);
        if (inner.empty()) continue;
        Node loop = with_list(c, s, HTP_FIELD(For, body), inner);
        // What stands behind a loop counts on what it did.
        if (const auto all = network_.may_be_empty(s))
          loop = c.make(make::If{.test = c.parse(*all + " > 0", s), .body = {loop}}, s);
        out.push_back(loop);
        continue;
      }
      if (auto choice = c.as<ast::If>(s)) {
        branch(s, at, out);
        continue;
      }
      auto e = c.as<ast::Expr>(s);
      const std::string called = e ? names_.called(e.value()) : std::string();
      if (dropped_.contains(s) || called == "htp_csp.signal" || called == "htp_csp.meet" || called == "htp_csp.drop" ||
          network_.names_lane(s) || (e && c.is(e.value(), HTP_Constant)) || c.is(s, HTP_Pass))
        continue;
      if (const auto [channel, use] = network_.use_of(s); channel)
        transfer(s, *channel, use, out);
      else
        out.push_back(s);
    }
    return out;
  }
  void branch(Node s, const Values &at, std::vector<uint32_t> &out) {
    auto choice = c.read<ast::If>(s);
    choice.body = block(c.get<ast::If>(s).body(), at);
    choice.orelse = block(c.get<ast::If>(s).orelse(), at);
    if (const auto holds = network_.value(choice.test, at)) {
      const auto &taken = *holds ? choice.body : choice.orelse;
      out.insert(out.end(), taken.begin(), taken.end());
      return;
    }
    if (choice.body.empty() && choice.orelse.empty()) return;
    if (choice.body.empty()) {
      choice.test = c.make(make::UnaryOp{.op = HTP_Not, .operand = choice.test}, choice.test);
      choice.body.swap(choice.orelse);
    }
    out.push_back(c.with(s, choice));
  }
  void transfer(Node s, const Channel &channel, size_t use, std::vector<uint32_t> &out) {
    const bool put = channel.uses[use].put;
    if (const auto it = loads_.find(channel.name); it != loads_.end()) {
      if (!put) out.push_back(with_value(c, s, copy_of(c, it->second[use], s)));
      return;
    }
    if (in_one_.contains(channel.name)) return;
    std::vector<uint32_t> operands{c.name(channel.name, s)};
    if (put) operands.push_back(copy_of(c, c.get<ast::Call>(channel.uses[use].call).args()[1], s));
    for (const std::string &at : places_.at(channel.name)[use]) operands.push_back(c.parse(at, s));
    const size_t indices = operands.size() - 1;
    const Node call = c.call(module() + (put ? ".store" : ".load"), std::move(operands), s);
    out.push_back(put ? c.statement(call, s) : with_value(c, s, as_got(call, indices, s, channel.uses[use])));
  }
  // A load as what is got: of memory it has a dimension for each index.
  Node as_got(Node load, size_t indices, Node s, const Use &use) {
    auto first = c.as<ast::AnnAssign>(s);
    Node annotation = first ? first.annotation() : HTP_NONE;
    if (auto again = c.as<ast::Assign>(s))
      c.each(network_.processes()[use.process].function, [&](Node n) {
        auto a = c.as<ast::AnnAssign>(n);
        if (a && c.name_of(a.target()) == c.name_of(again.targets()[0])) annotation = a.annotation();
      });
    const auto type = annotation ? read_type(c, annotation) : std::nullopt;
    if (!type || type->extents.size() == indices) return load;
    std::vector<uint32_t> operands{load};
    for (const Extent &e : type->extents) operands.push_back(write_extent(c, e, s));
    return c.call(module() + ".reshape", std::move(operands), s);
  }

  const Context &c;
  Names names_;
  Node root_, function_;
  Imports imports_;
  Network network_;
  std::vector<Place> all_{};                    // places of all processes
  Graph waits_{};                               // of each of these, which ones are before it
  Graph before_{}, together_{};                 // of processes
  std::map<size_t, Joined> joined_{};           // by their first process
  std::set<std::string, std::less<>> in_one_{}; // channels between such
  std::map<Node, std::vector<Node>> gets_{};    // of what is put there
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> places_; // of each use of a channel
  std::map<std::string, std::vector<Node>, std::less<>> loads_;                      // instead of memory, of each use
  std::set<Node> dropped_;
};

} // namespace

Node sequence_processes(const Context &c, Node root) { return Sequence(c, root, c.entry_function(root)).run(); }

} // namespace htp::a2a3
