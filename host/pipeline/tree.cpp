#include "host/pipeline/tree.h"

#include "host/ast/walk.h"

#include <algorithm>

namespace htp {

Span location_of(const Store &store, htp_node n) {
  while (n != HTP_NONE && store.is_node(n)) {
    if (Span span = store.span(n); span && span.line) return span;
    n = store.at(n).origin;
  }
  return {};
}

namespace {

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

size_t depth_of(const Store &store, htp_node root) {
  std::vector<std::pair<htp_node, size_t>> stack{{root, 1}};
  size_t deepest = 0;
  while (!stack.empty()) {
    const auto [n, depth] = stack.back();
    stack.pop_back();
    deepest = std::max(deepest, depth);
    for_each_child(*store.abi(), n, [&, d = depth](htp_node c) { stack.emplace_back(c, d + 1); });
  }
  return deepest;
}

std::vector<bool> names_in(const Store &store, htp_node root) {
  std::vector<bool> result(store.string_count());
  for (const htp_node n : preorder(*store.abi(), root)) {
    const htp_kind_info &info = kind_info(store.kind(n));
    for (unsigned i = 0; i < info.field_count; ++i) {
      const uint32_t s = store.slot(n, i);
      if (!s) continue;
      const auto type = info.fields[i].type;
      if (type == HTP_FIELD_STRS)
        for (const uint32_t item : store.items(s)) result[item] = true;
      else if (type == HTP_FIELD_STR || type == HTP_FIELD_STRN)
        result[s] = true;
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

uint64_t name_key(const Store &store, htp_node expression) {
  const bool dotted = store.kind(expression) == HTP_Attribute;
  const htp_node head = dotted ? store.slot(expression, HTP_FIELD(Attribute, value)) : expression;
  if (store.kind(head) != HTP_Name) return 0;
  return uint64_t{store.slot(head, HTP_FIELD(Name, id))} << 32 |
         (dotted ? store.slot(expression, HTP_FIELD(Attribute, attr)) : 0);
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

} // namespace htp
