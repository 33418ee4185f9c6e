#include "lowered.h"

#include "affine.h"
#include "values.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace htp::mlir {

namespace {

[[noreturn]] void refuse(const Operation &op, std::string what) { throw NoReturn{op.line, std::move(what)}; }

bool is_vector(std::string_view type) { return type.starts_with("vector<"); }

// The lanes of `vector<8xf32>` and its element; nothing for one of several dimensions.
struct VectorType {
  int64_t lanes = 0;
  std::string element;
};
std::optional<VectorType> vector_type(std::string_view type) {
  VectorType v;
  const char *const begin = type.data() + 7, *const end = type.data() + type.size() - 1;
  if (!is_vector(type)) return std::nullopt;
  const auto read = std::from_chars(begin, end, v.lanes);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != 'x' || v.lanes < 1) return std::nullopt;
  v.element.assign(read.ptr + 1, end);
  return v.element.find_first_of("x<") == std::string::npos || dtype_of_type(v.element).size() ? std::optional(v)
                                                                                               : std::nullopt;
}

std::string_view attribute(const Operation &op, std::string_view key) {
  const auto at = op.attributes.find(key);
  if (at == op.attributes.end()) refuse(op, "`" + op.name + "` without `" + std::string(key) + "`");
  return at->second;
}

// The numbers in `array<i32: 1, 2>`, `dense<[1, 2]> : …`, `dense<1> : …`, `[1, 8]` or `8 : index`.
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

class Lowering {
public:
  Operation function(const Operation &op) {
    Operation result = op;
    for (Region &r : result.regions) r.operations = block(r.operations);
    return result;
  }

private:
  // ── what is written ───────────────────────────────────────────────────────────────────────────────────────────────

  using Operations = std::vector<Operation>;

  std::string fresh() { return "%+" + std::to_string(++made_); } // MLIR has no such name

  static Operation operation(const Operation &from, std::string name, std::vector<std::string> operands,
                             std::vector<std::string> types) {
    Operation op;
    op.name = std::move(name);
    op.operands = std::move(operands);
    op.operand_types = std::move(types);
    op.line = from.line;
    return op;
  }
  std::string constant(const Operation &from, int64_t n) {
    Operation op = operation(from, "arith.constant", {}, {});
    op.attributes["value"] = std::to_string(n) + " : index";
    return result(std::move(op), "index");
  }
  std::string result(Operation op, const std::string &type, const std::string &name = {}) {
    // An int that is known already is not computed again.
    if (type == "index" && name.empty())
      if (const auto at = known_.find(spelled(op)); at != known_.end()) return at->second;
    op.results = {name.empty() ? fresh() : name};
    op.result_types = {type};
    out_->push_back(std::move(op));
    remember(out_->back());
    return out_->back().results[0];
  }
  std::string index(const Operation &from, const char *name, const std::string &l, const std::string &r) {
    return result(operation(from, std::string("arith.") + name, {l, r}, {"index", "index"}), "index");
  }

  // ── maps ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  static AffineMap map(const Operation &op, std::string_view key) {
    auto m = affine_map_of(attribute(op, key));
    if (!m) refuse(op, "`" + std::string(attribute(op, key)) + "`");
    return std::move(*m);
  }

  using Kind = AffineExpression::Kind;
  static bool is_number(const AffineExpression &e, int64_t n) { return e.kind == Kind::number && e.number == n; }
  static bool negated(const AffineExpression &e) { return e.kind == Kind::multiply && is_number(*e.right, -1); }

  std::string expand(const Operation &from, const AffineMap &m, const AffineExpression &e,
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
    if (e.right->kind != Kind::number || e.right->number < 1) refuse(from, "a division by what is no number");
    const std::string l = part(*e.left), r = part(*e.right);
    if (e.kind == Kind::ceil_divide) return index(from, "ceildivsi", l, r);
    const std::string quotient = index(from, "floordivsi", l, r);
    if (e.kind == Kind::floor_divide) return quotient;
    return index(from, "subi", l, index(from, "muli", quotient, r));
  }

  std::vector<std::string> expand(const Operation &from, const AffineMap &m, const std::vector<std::string> &operands) {
    if (operands.size() != m.dims + m.symbols) refuse(from, "this `" + from.name + "`");
    std::vector<std::string> all;
    for (const AffineExpression &e : m.results) all.push_back(expand(from, m, e, operands));
    return all;
  }

  // The least or the greatest of these.
  std::string chosen(const Operation &from, const std::vector<std::string> &all, const char *word) {
    if (all.empty()) refuse(from, "this `" + from.name + "`");
    std::string one = all[0];
    for (size_t k = 1; k < all.size(); ++k) one = index(from, word, one, all[k]);
    return one;
  }

  // ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────

  // What stands for a value of MLIR's.
  std::string value(const std::string &name) const {
    const auto at = same_.find(name);
    return at == same_.end() ? name : at->second;
  }
  std::vector<std::string> values(const Operation &op, size_t from, size_t to) const {
    std::vector<std::string> all;
    for (size_t k = from; k < to; ++k) all.push_back(value(op.operands[k]));
    return all;
  }
  std::vector<std::string> values(const Operation &op, size_t from = 0) const {
    return values(op, from, op.operands.size());
  }

  // The scalar that a vector's element is, where a vector has a meaning: in a loop over strips, or the same in all
  // lanes.
  std::string scalar(const Operation &op, const std::string &type) const {
    if (!is_vector(type)) return type;
    const auto v = vector_type(type);
    if (!v || (lanes_ && v->lanes != lanes_)) refuse(op, "`" + op.name + "` of `" + type + "`");
    return v->element;
  }

  // By how much an int grows from strip to strip, for each lane of one; nothing where that is not known.
  std::optional<int64_t> slope(const std::string &name, unsigned depth) const {
    if (name == strip_) return 1;
    const auto at = definitions_.find(name);
    if (at == definitions_.end() || at->second.operands.empty()) return 0;
    if (depth > 100) return std::nullopt;
    const Definition &d = at->second;
    std::vector<int64_t> of;
    for (const std::string &x : d.operands) {
      const auto one = slope(x, depth + 1);
      if (!one) return std::nullopt;
      of.push_back(*one);
    }
    if (std::all_of(of.begin(), of.end(), [](int64_t n) { return n == 0; })) return 0;
    if (d.name == "arith.addi" && of.size() == 2) return of[0] + of[1];
    if (d.name == "arith.subi" && of.size() == 2) return of[0] - of[1];
    if (d.name == "arith.muli" && of.size() == 2)
      for (size_t k = 0; k < 2; ++k)
        if (const auto by = definitions_.find(d.operands[k]); by != definitions_.end() && by->second.number)
          return of[1 - k] * *by->second.number;
    return std::nullopt;
  }

  // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

  struct View {
    std::string memory, type;
    std::vector<std::string> offsets, sizes; // along the memory's extents
    std::vector<size_t> kept;                // those that the view has
  };

  // `memory[indices]`, the lane added at a dimension where that is told; writes a load or a store.
  void access(const Operation &op, std::string memory, std::string type, std::vector<std::string> indices,
              std::optional<size_t> lane_at, const std::string *stored) {
    if (const auto view = views_.find(memory); view != views_.end()) {
      const View &v = view->second;
      if (indices.size() != v.kept.size()) refuse(op, "this `" + op.name + "`");
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
    if (lanes_) {
      for (size_t k = 0; k < indices.size(); ++k)
        if (slope(indices[k], 0) != (lane_at == k ? 1 : 0))
          refuse(op, "`" + op.name + "` of neighbours that are none in memory");
      // Lanes meet where they are added to different places along one extent, or along different ones.
      const std::string key = lane_at ? std::to_string(*lane_at) + "," + spelled(indices[*lane_at]) : "scalar";
      touched_.push_back({memory, key, stored != nullptr, &op});
    }
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

  void memory(const Operation &op) {
    const bool store = op.name.ends_with("store") || op.name == "vector.transfer_write";
    const size_t of = store ? 1 : 0;
    if (op.operands.size() <= of || op.results.size() != 1 - of) refuse(op, "this `" + op.name + "`");
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
      if (sizes.back() != 0) refuse(op, "`" + op.name + "` with a mask");
      if (of + 1 + count > op.operands.size()) refuse(op, "this `" + op.name + "`");
      indices = values(op, of + 1, of + 1 + count);
    } else {
      indices = values(op, of + 1);
    }
    const std::string &moved = store ? op.operand_types[0] : op.result_types[0];
    if (is_vector(moved)) {
      if (transfer) {
        const AffineMap m = map(op, "permutation_map");
        if (m.results.size() != 1 || m.dims != indices.size()) refuse(op, "`" + op.name + "` of `" + moved + "`");
        const AffineExpression &e = m.results[0];
        if (e.kind == Kind::dim)
          lane_at = static_cast<size_t>(e.number);
        else if (!is_number(e, 0) || store)
          refuse(op, "`" + op.name + "` by `" + std::string(attribute(op, "permutation_map")) + "`");
      } else if (!indices.empty()) {
        lane_at = indices.size() - 1;
      }
      scalar(op, moved);
      if (lane_at && !lanes_) refuse(op, "`" + op.name + "` outside of a loop over vectors");
    }
    const std::string stored = store ? value(op.operands[0]) : std::string();
    access(op, value(op.operands[of]), op.operand_types[of], std::move(indices), lane_at, store ? &stored : nullptr);
  }

  void view(const Operation &op) {
    const std::vector<int64_t> segments = numbers(op, "operandSegmentSizes"), offsets = numbers(op, "static_offsets"),
                               sizes = numbers(op, "static_sizes"), strides = numbers(op, "static_strides");
    const std::string &of = op.operand_types[0];
    const auto rank = static_cast<size_t>(std::count(of.begin(), of.end(), 'x'));
    const std::string shape = op.result_types[0].substr(0, op.result_types[0].find(','));
    const auto left = static_cast<size_t>(std::count(shape.begin(), shape.end(), 'x'));
    if (segments.size() != 4 || segments[3] != 0 || offsets.size() != rank || sizes.size() != rank || left > rank ||
        std::any_of(strides.begin(), strides.end(), [](int64_t n) { return n != 1; }) ||
        views_.contains(op.operands[0]))
      refuse(op, "this `memref.subview`");
    View v{value(op.operands[0]), of, {}, {}, {}};
    size_t next = 1;
    const auto given = [&](int64_t n) {
      if (n != INT64_MIN) return constant(op, n);
      if (next >= op.operands.size()) refuse(op, "this `memref.subview`");
      return value(op.operands[next++]);
    };
    for (const int64_t n : offsets) {
      std::string at = n == 0 ? std::string() : given(n);
      if (const auto known = definitions_.find(at); known != definitions_.end() && known->second.number == 0)
        at.clear();
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
    if (gone) refuse(op, "this `memref.subview`");
    views_[op.results[0]] = std::move(v);
  }

  // ── loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  // What stands in a region that ends with `affine.yield` or the like.
  Region region(const Region &r) {
    Region made;
    made.arguments = r.arguments;
    for (const std::string &t : r.types) made.types.push_back(t);
    made.operations = block(r.operations);
    return made;
  }

  struct Bounds {
    std::string low, high;
    int64_t step = 1;
  };

  static std::optional<int64_t> number_of(const AffineMap &m) {
    return m.results.size() == 1 && m.results[0].kind == Kind::number ? std::optional(m.results[0].number)
                                                                      : std::nullopt;
  }

  void loop(const Operation &op) {
    const std::vector<int64_t> sizes = numbers(op, "operandSegmentSizes"), step = numbers(op, "step");
    if (sizes.size() != 3 || step.size() != 1 || step[0] < 1 || sizes[0] < 0 || sizes[1] < 0 || sizes[2] < 0 ||
        static_cast<size_t>(sizes[0] + sizes[1] + sizes[2]) != op.operands.size() || op.regions.size() != 1 ||
        op.regions[0].arguments.empty())
      refuse(op, "this loop");
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
    if (const auto words = op.attributes.find("htp.loop"); words != op.attributes.end()) made.attributes.insert(*words);
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

  static bool has_vectors(const Operation &op, int64_t lanes) {
    const auto fits = [&](const std::string &t) {
      const auto v = vector_type(t);
      return v && v->lanes == lanes;
    };
    if (std::any_of(op.operand_types.begin(), op.operand_types.end(), fits) ||
        std::any_of(op.result_types.begin(), op.result_types.end(), fits))
      return true;
    for (const Region &r : op.regions)
      for (const Operation &x : r.operations)
        if (has_vectors(x, lanes)) return true;
    return false;
  }
  // Whether a loop goes from vector to vector: by as many as they have lanes, and no loop in it does.
  static bool is_strips(const Operation &op, int64_t step) {
    return step > 1 && has_vectors(op, step) && !around(op, step);
  }
  // Whether a loop over strips stands somewhere in this.
  static bool around(const Operation &op, int64_t step) {
    for (const Region &r : op.regions)
      for (const Operation &x : r.operations) {
        const bool strips = x.name == "affine.for" && numbers(x, "step") == std::vector<int64_t>{step};
        if ((strips && has_vectors(x, step)) || around(x, step)) return true;
      }
    return false;
  }

  // One iteration of a loop over vectors, as a loop over lanes.
  Region strip(const Operation &op, int64_t step, const std::string &end) {
    const Region &r = op.regions[0];
    if (r.arguments.size() != 1) refuse(op, "a loop over vectors that hands something on");
    Region made;
    made.arguments = r.arguments;
    made.types = r.types;
    Operations all;
    const Inside inside(*this, all);
    std::string count = constant(op, step);
    if (!end.empty()) count = index(op, "minsi", count, index(op, "subi", end, r.arguments[0]));
    Operation lanes = operation(op, "scf.for", {constant(op, 0), count, constant(op, 1)}, {"index", "index", "index"});
    lanes.attributes["htp.loop"] = "\"htp.vectorized(_)\"";
    lanes.place = op.place.substr(0, op.place.find(':')) + ":lane";
    lanes_ = step;
    lane_ = fresh();
    strip_ = r.arguments[0];
    touched_.clear();
    Region body;
    body.arguments = {lane_};
    body.types = {"index"};
    body.operations = block(r.operations);
    for (const Touched &a : touched_)
      for (const Touched &b : touched_)
        if (a.memory == b.memory && (a.stored || b.stored) && a.key != b.key)
          refuse(*a.by, "a vector's lanes that meet in memory");
    for (const Touched &a : touched_)
      if (a.stored && a.key == "scalar") refuse(*a.by, "a scalar that is stored in a loop over vectors");
    lanes_ = 0;
    lanes.regions.push_back(std::move(body));
    all.push_back(std::move(lanes));
    all.push_back(operation(op, "scf.yield", {}, {}));
    made.operations = std::move(all);
    return made;
  }

  // A nest of loops, the outermost of which is parallel.
  void nest(const Operation &op, const std::vector<Bounds> &bounds) {
    if (!op.results.empty() || op.regions.size() != 1 || op.regions[0].arguments.size() != bounds.size() ||
        bounds.empty())
      refuse(op, "`" + op.name + "` whose iterations give something");
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

  void affine_parallel(const Operation &op) {
    const AffineMap low = map(op, "lowerBoundsMap"), high = map(op, "upperBoundsMap");
    const size_t middle = low.dims + low.symbols;
    if (middle > op.operands.size()) refuse(op, "this loop");
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
    const auto take = [&](const std::vector<std::string> &all, size_t &next, int64_t n, const char *word) {
      if (n < 1 || next + static_cast<size_t>(n) > all.size()) refuse(op, "this loop");
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(next);
      next += static_cast<size_t>(n);
      return chosen(op, std::vector<std::string>(first, first + n), word);
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

  void scf_parallel(const Operation &op) {
    const size_t count = op.regions.empty() ? 0 : op.regions[0].arguments.size();
    if (op.operands.size() != 3 * count) refuse(op, "`scf.parallel` whose iterations give something");
    std::vector<Bounds> bounds;
    for (size_t k = 0; k < count; ++k) {
      const auto step = definitions_.find(value(op.operands[2 * count + k]));
      if (step == definitions_.end() || !step->second.number) refuse(op, "`scf.parallel` by what is no number");
      bounds.push_back({value(op.operands[k]), value(op.operands[count + k]), *step->second.number});
    }
    nest(op, bounds);
  }

  void branch(const Operation &op) {
    const AffineMap set = map(op, "condition");
    const std::vector<std::string> all = expand(op, set, values(op));
    std::string when;
    for (size_t k = 0; k < all.size(); ++k) {
      Operation is = operation(op, "arith.cmpi", {all[k], constant(op, 0)}, {"index", "index"});
      is.attributes["predicate"] = set.equal.size() > k && set.equal[k] ? "0 : i64" : "5 : i64";
      const std::string one = result(std::move(is), "i1");
      when = k ? result(operation(op, "arith.andi", {when, one}, {"i1", "i1"}), "i1") : one;
    }
    if (when.empty()) refuse(op, "this `affine.if`");
    Operation made = operation(op, "scf.if", {when}, {"i1"});
    made.results = op.results;
    for (const std::string &t : op.result_types) made.result_types.push_back(scalar(op, t));
    made.place = op.place;
    for (const Region &r : op.regions) made.regions.push_back(region(r));
    out_->push_back(std::move(made));
  }

  // ── nests of linalg ───────────────────────────────────────────────────────────────────────────────────────────────

  // The maps of `[affine_map<…>, affine_map<…>]`.
  static std::vector<AffineMap> maps(const Operation &op) {
    std::vector<AffineMap> all;
    std::string_view text = attribute(op, "indexing_maps");
    if (text.starts_with("[") && text.ends_with("]")) text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
      const size_t next = text.find(", affine_map<");
      auto m = affine_map_of(text.substr(0, next));
      if (!m || m->symbols) refuse(op, "this `" + op.name + "`");
      all.push_back(std::move(*m));
      text = next == std::string_view::npos ? std::string_view() : text.substr(next + 2);
    }
    return all;
  }
  static std::vector<std::string> strings(const Operation &op, std::string_view key, size_t count) {
    const auto at = op.attributes.find(key);
    auto all = at == op.attributes.end() ? std::nullopt : strings_of(at->second);
    return all && all->size() == count ? std::move(*all) : std::vector<std::string>(count);
  }

  // How many iterations a loop of the nest has: as many as the view has elements along it.
  std::string extent(const Operation &op, const std::vector<AffineMap> &all, size_t loop) {
    for (size_t k = 0; k < all.size(); ++k)
      for (size_t r = 0; r < all[k].results.size(); ++r) {
        const AffineExpression &e = all[k].results[r];
        if (e.kind != Kind::dim || static_cast<size_t>(e.number) != loop) continue;
        if (const auto v = views_.find(value(op.operands[k])); v != views_.end()) {
          if (r >= v->second.kept.size()) refuse(op, "this `" + op.name + "`");
          return v->second.sizes[v->second.kept[r]];
        }
        return result(operation(op, "memref.dim", {value(op.operands[k]), constant(op, static_cast<int64_t>(r))},
                                {op.operand_types[k], "index"}),
                      "index");
      }
    refuse(op, "a loop of `" + op.name + "` whose range nothing tells");
  }

  void generic(const Operation &op) {
    const std::vector<AffineMap> all = maps(op);
    const std::vector<int64_t> sizes = numbers(op, "operandSegmentSizes");
    if (!op.results.empty() || sizes.size() != 2 || all.size() != op.operands.size() || all.empty() ||
        op.regions.size() != 1 || op.regions[0].arguments.size() != all.size() || op.regions[0].operations.empty() ||
        sizes[0] < 0 || static_cast<size_t>(sizes[0]) >= all.size())
      refuse(op, "this `" + op.name + "`");
    const auto ins = static_cast<size_t>(sizes[0]);
    const size_t depth = all[0].dims;
    const Operation &yield = op.regions[0].operations.back();
    if (yield.operands.size() != all.size() - ins || depth == 0) refuse(op, "this `" + op.name + "`");
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
    const bool along =
        std::any_of(all.back().results.begin(), all.back().results.end(), [&](const AffineExpression &e) {
          return e.kind != Kind::dim || static_cast<size_t>(e.number) + 1 == depth;
        });
    const bool carried = sums == 1 && iterators.ends_with("<reduction>]") && all.size() == ins + 1 && !along;
    const auto indices = [&](size_t k) {
      if (all[k].dims != depth) refuse(op, "this `" + op.name + "`");
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
      Operation made =
          operation(op, "scf.for", {constant(op, 0), ends[d], constant(op, 1)}, {"index", "index", "index"});
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

  // ── all ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  // How an index is computed, to tell whether two are one.
  std::string spelled(const std::string &name) const {
    const auto at = spelled_.find(name);
    return at == spelled_.end() ? name : at->second;
  }
  std::string spelled(const Operation &op) const {
    std::string text = op.name + "(";
    if (const auto n = op.attributes.find("value"); n != op.attributes.end()) text += n->second;
    for (const std::string &x : op.operands) text += spelled(x) + ",";
    return text + ")";
  }
  void remember(const Operation &op) {
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

  Operations block(const std::vector<Operation> &operations) {
    Operations all;
    const Inside inside(*this, all);
    for (const Operation &op : operations) one(op);
    return all;
  }

  // Writes elsewhere while it lives; what is known there is known nowhere else.
  class Inside {
  public:
    Inside(Lowering &lowering, Operations &to)
        : lowering_(lowering), outside_(std::exchange(lowering.out_, &to)), before_(lowering.here_.size()) {}
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    ~Inside() {
      for (; lowering_.here_.size() > before_; lowering_.here_.pop_back())
        lowering_.known_.erase(lowering_.here_.back());
      lowering_.out_ = outside_;
    }

  private:
    Lowering &lowering_;
    Operations *outside_;
    size_t before_;
  };

  void one(const Operation &op) {
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
        if (!number || *number < 0 || static_cast<size_t>(*number) >= v->second.kept.size()) refuse(op, "`memref.dim`");
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
    if (std::any_of(made.operands.begin(), made.operands.end(),
                    [&](const std::string &x) { return views_.contains(x); }))
      refuse(op, "`" + op.name + "`");
    const bool vector = std::any_of(op.result_types.begin(), op.result_types.end(), is_vector) ||
                        std::any_of(op.operand_types.begin(), op.operand_types.end(), is_vector);
    if (vector && (made.name.starts_with("vector.") || made.name.starts_with("cpu.") || op.regions.size()))
      refuse(op, "`" + op.name + "`");
    for (std::string &t : made.operand_types) t = scalar(op, t);
    for (std::string &t : made.result_types) t = scalar(op, t);
    if (vector && op.name == "arith.constant") {
      const std::string_view text = attribute(op, "value");
      const size_t close = text.rfind("> : ");
      if (!text.starts_with("dense<") || close == std::string_view::npos || text[6] == '[' || text[6] == '"')
        refuse(op, "the constant `" + std::string(text) + "`");
      const std::string number(text.substr(6, close - 6));
      made.attributes["value"] = made.result_types[0] == "i1" ? number : number + " : " + made.result_types[0];
    }
    if (lanes_ && op.name == "cpu.order") refuse(op, "`cpu.order` in a loop over vectors");
    for (Region &r : made.regions) r = region(r);
    out_->push_back(std::move(made));
    remember(out_->back());
  }

  struct Touched {
    std::string memory, key;
    bool stored = false;
    const Operation *by = nullptr;
  };

  struct Definition {
    std::string name;
    std::vector<std::string> operands;
    std::optional<int64_t> number; // of a constant
  };

  Operations *out_ = nullptr;
  size_t made_ = 0;
  std::map<std::string, std::string> same_, spelled_, known_; // known_: from how it is spelled, where it is seen
  std::vector<std::string> here_;                             // of known_, in their order
  std::map<std::string, Definition> definitions_;             // of ints
  std::map<std::string, View> views_;
  int64_t lanes_ = 0; // of the loop over vectors that is looked at
  std::string lane_, strip_;
  std::vector<Touched> touched_; // in that
};

} // namespace

Operation lowered(const Operation &function) { return Lowering().function(function); }

} // namespace htp::mlir
