// The entry of a program: what is imported, the types of its parameters, what its tensors hold in the end.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

Reading Reader::run(Nodes body, std::string_view entry) {
  State state;
  s = &state;
  module(body);
  auto found = globals_.find(entry);
  if (found == globals_.end() || !found->second.function) fail(HTP_NONE, "the entry is not a function");
  Node function = found->second.function;
  // A schedule never changes what its workload computes.
  for (const Node d : c.get<ast::FunctionDef>(function).decorator_list()) {
    const auto call = c.as<ast::Call>(d);
    if (!call || symbol_of(call.func()) != "htp_wsp.schedule" || call.args().size() != 1) continue;
    const auto workload = globals_.find(c.name_of(call.args()[0]));
    if (workload == globals_.end() || !workload->second.function) fail(d, "a schedule of what is not known here");
    function = workload->second.function;
  }
  const auto f = c.get<ast::FunctionDef>(function);
  for (const Node d : f.decorator_list()) {
    const std::string name = symbol_of(d);
    if (name == "htp_tile.kernel") continue;
    const std::string called = c.is(d, HTP_Call) ? symbol_of(c.get<ast::Call>(d).func()) : name;
    if (called == "htp_csp.pipeline" && c.is(d, HTP_Call)) reading_ends_ = c.show(d);
    if (called != "htp_csp.pipeline" && called != "htp_wsp.workload")
      fail(d, "the entry is not a kernel or pipeline: `" + c.show(d) + "`");
  }
  const auto arguments = c.get<ast::arguments>(f.args());
  if (arguments.vararg() || arguments.kwarg() || !arguments.kwonlyargs().empty() || !arguments.posonlyargs().empty())
    fail(function, "the entry has parameters of another kind");
  Reading reading;
  std::vector<int> memories;
  for (const Node a : arguments.args()) {
    const auto arg = c.get<ast::arg>(a);
    Parameter p{std::string(arg.arg()), 0, 0};
    if (!arg.annotation()) fail(a, "a parameter has no type");
    p.annotation = annotation(arg.annotation());
    Value v;
    const Type type = type_of_annotation(p.annotation);
    if (type.known()) {
      v.memory = make_memory(p.name, type, t.make(Op::argument, p.name, {}));
      t.type(s->holds[static_cast<size_t>(v.memory)], type);
    } else if (t.at(p.annotation).op == Op::symbol && t.at(p.annotation).tag == "int") {
      v.term = t.symbol("dim argument " + p.name);
    } else if (t.at(p.annotation).op == Op::symbol) { // a scalar: a tensor of one element
      std::string dtype = t.at(p.annotation).tag;
      if (!dtype.starts_with("htp.")) fail(a, "a parameter of a type that has no meaning here");
      const Type scalar{dtype.substr(4), {t.integer(1)}};
      v.memory = make_memory(p.name, scalar, t.make(Op::argument, p.name, {}));
      t.type(s->holds[static_cast<size_t>(v.memory)], scalar);
      scalars_.insert(v.memory);
    } else {
      fail(a, "a parameter of a type that has no meaning here: " + t.show(p.annotation));
    }
    s->names[p.name] = v;
    memories.push_back(v.memory);
    reading.parameters.push_back(p);
  }
  block(f.body());
  merge_processes();
  for (size_t k = 0; k < memories.size(); ++k)
    if (memories[k] >= 0) reading.parameters[k].holds = s->holds[static_cast<size_t>(memories[k])];
  reading.observed = observed_;
  reading.ends = reading_ends_;
  reading.device = device_;
  reading.streams = streams_;
  reading.assumptions = assumptions_;
  reading.beyond = beyond_;
  reading.apart = apart_;
  return reading;
}

void Reader::module(Nodes body) {
  for (const Node n : body) {
    if (const auto i = c.as<ast::Import>(n)) {
      for (const Node a : i.names()) {
        const auto alias = c.get<ast::alias>(a);
        const std::string name(alias.asname().empty() ? alias.name() : alias.asname());
        globals_[name] = value(t.symbol(std::string(alias.name())));
      }
    } else if (const auto from = c.as<ast::ImportFrom>(n)) {
      for (const Node a : from.names()) {
        const auto alias = c.get<ast::alias>(a);
        const std::string name(alias.asname().empty() ? alias.name() : alias.asname());
        globals_[name] = value(t.symbol(std::string(from.module()) + "." + std::string(alias.name())));
      }
    } else if (const auto f = c.as<ast::FunctionDef>(n)) {
      globals_[std::string(f.name())] = {0, -1, n};
    } else if (const auto a = c.as<ast::Assign>(n)) {
      if (a.targets().size() != 1 || !c.is(a.targets()[0], HTP_Name)) continue;
      const std::string name(c.name_of(a.targets()[0]));
      try {
        globals_[name] = evaluate(a.value());
      } catch (const NotShown &) {
        globals_.erase(name); // whoever uses it has no meaning for it
      }
    } else if (const auto a = c.as<ast::AnnAssign>(n)) {
      if (!a.value() || !c.is(a.target(), HTP_Name)) continue;
      try {
        globals_[std::string(c.name_of(a.target()))] = evaluate(a.value());
      } catch (const NotShown &) {
        globals_.erase(std::string(c.name_of(a.target())));
      }
    }
  }
}

Term Reader::annotation(Node n) {
  if (const auto sub = c.as<ast::Subscript>(n)) {
    std::vector<Term> args{annotation(sub.value())};
    if (const auto tuple = c.as<ast::Tuple>(sub.slice())) {
      for (const Node e : tuple.elts()) args.push_back(annotation(e));
    } else {
      args.push_back(annotation(sub.slice()));
    }
    return t.make(Op::tuple, "type", std::move(args));
  }
  if (const std::string name = symbol_of(n); !name.empty()) return t.symbol(name);
  if (const auto call = c.as<ast::Call>(n))
    if (const std::string name = symbol_of(call.func()); name.starts_with("htp.layout") || name == "htp.space") {
      std::vector<Term> args{t.symbol(name)};
      for (const Node a : call.args()) args.push_back(annotation(a));
      for (const Node k : call.keywords())
        args.push_back(
            t.make(Op::tuple, std::string(c.get<ast::keyword>(k).arg()), {annotation(c.get<ast::keyword>(k).value())}));
      return t.make(Op::tuple, "call", std::move(args));
    }
  if (const auto tuple = c.as<ast::Tuple>(n)) {
    std::vector<Term> args;
    for (const Node e : tuple.elts()) args.push_back(annotation(e));
    return t.make(Op::tuple, "", std::move(args));
  }
  return term(n);
}

Type Reader::type_of_annotation(Term a) {
  const TermNode n = t.at(a);
  if (n.op != Op::tuple || n.args.size() < 2 || !t.is(n.args[0], Op::symbol)) return {};
  const std::string head = t.at(n.args[0]).tag;
  if (head == "htp.In" || head == "htp.Out" || head == "htp.InOut") return type_of_annotation(n.args[1]);
  if (head != "htp_tile.Tensor" && head != "htp_tile.Tile") return {};
  if (!t.is(n.args[1], Op::symbol) || !t.at(n.args[1]).tag.starts_with("htp.")) return {};
  Type type{t.at(n.args[1]).tag.substr(4), {}};
  for (size_t k = 2; k < n.args.size(); ++k) {
    if (t.is(n.args[k], Op::block))
      type.extents.push_back(t.at(n.args[k]).args[1]);
    else if (t.is_int(n.args[k]))
      type.extents.push_back(n.args[k]);
  }
  return type;
}

Reading read(const Context &c, Nodes body, std::string_view entry, Terms &terms, Streams streams, bool &moves) {
  return Reader(c, terms, streams, moves).run(body, entry);
}

} // namespace htp::validator
