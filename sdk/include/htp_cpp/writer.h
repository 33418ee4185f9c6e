// htp_cpp/writer.h — the one way emitters write text: lines, indented blocks that close themselves, joined lists, and
// names that never clash. Output depends on nothing but what is written: no address, no hash order, no locale.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace htp::sdk {

class Writer {
public:
  explicit Writer(unsigned indent = 2) : step_(indent) {}

  // One line at the current indentation; the pieces are put together as they are.
  template <class... P> Writer &line(const P &...pieces) {
    flush_blank();
    text_.append(depth_ * step_, ' ');
    (put(pieces), ...);
    text_ += '\n';
    fresh_block_ = false;
    return *this;
  }
  // A blank line before the next text; several asked for are one, none at the start of a block.
  Writer &blank() {
    if (!fresh_block_ && !text_.empty()) want_blank_ = true;
    return *this;
  }

  // Writes `head` and indents until the returned scope ends, which writes `tail` on a line of its own (when not empty).
  class Block {
  public:
    Block(Writer &w, std::string tail) : writer_(&w), tail_(std::move(tail)) {}
    Block(Block &&other) noexcept : writer_(other.writer_), tail_(std::move(other.tail_)) { other.writer_ = nullptr; }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    ~Block() {
      if (!writer_) return;
      writer_->want_blank_ = false;
      --writer_->depth_;
      if (!tail_.empty()) writer_->line(tail_);
    }

  private:
    Writer *writer_;
    std::string tail_;
  };
  template <class... P> [[nodiscard]] Block block(std::string tail, const P &...head) {
    line(head...);
    ++depth_;
    fresh_block_ = true;
    return Block(*this, std::move(tail));
  }

  const std::string &text() const { return text_; }
  // The 1-based number of the next line.
  size_t next_line() const {
    for (; counted_ < text_.size(); ++counted_) lines_ += text_[counted_] == '\n';
    return lines_ + 1 + (want_blank_ ? 1 : 0);
  }

private:
  void flush_blank() {
    if (want_blank_) text_ += '\n';
    want_blank_ = false;
  }
  void put(std::string_view s) { text_ += s; }
  void put(char c) { text_ += c; }
  template <class I>
  requires std::is_integral_v<I>
  void put(I value) {
    char buffer[24];
    text_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }

  std::string text_;
  mutable size_t lines_ = 0, counted_ = 0; // that the first bytes of the text have
  size_t depth_ = 0;
  unsigned step_;
  bool want_blank_ = false, fresh_block_ = true;
};

// Puts `separator` between what `print` makes of each item.
template <class Range, class Print> std::string join(const Range &items, std::string_view separator, Print print) {
  std::string result;
  bool first = true;
  for (const auto &item : items) {
    if (!first) result += separator;
    first = false;
    result += print(item);
  }
  return result;
}

// Names of a target language: a user's name is kept where it is legal and free; a clash gets _1, _2 …
class NameTable {
public:
  void reserve(std::string_view name) { taken_.emplace(name); }
  // The target's name for `name`, the same at every call.
  const std::string &of(const std::string &name) {
    auto [it, fresh] = names_.try_emplace(name);
    if (fresh) it->second = claim(name);
    return it->second;
  }
  // A name of its own.
  std::string claim(const std::string &stem) {
    std::string candidate = stem;
    unsigned &next = next_.try_emplace(stem, 1).first->second;
    while (!taken_.insert(candidate).second) candidate = stem + "_" + std::to_string(next++);
    return candidate;
  }

private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, unsigned> next_; // by stem: candidates with a lower number are taken
  std::map<std::string, std::string> names_;
};

} // namespace htp::sdk
