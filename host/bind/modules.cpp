#include "host/bind/modules.h"

#include "host/base/fs.h"
#include "host/load/identity.h"

namespace htp {

std::vector<std::string> modules_of(std::set<std::string> wanted, const Inputs &inputs, const Manifest *binding,
                                    Diagnostics &diagnostics) {
  std::vector<std::string> folders;
  if (const std::string file = own_file(); !file.empty()) {
    const std::string folder = file.substr(0, file.rfind('/'));
    for (const char *within : {"/../python", "/htp/python", "/../lib/htp/python", "/python3/dist-packages",
                               "/../python3/dist-packages", "/../lib/python3/dist-packages"})
      if (exists(folder + within + "/htp/__init__.py")) folders.push_back(folder + within);
  }
  if (binding) wanted.insert(binding->id.value);
  for (const Manifest &plugin : inputs.manifests) // of several of one id the first
    if (wanted.erase(plugin.id.value) && !plugin.python_path.value.empty() &&
        (&plugin == binding || inputs.admits_python(plugin, diagnostics)))
      folders.push_back(join_path(plugin.folder, plugin.python_path.value));
  return folders;
}

std::vector<std::string> modules_of(const PackageManifest &package, const Inputs &inputs, const Manifest *binding,
                                    Diagnostics &diagnostics) {
  std::set<std::string> plugins;
  for (const auto &made : package.plugins) plugins.insert(made.id);
  return modules_of(std::move(plugins), inputs, binding, diagnostics);
}

} // namespace htp
