// Reading pipelines, kernels that are dealt out to cores, and what passes made of these: each core with its loads,
// stores and channels.
#include "analyses/cores.h"

#include "analyses/cores_declared.h"
#include "analyses/instance.h"

#include "htp_cpp/calls.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/grids.h"
#include "htp_cpp/tile_program.h"

#include <algorithm>
#include <utility>

namespace htp::aie::cores {

namespace {

// How to count what goes by steps.
std::string by_ones(const std::vector<int64_t> &numbers, const std::string &variable) {
  if (numbers.size() != 3 || numbers[2] == 0) return {};
  const int64_t from = numbers[0], step = numbers[2], times = (numbers[1] - from + step - 1) / step;
  if (step < 0) return "go through it forwards, and let the host hand over tensors the other way round";
  return "count by ones, `range(" + std::to_string(times) + ")`, and write `" +
         (from ? std::to_string(from) + " + " : std::string()) + std::to_string(step) + " * " + variable + "` for `" +
         variable + "`";
}

class Reader {
public:
  Reader(const Context &context, Node root, Node function, const Reading &how, Cores &into)
      : c(context), names_(context, root), constants_(context, root), root_(root), function_(function), how_(how),
        dealt_(how.choices.cores), all_(into) {}

  bool run() {
    const auto refuse = [&](Node where, const Refusal &why) {
      if (!how_.quiet) why.report(c, where);
    };
    if (!read_parameters(c, root_, function_, all_.parameters, refuse)) return false;
    auto program = read_open_program(c, root_, [&](Node, const std::string &) {}, {"htp_tile.tiles", "htp_aie.blocks"});
    if (!program) return no(function_, diag::statement, "def");
    program_ = std::move(*program);
    declared_.emplace(c, root_, all_, [&](Node where, const Refusal &why) { no(where, why); });
    const std::vector<TileStatement> *body = &program_.body;
    if (body->size() == 1 && body->front().is(Kind::scope)) body = &body->front().body;
    std::vector<const TileStatement *> inside;
    for (const TileStatement &s : *body)
      if (s.is(Kind::function) || !Declared::declares(s))
        inside.push_back(&s);
      else if (!declared_->read(s, !inside.empty() && inside.back()->is(Kind::function)))
        return false;
    const bool processes = std::any_of(inside.begin(), inside.end(), [](auto *s) { return s->is(Kind::function); });
    if (dealt_ ? !kernel(inside) : processes ? !pipeline(inside) : !alike(inside)) return false;
    connect(all_);
    for (Process &p : all_.processes)
      if (p.dma && !moves(all_, p)) return no(p.node, diag::dma_computes, p.name);
    read_names();
    return true;
  }

private:
  using Kind = TileStatement::Kind;

  bool no(Node where, const Refusal &why) const {
    if (!how_.quiet)
      why.report(c, where);
    else if (how_.refused && !*how_.refused)
      *how_.refused = {where, why};
    return false;
  }
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) const {
    return no(where, Refusal(row, arguments...));
  }
  bool unknown_size(Node extent) const {
    const std::string shown = c.show(extent);
    if (!how_.quiet) Refusal(diag::unknown_size, shown).with(sizes_hint(c, root_, shown)).report(c, extent);
    return false;
  }

  void read_names() {
    const auto takes = [&](std::string_view name) { all_.names.emplace(name); };
    c.each(root_, [&](Node n) {
      takes(c.name_of(n));
      if (auto f = c.as<ast::FunctionDef>(n)) takes(f.name());
      if (auto a = c.as<ast::arg>(n)) takes(a.arg());
    });
    for (const Channel &ch : all_.channels) takes(ch.name);
    for (const Process &p : all_.processes) {
      takes(p.name);
      for (const auto &[name, buffer] : p.buffers) takes(name);
    }
  }

  // ── what there is ──

  static std::string_view made_by(const TileStatement &s) { return s.intrinsic ? s.intrinsic->name : ""; }

  bool pipeline(const std::vector<const TileStatement *> &inside) {
    for (const TileStatement *s : inside)
      if (!s->is(Kind::function))
        return no(s->node, diag::statement, c.show(s->node));
      else if (!process(*s))
        return false;
    return true;
  }
  // A grid is as many processes.
  bool process(const TileStatement &s) {
    auto f = c.get<ast::FunctionDef>(s.node);
    std::vector<int64_t> grid;
    bool core = false;
    Process made;
    made.node = s.node, made.changed = true;
    for (const Node d : f.decorator_list()) {
      const std::string by = names_.called(d);
      core = core || by == "htp_aie.core" || by == "htp_aie.dma";
      made.dma = made.dma || by == "htp_aie.dma";
      auto k = c.as<ast::Call>(d);
      for (const Node w : k ? k.keywords() : Nodes()) {
        auto keyword = c.get<ast::keyword>(w);
        std::string_view other;
        if (core) {
          if (keyword.arg() == "on" && c.string(keyword.value(), &other)) made.on = std::string(other);
          if (auto truth = c.as<ast::Constant>(keyword.value()); truth && keyword.arg() == "interleaved")
            made.interleaved = truth.value().type == HTP_CONST_TRUE;
          continue;
        }
        auto t = c.as<ast::Tuple>(keyword.value());
        const Node one[] = {keyword.value()};
        for (const Node e : t ? t.elts() : Nodes(one)) {
          const auto number = constants_.integer(e);
          if (!number || *number < 1) return no(d, diag::grid, f.name());
          grid.push_back(*number);
        }
      }
    }
    if (core) {
      made.name = s.name, made.changed = false;
      instantiated_ = true;
      Process &p = all_.processes.emplace_back(std::move(made));
      Instance i;
      return block(s.body, i, {}, p, p.body);
    }
    if (s.parameters.size() != grid.size() || position_count(grid) > most_positions)
      return no(s.node, diag::grid, f.name());
    std::vector<std::vector<int64_t>> positions;
    each_position(grid, [&](const std::vector<int64_t> &at) { positions.push_back(at); });
    const Choices &ways = how_.choices;
    const auto count = std::ssize(positions);
    const int64_t on_one = ways.processes, cores = (count + on_one - 1) / on_one;
    for (int64_t core_number = 0; core_number < cores; ++core_number) {
      std::string first;
      for (int64_t k = 0; k < on_one; ++k) {
        const int64_t number = ways.neighbours ? core_number * on_one + k : core_number + k * cores;
        if (number >= count) break;
        const std::vector<int64_t> &at = positions[static_cast<size_t>(number)];
        Process &p = all_.processes.emplace_back(made);
        Instance i;
        p.name = s.name;
        for (size_t d = 0; d < at.size(); ++d) {
          p.name += "_" + std::to_string(at[d]);
          i.ints[s.parameters[d]] = IntExpr(at[d]);
        }
        if (k == 0)
          first = p.name;
        else
          p.on = first, p.interleaved = ways.interleaved;
        copies_ = true;
        if (!block(s.body, i, {}, p, p.body)) return false;
      }
    }
    return true;
  }

  // What all cores do: `for core in aie.cores()`, or a kernel whose loops say which cores share them.
  bool alike(const std::vector<const TileStatement *> &inside) {
    all_.alike = true;
    Process &p = all_.processes.emplace_back();
    p.node = function_;
    Instance i;
    const TileStatement *cores = inside.size() == 1 && inside[0]->is(Kind::loop) ? inside[0] : nullptr;
    if (cores && names_.called(c.get<ast::For>(cores->node).iter()) == "htp_aie.cores") {
      all_.core = cores->loop.name, p.node = cores->node;
      return block(cores->body, i, {}, p, p.body);
    }
    for (const TileStatement *s : inside)
      if (!statement(*s, i, {}, p, p.body)) return false;
    return true;
  }

  // Each core does its iterations of one loop.
  bool kernel(const std::vector<const TileStatement *> &inside) {
    const auto loop_alone = [](const auto &list) -> const TileStatement * {
      return list.size() == 1 && pointer(list.front())->is(Kind::loop) ? pointer(list.front()) : nullptr;
    };
    if (how_.nest && dealt_ > 1) {
      const TileStatement *loop = loop_alone(inside);
      for (size_t k = 0; k < *how_.nest && loop; ++k) loop = loop_alone(loop->body);
      if (!loop) return false;
    }
    copies_ = true;
    for (core_ = 0; core_ < dealt_; ++core_) {
      Process &p = all_.processes.emplace_back();
      p.node = function_, p.changed = true;
      p.name = "core_" + std::to_string(core_);
      Instance i;
      deals_ = dealt_ > 1 ? how_.nest : std::nullopt;
      for (const TileStatement *s : inside)
        if (!statement(*s, i, {}, p, p.body)) return false;
      if (p.body.empty()) return false;
    }
    return true;
  }
  static const TileStatement *pointer(const TileStatement *s) { return s; }
  static const TileStatement *pointer(const TileStatement &s) { return &s; }

  // ── statements ──

  bool block(const std::vector<TileStatement> &statements, Instance &i, const std::vector<size_t> &path, Process &p,
             std::vector<Item> &out) {
    for (const TileStatement &s : statements)
      if (!statement(s, i, path, p, out)) return false;
    return true;
  }
  bool statement(const TileStatement &s, Instance &i, const std::vector<size_t> &path, Process &p,
                 std::vector<Item> &out) {
    if (s.is(Kind::loop)) return loop(s, i, path, p, out);
    if (s.is(Kind::branch)) {
      const auto chosen = i.passes(s.test);
      if (!chosen) return no(s.node, diag::branch);
      return block(*chosen ? s.body : s.otherwise, i, path, p, out);
    }
    if (s.is(Kind::integer)) {
      const auto number = i.value(s.value);
      if (!number) return no(s.node, diag::statement, c.show(s.node));
      i.ints[s.name] = *number;
      return true;
    }
    const std::string_view by = made_by(s);
    if (!s.is(Kind::call) || !by.starts_with("aie.")) return no(s.node, diag::statement, c.show(s.node));
    if (by == "aie.lane" && !s.name.empty()) {
      const auto number = s.index.empty() || s.index[0].other ? std::nullopt : i.known(s.index[0].start);
      const auto channel = number ? declared_->channel(c.name_of(s.operands[0].node), *number) : std::nullopt;
      if (!channel) return no(s.node, diag::channel_index, c.show(s.node));
      i.lanes[s.name] = *channel;
      return true;
    }
    if (s.binds && by == "aie.buffer") return buffer(*s.result, s, i, p, out);
    if (!s.name.empty() || s.binds) return no(s.node, diag::statement, c.show(s.node));
    return operation(s, by.substr(4), i, path, p, out);
  }

  // Whether a loop's variable says which channel it is, or what is done.
  static bool chooses(const Context &c, const std::vector<TileStatement> &body, std::string_view variable) {
    const auto names_it = [&](Node n) {
      bool found = false;
      c.each(n, [&](Node e) { found = found || c.name_of(e) == variable; });
      return found;
    };
    bool found = false;
    for (const TileStatement &s : body)
      s.each([&](const TileStatement &inner) {
        found = found || (inner.is(Kind::branch) && names_it(inner.test.node)) ||
                (made_by(inner) == "aie.lane" && names_it(inner.call));
      });
    return found;
  }
  // Whether its variable says where a load of short elements begins in a row.
  bool shifts(const std::vector<TileStatement> &body, std::string_view variable) const {
    bool found = false;
    for (const TileStatement &s : body)
      s.each([&](const TileStatement &inner) {
        if (made_by(inner) != "aie.load" || inner.rest.empty()) return;
        const auto tensor = declared_->tensor(c.name_of(inner.operands[1].node));
        if (!tensor || all_.parameters[*tensor].dtype->bytes >= 4) return;
        c.each(inner.rest.back(), [&](Node e) { found = found || c.name_of(e) == variable; });
      });
    return found;
  }
  bool loop(const TileStatement &s, Instance &i, const std::vector<size_t> &path, Process &p, std::vector<Item> &out) {
    const TileLoop &l = s.loop;
    auto k = c.as<ast::Call>(l.forms.range);
    const bool plain = k && !l.name.empty() && c.get<ast::For>(s.node).orelse().empty();
    if (!plain) return no(s.node, diag::loop_range, c.show(l.forms.range));
    std::vector<int64_t> numbers;
    Loop made;
    made.name = l.name;
    for (const Node n : k.args()) {
      const auto outer = i.loops.find(c.name_of(n));
      if (l.blocks && numbers.empty() && all_.alike && outer != i.loops.end()) {
        made.within = outer->second;
        numbers.push_back(all_.loops[outer->second].block);
        continue;
      }
      const auto one = i.known(c, constants_, n);
      if (!one) return unknown_size(n);
      const bool block = l.blocks && numbers.size() == 1; // may be longer than what it is of
      if ((*one > most_counted && !block) || *one < -most_counted)
        return no(n, diag::loop_bound, c.show(l.forms.range));
      numbers.push_back(std::min(*one, most_counted));
    }
    for (const Node w : l.forms.wrappers)
      for (const Node n : c.get<ast::Call>(w).keywords()) {
        auto keyword = c.get<ast::keyword>(n);
        std::string_view level;
        if (keyword.arg() == "depth") c.integer(keyword.value(), &made.depth);
        if (keyword.arg() != "level" || !c.string(keyword.value(), &level) || !all_.alike) continue;
        for (const auto &[name, over] : levels)
          if (level == name) made.over = over;
      }
    if (l.blocks && (numbers.size() == 2 || numbers.size() == 4) && numbers[0] > 0 && numbers[1] > 0) {
      made.extent = numbers[0], made.block = all_.alike ? numbers[1] : std::min(numbers[0], numbers[1]);
      made.times = (made.extent + made.block - 1) / made.block;
      if (numbers.size() == 4) made.first = numbers[2], made.times = numbers[3];
    } else if (!l.blocks && !l.other && (numbers.size() == 1 || numbers.size() == 2)) {
      made.first = numbers.size() == 2 ? numbers[0] : 0;
      made.times = numbers.back() - made.first;
      if (all_.alike && all_.core.empty() && made.first == 0)
        made.ints = true, made.block = 1, made.extent = made.times;
    } else {
      const bool ints = c.name_of(k.func()) == "range";
      return no(s.node,
                Refusal(diag::loop_range, c.show(l.forms.range)).with(ints ? by_ones(numbers, l.name) : std::string()));
    }
    if (deals(s)) { // of the first cores some have one more
      const int64_t rest = made.times % dealt_, each = made.times / dealt_;
      made.first += core_ * each + std::min(core_, rest);
      made.times = each + (core_ < rest ? 1 : 0);
    }
    if (made.times < 1) return true;
    const bool shifted =
        how_.choices.align_loads && !instantiated_ && !made.block && made.times <= 16 && shifts(s.body, l.name);
    if ((!made.block || made.ints) && (shifted || chooses(c, s.body, l.name))) {
      if (deals_) return false;
      if (made.times > 64) return no(s.node, diag::channel_loop, made.times);
      copies_ = true;
      for (int64_t n = 0; n < made.times; ++n) {
        i.ints[l.name] = IntExpr(made.first + n);
        if (!block(s.body, i, path, p, out)) return false;
      }
      return true;
    }
    const size_t number = all_.loops.size();
    const MaybeInt iteration = IntExpr::symbol(iteration_of(number));
    if (made.block && !made.ints) {
      i.loops[l.name] = number;
      const MaybeInt outer = made.within ? i.ints.at(start_of(all_.loops[*made.within].name)) : IntExpr(0);
      i.ints[start_of(l.name)] = *(outer + IntExpr(made.first * made.block) + iteration * IntExpr(made.block));
      i.ints[length_of(l.name)] = IntExpr(made.block);
      i.ints.erase(l.name);
    } else {
      i.loops.erase(l.name);
      i.ints[l.name] = *(MaybeInt(IntExpr(made.first)) + iteration);
    }
    i.variables.insert(l.name);
    Item item{Item::Kind::loop, s.node, number, {}, {}, 0, 0};
    all_.loops.push_back(made);
    std::vector<size_t> within = path;
    within.push_back(number);
    if (!block(s.body, i, within, p, item.body)) return false;
    item.changed = copies_;
    if (!item.body.empty()) out.push_back(std::move(item));
    return true;
  }
  bool deals(const TileStatement &s) {
    if (!dealt_ || dealt_ == 1) return false;
    if (!how_.nest) return s.loop.forms.parallel;
    if (!deals_ || (*deals_)-- != 0) return false;
    deals_.reset();
    return true;
  }

  bool buffer(const TileValue &v, const TileStatement &s, Instance &i, Process &p, std::vector<Item> &out) {
    Buffer b;
    auto k = c.get<ast::Call>(c.get<ast::Assign>(v.node).value());
    b.dtype = k.args().empty() ? HTP_NONE : k.args()[0];
    for (size_t d = 0; d < v.extents.size(); ++d) {
      const Node e = k.args()[d + 1];
      const auto over = i.loops.find(c.name_of(e));
      const auto size = i.known(v.extents[d]);
      if (!size) return unknown_size(e);
      b.extents.push_back(*size);
      b.loops.push_back(over != i.loops.end() ? std::optional(over->second) : std::nullopt);
    }
    if (count(b.extents) > most_counted) return no(v.node, diag::many_elements, v.name, tuple(b.extents));
    std::string fresh = v.name;
    for (int n = 1; p.buffers.contains(fresh); ++n) fresh = v.name + "_" + std::to_string(n);
    i.tiles[v.name] = fresh;
    p.buffers[fresh] = b;
    out.push_back({Item::Kind::buffer, s.node, 0, {}, fresh, 0, 0});
    out.back().node = v.node, out.back().changed = copies_ || fresh != v.name;
    return true;
  }
  // A tile that was declared on a way that is not taken here.
  bool declare(const TileStatement &s, std::string_view name, Instance &i, Process &p, std::vector<Item> &out) {
    Node last = HTP_NONE;
    c.each(p.node, [&](Node n) {
      auto a = c.as<ast::Assign>(n);
      if (!last && a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == name &&
          names_.called(a.value()) == "htp_aie.buffer")
        last = n;
    });
    for (const TileValue &v : program_.values)
      if (last && v.node == last) {
        const bool copied = std::exchange(copies_, true), made = buffer(v, s, i, p, out);
        copies_ = copied;
        return made;
      }
    return true;
  }

  // The items of a channel over `tiles(M, 8)` have M elements where M is less than 8: the only block of its loop.
  void shorten(Channel &ch, const Buffer &tile) const {
    for (size_t d = 0; d < ch.extents.size() && tile.extents.size() == ch.extents.size(); ++d) {
      const auto loop = tile.loops[d];
      if (!loop || tile.extents[d] >= ch.extents[d] || tile.extents[d] != all_.loops[*loop].extent) continue;
      ch.extents[d] = tile.extents[d];
      ch.changed = true;
    }
  }
  bool operation(const TileStatement &s, std::string_view name, Instance &i, const std::vector<size_t> &path,
                 Process &p, std::vector<Item> &out) {
    Item item{Item::Kind::call, s.node, 0, {}, {}, 0, 0};
    const Nodes v = c.get<ast::Call>(s.call).args();
    if (name == "put" || name == "get" || name == "drop") {
      if (v.size() != (name == "drop" ? 1U : 2U)) return no(s.node, diag::statement, c.show(s.node));
      const Node channel = v[name == "get" ? 1 : 0];
      const auto lane = i.lanes.find(c.name_of(channel));
      const auto number = lane != i.lanes.end() ? std::optional(lane->second) : declared_->channel(c.name_of(channel));
      if (!number) return no(s.node, diag::channel_index, c.show(s.node));
      item.channel = *number;
      item.kind = name == "put" ? Item::Kind::put : name == "get" ? Item::Kind::get : Item::Kind::drop;
      if (name != "drop") item.tile = i.tile(c.name_of(v[name == "get" ? 0 : 1]));
      if (name == "put") item.reads = {item.tile};
      if (name != "drop" && item.tile.empty()) return no(s.node, diag::not_tile, c.show(v[name == "get" ? 0 : 1]));
      Channel &ch = all_.channels[item.channel];
      if (name != "drop") shorten(ch, p.buffers.at(item.tile));
      if (name != "drop" && p.buffers.at(item.tile).extents != ch.extents)
        return no(s.node, diag::item_extents, tuple(p.buffers.at(item.tile).extents), tuple(ch.extents));
      item.changed = copies_ || lane != i.lanes.end() || ch.changed;
      out.push_back(item);
      return true;
    }
    if (name == "load" || name == "store") {
      if (v.size() < 2) return no(s.node, diag::statement, c.show(s.node));
      const bool load = name == "load";
      item.kind = load ? Item::Kind::load : Item::Kind::store;
      item.tile = i.tile(c.name_of(v[load ? 0 : 1]));
      if (!load) item.reads = {item.tile};
      if (item.tile.empty()) return no(s.node, diag::not_tile, c.show(v[load ? 0 : 1]));
      item.access = all_.accesses.size();
      item.changed = copies_;
      out.push_back(item);
      return access(s, load, i, path, p.buffers.at(item.tile));
    }
    if (!s.intrinsic || v.size() < 2) return no(s.node, diag::statement, c.show(s.node));
    if (i.tile(c.name_of(v[0])).empty() && !c.name_of(v[0]).empty() && !declare(s, c.name_of(v[0]), i, p, out))
      return false;
    item.tile = i.tile(c.name_of(v[0]));
    if (item.tile.empty()) return no(s.node, diag::not_tile, c.show(v[0]));
    item.call = s.call, item.changed = copies_;
    std::vector<uint32_t> operands;
    bool renamed = copies_;
    for (const Node n : v) {
      const std::string one = i.tile(c.name_of(n));
      const auto number = one.empty() ? i.known(c, constants_, n) : std::nullopt;
      std::string variable; // that it is a number of
      if (one.empty() && !i.ints.empty())
        c.each(n, [&](Node e) {
          const std::string_view own = c.name_of(e);
          if ((i.ints.contains(own) || i.loops.contains(own)) && (variable.empty() || i.variables.contains(own)))
            variable = std::string(own);
        });
      if (!variable.empty() && !number) return no(n, loop_value(variable));
      if (!one.empty())
        renamed = renamed || one != c.name_of(n);
      else
        renamed = renamed || !variable.empty();
      operands.push_back(!one.empty()        ? (copies_ || one != c.name_of(n) ? c.name(one, n) : n)
                         : !variable.empty() ? c.integer_node(*number, n)
                         : copies_           ? clone(c, n)
                                             : n);
      if (!one.empty() && operands.size() > 1) item.reads.push_back(one);
    }
    if (name == "matmul") item.reads.push_back(item.tile); // it is added to
    if (renamed) {
      auto call = c.read<ast::Call>(s.call);
      call.args = operands;
      if (copies_) {
        call.func = clone(c, call.func);
        for (uint32_t &keyword : call.keywords) keyword = clone(c, keyword);
      }
      item.call = c.make(call, s.call), item.changed = true;
    }
    out.push_back(item);
    return true;
  }

  std::optional<Slice> slice_from(const std::optional<IntExpr> &start) const {
    return start ? slice_at(*start, all_.core) : std::nullopt;
  }
  bool access(const TileStatement &s, bool load, const Instance &i, const std::vector<size_t> &path,
              const Buffer &tile) {
    auto k = c.get<ast::Call>(s.call);
    Access a;
    a.path = path;
    a.stores = !load;
    a.node = s.node;
    const std::string_view name = c.name_of(k.args()[load ? 1 : 0]);
    const auto found = declared_->tensor(name);
    if (!found || all_.parameters[*found].extents.size() != s.index.size())
      return no(s.node, diag::not_parameter, c.show(s.node));
    a.tensor = *found;
    const Parameter &q = all_.parameters[a.tensor];
    const std::vector<int64_t> &extents = name == q.view ? q.padded : q.extents;
    for (const Node n : k.keywords()) {
      const auto outside = constants_.number(c.get<ast::keyword>(n).value());
      if (!outside || outside->as_double() != 0)
        return no(s.node, Refusal(diag::outside, c.show(s.call)).with(diag::outside.hint));
      a.bordered = true;
    }
    for (size_t d = 0; d < s.index.size(); ++d) {
      const TileIndex &index = s.index[d];
      const std::string text = c.show(index.node);
      Slice slice;
      if (index.whole) {
        slice.size = extents[d], slice.whole = true;
      } else {
        const auto at = index.other || index.indices ? std::nullopt : slice_from(i.value(index.start));
        const auto size = at ? i.known(index.count) : std::nullopt;
        if (!at || !size || *size < 1 || index.step < 1) return no(index.node, diag::index, text);
        slice = *at, slice.size = *size, slice.apart = index.step;
        if (!index.block.empty()) slice.block = i.loops.at(index.block);
        for (const auto &[loop, step] : slice.steps)
          if (all_.loops[loop].ints && step == 1 && slice.size == 1 && slice.steps.size() == 1) slice.block = loop;
      }
      for (const auto &[loop, step] : slice.steps)
        if (step < 0) return no(index.node, Refusal(diag::backwards, text).with(diag::backwards.hint));
      a.index.push_back(slice);
    }
    std::vector<int64_t> part;
    for (const Slice &slice : a.index) part.push_back(slice.size);
    // Of a tensor that the host packed in blocks it is one of these.
    if (!q.packed.empty() && part.size() == tile.extents.size() + 1 && part[0] == 1) part.erase(part.begin());
    if (part != tile.extents) {
      const std::string shown = tuple(part);
      return no(s.node,
                Refusal(diag::slice_extents, c.show(s.node))
                    .with("give the tile those of the slice: `reshape(…, " + shown.substr(1, shown.size() - 2) + ")`"));
    }
    all_.accesses.push_back(a);
    return true;
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  const Reading how_;
  const int64_t dealt_;
  int64_t core_ = 0;            // that is read, of a kernel
  std::optional<size_t> deals_; // so many loops further in is the one that is dealt out
  bool instantiated_ = false;   // cores have bodies of their own already
  bool copies_ = false;         // what is read is one of several copies of its statements
  TileProgram program_;
  Cores &all_;
  std::optional<Declared> declared_;
};

} // namespace

bool read(const Context &c, Node root, Node function, const Reading &how, Cores &into) {
  return Reader(c, root, function, how, into).run();
}

} // namespace htp::aie::cores
