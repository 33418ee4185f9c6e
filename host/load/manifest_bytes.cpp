#include "host/load/manifest_bytes.h"

#include "host/base/fs.h"

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
template <class A> void each(A &a, ToolDecl &tool) {
  each(a, tool.name), each(a, tool.doc), each(a, tool.variable), each(a, tool.programs), each(a, tool.holds);
  each(a, tool.devices), each(a, tool.install), each(a, tool.optional);
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
  each(a, manifest.tools), each(a, manifest.examples);
}

// A struct that has grown is written above, too, before its size is written here.
#if defined(__x86_64__) && defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
static_assert(sizeof(Manifest) == 608 && sizeof(ToolDecl) == 272 && sizeof(Unit) == 768 &&
              sizeof(DiagnosticDecl) == 136 && sizeof(CapabilityDecl) == 128 && sizeof(ParameterDecl) == 136 &&
              sizeof(OptionDecl) == 136 && sizeof(PluginWish) == 88 && sizeof(Requirement) == 56 &&
              sizeof(Term) == 136 && sizeof(Argument) == 64 && sizeof(Value) == 56 && sizeof(Comparator) == 32 &&
              sizeof(Text) == 64 && sizeof(Span) == 32);
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

} // namespace htp
