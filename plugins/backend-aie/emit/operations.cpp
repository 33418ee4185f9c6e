// Operations that are not on single elements: along an axis, products, and what reorders elements.
#include "computing.h"

#include <cmath>

namespace htp::aie {

namespace {

// How many elements a register holds of what an operation reads and writes.
int64_t lanes_in_memory(const Statement &s) {
  int64_t bytes = s.tile->dtype->bytes;
  for (const Operand &o : s.operands)
    if (o.tile) bytes = std::max(bytes, o.tile->dtype->bytes);
  return register_bytes / bytes;
}

double start(std::string_view how, const DType &d) {
  if (how == "sum") return 0;
  const double most = d.real ? HUGE_VAL : std::ldexp(1, static_cast<int>(8 * d.bytes - 1));
  return how == "max" ? -most : d.real ? most : most - 1;
}

} // namespace

// The last two dimensions swapped, element by element.
void Computing::transpose(const Statement &s) {
  const View to = view(*s.tile), from = view(*s.operands[0].tile);
  nest(to.extents, [&](const Index &at) {
    Index there = at;
    std::swap(there[there.size() - 2], there[there.size() - 1]);
    store(load(from, there), to, at);
  });
}

// ── along an axis ──

void Computing::reduce(const Statement &s) {
  const Tile &source = *s.operands[0].tile;
  const auto axis = static_cast<size_t>(s.axis);
  const std::string_view how = std::string_view(s.name).substr(7);
  const std::string_view operation = how == "sum" ? "add" : how == "max" ? "maximum" : "minimum";
  const DType &d = *s.tile->dtype, &inside = computes_in(d);
  const double begin = start(how, d);
  // Before the axis, along it, behind it.
  const size_t behind = source.extents.size() - axis - 1;
  std::vector<size_t> groups, kept;
  if (axis) groups.push_back(axis), kept.push_back(axis);
  groups.push_back(1), kept.push_back(1 + behind);
  if (behind) groups.push_back(behind);
  const View from = collapse(view(source), groups), to = collapse(view(*s.tile), kept);
  const int64_t length = source.extents[axis], lanes = lanes_in_memory(s);
  std::vector<int64_t> before;
  if (axis) before.push_back(from.extents[0]);
  nest(before, [&](const Index &outer) {
    if (!behind) {
      std::string total = constant(begin, {&inside, 1});
      const int64_t whole = length / lanes * lanes;
      if (lanes > 1 && whole > 0) {
        const std::string many =
            along(from, outer, {}, constant(begin, {&inside, lanes}), operation, {&d, lanes}, 0, whole, lanes);
        total = combine(operation, many, {&inside, lanes});
      }
      if (whole < length) total = along(from, outer, {}, total, operation, {&d, 1}, whole, length, 1);
      store(cast(total, {&inside, 1}, d), to, with(outer, number(0)));
      return;
    }
    run(from.extents.back(), lanes, [&](const std::string &at, int64_t n) {
      const std::string total = along(from, outer, at, constant(begin, {&inside, n}), operation, {&d, n}, 0, length, 1);
      store(cast(total, {&inside, n}, d), to, with(outer, at), n);
    });
  });
}
// A loop along the axis that adds up what it loads, from `at` in the last dimension if that is another one.
// Elements of a block as elements of a dtype with more bytes, each of several; in order.
void Computing::unpack(const Statement &s) {
  const auto flat = [&](const Tile &t) { return last_as_one(view(t), 0); };
  const View to = flat(*s.tile), from = flat(*s.operands[0].tile);
  const DType &small = *from.dtype, &large = *to.dtype;
  const int64_t units = large.bytes / small.bytes;
  run(count(s.tile->extents), register_bytes / large.bytes, [&](const std::string &at, int64_t n) {
    std::string index = units == 1 ? at : op("arith.muli", {at, number(units)}, "index");
    if (s.axis) index = op("arith.addi", {index, number(s.axis)}, "index");
    std::string value = load(from, {index}, n * units);
    if (&small != &large && n * units == 1) {
      value = convert("arith.bitcast", value, std::string(small.text), std::string(large.text));
    } else if (small.text != large.text) {
      const std::string many = "vector<" + std::to_string(n) + "x" + std::string(large.text) + ">";
      value = convert("vector.bitcast", value, Lanes{&small, n * units}.text(), many);
      if (n == 1) {
        const std::string one = fresh();
        w_.line(one, " = vector.extract ", value, "[0] : ", large.text, " from ", many);
        value = one;
      }
    }
    store(value, to, {at}, n);
  });
}

std::string Computing::along(const View &from, const Index &outer, const std::string &at, const std::string &begin,
                             std::string_view operation, const Lanes &lanes, int64_t first, int64_t end, int64_t step) {
  const DType &inside = computes_in(*lanes.dtype);
  const std::string total = fresh(), so_far = fresh(), k = fresh("%i");
  auto loop = w_.block("}", total, " = scf.for ", k, " = ", number(first), " to ", number(end), " step ", number(step),
                       " iter_args(", so_far, " = ", begin, ") -> (", lanes.of(inside).text(), ") {");
  Index index = with(outer, k);
  if (!at.empty()) index.push_back(at);
  const std::string x = cast(load(from, index, lanes.count), lanes, inside);
  const std::string sum = compute(operation, {so_far, x}, lanes.of(inside));
  w_.line("scf.yield ", sum, " : ", lanes.of(inside).text());
  return total;
}

// ── products ──

// target += a b: elements of a by rows of b, several rows of the target at a time.
void Computing::multiply(const Statement &s) {
  const std::vector<int64_t> &to = s.tile->extents;
  const int64_t rows = to[to.size() - 2], depth = s.operands[0].tile->extents.back();
  const int64_t together = rows % 4 == 0 ? 4 : rows % 2 == 0 ? 2 : 1;
  nest({to.begin(), to.end() - 2}, [&](const Index &outer) { rows_of(s, outer, rows, depth, together); });
}
void Computing::rows_of(const Statement &s, const Index &outer, int64_t rows, int64_t depth, int64_t together) {
  const View to = view(*s.tile), a = view(*s.operands[0].tile), b = view(*s.operands[1].tile);
  const DType &d = *s.tile->dtype, &inside = computes_in(d);
  const auto at = [&](const std::string &x, const std::string &y) { return with(with(outer, x), y); };
  const std::string i = fresh("%i");
  auto loop = loop_of(i, rows, 0, together);
  std::vector<std::string> row{i};
  for (int64_t r = 1; r < together; ++r) row.push_back(op("arith.addi", {i, number(r)}, "index"));
  run(to.extents.back(), register_bytes / d.bytes, [&](const std::string &j, int64_t n) {
    const Lanes lanes{&inside, n};
    std::vector<std::string> totals, so_far, sums;
    std::string begins;
    for (const std::string &r : row) {
      const std::string before = cast(load(to, at(r, j), n), {&d, n}, inside);
      totals.push_back(fresh("%acc")), so_far.push_back(fresh());
      begins += (begins.empty() ? "" : ", ") + so_far.back() + " = " + before;
    }
    const std::string types = join(row, ", ", [&](const std::string &) { return lanes.text(); });
    const std::string total = fresh("%sum"), k = fresh("%i");
    {
      auto along = w_.block("}", total, row.size() > 1 ? ":" + std::to_string(row.size()) : "", " = scf.for ", k, " = ",
                            number(0), " to ", number(depth), " step ", number(1), " iter_args(", begins, ") -> (",
                            types, ") {");
      const std::string y = cast(load(b, at(k, j), n), {b.dtype, n}, inside);
      for (size_t r = 0; r < row.size(); ++r) {
        const std::string x = spread(cast(load(a, at(row[r], k)), {a.dtype, 1}, inside), lanes);
        sums.push_back(compute("add", {so_far[r], compute("mul", {x, y}, lanes)}, lanes));
      }
      w_.line("scf.yield ", list(sums), " : ", types);
    }
    for (size_t r = 0; r < row.size(); ++r)
      store(cast(row.size() > 1 ? total + "#" + std::to_string(r) : total, lanes, d), to, at(row[r], j), n);
  });
}

// The same of blocks: two by two of the target stay in registers, so that each block that is loaded counts twice.
void Computing::multiply_blocks(const Statement &s) {
  const DType &d = *s.tile->dtype, &inner = *s.operands[0].tile->dtype;
  const auto lines = [&](const Tile &t) { // blocks as vectors
    std::vector<size_t> groups(t.extents.size() - 2, 1);
    groups.push_back(2);
    return collapse(view(t), groups);
  };
  const View to = lines(*s.tile), a = lines(*s.operands[0].tile), b = lines(*s.operands[1].tile);
  const std::vector<int64_t> &te = s.tile->extents, &ae = s.operands[0].tile->extents;
  const size_t n = te.size();
  const int64_t rows = te[n - 2], columns = te[n - 1], depth = ae[n - 1];
  const int64_t down = te[n - 4] % 2 == 0 ? 2 : 1, across = te[n - 3] % 2 == 0 ? 2 : 1;
  const auto matrix = [](int64_t r, int64_t k, const DType &of) {
    return "vector<" + std::to_string(r) + "x" + std::to_string(k) + "x" + std::string(of.text) + ">";
  };
  const std::string sums = matrix(rows, columns, d);
  nest({te.begin(), te.end() - 4}, [&](const Index &outer) {
    const std::string i = fresh("%i"), j = fresh("%i");
    auto some_rows = loop_of(i, te[n - 4], 0, down);
    auto some_columns = loop_of(j, te[n - 3], 0, across);
    std::vector<std::string> is{i}, js{j}, so_far, results;
    if (down == 2) is.push_back(op("arith.addi", {i, number(1)}, "index"));
    if (across == 2) js.push_back(op("arith.addi", {j, number(1)}, "index"));
    const auto block = [&](const View &v, const std::string &x, const std::string &y, int64_t r, int64_t k) {
      const std::string line = load(v, with(with(with(outer, x), y), number(0)), r * k);
      return convert("vector.shape_cast", line, Lanes{v.dtype, r * k}.text(), matrix(r, k, *v.dtype));
    };
    std::string begins;
    for (const std::string &x : is)
      for (const std::string &y : js) {
        so_far.push_back(fresh());
        begins += (begins.empty() ? "" : ", ") + so_far.back() + " = " + block(to, x, y, rows, columns);
      }
    const std::string types = join(so_far, ", ", [&](const std::string &) { return sums; });
    const std::string total = fresh("%sum"), k = fresh("%i"), several = std::to_string(so_far.size());
    {
      auto along =
          w_.block("}", total, so_far.size() > 1 ? ":" + several : "", " = scf.for ", k, " = ", number(0), " to ",
                   number(ae[n - 3]), " step ", number(1), " iter_args(", begins, ") -> (", types, ") {");
      const std::string_view widen = d.real ? "arith.extf" : "arith.extsi";
      std::vector<std::string> as, bs;
      for (const std::string &x : is)
        as.push_back(convert(widen, block(a, x, k, rows, depth), matrix(rows, depth, inner), matrix(rows, depth, d)));
      for (const std::string &y : js)
        bs.push_back(
            convert(widen, block(b, k, y, depth, columns), matrix(depth, columns, inner), matrix(depth, columns, d)));
      for (const std::string &x : as)
        for (const std::string &y : bs) {
          const std::string sum = fresh();
          w_.line(sum,
                  " = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, "
                  "j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", "
                  "\"reduction\"], kind = #vector.kind<add>} ",
                  list({x, y, so_far[results.size()]}), " : ", matrix(rows, depth, d), ", ", matrix(depth, columns, d),
                  " into ", sums);
          results.push_back(sum);
        }
      w_.line("scf.yield ", list(results), " : ", types);
    }
    for (size_t k2 = 0; k2 < results.size(); ++k2) {
      const std::string line =
          convert("vector.shape_cast", results.size() > 1 ? total + "#" + std::to_string(k2) : total, sums,
                  Lanes{&d, rows * columns}.text());
      store(line, to, with(with(with(outer, is[k2 / js.size()]), js[k2 % js.size()]), number(0)), rows * columns);
    }
  });
}

} // namespace htp::aie
