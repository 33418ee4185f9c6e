#include "verify/tokens.h"

#include "diagnostics.h"
#include "verify/ints.h"

#include "htp_cpp/independence.h"

#include <algorithm>
#include <iterator>

namespace htp::tile {
namespace {

// A copy on its way: where it was begun, and where it goes to, for each dimension as far as that is known.
struct Begun {
  Node at;
  std::string tensor;
  std::vector<std::optional<IntSet>> places;
  size_t number; // of the times that one was seen to begin
};

// What a token's name stands for; nothing is known where ways that differ have met. A copy whose token has no name is
// kept under its statement, and may be on its way or not: a barrier is for both.
struct Token {
  enum class Is : uint8_t { pending, waited, unknown } is = Is::unknown;
  Node where = HTP_NONE; // begun, or waited for
  std::vector<Begun> copies = {};
};
using State = std::map<std::string, Token, std::less<>>;

bool nameless(std::string_view token) { return token.starts_with('#'); }

class Tokens {
public:
  Tokens(const Module &module, Node function) : m_(module), c(module.c), function_(function), ints_(module, function) {}

  void run() {
    bool any = false;
    c.each(function_, [&](Node n) {
      const std::string path = any ? std::string() : called(n);
      any |= path == "htp_tile.copy_async" || path == "htp_tile.wait" || path == "htp_tile.barrier";
    });
    if (!any) return; // no token is ever waited for, or left
    State state;
    block(c.get<ast::FunctionDef>(function_).body(), state);
    left_behind(state, c.get<ast::FunctionDef>(function_).body());
    for (const auto &[barrier, waits] : barriers_)
      if (!waits) c.report(diag::idle_barrier, barrier);
  }

private:
  void block(Nodes statements, State &state) {
    for (const Node s : statements) statement(s, state);
  }

  void statement(Node n, State &state) {
    if (auto f = c.as<ast::For>(n)) {
      touched(f.iter(), state);
      loop(f.body(), state, &f);
    } else if (auto w = c.as<ast::While>(n)) {
      touched(w.test(), state);
      loop(w.body(), state);
      touched(w.test(), state);
    } else if (auto b = c.as<ast::If>(n)) {
      branch(b, state);
    } else if (c.is(n, HTP_Break)) {
      if (!breaks_.empty()) breaks_.back().push_back(state);
    } else if (c.is(n, HTP_Assign) || c.is(n, HTP_AnnAssign)) {
      auto a = c.as<ast::Assign>(n);
      const Node target = a ? a.targets()[0] : c.get<ast::AnnAssign>(n).target();
      const Node value = a ? a.value() : c.get<ast::AnnAssign>(n).value();
      if (called(value) == "htp_tile.copy_async") return begin(std::string(c.name_of(target)), value, state);
      touched(n, state);
      if (const std::string_view name = c.name_of(target); !name.empty()) ints_.bind(name, value);
    } else if (auto e = c.as<ast::Expr>(n); e && called(e.value()) == "htp_tile.wait") {
      wait(e.value(), state);
    } else if (e && called(e.value()) == "htp_tile.barrier") {
      barrier(e.value(), state);
    } else if (e && called(e.value()) == "htp_tile.copy_async") {
      begin("#" + std::to_string(n), e.value(), state);
    } else {
      touched(n, state);
    }
  }

  std::string called(Node n) const {
    auto call = c.as<ast::Call>(n);
    return call ? m_.path(call.func()) : std::string();
  }

  void begin(const std::string &name, Node call, State &state) {
    touched(call, state);
    const auto to = tensor_access(c, m_.names, call);
    if (!to) return;
    Token token{Token::Is::pending, call, {{call, to->tensor, places(*to), begun_++}}};
    if (const auto old = state.find(name); old != state.end() && old->second.is == Token::Is::pending)
      for (const Begun &copy : old->second.copies) {
        if (nameless(name))
          token.copies.push_back(copy);
        else
          unwaited(copy, call, "`" + name + "` stands for another from here on");
      }
    state[name] = std::move(token);
  }

  void barrier(Node call, State &state) {
    bool &waits = barriers_.try_emplace(call, false).first->second;
    for (auto &[name, token] : state)
      if (token.is == Token::Is::pending) token = {Token::Is::waited, call}, waits = true;
    std::erase_if(state, [](const auto &one) { return nameless(one.first); });
  }

  void wait(Node call, State &state) {
    auto k = c.get<ast::Call>(call);
    const Node argument = k.args().empty() ? c.get<ast::keyword>(k.keywords()[0]).value() : k.args()[0];
    const auto token = state.find(c.name_of(argument));
    if (token == state.end() || token->second.is == Token::Is::unknown) return;
    if (token->second.is == Token::Is::waited && reported_.insert(call).second)
      c.report(diag::waited, argument, c.show(argument)).label(token->second.where, "waited for here");
    token->second = {Token::Is::waited, call};
  }

  // Each iteration begins as the first one does.
  void loop(Nodes body, State &state, const ast::For *counted = nullptr) {
    std::string before;                       // an earlier iteration's variable
    std::vector<State> ways;                  // that leave the loop
    for (int round = 0; round < 2; ++round) { // in the second, with what the first one leaves on its way
      if (counted) {
        ints_.iterate(c.name_of(counted->target()), loop_forms(c, m_.names, counted->iter()).range);
        const std::string now = ints_.variables().back().name;
        if (round) others_.push_back(ints_.isl().variable(before) != ints_.isl().variable(now));
        before = now;
      }
      State end = state;
      breaks_.emplace_back();
      block(body, end);
      std::move(breaks_.back().begin(), breaks_.back().end(), std::back_inserter(ways));
      breaks_.pop_back();
      join(state, end, body);
      if (counted) ints_.leave();
    }
    for (const State &way : ways) join(state, way, body);
  }

  // Another way to where `state` is, from the end of `body`.
  void join(State &state, const State &way, Nodes body) {
    also_nameless(way, state);
    left_behind(way, body, &state);
    for (auto &[name, token] : state)
      if (const auto it = way.find(name); it != way.end()) meet(name, token, it->second);
  }

  // Copies that no name knows are on their way where ways meet when they are on one of them.
  static void also_nameless(const State &way, State &state) {
    for (const auto &[name, token] : way)
      if (nameless(name)) state.try_emplace(name, token);
  }

  void branch(const ast::If &b, State &state) {
    touched(b.test(), state);
    State then = state, other = state;
    block(b.body(), then);
    block(b.orelse(), other);
    // A branch that leaves its loop goes nowhere from here.
    const bool gone = leaves(b.body()), other_gone = leaves(b.orelse());
    if (gone || other_gone) return void(state = gone ? std::move(other) : std::move(then));
    State both;
    for (auto &[name, token] : then)
      if (const auto it = other.find(name); it != other.end()) both[name] = token, meet(name, both[name], it->second);
    also_nameless(then, both), also_nameless(other, both);
    left_behind(then, b.body(), &both);
    left_behind(other, b.orelse(), &both);
    state = std::move(both);
  }

  bool leaves(Nodes statements) const { return !statements.empty() && c.is(statements.back(), HTP_Break); }

  // Where two ways meet.
  void meet(const std::string &name, Token &token, const Token &other) {
    if (token.is == Token::Is::unknown || other.is == Token::Is::unknown) {
      token.is = Token::Is::unknown;
    } else if (token.is != other.is) {
      const Node begun = token.is == Token::Is::pending ? token.where : other.where;
      const Node waited = token.is == Token::Is::pending ? other.where : token.where;
      if (reported_.insert(waited).second)
        c.report(diag::one_way, waited, name)
            .label(begun, "on another way, begun here, it is still on its way")
            .hint("wait for it on each way, and in a loop begin it again in each iteration");
      token.is = Token::Is::unknown;
    } else {
      for (const Begun &copy : other.copies) {
        const auto same = [&](const Begun &b) { return nameless(name) ? b.number == copy.number : b.at == copy.at; };
        if (std::none_of(token.copies.begin(), token.copies.end(), same)) token.copies.push_back(copy);
      }
    }
  }

  // Copies whose tokens, or whose buffers, end with `statements`; of all when they are the function's own.
  void left_behind(const State &state, Nodes statements, const State *kept = nullptr) {
    std::set<std::string, std::less<>> bound;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        auto a = c.as<ast::Assign>(n);
        if (a && called(a.value()) == "htp_tile.buffer") bound.emplace(c.name_of(a.targets()[0]));
      });
    for (const auto &[name, token] : state)
      for (const Begun &copy : token.copies)
        if (token.is == Token::Is::pending && (!kept || !kept->contains(name) || bound.contains(copy.tensor)))
          unwaited(copy, statements.back(), "behind this it is gone, and on this way nothing waited for it");
  }

  void unwaited(const Begun &copy, Node label, const std::string &message) {
    if (!reported_.insert(copy.at).second) return;
    c.report(diag::unwaited, copy.at, copy.tensor).label(label, message);
  }

  // ── what is touched ───────────────────────────────────────────────────────────────────────────────────────────────

  void touched(Node n, const State &state) {
    c.each(n, [&](Node inner) {
      const auto access = tensor_access(c, m_.names, inner);
      if (!access || state.empty()) return;
      const auto at = places(*access);
      for (const auto &[name, token] : state)
        for (const Begun &copy : token.copies)
          if (token.is == Token::Is::pending && copy.tensor == access->tensor && !apart(copy.places, at) &&
              reported_.insert(access->at).second)
            c.report(diag::in_flight, access->at, access->tensor, access->writes ? "written" : "read")
                .label(copy.at, copy.at == access->at ? "begun here in an iteration before" : "begun here")
                .hint("wait for it before: `" + (nameless(name) ? "barrier()" : "wait(" + name + ")") + "`");
    });
  }

  // What each index selects, in the iterations at hand.
  std::vector<std::optional<IntSet>> places(const TensorAccess &access) {
    std::vector<std::optional<IntSet>> result;
    const IntValue at = ints_.isl().variable("[]");
    for (const Node n : access.index) {
      auto selected = ints_.selected(n, at);
      for (const Ints::Variable &v : ints_.variables())
        if (selected) selected = *selected & v.within;
      result.push_back(std::move(selected));
    }
    return result;
  }

  // Whether some index is never the same in both, of which one may be an earlier iteration's.
  bool apart(const std::vector<std::optional<IntSet>> &a, const std::vector<std::optional<IntSet>> &b) const {
    for (size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
      if (!a[d] || !b[d]) continue;
      IntSet both = *a[d] & *b[d];
      for (const IntSet &other : others_) both = both & other;
      if (both.empty() == Answer::yes) return true;
    }
    return false;
  }

  const Module &m_;
  const Context &c;
  const Node function_;
  Ints ints_;
  size_t begun_ = 0;
  std::vector<IntSet> others_;             // that iterations are not one another
  std::map<Node, bool> barriers_;          // whether one waits for something
  std::vector<std::vector<State>> breaks_; // of the loops around
  std::set<Node> reported_;
};

} // namespace

void check_tokens(const Module &module, Node function) { Tokens(module, function).run(); }

} // namespace htp::tile
