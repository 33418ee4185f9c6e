#include "verify/packed.h"

#include <algorithm>

namespace htp::aie {

namespace {

constexpr int64_t most_elements = int64_t{1} << 22; // of a tensor that is gone through one by one

class Packed {
public:
  explicit Packed(const Parameter &made) : made_(made), taken_(static_cast<size_t>(count(made.extents))) {}

  // Why a tensor is not packed as a whole, or where another is; nothing where all is well.
  std::optional<Refusal> add(const PackedTensor &packed, const Parameter &from) {
    from_ = &from, along_ = &packed.along;
    units_ = from.dtype->bytes / made_.dtype->bytes;
    reached_.assign(static_cast<size_t>(count(from.extents)), false);
    index_.assign(from.extents.size(), 0);
    if (!each(0, packed.at)) return Refusal(diag::packed_twice, from.name, made_.name);
    if (std::find(reached_.begin(), reached_.end(), false) == reached_.end()) return std::nullopt;
    return Refusal(diag::packed_short, from.name, made_.name);
  }

private:
  bool each(size_t depth, int64_t to) {
    if (depth == along_->size()) return element(to);
    const Along &a = (*along_)[depth];
    for (int64_t k = 0; k < a.size; ++k) {
      if (a.dimension >= 0) index_[static_cast<size_t>(a.dimension)] += k * a.step;
      const bool fine = each(depth + 1, to + k * a.stride);
      if (a.dimension >= 0) index_[static_cast<size_t>(a.dimension)] -= k * a.step;
      if (!fine) return false;
    }
    return true;
  }
  bool element(int64_t to) {
    size_t at = 0;
    for (size_t d = 0; d < index_.size(); ++d) {
      if (index_[d] >= from_->extents[d]) return true; // beyond the tensor nothing is packed
      at = at * static_cast<size_t>(from_->extents[d]) + static_cast<size_t>(index_[d]);
    }
    reached_[at] = true;
    for (int64_t unit = to; unit < to + units_; ++unit) {
      if (taken_[static_cast<size_t>(unit)]) return false;
      taken_[static_cast<size_t>(unit)] = true;
    }
    return true;
  }

  const Parameter &made_, *from_ = nullptr;
  const std::vector<Along> *along_ = nullptr;
  std::vector<bool> taken_, reached_;
  std::vector<int64_t> index_;
  int64_t units_ = 1;
};

} // namespace

bool packs_all(const Program &program, const Refuse &refuse) {
  for (const Parameter &made : program.parameters) {
    if (made.packed.empty() || count(made.extents) > most_elements) continue;
    Packed all(made);
    for (const PackedTensor &packed : made.packed) {
      const auto from = std::find_if(program.parameters.begin(), program.parameters.end(),
                                     [&](const Parameter &q) { return q.name == packed.tensor; });
      int64_t turns = 1;
      for (const Along &a : packed.along) turns = std::min(turns, most_elements + 1) * a.size;
      if (from == program.parameters.end() || turns > most_elements) continue;
      if (const auto why = all.add(packed, *from)) {
        refuse(made.node, *why);
        return false;
      }
    }
  }
  return true;
}

} // namespace htp::aie
