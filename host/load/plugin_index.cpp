#include "host/load/plugin_index.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/access.h"
#include "host/load/discover.h"
#include "host/load/identity.h"
#include "host/load/manifest_bytes.h"

#include <fcntl.h>

#include <cstring>

namespace htp {

namespace {

constexpr const char *signature_name = "htp-plugin.sig";
constexpr size_t digest_size = 64;

// A record: name, then stamps (each a path and a Stamp's bytes), whether there is no signature, the text's digest, the
// text, the packed manifest. Texts have their size before them, names and paths a NUL behind them.
void put(std::string &to, std::string_view text) {
  const auto size = static_cast<uint32_t>(text.size());
  to.append(reinterpret_cast<const char *>(&size), sizeof size).append(text);
}

// Takes from the front. Nothing: there is no such.
std::optional<std::string_view> take(std::string_view &rest, size_t size) {
  if (size > rest.size()) return std::nullopt;
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}
std::optional<std::string_view> take(std::string_view &rest) {
  uint32_t size = 0;
  const auto bytes = take(rest, sizeof size);
  if (!bytes) return std::nullopt;
  std::memcpy(&size, bytes->data(), sizeof size);
  return take(rest, size);
}
std::optional<std::string_view> take_name(std::string_view &rest) {
  const size_t end = rest.find('\0');
  if (end == rest.npos) return std::nullopt;
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return name;
}

std::string beneath(const std::string &name, const std::string &path) {
  return name.empty() ? path : path.empty() ? name : name + "/" + path;
}

} // namespace

PluginIndex::PluginIndex(const Cache *cache, const std::string &folder, int64_t now)
    : cache_(cache && cache->enabled() ? cache : nullptr), folder_(folder), now_(now) {
  if (!cache_) return;
  at_ = Fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  keeps_times_ = keeps_times(at_);
  Sha256 key;
  key_ = key.add("htp.load.plugins/1\n").add(host_identity()).add("\n").add(absolute_path(folder)).hex();
  if (auto bytes = cache_->get(key_)) bytes_ = std::move(*bytes);
  for (std::string_view rest = bytes_, name; const auto entry = read(rest, name);) kept_.emplace(name, *entry);
}

std::optional<PluginIndex::Entry> PluginIndex::read(std::string_view &rest, std::string_view &name) {
  Entry entry;
  auto record = take(rest);
  if (!record) return std::nullopt;
  entry.record = *record;
  const auto named = take_name(*record), stamps = take(*record), unsigned_ = take(*record, 1),
             digest = take(*record, digest_size), text = take(*record), packed = take(*record);
  if (!packed) return std::nullopt; // nor what stands before it
  name = *named;
  entry.stamps = *stamps, entry.unsigned_ = unsigned_->front() == 1;
  entry.digest = *digest, entry.text = *text, entry.packed = *packed;
  return entry;
}

std::optional<Manifest> PluginIndex::unpack(const Entry &entry, const SourceRef &source) const {
  auto manifest = unpack_manifest(entry.packed, source);
  if (manifest) manifest->sha256 = entry.digest;
  return manifest;
}

std::optional<Manifest> PluginIndex::unchanged(const std::string &name) {
  const auto known = kept_.find(name);
  if (known == kept_.end() || known->second.stamps.empty() || !keeps_times_) return std::nullopt;
  const Entry &entry = known->second;
  for (std::string_view rest = entry.stamps; !rest.empty();) {
    struct stat file {};
    const auto path = take_name(rest), bytes = take(rest, sizeof(Stamp));
    if (!path || !bytes || ::fstatat(at_.get(), path->data(), &file, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    Stamp stamp;
    std::memcpy(&stamp, bytes->data(), sizeof stamp);
    if (stamp_of(file) != stamp || access_of(file) != Access::ours) return std::nullopt;
  }
  const std::string folder = name.empty() ? folder_ : join_path(folder_, name);
  auto manifest =
      unpack(entry, std::make_shared<SourceFile>(join_path(folder, manifest_name), std::string(entry.text)));
  if (!manifest) return std::nullopt;
  manifest->folder = folder;
  manifest->unsigned_ = entry.unsigned_;
  found_.push_back(entry.record);
  return manifest;
}

std::optional<Manifest> PluginIndex::of_text(const std::string &name, const SourceRef &source) const {
  const auto known = kept_.find(name);
  if (known == kept_.end() || known->second.digest != sha256(source->text)) return std::nullopt;
  return unpack(known->second, source);
}

// Empty: the stamps do not say that it is the same.
std::optional<std::string> PluginIndex::stamps(const std::string &name, const Manifest &manifest) const {
  if (!keeps_times_) return std::nullopt;
  std::vector<std::string> paths{beneath(name, ""), beneath(name, manifest_name)};
  if (name.empty()) paths.front() = ".";
  for (const Part &part : parts_of(manifest)) paths.push_back(beneath(name, part.path));
  std::string result;
  uint64_t device = 0;
  for (const std::string &path : paths) {
    struct stat file {};
    if (::fstatat(at_.get(), path.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) return std::nullopt;
      continue; // the stamp of the folder that it is not in says so
    }
    const Stamp stamp = stamp_of(file);
    if (S_ISLNK(file.st_mode) || !stamp.settled(now_) || (device && device != stamp.device)) return std::nullopt;
    device = stamp.device;
    result.append(path).append(1, '\0').append(reinterpret_cast<const char *>(&stamp), sizeof stamp);
  }
  return result;
}

void PluginIndex::keep(const std::string &name, const Manifest &manifest, bool parts) {
  if (!cache_) return;
  static_assert(std::has_unique_object_representations_v<Stamp>);
  std::string stamped = parts ? stamps(name, manifest).value_or("") : "";
  struct stat file {};
  const bool has_none = !stamped.empty() &&
                        ::fstatat(at_.get(), beneath(name, signature_name).c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0 &&
                        errno == ENOENT;
  std::string &record = made_.emplace_back(name);
  record += '\0';
  put(record, stamped);
  record += has_none ? '\1' : '\0';
  record += manifest.sha256;
  put(record, manifest.source->text);
  put(record, pack_manifest(manifest));
  found_.push_back(record);
  const auto known = kept_.find(name);
  changed_ |= known == kept_.end() || known->second.record != record;
}

void PluginIndex::save() const {
  if (!cache_ || (!changed_ && found_.size() == kept_.size())) return;
  std::string bytes;
  for (const std::string_view record : found_) put(bytes, record);
  cache_->put(key_, bytes);
}

} // namespace htp
