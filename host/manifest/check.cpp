#include "host/base/suggest.h"
#include "host/diag/suggestion.h"
#include "host/manifest/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace htp {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string type_text(const ParameterDecl &parameter) {
  switch (parameter.type) {
  case ParameterDecl::Type::integer: return "an integer";
  case ParameterDecl::Type::boolean: return "`true` or `false`";
  case ParameterDecl::Type::version: return "a quoted version";
  case ParameterDecl::Type::string: return "a string";
  case ParameterDecl::Type::reference:
    return fmt::format("the name of a unit of kind `{}`", unit_kind_name(parameter.reference));
  case ParameterDecl::Type::enumeration: break;
  }
  std::string list;
  for (const std::string &value : parameter.values) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", value);
  return "one of " + list;
}

void variables_of(const Term &term, std::set<std::string> &into) {
  for (const auto &[name, argument] : term.arguments)
    if (argument.form == Argument::Form::variable) into.insert(argument.variable);
}

// By what is required; where that has none, by what is asked of a pass; of handlers, by who asks for one.
std::set<std::string> bound_variables(const Unit &unit) {
  std::set<std::string> bound;
  for (const Requirement &requirement : unit.requires_)
    for (const Term &term : requirement.alternatives) variables_of(term, bound);
  if (bound.empty() && (unit.kind == UnitKind::pass || unit.kind == UnitKind::island))
    for (const Term &term : unit.provides) variables_of(term, bound);
  if (unit.backend.value.starts_with('$')) bound.insert(unit.backend.value.substr(1));
  return bound;
}

// How a term is used decides what is asked of it.
enum class Use { required, optional, alternative, provided, pattern };

class Checker {
public:
  Checker(const std::vector<const Manifest *> &manifests, Diagnostics &diagnostics, size_t first)
      : manifests_(manifests), diagnostics_(diagnostics) {
    const auto by_id = [](const Manifest *a, const Manifest *b) {
      const auto path = [](const Manifest *m) {
        return m->source ? std::string_view(m->source->path) : std::string_view();
      };
      return std::tuple(std::string_view(a->id.value), path(a)) < std::tuple(std::string_view(b->id.value), path(b));
    };
    const auto rest = manifests_.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(manifests_.begin(), rest, by_id);
    std::stable_sort(rest, manifests_.end(), by_id);
  }

  void run() {
    for (const CapabilityDecl &capability : sdk_manifest().declares)
      capabilities_.emplace(capability.name.value, Known{&sdk_manifest(), &capability.name, &capability});
    for (const Manifest *manifest : manifests_) collect(*manifest);
    for (const Manifest *manifest : manifests_) {
      for (const CapabilityDecl &capability : manifest->declares) check_declaration(*manifest, capability);
      for (const Unit &unit : manifest->units) check_unit(unit);
    }
  }

private:
  struct Known {
    const Manifest *owner;
    const Text *name;
    const CapabilityDecl *capability = nullptr;
  };
  using Names = std::map<std::string, Known, std::less<>>;

  void enter(Names &names, const std::string &what, const Manifest &manifest, const Text &name,
             const CapabilityDecl *capability = nullptr) {
    const auto [first, fresh] = names.emplace(name.value, Known{&manifest, &name, capability});
    if (fresh || first->second.owner->id.value == manifest.id.value) return;
    Diagnostic &d = diagnostics_.report(diag::manifest_declared_twice, name.span, what, name.value);
    if (first->second.name->span)
      d.label(first->second.name->span, fmt::format("`{}` declares it here", first->second.owner->id.value));
    else
      d.note(fmt::format("`{}` declares it", first->second.owner->id.value));
  }

  void collect(const Manifest &manifest) {
    for (const CapabilityDecl &capability : manifest.declares)
      enter(capabilities_, "the capability", manifest, capability.name, &capability);
    for (const Unit &unit : manifest.units) {
      enter(units_, "the unit", manifest, unit.name);
      of_kind_[unit.kind].emplace(unit.name.value, Known{&manifest, &unit.name});
      if (unit.kind == UnitKind::intrinsics)
        for (const Text &member : unit.members) enter(intrinsics_, "the intrinsic", manifest, member);
      for (const Term &term : unit.verifies) verified_.insert(term.name);
    }
  }

  static std::vector<std::string_view> names_of(const Names &names) {
    std::vector<std::string_view> list;
    for (const auto &[name, known] : names) list.push_back(name);
    return list;
  }
  // Where the first `name` stands within a term.
  static Span name_in(const Span &span, std::string_view name) {
    if (!span.file || span.line == 0 || span.line != span.end_line) return span;
    const std::string_view text = span.file->line(span.line).substr(0, span.end_col);
    const size_t at = text.find(name, span.col);
    if (at == std::string_view::npos) return span;
    return {span.file, span.line, static_cast<uint32_t>(at), span.line, static_cast<uint32_t>(at + name.size())};
  }
  // The place of a parameter's name, or of its value, within a term.
  static Span parameter_in(const Span &span, std::string_view name, std::string_view value = {}) {
    if (!span.file || span.line == 0 || span.line != span.end_line) return span;
    const std::string_view text = span.file->line(span.line).substr(0, span.end_col);
    for (size_t at = text.find(name, span.col); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const size_t equals = text.find_first_not_of(' ', at + name.size());
      const bool begins = at > 0 && std::string_view("(, ").find(text[at - 1]) != std::string_view::npos;
      if (!begins || equals == std::string_view::npos || text[equals] != '=') continue;
      const Span from_here{span.file, span.line, static_cast<uint32_t>(value.empty() ? at : equals), span.line,
                           span.end_col};
      return name_in(from_here, value.empty() ? name : value);
    }
    return span;
  }
  static void declared_at(Diagnostic &d, const Known &known) {
    if (known.name->span)
      d.label(known.name->span, "declared here");
    else
      d.note(fmt::format("`{}` is declared by the SDK", known.name->value));
  }

  void check_declaration(const Manifest &manifest, const CapabilityDecl &capability) {
    if (!carries_prefix(manifest.id.value, capability.name.value))
      diagnostics_.report(diag::manifest_foreign_prefix, capability.name.span, capability.name.value, manifest.id.value)
          .hint(fmt::format("the plugin's words are {}", words_text(manifest.id.value)));
    if (capability.state && !verified_.contains(capability.name.value))
      diagnostics_.report(diag::manifest_no_verifier, capability.name.span, capability.name.value)
          .hint(fmt::format("add a unit of kind `verifier` with `- {}` under `verifies:`", capability.name.value));
    for (const ParameterDecl &parameter : capability.parameters)
      if (parameter.name.value.find_first_of(".-") != std::string::npos)
        diagnostics_.report(diag::manifest_bad_value, parameter.name.span, "a parameter's name", parameter.name.value,
                            "a name without dots and dashes, as `row_width`");
  }

  static std::vector<std::string> words(std::string_view id) {
    std::vector<std::string> list;
    for (std::string_view rest = id; !rest.empty();) {
      const size_t end = std::min(rest.find_first_of(".-_"), rest.size());
      list.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return list;
  }
  static std::string words_text(std::string_view id) {
    std::string text;
    for (const std::string &word : words(id)) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
    return text;
  }
  static bool carries_prefix(std::string_view id, std::string_view name) {
    const size_t dot = std::min(name.find('.'), name.size());
    std::string_view first = name.substr(0, dot);
    if (first == "Dialect" || first == "Backend") { // families that every plugin may add to
      const std::string_view rest = name.substr(std::min(dot + 1, name.size()));
      first = rest.substr(0, rest.find('.'));
    } else {
      for (const CapabilityDecl &capability : sdk_manifest().declares)
        if (capability.name.value.starts_with(std::string(first) + ".")) return false; // the SDK's own families
    }
    // One word of the id, or several in a row: `acme.tools` has `Acme`, `Tools` and `AcmeTools`.
    const std::vector<std::string> own = words(id);
    const std::string wanted = lower(first);
    for (size_t begin = 0; begin < own.size(); ++begin) {
      std::string joined;
      for (size_t end = begin; end < own.size() && joined.size() < wanted.size(); ++end) joined += own[end];
      if (joined == wanted) return true;
    }
    return false;
  }

  void check_unit(const Unit &unit) {
    for (const Requirement &requirement : unit.requires_) check_requirement(requirement, false);
    for (const Requirement &requirement : unit.contract) check_requirement(requirement, false);
    for (const Requirement &requirement : unit.wants) check_requirement(requirement, true);
    for (const Term &term : unit.provides)
      if (!implied_by_handlers(unit, term)) check_term(term, Use::provided);
    for (const Term &term : unit.conflicts) check_term(term, Use::optional);
    for (const Term &term : unit.invalidates) check_state(term, "invalidated");
    for (const Term &term : unit.verifies) check_state(term, "verified");
    check_variables(unit);
    check_names("pass", unit.passes, UnitKind::pass, UnitKind::island);
    check_names("intrinsic set", unit.target_set, UnitKind::intrinsics, UnitKind::intrinsics);
    check_intrinsics(unit.takes);
    if (unit.kind != UnitKind::handlers) return;
    if (!unit.backend.value.starts_with('$')) // any
      check_names("backend", {unit.backend}, UnitKind::backend, UnitKind::backend);
    check_intrinsics(unit.members);
  }

  void check_intrinsics(const std::vector<Text> &names) {
    for (const Text &name : names)
      if (!intrinsics_.contains(name.value))
        suggest(diagnostics_.report(diag::manifest_unknown_unit, name.span, "intrinsic", name.value), name.value,
                names_of(intrinsics_), name.span);
  }

  // The unit's `backend` and `members` are checked as such, once.
  static bool implied_by_handlers(const Unit &unit, const Term &term) {
    return unit.kind == UnitKind::handlers && term.name == "Intrinsic.Handler" &&
           std::any_of(unit.members.begin(), unit.members.end(), [&](const Text &member) {
             return member.span.line == term.span.line && member.span.col == term.span.col;
           });
  }

  void check_names(const std::string &what, const std::vector<Text> &names, UnitKind kind, UnitKind or_kind) {
    for (const Text &name : names) {
      if (of_kind_[kind].contains(name.value) || of_kind_[or_kind].contains(name.value)) continue;
      suggest(diagnostics_.report(diag::manifest_unknown_unit, name.span, what, name.value), name.value,
              names_of(of_kind_[kind]), name.span);
    }
  }

  static bool may_be_absent(Use use) { return use == Use::optional || use == Use::alternative; }
  // Is the plugin here that carries the name's prefix? Else the name is another's, however much it looks like one of
  // these.
  bool is_owner_here(std::string_view name) const {
    const std::string family = std::string(name.substr(0, name.find('.'))) + ".";
    const std::vector<CapabilityDecl> &sdk = sdk_manifest().declares;
    return std::any_of(sdk.begin(), sdk.end(), [&](const auto &c) { return c.name.value.starts_with(family); }) ||
           std::any_of(manifests_.begin(), manifests_.end(),
                       [&](const Manifest *manifest) { return carries_prefix(manifest->id.value, name); });
  }

  // Where one alternative is known, the others may belong to plugins that are not installed.
  void check_requirement(const Requirement &requirement, bool wanted) {
    const auto known = [&](const Term &term) { return capabilities_.contains(term.name); };
    const bool any = std::any_of(requirement.alternatives.begin(), requirement.alternatives.end(), known);
    for (const Term &term : requirement.alternatives)
      check_term(term, any ? Use::alternative : wanted ? Use::optional : Use::required);
  }

  const Known *check_term(const Term &term, Use use) {
    const auto found = capabilities_.find(term.name);
    if (found == capabilities_.end()) {
      const std::vector<std::string_view> names = names_of(capabilities_);
      if (use == Use::alternative && !is_owner_here(term.name)) return nullptr;
      if (may_be_absent(use) && did_you_mean(term.name, names).empty()) return nullptr;
      const Span span = name_in(term.span, term.name);
      suggest(diagnostics_.report(diag::manifest_undeclared, span, term.name), term.name, names, span);
      return nullptr;
    }
    const Known &known = found->second;
    const std::vector<ParameterDecl> &parameters = known.capability->parameters;
    for (const auto &given : term.arguments) {
      const std::string &name = given.first;
      const Argument &argument = given.second;
      const auto parameter =
          std::find_if(parameters.begin(), parameters.end(), [&](const ParameterDecl &p) { return p.name == name; });
      if (parameter != parameters.end()) {
        for (const Value &value : argument.values) check_value(term, known, *parameter, value, use);
        continue;
      }
      std::vector<std::string_view> names;
      for (const ParameterDecl &p : parameters) names.push_back(p.name.value);
      const Span span = parameter_in(term.span, name);
      Diagnostic &d = diagnostics_.report(diag::manifest_unknown_parameter, span, term.name, name);
      declared_at(d, known);
      suggest(d, name, names, span);
      if (d.hints.empty()) d.hint(names.empty() ? "it has none" : fmt::format("it has `{}`", fmt::join(names, "`, `")));
    }
    if (use != Use::provided) return &known;
    for (const ParameterDecl &parameter : parameters) {
      if (term.arguments.contains(parameter.name.value)) continue;
      Diagnostic &d = diagnostics_.report(diag::manifest_missing_parameter, term.span, term.name, parameter.name.value);
      declared_at(d, known);
      d.hint(fmt::format("`{}` is {}", parameter.name.value, type_text(parameter)));
    }
    return &known;
  }

  void check_value(const Term &term, const Known &known, const ParameterDecl &parameter, const Value &value, Use use) {
    const bool text = value.form == Value::Form::name || value.form == Value::Form::string;
    bool fits = false;
    std::vector<std::string_view> candidates;
    switch (parameter.type) {
    case ParameterDecl::Type::integer: fits = value.form == Value::Form::integer; break;
    case ParameterDecl::Type::boolean: fits = value.form == Value::Form::boolean; break;
    case ParameterDecl::Type::version: fits = value.form == Value::Form::string && Version::parse(value.text); break;
    case ParameterDecl::Type::string: fits = text; break;
    case ParameterDecl::Type::enumeration:
      candidates.assign(parameter.values.begin(), parameter.values.end());
      fits = text && std::find(candidates.begin(), candidates.end(), value.text) != candidates.end();
      break;
    case ParameterDecl::Type::reference:
      candidates = names_of(of_kind_[parameter.reference]);
      // What is optional may belong to a plugin that is not installed.
      fits = text && (of_kind_[parameter.reference].contains(value.text) ||
                      (may_be_absent(use) && did_you_mean(value.text, candidates).empty()));
      break;
    }
    if (fits) return;
    const std::string spelled = value.spelling();
    const Span span = parameter_in(term.span, parameter.name.value, spelled);
    Diagnostic &d = diagnostics_.report(diag::manifest_bad_argument, span, parameter.name.value, term.name, spelled,
                                        type_text(parameter));
    declared_at(d, known);
    if (text) suggest(d, value.text, candidates, span);
  }

  void check_state(const Term &term, std::string_view what) {
    const Known *known = check_term(term, Use::pattern);
    if (!known || known->capability->state) return;
    declared_at(diagnostics_.report(diag::manifest_not_state, name_in(term.span, term.name), term.name, what), *known);
  }

  void check_variables(const Unit &unit) {
    const std::set<std::string> bound = bound_variables(unit);
    for (const auto &[variable, term] : unbound_variables(unit)) {
      const Span span = name_in(term->span, "$" + variable);
      Diagnostic &d = diagnostics_.report(diag::manifest_unbound_variable, span, variable, term->name);
      const std::string_view meant = did_you_mean(variable, std::vector<std::string_view>(bound.begin(), bound.end()));
      d.hint(meant.empty() ? "use it in a term under `requires:` too" : fmt::format("did you mean `${}`?", meant));
    }
  }

  std::vector<const Manifest *> manifests_;
  Diagnostics &diagnostics_;
  Names capabilities_, units_, intrinsics_;
  std::map<UnitKind, Names> of_kind_;
  std::set<std::string> verified_;
};

} // namespace

std::vector<std::pair<std::string, const Term *>> unbound_variables(const Unit &unit) {
  const std::set<std::string> bound = bound_variables(unit);
  std::vector<std::pair<std::string, const Term *>> unbound;
  for (const std::vector<Term> *terms : {&unit.provides, &unit.invalidates, &unit.verifies})
    for (const Term &term : *terms) {
      std::set<std::string> used;
      variables_of(term, used);
      for (const std::string &variable : used)
        if (!bound.contains(variable)) unbound.emplace_back(variable, &term);
    }
  return unbound;
}

void check_terms(const std::vector<const Manifest *> &manifests, Diagnostics &diagnostics, size_t first) {
  Checker(manifests, diagnostics, first).run();
}

} // namespace htp
