#include "host/load/release.h"

#include "htp/htp.h"

namespace htp {

namespace {

// A new minor version freezes the row before its own: the numbers of the headers as they were released, not their
// names.
constexpr AbiRelease releases[] = {
    {0,
     UINT64_C(0x7612a98ff32746d4),
     64,
     {{{40, UINT64_C(0xd8cc5fc1800019bc)},
       {40, UINT64_C(0xbbda6520bba4da89)},
       {40, UINT64_C(0x5b00632fe998274e)},
       {64, UINT64_C(0xbca682d659a97b5a)},
       {24, UINT64_C(0x369154e3d2ec81ba)},
       {24, UINT64_C(0xd15c4c7577bd6868)},
       {}, // a pipeline is data
       {56, UINT64_C(0xebbcbffd162effd1)},
       {32, UINT64_C(0xe98ecd3a14defd85)},
       {64, UINT64_C(0x6c2f53d5d0cce36b)},
       {24, UINT64_C(0xd2c4864e8cd686b0)}}}},
    {1,
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
