// wsp.apply: the directives, one after the other in the order written, each checked against the workload as those
// before it left it.
#include "wsp.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/suggest.h"

#include <algorithm>

namespace htp::wsp {

// ── what directives are made of ─────────────────────────────────────────────────────────────────────────────────────

namespace {

using Apply = bool (*)(Transform &, const Directive &);
const std::map<std::string_view, Apply> appliers{
#define DIRECTIVE(name, ...) {#name, apply_##name},
#include "directives.def"
#undef DIRECTIVE
};

// The loops a directive would have made, so that those after a refused one are not refused for it.
void note_missing(const Directive &d, std::set<std::string> &missing) {
  for (const Name &name : d.names)
    for (size_t k = 0; k <= d.sizes.size(); ++k) missing.insert(name.text + "_" + std::to_string(k));
  for (const auto &[keyword, callee] : d.texts) missing.insert(callee.text);
}

} // namespace

bool Transform::apply(const Directive &d) {
  const Node before = workload;
  const size_t errors = c.errors();
  if (appliers.at(d.name())(*this, d) && c.errors() == errors) return true;
  workload = before;
  note_missing(d, missing_);
  return false;
}

std::optional<Loop> Transform::loop(const Directive &d, const Name &name) const {
  const auto all = loops();
  const std::string_view workload_name = c.get<ast::FunctionDef>(workload).name();
  const auto named = std::count_if(all.begin(), all.end(), [&](const Loop &l) { return l.variable == name.text; });
  if (named == 1) return *find_loop(all, name.text);
  if (named > 1) {
    about(d, c.report(diag::ambiguous_loop, name.at, workload_name, name.text));
  } else if (!missing_.contains(name.text) || !c.errors()) {
    std::vector<std::string> known;
    for (const Loop &l : all) known.push_back(l.variable);
    const std::string near = nearest(name.text, known);
    Report report = c.report(diag::unknown_loop, name.at, workload_name, name.text);
    report.hint(near.empty() ? known.empty()
                                   ? "it has no loops over `P` or `seq`"
                                   : "it has: " + join(known, ", ", [](const std::string &n) { return "`" + n + "`"; })
                             : "did you mean `" + near + "`?");
    offer(c, report, name, near);
    about(d, report);
  }
  return std::nullopt;
}

std::optional<int64_t> Transform::size_of(const Loop &loop) const {
  return loop.size ? constants.integer(loop.size) : std::nullopt;
}

int64_t Transform::depth_of(const Loop &loop) const {
  int64_t depth = 0;
  for (const Node w : loop.forms.wrappers)
    for (const Node n : c.get<ast::Call>(w).keywords())
      if (auto keyword = c.get<ast::keyword>(n); keyword.arg() == "depth")
        depth = constants.integer(keyword.value()).value_or(0);
  return depth;
}

std::optional<int64_t> Transform::most_iterations(const Loop &loop) const {
  const auto size = size_of(loop);
  auto whole = constants.integer(loop.extent);
  if (!whole) {
    const auto all = loops();
    if (const Loop *outer = find_loop(all, c.name_of(loop.extent))) whole = size_of(*outer);
  }
  if (!size || !whole || *size < 1) return std::nullopt;
  return (*whole + *size - 1) / *size;
}

std::vector<int64_t> Transform::sizes(const Directive &d) const {
  std::vector<int64_t> sizes;
  for (const Node n : d.sizes) {
    const auto size = constants.integer(n);
    if (!size || *size < 1) return about(d, c.report(diag::bad_size, n, c.show(n))), std::vector<int64_t>{};
    if (!sizes.empty() && *size > sizes.back())
      return about(d, c.report(diag::growing_size, n, sizes.back(), *size)), std::vector<int64_t>{};
    sizes.push_back(*size);
  }
  return sizes;
}

std::optional<int64_t> Transform::number(const Directive &d, std::string_view keyword, int64_t least) const {
  const Node n = d.numbers.find(keyword)->second;
  const auto value = constants.integer(n);
  if (value && *value >= least) return value;
  about(d, c.report(diag::bad_number, n, keyword, least, c.show(n))
               .hint("write an int of " + std::to_string(least) + " or more, or a constant of the module"));
  return std::nullopt;
}

std::map<std::string, Node> Transform::bound() const {
  std::map<std::string, Node> result;
  c.each(workload, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) result.try_emplace(std::string(name.id()), n);
    if (auto a = c.as<ast::arg>(n)) result.try_emplace(std::string(a.arg()), n);
  });
  return result;
}

std::string Transform::free_name(const std::string &stem) const {
  std::set<std::string> taken;
  c.each(root, [&](Node n) {
    if (auto name = c.as<ast::Name>(n)) taken.emplace(name.id());
    if (auto f = c.as<ast::FunctionDef>(n)) taken.emplace(f.name());
  });
  for (const auto &[name, at] : bound()) taken.insert(name);
  for (const auto &[name, of] : names.imports()) taken.insert(name);
  std::string name = stem;
  for (unsigned k = 1; taken.contains(name); ++k) name = stem + "_" + std::to_string(k);
  return name;
}

void Transform::replace(Node statement, const std::vector<uint32_t> &by) {
  workload = rewrite(
      c, workload, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        if (s != statement) return false;
        to.insert(to.end(), by.begin(), by.end());
        return true;
      });
}

std::vector<Dependence> Transform::dependences(Node loop) const {
  std::vector<Dependence> found;
  for (const Race &race : find_races(c, names, root, workload, loop, {"htp_wsp.P", "htp_wsp.seq", "htp_tile.tiles"}))
    found.push_back(race);
  return found;
}

void Transform::wrap(const Loop &loop, std::string_view form, std::vector<uint32_t> keywords) {
  auto f = c.read<ast::For>(loop.statement);
  f.iter = c.call(form, {f.iter}, loop.call, std::move(keywords));
  replace(loop.statement, {c.with(loop.statement, f)});
}

void offer(const Context &c, Report &report, const Name &name, const std::string &instead) {
  std::string_view literal;
  if (std::min(instead.size(), name.text.size()) > 2 && c.string(name.at, &literal) && literal == name.text)
    report.fix(name.at, "\"" + instead + "\"", "use `" + instead + "`");
}

void explain(Report &report, const Dependence &d) {
  static constexpr std::pair<const char *, const char *> phrases[] = {
      {"bound here", "read here, before this iteration binds it"},
      {"bound here", "read here, behind the loop"},
      {"written here", "and here"},
      {"written here", "read here"},
  };
  const auto &[from, at] = phrases[d.kind];
  if (d.from != d.at) report.label(d.from, from);
  report.label(d.at, d.from == d.at ? from : at);
}

// How the program calls `seq` where it calls `P` so; empty when it does not import it.
static std::string spelled_seq(const Context &c, const Names &names, Node p) {
  const std::string dotted = c.dotted(p);
  if (const size_t dot = dotted.rfind('.'); dot != std::string::npos) return dotted.substr(0, dot + 1) + "seq";
  for (const auto &[local, qualified] : names.imports())
    if (qualified == "htp_wsp.seq") return local;
  return {};
}

void check_promises(const Context &c, const Names &names, Node root, Node workload) {
  static constexpr const DiagKind *kinds[] = {&diag::carried, &diag::escapes, &diag::same_element,
                                              &diag::reads_written};
  for (const Loop &loop : loops_of(c, names, workload)) {
    if (loop.ordered) continue;
    for (const Race &d :
         find_races(c, names, root, workload, loop.statement, {"htp_wsp.P", "htp_wsp.seq", "htp_tile.tiles"})) {
      Report report = c.report(*kinds[d.kind], loop.statement, loop.variable, d.name);
      explain(report, d);
      if (d.kind == Dependence::carried && loop.forms.wrappers.empty())
        if (const std::string seq = spelled_seq(c, names, c.get<ast::Call>(loop.call).func()); !seq.empty())
          report.fix(c.get<ast::Call>(loop.call).func(), seq, "run it in order");
    }
  }
}

// ── the pass and the check ──────────────────────────────────────────────────────────────────────────────────────────

namespace {

bool has_size(const Context &c, const Constants &constants, const Loop &loop) {
  const Node size = c.get<ast::Call>(loop.call).args().size() > 2 ? c.get<ast::Call>(loop.call).args()[2] : loop.size;
  if (!size || constants.integer(size)) return true;
  const std::string callee = last_component(c.dotted(c.get<ast::Call>(loop.call).func()));
  c.report(diag::bad_size, size, c.show(size))
      .hint("`" + callee + "(extent, size)` has blocks of a size; `" + callee + "(low, high)` and `" + callee +
            "(low, high, size)` run over a range, whose end is made of dims and ints");
  return false;
}

bool well_formed(const Context &c, const Constants &constants, const Loop &loop) {
  auto call = c.get<ast::Call>(loop.call);
  if (!loop.variable.empty() && call.keywords().empty() && !call.args().empty() && call.args().size() <= 3 &&
      c.get<ast::For>(loop.statement).orelse().empty())
    return has_size(c, constants, loop);
  const std::string text = c.show(loop.statement);
  c.report(diag::bad_loop, loop.statement, text.substr(0, text.find(':')));
  return false;
}

// What depends on the blocks that a loop has keeps them.
void keeps_sizes(const Transform &t, const Directive &d, std::vector<Loop> &meant) {
  if (d.name() == "fuse") return; // of the same blocks, under one name
  const auto now = t.loops();
  std::erase_if(meant, [&](const Loop &loop) {
    const Loop *left = find_loop(now, loop.variable);
    if (left && t.size_of(*left) == t.size_of(loop) && t.c.show(left->extent) == t.c.show(loop.extent)) return false;
    about(d, t.c.report(diag::size_meant, d.call, loop.variable)
                 .label(loop.size, "the size that the program means")
                 .hint("leave its blocks as they are, or make the result independent of their size"));
    return true;
  });
}

} // namespace

Node applied(const Context &c, Node root, const Program &p) {
  if (const Node plain = without_ranges(c, p.names, root, p.workload); plain != p.workload) {
    Program now = p;
    now.workload = plain;
    return applied(c, with_statement(c, root, p.workload, plain), now);
  }
  const Constants constants(c, root);
  for (const Loop &loop : loops_of(c, p.names, p.workload)) well_formed(c, constants, loop);
  if (c.errors()) return HTP_NONE;
  check_promises(c, p.names, root, p.workload);
  const bool open = depends_on_size(c, p, root, HTP_NONE);
  std::vector<Loop> meant; // with a size that the program means
  for (const Loop &loop : loops_of(c, p.names, p.workload))
    if (!open && loop.size && depends_on_size(c, p, root, loop.statement)) meant.push_back(loop);
  Transform t(c, p.names, root, p.workload);
  for (const Directive &d : p.directives)
    if (t.apply(d)) keeps_sizes(t, d, meant);
  if (open && !c.errors()) check_own_blocks(c, p, root);
  return c.errors() ? HTP_NONE : t.imports.apply(with_statement(c, root, p.workload, t.workload));
}

namespace {

// The schedule without its directives, as one of the workload itself.
Node emptied(const Context &c, const Program &p) {
  auto f = c.read<ast::FunctionDef>(p.schedule);
  auto first = c.as<ast::Expr>(f.body[0]);
  std::string_view doc;
  if (first && c.string(first.value(), &doc))
    f.body.resize(1);
  else
    f.body = {c.make(make::Pass{}, p.schedule)};
  const Node of = scheduled(c, p.names, p.schedule);
  for (uint32_t &d : f.decorator_list) {
    if (p.names.called(d) != "htp_wsp.schedule") continue;
    const Node name[] = {c.name(c.get<ast::FunctionDef>(p.workload).name(), of)};
    if (c.name_of(of) != c.name_of(name[0])) d = with_list(c, d, HTP_FIELD(Call, args), name);
  }
  return c.with(p.schedule, f);
}

} // namespace

namespace {

// What is asked to be loaded meanwhile, where nothing can load it.
void tell_of_engines(const Context &c, const Program &p) {
  if (c.hardware("copies.engines") != "0") return;
  std::set<std::string> reported;
  for (const Directive &d : p.directives) {
    if (d.name() != "pipeline" && d.name() != "double_buffer" && d.name() != "prefetch") continue;
    const std::string &loop = d.name() == "prefetch" ? d.texts.find("at")->second.text : d.names[0].text;
    if (reported.insert(loop).second)
      about(d, c.report(diag::no_engine, d.call, c.target(), loop)
                   .hint(std::string("leave it for targets that copy meanwhile") +
                         (d.name() == "prefetch" ? "; here `cache` does as much" : "")));
  }
}

} // namespace

Result check(const Context &c, Node root) {
  const Program p = read_program(c, root, true);
  if (p.workload) applied(c, root, p);
  return c.result();
}

Result apply(const Context &c, Node root, Node &out) {
  const Program p = read_program(c, root, true); // an edited stage is checked like a program
  if (!p.workload) return c.report(diag::not_workload, c.entry_function(root), c.entry()), HTP_FAILED;
  const Node module_now = applied(c, root, p);
  if (!module_now || c.errors()) return HTP_FAILED;
  tell_of_engines(c, p);
  if (!p.passed_over.empty())
    c.report(diag::unscheduled, p.workload, c.entry(),
             join(p.passed_over, ", ", [](const std::string &s) { return "`" + s + "`"; }))
        .hint("choose one: `--entry " + p.passed_over[0] + "`");
  auto module = c.read<ast::Module>(module_now);
  std::vector<uint32_t> body;
  for (const Node s : module.body) {
    if (s == p.schedule)
      body.push_back(emptied(c, p));
    else if (!scheduled(c, p.names, s) && !is_combination(c, p.names, s)) // they speak of loops there were
      body.push_back(s);
  }
  module.body = body;
  out = c.with(module_now, module);
  return c.result();
}

} // namespace htp::wsp
