// Ints that nothing in their kernel reads are left out: how many rows a block has, where none of its tiles asks for it.
#include "passes/passes.h"

#include <set>

namespace htp::a2a3 {

namespace {

Node without_unused(const Context &c, const Names &names, Node kernel) {
  for (;;) {
    std::set<std::string, std::less<>> read;
    c.each(kernel, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) read.emplace(name.id());
    });
    const auto unused = [&](Node s) {
      auto a = c.as<ast::Assign>(s);
      return a && a.targets().size() == 1 && !read.contains(c.name_of(a.targets()[0])) &&
             names.called(a.value()) != "htp_pto.tile";
    };
    const Node fewer = rewrite(
        c, kernel, [](Node n) { return n; }, [&](Node s, std::vector<uint32_t> &) { return unused(s); });
    if (fewer == kernel) return kernel;
    kernel = fewer;
  }
}

} // namespace

Node drop_unused_ints(const Context &c, Node root) {
  const Names names(c, root);
  return with_entry(
      c, root, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        const Node kernel = c.is(s, HTP_With) ? without_unused(c, names, s) : s;
        if (kernel != s) out.push_back(kernel);
        return kernel != s;
      });
}

} // namespace htp::a2a3
