#include "analyses/host_made.h"

#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::aie {

namespace {
// What a statement or an operand is not.
bool not_a(const Context &c, Node where, const DiagKind &row, const Refuse &refuse) {
  refuse(where, Refusal(row, c.show(where)));
  return false;
}

// `(gain, 0, ((96, 0, 1, 1),))`
bool read_place(const Context &c, Node n, const Parameter &made,
                const std::function<const Parameter *(std::string_view name)> &tensor, PackedTensor &out,
                const Refuse &refuse) {
  auto slice = c.as<ast::Tuple>(n);
  const Parameter *from = slice && slice.elts().size() == 3 ? tensor(c.name_of(slice.elts()[0])) : nullptr;
  if (!from || from->direction == "out" || !from->packed.empty() || from->dtype->bytes % made.dtype->bytes ||
      !c.integer(slice.elts()[1], &out.at) || out.at < 0 || out.at > most_counted || !c.is(slice.elts()[2], HTP_Tuple))
    return not_a(c, n, diag::packed_tensor, refuse);
  out.tensor = from->name;
  const int64_t units = from->dtype->bytes / made.dtype->bytes;
  int64_t last = out.at + units - 1;
  for (const Node e : c.get<ast::Tuple>(slice.elts()[2]).elts()) {
    std::vector<int64_t> four;
    auto t = c.as<ast::Tuple>(e);
    for (const Node x : t ? t.elts() : Nodes()) {
      int64_t value = 0;
      if (!c.integer(x, &value) || value < -1 || value > (int64_t{1} << 32))
        return refuse(x, Refusal(diag::packed_loop, c.show(x), from->name)), false;
      four.push_back(value);
    }
    if (four.size() != 4 || four[0] < 1 || four[1] >= static_cast<int64_t>(from->extents.size()) || four[2] < 0 ||
        four[3] < 0 || four[0] > (int64_t{1} << 31))
      return refuse(e, Refusal(diag::packed_loop, c.show(e), from->name)), false;
    out.along.push_back({four[0], four[1], four[2], four[3]});
    if (__builtin_add_overflow(last, (four[0] - 1) * four[3], &last) || last > most_counted)
      return refuse(e, Refusal(diag::order_long)), false;
  }
  if (last >= count(made.extents))
    return refuse(n, Refusal(diag::packed_end, from->name, last, count(made.extents))), false;
  return true;
}
} // namespace

bool read_extents(const Context &c, Node n, std::vector<int64_t> &out, const Refuse &refuse) {
  auto t = c.as<ast::Tuple>(n);
  if (!t) return not_a(c, n, diag::not_extents, refuse);
  for (const Node e : t.elts()) {
    int64_t value = 0;
    if (!c.integer(e, &value) || value < 1 || value > most_counted) return not_a(c, e, diag::not_extent, refuse);
    out.push_back(value);
  }
  if (count(out) > most_counted) return refuse(n, Refusal(diag::many_elements, c.show(n), tuple(out))), false;
  return true;
}

bool read_fill(const Context &c, Node n, Fill &fill, const Refuse &refuse) {
  std::string_view name;
  c.string(n, &name);
  const auto *const at = std::find(std::begin(fill_names), std::end(fill_names), name);
  if (at == std::end(fill_names)) return not_a(c, n, diag::not_fill, refuse);
  fill = static_cast<Fill>(at - std::begin(fill_names));
  return true;
}

std::optional<Parameter> read_host_made(const Context &c, const Names &names, Node s,
                                        const std::function<const Parameter *(std::string_view name)> &tensor,
                                        const Refuse &refuse) {
  auto k = c.get<ast::Call>(c.get<ast::Assign>(s).value());
  const bool counts = names.called(c.get<ast::Assign>(s).value()) == "htp_aie.counts";
  if (counts ? k.args().size() != 2 : k.args().size() < 3)
    return not_a(c, s, counts ? diag::counts_arguments : diag::pack_arguments, refuse), std::nullopt;
  Parameter made;
  made.node = s;
  made.name = std::string(c.name_of(c.get<ast::Assign>(s).targets()[0]));
  made.direction = "in", made.counts = counts;
  const std::string dtype = names.qualified(k.args()[0]);
  made.dtype = dtype_named(dtype.substr(dtype.rfind('.') + 1));
  if (!made.dtype || (counts && made.dtype->real))
    return refuse(s, Refusal(diag::stream_dtype, dtype, counts ? "integers" : "streams")), std::nullopt;
  if (tensor(made.name)) return refuse(s, Refusal(diag::defined_twice, made.name)), std::nullopt;
  if (!read_extents(c, k.args()[1], made.extents, refuse)) return std::nullopt;
  made.padded = made.extents;
  for (const Node n : k.args().subspan(2))
    if (!read_place(c, n, made, tensor, made.packed.emplace_back(), refuse)) return std::nullopt;
  return made;
}

std::string host_made_text(const Parameter &made, std::string_view dtype) {
  const auto number = [](int64_t n) { return std::to_string(n); };
  std::string text = made.counts ? "aie.counts(" : "aie.pack(";
  text += std::string(dtype) + ", " + tuple(made.extents);
  for (const PackedTensor &p : made.packed)
    text += ", (" + p.tensor + ", " + number(p.at) + ", (" +
            join(p.along, ", ",
                 [&](const Along &a) {
                   return "(" + number(a.size) + ", " + number(a.dimension) + ", " + number(a.step) + ", " +
                          number(a.stride) + ")";
                 }) +
            (p.along.size() == 1 ? ",)" : ")") + ")";
  return text + ")";
}

bool read_padding(const Context &c, Node s, Parameter &q, const Refuse &refuse) {
  auto k = c.get<ast::Call>(c.get<ast::Assign>(s).value());
  if (k.args().size() != 2) return not_a(c, s, diag::pad_arguments, refuse);
  std::vector<int64_t> padded;
  if (!read_extents(c, k.args()[1], padded, refuse)) return false;
  for (const Node n : k.keywords()) {
    auto keyword = c.get<ast::keyword>(n);
    if (keyword.arg() == "pieces" ? !read_extents(c, keyword.value(), q.pieces, refuse)
                                  : keyword.arg() == "fill" && !read_fill(c, keyword.value(), q.fill, refuse))
      return false;
  }
  if (padded.size() != q.extents.size())
    return refuse(k.args()[1], Refusal(diag::other_padding, q.name, "extents")), false;
  if (!q.pieces.empty() && q.pieces.size() != padded.size())
    return refuse(s, Refusal(diag::pieces_rank, q.name, tuple(q.pieces), padded.size())), false;
  for (size_t d = 0; d < padded.size(); ++d) {
    if (padded[d] < q.extents[d])
      return refuse(k.args()[1], Refusal(diag::short_padding, d, q.name, q.extents[d], padded[d])), false;
    if (!q.pieces.empty() && (q.extents[d] % q.pieces[d] || padded[d] % q.pieces[d]))
      return refuse(s, Refusal(diag::uneven_pieces, d, q.name, q.extents[d], padded[d], q.pieces[d])), false;
  }
  q.padded = std::move(padded);
  return true;
}

std::string padding_text(const Parameter &q) {
  return "aie.pad(" + q.name + ", " + tuple(q.padded) + (q.pieces.empty() ? "" : ", pieces=" + tuple(q.pieces)) +
         (q.fill == Fill::zeros ? "" : ", fill='" + std::string(fill_named(q.fill)) + "'") + ")";
}

} // namespace htp::aie
