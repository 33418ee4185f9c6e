#include "locations.h"

namespace htp::aie {

Locations::Locations(const Context &c, Node root) {
  size_t next = 0;
  c.each(root, [&](Node n) {
    const htp_record &r = c.record(n);
    if (r.line && r.file < c.store()->file_count) {
      numbers_[n] = next;
      locations_[next] = {std::string(view(c.store()->files[r.file].path)), r.line, r.col + 1};
    }
    ++next;
  });
}

std::string Locations::of(Node n) {
  const auto found = numbers_.find(n);
  if (found == numbers_.end()) return {};
  given_.insert(found->second);
  return " loc(#n" + std::to_string(found->second) + ")";
}

void Locations::write(Writer &w) const {
  for (const size_t number : given_) {
    const PackedTensor &at = locations_.at(number);
    w.line("#n", number, " = loc(\"", number, "\"(\"", at.file, "\":", at.line, ":", at.column, "))");
  }
}

} // namespace htp::aie
