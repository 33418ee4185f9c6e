// a2a3.order: what touches the same bytes on different pipes is ordered by flags, on one pipe by a barrier.
//
// A loop whose iterations are instructions alone gets flags: within an iteration from what was done to what needs it,
// and from one iteration to the next from the last that used a tile to the first that writes it again, set once before
// the loop and waited for once behind it. Elsewhere, before and behind such loops, all pipes wait for all.
#include "program.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <array>
#include <optional>

namespace htp::a2a3 {

namespace {

using Known = std::array<size_t, pipe_count>; // how many instructions of each pipe have ended

size_t at(Pipe p) { return static_cast<size_t>(p); }

struct Flag {
  Pipe source, destination;
  int64_t event;    // and, when turned, the next one in every second iteration
  size_t set, wait; // behind this instruction, before that one
  size_t later;     // waited for so many iterations later
  bool turned;
};

// The order of one straight line of instructions, which a loop may repeat, with places in turn or without.
class Line {
public:
  Line(std::vector<const Statement *> instructions, bool repeats, bool turns)
      : in_(std::move(instructions)), turns_(turns) {
    barriers_.resize(in_.size());
    all_.resize(in_.size());
    for (size_t k = 0; k < (turns ? 4U : repeats ? 2U : 1U); ++k) pass(k);
  }

  std::vector<Flag> flags;
  bool barrier(size_t before) const { return barriers_[before]; }
  bool all(size_t before) const { return all_[before]; }

private:
  Pipe pipe(size_t n) const { return in_[n]->pipe(); }

  // Runs an iteration on what the pipes know of each other, and adds what is missing.
  void pass(size_t iteration) {
    const size_t n = in_.size(), base = iteration * n;
    for (size_t j = 0; j < n; ++j) {
      touches_.push_back(touches(*in_[j], turns_ ? static_cast<int64_t>(iteration % 2) : 0));
      Known &known = known_[at(pipe(j))];
      if (all_[j]) barrier_all(base + j);
      // What this waits for: flags that are there already.
      for (const Flag &f : flags)
        if (f.wait == j && f.later <= iteration) learn(known, after_[base - f.later * n + f.set]);
      if (barriers_[j]) known[at(pipe(j))] = base + j;
      for (size_t i = base + j; i-- > 0;) {
        if (!conflict(i, base + j) || known[at(pipe(i % n))] > i) continue;
        if (pipe(i % n) == pipe(j)) {
          barriers_[j] = true;
          known[at(pipe(j))] = base + j;
        } else {
          add(i, base + j, known);
        }
      }
      Known done = known;
      done[at(pipe(j))] = base + j + 1;
      after_.push_back(done);
    }
  }

  // A flag from one instruction to a later one, counted through the iterations.
  void add(size_t from, size_t to, Known &known) {
    const size_t n = in_.size(), later = to / n - from / n;
    const Pipe source = pipe(from % n), destination = pipe(to % n);
    const bool turned = turns_ && later != 1;
    int64_t event = 0;
    for (const Flag &f : flags)
      if (f.source == source && f.destination == destination) event += f.turned ? 2 : 1;
    if (event + turned > 7) {
      all_[to % n] = true;
      return barrier_all(to);
    }
    flags.push_back({source, destination, event, from % n, to % n, later, turned});
    learn(known, after_[from]);
  }

  void barrier_all(size_t now) {
    for (Known &k : known_) k.fill(now);
  }
  static void learn(Known &known, const Known &news) {
    for (size_t p = 0; p < pipe_count; ++p) known[p] = std::max(known[p], news[p]);
  }
  bool conflict(size_t i, size_t j) const {
    for (const Touch &a : touches_[i])
      for (const Touch &b : touches_[j])
        if (a.meets(b)) return true;
    return false;
  }

  std::vector<const Statement *> in_;
  bool turns_;
  std::vector<std::vector<Touch>> touches_; // of all iterations so far, like what follows
  std::vector<bool> barriers_, all_;
  std::array<Known, pipe_count> known_{};
  std::vector<Known> after_; // what is known to have ended when an instruction has
};

class Ordering {
public:
  explicit Ordering(const Context &context) : c(context) {}

  std::vector<uint32_t> kernel(const Kernel &k) {
    std::vector<uint32_t> out = block(k.body);
    out.push_back(word("drain", {}, k.node));
    return out;
  }

private:
  static bool holds_loops(const std::vector<Statement> &body) {
    return std::any_of(body.begin(), body.end(), [](const Statement &s) { return s.kind == Statement::Kind::loop; });
  }
  // A loop around ints, and instructions or one such loop.
  static const Statement *line_of(const Statement &loop) {
    if (!holds_loops(loop.body)) return &loop;
    const Statement *inner = nullptr;
    for (const Statement &s : loop.body) {
      if (s.kind == Statement::Kind::integer) continue;
      if (inner || s.kind != Statement::Kind::loop) return nullptr;
      inner = &s;
    }
    return line_of(*inner);
  }
  static std::vector<const Statement *> instructions_of(const std::vector<Statement> &body) {
    std::vector<const Statement *> found;
    for (const Statement &s : body)
      if (s.kind == Statement::Kind::instruction) found.push_back(&s);
    return found;
  }

  // Statements one behind the other: between a loop and what stands beside it all pipes wait.
  std::vector<uint32_t> block(const std::vector<Statement> &body) {
    std::vector<uint32_t> out;
    std::vector<Statement> straight;
    bool before = false; // something that all pipes must wait for
    const auto wait_for_all = [&](Node origin) {
      if (before) out.push_back(word("pipe_barrier", {c.string_node("ALL", origin)}, origin));
      before = true;
    };
    const auto flush = [&] {
      const auto instructions = instructions_of(straight);
      if (!instructions.empty()) wait_for_all(straight.front().node);
      const Line line(instructions, false, false);
      const auto written = write(straight, line);
      out.insert(out.end(), written.begin(), written.end());
      straight.clear();
    };
    for (const Statement &s : body) {
      if (s.kind != Statement::Kind::loop) {
        straight.push_back(s);
        continue;
      }
      flush();
      wait_for_all(s.node);
      loop(s, out);
    }
    flush();
    return out;
  }

  void loop(const Statement &s, std::vector<uint32_t> &out) {
    const Statement *inner = line_of(s);
    if (!inner) {
      auto body = block(s.body);
      body.push_back(word("pipe_barrier", {c.string_node("ALL", s.node)}, s.node));
      out.push_back(with_list(c, s.node, HTP_FIELD(For, body), body));
      return;
    }
    const Line line(instructions_of(inner->body), true, !inner->turn.empty());
    const auto around = [&](const char *what) {
      for (const Flag &f : line.flags)
        for (int64_t k = 0; f.later && k < (f.turned ? 2 : 1); ++k)
          out.push_back(flag(what, f, c.integer_node(f.event + k, s.node), s.node));
    };
    around("set_flag");
    turn_ = inner->turn;
    out.push_back(nest(s, *inner, line));
    around("wait_flag");
  }
  Node nest(const Statement &s, const Statement &inner, const Line &line) {
    if (&s == &inner) return with_list(c, s.node, HTP_FIELD(For, body), write(s.body, line));
    std::vector<uint32_t> body;
    for (const Statement &n : s.body) body.push_back(n.kind == Statement::Kind::loop ? nest(n, inner, line) : n.node);
    return with_list(c, s.node, HTP_FIELD(For, body), body);
  }

  std::vector<uint32_t> write(const std::vector<Statement> &body, const Line &line) {
    std::vector<uint32_t> out;
    size_t n = 0;
    for (const Statement &s : body) {
      if (s.kind != Statement::Kind::instruction) {
        out.push_back(s.node);
        continue;
      }
      if (line.all(n)) out.push_back(word("pipe_barrier", {c.string_node("ALL", s.node)}, s.node));
      for (const Flag &f : line.flags)
        if (f.wait == n) out.push_back(flag("wait_flag", f, event(f, s.node), s.node));
      if (line.barrier(n)) out.push_back(word("pipe_barrier", {c.string_node(name_of(s.pipe()), s.node)}, s.node));
      out.push_back(s.node);
      for (const Flag &f : line.flags)
        if (f.set == n) out.push_back(flag("set_flag", f, event(f, s.node), s.node));
      ++n;
    }
    return out;
  }

  Node event(const Flag &f, Node origin) {
    const Node first = c.integer_node(f.event, origin);
    if (!f.turned) return first;
    const Node turn = c.name(turn_, origin);
    return f.event ? c.binary(first, HTP_Add, turn, origin) : turn;
  }
  Node flag(const char *what, const Flag &f, Node event, Node origin) {
    return word(what, {c.string_node(name_of(f.source), origin), c.string_node(name_of(f.destination), origin), event},
                origin);
  }
  Node word(const char *what, std::vector<uint32_t> operands, Node origin) {
    return c.statement(c.call("pto." + std::string(what), std::move(operands), origin), origin);
  }

  const Context &c;
  std::string turn_; // of the loop that is written
};

} // namespace

Result order(const Context &c, Node root, Node &out) {
  Program program;
  if (!read_program(c, root, true, program,
                    [&](Node where, const std::string &what) { c.report(diag::unsupported_form, where, what); }))
    return HTP_FAILED;
  std::map<Node, Node> kernels;
  for (const Kernel &k : program.kernels) {
    auto with = c.read<ast::With>(k.node);
    with.items = {c.make(make::withitem{.context_expr = c.call(k.cube ? "pto.aic" : "pto.aiv", {}, k.node)}, k.node)};
    with.body = Ordering(c).kernel(k);
    kernels[k.node] = c.with(k.node, with);
  }
  const auto replaced = [&](std::vector<uint32_t> body) {
    for (uint32_t &s : body)
      if (const auto it = kernels.find(s); it != kernels.end()) s = it->second;
    return body;
  };
  const Node function = c.entry_function(root);
  auto f = c.read<ast::FunctionDef>(function);
  f.body = replaced(f.body);
  for (uint32_t &s : f.body)
    if (s == program.tasks && s) s = with_list(c, s, HTP_FIELD(For, body), replaced(c.read<ast::For>(s).body));
  out = with_statement(c, root, function, c.with(function, f));
  return HTP_OK;
}

} // namespace htp::a2a3
