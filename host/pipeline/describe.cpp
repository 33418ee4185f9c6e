#include "host/pipeline/describe.h"

#include "host/ast/precedence.h"
#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/hash.h"
#include "host/pipeline/tree.h"

#include <htp/entry.h>
#include <htp_cpp/constants.h>
#include <htp_cpp/layout/annotation.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace htp {

namespace {

std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

std::string why_chosen(const Resolution &resolution, const Request &request, const ChosenUnit &chosen) {
  if (chosen.reasons.empty()) return "";
  const Reason &reason = chosen.reasons.front();
  const auto unit = [&] { return "`" + resolution.units[reason.index].unit->name.value + "`"; };
  switch (reason.kind) {
  case Reason::Kind::target: return "the profile's target";
  case Reason::Kind::pipeline: return "the profile's pipeline";
  case Reason::Kind::wish: return "the profile wants plugin `" + request.wishes[reason.index].id + "`";
  case Reason::Kind::need: return "the program: " + request.needs[reason.index].phrase;
  case Reason::Kind::requirement: return unit() + " requires `" + reason.capability + "`";
  case Reason::Kind::contract: return unit() + "'s contract wants `" + reason.capability + "`";
  case Reason::Kind::step: return unit() + " names it";
  case Reason::Kind::want: return unit() + " wants `" + reason.capability + "`";
  case Reason::Kind::along: return "comes with its plugin";
  }
  return "";
}

std::string why_planned(const PassPlan &plan, const PlannedPass &pass) {
  std::string text;
  for (const Supply &supply : pass.supplies) {
    text += (text.empty() ? "gives `" : "; `") + supply.capability.text() + "` to ";
    bool first = true;
    for (const uint32_t user : supply.used_by) {
      text += first ? "" : ", ";
      text += user < plan.passes.size() ? "`" + plan.passes[user].unit->name.value + "`" : "the contract";
      first = false;
    }
  }
  return text.empty() ? "named by the pipeline" : text;
}

// An extent as callers see it: what is constant by its digits, `G * M` with what `G` stands for.
std::string describe_extent(const sdk::Reader &reader, const sdk::Constants &constants, htp_node extent) {
  if (const auto value = constants.integer(extent)) return std::to_string(*value);
  const auto sum = reader.as<sdk::ast::BinOp>(extent);
  if (!sum) return unparse(*reader.store(), extent);
  const auto side = [&](htp_node n) {
    const std::string text = describe_extent(reader, constants, n);
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  return side(sum.left()) + std::string(operator_row(sum.op()).text) + side(sum.right());
}

// A layout in the form that means the same without the program: `htp.layout(…)`, or `htp.layouts.strided((M, N), (S0,
// 1))` where a call says the steps. Another plugin's notation stays.
std::optional<std::string> describe_layout(const Store &store, const std::vector<Imported> &imports, htp_node n,
                                           const sdk::Constants &constants) {
  if (store.kind(n) != HTP_Call) return std::nullopt;
  const std::string name = qualified_name(store, imports, store.slot(n, HTP_FIELD(Call, func)));
  if (name != "htp.layout" && !name.starts_with("htp.layouts.")) return std::nullopt;
  const sdk::Reader reader(store.abi());
  const auto integer = [&](htp_node e) { return constants.integer(e); };
  if (const auto steps = sdk::run_time_steps(reader, n, integer)) {
    const auto tuple = [&](htp_node of) {
      std::string text;
      const sdk::Nodes all = reader.get<sdk::ast::Tuple>(of).elts();
      for (const htp_node e : all) text += (text.empty() ? "" : ", ") + describe_extent(reader, constants, e);
      return "(" + text + (all.size() == 1 ? ",)" : ")");
    };
    const sdk::Nodes arguments = reader.get<sdk::ast::Call>(n).args();
    return "htp.layouts.strided(" + tuple(arguments[0]) + ", " + tuple(arguments[1]) + ")";
  }
  const auto layout = sdk::read_layout(reader, n, integer);
  return layout ? std::optional(layout::write(*layout)) : std::nullopt;
}

// What a name was imported as, where that is another name than its own: `from htp import bf16 as half` gives `bf16`.
std::optional<std::string> own_name(const Store &store, const std::vector<Imported> &imports, htp_node n) {
  const std::string path = store.kind(n) == HTP_Name ? qualified_name(store, imports, n) : std::string();
  return path.starts_with("htp") && path.find('.') != std::string::npos
             ? std::optional(path.substr(path.rfind('.') + 1))
             : std::nullopt;
}

// A type as callers see it: `Tensor[f32, M, WIDTH]` with what a constant stands for.
std::string describe_type(const Store &store, const std::vector<Imported> &imports, htp_node type,
                          const sdk::Constants &constants) {
  const htp_node slice = store.kind(type) == HTP_Subscript ? store.slot(type, HTP_FIELD(Subscript, slice)) : 0;
  if (!slice || store.kind(slice) != HTP_Tuple)
    return own_name(store, imports, type).value_or(unparse(*store.abi(), type));
  std::string text;
  for (const htp_node argument : store.items(store.slot(slice, HTP_FIELD(Tuple, elts)))) {
    auto known = own_name(store, imports, argument);
    if (!known) known = describe_layout(store, imports, argument, constants);
    text += (text.empty() ? "" : ", ") + known.value_or(describe_extent(sdk::Reader(store.abi()), constants, argument));
  }
  const htp_node form = store.slot(type, HTP_FIELD(Subscript, value));
  return own_name(store, imports, form).value_or(unparse(*store.abi(), form)) + "[" + text + "]";
}

// `In[Tensor[f32, M]]` → {"in", "Tensor[f32, M]"}: the directions are names of the SDK's.
PackageManifest::Parameter describe_parameter(const Store &store, const std::vector<Imported> &imports, htp_node arg,
                                              const sdk::Constants &constants) {
  PackageManifest::Parameter result;
  result.name = store.text(store.slot(arg, HTP_FIELD(arg, arg)));
  htp_node annotation = store.slot(arg, HTP_FIELD(arg, annotation));
  // A scalar's type is a dtype of the SDK, or Python's int; another name is what no caller can give.
  const std::string type = annotation ? qualified_name(store, imports, annotation) : std::string();
  const bool number =
      type.starts_with("htp.") || (annotation && type.empty() && unparse(*store.abi(), annotation) == "int");
  result.direction = number ? "value" : "";
  if (annotation && store.kind(annotation) == HTP_Subscript) {
    const std::string name = qualified_name(store, imports, store.slot(annotation, HTP_FIELD(Subscript, value)));
    for (const auto &[known, direction] : {std::pair{"htp.In", "in"}, {"htp.Out", "out"}, {"htp.InOut", "inout"}})
      if (name == known) {
        result.direction = direction;
        annotation = store.slot(annotation, HTP_FIELD(Subscript, slice));
        break;
      }
  }
  if (annotation) result.type = describe_type(store, imports, annotation, constants);
  return result;
}

PackageManifest::Entry describe_entry(const Store &store, const Stage &stage) {
  PackageManifest::Entry entry;
  entry.name = stage.header.entry;
  entry.returns = "None";
  const auto imports = imports_of(store, stage.root);
  const sdk::Constants constants{sdk::Reader(store.abi()), stage.root};
  for (const htp_node s : store.items(store.slot(stage.root, HTP_FIELD(Module, body)))) {
    if (store.kind(s) != HTP_FunctionDef || store.text(store.slot(s, HTP_FIELD(FunctionDef, name))) != entry.name)
      continue;
    entry.parameters.clear();
    const htp_node args = store.slot(s, HTP_FIELD(FunctionDef, args));
    for (const unsigned field :
         {HTP_FIELD(arguments, posonlyargs), HTP_FIELD(arguments, args), HTP_FIELD(arguments, kwonlyargs)})
      for (const htp_node arg : store.items(store.slot(args, field)))
        entry.parameters.push_back(describe_parameter(store, imports, arg, constants));
    if (const htp_node returns = store.slot(s, HTP_FIELD(FunctionDef, returns)))
      entry.returns = unparse(*store.abi(), returns);
  }
  return entry;
}

// Stages share what passes left as it was: under the same imports a subtree names the same intrinsics.
std::vector<std::string> intrinsics_used(const htp_ctx &ctx, const StageRun &run) {
  std::set<std::string> used;
  std::vector<Imported> imports;
  std::vector<bool> asked;            // of nodes, under these imports
  std::unordered_set<uint64_t> known; // and of names
  for (const Stage &stage : run.stages) {
    if (auto now = imports_of(ctx.store, stage.root); now != imports)
      imports = std::move(now), asked.clear(), known.clear();
    std::vector<htp_node> pending{stage.root};
    while (!pending.empty()) {
      const htp_node n = pending.back();
      pending.pop_back();
      if (n >= asked.size()) asked.resize(n + size_t{1});
      if (asked[n]) continue;
      asked[n] = true;
      if (ctx.store.kind(n) == HTP_Call) {
        const htp_node function = ctx.store.slot(n, HTP_FIELD(Call, func));
        const uint64_t key = name_key(ctx.store, function);
        if (!key || known.insert(key).second)
          if (const auto *found = ctx.registry->intrinsic(qualified_name(ctx.store, imports, function)))
            used.insert(found->row().name);
      }
      for_each_child(*ctx.store.abi(), n, [&](htp_node child) { pending.push_back(child); });
    }
  }
  return {used.begin(), used.end()};
}

} // namespace

PackageManifest describe(const Inputs &inputs, const Resolution &resolution, const Request &request,
                         const std::vector<LoadedPlugin> &plugins, const std::vector<PythonFiles> &python,
                         const PassPlan &plan, const StageRun &run, const htp_ctx &ctx,
                         const std::vector<InputFile> &files) {
  PackageManifest m;
  m.htp = HTP_VERSION;
  std::string program = base_name(inputs.program.value);
  if (program.ends_with(".py")) program.resize(program.size() - 3);
  m.identity = {program, ctx.settings.entry, ctx.settings.target, ctx.settings.seed, {}};
  for (const auto &[name, value] : inputs.set) m.identity.set[name] = value.value;
  for (const InputFile &file : files) {
    if (file.sha256.empty()) continue;
    if (file.role == "program" || file.role == "import" || file.role == "stage")
      m.inputs.push_back({base_name(file.path), file.role, file.sha256});
    if (file.role == "profile") m.inputs.push_back({"profile", file.role, file.sha256});
  }
  for (const Recorded &r : ctx.recorded) m.inputs.push_back({base_name(r.path), r.role, r.sha256});
  for (size_t k = 0; k < plugins.size(); ++k) {
    const LoadedPlugin &p = plugins[k];
    PackageManifest::Plugin plugin{
        p.manifest().id.value, p.manifest().version_text.value, p.manifest_sha256(), p.library_sha256(), {}};
    if (!python[k].sha256.empty()) plugin.python = {p.manifest().python_module.value, python[k].sha256};
    m.plugins.push_back(std::move(plugin));
  }
  for (const ChosenUnit &chosen : resolution.units) {
    if (chosen.unit->kind == UnitKind::dialect) m.dialects.push_back(chosen.unit->name.value);
    m.plan.resolution.push_back({chosen.unit->name.value, std::string(unit_kind_name(chosen.unit->kind)),
                                 chosen.manifest->id.value, why_chosen(resolution, request, chosen)});
  }
  m.intrinsics = intrinsics_used(ctx, run);
  m.capabilities = run.stages.back().held;
  m.plan.pipeline = inputs.profile.pipeline.value;
  const auto options_of = [&](const std::string &unit) {
    const auto it = ctx.settings.options.find(unit);
    return it == ctx.settings.options.end() ? PackageManifest::Settings{} : it->second;
  };
  for (const PlannedPass &pass : plan.passes) {
    const UnitRef *ref = ctx.registry->find(pass.unit->kind, pass.unit->name.value);
    const Manifest &owner = ref->plugin->manifest();
    m.plan.passes.push_back({pass.unit->name.value, owner.id.value, owner.version_text.value,
                             options_of(pass.unit->name.value), why_planned(plan, pass)});
  }
  m.target.backend = ctx.settings.target;
  m.target.options = options_of(ctx.settings.target);
  m.target.hardware = ctx.settings.hardware;
  for (const Term &term : resolution.backend->provides)
    if (term.name == "Package.Contract")
      if (const auto it = term.arguments.find("id"); it != term.arguments.end() && !it->second.values.empty())
        m.target.contract = it->second.values[0].text;
  m.stages_kept = inputs.stages;
  for (const Stage *stage : run.kept(inputs.stages))
    m.stages.push_back({stage->id(), stage->header.after, stage->folder() + "/program.py", sha256(stage->text)});
  // The user's own spelling, or where that is no signature (a schedule names another function's), the first that is.
  PackageManifest::Entry entry = describe_entry(ctx.store, run.stages.front());
  for (const Stage &stage : run.stages) {
    const auto &parameters = entry.parameters;
    if (!parameters.empty() &&
        std::none_of(parameters.begin(), parameters.end(), [](const auto &p) { return p.direction.empty(); }))
      break;
    entry = describe_entry(ctx.store, stage);
  }
  for (auto &p : entry.parameters)
    if (p.direction.empty()) p.direction = "value";
  m.entries.push_back(std::move(entry));
  return m;
}

} // namespace htp
