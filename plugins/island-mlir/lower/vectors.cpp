#include "lower/lowering.h"

#include <algorithm>
#include <charconv>

namespace htp::mlir {

namespace {

// The lanes of `vector<8xf32>` and its element; nothing for one of several dimensions.
struct VectorType {
  int64_t lanes = 0;
  std::string element;
};
std::optional<VectorType> vector_type(std::string_view type) {
  if (!is_vector(type)) return std::nullopt;
  VectorType v;
  const char *const begin = type.data() + 7, *const end = type.data() + type.size() - 1;
  const auto read = std::from_chars(begin, end, v.lanes);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != 'x' || v.lanes < 1) return std::nullopt;
  v.element.assign(read.ptr + 1, end);
  return v.element.find_first_of("x<") == std::string::npos || dtype_of_type(v.element).size() ? std::optional(v)
                                                                                               : std::nullopt;
}

bool has_vectors(const Operation &op, int64_t lanes) {
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

// Whether a loop over strips stands somewhere in this.
bool around(const Operation &op, int64_t step) {
  for (const Region &r : op.regions)
    for (const Operation &x : r.operations) {
      const bool strips = x.name == "affine.for" && numbers(x, "step") == std::vector<int64_t>{step};
      if ((strips && has_vectors(x, step)) || around(x, step)) return true;
    }
  return false;
}

} // namespace

std::string Lowering::scalar(const Operation &op, const std::string &type) const {
  if (!is_vector(type)) return type;
  const auto v = vector_type(type);
  if (!v || (lanes_ && v->lanes != lanes_)) refuse(op, diag::no_python_of, op.name, type);
  return v->element;
}

std::optional<int64_t> Lowering::slope(const std::string &name, unsigned depth) const {
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

void Lowering::touch(const Operation &op, const std::string &memory, const std::vector<std::string> &indices,
                     std::optional<size_t> lane_at, bool stored) {
  for (size_t k = 0; k < indices.size(); ++k)
    if (slope(indices[k], 0) != (lane_at == k ? 1 : 0)) refuse(op, diag::strided_lanes, op.name);
  // Lanes meet where they are added to different places along one extent, or along different ones.
  const std::string key = lane_at ? std::to_string(*lane_at) + "," + spelled(indices[*lane_at]) : "scalar";
  touched_.push_back({memory, key, stored, &op});
}

bool Lowering::is_strips(const Operation &op, int64_t step) {
  return step > 1 && has_vectors(op, step) && !around(op, step);
}

Region Lowering::strip(const Operation &op, int64_t step, const std::string &end) {
  const Region &r = op.regions[0];
  if (r.arguments.size() != 1) refuse(op, diag::vector_sum, op.name);
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
        refuse(*a.by, diag::shared_lanes, a.by->name);
  for (const Touched &a : touched_)
    if (a.stored && a.key == "scalar") refuse(*a.by, diag::shared_lanes, a.by->name);
  lanes_ = 0;
  lanes.regions.push_back(std::move(body));
  all.push_back(std::move(lanes));
  all.push_back(operation(op, "scf.yield", {}, {}));
  made.operations = std::move(all);
  return made;
}

} // namespace htp::mlir
