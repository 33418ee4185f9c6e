#include "host/resolve/causes.h"

#include "host/base/suggest.h"
#include "host/resolve/search.h"

#include <algorithm>

namespace htp {
namespace {

constexpr size_t kFew = 3; // of what is like what is asked for, all are told

class Teller {
public:
  explicit Teller(const Model &model) : model_(model) {}

  Cause tell(uint32_t b, bool circular) {
    const Blame &blame = model_.blames[b];
    cause_ = {};
    cause_.kind = blame.kind;
    if (blame.plugin != kNone) cause_.plugin = model_.name(blame.plugin);
    if (blame.unit != kNone) cause_.unit = model_.name(blame.unit);
    cause_.subject = model_.subject(blame);
    std::vector<const Line *> lines;
    for (const Line &line : model_.lines)
      if (line.claim != kNone && model_.claims[line.claim].blame == b) lines.push_back(&line);
    for (const Line *line : lines) add_line(*line);
    for (const Clash &clash : model_.clashes)
      if (model_.claims[clash.claim].blame == b) add_clash(clash);
    find_fault(lines, circular);
    return std::move(cause_);
  }

  Change tell(const FoundChange &found) {
    Cause const cause = tell(found.blame, false);
    Change change{found.kind, cause.kind, cause.plugin, cause.unit, cause.subject, cause.phrase, {}, cause.locations};
    if (found.kind == Change::Kind::install) change.subject = model_.terms.term(found.term).text();
    if (found.kind == Change::Kind::relax) change.there = out_of_range(model_.blames[found.blame]);
    return change;
  }

private:
  void add_location(const std::string &version, const Span &span) {
    for (size_t i = 0; i < cause_.locations.size(); ++i) {
      const Span &known = cause_.locations[i];
      bool const same_version = i < cause_.versions.size() && cause_.versions[i] == version;
      if (same_version && known.file == span.file && known.line == span.line && known.col == span.col) return;
    }
    cause_.versions.push_back(version);
    cause_.locations.push_back(span);
  }

  void add_line(const Line &line) {
    if (line.kind == Reason::Kind::need) {
      const std::string &phrase = model_.request.needs[line.index].phrase;
      if (cause_.phrase.empty()) cause_.phrase = phrase;
    }
    add_location(line.instance == kNone ? "" : version_of(line.instance), *line.span);
    for (const LineOption &option : model_.choice(line).options) {
      const Instance &instance = model_.instances[option.instance];
      add_option(model_.plugins[instance.plugin].candidate, instance.unit, instance.unit->span);
    }
    for (uint32_t p : model_.choice(line).plugins)
      add_option(model_.plugins[p].candidate, nullptr, model_.plugins[p].manifest().id.span);
  }

  std::string version_of(uint32_t instance) const {
    return model_.plugins[model_.instances[instance].plugin].manifest().version.text();
  }

  Cause::Option &add_option(const Candidate &candidate, const Unit *unit, const Span &span) {
    Cause::Option option;
    option.plugin = candidate.manifest->id.value;
    option.version = candidate.manifest->version.text();
    option.unit = unit ? unit->name.value : "";
    option.rejected = candidate.rejected;
    option.span = span;
    for (Cause::Option &known : cause_.options)
      if (std::tie(known.plugin, known.version, known.unit) == std::tie(option.plugin, option.version, option.unit))
        return known;
    cause_.options.push_back(std::move(option));
    return cause_.options.back();
  }

  // Who clashes: as options, with the location of the line that says so.
  void add_clash(const Clash &clash) {
    for (Node node : {clash.a, clash.b}) {
      uint32_t const p = node.plugin ? node.index : model_.instances[node.index].plugin;
      const Unit *unit = node.plugin ? nullptr : model_.instances[node.index].unit;
      const Manifest &manifest = model_.plugins[p].manifest();
      bool const says = manifest.id.value == cause_.plugin && (unit ? unit->name.value : "") == cause_.unit;
      if (cause_.kind == Cause::Kind::conflict && says) {
        for (const Term &term : unit->conflicts)
          if (model_.vocabulary.canonical(term).text() == cause_.subject)
            add_location(manifest.version.text(), term.span);
      } else if (cause_.kind == Cause::Kind::plugin_conflict && says) {
        for (const PluginWish &wish : unit ? unit->plugin_conflicts : manifest.conflicts)
          if (wish_text(wish) == cause_.subject) add_location(manifest.version.text(), wish.span);
      } else {
        add_option(model_.plugins[p].candidate, unit, unit ? unit->name.span : manifest.version_text.span);
      }
    }
  }

  void find_fault(const std::vector<const Line *> &lines, bool circular) {
    if (lines.empty()) return;
    bool const open = std::any_of(lines.begin(), lines.end(), [&](const Line *line) {
      return !model_.choice(*line).options.empty() || !model_.choice(*line).plugins.empty();
    });
    if (open) {
      if (circular && asks_for_state(lines)) cause_.fault = Cause::Fault::circular;
      return;
    }
    const Line &line = *lines.front();
    switch (cause_.kind) {
    case Cause::Kind::target: return fault_of_name({UnitKind::backend});
    case Cause::Kind::pipeline: return fault_of_name({UnitKind::pipeline});
    case Cause::Kind::step: return fault_of_name({UnitKind::pass, UnitKind::island});
    case Cause::Kind::wish: return fault_of_wish(model_.request.wishes[line.index]);
    default: return fault_of_terms(model_.terms.requirement(line.asked));
    }
  }

  bool asks_for_state(const std::vector<const Line *> &lines) const {
    if (cause_.kind != Cause::Kind::requirement && cause_.kind != Cause::Kind::contract) return false;
    for (const Line *line : lines)
      for (TermId term : model_.terms.alternatives(line->asked))
        if (model_.terms.is_state(term)) return true;
    return false;
  }

  // The versions that a range leaves out: of the plugin that is wished for, or of the owners of what is asked for.
  std::vector<std::string> out_of_range(const Blame &blame) const {
    std::vector<std::string> there;
    auto add = [&](const std::string &id, const VersionRange &range) {
      auto const [first, last] = model_.versions(id);
      for (uint32_t p = first; p < last; ++p) {
        const Version &version = model_.plugins[p].manifest().version;
        std::string text = id + " " + version.text();
        if (!range.contains(version) && std::find(there.begin(), there.end(), text) == there.end())
          there.push_back(std::move(text));
      }
    };
    if (blame.kind == Cause::Kind::wish) {
      for (const PluginWish &wish : model_.request.wishes)
        if (wish_text(wish) == model_.name(blame.subject)) add(wish.id, wish.range);
      return there;
    }
    for (TermId id : model_.terms.alternatives(blame.subject))
      if (const Vocabulary::Declared *declared = model_.terms.declared(id)) {
        const Term &term = model_.terms.term(id);
        if (declared->owner != model_.universe.sdk)
          add(declared->owner->id.value, term.range);
        else if (!term.range.contains(declared->owner->version))
          there.push_back(declared->owner->id.value + " " + declared->owner->version.text());
      }
    return there;
  }

  void suggest(const std::string &name, const std::set<std::string> &known) {
    std::vector<std::string> const names(known.begin(), known.end());
    if (std::string_view const found = did_you_mean(name, names); !found.empty())
      cause_.suggestions.emplace_back(found);
  }

  // No unit of these kinds has the name.
  void fault_of_name(std::initializer_list<UnitKind> kinds) {
    cause_.fault = Cause::Fault::unknown_unit;
    cause_.offender = cause_.subject;
    std::set<std::string> known;
    for (UnitKind kind : kinds) {
      for (const Candidate &candidate : model_.rejected)
        for (const Unit &unit : candidate.manifest->units)
          if (unit.kind == kind && unit.name == cause_.subject) add_option(candidate, &unit, unit.span);
      const std::set<std::string> &units = model_.vocabulary.units(kind);
      known.insert(units.begin(), units.end());
    }
    if (cause_.options.empty()) suggest(cause_.subject, known);
  }

  void fault_of_wish(const PluginWish &wish) {
    cause_.fault = Cause::Fault::no_provider;
    cause_.offender = wish.id;
    cause_.expected = wish.range.text();
    std::set<std::string> ids;
    for (const Candidate &candidate : model_.vocabulary.candidates()) {
      ids.insert(candidate.manifest->id.value);
      if (candidate.manifest->id != wish.id) continue;
      Cause::Option &option = add_option(candidate, nullptr, candidate.manifest->version_text.span);
      option.out_of_range = !wish.range.contains(candidate.manifest->version);
      if (option.out_of_range && candidate.rejected.empty()) cause_.fault = Cause::Fault::out_of_range;
    }
    if (!ids.contains(wish.id)) suggest(wish.id, ids);
  }

  void fault_of_terms(const Requirement &asked) {
    cause_.fault = Cause::Fault::no_provider;
    bool sound = false; // a well-formed alternative says more than an ill-formed one
    for (const Term &term : asked.alternatives) {
      auto const fault = model_.vocabulary.fault(term, Vocabulary::Use::asked);
      if (!fault) {
        sound = true;
        near(term);
      }
    }
    if (sound) return;
    auto const fault = model_.vocabulary.fault(asked.alternatives.front(), Vocabulary::Use::asked);
    cause_.fault = fault->fault;
    cause_.offender = fault->offender;
    cause_.expected = fault->expected;
    cause_.suggestions = fault->suggestions;
  }

  // Who provides the term but not now, or something like it.
  void near(const Term &asked) {
    std::vector<Cause::Option> like;
    std::map<std::string, Term> provided;
    for (const Candidate &candidate : model_.vocabulary.candidates())
      for (const Unit &unit : candidate.manifest->units)
        for (const auto *list : {&unit.provides, &unit.verifies})
          for (const Term &raw : *list) {
            if (raw.name != asked.name || (list == &unit.verifies && !model_.vocabulary.is_initial(raw.name))) continue;
            Term const here = model_.vocabulary.canonical(raw);
            if (!match(asked, here)) {
              provided.emplace(here.text(), here);
              if (list == &unit.provides)
                like.push_back({candidate.manifest->id.value, candidate.manifest->version.text(), unit.name.value,
                                candidate.rejected, false, here.text(), raw.span});
              continue;
            }
            if (list == &unit.verifies && model_.request.absent.contains(asked.text())) {
              cause_.fault = Cause::Fault::not_initial;
              continue;
            }
            Cause::Option &option = add_option(candidate, &unit, raw.span);
            if (!candidate.rejected.empty()) continue;
            if (model_.too_generic.contains(key_of(candidate, unit)))
              option.rejected = "its variables have too many values to look at";
            else if (!asked.range.comparators.empty()) {
              option.out_of_range = true;
              cause_.fault = Cause::Fault::out_of_range;
              cause_.owner = owner_versions(asked.name);
            }
          }
    if (!cause_.options.empty()) return;
    std::map<std::string, std::string> values; // the one value that differs → what is provided with it
    std::string given;
    std::set<std::string> texts;
    for (const Cause::Option &option : like) {
      texts.insert(option.provides);
      if (auto const differs = difference(asked, provided.at(option.provides))) {
        given = differs->first;
        values.emplace(differs->second, option.provides);
      }
    }
    std::vector<std::string> known_values;
    for (const auto &[value, text] : values) known_values.push_back(value);
    if (std::string_view const found = did_you_mean(given, known_values); !found.empty())
      cause_.suggestions.push_back(values.at(std::string(found)));
    if (cause_.suggestions.empty() && texts.size() <= kFew) cause_.options = std::move(like);
  }

  // The values at which the two terms differ, when that is in one argument.
  static std::optional<std::pair<std::string, std::string>> difference(const Term &a, const Term &b) {
    std::optional<std::pair<std::string, std::string>> found;
    for (const auto &[name, argument] : a.arguments) {
      auto other = b.arguments.find(name);
      if (other == b.arguments.end() || argument.values.size() != 1 || other->second.values.size() != 1) continue;
      if (argument.values == other->second.values) continue;
      if (found) return std::nullopt;
      found = {argument.values.front().spelling(), other->second.values.front().spelling()};
    }
    return found;
  }

  UnitKey key_of(const Candidate &candidate, const Unit &unit) const {
    for (uint32_t p = 0; p < model_.plugins.size(); ++p)
      if (model_.plugins[p].candidate.manifest == candidate.manifest)
        return {p, static_cast<uint32_t>(&unit - candidate.manifest->units.data())};
    return {kNone, kNone};
  }

  // "htp.dialect-tile 0.1, 0.2": whose version the range is about.
  std::string owner_versions(const std::string &name) const {
    const Vocabulary::Declared *declared = model_.vocabulary.find(name);
    std::string text;
    for (const PluginNode &node : model_.plugins)
      if (node.manifest().id.value == declared->owner->id.value)
        text += (text.empty() ? "" : ", ") + node.manifest().version.text();
    if (declared->owner == model_.universe.sdk) text = declared->owner->version.text();
    return declared->owner->id.value + " " + text;
  }

  const Model &model_;
  Cause cause_;
};

// Only the order of states stands in the way.
bool is_circle(const Model &model, const std::vector<uint32_t> &blames) {
  return !Search(model, &blames, false).core(blames);
}

} // namespace

std::vector<Conflict> told(const Model &model, const std::vector<FoundConflict> &found) {
  std::vector<Conflict> conflicts;
  Teller teller(model);
  for (const FoundConflict &each : found) {
    Conflict &conflict = conflicts.emplace_back();
    bool const circular = is_circle(model, each.blames);
    for (uint32_t b : each.blames) conflict.causes.push_back(teller.tell(b, circular));
    for (const auto &changes : each.fixes) {
      Fix &fix = conflict.fixes.emplace_back();
      for (const FoundChange &change : changes) fix.changes.push_back(teller.tell(change));
    }
  }
  return conflicts;
}

} // namespace htp
