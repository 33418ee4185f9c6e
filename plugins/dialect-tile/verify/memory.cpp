#include "verify/memory.h"

#include "diagnostics.h"
#include "language/check.h"
#include "verify/ints.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

namespace htp::tile {
namespace {

// Why something is not known: a location and the reason.
struct Reason {
  Node where = HTP_NONE;
  std::string reason;
};

class Memory {
public:
  Memory(const Module &module, Node function) : m_(module), c(module.c), function_(function), ints_(module, function) {}

  void run() {
    auto a = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args());
    for (const Nodes list : {a.posonlyargs(), a.args()})
      for (const Node n : list) parameter(n);
    sizes_ = dims_;
    sizes_.insert(sizes_.end(), ints_.given().begin(), ints_.given().end());
    block(c.get<ast::FunctionDef>(function_).body(), {of_at_least(0), {}});
    for (const auto &[name, tensor] : tensors_) written(name, tensor);
  }

private:
  // Where a statement runs: by the branches around it, for which sizes and iterations of the loops around, at most.
  // `unknown` says why it may be for fewer.
  struct Place {
    IntSet set;
    Reason unknown;
    bool sure = true; // within the innermost choice around
  };
  // A branch of which nobody knows whether it runs: what it surely writes each time, by the variables around the `if`.
  // What both branches write of one time is surely written.
  struct Choice {
    size_t variables;
    std::map<std::string, IntSet> writes;
  };
  struct Tensor {
    Node node = HTP_NONE;
    bool output = false;
    std::vector<Extent> extents;
    IntSet surely, perhaps; // of its elements that are written
    std::vector<Node> stores;
    Reason unknown;
  };

  // What a part with a grid touches of a tensor, by the place it runs at.
  struct Touched {
    size_t tensor;
    Node at;
    bool writes;
    IntSet region;
  };

  std::string element(size_t dimension) const { return "[" + std::to_string(dimension) + "]"; }

  void parameter(Node n) {
    auto p = c.get<ast::arg>(n);
    const auto type = read_type(c, p.annotation());
    if (!type || type->form != "Tensor") return;
    Tensor t{n, direction_of(c, p.annotation()) == "Out", type->extents, ints_.isl().none(), ints_.isl().none(), {},
             {}};
    for (const Extent &e : t.extents) // of a product of dims no more is known than of a dim
      if (!e.name.empty() && (!e.sum() || !ints_.value(write_extent(c, e, n))) &&
          std::find(dims_.begin(), dims_.end(), e.name) == dims_.end())
        dims_.push_back(e.name);
    for (const Extent &e : t.extents)
      if (const auto sum = e.sum() ? m_.sum(write_extent(c, e, n)) : std::nullopt)
        for (const std::string &dim : sum->names())
          if (m_.is_dim(dim) && std::find(dims_.begin(), dims_.end(), dim) == dims_.end()) dims_.push_back(dim);
    tensors_.emplace_back(p.arg(), std::move(t));
  }

  // ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(Nodes statements, const Place &place) {
    for (const Node s : statements) statement(s, place);
  }

  void statement(Node n, const Place &place) {
    if (auto f = c.as<ast::For>(n)) {
      Place inner = place;
      const Node iter = loop_forms(c, m_.names, f.iter()).range;
      const bool known = ints_.iterate(c.name_of(f.target()), iter);
      if (!known) inner.sure = false;
      if (!known && !inner.unknown.where) inner.unknown = {iter, "where this loop runs"};
      block(f.body(), inner);
      ints_.leave();
    } else if (auto w = c.as<ast::While>(n)) {
      Place inner = place;
      inner.sure = false;
      if (!inner.unknown.where) inner.unknown = {w.test(), "how often this loop runs"};
      block(w.body(), inner);
    } else if (auto i = c.as<ast::If>(n)) {
      const auto holds = ints_.condition(i.test());
      Place then = place, otherwise = place;
      if (holds) {
        then.set = place.set & *holds;
        otherwise.set = place.set - *holds;
      } else {
        if (!place.unknown.where) then.unknown = otherwise.unknown = {i.test(), "whether this holds"};
        return either(i, then, otherwise, place);
      }
      block(i.body(), then);
      block(i.orelse(), otherwise);
    } else if (c.is(n, HTP_FunctionDef)) {
      grid(n, place);
    } else if (auto a = c.as<ast::Assign>(n)) {
      binding(a.targets()[0], a.value(), place);
    } else if (auto annotated = c.as<ast::AnnAssign>(n)) {
      binding(annotated.target(), annotated.value(), place);
    } else if (auto e = c.as<ast::Expr>(n)) {
      calls(e.value(), place);
    } else {
      Place inner = place; // another dialect's: whether and how often it runs is its own
      if (!inner.unknown.where) inner.unknown = {n, "what this does"};
      c.children(n, [&](Node child) { calls(child, inner); });
    }
  }

  // One of two blocks, nobody knows which.
  void either(const ast::If &i, Place then, Place otherwise, const Place &place) {
    then.sure = otherwise.sure = true;
    std::map<std::string, IntSet> both[2];
    for (const bool second : {false, true}) {
      choices_.push_back({ints_.variables().size(), {}});
      block(second ? i.orelse() : i.body(), second ? otherwise : then);
      both[second] = std::move(choices_.back().writes);
      choices_.pop_back();
    }
    for (auto &[name, tensor] : tensors_)
      if (const auto a = both[0].find(name), b = both[1].find(name); a != both[0].end() && b != both[1].end())
        surely(name, tensor, a->second & b->second, place.sure);
  }

  // What is written each time that a statement runs, by the variables around it: of all times together.
  void surely(const std::string &name, Tensor &tensor, IntSet region, bool sure) {
    if (!sure) return;
    for (size_t v = choices_.empty() ? 0 : choices_.back().variables; v < ints_.variables().size(); ++v)
      region = region.without(ints_.variables()[v].name);
    if (choices_.empty()) {
      tensor.surely = tensor.surely | region;
      return;
    }
    const auto [it, fresh] = choices_.back().writes.try_emplace(name, region);
    if (!fresh) it->second = it->second | region;
  }

  // A part that runs once at each place of a grid, `@process(grid=(4, 4))`, all at the same time.
  void grid(Node n, const Place &place) {
    auto part = c.get<ast::FunctionDef>(n);
    const auto extents = m_.grid_of(n);
    const Nodes indices = c.get<ast::arguments>(part.args()).args();
    places_.clear(), touched_.clear();
    for (size_t d = 0; d < extents.size(); ++d) {
      ints_.place(c.get<ast::arg>(indices[d]).arg(), extents[d]);
      places_.push_back(ints_.variables().back().name);
    }
    block(part.body(), place);
    for (size_t d = 0; d < extents.size(); ++d) ints_.leave();
    for (const Touched &one : touched_)
      if (one.writes && !apart(part, one)) break;
    places_.clear();
  }

  // Whether no place touches what another one writes there.
  bool apart(ast::FunctionDef part, const Touched &one) {
    IntSet moved = one.region, elsewhere = ints_.isl().none();
    for (const std::string &place : places_) {
      moved = moved.renamed(place, place + "'");
      elsewhere = elsewhere | (ints_.isl().variable(place) != ints_.isl().variable(place + "'"));
    }
    for (const Touched &other : touched_) {
      if (other.tensor != one.tensor || (other.region & moved & elsewhere).empty() == Answer::yes) continue;
      c.report(diag::shared_elements, one.at, part.name(), other.writes ? "store" : "read", tensors_[one.tensor].first)
          .label(other.at, other.writes ? "stored here" : "read here");
      return false;
    }
    return true;
  }

  void binding(Node target, Node value, const Place &place) {
    calls(value, place);
    if (const std::string_view name = c.name_of(target); !name.empty()) ints_.bind(name, value);
  }

  void calls(Node n, const Place &place) {
    c.each(n, [&](Node inner) {
      if (c.is(inner, HTP_Call)) call(inner, place);
    });
  }

  void call(Node n, const Place &place) {
    auto k = c.get<ast::Call>(n);
    const std::string path = m_.path(k.func());
    const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
    if (!row || !*row->effects || k.args().empty()) return;
    const auto found = std::find_if(tensors_.begin(), tensors_.end(),
                                    [&](const auto &one) { return one.first == c.name_of(k.args()[0]); });
    if (found == tensors_.end()) return;
    Tensor *tensor = &found->second;
    const bool writes = has_name(row->effects, "write");
    uint32_t first = 0;
    while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
    const Nodes indices = k.args().subspan(std::min<size_t>(first, k.args().size()));
    const bool plain = first < row->parameter_count && has_name(row->parameters[first].annotation, "Index") &&
                       indices.size() == tensor->extents.size() && k.keywords().empty() && first == (writes ? 2U : 1U);
    live_ = ints_.live(plain ? indices : Nodes());
    for (size_t v = 0; !choices_.empty() && v < choices_.back().variables; ++v) live_[v] = true;
    const Place here{running(place), place.unknown};
    IntSet region = here.set;
    Reason unknown = place.unknown;
    if (!plain && !unknown.where) unknown = {n, "what of it this writes"};
    loaded_ = plain && path == "htp_tile.load" ? loaded(c.name_of(k.args()[0]), indices) : std::string();
    for (size_t d = 0; plain && d < indices.size(); ++d) index(indices[d], d, *tensor, here, region, unknown);
    if (!plain) region = region & box(*tensor);
    const auto is_place = [&](const std::string &v) {
      return std::find(places_.begin(), places_.end(), v) != places_.end();
    };
    if (writes && plain && place.sure && unknown.where == place.unknown.where)
      surely(found->first, *tensor, region, places_.empty());
    for (size_t v = 0; v < live_.size(); ++v)
      if (const std::string &name = ints_.variables()[v].name; live_[v] && !is_place(name))
        region = region.without(name);
    if (!places_.empty()) touched_.push_back({static_cast<size_t>(found - tensors_.begin()), n, writes, region});
    if (!writes) return;
    for (const std::string &name : places_) region = region.without(name);
    tensor->perhaps = tensor->perhaps | region;
    if (!unknown.where)
      tensor->surely = tensor->surely | region;
    else if (!tensor->unknown.where)
      tensor->unknown = unknown;
    tensor->stores.push_back(n);
  }

  // With the loops around: the values of the live variables, for which the others' loops run.
  IntSet running(const Place &place) {
    IntSet result = place.set;
    for (size_t v = 0; v < live_.size(); ++v) {
      if (live_[v]) {
        result = result & ints_.variables()[v].within;
      } else {
        const Range whole = ints_.whole(v, live_);
        result = result & (whole.start < whole.stop);
      }
    }
    return result;
  }

  // One index of an access: narrows the region to what it selects.
  void index(Node n, size_t d, const Tensor &tensor, const Place &place, IntSet &region, Reason &unknown) {
    const IntValue at = ints_.isl().variable(element(d));
    const IntValue extent = ints_.extent(tensor.extents[d].name, tensor.extents[d].size);
    if (last_component(c.dotted(n)) == "whole") {
      region = region & (at >= ints_.number(0)) & (at < extent);
    } else if (const auto v = c.is(n, HTP_Name) ? ints_.variable_of(n) : std::nullopt; v && !live_[*v]) {
      const Range whole = ints_.whole(*v, live_);
      region = region & (at >= whole.start) & (at < whole.stop);
    } else if (const auto block = ints_.moved(n)) {
      const IntValue last = block->last(ints_.number(1));
      region = region & (at >= block->first()) & (at <= last);
      if (block->times > 1) region = region & ((at - block->by) % block->times == ints_.number(0));
      if (!c.is(n, HTP_Name)) inside(n, block->first(), last, extent, d, place);
    } else if (const auto value = ints_.value(n)) {
      region = region & (at == *value);
      inside(n, *value, *value, extent, d, place);
    } else {
      region = region & (at >= ints_.number(0)) & (at < extent);
      if (!unknown.where) unknown = {n, "which index this is"};
      if (v) return; // how far the loop over its blocks goes is what is not known, which is said there
      c.report(diag::not_affine, n, shown(n), d);
    }
  }

  // An index as the program says it.
  std::string shown(Node n) const {
    while (const Node origin = c.record(n).origin) {
      if (c.info(origin).group != HTP_GROUP_EXPR) break;
      n = origin;
    }
    return c.show(n);
  }

  // A load by which what is outside is 0; empty for one of slices, which indexing alone has.
  std::string loaded(std::string_view tensor, Nodes indices) const {
    std::string text = "load(" + std::string(tensor);
    for (const Node n : indices) {
      if (read_slice(c, n)) return {};
      text += ", " + (last_component(c.dotted(n)) == "whole" ? std::string("whole") : shown(n));
    }
    return text + ", outside=0)";
  }

  // ── what is reported
  // ──────────────────────────────────────────────────────────────────────────────────────────────────

  // All dims are at least so large.
  IntSet of_at_least(int64_t size) {
    IntSet result = ints_.isl().all();
    for (const std::string &dim : dims_) result = result & (ints_.isl().variable(dim) >= ints_.number(size));
    return result;
  }
  IntSet box(const Tensor &tensor) {
    IntSet result = of_at_least(0);
    for (size_t d = 0; d < tensor.extents.size(); ++d) {
      const IntValue at = ints_.isl().variable(element(d));
      result = result & (at >= ints_.number(0)) & (at < ints_.extent(tensor.extents[d].name, tensor.extents[d].size));
    }
    return result;
  }

  // "M = 65 and n = 3"
  std::string sizes(const std::map<std::string, int64_t> &point, bool iterations) const {
    std::vector<std::string> parts;
    for (const std::string &dim : sizes_)
      if (const auto it = point.find(dim); it != point.end()) parts.push_back(dim + " = " + std::to_string(it->second));
    if (iterations)
      for (const Ints::Variable &v : ints_.variables())
        if (const auto it = point.find(v.name); it != point.end())
          parts.push_back(v.shown + " = " + std::to_string(it->second));
    std::string text;
    for (size_t k = 0; k < parts.size(); ++k) text += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
    return text;
  }

  void inside(Node n, const IntValue &first, const IntValue &last, const IntValue &extent, size_t d,
              const Place &place) {
    const IntSet outside = place.set & ((first < ints_.number(0)) | (last >= extent));
    if (outside.empty() == Answer::yes) return;
    std::vector<std::string> order = sizes_;
    IntSet fails = outside, runs = place.set;
    for (size_t v = 0; v < live_.size(); ++v) {
      if (!live_[v]) continue;
      order.push_back(ints_.variables()[v].name);
      fails = fails.without(order.back()), runs = runs.without(order.back());
    }
    const IntSet ordinary = outside & of_at_least(1); // without any elements there is little to say
    if (ordinary.empty() == Answer::yes) return;
    if (place.unknown.where)
      return void(c.report(diag::unknown_use, n, shown(n), d).label(place.unknown.where, "not known for all sizes"));
    const auto point = ordinary.point(order);
    const std::string when = point ? sizes(*point, true) : std::string();
    if (point && runs.within(fails) == Answer::yes) {
      auto report = c.report(diag::outside, n, shown(n), d, when.empty() ? "" : ", as when " + when);
      report.hint("use an index from 0 to one less than the extent");
      if (!loaded_.empty()) report.hint("or say what is there outside: `" + loaded_ + "`");
      return;
    }
    if (point)
      c.report(diag::maybe_outside, n, shown(n), d, when.empty() ? "" : ", as when " + when);
    else
      c.report(diag::unproved_index, n, shown(n), d);
  }

  void written(const std::string &name, const Tensor &tensor) {
    if (!tensor.output || tensor.stores.empty()) return; // never written: the language check has reported it
    std::vector<std::string> order = sizes_;
    for (size_t d = 0; d < tensor.extents.size(); ++d) order.push_back(element(d));
    IntSet domain = box(tensor);
    const IntSet left = domain - tensor.surely, ordinary = of_at_least(1);
    if (left.empty() == Answer::yes) return;
    const auto with_stores = [&](auto &&report) -> auto & {
      for (const Node s : tensor.stores) report.label(s, "written here");
      return report;
    };
    if (const auto point = ((domain - tensor.perhaps) & ordinary).point(order)) {
      std::string place;
      for (size_t d = 0; d < tensor.extents.size(); ++d)
        place += (d ? ", " : "") + std::to_string(point->at(element(d)));
      const std::string when = sizes(*point, false);
      with_stores(c.report(diag::unwritten_output, tensor.node, name, place, when.empty() ? "" : " when " + when))
          .hint("write all of it, at every size: `" + name + "[:, …] = …` is all of a dimension, `tiles` its blocks");
    } else if (const auto empty = (left - ordinary).point(order);
               empty && (left & ordinary).empty() == Answer::yes && !tensor.unknown.where) {
      with_stores(c.report(diag::unwritten_empty, tensor.node, name, sizes(*empty, false)))
          .hint("store to it outside the loop that does not run then");
    } else {
      auto report = c.report(diag::maybe_unwritten, tensor.node, name);
      if (tensor.unknown.where) report.label(tensor.unknown.where, "not known for all sizes: " + tensor.unknown.reason);
      report.hint("`" + std::string(c.entry()) + ".unwritten(…)` says under plain Python what a call leaves unwritten");
    }
  }

  const Module &m_;
  const Context &c;
  const Node function_;
  std::string loaded_; // the load whose indices are looked at, as `loaded` spells it
  Ints ints_;
  std::vector<Choice> choices_;    // around the statement at hand, innermost last
  std::vector<bool> live_;         // of the loops' variables, at the access at hand
  std::vector<std::string> dims_;  // in the order of the signature
  std::vector<std::string> sizes_; // these and the parameters that are ints
  std::vector<std::pair<std::string, Tensor>> tensors_;
  std::vector<std::string> places_; // the variables of the grid around
  std::vector<Touched> touched_;    // in it
};

} // namespace

void check_memory(const Module &module, Node function) { Memory(module, function).run(); }

} // namespace htp::tile
