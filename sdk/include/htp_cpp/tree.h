// htp_cpp/tree.h — typed views over the tree, and building it: C++20 sugar over htp/ast.h and htp/host.h, header-only.
//
//   if (auto loop = tree.as<ast::For>(n)) { loop.target(); loop.body(); … }     a view: null when n is of another kind
//   auto m = tree.read<ast::For>(n);  m.body.push_back(s);  tree.with(n, m);    a copy with changes, origin n
//   tree.make(make::Return{.value = x}, origin);                           a new node
#pragma once

#include "htp/host.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

using Node = htp_node;
using Nodes = std::span<const uint32_t>;

inline std::string_view view(htp_str s) { return {s.data, s.size}; }
inline htp_str str(std::string_view s) { return {s.data(), s.size()}; }

// Reads a store; copyable, borrowed.
class Reader {
public:
  explicit Reader(const htp_store *store) : store_(store) {}

  const htp_store *store() const { return store_; }
  uint16_t kind(Node n) const { return htp_kind_of(store_, n); }
  bool is(Node n, htp_kind k) const { return n && kind(n) == k; }
  const htp_record &record(Node n) const { return *htp_at(store_, n); }
  const htp_kind_info &info(Node n) const { return store_->kinds[kind(n)]; }
  uint32_t slot(Node n, unsigned field) const { return htp_slot(store_, n, field); }
  Nodes list(uint32_t id) const { return id ? Nodes(htp_list_items(store_, id), htp_list_size(store_, id)) : Nodes(); }
  std::string_view text(uint32_t string) const { return string ? view(htp_text(store_, string)) : std::string_view(); }
  const htp_const &constant(uint32_t id) const { return store_->consts[id]; }

  template <class V> V as(Node n) const { return V{this, kind(n) == V::kind_number ? n : HTP_NONE}; }
  // For a node whose kind is known.
  template <class V> V get(Node n) const { return V{this, n}; }

  // A name's identifier, else empty.
  std::string_view name_of(Node n) const {
    return is(n, HTP_Name) ? text(HTP_FIELDS(Name, store_, n)->id) : std::string_view();
  }
  // `a.b.c` as text when `n` is a Name or a chain of attributes over one; else empty.
  std::string dotted(Node n) const {
    std::string result;
    while (is(n, HTP_Attribute)) {
      auto f = HTP_FIELDS(Attribute, store_, n);
      std::string tail(text(f->attr));
      result = result.empty() ? std::move(tail) : tail + "." + result;
      n = f->value;
    }
    if (!is(n, HTP_Name)) return {};
    std::string head(name_of(n));
    return result.empty() ? head : head + "." + result;
  }
  // An int literal (with unary minus), in *value.
  bool integer(Node n, int64_t *value) const {
    if (is(n, HTP_UnaryOp) && HTP_FIELDS(UnaryOp, store_, n)->op == HTP_USub) {
      if (!integer(HTP_FIELDS(UnaryOp, store_, n)->operand, value)) return false;
      *value = -*value;
      return true;
    }
    if (!is(n, HTP_Constant)) return false;
    const htp_const &c = constant(HTP_FIELDS(Constant, store_, n)->value);
    if (c.type != HTP_CONST_INT || c.u.i < 0) return false;
    *value = c.u.i;
    return true;
  }
  // A string literal's text, in *value.
  bool string(Node n, std::string_view *value) const {
    if (!is(n, HTP_Constant)) return false;
    const htp_const &c = constant(HTP_FIELDS(Constant, store_, n)->value);
    if (c.type != HTP_CONST_STR) return false;
    *value = text(c.text);
    return true;
  }
  // Calls f(child) for each child node, in field order.
  template <class F> void children(Node n, F &&f) const {
    const htp_kind_info &k = info(n);
    for (unsigned i = 0; i < k.field_count; ++i) {
      const uint32_t s = slot(n, i);
      switch (k.fields[i].type) {
      case HTP_FIELD_NODE:
      case HTP_FIELD_OPT:
        if (s) f(s);
        break;
      case HTP_FIELD_LIST:
      case HTP_FIELD_LISTN:
        for (Node c : list(s))
          if (c) f(c);
        break;
      default: break;
      }
    }
  }
  // Every node of the subtree, parents first, in field order; f returns false to leave out a node's inside.
  template <class F> void each(Node root, F &&f) const {
    std::vector<Node> stack{root};
    while (!stack.empty()) {
      const Node n = stack.back();
      stack.pop_back();
      if constexpr (std::is_void_v<decltype(f(n))>) {
        f(n);
      } else if (!f(n)) {
        continue;
      }
      const auto below = static_cast<std::ptrdiff_t>(stack.size());
      children(n, [&](Node c) { stack.push_back(c); });
      std::reverse(stack.begin() + below, stack.end());
    }
  }

private:
  const htp_store *store_;
};

// ── views: one class a kind, one method a field ─────────────────────────────────────────────────────────────────────

namespace ast {
template <uint16_t Number> struct View; // the name a method may bear (`arg.arg()`) cannot be the class's own

#define NODE(f)                                                                                                        \
  Node f() const { return fields().f; }
#define OPT(f) NODE(f)
#define LIST(f)                                                                                                        \
  Nodes f() const { return reader->list(fields().f); }
#define LISTN(f) LIST(f)
#define STRS(f) LIST(f)
#define OPS(f) LIST(f)
#define STR(f)                                                                                                         \
  std::string_view f() const { return reader->text(fields().f); }
#define STRN(f) STR(f)
#define INT(f)                                                                                                         \
  int32_t f() const { return static_cast<int32_t>(fields().f); }
#define OP(f)                                                                                                          \
  htp_op f() const { return static_cast<htp_op>(fields().f); }
#define CTX(f)                                                                                                         \
  htp_expr_ctx f() const { return static_cast<htp_expr_ctx>(fields().f); }
#define CONST(f)                                                                                                       \
  const htp_const &f() const { return reader->constant(fields().f); }
#define SINCE(minor, field) field
#define HTP_NODE(number, Name, group, field_list)                                                                      \
  template <> struct View<number> {                                                                                    \
    static constexpr uint16_t kind_number = number;                                                                    \
    const Reader *reader;                                                                                              \
    Node node;                                                                                                         \
    explicit operator bool() const { return node != HTP_NONE; }                                                        \
    const htp_fields_##Name &fields() const { return *HTP_FIELDS(Name, reader->store(), node); }                       \
    field_list                                                                                                         \
  };                                                                                                                   \
  using Name = View<number>;
#include "htp/nodes.def"
#include "htp/nodes_end.def"

} // namespace ast

// ── making: one plain struct a kind ─────────────────────────────────────────────────────────────────────────────────

// A constant to be made.
struct Literal {
  uint32_t type = HTP_CONST_NONE;
  std::string text;
  int64_t i = 0;
  double f = 0;
  static Literal integer(int64_t value) { return {HTP_CONST_INT, {}, value, 0}; } // not negative
  static Literal real(double value) { return {HTP_CONST_FLOAT, {}, 0, value}; }
  static Literal string(std::string_view value) { return {HTP_CONST_STR, std::string(value), 0, 0}; }
  static Literal boolean(bool value) { return {value ? HTP_CONST_TRUE : HTP_CONST_FALSE, {}, 0, 0}; }
};

namespace make {
template <uint16_t Number> struct Fields;
#define NODE(f) Node f = HTP_NONE;
#define OPT(f) Node f = HTP_NONE;
#define LIST(f) std::vector<uint32_t> f = {};
#define LISTN(f) std::vector<uint32_t> f = {};
#define STRS(f) std::vector<std::string> f = {};
#define OPS(f) std::vector<uint32_t> f = {};
#define STR(f) std::string f = {};
#define STRN(f) std::string f = {};
#define INT(f) int32_t f = 0;
#define OP(f) htp_op f = HTP_Add;
#define CTX(f) htp_expr_ctx f = HTP_LOAD;
#define CONST(f) Literal f = {};
#define SINCE(minor, field) field
#define HTP_NODE(number, Name, group, field_list)                                                                      \
  template <> struct Fields<number> {                                                                                  \
    static constexpr uint16_t kind_number = number;                                                                    \
    field_list                                                                                                         \
  };                                                                                                                   \
  using Name = Fields<number>;
#include "htp/nodes.def"
#include "htp/nodes_end.def"
} // namespace make

// Reads and builds, through the host of one callback.
class Tree : public Reader {
public:
  Tree(const htp_host *host, htp_ctx *ctx) : Reader(host->store(ctx)), host_(host), ctx_(ctx) {}

  const htp_host *host() const { return host_; }
  htp_ctx *ctx() const { return ctx_; }

  uint32_t intern(std::string_view s) const { return host_->string(ctx_, str(s)); }
  uint32_t make_list(Nodes items) const {
    return items.empty() ? 0 : host_->list(ctx_, items.data(), static_cast<uint32_t>(items.size()));
  }
  std::string fresh(std::string_view stem) const { return std::string(text(host_->fresh(ctx_, str(stem)))); }
  // Canonical text of a node.
  std::string show(Node n) const { return std::string(view(host_->unparse(ctx_, n))); }

  // A new node; its span is that of `origin`.
  template <class M> Node make(const M &m, Node origin) const {
    const auto slots = encode(m);
    return host_->node(ctx_, M::kind_number, slots.data(), static_cast<uint32_t>(slots.size()), origin);
  }
  // A copy of n with the fields of m, keeping span, comments and literal form.
  template <class M> Node with(Node n, const M &m) const {
    const auto slots = encode(m);
    return host_->with(ctx_, n, slots.data(), static_cast<uint32_t>(slots.size()));
  }
  // A node's fields as a struct to change.
  template <class V> auto read(Node n) const { return decode(get<V>(n)); }

  // ── short forms ──
  Node name(std::string_view id, Node origin, htp_expr_ctx c = HTP_LOAD) const {
    return make(make::Name{.id = std::string(id), .ctx = c}, origin);
  }
  // A Name or a chain of attributes: "cpu.get".
  Node path(std::string_view dotted_name, Node origin) const {
    const size_t dot = dotted_name.rfind('.');
    if (dot == std::string_view::npos) return name(dotted_name, origin);
    return make(make::Attribute{.value = path(dotted_name.substr(0, dot), origin),
                                .attr = std::string(dotted_name.substr(dot + 1))},
                origin);
  }
  Node integer_node(int64_t value, Node origin) const {
    Node n = make(make::Constant{.value = Literal::integer(value < 0 ? -value : value)}, origin);
    return value < 0 ? make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin) : n;
  }
  Node string_node(std::string_view value, Node origin) const {
    return make(make::Constant{.value = Literal::string(value)}, origin);
  }
  Node call(std::string_view function, std::vector<uint32_t> arguments, Node origin,
            std::vector<uint32_t> keywords = {}) const {
    return make(
        make::Call{.func = path(function, origin), .args = std::move(arguments), .keywords = std::move(keywords)},
        origin);
  }
  Node binary(Node left, htp_op op, Node right, Node origin) const {
    return make(make::BinOp{.left = left, .op = op, .right = right}, origin);
  }
  // `name = value`, or `name: annotation = value` when there is an annotation.
  Node assign(std::string_view target, Node annotation, Node value, Node origin) const {
    const Node t = name(target, origin, HTP_STORE);
    if (annotation)
      return make(make::AnnAssign{.target = t, .annotation = annotation, .value = value, .simple = 1}, origin);
    return make(make::Assign{.targets = {t}, .value = value}, origin);
  }
  Node statement(Node value, Node origin) const { return make(make::Expr{.value = value}, origin); }
  // Parses a Python expression; for annotations and fixed snippets.
  Node parse(std::string_view source, Node origin) const { return host_->parse_expr(ctx_, str(source), origin); }

private:
  struct Encoder {
    const Tree &t;
    std::vector<uint32_t> slots;
    void node(Node n) { slots.push_back(n); }
    void list(const std::vector<uint32_t> &l) { slots.push_back(t.make_list(l)); }
    void strings(const std::vector<std::string> &l) {
      std::vector<uint32_t> ids;
      for (const auto &s : l) ids.push_back(t.intern(s));
      slots.push_back(t.make_list(ids));
    }
    void string(const std::string &s) { slots.push_back(t.intern(s)); }
    void optional(const std::string &s) { slots.push_back(s.empty() ? 0 : t.intern(s)); }
    void number(uint32_t v) { slots.push_back(v); }
    void literal(const Literal &l) { slots.push_back(t.host_->constant(t.ctx_, l.type, str(l.text), l.i, l.f)); }
  };

#define NODE(f) e.node(m.f);
#define OPT(f) e.node(m.f);
#define LIST(f) e.list(m.f);
#define LISTN(f) e.list(m.f);
#define STRS(f) e.strings(m.f);
#define OPS(f) e.list(m.f);
#define STR(f) e.string(m.f);
#define STRN(f) e.optional(m.f);
#define INT(f) e.number(static_cast<uint32_t>(m.f));
#define OP(f) e.number(static_cast<uint32_t>(m.f));
#define CTX(f) e.number(static_cast<uint32_t>(m.f));
#define CONST(f) e.literal(m.f);
#define SINCE(minor, field) field
#define HTP_NODE(number, Name, group, field_list)                                                                      \
  std::vector<uint32_t> encode([[maybe_unused]] const make::Name &m) const {                                           \
    Encoder e{*this, {}};                                                                                              \
    field_list return std::move(e.slots);                                                                              \
  }
#include "htp/nodes.def"
#include "htp/nodes_end.def"

  static std::vector<uint32_t> copy(Nodes l) { return {l.begin(), l.end()}; }
  std::vector<std::string> texts(Nodes l) const {
    std::vector<std::string> result;
    for (uint32_t s : l) result.emplace_back(text(s));
    return result;
  }
  Literal literal(const htp_const &c) const {
    Literal l{c.type, std::string(text(c.text)), 0, 0};
    if (c.type == HTP_CONST_FLOAT || c.type == HTP_CONST_COMPLEX) l.f = c.u.f;
    return l;
  }
#define NODE(f) m.f = v.f();
#define OPT(f) m.f = v.f();
#define LIST(f) m.f = copy(v.f());
#define LISTN(f) m.f = copy(v.f());
#define STRS(f) m.f = texts(v.f());
#define OPS(f) m.f = copy(v.f());
#define STR(f) m.f = std::string(v.f());
#define STRN(f) m.f = std::string(v.f());
#define INT(f) m.f = v.f();
#define OP(f) m.f = v.f();
#define CTX(f) m.f = v.f();
#define CONST(f) m.f = literal(v.f());
#define SINCE(minor, field) field
#define HTP_NODE(number, Name, group, field_list)                                                                      \
  make::Name decode([[maybe_unused]] const ast::Name &v) const {                                                       \
    make::Name m;                                                                                                      \
    field_list return m;                                                                                               \
  }
#include "htp/nodes.def"
#include "htp/nodes_end.def"

  const htp_host *host_;
  htp_ctx *ctx_;
};

// ── rewriting ───────────────────────────────────────────────────────────────────────────────────────────────────────

// Rebuilds a subtree bottom-up. `expr(n)` gets each expression after its children were rewritten and returns what
// stands for it (n itself: unchanged). `stmt(n, out)` gets each statement after its inside was rewritten and returns
// false to keep it, or true after appending what replaces it (nothing, one, many). Unchanged subtrees keep their ids.
template <class Expr, class Stmt> class Rewriter {
public:
  Rewriter(const Tree &tree, Expr expr, Stmt stmt) : t(tree), expr_(std::move(expr)), stmt_(std::move(stmt)) {}

  Node operator()(Node n) {
    const htp_kind_info &k = t.info(n);
    std::vector<uint32_t> slots(k.field_count);
    bool changed = false;
    for (unsigned i = 0; i < k.field_count; ++i) {
      const uint32_t s = slots[i] = t.slot(n, i);
      if (!s) continue;
      switch (k.fields[i].type) {
      case HTP_FIELD_NODE:
      case HTP_FIELD_OPT: slots[i] = (*this)(s); break;
      case HTP_FIELD_LIST:
      case HTP_FIELD_LISTN: slots[i] = list(s); break;
      default: break;
      }
      changed |= slots[i] != s;
    }
    if (changed) n = t.host()->with(t.ctx(), n, slots.data(), static_cast<uint32_t>(slots.size()));
    return k.group == HTP_GROUP_EXPR ? expr_(n) : n;
  }

private:
  uint32_t list(uint32_t id) {
    std::vector<uint32_t> items;
    bool changed = false;
    for (const Node c : t.list(id)) {
      const Node r = c ? (*this)(c) : c;
      const size_t before = items.size();
      if (r && t.info(r).group == HTP_GROUP_STMT && stmt_(r, items)) {
        changed |= items.size() != before + 1 || items.back() != c;
      } else {
        items.push_back(r);
        changed |= r != c;
      }
    }
    return changed ? t.make_list(items) : id;
  }

  const Tree &t;
  Expr expr_;
  Stmt stmt_;
};

template <class Expr, class Stmt> Node rewrite(const Tree &tree, Node root, Expr expr, Stmt stmt) {
  return Rewriter<Expr, Stmt>(tree, std::move(expr), std::move(stmt))(root);
}

} // namespace htp::sdk
