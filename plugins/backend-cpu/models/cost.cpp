// cpu.cost: how long a Codegen.Ready(target=cpu) program takes at given sizes, by a model of the machine. It counts
// what the intrinsics say they cost, on vectors where the emitter makes vectors; the lines that each cache has to
// fetch, by the distance at which data is used again; and the cores that share a parallel loop. For comparing
// schedules, not for telling the time.
#include "estimates.h"
#include "models.h"

#include "emit/vector.h"

#include "htp_cpp/grids.h"
#include "htp_cpp/writer.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace htp::cpu {

namespace {

using namespace ready;

struct Cache {
  double bytes, ways, line_cycles;
  bool shared; // by the cores
};

// What one tensor or buffer is touched at: along each dimension from the least index to the greatest.
using Box = std::vector<Estimate>;
using Footprint = std::map<const Memory *, Box>;

constexpr double line_bytes = 64;
constexpr double thread = 60'000;   // cycles to begin a process and to end it
constexpr double channel_step = 40; // to come to a slot, or to be done with it, without waiting
constexpr double rounds = 8;        // of a loop that data ends

class Model : Estimates {
public:
  Model(const Context &context, const Constants &constants, const Program &program)
      : Estimates(context, constants), unproved_(find_unproved(context, constants, program)),
        vector_bytes_(static_cast<unsigned>(hardware("vector.bytes", 64))), cores_(hardware("levels.core.count", 1)),
        issue_(hardware("pipeline.issue", 2)), latency_(hardware("pipeline.latency", 4)),
        fork_(hardware("pipeline.fork", 10000)) {
    for (const std::string &name : c.hardware_names("caches")) {
      const std::string at = "caches." + name + ".";
      caches_.push_back({hardware(at + "bytes", 32768), hardware(at + "ways", 8), hardware(at + "line_cycles", 8),
                         c.hardware((at + "shared").c_str()) == "true"});
    }
    for (const std::string &dim : program.dims) at_.emplace(dim, Estimate{guess, guess});
    read_sizes();
    // Called again and again, what fits stays: only a cache that all of it does not fit into fetches anything.
    const Footprint all = footprint(program.body, at_);
    for (const Cache &cache : caches_) cold_.push_back(!fits(all, cache));
  }

  // Cycles of each statement of the body.
  template <class F> void each(const std::vector<Statement> &body, F &&f) {
    for (const Statement &s : body) {
      Environment at = at_;
      const double work = cycles(s, at, nullptr, 1);
      double lines = 0;
      const double share = s.kind == Statement::Kind::loop && s.parallel ? share_of(trips(s, at_)) : 1;
      for (size_t k = 0; k < caches_.size(); ++k)
        if (cold_[k]) lines += traffic(s, at_, caches_[k]) * caches_[k].line_cycles * (caches_[k].shared ? 1 : share);
      f(s.node, work + lines);
      note(s, at_);
    }
  }

  // The processes' moves, in seconds of a clock; false when these, and iterations around them, are more than `most`.
  bool network(const Program &program, double hertz, size_t most, simulation::Network &into) {
    steps_ = most;
    std::map<const Channel *, size_t> first; // of an array's channels
    for (const Channel &channel : program.channels) {
      if (!spend(static_cast<double>(position_count(channel.array)))) return false;
      double bytes = channel.dtype ? channel.dtype->bytes : 0;
      for (const Node extent : channel.extents) bytes *= range(extent, at_).high;
      first[&channel] = into.channels.size();
      const size_t of = into.declarations.size();
      into.declarations.push_back(
          {channel.name, channel.capacity, std::ceil(std::max(bytes, 1.0) / line_bytes) * line_bytes});
      each_position(channel.array, [&](const std::vector<int64_t> &at) {
        into.channels.push_back({placed(channel.name, at), of});
      });
    }
    for (const Statement &s : program.body) {
      if (s.kind != Statement::Kind::process) continue;
      if (!spend(static_cast<double>(position_count(s.grid)))) return false;
      each_position(s.grid, [&](const std::vector<int64_t> &at) {
        Moving moving{first, {placed(s.name, at), {}}};
        Environment inside = at_;
        for (size_t d = 0; d < at.size(); ++d) inside[s.indices[d]] = point(static_cast<double>(at[d]));
        double lines = 0, work = 0;
        for (size_t k = 0; k < caches_.size(); ++k)
          if (cold_[k]) lines += traffic(s.body, inside, caches_[k]) * caches_[k].line_cycles;
        move(s.body, inside, moving);
        moving.process.rest = std::exchange(moving.work, 0);
        for (const auto &one : moving.process.moves) work += one.work;
        // What the caches fetch comes while it works.
        const double scale = (work + moving.process.rest > 0 ? 1 + lines / (work + moving.process.rest) : 1) / hertz;
        for (auto &one : moving.process.moves) one.work *= scale;
        moving.process.rest *= scale;
        into.processes.push_back(std::move(moving.process));
      });
    }
    return steps_ > 0;
  }

private:
  // ── processes ──

  struct Moving {
    const std::map<const Channel *, size_t> &first;
    simulation::Process process;
    double work = 0; // since the last move
  };

  bool spend(double steps) {
    steps_ = static_cast<double>(steps_) > steps ? steps_ - static_cast<size_t>(steps) : 0;
    return steps_ > 0;
  }

  static std::string placed(const std::string &name, const std::vector<int64_t> &at) {
    return at.empty() ? name : name + "[" + join(at, ", ", [](int64_t index) { return std::to_string(index); }) + "]";
  }

  bool moves(const Statement &s) {
    if (s.kind == Statement::Kind::slot || s.kind == Statement::Kind::done) return true;
    const auto [it, fresh] = has_moves_.try_emplace(&s);
    if (fresh) {
      bool found = false;
      for (const auto *body : {&s.body, &s.orelse})
        for (const Statement &inner : *body) found = found || moves(inner);
      has_moves_[&s] = found;
    }
    return has_moves_[&s];
  }

  void move(const std::vector<Statement> &body, Environment &at, Moving &to) {
    for (const Statement &s : body) {
      if (steps_ == 0) return;
      move(s, at, to);
      note(s, at);
    }
  }
  void move(const Statement &s, Environment &at, Moving &to) {
    using Kind = simulation::Move::Kind;
    if (!moves(s)) {
      to.work += cycles(s, at, nullptr, 1);
    } else if (s.kind == Statement::Kind::loop) {
      const double n = trips(s, at);
      for (double k = 0; k < n && spend(1); ++k) {
        Environment inside = at;
        inside[s.name] = iteration(s, at, k);
        to.work += 1;
        move(s.body, inside, to);
      }
    } else if (s.kind == Statement::Kind::branch) { // on data it moves the same both ways
      to.work += 1;
      Environment inside = at;
      move(holds(s.test, at).value_or(true) ? s.body : s.orelse, inside, to);
    } else if (s.kind == Statement::Kind::slot || s.kind == Statement::Kind::done) {
      size_t channel = 0;
      for (size_t d = 0; d < s.channel_index.size(); ++d)
        channel = channel * static_cast<size_t>(s.channel->array[d]) +
                  static_cast<size_t>(
                      std::clamp(range(s.channel_index[d], at).low, 0.0, static_cast<double>(s.channel->array[d] - 1)));
      channel += to.first.find(s.channel)->second;
      const bool begins = s.kind == Statement::Kind::slot;
      const Kind kind = s.puts ? begins ? Kind::claim : Kind::publish : begins ? Kind::front : Kind::release;
      spend(1);
      to.process.moves.push_back({kind, channel, std::exchange(to.work, 0) + channel_step});
      if (kind == Kind::publish && s.channel->capacity == 0) to.process.moves.push_back({Kind::taken, channel, 0});
    }
  }

  // A positive number of the hardware model.
  double hardware(const std::string &path, double otherwise) const {
    const std::string text(c.hardware(path.c_str()));
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && !*end && value > 0 && value < 1e12 ? value : otherwise;
  }

  // "M=512 N=64"
  void read_sizes() {
    std::string text(c.option("sizes"));
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size()), equals = text.find('=', begin);
      if (equals < end)
        if (const auto it = at_.find(text.substr(begin, equals - begin)); it != at_.end())
          it->second = point(std::strtod(text.c_str() + equals + 1, nullptr));
      begin = end + 1;
    }
  }

  // ── work ──

  // Of the slots that an operation takes, by what its declaration says of one element.
  double slots(std::string_view operation, double count = 1) const {
    const std::string name = "cpu." + std::string(operation);
    const auto [it, fresh] = slots_.try_emplace(name, 1);
    if (fresh)
      if (const htp_intrinsic *row = c.intrinsic(name); row && *row->cost) {
        Environment at{{"count", point(1)}};
        it->second = of_cost(c.parse(row->cost, HTP_NONE), at);
      }
    return it->second * count;
  }
  double of_cost(Node n, const Environment &at) const {
    if (auto b = c.as<ast::BinOp>(n)) {
      const double l = of_cost(b.left(), at), r = of_cost(b.right(), at);
      return b.op() == HTP_Mult ? l * r : b.op() == HTP_Add ? l + r : l;
    }
    return c.is(n, HTP_Call) ? 1 : range(n, at).high; // size(…) of one element
  }

  double share_of(double trips) const { return trips < 1 ? 1 : std::ceil(trips / cores_) / trips; }

  // Whether the cost of one iteration depends on which it is.
  bool varies(const Statement &loop) const {
    std::set<std::string, std::less<>> from{loop.name};
    bool found = false;
    const auto reads = [&](Node n) {
      return n && std::any_of(from.begin(), from.end(), [&](const std::string &name) { return mentions(c, n, name); });
    };
    const auto walk = [&](const auto &self, const std::vector<Statement> &body) -> void {
      for (const Statement &s : body) {
        if (s.kind == Statement::Kind::integer && reads(s.test)) from.insert(s.name);
        if (s.kind == Statement::Kind::loop) found = found || reads(s.start) || reads(s.stop);
        if (s.kind == Statement::Kind::branch) found = found || reads(s.test);
        self(self, s.body), self(self, s.orelse);
      }
    };
    walk(walk, loop.body);
    return found;
  }

  double cycles(const std::vector<Statement> &body, Environment &at, const VectorPlan *plan, unsigned copies) {
    double all = 0, processes = 0, longest = 0; // processes run at the same time, on the cores there are
    for (const Statement &s : body) {
      const double one = cycles(s, at, plan, copies);
      if (s.kind == Statement::Kind::process) {
        processes += one * static_cast<double>(position_count(s.grid));
        longest = std::max(longest, one);
      } else {
        all += one;
      }
      note(s, at);
    }
    return all + std::max(longest, processes / cores_);
  }

  // In a loop on vectors, `copies` of what differs from lane to lane are in flight.
  double cycles(const Statement &s, Environment &at, const VectorPlan *plan, unsigned copies) {
    const bool each_copy = plan && (s.kind == Statement::Kind::put || (s.target && plan->varying.contains(s.target)));
    const double times = (each_copy ? copies : 1) / issue_;
    switch (s.kind) {
    case Statement::Kind::loop: return loop_cycles(s, at, plan, copies);
    case Statement::Kind::repeat: {
      forget(s, at);
      return rounds * (1 + cycles(s.body, at, plan, copies));
    }
    case Statement::Kind::leave: return 1 / issue_;
    case Statement::Kind::branch: {
      const auto which = holds(s.test, at);
      Environment then = at, otherwise = at;
      return 1 + (which ? which.value() ? cycles(s.body, then, plan, copies) : cycles(s.orelse, otherwise, plan, copies)
                        : std::max(cycles(s.body, then, plan, copies), cycles(s.orelse, otherwise, plan, copies)));
    }
    case Statement::Kind::integer: return 1 / issue_;
    case Statement::Kind::alloc: return s.memory && s.memory->on_heap ? 200 : 0;
    case Statement::Kind::get: return slots("get") * times;
    case Statement::Kind::put: return slots("put") * times;
    case Statement::Kind::order: {
      const double n = s.test ? range(s.test, at).high : guess;
      return slots("order", n * std::max(1.0, std::log2(std::max(1.0, n)))) / issue_;
    }
    case Statement::Kind::value: return times;
    case Statement::Kind::compute: return slots(s.operation->name) * times;
    case Statement::Kind::process: {
      Environment inside = at;
      for (size_t d = 0; d < s.grid.size(); ++d) inside[s.indices[d]] = {0, static_cast<double>(s.grid[d] - 1)};
      return thread + cycles(s.body, inside, plan, copies);
    }
    case Statement::Kind::slot:
    case Statement::Kind::done:
    case Statement::Kind::close: return channel_step;
    }
    return 0;
  }

  // How long the chain is that one iteration adds to what it got from the one before.
  double chain(const Statement &loop) const {
    std::map<const Scalar *, double> carried;
    for (const Statement &s : loop.body)
      if (s.kind == Statement::Kind::compute && !s.declares) carried[s.target] += latency_;
    double longest = 0;
    for (const auto &[scalar, length] : carried) longest = std::max(longest, length);
    return longest;
  }

  // How the emitter puts the loop on vectors; null where it does not.
  const VectorPlan *plan_of(const Statement &loop) const {
    if (!loop.vectorized) return nullptr;
    const auto [it, fresh] = plans_.try_emplace(&loop);
    if (fresh) it->second = plan_vectors(c, unproved_, loop, vector_bytes_);
    return it->second ? &*it->second : nullptr;
  }

  double loop_cycles(const Statement &s, const Environment &at, const VectorPlan *outer, unsigned copies) {
    const double n = trips(s, at);
    if (n < 1) return 0;
    const bool forks = s.parallel && !in_parallel_;
    if (forks) in_parallel_ = true;
    const VectorPlan *plan = outer ? nullptr : plan_of(s);
    const auto body = [&](double k, const VectorPlan *vectors, unsigned flight) {
      Environment inside = at;
      inside[s.name] = iteration(s, at, k);
      const double work = cycles(s.body, inside, vectors, flight);
      return std::max(work + (s.unrolled ? 0 : 1), chain(s));
    };
    double all = 0;
    if (plan) {
      const double wide = plan->lanes * plan->copies, main = std::floor(n / wide),
                   single = std::floor((n - main * wide) / plan->lanes), tail = std::fmod(n, plan->lanes);
      if (main > 0) all += main * body(0, plan, plan->copies);
      if (single > 0) all += single * body(0, plan, 1);
      if (tail > 0) all += tail * body(0, nullptr, 1);
    } else if (!varies(s)) {
      all = n * body(0, outer, copies);
    } else {
      const double first = body(0, outer, copies), last = body(n - 1, outer, copies),
                   middle = n > 2 ? body(std::floor(n / 2), outer, copies) : first;
      all = n == 1 ? first : first == middle ? (n - 1) * first + last : n * (first + 4 * middle + last) / 6;
    }
    if (forks) {
      in_parallel_ = false;
      all = fork_ + all * share_of(n);
    }
    return all;
  }

  // ── memory ──

  void touch(const Statement &s, const Memory *memory, const Environment &at, Footprint &to) const {
    Box box;
    for (size_t d = 0; d < memory->extents.size(); ++d) {
      const double last = std::max(0.0, range(memory->extents[d], at_).high - 1);
      Estimate r = d < s.index.size() ? range(s.index[d], at) : Estimate{0, last};
      if (!r.known) r = {0, last};
      box.push_back({std::clamp(r.low, 0.0, last), std::clamp(r.high, 0.0, last)});
    }
    const auto [it, fresh] = to.try_emplace(memory, box);
    for (size_t d = 0; d < box.size() && !fresh; ++d) {
      it->second[d].low = std::min(it->second[d].low, box[d].low);
      it->second[d].high = std::max(it->second[d].high, box[d].high);
    }
  }

  void gather(const Statement &s, Environment &at, Footprint &to) const {
    if (s.kind == Statement::Kind::get || s.kind == Statement::Kind::put || s.kind == Statement::Kind::order)
      touch(s, s.memory, at, to);
    if (s.source) touch(s, s.source, at, to);
    if (s.kind == Statement::Kind::loop && trips(s, at) < 1) return;
    Environment inside = at;
    if (s.kind == Statement::Kind::loop) inside[s.name] = iterations(s, at);
    if (s.kind == Statement::Kind::repeat) forget(s, inside);
    for (const auto *body : {&s.body, &s.orelse})
      for (const Statement &inner : *body) gather(inner, inside, to), note(inner, inside);
  }
  Footprint footprint(const std::vector<Statement> &body, Environment at) const {
    Footprint all;
    for (const Statement &s : body) gather(s, at, all), note(s, at);
    return all;
  }

  // The rows of a box, how far they are apart and how long each is, in bytes.
  struct Rows {
    double count = 1, apart = 0, bytes = 0;
    double lines() const { return count * std::ceil(bytes / line_bytes); }
  };
  Rows rows_of(const Memory &memory, const Box &box) const {
    Rows rows;
    rows.bytes = memory.dtype->bytes;
    double behind = memory.dtype->bytes; // where the next element lies that follows on those so far without a gap
    bool whole = true; // all dimensions so far are touched as a whole: their elements lie one behind the other
    for (const auto &[d, step] : dimensions_of(memory)) {
      const double width = box[d].high - box[d].low + 1;
      if (whole && step == behind)
        rows.bytes *= width;
      else {
        if (rows.count == 1) rows.apart = step;
        rows.count *= width;
      }
      const double extent = std::max(1.0, range(memory.extents[d], at_).high);
      whole = whole && step == behind && width == extent;
      behind = step * extent;
    }
    return rows;
  }
  // From the one whose elements lie closest on, with the bytes from one to the next.
  std::vector<std::pair<size_t, double>> dimensions_of(const Memory &memory) const {
    std::vector<std::pair<size_t, double>> result;
    double step = memory.dtype->bytes;
    for (size_t d = memory.extents.size(); d-- > 0;) {
      result.emplace_back(d, memory.steps.empty() ? step : static_cast<double>(memory.steps[d] * memory.dtype->bytes));
      step *= std::max(1.0, range(memory.extents[d], at_).high);
    }
    std::ranges::stable_sort(result, {}, [](const auto &one) { return one.second; });
    return result;
  }

  bool fits(const Footprint &all, const Cache &cache) const {
    double bytes = 0;
    for (const auto &[memory, box] : all) {
      const Rows rows = rows_of(*memory, box);
      bytes += rows.lines() * line_bytes;
      // Rows that lie a multiple of a way's size apart compete for the same lines.
      const auto way = static_cast<int64_t>(cache.bytes / cache.ways);
      const auto apart = static_cast<int64_t>(std::min(rows.apart, 1e15));
      if (rows.count > 1 && apart > 0 && way > 0) {
        const auto lines = static_cast<double>(way) / static_cast<double>(std::gcd(way, apart));
        if (rows.count / std::max(1.0, lines) > cache.ways) return false;
      }
    }
    return bytes <= cache.bytes;
  }
  double lines(const Footprint &all) const {
    double sum = 0;
    for (const auto &[memory, box] : all) sum += rows_of(*memory, box).lines();
    return sum;
  }

  // The lines that a cache fetches while a statement runs. What one iteration of a loop touches, if all of it fits, is
  // still there in the next.
  double traffic(const Statement &s, const Environment &at, const Cache &cache) const {
    Footprint own;
    Environment around = at;
    switch (s.kind) {
    case Statement::Kind::loop: {
      double n = trips(s, at);
      if (n < 1) return 0;
      Environment inside = at;
      Estimate &variable = inside[s.name] = iteration(s, at, 0);
      if (const VectorPlan *plan = plan_of(s)) { // the vectors in flight are one iteration
        const double wide = std::min(n, double{1} * plan->lanes * plan->copies);
        variable.high += wide - 1;
        n = std::ceil(n / wide);
      }
      if (!fits(footprint(s.body, inside), cache)) return n * traffic(s.body, inside, cache);
      gather(s, around, own);
      return lines(own);
    }
    case Statement::Kind::repeat:
      forget(s, around);
      if (!fits(footprint(s.body, around), cache)) return rounds * traffic(s.body, around, cache);
      gather(s, around, own);
      return lines(own);
    case Statement::Kind::branch: return traffic(s.body, at, cache) + traffic(s.orelse, at, cache);
    default: gather(s, around, own); return lines(own);
    }
  }
  double traffic(const std::vector<Statement> &body, Environment at, const Cache &cache) const {
    const Footprint all = footprint(body, at);
    if (fits(all, cache)) return lines(all);
    double sum = 0;
    for (const Statement &s : body) sum += traffic(s, at, cache), note(s, at);
    return sum;
  }

  const Unproved unproved_;
  const unsigned vector_bytes_;
  const double cores_, issue_, latency_, fork_;
  std::vector<Cache> caches_;
  std::vector<bool> cold_; // of each cache: not all of the program's data fits
  Environment at_;
  mutable std::map<std::string, double> slots_;
  mutable std::map<const Statement *, std::optional<VectorPlan>> plans_;
  std::map<const Statement *, bool> has_moves_; // on channels
  size_t steps_ = 0;                            // that may still be made
  bool in_parallel_ = false;
};

double hertz(const Context &c) {
  const std::string clock(c.hardware("pipeline.megahertz"));
  return clock.empty() ? 2.5e9 : std::strtod(clock.c_str(), nullptr) * 1e6;
}

} // namespace

Result cost(const Context &c, Node root, const Sink &sink) {
  if (c.cancelled()) return HTP_CANCELLED;
  const Names names(c, root);
  const Constants constants(c, names, root);
  const Node function = c.entry_function(root);
  Program program;
  if (!function) c.report(diag::no_entry, HTP_NONE, c.entry());
  if (!function || !read_program(c, names, constants, function, program)) return c.result();
  const double clock = hertz(c);
  Model(c, constants, program).each(program.body, [&](Node n, double cycles) { sink.real(n, cycles / clock); });
  return c.result();
}

std::optional<sdk::simulation::Network> network_of(const Context &c, const Constants &constants, const Program &program,
                                                   size_t most) {
  sdk::simulation::Network network;
  return Model(c, constants, program).network(program, hertz(c), most, network) ? std::optional(std::move(network))
                                                                                : std::nullopt;
}

} // namespace htp::cpu
