#include "tests/resolve/change.h"

#include "host/resolve/explain_fix.h"
#include "tests/resolve/build.h"

#include <algorithm>

namespace htp::test {
namespace {

std::string wish_text(const PluginWish &wish) {
  return wish.range.comparators.empty() ? wish.id : wish.id + "@" + wish.range.text();
}

std::string canonical(Requirement requirement) {
  for (Term &term : requirement.alternatives)
    for (auto &[name, argument] : term.arguments) std::sort(argument.values.begin(), argument.values.end());
  return requirement.text();
}
std::string canonical(const Term &term) { return canonical(Requirement{{term}, {}}); }

void relax(Requirement &requirement) {
  for (Term &term : requirement.alternatives) term.range = {};
}

template <class T, class F> void drop_or_relax(std::vector<T> &list, Change::Kind kind, F same) {
  if (kind == Change::Kind::drop) {
    std::erase_if(list, same);
    return;
  }
  for (T &each : list)
    if (same(each)) {
      if constexpr (std::is_same_v<T, Requirement>) relax(each);
      if constexpr (std::is_same_v<T, Need>) relax(each.requirement);
      if constexpr (std::is_same_v<T, PluginWish>) each.range = {};
    }
}

} // namespace

Changed::Changed(const Universe &from, const Request &asked, const std::vector<Change> &changes)
    : sdk(*from.sdk), request(asked) {
  for (const Candidate &candidate : from.plugins) {
    manifests.push_back(*candidate.manifest);
    universe.plugins.push_back(candidate);
    universe.plugins.back().manifest = &manifests.back();
  }
  universe.sdk = &sdk;
  for (const Change &change : changes) // what is installed is asked for by the text it had
    if (change.kind != Change::Kind::install) make(change);
  for (const Change &change : changes)
    if (change.kind == Change::Kind::install) install(term(change.subject));
}

void Changed::make(const Change &change) {
  auto says = [&](const auto &each) { return canonical(each) == change.subject; };
  auto wishes = [&](const PluginWish &wish) { return wish_text(wish) == change.subject; };
  if (change.kind == Change::Kind::respell) return respell(change);
  if (change.kind == Change::Kind::retarget) request.target.value = change.subject;
  if (change.of == Cause::Kind::pipeline && change.kind == Change::Kind::drop) request.pipeline = {};
  if (change.of == Cause::Kind::wish) drop_or_relax(request.wishes, change.kind, wishes);
  if (change.of == Cause::Kind::need)
    drop_or_relax(request.needs, change.kind, [&](const Need &need) { return says(need.requirement); });
  for (Manifest &manifest : manifests) {
    if (change.plugin != manifest.id.value) continue;
    if (change.of == Cause::Kind::plugin_conflict && change.unit.empty())
      drop_or_relax(manifest.conflicts, change.kind, wishes);
    for (Unit &unit : manifest.units) {
      if (change.unit != unit.name.value) continue;
      if (change.of == Cause::Kind::requirement) drop_or_relax(unit.requires_, change.kind, says);
      if (change.of == Cause::Kind::contract) drop_or_relax(unit.contract, change.kind, says);
      if (change.of == Cause::Kind::step)
        std::erase_if(unit.passes, [&](const Text &step) { return step == change.subject; });
      if (change.of == Cause::Kind::conflict) std::erase_if(unit.conflicts, says);
      if (change.of == Cause::Kind::plugin_conflict) drop_or_relax(unit.plugin_conflicts, change.kind, wishes);
    }
  }
}

void Changed::respell(const Change &change) {
  auto word = [&](std::string &text) {
    if (text == change.wrong) text = change.right;
  };
  auto lines = [&](std::vector<Requirement> &list) {
    for (Requirement &line : list) {
      if (canonical(line) != change.subject) continue;
      for (Term &term : line.alternatives) {
        word(term.name);
        std::map<std::string, Argument> arguments;
        for (const auto &[parameter, given] : term.arguments) {
          std::string name = parameter;
          Argument argument = given;
          word(name);
          for (Value &value : argument.values) word(value.text);
          arguments.emplace(name, argument);
        }
        term.arguments = std::move(arguments);
      }
    }
  };
  if (change.of == Cause::Kind::pipeline) word(request.pipeline.value);
  if (change.of == Cause::Kind::wish)
    for (PluginWish &wish : request.wishes)
      if (wish_text(wish) == change.subject) word(wish.id);
  for (Manifest &manifest : manifests)
    for (Unit &unit : manifest.units) {
      if (change.plugin != manifest.id.value || change.unit != unit.name.value) continue;
      if (change.of == Cause::Kind::requirement) lines(unit.requires_);
      if (change.of == Cause::Kind::contract) lines(unit.contract);
      if (change.of == Cause::Kind::step)
        for (Text &step : unit.passes) word(step.value);
    }
}

// A plugin that provides it and asks for nothing; it declares what nobody does.
void Changed::install(const Term &asked) {
  Manifest manifest;
  manifest.id = text("test.installed" + std::to_string(manifests.size()));
  manifest.version = version("1.0");
  const CapabilityDecl *declared = nullptr;
  auto look = [&](const Manifest &owner) {
    for (const CapabilityDecl &each : owner.declares)
      if (each.name == asked.name) declared = &each;
  };
  look(sdk);
  for (const Manifest &owner : manifests) look(owner);
  Unit provider = unit(UnitKind::dialect, manifest.id.value);
  if (!declared) {
    manifest.declares = {capability(asked.name)};
    for (const auto &[name, argument] : asked.arguments) manifest.declares.back().parameters.push_back(a_or_b(name));
    declared = &manifest.declares.back();
  }
  std::vector<Term> all{asked}; // every value that it may have
  all.front().range = {};
  for (const ParameterDecl &parameter : declared->parameters) {
    std::vector<Term> next;
    for (const Term &term : all)
      for (const char *value : {"a", "b"}) {
        auto const found = term.arguments.find(parameter.name.value);
        bool const fixed = found != term.arguments.end() && found->second.form == Argument::Form::values;
        Value const one = Value::of_text(value);
        const std::vector<Value> *values = fixed ? &found->second.values : nullptr;
        if (values && std::find(values->begin(), values->end(), one) == values->end()) continue;
        next.push_back(term);
        next.back().arguments[parameter.name.value] = {Argument::Form::values, {one}, ""};
      }
    all = std::move(next);
  }
  provider.provides = std::move(all);
  manifest.units.push_back(std::move(provider));
  manifests.push_back(std::move(manifest));
  universe.plugins.push_back({&manifests.back(), 0, ""});
}

void leave_out(const std::vector<Cause> &causes, Request &request) {
  for (const Cause &cause : causes) {
    if (cause.kind == Cause::Kind::target) request.target.value.clear();
    if (cause.kind == Cause::Kind::pipeline) request.pipeline = {};
    if (cause.kind == Cause::Kind::wish)
      std::erase_if(request.wishes, [&](const PluginWish &wish) { return wish_text(wish) == cause.subject; });
    if (cause.kind == Cause::Kind::need)
      std::erase_if(request.needs, [&](const Need &need) { return canonical(need.requirement) == cause.subject; });
  }
}

std::string text_of(const Fix &fix) {
  std::string text;
  for (const Change &change : fix.changes) text += htp::text_of(change) + "; ";
  return text;
}

} // namespace htp::test
