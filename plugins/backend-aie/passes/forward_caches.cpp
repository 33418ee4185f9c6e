// aie.forward_caches: what a schedule keeps nearby, `s.cache("x", at="i")`: on the array a tensor comes by streams, as
// often as it is read.
#include "passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/types.h"

#include <map>
#include <set>

namespace htp::aie {

namespace {

// A tensor of the program's own that holds a block of another one, and nothing else.
struct Cache {
  Node buffer = HTP_NONE, load = HTP_NONE, store = HTP_NONE;
  std::string of;
};

class Caches {
public:
  Caches(const Context &context, Node root, Node function) : c(context), names_(context, root), function_(function) {
    c.each(function, [&](Node n) {
      if (c.is(n, HTP_Name)) ++uses_[std::string(c.name_of(n))];
      auto a = c.as<ast::AnnAssign>(n);
      auto e = c.as<ast::Expr>(n);
      const Node value = a ? a.value() : e ? e.value() : HTP_NONE;
      const std::string called = value ? names_.called(value) : std::string();
      if (a && called == "htp_tile.buffer") buffers_[std::string(c.name_of(a.target()))] = n;
      if (a && called == "htp_tile.load") loads_.push_back(n);
      if (e && called == "htp_tile.store") stores_.push_back(n);
    });
  }
  std::map<std::string, Cache> found() const {
    std::map<std::string, Cache> all;
    for (const auto &[name, buffer] : buffers_) {
      Cache one;
      one.buffer = buffer;
      unsigned known = 1, stores = 0; // its binding
      for (const Node s : stores_)
        if (c.name_of(arguments(s)[0]) == name) one.store = s, ++known, ++stores;
      for (const Node l : loads_)
        if (c.name_of(arguments(l)[0]) == name && plain(l)) ++known;
      if (stores == 1 && known == uses_.at(name) && copies(one)) all[name] = one;
    }
    return all;
  }

private:
  ast::Call call(Node s) const {
    return c.get<ast::Call>(c.is(s, HTP_Expr) ? c.get<ast::Expr>(s).value() : c.get<ast::AnnAssign>(s).value());
  }
  Nodes arguments(Node s) const { return call(s).args(); }
  bool plain(Node s) const { return call(s).keywords().empty(); }
  // Whether what is stored is what was loaded of an input, at the same index, and the buffer has that index.
  bool copies(Cache &one) const {
    const Nodes to = arguments(one.store), extents = arguments(one.buffer).subspan(1);
    const std::string tile(c.name_of(to[1]));
    for (const Node l : loads_)
      if (c.name_of(c.get<ast::AnnAssign>(l).target()) == tile) one.load = l;
    if (!one.load || uses_.at(tile) != 2 || !plain(one.load) || !plain(one.store)) return false;
    const Nodes from = arguments(one.load);
    one.of = std::string(c.name_of(from[0]));
    if (!is_input(one.of) || from.size() + 1 != to.size() || extents.size() + 2 != to.size()) return false;
    for (size_t d = 0; d < extents.size(); ++d) {
      const std::string index = c.show(to[d + 2]);
      const bool whole = index == "whole" || index.ends_with(".whole");
      if (index != c.show(from[d + 1]) || (!whole && index != c.show(extents[d]))) return false;
    }
    return true;
  }
  bool is_input(const std::string &name) const {
    for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args()) {
      auto a = c.get<ast::arg>(n);
      const std::string direction = a.annotation() ? direction_of(c, a.annotation()) : std::string();
      if (a.arg() == name) return direction == "In";
    }
    return false;
  }

  const Context &c;
  Names names_;
  Node function_;
  std::map<std::string, unsigned> uses_;
  std::map<std::string, Node> buffers_;
  std::vector<Node> loads_, stores_;
};

} // namespace

Result forward_caches(const Context &c, Node root, Node &out) {
  out = root;
  const Node function = c.entry_function(root);
  const auto caches = function ? Caches(c, root, function).found() : std::map<std::string, Cache>();
  if (caches.empty()) return HTP_OK;
  std::set<Node> gone;
  for (const auto &[name, one] : caches) {
    gone.insert({one.buffer, one.load, one.store});
    c.report(diag::cached, one.load, one.of);
  }
  const Node left = rewrite(
      c, function, [](Node n) { return n; }, [&](Node s, std::vector<uint32_t> &) { return gone.contains(s); });
  const Node made = rewrite(
      c, left,
      [&](Node n) {
        const auto it = caches.find(std::string(c.name_of(n)));
        return it == caches.end() ? n : c.name(it->second.of, n);
      },
      [](Node, std::vector<uint32_t> &) { return false; });
  out = with_statement(c, root, function, made);
  return c.result();
}

Result verify_uncached(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const auto caches = function ? Caches(c, root, function).found() : std::map<std::string, Cache>();
  for (const auto &[name, one] : caches)
    c.report(diag::cache_left, one.buffer, name, one.of).hint("load it from `" + one.of + "`");
  return caches.empty() ? HTP_OK : HTP_FAILED;
}

} // namespace htp::aie
