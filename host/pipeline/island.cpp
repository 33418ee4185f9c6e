#include "host/pipeline/island.h"

#include "host/ast/kinds.h"

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
    if (status != HTP_OK || !island.claims(&host_table(), &ctx, s)) {
      to.push_back(status == HTP_OK ? inside(s) : s);
      return;
    }
    htp_str text{}, result{};
    status = island.leave(&host_table(), &ctx, s, &text);
    if (status != HTP_OK) return;
    const std::string left(text.data, text.size);
    status = island.transform(&host_table(), &ctx, {left.data(), left.size()}, &result);
    if (status != HTP_OK) return;
    const std::string back(result.data, result.size);
    const uint32_t list = island.enter(&host_table(), &ctx, s, {back.data(), back.size()});
    if (!list) {
      status = HTP_FAILED;
      return;
    }
    const std::string stem = folder + "/region-" + std::to_string(regions++);
    files.push_back({stem + ".in" + island.suffix, "island", left});
    files.push_back({stem + ".out" + island.suffix, "island", back});
    for (const htp_node n : ctx.store.items(list)) to.push_back(n);
  }

  htp_node inside(htp_node n) {
    const htp_kind_info &info = kind_info(ctx.store.kind(n));
    if (info.group != HTP_GROUP_STMT && info.group != HTP_GROUP_MOD) return n;
    for (unsigned i = 0; i < info.field_count; ++i) {
      if (info.fields[i].type != HTP_FIELD_LIST) continue;
      const uint32_t list = ctx.store.slot(n, i);
      const Slots items = ctx.store.items(list);
      if (items.empty() || kind_info(ctx.store.kind(items[0])).group != HTP_GROUP_STMT) continue;
      std::vector<uint32_t> result;
      for (const htp_node s : items) statement(s, result);
      if (std::vector<uint32_t>(items.begin(), items.end()) != result) n = ctx.store.with(n, i, ctx.store.list(result));
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
