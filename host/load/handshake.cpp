#include "host/load/handshake.h"

#include "htp/htp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

namespace htp {

namespace {

// A member that is a pointer, to data or to a function.
struct Pointer {
  const char *name;
  size_t offset;
};
#define POINTER(type, member)                                                                                          \
  { #member, offsetof(type, member) }

// What each kind of unit must fill in; what is not here may be null, as the header says. A member that a later version
// of the ABI adds is never required: those who came before have it not.
struct Required {
  UnitKind kind;
  std::vector<Pointer> members;
};
const Required required[] = {
    {UnitKind::dialect, {POINTER(htp_dialect, module), POINTER(htp_dialect, decorators)}},
    {UnitKind::intrinsics, {POINTER(htp_intrinsics, infer)}},
    {UnitKind::handlers, {POINTER(htp_handlers, rewrite)}},
    {UnitKind::layout,
     {POINTER(htp_layout_facet, constructor), POINTER(htp_layout_facet, facet), POINTER(htp_layout_facet, canonical),
      POINTER(htp_layout_facet, to_core), POINTER(htp_layout_facet, from_core), POINTER(htp_layout_facet, join)}},
    {UnitKind::analysis, {POINTER(htp_analysis, run)}},
    {UnitKind::pass, {POINTER(htp_pass, run)}},
    {UnitKind::island,
     {POINTER(htp_island, suffix), POINTER(htp_island, claims), POINTER(htp_island, leave),
      POINTER(htp_island, transform), POINTER(htp_island, enter)}},
    {UnitKind::backend, {POINTER(htp_backend, target_set), POINTER(htp_backend, emit)}},
    {UnitKind::binding,
     {POINTER(htp_binding, validate), POINTER(htp_binding, build), POINTER(htp_binding, load),
      POINTER(htp_binding, run), POINTER(htp_binding, trace), POINTER(htp_binding, unload)}},
    {UnitKind::verifier, {POINTER(htp_verifier, verify)}},
};
std::span<const Pointer> required_of(UnitKind kind) {
  return std::find_if(std::begin(required), std::end(required), [&](const Required &r) { return r.kind == kind; })
      ->members;
}
const Pointer intrinsic_row[] = {
    POINTER(htp_intrinsic, name),    POINTER(htp_intrinsic, python), POINTER(htp_intrinsic, rule),
    POINTER(htp_intrinsic, effects), POINTER(htp_intrinsic, spaces), POINTER(htp_intrinsic, cost),
    POINTER(htp_intrinsic, result),  POINTER(htp_intrinsic, doc),    POINTER(htp_intrinsic, digest)};
const Pointer unit_row[] = {POINTER(htp_unit, kind), POINTER(htp_unit, name)};
const Pointer diagnostic_row[] = {POINTER(htp_diag_info, code), POINTER(htp_diag_info, summary),
                                  POINTER(htp_diag_info, explanation)};
const Pointer parameter_row[] = {POINTER(htp_parameter, name), POINTER(htp_parameter, annotation)};
const Pointer handler_row[] = {POINTER(htp_handler, intrinsic), POINTER(htp_handler, backend)};
#undef POINTER

const void *pointer_at(const void *object, size_t offset) {
  const void *value = nullptr;
  std::memcpy(&value, static_cast<const char *>(object) + offset, sizeof value);
  return value;
}

// The first member that is null; null when all are there.
const char *null_member(const void *object, std::span<const Pointer> members) {
  for (const Pointer &member : members)
    if (!pointer_at(object, member.offset)) return member.name;
  return nullptr;
}

std::string list(std::span<const htp_unit> units) {
  std::string text;
  for (const htp_unit &unit : units)
    text += fmt::format("{}`{}` (`{}`)", text.empty() ? "" : ", ", unit.name, unit.kind);
  return text.empty() ? "no unit at all" : text;
}

struct Abi {
  uint32_t major, minor;
  uint64_t layout;
};

// The release that it is; null after a report.
const AbiRelease *check_abi(const Manifest &manifest, const Abi &its, std::span<const AbiRelease> releases,
                            Diagnostics &diagnostics) {
  if (its.major != HTP_ABI_MAJOR || its.minor > HTP_ABI_MINOR) {
    diagnostics
        .report(diag::load_bad_abi, manifest.library.span, manifest.id.value, its.major, its.minor, HTP_ABI_MAJOR,
                HTP_ABI_MINOR)
        .hint(its.major < HTP_ABI_MAJOR ? "build the plugin again with this host's SDK"
                                        : "use a newer htp-host, or build the plugin with this host's SDK");
    return nullptr;
  }
  for (const AbiRelease &release : releases)
    if (release.minor == its.minor && release.layout == its.layout) return &release;
  const auto same =
      std::find_if(releases.begin(), releases.end(), [&](const AbiRelease &r) { return r.minor == its.minor; });
  diagnostics.report(diag::load_wrong_layout, manifest.library.span, manifest.id.value, its.major, its.minor)
      .note(fmt::format("its layout hash is {:016x}, that version's {:016x}", its.layout, same->layout))
      .hint("build the plugin again with the headers of this host's SDK");
  return nullptr;
}

bool check_identity(const Manifest &manifest, const std::string &id, const std::string &version,
                    Diagnostics &diagnostics) {
  const size_t before = diagnostics.errors();
  if (manifest.id.value != id)
    diagnostics.report(diag::load_id_mismatch, manifest.id.span, "plugin's id", manifest.id.value, id);
  if (const auto its = Version::parse(version); !its || *its != manifest.version)
    diagnostics.report(diag::load_id_mismatch, manifest.version_text.span,
                       "version of plugin `" + manifest.id.value + "`", manifest.version_text.value, version);
  return diagnostics.errors() == before;
}

// One handshake: each step reports and says whether to go on.
class Handshake {
public:
  Handshake(const Manifest &manifest, const htp_entry &entry, std::span<const AbiRelease> releases,
            Diagnostics &diagnostics)
      : manifest_(manifest), entry_(entry), releases_(releases), diagnostics_(diagnostics) {}

  std::optional<LoadStep> run() {
    if (!abi()) return LoadStep::abi;
    if (!identity()) return LoadStep::identity;
    if (!units()) return LoadStep::units;
    if (!interfaces()) return LoadStep::interfaces;
    if (!members()) return LoadStep::members;
    return std::nullopt;
  }

private:
  // Only the head and the version are where any ABI puts them; nothing else is read before these fit.
  bool abi() {
    if (!is_large(offsetof(htp_entry, id))) return false;
    release_ = check_abi(manifest_, {entry_.abi_major, entry_.abi_minor, entry_.head.layout}, releases_, diagnostics_);
    return release_ && is_large(release_->entry_size);
  }

  bool is_large(size_t least) {
    if (entry_.head.size >= least) return true;
    diagnostics_.report(diag::load_entry_size, manifest_.library.span, manifest_.id.value, entry_.head.size, least);
    return false;
  }

  bool identity() {
    if (!entry_.id) return null_in_entry("id");
    if (!entry_.version) return null_in_entry("version");
    if (entry_.unit_count != 0 && !entry_.units) return null_in_entry("units");
    if (entry_.diag_count != 0 && !entry_.diagnostics) return null_in_entry("diagnostics");
    return check_identity(manifest_, entry_.id, entry_.version, diagnostics_);
  }

  bool units() {
    const std::span<const htp_unit> found(entry_.units, entry_.unit_count);
    const std::span<const htp_diag_info> rows(entry_.diagnostics, entry_.diag_count);
    for (size_t i = 0; i < found.size(); ++i)
      if (const char *member = null_member(&found[i], unit_row))
        return null_in_entry(fmt::format("units[{}].{}", i, member));
    for (size_t i = 0; i < rows.size(); ++i)
      if (const char *member = null_member(&rows[i], diagnostic_row))
        return null_in_entry(fmt::format("diagnostics[{}].{}", i, member));
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      const auto named = [&](const htp_unit &u) { return unit.name == u.name; };
      const auto same = std::find_if(found.begin(), found.end(), named);
      if (same == found.end()) {
        if (!in_library(unit)) continue;
        diagnostics_
            .report(diag::load_missing_unit, unit.name.span, "`" + manifest_.library.value + "`",
                    unit_kind_name(unit.kind), unit.name.value)
            .note("it has " + list(found));
      } else if (unit_interface_id(unit.kind) != same->kind) {
        diagnostics_.report(diag::load_wrong_kind, unit.name.span, unit.name.value, unit_interface_id(unit.kind),
                            same->kind);
      } else if (std::find_if(same + 1, found.end(), named) != found.end()) {
        diagnostics_.report(diag::load_unit_twice, manifest_.library.span, manifest_.id.value, unit.name.value);
      }
    }
    for (const htp_unit &unit : found)
      if (std::none_of(manifest_.units.begin(), manifest_.units.end(),
                       [&](const Unit &u) { return u.code.value.empty() && u.name == unit.name; }))
        diagnostics_.report(diag::load_undeclared_unit, manifest_.library.span, manifest_.library.value, unit.name,
                            unit.kind);
    return diagnostics_.errors() == before;
  }

  const htp_unit &found(const Unit &unit) const {
    return *std::find_if(entry_.units, entry_.units + entry_.unit_count,
                         [&](const htp_unit &u) { return unit.name == u.name; });
  }

  bool null_in_entry(const std::string &member) {
    diagnostics_.report(diag::load_null_in_entry, manifest_.library.span, member, manifest_.id.value);
    return false;
  }

  bool null_in(const Unit &unit, const std::string &member) {
    diagnostics_.report(diag::load_null_member, unit.name.span, member, unit_kind_name(unit.kind), unit.name.value);
    return false;
  }

  // An interface is as large as it was in the version that the plugin was built with, and the entry names.
  bool interfaces() {
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      if (!in_library(unit)) continue;
      const InterfaceLayout &expected = release_->interfaces[static_cast<size_t>(unit.kind)];
      const auto *head = static_cast<const htp_head *>(found(unit).interface);
      const std::string_view kind = unit_kind_name(unit.kind);
      const auto differs = [&](std::string_view what, const std::string &its, const std::string &known) {
        diagnostics_.report(diag::load_bad_interface, unit.name.span, kind, unit.name.value, what, its, known)
            .note(fmt::format("the plugin was built for ABI {}.{}", HTP_ABI_MAJOR, release_->minor));
      };
      constexpr uint32_t version = 1; // of each kind of interface
      if (!head)
        diagnostics_.report(diag::load_null_interface, unit.name.span, kind, unit.name.value);
      else if (head->version != version)
        differs("version", fmt::to_string(head->version), fmt::to_string(version));
      else if (head->size != expected.size)
        differs("size", fmt::to_string(head->size), fmt::to_string(expected.size));
      else if (head->layout != expected.layout)
        differs("layout hash", fmt::format("{:016x}", head->layout), fmt::format("{:016x}", expected.layout));
    }
    return diagnostics_.errors() == before;
  }

  // What the host and other plugins use without looking is there, and the tables are those of the manifest.
  bool members() {
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      if (!in_library(unit)) continue;
      const void *const interface = found(unit).interface;
      if (const char *member = null_member(interface, required_of(unit.kind))) {
        null_in(unit, member);
        continue;
      }
      if (unit.kind == UnitKind::dialect) {
        names(static_cast<const htp_dialect *>(interface)->decorators);
      } else if (unit.kind == UnitKind::backend) {
        names(static_cast<const htp_backend *>(interface)->target_set);
      } else if (unit.kind == UnitKind::intrinsics) {
        const auto &set = *static_cast<const htp_intrinsics *>(interface);
        if (rows(unit, set.rows, set.count, intrinsic_row) && parameters(unit, set))
          same_members(unit, set.rows, set.count, [](const htp_intrinsic &row) { return row.name; });
      } else if (unit.kind == UnitKind::handlers) {
        const auto &set = *static_cast<const htp_handlers *>(interface);
        if (rows(unit, set.rows, set.count, handler_row) && backends(unit, set))
          same_members(unit, set.rows, set.count, [](const htp_handler &row) { return row.intrinsic; });
      }
    }
    return diagnostics_.errors() == before;
  }

  // Reads them to their end, so that the child process finds out when they have none.
  void names(const char *const *list) {
    for (; *list; ++list) read_ = read_ + std::strlen(*list);
  }

  template <class Row> bool rows(const Unit &unit, const Row *rows, uint32_t count, std::span<const Pointer> members) {
    if (count != 0 && !rows) return null_in(unit, "rows");
    for (uint32_t i = 0; i < count; ++i) {
      if (const char *member = null_member(&rows[i], members))
        return null_in(unit, fmt::format("rows[{}].{}", i, member));
      for (const Pointer &member : members) {
        const char *const one[] = {static_cast<const char *>(pointer_at(&rows[i], member.offset)), nullptr};
        names(one);
      }
    }
    return true;
  }

  bool parameters(const Unit &unit, const htp_intrinsics &set) {
    for (uint32_t r = 0; r < set.count; ++r) {
      const htp_intrinsic &row = set.rows[r];
      const std::string parameters = fmt::format("rows[{}].parameters", r);
      if (row.parameter_count != 0 && !row.parameters) return null_in(unit, parameters);
      for (uint32_t i = 0; i < row.parameter_count; ++i)
        if (const char *member = null_member(&row.parameters[i], parameter_row))
          return null_in(unit, fmt::format("{}[{}].{}", parameters, i, member));
    }
    return true;
  }

  bool backends(const Unit &unit, const htp_handlers &set) {
    for (const htp_handler &row : std::span(set.rows, set.count)) {
      if (unit.backend.value == row.backend) continue;
      diagnostics_.report(diag::load_row_backend, unit.name.span, row.intrinsic, unit.name.value, row.backend,
                          unit.backend.value);
      return false;
    }
    return true;
  }

  template <class Row, class Name> void same_members(const Unit &unit, const Row *rows, uint32_t count, Name name) {
    std::multiset<std::string_view> left;
    for (uint32_t i = 0; i < count; ++i) left.insert(name(rows[i]));
    for (const Text &member : unit.members) {
      const auto same = left.find(member.value);
      if (same == left.end())
        diagnostics_.report(diag::load_missing_row, member.span, unit_kind_name(unit.kind), unit.name.value,
                            member.value);
      else
        left.erase(same);
    }
    for (const std::string_view one : left)
      diagnostics_.report(diag::load_undeclared_row, unit.name.span, unit_kind_name(unit.kind), unit.name.value, one);
  }

  const Manifest &manifest_;
  const htp_entry &entry_;
  std::span<const AbiRelease> releases_;
  const AbiRelease *release_ = nullptr; // the one the plugin was built with
  Diagnostics &diagnostics_;
  volatile size_t read_ = 0; // keeps the reading in
};

} // namespace

bool check_notes(const Manifest &manifest, const ElfFacts &facts, std::span<const AbiRelease> releases,
                 Diagnostics &diagnostics) {
  if (facts.notes.empty() || facts.damaged_note) {
    Diagnostic &d = diagnostics.report(diag::load_no_note, manifest.library.span, manifest.library.value);
    if (facts.damaged_note) d.note("it has a note that cannot be read");
    d.hint(fmt::format("build it again with `HTP_PLUGIN(…)`, or in C with the line `HTP_PLUGIN_NOTE(\"{}\", \"{}\")`",
                       manifest.id.value, manifest.version_text.value));
    return false;
  }
  return std::all_of(facts.notes.begin(), facts.notes.end(), [&](const PluginNote &note) {
    return check_abi(manifest, {note.abi_major, note.abi_minor, note.layout}, releases, diagnostics) &&
           check_identity(manifest, note.id, note.version, diagnostics);
  });
}

std::optional<LoadStep> shake_hands(const Manifest &manifest, const htp_entry &entry,
                                    std::span<const AbiRelease> releases, Diagnostics &diagnostics) {
  return Handshake(manifest, entry, releases, diagnostics).run();
}

} // namespace htp
