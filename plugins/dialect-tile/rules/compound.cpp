// Rolls, pads and products by letters: tile.infer makes of them what targets have.
#include "rules/compound.h"

#include <algorithm>

namespace htp::tile {
namespace {

// Places are counted in i32, and a roll or a pad goes less far.
constexpr int64_t most_places = int64_t{1} << 30;

bool without_layout(const Call &call, const Type &type, std::string_view parameter) {
  if (!type.layout) return true;
  call.c.report(diag::compound_layout, call.argument(parameter), call.row.name, call.shown(call.argument(parameter)));
  return false;
}

} // namespace

std::optional<Letters> letters_of(const Call &call) {
  const Node spec = call.argument("spec");
  std::string_view given;
  const auto wrong = [&](const std::string &why) {
    call.c.report(diag::bad_letters, spec, call.c.show(spec), why);
    return std::nullopt;
  };
  if (!call.c.string(spec, &given)) return wrong("it is no text that is written out");
  std::string text(given);
  std::erase(text, ' ');
  const size_t comma = text.find(','), arrow = text.find("->");
  if (arrow == std::string::npos) return wrong("no `->` says what the result has");
  if (comma == std::string::npos || comma > arrow || text.find(',', comma + 1) != std::string::npos)
    return wrong("it has two operands, and a `,` between them");
  const Letters letters{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
  for (const std::string *part : {&letters.a, &letters.b, &letters.result})
    for (size_t k = 0; k < part->size(); ++k) {
      const char letter = (*part)[k];
      if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')))
        return wrong("a dimension is a letter, and `" + std::string(1, letter) + "` is none");
      if (part->find(letter, k + 1) != std::string::npos)
        return wrong("`" + std::string(1, letter) + "` stands twice in `" + *part + "`");
      if (part == &letters.result && letters.a.find(letter) == std::string::npos &&
          letters.b.find(letter) == std::string::npos)
        return wrong("no operand has `" + std::string(1, letter) + "`");
    }
  if (letters.a.empty() || letters.b.empty()) return wrong("an operand has no letter");
  return letters;
}

Node einsum(const Call &call) {
  const auto a = call.tile("a"), b = a ? call.tile("b") : std::nullopt;
  const auto letters = b ? letters_of(call) : std::nullopt;
  if (!letters || !without_layout(call, *a, "a") || !without_layout(call, *b, "b")) return HTP_NONE;
  if (a->dtype != b->dtype) return report_operands(call, "a", *a, "b", *b), HTP_NONE;
  for (const auto &[type, text, name] : {std::tuple{&*a, &letters->a, "a"}, {&*b, &letters->b, "b"}})
    if (type->rank() != text->size()) {
      call.c.report(diag::rank_mismatch, call.argument(name), call.row.name, text->size(), text_of(call.c, *type));
      return HTP_NONE;
    }
  for (size_t k = 0; k < letters->b.size(); ++k) {
    const size_t other = letters->a.find(letters->b[k]);
    if (other == std::string::npos || a->extents[other] == b->extents[k]) continue;
    call.c
        .report(diag::shape_mismatch, call.argument("b"), a->extents[other].text(), b->extents[k].text(), k,
                call.row.name)
        .hint("both are `" + std::string(1, letters->b[k]) + "`, and one extent");
    return HTP_NONE;
  }
  Type result{"Tile", a->dtype, {}};
  for (const char letter : letters->result) {
    const size_t k = letters->a.find(letter);
    result.extents.push_back(k != std::string::npos ? a->extents[k] : b->extents[letters->b.find(letter)]);
  }
  if (result.extents.empty()) result.extents.push_back(Extent::of(1));
  return call.give(result);
}

Node roll(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  if (!axis || !without_layout(call, *type, "x")) return HTP_NONE;
  int64_t shift = 0;
  call.c.integer(call.argument("shift"), &shift);
  if (shift <= -most_places || shift >= most_places) {
    call.c.report(diag::bad_shift, call.argument("shift"), shift);
    return HTP_NONE;
  }
  return call.give(*type);
}

std::optional<std::pair<int64_t, int64_t>> widths_of(const Call &call) {
  auto several = call.c.as<ast::Tuple>(call.argument("widths"));
  std::vector<int64_t> widths;
  for (const Node n : several ? several.elts() : Nodes()) {
    int64_t width = -1;
    call.c.integer(n, &width);
    widths.push_back(width);
  }
  if (widths.size() == 2 && std::ranges::all_of(widths, [](int64_t w) { return w >= 0 && w < most_places; }))
    return std::pair{widths[0], widths[1]};
  call.c.report(diag::bad_widths, call.argument("widths"), call.c.show(call.argument("widths")));
  return std::nullopt;
}

Node pad(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  const auto widths = axis ? widths_of(call) : std::nullopt;
  if (!widths || !without_layout(call, *type, "x")) return HTP_NONE;
  if (call.given("value") && !call.literal(call.argument("value"), type->dtype)) return HTP_NONE;
  Extent &e = type->extents[*axis];
  const Node before = write_extent(call.c, e, call.node);
  const auto sum =
      read_int(call.c, call.c.binary(before, HTP_Add, call.c.integer_node(widths->first + widths->second, call.node),
                                     call.node));
  if (!sum) return HTP_NONE;
  e = Extent::of(*sum);
  return call.give(*type);
}

} // namespace htp::tile
