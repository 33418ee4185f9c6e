#include "host/diag/place.h"
#include "host/resolve/explain.h"
#include "host/resolve/explain_fix.h"
#include "host/resolve/words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {
namespace {

bool of_request(const Cause &cause) { return cause.kind <= Cause::Kind::need; }

// Which of a cause's options can take part at all.
std::vector<const Cause::Option *> open_options(const Cause &cause) {
  std::vector<const Cause::Option *> open;
  for (const Cause::Option &option : cause.options)
    if (option.rejected.empty() && !option.out_of_range && option.provides.empty()) open.push_back(&option);
  return open;
}

// "`tile.infer` of htp.dialect-tile 0.1.0 or 0.2.0": versions of one unit together.
std::string options_text(const std::vector<const Cause::Option *> &options, std::string_view last) {
  std::vector<std::pair<std::string, std::vector<std::string>>> merged;
  for (const Cause::Option *option : options) {
    std::string const who = (option->unit.empty() ? "" : "`" + option->unit + "` of ") + option->plugin;
    auto found = std::find_if(merged.begin(), merged.end(), [&](const auto &each) { return each.first == who; });
    if (found == merged.end()) found = merged.insert(merged.end(), {who, {}});
    if (std::find(found->second.begin(), found->second.end(), option->version) == found->second.end())
      found->second.push_back(option->version);
  }
  std::vector<std::string> words;
  for (const auto &[who, versions] : merged) words.push_back(who + " " + list_text(versions, last));
  return list_text(words, last);
}

// What stands in the way of something that is asked for.
std::string tail(const Cause &cause) {
  switch (cause.fault) {
  case Cause::Fault::unavailable: {
    auto const open = open_options(cause);
    return open.empty() ? "" : fmt::format(", which only {} provides", options_text(open, "or"));
  }
  case Cause::Fault::undeclared: return ", a capability that no plugin declares";
  case Cause::Fault::unknown_parameter: return fmt::format(", but it has no parameter `{}`", cause.offender);
  case Cause::Fault::missing_parameter: return fmt::format(", without its parameter `{}`", cause.offender);
  case Cause::Fault::bad_value: return fmt::format(", but `{}` is not {}", cause.offender, cause.expected);
  case Cause::Fault::unknown_unit: return fmt::format(", but there is no {} `{}`", cause.expected, cause.offender);
  case Cause::Fault::no_provider: return ", which no plugin provides";
  case Cause::Fault::out_of_range: return fmt::format(", but there is only {}", cause.owner);
  case Cause::Fault::not_initial: return ", which does not hold of this source, and which no pass brings";
  case Cause::Fault::circular:
    return fmt::format(", which only {} brings, and that waits for it in turn",
                       options_text(open_options(cause), "or"));
  }
  return "";
}

std::string who(const Cause &cause) {
  std::vector<std::string> versions;
  for (const std::string &version : cause.versions)
    if (std::find(versions.begin(), versions.end(), version) == versions.end()) versions.push_back(version);
  std::string const plugin = cause.plugin + " " + list_text(versions, "and");
  return cause.unit.empty() ? plugin : fmt::format("`{}` of {}", cause.unit, plugin);
}

std::string asked(const Cause &cause) {
  switch (cause.kind) {
  case Cause::Kind::target: return fmt::format("target `{}`", cause.subject);
  case Cause::Kind::wish: return fmt::format("plugin `{}`", cause.subject);
  default: return cause.phrase;
  }
}

std::string sentence(const Cause &cause) {
  switch (cause.kind) {
  case Cause::Kind::target: {
    auto const open = open_options(cause);
    return open.empty() ? asked(cause) : fmt::format("the target is {}", options_text(open, "or"));
  }
  case Cause::Kind::wish: {
    auto const open = open_options(cause);
    return open.empty() ? asked(cause) : fmt::format("the profile wants {}", options_text(open, "or"));
  }
  case Cause::Kind::need: return fmt::format("{} needs `{}`{}", cause.phrase, cause.subject, tail(cause));
  case Cause::Kind::requirement: return fmt::format("{} requires `{}`{}", who(cause), cause.subject, tail(cause));
  case Cause::Kind::contract:
    return fmt::format("the contract of {} wants `{}`{}", who(cause), cause.subject, tail(cause));
  case Cause::Kind::conflict:
    return fmt::format("{} conflicts with `{}`, which {} provides", who(cause), cause.subject,
                       options_text(open_options(cause), "and"));
  case Cause::Kind::plugin_conflict: return fmt::format("{} conflicts with the plugin `{}`", who(cause), cause.subject);
  case Cause::Kind::one_version: return fmt::format("only one version of {} can be loaded", cause.subject);
  case Cause::Kind::same_name: {
    std::vector<std::string> plugins;
    for (const Cause::Option &option : cause.options)
      if (std::find(plugins.begin(), plugins.end(), option.plugin) == plugins.end()) plugins.push_back(option.plugin);
    return fmt::format("{} each bring a unit `{}`, and only one can be loaded", list_text(plugins, "and"),
                       cause.subject);
  }
  }
  return "";
}

// From the request down: what a cause's options say comes after it.
std::vector<const Cause *> chain(const std::vector<Cause> &causes) {
  std::vector<const Cause *> order, rest;
  for (const Cause &cause : causes) (of_request(cause) ? order : rest).push_back(&cause);
  for (size_t i = 0; i < order.size(); ++i)
    for (const Cause::Option &option : order[i]->options)
      for (auto next = rest.begin(); next != rest.end();) {
        bool const says = (*next)->plugin == option.plugin && ((*next)->unit == option.unit || (*next)->unit.empty());
        if (says) order.push_back(*next);
        next = says ? rest.erase(next) : next + 1;
      }
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

void add_hints(const std::vector<const Cause *> &causes, Diagnostic &d) {
  auto hint = [&](std::string text) {
    if (std::find(d.hints.begin(), d.hints.end(), text) == d.hints.end()) d.hint(std::move(text));
  };
  for (const Cause *cause : causes) {
    for (const std::string &suggestion : cause->suggestions) hint(fmt::format("did you mean `{}`?", suggestion));
    for (const Cause::Option &option : cause->options) {
      std::string const plugin = option.plugin + " " + option.version;
      bool const wish = cause->kind == Cause::Kind::wish;
      std::string const has = wish || cause->kind == Cause::Kind::target ? "was found"
                              : option.provides.empty()                  ? "provides it"
                                                                         : "provides `" + option.provides + "`";
      if (!option.rejected.empty())
        hint(fmt::format("{} {}, but cannot take part: {}", plugin, has, option.rejected));
      else if (wish && option.out_of_range)
        hint(fmt::format("{} was found", plugin));
      else if (!option.provides.empty())
        hint(fmt::format("`{}` of {} provides `{}`", option.unit, plugin, option.provides));
    }
  }
  for (const Cause *cause : causes)
    if (cause->fault == Cause::Fault::undeclared || cause->fault == Cause::Fault::no_provider ||
        cause->fault == Cause::Fault::unknown_unit)
      if (d.hints.empty())
        hint("`htp-host plugins list` shows the plugins that were found; `--plugin-path DIR` adds a folder");
}

Span place_of(const Cause &cause) { return cause.places.empty() ? Span{} : cause.places.front(); }

void report_alone(const Conflict &conflict, const Request &request, Diagnostics &diagnostics) {
  const Cause &cause = conflict.causes.front();
  Diagnostic *d = nullptr;
  switch (cause.kind) {
  case Cause::Kind::target:
    d = &diagnostics.report(diag::resolve_unknown_target, place_of(cause), cause.subject);
    break;
  case Cause::Kind::wish: {
    std::string const id = cause.offender;
    std::string range;
    for (const PluginWish &wish : request.wishes)
      if (cause.subject == id + "@" + wish.range.text() && wish.id == id) range = wish.range.text();
    d = cause.fault == Cause::Fault::out_of_range
            ? &diagnostics.report(diag::resolve_no_version, place_of(cause), id, "`" + range + "`")
            : &diagnostics.report(diag::resolve_unknown_plugin, place_of(cause), id);
    break;
  }
  default: d = &diagnostics.report(diag::resolve_unmet_need, place_of(cause), sentence(cause)); break;
  }
  for (size_t i = 1; i < cause.places.size(); ++i) d->label(cause.places[i], "and here");
  add_hints({&cause}, *d);
  add_fixes(conflict.fixes, *d);
}

void report_one(const Conflict &conflict, const Request &request, Diagnostics &diagnostics) {
  const std::vector<Cause> &causes = conflict.causes;
  if (causes.size() == 1) return report_alone(conflict, request, diagnostics);
  std::vector<const Cause *> const order = chain(causes);
  std::vector<std::string> goals;
  Span place;
  for (const Cause *cause : order) {
    if (!of_request(*cause)) continue;
    goals.push_back(asked(*cause));
    if (!place || cause->kind == Cause::Kind::need)
      place =
          place ? (cause->kind == Cause::Kind::need && place_of(*cause) ? place_of(*cause) : place) : place_of(*cause);
  }
  Diagnostic &d = diagnostics.report(
      diag::resolve_no_plan, place,
      fmt::format("{} cannot be served{}", list_text(goals, "and"), goals.size() > 1 ? " together" : ""));
  for (const Cause *cause : order) {
    bool placed = false;
    for (const Span &span : cause->places) {
      if (!span) continue;
      d.label(span, placed ? "and here" : sentence(*cause));
      placed = true;
    }
    if (!placed) d.note(sentence(*cause));
  }
  add_hints(order, d);
  add_fixes(conflict.fixes, d);
}

} // namespace

void report(const Refusal &refusal, const Request &request, Diagnostics &diagnostics) {
  for (const Conflict &conflict : refusal.conflicts) report_one(conflict, request, diagnostics);
  if (refusal.undecided)
    diagnostics.report(diag::resolve_undecided, request.target.span, request.conflicts)
        .hint("name plugins with their versions under the profile's `plugins`");
}

namespace {

using Json = nlohmann::ordered_json;

Json places_json(const std::vector<Span> &spans) {
  Json places = Json::array();
  for (const Span &span : spans) {
    if (!span) continue;
    Place const place = span.line ? place_of(span) : Place{1, 1, 1, 1};
    places.push_back({{"file", span.file->path}, {"line", place.line}, {"column", place.column}});
  }
  return places;
}

constexpr std::string_view cause_names[] = {
    "target", "wish", "need", "requirement", "contract", "conflict", "plugin-conflict", "one-version", "same-name"};
constexpr std::string_view fault_names[] = {"unavailable",  "undeclared",        "unknown-parameter", "bad-value",
                                            "unknown-unit", "missing-parameter", "no-provider",       "out-of-range",
                                            "not-initial",  "circular"};
constexpr std::string_view change_names[] = {"retarget", "relax", "install", "drop"};

template <class Kind, size_t N> std::string_view name_in(const std::string_view (&names)[N], Kind kind) {
  return names[static_cast<size_t>(kind)];
}

Json cause_json(const Cause &cause) {
  Json options = Json::array();
  for (const Cause::Option &option : cause.options)
    options.push_back({{"plugin", option.plugin},
                       {"version", option.version},
                       {"unit", option.unit},
                       {"rejected", option.rejected},
                       {"out_of_range", option.out_of_range},
                       {"provides", option.provides}});
  return {{"kind", name_in(cause_names, cause.kind)},
          {"fault", name_in(fault_names, cause.fault)},
          {"plugin", cause.plugin},
          {"versions", cause.versions},
          {"unit", cause.unit},
          {"subject", cause.subject},
          {"text", sentence(cause)},
          {"places", places_json(cause.places)},
          {"suggestions", cause.suggestions},
          {"options", options}};
}

} // namespace

std::string explain_json(const Refusal &refusal) {
  Json list = Json::array();
  for (const Conflict &conflict : refusal.conflicts) {
    Json causes = Json::array(), fixes = Json::array();
    for (const Cause *cause : chain(conflict.causes)) causes.push_back(cause_json(*cause));
    for (const Fix &fix : conflict.fixes) {
      Json changes = Json::array();
      for (const Change &change : fix.changes)
        changes.push_back({{"kind", name_in(change_names, change.kind)},
                           {"of", name_in(cause_names, change.of)},
                           {"plugin", change.plugin},
                           {"unit", change.unit},
                           {"subject", change.subject},
                           {"there", change.there},
                           {"text", text_of(change)},
                           {"places", places_json(change.places)}});
      fixes.push_back(std::move(changes));
    }
    list.push_back({{"causes", std::move(causes)}, {"fixes", std::move(fixes)}});
  }
  return list.dump(2) + "\n";
}

} // namespace htp
