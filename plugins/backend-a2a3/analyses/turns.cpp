#include "analyses/turns.h"

#include "htp_cpp/loops.h"

#include <algorithm>
#include <climits>

namespace htp::a2a3 {

bool TurnFinder::find() {
  items_.push_back({});
  read(c.get<ast::FunctionDef>(function_).body(), 0);
  if (c.errors()) return false;
  single_ = buffers_.empty() && std::none_of(instructions_.begin(), instructions_.end(),
                                             [](const Instruction &i) { return i.multiplies(); });
  if (single_) {
    casts();
    return true;
  }
  if (!sums()) return false;
  uses();
  factors();
  casts_of_results();
  drop();
  casts();
  return !c.errors() && turns() && memories();
}

bool TurnFinder::refuse(Node where, const Refusal &why) const {
  why.report(c, where);
  return false;
}

void TurnFinder::read(Nodes statements, size_t parent) {
  for (const Node s : statements) {
    auto e = c.as<ast::Expr>(s);
    if (c.is(s, HTP_Pass) || (e && c.is(e.value(), HTP_Constant))) continue;
    if (auto b = c.as<ast::Assign>(s); b && names_.called(b.value()) == "htp_pto.gm") {
      buffers_.push_back(s);
      continue;
    }
    if (c.is(s, HTP_If)) {
      read_branch(s, parent);
      if (c.errors()) return;
      continue;
    }
    Item item{};
    item.node = s;
    item.parent = parent;
    item.place = items_[parent].body.size();
    const size_t here = items_.size();
    if (auto l = c.as<ast::For>(s)) {
      item.kind = Item::Kind::loop;
      const LoopForms forms = loop_forms(c, names_, l.iter());
      if (forms.vectorized) {
        refuse(l.iter(), Refusal(diag::vectorized, c.name_of(l.target())));
        return;
      }
      item.range = forms.range;
      item.variable = std::string(c.name_of(l.target()));
      item.blocks = names_.called(item.range) == "htp_tile.tiles";
      auto call = c.as<ast::Call>(item.range);
      if (!call || (!item.blocks && c.name_of(call.func()) != "range")) {
        refuse(l.iter(), Refusal(diag::loop_range, c.show(l.iter())));
        return;
      }
      if (item.blocks && constants_.integer(call.args()[1]).value_or(0) < 1) {
        refuse(l.iter(), Refusal(diag::block_size, c.show(call.args()[1])));
        return;
      }
      loops_[item.variable] = here;
    } else if (auto a = c.as<ast::Assign>(s); a && names_.called(a.value()) == "htp_pto.tile") {
      item.kind = Item::Kind::tile;
      item.what = declare(a, here);
    } else if (e && names_.called(e.value()).starts_with("htp_pto.")) {
      item.kind = Item::Kind::instruction;
      item.what = instruction(e.value(), here);
    } else if (a && (names_.called(a.value()).empty() || names_.called(a.value()) == "htp_pto.value")) {
      item.kind = Item::Kind::integer;
      if (!integers_.emplace(c.name_of(a.targets()[0])).second) {
        refuse(s, Refusal(diag::int_changes, c.name_of(a.targets()[0])));
        return;
      }
    } else {
      refuse(s, Refusal(diag::statement, c.show(s)));
      return;
    }
    items_.push_back(item);
    items_[parent].body.push_back(here);
    if (item.kind == Item::Kind::loop) read(c.get<ast::For>(s).body(), here);
  }
}

void TurnFinder::read_branch(Node s, size_t parent) {
  auto choice = c.get<ast::If>(s);
  for (const bool otherwise : {false, true}) {
    const Nodes body = otherwise ? choice.orelse() : choice.body();
    if (body.empty()) continue;
    const size_t here = items_.size();
    items_.push_back({.kind = Item::Kind::branch,
                      .node = s,
                      .parent = parent,
                      .place = items_[parent].body.size(),
                      .otherwise = otherwise});
    items_[parent].body.push_back(here);
    read(body, here);
  }
}

size_t TurnFinder::declare(ast::Assign a, size_t item) {
  const Nodes parts = c.get<ast::Call>(a.value()).args();
  Value v;
  v.name = std::string(c.name_of(a.targets()[0]));
  v.dtype = parts[0];
  const std::string dtype = names_.qualified(parts[0]);
  v.element = dtype.substr(dtype.rfind('.') + 1);
  v.extents.assign(parts.begin() + 1, parts.end());
  v.item = item;
  by_name_[v.name] = values_.size();
  values_.push_back(std::move(v));
  return values_.size() - 1;
}

size_t TurnFinder::value_of(Node n) const {
  const auto it = by_name_.find(c.name_of(n));
  return it == by_name_.end() ? SIZE_MAX : it->second;
}

size_t TurnFinder::instruction(Node call, size_t item) {
  Instruction i;
  i.name = names_.called(call).substr(8);
  i.call = call;
  const Nodes operands = c.get<ast::Call>(call).args();
  i.operands.assign(operands.begin(), operands.end());
  i.item = item;
  size_t first = 0;
  if (i.name == "tstore") {
    i.tensor = std::string(c.name_of(operands[0]));
    stored_.insert(i.tensor);
    first = 1;
  } else {
    i.writes = value_of(operands[0]);
    first = 1;
    if (i.name == "tload") i.tensor = std::string(c.name_of(operands[1])), first = operands.size();
    if (i.name == "tmatmul_acc") first = 0; // adds to what is there
  }
  const size_t work = work_of(i.name);
  for (size_t k = first; k < operands.size(); ++k)
    if (const size_t v = value_of(operands[k]); v != SIZE_MAX) {
      if (k == work)
        i.work = v;
      else
        i.reads.push_back(v);
    }
  instructions_.push_back(std::move(i));
  return instructions_.size() - 1;
}

void TurnFinder::uses() {
  for (Value &v : values_) v.writers.clear(), v.readers.clear();
  for (size_t k = 0; k < instructions_.size(); ++k) {
    const Instruction &i = instructions_[k];
    if (i.dropped) continue;
    if (i.writes != SIZE_MAX) values_[i.writes].writers.push_back(k);
    for (const size_t v : i.reads) values_[v].readers.push_back(k);
  }
}

bool TurnFinder::indexes(Node index, const std::string &variable) const {
  for (std::string name(c.name_of(index)); !name.empty();) {
    if (name == variable) return true;
    const auto it = loops_.find(name);
    if (it == loops_.end() || !items_[it->second].blocks) return false;
    name = std::string(c.name_of(c.get<ast::Call>(items_[it->second].range).args()[0]));
  }
  return false;
}

bool TurnFinder::stored_first(const std::string &tensor) const {
  std::vector<const Instruction *> stores, loads;
  for (const Instruction &i : instructions_)
    if (i.tensor == tensor && !i.dropped) (i.name == "tstore" ? stores : loads).push_back(&i);
  for (const Instruction *store : stores)
    for (const Instruction *load : loads) {
      size_t common = items_[store->item].parent;
      while (!within(load->item, common)) common = items_[common].parent;
      if (place_in(store->item, common) >= place_in(load->item, common)) return false;
      for (size_t l = common; l; l = items_[l].parent) {
        if (items_[l].kind == Item::Kind::branch) continue;
        bool apart = false;
        const auto a = index_of(*store), b = index_of(*load);
        for (size_t d = 0; d < std::min(a.size(), b.size()); ++d)
          apart |= indexes(a[d], items_[l].variable) && indexes(b[d], items_[l].variable);
        if (!apart) return false;
      }
    }
  return true;
}

int TurnFinder::complete(const std::string &tensor) const {
  int turn = unset;
  for (const Instruction &i : instructions_)
    if (i.name == "tstore" && i.tensor == tensor && !i.dropped) turn = std::max(turn, i.turn);
  return turn;
}

bool TurnFinder::anywhere(const Value &v) const {
  if (v.writers.size() != 1) return false;
  const Instruction &w = instructions_[v.writers[0]];
  return (w.name == "tload" && (!stored_.contains(w.tensor) || first_.contains(w.tensor))) ||
         (w.name == "texpands" && !v.multiplied && value_of(w.operands[1]) == SIZE_MAX);
}

bool TurnFinder::turns() {
  for (const std::string &t : stored_)
    if (stored_first(t)) first_.insert(t);
  const int limit = static_cast<int>(2 * instructions_.size() + 4);
  std::map<std::string, int> tensors; // what is loaded and stored is so in one turn
  for (bool changed = true; changed;) {
    changed = false;
    const auto raise = [&](int &turn, int to) {
      if (turn < to) turn = to, changed = true;
    };
    for (Instruction &i : instructions_) {
      if (i.dropped || (i.writes != SIZE_MAX && anywhere(values_[i.writes]))) continue;
      const bool stores_product = i.name == "tstore" && values_[i.reads[0]].turn % 2 == 1;
      const bool cube = i.multiplies() || stores_product;
      int turn = std::max(i.turn, cube ? 1 : 0);
      for (const size_t r : i.reads) {
        const Value &v = values_[r];
        if (anywhere(v)) {
          const Instruction &w = instructions_[v.writers[0]];
          const int done = w.name == "tload" ? complete(w.tensor) : unset;
          if (done != unset) turn = std::max(turn, done + (done % 2 != (cube ? 1 : 0) || i.multiplies()));
          continue;
        }
        if (v.turn == unset) continue;
        const bool same = v.turn % 2 == (cube ? 1 : 0) && !(cube && i.multiplies());
        turn = std::max(turn, same ? v.turn : v.turn % 2 == (cube ? 1 : 0) ? v.turn + 2 : v.turn + 1);
      }
      if (i.writes != SIZE_MAX) turn = std::max(turn, values_[i.writes].turn);
      if (!i.tensor.empty() && stored_.contains(i.tensor) && !first_.contains(i.tensor) && loaded(i.tensor) && !cube)
        turn = std::max(turn, tensors[i.tensor]);
      if (turn % 2 != (cube ? 1 : 0)) ++turn;
      raise(i.turn, turn);
      if (i.writes != SIZE_MAX) raise(values_[i.writes].turn, i.turn);
      if (!i.tensor.empty() && stored_.contains(i.tensor) && !first_.contains(i.tensor) && loaded(i.tensor))
        raise(tensors[i.tensor], i.turn);
      if (turn > limit) return feeds_itself(items_[i.item].node);
    }
  }
  later();
  return true;
}

bool TurnFinder::feeds_itself(Node where) {
  auto report = c.report(diag::feeds_itself, where);
  for (const Instruction &i : instructions_) {
    // A sum that is rounded to f16 or bf16 each time, and widened again.
    if (i.dropped || i.name != "tcvt" || !floats(values_[i.writes].element)) continue;
    const Value &sum = values_[i.writes], &wide = values_[i.reads[0]];
    const auto is = [&](size_t n, bool product) {
      return product ? instructions_[n].multiplies() : instructions_[n].name == "tcvt";
    };
    if (std::any_of(wide.writers.begin(), wide.writers.end(), [&](size_t n) { return is(n, true); }) &&
        std::any_of(sum.readers.begin(), sum.readers.end(), [&](size_t n) { return is(n, false); })) {
      report.hint("sum up in f32, `" + sum.name + " = zeros(f32, …)`, and round it where it is stored: `cast(" +
                  sum.name + ", " + sum.element + ")`");
      break;
    }
  }
  return false;
}

void TurnFinder::later() {
  std::set<size_t> free;
  const auto is_free = [&](size_t v) { return anywhere(values_[v]) || free.contains(v); };
  for (const Instruction &i : instructions_)
    if (!i.dropped && i.writes != SIZE_MAX && !i.multiplies() && i.tensor.empty() &&
        values_[i.writes].writers.size() == 1 && std::all_of(i.reads.begin(), i.reads.end(), is_free))
      free.insert(i.writes);
  for (size_t k = instructions_.size(); k-- > 0;) {
    Instruction &i = instructions_[k];
    if (i.dropped || i.writes == SIZE_MAX || !free.contains(i.writes)) continue;
    int turn = INT_MAX;
    for (const size_t r : values_[i.writes].readers) turn = std::min(turn, instructions_[r].turn);
    if (turn != INT_MAX && turn - turn % 2 > i.turn) i.turn = values_[i.writes].turn = turn - turn % 2;
  }
}

bool TurnFinder::loaded(const std::string &tensor) const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [&](const Instruction &i) { return i.name == "tload" && i.tensor == tensor; });
}

bool TurnFinder::memories() {
  for (Value &v : values_) {
    if (v.writers.empty() || anywhere(v)) continue;
    const size_t around = items_[v.item].parent;
    for (const size_t r : v.readers) {
      const Instruction &i = instructions_[r];
      if (i.turn == v.turn) continue;
      v.crosses = std::min(v.crosses, place_in(i.item, around));
    }
    if (v.crosses == SIZE_MAX) continue;
    for (const size_t w : v.writers)
      if (place_in(instructions_[w].item, around) >= v.crosses)
        return refuse(items_[v.item].node, Refusal(diag::carried, v.name));
    if (!between(v)) return false;
  }
  return true;
}

std::string TurnFinder::extent_text(Node n) const {
  const auto number = constants_.integer(n);
  return number ? std::to_string(*number) : c.show(n);
}

std::string TurnFinder::whole_of(const std::string &block) const {
  const auto it = loops_.find(block);
  if (it == loops_.end()) return block;
  const Item &l = items_[it->second];
  return whole_of(extent_text(c.get<ast::Call>(l.range).args()[0]));
}

std::string TurnFinder::most_rounds(const Item &loop) const {
  const Nodes a = c.get<ast::Call>(loop.range).args();
  const Node stop = a[a.size() > 1];
  bool known = true;
  c.each(stop, [&](Node n) { known &= !integers_.contains(c.name_of(n)); });
  if (known) return extent_text(stop);
  // A place of a tensor is one that there is.
  std::string most;
  c.each(loop.node, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    if (!call || names_.called(n) != "htp_pto.value") return;
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args()) {
      auto parameter = c.get<ast::arg>(p);
      const auto type =
          parameter.arg() == c.name_of(call.args()[0]) ? read_type(c, parameter.annotation()) : std::nullopt;
      for (size_t d = 0; type && d < type->extents.size() && d + 1 < call.args().size(); ++d)
        if (c.name_of(call.args()[d + 1]) == loop.variable) most = type->extents[d].text();
    }
  });
  return most;
}

bool TurnFinder::between(Value &v) {
  if (!dtype_named(v.element)) return refuse(items_[v.item].node, Refusal(diag::mask_between, v.name));
  v.memory = c.fresh(v.name + "_gm");
  std::vector<size_t> loops = loops_around(v.item, 0);
  std::reverse(loops.begin(), loops.end());
  const auto has = [&](const std::string &variable) {
    // of an inner block the place says where the outer one is
    for (const Node e : v.extents)
      for (std::string name(c.name_of(e)); loops_.contains(name);) {
        if (name == variable) return true;
        const Item &l = items_[loops_.at(name)];
        if (!l.blocks) break;
        name = std::string(c.name_of(c.get<ast::Call>(l.range).args()[0]));
      }
    return false;
  };
  for (const size_t n : loops) {
    const Item &l = items_[n];
    const Nodes a = c.get<ast::Call>(l.range).args();
    if (!l.blocks) {
      const std::string most = most_rounds(l);
      if (most.empty()) return refuse(l.range, Refusal(diag::unbounded_loop, l.variable));
      v.dims.push_back(most);
      v.index.push_back(l.variable);
    } else if (!has(l.variable)) {
      const int64_t size = constants_.integer(a[1]).value_or(1);
      const std::string extent = whole_of(l.variable);
      const auto number = constants_.integer(a[0]);
      const std::string times = std::to_string(size);
      v.dims.push_back(number      ? std::to_string((*number + size - 1) / size)
                       : size == 1 ? extent
                                   : "(" + extent + " + " + std::to_string(size - 1) + ") // " + times);
      v.index.push_back(size == 1 ? l.variable + ".start" : l.variable + ".start // " + times);
      if (const auto outer = loops_.find(c.name_of(a[0])); outer != loops_.end() && items_[outer->second].blocks) {
        const auto step = constants_.integer(c.get<ast::Call>(items_[outer->second].range).args()[1]);
        if (!step || *step % size) return refuse(l.range, Refusal(diag::inner_blocks, times));
      }
    }
  }
  for (const Node e : v.extents) {
    const std::string text = extent_text(e);
    const bool block = loops_.contains(text);
    v.dims.push_back(block ? whole_of(text) : text);
    v.index.push_back(block ? text : "pto.whole");
  }
  return v.dims.size() <= 5 || refuse(items_[v.item].node, Refusal(diag::memory_dimensions, v.name, v.dims.size()));
}

} // namespace htp::a2a3
