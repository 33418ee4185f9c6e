// host/check/watch.h — what of a process a call may not change, compared before and after.
#pragma once

#include "host/check/table.h"

#include <memory>
#include <string>
#include <vector>

namespace htp {

class Watch {
public:
  Watch(); // looks at the process as it is now
  struct Change {
    CheckId check;
    std::string what, expected, found;
  };
  // What is different since.
  std::vector<Change> changes() const;

private:
  struct Fact {
    CheckId check;
    std::string what, value;
  };
  static std::vector<Fact> look();
  std::vector<Fact> before_;
};

// The same, to go back to: what a call changed hides what the next one changes.
class Baseline {
public:
  Baseline(); // the process as it is now
  ~Baseline();
  Baseline(const Baseline &) = delete;
  Baseline &operator=(const Baseline &) = delete;
  void restore() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

// Bytes that the process has allocated and not freed; 0 when that cannot be told.
size_t allocated_bytes();
// The most memory that the process ever had, in bytes.
size_t peak_memory();

} // namespace htp
