#include "host/pipeline/tree.h"

#include "host/ast/compare.h"
#include "host/pipeline/context.h"

#include <algorithm>

namespace htp {

namespace {

// Calls node(slot_value) for each child in field order.
template <class F> void for_children(const Store &store, htp_node n, F &&f) {
  const htp_kind_info &info = kind_info(store.kind(n));
  for (unsigned i = 0; i < info.field_count; ++i) {
    const uint32_t s = store.slot(n, i);
    switch (info.fields[i].type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT:
      if (s) f(s);
      break;
    case HTP_FIELD_LIST:
    case HTP_FIELD_LISTN:
      for (const htp_node c : store.items(s))
        if (c) f(c);
      break;
    default: break;
    }
  }
}

std::string text_or_empty(const Store &store, uint32_t string) {
  return string ? std::string(store.text(string)) : std::string();
}

} // namespace

htp_node copy_tree(Store &store, htp_node root, htp_node origin) {
  const htp_kind_info &info = kind_info(store.kind(root));
  std::vector<uint32_t> slots(store.slots(root).begin(), store.slots(root).end());
  for (unsigned i = 0; i < info.field_count; ++i) {
    if (!slots[i]) continue;
    switch (info.fields[i].type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT: slots[i] = copy_tree(store, slots[i], origin); break;
    case HTP_FIELD_LIST:
    case HTP_FIELD_LISTN: {
      const Slots list = store.items(slots[i]);
      std::vector<uint32_t> items(list.begin(), list.end());
      for (uint32_t &item : items)
        if (item) item = copy_tree(store, item, origin);
      slots[i] = store.list(items);
      break;
    }
    default: break;
    }
  }
  return store.node(store.kind(root), slots, origin);
}

std::vector<htp_node> preorder(const Store &store, htp_node root) {
  std::vector<htp_node> result, stack{root}, children;
  while (!stack.empty()) {
    const htp_node n = stack.back();
    stack.pop_back();
    result.push_back(n);
    children.clear();
    for_children(store, n, [&](htp_node c) { children.push_back(c); });
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return result;
}

size_t depth_of(const Store &store, htp_node root) {
  std::vector<std::pair<htp_node, size_t>> stack{{root, 1}};
  size_t deepest = 0;
  while (!stack.empty()) {
    const auto [n, depth] = stack.back();
    stack.pop_back();
    deepest = std::max(deepest, depth);
    for_children(store, n, [&, d = depth](htp_node c) { stack.emplace_back(c, d + 1); });
  }
  return deepest;
}

std::set<std::string> names_in(const Store &store, htp_node root) {
  std::set<std::string> result;
  for (const htp_node n : preorder(store, root)) {
    const htp_kind_info &info = kind_info(store.kind(n));
    for (unsigned i = 0; i < info.field_count; ++i) {
      const uint32_t s = store.slot(n, i);
      if (!s) continue;
      const auto type = info.fields[i].type;
      if (type == HTP_FIELD_STRS)
        for (const uint32_t item : store.items(s)) result.emplace(store.text(item));
      else if (type == HTP_FIELD_STR || type == HTP_FIELD_STRN)
        result.emplace(store.text(s));
    }
  }
  return result;
}

std::string dotted_name(const Store &store, htp_node n) {
  std::string result;
  for (; n && store.kind(n) == HTP_Attribute; n = store.slot(n, HTP_FIELD(Attribute, value)))
    result = "." + std::string(store.text(store.slot(n, HTP_FIELD(Attribute, attr)))) + result;
  if (!n || store.kind(n) != HTP_Name) return {};
  return std::string(store.text(store.slot(n, HTP_FIELD(Name, id)))) + result;
}

std::vector<Imported> imports_of(const Store &store, htp_node module) {
  std::vector<Imported> result;
  for (const htp_node s : store.items(store.slot(module, HTP_FIELD(Module, body)))) {
    if (store.kind(s) == HTP_Import) {
      for (const htp_node a : store.items(store.slot(s, HTP_FIELD(Import, names)))) {
        const std::string name(store.text(store.slot(a, HTP_FIELD(alias, name))));
        const std::string as = text_or_empty(store, store.slot(a, HTP_FIELD(alias, asname)));
        result.push_back({name, "", as.empty() ? name.substr(0, name.find('.')) : as, s});
      }
    } else if (store.kind(s) == HTP_ImportFrom) {
      const std::string module_name = text_or_empty(store, store.slot(s, HTP_FIELD(ImportFrom, module)));
      for (const htp_node a : store.items(store.slot(s, HTP_FIELD(ImportFrom, names)))) {
        const std::string name(store.text(store.slot(a, HTP_FIELD(alias, name))));
        const std::string as = text_or_empty(store, store.slot(a, HTP_FIELD(alias, asname)));
        result.push_back({module_name, name, as.empty() ? name : as, s});
      }
    }
  }
  return result;
}

std::string qualified_name(const Store &store, const std::vector<Imported> &imports, htp_node expression) {
  const std::string path = dotted_name(store, expression);
  const std::string head = path.substr(0, path.find('.'));
  for (const Imported &i : imports)
    if (!path.empty() && i.local == head)
      return (i.name.empty() ? i.module : i.module + "." + i.name) + path.substr(head.size());
  return {};
}

htp_node keyword_of(const Store &store, htp_node call, std::string_view name) {
  for (const htp_node k : store.items(store.slot(call, HTP_FIELD(Call, keywords))))
    if (const uint32_t arg = store.slot(k, HTP_FIELD(keyword, arg)); arg && store.text(arg) == name)
      return store.slot(k, HTP_FIELD(keyword, value));
  return HTP_NONE;
}

std::optional<std::string> string_of(const Store &store, htp_node n) {
  if (!n || store.kind(n) != HTP_Constant) return std::nullopt;
  const htp_const &c = store.constant_at(store.slot(n, HTP_FIELD(Constant, value)));
  if (c.type != HTP_CONST_STR) return std::nullopt;
  return std::string(store.text(c.text));
}

std::optional<std::vector<std::string>> strings_of(const Store &store, htp_node n) {
  if (!n || store.kind(n) != HTP_List) return std::nullopt;
  std::vector<std::string> result;
  for (const htp_node item : store.items(store.slot(n, HTP_FIELD(List, elts)))) {
    auto text = string_of(store, item);
    if (!text) return std::nullopt;
    result.push_back(std::move(*text));
  }
  return result;
}

// ── layouts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

const htp_layout_facet *facet_of(htp_ctx &ctx, htp_node layout) {
  if (ctx.store.kind(layout) != HTP_Call) return nullptr;
  const std::string name =
      qualified_name(ctx.store, imports_of(ctx.store, ctx.root), ctx.store.slot(layout, HTP_FIELD(Call, func)));
  return ctx.registry->layout(name.empty() ? dotted_name(ctx.store, ctx.store.slot(layout, HTP_FIELD(Call, func)))
                                           : name);
}

} // namespace

htp_node join_layout_expressions(htp_ctx &ctx, htp_node a, htp_node b, htp_node where) {
  if (!a || !b) return a ? a : b;
  const htp_host &host = host_table();
  const htp_layout_facet *fa = facet_of(ctx, a), *fb = facet_of(ctx, b);
  const auto show = [&](htp_node n) { return std::string(host.unparse(&ctx, n).data, host.unparse(&ctx, n).size); };
  const auto refuse = [&](std::string_view hint) {
    Diagnostic &d = ctx.diagnostics.report(diag::pipeline_layouts_differ, ctx.store.span(where), show(a), show(b));
    d.hint(std::string(hint));
    return htp_node{HTP_NONE};
  };
  if (!fa || !fb) {
    if (same_tree(*ctx.store.abi(), a, b)) return a;
    return refuse("no loaded plugin brings a layout facet for `" + show(fa ? b : a) + "`");
  }
  if (fa == fb) {
    const htp_node joined = fa->join(&host, &ctx, a, b);
    return joined ? joined : refuse("give one of them the other's layout first");
  }
  // Two notations meet in the core algebra.
  const htp_node core_a = fa->to_core(&host, &ctx, a), core_b = fb->to_core(&host, &ctx, b);
  if (!core_a || !core_b) return HTP_NONE;
  return same_tree(*ctx.store.abi(), core_a, core_b) ? a : refuse("they mean different things in the core algebra");
}

} // namespace htp
