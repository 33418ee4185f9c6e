// The verifiers of SIMT stages. What compiles is written in Python, by how statements are spelled; this reads the
// program anew, and asks isl where lanes meet.
#include "verify.h"

#include "htp_cpp/races.h"
#include "htp_cpp/signature.h"

#include <charconv>

namespace htp::simt {

namespace {

using Kind = Statement::Kind;

int64_t number(std::string_view text, int64_t otherwise) {
  int64_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

class Structure {
public:
  Structure(const Context &context, Node root, const Program &program)
      : c(context), names_(context, root), numbers_(context, root), root_(root), p(program) {}

  bool run() { return block(p.body); }

private:
  bool block(const std::vector<Statement> &body) {
    return std::ranges::all_of(
        body, [&](const Statement &s) { return s.kind == Kind::group ? grid(s) : block(s.body) && block(s.orelse); });
  }

  bool grid(const Statement &s) {
    shared_ = 0;
    return group(s, {}) && fits(s);
  }

  // A loop over work-groups: the host counts it, and nothing but ints and scalars stands beside the next one.
  bool group(const Statement &s, std::set<std::string> around) {
    for (const Node n : {s.start, s.stop, s.step}) {
      bool known = true;
      if (n) c.each(n, [&](Node e) { known &= !around.contains(std::string(c.name_of(e))); });
      if (!known) return c.report(diag::group_place, s.node), false;
    }
    if (!apart(s, "group")) return false;
    around.insert(s.name);
    for (size_t k = 0; k < s.body.size(); ++k) {
      const Statement &inner = s.body[k];
      if (inner.kind == Kind::integer) around.insert(inner.name);
      if (inner.kind != Kind::group) {
        if (!within(inner)) return false;
        continue;
      }
      for (size_t other = 0; other < s.body.size(); ++other)
        if (other != k && s.body[other].kind != Kind::integer && s.body[other].kind != Kind::value &&
            s.body[other].kind != Kind::compute)
          return c.report(diag::group_place, s.body[other].node), false;
      if (!group(inner, around)) return false;
    }
    return true;
  }

  bool within(const Statement &s) {
    if (s.kind == Kind::alloc && s.memory->space == Space::shared) {
      int64_t bytes = s.memory->dtype->bytes;
      for (const Node e : s.memory->extents) bytes *= numbers_.integer(e).value_or(0);
      shared_ += (bytes + 15) / 16 * 16;
    }
    if (s.kind == Kind::lanes) {
      const int64_t most = number(c.hardware("levels.lane.count"), 256);
      if (s.count > most) return c.report(diag::lane_limit, s.node, s.count, most), false;
      return apart(s, "lane");
    }
    return std::ranges::all_of(s.body, [&](const Statement &inner) { return within(inner); }) &&
           std::ranges::all_of(s.orelse, [&](const Statement &inner) { return within(inner); });
  }

  bool fits(const Statement &s) {
    const int64_t there = number(c.hardware("spaces.shared.capacity"), 32768);
    return shared_ <= there || (c.report(diag::shared_memory, s.node, shared_, there), false);
  }

  // Whether the iterations touch no element of another, and leave nothing behind.
  bool apart(const Statement &s, std::string_view level) {
    for (const Race &race : find_races(c, names_, root_, p.function, s.node, {})) {
      if (race.kind == Dependence::escapes || race.kind == Dependence::carried) {
        c.report(diag::lane_value, race.at, race.name).label(s.node, "bound here");
        return false;
      }
      Report report = c.report(diag::lanes_meet, race.at, level, race.name);
      if (race.from) report.label(race.from, "and here");
      if (!race.example.empty()) report.note(race.example);
      return false;
    }
    return true;
  }

  const Context &c;
  const Names names_;
  const Numbers numbers_;
  const Node root_;
  const Program &p;
  int64_t shared_ = 0;
};

// Follows a group in order, with what was accessed since the last barrier: by memory, and whether it was written.
class Waits {
public:
  explicit Waits(const Context &context) : c(context) {}

  bool host(const std::vector<Statement> &body) {
    return std::ranges::all_of(body, [&](const Statement &s) {
      if (s.kind != Kind::group) return host(s.body) && host(s.orelse);
      Since since;
      return follow(s.body, since, true);
    });
  }

private:
  using Since = std::map<const Memory *, bool>;

  static void collect(const Statement &s, std::map<const Memory *, std::pair<bool, Node>> &found) {
    if ((s.kind == Kind::get || s.kind == Kind::put) && s.memory->space != Space::lane) {
      auto &[written, at] = found.try_emplace(s.memory, false, s.node).first->second;
      if (s.kind == Kind::put && !written) written = true, at = s.node;
    }
    for (const Statement &inner : s.body) collect(inner, found);
    for (const Statement &inner : s.orelse) collect(inner, found);
  }

  bool follow(const std::vector<Statement> &body, Since &since, bool reports) {
    for (const Statement &s : body) {
      if (s.kind == Kind::barrier) {
        since.clear();
      } else if (s.kind == Kind::group) {
        if (!follow(s.body, since, reports)) return false;
      } else if (s.kind == Kind::branch) {
        Since other = since;
        if (!follow(s.body, since, reports) || !follow(s.orelse, other, reports)) return false;
        for (const auto &[memory, written] : other) since[memory] |= written;
      } else if (s.kind == Kind::loop || s.kind == Kind::repeat) {
        // Its beginning follows its end.
        const Since before = since;
        for (int time = 0; time < 3; ++time) {
          Since end = since;
          if (!follow(s.body, end, reports && time == 2)) return false;
          for (const auto &[memory, written] : end) since[memory] |= written;
        }
        for (const auto &[memory, written] : before) since[memory] |= written;
      } else {
        std::map<const Memory *, std::pair<bool, Node>> now;
        collect(s, now);
        for (const auto &[memory, access] : now) {
          const auto it = since.find(memory);
          if (reports && it != since.end() && (it->second || access.first)) {
            c.report(diag::no_barrier, access.second, memory->name);
            return false;
          }
        }
        for (const auto &[memory, access] : now) since[memory] |= access.first;
      }
    }
    return true;
  }

  const Context &c;
};

} // namespace

Result verify_mapped(const Context &c, std::string_view, Node root) {
  Program program;
  const size_t errors = c.errors();
  if (const Node function = c.entry_function(root))
    if (const Node call = unfitting_call(c, Names(c, root), function)) c.report(diag::statement, call, c.show(call));
  // Collectives are lowered later, and are no statements of the form.
  bool collectives = false;
  const Names names(c, root);
  c.each(root, [&](Node n) { collectives |= names.called(n).starts_with("htp_simt.reduce_"); });
  if (collectives) return c.errors() == errors ? HTP_OK : HTP_FAILED;
  return c.errors() == errors && read_program(c, root, program) && Structure(c, root, program).run() ? HTP_OK
                                                                                                     : HTP_FAILED;
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  Program program;
  return read_program(c, root, program) && Structure(c, root, program).run() && Waits(c).host(program.body)
             ? HTP_OK
             : HTP_FAILED;
}

} // namespace htp::simt
