// plugins/backend-cpu/binding/signature.h — what a package says of itself: its entries and its recipe, read and
// checked.
#pragma once

#include "cpu.h"

#include "htp_cpp/ints.h"

#include <map>
#include <string>
#include <vector>

namespace htp::cpu::bind {

struct Parameter {
  std::string name;
  std::vector<sdk::MaybeInt> extents; // nothing of one that gives no dim its size
  std::vector<std::string> steps;     // along each dimension: the dim that one gives its value, or nothing
  bool stored = false;                // its storage is handed over, an array of one dimension
};
// What a kernel checks as it runs: where it stands in the last stage, by number, and what of.
struct Check {
  std::string what, tensor;
  int64_t dimension = -1;
  uint32_t node = 0, statement = 0;
};
// An instance of a process, in the order in which they begin; and where one waits for a channel. Nodes by their number.
struct Instance {
  std::string name;
  uint32_t node = 0;
};
struct Site {
  std::string waits, channel;
  std::vector<int64_t> array; // of channels
  uint32_t node = 0;
};
// The instances that use a channel, by their number.
struct ChannelEnds {
  std::vector<size_t> writers, readers;
};
struct Entry {
  std::string name, call;
  std::string why;    // what says which check failed; older packages have none
  std::string traced; // of a pipeline, the call that tells what it waited for; older packages have none
  std::vector<Check> checks;
  std::vector<Instance> instances;
  std::vector<Site> sites;
  std::map<std::pair<std::string, int64_t>, ChannelEnds> ends; // by channel and lane: of what may get stuck
  std::vector<std::string> dims;
  std::vector<Parameter> parameters;
};
struct Recipe {
  std::vector<std::string> compilers, flags, optional, libraries, sources, compile;
  std::string output;
};

// A file of the package; empty after a diagnostic.
bool read_file(const Context &c, const std::string &path, std::string &bytes);
bool read_signature(const Context &c, std::vector<Entry> &entries);
bool read_recipe(const Context &c, Recipe &recipe);

} // namespace htp::cpu::bind
