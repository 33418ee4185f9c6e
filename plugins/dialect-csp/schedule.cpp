// csp.apply: a pipeline with fewer processes. `chain` makes one of two that a channel joins, `bundle` lets instances of
// a grid take turns in one. Each directive is held against the network it leaves: what no longer ends is refused.
#include "check.h"
#include "csp.h"
#include "flatten.h"
#include "merge.h"

#include "htp_cpp/suggest.h"
#include "htp_cpp/types.h"
#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::csp {

namespace {

constexpr int64_t most_together = 64; // instances in one process

std::string ticked(std::string_view text) { return "`" + std::string(text) + "`"; }

// The lines of a schedule; what is none is reported.
std::vector<Directive> directives(const Context &c, const Program &p) {
  std::vector<Directive> found;
  auto f = c.get<ast::FunctionDef>(p.schedule);
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  const std::string_view self = parameters.size() == 1 ? c.get<ast::arg>(parameters[0]).arg() : std::string_view();
  for (const Node s : f.body()) {
    auto e = c.as<ast::Expr>(s);
    if (c.is(s, HTP_Pass) || (e && c.is(e.value(), HTP_Constant))) continue;
    auto call = e ? c.as<ast::Call>(e.value()) : ast::Call{};
    auto method = call ? c.as<ast::Attribute>(call.func()) : ast::Attribute{};
    if (!method || self.empty() || c.name_of(method.value()) != self ||
        (method.attr() != "chain" && method.attr() != "bundle")) {
      const std::string text = c.show(s);
      c.report(diag::not_a_directive, s, text.substr(0, text.find('\n')));
      continue;
    }
    Directive one{.call = call.node, .chains = method.attr() == "chain"};
    bool fits = call.keywords().empty();
    for (size_t k = 0; fits && k < call.args().size(); ++k) {
      const Node argument = call.args()[k];
      std::string_view name;
      if (one.chains || k == 0) {
        fits = c.string(argument, &name);
        one.names.emplace_back(argument, name);
      } else {
        const auto size = p.constants.integer(argument);
        fits = size && *size >= 1;
        one.sizes.push_back(size.value_or(0));
      }
    }
    if (fits && (one.chains ? one.names.size() > 1 : one.names.size() == 1 && !one.sizes.empty()))
      found.push_back(std::move(one));
    else
      c.report(diag::bad_directive, call.node, method.attr());
  }
  return found;
}

class Arranging {
public:
  Arranging(const Context &context, Node root, const Program &program, const NetworkCheck &check)
      : c(context), root_(root), function_(program.function), check_(check),
        imports_(context, root, bound_in(context, program.function)) {
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) taken_.emplace(c.name_of(n));
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg());
      if (auto a = c.as<ast::alias>(n)) taken_.emplace(a.asname().empty() ? a.name() : a.asname());
    });
  }

  bool apply(const Directive &d) {
    const size_t before = c.errors();
    if (d.chains) {
      std::string first = d.names[0].second;
      for (size_t k = 1; k < d.names.size(); ++k) {
        const auto made = chain(d, d.names[k - 1].first, first, d.names[k].first, d.names[k].second);
        if (!made) return false;
        first = *made;
      }
    } else if (!bundle(d)) {
      return false;
    }
    const Program p = program();
    const auto built = build(c, p);
    return built && check_(p, *built, d.call, {}) && c.errors() == before;
  }

  Node function() const { return function_; }
  Node with_imports(Node module) const { return imports_.apply(module); }

private:
  Program program() const { return read_pipeline(c, root_, function_); }

  const ProcessDeclaration *process(const Program &p, Node at, const std::string &name) const {
    if (const ProcessDeclaration *found = p.process(name)) return found;
    std::vector<std::string> names;
    for (const ProcessDeclaration &one : p.processes) names.push_back(one.name);
    const std::string near = nearest(name, names);
    c.report(diag::unknown_process, at, c.get<ast::FunctionDef>(function_).name(), name)
        .hint(near.empty() ? "there are " + join(names, ", ", ticked) : "did you mean `" + near + "`?");
    return nullptr;
  }

  // ── chain ──

  std::optional<std::string> chain(const Directive &d, Node first_at, const std::string &first_name, Node second_at,
                                   const std::string &second_name) {
    const Program p = program();
    const ProcessDeclaration *first = process(p, first_at, first_name);
    const ProcessDeclaration *second = first ? process(p, second_at, second_name) : nullptr;
    if (!second) return std::nullopt;
    if (first == second || first->grid != second->grid) {
      c.report(diag::other_grid, second_at, first_name, second_name)
          .label(first->function, "one of the two")
          .label(second->function, "the other");
      return std::nullopt;
    }
    const auto puts = used(p, *first, true), gets = used(p, *second, false);
    if (std::none_of(puts.begin(), puts.end(), [&](const auto &one) { return gets.contains(one.first); })) {
      c.report(diag::not_joined, d.call, first_name, second_name);
      return std::nullopt;
    }
    for (const auto &[channel, at] : used(p, *first, false))
      if (const auto other = gets.find(channel); other != gets.end()) {
        c.report(diag::both_get, d.call, first_name, second_name, channel)
            .label(at, ticked(first_name) + " gets here")
            .label(other->second, ticked(second_name) + " gets here");
        return std::nullopt;
      }
    auto f = c.read<ast::FunctionDef>(first->function);
    auto g = c.read<ast::FunctionDef>(second->function);
    // Where both are in one instance of a grid its indices are the same.
    std::map<std::string, std::string, std::less<>> renamed;
    std::set<std::string> mentioned;
    for (const Node s : f.body) mention(s, mentioned);
    for (const std::string &local : locals(*second))
      if (mentioned.contains(local)) renamed[local] = free_name(second_name + "_" + local);
    for (size_t k = 0; k < first->indices.size(); ++k) renamed[second->indices[k]] = first->indices[k];
    for (uint32_t &s : g.body) s = with_names(c, s, renamed);
    // And what the second one finds outside of it, the first one may have as a local.
    renamed.clear();
    mentioned.clear();
    for (const Node s : g.body) mention(s, mentioned);
    for (const std::string &local : locals(*first))
      if (mentioned.contains(local)) renamed[local] = free_name(first_name + "_" + local);
    for (uint32_t &s : f.body) s = with_names(c, s, renamed);
    drop_docstring(g.body);
    f.name = free_name(first_name + "_" + second_name);
    f.body = merged(c, p, f.body, g.body, Loops::between, taken_, imports_);
    if (f.body.empty()) f.body = {c.make(make::Pass{}, first->function)};
    const std::string name = f.name;
    replace(first->function, c.with(first->function, f), second->function);
    return name;
  }

  // ── bundle ──

  bool bundle(const Directive &d) {
    const Program p = program();
    const auto &[at, name] = d.names[0];
    const ProcessDeclaration *declared = process(p, at, name);
    if (!declared) return false;
    const int64_t together = position_count(d.sizes);
    bool fits = d.sizes.size() == declared->grid.size() && !declared->grid.empty() && together <= most_together;
    for (size_t k = 0; fits && k < d.sizes.size(); ++k) fits = declared->grid[k] % d.sizes[k] == 0;
    if (!fits) {
      c.report(diag::bundle_size, d.call, name, shape(declared->grid), shape(d.sizes))
          .label(declared->function, "its grid");
      return false;
    }
    for (const auto &[channel, get] : used(p, declared->function, false))
      if (channel->readers > 1 && together > 1) {
        c.report(diag::both_get, d.call, name, name, channel->name).label(get, "each instance gets here");
        return false;
      }
    auto f = c.read<ast::FunctionDef>(declared->function);
    auto rest = f.body;
    drop_docstring(rest);
    const size_t documented = f.body.size() - rest.size();
    std::vector<int64_t> left; // the grid there is now
    std::vector<std::string> indices;
    for (size_t k = 0; k < d.sizes.size(); ++k)
      if (const int64_t instances = declared->grid[k] / d.sizes[k]; instances > 1) {
        left.push_back(instances);
        indices.push_back(declared->indices[k]);
      }
    std::vector<uint32_t> all;
    bool first = true;
    each_position(d.sizes, [&](const std::vector<int64_t> &position) {
      std::vector<uint32_t> instance;
      for (const Node s : rest) instance.push_back(at_position(*declared, d.sizes, position, first ? s : clone(c, s)));
      if (first) {
        all = std::move(instance);
      } else {
        std::map<std::string, std::string, std::less<>> renamed;
        for (const std::string &local : locals(*declared)) renamed[local] = free_name(local + suffix(position));
        for (uint32_t &s : instance) s = with_names(c, s, renamed);
        all = merged(c, p, all, instance, Loops::all, taken_, imports_);
      }
      first = false;
    });
    f.body.resize(documented);
    f.body.insert(f.body.end(), all.begin(), all.end());
    auto parameters = c.read<ast::arguments>(f.args);
    std::erase_if(parameters.args, [&](Node n) {
      return std::find(indices.begin(), indices.end(), c.get<ast::arg>(n).arg()) == indices.end();
    });
    f.args = c.with(f.args, parameters);
    for (uint32_t &mark : f.decorator_list)
      if (p.names.called(mark) == "htp_csp.process") mark = with_grid(c, mark, left);
    replace(declared->function, c.with(declared->function, f), HTP_NONE);
    return true;
  }

  static std::string suffix(const std::vector<int64_t> &position) {
    std::string text;
    for (const int64_t at : position) text += "_" + std::to_string(at);
    return text;
  }
  static std::string shape(const std::vector<int64_t> &extents) {
    return extents.empty() ? "no instances" : join(extents, "×", [](int64_t extent) { return std::to_string(extent); });
  }

  // With the grid's indices as what they are for one of those that take turns.
  Node at_position(const ProcessDeclaration &declared, const std::vector<int64_t> &sizes,
                   const std::vector<int64_t> &position, Node s) {
    return rewrite(
        c, s,
        [&](Node e) {
          for (size_t k = 0; k < position.size(); ++k) {
            if (c.name_of(e) != declared.indices[k] || sizes[k] == 1) continue;
            const Node within = c.integer_node(position[k], e);
            if (declared.grid[k] == sizes[k]) return within;
            const Node begin = c.binary(c.name(declared.indices[k], e), HTP_Mult, c.integer_node(sizes[k], e), e);
            return position[k] == 0 ? begin : c.binary(begin, HTP_Add, within, e);
          }
          return e;
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // ── both ──

  // The channels that a process puts into, or gets from, and where first.
  std::map<const ChannelDeclaration *, Node> used(const Program &p, Node function, bool puts) const {
    std::map<const ChannelDeclaration *, Node> found;
    c.each(function, [&](Node n) {
      if (const Operation one = operation(c, p, n); one.channel && one.puts == puts) found.emplace(one.channel, n);
    });
    return found;
  }

  // The same of the channels of arrays, by name, each of some instance of the grid.
  std::map<std::string, Node> used(const Program &p, const ProcessDeclaration &declared, bool puts) const {
    std::map<std::string, Node> found;
    const auto built = build(c, p);
    if (!built) return found;
    const auto find = [&](const auto &self, const std::vector<Step> &steps) -> void {
      for (const Step &step : steps)
        if (is_loop(step))
          self(self, step.body);
        else if (writes(step) == puts)
          found.emplace(built->network.channels[step.channel].name, built->calls[step.id]);
    };
    for (const Process &process : built->network.processes)
      if (process.name == declared.name || process.name.starts_with(declared.name + "[")) find(find, process.steps);
    return found;
  }

  std::set<std::string, std::less<>> locals(const ProcessDeclaration &declared) const {
    std::set<std::string, std::less<>> found;
    for (const Node s : c.get<ast::FunctionDef>(declared.function).body()) found.merge(bound_in(c, s));
    found.erase("_"); // what is dropped
    for (const std::string &index : declared.indices) found.erase(index);
    return found;
  }

  void mention(Node n, std::set<std::string> &into) const {
    c.each(n, [&](Node e) {
      if (c.is(e, HTP_Name)) into.emplace(c.name_of(e));
    });
  }

  std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  void drop_docstring(std::vector<uint32_t> &body) const {
    auto e = body.empty() ? ast::Expr{} : c.as<ast::Expr>(body[0]);
    if (e && c.is(e.value(), HTP_Constant)) body.erase(body.begin());
  }

  // The pipeline with a process instead of another, or of two; without channels that nobody uses any more.
  void replace(Node old, Node now, Node other) {
    auto f = c.read<ast::FunctionDef>(function_);
    std::erase(f.body, other);
    std::replace(f.body.begin(), f.body.end(), uint32_t{old}, uint32_t{now});
    std::set<std::string> mentioned;
    for (const Node s : f.body)
      if (c.is(s, HTP_FunctionDef)) mention(s, mentioned);
    for (const ChannelDeclaration &declared : program().channels)
      if (!mentioned.contains(declared.name))
        std::erase_if(f.body, [&](Node s) {
          auto a = c.as<ast::Assign>(s);
          return a && a.value() == declared.call;
        });
    function_ = c.with(function_, f);
  }

  const Context &c;
  const Node root_;
  Node function_;
  const NetworkCheck &check_;
  Imports imports_;
  std::set<std::string, std::less<>> taken_;
};

// The module with the schedule applied to the pipeline, under the entry's name; the module itself where there is none,
// 0 after a report, or where `check` ends it.
Node applied(const Context &c, Node root, const Program &p, const NetworkCheck &check) {
  if (!p.schedule) return root;
  if (const auto checked = std::ranges::find(p.channels, true, &ChannelDeclaration::checked);
      checked != p.channels.end()) {
    c.report(diag::checked_schedule, p.schedule, c.get<ast::FunctionDef>(p.schedule).name(), checked->name)
        .label(checked->call, "declared here");
    return HTP_NONE;
  }
  Arranging arranging(c, root, p, check);
  for (const Directive &d : directives(c, p))
    if (!arranging.apply(d)) return HTP_NONE;
  if (c.errors()) return HTP_NONE;
  auto f = c.read<ast::FunctionDef>(arranging.function());
  const std::string name(c.get<ast::FunctionDef>(p.function).name());
  f.name = std::string(c.entry());
  auto m = c.read<ast::Module>(root);
  std::replace(m.body.begin(), m.body.end(), uint32_t{p.function}, uint32_t{c.with(arranging.function(), f)});
  std::erase_if(m.body, [&](Node s) {
    const Node of = scheduled(c, p.names, s);
    return of && c.name_of(of) == name;
  });
  return drop_unused_imports(c, arranging.with_imports(c.with(root, m)),
                             [](std::string_view path) { return path.starts_with("htp_csp"); });
}

// The file and the name of a pipeline, where plain Python runs its processes beside each other: a pipeline that is
// called in a process runs to its end there.
std::string in_plain_python(const Context &c, Node root, const Program &p) {
  bool beside = true;
  for (const ProcessDeclaration &declared : p.processes)
    c.each(declared.function, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const Node callee = call ? c.function(root, c.name_of(call.func())) : HTP_NONE;
      beside = beside && !(callee && is_pipeline_function(c, p.names, callee));
    });
  const uint16_t file = c.record(p.function).file;
  if (!beside || file >= c.store()->file_count) return {};
  return std::string(view(c.store()->files[file].path)) + " " + std::string(c.get<ast::FunctionDef>(p.function).name());
}

// What does not end is reported.
NetworkCheck reporting(const Context &c) {
  return [&c](const Program &p, const Built &built, Node because, const std::string &replayed) {
    check_network(c, p, built, because, replayed);
    return !c.errors();
  };
}

} // namespace

void each_network(const Context &c, Node source, const NetworkCheck &check) {
  const Node whole_tensors = placed(c, source);
  const Node written = whole_tensors ? outlined(c, whole_tensors) : HTP_NONE;
  if (!written) return;
  const Program whole = read_program(c, written);
  if (!whole.function || c.errors()) return;
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(whole.function).args()).args()) {
    auto parameter = c.get<ast::arg>(n);
    auto type = c.as<ast::Subscript>(parameter.annotation());
    const std::string form = type ? whole.names.qualified(type.value()) : std::string();
    if (form == "htp_csp.Channel" || form == "htp_csp.Channels")
      return void(
          c.report(diag::channel_parameter, n, c.get<ast::FunctionDef>(whole.function).name(), parameter.arg()));
  }
  const Node root = flattened(c, written, whole.function);
  if (!root) return;
  const Program p = root == written ? whole : read_program(c, root);
  const std::string replayed = written == whole_tensors ? in_plain_python(c, source, whole) : "";
  const auto built = build(c, p);
  if (built && check(p, *built, HTP_NONE, replayed) && !c.errors()) applied(c, root, p, check);
}

// Whether the pipeline is fit, as it is written and as its schedule has it.
Result check(const Context &c, Node source) {
  each_network(c, source, reporting(c));
  return c.result();
}

Result apply(const Context &c, Node root, Node &out) {
  const Program p = read_program(c, root);
  if (!p.function) return c.report(diag::not_pipeline, c.entry_function(root), c.entry()), HTP_FAILED;
  if (c.errors()) return HTP_FAILED;
  if (const auto built = build(c, p)) check_network(c, p, *built); // an edited stage is checked like a program
  out = c.errors() ? HTP_NONE : applied(c, root, p, reporting(c));
  return c.result();
}

Result flatten(const Context &c, Node root, Node &out) {
  const Program p = read_program(c, root);
  if (!p.function) return c.report(diag::not_pipeline, c.entry_function(root), c.entry()), HTP_FAILED;
  out = c.errors() ? HTP_NONE : flattened(c, root, p.function);
  return c.result();
}

Result is_flat(const Context &c, std::string_view, Node root) {
  const Program p = read_program(c, root);
  if (!p.function) return c.result();
  const Node flat = flattened(c, root, p.function);
  if (flat == root || c.errors()) return c.result();
  c.report(diag::not_flat, p.function, c.get<ast::FunctionDef>(p.function).name());
  return HTP_FAILED;
}

Result is_pipeline(const Context &c, std::string_view, Node root) {
  if (read_program(c, root).function) return c.result();
  c.report(diag::not_pipeline, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

Result is_scheduled(const Context &c, std::string_view, Node root) {
  const Program p = read_program(c, root);
  if (!p.function || !p.schedule) return c.result();
  c.report(diag::directive_left, p.schedule, c.get<ast::FunctionDef>(p.schedule).name());
  return HTP_FAILED;
}

} // namespace htp::csp
