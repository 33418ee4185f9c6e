#include "host/load/release.h"

#include "htp/htp.h"

namespace htp {

namespace {

// A new minor version freezes the row before its own: the numbers of the headers as they were released, not their
// names.
constexpr AbiRelease releases[] = {
    {0,
     HTP_LAYOUT_ALL,
     sizeof(htp_entry),
     {{{sizeof(htp_dialect), HTP_LAYOUT_DIALECT},
       {sizeof(htp_intrinsics), HTP_LAYOUT_INTRINSICS},
       {sizeof(htp_handlers), HTP_LAYOUT_HANDLERS},
       {sizeof(htp_layout_facet), HTP_LAYOUT_LAYOUT_FACET},
       {sizeof(htp_analysis), HTP_LAYOUT_ANALYSIS},
       {sizeof(htp_pass), HTP_LAYOUT_PASS},
       {}, // a pipeline is data
       {sizeof(htp_island), HTP_LAYOUT_ISLAND},
       {sizeof(htp_backend), HTP_LAYOUT_BACKEND},
       {sizeof(htp_binding), HTP_LAYOUT_BINDING},
       {sizeof(htp_verifier), HTP_LAYOUT_VERIFIER}}}},
};
static_assert(std::size(releases) == HTP_ABI_MINOR + 1, "a new minor version adds a row");
static_assert(static_cast<size_t>(UnitKind::verifier) + 1 == std::size(releases[0].interfaces));

} // namespace

std::span<const AbiRelease> abi_releases() { return releases; }

uint32_t interface_size(UnitKind kind) { return abi_releases().back().interfaces[static_cast<size_t>(kind)].size; }

} // namespace htp
