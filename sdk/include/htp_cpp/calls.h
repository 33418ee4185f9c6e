// htp_cpp/calls.h — an entry that another one calls: what its parameters stand for there, and its dims.
#pragma once

#include "htp_cpp/constants.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/types.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp::sdk {

// A copy in which every node is new: within one stage a node has one parent.
inline Node clone(const Tree &t, Node n) {
  const htp_kind_info &k = t.info(n);
  std::vector<uint32_t> slots(k.field_count);
  for (unsigned i = 0; i < k.field_count; ++i) {
    const uint32_t s = slots[i] = t.slot(n, i);
    if (!s) continue;
    if (k.fields[i].type == HTP_FIELD_NODE || k.fields[i].type == HTP_FIELD_OPT) {
      slots[i] = clone(t, s);
    } else if (k.fields[i].type == HTP_FIELD_LIST || k.fields[i].type == HTP_FIELD_LISTN) {
      std::vector<uint32_t> items;
      for (const Node inner : t.list(s)) items.push_back(inner ? clone(t, inner) : inner);
      slots[i] = t.make_list(items);
    }
  }
  return t.host()->node(t.ctx(), t.kind(n), slots.data(), static_cast<uint32_t>(slots.size()), n);
}

// A tensor of the caller.
struct CallerTensor {
  Type type;
  std::string direction; // "In", "Out", "InOut"; a buffer is "InOut"
};

struct EntryCall {
  // Why a call does not fit, and what a message of it states behind the callee's name.
  enum class Fault : uint8_t {
    count,   // parameters, arguments
    keyword, // a name that is no parameter
    twice,   // a parameter
    missing, // a parameter
    tensor,  // a parameter, and the argument that is no tensor
    dtype,   // the parameter's dtype, the parameter, the argument, its dtype
    extents, // likewise
    writes,  // a parameter that is written, and the argument that is only read
    reads,   // a parameter that is read, and the argument that is only written
    alias,   // the argument, and two parameters that it is given for, of which one is written
    other,   // what the parameter takes, the parameter, the argument
  };
  struct Problem {
    Fault fault{};
    Node where = HTP_NONE;
    std::array<std::string, 4> values;
  };
  std::map<std::string, Node, std::less<>> arguments; // by parameter
  std::map<std::string, Extent, std::less<>> dims;    // what the callee's dims are in the caller
  std::vector<Problem> problems;
};

// An extent with its constants as numbers, and names as `meanings` has them.
inline Extent extent_with(const Tree &t, const Constants &constants, const Extent &extent,
                          const std::map<std::string, Extent, std::less<>> &meanings, Node origin) {
  if (extent.name.empty()) return extent;
  Node n = t.parse(extent.name, origin);
  n = rewrite(
      t, n,
      [&](Node e) {
        const auto to = meanings.find(t.name_of(e));
        return to == meanings.end() ? e : t.parse(to->second.text(), origin);
      },
      [](Node, std::vector<uint32_t> &) { return false; });
  if (const auto number = constants.integer(n)) return Extent::of(*number);
  const MaybeInt sum = read_int(t, n, with_constants(constants));
  return sum ? Extent::of(*sum) : Extent{t.show(n), 0};
}

// Binds the arguments of `call` to the parameters of `callee`. `tensor_of(name)` gives the caller's tensor of that name
// as an optional CallerTensor; `other(parameter, argument)` gives of a parameter that is neither tensor nor scalar what
// it takes, where the argument is none, and is empty where it is. Each dim has one meaning, and no tensor that is
// written has two names.
template <class TensorOf, class Other>
EntryCall read_entry_call(const Tree &t, const Constants &constants, const std::set<std::string, std::less<>> &dims,
                          Node callee, Node call, TensorOf &&tensor_of, Other &&other) {
  EntryCall result;
  using Fault = EntryCall::Fault;
  const auto refuse = [&](Fault fault, Node where, std::array<std::string, 4> values) {
    result.problems.push_back({fault, where, std::move(values)});
  };
  auto k = t.get<ast::Call>(call);
  const Nodes parameters = t.get<ast::arguments>(t.get<ast::FunctionDef>(callee).args()).args();
  if (k.args().size() > parameters.size())
    return refuse(Fault::count, call, {std::to_string(parameters.size()), std::to_string(k.args().size())}), result;
  for (size_t i = 0; i < k.args().size(); ++i)
    result.arguments[std::string(t.get<ast::arg>(parameters[i]).arg())] = k.args()[i];
  for (const Node n : k.keywords()) {
    auto keyword = t.get<ast::keyword>(n);
    const bool known = std::any_of(parameters.begin(), parameters.end(),
                                   [&](Node p) { return t.get<ast::arg>(p).arg() == keyword.arg(); });
    if (!known) return refuse(Fault::keyword, n, {std::string(keyword.arg())}), result;
    if (!result.arguments.emplace(keyword.arg(), keyword.value()).second)
      return refuse(Fault::twice, n, {std::string(keyword.arg())}), result;
  }
  std::map<std::string, std::pair<std::string, bool>, std::less<>>
      seen; // tensor → its parameter; whether it is written
  for (const Node p : parameters)
    if (const std::string name(t.get<ast::arg>(p).arg()); !result.arguments.contains(name))
      return refuse(Fault::missing, call, {name}), result;
  for (const Node p : parameters) {
    auto parameter = t.get<ast::arg>(p);
    const std::string name(parameter.arg());
    const auto given = result.arguments.find(name);
    const Node argument = given->second;
    const std::string shown = t.show(argument);
    const std::string direction = direction_of(t, parameter.annotation());
    const auto type = read_type(t, parameter.annotation());
    if (direction.empty() && type && type->form.empty()) continue; // a scalar
    if (direction.empty()) {
      if (const std::string wanted = other(p, argument); !wanted.empty())
        refuse(Fault::other, argument, {wanted, name, shown});
      continue;
    }
    const auto tensor = t.is(argument, HTP_Name) ? tensor_of(t.name_of(argument)) : std::nullopt;
    if (!type || !tensor) {
      refuse(Fault::tensor, argument, {name, shown});
      continue;
    }
    if (type->dtype != tensor->type.dtype) {
      refuse(Fault::dtype, argument, {type->dtype, name, shown, tensor->type.dtype});
      continue;
    }
    const bool writes = direction != "In";
    if (writes && tensor->direction == "In") {
      refuse(Fault::writes, argument, {name, shown});
      continue;
    }
    if (direction != "Out" && tensor->direction == "Out") {
      refuse(Fault::reads, argument, {name, shown});
      continue;
    }
    if (const auto [before, fresh] = seen.try_emplace(std::string(t.name_of(argument)), name, writes);
        !fresh && (writes || before->second.second)) {
      refuse(Fault::alias, argument, {shown, before->second.first, name});
      continue;
    }
    bool fits = type->extents.size() == tensor->type.extents.size();
    std::string wanted, has;
    for (size_t d = 0; fits && d < type->extents.size(); ++d) {
      const Extent own = extent_with(t, constants, tensor->type.extents[d], {}, argument);
      if (dims.contains(type->extents[d].name)) {
        const auto [at, fresh] = result.dims.try_emplace(type->extents[d].name, own);
        fits = fresh || at->second == own;
      } else {
        fits = extent_with(t, constants, type->extents[d], result.dims, argument) == own;
      }
    }
    if (!fits) {
      for (const Extent &e : type->extents)
        wanted += (wanted.empty() ? "" : ", ") + extent_with(t, constants, e, result.dims, argument).text();
      for (const Extent &e : tensor->type.extents) has += (has.empty() ? "" : ", ") + e.text();
      refuse(Fault::extents, argument, {wanted, name, shown, has});
    }
  }
  return result;
}

// Reports each problem of a call of `callee`, which is declared at `declaration`, by the dialect's row of its fault.
template <class RowOf> void report_problems(const Context &c, const EntryCall &bound, std::string_view callee,
                                            Node declaration, RowOf &&row_of) {
  for (const EntryCall::Problem &one : bound.problems) {
    const auto &[a, b, d, e] = one.values;
    c.report(row_of(one.fault), one.where, callee, a, b, d, e).label(declaration, "declared here");
  }
}

} // namespace htp::sdk
