#include "sizes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace htp::a2a3sim {

namespace {

using namespace program;

// An int of a walk. from_int: an int of the call is in it, so that the kernel itself holds an index of it against its
// dimension when it runs.
struct Int {
  int64_t value = 0;
  bool from_int = false;
  bool rounded = false; // a division is in it
};
using MaybeInt = std::optional<Int>; // nothing where data decide it

// What decides whether a statement is executed: a loop that an int of the call is a bound of, a test, or data.
enum class Decides { nothing, count, test, data };

// What is wrong with a call.
struct Reason {
  int line = 0;
  std::string what;
};

// All kernels with the numbers of one call: every statement that these execute, of each loop its first and its last
// iteration.
class Walk {
public:
  Walk(const Stage &stage, const std::map<std::string, int64_t> &numbers) : stage_(stage) {
    for (const auto &[name, value] : stage.constants) names_[name] = Int{value};
    for (const auto &[name, value] : numbers) {
      const auto &ints = stage.int_parameters;
      names_[name] = Int{value, std::find(ints.begin(), ints.end(), name) != ints.end()};
    }
    for (const StageInt &i : stage.ints) names_[i.name] = value(i.value);
    for (const StageKernel &kernel : stage.kernels) {
      if (refused_) return;
      written_anywhere_.clear();
      gather(kernel.statements);
      tasks(kernel, 0);
    }
  }
  // Why such a call must be refused, and why it may be.
  const std::optional<Reason> &refused() const { return refused_; }
  bool may_be_refused() const { return refused_ || perhaps_; }

  MaybeInt value(const Expr &e) const {
    if (e.kind == Expr::Kind::integer) return Int{e.integer};
    if (e.kind == Expr::Kind::name) {
      const auto it = names_.find(e.text);
      return it == names_.end() ? std::nullopt : it->second;
    }
    const bool call = (calls(e, "min") || calls(e, "max")) && count_of(e) == 2;
    if (e.kind == Expr::Kind::unary && e.children.size() == 1) {
      const MaybeInt of = value(e.children[0]);
      return of ? computed(e.text == "-" ? "-" : e.text == "!" ? "==" : "+", Int{0}, *of) : std::nullopt;
    }
    if (!call && e.kind != Expr::Kind::binary) return std::nullopt;
    const MaybeInt a = value(e.children[call ? 1 : 0]), b = value(e.children[call ? 2 : 1]);
    return a && b ? computed(call ? e.children[0].text : e.text, *a, *b) : std::nullopt;
  }

private:
  static MaybeInt computed(const std::string &op, const Int &a, const Int &b) {
    const int64_t x = a.value, y = b.value;
    int64_t r = 0;
    const bool divides = op == "//" || op == "%";
    if (divides && y <= 0) return std::nullopt;
    const int64_t rest = divides ? (x % y + y) % y : 0;
    const bool overflow = op == "+"     ? __builtin_add_overflow(x, y, &r)
                          : op == "-"   ? __builtin_sub_overflow(x, y, &r)
                          : op == "*"   ? __builtin_mul_overflow(x, y, &r)
                          : op == "%"   ? (r = rest, false)
                          : op == "//"  ? (r = x / y - (x % y < 0), false)
                          : op == "min" ? (r = std::min(x, y), false)
                          : op == "max" ? (r = std::max(x, y), false)
                          : op == "<"   ? (r = x < y, false)
                          : op == "<="  ? (r = x <= y, false)
                          : op == ">"   ? (r = x > y, false)
                          : op == ">="  ? (r = x >= y, false)
                          : op == "=="  ? (r = x == y, false)
                          : op == "!="  ? (r = x != y, false)
                          : op == "&&"  ? (r = x && y, false)
                          : op == "||"  ? (r = x || y, false)
                                        : true;
    return overflow ? std::nullopt : MaybeInt(Int{r, a.from_int || b.from_int, divides || a.rounded || b.rounded});
  }

  // ── statements ──

  // The tiles that an instruction writes by their own names; others are views of these.
  void gather(const std::vector<Py> &body) {
    for (const Py &s : body) {
      if (s.kind == Py::Kind::call && count_of(s.value)) written_anywhere_.insert(argument(s.value, 0).text);
      gather(s.body), gather(s.otherwise);
    }
  }
  void tasks(const StageKernel &kernel, size_t loop) {
    if (loop == kernel.loops.size()) return written_.clear(), block(kernel.statements, Decides::nothing);
    const StageLoop &l = kernel.loops[loop];
    each(l.name, Int{0}, value(l.stop), value(l.step), [&] { tasks(kernel, loop + 1); });
  }
  // The first and the last iteration; one of an unknown variable where data decide.
  template <class Body>
  void each(const std::string &name, const MaybeInt &first, const MaybeInt &stop, const MaybeInt &step, Body body) {
    const MaybeInt before = names_[name];
    if (!first || !stop || !step || step->value < 1) {
      names_[name] = std::nullopt;
      body();
    } else if (first->value < stop->value) {
      const auto at = [&](int64_t n) {
        return Int{n, first->from_int || stop->from_int, first->rounded || stop->rounded};
      };
      const int64_t last = first->value + (stop->value - 1 - first->value) / step->value * step->value;
      names_[name] = at(first->value);
      body();
      names_[name] = at(last);
      if (last != first->value) body();
    }
    names_[name] = before;
  }
  void block(const std::vector<Py> &body, Decides by) {
    for (const Py &s : body) {
      if (refused_) return;
      statement(s, by);
    }
  }
  void statement(const Py &s, Decides by) {
    switch (s.kind) {
    case Py::Kind::kernel: return;
    case Py::Kind::loop: {
      const Expr &range = calls(s.value, "turns") && count_of(s.value) == 1 ? argument(s.value, 0) : s.value;
      if (!calls(range, "range") || count_of(range) == 0) return;
      const size_t count = count_of(range);
      const MaybeInt first = count > 1 ? value(argument(range, 0)) : Int{0}, stop = value(argument(range, count > 1)),
                     step = count > 2 ? value(argument(range, 2)) : Int{1};
      const Decides inner = !first || !stop                     ? Decides::data
                            : first->from_int || stop->from_int ? std::max(by, Decides::count)
                                                                : by;
      return each(s.name, first, stop, step, [&] { block(s.body, inner); });
    }
    case Py::Kind::branch: {
      const MaybeInt test = value(s.value);
      const Decides inner = std::max(by, test ? Decides::test : Decides::data);
      if (test) unless(test->value ? s.otherwise : s.body);
      if (!test || test->value) block(s.body, inner);
      if (!test || !test->value) block(s.otherwise, inner);
      return;
    }
    case Py::Kind::assign:
      if (calls(s.value, "tile")) return tile(s, by);
      if (!calls(s.value, "value")) return void(names_[s.name] = value(s.value));
      indices(s, 0, 1, by);
      return void(names_[s.name] = std::nullopt);
    case Py::Kind::call: return call(s, by);
    }
  }
  // The way that is not taken: limits speak of every call, and of what each way of a branch holds.
  void unless(const std::vector<Py> &body) {
    const auto names = names_;
    const auto written = written_;
    block(body, Decides::data);
    names_ = names, written_ = written;
  }
  void wrong(int line, const std::string &what, bool always) {
    if (always && !refused_) refused_ = Reason{line, what};
    perhaps_ = true;
  }
  void tile(const Py &s, Decides by) {
    for (size_t k = 3; k < count_of(s.value); ++k) {
      const Expr &e = argument(s.value, k);
      if (e.kind != Expr::Kind::assign || e.children[0].text != "valid" || e.children[1].kind != Expr::Kind::binary)
        continue;
      for (size_t side = 0; side < 2; ++side) {
        const MaybeInt extent = value(e.children[1].children[side]), capacity = value(argument(s.value, side + 1));
        if (!extent || !capacity || (extent->value >= 1 && extent->value <= capacity->value)) continue;
        wrong(s.line,
              "of `" + s.name + "` " + std::to_string(extent->value) + (side ? " columns" : " rows") +
                  " are valid, of " + std::to_string(capacity->value),
              by != Decides::data);
      }
    }
  }
  void call(const Py &s, Decides by) {
    const std::string &instruction = s.value.children[0].text;
    if (instruction == "set_flag" || instruction == "wait_flag" || instruction == "pipe_barrier" ||
        instruction == "drain")
      return;
    if (instruction == "tload" || instruction == "tprefetch") indices(s, 1, 2, by);
    if (instruction == "tstore") indices(s, 0, 2, by);
    if (instruction == "tstore_fp") indices(s, 0, 3, by);
    for (size_t k = 0; k < count_of(s.value); ++k) {
      const Expr &operand = argument(s.value, k);
      const bool reads = k > 0 || instruction.ends_with("_acc"), tile = operand.kind == Expr::Kind::name;
      if (reads && tile && written_anywhere_.contains(operand.text) && !written_.contains(operand.text) &&
          !tensor(operand.text))
        wrong(s.line, "`" + operand.text + "` is read, and nothing has written it", by != Decides::data);
    }
    if (count_of(s.value)) written_.insert(argument(s.value, 0).text);
  }
  const StageTensor *tensor(const std::string &name) const {
    const auto it = std::find_if(stage_.tensors.begin(), stage_.tensors.end(), [&](auto &t) { return t.name == name; });
    return it == stage_.tensors.end() ? nullptr : &*it;
  }
  // Of a call that has a tensor, and its indices from an operand on.
  void indices(const Py &s, size_t of, size_t from, Decides by) {
    const StageTensor *t = count_of(s.value) > of ? tensor(argument(s.value, of).text) : nullptr;
    if (!t || t->shape.size() + from != count_of(s.value)) return;
    for (size_t d = 0; d < t->shape.size(); ++d) {
      const Expr &index = argument(s.value, d + from);
      const bool slice = calls(index, "slice") && count_of(index) == 2;
      const MaybeInt extent = value(t->shape[d]), first = value(slice ? argument(index, 0) : index),
                     last = value(slice ? argument(index, 1) : index);
      if (!extent) continue;
      // A limit says nothing of what is divided, and of what not every call executes: an index of ints the kernel
      // itself holds against its dimension there.
      const auto outside = [&](const Int &at, bool is) {
        if (is)
          wrong(s.line,
                "an index of dimension " + std::to_string(d) + " of `" + t->name + "` is " + std::to_string(at.value) +
                    ", and its extent " + std::to_string(extent->value),
                !at.rounded && (by == Decides::nothing || (by == Decides::count && !at.from_int)));
      };
      if (first) outside(*first, first->value < 0);
      if (last) outside(*last, last->value > extent->value - (slice ? 0 : 1));
    }
  }

  const Stage &stage_;
  std::map<std::string, MaybeInt> names_;
  std::set<std::string> written_anywhere_, written_; // tiles, of a kernel and of a task
  std::optional<Reason> refused_;
  bool perhaps_ = false;
};

// Numbers of calls that are worth a walk.
class Calls {
public:
  Calls(const Package &package, const Stage &stage) : p_(package), stage_(stage) {
    for (const int64_t n : {0, 1, 2, 3, 40}) edges_.insert(n);
    for (const Limit &l : p_.limits) {
      near(l.least);
      if (l.most != INT64_MAX) near(l.most);
    }
    for (const StageKernel &kernel : stage.kernels) gather(kernel.statements);
  }

  std::optional<WrongLimits> wrong() {
    std::vector<std::vector<int64_t>> bases;
    constexpr size_t most_bases = 3, most_tries = 400;
    for (size_t k = 0; k < most_tries && bases.size() < most_bases; ++k) {
      std::vector<int64_t> dims;
      for (size_t d = 0; d < p_.dims.size(); ++d) dims.push_back(drawn());
      if (auto what = about(dims)) return what;
      if (taken_) bases.push_back(std::move(dims));
    }
    for (const std::vector<int64_t> &base : bases)
      for (size_t d = 0; d < base.size(); ++d) {
        std::set<int64_t> all = edges_;
        for (const int64_t other : base) all.insert({other - 2, other - 1, other, other + 1});
        for (const int64_t n : all) {
          std::vector<int64_t> dims = base;
          dims[d] = n;
          if (auto what = about(dims)) return what;
        }
      }
    for (const auto &[edge, call] : refused_)
      if (!call.empty()) return WrongLimits{Refusal(diag::limit_tight, call), {}};
    return std::nullopt;
  }

private:
  void near(int64_t n) {
    constexpr int64_t largest = 1 << 20;
    if (n > -largest && n < largest) edges_.insert({n - 1, n, n + 1});
  }
  void gather(const Expr &e) {
    if (e.kind == Expr::Kind::integer) near(e.integer);
    for (const Expr &part : e.children) gather(part);
  }
  // The numbers in tests, ranges, capacities of tiles, and indices.
  void gather(const std::vector<Py> &body) {
    for (const Py &s : body) {
      if (s.kind == Py::Kind::branch || s.kind == Py::Kind::loop) gather(s.value);
      for (const char *instruction : {"tload", "tprefetch", "tstore", "tstore_fp", "value"})
        if (calls(s.value, instruction)) gather(s.value);
      if (s.kind == Py::Kind::assign && calls(s.value, "tile") && count_of(s.value) > 2)
        gather(argument(s.value, 1)), gather(argument(s.value, 2));
      gather(s.body), gather(s.otherwise);
    }
  }
  int64_t drawn() { // as SplitMix64 draws; a small number, or an edge
    uint64_t z = seed_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    if (z % 3) return static_cast<int64_t>(z / 3 % 24);
    return *std::next(edges_.begin(), static_cast<ptrdiff_t>(z / 3 % edges_.size()));
  }

  std::optional<WrongLimits> about(const std::vector<int64_t> &dims) {
    taken_ = false;
    bool empty = false; // a size or a parameter's extent is 0
    for (size_t d = 0; d + p_.ints < dims.size(); ++d) {
      if (dims[d] < 0) return std::nullopt;
      empty = empty || dims[d] == 0;
    }
    for (const Parameter &q : p_.parameters)
      for (const Extents &e : q.dims) {
        const auto extent = value_of(e, dims);
        if (!extent || *extent < 0) return std::nullopt; // no array has it
        empty = empty || *extent == 0;
      }
    std::map<std::string, int64_t> numbers;
    std::string call;
    for (size_t d = 0; d < dims.size(); ++d) {
      numbers[p_.dims[d]] = dims[d];
      call += (d ? ", " : "") + ("`" + p_.dims[d] + "` = ") + std::to_string(dims[d]);
    }
    bool taken = true;
    std::set<std::pair<size_t, bool>> edges; // of limits, that the call lies next to
    for (size_t k = 0; k < p_.limits.size(); ++k) {
      const Limit &l = p_.limits[k];
      const auto value = value_of(l.extent, dims);
      if (!value) return std::nullopt;
      if (*value >= l.least && *value <= l.most) continue;
      taken = false;
      if (*value == l.least - 1 || (l.most != INT64_MAX && *value == l.most + 1)) edges.emplace(k, *value > l.most);
    }
    const Walk walk(stage_, numbers);
    taken_ = taken;
    if (taken_ && walk.refused())
      return WrongLimits{Refusal(diag::limit_loose, call, walk.refused()->line), walk.refused()->what};
    if (empty) return std::nullopt; // a package may refuse it
    bool reason = walk.may_be_refused();
    for (const StageTensor &t : stage_.tensors) // a buffer of no elements is none
      for (const Expr &e : t.shape)
        if (const MaybeInt extent = walk.value(e)) reason = reason || extent->value < 1;
    for (const auto &edge : edges) {
      const auto [it, fresh] = refused_.try_emplace(edge, call);
      if (reason) it->second.clear();
    }
    return std::nullopt;
  }

  const Package &p_;
  const Stage &stage_;
  std::set<int64_t> edges_;
  // What was refused at the edge of a limit, of least or most; empty where there was a reason once.
  std::map<std::pair<size_t, bool>, std::string> refused_;
  uint64_t seed_ = 0;
  bool taken_ = false;
};

} // namespace

std::optional<WrongLimits> wrong_limits(const Package &package, const Stage &stage) {
  return Calls(package, stage).wrong();
}

} // namespace htp::a2a3sim
