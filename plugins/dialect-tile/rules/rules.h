// The typing rules: the type of an intrinsic's call from the types of its arguments. A rule answers the result's
// annotation, `None` for an intrinsic without a result, and 0 after a diagnostic.
#pragma once

#include "diagnostics.h"

#include "htp_cpp/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::tile {
using namespace htp::sdk;

// One call of an intrinsic: its arguments by parameter.
class Call {
public:
  Call(const Context &context, const htp_intrinsic &intrinsic, Node call, Nodes types);

  const Context &c;
  const htp_intrinsic &row;
  const Node node;

  // What a parameter was given; 0 when it was left out.
  Node argument(std::string_view parameter) const;
  // Its annotation; 0 for compile-time values and ints.
  Node annotation(std::string_view parameter) const;
  // All that `*index` and its like were given.
  std::vector<std::pair<Node, Node>> variadic() const; // argument, annotation
  bool given(std::string_view parameter) const;

  // The tile a parameter was given; nothing after a diagnostic.
  std::optional<Type> tile(std::string_view parameter) const;
  // The tensor, for intrinsics that read or write memory.
  std::optional<Type> tensor(std::string_view parameter) const;
  // Refuses a dtype that the parameter's annotation has not: `Floating`, `Number`, `bool_`.
  bool accepts(std::string_view parameter, const std::string &dtype) const;
  // Refuses a literal that is no value of the dtype.
  bool literal(Node argument, const std::string &dtype) const;
  // An operand as the user wrote it: the name of an intermediate result stands for an expression.
  std::string shown(Node operand) const;
  Node give(const Type &type) const { return write_type(c, type, node); }
  Node nothing() const;

private:
  struct Slot {
    std::string_view name;
    const htp_parameter *parameter;
    Node argument, annotation;
  };
  const Slot *find(std::string_view parameter) const;
  std::vector<Slot> slots_;
};

#define RULE(name) Node name(const Call &call);
#include "rules/rules.def"
#undef RULE

// Extents joined: equal, or one of them is 1, the last under each other. Nothing after a diagnostic at the argument.
std::optional<std::vector<Extent>> joined(const Call &call, const std::vector<Extent> &a, const std::vector<Extent> &b,
                                          Node where);
// What a tile is reshaped to when it is stored to fewer dimensions: its extents of 1 go. Nothing when it stays as it
// is.
std::optional<std::vector<Extent>> stored_as(const Call &call);
// `Moved[i]`: how `i + 1` and `i * 2` are described to typing rules: as many indices as the block has.
Node write_moved(const Tree &t, const std::string &block, Node origin);
std::optional<Extent> read_moved(const Reader &r, Node annotation);
// `Span[N - 2]`: how a slice is described, by how many indices it has.
Node write_span(const Tree &t, const Extent &length, Node origin);
std::optional<Extent> read_span(const Reader &r, Node annotation);
// The `axis` of a tile of this type, from 0; nothing after a diagnostic.
std::optional<size_t> axis_of(const Call &call, const Type &type);
// The layouts of two operands joined; false after a diagnostic that tells the relayout from one to the other.
bool join_layout(const Call &call, Type &into, const Type &other, Node where);
// The same where operands broadcast to `extents`: `into` is given the layout of the result.
bool join_operand(const Call &call, Type &into, const Type &other, const std::vector<Extent> &extents, Node where);
// Where a tile lies that is turned, reshaped, or loaded from a tensor at the call's indices; 0 where it is not known.
Node turned_layout(const Call &call, const Type &before, const std::vector<size_t> &axes);
Node reshaped_layout(const Call &call, const Type &before, const std::vector<Extent> &extents);
Node sliced_layout(const Call &call, const Type &tensor, const std::vector<Extent> &selected);
// Whether each device has all along an axis of `x`; false after a diagnostic.
bool whole_along(const Call &call, const Type &x, size_t axis);
// Whether an operation may have operands of which each device has a part still to be combined; false after a
// diagnostic.
bool good_with_parts(const Call &call);
// The layout of a product of what is cut over devices, which may leave a sum to be made; false after a diagnostic.
bool product_of_parts(const Call &call, const Type &a, const Type &b, Type &result);
// The same of what is reduced along an axis.
bool reduced_parts(const Call &call, const Type &x, size_t axis, Type &result);
// The extents that `*extents` and its like name; nothing after a diagnostic.
std::optional<std::vector<Extent>> extents_of(const Call &call);
// `Signature[Tile[f32, R, C], Tile[f32, R, 1]]`: how a function that is compiled apart is described to typing rules:
// its parameters' types, a number's by its dtype alone, and as the last its result's, or a tuple of its results'.
Node write_signature(const Context &c, Nodes types, Node origin);
// Whether each value of `dtype` is one of `wide`.
bool holds_all(std::string_view wide, std::string_view dtype);
// Reports two operands of different dtypes, named by parameter, or a value that a tensor of another dtype does not
// take. What is fixed keeps its value; where no cast does, the hint names the ways there are.
void report_operands(const Call &call, std::string_view first, const Type &a, std::string_view second, const Type &b);
void report_stored(const Call &call, const Type &target, std::string_view value, const Type &type);
std::string shape_text(const std::vector<Extent> &extents);

// The callback of the set.
Node type_of_call(const Context &c, const htp_intrinsic &row, Node call, Nodes types);

} // namespace htp::tile
