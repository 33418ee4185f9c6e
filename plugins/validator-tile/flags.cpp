#include "flags.h"

#include <algorithm>

namespace htp::validator {

namespace {

constexpr size_t most_states = 64, most_flag_steps = 60'000;
constexpr int64_t events_of_pipes = 8;

} // namespace

Flags::Flags(const Terms &terms, bool cube, std::set<int> again) : t(terms), again_(std::move(again)) {
  pipes_ = cube ? std::vector<std::string>{"MTE2", "MTE1", "M", "FIX", "MTE3", "S"}
                : std::vector<std::string>{"MTE2", "V", "MTE3", "S"};
}

size_t Flags::pipe(const std::string &name) const {
  const auto it = std::find(pipes_.begin(), pipes_.end(), name);
  if (it == pipes_.end()) throw NotOrdered{"the core has no pipe " + name};
  return static_cast<size_t>(it - pipes_.begin());
}

int64_t Flags::value(Term x, const Turns &turns) const {
  const auto atom = [&](Term a) {
    const auto it = turns.find(a);
    if (it == turns.end()) throw NotOrdered{"`" + t.show(a) + "` is not known where a flag or an address has it"};
    return it->second;
  };
  if (const auto k = t.constant(x)) return *k;
  const TermNode &n = t.at(x);
  if (n.op != Op::sum) return atom(x);
  int64_t result = n.numbers[0];
  for (size_t k = 0; k < n.args.size(); ++k) result += n.numbers[k + 1] * atom(n.args[k]);
  return result;
}

bool Flags::meet(const Access &a, const Access &b) const {
  const auto &[space, begin, end, writes, by] = a;
  const auto &[other_space, other_begin, other_end, other_writes, other_by] = b;
  if (space != other_space) return false;
  if (space[0] != '#') return begin < other_end && other_begin < end;
  // A tensor: one store alone has places of its own each time.
  return begin != other_begin || !writes || !other_writes || again_.contains(std::stoi(space.substr(1)));
}

void Flags::touch(const FlagEvent &e, State &s, const Turns &turns) {
  const size_t by = pipe(e.pipe);
  std::vector<Access> fresh;
  for (const Touch &one : e.touches) {
    if (one.space.empty()) {
      fresh.emplace_back("#" + std::to_string(one.tensor), one.site, one.site, one.writes, by);
    } else {
      const int64_t at = value(one.address, turns);
      fresh.emplace_back(one.space, at, at + one.bytes, one.writes, by);
    }
  }
  for (const Access &a : fresh)
    for (const auto &[old, knows] : s.known) {
      const size_t was = std::get<4>(old);
      if (was == by && pipes_[by] == "M") continue; // it adds up in order
      if (!std::get<3>(a) && !std::get<3>(old)) continue;
      if (!(knows >> by & 1U) && meet(a, old))
        throw NotOrdered{"an instruction of " + pipes_[by] + " is not shown to come after one of " + pipes_[was] +
                         " that touches the same"};
    }
  for (const Access &a : fresh)
    if (std::get<3>(a) && std::get<0>(a)[0] != '#')
      std::erase_if(s.known, [&](const auto &one) {
        const Access &old = one.first;
        return std::get<0>(old) == std::get<0>(a) && std::get<1>(a) <= std::get<1>(old) &&
               std::get<2>(old) <= std::get<2>(a);
      });
  for (const Access &a : fresh) {
    s.known[a] = 0;
    for (auto &[_, told] : s.flags) told.first.erase(a);
  }
  // What is not there any more is told by none.
  for (auto &[_, told] : s.flags) std::erase_if(told.first, [&](const Access &a) { return !s.known.contains(a); });
  s.drained = false;
}

void Flags::step(const FlagEvent &e, State &s, const Turns &turns) {
  if (++steps_ > most_flag_steps) throw NotOrdered{"a kernel with too many states"};
  switch (e.kind) {
  case FlagEvent::Kind::touch: return touch(e, s, turns);
  case FlagEvent::Kind::set:
  case FlagEvent::Kind::wait: {
    const size_t from = pipe(e.pipe), to = pipe(e.other);
    const int64_t number = value(e.number, turns);
    if (number < 0 || number >= events_of_pipes || (number == events_of_pipes - 1 && e.other == "S"))
      throw NotOrdered{"a flag of a number that there is not"};
    const Flag flag{from, to, number};
    s.drained = false;
    if (e.kind == FlagEvent::Kind::set) {
      if (s.flags.contains(flag)) throw NotOrdered{"a flag is set that is set already"};
      if (const auto it = s.waits.find(flag); it != s.waits.end() && !(it->second >> from & 1U))
        throw NotOrdered{"a flag is set again where the wait for it may not have ended"};
      auto &told = s.flags[flag];
      for (const auto &[a, knows] : s.known)
        if (std::get<4>(a) == from || (knows >> from & 1U)) told.first.insert(a);
      for (const auto &[f, knows] : s.waits)
        if (std::get<1>(f) == from || (knows >> from & 1U)) told.second.insert(f);
      return;
    }
    const auto it = s.flags.find(flag);
    if (it == s.flags.end()) throw NotOrdered{"a flag is waited for that is not shown to be set"};
    for (const Access &a : it->second.first) s.known[a] |= 1U << to;
    for (const Flag &f : it->second.second) s.waits[f] |= 1U << to;
    s.flags.erase(it);
    s.waits[flag] = 0;
    for (auto &[_, told] : s.flags) told.second.erase(flag);
    return;
  }
  case FlagEvent::Kind::barrier: {
    const bool all = e.pipe == "ALL";
    const size_t one = all ? 0 : pipe(e.pipe);
    const auto learn = [&](unsigned &knows, size_t by) {
      if (all)
        knows = ~0U;
      else if (by == one)
        knows |= 1U << one;
    };
    for (auto &[a, knows] : s.known) learn(knows, std::get<4>(a));
    for (auto &[f, knows] : s.waits) learn(knows, std::get<1>(f));
    return;
  }
  case FlagEvent::Kind::drain: s.drained = true; return;
  default: return;
  }
}

// What both know; of what only one of them has done the other knows all.
Flags::State Flags::joined(const State &a, const State &b) {
  State both = a;
  both.drained = a.drained && b.drained;
  for (const auto &[x, knows] : b.known) {
    const auto [it, added] = both.known.try_emplace(x, knows);
    if (!added) it->second &= knows;
  }
  for (const auto &[f, knows] : b.waits) {
    const auto [it, added] = both.waits.try_emplace(f, knows);
    if (!added) it->second &= knows;
  }
  for (auto &[flag, told] : both.flags) {
    const auto &other = b.flags.at(flag);
    const auto tells = [](const auto &in, const auto &all, const auto &x) {
      return in.contains(x) || !all.contains(x);
    };
    const auto mine = told;
    told = {};
    for (const auto &[x, _] : both.known)
      if (tells(mine.first, a.known, x) && tells(other.first, b.known, x)) told.first.insert(x);
    for (const auto &[f, _] : both.waits)
      if (tells(mine.second, a.waits, f) && tells(other.second, b.waits, f)) told.second.insert(f);
  }
  return both;
}

Flags::Set Flags::set_of(const State &s) {
  Set result;
  for (const auto &[flag, _] : s.flags) result.insert(flag);
  return result;
}

bool Flags::reach(States &states, const Set &key, const State &s) {
  const auto [it, added] = states.try_emplace(key, s);
  if (added) {
    if (states.size() > most_states) throw NotOrdered{"a kernel with too many states"};
    return true;
  }
  State both = joined(it->second, s);
  if (both == it->second) return false;
  it->second = std::move(both);
  return true;
}

Flags::States Flags::run(const std::vector<FlagEvent> &events, States states, Turns &turns) {
  for (const FlagEvent &e : events) {
    States next;
    if (e.kind == FlagEvent::Kind::branch) {
      for (const auto &body : e.bodies)
        for (const auto &[key, s] : run(body, states, turns)) reach(next, key, s);
    } else if (e.kind == FlagEvent::Kind::loop) {
      States seen[2]; // by turn
      std::set<std::pair<int64_t, Set>> open;
      for (const auto &[key, s] : states)
        if (reach(seen[0], key, s)) open.insert({0, key});
      while (!open.empty()) {
        const auto [turn, key] = *open.begin();
        open.erase(open.begin());
        if (e.turn) turns[e.turn] = turn;
        const int64_t after = e.turn ? 1 - turn : 0;
        for (const auto &[to, s] : run(e.bodies[0], {{key, seen[turn].at(key)}}, turns))
          if (reach(seen[after], to, s)) open.insert({after, to});
      }
      if (e.turn) turns.erase(e.turn);
      for (const States &some : seen)
        for (const auto &[key, s] : some) reach(next, key, s);
    } else {
      for (auto &[_, s] : states) {
        step(e, s, turns);
        reach(next, set_of(s), s);
      }
    }
    states = std::move(next);
  }
  return states;
}

std::string Flags::check(const std::vector<FlagEvent> &kernel) {
  try {
    Turns turns;
    for (const auto &[_, s] : run(kernel, {{Set{}, State{}}}, turns)) {
      if (!s.flags.empty()) return "a flag is set at the end of a kernel";
      if (!s.drained) return "a kernel may end before what it stores has left";
    }
    return {};
  } catch (const NotOrdered &why) {
    return why.why;
  }
}

} // namespace htp::validator
