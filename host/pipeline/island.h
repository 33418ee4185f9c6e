// host/pipeline/island.h — drives an island: out of Python, through another compiler, and back (htp/island.h).
#pragma once

#include "host/pipeline/context.h"

namespace htp {

// Replaces each region the island claims. Both texts of each region are added to `files` beneath `folder`.
htp_status run_island(htp_ctx &ctx, const htp_island &island, htp_node root, const std::string &folder, htp_node &out,
                      std::vector<PackageFile> &files);

} // namespace htp
