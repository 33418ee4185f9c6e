#include "host/python/sources.h"

#include "host/base/fs.h"

namespace htp {

std::vector<PythonSource> read_python(const Manifest &manifest) {
  std::vector<PythonSource> sources;
  const std::string &module = manifest.python_module.value;
  if (module.empty()) return sources;
  const std::string path = manifest.python_path.value == "." ? "" : manifest.python_path.value;
  const std::string folder = path.empty() ? manifest.folder : join_path(manifest.folder, path);
  const auto add = [&](const std::string &name) {
    PythonSource &source = sources.emplace_back(PythonSource{name, join_path(folder, name), {}, {}});
    if (auto text = read_file(source.path))
      source.text = std::move(*text);
    else
      source.why = text.error().reason;
  };
  if (const auto list = list_tree(join_path(folder, module))) {
    for (const FolderEntry &entry : *list)
      if (entry.name.ends_with(".py")) add(module + "/" + entry.name);
  } else {
    add(module + ".py");
  }
  return sources;
}

} // namespace htp
