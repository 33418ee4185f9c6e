#include "reader/core_text.h"

#include <cctype>
#include <charconv>

namespace htp::aiesim {

void note_endless(std::string_view text, std::set<std::string, std::less<>> &endless) {
  const size_t is = text.find(" = arith.constant ");
  int64_t number = 0;
  if (is == text.npos) return;
  const std::string_view value = text.substr(is + 18);
  if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc() && is_endless(number))
    endless.emplace(text.substr(0, is));
}

bool begins_endless_loop(std::string_view text, const std::set<std::string, std::less<>> &endless) {
  const size_t to = text.find(" to ");
  if (!text.starts_with("scf.for ") || to == text.npos) return false;
  const std::string_view bound = text.substr(to + 4);
  return endless.contains(bound.substr(0, bound.find(' ')));
}

std::string bounds_check(const Line &whole, const std::string &unique) {
  Line line = whole;
  if (line.at("%")) {
    line.name('%');
    if (!line.take("=")) return "";
  }
  if (!line.at("vector.")) return "";
  const bool store = line.take("vector.store") || line.take("vector.transfer_write");
  if (!store && !line.take("vector.load") && !line.take("vector.transfer_read")) return "";
  if (line.rest().find("permutation_map") != std::string_view::npos) line.fail(diag::not_read, "permutation_map");
  if (store) line.name('%'), line.want(",");
  line.name('%');
  line.want("[");
  std::vector<std::string> at;
  while (!line.take("]")) {
    if (!at.empty()) line.want(",");
    at.push_back(line.name('%'));
  }
  const size_t types = line.rest().rfind(" : ");
  const std::string_view behind = types == std::string_view::npos ? line.rest() : line.rest().substr(types + 3);
  Line tail(behind, line.number());
  tail.take(":");
  std::vector<int64_t> lanes;
  Type memory;
  const auto vector = [&] {
    tail.want("vector<");
    while (!tail.rest().empty() && std::isdigit(static_cast<unsigned char>(tail.rest()[0])))
      lanes.push_back(tail.number_here()), tail.want("x");
    tail.token();
    tail.want(">");
  };
  if (tail.at("vector<")) {
    vector();
    tail.want(","), memory = tail.type(true);
  } else {
    memory = tail.type(true);
    tail.want(","), vector();
  }
  if (at.size() != memory.extents.size() || lanes.size() > at.size())
    line.fail(diag::vector_dimensions, lanes.size(), memory.text);
  const std::string line_at = "%htp_" + unique + "_at";
  std::string text = line_at + " = arith.constant " + std::to_string(line.number()) + " : index\n";
  for (size_t d = 0; d < at.size(); ++d) {
    const size_t behind_it = at.size() - d;
    const int64_t count = behind_it <= lanes.size() ? lanes[lanes.size() - behind_it] : 1;
    const std::string name = "%htp_" + unique + "_" + std::to_string(d) + "_";
    text += name + "n = arith.constant " + std::to_string(count) + " : index\n" + name + "e = arith.constant " +
            std::to_string(memory.extents[d]) + " : index\nfunc.call @htp_within(%" + at[d] + ", " + name + "n, " +
            name + "e, " + line_at + ") : (index, index, index, index) -> ()\n";
  }
  return text;
}

std::string call_of(const std::string &result, const std::string &function, size_t port, int64_t count,
                    unsigned number) {
  const std::string p = "%htp_port_" + std::to_string(number), n = "%htp_count_" + std::to_string(number);
  return p + " = arith.constant " + std::to_string(port) + " : i32\n" + n + " = arith.constant " +
         std::to_string(count) + " : i32\n" + result + "func.call @" + function + "(" + p + ", " + n +
         ") : (i32, i32) -> " + (result.empty() ? "()" : "i32") + "\n";
}

} // namespace htp::aiesim
