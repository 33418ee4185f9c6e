#include "host/pipeline/island.h"

#include "host/ast/kinds.h"

#include <algorithm>

namespace htp {

namespace {

struct Excursion {
  htp_ctx &ctx;
  const htp_island &island;
  std::string folder;
  std::vector<PackageFile> &files;
  htp_status status = HTP_OK;
  unsigned regions = 0;

  // Appends what stands for statement `s`.
  void statement(htp_node s, std::vector<uint32_t> &to) {
    if (status != HTP_OK || !island.claims(ctx.host, &ctx, s)) {
      to.push_back(status == HTP_OK ? inside(s) : s);
      return;
    }
    htp_str text{}, result{};
    status = island.leave(ctx.host, &ctx, s, &text);
    if (status != HTP_OK) return;
    const std::string left(text.data, text.size);
    status = island.transform(ctx.host, &ctx, {left.data(), left.size()}, &result);
    if (status != HTP_OK) return;
    const std::string back(result.data, result.size);
    const uint32_t list = island.enter(ctx.host, &ctx, s, {back.data(), back.size()});
    if (!list || !statements(list)) {
      status = HTP_FAILED;
      return;
    }
    const std::string stem = folder + "/region-" + std::to_string(regions++);
    files.push_back({stem + ".in" + island.suffix, "island", left});
    files.push_back({stem + ".out" + island.suffix, "island", back});
    for (const htp_node n : ctx.store.items(list)) to.push_back(n);
  }

  // Whether what a plugin gave as a list of statements is one.
  bool statements(uint32_t list) {
    const bool good = ctx.store.is_list(list) &&
                      std::all_of(ctx.store.items(list).begin(), ctx.store.items(list).end(), [&](htp_node n) {
                        return ctx.store.is_node(n) && kind_info(ctx.store.kind(n)).group == HTP_GROUP_STMT;
                      });
    if (!good)
      ctx.diagnostics.report(diag::pipeline_bad_result, {}, ctx.unit->name.value, "`enter` gave no list of statements");
    return good;
  }

  // Statements stand in lists of modules, of statements, and of the handlers and cases of these.
  htp_node inside(htp_node n) {
    const htp_kind_info &info = kind_info(ctx.store.kind(n));
    for (unsigned i = 0; i < info.field_count && status == HTP_OK; ++i) {
      if (info.fields[i].type != HTP_FIELD_LIST) continue;
      const Slots list = ctx.store.items(ctx.store.slot(n, i));
      const std::vector<uint32_t> items(list.begin(), list.end());
      if (items.empty()) continue;
      std::vector<uint32_t> result;
      const auto kind = ctx.store.kind(items[0]);
      if (kind_info(kind).group == HTP_GROUP_STMT)
        for (const htp_node s : items) statement(s, result);
      else if (kind == HTP_ExceptHandler || kind == HTP_match_case)
        for (const htp_node s : items) result.push_back(inside(s));
      if (result.empty() || result == items || status != HTP_OK) continue;
      const htp_node changed = ctx.store.with(n, i, ctx.store.list(result));
      if (!changed) {
        ctx.diagnostics.report(diag::pipeline_bad_result, {}, ctx.unit->name.value, ctx.store.reason());
        status = HTP_FAILED;
        return n;
      }
      n = changed;
    }
    return n;
  }
};

} // namespace

htp_status run_island(htp_ctx &ctx, const htp_island &island, htp_node root, const std::string &folder, htp_node &out,
                      std::vector<PackageFile> &files) {
  Excursion excursion{ctx, island, folder, files};
  out = excursion.inside(root);
  return excursion.status;
}

} // namespace htp
