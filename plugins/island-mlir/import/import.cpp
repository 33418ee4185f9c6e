#include "import/import.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include "import/texts.h"

namespace htp::mlir {

namespace {

std::string joined(const std::vector<std::string> &list) {
  std::string result;
  for (const std::string &s : list) result += (result.empty() ? "" : ", ") + s;
  return result;
}

class Writing : Texts {
public:
  Writing(const Program &program, const Part &part, const Values &values, std::set<size_t> &lost)
      : Texts(program, values), part_(part), lost_(lost) {
    for (const std::string &name : part.inputs) declared_.emplace_back(name);
    first_ = part.statements.empty() ? 0 : p.number(part.statements[0]);
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> out;
    block(values_.body(), out);
    return out;
  }

private:
  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  Node origin_of(const Operation &op) const {
    const Place place = place_of(op);
    const Node n = place.number ? p.statement(*place.number) : HTP_NONE;
    return n ? n : around_;
  }

  // Comments go with the first statement that stands for theirs.
  Node with_comments(Node made, Node origin) {
    if (!commented_.insert(origin).second || c.is(origin, HTP_FunctionDef)) return made;
    return with_comments_of(c, origin, made);
  }

  Node parsed(const std::string &source, Node origin) {
    const Node module = c.host()->parse_body(c.ctx(), str(source), origin);
    if (!module) throw NoReturn{0, Refusal(diag::no_statement, source)};
    const Nodes body = c.get<ast::Module>(module).body();
    if (body.size() != 1) throw NoReturn{0, Refusal(diag::no_statement, source)};
    return body[0];
  }
  void say(const std::string &source, const Operation &op, std::vector<uint32_t> &out) {
    const Node origin = origin_of(op);
    out.push_back(with_comments(parsed(source, origin), origin));
  }

  bool is_declared(const std::string &name) const {
    return std::find(declared_.begin(), declared_.end(), name) != declared_.end();
  }

  std::string dtype(const Operation &op, const std::string &type) const {
    const std::string name = dtype_of_type(type);
    if (name.empty()) refuse(op, diag::no_python_type, type);
    return p.spell("htp", name);
  }
  std::string spelled(std::string_view name) const { return p.spell("htp_cpu", name); }

  // `name: f32 = value`, or without the type where an earlier statement says it.
  std::string assignment(const Operation &op, size_t v, const std::string &value) {
    const Value &x = values_[v];
    const std::string name = values_.name(v);
    const bool known = !typed_.insert(name).second;
    if (!is_declared(name)) declared_.push_back(name);
    if (x.sort != Symbol::Sort::scalar) return name + " = " + value;
    const Symbol *s = p.symbol(name);
    const bool before = s && s->statement < first_ && !s->parameter;
    return name + (known || before ? "" : ": " + dtype(op, x.type)) + " = " + value;
  }

  // A scalar operand that must say its dtype: a literal does not.
  std::string sure(const Operation &op, size_t v, std::vector<uint32_t> &out) {
    if (!values_.inlined(v)) return values_.name(v);
    const std::string name = c.fresh("number");
    const std::string type = dtype(op, values_[v].type);
    say(name + ": " + type + " = " + spelled("splat") + "(" + type + ", " + text(v) + ")", op, out);
    return name;
  }

  // The operands of an intrinsic on scalars, of which one at least says its dtype.
  std::string scalars(const Operation &op, const std::vector<size_t> &operands, std::vector<uint32_t> &out) {
    std::vector<std::string> texts;
    bool any = false;
    for (const size_t v : operands) any |= !values_.inlined(v);
    for (const size_t v : operands) texts.push_back(texts.empty() && !any ? sure(op, v, out) : text(v));
    return joined(texts);
  }

  std::string indices(const Step &step, size_t from) const {
    std::string result;
    for (size_t k = from; k < step.operands.size(); ++k) result += ", " + text(step.operands[k]);
    return result;
  }

  // ── copies ────────────────────────────────────────────────────────────────────────────────────────────────────────

  struct Copy {
    size_t to, from;
  };

  void mentioned(size_t v, std::set<std::string> &names) const {
    if (!values_.inlined(v)) {
      names.insert(values_.name(v));
      return;
    }
    for (const size_t x : values_[v].operands) mentioned(x, names);
  }

  void copy(const Operation &op, size_t to, const std::string &value, bool is_literal, std::vector<uint32_t> &out) {
    const Value &v = values_[to];
    if (v.sort == Symbol::Sort::scalar && is_literal) {
      const std::string type = dtype(op, v.type);
      say(assignment(op, to, spelled("splat") + "(" + type + ", " + value + ")"), op, out);
    } else {
      say(assignment(op, to, value), op, out);
    }
  }

  void copy(const Operation &op, const Copy &one, std::vector<uint32_t> &out) {
    const Value &from = values_[one.from];
    if (values_[one.to].sort != from.sort && !values_.is_constant(one.from)) refuse(op, diag::mixed_condition, op.name);
    if (from.sort == Symbol::Sort::memory) refuse(op, diag::chosen_buffer, op.name);
    if (values_[one.to].sort == Symbol::Sort::truth && values_.inlined(one.from)) {
      const std::string name = values_.name(one.to), when = truth(one.from);
      std::set<std::string> reads;
      mentioned(one.from, reads);
      if (reads.contains(name)) refuse(op, diag::carried_condition, op.name);
      say(assignment(op, one.to, "0"), op, out);
      say("if " + when + ":\n    " + name + " = 1\n", op, out);
      return;
    }
    copy(op, one.to, text(one.from), values_.is_constant(one.from), out);
  }

  // All at once: what a copy reads is what was there before any of them.
  void copies(const Operation &op, std::vector<Copy> list, std::vector<uint32_t> &out) {
    std::erase_if(list, [&](const Copy &x) { return !values_.inlined(x.from) && values_.same_variable(x.to, x.from); });
    std::map<size_t, std::string> kept; // what a value is called that had to go out of the way
    while (!list.empty()) {
      bool any = false;
      for (size_t k = 0; k < list.size() && !any; ++k) {
        const std::string &target = values_.name(list[k].to);
        bool read = false;
        for (size_t other = 0; other < list.size(); ++other) {
          if (other == k || kept.contains(list[other].from)) continue;
          std::set<std::string> names;
          mentioned(list[other].from, names);
          read |= names.contains(target);
        }
        if (read) continue;
        if (const auto at = kept.find(list[k].from); at != kept.end())
          copy(op, list[k].to, at->second, false, out);
        else
          copy(op, list[k], out);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
        any = true;
      }
      if (any) continue;
      // They go round in a circle: one value steps aside.
      const size_t from = list[0].from;
      const Value &v = values_[from];
      if (v.sort == Symbol::Sort::truth || kept.contains(from)) refuse(op, diag::carried_condition, op.name);
      const std::string name = c.fresh(values_.inlined(from) ? "value" : values_.name(from));
      say(name + (v.sort == Symbol::Sort::scalar ? ": " + dtype(op, v.type) : "") + " = " + text(from), op, out);
      kept.emplace(from, name);
    }
  }

  // ── operations ────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(const Block &b, std::vector<uint32_t> &out) {
    const size_t declared = declared_.size();
    for (const Step &step : b.steps) this->step(step, out);
    declared_.resize(declared);
  }

  void step(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    if (!step.results.empty() && values_.inlined(step.results[0])) return;
    if (op.name == "scf.for") return loop(step, out);
    if (op.name == "scf.if") return branch(step, out);
    if (op.name == "scf.yield") return;
    if (op.name == "func.return") return finish(step, out);
    if (op.name == "memref.alloc") return alloc(step, out);
    if (op.name == "memref.load" && !step.operands.empty())
      return say(assignment(op, step.results[0],
                            spelled("get") + "(" + values_.name(step.operands[0]) + indices(step, 1) + ")"),
                 op, out);
    if (op.name == "memref.store" && step.operands.size() >= 2)
      return say(spelled("put") + "(" + values_.name(step.operands[1]) + ", " + text(step.operands[0]) +
                     indices(step, 2) + ")",
                 op, out);
    if (op.name.starts_with("cpu.")) return opaque(step, out);
    if (op.name == "arith.select" && step.operands.size() == 3) return select(step, out);
    if (step.results.size() != 1) refuse(op, diag::no_python, op.name);
    const size_t result = step.results[0];
    const Value &v = values_[result];
    if (v.sort == Symbol::Sort::integer) {
      if (v.from->name.starts_with("arith.") || v.from->name == "memref.dim")
        return say(assignment(op, result, expression(result)), op, out);
      refuse(op, diag::no_python_of, op.name, v.type);
    }
    if (v.sort != Symbol::Sort::scalar) refuse(op, diag::no_python_of, op.name, v.type);
    say(assignment(op, result, scalar(step, v, out)), op, out);
  }

  // The call that computes a scalar.
  std::string scalar(const Step &step, const Value &v, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const std::string of = step.operands.empty() ? std::string() : values_[step.operands[0]].type;
    for (const size_t x : step.operands)
      if (values_[x].sort == Symbol::Sort::truth) refuse(op, diag::mixed_condition, op.name);
    if (op.name == "arith.index_cast" && of == "index") {
      if (v.type != "i64") refuse(op, diag::no_python_of, op.name, v.type);
      return spelled("index") + "(" + dtype(op, v.type) + ", " + text(step.operands[0]) + ")";
    }
    if (op.name == "arith.sitofp" && values_[step.operands[0]].absorbed)
      return spelled("splat") + "(" + dtype(op, v.type) + ", " + text(values_[step.operands[0]].operands[0]) + ")";
    const bool from_truth = of == "i1";
    if (op.name == "arith.extf" || op.name == "arith.truncf" ||
        (!from_truth && (op.name == "arith.extsi" || op.name == "arith.sitofp")) ||
        (from_truth && (op.name == "arith.extui" || op.name == "arith.uitofp")) ||
        (op.name == "arith.trunci" && v.type != "i1"))
      return spelled("cast") + "(" + sure(op, step.operands[0], out) + ", " + dtype(op, v.type) + ")";
    if (op.name == "arith.cmpf" || (op.name == "arith.cmpi" && !from_truth)) {
      const bool floats = op.name == "arith.cmpf";
      const Intrinsic *w = comparison_of(floats, predicate(op));
      if (!w) refuse(op, diag::no_python_comparison, predicate_of(floats, predicate(op)));
      return spelled(w->name) + "(" + scalars(op, step.operands, out) + ")";
    }
    const Intrinsic *w = intrinsic_of(op.name, of);
    if (!w) refuse(op, diag::no_python, op.name);
    if (step.operands.size() != w->operands || of != v.type) malformed(op);
    return spelled(w->name) + "(" + scalars(op, step.operands, out) + ")";
  }

  void select(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const size_t result = step.results[0], when = step.operands[0], yes = step.operands[1], no = step.operands[2];
    if (!values_.is_branch(step)) {
      const std::string first = text(when);
      const bool literals = values_.inlined(yes) && values_.inlined(no);
      const std::string a = literals ? sure(op, yes, out) : text(yes);
      return say(assignment(op, result, spelled("where") + "(" + first + ", " + a + ", " + text(no) + ")"), op, out);
    }
    copies(op, {{result, no}}, out);
    std::vector<uint32_t> inside;
    const std::string condition = this->condition(op, when, out);
    copies(op, {{result, yes}}, inside);
    if (inside.empty()) return;
    const Node origin = origin_of(op);
    out.push_back(c.make(make::If{.test = c.parse(condition, origin), .body = std::move(inside)}, origin));
  }

  // What an `if` asks; a truth value that is a scalar becomes one that can be asked.
  std::string condition(const Operation &op, size_t v, std::vector<uint32_t> &out) {
    if (values_[v].sort == Symbol::Sort::truth || values_.is_constant(v)) return truth(v);
    const std::string name = c.fresh("holds");
    say(name + " = " + spelled("holds") + "(" + text(v) + ")", op, out);
    return name;
  }

  void alloc(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const Value &v = values_[step.results[0]];
    // memref<8x?xf32>
    std::string shape = v.type.substr(7, v.type.size() - 8);
    const size_t x = shape.rfind('x');
    if (x == std::string::npos || shape.find_first_of(", <") != std::string::npos)
      refuse(op, diag::no_python_type, v.type);
    const std::string element = dtype(op, shape.substr(x + 1));
    std::string extents;
    size_t next = 0;
    for (std::string rest = shape.substr(0, x + 1); !rest.empty();) {
      const std::string one = rest.substr(0, rest.find('x'));
      rest = rest.substr(rest.find('x') + 1);
      if (one == "?" && next >= step.operands.size()) malformed(op);
      extents += ", " + (one == "?" ? text(step.operands[next++]) : one);
    }
    // How many iterations share it is a matter of what it means.
    const Place place = place_of(op);
    if (place.number && p.statement(*place.number) &&
        (p.parallel(*place.number) != parallel_ ||
         std::any_of(now_parallel_.begin(), now_parallel_.end(),
                     [&](size_t loop) { return !p.inside(*place.number, loop); })))
      refuse(op, diag::moved_buffer, v.wanted.empty() ? op.results[0] : v.wanted);
    const Symbol *s = p.symbol(values_.name(step.results[0]));
    const auto was = s && s->annotation ? read_type(c, s->annotation) : std::nullopt;
    std::string constructor = p.spell("htp_tile", "Tile"), more;
    if (was && c.is(s->annotation, HTP_Subscript)) {
      constructor = c.show(c.get<ast::Subscript>(s->annotation).value());
      if (was->layout) more += ", " + c.show(was->layout);
      if (was->space) more += ", " + c.show(was->space);
    }
    const std::string name = values_.name(step.results[0]);
    say(name + ": " + constructor + "[" + element + extents + more + "] = " + spelled("alloc") + "(" + element +
            extents + ")",
        op, out);
  }

  void opaque(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const std::string name = op.name.substr(4);
    const bool elementwise = intrinsic_named(name) != nullptr;
    if (!elementwise && name != "get" && name != "order" && name != "index" && name != "splat" && name != "position" &&
        name != "holds")
      refuse(op, diag::no_python, op.name);
    if (step.results.size() > 1 || step.results.empty() != (name == "order")) malformed(op);
    std::vector<std::string> keywords;
    std::vector<std::string> arguments;
    if (const auto at = op.attributes.find("htp.keywords"); at != op.attributes.end()) {
      const auto read = strings_of(at->second);
      if (!read || read->size() > step.operands.size()) refuse(op, diag::bad_attribute, op.name, at->first);
      keywords = *read;
    }
    const size_t positional = step.operands.size() - keywords.size();
    if (name == "index" || name == "splat") arguments.push_back(dtype(op, values_[step.results[0]].type));
    const bool whole = elementwise || name == "position" || name == "holds";
    bool sure_of_dtype = !whole;
    for (const size_t v : step.operands)
      sure_of_dtype |= values_[v].sort == Symbol::Sort::scalar && !values_.inlined(v);
    for (size_t k = 0; k < step.operands.size(); ++k) {
      const size_t v = step.operands[k];
      const std::string one = !sure_of_dtype && k == 0 ? sure(op, v, out) : text(v);
      arguments.push_back(k < positional ? one : keywords[k - positional] + "=" + one);
    }
    if (name == "cast") arguments.push_back(dtype(op, values_[step.results[0]].type));
    for (const auto &[key, value] : op.attributes) {
      if (key == "htp.keywords") continue;
      if (value == "true" || value == "false")
        arguments.push_back(key + "=" + (value == "true" ? "True" : "False"));
      else if (const auto text = string_of(value); text && text->find_first_of("\"\\\n") == std::string::npos)
        arguments.push_back(key + "=\"" + *text + "\"");
      else
        refuse(op, diag::bad_attribute, op.name, key);
    }
    const std::string call = spelled(name) + "(" + joined(arguments) + ")";
    say(step.results.empty() ? call : assignment(op, step.results[0], call), op, out);
  }

  void loop(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const Block &body = step.blocks[0];
    std::vector<Copy> begin, again;
    for (size_t k = 0; k < step.results.size(); ++k) {
      begin.push_back({body.arguments[k + 1], step.operands[k + 3]});
      again.push_back({body.arguments[k + 1], body.steps.back().operands[k]});
    }
    const Node origin = origin_of(op);
    copies(op, begin, out);
    const size_t low = step.operands[0], by = step.operands[2];
    const bool one = values_.is_constant(by) && number(*values_[by].from, "index").i == 1;
    if (values_.is_constant(by) && number(*values_[by].from, "index").i < 1) refuse(op, diag::back_step, op.name);
    std::string range = "range(";
    if (!one || !values_.is_constant(low) || !zero(low)) range += text(low) + ", ";
    range += text(step.operands[1]) + (one ? "" : ", " + text(by)) + ")";
    bool parallel = false;
    const std::string form = form_of(op, range, parallel);
    if (parallel && !step.results.empty()) refuse(op, diag::parallel_results, op.name);
    const Place place = place_of(op);
    const auto was = c.as<ast::For>(place.number ? p.statement(*place.number) : HTP_NONE);
    const bool made_parallel = parallel && !(was && loop_forms(c, p.names(), was.iter()).parallel);
    if (made_parallel) now_parallel_.push_back(place.number.value_or(SIZE_MAX));
    if (parallel && !made_parallel) ++parallel_;
    const std::string variable = values_.name(body.arguments[0]);
    const Node outside = std::exchange(around_, origin);
    std::vector<uint32_t> inside;
    const size_t declared = declared_.size();
    for (const Step &s : body.steps) this->step(s, inside);
    if (!body.steps.empty()) copies(*body.steps.back().operation, again, inside);
    declared_.resize(declared);
    around_ = outside;
    if (made_parallel) now_parallel_.pop_back();
    if (parallel && !made_parallel) --parallel_;
    if (inside.empty()) inside.push_back(c.make(make::Pass{}, origin));
    const Node made = c.make(make::For{.target = c.name(variable, origin, HTP_STORE),
                                       .iter = c.parse(form, origin),
                                       .body = std::move(inside)},
                             origin);
    out.push_back(with_comments(made, origin));
    std::vector<Copy> behind;
    for (size_t k = 0; k < step.results.size(); ++k) behind.push_back({step.results[k], body.arguments[k + 1]});
    copies(op, behind, out);
  }

  // The range within the wrappers of the loop.
  std::string form_of(const Operation &op, const std::string &range, bool &parallel) {
    const Place place = place_of(op);
    const auto was = c.as<ast::For>(place.number ? p.statement(*place.number) : HTP_NONE);
    const std::string before = was ? p.loop_wrappers(was.iter()) : std::string();
    const auto at = op.attributes.find("htp.loop");
    if (at == op.attributes.end()) {
      // A loop over strips has its lanes in it.
      const bool kept = op.attributes.contains("htp.strips") && before == "htp.vectorized(_)";
      if (!before.empty() && !kept) lost_.insert(*place.number);
      return range;
    }
    std::string text = string_of(at->second).value_or("");
    if (!before.empty() && before != text) lost_.insert(*place.number);
    const size_t hole = text.find("(_");
    if (hole == std::string::npos) refuse(op, diag::loop_form, text);
    text.replace(hole + 1, 1, range);
    const Node parsed = c.parse(text, HTP_NONE);
    const LoopForms forms = parsed ? loop_forms(c, p.names(), parsed) : LoopForms{};
    if (forms.wrappers.empty()) refuse(op, diag::loop_form, text);
    parallel = forms.parallel;
    return text;
  }

  void branch(const Step &step, std::vector<uint32_t> &out) {
    const Operation &op = *step.operation;
    const Node origin = origin_of(op);
    // What both sides give is known before them.
    for (const size_t v : step.results)
      if (!is_declared(values_.name(v))) {
        const std::string type = values_[v].sort == Symbol::Sort::scalar ? dtype(op, values_[v].type) : "";
        if (values_[v].sort == Symbol::Sort::memory) refuse(op, diag::chosen_buffer, op.name);
        say(assignment(op, v,
                       type.empty()
                           ? "0"
                           : spelled("splat") + "(" + type + ", " + (type.ends_with("bool_") ? "False" : "0") + ")"),
            op, out);
      }
    const std::string when = condition(op, step.operands[0], out);
    std::vector<uint32_t> sides[2];
    const Node outside = std::exchange(around_, origin);
    for (size_t k = 0; k < 2; ++k) {
      const size_t declared = declared_.size();
      for (const Step &s : step.blocks[k].steps) this->step(s, sides[k]);
      std::vector<Copy> list;
      for (size_t r = 0; r < step.results.size(); ++r)
        list.push_back({step.results[r], step.blocks[k].steps.back().operands[r]});
      if (!list.empty()) copies(*step.blocks[k].steps.back().operation, list, sides[k]);
      declared_.resize(declared);
    }
    around_ = outside;
    if (sides[0].empty() && sides[1].empty()) return;
    if (sides[0].empty()) sides[0].push_back(c.make(make::Pass{}, origin));
    const Node made = c.make(
        make::If{.test = c.parse(when, origin), .body = std::move(sides[0]), .orelse = std::move(sides[1])}, origin);
    out.push_back(with_comments(made, origin));
  }

  // What follows the part reads its results by their names.
  void finish(const Step &step, std::vector<uint32_t> &out) {
    for (size_t k = 0; k < step.operands.size(); ++k) {
      const size_t v = step.operands[k];
      if (!values_.inlined(v) && values_.name(v) == part_.results[k]) continue;
      std::set<std::string> reads;
      for (size_t other = k + 1; other < step.operands.size(); ++other) mentioned(step.operands[other], reads);
      if (reads.contains(part_.results[k])) refuse(*step.operation, diag::swapped_results, step.operation->name);
      const std::string value = text(v);
      const bool literal = values_.is_constant(v) && values_[v].sort == Symbol::Sort::scalar;
      if (values_[v].sort == Symbol::Sort::truth && values_.inlined(v))
        refuse(*step.operation, diag::carried_condition, step.operation->name);
      say(part_.results[k] + " = " +
              (literal ? spelled("splat") + "(" + dtype(*step.operation, values_[v].type) + ", " + value + ")" : value),
          *step.operation, out);
    }
  }

  const Part &part_;
  std::set<size_t> &lost_;
  std::vector<std::string> declared_; // names bound in the blocks around
  std::set<std::string> typed_;
  std::set<Node> commented_;
  Node around_ = HTP_NONE;
  size_t parallel_ = 0, first_ = 0;
  std::vector<size_t> now_parallel_; // loops that a pass made parallel, by the numbers of their statements

public:
  void begin(Node around, size_t parallel) { around_ = around, parallel_ = parallel; }
};

} // namespace

std::vector<uint32_t> statements_of(const Program &p, const Part &part, const Operation &function,
                                    std::set<size_t> &lost) {
  const Values values(p, function, part.inputs, part.results);
  Writing writing(p, part, values, lost);
  writing.begin(part.statements.size() == 1 ? part.statements[0] : p.function(),
                part.statements.empty() ? 0 : p.parallel(p.number(part.statements[0])));
  return writing.run();
}

} // namespace htp::mlir
