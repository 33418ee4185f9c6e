#include "host/resolve/pass_task.h"

#include <algorithm>
#include <tuple>

namespace htp {
namespace {

constexpr size_t kInstancesOfOnePass = 4096;

// Grounds passes from what holds upwards, variables that stay open by what is asked for.
class Grounding {
public:
  Grounding(const PassTerms &terms, const std::vector<uint32_t> &pipeline) : terms_(terms), pipeline_(pipeline) {}

  PassTask run() {
    for (const Term &term : terms_.start) task_.start.push_back(atom(term));
    collect_values();
    waiting_.assign(terms_.passes.size(), true);
    for (uint32_t p = 0; p < terms_.passes.size(); ++p)
      for (const Requirement &requirement : terms_.passes[p].requires_)
        for (const Term &term : requirement.alternatives) askers_[term.name].push_back(p);
    for (bool again = true; again;) {
      again = false;
      for (uint32_t p = 0; p < terms_.passes.size(); ++p) {
        if (!waiting_[p]) continue;
        waiting_[p] = false;
        ground(p);
        again = true;
      }
    }
    for (const Requirement &goal : terms_.goals)
      if (terms_.is_state(goal)) task_.goals.push_back({atoms_for(goal, {}), goal.text()});
    for (const auto &[key, op] : operators_) task_.operators.push_back(op);
    for (Operator &op : task_.operators) finish(op);
    add_steps();
    std::sort(task_.operators.begin(), task_.operators.end(), [&](const Operator &a, const Operator &b) {
      auto key = [&](const Operator &op) {
        return std::tuple(std::string_view(name(op)), op.binding, op.step == Operator::kNoStep, op.step, op.pass);
      };
      return key(a) < key(b);
    });
    return std::move(task_);
  }

private:
  const std::string &name(const Operator &op) const { return terms_.passes[op.pass].name.value; }

  uint32_t atom(const Term &term) {
    auto [found, fresh] = ids_[term.name].try_emplace(term.text(), static_cast<uint32_t>(task_.atoms.size()));
    if (!fresh) return found->second;
    task_.atoms.push_back(term);
    for (uint32_t p : askers_[term.name]) waiting_[p] = true;
    return found->second;
  }

  void collect_values() {
    auto take = [&](const Term &term) {
      for (const auto &[parameter, argument] : term.arguments)
        values_[{term.name, parameter}].insert(argument.values.begin(), argument.values.end());
    };
    for (const Unit &pass : terms_.passes) each_term(pass, take);
    for (const Requirement &goal : terms_.goals)
      for (const Term &term : goal.alternatives) take(term);
    for (const auto *list : {&terms_.start, &terms_.installed})
      for (const Term &term : *list) take(term);
  }

  void ground(uint32_t p) {
    const Unit &pass = terms_.passes[p];
    std::set<Binding> all{{}};
    for (const Requirement &requirement : pass.requires_) {
      std::set<Binding> next;
      for (const Binding &binding : all)
        for (const Term &alternative : requirement.alternatives)
          extend(instantiate(alternative, binding), binding, next);
      all = std::move(next);
    }
    for (const Binding &bound : all) {
      std::set<Binding> complete{bound}; // with every value for variables that only what it provides can bind
      each_term(pass, [&](const Term &term) {
        for (const auto &[parameter, argument] : term.arguments) {
          if (argument.form != Argument::Form::variable || complete.empty() ||
              complete.begin()->contains(argument.variable))
            continue;
          std::set<Value> const values = values_of(pass, argument.variable);
          if (values.empty()) continue; // nothing stands there anywhere, so nothing can be asked of it
          std::set<Binding> next;
          for (const Value &value : values)
            for (Binding binding : complete) {
              binding.emplace(argument.variable, value);
              next.insert(std::move(binding));
            }
          complete = next.size() > kInstancesOfOnePass ? std::set<Binding>{} : std::move(next);
        }
      });
      for (const Binding &binding : complete) add_operator(p, binding);
    }
  }

  std::set<Value> values_of(const Unit &pass, const std::string &variable) const {
    std::set<Value> values;
    each_term(pass, [&](const Term &term) {
      for (const auto &[parameter, argument] : term.arguments)
        if (argument.form == Argument::Form::variable && argument.variable == variable)
          if (auto found = values_.find({term.name, parameter}); found != values_.end())
            values.insert(found->second.begin(), found->second.end());
    });
    return values;
  }

  // The bindings under which something known meets `asked`.
  void extend(const Term &asked, const Binding &binding, std::set<Binding> &into) const {
    Term loose = asked;
    for (auto &[name, argument] : loose.arguments)
      if (argument.form == Argument::Form::variable) argument = {};
    auto look = [&](const Term &known) {
      if (!match(loose, known)) return;
      Binding bound = binding;
      for (const auto &[parameter, argument] : asked.arguments)
        if (argument.form == Argument::Form::variable) {
          auto value = known.arguments.find(parameter);
          if (value == known.arguments.end()) return;
          if (bound.try_emplace(argument.variable, value->second.values.front()).first->second !=
              value->second.values.front())
            return;
        }
      into.insert(std::move(bound));
    };
    if (terms_.request.states.contains(asked.name))
      each_of(asked.name, [&](uint32_t id) { look(task_.atoms[id]); });
    else if (auto const found = terms_.installed_by_name.find(asked.name); found != terms_.installed_by_name.end())
      for (uint32_t i : found->second) look(terms_.installed[i]);
  }

  // The atoms of a name, by their text.
  template <typename Use> void each_of(const std::string &name, Use &&use) const {
    if (auto const found = ids_.find(name); found != ids_.end())
      for (const auto &[text, id] : found->second) use(id);
  }

  void add_operator(uint32_t p, const Binding &binding) {
    auto [found, fresh] = operators_.try_emplace({p, binding});
    if (!fresh) return;
    found->second.pass = p;
    found->second.binding = binding;
    for (const Term &provided : terms_.passes[p].provides) {
      Term const added = plain(instantiate(provided, binding));
      if (terms_.request.states.contains(added.name) && is_ground(added)) found->second.adds.push_back(atom(added));
    }
  }

  std::vector<uint32_t> atoms_for(const Requirement &requirement, const Binding &binding) const {
    std::vector<uint32_t> found;
    for (const Term &alternative : requirement.alternatives) {
      Term const asked = plain(instantiate(alternative, binding));
      each_of(asked.name, [&](uint32_t id) {
        if (match(asked, task_.atoms[id]) && std::find(found.begin(), found.end(), id) == found.end())
          found.push_back(id);
      });
    }
    return found;
  }

  // Needs and deletes are known once all atoms are.
  void finish(Operator &op) {
    const Unit &pass = terms_.passes[op.pass];
    for (const Requirement &requirement : pass.requires_) {
      Requirement const asked = instantiate(requirement, op.binding);
      if (terms_.is_state(asked)) op.needs.push_back({atoms_for(asked, {}), asked.text()});
    }
    for (const Term &raw : pass.invalidates) {
      Term const pattern = plain(instantiate(raw, op.binding));
      std::vector<uint32_t> gone;
      each_of(pattern.name, [&](uint32_t id) {
        if (match(pattern, task_.atoms[id])) gone.push_back(id);
      });
      op.deletes.push_back(std::move(gone));
    }
  }

  // A template: each of its passes once in its order; others may run between.
  void add_steps() {
    std::vector<Operator> const free = task_.operators;
    for (uint32_t step = 0; step < pipeline_.size(); ++step) {
      uint32_t const done = static_cast<uint32_t>(task_.atoms.size());
      task_.atoms.emplace_back();
      for (const Operator &op : free) {
        if (op.pass != pipeline_[step]) continue;
        Operator fixed = op;
        fixed.step = step;
        fixed.adds.push_back(done);
        if (step > 0) fixed.needs.push_back({{done - 1}, ""});
        task_.operators.push_back(std::move(fixed));
      }
      if (step + 1 == pipeline_.size()) task_.goals.push_back({{done}, ""});
    }
  }

  const PassTerms &terms_;
  const std::vector<uint32_t> &pipeline_;
  PassTask task_;
  std::map<std::string, std::map<std::string, uint32_t>> ids_; // of atoms, by name and text
  std::map<std::string, std::vector<uint32_t>> askers_;        // the passes that a name's atoms may let run
  std::vector<bool> waiting_;                                  // passes to be grounded, again or for the first time
  std::map<std::pair<uint32_t, Binding>, Operator> operators_;
  std::map<std::pair<std::string, std::string>, std::set<Value>> values_;
};

} // namespace

PassTerms::PassTerms(const PlanRequest &r) : request(r) {
  for (const Unit *unit : r.passes) {
    Unit pass;
    pass.kind = unit->kind;
    pass.name = unit->name;
    for (const Requirement &requirement : unit->requires_) pass.requires_.push_back(plain(requirement));
    for (const Term &term : unit->provides) pass.provides.push_back(plain(term));
    for (const Term &term : unit->invalidates) pass.invalidates.push_back(plain(term));
    passes.push_back(std::move(pass));
  }
  for (const Term &term : r.start) start.push_back(plain(term));
  for (const Term &term : r.installed) {
    installed.push_back(plain(term));
    installed_by_name[installed.back().name].push_back(static_cast<uint32_t>(installed.size()) - 1);
  }
  for (const Requirement &goal : r.goals) goals.push_back(plain(goal));
}

bool PassTerms::is_state(const Requirement &requirement) const {
  for (const Term &term : requirement.alternatives) {
    if (request.states.contains(term.name)) continue;
    auto const found = installed_by_name.find(term.name);
    if (found == installed_by_name.end()) continue;
    for (uint32_t i : found->second)
      if (match(term, installed[i])) return false;
  }
  return true;
}

PassTask make_task(const PassTerms &terms, const std::vector<uint32_t> &pipeline) {
  return Grounding(terms, pipeline).run();
}

} // namespace htp
