// cpu.widen_blocks: blocks of a product's rows or columns become as large as the caches hold, where nothing depends on
// how large they are: what a block loads of the other operand then serves more of its rows.
//
//   for i in tile.tiles(M, 16):                            for i in tile.tiles(M, 256):
//       for j in tile.tiles(N, 32):                   →        for j in tile.tiles(N, 64):
//           acc = cpu.matmul(a_tile, b_tile, acc)                  acc = cpu.matmul(a_tile, b_tile, acc)
//
// Elements of a block go their own ways where every statement computes them one by one along the block: loads and
// stores at it, what is elementwise, products whose row or column it is, and sums along something else. What a schedule
// says is done: then the sizes are decided already.
#include "cpu.h"
#include "lowering/loops/uses.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <set>

namespace htp::cpu {

namespace {

constexpr int64_t rows_of_unknown_length = 64;
constexpr int64_t bytes_of_tiles = 192 * 1024; // of all tiles of a block: they stay in the second level's cache

class Widening {
public:
  Widening(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), function_(function) {
    c.each(function, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n))
        types_.try_emplace(std::string(c.name_of(a.target())), read_type(c, names_, a.annotation()));
      if (auto f = c.as<ast::For>(n)) note_block(f);
      if (!c.name_of(n).empty()) ++mentions_[std::string(c.name_of(n))];
      if (c.is(n, HTP_FunctionDef) && n != function) has_processes_ = true;
    });
  }

  Node run() {
    return rewrite(
        c, function_,
        [&](Node n) {
          const auto it = wider_.find(n);
          return it == wider_.end() ? n : c.integer_node(it->second, n);
        },
        [&](Node, std::vector<uint32_t> &) { return false; });
  }
  // Finds what becomes of which sizes; the loop of the first.
  Node find() {
    Node first = HTP_NONE;
    if (!has_processes_)
      c.each(function_, [&](Node n) {
        auto loop = c.as<ast::For>(n);
        const auto size = loop ? wider(loop) : std::nullopt;
        if (!size) return;
        wider_[c.get<ast::Call>(loop.iter()).args()[1]] = *size;
        if (!first) first = n;
      });
    return first;
  }

private:
  void note_block(ast::For loop) {
    const Nodes arguments = tiles(loop);
    const auto size = arguments.empty() ? std::nullopt : constants_.integer(arguments[1]);
    auto [it, fresh] = sizes_.try_emplace(std::string(c.name_of(loop.target())), size);
    if (!fresh && it->second != size) it->second = std::nullopt;
  }
  // What `tile.tiles` is called with, where nothing wraps it.
  Nodes tiles(ast::For loop) const {
    auto call = c.as<ast::Call>(loop.iter());
    const bool blocks = call && names_.called(loop.iter()) == "htp_tile.tiles" && call.args().size() == 2;
    return blocks && call.keywords().empty() ? call.args() : Nodes();
  }

  std::optional<int64_t> wider(ast::For loop) {
    const Nodes arguments = tiles(loop);
    const auto size = arguments.empty() ? std::nullopt : constants_.integer(arguments[1]);
    block_ = c.name_of(loop.target());
    if (!size || *size < 1 || block_.empty() || sizes_.contains(c.name_of(arguments[0]))) return std::nullopt;
    rows_ = columns_ = unknown_ = false;
    bytes_ = 0;
    stored_.clear(), loaded_.clear();
    if (!apart(loop.body()) || !(rows_ || columns_) || !own_names(loop) || !own_elements()) return std::nullopt;
    int64_t most = c.option_int(rows_ ? "rows" : "columns");
    if (unknown_) most = std::min(most, rows_of_unknown_length);
    if (bytes_ > 0) most = std::min(most, bytes_of_tiles / bytes_);
    if (const auto extent = constants_.integer(arguments[0])) most = std::min(most, *extent);
    const int64_t wide = most / *size * *size;
    return wide > *size ? std::optional(wide) : std::nullopt;
  }

  bool mentions(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) { found = found || c.name_of(e) == block_; });
    return found;
  }
  const Type *type_of(Node n) const {
    const auto it = types_.find(c.name_of(n));
    return c.name_of(n).empty() || it == types_.end() ? nullptr : &it->second;
  }
  // Where the block stands among the extents; -1 where it does not.
  int dimension(const Type &type) const {
    for (size_t d = 0; d < type.dims.size(); ++d)
      if (c.name_of(type.dims[d]) == block_) return static_cast<int>(d);
    return -1;
  }

  // ── whether elements of the block go their own ways ───────────────────────────────────────────────────────────────

  bool apart(Nodes body) {
    return std::ranges::all_of(body, [&](Node s) {
      if (auto loop = c.as<ast::For>(s)) return !mentions(loop.iter()) && apart(loop.body());
      if (auto branch = c.as<ast::If>(s))
        return !mentions(branch.test()) && apart(branch.body()) && apart(branch.orelse());
      if (c.is(s, HTP_Pass)) return true;
      if (!loops::is_tile_statement(c, names_, s))
        return !c.is(s, HTP_While) && !mentions(s) && !loops::bound_name(c, s).empty();
      return statement(s);
    });
  }

  bool statement(Node s) {
    const Node value = loops::value_of(c, s);
    auto call = c.as<ast::Call>(value);
    if (!call) return count(s); // a tile by another name
    const std::string called = names_.called(value);
    const std::string_view intrinsic = cpu_intrinsic(called);
    const Nodes arguments = call.args();
    if (std::ranges::any_of(call.keywords(), [&](Node n) { return mentions(n); })) return false;
    if (intrinsic == "load" || intrinsic == "store") {
      const size_t first = intrinsic == "load" ? 1 : 2;
      std::optional<size_t> at;
      for (size_t k = first; k < arguments.size(); ++k) {
        if (type_of(arguments[k])) return false; // an index of a tile's elements
        if (!mentions(arguments[k])) continue;
        if (at || c.name_of(arguments[k]) != block_) return false;
        at = k - first;
      }
      const std::string tensor(c.name_of(arguments[0]));
      (first == 1 ? loaded_ : stored_).emplace_back(tensor, at);
      return first == 2 || count(s);
    }
    if (intrinsic == "zeros" || intrinsic == "full" || intrinsic == "iota") {
      const Nodes extents = arguments.subspan(intrinsic == "full" ? 2 : 1);
      const auto whole = [&](Node n) { return !mentions(n) || c.name_of(n) == block_; };
      if (intrinsic == "full" && mentions(arguments[1])) return false;
      return std::ranges::all_of(extents, whole) && count(s);
    }
    // How long it is, or where it begins.
    if (std::ranges::any_of(arguments, [&](Node n) { return mentions(n); })) return false;
    if (intrinsic == "matmul") {
      const Type *left = type_of(arguments[0]), *right = type_of(arguments[1]);
      if (!left || !right || left->dims.size() < 2 || right->dims.size() != left->dims.size()) return false;
      const int rank = static_cast<int>(left->dims.size()), in_left = dimension(*left), in_right = dimension(*right);
      if (in_left == rank - 1 || in_right == rank - 2) return false;
      rows_ = rows_ || in_left == rank - 2;
      columns_ = columns_ || in_right == rank - 1;
      return count(s, true);
    }
    if (intrinsic.starts_with("reduce_") || intrinsic.starts_with("scan_")) {
      const Type *from = arguments.empty() ? nullptr : type_of(arguments[0]);
      int64_t axis = 0;
      bool known = false;
      for (const Node n : call.keywords())
        if (auto kw = c.get<ast::keyword>(n); kw.arg() == "axis") known = c.integer(kw.value(), &axis);
      if (!from || !known) return false;
      if (axis < 0) axis += static_cast<int64_t>(from->dims.size());
      return dimension(*from) != axis && count(s);
    }
    return (intrinsic == "transpose" || intrinsic == "cast" || operation(intrinsic)) && count(s);
  }
  static bool operation(std::string_view intrinsic) {
#define SCALAR(...)
#define HANDLER(...)
#define ELEMENTWISE(intrinsic_, operation, ...)                                                                        \
  if (intrinsic == #operation) return true;
#include "operations.def"
    return false;
  }

  // Whether the statement's tile may be larger. Sums of a product are part of what a block needs, as often as not with
  // what is made of them; other tiles are rather values in a loop.
  bool count(Node s, bool sums = false) {
    const auto name = loops::bound_name(c, s);
    const auto it = types_.find(name);
    if (it == types_.end() || it->second.form != Type::Form::tile || !it->second.dtype || it->second.space ||
        it->second.layout)
      return false;
    const Type &type = it->second;
    if (dimension(type) < 0 || !sums) return true;
    int64_t elements = 1;
    for (const Node d : type.dims) {
      if (c.name_of(d) == block_) continue;
      const auto block = sizes_.find(c.name_of(d));
      const auto known = block != sizes_.end() && !c.name_of(d).empty() ? block->second : constants_.integer(d);
      if (!known || *known > bytes_of_tiles) return unknown_ = true;
      elements *= std::max<int64_t>(*known, 1);
      if (elements > bytes_of_tiles) return unknown_ = true;
    }
    bytes_ += 2 * elements * type.dtype->bytes;
    return true;
  }

  // What the loop binds is bound before it is read, and nobody else's.
  bool own_names(ast::For loop) const {
    std::map<std::string, size_t, std::less<>> inside;
    std::set<std::string, std::less<>> bound, all, read_first; // bound: whatever ran before
    c.each(loop.node, [&](Node n) {
      if (!c.name_of(n).empty()) ++inside[std::string(c.name_of(n))];
    });
    const auto visit = [&](auto &&self, Nodes body) -> void {
      for (const Node s : body) {
        const auto read = [&](Node n) {
          c.each(n, [&](Node e) {
            if (const auto name = c.name_of(e); !name.empty() && !bound.contains(name)) read_first.emplace(name);
          });
        };
        if (auto f = c.as<ast::For>(s)) {
          read(f.iter());
          const auto before = bound;
          bound.emplace(c.name_of(f.target()));
          all.emplace(c.name_of(f.target()));
          self(self, f.body());
          bound = before;
        } else if (auto b = c.as<ast::If>(s)) {
          read(b.test());
          for (const Nodes part : {b.body(), b.orelse()}) {
            const auto before = bound;
            self(self, part);
            bound = before;
          }
        } else {
          if (const Node value = loops::value_of(c, s)) read(value);
          if (const auto name = loops::bound_name(c, s); !name.empty()) bound.emplace(name), all.emplace(name);
        }
      }
    };
    visit(visit, loop.body());
    return std::ranges::all_of(all, [&](const std::string &name) {
      if (read_first.contains(name)) return false;
      return mentions_.at(name) == inside.at(name);
    });
  }

  // What the loop writes of a tensor is the block's own, and so is what it reads of that.
  bool own_elements() const {
    std::map<std::string, size_t, std::less<>> written;
    for (const auto &[tensor, at] : stored_)
      if (!at || written.try_emplace(tensor, *at).first->second != *at) return false;
    return std::ranges::all_of(loaded_, [&](const auto &load) {
      const auto it = written.find(load.first);
      return it == written.end() || load.second == it->second;
    });
  }

  const Context &c;
  const Names names_;
  const sdk::Constants constants_;
  const Node function_;
  bool has_processes_ = false;
  std::map<std::string, Type, std::less<>> types_;                   // of tiles
  std::map<std::string, std::optional<int64_t>, std::less<>> sizes_; // of blocks, and of other loops' names none
  std::map<std::string, size_t, std::less<>> mentions_;
  std::map<Node, int64_t> wider_; // by the node of the size
  // Of the loop at hand:
  std::string_view block_;
  bool rows_ = false, columns_ = false, unknown_ = false;
  int64_t bytes_ = 0;
  std::vector<std::pair<std::string, std::optional<size_t>>> stored_, loaded_;
};

} // namespace

Result widen_blocks(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  out = root;
  // A block that became wider counts for those around it.
  for (Node at = function;;) {
    Widening widening(c, out, at);
    if (!widening.find()) return HTP_OK;
    out = with_statement(c, out, at, widening.run());
    at = c.entry_function(out);
  }
}

} // namespace htp::cpu
