// What is loaded twice at one place of an input is loaded once.
#include "analyses/shapes.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"

#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;
using Loaded = std::map<std::string, std::string>; // what is loaded, as text, and the tile that has it

class Shared {
public:
  Shared(const Context &context, Node root) : c(context), names_(context, root), function_(c.entry_function(root)) {
    const auto parameters = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args();
    for (const Node p : parameters)
      if (auto a = c.get<ast::arg>(p); direction_of(c, a.annotation()) == "In" || is_scalar(a.annotation()))
        inputs_.emplace(a.arg());
    c.each(function_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings_[std::string(name.id())];
      multiplies_ |= names_.called(n) == "htp_tile.matmul";
    });
  }

  Node run() {
    // What cube cores multiply goes there by ways of its own.
    if (!multiplies_) body(c.get<ast::FunctionDef>(function_).body(), {}, {});
    if (same_.empty()) return function_;
    return rewrite(
        c, function_,
        [&](Node n) {
          auto name = c.as<ast::Name>(n);
          const auto it = name && name.ctx() == HTP_LOAD ? same_.find(name.id()) : same_.end();
          return it == same_.end() ? n : c.name(it->second, n);
        },
        [&](Node s, std::vector<uint32_t> &) {
          auto a = c.as<ast::AnnAssign>(s);
          return a && same_.contains(c.name_of(a.target()));
        });
  }

private:
  bool is_scalar(Node annotation) const {
    const auto type = annotation ? read_type(c, annotation) : std::nullopt;
    return type && type->form.empty();
  }
  // `loops`: the variables of those around.
  void body(Nodes statements, Loaded loaded, Words loops) {
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        Words inner = loops;
        inner.emplace(c.name_of(l.target()));
        body(l.body(), loaded, inner);
      } else if (auto f = c.as<ast::If>(s)) {
        body(f.body(), loaded, loops), body(f.orelse(), loaded, loops);
      } else if (auto a = c.as<ast::AnnAssign>(s); a && loads(a.value(), loops)) {
        const std::string name(c.name_of(a.target()));
        if (bindings_[name] != 1) continue;
        const auto [it, fresh] = loaded.emplace(c.show(a.annotation()) + " " + c.show(a.value()), name);
        if (!fresh) same_[name] = it->second;
      }
    }
  }
  // A load from an input, at a place that is the same wherever this stands.
  bool loads(Node value, const Words &loops) {
    if (names_.called(value) != "htp_tile.load") return false;
    auto call = c.get<ast::Call>(value);
    if (!call.keywords().empty() || call.args().empty() || !inputs_.contains(c.name_of(call.args()[0]))) return false;
    bool fixed = true;
    c.each(value, [&](Node n) {
      auto name = c.as<ast::Name>(n);
      const std::string id(name ? name.id() : "");
      if (const auto it = bindings_.find(id); it != bindings_.end()) fixed &= it->second == 1 || loops.contains(id);
    });
    return fixed;
  }

  const Context &c;
  Names names_;
  Node function_;
  Words inputs_;
  std::map<std::string, unsigned, std::less<>> bindings_;
  std::map<std::string, std::string, std::less<>> same_; // a tile, and the one that holds the same
  bool multiplies_ = false;
};

} // namespace

Node share_loads(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  return with_statement(c, root, function, Shared(c, root).run());
}

} // namespace htp::a2a3
