// host/base/unfinished.h — files and folders that are being written and are not yet what was asked for: who ends the
// process in the middle removes them.
#pragma once

#include <string>
#include <utility>

namespace htp {

// From here to the end of its life a path is unfinished. Whoever has it removes or renames what stands there before it
// goes. Make the path and this with signals held (signals.h), or an interrupt between the two leaves it.
class Unfinished {
public:
  Unfinished() = default;
  explicit Unfinished(const std::string &path);
  Unfinished(Unfinished &&other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  Unfinished &operator=(Unfinished &&other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~Unfinished();

private:
  struct Entry;
  friend void remove_unfinished() noexcept;
  Entry *entry_ = nullptr;
};

// Removes all that this process has unfinished; a copy of it that was forked has nothing. Only for who ends the process
// next, a signal handler too: a thread that would begin something from here on waits for the end.
void remove_unfinished() noexcept;

} // namespace htp
