#include "bench/resolve/universe.h"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace htp::bench {
namespace {

template <class T> T must(std::optional<T> parsed, const std::string &text) {
  if (parsed) return std::move(*parsed);
  std::fprintf(stderr, "cannot read `%s`\n", text.c_str());
  std::abort();
}
Requirement requirement(const std::string &text) {
  Diagnostics none;
  return must(parse_requirement(text, {}, none), text);
}
Term term(const std::string &text) {
  Diagnostics none;
  return must(parse_term(text, {}, none), text);
}
Version version(uint32_t number) { return {{number, 0}}; }
Text text(std::string value) { return {std::move(value), {}}; }

class Maker {
public:
  Maker(const Shape &shape, World &world)
      : shape_(shape), world_(world), random_(shape.seed), names_(std::max(shape.extensions / 3, 1U)),
        kinds_(std::max(names_ / shape.names_of_a_kind, 1U)) {}

  void run() {
    world_.sdk.id = text("htp.sdk");
    world_.sdk.version = version(1);
    for (uint32_t kind = 0; kind < kinds_; ++kind) {
      world_.sdk.declares.push_back({text(any_of(kind)), false, false, {}, ""});
      world_.sdk.declares.push_back({text(variant_of(kind)), false, false, {}, ""});
      world_.sdk.declares.back().parameters.push_back(
          {text("variant"), ParameterDecl::Type::enumeration, {"a", "b", "c", "d"}, {}, ""});
    }
    for (uint32_t name = 0; name < names_; ++name)
      for (uint32_t v = 1; v <= 3; ++v) add(name, v);
    if (shape_.conflict)
      for (const char *chain : {"Left", "Right"})
        for (uint32_t depth = 0; depth < 5; ++depth)
          for (uint32_t v = 1; v <= 3; ++v) add_link(chain, depth, v);
    for (const Manifest &manifest : world_.manifests) world_.universe.plugins.push_back({&manifest, 0, ""});
    world_.universe.sdk = &world_.sdk;
    for (uint32_t goal = 0; goal < 10; ++goal) need(own(pick(names_)));
    if (!shape_.conflict) return;
    need("Left0.Api");
    need("Right0.Api");
  }

private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  static std::string own(uint32_t name) { return "N" + std::to_string(name) + ".Api"; }
  static std::string any_of(uint32_t kind) { return "Kind" + std::to_string(kind) + ".Any"; }
  static std::string variant_of(uint32_t kind) { return "Kind" + std::to_string(kind) + ".Variant"; }
  static std::string variant(uint32_t n) { return std::string("(variant=") + "abcd"[n % 4] + ")"; }

  void need(const std::string &asked) {
    world_.request.needs.push_back({requirement(asked), {}, "goal " + std::to_string(world_.request.needs.size())});
  }

  Manifest &manifest(const std::string &name, uint32_t v) {
    Manifest made;
    made.id = text(name);
    made.version = version(v);
    made.version_text = text(made.version.text());
    made.declares.push_back({text(name + ".Api"), false, false, {}, ""});
    Unit unit;
    unit.kind = UnitKind::dialect;
    unit.name = text(name);
    unit.provides.push_back(term(name + ".Api"));
    made.units.push_back(std::move(unit));
    world_.manifests.push_back(std::move(made));
    return world_.manifests.back();
  }

  void add(uint32_t name, uint32_t v) {
    constexpr const char *ranges[] = {"@>=1", "@>=2", "@<3", "@>=2,<3", ""};
    uint32_t const kind = name % kinds_;
    Unit &unit = manifest("N" + std::to_string(name), v).units.front();
    unit.provides.push_back(term(any_of(kind)));
    unit.provides.push_back(term(variant_of(kind) + variant(name / kinds_)));
    unit.requires_.push_back(requirement(own(pick(names_)) + ranges[pick(5)]));
    unit.requires_.push_back(
        requirement(variant_of(pick(kinds_)) + variant(pick(std::min(4U, shape_.names_of_a_kind)))));
    unit.requires_.push_back(requirement(any_of(pick(kinds_))));
    if (pick(10) == 0) unit.conflicts.push_back(term(own(pick(names_)) + "@<2"));
  }

  void add_link(const std::string &chain, uint32_t depth, uint32_t v) {
    Unit &unit = manifest(chain + std::to_string(depth), v).units.front();
    unit.requires_.push_back(requirement(depth < 4         ? chain + std::to_string(depth + 1) + ".Api"
                                         : chain == "Left" ? "N0.Api@<2"
                                                           : "N0.Api@>=2"));
  }

  const Shape &shape_;
  World &world_;
  std::mt19937 random_;
  uint32_t names_, kinds_;
};

} // namespace

void make(const Shape &shape, World &world) { Maker(shape, world).run(); }

void make(const PassShape &shape, Passes &passes) {
  std::mt19937 random(shape.seed);
  auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  constexpr uint32_t kLayer = 5, kStates = 4;
  auto state = [](uint32_t layer, uint32_t index) {
    return "Layer" + std::to_string(layer) + ".State" + std::to_string(index);
  };
  uint32_t const layers = (shape.passes + kLayer - 1) / kLayer;
  for (uint32_t p = 0; p < shape.passes; ++p) {
    uint32_t const layer = p / kLayer;
    Unit unit;
    unit.kind = UnitKind::pass;
    unit.name = text("pass" + std::to_string(p));
    for (int n = 0; n < 2 && layer > 0; ++n) unit.requires_.push_back(requirement(state(layer - 1, pick(kStates))));
    unit.provides.push_back(term(state(layer, p % kLayer < kStates ? p % kLayer : pick(kStates))));
    if (layer > 0 && pick(100) < shape.invalidating)
      unit.invalidates.push_back(term(state(pick(layer), pick(kStates))));
    passes.units.push_back(std::move(unit));
  }
  for (const Unit &unit : passes.units) passes.request.passes.push_back(&unit);
  for (uint32_t layer = 0; layer < layers; ++layer)
    for (uint32_t s = 0; s < kStates; ++s) passes.request.states.insert(state(layer, s));
  for (uint32_t s = 0; s < 2; ++s) passes.request.goals.push_back(requirement(state(layers - 1, s)));
}

} // namespace htp::bench
