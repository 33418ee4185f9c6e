#include "live.h"

namespace htp::cpu::ready {

namespace {

class Liveness {
public:
  Liveness(const Reader &reader, const Unproved &unproved) : t(reader), unproved_(unproved) {}

  Live run(std::vector<Statement> &body) {
    do {
      changed_ = false;
      mark(body);
    } while (changed_);
    drop(body);
    find_reassigned(body);
    return std::move(live_);
  }

private:
  void use_names(Node n) {
    if (!n) return;
    t.each(n, [&](Node m) {
      if (const auto name = t.name_of(m); !name.empty()) changed_ |= live_.names.emplace(name).second;
    });
  }

  bool is_live(const Statement &s) const {
    if (s.kind == Statement::Kind::integer) return live_.names.contains(s.name);
    // A buffer that nothing reads need not be written.
    const bool writes = s.kind == Statement::Kind::put || s.kind == Statement::Kind::order;
    if (writes && s.memory->direction == Direction::none) return live_.read.contains(s.memory);
    return !s.target || live_.scalars.contains(s.target);
  }

  void mark(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (!is_live(s)) continue;
      for (const Node n : {s.start, s.stop, s.step, s.test, s.limit}) use_names(n);
      if (s.source) {
        changed_ |= live_.read.insert(s.source).second | live_.names.insert(s.source->name).second;
        for (const Memory *m : {s.memory, s.source})
          for (const Node n : m->extents) use_names(n);
      }
      for (const Node n : s.index) use_names(n);
      for (const Node n : s.place) use_names(n);
      if (s.channel)
        for (const Node n : s.channel->extents) use_names(n);
      if (s.kind == Statement::Kind::get) changed_ |= live_.read.insert(s.memory).second;
      if (s.memory)
        for (size_t d = s.kind == Statement::Kind::alloc ? 0 : 1; d < s.memory->extents.size(); ++d)
          use_names(s.memory->extents[d]);
      for (size_t d = 0; d < s.index.size(); ++d)
        if (unproved_.indices.contains(s.index[d])) use_names(s.memory->extents[d]);
      if (s.memory && s.kind != Statement::Kind::alloc) changed_ |= live_.names.insert(s.memory->name).second;
      for (const Value &v : s.operands) {
        if (v.scalar) changed_ |= live_.scalars.insert(v.scalar).second;
        use_names(v.node);
      }
      mark(s.body);
      mark(s.orelse);
    }
  }

  void drop(std::vector<Statement> &body) const {
    std::erase_if(body, [&](Statement &s) {
      drop(s.body);
      drop(s.orelse);
      const bool unread = s.kind == Statement::Kind::alloc && !live_.names.contains(s.memory->name);
      return unread || (s.is_block() ? s.body.empty() && s.orelse.empty() : !is_live(s));
    });
  }

  void find_reassigned(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.target && !s.declares) live_.reassigned.insert(s.target->name);
      if (s.kind == Statement::Kind::integer && !s.declares) live_.reassigned.insert(s.name);
      find_reassigned(s.body);
      find_reassigned(s.orelse);
    }
  }

  const Reader &t;
  const Unproved &unproved_;
  Live live_;
  bool changed_ = false;
};

} // namespace

Live prune(const Reader &t, const Unproved &unproved, std::vector<Statement> &body) {
  return Liveness(t, unproved).run(body);
}

} // namespace htp::cpu::ready
