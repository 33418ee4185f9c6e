// A sum of products that takes more than half of L0C is made in two halves of its columns, by turns within the loop
// that adds up: one half is stored while the other is added to, and what follows begins with the half that has left.
#include "allocation/memory.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <optional>
#include <set>

namespace htp::a2a3 {

namespace {

class Halves {
public:
  Halves(const Context &context, const Names &names, const sdk::Constants &constants, Node kernel, bool longer)
      : c(context), names_(names), constants_(constants), kernel_(kernel), longer_(longer) {}

  Node run() {
    const Node changed = rewrite(
        c, kernel_, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          auto l = c.as<ast::For>(s);
          if (!l) return false;
          const auto size = blocks(s);
          if (!size || *size % (2 * column) || done_) return false;
          const auto body = halved(s, l.body(), *size);
          if (!body) return false;
          out.push_back(with_list(c, s, HTP_FIELD(For, body), *body));
          return done_ = true;
        });
    return done_ ? changed : HTP_NONE;
  }

private:
  static constexpr int64_t column = 16; // a box of L0C

  // The size of the blocks that a loop goes over.
  std::optional<int64_t> blocks(Node loop) const {
    const Node range = loop_forms(c, names_, c.get<ast::For>(loop).iter()).range;
    auto call = c.as<ast::Call>(range);
    if (!call || names_.called(range) != "htp_tile.tiles" || call.args().size() != 2) return std::nullopt;
    return constants_.integer(call.args()[1]);
  }
  std::string_view variable(Node loop) const { return c.name_of(c.get<ast::For>(loop).target()); }
  std::string called(Node s) const {
    auto e = c.as<ast::Expr>(s);
    auto a = c.as<ast::Assign>(s);
    return e ? names_.called(e.value()) : a ? names_.called(a.value()) : std::string();
  }
  bool mentions(Node s, std::string_view name) const {
    bool found = false;
    c.each(s, [&](Node n) { found |= c.is(n, HTP_Name) && c.name_of(n) == name; });
    return found;
  }

  // A body of a tile in L0C, a loop that adds up in it, and one store of it.
  std::optional<std::vector<uint32_t>> halved(Node loop, Nodes statements, int64_t size) {
    if (statements.size() != 3 || called(statements[0]) != "htp_pto.tile" || !c.is(statements[1], HTP_For) ||
        called(statements[2]) != "htp_pto.tstore")
      return std::nullopt;
    auto sum = c.get<ast::Assign>(statements[0]);
    auto tile = c.get<ast::Call>(sum.value());
    const std::string_view of = variable(loop), name = c.name_of(sum.targets()[0]);
    const Nodes store = c.get<ast::Call>(c.get<ast::Expr>(statements[2]).value()).args();
    if (tile.args().size() != 3 || c.name_of(tile.args()[2]) != of || mentions(tile.args()[1], of) ||
        tile.keywords().size() != 1 || c.name_of(store[1]) != name || !blocks(statements[1]))
      return std::nullopt;
    const Nodes body = c.get<ast::For>(statements[1]).body();
    size_t first = 0;
    while (first < body.size() && !mentions(body[first], of) && !mentions(body[first], name)) ++first;
    for (const Node s : body)
      if (!plain(s)) return std::nullopt;
    // What the halves share is loaded before them.
    std::vector<uint32_t> outer(body.begin(), body.begin() + static_cast<ptrdiff_t>(first));
    const std::string half = c.fresh(std::string(of) + "_half");
    auto call = c.read<ast::Call>(sum.value()); // what it held stays, from one step of the sum to the next
    call.keywords.push_back(c.make(make::keyword{.arg = "kept", .value = c.parse("True", loop)}, loop));
    const Node kept = with_slot(c, statements[0], HTP_FIELD(Assign, value), c.with(sum.value(), call));
    std::vector<uint32_t> inner{renamed(kept, of, half)};
    for (size_t k = first; k < body.size(); ++k)
      inner.push_back(in_steps(renamed(body[k], of, half), variable(statements[1]), *blocks(statements[1])));
    const Node sums = loop_forms(c, names_, c.get<ast::For>(statements[1]).iter()).range, origin = statements[2];
    const std::string last =
        std::string(variable(statements[1])) + ".stop == " + c.show(c.get<ast::Call>(sums).args()[0]);
    inner.push_back(
        c.make(make::If{.test = c.parse(last, origin), .body = {renamed(statements[2], of, half)}}, origin));
    const Node range = loop_forms(c, names_, c.get<ast::For>(loop).iter()).range;
    const Node iter = c.call(c.dotted(c.get<ast::Call>(range).func()),
                             {c.name(of, origin), c.integer_node(size / 2, origin)}, origin);
    outer.push_back(
        c.make(make::For{.target = c.name(half, origin, HTP_STORE), .iter = iter, .body = std::move(inner)}, origin));
    return std::vector<uint32_t>{with_list(c, statements[1], HTP_FIELD(For, body), outer)};
  }
  // Half of the columns leave capacity for steps along the sum that are twice as long: as many of them as make an even
  // number, so that the first of a half has not the place of the last one of the other.
  Node in_steps(Node s, std::string_view sum, int64_t size) const {
    const auto step = longer_ && c.is(s, HTP_For) ? blocks(s) : std::nullopt;
    if (!step) return s;
    auto l = c.get<ast::For>(s);
    const Nodes range = c.get<ast::Call>(l.iter()).args();
    if (range.size() != 2 || c.name_of(range[0]) != sum) return s;
    for (int64_t count = 2; size / count >= *step; count += 2)
      if (size % (count * column) == 0 && size / count <= 2 * *step)
        return with_slot(
            c, s, HTP_FIELD(For, iter),
            c.call(c.dotted(c.get<ast::Call>(l.iter()).func()), {c.name(sum, s), c.integer_node(size / count, s)}, s));
    return s;
  }
  // What does with half of the columns what it does with all of them.
  bool plain(Node s) const {
    if (auto l = c.as<ast::For>(s)) {
      const Nodes body = l.body();
      return std::all_of(body.begin(), body.end(), [&](Node n) { return plain(n); });
    }
    if (auto f = c.as<ast::If>(s)) {
      for (const Nodes way : {f.body(), f.orelse()})
        if (!std::all_of(way.begin(), way.end(), [&](Node n) { return plain(n); })) return false;
      return true;
    }
    static const std::set<std::string, std::less<>> instructions{
        "htp_pto.tile", "htp_pto.tload", "htp_pto.textract", "htp_pto.tmatmul", "htp_pto.tmatmul_acc", "htp_pto.tmov"};
    return instructions.contains(called(s));
  }
  Node renamed(Node s, std::string_view from, const std::string &to) const {
    return rewrite(
        c, s, [&](Node n) { return c.is(n, HTP_Name) && c.name_of(n) == from ? c.name(to, n) : n; },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  const Names &names_;
  const sdk::Constants &constants_;
  Node kernel_;
  bool longer_, done_ = false;
};

} // namespace

Node with_halved_sums(const Context &c, const Names &names, const sdk::Constants &constants, Node kernel, bool longer) {
  return Halves(c, names, constants, kernel, longer).run();
}

} // namespace htp::a2a3
