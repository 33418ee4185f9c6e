#include "host/load/audit.h"

#include "host/base/fs.h"
#include "host/load/mapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dlfcn.h>
#include <fcntl.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <set>

namespace htp {

namespace {

using Place = NeededLibrary::Place;

constexpr AuditRule rules[] = {
#define HTP_AUDIT(name, code, severity, message, explanation, hint) {diag::name, hint},
#include "host/load/audit.def"
#undef HTP_AUDIT
};
namespace rule {
enum Index : size_t {
#define HTP_AUDIT(name, code, severity, message, explanation, hint) name,
#include "host/load/audit.def"
#undef HTP_AUDIT
};
} // namespace rule

struct Stays {
  std::string_view symbol, why;
};
constexpr Stays stays[] = {
#define HTP_STAYS(symbol, why) {symbol, why},
#include "host/load/stays.def"
};

std::string count(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string real(const std::string &path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) ? resolved : absolute_path(path);
}

bool lies_in(const std::string &path, const std::string &folder) {
  const auto within = [](const std::string &inner, const std::string &outer) {
    return inner == outer || inner.starts_with(outer + "/");
  };
  return path.starts_with('/') && within(absolute_path(path), absolute_path(folder)) &&
         within(real(path), real(folder));
}

// One library whose facts count: the plugin's own, or one that comes with it.
struct Subject {
  std::string label, path;
  ElfFacts facts;
};

class Findings {
public:
  void add(rule::Index index, const Subject &subject, std::string detail) {
    list_.push_back({&rules[index], subject.label, std::move(detail)});
  }
  std::vector<AuditFinding> take() {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const AuditFinding &a, const AuditFinding &b) { return a.rule < b.rule; });
    return std::move(list_);
  }

private:
  std::vector<AuditFinding> list_;
};

// What the facts say of themselves.
void audit_facts(const Subject &subject, const std::string &folder, Findings &findings) {
  const ElfFacts &facts = subject.facts;
  const std::vector<std::string> places = expand_run_paths(facts, subject.path.substr(0, subject.path.rfind('/')));
  for (size_t i = 0; i < places.size(); ++i)
    if (!lies_in(places[i], folder)) findings.add(rule::load_outside_run_path, subject, facts.run_paths[i]);
  for (const std::string &name : facts.needed)
    if (name.find('/') != std::string::npos) findings.add(rule::load_needs_path, subject, name);
  for (const std::string &name : facts.other_libraries) findings.add(rule::load_other_libraries, subject, name);
  if (facts.executable_stack) findings.add(rule::load_executable_stack, subject, {});
  if (facts.text_relocations || facts.writable_code) findings.add(rule::load_writable_code, subject, {});
  if (facts.static_tls) findings.add(rule::load_static_tls, subject, {});
  if (facts.constructors > 1) // one is the compiler's own
    findings.add(rule::load_constructors, subject, count(facts.constructors - 1, "static constructor"));
  if (facts.resolvers != 0) findings.add(rule::load_resolvers, subject, count(facts.resolvers, "symbol"));
  if (const auto why = why_it_stays(facts); !why.empty())
    findings.add(rule::load_stays_mapped, subject, fmt::format("{}", fmt::join(why, ", ")));
}

void audit_exports(const Subject &plugin, Findings &findings) {
  if (!plugin.facts.exports.empty())
    findings.add(rule::load_more_exports, plugin, some_of(plugin.facts.exports));
  else if (plugin.facts.weak_exports != 0)
    findings.add(rule::load_more_exports, plugin, count(plugin.facts.weak_exports, "weak symbol"));
}

} // namespace

// ── what several libraries share ────────────────────────────────────────────────────────────────────────────────────

struct Auditor::Shared {
  Mapped mapped;
  ElfSymbols symbols;
  ElfFacts facts; // empty when it is no library
};

Auditor::Auditor() = default;
Auditor::~Auditor() = default;

const Auditor::Shared *Auditor::shared(const std::string &path) {
  const auto known = shared_.find(path);
  if (known != shared_.end()) return known->second.get();
  Mapped mapped(Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
  auto &made = shared_[path];
  if (mapped.bytes().empty()) return nullptr;
  auto facts = read_elf(mapped.bytes());
  ElfSymbols symbols(mapped.bytes());
  made = std::unique_ptr<Shared>(
      new Shared{std::move(mapped), std::move(symbols), facts ? std::move(*facts) : ElfFacts{}});
  return made.get();
}

namespace {

// Where each undefined symbol comes from.
void audit_symbols(const Subject &subject, const auto &scope, Findings &findings) {
  std::vector<std::string> of_the_host;
  for (const std::string &symbol : subject.facts.undefined) {
    if (std::any_of(scope.begin(), scope.end(), [&](const auto *one) { return one->symbols.defines(symbol); }))
      continue;
    if (::dlsym(RTLD_DEFAULT, symbol.c_str()))
      of_the_host.push_back(symbol);
    else
      findings.add(rule::load_undefined_symbol, subject, symbol);
  }
  if (!of_the_host.empty()) findings.add(rule::load_host_symbol, subject, some_of(of_the_host));
}

} // namespace

// All that the dynamic loader would look through, each before what it needs itself.
std::vector<const Auditor::Shared *> Auditor::scope(const std::vector<NeededLibrary> &needs) {
  std::vector<const Shared *> result;
  std::set<std::string> names;
  std::vector<NeededLibrary> rest = needs;
  for (size_t i = 0; i < rest.size(); ++i) {
    const std::string path = rest[i].path;
    if (path.empty() || !names.insert(rest[i].name).second) continue;
    const Shared *const one = shared(path);
    if (!one) continue;
    result.push_back(one);
    if (rest[i].place != Place::folder && rest[i].place != Place::environment) // theirs are in `needs`
      for (NeededLibrary &its : needed_libraries(path, one->facts))
        if (!names.contains(its.name)) rest.push_back(std::move(its));
  }
  return result;
}

std::vector<AuditFinding> Auditor::audit(const std::string &folder, const std::string &library, const ElfFacts &facts) {
  Findings findings;
  std::vector<Subject> subjects = {{library, absolute_path(join_path(folder, library)), facts}};
  const std::vector<NeededLibrary> needs = needed_libraries(subjects[0].path, facts);
  for (const NeededLibrary &need : needs)
    if (need.place == Place::folder || need.place == Place::environment)
      if (const auto bytes = read_file(need.path))
        if (auto its = read_elf(*bytes)) subjects.push_back({need.name, need.path, std::move(*its)});

  bool whole = true;
  for (const NeededLibrary &need : needs) {
    const auto by = std::find_if(subjects.begin(), subjects.end(), [&](const Subject &s) { return s.path == need.by; });
    const Subject &user = by == subjects.end() ? subjects[0] : *by;
    if (need.place == Place::missing) findings.add(rule::load_missing_dependency, user, need.name);
    if (need.place == Place::environment || need.place == Place::process)
      findings.add(rule::load_needed_elsewhere, user, need.name);
    whole &= need.place != Place::missing;
  }
  const auto looked_through = whole ? scope(needs) : std::vector<const Shared *>();
  for (const Subject &subject : subjects) {
    audit_facts(subject, folder, findings);
    for (const ElfFacts::Version &wanted : subject.facts.needed_versions)
      for (const NeededLibrary &need : needs)
        if (need.name == wanted.library)
          if (const Shared *its = shared(need.path);
              its && its->symbols.has_versions() && !its->symbols.defines_version(wanted.version))
            findings.add(rule::load_missing_version, subject,
                         fmt::format("the version `{}` of `{}`", wanted.version, wanted.library));
    if (whole) audit_symbols(subject, looked_through, findings);
  }
  audit_exports(subjects[0], findings);
  return findings.take();
}

std::string some_of(const std::vector<std::string> &names) {
  constexpr size_t shown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(shown, names.size()); ++i) text += (i ? ", `" : "`") + names[i] + "`";
  if (names.size() > shown) text += " and " + count(names.size() - shown, "other");
  return text;
}

std::span<const AuditRule> audit_rules() { return rules; }

Diagnostic &report(const AuditFinding &finding, Span span, Diagnostics &diagnostics) {
  const DiagInfo &kind = finding.rule->kind;
  const auto filled = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text), finding.library, finding.detail);
  };
  Diagnostic d;
  d.code = std::string(kind.code);
  d.severity = kind.severity;
  d.message = filled(kind.summary);
  d.span = std::move(span);
  if (!finding.rule->hint.empty()) d.hint(filled(finding.rule->hint));
  return diagnostics.add(std::move(d));
}

std::vector<std::string> why_it_stays(const ElfFacts &facts) {
  std::vector<std::string> why;
  const auto add = [&](std::string reason) {
    if (std::find(why.begin(), why.end(), reason) == why.end()) why.push_back(std::move(reason));
  };
  if (facts.stays) add("it was linked with `-z nodelete`");
  if (!facts.unique.empty()) add("of " + some_of(facts.unique) + " a process has one (STB_GNU_UNIQUE)");
  for (const Stays &row : stays)
    if (std::find(facts.undefined.begin(), facts.undefined.end(), row.symbol) != facts.undefined.end())
      add(std::string(row.why));
  return why;
}

} // namespace htp
