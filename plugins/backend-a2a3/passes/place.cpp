// a2a3.place: blocks become ints, and every tile gets its room in its memory.
#include "analyses/indices.h"
#include "analyses/program.h"
#include "passes/passes.h"

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

class Placement {
public:
  Placement(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), function_(function),
        indices_(context, names_, constants_, function) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> before, memories, kernels;
    for (const Node s : f.body) (c.is(s, HTP_With) ? kernels : c.is(s, HTP_Assign) ? memories : before).push_back(s);
    for (const Node m : memories) {
      auto a = c.get<ast::Assign>(m);
      if (names_.called(a.value()) == "htp_pto.gm") indices_.memories[std::string(c.name_of(a.targets()[0]))];
    }
    std::set<std::string, std::less<>> between;
    for (const auto &[name, parts] : indices_.memories) between.insert(name);
    tasks_ = tasks_of(c, names_, constants_, function_, kernels, between);
    if (tasks_.loops.empty() && tasks_.few) tasks_.few.report(c, tasks_.where);
    for (uint32_t &k : kernels) {
      on_cube_ = !c.get<ast::Call>(c.get<ast::withitem>(c.get<ast::With>(k).items()[0]).context_expr()).args().empty();
      if (!(k = kernel(k))) return HTP_NONE;
      if (!on_cube_ && tasks_.lanes) k = tasks(*tasks_.lanes, {k});
    }
    for (const auto &[variable, range] : pipelined_)
      if (range) return refuse(range, Refusal(diag::pipelined_loop, variable)), HTP_NONE;
    for (uint32_t &m : memories) m = sized(m);
    std::vector<uint32_t> body = memories;
    body.insert(body.end(), kernels.begin(), kernels.end());
    for (auto l = tasks_.loops.rbegin(); l != tasks_.loops.rend(); ++l) body = {tasks(*l, std::move(body))};
    for (const auto &[name, value] : tasks_.ints)
      before.push_back(c.assign(name, HTP_NONE, c.parse(value, function_), function_));
    f.body = before;
    f.body.insert(f.body.end(), body.begin(), body.end());
    return c.with(function_, f);
  }

private:
  // `for i_part in range(0, M, i_step):`
  Node tasks(const PartLoop &l, std::vector<uint32_t> body) const {
    const Node range = c.parse("range(0, " + l.extent + ", " + l.step + ")", function_);
    return c.make(make::For{.target = c.name(l.name, function_, HTP_STORE), .iter = range, .body = std::move(body)},
                  function_);
  }
  // What a task of this kernel has of a loop: its part, or of that a lane.
  std::optional<PartLoop> own_part(const std::string &variable) const {
    const PartLoop *part = tasks_.of(variable);
    if (!part) return std::nullopt;
    PartLoop own = *part;
    if (on_cube_ || !tasks_.lanes || !tasks_.lanes->variables.contains(variable)) return own;
    own.name += " + " + tasks_.lanes->name;
    own.step = tasks_.lanes->step; // the last lane of a part ends with it
    return own;
  }
  // A kernel over ints, whose tiles have their places.
  Node kernel(Node s) {
    kernel_ = s;
    const std::map<std::string, size_t> names = used_;
    std::vector<uint32_t> body;
    Memory::Fit fit = attempt(s, body);
    if (c.errors()) return HTP_NONE;
    if (fit != Memory::Fit::none) {
      const Node steady = with_steady_loads(c, names_, s);
      s = better(s, steady, names, body, fit, [](const Memory &) { return true; });
      // A half that has no place of its own would be lost while the other is added to.
      for (const bool longer : {true, false})
        if (memory_.fills("acc"))
          s = better(s, with_halved_sums(c, names_, constants_, s, longer), names, body, fit,
                     [](const Memory &m) { return m.has_twice("acc") && m.has_twice("left") && m.has_twice("right"); });
      if (c.errors()) return HTP_NONE;
    } else {
      const Memory whole = memory_;
      for (const Cut &cut : cuts()) {
        Node best = HTP_NONE;
        for (int64_t size = power_below(cut.most); size >= 8 && fit < Memory::Fit::twice; size /= 2) {
          used_ = names;
          const Node smaller = with_cut_blocks(c, names_, s, cut.variable, cut.rows,
                                               named(cut.variable + (cut.rows ? "_rows" : "_columns")), size);
          if (!smaller) break;
          const Memory::Fit here = attempt(smaller, body);
          if (c.errors()) return HTP_NONE;
          if (here > fit) fit = here, best = smaller;
        }
        if (!best) continue;
        used_ = names;
        named(cut.variable + (cut.rows ? "_rows" : "_columns"));
        attempt(best, body);
        break;
      }
      if (fit == Memory::Fit::none) return full(s, whole, names), HTP_NONE;
    }
    memory_.name_turns([&](const char *stem) { return c.fresh(stem); });
    for (const PlacedLoop &l : memory_.loops)
      if (!l.turn.empty() && l.pipelined) pipelined_[l.variable] = HTP_NONE;
    std::vector<uint32_t> placed;
    for (const Node n : body) placed.push_back(with_used(with_places(n)));
    return with_list(c, s, HTP_FIELD(With, body), placed);
  }
  // A kernel as another one that does the same, where that has as much room and is as it should; what is placed is the
  // one that is given back.
  Node better(Node s, Node other, const std::map<std::string, size_t> &names, std::vector<uint32_t> &body,
              Memory::Fit &fit, const std::function<bool(const Memory &)> &fine) {
    if (!other || other == s) return s;
    const int64_t room = memory_.room;
    used_ = names;
    const Memory::Fit here = attempt(other, body);
    if (c.errors() || (here >= fit && memory_.room >= room && fine(memory_))) return fit = here, other;
    used_ = names;
    fit = attempt(s, body);
    return s;
  }
  Memory::Fit attempt(Node s, std::vector<uint32_t> &body) {
    memory_ = {}, by_name_.clear(), by_statement_.clear(), by_loop_.clear(), indices_.counted.clear();
    clock_ = 0;
    body = block(c.get<ast::With>(s).body());
    return c.errors() ? Memory::Fit::none : memory_.assign();
  }
  // Names that each attempt takes anew.
  std::string named(const std::string &stem) {
    std::vector<std::string> &all = given_[stem];
    size_t &next = used_[stem];
    if (next == all.size()) all.push_back(c.fresh(stem));
    return all[next++];
  }

  // ── where there is too little room ──

  struct Cut {
    std::string variable;
    bool rows = true;
    int64_t most = 0, bytes = 0; // of a block; of all tiles that have it
  };
  // The blocks that may be cut, those first that most is gained by, and rows before columns.
  std::vector<Cut> cuts() const {
    std::vector<Cut> all;
    if (memory_.full != spaces) return all;
    for (const bool rows : {true, false})
      for (const auto &[variable, block] : indices_.blocks) {
        Cut cut{variable, rows, block.most, 0};
        for (const Kept &t : memory_.tiles)
          if (c.name_of(rows ? t.rows_valid : t.columns_valid) == block.count) cut.bytes += t.once(memory_.room);
        if (cut.bytes) all.push_back(cut);
      }
    std::stable_sort(all.begin(), all.end(), [](const Cut &a, const Cut &b) {
      return std::pair(a.rows, a.bytes) > std::pair(b.rows, b.bytes);
    });
    return all;
  }
  // Says which tiles take what, and with which blocks they would fit.
  void full(Node s, const Memory &memory, const std::map<std::string, size_t> &names) {
    const int64_t least = memory.least, room = memory.room;
    const Space *space = memory.full;
    std::vector<const Kept *> tiles;
    for (const Kept &t : memory.tiles)
      if (t.space == space) tiles.push_back(&t);
    std::stable_sort(tiles.begin(), tiles.end(),
                     [&](const Kept *a, const Kept *b) { return a->bytes(room) > b->bytes(room); });
    std::string said;
    for (const Kept *t : tiles) {
      if (t != tiles[0] && t->bytes(room) * 16 < tiles[0]->bytes(room)) break;
      said += (said.empty() ? "`" : ", `") + t->name + "` " + std::to_string(t->bytes(room)) + " (" +
              std::to_string(t->lines(room)) + " x " + std::to_string(t->width(room)) + " of " +
              (t->dtype ? std::string(t->dtype->word) : "bool") + ")";
    }
    std::vector<Kept> largest;
    for (const Kept *k : tiles) largest.push_back(*k);
    std::map<std::string, BlockSize, std::less<>> sizes;
    for (const auto &[variable, block] : indices_.blocks) sizes[variable] = {block.count, block.most};
    const std::string hint = what_fits(
        c, names_, s, largest, sizes,
        [&](Node other) {
          used_ = names;
          std::vector<uint32_t> body;
          return attempt(other, body) != Memory::Fit::none;
        },
        memory_);
    auto report = c.report(diag::buffer_full, tiles[0]->statement, c.entry(), least, space->text, space->bytes);
    report.note("bytes of its tiles there, not all of them at once: " + said);
    if (!hint.empty()) report.hint(hint);
  }
  // A loop without the ints that nothing in it uses.
  Node with_used(Node s) {
    if (c.is(s, HTP_If)) return each_way(s, [&](Node n) { return with_used(n); });
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
  // An `if` of other statements.
  Node each_way(Node s, const auto &changed) {
    auto choice = c.read<ast::If>(s);
    for (auto *body : {&choice.body, &choice.orelse})
      for (uint32_t &n : *body) n = changed(n);
    return c.with(s, choice);
  }
  // Memory between kernels, of which a task has its part alone.
  Node sized(Node m) {
    auto a = c.get<ast::Assign>(m);
    const std::vector<const PartLoop *> &parts = indices_.memories[std::string(c.name_of(a.targets()[0]))];
    auto call = c.read<ast::Call>(a.value());
    for (size_t d = 0; d + 1 < call.args.size() && d < parts.size(); ++d)
      if (parts[d])
        call.args[d + 1] = rewrite(
            c, call.args[d + 1],
            [&](Node n) { return indices_.text_of_extent(n) == parts[d]->extent ? c.parse(parts[d]->step, n) : n; },
            [](Node, std::vector<uint32_t> &) { return false; });
    return with_slot(c, m, HTP_FIELD(Assign, value), c.with(a.value(), call));
  }

  bool refuse(Node where, const Refusal &why) const {
    why.report(c, where);
    return false;
  }

  // ── statements ──

  std::vector<uint32_t> block(Nodes statements) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      ++clock_;
      if (c.is(s, HTP_Pass) || is_text(c, s)) continue;
      if (c.is(s, HTP_For)) {
        loop(s, out);
      } else if (auto a = c.as<ast::Assign>(s)) {
        const std::string called = names_.called(a.value());
        if (called == "htp_pto.tile")
          declare(s, a);
        else if ((!called.empty() && called != "htp_pto.value") || a.targets().size() != 1)
          refuse(s, Refusal(diag::statement, c.show(s)));
        out.push_back(called == "htp_pto.tile" ? s : over_ints(s));
      } else if (auto e = c.as<ast::Expr>(s); e && names_.called(e.value()).starts_with("htp_pto.")) {
        use(e.value());
        out.push_back(with_slot(c, s, HTP_FIELD(Expr, value), indices_.indexed(e.value())));
      } else if (c.is(s, HTP_If)) {
        auto choice = c.read<ast::If>(s);
        choice.test = indices_.ints(choice.test);
        const auto outer = sizes_;
        if (const auto size = most_of_size(c, choice.test)) sizes_.insert_or_assign(size->first, size->second);
        if (around_.empty()) ways_[s] = true; // within a loop one way would wait for the other
        choice.body = block(c.get<ast::If>(s).body());
        sizes_ = outer;
        if (around_.empty()) ways_[s] = false;
        choice.orelse = block(c.get<ast::If>(s).orelse());
        ways_.erase(s);
        out.push_back(c.with(s, choice));
      } else {
        refuse(s, Refusal(diag::statement, c.show(s)));
      }
    }
    return out;
  }

  void loop(Node s, std::vector<uint32_t> &out) {
    auto l = c.read<ast::For>(s);
    const LoopForms forms = loop_forms(c, names_, l.iter);
    const Node range = forms.range;
    const std::string variable(c.name_of(l.target));
    if (forms.pipelined) {
      for (const Node w : forms.wrappers)
        for (const Node k : c.get<ast::Call>(w).keywords())
          if (auto word = c.get<ast::keyword>(k); word.arg() == "depth" && constants_.integer(word.value()) != 2) {
            refuse(w, Refusal(diag::pipeline_depth, c.show(word.value())));
            return;
          }
      pipelined_.try_emplace(variable, l.iter);
    }
    auto call = c.as<ast::Call>(range);
    std::vector<uint32_t> body;
    bool once = false;
    const PartLoop *part = tasks_.of(variable);
    const std::optional<PartLoop> own = own_part(variable);
    const bool blocks = names_.called(range) == "htp_tile.tiles";
    if (blocks) {
      Block b{named(variable + "_at"), named(variable + "_n"), 0, nullptr};
      const auto size = constants_.integer(call.args()[1]);
      if (!size || *size < 1) {
        refuse(range, Refusal(diag::block_size, c.show(call.args()[1])));
        return;
      }
      const auto outer = indices_.blocks.find(c.name_of(call.args()[0]));
      const std::string first = outer == indices_.blocks.end() ? "0" : outer->second.at;
      const bool lane = own && own->name != part->name; // which may end within a block
      const std::string end = outer != indices_.blocks.end() ? outer->second.at + " + " + outer->second.count
                              : lane                         ? Indices::end_of(*own)
                                                             : indices_.text_of_extent(call.args()[0]);
      const std::string n = std::to_string(*size);
      if (own) once = own->step == n;
      b.most = outer == indices_.blocks.end() ? indices_.most_of(call.args()[0], *size)
                                              : std::min(*size, outer->second.most);
      b.part = part ? part : outer != indices_.blocks.end() ? outer->second.part : nullptr;
      l.target = c.name(b.at, s, HTP_STORE);
      l.iter = c.parse(own ? "range(" + own->name + ", " + Indices::end_of(*own) + ", " + n + ")"
                           : "range(" + first + ", " + end + ", " + n + ")",
                       range);
      const Node count = c.parse("min(" + n + ", " + end + " - " + b.at + ")", range);
      body.push_back(c.assign(b.count, HTP_NONE, count, s));
      indices_.blocks[variable] = b;
    } else if (call && c.name_of(call.func()) == "range") {
      l.iter = own ? c.parse("range(" + own->name + ", " + Indices::end_of(*own) + ")", range) : indices_.ints(range);
      indices_.counted.erase(variable);
      if (part) indices_.counted[variable] = part, once = own->step == "1";
    } else {
      refuse(range, Refusal(diag::loop_range, c.show(range)));
      return;
    }
    const size_t here = memory_.loops.size();
    memory_.loops.push_back({clock_, 0, false, once, {}, variable, forms.pipelined});
    if (!around_.empty()) memory_.loops[around_.back()].holds_loops = true;
    around_.push_back(here);
    const auto inner = block(c.get<ast::For>(s).body());
    around_.pop_back();
    memory_.loops[here].end = clock_;
    body.insert(body.end(), inner.begin(), inner.end());
    l.body = body;
    out.push_back(c.with(s, l));
    by_loop_[out.back()] = here;
  }

  Node over_ints(Node s) {
    return with_slot(c, s, HTP_FIELD(Assign, value), indices_.ints(c.get<ast::Assign>(s).value()));
  }

  // ── tiles ──

  Room room_of(Node extent) const {
    if (const auto b = indices_.blocks.find(c.name_of(extent)); b != indices_.blocks.end()) return {b->second.most};
    if (const auto n = sizes_.find(c.name_of(extent)); n != sizes_.end()) return {n->second};
    return {constants_.integer(extent).value_or(0)};
  }
  Node valid_of(Node extent) const {
    if (const auto b = indices_.blocks.find(c.name_of(extent)); b != indices_.blocks.end())
      return c.name(b->second.count, extent);
    return c.parse(indices_.text_of_extent(extent), extent);
  }

  void declare(Node s, ast::Assign a) {
    const Nodes parts = c.get<ast::Call>(a.value()).args();
    Kept t;
    t.name = std::string(c.name_of(a.targets()[0]));
    const std::string dtype = parts.empty() ? "" : names_.qualified(parts[0]);
    t.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    if (!t.dtype && !dtype.ends_with("bool_")) {
      refuse(s, Refusal(diag::unknown_dtype, dtype.substr(dtype.rfind('.') + 1)));
      return;
    }
    for (const Node w : c.get<ast::Call>(a.value()).keywords()) {
      auto word = c.get<ast::keyword>(w);
      std::string_view text;
      c.string(word.value(), &text);
      if (word.arg() == "space" && !(t.space = space_named(text))) {
        refuse(s, Refusal(diag::unknown_space, c.show(word.value())));
        return;
      }
      if (word.arg() == "layout") t.layout = std::string(text);
      t.kept |= word.arg() == "kept";
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
    // A column's bits lie in a row.
    if (!t.dtype && (t.kind == Kind::column || t.kind == Kind::single)) t.kind = Kind::row;
    t.rows = t.columns = {1};
    t.rows_valid = t.columns_valid = c.integer_node(1, s);
    if (t.kind == Kind::other) {
      refuse(s, Refusal(diag::too_many_dimensions, t.name));
      return;
    }
    if (t.kind == Kind::matrix || t.kind == Kind::column) {
      t.rows = room_of(nodes[0]);
      t.rows_valid = valid_of(nodes[0]);
    }
    if ((t.kind == Kind::matrix || t.kind == Kind::row) && !nodes.empty()) {
      t.columns = room_of(nodes.back());
      t.columns_valid = valid_of(nodes.back());
    }
    t.depth = around_.size();
    if (!around_.empty()) t.loop = static_cast<int>(around_.back());
    t.first = t.last = clock_;
    t.ways = ways_;
    by_name_[t.name] = memory_.tiles.size();
    by_statement_[s] = memory_.tiles.size();
    memory_.tiles.push_back(t);
  }

  void use(Node call) {
    const std::string word = names_.called(call).substr(8);
    for (const Node n : c.get<ast::Call>(call).args()) {
      const auto it = by_name_.find(c.name_of(n));
      if (it == by_name_.end()) continue;
      Kept &t = memory_.tiles[it->second];
      t.moves |= word == "tload" || word == "tstore" || t.space->name == "left" || t.space->name == "right";
      if (word == "tload" || word == "tstore") {
        const bool load = word == "tload";
        memory_.transfers.push_back(
            {it->second, std::string(c.name_of(c.get<ast::Call>(call).args()[load])), load, clock_});
      }
      memory_.uses.push_back({it->second, clock_, around_.size() > t.depth ? static_cast<int>(around_[t.depth]) : -1});
    }
  }

  // ── places ──

  Node with_places(Node s) {
    if (auto l = c.as<ast::For>(s)) {
      std::vector<uint32_t> body;
      for (const Node n : l.body()) body.push_back(with_places(n));
      const std::string turn = memory_.loops[by_loop_.at(s)].turn;
      auto changed = c.read<ast::For>(s);
      changed.body = std::move(body);
      if (!turn.empty()) {
        changed.target = c.make(make::Tuple{.elts = {c.name(turn, s, HTP_STORE), changed.target}, .ctx = HTP_STORE}, s);
        changed.iter = c.call("pto.turns", {changed.iter}, s);
      }
      return c.with(s, changed);
    }
    if (c.is(s, HTP_If)) return each_way(s, [&](Node n) { return with_places(n); });
    const auto it = by_statement_.find(s);
    if (it == by_statement_.end()) return s;
    const Kept &t = memory_.tiles[it->second];
    const Node valid = c.make(make::Tuple{.elts = {t.rows_valid, t.columns_valid}, .ctx = HTP_LOAD}, s);
    const auto keyword = [&](const char *word, Node value) {
      return c.make(make::keyword{.arg = word, .value = value}, s);
    };
    Node at = c.integer_node(t.offset, s);
    if (t.twice) {
      const Node turn = c.binary(c.name(memory_.loops[static_cast<size_t>(t.loop)].turn, s), HTP_Mult,
                                 c.integer_node(t.once(memory_.room), s), s);
      at = t.offset ? c.binary(at, HTP_Add, turn, s) : turn;
    }
    std::vector<uint32_t> words{keyword("valid", valid), keyword("at", at)};
    if (t.space != spaces) words.push_back(keyword("space", c.string_node(t.space->name, s)));
    if (!t.layout.empty()) words.push_back(keyword("layout", c.string_node(t.layout, s)));
    if (t.kept) words.push_back(keyword("kept", c.parse("True", s)));
    return c.assign(t.name, HTP_NONE,
                    c.call("pto.tile",
                           {copy_of(c, t.dtype_node, s), c.integer_node(t.lines(memory_.room), s),
                            c.integer_node(t.width(memory_.room), s)},
                           s, std::move(words)),
                    s);
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_, kernel_ = HTP_NONE; // which is placed
  Indices indices_;
  bool on_cube_ = false;
  Memory memory_;                         // of that kernel
  std::map<std::string, Node> pipelined_; // loops whose iterations shall overlap and do not so far
  std::vector<size_t> around_;            // loops, by their place in memory_.loops
  std::map<std::string, size_t, std::less<>> by_name_;
  std::map<Node, size_t> by_statement_, by_loop_;
  std::map<std::string, int64_t, std::less<>> sizes_; // that the branches around are taken up to
  std::map<Node, bool> ways_;                         // of the branches around
  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, size_t> used_;
  unsigned clock_ = 0;
  Tasks tasks_;
};

} // namespace

std::optional<std::pair<std::string, int64_t>> most_of_size(const Reader &r, Node test) {
  auto compare = r.as<ast::Compare>(test);
  int64_t most = 0;
  if (!compare || compare.ops().size() != 1 || static_cast<htp_op>(compare.ops()[0]) != HTP_LtE ||
      r.name_of(compare.left()).empty() || !r.integer(compare.comparators()[0], &most))
    return std::nullopt;
  return std::pair(std::string(r.name_of(compare.left())), most);
}

Node place(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  const Node placed = Placement(c, root, function).run();
  if (!placed || c.errors()) return HTP_NONE;
  const Node out = drop_unused_imports(c, with_statement(c, root, function, placed), [](std::string_view path) {
    return path == "htp_tile" || path.starts_with("htp_tile.");
  });
  Program program;                                  // what the next pass cannot read has no form yet
  if (read_program(c, out, Stage::placed, program)) // what a program says itself: how large tiles are is known now
    static_cast<void>(std::all_of(program.kernels.begin(), program.kernels.end(),
                                  [&](const Kernel &k) { return check_operands(c, out, k); }));
  return out;
}

} // namespace htp::a2a3
