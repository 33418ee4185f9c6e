// plugins/backend-a2a3/analyses/turns.h — the instructions of a program, and the turn of each: on vector and on cube
// cores.
#pragma once

#include "analyses/program.h"

#include <span>

namespace htp::a2a3 {

constexpr int unset = -1;

struct Item {
  enum class Kind : uint8_t { tile, instruction, loop, integer, branch } kind;
  Node node = HTP_NONE;
  size_t parent = 0, place = 0;  // the loop or branch around it, and where in its body
  std::vector<size_t> body = {}; // loop, branch
  size_t what = 0;               // of a tile or an instruction
  Node range = HTP_NONE;         // loop: tiles(…) or range(…)
  std::string variable = {};     // loop
  bool blocks = false;           // loop over tiles(…)
  bool otherwise = false;        // branch: the `else` of the one before
};

struct Value {
  std::string name;
  Node dtype = HTP_NONE;
  std::string element; // the name of the dtype
  std::vector<Node> extents;
  size_t item = 0;
  std::vector<size_t> writers, readers; // instructions that are not dropped
  int turn = unset;                     // in which it is made
  bool multiplied = false;              // by a product, whose core only loads
  // Between kernels: its tensor, and the index of its place there.
  std::string memory;
  std::vector<std::string> dims, index;
  size_t crosses = SIZE_MAX; // where in the body that it is declared in the first one stands that needs it from there
};

struct Instruction {
  std::string name; // "tload"
  Node call = HTP_NONE;
  std::vector<Node> operands;
  size_t item = 0;
  size_t writes = SIZE_MAX, work = SIZE_MAX;
  std::vector<size_t> reads;
  std::string tensor; // of a load or a store
  int turn = unset;
  bool dropped = false;
  size_t product = SIZE_MAX; // in whose kernel it stands: the zeros that it adds to, or a cast of its result
  bool multiplies() const { return name == "tmatmul" || name == "tmatmul_acc"; }
};

// What a product multiplies: what moves, casts and transposes make of a value.
struct MatrixOperand {
  size_t value = SIZE_MAX;
  std::vector<size_t> way = {}; // these instructions, in order
};

class TurnFinder {
public:
  TurnFinder(const Context &context, Node root, Node function)
      : c(context), names_(context, root), constants_(context, root), function_(function) {}

protected:
  // Reads the function, and finds the turn of each instruction and what lies between kernels; false after a report.
  bool find();
  bool refuse(Node where, const Refusal &why) const;
  static bool floats(std::string_view dtype) { return dtype == "f16" || dtype == "bf16"; }

  // ── reading ──

  void read(Nodes statements, size_t parent);
  void read_branch(Node s, size_t parent);
  size_t declare(ast::Assign a, size_t item);
  size_t value_of(Node n) const;
  size_t instruction(Node call, size_t item);

  void uses();

  // ── what products make of it ──

  // The loops from an item outwards, up to the one whose body holds `outermost`.
  std::vector<size_t> loops_around(size_t item, size_t outermost) const;
  bool within(size_t item, size_t loop) const;
  bool is_zero(const Instruction &i) const;
  // The index in the body of `loop` (or of the function) that an item is in.
  size_t place_in(size_t item, size_t loop) const;

  // Whether a product that adds to a tile may do so in the accumulator: what it adds to is zero before the loops around
  // it, and read behind them.
  bool adds_up(size_t product) const;
  // What writes the sum of a product beside it; SIZE_MAX: not one instruction.
  size_t zero_of(size_t product) const;
  // Products that add up in the accumulator; false after a report of one that does not.
  bool sums();

  bool same(const Value &a, const Value &b) const; // in dtype and extents
  MatrixOperand operand_of(size_t v, bool casts) const;
  // What each product multiplies, before casts that lose nothing and transposes.
  void factors();
  // f32 sums that only leave for f16 or bf16 are converted by the store.
  void casts_of_results();
  // What the vector cores cannot cast, and no product takes as it is.
  void casts();
  // What nobody reads any more.
  void drop();

  // ── turns ──

  bool feeds_itself(Node where);
  // The indices of a load or a store.
  static std::span<const Node> index_of(const Instruction &i) { return std::span(i.operands).subspan(2); }
  // Whether a variable, or that of a loop over blocks of its blocks, is an index by itself.
  bool indexes(Node index, const std::string &variable) const;
  // Whether a tensor is stored before it is loaded, also when loops are cut in between: in the loops that are around
  // both, all of it is indexed by their variables.
  bool stored_first(const std::string &tensor) const;
  // The turn in which a tensor is complete; unset where nobody writes it.
  int complete(const std::string &tensor) const;

  // Made anew wherever it is needed: a load of what is complete, or a number.
  bool anywhere(const Value &v) const;
  bool turns();
  // What is made of what is anywhere alone waits until it is needed.
  void later();
  bool loaded(const std::string &tensor) const;

  // ── what lies between kernels ──

  bool memories();
  std::string extent_text(Node n) const;
  // The extent that a block is of: of the dimension that the outermost of the loops over it runs along.
  std::string whole_of(const std::string &block) const;
  // How often a loop over a range goes round at most; empty: only known when the program runs.
  std::string most_rounds(const Item &loop) const;
  bool between(Value &v);

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  bool single_ = false;     // the function is one kernel as it is, of vector cores
  std::vector<Item> items_; // the first is the function
  std::vector<Value> values_;
  std::vector<Instruction> instructions_;
  std::map<std::string, size_t, std::less<>> by_name_, loops_;
  std::set<std::string, std::less<>> integers_;       // that are computed
  std::set<std::string, std::less<>> stored_, first_; // first_: and loaded only then
  std::vector<Node> buffers_;
  std::map<size_t, std::pair<MatrixOperand, MatrixOperand>> operands_;
};

} // namespace htp::a2a3
