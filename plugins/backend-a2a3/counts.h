// counts.h — how often something happens: sums of products of sizes and loops' variables.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp::a2a3 {

// What a factor of a product is written as, and which names are in it.
using Factor = std::pair<std::string, std::set<std::string>>;

class Count {
public:
  Count() = default;
  explicit Count(int64_t n) { add({}, n); }
  explicit Count(const Factor &f) { add({f}, 1); }

  friend bool operator==(const Count &, const Count &) = default;
  Count &operator+=(const Count &other) {
    for (const auto &[product, n] : other.terms_) add(product, n);
    return *this;
  }
  friend Count operator+(Count a, const Count &b) { return a += b; }
  friend Count operator-(Count a, const Count &b) { return a += b * Count(-1); }
  friend Count operator*(const Count &a, const Count &b) {
    Count all;
    for (const auto &[x, n] : a.terms_)
      for (const auto &[y, m] : b.terms_) {
        Product both = x;
        both.insert(y.begin(), y.end());
        all.add(both, n * m);
      }
    return all;
  }
  // Nothing in what is no multiple of `by` for all sizes.
  bool divides(int64_t by) const {
    for (const auto &[product, n] : terms_)
      if (n % by) return false;
    return true;
  }
  Count over(int64_t by) const {
    Count all;
    for (const auto &[product, n] : terms_) all.add(product, n / by);
    return all;
  }
  // At least as many as both, of numbers that are not negative.
  friend Count at_least(Count a, const Count &b) {
    for (const auto &[product, n] : b.terms_)
      if (int64_t &mine = a.terms_[product]; mine < n) mine = n;
    std::erase_if(a.terms_, [](const auto &t) { return t.second == 0; });
    return a;
  }

  bool zero() const { return terms_.empty(); }
  bool one() const { return terms_.size() == 1 && terms_.begin()->first.empty() && terms_.begin()->second == 1; }
  // Whether it is at least so many with all factors at least 1.
  bool never_less(int64_t than) const {
    int64_t least = 0;
    for (const auto &[product, n] : terms_) {
      if (n < 0 && !product.empty()) return false;
      least += n;
    }
    return least >= than;
  }
  bool uses(const std::string &name) const {
    for (const auto &[product, n] : terms_)
      for (const Factor &f : product)
        if (f.second.contains(name)) return true;
    return false;
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto &[product, n] : terms_)
      for (const Factor &f : product) all.insert(f.second.begin(), f.second.end());
    return all;
  }
  // As an expression: what has most factors first.
  std::string text() const {
    std::string all;
    for (auto t = terms_.rbegin(); t != terms_.rend(); ++t) {
      const auto &[product, n] = *t;
      std::string factors;
      for (const Factor &f : product) factors += (factors.empty() ? "" : " * ") + f.first;
      const int64_t size = n < 0 ? -n : n;
      if (factors.empty() || size != 1) factors = std::to_string(size) + (factors.empty() ? "" : " * " + factors);
      all += all.empty() ? (n < 0 ? "-" : "") + factors : (n < 0 ? " - " : " + ") + factors;
    }
    return all.empty() ? "0" : all;
  }

private:
  using Product = std::multiset<Factor>;
  void add(const Product &product, int64_t n) {
    if ((terms_[product] += n) == 0) terms_.erase(product);
  }
  std::map<Product, int64_t> terms_;
};

} // namespace htp::a2a3
