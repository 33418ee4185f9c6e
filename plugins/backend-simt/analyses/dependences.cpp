// simt.dependences: why iterations of a loop cannot run at once, for passes to decide by. The names are those of
// scalars and ints that one iteration leaves to another, and of memory in which two of them meet.
#include "simt.h"

#include "htp_cpp/races.h"

namespace htp::simt {

namespace {
constexpr std::string_view kind_of(Dependence::Kind kind) {
  return kind == Dependence::carried ? "carried" : kind == Dependence::escapes ? "escapes" : "meets";
}
} // namespace

Result dependences(const Context &c, Node root, const Sink &sink) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) return HTP_OK;
  c.each(function, [&](Node n) {
    if (!c.is(n, HTP_For)) return;
    std::string text;
    for (const Race &race : find_races(c, names, root, function, n, {}))
      text += (text.empty() ? "" : "\n") + std::string(kind_of(race.kind)) + " " + race.name;
    sink.string(n, text);
  });
  return HTP_OK;
}

} // namespace htp::simt
