#include "host/package/manifest.h"

#include "host/base/fs.h"
#include "host/base/hash.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// ── what stands where: one description for writing and reading ──────────────────────────────────────────────────────

template <class V> void fields(V &v, PackageManifest::Identity &x) {
  v("name", x.name), v("entry", x.entry), v("target", x.target), v("seed", x.seed), v("set", x.set);
}
template <class V> void fields(V &v, PackageManifest::Input &x) {
  v("path", x.path), v("role", x.role), v("sha256", x.sha256);
}
template <class V> void fields(V &v, PackageManifest::Python &x) { v("module", x.module), v("sha256", x.sha256); }
template <class V> void fields(V &v, PackageManifest::Plugin &x) {
  v("id", x.id), v("version", x.version), v("manifest_sha256", x.manifest_sha256);
  v.optional("library_sha256", x.library_sha256), v.optional("python", x.python);
}
template <class V> void fields(V &v, PackageManifest::Resolved &x) {
  v("unit", x.unit), v("kind", x.kind), v("plugin", x.plugin), v("why", x.why);
}
template <class V> void fields(V &v, PackageManifest::Pass &x) {
  v("name", x.name), v("plugin", x.plugin), v("version", x.version), v("options", x.options), v("why", x.why);
}
template <class V> void fields(V &v, PackageManifest::Plan &x) {
  v("pipeline", x.pipeline), v("resolution", x.resolution), v("passes", x.passes);
}
template <class V> void fields(V &v, PackageManifest::Target &x) {
  v("backend", x.backend), v("contract", x.contract), v("options", x.options), v("hardware", x.hardware);
}
template <class V> void fields(V &v, PackageManifest::Stage &x) {
  v("id", x.id), v("pass", x.pass), v("path", x.path), v("sha256", x.sha256);
}
template <class V> void fields(V &v, PackageManifest::Output &x) {
  v("path", x.path), v("role", x.role), v("sha256", x.sha256), v("size", x.size);
}
template <class V> void fields(V &v, PackageManifest::Parameter &x) {
  v("name", x.name), v("direction", x.direction), v("type", x.type);
}
template <class V> void fields(V &v, PackageManifest::Entry &x) {
  v("name", x.name), v("parameters", x.parameters), v("returns", x.returns);
}
template <class V> void fields(V &v, PackageManifest &x) {
  v.schema();
  v("htp", x.htp), v("identity", x.identity), v("inputs", x.inputs), v("plugins", x.plugins);
  v("dialects", x.dialects), v("intrinsics", x.intrinsics), v("capabilities", x.capabilities);
  v("plan", x.plan), v("target", x.target), v.optional("stages_kept", x.stages_kept), v("stages", x.stages);
  v("outputs", x.outputs), v("entries", x.entries);
}

// ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

class JsonWriter {
public:
  template <class T> void operator()(const char *key, T &value) { json[key] = write(value); }
  void optional(const char *key, std::string &value) {
    if (!value.empty()) json[key] = value;
  }
  template <class T> void optional(const char *key, std::optional<T> &value) {
    if (value) json[key] = write(*value);
  }
  void schema() { json["schema"] = package_schema; }

  Json json = Json::object();

private:
  static Json write(std::string &value) { return value; }
  static Json write(uint64_t value) { return value; }
  static Json write(PackageManifest::Settings &value) {
    Json object = Json::object();
    for (const auto &[key, text] : value) object[key] = text;
    return object;
  }
  template <class T> static Json write(std::vector<T> &value) {
    Json array = Json::array();
    for (T &item : value) array.push_back(write(item));
    return array;
  }
  template <class T> static Json write(T &value) {
    JsonWriter inner;
    fields(inner, value);
    return std::move(inner.json);
  }
};

// ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

// Reads one object; `bad` gets the place and the reason, once, for the first thing wrong.
class JsonReader {
public:
  JsonReader(const Json &json, std::string place, std::string &bad) : json_(json), place_(std::move(place)), bad_(bad) {
    if (!json_.is_object()) fail("", "it is not an object");
  }
  // Every key was asked for.
  ~JsonReader() {
    if (!json_.is_object()) return;
    for (const auto &[key, value] : json_.items())
      if (!known_.contains(key)) fail("/" + key, "there is no such key");
  }

  template <class T> void operator()(const char *key, T &value) {
    if (const Json *found = find(key))
      read(*found, place_ + "/" + key, value);
    else
      fail("", "it has no `" + std::string(key) + "`");
  }
  template <class T> void optional(const char *key, std::optional<T> &value) {
    if (const Json *found = find(key)) read(*found, place_ + "/" + key, value.emplace());
  }
  void optional(const char *key, std::string &value) {
    if (const Json *found = find(key)) read(*found, place_ + "/" + key, value);
  }
  void schema() { known_.insert("schema"); }

private:
  const Json *find(const char *key) {
    known_.insert(key);
    if (!json_.is_object()) return nullptr;
    const auto at = json_.find(key);
    return at == json_.end() ? nullptr : &*at;
  }
  void fail(const std::string &where, const std::string &why) { fail_at(place_ + where, why); }
  void fail_at(const std::string &place, const std::string &why) {
    if (bad_.empty()) bad_ = (place.empty() ? "" : "`" + place + "`: ") + why;
  }

  void read(const Json &json, const std::string &place, std::string &value) {
    if (json.is_string())
      value = json.get_ref<const std::string &>();
    else
      fail_at(place, "it is not a string");
  }
  void read(const Json &json, const std::string &place, uint64_t &value) {
    if (json.is_number_unsigned())
      value = json.get<uint64_t>();
    else
      fail_at(place, "it is not a non-negative integer");
  }
  void read(const Json &json, const std::string &place, PackageManifest::Settings &value) {
    if (!json.is_object()) return fail_at(place, "it is not an object");
    for (const auto &[key, item] : json.items()) read(item, place + "/" + key, value[key]);
  }
  template <class T> void read(const Json &json, const std::string &place, std::vector<T> &value) {
    if (!json.is_array()) return fail_at(place, "it is not an array");
    for (size_t i = 0; i < json.size(); ++i) read(json[i], place + "/" + std::to_string(i), value.emplace_back());
  }
  template <class T> void read(const Json &json, const std::string &place, T &value) {
    JsonReader inner(json, place, bad_);
    fields(inner, value);
  }

  const Json &json_;
  std::string place_;
  std::string &bad_;
  std::set<std::string> known_;
};

// What the types do not say: digests, paths, values of a closed set.
class Sense {
public:
  explicit Sense(std::string &bad) : bad_(bad) {}

  void check(const PackageManifest &m) {
    if (std::none_of(m.entries.begin(), m.entries.end(), [&](const auto &e) { return e.name == m.identity.entry; }))
      fail("/identity/entry", "it is not among the entries");
    if (m.identity.target != m.target.backend) fail("/identity/target", "it is not the backend of the target");
    each("/inputs", m.inputs, [&](const auto &x) { digest("/sha256", x.sha256); });
    each("/plugins", m.plugins, [&](const auto &x) {
      digest("/manifest_sha256", x.manifest_sha256);
      if (!x.library_sha256.empty()) digest("/library_sha256", x.library_sha256);
      if (x.python) digest("/python/sha256", x.python->sha256);
    });
    std::string_view last;
    each("/outputs", m.outputs, [&](const auto &x) {
      digest("/sha256", x.sha256);
      path("/path", x.path);
      if (!last.empty() && x.path <= last) fail("/path", "the paths are not sorted, or one stands twice");
      last = x.path;
    });
    if (!m.stages_kept.empty() && m.stages_kept != "changed" && m.stages_kept != "last")
      fail("/stages_kept", "it is none of `changed`, `last`");
    each("/stages", m.stages, [&](const auto &x) {
      const auto output = std::lower_bound(m.outputs.begin(), m.outputs.end(), x.path,
                                           [](const auto &o, const std::string &wanted) { return o.path < wanted; });
      if (output == m.outputs.end() || output->path != x.path)
        fail("/path", "it is not among the outputs");
      else if (output->sha256 != x.sha256)
        fail("/sha256", "it is not that of the output");
    });
    each("/entries", m.entries, [&](const auto &entry) {
      for (size_t i = 0; i < entry.parameters.size(); ++i)
        if (const std::string &d = entry.parameters[i].direction;
            d != "in" && d != "out" && d != "inout" && d != "value")
          fail("/parameters/" + std::to_string(i) + "/direction", "it is none of `in`, `out`, `inout`, `value`");
    });
  }

private:
  template <class T, class F> void each(std::string_view list, const std::vector<T> &items, F check_one) {
    for (size_t i = 0; i < items.size(); ++i) {
      place_ = std::string(list) + "/" + std::to_string(i);
      check_one(items[i]);
    }
  }
  void digest(const char *key, const std::string &text) {
    if (!is_sha256(text)) fail(key, "it is not a SHA-256 in 64 lower-case hex digits");
  }
  void path(const char *key, const std::string &text) {
    if (!is_beneath(text))
      fail(key, "it leads out of the package");
    else if (text == "manifest.json" || text.starts_with("logs/") || text.starts_with("build/bin/"))
      fail(key, "it is outside what a manifest lists");
  }
  void fail(const std::string &key, const char *why) {
    if (bad_.empty()) bad_ = "`" + place_ + key + "`: " + why;
  }

  std::string &bad_;
  std::string place_;
};

// Parses; a key that stands twice in one object is an error too.
Json parse(std::string_view text, std::string &bad) {
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second && bad.empty())
      bad = "the key `" + parsed.get<std::string>() + "` stands twice in one object";
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::exception &error) {      // out_of_range too: 1e999
    const std::string_view what = error.what(); // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    bad = what.substr(std::min(what.size(), what.find("] ") + 2));
    return nullptr;
  }
}

} // namespace

std::string to_json(const PackageManifest &manifest) {
  JsonWriter writer;
  PackageManifest copy = manifest; // the one description of the fields serves reading too, so it takes them mutable
  fields(writer, copy);
  return writer.json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<PackageManifest> package_manifest_from_json(std::string_view text, const std::string &path,
                                                          Diagnostics &diagnostics) {
  std::string bad;
  const Json json = parse(text, bad);
  if (bad.empty() && (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()))
    bad = "it has no `schema`";
  if (bad.empty() && json["schema"] != package_schema) {
    diagnostics.report(diag::package_unknown_schema, {}, path, json["schema"].get<std::string>(), package_schema)
        .hint("compile the program again with this host");
    return std::nullopt;
  }
  PackageManifest manifest;
  if (bad.empty()) {
    JsonReader reader(json, "", bad);
    fields(reader, manifest);
  }
  if (bad.empty()) Sense(bad).check(manifest);
  if (bad.empty()) return manifest;
  diagnostics.report(diag::package_bad_manifest, {}, path, bad).hint("compile the program again");
  return std::nullopt;
}

} // namespace htp
