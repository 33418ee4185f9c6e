#include "package.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace htp::a2a3sim {

namespace {

using nlohmann::json;

struct Header {
  const char *name, *text;
};
constexpr Header headers[] = {
#include "simulator_text.inc"
};

constexpr const char *folder = "codegen/a2a3/";

// A source with everything that it includes from the package and the simulator in its place, so that the compiler reads
// the bytes that were hashed and no others.
class Flattened {
public:
  Flattened(const Context &context, bool simulated) : c(context), simulated_(simulated) {}

  std::string text(const std::string &path, const std::string &bytes) {
    std::string result = "#line 1 \"" + path + "\"\n";
    size_t number = 0;
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = std::min(bytes.find('\n', at), bytes.size());
      const std::string line = bytes.substr(at, end - at);
      at = end + 1, ++number;
      std::string name, found, where;
      if (line.find("#pragma once") == 0) continue;
      bool own = false;
      if (included(line, name, own) && find(name, own, where, found) && open_.insert(where).second) {
        const bool once = found.find("#pragma once") != std::string::npos;
        const auto guard = "HTP_INCLUDED_" + std::to_string(guards_.emplace(where, guards_.size()).first->second);
        if (once) result += "#ifndef " + guard + "\n#define " + guard + "\n";
        result += text(where, found);
        if (once) result += "#endif\n";
        result += "#line " + std::to_string(number + 1) + " \"" + path + "\"\n";
        open_.erase(where);
      } else {
        result += line + "\n";
      }
    }
    return result;
  }

private:
  static bool included(const std::string &line, std::string &name, bool &own) {
    const size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line.compare(start, 8, "#include") != 0) return false;
    const size_t open = line.find_first_of("\"<", start),
                 close = open == std::string::npos ? open : line.find_first_of("\">", open + 1);
    if (close == std::string::npos) return false;
    own = line[open] == '"';
    name = line.substr(open + 1, close - open - 1);
    return true;
  }
  // The package's own headers lie in kernels/; what is written in angle brackets is the simulator's or the compiler's.
  bool find(std::string name, bool own, std::string &where, std::string &bytes) const {
    for (const Header &h : headers)
      if (simulated_ && name == h.name) return where = name, bytes = h.text, true;
    if (!own || (!simulated_ && name.find("htp_") == std::string::npos)) return false; // the runtime's
    while (name.rfind("../", 0) == 0) name.erase(0, 3);
    where = "kernels/" + name;
    return read_package_file(c, where, bytes);
  }
  const Context &c;
  bool simulated_;
  std::set<std::string> open_; // what is being included
  std::map<std::string, size_t> guards_;
};

constexpr DTypeRow dtypes[] = {{"f32", kDLFloat, 32, 0},   {"f16", kDLFloat, 16, 1}, {"i32", kDLInt, 32, 2},
                               {"i16", kDLInt, 16, 3},     {"i8", kDLInt, 8, 4},     {"u8", kDLUInt, 8, 5},
                               {"bf16", kDLBfloat, 16, 6}, {"i64", kDLInt, 64, 7},   {"u64", kDLUInt, 64, 8},
                               {"u16", kDLUInt, 16, 9},    {"u32", kDLUInt, 32, 10}, {"bool_", kDLBool, 8, 11}};
std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const DTypeRow &row : dtypes) names.emplace_back(row.name);
  return names;
}

class Reader {
public:
  Reader(const Context &context) : c(context) {}

  std::optional<Package> registry() {
    std::string bytes;
    if (!read_package_file(c, "registry.json", bytes)) return no(Refusal(diag::missing_file, "registry.json"));
    const json j = json::parse(bytes, nullptr, false);
    if (!j.is_object()) return no(Refusal(diag::registry_json));
    if (text(j, "schema") != "htp.pto.registry/1")
      return no(Refusal(diag::registry_schema, text(j, "schema"), "htp.pto.registry/1"));
    if (find_checkouts(c, checkouts_) != HTP_OK) return std::nullopt;
    p_.contract = checkouts_ ? checkouts_.contract : std::string(c.option("contract"));
    if (!lists(j, "", {"contracts", "kernels"}) || !has(j, "", {"entry"}) || !orchestration(j["contracts"]) ||
        !entry(j["entry"]))
      return std::nullopt;
    for (size_t n = 0; n < j["kernels"].size(); ++n) {
      const json &k = j["kernels"][n];
      const std::string at = "kernels[" + std::to_string(n) + "].";
      if (!has(k, at, {"source", "core_type", "func_id"}) || !one_of(k, at, "core_type", {"aiv", "aic"}))
        return std::nullopt;
      if (!k["func_id"].is_number_integer()) return no(Refusal(diag::registry_kind, at + "func_id", "int"));
      Source s;
      s.path = text(k, "source"), s.name = text(k, "name"), s.symbol = "kernel_entry";
      s.vector = text(k, "core_type") == "aiv", s.func_id = k["func_id"].get<int>();
      if (!add(std::move(s))) return std::nullopt;
    }
    return std::move(p_);
  }

private:
  std::nullopt_t no(const Refusal &why) const {
    why.report(c, HTP_NONE);
    return std::nullopt;
  }
  // Whether the object at this path of the registry has the fields.
  bool has(const json &o, const std::string &at, std::initializer_list<const char *> fields) const {
    for (const char *field : fields)
      if (!o.is_object() || !o.contains(field)) return no(Refusal(diag::registry_lacks, at + field)), false;
    return true;
  }
  bool lists(const json &o, const std::string &at, std::initializer_list<const char *> fields) const {
    if (!has(o, at, fields)) return false;
    for (const char *field : fields)
      if (!o[field].is_array()) return no(Refusal(diag::registry_kind, at + field, "list")), false;
    return true;
  }
  bool one_of(const json &o, const std::string &at, const char *field, const std::vector<std::string> &names) const {
    std::string all;
    for (const std::string &name : names) {
      if (text(o, field) == name) return true;
      all += (all.empty() ? "`" : ", `") + name + "`";
    }
    return no(Refusal(diag::registry_value, at + field, text(o, field), all)), false;
  }
  static std::string text(const json &o, const char *key) {
    return o.is_object() && o.contains(key) && o[key].is_string() ? o[key].get<std::string>() : std::string();
  }

  static int64_t number(const json &o, const char *key, int64_t otherwise) {
    return o.is_object() && o.contains(key) && o[key].is_number_integer() ? o[key].get<int64_t>() : otherwise;
  }

  bool add(Source s) {
    std::string bytes;
    if (!read_package_file(c, s.path, bytes)) return no(Refusal(diag::missing_file, s.path)), false;
    s.text = Flattened(c, !checkouts_).text(s.path, bytes);
    p_.sources.push_back(std::move(s));
    return true;
  }
  bool orchestration(const json &contracts) {
    for (const json &k : contracts) {
      if (text(k, "id") != p_.contract) continue;
      const bool old = p_.contract == "pto-runtime/2026-03";
      Source s;
      s.orchestration = true;
      s.name = s.symbol = text(k, "function");
      if (s.symbol.empty()) s.name = s.symbol = old ? "build_graph" : "aicpu_orchestration_entry";
      p_.config = text(k, "config");
      if (p_.config.empty()) p_.config = "aicpu_orchestration_config";
      const json &paths = k.contains("orchestration") ? k["orchestration"] : json();
      if (checkouts_) {
        s.path = text(paths, checkouts_.flavour.c_str());
        if (s.path.empty()) return no(Refusal(diag::no_orchestration, p_.contract, checkouts_.flavour)), false;
      } else {
        s.path = text(paths, "host_build_graph");
        if (s.path.empty()) s.path = text(paths, "tensormap_and_ringbuffer");
        if (s.path.empty()) return no(Refusal(diag::no_orchestration, p_.contract, "host_build_graph")), false;
      }
      return add(std::move(s));
    }
    return no(Refusal(diag::no_contract, p_.contract)), false;
  }
  bool entry(const json &j) {
    p_.entry = text(j, "name");
    if (!lists(j, "entry.", {"dims", "parameters"})) return false;
    for (const json &d : j["dims"]) {
      p_.dims.push_back(d.is_string() ? d.get<std::string>() : text(d, "name"));
      Limit limit;
      limit.extent.dim = p_.dims.size() - 1;
      limit.least = number(d, "least", 0), limit.most = number(d, "most", INT64_MAX);
      p_.limits.push_back(std::move(limit));
    }
    for (const json &i : j.contains("ints") && j["ints"].is_array() ? j["ints"] : json::array())
      p_.dims.push_back(text(i, "name")), ++p_.ints;
    for (const json &l : j.contains("limits") && j["limits"].is_array() ? j["limits"] : json::array()) {
      const std::string at = "entry.limits[" + std::to_string(p_.limits.size() - j["dims"].size()) + "].";
      Limit limit;
      if (!has(l, at, {"extent"})) return false;
      if (!read_extent(l["extent"], p_.dims, limit.extent))
        return no(Refusal(diag::registry_extent, at + "extent")), false;
      limit.least = number(l, "least", 0), limit.most = number(l, "most", INT64_MAX);
      p_.limits.push_back(std::move(limit));
    }
    for (const json &q : j["parameters"]) {
      const std::string at = "entry.parameters[" + std::to_string(p_.parameters.size()) + "].";
      if (!has(q, at, {"name", "direction", "dtype"}) || !lists(q, at, {"dims"}) ||
          !one_of(q, at, "direction", {"in", "out", "inout"}) || !one_of(q, at, "dtype", dtype_names()))
        return false;
      Parameter parameter{text(q, "name"), text(q, "direction"), text(q, "dtype"), {}, {}};
      for (const json &d : q["dims"])
        if (Extents e; read_extent(d, p_.dims, e))
          parameter.dims.push_back(std::move(e));
        else
          return no(Refusal(diag::registry_extent, at + "dims[" + std::to_string(parameter.dims.size()) + "]")), false;
      if (!steps(q, at, parameter)) return false;
      if (parameter.dims.size() > 5 && parameter.steps.empty()) // with steps it is a vector to the runtime
        return no(Refusal(diag::registry_rank, at + "dims", parameter.dims.size())), false;
      p_.parameters.push_back(std::move(parameter));
    }
    return true;
  }

  // Of a parameter that does not lie row-major: its extents are numbers then.
  bool steps(const json &q, const std::string &at, Parameter &parameter) const {
    if (!q.contains("steps")) return true;
    const json &all = q["steps"];
    std::vector<int64_t> shape;
    bool good = all.is_array() && all.size() == parameter.dims.size() && !all.empty();
    for (size_t d = 0; good && d < all.size(); ++d) {
      good = all[d].is_number_integer() && all[d].get<int64_t>() >= 0 && parameter.dims[d].fixed >= 0;
      if (good) parameter.steps.push_back(all[d].get<int64_t>()), shape.push_back(parameter.dims[d].fixed);
    }
    good = good && layout::array_span(parameter.steps, shape) < INT64_MAX / 8;
    if (!good) no(Refusal(diag::registry_kind, at + "steps", "list of a number for each dimension"));
    return good;
  }

  const Context &c;
  Checkouts checkouts_;
  Package p_;
};

} // namespace

bool read_package_file(const Context &c, const std::string &path, std::string &bytes) {
  htp_str text{};
  if (path.find("..") != std::string::npos || c.host()->read_file(c.ctx(), str(folder + path), &text) != HTP_OK)
    return false;
  bytes = std::string(view(text));
  return true;
}

bool read_program(const Context &c, std::string &path, std::string &program) {
  htp_str text{};
  path.clear(), program.clear();
  if (c.host()->read_file(c.ctx(), str("manifest.json"), &text) != HTP_OK) return false;
  const json manifest = json::parse(view(text), nullptr, false);
  if (!manifest.is_object() || !manifest.contains("stages") || !manifest["stages"].is_array() ||
      manifest["stages"].empty())
    return true;
  const json &last = manifest["stages"].back();
  if (!last.is_object() || !last.contains("path") || !last["path"].is_string()) return true;
  path = last["path"].get<std::string>();
  if (c.host()->read_file(c.ctx(), str(path), &text) != HTP_OK) return false;
  program = std::string(view(text));
  return true;
}

std::optional<Package> read_package(const Context &c) { return Reader(c).registry(); }

const DTypeRow *dtype_row(std::string_view name) {
  for (const DTypeRow &row : dtypes)
    if (name == row.name) return &row;
  return nullptr;
}

} // namespace htp::a2a3sim
