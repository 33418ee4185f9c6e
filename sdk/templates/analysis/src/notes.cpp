// my-plugin.notes: reads the table and writes it into the program, for people.
#include "my_plugin.h"

#include <map>

namespace htp_my_plugin {
namespace {

// The comment over each loop.
std::map<Node, std::string> notes(const Context &c, Node root) {
  std::map<Node, std::string> found;
  const htp_table *table = c.host()->analysis(c.ctx(), "my-plugin.work", root);
  for (size_t k = 0; table && k < table->count; ++k) {
    const int64_t calls = table->rows[k].value.u.i;
    found[table->rows[k].key] = std::to_string(calls) + (calls == 1 ? " call" : " calls");
  }
  return found;
}

bool has_note(const Context &c, Node loop) {
  const htp_trivia &comments = c.store()->trivia[c.record(loop).note];
  for (const uint32_t line : c.list(comments.leading))
    if (c.text(line).ends_with(" calls") || c.text(line).ends_with(" call")) return true;
  return false;
}

} // namespace

Result write_notes(const Context &c, Node root, Node &out) {
  const std::map<Node, std::string> found = notes(c, root);
  const auto expression = [](Node n) { return n; };
  // A statement comes after its inside: an outer loop may be a new node, whose origin is the loop that has a row.
  const auto statement = [&](Node s, std::vector<uint32_t> &to) {
    const auto row = found.contains(s) ? found.find(s) : found.find(c.record(s).origin);
    if (row == found.end()) return false;
    to.push_back(c.host()->comment(c.ctx(), s, str(row->second)));
    return true;
  };
  out = rewrite(c, root, expression, statement);
  return c.result();
}

// Other passes may do the same with other calls, so the number is not compared.
Result is_noted(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  Node missing = HTP_NONE;
  c.each(c.entry_function(root), [&](Node n) {
    if (!missing && over_blocks(c, names, n) && !has_note(c, n)) missing = n;
  });
  if (missing) c.report(diag::no_note, missing).hint("the pass `my-plugin.notes` writes it");
  return missing ? HTP_FAILED : HTP_OK;
}

} // namespace htp_my_plugin
