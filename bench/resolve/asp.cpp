#include "bench/resolve/asp.h"

#include <fmt/format.h>

namespace htp::bench {
namespace {

constexpr std::string_view kRules = R"(
{ in(P) } :- plugin(P, _, _).
:- in(P), in(Q), plugin(P, I, _), plugin(Q, I, _), P < Q.
serves(N, V, L, H, P) :- asked(N, V, L, H), gives(P, N, W, E), E >= L, E <= H, fits(V, W).
fits("*", W) :- gives(_, _, W, _).
fits(W, W) :- gives(_, _, W, _).
met(N, V, L, H) :- serves(N, V, L, H, P), in(P).
asked(N, V, L, H) :- requires(_, N, V, L, H).
asked(N, V, L, H) :- needs(N, V, L, H).
:- in(P), requires(P, N, V, L, H), not met(N, V, L, H).
:- needs(N, V, L, H), not met(N, V, L, H).
:- in(P), conflicts(P, N, V, L, H), in(Q), P != Q, gives(Q, N, W, E), E >= L, E <= H, fits(V, W).
#show in/1.
)";

std::string variant(const Term &term) {
  auto found = term.arguments.find("variant");
  return found == term.arguments.end() ? "\"*\"" : "\"" + found->second.values.front().text + "\"";
}

std::string asked(const Term &term) {
  uint32_t low = 0, high = 9;
  for (const Comparator &c : term.range.comparators) {
    uint32_t const version = c.version.parts.front();
    if (c.op == Comparator::ge) low = version;
    if (c.op == Comparator::lt) high = version - 1;
  }
  return fmt::format("\"{}\", {}, {}, {}", term.name, variant(term), low, high);
}

} // namespace

std::string asp_of(const World &world) {
  std::string out(kRules);
  for (size_t p = 0; p < world.universe.plugins.size(); ++p) {
    const Manifest &manifest = *world.universe.plugins[p].manifest;
    uint32_t const version = manifest.version.parts.front();
    out += fmt::format("plugin({}, \"{}\", {}).\n", p, manifest.id.value, version);
    const Unit &unit = manifest.units.front();
    for (const Term &term : unit.provides)
      out += fmt::format("gives({}, \"{}\", {}, {}).\n", p, term.name, variant(term),
                         term.name == manifest.declares.front().name.value ? version : 1);
    for (const Requirement &requirement : unit.requires_)
      out += fmt::format("requires({}, {}).\n", p, asked(requirement.alternatives.front()));
    for (const Term &term : unit.conflicts) out += fmt::format("conflicts({}, {}).\n", p, asked(term));
  }
  for (const Need &need : world.request.needs)
    out += fmt::format("needs({}).\n", asked(need.requirement.alternatives.front()));
  return out;
}

} // namespace htp::bench
