// Whether an operation's tiles and numbers fit each other, and the streams of a link.
#include "analyses/program.h"

#include <algorithm>
#include <set>

namespace htp::aie {

namespace {
std::vector<int64_t> long_ones(std::vector<int64_t> v) {
  v.erase(std::remove(v.begin(), v.end(), 1), v.end());
  return v;
}
bool overlap(const Tile *a, const Tile *b) { return (a->whole ? a->whole : a) == (b->whole ? b->whole : b); }

void acquires(const std::vector<Statement> &body, const std::string &link,
              std::set<const std::vector<Statement> *> &lists, size_t &times) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::acquire && s.stream->link == link) lists.insert(&body), ++times;
    acquires(s.body, link, lists, times);
  }
}
} // namespace

bool fits(Statement &n) {
  const std::vector<int64_t> &to = n.tile->extents;
  static constexpr std::string_view twos[] = {"add", "sub", "mul", "div",     "maximum", "minimum", "lt",  "le", "gt",
                                              "ge",  "eq",  "ne",  "bit_and", "bit_or",  "bit_xor", "shl", "shr"};
  const bool two = std::find(std::begin(twos), std::end(twos), n.name) != std::end(twos);
  const bool asks = compares(n.name), chooses = n.name == "where";
  if (asks && n.tile->dtype->name != "bool_") return false;
  const bool product = n.name == "matmul" || n.name == "mmul";
  if (n.operands.size() != (chooses                                                                 ? 3U
                            : two || n.name.starts_with("reduce_") || product || n.name == "unpack" ? 2U
                                                                                                    : 1U))
    return false;
  if (chooses && (!n.operands[0].tile || n.operands[0].tile->dtype->name != "bool_")) return false;
  if ((n.name == "shl" || n.name == "shr") && (!n.operands[0].tile || n.operands[1].tile)) return false;
  if (n.name == "transpose") {
    const Tile *from = n.operands[0].tile;
    const size_t d = to.size();
    if (!from || overlap(from, n.tile) || from->dtype != n.tile->dtype || d < 2 || from->extents.size() != d)
      return false;
    std::vector<int64_t> swapped = from->extents;
    std::swap(swapped[d - 2], swapped[d - 1]);
    return swapped == to;
  }
  if (n.name == "fill") return !n.operands[0].tile;
  if (n.name == "unpack") {
    const Tile *from = n.operands[0].tile;
    if (!from || overlap(from, n.tile) || n.operands[1].tile || !(n.operands[1].number <= most_counted) ||
        n.tile->dtype->bytes % from->dtype->bytes)
      return false;
    n.axis = static_cast<int64_t>(n.operands[1].number);
    return n.axis >= 0 && n.axis <= count(from->extents) - count(to) * (n.tile->dtype->bytes / from->dtype->bytes);
  }
  if (product) { // what is added up in may be wider
    const Tile *a = n.operands[0].tile, *b = n.operands[1].tile;
    const size_t d = to.size(), last = n.name == "mmul" ? 4 : 2;
    if (!a || !b || d < last || a->extents.size() != d || b->extents.size() != d || overlap(a, n.tile) ||
        overlap(b, n.tile))
      return false;
    for (size_t k = 0; k + last < d; ++k)
      if (a->extents[k] != to[k] || b->extents[k] != to[k]) return false;
    for (size_t k = d - last; k < d; k += 2) // of matrices of blocks, and of the blocks
      if (a->extents[k] != to[k] || a->extents[k + 1] != b->extents[k] || b->extents[k + 1] != to[k + 1]) return false;
    return a->dtype == b->dtype && (a->dtype == n.tile->dtype ||
                                    (a->dtype->real == n.tile->dtype->real && a->dtype->bytes < n.tile->dtype->bytes));
  }
  if (n.name.starts_with("reduce_")) {
    if (!n.operands[0].tile || n.operands[1].tile) return false;
    n.axis = static_cast<int64_t>(n.operands[1].number);
    std::vector<int64_t> from = n.operands[0].tile->extents;
    if (n.axis < 0 || n.axis >= static_cast<int64_t>(from.size())) return false;
    from[static_cast<size_t>(n.axis)] = 1;
    return from == to && n.operands[0].tile->dtype == n.tile->dtype;
  }
  bool any = false;
  const DType *before = nullptr;
  for (const Operand &o : n.operands) {
    if (!o.tile) continue;
    const DType *with = any ? before : o.tile->dtype;
    before = o.tile->dtype;
    any = true;
    if (asks ? o.tile->dtype != with
             : n.name != "cast" && !(chooses && &o == &n.operands[0]) && o.tile->dtype != n.tile->dtype)
      return false;
    if (!spreads(o.tile->extents, to) && !(n.name == "copy" && long_ones(o.tile->extents) == long_ones(to)))
      return false;
    if (!two && !chooses && n.name != "copy" && o.tile->extents != to) return false;
  }
  return any;
}

// Streams that share a channel have blocks that come equally often: at the shim of one tensor, in equal steps; at a
// core each is acquired once where the others are.
bool link_fits(const Program &p, const Stream &first, const Refuse &refuse) {
  const auto no = [&](Node where, const Refusal &why) {
    refuse(where, why);
    return false;
  };
  const std::vector<const Stream *> all = p.linked(first);
  const bool plain = std::all_of(first.link.begin(), first.link.end(), [](char ch) {
    return ch == '_' || (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch < 0;
  });
  if (!plain || names_something(p, first.link))
    return no(first.node, Refusal(diag::link_name, first.link).with("name it `" + first.name + "_rows`"));
  if (all.size() < 2 && first.reordered()) return true;
  if (all.size() < 2) return no(first.node, Refusal(diag::lone_link, first.name, first.link));
  const bool at_core = p.linked_at_core(first);
  for (const Stream *s : all) {
    if (at_core && s->reordered())
      return no(s->node,
                Refusal(diag::blocked_link, s->name).with("give it a link of its own: `link='" + s->name + "_rows'`"));
    const std::pair<bool, std::string_view> same[] = {
        {s->feeds == first.feeds, "direction"},
        {!at_core || (s->consumers == first.consumers && s->producer == first.producer), "cores"},
        {at_core || s->tensor == first.tensor, "tensor"},
        {s->dtype == first.dtype, "dtype"},
        {at_core || s->block == first.block, "block"},
        {at_core || s->order == first.order, "order"},
        {s->depth == first.depth, "depth"},
        {s->blocks() == first.blocks() && s->once == first.once, "number of blocks"}};
    for (const auto &[equal, property] : same)
      if (!equal) return no(s->node, Refusal(diag::unequal_link, s->name, first.name, property));
  }
  const int64_t step = all[1]->start - first.start;
  for (size_t k = 1; !at_core && k < all.size(); ++k)
    if (step < 1 || all[k]->start - all[k - 1]->start != step)
      return no(all[k]->node,
                Refusal(diag::uneven_link, all[k]->name, all[k]->start - all[k - 1]->start, all[k - 1]->name, step));
  for (size_t k = 0; at_core && k < p.cores.size(); ++k) {
    std::set<const std::vector<Statement> *> lists;
    size_t times = 0;
    acquires(p.cores[k].body, first.link, lists, times);
    if (times && (times != all.size() || lists.size() != 1))
      return no(first.node, Refusal(diag::scattered_link, p.cores[k].name, first.link));
  }
  return true;
}

} // namespace htp::aie
