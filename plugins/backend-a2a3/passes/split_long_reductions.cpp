// Rows of any length that are reduced: what is computed along them is computed in parts, once for each reduction that
// waits for another one, and once for what waits for all.
//
// `e = exp(row - reduce_max(row)); y[i, :] = e / reduce_sum(e)` goes over the row three times: for the maximum, for the
// sum, and for what is stored; what a pass needs of an earlier one is loaded and computed again. A row that lies in the
// unified buffer as a whole needs one pass: where its length is only known when the program runs, both ways are there.
#include "allocation/memory.h"
#include "passes/elementwise.h"
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

constexpr int64_t longest = 8192, shortest = 64; // parts of a row
constexpr int64_t kept_free = 24 * 1024;         // of the unified buffer, for columns
constexpr int64_t few_rows = 32;                 // that strip_mine_rows takes

// One statement of a body.
struct Line {
  Node statement = HTP_NONE, value = HTP_NONE, annotation = HTP_NONE;
  std::string name, intrinsic; // name: empty of a store; intrinsic: empty of an int
  std::string tensor;          // load, store
  Type type;
  bool along = false, reduces = false;   // runs along rows; makes a column of one that does
  size_t level = 0;                      // how many passes are before it
  std::map<std::string, size_t> reads{}; // names, and the lines that made them
  bool ends() const { return name.empty(); }
};

// A body that can go along its rows in parts.
struct Body {
  std::vector<Line> lines;
  Extent along;
  size_t passes = 0;
  bool reduced = false;
  int64_t once = 0, part = 0; // the longest row of one pass; the parts of longer ones
};

int64_t power_of_two(int64_t most) {
  int64_t n = shortest;
  while (n * 2 <= std::min(most, longest)) n *= 2;
  return n;
}

class Passes {
public:
  Passes(const Context &context, Node root)
      : c(context), root_(root), names_(context, root), constants_(context, root),
        function_(context.entry_function(root)), imports_(context, root, bound()) {
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
      if (auto a = c.get<ast::arg>(p); a.annotation())
        if (auto type = read_type(c, a.annotation())) {
          for (Extent &e : type->extents) e = number(e, p);
          tensors_[std::string(a.arg())] = *type;
        }
    c.each(function_, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n)) tiles_.emplace(c.name_of(a.target()));
      auto l = c.as<ast::For>(n);
      const Node range = l ? loop_forms(c, names_, l.iter()).range : HTP_NONE;
      if (!range) return;
      const bool blocks = names_.called(range) == "htp_tile.tiles";
      loops_[std::string(c.name_of(l.target()))] =
          blocks ? constants_.integer(c.get<ast::Call>(range).args()[1]).value_or(1) : 1;
    });
  }

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> body;
    const bool loops = std::any_of(f.body.begin(), f.body.end(), [&](Node s) { return c.is(s, HTP_For); });
    if (loops) {
      for (const Node s : f.body) statement(s, body);
    } else if (const auto whole = read(f.body)) {
      ways(
          *whole, {}, [&](bool once) { return along(*whole, once, {}); }, body);
    } else {
      return root_;
    }
    if (!changed_) return root_;
    f.body = body;
    return imports_.apply(with_statement(c, root_, function_, c.with(function_, f)));
  }

private:
  Words bound() const {
    Words found;
    c.each(c.entry_function(root_), [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) found.emplace(name.id());
    });
    return found;
  }
  // A constant as its number.
  Extent number(const Extent &e, Node origin) const {
    const auto n = e.name.empty() ? std::nullopt : constants_.integer(c.parse(e.text(), origin));
    return n ? Extent::of(*n) : e;
  }
  bool is_whole(Node n) const { return names_.qualified(n) == "htp_tile.whole"; }
  Node library(const char *intrinsic, std::vector<uint32_t> arguments, Node origin) {
    return c.call(imports_.name("htp_tile", intrinsic, "tile"), std::move(arguments), origin);
  }

  // ── reading ──

  // The statements of a body; nothing where they are not of the form, or short enough as they are.
  std::optional<Body> read(Nodes statements) {
    Body body;
    std::map<std::string, size_t, std::less<>> made;
    for (const Node s : statements) {
      if (auto e = c.as<ast::Expr>(s); c.is(s, HTP_Pass) || (e && c.is(e.value(), HTP_Constant))) continue;
      Line line;
      line.statement = s;
      if (!read(line, body, made)) return std::nullopt;
      if (!line.name.empty()) made[line.name] = body.lines.size();
      body.lines.push_back(std::move(line));
    }
    if (body.along.text() == "0" || !in_place(body)) return std::nullopt;
    int64_t rows = 1;
    for (const Line &l : body.lines) {
      body.reduced |= l.reduces;
      if (l.along) rows = std::max(rows, rows_of(l));
      if (l.reduces || (l.ends() && l.along)) body.passes = std::max(body.passes, l.level + 1);
    }
    const bool open = !body.along.name.empty();
    // What nothing is reduced of goes in parts that are chosen for it, where it has few rows.
    if (!body.passes || body.passes > 8 || (open && !body.reduced && rows <= few_rows)) return std::nullopt;
    const int64_t capacity = capacity_of("ub") - kept_free;
    int64_t moved = 0, most = 0;
    for (size_t pass = 0; pass < body.passes; ++pass) {
      const auto [moves, works] = width(body, needed(body, pass));
      moved = sdk::add_sat(moved, moves), most = std::max(most, works);
    }
    std::vector<size_t> all(body.lines.size());
    for (size_t k = 0; k < all.size(); ++k) all[k] = k;
    const auto [moves, works] = width(body, all);
    const int64_t column = sdk::add_sat(moves, works), part = sdk::add_sat(sdk::mul_sat(2, moved), most);
    body.once = power_of_two(capacity / std::max(column, int64_t{1}));
    body.part = power_of_two(std::min(capacity / std::max(part, int64_t{1}), int64_t{2048}));
    if (!open && sdk::mul_sat(body.along.size, column) <= capacity) return std::nullopt;
    return body;
  }

  bool read(Line &line, Body &body, const std::map<std::string, size_t, std::less<>> &made) {
    const Node s = line.statement;
    Nodes operands;
    if (auto e = c.as<ast::Expr>(s)) {
      line.value = e.value();
      if (names_.called(line.value) != "htp_tile.store") return false;
      line.intrinsic = "store";
      operands = c.get<ast::Call>(line.value).args();
      line.tensor = std::string(c.name_of(operands[0]));
      const auto tensor = tensors_.find(line.tensor);
      const auto from = made.find(c.name_of(operands[1]));
      if (tensor == tensors_.end() || tensor->second.extents.size() + 2 != operands.size()) return false;
      line.along = from != made.end() && body.lines[from->second].along;
      if (line.along && (!is_whole(operands.back()) || tensor->second.extents.back() != body.along)) return false;
      if (!line.along && tensor->second.extents.back() == body.along && is_whole(operands.back())) return false;
    } else if (auto b = c.as<ast::Assign>(s)) {
      line.value = b.value();
      line.name = std::string(c.name_of(b.targets()[0]));
      if (b.targets().size() != 1 || line.name.empty() || !c.is(line.value, HTP_Call)) return false;
      const Node load = load_of(c, names_, line.value), call = load ? load : line.value;
      operands = c.get<ast::Call>(call).args();
      const auto before = made.find(line.name);
      if (before == made.end() || body.lines[before->second].intrinsic.empty()) {
        if (names_.called(line.value) != "htp_pto.value" || before != made.end()) return false;
      } else {
        line.annotation = body.lines[before->second].annotation;
        line.intrinsic = names_.called(call);
      }
    } else if (auto a = c.as<ast::AnnAssign>(s)) {
      line.value = a.value(), line.annotation = a.annotation();
      line.name = std::string(c.name_of(a.target()));
      const Node load = load_of(c, names_, line.value), call = load ? load : line.value;
      line.intrinsic = names_.called(call);
      if (line.intrinsic.empty() || made.contains(line.name)) return false;
      operands = c.get<ast::Call>(call).args();
    } else {
      return false;
    }
    if (line.annotation) {
      if (!line.intrinsic.starts_with("htp_tile.")) return false;
      line.intrinsic.erase(0, 9);
      const auto type = read_type(c, line.annotation);
      if (!type || type->form != "Tile" || type->layout || type->space || type->extents.empty()) return false;
      line.type = *type;
      for (Extent &e : line.type.extents) e = number(e, s);
      if (line.intrinsic == "load") line.tensor = std::string(c.name_of(operands[0]));
      if (!extents(line, operands, body)) return false;
    }
    bool fine = true;
    c.each(line.value, [&](Node n) {
      const std::string_view id = c.name_of(n);
      const auto it = c.is(n, HTP_Name) ? made.find(id) : made.end();
      if (it != made.end()) {
        const Line &from = body.lines[it->second];
        line.reads[std::string(id)] = it->second;
        line.level = std::max(line.level, from.level + from.reduces);
      } else if (c.is(n, HTP_Name)) {
        fine &= !tiles_.contains(id);
      }
    });
    if (!fine || line.intrinsic.empty() || line.ends()) return fine;
    if (line.intrinsic == "reduce_sum" || line.intrinsic == "reduce_max" || line.intrinsic == "reduce_min")
      return reduction(line, body);
    const bool of_rows =
        std::any_of(line.reads.begin(), line.reads.end(), [&](const auto &r) { return body.lines[r.second].along; });
    if (of_rows && !line.along) return false;
    if (line.intrinsic == "load")
      return c.get<ast::Call>(load_of(c, names_, line.value)).keywords().empty() &&
             (!line.along || is_whole(operands.back()));
    return line.intrinsic == "full" || line.intrinsic == "zeros" || line.intrinsic == "iota" ||
           elementwise(line.intrinsic) || (line.intrinsic == "reshape" && !line.along);
  }

  // Whether the extents of a tile are ones that a body may have; finds what its rows run along.
  bool extents(Line &line, Nodes operands, Body &body) {
    const std::vector<Extent> &all = line.type.extents;
    if (shape_of(all).kind == Kind::other) return false;
    const Extent &last = all.back();
    const bool block = loops_.contains(last.name);
    if (body.along.text() == "0" && line.intrinsic == "load" && is_whole(operands.back()) && !block && !last.is(1) &&
        !last.sum() && !(last.name.empty() && last.size <= shortest))
      body.along = last;
    line.along = last == body.along;
    for (size_t d = 0; d + line.along < all.size(); ++d) {
      if (line.along && all[d] == body.along) return false;
      if (!all[d].name.empty() && !loops_.contains(all[d].name)) return false;
    }
    return true;
  }
  bool reduction(Line &line, const Body &body) {
    auto call = c.get<ast::Call>(line.value);
    const auto from = call.args().empty() ? line.reads.end() : line.reads.find(std::string(c.name_of(call.args()[0])));
    if (from == line.reads.end()) return false;
    Node axis = call.args().size() > 1 ? call.args()[1] : HTP_NONE;
    for (const Node k : call.keywords())
      if (auto keyword = c.get<ast::keyword>(k); keyword.arg() == "axis") axis = keyword.value();
    const Line &operand = body.lines[from->second];
    const auto number = axis ? constants_.integer(axis) : std::nullopt;
    const auto rank = static_cast<int64_t>(operand.type.extents.size());
    line.reduces = operand.along && !line.along && number && (*number + rank) % rank + 1 == rank;
    // along the others each column of a row is apart
    return line.reduces;
  }
  // What is loaded from a tensor that is stored to is loaded at the same place before, in the last pass at the latest.
  bool in_place(const Body &body) {
    size_t last = 0;
    for (const Line &l : body.lines)
      if (l.along) last = std::max(last, l.level);
    for (size_t s = 0; s < body.lines.size(); ++s)
      for (size_t l = 0; l < body.lines.size() && body.lines[s].ends(); ++l) {
        const Line &store = body.lines[s], &load = body.lines[l];
        if (load.intrinsic != "load" || load.tensor != store.tensor) continue;
        const Nodes to = c.get<ast::Call>(store.value).args(),
                    from = c.get<ast::Call>(load_of(c, names_, load.value)).args();
        bool same = l < s && store.along && load.along && store.level == last && to.size() == from.size() + 1;
        for (size_t d = 1; same && d < from.size(); ++d) same = c.show(from[d]) == c.show(to[d + 1]);
        if (!same) return false;
      }
    return true;
  }

  // ── capacities ──

  // The lines along rows that a pass needs, in their order.
  static std::vector<size_t> needed(const Body &body, size_t pass) {
    std::vector<bool> wanted(body.lines.size());
    for (size_t k = body.lines.size(); k-- > 0;) {
      const Line &l = body.lines[k];
      if (l.level == pass && (l.reduces || (l.ends() && l.along))) wanted[k] = true;
      if (wanted[k])
        for (const auto &[name, from] : l.reads)
          if (body.lines[from].along) wanted[from] = true;
    }
    std::vector<size_t> found;
    for (size_t k = 0; k < wanted.size(); ++k)
      if (wanted[k]) found.push_back(k);
    return found;
  }
  // Bytes of a column of all that the lines move, and of what they work with at once.
  std::pair<int64_t, int64_t> width(const Body &body, const std::vector<size_t> &lines) {
    int64_t moved = 0, most = 0;
    std::set<size_t> moves;
    for (const size_t k : lines) {
      const Line &l = body.lines[k];
      if (l.along && l.intrinsic == "load") moves.insert(k);
      if (l.along && l.ends())
        for (const auto &[name, from] : l.reads)
          if (body.lines[from].along) moves.insert(from);
    }
    for (const size_t k : moves) moved = sdk::add_sat(moved, bytes(body.lines[k]));
    std::map<size_t, size_t> last;
    for (const size_t k : lines)
      for (const auto &[name, from] : body.lines[k].reads) last[from] = k;
    for (const size_t k : lines) {
      const Line &l = body.lines[k];
      int64_t now = 0;
      for (const size_t o : lines)
        if (o <= k && body.lines[o].along && !body.lines[o].ends() && !moves.contains(o) &&
            (o == k || (last.contains(o) && last[o] >= k)))
          now = sdk::add_sat(now, bytes(body.lines[o]));
      const Elementwise *e = elementwise(l.intrinsic);
      if (l.along && e) now = sdk::add_sat(now, beside(l, *e));
      if (l.reduces)
        for (const auto &[name, from] : l.reads) now = sdk::add_sat(now, reducing(l, body.lines[from]));
      most = std::max(most, now);
    }
    return {moved, most};
  }
  int64_t rows_of(const Line &l) const {
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < l.type.extents.size(); ++d) {
      const Extent &e = l.type.extents[d];
      rows = sdk::mul_sat(rows, e.name.empty() ? e.size : loops_.find(e.name)->second);
    }
    return rows;
  }
  // The bytes of a column that an instruction's own tiles take.
  int64_t beside(const Line &l, const Elementwise &e) const {
    if (l.type.dtype == "bf16" && l.intrinsic != "cast") return sdk::mul_sat(6, bytes(l));
    if (l.intrinsic == "cast" && (l.type.dtype == "i8" || l.type.dtype == "u8")) return sdk::mul_sat(6, bytes(l));
    return sdk::mul_sat(l.intrinsic == "div" && l.type.dtype == "i32" ? 6 : e.beside, bytes(l));
  }
  // And of what it works in that is reduced: where that is widened, what it becomes is there too.
  int64_t reducing(const Line &l, Line of) const {
    if (!widens(l)) return bytes(of);
    of.type.dtype = "f32";
    return sdk::mul_sat(2, bytes(of));
  }
  int64_t bytes(const Line &l) const {
    const DType *dtype = dtype_named(l.type.dtype);
    int64_t rows = rows_of(l);
    const int64_t size = dtype ? dtype->bytes : 1;
    if (shape_of(l.type.extents).kind != Kind::row) rows = Kept::up(rows, static_cast<unsigned>(size));
    return sdk::mul_sat(rows, size);
  }

  // ── writing ──

  // A statement as it is, or, where a row of it may be too long, in both ways.
  void statement(Node s, std::vector<uint32_t> &out) {
    found_.clear();
    if (c.is(s, HTP_For)) find(s);
    if (found_.empty()) return out.push_back(s);
    const Body &first = found_.begin()->second;
    std::vector<Node> others;
    int64_t once = first.once;
    for (const auto &[loop, body] : found_) {
      if (body.along != first.along) others.push_back(loop);
      once = std::min(once, body.once);
    }
    for (const Node o : others) found_.erase(o);
    for (auto &[loop, body] : found_) body.once = once;
    Body limits = first;
    ways(
        limits, s, [&](bool once_) { return std::vector<uint32_t>{copy(s, once_, {})}; }, out);
  }
  // The innermost loops whose bodies can go along rows in parts.
  void find(Node s) {
    auto l = c.as<ast::For>(s);
    if (!l) return;
    if (const auto body = read(l.body())) {
      found_.emplace(s, *body);
      return;
    }
    for (const Node n : l.body()) find(n);
  }
  // `if N <= 1024:` one way, `else:` the other.
  void ways(const Body &body, Node origin, const auto &way, std::vector<uint32_t> &out) {
    changed_ = true;
    fresh_ = false;
    if (body.along.name.empty() || !body.reduced) { // all of it is longer, or nothing is computed again
      for (const uint32_t n : way(false)) out.push_back(n);
      return;
    }
    const Node test = c.parse(body.along.name + " <= " + std::to_string(body.once), origin);
    const auto once = way(true);
    fresh_ = true;
    out.push_back(c.make(make::If{.test = test, .body = once, .orelse = way(false)}, origin));
  }

  using Renamed = std::map<std::string, std::string, std::less<>>;
  // A copy of a statement, whose loops that were found go along rows in one pass or in several.
  Node copy(Node s, bool once, Renamed names) {
    const auto it = found_.find(s);
    auto l = c.read<ast::For>(s);
    l.iter = renamed(l.iter, names);
    if (it != found_.end()) {
      l.body = along(it->second, once, names);
    } else {
      std::vector<uint32_t> body;
      for (const Node n : l.body) {
        if (c.is(n, HTP_For)) {
          body.push_back(copy(n, once, names));
        } else if (auto a = c.as<ast::AnnAssign>(n)) {
          const Node value = renamed(a.value(), names);
          body.push_back(c.assign(own(names, c.name_of(a.target())), copy_of(c, a.annotation(), n), value, n));
        } else if (auto b = c.as<ast::Assign>(n); b && b.targets().size() == 1 && c.is(b.targets()[0], HTP_Name)) {
          const Node value = renamed(b.value(), names);
          body.push_back(c.assign(own(names, c.name_of(b.targets()[0])), HTP_NONE, value, n));
        } else if (auto e = c.as<ast::Expr>(n)) {
          body.push_back(c.statement(renamed(e.value(), names), n));
        } else {
          body.push_back(n);
        }
      }
      l.body = body;
    }
    return c.make(make::For{.target = c.name(c.name_of(l.target), s, HTP_STORE), .iter = l.iter, .body = l.body}, s);
  }
  std::string own(Renamed &names, std::string_view name) {
    const auto it = names.find(name);
    if (it != names.end()) return it->second;
    return names[std::string(name)] = fresh_ ? c.fresh(name) : std::string(name);
  }
  Node renamed(Node n, const Renamed &names) {
    return copy_of(c,
                   rewrite(
                       c, n,
                       [&](Node e) {
                         const auto it = c.is(e, HTP_Name) ? names.find(c.name_of(e)) : names.end();
                         return it == names.end() ? e : c.name(it->second, e);
                       },
                       [](Node, std::vector<uint32_t> &) { return false; }),
                   n);
  }

  std::vector<uint32_t> along(const Body &body, bool once, const Renamed &outer) {
    std::vector<uint32_t> out;
    std::map<size_t, std::string> names; // of the lines in this way
    const auto loop = [&](const std::string &part, std::vector<uint32_t> inner) {
      const Node origin = body.lines[0].statement;
      const Node range =
          library("tiles", {write_extent(c, body.along, origin), c.integer_node(body.part, origin)}, origin);
      out.push_back(c.make(
          make::For{.target = c.name(part, origin, HTP_STORE), .iter = range, .body = std::move(inner)}, origin));
    };
    const auto named = [&](size_t k, bool again) {
      const std::string &name = body.lines[k].name;
      names[k] = fresh_ || again ? c.fresh(name) : name;
    };
    if (once) {
      for (size_t k = 0; k < body.lines.size(); ++k) {
        if (!body.lines[k].ends()) named(k, twice(body, k));
        out.push_back(line(body.lines[k], k, "", names, outer));
      }
      return out;
    }
    for (size_t pass = 0; pass <= body.passes; ++pass) {
      // What is made of columns alone, when all is there.
      for (size_t k = 0; k < body.lines.size(); ++k) {
        const Line &l = body.lines[k];
        if (l.along || l.reduces || l.level != pass) continue;
        if (!l.ends()) named(k, twice(body, k));
        out.push_back(line(l, k, "", names, outer));
      }
      if (pass == body.passes) break;
      const std::string part = c.fresh("columns");
      std::vector<uint32_t> inner, behind;
      for (const size_t k : needed(body, pass)) {
        const Line &l = body.lines[k];
        if (l.reduces) {
          reduce(l, body, k, twice(body, k), part, names, outer, out, inner, behind);
          continue;
        }
        if (!l.ends()) named(k, names.contains(k) || twice(body, k));
        inner.push_back(line(l, k, part, names, outer));
      }
      loop(part, std::move(inner));
      out.insert(out.end(), behind.begin(), behind.end());
    }
    return out;
  }
  // Whether a line before has its name.
  static bool twice(const Body &body, size_t k) {
    return std::any_of(body.lines.begin(), body.lines.begin() + static_cast<ptrdiff_t>(k),
                       [&](const Line &l) { return l.name == body.lines[k].name; });
  }
  // A line, of a part of the row: in its type, what it loads, stores or fills. Without one of the whole row.
  Node line(const Line &l, size_t k, const std::string &part, const std::map<size_t, std::string> &names,
            Renamed outer) {
    for (const auto &[name, from] : l.reads) outer[name] = names.at(from);
    Node value = renamed(l.value, outer);
    const bool extent = l.intrinsic == "full" || l.intrinsic == "zeros" || l.intrinsic == "iota";
    if (l.along && !part.empty() && (l.ends() || l.intrinsic == "load" || extent))
      value = with_last_index(c, value, c.name(part, l.statement));
    if (l.ends()) return c.statement(value, l.statement);
    if (l.intrinsic.empty()) return c.assign(names.at(k), HTP_NONE, value, l.statement);
    return c.assign(names.at(k), annotation(l, part), value, l.statement);
  }
  Node annotation(const Line &l, const std::string &part) {
    const Node copied = copy_of(c, l.annotation, l.statement);
    if (!l.along || part.empty()) return copied;
    auto s = c.read<ast::Subscript>(copied);
    auto t = c.read<ast::Tuple>(s.slice);
    t.elts.back() = c.name(part, l.statement);
    s.slice = c.with(s.slice, t);
    return c.with(copied, s);
  }
  // Whether parts are put together as f32: a sum is rounded once, and bf16 has no instructions.
  static bool widens(const Line &l) {
    return l.type.dtype == "bf16" || (l.type.dtype == "f16" && l.intrinsic == "reduce_sum");
  }
  Node wider(Node annotation, Node origin) {
    auto s = c.read<ast::Subscript>(annotation);
    auto t = c.read<ast::Tuple>(s.slice);
    t.elts.front() = c.path("htp.f32", origin);
    s.slice = c.with(s.slice, t);
    return c.with(annotation, s);
  }
  // A reduction: before the loop what it begins with, in it that of the part, and both in one; behind it what it is of
  // its dtype.
  void reduce(const Line &l, const Body &body, size_t k, bool again, const std::string &part,
              std::map<size_t, std::string> &names, const Renamed &outer, std::vector<uint32_t> &before,
              std::vector<uint32_t> &inner, std::vector<uint32_t> &behind) {
    const Node origin = l.statement;
    const std::string made = fresh_ || again ? c.fresh(l.name) : l.name;
    const bool widened = widens(l), sum = l.intrinsic == "reduce_sum";
    const std::string all = widened ? c.fresh(l.name + "_all") : made;
    const auto own = [&](const std::string &of) {
      const Node type = annotation(l, of);
      return widened ? wider(type, origin) : type;
    };
    const auto cast = [&](const std::string &to, Node type, const std::string &from, Node dtype) {
      return c.assign(to, type, library("cast", {c.name(from, origin), dtype}, origin), origin);
    };
    std::vector<uint32_t> parts;
    const Node type = own("");
    const Nodes of = c.get<ast::Tuple>(c.get<ast::Subscript>(type).slice()).elts();
    for (const Node n : of) parts.push_back(copy_of(c, n, origin));
    if (!sum) {
      const bool largest = l.intrinsic == "reduce_min"; // which anything is less than
      parts.insert(parts.begin() + 1, bound_of(widened ? "f32" : l.type.dtype, largest, origin));
    }
    const Node first = library(sum ? "zeros" : "full", std::move(parts), origin);
    before.push_back(c.assign(all, type, first, origin));
    names[k] = c.fresh(l.name + "_part");
    std::string one = names[k];
    if (!widened) {
      inner.push_back(line(l, k, part, names, outer));
    } else if (sum) { // of what it sums up as f32
      Line wide = l;
      const auto &[operand, from] = *l.reads.begin();
      const std::string given = c.fresh(operand + "_wide");
      inner.push_back(
          cast(given, wider(annotation(body.lines[from], part), origin), names.at(from), c.path("htp.f32", origin)));
      wide.annotation = own(part);
      std::map<size_t, std::string> with = names;
      with[from] = given;
      inner.push_back(line(wide, k, part, with, outer));
    } else {
      inner.push_back(line(l, k, part, names, outer));
      one = c.fresh(l.name + "_wide");
      inner.push_back(cast(one, own(part), names[k], c.path("htp.f32", origin)));
    }
    const char *intrinsic = sum ? "add" : l.intrinsic == "reduce_max" ? "maximum" : "minimum";
    inner.push_back(
        c.assign(all, HTP_NONE, library(intrinsic, {c.name(all, origin), c.name(one, origin)}, origin), origin));
    names[k] = made;
    if (!widened) return;
    const Node narrow = annotation(l, "");
    const Node dtype = c.get<ast::Tuple>(c.get<ast::Subscript>(narrow).slice()).elts()[0];
    behind.push_back(cast(made, narrow, all, copy_of(c, dtype, origin)));
  }
  // The largest or the least of a dtype.
  Node bound_of(const std::string &dtype, bool largest, Node origin) const {
    const DType *d = dtype_named(dtype);
    const bool real = dtype.find('f') != std::string::npos;
    const int64_t most = dtype == "i16" ? INT16_MAX : INT32_MAX;
    const Node n = real || !d ? c.make(make::Constant{.value = Literal::real(HUGE_VAL)}, origin)
                              : c.integer_node(largest ? most : -most - 1, origin);
    return real && !largest ? c.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin) : n;
  }

  const Context &c;
  Node root_;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  Imports imports_;
  std::map<std::string, Type, std::less<>> tensors_;
  std::map<std::string, int64_t, std::less<>> loops_; // the size of their blocks
  Words tiles_;
  std::map<Node, Body> found_; // loops of the statement that is written
  bool fresh_ = false;         // whether names are new ones: those of the other way are taken
  bool changed_ = false;
};

} // namespace

Node split_long_reductions(const Context &c, Node root) { return Passes(c, root).run(); }

} // namespace htp::a2a3
