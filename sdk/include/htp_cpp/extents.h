// htp_cpp/extents.h — ints as sums of products, so that equal ones are spelled alike: `1 + N + 1` is `N + 2`. What an
// extent is made of, and how many indices a slice has.
#pragma once

#include "htp_cpp/tree.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

class Sum {
public:
  static Sum number(int64_t n) {
    Sum s;
    if (n != 0) s.terms_[{}] = n;
    return s;
  }
  static Sum atom(std::string text, std::set<std::string> names) {
    Sum s;
    s.terms_[{{std::move(text), std::move(names)}}] = 1;
    return s;
  }

  std::optional<int64_t> constant() const {
    if (terms_.empty()) return 0;
    return terms_.size() == 1 && terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
  }
  // The names and other ints that it is made of.
  std::set<std::string> names() const {
    std::set<std::string> result;
    for (const auto &[product, factor] : terms_)
      for (const Atom &a : product) result.insert(a.names.begin(), a.names.end());
    return result;
  }

  // Nothing where numbers do not fit.
  std::optional<Sum> plus(const Sum &other, int64_t times = 1) const {
    Sum result = *this;
    for (const auto &[product, factor] : other.terms_) {
      int64_t more = 0, &own = result.terms_[product];
      if (__builtin_mul_overflow(factor, times, &more) || __builtin_add_overflow(own, more, &own)) return std::nullopt;
      if (own == 0) result.terms_.erase(product);
    }
    return result;
  }
  std::optional<Sum> times(const Sum &other) const {
    Sum result;
    for (const auto &[a, x] : terms_)
      for (const auto &[b, y] : other.terms_) {
        Product product = a;
        product.insert(product.end(), b.begin(), b.end());
        std::sort(product.begin(), product.end());
        int64_t factor = 0, &own = result.terms_[product];
        if (__builtin_mul_overflow(x, y, &factor) || __builtin_add_overflow(own, factor, &own)) return std::nullopt;
        if (own == 0) result.terms_.erase(product);
      }
    return result;
  }
  // Rounded down, as Python's `//`, by a number of at least 1: what it divides evenly goes ahead.
  Sum floor(int64_t by) const { return divided(by).first; }
  Sum mod(int64_t by) const { return divided(by).second; }

  std::string text() const {
    std::string result;
    const auto add = [&](const Product &product, int64_t factor) {
      const bool minus = factor < 0;
      const uint64_t size = minus ? uint64_t{0} - static_cast<uint64_t>(factor) : static_cast<uint64_t>(factor);
      result += result.empty() ? (minus ? "-" : "") : minus ? " - " : " + ";
      std::string part = size == 1 && !product.empty() ? std::string() : std::to_string(size);
      for (const Atom &a : product) {
        const bool alone = part.empty() && product.size() == 1 && !minus;
        const bool whole = alone || a.text.find(' ') == std::string::npos;
        part += (part.empty() ? "" : " * ") + (whole ? a.text : "(" + a.text + ")");
      }
      result += part;
    };
    for (const bool minus : {false, true})
      for (const auto &[product, factor] : terms_)
        if ((factor < 0) == minus && !product.empty()) add(product, factor);
    if (const auto it = terms_.find({}); it != terms_.end()) add({}, it->second);
    return result.empty() ? "0" : result;
  }

private:
  struct Atom {
    std::string text;
    std::set<std::string> names;
    friend bool operator==(const Atom &a, const Atom &b) { return a.text == b.text; }
    friend bool operator<(const Atom &a, const Atom &b) { return a.text < b.text; }
  };
  using Product = std::vector<Atom>;

  std::pair<Sum, Sum> divided(int64_t by) const {
    Sum whole, rest;
    for (const auto &[product, factor] : terms_) {
      const int64_t left = factor % by < 0 ? factor % by + by : factor % by;
      if (left) rest.terms_[product] = left;
      if (const int64_t times = factor / by - (factor % by < 0)) whole.terms_[product] = times;
    }
    if (rest.constant()) return {whole, rest};
    const std::string inner = rest.text(), shown = inner.find(' ') == std::string::npos ? inner : "(" + inner + ")";
    const Sum quotient = atom(shown + " // " + std::to_string(by), rest.names());
    return {whole.plus(quotient).value_or(quotient), atom(shown + " % " + std::to_string(by), rest.names())};
  }

  std::map<Product, int64_t> terms_;
};

// An int expression as a sum; `constant` gives the numbers that names stand for. What is no arithmetic is an atom.
template <class F> std::optional<Sum> read_sum(const Reader &r, Node n, const F &constant) {
  int64_t size = 0;
  if (r.integer(n, &size)) return Sum::number(size);
  if (const std::string_view name = r.name_of(n); !name.empty()) {
    if (const std::optional<int64_t> value = constant(name)) return Sum::number(*value);
    return Sum::atom(std::string(name), {std::string(name)});
  }
  if (auto u = r.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) {
    const auto x = read_sum(r, u.operand(), constant);
    return x && u.op() == HTP_USub ? Sum().plus(*x, -1) : x;
  }
  if (auto b = r.as<ast::BinOp>(n)) {
    const auto left = read_sum(r, b.left(), constant), right = read_sum(r, b.right(), constant);
    if (!left || !right) return std::nullopt;
    const auto by = right->constant();
    switch (b.op()) {
    case HTP_Add: return left->plus(*right);
    case HTP_Sub: return left->plus(*right, -1);
    case HTP_Mult: return left->times(*right);
    case HTP_FloorDiv: return by && *by > 0 ? std::optional(left->floor(*by)) : std::nullopt;
    case HTP_Mod: return by && *by > 0 ? std::optional(left->mod(*by)) : std::nullopt;
    default: return std::nullopt;
    }
  }
  std::string text = r.dotted(n); // i.start
  if (auto k = r.as<ast::Call>(n); k && !r.name_of(k.func()).empty() && k.keywords().empty()) {
    text = std::string(r.name_of(k.func())) + "(";
    for (const Node a : k.args()) {
      const auto argument = read_sum(r, a, constant);
      if (!argument) return std::nullopt;
      text += (text.back() == '(' ? "" : ", ") + argument->text();
    }
    text += ")";
  }
  return text.empty() ? std::nullopt : std::optional(Sum::atom(text, {text}));
}
inline std::optional<Sum> read_sum(const Reader &r, Node n) {
  return read_sum(r, n, [](std::string_view) { return std::optional<int64_t>(); });
}

// `slice(start, stop)`, `slice(start, stop, step)`: an index of a tensor; left out is `None`, or 0 for what is not
// there.
struct SliceCall {
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE;
};
inline std::optional<SliceCall> read_slice(const Reader &r, Node n) {
  auto k = r.as<ast::Call>(n);
  if (!k || r.name_of(k.func()) != "slice" || k.args().empty() || k.args().size() > 3 || !k.keywords().empty())
    return std::nullopt;
  const auto part = [&](size_t i) -> Node {
    if (i >= k.args().size()) return HTP_NONE;
    auto none = r.as<ast::Constant>(k.args()[i]);
    return none && none.value().type == HTP_CONST_NONE ? HTP_NONE : k.args()[i];
  };
  if (k.args().size() == 1) return SliceCall{HTP_NONE, part(0), HTP_NONE};
  return SliceCall{part(0), part(1), part(2)};
}

// How many indices a slice has whose start and stop are there; nothing where that is no sum.
template <class F> std::optional<Sum> slice_length(const Reader &r, const SliceCall &s, const F &constant) {
  const auto start = read_sum(r, s.start, constant), stop = read_sum(r, s.stop, constant);
  const auto step = s.step ? read_sum(r, s.step, constant) : Sum::number(1);
  const auto by = step ? step->constant() : std::nullopt;
  const auto length = start && stop ? stop->plus(*start, -1) : std::nullopt;
  if (!length || !by || *by < 1) return std::nullopt;
  const auto rounded = length->plus(Sum::number(*by - 1));
  return rounded ? std::optional(rounded->floor(*by)) : std::nullopt;
}

} // namespace htp::sdk
