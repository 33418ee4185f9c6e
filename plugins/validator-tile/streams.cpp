// Streams between a tensor and cores, and fifos between cores: a stream's contents are what was acquired and released.
#include "reader.h"

#include <algorithm>

namespace htp::validator {

using namespace htp::sdk;

std::optional<Value> Reader::streams(const std::string &name, const Given &g, Node n) {
  const Nodes positional(g.positional.data(), g.positional.size());
  if (name == "feed" || name == "collect" || name == "fifo") moves_ = true;
  if (name == "feed" || name == "collect") {
    if (positional.size() < 3) return std::nullopt;
    if (concrete_) return transfer(name, g, n);
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
  if (name == "fifo" && !concrete_ && positional.size() == 5 && g.named.empty()) {
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
    if (concrete_) is_end(stream, core, n);
    if (name == "acquire") {
      if (concrete_ && held_[stream].size() >= static_cast<size_t>(transfers_.at(stream).depth))
        fail(n, "a core holds more blocks of a stream than there may be");
      const Term block = concrete_ ? arrived(stream, core, n)
                                   : t.apply(made.stream == 'c' ? "slot" : "acquired", {s->holds[m], core}, made.type);
      if (!concrete_) s->holds[m] = t.apply("acquiring", {s->holds[m], core});
      const int to = make_memory("block", made.type, block);
      held_[stream].push_back(to);
      return Value{0, to, HTP_NONE};
    }
    const auto held = held_.find(stream);
    if (held == held_.end()) fail(n, "a block is released that is not held");
    const auto block = static_cast<size_t>(held->second.front()); // the one that was acquired first
    if (concrete_) {
      if (made.stream != 'f') leaves(stream, core, static_cast<int>(block), n);
    } else {
      std::vector<Term> args{s->holds[m], core};
      if (made.stream != 'f') args.push_back(s->holds[block]);
      s->holds[m] = t.apply("released", std::move(args));
    }
    s->holds[block] = t.garbage(made.type);
    held->second.erase(held->second.begin());
    if (held->second.empty()) held_.erase(held);
    return value(t.symbol("None"));
  }
  return std::nullopt;
}

namespace {

constexpr int64_t most_number = int64_t{1} << 31;

} // namespace

Value Reader::transfer(const std::string &name, const Given &g, Node n) {
  no_more(g, {"start", "column", "link", "pieces", "fill"}, n);
  const bool feeds = name == "feed";
  if (g.positional.size() != 7) fail(n, "a stream that has no meaning here");
  const int tensor = memory_of(g.positional[0]);
  const Memory of = memories_[static_cast<size_t>(tensor)];
  const auto number = [&](Term x) {
    const auto k = t.constant(x);
    if (!k || *k < 0 || *k >= most_number) fail(n, "a stream that has no meaning here");
    return *k;
  };
  const auto items = [&](Term x) {
    if (!t.is(x, Op::tuple)) fail(n, "a stream that has no meaning here");
    return t.at(x).args;
  };
  const auto asked = [&](const char *keyword) {
    const auto it = g.named.find(keyword);
    return it == g.named.end() ? Node{HTP_NONE} : it->second;
  };
  Transfer made;
  const std::vector<Term> to = items(term(g.positional[1])), block = items(term(g.positional[2]));
  for (const Term e : to) made.padded.push_back(number(e));
  for (const Term e : block) made.block.push_back(number(e));
  for (const Term one : items(term(g.positional[3]))) {
    const auto pair = items(one);
    if (pair.size() != 2 || number(pair[0]) < 1) fail(n, "a stream that has no meaning here");
    made.order.emplace_back(number(pair[0]), number(pair[1]));
  }
  made.apart = number(term(g.positional[4]));
  if (const Node start = asked("start")) made.start = number(term(start));
  const Term share = term(g.positional[5]);
  for (const Term one : t.is(share, Op::tuple) ? t.at(share).args : std::vector<Term>{share}) {
    if (!t.is(one, Op::text) || t.at(one).tag.empty()) fail(n, "a stream that has no meaning here");
    made.share += (made.share.empty() ? "" : "\n") + t.at(one).tag;
  }
  if (!device_ || (t.is(share, Op::tuple) && (!feeds || !made.one()))) fail(n, "a stream that has no meaning here");
  made.depth = number(term(g.positional[6]));
  made.columns = number(t.at(device_).args[1]), made.rows = number(t.at(device_).args[2]);
  const Node cut = asked("pieces");
  made.pieces = pieces_of(cut ? term(cut) : t.make(Op::tuple, "", {}), of.type.extents, to, n);
  if (const Node column = asked("column"); column && number(term(column)) >= made.columns)
    fail(n, "a column that the array does not have");
  if (made.depth < 1 || (!feeds && (made.share == "all" || made.share == "rows")))
    fail(n, "a stream that has no meaning here");
  if (std::any_of(made.block.begin(), made.block.end(), [](int64_t e) { return e < 1; }))
    fail(n, "a stream that has no meaning here");
  if (made.block.empty() || made.order.empty() || !made.blocks()) fail(n, "a stream that is not made of whole blocks");
  if (const Node link = asked("link")) {
    const Term name = term(link);
    if (!t.is(name, Op::text) || !made.one()) fail(n, "a link that has no meaning here");
    const auto [it, _] = links_.try_emplace({t.at(name).tag, feeds}, made.blocks());
    if (it->second != made.blocks()) fail(n, "streams of a link that have other numbers of blocks");
  }
  const Type padded{of.type.dtype, to};
  const int m = make_memory(of.name, {of.type.dtype, block}, t.symbol("None"));
  memories_[static_cast<size_t>(m)].stream = feeds ? 'f' : 'c';
  memories_[static_cast<size_t>(m)].tensor = tensor;
  if (feeds) {
    made.holds = with_padding(contents(tensor, n), of.type, to, filling(of.type.dtype, asked("fill")), made.pieces);
    t.type(made.holds, padded);
  } else {
    // All that is collected of a tensor goes to one with padding, each element once: in whichever order.
    auto &all = collected_[tensor];
    if (all.to < 0) {
      const Term holds = with_padding(contents(tensor, n), of.type, to, t.integer(0), made.pieces);
      all.to = make_memory(of.name, padded, holds);
      Memory &room = memories_[static_cast<size_t>(all.to)];
      room.padded = tensor, room.pieces = made.pieces, room.begun = holds;
      t.type(holds, padded);
    }
    made.to = all.to;
    if (memories_[static_cast<size_t>(all.to)].type.extents != to ||
        memories_[static_cast<size_t>(all.to)].pieces != made.pieces || !made.apart_from(all.taken))
      fail(n, "what is collected twice, or in a way that has no meaning here");
  }
  transfers_[m] = std::move(made);
  s->counts[{m}] = t.integer(0);
  return {0, m, HTP_NONE};
}

Place Reader::place_of(int stream, Term count, Term core, Node n) {
  const Transfer &of = transfers_.at(stream);
  const bool named = is_end(stream, core, n);
  Transfers transfers(t);
  std::vector<Term> local;
  for (size_t k = 0; k < of.block.size(); ++k) local.push_back(of.block[k] == 1 ? t.integer(0) : transfers.local(k));
  const Term none = t.integer(0);
  return transfers.place(of, count, named ? none : t.at(core).args[0], named ? none : t.at(core).args[1], local);
}

bool Reader::is_end(int stream, Term core, Node n) {
  const Transfer &of = transfers_.at(stream);
  const bool named = t.at(core).args.size() == 1;
  const std::vector<std::string> ends = of.ends();
  const bool good = t.is(core, Op::apply) && t.at(core).tag == "core" && named == of.one() &&
                    (!named || std::find(ends.begin(), ends.end(), process_) != ends.end());
  if (!good) fail(n, "a core that is at no end of a stream");
  return named;
}

// All that comes is taken, and all that is collected is there.
void Reader::all_moved(const std::map<std::vector<int>, Term> &before, Node n) {
  for (const auto &[stream, count] : s->counts) {
    const auto begun = before.find(stream);
    if (begun == before.end()) fail(n, "a stream that is made by a core");
    if (begun->second == count) continue;
    const Transfer &of = transfers_.at(stream[0]);
    if (count != t.integer(of.blocks())) fail(n, "a stream of which other numbers of blocks come and are taken");
    taken_[stream[0]].push_back(of.one() ? process_ : of.share);
  }
}

void Reader::end_streams() {
  for (const auto &[stream, of] : transfers_) {
    auto by = taken_[stream], ends = of.ends();
    std::sort(by.begin(), by.end());
    std::sort(ends.begin(), ends.end());
    if (by != ends) fail(HTP_NONE, "a stream that is not taken by each core at its end");
  }
}

Term Reader::counted(int stream, Node n) {
  const auto it = s->counts.find({stream});
  if (it == s->counts.end()) fail(n, "how many blocks of a stream have come is not known");
  const Term count = it->second;
  it->second = t.add(count, t.integer(1));
  return count;
}

Term Reader::arrived(int stream, Term core, Node n) {
  const Memory made = memories_[static_cast<size_t>(stream)];
  const Term count = counted(stream, n);
  if (made.stream == 'c') {
    sent_[stream].push_back(count);
    std::vector<Term> args{t.symbol("htp." + made.type.dtype)};
    args.insert(args.end(), made.type.extents.begin(), made.type.extents.end());
    return t.apply("nothing", std::move(args), made.type);
  }
  const Transfer of = transfers_.at(stream);
  const Place at = place_of(stream, count, core, n);
  const Type padded = t.type_of(of.holds);
  if (!at.slices.empty() && !at.turned) {
    const Term x = load(of.holds, padded, at.slices, 0);
    if (without_ones(t.type_of(x).extents) == without_ones(made.type.extents)) return reshaped(x, made.type.extents);
  }
  return t.apply("fed", {of.holds, t.make(Op::tuple, "", at.index)}, made.type);
}

void Reader::leaves(int stream, Term core, int block, Node n) {
  auto &sent = sent_[stream];
  const Term count = sent.front();
  sent.erase(sent.begin());
  const Place at = place_of(stream, count, core, n);
  if (at.slices.empty()) fail(n, "where a block of a stream goes has no meaning here");
  Term x = contents(block, n);
  if (at.turned) {
    Type type{t.type_of(x).dtype, extents_at(at.slices)};
    x = t.apply("fed", {x, t.make(Op::tuple, "", at.local)}, std::move(type));
  }
  store(transfers_.at(stream).to, x, at.slices, n);
}

// How many blocks of a stream statements take, if that is known.
std::optional<int64_t> Reader::taken(Nodes body, int stream) {
  int64_t all = 0;
  for (const Node n : body) {
    const auto inner = [&](Nodes of) { return taken(of, stream); };
    if (const auto f = c.as<ast::For>(n)) {
      const auto each = inner(f.body());
      if (!each) return std::nullopt;
      if (*each == 0) continue;
      const auto times = times_of(f.iter());
      if (!times) return std::nullopt;
      all += *each * *times;
      continue;
    }
    if (const auto i = c.as<ast::If>(n)) {
      const auto one = inner(i.body()), other = inner(i.orelse());
      if (!one || one != other) return std::nullopt;
      all += *one;
      continue;
    }
    bool good = true;
    c.each(n, [&](Node x) {
      const auto call = c.as<ast::Call>(x);
      if (!call || symbol_of(call.func()) != "htp_aie.acquire" || call.args().empty()) return;
      const auto it = c.is(call.args()[0], HTP_Name) ? s->names.find(c.name_of(call.args()[0])) : s->names.end();
      if (it == s->names.end())
        good = false;
      else if (it->second.memory == stream)
        ++all;
    });
    if (!good) return std::nullopt;
  }
  return all;
}

std::optional<int64_t> Reader::times_of(Node iter) {
  const auto call = c.as<ast::Call>(iter);
  if (!call || symbol_of(call.func()) != "range" || call.args().empty() || call.args().size() > 3) return std::nullopt;
  std::vector<int64_t> of;
  for (const Node a : call.args()) {
    std::optional<int64_t> k;
    if (c.is(a, HTP_Constant)) k = t.constant(term(a));
    if (!k) return std::nullopt;
    of.push_back(*k);
  }
  const int64_t low = of.size() == 1 ? 0 : of[0], high = of.size() == 1 ? of[0] : of[1],
                step = of.size() == 3 ? of[2] : 1;
  if (step < 1) return std::nullopt;
  return high <= low ? 0 : (high - low + step - 1) / step;
}

} // namespace htp::validator
