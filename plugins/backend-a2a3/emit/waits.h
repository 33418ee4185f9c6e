// plugins/backend-a2a3/emit/waits.h — which tasks a task waits for, and under which names an orchestration keeps them.
#pragma once

#include "emit.h"

namespace htp::a2a3 {

// `task`, or, of several kernels, `task_1`.
std::string task_of(const Program &p, size_t k);

// Tasks of the same iteration of their group's loops wait for each other, and of another group for all of a kernel. A
// kernel's tasks have one name where those that wait stand in the same loops; else there is a list of them, with a row
// for each iteration. What a task waits for by way of others is left out where these are there whenever both are: a
// loop that goes round no times has no tasks, and orders nothing.
class Waits {
public:
  Waits(const Ints &ints, const Program &program);

  struct Wait {
    size_t kernel;
    std::string task;  // with `n` for one of several
    std::string count; // how many; nothing: one
  };
  const std::vector<Wait> &of(size_t kernel) const { return waits_[kernel]; }
  bool awaited(size_t kernel) const { return kept_[kernel] != Kept::no; }
  // The list that a kernel's tasks are kept in: how many these are, and which one is added; it is made before the loops
  // of its group, or within them.
  struct List {
    std::string count, at;
    bool before_loops;
  };
  std::optional<List> list_of(size_t kernel) const;
  // All texts that say how many.
  std::string counts() const;

private:
  enum class Kept { no, name, list, list_of_all }; // within the loops of the group, or before them
  std::vector<size_t> needed(size_t kernel) const;
  bool runs(size_t group, std::initializer_list<size_t> whenever) const;
  bool never_negative(const MaybeInt &sum) const;
  std::string rounds(const PartOf &loop) const;
  std::string product(const std::vector<PartOf> &loops) const;
  std::string place(const std::vector<PartOf> &loops) const;

  const Ints &ints_;
  const Program &p;
  std::set<std::string, std::less<>> sizes_, begins_; // names that are not negative; and where tasks begin
  std::vector<Kept> kept_;
  std::vector<std::vector<Wait>> waits_;
};

} // namespace htp::a2a3
