#include "read/program.h"

#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::mlir {

namespace {

// Extents that are numbers stand in the type, the others are known at run time.
std::string memory_type(const Program &p, const Symbol &s) {
  std::string type = type_of_dtype(s.dtype);
  if (type.empty()) return {};
  std::string shape;
  for (const Node e : s.extents) {
    const auto n = p.constants().integer(e);
    shape += (n && *n >= 0 ? std::to_string(*n) : "?") + "x";
  }
  return "memref<" + shape + type + ">";
}

} // namespace

Node module_of(const Context &c, Node statement) {
  for (Node n = c.store()->record_count; n-- > 1;) {
    const auto m = c.as<ast::Module>(n);
    if (!m) continue;
    const Nodes body = m.body();
    if (std::find(body.begin(), body.end(), statement) != body.end()) return n;
  }
  return HTP_NONE;
}

Program::Program(const Context &context, Node function)
    : c(context), function_(function), module_(module_of(context, function)), names_(context, module_),
      constants_(context, module_) {
  for (const std::string &name : dims_of(c, names_, module_)) {
    Symbol dim;
    dim.sort = Symbol::Sort::integer;
    dim.parameter = true;
    declare(name, dim);
  }
  const auto f = c.get<ast::FunctionDef>(function_);
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  for (const Node n : std::vector<Node>(parameters.begin(), parameters.end())) {
    const auto a = c.get<ast::arg>(n);
    Symbol s;
    s.parameter = true;
    s.annotation = a.annotation();
    s.input = direction_of(c, a.annotation()) != "Out" && direction_of(c, a.annotation()) != "InOut";
    if (c.name_of(a.annotation()) == "int") {
      s.sort = Symbol::Sort::integer;
    } else if (const auto type = read_type(c, a.annotation())) {
      s.sort = Symbol::Sort::memory;
      s.dtype = type->dtype;
      if (auto whole = c.as<ast::Subscript>(a.annotation())) {
        Node inner = a.annotation();
        if (!direction_of(c, inner).empty()) inner = whole.slice();
        if (auto tensor = c.as<ast::Subscript>(inner))
          if (auto parts = c.as<ast::Tuple>(tensor.slice()))
            for (const Node e : parts.elts().subspan(1))
              if (s.extents.size() < type->extents.size()) s.extents.push_back(e);
      }
      if (type->form.empty()) s.extents = {c.integer_node(1, n)}; // a scalar, handed over as one element
    }
    declare(a.arg(), s);
  }
  collect(f.body());
}

std::vector<Node> Program::body() const {
  const Nodes all = c.get<ast::FunctionDef>(function_).body();
  std::vector<Node> result(all.begin(), all.end());
  if (auto e = result.empty() ? ast::Expr{&c, HTP_NONE} : c.as<ast::Expr>(result[0]);
      e && c.is(e.value(), HTP_Constant))
    result.erase(result.begin());
  return result;
}

void Program::declare(std::string_view name, Symbol s) {
  if (name.empty()) return;
  s.order = symbols_.size();
  s.statement = statements_.empty() ? 0 : statements_.size() - 1;
  switch (s.sort) {
  case Symbol::Sort::memory: s.type = memory_type(*this, s); break;
  case Symbol::Sort::scalar: s.type = type_of_dtype(s.dtype); break;
  case Symbol::Sort::integer: s.type = "index"; break;
  case Symbol::Sort::truth: s.type = "i1"; break;
  }
  const auto [known, first] = symbols_.emplace(name, s);
  if (first || !s.annotation) return;
  // A name of two types, of two processes for instance, is none that could be told apart.
  const auto extents = [&](const Symbol &x) {
    std::string text;
    for (const Node e : x.extents) text += c.show(e) + ",";
    return text;
  };
  if (known->second.type != s.type || known->second.sort != s.sort || extents(known->second) != extents(s))
    known->second.type.clear();
}

std::string Program::loop_wrappers(Node iter) const {
  const LoopForms forms = loop_forms(c, names_, iter);
  if (forms.wrappers.empty()) return {};
  std::string text = c.show(iter);
  const std::string range = c.show(forms.range);
  return text.replace(text.find(range), range.size(), "_");
}

std::string Program::cpu_intrinsic(Node n) const {
  const auto call = c.as<ast::Call>(n);
  const std::string called = call ? names_.qualified(call.func()) : std::string();
  return called.starts_with("htp_cpu.") ? called.substr(8) : std::string();
}

std::string Program::spell(std::string_view module, std::string_view name) const {
  const std::string whole = std::string(module) + "." + std::string(name);
  if (const std::string local = names_.local(whole); !local.empty()) return local;
  const std::string local = names_.local(module);
  return (local.empty() ? std::string(module) : local) + "." + std::string(name);
}

void Program::bind(std::string_view name, Node annotation, Node value) {
  Symbol s;
  s.annotation = annotation;
  const std::string intrinsic = cpu_intrinsic(value);
  const auto type = annotation ? read_type(c, annotation) : std::nullopt;
  if (intrinsic == "alloc" || intrinsic == "claim" || intrinsic == "front") {
    s.sort = Symbol::Sort::memory;
    s.dtype = type ? type->dtype : std::string();
    const Nodes a = c.get<ast::Call>(value).args();
    if (!a.empty()) s.extents.assign(a.begin() + 1, a.end());
  } else if (type) {
    s.dtype = type->dtype;
  } else {
    s.sort = intrinsic == "holds" ? Symbol::Sort::truth : Symbol::Sort::integer;
  }
  declare(name, std::move(s));
}

void Program::collect(Nodes list) {
  for (const Node s : list) {
    numbers_[s] = statements_.size();
    statements_.push_back(s);
    parallel_.push_back(around_);
    const size_t own = ends_.size();
    ends_.push_back(0);
    if (auto a = c.as<ast::AnnAssign>(s)) {
      bind(c.name_of(a.target()), a.annotation(), a.value());
    } else if (auto b = c.as<ast::Assign>(s)) {
      if (b.targets().size() == 1) bind(c.name_of(b.targets()[0]), HTP_NONE, b.value());
    } else if (auto loop = c.as<ast::For>(s)) {
      Symbol index;
      index.sort = Symbol::Sort::integer;
      declare(c.name_of(loop.target()), index);
      const bool parallel = loop_forms(c, names_, loop.iter()).parallel;
      around_ += parallel;
      collect(loop.body());
      around_ -= parallel;
      collect(loop.orelse());
    } else if (auto branch = c.as<ast::If>(s)) {
      collect(branch.body());
      collect(branch.orelse());
    } else if (auto repeat = c.as<ast::While>(s)) {
      collect(repeat.body());
    } else if (auto part = c.as<ast::FunctionDef>(s)) {
      for (const Node n : c.get<ast::arguments>(part.args()).args()) {
        Symbol place;
        place.sort = Symbol::Sort::integer;
        declare(c.get<ast::arg>(n).arg(), place);
      }
      collect(part.body());
    }
    ends_[own] = statements_.size();
  }
}

std::vector<std::string> Program::ordered(const NameSet &names) const {
  std::vector<std::string> result(names.begin(), names.end());
  std::sort(result.begin(), result.end(), [&](const std::string &a, const std::string &b) {
    return symbols_.find(a)->second.order < symbols_.find(b)->second.order;
  });
  return result;
}

void Program::mentioned(Node n, NameSet &names) const {
  c.each(n, [&](Node x) {
    const auto name = c.name_of(x);
    if (!name.empty() && symbols_.contains(name)) names.emplace(name);
  });
}

NameSet Program::bound(Nodes list) const {
  NameSet result;
  for (const Node s : list)
    c.each(s, [&](Node n) {
      std::string_view name;
      if (auto a = c.as<ast::AnnAssign>(n)) name = c.name_of(a.target());
      if (auto a = c.as<ast::Assign>(n); a && a.targets().size() == 1) name = c.name_of(a.targets()[0]);
      if (const Symbol *known = name.empty() ? nullptr : symbol(name); known && known->sort != Symbol::Sort::memory)
        result.emplace(name);
    });
  return result;
}

NameSet Program::before(Nodes list, NameSet after) const {
  for (size_t k = list.size(); k-- > 0;) after = before(list[k], std::move(after));
  return after;
}

NameSet Program::before(Node s, NameSet after) const {
  if (auto a = c.as<ast::AnnAssign>(s)) {
    after.erase(std::string(c.name_of(a.target())));
    if (a.value()) mentioned(a.value(), after);
  } else if (auto b = c.as<ast::Assign>(s)) {
    if (b.targets().size() == 1) after.erase(std::string(c.name_of(b.targets()[0])));
    mentioned(b.value(), after);
  } else if (auto branch = c.as<ast::If>(s)) {
    NameSet then = before(branch.body(), after);
    then.merge(before(branch.orelse(), std::move(after)));
    mentioned(branch.test(), then);
    return then;
  } else if (auto loop = c.as<ast::For>(s)) {
    NameSet around = after;
    around.merge(before(loop.body(), after));
    NameSet head = before(loop.body(), around);
    head.erase(std::string(c.name_of(loop.target())));
    after.merge(std::move(head));
    mentioned(loop.iter(), after);
  } else {
    mentioned(s, after); // of what has no form in MLIR, all that stands there may be read
  }
  return after;
}

} // namespace htp::mlir
