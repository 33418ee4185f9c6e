// The SDK's own capabilities: the names that everyone may require and provide (decision 0003).
#include "host/manifest/manifest.h"

namespace htp {

namespace {

struct MetaParameter {
  const char *name;
  ParameterDecl::Type type;
  UnitKind reference; // of a reference
  const char *doc;
};
struct MetaCapability {
  const char *name;
  bool state;
  std::vector<MetaParameter> parameters;
  const char *doc;
};

const std::vector<MetaCapability> &table() {
  using enum ParameterDecl::Type;
  static const std::vector<MetaCapability> rows = {
      {"Intrinsic.Handler",
       false,
       {{"op", string, {}, "the intrinsic's name"},
        {"backend", reference, UnitKind::backend, "whose target set it is rewritten into"}},
       "a handler rewrites calls of the intrinsic"},
      {"Intrinsic.Set",
       false,
       {{"name", reference, UnitKind::intrinsics, "the unit"}},
       "the intrinsics of the unit are there"},
      {"Layout.Facet",
       false,
       {{"kind", string, {}, "`distribution`, `memory`, `hardware`, or its owner's name"}},
       "a notation for layouts is there"},
      {"Package.Contract",
       false,
       {{"id", string, {}, "the contract, with its revision"}},
       "packages of the contract are emitted"},
      {"Codegen.Ready",
       true,
       {{"target", reference, UnitKind::backend, "whose target set it is"}},
       "every call of an intrinsic is of the target set, so that the backend can emit the stage"},
      {"Python.Module", false, {{"name", string, {}, "the module's name"}}, "the module can be imported"},
      {"Binding.For",
       false,
       {{"contract", string, {}, "the contract, with its revision"}},
       "packages of the contract can be built and run"},
      {"Cost.Model",
       false,
       {{"target", reference, UnitKind::backend, "whose last stages it judges"}},
       "the unit, an analysis, gives the seconds that each statement of a last stage takes; its option `sizes` has the "
       "dimensions' sizes, `M=512 N=64`"},
      {"Simulation.Model",
       false,
       {{"target", reference, UnitKind::backend, "whose last stages it runs"}},
       "the unit, an analysis, says how the processes of a last stage run beside each other: of the entry one string, "
       "JSON as "
       "decision 0008 has it, and of each channel's declaration its name; its options are those of `htp-host "
       "simulate`"},
      {"Report.Views",
       false,
       {{"target", reference, UnitKind::backend, "whose last stages it draws"}},
       "the unit, an analysis, gives what a report draws of a last stage: of the entry one string, JSON as decision "
       "0020 "
       "has it"},
      {"Task.Graph",
       false,
       {},
       "the unit, an analysis, gives the tasks of a program and what each needs of the others: of the entry one "
       "string, "
       "JSON as decision 0008 has it, and of each task's statement its id; it refuses a stage that has no tasks"},
      {"Deadlock.Graph",
       false,
       {},
       "the unit, an analysis, gives the processes of a program that wait for each other without end: of the entry one "
       "string, JSON as decision 0008 has it, and of each node that this speaks of its id; it refuses a program that "
       "has "
       "none"},
      {"Translation.Validator",
       false,
       {},
       "the unit, an analysis, says whether two programs compute the same: of a module of two functions, whose bodies "
       "are "
       "the program before a pass and the one after it, it gives the second one a string, JSON as decision 0019 has "
       "it, "
       "and the node where it got stuck its id"},
      {"Analysis.Table", false, {{"id", reference, UnitKind::analysis, "the unit"}}, "the analysis can be read"},
  };
  return rows;
}

Manifest make() {
  Manifest sdk;
  sdk.id.value = "htp.sdk";
  sdk.version = Version{{1}};
  sdk.version_text.value = "1";
  sdk.doc = "what the SDK itself declares";
  for (const MetaCapability &row : table()) {
    CapabilityDecl &capability = sdk.declares.emplace_back();
    capability.name.value = row.name;
    capability.state = row.state;
    capability.doc = row.doc;
    for (const MetaParameter &parameter : row.parameters)
      capability.parameters.push_back({{parameter.name, {}}, parameter.type, {}, parameter.reference, parameter.doc});
  }
  return sdk;
}

} // namespace

const Manifest &sdk_manifest() {
  static const Manifest sdk = make();
  return sdk;
}

} // namespace htp
