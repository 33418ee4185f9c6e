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

constexpr const char *result = "result", *scratch = "tile to work with";

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
  bool good() const { return !v_.wrong; }
  template <class... A> void require(bool is, const sdk::DiagKind &row, const A &...arguments) {
    if (!is && good()) v_.wrong = Refusal(row, row_.name, arguments...);
  }
  void require_extents(bool is, const char *what, int64_t rows, int64_t columns, int64_t least, int64_t wide) {
    if (!is) require(is, diag::operand_extents, what, extents(rows, columns), extents(least, wide));
  }
  // Of what is valid.
  void require_valid(bool is, const char *what, const Operand &t, int64_t rows, int64_t columns) {
    require_extents(is, what, t.valid_rows, t.valid_columns, rows, columns);
  }
  void require_dtype(bool is, const char *what, const Operand &t, const char *taken) {
    require(is, diag::operand_dtype, what, name_of(t.type), taken);
  }
  void require_space(bool is, uint32_t k, const char *taken) {
    require(is, diag::operand_space, k, name_of(o_[k].space), taken);
  }
  bool family(const char *name) const { return std::strcmp(row_.family, name) == 0; }

  void tile(const Operand &t, bool vector) {
    const uint64_t bytes = static_cast<uint64_t>(t.rows) * static_cast<uint64_t>(t.columns) * bytes_of(t.type),
                   capacity = capacity_of(t.space);
    const char *name = name_of(t.space);
    require(t.assigned, diag::tile_unassigned, name);
    require(vector == (t.space == Space::vec), diag::tile_core, name);
    require(t.offset % 32 == 0, diag::tile_offset, t.offset, name);
    require(t.offset + bytes <= capacity, diag::tile_end, name, bytes, t.offset, capacity);
    if (t.valid_rows <= 0 || t.valid_columns <= 0 || t.valid_rows > t.rows || t.valid_columns > t.columns)
      require(false, diag::tile_valid, extents(t.valid_rows, t.valid_columns), extents(t.rows, t.columns));
  }

  void kind(uint32_t k) {
    const bool number = o_[k].kind == Kind::integer || o_[k].kind == Kind::real;
    require(number == (roles_[k] == 'n'), diag::operand_kind, k, number ? "tile" : "number");
    const bool global = ((family("load") || family("table_load")) && k == 1) ||
                        ((family("store") || family("store_scaled") || family("table_store")) && k == 0);
    if (!number)
      require(global == (o_[k].kind == Kind::global), diag::operand_kind, k, global ? "global tensor" : "tile");
  }

  const Operand &deciding() const {
    if (family("select")) return o_[0];
    for (uint32_t k = 0; k < count_; ++k)
      if (roles_[k] == 'r' && o_[k].kind != Kind::none)
        return family("matmul") ? o_[count_ == 4 && std::strstr(row_.name, "_ACC") ? 2 : 1] : o_[k];
    return o_[0];
  }
  void dtype() {
    require(has_option(row_.dtypes, name_of(deciding().type)), diag::instruction_dtype, name_of(deciding().type),
            row_.dtypes);
  }

  void vec(uint32_t k, bool plain = true) {
    require_space(o_[k].space == Space::vec, k, "Vec");
    if (plain) require(plain_rows(o_[k]), diag::operand_layout, k, "RowMajor without boxes");
  }
  void alike(uint32_t a, uint32_t b) {
    require(o_[a].type == o_[b].type, diag::dtypes_differ, name_of(o_[a].type), name_of(o_[b].type));
  }
  void same_extents(uint32_t a, uint32_t b) {
    if (!same_valid(o_[a], o_[b]))
      require(false, diag::extents_differ, extents(o_[a].valid_rows, o_[a].valid_columns),
              extents(o_[b].valid_rows, o_[b].valid_columns));
  }
  void apart(uint32_t a, uint32_t b) { require(!overlap(o_[a], o_[b]), diag::operands_overlap, a, b); }
  // The tile to work with lies apart, and is as large as the processors use of it.
  void works() {
    for (uint32_t k = 0; k < count_; ++k) {
      if (roles_[k] != 't' || o_[k].kind != Kind::tile || op_ == Op::TPREFETCH) continue;
      for (uint32_t other = 0; other < count_; ++other)
        if (other != k && o_[other].kind == Kind::tile) apart(k, other);
      const Operand &x = o_[1], &work = o_[k];
      const Operand &counted = family("gather") ? o_[0] : x; // which elements go through it
      Operand through = x;
      through.valid_rows = counted.valid_rows, through.valid_columns = counted.valid_columns;
      const Work least = work_of(op_, o_[0], through);
      const int64_t bytes = work.rows * static_cast<int64_t>(work.columns) * static_cast<int64_t>(bytes_of(work.type));
      require_extents(work.rows >= least.rows && work.columns >= least.columns, scratch, work.rows, work.columns,
                      least.rows, least.columns);
      require(bytes >= least.bytes, diag::work_bytes, bytes, least.bytes);
      if (least.columns > 0 && (family("row_reduce") || family("row_place"))) alike(1, k);
      if (op_ == Op::TXOR || op_ == Op::TXORS) alike(0, k), same_extents(0, k);
      if (op_ == Op::TGATHER) alike(2, k), same_extents(2, k);
      if (op_ == Op::TPRELU) {
        require_dtype(work.type == Type::u8, scratch, work, "u8");
        require_valid(work.valid_rows > o_[0].valid_rows, scratch, work, o_[0].valid_rows + 1, work.valid_columns);
      }
    }
  }
  void by_row(uint32_t k) { // one value a row
    const auto block = static_cast<int32_t>(32 / bytes_of(o_[k].type));
    require(o_[k].box == htp_sim::Box::none && o_[k].valid_columns == (o_[k].row_major ? block : 1),
            diag::operand_layout, k, o_[k].row_major ? "RowMajor with 32 bytes a row" : "ColMajor with one column");
    require_valid(o_[k].valid_rows == o_[0].valid_rows, "column", o_[k], o_[0].valid_rows, o_[k].valid_columns);
  }

  void rules() {
    const Operand &d = o_[0], &s = o_[1];
    if (family("load")) {
      transfer(d, s);
      v_.pipe = htp_sim::PIPE_MTE2_;
      require_space(d.space == Space::vec || d.space == Space::mat, 0, "Vec or Mat");
      const bool box = d.box != htp_sim::Box::none, nd = s.layout == htp_sim::Global::nd,
                 dn = s.layout == htp_sim::Global::dn;
      const bool same = nd ? plain_rows(d) || (plain_column(d)) : dn ? !box && !d.row_major : nz(d);
      const bool turned = d.space == Space::mat && ((nd && nz(d)) || (dn && zn(d)));
      require(same || turned, diag::transfer_layout);
      const int64_t matrices = s.shape[0] * s.shape[1] * s.shape[2];
      if (turned) require(matrices == 1, diag::turned_matrices, matrices);
    } else if (family("store")) {
      transfer(s, d);
      v_.pipe = s.space == Space::acc ? htp_sim::PIPE_FIX_ : htp_sim::PIPE_MTE3_;
      require_space(s.space == Space::vec || s.space == Space::mat || s.space == Space::acc, 1, "Vec, Mat or Acc");
      if (s.space == Space::acc) {
        require(d.layout != htp_sim::Global::dn, diag::acc_layout);
        require(s.type == Type::f32 ? d.type == Type::f32 || d.type == Type::f16 || d.type == Type::bf16
                                    : d.type == Type::i32,
                diag::conversion, name_of(s.type), name_of(d.type), s.type == Type::f32 ? "f32 f16 bf16" : "i32");
      }
    } else if (family("store_scaled")) {
      transfer(s, d);
      require_space(s.space == Space::acc, 1, "Acc");
      require_space(o_[2].space == Space::scaling, 2, "Scaling");
      require_dtype(o_[2].type == Type::u64, "scales", o_[2], "u64");
      require(d.layout != htp_sim::Global::dn, diag::acc_layout);
      require(d.type == Type::i8 || d.type == Type::u8 || (d.type == Type::f16 && s.type == Type::i32),
              diag::conversion, name_of(s.type), name_of(d.type), s.type == Type::i32 ? "i8 u8 f16" : "i8 u8");
      require_valid(o_[2].valid_columns == s.valid_columns && o_[2].valid_rows == 1, "scales", o_[2], 1,
                    s.valid_columns);
    } else if (family("table_load") || family("table_store")) {
      const bool loads = family("table_load");
      const Operand &t = loads ? d : s, &g = loads ? s : d, &index = o_[2];
      vec(loads ? 0 : 1), vec(2), alike(0, 1);
      require_dtype(index.type == Type::i32 || index.type == Type::u32, "indices", index, "i32 u32");
      require_valid(index.valid_rows == 1 && index.valid_columns == t.valid_rows, "indices", index, 1, t.valid_rows);
      require(g.layout == htp_sim::Global::nd && g.shape[0] * g.shape[1] * g.shape[2] == 1 && g.stride[4] == 1 &&
                  g.shape[4] >= t.valid_columns,
              diag::table);
      if (loads) apart(0, 2);
    } else if (family("move") || family("insert")) {
      moves(d, s);
    } else if (family("matmul")) {
      product();
    } else if (op_ == Op::TCI || family("expands")) {
      if (op_ == Op::TCI) {
        vec(0);
        require_extents(d.rows == 1, result, d.rows, d.columns, 1, d.columns);
      }
    } else if (family("compare")) {
      vec(0), vec(1);
      require_dtype(d.type == Type::u8, "mask", d, "u8");
      require(s.type != Type::i32 || o_[count_ - 1].integer == 0, diag::comparison);
      require_valid(d.valid_rows == s.valid_rows && d.valid_columns * 8 >= s.valid_columns, "mask", d, s.valid_rows,
                    (s.valid_columns + 7) / 8);
      if (op_ == Op::TCMP) vec(2), alike(1, 2), same_extents(1, 2);
    } else if (family("select")) {
      for (uint32_t k : {0u, 1u, 2u}) vec(k);
      require_dtype(s.type == Type::u8, "mask", s, "u8");
      alike(0, 2), same_extents(0, 2), apart(0, 1);
      require_valid(s.valid_rows >= d.valid_rows && s.valid_columns * 8 >= d.valid_columns, "mask", s, d.valid_rows,
                    (d.valid_columns + 7) / 8);
      if (op_ == Op::TSEL) vec(3), alike(0, 3), same_extents(0, 3), apart(0, 4);
      if (op_ == Op::TSELS) apart(0, 3);
    } else if (family("transpose")) {
      vec(0), vec(1), alike(0, 1), apart(0, 1);
      require_extents(d.rows >= s.valid_columns && d.columns >= s.valid_rows, result, d.rows, d.columns,
                      s.valid_columns, s.valid_rows);
    } else if (family("gather")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(0, 2), apart(0, 1);
      require_dtype(bytes_of(o_[2].type) == 4 || bytes_of(o_[2].type) == 2, "indices", o_[2], "i32 u32 i16 u16");
    } else if (family("pattern")) {
      vec(0), vec(1);
      require(bytes_of(d.type) == bytes_of(s.type), diag::dtype_sizes, name_of(d.type), name_of(s.type));
      const Pattern p = pattern_of(o_[2].integer);
      require(p.step != 0, diag::mode, "pattern", o_[2].integer);
      require_valid(d.valid_columns == d.columns, result, d, d.valid_rows, d.columns); // it has no gaps
      const int64_t picked = p.step ? (s.valid_columns - p.first + p.step - 1) / p.step : d.columns;
      require_valid(p.step == 0 || (d.valid_rows == s.valid_rows && d.columns == picked), result, d, s.valid_rows,
                    picked);
      apart(0, 1);
    } else if (family("sort")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(1, 2), apart(0, 1), apart(0, 2);
      require_dtype(o_[2].type == Type::u32, "indices", o_[2], "u32");
      require(count_ > 3 || s.valid_columns % 32 == 0, diag::sort_columns, s.valid_columns);
      require_valid(d.valid_rows == s.valid_rows && d.valid_columns == s.valid_columns * pair_of(s), result, d,
                    s.valid_rows, s.valid_columns * pair_of(s));
    } else if (family("merge")) {
      vec(0), vec(1), alike(0, 1), same_extents(0, 1), apart(0, 1);
      require_extents(s.rows == 1, "source", s.rows, s.columns, 1, s.columns);
      const int64_t block = o_[2].integer;
      require(block > 0 && block % 64 == 0 && s.valid_columns % (4 * block) == 0, diag::merge_blocks, s.valid_columns,
              block);
    } else if (family("beside")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2), apart(0, 1), apart(0, 2);
      require_valid(d.valid_rows == s.valid_rows && d.valid_rows == o_[2].valid_rows &&
                        d.valid_columns == s.valid_columns + o_[2].valid_columns,
                    result, d, s.valid_rows, s.valid_columns + o_[2].valid_columns);
    } else if (family("triangle")) {
      vec(0);
      require(o_[2].integer == 0 || o_[2].integer == 1, diag::mode, "side", o_[2].integer);
    } else if (family("part")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2);
      const auto within = [&](const Operand &t) {
        return t.valid_rows <= d.valid_rows && t.valid_columns <= d.valid_columns;
      };
      require((same_valid(d, s) && within(o_[2])) || (same_valid(d, o_[2]) && within(s)), diag::part_operands);
    } else if (family("scatter")) {
      vec(0), vec(1), vec(2), alike(0, 1), same_extents(1, 2), apart(0, 1), apart(0, 2);
      require(bytes_of(o_[2].type) == std::max<uint64_t>(bytes_of(d.type), 2), diag::index_bits, name_of(o_[2].type),
              name_of(d.type));
    } else if (family("spread")) {
      vec(0), vec(1), alike(0, 1), apart(0, 1);
      const Pattern p = pattern_of(o_[2].integer);
      require_valid(p.step > 1 && d.valid_rows == s.valid_rows && d.valid_columns == s.valid_columns * p.step, result,
                    d, s.valid_rows, s.valid_columns * p.step);
    } else if (family("blocks")) {
      vec(0), vec(1), vec(2), alike(0, 1), apart(0, 1), apart(0, 2);
      const int64_t bytes = d.valid_columns * static_cast<int64_t>(bytes_of(d.type));
      require_dtype(o_[2].type == Type::u32, "offsets", o_[2], "u32");
      require(bytes % 256 == 0, diag::row_bytes, bytes, 256);
      require_valid(o_[2].valid_rows == d.valid_rows && o_[2].valid_columns * 32 == bytes, "offsets", o_[2],
                    d.valid_rows, bytes / 32);
      require_valid(s.valid_rows == s.rows && s.valid_columns == s.columns, "source", s, s.rows, s.columns);
    } else if (family("rest") || family("power")) {
      vec(0);
      for (uint32_t k = 1; k < count_; ++k) {
        if (o_[k].kind != Kind::tile) continue;
        vec(k), apart(0, k), alike(0, k);
        if (roles_[k] != 't' || family("power")) same_extents(0, k);
      }
      if (op_ == Op::TREM)
        require_valid(o_[3].valid_columns >= d.columns + (d.columns + 63) / 64 * 2, scratch, o_[3], o_[3].valid_rows,
                      d.columns + (d.columns + 63) / 64 * 2);
      if (op_ == Op::TREMS)
        require(d.valid_columns <= 64, diag::sign_columns, d.valid_columns),
            require_valid(o_[3].valid_columns >= d.valid_columns, scratch, o_[3], o_[3].valid_rows, d.valid_columns);
    } else if (family("fillpad")) {
      vec(0), vec(1);
      require(op_ != Op::TFILLPAD_INPLACE || d.offset == s.offset, diag::in_place, d.offset, s.offset);
      if (op_ != Op::TFILLPAD_INPLACE) apart(0, 1);
      require_valid(d.valid_rows >= s.valid_rows && d.valid_columns >= s.valid_columns, result, d, s.valid_rows,
                    s.valid_columns);
      require(bytes_of(d.type) == bytes_of(s.type), diag::dtype_sizes, name_of(d.type), name_of(s.type));
      require(d.pad != 0, diag::no_pad);
      require_extents(op_ == Op::TFILLPAD_EXPAND ? d.rows >= s.rows && d.columns >= s.columns
                                                 : d.rows == s.rows && d.columns == s.columns,
                      result, d.rows, d.columns, s.rows, s.columns);
    } else if (family("row_reduce") || family("row_place")) {
      vec(0, false), vec(1), apart(0, 1), apart(0, 2), vec(2);
      if (family("row_reduce"))
        alike(0, 1);
      else
        require_dtype(d.type == Type::i32 || d.type == Type::u32, result, d, "i32 u32");
      require(d.box == htp_sim::Box::none && (d.row_major || d.columns == 1), diag::operand_layout, 0,
              "RowMajor, or ColMajor with one column");
      require_valid(d.valid_rows == s.valid_rows, result, d, s.valid_rows, d.valid_columns);
    } else if (family("col_reduce")) {
      vec(0), vec(1), alike(0, 1);
      require_valid(d.valid_columns == s.valid_columns, result, d, d.valid_rows, s.valid_columns);
    } else if (family("row_expand")) {
      vec(0), vec(1, false), alike(0, 1), apart(0, 1);
      require_valid(d.valid_rows == s.valid_rows, result, d, s.valid_rows, d.valid_columns);
    } else if (family("row_binary")) {
      const uint32_t vector = same_valid(d, s) && s.row_major ? 2 : 1;
      vec(0), vec(3 - vector), vec(vector, false), alike(0, 1), alike(0, 2), same_extents(0, 3 - vector),
          by_row(vector), apart(0, vector);
    } else if (family("col_expand")) {
      vec(0), vec(1), alike(0, 1);
      require_valid(d.valid_columns == s.valid_columns, result, d, d.valid_rows, s.valid_columns);
    } else if (family("col_binary")) {
      vec(0), vec(1), vec(2), alike(0, 1), alike(0, 2), same_extents(0, 1);
      require_valid(o_[2].valid_columns == d.valid_columns, "row", o_[2], o_[2].valid_rows, d.valid_columns);
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
        require(from != s.type || has_option(to, name_of(d.type)), diag::conversion, name_of(s.type), name_of(d.type),
                to);
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
    require(t.space == Space::acc || bytes_of(t.type) == bytes_of(g.type), diag::transfer_dtypes, name_of(t.type),
            name_of(g.type));
    for (int k = 0; k < 5; ++k) require(g.shape[k] > 0, diag::global_extent, g.shape[k]);
    if (global_rows(g) != t.valid_rows || global_columns(g) != t.valid_columns)
      require(false, diag::transfer_extents, extents(t.valid_rows, t.valid_columns),
              extents(global_rows(g), global_columns(g)));
  }
  void moves(const Operand &d, const Operand &s) {
    const bool to_l0 =
        s.space == Space::mat && (d.space == Space::left || d.space == Space::right || d.space == Space::bias);
    const bool vectors = s.space == Space::vec && d.space == Space::vec && op_ == Op::TMOV,
               down = s.space == Space::acc && d.space == Space::mat;
    const bool scaling = s.space == Space::mat && d.space == Space::scaling && op_ == Op::TMOV;
    require(op_ == Op::TINSERT ? down : to_l0 || vectors || down || scaling, diag::path, name_of(s.space),
            name_of(d.space));
    v_.pipe = vectors ? htp_sim::PIPE_V_ : down || scaling ? htp_sim::PIPE_FIX_ : htp_sim::PIPE_MTE1_;
    require(d.type == s.type || (down && s.type == Type::f32 && (d.type == Type::f16 || d.type == Type::bf16)) ||
                (d.space == Space::bias && d.type == Type::f32 && s.type == Type::f16),
            diag::conversion, name_of(s.type), name_of(d.type), name_of(s.type));
    const bool vector = d.space == Space::left && d.rows == 1; // as TGEMV takes it
    if (vector || d.space == Space::bias || d.space == Space::scaling)
      require_extents(s.rows == 1, "source", s.rows, s.columns, 1, s.columns),
          require(plain_rows(s), diag::operand_layout, 1, "RowMajor without boxes");
    else if (d.space == Space::left || d.space == Space::right)
      require(nz(s) || zn(s), diag::operand_layout, 1, "Nz or Zn");
    const auto line = [&](const Operand &t) { return t.columns * static_cast<int64_t>(bytes_of(t.type)); };
    if (vector)
      for (const int64_t bytes :
           {line(s), line(d), count_ < 4 ? 0 : o_[3].integer * static_cast<int64_t>(bytes_of(s.type))})
        require(bytes % 512 == 0, diag::row_bytes, bytes, 512);
    if (d.space == Space::bias || d.space == Space::scaling) {
      const bool bias = d.space == Space::bias;
      require_extents(d.rows == 1 && d.columns == s.columns, result, d.rows, d.columns, 1, s.columns);
      require(line(s) % (bias ? 64 : 128) == 0, diag::row_bytes, line(s), bias ? 64 : 128);
      require_dtype(bias ? d.type == Type::f32 || d.type == Type::i32 : d.type == Type::u64, result, d,
                    bias ? "f32 i32" : "u64");
    }
    const int64_t row = count_ > 2 ? o_[2].integer : 0, column = count_ > 3 ? o_[3].integer : 0;
    const Operand &inner = op_ == Op::TINSERT ? s : d, &outer = op_ == Op::TINSERT ? d : s;
    if (row < 0 || column < 0 || row + inner.valid_rows > outer.rows || column + inner.valid_columns > outer.columns)
      require(false, diag::part_end, extents(inner.valid_rows, inner.valid_columns), row, column,
              extents(outer.rows, outer.columns));
    if (vectors) same_extents(0, 1);
  }
  void product() {
    const bool apart_acc = count_ == 4 && std::strstr(row_.name, "_ACC");
    const Operand &c = o_[0], &a = o_[apart_acc ? 2 : 1], &b = o_[apart_acc ? 3 : 2];
    const uint32_t left = apart_acc ? 2 : 1;
    require_space(c.space == Space::acc, 0, "Acc");
    require_space(a.space == Space::left, left, "Left");
    require_space(b.space == Space::right, left + 1, "Right");
    require(a.type == b.type && c.type == (a.type == Type::i8 ? Type::i32 : Type::f32), diag::product_dtypes,
            name_of(a.type), name_of(b.type), name_of(c.type));
    if (a.valid_columns != b.valid_rows || c.valid_rows != a.valid_rows || c.valid_columns != b.valid_columns)
      require(false, diag::product_extents, extents(a.valid_rows, a.valid_columns),
              extents(b.valid_rows, b.valid_columns), extents(c.valid_rows, c.valid_columns));
    const bool vector = std::strncmp(row_.name, "TGEMV", 5) == 0;
    require(vector == (a.rows == 1), diag::product_rows, a.rows);
    if (a.columns != b.rows || (!vector && c.rows != a.rows) || c.columns != b.columns)
      require(false, diag::product_tiles, extents(a.rows, a.columns), extents(b.rows, b.columns),
              extents(c.rows, c.columns));
    if (apart_acc) require_space(o_[1].space == Space::acc, 1, "Acc"), alike(0, 1), same_extents(0, 1);
    if (std::strstr(row_.name, "_BIAS")) {
      require_space(o_[3].space == Space::bias, 3, "Bias"), alike(0, 3);
      require_valid(o_[3].valid_columns == c.valid_columns && o_[3].valid_rows == 1, "bias", o_[3], 1, c.valid_columns);
    }
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
