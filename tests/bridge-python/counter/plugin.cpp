// test.counter: an analysis in Python is read as one in C++ is, and the other way round.
#include "htp_cpp/plugin.h"
#include "htp_cpp/names.h"

#include <map>

namespace {

using namespace htp::sdk;

Result loops(const Context &c, Node root, const Sink &sink) {
  c.each(root, [&](Node n) {
    if (!c.is(n, HTP_FunctionDef)) return;
    int64_t count = 0;
    c.each(n, [&](Node inner) { count += c.is(inner, HTP_For); });
    sink.integer(n, count);
  });
  return c.result();
}

constexpr DiagKind noted{"counter.noted", HTP_NOTE, "{0} loops have a note"};

Result note(const Context &c, Node root, Node &out) {
  std::map<Node, int64_t> counts;
  if (const htp_table *table = c.host()->analysis(c.ctx(), "quick.statements", root))
    for (size_t i = 0; i < table->count; ++i) counts[table->rows[i].key] = table->rows[i].value.u.i;
  size_t count_of_notes = 0;
  out = htp::sdk::rewrite(
      c, root, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        const auto count = counts.find(s);
        if (!c.is(s, HTP_For) || count == counts.end()) return false;
        const std::string text = std::to_string(count->second) + " statements";
        to.push_back(c.host()->comment(c.ctx(), s, str(text)));
        ++count_of_notes;
        return true;
      });
  c.report(noted, root, count_of_notes);
  return c.result();
}

constexpr htp_diag_info rows[] = {{noted.code, noted.severity, noted.summary, "Each outermost loop has a comment."}};
const htp_unit units[] = {analysis_unit<loops>("counter.loops"), pass_unit<note>("counter.note")};

} // namespace

HTP_PLUGIN("test.counter", "1.0.0", units, rows)
