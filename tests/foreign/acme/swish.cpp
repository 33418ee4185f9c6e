// acme.swish's typing rule: f32 and f64 stay what they are, i32 becomes f32.
#include "acme.h"

namespace acme {

Node infer(const Context &c, const htp_intrinsic &, Node call, Nodes types) {
  const Node type = types.empty() ? HTP_NONE : types[0];
  const auto words = words_of(c, type);
  const Node dtype = words.empty() ? type : words[0];
  const std::string name = dtype ? c.show(dtype) : "";
  if (name == "f32" || name == "f64") return type;
  if (name != "i32") {
    c.report(diag::bad_operand, call, type ? c.show(type) : "a value without a type").hint("cast it first");
    return HTP_NONE;
  }
  if (words.empty()) return c.parse("f32", call);
  auto shaped = c.read<ast::Subscript>(type);
  std::vector<uint32_t> changed(words.begin(), words.end());
  changed[0] = c.parse("f32", call);
  shaped.slice = c.make(make::Tuple{.elts = changed}, type);
  return c.make(shaped, call);
}

} // namespace acme
