#include "host/pipeline/imports.h"

#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/base/suggest.h"
#include "host/parse/parse.h"

#include <algorithm>
#include <optional>

namespace htp {

namespace {

// Every name that the file binds anywhere; nothing when that cannot be told.
std::optional<std::vector<std::string>> bound_in(const std::string &path) {
  auto text = read_file(path, 1u << 24);
  if (!text) return std::nullopt;
  Store store;
  Diagnostics none;
  const htp_node root = parse_tree(std::make_shared<SourceFile>(path, std::move(*text)), none, store);
  if (!root) return std::nullopt;
  std::vector<std::string> names;
  for (const htp_node n : preorder(*store.abi(), root)) {
    switch (store.kind(n)) {
    case HTP_FunctionDef:
    case HTP_ClassDef: names.emplace_back(store.text(store.slot(n, HTP_FIELD(FunctionDef, name)))); break;
    case HTP_Name:
      if (store.slot(n, HTP_FIELD(Name, ctx)) == HTP_STORE)
        names.emplace_back(store.text(store.slot(n, HTP_FIELD(Name, id))));
      break;
    case HTP_alias: {
      const uint32_t as = store.slot(n, HTP_FIELD(alias, asname));
      names.emplace_back(store.text(as ? as : store.slot(n, HTP_FIELD(alias, name))));
      if (names.back() == "*") return std::nullopt;
      break;
    }
    default: break;
    }
  }
  return names;
}

const Manifest *owner_of(const std::string &module, const std::vector<const Manifest *> &manifests) {
  for (const Manifest *manifest : manifests)
    if (!module.empty() && manifest->python_module.value == module) return manifest;
  return nullptr;
}

} // namespace

void check_imports(const Store &store, htp_node module, const std::vector<const Manifest *> &manifests,
                   Diagnostics &diagnostics) {
  for (const htp_node s : store.items(store.slot(module, HTP_FIELD(Module, body)))) {
    if (store.kind(s) != HTP_ImportFrom) continue;
    const uint32_t from = store.slot(s, HTP_FIELD(ImportFrom, module));
    const std::string name = from ? std::string(store.text(from)) : std::string();
    const Manifest *owner = owner_of(name, manifests);
    if (!owner) continue;
    const std::string path = join_path(join_path(owner->folder, owner->python_path.value), name);
    const auto names = bound_in(is_folder(path) ? path + "/__init__.py" : path + ".py");
    if (!names) continue;
    for (const htp_node a : store.items(store.slot(s, HTP_FIELD(ImportFrom, names)))) {
      const std::string wanted(store.text(store.slot(a, HTP_FIELD(alias, name))));
      if (wanted == "*" || std::find(names->begin(), names->end(), wanted) != names->end()) continue;
      Diagnostic &d = diagnostics.report(diag::pipeline_unknown_import, store.span(a), name, wanted);
      const std::string_view near = did_you_mean(wanted, *names);
      d.hint(near.empty() ? "`htp-host plugins show " + owner->id.value + "` tells what it brings"
                          : "did you mean `" + std::string(near) + "`?");
    }
  }
}

} // namespace htp
