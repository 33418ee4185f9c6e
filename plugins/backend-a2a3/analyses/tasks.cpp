#include "analyses/tasks.h"

#include "allocation/memory.h"
#include "analyses/layouts.h"

#include "htp_cpp/ints.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

constexpr int64_t cube_cores = 24, vector_cores = 48;
constexpr int64_t line_bytes = 64;                   // that two cores must not both write to
constexpr int64_t least_elements = 4096;             // of a vector that are worth a task
constexpr size_t most_arguments = 16;                // of a task, on the runtime that takes fewest
constexpr int64_t lanes = vector_cores / cube_cores; // tasks of vector cores for one of a cube core

using sdk::IntExpr;
using sdk::MaybeInt;

std::optional<int64_t> known(const MaybeInt &n) { return n ? n->constant() : std::nullopt; }
// Rounded down; what is no number is divided by in an atom of its own.
MaybeInt quotient(const MaybeInt &a, const MaybeInt &by) { // by is at least 1
  if (!a || !by) return std::nullopt;
  if (const auto number = by->constant()) return floor_div(a, *number);
  const auto part = [](const IntExpr &e) {
    const std::string text = e.text();
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  std::set<std::string> names = a->names();
  names.merge(by->names());
  return IntExpr::other("(" + part(*a) + " // " + part(*by) + ")", std::move(names));
}
MaybeInt iterations(const MaybeInt &extent, const MaybeInt &step) { return quotient(extent + step - 1, step); }
MaybeInt at_least_1(const MaybeInt &n) { return most({1, n}); }

struct Level { // loops over the same that all kernels consist of
  Words variables;
  std::string variable, text; // of the first one, and what they go over
  Node node = HTP_NONE;
  int64_t size = 1; // of blocks
  IntExpr extent;
};
struct Stored {
  std::vector<IntExpr> extents;
  int64_t bytes = 1;
  Strided lies;
};

class TaskFinder {
public:
  TaskFinder(const Context &context, const Names &names, const sdk::Constants &constants, Node function, Nodes kernels,
             const Words &memories, size_t beside, bool sums)
      : c(context), names_(names), constants_(constants), kernels_(kernels), memories_(memories), beside_(beside),
        sums_(sums) {
    for (const Node s : c.get<ast::FunctionDef>(function).body())
      if (auto a = c.as<ast::Assign>(s); a && names_.called(a.value()) == "htp_pto.gm") {
        const std::string dtype = names_.qualified(c.get<ast::Call>(a.value()).args()[0]);
        const DType *d = dtype_named(dtype.substr(dtype.rfind('.') + 1));
        const std::string name(c.name_of(a.targets()[0]));
        if (d) bytes_[name] = d->bytes;
        if (d && !memories_.contains(name)) { // beside all tasks, as parameters are
          tensors_[name].bytes = d->bytes;
          for (const Node n : c.get<ast::Call>(a.value()).args().subspan(1))
            tensors_[name].extents.push_back(int_of(n));
        }
      }
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
      auto a = c.get<ast::arg>(n);
      const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
      if (type && type->form.empty() && type->dtype == "int")
        dims_.emplace(a.arg()); // it is given to tasks as they are
      const DType *dtype = type ? dtype_named(type->dtype) : nullptr;
      if (!dtype || type->form != "Tensor") continue;
      Stored &t = tensors_[std::string(a.arg())];
      t.bytes = dtype->bytes;
      std::string why;
      read_strided(c, names_, constants_, *type, t.lies, why); // what is none is refused where it is read
      for (const Extent &e : type->extents) {
        t.extents.push_back(int_of(c.parse(e.text(), n)));
        c.each(c.parse(e.text(), n), [&](Node name) {
          if (c.is(name, HTP_Name) && !constants_.integer(name)) dims_.emplace(c.name_of(name));
        });
      }
    }
  }

  Tasks run() {
    Tasks tasks;
    tasks.cores =
        !cube()  ? std::to_string(vector_cores) + " vector cores"
        : both() ? std::to_string(cube_cores) + " cube cores and " + std::to_string(vector_cores) + " vector cores each"
                 : std::to_string(cube_cores) + " cube cores";
    find_levels(tasks);
    if (levels_.empty()) return tasks;
    if (sums_) levels_.resize(1);
    std::vector<size_t> split; // which have parts
    for (size_t k = 0; k < levels_.size(); ++k)
      if (independent(levels_[k], tasks) && aligned(levels_[k], tasks)) split.push_back(k);
    while (!split.empty() && arguments() + beside_ + 2 * split.size() > most_arguments) split.pop_back();
    if (!split.empty()) share(split, tasks);
    find_lanes(tasks);
    return tasks;
  }

private:
  bool on_cube(Node kernel) const { // `with pto.one_by_one("aic"):`
    const Node item = c.get<ast::With>(kernel).items()[0];
    return !c.get<ast::Call>(c.get<ast::withitem>(item).context_expr()).args().empty();
  }
  bool cube() const {
    return std::any_of(kernels_.begin(), kernels_.end(), [&](Node k) { return on_cube(k); });
  }
  bool both() const {
    return cube() && !std::all_of(kernels_.begin(), kernels_.end(), [&](Node k) { return on_cube(k); });
  }
  // Whether a cube core waits for what a vector core makes, of which it waits for none itself.
  bool waits() const {
    bool found = false;
    for (size_t k = 1; k < kernels_.size(); ++k) {
      if (!on_cube(kernels_[k - 1]) && !on_cube(kernels_[k])) return false;
      found |= on_cube(kernels_[k]) && !on_cube(kernels_[k - 1]);
    }
    return found;
  }
  IntExpr int_of(Node n) const {
    if (const auto number = constants_.integer(n)) return *number;
    sdk::IntMeanings meanings = with_constants(constants_);
    meanings.choices = true;
    if (const MaybeInt found = read_int(c, n, meanings)) return *found;
    std::set<std::string> names;
    c.each(n, [&](Node e) {
      if (c.is(e, HTP_Name)) names.emplace(c.name_of(e));
    });
    return IntExpr::other("(" + c.show(n) + ")", std::move(names));
  }

  // The loop that a statement is, over blocks or ints that are the same in all turns of the loops around.
  std::optional<Level> level_of(Node s) const {
    auto loop = c.as<ast::For>(s);
    const Node range = loop ? loop_forms(c, names_, loop.iter()).range : HTP_NONE;
    auto call = c.as<ast::Call>(range);
    const bool tiles = call && names_.called(range) == "htp_tile.tiles" && call.args().size() == 2;
    const bool counts = call && c.name_of(call.func()) == "range" && call.args().size() == 1;
    if (!tiles && !counts) return std::nullopt;
    Level l{{}, std::string(c.name_of(loop.target())), {}, s, 1, int_of(call.args()[0])};
    l.variables.insert(l.variable);
    if (tiles) l.size = constants_.integer(call.args()[1]).value_or(0);
    bool same = l.size > 0;
    c.each(call.args()[0],
           [&](Node n) { same &= !c.is(n, HTP_Name) || constants_.integer(n) || dims_.contains(c.name_of(n)); });
    l.text = (tiles ? "tiles " : "range ") + l.extent.text() + " " + std::to_string(l.size);
    return same ? std::optional(l) : std::nullopt;
  }
  // Statements, and those of each way of an `if` of sizes.
  void flatten(Nodes body, std::vector<uint32_t> &out) const {
    for (const Node s : body) {
      auto choice = c.as<ast::If>(s);
      bool of_sizes = static_cast<bool>(choice);
      if (choice)
        c.each(choice.test(), [&](Node n) {
          of_sizes &= !c.is(n, HTP_Name) || dims_.contains(c.name_of(n)) || constants_.integer(n);
        });
      if (!of_sizes) {
        out.push_back(s);
        continue;
      }
      flatten(choice.body(), out);
      flatten(choice.orelse(), out);
    }
  }
  // Whether what stands before the loops is done by each task for itself: an int, or an instruction that writes to a
  // tile which no loop writes to.
  bool each_alone(Node s) const {
    if (auto a = c.as<ast::Assign>(s)) return !in_loops_.contains(c.name_of(a.targets()[0]));
    auto e = c.as<ast::Expr>(s);
    const std::string called = e ? names_.called(e.value()) : std::string();
    if (!called.starts_with("htp_pto.t") || called == "htp_pto.tstore") return false;
    const Nodes of = c.get<ast::Call>(e.value()).args();
    return !of.empty() && !in_loops_.contains(c.name_of(of[0]));
  }
  // What loops bind, and the tiles that they write to.
  void find_written() {
    for (const Node k : kernels_)
      c.each(k, [&](Node l) {
        if (!c.is(l, HTP_For)) return;
        c.each(l, [&](Node n) {
          if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) in_loops_.emplace(name.id());
          auto call = c.as<ast::Call>(n);
          if (call && names_.called(n).starts_with("htp_pto.t") && !call.args().empty())
            in_loops_.emplace(c.name_of(call.args()[0]));
        });
      });
  }
  // The loops that all kernels consist of, one in the other.
  void find_levels(Tasks &tasks) {
    find_written();
    std::vector<std::vector<uint32_t>> bodies;
    for (const Node k : kernels_) flatten(c.get<ast::With>(k).body(), bodies.emplace_back());
    for (;;) {
      std::optional<Level> all;
      std::vector<std::vector<uint32_t>> inner;
      for (const auto &body : bodies)
        for (const Node s : body) {
          if (is_text(c, s) || (levels_.empty() && each_alone(s))) continue;
          const auto l = level_of(s);
          if (!l || (all && all->text != l->text)) {
            if (!levels_.empty()) return;
            tasks.where = s;
            tasks.few = Refusal(l ? diag::one_task_loops : diag::one_task_beside, c.entry(), tasks.cores);
            return;
          }
          if (!all) all = l;
          all->variables.insert(l->variable);
          flatten(c.get<ast::For>(s).body(), inner.emplace_back());
        }
      if (!all) return;
      levels_.push_back(std::move(*all));
      bodies = std::move(inner);
    }
  }
  // The variables of loops, and those of loops over blocks of their blocks.
  Words blocks_in(const Level &l) const {
    Words found = l.variables;
    for (const Node k : kernels_)
      c.each(k, [&](Node n) {
        auto loop = c.as<ast::For>(n);
        auto call = loop ? c.as<ast::Call>(loop_forms(c, names_, loop.iter()).range) : c.as<ast::Call>(HTP_NONE);
        if (call && !call.args().empty() && found.contains(c.name_of(call.args()[0])))
          found.emplace(c.name_of(loop.target()));
      });
    return found;
  }
  // Calls f(load, tensor, operands) for each transfer.
  template <class F> void each_transfer(F &&f) const {
    for (const Node k : kernels_)
      c.each(k, [&](Node n) {
        auto m = c.as<ast::Call>(n);
        const std::string callee = m ? names_.called(n) : std::string();
        if ((callee == "htp_pto.tload" || callee == "htp_pto.tstore") && m.args().size() >= 3)
          f(callee == "htp_pto.tload", std::string(c.name_of(m.args()[callee == "htp_pto.tload"])), n);
      });
  }
  // Whether more than an element is loaded for an index of a loop's blocks.
  bool loads_rows(const Level &l) const {
    const Words blocks = blocks_in(l);
    bool rows = false;
    each_transfer([&](bool load, const std::string &, Node call) {
      const Nodes a = operands(call).subspan(2);
      rows |= load && a.size() > 1 && std::any_of(a.begin(), a.end(), [&](Node index) {
                bool found = false;
                c.each(index, [&](Node n) { found |= blocks.contains(c.name_of(n)); });
                return found;
              });
    });
    return rows;
  }
  Nodes operands(Node call) const { return c.get<ast::Call>(call).args(); }
  // A task has at most so many tensors and sizes.
  size_t arguments() const {
    size_t most = 0;
    for (const Node k : kernels_) {
      Words used;
      c.each(k, [&](Node n) {
        const std::string name(c.name_of(n));
        if (tensors_.contains(name) || memories_.contains(name)) used.insert(name);
      });
      most = std::max(most, used.size());
    }
    return most + dims_.size();
  }

  // How many elements of a dimension an iteration has: those of the loop's block, or `slice(i * 16, i * 16 + 16)` of a
  // loop over ints; 0 of another index.
  int64_t part_of(const Level &l, const Words &blocks, Node index) const {
    if (blocks.contains(c.name_of(index))) return 1;
    const auto part = l.size == 1 ? read_slice(c, index) : std::nullopt;
    auto start = part ? c.as<ast::BinOp>(part->start) : c.as<ast::BinOp>(HTP_NONE);
    auto stop = part ? c.as<ast::BinOp>(part->stop) : c.as<ast::BinOp>(HTP_NONE);
    if (!start || !stop || part->step || start.op() != HTP_Mult || stop.op() != HTP_Add) return 0;
    const bool first = l.variables.contains(c.name_of(start.left()));
    if (!first && !l.variables.contains(c.name_of(start.right()))) return 0;
    const auto times = constants_.integer(first ? start.right() : start.left()), by = constants_.integer(stop.right());
    return times && times == by && c.show(stop.left()) == c.show(part->start) ? std::max<int64_t>(0, *by) : 0;
  }
  // Whether no turn of a loop touches what another one stores: all of it is indexed by the loop's block, in one
  // dimension of each tensor.
  bool independent(const Level &l, Tasks &tasks) {
    const Words blocks = blocks_in(l);
    const auto goes = [&](Node index) {
      bool found = false;
      c.each(index, [&](Node n) { found |= blocks.contains(c.name_of(n)); });
      return found;
    };
    auto &along = along_[l.variable];
    std::map<std::string, std::set<size_t>>
        between; // memory between kernels, and by which index it goes with the block
    std::map<std::pair<std::string, size_t>, std::string> forms; // of such an index: each turn keeps to its own place
    const auto form = [&](Node index) {
      return c.show(rewrite(
          c, index, [&](Node n) { return blocks.contains(c.name_of(n)) ? c.name(l.variable, n) : n; },
          [](Node, std::vector<uint32_t> &) { return false; }));
    };
    bool apart = true;
    const auto no = [&](Node where, const std::string &tensor) {
      if (!tasks.few)
        tasks.where = where, tasks.few = Refusal(diag::one_task_index, c.entry(), tasks.cores, tensor, l.variable);
      apart = false;
    };
    each_transfer([&](bool load, const std::string &tensor, Node call) {
      const Nodes a = operands(call);
      std::set<size_t> by;
      for (size_t d = 2; d < a.size(); ++d) {
        const bool memory = memories_.contains(tensor);
        const int64_t part = memory ? 0 : part_of(l, blocks, a[d]);
        if (memory ? goes(a[d]) && forms.try_emplace({tensor, d}, form(a[d])).first->second == form(a[d])
                   : part && parts_.try_emplace({l.variable, tensor, d - 2}, part).first->second == part)
          by.insert(d - 2);
      }
      if (memories_.contains(tensor)) {
        const auto [it, fresh] = between.emplace(tensor, by);
        if (!fresh) std::erase_if(it->second, [&](size_t d) { return !by.contains(d); });
        if (it->second.empty()) no(call, tensor);
      } else if (!load) {
        const auto [it, fresh] = along.emplace(tensor, by);
        if (!fresh) std::erase_if(it->second, [&](size_t d) { return !by.contains(d); });
        if (it->second.empty()) no(call, tensor);
      }
    });
    each_transfer([&](bool load, const std::string &tensor, Node call) {
      const auto it = along.find(tensor);
      if (!load || it == along.end() || memories_.contains(tensor)) return;
      const Nodes a = operands(call);
      std::erase_if(it->second, [&](size_t d) {
        return d + 2 >= a.size() || part_of(l, blocks, a[d + 2]) != parts_[{l.variable, tensor, d}];
      });
      if (it->second.empty()) no(call, tensor);
    });
    return apart && (!along.empty() || sums_);
  }

  // Of what multiples of its indices parts of a dimension begin with a line of their own: what one index has lies
  // together, and where the dimensions around step on, lines begin. Nothing where that is not so.
  static std::optional<int64_t> whole_lines(const Strided &lies, size_t d, int64_t line) {
    int64_t within = 1;
    for (size_t k = 0; k < lies.steps.size(); ++k) {
      if (k == d || lies.shape[k] == 1) continue;
      if (lies.steps[k] < lies.steps[d])
        within = sdk::add_sat(within, sdk::mul_sat(lies.shape[k] - 1, lies.steps[k]));
      else if (lies.steps[k] % line != 0)
        return std::nullopt;
    }
    if (within > lies.steps[d] && lies.shape[d] > 1) return std::nullopt;
    return line / std::gcd(line, lies.steps[d]);
  }

  // Whether parts of a loop can keep to lines of their own: by what they are multiples of, where what lies behind a
  // dimension is no multiple of a line, and as a whole, where one dimension's end is not the end of a line.
  bool aligned(const Level &l, Tasks &tasks) {
    int64_t elements = 1;                            // that make lines, whatever the sizes are
    std::vector<std::pair<IntExpr, int64_t>> at_run; // sizes that decide, and how many elements make a line
    for (const auto &[tensor, dims] : along_[l.variable]) {
      const Stored &t = tensors_[tensor];
      const int64_t line = line_bytes / t.bytes;
      const size_t d = *dims.begin();
      if (t.lies) {
        const auto rows = whole_lines(t.lies, d, line);
        if (!rows) {
          if (!tasks.few)
            tasks.where = l.node, tasks.few = Refusal(diag::one_task_lines, c.entry(), tasks.cores, tensor);
          return false;
        }
        elements = std::lcm(elements, *rows / std::gcd(*rows, parts_[{l.variable, tensor, d}]));
        continue;
      }
      MaybeInt behind = 1;
      for (size_t k = d + 1; k < t.extents.size(); ++k) behind = behind * t.extents[k];
      const MaybeInt all = remainder(t.extents[d] * behind, line);
      if (!all) return too_large(l, tasks);
      const int64_t part = parts_[{l.variable, tensor, d}];
      if (const auto number = behind->constant()) {
        const int64_t rows = line / std::gcd(line, *number);
        elements = std::lcm(elements, rows / std::gcd(rows, part));
      } else
        at_run.emplace_back(*behind, line);
      const bool first = std::all_of(t.extents.begin(), t.extents.begin() + static_cast<std::ptrdiff_t>(d),
                                     [](const IntExpr &e) { return e == 1; });
      if (first || *all == 0) continue;
      if (all->constant()) {
        if (!tasks.few) tasks.where = l.node, tasks.few = Refusal(diag::one_task_lines, c.entry(), tasks.cores, tensor);
        return false;
      }
      unsplit_[l.variable].insert(*all);
    }
    const int64_t grain = std::lcm(l.size, elements);
    MaybeInt each = grain;
    std::map<int64_t, std::set<IntExpr>> seen;
    for (const auto &[behind, line] : at_run)
      if (seen[line].insert(behind).second && std::lcm(grain, line) != grain)
        each = most({each, least({remainder(behind, line), 1}) * IntExpr(std::lcm(grain, line))});
    if (!each) return too_large(l, tasks);
    grain_[l.variable] = *each;
    return true;
  }
  bool too_large(const Level &l, Tasks &tasks) const {
    if (!tasks.few) tasks.where = l.node, tasks.few = Refusal(diag::one_task_large, c.entry(), tasks.cores);
    return false;
  }

  // ── how many ──

  // A name for an int that is not known, so that what is made of it is short.
  MaybeInt named(const std::string &stem, const MaybeInt &value, Tasks &tasks) const {
    if (!value || value->constant()) return value;
    const std::string text = value->text();
    if (text.find_first_of(" (") == std::string::npos) return value;
    const std::string name = c.fresh(stem);
    tasks.ints.emplace_back(name, text);
    return IntExpr::symbol(name);
  }
  // So much of a loop that there are at most `parts` of it.
  MaybeInt step(const Level &l, const MaybeInt &grain, const MaybeInt &parts, Tasks &tasks) {
    MaybeInt size = most({grain, iterations(l.extent, grain * parts) * grain});
    for (const IntExpr &rest : unsplit_[l.variable]) size = most({size, least({rest, 1}) * l.extent});
    return named(l.variable + "_step", size, tasks);
  }
  void share(const std::vector<size_t> &split, Tasks &tasks) {
    // Where both kinds work by turns, each core has a part while others have theirs.
    MaybeInt cores = both() ? cube_cores + vector_cores : cube() ? cube_cores : vector_cores;
    std::vector<MaybeInt> steps(split.size());
    const auto grain = [&](size_t k) {
      const Level &l = levels_[split[k]];
      return named(l.variable + "_least", grain_[l.variable], tasks);
    };
    const auto level = [&](size_t k) -> const Level & { return levels_[split[k]]; };
    // Of more than two loops the outer ones have as many parts as there may be.
    size_t k = 0;
    for (; k + 2 < split.size(); ++k) {
      steps[k] = step(level(k), grain(k), cores, tasks);
      cores = named("cores", at_least_1(quotient(cores, at_least_1(iterations(level(k).extent, steps[k])))), tasks);
    }
    if (k + 1 == split.size()) {
      MaybeInt each = grain(k);
      // A vector's elements are little work, unless each is made of a row.
      const bool vectors = std::all_of(along_[level(k).variable].begin(), along_[level(k).variable].end(),
                                       [&](auto &t) { return tensors_[t.first].extents.size() == 1; }) &&
                           !loads_rows(level(k));
      if (const auto number = known(each); vectors && number)
        each = *number * std::max<int64_t>(1, least_elements / *number);
      steps[k] = step(level(k), each, cores, tasks);
    } else { // two: a quarter as many of the inner one as there are cores, and more where the outer one has few blocks
      const MaybeInt outer = grain(k), inner = grain(k + 1);
      const MaybeInt blocks =
          named(level(k).variable + "_blocks", at_least_1(iterations(level(k).extent, outer)), tasks);
      const MaybeInt parts_inside = named(level(k + 1).variable + "_parts",
                                          most({at_least_1(floor_div(cores, 4)), quotient(cores, blocks)}), tasks);
      steps[k + 1] = step(level(k + 1), inner, parts_inside, tasks);
      const MaybeInt parts =
          named(level(k).variable + "_parts",
                at_least_1(quotient(cores, at_least_1(iterations(level(k + 1).extent, steps[k + 1])))), tasks);
      steps[k] = step(level(k), outer, parts, tasks);
    }
    if (std::any_of(steps.begin(), steps.end(), [](const MaybeInt &s) { return !s; })) {
      tasks.ints.clear();
      too_large(level(0), tasks);
      return;
    }
    for (size_t n = 0; n < split.size(); ++n) {
      const Level &l = level(n);
      const auto whole = l.extent.constant(), step = steps[n]->constant();
      if (whole && step && *step >= *whole) continue; // one part
      steps_[l.variable] = *steps[n];
      tasks.loops.push_back({l.variables, c.fresh(l.variable + "_part"), l.extent.text(), steps[n]->text()});
    }
    if (tasks.loops.empty() && !tasks.few)
      tasks.where = level(0).node, tasks.few = Refusal(diag::one_task_small, c.entry(), tasks.cores);
  }

  // ── lanes ──

  // So many rows of whatever vector cores store are lines of memory, whatever lies behind them.
  int64_t rows_of_lines() const {
    int64_t rows = 1;
    for (const Node k : kernels_)
      if (!on_cube(k))
        c.each(k, [&](Node n) {
          auto call = c.as<ast::Call>(n);
          if (!call || names_.called(n) != "htp_pto.tstore" || call.args().empty()) return;
          const std::string tensor(c.name_of(call.args()[0]));
          const auto parameter = tensors_.find(tensor);
          const auto memory = bytes_.find(tensor);
          const int64_t bytes = parameter != tensors_.end() ? parameter->second.bytes
                                : memory != bytes_.end()    ? memory->second
                                                            : 1;
          rows = std::max(rows, line_bytes / bytes);
        });
    return rows;
  }
  // Whether the vector kernels compute each row of the blocks by itself, and ask for none's place.
  bool row_by_row(const Level &l) const {
    for (const Node k : kernels_) {
      if (on_cube(k)) continue;
      bool apart = false;
      for (const std::string &variable : l.variables)
        apart |= with_cut_blocks(c, names_, k, variable, true, variable + "_lane", 8) != HTP_NONE;
      if (!apart) return false;
    }
    return true;
  }
  void find_lanes(Tasks &tasks) {
    if (!waits() || arguments() + 2 * tasks.loops.size() + 2 > most_arguments) return;
    for (auto l = levels_.rbegin(); l != levels_.rend(); ++l) {
      const PartLoop *part = tasks.of(l->variable);
      const auto grain = grain_[l->variable].constant();
      if (!part || l->size == 1 || !unsplit_[l->variable].empty() || !grain || *grain % (lanes * rows_of_lines()) ||
          !row_by_row(*l))
        continue;
      const MaybeInt rows = named(l->variable + "_lane_step", floor_div(steps_.at(l->variable), lanes), tasks);
      tasks.lanes = PartLoop{l->variables, c.fresh(l->variable + "_lane"), part->step, rows->text()};
      return;
    }
  }

  const Context &c;
  const Names &names_;
  const sdk::Constants &constants_;
  Nodes kernels_;
  const Words &memories_;
  const size_t beside_;
  const bool sums_;
  Words dims_;
  std::map<std::string, Stored> tensors_;
  std::map<std::string, int64_t> bytes_; // of an element of memory between kernels
  std::vector<Level> levels_;
  Words in_loops_; // names that a loop binds, and tiles that it writes to
  std::map<std::string, std::map<std::string, std::set<size_t>>>
      along_; // of a loop: which dimensions of what is stored
  std::map<std::tuple<std::string, std::string, size_t>, int64_t> parts_; // of such a dimension: elements an iteration
  std::map<std::string, IntExpr> grain_, steps_;     // of a loop: what parts are multiples of, and how much each has
  std::map<std::string, std::set<IntExpr>> unsplit_; // what must be 0, or there is one part
};

} // namespace

bool is_text(const Context &c, Node s) {
  auto e = c.as<ast::Expr>(s);
  return e && c.is(e.value(), HTP_Constant);
}

Tasks tasks_of(const Context &c, const Names &names, const sdk::Constants &constants, Node function, Nodes kernels,
               const std::set<std::string, std::less<>> &memories, size_t beside, bool sums) {
  return TaskFinder(c, names, constants, function, kernels, memories, beside, sums).run();
}

} // namespace htp::a2a3
