// Rows of any length: what is computed along them element by element is computed in parts.
#include "analyses/shapes.h"
#include "passes/elementwise.h"
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

constexpr int64_t part_elements = 2048; // of a tile: 8 KB of f32, so that two dozen of them fit
constexpr int64_t least_part = 64;

class Parts {
public:
  Parts(const Context &context, Node root)
      : c(context), root_(root), names_(context, root), constants_(context, root),
        function_(context.entry_function(root)), imports_(context, root, bound()) {
    const auto parameters = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args();
    for (const Node p : parameters) {
      auto a = c.get<ast::arg>(p);
      if (const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt)
        tensors_[std::string(a.arg())] = *type;
    }
  }

  Node run() {
    bool changed = false;
    const Node function = rewrite(
        c, function_, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const Node loop = c.is(s, HTP_For) ? in_parts(s) : HTP_NONE;
          if (loop) out.push_back(loop), changed = true;
          return loop != HTP_NONE;
        });
    return changed ? imports_.apply(with_statement(c, root_, function_, function)) : root_;
  }

private:
  Words bound() const {
    Words found;
    c.each(c.entry_function(root_), [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) found.emplace(name.id());
    });
    return found;
  }
  bool is_whole(Node n) const { return names_.qualified(n) == "htp_tile.whole"; }

  // The loop with the statements of its body along rows in parts; 0 where the body is not of the form.
  Node in_parts(Node s) {
    auto l = c.read<ast::For>(s);
    std::string along;
    int64_t rows = 1;
    std::vector<bool> moved;                       // the statements along rows
    std::map<std::string, Kind, std::less<>> here; // the tiles that it makes
    for (const Node n : l.body) {
      bool in_row = false;
      if (!reads(n, along, rows, in_row, here)) return HTP_NONE;
      moved.push_back(in_row);
    }
    if (along.empty() || rows > part_elements / least_part || is_held(along)) return HTP_NONE;
    if (rows > 1) rows = (rows + 7) / 8 * 8; // as many as a tile holds, of f32
    int64_t size = part_elements;
    while (size > least_part && size * rows > part_elements) size /= 2;
    const std::string part = c.fresh("columns");
    std::vector<uint32_t> body, inner;
    for (size_t k = 0; k < l.body.size(); ++k)
      if (moved[k])
        inner.push_back(changed(l.body[k], along, part));
      else
        body.push_back(l.body[k]);
    const Node range =
        c.call(imports_.name("htp_tile", "tiles", "tile"), {c.parse(along, s), c.integer_node(size, s)}, s);
    body.push_back(c.make(make::For{.target = c.name(part, s, HTP_STORE), .iter = range, .body = std::move(inner)}, s));
    l.body = body;
    return c.with(s, l);
  }

  // Whether a whole row stays in a tile that stands in no loop: so no row is longer than a tile.
  bool is_held(const std::string &along) const {
    Words multiplied;
    c.each(function_, [&](Node n) {
      if (names_.called(n) == "htp_tile.matmul")
        for (const Node o : c.get<ast::Call>(n).args()) multiplied.emplace(c.name_of(o));
    });
    return std::ranges::any_of(c.get<ast::FunctionDef>(function_).body(), [&](Node s) {
      auto a = c.as<ast::AnnAssign>(s);
      const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
      return type && type->form == "Tile" && !multiplied.contains(c.name_of(a.target())) &&
             std::ranges::any_of(type->extents, [&](const Extent &e) { return e.text() == along; });
    });
  }

  // One statement of a body: whether it may stand in one that goes along rows of `along`, and goes along them.
  bool reads(Node s, std::string &along, int64_t &rows, bool &in_row, std::map<std::string, Kind, std::less<>> &here) {
    const auto last = [&](const std::vector<Extent> &extents) { // whether it is such a row
      for (size_t d = 0; d < extents.size(); ++d) {
        const Extent &e = extents[d];
        if (e.name.empty() || loops_(e.name)) continue;
        if (d + 1 != extents.size() || e.sum() || e.text() != e.name || constants_.integer(c.parse(e.name, s)) ||
            (!along.empty() && along != e.name))
          return false;
        along = e.name;
        in_row = true;
      }
      return true;
    };
    if (auto a = c.as<ast::Assign>(s)) return names_.called(a.value()) == "htp_pto.value";
    if (auto e = c.as<ast::Expr>(s)) {
      if (names_.called(e.value()) != "htp_tile.store") return false;
      const Nodes a = c.get<ast::Call>(e.value()).args();
      const auto tensor = tensors_.find(c.name_of(a[0]));
      if (tensor == tensors_.end() || tensor->second.extents.size() + 2 != a.size() || !is_whole(a.back()))
        return false;
      if (auto value = c.name_of(a[1]); !value.empty() && !here.contains(value)) return false;
      return last({tensor->second.extents.back()}) && in_row;
    }
    auto a = c.as<ast::AnnAssign>(s);
    const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
    const Kind kind = type ? shape_of(type->extents).kind : Kind::other;
    // What has no instruction is reported as it was written.
    if (!type || type->form != "Tile" || kind == Kind::other || !last(type->extents) ||
        !here.emplace(c.name_of(a.target()), kind).second)
      return false;
    for (const Extent &e : type->extents)
      if (e.name.empty())
        rows = std::max(rows, e.size);
      else if (const int64_t n = loops_(e.name))
        rows = std::max(rows, n);
    const Node load = load_of(c, names_, a.value());
    const std::string called = names_.called(load ? load : a.value());
    if (!called.starts_with("htp_tile.")) return false;
    const std::string intrinsic = called.substr(9);
    const Nodes operands = c.get<ast::Call>(load ? load : a.value()).args();
    if (intrinsic == "load") {
      if (c.get<ast::Call>(load).keywords().size()) return false;
      return !in_row || is_whole(operands.back());
    }
    if (intrinsic == "full" || intrinsic == "zeros") return true;
    return elementwise(intrinsic) && std::all_of(operands.begin(), operands.end(), [&](Node o) {
             const auto it = here.find(c.name_of(o));
             if (it == here.end()) return !tiles().contains(c.name_of(o));
             return it->second == kind || it->second == Kind::single ||
                    (kind == Kind::matrix && (it->second == Kind::row || it->second == Kind::column));
           });
  }
  // The size of the blocks that a loop goes over; 0: no such loop.
  int64_t loops_(std::string_view variable) {
    if (blocks_.empty()) {
      blocks_[""] = 0;
      c.each(function_, [&](Node n) {
        auto l = c.as<ast::For>(n);
        const Node range = l ? loop_forms(c, names_, l.iter()).range : HTP_NONE;
        if (range && names_.called(range) == "htp_tile.tiles")
          blocks_[std::string(c.name_of(l.target()))] =
              constants_.integer(c.get<ast::Call>(range).args()[1]).value_or(part_elements);
      });
    }
    const auto it = blocks_.find(variable);
    return it == blocks_.end() ? 0 : it->second;
  }
  // Names of tiles anywhere.
  const Words &tiles() {
    if (tiles_.empty())
      c.each(function_, [&](Node n) {
        if (auto a = c.as<ast::AnnAssign>(n)) tiles_.emplace(c.name_of(a.target()));
      });
    return tiles_;
  }

  // A statement of a part of the row: in its type, what it loads, stores or fills.
  Node changed(Node s, const std::string &along, const std::string &part) {
    const auto to_part = [&](Node n) {
      return rewrite(
          c, n, [&](Node e) { return c.name_of(e) == along ? c.name(part, e) : e; },
          [](Node, std::vector<uint32_t> &) { return false; });
    };
    const auto with_index = [&](Node call) { return with_last_index(c, call, c.name(part, call)); };
    if (auto e = c.as<ast::Expr>(s)) return with_slot(c, s, HTP_FIELD(Expr, value), with_index(e.value()));
    auto a = c.read<ast::AnnAssign>(s);
    const std::string called = names_.called(a.value);
    a.annotation = to_part(a.annotation);
    if (load_of(c, names_, a.value)) a.value = with_index(a.value);
    if (called == "htp_tile.full" || called == "htp_tile.zeros") {
      auto k = c.read<ast::Call>(a.value);
      for (size_t d = called == "htp_tile.full" ? 2 : 1; d < k.args.size(); ++d) k.args[d] = to_part(k.args[d]);
      a.value = c.with(a.value, k);
    }
    return c.with(s, a);
  }

  const Context &c;
  Node root_;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  Imports imports_;
  std::map<std::string, Type, std::less<>> tensors_;
  std::map<std::string, int64_t, std::less<>> blocks_;
  Words tiles_;
};

} // namespace

Node strip_mine_rows(const Context &c, Node root) { return Parts(c, root).run(); }

} // namespace htp::a2a3
