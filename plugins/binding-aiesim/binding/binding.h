// plugins/binding-aiesim/binding/binding.h — a package of contract aie/1, and the verbs.
#pragma once

#include "machine/machine.h"

#include "htp/binding.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/plugin.h"

#include <span>

namespace htp::aiesim {

using namespace htp::sdk;

struct Parameter {
  std::string name, direction;
  const DType *dtype = nullptr;
  std::vector<int64_t> extents, padded; // not padded: no stream begins or ends at it, only at what is packed of it
  std::vector<int64_t> pieces;          // how many each dimension is cut into before it is padded
  std::string fill = "zeros";           // what the padding holds; or the `least` of the dtype, or the `greatest`
  std::optional<layout::Places> places; // of one that does not lie in rows: where its elements are
  bool as_it_lies = false;              // and whether the device sees it so
  std::vector<uint8_t> counted;         // of one that the host makes, 0, 1, 2 and so on: its elements
};
// Where the elements of a parameter lie in what the host packs: for each turn of some loops, outermost first, `step`
// further in one of its dimensions, or in none (-1), and `stride` further there.
struct Place {
  struct Along {
    int64_t size, dimension, step, stride;
  };
  size_t parameter = 0;
  int64_t at = 0;
  std::vector<Along> along;
};
struct Packed {
  std::string name;
  const DType *dtype = nullptr;
  std::vector<int64_t> extents;
  std::vector<Place> places;
};
struct Package {
  std::string entry, version, text; // MLIR-AIE's version that the text, aie.mlir, is for
  std::vector<Parameter> parameters;
  std::vector<size_t> handed; // those that the sequence takes, before what is packed
  std::vector<Packed> packed;
  Module module;
};

// Nothing after a report.
std::optional<Package> read_package(const Context &c);
Result build(const Context &c, htp_str *built);
// Nothing to do without HTP_AIE_OPT.
Result ask_peer(const Context &c, const Package &package);
// At the user's line that the line of the module's text comes from.
void report(const Context &c, const Wrong &wrong, const std::string &text);
// The same of what a tool wrote.
Node user_node(const std::optional<Cited> &place);
// The analysis aiesim.simulation.
Result simulate(const Context &c, Node root, const Sink &sink);
// The analysis aiesim.views.
Result views(const Context &c, Node root, const Sink &sink);

// Where the arguments lie, in the order of the parameters; nothing after a report.
std::optional<std::vector<void *>> addresses_of(const Context &c, const Package &package,
                                                std::span<const htp_argument> given);

// Room for the first calls of each function in C++, in memory that a child shares, and whether they gave what its
// Python body gives: reported where they did not.
class Compared {
public:
  Compared(const Package &package, int64_t calls);
  const std::vector<Calls> *calls() const { return shared_ ? &calls_ : nullptr; }
  bool agree(const Context &c) const;

private:
  const Package &package_;
  std::unique_ptr<Shared> shared_;
  std::vector<Calls> calls_;
};

struct Simulated {
  static Result validate(const Context &c);
  static Result build(const Context &c, htp_str &built);
  static Result load(const Context &c, std::string_view built, void *&loaded);
  static Result run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink);
  static void unload(void *loaded);
};

} // namespace htp::aiesim
