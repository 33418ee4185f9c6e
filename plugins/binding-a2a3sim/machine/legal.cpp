// What the processors take: which operands an instruction has, of which dtypes, spaces and layouts, and what may not
// overlap.
#include "core.h"

#include "work.h"

#include <cstring>

namespace htp::a2a3sim {

namespace {

constexpr int BY_SPACE = -1;
[[maybe_unused]] constexpr int S = htp_sim::PIPE_S_, V = htp_sim::PIPE_V_, MTE1 = htp_sim::PIPE_MTE1_,
                               MTE2 = htp_sim::PIPE_MTE2_, MTE3 = htp_sim::PIPE_MTE3_, M = htp_sim::PIPE_M_,
                               FIX = htp_sim::PIPE_FIX_;
constexpr Instruction rows[] = {
#define PTO(name, pipe, roles, family, dtypes) {#name, pipe, roles, #family, dtypes},
#include "instructions.def"
};

bool has_option(std::string_view options, std::string_view option) {
  for (size_t at = 0; at < options.size();) {
    const size_t end = std::min(options.find(' ', at), options.size());
    if (options.substr(at, end - at) == option) return true;
    at = end + 1;
  }
  return false;
}

std::string extents(int64_t r, int64_t c) { return std::to_string(r) + " x " + std::to_string(c); }

bool same_valid(const Operand &a, const Operand &b) {
  return a.valid_rows == b.valid_rows && a.valid_columns == b.valid_columns;
}
bool overlap(const Operand &a, const Operand &b) {
  const auto end = [](const Operand &t) {
    return t.offset + static_cast<uint64_t>(t.rows) * static_cast<uint64_t>(t.columns) * bytes_of(t.type);
  };
  return a.space == b.space && a.offset < end(b) && b.offset < end(a);
}
bool plain_rows(const Operand &t) { return t.box == htp_sim::Box::none && t.row_major; }
bool nz(const Operand &t) { return t.box == htp_sim::Box::rows && !t.row_major; }
bool zn(const Operand &t) { return t.box == htp_sim::Box::columns && t.row_major; }

int64_t pair_of(const Operand &t) { return 8 / static_cast<int64_t>(bytes_of(t.type)); } // elements of a pair

class Judge {
public:
  Judge(Op op, const Operand *o, uint32_t count, const std::string &roles)
      : op_(op), o_(o), count_(count), roles_(roles), row_(instruction(op)) {}

  Verdict verdict(bool vector) {
    for (uint32_t k = 0; k < count_ && good(); ++k)
      if (o_[k].kind == Kind::tile) tile(o_[k], vector);
    for (uint32_t k = 0; k < count_ && good(); ++k) kind(k);
    if (good()) dtype();
    if (good()) rules();
    if (good()) works();
    if (good() && row_.pipe != BY_SPACE) v_.pipe = static_cast<Pipe>(row_.pipe);
    return v_;
  }

private:
  bool good() const { return v_.wrong.empty(); }
  void no(const std::string &what, const std::string &hint) {
    if (good()) v_.wrong = std::string(row_.name) + ": " + what, v_.hint = hint;
  }
  void require(bool is, const std::string &what, const std::string &hint) {
    if (!is) no(what, hint);
  }
  bool family(const char *name) const { return std::strcmp(row_.family, name) == 0; }

  void tile(const Operand &t, bool vector) {
    const uint64_t bytes = static_cast<uint64_t>(t.rows) * static_cast<uint64_t>(t.columns) * bytes_of(t.type),
                   room = capacity_of(t.space);
    const std::string name = std::string(name_of(t.space)) + " tile";
    require(t.assigned, "a " + name + " has no memory", "give it some by TASSIGN");
    require(vector == (t.space == Space::vec), "a " + name + " is of the other kind of core",
            vector ? "a vector core has Vec tiles only" : "a cube core has no Vec tiles");
    require(t.offset % 32 == 0, "the offset " + std::to_string(t.offset) + " of a " + name + " is no multiple of 32",
            "assign offsets that are multiples of 32");
    require(t.offset + bytes <= room,
            "a " + name + " of " + std::to_string(bytes) + " bytes at offset " + std::to_string(t.offset) +
                " leaves its memory of " + std::to_string(room) + " bytes",
            "make the tile smaller, or assign it a lower offset");
    require(t.valid_rows > 0 && t.valid_columns > 0 && t.valid_rows <= t.rows && t.valid_columns <= t.columns,
            "the valid part " + extents(t.valid_rows, t.valid_columns) + " is empty, or larger than its tile of " +
                extents(t.rows, t.columns),
            "skip what is empty; cut what is larger into tiles");
  }

  void kind(uint32_t k) {
    const bool number = o_[k].kind == Kind::integer || o_[k].kind == Kind::real;
    require(number == (roles_[k] == 'n'), "operand " + std::to_string(k) + (number ? " is a number" : " is no number"),
            "its operands are " + std::string(row_.roles));
    const bool global = ((family("load") || family("table_load")) && k == 1) ||
                        ((family("store") || family("store_scaled") || family("table_store")) && k == 0);
    if (!number)
      require(global == (o_[k].kind == Kind::global),
              "operand " + std::to_string(k) + (global ? " is no global tensor" : " is no tile"),
              "TLOAD, TPREFETCH, TSTORE, TSTORE_FP, MGATHER and MSCATTER go to global memory, and nothing else");
  }

  const Operand &deciding() const {
    if (family("select")) return o_[0];
    for (uint32_t k = 0; k < count_; ++k)
      if (roles_[k] == 'r' && o_[k].kind != Kind::none)
        return family("matmul") ? o_[count_ == 4 && std::strstr(row_.name, "_ACC") ? 2 : 1] : o_[k];
    return o_[0];
  }
  void dtype() {
    require(has_option(row_.dtypes, name_of(deciding().type)),
            std::string("`") + name_of(deciding().type) + "` is no dtype of it",
            "it takes " + std::string(row_.dtypes));
  }

  void vec(uint32_t k, bool plain = true) {
    require(o_[k].space == Space::vec, "operand " + std::to_string(k) + " is no Vec tile",
            "move it through global memory");
    if (plain)
      require(plain_rows(o_[k]), "operand " + std::to_string(k) + " is not RowMajor without boxes",
              "give a column the form of a row: the same bytes as a tile of 1 row");
  }
  void alike(uint32_t a, uint32_t b) {
    require(o_[a].type == o_[b].type,
            std::string("operands are `") + name_of(o_[a].type) + "` and `" + name_of(o_[b].type) + "`",
            "convert one by TCVT");
  }
  void same_extents(uint32_t a, uint32_t b) {
    require(same_valid(o_[a], o_[b]),
            "the valid parts are " + extents(o_[a].valid_rows, o_[a].valid_columns) + " and " +
                extents(o_[b].valid_rows, o_[b].valid_columns),
            "give both the same valid rows and columns");
  }
  void apart(uint32_t a, uint32_t b) {
    require(!overlap(o_[a], o_[b]), "operands " + std::to_string(a) + " and " + std::to_string(b) + " share memory",
            "assign the result an address of its own");
  }
  // The tile to work with lies apart, and has the room that the processors use of it.
  void works() {
    for (uint32_t k = 0; k < count_; ++k) {
      if (roles_[k] != 't' || o_[k].kind != Kind::tile || op_ == Op::TPREFETCH) continue;
      for (uint32_t other = 0; other < count_; ++other)
        if (other != k && o_[other].kind == Kind::tile) apart(k, other);
      const Operand &x = o_[1], &work = o_[k];
      const Operand &counted = family("gather") ? o_[0] : x; // which elements go through it
      Operand through = x;
      through.valid_rows = counted.valid_rows, through.valid_columns = counted.valid_columns;
      const Work room = work_of(op_, o_[0], through);
      const int64_t bytes = work.rows * static_cast<int64_t>(work.columns) * static_cast<int64_t>(bytes_of(work.type));
      require(work.rows >= room.rows && work.columns >= room.columns,
              "the tile to work with is " + extents(work.rows, work.columns),
              "it needs " + extents(room.rows, room.columns));
      require(bytes >= room.bytes, "the tile to work with has " + std::to_string(bytes) + " bytes",
              "it needs " + std::to_string(room.bytes));
      if (room.columns > 0 && (family("row_reduce") || family("row_place"))) alike(1, k);
      if (op_ == Op::TXOR || op_ == Op::TXORS) alike(0, k), same_extents(0, k);
      if (op_ == Op::TGATHER) alike(2, k), same_extents(2, k);
      if (op_ == Op::TPRELU)
        require(work.type == Type::u8 && work.valid_rows > o_[0].valid_rows,
                std::string("the tile to work with is `") + name_of(work.type) + "` of " +
                    std::to_string(work.valid_rows) + " valid rows",
                "it is u8, of a row more than the result");
    }
  }
  void by_row(uint32_t k) { // one value a row
    const auto block = static_cast<int32_t>(32 / bytes_of(o_[k].type));
    require(o_[k].box == htp_sim::Box::none && o_[k].valid_columns == (o_[k].row_major ? block : 1),
            "operand " + std::to_string(k) + " does not hold one value a row",
            "a ColMajor tile with one valid column, or a RowMajor one with " + std::to_string(block));
    require(o_[k].valid_rows == o_[0].valid_rows, "operand " + std::to_string(k) + " has other rows than the result",
            "give both the same valid rows");
  }

  void rules() {
    const Operand &d = o_[0], &s = o_[1];
    if (family("load")) {
      transfer(d, s);
      v_.pipe = htp_sim::PIPE_MTE2_;
      require(d.space == Space::vec || d.space == Space::mat, std::string("it loads no ") + name_of(d.space) + " tile",
              "load a Mat tile, and move it on by TMOV or TEXTRACT");
      const bool box = d.box != htp_sim::Box::none, nd = s.layout == htp_sim::Global::nd,
                 dn = s.layout == htp_sim::Global::dn;
      const bool same = nd ? plain_rows(d) || (plain_column(d)) : dn ? !box && !d.row_major : nz(d);
      const bool turned = d.space == Space::mat && ((nd && nz(d)) || (dn && zn(d)));
      require(same || turned, "the layouts of the tile and of global memory do not fit",
              "ND goes to RowMajor (a Mat tile: also to Nz), DN to ColMajor (Mat: also Zn), NZ to Nz");
      if (turned)
        require(s.shape[0] * s.shape[1] * s.shape[2] == 1, "what is turned into boxes has two dimensions",
                "load one matrix after the other");
    } else if (family("store")) {
      transfer(s, d);
      v_.pipe = s.space == Space::acc ? htp_sim::PIPE_FIX_ : htp_sim::PIPE_MTE3_;
      require(s.space == Space::vec || s.space == Space::mat || s.space == Space::acc,
              std::string("it stores no ") + name_of(s.space) + " tile", "store Vec, Mat and Acc tiles");
      if (s.space == Space::acc) {
        require(d.layout != htp_sim::Global::dn, "an Acc tile is not stored as DN", "store it as ND or NZ");
        require(s.type == Type::f32 ? d.type == Type::f32 || d.type == Type::f16 || d.type == Type::bf16
                                    : d.type == Type::i32,
                std::string("an Acc tile of `") + name_of(s.type) + "` is not stored as `" + name_of(d.type) + "`",
                "f32 goes to f32, f16 and bf16, i32 to i32");
      }
    } else if (family("store_scaled")) {
      transfer(s, d);
      require(s.space == Space::acc && o_[2].space == Space::scaling && o_[2].type == Type::u64,
              "its operands are no Acc tile and Scaling tile of u64", "move the scales there by TMOV");
      require(d.layout != htp_sim::Global::dn, "an Acc tile is not stored as DN", "store it as ND or NZ");
      require(d.type == Type::i8 || d.type == Type::u8 || (d.type == Type::f16 && s.type == Type::i32),
              std::string("an Acc tile of `") + name_of(s.type) + "` is not scaled to `" + name_of(d.type) + "`",
              "f32 goes to i8 and u8, i32 to these and f16");
      require(o_[2].valid_columns == s.valid_columns && o_[2].valid_rows == 1, "the scales are not one a column",
              "give both the same valid columns");
    } else if (family("table_load") || family("table_store")) {
      const bool loads = family("table_load");
      const Operand &t = loads ? d : s, &g = loads ? s : d, &index = o_[2];
      vec(loads ? 0 : 1), vec(2), alike(0, 1);
      require(index.type == Type::i32 || index.type == Type::u32, "the indices are no integers of 32 bits",
              "declare them as i32");
      require(index.valid_rows == 1 && index.valid_columns == t.valid_rows, "there is not one index a row",
              "give it a row of one index for each row that is moved");
      require(g.layout == htp_sim::Global::nd && g.shape[0] * g.shape[1] * g.shape[2] == 1 && g.stride[4] == 1 &&
                  g.shape[4] >= t.valid_columns,
              "the table is no matrix whose rows are as long as the tile's", "let it be ND, with rows that hold them");
      if (loads) apart(0, 2);
    } else if (family("move") || family("insert")) {
      moves(d, s);
    } else if (family("matmul")) {
      product();
    } else if (op_ == Op::TCI || family("expands")) {
      if (op_ == Op::TCI) {
        vec(0);
        require(d.rows == 1, "it fills one row, and the tile has " + std::to_string(d.rows),
                "count in a row, and TCOLEXPAND it");
      }
    } else if (family("compare")) {
      vec(0), vec(1);
      require(d.type == Type::u8, std::string("the mask is `") + name_of(d.type) + "`",
              "a mask has a bit an element, in `u8`");
      require(s.type != Type::i32 || o_[count_ - 1].integer == 0, "of i32 these processors compare EQ only",
              "compare as f32 where that is exact, or by TMAX, TMIN and TSUB");
      require(d.valid_rows == s.valid_rows && d.valid_columns * 8 >= s.valid_columns, "the mask is too small",
              "one valid column for eight elements");
      if (op_ == Op::TCMP) vec(2), alike(1, 2), same_extents(1, 2);
    } else if (family("select")) {
      for (uint32_t k : {0u, 1u, 2u}) vec(k);
      require(s.type == Type::u8, std::string("the mask is `") + name_of(s.type) + "`",
              "a mask has a bit an element, in `u8`");
      alike(0, 2), same_extents(0, 2), apart(0, 1);
      require(s.valid_rows >= d.valid_rows && s.valid_columns * 8 >= d.valid_columns, "the mask is too small",
              "one valid column for eight elements");
      if (op_ == Op::TSEL) vec(3), alike(0, 3), same_extents(0, 3), apart(0, 4);
      if (op_ == Op::TSELS) apart(0, 3);
    } else if (family("transpose")) {
      vec(0), vec(1), alike(0, 1), apart(0, 1);
      require(d.rows >= s.valid_columns && d.columns >= s.valid_rows, "the result is too small",
              "it has as many rows as the other has columns");
    } else if (family("gather")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(0, 2), apart(0, 1);
      require(bytes_of(o_[2].type) == 4 || bytes_of(o_[2].type) == 2, "the indices are no integers", "indices are i32");
    } else if (family("pattern")) {
      vec(0), vec(1);
      require(bytes_of(d.type) == bytes_of(s.type), "the dtypes differ in size", "both have 16 bits, or both 32");
      const Pattern p = pattern_of(o_[2].integer);
      require(p.step != 0, "it has no such pattern", "MaskPattern::P0101 to P1111");
      require(d.valid_columns == d.columns, "the result is not full", "it is written without gaps between its rows");
      require(p.step == 0 ||
                  (d.valid_rows == s.valid_rows && d.columns == (s.valid_columns - p.first + p.step - 1) / p.step),
              "the result has not as many rows and columns as are picked", "half of the columns, or a quarter");
      apart(0, 1);
    } else if (family("sort")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(1, 2), apart(0, 1), apart(0, 2);
      require(o_[2].type == Type::u32, "the indices are no u32", "declare them as u32");
      require(count_ > 3 || s.valid_columns % 32 == 0, "the columns are no multiple of 32",
              "give it a tile to work with");
      require(d.valid_rows == s.valid_rows && d.valid_columns == s.valid_columns * pair_of(s),
              "the result is too small for its pairs", "a pair has 8 bytes: two f32 or four f16");
    } else if (family("merge")) {
      vec(0), vec(1), alike(0, 1), same_extents(0, 1), apart(0, 1);
      require(s.rows == 1, "it merges one row, and the tile has " + std::to_string(s.rows), "merge row by row");
      const int64_t block = o_[2].integer;
      require(block > 0 && block % 64 == 0 && s.valid_columns % (4 * block) == 0,
              "the columns are not four blocks, or several times four, of " + std::to_string(block),
              "a block is counted in elements, and is a multiple of 64");
    } else if (family("beside")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2), apart(0, 1), apart(0, 2);
      require(d.valid_rows == s.valid_rows && d.valid_rows == o_[2].valid_rows &&
                  d.valid_columns == s.valid_columns + o_[2].valid_columns,
              "the valid parts do not lie beside each other in the result", "the same rows, and the columns of both");
    } else if (family("triangle")) {
      vec(0);
      require(o_[2].integer == 0 || o_[2].integer == 1, "it has no such side", "0 is lower, 1 upper");
    } else if (family("part")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2);
      const auto within = [&](const Operand &t) {
        return t.valid_rows <= d.valid_rows && t.valid_columns <= d.valid_columns;
      };
      require((same_valid(d, s) && within(o_[2])) || (same_valid(d, o_[2]) && within(s)),
              "neither operand is as large as the result, or one is larger", "one of them fills it");
    } else if (family("scatter")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(1, 2), apart(0, 1), apart(0, 2);
      require(bytes_of(o_[2].type) == std::max<uint64_t>(bytes_of(d.type), 2),
              "an index has not the bits of an element", "declare indices of 16 bits for 8 and 16, of 32 for 32");
    } else if (family("spread")) {
      vec(0), vec(1), alike(0, 1), apart(0, 1);
      const Pattern p = pattern_of(o_[2].integer);
      require(p.step > 1 && d.valid_rows == s.valid_rows && d.valid_columns == s.valid_columns * p.step,
              "the result has not twice or four times the columns",
              "declare it with as many as the pattern spreads to");
    } else if (family("blocks")) {
      vec(0), vec(1), vec(2), alike(0, 1), apart(0, 1), apart(0, 2);
      const int64_t bytes = d.valid_columns * static_cast<int64_t>(bytes_of(d.type));
      require(o_[2].type == Type::u32, "the offsets are no u32", "declare them as u32");
      require(bytes % 256 == 0, "its rows are no multiples of 256 bytes", "cut or pad them");
      require(o_[2].valid_rows == d.valid_rows && o_[2].valid_columns * 32 == bytes,
              "there is not one offset for each 32 bytes", "give it as many");
      require(s.valid_rows == s.rows && s.valid_columns == s.columns, "not all of the source is valid",
              "it is addressed by bytes: let all of it be valid");
    } else if (family("rest") || family("power")) {
      vec(0);
      for (uint32_t k = 1; k < count_; ++k) {
        if (o_[k].kind != Kind::tile) continue;
        vec(k), apart(0, k), alike(0, k);
        if (roles_[k] != 't' || family("power")) same_extents(0, k);
      }
      if (op_ == Op::TREM)
        require(o_[3].valid_columns >= d.columns + (d.columns + 63) / 64 * 2, "the tile to work with is too small",
                "as many columns as the result has room for, and two for each 64 of them");
      if (op_ == Op::TREMS)
        require(d.valid_columns <= 64 && o_[3].valid_columns >= d.valid_columns,
                "it corrects the signs of 64 columns, in a row of as many", "use TREM for more");
    } else if (family("fillpad")) {
      vec(0), vec(1);
      require(op_ != Op::TFILLPAD_INPLACE || d.offset == s.offset, "the tiles have different addresses",
              "use TFILLPAD, or assign both the same offset");
      if (op_ != Op::TFILLPAD_INPLACE) apart(0, 1);
      require(d.valid_rows >= s.valid_rows && d.valid_columns >= s.valid_columns, "the result leaves out what is valid",
              "let at least as much of it be valid");
      require(bytes_of(d.type) == bytes_of(s.type), "the dtypes differ in size", "convert first");
      require(d.pad != 0, "its result has no PadValue", "declare the tile with PadValue::Zero, Max or Min");
      require(op_ == Op::TFILLPAD_EXPAND ? d.rows >= s.rows && d.columns >= s.columns
                                         : d.rows == s.rows && d.columns == s.columns,
              "the tiles differ in size", "TFILLPAD_EXPAND goes to a larger tile");
    } else if (family("row_reduce") || family("row_place")) {
      vec(0, false), vec(1), apart(0, 1), apart(0, 2), vec(2);
      if (family("row_reduce"))
        alike(0, 1);
      else
        require(d.type == Type::i32 || d.type == Type::u32, "indices are no integers of 32 bits",
                "declare the result as i32 or u32");
      require(d.box == htp_sim::Box::none && (d.row_major || d.columns == 1),
              "the result is neither RowMajor nor a column", "a ColMajor tile has one column");
      require(d.valid_rows == s.valid_rows, "the result has other rows", "give both the same valid rows");
    } else if (family("col_reduce")) {
      vec(0), vec(1), alike(0, 1);
      require(d.valid_columns == s.valid_columns, "the result has other columns", "give both the same valid columns");
    } else if (family("row_expand")) {
      vec(0), vec(1, false), alike(0, 1), apart(0, 1);
      require(d.valid_rows == s.valid_rows, "the result has other rows", "give both the same valid rows");
    } else if (family("row_binary")) {
      const uint32_t vector = same_valid(d, s) && s.row_major ? 2 : 1;
      vec(0), vec(3 - vector), vec(vector, false), alike(0, 1), alike(0, 2), same_extents(0, 3 - vector),
          by_row(vector), apart(0, vector);
    } else if (family("col_expand")) {
      vec(0), vec(1), alike(0, 1);
      require(d.valid_columns == s.valid_columns, "the result has other columns", "give both the same valid columns");
    } else if (family("col_binary")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2), same_extents(0, 1);
      require(o_[2].valid_columns == d.valid_columns, "the row has other columns than the result",
              "give both the same valid columns");
    } else if (family("convert")) {
      vec(0), vec(1), same_extents(0, 1);
      constexpr std::pair<Type, const char *> ways[] = {{Type::f32, "f32 f16 bf16 i16 i32 i64"},
                                                        {Type::f16, "f32 i8 u8 i16 i32"},
                                                        {Type::bf16, "f32 i32"},
                                                        {Type::i8, "f16"},
                                                        {Type::u8, "f16"},
                                                        {Type::i16, "f16 f32"},
                                                        {Type::i32, "f16 f32 i16 i64"},
                                                        {Type::i64, "f32 i32"}};
      for (const auto &[from, to] : ways)
        require(from != s.type || has_option(to, name_of(d.type)),
                std::string("it does not convert `") + name_of(s.type) + "` to `" + name_of(d.type) + "`",
                std::string("it converts it to ") + to);
      if (bytes_of(d.type) > bytes_of(s.type)) apart(0, 1);
    } else { // unary, binary, scalar, axpy: all tiles alike
      vec(0);
      for (uint32_t k = 1; k < count_; ++k) {
        if (o_[k].kind != Kind::tile) continue;
        vec(k);
        if (roles_[k] == 't') continue;
        alike(0, k), same_extents(0, k);
      }
      if (op_ == Op::TRECIP) apart(0, 1);
    }
  }

  static bool plain_column(const Operand &t) { return t.box == htp_sim::Box::none && (t.rows == 1 || t.columns == 1); }
  void transfer(const Operand &t, const Operand &g) {
    require(t.space == Space::acc || bytes_of(t.type) == bytes_of(g.type),
            std::string("the tile is `") + name_of(t.type) + "`, global memory `" + name_of(g.type) + "`",
            "declare both with one dtype");
    for (int k = 0; k < 5; ++k)
      require(g.shape[k] > 0, "an extent of global memory is " + std::to_string(g.shape[k]), "skip what is empty");
    require(global_rows(g) == t.valid_rows && global_columns(g) == t.valid_columns,
            "the tile's valid part is " + extents(t.valid_rows, t.valid_columns) + ", the piece of global memory " +
                extents(global_rows(g), global_columns(g)),
            "give both the same extents");
  }
  void moves(const Operand &d, const Operand &s) {
    const bool to_l0 =
        s.space == Space::mat && (d.space == Space::left || d.space == Space::right || d.space == Space::bias);
    const bool vectors = s.space == Space::vec && d.space == Space::vec && op_ == Op::TMOV,
               down = s.space == Space::acc && d.space == Space::mat;
    const bool scaling = s.space == Space::mat && d.space == Space::scaling && op_ == Op::TMOV;
    require(op_ == Op::TINSERT ? down : to_l0 || vectors || down || scaling,
            std::string("there is no way from ") + name_of(s.space) + " to " + name_of(d.space),
            "Mat goes to Left, Right, Bias and Scaling, Acc to Mat, Vec to Vec; other ways lead through global memory");
    v_.pipe = vectors ? htp_sim::PIPE_V_ : down || scaling ? htp_sim::PIPE_FIX_ : htp_sim::PIPE_MTE1_;
    require(d.type == s.type || (down && s.type == Type::f32 && (d.type == Type::f16 || d.type == Type::bf16)) ||
                (d.space == Space::bias && d.type == Type::f32 && s.type == Type::f16),
            std::string("it does not convert `") + name_of(s.type) + "` to `" + name_of(d.type) + "`",
            "declare both with one dtype");
    const bool vector = d.space == Space::left && d.rows == 1; // as TGEMV takes it
    if (vector || d.space == Space::bias || d.space == Space::scaling)
      require(s.rows == 1 && plain_rows(s), "the Mat tile is no row without boxes",
              "load it into one: RowMajor, of 1 row");
    else if (d.space == Space::left || d.space == Space::right)
      require(nz(s) || zn(s), "the Mat tile is neither Nz nor Zn", "load it into a tile with boxes");
    const auto line = [&](const Operand &t) { return t.columns * static_cast<int64_t>(bytes_of(t.type)); };
    if (vector)
      require(line(s) % 512 == 0 && line(d) % 512 == 0 &&
                  (count_ < 4 || o_[3].integer * static_cast<int64_t>(bytes_of(s.type)) % 512 == 0),
              "rows, and where they begin, are no multiples of 512 bytes", "pad the row");
    if (d.space == Space::bias || d.space == Space::scaling) {
      const bool bias = d.space == Space::bias;
      require(d.rows == 1 && d.columns == s.columns && line(s) % (bias ? 64 : 128) == 0,
              std::string("a row of ") + (bias ? "64" : "128") + " bytes is moved as a whole",
              "give both one row of the same columns");
      require(bias ? d.type == Type::f32 || d.type == Type::i32 : d.type == Type::u64,
              std::string("`") + name_of(d.type) + "` is no dtype of it", bias ? "f32 or i32" : "u64");
    }
    const int64_t row = count_ > 2 ? o_[2].integer : 0, column = count_ > 3 ? o_[3].integer : 0;
    const Operand &inner = op_ == Op::TINSERT ? s : d, &outer = op_ == Op::TINSERT ? d : s;
    require(row >= 0 && column >= 0 && row + inner.valid_rows <= outer.rows &&
                column + inner.valid_columns <= outer.columns,
            "the part from " + extents(row, column) + " on, of " + extents(inner.valid_rows, inner.valid_columns) +
                ", leaves the tile of " + extents(outer.rows, outer.columns),
            "take a part that is inside");
    if (vectors) same_extents(0, 1);
  }
  void product() {
    const bool apart_acc = count_ == 4 && std::strstr(row_.name, "_ACC");
    const Operand &c = o_[0], &a = o_[apart_acc ? 2 : 1], &b = o_[apart_acc ? 3 : 2];
    require(c.space == Space::acc && a.space == Space::left && b.space == Space::right,
            "its operands are no Acc, Left and Right tiles", "move Mat tiles there first");
    require(a.type == b.type && c.type == (a.type == Type::i8 ? Type::i32 : Type::f32),
            std::string("`") + name_of(a.type) + "` by `" + name_of(b.type) + "` to `" + name_of(c.type) +
                "` is none of its products",
            "f16, bf16 and f32 give f32, i8 gives i32");
    require(a.valid_columns == b.valid_rows && c.valid_rows == a.valid_rows && c.valid_columns == b.valid_columns,
            extents(a.valid_rows, a.valid_columns) + " by " + extents(b.valid_rows, b.valid_columns) +
                " does not give " + extents(c.valid_rows, c.valid_columns),
            "let the valid extents agree");
    const bool vector = std::strncmp(row_.name, "TGEMV", 5) == 0;
    require(vector == (a.rows == 1), vector ? "the left tile is not one row" : "the left tile is one row",
            vector ? "declare it with 1 row" : "one row is multiplied by TGEMV");
    require(a.columns == b.rows && (vector || c.rows == a.rows) && c.columns == b.columns,
            "tiles of " + extents(a.rows, a.columns) + " and " + extents(b.rows, b.columns) + " have no sum of " +
                extents(c.rows, c.columns),
            "let the tiles' own rows and columns agree, as what is valid of them");
    require(a.valid_rows <= 4095 && a.valid_columns <= 4095 && b.valid_columns <= 4095, "an extent is larger than 4095",
            "cut it into tiles");
    if (apart_acc)
      require(o_[1].space == Space::acc && o_[1].type == c.type && same_valid(o_[1], c), "the accumulators differ",
              "give both the same dtype and extents");
    if (std::strstr(row_.name, "_BIAS"))
      require(o_[3].space == Space::bias && o_[3].type == c.type && o_[3].valid_columns == c.valid_columns &&
                  o_[3].valid_rows == 1,
              "the bias is no row of the result's dtype", "move it to a Bias tile of one row");
  }

  Op op_;
  const Operand *o_;
  uint32_t count_;
  const std::string &roles_;
  const Instruction &row_;
  Verdict v_;
};

} // namespace

const Instruction &instruction(Op op) { return rows[static_cast<size_t>(op)]; }

bool roles_of(Op op, const Operand *operands, uint32_t count, std::string &roles) {
  const std::string_view all = instruction(op).roles;
  const size_t question = all.find('?');
  const size_t least = question == std::string_view::npos ? all.size() : question;
  roles = all;
  if (question != std::string_view::npos) roles.erase(question, 1);
  if (count < least || count > roles.size()) return false;
  roles.resize(count);
  if (op == Op::TDIVS && operands[1].kind != Kind::tile) roles = "wnr";
  if (count == 4 && (op == Op::TMATMUL_ACC || op == Op::TGEMV_ACC)) roles = "wrrr";
  return true;
}

Pattern pattern_of(int64_t number) {
  constexpr Pattern patterns[] = {{2, 0}, {2, 1}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {1, 0}};
  return number >= 1 && number <= 7 ? patterns[number - 1] : Pattern{};
}

Verdict judge(Op op, const Operand *operands, uint32_t count, const std::string &roles, bool vector) {
  return Judge(op, operands, count, roles).verdict(vector);
}

Extent extent_of(Op op, const Operand *o, uint32_t count, uint32_t k) {
  const std::string_view family = instruction(op).family;
  Extent e;
  if (o[k].kind == Kind::global) return e.rows = global_rows(o[k]), e.columns = global_columns(o[k]), e;
  e.rows = o[k].valid_rows, e.columns = o[k].valid_columns;
  if (family == "move" && k == 1) {
    e.rows = o[0].valid_rows, e.columns = o[0].valid_columns;
    if (count > 2) e.row = o[2].integer;
    if (count > 3) e.column = o[3].integer;
  } else if (family == "insert" && k == 0) {
    e.rows = o[1].valid_rows, e.columns = o[1].valid_columns;
    if (count > 2) e.row = o[2].integer;
    if (count > 3) e.column = o[3].integer;
  } else if (family == "fillpad" && k == 0) {
    e.columns = o[0].columns;
  } else if (family == "scatter" && k == 0) {
    e.rows = o[0].rows, e.columns = o[0].columns;
  } else if (family == "transpose" && k == 0) {
    e.rows = o[1].valid_columns, e.columns = o[1].valid_rows;
  } else if (family == "compare" && k == 0) {
    e.columns = (o[1].valid_columns + 7) / 8;
  } else if (family == "select" && k == 1) {
    e.rows = o[0].valid_rows, e.columns = (o[0].valid_columns + 7) / 8;
  } else if ((family == "row_reduce" || family == "row_place") && k == 0) {
    e.columns = 1;
  } else if (family == "col_reduce" && k == 0) {
    e.rows = 1;
  } else if (family == "row_expand" && k == 1) {
    e.columns = 1;
  } else if ((family == "col_expand" && k == 1) || (family == "col_binary" && k == 2)) {
    e.rows = 1;
  }
  return e;
}

} // namespace htp::a2a3sim
