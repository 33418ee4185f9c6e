// my-plugin.reciprocals: `tile.div(x, 8)` becomes `tile.mul(x, 0.125)` where x holds floats.
#include "htp_cpp/names.h"
#include "htp_cpp/types.h"
#include "my_plugin.h"

#include <cmath>
#include <map>
#include <set>

namespace htp_my_plugin {
namespace {

// What the literal is the exact reciprocal of, in every float type; 0 when it is no such literal.
double exact_reciprocal(const Context &c, Node divisor) {
  const auto literal = c.as<ast::Constant>(divisor);
  if (!literal) return 0;
  const htp_const &value = literal.value();
  const double number = value.type == HTP_CONST_INT     ? static_cast<double>(value.u.i)
                        : value.type == HTP_CONST_FLOAT ? value.u.f
                                                        : 0;
  int exponent = 0;
  const bool power_of_two = number > 0 && std::frexp(number, &exponent) == 0.5;
  return power_of_two && std::abs(exponent - 1) <= 14 ? 1 / number : 0; // f16 has normal numbers from 2**-14
}

// The entry's names that hold floats, by the type that each first binding carries.
std::set<std::string> floats_of(const Context &c, Node function) {
  std::set<std::string> names;
  c.each(function, [&](Node n) {
    if (const auto binding = c.as<ast::AnnAssign>(n)) {
      const auto type = read_type(c, binding.annotation());
      if (type && dtype_class(type->dtype) == DtypeClass::floating)
        names.insert(std::string(c.name_of(binding.target())));
    }
  });
  return names;
}

// The calls that can be replaced, each with the factor it multiplies by.
std::map<Node, double> divisions(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const std::set<std::string> floats = floats_of(c, function);
  std::map<Node, double> found;
  c.each(function, [&](Node n) {
    if (names.called(n) != "htp_tile.div") return;
    const Nodes operands = c.get<ast::Call>(n).args();
    if (operands.size() != 2 || !floats.contains(std::string(c.name_of(operands[0])))) return;
    if (const double factor = exact_reciprocal(c, operands[1]); factor != 0) found[n] = factor;
  });
  return found;
}

} // namespace

Result use_reciprocals(const Context &c, Node root, Node &out) {
  const std::map<Node, double> found = divisions(c, root);
  const auto expression = [&](Node n) {
    const auto division = found.find(n);
    if (division == found.end()) return n;
    auto call = c.read<ast::Call>(n);
    auto function = c.read<ast::Attribute>(call.func); // `tile.div`: the function changes, the module's name does not
    function.attr = "mul";
    call.func = c.with(call.func, function);
    call.args[1] = c.make(make::Constant{.value = Literal::real(division->second)}, call.args[1]);
    return c.with(n, call);
  };
  const auto statement = [](Node, std::vector<uint32_t> &) { return false; };
  out = rewrite(c, root, expression, statement);
  return c.result();
}

Result has_reciprocals(const Context &c, std::string_view, Node root) {
  const std::map<Node, double> found = divisions(c, root);
  if (found.empty()) return HTP_OK;
  c.report(diag::division, found.begin()->first).hint("multiply by the reciprocal");
  return HTP_FAILED;
}

} // namespace htp_my_plugin
