// host/pipeline/registry.h — the extensions that take part, by what they are asked for by.
#pragma once

#include "host/load/plugin.h"

#include <htp/htp.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htp {

// One unit of a loaded plugin: its manifest's text and its interface.
struct UnitRef {
  const LoadedPlugin *plugin = nullptr;
  const Unit *unit = nullptr;
  const void *interface = nullptr; // null for a unit of data only (a pipeline)
};

// An index over loaded plugins, restricted to the units that were resolved. Borrowed from the plugins.
class Registry {
public:
  // `units`: names of the chosen units; all of them when empty. `wished`: the plugins that the profile names.
  Registry(const std::vector<LoadedPlugin> &plugins, const std::vector<std::string> &units,
           const std::vector<PluginWish> &wished = {});

  const std::vector<UnitRef> &units() const { return units_; }
  const UnitRef *find(UnitKind kind, std::string_view name) const;
  std::vector<const UnitRef *> of(UnitKind kind) const;

  struct Intrinsic {
    const UnitRef *ref;
    const htp_intrinsics *set;
    uint32_t index;
    const htp_intrinsic &row() const { return set->rows[index]; }
  };
  // By its own name ("tile.exp") or its Python path ("htp_tile.exp").
  const Intrinsic *intrinsic(std::string_view name) const;

  struct Handler {
    const UnitRef *ref;
    const htp_handlers *set;
    uint32_t index;
    bool wished;
  };
  // Of several for one intrinsic and backend, that of a plugin that the profile names; then one for this backend before
  // one for any (`$B`); then that of the plugin, and the unit, whose name comes first.
  const Handler *handler(std::string_view intrinsic, std::string_view backend) const;

  bool in_target_set(std::string_view intrinsic, std::string_view backend) const;
  struct Layout {
    const UnitRef *ref;
    const htp_layout_facet *facet;
  };
  const Layout *layout(std::string_view constructor) const;
  // Warns of each handler that another one stands before, unless the profile says so.
  void report_shadowed(Diagnostics &diagnostics) const;
  // The verifier of a state, by its ground term: one that says exactly this term, else one whose term this is a case
  // of (`Codegen.Ready(target=$T)`).
  const UnitRef *verifier(std::string_view term) const;
  // The declaration of a capability; null when nobody declares it.
  const CapabilityDecl *capability(std::string_view name) const;

private:
  std::vector<UnitRef> units_;
  std::map<std::string, Intrinsic, std::less<>> intrinsics_;
  std::map<std::pair<std::string, std::string>, std::vector<Handler>> handlers_; // "$": any backend; the first counts
  std::map<std::string, Layout, std::less<>> layouts_;
  std::vector<std::pair<const Term *, const UnitRef *>> verifiers_;
  std::map<std::string, const CapabilityDecl *, std::less<>> capabilities_;
};

} // namespace htp
