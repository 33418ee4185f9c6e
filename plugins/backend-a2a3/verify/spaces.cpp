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
  const int64_t side = dtype.bytes == 1 || dtype.word == "i32" ? 32 : 16; // what i8 is summed up in is as large
  return (extent + side - 1) / side * side;
}

std::string space_words() {
  std::string all;
  for (const Space &one : spaces) all += (all.empty() ? "\"" : ", \"") + std::string(one.name) + "\"";
  return all;
}

namespace {
std::string number(int64_t n) { return std::to_string(n); }
std::string by(int64_t rows, int64_t columns) { return number(rows) + " x " + number(columns); }
} // namespace

std::optional<Wrong> wrong_place(const Tile &t) {
  const bool mask = !t.dtype;
  const std::string in(t.space->text), name = "`" + t.name + "`", dtype(mask ? "bool_" : t.dtype->word);
  const int64_t size = t.apart + t.bytes(), end = t.offset + size;
  if (t.offset >= 0 && t.apart >= 0 && end > t.space->bytes)
    return Wrong{name + " ends at byte " + number(end) + " of " + in + ", which has " + number(t.space->bytes),
                 size > t.space->bytes ? "cut its block: it takes " + number(size) + " bytes wherever it begins"
                                       : "let it begin at " + number((t.space->bytes - size) / 32 * 32) + " or before"};
  if (t.offset < 0 || t.offset % 32) {
    const int64_t before = std::max<int64_t>(t.offset, 0) / 32 * 32;
    return Wrong{name + " begins at byte " + number(t.offset) + " of " + in + ", which is no multiple of 32",
                 "let it begin at " + number(before) + " or " + number(before + 32)};
  }
  if (t.apart < 0 || t.apart % 32)
    return Wrong{"the two places of " + name + " are " + number(t.apart) + " bytes apart, which is no multiple of 32",
                 "let them be apart by what it takes, or more: `at=" + number(t.offset) + " + " + t.turn + " * " +
                     number((t.bytes() + 31) / 32 * 32) + "`"};
  const bool row = t.rows == 1 && (t.space->name == "left" || !t.space->boxes) && t.space->cube;
  if (t.space->cube && !t.space->boxes && t.rows != 1)
    return Wrong{name + " has " + number(t.rows) + " rows, and " + in + " holds one", "declare it with one row"};
  if (!t.pad.empty() && t.space->cube)
    return Wrong{name + " is filled up, in " + in, "`pad=` is for tiles of the unified buffer"};
  const bool column = !mask && t.columns == 1;
  const int64_t line = row ? t.space->line : 32, bits = mask ? 1 : 8 * t.dtype->bytes;
  const int64_t many = column ? t.rows : t.columns, least = line * 8 / bits, up = (many + least - 1) / least * least;
  if (many % least)
    return Wrong{(column ? "the column " : "rows of ") + name + (column ? " takes " : " take ") +
                     (mask ? number(many) + " bits" : number(many * t.dtype->bytes) + " bytes") + ", and " + in +
                     " has multiples of " + number(line) + " bytes",
                 "declare it as " + (column ? by(up, 1) : by(t.rows, up)) + " of " + dtype +
                     ", of which `valid=` says what counts"};
  if (t.space->boxes && !row && t.layout != Tile::Layout::nd) {
    const int64_t rows = boxed(t.rows, *t.dtype), columns = boxed(t.columns, *t.dtype);
    if (rows != t.rows || columns != t.columns)
      return Wrong{name + ", " + by(t.rows, t.columns) + " of " + dtype + ", is not made of boxes, as tiles in " + in +
                       " are",
                   "declare it as " + by(rows, columns) + ", of which `valid=` says what counts"};
  }
  return std::nullopt;
}

namespace {

bool in(const Tile *t, std::string_view space) { return t && t->space->name == space; }

// Whether the tile comes from the first space, and goes to the second, by an instruction.
bool moves(std::string_view word, const Tile &to, const Tile *from) {
  if (word == "tinsert") return in(&to, "mat") && in(from, "acc");
  if (word == "tmov" && in(&to, "mat")) return in(from, "acc");
  if (word == "tmov" && (in(&to, "bias") || in(&to, "scaling"))) return in(from, "mat");
  return (in(&to, "left") || in(&to, "right")) && in(from, "mat");
}
// The way from one memory to another that has none of one step.
std::string way_round(const Tile &to, const Tile &from) {
  const std::string extents = std::to_string(from.rows) + ", " + std::to_string(from.columns);
  const std::string dtype(from.dtype ? from.dtype->word : "bool_");
  if (!to.space->cube)
    return "it goes through global memory: `g = pto.gm(" + dtype +
           ", rows, columns)` before the kernels, `pto.tstore(g, " + (in(&from, "acc") ? from.name : "sum") +
           ", …)` here, and `pto.tload(" + to.name + ", g, …)` in a kernel behind, `with pto.aiv():`";
  if (!from.space->cube)
    return "it goes through global memory: `g = pto.gm(" + dtype +
           ", rows, columns)` before the kernels, `pto.tstore(g, " + from.name +
           ", …)` in a kernel before, `with pto.aiv():`, and `pto.tload` of `g` to a tile in L1, `space=\"mat\"`";
  if (in(&from, "acc"))
    return "it goes through L1: `pto.tmov(block, " + from.name +
           ")` to a tile of f16 or bf16 there, `space=\"mat\"`, and on from there";
  if (in(&to, "acc")) return "sums are made there: `pto.tmatmul(" + to.name + ", left, right)`";
  if (in(&to, "mat")) return "L1 is loaded from global memory, `pto.tload`, and takes sums from L0C";
  return "it is loaded to L1, `space=\"mat\"`, and moved from there";
}

} // namespace

std::optional<Wrong> wrong_way(const Statement &s, bool cube) {
  const std::string word = "`pto." + s.word + "`";
  const auto from = [&](size_t k) { return k < s.operands.size() ? s.operands[k].tile : nullptr; };
  const bool product = s.word.starts_with("tmatmul") || s.word.starts_with("tgemv");
  const bool moving = s.word == "tmov" || s.word == "textract" || s.word == "tinsert";
  if (moving && from(0) && (s.tile->space->cube || from(0)->space->cube)) {
    if (!s.tile->space->cube || !from(0)->space->cube || !moves(s.word, *s.tile, from(0)))
      return Wrong{word + " of `" + from(0)->name + "` in " + std::string(from(0)->space->text) + " to `" +
                       s.tile->name + "` in " + std::string(s.tile->space->text) +
                       ": there is no way from the one to the other",
                   way_round(*s.tile, *from(0))};
  } else if (cube && product) {
    const std::string_view spaces_of[] = {"left", "right", "bias"};
    if (!in(s.tile, "acc"))
      return Wrong{word + " writes `" + s.tile->name + "` in " + std::string(s.tile->space->text) +
                       ", and sums lie in L0C",
                   "declare it with `space=\"acc\"`"};
    for (size_t k = 0; k < (s.word.ends_with("_bias") ? 3U : 2U); ++k)
      if (from(k) && !in(from(k), spaces_of[k])) {
        const Space *wanted = space_named(spaces_of[k]);
        return Wrong{word + " reads `" + from(k)->name + "` in " + std::string(from(k)->space->text) +
                         ", and takes it in " + std::string(wanted->text),
                     "move it: `pto.tmov(other, " + from(k)->name + ")` to a tile of `space=\"" +
                         std::string(wanted->name) + "\"`"};
      }
  } else if (cube && s.word == "tload") {
    if (!in(s.tile, "mat"))
      return Wrong{
          word + " loads `" + s.tile->name + "` to " + std::string(s.tile->space->text) +
              ", and a cube core loads to L1 alone",
          "load a tile of `space=\"mat\"`" +
              std::string(s.tile->space->cube ? ", and move it: `pto.tmov(" + s.tile->name + ", block)`" : "")};
  } else if (cube && (s.word == "tstore" || s.word == "tstore_fp")) {
    if (!in(s.tile, "acc"))
      return Wrong{word + " stores `" + s.tile->name + "` from " + std::string(s.tile->space->text) +
                       ", and a cube core stores sums alone",
                   "store a tile of `space=\"acc\"`"};
    if (s.word == "tstore_fp" && !in(from(0), "scaling"))
      return Wrong{word + " scales by what does not lie in the scaling buffer",
                   "move the scales: `pto.tmov(scales, row)` to a tile of `space=\"scaling\"`"};
  } else if (cube && !moving) {
    return Wrong{word + " is an instruction of vector cores, in a kernel for cube cores",
                 "let it stand in a kernel `with pto.aiv():`, and let what it needs of this one go through `pto.gm`"};
  }
  const Tile *other = s.tile->space->cube != cube ? s.tile : nullptr;
  for (const Operand &o : s.operands)
    if (o.tile && o.tile->space->cube != cube) other = o.tile;
  if (!cube && (product || s.word == "textract" || s.word == "tinsert" || s.word == "tstore_fp"))
    return Wrong{word + " is an instruction of cube cores, in a kernel for vector cores",
                 "let it stand in a kernel `with pto.aic():`, and let what it makes go through `pto.gm`"};
  if (!other) return std::nullopt;
  return Wrong{word + " of `" + other->name + "`, a tile in " + std::string(other->space->text) + ", which " +
                   (cube ? "cube" : "vector") + " cores do not have",
               cube ? "declare it with `space=\"mat\"`"
                    : "declare it without `space=`: it lies in the unified buffer then"};
}

} // namespace htp::a2a3
