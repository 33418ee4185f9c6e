// Manifests in binary form are what was read.
#include "host/load/manifest_bytes.h"

#include "host/base/hash.h"
#include "tests/load/fixture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>

namespace htp {
namespace {

const char *const everything = R"(htp_manifest: 1
plugin:
  id: acme.all
  version: "1.2.3"
  library: liball.so
  doc: has every key
python:
  module: htp_acme
  path: python
declares:
  - name: Acme.State
    is: state
    initial: true
    doc: a state
    parameters:
      - name: mode
        type: enum(fast, slow)
        doc: how
      - name: target
        type: ref(backend)
  - name: Acme.Thing
    is: static
conflicts:
  - other.plugin @>=1.0,<2
diagnostics:
  - code: acme.odd
    severity: warning
    summary: odd
    doc: make it even
units:
  - kind: pass
    name: acme.pass
    doc: a pass
    code: htp_acme.passes:run
    requires:
      - Acme.State(mode={fast, slow}) | Acme.Thing @>=1.2
    wants:
      - Acme.Thing
    provides:
      - Acme.State(mode=fast)
    invalidates:
      - Acme.State(mode=*)
    conflicts:
      - Acme.Thing
      - third.plugin
    options:
      - name: width
        type: int
        default: 8
        doc: how wide
  - kind: intrinsics
    name: acme.intrinsics
    members:
      - acme.f
  - kind: handlers
    name: acme.handlers
    backend: acme
    members:
      - acme.f
  - kind: pipeline
    name: acme.pipeline
    passes:
      - acme.pass
  - kind: backend
    name: acme
    target_set:
      - acme.intrinsics
    contract:
      - Codegen.Ready(target=acme)
    hardware:
      levels:
        core:
          count: 4
  - kind: binding
    name: acme.binding
    contract_id: acme/1
  - kind: analysis
    name: acme.table
    values: int
    revision: 3
  - kind: verifier
    name: acme.verifier
    verifies:
      - Acme.State(mode=$m)
)";

std::string place(const Span &span) {
  return fmt::format("{}{}:{}-{}:{}", span.file ? "@" : "", span.line, span.col, span.end_line, span.end_col);
}
std::string dump(const Text &text) { return text.value + place(text.span) + " "; }
std::string dump(const Term &term) { return term.text() + place(term.span) + " "; }
std::string dump(const Requirement &one) {
  std::string result = one.text() + place(one.span) + "(";
  for (const Term &term : one.alternatives) result += dump(term);
  return result + ") ";
}
std::string dump(const PluginWish &wish) { return wish.id + wish.range.text() + place(wish.span) + " "; }
std::string dump(const HardwareTree &tree) {
  std::string result;
  for (const auto &[path, value] : tree) result += path + "=" + dump(value);
  return result;
}
std::string dump(const ParameterDecl &p);
std::string dump(const CapabilityDecl &c);
std::string dump(const OptionDecl &o);
std::string dump(const DiagnosticDecl &d);
std::string dump(const Unit &u);
template <class T> std::string dump(const std::vector<T> &list) {
  std::string result;
  for (const T &one : list) result += dump(one);
  return result + "; ";
}
std::string dump(const ParameterDecl &p) {
  return fmt::format("{}{}{}{}{} ", dump(p.name), static_cast<int>(p.type), fmt::join(p.values, ","),
                     static_cast<int>(p.reference), p.doc);
}
std::string dump(const CapabilityDecl &c) {
  return fmt::format("{}{}{}{}{}\n", dump(c.name), c.state, c.initial, dump(c.parameters), c.doc);
}
std::string dump(const OptionDecl &o) {
  return fmt::format("{}{}{}{} ", dump(o.name), static_cast<int>(o.type), o.default_value, o.doc);
}
std::string dump(const DiagnosticDecl &d) {
  return dump(d.name) + fmt::format("{}{}{}", static_cast<int>(d.severity), d.summary, d.doc);
}
std::string dump(const Unit &u) {
  return fmt::format("{}{}{}", static_cast<int>(u.kind), dump(u.name), u.doc) + dump(u.code) + dump(u.requires_) +
         dump(u.wants) + dump(u.provides) + dump(u.invalidates) + dump(u.conflicts) + dump(u.plugin_conflicts) +
         dump(u.options) + dump(u.members) + dump(u.backend) + dump(u.passes) + dump(u.target_set) + dump(u.contract) +
         dump(u.hardware) + dump(u.contract_id) + dump(u.values) + std::to_string(u.revision) + dump(u.verifies) +
         place(u.span) + "\n";
}
std::string dump(const Manifest &m) {
  return dump(m.id) + m.version.text() + dump(m.version_text) + dump(m.library) + m.doc + dump(m.python_module) +
         dump(m.python_path) + "\n" + dump(m.declares) + dump(m.units) + dump(m.diagnostics) + dump(m.conflicts);
}

std::optional<Manifest> read(const std::string &text) {
  Diagnostics diagnostics;
  auto manifest = read_manifest(std::make_shared<SourceFile>("htp-plugin.yaml", text), diagnostics);
  for (const Diagnostic &d : diagnostics.list()) ADD_FAILURE() << d.code << " " << d.span.line << ": " << d.message;
  return manifest;
}

TEST(ManifestBytes, PacksAllThatAManifestSays) {
  std::vector<std::string> texts = {everything};
  for (const auto &entry : std::filesystem::recursive_directory_iterator(HTP_BINARY_DIR "/plugins"))
    if (entry.path().filename() == "htp-plugin.yaml") texts.push_back(*read_file(entry.path().string()));
  EXPECT_GE(texts.size(), 4u);
  for (const std::string &text : texts) {
    const auto manifest = read(text);
    ASSERT_TRUE(manifest);
    const auto again = unpack_manifest(pack_manifest(*manifest), manifest->source);
    ASSERT_TRUE(again);
    EXPECT_EQ(dump(*again), dump(*manifest));
    EXPECT_EQ(again->source, manifest->source);
  }
}

// Whatever the bytes are: no crash, no huge allocation (the sanitizers look).
TEST(ManifestBytes, SurvivesDamage) {
  const auto manifest = read(everything);
  ASSERT_TRUE(manifest);
  const std::string whole = pack_manifest(*manifest);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(unpack_manifest(std::string(whole, 0, size), manifest->source));
  EXPECT_FALSE(unpack_manifest(whole + "x", manifest->source));
  for (size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = value;
      unpack_manifest(bytes, manifest->source);
    }
}

} // namespace
} // namespace htp
