// Reading a kernel as loops over blocks, whose cores share one of them.
#include "analyses/host_made.h"
#include "spreading/kernel.h"
#include "spreading/padding.h"

#include "htp_cpp/tile_program.h"

#include <algorithm>

namespace htp::aie {

namespace {

class KernelReader {
public:
  explicit KernelReader(Kernel &kernel) : c(kernel.c), k_(kernel) {}

  bool run() {
    if (!read_parameters(c, k_.root, k_.function, k_.parameters, refusing(c))) return false;
    const auto other = [&](Node where, const std::string &) { no(where, diag::statement, c.show(where)); };
    const auto program = read_open_program(c, k_.root, other);
    if (!program) return false;
    const std::vector<TileStatement> *body = &program->body;
    mapped_ = body->size() == 1 && body->front().is(Kind::scope);
    if (mapped_) body = &body->front().body;
    if (!block(*body, {}, k_.body)) return false;
    for (const Access &a : k_.accesses)
      for (const int l : a.path)
        if (a.stores && !k_.uses(a, l))
          return never(a.node, Refusal(diag::repeated_store, k_.loop(l).name)
                                   .with("store to the block, `y[" + k_.loop(l).name + "]`, or behind the loop"));
    if (const Counted found = choose_fills(k_); found.by) {
      const Node call = c.get<ast::Expr>(found.by).value();
      auto k = c.get<ast::Call>(call);
      const bool apart = k_.names.called(call) == "htp_aie.call";
      const Loop &l = k_.loop(found.loop);
      const int64_t extent = k_.outermost(found.loop).extent;
      c.report(diag::ragged_reduction, found.by, c.show(apart ? k.args()[1] : k.func()), l.name, extent, l.block)
          .hint(hint_for(found, extent, l.block));
      return false;
    }
    k_.scheduled = std::any_of(k_.loops.begin(), k_.loops.end(),
                               [](const Loop &l) { return l.over != Over::none || l.within >= 0; });
    for (size_t l = 0; l < k_.loops.size(); ++l)
      if (const Node by = k_.loops[l].over == Over::none ? HTP_NONE : k_.carries(static_cast<int>(l)))
        return never(by, Refusal(diag::carried, k_.loops[l].name));
    if (!k_.loops.empty() &&
        std::all_of(k_.loops.begin(), k_.loops.end(), [](const Loop &l) { return l.over == Over::none; }))
      k_.loops[0].over = Over::cores;
    for (size_t l = 0; l < k_.loops.size(); ++l)
      for (const Access &a : k_.accesses)
        if (a.stores && k_.loops[l].over != Over::none &&
            std::find(a.path.begin(), a.path.end(), static_cast<int>(l)) == a.path.end())
          return no(a.node, diag::store_beside, k_.loops[l].name);
    return true;
  }

private:
  using Kind = TileStatement::Kind;

  bool no(Node where, Refusal why) const {
    k_.refused = {where, std::move(why)};
    return false;
  }
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) const {
    return no(where, Refusal(row, arguments...));
  }
  // What no other way does either, or not as it was asked for.
  bool never(Node where, const Refusal &why) const {
    why.report(c, where);
    return false;
  }
  bool unknown_size(Node extent) const {
    const std::string shown = c.show(extent);
    return never(extent, Refusal(diag::unknown_size, shown).with(sizes_hint(c, k_.root, shown)));
  }
  static std::string_view made_by(const TileStatement &s) { return s.intrinsic ? s.intrinsic->name : ""; }

  // The outermost loop is what is shared among cores: nothing stands beside it.
  bool block(const std::vector<TileStatement> &statements, const std::vector<int> &path, std::vector<Item> &out) {
    std::vector<const TileStatement *> left;
    for (const TileStatement &s : statements)
      if (made_by(s) != "aie.counts")
        left.push_back(&s);
      else if (!host_made(s.node))
        return false;
    if (left.empty()) return no(k_.function, diag::empty, c.entry());
    for (const TileStatement *s : left) {
      Item &item = out.emplace_back();
      item.node = s->node;
      if (!s->is(Kind::loop)) {
        if (!statement(*s, path, item)) return false;
        continue;
      }
      if (path.empty() && left.size() != 1) return no(s->node, Refusal(diag::loop_beside));
      if (!loop(*s)) return false;
      item.loop = static_cast<int>(k_.loops.size()) - 1;
      std::vector<int> inside = path;
      inside.push_back(item.loop);
      if (!block(s->body, inside, item.body)) return false;
    }
    return true;
  }
  bool loop(const TileStatement &statement) {
    const TileLoop &is = statement.loop;
    const LoopForms &forms = is.forms;
    const Node s = statement.node, range = forms.range;
    // A loop that a schedule binds is what cores share.
    int64_t depth = 2;
    Over over = Over::none;
    for (const Node w : forms.wrappers)
      for (const Node n : c.get<ast::Call>(w).keywords()) {
        auto keyword = c.get<ast::keyword>(n);
        std::string_view level;
        if (keyword.arg() == "depth") c.integer(keyword.value(), &depth);
        if (keyword.arg() != "level" || !c.string(keyword.value(), &level)) continue;
        for (const auto &[name, shares] : levels)
          if (level == name) over = shares;
        if (over == Over::none) return never(w, Refusal(diag::loop_level, level));
        for (const Loop &other : k_.loops)
          if (other.over != Over::none && (other.over == over || over == Over::cores || other.over == Over::cores)) {
            c.report(diag::bound_twice, w, is.name, level, other.name);
            return false;
          }
      }
    auto call = c.as<ast::Call>(range);
    // `range(J)` counts one by one what it indexes: blocks of one.
    const bool ones = call && c.name_of(call.func()) == "range" && call.args().size() == 1;
    if ((!ones && (k_.names.called(range) != "htp_tile.tiles" || call.args().size() != 2)) ||
        !c.get<ast::For>(s).orelse().empty())
      return no(s, diag::loop_range, c.show(range));
    Loop made;
    made.bound = !forms.wrappers.empty();
    made.over = over;
    made.depth = std::max<int64_t>(depth, 2), made.node = s;
    made.name = is.name;
    for (const Loop &other : k_.loops)
      if (other.name == made.name) return no(s, diag::loop_name, made.name);
    made.within = loop_named(c.name_of(call.args()[0]));
    const auto extent = made.within < 0 ? is.stop.constant() : k_.loop(made.within).block, block = is.step.constant();
    if (is.other) return unknown_size(call.args()[0]);
    if (!extent || !block) return unknown_size(call.args()[extent ? 1 : 0]);
    made.extent = *extent, made.block = *block;
    if (made.extent < 1 || made.block < 1) return no(range, diag::no_iteration);
    if (made.within >= 0) made.extent = whole_blocks(made.within, made.block);
    made.declared = made.block;
    if (made.block > made.extent && !mapped_) made.block = made.extent;
    if (std::max(made.extent, made.block) > most_counted) return never(s, Refusal(diag::loop_bound, c.show(range)));
    if (made.within >= 0 && made.ragged()) {
      c.report(diag::ragged_blocks, range, made.name, made.block, k_.loop(made.within).name, made.extent);
      return false;
    }
    k_.loops.push_back(made);
    return true;
  }

  // How long the blocks of a loop are that are cut into blocks of `by`. The only one of a short dimension was made as
  // short as that: it has whole blocks of `by`, as the program says of a longer one.
  int64_t whole_blocks(int loop, int64_t by) {
    Loop &outer = k_.loops[static_cast<size_t>(loop)];
    const int64_t whole = (outer.block + by - 1) / by * by;
    if (outer.within < 0 && whole <= outer.declared) outer.block = whole;
    return outer.block;
  }
  int loop_named(std::string_view name) const {
    for (size_t l = 0; l < k_.loops.size(); ++l)
      if (k_.loops[l].name == name) return static_cast<int>(l);
    return -1;
  }

  // Whose block an extent is, or how many elements a dimension of a tile has.
  int loop_of(const IntExpr &extent) const {
    for (size_t l = 0; l < k_.loops.size(); ++l)
      if (extent == IntExpr::symbol(length_of(k_.loops[l].name)) || extent == IntExpr::symbol(k_.loops[l].name))
        return static_cast<int>(l);
    return -1;
  }
  bool buffer(const TileStatement &s, const std::vector<int> &path, Item &item) {
    Buffer b;
    const Nodes args = c.get<ast::Call>(s.call).args();
    b.dtype = args.empty() ? HTP_NONE : args[0];
    for (size_t d = 0; d < s.result->extents.size(); ++d) {
      const int loop = loop_of(s.result->extents[d]);
      const auto number = s.result->extents[d].constant();
      if (loop < 0 && !number) return unknown_size(args[d + 1]);
      b.loops.push_back(loop);
      b.extents.push_back(loop < 0 ? *number : k_.loops[static_cast<size_t>(loop)].block);
    }
    if (count(b.extents) > most_counted)
      return never(s.node, Refusal(diag::many_elements, s.result->name, tuple(b.extents)));
    b.path = path;
    item.buffer = s.result->name;
    k_.buffers[item.buffer] = b;
    return true;
  }
  bool statement(const TileStatement &s, const std::vector<int> &path, Item &item) {
    const std::string_view by = made_by(s);
    if (s.binds && by == "aie.buffer") return buffer(s, path, item);
    if (!by.starts_with("aie.") || s.binds || !s.name.empty())
      return s.is(Kind::branch)        ? no(s.node, diag::branch)
             : c.is(s.node, HTP_While) ? no(s.node, diag::while_loop)
                                       : no(s.node, diag::statement, c.show(s.node));
    auto k = c.get<ast::Call>(s.call);
    if (k.args().size() < 2) return no(s.node, diag::statement, c.show(s.node));
    const bool load = by == "aie.load";
    if (load && !k.keywords().empty()) return no(s.node, diag::outside, c.show(s.call));
    if (load || by == "aie.store") return access(s, load, path, item);
    std::string counted;
    for (const Node a : k.args())
      c.each(a, [&](Node n) {
        if (loop_named(c.name_of(n)) >= 0) counted = std::string(c.name_of(n));
      });
    if (!counted.empty()) return no(s.node, loop_value(counted));
    item.operation = static_cast<int>(k_.operations.size());
    Operation &made = k_.operations.emplace_back();
    made.node = s.node, made.name = s.intrinsic_name();
    for (const Node n : k.args()) {
      const std::string name(c.name_of(n));
      made.operands.push_back({n, k_.buffers.contains(name) ? name : std::string()});
    }
    ++k_.written[made.target()];
    return by != "aie.call" || apart(s.node, k);
  }

  // What others compiled has one signature in memory.
  bool apart(Node s, ast::Call k) {
    std::vector<int64_t> sizes; // of the operands: they decide those of the results
    for (const Node n : k.args().subspan(1)) {
      const auto b = k_.buffers.find(c.name_of(n));
      if (b == k_.buffers.end()) continue;
      sizes.insert(sizes.end(), b->second.extents.begin(), b->second.extents.end());
    }
    const std::string name = c.show(k.args()[1]);
    return apart_.try_emplace(name, sizes).first->second == sizes || no(s, diag::two_sizes, name);
  }

  bool access(const TileStatement &statement, bool load, const std::vector<int> &path, Item &item) {
    const Node s = statement.node;
    auto k = c.get<ast::Call>(statement.call);
    Access a;
    a.path = path;
    a.stores = !load;
    a.node = s;
    a.tile = std::string(c.name_of(k.args()[load ? 0 : 1]));
    const std::string_view tensor = c.name_of(k.args()[load ? 1 : 0]);
    const auto found =
        std::find_if(k_.parameters.begin(), k_.parameters.end(), [&](const Parameter &p) { return p.name == tensor; });
    if (found == k_.parameters.end() || found->extents.size() != statement.index.size())
      return no(s, diag::not_parameter, c.show(s));
    a.tensor = static_cast<size_t>(found - k_.parameters.begin());
    if (found->scalar) a.index.push_back(-1);
    for (size_t d = 0; d < found->extents.size() && !found->scalar; ++d) {
      const TileIndex &index = statement.index[d];
      const Node i = index.node;
      const int loop = index.whole ? -1 : loop_named(c.name_of(i));
      if (loop < 0 && !index.whole) return no(i, diag::index, c.show(i));
      if (loop >= 0 && (k_.uses(a, loop) || k_.outermost(loop).extent != found->extents[d]))
        return no(i, diag::block_extent, k_.outermost(loop).extent, found->extents[d]);
      a.index.push_back(loop);
    }
    for (const Access &other : k_.accesses) {
      if (other.tensor != a.tensor) continue;
      if (other.stores && a.stores) return no(s, diag::two_stores, found->name);
      if ((other.stores || a.stores) && other.index != a.index) return no(s, diag::other_elements, found->name);
      if (other.stores && load) return no(s, diag::load_after_store, found->name);
    }
    if (!load) ++k_.stored[a.tile];
    item.access = static_cast<int>(k_.accesses.size());
    k_.accesses.push_back(a);
    return true;
  }

  // `places = aie.counts(i32, (64,))`
  bool host_made(Node s) {
    const auto tensor = [&](std::string_view name) -> const Parameter * {
      for (const Parameter &q : k_.parameters)
        if (q.name == name) return &q;
      return nullptr;
    };
    auto made = read_host_made(c, k_.names, s, tensor, [&](Node where, const Refusal &why) { no(where, why); });
    if (made) k_.parameters.push_back(std::move(*made));
    return made.has_value();
  }

  const Context &c;
  Kernel &k_;
  bool mapped_ = false; // its loops have the blocks that were chosen, be they longer than what they go through
  std::map<std::string, std::vector<int64_t>> apart_; // functions that others compiled, by the extents of their tiles
};

} // namespace

bool read_kernel(Kernel &kernel) {
  if (!KernelReader(kernel).run()) return false;
  kernel.name_ones();
  return true;
}

} // namespace htp::aie
