// host/load/manifest_cache.h — manifests that were read before, by their text: reading YAML costs a hundred times what
// this does.
#pragma once

#include "host/base/cache.h"
#include "host/manifest/manifest.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace htp {

// A manifest as bytes, without its text and its folder, and back. Nothing when the bytes are not such; safe on any.
std::string pack_manifest(const Manifest &manifest);
std::optional<Manifest> unpack_manifest(std::string_view bytes, const SourceRef &source);

// The manifests of some search folders, kept together in one entry of the content cache. Which of them counts is
// decided by the digest of the text that lies there now, so one that was changed is never taken for what it was; an
// entry that is damaged or another host's is absent.
class ManifestCache {
public:
  ManifestCache(const Cache *cache, const std::vector<std::string> &folders); // null: keeps nothing
  std::optional<Manifest> find(const SourceRef &source);
  void add(const Manifest &manifest); // one that reading had nothing to say about
  void save() const;                  // when what was asked for is not what is kept

private:
  const Cache *cache_;
  std::string key_, bytes_;
  std::unordered_map<std::string_view, std::string_view> kept_; // digest of the text → packed; into bytes_
  std::deque<std::string> made_;                                // packed here
  std::vector<std::pair<std::string, std::string_view>> seen_;  // what was asked for this time
  bool changed_ = false;
};

} // namespace htp
