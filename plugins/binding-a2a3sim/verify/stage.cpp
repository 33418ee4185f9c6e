#include "stage.h"

#include "stage_kernel.h"

#include "htp_cpp/layout/array.h"
#include "htp_cpp/layout/convert.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace htp::a2a3sim {

namespace {

using namespace program;

class StageReader {
public:
  StageReader(const std::string &program, const std::string &entry, const Unit &forms)
      : lines_(lines_of(program)), entry_(entry), forms_(forms) {}

  Stage run() {
    std::set<std::string> seen;
    for (const Line &line : lines_)
      if (line.indent == 0) bound(line, seen);
    const std::string head = "def " + entry_ + "(";
    const auto def = std::find_if(lines_.begin(), lines_.end(),
                                  [&](const Line &l) { return l.indent == 0 && l.text.starts_with(head); });
    if (def == lines_.end()) throw NotRead{1, "there is no `" + entry_ + "`"};
    for (const std::string &p : parts_of(within(def->text, head.size() - 1))) parameter(p, def->number);
    auto at = static_cast<size_t>(def - lines_.begin()) + 1;
    for (const Py &s : statements_of(lines_, at, 0)) beside(s, {}, {});
    if (stage_.kernels.empty()) throw NotRead{def->number, "there is no kernel"};
    return std::move(stage_);
  }

private:
  // `M = htp.dim("M")`, `BLOCK = 64`
  void bound(const Line &line, std::set<std::string> &seen) {
    const size_t equals = line.text.find(" = ");
    if (equals == std::string::npos || line.text.find_first_of("('\"@") < equals) return;
    const auto names = parts_of(std::string_view(line.text).substr(0, equals)),
               values = parts_of(std::string_view(line.text).substr(equals + 3));
    for (size_t k = 0; k < names.size(); ++k) {
      const std::string name = trimmed(std::string_view(names[k]).substr(0, names[k].find(':')));
      const bool fresh = seen.insert(name).second;
      constants_.erase(name), stage_.constants.erase(name);
      if (!fresh || values.size() != names.size()) continue;
      if (values[k].starts_with("htp.dim(")) known_.insert(name);
      try {
        if (const auto n = number_of(read_python(values[k]), constants_)) {
          constants_[name] = *n;
          if (!n->real) stage_.constants[name] = n->i;
        }
      } catch (const NotRead &) { // no number
      }
    }
  }
  Expr read(const std::string &text, int line) const {
    try {
      return read_python(text);
    } catch (const NotRead &n) {
      throw NotRead{line, n.what};
    }
  }
  void dims(const Expr &e) {
    if (e.kind == Expr::Kind::name && known_.contains(e.text) &&
        std::find(stage_.dims.begin(), stage_.dims.end(), e.text) == stage_.dims.end())
      stage_.dims.push_back(e.text);
    for (const Expr &p : e.children) dims(p);
  }
  void parameter(const std::string &text, int line) {
    const size_t colon = text.find(':'), type = text.find("Tensor[");
    if (colon == std::string::npos) throw NotRead{line, "a parameter without a type"};
    StageTensor t;
    t.name = trimmed(std::string_view(text).substr(0, colon));
    stage_.signature.push_back(t.name);
    if (type == std::string::npos) { // a scalar is one element, and an int itself
      t.direction = "in", t.scalar = true;
      t.dtype = trimmed(std::string_view(text).substr(colon + 1));
      if (t.dtype == "int") return stage_.int_parameters.push_back(t.name);
      t.extents = t.python = {"1"}, t.shape = {read("1", line)};
      return stage_.tensors.push_back(std::move(t));
    }
    const std::string before = text.substr(colon + 1, type - colon - 1);
    t.direction = before.find("InOut[") != std::string::npos ? "inout"
                  : before.find("Out[") != std::string::npos ? "out"
                                                             : "in";
    const auto parts = parts_of(within(text, type + 6));
    if (parts.empty()) throw NotRead{line, "a tensor of nothing"};
    t.dtype = parts[0];
    for (size_t k = 1; k < parts.size(); ++k) {
      if (parts[k].find_first_of("\"'={.") != std::string::npos) { // a layout, or a space
        lie(t, parts[k]);
        break;
      }
      const Expr e = read(parts[k], line);
      const auto n = number_of(e, constants_);
      t.extents.push_back(int_text(e, constants_, line));
      t.python.push_back(n ? t.extents.back() : parts[k]);
      dims(e);
      t.shape.push_back(Expr(e));
    }
    stage_.tensors.push_back(std::move(t));
  }
  // What a parameter's layout says: the last stage writes what is not row-major with its steps.
  void lie(StageTensor &t, const std::string &text) const {
    const size_t at = text.find(".layouts.");
    const auto layout = layout::read(at == std::string::npos ? text : "htp" + text.substr(at));
    std::vector<int64_t> sizes;
    for (const Expr &e : t.shape) {
      const auto n = number_of(e, constants_);
      sizes.push_back(n && !n->real ? n->i : 0);
    }
    if (!layout || layout::is_row_major(*layout)) return;
    if (const auto steps = layout::array_steps(*layout, sizes)) t.steps = *steps, t.sizes = std::move(sizes);
  }
  Expr known(Expr e) const {
    if (const auto n = number_of(e, constants_); n && !n->real) {
      Expr number;
      number.kind = Expr::Kind::integer, number.integer = n->i;
      return number;
    }
    for (Expr &p : e.children) p = known(p);
    return e;
  }
  void beside(const Py &s, std::vector<std::string> parts, std::vector<StageLoop> loops, int group = 0) {
    if (s.kind == Py::Kind::assign && parts.empty() && !calls(s.value, "gm")) // that steps are made of
      return stage_.ints.push_back({s.name, known(s.value)});
    if (s.kind == Py::Kind::loop && calls(s.value, "range") && count_of(s.value) == 3) {
      parts.push_back(s.name);
      const Expr &stop = argument(s.value, 1), &step = argument(s.value, 2);
      loops.push_back({s.name, known(stop), known(step)});
      if (step.kind == Expr::Kind::name && !number_of(step, constants_)) parts.push_back(step.text);
      for (const Py &inner : s.body) beside(inner, parts, loops, group ? group : s.line);
      return;
    }
    if (s.kind == Py::Kind::assign && calls(s.value, "gm") && count_of(s.value) >= 1) {
      StageTensor t{s.name, "", argument(s.value, 0).text, {}};
      for (size_t k = 1; k < count_of(s.value); ++k) {
        t.extents.push_back(int_text(argument(s.value, k), constants_, s.line));
        t.shape.push_back(Expr(argument(s.value, k)));
      }
      return stage_.tensors.push_back(std::move(t));
    }
    if (s.kind != Py::Kind::kernel) throw NotRead{s.line, "this is no kernel"};
    StageKernel kernel = read_kernel(stage_, constants_, parts, s);
    kernel.loops = std::move(loops);
    kernel.group = group;
    kernel.statements = s.body;
    std::string text = "void kernel_entry(__gm__ int64_t *args) {\n";
    for (const StageKernel::Row &r : kernel.rows) text += r.text + "\n";
    Unit unit = forms_;
    read_unit(text + "}\n", unit);
    kernel.body = std::move(unit.functions.back().body);
    stage_.kernels.push_back(std::move(kernel));
  }

  std::vector<Line> lines_;
  const std::string &entry_;
  const Unit &forms_;
  Constants constants_;
  std::set<std::string> known_; // dims
  Stage stage_;
};

class Comparison {
public:
  explicit Comparison(const StageKernel &kernel) : kernel_(kernel) {}
  std::optional<Difference> block(const std::vector<Statement> &is, const std::vector<Statement> &wanted,
                                  int end) const {
    for (size_t k = 0; k < std::max(is.size(), wanted.size()); ++k) {
      if (k >= is.size()) return differs(end, wanted[k].line);
      if (k >= wanted.size())
        return Difference{is[k].line, {"", wanted.empty() ? kernel_.line : row(wanted.back().line).line}};
      if (auto d = statement(is[k], wanted[k])) return d;
      end = std::max(end, is[k].line);
    }
    return std::nullopt;
  }

private:
  const StageKernel::Row &row(int line) const { // the first line is the function's own
    return kernel_.rows[std::min(static_cast<size_t>(std::max(line, 2)) - 2, kernel_.rows.size() - 1)];
  }
  Difference differs(int is, int wanted) const { return {is, row(wanted)}; }
  std::optional<Difference> statement(const Statement &a, const Statement &b) const {
    const auto all = [](const std::vector<Expr> &x, const std::vector<Expr> &y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
    };
    if (a.kind != b.kind || a.name != b.name || a.start != b.start || a.array != b.array || !same(a.value, b.value) ||
        !same(a.type, b.type) || !same(a.extent, b.extent) || !same(a.step, b.step) || !all(a.arguments, b.arguments) ||
        block(a.first, b.first, a.line))
      return differs(a.line, b.line);
    if (auto d = block(a.body, b.body, a.line)) return d;
    return block(a.otherwise, b.otherwise, a.line);
  }
  const StageKernel &kernel_;
};

} // namespace

std::string registry_extent(const Expr &e, const Stage &stage) {
  Constants known;
  for (const auto &[name, value] : stage.constants) known[name] = Number{false, value, 0};
  if (const auto n = number_of(e, known); n && !n->real) return std::to_string(n->i);
  const auto extent = [&](const Expr &of) { return registry_extent(of, stage); };
  if (e.kind == Expr::Kind::unary) return "[\"-\",0," + extent(e.children[0]) + "]";
  if ((calls(e, "min") || calls(e, "max")) && count_of(e) == 2)
    return "[\"" + e.children[0].text + "\"," + extent(argument(e, 0)) + "," + extent(argument(e, 1)) + "]";
  if (e.kind != Expr::Kind::binary) return "\"" + e.text + "\"";
  return "[\"" + e.text + "\"," + extent(e.children[0]) + "," + extent(e.children[1]) + "]";
}

Stage read_stage(const std::string &program, const std::string &entry, const Unit &forms) {
  return StageReader(program, entry, forms).run();
}

std::optional<Difference> difference(const std::vector<Statement> &is, const StageKernel &kernel) {
  return Comparison(kernel).block(is, kernel.body, 1);
}

bool alike(const std::vector<Statement> &a, const std::vector<Statement> &b) {
  StageKernel kernel;
  kernel.rows.push_back({"", 0}), kernel.body = b;
  return !difference(a, kernel);
}

} // namespace htp::a2a3sim
