// host/manifest/reference.h — what the table of fields says, for tools and people.
#pragma once

#include <string>

namespace htp {

// JSON Schema (draft 7) of a plugin's manifest, of a profile and of a lock file:
// manifests/schema/{plugin,profile,lock}.schema.json.
std::string manifest_schema();
std::string profile_schema();
std::string lock_schema();
std::string policy_schema();
std::string change_policy_schema();

// docs/reference/manifest.md
std::string manifest_markdown();

} // namespace htp
