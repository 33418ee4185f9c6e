// The body of a core: what its words are in scf, arith, vector and memref. The last dimension goes by vectors of as
// many elements as a register holds, and what is left over of it by elements.
#include "elements.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>

namespace htp::aie {

namespace {

class CoreWriter : Elements {
public:
  CoreWriter(Lines &writer, Needs &needs, const Context &context, const Program &program, const Core &core,
             int64_t column, int64_t row)
      : Elements(writer, needs), c(context), p(program), core_(core), column_(column), row_(row) {}

  void write() {
    w_.from(core_.node);
    auto calls = w_.block("}", "scf.for %call = %c0 to %forever step %c1 {");
    block(core_.body);
  }

private:
  // A part's name, apart from those that are made here: they end with a digit, but for two.
  static std::string part_of(const Tile &t) {
    const bool ours = t.name == "call" || t.name == "forever" || t.name.ends_with('_') ||
                      std::isdigit(static_cast<unsigned char>(t.name.back()));
    return "%" + t.name + (ours ? "_" : "");
  }
  View view(const Tile &t) {
    View v{t.stream ? part_of(t) : "%" + buffer_of(t, column_, row_), t.extents, t.dtype};
    if (t.stream && p.linked_at_core(*t.stream)) v.offset = p.place_in_link(*t.stream);
    if (!t.whole) return v;
    const std::string &turn = turns_.at(t.at);
    v.first = t.extents[0] == 1 ? turn : op("arith.muli", {turn, number(t.extents[0])}, "index");
    v.in_memory = t.whole->extents[0];
    return v;
  }

  void block(const std::vector<Statement> &statements) {
    for (const Statement &s : statements) statement(s);
  }
  void statement(const Statement &s) {
    w_.from(s.node);
    switch (s.kind) {
    case Statement::Kind::loop: {
      const std::string step = fresh("%step");
      turns_[s.name] = step;
      auto loop = loop_of(step, s.times);
      block(s.body);
      break;
    }
    case Statement::Kind::buffer: break;
    case Statement::Kind::acquire: {
      if (p.linked_at_core(*s.stream)) {
        acquire_linked(s);
        break;
      }
      const std::string type = view(*s.tile).type(), held = fresh();
      w_.line(held, " = aie.objectfifo.acquire @", fifo_of(p, *s.stream, column_, row_), port(s), ", ", s.held + 1,
              ") : !aie.objectfifosubview<", type, ">");
      w_.line(part_of(*s.tile), " = aie.objectfifo.subview.access ", held, "[", s.held, "] : !aie.objectfifosubview<",
              type, "> -> ", type);
      break;
    }
    case Statement::Kind::release:
      if (p.linked_at_core(*s.stream) && ++given_back_[s.stream->link] < p.linked(*s.stream).size()) break;
      given_back_.erase(s.stream->link);
      w_.line("aie.objectfifo.release @", fifo_of(p, *s.stream, column_, row_), port(s), ", 1)");
      break;
    case Statement::Kind::word: word(s); break;
    }
  }
  // What comes with others is acquired with the first of them, and released with the last.
  void acquire_linked(const Statement &s) {
    const auto all = p.linked(*s.stream);
    int64_t elements = 0;
    for (const Stream *other : all) elements += count(other->part);
    const std::string type = memref({elements}, *s.stream->dtype);
    std::string &whole = wholes_[s.stream->link];
    if (const size_t number = acquired_[s.stream->link]++ % all.size(); number == 0) {
      const std::string held = fresh();
      whole = fresh("%linked");
      w_.line(held, " = aie.objectfifo.acquire @", fifo_of(p, *s.stream, column_, row_), port(s),
              ", 1) : !aie.objectfifosubview<", type, ">");
      w_.line(whole, " = aie.objectfifo.subview.access ", held, "[0] : !aie.objectfifosubview<", type, "> -> ", type);
    }
    const View v = view(*s.tile);
    View flat = v;
    flat.extents = {count(v.extents)};
    const bool one = v.extents.size() == 1;
    const std::string part = one ? part_of(*s.tile) : fresh("%flat"), elements_of = std::to_string(flat.extents[0]);
    w_.line(part, " = memref.subview ", whole, "[", v.offset, "] [", elements_of, "] [1] : ", type, " to ",
            flat.type());
    if (one) return;
    std::vector<int64_t> dims(v.extents.size());
    std::iota(dims.begin(), dims.end(), 0);
    const auto listed = [](const std::vector<int64_t> &numbers) {
      return join(numbers, ", ", [](int64_t n) { return std::to_string(n); });
    };
    w_.line(part_of(*s.tile), " = memref.expand_shape ", part, " [[", listed(dims), "]] output_shape [",
            listed(v.extents), "] : ", flat.type(), " into ", v.type());
  }
  static std::string port(const Statement &s) { return s.takes ? " (Consume" : " (Produce"; }

  void word(const Statement &s) {
    if (const uint32_t number = c.record(s.node).line)
      w_.comment("program.py:", number, ": ", c.show(s.node));
    else
      w_.comment(c.show(s.node));
    if (s.name.starts_with("reduce_"))
      reduce(s);
    else if (s.name == "matmul")
      multiply(s);
    else if (s.name == "mmul")
      multiply_blocks(s);
    else if (s.name == "transpose")
      transpose(s);
    else if (s.name == "unpack")
      unpack(s);
    else if (s.external)
      apart(s);
    else
      each(s);
  }

  void apart(const Statement &s) {
    const External &e = *s.external;
    std::vector<std::string> operands, types;
    for (const Operand &o : s.operands) operands.push_back(view(*o.tile).value), types.push_back(view(*o.tile).type());
    operands.push_back(view(*s.tile).value), types.push_back(view(*s.tile).type());
    for (const int64_t size : e.sizes) {
      operands.push_back(fresh("%size"));
      types.emplace_back("i32");
      w_.line(operands.back(), " = arith.constant ", size, " : i32");
    }
    const auto itself = [](const std::string &text) { return text; };
    w_.line("func.call @", e.name, "(", join(operands, ", ", itself), ") : (", join(types, ", ", itself), ") -> ()");
  }

  Writer::Block loop_of(const std::string &name, int64_t end, int64_t begin = 0, int64_t step = 1) {
    return w_.block("}", "scf.for ", name, " = ", number(begin), " to ", number(end), " step ", number(step), " {");
  }
  // Calls `inside` in loops over `extents`, of which those of 1 need none.
  template <class F> void nest(const std::vector<int64_t> &extents, const F &inside, Index index = {}) {
    if (index.size() == extents.size()) return inside(index);
    const int64_t extent = extents[index.size()];
    if (extent == 1) {
      index.push_back(number(0));
      return nest(extents, inside, std::move(index));
    }
    index.push_back(fresh("%i"));
    auto loop = loop_of(index.back(), extent);
    nest(extents, inside, std::move(index));
  }
  // Calls `inside` with a place and how many elements from there, in loops over 0 to `extent`.
  template <class F> void run(int64_t extent, int64_t lanes, const F &inside) {
    const int64_t whole = lanes > 1 ? extent / lanes * lanes : 0;
    if (whole) {
      const std::string at = fresh("%i");
      auto loop = loop_of(at, whole, 0, lanes);
      inside(at, lanes);
    }
    if (whole == extent) return;
    if (extent == 1) return inside(number(0), int64_t{1});
    const std::string at = fresh("%i");
    auto loop = loop_of(at, extent, whole);
    inside(at, int64_t{1});
  }
  static Index with(Index index, const std::string &last) {
    index.push_back(last);
    return index;
  }
  // How many elements a register holds of what an operation reads and writes.
  static int64_t lanes_of(const Statement &s) {
    int64_t bytes = s.tile->dtype->bytes;
    for (const Operand &o : s.operands)
      if (o.tile) bytes = std::max(bytes, o.tile->dtype->bytes);
    return register_bytes / bytes;
  }

  // ── element by element ──

  // An operand beside the target: dimensions of 1 count for every index, and missing ones too.
  struct Beside {
    const Tile *tile = nullptr;
    double number = 0;
    bool along = false; // goes along the run of last dimensions, and does not stay
    View view;
    std::string value; // of what stays
  };

  void each(const Statement &s) {
    const std::vector<int64_t> &to = s.tile->extents;
    std::vector<Beside> beside;
    for (const Operand &o : s.operands) beside.push_back({o.tile, o.number, {}, {}, {}});
    // Dimensions from `first` on are one: along them each operand either goes as the target does, or stays.
    size_t first = to.size();
    const auto extent_at = [&](const Tile &t, size_t dim) {
      const size_t missing = to.size() - t.extents.size();
      return dim < missing ? 1 : t.extents[dim - missing];
    };
    const bool in_order = s.name == "copy" && s.operands[0].tile && !spreads(s.operands[0].tile->extents, to);
    if (in_order) {
      first = 0;
      beside[0].along = true;
    }
    while (first > 0) {
      const size_t dim = first - 1;
      bool fits = true;
      if (to[dim] != 1)
        for (Beside &b : beside) {
          if (!b.tile) continue;
          const bool along = extent_at(*b.tile, dim) != 1;
          const bool begun = std::any_of(to.begin() + static_cast<std::ptrdiff_t>(first), to.end(),
                                         [](int64_t extent) { return extent != 1; });
          if (!begun) b.along = along;
          fits = fits && b.along == along;
        }
      if (!fits) break;
      --first;
    }
    const int64_t length = count({to.begin() + static_cast<std::ptrdiff_t>(first), to.end()});
    const View target = last_as_one(view(*s.tile), first);
    for (Beside &b : beside)
      if (b.tile) {
        const size_t missing = in_order ? 0 : to.size() - b.tile->extents.size();
        b.view = view(*b.tile);
        if (b.along) b.view = last_as_one(b.view, first > missing ? first - missing : 0);
      }
    int64_t lanes = lanes_of(s); // fewer than a register holds where a run is shorter
    while (lanes > length && lanes > 4) lanes /= 2;
    const DType *numbers = s.tile->dtype; // what numbers among the operands are of
    if (compares(s.name))
      for (const Operand &o : s.operands)
        if (o.tile) numbers = o.tile->dtype;
    nest({to.begin(), to.begin() + static_cast<std::ptrdiff_t>(first)}, [&](const Index &outer) {
      const auto place = [&](const Beside &b, const std::string &last) {
        Index at;
        for (size_t k = 0; k < b.view.extents.size(); ++k) {
          const bool is_last = b.along && k + 1 == b.view.extents.size();
          const size_t missing = in_order ? 0 : to.size() - b.tile->extents.size(), dim = k + missing;
          at.push_back(is_last ? last : dim < first && b.view.extents[k] != 1 ? outer[dim] : number(0));
        }
        return at;
      };
      for (Beside &b : beside)
        if (b.tile && !b.along) b.value = load(b.view, place(b, {}));
      run(length, lanes, [&](const std::string &at, int64_t n) {
        const Lanes of{s.tile->dtype, n};
        std::vector<std::string> operands;
        for (const Beside &b : beside) {
          if (!b.tile)
            operands.push_back(constant(rounded(b.number, *numbers), {numbers, n}));
          else if (b.along)
            operands.push_back(load(b.view, place(b, at), n));
          else
            operands.push_back(spread(b.value, {b.tile->dtype, n}));
        }
        const std::string result = s.name == "cast"    ? cast(operands[0], {s.operands[0].tile->dtype, n}, *of.dtype)
                                   : compares(s.name)  ? compare(s.name, operands, {numbers, n})
                                   : s.name == "where" ? choose(operands, of)
                                                       : compute(s.name, operands, of);
        store(result, target, with(outer, at), n);
      });
    });
  }
  // Dimensions from `first` on as one.
  View last_as_one(const View &v, size_t first) {
    std::vector<size_t> groups(first, 1);
    if (first < v.extents.size()) groups.push_back(v.extents.size() - first);
    return collapse(v, groups);
  }
  static double rounded(double value, const DType &d) {
    if (d.text != "bf16" || !std::isfinite(value)) return value;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent); // 8 bits, and fewer of what is denormal
    const int bits = std::min(8, exponent + 133);
    const double nearest = std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
    return std::fabs(nearest) >= std::ldexp(1, 128) ? std::copysign(HUGE_VAL, value) : nearest;
  }

  // The last two dimensions swapped, element by element.
  void transpose(const Statement &s) {
    const View to = view(*s.tile), from = view(*s.operands[0].tile);
    nest(to.extents, [&](const Index &at) {
      Index there = at;
      std::swap(there[there.size() - 2], there[there.size() - 1]);
      store(load(from, there), to, at);
    });
  }

  // Elements of a part as elements of a dtype with more bytes, each of several; in order.
  void unpack(const Statement &s) {
    const auto flat = [&](const Tile &t) { return last_as_one(view(t), 0); };
    const View to = flat(*s.tile), from = flat(*s.operands[0].tile);
    const DType &small = *from.dtype, &large = *to.dtype;
    const int64_t units = large.bytes / small.bytes;
    run(count(s.tile->extents), register_bytes / large.bytes, [&](const std::string &at, int64_t n) {
      std::string place = units == 1 ? at : op("arith.muli", {at, number(units)}, "index");
      if (s.axis) place = op("arith.addi", {place, number(s.axis)}, "index");
      std::string value = load(from, {place}, n * units);
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

  // ── along an axis ──

  static double start(std::string_view how, const DType &d) {
    if (how == "sum") return 0;
    const double most = d.real ? HUGE_VAL : std::ldexp(1, static_cast<int>(8 * d.bytes - 1));
    return how == "max" ? -most : d.real ? most : most - 1;
  }
  void reduce(const Statement &s) {
    const Tile &source = *s.operands[0].tile;
    const auto axis = static_cast<size_t>(s.axis);
    const std::string_view how = std::string_view(s.name).substr(7);
    const std::string_view word = how == "sum" ? "add" : how == "max" ? "maximum" : "minimum";
    const DType &d = *s.tile->dtype, &inside = computes_in(d);
    const double begin = start(how, d);
    // Before the axis, along it, behind it.
    const size_t behind = source.extents.size() - axis - 1;
    std::vector<size_t> groups, kept;
    if (axis) groups.push_back(axis), kept.push_back(axis);
    groups.push_back(1), kept.push_back(1 + behind);
    if (behind) groups.push_back(behind);
    const View from = collapse(view(source), groups), to = collapse(view(*s.tile), kept);
    const int64_t length = source.extents[axis], lanes = lanes_of(s);
    std::vector<int64_t> before;
    if (axis) before.push_back(from.extents[0]);
    nest(before, [&](const Index &outer) {
      if (!behind) {
        std::string total = constant(begin, {&inside, 1});
        const int64_t whole = length / lanes * lanes;
        if (lanes > 1 && whole > 0) {
          const std::string many =
              along(from, outer, {}, constant(begin, {&inside, lanes}), word, {&d, lanes}, 0, whole, lanes);
          total = combine(word, many, {&inside, lanes});
        }
        if (whole < length) total = along(from, outer, {}, total, word, {&d, 1}, whole, length, 1);
        store(cast(total, {&inside, 1}, d), to, with(outer, number(0)));
        return;
      }
      run(from.extents.back(), lanes, [&](const std::string &at, int64_t n) {
        const std::string total = along(from, outer, at, constant(begin, {&inside, n}), word, {&d, n}, 0, length, 1);
        store(cast(total, {&inside, n}, d), to, with(outer, at), n);
      });
    });
  }
  // A loop along the axis that adds up what it loads, from `at` in the last dimension if that is another one.
  std::string along(const View &from, const Index &outer, const std::string &at, const std::string &begin,
                    std::string_view word, const Lanes &lanes, int64_t first, int64_t end, int64_t step) {
    const DType &inside = computes_in(*lanes.dtype);
    const std::string total = fresh(), so_far = fresh(), k = fresh("%i");
    auto loop = w_.block("}", total, " = scf.for ", k, " = ", number(first), " to ", number(end), " step ",
                         number(step), " iter_args(", so_far, " = ", begin, ") -> (", lanes.of(inside).text(), ") {");
    Index index = with(outer, k);
    if (!at.empty()) index.push_back(at);
    const std::string x = cast(load(from, index, lanes.count), lanes, inside);
    const std::string sum = compute(word, {so_far, x}, lanes.of(inside));
    w_.line("scf.yield ", sum, " : ", lanes.of(inside).text());
    return total;
  }

  // ── products ──

  // target += a b: elements of a by rows of b, several rows of the target at a time.
  void multiply(const Statement &s) {
    const std::vector<int64_t> &to = s.tile->extents;
    const int64_t rows = to[to.size() - 2], depth = s.operands[0].tile->extents.back();
    const int64_t together = rows % 4 == 0 ? 4 : rows % 2 == 0 ? 2 : 1;
    nest({to.begin(), to.end() - 2}, [&](const Index &outer) { rows_of(s, outer, rows, depth, together); });
  }
  void rows_of(const Statement &s, const Index &outer, int64_t rows, int64_t depth, int64_t together) {
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
        auto along = w_.block("}", total, row.size() > 1 ? ":" + std::to_string(row.size()) : "", " = scf.for ", k,
                              " = ", number(0), " to ", number(depth), " step ", number(1), " iter_args(", begins,
                              ") -> (", types, ") {");
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
  void multiply_blocks(const Statement &s) {
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
                    list({x, y, so_far[results.size()]}), " : ", matrix(rows, depth, d), ", ",
                    matrix(depth, columns, d), " into ", sums);
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

  const Context &c;
  const Program &p;
  const Core &core_;
  int64_t column_, row_;
  std::map<std::string, std::string> turns_;            // of the loops around, by their variables
  std::map<std::string, size_t> acquired_, given_back_; // streams of each link
  std::map<std::string, std::string> wholes_;           // what was acquired of each link
};

} // namespace

void write_core(Lines &w, Needs &needs, const Context &c, const Program &p, const Core &core, int64_t column,
                int64_t row) {
  Needs of;
  of.numbers = {0, 1};
  Writer nothing;
  Places none;
  Lines nowhere(nothing, none);
  CoreWriter(nowhere, of, c, p, core, column, row).write(); // which numbers it wants
  w.from(core.node);
  for (const int64_t n : of.numbers) w.line("%c", n, " = arith.constant ", n, " : index");
  w.line("%forever = arith.constant 9223372036854775807 : index");
  CoreWriter(w, of, c, p, core, column, row).write();
  needs.functions.merge(of.functions);
}

std::string memref(const std::vector<int64_t> &extents, const DType &dtype) {
  return "memref<" + join(extents, "", [](int64_t n) { return std::to_string(n) + "x"; }) + std::string(dtype.text) +
         ">";
}

} // namespace htp::aie
