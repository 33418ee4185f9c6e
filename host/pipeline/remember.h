// host/pipeline/remember.h — the incremental compile: what a compile read and what came of it, kept in the content
// cache.
#pragma once

#include "host/base/cache.h"
#include "host/package/writer.h"
#include "host/pipeline/inputs.h"

#include <optional>

namespace htp {

// The key of everything known before anything is parsed: this host, the request, the profile, the program, the
// manifests.
std::string compile_key(const CompileRequest &request, const Inputs &inputs, const std::string &program_text);

struct Remembered {
  PackageDraft draft;
  std::string digest;
};
// The package compiled under `key`, when every file it read (or looked for) is still the same.
std::optional<Remembered> recall(const Cache &cache, const std::string &key);
void remember(const Cache &cache, const std::string &key, const std::vector<InputFile> &files,
              const PackageDraft &draft, const std::string &digest);

} // namespace htp
