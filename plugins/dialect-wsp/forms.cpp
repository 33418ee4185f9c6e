// parallel, bind, vectorize, unroll, pipeline and double_buffer: how a loop may run.
#include "wsp.h"

#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::wsp {

namespace {

constexpr int64_t most_copies = 64; // of a body that is unrolled

bool already(const Directive &d, const Context &c, const Loop &loop, bool is) {
  if (is) about(d, c.report(diag::bound_twice, d.call, loop.variable, d.name()).label(loop.statement, "here already"));
  return is;
}

// Whether iterations may run in any order; reports what stands against it.
bool independent(Transform &t, const Directive &d, const Loop &loop) {
  if (loop.ordered) {
    Report report = t.c.report(diag::ordered_loop, d.names[0].at, loop.variable, d.name());
    report.label(loop.call, "`seq`: one after the other");
    const auto found = t.dependences(loop.statement);
    if (!found.empty()) explain(report, found.front());
    if (d.via) report.label(d.via, "called here");
    report.hint(found.empty() ? "write `P` instead of `seq` in the workload: the iterations are independent"
                              : "make another loop parallel: this one's iterations depend on each other");
    return false;
  }
  return true; // `P` has been checked
}

template <class... A>
bool not_unrolled(Transform &t, const Directive &d, const Loop &loop, const DiagKind &row, A... a) {
  about(d, t.c.report(row, d.names[0].at, loop.variable, a...)
               .label(loop.call, "what it runs over")
               .hint("unroll some iterations at a time: `s.unroll(\"" + loop.variable + "\", factor=4)`"));
  return false;
}

} // namespace

bool apply_parallel(Transform &t, const Directive &d) {
  const auto loop = t.loop(d, d.names[0]);
  if (!loop || already(d, t.c, *loop, loop->forms.parallel) || !independent(t, d, *loop)) return false;
  t.wrap(*loop, "htp.parallel");
  return true;
}

bool apply_bind(Transform &t, const Directive &d) {
  const Name &level = d.texts.find("level")->second;
  const auto levels = t.c.hardware_names("levels");
  const bool known = std::find(levels.begin(), levels.end(), level.text) != levels.end();
  if (!known) {
    Report report = t.c.report(diag::unknown_level, level.at, t.c.target(), level.text);
    if (!levels.empty())
      report.hint("it has: " + join(levels, ", ", [](const std::string &n) { return "`" + n + "`"; }));
    if (d.via) report.label(d.via, "called here");
  }
  const auto loop = t.loop(d, d.names[0]);
  if (!loop || already(d, t.c, *loop, loop->forms.parallel) || !independent(t, d, *loop) || !known) return false;
  const std::string_view kind = t.c.hardware(("levels." + level.text + ".kind").c_str());
  if (!kind.empty() && kind != "parallel") {
    Report report = t.c.report(diag::no_iterations, level.at, level.text, t.c.target(), kind);
    if (kind == "vector") report.hint("cut the loop into vectors: `s.vectorize(\"" + loop->variable + "\")`");
    about(d, report);
    return false;
  }
  t.wrap(*loop, "htp.parallel",
         {t.c.make(make::keyword{.arg = "level", .value = t.c.string_node(level.text, level.at)}, level.at)});
  return true;
}

bool apply_unroll(Transform &t, const Directive &d) {
  const auto loop = t.loop(d, d.names[0]);
  if (!loop || already(d, t.c, *loop, loop->forms.unrolled)) return false;
  if (d.numbers.contains("factor")) {
    const auto factor = t.number(d, "factor", 2);
    if (!factor) return false;
    if (*factor > most_copies) return not_unrolled(t, d, *loop, diag::many_copies, *factor, most_copies);
    if (!group(t, d, *loop, *factor)) return false;
    t.wrap(*t.loop(d, d.names[0]), "htp.unrolled");
    return true;
  }
  const auto most = t.most_iterations(*loop);
  if (!most) return not_unrolled(t, d, *loop, diag::not_counted);
  if (*most > most_copies) return not_unrolled(t, d, *loop, diag::many_iterations, *most, most_copies);
  t.wrap(*loop, "htp.unrolled");
  return true;
}

bool apply_vectorize(Transform &t, const Directive &d) {
  const Context &c = t.c;
  const auto loop = t.loop(d, d.names[0]);
  if (!loop || already(d, c, *loop, loop->forms.vectorized) || !independent(t, d, *loop)) return false;
  // The widest of the tensors that it indexes decides how many elements a vector has.
  int64_t lanes = 0;
  bool fine = true;
  c.each(loop->statement, [&](Node n) {
    auto s = c.as<ast::Subscript>(n);
    if (!s || !fine) return;
    const Node one[] = {s.slice()};
    auto tuple = c.as<ast::Tuple>(s.slice());
    const Nodes index = tuple ? tuple.elts() : Nodes(one);
    for (size_t k = 0; k < index.size(); ++k) {
      if (c.name_of(index[k]) != loop->variable) continue;
      if (k + 1 < index.size()) {
        about(d, c.report(diag::not_consecutive, d.names[0].at, loop->variable, c.name_of(s.value()))
                     .label(index[k], "dimension " + std::to_string(k) + " of " + std::to_string(index.size()))
                     .hint("vectorize the loop whose block is the last index"));
        fine = false;
        return;
      }
      const auto type = t.tensor_type(c.name_of(s.value()));
      const std::string_view text = c.hardware(("vector." + (type ? type->dtype : "") + ".lanes").c_str());
      int64_t width = 0;
      std::from_chars(text.data(), text.data() + text.size(), width);
      if (width > 0) lanes = lanes == 0 ? width : std::min(lanes, width);
    }
  });
  if (!fine) return false;
  if (lanes == 0) {
    about(d, c.report(diag::no_vectors, d.names[0].at, c.target(), loop->variable)
                 .label(loop->statement, "what it indexes has no vectors there"));
    return false;
  }
  const auto size = t.size_of(*loop);
  if (size && *size % lanes != 0) {
    about(d, c.report(diag::vector_width, d.names[0].at, loop->variable, *size, lanes)
                 .label(loop->size, "its size")
                 .hint("give it a multiple of " + std::to_string(lanes)));
    return false;
  }
  if (!size || *size != lanes) { // one vector an iteration
    Directive cut = d;
    cut.kind = directive_kind(size ? "split" : "tile");
    cut.sizes = {c.integer_node(lanes, d.call)};
    if (!(size ? apply_split(t, cut) : apply_tile(t, cut))) return false;
  }
  t.wrap(*t.loop(d, d.names[0]), "htp.vectorized");
  return true;
}

bool apply_pipeline(Transform &t, const Directive &d) {
  const auto loop = t.loop(d, d.names[0]);
  if (!loop || already(d, t.c, *loop, loop->forms.pipelined)) return false;
  const auto depth = d.numbers.contains("depth") ? t.number(d, "depth", 2) : std::optional<int64_t>(2);
  if (!depth) return false;
  // What an iteration loads is loaded while the ones before it still run, which must not write it.
  for (const Dependence &dependence : t.dependences(loop->statement)) {
    if (dependence.kind != Dependence::reads_written) continue;
    Report report = t.c.report(diag::not_pipelined, d.names[0].at, loop->variable, dependence.name);
    explain(report, dependence);
    if (d.via) report.label(d.via, "called here");
    return false;
  }
  t.wrap(*loop, "htp.pipelined",
         {t.c.make(make::keyword{.arg = "depth", .value = t.c.integer_node(*depth, d.call)}, d.call)});
  return true;
}

// What users of other systems call two iterations that overlap.
bool apply_double_buffer(Transform &t, const Directive &d) {
  Directive two = d;
  two.numbers["depth"] = t.c.integer_node(2, d.call);
  return apply_pipeline(t, two);
}

} // namespace htp::wsp
