#include "stage_kernel.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace htp::a2a3sim {

namespace {

using namespace program;

struct DType {
  std::string_view name, text;
};
constexpr DType dtypes[] = {{"f32", "float"},    {"f16", "half"},     {"bf16", "bfloat16_t"}, {"i8", "int8_t"},
                            {"i16", "int16_t"},  {"i32", "int32_t"},  {"i64", "int64_t"},     {"u8", "uint8_t"},
                            {"u16", "uint16_t"}, {"u32", "uint32_t"}, {"u64", "uint64_t"}};
std::string text_of(const std::string &dtype) {
  for (const DType &d : dtypes)
    if (d.name == dtype) return std::string(d.text);
  return "uint8_t"; // a mask
}

// Where the program has a number that this file cannot work out; the run holds what it is.
constexpr std::string_view any_number = "HTP_ANY_NUMBER";

struct Tile {
  std::string name, dtype, space = "ub", layout = {}, pad = {};
  int64_t rows = 0, columns = 0;
  Expr valid_rows = {}, valid_columns = {}, at = {};
  bool as_column = false, as_line = false;
  bool turned() const { return layout == "zn"; }
  bool mask() const { return dtype == "bool_"; }
  bool column() const { return columns == 1; }
  bool cube() const { return space != "ub"; }
};

class StageKernelReader {
public:
  StageKernelReader(const Stage &stage, const Constants &constants, const std::vector<std::string> &parts,
                    const Py &kernel)
      : stage_(stage), constants_(constants), parts_(parts), k_(kernel) {}

  StageKernel run() {
    kernel_.line = k_.line, kernel_.cube = k_.name == "aic";
    gather(k_.body);
    size_t number = 0;
    for (const StageTensor &t : stage_.tensors) {
      const bool reads = reads_.contains(t.name), writes = writes_.contains(t.name);
      if (!reads && !writes) continue;
      kernel_.arguments.push_back({t.name, t.dtype, true, reads, writes});
      const std::string type = text_of(t.dtype);
      row("__gm__ " + type + " *" + t.name + " = HTP_TENSOR(" + type + ", " + std::to_string(number++) + ");", k_.line);
    }
    std::vector<std::string> scalars = stage_.numbers();
    for (const std::string &name : stage_.int_parameters) data_[name].insert(name);
    scalars.insert(scalars.end(), parts_.begin(), parts_.end());
    taken_.insert(scalars.begin(), scalars.end());
    for (const StageTensor &t : stage_.tensors) taken_.insert(t.name);
    for (const std::string &s : scalars) {
      kernel_.arguments.push_back({s, "", false, true, false});
      row("const int64_t " + s + " = HTP_SCALAR(" + std::to_string(number++) + ");", k_.line);
    }
    named_.clear(), next_ = 0;
    block(k_.body);
    return std::move(kernel_);
  }

private:
  [[noreturn]] void no(int line, const std::string &what) const { throw NotRead{line, what}; }
  void row(const std::string &text, int line) { kernel_.rows.push_back({text, line}); }

  // ── what the whole kernel says of tiles and tensors ──

  static bool sees_columns(const std::string &instruction) { return instruction.starts_with("trow"); }
  static bool writes_memory(const std::string &instruction) {
    return instruction == "tstore" || instruction == "tstore_fp" || instruction == "mscatter";
  }
  void gather(const std::vector<Py> &body) {
    for (const Py &s : body) {
      taken_.insert({s.name, s.turn});
      if (s.kind == Py::Kind::assign && calls(s.value, "tile")) {
        named_[s.name] = tiles_.size();
        tiles_.push_back(tile_of(s));
      } else if (s.kind == Py::Kind::assign && calls(s.value, "value") && count_of(s.value)) {
        reads_.insert(argument(s.value, 0).text);
      } else if (s.kind == Py::Kind::call) {
        const std::string &instruction = s.value.children[0].text;
        for (size_t k = 0; k < count_of(s.value); ++k) {
          const Expr &a = argument(s.value, k);
          if (Tile *t = named(a); t && t->column()) (sees_columns(instruction) ? t->as_column : t->as_line) = true;
          if (a.kind == Expr::Kind::name && tensor(a.text) && !named(a)) {
            if (instruction != "tstore" && instruction != "tstore_fp") reads_.insert(a.text);
            if (writes_memory(instruction)) writes_.insert(a.text);
          }
        }
      }
      gather(s.body), gather(s.otherwise);
    }
  }
  Tile tile_of(const Py &s) const {
    Tile t;
    t.name = s.name;
    if (count_of(s.value) < 3) no(s.line, "a tile without extents");
    t.dtype = argument(s.value, 0).text;
    const auto rows = number_of(argument(s.value, 1), constants_),
               columns = number_of(argument(s.value, 2), constants_);
    if (!rows || !columns) no(s.line, "a tile of no numbers");
    t.rows = rows->i, t.columns = columns->i;
    for (size_t k = 3; k < count_of(s.value); ++k) {
      const Expr &e = argument(s.value, k);
      if (e.kind != Expr::Kind::assign) no(s.line, "a tile of more than two extents");
      const std::string &keyword = e.children[0].text;
      const Expr &value = e.children[1];
      if (keyword == "valid" && value.kind == Expr::Kind::binary && value.text == ",")
        t.valid_rows = value.children[0], t.valid_columns = value.children[1];
      if (keyword == "at") t.at = value;
      if (keyword == "space") t.space = value.text.substr(1, value.text.size() - 2);
      if (keyword == "layout") t.layout = value.text.substr(1, value.text.size() - 2);
      if (keyword == "pad") t.pad = value.text.substr(1, value.text.size() - 2);
    }
    return t;
  }
  Tile *named(const Expr &e) {
    const auto it = e.kind == Expr::Kind::name ? named_.find(e.text) : named_.end();
    return it == named_.end() ? nullptr : &tiles_[it->second];
  }
  const Tile &need(const Expr &e, int line) {
    const Tile *t = named(e);
    return t ? *t : (no(line, "this is no tile"), *t);
  }
  const StageTensor *tensor(const std::string &name) const {
    const auto it = std::find_if(stage_.tensors.begin(), stage_.tensors.end(), [&](auto &t) { return t.name == name; });
    return it == stage_.tensors.end() ? nullptr : &*it;
  }

public:
  // ── ints ──

  static std::string ints(const Expr &e, const Constants &constants, int line, int outer = 0) {
    if (const auto n = number_of(e, constants); n && !n->real) return std::to_string(n->i);
    const auto text = [&](const Expr &of, int level) { return ints(of, constants, line, level); };
    if (e.kind == Expr::Kind::name) return e.text;
    if (e.kind == Expr::Kind::unary && (e.text == "-" || e.text == "+"))
      return (e.text == "-" ? "-" : "") + text(e.children[0], 3);
    if (e.kind == Expr::Kind::binary && (e.text == "//" || e.text == "%"))
      return (e.text == "%" ? "htp_mod(" : "htp_floordiv(") + text(e.children[0], 0) + ", " + text(e.children[1], 0) +
             ")";
    if (e.kind == Expr::Kind::binary && (e.text == "+" || e.text == "-" || e.text == "*")) {
      const int level = e.text == "*" ? 2 : 1;
      const std::string whole = text(e.children[0], level) + " " + e.text + " " + text(e.children[1], level + 1);
      return level < outer ? "(" + whole + ")" : whole;
    }
    if ((calls(e, "min") || calls(e, "max")) && count_of(e) == 2)
      return "htp_" + e.children[0].text + "(" + text(argument(e, 0), 0) + ", " + text(argument(e, 1), 0) + ")";
    throw NotRead{line, "this is no int"};
  }

private:
  std::string ints(const Expr &e, int line, int outer = 0) const { return ints(e, constants_, line, outer); }
  std::string condition(const Expr &e, int line) const {
    if (e.kind == Expr::Kind::unary && e.text == "!") return "!(" + condition(e.children[0], line) + ")";
    if (e.kind != Expr::Kind::binary) no(line, "this is no condition");
    if (e.text == "&&" || e.text == "||")
      return "(" + condition(e.children[0], line) + ") " + e.text + " (" + condition(e.children[1], line) + ")";
    return ints(e.children[0], line) + " " + e.text + " " + ints(e.children[1], line);
  }
  // `k`, `turn`, `turn * k`, or a number and one of these: the number, how far a turn is, and its name.
  struct Turn {
    int64_t first = 0, each = 0;
    std::string name = {};
  };
  Turn in_turn(const Expr &e, int line) const {
    if (const auto n = number_of(e, constants_); n && !n->real) return {n->i, 0, {}};
    if (e.kind == Expr::Kind::name) return {0, 1, e.text};
    if (e.kind != Expr::Kind::binary) no(line, "this is no address");
    const size_t at = number_of(e.children[0], constants_) ? 0 : 1; // of the number
    const auto number = number_of(e.children[at], constants_);
    const Expr &other = e.children[1 - at];
    if (e.text == "*") {
      if (!number || other.kind != Expr::Kind::name) no(line, "this is no address");
      return {0, number->i, other.text};
    }
    const auto first = number;
    if (e.text != "+" || !first) no(line, "this is no address");
    Turn t = in_turn(other, line);
    t.first += first->i;
    return t;
  }

  // ── statements ──

  void block(const std::vector<Py> &body) {
    for (const Py &s : body) statement(s);
  }
  void statement(const Py &s) {
    switch (s.kind) {
    case Py::Kind::kernel: no(s.line, "a kernel in a kernel");
    case Py::Kind::loop: return loop(s);
    case Py::Kind::branch: return branch(s);
    case Py::Kind::assign:
      if (calls(s.value, "tile")) return tile(s);
      if (calls(s.value, "value"))
        if (const StageTensor *t = tensor(argument(s.value, 0).text))
          for (size_t d = 0; d < t->extents.size() && d + 1 < count_of(s.value); ++d)
            inside(*t, d, argument(s.value, d + 1), nullptr, s.line);
      if (calls(s.value, "value")) {
        data_[s.name] = both(origins(s.value), {argument(s.value, 0).text});
      } else if (const auto from = origins(s.value); !from.empty()) {
        data_[s.name] = from;
      }
      return row("const int64_t " + s.name + " = " + (calls(s.value, "value") ? element(s) : ints(s.value, s.line)) +
                     ";",
                 s.line);
    case Py::Kind::call: return call(s);
    }
  }
  void loop(const Py &s) {
    const Expr *range = &s.value;
    if (!s.turn.empty()) {
      if (!calls(*range, "turns") || count_of(*range) != 1) no(s.line, "this is no loop of turns");
      range = &argument(*range, 0);
    }
    const size_t count = count_of(*range);
    if (!calls(*range, "range") || count < 1 || count > 3) no(s.line, "this is no range");
    const std::string start = count > 1 ? ints(argument(*range, 0), s.line) : "0",
                      stop = ints(argument(*range, count > 1), s.line),
                      step = count > 2 ? ints(argument(*range, 2), s.line) : "1";
    auto from = origins(argument(*range, count > 1));
    if (count > 1) from = both(from, origins(argument(*range, 0)));
    if (!from.empty()) data_[s.name] = from;
    row("for (int64_t " + s.name + " = " + start + (s.turn.empty() ? "" : ", " + s.turn + " = 0") + "; " + s.name +
            " < " + stop + "; " + s.name + " += " + step + (s.turn.empty() ? "" : ", " + s.turn + " = 1 - " + s.turn) +
            ") {",
        s.line);
    block(s.body);
    row("}", s.line);
  }
  static bool same_operands(const Expr &a, const Expr &b);
  void branch(const Py &s) {
    const std::string test = condition(s.value, s.line);
    if (s.body.size() == 1 && s.otherwise.size() == 1 && s.body[0].kind == Py::Kind::call &&
        s.otherwise[0].kind == Py::Kind::call && calls(s.body[0].value, "tmatmul") &&
        calls(s.otherwise[0].value, "tmatmul_acc") && same_operands(s.body[0].value, s.otherwise[0].value)) {
      row("if (" + test + ") " + product(s.body[0].value, s.line), s.line);
      return row("else " + product(s.otherwise[0].value, s.line), s.line);
    }
    row("if (" + test + ") {", s.line);
    block(s.body);
    row("}", s.line);
    if (s.otherwise.empty()) return;
    row("else {", s.line);
    block(s.otherwise);
    row("}", s.line);
  }
  std::string product(const Expr &call, int line) {
    if (count_of(call) != 3) no(line, "a product of no two tiles");
    const std::string to = need(argument(call, 0), line).name;
    const bool adds = call.children[0].text == "tmatmul_acc";
    return (adds ? "TMATMUL_ACC(" + to + ", " + to : "TMATMUL(" + to) + ", " + need(argument(call, 1), line).name +
           ", " + need(argument(call, 2), line).name + ");";
  }

  void tile(const Py &s) {
    named_[s.name] = next_;
    const Tile &t = tiles_[next_++];
    const std::string type = text_of(t.dtype), rows = ints(t.valid_rows, s.line),
                      columns = ints(t.valid_columns, s.line);
    const Turn at = in_turn(t.at, s.line);
    std::string offset = std::to_string(at.first);
    if (at.each) offset = (at.first ? offset + " + " : "") + at.name + " * " + std::to_string(at.each);
    const auto declare = [&](const std::string &kind, const std::string &name, const std::string &first,
                             const std::string &second) {
      row(kind + " " + name + "(" + first + ", " + second + ");", s.line);
      row("TASSIGN(" + name + ", " + offset + ");", s.line);
    };
    const std::string shape = ", " + std::to_string(t.rows) + ", " + std::to_string(t.columns) + ">";
    if (t.cube()) {
      std::string kind = t.space == "mat" && t.turned() ? "MatZn" : t.layout == "nd" ? "MatNd" : t.space;
      kind[0] = static_cast<char>(std::toupper(kind[0]));
      return declare("Htp" + kind + "<" + type + shape, t.name, rows, columns);
    }
    if (t.mask()) {
      const auto n = number_of(t.valid_columns, constants_);
      return declare("HtpTile<uint8_t, " + std::to_string(t.rows) + ", " + std::to_string(t.columns / 8) + ">", t.name,
                     rows, n ? std::to_string((n->i + 7) / 8) : "(" + columns + " + 7) / 8");
    }
    if (!t.column()) return declare(type_of(t), t.name, rows, columns);
    if (t.as_column) declare("HtpColumn<" + type + ", " + std::to_string(t.rows) + ">", t.name, rows, "1");
    if (t.as_line) declare("HtpTile<" + type + ", 1, " + std::to_string(t.rows) + ">", t.name + "_line", "1", rows);
  }
  static std::string type_of(const Tile &t) {
    const std::string shape = text_of(t.dtype) + ", " + std::to_string(t.column() ? 1 : t.rows) + ", " +
                              std::to_string(t.column() ? t.rows : t.columns);
    if (t.pad.empty()) return "HtpTile<" + shape + ">";
    std::string pad = t.pad;
    pad[0] = static_cast<char>(std::toupper(pad[0]));
    return "HtpPadded<" + shape + ", PadValue::" + pad + ">";
  }
  static std::string seen(const std::string &instruction, const Tile &t) {
    return t.column() && !sees_columns(instruction) ? t.name + "_line" : t.name;
  }

  static std::string grouped(const std::string &text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
  // The inputs and ints that an int is made of; none where it is a place or size of the program's own.
  std::set<std::string> origins(const Expr &e) const {
    const auto it = e.kind == Expr::Kind::name ? data_.find(e.text) : data_.end();
    std::set<std::string> found = it == data_.end() ? std::set<std::string>() : it->second;
    for (const Expr &p : e.children) found = both(found, origins(p));
    return found;
  }
  static std::set<std::string> both(std::set<std::string> a, const std::set<std::string> &b) {
    a.insert(b.begin(), b.end());
    return a;
  }
  // An index that comes from data, or from an int that the caller gives, is held against its dimension.
  void inside(const StageTensor &t, size_t d, const Expr &start, const Expr *stop, int line) {
    const std::set<std::string> from = both(origins(start), stop ? origins(*stop) : std::set<std::string>());
    if (from.empty()) return;
    kernel_.indices.push_back({t.name, d, from});
    const std::string first = ints(start, line);
    row("HTP_INSIDE(" + t.name + ", " + std::to_string(d) + ", " + first + ", " +
            (stop ? ints(*stop, line) : first + " + 1") + ", " + t.extents[d] + ");",
        line);
  }
  std::string element(const Py &s) const {
    const StageTensor *t = tensor(argument(s.value, 0).text);
    if (!t || t->extents.size() + 1 != count_of(s.value)) no(s.line, "a value of no tensor");
    std::string place;
    for (size_t d = 0; d < t->steps.size(); ++d) {
      const std::string at = ints(argument(s.value, d + 1), s.line);
      place += (d ? " + " : "") + (t->steps[d] == 1 ? at : grouped(at) + " * " + std::to_string(t->steps[d]));
    }
    for (size_t d = 0; d < t->extents.size() && t->steps.empty(); ++d) {
      const std::string at = ints(argument(s.value, d + 1), s.line);
      place = d ? grouped(place) + " * " + grouped(t->extents[d]) + " + " + at : at;
    }
    return "HTP_VALUE(" + t->name + ", " + place + ")";
  }
  // Of a tile, between the tensor and it: which operand the index begins with, or none.
  void transfer(const Py &s, size_t first) {
    const std::string &instruction = s.value.children[0].text;
    const bool load = !writes_memory(instruction);
    const Tile &t = need(argument(s.value, !load), s.line);
    const StageTensor *from = tensor(argument(s.value, load).text);
    if (!from || (first ? from->extents.size() + first : 3) != count_of(s.value)) no(s.line, "a transfer of no tensor");
    const std::string what = seen(instruction, t);
    std::string name; // which nothing of the program has
    do name = from->name + "_at_" + std::to_string(++places_);
    while (taken_.contains(name));
    std::string call;
    for (const char ch : instruction) call += ch == '_' ? ch : static_cast<char>(std::toupper(ch));
    call += "(" + (load ? what + ", " + name : name + ", " + what);
    for (size_t k = 2; k < (first ? first : 3); ++k)
      call += ", " + seen(instruction, need(argument(s.value, k), s.line));
    call += ");";
    if (!first) { // a table
      if (from->extents.size() != 2) no(s.line, "a table of other than rows");
      row("auto " + name + " = htp_rows(" + from->name + ", " + from->extents[0] + ", " + from->extents[1] + ", " +
              from->extents[1] + ");",
          s.line);
      return row(call, s.line);
    }
    std::vector<std::string> strides(from->extents.size(), "1");
    for (size_t d = 0; d < from->steps.size(); ++d) strides[d] = std::to_string(from->steps[d]);
    for (size_t d = strides.size(); d-- > 1 && from->steps.empty();) {
      const std::string factor = grouped(from->extents[d]);
      strides[d - 1] = strides[d] == "1" ? factor : factor == "1" ? strides[d] : factor + " * " + strides[d];
    }
    std::string place = from->name;
    std::vector<size_t> long_dims;
    for (size_t d = 0; d < strides.size(); ++d) {
      const Expr &index = argument(s.value, d + first);
      const bool slice = calls(index, "slice") && count_of(index) == 2;
      const bool whole = index.kind == Expr::Kind::member && index.text == "whole";
      if (slice || (whole && from->extents[d] != "1")) long_dims.push_back(d);
      const std::string start = slice ? ints(argument(index, 0), s.line) : whole ? "0" : ints(index, s.line);
      if (!whole) inside(*from, d, slice ? argument(index, 0) : index, slice ? &argument(index, 1) : nullptr, s.line);
      if (start == "0") continue;
      place += " + " + (strides[d] == "1" ? start : grouped(start) + " * " + strides[d]);
    }
    if (s.turned && long_dims.size() == 2) std::swap(long_dims[0], long_dims[1]);
    const std::string valid_rows = ints(t.valid_rows, s.line), valid_columns = ints(t.valid_columns, s.line);
    // Rows, or lines of one element each: one column counts of several.
    const bool apart = long_dims.size() == 1 && t.columns > 1 && valid_columns == "1" && valid_rows != "1";
    const bool matrix = long_dims.size() == 2, lines = matrix || apart;
    std::string rows = lines ? valid_rows : "1", columns = t.column() && !matrix ? valid_rows : valid_columns;
    std::string ld = lines ? strides[long_dims[0]] : columns;
    if (t.cube()) {
      const bool one = long_dims.empty() || (long_dims.size() == 1 && long_dims[0] + 1 == strides.size());
      rows = valid_rows, columns = valid_columns;
      ld = one ? (t.turned() ? rows : columns) : strides[long_dims[0]];
    }
    row("auto " + name + " = " + (t.turned() ? "htp_columns(" : "htp_rows(") + place + ", " + rows + ", " + columns +
            ", " + ld + ");",
        s.line);
    row(call, s.line);
  }

  std::string literal(const Expr &e, const std::string &type, int line) const {
    const auto n = number_of(e, constants_);
    if (!n) {
      try {
        return type + "(" + ints(e, line) + ")";
      } catch (const NotRead &) {
        return std::string(any_number);
      }
    }
    if (!n->real) return type + "(" + std::to_string(n->i) + ")";
    if (n->f == 0 && std::signbit(n->f)) return type + "(-0.0)";
    if (std::isinf(n->f)) return type + (n->f < 0 ? "(-" : "(") + "__builtin_inff())";
    char buffer[40];
    return type + "(" + std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, n->f).ptr) + ")";
  }
  static std::string mode(const Expr &e) { return e.text.substr(1, e.text.size() - 2); }
  void call(const Py &s) {
    const std::string &instruction = s.value.children[0].text;
    const size_t count = count_of(s.value);
    if (instruction == "set_flag" || instruction == "wait_flag") {
      if (count != 3) no(s.line, "a flag between no two pipes");
      const Turn at = in_turn(argument(s.value, 2), s.line);
      const std::string event = "EVENT_ID" + std::to_string(at.first);
      return row(instruction + "(PIPE_" + mode(argument(s.value, 0)) + ", PIPE_" + mode(argument(s.value, 1)) + ", " +
                     (at.each ? "static_cast<event_t>(" + event + " + " + at.name + ")" : event) + ");",
                 s.line);
    }
    if (instruction == "pipe_barrier" && count == 1)
      return row("pipe_barrier(PIPE_" + mode(argument(s.value, 0)) + ");", s.line);
    if (instruction == "drain") {
      for (const char *what : {"set_flag", "wait_flag"})
        row(std::string(what) + "(PIPE_" + (kernel_.cube ? "FIX" : "MTE3") + ", PIPE_S, EVENT_ID7);", s.line);
      return;
    }
    if (count < 2) no(s.line, "an instruction of too few operands");
    if (instruction == "tload" || instruction == "tprefetch" || instruction == "tstore") return transfer(s, 2);
    if (instruction == "tstore_fp") return transfer(s, 3);
    if (instruction == "mgather" || instruction == "mscatter") return transfer(s, 0);
    if (instruction == "tmatmul" || instruction == "tmatmul_acc") return row(product(s.value, s.line), s.line);
    const Tile &to = need(argument(s.value, 0), s.line);
    std::string text;
    for (const char ch : instruction) text += ch == '_' ? ch : static_cast<char>(std::toupper(ch));
    const std::string type = text_of(to.dtype);
    const bool modes = instruction == "tcvt" || instruction == "tcmp" || instruction == "tcmps";
    const std::string in_template =
        !modes && count > 2 && argument(s.value, 2).kind == Expr::Kind::text ? mode(argument(s.value, 2)) : "";
    if (instruction == "tci") text += "<" + type_of(to) + ", " + type + ", 0>";
    if (instruction == "ttri") text += "<" + type_of(to) + (in_template == "lower" ? ", 0>" : ", 1>");
    if (instruction == "tgather" && !in_template.empty())
      text += "<" + type_of(to) + ", " + type_of(need(argument(s.value, 1), s.line)) + ", MaskPattern::" + in_template +
              ">";
    if (instruction == "tscatter" && !in_template.empty()) text += "<MaskPattern::" + in_template + ">";
    text += "(" + seen(instruction, to);
    if (instruction == "tgemv_acc") text += ", " + seen(instruction, to); // adds to itself
    for (size_t k = 1; k < count; ++k) {
      const Expr &a = argument(s.value, k);
      const Tile *t = named(a), *first = named(argument(s.value, 1));
      if (a.kind == Expr::Kind::text && !modes) continue;
      text += ", ";
      if (t)
        text += seen(instruction, *t);
      else if (a.kind == Expr::Kind::text)
        text += (instruction == "tcvt" ? "RoundMode::CAST_" : "CmpMode::") + mode(a);
      else if (to.cube() || instruction == "tmrgsort" || instruction == "ttri")
        text += ints(a, s.line);
      else
        text += literal(a, to.mask() && first ? text_of(first->dtype) : type, s.line);
    }
    if (const Tile *from = instruction == "tcvt" ? named(argument(s.value, 1)) : nullptr;
        from && (from->dtype == "f32" || from->dtype == "f16") &&
        (to.dtype == "i16" || to.dtype == "i8" || to.dtype == "u8"))
      text += ", SaturationMode::ON";
    row(text + ");", s.line);
  }

  const Stage &stage_;
  const Constants &constants_;
  const std::vector<std::string> &parts_; // where its parts begin, and how large they are
  const Py &k_;
  StageKernel kernel_;
  std::vector<Tile> tiles_; // as they are declared
  std::map<std::string, size_t> named_;
  size_t next_ = 0, places_ = 0;
  std::set<std::string> taken_;                       // names of the program
  std::map<std::string, std::set<std::string>> data_; // ints that come from inputs, or that the caller gives
  std::set<std::string> reads_, writes_;
};

bool StageKernelReader::same_operands(const Expr &a, const Expr &b) {
  return std::equal(a.children.begin() + 1, a.children.end(), b.children.begin() + 1, b.children.end(), same);
}

} // namespace

bool same(const Expr &a, const Expr &b) {
  if (b.kind == Expr::Kind::name && b.text == any_number) return true;
  return a.kind == b.kind && a.text == b.text && a.field == b.field && a.integer == b.integer &&
         (a.real == b.real || (a.real != a.real && b.real != b.real)) && a.pointer == b.pointer && !a.body && !b.body &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same);
}

StageKernel read_kernel(const Stage &stage, const Constants &constants, const std::vector<std::string> &parts,
                        const Py &kernel) {
  return StageKernelReader(stage, constants, parts, kernel).run();
}

std::string int_text(const Expr &e, const Constants &constants, int line) {
  return StageKernelReader::ints(e, constants, line);
}

} // namespace htp::a2a3sim
