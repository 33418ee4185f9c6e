// The kernel's C++: one for all contracts.
#include "emit.h"

#include "htp_cpp/ints.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

namespace htp::a2a3 {

std::vector<PartOf> loops_of(const Program &p, const Kernel &k) {
  std::vector<PartOf> loops = p.groups[k.group].parts;
  if (k.lane) loops.push_back(*k.lane);
  return loops;
}

std::vector<std::string> scalars_of(const Program &p, const Kernel &k) {
  std::vector<std::string> scalars = p.numbers();
  for (const PartOf &part : loops_of(p, k)) {
    scalars.push_back(part.name);
    if (!part.by.empty()) scalars.push_back(part.by);
  }
  return scalars;
}

bool crosses(const Program &p, const Kernel &k, const Tensor &t) {
  return !loops_of(p, k).empty() && std::any_of(p.kernels.begin(), p.kernels.end(), [&](const Kernel &o) {
    return o.group != k.group && (o.reads.contains(&t) || o.writes.contains(&t));
  });
}

std::vector<Argument> arguments_of(const Program &p, const Kernel &k) {
  std::vector<Argument> found;
  for (const Tensor &t : p.tensors) {
    const bool reads = k.reads.contains(&t), writes = k.writes.contains(&t);
    if (!reads && !writes) continue;
    // What another kernel writes before or behind this one is not written over while this one is at it: the runtime
    // orders those that are given a tensor to read and to write.
    const bool first =
        &k == &p.kernels.front() ||
        std::none_of(p.kernels.begin(),
                     std::find_if(p.kernels.begin(), p.kernels.end(), [&](const Kernel &o) { return &o == &k; }),
                     [&](const Kernel &o) { return o.reads.contains(&t) || o.writes.contains(&t); });
    bool later = false, seen = false;
    for (const Kernel &o : p.kernels) {
      later |= seen && o.writes.contains(&t);
      seen |= &o == &k;
    }
    const bool own = t.direction == "gm" && first; // what it reads it wrote itself
    const bool both = writes ? (!own && (reads || !first || t.direction == "inout")) || crosses(p, k, t) : later;
    found.push_back({&t, both ? "inout" : writes ? "out" : "in"});
  }
  return found;
}

std::vector<size_t> before(const Program &p, size_t kernel) {
  std::vector<size_t> found;
  const Kernel &k = p.kernels[kernel];
  for (size_t n = 0; n < kernel; ++n) {
    const Kernel &o = p.kernels[n];
    if (std::any_of(p.tensors.begin(), p.tensors.end(), [&](const Tensor &t) {
          return (o.writes.contains(&t) && (k.reads.contains(&t) || k.writes.contains(&t))) ||
                 (o.reads.contains(&t) && k.writes.contains(&t));
        }))
      found.push_back(n);
  }
  return found;
}

std::string source_of(const Kernel &k) { return "kernels/" + std::string(k.cube ? "aic/" : "aiv/") + k.name + ".cpp"; }

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string Ints::text(Node n, int outer) const {
  if (const auto value = constants_.integer(n)) return std::to_string(*value);
  if (const auto name = c.name_of(n); !name.empty()) return std::string(name);
  if (auto u = c.as<ast::UnaryOp>(n)) return (u.op() == HTP_USub ? "-" : "") + text(u.operand(), 3);
  if (auto b = c.as<ast::BinOp>(n)) {
    if (b.op() == HTP_FloorDiv || b.op() == HTP_Mod)
      return (b.op() == HTP_Mod ? "htp_mod(" : "htp_floordiv(") + text(b.left(), 0) + ", " + text(b.right(), 0) + ")";
    const int level = b.op() == HTP_Mult ? 2 : 1;
    const char *sign = b.op() == HTP_Mult ? " * " : b.op() == HTP_Add ? " + " : " - ";
    const std::string whole = text(b.left(), level) + sign + text(b.right(), level + 1); // grouped as the line it cites
    return level < outer ? "(" + whole + ")" : whole;
  }
  auto k = c.get<ast::Call>(n);
  return "htp_" + std::string(c.name_of(k.func())) + "(" + text(k.args()[0], 0) + ", " + text(k.args()[1], 0) + ")";
}

std::string Ints::json(Node n) const {
  if (const auto value = constants_.integer(n)) return std::to_string(*value);
  if (auto b = c.as<ast::BinOp>(n)) {
    const char *op = b.op() == HTP_Add        ? "+"
                     : b.op() == HTP_Sub      ? "-"
                     : b.op() == HTP_Mult     ? "*"
                     : b.op() == HTP_FloorDiv ? "//"
                                              : "%";
    return "[" + quoted(op) + ", " + json(b.left()) + ", " + json(b.right()) + "]";
  }
  if (auto u = c.as<ast::UnaryOp>(n)) return "[\"-\", 0, " + json(u.operand()) + "]";
  if (auto k = c.as<ast::Call>(n); k && k.args().size() == 2)
    return "[" + quoted(c.name_of(k.func())) + ", " + json(k.args()[0]) + ", " + json(k.args()[1]) + "]";
  return quoted(c.show(n));
}

std::string Ints::python(Node n) const {
  const auto value = constants_.integer(n);
  return value ? std::to_string(*value) : c.show(n);
}

bool Ints::only_names(Node n, const std::vector<std::string> &names) const {
  if (constants_.integer(n)) return false;
  bool only = true;
  c.each(n, [&](Node e) {
    const auto name = c.name_of(e);
    only &= name.empty() || constants_.integer(e) || std::find(names.begin(), names.end(), name) != names.end();
  });
  return only;
}

namespace {

bool column(const Tile &t) { return t.columns == 1; }

// How many bytes hold so many bits; a number as one.
std::string bytes_of_bits(const std::string &bits) {
  const bool number = std::all_of(bits.begin(), bits.end(), [](char digit) { return '0' <= digit && digit <= '9'; });
  return number ? std::to_string((std::stoll(bits) + 7) / 8) : "(" + bits + " + 7) / 8";
}

class KernelWriter {
public:
  KernelWriter(const Context &context, const Ints &ints, const Program &program, const Kernel &kernel)
      : c(context), ints_(ints), p(program), k_(kernel) {
    for (const std::string &name : p.int_parameters) data_[name].insert(name);
    views(k_.body);
    c.each(k_.node, [&](Node n) { taken_.emplace(c.name_of(n)); });
    for (const Tensor &t : p.tensors) taken_.insert(t.name);
    for (const std::string &scalar : scalars_of(p, k_)) taken_.insert(scalar);
  }

  KernelText run() {
    w_.line("// ", k_.name, ": made from the last stage, whose lines are cited.");
    w_.line("#include <cstdint>");
    w_.line("#include <pto/pto-inst.hpp>");
    w_.blank();
    w_.line("#include \"../htp_kernel.h\"");
    w_.blank();
    w_.line("using namespace pto;");
    w_.blank();
    {
      auto function = w_.block(
          "}", "extern \"C\" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {",
          cite(k_.node));
      size_t k = 0;
      for (const Argument &a : arguments_of(p, k_))
        w_.line("__gm__ ", a.tensor->dtype->text, " *", a.tensor->name, " = HTP_TENSOR(", a.tensor->dtype->text, ", ",
                k++, ");");
      for (const std::string &scalar : scalars_of(p, k_))
        w_.line("const int64_t ", scalar, " = HTP_SCALAR(", k++, ");");
      block(k_.body);
    }
    made_.text = w_.text();
    return std::move(made_);
  }

private:
  // ── how tiles are seen: a column as such where it counts for all columns, else as a line of its elements ──

  static bool sees_columns(const Statement &s) { return s.instruction.starts_with("trow"); }
  void views(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      views(s.body);
      views(s.otherwise);
      if (s.kind != Statement::Kind::instruction) continue;
      auto &set = sees_columns(s) ? as_column_ : as_line_;
      const auto see = [&](const Tile *t) {
        if (t && column(*t)) set.insert(t);
      };
      see(s.tile);
      for (const Operand &o : s.operands) see(o.tile);
    }
  }
  std::string seen(const Statement &s, const Tile &t) const {
    return column(t) && !sees_columns(s) ? t.name + "_line" : t.name;
  }

  // ── statements ──

  std::string cite(Node from) {
    const uint32_t line = c.record(from).line;
    if (!line || line == cited_) return {};
    cited_ = line;
    return " // program.py:" + std::to_string(line);
  }
  void line(Node from, const std::string &text) { w_.line(text, cite(from)); }

  void block(const std::vector<Statement> &body) {
    for (const Statement &s : body) statement(s);
  }
  void statement(const Statement &s) {
    const auto pipe = [](Pipe q) { return "PIPE_" + std::string(name_of(q)); };
    const auto flag = [&](const char *what) {
      const std::string number = "EVENT_ID" + std::to_string(s.event);
      line(s.node, std::string(what) + "(" + pipe(s.source) + ", " + pipe(s.destination) + ", " +
                       (s.turn.empty() ? number : "static_cast<event_t>(" + number + " + " + s.turn + ")") + ");");
    };
    switch (s.kind) {
    case Statement::Kind::loop: {
      if (const auto from = both(origins(s.start), origins(s.stop)); !from.empty()) data_[s.name] = from;
      const std::string start = s.start ? ints_.text(s.start) : "0", step = s.step ? ints_.text(s.step) : "1";
      const std::string turn = s.turn.empty() ? "" : ", " + s.turn + " = 0";
      auto loop =
          w_.block("}", "for (int64_t ", s.name, " = ", start, turn, "; ", s.name, " < ", ints_.text(s.stop), "; ",
                   s.name, " += ", step, s.turn.empty() ? "" : ", " + s.turn + " = 1 - " + s.turn, ") {", cite(s.node));
      block(s.body);
      break;
    }
    case Statement::Kind::branch:
      for (const auto *body : {&s.body, &s.otherwise}) {
        if (body == &s.otherwise && body->empty()) break;
        auto way = w_.block("}", body == &s.body ? "if (" + condition(s.test) + ") {" : "else {", cite(s.node));
        block(*body);
      }
      break;
    case Statement::Kind::integer:
      if (s.tensor)
        for (size_t d = 0; d < s.index.size(); ++d) inside(s, d, s.index[d], {});
      if (s.tensor) {
        data_[s.name] = {s.tensor->name};
        for (const Node index : s.index) data_[s.name] = both(data_[s.name], origins(index));
      } else if (const auto from = origins(s.value); !from.empty()) {
        data_[s.name] = from;
      }
      line(s.node, "const int64_t " + s.name + " = " + (s.tensor ? element(s) : ints_.text(s.value)) + ";");
      break;
    case Statement::Kind::tile: tile(s); break;
    case Statement::Kind::instruction:
      if (s.tensor)
        transfer_of(s.instruction)->indexed ? transfer(s) : table(s);
      else
        compute(s);
      break;
    case Statement::Kind::set:
      for (int64_t turn = 0; turn < (s.turn.empty() ? 1 : 2); ++turn) event(s, turn).set.push_back(w_.next_line());
      flag("set_flag");
      break;
    case Statement::Kind::wait:
      for (int64_t turn = 0; turn < (s.turn.empty() ? 1 : 2); ++turn) event(s, turn).wait.push_back(w_.next_line());
      flag("wait_flag");
      break;
    case Statement::Kind::barrier:
      line(s.node, "pipe_barrier(" + (s.all ? std::string("PIPE_ALL") : pipe(s.source)) + ");");
      break;
    case Statement::Kind::drain:
      for (const char *what : {"set_flag", "wait_flag"})
        line(s.node, std::string(what) + "(PIPE_" + (k_.cube ? "FIX" : "MTE3") + ", PIPE_S, EVENT_ID7);");
      break;
    }
  }
  Event &event(const Statement &s, int64_t turn) {
    for (Event &e : made_.events)
      if (e.source == s.source && e.destination == s.destination && e.id == s.event + turn) return e;
    return made_.events.emplace_back(Event{s.source, s.destination, s.event + turn, {}, {}});
  }

  void tile(const Statement &s) {
    const Tile &t = *s.tile;
    const std::string type(t.dtype ? t.dtype->text : "uint8_t"), rows = ints_.text(t.valid_rows),
                                                                 columns = ints_.text(t.valid_columns);
    std::string offset = std::to_string(t.offset);
    if (t.apart) offset = (t.offset ? offset + " + " : "") + t.turn + " * " + std::to_string(t.apart);
    const auto declare = [&](const std::string &kind, const std::string &name, const std::string &first,
                             const std::string &second) {
      for (int64_t turn = 0; turn < (t.apart ? 2 : 1); ++turn)
        by_buffer_[name].push_back(made_.memory.size()),
            made_.memory.push_back(
                {name, t.space->name, t.offset + turn * t.apart, t.bytes(), w_.next_line(), w_.next_line() + 1});
      line(s.node, kind + " " + name + "(" + first + ", " + second + ");");
      line(s.node, "TASSIGN(" + name + ", " + offset + ");");
    };
    if (t.space->cube)
      return declare("Htp" + title(t) + "<" + type + ", " + std::to_string(t.rows) + ", " + std::to_string(t.columns) +
                         ">",
                     t.name, rows, columns);
    if (!t.dtype)
      return declare("HtpTile<uint8_t, " + std::to_string(t.rows) + ", " + std::to_string(t.columns / 8) + ">", t.name,
                     rows, bytes_of_bits(columns));
    if (!column(t)) return declare(kind_of(t), t.name, rows, columns);
    if (as_column_.contains(&t)) declare("HtpColumn<" + type + ", " + std::to_string(t.rows) + ">", t.name, rows, "1");
    if (as_line_.contains(&t))
      declare("HtpTile<" + type + ", 1, " + std::to_string(t.rows) + ">", t.name + "_line", "1", rows);
  }
  // The type of a tile in the unified buffer, of rows.
  static std::string kind_of(const Tile &t) {
    const std::string shape = std::string(t.dtype->text) + ", " + std::to_string(column(t) ? 1 : t.rows) + ", " +
                              std::to_string(column(t) ? t.rows : t.columns);
    if (t.pad.empty()) return "HtpTile<" + shape + ">";
    return "HtpPadded<" + shape + ", PadValue::" + (t.pad == "zero" ? "Zero" : t.pad == "max" ? "Max" : "Min") + ">";
  }
  static std::string title(const Tile &t) {
    if (t.space->name == "mat")
      return t.layout == Tile::Layout::zn ? "MatZn" : t.layout == Tile::Layout::nd ? "MatNd" : "Mat";
    std::string name(t.space->name);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }
  void used(const std::string &name) {
    if (const auto it = by_buffer_.find(name); it != by_buffer_.end())
      for (const size_t m : it->second) made_.memory[m].last = w_.next_line();
  }

  // The name of a slice, which nothing of the program has.
  std::string slice_of(const Tensor &t) {
    std::string name;
    do name = t.name + "_at_" + std::to_string(++places_);
    while (taken_.contains(name));
    return name;
  }
  // The distance of elements along each dimension.
  std::vector<std::string> strides_of(const Tensor &t) const {
    std::vector<std::string> strides(t.extents.size(), "1");
    for (size_t d = strides.size(); d-- > 1 && !t.lies;) {
      const std::string extent = ints_.text(t.extents[d]);
      const std::string factor = extent.find(' ') == std::string::npos ? extent : "(" + extent + ")";
      strides[d - 1] = strides[d] == "1" ? factor : factor == "1" ? strides[d] : factor + " * " + strides[d];
    }
    for (size_t d = 0; d < t.lies.steps.size(); ++d) strides[d] = std::to_string(t.lies.steps[d]);
    return strides;
  }
  void transfer(const Statement &s) {
    const Tile &t = *s.tile;
    // The tensor's dimensions that the tile has.
    const std::vector<std::string> strides = strides_of(*s.tensor);
    std::string place = s.tensor->name;
    std::vector<size_t> long_dims;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const auto slice = read_slice(c, s.index[d]);
      const bool whole = !slice && c.dotted(s.index[d]).ends_with(".whole");
      if (slice || (whole && ints_.text(s.tensor->extents[d]) != "1")) long_dims.push_back(d);
      const std::string start = slice ? ints_.text(slice->start) : whole ? "0" : ints_.text(s.index[d]);
      if (!whole) inside(s, d, slice ? slice->start : s.index[d], slice ? slice->stop : Node{});
      if (start == "0") continue;
      const std::string factor = start.find(' ') == std::string::npos || strides[d] == "1" ? start : "(" + start + ")";
      place += " + " + factor + (strides[d] == "1" ? "" : " * " + strides[d]);
    }
    if (s.turned) std::swap(long_dims[0], long_dims[1]);
    const bool matrix = long_dims.size() == 2;
    if (t.space->cube) return boxes(s, place, strides, long_dims);
    const bool lines = matrix || (long_dims.size() == 1 && has_apart_lines(c, t));
    const std::string rows = lines ? ints_.text(t.valid_rows) : "1";
    const std::string columns = column(t) && !matrix ? ints_.text(t.valid_rows) : ints_.text(t.valid_columns);
    const std::string ld = lines ? strides[long_dims[0]] : columns;
    const std::string name = slice_of(*s.tensor);
    line(s.node, "auto " + name + " = htp_rows(" + place + ", " + rows + ", " + columns + ", " + ld + ");");
    moved(s, seen(s, t), name);
  }
  static std::string capitals(std::string_view name) {
    std::string text;
    for (const char ch : name) text += 'a' <= ch && ch <= 'z' ? static_cast<char>(ch - 'a' + 'A') : ch;
    return text;
  }
  void moved(const Statement &s, const std::string &tile, const std::string &global) {
    const bool writes = transfer_of(s.instruction)->writes;
    std::string text = capitals(s.instruction) + "(" + (writes ? global : tile) + ", " + (writes ? tile : global);
    used(tile);
    for (const Operand &o : s.operands) text += ", " + seen(s, *o.tile), used(seen(s, *o.tile));
    line(s.node, text + ");");
  }
  // To a matrix of which places say the rows.
  void table(const Statement &s) {
    const std::string name = slice_of(*s.tensor), columns = ints_.text(s.tensor->extents[1]);
    line(s.node, "auto " + name + " = htp_rows(" + s.tensor->name + ", " + ints_.text(s.tensor->extents[0]) + ", " +
                     columns + ", " + columns + ");");
    moved(s, s.tile->name, name);
  }

  // The inputs and ints that an int is made of; none where it is a place or size of the program's own.
  std::set<std::string> origins(Node n) const {
    std::set<std::string> found;
    if (n)
      c.each(n, [&](Node e) {
        if (const auto it = data_.find(std::string(c.name_of(e))); it != data_.end()) found = both(found, it->second);
      });
    return found;
  }
  static std::set<std::string> both(std::set<std::string> a, const std::set<std::string> &b) {
    a.insert(b.begin(), b.end());
    return a;
  }
  // Such an index is held against its dimension before the call runs, and where the kernel is simulated.
  void inside(const Statement &s, size_t d, Node start, Node stop) {
    const std::set<std::string> from = both(origins(start), origins(stop));
    if (from.empty()) return;
    made_.indices.push_back({w_.next_line(), s.tensor->name, d, from});
    const std::string first = ints_.text(start);
    line(s.node, "HTP_INSIDE(" + s.tensor->name + ", " + std::to_string(d) + ", " + first + ", " +
                     (stop ? ints_.text(stop) : first + " + 1") + ", " + ints_.text(s.tensor->extents[d]) + ");");
  }

  std::string element(const Statement &s) const {
    std::string place;
    if (const std::vector<int64_t> &steps = s.tensor->lies.steps; !steps.empty()) {
      for (size_t d = 0; d < steps.size(); ++d) {
        const std::string at = ints_.text(s.index[d]);
        place +=
            (d ? " + " : "") + (steps[d] == 1                       ? at
                                : at.find(' ') == std::string::npos ? at + " * " + std::to_string(steps[d])
                                                                    : "(" + at + ") * " + std::to_string(steps[d]));
      }
      return "HTP_VALUE(" + s.tensor->name + ", " + place + ")";
    }
    for (size_t d = 0; d < s.index.size(); ++d) {
      const std::string at = ints_.text(s.index[d]), extent = ints_.text(s.tensor->extents[d]);
      const auto whole = [](const std::string &t) { return t.find(' ') == std::string::npos ? t : "(" + t + ")"; };
      place =
          d ? (place.find(' ') == std::string::npos ? place : "(" + place + ")") + " * " + whole(extent) + " + " + at
            : at;
    }
    return "HTP_VALUE(" + s.tensor->name + ", " + place + ")";
  }

  // Between a tensor and a tile in boxes. What is turned is seen by columns.
  void boxes(const Statement &s, const std::string &place, const std::vector<std::string> &strides,
             const std::vector<size_t> &long_dims) {
    const Tile &t = *s.tile;
    const std::string name = slice_of(*s.tensor);
    // How far rows of the tensor lie apart; one row is as long as it is.
    const bool one = long_dims.empty() || (long_dims.size() == 1 && long_dims[0] + 1 == s.index.size());
    const std::string rows = ints_.text(t.valid_rows), columns = ints_.text(t.valid_columns);
    const std::string ld = one ? (t.turned() ? rows : columns) : strides[long_dims[0]];
    line(s.node, "auto " + name + " = " + (t.turned() ? "htp_columns(" : "htp_rows(") + place + ", " + rows + ", " +
                     columns + ", " + ld + ");");
    moved(s, t.name, name);
  }

  // A product that begins a sum where `first` holds, and else adds to it.
  void product(const Statement &s) {
    for (const Operand &o : s.operands) used(o.tile->name);
    const std::string a = s.operands[0].tile->name, b = s.operands[1].tile->name, to = s.tile->name;
    const auto multiply = [&](bool adds) {
      return (adds ? "TMATMUL_ACC(" + to + ", " + to : "TMATMUL(" + to) + ", " + a + ", " + b + ");";
    };
    used(s.tile->name);
    if (!s.test) return line(s.node, multiply(s.instruction == "tmatmul_acc"));
    line(s.node, "if (" + condition(s.test) + ") " + multiply(false));
    for (const Operand &o : s.operands) used(o.tile->name);
    used(s.tile->name);
    line(s.node, "else " + multiply(true));
  }
  std::string condition(Node n) const {
    if (auto all = c.as<ast::BoolOp>(n))
      return join(all.values(), all.op() == HTP_And ? " && " : " || ", [&](Node v) {
        const std::string text = condition(v);
        return c.is(v, HTP_BoolOp) ? "(" + text + ")" : text;
      });
    if (auto opposite = c.as<ast::UnaryOp>(n)) return "!(" + condition(opposite.operand()) + ")";
    auto k = c.get<ast::Compare>(n);
    return ints_.text(k.left()) + std::string(comparison(static_cast<htp_op>(k.ops()[0]))) +
           ints_.text(k.comparators()[0]);
  }

  void compute(const Statement &s) {
    if (s.instruction == "tmatmul" || s.instruction == "tmatmul_acc") return product(s);
    std::string instruction = capitals(s.instruction);
    std::string_view mode;
    // What stands in the template: which columns, which side, and what nothing else states.
    const std::string pattern =
        s.operands.size() > 1 && c.string(s.operands[1].node, &mode) ? std::string(mode) : std::string();
    const bool patterned = (s.instruction == "tgather" || s.instruction == "tscatter") && !pattern.empty();
    if (s.instruction == "tci")
      instruction += "<" + kind_of(*s.tile) + ", " + std::string(s.tile->dtype->text) + ", 0>";
    else if (s.instruction == "ttri")
      instruction += "<" + kind_of(*s.tile) + ", " + (pattern == "lower" ? "0" : "1") + ">";
    else if (patterned && s.instruction == "tgather")
      instruction += "<" + kind_of(*s.tile) + ", " + kind_of(*s.operands[0].tile) + ", MaskPattern::" + pattern + ">";
    else if (patterned)
      instruction += "<MaskPattern::" + pattern + ">";
    const std::string to = seen(s, *s.tile);
    std::string text = instruction + "(" + to;
    if (s.instruction == "tgemv_acc") text += ", " + to;
    used(to);
    for (const Operand &o : s.operands) {
      if (!o.tile && c.string(o.node, &mode) && s.instruction != "tcvt" && !s.instruction.starts_with("tcmp")) continue;
      text += ", ";
      if (o.tile) {
        text += seen(s, *o.tile);
        used(seen(s, *o.tile));
      } else if (c.string(o.node, &mode)) {
        text += (s.instruction == "tcvt" ? "RoundMode::CAST_" : "CmpMode::") + std::string(mode);
      } else {
        const bool counts = s.tile->space->cube || s.instruction == "tmrgsort" || s.instruction == "ttri";
        text += counts ? ints_.text(o.node) : literal(o.node, number_type(s));
      }
    }
    if (s.instruction == "tcvt" && cuts_off(*s.operands[0].tile, *s.tile)) text += ", SaturationMode::ON";
    line(s.node, text + ");");
  }
  // What is too large for a narrower integer wraps around, unless an argument states not to.
  static bool cuts_off(const Tile &from, const Tile &to) {
    const bool floats = from.dtype->name == "f32" || from.dtype->name == "f16";
    return floats && (to.dtype->name == "i16" || to.dtype->bytes == 1);
  }

  // What a number is converted to: of a comparison the other operand's dtype.
  static const DType &number_type(const Statement &s) {
    return s.tile->dtype ? *s.tile->dtype : *s.operands[0].tile->dtype;
  }
  std::string literal(Node n, const DType &dtype) const {
    const auto number = ints_.number(n);
    const std::string type(dtype.text);
    if (!number) return type + "(" + ints_.text(n) + ")";
    if (!number->real) return type + "(" + std::to_string(number->i) + ")";
    if (number->f == 0 && std::signbit(number->f)) return type + "(-0.0)"; // -0 would be an int, and 0
    if (std::isinf(number->f)) return type + (number->f < 0 ? "(-" : "(") + "__builtin_inff())";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number->f).ptr;
    return type + "(" + std::string(buffer, end) + ")";
  }

  const Context &c;
  const Ints &ints_;
  const Program &p;
  const Kernel &k_;
  Writer w_;
  KernelText made_;
  std::unordered_map<std::string, std::vector<size_t>> by_buffer_; // of made_.memory
  std::set<const Tile *> as_column_, as_line_;
  std::map<std::string, std::set<std::string>> data_; // ints that come from inputs, or that the caller gives
  uint32_t cited_ = 0;
  unsigned places_ = 0;
  std::set<std::string, std::less<>> taken_; // names of the program
};

} // namespace

KernelText kernel_text(const Context &c, const Ints &ints, const Program &p, const Kernel &k) {
  return KernelWriter(c, ints, p, k).run();
}

} // namespace htp::a2a3
