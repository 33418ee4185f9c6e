// Whether instructions take the operands that they are given: dtypes, extents, places that overlap, and parts of
// tensors. What passes make is right by itself; a stage may be written by hand.
#include "analyses/operands.h"
#include "analyses/program.h"

#include "analyses/scratch.h"

#include "htp_cpp/ints.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

template <class List> bool holds(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}
std::string dtype_of(const Tile &t) { return t.dtype ? std::string(t.dtype->name) : "bool_"; }

class Operands {
public:
  Operands(const Context &context, Node root, const Kernel &kernel)
      : c(context), constants_(context, root), k_(kernel), placed_(kernel.stage >= Stage::placed),
        unstaged_(kernel.stage == Stage::selected || (kernel.stage == Stage::split && kernel.cube)) {
    dims_ = dims_of(c, Names(c, root), root);
  }

  bool run() {
    if (!block(k_.body)) return false;
    if (unstaged_) return true;
    for (const Tile &t : k_.tiles)
      if (t.space->cube != k_.cube)
        return no(t.node,
                  Refusal(diag::space_core, t.name, t.space->text, k_.cube ? "cube" : "vector")
                      .with("declare it in a kernel `with pto." + std::string(k_.cube ? "aiv" : "aic") + "():`"));
    return true;
  }

private:
  bool block(const std::vector<Statement> &body) {
    return std::all_of(body.begin(), body.end(), [&](const Statement &s) {
      return (s.kind != Statement::Kind::instruction || instruction(s)) && block(s.body) && block(s.otherwise);
    });
  }
  bool no(Node where, const Refusal &why) const {
    why.report(c, where);
    return false;
  }
  // The first says what it takes, of a dtype that it is not.
  bool no_dtype(const Statement &s, const Tile &t, const std::string &takes, std::string hint) const {
    return no(s.node, Refusal(diag::operand_dtype, t.name, dtype_of(t), s.instruction, takes).with(std::move(hint)));
  }
  bool no_agreement(const Statement &s, const Tile &a, const Tile &b, std::string hint) const {
    return no(s.node,
              Refusal(diag::extents, s.instruction, a.name, extents(a), b.name, extents(b)).with(std::move(hint)));
  }

  // ── extents ──

  MaybeInt sum(Node n) const { return n ? read_int(c, n, with_constants(constants_)) : std::nullopt; }
  // How much larger the first is than the second, where that is known.
  static std::optional<int64_t> more(const MaybeInt &a, const MaybeInt &b) {
    const MaybeInt difference = a - b;
    return difference ? difference->constant() : std::nullopt;
  }
  // Blocks of other loops, and dims, are of other extents, whatever these are.
  bool named(Node n) const { return !placed_ && (k_.blocks.contains(c.name_of(n)) || dims_.contains(c.name_of(n))); }
  bool other(Node a, Node b) const {
    if (a && b && named(a) && named(b)) return c.name_of(a) != c.name_of(b);
    if (a && b && (named(a) || named(b)) && (constant(a) == 1 || constant(b) == 1)) return true;
    return more(sum(a), sum(b)).value_or(0) != 0;
  }
  std::string extents(const Tile &t) const {
    if (t.valid_rows) return c.show(t.valid_rows) + " x " + c.show(t.valid_columns);
    const Nodes parts = c.get<ast::Call>(t.node).args();
    return parts.size() > 1 ? c.show(parts[1]) : "1";
  }
  // How a hint says that extents are given, and a place.
  std::string by_valid() const { return placed_ ? ": `valid=`" : ", where they are declared"; }
  std::string elsewhere(const Tile &t) const {
    if (placed_) return "give `" + t.name + "` bytes of its own: another `at=`";
    return "let it write to a tile of its own: `other = " + c.show(t.node) + "`";
  }
  // A mask of a column lies in a row; before it has a place it may be a column too.
  bool other(const Tile &a, const Tile &b) const {
    const bool differ = other(a.valid_rows, b.valid_rows) || other(a.valid_columns, b.valid_columns);
    if (!a.dtype == !b.dtype || (a.columns != 1 && b.columns != 1) || (!placed_ && !differ)) return differ;
    return a.columns == 1 ? other(a.valid_rows, b.valid_columns) : other(a.valid_columns, b.valid_rows);
  }

  // ── places ──

  enum class Meeting { none, same, part };
  // Of two tiles in any turn; in the same turn where one loop counts both.
  Meeting meeting(const Tile &a, const Tile &b) const {
    if (!placed_) return &a == &b ? Meeting::same : Meeting::none;
    if (a.space != b.space) return Meeting::none;
    Meeting worst = Meeting::none;
    for (int64_t i = 0; i < (a.apart ? 2 : 1); ++i)
      for (int64_t k = 0; k < (b.apart ? 2 : 1); ++k) {
        if (a.apart && b.apart && a.turn == b.turn && i != k) continue;
        const int64_t from = a.offset + i * a.apart, at = b.offset + k * b.apart;
        if (from >= at + b.bytes() || at >= from + a.bytes()) continue;
        const bool alike = from == at && a.dtype == b.dtype && a.columns == b.columns;
        worst = alike && worst != Meeting::part ? Meeting::same : Meeting::part;
      }
    return worst;
  }
  bool apart(const Statement &s, const Tile &a, const Tile &b) const {
    return meeting(a, b) == Meeting::none ||
           no(s.node, Refusal(diag::overlap, s.instruction, a.name, b.name).with(elsewhere(a)));
  }
  bool overlaps(const Statement &s, std::string_view rule) const {
    const Tile &to = *s.tile;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const Tile *from = s.operands[k].tile;
      if (!from || from == &to) {
        if (from && (holds(apart_instructions, s.instruction) || holds(apart_rules, rule))) return apart(s, to, *from);
        continue;
      }
      if (s.instruction == "tfillpad_inplace" && meeting(to, *from) != Meeting::same)
        return no(s.node,
                  Refusal(diag::not_in_place, s.instruction, to.name, from->name)
                      .with(placed_ ? "give both the same `at=`, or use `pto.tfillpad`" : "use `pto.tfillpad`"));
      const bool work = k + 1 == work_of(s.instruction);
      const bool spread = rule == "spread" && other(*from, to);
      if (work || spread || !from->dtype != !to.dtype || holds(apart_instructions, s.instruction) ||
          holds(apart_rules, rule)) {
        if (!apart(s, to, *from)) return false;
      } else if (meeting(to, *from) == Meeting::part) {
        return no(s.node, Refusal(diag::overlap, s.instruction, to.name, from->name)
                              .with("let both begin at the same byte, or share none: another `at=`"));
      }
    }
    return true;
  }

  // ── dtypes ──

  bool dtypes(const Statement &s, const htp_intrinsic &row) const {
    std::map<std::string_view, const Tile *> bound; // what a class stands for in this call
    const auto tile = [&](size_t k) { return k == 0 ? s.tile : s.operands[k - 1].tile; };
    const size_t count = s.operands.size() + 1;
    size_t least = 0;
    for (uint32_t k = 0; k < row.parameter_count; ++k) least += !row.parameters[k].default_value;
    if (count < least || count > row.parameter_count)
      return no(s.node, Refusal(diag::operand_count, s.instruction, row.parameter_count, count).with(example_of(row)));
    for (size_t k = 0; k < count; ++k) {
      const std::string_view annotation = row.parameters[k].annotation, name = row.parameters[k].name;
      const bool number = annotation.find("float") != std::string_view::npos ||
                          annotation.find("int") != std::string_view::npos ||
                          annotation.find("str") != std::string_view::npos;
      const std::string_view kind = annotation.substr(0, annotation.find(' '));
      std::string_view text;
      if (k && annotation.find("str") != std::string_view::npos && c.string(s.operands[k - 1].node, &text)) {
        const std::string_view modes = modes_of(s.instruction);
        if (modes.empty() || modes.find(" " + std::string(text) + " ") != std::string_view::npos) continue;
        return no(s.operands[k - 1].node, Refusal(diag::mode, s.instruction, text)
                                              .with("choose one of" + std::string(modes.substr(0, modes.size() - 1))));
      }
      const Tile *t = tile(k);
      const bool either = number && kind != "float" && kind != "int" && kind != "str";
      if (!t && !number)
        return no(s.operands[k - 1].node,
                  Refusal(diag::operand_kind, name, s.instruction, c.show(s.operands[k - 1].node), "tile")
                      .with(example_of(row)));
      if (t && number && !either)
        return no(s.operands[k - 1].node,
                  Refusal(diag::operand_kind, name, s.instruction, t->name, annotation == "str" ? "string" : "number")
                      .with(example_of(row)));
      if (!t || name == "work" || kind == "Element") continue;
      const std::string dtype = dtype_of(*t);
      const auto known =
          std::find_if(std::begin(classes), std::end(classes), [&](const Class &one) { return one.name == kind; });
      const std::string takes = known == std::end(classes)
                                    ? std::string(kind)
                                    : std::string(known->dtypes.substr(1, known->dtypes.size() - 2));
      if ((" " + takes + " ").find(" " + dtype + " ") == std::string::npos)
        return no_dtype(s, *t, takes, k ? "convert it by `pto.tcvt` before" : "declare `" + t->name + "` so");
      const auto [first, fresh] = bound.try_emplace(kind, t);
      if (known != std::end(classes) && !fresh && dtype_of(*first->second) != dtype)
        return one_dtype(s, *first->second, *t);
    }
    return true;
  }
  // ── extents by rule ──

  bool like(const Statement &s, const Tile &a, const Tile &b) const {
    if (!other(a, b)) return true;
    const bool row = constant(b.valid_rows) == 1 && !other(a.valid_columns, b.valid_columns),
               column = constant(b.valid_columns) == 1 && !other(a.valid_rows, b.valid_rows);
    const std::string expands = std::string(row ? "tcolexpand" : "trowexpand") + s.instruction.substr(1);
    const bool counts = (row || column) && s.operands.size() == 2 && c.intrinsic("pto." + expands);
    return no_agreement(
        s, a, b,
        counts ? "use `pto." + expands + "`, by which a " + (row ? "row" : "column") + " counts for a whole tile"
               : "give both the same " + std::string(placed_ ? "valid " : "") + "rows and columns" + by_valid());
  }
  bool agree(const Statement &s, const Tile &a, Node x, const Tile &b, Node y, const char *what) const {
    return !other(x, y) || no_agreement(s, a, b, std::string("let ") + what + " agree" + by_valid());
  }
  bool sums(const Statement &s, const Tile &to, const Tile &left) const {
    const std::string wanted = dtype_of(left) == "i8" ? "i32" : "f32";
    return dtype_of(to) == wanted ||
           no_dtype(s, to, wanted, "declare `" + to.name + "` as " + wanted + ": the store rounds it");
  }
  bool shapes(const Statement &s, std::string_view rule) const {
    const Tile &to = *s.tile;
    std::vector<const Tile *> from;
    for (size_t k = 0; k < s.operands.size(); ++k)
      if (s.operands[k].tile && k + 1 != work_of(s.instruction)) from.push_back(s.operands[k].tile);
    // i8 goes into products, whose operands are cast where they are staged.
    const bool open = unstaged_ && !from.empty() && dtype_of(*from[0]) == "i8";
    if (rule == "convert" && !open && !converts(s, to, *from[0])) return false;
    const auto all = [&] {
      return std::all_of(from.begin(), from.end(), [&](const Tile *t) { return like(s, to, *t); });
    };
    if (rule == "binary" || rule == "scalar" || rule == "unary" || rule == "convert" || rule == "fused" ||
        rule == "select" || rule == "compare")
      return holds(apart_instructions, s.instruction) || s.instruction == "tsels"
                 ? from.empty() || like(s, to, *from.front())
                 : all();
    if (rule == "padded") return pads(s, to, *from[0]);
    if (rule == "scattered" && from.size() == 2) return like(s, *from[0], *from[1]) && bits(s, *from[0], *from[1]);
    if (rule == "places" && from.size() == 2) return like(s, to, *from[1]) && one_dtype(s, to, *from[0]);
    if (rule == "blocks")
      return agree(s, to, to.valid_rows, *from[1], from[1]->valid_rows, "their rows") &&
             (lines(s, to, 256) && full(s, *from[0]) && offsets(s, to, *from[1]));
    if (rule == "insert") return inserts(s, to, *from[0]);
    if (rule == "move" && to.space->cube) return moves(s, to, *from[0]);
    if (rule == "rows") return agree(s, to, to.valid_rows, *from[0], from[0]->valid_rows, "their rows");
    if (rule == "columns") return agree(s, to, to.valid_columns, *from[0], from[0]->valid_columns, "their columns");
    if (rule == "turn")
      return agree(s, to, to.valid_rows, *from[0], from[0]->valid_columns,
                   "rows of the one and columns of the other") &&
             agree(s, to, to.valid_columns, *from[0], from[0]->valid_rows, "columns of the one and rows of the other");
    if (rule == "spread") {
      const bool rows = s.instruction.starts_with("trow");
      return std::all_of(from.begin(), from.end(), [&](const Tile *t) {
        return rows ? agree(s, to, to.valid_rows, *t, t->valid_rows, "their rows")
                    : agree(s, to, to.valid_columns, *t, t->valid_columns, "their columns");
      });
    }
    if (rule == "product" && from.size() >= 2)
      return row_or_boxes(s, *from[0]) && (from.size() == 2 || biased(s, to, *from[2])) &&
             (unstaged_ || sums(s, to, *from[0])) &&
             agree(s, *from[0], from[0]->valid_columns, *from[1], from[1]->valid_rows,
                   "columns of the left and rows of the right") &&
             agree(s, to, to.valid_rows, *from[0], from[0]->valid_rows, "rows of the sum and of the left") &&
             agree(s, to, to.valid_columns, *from[1], from[1]->valid_columns, "columns of the sum and of the right");
    return true;
  }

  bool converts(const Statement &s, const Tile &to, const Tile &from) const {
    for (const Class &one : conversions)
      if (one.name == dtype_of(from) && one.dtypes.find(" " + dtype_of(to) + " ") == std::string_view::npos)
        return no(s.node, Refusal(diag::conversion, "pto." + s.instruction, dtype_of(from), dtype_of(to))
                              .with("convert to one of " + std::string(one.dtypes.substr(1, one.dtypes.size() - 2)) +
                                    ", and from there"));
    return true;
  }
  // The constant that an extent is, or nothing.
  std::optional<int64_t> constant(Node n) const {
    const auto value = sum(n);
    return value ? value->constant() : std::nullopt;
  }
  bool one_dtype(const Statement &s, const Tile &a, const Tile &b) const {
    return a.dtype == b.dtype ||
           no(s.node, Refusal(diag::dtypes_differ, a.name, dtype_of(a), b.name, dtype_of(b), s.instruction));
  }
  bool bits(const Statement &s, const Tile &a, const Tile &places) const {
    const unsigned wanted = std::max(a.dtype->bytes, 2u);
    const std::string takes = wanted == 2 ? "i16 u16" : "i32 u32";
    return places.dtype->bytes == wanted || no_dtype(s, places, takes, "declare `" + places.name + "` as one of these");
  }
  bool lines(const Statement &s, const Tile &t, int64_t bytes) const {
    const auto columns = constant(t.valid_columns);
    return (columns && *columns % bytes * t.dtype->bytes % bytes == 0) ||
           no(s.node, Refusal(diag::row_bytes, s.instruction, t.name, extents(t), bytes));
  }
  bool full(const Statement &s, const Tile &t) const {
    return !placed_ || (constant(t.valid_rows) == t.rows && constant(t.valid_columns) == t.columns) ||
           no(s.node, Refusal(diag::partly_valid, s.instruction, t.name, extents(t))
                          .with("let all of it be valid: `valid=(" + std::to_string(t.rows) + ", " +
                                std::to_string(t.columns) + ")`"));
  }
  bool offsets(const Statement &s, const Tile &to, const Tile &t) const {
    const int64_t wanted = constant(to.valid_columns).value_or(0) * to.dtype->bytes / 32;
    return constant(t.valid_columns) == wanted ||
           no(s.node, Refusal(diag::offset_count, s.instruction, wanted, t.name, c.show(t.valid_columns))
                          .with("let " + std::to_string(wanted) + " columns be valid"));
  }
  static bool known(const Tile &t) { return t.rows && t.columns; }
  bool no_work(const Statement &s, const Tile &of, const Tile &work, const std::string &wanted,
               std::string hint) const {
    return no(s.node, Refusal(diag::work_size, s.instruction, of.name, extents(of), wanted, work.name, extents(work))
                          .with(std::move(hint)));
  }
  // Whether the scratch tile is large enough.
  bool works(const Statement &s) const {
    const Tile &to = *s.tile;
    const size_t at = work_of(s.instruction);
    const Tile *work = at - 1 < s.operands.size() ? s.operands[at - 1].tile : nullptr;
    if (!work) return true;
    for (size_t k = 0; k + 1 < at; ++k)
      if (const Tile *read = s.operands[k].tile; read && meeting(*work, *read) != Meeting::none)
        return no(s.node, Refusal(diag::overlap, s.instruction, work->name, read->name).with(elsewhere(*work)));
    if (s.instruction == "tpow" || s.instruction == "tpows" || s.instruction == "txor" || s.instruction == "txors")
      return like(s, to, *work) && one_dtype(s, to, *work) && has_scratch(s, to, *work);
    const Tile *from = s.operands[0].tile;
    if (s.instruction == "tgather" && s.operands[1].tile)
      return like(s, *s.operands[1].tile, *work) && one_dtype(s, *s.operands[1].tile, *work) &&
             has_scratch(s, to, *work);
    if (from && s.instruction.starts_with("trow") && !one_dtype(s, *from, *work)) return false;
    if (s.instruction == "tprelu" && dtype_of(*work) != "u8") return no_dtype(s, *work, "u8", "declare it as u8");
    if (s.instruction == "tprelu" && more(sum(work->valid_rows), sum(to.valid_rows)).value_or(1) < 1)
      return no_work(s, to, *work, std::to_string(constant(to.valid_rows).value_or(to.rows) + 1) + " rows",
                     "declare it with a row more, and a byte for eight columns");
    if (from && s.instruction != "trem" && s.instruction != "trems") return has_scratch(s, *from, *work);
    if (s.instruction != "trem" && s.instruction != "trems") return true;
    if (s.instruction == "trems" && to.columns > 64 && constant(to.valid_columns).value_or(65) > 64)
      return no(s.node, Refusal(diag::column_count, s.instruction, 64, to.name));
    if (!placed_ && (!known(to) || !constant(work->valid_columns))) return true;
    const int64_t capacity = placed_ ? to.columns : sdk::round_up_sat(to.columns, 8);
    const int64_t wanted = s.instruction == "trem" ? sdk::add_sat(capacity, sdk::round_up_sat(capacity, 64) / 32)
                                                   : constant(to.valid_columns).value_or(capacity);
    return constant(work->valid_columns).value_or(0) >= wanted ||
           no_work(s, to, *work, std::to_string(wanted) + " columns",
                   "let at least " + std::to_string(wanted) + " columns of it be valid");
  }
  // Whether the scratch tile has what the processors use of it.
  bool has_scratch(const Statement &s, const Tile &through, const Tile &work) const {
    const Tile &to = *s.tile, &from = *s.operands[0].tile;
    if (!from.dtype || !known(through) || !known(work) || !known(to)) return true;
    const pto::Scratch scratch =
        pto::scratch_of(s.instruction, {from.dtype->bytes, from.dtype->name == "f32" || from.dtype->name == "f16",
                                        constant(through.valid_rows).value_or(through.rows),
                                        constant(through.valid_columns).value_or(through.columns), to.columns});
    const std::string size = std::to_string(scratch.rows) + " x " + std::to_string(scratch.columns),
                      bytes = std::to_string(scratch.bytes) + " bytes";
    if (work.rows < scratch.rows || work.columns < scratch.columns)
      return no_work(s, from, work, size,
                     "declare `" + work.name + "` with " + size + " of " + dtype_of(work) + " at least");
    return work.bytes() >= scratch.bytes ||
           no_work(s, from, work, bytes, "declare `" + work.name + "` with " + bytes + " at least");
  }
  bool pads(const Statement &s, const Tile &to, const Tile &from) const {
    if (to.pad.empty()) return no(s.node, Refusal(diag::no_pad, to.name, s.instruction));
    const bool larger = s.instruction == "tfillpad_expand" && to.rows >= from.rows && to.columns >= from.columns;
    if (placed_ && !larger && (to.rows != from.rows || to.columns != from.columns))
      return no(s.node,
                Refusal(diag::sizes, s.instruction, to.name, to.rows, to.columns, from.name, from.rows, from.columns)
                    .with(s.instruction == "tfillpad_expand" ? "declare the target as large, or larger"
                                                             : "declare both alike, or use `pto.tfillpad_expand`"));
    return (more(sum(to.valid_rows), sum(from.valid_rows)).value_or(0) >= 0 &&
            more(sum(to.valid_columns), sum(from.valid_columns)).value_or(0) >= 0) ||
           no_agreement(s, to, from, "let at least " + extents(from) + " of `" + to.name + "` be valid");
  }
  bool inserts(const Statement &s, const Tile &to, const Tile &from) const {
    const auto row = constant(s.operands[1].node), column = constant(s.operands[2].node);
    if (dtype_of(from) != "f32") return no_dtype(s, from, "f32", "insert sums of f32 into a tile of f16 or bf16");
    if (to.layout != Tile::Layout::usual)
      return no(
          s.node,
          Refusal(diag::layout, s.instruction, from.name, to.name).with("declare `" + to.name + "` without `layout=`"));
    if (!known(to) || !known(from)) return true;
    return ((!row || (*row >= 0 && *row + from.rows <= to.rows)) &&
            (!column || (*column >= 0 && *column % 16 == 0 && *column + from.columns <= to.columns))) ||
           no(s.node, Refusal(diag::outside_tile, s.instruction, from.rows, from.columns, c.show(s.operands[1].node),
                              c.show(s.operands[2].node), to.name, to.rows, to.columns)
                          .with("begin inside, at a multiple of 16 columns"));
  }
  bool moves(const Statement &s, const Tile &to, const Tile &from) const {
    const bool row = from.layout == Tile::Layout::nd, bias = to.space->name == "bias",
               scaling = to.space->name == "scaling";
    if (bias || scaling) {
      const std::string one_row = "load it to a tile of one row in L1: `layout=\"nd\"`";
      if (!row) return no(s.node, Refusal(diag::layout, s.instruction, from.name, to.name).with(one_row));
      if ((from.rows && from.rows != 1) || (from.columns && to.columns && from.columns != to.columns))
        return no(s.node,
                  Refusal(diag::sizes, s.instruction, to.name, to.rows, to.columns, from.name, from.rows, from.columns)
                      .with(one_row));
      const bool widens = bias && dtype_of(from) == "f16" && dtype_of(to) == "f32";
      const std::string takes = bias ? "f32 and i32" : "u64";
      return (widens || (takes.find(dtype_of(to)) != std::string::npos && from.dtype == to.dtype)) ||
             no(s.node, Refusal(diag::move_dtype, s.instruction, dtype_of(from), dtype_of(to), to.space->text)
                            .with("declare both as " + takes + (bias ? ", or f16 that becomes f32" : "")));
    }
    if (to.space->name == "mat")
      return dtype_of(from) == "f32" && (dtype_of(to) == "f16" || dtype_of(to) == "bf16")
                 ? like(s, to, from)
                 : no(s.node, Refusal(diag::move_dtype, s.instruction, dtype_of(from), dtype_of(to), to.space->text)
                                  .with("move f32 as f16 or bf16; store i32, and load it again"));
    if (!one_dtype(s, to, from) || (s.instruction == "tmov" && !like(s, to, from))) return false;
    if (s.instruction == "textract" && known(from)) {
      const auto at = [&](size_t k) { return constant(s.operands[k].node).value_or(0); };
      const bool inside = at(1) >= 0 && at(2) >= 0 && at(1) + constant(to.valid_rows).value_or(0) <= from.rows &&
                          at(2) + constant(to.valid_columns).value_or(0) <= from.columns;
      if (!inside || (row && at(2) * from.dtype->bytes % 512))
        return no(s.node,
                  Refusal(diag::outside_tile, s.instruction, c.show(to.valid_rows), c.show(to.valid_columns),
                          c.show(s.operands[1].node), c.show(s.operands[2].node), from.name, from.rows, from.columns)
                      .with(row ? "begin inside, at a multiple of 512 bytes" : "take what is inside"));
    }
    if (placed_ && to.space->name == "left" && row != (to.rows == 1))
      return no(s.node, Refusal(diag::layout, s.instruction, from.name, to.name)
                            .with(row ? "declare `" + to.name + "` with one row, or load `" + from.name +
                                            "` without `layout=\"nd\"`"
                                      : "load `" + from.name + "` with `layout=\"nd\"`"));
    if (row && to.space->name == "right")
      return no(s.node,
                Refusal(diag::layout, s.instruction, from.name, to.name).with("load it without `layout=\"nd\"`"));
    return true;
  }
  bool row_or_boxes(const Statement &s, const Tile &left) const {
    const bool row = left.rows == 1, wanted = s.instruction.starts_with("tgemv");
    if (!left.space->cube || !left.rows || (!placed_ && !wanted)) return true;
    return row == wanted || no(s.node, Refusal(diag::left_rows, left.name, s.instruction, left.rows)
                                           .with(wanted ? "declare it with one row" : "multiply it by `pto.tgemv`"));
  }
  bool biased(const Statement &s, const Tile &to, const Tile &bias) const {
    return one_dtype(s, to, bias) &&
           agree(s, to, to.valid_columns, bias, bias.valid_columns, "columns of the sum and of the bias");
  }

  // ── transfers ──

  bool scales(const Statement &s) const {
    const std::string from = dtype_of(*s.tile), to(s.tensor->dtype->name);
    if (to != "i8" && to != "u8" && (to != "f16" || from != "i32"))
      return no(s.node, Refusal(diag::move_dtype, s.instruction, from, to, "global memory")
                            .with("store f32 to i8 or u8, i32 to these or to f16"));
    const Tile &scale = *s.operands[0].tile;
    return dtype_of(scale) == "u64" ? agree(s, *s.tile, s.tile->valid_columns, scale, scale.valid_columns,
                                            "columns of the sum and of the scales")
                                    : no_dtype(s, scale, "u64", "declare `" + scale.name + "` as u64");
  }
  // Whether the tile has the tensor's dtype.
  bool as_tensor(const Statement &s) const {
    return dtype_of(*s.tile) == s.tensor->dtype->name ||
           no(s.node, Refusal(diag::dtypes_differ, s.tile->name, dtype_of(*s.tile), s.tensor->name,
                              s.tensor->dtype->name, s.instruction)
                          .with("declare the tile with the tensor's dtype, and convert by `pto.tcvt`"));
  }
  // How far elements along a dimension lie apart.
  MaybeInt step_of(const Tensor &g, size_t d) const {
    if (g.lies) return IntExpr(g.lies.steps[d]);
    MaybeInt step = IntExpr(1);
    for (size_t k = d + 1; k < g.extents.size(); ++k) step = step * sum(g.extents[k]);
    return step;
  }
  // Whether elements along a dimension lie one after the other, where a layout says how they lie.
  bool side_by_side(const Statement &s, size_t d) const {
    const Tensor &g = *s.tensor;
    if ((!g.lies && !s.turned) || constant(g.extents[d]) == 1) return true;
    const MaybeInt step = step_of(g, d);
    return (step && *step == 1) ||
           no(s.node,
              Refusal(diag::transfer_steps, s.instruction, g.name, d, step ? step->text() : "many")
                  .with(s.turned ? "leave `turned=True` out" : "write `turned=True`, and a tile of columns by rows"));
  }
  bool rows_of_table(const Statement &s) const {
    if (s.tensor->lies) return no(s.node, Refusal(diag::table_steps, s.instruction, s.tensor->name));
    const Tile &t = *s.tile, &index = *s.operands[0].tile;
    if (s.tensor->extents.size() != 2)
      return no(s.node, Refusal(diag::not_matrix, s.instruction, s.tensor->name, s.tensor->extents.size()));
    if (!as_tensor(s)) return false;
    if (dtype_of(index) != "i32" && dtype_of(index) != "u32")
      return no_dtype(s, index, "i32 u32", "declare `" + index.name + "` as i32");
    if (more(sum(t.valid_columns), sum(s.tensor->extents[1])).value_or(0) > 0)
      return no(s.node, Refusal(diag::row_length, t.name, s.tensor->name, c.show(s.tensor->extents[1]))
                            .with("let at most " + c.show(s.tensor->extents[1]) + " columns be valid"));
    if (constant(index.valid_rows) != 1)
      return no(s.node, Refusal(diag::one_row, index.name, c.show(index.valid_rows), "`pto." + s.instruction + "`")
                            .with("let one row of it be valid"));
    if (s.instruction == "mgather" && !apart(s, t, index)) return false;
    return agree(s, t, t.valid_rows, index, index.valid_columns, "rows of the tile and places");
  }
  // `i + 1` of a loop over blocks: how far it lies behind the block, and where the last one ends.
  struct Block {
    Node name = HTP_NONE;
    MaybeInt behind, end;
  };
  std::optional<Block> block_of(Node index) const {
    Block found;
    bool of_int = false; // `i.start` is one, and `len(i)`
    c.each(index, [&](Node n) {
      if (c.is(n, HTP_Name) && k_.blocks.contains(c.name_of(n))) found.name = n;
      of_int |= c.is(n, HTP_Attribute) || c.is(n, HTP_Call);
    });
    if (!found.name || of_int) return std::nullopt;
    found.behind = sum(index) - sum(found.name);
    found.end = found.behind + sum(k_.blocks.find(c.name_of(found.name))->second);
    return found;
  }
  bool transfer(const Statement &s) const {
    const Tile &t = *s.tile;
    const Tensor &g = *s.tensor;
    if (transfer_of(s.instruction)->writes && g.direction == "in")
      return no(s.node, Refusal(diag::input_written, g.name));
    if (!transfer_of(s.instruction)->indexed) return rows_of_table(s);
    if (s.instruction == "tstore_fp" && !scales(s)) return false;
    if (!t.space->cube && !as_tensor(s)) return false;
    struct Dim {
      MaybeInt length;
      Node index = HTP_NONE, block = HTP_NONE;
      size_t dimension = 0;
    };
    std::vector<Dim> long_dims;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const auto slice = read_slice(c, s.index[d]);
      const auto extent = sum(g.extents[d]);
      const bool whole = !slice && c.dotted(s.index[d]).ends_with(".whole");
      const auto block = slice || whole ? std::nullopt : block_of(s.index[d]);
      const MaybeInt begin = whole   ? IntExpr(0)
                             : block ? block->behind
                                     : sum(slice ? slice->start : s.index[d]),
                     end = whole   ? extent
                           : slice ? sum(slice->stop)
                           : block ? block->end
                                   : begin + 1;
      const auto first = begin ? begin->constant() : std::nullopt;
      if ((first && *first < 0) || more(end, extent).value_or(0) > 0)
        return no(s.index[d], Refusal(diag::outside_tensor, c.show(s.index[d]), g.name, c.show(g.extents[d]))
                                  .with("end at " + c.show(g.extents[d]) + ": `min(…, " + c.show(g.extents[d]) +
                                        ")`, and begin at 0"));
      if (block)
        long_dims.push_back({sum(block->name), s.index[d], block->name, d});
      else if (slice || (whole && !(extent && extent->constant() == 1)))
        long_dims.push_back({end - begin, s.index[d], HTP_NONE, d});
    }
    if (long_dims.size() > 2) return no(s.node, Refusal(diag::transfer_dimensions, s.instruction, long_dims.size()));
    if (s.turned && long_dims.size() != 2) return no(s.node, Refusal(diag::turned_slice, s.instruction, g.name));
    if (s.turned) std::swap(long_dims[0], long_dims[1]);
    if (long_dims.empty()) return true;
    const bool apart = long_dims.size() == 1 && has_apart_lines(c, t);
    if (!apart && !side_by_side(s, long_dims.back().dimension)) return false;
    std::vector<Node> valid{t.valid_rows, t.valid_columns};
    if (long_dims.size() == 1)
      valid = {more(sum(t.valid_rows), IntExpr(1)) == 0                        ? t.valid_columns
               : t.columns == 1 || more(sum(t.valid_columns), IntExpr(1)) == 0 ? t.valid_rows
                                                                               : HTP_NONE};
    for (size_t k = 0; k < long_dims.size(); ++k) {
      if (!valid[k]) continue;
      // What is turned is seen by columns, which its own extents say already.
      const bool unlike = long_dims[k].block ? other(long_dims[k].block, valid[k])
                                             : more(long_dims[k].length, sum(valid[k])).value_or(0) != 0;
      if (unlike && !t.turned())
        return no(long_dims[k].index,
                  Refusal(diag::slice_extent, c.show(long_dims[k].index), g.name, t.name, extents(t)));
    }
    return true;
  }

  bool instruction(const Statement &s) const {
    const htp_intrinsic *row = c.intrinsic("pto." + s.instruction);
    if (!row) return true;
    if (!unstaged_ || in_spaces(s))
      if (const auto wrong = wrong_way(s, k_.cube)) return no(s.node, wrong);
    if (s.tensor) return transfer(s);
    const std::string_view rule = row->rule;
    // Which products a cube core takes is decided where their operands are staged: casts before them go.
    const bool open = unstaged_ && rule == "product";
    return (open || dtypes(s, *row)) && shapes(s, rule) && works(s) && overlaps(s, rule);
  }
  // Whether a tile of it says that it lies elsewhere than those of a stage do that has no kernels yet.
  static bool in_spaces(const Statement &s) {
    return s.tile->space->cube ||
           std::any_of(s.operands.begin(), s.operands.end(), [](auto &o) { return o.tile && o.tile->space->cube; });
  }

  const Context &c;
  sdk::Constants constants_;
  const Kernel &k_;
  bool placed_;
  bool unstaged_; // products take tiles wherever these are
  std::set<std::string, std::less<>> dims_;
};

} // namespace

bool check_operands(const Context &c, Node root, const Kernel &kernel) { return Operands(c, root, kernel).run(); }

} // namespace htp::a2a3
