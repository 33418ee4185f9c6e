#include "host/trust/may.h"

#include <algorithm>

namespace htp {

namespace {

struct Row {
  UnitKind kind;
  const char *what;
};
constexpr Row rows[] = {
#define HTP_MAY(kind, what) {UnitKind::kind, what},
#include "host/trust/may.def"
};

} // namespace

std::vector<May> what_it_may(const Manifest &manifest) {
  std::vector<May> list;
  if (!manifest.library.value.empty())
    list.push_back(
        {"runs code of its library in this process, which may do whatever you may", {manifest.library.value}});
  if (!manifest.python_module.value.empty())
    list.push_back(
        {"brings Python that programs import, which may do whatever you may", {manifest.python_module.value}});
  for (const Row &row : rows) {
    May may{row.what, {}};
    for (const Unit &unit : manifest.units)
      if (unit.kind == row.kind) may.units.push_back(unit.name.value);
    if (!may.units.empty()) list.push_back(std::move(may));
  }
  return list;
}

} // namespace htp
