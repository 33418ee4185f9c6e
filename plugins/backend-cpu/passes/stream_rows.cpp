// cpu.stream_rows: sums over the rows of a tensor, one for each of its columns, take the rows one after the other,
// where they are long: memory is then read as it lies, four rows at a time, and the sums stay in the first level's
// cache.
//
//   for q in htp.vectorized(range(N)):              if N >= 512 and K >= 16:
//       total: f32 = cpu.splat(f32, 0)                  sums: Tile[f32, N] = cpu.alloc(f32, N)
//       for r in range(K):                              for q in htp.vectorized(range(N)): …cpu.put(sums, total, q)
//           x: f32 = cpu.get(a, r)            →         for r in range(0, K - 3, 4):
//           y: f32 = cpu.get(b, r, q)                       x_1: f32 = cpu.get(a, r)  …
//           total = cpu.fma(x, y, total)                    for q in htp.vectorized(range(N)):
//       cpu.put(c, total, q)                                    total = cpu.get(sums, q)
//                                                               y_1: f32 = cpu.get(b, r, q)
//                                                               total = cpu.fma(x_1, y_1, total)  …
//                                                               cpu.put(sums, total, q)
//                                                       for r in range(K // 4 * 4, K): …
//                                                       for q in htp.vectorized(range(N)): …cpu.put(c, total, q)
//                                                   else: …
#include "passes/row_nests.h"

#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <optional>

namespace htp::cpu {

namespace {

constexpr int64_t long_row = 512, many_rows = 16, at_once = 4;

class Streaming {
public:
  Streaming(const Context &context, Node root, Node function)
      : c(context), nests_(context, root, function), imports_(context, root, {}),
        tile_(imports_.name("htp_tile", "Tile", "tile")) {
    c.each(function, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n)) types_.try_emplace(std::string(c.name_of(a.target())), a.annotation());
      auto branch = c.as<ast::If>(n);
      if (!branch) return;
      const std::string test = c.show(branch.test());
      for (const Node s : branch.orelse())
        c.each(s, [&](Node inner) {
          if (c.is(inner, HTP_For)) otherwise_[inner].insert(test);
        });
    });
  }

  Node run() {
    return rewrite(
        c, nests_.function(), [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          auto sums = sums_of(s);
          return sums && (stream(*sums, out), true);
        });
  }
  Node imported(Node root) const { return imports_.apply(root); }
  Node first() const {
    Node found = HTP_NONE;
    c.each(nests_.function(), [&](Node n) {
      if (!found && sums_of(n)) found = n;
    });
    return found;
  }

private:
  struct Sums {
    ast::For columns, rows;
    Node width = HTP_NONE, depth = HTP_NONE;
    std::string_view total;
    std::vector<uint32_t> before, behind;     // the loop over rows
    std::vector<uint32_t> of_row, of_element; // in it: what is the same for all columns, and the rest
    std::vector<uint32_t> conditions;
  };

  std::optional<Sums> sums_of(Node s) const {
    Sums sums;
    sums.columns = c.as<ast::For>(s);
    sums.rows = c.as<ast::For>(HTP_NONE);
    if (!sums.columns) return std::nullopt;
    const LoopForms forms = loop_forms(c, nests_.names(), sums.columns.iter());
    if (!forms.vectorized || forms.wrappers.size() != 1 || !(sums.width = nests_.whole_range(forms.range)))
      return std::nullopt;
    for (const Node each : sums.columns.body()) {
      if (auto rows = c.as<ast::For>(each)) {
        if (sums.rows) return std::nullopt;
        sums.rows = rows;
      } else {
        (sums.rows ? sums.behind : sums.before).push_back(each);
      }
    }
    sums.depth = sums.rows ? nests_.whole_range(sums.rows.iter()) : HTP_NONE;
    return sums.depth && summed(sums) && apart(sums) && wanted(sums) ? std::optional(std::move(sums)) : std::nullopt;
  }

  // Whether the loop adds something to one sum for each column, of a load along whose last dimension the columns go.
  bool summed(Sums &sums) const {
    NameSet varying{std::string(c.name_of(sums.columns.target()))}, own;
    for (const Node s : sums.before)
      if (const auto name = loops::bound_name(c, s); !name.empty()) varying.emplace(name), own.emplace(name);
    bool along = false;
    for (const Node s : sums.rows.body()) {
      const Node value = loops::value_of(c, s);
      const std::string_view name = loops::bound_name(c, s);
      const std::string called = nests_.names().called(value);
      if (name.empty() || !c.is(value, HTP_Call) || called == "htp_cpu.alloc") return false;
      if (own.contains(name)) {
        if (!sums.total.empty() || !nests_.mentions(value, NameSet{std::string(name)})) return false;
        sums.total = name;
      }
      const bool varies = nests_.mentions(value, varying);
      if (varies) varying.emplace(name);
      (varies ? sums.of_element : sums.of_row).push_back(s);
      auto call = c.as<ast::Call>(value);
      if (varies && called == "htp_cpu.get" && call.keywords().empty() && call.args().size() > 2)
        along = along || goes_along(call.args().subspan(1), sums);
    }
    if (sums.total.empty() || !along || !types_.contains(std::string(sums.total))) return false;
    // Nothing but the sum goes on behind the loop, or from one row to the next.
    std::set<std::string, std::less<>> bound(own);
    bound.erase(std::string(sums.total));
    for (const Node s : sums.rows.body())
      if (loops::bound_name(c, s) != sums.total) bound.emplace(loops::bound_name(c, s));
    std::set<std::string, std::less<>> known;
    for (const Node s : sums.rows.body()) {
      bool later = false;
      c.each(loops::value_of(c, s), [&](Node n) {
        const auto name = c.name_of(n);
        later = later || (bound.contains(name) && !known.contains(name));
      });
      if (later) return false;
      known.emplace(loops::bound_name(c, s));
    }
    return std::ranges::none_of(sums.behind, [&](Node s) {
      const std::string_view name = loops::bound_name(c, s);
      bool read = false;
      const Node value = loops::value_of(c, s);
      c.each(value ? value : s, [&](Node n) { read = read || bound.contains(c.name_of(n)); });
      bound.erase(std::string(name));
      return read || (name.empty() && !c.is(s, HTP_Expr));
    });
  }
  bool goes_along(Nodes index, const Sums &sums) const {
    const NameSet column{std::string(c.name_of(sums.columns.target()))},
        row{std::string(c.name_of(sums.rows.target()))};
    const auto before = index.first(index.size() - 1);
    const auto mentions = [&](const NameSet &names) { return [&](Node n) { return nests_.mentions(n, names); }; };
    return nests_.mentions(index.back(), column) && std::ranges::none_of(before, mentions(column)) &&
           !nests_.mentions(index.back(), row) && std::ranges::any_of(before, mentions(row));
  }

  // Whether no column reads what another one writes.
  bool apart(const Sums &sums) const {
    std::map<std::string, std::string, std::less<>> written; // and where
    bool fine = true;
    const auto visit = [&](const std::string &intrinsic, auto &&f) {
      c.each(sums.columns.node, [&](Node n) {
        auto call = c.as<ast::Call>(n);
        if (call && nests_.names().called(n) == "htp_cpu." + intrinsic) f(call.args());
      });
    };
    const auto at = [&](Nodes index) {
      std::string text;
      for (const Node n : index) text += c.show(n) + ",";
      return text;
    };
    visit("put", [&](Nodes a) {
      fine =
          fine && written.try_emplace(std::string(c.name_of(a[0])), at(a.subspan(2))).first->second == at(a.subspan(2));
    });
    visit("get", [&](Nodes a) {
      const auto it = written.find(c.name_of(a[0]));
      fine = fine && (it == written.end() || it->second == at(a.subspan(1)));
    });
    c.each(sums.columns.node, [&](Node n) {
      const std::string called = nests_.names().called(n);
      const std::string_view intrinsic = cpu_intrinsic(called);
      fine = fine && intrinsic != "order" && intrinsic != "alloc" && !loops::is_channel_intrinsic(intrinsic);
    });
    return fine;
  }

  bool wanted(Sums &sums) const {
    const auto at_least = [&](Node value, int64_t least) {
      if (const auto known = nests_.constants().integer(value)) return *known >= least;
      if (const auto most = nests_.most(value); most && *most < least) return false;
      sums.conditions.push_back(c.make(
          make::Compare{.left = clone(c, value), .ops = {HTP_GtE}, .comparators = {c.integer_node(least, value)}},
          value));
      return true;
    };
    if (!at_least(sums.width, long_row) || !at_least(sums.depth, many_rows)) return false;
    const auto it = otherwise_.find(sums.columns.node);
    return sums.conditions.empty() || it == otherwise_.end() || !it->second.contains(c.show(test_of(sums)));
  }
  Node test_of(const Sums &sums) const {
    return sums.conditions.size() == 1
               ? sums.conditions[0]
               : c.make(make::BoolOp{.op = HTP_And, .values = sums.conditions}, sums.conditions[0]);
  }

  // ── what becomes of them ──────────────────────────────────────────────────────────────────────────────────────────

  void stream(const Sums &sums, std::vector<uint32_t> &out) const {
    const Node origin = sums.columns.node;
    const std::string memory = c.fresh(std::string(sums.total) + "_sums"), total(sums.total);
    const Node dtype = types_.at(total);
    const std::string q(c.name_of(sums.columns.target()));
    const auto put = [&] {
      return c.statement(cpu(sums, "put", {c.name(memory, origin), c.name(total, origin), c.name(q, origin)}), origin);
    };
    const auto get = [&] {
      return c.assign(total, HTP_NONE, cpu(sums, "get", {c.name(memory, origin), c.name(q, origin)}), origin);
    };
    const auto extents = [&] { return std::vector<uint32_t>{clone(c, dtype), clone(c, sums.width)}; };
    const Node annotation =
        c.make(make::Subscript{.value = c.path(tile_, origin), .slice = c.make(make::Tuple{.elts = extents()}, origin)},
               origin);
    std::vector<uint32_t> streamed{c.assign(memory, annotation, cpu(sums, "alloc", extents()), origin)};
    std::vector<uint32_t> begin;
    for (const Node s : sums.before) begin.push_back(clone(c, s));
    begin.push_back(put());
    streamed.push_back(over_columns(sums, std::move(begin)));
    const auto number = [&](int64_t n) { return c.integer_node(n, origin); };
    const auto depth = [&] { return clone(c, sums.depth); };
    streamed.push_back(over_rows(sums,
                                 {number(0), c.binary(depth(), HTP_Sub, number(at_once - 1), origin), number(at_once)},
                                 at_once, get, put));
    const auto known = nests_.constants().integer(sums.depth);
    if (!known || *known % at_once != 0) {
      const Node from =
          c.binary(c.binary(depth(), HTP_FloorDiv, number(at_once), origin), HTP_Mult, number(at_once), origin);
      streamed.push_back(over_rows(sums, {from, depth()}, 1, get, put));
    }
    std::vector<uint32_t> end{get()};
    for (const Node s : sums.behind) end.push_back(clone(c, s));
    streamed.push_back(over_columns(sums, std::move(end)));
    if (sums.conditions.empty()) return void(out.insert(out.end(), streamed.begin(), streamed.end()));
    // Names of a row's own have their types there.
    auto otherwise = c.read<ast::For>(origin);
    for (uint32_t &s : otherwise.body)
      if (s != sums.rows.node) s = nests_.untyped(s);
    out.push_back(
        c.make(make::If{.test = test_of(sums), .body = streamed, .orelse = {c.with(origin, otherwise)}}, origin));
  }

  Node cpu(const Sums &sums, const char *intrinsic, std::vector<uint32_t> arguments) const {
    const Node value = loops::value_of(c, sums.rows.body()[0]);
    const std::string path = c.dotted(c.get<ast::Call>(value).func());
    return c.call(path.substr(0, path.rfind('.') + 1) + intrinsic, std::move(arguments), sums.columns.node);
  }
  Node over_columns(const Sums &sums, std::vector<uint32_t> body) const {
    auto loop = c.read<ast::For>(sums.columns.node);
    loop.target = clone(c, loop.target);
    loop.iter = clone(c, loop.iter);
    loop.body = std::move(body);
    return c.make(loop, sums.columns.node);
  }

  // So many rows in each iteration, whose names are each one's own.
  template <class Get, class Put>
  Node over_rows(const Sums &sums, std::vector<uint32_t> range, int64_t rows, const Get &get, const Put &put) const {
    std::vector<uint32_t> body, element{get()};
    for (int64_t k = 0; k < rows; ++k) {
      std::map<std::string, std::string, std::less<>> own;
      for (const Node s : sums.rows.body())
        if (const auto name = loops::bound_name(c, s); name != sums.total) own.emplace(name, c.fresh(name));
      for (const std::vector<uint32_t> *part : {&sums.of_row, &sums.of_element})
        for (const Node s : *part) (part == &sums.of_row ? body : element).push_back(of_row(sums, s, k, own));
    }
    element.push_back(put());
    body.push_back(over_columns(sums, std::move(element)));
    auto loop = c.read<ast::For>(sums.rows.node);
    loop.target = clone(c, loop.target);
    loop.iter = c.call("range", std::move(range), loop.iter);
    loop.body = std::move(body);
    return c.make(loop, sums.rows.node);
  }
  Node of_row(const Sums &sums, Node s, int64_t k, const std::map<std::string, std::string, std::less<>> &own) const {
    const std::string_view bound = loops::bound_name(c, s);
    Node value = clone(c, loops::value_of(c, s));
    if (k > 0)
      value = nests_.substituted(value, c.name_of(sums.rows.target()),
                                 [&](Node r) { return c.binary(r, HTP_Add, c.integer_node(k, r), r); });
    value = rewrite(
        c, value,
        [&](Node n) {
          const auto it = own.find(c.name_of(n));
          return it == own.end() || !c.is(n, HTP_Name) ? n : c.name(it->second, n);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
    const auto name = own.find(bound);
    if (name == own.end()) return c.assign(bound, HTP_NONE, value, s);
    return c.assign(name->second, clone(c, types_.at(std::string(bound))), value, s);
  }

  const Context &c;
  const RowNests nests_;
  Imports imports_;
  const std::string tile_; // how `Tile` is spelled
  std::map<std::string, Node, std::less<>> types_;
  std::map<Node, NameSet> otherwise_; // loops, by the tests that do not hold where they run
};

} // namespace

Result stream_rows(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  Streaming streaming(c, root, function);
  const Node streamed = streaming.run();
  out = streamed == function ? root : streaming.imported(with_statement(c, root, function, streamed));
  return HTP_OK;
}

Result verify_streamed(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node across = function ? Streaming(c, root, function).first() : HTP_NONE;
  if (!across) return HTP_OK;
  c.report(diag::unstreamed, across, c.name_of(c.get<ast::For>(across).target()));
  return HTP_FAILED;
}

} // namespace htp::cpu
