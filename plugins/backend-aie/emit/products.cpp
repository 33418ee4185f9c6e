// What is reported of products that the compiler of cores does not bring to the matrix units, or that go by vectors.
#include "emit.h"

#include "analyses/blocks.h"

#include <functional>

namespace htp::aie {

namespace {

// The first product by blocks that the version's compiler does not know as such.
const Statement *slow_product(const Program &p, const Version &v, const std::vector<Statement> &body) {
  for (const Statement &s : body) {
    if (const Statement *inner = slow_product(p, v, s.body)) return inner;
    if (s.kind != Statement::Kind::call || s.name != "mmul") continue;
    const Unit *unit = unit_of(p.device, s.operands.at(0).tile->dtype->name, s.tile->dtype->name);
    if (!v.new_devices || !unit || !unit->contracted) return &s;
  }
  return nullptr;
}

// Why a product is one of vectors, and what would help.
struct Slow {
  std::string why, hint;
};
void each_call(const std::vector<Statement> &body, const std::function<void(const Statement &)> &of) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::call) of(s);
    each_call(s.body, of);
  }
}
Slow slow_because(const Context &c, const Program &p, const Core &core, const Statement &product) {
  const Tile &to = *product.tile, &a = *product.operands[0].tile, &b = *product.operands[1].tile;
  const std::string_view dtype = a.dtype->name;
  const Unit *unit = unit_of(p.device, dtype, to.dtype->name);
  if (!unit && (dtype == "i8" || dtype == "i16" || dtype == "bf16")) {
    const std::string sums = a.dtype->real ? "f32" : "i32";
    return {"it is added up in " + std::string(to.dtype->name) + ", and they add up in " + sums,
            "begin with `zeros(" + sums + ", i, j)`, and cast what was added up"};
  }
  if (!unit)
    return {"they multiply i8, i16 and bf16", a.dtype->real ? "cast the operands, `cast(x, bf16)`, and add up in f32"
                                                            : "use i8 or i16, and add up in i32"};
  // What has one of its tiles in rows, or in columns.
  const Statement *other = nullptr;
  each_call(core.body, [&](const Statement &s) {
    if (s.name != "transpose" && s.name != "call" && !s.name.starts_with("reduce_")) return;
    bool of = s.tile == &to || s.tile == &a || s.tile == &b;
    for (const Operand &o : s.operands) of = of || o.tile == &to || o.tile == &a || o.tile == &b;
    if (of && !other) other = &s;
  });
  const auto n = [](int64_t v) { return std::to_string(v); };
  const int64_t rows = to.extents[to.extents.size() - 2], columns = to.extents.back(), depth = a.extents.back();
  const std::string blocks = n(unit->rows) + " by " + n(unit->columns) + ", " + n(unit->depth) + " deep";
  if (rows % unit->rows || columns % unit->columns || depth % unit->depth)
    return {"its tiles are " + n(rows) + " by " + n(columns) + ", " + n(depth) + " deep, no multiples of " + blocks,
            "choose blocks that are: `tiles(M, " + n(unit->rows * 2) + ")`, `tiles(N, " + n(unit->columns * 2) +
                ")`, `tiles(K, " + n(unit->depth * 4) + ")`; a dimension that is no longer needs such a size"};
  if (!p.alike) {
    const auto kept = kept_in_rows(c, p, product.node);
    return kept ? Slow{kept->why, kept->hint} : Slow{};
  }
  if (other && other->name == "transpose")
    return {
        "`" + c.show(other->node) + "` has a tile of it in rows",
        "the host packs an operand that is transposed in a kernel of one product and what is done with its elements, "
        "beside which rows, columns and numbers are loaded: add a tensor as large as the result in a second kernel, "
        "or hand the operand over transposed"};
  if (other) return {"`" + c.show(other->node) + "` has a tile of it in rows", "do that in a second kernel"};
  return {"its tiles do not all lie in blocks of " + blocks,
          "choose smaller blocks, or use a kernel of one product, which is cut into blocks of the units"};
}

} // namespace

void report_products(const Context &c, const Program &p, const Version &v) {
  for (const Core &core : p.cores)
    if (const Statement *slow = slow_product(p, v, core.body)) {
      const Unit *unit = unit_of(p.device, slow->operands.at(0).tile->dtype->name, slow->tile->dtype->name);
      auto told = c.report(diag::matrix_units, slow->node, v.name, slow->operands.at(0).tile->dtype->name);
      if (!unit || !unit->contracted) // by no version's
        told.hint(
            "multiply i8 or bf16 with `mlir_aie: 2608`, or call a function in C++ that has `aie::mmul`: `@external`");
      break;
    }
  bool told = false;
  for (const Core &core : p.cores)
    each_call(core.body, [&](const Statement &s) {
      if (s.name != "matmul" || told) return;
      const Slow slow = slow_because(c, p, core, s);
      told = true; // by aie.spread, where the device has no room for blocks
      if (!slow.why.empty())
        c.report(diag::no_matrix_units, s.node, s.operands.at(0).tile->dtype->name, slow.why).hint(slow.hint);
    });
}

} // namespace htp::aie
