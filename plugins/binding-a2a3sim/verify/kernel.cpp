// A kernel's text, run: each instruction goes to the machine with its operands and its line.
#include "interpret.h"
#include "verify.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

namespace htp::a2a3sim {

namespace {

using Form = Value::Kind;

struct NamedConstant {
  const char *name;
  int64_t value;
};
constexpr NamedConstant constants_of_pto[] = {{"PIPE_S", htp_sim::PIPE_S_},
                                              {"PIPE_V", htp_sim::PIPE_V_},
                                              {"PIPE_MTE1", htp_sim::PIPE_MTE1_},
                                              {"PIPE_MTE2", htp_sim::PIPE_MTE2_},
                                              {"PIPE_MTE3", htp_sim::PIPE_MTE3_},
                                              {"PIPE_M", htp_sim::PIPE_M_},
                                              {"PIPE_ALL", htp_sim::PIPE_ALL_},
                                              {"PIPE_FIX", htp_sim::PIPE_FIX_},
                                              {"DYNAMIC", -1},
                                              {"TileType::Vec", 0},
                                              {"TileType::Mat", 1},
                                              {"TileType::Left", 2},
                                              {"TileType::Right", 3},
                                              {"TileType::Acc", 4},
                                              {"TileType::Bias", 5},
                                              {"TileType::Scaling", 6},
                                              {"BLayout::RowMajor", 0},
                                              {"BLayout::ColMajor", 1},
                                              {"SLayout::NoneBox", 0},
                                              {"SLayout::RowMajor", 1},
                                              {"SLayout::ColMajor", 2},
                                              {"Layout::ND", 0},
                                              {"Layout::DN", 1},
                                              {"Layout::NZ", 2},
                                              {"PadValue::Null", 0},
                                              {"PadValue::Zero", 1},
                                              {"PadValue::Max", 2},
                                              {"PadValue::Min", 3},
                                              {"CompactMode::Null", 0},
                                              {"CompactMode::Normal", 1},
                                              {"RoundMode::CAST_NONE", 0},
                                              {"RoundMode::CAST_RINT", 1},
                                              {"RoundMode::CAST_ROUND", 2},
                                              {"RoundMode::CAST_FLOOR", 3},
                                              {"RoundMode::CAST_CEIL", 4},
                                              {"RoundMode::CAST_TRUNC", 5},
                                              {"RoundMode::CAST_ODD", 6},
                                              {"SaturationMode::ON", 0},
                                              {"SaturationMode::OFF", 1},
                                              {"CmpMode::EQ", 0},
                                              {"CmpMode::NE", 1},
                                              {"CmpMode::LT", 2},
                                              {"CmpMode::LE", 3},
                                              {"CmpMode::GT", 4},
                                              {"CmpMode::GE", 5},
                                              {"MaskPattern::P0101", 1},
                                              {"MaskPattern::P1010", 2},
                                              {"MaskPattern::P0001", 3},
                                              {"MaskPattern::P0010", 4},
                                              {"MaskPattern::P0100", 5},
                                              {"MaskPattern::P1000", 6},
                                              {"MaskPattern::P1111", 7},
                                              {"AtomicType::AtomicNone", 0},
                                              {"AtomicType::AtomicAdd", 1},
                                              {"ReluPreMode::NoRelu", 0},
                                              {"ReluPreMode::NormalRelu", 1}};

const std::map<std::string, Op, std::less<>> &instructions() {
  static const std::map<std::string, Op, std::less<>> all = {
#define PTO(name, ...) {#name, Op::name},
#include "instructions.def"
  };
  return all;
}

class KernelRun : public Interpreter {
public:
  KernelRun(const Unit &unit, const std::string &path, Core &core, const std::vector<int64_t> &values, Found &found,
            const Wanted &wanted)
      : Interpreter(unit, path), core_(core), values_(values), found_(found), wanted_(wanted) {}

private:
  // ── beside the program's lines ─────────────────────────────────────────────────────────────────────────────────

  [[noreturn]] void differs(int line, const Citation &cited, Refusal why) const {
    throw Fault{std::move(why), where(line),
                line_text(path_, line) + " is not what " + line_text(wanted_.cited.path(), cited.line) + " says"};
  }
  void same(int line, const Citation &cited, const char *what, const std::string &of, int64_t is, const Expr &wanted) {
    const Value v = evaluate(wanted);
    if (v.kind == Form::integer && v.integer != is)
      differs(line, cited, Refusal(diag::line_number, what, of, is, v.integer));
  }
  // What the lines of a kernel's own body cite; those of functions that it calls are not the program's.
  const Citation &citation_at(int line) const {
    static const Citation nothing;
    return depth() == 1 ? wanted_.cited.at(line) : nothing;
  }
  static void assigns(const Expr &e, std::vector<const Expr *> &all) {
    if (e.kind == Expr::Kind::binary && e.text == ",")
      for (const Expr &p : e.children) assigns(p, all);
    else
      all.push_back(&e);
  }

  void begins(const Statement &s) override {
    const Citation &cited = citation_at(s.line);
    if (cited.kind != Citation::Kind::loop || !wanted_.cited.cites(s.line)) return;
    loops_.insert(cited.name);
    const Value *variable = find(cited.name);
    if (!variable || s.value.kind != Expr::Kind::binary || s.value.text != "<" ||
        s.value.children[0].text != cited.name)
      differs(s.line, cited, Refusal(diag::line_loop));
    same(s.line, cited, "start", cited.name, variable->integer, cited.operands[0]);
    same(s.line, cited, "end", cited.name, evaluate(s.value.children[1]).integer, cited.operands[1]);
    std::vector<const Expr *> steps;
    assigns(s.step, steps);
    bool turns = cited.turn.empty(), goes_on = false;
    for (const Expr *e : steps) {
      if (e->kind != Expr::Kind::assign || e->children[0].kind != Expr::Kind::name) continue;
      if (e->children[0].text == cited.name && e->text == "+=") {
        same(s.line, cited, "step", cited.name, evaluate(e->children[1]).integer, cited.operands[2]);
        goes_on = true;
      } else if (e->children[0].text == cited.turn) { // 0, 1, 0, 1
        const Value *turn = find(cited.turn);
        const Expr &next = e->children[1];
        turns = turn && turn->integer == 0 && next.kind == Expr::Kind::binary && next.text == "-" &&
                next.children[0].kind == Expr::Kind::integer && next.children[0].integer == 1 &&
                next.children[1].text == cited.turn;
      }
    }
    if (!goes_on || !turns || steps.size() != (cited.turn.empty() ? 1 : 2))
      differs(s.line, cited, Refusal(goes_on ? diag::line_turns : diag::line_loop));
  }

  static void names(const Expr &e, std::set<std::string> &all) {
    if (e.kind == Expr::Kind::name) all.insert(e.text);
    for (const Expr &p : e.children) names(p, all);
  }
  // A tile's place, in either turn: loops that go round once have but one.
  void calling(const Expr &call) override {
    if (call.children[0].text != "TASSIGN" || call.children.size() != 3) return;
    const Citation &cited = citation_at(call.line);
    if (cited.kind != Citation::Kind::tile || cited.offset.size() != 1) return;
    const auto place = [&] {
      same(call.line, cited, "address", cited.name, evaluate(call.children[2]).integer, cited.offset[0]);
    };
    place();
    std::set<std::string> all;
    names(cited.offset[0], all);
    for (const std::string &name : all)
      if (Value *turn = find(name); turn && turn->kind == Form::integer) {
        const Value now = *turn;
        *turn = Value::of(1 - now.integer), place();
        *find(name) = now;
      }
  }

  void declared(const Statement &s, const Value &value) override {
    const Citation &cited = citation_at(s.line);
    if (cited.kind == Citation::Kind::integer && cited.name == s.name && value.kind == Form::integer)
      same(s.line, cited, "value", s.name, value.integer, cited.operands[0]);
    if (value.kind != Form::operand) return;
    const Operand &o = *value.operand;
    if (cited.kind == Citation::Kind::tile && cited.valid.size() == 2 && o.kind == htp_sim::Kind::tile) {
      std::array<int64_t, 2> is{o.valid_rows, o.valid_columns};
      std::array<int64_t, 2> wanted{evaluate(cited.valid[0]).integer, evaluate(cited.valid[1]).integer};
      if (o.type == Type::u8 && is != wanted) wanted[1] = (wanted[1] + 7) / 8; // a mask has a bit for each
      const std::array<int64_t, 2> turned{wanted[1], wanted[0]};               // a column, as a row
      if (is != wanted && (is != turned || (wanted[0] != 1 && wanted[1] != 1)))
        differs(s.line, cited, Refusal(diag::line_valid, s.name, is[0], is[1], wanted[0], wanted[1]));
    }
    if (cited.kind == Citation::Kind::instruction && o.kind == htp_sim::Kind::global && s.arguments.size() == 1)
      transfer(s, cited, o);
  }

  // Extents and strides of a part of a tensor, in elements, the innermost first; without those of 1, and as few as
  // there may be.
  using Steps = std::vector<std::pair<int64_t, int64_t>>;
  static Steps joined(Steps all) {
    std::erase_if(all, [](const auto &one) { return one.first == 1; });
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    Steps out;
    for (const auto &[extent, stride] : all)
      if (!out.empty() && stride == out.back().first * out.back().second)
        out.back().first *= extent;
      else
        out.emplace_back(extent, stride);
    return out;
  }
  // The distance of elements along each dimension.
  std::vector<int64_t> apart(const std::string &name, const std::vector<int64_t> &shape) const {
    const auto steps = wanted_.steps.find(name);
    return steps == wanted_.steps.end() ? layout::row_strides(shape) : steps->second;
  }
  // The element that a transfer begins at, of a tensor whose elements lie so.
  int64_t first_of(const Citation &cited, const std::vector<int64_t> &pitches, size_t at) {
    int64_t first = 0;
    for (size_t d = 0; d < pitches.size(); ++d) {
      const Expr &index = cited.operands[d + at];
      if (index.text == "whole") continue;
      const bool slice = index.kind == Expr::Kind::call && index.children[0].text == "slice";
      first += evaluate(slice ? index.children[1] : index).integer * pitches[d];
    }
    return first;
  }
  void transfer(const Statement &s, const Citation &cited, const Operand &g) {
    const bool load = cited.name == "tload" || cited.name == "tprefetch";
    const size_t first_index = cited.name == "tstore_fp" ? 3 : 2;
    if ((!load && cited.name != "tstore" && cited.name != "tstore_fp") || cited.operands.size() <= first_index) return;
    const std::string &name = cited.operands[load ? 1 : 0].text;
    const auto shape = wanted_.shapes.find(name);
    const Value *base = find(name);
    if (shape == wanted_.shapes.end() || !base || cited.operands.size() != shape->second.size() + first_index) return;
    std::set<int64_t> pitches{g.shape[4], g.shape[3]};
    Steps wanted, is;
    const std::vector<int64_t> along = apart(name, shape->second);
    const int64_t first = first_of(cited, along, first_index);
    for (size_t d = shape->second.size(); d-- > 0;) {
      const Expr &index = cited.operands[d + first_index];
      const bool slice =
                     index.kind == Expr::Kind::call && index.children[0].text == "slice" && index.children.size() == 3,
                 whole = index.text == "whole";
      const int64_t begin = whole ? 0 : evaluate(slice ? index.children[1] : index).integer;
      wanted.emplace_back(whole ? shape->second[d] : slice ? evaluate(index.children[2]).integer - begin : 1, along[d]);
      pitches.insert(along[d]);
    }
    for (size_t k = 0; k < 5; ++k) is.emplace_back(g.shape[k], g.stride[k]);
    const auto begins_at = [&](int64_t address, int64_t wanted_first) {
      const auto at = (address - base->integer) / static_cast<int64_t>(std::max<uint64_t>(1, bytes_of(g.type)));
      if (at != wanted_first) differs(s.line, cited, Refusal(diag::line_first, name, at, wanted_first));
    };
    begins_at(reinterpret_cast<int64_t>(g.address), first);
    // The same one round on, in loops that may go round but once.
    const Expr &call = s.arguments[0];
    std::set<std::string> all;
    for (size_t k = first_index; k < cited.operands.size(); ++k) names(cited.operands[k], all);
    for (const std::string &variable : all) {
      Value *v = loops_.contains(variable) && call.children.size() == 5 ? find(variable) : nullptr;
      if (!v || v->kind != Form::integer) continue;
      const Value now = *v;
      *v = Value::of(now.integer + 1);
      begins_at(evaluate(call.children[1]).integer, first_of(cited, along, first_index));
      *find(variable) = now;
    }
    // Of one row the pitch moves nothing, and stands there all the same.
    const bool pitched = call.children.size() != 5 || pitches.contains(evaluate(call.children[4]).integer);
    if (joined(wanted) != joined(is) || !pitched) differs(s.line, cited, Refusal(diag::line_slice, name));
  }

  // A number of the program's, or nothing where it is something else.
  std::optional<double> number_of(const Expr &e) {
    if (e.kind == Expr::Kind::integer || e.kind == Expr::Kind::real) return e.real;
    if (e.kind == Expr::Kind::text && e.text.size() > 2) { // how it rounds or compares
      const std::string mode = e.text.substr(1, e.text.size() - 2);
      if (mode == "lower" || mode == "upper") return mode == "upper" ? 1 : 0;
      for (const char *outer : {"RoundMode::CAST_", "CmpMode::", "MaskPattern::"})
        for (const NamedConstant &w : constants_of_pto)
          if (w.name == outer + mode) return static_cast<double>(w.value);
    }
    if (e.kind == Expr::Kind::unary && e.text == "-") {
      const auto n = number_of(e.children[0]);
      return n ? std::optional(-*n) : n;
    }
    if (e.kind == Expr::Kind::call && e.children[0].text == "float" && e.children.size() == 2) {
      const double infinite = std::numeric_limits<double>::infinity();
      const std::string &value = e.children[1].text;
      return value == "'inf'"    ? std::optional(infinite)
             : value == "'-inf'" ? std::optional(-infinite)
             : value == "'nan'"  ? std::optional(std::numeric_limits<double>::quiet_NaN())
                                 : std::nullopt;
    }
    const bool least = e.kind == Expr::Kind::call && e.children.size() == 3 &&
                       (e.children[0].text == "min" || e.children[0].text == "max");
    if (least || (e.kind == Expr::Kind::binary && e.text != ",")) {
      const auto is_number = [&](const Expr &part) { return number_of(part).has_value(); };
      if (!std::all_of(e.children.begin() + (least ? 1 : 0), e.children.end(), is_number)) return std::nullopt;
      return evaluate(e).real;
    }
    if (e.kind == Expr::Kind::name && !find(e.text) && wanted_.cited.constant(e.text)) return evaluate(e).real;
    const Value *v = e.kind == Expr::Kind::name ? find(e.text) : nullptr;
    return v && (v->kind == Form::integer || v->kind == Form::real) ? std::optional(v->real) : std::nullopt;
  }
  void numbers(const Citation &cited, int line, const Operand *operands, uint32_t count, uint32_t options) {
    if (cited.kind != Citation::Kind::instruction || cited.name == "tload" || cited.name == "tprefetch" ||
        cited.name.starts_with("tstore"))
      return;
    std::vector<double> is, wanted;
    for (uint32_t k = 0; k < count; ++k)
      if (operands[k].kind == htp_sim::Kind::integer || operands[k].kind == htp_sim::Kind::real)
        is.push_back(operands[k].real);
    if (options & htp_sim::descending) is.push_back(1);
    if (cited.name == "tcvt" && is.size() == 2) is.pop_back(); // how it saturates: the dtypes say it
    for (const Expr &e : cited.operands)
      if (const auto n = number_of(e)) wanted.push_back(*n);
    const auto equal = [](double a, double b) { return a == b || (a != a && b != b); };
    if (!std::equal(is.begin(), is.end(), wanted.begin(), wanted.end(), equal))
      differs(line, cited, Refusal(diag::line_operands));
  }

  // ── the machine ────────────────────────────────────────────────────────────────────────────────────────────────

  Where where(int line) const { return {path_.c_str(), line}; }
  bool named(const std::string &name, Value &result) override {
    static const auto constants = [] {
      std::unordered_map<std::string_view, int64_t> all;
      for (const NamedConstant &w : constants_of_pto) all.emplace(w.name, w.value);
      return all;
    }();
    if (const auto w = constants.find(name); w != constants.end()) return result = Value::of(w->second), true;
    if (name.rfind("EVENT_ID", 0) == 0 && name.size() == 9)
      return result = Value::of(static_cast<int64_t>(name[8] - '0')), true;
    if (const Expr *number = depth() == 1 ? wanted_.cited.constant(name) : nullptr)
      return result = evaluate(*number), true;
    return false;
  }

  template <class T> static int64_t number_at(const uint8_t *address) {
    T n;
    std::memcpy(&n, address, sizeof n);
    return n;
  }
  static int64_t at(const std::vector<Value> &all, size_t k, size_t count, int64_t otherwise) {
    return k < count ? all[k].integer : otherwise;
  }

  bool constructed(std::string_view type, std::vector<Value> &all, int line, Value &result) override {
    const auto count = static_cast<size_t>(all.back().integer);
    all.pop_back();
    if (type == "GlobalTensor") return global(all, count, result);
    htp_sim::Operand t;
    size_t rows = 2;
    if (type == "Tile") {
      if (count < 4) return false;
      t.space = static_cast<Space>(all[0].integer);
      t.row_major = at(all, 4, count, 0) == 0;
      t.box = static_cast<htp_sim::Box>(at(all, 7, count, 0));
      t.pad = static_cast<uint64_t>(at(all, 9, count, 0));
    } else if (type == "TileLeft" || type == "TileRight" || type == "TileAcc") {
      if (count < 3) return false;
      rows = 1;
      t.space = type == "TileLeft" ? Space::left : type == "TileRight" ? Space::right : Space::acc;
      t.row_major = t.space != Space::acc;
      t.box = t.space == Space::right ? htp_sim::Box::columns : htp_sim::Box::rows;
    } else {
      return false;
    }
    t.kind = htp_sim::Kind::tile;
    t.type = all[rows - 1].type;
    t.rows = static_cast<int32_t>(all[rows].integer), t.columns = static_cast<int32_t>(all[rows + 1].integer);
    const size_t valid = type == "Tile" ? 5 : 3;
    int64_t vr = at(all, valid, count, t.rows), vc = at(all, valid + 1, count, t.columns);
    size_t next = count;
    if (vr == -1 && next < all.size()) vr = all[next++].integer;
    if (vc == -1 && next < all.size()) vc = all[next++].integer;
    t.valid_rows = static_cast<int32_t>(vr), t.valid_columns = static_cast<int32_t>(vc);
    const auto size = static_cast<int32_t>(std::max<uint64_t>(1, bytes_of(t.type))), narrow = 32 / size;
    const bool wide = type == "TileAcc" || (type == "Tile" && at(all, 8, count, 512) == 1024);
    if (t.box != htp_sim::Box::none) {
      t.box_rows = wide || t.box == htp_sim::Box::rows ? 16 : narrow;
      t.box_columns = wide || t.box == htp_sim::Box::columns ? 16 : narrow;
    }
    if (t.space == Space::left && t.rows == 1) t.box = htp_sim::Box::none, t.box_rows = t.box_columns = 1;
    if (t.rows <= 0 || t.columns <= 0) wrong(line, Refusal(diag::tile_size, t.rows, t.columns));
    if (t.box == htp_sim::Box::none ? (t.row_major ? t.columns : t.rows) * size % 32 != 0
                                    : t.columns % t.box_columns != 0 || (t.rows % t.box_rows != 0 && t.rows != 1))
      wrong(line, Refusal(diag::tile_lines, t.rows, t.columns, name_of(t.type)));
    result.kind = Form::operand, result.operand = std::make_shared<Operand>(t);
    return true;
  }
  static bool global(const std::vector<Value> &all, size_t count, Value &result) {
    if (count < 3 || all.size() <= count || all[count].kind != Form::pointer) return false;
    htp_sim::Operand g;
    g.kind = htp_sim::Kind::global, g.type = all[0].type, g.assigned = true;
    g.layout = static_cast<htp_sim::Global>(at(all, 3, count, 0));
    g.address = reinterpret_cast<void *>(all[count].integer);
    for (size_t part = 0; part < 2; ++part) {
      const Value &five = all.size() > count + 1 + part ? all[count + 1 + part] : all[1 + part];
      if (!five.items || five.items->size() != 5) return false;
      for (size_t k = 0; k < 5; ++k)
        (part ? g.stride : g.shape)[k] = (*five.items)[k].integer == -1 ? 1 : (*five.items)[k].integer;
    }
    result.kind = Form::operand, result.operand = std::make_shared<Operand>(g);
    return true;
  }

  bool called(const std::string &name, const std::vector<Value> &templates, std::vector<Value> &a, int line,
              Value &result) override {
    const auto integer = [&](size_t k) { return static_cast<int>(a[k].integer); };
    if (name == "set_flag" || name == "wait_flag") {
      if (a.size() != 3) return false;
      const bool set = name == "set_flag";
      found_.events.insert({integer(0), integer(1), integer(2), line, set});
      set ? core_.set_flag(integer(0), integer(1), integer(2), where(line))
          : core_.wait_flag(integer(0), integer(1), integer(2), where(line));
      return true;
    }
    if ((name == "min" || name == "max") && a.size() == 2 && depth() == 1) // the program's
      return result = (a[0].integer < a[1].integer) == (name == "min") ? a[0] : a[1], true;
    if (name == "__builtin_inff") return result = Value::of_real(std::numeric_limits<double>::infinity()), true;
    if (name == "__builtin_nanf") return result = Value::of_real(std::numeric_limits<double>::quiet_NaN()), true;
    if (name == "pipe_barrier" && a.size() == 1) return core_.barrier(integer(0), where(line)), true;
    if (name == "HTP_SCALAR" || name == "HTP_TENSOR") { // macros of the package, which read an argument
      const bool tensor = name == "HTP_TENSOR";
      const int64_t k = tensor ? a.back().integer : a.size() == 3 ? a[1].integer + a[2].integer : a[0].integer;
      if (k < 0 || static_cast<size_t>(k) >= values_.size())
        wrong(line, Refusal(diag::kernel_argument, k, values_.size()));
      found_.reads.insert({line, k});
      result = Value::of(values_[static_cast<size_t>(k)]);
      if (tensor) result.kind = Form::pointer, result.type = a[0].type;
      return true;
    }
    if (name == "HTP_VALUE" && a.size() == 2 && a[0].kind == Form::pointer && bytes_of(a[0].type) >= 4) {
      const auto size = static_cast<int64_t>(bytes_of(a[0].type));
      const auto *address = reinterpret_cast<const uint8_t *>(a[0].integer + a[1].integer * size);
      core_.look(address, static_cast<uint64_t>(size), where(line));
      return result = Value::of(size == 4 ? number_at<int32_t>(address) : number_at<int64_t>(address)), true;
    }
    if (name == "HTP_INSIDE" && a.size() == 5) return true; // of data; the verifier's own asks for nothing
    if (name == "TASSIGN" && a.size() == 2 && a[0].kind == Form::operand) {
      Operand &o = *a[0].operand;
      if (o.kind == htp_sim::Kind::global) return o.address = reinterpret_cast<void *>(a[1].integer), true;
      o.offset = static_cast<uint64_t>(a[1].integer), o.assigned = true;
      found_.places.insert({line, o.space, o.offset,
                            static_cast<uint64_t>(o.rows) * static_cast<uint64_t>(o.columns) * bytes_of(o.type)});
      return true;
    }
    // The template's last is an operand.
    const bool picks = name == "TGATHER" && templates.size() == 3 && a.size() == 2,
               spreads = name == "TSCATTER" && templates.size() == 1 && a.size() == 2;
    if (picks || spreads || (name == "TTRI" && templates.size() == 2 && a.size() == 2)) a.push_back(templates.back());
    const auto found = instructions().find(picks || spreads ? name + "_PATTERN" : name);
    if (found == instructions().end()) return false;
    std::array<Operand, 8> operands;
    uint32_t count = 0;
    for (const Value &v : a) {
      if (count == operands.size()) return false;
      Operand &o = operands[count++];
      if (v.kind == Form::operand) {
        o = *v.operand;
      } else if (v.kind == Form::integer || v.kind == Form::real) {
        o.kind = v.kind == Form::real ? htp_sim::Kind::real : htp_sim::Kind::integer;
        o.integer = v.integer, o.real = v.real;
      } else {
        return false;
      }
    }
    uint32_t options = 0;
    if (name == "TSTORE" && templates.size() > 2 && templates[2].integer == 1) options |= htp_sim::adds;
    if (name == "TSTORE" && templates.size() > 3 && templates[3].integer == 1) options |= htp_sim::relu;
    if (name == "TCI" && templates.size() > 2 && templates[2].integer != 0) options |= htp_sim::descending;
    if (name == "TCI" && !templates.empty() && templates[0].items && templates[0].items->size() >= 4) {
      const auto &type = *templates[0].items; // space, dtype, rows, columns
      if (type[2].integer != operands[0].rows || type[3].integer != operands[0].columns)
        wrong(line, Refusal(diag::template_tile, name));
    }
    numbers(citation_at(line), line, operands.data(), count, options);
    core_.issue(found->second, operands.data(), count, options, where(line));
    return true;
  }

private:
  Core &core_;
  const std::vector<int64_t> &values_;
  Found &found_;
  const Wanted &wanted_;
  std::set<std::string> loops_; // their variables
};

} // namespace

void run_kernel(const Unit &unit, const std::string &path, Core &core, const std::vector<int64_t> &values, Found &found,
                const Wanted &wanted) {
  KernelRun run(unit, path, core, values, found, wanted);
  Value args;
  args.kind = Form::list, args.items = std::make_shared<std::vector<Value>>();
  for (const int64_t w : values) args.items->push_back(Value::of(w));
  run.call("kernel_entry", {args});
}

} // namespace htp::a2a3sim
