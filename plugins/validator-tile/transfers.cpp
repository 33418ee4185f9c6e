#include "transfers.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace htp::validator {

namespace {

constexpr int64_t most_counted = int64_t{1} << 50;

// More than there is of anything counts as that much.
int64_t times(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? most_counted : std::min(result, most_counted);
}

int64_t product(const std::vector<int64_t> &of) { return std::accumulate(of.begin(), of.end(), int64_t{1}, times); }

constexpr int64_t most_moved = int64_t{1} << 22, most_span = int64_t{1} << 40, most_factor = int64_t{1} << 21;

} // namespace

int64_t Transfer::blocks() const {
  const int64_t transfers = one() ? 1 : share == "rows" ? rows : columns;
  int64_t count = 1, last = std::min(most_counted, start) + times(apart, transfers - 1);
  for (const auto &[extent, stride] : order) {
    count = times(count, extent);
    last = std::min(most_counted, last + times(extent - 1, stride));
  }
  const int64_t size = times(product(block), share == "each" ? rows : 1);
  return count < most_counted && count % size == 0 && last < product(padded) ? count / size : 0;
}

std::vector<std::string> Transfer::ends() const {
  std::vector<std::string> result;
  for (size_t at = 0; at < share.size();) {
    const size_t end = std::min(share.find('\n', at), share.size());
    result.push_back(share.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

bool Transfer::apart_from(std::vector<bool> &taken) const {
  const int64_t size = product(padded);
  if (size > most_moved) return false;
  taken.resize(static_cast<size_t>(size));
  int64_t count = 1;
  for (const auto &[extent, _] : order) count = times(count, extent);
  const int64_t transfers = one() ? 1 : share == "rows" ? rows : columns;
  if (times(count, transfers) > size) return false;
  for (int64_t at = 0; at < transfers; ++at)
    for (int64_t k = 0; k < count; ++k) {
      int64_t flat = start + at * apart, rest = k;
      for (size_t d = order.size(); d-- > 0; rest /= order[d].first) flat += rest % order[d].first * order[d].second;
      if (flat < 0 || flat >= size || taken[static_cast<size_t>(flat)]) return false;
      taken[static_cast<size_t>(flat)] = true;
    }
  return true;
}

std::optional<Transfers::Span> Transfers::span(Term x) const {
  const auto found = spanned(x);
  return found && found->first >= -most_span && found->second <= most_span ? found : std::nullopt;
}

std::optional<Transfers::Span> Transfers::spanned(Term x) const {
  if (const auto k = t.constant(x)) return Span{*k, *k};
  if (const auto it = extents_.find(x); it != extents_.end()) return Span{0, it->second - 1};
  const TermNode &n = t.at(x);
  const auto scaled = [](Span a, int64_t k) {
    if (std::abs(k) >= most_factor) return Span{-most_span - 1, most_span + 1};
    return k >= 0 ? Span{a.first * k, a.second * k} : Span{a.second * k, a.first * k};
  };
  switch (n.op) {
  case Op::variable: {
    const Loop &loop = t.loops[static_cast<size_t>(n.numbers[0])];
    const auto low = span(loop.low), high = span(loop.high);
    if (!low || !high || t.constant(loop.step).value_or(0) < 1) return std::nullopt;
    return Span{low->first, std::max(low->first, high->second - 1)};
  }
  case Op::sum: {
    Span all{n.numbers[0], n.numbers[0]};
    for (size_t k = 0; k < n.args.size(); ++k) {
      const auto one = span(n.args[k]);
      if (!one) return std::nullopt;
      const Span by = scaled(*one, n.numbers[k + 1]);
      all.first += by.first, all.second += by.second;
    }
    return all;
  }
  case Op::floordiv: {
    const auto one = span(n.args[0]);
    const auto by = t.constant(n.args[1]);
    if (!one || !by || *by < 1 || one->first < 0) return std::nullopt;
    return Span{one->first / *by, one->second / *by};
  }
  default: return std::nullopt;
  }
}

std::pair<Term, Term> Transfers::split(Term x, int64_t by) {
  const TermNode n = t.at(x);
  Term whole = t.integer(0);
  if (n.op == Op::sum) {
    whole = t.integer(n.numbers[0] >= 0 ? n.numbers[0] / by : 0);
    for (size_t k = 0; k < n.args.size(); ++k)
      if (n.numbers[k + 1] % by == 0) whole = t.add(whole, t.scale(n.args[k], n.numbers[k + 1] / by));
  }
  const Term rest = t.sub(x, t.scale(whole, by));
  if (const auto s = span(rest); s && s->first >= 0 && s->second < by) return {whole, rest};
  const Term q = t.floordiv(x, t.integer(by));
  return {q, t.sub(x, t.scale(q, by))};
}

// A dimension goes on by one of the block's indices, or by several, each of which takes over where the one before it
// ends: by where it is in the dimension they are known.
bool Transfers::boxed(const Transfer &of, const std::vector<Term> &local, Place &place) {
  std::vector<bool> used(local.size());
  place.local.assign(local.size(), t.integer(0));
  size_t last = 0;
  for (size_t d = 0; d < place.index.size(); ++d) {
    const Term at = place.index[d];
    const TermNode n = t.at(at);
    std::vector<std::pair<int64_t, size_t>> parts; // by how much, by which index
    Term from = at;
    for (size_t k = 0; k < local.size(); ++k) {
      if (of.block[k] == 1) continue;
      const auto it = std::find(n.args.begin(), n.args.end(), local[k]);
      int64_t by = at == local[k] ? 1 : 0;
      if (n.op == Op::sum && it != n.args.end()) by = n.numbers[static_cast<size_t>(it - n.args.begin()) + 1];
      if (!by) continue;
      if (by < 1 || used[k]) return false;
      used[k] = true;
      parts.emplace_back(by, k);
      from = t.sub(from, t.scale(local[k], by));
    }
    std::sort(parts.begin(), parts.end());
    int64_t extent = 1;
    const int64_t apart = parts.empty() ? 1 : parts[0].first;
    for (const auto &[by, k] : parts) {
      if (by != apart * extent) return false;
      const Term whole = t.floordiv(this->local(d), t.integer(extent));
      const bool outermost = k == parts.back().second;
      place.local[k] =
          outermost ? whole : t.sub(whole, t.scale(t.floordiv(whole, t.integer(of.block[k])), of.block[k]));
      extent *= of.block[k];
    }
    if (parts.size() > 1) place.turned = true;
    if (!parts.empty() && parts[0].second < last) place.turned = true;
    if (!parts.empty()) last = parts[0].second;
    if (mentions_local(from, of, local)) return false; // nothing else of it asks for where it is in the block
    place.slices.push_back(t.make(Op::slice, "", {from, t.integer(extent), t.integer(apart)}));
  }
  for (size_t k = 0; k < local.size(); ++k)
    if (!used[k] && of.block[k] != 1) return false;
  return true;
}

bool Transfers::mentions_local(Term x, const Transfer &of, const std::vector<Term> &local) const {
  for (size_t k = 0; k < local.size(); ++k)
    if (of.block[k] != 1 && x == local[k]) return true;
  const std::vector<Term> args = t.at(x).args;
  return std::any_of(args.begin(), args.end(), [&](Term a) { return mentions_local(a, of, local); });
}

Place Transfers::place(const Transfer &of, Term count, Term column, Term row, const std::vector<Term> &local) {
  for (size_t k = 0; k < local.size(); ++k) extents_[local[k]] = of.block[k];
  const Term number = of.share == "each" ? t.add(t.scale(count, of.rows), row) : count;
  const Term at = of.one() ? t.integer(0) : of.share == "rows" ? row : column;
  Term position = number;
  for (size_t k = 0; k < local.size(); ++k)
    position = t.add(t.scale(position, of.block[k]), of.block[k] == 1 ? t.integer(0) : local[k]);
  Term flat = t.add(t.integer(of.start), t.scale(at, of.apart));
  for (size_t k = of.order.size(); k-- > 0;) {
    const auto [q, digit] = k ? split(position, of.order[k].first) : std::pair(position, position);
    flat = t.add(flat, t.scale(digit, of.order[k].second));
    position = q;
  }
  Place result;
  result.index.resize(of.padded.size());
  for (size_t k = of.padded.size(); k-- > 0;) {
    const auto [q, digit] = k ? split(flat, of.padded[k]) : std::pair(flat, flat);
    result.index[k] = digit;
    flat = q;
  }
  if (!boxed(of, local, result)) result.slices.clear();
  return result;
}

} // namespace htp::validator
