#include "host/check/table.h"

namespace htp {

namespace {

constexpr CheckInfo table[] = {
#define HTP_CHECK(id, name, phase, severity, kinds, what, explanation)                                                 \
  {CheckId::id, name, CheckPhase::phase, Severity::severity, kinds, what, "check." name},
#define HTP_CHECK_OF(id, name, phase, severity, what, codes)                                                           \
  {CheckId::id, name, CheckPhase::phase, Severity::severity, "", what, codes},
#include "host/check/checks.def"
};

consteval bool phases_in_order() {
  for (size_t i = 1; i < std::size(table); ++i)
    if (table[i].phase < table[i - 1].phase) return false;
  return true;
}
static_assert(phases_in_order());

bool has_code(std::string_view codes, std::string_view code) {
  for (size_t at = codes.find(code); at != std::string_view::npos; at = codes.find(code, at + 1)) {
    const size_t end = at + code.size();
    if ((at == 0 || codes[at - 1] == ' ') && (end == codes.size() || codes[end] == ' ')) return true;
  }
  return false;
}

} // namespace

std::span<const CheckInfo> all_checks() { return table; }

const CheckInfo *find_check(std::string_view name) {
  for (const CheckInfo &check : table)
    if (check.name == name) return &check;
  return nullptr;
}

const CheckInfo *check_of(std::string_view code) {
  for (const CheckInfo &check : table)
    if (has_code(check.codes, code)) return &check;
  return nullptr;
}

} // namespace htp
