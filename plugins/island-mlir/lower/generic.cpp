#include "lower/lowering.h"

#include <algorithm>
#include <functional>

namespace htp::mlir {

namespace {

using Kind = AffineExpression::Kind;

// The maps of `[affine_map<…>, affine_map<…>]`.
std::vector<AffineMap> maps(const Operation &op) {
  std::vector<AffineMap> all;
  std::string_view text = attribute(op, "indexing_maps");
  if (text.starts_with("[") && text.ends_with("]")) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const size_t next = text.find(", affine_map<");
    auto m = affine_map_of(text.substr(0, next));
    if (!m || m->symbols) refuse(op, diag::bad_attribute, op.name, "indexing_maps");
    all.push_back(std::move(*m));
    text = next == std::string_view::npos ? std::string_view() : text.substr(next + 2);
  }
  return all;
}

std::vector<std::string> strings(const Operation &op, std::string_view key, size_t count) {
  const auto at = op.attributes.find(key);
  auto all = at == op.attributes.end() ? std::nullopt : strings_of(at->second);
  return all && all->size() == count ? std::move(*all) : std::vector<std::string>(count);
}

} // namespace

std::string Lowering::extent(const Operation &op, const std::vector<AffineMap> &all, size_t loop) {
  for (size_t k = 0; k < all.size(); ++k)
    for (size_t r = 0; r < all[k].results.size(); ++r) {
      const AffineExpression &e = all[k].results[r];
      if (e.kind != Kind::dim || static_cast<size_t>(e.number) != loop) continue;
      if (const auto v = views_.find(value(op.operands[k])); v != views_.end()) {
        if (r >= v->second.kept.size()) malformed(op);
        return v->second.sizes[v->second.kept[r]];
      }
      return result(operation(op, "memref.dim", {value(op.operands[k]), constant(op, static_cast<int64_t>(r))},
                              {op.operand_types[k], "index"}),
                    "index");
    }
  refuse(op, diag::unknown_extent, op.name);
}

void Lowering::generic(const Operation &op) {
  const std::vector<AffineMap> all = maps(op);
  const std::vector<int64_t> sizes = numbers(op, "operandSegmentSizes");
  if (!op.results.empty() || sizes.size() != 2 || all.size() != op.operands.size() || all.empty() ||
      op.regions.size() != 1 || op.regions[0].arguments.size() != all.size() || op.regions[0].operations.empty() ||
      sizes[0] < 0 || static_cast<size_t>(sizes[0]) >= all.size())
    malformed(op);
  const auto ins = static_cast<size_t>(sizes[0]);
  const size_t depth = all[0].dims;
  const Operation &yield = op.regions[0].operations.back();
  if (yield.operands.size() != all.size() - ins || depth == 0) malformed(op);
  std::vector<std::string> variables, ends, loops = strings(op, "htp.loops", 2 * depth);
  for (size_t d = 0; d < depth; ++d) variables.push_back(fresh()), ends.push_back(extent(op, all, d));
  const std::vector<std::string> loads = strings(op, "htp.loads", all.size()),
                                 stores = strings(op, "htp.stores", all.size() - ins);
  // A sum of the innermost loop is handed on in it.
  const std::string_view iterators = attribute(op, "iterator_types");
  const auto sums = [&] {
    size_t count = 0;
    for (size_t at = iterators.find("reduction"); at != std::string_view::npos;
         at = iterators.find("reduction", at + 1))
      ++count;
    return count;
  }();
  const bool along = std::any_of(all.back().results.begin(), all.back().results.end(), [&](const AffineExpression &e) {
    return e.kind != Kind::dim || static_cast<size_t>(e.number) + 1 == depth;
  });
  const bool carried = sums == 1 && iterators.ends_with("<reduction>]") && all.size() == ins + 1 && !along;
  const auto indices = [&](size_t k) {
    if (all[k].dims != depth) malformed(op);
    return expand(op, all[k], variables);
  };
  const auto load = [&](size_t k, const std::string &name) {
    Operation from = operation(op, "memref.load", {}, {});
    from.results = {name};
    from.result_types = {op.regions[0].types[k]};
    from.place = loads[k];
    access(from, value(op.operands[k]), op.operand_types[k], indices(k), std::nullopt, nullptr);
  };
  const auto store = [&](size_t k, const std::string &stored) {
    Operation to = operation(op, "memref.store", {}, {op.regions[0].types[k]});
    to.place = stores[k - ins];
    access(to, value(op.operands[k]), op.operand_types[k], indices(k), std::nullopt, &stored);
  };
  const auto computed = [&] {
    for (size_t k = 0; k < op.regions[0].operations.size() - 1; ++k) one(op.regions[0].operations[k]);
  };
  const std::function<void(size_t)> nest = [&](size_t d) {
    Operation made = operation(op, "scf.for", {constant(op, 0), ends[d], constant(op, 1)}, {"index", "index", "index"});
    made.place = loops[2 * d].empty() ? op.place : loops[2 * d];
    if (!loops[2 * d + 1].empty()) made.attributes["htp.loop"] = "\"" + loops[2 * d + 1] + "\"";
    Region r;
    r.arguments = {variables[d]};
    r.types = {"index"};
    Operation end = operation(op, "scf.yield", {}, {});
    if (d + 1 == depth && carried) {
      const std::string begin = fresh(), &type = op.regions[0].types[ins];
      load(ins, begin);
      made.operands.push_back(begin), made.operand_types.push_back(type);
      made.results = {fresh()}, made.result_types = {type};
      made.place += "," + loads[ins].substr(std::min(loads[ins].find(':') + 1, loads[ins].size()));
      r.arguments.push_back(op.regions[0].arguments[ins]), r.types.push_back(type);
    }
    {
      const Inside inside(*this, r.operations);
      if (d + 1 < depth) {
        nest(d + 1);
      } else {
        std::set<std::string> used;
        for (const Operation &x : op.regions[0].operations) used.insert(x.operands.begin(), x.operands.end());
        for (size_t k = 0; k < (carried ? ins : all.size()); ++k)
          if (used.contains(op.regions[0].arguments[k])) load(k, op.regions[0].arguments[k]);
        computed();
        for (size_t k = ins; k < all.size() && !carried; ++k) store(k, value(yield.operands[k - ins]));
        if (carried) end.operands = {value(yield.operands[0])}, end.operand_types = {op.regions[0].types[ins]};
      }
      out_->push_back(std::move(end));
    }
    made.regions.push_back(std::move(r));
    const std::string last = made.results.empty() ? std::string() : made.results[0];
    out_->push_back(std::move(made));
    if (!last.empty()) store(ins, last);
  };
  nest(0);
}

} // namespace htp::mlir
