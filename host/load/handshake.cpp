#include "host/load/handshake.h"

#include "htp/htp.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace htp {

namespace {

// The layouts of this major version's released minor versions: HTP_LAYOUT_ALL as it was then.
constexpr uint64_t released_layouts[] = {HTP_LAYOUT_ALL};
static_assert(std::size(released_layouts) == HTP_ABI_MINOR + 1, "a new minor version adds a row");

struct Interface {
  uint32_t size = 0;
  uint64_t layout = 0;
};

Interface interface_of(UnitKind kind) {
  switch (kind) {
  case UnitKind::dialect: return {sizeof(htp_dialect), HTP_LAYOUT_DIALECT};
  case UnitKind::intrinsics: return {sizeof(htp_intrinsics), HTP_LAYOUT_INTRINSICS};
  case UnitKind::handlers: return {sizeof(htp_handlers), HTP_LAYOUT_HANDLERS};
  case UnitKind::layout: return {sizeof(htp_layout_facet), HTP_LAYOUT_LAYOUT_FACET};
  case UnitKind::analysis: return {sizeof(htp_analysis), HTP_LAYOUT_ANALYSIS};
  case UnitKind::pass: return {sizeof(htp_pass), HTP_LAYOUT_PASS};
  case UnitKind::pipeline: return {};
  case UnitKind::island: return {sizeof(htp_island), HTP_LAYOUT_ISLAND};
  case UnitKind::backend: return {sizeof(htp_backend), HTP_LAYOUT_BACKEND};
  case UnitKind::binding: return {sizeof(htp_binding), HTP_LAYOUT_BINDING};
  case UnitKind::verifier: return {sizeof(htp_verifier), HTP_LAYOUT_VERIFIER};
  }
  return {};
}

std::string list(std::span<const htp_unit> units) {
  std::string text;
  for (const htp_unit &unit : units)
    text += fmt::format("{}`{}` (`{}`)", text.empty() ? "" : ", ", unit.name, unit.kind);
  return text.empty() ? "no unit at all" : text;
}

// One handshake: each step reports and says whether to go on.
class Handshake {
public:
  Handshake(const Manifest &manifest, const htp_entry &entry, Diagnostics &diagnostics)
      : manifest_(manifest), entry_(entry), diagnostics_(diagnostics) {}

  std::optional<LoadStep> run() {
    if (!abi()) return LoadStep::abi;
    if (!identity()) return LoadStep::identity;
    if (!units()) return LoadStep::units;
    if (!interfaces()) return LoadStep::interfaces;
    return std::nullopt;
  }

private:
  // Only the head and the version are where any ABI puts them; nothing else is read before these fit.
  bool abi() {
    if (entry_.head.size < offsetof(htp_entry, id)) return bad_entry(fmt::format("its size is {}", entry_.head.size));
    if (entry_.abi_major != HTP_ABI_MAJOR || entry_.abi_minor > HTP_ABI_MINOR) {
      const bool newer =
          entry_.abi_major > HTP_ABI_MAJOR || (entry_.abi_major == HTP_ABI_MAJOR && entry_.abi_minor > HTP_ABI_MINOR);
      diagnostics_
          .report(diag::load_bad_abi, manifest_.library.span, manifest_.id.value, entry_.abi_major, entry_.abi_minor,
                  HTP_ABI_MAJOR, HTP_ABI_MINOR)
          .hint(newer ? "use a newer htp-host, or build the plugin with this host's SDK"
                      : "build the plugin again with this host's SDK");
      return false;
    }
    if (entry_.head.layout != released_layouts[entry_.abi_minor]) {
      diagnostics_
          .report(diag::load_wrong_layout, manifest_.library.span, manifest_.id.value, entry_.abi_major,
                  entry_.abi_minor)
          .note(fmt::format("its layout hash is {:016x}, the host's {:016x}", entry_.head.layout,
                            released_layouts[entry_.abi_minor]))
          .hint("build the plugin again with the headers of this host's SDK");
      return false;
    }
    if (entry_.head.size < sizeof(htp_entry)) return bad_entry(fmt::format("its size is {}", entry_.head.size));
    return true;
  }

  bool identity() {
    if (!entry_.id || !entry_.version) return bad_entry(entry_.id ? "it has no version" : "it has no id");
    if (entry_.unit_count != 0 && !entry_.units) return bad_entry("its units are null");
    if (entry_.diag_count != 0 && !entry_.diagnostics) return bad_entry("its diagnostics are null");
    const size_t before = diagnostics_.errors();
    if (manifest_.id.value != entry_.id)
      diagnostics_.report(diag::load_id_mismatch, manifest_.id.span, "plugin's id", manifest_.id.value, entry_.id);
    const auto version = Version::parse(entry_.version);
    if (!version || *version != manifest_.version)
      diagnostics_.report(diag::load_id_mismatch, manifest_.version_text.span,
                          "version of plugin `" + manifest_.id.value + "`", manifest_.version_text.value,
                          entry_.version);
    return diagnostics_.errors() == before;
  }

  bool units() {
    const std::span<const htp_unit> found(entry_.units, entry_.unit_count);
    const std::span<const htp_diag_info> rows(entry_.diagnostics, entry_.diag_count);
    if (std::any_of(found.begin(), found.end(), [](const htp_unit &u) { return !u.kind || !u.name; }))
      return bad_entry("a unit has no kind or no name");
    if (std::any_of(rows.begin(), rows.end(),
                    [](const htp_diag_info &row) { return !row.code || !row.summary || !row.explanation; }))
      return bad_entry("a row of its diagnostics has no code or no text");
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      const auto named = [&](const htp_unit &u) { return unit.name == u.name; };
      const auto same = std::find_if(found.begin(), found.end(), named);
      if (same == found.end()) {
        if (!has_interface(unit.kind)) continue;
        diagnostics_
            .report(diag::load_missing_unit, unit.name.span, "`" + manifest_.library.value + "`",
                    unit_kind_name(unit.kind), unit.name.value)
            .note("it has " + list(found));
      } else if (unit_interface_id(unit.kind) != same->kind) {
        diagnostics_.report(diag::load_wrong_kind, unit.name.span, unit.name.value, unit_interface_id(unit.kind),
                            same->kind);
      } else if (std::find_if(same + 1, found.end(), named) != found.end()) {
        bad_entry("it has the unit `" + unit.name.value + "` twice");
      }
    }
    for (const htp_unit &unit : found)
      if (std::none_of(manifest_.units.begin(), manifest_.units.end(),
                       [&](const Unit &u) { return u.name == unit.name; }))
        diagnostics_.report(diag::load_undeclared_unit, manifest_.library.span, manifest_.library.value, unit.name,
                            unit.kind);
    return diagnostics_.errors() == before;
  }

  bool interfaces() {
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      if (!has_interface(unit.kind)) continue;
      const htp_unit *const found = std::find_if(entry_.units, entry_.units + entry_.unit_count,
                                                 [&](const htp_unit &u) { return unit.name == u.name; });
      const auto bad = [&](std::string why) {
        diagnostics_.report(diag::load_bad_interface, unit.name.span, unit_kind_name(unit.kind), unit.name.value, why)
            .hint("build the plugin again with the headers of this host's SDK");
      };
      const Interface expected = interface_of(unit.kind);
      const auto *head = static_cast<const htp_head *>(found->interface);
      if (!head)
        bad("it is null");
      else if (head->version != 1)
        bad(fmt::format("its version is {}, the host knows 1", head->version));
      else if (head->size != expected.size)
        bad(fmt::format("its size is {}, the host's {}", head->size, expected.size));
      else if (head->layout != expected.layout)
        bad(fmt::format("its layout hash is {:016x}, the host's {:016x}", head->layout, expected.layout));
    }
    return diagnostics_.errors() == before;
  }

  bool bad_entry(std::string why) {
    diagnostics_.report(diag::load_bad_entry, manifest_.library.span, manifest_.id.value, why);
    return false;
  }

  const Manifest &manifest_;
  const htp_entry &entry_;
  Diagnostics &diagnostics_;
};

} // namespace

std::optional<LoadStep> shake_hands(const Manifest &manifest, const htp_entry &entry, Diagnostics &diagnostics) {
  return Handshake(manifest, entry, diagnostics).run();
}

bool has_interface(UnitKind kind) { return interface_of(kind).size != 0; }

} // namespace htp
