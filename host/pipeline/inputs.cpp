#include "host/pipeline/inputs.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/suggest.h"
#include "host/load/discover.h"
#include "host/pipeline/context.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

namespace htp {

namespace {

std::string folder_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// A path written in the profile: relative to the profile.
std::string beside(const Profile &profile, const std::string &path) {
  return path.starts_with('/') ? path : profile.folder == "." ? path : join_path(profile.folder, path);
}

int find_build_id(struct dl_phdr_info *info, size_t, void *data) {
  const auto self = reinterpret_cast<uintptr_t>(&host_identity);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &p = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    ours |= p.p_type == PT_LOAD && self >= begin && self < begin + p.p_memsz;
  }
  if (!ours) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &p = info->dlpi_phdr[i];
    if (p.p_type != PT_NOTE) continue;
    const char *at = reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr), *end = at + p.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note, *bytes = name + ((note.n_namesz + 3) & ~3u);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        auto &id = *static_cast<std::string *>(data);
        for (unsigned k = 0; k < note.n_descsz; ++k) {
          constexpr char digits[] = "0123456789abcdef";
          id += digits[static_cast<unsigned char>(bytes[k]) >> 4];
          id += digits[bytes[k] & 15];
        }
        return 1;
      }
      at = bytes + ((note.n_descsz + 3) & ~3u);
    }
  }
  return 1;
}

bool fits(const OptionDecl &decl, const std::string &value) {
  const char *begin = value.data(), *end = begin + value.size();
  int64_t integer = 0;
  double number = 0;
  switch (decl.type) {
  case OptionDecl::Type::integer: return std::from_chars(begin, end, integer).ptr == end && !value.empty();
  case OptionDecl::Type::number: return std::from_chars(begin, end, number).ptr == end && !value.empty();
  case OptionDecl::Type::boolean: return value == "true" || value == "false";
  case OptionDecl::Type::string: return true;
  }
  return false;
}

std::string_view type_words(OptionDecl::Type type) {
  switch (type) {
  case OptionDecl::Type::integer: return "an int";
  case OptionDecl::Type::number: return "a number";
  case OptionDecl::Type::boolean: return "`true` or `false`";
  case OptionDecl::Type::string: return "a string";
  }
  return "";
}

} // namespace

std::string host_identity() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  return id.empty() ? HTP_VERSION : HTP_VERSION " " + id;
}

std::vector<std::string> default_search() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0) return {};
  const std::string prefix = folder_of(folder_of(std::string(path, static_cast<size_t>(size)))); // above bin/
  std::vector<std::string> result;
  for (const char *place : {"/plugins", "/lib/htp/plugins"})
    if (is_folder(prefix + place)) result.push_back(prefix + place);
  return result;
}

Universe Inputs::universe() const {
  Universe result;
  result.sdk = &sdk_manifest();
  for (const Manifest &manifest : manifests) {
    Candidate candidate;
    candidate.manifest = &manifest;
    for (uint32_t k = 0; k < search.size(); ++k)
      if (manifest.folder == search[k] || manifest.folder.starts_with(search[k] + "/")) {
        candidate.folder = k;
        break;
      }
    result.plugins.push_back(std::move(candidate));
  }
  return result;
}

std::vector<const Manifest *> Inputs::all() const {
  std::vector<const Manifest *> result{&sdk_manifest()};
  for (const Manifest &manifest : manifests) result.push_back(&manifest);
  return result;
}

std::optional<Inputs> gather(const CompileRequest &request, bool need_program, Diagnostics &diagnostics) {
  Inputs inputs;
  if (!request.profile.empty()) {
    auto text = read_file(request.profile, 1u << 20);
    if (!text) {
      diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
      return std::nullopt;
    }
    inputs.files.push_back({request.profile, "profile", sha256(*text)});
    auto profile = read_profile(std::make_shared<SourceFile>(request.profile, std::move(*text)), diagnostics);
    if (!profile) return std::nullopt;
    inputs.profile = std::move(*profile);
    inputs.profile.folder = folder_of(request.profile);
  }
  const auto search = [&](const std::string &folder) {
    for (const std::string &known : inputs.search)
      if (known == folder) return;
    inputs.search.push_back(folder);
  };
  for (const Text &folder : inputs.profile.search) search(beside(inputs.profile, folder.value));
  for (const std::string &folder : request.plugin_path) search(folder);
  for (const std::string &folder : default_search()) search(folder);
  inputs.manifests = discover(inputs.search, diagnostics);
  for (const Manifest &manifest : inputs.manifests)
    inputs.files.push_back({manifest.source->path, "plugin-manifest", sha256(manifest.source->text)});

  inputs.program = inputs.profile.program;
  if (!inputs.program.value.empty()) inputs.program.value = beside(inputs.profile, inputs.program.value);
  if (!request.program.empty()) inputs.program = {request.program, {}};
  inputs.entry = request.entry.empty() ? inputs.profile.entry : Text{request.entry, {}};
  inputs.set = inputs.profile.set;
  for (const auto &[name, value] : request.set) inputs.set[name] = {value, {}};
  if (need_program && inputs.program.value.empty() && request.from_stage.empty()) {
    diagnostics.report(diag::pipeline_no_program, {})
        .hint("for instance: htp-host --plugins manifests/cpu.yaml compile examples/gemm/gemm.py");
    return std::nullopt;
  }
  if (need_program && inputs.profile.target.value.empty()) {
    diagnostics
        .report(diag::pipeline_no_target, Span{inputs.profile.source, 0, 0, 0, 0},
                request.profile.empty() ? "(none)" : request.profile)
        .hint(request.profile.empty() ? "give a profile: `--plugins manifests/cpu.yaml`" : "add `target: cpu`");
    return std::nullopt;
  }
  return inputs;
}

ContextSettings settings_for(const Inputs &inputs, const Resolution &resolution, const std::string &entry,
                             Diagnostics &diagnostics) {
  ContextSettings settings;
  settings.target = inputs.profile.target.value;
  settings.entry = entry;
  settings.seed = inputs.profile.seed;
  for (const Text &name : inputs.profile.environment) settings.environment.insert(name.value);
  settings.read_folder = folder_of(inputs.program.value);
  std::map<std::string, const Unit *> units;
  for (const ChosenUnit &chosen : resolution.units) {
    units[chosen.unit->name.value] = chosen.unit;
    for (const OptionDecl &decl : chosen.unit->options)
      settings.options[chosen.unit->name.value][decl.name.value] = decl.default_value;
  }
  for (const auto &[name, values] : inputs.profile.options) {
    const auto unit = units.find(name);
    for (const auto &[option, value] : values) {
      if (unit == units.end()) {
        diagnostics.report(diag::pipeline_option_unit, value.span, name);
        continue;
      }
      const OptionDecl *decl = nullptr;
      std::vector<std::string> known;
      for (const OptionDecl &d : unit->second->options) {
        known.push_back(d.name.value);
        if (d.name == option) decl = &d;
      }
      if (!decl) {
        Diagnostic &d = diagnostics.report(diag::pipeline_bad_option, value.span, name, option);
        if (const auto near = did_you_mean(option, known); !near.empty())
          d.hint("did you mean `" + std::string(near) + "`?");
      } else if (!fits(*decl, value.value)) {
        diagnostics.report(diag::pipeline_option_type, value.span, option, name, type_words(decl->type), value.value)
            .label(decl->name.span, "declared here");
      } else {
        settings.options[name][option] = value.value;
      }
    }
  }
  if (resolution.backend)
    for (const auto &[path, value] : resolution.backend->hardware) settings.hardware[path] = value.value;
  for (const auto &[path, value] : inputs.profile.hardware) settings.hardware[path] = value.value;
  return settings;
}

} // namespace htp
