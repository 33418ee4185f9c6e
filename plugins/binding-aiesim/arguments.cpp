// The package's files, and arguments against its entry's signature.
#include "binding.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp::aiesim {

namespace {
using nlohmann::json;

bool read(const Context &c, const char *name, std::string &bytes) {
  htp_str text{};
  if (c.host()->read_file(c.ctx(), str(std::string("codegen/aie/") + name), &text) != HTP_OK) return false;
  bytes = std::string(view(text));
  return true;
}

int64_t count(const std::vector<int64_t> &extents) {
  int64_t n = 1;
  for (const int64_t e : extents) n *= e;
  return n;
}

bool extents_of(const json &j, const char *key, std::vector<int64_t> &out) {
  if (!j.contains(key) || !j[key].is_array()) return false;
  int64_t n = 1;
  for (const json &e : j[key]) {
    if (!e.is_number_integer() || e.get<int64_t>() < 1 || __builtin_mul_overflow(n, e.get<int64_t>(), &n) ||
        n > (int64_t{1} << 34))
      return false;
    out.push_back(e.get<int64_t>());
  }
  return true;
}

std::string text_of(const Parameter &p) {
  std::string text = "`" + p.name + "` is a `Tensor[" + std::string(p.dtype->word);
  for (const int64_t e : p.extents) text += ", " + std::to_string(e);
  return text + "]`";
}
} // namespace

std::optional<Package> read_package(const Context &c) {
  const auto no = [&](const std::string &what) {
    c.report(diag::bad_package, HTP_NONE, what);
    return std::nullopt;
  };
  Package p;
  std::string text, mapping;
  if (!read(c, "aie.mlir", text)) return no("it has no `codegen/aie/aie.mlir`");
  if (!read(c, "mapping.json", mapping)) return no("it has no `codegen/aie/mapping.json`");
  const json j = json::parse(mapping, nullptr, false);
  if (!j.is_object() || j.value("schema", json()) != "htp.aie.mapping/1" || !j.contains("entry") ||
      !j["entry"].is_string() || !j.contains("mlir_aie") || !j["mlir_aie"].is_string() || !j.contains("parameters") ||
      !j["parameters"].is_array())
    return no("`mapping.json` is not of schema `htp.aie.mapping/1`");
  p.entry = j["entry"].get<std::string>();
  p.version = j["mlir_aie"].get<std::string>(), p.text = text;
  for (const json &k : j["parameters"]) {
    Parameter q;
    if (!k.is_object() || !k.contains("name") || !k["name"].is_string() || !k.contains("direction") ||
        !k["direction"].is_string() || !k.contains("dtype") || !k["dtype"].is_string() ||
        !extents_of(k, "extents", q.extents) || !extents_of(k, "padded", q.padded))
      return no("a parameter in `mapping.json` lacks `name`, `direction`, `dtype`, `extents` or `padded`");
    q.name = k["name"].get<std::string>(), q.direction = k["direction"].get<std::string>();
    q.dtype = dtype_named(k["dtype"].get<std::string>());
    bool fits = q.dtype && q.extents.size() == q.padded.size();
    for (size_t d = 0; fits && d < q.extents.size(); ++d) fits = q.padded[d] >= q.extents[d];
    if (!fits) return no("the padding of `" + q.name + "` in `mapping.json` does not hold it");
    p.parameters.push_back(std::move(q));
  }
  try {
    p.module = read_module(text);
    check_legal(p.module);
  } catch (const Wrong &wrong) {
    tell(c, wrong, text);
    return std::nullopt;
  }
  bool same = p.module.arguments.size() == p.parameters.size();
  for (size_t k = 0; same && k < p.parameters.size(); ++k)
    same = p.module.arguments[k].second.dtype == p.parameters[k].dtype &&
           p.module.arguments[k].second.count() == count(p.parameters[k].padded);
  if (!same) return no("the runtime sequence takes other buffers than `mapping.json` says");
  return p;
}

std::optional<std::vector<void *>> check_arguments(const Context &c, const Package &p, const htp_argument *arguments,
                                                   uint32_t given) {
  const auto no = [&](const std::string &what, const std::string &hint) {
    c.report(diag::wrong_arguments, HTP_NONE, what).hint(hint);
    return std::nullopt;
  };
  std::string names;
  for (const Parameter &q : p.parameters) names += (names.empty() ? "`" : ", `") + q.name + "`";
  if (given != p.parameters.size())
    return no("`" + p.entry + "` has " + std::to_string(p.parameters.size()) + " parameters, and is given " +
                  std::to_string(given) + " arguments",
              "its parameters are " + names);
  std::vector<void *> found;
  for (const Parameter &q : p.parameters) {
    const auto *a =
        std::find_if(arguments, arguments + given, [&](const htp_argument &x) { return x.name && q.name == x.name; });
    if (a == arguments + given || !a->tensor)
      return no("there is no array for `" + q.name + "`", "its parameters are " + names);
    const DLTensor &t = *a->tensor;
    if (t.dtype.lanes != 1 || t.dtype.bits != q.dtype->bits || t.dtype.code != q.dtype->code)
      return no("`" + q.name + "` has another dtype than `" + std::string(q.dtype->word) + "`", text_of(q));
    bool fits = static_cast<size_t>(t.ndim) == q.extents.size(), compact = t.device.device_type == kDLCPU;
    int64_t step = 1;
    for (size_t d = q.extents.size(); fits && d-- > 0;) {
      fits = t.shape[d] == q.extents[d];
      compact = compact && (!t.strides || t.shape[d] == 1 || t.strides[d] == step);
      step *= t.shape[d];
    }
    if (!fits)
      return no("`" + q.name + "` has other extents than the package is compiled for",
                text_of(q) + "; compile it again for others: `--set NAME=SIZE`");
    if (!compact)
      return no("`" + q.name + "` is not contiguous in this machine's memory", "pass `numpy.ascontiguousarray(...)`");
    found.push_back(static_cast<uint8_t *>(t.data) + t.byte_offset);
  }
  for (size_t a = 0; a < found.size(); ++a)
    for (size_t b = a + 1; b < found.size(); ++b) {
      const Parameter &x = p.parameters[a], &y = p.parameters[b];
      const auto *begin = static_cast<const uint8_t *>(found[a]), *other = static_cast<const uint8_t *>(found[b]);
      const auto size = [](const Parameter &q) { return count(q.extents) * static_cast<int64_t>(q.dtype->bytes); };
      if ((x.direction != "in" || y.direction != "in") && begin < other + size(y) && other < begin + size(x))
        return no("`" + x.name + "` and `" + y.name + "` share memory", "pass a copy of one");
    }
  return found;
}

} // namespace htp::aiesim
