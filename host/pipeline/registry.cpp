#include "host/pipeline/registry.h"

#include "host/pipeline/python_unit.h"
#include "host/resolve/vocabulary.h"

#include <algorithm>
#include <tuple>

namespace htp {

Registry::Registry(const std::vector<LoadedPlugin> &plugins, const std::vector<std::string> &chosen,
                   const std::vector<PluginWish> &wished) {
  const auto is_wished = [&](const UnitRef &ref) {
    return std::any_of(wished.begin(), wished.end(),
                       [&](const PluginWish &wish) { return ref.plugin->manifest().id == wish.id; });
  };
  for (const CapabilityDecl &decl : sdk_manifest().declares) capabilities_[decl.name.value] = &decl;
  for (const LoadedPlugin &plugin : plugins) {
    for (const CapabilityDecl &decl : plugin.manifest().declares) capabilities_[decl.name.value] = &decl;
    for (const Unit &unit : plugin.manifest().units)
      if (chosen.empty() || std::find(chosen.begin(), chosen.end(), unit.name.value) != chosen.end())
        units_.push_back(
            {&plugin, &unit,
             unit.code.value.empty() ? plugin.interface(unit.kind, unit.name.value) : python_interface(unit.kind)});
  }
  for (const UnitRef &ref : units_) {
    switch (ref.unit->kind) {
    case UnitKind::intrinsics: {
      const auto *set = static_cast<const htp_intrinsics *>(ref.interface);
      for (uint32_t i = 0; i < set->count; ++i) {
        intrinsics_.try_emplace(set->rows[i].name, Intrinsic{&ref, set, i});
        intrinsics_.try_emplace(set->rows[i].python, Intrinsic{&ref, set, i});
      }
      break;
    }
    case UnitKind::handlers: {
      const auto *set = static_cast<const htp_handlers *>(ref.interface);
      for (uint32_t i = 0; i < set->count; ++i)
        handlers_[{set->rows[i].intrinsic, *set->rows[i].backend == '$' ? "$" : set->rows[i].backend}].push_back(
            {&ref, set, i, is_wished(ref)});
      break;
    }
    case UnitKind::layout: {
      const auto *facet = static_cast<const htp_layout_facet *>(ref.interface);
      layouts_.try_emplace(facet->constructor, Layout{&ref, facet});
      break;
    }
    case UnitKind::verifier:
      for (const Term &term : ref.unit->verifies) verifiers_.emplace_back(&term, &ref);
      break;
    default: break;
    }
  }
  const auto name = [](const Handler &h) {
    return std::tuple(!h.wished, h.ref->plugin->manifest().id.value, h.ref->unit->name.value);
  };
  for (auto &[key, list] : handlers_)
    std::stable_sort(list.begin(), list.end(), [&](const Handler &a, const Handler &b) { return name(a) < name(b); });
}

const UnitRef *Registry::find(UnitKind kind, std::string_view name) const {
  for (const UnitRef &ref : units_)
    if (ref.unit->kind == kind && ref.unit->name == name) return &ref;
  return nullptr;
}

std::vector<const UnitRef *> Registry::of(UnitKind kind) const {
  std::vector<const UnitRef *> result;
  for (const UnitRef &ref : units_)
    if (ref.unit->kind == kind) result.push_back(&ref);
  return result;
}

const Registry::Intrinsic *Registry::intrinsic(std::string_view name) const {
  const auto it = intrinsics_.find(name);
  return it == intrinsics_.end() ? nullptr : &it->second;
}

const Registry::Handler *Registry::handler(std::string_view intrinsic, std::string_view backend) const {
  const auto first = [&](std::string_view of) -> const Handler * {
    const auto it = handlers_.find({std::string(intrinsic), std::string(of)});
    return it == handlers_.end() ? nullptr : &it->second.front();
  };
  const Handler *own = first(backend), *any = first("$");
  return own && !(any && any->wished && !own->wished) ? own : any;
}

void Registry::report_shadowed(Diagnostics &diagnostics) const {
  for (const auto &[key, list] : handlers_) {
    const auto &handled = key.first;
    for (size_t i = 1; i < list.size(); ++i) {
      if (list[0].wished && !list[i].wished) continue;
      const Unit &used = *list[0].ref->unit, &unused = *list[i].ref->unit;
      const auto place = [&](const Unit &unit) {
        const auto member =
            std::find_if(unit.members.begin(), unit.members.end(), [&](const Text &text) { return text == handled; });
        return member == unit.members.end() ? unit.name.span : member->span;
      };
      diagnostics
          .report(diag::pipeline_shadowed_handler, place(unused), used.name.value, unused.name.value, key.first,
                  key.second == "$" ? "any backend" : key.second)
          .label(place(used), "this one is used")
          .hint("name the plugin whose handler is meant under `plugins:` in the profile");
    }
  }
}

bool Registry::in_target_set(std::string_view intrinsic, std::string_view backend) const {
  const UnitRef *ref = find(UnitKind::backend, backend);
  if (!ref) return false;
  const auto *interface = static_cast<const htp_backend *>(ref->interface);
  for (const char *const *name = interface->target_set; *name; ++name)
    if (intrinsic == *name) return true;
  return false;
}

const Registry::Layout *Registry::layout(std::string_view constructor) const {
  const auto it = layouts_.find(constructor);
  return it == layouts_.end() ? nullptr : &it->second;
}

const UnitRef *Registry::verifier(std::string_view term) const {
  for (const auto &[verified, ref] : verifiers_)
    if (verified->text() == term) return ref;
  Diagnostics none;
  const auto asked = parse_term(term, {}, none);
  for (const auto &[verified, ref] : verifiers_)
    if (asked && match(plain(*asked), plain(*verified))) return ref;
  return nullptr;
}

const CapabilityDecl *Registry::capability(std::string_view name) const {
  const auto it = capabilities_.find(name);
  return it == capabilities_.end() ? nullptr : it->second;
}

} // namespace htp
