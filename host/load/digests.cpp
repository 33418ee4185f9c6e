#include "host/load/digests.h"

#include "host/base/hash.h"
#include "host/load/identity.h"

#include <algorithm>
#include <cstring>

namespace htp {

namespace {

constexpr size_t most_kept = 512; // libraries: the newest
constexpr size_t sha256_size = 64;
constexpr size_t kept_size = sizeof(Stamp) + sha256_size;

std::optional<Stamp> stamp_now(const Fd &file) {
  struct stat now {};
  return file && ::fstat(file.get(), &now) == 0 ? std::optional(stamp_of(now)) : std::nullopt;
}

} // namespace

FileDigests::FileDigests(const Cache *cache, int64_t now)
    : cache_(cache && cache->enabled() ? cache : nullptr), now_(now) {
  static_assert(std::has_unique_object_representations_v<Stamp>);
  if (!cache_) return;
  key_ = Sha256().add("htp.load.digests/1\n").add(host_identity()).hex();
  const auto bytes = cache_->get(key_);
  if (!bytes || bytes->size() % kept_size != 0) return;
  for (std::string_view rest = *bytes; !rest.empty(); rest.remove_prefix(kept_size)) {
    Entry &entry = entries_.emplace_back();
    std::memcpy(&entry.stamp, rest.data(), sizeof entry.stamp);
    entry.sha256 = rest.substr(sizeof(Stamp), sha256_size);
    if (!is_sha256(entry.sha256)) entries_.pop_back();
  }
}

std::optional<std::string> FileDigests::known(const Fd &file) const {
  const auto now = stamp_now(file);
  const auto found = now ? std::ranges::find(entries_, *now, &Entry::stamp) : entries_.end();
  return found == entries_.end() ? std::nullopt : std::optional(found->sha256);
}

void FileDigests::keep(const Fd &file, const Stamp &before, const std::string &sha256) {
  if (!cache_ || !before.settled(now_) || stamp_now(file) != before || !keeps_times(file)) return;
  std::erase_if(entries_, [&](const Entry &entry) {
    return entry.stamp.device == before.device && entry.stamp.inode == before.inode;
  });
  entries_.push_back({before, sha256});
  changed_ = true;
}

void FileDigests::save() const {
  if (!cache_ || !changed_) return;
  std::string bytes;
  for (size_t i = entries_.size() > most_kept ? entries_.size() - most_kept : 0; i < entries_.size(); ++i)
    bytes.append(reinterpret_cast<const char *>(&entries_[i].stamp), sizeof(Stamp)).append(entries_[i].sha256);
  cache_->put(key_, bytes);
}

} // namespace htp
