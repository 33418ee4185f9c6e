#include "host/resolve/explain.h"

#include "host/diag/location.h"
#include "host/resolve/lists.h"
#include "host/resolve/vocabulary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace htp {
namespace {

using Json = nlohmann::ordered_json;

std::string reason_text(const Resolution &resolution, const Request &request, const Reason &reason) {
  auto unit = [&] { return "`" + resolution.units[reason.index].unit->name.value + "`"; };
  switch (reason.kind) {
  case Reason::Kind::target: return "the target";
  case Reason::Kind::pipeline: return "the profile's pipeline";
  case Reason::Kind::wish: return fmt::format("the profile wants plugin `{}`", request.wishes[reason.index].id);
  case Reason::Kind::need: return fmt::format("{} needs `{}`", request.needs[reason.index].phrase, reason.capability);
  case Reason::Kind::requirement: return fmt::format("{} requires `{}`", unit(), reason.capability);
  case Reason::Kind::contract: return fmt::format("the contract of {} wants `{}`", unit(), reason.capability);
  case Reason::Kind::step: return fmt::format("{} names it", unit());
  case Reason::Kind::want: return fmt::format("{} would like `{}`", unit(), reason.capability);
  case Reason::Kind::along: return "comes with its plugin";
  }
  return "";
}

std::string_view because_text(PassedOver::Because because) {
  switch (because) {
  case PassedOver::Because::needed_anyway: return "its plugin takes part anyway";
  case PassedOver::Because::locked: return "it is locked or loaded already";
  case PassedOver::Because::folder: return "it lies in an earlier search folder";
  case PassedOver::Because::newer: return "it is the newest of its plugin";
  case PassedOver::Because::name: return "its name comes first";
  case PassedOver::Because::company: return "this one would need what is preferred less";
  }
  return "";
}

} // namespace

std::string passed_text(const PassedOver &passed) {
  switch (passed.why) {
  case PassedOver::Why::another_version: return fmt::format("version {} was taken", passed.detail);
  case PassedOver::Why::another_provider:
    return fmt::format("{} was preferred for `{}`: {}", passed.taken, passed.detail, because_text(passed.because));
  case PassedOver::Why::rejected: return passed.detail;
  case PassedOver::Why::out_of_range: return fmt::format("not in the range of `{}`", passed.detail);
  case PassedOver::Why::impossible: return fmt::format("provides `{}`, but cannot be had with the rest", passed.detail);
  case PassedOver::Why::requires_unmet:
    if (passed.there.empty()) return fmt::format("requires `{}`, which nothing here provides", passed.detail);
    return fmt::format("requires `{}`, which {} would provide, but nobody asks for {}: name it under the profile's "
                       "`plugins`",
                       passed.detail, list_text(passed.there, "or"),
                       passed.there.size() == 1 ? "that plugin" : "either plugin");
  case PassedOver::Why::conflicts: return fmt::format("conflicts: `{}`", passed.detail);
  case PassedOver::Why::not_granted: return fmt::format("would like `{}`, which cannot be had", passed.detail);
  }
  return "";
}

namespace {

std::string_view why_name(PassedOver::Why why) {
  constexpr std::string_view names[] = {"another-version", "another-provider", "rejected",  "out-of-range",
                                        "impossible",      "requires-unmet",   "conflicts", "not-granted"};
  return names[static_cast<size_t>(why)];
}

std::string pass_name(const PlannedPass &pass) {
  return pass.unit->name.value + (pass.binding.empty() ? "" : " (" + text_of(pass.binding) + ")");
}

std::string user_name(const PassPlan &plan, uint32_t user) {
  return user == plan.passes.size() ? "the contract" : "`" + plan.passes[user].unit->name.value + "`";
}

std::string supply_text(const PassPlan &plan, const Supply &supply) {
  std::vector<std::string> users;
  for (uint32_t user : supply.used_by) users.push_back(user_name(plan, user));
  return fmt::format("`{}` for {}", supply.capability.text(), list_text(users, "and"));
}

std::string idle_text(const IdlePass &pass) {
  switch (pass.why) {
  case IdlePass::Why::holds: return fmt::format("since `{}` holds already", pass.detail);
  case IdlePass::Why::superseded: return fmt::format("since `{}` brings the same", pass.detail);
  case IdlePass::Why::not_needed: return "since nothing asks for what it brings";
  case IdlePass::Why::cannot_run: return fmt::format("since it requires `{}`, which nothing here brings", pass.detail);
  }
  return "";
}

constexpr std::string_view idle_names[] = {"holds", "superseded", "not-needed", "cannot-run"};

void passes_text(const PassPlan &plan, std::string &out) {
  out += "passes\n";
  for (const Supply &supply : plan.source) out += fmt::format("  the source holds {}\n", supply_text(plan, supply));
  for (size_t i = 0; i < plan.passes.size(); ++i) {
    out += fmt::format("  {}. {}{}\n", i + 1, pass_name(plan.passes[i]),
                       plan.passes[i].from_pipeline ? ", named by the pipeline" : "");
    for (const Supply &supply : plan.passes[i].supplies)
      out += fmt::format("     brings {}\n", supply_text(plan, supply));
  }
  if (plan.passes.empty()) out += "  none is needed\n";
  for (const IdlePass &pass : plan.idle)
    out += fmt::format("  not run: {}, {}\n", pass.unit->name.value, idle_text(pass));
  out += plan.proven
             ? "  proven shortest\n"
             : fmt::format("  within {} of the bound: a shorter order may exist, by at most that\n", plan.within);
}

Json supplies_json(const PassPlan &plan, const std::vector<Supply> &supplies) {
  Json list = Json::array();
  for (const Supply &supply : supplies) {
    Json users = Json::array();
    for (uint32_t user : supply.used_by)
      users.push_back(user == plan.passes.size() ? "contract" : plan.passes[user].unit->name.value);
    list.push_back({{"capability", supply.capability.text()}, {"used_by", users}});
  }
  return list;
}

Json terms_json(const std::vector<Term> &terms) {
  Json list = Json::array();
  for (const Term &term : terms) list.push_back(term.text());
  return list;
}

Json binding_json(const Binding &binding) {
  Json object = Json::object();
  for (const auto &[variable, value] : binding) object[variable] = value.spelling();
  return object;
}

Json location_json(const Span &span) {
  if (!span) return nullptr;
  Location const location = location_of(span);
  return {{"file", span.file->path}, {"line", location.line}, {"column", location.column}};
}

Json passes_json(const PassPlan &plan) {
  Json passes = Json::array();
  for (const PlannedPass &pass : plan.passes)
    passes.push_back({{"pass", pass.unit->name.value},
                      {"binding", binding_json(pass.binding)},
                      {"from_pipeline", pass.from_pipeline},
                      {"supplies", supplies_json(plan, pass.supplies)},
                      {"holds", terms_json(pass.holds)}});
  Json idle = Json::array();
  for (const IdlePass &pass : plan.idle)
    idle.push_back({{"pass", pass.unit->name.value},
                    {"why", idle_names[static_cast<size_t>(pass.why)]},
                    {"text", idle_text(pass)}});
  return {{"start", terms_json(plan.start)},
          {"source", supplies_json(plan, plan.source)},
          {"passes", passes},
          {"not_run", idle},
          {"proven", plan.proven},
          {"within", plan.within}};
}

} // namespace

std::string explain_text(const Resolution &resolution, const std::vector<PassedOver> &passed_over,
                         const Request &request, const PassPlan *plan) {
  std::string out = "plugins\n";
  for (const ChosenPlugin &plugin : resolution.plugins) {
    out += fmt::format("  {} {}\n", plugin.manifest->id.value, plugin.manifest->version.text());
    for (const Reason &reason : plugin.reasons)
      out += fmt::format("    {}\n", reason_text(resolution, request, reason));
    for (uint32_t u : plugin.units) {
      const ChosenUnit &unit = resolution.units[u];
      out += fmt::format("    {} `{}`", unit_kind_name(unit.unit->kind), unit.unit->name.value);
      for (const Binding &binding : unit.instances) out += fmt::format(" ({})", text_of(binding));
      std::vector<std::string> reasons;
      for (const Reason &reason : unit.reasons) reasons.push_back(reason_text(resolution, request, reason));
      out += ": " + list_text(reasons, "and") + "\n";
    }
  }
  if (resolution.plugins.empty()) out += "  none is needed\n";
  if (!passed_over.empty()) out += "passed over\n";
  for (const PassedOver &passed : passed_over)
    out += fmt::format("  {}{} {}: {}\n", passed.unit ? "`" + passed.unit->name.value + "` of " : "",
                       passed.manifest->id.value, passed.manifest->version.text(), passed_text(passed));
  if (plan) passes_text(*plan, out);
  return out;
}

std::string explain_json(const Resolution &resolution, const std::vector<PassedOver> &passed_over,
                         const Request &request, const PassPlan *plan) {
  auto reasons_json = [&](const std::vector<Reason> &reasons) {
    Json list = Json::array();
    for (const Reason &reason : reasons)
      list.push_back({{"text", reason_text(resolution, request, reason)}, {"place", location_json(reason.span)}});
    return list;
  };
  Json plugins = Json::array();
  for (const ChosenPlugin &plugin : resolution.plugins) {
    Json units = Json::array();
    for (uint32_t u : plugin.units) {
      const ChosenUnit &unit = resolution.units[u];
      Json instances = Json::array();
      for (const Binding &binding : unit.instances) instances.push_back(binding_json(binding));
      units.push_back({{"kind", unit_kind_name(unit.unit->kind)},
                       {"name", unit.unit->name.value},
                       {"instances", instances},
                       {"reasons", reasons_json(unit.reasons)}});
    }
    plugins.push_back({{"id", plugin.manifest->id.value},
                       {"version", plugin.manifest->version.text()},
                       {"reasons", reasons_json(plugin.reasons)},
                       {"units", units}});
  }
  Json left = Json::array();
  for (const PassedOver &passed : passed_over)
    left.push_back({{"plugin", passed.manifest->id.value},
                    {"version", passed.manifest->version.text()},
                    {"unit", passed.unit ? Json(passed.unit->name.value) : Json(nullptr)},
                    {"why", why_name(passed.why)},
                    {"text", passed_text(passed)}});
  Json root{{"schema", "htp.plan/1"},
            {"plugins", plugins},
            {"passed_over", left},
            {"order", plan ? passes_json(*plan) : Json(nullptr)}};
  return root.dump(2) + "\n";
}

void report_idle(const Resolution &resolution, const PassPlan &plan,
                 const std::function<std::vector<PassedOver>()> &passed_over, Diagnostics &diagnostics) {
  std::optional<std::vector<PassedOver>> all;
  for (const ChosenPlugin &plugin : resolution.plugins) {
    const auto wish = std::find_if(plugin.reasons.begin(), plugin.reasons.end(),
                                   [](const Reason &reason) { return reason.kind == Reason::Kind::wish; });
    if (wish == plugin.reasons.end() || plugin.manifest->units.empty()) continue;
    std::vector<std::string> why;
    const bool idle = std::all_of(plugin.units.begin(), plugin.units.end(), [&](uint32_t u) {
      const auto pass = std::find_if(plan.idle.begin(), plan.idle.end(), [&](const IdlePass &one) {
        return one.unit == resolution.units[u].unit && one.why == IdlePass::Why::cannot_run;
      });
      if (pass != plan.idle.end())
        why.push_back(fmt::format("`{}` does not run, {}", pass->unit->name.value, idle_text(*pass)));
      return pass != plan.idle.end();
    });
    if (!idle) continue;
    if (!all) all = passed_over();
    for (const PassedOver &passed : *all)
      if (passed.manifest == plugin.manifest && passed.unit)
        why.push_back(fmt::format("`{}` {}", passed.unit->name.value, passed_text(passed)));
    Diagnostic &d = diagnostics.report(diag::resolve_idle_plugin, wish->span, plugin.manifest->id.value);
    for (std::string &one : why) d.note(std::move(one));
  }
}

} // namespace htp
