// What the cores do not have at all, whatever stands around it.
#include "analyses/shapes.h"
#include "passes/passes.h"

namespace htp::a2a3 {

namespace {

// Says of loops that end by what happens in them that kernels have none: once, whatever stands in them.
bool has_ends(const Context &c, Node function) {
  const size_t errors = c.errors();
  c.each(function, [&](Node n) {
    if (c.is(n, HTP_While))
      c.report(diag::unsupported_form, n, "a `while` within a kernel")
          .hint("go round a fixed number of times, and keep what is done: `for n in range(8): r = where(r > 1.0, r * "
                "0.5, r)`");
  });
  return c.errors() == errors;
}

// Says of tensors what the cores do not have.
bool has_dtypes(const Context &c, Node function) {
  const size_t errors = c.errors();
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
    auto a = c.get<ast::arg>(n);
    const auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    if (type && type->form == "Tensor" && type->dtype == "f64")
      c.report(diag::no_instruction, n, a.arg(), type->dtype)
          .hint("declare it f32, `Tensor[f32, …]`: the cores neither move f64 nor calculate with it");
    const std::string name(a.arg());
    if (type && type->form.empty() && type->dtype != "int" && !dtype_named(type->dtype))
      c.report(diag::unsupported_form, n, "a scalar of `" + type->dtype + "`").hint("declare it `" + name + ": f32`");
  }
  return c.errors() == errors;
}

} // namespace

bool is_supported(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  return has_dtypes(c, function) && has_ends(c, function);
}

} // namespace htp::a2a3
