// Whether instructions read tiles that something has written before.
#include "analyses/program.h"

#include <algorithm>
#include <array>

namespace htp::a2a3 {

namespace {

class Written {
public:
  Written(const Context &context, const Kernel &kernel)
      : c(context), k_(kernel), placed_(kernel.stage >= Stage::placed) {
    number(kernel.body);
  }
  bool run() const { return block(k_.body); }

private:
  struct Write {
    const Tile *tile;
    size_t at;
    size_t body = 0; // in which statements it stands
  };
  // Numbers all statements, and collects what they write and which loops they stand in.
  void number(const std::vector<Statement> &body) {
    const size_t own = ++count_;
    for (const Statement &s : body) {
      bodies_[&s] = own;
      const size_t at = places_.size(), work = work_of(s.instruction) - 1;
      places_[&s] = at;
      if (s.kind == Statement::Kind::tile) {
        declared_[s.tile] = at;
        if (!s.tile->kept) spoils_.push_back({s.tile, at, own});
      }
      if (s.kind == Statement::Kind::instruction) {
        if (!s.tensor || !transfer_of(s.instruction)->writes) writes_.push_back({s.tile, at, own});
        // Scratch holds nothing afterwards.
        if (work < s.operands.size() && s.operands[work].tile) spoils_.push_back({s.operands[work].tile, at, own});
      }
      const size_t inner = count_ + 1;
      number(s.body);
      const size_t middle = places_.size();
      number(s.otherwise);
      if (s.kind == Statement::Kind::branch) branches_.push_back({at, middle, places_.size()});
      if (s.kind == Statement::Kind::loop) rounds_[inner] = loops_.emplace_back(at, places_.size());
    }
  }
  bool block(const std::vector<Statement> &body) const {
    return std::all_of(body.begin(), body.end(), [&](const Statement &s) {
      return (s.kind != Statement::Kind::instruction || instruction(s)) && block(s.body) && block(s.otherwise);
    });
  }
  // Of tiles that have no place it is the same one; of others one whose bytes may be among it.
  bool meets(const Tile &a, const Tile &b) const {
    if (!placed_) return &a == &b;
    return a.space == b.space && a.offset < b.offset + b.apart + b.bytes() && b.offset < a.offset + a.apart + a.bytes();
  }
  // Whether they stand in the two ways of a branch.
  bool apart(size_t one, size_t other) const {
    return std::any_of(branches_.begin(), branches_.end(), [&](const std::array<size_t, 3> &b) {
      const auto [from, middle, to] = b;
      return from < std::min(one, other) && std::min(one, other) < middle && middle <= std::max(one, other) &&
             std::max(one, other) < to;
    });
  }
  // A write counts that stands before, or in a loop around both; what keeps nothing is a new tile where it is declared.
  bool written(const Statement &s, const Tile &t) const {
    const size_t at = places_.find(&s)->second, declared = declared_.find(&t)->second;
    const bool keeps = placed_ && t.kept;
    return std::any_of(writes_.begin(), writes_.end(), [&](const Write &w) {
      if (!meets(*w.tile, t)) return false;
      if (w.at < at && (keeps || w.at > declared) && !apart(w.at, at)) return true;
      return again(at, w.at, t);
    });
  }
  // Whether a loop comes from the one to the other, and finds the same tile.
  bool again(size_t at, size_t written, const Tile &t) const {
    const size_t declared = declared_.find(&t)->second;
    return std::any_of(loops_.begin(), loops_.end(), [&](const auto &l) {
      const auto holds_it = [&](size_t n) { return l.first < n && n < l.second; };
      return holds_it(at) && holds_it(written) && ((placed_ && t.kept) || !holds_it(declared));
    });
  }
  bool instruction(const Statement &s) const {
    const htp_intrinsic *row = c.intrinsic("pto." + s.instruction);
    if (!row) return true;
    std::vector<const Tile *> reads;
    const bool stores = s.tensor && transfer_of(s.instruction)->writes;
    const bool adds =
        std::string_view(row->effects).starts_with("read") && !s.test && std::string_view(row->rule) != "insert";
    if (stores || (!s.tensor && adds)) reads.push_back(s.tile);
    for (size_t k = 0; k < s.operands.size(); ++k)
      if (s.operands[k].tile && k + 1 != work_of(s.instruction)) reads.push_back(s.operands[k].tile);
    // A sum that begins where a test holds goes on in later iterations.
    const bool goes_on =
        !placed_ || !s.test || s.tensor || again(places_.find(&s)->second, places_.find(&s)->second, *s.tile);
    if (!goes_on) reads.push_back(s.tile);
    for (const Tile *t : reads)
      if ((t == s.tile && !goes_on) || !written(s, *t)) {
        c.report(diag::unwritten, s.node, s.instruction, t->name)
            .hint(t->space->cube ? "load, move or multiply what it shall hold before"
                                 : "fill it, `pto.texpands(" + t->name + ", 0)`, or load it before");
        return false;
      } else if (const Tile *other = spoiled(s, *t)) {
        c.report(diag::overwritten, s.node, s.instruction, t->name, other->name)
            .hint("give `" + other->name + "` bytes of its own: another `at=`");
        return false;
      }
    return true;
  }
  // What was written over a tile since it was written itself, in the statements that read it; in those of a loop also
  // what stands behind the read, if nothing writes the tile behind that, nor before the read.
  const Tile *spoiled(const Statement &s, const Tile &t) const {
    if (!placed_ || t.apart) return nullptr;
    const size_t at = places_.find(&s)->second, body = bodies_.find(&s)->second;
    const auto between = [&](size_t from, size_t to) { // whether the tile is written behind the one, before the other
      return std::any_of(writes_.begin(), writes_.end(),
                         [&](const Write &w) { return w.tile == &t && from < w.at && w.at < to; });
    };
    if (!between(0, SIZE_MAX)) return nullptr; // it is a part of another one, and is written as such
    const auto around = rounds_.find(body);
    for (const auto *list : {&writes_, &spoils_})
      for (const Write &w : *list) {
        const Tile &o = *w.tile;
        const bool within =
            o.bytes() < t.bytes() && t.offset <= o.offset && o.offset + o.bytes() <= t.offset + t.bytes();
        if (w.body != body || &o == &t || within || !meets(o, t)) continue;
        const bool again = w.at > at && around != rounds_.end() && !between(w.at, around->second.second) &&
                           !between(around->second.first, at);
        if (again || (w.at < at && !between(w.at, at))) return &o;
      }
    return nullptr;
  }

  const Context &c;
  const Kernel &k_;
  bool placed_;
  std::map<const Statement *, size_t> places_;
  std::map<const Tile *, size_t> declared_;
  std::vector<Write> writes_, spoils_;          // spoils: of scratch
  std::vector<std::array<size_t, 3>> branches_; // where one begins, its second way, and what is behind it
  std::map<const Statement *, size_t> bodies_;
  size_t count_ = 0;                                   // of lists of statements
  std::vector<std::pair<size_t, size_t>> loops_;       // from which statement to behind which
  std::map<size_t, std::pair<size_t, size_t>> rounds_; // the same, by the statements of the loop
};

} // namespace

bool check_written(const Context &c, const Kernel &kernel) { return Written(c, kernel).run(); }

} // namespace htp::a2a3
