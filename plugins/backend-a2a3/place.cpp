// a2a3.place: blocks become ints, and every tile gets its room in its memory.
#include "program.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>

namespace htp::a2a3 {

namespace {

// How much room an extent needs: a number, or what is not known when the program is compiled.
struct Room {
  int64_t size = 0; // 0: not known
};

struct Block {
  std::string at, count;
  int64_t most = 0;
  bool task = false; // of the loop whose parts are tasks, or of blocks of it
};

struct Kept {
  std::string name;
  const DType *dtype = nullptr; // null: a mask, with a bit an element
  const Space *space = spaces;
  Kind kind = Kind::single;
  Room rows, columns;
  Node rows_valid = HTP_NONE, columns_valid = HTP_NONE; // expressions over ints
  Node statement = HTP_NONE, dtype_node = HTP_NONE;
  std::string layout;
  bool moves = false; // between memory and the buffer
  size_t depth = 0;   // loops around it
  unsigned first = 0, last = 0;
  int loop = -1;      // the innermost around it
  bool twice = false; // in every second iteration it lies behind where it lies in the others
  int64_t offset = 0;

  int64_t lines(int64_t unknown) const {
    const int64_t n = rows.size ? rows.size : unknown;
    if (space->boxes) return boxed(n, *dtype);
    return kind == Kind::row ? 1 : up(n, dtype ? dtype->bytes : 1); // a matrix has as many rows as a column of it
  }
  int64_t width(int64_t unknown) const {
    const int64_t n = columns.size ? columns.size : unknown;
    if (space->boxes) return boxed(n, *dtype);
    if (!dtype) return (n + 255) / 256 * 256;
    if (kind == Kind::column || kind == Kind::single) return 1;
    return up(n, dtype->bytes);
  }
  int64_t bytes(int64_t unknown) const { return once(unknown) * (twice ? 2 : 1); }
  int64_t once(int64_t unknown) const {
    return dtype ? lines(unknown) * width(unknown) * dtype->bytes : lines(unknown) * width(unknown) / 8;
  }

  static int64_t up(int64_t n, unsigned bytes) { // to lines of 32 bytes
    const int64_t step = 32 / bytes;
    return (n + step - 1) / step * step;
  }
};

constexpr int64_t rooms[] = {8192, 4096, 2048, 1024, 512, 256, 128, 64}; // for an extent that is not known

class Placement {
public:
  Placement(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), function_(function) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> before, memories, kernels;
    for (const Node s : f.body) (c.is(s, HTP_With) ? kernels : c.is(s, HTP_Assign) ? memories : before).push_back(s);
    for (const Node m : memories) {
      auto a = c.get<ast::Assign>(m);
      if (names_.called(a.value()) == "htp_pto.gm") memories_[std::string(c.name_of(a.targets()[0]))];
    }
    chunk_ = chunk_of(kernels);
    if (chunk_) part_ = c.fresh("part");
    for (uint32_t &k : kernels)
      if (!(k = kernel(k))) return HTP_NONE;
    for (uint32_t &m : memories) m = sized(m);
    std::vector<uint32_t> body = memories;
    body.insert(body.end(), kernels.begin(), kernels.end());
    if (chunk_) {
      const Node range = c.parse("range(0, " + extent_ + ", " + std::to_string(chunk_) + ")", function_);
      body = {c.make(make::For{.target = c.name(part_, function_, HTP_STORE), .iter = range, .body = std::move(body)},
                     function_)};
    }
    f.body = before;
    f.body.insert(f.body.end(), body.begin(), body.end());
    return c.with(function_, f);
  }

private:
  struct Loop {
    unsigned begin = 0, end = 0;
    bool holds_loops = false;
    bool once = false; // a task is one iteration of it
    std::string turn;  // its name, where it is used
  };

  // A kernel over ints, whose tiles have their places.
  Node kernel(Node s) {
    kernel_ = s;
    all_.clear(), tiles_.clear(), uses_.clear(), by_name_.clear(), by_statement_.clear(), by_loop_.clear();
    clock_ = 0;
    const std::vector<uint32_t> body = block(c.get<ast::With>(s).body());
    if (c.errors() || !assign()) return HTP_NONE;
    std::vector<uint32_t> placed;
    for (const Node n : body) placed.push_back(with_used(with_places(n)));
    return with_list(c, s, HTP_FIELD(With, body), placed);
  }
  // A loop without the ints that nothing in it uses.
  Node with_used(Node s) {
    auto l = c.as<ast::For>(s);
    if (!l) return s;
    std::set<std::string, std::less<>> used;
    c.each(s, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) used.emplace(name.id());
    });
    std::vector<uint32_t> body;
    for (const Node n : l.body())
      if (auto a = c.as<ast::Assign>(n);
          !a || used.contains(c.name_of(a.targets()[0])) || names_.called(a.value()) == "htp_pto.tile")
        body.push_back(with_used(n));
    return with_list(c, s, HTP_FIELD(For, body), body);
  }
  // Memory between kernels, of which a task has its part alone.
  Node sized(Node m) {
    auto a = c.get<ast::Assign>(m);
    const std::vector<bool> &parts = memories_[std::string(c.name_of(a.targets()[0]))];
    auto call = c.read<ast::Call>(a.value());
    for (size_t d = 0; d + 1 < call.args.size() && d < parts.size(); ++d)
      if (parts[d])
        call.args[d + 1] = rewrite(
            c, call.args[d + 1], [&](Node n) { return text_of_extent(n) == extent_ ? c.integer_node(chunk_, n) : n; },
            [](Node, std::vector<uint32_t> &) { return false; });
    return with_slot(c, m, HTP_FIELD(Assign, value), c.with(a.value(), call));
  }

  bool refuse(Node where, const std::string &what) {
    c.report(diag::unsupported_form, where, what);
    return false;
  }

  // ── tasks ──

  // How many indices of the outermost loop make a task: where that loop is all there is, and all that is stored is
  // indexed by its block first, so that tasks share neither elements nor, by multiples of 64, lines of memory. Else 0:
  // one task.
  int64_t chunk_of(Nodes kernels) const {
    std::set<std::string, std::less<>> stored;
    std::map<std::string, std::set<size_t>>
        between; // memory between kernels, and by which index it goes with the block
    std::string over;
    int64_t size = 0;
    bool apart = true, lines = true;
    for (const bool loads : {false, true})
      for (const Node k : kernels)
        for (const Node s : c.get<ast::With>(k).body()) {
          if (is_text(s)) continue;
          auto loop = c.as<ast::For>(s);
          const Node range = loop ? loop_forms(c, names_, loop.iter()).range : HTP_NONE;
          auto call = c.as<ast::Call>(range);
          if (!call || names_.called(range) != "htp_tile.tiles" || call.args().size() != 2) return 0;
          size = constants_.integer(call.args()[1]).value_or(0);
          const std::string text = c.show(call.args()[0]) + ", " + std::to_string(size);
          if (size < 1 || size > 4096 || (!over.empty() && over != text)) return 0;
          over = text;
          const auto blocks = blocks_in(s);
          const auto goes = [&](Node index) {
            bool found = false;
            c.each(index, [&](Node n) { found |= blocks.contains(c.name_of(n)); });
            return found;
          };
          c.each(s, [&](Node n) {
            auto m = c.as<ast::Call>(n);
            const std::string word = m ? names_.called(n) : std::string();
            if ((word != "htp_pto.tload" && word != "htp_pto.tstore") || m.args().size() < 3) return;
            const bool load = word == "htp_pto.tload";
            const std::string tensor(c.name_of(m.args()[load]));
            if (load != loads) return;
            if (memories_.contains(tensor)) {
              std::set<size_t> by;
              for (size_t d = 2; d < m.args().size(); ++d)
                if (goes(m.args()[d])) by.insert(d);
              const auto [it, fresh] = between.emplace(tensor, by);
              if (!fresh) std::erase_if(it->second, [&](size_t d) { return !by.contains(d); });
              apart &= !it->second.empty();
              return;
            }
            if (!load) stored.insert(tensor), lines &= m.args().size() == 3;
            apart &= (load && !stored.contains(tensor)) || blocks.contains(c.name_of(m.args()[2]));
          });
        }
    if (!apart || stored.empty()) return 0;
    return std::lcm(size, int64_t{64}) * (lines ? 64 : 1);
  }
  // The variable of a loop over blocks, and those of loops over blocks of its blocks.
  std::set<std::string, std::less<>> blocks_in(Node loop) const {
    std::set<std::string, std::less<>> found{std::string(c.name_of(c.get<ast::For>(loop).target()))};
    c.each(loop, [&](Node n) {
      auto l = c.as<ast::For>(n);
      auto call = l ? c.as<ast::Call>(loop_forms(c, names_, l.iter()).range) : c.as<ast::Call>(HTP_NONE);
      if (call && !call.args().empty() && found.contains(c.name_of(call.args()[0])))
        found.emplace(c.name_of(l.target()));
    });
    return found;
  }

  // ── statements ──

  std::vector<uint32_t> block(Nodes statements) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      ++clock_;
      if (c.is(s, HTP_Pass) || is_text(s)) continue;
      if (c.is(s, HTP_For)) {
        loop(s, out);
      } else if (auto a = c.as<ast::Assign>(s)) {
        const std::string called = names_.called(a.value());
        if (called == "htp_pto.tile")
          declare(s, a);
        else if (!called.empty() || a.targets().size() != 1)
          refuse(s, "`" + c.show(s) + "`");
        out.push_back(called == "htp_pto.tile" ? s : over_ints(s));
      } else if (auto e = c.as<ast::Expr>(s); e && names_.called(e.value()).starts_with("htp_pto.")) {
        use(e.value());
        out.push_back(with_slot(c, s, HTP_FIELD(Expr, value), indexed(e.value())));
      } else if (const Node test = c.is(s, HTP_If) ? ints(c.get<ast::If>(s).test()) : HTP_NONE) {
        auto choice = c.get<ast::If>(s);
        for (const Nodes body : {choice.body(), choice.orelse()})
          for (const Node n : body)
            if (auto k = c.as<ast::Expr>(n)) use(k.value());
        out.push_back(with_slot(c, s, HTP_FIELD(If, test), test));
      } else {
        refuse(s, c.is(s, HTP_If)      ? "an `if` within a kernel"
                  : c.is(s, HTP_While) ? "a `while` within a kernel"
                                       : "`" + c.show(s) + "`");
      }
    }
    return out;
  }
  bool is_text(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return e && c.is(e.value(), HTP_Constant);
  }

  void loop(Node s, std::vector<uint32_t> &out) {
    auto l = c.read<ast::For>(s);
    const Node range = loop_forms(c, names_, l.iter).range;
    const std::string variable(c.name_of(l.target));
    auto call = c.as<ast::Call>(range);
    std::vector<uint32_t> body;
    bool once = false;
    const bool blocks = names_.called(range) == "htp_tile.tiles";
    if (blocks) {
      Block b{c.fresh(variable + "_at"), c.fresh(variable + "_n"), 0, false};
      const auto size = constants_.integer(call.args()[1]);
      if (!size || *size < 1) {
        refuse(range, "blocks whose size is not known");
        return;
      }
      const auto outer = blocks_.find(c.name_of(call.args()[0]));
      const std::string first = outer == blocks_.end() ? "0" : outer->second.at;
      const std::string end =
          outer == blocks_.end() ? text_of_extent(call.args()[0]) : outer->second.at + " + " + outer->second.count;
      const std::string n = std::to_string(*size);
      const bool task = chunk_ && around_.empty();
      if (task) extent_ = end, once = chunk_ == *size;
      b.most = outer == blocks_.end() ? most_of(call.args()[0], *size) : std::min(*size, outer->second.most);
      b.task = task || (outer != blocks_.end() && outer->second.task);
      l.target = c.name(b.at, s, HTP_STORE);
      l.iter = c.parse(task ? "range(" + part_ + ", min(" + part_ + " + " + std::to_string(chunk_) + ", " + end +
                                  "), " + n + ")"
                            : "range(" + first + ", " + end + ", " + n + ")",
                       range);
      const Node count = c.parse("min(" + n + ", " + end + " - " + b.at + ")", range);
      body.push_back(c.assign(b.count, HTP_NONE, count, s));
      blocks_[variable] = b;
    } else if (call && c.name_of(call.func()) == "range") {
      l.iter = ints(range);
    } else {
      refuse(range, "a loop over `" + c.show(range) + "`");
      return;
    }
    const size_t here = all_.size();
    all_.push_back({clock_, 0, false, once, {}});
    if (!around_.empty()) all_[around_.back()].holds_loops = true;
    around_.push_back(here);
    const auto inner = block(c.get<ast::For>(s).body());
    around_.pop_back();
    all_[here].end = clock_;
    body.insert(body.end(), inner.begin(), inner.end());
    l.body = body;
    out.push_back(c.with(s, l));
    by_loop_[out.back()] = here;
  }

  // ── ints ──

  std::string text_of_extent(Node n) const {
    const auto value = constants_.integer(n);
    return value ? std::to_string(*value) : c.show(n);
  }
  int64_t most_of(Node extent, int64_t size) const {
    const auto n = constants_.integer(extent);
    return n && *n > 0 ? std::min(*n, size) : size;
  }
  Node over_ints(Node s) { return with_slot(c, s, HTP_FIELD(Assign, value), ints(c.get<ast::Assign>(s).value())); }
  // Where a block begins: in a tensor, or in a task's own part of what lies between kernels.
  std::string begin_of(const Block &b, bool own) const {
    return own && b.task ? "(" + b.at + " - " + part_ + ")" : b.at;
  }
  // `i.start`, `i.stop`, `len(i)` in an expression.
  Node ints(Node n, bool own = false) {
    return rewrite(
        c, n,
        [&](Node e) -> Node {
          if (auto a = c.as<ast::Attribute>(e)) {
            const auto b = blocks_.find(c.name_of(a.value()));
            if (b == blocks_.end()) return e;
            return c.parse(a.attr() == "start" ? begin_of(b->second, own) : b->second.at + " + " + b->second.count, e);
          }
          auto k = c.as<ast::Call>(e);
          if (!k || c.name_of(k.func()) != "len" || k.args().size() != 1) return e;
          const auto b = blocks_.find(c.name_of(k.args()[0]));
          return b == blocks_.end() ? e : c.name(b->second.count, e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // The index of a transfer over ints: blocks as slices.
  Node indexed(Node call) {
    auto k = c.read<ast::Call>(call);
    const std::string word = names_.called(call).substr(8);
    if (word != "tload" && word != "tstore") {
      for (uint32_t &a : k.args) a = ints(a);
      return c.with(call, k);
    }
    const auto memory = memories_.find(std::string(c.name_of(k.args[word == "tload"])));
    const bool own = memory != memories_.end();
    for (size_t n = 2; n < k.args.size(); ++n) {
      const auto b = blocks_.find(c.name_of(k.args[n]));
      const std::string text = c.show(k.args[n]);
      if (own) {
        memory->second.resize(k.args.size() - 2);
        if (of_task(k.args[n])) memory->second[n - 2] = true;
      }
      if (b != blocks_.end()) {
        const std::string begin = begin_of(b->second, own);
        k.args[n] = c.parse("slice(" + begin + ", " + begin + " + " + b->second.count + ")", k.args[n]);
      } else if (text == "whole" || text.ends_with(".whole"))
        k.args[n] = c.path("pto.whole", k.args[n]);
      else if (const auto slice = read_slice(c, k.args[n]); slice && !slice->step && !mentions_block(k.args[n]))
        k.args[n] =
            c.parse("slice(" + (slice->start ? c.show(ints(slice->start)) : "0") + ", " +
                        (slice->stop ? c.show(ints(slice->stop)) : extent_of(k.args[word == "tload"], n - 2)) + ")",
                    k.args[n]);
      else if (c.is(k.args[n], HTP_Call) || mentions_block(k.args[n]))
        refuse(k.args[n], "the index `" + text + "`");
      else
        k.args[n] = ints(k.args[n], own);
    }
    return c.with(call, k);
  }
  // Of a dimension of a parameter.
  std::string extent_of(Node tensor, size_t dim) const {
    for (const Node a : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
      if (auto p = c.get<ast::arg>(a); p.arg() == c.name_of(tensor))
        if (const auto type = read_type(c, p.annotation()); type && dim < type->extents.size())
          return type->extents[dim].text();
    return "0";
  }
  // Whether an index goes with the task.
  bool of_task(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) {
      const auto b = blocks_.find(c.name_of(e));
      found |= b != blocks_.end() && b->second.task;
    });
    return found;
  }
  bool mentions_block(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) {
      if (c.is(e, HTP_Attribute)) return false;
      found |= blocks_.contains(std::string(c.name_of(e)));
      return true;
    });
    return found;
  }

  // ── tiles ──

  Room room_of(Node extent) const {
    if (const auto b = blocks_.find(c.name_of(extent)); b != blocks_.end()) return {b->second.most};
    return {constants_.integer(extent).value_or(0)};
  }
  Node valid_of(Node extent) const {
    if (const auto b = blocks_.find(c.name_of(extent)); b != blocks_.end()) return c.name(b->second.count, extent);
    return c.parse(text_of_extent(extent), extent);
  }

  void declare(Node s, ast::Assign a) {
    const Nodes parts = c.get<ast::Call>(a.value()).args();
    Kept t;
    t.name = std::string(c.name_of(a.targets()[0]));
    const std::string dtype = parts.empty() ? "" : names_.qualified(parts[0]);
    t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    if (!t.dtype && !dtype.ends_with("bool_")) {
      refuse(s, "a tile of " + dtype);
      return;
    }
    for (const Node w : c.get<ast::Call>(a.value()).keywords()) {
      auto word = c.get<ast::keyword>(w);
      std::string_view text;
      c.string(word.value(), &text);
      if (word.arg() == "space") t.space = space_named(text);
      if (word.arg() == "layout") t.layout = std::string(text);
    }
    if (!t.space) {
      refuse(s, "`" + c.show(s) + "`");
      return;
    }
    t.dtype_node = parts[0];
    t.statement = s;
    std::vector<Extent> extents;
    std::vector<Node> nodes;
    for (const Node n : parts.subspan(1)) {
      const auto e = read_extent(c, n);
      const auto number = constants_.integer(n);
      extents.push_back(number ? Extent::of(*number) : e.value_or(Extent{c.show(n), 0}));
      if (!extents.back().is(1)) nodes.push_back(n);
    }
    t.kind = shape_of(extents).kind;
    if (t.space->boxes && extents.size() == 2) t.kind = Kind::matrix, nodes = {parts[1], parts[2]};
    if (!t.dtype && (t.kind == Kind::column || t.kind == Kind::single)) {
      refuse(s, "a mask of one column");
      return;
    }
    t.rows = t.columns = {1};
    t.rows_valid = t.columns_valid = c.integer_node(1, s);
    if (t.kind == Kind::other) {
      refuse(s, "a tile of more than two dimensions");
      return;
    }
    if (t.kind == Kind::matrix || t.kind == Kind::column) {
      t.rows = room_of(nodes[0]);
      t.rows_valid = valid_of(nodes[0]);
    }
    if (t.kind == Kind::matrix || t.kind == Kind::row) {
      t.columns = room_of(nodes.back());
      t.columns_valid = valid_of(nodes.back());
    }
    t.depth = around_.size();
    if (!around_.empty()) t.loop = static_cast<int>(around_.back());
    t.first = t.last = clock_;
    by_name_[t.name] = tiles_.size();
    by_statement_[s] = tiles_.size();
    tiles_.push_back(t);
  }

  void use(Node call) {
    const std::string word = names_.called(call).substr(8);
    for (const Node n : c.get<ast::Call>(call).args()) {
      const auto it = by_name_.find(c.name_of(n));
      if (it == by_name_.end()) continue;
      Kept &t = tiles_[it->second];
      t.moves |= word == "tload" || word == "tstore" || t.space->name == "left" || t.space->name == "right";
      uses_.push_back({it->second, clock_, around_.size() > t.depth ? static_cast<int>(around_[t.depth]) : -1});
    }
  }

  // ── the buffer ──

  bool assign() {
    for (const Use &u : uses_) {
      Kept &t = tiles_[u.tile];
      t.last = std::max({t.last, u.at, u.loop < 0 ? 0U : all_[static_cast<size_t>(u.loop)].end});
    }
    const bool open = std::any_of(tiles_.begin(), tiles_.end(), [](const Kept &t) {
      return !t.rows.size || ((t.kind == Kind::matrix || t.kind == Kind::row) && !t.columns.size);
    });
    const auto fits = [&](bool twice, bool apart, int64_t smallest) {
      for (Kept &t : tiles_)
        t.twice = twice && t.moves && t.loop >= 0 && !all_[static_cast<size_t>(t.loop)].holds_loops &&
                  !all_[static_cast<size_t>(t.loop)].once;
      for (const int64_t room : rooms) {
        if (room < smallest) break;
        room_ = room;
        if (fit(room, apart)) return true;
        if (!open) break;
      }
      return false;
    };
    // What moves lies in two places in turn, so that one iteration loads while another computes, unless that leaves
    // little room; then apart from what is computed with.
    if (fits(true, true, 1024) || fits(false, true, 64) || fits(false, false, 64)) {
      for (const Kept &t : tiles_)
        if (Loop *l = t.twice ? &all_[static_cast<size_t>(t.loop)] : nullptr; l && l->turn.empty())
          l->turn = c.fresh("turn");
      return true;
    }
    c.report(diag::buffer_full, function_, c.entry(), least_, full_->text, full_->bytes);
    return false;
  }

  // Gives tiles their places; whether there is room. Those whose lives do not meet share bytes: with `apart` not
  // what moves, so that it need not wait for others.
  bool fit(int64_t room, bool apart) {
    bool fine = true;
    std::vector<const Kept *> placed;
    for (const bool moving : {true, false})
      for (Kept &t : tiles_) {
        if (t.moves != moving) continue;
        const int64_t bytes = t.bytes(room);
        const auto meets = [&](const Kept &o) {
          return (apart && (o.moves || t.moves)) || (t.first <= o.last && o.first <= t.last);
        };
        t.offset = 0;
        for (bool moved = true; moved;) {
          moved = false;
          for (const Kept *o : placed)
            if (o->space == t.space && meets(*o) && t.offset < o->offset + o->bytes(room) &&
                o->offset < t.offset + bytes)
              t.offset = o->offset + o->bytes(room), moved = true;
        }
        placed.push_back(&t);
        if (t.offset + bytes > t.space->bytes) fine = false, full_ = t.space, least_ = t.offset + bytes;
      }
    return fine;
  }

  Node with_places(Node s) {
    if (auto l = c.as<ast::For>(s)) {
      std::vector<uint32_t> body;
      for (const Node n : l.body()) body.push_back(with_places(n));
      const std::string turn = all_[by_loop_.at(s)].turn;
      auto changed = c.read<ast::For>(s);
      changed.body = std::move(body);
      if (!turn.empty()) {
        changed.target = c.make(make::Tuple{.elts = {c.name(turn, s, HTP_STORE), changed.target}, .ctx = HTP_STORE}, s);
        changed.iter = c.call("pto.turns", {changed.iter}, s);
      }
      return c.with(s, changed);
    }
    const auto it = by_statement_.find(s);
    if (it == by_statement_.end()) return s;
    const Kept &t = tiles_[it->second];
    const Node valid = c.make(make::Tuple{.elts = {t.rows_valid, t.columns_valid}, .ctx = HTP_LOAD}, s);
    const auto keyword = [&](const char *word, Node value) {
      return c.make(make::keyword{.arg = word, .value = value}, s);
    };
    Node at = c.integer_node(t.offset, s);
    if (t.twice) {
      const Node turn =
          c.binary(c.name(all_[static_cast<size_t>(t.loop)].turn, s), HTP_Mult, c.integer_node(t.once(room_), s), s);
      at = t.offset ? c.binary(at, HTP_Add, turn, s) : turn;
    }
    std::vector<uint32_t> words{keyword("valid", valid), keyword("at", at)};
    if (t.space != spaces) words.push_back(keyword("space", c.string_node(t.space->name, s)));
    if (!t.layout.empty()) words.push_back(keyword("layout", c.string_node(t.layout, s)));
    return c.assign(
        t.name, HTP_NONE,
        c.call("pto.tile",
               {copy_of(c, t.dtype_node, s), c.integer_node(t.lines(room_), s), c.integer_node(t.width(room_), s)}, s,
               std::move(words)),
        s);
  }

  struct Use {
    size_t tile;
    unsigned at;
    int loop; // the outermost loop that holds the use and not the tile's declaration
  };

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_, kernel_ = HTP_NONE; // which is placed
  std::map<std::string, Block, std::less<>> blocks_;
  std::map<std::string, std::vector<bool>> memories_; // between kernels, and which dimensions go with the task
  std::vector<Loop> all_;
  std::vector<size_t> around_; // loops, by their place in all_
  std::vector<Kept> tiles_;
  std::map<std::string, size_t, std::less<>> by_name_;
  std::map<Node, size_t> by_statement_, by_loop_;
  std::vector<Use> uses_;
  unsigned clock_ = 0;
  int64_t chunk_ = 0; // of the outermost loop, of which each is a task: from `part_` on, of `extent_`
  std::string part_, extent_;
  int64_t room_ = 0;
  const Space *full_ = spaces; // that has too little room, and what it would take
  int64_t least_ = 0;
};

} // namespace

Result place(const Context &c, Node root, Node &out) {
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node placed = Placement(c, root, function).run();
  if (!placed || c.errors()) return HTP_FAILED;
  out = drop_unused_imports(c, with_statement(c, root, function, placed),
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  Program program; // what the next pass cannot read has no form yet
  read_program(c, out, true, program,
               [&](Node where, const std::string &what) { c.report(diag::unsupported_form, where, what); });
  return c.result();
}

} // namespace htp::a2a3
