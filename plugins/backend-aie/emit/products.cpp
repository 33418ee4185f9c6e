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

void each_call(const std::vector<Statement> &body, const std::function<void(const Statement &)> &of) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::call) of(s);
    each_call(s.body, of);
  }
}
// Why a product is one of vectors; nothing where a pass has reported that.
Refusal slow_because(const Context &c, const Program &p, const Core &core, const Statement &product) {
  const Tile &to = *product.tile, &a = *product.operands[0].tile, &b = *product.operands[1].tile;
  const std::string_view dtype = a.dtype->name;
  const Unit *unit = unit_of(p.device, dtype, to.dtype->name);
  if (!unit && (dtype == "i8" || dtype == "i16" || dtype == "bf16")) {
    const std::string sums = a.dtype->real ? "f32" : "i32";
    return Refusal(diag::unit_accumulator, dtype, to.dtype->name, sums)
        .with("begin with `zeros(" + sums + ", i, j)`, and cast the result");
  }
  if (!unit)
    return Refusal(diag::unit_dtype, dtype)
        .with(a.dtype->real ? "cast the operands, `cast(x, bf16)`, and accumulate in f32"
                            : "use i8 or i16, and accumulate in i32");
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
    return Refusal(diag::unit_multiples, dtype, n(rows) + " by " + n(columns) + ", " + n(depth) + " deep", blocks)
        .with("choose blocks that are: `tiles(M, " + n(unit->rows * 2) + ")`, `tiles(N, " + n(unit->columns * 2) +
              ")`, `tiles(K, " + n(unit->depth * 4) + ")`; a dimension that is no longer needs such a size");
  if (!p.alike) return kept_in_rows(c, p, product.node);
  if (other) return Refusal(other->name == "transpose" ? diag::turned_tile : diag::tile_in_rows, c.show(other->node));
  return Refusal(diag::unit_layout, dtype, blocks);
}

} // namespace

void report_products(const Context &c, const Program &p, const Version &v) {
  for (const Core &core : p.cores)
    if (const Statement *slow = slow_product(p, v, core.body)) {
      const Unit *unit = unit_of(p.device, slow->operands.at(0).tile->dtype->name, slow->tile->dtype->name);
      auto report = c.report(diag::matrix_units, slow->node, v.name, slow->operands.at(0).tile->dtype->name);
      if (!unit || !unit->contracted) // by no version's
        report.hint(
            "multiply i8 or bf16 with `mlir_aie: 2608`, or call a function in C++ that has `aie::mmul`: `@external`");
      break;
    }
  bool reported = false;
  for (const Core &core : p.cores)
    each_call(core.body, [&](const Statement &s) {
      if (s.name != "matmul" || reported) return;
      reported = true; // by aie.use_matrix_units, where blocks exceed the device
      if (const Refusal slow = slow_because(c, p, core, s)) slow.report(c, s.node);
    });
}

} // namespace htp::aie
