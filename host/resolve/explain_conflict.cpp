#include "host/diag/location.h"
#include "host/resolve/explain.h"
#include "host/resolve/explain_fix.h"
#include "host/resolve/lists.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {
namespace {

// A unit is asked for by its name.
bool is_unit(const Cause &cause) {
  return cause.kind == Cause::Kind::target || cause.kind == Cause::Kind::pipeline || cause.kind == Cause::Kind::step;
}

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
  std::vector<std::string> parties;
  for (const auto &[who, versions] : merged) parties.push_back(who + " " + list_text(versions, last));
  return list_text(parties, last);
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
  case Cause::Fault::cannot_run: {
    std::vector<std::string> passes;
    for (const Cause::Option &option : cause.options) passes.push_back("`" + option.unit + "`");
    return fmt::format(", which {} would bring, but cannot run", list_text(passes, "or"));
  }
  }
  return "";
}

std::string who(const Cause &cause) {
  std::vector<std::string> versions;
  for (const std::string &version : cause.versions)
    if (std::find(versions.begin(), versions.end(), version) == versions.end()) versions.push_back(version);
  std::string const plugin = cause.plugin + " " + list_text(versions, "and");
  if (cause.plugin.empty()) return fmt::format("`{}`", cause.unit);
  return cause.unit.empty() ? plugin : fmt::format("`{}` of {}", cause.unit, plugin);
}

std::string asked(const Cause &cause) {
  switch (cause.kind) {
  case Cause::Kind::target: return fmt::format("target `{}`", cause.subject);
  case Cause::Kind::pipeline: return fmt::format("pipeline `{}`", cause.subject);
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
  case Cause::Kind::pipeline: {
    auto const open = open_options(cause);
    return open.empty() ? asked(cause) : fmt::format("the profile's pipeline is {}", options_text(open, "or"));
  }
  case Cause::Kind::step: {
    auto const open = open_options(cause);
    return fmt::format("the pipeline {} names the pass {}", who(cause),
                       open.empty() ? "`" + cause.subject + "`, which no plugin brings" : options_text(open, "or"));
  }
  case Cause::Kind::wish: {
    auto const open = open_options(cause);
    return open.empty() ? asked(cause) : fmt::format("the profile wants {}", options_text(open, "or"));
  }
  case Cause::Kind::need: return fmt::format("{} needs `{}`{}", cause.phrase, cause.subject, tail(cause));
  case Cause::Kind::requirement: return fmt::format("{} requires `{}`{}", who(cause), cause.subject, tail(cause));
  case Cause::Kind::contract:
    if (cause.unit.empty()) return fmt::format("the contract wants `{}`{}", cause.subject, tail(cause));
    return fmt::format("the contract of {} wants `{}`{}", who(cause), cause.subject, tail(cause));
  case Cause::Kind::invalidates: {
    std::vector<std::string> users;
    for (const std::string &user : cause.wanted_by) users.push_back(user.empty() ? "the contract" : "`" + user + "`");
    std::vector<std::string> passes;
    for (const Cause::Option &option : cause.options) passes.push_back("`" + option.unit + "`");
    return fmt::format("{} invalidates `{}`, which {} {}; {}", who(cause), cause.subject, list_text(users, "and"),
                       users.size() > 1 ? "want" : "wants",
                       passes.empty() ? "no pass brings it again" : "only " + list_text(passes, "or") + " brings it");
  }
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

std::vector<const Cause *> in_order(const std::vector<Cause> &causes) {
  std::vector<const Cause *> order;
  for (const Cause &cause : causes) order.push_back(&cause);
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
      std::string const has = wish || is_unit(*cause)   ? "was found"
                              : option.provides.empty() ? "provides it"
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

Span location_of(const Cause &cause) { return cause.locations.empty() ? Span{} : cause.locations.front(); }

// Of what the request asks for, and not of what that leads to.
bool stands_alone(const Conflict &conflict) {
  return conflict.causes.size() == 1 && conflict.of == Conflict::Of::plugins && of_request(conflict.causes[0]) &&
         conflict.causes[0].kind != Cause::Kind::step;
}

void report_alone(const Conflict &conflict, Diagnostics &diagnostics) {
  const Cause &cause = conflict.causes.front();
  Diagnostic *d = nullptr;
  switch (cause.kind) {
  case Cause::Kind::target:
    d = &diagnostics.report(diag::resolve_unknown_target, location_of(cause), cause.subject);
    break;
  case Cause::Kind::pipeline:
    d = &diagnostics.report(diag::pipeline_unknown_pipeline, location_of(cause), cause.subject);
    break;
  case Cause::Kind::wish:
    d = cause.fault == Cause::Fault::out_of_range
            ? &diagnostics.report(diag::resolve_no_version, location_of(cause), cause.offender,
                                  "`" + cause.expected + "`")
            : &diagnostics.report(diag::resolve_unknown_plugin, location_of(cause), cause.offender);
    break;
  default:
    d = &diagnostics.report(diag::resolve_unmet_need, location_of(cause), cause.phrase, cause.subject, tail(cause));
    break;
  }
  for (size_t i = 1; i < cause.locations.size(); ++i) d->label(cause.locations[i], "and here");
  add_hints({&cause}, *d);
  add_fixes(conflict.fixes, *d);
}

// The head of a conflict of several causes.
Diagnostic &report_head(const Conflict &conflict, const std::vector<const Cause *> &order, const Request &request,
                        Diagnostics &diagnostics) {
  switch (conflict.of) {
  case Conflict::Of::plugins: break;
  case Conflict::Of::unreachable:
    return diagnostics.report(diag::resolve_unreachable, request.target.span,
                              conflict.states.empty() ? "" : conflict.states.front());
  case Conflict::Of::invalidated:
    return diagnostics.report(diag::resolve_invalidated, request.target.span,
                              conflict.states.empty() ? "the pipeline's states"
                                                      : list_text(quoted(conflict.states), "and"));
  }
  std::vector<std::string> goals;
  Span location;
  for (const Cause *cause : order) {
    if (!of_request(*cause)) continue;
    goals.push_back(asked(*cause));
    if (!location || cause->kind == Cause::Kind::need)
      location = location ? (cause->kind == Cause::Kind::need && location_of(*cause) ? location_of(*cause) : location)
                          : location_of(*cause);
  }
  return diagnostics.report(diag::resolve_no_plan, location, list_text(goals, "and"),
                            goals.size() > 1 ? " together" : "");
}

void report_one(const Conflict &conflict, const Request &request, Diagnostics &diagnostics) {
  if (stands_alone(conflict)) return report_alone(conflict, diagnostics);
  std::vector<const Cause *> const order =
      conflict.of == Conflict::Of::plugins ? chain(conflict.causes) : in_order(conflict.causes);
  Diagnostic &d = report_head(conflict, order, request, diagnostics);
  for (const Cause *cause : order) {
    bool placed = false;
    for (const Span &span : cause->locations) {
      if (!span) continue;
      d.label(span, placed ? "and here" : sentence(*cause));
      placed = true;
    }
    if (!placed) d.note(sentence(*cause));
  }
  add_hints(order, d);
  add_fixes(conflict.fixes, d);
  if (d.hints.empty() && d.alternatives.empty())
    d.hint("`htp-host plugins list` shows the plugins that were found; `--plugin-path DIR` adds a folder");
}

} // namespace

void report(const Refusal &refusal, const Request &request, Diagnostics &diagnostics) {
  for (const Conflict &conflict : refusal.conflicts) report_one(conflict, request, diagnostics);
  if (refusal.undecided)
    diagnostics.report(diag::resolve_undecided, request.target.span, request.conflicts)
        .hint("name plugins with their versions under the profile's `plugins`");
  if (refusal.expansions)
    diagnostics.report(diag::resolve_no_order_found, request.target.span, refusal.expansions)
        .hint("a `pipeline` in the profile that names the passes leaves less to search");
}

namespace {

using Json = nlohmann::ordered_json;

Json locations_json(const std::vector<Span> &spans) {
  Json locations = Json::array();
  for (const Span &span : spans) {
    if (!span) continue;
    Location const location = span.line ? location_of(span) : Location{1, 1, 1, 1};
    locations.push_back({{"file", span.file->path}, {"line", location.line}, {"column", location.column}});
  }
  return locations;
}

constexpr std::string_view cause_names[] = {"target",      "pipeline",        "wish",        "need",
                                            "requirement", "contract",        "step",        "invalidates",
                                            "conflict",    "plugin-conflict", "one-version", "same-name"};
constexpr std::string_view fault_names[] = {"unavailable",  "undeclared",        "unknown-parameter", "bad-value",
                                            "unknown-unit", "missing-parameter", "no-provider",       "out-of-range",
                                            "not-initial",  "circular",          "cannot-run"};
constexpr std::string_view change_names[] = {"respell", "retarget", "relax", "install", "drop"};

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
  Json json{{"kind", name_in(cause_names, cause.kind)}};
  Json versions = Json::array(); // the request has none
  for (const std::string &version : cause.versions)
    if (!version.empty()) versions.push_back(version);
  if (cause.fault != Cause::Fault::unavailable) json["fault"] = name_in(fault_names, cause.fault);
  json.update({{"plugin", cause.plugin},
               {"versions", versions},
               {"unit", cause.unit},
               {"subject", cause.subject},
               {"text", sentence(cause)},
               {"places", locations_json(cause.locations)},
               {"suggestions", cause.suggestions},
               {"options", options}});
  Json users = Json::array();
  for (const std::string &user : cause.wanted_by) users.push_back(user.empty() ? "contract" : user);
  if (!users.empty()) json["wanted_by"] = users;
  return json;
}

} // namespace

std::string explain_json(const Refusal &refusal) {
  Json list = Json::array();
  for (const Conflict &conflict : refusal.conflicts) {
    Json causes = Json::array(), fixes = Json::array();
    bool const chained = conflict.of == Conflict::Of::plugins;
    for (const Cause *cause : chained ? chain(conflict.causes) : in_order(conflict.causes))
      causes.push_back(cause_json(*cause));
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
                           {"places", locations_json(change.locations)}});
      fixes.push_back(std::move(changes));
    }
    list.push_back({{"causes", std::move(causes)}, {"fixes", std::move(fixes)}});
  }
  Json json = Json::object();
  if (!list.empty()) json["conflicts"] = std::move(list);
  if (refusal.undecided || refusal.expansions) json["undecided"] = refusal.undecided ? "plugins" : "order";
  return json.dump(2) + "\n";
}

} // namespace htp
