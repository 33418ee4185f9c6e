#include "host/load/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace htp {

namespace {

struct Known {
  std::string_view name, library, text;
};
constexpr Known known[] = {
#define HTP_KNOWN(name, library, text) {name, library, text},
#include "host/load/known.def"
};

// What of the names two members have in common, by pair, each name with the first that has it.
void common(std::span<const SetMember> members, std::vector<std::string> ElfFacts::*names, const DiagKind<3> &kind,
            const char *hint, Diagnostics &diagnostics) {
  std::map<std::string_view, size_t> first;
  std::map<std::pair<size_t, size_t>, std::vector<std::string>> pairs;
  for (size_t i = 0; i < members.size(); ++i)
    for (const std::string &name : members[i].facts->*names)
      if (const auto [at, fresh] = first.emplace(name, i); !fresh && at->second != i)
        pairs[{at->second, i}].push_back(name);
  for (const auto &[pair, shared] : pairs) {
    const Manifest &a = *members[pair.first].manifest, &b = *members[pair.second].manifest;
    diagnostics.report(kind, b.library.span, a.id.value, b.id.value, some_of(shared))
        .label(a.library.span, "the other one")
        .hint(hint);
  }
}

// Where a member has a known library from: "its own", or the shared library's name; empty when it has none.
std::string copy_of(const Known &one, const SetMember &member) {
  if (std::find(member.linked_in.begin(), member.linked_in.end(), one.name) != member.linked_in.end())
    return "one linked into it";
  for (const std::string &needed : member.facts->needed)
    if (needed.starts_with(one.library)) return "`" + needed + "`";
  return {};
}

} // namespace

std::vector<std::string> linked_in(std::string_view bytes) {
  std::vector<std::string> found;
  for (const Known &one : known)
    if (bytes.find(one.text) != std::string_view::npos) found.emplace_back(one.name);
  return found;
}

void audit_set(std::span<const SetMember> members, Diagnostics &diagnostics) {
  common(members, &ElfFacts::exports, diag::load_duplicate_symbols,
         "link both with the SDK's version script, as `htp_add_plugin()` does", diagnostics);
  common(members, &ElfFacts::unique, diag::load_shared_unique,
         "link both with the SDK's version script, as `htp_add_plugin()` does, or compile with `-fno-gnu-unique`",
         diagnostics);
  for (const Known &one : known) {
    const SetMember *first = nullptr;
    std::string its;
    for (const SetMember &member : members) {
      std::string copy = copy_of(one, member);
      if (copy.empty()) continue;
      if (!first) {
        first = &member;
        its = std::move(copy);
      } else if (copy != its || copy.front() != '`') { // the same shared library is one copy
        diagnostics
            .report(diag::load_two_copies, member.manifest->library.span, first->manifest->id.value,
                    member.manifest->id.value, one.name, its, copy)
            .label(first->manifest->library.span, "the other one")
            .hint(fmt::format("link both with one shared library of {}", one.name));
      }
    }
  }
}

} // namespace htp
