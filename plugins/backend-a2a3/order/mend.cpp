// What would put a kernel in order whose flags and barriers do not: changes of one statement or a pair of them are
// tried, those first that are likely to be meant.
#include "order/order.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

constexpr int most_tries = 160;

struct Edit {
  enum class Kind : uint8_t { before, behind, remove, event } kind;
  Node at; // the statement
  Statement made;
};

class Mending {
public:
  Mending(const Context &context, const Kernel &kernel, const Disorder &found) : c(context), k_(kernel), f_(found) {
    list(kernel.body, SIZE_MAX);
    if (f_.at) at_ = index_of(f_.at->node);
  }

  std::string hint() {
    using Kind = Disorder::Kind;
    switch (f_.kind) {
    case Kind::undrained: return "write `pto.drain()` as the kernel's last statement";
    case Kind::taken: return "take another event: 0 to 6 from " + std::string(name_of(f_.at->source)) + " to S";
    case Kind::branch: return branched();
    case Kind::unordered: return ordered();
    case Kind::unset: return of_flag(Statement::Kind::set);
    case Kind::again:
    case Kind::left: return of_flag(Statement::Kind::wait);
    }
    return {};
  }

private:
  // ── statements ──

  struct Entry {
    const Statement *s;
    size_t parent; // the statement that it stands in; SIZE_MAX: the kernel
    size_t end;    // behind what stands in it
  };
  void list(const std::vector<Statement> &body, size_t parent) {
    for (const Statement &s : body) {
      const size_t here = all_.size();
      all_.push_back({&s, parent, 0});
      list(s.body, here);
      list(s.otherwise, here);
      all_[here].end = all_.size();
    }
  }
  size_t index_of(Node n) const {
    return static_cast<size_t>(std::find_if(all_.begin(), all_.end(), [&](const Entry &e) { return e.s->node == n; }) -
                               all_.begin());
  }
  // Whether a statement stands in a loop that has the turn.
  bool in_turn(size_t at, const std::string &turn) const {
    for (size_t p = all_[at].parent; p != SIZE_MAX; p = all_[p].parent)
      if (all_[p].s->turn == turn && all_[p].s->kind == Statement::Kind::loop) return true;
    return false;
  }
  static bool is_flag(const Statement &s) { return s.kind == Statement::Kind::set || s.kind == Statement::Kind::wait; }
  bool of_pair(const Statement &s, Statement::Kind kind) const {
    return s.kind == kind && s.source == source() && s.destination == destination();
  }
  Pipe source() const { return f_.kind == Disorder::Kind::unordered ? f_.before->pipe() : f_.at->source; }
  Pipe destination() const { return f_.kind == Disorder::Kind::unordered ? f_.at->pipe() : f_.at->destination; }

  // ── saying it ──

  static std::string text(const Statement &s) {
    if (s.kind == Statement::Kind::barrier)
      return "`pto.pipe_barrier('" + std::string(s.all ? "ALL" : name_of(s.source)) + "')`";
    const std::string event = s.turn.empty() ? std::to_string(s.event)
                              : s.event == 0 ? s.turn
                                             : std::to_string(s.event) + " + " + s.turn;
    return std::string(s.kind == Statement::Kind::set ? "`pto.set_flag('" : "`pto.wait_flag('") +
           std::string(name_of(s.source)) + "', '" + std::string(name_of(s.destination)) + "', " + event + ")`";
  }
  std::string place(Node n) const {
    const Statement &s = *all_[index_of(n)].s;
    const std::string line = "line " + std::to_string(c.record(n).line);
    if (s.kind == Statement::Kind::loop) return "the loop of " + line;
    if (s.kind == Statement::Kind::branch) return "the `if` of " + line;
    return line + ", `" + c.show(n) + "`";
  }
  std::string one(const Edit &e) const {
    switch (e.kind) {
    case Edit::Kind::before: return text(e.made) + " before " + place(e.at);
    case Edit::Kind::behind: return text(e.made) + " behind " + place(e.at);
    case Edit::Kind::remove: return "take " + place(e.at) + ", out";
    case Edit::Kind::event: return "let " + place(e.at) + ", be " + text(e.made);
    }
    return {};
  }
  std::string advice(const std::vector<Edit> &edits) const {
    std::string all;
    for (const Edit &e : edits) all += (all.empty() ? "" : &e == &edits.back() ? " and " : ", ") + one(e);
    const bool writes = edits[0].kind == Edit::Kind::before || edits[0].kind == Edit::Kind::behind;
    return (writes ? "write " : "") + all;
  }

  std::string advice(const Edit &e) const { return advice(std::vector<Edit>{e}); }

  // ── trying it ──

  static bool apply(std::vector<Statement> &body, const Edit &e) {
    for (size_t k = 0; k < body.size(); ++k) {
      if (body[k].node != e.at) {
        if (apply(body[k].body, e) || apply(body[k].otherwise, e)) return true;
        continue;
      }
      const auto here = body.begin() + static_cast<ptrdiff_t>(k);
      if (e.kind == Edit::Kind::remove)
        body.erase(here);
      else if (e.kind == Edit::Kind::event)
        body[k].event = e.made.event, body[k].turn = e.made.turn;
      else
        body.insert(here + (e.kind == Edit::Kind::behind), e.made);
      return true;
    }
    return false;
  }
  bool holds(const std::vector<Edit> &edits) {
    if (++tries_ > most_tries) return false;
    Kernel changed = k_;
    for (const Edit &e : edits)
      if (!apply(changed.body, e)) return false;
    return !disorder(changed);
  }
  bool holds(const Edit &e) { return holds(std::vector<Edit>{e}); }

  // ── which ──

  Statement flag(Statement::Kind kind, int64_t event, const std::string &turn) const {
    Statement s{};
    s.kind = kind, s.source = source(), s.destination = destination(), s.event = event, s.turn = turn;
    return s;
  }
  static Statement barrier(Pipe pipe) {
    Statement s{};
    s.kind = Statement::Kind::barrier, s.source = pipe, s.destination = pipe;
    return s;
  }
  // What a flag would have to be at a place: further by the turn within its loop.
  Statement flag_at(Statement::Kind kind, size_t place) const {
    const std::string &turn = f_.at->turn;
    return !turn.empty() && in_turn(place, turn) ? flag(kind, f_.at->event, turn) : flag(kind, f_.event, "");
  }

  // A flag that is set before a branch and waited for in one way of it, or the other way round.
  std::string branched() {
    const size_t end = all_[at_].end - 1;
    f_.at = f_.before, at_ = f_.waited ? end : index_of(f_.at->node);
    return of_flag(f_.waited ? Statement::Kind::set : Statement::Kind::wait);
  }
  // A flag whose other half is missing, stands twice, or has another event.
  std::string of_flag(Statement::Kind missing) {
    const Node here = f_.at->node;
    if (const Edit out{Edit::Kind::remove, here, {}}; holds(out)) return advice(out);
    for (const Entry &e : all_)
      if (of_pair(*e.s, missing) && (e.s->event != f_.at->event || e.s->turn != f_.at->turn)) {
        const Edit own{Edit::Kind::event, here, flag(f_.at->kind, e.s->event, e.s->turn)};
        const Edit other{Edit::Kind::event, e.s->node, flag_at(missing, index_of(e.s->node))};
        if ((e.s->turn.empty() || in_turn(at_, e.s->turn)) && holds(own)) return advice(own);
        if (holds(other)) return advice(other);
      }
    for (const bool likely : {true, false})
      for (const Edit &e : places(missing, likely))
        if (holds(e)) return advice(e);
    const Statement s = flag(missing, f_.at->event, f_.at->turn);
    return "write " + text(s) +
           (missing == Statement::Kind::set
                ? " behind what " + std::string(name_of(source())) + " does before, in the same loops"
                : " before what " + std::string(name_of(destination())) + " does next, in the same loops");
  }
  // Where it may be missing, nearest first: likely beside an instruction of its pipe, or at the ends of a loop.
  std::vector<Edit> places(Statement::Kind missing, bool likely) const {
    std::vector<Edit> found;
    const bool set = missing == Statement::Kind::set;
    const auto beside = [&](size_t k) {
      const Statement &s = *all_[k].s;
      const bool own = s.kind == Statement::Kind::instruction && s.pipe() == (set ? source() : destination());
      if ((own || s.kind == Statement::Kind::loop) != likely || s.kind == Statement::Kind::tile) return;
      const Statement made = flag_at(missing, k);
      const Edit before{Edit::Kind::before, s.node, made}, behind{Edit::Kind::behind, s.node, made};
      const bool loop_before = !own && k < at_;
      found.push_back((own ? set : !loop_before) ? behind : before);
      if (!own) found.push_back(loop_before ? behind : before);
    };
    for (size_t d = 1; d <= all_.size(); ++d) {
      if (set ? at_ >= d : at_ + d < all_.size()) beside(set ? at_ - d : at_ + d);
    }
    for (size_t d = 0; d <= all_.size(); ++d) {
      if (set ? at_ + d < all_.size() : at_ >= d) beside(set ? at_ + d : at_ - d);
    }
    return found;
  }

  // Two instructions that touch the same: a barrier of their pipe, or a flag from the one to the other.
  std::string ordered() {
    const Edit wait_here{Edit::Kind::before, f_.at->node, barrier(destination())};
    if (source() == destination() && holds(wait_here)) return advice(wait_here);
    // What sets a flag for this pipe may do so behind the other, by way of a third.
    for (const Entry &e : all_) {
      if (e.s->kind != Statement::Kind::set || e.s->destination != destination()) continue;
      Statement wait = *e.s;
      wait.kind = Statement::Kind::wait;
      const Edit one{Edit::Kind::before, f_.at->node, wait};
      if ((wait.turn.empty() || in_turn(at_, wait.turn)) && holds(one)) return advice(one);
    }
    if (source() == destination()) return advice(wait_here);
    int64_t event = 0;
    const int64_t events = destination() == Pipe::s ? 7 : 8;
    const auto taken = [&](const Entry &e) {
      return is_flag(*e.s) && e.s->source == source() && e.s->destination == destination() &&
             (e.s->event == event || (!e.s->turn.empty() && e.s->event + 1 == event));
    };
    while (event < events && std::any_of(all_.begin(), all_.end(), taken)) ++event;
    const Statement set = flag(Statement::Kind::set, event % events, ""),
                    wait = flag(Statement::Kind::wait, event % events, "");
    const size_t before = index_of(f_.before->node);
    const auto [from, to, around] = level(before, at_);
    const Edit first{Edit::Kind::behind, all_[from].s->node, set}, second{Edit::Kind::before, all_[to].s->node, wait};
    if (from < to) return advice(std::vector<Edit>{first, second}); // in one iteration
    if (around == SIZE_MAX) return advice(std::vector<Edit>{second, first});
    const Node loop = all_[around].s->node;
    return advice(std::vector<Edit>{{Edit::Kind::before, loop, set}, second, first, {Edit::Kind::behind, loop, wait}});
  }
  struct Level {
    size_t from, to, around;
  };
  // The statements that hold two others, in the same list, and what that stands in.
  Level level(size_t a, size_t b) const {
    const auto outer = [&](size_t n) {
      std::vector<size_t> chain{n};
      for (size_t p = all_[n].parent; p != SIZE_MAX; p = all_[p].parent) chain.push_back(p);
      return chain;
    };
    for (const size_t x : outer(a))
      for (const size_t y : outer(b))
        if (all_[x].parent == all_[y].parent) return {x, y, all_[x].parent};
    return {a, b, SIZE_MAX};
  }

  const Context &c;
  const Kernel &k_;
  Disorder f_;
  std::vector<Entry> all_;
  size_t at_ = 0;
  int tries_ = 0;
};

} // namespace

std::string mended(const Context &c, const Kernel &kernel, const Disorder &found) {
  return Mending(c, kernel, found).hint();
}

} // namespace htp::a2a3
