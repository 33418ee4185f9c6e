// Reading a pipeline's processes, or what each core does of a kernel.
#include "processes/processes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/grids.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie::processes {

namespace {

class Reading {
public:
  Reading(const Context &context, Node root, Node function, const Reads &reads, Processes &into)
      : c(context), names_(context, root), constants_(context, root), root_(root), function_(function), what_(reads),
        sharing_(reads.sharing), dealt_(reads.dealt), all_(into), parameters_(into.parameters),
        channels_(into.channels), loops_(into.loops), accesses_(into.accesses), processes_(into.processes) {}

  bool run() {
    const auto refuse = [&](Node where, const Refusal &why) {
      if (!dealt_) why.report(c, where);
    };
    if (!read_parameters(c, root_, function_, parameters_, refuse) || !read()) return false;
    bury(all_);
    make_rooms(c, all_);
    dissolve(all_);
    if (processes_.empty()) return no(function_, diag::empty, c.entry());
    if (!pad(c, root_, what_, all_, [&](Node where, const Refusal &why) { no(where, why); })) return false;
    if (what_.windows) load_windows(c, all_);
    if (what_.sorts) sort_loads(all_);
    if (what_.packs) pack_loads(c, all_);
    return true;
  }

private:
  bool no(Node where, const Refusal &why) const {
    if (!dealt_)
      why.report(c, where);
    else if (what_.refused && !*what_.refused)
      *what_.refused = {where, why};
    return false;
  }
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) const {
    return no(where, Refusal(row, arguments...));
  }
  bool unknown_size(Node extent) const {
    const std::string shown = c.show(extent);
    if (!dealt_) Refusal(diag::unknown_size, shown).with(sizes_hint(c, root_, shown)).report(c, extent);
    return false;
  }

  // ── what there is ──

  // What a name stands for while a process is read.
  struct Meaning {
    std::optional<int64_t> number = {};
    std::optional<size_t> loop = {}, channel = {}; // of a loop over ints: `number` is where it begins
    std::string tile = {};
  };
  using Meanings = std::map<std::string, Meaning, std::less<>>;

  bool read() {
    if (dealt_) return kernel();
    std::vector<Node> processes;
    for (const Node s : c.get<ast::FunctionDef>(function_).body()) {
      if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) continue;
      if (c.is(s, HTP_FunctionDef))
        processes.push_back(s);
      else if (!channel(s))
        return false;
    }
    for (const Node s : processes)
      if (!process(s)) return false;
    for (Process &p : processes_)
      if (sharing_.places == 1)
        load_once(c, all_, p);
      else if (!settle(c, all_, p))
        return false;
    for (Process &p : processes_)
      each(p.body, [&](Item &i) {
        if (i.kind == Item::Kind::put) channels_[i.channel].puts = p.name;
        if (i.kind == Item::Kind::get || i.kind == Item::Kind::drop)
          if (auto &gets = channels_[i.channel].gets; std::find(gets.begin(), gets.end(), p.name) == gets.end())
            gets.push_back(p.name);
      });
    return true;
  }

  // Each core does its rounds of the one loop.
  bool kernel() {
    std::vector<uint32_t> body;
    for (const Node s : c.get<ast::FunctionDef>(function_).body())
      if (auto e = c.as<ast::Expr>(s); !(e && c.is(e.value(), HTP_Constant)) && !c.is(s, HTP_Pass)) body.push_back(s);
    const auto alone = [&](const std::vector<uint32_t> &list) { return list.size() == 1 && c.is(list[0], HTP_For); };
    std::vector<uint32_t> inner = body;
    for (size_t k = 0; k <= what_.nest && dealt_ > 1; ++k) {
      if (!alone(inner)) return false;
      const Nodes within = c.get<ast::For>(inner[0]).body();
      inner.assign(within.begin(), within.end());
    }
    for (core_ = 0; core_ < dealt_; ++core_) {
      Process &p = processes_.emplace_back();
      p.node = function_;
      p.name = "core_" + std::to_string(core_);
      Meanings m;
      deals_ = dealt_ > 1 ? std::optional(what_.nest) : std::nullopt;
      if (!block(body, m, {}, p, p.body) || p.body.empty()) return false;
    }
    for (Process &p : processes_) load_once(c, all_, p);
    const auto twice = twice_reached(all_);
    return !twice || no(twice->where, twice->why);
  }

  // `rows: csp.Channel[f32, 8, N] = aie.channel(f32, 8, N, capacity=2)`
  bool channel(Node s) {
    auto a = c.as<ast::AnnAssign>(s);
    const std::string called = a ? names_.called(a.value()) : std::string();
    if (called != "htp_aie.channel" && called != "htp_aie.channels") return no(s, diag::statement, c.show(s));
    auto k = c.get<ast::Call>(a.value());
    const bool several = called == "htp_aie.channels";
    Channel made;
    made.node = s;
    int64_t count = 1;
    size_t at = 0;
    if (several && (k.args().empty() || !c.integer(k.args()[at++], &count))) return no(s, diag::statement, c.show(s));
    if (k.args().size() <= at) return no(s, diag::statement, c.show(s));
    made.dtype = k.args()[at++];
    for (const Node e : k.args().subspan(at)) {
      const auto number = constants_.integer(e);
      if (!number) return unknown_size(e);
      made.extents.push_back(*number);
    }
    for (const Node n : k.keywords()) {
      auto word = c.get<ast::keyword>(n);
      const auto number = constants_.integer(word.value());
      if (!number) return no(n, diag::statement, c.show(n));
      (word.arg() == "capacity" ? made.capacity : made.readers) = *number;
    }
    const std::string name(c.name_of(a.target()));
    arrays_[name] = {channels_.size(), count};
    for (int64_t n = 0; n < count; ++n) {
      made.name = several ? name + "_" + std::to_string(n) : name;
      channels_.push_back(made);
    }
    return true;
  }

  bool process(Node s) {
    auto f = c.get<ast::FunctionDef>(s);
    std::vector<int64_t> grid;
    for (const Node d : f.decorator_list())
      if (auto k = c.as<ast::Call>(d))
        for (const Node w : k.keywords()) {
          const Node value = c.get<ast::keyword>(w).value();
          auto t = c.as<ast::Tuple>(value);
          const Node one[] = {value};
          for (const Node e : t ? t.elts() : Nodes(one)) {
            const auto number = constants_.integer(e);
            if (!number) return no(d, diag::grid, f.name());
            grid.push_back(*number);
          }
        }
    const Nodes indices = c.get<ast::arguments>(f.args()).args();
    if (indices.size() != grid.size()) return no(s, diag::grid, f.name());
    std::vector<std::vector<int64_t>> places;
    each_place(grid, [&](const std::vector<int64_t> &at) { places.push_back(at); });
    const auto count = std::ssize(places);
    const int64_t cores = (count + sharing_.places - 1) / sharing_.places;
    for (int64_t core = 0; core < cores; ++core) {
      Process &p = processes_.emplace_back();
      p.node = s;
      for (int64_t k = 0; k < sharing_.places; ++k) {
        const int64_t number = sharing_.neighbours ? core * sharing_.places + k : core + k * cores;
        if (number >= count) break;
        const std::vector<int64_t> &at = places[static_cast<size_t>(number)];
        std::string name(f.name());
        Meanings m;
        for (size_t d = 0; d < at.size(); ++d) {
          name += "_" + std::to_string(at[d]);
          m[std::string(c.get<ast::arg>(indices[d]).arg())].number = at[d];
        }
        if (k == 0) p.name = name;
        std::vector<Item> body;
        if (!block(f.body(), m, {}, p, body)) return false;
        if (k > 0 && sharing_.in_turn)
          take_turns(all_, p, p.body, std::move(body));
        else
          for (Item &i : body) p.body.push_back(std::move(i));
      }
    }
    return true;
  }

  // A number, with what names stand for: start + Σ step · iteration.
  std::optional<Span> number(Node n, const Meanings &m, bool blocks = false) const {
    if (const auto it = m.find(c.name_of(n)); it != m.end()) {
      if (blocks && !it->second.number && it->second.loop) {
        const int64_t block = loops_[*it->second.loop].block;
        return Span{loops_[*it->second.loop].first * block, block, {{*it->second.loop, block}}, it->second.loop};
      }
      if (!it->second.number) return std::nullopt;
      Span s{*it->second.number, 1, {}};
      if (it->second.loop) s.steps[*it->second.loop] = 1;
      return s;
    }
    if (auto b = c.as<ast::BinOp>(n)) {
      auto left = number(b.left(), m, blocks), right = number(b.right(), m, blocks);
      if (!left || !right) return std::nullopt;
      if (left->block && right->block) return std::nullopt;
      if (right->block && b.op() == HTP_Sub) return std::nullopt;
      if (b.op() == HTP_Add || b.op() == HTP_Sub) {
        const int64_t sign = b.op() == HTP_Add ? 1 : -1;
        if (right->block) left->block = right->block, left->size = right->size, left->apart = right->apart;
        left->start += sign * right->start;
        for (const auto &[loop, step] : right->steps) left->steps[loop] += sign * step;
        return left;
      }
      if (b.op() == HTP_Mult && !left->steps.empty()) std::swap(left, right);
      if (!left->steps.empty() || left->block) return std::nullopt;
      if (b.op() == HTP_Mult) {
        if (right->block && left->start < 1) return std::nullopt;
        right->start *= left->start, right->apart *= left->start;
        for (auto &[loop, step] : right->steps) step *= left->start;
        return right;
      }
      if (!right->steps.empty() || right->block || left->start < 0 || right->start < 1) return std::nullopt;
      if (b.op() == HTP_FloorDiv) return Span{left->start / right->start, 1, {}};
      if (b.op() == HTP_Mod) return Span{left->start % right->start, 1, {}};
      return std::nullopt;
    }
    const auto known = constants_.integer(n);
    return known ? std::optional(Span{*known, 1, {}}) : std::nullopt;
  }
  std::optional<int64_t> known(Node n, const Meanings &m) const {
    const auto s = number(n, m);
    return s && s->steps.empty() ? std::optional(s->start) : std::nullopt;
  }
  // A condition on what is known.
  std::optional<bool> holds(Node n, const Meanings &m) const {
    if (auto b = c.as<ast::BoolOp>(n)) {
      bool all = b.op() == HTP_And;
      for (const Node e : b.values()) {
        const auto one = holds(e, m);
        if (!one) return std::nullopt;
        all = b.op() == HTP_And ? all && *one : all || *one;
      }
      return all;
    }
    auto k = c.as<ast::Compare>(n);
    if (!k || k.ops().size() != 1) return std::nullopt;
    const auto a = known(k.left(), m), b = known(k.comparators()[0], m);
    if (!a || !b) return std::nullopt;
    switch (k.ops()[0]) {
    case HTP_Eq: return *a == *b;
    case HTP_NotEq: return *a != *b;
    case HTP_Lt: return *a < *b;
    case HTP_LtE: return *a <= *b;
    case HTP_Gt: return *a > *b;
    case HTP_GtE: return *a >= *b;
    default: return std::nullopt;
    }
  }

  bool block(Nodes statements, Meanings &m, const std::vector<size_t> &path, Process &p, std::vector<Item> &out) {
    for (const Node s : statements)
      if (!statement(s, m, path, p, out)) return false;
    return true;
  }
  bool statement(Node s, Meanings &m, const std::vector<size_t> &path, Process &p, std::vector<Item> &out) {
    if (c.is(s, HTP_Pass)) return true;
    if (c.is(s, HTP_For)) return loop(s, m, path, p, out);
    if (auto i = c.as<ast::If>(s)) {
      const auto chosen = holds(i.test(), m);
      if (!chosen) return no(s, diag::branch);
      return block(*chosen ? i.body() : i.orelse(), m, path, p, out);
    }
    if (auto a = c.as<ast::AnnAssign>(s); a && names_.called(a.value()) == "htp_aie.lane") {
      auto k = c.get<ast::Call>(a.value());
      const auto array = arrays_.find(c.name_of(k.args()[0]));
      const auto at = known(k.args()[1], m);
      if (array == arrays_.end() || !at || *at < 0 || *at >= array->second.second)
        return no(s, diag::channel_index, c.show(s));
      m[std::string(c.name_of(a.target()))] = {.channel = array->second.first + static_cast<size_t>(*at)};
      return true;
    }
    if (auto a = c.as<ast::Assign>(s); a && names_.called(a.value()) == "htp_aie.buffer" && a.targets().size() == 1)
      return buffer(s, std::string(c.name_of(a.targets()[0])), c.get<ast::Call>(a.value()), m, p, out);
    auto e = c.as<ast::Expr>(s);
    if (e && c.is(e.value(), HTP_Constant)) return true;
    const std::string called = e ? names_.called(e.value()) : std::string();
    if (!called.starts_with("htp_aie.")) return no(s, diag::statement, c.show(s));
    return word(s, called.substr(8), c.get<ast::Call>(e.value()), m, path, p, out);
  }

  // Whether a loop's variable says which channel it is, or what is done.
  bool chooses(Nodes body, std::string_view variable) const {
    bool found = false;
    const auto names_it = [&](Node n) { c.each(n, [&](Node e) { found = found || c.name_of(e) == variable; }); };
    for (const Node s : body)
      c.each(s, [&](Node n) {
        if (auto i = c.as<ast::If>(n)) names_it(i.test());
        if (names_.called(n) == "htp_aie.lane") names_it(n);
      });
    return found;
  }
  bool loop(Node s, Meanings &m, const std::vector<size_t> &path, Process &p, std::vector<Item> &out) {
    auto f = c.get<ast::For>(s);
    const Node range = loop_forms(c, names_, f.iter()).range;
    auto k = c.as<ast::Call>(range);
    const std::string variable(c.name_of(f.target()));
    if (!k || variable.empty() || !f.orelse().empty()) return no(s, diag::loop_range, c.show(range));
    std::vector<int64_t> numbers;
    for (const Node n : k.args()) {
      const auto one = known(n, m);
      if (!one) return unknown_size(n);
      numbers.push_back(*one);
    }
    Loop made;
    made.name = variable;
    Meaning meaning;
    if (names_.called(range) == "htp_tile.tiles" && numbers.size() == 2 && numbers[0] > 0 && numbers[1] > 0) {
      made.extent = numbers[0], made.block = std::min(numbers[0], numbers[1]);
      made.times = (made.extent + made.block - 1) / made.block;
    } else if (c.name_of(k.func()) == "range" && (numbers.size() == 1 || numbers.size() == 2)) {
      meaning.number = numbers.size() == 2 ? numbers[0] : 0;
      made.times = numbers.back() - *meaning.number;
    } else {
      return no(s, Refusal(diag::loop_range, c.show(range)).with(by_ones(numbers, variable)));
    }
    if (deals_ && (*deals_)-- == 0) { // of the first cores some have one more
      deals_.reset();
      const int64_t rest = made.times % dealt_, each = made.times / dealt_;
      const int64_t first = core_ * each + std::min(core_, rest);
      if (meaning.number)
        *meaning.number += first;
      else
        made.first = first;
      made.times = each + (core_ < rest ? 1 : 0);
    }
    if (made.times < 1) return true;
    const bool shifted =
        what_.windows && meaning.number && made.times <= 16 && shifts(c, names_, all_, f.body(), variable);
    if (meaning.number && (shifted || chooses(f.body(), variable))) {
      if (deals_) return false;
      if (made.times > 64) return no(s, diag::channel_loop, made.times);
      const int64_t first = *meaning.number;
      for (int64_t n = 0; n < made.times; ++n) {
        m[variable] = {.number = first + n};
        if (!block(f.body(), m, path, p, out)) return false;
      }
      return true;
    }
    meaning.loop = loops_.size();
    m[variable] = meaning;
    Item item{Item::Kind::loop, s, loops_.size(), {}, {}, 0, 0};
    loops_.push_back(made);
    std::vector<size_t> inside = path;
    inside.push_back(item.loop);
    if (!block(f.body(), m, inside, p, item.body)) return false;
    if (!item.body.empty()) out.push_back(std::move(item));
    return true;
  }

  bool buffer(Node s, const std::string &name, ast::Call k, Meanings &m, Process &p, std::vector<Item> &out) {
    Buffer b;
    b.dtype = k.args().empty() ? HTP_NONE : k.args()[0];
    for (const Node e : k.args().subspan(1)) {
      const auto it = m.find(c.name_of(e));
      const bool block = it != m.end() && it->second.loop && !it->second.number;
      const auto size = block ? std::optional(loops_[*it->second.loop].block) : known(e, m);
      if (!size) return unknown_size(e);
      b.extents.push_back(*size);
      b.loops.push_back(block ? it->second.loop : std::nullopt);
    }
    std::string fresh = name;
    for (int n = 1; p.buffers.contains(fresh); ++n) fresh = name + "_" + std::to_string(n);
    m[name] = {.tile = fresh};
    p.buffers[fresh] = b;
    out.push_back({Item::Kind::buffer, s, 0, {}, fresh, 0, 0});
    return true;
  }

  std::string tile(Node n, const Meanings &m) const {
    const auto it = m.find(c.name_of(n));
    return it == m.end() ? std::string() : it->second.tile;
  }
  // A tile that was declared on a way that is not taken here.
  bool declare(std::string_view name, Meanings &m, Process &p, std::vector<Item> &out) {
    Node found = HTP_NONE;
    c.each(p.node, [&](Node n) {
      auto a = c.as<ast::Assign>(n);
      if (a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == name &&
          names_.called(a.value()) == "htp_aie.buffer")
        found = found ? found : n;
    });
    return !found || buffer(found, std::string(name), c.get<ast::Call>(c.get<ast::Assign>(found).value()), m, p, out);
  }
  bool word(Node s, const std::string &name, ast::Call k, Meanings &m, const std::vector<size_t> &path, Process &p,
            std::vector<Item> &out) {
    Item item{Item::Kind::word, s, 0, {}, {}, 0, 0};
    const Nodes v = k.args();
    if (name == "put" || name == "get" || name == "drop") {
      if (v.size() != (name == "drop" ? 1U : 2U)) return no(s, diag::statement, c.show(s));
      const Node channel = v[name == "get" ? 1 : 0];
      const auto it = m.find(c.name_of(channel));
      const auto one = arrays_.find(c.name_of(channel));
      if (it != m.end() && it->second.channel)
        item.channel = *it->second.channel;
      else if (one != arrays_.end())
        item.channel = one->second.first;
      else
        return no(s, diag::channel_index, c.show(s));
      item.kind = name == "put" ? Item::Kind::put : name == "get" ? Item::Kind::get : Item::Kind::drop;
      if (name != "drop") item.tile = tile(v[name == "get" ? 0 : 1], m);
      if (name == "put") item.reads = {item.tile};
      if (name != "drop" && item.tile.empty()) return no(s, diag::not_tile, c.show(v[name == "get" ? 0 : 1]));
      if (name != "drop" && p.buffers.at(item.tile).extents != channels_[item.channel].extents)
        return no(s, diag::item_extents, tuple(p.buffers.at(item.tile).extents),
                  tuple(channels_[item.channel].extents));
      out.push_back(item);
      return true;
    }
    if (name == "load" || name == "store") {
      if (v.size() < 2) return no(s, diag::statement, c.show(s));
      const bool load = name == "load";
      item.kind = load ? Item::Kind::load : Item::Kind::store;
      item.tile = tile(v[load ? 0 : 1], m);
      if (!load) item.reads = {item.tile};
      if (item.tile.empty()) return no(s, diag::not_tile, c.show(v[load ? 0 : 1]));
      item.access = accesses_.size();
      out.push_back(item);
      return access(s, k, load, m, path, p.buffers.at(item.tile));
    }
    if (name == "iota") return counts(s, k, m, path, p, out);
    if (!c.intrinsic("aie." + name) || v.size() < 2) return no(s, diag::statement, c.show(s));
    if (tile(v[0], m).empty() && !c.name_of(v[0]).empty() && !declare(c.name_of(v[0]), m, p, out)) return false;
    item.tile = tile(v[0], m);
    if (item.tile.empty()) return no(s, diag::not_tile, c.show(v[0]));
    std::vector<uint32_t> operands;
    for (const Node n : v) {
      const std::string one = tile(n, m);
      const auto number = one.empty() ? known(n, m) : std::nullopt;
      std::string placed; // what it is a number of
      if (one.empty())
        c.each(n, [&](Node e) {
          const auto at = m.find(c.name_of(e));
          if (at != m.end() && (placed.empty() || at->second.loop)) placed = at->first;
        });
      if (!placed.empty() && !number) return no(n, loop_value(placed));
      operands.push_back(!one.empty() ? c.name(one, n) : !placed.empty() ? c.integer_node(*number, n) : n);
      if (!one.empty() && operands.size() > 1) item.reads.push_back(one);
    }
    if (name == "matmul") item.reads.push_back(item.tile); // it is added to
    auto call = c.read<ast::Call>(c.get<ast::Expr>(s).value());
    call.args = operands;
    item.call = c.make(call, c.get<ast::Expr>(s).value());
    out.push_back(item);
    return true;
  }
  bool access(Node s, ast::Call k, bool load, const Meanings &m, const std::vector<size_t> &path, const Buffer &tile) {
    Access a;
    a.path = path;
    a.stores = !load;
    a.node = s;
    const std::string_view tensor = c.name_of(k.args()[load ? 1 : 0]);
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter &p) { return p.name == tensor; });
    if (found == parameters_.end() || found->extents.size() + 2 != k.args().size())
      return no(s, diag::not_parameter, c.show(s));
    a.tensor = static_cast<size_t>(found - parameters_.begin());
    for (const Node n : k.keywords()) {
      const auto outside = constants_.number(c.get<ast::keyword>(n).value());
      if (!outside || outside->as_double() != 0)
        return no(s, Refusal(diag::outside, c.show(c.get<ast::Expr>(s).value())).with(diag::outside.hint));
      a.bordered = true;
    }
    for (size_t d = 0; d < found->extents.size(); ++d) {
      const Node i = k.args()[d + 2];
      const std::string text = c.show(i);
      const auto meant = m.find(c.name_of(i));
      Span span;
      if (text == "whole" || text.ends_with(".whole")) {
        span.size = found->extents[d];
      } else if (meant != m.end() && meant->second.loop && !meant->second.number) {
        const Loop &l = loops_[*meant->second.loop];
        span.start = l.first * l.block;
        span.size = l.block;
        span.steps[*meant->second.loop] = l.block;
        span.block = meant->second.loop;
      } else if (auto slice = c.as<ast::Call>(i); slice && c.name_of(slice.func()) == "slice") {
        if (slice.args().size() < 2) return no(i, diag::index, text);
        const auto end = [&](Node n, int64_t otherwise) {
          return c.show(n) == "None" ? std::optional(Span{otherwise, 1, {}}) : number(n, m);
        };
        const auto from = end(slice.args()[0], 0), to = end(slice.args()[1], found->extents[d]);
        const auto apart = slice.args().size() > 2 ? known(slice.args()[2], m) : std::optional<int64_t>(1);
        if (!from || !to || from->steps != to->steps || to->start <= from->start || !apart || *apart < 1)
          return no(i, diag::index, text);
        span = *from;
        span.apart = *apart;
        span.size = (to->start - from->start + *apart - 1) / *apart;
      } else if (const auto at = number(i, m, true)) {
        span = *at;
      } else {
        return no(i, diag::index, text);
      }
      for (const auto &[loop, step] : span.steps)
        if (step < 0) return no(i, Refusal(diag::backwards, text).with(diag::backwards.hint));
      a.index.push_back(span);
    }
    std::vector<int64_t> part;
    for (const Span &span : a.index) part.push_back(span.size);
    if (part != tile.extents) {
      const std::string extents = tuple(part);
      return no(s, Refusal(diag::slice_extents, c.show(s))
                       .with("give the tile those of the slice: `reshape(…, " + extents.substr(1, extents.size() - 2) +
                             ")`"));
    }
    accesses_.push_back(a);
    return true;
  }

  // `aie.iota(row, i, 1, axis=0)`: a load from a tensor that counts, which the host makes.
  bool counts(Node s, ast::Call k, const Meanings &m, const std::vector<size_t> &path, Process &p,
              std::vector<Item> &out) {
    Item item{Item::Kind::load, s, 0, {}, tile(k.args()[0], m), 0, accesses_.size()};
    if (item.tile.empty()) return no(s, diag::not_tile, c.show(k.args()[0]));
    const Buffer &b = p.buffers.at(item.tile);
    const std::string dtype = names_.qualified(b.dtype);
    Parameter q;
    q.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
    if (!q.dtype) return no(s, diag::statement, c.show(s));
    Access a;
    a.path = path, a.node = s;
    for (const Node e : k.args().subspan(1)) {
      const auto it = m.find(c.name_of(e));
      const bool block = it != m.end() && it->second.loop && !it->second.number;
      const auto size = block ? std::optional(loops_[*it->second.loop].extent) : known(e, m);
      if (!size) return unknown_size(e);
      a.index.push_back(block ? *number(e, m, true) : Span{0, *size, {}});
      q.extents.push_back(*size);
    }
    const auto same = std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter &other) {
      return other.counts && other.dtype == q.dtype && other.extents == q.extents;
    });
    a.tensor = static_cast<size_t>(same - parameters_.begin());
    if (same == parameters_.end()) {
      q.name = unused("places"), q.direction = "in", q.node = s, q.counts = true, q.padded = q.extents;
      all_.rooms[a.tensor] = c.show(b.dtype);
      parameters_.push_back(std::move(q));
    }
    accesses_.push_back(a);
    out.push_back(item);
    return true;
  }
  // A name for what the host makes: of each attempt the same.
  std::string unused(const std::string &stem) const {
    std::set<std::string, std::less<>> taken;
    c.each(root_, [&](Node n) {
      taken.emplace(c.name_of(n));
      if (auto a = c.as<ast::arg>(n)) taken.emplace(a.arg());
    });
    for (const Parameter &q : parameters_) taken.emplace(q.name);
    std::string name = stem;
    for (int n = 1; taken.contains(name); ++n) name = stem + "_" + std::to_string(n);
    return name;
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  const Reads what_;
  const Sharing sharing_;
  const int64_t dealt_;
  int64_t core_ = 0;            // that is read, of a kernel
  std::optional<size_t> deals_; // so many loops further in is the one whose rounds are dealt out
  Processes &all_;
  std::deque<Parameter> &parameters_;
  std::map<std::string, std::pair<size_t, int64_t>, std::less<>> arrays_; // of channels: the first, and how many
  std::deque<Channel> &channels_;
  std::vector<Loop> &loops_;
  std::vector<Access> &accesses_;
  std::deque<Process> &processes_;
};

} // namespace

bool read(const Context &c, Node root, Node function, const Reads &what, Processes &into) {
  return Reading(c, root, function, what, into).run();
}

} // namespace htp::aie::processes
