// plugins/binding-aiesim/reader/module.h — a module of MLIR-AIE as data, read from its text.
#pragma once

#include "wrong.h"

#include "htp_cpp/layout/point.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::aiesim {

// Whether a loop of this many iterations is meant never to end.
constexpr bool is_endless(int64_t turns) { return turns > int64_t{1} << 40; }

// Of a buffer: the simulated machine allocates what a module declares.
inline constexpr int64_t most_elements = int64_t{1} << 34;

struct DType {
  std::string_view name; // "f32"
  size_t bytes;
  uint8_t code, bits; // DLPack's
};
const DType *dtype_named(std::string_view name);

struct Type { // memref<8x64xf32>
  std::vector<int64_t> extents;
  const DType *dtype = nullptr;
  std::string text;
  int64_t count() const; // of elements
  int64_t bytes() const { return count() * static_cast<int64_t>(dtype->bytes); }
};

struct Tile {
  std::string name;
  int64_t column = 0, row = 0;
  size_t line = 0;
  bool shim() const { return row == 0; }
  bool memory() const { return row == 1; }
  bool core() const { return row > 1; }
  std::string text() const { return "(" + std::to_string(column) + ", " + std::to_string(row) + ")"; }
};

struct Fifo {
  std::string name;
  size_t line = 0;
  size_t producer = 0; // a tile
  std::vector<size_t> consumers;
  std::vector<int64_t> depths; // the producer's, then each consumer's
  bool alike = false;          // one number is all that the module has of them
  Type type;
  std::vector<std::pair<int64_t, int64_t>> walk; // how the producer goes through a part: size, stride; none: in order
  int64_t joined = 1; // of how many others: each is sent by a descriptor of its own, which goes through it so
  int64_t sent_at_once() const { return type.count() / joined; }
  // The element of a part that is sent as the n-th.
  int64_t sent(int64_t n) const {
    if (walk.empty()) return n;
    int64_t at = n / sent_at_once() * sent_at_once();
    n %= sent_at_once();
    for (size_t k = walk.size(); k-- > 0; n /= walk[k].first) at += n % walk[k].first * walk[k].second;
    return at;
  }
};

struct Link {
  size_t line = 0;
  std::vector<size_t> sources, targets; // fifos
  std::vector<int64_t> offsets;         // one each of the several
  bool races = false;                   // what MLIR-AIE 2408 makes of several has one pair of locks for all
  bool joins() const { return sources.size() > 1; }
};

struct Port { // of a core
  size_t fifo = 0;
  bool produces = false;
};

struct Buffer {
  std::string name; // as an SSA value
  size_t tile = 0;
  Type type;
};

struct Core {
  size_t tile = 0, line = 0;
  std::string symbol, body; // the body in upstream dialects, with calls of a runtime
  std::vector<Port> ports;
};

struct External { // a function that an object brings
  struct Argument {
    std::optional<Type> tile; // else a number, `i32` or `f32`
    std::string number{};
    int64_t result = -1;  // that is left there
    std::string python{}; // its type there; empty for what a dimension is
  };
  std::string name, object;
  size_t line = 0;
  std::vector<Argument> arguments{};
  size_t parameters = 0; // in Python; 0: not known
};

struct Transfer {
  size_t line = 0, argument = 0, fifo = 0;
  std::array<int64_t, 4> offsets{}, sizes{}, strides{};
  int64_t descriptor = 0;
  bool token = false;
};
struct Order { // of the runtime sequence: a transfer begins, or a fifo's token is waited for
  std::optional<Transfer> transfer;
  size_t line = 0, fifo = 0;
};

struct Module {
  std::string device, entry; // the sequence's name
  int64_t columns = 0;
  std::vector<Tile> tiles;
  std::vector<Fifo> fifos;
  std::vector<Link> links;
  std::vector<Buffer> buffers;
  std::vector<Core> cores;
  std::string functions;
  std::vector<External> externals;
  std::vector<std::pair<std::string, Type>> arguments;
  std::vector<Order> sequence;
  std::vector<Type> views; // the types that cores see parts as; the runtime has a function for each
  std::string places;      // what the names of places stand for: `#n213 = loc("213"("program.py":21:13))`
};

// A statement of the last stage that a line of a module comes from.
struct Cited {
  size_t node = 0; // its number there
  std::string file;
  size_t line = 0;
};
std::optional<Cited> cited_at(const std::string &module, size_t line);
// What a tool says, where it names such a place.
std::optional<Cited> cited_in(const std::string &module, std::string_view message);

// Reads a module; throws Wrong.
Module read_module(const std::string &text);
// Whether the device has what the module asks for; throws Wrong.
void check_legal(const Module &module);
// All cores as one module of upstream dialects.
std::string cores_text(const Module &module);

} // namespace htp::aiesim
