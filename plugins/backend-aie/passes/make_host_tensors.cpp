// aie.make_host_tensors: what no transfer brings as it is, numbers and what is loaded with a border. The host makes
// tensors of it before it starts, and loads are of these.
#include "passes.h"

#include "on_cores.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

class HostTensors {
public:
  explicit HostTensors(Cores &all) : all_(all), given_(all.parameters.size()) {
    for (Process &p : all.processes)
      each(p.body, [&](const Item &i) {
        if (i.kind == Item::Kind::load) spelled_[all.accesses[i.access].tensor] = &p.buffers.at(i.tile);
      });
  }
  bool run(const Context &c) {
    for (size_t t = 0; t < given_; ++t) {
      const auto spelled = spelled_.find(t);
      if (spelled == spelled_.end()) continue;
      const std::string dtype = c.show(spelled->second->dtype);
      if (all_.parameters[t].scalar)
        number(t, dtype);
      else
        border(t, dtype);
    }
    return all_.parameters.size() != given_;
  }

private:
  // A number behind those of its dtype.
  void number(size_t t, const std::string &dtype) {
    const Parameter &q = all_.parameters[t];
    const auto at = std::find_if(all_.host_made.begin(), all_.host_made.end(), [&](const auto &made) {
      const Parameter &other = all_.parameters[made.first];
      return other.dtype == q.dtype && !other.packed.empty() && other.packed[0].along.empty();
    });
    const size_t tensor = at == all_.host_made.end() ? make(q, q.name + "_packed", {0}, dtype) : at->first;
    Parameter &made = all_.parameters[tensor];
    const int64_t row = made.extents[0]++;
    made.padded = made.extents;
    made.packed.push_back({q.name, row, {}});
    for (Access &a : all_.accesses)
      if (a.tensor == t) a.tensor = tensor, a.index[0].start = row, a.changed = true;
  }
  // A tensor in the middle of zeros, as far as is loaded of them.
  void border(size_t t, const std::string &dtype) {
    const Parameter q = all_.parameters[t];
    std::vector<int64_t> before(q.extents.size()), end = q.extents;
    bool any = false;
    for (const Access &a : all_.accesses) {
      if (a.tensor != t || !a.bordered) continue;
      any = true;
      for (size_t d = 0; d < end.size(); ++d) {
        int64_t last = a.index[d].end();
        for (const auto &[loop, step] : a.index[d].steps) last += step * (all_.loops[loop].times - 1);
        before[d] = std::max(before[d], -a.index[d].start), end[d] = std::max(end[d], last);
      }
    }
    if (!any) return;
    for (size_t d = 0; d < end.size(); ++d) end[d] += before[d];
    const size_t tensor = make(q, q.name + "_bordered", end, dtype);
    Parameter &made = all_.parameters[tensor];
    PackedTensor slice{q.name, 0, {}};
    int64_t stride = 1;
    for (size_t d = end.size(); d-- > 0; stride *= end[d]) {
      slice.along.insert(slice.along.begin(), {q.extents[d], static_cast<int64_t>(d), 1, stride});
      slice.at += before[d] * stride;
    }
    made.packed = {slice};
    for (Access &a : all_.accesses)
      if (a.tensor == t && a.bordered) {
        a.tensor = tensor, a.bordered = false, a.changed = true;
        for (size_t d = 0; d < end.size(); ++d) a.index[d].start += before[d];
      }
  }
  size_t make(const Parameter &of, const std::string &name, const std::vector<int64_t> &extents,
              const std::string &dtype) {
    Parameter made;
    made.name = fresh(all_, name), made.direction = "in", made.dtype = of.dtype, made.node = of.node;
    made.extents = made.padded = extents;
    all_.parameters.push_back(std::move(made));
    all_.host_made[all_.parameters.size() - 1].dtype = dtype;
    return all_.parameters.size() - 1;
  }

  Cores &all_;
  const size_t given_; // parameters of the entry
  std::map<size_t, const Buffer *> spelled_;
};

} // namespace

bool make_host_tensors(const Context &c, Cores &all) { return HostTensors(all).run(c); }

} // namespace htp::aie::cores

namespace htp::aie {

Node with_host_tensors(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    return cores::make_host_tensors(context, all);
  });
}

} // namespace htp::aie
