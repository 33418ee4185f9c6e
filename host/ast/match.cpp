#include "host/ast/match.h"

#include "host/ast/compare.h"
#include "host/ast/walk.h"

#include <algorithm>
#include <array>
#include <set>

namespace htp {

namespace {

std::string_view variable_of(const Store &store, htp_node pattern) {
  if (store.kind(pattern) != HTP_Name) return {};
  const std::string_view name = store.text(store.slot(pattern, HTP_FIELD(Name, id)));
  return name.starts_with('_') ? name : std::string_view();
}

bool holds_nodes(uint8_t type) { return type <= HTP_FIELD_LISTN; }

// Whether two nodes are equal but for their child nodes, of which there are as many at the same positions.
bool same_but_children(const Store &store, htp_node a, htp_node b) {
  if (store.kind(a) != store.kind(b)) return false;
  const auto fields = kind_fields(store.kind(a));
  for (unsigned f = 0; f < fields.size(); ++f) {
    const uint32_t s = store.slot(a, f), t = store.slot(b, f);
    const auto same_presence = [](uint32_t x, uint32_t y) { return (x == 0) == (y == 0); };
    switch (fields[f].type) {
    case HTP_FIELD_NODE:
    case HTP_FIELD_OPT:
      if (!same_presence(s, t)) return false;
      break;
    case HTP_FIELD_LIST:
    case HTP_FIELD_LISTN:
      if (!std::ranges::equal(store.items(s), store.items(t), same_presence)) return false;
      break;
    case HTP_FIELD_STRS:
    case HTP_FIELD_OPS:
      if (!std::ranges::equal(store.items(s), store.items(t))) return false;
      break;
    case HTP_FIELD_CTX: break;
    default:
      if (s != t) return false; // strings and constants are interned
    }
  }
  return true;
}

// Builds the tree below `root` anew, children first; made(n, slots) answers the new node, replaced(n) a node that
// stands instead of n with all its inside (HTP_NONE: go on into it).
template <class Replaced, class Made> htp_node build(Store &store, htp_node root, Replaced &&replaced, Made &&made) {
  struct Step {
    htp_node node;
    bool inside_done;
  };
  std::vector<Step> steps{{root, false}};
  std::vector<htp_node> done;
  while (!steps.empty()) {
    const auto [n, inside_done] = steps.back();
    steps.pop_back();
    if (!inside_done) {
      if (const htp_node instead = replaced(n); instead != HTP_NONE) {
        done.push_back(instead);
        continue;
      }
      steps.push_back({n, true});
      const auto below = static_cast<std::ptrdiff_t>(steps.size());
      for_each_child(*store.abi(), n, [&](htp_node child) { steps.push_back({child, false}); });
      std::reverse(steps.begin() + below, steps.end());
      continue;
    }
    size_t children = 0;
    for_each_child(*store.abi(), n, [&](htp_node) { ++children; });
    const htp_node *next = done.data() + done.size() - children;
    const auto fields = kind_fields(store.kind(n));
    std::vector<uint32_t> slots(store.slots(n).begin(), store.slots(n).end());
    for (unsigned f = 0; f < slots.size(); ++f) {
      if (slots[f] == 0 || !holds_nodes(fields[f].type)) continue;
      if (fields[f].type <= HTP_FIELD_OPT) {
        slots[f] = *next++;
        continue;
      }
      std::vector<uint32_t> items(store.items(slots[f]).begin(), store.items(slots[f]).end());
      for (uint32_t &item : items)
        if (item != HTP_NONE) item = *next++;
      slots[f] = store.list(items);
    }
    done.resize(done.size() - children);
    const htp_node built = made(n, Slots(slots));
    if (built == HTP_NONE) return HTP_NONE;
    done.push_back(built);
  }
  return done.back();
}

} // namespace

htp_node Bindings::operator[](std::string_view variable) const {
  const auto row = std::ranges::find(rows_, variable, &std::pair<std::string_view, htp_node>::first);
  return row == rows_.end() ? HTP_NONE : row->second;
}

std::optional<Bindings> match(const Store &store, htp_node pattern, htp_node n) {
  Bindings bindings;
  std::vector<std::pair<htp_node, htp_node>> pending{{pattern, n}};
  std::vector<htp_node> left, right;
  while (!pending.empty()) {
    const auto [p, m] = pending.back();
    pending.pop_back();
    if (const std::string_view variable = variable_of(store, p); !variable.empty()) {
      if (kind_info(store.kind(m)).group != HTP_GROUP_EXPR) return std::nullopt;
      if (variable == "_") continue;
      const htp_node bound = bindings[variable];
      if (bound == HTP_NONE)
        bindings.bind(variable, m);
      else if (!same_tree(*store.abi(), bound, m))
        return std::nullopt;
      continue;
    }
    if (!same_but_children(store, p, m)) return std::nullopt;
    left.clear();
    right.clear();
    for_each_child(*store.abi(), p, [&](htp_node child) { left.push_back(child); });
    for_each_child(*store.abi(), m, [&](htp_node child) { right.push_back(child); });
    for (size_t i = left.size(); i-- != 0;) pending.emplace_back(left[i], right[i]);
  }
  return bindings;
}

htp_node copy(Store &store, htp_node root) {
  return build(
      store, root, [](htp_node) { return htp_node{HTP_NONE}; },
      [&](htp_node n, Slots slots) { return store.node(store.kind(n), slots, n); });
}

htp_node apply(Store &store, htp_node form, const Bindings &bindings, htp_node origin) {
  std::set<htp_node> used;
  return build(
      store, form,
      [&](htp_node n) {
        const std::string_view variable = variable_of(store, n);
        const htp_node bound = variable.empty() ? HTP_NONE : bindings[variable];
        return bound == HTP_NONE || used.insert(bound).second ? bound : copy(store, bound);
      },
      [&](htp_node n, Slots slots) { return store.node(store.kind(n), slots, origin); });
}

} // namespace htp
