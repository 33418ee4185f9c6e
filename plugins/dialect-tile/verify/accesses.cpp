#include "verify/accesses.h"

#include "language/check.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <utility>

namespace htp::tile {

namespace {
constexpr size_t most_tries = 16; // of what is before or behind an access, so that no program costs more than its size
}

Accesses::Accesses(const Module &module, Node function) : m_(module), c(module.c) {
  auto f = c.get<ast::FunctionDef>(function);
  c.each(function, [&](Node n) {
    if (c.is(n, HTP_Break) || c.is(n, HTP_Continue) || c.is(n, HTP_Return)) readable_ = false;
    const auto bound = [&](Node target) { assigned_.emplace(c.name_of(target)); };
    if (auto a = c.as<ast::Assign>(n)) std::ranges::for_each(a.targets(), bound);
    if (auto a = c.as<ast::AnnAssign>(n)) bound(a.target());
    if (auto a = c.as<ast::AugAssign>(n)) bound(a.target());
  });
  auto a = c.get<ast::arguments>(f.args());
  for (const Nodes list : {a.posonlyargs(), a.args()})
    for (const Node n : list) {
      auto p = c.get<ast::arg>(n);
      const auto type = read_type(c, p.annotation());
      if (!type || type->form != "Tensor") continue;
      Tensor tensor;
      const std::string direction = direction_of(c, p.annotation());
      tensor.left = direction != "In", tensor.given = direction != "Out";
      for (const Extent &e : type->extents) tensor.extents.push_back(extent(e.name, e.size));
      tensors_.insert_or_assign(std::string(p.arg()), std::move(tensor));
    }
  block(f.body());
}

// ── reading them ────────────────────────────────────────────────────────────────────────────────────────────────────

void Accesses::block(Nodes statements) {
  for (const Node s : statements) statement(s);
}

void Accesses::statement(Node n) {
  ++time_;
  if (c.is(n, HTP_For)) return loop(n);
  if (auto w = c.as<ast::While>(n)) {
    calls(w.test());
    inside({}, w.body());
    ++time_;
    return calls(w.test());
  }
  if (auto i = c.as<ast::If>(n)) {
    calls(i.test());
    inside({}, i.body());
    return inside({}, i.orelse());
  }
  if (auto a = c.as<ast::Assign>(n)) return binding(a.targets()[0], a.value());
  if (auto a = c.as<ast::AnnAssign>(n)) return binding(a.target(), a.value());
  if (auto e = c.as<ast::Expr>(n)) return calls(e.value());
  readable_ &= c.is(n, HTP_Pass);
}

void Accesses::inside(Scope scope, Nodes statements) {
  scope.parent = scope_, scope.depth = scopes_[scope_].depth + 1;
  scopes_.push_back(std::move(scope));
  const size_t around = std::exchange(scope_, scopes_.size() - 1);
  block(statements);
  scope_ = around;
}

void Accesses::loop(Node n) {
  auto f = c.get<ast::For>(n);
  const Node range = loop_forms(c, m_.names, f.iter()).range;
  auto k = c.as<ast::Call>(range);
  Scope scope;
  scope.variable = c.name_of(f.target());
  const bool tiles = k && m_.path(k.func()) == "htp_tile.tiles" && k.args().size() == 2;
  const bool counts = k && c.name_of(k.func()) == "range" && k.args().size() == 1;
  if ((tiles || counts) && k.keywords().empty() && !scope.variable.empty() && !assigned_.contains(scope.variable)) {
    scope.over = extent(k.args()[0]);
    scope.from = tiles && scope.over.empty() ? scope_of(k.args()[0], scope_) : 0;
    scope.plain = !scope.over.empty() || (scopes_[scope.from].plain && scopes_[scope.from].blocks);
    scope.blocks = tiles;
  }
  inside(std::move(scope), f.body());
}

void Accesses::binding(Node target, Node value) {
  calls(value);
  auto k = c.as<ast::Call>(value);
  if (!k || m_.path(k.func()) != "htp_tile.buffer" || k.args().empty()) return;
  std::vector<std::string> extents;
  for (const Node e : k.args().subspan(1)) extents.push_back(extent(e));
  Tensor &tensor = tensors_[std::string(c.name_of(target))];
  if (!tensor.accesses.empty() && tensor.extents != extents) readable_ = false;
  tensor.extents = std::move(extents);
  Access made;
  made.made = true;
  add(tensor, std::move(made));
}

void Accesses::calls(Node n) {
  if (n)
    c.each(n, [&](Node inner) {
      if (c.is(inner, HTP_Call)) call(inner);
    });
}

void Accesses::call(Node n) {
  auto k = c.get<ast::Call>(n);
  const std::string path = m_.path(k.func());
  const htp_intrinsic *row = path.empty() || k.args().empty() ? nullptr : c.intrinsic(path);
  const bool effects = row && *row->effects;
  for (const Node a : k.args().subspan(effects ? 1 : 0)) // handed on as a whole
    if (const auto tensor = tensors_.find(c.name_of(a)); tensor != tensors_.end()) {
      Access read;
      read.reads = read.all = true;
      add(tensor->second, std::move(read));
    }
  for (const Node w : k.keywords()) readable_ &= !tensors_.contains(c.name_of(c.get<ast::keyword>(w).value()));
  if (!effects) return;
  const auto tensor = tensors_.find(c.name_of(k.args()[0]));
  if (tensor == tensors_.end()) return;
  uint32_t first = 0;
  while (first < row->parameter_count && !is_variadic(row->parameters[first])) ++first;
  const Nodes indices = k.args().subspan(std::min<size_t>(first, k.args().size()));
  Access access;
  access.reads = has_name(row->effects, "read");
  access.writes = has_name(row->effects, "write");
  access.known = indices.size() == tensor->second.extents.size() && k.keywords().empty() &&
                 (path == "htp_tile.store" || path == "htp_tile.load");
  access.indices.assign(indices.begin(), indices.end());
  add(tensor->second, std::move(access));
}

void Accesses::add(Tensor &tensor, Access access) {
  access.time = time_, access.scope = scope_, access.before = tensor.changed;
  if (access.writes || access.made) tensor.changed = tensor.accesses.size();
  tensor.accesses.push_back(std::move(access));
}

// What is at least 1 wherever there are elements, so that two that are written alike are the same.
std::string Accesses::extent(Node n) const {
  if (const auto known = m_.integer(n)) return *known >= 1 ? std::to_string(*known) : std::string();
  return m_.is_dim(c.name_of(n)) ? std::string(c.name_of(n)) : std::string();
}
std::string Accesses::extent(const std::string &name, int64_t size) const {
  if (name.empty()) return size >= 1 ? std::to_string(size) : std::string();
  if (m_.is_dim(name)) return name;
  const auto known = m_.constant(name);
  return known && !known->real && known->i >= 1 ? std::to_string(known->i) : std::string();
}

// ── what follows of them ────────────────────────────────────────────────────────────────────────────────────────────

bool Accesses::contains(size_t scope, size_t inner) const {
  while (scopes_[inner].depth > scopes_[scope].depth) inner = scopes_[inner].parent;
  return inner == scope;
}
size_t Accesses::common(size_t a, size_t b) const {
  while (a != b) {
    size_t &deeper = scopes_[a].depth >= scopes_[b].depth ? a : b;
    deeper = scopes_[deeper].parent;
  }
  return a;
}
// The loop whose variable a name is, seen from a scope; 0: none.
size_t Accesses::scope_of(Node name, size_t from) const {
  const std::string_view text = c.name_of(name);
  while (from && (text.empty() || scopes_[from].variable != text)) from = scopes_[from].parent;
  return from;
}
bool Accesses::plain_up_to(size_t scope, size_t outer) const {
  while (scope != outer && scopes_[scope].plain) scope = scopes_[scope].parent;
  return scope == outer;
}
bool Accesses::is_whole(Node index) const { return last_component(c.dotted(index)) == "whole"; }

bool Accesses::covers(const Tensor &tensor, const Access &a, size_t dimension, size_t outer,
                      std::vector<size_t> &used) const {
  if (is_whole(a.indices[dimension])) return true;
  for (size_t scope = scope_of(a.indices[dimension], a.scope); scope; scope = scopes_[scope].from) {
    if (contains(scope, outer) || !scopes_[scope].plain || std::ranges::find(used, scope) != used.end()) return false;
    used.push_back(scope);
    if (!scopes_[scope].over.empty()) return scopes_[scope].over == tensor.extents[dimension];
  }
  return false;
}

// The variable of one and the same loop around both.
bool Accesses::same_index(const Access &a, const Access &b, size_t dimension, size_t outer) const {
  if (!a.known || !b.known || a.indices.size() != b.indices.size()) return false;
  const size_t scope = scope_of(a.indices[dimension], a.scope);
  return scope && contains(scope, outer) && scopes_[scope].plain && scope == scope_of(b.indices[dimension], b.scope);
}

// Of an iteration of the loops around both, what the store's own loops store is all there when the read's first begin,
// and that begins to read some of it.
bool Accesses::reaches(const Tensor &tensor, const Access &store, const Access &read) const {
  const size_t outer = common(store.scope, read.scope);
  if (!store.known || !(read.known || read.all) || !plain_up_to(store.scope, outer) || !plain_up_to(read.scope, outer))
    return false;
  size_t own = store.scope; // the outermost of the store's own loops
  while (own != outer && scopes_[own].parent != outer) own = scopes_[own].parent;
  if (own != outer && store.before != none && contains(own, tensor.accesses[store.before].scope)) return false;
  std::vector<size_t> used;
  for (size_t d = 0; d < store.indices.size(); ++d)
    if (!read.all && !is_whole(read.indices[d]) && !same_index(store, read, d, outer) &&
        !covers(tensor, store, d, outer, used))
      return false;
  return true;
}

bool Accesses::used(const Tensor &tensor) const {
  const std::vector<Access> &all = tensor.accesses;
  const auto later = [&](size_t at) {
    size_t tries = 0;
    for (size_t k = at + 1; k < all.size(); ++k) {
      if (all[k].writes || all[k].made || tries++ == most_tries) return false;
      if (all[k].reads && all[k].time > all[at].time && reaches(tensor, all[at], all[k])) return true;
    }
    return tensor.left;
  };
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].writes && !later(k)) return false;
  return true;
}

bool Accesses::fills(const Tensor &tensor, const Access &store, const Access &read) const {
  const size_t outer = common(store.scope, read.scope);
  if (!store.known || !store.writes || store.reads || store.time >= read.time || !plain_up_to(store.scope, outer))
    return false;
  std::vector<size_t> used;
  for (size_t d = 0; d < store.indices.size(); ++d)
    if (!same_index(store, read, d, outer) && !covers(tensor, store, d, outer, used)) return false;
  for (size_t scope = store.scope; scope != outer; scope = scopes_[scope].parent)
    if (std::ranges::find(used, scope) == used.end()) return false; // it may not run
  return true;
}

bool Accesses::stored(const Tensor &tensor) const {
  const std::vector<Access> &all = tensor.accesses;
  return tensor.given || std::ranges::all_of(all, [&](const Access &read) {
           size_t tries = 0;
           for (size_t k = read.before; read.reads && k != none && !all[k].made && tries++ < most_tries;
                k = all[k].before)
             if (fills(tensor, all[k], read)) return true;
           return !read.reads;
         });
}

bool Accesses::all_used(std::string_view name) const {
  const auto tensor = tensors_.find(name);
  return readable_ && tensor != tensors_.end() && used(tensor->second);
}
bool Accesses::all_used() const {
  return readable_ && std::ranges::all_of(tensors_, [&](const auto &one) { return used(one.second); });
}
bool Accesses::all_stored(std::string_view name) const {
  const auto tensor = tensors_.find(name);
  return readable_ && tensor != tensors_.end() && stored(tensor->second);
}
bool Accesses::all_stored() const {
  return readable_ && std::ranges::all_of(tensors_, [&](const auto &one) { return stored(one.second); });
}

} // namespace htp::tile
