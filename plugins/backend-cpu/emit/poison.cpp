#include "poison.h"

#include <algorithm>
#include <optional>
#include <set>

namespace htp::cpu::ready {

namespace {

class Poisoned {
public:
  Poisoned(const Tree &reader, const Constants &constants) : t(reader), constants_(constants) {}

  Poisons run(const std::vector<Statement> &body) {
    find_reassigned(body);
    walk(body);
    return std::move(found_);
  }

private:
  // What is written of a dimension: one index, or those of `range(node)`.
  struct Piece {
    bool range = false;
    Node node = HTP_NONE;
  };
  using Written = std::vector<Piece>;

  void find_reassigned(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer && !s.declares) reassigned_.insert(s.name);
      find_reassigned(s.body), find_reassigned(s.orelse);
    }
  }

  // ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────────

  void walk(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      ++now_;
      switch (s.kind) {
      case Statement::Kind::integer: since_[s.name] = now_; break;
      case Statement::Kind::alloc: begin(s.memory); break;
      case Statement::Kind::slot:
        if (s.puts && s.memory) begin(s.memory), claimed_[{s.channel, indices_of(s)}] = s.memory;
        break;
      case Statement::Kind::done: published(s); break;
      case Statement::Kind::put: written(s.memory, s.index); break;
      case Statement::Kind::get: read(s.memory, s.index); break;
      case Statement::Kind::order: {
        std::vector<Piece> line(s.index.size());
        for (size_t d = 0; d < line.size(); ++d) line[d].node = s.index[d];
        line.push_back({true, s.test});
        whole(s.source, line);
        line.back().node = s.stop;
        if (begun(s.memory)) set(s.memory, std::move(line));
        break;
      }
      case Statement::Kind::loop: loop(s); break;
      case Statement::Kind::branch: apart(s.body), apart(s.orelse); break;
      case Statement::Kind::repeat: apart(s.body); break;
      case Statement::Kind::process:
        for (const std::string &index : s.indices) since_[index] = now_;
        walk(s.body);
        break;
      default: break;
      }
    }
  }
  void apart(const std::vector<Statement> &body) {
    const size_t before = order_.size();
    walk(body);
    while (order_.size() > before) unset();
  }
  // A loop whose variable is an index of what an iteration writes writes all of that dimension. One that is none may
  // have no iterations.
  void loop(const Statement &s) {
    const size_t before = order_.size();
    since_[s.name] = now_;
    loops_.push_back(&s);
    walk(s.body);
    loops_.pop_back();
    std::vector<std::pair<const Memory *, Written>> kept;
    for (; order_.size() > before; unset()) {
      const Memory *m = order_.back();
      Written pieces = written_[m];
      bool indexed = false, gone = begun_[m] > since_[s.name];
      for (Piece &piece : pieces)
        if (!piece.range && t.name_of(piece.node) == s.name && counts(s)) piece = {true, s.stop}, indexed = true;
      for (const Piece &piece : pieces) gone |= !known_since(piece.node, since_[s.name]);
      if (indexed && !gone) kept.emplace_back(m, std::move(pieces));
    }
    for (auto &[m, pieces] : kept) set(m, std::move(pieces));
  }
  bool counts(const Statement &s) const {
    Value v;
    return !s.step && (!s.start || (constants_.number(s.start, v) && !v.real && v.digits.empty() && v.i == 0));
  }

  // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

  void begin(const Memory *m) { begun_[m] = now_; }
  bool begun(const Memory *m) const { return begun_.contains(m) && !written_.contains(m); }
  void set(const Memory *m, Written pieces) {
    written_[m] = std::move(pieces);
    order_.push_back(m);
  }
  void unset() {
    written_.erase(order_.back());
    order_.pop_back();
  }
  void written(const Memory *m, const std::vector<Node> &index) {
    if (!begun(m)) return;
    Written pieces;
    for (const Node n : index) {
      if (!settled(n)) return;
      pieces.push_back({false, n});
    }
    set(m, std::move(pieces));
  }
  void read(const Memory *m, const std::vector<Node> &index) {
    Written pieces;
    for (const Node n : index) {
      const auto variable =
          std::find_if(loops_.rbegin(), loops_.rend(), [&](const Statement *l) { return l->name == t.name_of(n); });
      const bool counted = variable != loops_.rend() && counts(**variable) && settled((*variable)->stop);
      pieces.push_back({false, n});
      ranges_.push_back(counted ? (*variable)->stop : HTP_NONE);
    }
    whole(m, pieces);
    ranges_.clear();
  }
  void published(const Statement &s) {
    const auto claimed = s.puts ? claimed_.find({s.channel, indices_of(s)}) : claimed_.end();
    if (claimed == claimed_.end()) return;
    Written all;
    for (const Node extent : claimed->second->extents) all.push_back({true, extent});
    whole(claimed->second, all);
    claimed_.erase(claimed);
  }

  // Whether what is wanted of it was written; else it is poisoned, where a few ints do not say that it was.
  void whole(const Memory *m, const Written &wanted) {
    if (!begun_.contains(m)) return;
    const auto found = written_.find(m);
    if (found == written_.end()) return always(m);
    Poison poison;
    for (size_t d = 0; d < wanted.size(); ++d) {
      const Piece &is = found->second[d], &want = wanted[d];
      if (one(m->extents[d])) continue;
      if (same(is.node, want.node) && (is.range == want.range)) continue;
      if (!is.range) return always(m);
      if (same(is.node, m->extents[d])) continue;
      if (d < ranges_.size() && ranges_[d] && same(is.node, ranges_[d])) continue;
      if (!known_since(is.node, begun_[m])) return always(m);
      poison.unless.emplace_back(is.node, m->extents[d]);
    }
    if (poison.unless.empty()) return;
    const auto [it, fresh] = found_.try_emplace(m, poison);
    if (!fresh && !it->second.unless.empty())
      for (const auto &condition : poison.unless)
        if (std::find(it->second.unless.begin(), it->second.unless.end(), condition) == it->second.unless.end())
          it->second.unless.push_back(condition);
  }
  void always(const Memory *m) { found_[m].unless.clear(); }

  // ── ints ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  // Whether an int has one value while its names are known.
  bool settled(Node n) const {
    bool once = true;
    t.each(n, [&](Node m) { once &= !reassigned_.contains(t.name_of(m)); });
    return once;
  }
  // Whether its names were known at that time already.
  bool known_since(Node n, size_t then) const {
    bool known = settled(n);
    t.each(n, [&](Node m) {
      const auto name = since_.find(t.name_of(m));
      known &= name == since_.end() || name->second < then;
    });
    return known;
  }
  bool same(Node a, Node b) const {
    Value v, w;
    if (a == b) return true;
    const bool one = constants_.number(a, v), other = constants_.number(b, w);
    if (one || other) return one && other && v.i == w.i;
    return t.kind(a) == t.kind(b) && t.show(a) == t.show(b);
  }
  bool one(Node n) const {
    Value v;
    return constants_.number(n, v) && !v.real && v.i == 1;
  }
  std::string indices_of(const Statement &s) const {
    std::string text;
    for (const Node n : s.channel_index) text += t.show(n) + ",";
    return text;
  }

  const Tree &t;
  const Constants &constants_;
  Poisons found_;
  std::set<std::string, std::less<>> reassigned_;
  std::map<std::string, size_t, std::less<>> since_; // when a name was bound last
  size_t now_ = 0;
  std::map<const Memory *, size_t> begun_;
  std::map<const Memory *, Written> written_;
  std::vector<const Memory *> order_; // in which they were written
  std::vector<const Statement *> loops_;
  std::vector<Node> ranges_; // of what is read: where each index is the variable of a `range(n)`, that
  std::map<std::pair<const Channel *, std::string>, const Memory *> claimed_;
};

} // namespace

Poisons find_poisons(const Tree &t, const Constants &constants, const std::vector<Statement> &body) {
  return Poisoned(t, constants).run(body);
}

unsigned poison_byte(const DType &dtype) {
  return dtype.kind == Class::floating ? 0xFF : dtype.kind == Class::boolean ? 0x01 : 0xAA;
}

} // namespace htp::cpu::ready
