// tensors.cpp — which process uses which tensor: what one stores no other one uses, but before it or behind it.
#include "program.h"

#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::csp {

namespace {

// The statements of a process's body that use a name, as positions; and of those that put into a channel or get from
// it, once and whatever happens, the channel.
struct Outline {
  std::vector<size_t> uses;
  std::map<std::string, size_t> puts, gets;
};
Outline outline_of(const Context &c, const Program &program, const ProcessDeclaration &declared,
                   std::string_view name) {
  Outline found;
  const Nodes body = c.get<ast::FunctionDef>(declared.function).body();
  for (size_t k = 0; k < body.size(); ++k) {
    bool used = false;
    c.each(body[k], [&](Node n) { used = used || (c.is(n, HTP_Name) && c.name_of(n) == name); });
    if (used) found.uses.push_back(k);
    auto e = c.as<ast::Expr>(body[k]);
    const Operation one = e ? operation(c, program, e.value()) : Operation{};
    if (one.channel && !one.channel->dtype && !one.index)
      (one.puts ? found.puts : found.gets).emplace(one.channel->name, k);
  }
  return found;
}

// How often the program's text names a channel in a process.
size_t mentions(const Context &c, const ProcessDeclaration &declared, std::string_view channel) {
  size_t count = 0;
  c.each(declared.function, [&](Node n) { count += c.is(n, HTP_Name) && c.name_of(n) == channel; });
  return count;
}

// Whether all that one does with a tensor comes before all that the other does: they meet in between, at an event to
// which each comes once.
bool handed_over(const Context &c, const Program &program, const ProcessDeclaration &one,
                 const ProcessDeclaration &other, std::string_view tensor) {
  if (!one.grid.empty()) return false;
  const Outline first = outline_of(c, program, one, tensor), second = outline_of(c, program, other, tensor);
  return std::any_of(first.puts.begin(), first.puts.end(), [&](const auto &put) {
    const auto get = second.gets.find(put.first);
    return get != second.gets.end() && mentions(c, one, put.first) == 1 && mentions(c, other, put.first) == 1 &&
           first.uses.back() < put.second && get->second < second.uses.front();
  });
}

// Whether a process does no more with a tensor than to load from it.
bool only_loads(const Context &c, const Program &program, const ProcessDeclaration &declared, std::string_view tensor) {
  bool good = true;
  c.each(declared.function, [&](Node n) {
    auto at = c.as<ast::Subscript>(n);
    if (at && at.ctx() == HTP_STORE && c.name_of(at.value()) == tensor) good = false;
    if (auto call = c.as<ast::Call>(n); call && program.names.called(n) != "htp_tile.load")
      for (const Node a : call.args())
        if (c.name_of(a) == tensor) good = false;
  });
  return good;
}

} // namespace

bool stores_apart(const Context &c, const Program &program) {
  bool good = true;
  for (const Node parameter : c.get<ast::arguments>(c.get<ast::FunctionDef>(program.function).args()).args()) {
    auto p = c.get<ast::arg>(parameter);
    const std::string direction = direction_of(c, p.annotation());
    if (direction != "Out" && direction != "InOut") continue;
    std::vector<std::pair<const ProcessDeclaration *, Node>> users;
    for (const ProcessDeclaration &declared : program.processes) {
      Node at = HTP_NONE;
      c.each(declared.function, [&](Node n) {
        if (!at && c.is(n, HTP_Name) && c.name_of(n) == p.arg()) at = n;
      });
      if (at) users.emplace_back(&declared, at);
    }
    for (size_t k = 1; k < users.size(); ++k)
      for (size_t j = 0; j < k; ++j) {
        const auto &[one, first] = users[j];
        const auto &[other, at] = users[k];
        if (handed_over(c, program, *one, *other, p.arg()) || handed_over(c, program, *other, *one, p.arg()) ||
            (only_loads(c, program, *one, p.arg()) && only_loads(c, program, *other, p.arg())))
          continue;
        c.report(diag::two_owners, at, one->name, other->name, p.arg())
            .label(first, "`" + one->name + "` uses it here");
        good = false;
        j = k;
      }
  }
  return good;
}

} // namespace htp::csp
