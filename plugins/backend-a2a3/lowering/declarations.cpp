// A tile that a branch names first and others know too is there before the branches.
#include "passes/passes.h"

namespace htp::a2a3 {

Node with_hoisted_declarations(const Context &c, Node root) {
  const Names names(c, root);
  const auto declared = [&](Node s) {
    auto a = c.as<ast::Assign>(s);
    return a && names.called(a.value()) == "htp_pto.tile" ? c.name_of(a.targets()[0]) : std::string_view();
  };
  const auto count = [&](Node in, std::string_view name) {
    size_t found = 0;
    c.each(in, [&](Node n) { found += c.name_of(n) == name; });
    return found;
  };
  for (bool changed = true; changed;) {
    changed = false;
    const Node function = c.entry_function(root);
    const Node other = rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          if (!c.is(s, HTP_If)) return false;
          auto choice = c.read<ast::If>(s);
          const size_t before = out.size();
          for (auto *body : {&choice.body, &choice.orelse}) {
            const std::vector<uint32_t> way = *body;
            std::erase_if(*body, [&](Node n) {
              const auto name = declared(n);
              size_t own = 0;
              for (const Node w : way) own += name.empty() ? 0 : count(w, name);
              if (name.empty() || own == count(function, name)) return false;
              out.push_back(n);
              return true;
            });
          }
          if (out.size() == before) return false;
          changed = true;
          out.push_back(c.with(s, choice));
          return true;
        });
    root = with_statement(c, root, function, other);
  }
  return root;
}

} // namespace htp::a2a3
