#include "host/load/manifest_cache.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/identity.h"

#include <algorithm>
#include <type_traits>

namespace htp {

namespace {

// Both directions go through the same functions, so that they cannot part: a Packer takes what an Unpacker fills in.
class Packer {
public:
  static constexpr bool reads = false;
  std::string bytes;

  // Seven bits a byte, the lowest first; the high bit says that more follow.
  void number(uint64_t &value, uint64_t) {
    uint64_t rest = value;
    for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<char>(rest | 0x80));
    bytes.push_back(static_cast<char>(rest));
  }
  void text(std::string &value) {
    uint64_t size = value.size();
    number(size, size);
    bytes += value;
  }
  void source(SourceRef &value) {
    uint64_t any = value != nullptr;
    number(any, 1);
  }
  uint64_t most() const { return no_limit; }
  bool good() const { return true; }
};

class Unpacker {
public:
  static constexpr bool reads = true;
  Unpacker(std::string_view bytes, const SourceRef &source) : rest_(bytes), source_(source) {}

  void number(uint64_t &value, uint64_t limit) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte & 0x80) continue;
      if (value <= limit) return;
      break;
    }
    fail();
    value = 0;
  }
  void text(std::string &value) {
    uint64_t size = 0;
    number(size, rest_.size());
    if (size > rest_.size()) return fail();
    value = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  void source(SourceRef &value) {
    uint64_t any = 0;
    number(any, 1);
    if (any) value = source_;
  }
  uint64_t most() const { return rest_.size(); } // of items: each takes a byte at least
  bool good() const { return good_; }
  bool whole() const { return good_ && rest_.empty(); }

private:
  void fail() { good_ = false, rest_ = {}; }

  std::string_view rest_;
  const SourceRef &source_;
  bool good_ = true;
};

template <class A> void each(A &a, std::string &value) { a.text(value); }

template <class A, class T>
requires std::is_integral_v<T>
void each(A &a, T &value) {
  auto number = static_cast<uint64_t>(value);
  a.number(number, std::is_same_v<T, bool> ? 1 : std::is_same_v<T, uint32_t> ? UINT32_MAX : UINT64_MAX);
  if constexpr (A::reads) value = static_cast<T>(number);
}

template <class A, class T> void each_enum(A &a, T &value, T last) {
  auto number = static_cast<uint64_t>(value);
  a.number(number, static_cast<uint64_t>(last));
  if constexpr (A::reads) value = static_cast<T>(number);
}

template <class A, class T> void each(A &a, std::vector<T> &list);
template <class A, class K, class V> void each(A &a, std::map<K, V> &map);

template <class A> void each(A &a, Span &span) {
  a.source(span.file);
  each(a, span.line), each(a, span.col), each(a, span.end_line), each(a, span.end_col);
}
template <class A> void each(A &a, Text &text) { each(a, text.value), each(a, text.span); }
template <class A> void each(A &a, Version &version) { each(a, version.parts); }
template <class A> void each(A &a, Comparator &one) {
  each_enum(a, one.op, Comparator::gt);
  each(a, one.version);
}
template <class A> void each(A &a, VersionRange &range) { each(a, range.comparators); }
template <class A> void each(A &a, Value &value) {
  each_enum(a, value.form, Value::Form::name);
  each(a, value.integer), each(a, value.boolean), each(a, value.text);
}
template <class A> void each(A &a, Argument &argument) {
  each_enum(a, argument.form, Argument::Form::variable);
  each(a, argument.values), each(a, argument.variable);
}
template <class A> void each(A &a, Term &term) {
  each(a, term.name), each(a, term.arguments), each(a, term.range), each(a, term.span);
}
template <class A> void each(A &a, Requirement &requirement) {
  each(a, requirement.alternatives), each(a, requirement.span);
}
template <class A> void each(A &a, ParameterDecl &parameter) {
  each(a, parameter.name);
  each_enum(a, parameter.type, ParameterDecl::Type::reference);
  each(a, parameter.values);
  each_enum(a, parameter.reference, UnitKind::verifier);
  each(a, parameter.doc);
}
template <class A> void each(A &a, CapabilityDecl &capability) {
  each(a, capability.name), each(a, capability.state), each(a, capability.initial), each(a, capability.parameters);
  each(a, capability.doc);
}
template <class A> void each(A &a, OptionDecl &option) {
  each(a, option.name);
  each_enum(a, option.type, OptionDecl::Type::string);
  each(a, option.default_value), each(a, option.doc);
}
template <class A> void each(A &a, DiagnosticDecl &diagnostic) {
  each(a, diagnostic.name);
  each_enum(a, diagnostic.severity, Severity::fault);
  each(a, diagnostic.summary), each(a, diagnostic.doc);
}
template <class A> void each(A &a, PluginWish &wish) { each(a, wish.id), each(a, wish.range), each(a, wish.span); }
template <class A> void each(A &a, Unit &unit) {
  each_enum(a, unit.kind, UnitKind::verifier);
  each(a, unit.idempotent);
  each(a, unit.name), each(a, unit.doc), each(a, unit.code), each(a, unit.requires_), each(a, unit.wants);
  each(a, unit.provides);
  each(a, unit.invalidates), each(a, unit.conflicts), each(a, unit.plugin_conflicts), each(a, unit.options);
  each(a, unit.members), each(a, unit.takes), each(a, unit.backend), each(a, unit.passes), each(a, unit.target_set);
  each(a, unit.contract), each(a, unit.hardware), each(a, unit.contract_id), each(a, unit.values);
  each(a, unit.revision), each(a, unit.verifies), each(a, unit.span);
}
template <class A> void each(A &a, Manifest &manifest) {
  a.source(manifest.source);
  each(a, manifest.id), each(a, manifest.version), each(a, manifest.version_text), each(a, manifest.library);
  each(a, manifest.doc), each(a, manifest.python_module), each(a, manifest.python_path);
  each(a, manifest.declares), each(a, manifest.units), each(a, manifest.diagnostics), each(a, manifest.conflicts);
  each(a, manifest.examples);
}

// A struct that has grown is written above, too, before its size is written here.
#if defined(__x86_64__) && defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
static_assert(sizeof(Manifest) == 544 && sizeof(Unit) == 768 && sizeof(DiagnosticDecl) == 136 &&
              sizeof(CapabilityDecl) == 128 && sizeof(ParameterDecl) == 136 && sizeof(OptionDecl) == 136 &&
              sizeof(PluginWish) == 88 && sizeof(Requirement) == 56 && sizeof(Term) == 136 && sizeof(Argument) == 64 &&
              sizeof(Value) == 56 && sizeof(Comparator) == 32 && sizeof(Text) == 64 && sizeof(Span) == 32);
#endif

template <class A, class T> void each(A &a, std::vector<T> &list) {
  uint64_t size = list.size();
  a.number(size, a.most());
  if constexpr (A::reads) list.reserve(std::min<uint64_t>(size, 64));
  for (uint64_t i = 0; i < size && a.good(); ++i) {
    if constexpr (A::reads) list.emplace_back();
    each(a, list[i]);
  }
}

template <class A, class K, class V> void each(A &a, std::map<K, V> &map) {
  uint64_t size = map.size();
  a.number(size, a.most());
  if constexpr (A::reads) {
    for (uint64_t i = 0; i < size && a.good(); ++i) {
      K key;
      each(a, key);
      each(a, map.emplace_hint(map.end(), std::move(key), V())->second);
    }
  } else {
    for (auto &[key, value] : map) {
      K name = key;
      each(a, name);
      each(a, value);
    }
  }
}

} // namespace

std::string pack_manifest(const Manifest &manifest) {
  Packer packer;
  each(packer, const_cast<Manifest &>(manifest)); // a packer changes nothing
  return std::move(packer.bytes);
}

std::optional<Manifest> unpack_manifest(std::string_view bytes, const SourceRef &source) {
  Unpacker unpacker(bytes, source);
  Manifest manifest;
  each(unpacker, manifest);
  if (!unpacker.whole() || !manifest.source) return std::nullopt;
  return manifest;
}

// ── kept ────────────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

constexpr size_t digest_size = 64;
constexpr size_t size_size = 8; // of the packed bytes, as hex digits

std::string hex(size_t size) {
  std::string text(size_size, '0');
  for (size_t i = size_size; size != 0 && i-- > 0; size /= 16) text[i] = "0123456789abcdef"[size % 16];
  return text;
}

} // namespace

ManifestCache::ManifestCache(const Cache *cache, const std::vector<std::string> &folders) : cache_(cache) {
  if (!cache_ || !cache_->enabled()) {
    cache_ = nullptr;
    return;
  }
  Sha256 key;
  key.add("htp.load.manifests/3\n").add(host_identity());
  for (const std::string &folder : folders) key.add("\n").add(absolute_path(folder));
  key_ = key.hex();
  auto bytes = cache_->get(key_);
  if (!bytes) return;
  bytes_ = std::move(*bytes);
  // Of each: the digest, the size, the packed bytes.
  for (std::string_view rest = bytes_; rest.size() >= digest_size + size_size;) {
    const std::string_view digest = rest.substr(0, digest_size);
    size_t size = 0;
    for (const char c : rest.substr(digest_size, size_size))
      size = size * 16 + static_cast<size_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    rest.remove_prefix(digest_size + size_size);
    if (size > rest.size()) break;
    kept_.emplace(digest, rest.substr(0, size));
    rest.remove_prefix(size);
  }
}

std::optional<Manifest> ManifestCache::find(const SourceRef &source) {
  if (!cache_) return std::nullopt;
  std::string digest = sha256(source->text);
  const auto known = kept_.find(digest);
  if (known == kept_.end()) return std::nullopt;
  auto manifest = unpack_manifest(known->second, source);
  if (manifest) seen_.emplace_back(std::move(digest), known->second);
  return manifest;
}

void ManifestCache::add(const Manifest &manifest) {
  if (!cache_) return;
  seen_.emplace_back(sha256(manifest.source->text), made_.emplace_back(pack_manifest(manifest)));
  changed_ = true;
}

void ManifestCache::save() const {
  if (!cache_ || (!changed_ && seen_.size() >= kept_.size())) return;
  std::string bytes;
  for (const auto &[digest, packed] : seen_) bytes.append(digest).append(hex(packed.size())).append(packed);
  cache_->put(key_, bytes);
}

} // namespace htp
