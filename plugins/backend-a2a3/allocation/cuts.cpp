// Blocks that take more than the capacity are cut: the statements that work on them go over some of their rows, or of
// their columns, at a time.
#include "allocation/memory.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

// What makes each element of its result of those at its place alone. With columns (`trowexpand…`) or rows
// (`tcolexpand…`) that count for a whole tile, and reductions, one of both ways does.
constexpr std::string_view by_element[] = {"tabs",  "tadd",  "tadds",    "tand",   "tcmp", "tcmps", "tcvt",  "tdiv",
                                           "tdivs", "texp",  "texpands", "tload",  "tlog", "tmax",  "tmaxs", "tmin",
                                           "tmins", "tmov",  "tmul",     "tmuls",  "tneg", "tnot",  "tor",   "trsqrt",
                                           "tsel",  "tsels", "tsqrt",    "tstore", "tsub", "tsubs"};

class Cut {
public:
  Cut(const Context &context, const Names &names, Node kernel, std::string variable, bool rows)
      : c(context), names_(names), kernel_(kernel), variable_(std::move(variable)), rows_(rows) {
    c.each(kernel_, [&](Node n) {
      if (auto call = c.as<ast::Call>(n); call && names_.called(n) == "htp_pto.tstore")
        stored_.emplace(c.name_of(call.args()[0]));
      auto a = c.as<ast::Assign>(n);
      if (!a || names_.called(a.value()) != "htp_pto.tile") return;
      Tile t;
      const Nodes parts = c.get<ast::Call>(a.value()).args();
      std::vector<Extent> extents;
      for (const Node p : parts.subspan(1)) extents.push_back(read_extent(c, p).value_or(Extent{c.show(p), 0}));
      const Shape shape = shape_of(extents);
      t.kind = shape.kind;
      t.cut = (rows_ ? shape.rows : shape.columns).name == variable_;
      t.other = (rows_ ? shape.columns : shape.rows).name == variable_;
      fine_ &= tiles_.emplace(c.name_of(a.targets()[0]), t).second;
    });
  }

  // The kernel with blocks of `size`, which `part` goes over; 0 where they cannot be cut.
  Node run(const std::string &part, int64_t size) {
    if (!fine_) return HTP_NONE;
    const Node changed = rewrite(
        c, kernel_, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          auto l = c.as<ast::For>(s);
          if (!l || c.name_of(l.target()) != variable_) return false;
          auto other = c.read<ast::For>(s);
          const Node range = loop_forms(c, names_, l.iter()).range;
          const Node blocks =
              c.call(c.dotted(c.get<ast::Call>(range).func()), {c.name(variable_, s), c.integer_node(size, s)}, s);
          other.body = wrapped(l.body(), part, blocks);
          done_ = true;
          out.push_back(c.with(s, other));
          return true;
        });
    return fine_ && done_ ? changed : HTP_NONE;
  }

private:
  struct Tile {
    Kind kind = Kind::other;
    bool cut = false, other = false; // has blocks that are cut; along the other axis
  };
  const Tile *tile(Node n) const {
    const auto it = tiles_.find(c.name_of(n));
    return it == tiles_.end() ? nullptr : &it->second;
  }
  bool declares(Node s) const {
    auto a = c.as<ast::Assign>(s);
    return a && names_.called(a.value()) == "htp_pto.tile";
  }
  // Whether something of it works on what is cut.
  bool concerns(Node s) const {
    bool found = false;
    c.each(s, [&](Node n) {
      const Tile *t = c.is(n, HTP_Name) ? tile(n) : nullptr;
      found |= t && t->cut;
    });
    return found;
  }

  // A body with the loop over parts in it, as far inside as it goes.
  std::vector<uint32_t> wrapped(Nodes body, const std::string &part, Node blocks) {
    size_t first = body.size(), end = 0;
    for (size_t k = 0; k < body.size(); ++k)
      if (concerns(body[k])) first = std::min(first, k), end = k + 1;
    std::vector<uint32_t> out(body.begin(), body.end());
    if (first >= end) return fine_ = false, out;
    if (end == first + 1 && c.is(body[first], HTP_For)) {
      auto inner = c.read<ast::For>(body[first]);
      inner.body = wrapped(c.get<ast::For>(body[first]).body(), part, blocks);
      out[first] = c.with(body[first], inner);
      return out;
    }
    out.resize(first);
    // What is the same for all parts is done before.
    std::vector<uint32_t> parts;
    Words before, after; // tiles that are made before, and those that a part has read
    for (size_t k = first; k < end; ++k) {
      if (concerns(body[k])) {
        check(body[k], true);
        c.each(body[k], [&](Node n) {
          if (c.is(n, HTP_Name) && tile(n)) after.emplace(c.name_of(n));
        });
        parts.push_back(renamed(body[k], part));
        continue;
      }
      moves(body[k], after);
      out.push_back(body[k]);
    }
    const Node origin = body[first];
    out.push_back(c.make(make::For{.target = c.name(part, origin, HTP_STORE), .iter = blocks, .body = parts}, origin));
    out.insert(out.end(), body.begin() + static_cast<ptrdiff_t>(end), body.end());
    return out;
  }
  // Of what stands between parts: it stores nothing, and writes nothing that they have read.
  void moves(Node s, const Words &after) {
    c.each(s, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const std::string instruction = call ? names_.called(n) : std::string();
      if (!instruction.starts_with("htp_pto.t") || instruction == "htp_pto.tile") return;
      if (instruction == "htp_pto.tstore" || after.contains(c.name_of(call.args()[0]))) fine_ = false;
      if (instruction == "htp_pto.tload") fine_ &= !stored_.contains(c.name_of(call.args()[1])); // once for all parts
    });
  }
  // Whether a statement does with each part what it does with the block.
  void check(Node s, bool outermost) {
    if (auto l = c.as<ast::For>(s)) {
      fine_ &= !mentions(l.iter());
      for (const Node n : l.body()) check(n, false);
    } else if (auto f = c.as<ast::If>(s)) {
      fine_ &= !mentions(f.test());
      for (const Node n : f.body()) check(n, false);
      for (const Node n : f.orelse()) check(n, false);
    } else if (auto e = c.as<ast::Expr>(s); e && names_.called(e.value()).starts_with("htp_pto.")) {
      instruction(e.value(), outermost);
    } else if (declares(s)) {
      own_.emplace(c.name_of(c.get<ast::Assign>(s).targets()[0]));
    } else {
      fine_ &= !mentions(s);
    }
  }
  void instruction(Node n, bool outermost) {
    const std::string instruction = names_.called(n).substr(8);
    const Nodes operands = c.get<ast::Call>(n).args();
    const bool store = instruction == "tstore";
    bool concerned = false;
    for (const Node o : operands)
      if (const Tile *t = tile(o)) {
        concerned |= t->cut;
        fine_ &= !t->other;
      }
    const Tile *to = operands.empty() ? nullptr : tile(operands[store]);
    fine_ &= to != nullptr;
    if (!fine_) return;
    if (!concerned) { // in a loop that does something with each part: again for each
      fine_ &= !store && !outermost && own_.contains(c.name_of(operands[0]));
      return;
    }
    fine_ &= to->cut;
    const std::string_view along = rows_ ? "trow" : "tcol", across = rows_ ? "tcol" : "trow";
    const bool reduces = instruction == std::string(along) + "sum" || instruction == std::string(along) + "max" ||
                         instruction == std::string(along) + "min";
    const bool expands = instruction.starts_with(std::string(along) + "expand") ||
                         instruction.starts_with(std::string(across) + "expand");
    fine_ &= reduces || expands ||
             std::find(std::begin(by_element), std::end(by_element), instruction) != std::end(by_element);
    for (size_t k = 1; k < operands.size() && fine_; ++k) {
      const Tile *t = tile(operands[k]);
      if (instruction == "tmov" && t) fine_ &= t->kind == to->kind;
      // A whole tile that stays as it is beside parts is one that counts for all of them.
      if (t && !t->cut && !store)
        fine_ &= instruction.starts_with(std::string(across) + "expand") || instruction.starts_with("tsel") ||
                 t->kind == Kind::single;
      if (instruction == "tload" || store)
        fine_ &= k < 2 || index(operands[k]);
      else if (!t)
        fine_ &= !mentions(operands[k]);
    }
  }
  bool mentions(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) { found |= c.name_of(e) == variable_; });
    return found;
  }
  // The block itself, or one beside it, of which each part has its own.
  bool index(Node n) const {
    auto b = c.as<ast::BinOp>(n);
    if (b && (b.op() == HTP_Add || b.op() == HTP_Sub))
      return (c.name_of(b.left()) == variable_ && !mentions(b.right())) || !mentions(n);
    return (c.is(n, HTP_Name) && c.name_of(n) == variable_) || !mentions(n);
  }
  Node renamed(Node s, const std::string &part) const {
    return rewrite(
        c, s, [&](Node n) { return c.is(n, HTP_Name) && c.name_of(n) == variable_ ? c.name(part, n) : n; },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  const Names &names_;
  Node kernel_;
  std::string variable_;
  bool rows_, fine_ = true, done_ = false;
  std::map<std::string, Tile, std::less<>> tiles_;
  Words own_, stored_; // tiles that each part makes for itself; tensors that are stored to
};

} // namespace

Node with_cut_blocks(const Context &c, const Names &names, Node kernel, const std::string &variable, bool rows,
                     const std::string &part, int64_t size) {
  return Cut(c, names, kernel, variable, rows).run(part, size);
}

} // namespace htp::a2a3
