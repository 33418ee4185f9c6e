#include "run.h"

#include "htp_cpp/arguments.h"

namespace htp::cpu::bind {

std::optional<Frame> frame_of(const Context &c, const Entry &entry, std::span<const htp_argument> arguments) {
  Frame frame;
  std::map<std::string, int64_t> sizes;
  for (const Parameter &p : entry.parameters) {
    const DLTensor *t = sdk::argument(arguments, p.name);
    if (!t || static_cast<size_t>(t->ndim) != (p.stored ? 1 : p.extents.size())) {
      c.report(diag::other_parameter, HTP_NONE, p.name);
      return std::nullopt;
    }
    frame.tensors.push_back(sdk::address(*t));
    for (size_t d = 0; d < p.extents.size() && !p.stored; ++d)
      if (const auto size = p.extents[d] ? sdk::size_by(*p.extents[d], t->shape[d]) : std::nullopt) sizes.insert(*size);
  }
  // Steps that are dims: of one element there is none.
  for (const bool several : {true, false})
    for (const Parameter &p : entry.parameters)
      for (size_t d = 0; d < p.steps.size(); ++d) {
        const DLTensor *t = sdk::argument(arguments, p.name);
        if (p.steps[d].empty() || d >= static_cast<size_t>(t->ndim) || (t->shape[d] > 1) != several) continue;
        int64_t rows = 1;
        for (size_t k = d + 1; k < static_cast<size_t>(t->ndim); ++k) rows *= t->shape[k];
        sizes.emplace(p.steps[d], t->strides ? t->strides[d] : rows);
      }
  for (const std::string &name : entry.dims) frame.dims.push_back(sizes[name]);
  return frame;
}

} // namespace htp::cpu::bind
