#include "host/resolve/respell.h"

#include "host/resolve/search.h"

#include <algorithm>
#include <deque>

namespace htp {
namespace {

void leave_out(const Model &model, const Cause &cause, Request &request) {
  switch (cause.kind) {
  case Cause::Kind::target: request.target = {}; break;
  case Cause::Kind::pipeline: request.pipeline = {}; break;
  case Cause::Kind::wish:
    std::erase_if(request.wishes, [&](const PluginWish &wish) { return wish_text(wish) == cause.subject; });
    break;
  case Cause::Kind::need:
    std::erase_if(request.needs, [&](const Need &need) {
      return model.vocabulary.canonical(need.requirement).text() == cause.subject;
    });
    break;
  default: break;
  }
}

// Wherever the name stands in the term by itself: as its name, a parameter's or a value.
void respell(Term &term, const Change &change) {
  if (term.name == change.wrong) term.name = change.right;
  if (auto found = term.arguments.extract(change.wrong); !found.empty()) {
    found.key() = change.right;
    term.arguments.insert(std::move(found));
  }
  for (auto &[name, argument] : term.arguments)
    for (Value &value : argument.values)
      if (value.spelling() == change.wrong) value = Value::of_text(change.right);
}

class Respelt {
public:
  Respelt(const Model &model, Request request, const Change &change)
      : model_(model), change_(change), request_(std::move(request)) {
    universe_.sdk = model.universe.sdk;
    for (const Candidate &candidate : model.universe.plugins) {
      Candidate &here = universe_.plugins.emplace_back(candidate);
      if (change.plugin.empty() || candidate.manifest->id.value != change.plugin) continue;
      manifests_.push_back(*candidate.manifest);
      here.manifest = &manifests_.back();
      for (Unit &unit : manifests_.back().units)
        if (unit.name.value == change.unit) respell(unit);
    }
    if (change.of == Cause::Kind::pipeline) request_.pipeline.value = change.right;
    for (PluginWish &wish : request_.wishes)
      if (change.of == Cause::Kind::wish && wish_text(wish) == change.subject) wish.id = change.right;
  }

  bool helps() const try {
    Model const model(universe_, request_);
    return Search(model).preferred().has_value();
  } catch (const Undecided &) {
    return false;
  }

private:
  void respell(Unit &unit) const {
    if (change_.of == Cause::Kind::step)
      for (Text &step : unit.passes)
        if (step.value == change_.subject) step.value = change_.right;
    if (change_.of != Cause::Kind::requirement && change_.of != Cause::Kind::contract) return;
    for (Requirement &line : change_.of == Cause::Kind::contract ? unit.contract : unit.requires_)
      if (model_.vocabulary.canonical(line).text() == change_.subject)
        for (Term &term : line.alternatives) htp::respell(term, change_);
  }

  const Model &model_;
  const Change &change_;
  Request request_;
  Universe universe_;
  std::deque<Manifest> manifests_;
};

bool is_misspelt(const Cause &cause) {
  switch (cause.kind) {
  case Cause::Kind::pipeline:
  case Cause::Kind::wish:
  case Cause::Kind::step:
  case Cause::Kind::requirement:
  case Cause::Kind::contract: break;
  default: return false; // of the target other_targets() tells; how a need is written is the program's business
  }
  // Of a value that nobody provides the suggestion is a whole term.
  return !cause.offender.empty() && cause.suggestions.size() == 1;
}

} // namespace

std::vector<Fix> respellings(const Model &model, const std::vector<Conflict> &conflicts, size_t which) {
  std::vector<Fix> fixes;
  for (const Cause &cause : conflicts[which].causes) {
    if (!is_misspelt(cause)) continue;
    Change change{Change::Kind::respell, cause.kind, cause.plugin, cause.unit, cause.subject, "", {}, cause.locations};
    change.wrong = cause.offender;
    change.right = cause.suggestions.front();
    Request own = model.request;
    for (size_t i = 0; i < conflicts.size(); ++i)
      if (i != which)
        for (const Cause &other : conflicts[i].causes) leave_out(model, other, own);
    if (Respelt(model, std::move(own), change).helps()) fixes.push_back({{std::move(change)}});
  }
  return fixes;
}

} // namespace htp
