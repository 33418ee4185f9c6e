// plugins/binding-aiesim/reader/line.h — a line of a module, read token by token.
#pragma once

#include "reader/module.h"

#include <cctype>
#include <charconv>

namespace htp::aiesim {

// One line, taken apart from the left.
class Line {
public:
  Line(std::string_view text, size_t number) : rest_(text), number_(number) {
    const size_t at = rest_.rfind(" loc(#");
    if (at != rest_.npos && rest_.find(')', at) + 1 == rest_.size())
      place_ = rest_.substr(at), rest_ = rest_.substr(0, at);
    skip();
  }

  template <class... A> [[noreturn]] void fail(const sdk::DiagKind &row, const A &...arguments) const {
    throw Wrong(row, number_, arguments...);
  }
  [[noreturn]] void missing(std::string_view what) const {
    fail(diag::missing, what, rest_.empty() ? "the end of the line" : rest_.substr(0, 24));
  }
  size_t number() const { return number_; }
  // ` loc(#n213)`, where it ends with a location by its name.
  std::string_view place() const { return place_; }
  std::string_view rest() const { return rest_; }
  bool end() const { return rest_.empty(); }
  bool at(std::string_view text) const { return rest_.starts_with(text); }
  bool take(std::string_view text) {
    if (!at(text)) return false;
    rest_.remove_prefix(text.size());
    skip();
    return true;
  }
  void want(std::string_view text) {
    if (!take(text)) missing(text);
  }
  void finish() const {
    if (!rest_.empty()) fail(diag::not_read, rest_.substr(0, 24));
  }
  std::string name(char mark) { // %x, @f
    if (rest_.empty() || rest_[0] != mark) missing(std::string_view(&mark, 1));
    size_t n = 1; // of several results, %x#1 is one
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' || (mark == '%' && rest_[n] == '#')))
      ++n;
    const std::string found(rest_.substr(1, n - 1));
    if (found.empty()) missing(std::string_view(&mark, 1));
    rest_.remove_prefix(n);
    skip();
    return found;
  }
  std::string token() {
    size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_')) ++n;
    const std::string found(rest_.substr(0, n));
    rest_.remove_prefix(n);
    skip();
    return found;
  }
  int64_t number_here() {
    int64_t value = 0;
    const auto done = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (done.ec != std::errc()) missing("NUMBER");
    rest_.remove_prefix(static_cast<size_t>(done.ptr - rest_.data()));
    skip();
    return value;
  }
  std::vector<int64_t> numbers(char open, char close) {
    want(std::string_view(&open, 1));
    std::vector<int64_t> found;
    while (!at(std::string_view(&close, 1))) {
      if (!found.empty()) want(",");
      found.push_back(number_here());
    }
    want(std::string_view(&close, 1));
    return found;
  }
  // Where `within`, of a part of another one too: `memref<16xf32, strided<[1], offset: 16>>`.
  Type type(bool within = false) {
    want("memref<");
    Type t;
    while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_[0]))) {
      t.extents.push_back(number_here());
      if (t.extents.back() < 1 || t.extents.back() > (int64_t{1} << 32)) fail(diag::bad_extent, t.extents.back());
      want("x");
    }
    const std::string dtype = token();
    t.dtype = dtype_named(dtype);
    if (!t.dtype) fail(diag::bad_dtype, dtype);
    if (within && take(",")) {
      want("strided<"), numbers('[', ']');
      if (take(",")) want("offset"), want(":"), number_here();
      want(">");
    }
    want(">");
    t.text = "memref<";
    for (const int64_t e : t.extents) t.text += std::to_string(e) + "x";
    t.text += dtype + ">";
    if (t.count() > most_elements) fail(diag::large_buffer, t.count());
    return t;
  }

private:
  void skip() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r')) rest_.remove_prefix(1);
  }
  std::string_view rest_, place_;
  size_t number_;
};

} // namespace htp::aiesim
