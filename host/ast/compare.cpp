#include "host/ast/compare.h"

#include "host/ast/kinds.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace htp {

namespace {

bool same_text(const htp_store &a, uint32_t s, const htp_store &b, uint32_t t) {
  if (s == 0 || t == 0 || (&a == &b && s == t)) return s == t;
  const htp_str x = htp_text(&a, s), y = htp_text(&b, t);
  return x.size == y.size && (x.size == 0 || std::memcmp(x.data, y.data, x.size) == 0);
}

bool same_constant(const htp_store &a, uint32_t s, const htp_store &b, uint32_t t) {
  const htp_const &x = a.consts[s], &y = b.consts[t];
  return x.type == y.type && x.u.i == y.u.i && same_text(a, x.text, b, y.text);
}

} // namespace

Difference first_difference(const htp_store &a_store, htp_node a, const htp_store &b_store, htp_node b) {
  std::vector<std::pair<htp_node, htp_node>> pending{{a, b}};
  while (!pending.empty()) {
    const auto [x, y] = pending.back();
    pending.pop_back();
    if (&a_store == &b_store && x == y) continue;
    const Difference here{x, y};
    if (x == 0 || y == 0 || htp_kind_of(&a_store, x) != htp_kind_of(&b_store, y)) return here;
    const auto fields = kind_fields(htp_kind_of(&a_store, x));
    const size_t below = pending.size();
    for (unsigned f = 0; f < fields.size(); ++f) {
      const uint32_t s = htp_slot(&a_store, x, f), t = htp_slot(&b_store, y, f);
      switch (fields[f].type) {
      case HTP_FIELD_NODE:
      case HTP_FIELD_OPT:
        if ((s == 0) != (t == 0)) return here;
        if (s != 0) pending.emplace_back(s, t);
        break;
      case HTP_FIELD_STR:
      case HTP_FIELD_STRN:
        if (!same_text(a_store, s, b_store, t)) return here;
        break;
      case HTP_FIELD_CONST:
        if (!same_constant(a_store, s, b_store, t)) return here;
        break;
      case HTP_FIELD_LIST:
      case HTP_FIELD_LISTN:
      case HTP_FIELD_STRS:
      case HTP_FIELD_OPS: {
        const uint32_t count = htp_list_size(&a_store, s);
        if (count != htp_list_size(&b_store, t)) return here;
        const uint32_t *u = htp_list_items(&a_store, s), *v = htp_list_items(&b_store, t);
        for (uint32_t i = 0; i < count; ++i) {
          if (fields[f].type == HTP_FIELD_STRS  ? !same_text(a_store, u[i], b_store, v[i])
              : fields[f].type == HTP_FIELD_OPS ? u[i] != v[i]
                                                : (u[i] == 0) != (v[i] == 0))
            return here;
          if (fields[f].type <= HTP_FIELD_LISTN && u[i] != 0) pending.emplace_back(u[i], v[i]);
        }
        break;
      }
      case HTP_FIELD_CTX: break;
      default:
        if (s != t) return here;
      }
    }
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(below), pending.end());
  }
  return {};
}

} // namespace htp
