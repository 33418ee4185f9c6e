// host/load/manifest_bytes.h — a manifest as bytes: reading YAML costs a hundred times what reading these does.
#pragma once

#include "host/manifest/manifest.h"

#include <optional>
#include <string>
#include <string_view>

namespace htp {

// A manifest as bytes, without its text and what is known of its files, and back. Nothing when the bytes are not such;
// safe on any.
std::string pack_manifest(const Manifest &manifest);
std::optional<Manifest> unpack_manifest(std::string_view bytes, const SourceRef &source);

} // namespace htp
