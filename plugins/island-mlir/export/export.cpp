#include "export/export.h"

#include "htp_cpp/loops.h"

#include "export/affine.h"
#include "export/linalg.h"

namespace htp::mlir {

namespace {

class FunctionWriter : Expressions {
public:
  FunctionWriter(const Program &program, const Part &part) : Expressions(program), part_(part), forms_(program) {
    if (part.form == Form::affine) affine_ = &forms_;
  }

  std::string run() {
    Environment names;
    std::string head = "func.func @" + part_.name + "(";
    for (const std::string &name : part_.inputs) {
      const Symbol &s = *p.symbol(name);
      if (s.type.empty()) untyped(s.annotation, name, s);
      const Named v{fresh(name), s.type};
      names.emplace(name, v);
      if (s.sort == Symbol::Sort::integer) forms_.symbol(v.name);
      if (head.back() != '(') head += ", ";
      head += v.name + ": " + v.type;
    }
    head += ")";
    const std::vector<Named> results = block(part_.statements, names, part_.after, part_.results);
    if (!results.empty()) head += " -> (" + join(results, ", ", [](const Named &v) { return v.type; }) + ")";
    Writer w;
    {
      auto function = w.block("}", head, " {");
      for (const std::string &line : constants_) w.line(line);
      for (const auto &[depth, line] : lines_) w.line(std::string(2 * depth, ' '), line);
      w.line("func.return", results.empty() ? "" : " " + names_of(results) + " : " + types_of(results));
    }
    return w.text();
  }

private:
  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  // Returns what the names of `results` are at the end.
  std::vector<Named> block(Nodes statements, Environment names, NameSet after,
                           const std::vector<std::string> &results) {
    std::vector<NameSet> behind(statements.size());
    after.insert(results.begin(), results.end());
    for (size_t k = statements.size(); k-- > 0;) {
      behind[k] = after;
      after = p.before(statements[k], std::move(after));
    }
    for (size_t k = 0; k < statements.size(); ++k) {
      number_ = p.number(statements[k]);
      statement(statements[k], names, behind[k]);
    }
    std::vector<Named> values;
    for (const std::string &name : results) {
      const auto at = names.find(name);
      if (at == names.end()) refuse(statements.empty() ? p.function() : statements.back(), diag::not_ready, name);
      values.push_back(at->second);
    }
    return values;
  }

  void statement(Node s, Environment &names, const NameSet &after) {
    if (c.is(s, HTP_Pass)) return;
    if (c.is(s, HTP_For)) return loop(s, names, after);
    if (c.is(s, HTP_If)) return branch(s, names, after);
    if (auto e = c.as<ast::Expr>(s)) {
      if (c.is(e.value(), HTP_Constant)) return;
      const std::string intrinsic = p.cpu_intrinsic(e.value());
      const auto call = c.as<ast::Call>(e.value());
      if (intrinsic == "put" && call.args().size() >= 2 && call.keywords().empty()) {
        const Nodes a = call.args();
        const Named m = memory(names, a[0]);
        const size_t x = m.type.rfind('x');
        const Named v = operand(names, a[1], m.type.substr(x + 1, m.type.size() - x - 2));
        return line(access("store", names, e.value(), a[0], a.subspan(2), v.name) + place());
      }
      if (intrinsic == "order" && call.args().size() >= 4) {
        if (affine_) refuse(s, diag::not_affine, c.show(s));
        const Nodes a = call.args();
        std::vector<Named> operands{memory(names, a[0]), memory(names, a[1])};
        for (const Node n : a.subspan(2)) operands.push_back(index(names, n));
        opaque(intrinsic, operands, {}, attributes(call.keywords()), "", "");
        return;
      }
      refuse(s, diag::no_operation, "`" + c.show(s) + "`");
    }
    std::string_view name;
    Node value = HTP_NONE;
    if (auto a = c.as<ast::AnnAssign>(s)) {
      name = c.name_of(a.target()), value = a.value();
    } else if (auto b = c.as<ast::Assign>(s); b && b.targets().size() == 1) {
      name = c.name_of(b.targets()[0]), value = b.value();
    }
    const Symbol *symbol = p.symbol(name);
    if (!symbol || !value) refuse(s, diag::no_operation, statement_text(s));
    if (symbol->type.empty()) untyped(s, name, *symbol);
    const Named v = bound(s, *symbol, names, value, name);
    if (symbol->sort == Symbol::Sort::integer) forms_.define(v.name, names, value);
    names.insert_or_assign(std::string(name), v);
  }

  [[noreturn]] static void untyped(Node where, std::string_view name, const Symbol &s) {
    if (type_of_dtype(s.dtype).empty()) refuse(where, diag::no_dtype, name, s.dtype);
    refuse(where, diag::several_types, name);
  }

  std::string statement_text(Node s) const {
    if (c.is(s, HTP_While)) return "a `while`";
    if (auto f = c.as<ast::FunctionDef>(s)) return "the process `" + std::string(f.name()) + "`";
    if (c.is(s, HTP_Break)) return "a `break`";
    return "`" + c.show(s) + "`";
  }

  Named bound(Node s, const Symbol &symbol, const Environment &names, Node value, std::string_view name) {
    const std::string intrinsic = p.cpu_intrinsic(value);
    if (intrinsic == "alloc") {
      std::string sizes;
      const Nodes a = c.get<ast::Call>(value).args();
      std::string shape;
      for (const Node e : a.empty() ? a : a.subspan(1)) {
        const auto n = p.constants().integer(e);
        shape += (n && *n >= 0 ? std::to_string(*n) : "?") + "x";
        if (!n) sizes += (sizes.empty() ? "" : ", ") + index(names, e).name;
      }
      if ("memref<" + shape + type_of_dtype(symbol.dtype) + ">" != symbol.type)
        refuse(s, diag::no_operation, "`" + c.show(s) + "`");
      return operation(name, "memref.alloc(" + sizes + ") : " + symbol.type, symbol.type, name);
    }
    if (intrinsic == "position" || intrinsic == "holds") {
      const Nodes a = c.get<ast::Call>(value).args();
      if (a.empty() || !is_scalar(a[0])) refuse(s, diag::no_operation, "`" + c.show(s) + "`");
      std::vector<Named> operands{known(names, a[0])};
      if (a.size() > 1) operands.push_back(index(names, a[1]));
      return opaque(intrinsic, operands, {}, {}, intrinsic == "holds" ? "i1" : "index", name);
    }
    if (symbol.sort == Symbol::Sort::integer) return index(names, value, name);
    if (symbol.sort == Symbol::Sort::scalar) return computed(names, value, symbol.type, name);
    refuse(s, diag::no_operation, "`" + c.show(s) + "`");
  }

  // `%a, %b = ` before an operation with these results.
  static std::string results(const std::vector<Named> &values) {
    return values.empty() ? std::string() : names_of(values) + " = ";
  }

  std::string dialect() const { return affine_ ? "affine" : "scf"; }

  // ── nests of linalg ───────────────────────────────────────────────────────────────────────────────────────────────

  // The part of memory that a nest goes over at an element, and how it does.
  struct Operand {
    Named view;
    std::string map;
  };
  Operand operand_of(const Nest &nest, const Element &e, const Environment &names,
                     const std::vector<std::optional<Named>> &extents) {
    const Named m = memory(names, e.memory);
    const std::vector<Node> &all = p.symbol(c.name_of(e.memory))->extents;
    std::string offsets, sizes, ones, shape, map;
    std::vector<std::string> strides;
    std::string stride = "1";
    for (size_t k = all.size(); k-- > 0;) {
      if (e.places[k].loop) strides.insert(strides.begin(), stride);
      const auto n = p.constants().integer(all[k]);
      stride = stride != "?" && n ? std::to_string(std::stoll(stride) * *n) : "?";
    }
    for (const Offset &o : e.places) {
      Named at = index_constant(0, HTP_NONE);
      for (size_t k = 0; k < o.offsets.size(); ++k) {
        const auto &[minus, node] = o.offsets[k];
        const Named by = index(names, node);
        at = k == 0 && !minus
                 ? by
                 : operation("at",
                             std::string(minus ? "arith.subi " : "arith.addi ") + at.name + ", " + by.name + " : index",
                             "index");
      }
      const std::string comma = offsets.empty() ? "" : ", ";
      const auto &n = o.loop ? extents[*o.loop] : std::nullopt;
      const auto number = o.loop ? p.constants().integer(nest.extents[*o.loop]) : std::optional<int64_t>(1);
      offsets += comma + at.name;
      sizes += comma + (n ? n->name : std::to_string(*number));
      ones += comma + "1";
      if (!o.loop) continue;
      shape += (n ? "?" : std::to_string(*number)) + "x";
      map += (map.empty() ? "d" : ", d") + std::to_string(*o.loop);
    }
    const std::string element = m.type.substr(m.type.rfind('x') + 1);
    const std::string type = "memref<" + shape + element.substr(0, element.size() - 1) + ", strided<[" +
                             join(strides, ", ", [](const std::string &s) { return s; }) + "], offset: ?>>";
    return {operation(c.name_of(e.memory),
                      "memref.subview " + m.name + "[" + offsets + "][" + sizes + "][" + ones + "] : " + m.type +
                          " to " + type,
                      type),
            map};
  }

  void generic(const Nest &nest, const Environment &names) {
    std::vector<std::optional<Named>> extents; // but for numbers
    std::string dims, iterators, loops;
    for (size_t k = 0; k < nest.loops.size(); ++k) {
      const bool constant = p.constants().integer(nest.extents[k]).has_value();
      extents.push_back(constant ? std::nullopt : std::optional(index(names, nest.extents[k])));
      const std::string comma = k ? ", " : "";
      dims += comma + "d" + std::to_string(k);
      const bool reduction = !nest.carried.empty() && k + 1 == nest.loops.size();
      iterators += comma + (reduction ? "\"reduction\"" : "\"parallel\"");
      loops += comma + quoted(std::to_string(p.number(nest.loops[k])) + ":" + nest.variables[k]) + ", " +
               quoted(p.loop_wrappers(c.get<ast::For>(nest.loops[k]).iter()));
    }
    Environment inside = names;
    std::map<Node, std::string> loaded; // by the statement: what its name is
    std::string maps, arguments, places;
    std::vector<Named> views[2];
    const auto same_place = [&](const Element &a, const Element &b) {
      return c.name_of(a.memory) == c.name_of(b.memory); // what is stored is loaded at its own place alone
    };
    const auto add = [&](const Element &e, bool out, Node load) {
      Operand o = operand_of(nest, e, names, extents);
      const std::string element = o.view.type.substr(7, o.view.type.find(',') - 7);
      const std::string type = element.substr(element.rfind('x') == std::string::npos ? 0 : element.rfind('x') + 1);
      const std::string name = fresh(load ? c.name_of(target_of(load)) : std::string_view("out"));
      maps += (maps.empty() ? "" : ", ") + ("affine_map<(" + dims + ") -> (" + o.map + ")>");
      arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
      views[out].push_back(std::move(o.view));
      places += (places.empty() ? "" : ", ") +
                quoted(load ? std::to_string(p.number(load)) + ":" + std::string(c.name_of(target_of(load))) : "");
      return Named{name, type};
    };
    std::map<Node, Named> values;
    for (size_t k = 0; k < nest.loads.size(); ++k) {
      bool stored = false;
      for (const Element &e : nest.stores) stored |= same_place(e, nest.loads[k]);
      if (!stored) values[nest.load_statements[k]] = add(nest.loads[k], false, nest.load_statements[k]);
    }
    std::string stores;
    for (size_t s = 0; s < nest.stores.size(); ++s) {
      Node first = HTP_NONE;
      for (size_t k = 0; k < nest.loads.size() && !first; ++k)
        if (same_place(nest.stores[s], nest.loads[k])) first = nest.load_statements[k];
      const Named out = add(nest.stores[s], true, first);
      for (size_t k = 0; k < nest.loads.size(); ++k)
        if (same_place(nest.stores[s], nest.loads[k])) values[nest.load_statements[k]] = out;
      stores += (s ? ", " : "") + quoted(std::to_string(p.number(nest.store_statements[s])) + ":");
    }
    const auto group = [&](const char *keyword, const std::vector<Named> &list) {
      return list.empty() ? std::string()
                          : std::string(" ") + keyword + "(" + names_of(list) + " : " + types_of(list) + ")";
    };
    line("linalg.generic {indexing_maps = [" + maps + "], iterator_types = [" + iterators + "]}" +
         group("ins", views[0]) + group("outs", views[1]) + " attrs = {htp.loops = [" + loops + "], htp.loads = [" +
         places + "], htp.stores = [" + stores + "]} {");
    line("^bb0(" + arguments + "):");
    ++depth_;
    const size_t number = number_;
    for (const Node s : nest.body) {
      number_ = p.number(s);
      const std::string name(c.name_of(target_of(s)));
      const auto load = values.find(s);
      const Node value = c.is(s, HTP_AnnAssign) ? c.get<ast::AnnAssign>(s).value() : c.get<ast::Assign>(s).value();
      inside.insert_or_assign(name, load != values.end() ? load->second
                                                         : computed(inside, value, p.symbol(name)->type, name));
    }
    std::vector<Named> yielded;
    for (size_t k = 0; k < nest.stores.size(); ++k) {
      number_ = p.number(nest.store_statements[k]);
      const Named &view = views[1][k];
      const std::string element = view.type.substr(7, view.type.find(',') - 7);
      const std::string type = element.substr(element.rfind('x') == std::string::npos ? 0 : element.rfind('x') + 1);
      yielded.push_back(operand(inside, c.get<ast::Call>(nest.stores[k].call).args()[1], type));
    }
    number_ = number;
    line("linalg.yield " + names_of(yielded) + " : " + types_of(yielded));
    --depth_;
    // The loops that a pass makes of it stand for the one that says how it may run, if one does.
    size_t first = 0;
    for (size_t k = 0; k < nest.loops.size(); ++k)
      if (const Node iter = c.get<ast::For>(nest.loops[k]).iter(); !first && !p.loop_wrappers(iter).empty()) first = k;
    number_ = p.number(nest.loops[first]);
    line("}" + place(nest.variables[first]));
    number_ = number;
  }
  Node target_of(Node s) const {
    return c.is(s, HTP_AnnAssign) ? c.get<ast::AnnAssign>(s).target() : c.get<ast::Assign>(s).targets()[0];
  }

  void loop(Node s, Environment &names, const NameSet &after) {
    if (part_.form == Form::linalg)
      if (const auto nest = nest_of(p, s, after)) return generic(*nest, names);
    const size_t number = number_;
    const auto f = c.get<ast::For>(s);
    const std::string variable(c.name_of(f.target()));
    const LoopForms forms = loop_forms(c, p.names(), f.iter());
    const auto range = c.as<ast::Call>(forms.range);
    if (!range || c.name_of(range.func()) != "range" || range.args().empty() || variable.empty() || !f.orelse().empty())
      refuse(f.iter(), diag::not_ready, c.show(f.iter()));
    const Nodes a = range.args();
    const auto step = a.size() > 2 ? p.constants().integer(a[2]) : std::optional<int64_t>(1);
    if (!step || *step < 1) refuse(a[2], diag::step, c.show(a[2]));
    std::string bounds;
    if (affine_) {
      using Choice = AffineForm::Choice;
      const auto bound = [&](Node n, Choice choice, const char *prefix) {
        const AffineForm known = forms_.bound(names, n, choice);
        return (known.expressions.size() > 1 ? prefix : "") + map_of(known);
      };
      bounds = (a.size() > 1 ? bound(a[0], Choice::greatest, "max ") : "0") + " to " +
               bound(a[a.size() > 1 ? 1 : 0], Choice::least, "min ") + " step " + std::to_string(*step);
    } else {
      const Named from = a.size() > 1 ? index(names, a[0]) : index_constant(0, HTP_NONE);
      const Named to = index(names, a[a.size() > 1 ? 1 : 0]);
      const Named by = a.size() > 2 ? index_constant(*step, a[2]) : index_constant(1, HTP_NONE);
      bounds = from.name + " to " + to.name + " step " + by.name;
    }

    NameSet around = after;
    around.merge(p.before(f.body(), after));
    const NameSet head = p.before(f.body(), around);
    const NameSet bound = p.bound(f.body());
    NameSet carried_names;
    for (const std::string &name : bound)
      if (head.contains(name) || after.contains(name)) carried_names.insert(name);
    const std::vector<std::string> carried = p.ordered(carried_names);

    Environment inside = names;
    std::vector<Named> initial, made;
    std::string arguments;
    for (const std::string &name : carried) {
      const auto at = names.find(name);
      if (at == names.end()) refuse(s, diag::not_ready, name);
      initial.push_back(at->second);
      const Named inner{fresh(name), at->second.type};
      made.push_back({fresh(name), at->second.type});
      inside.insert_or_assign(name, inner);
      arguments += (arguments.empty() ? "" : ", ") + inner.name + " = " + at->second.name;
    }
    const Named i{fresh(variable), "index"};
    inside.insert_or_assign(variable, i);
    forms_.variable(i.name);
    line(results(made) + dialect() + ".for " + i.name + " = " + bounds +
         (carried.empty() ? "" : " iter_args(" + arguments + ") -> (" + types_of(made) + ")") + " {");
    ++depth_;
    const std::vector<Named> last = block(f.body(), inside, around, carried);
    number_ = number;
    if (!last.empty()) line(dialect() + ".yield " + names_of(last) + " : " + types_of(last) + place());
    --depth_;
    std::string listed = variable;
    for (const std::string &name : carried) listed += "," + name;
    line("}" + form(f.iter()) + place(listed));
    for (const std::string &name : bound) names.erase(name);
    for (size_t k = 0; k < carried.size(); ++k) names.insert_or_assign(carried[k], made[k]);
  }

  // The wrappers around the range, as an attribute that passes leave alone.
  std::string form(Node iter) const {
    const std::string wrappers = p.loop_wrappers(iter);
    return wrappers.empty() ? wrappers : " {htp.loop = " + quoted(wrappers) + "}";
  }

  void branch(Node s, Environment &names, const NameSet &after) {
    const size_t number = number_;
    const auto b = c.get<ast::If>(s);
    const Named when = truth(names, b.test());
    std::vector<Node> all(b.body().begin(), b.body().end());
    all.insert(all.end(), b.orelse().begin(), b.orelse().end());
    const NameSet bound = p.bound(all);
    NameSet wanted;
    for (const std::string &name : bound)
      if (after.contains(name)) wanted.insert(name);
    const std::vector<std::string> results_of = p.ordered(wanted);
    std::vector<Named> made;
    for (const std::string &name : results_of) made.push_back({fresh(name), p.symbol(name)->type});
    line(results(made) + "scf.if " + when.name + (made.empty() ? "" : " -> (" + types_of(made) + ")") + " {");
    const auto side = [&](Nodes statements) {
      ++depth_;
      const std::vector<Named> last = block(statements, names, after, results_of);
      number_ = number;
      if (!last.empty()) line("scf.yield " + names_of(last) + " : " + types_of(last) + place());
      --depth_;
    };
    side(b.body());
    if (!made.empty() || !b.orelse().empty()) {
      line("} else {");
      side(b.orelse());
    }
    std::string listed;
    for (const std::string &name : results_of) listed += (listed.empty() ? "" : ",") + name;
    line("}" + place(listed));
    for (const std::string &name : bound) names.erase(name);
    for (size_t k = 0; k < made.size(); ++k) names.insert_or_assign(results_of[k], made[k]);
  }

  const Part &part_;
  AffineForms forms_;
};

} // namespace

std::string text_of(const Program &p, const Part &part) { return FunctionWriter(p, part).run(); }

} // namespace htp::mlir
