#include "bench/resolve/peers.h"

#include "bench/resolve/asp.h"
#include "host/base/process.h"

#include <sys/resource.h>

#include <ctime>

#ifdef HTP_LIBSOLV
#define LIBSOLV_SOLVABLE_PREPEND_DEP // `requires` is a word of C++20
extern "C" {
#include <solv/evr.h>
#include <solv/pool.h>
#include <solv/problems.h>
#include <solv/queue.h>
#include <solv/repo.h>
#include <solv/solver.h>
}
#endif

namespace htp::bench {
namespace {

double cpu(int who) {
  rusage usage{};
  getrusage(who, &usage);
  auto ms = [](const timeval &time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

} // namespace

Timed by_clingo(const World &world, bool optimise) {
  std::string program = asp_of(world);
  if (optimise) program += "#minimize { 1@2,P : in(P) }.\n#maximize { V@1,P : in(P), plugin(P, _, V) }.\n";
  double const before = cpu(RUSAGE_CHILDREN);
  ProcessRequest request;
  request.argv = {"clingo", "--quiet=2", "-"};
  request.input = std::move(program);
  request.timeout = std::chrono::seconds(60);
  auto const result = run_process(request);
  if (!result || result->timed_out || result->exit_status % 10 != 0) return {};
  return {cpu(RUSAGE_CHILDREN) - before, result->exit_status != 20};
}

#ifdef HTP_LIBSOLV

namespace {

// A capability with a variant is one of its own; parameters are only text there.
class Solv {
public:
  explicit Solv(const World &world) : world_(world), pool_(pool_create()) {
    pool_setdisttype(pool_, DISTTYPE_DEB);
    Repo *repo = repo_create(pool_, "universe");
    for (const Candidate &candidate : world.universe.plugins) add(repo, *candidate.manifest);
    pool_createwhatprovides(pool_);
  }
  ~Solv() { pool_free(pool_); }

  bool solve() {
    Queue jobs;
    queue_init(&jobs);
    for (const Need &need : world_.request.needs) {
      queue_push(&jobs, SOLVER_INSTALL | SOLVER_SOLVABLE_PROVIDES);
      queue_push(&jobs, dependency(need.requirement.alternatives.front()));
    }
    Solver *solver = solver_create(pool_);
    bool const solved = solver_solve(solver, &jobs) == 0;
    if (!solved) { // what it says of the conflict
      Queue rules;
      queue_init(&rules);
      for (Id problem = 0; (problem = solver_next_problem(solver, problem)) != 0;)
        solver_findallproblemrules(solver, problem, &rules);
      queue_free(&rules);
    }
    solver_free(solver);
    queue_free(&jobs);
    return solved;
  }

private:
  static std::string name_of(const Term &term) {
    auto found = term.arguments.find("variant");
    return found == term.arguments.end() ? term.name : term.name + "-" + found->second.values.front().text;
  }
  Id name(const std::string &text) { return pool_str2id(pool_, text.c_str(), 1); }

  Id dependency(const Term &term) {
    Id id = name(name_of(term));
    if (term.range.comparators.empty()) return id;
    Id result = 0;
    for (const Comparator &c : term.range.comparators) {
      int const flags = c.op == Comparator::ge ? REL_GT | REL_EQ : REL_LT;
      Id const one = pool_rel2id(pool_, id, name(c.version.text()), flags, 1);
      result = result ? pool_rel2id(pool_, result, one, REL_AND, 1) : one;
    }
    return result;
  }

  void add(Repo *repo, const Manifest &manifest) {
    Solvable *s = pool_id2solvable(pool_, repo_add_solvable(repo));
    const Unit &unit = manifest.units.front();
    Id const version = name(manifest.version.text());
    s->name = name(manifest.id.value);
    s->evr = version;
    s->arch = ARCH_ALL;
    // By what provides its name libsolv finds the other versions, of which one alone may be installed.
    s->dep_provides = repo_addid_dep(repo, s->dep_provides, pool_rel2id(pool_, s->name, version, REL_EQ, 1), 0);
    for (const Term &term : unit.provides) {
      bool const own = term.name == manifest.declares.front().name.value;
      Id const id = name(name_of(term));
      s->dep_provides = repo_addid_dep(repo, s->dep_provides, own ? pool_rel2id(pool_, id, version, REL_EQ, 1) : id, 0);
    }
    for (const Requirement &requirement : unit.requires_)
      s->dep_requires = repo_addid_dep(repo, s->dep_requires, dependency(requirement.alternatives.front()), 0);
    for (const Term &term : unit.conflicts)
      s->dep_conflicts = repo_addid_dep(repo, s->dep_conflicts, dependency(term), 0);
  }

  const World &world_;
  Pool *pool_;
};

} // namespace

Timed by_libsolv(const World &world) {
  double const before = cpu(RUSAGE_SELF);
  bool const answered = Solv(world).solve();
  return {cpu(RUSAGE_SELF) - before, answered};
}

#else
Timed by_libsolv(const World &) { return {}; }
#endif

} // namespace htp::bench
