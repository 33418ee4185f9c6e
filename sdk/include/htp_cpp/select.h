// htp_cpp/select.h — the pass that most backends begin with: calls of intrinsics become calls of the target set.
#pragma once

#include "htp/handlers.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/plugin.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

namespace detail {

class Selector {
public:
  Selector(const Context &context, Node root, const DiagKind &no_handler, std::string (*instead)(std::string_view))
      : c(context), no_handler_(no_handler), instead_(instead), names_(context, root) {}

  // The function with its calls rewritten.
  Node run(Node function) {
    collect_types(function);
    return rewrite(
        c, function, [](Node n) { return n; }, [&](Node s, std::vector<uint32_t> &out) { return replace(s, out, 0); });
  }
  bool failed() const { return failed_; }

private:
  static constexpr unsigned depth_limit = 16; // handlers whose result needs handlers

  // What each name's first binding, or parameter, says of its type.
  void collect_types(Node function) {
    c.each(function, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n)) {
        types_.try_emplace(std::string(c.name_of(a.target())), a.annotation());
      } else if (auto p = c.as<ast::arg>(n)) {
        if (p.annotation()) types_.try_emplace(std::string(p.arg()), p.annotation());
      }
    });
  }

  Node type_of(std::string_view name) const {
    const auto it = types_.find(std::string(name));
    return it == types_.end() ? HTP_NONE : it->second;
  }

  // The call a statement in canonical form is about; 0 for other statements.
  Node call_of(Node statement, Node *type) const {
    Node value = HTP_NONE;
    *type = HTP_NONE;
    if (auto a = c.as<ast::AnnAssign>(statement)) {
      value = a.value();
      *type = a.annotation();
    } else if (auto b = c.as<ast::Assign>(statement)) {
      value = b.value();
      if (b.targets().size() == 1) *type = type_of(c.name_of(b.targets()[0]));
    } else if (auto e = c.as<ast::Expr>(statement)) {
      value = e.value();
    }
    return c.is(value, HTP_Call) ? value : HTP_NONE;
  }

  bool replace(Node statement, std::vector<uint32_t> &out, unsigned depth) {
    Node type;
    const Node call = call_of(statement, &type);
    if (!call) return false;
    auto view_of_call = c.get<ast::Call>(call);
    const std::string qualified = names_.qualified(view_of_call.func());
    const htp_intrinsic *row = qualified.empty() ? nullptr : c.intrinsic(qualified);
    if (!row || c.host()->in_target_set(c.ctx(), str(row->name), str(c.target()))) return false;
    uint32_t index = 0;
    const htp_handlers *set = c.host()->handler(c.ctx(), str(row->name), str(c.target()), &index);
    if (!set || depth == depth_limit) {
      const std::string other = instead_ ? instead_(row->name) : std::string();
      c.report(no_handler_, call, row->name, c.target())
          .hint(!other.empty() ? other
                               : "write it without this intrinsic: `htp-host ops show " + std::string(row->name) +
                                     "` says which targets have it");
      return false;
    }
    std::vector<htp_node> arguments, types;
    bind_arguments(*row, call, arguments, types);
    const htp_handler_call request{.statement = statement,
                                   .call = call,
                                   .type = type,
                                   .arguments = arguments.data(),
                                   .types = types.data(),
                                   .count = static_cast<uint32_t>(arguments.size()),
                                   .reserved = 0};
    const uint32_t list = set->rewrite(c.host(), c.ctx(), index, &request);
    failed_ |= !list;
    for (const Node s : c.list(list)) {
      Node new_type;
      if (const Node inner = call_of(s, &new_type)) note_type(s);
      if (!replace(s, out, depth + 1)) out.push_back(s);
    }
    return list != 0;
  }

  void note_type(Node statement) {
    if (auto a = c.as<ast::AnnAssign>(statement))
      types_.try_emplace(std::string(c.name_of(a.target())), a.annotation());
  }

  // Arguments in the order of the intrinsic's parameters; those of a `*rest` follow one another at its position.
  void bind_arguments(const htp_intrinsic &row, Node call, std::vector<htp_node> &arguments,
                      std::vector<htp_node> &types) const {
    auto v = c.get<ast::Call>(call);
    const Nodes positional = v.args();
    size_t next = 0;
    for (uint32_t k = 0; k < row.parameter_count; ++k) {
      const std::string_view name = row.parameters[k].name;
      if (!name.empty() && name.front() == '*') {
        while (next < positional.size()) arguments.push_back(positional[next++]);
      } else if (!row.parameters[k].keyword_only && next < positional.size()) {
        arguments.push_back(positional[next++]);
      } else {
        Node found = HTP_NONE;
        for (const Node n : v.keywords())
          if (auto kw = c.get<ast::keyword>(n); kw.arg() == name) found = kw.value();
        arguments.push_back(found);
      }
    }
    while (next < positional.size()) arguments.push_back(positional[next++]);
    for (const Node a : arguments) types.push_back(a ? type_of(c.name_of(a)) : HTP_NONE);
  }

  const Context &c;
  const DiagKind &no_handler_;
  std::string (*instead_)(std::string_view);
  Names names_;
  std::map<std::string, Node> types_;
  bool failed_ = false; // a handler refused, after saying why
};

} // namespace detail

// Rewrites every intrinsic call of the entry that is not in the target's set by its handler (R8), again and again until
// it is. The target's intrinsics are spelled through `import MODULE as ALIAS`, which is added. 0 after a diagnostic:
// `no_handler`, whose summary takes the intrinsic's name, or a handler's own. `instead` is asked for a form that works
// of an intrinsic that has no handler; it may know none. The entry must be there.
inline Node select_calls(const Context &c, Node root, const DiagKind &no_handler, std::string_view module,
                         std::string_view alias, std::string (*instead)(std::string_view) = nullptr) {
  const Node function = c.entry_function(root);
  const size_t errors = c.errors();
  detail::Selector selector(c, root, no_handler, instead);
  const Node selected = selector.run(function);
  if (selector.failed() || c.errors() != errors) return HTP_NONE;
  if (selected == function) return root;
  return add_import(c, with_statement(c, root, function, selected), module, alias);
}

// The first call of an intrinsic in the function that is not in the target's set; 0 when there is none: what the
// verifier of a state asks that such a pass brings about.
inline Node unselected_call(const Context &c, Node root, Node function) {
  const Names names(c, root);
  Node found = HTP_NONE;
  for (const Node s : c.get<ast::FunctionDef>(function).body())
    c.each(s, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const std::string called = call && !found ? names.qualified(call.func()) : std::string();
      const htp_intrinsic *row = called.empty() ? nullptr : c.intrinsic(called);
      if (row && !c.host()->in_target_set(c.ctx(), str(row->name), str(c.target()))) found = n;
    });
  return found;
}

} // namespace htp::sdk
