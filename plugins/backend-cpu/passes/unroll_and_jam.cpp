// cpu.unroll_and_jam: iterations of a loop run side by side where each would load again what the others load, as the
// rows of a product do: what they share is loaded once for all of them, and the sum of each stays in a register.
//
//   for p in range(n):                                  for p in range(0, n - 7, 8):
//       for q in htp.vectorized(range(m)):                  for q in htp.vectorized(range(m)):
//           total: f32 = cpu.splat(f32, 0)                      total: f32 = cpu.splat(f32, 0)
//           for r in range(k):                                  total_1: f32 = cpu.splat(f32, 0)  …
//               x: f32 = cpu.get(a, p, r)           →           for r in range(k):
//               y: f32 = cpu.get(b, r, q)                           x: f32 = cpu.get(a, p, r)
//               total = cpu.fma(x, y, total)                        x_1: f32 = cpu.get(a, p + 1, r)  …
//           cpu.put(c, total, p, q)                                 y: f32 = cpu.get(b, r, q)
//                                                                   total = cpu.fma(x, y, total)  …
//                                                       for p in range(n // 8 * 8, n): …
#include "passes/row_nests.h"

#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::cpu {

namespace {

// Sums of this many rows, each of some vectors, leave registers for what is loaded on machines that have 32 of them.
constexpr int64_t most_rows = 8, least_rows = 4;

class Jam {
public:
  Jam(const Context &context, Node root, Node function) : c(context), nests_(context, root, function) {
    c.each(function, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n)) types_.try_emplace(std::string(c.name_of(a.target())), a.annotation());
    });
  }

  Node run() {
    return rewrite(
        c, nests_.function(), [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const RowNest nest = nests_.of(s);
          if (!nest.loop || rows_of(nest.count) < 2) return false;
          jam(nest, out);
          return true;
        });
  }
  // A loop that it would change.
  Node first() const {
    Node found = HTP_NONE;
    c.each(nests_.function(), [&](Node n) {
      if (const RowNest nest = found ? RowNest() : nests_.of(n); nest.loop && rows_of(nest.count) > 1) found = n;
    });
    return found;
  }

private:
  // ── what becomes of them ──────────────────────────────────────────────────────────────────────────────────────────

  // As many rows as divide them, or the most of them, where that is known.
  int64_t rows_of(Node count) const {
    const auto most = nests_.most(count);
    if (!most) return most_rows;
    for (int64_t rows = most_rows; rows >= least_rows; --rows)
      if (*most % rows == 0) return rows;
    return std::min(most_rows, *most);
  }

  void jam(const RowNest &nest, std::vector<uint32_t> &out) {
    const int64_t rows = rows_of(nest.count);
    const NameSet varies = nests_.varying(nest);
    copies_.assign(static_cast<size_t>(rows), {});
    typed_.clear();
    for (const std::string &name : varies)
      if (name != nest.row)
        for (size_t k = 1; k < copies_.size(); ++k) copies_[k][name] = c.fresh(name);
    const Nodes body = c.get<ast::For>(nest.loop).body();
    const Node zero = c.integer_node(0, nest.count), step = c.integer_node(rows, nest.count);
    const Node last = c.binary(nest.count, HTP_Sub, c.integer_node(rows - 1, nest.count), nest.count);
    out.push_back(over(nest, {zero, last, step}, side_by_side(nest, varies, {body.begin(), body.end()})));
    const auto known = nests_.constants().integer(nest.count);
    if (known && *known % rows == 0) return;
    // A count below 0 has no rows.
    const Node all = nests_.constants().integer(nest.count) || nests_.is_dim(nest.count)
                         ? clone(c, nest.count)
                         : c.call("max", {clone(c, nest.count), c.integer_node(0, nest.count)}, nest.count);
    const auto number = [&] { return c.integer_node(rows, nest.count); };
    const Node taken = c.binary(c.binary(all, HTP_FloorDiv, number(), nest.count), HTP_Mult, number(), nest.count);
    std::vector<uint32_t> rest;
    for (const Node s : body) rest.push_back(nests_.untyped(s));
    out.push_back(over(nest, {taken, clone(c, nest.count)}, std::move(rest)));
  }

  // The loop over this range, around that.
  Node over(const RowNest &nest, std::vector<uint32_t> range, std::vector<uint32_t> body) const {
    auto loop = c.read<ast::For>(nest.loop);
    Node iter = c.call("range", std::move(range), loop.iter);
    for (auto wrapper = nest.wrappers.rbegin(); wrapper != nest.wrappers.rend(); ++wrapper) {
      auto call = c.read<ast::Call>(clone(c, *wrapper));
      call.args = {iter};
      iter = c.make(call, *wrapper);
    }
    loop.target = clone(c, loop.target);
    loop.iter = iter;
    loop.body = std::move(body);
    return c.with(nest.loop, loop);
  }

  // A statement that names what varies stands once for each row, another once for all of them.
  std::vector<uint32_t> side_by_side(const RowNest &nest, const NameSet &varies, const std::vector<uint32_t> &body) {
    std::vector<uint32_t> result;
    for (const Node s : body) {
      if (c.is(s, HTP_For)) {
        auto loop = c.read<ast::For>(s);
        loop.body = side_by_side(nest, varies, loop.body);
        result.push_back(c.with(s, loop));
        continue;
      }
      result.push_back(s);
      if (!nests_.mentions(s, varies)) continue;
      const std::string name(loops::bound_name(c, s));
      const auto type = typed_.insert(name).second ? types_.find(name) : types_.end();
      for (size_t k = 1; k < copies_.size(); ++k) {
        const Node own = of_row(nest, s, k);
        auto first = c.as<ast::Assign>(type == types_.end() ? HTP_NONE : own);
        result.push_back(first ? c.assign(copies_[k].at(name), clone(c, type->second), first.value(), own) : own);
      }
    }
    return result;
  }

  // The statement as row p + k has it.
  Node of_row(const RowNest &nest, Node s, size_t k) const {
    const auto number = static_cast<int64_t>(k);
    const Node own = nests_.substituted(clone(c, s), nest.row,
                                        [&](Node p) { return c.binary(p, HTP_Add, c.integer_node(number, p), p); });
    return rewrite(
        c, own,
        [&](Node n) {
          const auto it = copies_[k].find(c.name_of(n));
          if (it == copies_[k].end()) return n;
          auto name = c.read<ast::Name>(n);
          name.id = it->second;
          return c.with(n, name);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  const RowNests nests_;
  std::map<std::string, Node, std::less<>> types_;                      // of names, as they are annotated
  std::vector<std::map<std::string, std::string, std::less<>>> copies_; // of each row: what names became
  NameSet typed_;                                                       // of those, names that have their type
};

} // namespace

Result unroll_and_jam(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  out = with_statement(c, root, function, Jam(c, root, function).run());
  return HTP_OK;
}

Result verify_jammed(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node apart = function ? Jam(c, root, function).first() : HTP_NONE;
  if (!apart) return HTP_OK;
  c.report(diag::unjammed, apart, c.name_of(c.get<ast::For>(apart).target()));
  return HTP_FAILED;
}

} // namespace htp::cpu
