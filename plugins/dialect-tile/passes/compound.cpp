// What tile.infer makes of a roll, a pad and a product by letters: calls of intrinsics that targets have.
#include "rules/compound.h"
#include "passes/typist.h"

#include <algorithm>

namespace htp::tile {

Node Typist::compound(Node value, const htp_intrinsic &row) {
  const std::string_view name = row.name;
  if (name != "tile.einsum" && name != "tile.roll" && name != "tile.pad") return HTP_NONE;
  const Call call(c, row, value, types_);
  return name == "tile.einsum" ? by_letters(call) : name == "tile.roll" ? rolled(call) : padded(call);
}

Node Typist::tile_call(std::string_view intrinsic, std::vector<uint32_t> arguments, Node origin, int64_t axis) {
  std::vector<uint32_t> keywords;
  if (axis >= 0)
    keywords.push_back(c.make(make::keyword{.arg = "axis", .value = c.integer_node(axis, origin)}, origin));
  return c.call(imports_.module("htp_tile", "tile") + "." + std::string(intrinsic), std::move(arguments), origin,
                std::move(keywords));
}
Node Typist::step(std::string_view intrinsic, std::vector<uint32_t> arguments, Node origin, int64_t axis) {
  return made(intrinsic, "tile." + std::string(intrinsic), tile_call(intrinsic, std::move(arguments), origin, axis));
}
Node Typist::dtype_node(const std::string &dtype, Node origin) {
  return c.path(imports_.name("htp", dtype, "htp"), origin);
}

// An element comes from the place that stands `shift` before it, around the end: `gather(x, (place - shift) % N)`.
Node Typist::rolled(const Call &call) {
  const auto type = *read_type(c, known(call.argument("x")));
  const size_t axis = *axis_of(call, type);
  const Extent along = type.extents[axis];
  const Node at = call.node;
  int64_t shift = 0;
  c.integer(call.argument("shift"), &shift);
  std::vector<uint32_t> extents{dtype_node("i32", at)};
  for (const Extent &e : type.extents)
    extents.push_back(write_extent(c, e, at)); // each row has its own, as some targets want it
  Node place = step("iota", extents, at, static_cast<int64_t>(axis));
  Node length = write_extent(c, along, at);
  if (cut_.contains(along.name)) { // a block's indices begin where it does
    const Node first =
        step("full", {dtype_node("i32", at), c.parse(along.name + ".start", at), c.integer_node(1, at)}, at);
    place = step("sub", {place, first}, at);
    length = c.call("len", {length}, at);
  }
  place = step("sub", {place, c.integer_node(shift, at)}, at);
  const Node size = step("full", {dtype_node("i32", at), length, c.integer_node(1, at)}, at);
  place = step("mod", {place, size}, at);
  return tile_call("gather", {copy_of(c, call.argument("x"), at), place}, at, static_cast<int64_t>(axis));
}

// A buffer of the value, in which x is stored.
Node Typist::padded(const Call &call) {
  const auto type = *read_type(c, known(call.argument("x")));
  const size_t axis = *axis_of(call, type);
  const auto widths = *widths_of(call);
  const Node at = call.node;
  if (cut_.contains(type.extents[axis].name)) {
    c.report(diag::padded_block, call.argument("x"), type.extents[axis].text());
    return at;
  }
  const auto longer = [&](int64_t by) {
    const auto sum =
        read_int(c, c.binary(write_extent(c, type.extents[axis], at), HTP_Add, c.integer_node(by, at), at));
    return write_extent(c, Extent::of(*sum), at);
  };
  std::vector<uint32_t> extents{dtype_node(type.dtype, at)};
  for (size_t k = 0; k < type.rank(); ++k)
    extents.push_back(k == axis ? longer(widths.first + widths.second) : write_extent(c, type.extents[k], at));
  const Node buffer = step("buffer", extents, at);
  const auto whole = [&](size_t k) { // of a block that block, which says whose iterations the elements are
    const std::string &name = type.extents[k].name;
    return cut_.contains(name) ? c.name(name, at) : c.path(imports_.module("htp_tile", "tile") + ".whole", at);
  };
  const auto store = [&](Node value, bool part) {
    std::vector<uint32_t> arguments{copy_of(c, buffer, at), value};
    for (size_t k = 0; k < type.rank(); ++k)
      arguments.push_back(
          k == axis && part ? c.call("slice", {c.integer_node(widths.first, at), longer(widths.first)}, at) : whole(k));
    before_.push_back(c.statement(tile_call("store", arguments, at), at));
  };
  std::vector<uint32_t> filling{dtype_node(type.dtype, at),
                                call.given("value") ? copy_of(c, call.argument("value"), at) : c.integer_node(0, at)};
  if (type.dtype == "bool_" && !call.given("value"))
    filling[1] = c.make(make::Constant{.value = Literal::boolean(false)}, at);
  for (size_t k = 0; k < type.rank(); ++k) filling.push_back(c.integer_node(1, at));
  store(step("full", filling, at), false);
  store(copy_of(c, call.argument("x"), at), true);
  std::vector<uint32_t> load{copy_of(c, buffer, at)};
  for (size_t k = 0; k < type.rank(); ++k) load.push_back(whole(k));
  return tile_call("load", load, at);
}

// Operands are turned so that a product of matrices is over one letter, with the others before; those that are summed
// and stand before are summed behind.
Node Typist::by_letters(const Call &call) {
  const Letters letters = *letters_of(call);
  const Node at = call.node;
  const auto has = [](const std::string &text, char letter) { return text.find(letter) != std::string::npos; };
  struct Operand {
    Node value;
    std::string letters;
    std::map<char, Extent> extents;
  };
  const auto operand = [&](std::string_view parameter, std::string own, const std::string &other) {
    Operand o{copy_of(c, call.argument(parameter), at), std::move(own), {}};
    const auto type = *read_type(c, known(call.argument(parameter)));
    for (size_t k = 0; k < o.letters.size(); ++k) o.extents[o.letters[k]] = type.extents[k];
    for (size_t k = 0; k < o.letters.size(); ++k) { // what only it has, and the result has not, is summed first
      const char letter = o.letters[k];
      if (has(other, letter) || has(letters.result, letter)) continue;
      o.value = step("reduce_sum", {o.value}, at, static_cast<int64_t>(k));
      o.extents[letter] = Extent::of(1);
    }
    return o;
  };
  Operand a = operand("a", letters.a, letters.b), b = operand("b", letters.b, letters.a);
  std::string front, summed, rows, columns; // before the matrices; of both and not of the result; of one operand
  for (const char letter : letters.a) {
    if (has(letters.b, letter))
      (has(letters.result, letter) ? front : summed) += letter;
    else if (has(letters.result, letter))
      rows += letter;
  }
  for (const char letter : letters.b)
    if (!has(letters.a, letter) && has(letters.result, letter)) columns += letter;
  const bool product = !summed.empty();
  const char over = product ? summed.back() : '\0', row = product && !rows.empty() ? rows.back() : '\0',
             column = product && !columns.empty() ? columns.back() : '\0';
  std::string order = front + (product ? summed.substr(0, summed.size() - 1) : "");
  order += row ? rows.substr(0, rows.size() - 1) : rows;
  order += column ? columns.substr(0, columns.size() - 1) : columns;
  // The letters of an operand in the order given, with extents of 1 for those that it has not; '\0' is one of them.
  const auto arranged = [&](Operand &o, const std::string &wanted) {
    std::string own;
    for (const char letter : wanted)
      if (letter && has(o.letters, letter)) own += letter;
    for (const char letter : o.letters) // summed already: of extent 1, which goes
      if (!has(own, letter)) own += letter;
    if (own != o.letters && o.letters.size() > 1) {
      std::vector<uint32_t> axes;
      for (const char letter : own) axes.push_back(c.integer_node(static_cast<int64_t>(o.letters.find(letter)), at));
      const bool swap = axes.size() == 2;
      std::vector<uint32_t> arguments{o.value};
      if (!swap) arguments.push_back(c.make(make::Tuple{.elts = axes, .ctx = HTP_LOAD}, at));
      o.value = step("transpose", arguments, at);
    }
    if (own == wanted) return;
    std::vector<uint32_t> arguments{o.value};
    for (const char letter : wanted)
      arguments.push_back(letter && has(o.letters, letter) ? write_extent(c, o.extents[letter], at)
                                                           : c.integer_node(1, at));
    o.value = step("reshape", arguments, at);
  };
  std::string made_of = order; // the letters of what comes of it; '\0' of extent 1
  Node result = HTP_NONE;
  if (product) {
    arranged(a, order + row + over);
    arranged(b, order + over + column);
    result = step("matmul", {a.value, b.value}, at);
    made_of = order + row + column;
  } else {
    if (made_of.empty()) made_of += '\0';
    arranged(a, made_of);
    arranged(b, made_of);
    result = step("mul", {a.value, b.value}, at);
  }
  std::map<char, Extent> extents = a.extents;
  extents.insert(b.extents.begin(), b.extents.end());
  for (size_t k = 0; k < made_of.size(); ++k)
    if (made_of[k] && !has(letters.result, made_of[k])) {
      result = step("reduce_sum", {result}, at, static_cast<int64_t>(k));
      made_of[k] = '\0';
    }
  if (has(made_of, '\0') && made_of != std::string(1, '\0')) {
    std::erase(made_of, '\0');
    std::vector<uint32_t> arguments{result};
    for (const char letter : made_of) arguments.push_back(write_extent(c, extents[letter], at));
    if (made_of.empty()) arguments.push_back(c.integer_node(1, at));
    result = step("reshape", arguments, at);
  }
  if (made_of != letters.result && letters.result.size() > 1) {
    std::vector<uint32_t> axes;
    for (const char letter : letters.result)
      axes.push_back(c.integer_node(static_cast<int64_t>(made_of.find(letter)), at));
    return tile_call("transpose", {result, c.make(make::Tuple{.elts = axes, .ctx = HTP_LOAD}, at)}, at);
  }
  return result;
}

} // namespace htp::tile
