// a2a3.split: a program as kernels, in turn on vector and on cube cores.
//
// Every instruction belongs to a turn, the first in which all it reads is there: even turns are those of vector cores,
// odd ones of cube cores. A kernel is the program with the instructions of one turn alone, in the loops they stand in.
// What one kernel makes and a later one reads goes through global memory, with a dimension for each loop that it is
// made in; what is loaded from a tensor that nobody writes is loaded where it is needed.
//
// The operands of a product are moved on: to a mat tile (L1), and from there to a left and a right one (L0A, L0B). A
// cast and a transpose that only a product needs are left to the way there, and a cast of its result to the store.
#include "analyses/turns.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace htp::a2a3 {

namespace {

class Splitting : TurnFinder {
public:
  Splitting(const Context &context, Node root, Node function)
      : TurnFinder(context, root, function), imports_(context, root, bound_in(context, function)) {}

  // The module with what the kernels need.
  Node imported(Node root) const { return imports_.apply(root); }

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    if (!find()) return HTP_NONE;
    if (single_) {
      f.body = {kernel(false, std::move(f.body))};
      return c.with(function_, f);
    }
    f.body.assign(buffers_.begin(), buffers_.end());
    for (const Value &v : values_)
      if (!v.memory.empty()) f.body.push_back(memory(v));
    int last = 0;
    for (const Instruction &i : instructions_) last = std::max(last, i.turn);
    for (turn_ = 0; turn_ <= last; ++turn_) {
      tiles_.clear();
      std::vector<uint32_t> body = without_unused(block(0));
      if (!body.empty()) f.body.push_back(kernel(turn_ % 2 == 1, std::move(body)));
    }
    return c.errors() ? HTP_NONE : c.with(function_, f);
  }

private:
  static std::set<std::string, std::less<>> bound_in(const Context &c, Node function) {
    std::set<std::string, std::less<>> bound;
    c.each(function, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound.emplace(name.id());
    });
    return bound;
  }
  Node memory(const Value &v) {
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const std::string &d : v.dims) parts.push_back(c.parse(d, origin));
    return c.assign(v.memory, HTP_NONE, c.call("pto.gm", std::move(parts), origin), origin);
  }

  // ── kernels ──

  Node kernel(bool cube, std::vector<uint32_t> body) {
    std::vector<uint32_t> kind;
    if (cube) kind.push_back(c.string_node("aic", function_));
    const Node item =
        c.make(make::withitem{.context_expr = c.call("pto.one_by_one", std::move(kind), function_)}, function_);
    return c.make(make::With{.items = {item}, .body = std::move(body)}, function_);
  }
  Node statement(const std::string &word, std::vector<uint32_t> operands, Node origin) {
    return c.statement(c.call("pto." + word, std::move(operands), origin), origin);
  }

  // Without the ints that nothing here needs.
  std::vector<uint32_t> without_unused(std::vector<uint32_t> body) const {
    if (integers_.empty()) return body;
    for (bool changed = true; changed;) {
      changed = false;
      std::set<std::string, std::less<>> used;
      for (const Node s : body)
        c.each(s, [&](Node n) {
          if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) used.emplace(name.id());
        });
      for (uint32_t &s : body)
        s = rewrite(
            c, s, [](Node n) { return n; },
            [&](Node n, std::vector<uint32_t> &) {
              auto a = c.as<ast::Assign>(n);
              const bool unused =
                  a && integers_.contains(c.name_of(a.targets()[0])) && !used.contains(c.name_of(a.targets()[0]));
              changed |= unused;
              return unused;
            });
    }
    return body;
  }

  // What of a loop's body belongs to this turn.
  std::vector<uint32_t> block(size_t loop) {
    std::vector<uint32_t> out;
    const std::vector<size_t> body = items_[loop].body;
    bool worth = false;
    for (size_t place = 0; place < body.size(); ++place) {
      worth |= across(loop, place, out);
      const Item item = items_[body[place]];
      switch (item.kind) {
      case Item::Kind::tile: declared(item.what, out); break;
      case Item::Kind::integer:
        out.push_back(c.assign(c.name_of(c.get<ast::Assign>(item.node).targets()[0]), HTP_NONE,
                               copy_of(c, c.get<ast::Assign>(item.node).value(), item.node), item.node));
        break;
      case Item::Kind::instruction: worth |= instruction_here(item.what, out); break;
      case Item::Kind::loop: {
        auto inner = block(body[place]);
        if (inner.empty()) break;
        worth = true;
        out.push_back(repeat(item, std::move(inner)));
        break;
      }
      case Item::Kind::branch: worth |= choice(item, block(body[place]), out);
      }
    }
    if (!worth) out.clear();
    return out;
  }
  // A branch, or the `else` of the one that was written last.
  bool choice(const Item &item, std::vector<uint32_t> body, std::vector<uint32_t> &out) {
    if (body.empty()) return false;
    auto before = out.empty() ? c.as<ast::If>(HTP_NONE) : c.as<ast::If>(out.back());
    if (item.otherwise && before && chosen_ == item.node) {
      out.back() = with_list(c, out.back(), HTP_FIELD(If, orelse), body);
      return true;
    }
    Node test = copy_of(c, c.get<ast::If>(item.node).test(), item.node);
    if (item.otherwise) test = c.make(make::UnaryOp{.op = HTP_Not, .operand = test}, item.node);
    out.push_back(c.make(make::If{.test = test, .body = std::move(body)}, item.node));
    chosen_ = item.node;
    return true;
  }
  Node repeat(const Item &l, std::vector<uint32_t> body) {
    const Node iter = c.get<ast::For>(l.node).iter();
    const bool form = loop_forms(c, names_, iter).pipelined; // which is the only one that what follows asks for
    return c.make(make::For{.target = c.name(l.variable, l.node, HTP_STORE),
                            .iter = copy_of(c, form ? iter : l.range, l.node),
                            .body = std::move(body)},
                  l.node);
  }

  bool needed_here(const Value &v) const {
    return std::any_of(v.readers.begin(), v.readers.end(), [&](size_t r) { return instructions_[r].turn == turn_; });
  }
  // Stores what later turns need, and loads what earlier ones made.
  bool across(size_t loop, size_t place, std::vector<uint32_t> &out) {
    bool worth = false;
    for (size_t k = 0; k < values_.size(); ++k) {
      const Value &v = values_[k];
      if (v.crosses != place || items_[v.item].parent != loop) continue;
      const Node origin = items_[v.item].node;
      if (v.turn == turn_) {
        std::vector<uint32_t> operands{c.name(v.memory, origin), c.name(v.name, origin)};
        for (const std::string &i : v.index) operands.push_back(c.parse(i, origin));
        out.push_back(statement("tstore", std::move(operands), origin));
        worth = true;
      } else if (v.turn < turn_ && needed_here(v)) {
        load(
            k, v.memory, [&](size_t d) { return c.parse(v.index[d], origin); }, v.index.size(), origin, out);
        worth = true;
      }
    }
    return worth;
  }
  // To a tile of a vector core, or to mat tiles, one each for how products see it.
  void load(size_t k, const std::string &tensor, const auto &index, size_t count, Node origin,
            std::vector<uint32_t> &out) {
    const Value &v = values_[k];
    const auto into = [&](const std::string &tile) {
      std::vector<uint32_t> operands{c.name(tile, origin), c.name(tensor, origin)};
      for (size_t d = 0; d < count; ++d) operands.push_back(index(d));
      out.push_back(statement("tload", std::move(operands), origin));
    };
    if (turn_ % 2 == 0) {
      declare_here(k, out);
      return into(v.name);
    }
    for (const bool transposed : {false, true})
      if (multiplied(k, transposed) && !in_steps(k)) {
        const std::string name = c.fresh(v.name + "_mat");
        mats_[{k, transposed}] = name;
        const auto [rows, columns] = matrix(v, transposed);
        tile(name, v, rows, columns, "mat", transposed, origin, out);
        into(name);
      }
  }
  bool multiplied(size_t k, bool transposed) const {
    for (const auto &[n, two] : operands_)
      for (const MatrixOperand &f : {two.first, two.second})
        if (f.value == k && f.transposed == transposed && instructions_[n].turn == turn_) return true;
    return false;
  }
  // A tile stands where the program has it in the kernel that writes it.
  void declared(size_t k, std::vector<uint32_t> &out) {
    const Value &v = values_[k];
    if (v.turn != turn_ || v.writers.empty() || anywhere(v)) return;
    Product p;
    if (!instructions_[v.writers[0]].product())
      declare_here(k, out);
    else if (shape(v.writers[0], p))
      tile(v.name, v, p.rows, p.columns, "acc", false, items_[v.item].node, out);
  }
  void declare_here(size_t k, std::vector<uint32_t> &out) {
    if (!tiles_.insert(k).second) return;
    const Value &v = values_[k];
    const Node origin = items_[v.item].node;
    std::vector<uint32_t> parts{copy_of(c, v.dtype, origin)};
    for (const Node e : v.extents) parts.push_back(copy_of(c, e, origin));
    out.push_back(c.assign(v.name, HTP_NONE, c.call("pto.tile", std::move(parts), origin), origin));
  }
  void tile(const std::string &name, const Value &like, const std::string &rows, const std::string &columns,
            const char *space, bool transposed, Node origin, std::vector<uint32_t> &out) {
    std::vector<uint32_t> words{c.make(make::keyword{.arg = "space", .value = c.string_node(space, origin)}, origin)};
    if (transposed)
      words.push_back(c.make(make::keyword{.arg = "layout", .value = c.string_node("zn", origin)}, origin));
    out.push_back(
        c.assign(name, HTP_NONE,
                 c.call("pto.tile", {copy_of(c, like.dtype, origin), c.parse(rows, origin), c.parse(columns, origin)},
                        origin, std::move(words)),
                 origin));
  }
  // Rows and columns of a matrix: the last two extents. Those before are 1.
  std::pair<std::string, std::string> matrix(const Value &v, bool transposed) const {
    const size_t n = v.extents.size();
    std::pair two{n > 1 ? extent_text(v.extents[n - 2]) : "1", extent_text(v.extents[n - 1])};
    if (transposed) std::swap(two.first, two.second);
    return two;
  }

  bool instruction_here(size_t n, std::vector<uint32_t> &out) {
    const Instruction i = instructions_[n];
    const Node origin = items_[i.item].node;
    if (i.dropped) return false;
    if (i.writes != SIZE_MAX && anywhere(values_[i.writes])) {
      if (!needed_here(values_[i.writes])) return false;
      if (i.word == "tload")
        load(
            i.writes, i.tensor, [&](size_t d) { return copy_of(c, i.operands[d + 2], origin); }, i.operands.size() - 2,
            origin, out);
      else
        declare_here(i.writes, out), out.push_back(copy(i, origin));
      return true;
    }
    if (i.turn != turn_) return false;
    if (i.product()) {
      product(n, out);
      return true;
    }
    if (i.work != SIZE_MAX) declare_here(i.work, out);
    out.push_back(copy(i, origin));
    return true;
  }
  Node copy(const Instruction &i, Node origin) {
    std::vector<uint32_t> operands;
    for (const Node o : i.operands) operands.push_back(copy_of(c, o, origin));
    return statement(i.word, std::move(operands), origin);
  }

  // ── products ──

  // The most that an extent may be; nothing where it is not known.
  std::optional<int64_t> most(const std::string &extent) const {
    const auto it = loops_.find(extent);
    if (it == loops_.end()) {
      const Node n = c.parse(extent, function_);
      return constants_.integer(n);
    }
    const Nodes a = c.get<ast::Call>(items_[it->second].range).args();
    const auto size = constants_.integer(a[1]), of = most(extent_text(a[0]));
    return size && of ? std::min(*size, *of) : size;
  }

  struct Product {
    MatrixOperand left, right;
    std::string rows, sum, columns; // m, k, n
    int64_t step = 0;               // where it is not known how long the sum is: its parts are loaded one by one
  };
  // Whether another product sums along the extent.
  bool summed(const std::string &extent) const {
    return std::any_of(operands_.begin(), operands_.end(), [&](const auto &f) {
      const MatrixOperand &left = f.second.first;
      return matrix(values_[left.value], left.transposed).second == extent;
    });
  }
  bool is_dim(const std::string &extent) const {
    return !loops_.contains(extent) && !integers_.contains(extent) && c.is(c.parse(extent, function_), HTP_Name);
  }
  bool shape(size_t n, Product &p) {
    const Instruction &i = instructions_[n];
    const Node origin = items_[i.item].node;
    std::tie(p.left, p.right) = operands_.at(n);
    std::tie(p.rows, p.sum) = matrix(values_[p.left.value], p.left.transposed);
    p.columns = matrix(values_[p.right.value], p.right.transposed).second;
    for (const size_t v : {p.left.value, p.right.value, i.writes})
      for (size_t d = 0; d + 2 < values_[v].extents.size(); ++d)
        if (extent_text(values_[v].extents[d]) != "1") {
          c.report(diag::too_many_dimensions, origin, values_[v].name);
          return false;
        }
    const DType &dtype = *dtype_named(values_[p.left.value].word);
    const auto rows = most(p.rows), columns = most(p.columns), sum = most(p.sum);
    for (const auto &[extent, known] : {std::pair(p.rows, rows), std::pair(p.columns, columns)})
      if (!known) {
        c.report(diag::product_extent, origin, extent)
            .hint((summed(extent)
                       ? "go over it in blocks, and add up the product that sums along it: `for j in tiles(" + extent +
                             ", 128): h = matmul(a[i, :], b[:, j]); acc = matmul(h, c[j, :], acc)`"
                       : "compute it in blocks whose size is known: `tiles(" + extent + ", 128)`") +
                  (is_dim(extent) ? "; or compile it for one size, `--set " + extent + "=64`" : ""));
        return false;
      }
    if (!sum) p.step = *step_of_sum(dtype, *rows, *columns, sum);
    return true;
  }
  // Whether some product takes this value part by part.
  bool in_steps(size_t k) {
    for (const auto &[n, two] : operands_) {
      if (instructions_[n].turn != turn_ || (two.first.value != k && two.second.value != k)) continue;
      Product p;
      if (!shape(n, p)) return false;
      if (p.step) return true;
    }
    return false;
  }

  void product(size_t n, std::vector<uint32_t> &out) {
    Product p;
    if (!shape(n, p)) return;
    const Instruction &i = instructions_[n];
    const Node origin = items_[i.item].node;
    const Value &result = values_[i.writes];
    const std::string part = p.step ? c.fresh("k_part") : p.sum;
    std::vector<uint32_t> body;
    const auto operand = [&](const MatrixOperand &f, bool left) {
      const Value &v = values_[f.value];
      const std::string rows = left ? p.rows : part, columns = left ? part : p.columns;
      std::string mat;
      if (p.step) {
        mat = c.fresh(v.name + "_mat");
        tile(mat, v, rows, columns, "mat", f.transposed, origin, body);
        body.push_back(part_of(f, left, mat, part, origin));
      } else {
        mat = mats_.at({f.value, f.transposed});
      }
      const std::string name = c.fresh(v.name + (left ? "_left" : "_right"));
      tile(name, v, rows, columns, left ? "left" : "right", false, origin, body);
      body.push_back(statement("tmov", {c.name(name, origin), c.name(mat, origin)}, origin));
      return name;
    };
    const std::string left = operand(p.left, true), right = operand(p.right, false);
    // The first product of a sum writes, the others add.
    std::vector<std::string> first;
    if (p.step)
      first.push_back(part + ".start == " + (loops_.contains(p.sum) && !result.sums ? p.sum + ".start" : "0"));
    if (result.sums) {
      std::set<size_t> seen;
      if (p.step && loops_.contains(p.sum)) seen.insert(loops_.at(p.sum));
      for (const size_t l : loops_around(i.item, items_[result.item].parent)) {
        const Item &loop = items_[l];
        const Nodes a = c.get<ast::Call>(loop.range).args();
        const auto outer = loop.blocks ? loops_.find(c.name_of(a[0])) : loops_.end();
        if (!seen.contains(l)) {
          const bool inner = outer != loops_.end() && !within(outer->second, items_[result.item].parent);
          first.push_back(!loop.blocks ? loop.variable + " == " + (a.size() > 1 ? extent_text(a[0]) : "0")
                                       : loop.variable + ".start == " + (inner ? outer->first + ".start" : "0"));
        }
        if (outer != loops_.end()) seen.insert(outer->second);
      }
    }
    const auto multiply = [&](const char *word) {
      return statement(word, {c.name(result.name, origin), c.name(left, origin), c.name(right, origin)}, origin);
    };
    std::string condition;
    for (const std::string &f : first) condition += (condition.empty() ? "" : " and ") + f;
    if (first.empty())
      body.push_back(multiply("tmatmul"));
    else
      body.push_back(c.make(make::If{.test = c.parse(condition, origin),
                                     .body = {multiply("tmatmul")},
                                     .orelse = {multiply("tmatmul_acc")}},
                            origin));
    if (!p.step) {
      out.insert(out.end(), body.begin(), body.end());
      return;
    }
    const Node range = c.call(imports_.name("htp_tile", "tiles", "tile"),
                              {c.parse(p.sum, origin), c.integer_node(p.step, origin)}, origin);
    out.push_back(
        c.make(make::For{.target = c.name(part, origin, HTP_STORE), .iter = range, .body = std::move(body)}, origin));
  }
  // A part of a factor, straight from its tensor.
  Node part_of(const MatrixOperand &f, bool left, const std::string &mat, const std::string &part, Node origin) {
    const Value &v = values_[f.value];
    const Instruction *load = anywhere(v) ? &instructions_[v.writers[0]] : nullptr;
    std::vector<uint32_t> operands{c.name(mat, origin), load ? c.name(load->tensor, origin) : c.name(v.memory, origin)};
    const size_t count = load ? load->operands.size() - 2 : v.index.size();
    // The sum runs along the columns of the left one, and the rows of the right one.
    const size_t along = (left != f.transposed) ? count - 1 : count - 2;
    for (size_t d = 0; d < count; ++d) {
      const Node index = load ? copy_of(c, load->operands[d + 2], origin) : c.parse(v.index[d], origin);
      operands.push_back(d == along ? c.name(part, origin) : index);
    }
    return statement("tload", std::move(operands), origin);
  }

  Imports imports_;
  std::map<std::pair<size_t, bool>, std::string> mats_;
  std::set<size_t> tiles_; // declared in the kernel that is written
  Node chosen_ = HTP_NONE; // the `if` whose body was written last
  int turn_ = 0;
};

} // namespace

Node split(const Context &c, Node root) {
  Splitting splitting(c, root, c.entry_function(root));
  const Node changed = splitting.run();
  return !changed || c.errors() ? HTP_NONE
                                : splitting.imported(with_statement(c, root, c.entry_function(root), changed));
}

} // namespace htp::a2a3
