// htp.validator-tile: whether a pass kept what a program of tiles, or of a target's instructions, computes.
#include "elements.h"
#include "equal.h"
#include "read.h"

#include <nlohmann/json.hpp>

namespace htp::validator {
namespace {

using namespace htp::sdk;
using nlohmann::ordered_json;

struct Verdict {
  ordered_json json;
  Node at = HTP_NONE; // where it got stuck
  bool moves = false; // by streams or channels
  bool proved() const { return json["verdict"] == "proved"; }
};

Verdict not_shown(const Context &c, const NotShown &why, const char *where) {
  return {{{"verdict", "not shown"}, {"where", where}, {"reason", why.why}},
          why.at && !c.is(why.at, HTP_FunctionDef) ? why.at : Node{HTP_NONE},
          false};
}

Verdict compared(const Context &c, Nodes before, Nodes after, Streams streams, bool &moves) {
  Terms terms;
  Reading one, other;
  const char *where = "before";
  try {
    one = read(c, before, c.entry(), terms, streams, moves);
    where = "after";
    other = read(c, after, c.entry(), terms, streams, moves);
  } catch (const NotShown &why) {
    return not_shown(c, why, where);
  }
  where = "both";
  if (one.parameters.size() != other.parameters.size())
    return not_shown(c, {HTP_NONE, "the entry has other parameters"}, where);
  Equality equality(terms);
  Facts facts(terms);
  Elements elements(terms, facts);
  for (size_t k = 0; k < one.parameters.size(); ++k) {
    const Parameter &p = one.parameters[k], &q = other.parameters[k];
    if (p.name != q.name || p.annotation != q.annotation)
      return not_shown(c, {HTP_NONE, "the parameter `" + q.name + "` has another type"}, where);
    if (p.holds != 0 || q.holds != 0)
      if (!equality.equal(p.holds, q.holds)) {
        if (!elements.equal(p.holds, q.holds, terms.type_of(p.holds)))
          return not_shown(c, {HTP_NONE, "`" + q.name + "` is not shown to hold the same: " + elements.difference()},
                           where);
        // An index that nothing is computed by may still end the run, and one below 0 be from the end.
        if (!one.beyond.empty())
          return not_shown(c, {HTP_NONE, "`" + one.beyond + "` is not shown to stay within its tensor"}, "before");
        if (!other.beyond.empty())
          return not_shown(c, {HTP_NONE, "`" + other.beyond + "` is not shown to stay within its tensor"}, "after");
      }
  }
  if (!other.ends.empty() && !one.ends.empty() && one.ends != other.ends)
    return not_shown(c, {HTP_NONE, "the pipeline is said to end for other sizes"}, where);
  for (const auto &[name, declared] : one.apart)
    if (const auto it = other.apart.find(name); it != other.apart.end() && it->second != declared)
      return not_shown(c, {HTP_NONE, "`" + name + "` is declared in another way"}, where);
  // Streams go by the array's columns; what a program is mapped to first has nothing to be compared with.
  if (one.device && !one.streams.empty() && one.device != other.device)
    return not_shown(c, {HTP_NONE, "the program is for another array"}, where);
  if (!one.streams.empty() && one.streams.size() != other.streams.size())
    return not_shown(c, {HTP_NONE, "there are other streams"}, where);
  for (size_t k = 0; k < one.streams.size(); ++k)
    if (!equality.equal(one.streams[k], other.streams[k]))
      return not_shown(c, {HTP_NONE, "a stream is not shown to be the same: " + equality.difference()}, where);
  if (one.observed.size() != other.observed.size())
    return not_shown(c, {HTP_NONE, "there are other processes or channels"}, where);
  for (size_t k = 0; k < one.observed.size(); ++k)
    if (!equality.equal(one.observed[k].second, other.observed[k].second))
      return not_shown(
          c, {HTP_NONE, other.observed[k].first + " is not shown to be the same: " + equality.difference()}, where);
  auto assumptions = ordered_json::array();
  std::set<std::string> all = one.assumptions;
  all.insert(other.assumptions.begin(), other.assumptions.end());
  all.insert(equality.assumptions().begin(), equality.assumptions().end());
  if (elements.reordered()) all.insert("sums of floats may be taken in any order");
  for (const std::string &a : all) assumptions.push_back(a);
  return {{{"verdict", "proved"}, {"assumptions", assumptions}}, HTP_NONE, false};
}

Verdict verdict(const Context &c, Nodes before, Nodes after, Streams streams) {
  bool moves = false;
  Verdict is = compared(c, before, after, streams, moves);
  is.moves = moves;
  return is;
}

// The root has two functions, whose bodies are the programs. Any other program is held against itself: what is proved
// of it is that it can be read.
Result equivalence(const Context &c, Node root, const Sink &sink) {
  const auto module = c.as<ast::Module>(root);
  if (!module) return c.result();
  const auto body = module.body();
  const bool pair = body.size() == 2 && c.is(body[0], HTP_FunctionDef) && c.is(body[1], HTP_FunctionDef);
  if (const Node key = pair ? body[1] : c.entry_function(root)) {
    const Nodes before = pair ? c.get<ast::FunctionDef>(body[0]).body() : body;
    const Nodes after = pair ? c.get<ast::FunctionDef>(body[1]).body() : body;
    Verdict is = verdict(c, before, after, Streams::events);
    if (is.moves && !is.proved()) is = verdict(c, before, after, Streams::transfers);
    if (is.at) {
      sink.string(is.at, "at");
      is.json["at"] = "at";
    }
    sink.string(key, is.json.dump());
  }
  return c.result();
}

constexpr htp_unit units[] = {analysis_unit<equivalence>("tile.equivalence")};
constexpr std::array<htp_diag_info, 0> diagnostics{};

} // namespace
} // namespace htp::validator

HTP_PLUGIN("htp.validator-tile", "0.1.0", htp::validator::units, htp::validator::diagnostics)
