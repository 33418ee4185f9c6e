// The package's files, and arguments as the machine takes them.
#include "binding/binding.h"

#include "htp_cpp/arguments.h"
#include "htp_cpp/layout/convert.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace htp::aiesim {

namespace {
using nlohmann::json;

bool read(const Context &c, const char *name, std::string &bytes) {
  htp_str text{};
  if (c.host()->read_file(c.ctx(), str(std::string("codegen/aie/") + name), &text) != HTP_OK) return false;
  bytes = std::string(view(text));
  return true;
}

bool extents_of(const json &j, const char *key, std::vector<int64_t> &out) {
  if (!j.contains(key) || !j[key].is_array()) return false;
  for (const json &e : j[key]) {
    if (!e.is_number_integer() || e.get<int64_t>() < 1) return false;
    out.push_back(e.get<int64_t>());
  }
  return layout::product_of(out) <= most_elements;
}

// Nothing where a place is not of a parameter that is read, or leaves what is packed.
std::optional<Packed> packed_of(const json &j, const std::vector<Parameter> &parameters) {
  Packed made;
  if (!j.is_object() || !j.contains("name") || !j["name"].is_string() || !j.contains("dtype") ||
      !j["dtype"].is_string() || !extents_of(j, "extents", made.extents) || !j.contains("places") ||
      !j["places"].is_array())
    return std::nullopt;
  made.name = j["name"].get<std::string>(), made.dtype = dtype_named(j["dtype"].get<std::string>());
  if (!made.dtype) return std::nullopt;
  for (const json &k : j["places"]) {
    Place place;
    if (!k.is_object() || !k.contains("tensor") || !k["tensor"].is_string() || !k.contains("at") ||
        !k["at"].is_number_integer() || !k.contains("along") || !k["along"].is_array())
      return std::nullopt;
    const auto from = std::find_if(parameters.begin(), parameters.end(),
                                   [&](const Parameter &q) { return q.name == k["tensor"].get<std::string>(); });
    if (from == parameters.end() || from->direction == "out" || from->dtype->bytes % made.dtype->bytes)
      return std::nullopt;
    place.parameter = static_cast<size_t>(from - parameters.begin());
    place.at = k["at"].get<int64_t>();
    if (place.at < 0 || place.at > most_elements) return std::nullopt;
    int64_t last = place.at + static_cast<int64_t>(from->dtype->bytes / made.dtype->bytes) - 1;
    for (const json &a : k["along"]) {
      if (!a.is_array() || a.size() != 4 ||
          !std::all_of(a.begin(), a.end(), [](const json &n) { return n.is_number_integer(); }))
        return std::nullopt;
      const Place::Along along{a[0].get<int64_t>(), a[1].get<int64_t>(), a[2].get<int64_t>(), a[3].get<int64_t>()};
      if (along.size < 1 || along.dimension < -1 || along.dimension >= static_cast<int64_t>(from->extents.size()) ||
          along.step < 0 || along.stride < 0 || along.step > most_elements || along.size > most_elements ||
          layout::times(along.size, along.step) >= layout::far)
        return std::nullopt;
      last = layout::plus(last, layout::times(along.size - 1, along.stride));
      place.along.push_back(along);
    }
    if (last >= layout::product_of(made.extents)) return std::nullopt;
    made.places.push_back(std::move(place));
  }
  return made;
}

// What is known of the functions in C++ beside what the module says; false where the two differ.
bool functions_of(const json &j, std::vector<External> &externals) {
  for (const json &f : j) {
    if (!f.is_object() || !f.contains("name") || !f["name"].is_string() || !f.contains("arguments") ||
        !f["arguments"].is_array())
      return false;
    const auto e = std::find_if(externals.begin(), externals.end(),
                                [&](const External &one) { return one.name == f["name"].get<std::string>(); });
    if (e == externals.end() || e->arguments.size() < f["arguments"].size() || !f.contains("parameters") ||
        !f["parameters"].is_number_unsigned() || f["parameters"].get<size_t>() > f["arguments"].size())
      return false;
    e->parameters = f["parameters"].get<size_t>();
    for (size_t k = 0; k < f["arguments"].size(); ++k) {
      const json &a = f["arguments"][k];
      External::Argument &there = e->arguments[k];
      if (!a.is_object() || !a.contains("python") || !a["python"].is_string() || !a.contains("result") ||
          !a["result"].is_number_integer() || !a.contains("number") || !a["number"].is_boolean() ||
          a["number"].get<bool>() == there.tile.has_value())
        return false;
      there.result = a["result"].get<int64_t>(), there.python = a["python"].get<std::string>();
    }
  }
  return true;
}
} // namespace

std::optional<Package> read_package(const Context &c) {
  const auto no = [&](const DiagKind &row, const auto &...arguments) {
    c.report(row, HTP_NONE, arguments...);
    return std::nullopt;
  };
  Package p;
  std::string text, mapping;
  if (!read(c, "aie.mlir", text)) return no(diag::no_file, "codegen/aie/aie.mlir");
  if (!read(c, "mapping.json", mapping)) return no(diag::no_file, "codegen/aie/mapping.json");
  const json j = json::parse(mapping, nullptr, false);
  if (!j.is_object() || j.value("schema", json()) != "htp.aie.mapping/1" || !j.contains("entry") ||
      !j["entry"].is_string() || !j.contains("mlir_aie") || !j["mlir_aie"].is_string() || !j.contains("parameters") ||
      !j["parameters"].is_array())
    return no(diag::bad_schema);
  p.entry = j["entry"].get<std::string>();
  p.version = j["mlir_aie"].get<std::string>(), p.text = text;
  for (const json &k : j["parameters"]) {
    Parameter q;
    if (!k.is_object() || !k.contains("name") || !k["name"].is_string() || !k.contains("direction") ||
        !k["direction"].is_string() || !k.contains("dtype") || !k["dtype"].is_string() ||
        !extents_of(k, "extents", q.extents) || (k.contains("padded") && !extents_of(k, "padded", q.padded)) ||
        (k.contains("pieces") && !extents_of(k, "pieces", q.pieces)))
      return no(diag::bad_parameter);
    q.name = k["name"].get<std::string>(), q.direction = k["direction"].get<std::string>();
    q.dtype = dtype_named(k["dtype"].get<std::string>());
    bool fits = q.dtype && (!k.contains("padded") || q.extents.size() == q.padded.size());
    for (size_t d = 0; fits && d < q.padded.size(); ++d) fits = q.padded[d] >= q.extents[d];
    fits = fits && (q.pieces.empty() || q.pieces.size() == q.padded.size());
    for (size_t d = 0; fits && d < q.pieces.size(); ++d)
      fits = q.extents[d] % q.pieces[d] == 0 && q.padded[d] % q.pieces[d] == 0;
    if (fits && k.value("counts", false)) {
      fits = q.dtype->code == kDLInt && q.direction == "in";
      q.counted.resize(static_cast<size_t>(layout::product_of(q.extents)) * q.dtype->bytes);
      for (int64_t n = 0; n < layout::product_of(q.extents); ++n) // the lower bytes come first
        std::memcpy(q.counted.data() + static_cast<size_t>(n) * q.dtype->bytes, &n, q.dtype->bytes);
    }
    if (q.pieces.empty()) q.pieces.assign(q.extents.size(), 1);
    if (fits && k.contains("layout")) {
      const auto lies = k["layout"].is_string() ? layout::read(k["layout"].get<std::string>())
                                                : layout::Result<layout::Layout>(layout::No{});
      const auto places = lies ? layout::Places::of(*lies, q.extents) : layout::Result<layout::Places>(lies.no());
      fits = places && places->span() <= most_elements;
      q.as_it_lies = k.value("as_it_lies", json(false)) == true;
      if (fits) q.places = *places;
      fits = fits && (!q.as_it_lies || q.padded == q.extents);
    }
    if (const json fill = k.value("fill", json("zeros")); fill == "zeros" || fill == "least" || fill == "greatest")
      q.fill = fill.get<std::string>();
    else
      return no(diag::bad_fill, q.name);
    if (!fits) return no(diag::bad_padding, q.name);
    if (k.contains("padded")) p.handed.push_back(p.parameters.size());
    p.parameters.push_back(std::move(q));
  }
  for (const json &k : j.value("packed", json::array())) {
    auto q = packed_of(k, p.parameters);
    if (!q) return no(diag::bad_packing);
    p.packed.push_back(std::move(*q));
  }
  try {
    p.module = read_module(text);
    check_legal(p.module);
  } catch (const Wrong &wrong) {
    report(c, wrong, text);
    return std::nullopt;
  }
  if (!functions_of(j.value("functions", json::array()), p.module.externals)) return no(diag::other_functions);
  bool same = p.module.arguments.size() == p.handed.size() + p.packed.size();
  const auto is = [&](size_t k, const DType *dtype, const std::vector<int64_t> &extents) {
    same = same && p.module.arguments[k].second.dtype == dtype &&
           p.module.arguments[k].second.count() == layout::product_of(extents);
  };
  for (size_t k = 0; k < p.handed.size(); ++k) {
    const Parameter &q = p.parameters[p.handed[k]];
    is(k, q.dtype, q.as_it_lies ? std::vector{q.places->span()} : q.padded);
  }
  for (size_t k = 0; k < p.packed.size(); ++k) is(p.handed.size() + k, p.packed[k].dtype, p.packed[k].extents);
  if (!same) return no(diag::other_buffers);
  return p;
}

std::optional<std::vector<void *>> addresses_of(const Context &c, const Package &p,
                                                std::span<const htp_argument> given) {
  std::vector<void *> found;
  for (const Parameter &q : p.parameters) {
    if (!q.counted.empty()) {
      found.push_back(const_cast<uint8_t *>(q.counted.data())); // it is only read
      continue;
    }
    const DLTensor *t = sdk::argument(given, q.name);
    const bool stored = t && q.places && t->ndim == 1 && q.extents.size() > 1; // the storage, where no steps say it
    if (!t || (stored ? t->shape[0] != q.places->span()
                      : !std::equal(q.extents.begin(), q.extents.end(), t->shape, t->shape + t->ndim))) {
      c.report(diag::other_parameter, HTP_NONE, q.name);
      return std::nullopt;
    }
    found.push_back(sdk::address(*t));
  }
  return found;
}

} // namespace htp::aiesim
