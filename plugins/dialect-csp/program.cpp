// program.cpp — the declarations in a pipeline's body.
#include "flatten.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::csp {

namespace {

// The decorator of that name; 0 when there is none.
Node decorated(const Context &c, const Names &names, Node function, std::string_view path) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return HTP_NONE;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == path || names.called(d) == path) return d;
  return HTP_NONE;
}

constexpr int64_t most_positions = 65536; // of a grid or an array: each is an instance or a channel

// `4` or `(4, 4)`
bool extents(const Context &c, const Constants &constants, Node n, std::vector<int64_t> &into) {
  auto tuple = c.as<ast::Tuple>(n);
  const Nodes each = tuple ? tuple.elts() : Nodes(&n, 1);
  for (const Node e : each) {
    const auto value = constants.integer(e);
    if (!value || *value < 1) return c.report(diag::bad_number, e, "an extent", 1, c.show(e)), false;
    into.push_back(*value);
  }
  return position_count(into) <= most_positions ||
         (c.report(diag::many_positions, n, c.show(n), most_positions), false);
}

class Reading {
public:
  Reading(const Context &context, Node root)
      : c(context), root_(root), p_{Names(context, root), Constants(context, root)} {
    p_.dims = dims_of(c, p_.names, root);
  }

  Program read(Node function) {
    const Node mark = decorated(c, p_.names, function, "htp_csp.pipeline");
    if (!mark || decorated(c, p_.names, function, "htp_tile.kernel")) return std::move(p_); // lowered: a kernel by now
    p_.function = function;
    if (auto call = c.as<ast::Call>(mark))
      for (const Node n : call.keywords()) {
        auto keyword = c.get<ast::keyword>(n);
        const std::string value = c.show(keyword.value());
        if (keyword.arg() == "checked" && (value == "True" || value == "False"))
          p_.checked = value == "True";
        else
          c.report(diag::bad_pipeline, n);
      }
    for (const Node s : c.get<ast::FunctionDef>(function).body()) statement(s);
    return std::move(p_);
  }

private:
  void statement(Node s) {
    if (decorated(c, p_.names, s, "htp_csp.process")) {
      if (auto made = read_process(c, p_.names, p_.constants, s)) p_.processes.push_back(std::move(*made));
      return;
    }
    if (pipeline_call(c, p_.names, root_, s)) return; // csp.flatten has its processes stand here
    if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) return; // a docstring
    if (c.is(s, HTP_Pass)) return;
    auto e = c.as<ast::Expr>(s);
    auto call = e ? c.as<ast::Call>(e.value()) : ast::Call{};
    const Node callee = call ? c.function(root_, c.name_of(call.func())) : HTP_NONE;
    if (const Node of = callee ? scheduled(c, p_.names, callee) : HTP_NONE)
      return void(c.report(diag::called_schedule, s, c.name_of(call.func()))
                      .hint("call `" + c.show(of) + "`, and let a schedule of the caller name its processes"));
    auto a = c.as<ast::Assign>(s);
    const std::string intrinsic = a && a.targets().size() == 1 ? p_.names.called(a.value()) : std::string();
    if (intrinsic == "htp_csp.channel" || intrinsic == "htp_csp.channels" || intrinsic == "htp_csp.event")
      return channel(a.targets()[0], a.value(), intrinsic.substr(8));
    auto report = c.report(diag::no_declaration, s);
    bool events = false;
    if (a) c.each(a.value(), [&](Node n) { events = events || p_.names.called(n) == "htp_csp.event"; });
    if (events)
      report.hint("each event is declared by itself: `done = event()`");
    else if (c.is(s, HTP_FunctionDef))
      report.hint("mark it with `@process`, or let it stand outside of the pipeline, for processes to call");
    else if (intrinsic == "htp_tile.buffer")
      report.hint("a buffer is one process's own: pass its tiles to others through a channel, or let the pipeline have "
                  "an `InOut` tensor, which one process hands over to another at an event");
  }

  void channel(Node target, Node call, std::string_view kind) {
    ChannelDeclaration made{.name = std::string(c.name_of(target)), .call = call};
    if (made.name.empty()) return void(c.report(diag::no_declaration, target));
    auto k = c.get<ast::Call>(call);
    Nodes arguments = k.args();
    if (kind == "channels") {
      if (arguments.empty()) return void(c.report(diag::bad_channel, call, kind));
      if (!extents(c, p_.constants, arguments[0], made.array)) return;
      arguments = arguments.subspan(1);
    }
    if (kind != "event") {
      if (arguments.empty()) return void(c.report(diag::bad_channel, call, kind));
      made.dtype = arguments[0];
      made.extents.assign(arguments.begin() + 1, arguments.end());
      made.capacity = -1;
    }
    for (const Node n : k.keywords()) {
      auto keyword = c.get<ast::keyword>(n);
      const bool capacity = keyword.arg() == "capacity" && kind != "event",
                 readers = keyword.arg() == "readers" && kind != "channels";
      if (const std::string truth = c.show(keyword.value());
          keyword.arg() == "checked" && kind != "event" && (truth == "True" || truth == "False")) {
        made.checked = truth == "True";
        continue;
      }
      const auto value = p_.constants.integer(keyword.value());
      if (!capacity && !readers) {
        auto report = c.report(diag::bad_channel, n, kind);
        if (keyword.arg() == "readers")
          report.hint(
              "a broadcast is declared by itself, `rows = channel(f32, 8, N, capacity=2, readers=2)`: an array has one "
              "reader for each channel");
        else if (kind == "event")
          report.hint("an event holds nothing: write `event()`, or `event(readers=2)`");
        return;
      }
      if (!value || *value < (capacity ? 0 : 1))
        return void(c.report(diag::bad_number, keyword.value(), "`" + std::string(keyword.arg()) + "`",
                             capacity ? 0 : 1, c.show(keyword.value())));
      (capacity ? made.capacity : made.readers) = *value;
    }
    if (made.capacity < 0)
      return void(c.report(diag::bad_channel, call, kind).hint("say how many items it holds: `capacity=2`"));
    for (const Node extent : made.extents)
      if (made.checked && p_.names.called(extent) == "htp_tile.tiles")
        return void(c.report(diag::checked_blocks, extent, made.name, c.show(extent)));
    p_.channels.push_back(std::move(made));
  }

  const Context &c;
  const Node root_;
  Program p_;
};

} // namespace

std::optional<ProcessDeclaration> read_process(const Context &c, const Names &names, const Constants &constants,
                                               Node function) {
  const Node mark = decorated(c, names, function, "htp_csp.process");
  if (!mark) return std::nullopt;
  auto f = c.get<ast::FunctionDef>(function);
  ProcessDeclaration made{.name = std::string(f.name()), .function = function};
  if (auto call = c.as<ast::Call>(mark)) {
    for (const Node n : call.args()) return c.report(diag::bad_process, n), std::nullopt;
    for (const Node n : call.keywords()) {
      auto keyword = c.get<ast::keyword>(n);
      if (keyword.arg() == "grid") {
        if (!extents(c, constants, keyword.value(), made.grid)) return std::nullopt;
      } else if (auto tuple = c.as<ast::Tuple>(keyword.value()); tuple && keyword.arg() == "args") {
        made.gives = true;
        made.arguments.assign(tuple.elts().begin(), tuple.elts().end());
      } else {
        return c.report(diag::bad_process, n), std::nullopt;
      }
    }
  }
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  for (size_t k = 0;
       k < parameters.size() && k < parameters.size() - std::min(parameters.size(), made.arguments.size()); ++k)
    made.indices.emplace_back(c.get<ast::arg>(parameters[k]).arg());
  // What is counted of moves goes by the indices as they are given.
  Node bound = HTP_NONE;
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      auto name = c.as<ast::Name>(n);
      if (!bound && name && name.ctx() == HTP_STORE &&
          std::find(made.indices.begin(), made.indices.end(), name.id()) != made.indices.end())
        bound = n;
    });
  if (bound) return c.report(diag::index_bound, bound, c.name_of(bound), made.name), std::nullopt;
  if (parameters.size() == made.grid.size() + made.arguments.size()) return made;
  auto report = c.report(diag::grid_parameters, function, made.name, parameters.size(), made.grid.size());
  if (made.gives) report.note("`args=` gives it " + std::to_string(made.arguments.size()));
  return std::nullopt;
}

Node with_grid(const Context &c, Node mark, const std::vector<int64_t> &grid) {
  make::Call call;
  if (c.is(mark, HTP_Call))
    call = c.read<ast::Call>(mark);
  else
    call.func = mark;
  if (grid.empty()) return call.func;
  std::vector<uint32_t> extents;
  for (const int64_t extent : grid) extents.push_back(c.integer_node(extent, mark));
  const Node value =
      grid.size() == 1 ? Node{extents[0]} : c.make(make::Tuple{.elts = std::move(extents), .ctx = HTP_LOAD}, mark);
  call.keywords = {c.make(make::keyword{.arg = "grid", .value = value}, mark)};
  return c.is(mark, HTP_Call) ? c.with(mark, call) : c.make(call, mark);
}

const ChannelDeclaration *Program::channel(std::string_view name) const {
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const ChannelDeclaration &one) { return one.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

bool Program::same_blocks(const Context &c, Node a, Node b) const {
  const Nodes x = c.get<ast::Call>(a).args(), y = c.get<ast::Call>(b).args();
  if (x.size() != 2 || y.size() != 2) return false;
  const auto same = [&](Node one, Node other) {
    const auto m = constants.integer(one), n = constants.integer(other);
    return m && n ? *m == *n : c.show(one) == c.show(other);
  };
  return same(x[0], y[0]) && same(x[1], y[1]);
}

const ProcessDeclaration *Program::process(std::string_view name) const {
  const auto found =
      std::find_if(processes.begin(), processes.end(), [&](const ProcessDeclaration &one) { return one.name == name; });
  return found == processes.end() ? nullptr : &*found;
}

Node scheduled(const Context &c, const Names &names, Node function) {
  const Node mark = decorated(c, names, function, "htp_csp.schedule");
  auto call = c.as<ast::Call>(mark);
  return call && call.args().size() == 1 ? call.args()[0] : HTP_NONE;
}

Program read_pipeline(const Context &c, Node root, Node function) { return Reading(c, root).read(function); }

Program read_program(const Context &c, Node root) {
  const Names names(c, root);
  const Node entry = c.entry_function(root);
  if (const Node of = scheduled(c, names, entry)) {
    Program p = read_pipeline(c, root, c.function(root, c.name_of(of)));
    if (!p.function) c.report(diag::no_pipeline, of, c.show(of));
    p.schedule = entry;
    return p;
  }
  Program p = read_pipeline(c, root, entry);
  std::vector<std::string> schedules;
  for (const Node s : c.get<ast::Module>(root).body())
    if (const Node of = scheduled(c, names, s); of && p.function && c.name_of(of) == c.entry()) {
      p.schedule = s;
      schedules.emplace_back(c.get<ast::FunctionDef>(s).name());
    }
  if (schedules.size() > 1)
    c.report(diag::which_schedule, entry, c.entry(),
             join(schedules, ", ", [](const std::string &s) { return "`" + s + "`"; }))
        .hint("choose one: `--entry " + schedules[0] + "`");
  return p;
}

Reference reference(const Context &c, const Program &program, Node n) {
  auto at = c.as<ast::Subscript>(n);
  return {program.channel(c.name_of(at ? at.value() : n)), at ? at.slice() : HTP_NONE};
}

Operation operation(const Context &c, const Program &program, Node n) {
  auto call = c.as<ast::Call>(n);
  auto method = call ? c.as<ast::Attribute>(call.func()) : ast::Attribute{};
  if (!method || (method.attr() != "put" && method.attr() != "get" && method.attr() != "close")) return {};
  Operation found{reference(c, program, method.value()), method.attr() == "put", method.attr() == "close"};
  return found.closes && found.channel && !found.channel->checked ? Operation{} : found;
}

std::set<std::string, std::less<>> bound_in(const Context &c, Node root) {
  std::set<std::string, std::less<>> names;
  c.each(root, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) names.emplace(name.id());
    if (auto a = c.as<ast::arg>(n)) names.emplace(a.arg());
    if (auto f = c.as<ast::FunctionDef>(n)) names.emplace(f.name());
  });
  return names;
}

Node with_names(const Context &c, Node n, const std::map<std::string, std::string, std::less<>> &renamed) {
  if (renamed.empty()) return n;
  std::vector<std::pair<Node, std::string>> arguments;
  n = rewrite(
      c, n,
      [&](Node e) {
        const auto to = renamed.find(c.name_of(e));
        return to == renamed.end() ? e : with_slot(c, e, HTP_FIELD(Name, id), c.intern(to->second));
      },
      [](Node, std::vector<uint32_t> &) { return false; });
  auto a = c.as<ast::arguments>(n);
  if (!a) return n;
  auto list = c.read<ast::arguments>(n);
  for (uint32_t &one : list.args)
    if (const auto to = renamed.find(c.get<ast::arg>(one).arg()); to != renamed.end())
      one = with_slot(c, one, HTP_FIELD(arg, arg), c.intern(to->second));
  return c.with(n, list);
}

Node extent_here(const Context &c, const Program &program, Node extent, Node origin, const std::vector<Node> &loops) {
  if (program.names.called(extent) != "htp_tile.tiles") return copy_of(c, extent, origin);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    auto f = c.get<ast::For>(*loop);
    const Node range = loop_forms(c, program.names, f.iter()).range;
    if (program.names.called(range) == "htp_tile.tiles" && program.same_blocks(c, range, extent))
      return c.name(c.name_of(f.target()), origin);
  }
  return HTP_NONE; // build() refuses it
}

} // namespace htp::csp
