#include "host/check/made_up.h"

#include "host/ast/rewrite.h"
#include "host/ast/walk.h"

#include <algorithm>

namespace htp {

namespace {

bool is_group(uint32_t kind, uint8_t group) { return kind_info(kind).name && kind_info(kind).group == group; }

// Builds nodes of kinds that fit where they stand.
class Maker {
public:
  Maker(Store &store, Dice &dice) : store_(store), dice_(dice) {}

  htp_node module() {
    std::vector<uint32_t> body;
    for (uint32_t i = 0, n = 1 + dice_.below(4); i < n; ++i)
      if (const htp_node s = of_group(HTP_GROUP_STMT, 3)) body.push_back(s);
    return store_.node(HTP_Module, {store_.list(body), 0});
  }

private:
  htp_node leaf() {
    if (dice_.below(2)) return store_.node(HTP_Name, {name(), HTP_LOAD});
    return store_.node(HTP_Constant, {constant(), 0});
  }
  uint32_t name() {
    static constexpr std::string_view names[] = {"x", "y", "f", "htp", "np", "M", "kernel", "_"};
    return store_.string(names[dice_.below(std::size(names))]);
  }
  uint32_t constant() {
    switch (dice_.below(5)) {
    case 0: return store_.constant(HTP_CONST_NONE);
    case 1: return store_.constant(HTP_CONST_STR, "text");
    case 2: return store_.constant(HTP_CONST_FLOAT, {}, 0, 0.5);
    case 3: return store_.constant(HTP_CONST_INT, "123456789012345678901234567890");
    default: return store_.constant(HTP_CONST_INT, {}, dice_.below(9));
    }
  }

  htp_node of_group(uint8_t group, int depth) {
    for (int tries = 0; tries < 8; ++tries) {
      const uint32_t kind = 1 + dice_.below(HTP_KIND_LIMIT - 1);
      if (!is_group(kind, group)) continue;
      if (const htp_node n = of_kind(kind, depth)) return n;
    }
    return group == HTP_GROUP_EXPR ? leaf() : group == HTP_GROUP_STMT ? store_.node(HTP_Pass, {}) : htp_node{HTP_NONE};
  }

  // What fits into a slot; 0: nothing found.
  htp_node fitting(uint32_t parent, unsigned field, int depth) {
    if (depth <= 0 && kind_accepts(parent, field, HTP_Name)) return leaf();
    if (depth <= 0 && kind_accepts(parent, field, HTP_Pass)) return store_.node(HTP_Pass, {});
    std::vector<uint32_t> kinds;
    for (uint32_t k = 1; k < HTP_KIND_LIMIT; ++k)
      if (kind_info(k).name && kind_accepts(parent, field, k)) kinds.push_back(k);
    if (kinds.empty() || depth < -3) return HTP_NONE;
    return of_kind(kinds[dice_.below(static_cast<uint32_t>(kinds.size()))], depth - 1);
  }

  htp_node of_kind(uint32_t kind, int depth) {
    if (kind == HTP_Constant) return store_.node(HTP_Constant, {constant(), 0});
    const auto fields = kind_fields(kind);
    std::vector<uint32_t> slots(fields.size());
    for (unsigned f = 0; f < fields.size(); ++f) {
      switch (fields[f].type) {
      case HTP_FIELD_NODE: slots[f] = fitting(kind, f, depth - 1); break;
      case HTP_FIELD_OPT: slots[f] = dice_.below(2) ? fitting(kind, f, depth - 1) : HTP_NONE; break;
      case HTP_FIELD_LIST:
      case HTP_FIELD_LISTN: {
        std::vector<uint32_t> items;
        for (uint32_t i = 0, n = 1 + dice_.below(2); i < n; ++i)
          if (const htp_node item = fitting(kind, f, depth - 1)) items.push_back(item);
        slots[f] = store_.list(items);
        break;
      }
      case HTP_FIELD_STR: slots[f] = name(); break;
      case HTP_FIELD_OP: {
        for (int tries = 0; tries < 200 && !slots[f]; ++tries)
          if (const uint32_t op = 1 + dice_.below(HTP_NotIn); kind_accepts_op(kind, op)) slots[f] = op;
        break;
      }
      case HTP_FIELD_OPS: slots[f] = store_.list({HTP_Lt}); break;
      case HTP_FIELD_CTX: slots[f] = HTP_LOAD; break;
      case HTP_FIELD_CONST: slots[f] = constant(); break;
      case HTP_FIELD_STRS: slots[f] = store_.list({name()}); break;
      default: break;
      }
    }
    return store_.node(kind, slots); // 0 where it is none after all
  }

  Store &store_;
  Dice &dice_;
};

// The tree with `instead` where `n` stands.
htp_node exchanged(Store &store, htp_node root, htp_node n, htp_node instead) {
  RewriteRules rules;
  rules.leave = [&](htp_node at) { return at; };
  bool done = false;
  rules.enter = [&](htp_node at) {
    if (at != n || done) return at;
    done = true;
    return instead;
  };
  return rewrite(store, root, rules);
}

htp_node with_statement(Store &store, htp_node root, htp_node n, const std::vector<htp_node> &instead) {
  RewriteRules rules;
  bool done = false;
  rules.statement = [&](htp_node at, std::vector<htp_node> &to) {
    if (done || (at != n && store.at(at).origin != n)) {
      to.push_back(at);
    } else {
      done = true;
      to.insert(to.end(), instead.begin(), instead.end());
    }
    return true;
  };
  return rewrite(store, root, rules);
}

htp_node changed_once(Store &store, htp_node root, Dice &dice) {
  const std::vector<htp_node> nodes = preorder(*store.abi(), root);
  const auto pick = [&](auto &&fits) -> htp_node {
    std::vector<htp_node> found;
    for (const htp_node n : nodes)
      if (fits(n)) found.push_back(n);
    return found.empty() ? HTP_NONE : found[dice.below(static_cast<uint32_t>(found.size()))];
  };
  const auto statement = [&] { return pick([&](htp_node n) { return is_group(store.kind(n), HTP_GROUP_STMT); }); };
  const auto expression = [&] { return pick([&](htp_node n) { return is_group(store.kind(n), HTP_GROUP_EXPR); }); };
  switch (dice.below(7)) {
  case 0: { // dropped
    const htp_node s = statement();
    return s ? with_statement(store, root, s, {}) : root;
  }
  case 1: { // a copy of another one before it
    const htp_node s = statement(), other = statement();
    return s && other ? with_statement(store, root, s, {other, s}) : root;
  }
  case 2: { // another one instead
    const htp_node s = statement(), other = statement();
    return s && other ? with_statement(store, root, s, {other}) : root;
  }
  case 3: { // another number, text …
    const htp_node n = pick([&](htp_node k) { return store.kind(k) == HTP_Constant; });
    static constexpr int64_t values[] = {0, 1, 2, 3, 7, 64, 1 << 20, INT64_MAX};
    const uint32_t value = dice.below(3) ? store.constant(HTP_CONST_INT, {}, values[dice.below(std::size(values))])
                                         : store.constant(HTP_CONST_STR, "text");
    return n ? exchanged(store, root, n, store.node(HTP_Constant, {value, 0}, n)) : root;
  }
  case 4: { // another name
    const auto is_name = [&](htp_node k) { return store.kind(k) == HTP_Name; };
    const htp_node n = pick(is_name), other = pick(is_name);
    return n && other
               ? exchanged(store, root, n, store.with(n, HTP_FIELD(Name, id), store.slot(other, HTP_FIELD(Name, id))))
               : root;
  }
  case 5: { // a call without its last argument
    const htp_node n = pick([&](htp_node k) {
      return store.kind(k) == HTP_Call && !store.items(store.slot(k, HTP_FIELD(Call, args))).empty();
    });
    if (!n) return root;
    const Slots all = store.items(store.slot(n, HTP_FIELD(Call, args)));
    const std::vector<uint32_t> fewer(all.begin(), all.end() - 1);
    return exchanged(store, root, n, store.with(n, HTP_FIELD(Call, args), store.list(fewer)));
  }
  default: { // another expression of the program
    const htp_node n = expression(), other = expression();
    return n && other ? exchanged(store, root, n, other) : root;
  }
  }
}

} // namespace

uint64_t Dice::roll() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

htp_node made_up_module(Store &store, Dice &dice) { return Maker(store, dice).module(); }

htp_node changed_program(Store &store, htp_node root, Dice &dice) {
  for (uint32_t i = 0, n = 1 + dice.below(3); i < n; ++i)
    if (const htp_node changed = changed_once(store, root, dice)) root = changed;
  return root;
}

htp_node with_other_numbers(Store &store, htp_node root, Dice &dice) {
  RewriteRules rules;
  rules.leave = [&](htp_node n) -> htp_node {
    if (store.kind(n) != HTP_Constant) return n;
    const htp_const &value = store.constant_at(store.slot(n, HTP_FIELD(Constant, value)));
    if (value.type != HTP_CONST_INT) return n;
    return store.node(HTP_Constant, {store.constant(HTP_CONST_INT, {}, int64_t{1} << dice.below(6)), 0}, n);
  };
  return rewrite(store, root, rules);
}

UnknownKinds with_unknown_kinds(Store &store, htp_node root) {
  constexpr uint16_t statement = 500, expression = 501;
  UnknownKinds result;
  const htp_kind_info *known = kind_table();
  result.kinds.assign(known, known + HTP_KIND_LIMIT);
  result.kinds.resize(expression + 1);
  static constexpr htp_field_info value[] = {{"value", HTP_FIELD_NODE, 0}};
  result.kinds[statement] = {"Frobnicate", HTP_GROUP_STMT, 1, HTP_ORDER_FIELDS, 0, value};
  result.kinds[expression] = {"Frobnicated", HTP_GROUP_EXPR, 1, HTP_ORDER_FIELDS, 0, value};
  // Made as kinds with one field, then given the other number: the records are this process's own memory.
  const htp_node inner = store.node(HTP_Await, {store.node(HTP_Name, {store.string("x"), HTP_LOAD})});
  const htp_node outer = store.node(HTP_Expr, {store.node(HTP_Await, {inner})});
  const Slots body = store.items(store.slot(root, HTP_FIELD(Module, body)));
  std::vector<uint32_t> all(body.begin(), body.end());
  // In the module, and in the body of each function of it.
  for (uint32_t &s : all) {
    if (store.kind(s) != HTP_FunctionDef) continue;
    const Slots own = store.items(store.slot(s, HTP_FIELD(FunctionDef, body)));
    std::vector<uint32_t> inside(own.begin(), own.end());
    const htp_node one = store.node(HTP_Expr, {store.node(HTP_Name, {store.string("x"), HTP_LOAD})});
    inside.insert(inside.begin(), one);
    s = store.with(s, HTP_FIELD(FunctionDef, body), store.list(inside));
    const_cast<htp_record *>(htp_at(store.abi(), one))->kind = statement;
  }
  all.push_back(outer);
  result.root = store.with(root, HTP_FIELD(Module, body), store.list(all));
  const_cast<htp_record *>(htp_at(store.abi(), inner))->kind = expression;
  const_cast<htp_record *>(htp_at(store.abi(), outer))->kind = statement;
  return result;
}

} // namespace htp
