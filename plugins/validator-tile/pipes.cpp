// Kernels whose pipes are ordered by flags: what each instruction touches, and on which pipe.
#include "reader.h"

#include <algorithm>

namespace htp::validator {

using namespace htp::sdk;

void Reader::kernel(Nodes body, const std::string &kind, Node n) {
  if (events_ || !core_.empty()) fail(n, "a kernel within another one");
  std::vector<FlagEvent> events;
  std::set<int> before;
  std::swap(before, again_);
  events_ = &events;
  core_ = kind;
  block(body);
  core_.clear();
  events_ = nullptr;
  if (const std::string why = Flags(t, kind == "aic", again_).check(events); !why.empty()) fail(n, why);
  std::swap(before, again_);
}

void Reader::touches(const std::string &name, const Given &g, Node n) {
  FlagEvent e;
  std::vector<std::string> spaces;
  const Instruction *known = instruction_named("pto." + name);
  const std::vector<std::string> spoils = known ? words(known->spoils) : std::vector<std::string>{};
  const int site = ++sites_;
  for (size_t k = 0; k < g.positional.size(); ++k) {
    const Node a = g.positional[k];
    if (!c.is(a, HTP_Name)) { // an int, a number, or a slice of them
      const std::string called = c.is(a, HTP_Call) ? symbol_of(c.get<ast::Call>(a).func()) : "slice";
      if (c.is(a, HTP_Subscript) || c.is(a, HTP_IfExp) || c.is(a, HTP_NamedExpr) ||
          (called != "slice" && called != "min" && called != "max" && called != "float"))
        fail(a, "an operand that has no name where pipes are ordered");
      continue;
    }
    const Value v = evaluate(g.positional[k]);
    if (v.memory < 0) continue;
    const Memory &m = memories_[static_cast<size_t>(v.memory)];
    Touch one;
    one.writes = k == 0 || std::find(spoils.begin(), spoils.end(), std::to_string(k)) != spoils.end();
    one.site = site;
    if (m.space.empty()) {
      one.tensor = v.memory;
    } else {
      if (!m.address) fail(n, "a tile without an address where pipes are ordered");
      one.space = m.space, one.address = m.address, one.bytes = m.bytes;
      spaces.push_back(m.space);
    }
    e.touches.push_back(std::move(one));
  }
  const auto is = [&](size_t k, const char *space) { return k < spaces.size() && spaces[k] == space; };
  if (name == "value") {
    for (Touch &one : e.touches) one.writes = false;
    e.pipe = "S";
  } else if (name == "tload") {
    e.pipe = "MTE2";
  } else if (name == "tstore") {
    e.pipe = is(0, "acc") ? "FIX" : "MTE3";
  } else if (name == "tmov") {
    e.pipe = is(0, "ub") && is(1, "ub")                          ? "V"
             : (is(0, "left") || is(0, "right")) && is(1, "mat") ? "MTE1"
             : is(0, "mat") && is(1, "acc")                      ? "FIX"
                                                                 : "";
  } else if (name == "tmatmul" || name == "tmatmul_acc") {
    e.pipe = is(0, "acc") && is(1, "left") && is(2, "right") ? "M" : "";
  } else if (std::all_of(spaces.begin(), spaces.end(), [](const std::string &s) { return s == "ub"; })) {
    e.pipe = "V";
  }
  if (e.pipe.empty()) fail(n, "an instruction whose pipe is not known here");
  if (name != "tload" && name != "tstore" && name != "value")
    for (const Touch &one : e.touches)
      if (one.space.empty()) fail(n, "an instruction whose pipe is not known here");
  events_->push_back(std::move(e));
}

std::optional<Value> Reader::orders(const std::string &name, const Given &g, Node n) {
  const bool flag = name == "set_flag" || name == "wait_flag", barrier = name == "pipe_barrier";
  if (!flag && !barrier && name != "drain") return std::nullopt;
  if (!events_ || !g.named.empty() || g.positional.size() != (flag ? 3 : barrier ? 1 : 0))
    fail(n, "`" + c.show(n) + "` has no meaning here");
  FlagEvent e;
  const auto text = [&](size_t k) {
    std::string_view of;
    if (!c.string(g.positional[k], &of)) fail(n, "`" + c.show(n) + "` has no meaning here");
    return std::string(of);
  };
  e.kind = flag      ? (name == "set_flag" ? FlagEvent::Kind::set : FlagEvent::Kind::wait)
           : barrier ? FlagEvent::Kind::barrier
                     : FlagEvent::Kind::drain;
  if (flag || barrier) e.pipe = text(0);
  if (flag) {
    e.other = text(1);
    e.number = term(g.positional[2]);
  }
  events_->push_back(std::move(e));
  return value(t.symbol("None"));
}

} // namespace htp::validator
