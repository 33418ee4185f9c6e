#include "analyses/external.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <cmath>

namespace htp::aie {

std::optional<Declared> declared(const Context &c, const Names &names, Node root, std::string_view function) {
  const Node found = c.function(root, function);
  auto f = c.as<ast::FunctionDef>(found);
  auto mark = f && f.decorator_list().size() == 1 ? c.as<ast::Call>(f.decorator_list()[0]) : ast::Call{&c, HTP_NONE};
  std::string_view source;
  if (!mark || names.called(f.decorator_list()[0]) != "htp_tile.external" || mark.args().size() != 1 ||
      !c.string(mark.args()[0], &source))
    return std::nullopt;
  Declared d;
  d.name = std::string(function), d.source = std::string(source), d.node = found;
  std::vector<std::string_view> names_of;
  for (const Node q : c.get<ast::arguments>(f.args()).args()) {
    d.parameters.push_back(c.get<ast::arg>(q).annotation());
    names_of.push_back(c.get<ast::arg>(q).arg());
  }
  auto several = c.as<ast::Subscript>(f.returns());
  if (several && c.name_of(several.value()) == "tuple") {
    auto tuple = c.as<ast::Tuple>(several.slice());
    if (tuple)
      d.results.assign(tuple.elts().begin(), tuple.elts().end());
    else
      d.results = {several.slice()};
  } else {
    d.results = {f.returns()};
  }
  d.updated.assign(d.results.size(), -1);
  size_t at = 0;
  for (const Node w : mark.keywords()) {
    const Node value = c.get<ast::keyword>(w).value();
    auto list = c.as<ast::Tuple>(value);
    const Node one[] = {value};
    for (const Node n : list ? list.elts() : Nodes(one)) {
      std::string_view name;
      const auto is = c.string(n, &name) ? std::find(names_of.begin(), names_of.end(), name) : names_of.end();
      if (is == names_of.end() || at == d.results.size()) return std::nullopt;
      d.updated[at++] = static_cast<int>(is - names_of.begin());
    }
  }
  return d;
}

bool ExternalCalls::fits(Node annotation, const Tile *tile, std::map<std::string, int64_t> &sizes,
                         External &made) const {
  const auto type = annotation ? read_type(c, annotation) : std::nullopt;
  if (!type || !tile || tile->whole || type->dtype != tile->dtype->name || type->extents.size() != tile->extents.size())
    return false;
  for (size_t d = 0; d < type->extents.size(); ++d) {
    const Extent &e = type->extents[d];
    const int64_t size = tile->extents[d];
    const auto known = e.name.empty() ? std::optional(e.size) : constants_.integer(c.parse(e.name, annotation));
    if (known ? *known != size : sizes.try_emplace(e.name, size).first->second != size) return false;
    if (!known && sizes.size() > made.sizes.size()) made.sizes.push_back(size);
  }
  return true;
}

// What is called, as C++ has it; null after a report.
const External *ExternalCalls::external(const Declared &d, const Statement &n) {
  External made;
  made.name = d.name, made.source = d.source, made.node = d.node, made.parameters = d.parameters.size();
  std::map<std::string, int64_t> sizes;
  const auto refused = [&] {
    no(n.node, diag::other_signature, c.show(n.node));
    return nullptr;
  };
  for (size_t k = 0; k < n.operands.size(); ++k) {
    const Operand &o = n.operands[k];
    External::Argument a;
    if (k >= d.parameters.size() || !c.is(d.parameters[k], HTP_Name)) {
      size_t result = 0; // of those that stand behind the parameters
      for (size_t left = k < d.parameters.size() ? 0 : k - d.parameters.size() + 1; left; ++result)
        left -= d.updated[result] < 0;
      const Node annotation = k < d.parameters.size() ? d.parameters[k] : d.results[result - 1];
      if (!fits(annotation, o.tile, sizes, made)) return refused();
      a.dtype = o.tile->dtype, a.extents = o.tile->extents, a.spelled = c.show(annotation);
      const auto by = std::find(d.updated.begin(), d.updated.end(), static_cast<int>(k));
      if (k >= d.parameters.size())
        a.result = static_cast<int>(result - 1);
      else if (by != d.updated.end())
        a.result = static_cast<int>(by - d.updated.begin());
    } else {
      const std::string dtype = names_.qualified(d.parameters[k]);
      a.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1)), a.number = true, a.spelled = c.show(d.parameters[k]);
      if (o.tile || !a.dtype ||
          (!a.dtype->real && (o.number != std::trunc(o.number) || std::fabs(o.number) > 2147483648.0)))
        return refused();
    }
    made.arguments.push_back(std::move(a));
  }
  for (const External &other : p_.externals)
    if (other.name == d.name) {
      const bool same =
          std::equal(other.arguments.begin(), other.arguments.end(), made.arguments.begin(), made.arguments.end(),
                     [](const auto &x, const auto &y) { return x.extents == y.extents; });
      if (!same) no(n.node, diag::two_sizes, d.name);
      return same ? &other : nullptr;
    }
  p_.externals.push_back(std::move(made));
  return &p_.externals.back();
}

bool ExternalCalls::read(Node function, int64_t result, Statement n, std::vector<Statement> &out) {
  const std::string name(c.name_of(function));
  auto d = declared(c, names_, root_, name);
  if (!d) return no(function, diag::not_external, name);
  const auto at = static_cast<size_t>(result);
  if (at >= d->results.size() || n.operands.size() != d->parameters.size())
    return no(n.node, diag::other_signature, c.show(n.node));
  for (size_t k = 0; k < n.operands.size(); ++k)
    if ((n.operands[k].tile == n.tile) != (d->updated[at] == static_cast<int>(k)))
      return no(n.node, diag::call_aliases, c.show(n.node));
  if (at == 0) {
    if (!whole(n.node)) return false;
    operands_ = n.operands;
  } else {
    bool same = open_ && open_->node == d->node && results_.size() == at;
    // What another result is left in place of is a copy of what this one is made of.
    for (size_t k = 0; same && k < n.operands.size(); ++k) {
      const auto is = std::find(d->updated.begin(), d->updated.end(), static_cast<int>(k));
      const size_t by = static_cast<size_t>(is - d->updated.begin());
      const auto &now = n.operands[k], &first = operands_[k];
      if (is == d->updated.end() || by > at)
        same = now.tile == first.tile && (now.tile || now.number == first.number);
      else if (by < at)
        same = copies_.contains(results_[by]) && copies_.at(results_[by]) == now.tile;
      else
        same = copies_.contains(n.tile) && copies_.at(n.tile) == first.tile;
    }
    if (!same) return no(n.node, diag::call_results, "`" + c.show(n.node) + "`");
  }
  if (std::find(results_.begin(), results_.end(), n.tile) != results_.end())
    return no(n.node, diag::call_aliases, c.show(n.node));
  results_.push_back(n.tile);
  if (results_.size() < d->results.size()) return open_ = std::move(d), true;
  n.operands = operands_;
  for (size_t r = 0; r < results_.size(); ++r)
    if (d->updated[r] >= 0)
      n.operands[static_cast<size_t>(d->updated[r])].tile = results_[r];
    else
      n.operands.push_back({results_[r], 0});
  open_.reset(), results_.clear(), copies_.clear();
  n.external = external(*d, n);
  if (n.external) out.push_back(std::move(n));
  return out.size() && out.back().external;
}

bool ExternalCalls::pass(const Statement &s) {
  const bool copy = s.kind == Statement::Kind::call && s.name == "copy" && s.operands.at(0).tile;
  if (copy) copies_[s.tile] = s.operands[0].tile;
  if (!open_ || s.kind == Statement::Kind::buffer || s.kind == Statement::Kind::acquire) return true;
  const bool apart =
      copy && std::find(results_.begin(), results_.end(), s.tile) == results_.end() &&
      std::none_of(operands_.begin(), operands_.end(), [&](const Operand &o) { return o.tile == s.tile; });
  return apart || whole(s.node);
}

bool ExternalCalls::whole(Node where) {
  const bool good = !open_;
  if (!good) no(where, diag::call_results, "`" + open_->name + "`");
  open_.reset(), results_.clear();
  return good;
}

} // namespace htp::aie
