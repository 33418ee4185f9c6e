// Streams between a tensor and cores, and fifos between cores: a stream's contents are what was acquired and released.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

std::optional<Value> Reader::streams(const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  if (name == "feed" || name == "collect") {
    if (positional.size() < 3) return std::nullopt;
    const int tensor = memory_of(positional[0]);
    std::vector<Term> args{name == "feed" ? contents(tensor, n)
                                          : t.make(Op::text, memories_[static_cast<size_t>(tensor)].name, {})};
    for (const Node a : positional.subspan(1)) args.push_back(term(a));
    for (const auto &[keyword, x] : g.named) {
      const Term given_as = term(x);
      if (keyword == "column") { // where it enters the array
        const int64_t columns = device_ ? t.constant(t.at(device_).args[1]).value_or(0) : 0;
        if (const auto at = t.constant(given_as); !at || *at < 0 || *at >= columns)
          fail(n, "a column that the array does not have");
      } else {
        args.push_back(t.make(Op::tuple, keyword, {given_as}));
      }
    }
    const Term block = term(positional[2]);
    if (!t.is(block, Op::tuple)) return std::nullopt;
    const Type type{memories_[static_cast<size_t>(tensor)].type.dtype, t.at(block).args};
    const Term made_as = t.apply(name, std::move(args));
    streams_.push_back(made_as);
    const int m = make_memory(name, {}, made_as);
    Memory &made = memories_[static_cast<size_t>(m)];
    made.type = type;
    made.stream = name == "feed" ? 'f' : 'c';
    made.tensor = tensor;
    return Value{0, m, HTP_NONE};
  }
  if (name == "fifo" && positional.size() == 5 && g.named.empty()) {
    std::vector<Term> args{t.symbol("htp." + dtype_of(positional[0]))};
    for (const Node a : positional.subspan(1)) args.push_back(term(a));
    const Term block = args[1];
    if (!t.is(block, Op::tuple)) return std::nullopt;
    const Term made_as = t.apply("fifo", std::move(args));
    streams_.push_back(made_as);
    const int m = make_memory(name, {dtype_of(positional[0]), t.at(block).args}, made_as);
    memories_[static_cast<size_t>(m)].stream = 'q';
    return Value{0, m, HTP_NONE};
  }
  if ((name == "acquire" || name == "release") && positional.size() == 2 && g.named.empty()) {
    const int stream = memory_of(positional[0]);
    const Memory made = memories_[static_cast<size_t>(stream)];
    const auto m = static_cast<size_t>(stream);
    if (!made.stream) fail(n, "a stream of a kind that has no meaning here");
    const Term core = term(positional[1]);
    if (name == "acquire") {
      if (held_.contains(stream)) fail(n, "a block is acquired while another one is held");
      const Term block = t.apply(made.stream == 'c' ? "slot" : "acquired", {s->holds[m], core}, made.type);
      s->holds[m] = t.apply("acquiring", {s->holds[m], core});
      const int to = make_memory("block", made.type, block);
      held_[stream] = to;
      return Value{0, to, HTP_NONE};
    }
    const auto held = held_.find(stream);
    if (held == held_.end()) fail(n, "a block is released that is not held");
    std::vector<Term> args{s->holds[m], core};
    const auto block = static_cast<size_t>(held->second);
    if (made.stream != 'f') args.push_back(s->holds[block]);
    s->holds[m] = t.apply("released", std::move(args));
    s->holds[block] = t.garbage(made.type);
    held_.erase(held);
    return value(t.symbol("None"));
  }
  return std::nullopt;
}

} // namespace htp::validator
