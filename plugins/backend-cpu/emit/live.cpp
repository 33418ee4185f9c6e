#include "live.h"

#include <unordered_map>

namespace htp::cpu::ready {

namespace {

class Liveness {
public:
  Liveness(const Reader &reader, const Unproved &unproved, const Poisons &poisons)
      : t(reader), unproved_(unproved), poisons_(poisons) {}

  Live run(std::vector<Statement> &body) {
    find(body);
    while (!found_.empty()) {
      const Statement *s = found_.back();
      found_.pop_back();
      mark(*s);
    }
    drop(body);
    find_reassigned(body);
    return std::move(live_);
  }

private:
  using Waiting = std::vector<const Statement *>;

  // What makes a statement live: a use of this name, a read of this memory, a use of this scalar; or nothing needs to.
  static const std::string *name_of(const Statement &s) {
    return s.kind == Statement::Kind::integer && !s.channel ? &s.name : nullptr;
  }
  // A buffer that nothing reads need not be written.
  static const Memory *buffer_of(const Statement &s) {
    const bool writes = s.kind == Statement::Kind::put || s.kind == Statement::Kind::order;
    return writes && s.memory->direction == Direction::none ? s.memory : nullptr;
  }
  bool is_live(const Statement &s) const {
    if (const std::string *name = name_of(s)) return live_.names.contains(*name);
    if (const Memory *buffer = buffer_of(s)) return live_.read.contains(buffer);
    return !s.target || live_.scalars.contains(s.target);
  }

  // Statements that are live by themselves, and those that wait for what makes them so.
  void find(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (const std::string *name = name_of(s))
        by_name_[*name].push_back(&s);
      else if (const Memory *buffer = buffer_of(s))
        by_object_[buffer].push_back(&s);
      else if (s.target)
        by_object_[s.target].push_back(&s);
      else
        found_.push_back(&s);
      find(s.body);
      find(s.orelse);
    }
  }
  template <class Map, class Key> void wake(Map &waiting, const Key &key) {
    const auto it = waiting.find(key);
    if (it != waiting.end()) found_.insert(found_.end(), it->second.begin(), it->second.end());
  }
  void use(std::string_view name) {
    if (live_.names.emplace(name).second) wake(by_name_, name);
  }
  void use(const Scalar *scalar) {
    if (live_.scalars.insert(scalar).second) wake(by_object_, scalar);
  }
  void read(const Memory *memory) {
    if (live_.read.insert(memory).second) wake(by_object_, memory);
  }
  void use_names(Node n) {
    if (!n) return;
    t.each(n, [&](Node m) {
      if (const auto name = t.name_of(m); !name.empty()) use(name);
    });
  }

  // What a live statement uses.
  void mark(const Statement &s) {
    for (const Node n : {s.start, s.stop, s.step, s.test, s.limit}) use_names(n);
    if (s.source) {
      read(s.source);
      use(s.source->name);
      for (const Memory *m : {s.memory, s.source})
        for (const Node n : m->extents) use_names(n);
    }
    for (const Node n : s.index) use_names(n);
    for (const Node n : s.channel_index) use_names(n);
    if (s.channel)
      for (const Node n : s.channel->extents) use_names(n);
    if (s.kind == Statement::Kind::get) read(s.memory);
    if (s.memory)
      for (size_t d = s.kind == Statement::Kind::alloc ? 0 : 1; d < s.memory->extents.size(); ++d)
        use_names(s.memory->extents[d]);
    if (s.kind == Statement::Kind::alloc || s.kind == Statement::Kind::slot)
      if (const auto poison = poisons_.find(s.memory); poison != poisons_.end()) {
        for (const Node n : s.memory->extents) use_names(n);
        for (const auto &[is, extent] : poison->second.unless) use_names(is);
      }
    for (size_t d = 0; d < s.index.size(); ++d)
      if (unproved_.indices.contains(s.index[d])) use_names(s.memory->extents[d]);
    if (s.memory && s.kind != Statement::Kind::alloc) use(s.memory->name);
    for (const Value &v : s.operands) {
      if (v.scalar) use(v.scalar);
      use_names(v.node);
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
  const Poisons &poisons_;
  Live live_;
  Waiting found_; // live, and not marked yet
  std::map<std::string, Waiting, std::less<>> by_name_;
  std::unordered_map<const void *, Waiting> by_object_; // memories and scalars
};

} // namespace

Live prune(const Reader &t, const Unproved &unproved, const Poisons &poisons, std::vector<Statement> &body) {
  return Liveness(t, unproved, poisons).run(body);
}

} // namespace htp::cpu::ready
