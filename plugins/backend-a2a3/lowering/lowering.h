// plugins/backend-a2a3/lowering/lowering.h — a call that makes a value, as instructions that write it to a tile.
#pragma once

#include "analyses/layouts.h"
#include "analyses/shapes.h"

#include "htp_cpp/decompose.h"
#include "htp_cpp/edit.h"

#include <functional>
#include <map>

namespace htp::a2a3 {

enum class Form : uint8_t {
  binary,
  bits,
  buffer,
  cast,
  compare,
  cosine,
  divide,
  erf,
  fill,
  gather,
  iota,
  largest,
  load,
  power,
  product,
  reduce,
  relayout,
  reshape,
  restated,
  round,
  scan,
  shift,
  sigmoid,
  sine,
  store,
  tanh,
  transpose,
  unary,
  value,
  where
};
struct Row {
  Form form;
  std::string_view instruction;
};

class Lowering {
public:
  Lowering(const Context &context, const htp_handler &handler, const htp_handler_call &request)
      : c(context), handler_(handler), call_(request), origin_(request.call),
        arguments_(request.arguments, request.arguments + request.count) {}

  std::vector<uint32_t> run();

private:
  // ── what is written to ──

  // The tile that the result goes to: a new one, or what the name stands for already. Several instructions, or one that
  // cannot overwrite what it reads, work in a tile of their own then.
  bool begin(const Row &row);
  bool check_dtype(const Row &row);
  bool check(const Type &type);
  // Of more than two dimensions those are left that count: rows and columns.
  void declare(const std::string &tile, const Type &type);
  std::string temporary(const std::string &stem, const Type &type);
  // How the program spells the dtype: as an annotation of the call does, else with its module.
  std::string spelled(const Type &type) const;

  // ── saying it ──

  Node name(std::string_view id) const { return c.name(id, origin_); }
  Node copy(Node n) const { return copy_of(c, n, origin_); } // 0 of 0
  Node number(double value) const {
    const Node n = c.make(make::Constant{.value = Literal::real(value < 0 ? -value : value)}, origin_);
    return value < 0 ? c.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin_) : n;
  }
  void instruction(std::string_view name, std::vector<uint32_t> operands);
  bool refuse(const Refusal &why);
  // What nobody has reported yet is a call that the language refuses before: another plugin's pass may make one.
  bool fail() {
    if (!c.errors()) c.report(diag::malformed_call, origin_, handler_.intrinsic);
    failed_ = true;
    return false;
  }
  // What a dtype has no instruction for.
  bool lacks(std::string_view dtype);

  // The type of an operand; nothing for numbers.
  std::optional<Type> tile_of(Node operand) const;

  // ── one form each ──

  void binary(std::string_view operation, const std::string &to, Node a, Node b);

  void spread(const std::string &w, const std::string &to, Node a, const Type &left, Node b, const Type &right);

  // An operand with all extents of the result: a tile as it is, a column or a row repeated, a number everywhere.
  Node whole(Node operand, const Type &like);
  Node whole(Node operand, const Type &type, const Type &like);
  Node whole_mask(Node mask, const Type &type, const Type &like);
  // Scratch of an instruction that chooses.
  std::string choosing();

  // Of i32 these cores compare EQ alone: a <= b where the larger of both is b.
  void compare();

  void bits();
  void shift();
  void divide();
  // A number that is known when the program is compiled.
  std::optional<int64_t> whole_number(Node n) const;

  void where();

  // Whether the call is restated in other portable intrinsics, which are selected next.
  bool restate(const Row &row);
  std::string prefix() const; // of the module, as the program spells it
  Node annotation(const Type &type) const;
  std::string intermediate(const Type &type, Node call);
  Node target_of() const;
  Node portable(std::string_view name, std::vector<uint32_t> operands, Node axis = HTP_NONE) const;

  // A line that counts, repeated. Of a dimension, which the pass marks, it counts from 0.
  void iota();

  void cast();
  std::string wrapped(const std::string &from, const Type &type, std::string_view to);
  void round_off();
  // What a program says instead of a dtype that has no instruction.
  static std::string dtype_hint(std::string_view dtype);

  void fill();

  std::vector<uint32_t> place(std::vector<uint32_t> operands, size_t first, size_t end);
  // How a transfer moves: the lines of a slice are those of the tile, or, turned, its columns, or lines of one element
  // each. Nothing, after a report, where it has rows and columns and neither lies together. `extents` are the tile's in
  // those of the tensor, whose indices begin at the operand `first`.
  enum class Way : uint8_t { straight, turned, apart };
  std::optional<Way> way_of(const Type &tensor, const std::vector<Extent> &extents, size_t first);
  std::optional<Way> strided_way(const Strided &lies, const std::vector<Extent> &extents, size_t first);
  std::optional<Way> apart(const std::vector<Extent> &extents, size_t lines);
  bool is_several(Node index) const;
  std::string block_of(Node index) const;
  // The tile whose rows are the columns of another one, and what turns one into the other.
  Type turned_type() const;
  void turn(const std::string &to, Node from, const Type &type);
  // A tile of lines of one element each, a line's bytes from one to the next, for those of `type`, a row or a column.
  std::string declare_lines(const Type &type);
  std::string as_row(const std::string &tile, const Type &type);
  void turn_lines(const std::string &to, const std::string &from, const Type &type);
  void transfer(std::string_view instruction, std::vector<uint32_t> operands, bool turned);
  bool in_steps(size_t first);
  void load();
  bool has_keyword(std::string_view keyword) const;

  // Memory beside the parameters.
  void buffer();

  void store();

  void power();

  void reduce();

  // Whether a product is added to the name that it is assigned to.
  bool sums_up() const;
  // Half precision adds up in f32, and is rounded once.
  void product();

  // Of rows and columns; where only dimensions of 1 change places the elements stay in order.
  void transpose();

  // Another order in one memory: a tile is a value, which lies as its instructions take it.
  void relayout();
  // Where only dimensions of 1 come and go, and a column becomes a row or the other way round: the elements stay in
  // order.
  void reshape();

  // Operations on the first argument, each an instruction or a few.
  void decomposed(const sdk::decompose::Steps &steps);
  void decomposed(sdk::decompose::Function f);

  // ── what stands where along rows ──

  static Type like(const Type &type, const char *dtype);
  // A tile of f32 whose rows count from 0.
  std::string counted(const Type &type);
  // A loop, `body` of its variable.
  void each(Node times, const std::function<void(Node)> &body);
  Node count_of(const Extent &extent) const;
  // Whether the last operand is the axis that the rows of a tile, one or many, run along.
  bool along_rows(const Type *type) const;
  // The places of the largest, as often as the result has columns: NaN first, then by value, of equals the first one.
  void largest();
  // The elements at places along rows; a place that there is not has none.
  void gather();
  // Each element with all before it in its row.
  void scan();

  const Context &c;
  const htp_handler &handler_;
  const htp_handler_call &call_;
  Node origin_;
  std::vector<Node> arguments_;
  std::string_view instruction_;
  Type type_;
  std::string target_, final_;
  std::vector<uint32_t> statements_;
  bool failed_ = false;
};

} // namespace htp::a2a3
