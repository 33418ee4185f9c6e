// host/base/cache.h — the content cache: what was computed before, by the SHA-256 of all it was computed from. Losing
// it, in whole or in part, costs time and nothing else: no call fails, an entry that is unreadable or damaged is
// absent. Safe between processes and threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace htp {

class Cache {
public:
  // $HTP_CACHE (a folder, or `off`), else $XDG_CACHE_HOME/htp, else ~/.cache/htp. A folder that cannot be written, is
  // another user's or can be written by every user is off. So is it in a privileged process (environment.h).
  static Cache from_environment();
  static Cache off();
  explicit Cache(std::string folder);
  Cache(Cache &&) noexcept;
  Cache &operator=(Cache &&) noexcept;
  ~Cache(); // removes the folders that were asked for and not kept

  bool enabled() const;
  const std::string &path() const; // empty when off

  // Keys are 64 hex digits (sha256).
  std::optional<std::string> get(std::string_view key) const;
  void put(std::string_view key, std::string_view bytes) const;

  // A folder for `key`, at a path that stays the same after `keep`. When it is `fresh` it is empty and this Cache's
  // alone: fill it, then `keep` it; else it holds, unchanged, what was kept. Off, or while another process fills the
  // same key, it is a private one that goes with this object. Nothing when no folder can be made at all.
  struct Folder {
    std::string path;
    bool fresh;
  };
  std::optional<Folder> folder(std::string_view key);
  bool keep(std::string_view key); // false: no such folder is open

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace htp
