#include "registry.h"

namespace htp::a2a3sim {

using nlohmann::json;

std::map<std::string, std::vector<int64_t>> shapes_of(const Package &p, const json &registry,
                                                      const std::vector<int64_t> &dims) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const Parameter &q : p.parameters)
    for (const Extents &e : q.dims) shapes[q.name].push_back(value_of(e, dims).value_or(0));
  if (!registry.contains("buffers") || !registry["buffers"].is_array()) return shapes;
  for (const json &b : registry["buffers"])
    for (const json &d : b.value("dims", json::array()))
      if (Extents e; read_extent(d, p.dims, e))
        shapes[b.value("name", "")].push_back(std::max<int64_t>(0, value_of(e, dims).value_or(0)));
  return shapes;
}

uint64_t bytes_of_parameter(const Parameter &q, const std::vector<int64_t> &dims) {
  uint64_t bytes = dtype_row(q.dtype)->bits / 8u;
  for (const Extents &e : q.dims) bytes *= static_cast<uint64_t>(std::max<int64_t>(0, value_of(e, dims).value_or(0)));
  return std::max<uint64_t>(1, bytes);
}

std::optional<uint64_t> bytes_of_buffer(const Package &p, const json &registry, const std::string &name,
                                        const std::vector<int64_t> &dims) {
  if (!registry.contains("buffers") || !registry["buffers"].is_array()) return std::nullopt;
  for (const json &b : registry["buffers"]) {
    const DTypeRow *row = dtype_row(b.value("dtype", ""));
    if (b.value("name", "") != name || !row || !b.contains("dims")) continue;
    uint64_t bytes = row->bits / 8u;
    for (const json &d : b["dims"]) {
      Extents e;
      const auto value = read_extent(d, p.dims, e) ? value_of(e, dims) : std::nullopt;
      if (!value) return std::nullopt;
      bytes *= static_cast<uint64_t>(std::max<int64_t>(0, *value));
    }
    return std::max<uint64_t>(1, bytes);
  }
  return std::nullopt;
}

std::optional<std::vector<TaskLoop>> loops_of(const Package &p, const json &registry, int id,
                                              const std::vector<int64_t> &dims) {
  std::optional<std::vector<TaskLoop>> found;
  if (!registry.contains("tasks") || !registry["tasks"].is_array()) return found;
  for (const json &t : registry["tasks"]) {
    if (t.value("func_id", -1) != id) continue;
    if (found) return std::nullopt;
    found.emplace();
    for (const json &l : t.value("for", json::array())) {
      Extents stop, step;
      if (!l.contains("stop") || !l.contains("step") || !read_extent(l["stop"], p.dims, stop) ||
          !read_extent(l["step"], p.dims, step))
        return std::nullopt;
      const auto end = value_of(stop, dims), by = value_of(step, dims);
      if (!end || !by || *by < 1) return std::nullopt;
      found->push_back({l.value("part", ""), l.value("by", ""), *end, *by});
    }
  }
  return found;
}

std::optional<int64_t> scalar_of(const Package &p, const json &registry, const std::string &name, int id,
                                 int64_t number, const std::vector<int64_t> &dims) {
  for (size_t d = 0; d < p.dims.size(); ++d)
    if (p.dims[d] == name) return dims[d];
  const auto loops = loops_of(p, registry, id, dims);
  if (!loops) return std::nullopt;
  for (auto l = loops->rbegin(); l != loops->rend(); ++l) {
    if (l->by == name) return l->step;
    if (l->rounds() < 1) return std::nullopt;
    if (l->part == name) return number % l->rounds() * l->step;
    number /= l->rounds();
  }
  return std::nullopt;
}

} // namespace htp::a2a3sim
