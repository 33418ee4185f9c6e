#include "lockstep.h"

#include "htp_cpp/affine.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace htp::sdk::dataflow {

namespace {

constexpr size_t most_questions = 5'000; // of isl
constexpr size_t most_moves = 100'000;
constexpr int64_t most_ratio = 6; // iterations of two loops that go together
constexpr int64_t few = 16;
constexpr size_t most_first = 4;  // iterations of a loop that are looked at before all others
constexpr size_t most_turns = 16; // of one whose number is known, or that is waited for

// Steps that a process still has before it.
struct Frame {
  const std::vector<Step> *steps = nullptr;
  size_t at = 0;
  IntExpr done{}; // how many iterations of the loop there are behind it
  std::map<std::string, IntExpr, std::less<>> values{};
};
using Rest = std::vector<Frame>; // the innermost loop's last

struct Held {
  std::vector<int64_t> items{}; // that each reader has not got yet
  bool offered = false;         // a put of a rendezvous waits until they have been got
  std::deque<std::vector<IntExpr>> blocks{};

  friend bool operator==(const Held &, const Held &) = default;
  int64_t most() const { return items.empty() ? 0 : std::ranges::max(items); }
};

struct State {
  std::vector<Rest> processes;
  std::vector<Held> channels;
  std::map<std::pair<size_t, const Step *>, size_t> entered{}; // loops of processes, and how often by themselves
};

// What a process is at: an operation, or a loop that runs so many times more as the least of these.
struct Head {
  const Step *step = nullptr;
  std::vector<IntExpr> left{};
  bool runs = false;              // at least once more
  std::set<size_t> channels = {}; // that the loop uses
};
using Heads = std::vector<std::optional<Head>>; // nothing: not known yet

// Loops that are gone through together, and how many iterations of each at a time.
struct Group {
  std::vector<size_t> processes;
  std::vector<int64_t> times;
};

class Lockstep {
public:
  Lockstep(const Network &network, const std::set<std::string> &counters, bool in_blocks)
      : network_(network), in_blocks_(in_blocks), ends_(dataflow::ends(network)), known_(isl_.all()) {
    for (const Process &process : network.processes) learn(process.steps, {}, counters);
  }

  // Whether it does not end at small sizes, so that there is nothing to show.
  bool gets_stuck() const {
    for (const int64_t first : {1, 2, 3, 5}) {
      Values sizes;
      for (const std::string &name : sizes_) sizes[name] = first + static_cast<int64_t>(sizes.size()) % 2;
      const Run ran = run(network_, sizes, {.limit = most_moves, .keeps_order = false});
      if (!ran.too_long && (!ran.ends() || ran.leaves_items())) return true;
    }
    return false;
  }

  bool ends() {
    State state;
    for (const Process &process : network_.processes) state.processes.push_back({Frame{&process.steps}});
    for (const Ends &ends : ends_) state.channels.push_back({std::vector<int64_t>(ends.readers.size())});
    const std::vector<Held> empty = state.channels;
    return finish(std::move(state), known_, empty) && !lost_;
  }

private:
  // ── what is known ──

  // Sizes are at least 1, and so are products of them.
  void learn(const std::vector<Step> &steps, std::set<std::string> variables, const std::set<std::string> &counters) {
    const auto least_of = [&](const IntExpr &e, int64_t least) {
      known_ = known_ & (to_value(isl_, e) >= isl_.number(least));
    };
    const auto read = [&](const auto &self, const IntExpr &e) -> void {
      for (const auto &[product, factor] : e.terms()) {
        const bool sizes = std::ranges::all_of(product, [&](const IntFactor &f) {
          return f->kind == IntAtom::Kind::symbol && !variables.contains(f->text) && !counters.contains(f->text);
        });
        if (sizes && !product.empty()) least_of(IntExpr::product(product), 1);
        for (const IntFactor &f : product) {
          if (f->kind == IntAtom::Kind::symbol && !variables.contains(f->text)) sizes_.insert(f->text);
          if (f->kind == IntAtom::Kind::symbol && counters.contains(f->text)) least_of(IntExpr::symbol(f->text), 0);
          for (const IntExpr &inner : f->of) self(self, inner);
        }
      }
    };
    for (const Step &step : steps) {
      for (const IntExpr &one : step.times.least_of) read(read, one);
      if (!is_loop(step)) continue;
      auto inside = variables;
      inside.insert(step.variable);
      learn(step.body, std::move(inside), counters);
    }
  }

  bool never(const IntSet &set) {
    if (++questions_ > most_questions) return lost_ = true, false;
    isl_.next_question();
    return set.empty() == Answer::yes;
  }
  IntSet at_least(const IntExpr &e, int64_t number) { return to_value(isl_, e) >= isl_.number(number); }
  // An int as it is in this iteration.
  IntExpr here(const IntExpr &e, const Frame &frame) {
    const MaybeInt found = e.with(frame.values);
    if (!found) lost_ = true;
    return found.value_or(IntExpr());
  }
  IntExpr sum(const MaybeInt &e) {
    if (!e) lost_ = true;
    return e.value_or(IntExpr());
  }
  IntValue least_of(const std::vector<IntExpr> &several) {
    IntValue all = to_value(isl_, several.front());
    for (size_t k = 1; k < several.size(); ++k) all = least(all, to_value(isl_, several[k]));
    return all;
  }

  // ── heads ──

  // What a process is at, behind what is over.
  const Step *settle(State &state, size_t p, const IntSet &known, Heads &heads) {
    Rest &rest = state.processes[p];
    while (!heads[p] && !rest.empty() && !lost_) {
      Frame &frame = rest.back();
      if (frame.at == frame.steps->size()) {
        rest.pop_back();
        continue;
      }
      const Step &step = (*frame.steps)[frame.at];
      Head head{&step, {}, true};
      bool over = is_loop(step) && step.body.empty();
      if (is_loop(step))
        for (const IntExpr &one : step.times.least_of) {
          head.left.push_back(sum(here(one, frame) - frame.done));
          const std::optional<int64_t> number = head.left.back().constant();
          over = over || (number ? *number <= 0 : never(known & at_least(head.left.back(), 1)));
          if (over) break;
          head.runs = head.runs && (number || never(known - at_least(head.left.back(), 1)));
        }
      if (over) {
        ++frame.at;
        frame.done = 0;
        continue;
      }
      if (is_loop(step)) head.channels = channels_of(step.body, frame);
      heads[p] = std::move(head);
    }
    return heads[p] ? heads[p]->step : nullptr;
  }

  static bool is_fixed(const Head &head) {
    return std::ranges::any_of(head.left, [](const IntExpr &one) { return one.constant().has_value(); });
  }

  // The channels that are used where loops around, with these values, are not empty.
  std::set<size_t> channels_of(const std::vector<Step> &steps, const Frame &around) {
    std::set<size_t> found;
    for (const Step &step : steps) {
      if (!is_loop(step)) {
        found.insert(step.channel);
        continue;
      }
      const bool empty = std::ranges::any_of(step.times.least_of, [&](const IntExpr &one) {
        const std::optional<int64_t> number = here(one, around).constant();
        return number && *number <= 0;
      });
      if (!empty) found.merge(channels_of(step.body, around));
    }
    return found;
  }

  static bool uses(const Head &head, size_t channel) { return head.channels.contains(channel); }

  std::vector<size_t> at_channel(size_t channel) const {
    std::vector<size_t> all = ends_[channel].writers;
    all.insert(all.end(), ends_[channel].readers.begin(), ends_[channel].readers.end());
    return all;
  }

  // ── moves ──

  // The next iteration of a loop, by itself.
  void enter(State &state, size_t p, Heads &heads) {
    Frame &frame = state.processes[p].back();
    const Step &loop = (*frame.steps)[frame.at];
    Frame inner{&loop.body, 0, 0, frame.values};
    inner.values[loop.variable] = frame.done;
    frame.done = sum(frame.done + 1);
    state.processes[p].push_back(std::move(inner));
    heads[p].reset();
  }

  bool operation(State &state, size_t p, const Step &step, const IntSet &known) {
    Held &held = state.channels[step.channel];
    const int64_t capacity = network_.channels[step.channel].capacity;
    const Frame &frame = state.processes[p].back();
    std::vector<IntExpr> blocks;
    if (in_blocks_)
      for (const std::string &block : step.blocks) {
        const auto found = frame.values.find(block);
        blocks.push_back(found == frame.values.end() ? IntExpr() : found->second);
      }
    if (step.kind == StepKind::put) {
      if (held.offered) {
        if (held.most() > 0) return false;
        held.offered = false;
        return true;
      }
      if (capacity == 0 ? held.most() > 0 : held.most() >= capacity) return false;
      for (int64_t &items : held.items) ++items;
      if (in_blocks_) held.blocks.push_back(std::move(blocks));
      held.offered = capacity == 0;
      return capacity != 0;
    }
    const auto &readers = ends_[step.channel].readers;
    int64_t &items = held.items[static_cast<size_t>(std::ranges::find(readers, p) - readers.begin())];
    if (items == 0) return false;
    --items;
    if (in_blocks_) {
      if (blocks.size() != held.blocks.front().size()) lost_ = true;
      for (size_t k = 0; k < blocks.size() && !lost_; ++k)
        if (!(blocks[k] == held.blocks.front()[k]) &&
            !never(known & (to_value(isl_, blocks[k]) != to_value(isl_, held.blocks.front()[k]))))
          lost_ = true;
      held.blocks.pop_front();
    }
    return true;
  }

  // As many operations of all processes as there can be.
  void move(State &state, const IntSet &known, Heads &heads) {
    for (bool moved = true; moved && !lost_;) {
      moved = false;
      for (size_t p = 0; p < state.processes.size(); ++p)
        while (const Step *step = settle(state, p, known, heads)) {
          if (++moves_ > most_moves) lost_ = true;
          if (lost_) return;
          if (is_loop(*step)) {
            const auto &left = heads[p]->left;
            if (!heads[p]->runs || std::ranges::find(left, IntExpr(1)) == left.end()) break;
            enter(state, p, heads);
            continue;
          }
          const bool offered = state.channels[step->channel].offered;
          const bool goes_on = operation(state, p, *step, known);
          moved = moved || goes_on || offered != state.channels[step->channel].offered;
          if (!goes_on) break;
          ++state.processes[p].back().at;
          heads[p].reset();
        }
    }
  }

  // ── loops together ──

  bool same_count(const Head &a, const Head &b, const IntSet &known) {
    if (a.left == b.left) return true;
    const IntValue one = least_of(a.left), other = least_of(b.left), none = isl_.number(0);
    return never(known & (one != other) & ((one > none) | (other > none)));
  }

  // The loops that all have to be gone through with a process's loop, since they use the same channels.
  std::optional<Group> group(size_t first, const IntSet &known, const Heads &heads, bool same) {
    Group found{{first}, {1}};
    for (size_t k = 0; k < found.processes.size(); ++k)
      for (const size_t channel : heads[found.processes[k]]->channels)
        for (const size_t p : at_channel(channel)) {
          if (std::ranges::find(found.processes, p) != found.processes.end()) continue;
          if (!heads[p] || !uses(*heads[p], channel)) return std::nullopt;
          if (same ? !same_count(*heads[first], *heads[p], known) : !heads[p]->runs || is_fixed(*heads[p]))
            return std::nullopt;
          found.processes.push_back(p);
          found.times.push_back(1);
        }
    return found;
  }

  // Whether so many iterations of each leave the channels as they are.
  bool keeps(const State &state, const Group &group, const Heads &heads, IntSet known) {
    if (in_blocks_ && std::ranges::any_of(state.channels, [](const Held &held) { return held.most() > 0; }))
      return false;
    const IntExpr now = IntExpr::symbol("#" + std::to_string(++names_));
    known = known & at_least(now, 0);
    State inner{std::vector<Rest>(state.processes.size()), state.channels};
    for (size_t k = 0; k < group.processes.size(); ++k) {
      const size_t p = group.processes[k];
      const Frame &frame = state.processes[p].back();
      const IntExpr times = group.times[k];
      for (const IntExpr &one : heads[p]->left) known = known & at_least(sum(one - (now + 1) * times), 0);
      for (int64_t turn = group.times[k]; turn-- > 0;) {
        Frame body{&heads[p]->step->body, 0, 0, frame.values};
        body.values[heads[p]->step->variable] = sum(frame.done + now * times + turn);
        inner.processes[p].push_back(std::move(body));
      }
    }
    return finish(std::move(inner), known, state.channels);
  }

  void leave(State &state, size_t p, Heads &heads) {
    Frame &frame = state.processes[p].back();
    ++frame.at;
    frame.done = 0;
    heads[p].reset();
  }

  // Loops that have the same count are over together.
  bool all_of(State &state, const IntSet &known, Heads &heads) {
    for (size_t p = 0; p < heads.size(); ++p) {
      if (!heads[p] || !is_loop(*heads[p]->step)) continue;
      const auto found = group(p, known, heads, true);
      if (!found || p != std::ranges::min(found->processes) || !keeps(state, *found, heads, known)) continue;
      for (const size_t one : found->processes) leave(state, one, heads);
      return true;
    }
    return false;
  }

  // Loops of other counts are gone through until the first is over. Nothing: none can be. Else a set for which it is
  // not known which one that is, or one that is empty.
  std::optional<IntSet> some_of(State &state, const IntSet &known, Heads &heads) {
    for (size_t p = 0; p < heads.size(); ++p) {
      if (!heads[p] || !is_loop(*heads[p]->step) || !heads[p]->runs || is_fixed(*heads[p])) continue;
      auto found = group(p, known, heads, false);
      if (!found || p != std::ranges::min(found->processes)) continue;
      if (const std::set<size_t> found_deeper = deeper(*found, heads); !found_deeper.empty()) {
        deeper_.insert(found_deeper.begin(), found_deeper.end());
        continue;
      }
      if (keeps(state, *found, heads, known)) return until_the_first(state, *found, known, heads);
      first_behind_.insert(behind_.begin(), behind_.end());
      if (by_ratio(*found, known, heads) && keeps(state, *found, heads, known))
        return until_the_first(state, *found, known, heads);
      if (lost_) break;
    }
    return std::nullopt;
  }

  // How many loops whose counts depend on sizes there are around operations of a channel.
  static std::optional<size_t> depth(const Step &step, size_t channel) {
    if (!is_loop(step)) return step.channel == channel ? std::optional<size_t>(0) : std::nullopt;
    std::optional<size_t> most;
    for (const Step &inner : step.body) most = std::max(most, depth(inner, channel));
    const bool fixed =
        std::ranges::any_of(step.times.least_of, [](const IntExpr &e) { return e.constant().has_value(); });
    return most ? std::optional(*most + (fixed ? 0 : 1)) : most;
  }

  // Loops in which the loops are that the other ones go with.
  std::set<size_t> deeper(const Group &group, const Heads &heads) {
    std::set<size_t> found;
    for (const size_t p : group.processes)
      for (const size_t channel : heads[p]->channels)
        for (const size_t q : at_channel(channel))
          if (depth(*heads[p]->step, channel) > depth(*heads[q]->step, channel)) found.insert(p);
    return found;
  }

  // Whether so many iterations of both loops have as many turns, but for a few, or items.
  bool alike(const Head &a, int64_t times_a, const Head &b, int64_t times_b, const IntSet &known) {
    for (const size_t channel : a.channels) {
      if (!uses(b, channel)) continue;
      const auto items = [&](const Head &head, StepKind kind) {
        const MaybeInt found = rate(head.step->body, {channel, kind});
        return found ? found->constant() : std::nullopt;
      };
      for (const auto &[one, other] :
           {std::pair(StepKind::put, StepKind::get), std::pair(StepKind::get, StepKind::put)})
        if (const auto x = items(a, one), y = items(b, other); x && y && *x > 0 && *y > 0)
          return *x * times_a == *y * times_b;
    }
    const IntValue difference = least_of(a.left) * times_b - least_of(b.left) * times_a;
    return never(known & (difference > isl_.number(few))) && never(known & (difference < isl_.number(-few)));
  }

  // Several iterations of one loop for some of another one: whether that could be.
  bool by_ratio(Group &group, const IntSet &known, const Heads &heads) {
    std::vector<std::pair<int64_t, int64_t>> ratios{{1, 1}}; // of the first's iterations and the others'
    int64_t common = 1;
    for (size_t k = 1; k < group.processes.size(); ++k) {
      std::pair<int64_t, int64_t> found{1, 1};
      for (int64_t sum = 2; sum <= most_ratio && found.first; ++sum)
        for (int64_t one = 1; one < sum; ++one)
          if (std::gcd(one, sum - one) == 1 &&
              alike(*heads[group.processes[0]], one, *heads[group.processes[k]], sum - one, known)) {
            ratios.emplace_back(one, sum - one);
            found.first = 0;
            break;
          }
      if (found.first) ratios.push_back(found);
      common = std::lcm(common, ratios.back().first);
    }
    bool other = false;
    for (size_t k = 0; k < ratios.size(); ++k) {
      group.times[k] = common / ratios[k].first * ratios[k].second;
      other = other || group.times[k] != 1;
    }
    return other;
  }

  std::optional<IntSet> until_the_first(State &state, const Group &group, const IntSet &known, Heads &heads) {
    MaybeInt least;
    for (size_t k = 0; k < group.processes.size(); ++k)
      for (const IntExpr &one : heads[group.processes[k]]->left) {
        const IntExpr times = sum(floor_div(one, group.times[k]));
        if (!least) {
          least = times;
          continue;
        }
        const IntSet less = at_least(sum(times - least), 0), more = at_least(sum(least - times), 0);
        if (never(known - less)) continue;
        if (!never(known - more)) return less;
        least = times;
      }
    const IntSet goes_on = at_least(sum(least), 1);
    if (never(known & goes_on)) return std::nullopt;
    if (!never(known - goes_on)) return goes_on;
    for (size_t k = 0; k < group.processes.size(); ++k) {
      Frame &frame = state.processes[group.processes[k]].back();
      frame.done = sum(frame.done + least * IntExpr(group.times[k]));
      heads[group.processes[k]].reset();
    }
    return isl_.none();
  }

  // Who waits for whom: for a process that is not at its own operation of the channel.
  std::set<size_t> waited_for(const State &state, const Heads &heads) {
    std::set<size_t> found;
    for (size_t p = 0; p < heads.size(); ++p) {
      if (!heads[p] || is_loop(*heads[p]->step)) continue;
      const size_t channel = heads[p]->step->channel;
      const Held &held = state.channels[channel];
      if (heads[p]->step->kind == StepKind::get) {
        found.insert(ends_[channel].writers.begin(), ends_[channel].writers.end());
        continue;
      }
      for (size_t r = 0; r < held.items.size(); ++r)
        if (held.items[r] == held.most()) found.insert(ends_[channel].readers[r]);
    }
    return found;
  }

  // All processes go on to their end, behind which the channels are as wanted.
  bool finish(State state, const IntSet &known, const std::vector<Held> &wanted) {
    Heads heads(state.processes.size());
    std::set<size_t> all;
    for (size_t p = 0; p < state.processes.size(); ++p) all.insert(all.end(), p);
    for (;;) {
      move(state, known, heads);
      if (lost_) return false;
      if (std::ranges::all_of(state.processes, [](const Rest &rest) { return rest.empty(); }))
        return state.channels == wanted || (note_left(state.channels, wanted), false);
      if (all_of(state, known, heads)) continue;
      const std::set<size_t> waited = waited_for(state, heads);
      const auto enters = [&](const std::set<size_t> &some, size_t most) {
        for (const size_t p : some)
          if (heads[p] && is_loop(*heads[p]->step) && heads[p]->runs && state.entered[{p, heads[p]->step}]++ < most)
            return enter(state, p, heads), true;
        return false;
      };
      if (enters(waited, most_turns)) continue;
      const auto both = [&](const IntSet &set) {
        const IntSet yes = known & set, no = known - set;
        return (never(yes) || finish(state, yes, wanted)) && (never(no) || finish(state, no, wanted));
      };
      first_behind_.clear(), deeper_.clear();
      if (const auto less = some_of(state, known, heads)) {
        if (never(*less)) continue;
        return both(*less);
      }
      if (enters(std::exchange(deeper_, {}), most_first)) continue;
      std::set<size_t> fixed;
      for (const size_t p : all)
        if (heads[p] && is_fixed(*heads[p])) fixed.insert(p);
      if (enters(fixed, most_turns)) continue;
      const std::set<size_t> behind = std::exchange(first_behind_, {});
      if (enters(behind, most_first)) continue;
      if (const auto set = not_known(heads, waited)) return both(*set);
      if (enters(all, most_first)) continue;
      behind_.clear();
      for (const size_t p : waited)
        if (state.processes[p].empty()) behind_.insert(p);
      return false;
    }
  }

  // When a loop runs of which it is not known: one that is waited for, if there is one.
  std::optional<IntSet> not_known(const Heads &heads, const std::set<size_t> &waited) {
    const Head *found = nullptr;
    for (size_t p = 0; p < heads.size(); ++p)
      if (heads[p] && !heads[p]->runs && (!found || waited.contains(p))) {
        found = &*heads[p];
        if (waited.contains(p)) break;
      }
    if (!found) return std::nullopt;
    IntSet all = isl_.all();
    for (const IntExpr &one : found->left) all = all & at_least(one, 1);
    return all;
  }

  // Those with too few iterations when items are left, or were taken that had been there.
  void note_left(const std::vector<Held> &channels, const std::vector<Held> &wanted) {
    behind_.clear();
    for (size_t channel = 0; channel < channels.size(); ++channel)
      for (size_t r = 0; r < channels[channel].items.size(); ++r) {
        if (channels[channel].items[r] > wanted[channel].items[r]) behind_.insert(ends_[channel].readers[r]);
        if (channels[channel].items[r] < wanted[channel].items[r])
          behind_.insert(ends_[channel].writers.begin(), ends_[channel].writers.end());
      }
  }

  const Network &network_;
  const bool in_blocks_;
  const std::vector<Ends> ends_;
  Affine isl_;
  IntSet known_;
  std::set<std::string> sizes_;
  std::set<size_t> behind_, first_behind_, deeper_; // who would have to go on, when a group failed
  size_t names_ = 0, questions_ = 0, moves_ = 0;
  bool lost_ = false; // it is too hard
};

} // namespace

bool ends_in_lockstep(const Network &network, const std::set<std::string> &counters) {
  Lockstep all(network, counters, false);
  return !all.gets_stuck() && all.ends();
}

bool passes_in_lockstep(const Network &pair, const std::set<std::string> &counters, bool in_blocks) {
  Network unbounded = pair;
  for (Channel &channel : unbounded.channels) channel.capacity = INT64_MAX;
  Lockstep both(unbounded, counters, in_blocks);
  return !both.gets_stuck() && both.ends();
}

} // namespace htp::sdk::dataflow
