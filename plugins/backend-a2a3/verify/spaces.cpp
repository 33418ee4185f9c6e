// The memories of a core: where tiles may lie in them, and what moves between them.
#include "analyses/program.h"

namespace htp::a2a3 {

const Space *space_named(std::string_view name) {
  for (const Space &s : spaces)
    if (s.name == name) return &s;
  return nullptr;
}
int64_t capacity_of(std::string_view space) {
  const Space *s = space_named(space);
  return s ? s->bytes : 0;
}
int64_t boxed(int64_t extent, const DType &dtype) {
  const int64_t side = dtype.bytes == 1 || dtype.name == "i32" ? 32 : 16; // what i8 is summed up in is as large
  return sdk::round_up_sat(extent, side);
}

std::string space_names() {
  std::string all;
  for (const Space &one : spaces) all += (all.empty() ? "\"" : ", \"") + std::string(one.name) + "\"";
  return all;
}

namespace {
std::string number(int64_t n) { return std::to_string(n); }
std::string by(int64_t rows, int64_t columns) { return number(rows) + " x " + number(columns); }
} // namespace

Refusal wrong_place(const Tile &t) {
  const bool mask = !t.dtype;
  const std::string_view in = t.space->text, dtype = mask ? "bool_" : t.dtype->name;
  const int64_t size = sdk::add_sat(t.apart, t.bytes()), end = sdk::add_sat(t.offset, size);
  if (t.offset >= 0 && t.apart >= 0 && end > t.space->bytes)
    return Refusal(diag::space_end, t.name, end, in, t.space->bytes)
        .with(size > t.space->bytes ? "cut its block: it takes " + number(size) + " bytes wherever it begins"
                                    : "let it begin at " + number((t.space->bytes - size) / 32 * 32) + " or before");
  if (t.offset < 0 || t.offset % 32) {
    const int64_t before = std::max<int64_t>(t.offset, 0) / 32 * 32;
    return Refusal(diag::alignment, t.name, t.offset, in)
        .with("let it begin at " + number(before) + " or " + number(before + 32));
  }
  if (t.apart < 0 || t.apart % 32)
    return Refusal(diag::double_alignment, t.name, t.apart)
        .with("let them be apart by what it takes, or more: `at=" + number(t.offset) + " + " + t.turn + " * " +
              number((t.bytes() + 31) / 32 * 32) + "`");
  const bool row = t.rows == 1 && (t.space->name == "left" || !t.space->boxes) && t.space->cube;
  if (t.space->cube && !t.space->boxes && t.rows != 1) return Refusal(diag::one_row, t.name, t.rows, in);
  if (!t.pad.empty() && t.space->cube) return Refusal(diag::pad_space, t.name, in);
  const bool column = !mask && t.columns == 1;
  const int64_t line = row ? t.space->line : 32, bits = mask ? 1 : 8 * t.dtype->bytes;
  const int64_t many = column ? t.rows : t.columns, least = line * 8 / bits, up = (many + least - 1) / least * least;
  if (many % least)
    return Refusal(diag::line_bytes, t.name, mask ? many : many * t.dtype->bytes, mask ? "bits" : "bytes", in, line)
        .with("declare it as " + (column ? by(up, 1) : by(t.rows, up)) + " of " + std::string(dtype) +
              ", of which `valid=` says what counts");
  if (t.space->boxes && !row && t.layout != Tile::Layout::nd) {
    const int64_t rows = boxed(t.rows, *t.dtype), columns = boxed(t.columns, *t.dtype);
    if (rows != t.rows || columns != t.columns)
      return Refusal(diag::boxes, t.name, t.rows, t.columns, dtype, in)
          .with("declare it as " + by(rows, columns) + ", of which `valid=` says what counts");
  }
  return {};
}

namespace {

bool in(const Tile *t, std::string_view space) { return t && t->space->name == space; }

// Whether the tile comes from the first space, and goes to the second, by an instruction.
bool moves(std::string_view instruction, const Tile &to, const Tile *from) {
  if (instruction == "tinsert") return in(&to, "mat") && in(from, "acc");
  if (instruction == "tmov" && in(&to, "mat")) return in(from, "acc");
  if (instruction == "tmov" && (in(&to, "bias") || in(&to, "scaling"))) return in(from, "mat");
  return (in(&to, "left") || in(&to, "right")) && in(from, "mat");
}
// The way from one memory to another that has none of one step.
std::string way_round(const Tile &to, const Tile &from) {
  const std::string extents = std::to_string(from.rows) + ", " + std::to_string(from.columns);
  const std::string dtype(from.dtype ? from.dtype->name : "bool_");
  if (!to.space->cube)
    return "move it through global memory: `g = pto.gm(" + dtype +
           ", rows, columns)` before the kernels, `pto.tstore(g, " + (in(&from, "acc") ? from.name : "sum") +
           ", …)` here, and `pto.tload(" + to.name + ", g, …)` in a kernel behind, `with pto.aiv():`";
  if (!from.space->cube)
    return "move it through global memory: `g = pto.gm(" + dtype +
           ", rows, columns)` before the kernels, `pto.tstore(g, " + from.name +
           ", …)` in a kernel before, `with pto.aiv():`, and `pto.tload` of `g` to a tile in L1, `space=\"mat\"`";
  if (in(&from, "acc"))
    return "move it through L1: `pto.tmov(block, " + from.name +
           ")` to a tile of f16 or bf16 there, `space=\"mat\"`, and on from there";
  if (in(&to, "acc")) return "make sums there: `pto.tmatmul(" + to.name + ", left, right)`";
  if (in(&to, "mat")) return "load L1 from global memory, `pto.tload`, or move sums from L0C";
  return "load it to L1, `space=\"mat\"`, and move it from there";
}

} // namespace

Refusal wrong_way(const Statement &s, bool cube) {
  const auto from = [&](size_t k) { return k < s.operands.size() ? s.operands[k].tile : nullptr; };
  const bool product = s.instruction.starts_with("tmatmul") || s.instruction.starts_with("tgemv");
  const bool moving = s.instruction == "tmov" || s.instruction == "textract" || s.instruction == "tinsert";
  const auto elsewhere = [&](const Tile &t, std::string_view wanted, std::string hint) {
    return Refusal(diag::operand_space, s.instruction, t.name, space_named(wanted)->text, t.space->text)
        .with(std::move(hint));
  };
  if (moving && from(0) && (s.tile->space->cube || from(0)->space->cube)) {
    if (!s.tile->space->cube || !from(0)->space->cube || !moves(s.instruction, *s.tile, from(0)))
      return Refusal(diag::no_path, s.instruction, from(0)->name, from(0)->space->text, s.tile->name,
                     s.tile->space->text)
          .with(way_round(*s.tile, *from(0)));
  } else if (cube && product) {
    const std::string_view spaces_of[] = {"left", "right", "bias"};
    if (!in(s.tile, "acc")) return elsewhere(*s.tile, "acc", "declare it with `space=\"acc\"`");
    for (size_t k = 0; k < (s.instruction.ends_with("_bias") ? 3U : 2U); ++k)
      if (from(k) && !in(from(k), spaces_of[k]))
        return elsewhere(*from(k), spaces_of[k],
                         "move it: `pto.tmov(other, " + from(k)->name + ")` to a tile of `space=\"" +
                             std::string(spaces_of[k]) + "\"`");
  } else if (cube && s.instruction == "tload") {
    if (!in(s.tile, "mat"))
      return elsewhere(
          *s.tile, "mat",
          "load a tile of `space=\"mat\"`" +
              std::string(s.tile->space->cube ? ", and move it: `pto.tmov(" + s.tile->name + ", block)`" : ""));
  } else if (cube && (s.instruction == "tstore" || s.instruction == "tstore_fp")) {
    if (!in(s.tile, "acc")) return elsewhere(*s.tile, "acc", "store a tile of `space=\"acc\"`");
    if (s.instruction == "tstore_fp" && from(0) && !in(from(0), "scaling"))
      return elsewhere(*from(0), "scaling",
                       "move the scales: `pto.tmov(scales, row)` to a tile of `space=\"scaling\"`");
  } else if (cube && !moving) {
    return Refusal(diag::core_instruction, s.instruction, "vector", "cube")
        .with("move it to a kernel `with pto.aiv():`, and let what it needs of this one go through `pto.gm`");
  }
  const Tile *other = s.tile->space->cube != cube ? s.tile : nullptr;
  for (const Operand &o : s.operands)
    if (o.tile && o.tile->space->cube != cube) other = o.tile;
  if (!cube && (product || s.instruction == "textract" || s.instruction == "tinsert" || s.instruction == "tstore_fp"))
    return Refusal(diag::core_instruction, s.instruction, "cube", "vector")
        .with("move it to a kernel `with pto.aic():`, and let what it makes go through `pto.gm`");
  if (!other) return {};
  return Refusal(diag::space_core, other->name, other->space->text, cube ? "cube" : "vector")
      .with(cube ? "declare it with `space=\"mat\"`"
                 : "declare it without `space=`: it lies in the unified buffer then");
}

} // namespace htp::a2a3
