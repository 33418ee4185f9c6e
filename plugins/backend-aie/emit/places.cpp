#include "places.h"

namespace htp::aie {

Places::Places(const Context &c, Node root) {
  size_t next = 0;
  c.each(root, [&](Node n) {
    const htp_record &r = c.record(n);
    if (r.line && r.file < c.store()->file_count) {
      numbers_[n] = next;
      places_[next] = {std::string(view(c.store()->files[r.file].path)), r.line, r.col + 1};
    }
    ++next;
  });
}

std::string Places::of(Node n) {
  const auto found = numbers_.find(n);
  if (found == numbers_.end()) return {};
  given_.insert(found->second);
  return " loc(#n" + std::to_string(found->second) + ")";
}

void Places::write(Writer &w) const {
  for (const size_t number : given_) {
    const Place &at = places_.at(number);
    w.line("#n", number, " = loc(\"", number, "\"(\"", at.file, "\":", at.line, ":", at.column, "))");
  }
}

} // namespace htp::aie
