// Channels, arrays of them, events: what a process does with them is its past.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

Value Reader::channel(const char *what, const Given &g) {
  moves_ = true;
  std::vector<Term> args{t.make(Op::text, std::to_string(channels_++), {})};
  std::vector<std::pair<Term, Term>> extents; // and of what it is a block
  for (const Node a : g.positional) {
    const std::string name = symbol_of(a);
    const auto tiles = c.as<ast::Call>(a);
    if (tiles && symbol_of(tiles.func()) == "htp_tile.tiles" && tiles.args().size() == 2) {
      args.push_back(term(tiles.args()[1]));
      extents.emplace_back(args.back(), term(tiles.args()[0]));
    } else {
      args.push_back(name.empty() ? term(a) : t.symbol(name));
      if (name.empty()) extents.emplace_back(args.back(), 0);
    }
  }
  for (const auto &[keyword, x] : g.named) args.push_back(t.make(Op::tuple, keyword, {term(x)}));
  const Term made = t.apply(what, std::move(args));
  if (std::string_view(what) == "channels" && !extents.empty()) extents.erase(extents.begin()); // how many
  declared_[made] = extents;
  observed_.push_back({"channel", made});
  return value(made);
}

std::optional<Value> Reader::channels(const std::string &of, const std::string &name, const Given &g, Node n) {
  if (name == "channel" || name == "channels" || name == "event") return channel(name.c_str(), g);
  const Nodes positional(g.positional.data(), g.positional.size());
  if (!g.named.empty() || positional.empty()) return std::nullopt;
  if (name == "lane") {
    std::vector<Term> args{channel_of(positional[0])};
    for (const Node i : positional.subspan(1)) args.push_back(term(i));
    return value(t.apply("lane", std::move(args)));
  }
  if (of == "csp" && name == "put" && positional.size() >= 2) {
    const Term to = channel_of(positional[0]), x = term(positional[1]);
    std::vector<Term> extents;
    for (const Node e : positional.subspan(2)) extents.push_back(extent_of(term(e), e));
    if (!t.type_of(x).known() || !same_extents(extents, t.type_of(x).extents))
      fail(n, "extents of what is put are not shown to be those that are named");
    put(to, x, n);
    return value(t.symbol("None"));
  }
  if (of == "csp" && name == "get") {
    const Term from = channel_of(positional[0]);
    Type type{dtype_of_channel(from), {}};
    if (positional.size() < 2) fail(n, "an item whose extents are not known");
    for (const Node e : positional.subspan(1)) type.extents.push_back(extent_of(term(e), e));
    return value(get(from, type, n));
  }
  if (of == "aie" && name == "put" && positional.size() == 2) {
    const Term to = channel_of(positional[0]);
    put(to, term(positional[1]), n);
    return value(t.symbol("None"));
  }
  if (of == "aie" && name == "get" && positional.size() == 2) {
    const int target = memory_of(positional[0]);
    const Term from = channel_of(positional[1]);
    Type type = memories_[static_cast<size_t>(target)].type;
    if (type.dtype != dtype_of_channel(from)) fail(n, "an item of another dtype");
    write(target, get(from, type, n), n);
    return value(t.symbol("None"));
  }
  if (name == "signal" || name == "meet" || name == "close" || name == "drop") {
    if (positional.size() != 1) return std::nullopt;
    happens(name.c_str(), {channel_of(positional[0])}, n);
    return value(t.symbol("None"));
  }
  return std::nullopt;
}

Value Reader::method(Term channel, const std::string &name, const Given &g, Node n) {
  if (!g.named.empty() || g.positional.size() != (name == "put" ? 1 : 0))
    fail(n, "`" + c.show(n) + "` has no meaning here");
  if (name == "put") {
    put(channel, term(g.positional[0]), n);
    return value(t.symbol("None"));
  }
  if (name == "signal" || name == "meet" || name == "close" || name == "drop") {
    happens(name.c_str(), {channel}, n);
    return value(t.symbol("None"));
  }
  if (name != "get") fail(n, "`" + c.show(n) + "` has no meaning here");
  Term base = channel;
  while (t.at(base).tag == "lane") base = t.at(base).args[0];
  const auto declared = declared_.find(base);
  if (declared == declared_.end()) fail(n, "an item whose extents are not known");
  Type type{dtype_of_channel(channel), {}};
  for (const auto &[size, over] : declared->second) {
    if (!over) {
      type.extents.push_back(size);
      continue;
    }
    Term found = 0;
    for (const Term b : blocks_) {
      const Term at = t.at(b).args[0];
      if (!t.is(at, Op::variable)) continue;
      const Loop loop = t.loops[static_cast<size_t>(t.at(at).numbers[0])];
      if (t.constant(loop.low) == 0 && loop.high == over && loop.step == size) found = t.at(b).args[1];
    }
    if (!found) fail(n, "an item whose extents are not known");
    type.extents.push_back(found);
  }
  return value(get(channel, type, n));
}

Term Reader::channel_of(Node n) {
  const Term x = term(n);
  const std::string &tag = t.at(x).tag;
  if (!t.is(x, Op::apply) || (tag != "channel" && tag != "lane" && tag != "channels" && tag != "event"))
    fail(n, "`" + c.show(n) + "` is not a channel");
  return x;
}

std::string Reader::dtype_of_channel(Term channel) const {
  while (t.at(channel).tag == "lane") channel = t.at(channel).args[0];
  for (const Term a : t.at(channel).args)
    if (t.is(a, Op::symbol) && t.at(a).tag.starts_with("htp.")) return t.at(a).tag.substr(4);
  return {};
}

void Reader::put(Term to, Term x, Node n) {
  const Type type = t.type_of(x);
  const std::string dtype = dtype_of_channel(to);
  if (type.known() ? type.dtype != dtype : !is_number(x)) fail(n, "what is put has another dtype than the channel");
  happens("put", {to, x}, n);
}

Term Reader::get(Term from, const Type &type, Node n) {
  if (!type.known() || trace_ < 0) fail(n, "a channel is used outside of processes");
  std::vector<Term> args{s->holds[static_cast<size_t>(trace_)], from};
  add_shape(args, type.extents);
  const Term item = t.apply("item", args, type);
  happens("got", {from}, n);
  return item;
}

void Reader::happens(const char *what, std::vector<Term> args, Node n) {
  if (trace_ < 0) fail(n, "a channel is used outside of processes");
  const auto m = static_cast<size_t>(trace_);
  args.insert(args.begin(), s->holds[m]);
  s->holds[m] = t.apply(what, std::move(args));
}

} // namespace htp::validator
