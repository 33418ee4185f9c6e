// The functions of emit/prelude.cl that a kernel's text needs.
#include "text.h"

#include <algorithm>
#include <cctype>

namespace htp::simt {

namespace {
constexpr std::string_view source =
#include "prelude.inc"
    ;

struct Section {
  std::string_view name, needs, text;
};
// `//@ name : what it needs` begins a section.
const std::vector<Section> &sections() {
  static const std::vector<Section> all = [] {
    std::vector<Section> found;
    for (size_t at = source.find("//@ "); at != std::string_view::npos;) {
      const size_t end = source.find('\n', at), next = source.find("//@ ", end);
      const std::string_view head = source.substr(at + 4, end - at - 4);
      const size_t colon = head.find(" :");
      if (colon != std::string_view::npos)
        found.push_back({head.substr(0, colon), head.size() > colon + 3 ? head.substr(colon + 3) : std::string_view(),
                         source.substr(end + 1, next == std::string_view::npos ? next : next - end - 1)});
      at = next;
    }
    return found;
  }();
  return all;
}
} // namespace

std::string Prelude::use(const std::string &section) {
  for (const Section &s : sections())
    if (s.name == section && sections_.insert(section).second && !s.needs.empty()) use(std::string(s.needs));
  return section == "inside" ? "htp_inside" : section;
}

std::string Prelude::function(std::string_view operation, const DType *d) {
  const std::string name(d->name), type(d->value), u = type.front() == 'u' ? type : "u" + type;
  note(d);
  if (d->kind == Class::floating) {
    const bool wide = d->bytes == 8;
    std::string macro = "HTP_" + use(std::string(operation));
    std::ranges::transform(macro, macro.begin(), [](unsigned char ch) { return static_cast<char>(std::toupper(ch)); });
    made_.insert(macro + (wide ? "(f64, double, ulong, as_ulong, as_double, 0x8000000000000000UL, 20)"
                               : "(f32, float, uint, as_uint, as_float, 0x80000000u, 10)"));
    return "htp_" + std::string(operation) + (wide ? "_f64" : "_f32");
  }
  if (d->kind == Class::boolean) {
    use("booleans");
    return "htp_" + std::string(operation) + "_bool_";
  }
  const bool whole = operation == "add" || operation == "sub" || operation == "mul" || operation == "neg" ||
                     operation == "absolute" || operation == "bit_not";
  const std::string arguments = name + ", " + type + ", " + u;
  use(whole ? "integers" : d->kind == Class::natural ? "unsigned" : "signed");
  made_.insert(whole ? "HTP_INTEGERS(" + arguments + ")"
                     : std::string(d->kind == Class::natural ? "HTP_UNSIGNED(" : "HTP_SIGNED(") + arguments + ", " +
                           std::to_string(d->bytes * 8) + ")");
  return "htp_" + std::string(operation) + "_" + name;
}

std::string Prelude::directed(const DType *from, const DType *to, std::string_view way) {
  const bool wide = from->name == "f64";
  const std::string of = use(std::string(to->name)),
                    name = "htp_" + std::string(way) + "_" + of + (wide ? "_f64" : "_f32");
  if (wide) use("odd_f64");
  use("directed");
  made_.insert("HTP_DIRECTED(" + name + (wide ? ", double, htp_odd_f64, " : ", float, , ") + std::string(to->memory) +
               ", htp_to_" + of + ", htp_from_" + of + ", " +
               (way == "down" ? "-1"
                : way == "up" ? "1"
                              : "0") +
               ")");
  return name;
}

std::string Prelude::text() const {
  std::string text;
  for (const Section &s : sections())
    if (sections_.contains(std::string(s.name))) text += s.text;
  for (const std::string &line : made_) text += line + "\n";
  return text;
}

} // namespace htp::simt
