// The module around a kernel: what its names stand for, as far as a compile may know without running anything.
#pragma once

#include "htp_cpp/constants.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/ints.h"
#include "htp_cpp/plugin.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::tile {
using namespace htp::sdk;

class Module {
public:
  Module(const Context &context, Node root);

  const Context &c;
  const Node root;
  const Names names;

  enum class Kind : uint8_t { none, constant, dim, function, other };
  Kind kind_of(std::string_view name) const;
  // Where `name` is bound at module level.
  Node definition(std::string_view name) const;
  bool is_dim(std::string_view name) const { return kind_of(name) == Kind::dim; }
  // A constant expression's value: literals, arithmetic, the module's constants. `n` must not use local names.
  std::optional<Number> evaluate(Node n) const { return constants_.number(n); }
  std::optional<int64_t> integer(Node n) const { return constants_.integer(n); }
  // An int expression with its constants as numbers; and whether it is one of dims alone.
  MaybeInt sum(Node n) const;
  IntMeanings ints() const;
  bool of_dims(Node n) const;
  // What a constant's name stands for.
  std::optional<Number> constant(std::string_view name) const { return constants_.named(name); }
  // The module's own names and those it imports, for suggestions.
  std::vector<std::string> visible() const;
  // The first `from … import *`; 0 if none.
  Node star_import() const { return star_; }
  // Whether one of the function's decorators is `path` ("htp_tile.kernel"), called or not.
  bool decorated(Node function, std::string_view path) const;
  // Whether the entry is a kernel and nothing else: no other dialect reads it first.
  bool is_plain_kernel(Node function) const;
  // Whether a function in a kernel is a part of it that another dialect runs, by its decorator: `@process`.
  bool is_part(Node function) const;
  // Whether another dialect makes a function a part of the entries that call it, by its decorator: a workload, its
  // schedule, a pipeline.
  bool is_nested(Node function) const;
  // Whether a function is one of tiles that is compiled apart, `@external(htp.text("scaled.cc"))`; and whether the
  // target calls it, so that a call of it is no matter of its body.
  bool is_external(Node function) const { return decorated(function, "htp_tile.external"); }
  bool is_called_apart(Node function) const;
  // The extents of the grid that a part runs on, `@process(grid=(4, 4))`, as many as it has parameters; else none.
  std::vector<int64_t> grid_of(Node part) const;
  // What `n` is called by in Python: "htp_tile.exp"; empty when its head is no import.
  std::string path(Node n) const { return names.qualified(n); }
  // "f32" when `n` names a dtype of htp; empty otherwise.
  std::string dtype(Node n) const;
  // Whether a parameter's annotation says that it is an int that is handed over by value.
  bool is_int(Node annotation) const { return c.name_of(annotation) == "int" && kind_of("int") == Kind::none; }

private:
  struct Binding {
    Kind kind;
    Node node;
  };
  void bind(std::string_view name, Kind kind, Node node);

  Constants constants_;
  std::map<std::string, Binding, std::less<>> bindings_;
  Node star_ = HTP_NONE;
};

// An expression node for a number.
Node literal(const Tree &tree, const Number &number, Node origin);

} // namespace htp::tile
