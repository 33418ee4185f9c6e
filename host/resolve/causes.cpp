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
    cause_.plugin = blame.plugin;
    cause_.unit = blame.unit;
    cause_.subject = blame.subject;
    for (uint32_t l : blame.lines) add_line(model_.lines[l]);
    for (uint32_t c : blame.clashes) add_clash(model_.clashes[c]);
    find_fault(blame, circular);
    return std::move(cause_);
  }

private:
  void add_place(const std::string &version, const Span &span) {
    for (size_t i = 0; i < cause_.places.size(); ++i) {
      const Span &known = cause_.places[i];
      bool const same_version = i < cause_.versions.size() && cause_.versions[i] == version;
      if (same_version && known.file == span.file && known.line == span.line && known.col == span.col) return;
    }
    cause_.versions.push_back(version);
    cause_.places.push_back(span);
  }

  void add_line(const Line &line) {
    if (line.kind == Reason::Kind::need) {
      const std::string &phrase = model_.request.needs[line.index].phrase;
      if (cause_.phrase.empty()) cause_.phrase = phrase;
    }
    add_place(line.instance == kNone ? "" : version_of(line.instance), line.span);
    for (const LineOption &option : line.options) {
      const Instance &instance = model_.instances[option.instance];
      add_option(model_.plugins[instance.plugin].candidate, instance.unit, instance.unit->span);
    }
    for (uint32_t p : line.plugins)
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

  // Who clashes: as options, with the place of the line that says so.
  void add_clash(const Clash &clash) {
    for (Node node : {clash.a, clash.b}) {
      uint32_t const p = node.plugin ? node.index : model_.instances[node.index].plugin;
      const Unit *unit = node.plugin ? nullptr : model_.instances[node.index].unit;
      const Manifest &manifest = model_.plugins[p].manifest();
      bool const says = manifest.id.value == cause_.plugin && (unit ? unit->name.value : "") == cause_.unit;
      if (cause_.kind == Cause::Kind::conflict && says) {
        for (const Term &term : unit->conflicts)
          if (model_.vocabulary.canonical(term).text() == cause_.subject) add_place(manifest.version.text(), term.span);
      } else if (cause_.kind == Cause::Kind::plugin_conflict && says) {
        for (const PluginWish &wish : unit ? unit->plugin_conflicts : manifest.conflicts)
          if (wish_text(wish) == cause_.subject) add_place(manifest.version.text(), wish.span);
      } else {
        add_option(model_.plugins[p].candidate, unit, unit ? unit->name.span : manifest.version_text.span);
      }
    }
  }

  void find_fault(const Blame &blame, bool circular) {
    if (blame.lines.empty()) return;
    bool const open = std::any_of(blame.lines.begin(), blame.lines.end(), [&](uint32_t l) {
      return !model_.lines[l].options.empty() || !model_.lines[l].plugins.empty();
    });
    if (open) {
      if (circular && asks_for_state(blame)) cause_.fault = Cause::Fault::circular;
      return;
    }
    const Line &line = model_.lines[blame.lines.front()];
    switch (blame.kind) {
    case Cause::Kind::target: return fault_of_target();
    case Cause::Kind::wish: return fault_of_wish(model_.request.wishes[line.index]);
    default: return fault_of_terms(line.asked);
    }
  }

  bool asks_for_state(const Blame &blame) const {
    for (uint32_t l : blame.lines)
      for (const Term &term : model_.lines[l].asked.alternatives)
        if (model_.vocabulary.is_state(term.name))
          return blame.kind == Cause::Kind::requirement || blame.kind == Cause::Kind::contract;
    return false;
  }

  void suggest(const std::string &word, const std::set<std::string> &known) {
    std::vector<std::string> const names(known.begin(), known.end());
    if (std::string_view const found = did_you_mean(word, names); !found.empty())
      cause_.suggestions.emplace_back(found);
  }

  void fault_of_target() {
    cause_.fault = Cause::Fault::unknown_unit;
    cause_.offender = cause_.subject;
    for (const Candidate &candidate : model_.rejected)
      for (const Unit &unit : candidate.manifest->units)
        if (unit.kind == UnitKind::backend && unit.name == cause_.subject) add_option(candidate, &unit, unit.span);
    if (cause_.options.empty()) suggest(cause_.subject, model_.vocabulary.units(UnitKind::backend));
  }

  void fault_of_wish(const PluginWish &wish) {
    cause_.fault = Cause::Fault::no_provider;
    cause_.offender = wish.id;
    std::set<std::string> ids;
    for (const Candidate &candidate : canonical_order(model_.universe.plugins)) {
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
    for (const Candidate &candidate : canonical_order(model_.universe.plugins))
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
    std::string word;
    std::set<std::string> texts;
    for (const Cause::Option &option : like) {
      texts.insert(option.provides);
      if (auto const differs = difference(asked, provided.at(option.provides))) {
        word = differs->first;
        values.emplace(differs->second, option.provides);
      }
    }
    std::vector<std::string> words;
    for (const auto &[value, text] : values) words.push_back(value);
    if (std::string_view const found = did_you_mean(word, words); !found.empty())
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

} // namespace

Conflict causes_of(const Model &model, const std::vector<std::vector<uint32_t>> &conflicts) {
  Conflict result;
  Teller teller(model);
  Search plain(model, false);
  for (const std::vector<uint32_t> &blames : conflicts) {
    bool const circular = !plain.core(blames); // only the order of states stands in the way
    std::vector<Cause> causes;
    for (uint32_t b : blames) causes.push_back(teller.tell(b, circular));
    if (&blames == &conflicts.front())
      result.causes = std::move(causes);
    else
      result.others.push_back(std::move(causes));
  }
  return result;
}

} // namespace htp
