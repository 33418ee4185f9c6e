// host/base/running.h — whose code a thread runs: for who must tell of a process that ends in it.
#pragma once

#include <string>

#include <unistd.h>

namespace htp {

// From here to the end of the scope a unit of a plugin runs in this thread. Scopes nest; the texts outlive them.
class Running {
public:
  Running(const std::string &of_plugin, const std::string &of_unit)
      : plugin_(of_plugin), unit_(of_unit), before_(now_) {
    now_ = this;
  }
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;
  ~Running(); // back in the folder that relative paths are from

  // The innermost of this thread; null where the host's own code runs.
  static const Running *now() { return now_; }
  const std::string &plugin() const { return plugin_; }
  const std::string &unit() const { return unit_; }
  // Whether this is another process than the one that it began in: the unit forked, and both came back.
  bool is_copy() const { return ::getpid() != process_; }

private:
  static thread_local constinit const Running *now_;
  const std::string &plugin_, &unit_;
  const pid_t process_ = ::getpid();
  const Running *before_;
};

} // namespace htp
