#include "host/parse/trivia.h"

#include "host/parse/trivia_literals.h"
#include "host/parse/trivia_scan.h"

#include <unordered_map>
#include <vector>

namespace htp {

namespace {

// A statement, clause or module; or one of a statement's lines that are no nodes.
struct Owner {
  enum Part : uint8_t { itself, orelse, finalbody };
  htp_node node;
  Part part = itself;
};

struct Note {
  htp_node node = HTP_NONE; // whose it is; none: another note's
  std::vector<uint32_t> leading, inner;
  uint32_t trailing = 0;
  uint32_t orelse = 0, finalbody = 0; // other notes
};

using Position = uint64_t; // line and column
constexpr Position position(uint32_t line, uint32_t col) { return Position{line} << 32 | col; }
constexpr Position EndOfFile = ~Position{0};

// Goes through the statements in the source's order, beside the tokens.
class Attacher {
public:
  Attacher(Store &store, const SourceFile &source, std::span<const TriviaToken> tokens)
      : store_(store), source_(source), tokens_(tokens), notes_(1) {}

  void run(htp_node module) {
    block(field(module, HTP_FIELD(Module, body)), {module});
    gap(EndOfFile, {module});
    write();
  }

private:
  // ── the tokens ────────────────────────────────────────────────────────────────────────────────────────────────────

  static Position position_of(const TriviaToken &t) { return position(t.line, t.col); }
  static bool is_comment(const TriviaToken &t) { return t.kind <= TriviaKind::inner_comment; }
  bool more(Position before) const { return next_ < tokens_.size() && position_of(tokens_[next_]) < before; }
  uint32_t text_of(const TriviaToken &t) {
    return store_.string(std::string_view(source_.text).substr(t.offset, t.size));
  }
  // Where the next line of that kind begins; `otherwise` when there is none.
  Position next_line(TriviaKind kind, Position otherwise) const {
    for (size_t k = next_; k < tokens_.size(); ++k)
      if (tokens_[k].kind == kind) return position_of(tokens_[k]);
    return otherwise;
  }

  // What stands between what came last and `end`, where `follower` begins. A comment belongs to the innermost of the
  // blocks that have ended whose indentation it has or exceeds, else to the follower; none goes back into a block that
  // the comment before it has left.
  void gap(Position end, const Owner &follower) {
    size_t level = 0, blank = 0;
    for (; more(end); ++next_) {
      const TriviaToken &t = tokens_[next_];
      if (t.kind == TriviaKind::blank) ++blank;
      if (!is_comment(t)) continue;
      while (level < ended_.size() && ended_[level].indent > t.indent) ++level;
      Note &to = note(level < ended_.size() ? ended_[level].owner : follower);
      std::vector<uint32_t> &lines = level < ended_.size() ? to.inner : to.leading;
      lines.insert(lines.end(), blank, store_.string(""));
      blank = 0;
      lines.push_back(text_of(t));
    }
    if (blank != 0 && end != EndOfFile) {
      std::vector<uint32_t> &lines = note(follower).leading;
      lines.insert(lines.end(), blank, store_.string(""));
    }
    ended_.clear();
  }

  // The comments of a header that begins at `begin`, up to its block. Those before it are of its decorators.
  void header(const Owner &owner, Position begin, Position end) {
    for (; more(end); ++next_) {
      const TriviaToken &t = tokens_[next_];
      const bool before = position_of(t) < begin;
      if (!before && (t.kind == TriviaKind::comment || t.kind == TriviaKind::blank)) return;
      if (!before && t.kind == TriviaKind::decorator_line) return; // of the block's first statement
      if (!is_comment(t)) continue;
      if (!before && t.kind == TriviaKind::trailing_comment)
        note(owner).trailing = text_of(t);
      else
        note(owner).leading.push_back(text_of(t));
    }
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  Slots field(htp_node n, unsigned f) const { return store_.items(store_.slot(n, f)); }
  Position begin_of(htp_node n) const { return position(store_.at(n).line, store_.at(n).col); }
  Position end_of(htp_node n) const { return position(store_.at(n).end_line, store_.at(n).end_col); }

  void block(Slots statements, const Owner &owner) {
    if (statements.empty()) {
      ended_.push_back({0, owner}); // only a module has none
      return;
    }
    for (size_t k = 0; k < statements.size(); ++k)
      statement(statements[k], k + 1 < statements.size() ? begin_of(statements[k + 1]) : EndOfFile);
    const htp_record &first = store_.at(statements[0]);
    ended_.push_back({indent_of(source_.line(first.line), first.col), owner});
  }

  // A header, and the block below it.
  void part(const Owner &owner, Position begin, Slots body) {
    header(owner, begin, body.empty() ? EndOfFile : begin_of(body[0]));
    block(body, owner);
  }

  void clause(const Owner &owner, TriviaKind line, Slots body) {
    if (body.empty()) return;
    const Position begin = next_line(line, begin_of(body[0]));
    gap(begin, owner);
    part(owner, begin, body);
  }

  void statement(htp_node n, Position sibling) {
    switch (store_.kind(n)) {
    case HTP_FunctionDef:
    case HTP_AsyncFunctionDef:
      return definition(n, field(n, HTP_FIELD(FunctionDef, decorator_list)), field(n, HTP_FIELD(FunctionDef, body)));
    case HTP_ClassDef:
      return definition(n, field(n, HTP_FIELD(ClassDef, decorator_list)), field(n, HTP_FIELD(ClassDef, body)));
    case HTP_If: return if_chain(n);
    case HTP_While: return loop(n, field(n, HTP_FIELD(While, body)), field(n, HTP_FIELD(While, orelse)));
    case HTP_For:
    case HTP_AsyncFor: return loop(n, field(n, HTP_FIELD(For, body)), field(n, HTP_FIELD(For, orelse)));
    case HTP_With:
    case HTP_AsyncWith: return loop(n, field(n, HTP_FIELD(With, body)), {});
    case HTP_Try:
    case HTP_TryStar: return try_statement(n);
    case HTP_Match: return match(n);
    default: return simple(n, sibling);
    }
  }

  void simple(htp_node n, Position sibling) {
    gap(begin_of(n), {n});
    const Position end = end_of(n);
    for (; more(end); ++next_)
      if (is_comment(tokens_[next_])) note({n}).leading.push_back(text_of(tokens_[next_]));
    if (!more(sibling)) return;
    const TriviaToken &t = tokens_[next_];
    if (t.kind != TriviaKind::trailing_comment || t.statement > store_.at(n).end_line) return;
    note({n}).trailing = text_of(t);
    ++next_;
  }

  void definition(htp_node n, Slots decorators, Slots body) {
    gap(decorators.empty() ? begin_of(n) : next_line(TriviaKind::decorator_line, begin_of(n)), {n});
    part({n}, begin_of(n), body);
  }

  void loop(htp_node n, Slots body, Slots orelse) {
    gap(begin_of(n), {n});
    part({n}, begin_of(n), body);
    clause({n, Owner::orelse}, TriviaKind::else_line, orelse);
  }

  void if_chain(htp_node n) {
    for (;;) {
      gap(begin_of(n), {n});
      part({n}, begin_of(n), field(n, HTP_FIELD(If, body)));
      const Slots orelse = field(n, HTP_FIELD(If, orelse));
      const bool elif = orelse.size() == 1 && store_.kind(orelse[0]) == HTP_If &&
                        source_.line(store_.at(orelse[0]).line).substr(store_.at(orelse[0]).col).starts_with("elif");
      if (!elif) return clause({n, Owner::orelse}, TriviaKind::else_line, orelse);
      n = orelse[0];
    }
  }

  void try_statement(htp_node n) {
    gap(begin_of(n), {n});
    part({n}, begin_of(n), field(n, HTP_FIELD(Try, body)));
    for (const htp_node h : field(n, HTP_FIELD(Try, handlers))) {
      gap(begin_of(h), {h});
      part({h}, begin_of(h), field(h, HTP_FIELD(ExceptHandler, body)));
    }
    clause({n, Owner::orelse}, TriviaKind::else_line, field(n, HTP_FIELD(Try, orelse)));
    clause({n, Owner::finalbody}, TriviaKind::finally_line, field(n, HTP_FIELD(Try, finalbody)));
  }

  void match(htp_node n) {
    gap(begin_of(n), {n});
    const Slots cases = field(n, HTP_FIELD(Match, cases));
    uint32_t indent = 0;
    for (size_t k = 0; k < cases.size(); ++k) {
      // A case has no position of its own.
      const Position begin =
          next_line(TriviaKind::case_line, begin_of(store_.slot(cases[k], HTP_FIELD(match_case, pattern))));
      if (k == 0) header({n}, begin_of(n), begin);
      gap(begin, {cases[k]});
      const auto line = static_cast<uint32_t>(begin >> 32);
      indent = indent_of(source_.line(line), static_cast<uint32_t>(begin));
      part({cases[k]}, begin, field(cases[k], HTP_FIELD(match_case, body)));
    }
    ended_.push_back({indent, {n}});
  }

  // ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  Note &note(const Owner &owner) {
    const auto [at, fresh] = note_of_.try_emplace(owner.node, static_cast<uint32_t>(notes_.size()));
    if (fresh) notes_.emplace_back().node = owner.node;
    const uint32_t own = at->second;
    if (owner.part == Owner::itself) return notes_[own];
    const auto member = owner.part == Owner::orelse ? &Note::orelse : &Note::finalbody;
    if (notes_[own].*member == 0) {
      notes_.emplace_back();
      notes_[own].*member = static_cast<uint32_t>(notes_.size() - 1);
    }
    return notes_[notes_[own].*member];
  }

  uint32_t stored(const Note &n) {
    htp_trivia trivia{};
    trivia.leading = store_.list(n.leading);
    trivia.inner = store_.list(n.inner);
    trivia.trailing = n.trailing;
    if (n.orelse != 0) trivia.orelse = stored(notes_[n.orelse]);
    if (n.finalbody != 0) trivia.finalbody = stored(notes_[n.finalbody]);
    return store_.add_trivia(trivia);
  }

  void write() {
    for (const Note &n : notes_)
      if (n.node != 0) store_.set_note(n.node, stored(n));
  }

  struct Ended {
    uint32_t indent;
    Owner owner;
  };

  Store &store_;
  const SourceFile &source_;
  std::span<const TriviaToken> tokens_;
  size_t next_ = 0;
  std::vector<Ended> ended_; // blocks that ended since the last gap, innermost first
  std::vector<Note> notes_;
  std::unordered_map<htp_node, uint32_t> note_of_;
};

} // namespace

void attach_trivia(Store &store, htp_node root, const SourceFile &source) {
  const std::vector<TriviaToken> tokens = scan_trivia(source.text);
  Attacher(store, source, tokens).run(root);
  attach_literals(store, root, source, tokens);
}

} // namespace htp
