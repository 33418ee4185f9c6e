// Calls: of intrinsics, whoever ships them, and of four builtins on ints.
#include "language/checker.h"
#include "language/external.h"
#include "language/layouts.h"

#include "htp_cpp/suggest.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::tile {

bool has_name(std::string_view annotation, std::string_view name) {
  const auto part = [](char ch) {
    return ch == '_' || (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
  };
  for (size_t at = annotation.find(name); at != std::string_view::npos; at = annotation.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !part(annotation[at - 1])) && (end == annotation.size() || !part(annotation[end]))) return true;
  }
  return false;
}
bool is_variadic(const htp_parameter &parameter) { return parameter.name[0] == '*'; }
std::string_view parameter_name(const htp_parameter &parameter) {
  std::string_view name = parameter.name;
  name.remove_prefix(std::min(name.find_first_not_of('*'), name.size()));
  return name;
}

bool takes_ints(const htp_intrinsic &row, const htp_parameter &parameter) {
  const std::string_view rule = row.rule, annotation = parameter.annotation;
  const bool of_values = rule == "elementwise" || rule == "compare" || rule == "select" || rule == "store";
  return of_values && (has_name(annotation, "float") || has_name(annotation, "int")) &&
         (has_name(annotation, "Element") || has_name(annotation, "Number") || has_name(annotation, "Integer") ||
          has_name(annotation, "Floating") || has_name(annotation, "Bits"));
}

Meaning Checker::result_of(const htp_intrinsics &set, const htp_intrinsic &row) {
  const std::string_view result = row.result ? row.result : "";
  if (result.empty() || result == "None") return {Sort::none, &set, &row};
  if (result == "int" || result == "bool") return {Sort::integer, &set, &row};
  if (result == "Token") return {Sort::token, &set, &row};
  return {std::string_view(row.rule) == "buffer" ? Sort::tensor : Sort::tile, &set, &row};
}

Meaning Checker::call(Node n) {
  auto k = c.get<ast::Call>(n);
  for (const Node a : k.args())
    if (c.is(a, HTP_Starred)) return refuse(a), Meaning{};
  for (const Node w : k.keywords())
    if (c.get<ast::keyword>(w).arg().empty()) {
      c.report(diag::unsupported, w, "`**` unpacking").hint("write the arguments out");
      return {};
    }

  Node head = k.func();
  while (auto a = c.as<ast::Attribute>(head)) head = a.value();
  const std::string_view head_name = c.name_of(head);
  if (head_name.empty() || is_local(head_name)) {
    // A method of a value: there are none, only operators.
    method_ = n;
    const Meaning f = expr(k.func());
    method_ = HTP_NONE;
    if (f.sort != Sort::unknown) c.report(diag::unknown_call, k.func(), c.show(k.func()));
    return {};
  }
  const std::string path = m_.path(k.func());
  if (const auto number = path.starts_with("math.") ? m_.evaluate(n) : std::nullopt)
    return {Sort::number, nullptr, nullptr, number};
  uint32_t row = 0;
  if (const htp_intrinsics *set = path.empty() ? nullptr : c.host()->intrinsic(c.ctx(), str(path), &row))
    return intrinsic(n, *set, set->rows[row]);
  if (is_apart(k.func())) {
    if (const htp_intrinsics *set = c.host()->intrinsic(c.ctx(), str("tile.call"), &row))
      return external(n, *set, set->rows[row]);
  }
  if (m_.kind_of(head_name) == Module::Kind::function)
    c.report(diag::local_call, n, c.show(k.func())).label(m_.definition(head_name), "defined here");
  else if (path == "htp_tile.tiles")
    c.report(diag::outside_loop, n, c.show(k.func())).hint("write `for i in tiles(M, 8)`");
  else if (path.empty() && m_.kind_of(head_name) == Module::Kind::none && c.is(k.func(), HTP_Name))
    return builtin(n, head_name);
  else
    unknown(n, path);
  return {};
}

Meaning Checker::builtin(Node n, std::string_view name) {
  auto k = c.get<ast::Call>(n);
  if (const auto infinity = name == "float" ? m_.evaluate(n) : std::nullopt)
    return {Sort::number, nullptr, nullptr, infinity};
  std::vector<Meaning> arguments;
  for (const Node a : k.args()) arguments.push_back(is_layout(m_, a) ? Meaning{} : expr(a));
  if (name == "abs" && arguments.size() == 1 && arguments[0].sort == Sort::tensor) {
    c.report(diag::whole_tensor, k.args()[0], c.show(k.args()[0]));
    return {};
  }
  if (name == "abs" && arguments.size() == 1 && arguments[0].sort == Sort::tile) {
    uint32_t row = 0;
    if (const htp_intrinsics *set = c.host()->intrinsic(c.ctx(), str("tile.absolute"), &row))
      return result_of(*set, set->rows[row]);
  }
  if ((name == "min" || name == "max") && k.keywords().empty() && !arguments.empty()) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].sort == Sort::tile || arguments[i].sort == Sort::tensor) {
        auto report = c.report(diag::builtin_on_tile, n, name, c.show(k.args()[i]));
        report.hint(name == "min" ? "use `minimum` or `reduce_min`" : "use `maximum` or `reduce_max`");
        if (arguments.size() == 2 && arguments[i].sort == Sort::tile)
          report.fix(k.func(), std::string(name) + "imum", "call `" + std::string(name) + "imum`");
        return {};
      }
      if (!is_int(arguments[i])) int_expected(k.args()[i]);
    }
    return {Sort::integer, own_};
  }
  if (name == "len" && arguments.size() == 1 && k.keywords().empty()) {
    const bool block = arguments[0].sort == Sort::block && c.is(k.args()[0], HTP_Name);
    if (block || arguments[0].sort == Sort::unknown) return {Sort::integer, own_};
    auto report = c.report(diag::bad_extent, k.args()[0], c.show(k.args()[0]));
    report.hint("`len` gives the number of indices in a block");
    if (arguments[0].sort == Sort::dim) report.fix(n, c.show(k.args()[0]), "a dim counts as its size");
    return {};
  }
  if (name == "range") {
    c.report(diag::outside_loop, n, name).hint("write `for n in range(4)`");
    return {};
  }
  unknown(n, std::string(name));
  return {};
}

namespace {
constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
#define ELSEWHERE(name, hint) {name, hint},
#include "language/elsewhere.def"
};

// `operand`, as text that another operator may stand beside.
std::string beside(const Context &c, Node operand) {
  const std::string text = c.show(operand);
  return c.is(operand, HTP_BinOp) || c.is(operand, HTP_UnaryOp) || c.is(operand, HTP_Compare) ? "(" + text + ")" : text;
}
} // namespace

// What this language has for an operation that others have; empty where it has nothing that is known. `first` is the
// operand, or none; `behind` are the arguments after it.
std::string Checker::here(std::string_view name, Node first, Nodes behind, Nodes keywords) const {
  const auto row =
      std::ranges::find(elsewhere, name, [](const auto &one) -> const std::string_view & { return one.first; });
  if (row == std::end(elsewhere)) return {};
  std::string axis;
  for (const Node w : keywords)
    if (const auto k = c.get<ast::keyword>(w); k.arg() == "axis" || k.arg() == "dim") axis = c.show(k.value());
  const bool counts = row->second.find("{axis}") != std::string_view::npos;
  bool guessed = false;
  if (int64_t at = 0; axis.empty() && counts && !behind.empty() && c.integer(behind[0], &at)) axis = c.show(behind[0]);
  if (axis.empty()) {
    const auto index = first ? c.as<ast::Subscript>(first) : ast::Subscript{};
    const auto all = index ? c.as<ast::Tuple>(index.slice()) : ast::Tuple{};
    axis = std::to_string(all && !all.elts().empty() ? all.elts().size() - 1 : 0);
    guessed = counts && !all;
  }
  std::string text(row->second);
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
    const size_t close = text.find('}', open);
    const std::string what = text.substr(open + 1, close - open - 1);
    const std::string otherwise = what.find(':') == std::string::npos ? "" : what.substr(what.find(':') + 1);
    std::string with;
    if (what == "axis") {
      with = axis;
    } else if (what == "x") {
      with = !first                                                                         ? "x"
             : text.compare(close + 1, 1, ",") == 0 || text.compare(close + 1, 1, ")") == 0 ? c.show(first)
                                                                                            : beside(c, first);
    } else if (what.starts_with("rest")) {
      for (const Node n : behind) with += (with.empty() ? "" : ", ") + c.show(n);
      if (with.empty()) with = otherwise;
    } else {
      const size_t at = static_cast<size_t>(what[0] - '1');
      with = at < behind.size() ? c.show(behind[at]) : otherwise;
    }
    text.replace(open, close - open + 1, with);
    open += with.size();
  }
  return guessed ? text + ", with the axis that is meant" : text;
}

// Of a member that a tile has not, `x[i, :].sum(axis=1)`: the intrinsic of that name on it, or what there is for it.
std::string Checker::instead_of_member(Node member) const {
  const auto a = c.get<ast::Attribute>(member);
  const auto called = method_ && c.get<ast::Call>(method_).func() == member ? c.get<ast::Call>(method_) : ast::Call{};
  const Nodes behind = called ? called.args() : Nodes{}, keywords = called ? called.keywords() : Nodes{};
  if (std::string known = here(a.attr(), a.value(), behind, keywords); !known.empty()) return known;
  for (uint32_t i = 0; called && own_ && i < own_->count; ++i) {
    if (last_component(own_->rows[i].name) != a.attr()) continue;
    std::string text = "write `" + std::string(a.attr()) + "(" + c.show(a.value());
    for (const Node n : behind) text += ", " + c.show(n);
    for (const Node n : keywords) text += ", " + c.show(n);
    return text + ")`";
  }
  return {};
}

void Checker::unknown(Node n, const std::string &path) {
  const Node function = c.get<ast::Call>(n).func();
  auto report = c.report(diag::unknown_call, n, c.show(function));
  if (is_layout(m_, n))
    return void(report.hint(
        "a layout stands in a type, `Tensor[f32, 8, 64, htp.layout(…)]`, or in `relayout(x, htp.layout(…))`"));
  const std::string name = last_component(path.empty() ? c.dotted(function) : path);
  const auto whole = c.get<ast::Call>(n);
  if (const std::string known = here(name, whole.args().empty() ? HTP_NONE : whole.args()[0],
                                     whole.args().empty() ? Nodes{} : whole.args().subspan(1), whole.keywords());
      !known.empty())
    return void(report.hint(known));
  std::vector<std::string> known{"tiles", "range", "min", "max", "len"};
  for (uint32_t i = 0; own_ && i < own_->count; ++i) known.push_back(last_component(own_->rows[i].name));
  // Of a module that is not imported only the very name.
  const bool very = std::ranges::find(known, name) != known.end();
  const std::string near = !path.empty() ? nearest(last_component(path), known) : very ? name : std::string();
  const Nodes arguments = c.get<ast::Call>(n).args();
  const bool root = path == "math.sqrt" && arguments.size() == 1;
  if (root && m_.integer(arguments[0]))
    report.hint("of a constant: `" + c.show(arguments[0]) + " ** 0.5`");
  else if (const auto bound = root ? bound_.find(c.name_of(arguments[0])) : bound_.end();
           root && (bound == bound_.end() ? m_.of_dims(arguments[0]) : bound->second.meaning.sort == Sort::integer))
    report.hint("of an int: `sqrt(" + as_tile(arguments[0]) + ")`, a tile of one element; one divided by it: `rsqrt(" +
                as_tile(arguments[0]) + ")`");
  else if (path.starts_with("math."))
    report.hint(near == name ? "use `" + near + "` of htp_tile: Python's knows no tiles"
                             : "`htp-host ops` lists the intrinsics");
  else if (!near.empty() && near == name && path != near && c.is(function, HTP_Attribute) && near != "tiles" &&
           near != "range" && near != "min" && near != "max" && near != "len") {
    // Another module's name for what the language has.
    if (is_imported("htp_tile", near))
      report.hint("write `" + near + "`, of htp_tile");
    else
      suggest_import(report, "htp_tile", near);
    report.fix(function, near, "call `" + near + "` of htp_tile");
  } else if (!near.empty() && near == path && near != "range" && near != "min" && near != "max" && near != "len")
    suggest_import(report, "htp_tile", near);
  else if (!near.empty())
    report.hint("did you mean `" + near + "`?")
        .fix(function,
             path == last_component(path) ? near : c.show(c.get<ast::Attribute>(function).value()) + "." + near,
             "call `" + near + "`");
  else
    report.hint("`htp-host ops` lists the intrinsics");
}

// A name that its module has, and this one does not import: the first import from that module gets it too.
void Checker::suggest_import(Report &report, std::string_view module, std::string_view name) {
  const std::string line = "from " + std::string(module) + " import " + std::string(name);
  report.hint("import it: `" + line + "`");
  const Nodes body = c.get<ast::Module>(m_.root).body();
  for (const Node s : body)
    if (auto i = c.as<ast::ImportFrom>(s); i && i.module() == module)
      return void(report.fix(s, c.show(s) + ", " + std::string(name), "import `" + std::string(name) + "`"));
  for (const Node s : body)
    if (c.is(s, HTP_Import) && c.show(s) == "import htp")
      return void(report.fix(s, c.show(s) + "\n" + line, "import `" + std::string(name) + "`"));
}

bool Checker::is_imported(std::string_view module, std::string_view name) const {
  const Nodes body = c.get<ast::Module>(m_.root).body();
  return std::any_of(body.begin(), body.end(), [&](Node s) {
    auto i = c.as<ast::ImportFrom>(s);
    return i && i.module() == module && std::any_of(i.names().begin(), i.names().end(), [&](Node n) {
             auto a = c.get<ast::alias>(n);
             return a.name() == name && (a.asname().empty() || a.asname() == name);
           });
  });
}

bool Checker::is_apart(Node function) const {
  const std::string_view name = c.name_of(function);
  return !name.empty() && !is_local(name) && m_.kind_of(name) == Module::Kind::function &&
         m_.is_called_apart(m_.definition(name));
}

// `scaled(x, by)` for `call(scaled, x, by)`.
Meaning Checker::external(Node n, const htp_intrinsics &set, const htp_intrinsic &row) {
  auto k = c.get<ast::Call>(n);
  if (!check_external(m_, m_.definition(c.name_of(k.func())), n)) return {};
  for (const Node w : k.keywords()) {
    if (c.get<ast::keyword>(w).arg() == "result" && m_.integer(c.get<ast::keyword>(w).value())) continue;
    c.report(diag::external_keywords, w, c.name_of(k.func()));
    return {};
  }
  for (const Node a : k.args()) argument(row, row.parameters[1], a);
  return result_of(set, row);
}

namespace {
// Instructions of a target, which write to their first operand and have no result.
bool writes_a_tile(const htp_intrinsic &row) {
  const std::string_view result = row.result ? row.result : "";
  return has_name(row.effects, "write") && (result.empty() || result == "None") &&
         !std::string_view(row.name).starts_with("tile.");
}
// The first call in the documentation, as its module is called.
std::string example_of(const htp_intrinsic &row) {
  const std::string_view doc = row.doc, name = row.name;
  const size_t at = doc.find(">>> ");
  if (at == std::string_view::npos) return {};
  return std::string(name.substr(0, name.find('.') + 1)) + std::string(doc.substr(at + 4, doc.find('\n', at) - at - 4));
}
} // namespace

std::string Checker::go_on_with(Node value, const Meaning &m) const {
  if (!m.row || !c.is(value, HTP_Call) || !writes_a_tile(*m.row)) return {};
  const Nodes operands = c.get<ast::Call>(value).args();
  return "it writes its first operand, and has no result: let it stand alone, and go on with `" +
         (operands.empty() ? "that" : c.show(operands[0])) + "`";
}

Meaning Checker::intrinsic(Node n, const htp_intrinsics &set, const htp_intrinsic &row) {
  auto k = c.get<ast::Call>(n);
  std::vector<std::string> missing;
  std::vector<bool> given(row.parameter_count);
  uint32_t at = 0, positional = 0;
  one_ellipsis(k.args());
  for (uint32_t p = 0; p < row.parameter_count; ++p) positional += !row.parameters[p].keyword_only;
  for (const Node a : k.args()) {
    if (at >= positional) {
      auto report = c.report(diag::too_many_arguments, n, row.name, positional, k.args().size());
      // One too many, where one parameter is left that goes by keyword alone.
      if (k.args().size() == positional + 1U && row.parameter_count == positional + 1U && k.keywords().empty()) {
        const std::string name(parameter_name(row.parameters[positional]));
        report.hint("`" + name + "` goes by keyword: `" + name + "=" + c.show(a) + "`")
            .fix(a, name + "=" + c.show(a), "name the argument");
        given[positional] = true;
      }
      break;
    }
    given[at] = true;
    argument(row, row.parameters[at], a);
    if (!is_variadic(row.parameters[at])) ++at;
  }
  for (const Node w : k.keywords()) {
    auto keyword = c.get<ast::keyword>(w);
    uint32_t p = 0;
    while (p < row.parameter_count &&
           (is_variadic(row.parameters[p]) || parameter_name(row.parameters[p]) != keyword.arg()))
      ++p;
    if (p == row.parameter_count) {
      auto report = c.report(diag::unknown_keyword, w, row.name, keyword.arg());
      std::vector<std::string> known;
      for (uint32_t i = 0; i < row.parameter_count; ++i) known.emplace_back(parameter_name(row.parameters[i]));
      if (const std::string near = nearest(keyword.arg(), known); !near.empty()) {
        report.hint("did you mean `" + near + "`?");
        const auto meant = static_cast<size_t>(std::find(known.begin(), known.end(), near) - known.begin());
        if (!given[meant]) {
          report.fix(w, near + "=" + c.show(keyword.value()), "call it `" + near + "`");
          given[meant] = true;
        }
      }
    } else if (given[p]) {
      c.report(diag::repeated_argument, w, row.name, keyword.arg());
    } else {
      given[p] = true;
      argument(row, row.parameters[p], keyword.value());
    }
  }
  for (uint32_t p = 0; p < row.parameter_count; ++p)
    if (!given[p] && !row.parameters[p].default_value && !is_variadic(row.parameters[p]))
      missing.emplace_back(parameter_name(row.parameters[p]));
  for (const std::string &name : missing) {
    auto report = c.report(diag::missing_argument, n, row.name, name);
    if (const std::string example = example_of(row); writes_a_tile(row) && !example.empty())
      report.hint("it writes its first operand, a tile of its own: `" + example + "`");
  }
  return missing.empty() || !writes_a_tile(row) ? result_of(set, row) : Meaning{};
}

// What a parameter's annotation asks of its argument; another plugin's own types are judged by its typing rule.
void Checker::argument(const htp_intrinsic &row, const htp_parameter &parameter, Node value) {
  std::string_view wanted = parameter.annotation ? parameter.annotation : "";
  auto several = c.as<ast::Tuple>(value);
  if (has_name(wanted, "tuple") && !(several && !several.elts().empty())) wanted = "int";
  if (has_name(wanted, "Index")) return index(value);
  if (has_name(wanted, "Extent") && several) {
    std::string all;
    for (const Node e : several.elts()) all += (all.empty() ? "" : ", ") + c.show(e);
    c.report(diag::unsupported, value, "tuples").hint("give the extents one by one: `" + all + "`");
    return;
  }
  if (has_name(wanted, "Extent") && std::string_view(row.rule) == "reshape" && m_.integer(value) == -1) return;
  if (has_name(wanted, "Extent")) // another plugin's are of what lies in memory
    return extent(value, std::string_view(row.rule) == "buffer" || !std::string_view(row.name).starts_with("tile."));
  if (has_name(wanted, "Layout")) return check_layout(m_, value);
  if (has_name(wanted, "tuple")) {
    for (const Node axis : several.elts())
      if (!m_.integer(axis))
        c.report(diag::not_constant, axis, "`" + std::string(parameter_name(parameter)) + "` of `" + row.name + "`",
                 c.show(axis));
    return;
  }
  if (has_name(wanted, "Callable")) {
    if (is_apart(value))
      check_external(m_, m_.definition(c.name_of(value)), value);
    else
      c.report(diag::not_external, value, c.show(value));
    return;
  }
  const Meaning m = expr(value);
  if (m.sort == Sort::unknown) return;
  if (has_name(wanted, "type")) {
    if (m.sort != Sort::dtype)
      c.report(diag::unknown_dtype, value, c.show(value)).hint("a dtype is a class of htp: `f32`");
  } else if (wanted == "Token") {
    if (m.sort != Sort::token) c.report(diag::not_a_token, value, c.show(value), describe(m));
  } else if (wanted == "int") {
    if (!m_.integer(value))
      c.report(diag::not_constant, value, "`" + std::string(parameter_name(parameter)) + "` of `" + row.name + "`",
               c.show(value));
  } else if (wanted == "float" || wanted == "float | None" || wanted == "bool" || wanted == "float | int") {
    const bool left_out = m.sort == Sort::none && wanted == "float | None";
    if (m.sort != Sort::number && !left_out && !(wanted == "float | int" && is_int(m)))
      c.report(diag::not_literal, value, parameter_name(parameter), row.name, c.show(value))
          .hint(wanted == "bool"          ? "write `True` or `False`"
                : wanted == "float | int" ? "write a number, or an int"
                                          : "write a number, or a constant of the module");
  } else {
    const bool in_memory = *row.effects != '\0';
    bool value_wanted = false;
    for (const char *one : {"Element", "Number", "Floating", "Integer", "Bits", "Value", "bool_"})
      value_wanted |= has_name(wanted, one);
    if (m.sort == Sort::tensor) {
      if (!in_memory) {
        c.report(diag::whole_tensor, value, c.show(value))
            .hint("load a tile: `" + c.show(value) + "[…]`, one index for each dimension");
      } else if (&parameter == row.parameters && has_name(row.effects, "write")) {
        if (has_name(row.effects, "read")) read(value, value);
        write(value, value);
      } else {
        read(value, value);
      }
    } else if (value_wanted && m.sort != Sort::tile && !(m.sort == Sort::none && has_name(wanted, "None")) &&
               !(m.sort == Sort::number && (has_name(wanted, "float") || has_name(wanted, "int"))) &&
               !(is_int(m) && takes_ints(row, parameter))) {
      auto report = c.report(diag::not_a_tile, value, parameter_name(parameter), row.name, c.show(value));
      if (const std::string hint = go_on_with(value, m); !hint.empty()) report.hint(hint);
      const bool number = has_name(wanted, "Floating") || has_name(wanted, "Number");
      if (number && m.sort != Sort::unknown && is_int(m))
        report.hint("an int as a tile of one element: `" + as_tile(value) + "`");
    }
  }
}

} // namespace htp::tile
