#include "host/pipeline/validate.h"

#include "host/base/clock.h"
#include "host/parse/parse.h"
#include "host/pipeline/tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *validators = "Translation.Validator";

// A function with that name and a stage's statements.
htp_node function_of(Store &store, const char *name, htp_node module) {
  const auto body = HTP_FIELDS(Module, store.abi(), module)->body;
  const uint32_t no_arguments[] = {0, 0, 0, 0, 0, 0, 0};
  const htp_node arguments = store.node(HTP_arguments, no_arguments, module);
  const uint32_t slots[] = {store.string(name), arguments, body, 0, 0, 0, 0};
  return store.node(HTP_FunctionDef, slots, module);
}

} // namespace

struct Validation::State {
  Inputs inputs;
  Store store;
  std::optional<Start> start;
  Setup setup;
  std::optional<Diagnostics> said; // setup's context reports to it
  std::vector<const UnitRef *> units;
  std::map<std::string, htp_node> read; // a stage's text → its module

  htp_node stage(const std::string &text, const std::string &name, std::string &why) {
    if (const auto it = read.find(text); it != read.end()) return it->second;
    Diagnostics diagnostics;
    const auto source = std::make_shared<SourceFile>(name, text);
    htp_node module = parse_program(source, diagnostics, store);
    if (module) {
      const auto parsed = take_header(store, module, source, diagnostics);
      if (parsed) module = parsed->root;
    }
    if (!module || diagnostics.errors()) {
      why = diagnostics.list().empty() ? name + " is no stage" : diagnostics.list().front().message;
      return HTP_NONE;
    }
    return read[text] = module;
  }
};

Validation::Validation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Validation::~Validation() = default;

std::unique_ptr<Validation> Validation::open(CompileRequest request, const std::string &stage, Cache &cache,
                                             Diagnostics &diagnostics) {
  request.from_stage = stage;
  request.needs.emplace_back(validators);
  auto inputs = gather(request, true, diagnostics);
  if (!inputs) return nullptr;
  auto state = std::make_unique<State>();
  State &s = *state;
  s.inputs = std::move(*inputs);
  s.start = parse_start(request, s.inputs, s.store, diagnostics);
  if (!s.start) return nullptr;
  s.setup.request = make_request(request, s.inputs, *s.start, s.store);
  s.said.emplace();
  const bool open = choose(s.inputs, *s.start, s.store, s.setup, cache, diagnostics) &&
                    open_context(s.inputs, *s.start, s.setup, s.store, cache, request, *s.said);
  diagnostics.append(*s.said);
  if (!open) return nullptr;
  for (const UnitRef *ref : s.setup.registry->of(UnitKind::analysis))
    if (std::any_of(ref->unit->provides.begin(), ref->unit->provides.end(),
                    [](const Term &t) { return t.text() == validators; }))
      s.units.push_back(ref);
  return std::unique_ptr<Validation>(new Validation(std::move(state)));
}

Validated Validation::of(const std::string &before, const std::string &before_name, const std::string &after,
                         const std::string &after_name) {
  State &s = *state_;
  const double begun = steady_seconds();
  Validated result;
  const htp_node one = s.stage(before, before_name, result.reason);
  const htp_node other = one ? s.stage(after, after_name, result.reason) : HTP_NONE;
  if (!other) return result;
  const uint32_t functions[] = {function_of(s.store, "before", one), function_of(s.store, "after", other)};
  const uint32_t slots[] = {s.store.list(functions), 0};
  const htp_node root = s.store.node(HTP_Module, slots, HTP_NONE);
  for (const UnitRef *ref : s.units) {
    const std::string &name = ref->unit->name.value;
    s.said.emplace();
    s.setup.ctx->enter(*ref->unit, root);
    const htp_table *table = s.setup.ctx->host->analysis(&*s.setup.ctx, name.c_str(), root);
    Validated found{.by = name};
    if (!table) {
      found.reason = s.said->list().empty() ? name + " failed" : s.said->list().front().message;
    } else {
      for (uint32_t k = 0; k < table->count; ++k) {
        const auto &[key, value] = table->rows[k];
        const std::string text(value.u.s.data, value.u.s.size);
        if (key != functions[1]) {
          found.at = location_of(s.store, key);
          continue;
        }
        const Json json = Json::parse(text, nullptr, false);
        if (!json.is_object()) continue;
        try {
          found.proved = json.at("verdict").get<std::string>() == "proved";
          found.assumptions = json.value("assumptions", std::vector<std::string>());
          found.reason = json.value("reason", "");
        } catch (const Json::exception &) {
          found = {.by = name, .reason = name + " gives no verdict"};
        }
      }
    }
    std::sort(found.assumptions.begin(), found.assumptions.end());
    if (result.by.empty() || found.proved) result = std::move(found);
    if (result.proved) break;
  }
  result.seconds = steady_seconds() - begun;
  return result;
}

} // namespace htp
