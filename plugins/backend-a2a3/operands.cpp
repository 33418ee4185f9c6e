// Whether instructions take the operands that they are given: dtypes, extents, places that overlap, and parts of
// tensors. What passes make is right by itself; a stage may be written by hand.
#include "program.h"

#include "htp_cpp/extents.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

struct Class {
  std::string_view name, dtypes;
};
constexpr Class classes[] = {
#define CLASS(name, dtypes) {name, " " dtypes " "},
#define APART(word)
#include "operands.def"
};
constexpr std::string_view apart_words[] = {
#define CLASS(name, dtypes)
#define APART(word) word,
#include "operands.def"
};
// Rules whose results have another shape than what they are made of, or other places in it.
constexpr std::string_view apart_rules[] = {"convert", "compare", "rows",   "columns", "turn",
                                            "places",  "picked",  "sorted", "beside"};

template <class List> bool holds(const List &list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}
std::string dtype_of(const Tile &t) { return t.dtype ? std::string(t.dtype->word) : "bool_"; }

class Operands {
public:
  Operands(const Context &context, Node root) : c(context), constants_(context, root) {}

  bool kernel(const std::vector<Statement> &body) {
    return std::all_of(body.begin(), body.end(), [&](const Statement &s) {
      return (s.kind != Statement::Kind::instruction || instruction(s)) && kernel(s.body) && kernel(s.otherwise);
    });
  }

private:
  bool no(Node where, const std::string &what, const std::string &hint) const {
    c.report(diag::operands, where, what).hint(hint);
    return false;
  }

  // ── extents ──

  std::optional<Sum> sum(Node n) const {
    return read_sum(c, n, [&](std::string_view name) -> std::optional<int64_t> {
      const auto v = constants_.named(name);
      return v && !v->real && !v->truth ? std::optional(v->i) : std::nullopt;
    });
  }
  // How much larger the first is than the second, where that is known.
  static std::optional<int64_t> more(const std::optional<Sum> &a, const std::optional<Sum> &b) {
    const std::optional<Sum> difference = a && b ? a->plus(*b, -1) : std::nullopt;
    return difference ? difference->constant() : std::nullopt;
  }
  bool other(Node a, Node b) const { return more(sum(a), sum(b)).value_or(0) != 0; }
  std::string extents(const Tile &t) const { return c.show(t.valid_rows) + " x " + c.show(t.valid_columns); }
  bool other(const Tile &a, const Tile &b) const {
    return other(a.valid_rows, b.valid_rows) || other(a.valid_columns, b.valid_columns);
  }

  // ── places ──

  enum class Meeting { none, same, part };
  // Of two tiles in any turn; in the same turn where one loop counts both.
  static Meeting meeting(const Tile &a, const Tile &b) {
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
           no(s.node, "`pto." + s.word + "` writes `" + a.name + "` where it reads `" + b.name + "`",
              "give `" + a.name + "` bytes of its own: another `at=`");
  }
  bool overlaps(const Statement &s, std::string_view rule) const {
    const Tile &to = *s.tile;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const Tile *from = s.operands[k].tile;
      if (!from || from == &to) {
        if (from && (holds(apart_words, s.word) || holds(apart_rules, rule))) return apart(s, to, *from);
        continue;
      }
      const bool work = k + 1 == work_of(s.word, s.operands.size() + 1);
      const bool spread = rule == "spread" && other(*from, to);
      if (work || spread || !from->dtype != !to.dtype || holds(apart_words, s.word) || holds(apart_rules, rule)) {
        if (!apart(s, to, *from)) return false;
      } else if (meeting(to, *from) == Meeting::part) {
        return no(s.node,
                  "`pto." + s.word + "` writes `" + to.name + "` over a part of `" + from->name +
                      "`, which it still reads",
                  "let both begin at the same byte, or share none: another `at=`");
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
      return no(s.node,
                "`pto." + s.word + "` takes " + std::to_string(row.parameter_count) + " operands, and is given " +
                    std::to_string(count),
                example(row));
    for (size_t k = 0; k < count; ++k) {
      const std::string_view said = row.parameters[k].annotation, name = row.parameters[k].name;
      const bool number = said.find("float") != std::string_view::npos || said.find("int") != std::string_view::npos ||
                          said.find("str") != std::string_view::npos;
      const std::string_view word = said.substr(0, said.find(' '));
      const Tile *t = tile(k);
      const bool either = number && word != "float" && word != "int" && word != "str";
      if (!t && !number)
        return no(s.operands[k - 1].node,
                  "`" + std::string(name) + "` of `pto." + s.word + "` is a tile, and `" +
                      c.show(s.operands[k - 1].node) + "` is none",
                  example(row));
      if (t && number && !either)
        return no(s.operands[k - 1].node,
                  "`" + std::string(name) + "` of `pto." + s.word + "` is " + (said == "str" ? "a word" : "a number") +
                      ", and `" + t->name + "` is a tile",
                  example(row));
      if (!t || name == "work" || word == "Element") continue;
      const std::string dtype = dtype_of(*t);
      const auto known =
          std::find_if(std::begin(classes), std::end(classes), [&](const Class &one) { return one.name == word; });
      const std::string takes = known == std::end(classes)
                                    ? std::string(word)
                                    : std::string(known->dtypes.substr(1, known->dtypes.size() - 2));
      if ((" " + takes + " ").find(" " + dtype + " ") == std::string::npos)
        return no(s.node, "`pto." + s.word + "` does not take `" + t->name + "`, a tile of " + dtype,
                  "it takes " + takes + ": convert by `pto.tcvt` before");
      const auto [first, fresh] = bound.try_emplace(word, t);
      if (known != std::end(classes) && !fresh && dtype_of(*first->second) != dtype)
        return no(s.node,
                  "`pto." + s.word + "` of `" + first->second->name + "`, a tile of " + dtype_of(*first->second) +
                      ", and `" + t->name + "`, one of " + dtype,
                  "declare both with one dtype, or convert by `pto.tcvt`");
    }
    return true;
  }
  static std::string example(const htp_intrinsic &row) {
    const std::string_view doc = row.doc;
    const size_t at = doc.find(">>> ");
    return at == std::string_view::npos
               ? "see its documentation"
               : "like this: `pto." + std::string(doc.substr(at + 4, doc.find('\n', at) - at - 4)) + "`";
  }

  // ── extents by rule ──

  bool like(const Statement &s, const Tile &a, const Tile &b) const {
    return !other(a, b) ||
           no(s.node,
              "`pto." + s.word + "` of `" + a.name + "`, " + extents(a) + ", and `" + b.name + "`, " + extents(b),
              "give both the same valid rows and columns: `valid=`");
  }
  bool agree(const Statement &s, const Tile &a, Node x, const Tile &b, Node y, const char *what) const {
    return !other(x, y) ||
           no(s.node,
              "`pto." + s.word + "` of `" + a.name + "`, " + extents(a) + ", and `" + b.name + "`, " + extents(b),
              std::string("let ") + what + " agree: `valid=`");
  }
  bool sums(const Statement &s, const Tile &to, const Tile &left) const {
    const std::string wanted = dtype_of(left) == "i8" ? "i32" : "f32";
    return dtype_of(to) == wanted || no(s.node,
                                        "`pto." + s.word + "` of " + dtype_of(left) + " sums up in " + wanted +
                                            ", and `" + to.name + "` is a tile of " + dtype_of(to),
                                        "declare `" + to.name + "` as " + wanted + ": the store rounds it");
  }
  bool shapes(const Statement &s, std::string_view rule) const {
    const Tile &to = *s.tile;
    std::vector<const Tile *> from;
    for (size_t k = 0; k < s.operands.size(); ++k)
      if (s.operands[k].tile && k + 1 != work_of(s.word, s.operands.size() + 1)) from.push_back(s.operands[k].tile);
    const auto all = [&] {
      return std::all_of(from.begin(), from.end(), [&](const Tile *t) { return like(s, to, *t); });
    };
    if (rule == "binary" || rule == "scalar" || rule == "unary" || rule == "convert" || rule == "fused" ||
        rule == "select" || rule == "compare")
      return holds(apart_words, s.word) || s.word == "tsels" ? from.empty() || like(s, to, *from.front()) : all();
    if (rule == "rows") return agree(s, to, to.valid_rows, *from[0], from[0]->valid_rows, "their rows");
    if (rule == "columns") return agree(s, to, to.valid_columns, *from[0], from[0]->valid_columns, "their columns");
    if (rule == "turn")
      return agree(s, to, to.valid_rows, *from[0], from[0]->valid_columns,
                   "rows of the one and columns of the other") &&
             agree(s, to, to.valid_columns, *from[0], from[0]->valid_rows, "columns of the one and rows of the other");
    if (rule == "spread") {
      const bool rows = s.word.starts_with("trow");
      return std::all_of(from.begin(), from.end(), [&](const Tile *t) {
        return rows ? agree(s, to, to.valid_rows, *t, t->valid_rows, "their rows")
                    : agree(s, to, to.valid_columns, *t, t->valid_columns, "their columns");
      });
    }
    if (rule == "product" && from.size() == 2)
      return sums(s, to, *from[0]) &&
             agree(s, *from[0], from[0]->valid_columns, *from[1], from[1]->valid_rows,
                   "columns of the left and rows of the right") &&
             agree(s, to, to.valid_rows, *from[0], from[0]->valid_rows, "rows of the sum and of the left") &&
             agree(s, to, to.valid_columns, *from[1], from[1]->valid_columns, "columns of the sum and of the right");
    return true;
  }

  // ── transfers ──

  bool transfer(const Statement &s) const {
    const Tile &t = *s.tile;
    const Tensor &g = *s.tensor;
    if (!t.space->cube && dtype_of(t) != g.dtype->word)
      return no(s.node,
                "`pto." + s.word + "` of `" + t.name + "`, a tile of " + dtype_of(t) + ", and `" + g.name + "`, of " +
                    std::string(g.dtype->word),
                "declare the tile with the tensor's dtype, and convert by `pto.tcvt`");
    std::vector<std::pair<std::optional<Sum>, Node>> long_dims;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const auto slice = read_slice(c, s.index[d]);
      const auto extent = sum(g.extents[d]);
      const bool whole = !slice && c.dotted(s.index[d]).ends_with(".whole");
      const auto begin = whole ? std::optional(Sum::number(0)) : sum(slice ? slice->start : s.index[d]),
                 end = whole   ? extent
                       : slice ? sum(slice->stop)
                       : begin ? std::optional(begin->plus(Sum::number(1)))
                               : begin;
      const auto first = begin ? begin->constant() : std::nullopt;
      if ((first && *first < 0) || more(end, extent).value_or(0) > 0)
        return no(s.index[d],
                  "`" + c.show(s.index[d]) + "` leaves `" + g.name + "`, which has " + c.show(g.extents[d]) + " there",
                  "end at " + c.show(g.extents[d]) + ": `min(…, " + c.show(g.extents[d]) + ")`, and begin at 0");
      if (slice || (whole && !(extent && extent->constant() == 1)))
        long_dims.emplace_back(begin && end ? std::optional(end->plus(*begin, -1)) : std::nullopt, s.index[d]);
    }
    if (long_dims.size() > 2)
      return no(s.node, "`pto." + s.word + "` moves more than two dimensions", "give ints for the others, in a loop");
    if (long_dims.empty()) return true;
    std::vector<Node> valid{t.valid_rows, t.valid_columns};
    if (long_dims.size() == 1)
      valid = {more(sum(t.valid_rows), Sum::number(1)) == 0                        ? t.valid_columns
               : t.columns == 1 || more(sum(t.valid_columns), Sum::number(1)) == 0 ? t.valid_rows
                                                                                   : HTP_NONE};
    for (size_t k = 0; k < long_dims.size(); ++k) {
      if (!valid[k]) continue;
      // What is turned is seen by columns, which its own extents say already.
      if (more(long_dims[k].first, sum(valid[k])).value_or(0) != 0 && !t.turned)
        return no(long_dims[k].second,
                  "`" + c.show(long_dims[k].second) + "` of `" + g.name + "` is of another length than `" + t.name +
                      "`, " + extents(t),
                  "give both the same extents");
    }
    return true;
  }

  bool instruction(const Statement &s) const {
    const htp_intrinsic *row = c.intrinsic("pto." + s.word);
    if (!row) return true;
    if (s.tensor) return transfer(s);
    const std::string_view rule = row->rule;
    return dtypes(s, *row) && shapes(s, rule) && overlaps(s, rule);
  }

  const Context &c;
  sdk::Constants constants_;
};

} // namespace

bool check_operands(const Context &c, Node root, const Kernel &kernel) { return Operands(c, root).kernel(kernel.body); }

} // namespace htp::a2a3
