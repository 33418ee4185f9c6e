// What the cores do not have at all, whatever stands around it.
#include "analyses/shapes.h"
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/loops.h"

namespace htp::a2a3 {

namespace {

// Says of loops that end by what happens in them that kernels have none: once, whatever stands in them.
bool has_ends(const Context &c, Node function) {
  const size_t errors = c.errors();
  c.each(function, [&](Node n) {
    if (c.is(n, HTP_While)) c.report(diag::while_loop, n);
  });
  return c.errors() == errors;
}

// Says of checked channels that how many items they carry is to be known: cores run processes in an order that is fixed
// when compiling.
bool has_counts(const Context &c, Node root, Node function) {
  const size_t errors = c.errors();
  const Names names(c, root);
  c.each(function, [&](Node n) {
    const std::string called = names.called(n);
    if (called != "htp_csp.channel" && called != "htp_csp.channels") return;
    for (const Node k : c.get<ast::Call>(n).keywords())
      if (auto keyword = c.get<ast::keyword>(k); keyword.arg() == "checked" && c.show(keyword.value()) == "True")
        c.report(diag::checked_channel, k);
  });
  return c.errors() == errors;
}

// Says of loops how they cannot run: an instruction takes all elements of a tile, and what overlaps is an innermost
// loop.
bool has_forms(const Context &c, Node root, Node function) {
  const size_t errors = c.errors();
  const Names names(c, root);
  const sdk::Constants constants(c, root);
  c.each(function, [&](Node n) {
    auto loop = c.as<ast::For>(n);
    if (!loop) return;
    const LoopForms forms = loop_forms(c, names, loop.iter());
    const std::string_view variable = c.name_of(loop.target());
    if (forms.vectorized) c.report(diag::vectorized, loop.iter(), variable);
    if (forms.unrolled) c.report(diag::unrolled, loop.iter(), variable);
    if (!forms.pipelined) return;
    for (const Node w : forms.wrappers)
      for (const Node k : c.get<ast::Call>(w).keywords())
        if (auto depth = c.get<ast::keyword>(k); depth.arg() == "depth" && constants.integer(depth.value()) != 2)
          c.report(diag::pipeline_depth, w, c.show(depth.value()));
    bool inner = false;
    for (const Node s : loop.body()) c.each(s, [&](Node within) { inner |= c.is(within, HTP_For); });
    if (inner) c.report(diag::pipelined_loop, loop.iter(), variable);
  });
  return c.errors() == errors;
}

// Says of tensors what the cores do not have.
bool has_dtypes(const Context &c, Node function) {
  const size_t errors = c.errors();
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    const std::string name(a.arg());
    if (!type || type->dtype == "int" || dtype_named(type->dtype)) continue;
    if (type->form.empty()) c.report(diag::scalar_dtype, n, name, type->dtype).hint("declare it `" + name + ": f32`");
    if (type->form != "Tensor") continue;
    auto report = c.report(diag::tensor_dtype, n, name, type->dtype);
    if (type->dtype == "bool_") report.hint("declare it i32, store `where(mask, 1, 0)`, and load `x[i, :] != 0`");
  }
  return c.errors() == errors;
}

} // namespace

bool is_supported(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  return has_counts(c, root, function) && has_dtypes(c, function) && has_ends(c, function) &&
         has_forms(c, root, function);
}

} // namespace htp::a2a3
