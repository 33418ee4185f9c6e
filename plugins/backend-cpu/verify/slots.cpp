// Whether the processes of a program use the slots of their channels as the runtime relies on: a slot has the channel's
// extents, is claimed and published, or held at the front and released, in turn on every way through a process, and is
// not touched in between; each channel has one writer, and as many readers as are declared.
//
// Each instance of each process is gone through by itself. Loops whose bounds are known there are, where channels are
// chosen by their variables, gone through iteration by iteration; other loops once, and each way of a branch that is
// not decided.
#include "verify/slots.h"

#include "htp_cpp/grids.h"
#include "htp_cpp/ints.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace htp::cpu::ready {

namespace {

constexpr int64_t most_steps = 1 << 22; // statements that are gone through

using Lane = std::pair<const Channel *, int64_t>; // one of an array of channels; -1: one that is no array
using Users = std::map<std::pair<Lane, bool>, std::set<size_t>>;               // by whether they write: instances
using Held = std::map<std::pair<Lane, bool>, std::pair<const Memory *, Node>>; // by whether it writes

class Slots {
public:
  Slots(const Context &context, const Program &program, const Constants &constants)
      : c(context), p(program), constants_(constants) {}

  const Users &users() const { return users_; }
  bool run() {
    for (const Statement &s : p.body)
      if (s.kind == Statement::Kind::process)
        for (int64_t at = 0; at < sdk::position_count(s.grid); ++at, ++instance_)
          if (!process(s, at)) return false;
    return ends();
  }

private:
  template <class... Arguments> bool no(const sdk::DiagKind &kind, Node where, const Arguments &...arguments) {
    c.report(kind, where, arguments...);
    return false;
  }

  // ── ints that are known of this instance ──

  std::optional<int64_t> value(Node n) const {
    Value v;
    if (const auto name = c.name_of(n); !name.empty())
      if (const auto it = ints_.find(name); it != ints_.end()) return it->second;
    if (constants_.number(n, v)) return v.real || !v.digits.empty() ? std::nullopt : std::optional(v.i);
    if (auto u = c.as<ast::UnaryOp>(n)) {
      const auto of = value(u.operand());
      return !of || u.op() == HTP_Not ? std::nullopt : u.op() == HTP_USub ? checked<HTP_Sub>(0, *of) : of;
    }
    if (auto call = c.as<ast::Call>(n); call && call.args().size() == 2) {
      const auto a = value(call.args()[0]), b = value(call.args()[1]);
      if (!a || !b) return std::nullopt;
      return c.name_of(call.func()) == "min" ? std::min(*a, *b) : std::max(*a, *b);
    }
    auto b = c.as<ast::BinOp>(n);
    if (!b) return std::nullopt;
    const auto x = value(b.left()), y = value(b.right());
    if (!x || !y) return std::nullopt;
    switch (static_cast<htp_op>(b.op())) {
    case HTP_Add: return checked<HTP_Add>(*x, *y);
    case HTP_Sub: return checked<HTP_Sub>(*x, *y);
    case HTP_Mult: return checked<HTP_Mult>(*x, *y);
    case HTP_FloorDiv: return *y < 1 ? std::nullopt : std::optional(*x / *y - (*x % *y < 0));
    case HTP_Mod: return *y < 1 ? std::nullopt : std::optional((*x % *y + *y) % *y);
    default: return std::nullopt;
    }
  }
  template <htp_op op> static std::optional<int64_t> checked(int64_t a, int64_t b) {
    int64_t result = 0;
    const bool wraps = op == HTP_Add   ? __builtin_add_overflow(a, b, &result)
                       : op == HTP_Sub ? __builtin_sub_overflow(a, b, &result)
                                       : __builtin_mul_overflow(a, b, &result);
    return wraps ? std::nullopt : std::optional(result);
  }
  std::optional<bool> truth(Node n) const {
    if (auto compare = c.as<ast::Compare>(n)) {
      auto left = value(compare.left());
      for (size_t k = 0; k < compare.ops().size(); ++k) {
        const auto right = value(compare.comparators()[k]);
        if (!left || !right) return std::nullopt;
        const auto op = static_cast<htp_op>(compare.ops()[k]);
        const int64_t a = *left, b = *right;
        const bool is = op == HTP_Eq      ? a == b
                        : op == HTP_NotEq ? a != b
                        : op == HTP_Lt    ? a < b
                        : op == HTP_LtE   ? a <= b
                        : op == HTP_Gt    ? a > b
                                          : a >= b;
        if (!is) return false;
        left = right;
      }
      return true;
    }
    if (auto b = c.as<ast::BoolOp>(n)) {
      const bool all = b.op() == HTP_And;
      bool open = false;
      for (const Node v : b.values()) {
        const auto one = truth(v);
        if (one && *one != all) return !all;
        open |= !one;
      }
      return open ? std::nullopt : std::optional(all);
    }
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
      const auto one = truth(u.operand());
      return one ? std::optional(!*one) : std::nullopt;
    }
    const auto number = value(n);
    return number ? std::optional(*number != 0) : std::nullopt;
  }

  // ── one instance of one process ──

  bool process(const Statement &s, int64_t at) {
    ints_.clear();
    for (size_t d = s.grid.size(), rest = static_cast<size_t>(at); d-- > 0; rest /= static_cast<size_t>(s.grid[d]))
      ints_[s.indices[d]] = static_cast<int64_t>(rest % static_cast<size_t>(s.grid[d]));
    held_.clear();
    closed_.clear();
    perhaps_ = 0;
    return body(s.body) && given_back(Held(), s.node) && all_closed(s);
  }
  bool body(const std::vector<Statement> &statements) {
    for (const Statement &s : statements)
      if (!statement(s)) return false;
    return true;
  }
  // Whether as much is held as before.
  bool given_back(const Held &before, Node where) {
    for (const auto &[slot, held] : held_)
      if (!before.contains(slot)) return no(diag::slot_kept, held.second, slot.first.first->name);
    for (const auto &[slot, held] : before)
      if (!held_.contains(slot)) return no(diag::slot_kept, where, slot.first.first->name);
    return true;
  }
  bool statement(const Statement &s) {
    if (++steps_ > most_steps) return no(diag::slots_unknown, s.node);
    switch (s.kind) {
    case Statement::Kind::slot: return take(s);
    case Statement::Kind::done: return give(s);
    case Statement::Kind::close: return close(s);
    case Statement::Kind::get:
    case Statement::Kind::put: return in_hand(s, s.memory);
    case Statement::Kind::order: return in_hand(s, s.memory) && in_hand(s, s.source);
    case Statement::Kind::integer: {
      if (Lane at; s.channel && (!lane(s, at) || !use(s, at))) return false;
      const auto known = s.test ? value(s.test) : std::nullopt;
      known ? void(ints_[s.name] = *known) : void(ints_.erase(s.name));
      return true;
    }
    case Statement::Kind::branch: return branch(s);
    case Statement::Kind::loop: return loop(s);
    case Statement::Kind::repeat: {
      forget(s.body);
      const Held before = held_;
      const Held *const around = std::exchange(repeated_, &before);
      const bool fine = perhaps(s.body) && given_back(before, s.node);
      repeated_ = around;
      forget(s.body);
      return fine;
    }
    case Statement::Kind::leave: return !repeated_ || given_back(*repeated_, s.node);
    default: return true;
    }
  }
  bool branch(const Statement &s) {
    if (const auto known = truth(s.test)) return body(*known ? s.body : s.orelse);
    const Held before = held_;
    const auto ints = ints_;
    if (!perhaps(s.body)) return false;
    const Held after = std::exchange(held_, before);
    ints_ = ints;
    if (!perhaps(s.orelse) || !given_back(after, s.node)) return false;
    forget(s.body), forget(s.orelse);
    return true;
  }
  bool loop(const Statement &s) {
    const auto start = s.start ? value(s.start) : 0, stop = value(s.stop), step = s.step ? value(s.step) : 1;
    if (start && stop && step && *step != 0 && chooses(s.body)) {
      for (int64_t i = *start; *step > 0 ? i < *stop : i > *stop;) {
        const Held before = held_;
        ints_[s.name] = i;
        if (!body(s.body) || !given_back(before, s.node)) return false;
        if (__builtin_add_overflow(i, *step, &i)) break;
      }
      ints_.erase(s.name);
      return true;
    }
    forget(s.body);
    ints_.erase(s.name);
    const Held before = held_;
    if (!perhaps(s.body) || !given_back(before, s.node)) return false;
    forget(s.body);
    return true;
  }
  // What may run once, several times or never.
  bool perhaps(const std::vector<Statement> &statements) {
    ++perhaps_;
    const bool fine = body(statements);
    --perhaps_;
    return fine;
  }
  // What a body gives a value to is not known in it and behind it.
  void forget(const std::vector<Statement> &statements) {
    for (const Statement &s : statements) {
      if (s.kind == Statement::Kind::integer || s.kind == Statement::Kind::loop) ints_.erase(s.name);
      forget(s.body), forget(s.orelse);
    }
  }
  // Whether it uses a channel of an array.
  static bool chooses(const std::vector<Statement> &statements) {
    return std::any_of(statements.begin(), statements.end(), [](const Statement &s) {
      return (s.channel && !s.channel_index.empty()) || chooses(s.body) || chooses(s.orelse);
    });
  }

  // ── slots ──

  bool lane(const Statement &s, Lane &out) {
    out = {s.channel, -1};
    if (s.channel_index.empty()) return true;
    int64_t at = 0;
    for (size_t d = 0; d < s.channel_index.size(); ++d) {
      const auto k = value(s.channel_index[d]);
      if (!k || *k < 0 || *k >= s.channel->array[d])
        return no(diag::no_such_channel, s.node, k ? std::to_string(*k) : c.show(s.channel_index[d]), s.channel->name,
                  s.channel->array[d]);
      at = at * s.channel->array[d] + *k;
    }
    out.second = at;
    return true;
  }
  bool use(const Statement &s, const Lane &at) {
    auto &users = users_[{at, s.puts}];
    users.insert(instance_);
    if (s.puts && users.size() > 1) return no(diag::several_writers, s.node, s.channel->name);
    if (static_cast<int64_t>(users.size()) > s.channel->readers && !s.puts)
      return ends_differ(s.node, at, users.size());
    return !s.puts || !closed_.contains(at) || no(diag::channel_end, s.node, s.channel->name, "used behind its end");
  }
  bool close(const Statement &s) {
    Lane at;
    if (!lane(s, at) || !use(s, at)) return false;
    if (perhaps_) return no(diag::channel_end, s.node, s.channel->name, "closed in a loop or a branch");
    if (held_.contains({at, true})) return no(diag::slot_kept, s.node, s.channel->name);
    return closed_.insert(at), true;
  }
  // Whether the process closed what it wrote of checked channels.
  bool all_closed(const Statement &s) {
    for (const auto &[end, users] : users_)
      if (end.second && end.first.first->checked && users.contains(instance_) && !closed_.contains(end.first))
        return no(diag::channel_end, s.node, end.first.first->name, "not closed by its writer");
    return true;
  }
  bool take(const Statement &s) {
    Lane at;
    if (!lane(s, at) || !use(s, at)) return false;
    if (s.memory && !fits(s)) return no(diag::slot_extents, s.node, s.memory->name, s.channel->name);
    return held_.try_emplace({at, s.puts}, s.memory, s.node).second || no(diag::slot_held, s.node, s.channel->name);
  }
  bool give(const Statement &s) {
    Lane at;
    return lane(s, at) && (held_.erase({at, s.puts}) || no(diag::slot_not_held, s.node, s.channel->name));
  }
  bool in_hand(const Statement &s, const Memory *memory) {
    return !memory->slot ||
           std::any_of(held_.begin(), held_.end(), [&](const auto &one) { return one.second.first == memory; }) ||
           no(diag::slot_not_held, s.node, memory->name);
  }
  // Whether a slot has the channel's extents.
  bool fits(const Statement &s) {
    if (!fitting_.insert(s.memory).second) return true;
    const std::vector<Node> &a = s.memory->extents, &b = s.channel->extents;
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](Node x, Node y) {
      Value v, w;
      if (constants_.number(x, v) && constants_.number(y, w)) return v.i == w.i;
      const MaybeInt left = sdk::read_int(c, x), right = sdk::read_int(c, y);
      return left && right && *left == *right;
    });
  }
  // Whether each channel that is used has a writer and all of its readers.
  bool ends() {
    for (const Channel &channel : p.channels)
      for (auto use = users_.lower_bound({{&channel, -1}, false});
           use != users_.end() && use->first.first.first == &channel; ++use) {
        const Lane &lane = use->first.first;
        const auto readers = users_.find({lane, false});
        const size_t count = readers == users_.end() ? 0 : readers->second.size();
        if (!users_.contains({lane, true}) || static_cast<int64_t>(count) != channel.readers)
          return ends_differ(channel.node, lane, count);
      }
    return true;
  }
  bool ends_differ(Node where, const Lane &lane, size_t readers) {
    return no(diag::channel_ends, where, lane.first->name, users_.contains({lane, true}) ? 1 : 0, readers,
              lane.first->readers);
  }

  const Context &c;
  const Program &p;
  const Constants &constants_;
  size_t instance_ = 0;   // of all processes, in the order of the program
  size_t perhaps_ = 0;    // the number of loops and branches around
  std::set<Lane> closed_; // by this instance
  int64_t steps_ = 0;
  std::map<std::string, int64_t, std::less<>> ints_;
  Held held_;
  const Held *repeated_ = nullptr; // what is held where the innermost `while` around begins
  std::set<const Memory *> fitting_;
  Users users_;
};

} // namespace

bool check_slots(const Context &c, const Program &program, const Constants &constants) {
  return Slots(c, program, constants).run();
}

std::vector<ChannelEnds> channel_ends(const Context &c, const Program &program, const Constants &constants) {
  Slots slots(c, program, constants);
  if (!slots.run()) return {};
  std::vector<ChannelEnds> found;
  for (const Channel &channel : program.channels)
    for (const auto &[end, users] : slots.users()) {
      const auto &[lane, writes] = end;
      if (lane.first != &channel) continue;
      if (found.empty() || found.back().channel != &channel || found.back().lane != std::max<int64_t>(lane.second, 0))
        found.push_back({&channel, std::max<int64_t>(lane.second, 0), {}, {}});
      (writes ? found.back().writers : found.back().readers).assign(users.begin(), users.end());
    }
  return found;
}

} // namespace htp::cpu::ready
