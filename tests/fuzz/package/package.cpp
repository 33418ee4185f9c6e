// The package reader on any manifest.json beside a few small files. What it accepts it writes again the same; what it
// gives out lies beneath the package and is what the manifest promised; what it refuses it explains.
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/package/reader.h"

#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Made once: the files that the manifests of the corpus name, and one outside that none may reach.
const std::string &folder() {
  static const auto made = [] {
    auto temporary = htp::TemporaryFolder::make("htp-fuzz-package");
    require(static_cast<bool>(temporary), "a folder can be made");
    const std::string out = temporary->path() + "/out";
    require(!htp::make_folders(out + "/ir/stages/00-source") && !htp::make_folders(out + "/codegen/cpu"),
            "folders can be made");
    htp::write_file(out + "/ir/stages/00-source/program.py", "import htp\n");
    htp::write_file(out + "/codegen/cpu/kernel.c", "int x;\n");
    htp::write_file(out + "/ir/pass_trace.jsonl", "");
    htp::write_file(temporary->path() + "/secret", "secret");
    require(::symlink("../secret", (out + "/link").c_str()) == 0, "a link can be made");
    return std::pair(std::move(*temporary), out);
  }();
  return made.second;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  htp::Diagnostics diagnostics;
  const auto manifest = htp::package_manifest_from_json(text, "manifest.json", diagnostics);
  require(manifest.has_value() == (diagnostics.errors() == 0), "a refusal has a reason, an acceptance none");
  if (!manifest) return 0;
  const std::string json = htp::to_json(*manifest);
  htp::Diagnostics again;
  const auto reread = htp::package_manifest_from_json(json, "manifest.json", again);
  require(reread && htp::to_json(*reread) == json, "what was read is written and read again the same");

  htp::write_file(folder() + "/manifest.json", text);
  const auto package = htp::read_package(folder(), diagnostics);
  require(package.has_value() == (diagnostics.errors() == 0), "a refusal has a reason, an acceptance none");
  if (!package) return 0;
  require(package->digest == htp::sha256(text), "the digest is that of the manifest");
  require(package->files.size() == manifest->outputs.size(), "each output is there");
  for (const auto &output : manifest->outputs) {
    const std::string *bytes = package->file(output.path);
    require(bytes && bytes->size() == output.size && htp::sha256(*bytes) == output.sha256,
            "its bytes are those promised");
    require(bytes && bytes->find("secret") == std::string::npos, "nothing outside the package is read");
  }
  return 0;
}
