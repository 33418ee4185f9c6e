// verify/verify.h — what must hold of a package's files, whatever wrote them: kernels and orchestrations are read as
// text and run on sizes of the verifier's own, without a compiler, and what the registry says of them must be so.
#pragma once

#include "tasks.h"

#include "cited.h"
#include "syntax.h"

#include <functional>
#include <map>
#include <set>

namespace htp::a2a3sim {

// Where a kernel puts its tiles and uses its flags, by line.
struct Found {
  struct Place {
    int line;
    Space space;
    uint64_t offset, bytes;
    auto operator<=>(const Place &) const = default;
  };
  struct Event {
    int from, to, id, line;
    bool set;
    auto operator<=>(const Event &) const = default;
  };
  struct Read { // of an argument
    int line;
    int64_t number;
    auto operator<=>(const Read &) const = default;
  };
  std::set<Read> reads;
  std::set<Place> places;
  std::set<Event> events;
};

// What a kernel is held against while it runs: the program's lines that it cites, and the extents of tensors by name,
// and of those that do not lie row-major how far elements lie apart along each dimension.
struct Wanted {
  const Cited &cited;
  const std::map<std::string, std::vector<int64_t>> &shapes, &steps;
};

// A kernel's text, run on a core. `values` are its arguments, tensors as addresses. Throws Fault.
void run_kernel(const Unit &unit, const std::string &path, Core &core, const std::vector<int64_t> &values, Found &found,
                const Wanted &wanted);

// An argument of the whole: memory, and its extents and dtype as the contracts count them.
struct Argument {
  uint8_t *data;
  std::vector<int64_t> shape;
  uint8_t data_type;
};
enum class Contract { host_build_graph_2026_03, tensormap_2026_03, submit_2026_08 };
// An orchestration's text, which gives tasks to the world. Throws Fault.
void run_orchestration(const Unit &unit, const std::string &path, const std::string &function, Contract contract,
                       const std::vector<Argument> &arguments, const std::vector<uint64_t> &dims,
                       const htp_sim::Orchestra &world);
// Whether one of host_build_graph tells by what it returns that memory, a task or an argument is missing. Throws Fault.
void reports_failures(const Unit &unit, const std::string &path, const std::string &function,
                      const std::vector<Argument> &arguments, const std::vector<uint64_t> &dims);

} // namespace htp::a2a3sim
