#include "verify/buffers.h"

#include "diagnostics.h"
#include "language/check.h"
#include "verify/ints.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

namespace htp::tile {
namespace {

struct Reason {
  Node where = HTP_NONE;
  std::string reason;
};

// What was stored to a buffer on the way to a place, by the sizes and the iterations of the loops around.
struct Stored {
  IntSet surely, perhaps;
};

class Buffers {
public:
  Buffers(const Module &module, Node function, const Accesses &accesses)
      : m_(module), c(module.c), function_(function), accesses_(accesses), ints_(module, function) {}

  void run() {
    bool any = false;
    std::set<std::string, std::less<>> read;
    c.each(function_, [&](Node n) {
      any |= is_buffer(n);
      auto k = c.as<ast::Call>(n);
      const htp_intrinsic *row = k && !k.args().empty() ? c.intrinsic(m_.path(k.func())) : nullptr;
      if (row && has_name(row->effects, "read")) read.emplace(c.name_of(k.args()[0]));
    });
    auto a = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args());
    for (const Nodes list : {a.posonlyargs(), a.args()})
      for (const Node n : list) {
        auto p = c.get<ast::arg>(n);
        const auto type = read_type(c, p.annotation());
        if (!type || type->form != "Tensor") continue;
        for (const Extent &e : type->extents)
          if (m_.is_dim(e.name) && std::find(dims_.begin(), dims_.end(), e.name) == dims_.end())
            dims_.push_back(e.name);
        if (direction_of(c, p.annotation()) != "Out" || !read.contains(p.arg()) || accesses_.all_stored(p.arg()))
          continue;
        any = true;
        Buffer b{n, {}, {}, {}, true};
        for (const Extent &e : type->extents) b.extents.push_back({ints_.number(0), ints_.extent(e.name, e.size)});
        buffers_.insert_or_assign(std::string(p.arg()), std::move(b));
        state_.insert_or_assign(std::string(p.arg()), Stored{ints_.isl().none(), ints_.isl().none()});
      }
    if (!any) return;
    block(c.get<ast::FunctionDef>(function_).body(), {of_at_least(0), {}});
  }

private:
  struct Place {
    IntSet set;     // for which sizes and iterations it is reached
    Reason unknown; // why it may be for fewer
  };
  struct Buffer {
    Node made = HTP_NONE;
    std::vector<Range> extents; // the indices of each dimension
    std::vector<Node> stores;
    Reason unknown;      // why more or less may have been stored than is seen
    bool output = false; // a parameter, which nothing is in before it is stored, as in a buffer
  };
  // What an access touches, where it is reached, at each way through it the same.
  struct Accessed {
    IntSet region;
    Reason vague; // which elements these are
  };
  using State = std::map<std::string, Stored, std::less<>>;

  bool is_buffer(Node n) const {
    auto k = c.as<ast::Call>(n);
    return k && m_.path(k.func()) == "htp_tile.buffer";
  }

  // ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(Nodes statements, const Place &place) {
    for (const Node s : statements) statement(s, place);
  }

  void statement(Node n, const Place &place) {
    ints_.isl().next_question();
    if (auto f = c.as<ast::For>(n)) {
      loop(f, place);
    } else if (auto w = c.as<ast::While>(n)) {
      Place inner = place;
      if (!inner.unknown.where) inner.unknown = {w.test(), "how often this loop runs"};
      uncounted(n, [&] {
        calls(w.test(), inner);
        block(w.body(), inner);
      });
    } else if (auto i = c.as<ast::If>(n)) {
      branch(i, place);
    } else if (auto a = c.as<ast::Assign>(n)) {
      binding(a.targets()[0], a.value(), place);
    } else if (auto annotated = c.as<ast::AnnAssign>(n)) {
      binding(annotated.target(), annotated.value(), place);
    } else if (auto e = c.as<ast::Expr>(n)) {
      calls(e.value(), place);
    } else {
      Place inner = place;
      if (!inner.unknown.where) inner.unknown = {n, "what this does"};
      uncounted(n, [&] { c.children(n, [&](Node child) { calls(child, inner); }); });
    }
  }

  // What one run of the body of `n` stores, seen for itself, once. A body in it is then gone through for that alone.
  template <class Body> const State &alone(Node n, const Body &body) {
    if (const auto known = alone_.find(n); known != alone_.end()) return known->second;
    State before = state_;
    for (auto &[name, stored] : state_) stored = {ints_.isl().none(), ints_.isl().none()};
    const size_t bound = ints_.bound();
    ++rehearsing_;
    body();
    --rehearsing_;
    ints_.forget(bound);
    return alone_.emplace(n, std::exchange(state_, std::move(before))).first->second;
  }

  void loop(ast::For f, const Place &place) {
    const Node iter = loop_forms(c, m_.names, f.iter()).range;
    const bool known = ints_.iterate(c.name_of(f.target()), iter, true);
    const Ints::Variable variable = ints_.variables().back();
    const auto body = [&](const Place &inner) { return [&] { block(f.body(), inner); }; };
    Place inner{place.set & variable.within, place.unknown};
    if (!known) {
      if (!inner.unknown.where) inner.unknown = {iter, "where this loop runs"};
      uncounted(f.node, body(inner), variable.name);
      ints_.leave();
      return;
    }
    const State &each = alone(f.node, body(inner));
    if (!rehearsing_) {
      const State before = state_;
      // In an iteration there is what those before it stored.
      const std::string other = "earlier#" + std::to_string(ints_.variables().size());
      const IntValue now = ints_.isl().variable(variable.name), then = ints_.isl().variable(other);
      const IntSet order = runs_down(iter) ? now > then : now < then;
      const auto earlier = [&](const IntSet &set) {
        return ((set & variable.within & order).without(variable.name) & (now == then)).without(other);
      };
      for (auto &[name, stored] : state_)
        if (const auto one = each.find(name); one != each.end())
          stored = {stored.surely | earlier(one->second.surely), stored.perhaps | earlier(one->second.perhaps)};
      block(f.body(), inner);
      state_ = before;
    }
    const auto all = [&](const IntSet &set) { return (set & variable.within).without(variable.name); };
    for (auto &[name, stored] : state_)
      if (const auto one = each.find(name); one != each.end())
        stored = {stored.surely | all(one->second.surely), stored.perhaps | all(one->second.perhaps)};
    ints_.leave();
  }

  bool runs_down(Node iter) const {
    auto k = c.as<ast::Call>(iter);
    if (!k || c.name_of(k.func()) != "range" || k.args().size() < 3) return false;
    const auto step = m_.integer(k.args()[2]);
    return step && *step < 0;
  }

  // Something that runs any number of times; `variable` is that of its iterations, if they have one.
  template <class Body> void uncounted(Node n, const Body &body, const std::string &variable = {}) {
    const State &each = alone(n, body);
    for (auto &[name, stored] : state_) {
      const IntSet &perhaps = of(each, name).perhaps;
      stored.perhaps = stored.perhaps | (variable.empty() ? perhaps : perhaps.without(variable));
    }
    if (rehearsing_) return;
    const State entry = state_;
    body();
    state_ = entry;
  }

  Stored of(const State &state, const std::string &name) {
    const auto it = state.find(name);
    return it == state.end() ? Stored{ints_.isl().none(), ints_.isl().none()} : it->second;
  }

  void branch(ast::If i, const Place &place) {
    calls(i.test(), place);
    const auto holds = ints_.condition(i.test());
    Place then = place, otherwise = place;
    if (holds) {
      then.set = place.set & *holds;
      otherwise.set = place.set - *holds;
    } else if (!place.unknown.where) {
      then.unknown = otherwise.unknown = {i.test(), "whether this holds"};
    }
    const State before = state_;
    block(i.body(), then);
    const State first = std::exchange(state_, before);
    block(i.orelse(), otherwise);
    std::erase_if(state_, [&](const auto &entry) { return !before.contains(entry.first); });
    for (auto &[name, stored] : state_) {
      const Stored other = of(first, name);
      stored.surely = holds ? (other.surely & *holds) | (stored.surely - *holds) : other.surely & stored.surely;
      stored.perhaps = other.perhaps | stored.perhaps;
    }
  }

  void binding(Node target, Node value, const Place &place) {
    calls(value, place);
    const std::string name(c.name_of(target));
    if (name.empty()) return;
    ints_.bind(name, value);
    if (!is_buffer(value) || accesses_.all_stored(name)) return;
    Buffer b{target, {}, {}, {}, false};
    for (const Node n : c.get<ast::Call>(value).args().subspan(1)) {
      const auto range = ints_.range(n);
      if (!range) return void(state_.erase(name)); // its type is wrong
      b.extents.push_back(*range);
    }
    buffers_.insert_or_assign(name, std::move(b));
    state_.insert_or_assign(name, Stored{ints_.isl().none(), ints_.isl().none()});
  }

  // ── accesses ──────────────────────────────────────────────────────────────────────────────────────────────────────

  void calls(Node n, const Place &place) {
    c.each(n, [&](Node inner) {
      if (c.is(inner, HTP_Call)) call(inner, place);
    });
  }

  void call(Node n, const Place &place) {
    auto k = c.get<ast::Call>(n);
    const std::string path = m_.path(k.func());
    const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
    if (!row || !*row->effects || k.args().empty()) return;
    const auto stored = state_.find(c.name_of(k.args()[0]));
    if (stored == state_.end()) return;
    Buffer &buffer = buffers_.find(stored->first)->second;
    uint32_t first = 0;
    while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
    const Nodes indices = k.args().subspan(std::min<size_t>(first, k.args().size()));
    const auto [known, fresh] = accessed_.try_emplace(n);
    auto &[region, vague] = known->second;
    if (fresh) region = place.set;
    for (size_t d = 0; fresh && d < buffer.extents.size(); ++d) {
      const IntValue at = ints_.isl().variable(element(d));
      const Range &extent = buffer.extents[d];
      region = region & (at >= extent.start) & (at < extent.stop);
      const auto selected = d < indices.size() ? ints_.selected(indices[d], at) : std::nullopt;
      if (selected)
        region = region & *selected;
      else if (!vague.where)
        vague = {d < indices.size() ? indices[d] : n, "which index this is"};
    }
    if (has_name(row->effects, "read") && !rehearsing_)
      read(n, stored->first, buffer, stored->second, region, vague.where ? vague : place.unknown);
    if (!has_name(row->effects, "write")) return;
    stored->second.perhaps = stored->second.perhaps | region;
    if (!vague.where)
      stored->second.surely = stored->second.surely | region;
    else if (!buffer.unknown.where)
      buffer.unknown = vague;
    if (!rehearsing_) buffer.stores.push_back(n);
  }

  // ── what is reported
  // ──────────────────────────────────────────────────────────────────────────────────────────────────

  static std::string element(size_t dimension) { return "[" + std::to_string(dimension) + "]"; }

  IntSet of_at_least(int64_t size) {
    IntSet result = ints_.isl().all();
    for (const std::string &dim : dims_) result = result & (ints_.isl().variable(dim) >= ints_.number(size));
    return result;
  }

  void read(Node n, const std::string &name, const Buffer &buffer, const Stored &stored, const IntSet &region,
            const Reason &unknown) {
    if (region.within(stored.surely) == Answer::yes) return;
    const IntSet ordinary = region & of_at_least(1);
    if (ordinary.within(stored.surely) == Answer::yes) return; // without any elements there is nothing to read
    std::vector<std::string> order = dims_;
    for (const Ints::Variable &v : ints_.variables()) order.push_back(v.name);
    for (size_t d = 0; d < buffer.extents.size(); ++d) order.push_back(element(d));
    const auto with_stores = [&](auto &&report) -> auto & {
      report.label(buffer.made, "made here");
      for (const Node s : buffer.stores) report.label(s, "stored here");
      return report;
    };
    if (buffer.output) {
      auto report = c.report(diag::read_output, n, name);
      report.label(buffer.made, "declared `Out` here");
      for (const Node s : buffer.stores) report.label(s, "stored here");
      const Reason &why = buffer.unknown.where ? buffer.unknown : unknown;
      if (why.where) report.label(why.where, "not known for all sizes: " + why.reason);
      report.hint("store to all that is read before, at every size, or declare it `InOut[…]`");
      return;
    }
    const IntSet never = ordinary - stored.perhaps;
    if (unknown.where == HTP_NONE) {
      if (const auto point = never.point(order)) {
        std::string at, when;
        for (size_t d = 0; d < buffer.extents.size(); ++d)
          at += (d ? ", " : "") + std::to_string(point->at(element(d)));
        for (const std::string &dim : dims_)
          if (const auto it = point->find(dim); it != point->end())
            when += (when.empty() ? "" : ", ") + dim + " = " + std::to_string(it->second);
        with_stores(c.report(diag::unwritten_buffer, n, name, at, when.empty() ? "" : " when " + when))
            .hint("store to all that is read, at every size and on each way here: `" + name +
                  "[:, …] = 0.0` before the rest");
        return;
      }
    }
    auto report = c.report(diag::maybe_unwritten_buffer, n, name);
    with_stores(report);
    const Reason &why = buffer.unknown.where ? buffer.unknown : unknown;
    if (why.where) report.label(why.where, "not known for all sizes: " + why.reason);
    report.hint("store to all of it first: `" + name + "[:, …] = 0.0`");
  }

  const Module &m_;
  const Context &c;
  const Node function_;
  const Accesses &accesses_; // of which those tensors are not looked at that it answers for
  Ints ints_;
  int rehearsing_ = 0;
  std::map<Node, State> alone_;       // of loops
  std::map<Node, Accessed> accessed_; // of calls
  State state_;
  std::map<std::string, Buffer, std::less<>> buffers_;
  std::vector<std::string> dims_;
};

} // namespace

void check_buffers(const Module &module, Node function, const Accesses &accesses) {
  if (!accesses.all_stored()) Buffers(module, function, accesses).run();
}

} // namespace htp::tile
