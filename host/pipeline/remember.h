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

// The package compiled under `key`, when every file it read (or looked for) is still the same.
std::optional<PackageDraft> recall(const Cache &cache, const std::string &key);
// `inputs` are what the compile read and looked for, `files` what it published.
void remember(const Cache &cache, const std::string &key, const std::vector<InputFile> &inputs,
              const std::vector<PackageFile> &files, const std::string &manifest);

} // namespace htp
