#include "lower/lowered.h"

#include "lower/lowering.h"

#include <algorithm>
#include <charconv>

namespace htp::mlir {

std::vector<int64_t> numbers(const Operation &op, std::string_view key) {
  std::string_view text = attribute(op, key);
  if (const size_t colon = text.find("array<"); colon == 0)
    text.remove_prefix(std::min(text.find(':'), text.size()));
  else if (text.starts_with("dense<"))
    text = text.substr(0, text.rfind(" : "));
  else if (!text.starts_with("["))
    text = text.substr(0, text.find(" : "));
  std::vector<int64_t> result;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    int64_t n = 0;
    const auto read = std::from_chars(at, end, n);
    if (read.ec == std::errc() && read.ptr != at)
      result.push_back(n), at = read.ptr;
    else
      ++at;
  }
  return result;
}

namespace {

using Kind = AffineExpression::Kind;
bool is_number(const AffineExpression &e, int64_t n) { return e.kind == Kind::number && e.number == n; }
bool negated(const AffineExpression &e) { return e.kind == Kind::multiply && is_number(*e.right, -1); }

AffineMap map(const Operation &op, std::string_view key) {
  auto m = affine_map_of(attribute(op, key));
  if (!m) refuse(op, diag::bad_attribute, op.name, key);
  return std::move(*m);
}

std::optional<int64_t> number_of(const AffineMap &m) {
  return m.results.size() == 1 && m.results[0].kind == Kind::number ? std::optional(m.results[0].number) : std::nullopt;
}

} // namespace

Operation Lowering::function(const Operation &op) {
  Operation result = op;
  for (Region &r : result.regions) r.operations = block(r.operations);
  return result;
}

// ── what is written ──────────────────────────────────────────────────────────────────────────────────────────────────

Operation Lowering::operation(const Operation &from, std::string name, std::vector<std::string> operands,
                              std::vector<std::string> types) {
  Operation op;
  op.name = std::move(name);
  op.operands = std::move(operands);
  op.operand_types = std::move(types);
  op.line = from.line;
  return op;
}
std::string Lowering::constant(const Operation &from, int64_t n) {
  Operation op = operation(from, "arith.constant", {}, {});
  op.attributes["value"] = std::to_string(n) + " : index";
  return result(std::move(op), "index");
}
std::string Lowering::result(Operation op, const std::string &type, const std::string &name) {
  // An int that is known already is not computed again.
  if (type == "index" && name.empty())
    if (const auto at = known_.find(spelled(op)); at != known_.end()) return at->second;
  op.results = {name.empty() ? fresh() : name};
  op.result_types = {type};
  out_->push_back(std::move(op));
  remember(out_->back());
  return out_->back().results[0];
}
std::string Lowering::index(const Operation &from, const char *name, const std::string &l, const std::string &r) {
  return result(operation(from, std::string("arith.") + name, {l, r}, {"index", "index"}), "index");
}

// ── maps ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

std::string Lowering::expand(const Operation &from, const AffineMap &m, const AffineExpression &e,
                             const std::vector<std::string> &operands) {
  const auto part = [&](const AffineExpression &x) { return expand(from, m, x, operands); };
  switch (e.kind) {
  case Kind::number: return constant(from, e.number);
  case Kind::dim: return operands[static_cast<size_t>(e.number)];
  case Kind::symbol: return operands[m.dims + static_cast<size_t>(e.number)];
  case Kind::add:
    if (e.right->kind == Kind::number && e.right->number < 0)
      return index(from, "subi", part(*e.left), constant(from, -e.right->number));
    if (negated(*e.right)) return index(from, "subi", part(*e.left), part(*e.right->left));
    if (negated(*e.left)) return index(from, "subi", part(*e.right), part(*e.left->left));
    return index(from, "addi", part(*e.left), part(*e.right));
  case Kind::multiply:
    if (negated(e)) return index(from, "subi", constant(from, 0), part(*e.left));
    return index(from, "muli", part(*e.left), part(*e.right));
  default: break;
  }
  if (e.right->kind == Kind::number && e.right->number < 1)
    refuse(from, diag::back_divisor, from.name, e.right->number);
  const std::string l = part(*e.left), r = part(*e.right);
  if (e.kind == Kind::ceil_divide) return index(from, "ceildivsi", l, r);
  const std::string quotient = index(from, "floordivsi", l, r);
  if (e.kind == Kind::floor_divide) return quotient;
  return index(from, "subi", l, index(from, "muli", quotient, r));
}

std::vector<std::string> Lowering::expand(const Operation &from, const AffineMap &m,
                                          const std::vector<std::string> &operands) {
  if (operands.size() != m.dims + m.symbols) malformed(from);
  std::vector<std::string> all;
  for (const AffineExpression &e : m.results) all.push_back(expand(from, m, e, operands));
  return all;
}

std::string Lowering::chosen(const Operation &from, const std::vector<std::string> &all, const char *function) {
  if (all.empty()) malformed(from);
  std::string one = all[0];
  for (size_t k = 1; k < all.size(); ++k) one = index(from, function, one, all[k]);
  return one;
}

// ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

std::string Lowering::value(const std::string &name) const {
  const auto at = same_.find(name);
  return at == same_.end() ? name : at->second;
}
std::vector<std::string> Lowering::values(const Operation &op, size_t from, size_t to) const {
  std::vector<std::string> all;
  for (size_t k = from; k < to; ++k) all.push_back(value(op.operands[k]));
  return all;
}

// ── memory ───────────────────────────────────────────────────────────────────────────────────────────────────────────

void Lowering::access(const Operation &op, std::string memory, std::string type, std::vector<std::string> indices,
                      std::optional<size_t> lane_at, const std::string *stored) {
  if (const auto view = views_.find(memory); view != views_.end()) {
    const View &v = view->second;
    if (indices.size() != v.kept.size()) malformed(op);
    std::vector<std::string> all = v.offsets;
    for (size_t k = 0; k < indices.size(); ++k) {
      std::string &at = all[v.kept[k]];
      at = at.empty() ? indices[k] : index(op, "addi", at, indices[k]);
    }
    for (std::string &at : all)
      if (at.empty()) at = constant(op, 0);
    if (lane_at) lane_at = v.kept[*lane_at];
    indices = std::move(all);
    type = v.type, memory = v.memory;
  }
  if (lanes_) touch(op, memory, indices, lane_at, stored != nullptr);
  if (lane_at) indices[*lane_at] = index(op, "addi", indices[*lane_at], lane_);
  std::vector<std::string> operands{memory}, types{type};
  operands.insert(operands.end(), indices.begin(), indices.end());
  types.insert(types.end(), indices.size(), "index");
  if (stored) {
    operands.insert(operands.begin(), *stored);
    types.insert(types.begin(), scalar(op, op.operand_types[0]));
  }
  Operation made = operation(op, stored ? "memref.store" : "memref.load", std::move(operands), std::move(types));
  made.place = op.place;
  if (stored)
    out_->push_back(std::move(made));
  else
    result(std::move(made), scalar(op, op.result_types[0]), op.results[0]);
}

void Lowering::memory(const Operation &op) {
  const bool store = op.name.ends_with("store") || op.name == "vector.transfer_write";
  const size_t of = store ? 1 : 0;
  if (op.operands.size() <= of || op.results.size() != 1 - of) malformed(op);
  const bool transfer = op.name.starts_with("vector.transfer");
  std::vector<std::string> indices;
  std::optional<size_t> lane_at;
  if (op.name.starts_with("affine.")) {
    indices = expand(op, map(op, "map"), values(op, of + 1));
  } else if (transfer) {
    const std::vector<int64_t> sizes = numbers(op, "operandSegmentSizes");
    const size_t count = sizes.size() > (store ? 2U : 1U) && sizes[store ? 2 : 1] >= 0
                             ? static_cast<size_t>(sizes[store ? 2 : 1])
                             : op.operands.size();
    if (sizes.back() != 0) refuse(op, diag::masked, op.name);
    if (of + 1 + count > op.operands.size()) malformed(op);
    indices = values(op, of + 1, of + 1 + count);
  } else {
    indices = values(op, of + 1);
  }
  const std::string &moved = store ? op.operand_types[0] : op.result_types[0];
  if (is_vector(moved)) {
    if (transfer) {
      const AffineMap m = map(op, "permutation_map");
      if (m.results.size() != 1 || m.dims != indices.size()) refuse(op, diag::no_python_of, op.name, moved);
      const AffineExpression &e = m.results[0];
      if (e.kind == Kind::dim)
        lane_at = static_cast<size_t>(e.number);
      else if (!is_number(e, 0) || store)
        refuse(op, diag::strided_lanes, op.name);
    } else if (!indices.empty()) {
      lane_at = indices.size() - 1;
    }
    scalar(op, moved);
    if (lane_at && !lanes_) refuse(op, diag::stray_vector, op.name);
  }
  const std::string stored = store ? value(op.operands[0]) : std::string();
  access(op, value(op.operands[of]), op.operand_types[of], std::move(indices), lane_at, store ? &stored : nullptr);
}

void Lowering::view(const Operation &op) {
  const std::vector<int64_t> segments = numbers(op, "operandSegmentSizes"), offsets = numbers(op, "static_offsets"),
                             sizes = numbers(op, "static_sizes"), strides = numbers(op, "static_strides");
  const std::string &of = op.operand_types[0];
  const auto rank = static_cast<size_t>(std::count(of.begin(), of.end(), 'x'));
  const std::string shape = op.result_types[0].substr(0, op.result_types[0].find(','));
  const auto left = static_cast<size_t>(std::count(shape.begin(), shape.end(), 'x'));
  if (segments.size() != 4 || segments[3] != 0 || offsets.size() != rank || sizes.size() != rank || left > rank ||
      std::any_of(strides.begin(), strides.end(), [](int64_t n) { return n != 1; }) || views_.contains(op.operands[0]))
    refuse(op, diag::strided_view, op.name);
  View v{value(op.operands[0]), of, {}, {}, {}};
  size_t next = 1;
  const auto given = [&](int64_t n) {
    if (n != INT64_MIN) return constant(op, n);
    if (next >= op.operands.size()) malformed(op);
    return value(op.operands[next++]);
  };
  for (const int64_t n : offsets) {
    std::string at = n == 0 ? std::string() : given(n);
    if (const auto known = definitions_.find(at); known != definitions_.end() && known->second.number == 0) at.clear();
    v.offsets.push_back(std::move(at));
  }
  for (const int64_t n : sizes) v.sizes.push_back(given(n));
  // A view of fewer dimensions lacks some of extent 1.
  size_t gone = rank - left;
  for (size_t k = 0; k < rank; ++k)
    if (gone && sizes[k] == 1)
      --gone;
    else
      v.kept.push_back(k);
  if (gone) malformed(op);
  views_[op.results[0]] = std::move(v);
}

// ── loops ────────────────────────────────────────────────────────────────────────────────────────────────────────────

Region Lowering::region(const Region &r) {
  Region made;
  made.arguments = r.arguments;
  for (const std::string &t : r.types) made.types.push_back(t);
  made.operations = block(r.operations);
  return made;
}

void Lowering::loop(const Operation &op) {
  const std::vector<int64_t> sizes = numbers(op, "operandSegmentSizes"), step = numbers(op, "step");
  if (sizes.size() != 3 || step.size() != 1 || step[0] < 1 || sizes[0] < 0 || sizes[1] < 0 || sizes[2] < 0 ||
      static_cast<size_t>(sizes[0] + sizes[1] + sizes[2]) != op.operands.size() || op.regions.size() != 1 ||
      op.regions[0].arguments.empty())
    malformed(op);
  const auto a = static_cast<size_t>(sizes[0]), b = a + static_cast<size_t>(sizes[1]);
  const AffineMap low = map(op, "lowerBoundMap"), high = map(op, "upperBoundMap");
  Operation made = operation(op, "scf.for", {}, {});
  const std::string from = chosen(op, expand(op, low, values(op, 0, a)), "maxsi");
  const std::string to = chosen(op, expand(op, high, values(op, a, b)), "minsi");
  made.operands = {from, to, constant(op, step[0])};
  made.operand_types = {"index", "index", "index"};
  for (size_t k = b; k < op.operands.size(); ++k) {
    made.operands.push_back(value(op.operands[k]));
    made.operand_types.push_back(scalar(op, op.operand_types[k]));
  }
  made.results = op.results;
  for (const std::string &t : op.result_types) made.result_types.push_back(scalar(op, t));
  made.place = op.place;
  if (const auto wrappers = op.attributes.find("htp.loop"); wrappers != op.attributes.end())
    made.attributes.insert(*wrappers);
  if (!lanes_ && is_strips(op, step[0])) {
    const auto first = number_of(low), last = number_of(high);
    const bool whole = first && last && (*last - *first) % step[0] == 0;
    made.regions.push_back(strip(op, step[0], whole ? std::string() : to));
    made.attributes["htp.strips"] = "unit";
  } else {
    Region body = region(op.regions[0]);
    for (std::string &t : body.types) t = scalar(op, t);
    made.regions.push_back(std::move(body));
  }
  out_->push_back(std::move(made));
}

void Lowering::nest(const Operation &op, const std::vector<Bounds> &bounds) {
  if (!op.results.empty() || op.regions.size() != 1 || op.regions[0].arguments.size() != bounds.size() ||
      bounds.empty())
    refuse(op, diag::parallel_results, op.name);
  Operations body = block(op.regions[0].operations);
  if (!body.empty() && body.back().name == "scf.reduce") body.pop_back();
  if (body.empty() || body.back().name != "scf.yield") body.push_back(operation(op, "scf.yield", {}, {}));
  const Place place = place_of(op);
  const auto one = [&](size_t k) {
    Operation made = operation(op, "scf.for", {bounds[k].low, bounds[k].high, constant(op, bounds[k].step)},
                               {"index", "index", "index"});
    if (place.number) {
      made.place = std::to_string(*place.number) + ":";
      if (k < place.names.size()) made.place += place.names[k];
    }
    if (k == 0) made.attributes["htp.loop"] = "\"htp.parallel(_)\"";
    Region r;
    r.arguments = {op.regions[0].arguments[k]};
    r.types = {"index"};
    r.operations = std::move(body);
    made.regions.push_back(std::move(r));
    out_->push_back(std::move(made));
  };
  for (size_t k = bounds.size(); k-- > 1;) {
    Operations around;
    {
      const Inside inside(*this, around);
      one(k);
    }
    around.push_back(operation(op, "scf.yield", {}, {}));
    body = std::move(around);
  }
  one(0);
}

void Lowering::affine_parallel(const Operation &op) {
  const AffineMap low = map(op, "lowerBoundsMap"), high = map(op, "upperBoundsMap");
  const size_t middle = low.dims + low.symbols;
  if (middle > op.operands.size()) malformed(op);
  const std::vector<std::string> from = expand(op, low, values(op, 0, middle)),
                                 to = expand(op, high, values(op, middle));
  const std::vector<int64_t> lows = numbers(op, "lowerBoundsGroups"), highs = numbers(op, "upperBoundsGroups"),
                             steps = numbers(op, "steps");
  const size_t count = steps.size();
  const auto group = [&](const std::vector<int64_t> &sizes, size_t k) {
    return sizes.size() == 1 ? sizes[0] : k < sizes.size() ? sizes[k] : 0;
  };
  std::vector<Bounds> bounds;
  size_t at = 0, end = 0;
  const auto take = [&](const std::vector<std::string> &all, size_t &next, int64_t n, const char *function) {
    if (n < 1 || next + static_cast<size_t>(n) > all.size()) malformed(op);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(next);
    next += static_cast<size_t>(n);
    return chosen(op, std::vector<std::string>(first, first + n), function);
  };
  for (size_t k = 0; k < count; ++k) {
    Bounds b;
    b.low = take(from, at, group(lows, k), "maxsi");
    b.high = take(to, end, group(highs, k), "minsi");
    b.step = steps[k];
    bounds.push_back(std::move(b));
  }
  nest(op, bounds);
}

void Lowering::scf_parallel(const Operation &op) {
  const size_t count = op.regions.empty() ? 0 : op.regions[0].arguments.size();
  if (op.operands.size() != 3 * count) refuse(op, diag::parallel_results, op.name);
  std::vector<Bounds> bounds;
  for (size_t k = 0; k < count; ++k) {
    const auto step = definitions_.find(value(op.operands[2 * count + k]));
    if (step == definitions_.end() || !step->second.number) refuse(op, diag::back_step, op.name);
    bounds.push_back({value(op.operands[k]), value(op.operands[count + k]), *step->second.number});
  }
  nest(op, bounds);
}

void Lowering::branch(const Operation &op) {
  const AffineMap set = map(op, "condition");
  const std::vector<std::string> all = expand(op, set, values(op));
  std::string when;
  for (size_t k = 0; k < all.size(); ++k) {
    Operation is = operation(op, "arith.cmpi", {all[k], constant(op, 0)}, {"index", "index"});
    is.attributes["predicate"] = set.equal.size() > k && set.equal[k] ? "0 : i64" : "5 : i64";
    const std::string one = result(std::move(is), "i1");
    when = k ? result(operation(op, "arith.andi", {when, one}, {"i1", "i1"}), "i1") : one;
  }
  if (when.empty()) malformed(op);
  Operation made = operation(op, "scf.if", {when}, {"i1"});
  made.results = op.results;
  for (const std::string &t : op.result_types) made.result_types.push_back(scalar(op, t));
  made.place = op.place;
  for (const Region &r : op.regions) made.regions.push_back(region(r));
  out_->push_back(std::move(made));
}

// ── all ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

std::string Lowering::spelled(const std::string &name) const {
  const auto at = spelled_.find(name);
  return at == spelled_.end() ? name : at->second;
}
std::string Lowering::spelled(const Operation &op) const {
  std::string text = op.name + "(";
  if (const auto n = op.attributes.find("value"); n != op.attributes.end()) text += n->second;
  for (const std::string &x : op.operands) text += spelled(x) + ",";
  return text + ")";
}
void Lowering::remember(const Operation &op) {
  if (op.results.size() != 1 || op.result_types[0] != "index") return;
  Definition &known = definitions_[op.results[0]] = {op.name, op.operands, {}};
  if (const auto n = op.attributes.find("value"); n != op.attributes.end() && op.name == "arith.constant") {
    int64_t number = 0;
    std::from_chars(n->second.data(), n->second.data() + n->second.size(), number);
    known.number = number;
  }
  if (!op.name.starts_with("arith.")) return;
  std::string text = spelled(op);
  if (text.size() > 500) return;
  spelled_[op.results[0]] = text;
  if (known_.emplace(text, op.results[0]).second) here_.push_back(std::move(text));
}

Lowering::Operations Lowering::block(const std::vector<Operation> &operations) {
  Operations all;
  const Inside inside(*this, all);
  for (const Operation &op : operations) one(op);
  return all;
}

void Lowering::one(const Operation &op) {
  if (op.name == "affine.for") return loop(op);
  if (op.name == "affine.if") return branch(op);
  if (op.name == "affine.parallel") return affine_parallel(op);
  if (op.name == "scf.parallel") return scf_parallel(op);
  if (op.name == "memref.subview" && !op.operands.empty()) return view(op);
  if (op.name == "linalg.generic") return generic(op);
  if (op.name == "memref.dim" && op.operands.size() == 2 && op.results.size() == 1)
    if (const auto v = views_.find(value(op.operands[0])); v != views_.end()) {
      const auto at = definitions_.find(value(op.operands[1]));
      const auto number = at == definitions_.end() ? std::nullopt : at->second.number;
      if (!number || *number < 0 || static_cast<size_t>(*number) >= v->second.kept.size())
        refuse(op, diag::unknown_extent, op.name);
      same_[op.results[0]] = v->second.sizes[v->second.kept[static_cast<size_t>(*number)]];
      return;
    }
  if (op.name == "affine.load" || op.name == "affine.store" || op.name == "affine.vector_load" ||
      op.name == "affine.vector_store" || op.name == "vector.load" || op.name == "vector.store" ||
      op.name == "vector.transfer_read" || op.name == "vector.transfer_write" ||
      ((op.name == "memref.load" || op.name == "memref.store") && (lanes_ || !views_.empty())))
    return memory(op);
  if ((op.name == "affine.apply" || op.name == "affine.min" || op.name == "affine.max") && op.results.size() == 1) {
    const std::string v =
        chosen(op, expand(op, map(op, "map"), values(op)), op.name == "affine.min" ? "minsi" : "maxsi");
    same_[op.results[0]] = v;
    // An expression of its own keeps the name that it had in Python.
    if (!out_->empty() && !out_->back().results.empty() && out_->back().results[0] == v && v.starts_with("%+"))
      out_->back().place = op.place;
    return;
  }
  if ((op.name == "vector.broadcast" || op.name == "vector.splat") && op.operands.size() == 1 &&
      op.results.size() == 1) {
    scalar(op, op.result_types[0]);
    same_[op.results[0]] = value(op.operands[0]);
    return;
  }
  Operation made = op;
  if (made.name == "affine.yield") made.name = "scf.yield";
  if (made.name == "vector.fma") made.name = "math.fma";
  made.operands = values(op);
  if (std::any_of(made.operands.begin(), made.operands.end(), [&](const std::string &x) { return views_.contains(x); }))
    refuse(op, op.name.starts_with("linalg.") ? diag::named_operation : diag::strided_view, op.name);
  const bool vector = std::any_of(op.result_types.begin(), op.result_types.end(), is_vector) ||
                      std::any_of(op.operand_types.begin(), op.operand_types.end(), is_vector);
  if (vector && (made.name.starts_with("vector.") || made.name.starts_with("cpu.") || op.regions.size()))
    refuse(op, diag::no_python_of, op.name, "vectors");
  for (std::string &t : made.operand_types) t = scalar(op, t);
  for (std::string &t : made.result_types) t = scalar(op, t);
  if (vector && op.name == "arith.constant") {
    const std::string_view text = attribute(op, "value");
    const size_t close = text.rfind("> : ");
    if (!text.starts_with("dense<") || close == std::string_view::npos || text[6] == '[' || text[6] == '"')
      refuse(op, diag::no_python_constant, text);
    const std::string number(text.substr(6, close - 6));
    made.attributes["value"] = made.result_types[0] == "i1" ? number : number + " : " + made.result_types[0];
  }
  if (lanes_ && op.name == "cpu.order") refuse(op, diag::no_python_of, op.name, "vectors");
  for (Region &r : made.regions) r = region(r);
  out_->push_back(std::move(made));
  remember(out_->back());
}

Operation lowered(const Operation &function) { return Lowering().function(function); }

} // namespace htp::mlir
