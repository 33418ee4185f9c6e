// host/manifest/reference.h — what the table of fields says, for tools and people.
#pragma once

#include <string>

namespace htp {

// JSON Schema (draft 7) of a plugin's manifest and of a profile: manifests/schema/{plugin,profile}.schema.json.
std::string manifest_schema();
std::string profile_schema();

// docs/reference/manifest.md
std::string manifest_markdown();

} // namespace htp
