// Tensors with padding: as long as the device works they are tensors of their own, then what is inside of them is in
// the tensors.
#include "reader.h"

#include <algorithm>
#include <cmath>

namespace htp::validator {

using namespace htp::sdk;

namespace {

constexpr int64_t most_packed = int64_t{1} << 30;

// The least and the greatest of ints, as memory has them.
std::optional<int64_t> limit(std::string_view dtype, bool least) {
  for (const int bits : {8, 16, 32}) {
    if (dtype == "i" + std::to_string(bits))
      return least ? -(int64_t{1} << (bits - 1)) : (int64_t{1} << (bits - 1)) - 1;
    if (dtype == "u" + std::to_string(bits)) return least ? 0 : (int64_t{1} << bits) - 1;
  }
  return std::nullopt;
}

} // namespace

Term Reader::filling(const std::string &dtype, Node fill) {
  std::string_view which = "zeros";
  if (fill && !c.string(fill, &which)) fail(fill, "a padding that has no meaning here");
  if (which == "zeros") return t.integer(0);
  if (which != "least" && which != "greatest") fail(fill, "a padding that has no meaning here");
  const bool least = which == "least";
  if (dtype.starts_with("f") || dtype.starts_with("bf")) return t.number(least ? -HUGE_VAL : HUGE_VAL);
  const auto k = limit(dtype, least);
  if (!k) fail(fill, "a padding that has no meaning here");
  return t.integer(*k);
}

Term Reader::pieces_of(Term given, const std::vector<Term> &extents, const std::vector<Term> &to, Node n) {
  if (!t.is(given, Op::tuple)) fail(n, "pieces that have no meaning here");
  const std::vector<Term> pieces = t.at(given).args;
  if (extents.size() != to.size() || (!pieces.empty() && pieces.size() != to.size()))
    fail(n, "a padded tensor that is not known here");
  bool cut = false;
  for (size_t k = 0; k < to.size(); ++k) {
    if (!bounded(extents[k], to[k])) fail(n, "a padded tensor that is not known here");
    if (pieces.empty() || t.constant(pieces[k]) == 1) continue;
    const auto by = t.constant(pieces[k]), size = t.constant(extents[k]), whole = t.constant(to[k]);
    if (!by || !size || !whole || *by < 1 || *size % *by || *whole % *by)
      fail(n, "a padded tensor that is not known here");
    cut = true;
  }
  return cut ? given : t.make(Op::tuple, "", {});
}

Term Reader::with_padding(Term x, const Type &of, const std::vector<Term> &to, Term fill, Term pieces) {
  if (of.extents == to) return x;
  t.type(x, of);
  return t.apply("pad", {x, fill, pieces, t.make(Op::tuple, "", of.extents)}, {of.dtype, to});
}

Term Reader::without_padding(Term x, const Type &padded, const Type &of, Term pieces) {
  if (of.extents == padded.extents) return x;
  t.type(x, padded);
  if (t.is(x, Op::apply) && t.at(x).tag == "pad" && t.at(x).args[2] == pieces &&
      t.type_of(t.at(x).args[0]).extents == of.extents)
    return t.at(x).args[0];
  return t.apply("crop", {x, pieces, t.make(Op::tuple, "", padded.extents)}, of);
}

Value Reader::padded(const Given &g, Node n) {
  no_more(g, {"fill", "pieces"}, n);
  if (g.positional.size() != 2) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  const int of = memory_of(g.positional[0]);
  const Memory tensor = memories_[static_cast<size_t>(of)];
  const Term extents = term(g.positional[1]);
  const auto fill = g.named.find("fill"), cut = g.named.find("pieces");
  if (!t.is(extents, Op::tuple)) fail(n, "a padded tensor that is not known here");
  const std::vector<Term> to = t.at(extents).args;
  const Term pieces =
      pieces_of(cut == g.named.end() ? t.make(Op::tuple, "", {}) : term(cut->second), tensor.type.extents, to, n);
  const Term filled = filling(tensor.type.dtype, fill == g.named.end() ? HTP_NONE : fill->second);
  const Term holds = with_padding(contents(of, n), tensor.type, to, filled, pieces);
  const int m = make_memory(tensor.name, {tensor.type.dtype, to}, holds);
  Memory &made = memories_[static_cast<size_t>(m)];
  made.padded = of, made.pieces = pieces, made.begun = holds;
  t.type(holds, made.type);
  return {0, m, HTP_NONE};
}

Value Reader::packed(const Given &g, Node n) {
  no_more(g, {}, n);
  if (g.positional.size() < 3) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  const std::string dtype = dtype_of(g.positional[0]);
  const auto items = [&](Term x) {
    if (!t.is(x, Op::tuple)) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    return t.at(x).args;
  };
  std::vector<Term> args;
  for (size_t k = 2; k < g.positional.size(); ++k) {
    const auto source = c.as<ast::Tuple>(g.positional[k]);
    if (!source || source.elts().size() != 3) fail(n, "what is packed has no meaning here");
    const int from = memory_of(source.elts()[0]);
    const Type type = memories_[static_cast<size_t>(from)].type;
    if (!same_bits(type.dtype, dtype)) fail(n, "what is packed has elements of other sizes");
    const Term at = term(source.elts()[1]), along = term(source.elts()[2]);
    bool good = t.constant(at).value_or(-1) >= 0;
    int64_t within = INT64_MAX; // of a loop: what those in it go over at most
    for (const Term one : items(along)) {
      const auto loop = items(one);
      good = good && loop.size() == 4 && std::all_of(loop.begin(), loop.end(), [&](Term x) { return t.constant(x); });
      if (!good) break;
      const int64_t size = *t.constant(loop[0]), dimension = *t.constant(loop[1]), step = *t.constant(loop[2]),
                    stride = *t.constant(loop[3]);
      good = size >= 1 && size <= most_packed && dimension >= -1 &&
             dimension < static_cast<int64_t>(type.extents.size()) && step >= 0 && stride >= 1 &&
             stride <= most_packed && size * stride <= within;
      within = stride;
    }
    if (!good) fail(n, "what is packed in a way that has no meaning here");
    const Term holds = scalars_.contains(from) ? s->holds[static_cast<size_t>(from)] : contents(from, n);
    t.type(holds, type);
    reads_.insert(from);
    args.push_back(t.make(Op::tuple, "", {holds, at, along, t.make(Op::tuple, "", type.extents)}));
  }
  const Type type{dtype, items(term(g.positional[1]))};
  const Term made = t.apply("pack", std::move(args), type);
  return {0, make_memory("what is packed", type, made), HTP_NONE};
}

// 0, 1, 2 and so on, in the order in which its elements lie.
Value Reader::counts(const Given &g, Node n) {
  no_more(g, {}, n);
  if (g.positional.size() != 2) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  const Term extents = term(g.positional[1]);
  if (!t.is(extents, Op::tuple) || t.at(extents).args.empty()) fail(n, "what counts has no extents");
  const Type type{dtype_of(g.positional[0]), t.at(extents).args};
  Term all = t.integer(1);
  for (const Term e : type.extents) all = t.mul(all, e);
  const Term line = t.apply("iota", {t.symbol(type.dtype), t.integer(0), t.integer(-1), all}, {type.dtype, {all}});
  return {0, make_memory("what counts", type, reshaped(line, type.extents)), HTP_NONE};
}

// Tensors with padding, and tensors that streams have brought back.
void Reader::end_device() {
  if (!held_.empty()) fail(HTP_NONE, "a block is held as the device ends");
  merge_processes();
  end_streams();
  std::set<int> stored;
  for (size_t m = 0; m < memories_.size(); ++m) {
    const Memory made = memories_[m];
    if (made.stream == 'c' && !concrete_) {
      set(made.tensor, t.apply("collected", {s->holds[static_cast<size_t>(made.tensor)], s->holds[m]}));
      continue;
    }
    if (made.padded < 0 || s->holds[m] == made.begun) continue;
    if (!stored.insert(made.padded).second) fail(HTP_NONE, "a tensor that is stored to in two ways");
    const auto of = static_cast<size_t>(made.padded);
    set(made.padded, without_padding(s->holds[m], made.type, memories_[of].type, made.pieces));
    memories_[m].begun = s->holds[m];
  }
}

} // namespace htp::validator
