#include "simulated.h"

#include "host/load/discover.h"

#include <htp/htp.h>

#include <filesystem>
#include <stdexcept>

namespace htp::test {

namespace {

struct Found {
  std::vector<Manifest> manifests;
  std::vector<LoadedPlugin> loaded;
  const Unit *unit = nullptr;
  const htp_binding *binding = nullptr;
};

const Found &found() {
  static const Found all = [] {
    Found f;
    Diagnostics diagnostics;
    f.manifests = discover({HTP_BINARY_DIR "/plugins/binding-a2a3sim"}, diagnostics);
    std::vector<const Manifest *> wanted;
    for (const Manifest &m : f.manifests) wanted.push_back(&m);
    LoadOptions options;
    options.from = LoadOptions::From::path;
    f.loaded = load_plugins(wanted, options, diagnostics);
    if (f.loaded.size() != 1) throw std::runtime_error("the plugin cannot be loaded");
    f.unit = &f.loaded[0].manifest().units[0];
    f.binding = static_cast<const htp_binding *>(f.loaded[0].interface(UnitKind::binding, f.unit->name.value));
    return f;
  }();
  return all;
}

Cache &cache() {
  static const TemporaryFolder folder = *TemporaryFolder::make();
  static Cache c(folder.path() + "/cache");
  return c;
}

ContextSettings settings() {
  ContextSettings s;
  for (const OptionDecl &o : found().unit->options) s.options[found().unit->name.value][o.name.value] = o.default_value;
  s.any_environment = true;
  return s;
}

} // namespace

Simulated::Simulated(const std::string &name) : name_(name), ctx_(store_, diagnostics, cache(), settings()) {
  const std::filesystem::path root = HTP_SOURCE_DIR "/tests/binding-a2a3sim/packages";
  const bool compiled = std::filesystem::path(name).is_absolute();
  const std::filesystem::path folder_of = compiled ? std::filesystem::path(name) : root / name;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_of))
    if (entry.is_regular_file())
      files[(compiled ? "" : "codegen/a2a3/") + std::filesystem::relative(entry.path(), folder_of).string()] =
          *read_file(entry.path().string());
  if (!compiled) {
    files["codegen/a2a3/kernels/htp_kernel.h"] = *read_file((root / "htp_kernel.h").string());
    files["manifest.json"] = "{}";
  }
  ctx_.settings.read = [this](const std::string &path) -> Expected<std::string, IoError> {
    const auto at = files.find(path);
    if (at != files.end()) return at->second;
    return Unexpected{IoError{path, "the package has no such file"}};
  };
}

Simulated::~Simulated() {
  if (loaded_) found().binding->unload(loaded_);
}

Simulated &Simulated::change(const std::string &file, const std::string &from, const std::string &to) {
  std::string &text = files.at("codegen/a2a3/" + file);
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::runtime_error("`" + from + "` stands not just once in " + file);
  text.replace(at, from.size(), to);
  return *this;
}

Simulated &Simulated::option(const std::string &name, const std::string &value) {
  ctx_.settings.options[found().unit->name.value][name] = value;
  return *this;
}

void Simulated::enter() { ctx_.enter(*found().unit, HTP_NONE); }

bool Simulated::validate() {
  enter();
  return found().binding->validate(&host_table(), &ctx_) == HTP_OK;
}

bool Simulated::build() {
  if (!validate()) return false;
  enter();
  htp_str built{};
  if (found().binding->build(&host_table(), &ctx_, &built) != HTP_OK) return false;
  folder.assign(built.data, built.size);
  return true;
}

bool Simulated::run(const std::vector<htp_argument> &arguments, const htp_trace_sink *sink, const std::string &entry) {
  if (!loaded_) {
    if (!build()) return false;
    enter();
    if (found().binding->load(&host_table(), &ctx_, {folder.data(), folder.size()}, &loaded_) != HTP_OK) return false;
  }
  const std::string wanted = !entry.empty() ? entry : name_ == "vector_add" ? "add" : name_;
  enter();
  const auto count = static_cast<uint32_t>(arguments.size());
  const size_t errors = diagnostics.errors();
  const htp_status status = sink ? found().binding->trace(&host_table(), &ctx_, loaded_, {wanted.data(), wanted.size()},
                                                          arguments.data(), count, sink)
                                 : found().binding->run(&host_table(), &ctx_, loaded_, {wanted.data(), wanted.size()},
                                                        arguments.data(), count);
  if ((status == HTP_OK) != (diagnostics.errors() == errors))
    throw std::runtime_error("status and diagnostics disagree");
  return status == HTP_OK;
}

std::string Simulated::said() const {
  std::string text;
  for (const Diagnostic &d : diagnostics.list()) {
    text += d.code + ": " + d.message + "\n";
    for (const std::string &note : d.notes) text += "  note: " + note + "\n";
    for (const std::string &hint : d.hints) text += "  hint: " + hint + "\n";
  }
  return text;
}

} // namespace htp::test
