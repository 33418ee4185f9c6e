// What no transfer brings as it is: numbers, and what is loaded with a border. The host makes tensors of it before it
// starts, and streams go through these.
#include "processes/processes.h"

#include <algorithm>

namespace htp::aie::processes {

namespace {

class Rooms {
public:
  explicit Rooms(Processes &all) : all_(all), given_(all.parameters.size()) {
    for (Process &p : all.processes)
      each(p.body, [&](const Item &i) {
        if (i.kind == Item::Kind::load) spelled_[all.accesses[i.access].tensor] = &p.buffers.at(i.tile);
      });
  }
  void run(const Context &c) {
    for (size_t t = 0; t < given_; ++t) {
      const auto spelled = spelled_.find(t);
      if (spelled == spelled_.end()) continue;
      const std::string dtype = c.show(spelled->second->dtype);
      if (all_.parameters[t].scalar)
        number(t, dtype);
      else
        border(t, dtype);
    }
  }

private:
  // A number behind those of its dtype.
  void number(size_t t, const std::string &dtype) {
    const Parameter &q = all_.parameters[t];
    const auto at = std::find_if(all_.rooms.begin(), all_.rooms.end(), [&](const auto &room) {
      const Parameter &other = all_.parameters[room.first];
      return other.dtype == q.dtype && !other.places.empty() && other.places[0].along.empty();
    });
    const size_t room = at == all_.rooms.end() ? make(q, q.name + "_packed", {0}, dtype) : at->first;
    Parameter &made = all_.parameters[room];
    const int64_t place = made.extents[0]++;
    made.padded = made.extents;
    made.places.push_back({q.name, place, {}});
    for (Access &a : all_.accesses)
      if (a.tensor == t) a.tensor = room, a.index[0].start = place;
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
    const size_t room = make(q, q.name + "_bordered", end, dtype);
    Parameter &made = all_.parameters[room];
    Place place{q.name, 0, {}};
    int64_t stride = 1;
    for (size_t d = end.size(); d-- > 0; stride *= end[d]) {
      place.along.insert(place.along.begin(), {q.extents[d], static_cast<int64_t>(d), 1, stride});
      place.at += before[d] * stride;
    }
    made.places = {place};
    for (Access &a : all_.accesses)
      if (a.tensor == t && a.bordered) {
        a.tensor = room;
        for (size_t d = 0; d < end.size(); ++d) a.index[d].start += before[d], a.index[d].block.reset();
      }
  }
  size_t make(const Parameter &of, const std::string &name, const std::vector<int64_t> &extents,
              const std::string &dtype) {
    Parameter made;
    made.name = name, made.direction = "in", made.dtype = of.dtype, made.node = of.node;
    made.extents = made.padded = extents;
    all_.parameters.push_back(std::move(made));
    all_.rooms[all_.parameters.size() - 1] = dtype;
    return all_.parameters.size() - 1;
  }

  Processes &all_;
  const size_t given_; // parameters of the entry
  std::map<size_t, const Buffer *> spelled_;
};

} // namespace

void make_rooms(const Context &c, Processes &all) { Rooms(all).run(c); }

} // namespace htp::aie::processes
