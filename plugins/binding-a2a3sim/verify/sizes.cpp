#include "sizes.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace htp::a2a3sim {

namespace {

using namespace program;

// A sum of names, each so many times, and a number, which has no name.
using Sum = std::map<std::string, int64_t>;
Sum plus(Sum a, const Sum &b, int64_t times = 1) {
  for (const auto &[name, n] : b)
    if ((a[name] += n * times) == 0) a.erase(name);
  return a;
}
int64_t number_in(const Sum &sum) { return sum.contains("") ? sum.at("") : 0; }
// As the registry writes it, without its number; what is added comes first.
std::string text_of(const Sum &sum) {
  std::string all;
  for (const bool adds : {true, false})
    for (const auto &[name, n] : sum) {
      if (name.empty() || (n > 0) != adds) continue;
      const int64_t times = n < 0 ? -n : n;
      const std::string quoted = "\"" + name + "\"",
                        one = times == 1 ? quoted : "[\"*\"," + std::to_string(times) + "," + quoted + "]";
      all = all.empty() && adds
                ? one
                : std::string(adds ? "[\"+\"," : "[\"-\",") + (all.empty() ? "0" : all) + "," + one + "]";
    }
  return all;
}

class Limits {
public:
  Limits(const Constants &constants, Stage &stage) : constants_(constants), stage_(stage) {}

  void all(const Told &kernel, const std::vector<Py> &body) {
    held(body, {});
    looped(body);
    reached(body);
    Ranges loops;
    for (const StageLoop &l : kernel.loops) loops[l.name] = {Sum{}, std::nullopt, sum(l.stop, {})}; // its parts are all
    indexed(body, loops, false);
    for (const StageTensor &t : stage_.tensors)
      for (const Expr &extent : t.shape)
        if (t.direction.empty() && only_numbers(extent) && (!only_dims(extent) || subtracts(extent)))
          least(text(extent), 1);
  }

private:
  void held(const std::vector<Py> &body, const std::pair<std::string, int64_t> &up_to) {
    for (const Py &s : body) {
      held(s.otherwise, up_to);
      held(s.body, s.kind == Py::Kind::branch ? most_of(s.value).value_or(up_to) : up_to);
      if (s.kind == Py::Kind::assign && calls(s.value, "tile")) tile(s.value, up_to);
    }
  }
  static bool subtracts(const Expr &e) {
    return (e.kind == Expr::Kind::binary && e.word == "-") || std::any_of(e.parts.begin(), e.parts.end(), subtracts);
  }
  // A dimension that a loop counts to beside something is there; and a sum has a first product.
  void looped(const std::vector<Py> &body) {
    const auto works = [](const Py &s) {
      if (s.kind == Py::Kind::call) {
        const std::string &word = s.value.parts[0].word;
        return word != "set_flag" && word != "wait_flag" && word != "pipe_barrier" && word != "drain";
      }
      return s.kind == Py::Kind::loop || s.kind == Py::Kind::branch;
    };
    const bool product = body.size() == 1 && body[0].kind == Py::Kind::branch;
    const bool beside = !product && std::count_if(body.begin(), body.end(), works) > 1;
    for (const Py &s : body) {
      looped(s.otherwise);
      if (s.kind == Py::Kind::branch) looped(s.body);
      if (s.kind != Py::Kind::loop) continue;
      if (const Expr *range = beside ? range_in(s.value) : nullptr; range) {
        const Expr &stop = argument(*range, count_of(*range) > 1);
        if (stop.kind == Expr::Kind::name && only_dims(stop)) least(text(stop), 1);
        if (sums_up(s.body)) goes_round(count_of(*range) > 1 ? &argument(*range, 0) : nullptr, stop);
      }
      looped(s.body);
    }
  }
  void goes_round(const Expr *start, const Expr &stop) {
    const auto first = start ? sum(*start, {}) : Sum{}, end = sum(stop, {});
    if (first && end) {
      const Sum times = plus(*end, *first, -1);
      if (const std::string names = text_of(times); !names.empty()) least(names, 1 - number_in(times));
    } else if (first && first->empty() && only_numbers(stop)) {
      least(text(stop), 1);
    }
  }
  // Whether a product begins a sum there.
  static bool sums_up(const std::vector<Py> &body) {
    return std::any_of(body.begin(), body.end(), [](const Py &s) {
      const bool both = s.kind == Py::Kind::branch && s.body.size() == 1 && s.otherwise.size() == 1 &&
                        calls(s.body[0].value, "tmatmul") && calls(s.otherwise[0].value, "tmatmul_acc");
      return both || sums_up(s.body) || sums_up(s.otherwise);
    });
  }
  void reached(const std::vector<Py> &body) {
    for (const Py &s : body) {
      if (s.kind == Py::Kind::loop) reached(s.body);
      if (s.kind == Py::Kind::call) transfer(s.value);
    }
  }

  std::string text(const Expr &e) const { return registry_extent(e, stage_); }
  void least(const std::string &extent, int64_t size) {
    const auto [it, fresh] = stage_.limits.emplace(extent, Sizes{size});
    it->second.least = std::max(it->second.least, size);
  }
  // Of these names, and of one at least.
  bool only(const Expr &e, const std::vector<std::string> &names) const {
    return !number_of(e, constants_) && has_only(e, names);
  }
  bool has_only(const Expr &e, const std::vector<std::string> &names) const {
    if (e.kind == Expr::Kind::name && !number_of(e, constants_) &&
        std::find(names.begin(), names.end(), e.word) == names.end())
      return false;
    return std::all_of(e.parts.begin(), e.parts.end(), [&](const Expr &p) { return has_only(p, names); });
  }
  bool only_dims(const Expr &e) const { return only(e, stage_.dims); }
  bool only_numbers(const Expr &e) const { return only(e, stage_.numbers()); }
  std::optional<std::pair<std::string, int64_t>> most_of(const Expr &test) const {
    if (test.kind != Expr::Kind::binary || test.word != "<=" || test.parts[0].kind != Expr::Kind::name ||
        test.parts[1].kind != Expr::Kind::integer)
      return std::nullopt;
    return std::pair(test.parts[0].word, test.parts[1].integer);
  }
  static const Expr *range_in(const Expr &loop) {
    const Expr *range = calls(loop, "turns") && count_of(loop) == 1 ? &argument(loop, 0) : &loop;
    return calls(*range, "range") && count_of(*range) > 0 ? range : nullptr;
  }
  void tile(const Expr &call, const std::pair<std::string, int64_t> &up_to) {
    for (size_t k = 3; k < count_of(call); ++k) {
      const Expr &e = argument(call, k);
      if (e.kind != Expr::Kind::assign || e.parts[0].word != "valid" || e.parts[1].kind != Expr::Kind::binary) continue;
      for (size_t side = 0; side < 2; ++side) {
        const Expr &extent = e.parts[1].parts[side];
        const auto room = number_of(argument(call, side + 1), constants_);
        if (!room || !only_numbers(extent)) continue;
        const bool less = !up_to.first.empty() && extent.word == up_to.first && room->i >= up_to.second;
        if (less) continue;
        least(text(extent), 1);
        Sizes &l = stage_.limits.at(text(extent));
        l.most = std::min(l.most, room->i);
      }
    }
  }
  void transfer(const Expr &call) {
    const std::string &word = call.parts[0].word;
    const bool writes = word == "tstore" || word == "tstore_fp";
    if (!writes && word != "tload" && word != "tprefetch") return;
    const std::string &name = argument(call, !writes).word;
    const size_t first = word == "tstore_fp" ? 3 : 2;
    for (const StageTensor &t : stage_.tensors) {
      if (t.name != name || t.shape.size() + first != count_of(call)) continue;
      for (size_t d = 0; d < t.shape.size(); ++d) {
        const Expr &index = argument(call, d + first);
        const bool slice = calls(index, "slice") && count_of(index) == 2;
        const Expr &last = slice ? argument(index, 1) : index;
        if (last.kind != Expr::Kind::integer || !only_dims(t.shape[d])) continue;
        least(text(t.shape[d]), std::max<int64_t>(1, slice ? last.integer : last.integer + 1));
      }
    }
  }

  // ── ints ──

  // Of a loop's variable: the least one and the last one, and, where it steps by blocks, where the last of these ends.
  struct Range {
    std::optional<Sum> first, last, end;
  };
  using Ranges = std::map<std::string, Range>;

  // A sum of sizes, ints and loops' variables; the rest of a block, `min(64, M - i_at)`, is what `i_at` lacks to the
  // end.
  std::optional<Sum> sum(const Expr &e, const Ranges &loops) const {
    if (const auto n = number_of(e, constants_); n && !n->real) return n->i ? Sum{{"", n->i}} : Sum{};
    if (e.kind == Expr::Kind::name) {
      if (const auto it = values_.find(e.word); it != values_.end()) return sum(*it->second, loops);
      const std::vector<std::string> numbers = stage_.numbers();
      const bool known = loops.contains(e.word) || rests_.contains(e.word) ||
                         std::find(numbers.begin(), numbers.end(), e.word) != numbers.end();
      return known ? std::optional(Sum{{e.word, 1}}) : std::nullopt;
    }
    if (e.kind != Expr::Kind::binary || (e.word != "+" && e.word != "-" && e.word != "*")) return std::nullopt;
    const auto left = sum(e.parts[0], loops), right = sum(e.parts[1], loops);
    if (!left || !right) return std::nullopt;
    if (e.word != "*") return plus(*left, *right, e.word == "+" ? 1 : -1);
    const auto number = [](const Sum &s) { return s.empty() || (s.size() == 1 && s.contains("")); };
    if (number(*right)) return plus({}, *left, number_in(*right));
    return number(*left) ? std::optional(plus({}, *right, number_in(*left))) : std::nullopt;
  }
  // The least or the largest value of a sum, by sizes and ints alone.
  std::optional<Sum> bound(Sum of, const Ranges &loops, bool largest) const {
    for (const auto &[rest, block] : rests_) { // a block's first index and its rest are where it ends
      const auto n = of.find(rest);
      if (n == of.end()) continue;
      const auto loop = loops.find(block);
      const auto first = of.find(block);
      if (loop == loops.end() || !loop->second.end || first == of.end() || first->second != n->second ||
          (n->second > 0) != largest)
        return std::nullopt;
      const int64_t times = n->second;
      of.erase(rest), of.erase(block);
      of = plus(of, *loop->second.end, times);
    }
    for (size_t rounds = 0; rounds <= loops.size(); ++rounds) {
      const auto it = std::find_if(of.begin(), of.end(), [&](const auto &one) { return loops.contains(one.first); });
      if (it == of.end()) return of;
      const Range &range = loops.at(it->first);
      const auto &value = (it->second > 0) == largest ? range.last : range.first;
      if (!value) return std::nullopt;
      const int64_t times = it->second;
      of.erase(it);
      of = plus(of, *value, times);
    }
    return std::nullopt;
  }
  bool of_ints(const std::optional<Sum> &sum) const {
    return sum && std::any_of(stage_.int_parameters.begin(), stage_.int_parameters.end(),
                              [&](const std::string &name) { return sum->contains(name); });
  }
  void never_negative(const std::optional<Sum> &value) {
    if (of_ints(value)) least(text_of(*value), -number_in(*value));
  }
  // What indices ask of the ints that they are made of, where every call comes by. `perhaps`: an int says how often.
  void indexed(const std::vector<Py> &body, const Ranges &loops, bool perhaps) {
    for (const Py &s : body) {
      if (s.kind == Py::Kind::assign && !calls(s.value, "tile")) integer(s, loops);
      if (s.kind == Py::Kind::assign && calls(s.value, "value")) indices(s.value, 0, 1, loops, perhaps);
      if (s.kind == Py::Kind::branch) { // what both ways ask for
        const auto before = stage_.limits;
        indexed(s.body, loops, perhaps);
        const auto one = std::exchange(stage_.limits, before);
        indexed(s.otherwise, loops, perhaps);
        std::erase_if(stage_.limits, [&](const auto &l) { return !one.contains(l.first); });
        for (auto &[extent, limit] : stage_.limits) limit.least = std::min(limit.least, one.at(extent).least);
      } else if (s.kind == Py::Kind::loop) {
        Ranges inner = loops;
        bool asks = perhaps;
        inner[s.name] = range_of(s.value, loops, asks);
        indexed(s.body, inner, asks);
      } else if (s.kind == Py::Kind::call) {
        const std::string &word = s.value.parts[0].word;
        if (word == "tload" || word == "tprefetch") indices(s.value, 1, 2, loops, perhaps);
        if (word == "tstore") indices(s.value, 0, 2, loops, perhaps);
        if (word == "tstore_fp") indices(s.value, 0, 3, loops, perhaps);
      }
    }
  }
  void integer(const Py &s, const Ranges &loops) {
    values_.erase(s.name), rests_.erase(s.name);
    if (calls(s.value, "value")) return;
    if (sum(s.value, loops)) {
      values_[s.name] = &s.value;
    } else if (calls(s.value, "min") && count_of(s.value) == 2) {
      const Expr &rest = argument(s.value, 1);
      if (rest.kind == Expr::Kind::binary && rest.word == "-" && rest.parts[1].kind == Expr::Kind::name &&
          loops.contains(rest.parts[1].word))
        rests_[s.name] = rest.parts[1].word;
    }
  }
  // Of `min(i_part + i_step, M)` parts cover all.
  std::optional<Sum> bound_of(const Expr &e, const Ranges &loops, bool largest) const {
    const auto value = sum(calls(e, "min") && count_of(e) == 2 ? argument(e, 1) : e, loops);
    return value ? bound(*value, loops, largest) : std::nullopt;
  }
  Range range_of(const Expr &loop, const Ranges &loops, bool &perhaps) const {
    const Expr &range = calls(loop, "turns") && count_of(loop) == 1 ? argument(loop, 0) : loop;
    Range r;
    const size_t count = count_of(range);
    if (!calls(range, "range") || count < 1) return r;
    r.first = count > 1 ? bound_of(argument(range, 0), loops, false) : std::optional(Sum{});
    r.end = bound_of(argument(range, count > 1), loops, true);
    const auto step = count > 2 ? number_of(argument(range, 2), constants_) : std::nullopt;
    if (r.end && (count < 3 || (step && step->i == 1))) r.last = plus(*r.end, {{"", -1}});
    perhaps = perhaps || of_ints(r.first) || of_ints(r.end);
    return r;
  }
  // Of a call that has a tensor, and its indices from an operand on.
  void indices(const Expr &call, size_t tensor, size_t from, const Ranges &loops, bool perhaps) {
    for (const StageTensor &t : stage_.tensors)
      if (t.name == argument(call, tensor).word && t.shape.size() + from == count_of(call))
        for (size_t d = 0; d < t.shape.size(); ++d) index(argument(call, d + from), t.shape[d], loops, perhaps);
  }
  void index(const Expr &e, const Expr &extent, const Ranges &loops, bool perhaps) {
    if (e.kind == Expr::Kind::member && e.word == "whole") return;
    const bool slice = calls(e, "slice") && count_of(e) == 2;
    const auto size = sum(extent, {}), first = sum(slice ? argument(e, 0) : e, loops),
               last = sum(slice ? argument(e, 1) : e, loops);
    // A loop that goes round no times asks for nothing.
    if (perhaps && (of_ints(first) || of_ints(last))) return;
    if (first) never_negative(bound(*first, loops, false));
    const auto end = last ? bound(*last, loops, true) : std::nullopt;
    if (size && end) never_negative(plus(plus(*size, *end, -1), {{"", slice ? 0 : -1}}));
  }

  const Constants &constants_;
  Stage &stage_;
  std::map<std::string, const Expr *> values_; // ints of a kernel that are sums
  std::map<std::string, std::string> rests_;   // and those that are the rest of a block, by the block's loop
};

} // namespace

void limit(const Told &kernel, const std::vector<Py> &body, const Constants &constants, Stage &stage) {
  Limits(constants, stage).all(kernel, body);
}

} // namespace htp::a2a3sim
