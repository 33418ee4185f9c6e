// The operands of a product are moved through the memories of a cube core: to a tile in L1, and from there to one in
// L0A and one in L0B; sums are made in L0C. Casts and transposes before a product are left to the way there, and a cast
// of its result to the store. A product whose sum is of unknown length goes in steps along it, each of which is loaded
// by itself.
#include "analyses/program.h"
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

constexpr int64_t most_apart = 65535; // elements between lines that are loaded to boxes, in 16 bits

class Staging {
public:
  Staging(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), root_(root),
        function_(context.entry_function(root)), bound_(bound()), imports_(context, root, bound_) {}

  // The kernel; 0 after a report.
  Node run(Node kernel) {
    tiles_.clear(), products_.clear(), loops_.clear(), mats_.clear(), not_loaded_.clear(), gone_.clear();
    stored_as_.clear();
    read(kernel);
    bool fine = not_loaded_.empty();
    for (const auto &[name, use] : not_loaded_)
      c.report(diag::operand_space, use.first, instruction_of(use.first), name, space_named(use.second)->text,
               spaces[0].text)
          .hint("load it in this kernel: `pto.tload(" + name + ", …)`");
    for (auto &[call, p] : products_) fine &= shape(call, p);
    if (!fine || products_.empty()) return fine ? kernel : HTP_NONE;
    find_result_casts();
    return with_list(c, kernel, HTP_FIELD(With, body), block(c.get<ast::With>(kernel).body()));
  }
  // The module with what the kernels need.
  Node imported(Node root) const { return imports_.apply(root); }

private:
  struct Declared {
    Node dtype = HTP_NONE;
    std::vector<Node> extents;
    std::vector<Node> writers, readers; // calls
  };
  // What a product multiplies: a tile that is loaded, or its transpose.
  struct Operand {
    std::string tile;
    bool transposed = false;
  };
  struct Product {
    Operand left, right;
    std::string rows = {}, sum = {}, columns = {}; // m, k, n
    int64_t step = 0;                              // along a sum of unknown length
  };

  std::set<std::string, std::less<>> bound() const {
    std::set<std::string, std::less<>> all;
    c.each(function_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) all.emplace(name.id());
    });
    return all;
  }
  std::string instruction_of(Node call) const {
    const std::string called = c.is(call, HTP_Call) ? names_.called(call) : std::string();
    return called.starts_with("htp_pto.") ? called.substr(8) : std::string();
  }
  static bool multiplies(std::string_view instruction) {
    return instruction == "tmatmul" || instruction == "tmatmul_acc";
  }
  std::string operand_of(Node call, size_t n) const {
    const Nodes operands = c.get<ast::Call>(call).args();
    return n < operands.size() ? std::string(c.name_of(operands[n])) : std::string();
  }
  std::string dtype_of(const Declared &t) const {
    const std::string dtype = names_.qualified(t.dtype);
    return dtype.substr(dtype.rfind('.') + 1);
  }

  // ── the kernel as it is ──

  void read(Node kernel) {
    std::vector<Node> products; // in order
    c.each(kernel, [&](Node n) {
      if (auto l = c.as<ast::For>(n)) {
        const Node range = loop_forms(c, names_, l.iter()).range;
        if (names_.called(range) == "htp_tile.tiles" && c.get<ast::Call>(range).args().size() == 2)
          loops_[std::string(c.name_of(l.target()))] = range;
      }
      if (auto a = c.as<ast::Assign>(n); a && instruction_of(a.value()) == "tile") {
        auto call = c.get<ast::Call>(a.value());
        if (!call.keywords().empty() || call.args().size() < 2) return; // it is in a memory
        const Nodes extents = call.args().subspan(1);
        tiles_[std::string(c.name_of(a.targets()[0]))] = {call.args()[0], {extents.begin(), extents.end()}, {}, {}};
      }
      const std::string instruction = instruction_of(n);
      if (!instruction.starts_with("t") || instruction == "tile") return;
      const Nodes operands = c.get<ast::Call>(n).args();
      for (size_t k = 0; k < operands.size(); ++k)
        if (const auto t = tiles_.find(c.name_of(operands[k])); t != tiles_.end())
          (k == 0 && instruction != "tstore" ? t->second.writers : t->second.readers).push_back(n);
      if (multiplies(instruction)) products.push_back(n);
    });
    for (const Node n : products) {
      if (!tiles_.contains(operand_of(n, 0))) continue; // it is in L0C
      const auto left = operand(operand_of(n, 1)), right = operand(operand_of(n, 2));
      if (left && right)
        products_.push_back({n, {*left, *right}});
      else
        not_loaded_.try_emplace(operand_of(n, left ? 2 : 1), n, left ? "right" : "left");
    }
  }
  // The tile that is loaded for an operand; what leads from that to the operand is not needed then.
  std::optional<Operand> operand(std::string name) {
    Operand o{std::move(name)};
    for (std::set<std::string> way;;) {
      const auto t = tiles_.find(o.tile);
      if (t == tiles_.end() || t->second.writers.size() != 1) return std::nullopt;
      const Node call = t->second.writers[0];
      const std::string instruction = instruction_of(call);
      way.insert(o.tile);
      if (instruction == "tload") return gone_.insert(way.begin(), way.end()), o;
      if (instruction != "ttrans" && instruction != "tmov" && instruction != "tcvt") return std::nullopt;
      if (const size_t work = work_of(instruction); work != SIZE_MAX) way.insert(operand_of(call, work));
      o.transposed ^= instruction == "ttrans";
      o.tile = operand_of(call, 1);
    }
  }
  // A cast of a sum that is stored alone: L0C is stored in another dtype.
  void find_result_casts() {
    for (const auto &[call, p] : products_) {
      const std::string sum = operand_of(call, 0);
      for (const Node reader : tiles_.at(sum).readers) {
        const auto to = instruction_of(reader) == "tcvt" ? tiles_.find(operand_of(reader, 0)) : tiles_.end();
        if (to == tiles_.end() || dtype_of(tiles_.at(sum)) != "f32" ||
            (dtype_of(to->second) != "f16" && dtype_of(to->second) != "bf16") || to->second.writers.size() != 1 ||
            !std::all_of(to->second.readers.begin(), to->second.readers.end(),
                         [&](Node r) { return instruction_of(r) == "tstore"; }))
          continue;
        stored_as_[to->first] = sum;
        gone_.insert(to->first);
      }
    }
  }

  // ── extents ──

  std::string text(Node n) const {
    const auto number = constants_.integer(n);
    return number ? std::to_string(*number) : c.show(n);
  }
  // The most that an extent may be; nothing where it is not known.
  std::optional<int64_t> most(const std::string &extent) const {
    const auto it = loops_.find(extent);
    if (it == loops_.end()) return constants_.integer(c.parse(extent, function_));
    const Nodes a = c.get<ast::Call>(it->second).args();
    const auto size = constants_.integer(a[1]), of = most(text(a[0]));
    return size && of ? std::min(*size, *of) : size;
  }
  // Rows and columns of a matrix: the last two extents. Those before are 1.
  std::pair<std::string, std::string> matrix(const Operand &o) const {
    const std::vector<Node> &extents = tiles_.at(o.tile).extents;
    const size_t n = extents.size();
    std::pair two{n > 1 ? text(extents[n - 2]) : "1", text(extents[n - 1])};
    if (o.transposed) std::swap(two.first, two.second);
    return two;
  }
  // Whether a product of any kernel sums along the extent.
  bool summed(const std::string &extent) const {
    const Nodes body = c.get<ast::FunctionDef>(function_).body();
    return std::any_of(body.begin(), body.end(), [&](Node s) {
      if (!c.is(s, HTP_With) || !on_cube(c, s)) return false;
      Staging other(c, root_);
      other.read(s);
      return std::any_of(other.products_.begin(), other.products_.end(),
                         [&](const auto &p) { return other.matrix(p.second.left).second == extent; });
    });
  }
  bool is_dim(const std::string &extent) const {
    return !loops_.contains(extent) && !bound_.contains(extent) && c.is(c.parse(extent, function_), HTP_Name);
  }
  bool shape(Node call, Product &p) {
    std::tie(p.rows, p.sum) = matrix(p.left);
    p.columns = matrix(p.right).second;
    for (const std::string &name : {p.left.tile, p.right.tile, operand_of(call, 0)}) {
      const std::vector<Node> &extents = tiles_.at(name).extents;
      for (size_t d = 0; d + 2 < extents.size(); ++d)
        if (text(extents[d]) != "1") {
          c.report(diag::too_many_dimensions, call, name);
          return false;
        }
    }
    const auto rows = most(p.rows), columns = most(p.columns), sum = most(p.sum);
    for (const auto &[extent, known] : {std::pair(p.rows, rows), std::pair(p.columns, columns)})
      if (!known) {
        c.report(diag::product_extent, call, extent)
            .hint((summed(extent)
                       ? "go over it in blocks, and add up the product that sums along it: `for j in tiles(" + extent +
                             ", 128): h = matmul(a[i, :], b[:, j]); acc = matmul(h, c[j, :], acc)`"
                       : "compute it in blocks whose size is known: `tiles(" + extent + ", 128)`") +
                  (is_dim(extent) ? "; or compile it for one size, `--set " + extent + "=64`" : ""));
        return false;
      }
    if (const DType *dtype = dtype_named(dtype_of(tiles_.at(p.left.tile))); !sum && dtype)
      p.step = *step_of_sum(*dtype, *rows, *columns, sum);
    return true;
  }

  // ── the kernel with staged operands ──

  std::vector<uint32_t> block(Nodes body) {
    std::vector<uint32_t> out;
    for (const Node s : body) {
      auto a = c.as<ast::Assign>(s);
      auto e = c.as<ast::Expr>(s);
      if (auto l = c.as<ast::For>(s)) {
        out.push_back(with_list(c, s, HTP_FIELD(For, body), block(l.body())));
      } else if (auto f = c.as<ast::If>(s); f && !either_way(s, f, out)) {
        const Node changed = with_list(c, s, HTP_FIELD(If, body), block(f.body()));
        out.push_back(with_list(c, changed, HTP_FIELD(If, orelse), block(f.orelse())));
      } else if (a && instruction_of(a.value()) == "tile") {
        declare(s, std::string(c.name_of(a.targets()[0])), out);
      } else if (e) {
        instruction(s, e.value(), out);
      } else if (!f) {
        out.push_back(s);
      }
    }
    return out;
  }
  const Product *product_of(Node call) const {
    const auto it = std::find_if(products_.begin(), products_.end(), [&](const auto &p) { return p.first == call; });
    return it == products_.end() ? nullptr : &it->second;
  }
  // `if k.start == 0: pto.tmatmul(…)`, `else: pto.tmatmul_acc(…)`
  bool either_way(Node s, ast::If f, std::vector<uint32_t> &out) {
    if (f.body().size() != 1 || f.orelse().size() != 1) return false;
    auto first = c.as<ast::Expr>(f.body()[0]), other = c.as<ast::Expr>(f.orelse()[0]);
    const Product *p = first ? product_of(first.value()) : nullptr;
    if (!p || !other || instruction_of(first.value()) != "tmatmul" || instruction_of(other.value()) != "tmatmul_acc")
      return false;
    for (size_t k = 0; k < 3; ++k)
      if (operand_of(first.value(), k) != operand_of(other.value(), k)) return false;
    multiply(s, first.value(), *p, c.show(f.test()), out);
    return true;
  }
  void declare(Node s, const std::string &name, std::vector<uint32_t> &out) {
    if (gone_.contains(name)) return;
    for (const auto &[call, p] : products_)
      if (operand_of(call, 0) == name) {
        tile(name, tiles_.at(name).dtype, p.rows, p.columns, "acc", false, s, out);
        return;
      }
    out.push_back(s);
  }
  void instruction(Node s, Node call, std::vector<uint32_t> &out) {
    const std::string instruction = instruction_of(call);
    if (const Product *p = product_of(call)) {
      multiply(s, call, *p, "", out);
    } else if (instruction == "tload" && gone_.contains(operand_of(call, 0))) {
      load(s, call, out);
    } else if (instruction == "tstore" && stored_as_.contains(operand_of(call, 1))) {
      auto changed = c.read<ast::Call>(call);
      changed.args[1] = c.name(stored_as_.at(operand_of(call, 1)), call);
      out.push_back(with_slot(c, s, HTP_FIELD(Expr, value), c.with(call, changed)));
    } else if (instruction.empty() || !gone_.contains(operand_of(call, 0))) {
      out.push_back(s);
    }
  }
  // Reports a parameter whose lines begin further apart than a load to boxes counts.
  void check_lines(Node s, Node call) const {
    const Node arguments = c.get<ast::FunctionDef>(function_).args();
    for (const Node n : c.get<ast::arguments>(arguments).args()) {
      auto a = c.get<ast::arg>(n);
      const auto type = a.arg() == operand_of(call, 1) ? read_type(c, a.annotation()) : std::nullopt;
      const Strided lies = type ? strided_of(c, *type) : Strided{};
      for (size_t d = 0; d < lies.steps.size(); ++d) {
        if (lies.shape[d] == 1 || lies.steps[d] <= most_apart) continue;
        c.report(diag::line_distance, s, a.arg(), lies.steps[d], most_apart);
        return;
      }
    }
  }
  // To tiles in L1, one each for how products see it; what a product takes in steps is loaded there.
  void load(Node s, Node call, std::vector<uint32_t> &out) {
    const std::string name = operand_of(call, 0);
    check_lines(s, call);
    for (const bool transposed : {false, true}) {
      const auto takes = [&](const Operand &o) { return o.tile == name && o.transposed == transposed; };
      if (std::none_of(products_.begin(), products_.end(), [&](const auto &p) {
            return !p.second.step && (takes(p.second.left) || takes(p.second.right));
          }))
        continue;
      const std::string mat = c.fresh(name + "_mat");
      mats_[{name, transposed}] = mat;
      const auto [rows, columns] = matrix({name, transposed});
      tile(mat, tiles_.at(name).dtype, rows, columns, "mat", transposed, s, out);
      std::vector<uint32_t> operands{c.name(mat, s)};
      for (const Node o : c.get<ast::Call>(call).args().subspan(1)) operands.push_back(copy_of(c, o, s));
      out.push_back(c.statement(c.call("pto.tload", std::move(operands), s, keywords_of(c, call)), s));
    }
  }
  void multiply(Node s, Node call, const Product &p, const std::string &condition, std::vector<uint32_t> &out) {
    const std::string part = p.step ? c.fresh("k_part") : p.sum;
    std::vector<uint32_t> body;
    const auto operand = [&](const Operand &o, bool left) {
      const Node dtype = tiles_.at(o.tile).dtype;
      const std::string rows = left ? p.rows : part, columns = left ? part : p.columns;
      std::string mat;
      if (p.step) {
        mat = c.fresh(o.tile + "_mat");
        tile(mat, dtype, rows, columns, "mat", o.transposed, s, body);
        body.push_back(part_of(o, left, mat, part, s));
      } else {
        mat = mats_.at({o.tile, o.transposed});
      }
      const std::string name = c.fresh(o.tile + (left ? "_left" : "_right"));
      tile(name, dtype, rows, columns, left ? "left" : "right", false, s, body);
      body.push_back(statement("tmov", {c.name(name, s), c.name(mat, s)}, s));
      return name;
    };
    const std::string left = operand(p.left, true), right = operand(p.right, false);
    const auto product = [&](const std::string &instruction) {
      return statement(instruction, {c.name(operand_of(call, 0), s), c.name(left, s), c.name(right, s)}, s);
    };
    const std::string step = p.step ? part + ".start == 0" : "";
    const std::string first = step.empty() || condition.empty() ? step + condition : step + " and " + condition;
    if (first.empty() || instruction_of(call) == "tmatmul_acc")
      body.push_back(product(instruction_of(call)));
    else
      body.push_back(c.make(
          make::If{.test = c.parse(first, s), .body = {product("tmatmul")}, .orelse = {product("tmatmul_acc")}}, s));
    if (!p.step) {
      out.insert(out.end(), body.begin(), body.end());
      return;
    }
    const Node range =
        c.call(imports_.name("htp_tile", "tiles", "tile"), {c.parse(p.sum, s), c.integer_node(p.step, s)}, s);
    out.push_back(c.make(make::For{.target = c.name(part, s, HTP_STORE), .iter = range, .body = std::move(body)}, s));
  }
  // A step of an operand, straight from its tensor. The sum runs along the columns of the left one, and the rows of the
  // right one.
  Node part_of(const Operand &o, bool left, const std::string &mat, const std::string &part, Node s) const {
    const Nodes loaded = c.get<ast::Call>(tiles_.at(o.tile).writers[0]).args();
    const Node load = tiles_.at(o.tile).writers[0];
    const size_t along = loaded.size() - (left != (o.transposed != is_turned(c, c.get<ast::Call>(load))) ? 1 : 2);
    std::vector<uint32_t> operands{c.name(mat, s), copy_of(c, loaded[1], s)};
    for (size_t k = 2; k < loaded.size(); ++k)
      operands.push_back(k == along ? c.name(part, s) : copy_of(c, loaded[k], s));
    return c.statement(c.call("pto.tload", std::move(operands), s, keywords_of(c, load)), s);
  }
  void tile(const std::string &name, Node dtype, const std::string &rows, const std::string &columns, const char *space,
            bool transposed, Node s, std::vector<uint32_t> &out) const {
    std::vector<uint32_t> keywords{c.make(make::keyword{.arg = "space", .value = c.string_node(space, s)}, s)};
    if (transposed) keywords.push_back(c.make(make::keyword{.arg = "layout", .value = c.string_node("zn", s)}, s));
    out.push_back(c.assign(
        name, HTP_NONE,
        c.call("pto.tile", {copy_of(c, dtype, s), c.parse(rows, s), c.parse(columns, s)}, s, std::move(keywords)), s));
  }
  Node statement(const std::string &instruction, std::vector<uint32_t> operands, Node s) const {
    return c.statement(c.call("pto." + instruction, std::move(operands), s), s);
  }

  const Context &c;
  const Names names_;
  const sdk::Constants constants_;
  Node root_, function_;
  std::set<std::string, std::less<>> bound_; // names of the entry
  Imports imports_;
  std::map<std::string, Declared, std::less<>> tiles_;
  std::vector<std::pair<Node, Product>> products_; // by their calls, in order
  std::map<std::string, Node, std::less<>> loops_; // over blocks, and their ranges
  std::map<std::pair<std::string, bool>, std::string> mats_;
  std::map<std::string, std::pair<Node, const char *>>
      not_loaded_;                                            // operands, with the products and where they take it
  std::set<std::string, std::less<>> gone_;                   // tiles that nothing needs any more
  std::map<std::string, std::string, std::less<>> stored_as_; // casts of sums, and the sums
};

} // namespace

Node stage_operands(const Context &c, Node root) {
  Staging staging(c, root);
  const Node out = with_cube_kernels(c, root, [&](Node kernel) { return staging.run(kernel); });
  return c.errors() ? HTP_NONE : out == root ? root : staging.imported(out);
}

} // namespace htp::a2a3
