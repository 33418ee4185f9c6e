// What a core reads is there: what was written, and no block of a stream that it gave back.
#include "verify/arrivals.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace htp::aie {

namespace {

const Tile &buffer_of(const Tile &t) { return t.whole ? *t.whole : t; }

class Parts {
public:
  explicit Parts(const Refuse &refuse) : refuse_(refuse) {}

  bool block(const std::vector<Statement> &body) {
    return std::all_of(body.begin(), body.end(), [&](const Statement &s) { return statement(s); });
  }

private:
  bool no(Node where, const Refusal &why) const {
    refuse_(where, why);
    return false;
  }
  bool statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::loop: return loop(s);
    case Statement::Kind::buffer: // in each turn anew
      written_.erase(s.tile);
      return true;
    case Statement::Kind::acquire:
      held_[s.stream].push_back(s.tile);
      gone_.erase(s.tile);
      if (s.takes)
        written_.insert(s.tile);
      else
        written_.erase(s.tile);
      return true;
    case Statement::Kind::release: return release(s);
    case Statement::Kind::call: return call(s);
    }
    return true;
  }
  // Turns are alike as soon as one leaves what is held as it was; until then each is gone through.
  bool loop(const Statement &s) {
    for (int64_t turn = 0; turn < s.times; ++turn) {
      const auto before = held_;
      if (!block(s.body)) return false;
      if (held_ == before) break;
    }
    return true;
  }
  bool release(const Statement &s) {
    auto &held = held_[s.stream];
    const Tile *part = held.front(); // the reader has counted them
    held.pop_front();
    gone_[part] = s.stream;
    return s.takes || written_.contains(part) ||
           no(s.node, Refusal(diag::unwritten_block, part->name, s.stream->name)
                          .with("write to `" + part->name + "` before it is released"));
  }
  bool call(const Statement &s) {
    // A call has its results among its operands.
    const auto made = [&](size_t k) { return s.external && s.external->arguments[k].result >= 0; };
    const bool adds = s.name == "matmul" || s.name == "mmul"; // up in place
    if (adds && !there(s, *s.tile, true)) return false;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const bool read = !made(k) || k < s.external->parameters;
      if (const Tile *tile = s.operands[k].tile; tile && !there(s, *tile, read)) return false;
    }
    if (!s.external && !there(s, *s.tile, false)) return false;
    for (size_t k = 0; k < s.operands.size(); ++k)
      if (s.operands[k].tile && made(k)) written_.insert(&buffer_of(*s.operands[k].tile));
    if (!s.external) written_.insert(&buffer_of(*s.tile));
    return true;
  }
  bool there(const Statement &s, const Tile &used, bool read) const {
    const Tile &tile = buffer_of(used);
    if (const auto it = gone_.find(&tile); it != gone_.end())
      return no(s.node, Refusal(diag::released, tile.name, it->second->name)
                            .with("write `aie.release(" + it->second->name + ", core)` behind its last use"));
    if (!read || written_.contains(&tile)) return true;
    const bool between = tile.stream && !tile.stream->tensor;
    return no(s.node, Refusal(diag::unwritten_tile,
                              "`" + tile.name + "`" + (tile.stream ? ", a block of `" + tile.stream->name + "`," : ""))
                          .with("write to `" + tile.name + "` before it is read" +
                                (between ? "; of a FIFO's two cores the first writes, and the second reads" : "")));
  }

  const Refuse &refuse_;
  std::map<const Stream *, std::deque<const Tile *>> held_;
  std::map<const Tile *, const Stream *> gone_; // given back
  std::set<const Tile *> written_;
};

} // namespace

bool blocks_arrive(const Program &program, const Refuse &refuse) {
  return std::all_of(program.cores.begin(), program.cores.end(),
                     [&](const Core &core) { return Parts(refuse).block(core.body); });
}

} // namespace htp::aie
