#include "verify/tokens.h"

#include "diagnostics.h"
#include "verify/ints.h"

#include "htp_cpp/independence.h"

#include <algorithm>

namespace htp::tile {
namespace {

// A copy on its way: where it was begun, and where it goes to. Of an index that is an int, its value there.
struct Begun {
  Node at;
  std::string tensor;
  std::vector<std::optional<IntValue>> index;
};

// What a token's name stands for; nothing is known where ways that differ have met.
struct Token {
  enum class Is : uint8_t { pending, waited, unknown } is = Is::unknown;
  Node where = HTP_NONE; // begun, or waited for
  std::vector<Begun> copies = {};
};
using State = std::map<std::string, Token, std::less<>>;

class Tokens {
public:
  Tokens(const Module &module, Node function) : m_(module), c(module.c), function_(function), ints_(module, function) {}

  void run() {
    State state;
    block(c.get<ast::FunctionDef>(function_).body(), state);
    left_behind(state, c.get<ast::FunctionDef>(function_).body());
  }

private:
  void block(Nodes statements, State &state) {
    for (const Node s : statements) statement(s, state);
  }

  void statement(Node n, State &state) {
    if (auto f = c.as<ast::For>(n)) {
      touched(f.iter(), state);
      ints_.iterate(c.name_of(f.target()), loop_forms(c, m_.names, f.iter()).range);
      loop(f.body(), state);
      ints_.leave();
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
    if (const auto old = state.find(name); old != state.end() && old->second.is == Token::Is::pending)
      for (const Begun &copy : old->second.copies)
        unwaited(copy, call, "`" + name + "` stands for another from here on");
    state[name] = {Token::Is::pending, call, {{call, to->tensor, places(*to)}}};
  }

  void wait(Node call, State &state) {
    auto k = c.get<ast::Call>(call);
    const Node argument = k.args().empty() ? c.get<ast::keyword>(k.keywords()[0]).value() : k.args()[0];
    const auto token = state.find(c.name_of(argument));
    if (token == state.end() || token->second.is == Token::Is::unknown) return;
    if (token->second.is == Token::Is::waited && told_.insert(call).second)
      c.report(diag::waited, argument, c.show(argument)).label(token->second.where, "waited for here");
    token->second = {Token::Is::waited, call};
  }

  // Each iteration begins as the first one does.
  void loop(Nodes body, State &state) {
    for (int round = 0; round < 2; ++round) { // in the second, with what the first one leaves on its way
      State end = state;
      breaks_.emplace_back();
      block(body, end);
      std::vector<State> ends = std::move(breaks_.back());
      breaks_.pop_back();
      ends.push_back(std::move(end));
      for (const State &one : ends) {
        left_behind(one, body, &state);
        for (auto &[name, token] : state) meet(name, token, one.at(name));
      }
    }
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
      if (told_.insert(waited).second)
        c.report(diag::one_way, waited, name)
            .label(begun, "on another way, begun here, it is still on its way")
            .hint("wait for it on each way, and in a loop begin it again in each iteration");
      token.is = Token::Is::unknown;
    } else {
      for (const Begun &copy : other.copies) {
        const auto same = [&](const Begun &b) { return b.at == copy.at; };
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

  void unwaited(const Begun &copy, Node label, const std::string &words) {
    if (!told_.insert(copy.at).second) return;
    c.report(diag::unwaited, copy.at, copy.tensor).label(label, words);
  }

  // ── what is touched ───────────────────────────────────────────────────────────────────────────────────────────────

  void touched(Node n, const State &state) {
    c.each(n, [&](Node inner) {
      const auto access = tensor_access(c, m_.names, inner);
      if (!access) return;
      const auto at = places(*access);
      for (const auto &[name, token] : state)
        for (const Begun &copy : token.copies)
          if (token.is == Token::Is::pending && copy.tensor == access->tensor && !apart(copy.index, at) &&
              told_.insert(access->at).second)
            c.report(diag::in_flight, access->at, access->tensor, access->writes ? "written" : "read")
                .label(copy.at, "begun here")
                .hint("wait for it before: `wait(" + name + ")`");
    });
  }

  std::vector<std::optional<IntValue>> places(const TensorAccess &access) {
    std::vector<std::optional<IntValue>> result;
    for (const Node n : access.index) result.push_back(ints_.block(n) ? std::nullopt : ints_.value(n));
    return result;
  }

  // Whether some index is never the same in both.
  bool apart(const std::vector<std::optional<IntValue>> &a, const std::vector<std::optional<IntValue>> &b) const {
    for (size_t d = 0; d < std::min(a.size(), b.size()); ++d)
      if (a[d] && b[d] && (*a[d] == *b[d]).empty() == Answer::yes) return true;
    return false;
  }

  const Module &m_;
  const Context &c;
  const Node function_;
  Ints ints_;
  std::vector<std::vector<State>> breaks_; // of the loops around
  std::set<Node> told_;
};

} // namespace

void check_tokens(const Module &module, Node function) { Tokens(module, function).run(); }

} // namespace htp::tile
