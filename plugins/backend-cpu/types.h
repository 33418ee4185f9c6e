// plugins/backend-cpu/types.h — dtypes, and what a type annotation says.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::cpu {

using namespace htp::sdk;

enum class Class : uint8_t { boolean, integer, natural, floating };

// A row of dtypes.def.
struct DType {
  std::string_view name;   // "f32"
  std::string_view memory; // its C type in memory
  std::string_view c;      // its C type in an expression
  unsigned bytes;          // in memory
  Class kind;
  bool narrow() const { return kind == Class::floating && bytes < 4; }
};
// The dtype of that name in `htp` ("f32"); null if the CPU has none.
const DType *dtype_named(std::string_view name);
const DType *boolean_dtype();
// The integers, with a sign or without, of so many bytes.
const DType *integer_of(Class kind, unsigned bytes);

enum class Direction : uint8_t { none, in, out, inout };

// `Tensor[f32, M, N]`, `Tile[f32, i, N]`, `f32`, wrapped or not in In/Out/InOut; `int` of a parameter.
struct Type {
  enum class Form : uint8_t { none, scalar, tile, tensor, integer } form = Form::none;
  Direction direction = Direction::none;
  const DType *dtype = nullptr; // null: a dtype the CPU has not; `dtype_node` is its name
  Node dtype_node = HTP_NONE;
  Node constructor = HTP_NONE; // the expression `Tile` or `Tensor`
  Nodes dims;
  Node layout = HTP_NONE; // `htp.layout(…)`, or a notation's constructor
  Node space = HTP_NONE;  // `htp.space("stack")`
};
// What an annotation says; form none when it is no type of tiles, tensors or scalars.
Type read_type(const Reader &t, const Names &names, Node annotation);

// A structural copy: within one stage a node has one parent.
Node clone(const Tree &t, Node n);

// The function's parameters that are tensors or scalars, in order.
struct Parameter {
  std::string name;
  Node node; // the ast::arg
  Type type;
};
std::vector<Parameter> parameters_of(const Reader &t, const Names &names, Node function);

// The intrinsic a call names ("cpu.exp"); empty for anything else. Without "cpu.".
std::string_view cpu_intrinsic(const std::string &qualified);

} // namespace htp::cpu
