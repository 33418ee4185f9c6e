// cpu.pack_panels: what all rows of a product load is laid side by side first, where the tensor's rows are so long that
// a step from one to the next leaves the page, and lands in the same few sets of the caches.
//
//   for p in range(n):                                  if N >= 1024:
//       for q in htp.vectorized(range(N)):                  panel: Tile[f32, K, 48] = cpu.alloc(f32, K, 48)
//           total: f32 = cpu.splat(f32, 0)                  for q_block in range(0, N, 48):
//           for r in range(K):                                  q_at = min(q_block, N - 48)
//               x: f32 = cpu.get(a, p, r)           →           for r in range(K):
//               y: f32 = cpu.get(b, r, q)                           for q in htp.vectorized(range(48)):
//               total = cpu.fma(x, y, total)                            b_tile: f32 = cpu.get(b, r, q_at + q)
//           cpu.put(c, total, p, q)                                     cpu.put(panel, b_tile, r, q)
//                                                               for p in range(n): … y = cpu.get(panel, r, q) …
//                                                       else: …
//
// The last block begins where it is whole: what two blocks compute is the same. Where a block of columns is given, as
// tiles give one, that is the panel.
//
// What lies across the columns, as the second operand of a product with a transpose does, is laid so however long its
// rows are. Where that does not pay, since few rows share it, the sum is what runs on vectors:
//
//   for q in htp.vectorized(range(N)):                  for q in range(N):
//       for r in range(K):                        →         for r in htp.vectorized(range(K)):
//           y: f32 = cpu.get(b, q, r)                           y: f32 = cpu.get(b, q, r)
//
// Of bytes that are added up in 32 bits, four steps at a time are one word, which a machine multiplies at once:
//
//           for r in range(K):                                  for r in range(K // 4):
//               x: i8 = cpu.get(a, p, r)                            x_word: i32 = cpu.word(…four of a's row…)
//               y: i8 = cpu.get(b, r, q)          →                 x_raised: i32 = cpu.bit_xor(x_word, …128 in each
//               byte…) total = cpu.add(total, x * y)                       y_word: i32 = cpu.get(panel, r, q)
//                                                                   total = cpu.dot4(x_raised, y_word, total)
//                                                               for r in range(K // 4 * 4, K): …
//
// `dot4` takes the bytes of x without a sign: 128 is added to each, and 128 times the sum of y's taken away beforehand.
#include "passes/row_nests.h"

#include "lowering/loops/lower.h"
#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <optional>

namespace htp::cpu {

namespace {

constexpr int64_t long_row = 1024;  // elements
constexpr int64_t panel_width = 48; // three vectors of the widest machines: with eight rows as many sums as they hold
constexpr int64_t widest_block = 64, deepest_block = 512;
constexpr int64_t block_across = 65536; // elements of a block whose elements lie across the columns
constexpr int64_t word = 4;             // bytes
constexpr int64_t raised = -0x7f7f7f80; // 128 in each of them
constexpr int64_t few_rows = 8;         // as many as run side by side: each element is loaded once anyway

class Packing {
public:
  Packing(const Context &context, Node root, Node function)
      : c(context), nests_(context, root, function), imports_(context, root, {}),
        tile_(imports_.name("htp_tile", "Tile", "tile")) {
    for (const Parameter &p : parameters_of(c, nests_.names(), function)) {
      tensors_.emplace(p.name, p.type);
      if (const int along = loops::beside_in(c, p); along + 1 != static_cast<int>(p.type.dims.size()))
        along_.emplace(p.name, along);
    }
    c.each(function, [&](Node n) {
      auto a = c.as<ast::AnnAssign>(n);
      if (!a) return;
      const bool buffer = cpu_intrinsic(nests_.names().called(a.value())) == "alloc";
      (buffer ? buffers_ : scalars_).emplace(c.name_of(a.target()), read_type(c, nests_.names(), a.annotation()));
    });
    c.each(function, [&](Node n) {
      auto branch = c.as<ast::If>(n);
      if (!branch) return;
      const std::string test = c.show(branch.test());
      for (const Node s : branch.orelse())
        c.each(s, [&](Node inner) {
          if (c.is(inner, HTP_For)) otherwise_[inner].insert(test);
        });
      auto all = c.as<ast::BoolOp>(branch.test());
      const Nodes tests = all && all.op() == HTP_And ? all.values() : Nodes();
      for (const Node s : branch.body())
        c.each(s, [&](Node inner) {
          if (!c.is(inner, HTP_For)) return;
          if (tests.empty()) holds_[inner].insert(test);
          for (const Node each : tests) holds_[inner].insert(c.show(each));
        });
    });
  }

  // The function with what it can have in panels; then with what lies across vectors still.
  Node run() const {
    const Node packed = rewrite(
        c, nests_.function(), [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          auto operand = operand_of(s);
          return operand && (pack(std::move(*operand), out), true);
        });
    return packed == nests_.function() ? with_turned(packed) : packed;
  }
  Node imported(Node root) const { return imports_.apply(root); }
  // A loop that it would change.
  Node first() const {
    Node found = HTP_NONE;
    c.each(nests_.function(), [&](Node n) {
      if (!found && (operand_of(n) || is_across(n))) found = n;
    });
    return found;
  }

private:
  // Of a sum of products of bytes: `x = cpu.get(a, p, r)`, and what all are added to.
  struct Bytes {
    Node left = HTP_NONE;
    std::string_view total;
  };
  // What the rows of a nest load in common: `y = cpu.get(b, r, q)`, in the loop over r in the loop on vectors over q.
  struct Operand {
    RowNest nest;
    ast::For vectors, inner;
    Node load = HTP_NONE; // the statement
    std::string_view tensor;
    bool across = false; // `y = cpu.get(b, q, r)`
    std::optional<Bytes> bytes;
    std::string high;                        // of bytes: the name of 128 in each of a word
    Node width = HTP_NONE, depth = HTP_NONE; // how far q and r go
    std::optional<int64_t> block, steps;     // the most they can be, where a panel is to be as large
    std::vector<uint32_t> conditions;        // what is known when it runs only
  };

  // ── which loops ───────────────────────────────────────────────────────────────────────────────────────────────────

  std::optional<Operand> operand_of(Node s) const {
    Operand o;
    auto loop = c.as<ast::For>(s);
    if (!loop || loop.body().size() != 1 || !(o.vectors = c.as<ast::For>(loop.body()[0]))) return std::nullopt;
    o.width = nests_.whole_range(loop_forms(c, nests_.names(), o.vectors.iter()).range);
    o.inner = c.as<ast::For>(HTP_NONE);
    for (const Node inside : o.vectors.body())
      if (auto inner = c.as<ast::For>(inside)) {
        if (o.inner) return std::nullopt;
        o.inner = inner;
      }
    o.depth = o.inner ? nests_.whole_range(o.inner.iter()) : HTP_NONE;
    if (!o.width || !o.depth) return std::nullopt;
    o.nest = nests_.of(s);
    if (!o.nest.loop || !o.nest.wrappers.empty() || !(o.load = load_of(o))) return std::nullopt;
    o.across = lies_across(loops::value_of(c, o.load), o.vectors, o.inner);
    o.bytes = bytes_of(o.inner, o.load);
    o.tensor = c.name_of(c.get<ast::Call>(loops::value_of(c, o.load)).args()[0]);
    return shaped(o) && wanted(o) ? std::optional(std::move(o)) : std::nullopt;
  }

  Node load_of(const Operand &o) const {
    const NameSet rows = nests_.varying(o.nest), column{std::string(c.name_of(o.vectors.target()))},
                  step{std::string(c.name_of(o.inner.target()))};
    NameSet own; // names of the nest, which are not known before it
    c.each(o.nest.loop, [&](Node n) {
      if (const std::string_view name = loops::bound_name(c, n); !name.empty()) own.emplace(name);
    });
    for (const Node s : o.inner.body()) {
      const Node value = loops::value_of(c, s);
      auto call = c.as<ast::Call>(value);
      if (!call || nests_.names().called(value) != "htp_cpu.get" || !call.keywords().empty()) continue;
      const Nodes index = call.args().subspan(1);
      if (index.size() < 2 || nests_.mentions(value, rows)) continue;
      const auto before = index.first(index.size() - 1);
      const bool elsewhere = along_.contains(c.name_of(call.args()[0])) ||
                             std::ranges::any_of(before, [&](Node i) { return nests_.mentions(i, column); });
      if (std::ranges::any_of(index, [&](Node i) { return nests_.mentions(i, own); })) continue;
      if (lies_across(value, o.vectors, o.inner) && is_known(c.name_of(call.args()[0]))) return s;
      const std::string_view memory = c.name_of(call.args()[0]);
      const bool packed = tensors_.contains(memory) || (is_known(memory) && bytes_of(o.inner, s));
      if (!elsewhere && packed && nests_.mentions(index.back(), column) && nests_.mentions(value, step)) return s;
    }
    return HTP_NONE;
  }

  // Of `x`, `y`, both wider, their product and the sum of these: nothing else stands in the loop.
  std::optional<Bytes> bytes_of(ast::For inner, Node load) const {
    std::map<std::string_view, Node> bound; // statements
    for (const Node s : inner.body())
      if (const std::string_view name = loops::bound_name(c, s); name.empty() || !bound.emplace(name, s).second)
        return std::nullopt;
    const auto is = [&](std::string_view name, std::string_view dtype) {
      const auto it = scalars_.find(name);
      return it != scalars_.end() && it->second.dtype && it->second.dtype->name == dtype;
    };
    // The arguments of what a name is bound to.
    const auto arguments = [&](std::string_view name, std::string_view intrinsic) -> Nodes {
      const auto it = bound.find(name);
      const Node value = it == bound.end() ? HTP_NONE : loops::value_of(c, it->second);
      auto call = c.as<ast::Call>(value);
      return call && nests_.names().called(value) == "htp_cpu." + std::string(intrinsic) ? call.args() : Nodes();
    };
    const std::string_view right = loops::bound_name(c, load);
    if (bound.size() != 6 || !is(right, "i8")) return std::nullopt;
    for (const auto &[total, statement] : bound) {
      const Nodes added = arguments(total, "add");
      if (added.size() != 2 || !is(total, "i32")) continue;
      for (const size_t k : {0, 1}) {
        const Nodes factors = c.name_of(added[k]) == total ? arguments(c.name_of(added[1 - k]), "mul") : Nodes();
        if (factors.size() != 2) continue;
        for (const size_t own : {0, 1}) {
          const Nodes y = arguments(c.name_of(factors[own]), "cast"),
                      x = arguments(c.name_of(factors[1 - own]), "cast");
          if (x.size() != 2 || y.size() != 2 || c.name_of(y[0]) != right || !is(c.name_of(x[0]), "i8")) continue;
          if (!arguments(c.name_of(x[0]), "get").empty() && is(c.name_of(factors[0]), "i32"))
            return Bytes{bound.at(c.name_of(x[0])), total};
        }
      }
    }
    return std::nullopt;
  }

  // Whether an element goes along the loop inside one on vectors, with a line of its own for each of their lanes.
  bool lies_across(Node value, ast::For vectors, ast::For inner) const {
    auto call = c.as<ast::Call>(value);
    if (!call || nests_.names().called(value) != "htp_cpu.get" || call.args().size() < 3 || !call.keywords().empty())
      return false;
    const NameSet column{std::string(c.name_of(vectors.target()))}, step{std::string(c.name_of(inner.target()))};
    const Nodes index = call.args().subspan(1);
    size_t columns = 0, steps = 0;
    for (const Node i : index) columns += nests_.mentions(i, column), steps += nests_.mentions(i, step);
    const auto along = along_.find(c.name_of(call.args()[0]));
    const int line = along == along_.end() ? static_cast<int>(index.size()) - 1 : along->second;
    return columns == 1 && steps == 1 && line >= 0 && nests_.mentions(index[static_cast<size_t>(line)], step);
  }
  // Whether the loop is on vectors, and a load in a loop inside lies across them.
  bool is_across(Node s) const {
    auto vectors = c.as<ast::For>(s);
    if (!vectors || !loop_forms(c, nests_.names(), vectors.iter()).vectorized) return false;
    return std::ranges::any_of(vectors.body(), [&](Node inside) {
      auto inner = c.as<ast::For>(inside);
      return inner && std::ranges::any_of(inner.body(), [&](Node each) {
               return lies_across(loops::value_of(c, each), vectors, inner);
             });
    });
  }

  // Whether there is a panel for it: of the given block, or of so many columns of the whole.
  bool shaped(Operand &o) const {
    const auto rows = nests_.most(o.nest.count), width = nests_.most(o.width), depth = nests_.most(o.depth);
    const bool at_once = o.across || o.bytes; // worth it for the few rows that run side by side
    if (rows && (at_once ? *rows < few_rows : *rows <= few_rows)) return false;
    if (width && depth &&
        (at_once ? *width <= block_across / std::max<int64_t>(*depth, 1)
                 : *width <= widest_block && *depth <= deepest_block)) {
      o.block = width, o.steps = depth;
      return true;
    }
    const bool extent = nests_.constants().integer(o.depth) || nests_.is_dim(o.depth);
    if (at_once && extent && width && *width <= widest_block) { // as a panel of another operand has it
      o.block = width;
      return true;
    }
    return extent && (!width || *width > widest_block) && again_the_same(o);
  }

  // Whether rows may be computed twice: nothing that they write is read.
  bool again_the_same(const Operand &o) const {
    NameSet read, written;
    c.each(o.nest.loop, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      if (!call || call.args().empty()) return;
      const std::string called = nests_.names().called(n);
      if (called == "htp_cpu.get") read.emplace(c.name_of(call.args()[0]));
      if (called == "htp_cpu.put") written.emplace(c.name_of(call.args()[0]));
    });
    return std::ranges::none_of(written, [&](const std::string &name) { return read.contains(name); });
  }

  bool wanted(Operand &o) const {
    const auto at_least = [&](Node value, int64_t least) {
      if (const auto known = nests_.constants().integer(value)) return *known >= least;
      if (const auto most = nests_.most(value); most && *most < least) return false;
      const Node test = c.make(
          make::Compare{.left = clone(c, value), .ops = {HTP_GtE}, .comparators = {c.integer_node(least, value)}},
          value);
      const auto known = holds_.find(o.nest.loop);
      const bool holds = nests_.is_dim(value) && known != holds_.end() && known->second.contains(c.show(test));
      if (!holds) o.conditions.push_back(test);
      return true;
    };
    const Node row = type_of(o.tensor).dims.back();
    const bool any_length = o.across || o.bytes;
    if (!any_length && !at_least(row, long_row)) return false;
    if (!o.block && !(!any_length && c.show(row) == c.show(o.width)) && !at_least(o.width, panel_width)) return false;
    if (!(o.block && o.steps) && !at_least(o.nest.count, 2 * few_rows)) return false;
    const auto it = otherwise_.find(o.nest.loop);
    return o.conditions.empty() || it == otherwise_.end() || !it->second.contains(c.show(test_of(o)));
  }
  Node test_of(const Operand &o) const {
    return o.conditions.size() == 1 ? o.conditions[0]
                                    : c.make(make::BoolOp{.op = HTP_And, .values = o.conditions}, o.conditions[0]);
  }

  // ── what becomes of them ──────────────────────────────────────────────────────────────────────────────────────────

  void pack(Operand o, std::vector<uint32_t> &out) const {
    if (o.bytes) o.high = c.fresh("high");
    const Node origin = o.nest.loop;
    const std::string panel = c.fresh(std::string(o.tensor) + "_panel"),
                      sums = o.bytes ? c.fresh(std::string(o.tensor) + "_sums") : "";
    std::vector<uint32_t> packed{allocation(o, panel, false)};
    if (o.bytes) {
      packed.push_back(allocation(o, sums, true));
      packed.push_back(c.assign(o.high, of_panel(o), number(o, raised), o.load));
    }
    if (o.block) {
      packed.push_back(filling(o, panel, {}));
      if (o.bytes) packed.push_back(sums_of(o, panel, sums));
      packed.push_back(from_panel(o, panel, sums, {}));
    } else {
      const std::string q(c.name_of(o.vectors.target())), block = c.fresh(q + "_block"), at = c.fresh(q + "_at");
      const auto width = [&] { return c.integer_node(panel_width, origin); };
      const Node last = c.binary(clone(c, o.width), HTP_Sub, width(), origin);
      const Node begin = c.assign(at, HTP_NONE, c.call("min", {c.name(block, origin), last}, origin), origin);
      std::vector<uint32_t> body{begin, filling(o, panel, at)};
      if (o.bytes) body.push_back(sums_of(o, panel, sums));
      body.push_back(from_panel(o, panel, sums, at));
      packed.push_back(
          c.make(make::For{.target = c.name(block, origin, HTP_STORE),
                           .iter = c.call("range", {c.integer_node(0, origin), clone(c, o.width), width()}, origin),
                           .body = std::move(body)},
                 origin));
    }
    if (o.conditions.empty()) return void(out.insert(out.end(), packed.begin(), packed.end()));
    std::vector<uint32_t> otherwise{nests_.untyped(o.nest.loop)};
    if (o.across) otherwise[0] = with_turned(otherwise[0]);
    out.push_back(c.make(make::If{.test = test_of(o), .body = packed, .orelse = otherwise}, origin));
  }

  // With the loops inside on vectors, in place of this one.
  Node turned(Node loop) const {
    const auto vectors = [&](Node n, Node form) {
      auto f = c.read<ast::For>(n);
      auto call = c.read<ast::Call>(clone(c, form));
      call.args = {f.iter};
      f.iter = c.make(call, f.iter);
      return c.with(n, f);
    };
    auto f = c.read<ast::For>(loop);
    const Node form = f.iter;
    for (uint32_t &s : f.body)
      if (auto inner = c.as<ast::For>(s); inner && nests_.whole_range(inner.iter())) s = vectors(s, form);
    f.iter = loop_forms(c, nests_.names(), form).range;
    return c.with(loop, f);
  }
  Node with_turned(Node loop) const {
    return rewrite(
        c, loop, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) { return is_across(s) && (out.push_back(turned(s)), true); });
  }

  bool is_known(std::string_view memory) const { return tensors_.contains(memory) || buffers_.contains(memory); }
  const Type &type_of(std::string_view memory) const {
    const auto tensor = tensors_.find(memory);
    return tensor == tensors_.end() ? buffers_.find(memory)->second : tensor->second;
  }
  Node dtype(const Operand &o) const { return clone(c, type_of(o.tensor).dtype_node); }
  Node cpu(const Operand &o, const char *intrinsic, std::vector<uint32_t> arguments) const {
    std::string path = c.dotted(c.get<ast::Call>(loops::value_of(c, o.load)).func());
    return c.call(path.substr(0, path.rfind('.') + 1) + intrinsic, std::move(arguments), o.load);
  }
  Node allocation(const Operand &o, const std::string &panel, bool row) const {
    const auto extent = [&](std::optional<int64_t> known, Node n) {
      return known ? c.integer_node(*known, n) : clone(c, n);
    };
    const auto extents = [&](std::vector<uint32_t> &list) {
      if (!o.bytes)
        list.push_back(extent(o.steps, o.depth));
      else if (!row)
        list.push_back(o.steps ? c.integer_node(*o.steps / word, o.load) : words(o));
      list.push_back(c.integer_node(o.block.value_or(panel_width), o.load));
    };
    std::vector<uint32_t> type{of_panel(o)}, arguments{of_panel(o)};
    extents(type), extents(arguments);
    const Node annotation = c.make(
        make::Subscript{.value = c.path(tile_, o.load), .slice = c.make(make::Tuple{.elts = type}, o.load)}, o.load);
    return c.assign(panel, annotation, cpu(o, "alloc", arguments), o.load);
  }

  // The loop over the columns of a panel: as it was, or with so many, which begin at `at`.
  Node over_columns(const Operand &o, const std::string &at, std::vector<uint32_t> body) const {
    auto loop = c.read<ast::For>(clone(c, o.vectors.node));
    if (!at.empty()) {
      auto form = c.read<ast::Call>(loop.iter);
      form.args = {c.call("range", {c.integer_node(panel_width, loop.iter)}, loop.iter)};
      loop.iter = c.make(form, loop.iter);
    }
    loop.body = std::move(body);
    return c.make(loop, o.vectors.node);
  }
  // The loop over the steps, or over what a range has of them.
  Node over_steps(const Operand &o, std::vector<uint32_t> body, std::vector<uint32_t> range = {}) const {
    auto loop = c.read<ast::For>(clone(c, o.inner.node));
    if (!range.empty()) loop.iter = c.call("range", std::move(range), loop.iter);
    loop.body = std::move(body);
    return c.make(loop, o.inner.node);
  }

  // How many words the steps are.
  Node words(const Operand &o) const {
    const auto known = nests_.constants().integer(o.depth);
    if (known) return c.integer_node(*known / word, o.depth);
    return c.binary(clone(c, o.depth), HTP_FloorDiv, c.integer_node(word, o.depth), o.depth);
  }
  Node of_panel(const Operand &o) const {
    return o.bytes ? clone(c, scalars_.find(o.bytes->total)->second.dtype_node) : dtype(o);
  }
  // A load's four bytes at the steps of a word, and that word, which gets the name.
  void load_word(const Operand &o, Node load, const std::string &at, const std::string &name,
                 std::vector<uint32_t> &out) const {
    const std::string stem(loops::bound_name(c, load));
    std::vector<uint32_t> parts;
    for (int64_t k = 0; k < word; ++k) {
      const Node value =
          nests_.substituted(clone(c, loops::value_of(c, load)), c.name_of(o.inner.target()), [&](Node r) {
            return c.binary(c.binary(r, HTP_Mult, c.integer_node(word, r), r), HTP_Add, c.integer_node(k, r), r);
          });
      const std::string part = c.fresh(stem);
      out.push_back(c.assign(part, clone(c, scalars_.find(stem)->second.dtype_node), moved(o, value, at), load));
      parts.push_back(c.name(part, load));
    }
    out.push_back(c.assign(name, of_panel(o), cpu(o, "word", parts), load));
  }

  Node filling(const Operand &o, const std::string &panel, const std::string &at) const {
    const std::string element = c.fresh(loops::bound_name(c, o.load));
    std::vector<uint32_t> copy, range;
    if (o.bytes) {
      range.push_back(words(o));
      load_word(o, o.load, at, element, copy);
    } else {
      copy.push_back(c.assign(element, dtype(o), moved(o, clone(c, loops::value_of(c, o.load)), at), o.load));
    }
    copy.push_back(
        c.statement(cpu(o, "put", {c.name(panel, o.load), c.name(element, o.load), step(o), column(o)}), o.load));
    if (!o.across) return over_steps(o, {over_columns(o, at, std::move(copy))}, range);
    auto columns = c.read<ast::For>(over_columns(o, at, {over_steps(o, std::move(copy), range)}));
    columns.iter = loop_forms(c, nests_.names(), columns.iter).range; // a line at a time
    return c.make(columns, o.load);
  }
  Node step(const Operand &o) const { return c.name(c.name_of(o.inner.target()), o.load); }
  Node column(const Operand &o) const { return c.name(c.name_of(o.vectors.target()), o.load); }

  // For each column of a panel 128 times what its bytes add up to.
  Node sums_of(const Operand &o, const std::string &panel, const std::string &sums) const {
    const std::string sum = c.fresh("sum"), element = c.fresh(std::string(loops::bound_name(c, o.load)) + "_word");
    const auto name = [&](const std::string &of) { return c.name(of, o.load); };
    const Node begin = c.assign(sum, of_panel(o), number(o, 0), o.load),
               load = c.assign(element, of_panel(o), cpu(o, "get", {name(panel), step(o), column(o)}), o.load);
    const Node add = c.assign(sum, HTP_NONE, cpu(o, "dot4", {name(o.high), name(element), name(sum)}), o.load);
    const Node store = c.statement(cpu(o, "put", {name(sums), name(sum), column(o)}), o.load);
    return over_columns(o, o.block ? "" : " ", {begin, over_steps(o, {load, add}, {words(o)}), store});
  }
  Node number(const Operand &o, int64_t value) const {
    return cpu(o, "splat", {of_panel(o), c.integer_node(value, o.load)});
  }

  // The rows, of these columns, with the panel's elements for the tensor's.
  Node from_panel(const Operand &o, const std::string &panel, const std::string &sums, const std::string &at) const {
    std::vector<uint32_t> body;
    for (const Node s : o.vectors.body()) {
      if (s != o.inner.node) {
        body.push_back(moved(o, clone(c, s), at));
        continue;
      }
      std::vector<uint32_t> steps;
      const auto from = [&](Node each) { return cpu(o, "get", {c.name(panel, each), step(o), column(o)}); };
      for (const Node each : o.inner.body())
        steps.push_back(each == o.load && !o.bytes ? with_value(c, clone(c, each), from(each))
                                                   : moved(o, clone(c, each), at));
      if (!o.bytes) {
        body.push_back(over_steps(o, std::move(steps)));
        continue;
      }
      const auto name_of_word = [&](Node load) { return c.fresh(std::string(loops::bound_name(c, load)) + "_word"); };
      const std::string left = name_of_word(o.bytes->left), right = name_of_word(o.load), total(o.bytes->total);
      std::vector<uint32_t> at_once;
      const std::string raised_left = c.fresh(left + "_raised"), bias = c.fresh("bias");
      body.push_back(c.assign(bias, of_panel(o), cpu(o, "get", {c.name(sums, s), column(o)}), o.load));
      body.push_back(c.assign(total, HTP_NONE, cpu(o, "sub", {c.name(total, s), c.name(bias, s)}), o.load));
      load_word(o, o.bytes->left, at, left, at_once);
      at_once.push_back(
          c.assign(raised_left, of_panel(o), cpu(o, "bit_xor", {c.name(left, s), c.name(o.high, s)}), o.load));
      at_once.push_back(c.assign(right, of_panel(o), from(o.load), o.load));
      at_once.push_back(c.assign(total, HTP_NONE,
                                 cpu(o, "dot4", {c.name(raised_left, s), c.name(right, s), c.name(total, s)}), o.load));
      body.push_back(over_steps(o, std::move(at_once), {words(o)}));
      const auto known = nests_.constants().integer(o.depth);
      if (known && *known % word == 0) continue;
      const Node first =
          known ? c.integer_node(*known / word * word, s) : c.binary(words(o), HTP_Mult, c.integer_node(word, s), s);
      body.push_back(over_steps(o, std::move(steps), {first, clone(c, o.depth)}));
    }
    auto rows = c.read<ast::For>(o.nest.loop);
    rows.target = clone(c, rows.target);
    rows.iter = clone(c, rows.iter);
    rows.body = {over_columns(o, at, std::move(body))};
    return c.make(rows, o.nest.loop);
  }

  // With `at + q` for q.
  Node moved(const Operand &o, Node n, const std::string &at) const {
    if (at.empty()) return n;
    return nests_.substituted(n, c.name_of(o.vectors.target()),
                              [&](Node q) { return c.binary(c.name(at, q), HTP_Add, q, q); });
  }

  const Context &c;
  const RowNests nests_;
  Imports imports_;
  const std::string tile_; // how `Tile` is spelled
  std::map<std::string, Type, std::less<>> tensors_, buffers_, scalars_;
  std::map<std::string, int, std::less<>>
      along_;                                 // of tensors that do not lie row-major: the dim that lies side by side
  std::map<Node, NameSet> holds_, otherwise_; // loops, by the tests that hold where they run, and that do not
};

} // namespace

Result pack_panels(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  // What rows load in common is packed one after the other: each time there is less of it.
  for (out = root;;) {
    const Node before = c.entry_function(out);
    Packing packing(c, out, before);
    const Node packed = packing.run();
    if (packed == before) return HTP_OK;
    out = packing.imported(with_statement(c, out, before, packed));
  }
}

Result verify_packed(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node apart = function ? Packing(c, root, function).first() : HTP_NONE;
  if (!apart) return HTP_OK;
  c.report(diag::unpacked, apart, c.name_of(c.get<ast::For>(apart).target()));
  return HTP_FAILED;
}

} // namespace htp::cpu
