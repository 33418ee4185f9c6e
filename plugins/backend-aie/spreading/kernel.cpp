#include "spreading/kernel.h"
#include "analyses/host_made.h"
#include "spreading/padding.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie {

namespace {

class KernelReader {
public:
  explicit KernelReader(Kernel &kernel) : c(kernel.c), k_(kernel), constants_(kernel.c, kernel.root) {}

  bool run() {
    if (!read_parameters(c, k_.root, k_.function, k_.parameters, refusing(c)) || !collect(statements(), {}, k_.body) ||
        !read(k_.body, {}))
      return false;
    for (const Access &a : k_.accesses)
      for (const int l : a.path)
        if (a.stores && !k_.uses(a, l))
          return never(a.node, Refusal(diag::repeated_store, k_.loop(l).name)
                                   .with("store to the block, `y[" + k_.loop(l).name + "]`, or behind the loop"));
    if (const Counted found = choose_fills(k_); found.word) {
      const Node call = c.get<ast::Expr>(found.word).value();
      auto k = c.get<ast::Call>(call);
      const bool apart = k_.names.called(call) == "htp_aie.call";
      const Loop &l = k_.loop(found.loop);
      const int64_t extent = k_.outermost(found.loop).extent;
      c.report(diag::ragged_reduction, found.word, c.show(apart ? k.args()[1] : k.func()), l.name, extent, l.block)
          .hint(hint_for(found, extent, l.block));
      return false;
    }
    k_.scheduled = std::any_of(k_.loops.begin(), k_.loops.end(),
                               [](const Loop &l) { return l.over != Over::none || l.within >= 0; });
    for (size_t l = 0; l < k_.loops.size(); ++l)
      if (const Node word = k_.loops[l].over == Over::none ? HTP_NONE : k_.carries(static_cast<int>(l)))
        return never(word, Refusal(diag::carried, k_.loops[l].name));
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
  Nodes statements() {
    const auto on = on_device(c, k_.names, k_.function);
    mapped_ = on.has_value();
    return on ? c.get<ast::With>(on->with).body() : c.get<ast::FunctionDef>(k_.function).body();
  }
  bool is_text(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return e && c.is(e.value(), HTP_Constant);
  }

  // The outermost loop is what is shared among cores: nothing stands beside it.
  bool collect(Nodes statements, const std::vector<int> &path, std::vector<Item> &out) {
    std::vector<Node> left;
    for (const Node s : statements)
      if (auto a = c.as<ast::Assign>(s); a && k_.names.called(a.value()) == "htp_aie.counts") {
        if (!host_made(s)) return false;
      } else if (!is_text(s) && !c.is(s, HTP_Pass)) {
        left.push_back(s);
      }
    if (left.empty()) return no(k_.function, diag::empty, c.entry());
    for (const Node s : left) {
      Item &item = out.emplace_back();
      item.node = s;
      if (!c.is(s, HTP_For)) continue;
      if (path.empty() && left.size() != 1) return no(s, Refusal(diag::loop_beside));
      if (!loop(s)) return false;
      item.loop = static_cast<int>(k_.loops.size()) - 1;
      std::vector<int> inside = path;
      inside.push_back(item.loop);
      if (!collect(c.get<ast::For>(s).body(), inside, item.body)) return false;
    }
    return true;
  }
  bool loop(Node s) {
    auto l = c.get<ast::For>(s);
    const LoopForms forms = loop_forms(c, k_.names, l.iter());
    const Node range = forms.range;
    // A loop that a schedule binds is what cores share.
    int64_t depth = 2;
    Over over = Over::none;
    for (const Node w : forms.wrappers)
      for (const Node n : c.get<ast::Call>(w).keywords()) {
        auto word = c.get<ast::keyword>(n);
        std::string_view level;
        if (word.arg() == "depth") c.integer(word.value(), &depth);
        if (word.arg() != "level" || !c.string(word.value(), &level)) continue;
        for (const auto &[name, shares] : levels)
          if (level == name) over = shares;
        if (over == Over::none) return never(w, Refusal(diag::loop_level, level));
        for (const Loop &other : k_.loops)
          if (other.over != Over::none && (other.over == over || over == Over::cores || other.over == Over::cores)) {
            c.report(diag::bound_twice, w, made_name(l), level, other.name);
            return false;
          }
      }
    auto call = c.as<ast::Call>(range);
    // `range(J)` counts one by one what it indexes: blocks of one.
    const bool ones = call && c.name_of(call.func()) == "range" && call.args().size() == 1;
    if ((!ones && (k_.names.called(range) != "htp_tile.tiles" || call.args().size() != 2)) || !l.orelse().empty())
      return no(s, diag::loop_range, c.show(range));
    Loop made;
    made.bound = !forms.wrappers.empty();
    made.over = over;
    made.depth = std::max<int64_t>(depth, 2), made.node = s;
    made.name = std::string(c.name_of(l.target()));
    for (const Loop &other : k_.loops)
      if (other.name == made.name) return no(s, diag::loop_name, made.name);
    made.within = loop_named(c.name_of(call.args()[0]));
    const auto extent = made.within < 0 ? constants_.integer(call.args()[0]) : k_.loop(made.within).block,
               block = ones ? std::optional<int64_t>(1) : constants_.integer(call.args()[1]);
    if (!extent || !block) return unknown_size(call.args()[extent ? 1 : 0]);
    made.extent = *extent, made.block = *block;
    if (made.extent < 1 || made.block < 1) return no(range, diag::no_iteration);
    made.said = made.block;
    if (made.block > made.extent && !mapped_) made.block = made.extent;
    if (made.within >= 0 && made.ragged()) {
      c.report(diag::ragged_blocks, range, made.name, made.block, k_.loop(made.within).name, made.extent);
      return false;
    }
    k_.loops.push_back(made);
    return true;
  }

  std::string made_name(ast::For l) const { return std::string(c.name_of(l.target())); }
  int loop_named(std::string_view name) const {
    for (size_t l = 0; l < k_.loops.size(); ++l)
      if (k_.loops[l].name == name) return static_cast<int>(l);
    return -1;
  }

  bool read(const std::vector<Item> &items, const std::vector<int> &path) {
    for (const Item &item : items) {
      std::vector<int> inside = path;
      if (item.loop >= 0) inside.push_back(item.loop);
      if (item.loop >= 0 ? !read(item.body, inside) : !read(item.node, path)) return false;
    }
    return true;
  }
  bool read(Node s, const std::vector<int> &path) {
    if (auto a = c.as<ast::Assign>(s); a && k_.names.called(a.value()) == "htp_aie.buffer" && a.targets().size() == 1) {
      Buffer b;
      auto k = c.get<ast::Call>(a.value());
      b.dtype = k.args().empty() ? HTP_NONE : k.args()[0];
      for (const Node e : k.args().subspan(1)) {
        const int loop = loop_named(c.name_of(e));
        const auto number = constants_.integer(e);
        if (loop < 0 && !number) return unknown_size(e);
        b.loops.push_back(loop);
        b.extents.push_back(loop < 0 ? *number : k_.loops[static_cast<size_t>(loop)].block);
      }
      b.path = path;
      k_.buffers[std::string(c.name_of(a.targets()[0]))] = b;
      return true;
    }
    auto e = c.as<ast::Expr>(s);
    const std::string word = e ? k_.names.called(e.value()) : std::string();
    if (!word.starts_with("htp_aie."))
      return c.is(s, HTP_If)      ? no(s, diag::branch)
             : c.is(s, HTP_While) ? no(s, diag::while_loop)
                                  : no(s, diag::statement, c.show(s));
    auto k = c.get<ast::Call>(e.value());
    if (k.args().size() < 2) return no(s, diag::statement, c.show(s));
    const bool load = word == "htp_aie.load";
    if (load && !k.keywords().empty()) return no(s, diag::outside, c.show(e.value()));
    if (load || word == "htp_aie.store") return access(s, k, load, path);
    std::string counted;
    for (const Node a : k.args())
      c.each(a, [&](Node n) {
        if (loop_named(c.name_of(n)) >= 0) counted = std::string(c.name_of(n));
      });
    if (!counted.empty()) return no(s, loop_value(counted));
    ++k_.written[std::string(c.name_of(k.args()[0]))];
    k_.words.push_back(s);
    if (word == "htp_aie.call") return apart(s, k);
    return true;
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

  bool access(Node s, ast::Call k, bool load, const std::vector<int> &path) {
    Access a;
    a.path = path;
    a.stores = !load;
    a.node = s;
    const std::string_view tensor = c.name_of(k.args()[load ? 1 : 0]);
    const auto found =
        std::find_if(k_.parameters.begin(), k_.parameters.end(), [&](const Parameter &p) { return p.name == tensor; });
    if (found == k_.parameters.end() || found->extents.size() + 2 != k.args().size())
      return no(s, diag::not_parameter, c.show(s));
    a.tensor = static_cast<size_t>(found - k_.parameters.begin());
    if (found->scalar) a.index.push_back(-1);
    for (size_t d = 0; d < found->extents.size() && !found->scalar; ++d) {
      const Node i = k.args()[d + 2];
      const int loop = loop_named(c.name_of(i));
      const std::string text = c.show(i);
      if (loop < 0 && text != "whole" && !text.ends_with(".whole")) return no(i, diag::index, text);
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
    if (!load) ++k_.stored[std::string(c.name_of(k.args()[1]))];
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
  sdk::Constants constants_;
  bool mapped_ = false; // its loops have the blocks that were chosen, be they longer than what they go through
  std::map<std::string, std::vector<int64_t>> apart_; // functions that others compiled, by the extents of their tiles
};

} // namespace

int Kernel::dimension_of(const Access &a, int of) const {
  for (size_t d = 0; d < a.index.size(); ++d)
    for (int l = a.index[d]; l >= 0; l = loop(l).within)
      if (l == of) return static_cast<int>(d);
  return -1;
}
const Loop &Kernel::outermost(int of) const {
  while (loop(of).within >= 0) of = loop(of).within;
  return loop(of);
}
bool Kernel::differs(const Access &a, Over over) const {
  for (size_t l = 0; l < loops.size(); ++l)
    if ((loops[l].over == over || loops[l].over == Over::cores) && uses(a, static_cast<int>(l))) return true;
  return false;
}
Node Kernel::carries(int of) const {
  const auto writes_outside = [&](Node statement) {
    const auto word = c.as<ast::Expr>(statement);
    if (!word || names.called(word.value()) == "htp_aie.store") return false;
    const auto b = buffers.find(c.name_of(c.get<ast::Call>(word.value()).args()[0]));
    return b != buffers.end() && std::find(b->second.path.begin(), b->second.path.end(), of) == b->second.path.end();
  };
  const auto look = [&](const auto &self, const std::vector<Item> &items, bool within) -> Node {
    for (const Item &item : items) {
      if (item.loop < 0 && within && writes_outside(item.node)) return item.node;
      const Node found = item.loop < 0 ? HTP_NONE : self(self, item.body, within || item.loop == of);
      if (found) return found;
    }
    return HTP_NONE;
  };
  return look(look, body, false);
}
int64_t Kernel::rounds(int of, int64_t columns, int64_t rows) const {
  const Loop &l = loop(of);
  const int64_t by = l.over == Over::cores     ? columns * rows
                     : l.over == Over::columns ? columns
                     : l.over == Over::rows    ? rows
                                               : 1;
  return (l.blocks() + by - 1) / by;
}

bool Kernel::is_part(const std::string &name) const {
  const auto b = buffers.find(name);
  if (b == buffers.end()) return false;
  std::set<std::string> first;
  for (const Access &a : accesses) {
    auto k = c.get<ast::Call>(c.get<ast::Expr>(a.node).value());
    if (!a.stores) {
      std::string key = std::to_string(a.tensor);
      for (const int l : a.index) key += " " + std::to_string(l);
      for (const int l : a.path) key += " in " + std::to_string(l);
      const bool again = !first.insert(key).second;
      if (c.name_of(k.args()[0]) == name) return !again && !written.contains(name);
    } else if (c.name_of(k.args()[1]) == name) {
      return stored.at(name) == 1 && b->second.extents == part_of(a) && b->second.path == a.path;
    }
  }
  return false;
}
std::vector<int64_t> Kernel::part_of(const Access &a) const {
  std::vector<int64_t> part;
  for (size_t d = 0; d < a.index.size(); ++d)
    part.push_back(a.index[d] < 0 ? parameters[a.tensor].extents[d] : loops[static_cast<size_t>(a.index[d])].block);
  return part;
}
std::string Kernel::alias_of(const std::string &name) const {
  if (written.contains(name)) return {};
  const auto target = [&](const Access &a) {
    return std::string(c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[0]));
  };
  for (const Access &a : accesses) {
    if (a.stores || target(a) != name) continue;
    for (const Access &first : accesses)
      if (!first.stores && first.tensor == a.tensor && first.index == a.index && first.path == a.path)
        return target(first) != name && !written.contains(target(first)) ? target(first) : std::string();
  }
  return {};
}
bool Kernel::loaded(const std::string &name) const {
  return std::any_of(accesses.begin(), accesses.end(), [&](const Access &a) {
    return !a.stores && c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[0]) == name;
  });
}
const Access *Kernel::store_of(const std::string &name) const {
  for (const Access &a : accesses)
    if (a.stores && c.name_of(c.get<ast::Call>(c.get<ast::Expr>(a.node).value()).args()[1]) == name) return &a;
  return nullptr;
}

const DType *Kernel::dtype_of(const Buffer &buffer) const {
  const std::string name = names.qualified(buffer.dtype);
  return dtype_named(name.substr(name.rfind('.') + 1));
}

bool read_kernel(Kernel &kernel) {
  if (!KernelReader(kernel).run()) return false;
  kernel.name_ones();
  return true;
}

} // namespace htp::aie
