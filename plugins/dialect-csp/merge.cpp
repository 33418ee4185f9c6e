#include "merge.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <deque>

namespace htp::csp {

namespace {

// A channel as an operation names it: of an array also where, each index an int or the text of what is none.
struct Key {
  std::string channel;
  std::vector<std::string> at;

  auto operator<=>(const Key &) const = default;
};

bool is_number(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char one) { return one >= '0' && one <= '9'; });
}

// Whether two names that differ may mean one channel.
bool may_be_one(const Key &a, const Key &b) {
  if (a == b || a.channel != b.channel || a.at.size() != b.at.size()) return false;
  for (size_t d = 0; d < a.at.size(); ++d)
    if (is_number(a.at[d]) && is_number(b.at[d]) && a.at[d] != b.at[d]) return false;
  return true;
}

// What is known of the operations on one channel.
struct Use {
  const ChannelDeclaration *declared = nullptr;
  bool straight = true;       // the first puts and the second gets, in the same iteration, as often
  std::deque<bool> dropped{}; // of its items in turn, whether nobody uses it
};

class Merging {
public:
  Merging(const Context &context, const Program &program, Loops which, std::set<std::string, std::less<>> &taken,
          Imports &imports)
      : c(context), p_(program), which_(which), taken_(taken), imports_(imports) {}

  std::vector<uint32_t> run(Nodes first, Nodes second) {
    std::set<std::string> put, got;
    names(first, true, put);
    names(second, false, got);
    std::set_intersection(put.begin(), put.end(), got.begin(), got.end(), std::inserter(between_, between_.end()));
    bodies(first, second); // finds the uses
    for (auto &[key, use] : uses_) {
      use.straight = use.straight && use.declared->readers == 1;
      for (const auto &[other, unused] : uses_)
        if (may_be_one(key, other)) use.straight = false;
    }
    finding_ = false;
    return bodies(first, second);
  }

private:
  void names(Nodes statements, bool puts, std::set<std::string> &into) const {
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        if (const Operation one = operation(c, p_, n); one.channel && one.puts == puts) into.insert(one.channel->name);
      });
  }

  // ── loops ──

  std::vector<uint32_t> bodies(Nodes first, Nodes second) {
    const auto one = loops(first), other = loops(second);
    bool alike = one.size() == other.size();
    for (size_t k = 0; alike && k < one.size(); ++k) alike = same_loop(first[one[k]], second[other[k]]);
    std::vector<uint32_t> all;
    size_t a = 0, b = 0;
    for (size_t k = 0; alike && k < one.size(); ++k) {
      segment(first.subspan(a, one[k] - a), second.subspan(b, other[k] - b), all);
      all.push_back(loop(first[one[k]], second[other[k]]));
      a = one[k] + 1, b = other[k] + 1;
    }
    segment(first.subspan(a), second.subspan(b), all);
    return all;
  }

  std::vector<size_t> loops(Nodes statements) const {
    std::vector<size_t> found;
    for (size_t k = 0; k < statements.size(); ++k) {
      bool uses = false;
      if (c.is(statements[k], HTP_For))
        c.each(statements[k], [&](Node n) {
          if (const ChannelDeclaration *declared = operation(c, p_, n).channel)
            uses = uses || which_ == Loops::all || between_.contains(declared->name);
        });
      if (uses) found.push_back(k);
    }
    return found;
  }

  bool same_loop(Node a, Node b) const {
    auto one = c.get<ast::For>(a), other = c.get<ast::For>(b);
    if (c.name_of(one.target()).empty() || c.name_of(other.target()).empty()) return false;
    if (c.show(one.iter()) == c.show(other.iter())) return true;
    return p_.names.called(one.iter()) == "htp_tile.tiles" && p_.names.called(other.iter()) == "htp_tile.tiles" &&
           p_.same_blocks(c, one.iter(), other.iter());
  }

  Node loop(Node a, Node b) {
    auto one = c.read<ast::For>(a);
    auto other = c.read<ast::For>(b);
    // One that is called `_m` is not used; the other one may be.
    const bool unused = c.name_of(one.target).starts_with('_');
    if (unused) one.target = c.name(c.name_of(other.target), one.target, HTP_STORE);
    const std::map<std::string, std::string, std::less<>> variable{
        {std::string(c.name_of(unused ? c.get<ast::For>(a).target() : other.target)),
         std::string(c.name_of(one.target))}};
    for (uint32_t &s : unused ? one.body : other.body) s = with_names(c, s, variable);
    around_.push_back(c.with(a, one));
    one.body = bodies(one.body, other.body);
    around_.pop_back();
    return c.with(a, one);
  }

  // ── statements between loops ──

  void segment(Nodes first, Nodes second, std::vector<uint32_t> &into) {
    if (finding_) return find(first, second);
    for (const Node s : first)
      if (const Node local = put(s)) {
        if (!c.is(local, HTP_Pass)) into.push_back(local);
      } else {
        into.push_back(s);
      }
    for (const Node s : second)
      if (const Node left = got(s)) into.push_back(left);
  }

  void find(Nodes first, Nodes second) {
    std::map<Key, int64_t> ahead; // puts that the second has not got
    const auto visit = [&](Node s, bool is_first) {
      const Node alone = put_of(s), dropped = dropped_by(s);
      const bool inside = c.is(s, HTP_For) || c.is(s, HTP_If) || c.is(s, HTP_While);
      c.each(s, [&](Node n) {
        const Operation one = operation(c, p_, n);
        if (!one.channel) return;
        const Key key = key_of(one);
        Use &use = uses_[key];
        use.declared = one.channel;
        if (inside || one.puts != is_first || (one.puts && n != alone)) use.straight = false;
        ahead[key] += one.puts ? 1 : -1;
        if (!one.puts) use.dropped.push_back(n == dropped);
        if (ahead[key] < 0) use.straight = false;
      });
    };
    for (const Node s : first) visit(s, true);
    for (const Node s : second) visit(s, false);
    for (const auto &[key, count] : ahead)
      if (count != 0) uses_[key].straight = false;
  }

  // The call of a statement that puts and does nothing else.
  Node put_of(Node s) const {
    auto e = c.as<ast::Expr>(s);
    return e && operation(c, p_, e.value()).channel && operation(c, p_, e.value()).puts ? e.value() : HTP_NONE;
  }

  // The call of a statement that gets and drops what it got, or comes to an event.
  Node dropped_by(Node s) const {
    auto alone = c.as<ast::Expr>(s);
    auto a = c.as<ast::Assign>(s);
    if (alone) return alone.value();
    return a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == "_" ? a.value() : HTP_NONE;
  }

  bool has_operation(Node n) const {
    bool found = false;
    c.each(n, [&](Node e) { found = found || operation(c, p_, e).channel; });
    return found;
  }

  Use *straight(Node n, Key &key) {
    const Operation one = operation(c, p_, n);
    if (!one.channel) return nullptr;
    key = key_of(one);
    const auto use = uses_.find(key);
    return use != uses_.end() && use->second.straight ? &use->second : nullptr;
  }

  // rows.put(item)  →  rows_item: Tile[f32, i, N] = item. Of an event, and of what nobody uses, nothing is left.
  Node put(Node s) {
    Key key;
    const Node call = put_of(s);
    Use *use = call ? straight(call, key) : nullptr;
    if (!use) return HTP_NONE;
    if (!use->declared->dtype) return c.make(make::Pass{}, s);
    const Node item = c.get<ast::Call>(call).args()[0];
    const bool dropped = use->dropped.front();
    use->dropped.pop_front();
    if (dropped && !has_operation(item)) {
      items_[key].emplace_back();
      return c.make(make::Pass{}, s);
    }
    std::string name = use->declared->name + "_item";
    for (unsigned k = 1; !taken_.insert(name).second; ++k) name = use->declared->name + "_item_" + std::to_string(k);
    items_[key].push_back(name);
    std::vector<uint32_t> types{copy_of(c, use->declared->dtype, call)};
    for (const Node extent : use->declared->extents)
      if (const Node here = extent_here(c, p_, extent, call, around_)) types.push_back(here);
    const Node type =
        c.make(make::Subscript{.value = c.path(imports_.name("htp_tile", "Tile", "tile"), call),
                               .slice = c.make(make::Tuple{.elts = std::move(types), .ctx = HTP_LOAD}, call),
                               .ctx = HTP_LOAD},
               call);
    return with_comments_of(c, s, c.assign(name, type, item, s));
  }

  // What is left of a statement whose items are locals; 0 when it did nothing but take one.
  Node got(Node s) {
    Key key;
    const Node drops = dropped_by(s);
    const Use *use = drops ? straight(drops, key) : nullptr;
    if (use) {
      if (use->declared->dtype) items_[key].pop_front();
      return HTP_NONE;
    }
    return rewrite(
        c, s,
        [&](Node e) {
          Key of;
          if (!straight(e, of)) return e;
          const std::string name = items_[of].front();
          items_[of].pop_front();
          return c.name(name, e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  Key key_of(const Operation &one) const {
    Key key{one.channel->name, {}};
    if (!one.index) return key;
    auto tuple = c.as<ast::Tuple>(one.index);
    for (const Node n : tuple ? tuple.elts() : Nodes(&one.index, 1)) {
      const auto number = p_.constants.integer(n);
      key.at.push_back(number ? std::to_string(*number) : c.show(n));
    }
    return key;
  }

  const Context &c;
  const Program &p_;
  const Loops which_;
  std::set<std::string, std::less<>> &taken_;
  Imports &imports_;
  std::set<std::string> between_; // channels from the first to the second
  std::map<Key, Use> uses_;
  bool finding_ = true;
  std::vector<Node> around_; // loops that are one
  std::map<Key, std::deque<std::string>> items_;
};

} // namespace

std::vector<uint32_t> merged(const Context &c, const Program &program, Nodes first, Nodes second, Loops which,
                             std::set<std::string, std::less<>> &taken, Imports &imports) {
  return Merging(c, program, which, taken, imports).run(first, second);
}

} // namespace htp::csp
