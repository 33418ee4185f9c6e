// fixture.h — the fixtures of tests/fixtures/plugins, by name.
#pragma once

#include "host/base/fs.h"
#include "host/load/plugin.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <string>

namespace htp {

inline std::string fixture_folder(const std::string &name) {
  return std::string(HTP_BINARY_DIR) + "/fixtures/plugins/" + name;
}

inline Manifest manifest_in(const std::string &folder) {
  const std::string path = folder + "/htp-plugin.yaml";
  auto text = read_file(path);
  EXPECT_TRUE(text) << path;
  Diagnostics diagnostics;
  auto manifest = read_manifest(std::make_shared<SourceFile>("htp-plugin.yaml", text ? *text : ""), diagnostics);
  for (const Diagnostic &d : diagnostics.list()) ADD_FAILURE() << d.code << ": " << d.message;
  if (!manifest) return {};
  manifest->folder = folder;
  return std::move(*manifest);
}
inline Manifest fixture(const std::string &name) { return manifest_in(fixture_folder(name)); }

// "LINE code: message", with notes and hints beneath.
inline std::string text(const Diagnostics &diagnostics) {
  std::string result;
  for (const Diagnostic &d : diagnostics.list()) {
    result += (d.span ? std::to_string(d.span.line) + " " : "") + d.code + ": " + d.message + "\n";
    for (const std::string &note : d.notes) result += "  note: " + note + "\n";
    for (const std::string &hint : d.hints) result += "  hint: " + hint + "\n";
  }
  return result;
}

// The dynamic symbol `htp_plugin_entry` of a library, by its sections.
inline Elf64_Sym *entry_symbol(std::string &bytes) {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(bytes.data());
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(bytes.data() + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    auto *symbols = reinterpret_cast<Elf64_Sym *>(bytes.data() + sections[i].sh_offset);
    const char *names = bytes.data() + sections[sections[i].sh_link].sh_offset;
    for (uint64_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); ++k)
      if (std::string_view(names + symbols[k].st_name) == "htp_plugin_entry") return &symbols[k];
  }
  ADD_FAILURE() << "no htp_plugin_entry";
  return nullptr;
}

inline std::vector<LoadedPlugin> load(const Manifest &manifest, const LoadOptions &options, Diagnostics &diagnostics) {
  const Manifest *const one[] = {&manifest};
  return load_plugins(one, options, diagnostics);
}

} // namespace htp
