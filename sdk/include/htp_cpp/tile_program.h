// htp_cpp/tile_program.h — a tile program read once: its tensors and tiles, and its statements in the order in which
// they run: loops, branches, ints and calls of intrinsics, each with what it reads and writes. A draft; of the SDK's
// library, `htp::lib`.
//
//   const auto program = read_tile_program(c, root, [&](Node where, const std::string &what) { … });
//   program->each([&](const TileStatement &s) { if (s.is(TileStatement::Kind::call)) … s.intrinsic->name … });
//
// It knows no set of intrinsics: what a call does follows from its declaration. One whose effects are "read" or "write"
// and whose first operand is a tensor reads or writes that tensor at its indices (`tile.load`, `tile.store`). One that
// writes and whose first operand is a tile writes that tile, and reads the tensor among its operands (`my.add(out, a,
// b)`, `my.load(out, x, i)`). One without effects that takes a dtype and extents, `my.buffer(f32, 8, 64)`, gives a tile
// of these. Any other binds its result to the statement's target. So the program may be of the tile language or of a
// target set, whose calls give tiles or write to them.
//
// A program that is spread over processes or cores has more: functions within the entry, `with`, and names of things
// that are neither tiles nor ints, as channels are. `open` reads these too.
#pragma once

#include "htp_cpp/constants.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// Ints of a program are over these symbols: dims, int parameters, loop variables and int names by their names; of a
// block `i` where it begins and how many indices it has.
inline std::string start_of(std::string_view block) { return std::string(block) + ".start"; }
inline std::string length_of(std::string_view block) { return "len(" + std::string(block) + ")"; }

// A parameter in memory. A scalar is a tensor of one element, without a direction.
struct TileTensor {
  std::string name, direction; // "In", "Out", "InOut", ""
  Type type;
  std::vector<IntExpr> extents;
  Node node = HTP_NONE;
};

// A name that stands for a tile. Its type is the one that its first binding spells.
struct TileValue {
  std::string name;
  Type type;
  std::vector<IntExpr> extents;
  Node node = HTP_NONE;      // the statement that binds it first
  size_t begin = 0, end = 0; // its live range: the positions of the first and the last statement that need its elements
  bool escapes = false;      // it is used outside of the block of statements that binds it first
};

// `for i in tiles(N, 64)`: `i.start` goes from `start` to `stop` by `step`, and `len(i)` is what is left, or `step`;
// with two more arguments, `my.blocks(N, 64, 3, 2)`, these are 2 blocks from the third on. `for p in range(a, b, 2)`:
// `p` does.
struct TileLoop {
  std::string name;
  bool blocks = false;
  bool other = false; // open: it goes through something else, which `forms.range` says
  IntExpr start, stop, step;
  LoopForms forms;
};

// What an index takes of one dimension of a tensor: `count` elements from `start` on, each `step` further.
struct TileIndex {
  Node node = HTP_NONE;
  bool other = false; // open: what `node` says, and nothing else is known
  IntExpr start, count;
  int64_t step = 1;
  bool whole = false;                 // all of the dimension
  std::string block;                  // whose indices it takes, moved and spread or not
  const TileValue *indices = nullptr; // data says which elements: a tile of integers; no start and count then
};

// One argument of a call; nothing of these where the parameter has none or it is something else: `node` says.
struct TileOperand {
  Node node = HTP_NONE; // 0: left out
  const TileValue *tile = nullptr;
  const TileTensor *tensor = nullptr;
  std::optional<Number> number; // a literal or a constant
  MaybeInt integer;             // of ints
  std::string object;           // open: the name of something else
};

// The test of a branch. A constant of the program is compared with 0.
struct TileTest {
  enum class Kind : uint8_t { compare, all, any, negation, other } kind = Kind::other;
  Node node = HTP_NONE;
  htp_op op = HTP_Eq;       // compare: of two ints
  IntExpr left, right;      // compare
  std::vector<TileTest> of; // all, any, negation
};

struct TileStatement {
  // Open: a function within another one, `with`, and what is none of these.
  enum class Kind : uint8_t { call, integer, loop, branch, function, scope, other } kind = Kind::call;
  Node node = HTP_NONE;
  size_t position = 0; // in program order; live ranges count by it
  // call
  Node call = HTP_NONE;
  const htp_intrinsic *intrinsic = nullptr;
  std::vector<TileOperand> operands;  // of the parameters in their order, without a `*rest`
  std::vector<Node> rest;             // of that
  const TileValue *result = nullptr;  // the tile that is bound or written
  bool binds = false;                 // the result is the statement's target, for the first time
  const TileTensor *tensor = nullptr; // that is loaded from, or stored to
  bool stores = false;
  std::vector<TileIndex> index;
  // integer: `q = N - p`; of a call the name that something else is bound to; of a function its own
  std::string name;
  IntExpr value;
  std::vector<std::string> parameters; // of a function
  // loop, branch
  TileLoop loop;
  TileTest test;
  std::vector<TileStatement> body, otherwise;

  bool is(Kind k) const { return kind == k; }
  // What stands behind the last dot of the intrinsic's own name: "mul".
  std::string_view intrinsic_name() const {
    const std::string_view own = intrinsic ? intrinsic->name : "";
    return own.substr(own.rfind('.') + 1);
  }
  // The operand of a parameter.
  const TileOperand &operand(std::string_view parameter) const;
  template <class F> void each(const F &f) const {
    f(*this);
    for (const TileStatement &s : body) s.each(f);
    for (const TileStatement &s : otherwise) s.each(f);
  }
};

struct TileProgram {
  std::string name;
  Node node = HTP_NONE;
  std::vector<std::string> dims;     // of the tensors' extents, by first occurrence
  std::vector<std::string> integers; // the parameters that are ints
  std::deque<TileTensor> tensors;
  std::deque<TileValue> values;
  std::vector<TileStatement> body;
  std::map<std::string, IntRange, std::less<>> ranges; // between what each symbol lies; of one that stands for several
                                                       // loops, for all of them

  template <class F> void each(const F &f) const {
    for (const TileStatement &s : body) s.each(f);
  }
  IntRange range_of(const std::string &symbol) const;
  bool is_dim(std::string_view symbol) const { return std::ranges::find(dims, symbol) != dims.end(); }

  TileProgram() = default;
  TileProgram(const TileProgram &) = delete; // statements refer to tensors and values
  TileProgram(TileProgram &&) = default;
  TileProgram &operator=(const TileProgram &) = delete;
  TileProgram &operator=(TileProgram &&) = default;
};

// Called once, with the first node that is not of the form, and what it is.
using NotOfForm = std::function<void(Node where, const std::string &what)>;

// Reads the entry of a module in which each statement does one thing, as it does from Tile.Typed on. `blocks` are the
// calls whose loops cut their first argument into blocks. Nothing after `no` was called.
std::optional<TileProgram> read_tile_program(const Context &c, Node root, const NotOfForm &no,
                                             std::vector<std::string> blocks = {"htp_tile.tiles"});

// The same of a program that may be spread over processes or cores. What has no form is left as `other`, for its reader
// to refuse: `no` is called for the entry's parameters alone. A name is what it was bound to last, in the function
// that it stands in: each binding of a tile is a value of its own. An attribute of something that is no block,
// `core.row`, is a symbol of that spelling.
std::optional<TileProgram> read_open_program(const Context &c, Node root, const NotOfForm &no,
                                             std::vector<std::string> blocks = {"htp_tile.tiles"});

} // namespace htp::sdk
