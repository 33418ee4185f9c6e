// The checks of what a manifest says, beyond what its reader and check_terms ask.
#include "host/check/subject.h"
#include "host/pipeline/inputs.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

namespace htp {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "acme.spatial-ops" → acme, spatial, ops
std::vector<std::string> words_of(std::string_view id) {
  std::vector<std::string> words(1);
  for (const char c : lower(id)) {
    if (c == '.' || c == '-' || c == '_')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

// Whether the name's first part is words of the plugin's id in a row.
bool carries_prefix(std::string_view id, std::string_view name) {
  std::string first = lower(name.substr(0, name.find('.')));
  std::erase_if(first, [](char c) { return c == '-' || c == '_'; });
  const std::vector<std::string> words = words_of(id);
  for (size_t begin = 0; begin < words.size(); ++begin) {
    std::string joined;
    for (size_t end = begin; end < words.size() && joined.size() < first.size(); ++end) joined += words[end];
    if (joined == first) return true;
  }
  return false;
}

void check_documented(const Manifest &m, Findings &findings) {
  const auto missing = [&](const std::string &doc, const Span &span, const Unit *unit, const std::string &what) {
    if (doc.empty()) findings.fail(CheckId::documented, m, unit, what + " has no `doc:`").diagnostic.span = span;
  };
  missing(m.doc, m.id.span, nullptr, "the plugin");
  for (const CapabilityDecl &c : m.declares)
    missing(c.doc, c.name.span, nullptr, "the capability `" + c.name.value + "`");
  for (const Unit &u : m.units) {
    // A verifier is known by what it verifies.
    if (u.kind != UnitKind::verifier) missing(u.doc, u.name.span, &u, "the unit `" + u.name.value + "`");
    for (const OptionDecl &o : u.options)
      missing(o.doc, o.name.span, &u, "the option `" + o.name.value + "` of `" + u.name.value + "`");
  }
}

// Whether it lies where HTP is installed.
bool comes_with_htp(const Manifest &m) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string folder = fs::canonical(m.folder, error).string();
  for (const std::string &own : default_search())
    if (!error && folder.starts_with(fs::canonical(own, error).string() + "/")) return true;
  return false;
}

} // namespace

void check_manifest(const Subject &subject, Findings &findings) {
  const Manifest &m = subject.manifest;
  if (subject.asked(CheckId::own_prefix) && m.id.value.starts_with("htp.") && !comes_with_htp(m)) {
    Finding &f = findings.fail(CheckId::own_prefix, m, nullptr, "the id `" + m.id.value + "` is one of HTP's own");
    f.expected = "an id of yours, such as `acme" + m.id.value.substr(3) + "`";
    f.found = "`htp.`, and it is not installed with HTP";
  }
  if (subject.asked(CheckId::documented)) check_documented(m, findings);
  if (subject.asked(CheckId::examples_named) && m.examples.empty() &&
      subject.has_kind(check_info(CheckId::examples_named).kinds))
    findings.fail(CheckId::examples_named, m, nullptr, "it names no example program");
  if (subject.asked(CheckId::unit_prefix))
    for (const Unit &unit : m.units)
      if (!carries_prefix(m.id.value, unit.name.value)) {
        Finding &f =
            findings.fail(CheckId::unit_prefix, m, &unit,
                          "the unit `" + unit.name.value + "` does not carry a prefix of `" + m.id.value + "`");
        std::string words;
        for (const std::string &word : words_of(m.id.value)) words += (words.empty() ? "`" : ", `") + word + "`";
        f.expected = "one of " + words + " before the first dot";
        f.found = unit.name.value.substr(0, unit.name.value.find('.'));
      }
}

// A state is lost to a pass of the chain when a pass before it destroys it and neither the chain nor any pass found
// provides it between them.
void check_pipelines(const Subject &subject, Findings &findings) {
  if (!subject.asked(CheckId::pipeline_fits)) return;
  std::map<std::string, const Unit *> passes;
  std::set<std::string> provided; // by some pass found
  for (const Manifest *m : subject.all)
    for (const Unit &u : m->units)
      if (u.kind == UnitKind::pass || u.kind == UnitKind::island) {
        passes.emplace(u.name.value, &u);
        for (const Term &t : u.provides) provided.insert(t.name);
      }
  for (const Unit &pipeline : subject.manifest.units) {
    if (pipeline.kind != UnitKind::pipeline) continue;
    std::map<std::string, std::string> lost; // state → the pass that destroyed it
    for (const Text &name : pipeline.passes) {
      const auto pass = passes.find(name.value);
      if (pass == passes.end()) continue;
      for (const Requirement &r : pass->second->requires_) {
        if (r.alternatives.size() != 1) continue;
        const auto by = lost.find(r.alternatives[0].name);
        if (by == lost.end() || provided.contains(by->first)) continue;
        Finding &f = findings.fail(CheckId::pipeline_fits, subject.manifest, &pipeline,
                                   fmt::format("`{}` requires `{}`, which `{}` before it destroys and no pass provides",
                                               name.value, by->first, by->second));
        f.diagnostic.span = name.span;
        f.expected = "`" + by->first + "` holds before `" + name.value + "`";
        f.found = "`" + by->second + "` invalidates it";
      }
      for (const Term &t : pass->second->invalidates) lost[t.name] = name.value;
      for (const Term &t : pass->second->provides) lost.erase(t.name);
    }
  }
}

} // namespace htp
