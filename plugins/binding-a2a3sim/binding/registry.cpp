#include "registry.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace htp::a2a3sim {

using nlohmann::json;

namespace {

const json &list(const json &registry, const char *key) {
  static const json none = json::array();
  return registry.contains(key) && registry[key].is_array() ? registry[key] : none;
}

// An extent of sizes, ints, and what is computed of them before the tasks.
std::optional<int64_t> number_of(const Package &p, const json &registry, const json &extent,
                                 std::vector<int64_t> dims) {
  std::vector<std::string> names = p.dims;
  const auto value = [&](const json &of) {
    Extents e;
    return read_extent(of, names, e) ? value_of(e, dims) : std::nullopt;
  };
  for (const json &c : list(registry, "computed")) {
    const auto is = c.contains("value") ? value(c["value"]) : std::nullopt;
    if (!is) return std::nullopt;
    names.push_back(c.value("name", "")), dims.push_back(*is);
  }
  return value(extent);
}

// An int of an orchestration as the registry writes it.
json json_of(const Expr &e) {
  if (e.kind == Expr::Kind::integer) return e.integer;
  const auto of = [&](const char *op, size_t first) {
    return json::array({op, json_of(e.children[first]), json_of(e.children[first + 1])});
  };
  if (e.kind == Expr::Kind::unary) return json::array({"-", 0, json_of(e.children[0])});
  if (e.kind == Expr::Kind::binary) return of(e.text.c_str(), 0);
  constexpr std::pair<const char *, const char *> names[] = {
      {"htp_floordiv", "//"}, {"htp_mod", "%"}, {"htp_min", "min"}, {"htp_max", "max"}};
  for (const auto &[name, op] : names)
    if (e.kind == Expr::Kind::call && e.children.size() == 3 && e.children[0].text == name) return of(op, 1);
  return e.text;
}

} // namespace

std::map<std::string, std::vector<int64_t>> shapes_of(const Package &p, const json &registry,
                                                      const std::vector<int64_t> &dims) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const Parameter &q : p.parameters)
    for (const Extents &e : q.dims) shapes[q.name].push_back(value_of(e, dims).value_or(0));
  for (const json &b : list(registry, "buffers"))
    for (const json &d : b.value("dims", json::array()))
      shapes[b.value("name", "")].push_back(std::max<int64_t>(0, number_of(p, registry, d, dims).value_or(0)));
  return shapes;
}

Spread spread_of(const Parameter &q, const std::vector<int64_t> &dims) {
  const uint64_t element = dtype_row(q.dtype)->bits / 8u;
  std::vector<int64_t> shape;
  for (const Extents &e : q.dims) shape.push_back(std::max<int64_t>(0, value_of(e, dims).value_or(0)));
  if (!q.steps.empty()) return Spread::strided(std::move(shape), q.steps, element);
  uint64_t bytes = element;
  for (const int64_t extent : shape) bytes *= static_cast<uint64_t>(extent);
  return {bytes};
}

std::optional<uint64_t> bytes_of_buffer(const Package &p, const json &registry, const std::string &name,
                                        const std::vector<int64_t> &dims) {
  for (const json &b : list(registry, "buffers")) {
    const DTypeRow *row = dtype_row(b.value("dtype", ""));
    if (b.value("name", "") != name || !row || !b.contains("dims")) continue;
    uint64_t bytes = row->bits / 8u;
    for (const json &d : b["dims"]) {
      const auto value = number_of(p, registry, d, dims);
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
  for (const json &t : list(registry, "tasks")) {
    if (t.value("func_id", -1) != id) continue;
    if (found) return std::nullopt;
    found.emplace();
    for (const json &l : t.value("for", json::array())) {
      if (!l.contains("stop") || !l.contains("step")) return std::nullopt;
      const auto end = number_of(p, registry, l["stop"], dims), by = number_of(p, registry, l["step"], dims);
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

namespace {

// What an orchestration says: the ints before its loops, and of the tasks of each kernel the loops around.
struct Around {
  std::map<std::string, json> ints;
  std::map<int64_t, json> tasks;

  void submitted(const Expr &e, const json &loops) {
    constexpr std::pair<std::string_view, size_t> names[] = {
        {"add_task", 3}, {"pto2_rt_submit_task", 2}, {"rt_submit_aic_task", 1}, {"rt_submit_aiv_task", 1}};
    for (const auto &[name, kernel] : names)
      if (e.kind == Expr::Kind::call && e.children[0].text == name && e.children.size() > kernel)
        tasks[e.children[kernel].integer] = loops;
    for (const Expr &p : e.children) submitted(p, loops);
  }
  void walk(const std::vector<Statement> &body, const json &loops) {
    for (const Statement &s : body) {
      for (const Expr &e : s.arguments) submitted(e, loops);
      submitted(s.value, loops);
      if (s.kind == Statement::Kind::declare && s.arguments.size() == 1) ints.emplace(s.name, json_of(s.arguments[0]));
      if (s.kind == Statement::Kind::block) walk(s.body, loops);
      if (s.kind != Statement::Kind::loop) continue;
      const Expr &step = s.step;
      if (s.first.size() != 1 || s.value.kind != Expr::Kind::binary || s.value.children.size() != 2 ||
          step.kind != Expr::Kind::assign || step.children.size() != 2)
        continue;
      json loop{{"part", s.first[0].name}, {"stop", json_of(s.value.children[1])}, {"step", json_of(step.children[1])}};
      if (step.children[1].kind == Expr::Kind::name) loop["by"] = step.children[1].text;
      json inner = loops;
      inner.push_back(std::move(loop));
      walk(s.body, inner);
    }
  }
};

} // namespace

bool same_loops(const json &registry, const std::vector<Statement> &body) {
  Around around;
  around.walk(body, json::array());
  for (const json &c : list(registry, "computed")) {
    const auto it = around.ints.find(c.value("name", ""));
    if (it == around.ints.end() || !c.contains("value") || it->second != c["value"]) return false;
  }
  const json &tasks = list(registry, "tasks");
  return std::all_of(tasks.begin(), tasks.end(), [&](const json &t) {
    return !t.contains("for") || t["for"] == around.tasks[t.value("func_id", -1)];
  });
}

} // namespace htp::a2a3sim
