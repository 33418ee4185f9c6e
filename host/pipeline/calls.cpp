#include "host/pipeline/calls.h"

#include "host/ast/unparse.h"
#include "host/base/fs.h"
#include "host/parse/parse.h"
#include "host/pipeline/tree.h"

#include <htp_cpp/tree.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace htp {

namespace {

using sdk::Reader;

struct Signature {
  std::vector<std::string> positional; // the first `unnamed` of them by position alone
  size_t unnamed = 0, required = 0;
  std::map<std::string, bool> by_name; // and whether it has a default
  bool any_positional = false, any_by_name = false;
};

// Why Python would not make the call; empty where it would, or where the call's own form hides what it gives.
std::string unfitting(const Reader &reader, sdk::ast::Call call, const Signature &signature) {
  std::map<std::string, size_t> given;
  for (const htp_node k : call.keywords()) {
    const std::string name(reader.get<sdk::ast::keyword>(k).arg());
    if (name.empty()) return {};
    if (++given[name] > 1) return fmt::format("it has two arguments `{}`", name);
  }
  const sdk::Nodes arguments = call.args();
  if (std::ranges::any_of(arguments, [&](htp_node n) { return reader.is(n, HTP_Starred); })) return {};
  const std::vector<std::string> &positional = signature.positional;
  if (arguments.size() > positional.size() && !signature.any_positional)
    return fmt::format("{} of its {} arguments may be given by position", positional.size(), arguments.size());
  for (size_t k = 0; k < positional.size(); ++k) {
    const bool named = k >= signature.unnamed && given.erase(positional[k]) > 0;
    if (named && k < arguments.size()) return fmt::format("it has two arguments `{}`", positional[k]);
    if (!named && k >= arguments.size() && k < signature.required)
      return fmt::format("it has no argument `{}`", positional[k]);
  }
  for (const auto &[name, optional] : signature.by_name)
    if (given.erase(name) == 0 && !optional) return fmt::format("it has no argument `{}`", name);
  return given.empty() || signature.any_by_name ? std::string()
                                                : fmt::format("it has no parameter `{}`", given.begin()->first);
}

// The functions of a plugin's Python module, of its own text and that of the files that it takes them from.
class Definitions {
public:
  explicit Definitions(const Manifest &manifest)
      : folder_(join_path(join_path(manifest.folder, manifest.python_path.value), manifest.python_module.value)),
        module_(manifest.python_module.value) {}

  // Nothing for what is no function of one signature.
  const std::optional<Signature> &of(const std::string &name) {
    const auto [it, fresh] = known_.try_emplace(name);
    if (fresh) it->second = find(is_folder(folder_) ? folder_ + "/__init__.py" : folder_ + ".py", name, 0);
    return it->second;
  }

private:
  struct File {
    Store store;
    htp_node root = HTP_NONE;
  };
  const File &read(const std::string &path) {
    const auto [it, fresh] = files_.try_emplace(path);
    if (!fresh) return *it->second;
    it->second = std::make_unique<File>();
    Diagnostics none;
    if (auto text = read_file(path, 1u << 24))
      it->second->root = parse_tree(std::make_shared<SourceFile>(path, std::move(*text)), none, it->second->store);
    return *it->second;
  }
  std::optional<Signature> find(const std::string &path, const std::string &name, int depth) {
    const File &file = read(path);
    if (!file.root || depth > 8) return std::nullopt;
    const Reader reader(file.store.abi());
    std::optional<Signature> found;
    size_t times = 0;
    for (const htp_node s : reader.get<sdk::ast::Module>(file.root).body()) {
      if (const auto f = reader.as<sdk::ast::FunctionDef>(s); f && f.name() == name) {
        found = ++times == 1 && keeps_signature(reader, f) ? std::optional(signature_of(reader, f)) : std::nullopt;
      } else if (const auto from = reader.as<sdk::ast::ImportFrom>(s);
                 from && from.module().starts_with(module_ + ".")) {
        std::string beside(from.module().substr(module_.size() + 1));
        std::ranges::replace(beside, '.', '/');
        for (const htp_node a : from.names()) {
          const auto alias = reader.get<sdk::ast::alias>(a);
          if ((alias.asname().empty() ? alias.name() : alias.asname()) == name && ++times == 1)
            found = find(folder_ + "/" + beside + ".py", std::string(alias.name()), depth + 1);
        }
      }
    }
    return times == 1 ? found : std::nullopt;
  }
  static bool keeps_signature(const Reader &reader, sdk::ast::FunctionDef f) {
    return std::ranges::all_of(f.decorator_list(), [&](htp_node d) {
      const auto call = reader.as<sdk::ast::Call>(d);
      const std::string name = reader.dotted(call ? call.func() : d);
      return name == "contextmanager" || name == "htp.intrinsic";
    });
  }
  static Signature signature_of(const Reader &reader, sdk::ast::FunctionDef f) {
    const auto a = reader.get<sdk::ast::arguments>(f.args());
    Signature s;
    for (const auto &list : {a.posonlyargs(), a.args()})
      for (const htp_node n : list) s.positional.emplace_back(reader.get<sdk::ast::arg>(n).arg());
    s.unnamed = a.posonlyargs().size();
    s.required = s.positional.size() - a.defaults().size();
    for (size_t k = 0; k < a.kwonlyargs().size(); ++k)
      s.by_name[std::string(reader.get<sdk::ast::arg>(a.kwonlyargs()[k]).arg())] = a.kw_defaults()[k] != HTP_NONE;
    s.any_positional = a.vararg() != HTP_NONE, s.any_by_name = a.kwarg() != HTP_NONE;
    return s;
  }

  std::string folder_, module_;
  std::map<std::string, std::unique_ptr<File>> files_;
  std::map<std::string, std::optional<Signature>> known_;
};

} // namespace

bool check_calls(const Store &store, htp_node module, const std::vector<const Manifest *> &manifests,
                 Diagnostics &diagnostics) {
  std::map<std::string, Definitions, std::less<>> modules;
  for (const Manifest *manifest : manifests)
    if (const std::string &name = manifest->python_module.value; !name.empty()) modules.try_emplace(name, *manifest);
  const Reader reader(store.abi());
  const std::vector<Imported> imports = imports_of(store, module);
  const size_t errors = diagnostics.errors();
  reader.each(module, [&](htp_node n) {
    const auto call = reader.as<sdk::ast::Call>(n);
    if (!call) return;
    const std::string name = qualified_name(store, imports, call.func());
    const size_t dot = name.find('.');
    const auto of = dot == std::string::npos ? modules.end() : modules.find(name.substr(0, dot));
    if (of == modules.end()) return;
    const std::optional<Signature> &signature = of->second.of(name.substr(dot + 1));
    const std::string why = signature ? unfitting(reader, call, *signature) : std::string();
    if (!why.empty()) diagnostics.report(diag::pipeline_arguments, store.span(n), unparse(*store.abi(), n), why);
  });
  return diagnostics.errors() == errors;
}

} // namespace htp
