// htp_cpp/signature.h — whether calls of intrinsics have the arguments of their signatures: what the verifier of a last
// stage asks, which may have been edited.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

#include <string>
#include <string_view>

namespace htp::sdk {

// Whether each parameter without a default is given, none twice, nothing else, and a dtype where one is asked for.
inline bool fits(const Context &c, const Names &names, const htp_intrinsic &row, Node call) {
  auto v = c.get<ast::Call>(call);
  const Nodes positional = v.args();
  size_t next = 0, known = 0;
  const auto takes = [&](const htp_parameter &p, Node given) {
    return !std::string_view(p.annotation).starts_with("type[") || names.qualified(given).starts_with("htp.");
  };
  for (uint32_t k = 0; k < row.parameter_count; ++k) {
    const htp_parameter &p = row.parameters[k];
    const std::string_view name = p.name;
    if (name.starts_with("*")) {
      next = positional.size();
      continue;
    }
    Node found = HTP_NONE;
    for (const Node n : v.keywords())
      if (auto keyword = c.get<ast::keyword>(n); keyword.arg() == name) found = keyword.value(), ++known;
    if (!p.keyword_only && next < positional.size()) {
      if (found) return false;
      found = positional[next++];
    }
    if (found ? !takes(p, found) : !p.default_value) return false;
  }
  return next == positional.size() && known == v.keywords().size();
}

// The first call of an intrinsic in the function whose arguments are not those of its signature; 0 when there is none.
inline Node unfitting_call(const Context &c, const Names &names, Node function) {
  Node found = HTP_NONE;
  for (const Node s : c.get<ast::FunctionDef>(function).body())
    c.each(s, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const std::string called = call && !found ? names.qualified(call.func()) : std::string();
      const htp_intrinsic *row = called.empty() ? nullptr : c.intrinsic(called);
      if (row && !fits(c, names, *row, n)) found = n;
    });
  return found;
}

} // namespace htp::sdk
