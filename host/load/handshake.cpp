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
    if (entry_.head.size < offsetof(htp_entry, id)) return bad_entry(fmt::format("its size is {}", entry_.head.size));
    release_ = check_abi(manifest_, {entry_.abi_major, entry_.abi_minor, entry_.head.layout}, releases_, diagnostics_);
    if (!release_) return false;
    if (entry_.head.size < release_->entry_size) return bad_entry(fmt::format("its size is {}", entry_.head.size));
    return true;
  }

  bool identity() {
    if (!entry_.id || !entry_.version) return bad_entry(entry_.id ? "it has no version" : "it has no id");
    if (entry_.unit_count != 0 && !entry_.units) return bad_entry("its units are null");
    if (entry_.diag_count != 0 && !entry_.diagnostics) return bad_entry("its diagnostics are null");
    return check_identity(manifest_, entry_.id, entry_.version, diagnostics_);
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
        if (!in_library(unit)) continue;
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
                       [&](const Unit &u) { return u.code.value.empty() && u.name == unit.name; }))
        diagnostics_.report(diag::load_undeclared_unit, manifest_.library.span, manifest_.library.value, unit.name,
                            unit.kind);
    return diagnostics_.errors() == before;
  }

  const htp_unit &found(const Unit &unit) const {
    return *std::find_if(entry_.units, entry_.units + entry_.unit_count,
                         [&](const htp_unit &u) { return unit.name == u.name; });
  }

  Diagnostic &bad(const Unit &unit, const std::string &why) {
    return diagnostics_.report(diag::load_bad_interface, unit.name.span, unit_kind_name(unit.kind), unit.name.value,
                               why);
  }

  void bad_members(const Span &span, const Unit &unit, const std::string &why) {
    diagnostics_.report(diag::load_bad_members, span, unit_kind_name(unit.kind), unit.name.value, why);
  }

  // An interface is as large as it was in the version that the plugin was built with, and the entry names.
  bool interfaces() {
    const size_t before = diagnostics_.errors();
    for (const Unit &unit : manifest_.units) {
      if (!in_library(unit)) continue;
      const InterfaceLayout &expected = release_->interfaces[static_cast<size_t>(unit.kind)];
      const auto *head = static_cast<const htp_head *>(found(unit).interface);
      const auto refuse = [&](const std::string &why) {
        bad(unit, why).hint("build the plugin again with the headers of this host's SDK");
      };
      if (!head)
        refuse("it is null");
      else if (head->version != 1)
        refuse(fmt::format("its version is {}, the host knows 1", head->version));
      else if (head->size != expected.size)
        refuse(fmt::format("its size is {}, in ABI {}.{} it is {}", head->size, HTP_ABI_MAJOR, release_->minor,
                           expected.size));
      else if (head->layout != expected.layout)
        refuse(fmt::format("its layout hash is {:016x}, in ABI {}.{} it is {:016x}", head->layout, HTP_ABI_MAJOR,
                           release_->minor, expected.layout));
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
        bad_members(unit.name.span, unit, fmt::format("`{}` is null", member));
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
    if (count != 0 && !rows)
      return bad_members(unit.name.span, unit, fmt::format("`rows` is null, and `count` is {}", count)), false;
    for (uint32_t i = 0; i < count; ++i) {
      if (const char *member = null_member(&rows[i], members))
        return bad_members(unit.name.span, unit, fmt::format("`{}` of row {} is null", member, i)), false;
      for (const Pointer &member : members) {
        const char *const one[] = {static_cast<const char *>(pointer_at(&rows[i], member.offset)), nullptr};
        names(one);
      }
    }
    return true;
  }

  bool parameters(const Unit &unit, const htp_intrinsics &set) {
    for (const htp_intrinsic &row : std::span(set.rows, set.count)) {
      if (row.parameter_count != 0 && !row.parameters)
        return bad_members(unit.name.span, unit,
                           fmt::format("the `parameters` of `{}` are null, and `parameter_count` is {}", row.name,
                                       row.parameter_count)),
               false;
      for (uint32_t i = 0; i < row.parameter_count; ++i)
        if (const char *member = null_member(&row.parameters[i], parameter_row))
          return bad_members(unit.name.span, unit,
                             fmt::format("`{}` of parameter {} of `{}` is null", member, i, row.name)),
                 false;
    }
    return true;
  }

  bool backends(const Unit &unit, const htp_handlers &set) {
    for (const htp_handler &row : std::span(set.rows, set.count))
      if (unit.backend.value != row.backend)
        return bad_members(unit.name.span, unit,
                           fmt::format("its row `{}` is for the backend `{}`, and the manifest says `{}`",
                                       row.intrinsic, row.backend, unit.backend.value)),
               false;
    return true;
  }

  template <class Row, class Name> void same_members(const Unit &unit, const Row *rows, uint32_t count, Name name) {
    std::multiset<std::string_view> left;
    for (uint32_t i = 0; i < count; ++i) left.insert(name(rows[i]));
    for (const Text &member : unit.members) {
      const auto same = left.find(member.value);
      if (same == left.end())
        bad_members(member.span, unit, fmt::format("it has no row `{}`, which the manifest names", member.value));
      else
        left.erase(same);
    }
    for (const std::string_view one : left)
      bad_members(unit.name.span, unit, fmt::format("it has a row `{}`, which the manifest does not name", one));
  }

  bool bad_entry(std::string why) {
    diagnostics_.report(diag::load_bad_entry, manifest_.library.span, manifest_.id.value, why);
    return false;
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
