// aie.elide_copies: a tile that is a copy of a block of a stream, or is copied to one, is that block. A core holds a
// block that comes until the last use of the tile, and one that goes from where the tile is made.
#include "passes.h"

#include "analyses/linking.h"
#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::aie {

namespace {

using List = std::vector<Statement>;
// For each statement the lists around it, outermost first, and its position in each.
using Position = std::vector<std::pair<const List *, size_t>>;

const Tile *whole(const Tile *t) { return t && t->whole ? t->whole : t; }

// What is done with a tile of a core.
struct Used {
  const Statement *declared = nullptr;
  std::vector<const Statement *> writes, uses; // those that write it are uses too
};

// A block that is acquired, copied to a tile or from one, and released at once. Without a tile it is dropped.
struct Moved {
  const Statement *acquire, *copy = nullptr, *release;
  const Tile *tile = nullptr;
};

class Eliding {
public:
  Eliding(const Context &context, const Program &program, const Core &core) : c(context), p_(program), core_(core) {
    look(core.body, {});
    for (const auto &[statement, at] : positions_)
      if (statement->kind == Statement::Kind::acquire) acquired(*statement);
  }

  // The core with fewer copies; its own node where there is nothing to do.
  Node run() {
    if (p_.alike)
      decide_alike();
    else {
      for (const auto &[stream, moved] : in_order(takes_)) decide_takes(moved);
      for (const auto &[stream, moved] : in_order(gives_)) decide_gives(moved);
    }
    if (gone_.empty()) return core_.node;
    auto f = c.as<ast::FunctionDef>(core_.node);
    const Nodes body = f ? f.body() : c.get<ast::For>(core_.node).body();
    return with_list(c, core_.node, f ? HTP_FIELD(FunctionDef, body) : HTP_FIELD(For, body), list(body));
  }

private:
  // ── what there is ──

  void look(const List &body, const Position &around) {
    for (size_t k = 0; k < body.size(); ++k) {
      const Statement &s = body[k];
      Position here = around;
      here.push_back({&body, k});
      if (s.kind == Statement::Kind::loop) look(s.body, here);
      positions_[&s] = std::move(here);
      if (s.kind == Statement::Kind::buffer || s.kind == Statement::Kind::acquire) used_[s.tile].declared = &s;
      if (s.kind == Statement::Kind::acquire || s.kind == Statement::Kind::release) ends_[s.stream].push_back(&s);
      if (s.kind != Statement::Kind::call) continue;
      const auto writes = [&](const Tile *t) { used_[whole(t)].writes.push_back(&s); };
      const auto uses = [&](const Tile *t) { used_[whole(t)].uses.push_back(&s); };
      if (!s.external) writes(s.tile), uses(s.tile);
      for (size_t o = 0; o < s.operands.size(); ++o) {
        if (!s.operands[o].tile) continue;
        if (s.external && s.external->arguments[o].result >= 0) writes(s.operands[o].tile);
        uses(s.operands[o].tile);
      }
    }
  }
  static bool copies(const Statement &s) {
    const Tile *from = s.kind == Statement::Kind::call && s.name == "copy" ? s.operands[0].tile : nullptr;
    return from && !from->whole && !s.tile->whole && from->dtype == s.tile->dtype && from->extents == s.tile->extents;
  }
  void acquired(const Statement &s) {
    const auto &[body, at] = positions_.at(&s).back();
    const auto next = [&](size_t by) { return at + by < body->size() ? &(*body)[at + by] : nullptr; };
    const auto releases = [&](const Statement *r) {
      return r && r->kind == Statement::Kind::release && r->stream == s.stream;
    };
    const std::vector<const Statement *> &uses = used_[s.tile].uses;
    const Statement *copy = next(1);
    Moved m{&s, nullptr, nullptr};
    if (uses.empty() && releases(copy)) {
      m.release = copy;
    } else if (uses.size() == 1 && uses[0] == copy && copies(*copy) && releases(next(2))) {
      m.copy = copy, m.release = next(2);
      m.tile = s.takes ? copy->tile : copy->operands[0].tile;
      if (m.tile->stream)
        m = {&s, nullptr, nullptr}; // of another stream
      else if (!s.takes)
        given_[copy] = m.release;
    } else if (s.takes && positions_.at(&s).size() == 1 &&
               std::all_of(uses.begin(), uses.end(),
                           [&](const Statement *u) { return copies(*u) && u->tile != s.tile; })) {
      held_.push_back(&s);
    }
    (s.takes ? takes_ : gives_)[s.stream].push_back(m);
  }
  using ByStream = std::map<const Stream *, std::vector<Moved>>;
  // By the streams' names, each in the order of the program.
  std::vector<std::pair<const Stream *, std::vector<Moved>>> in_order(const ByStream &moved) const {
    std::vector<std::pair<const Stream *, std::vector<Moved>>> all(moved.begin(), moved.end());
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first->name < b.first->name; });
    for (auto &[stream, list] : all)
      std::sort(list.begin(), list.end(),
                [&](const Moved &a, const Moved &b) { return before(*a.acquire, *b.acquire); });
    return all;
  }
  bool before(const Statement &a, const Statement &b) const {
    const Position &x = positions_.at(&a), &y = positions_.at(&b);
    for (size_t k = 0; k < std::min(x.size(), y.size()); ++k)
      if (x[k].second != y[k].second) return x[k].second < y[k].second;
    return x.size() < y.size();
  }
  // Where a statement stands in a list: its position, or that of the loop around it; nothing elsewhere.
  std::optional<size_t> within(const Statement *s, const List *list) const {
    for (const auto &[body, at] : positions_.at(s))
      if (body == list) return at;
    return std::nullopt;
  }

  // ── what is decided ──

  // All blocks of a stream or none, where more than one is held: what is released is what was acquired first.
  void decide_takes(const std::vector<Moved> &moved) {
    if (std::any_of(moved.begin(), moved.end(), [&](const Moved &m) { return is_held(m); })) return hold(moved);
    std::map<const Statement *, size_t> last;
    bool good = true;
    for (const Moved &m : moved) {
      if (!m.release) return;
      const auto &[list, at] = positions_.at(m.acquire).back();
      last[m.acquire] = at;
      if (!m.tile) continue;
      const Used &used = used_.at(m.tile);
      good = good && used.declared && used.writes.size() == 1;
      for (const Statement *use : used.uses) {
        if (use == m.copy) continue;
        const auto given = given_.find(use);
        const auto position = within(given == given_.end() ? use : given->second, list);
        good = good && position && *position > at;
        if (position) last[m.acquire] = std::max(last[m.acquire], *position);
      }
    }
    for (const Moved &m : moved) // nothing of the stream in a loop while a block from before it is held
      for (const Moved &other : moved) {
        const auto &[list, at] = positions_.at(m.acquire).back();
        const auto position = within(other.acquire, list);
        if (other.acquire == m.acquire || !position || *position <= at) continue;
        if (*position <= last[m.acquire] && positions_.at(other.acquire).back().first != list) good = false;
        if (positions_.at(other.acquire).back().first == list)
          last[other.acquire] = std::max(last[other.acquire], last[m.acquire]);
      }
    if (!good) return;
    for (const Moved &m : moved) {
      if (!m.tile) continue;
      gone_.insert({used_.at(m.tile).declared->node, m.copy->node, m.release->node});
      instead_[m.acquire->node] =
          c.assign(m.tile->name, HTP_NONE, c.get<ast::Assign>(m.acquire->node).value(), m.acquire->node);
      const List &list = *positions_.at(m.acquire).back().first;
      behind_[list[last[m.acquire]].node].push_back(m.release->node);
    }
  }
  // Where cores do the same, a block is held to the end of the statements around it, when nobody waits for it: those of
  // the streams are released there, in their order. One that tiles are taken out of is released behind the last of
  // these.
  void decide_alike() {
    for (const Stream &stream : p_.streams) {
      const bool takes = stream.feeds;
      const auto found = (takes ? takes_ : gives_).find(&stream);
      if (found == (takes ? takes_ : gives_).end()) continue;
      const std::vector<Moved> &moved = found->second;
      if (std::any_of(moved.begin(), moved.end(), [&](const Moved &m) { return is_held(m); })) {
        hold(moved);
        continue;
      }
      for (const Moved &m : moved) {
        if (!m.tile) continue;
        const auto &[list, at] = positions_.at(m.acquire).back();
        const Used &used = used_.at(m.tile);
        const bool unpacked = takes && std::all_of(used.uses.begin(), used.uses.end(), [&](const Statement *use) {
                                return use == m.copy || use->name == "unpack";
                              });
        size_t last = unpacked ? at : end_of(*list);
        bool good =
            used.declared && used.declared->kind == Statement::Kind::buffer && (!takes || used.writes.size() == 1);
        const size_t from = takes || !good ? at : positions_.at(used.declared).back().second;
        for (const Statement *use : used.uses) {
          if (use == m.copy) continue;
          const auto position = within(use, list);
          good = good && position && *position > from && (takes || !of_stream(*use));
          if (position) last = std::max(last, *position);
        }
        for (const Statement *other : ends_.at(&stream)) { // it would be held beside another block
          const auto position = other == m.acquire || other == m.release ? std::nullopt : within(other, list);
          good = good && !(position && *position > from && *position <= last);
        }
        if (!good || (!takes && positions_.at(used.declared).back().first != list)) continue;
        const Node acquire = c.get<ast::Assign>(m.acquire->node).value(),
                   there = takes ? m.acquire->node : used.declared->node;
        gone_.insert({takes ? used.declared->node : m.acquire->node, m.copy->node, m.release->node});
        instead_[there] = c.assign(m.tile->name, HTP_NONE, acquire, there);
        behind_[(*list)[last].node].push_back(m.release->node);
      }
    }
  }
  // Before what is held to the end anyway.
  size_t end_of(const List &list) const {
    size_t end = list.size() - 1;
    const auto held = [&](const Statement &s) {
      return s.kind == Statement::Kind::release &&
             std::any_of(held_.begin(), held_.end(), [&](const Statement *h) { return h->stream == s.stream; });
    };
    while (end > 0 && held(list[end])) --end;
    return end;
  }
  bool is_held(const Moved &m) const { return std::find(held_.begin(), held_.end(), m.acquire) != held_.end(); }
  // Of blocks that are held from before the loops on: a tile that is a copy of one is that.
  void hold(const std::vector<Moved> &moved) {
    for (const Moved &m : moved) {
      if (!is_held(m)) continue;
      for (const Statement *copy : used_.at(m.acquire->tile).uses) {
        const Used &used = used_.at(copy->tile);
        if (!used.declared || used.declared->kind != Statement::Kind::buffer || used.writes.size() != 1) continue;
        gone_.insert({used.declared->node, copy->node});
        if (p_.alike && used_.at(m.acquire->tile).uses.size() == 1) // it is the tile
          instead_[m.acquire->node] =
              c.assign(copy->tile->name, HTP_NONE, c.get<ast::Assign>(m.acquire->node).value(), m.acquire->node);
        else
          renamed_[copy->tile->name] = m.acquire->tile->name;
      }
    }
  }
  void decide_gives(const std::vector<Moved> &moved) {
    for (const Moved &m : moved) {
      if (!m.tile) continue;
      const Used &used = used_.at(m.tile);
      const auto &[list, at] = positions_.at(m.acquire).back();
      if (!used.declared || used.declared->kind != Statement::Kind::buffer ||
          positions_.at(used.declared).back().first != list)
        continue;
      const size_t from = positions_.at(used.declared).back().second;
      bool good = true;
      for (const Statement *use : used.uses) {
        const auto position = within(use, list);
        good = good && position && *position <= at + 1;
        // What comes by a stream, or goes by another one, has a block already.
        good = good && (use == m.copy || !of_stream(*use));
      }
      for (const Statement *other : ends_.at(m.acquire->stream)) { // it would be held beside another block
        const auto position = within(other, list);
        good = good && !(position && *position > from && *position < at);
      }
      if (!good) continue;
      gone_.insert({m.acquire->node, m.copy->node});
      instead_[used.declared->node] =
          c.assign(m.tile->name, HTP_NONE, c.get<ast::Assign>(m.acquire->node).value(), used.declared->node);
    }
  }
  // Whether a statement copies a tile to or from a block.
  static bool of_stream(const Statement &s) { return copies(s) && (s.tile->stream || s.operands[0].tile->stream); }

  // ── the statements ──

  std::vector<uint32_t> list(Nodes statements) {
    std::vector<uint32_t> out;
    for (const Node s : statements) {
      if (const auto it = instead_.find(s); it != instead_.end())
        out.push_back(it->second);
      else if (!gone_.contains(s))
        out.push_back(c.is(s, HTP_For) ? with_list(c, s, HTP_FIELD(For, body), list(c.get<ast::For>(s).body()))
                                       : renamed(s));
      if (const auto it = behind_.find(s); it != behind_.end())
        out.insert(out.end(), it->second.begin(), it->second.end());
    }
    return out;
  }
  Node renamed(Node s) const {
    if (renamed_.empty()) return s;
    return rewrite(
        c, s,
        [&](Node n) {
          const auto it = renamed_.find(c.name_of(n));
          return it == renamed_.end() ? n : c.name(it->second, n);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  const Program &p_;
  const Core &core_;
  std::map<const Statement *, Position> positions_;
  std::map<const Tile *, Used> used_;
  ByStream takes_, gives_;
  std::map<const Stream *, std::vector<const Statement *>> ends_; // where blocks are acquired and released
  std::map<const Statement *, const Statement *> given_;          // copies to blocks, and where these go
  std::vector<const Statement *> held_;                           // acquired outside of loops, and only copied
  std::set<Node> gone_;
  std::map<Node, Node> instead_;
  std::map<Node, std::vector<uint32_t>> behind_;
  std::map<std::string, std::string, std::less<>> renamed_;
};

} // namespace

Node without_copies(const Context &c, const Program &p) {
  std::map<Node, Node> changed;
  for (const Core &core : p.cores)
    if (const Node made = Eliding(c, p, core).run(); made != core.node) changed[core.node] = made;
  if (changed.empty()) return p.node;
  return rewrite(
      c, p.node, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        const auto it = changed.find(s);
        if (it != changed.end()) out.push_back(it->second);
        return it != changed.end();
      });
}

Node elided_copies(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, names, function) : std::nullopt;
  if (!on || loads_tensors(c, names, *on)) return root;
  Program p;
  if (!read_program(c, root, p, refusing(c))) return HTP_NONE;
  return with_statement(c, root, p.node, without_copies(c, p));
}

} // namespace htp::aie
