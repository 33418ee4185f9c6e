#include "signature.h"

#include "htp_cpp/grids.h"

#include <nlohmann/json.hpp>

namespace htp::cpu::bind {

namespace {

using nlohmann::json;

constexpr int64_t most_instances = 1 << 20; // of the processes of a package, and of channels of an array
constexpr const char *signature_path = "codegen/cpu/signature.json", *recipe_path = "build/recipe.json";

// Reads typed fields; the first that is wrong is reported, with its file.
class Fields {
public:
  Fields(const Context &c, const char *path) : c_(c), path_(path) {}
  bool parse(json &out) {
    std::string bytes;
    if (!read_file(c_, path_, bytes)) return false;
    out = json::parse(bytes, nullptr, false);
    return out.is_object() || no(diag::no_json);
  }
  template <class... A> bool no(const DiagKind &kind, const A &...arguments) const {
    c_.report(kind, HTP_NONE, path_, arguments...);
    return false;
  }
  bool text(const json &o, const char *key, std::string &out) const {
    if (!o.is_object() || !o.contains(key) || !o[key].is_string()) return no(diag::bad_field, key, "a string");
    out = o[key].get<std::string>();
    return true;
  }
  bool texts(const json &o, const char *key, std::vector<std::string> &out) const {
    if (!array(o, key)) return false;
    for (const json &item : o[key]) {
      if (!item.is_string()) return no(diag::bad_field, key, "a list of strings");
      out.push_back(item.get<std::string>());
    }
    return true;
  }
  bool array(const json &o, const char *key) const {
    return (o.is_object() && o.contains(key) && o[key].is_array()) || no(diag::bad_field, key, "a list");
  }
  bool schema(const json &o, std::string_view wanted) const {
    std::string found;
    return text(o, "schema", found) && (found == wanted || no(diag::other_version, "schema", found, wanted));
  }

private:
  const Context &c_;
  const char *path_;
};

// A number, a dim's name, or `["+", "M", 2]`.
bool read_extent(const Fields &f, const json &d, const Entry &entry, sdk::MaybeInt &extent, unsigned depth = 0) {
  if (d.is_number_integer() && d.get<int64_t>() >= 0) {
    extent = d.get<int64_t>();
  } else if (d.is_string()) {
    const auto name = d.get<std::string>();
    if (std::find(entry.dims.begin(), entry.dims.end(), name) == entry.dims.end()) return f.no(diag::bad_extent, name);
    extent = sdk::IntExpr::symbol(name);
  } else if (d.is_array() && d.size() == 3 && d[0].is_string() && depth < 64) {
    const auto op = d[0].get<std::string>();
    sdk::MaybeInt a, b;
    if (!read_extent(f, d[1], entry, a, depth + 1) || !read_extent(f, d[2], entry, b, depth + 1)) return false;
    const std::optional<int64_t> by = b ? b->constant() : std::nullopt;
    if (op == "+")
      extent = a + b;
    else if (op == "-")
      extent = a - b;
    else if (op == "*")
      extent = a * b;
    else if (op == "//")
      extent = by ? sdk::floor_div(a, *by) : std::nullopt;
    else if (op == "%")
      extent = by ? sdk::remainder(a, *by) : std::nullopt;
    else
      return f.no(diag::bad_extent, op);
  } else {
    return f.no(diag::bad_extent, d.dump());
  }
  return true;
}

bool read_parameter(const Fields &f, const json &j, const Entry &entry, Parameter &p) {
  if (!f.text(j, "name", p.name) || !f.array(j, "dims")) return false;
  p.stored = j.contains("storage");
  for (const json &step : j.value("steps", json::array()))
    p.steps.push_back(step.is_string() ? step.get<std::string>() : std::string());
  for (const json &d : j["dims"]) {
    sdk::MaybeInt extent;
    if (!read_extent(f, d, entry, extent)) return false;
    p.extents.push_back(std::move(extent));
  }
  return true;
}

bool read_node(const Fields &f, const json &j, uint32_t &node) {
  if (!j.contains("place") || !j["place"].is_number_unsigned()) return f.no(diag::bad_field, "place", "a number");
  node = j["place"].get<uint32_t>();
  return true;
}

bool read_extents(const Fields &f, const json &j, const char *key, std::vector<int64_t> &extents) {
  if (!f.array(j, key)) return false;
  for (const json &extent : j[key]) {
    if (!extent.is_number_integer() || extent.get<int64_t>() < 1)
      return f.no(diag::bad_field, key, "a list of extents");
    extents.push_back(extent.get<int64_t>());
  }
  return sdk::position_count(extents) <= most_instances || f.no(diag::bad_field, key, "a list of small extents");
}

// What a traced call tells of.
bool read_tracing(const Fields &f, const json &e, Entry &entry) {
  if (!f.text(e, "traced", entry.traced) || !f.array(e, "processes") || !f.array(e, "sites")) return false;
  for (const json &p : e["processes"]) {
    Instance one;
    std::vector<int64_t> grid;
    if (!f.text(p, "name", one.name) || !read_extents(f, p, "grid", grid) || !read_node(f, p, one.node)) return false;
    const std::string name = one.name;
    sdk::each_position(grid, [&](const std::vector<int64_t> &at) {
      one.name = sdk::named_position(name, at);
      entry.instances.push_back(one);
    });
    if (static_cast<int64_t>(entry.instances.size()) > most_instances)
      return f.no(diag::bad_field, "processes", "a list of fewer processes");
  }
  for (const json &s : e["sites"]) {
    Site &site = entry.sites.emplace_back();
    if (!f.text(s, "waits", site.waits) || !f.text(s, "channel", site.channel) ||
        !read_extents(f, s, "array", site.array) || !read_node(f, s, site.node))
      return false;
  }
  if (e.contains("ends") && !f.array(e, "ends")) return false;
  for (const json &j : e.value("ends", json::array())) {
    std::string channel;
    if (!f.text(j, "channel", channel) || !j.contains("lane") || !j["lane"].is_number_integer())
      return f.no(diag::bad_field, "lane", "a number");
    ChannelEnds &ends = entry.ends[{channel, j["lane"].get<int64_t>()}];
    for (const auto &[key, list] : {std::pair{"writers", &ends.writers}, std::pair{"readers", &ends.readers}}) {
      if (!f.array(j, key)) return false;
      for (const json &n : j[key]) {
        if (!n.is_number_unsigned() || n.get<size_t>() >= entry.instances.size())
          return f.no(diag::bad_field, key, "a list");
        list->push_back(n.get<size_t>());
      }
    }
  }
  return true;
}

} // namespace

bool read_file(const Context &c, const std::string &path, std::string &bytes) {
  htp_str text{};
  if (c.host()->read_file(c.ctx(), str(path), &text) != HTP_OK) {
    c.report(diag::unreadable, HTP_NONE, path);
    return false;
  }
  bytes = std::string(view(text));
  return true;
}

bool read_signature(const Context &c, std::vector<Entry> &entries) {
  Fields f(c, signature_path);
  json j;
  std::string contract;
  if (!f.parse(j) || !f.schema(j, "htp.cpu.signature/1") || !f.text(j, "contract", contract) || !f.array(j, "entries"))
    return false;
  if (contract != "cpu/1") return f.no(diag::other_version, "contract", contract, "cpu/1");
  for (const json &e : j["entries"]) {
    Entry entry;
    if (!f.text(e, "name", entry.name) || !f.text(e, "call", entry.call) || !f.texts(e, "dims", entry.dims) ||
        !f.array(e, "parameters"))
      return false;
    for (const json &p : e["parameters"]) {
      Parameter parameter;
      if (!read_parameter(f, p, entry, parameter)) return false;
      entry.parameters.push_back(std::move(parameter));
    }
    if (e.contains("why") && (!f.text(e, "why", entry.why) || !f.array(e, "checks"))) return false;
    for (const json &k : e.value("checks", json::array())) {
      Check check;
      if (!f.text(k, "what", check.what)) return false;
      for (const auto &[key, number] : {std::pair{"place", &check.node}, std::pair{"statement", &check.statement}}) {
        if (!k.contains(key) || !k[key].is_number_unsigned()) return f.no(diag::bad_field, key, "a number");
        *number = k[key].get<uint32_t>();
      }
      if (k.contains("tensor") && !f.text(k, "tensor", check.tensor)) return false;
      if (k.contains("dimension") && k["dimension"].is_number_integer())
        check.dimension = k["dimension"].get<int64_t>();
      entry.checks.push_back(std::move(check));
    }
    if (e.contains("traced") && !read_tracing(f, e, entry)) return false;
    entries.push_back(std::move(entry));
  }
  return !entries.empty() || f.no(diag::bad_field, "entries", "a list with an entry");
}

bool read_recipe(const Context &c, Recipe &r) {
  Fields f(c, recipe_path);
  json j;
  if (!f.parse(j) || !f.schema(j, "htp.cpu.recipe/1") || !f.texts(j, "compilers", r.compilers) ||
      !f.texts(j, "flags", r.flags) || !f.texts(j, "optional", r.optional) || !f.texts(j, "libraries", r.libraries) ||
      !f.texts(j, "sources", r.sources) || !f.texts(j, "compile", r.compile) || !f.text(j, "output", r.output))
    return false;
  // The recipe comes from a file: it may name files of the package, and what the C compiler makes of them, nothing
  // else.
  for (const auto *list : {&r.sources, &r.compile})
    for (const std::string &path : *list)
      if (path.rfind("codegen/cpu/", 0) != 0 || path.find("..") != std::string::npos)
        return f.no(diag::not_allowed, path, "source");
  for (const std::string &path : r.compile)
    if (std::find(r.sources.begin(), r.sources.end(), path) == r.sources.end())
      return f.no(diag::not_allowed, path, "source");
  for (const std::string &library : r.libraries)
    if (library != "m") return f.no(diag::not_allowed, library, "library");
  if (r.output.empty() || r.output.find('/') != std::string::npos)
    return f.no(diag::not_allowed, r.output, "file name");
  for (const auto *list : {&r.flags, &r.optional})
    for (const std::string &flag : *list)
      if (flag.rfind("-f", 0) != 0 && flag.rfind("-m", 0) != 0 && flag.rfind("-O", 0) != 0 &&
          flag.rfind("-std=", 0) != 0 && flag != "-shared" && flag != "-pthread")
        return f.no(diag::not_allowed, flag, "flag");
  for (const auto *list : {&r.flags, &r.optional})
    for (const std::string &flag : *list)
      if (flag.rfind("-fplugin", 0) == 0) return f.no(diag::not_allowed, flag, "flag");
  return true;
}

} // namespace htp::cpu::bind
